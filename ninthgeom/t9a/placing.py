"""Whether units may stand where they are: on the table, clear of each other and of impassable terrain."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom._checks import flag
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.bases import Bases
from ninthgeom.t9a._masks import of_chunk, unit_mask, units_aloft, with_leading_axes
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# Inches that must be exceeded, at the end of a move and during it (rules page Unit Spacing).
_SPACING: Final = 1.0
_SPACING_MOVING: Final = 0.5

# Whether they are near and engaged; of the pairs that are, the columns of two boundaries and their place.
_BYTES_PER_PAIR: Final = 300
# Corners, boxes and numbers of a boundary that is compared with terrain.
_BYTES_PER_UNIT: Final = 400


def on_table(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether the Unit Boundaries are wholly on the table.

    The edge belongs to the table: a unit that touches it from within is on it.

    Parameters
    ----------
    board, positions, present, occupied, rules, tol, workers
        As in `distances`; `rules` change nothing here. The table reaches from (0, 0) to ``board.size``.
    observers : sequence of int or str, optional
        Indices or names of the units that are asked about; all units by default.

    Returns
    -------
    ndarray of bool, shape (..., observers)
        False for units that are absent. Empty where there are no states or no units to ask about.

    Raises
    ------
    TypeError, ValueError
        As in `distances`.

    See Also
    --------
    legal : also whether they are clear of each other and of impassable terrain.

    Examples
    --------
    A unit that faces the table's edge with 20 inches to go, after moves of 19, 20 and 21:

    >>> import numpy as np
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import on_table
    >>> positions = np.zeros((3, 1, 3))
    >>> positions[:, 0, 0], positions[:, 0, 1] = [71, 72, 73], 24
    >>> on_table(Board([Unit("spears", (20, 20), models=20)]), positions)
    array([[ True],
           [ True],
           [False]])
    """
    # No unit is observed: chunks are then as long as the boundaries alone allow.
    states = prepare(board, positions, observers, [], present, occupied, rules, tol, workers)
    answer = _empty(states)
    for chunk in states.chunks(0):
        answer[chunk.states] = _is_on_table(states, chunk)
    return _shaped(states, answer)


