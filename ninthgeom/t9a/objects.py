"""What units touch or lie on, other units and terrain: sparse answers over many states at once."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import measure
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.relations import Relation, relation
from ninthgeom.rows import Rows
from ninthgeom.t9a._masks import of_chunk, units_aloft, with_leading_axes
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]
Codes: TypeAlias = NDArray[np.uint8]

# A pair in contact is written out: the columns of two boundaries, its place and its code.
_BYTES_PER_PAIR: Final = 300
# Corners, boxes and numbers of a boundary, and its codes.
_BYTES_PER_UNIT: Final = 300
_BYTES_PER_PIECE: Final = 4
# By so much may the gap of two bases depend on which of them asks: the exact question then decides.
_ROUNDING: Final = 1e-9


def overlaps(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    aloft: ArrayLike | None = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Rows:
    """Return which units touch or lie on which other units and pieces of terrain.

    What a unit touches, along a line or in a point, and what it lies in or on, partly or wholly, it is in
    contact with. A unit in the air is in contact with nothing: it only overlaps with all that, edges included
    (rules page Interactions between Objects). Units are taken by their Unit Boundaries.

    Parameters
    ----------
    board, positions, present, occupied, rules, tol, workers
        As in `distances`; `rules` change nothing here, since `aloft` says who is in the air.
    observers : sequence of int or str, optional
        Indices or names of the units that are asked about; all units by default.
    targets : sequence of int or str, optional
        Units that they are compared with, beside all terrain; all units by default.
    aloft : array_like of bool, shape (..., U), optional
        Units in the air; by default those with `Unit.flying`, wherever they stand. The third edition lets
        whatever overlaps be in contact, too: for that, pass ``[False] * len(board)``.

    Returns
    -------
    Rows
        One row for each state, unit and object that it touches or lies on: ``state``, ``unit``, ``other`` (a
        unit, or the index of a piece of terrain), ``is_terrain``, ``relation`` (how the unit lies to the
        other, a code of `ninthgeom.Relation`, never ``APART``) and ``contact`` (False where the two only
        overlap, since one of them is in the air). Sorted by state and unit, units before terrain, then by
        other. Two units have a row each way, the codes of which mirror each other. A unit has none with
        itself; an absent one has none at all. No rows where there are no states, no units to ask about, or
        neither targets nor terrain.

    Raises
    ------
    TypeError, ValueError
        As in `distances`, and for `aloft` as for `present`.

    See Also
    --------
    units_in_contact : contact between units alone, whether they are in the air or not.
    legal : whether units may stand where they are.
    ninthgeom.relation : the same between any bases and polygons.

    Notes
    -----
    A unit is inside an object, wholly or partly, from ``Relation.PARTIAL`` on. One whose edge runs along that
    of a forest is in contact with it but not inside: ``Relation.LINE``.

    Examples
    --------
    Both stand in the forest, the eagle above it:

    >>> from ninthgeom import Board, Relation, Terrain, Unit
    >>> from ninthgeom.t9a import overlaps
    >>> forest = Terrain([(30, 10), (40, 10), (40, 20), (30, 20)], kind="forest")
    >>> units = [Unit("wolves", (25, 50), models=5), Unit("eagle", (50, 50), flying=True)]
    >>> rows = overlaps(Board(units, [forest]), [[31, 18, 0], [38, 12, 0]])
    >>> rows.unit, rows.other, rows.is_terrain
    (array([0, 1]), array([0, 0]), array([ True,  True]))
    >>> [Relation(code).name for code in rows.relation], rows.contact
    (['PARTIAL', 'INSIDE'], array([ True, False]))
    """
    states = prepare(board, positions, observers, targets, present, occupied, rules, tol, workers)
    high = units_aloft(board, aloft)
    states = with_leading_axes(states, aloft=high.shape[:-1])
    states = replace(states, observers=np.unique(states.observers), targets=np.unique(states.targets))
    units, n_targets, n_pieces = states.observers, len(states.targets), len(board.terrain)
    names = np.concatenate([states.targets, np.arange(n_pieces)])
    found: list[dict[str, NDArray[np.generic]]] = []
    more = len(units) * (_BYTES_PER_UNIT + n_pieces * _BYTES_PER_PIECE)
    for chunk in states.chunks(_BYTES_PER_PAIR, more=more):
        codes = np.empty((len(chunk.positions), len(units), len(names)), np.uint8)
        codes[..., :n_targets] = _to_units(states, chunk)
        codes[..., n_targets:] = _to_terrain(states, chunk)
        state, i, j = np.unravel_index(np.flatnonzero(codes != Relation.APART), codes.shape)
        unit, other, is_terrain = units[i], names[j], j >= n_targets
        is_high = np.broadcast_to(of_chunk(states, chunk, high), (len(codes), len(board)))
        only_overlaps = is_high[state, unit]
        only_overlaps[~is_terrain] |= is_high[state[~is_terrain], other[~is_terrain]]
        found.append(
            {
                "state": state + chunk.states.start,
                "unit": unit,
                "other": other,
                "is_terrain": is_terrain,
                "relation": codes[state, i, j],
                "contact": ~only_overlaps,
            }
        )
    return Rows._of_parts(_joined(found), states.leading)


def _to_units(states: States, chunk: Chunk) -> Codes:
    """Return how the observers lie to the targets, shape (S, n, m); APART where nobody asks."""
    boundaries = chunk.observer_boundaries, chunk.target_boundaries
    near = measure.within(*boundaries, _ROUNDING, tol=states.tol, workers=states.workers)
    chunk.blank(near, False)
    codes = np.zeros(near.size, np.uint8)
    pairs = np.flatnonzero(near)
    state, i, j = np.unravel_index(pairs, near.shape)
    unit, other = chunk.observers[i], chunk.targets[j]
    # Asked in one order, the two rows of a pair never contradict each other.
    first, second = (
        chunk.boundaries[state, one] for one in (np.minimum(unit, other), np.maximum(unit, other))
    )
    asked = relation(first, second, tol=states.tol, workers=states.workers)
    codes[pairs] = np.where(unit < other, asked, _SEEN_BY_THE_OTHER[asked])
    return codes.reshape(near.shape)


def _to_terrain(states: States, chunk: Chunk) -> Codes:
    """Return how the observers lie to all pieces of terrain, shape (S, n, pieces); APART where absent."""
    if not states.board.terrain:
        return np.zeros((len(chunk.positions), len(chunk.observers), 0), np.uint8)
    # in contact first: the exact relations are worked out for those alone
    codes = relation(
        chunk.observer_boundaries, states.board.terrain_outlines, tol=states.tol, workers=states.workers
    )
    if chunk.present is not None:
        codes[~chunk.present[:, chunk.observers]] = Relation.APART
    return codes


def _swapped() -> Codes:
    codes = np.arange(len(Relation), dtype=np.uint8)
    codes[[Relation.INSIDE, Relation.CONTAINS]] = Relation.CONTAINS, Relation.INSIDE
    return codes


_SEEN_BY_THE_OTHER: Final = _swapped()


def _joined(parts: list[dict[str, NDArray[np.generic]]]) -> dict[str, NDArray[np.generic]]:
    """Put the columns of all chunks behind each other."""
    kinds: dict[str, type[np.generic]] = {
        **dict.fromkeys(("state", "unit", "other"), np.intp),
        "is_terrain": np.bool_,
        "relation": np.uint8,
        "contact": np.bool_,
    }
    return {
        name: np.concatenate([np.empty(0, kind), *(part[name] for part in parts)])
        for name, kind in kinds.items()
    }
