"""Where units look from: the stretches of their front edges that lie straight ahead of living models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import ACROSS, ALONG, COS, SIN, Bases, X, Y
from ninthgeom.t9a._tables import UnitTable
from ninthgeom.t9a._things import Things, joined_columns, with_columns

if TYPE_CHECKING:
    from ninthgeom.t9a._setting import Setting

IntArray: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Stretches:
    """Contiguous stretches of a front edge with models of one height, tallness and elevation behind them.

    Attributes
    ----------
    left, right : ndarray of float, shape (S or 1, n)
        Ends in the frame of the unit, in inches; left is the larger number.
    rank : ndarray of int, shape (S or 1, n)
    elevated, there : ndarray of bool, shape (S or 1, n)
    is_whole : bool
        Whether it is one stretch, the whole front edge in every state.
    """

    left: FloatArray
    right: FloatArray
    rank: IntArray
    elevated: BoolArray
    there: BoolArray
    is_whole: bool

    def __len__(self) -> int:
        return int(self.left.shape[1])


def unit_eyes(setting: Setting, observers: IntArray) -> tuple[Things, IntArray]:
    """Return what each observer looks from, and the index among the observers of each, ascending."""
    known = [_stretches_of(setting, u) for u in observers.tolist()]
    counts = [len(stretches) for stretches in known]
    owner = np.repeat(np.arange(len(observers)), counts)
    unit = observers[owner]
    if not known:
        return setting.boundaries(unit), owner
    things = Things(
        _looking_from(setting, unit, known),
        unit[None],
        joined_columns([stretches.rank for stretches in known]),
        joined_columns([stretches.elevated for stretches in known]),
        joined_columns([stretches.there for stretches in known]) & setting.present[:, unit],
    )
    return things, owner


def facing_bases(setting: Setting, unit: IntArray, left: FloatArray, right: FloatArray) -> Bases:
    """Return bare facings on the front edges of units, from their ends in the frames of the units."""
    boundaries = setting.chunk.boundaries[:, unit]
    positions = setting.chunk.positions[:, unit]
    columns = np.array(boundaries._columns)
    cos, sin, along = columns[COS], columns[SIN], columns[ALONG]
    ahead = (columns[X] - positions[..., 0]) * cos + (columns[Y] - positions[..., 1]) * sin + along
    middle = (left + right) / 2
    columns[X] = positions[..., 0] + (ahead * cos - middle * sin)
    columns[Y] = positions[..., 1] + (ahead * sin + middle * cos)
    columns[ALONG] = 0.0
    columns[ACROSS] = (left - right) / 2
    zero = np.zeros(boundaries.shape)
    width = np.broadcast_to(left - right, boundaries.shape)
    return Bases._of_parts(columns, boundaries.heading, (width, zero, zero))


def find_stretches(table: UnitTable, living: BoolArray, elevated: BoolArray | None) -> Stretches:
    """Return the stretches of a unit with these living and elevated models, both of shape (S or 1, slots).

    Whoever is taller, or elevated, sees all that a model in the same place sees that is not. So a stretch
    runs on where such a model stands, and is left out where nobody else does.
    """
    ranks = np.unique(table.ranks)[::-1]
    kinds = [(int(rank), False) for rank in ranks]
    if elevated is not None:
        kinds = [(int(rank), True) for rank in ranks] + kinds
    n_states = len(living) if elevated is None else max(len(living), len(elevated))
    shape = (n_states, len(kinds), table.covers.shape[1])
    reached, needed = np.zeros(shape, np.bool_), np.zeros(shape, np.bool_)
    for k, (rank, is_elevated) in enumerate(kinds):
        models = living & (table.ranks == rank)
        if elevated is not None:
            models = models & (elevated == is_elevated)
        own = models.astype(np.float32) @ table.covers > 0
        better = [other for other in range(k) if kinds[other][0] >= rank and kinds[other][1] >= is_elevated]
        above = reached[:, better].any(axis=1)
        reached[:, k] = own | above
        needed[:, k] = own & ~above
    state, kind, start, stop = _runs(reached, needed)
    left, right, rank_of, elevated_of, there = padded(
        state,
        n_states,
        table.edges[start],
        table.edges[stop],
        np.array([rank for rank, _ in kinds])[kind],
        np.array([is_elevated for _, is_elevated in kinds])[kind],
        np.ones(len(state), np.bool_),
    )
    is_whole = left.shape[1] == 1 and bool(((start == 0) & (stop == shape[2])).all())
    return Stretches(left, right, settled(rank_of, there), settled(elevated_of, there), there, is_whole)


def padded(state: IntArray, n_states: int, *values: NDArray[Any]) -> list[NDArray[Any]]:
    """Lay values out in one row for each state, shape (n_states, n), with zeros behind the shorter rows.

    Parameters
    ----------
    state : ndarray of int, ascending
        State of each value.
    n_states : int
        Number of states.
    *values : ndarray
        The values, as many as `state` has items.
    """
    counts = np.bincount(state, minlength=n_states)
    place = np.arange(len(state)) - np.repeat(np.cumsum(counts) - counts, counts)
    rows = []
    for value in values:
        row = np.zeros((n_states, counts.max(initial=0)), value.dtype)
        row[state, place] = value
        rows.append(row)
    return rows


def settled(values: NDArray[Any], there: BoolArray) -> NDArray[Any]:
    """Return values (S, n), or one row of them if no column changes between states where it is there.

    Masks that are the same in all states are made once.
    """
    row = np.where(there, values, 0).max(axis=0, keepdims=True, initial=0).astype(values.dtype)
    return row if ((values == row) | ~there).all() else values


def _stretches_of(setting: Setting, u: int) -> Stretches:
    table = setting.table.units[u]
    elevated = None if setting.elevated is None else setting.elevated[:, table.slots]
    if elevated is not None and not elevated.any():
        elevated = None
    if table.n_slots == 1:
        return Stretches(
            left=table.edges[None, :1],
            right=table.edges[None, -1:],
            rank=table.ranks[None],
            elevated=np.zeros((1, 1), np.bool_) if elevated is None else elevated,
            there=np.ones((1, 1), np.bool_),
            is_whole=True,
        )
    if elevated is not None or setting.chunk.occupied is not None:
        return find_stretches(table, setting.living[:, table.slots], elevated)
    key = f"stretches, {setting.rules.tall_exempt}, {u}"
    known: Stretches | None = setting.board._derived.get(key)
    if known is None:
        known = find_stretches(table, setting.living[:, table.slots], None)
        setting.board._derived[key] = known
    return known


def _looking_from(setting: Setting, unit: IntArray, known: list[Stretches]) -> Bases:
    """Return the boundaries, of which the front edge counts, or the bare stretches where they are shorter."""
    boundaries = setting.boundaries(unit).bases
    is_part = np.concatenate([np.full(len(stretches), not stretches.is_whole) for stretches in known])
    if not is_part.any():
        return boundaries
    left = joined_columns([stretches.left for stretches in known])[:, is_part]
    right = joined_columns([stretches.right for stretches in known])[:, is_part]
    return with_columns(boundaries, is_part, facing_bases(setting, unit[is_part], left, right))


def _runs(reached: BoolArray, needed: BoolArray) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return state, kind, start and stop of the runs of pieces that are reached, if one in them is needed."""
    n_states, n_kinds, n_pieces = reached.shape
    # A piece that is not reached behind the last one ends every run.
    row = n_pieces + 1
    flat = np.zeros((n_states, n_kinds, row), np.bool_)
    flat[:, :, :n_pieces] = reached
    flat = flat.reshape(-1)
    before = np.concatenate([np.zeros(1, np.bool_), flat[:-1]])
    starts, stops = np.flatnonzero(flat & ~before), np.flatnonzero(~flat & before)
    wanted = np.zeros((n_states, n_kinds, row), np.intp)
    wanted[:, :, :n_pieces] = needed
    upto = np.concatenate([[0], np.cumsum(wanted)])
    kept = upto[stops] > upto[starts]
    starts, stops = starts[kept], stops[kept]
    first = starts % row
    return starts // (row * n_kinds), starts // row % n_kinds, first, first + stops - starts