def spacing_ok(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    moving: bool = False,
    engaged: ArrayLike | None = None,
    aloft: ArrayLike | None = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether units keep the distance that the rules ask for from other units and impassable terrain.

    At the end of a move it is more than 1 inch from the boundary of every other unit, friend or enemy, and
    from every piece of impassable terrain; exactly 1 inch is too near. While units move it is more than half
    an inch, and those in the air pass over everything (rules page Unit Spacing).

    Parameters
    ----------
    board, positions, present, occupied, rules, tol, workers
        As in `distances`; here a distance of up to `tol` more than 1 or half an inch is still too near, and
        `rules` change nothing.
    observers : sequence of int or str, optional
        Indices or names of the units that are asked about; all units by default. They are compared with all
        units, in whatever order.
    moving : bool
        Whether the positions are those of units in the middle of a move.
    engaged : array_like of bool, shape (..., U, U), optional
        Pairs of units that need not keep the distance, those in combat with each other or that a charge
        brought together; True in one of the two orders is enough. No pairs by default.
    aloft : array_like of bool, shape (..., U), optional
        Units in the air, by default those with `Unit.flying`; looked at only while `moving`, since every
        move ends on the ground.

    Returns
    -------
    ndarray of bool, shape (..., observers)
        The leading axes of positions and all masks, broadcast against each other. False for units that are
        absent. Empty where there are no states or no units to ask about.

    Raises
    ------
    TypeError, ValueError
        As in `distances`; for `engaged` and `aloft` as for `present`.

    See Also
    --------
    legal : also whether they are on the table and engaged units do not overlap.
    distances : the distances between units.

    Notes
    -----
    A pair is let off while moving if either of the two is in the air: who stands still does not get too near
    by being flown over.

    Examples
    --------
    Two units of one inch square, with 1.2, 1 and 0.8 inches between them:

    >>> import numpy as np
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import spacing_ok
    >>> board = Board([Unit(name, (25.4, 25.4)) for name in "ab"])
    >>> positions = np.zeros((3, 2, 3))
    >>> positions[:, 0, 0], positions[:, 1, 0] = 10, [12.2, 12, 11.8]
    >>> spacing_ok(board, positions, observers=["a"])[:, 0]
    array([ True, False, False])
    >>> spacing_ok(board, positions, observers=["a"], moving=True)[:, 0]
    array([ True,  True,  True])
    """
    states = prepare(board, positions, observers, None, present, occupied, rules, tol, workers)
    states, asked = _asked(states, moving, engaged, aloft)
    answer = _empty(states)
    for chunk in states.chunks(_BYTES_PER_PAIR, more=_bytes_for_terrain(states)):
        answer[chunk.states] = _keeping_distance(states, chunk, asked, _present(chunk))
    return _shaped(states, answer)


def legal(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    moving: bool = False,
    engaged: ArrayLike | None = None,
    aloft: ArrayLike | None = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether units may stand where they are.

    They may where they are wholly on the table (`on_table`), keep their distance (`spacing_ok`) and overlap
    with no other unit and no impassable terrain. Engaged units, which need not keep the distance, may touch
    but not overlap either. While moving, units in the air pass over everything on the table.

    Parameters
    ----------
    board, positions, observers, moving, engaged, aloft, present, occupied, rules, tol, workers
        As in `spacing_ok`; `rules` change nothing here either. Units overlap where they reach deeper than
        `tol` into each other.

    Returns
    -------
    ndarray of bool, shape (..., observers)
        As of `spacing_ok`.

    Raises
    ------
    TypeError, ValueError
        As in `spacing_ok`.

    See Also
    --------
    overlaps : what units touch and lie on.

    Examples
    --------
    Knights touch the spears that they charged, then reach into them; at last they reach off the table:

    >>> import numpy as np
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import legal
    >>> units = [Unit("knights", (25.4, 25.4), models=5), Unit("spears", (25.4, 25.4), models=5, side=1)]
    >>> positions = np.zeros((3, 2, 3))
    >>> positions[:, 0, 0], positions[:, 1, 0], positions[:, :, 1] = [10, 10.5, 72.5], 11, 24
    >>> legal(Board(units), positions, observers=["knights"])[:, 0]
    array([False, False, False])
    >>> legal(Board(units), positions, observers=["knights"], engaged=[[False, True], [False, False]])[:, 0]
    array([ True, False, False])
    """
    states = prepare(board, positions, observers, None, present, occupied, rules, tol, workers)
    states, asked = _asked(states, moving, engaged, aloft)
    answer = _empty(states)
    for chunk in states.chunks(_BYTES_PER_PAIR, more=_bytes_for_terrain(states)):
        left = _overlapping_nobody(states, chunk, asked, _is_on_table(states, chunk))
        answer[chunk.states] = _keeping_distance(states, chunk, asked, left)
    return _shaped(states, answer)


@dataclass(frozen=True, eq=False)
class _Asked:
    """How much distance is asked for, and between which units.

    Attributes
    ----------
    spacing : float
        Inches.
    aloft : ndarray of bool, shape (..., U), or None
        Units that pass over everything.
    engaged : ndarray of bool, shape (..., U, U), or None
        Pairs that need not keep the distance, in either of the two orders.
    """

    spacing: float
    aloft: BoolArray | None
    engaged: BoolArray | None

    def over_all(self, states: States, chunk: Chunk) -> BoolArray | None:
        """Return the units that pass over everything, shape (S or 1, U)."""
        return None if self.aloft is None else of_chunk(states, chunk, self.aloft)

    def let_off(self, states: States, chunk: Chunk) -> BoolArray | None:
        """Return the pairs that are not asked about since one of them is in the air, shape (S or 1, n, U)."""
        high = self.over_all(states, chunk)
        return None if high is None else high[:, chunk.observers, None] | high[:, None, :]

    def together(self, states: States, chunk: Chunk) -> BoolArray | None:
        """Return the pairs that are engaged, shape (S or 1, n, U)."""
        if self.engaged is None:
            return None
        one_way = of_chunk(states, chunk, self.engaged, 2)
        return one_way[:, chunk.observers] | one_way[:, :, chunk.observers].swapaxes(1, 2)


def _asked(
    states: States, moving: bool, engaged: ArrayLike | None, aloft: ArrayLike | None
) -> tuple[States, _Asked]:
    """Check what is asked; the masks may make more states of those of the positions."""
    is_moving = flag(moving, ("moving",))
    high = units_aloft(states.board, aloft)
    together = None if engaged is None else unit_mask(states.board, engaged, "engaged", 2)
    states = with_leading_axes(states, engaged=() if together is None else together.shape[:-2])
    states = with_leading_axes(states, aloft=high.shape[:-1])
    spacing = _SPACING_MOVING if is_moving else _SPACING
    return states, _Asked(spacing, high if is_moving else None, together)


def _empty(states: States) -> BoolArray:
    """Return an answer to fill, with one flat axis of states."""
    return np.empty((states.n_states, len(states.observers)), np.bool_)


def _shaped(states: States, answer: BoolArray) -> BoolArray:
    return answer.reshape(*states.leading, len(states.observers))


def _bytes_for_terrain(states: States) -> int:
    return len(states.observers) * (_BYTES_PER_UNIT + len(states.board.terrain))


def _present(chunk: Chunk) -> BoolArray:
    """Return whether the observers are there, shape (S, n)."""
    if chunk.present is None:
        return np.ones((len(chunk.positions), len(chunk.observers)), np.bool_)
    return chunk.present[:, chunk.observers]


def _is_on_table(states: States, chunk: Chunk) -> BoolArray:
    """Return whether the observers are there and wholly on the table, shape (S, n)."""
    width, height = states.board.size
    table = Bases.rect(width / 2, height / 2, width=height, depth=width)
    boundaries = chunk.observer_boundaries[:, :, 0]
    on_it = measure.wholly_within(boundaries, table, tol=states.tol, workers=states.workers)
    return on_it & _present(chunk)


def _overlapping_nobody(states: States, chunk: Chunk, asked: _Asked, left: BoolArray) -> BoolArray:
    """Return which of the observers that are left overlap with no unit that they are engaged with.

    Units that they are not engaged with must be further off anyway.
    """
    together = asked.together(states, chunk)
    if together is None:
        return left
    pairs = together & left[:, :, None]
    let_off = asked.let_off(states, chunk)
    if let_off is not None:
        pairs &= ~let_off
    chunk.blank(pairs, False)
    state, i, j = np.unravel_index(np.flatnonzero(pairs), pairs.shape)
    one, other = chunk.boundaries[state, chunk.observers[i]], chunk.boundaries[state, chunk.targets[j]]
    overlap = measure.interiors_meet(one, other, tol=states.tol, workers=states.workers)
    left = left.copy()
    left[state[overlap], i[overlap]] = False
    return left


def _keeping_distance(states: States, chunk: Chunk, asked: _Asked, left: BoolArray) -> BoolArray:
    """Return which of the observers that are left keep their distance, shape (S, n)."""
    near = measure.within(
        chunk.observer_boundaries,
        chunk.target_boundaries,
        asked.spacing,
        tol=states.tol,
        workers=states.workers,
    )
    chunk.blank(near, False)
    for pairs in (asked.let_off(states, chunk), asked.together(states, chunk)):
        if pairs is not None:
            near &= ~pairs
    left = left & ~near.any(axis=-1)
    if not any(piece.kind == "impassable" for piece in states.board.terrain):
        return left
    high = asked.over_all(states, chunk)
    state, i = np.nonzero(left if high is None else left & ~high[:, chunk.observers])
    is_near = measure.within(
        chunk.boundaries[state, chunk.observers[i]][:, None],
        states.board.impassable_outlines,
        asked.spacing,
        tol=states.tol,
        workers=states.workers,
    ).any(axis=-1)
    left[state[is_near], i[is_near]] = False
    return left
