"""Who is engaged with whom: enemies near each other with no tall terrain between them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.skirmish._between import is_free_between
from ninthgeom.skirmish._parties import SCRATCH, Parties
from ninthgeom.skirmish._states import By, Groups, States, prepare
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# A mask or two for each pair of models, and the columns of the few that are near.
_BYTES_PER_PAIR: Final = 10
_BYTES_PER_MODEL: Final = 150


def engaged(
    board: Board,
    positions: ArrayLike,
    *,
    by: By = "model",
    observers: Units | Groups = None,
    targets: Units | Groups = None,
    present: ArrayLike | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return which models, or which groups, are engaged with each other.

    Two models are if they are of different sides, both on the ground, no further apart than
    ``rules.engaged_range``, and no terrain that counts stands between them. Groups are if two of their models
    are.

    Parameters
    ----------
    board, positions, by, observers, targets, present, workers
        As in `distances`.
    rules : Rules
        Of these count ``engaged_range``, and ``engaged_terrain``: only terrain of Size 2 or more keeps models
        from being engaged, or all terrain, or none. The Size of terrain is its height, 0 where it has none.
    tol : float
        By how much the range may be exceeded, and how deep in terrain a line may run that only touches it.
        With terrain between, less than 1e-8 counts as that.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        The same both ways. False for a model or group and itself, and where one of the two is absent or
        flies.

    Raises
    ------
    TypeError, ValueError
        As in `distances`, and TypeError if `rules` are no `Rules`.

    See Also
    --------
    distances : how far apart they are.
    ninthgeom.line_of_sight : how lines past terrain are looked for.

    Notes
    -----
    Rules page Measuring and movement; terrain between is what the shortest line from base to base passes
    through deeper than `tol`, or between two pieces of it that touch each other. Where several lines are the
    shortest, as between parallel sides of two bases, models are engaged if one of those is free. Bases that
    touch have nothing between them. Levels of terrain are not known to this question: whoever plays with them
    marks models on other levels as absent.

    Examples
    --------
    A wall of Size 2 between the guard and the second of two raiders:

    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.skirmish import engaged
    >>> raiders = [Unit(name, 25.4, shape="round", side=1, group="raiders") for name in ("one", "two")]
    >>> wall = Terrain([(10.6, 9), (10.8, 9), (10.8, 11), (10.6, 11)], kind="wall", height=2)
    >>> board = Board([Unit("guard", 25.4, shape="round"), *raiders], [wall])
    >>> positions = [(10, 10, 0.0), (8.5, 10, 0.0), (11.5, 10, 0.0)]
    >>> engaged(board, positions, observers=["guard"])
    array([[False,  True, False]])
    >>> engaged(board, positions, by="group", observers=["raiders"])
    array([[ True, False]])
    """
    one, other = (Parties.of(board, by, *who) for who in ((observers, "observers"), (targets, "targets")))
    states = prepare(board, positions, present, rules, tol, workers)
    answer = np.empty((states.n_states, len(one.keys), len(other.keys)), np.bool_)
    pairs = len(one.models) * len(other.models)
    for chunk in states.chunks(_BYTES_PER_PAIR * pairs + _BYTES_PER_MODEL * len(board), SCRATCH):
        met = engaged_models(states, chunk, one, other)
        answer[chunk] = other.reduced(one.reduced(met, np.logical_or, 1), np.logical_or, 2)
    # models of one group may be of two sides
    answer[:, one.keys[:, None] == other.keys] = False
    return answer.reshape(*states.leading, *answer.shape[1:])


def engaged_models(states: States, chunk: slice, one: Parties, other: Parties) -> BoolArray:
    """Return which models of the observers are engaged with which of the targets, (S, N, M)."""
    board, rules = states.board, states.rules
    everyone = states.bases_in(chunk)
    bases = one.bases(everyone), other.bases(everyone)
    met = measure.within(
        bases[0][:, :, None], bases[1][:, None], rules.engaged_range, tol=states.tol, workers=states.workers
    )
    flying = np.array([unit.flying for unit in board.units], np.bool_)
    side = board.side
    on_ground = ~flying[one.models, None] & ~flying[other.models]
    met &= on_ground & (side[one.models, None] != side[other.models])
    for axis, parties in ((2, one), (1, other)):
        mask = parties.present(states, chunk)
        if mask is not None:
            met &= np.expand_dims(mask, axis)
    state, i, j = np.nonzero(met)
    if len(state) and rules.engaged_terrain != "none":
        pairs = bases[0][state, i], bases[1][state, j]
        met[state, i, j] = is_free_between(board, *pairs, rules.engaged_terrain, states.tol, states.workers)
    return met
