"""Where a base can be set: on the table, and free of other models and terrain."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units, unit_indices
from ninthgeom.skirmish._obstacles import Standing
from ninthgeom.skirmish._states import prepare
from ninthgeom.skirmish.ground import Ground, checked_ground
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.board import Board

# Columns and numbers of two bases.
_BYTES_PER_PAIR: Final = 200


def can_stand(
    board: Board,
    positions: ArrayLike,
    models: Units = None,
    *,
    present: ArrayLike | None = None,
    ground: Ground | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether the bases of models fit where they are.

    A base fits if it is wholly on the table, if neither another model's base nor terrain that stops has a
    part of it, and, for flying models, if no flying enemy is nearer than ``rules.engaged_range``. Touching is
    free, and so is what lies in access areas. Flying models need the room for their base as all others do.

    Parameters
    ----------
    board : Board
        Units of one model each.
    positions : array_like, shape (..., U, 3)
        States: x, y and heading of each unit.
    models : sequence of int or str, optional
        Indices or names of the models that are asked about, n of them; by default all.
    present : array_like of bool, shape (..., U), optional
        Which models are on the table; by default all. The others neither stand nor are in the way.
    ground : Ground, optional
        Which terrain stops, and access areas; by default all terrain does.
    rules : Rules
        Of these ``engaged_range`` counts, which flying models keep from flying enemies (closed).
    tol : float
        Tolerance in inches: overlaps up to this deep are touches.
    workers : int
        Number of threads; -1 takes all cores.

    Returns
    -------
    ndarray of bool, shape (..., n)
        False for absent models. Empty where there are no states or no models.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a shape, a value, a name or an index is not allowed.

    See Also
    --------
    paths_clear : whether a model gets there.

    Notes
    -----
    Rules page Measuring and movement, Gap Clearance and model Size: passing is not stopping, the base can
    only be set where it physically fits; flying ones too.

    Examples
    --------
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.skirmish import can_stand
    >>> ruin = Terrain([(10, 0), (12, 0), (12, 9), (10, 9)], kind="ruin")
    >>> board = Board([Unit("a", 50.8, shape="round"), Unit("b", 50.8, shape="round")], [ruin])
    >>> can_stand(board, [[9, 4, 0], [9.5, 6, 0]])
    array([ True, False])
    """
    states = prepare(board, positions, present, rules, tol, workers)
    chosen = unit_indices(board, models, "models")
    flying = np.array([unit.flying for unit in board.units], np.bool_)
    enemies = flying[chosen, None] & flying & (board.side[chosen, None] != board.side)
    what_stops = checked_ground(board, ground)
    answer = np.zeros((states.n_states, len(chosen)), np.bool_)
    if not answer.size:
        return answer.reshape(*states.leading, len(chosen))
    terrain = Standing.of(board, what_stops, states.tol).polygons
    for some in states.chunks(_BYTES_PER_PAIR * len(chosen) * (len(board) + len(terrain))):
        bases = states.bases_in(some)
        here = states.present_in(some)
        own = bases[:, chosen]
        fits = here[:, chosen] & _on_table(own, board.size, states.tol)
        meets = measure.interiors_meet(own[:, :, None], bases[:, None], tol=states.tol, workers=workers)
        meets &= here[:, None] & (chosen[:, None] != np.arange(len(board)))
        fits &= ~meets.any(axis=2)
        if len(terrain):
            inside = measure.interiors_meet(own[:, :, None], terrain, tol=states.tol, workers=workers)
            fits &= ~inside.any(axis=2)
        if enemies.any():
            apart = measure.distance(own[:, :, None], bases[:, None], tol=states.tol, workers=workers)
            near = (apart < rules.engaged_range - states.tol) & enemies & here[:, None]
            fits &= ~near.any(axis=2)
        answer[some] = fits
    return answer.reshape(*states.leading, len(chosen))


def _on_table(bases: Bases, size: tuple[float, float], tol: float) -> BoolArray:
    """Return which bases are wholly on the table; they may touch its edge."""
    bounds = bases.bounds
    is_in: BoolArray = np.concatenate(
        [bounds[..., :2] >= -tol, bounds[..., 2:] <= np.array(size) + tol], axis=-1
    )
    return np.asarray(is_in.all(axis=-1))
