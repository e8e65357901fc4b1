"""Where units look from: the stretches of their front edges that lie straight ahead of living models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import ACROSS, ALONG, COS, SIN, Bases, X, Y
from ninthgeom.t9a._tables import UnitTable
from ninthgeom.t9a._things import Things, with_columns

if TYPE_CHECKING:
    from ninthgeom.t9a._setting import Setting

IntArray: TypeAlias = NDArray[np.intp]
Kinds: TypeAlias = list[tuple[int, bool]]


@dataclass(frozen=True, eq=False)
class Stretches:
    """Contiguous stretches of front edges with models of one height, tallness and elevation behind them.

    Attributes
    ----------
    owner : ndarray of int, shape (n,)
        Whose front edge each is of, among the units they were found for; ascending.
    left, right : ndarray of float, shape (S or 1, n)
        Ends in the frame of the unit, in inches; left is the larger number.
    rank : ndarray of int, shape (S or 1, n)
    elevated, there : ndarray of bool, shape (S or 1, n)
    is_whole : ndarray of bool, shape (n,)
        Which are the only one of their unit, the whole front edge in every state.
    """

    owner: IntArray
    left: FloatArray
    right: FloatArray
    rank: IntArray
    elevated: BoolArray
    there: BoolArray
    is_whole: BoolArray

    def of(self, units: IntArray) -> Stretches:
        """Return those of some of the units, in the order given."""
        first, end = (np.searchsorted(self.owner, units, side) for side in ("left", "right"))
        counts = end - first
        columns = np.repeat(first - (np.cumsum(counts) - counts), counts) + np.arange(counts.sum())
        return Stretches(
            np.repeat(np.arange(len(units)), counts),
            self.left[:, columns],
            self.right[:, columns],
            self.rank[:, columns],
            self.elevated[:, columns],
            self.there[:, columns],
            self.is_whole[columns],
        )


def unit_eyes(setting: Setting, observers: IntArray) -> tuple[Things, IntArray]:
    """Return what each observer looks from, and the index among the observers of each, ascending."""
    stretches = _stretches_of(setting, observers)
    unit = observers[stretches.owner]
    things = Things(
        _looking_from(setting, unit, stretches),
        unit[None],
        stretches.rank,
        stretches.elevated,
        stretches.there & setting.present[:, unit],
    )
    return things, stretches.owner


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


def find_stretches(tables: Sequence[UnitTable], living: BoolArray, elevated: BoolArray | None) -> Stretches:
    """Return the stretches of units with these living and elevated models, both of shape (S or 1, M).

    Whoever is taller, or elevated, sees all that a model in the same place sees that is not. So a stretch
    runs on where such a model stands, and is left out where nobody else does.
    """
    n_states = len(living) if elevated is None else max(len(living), len(elevated))
    kinds = [_kinds(table, elevated) for table in tables]
    places = _Places.of(tables, kinds)
    reached = np.zeros((n_states, len(places.edge)), np.bool_)
    needed = np.zeros_like(reached)
    end = 0
    for table, own_kinds in zip(tables, kinds, strict=True):
        n_pieces = table.covers.shape[1]
        begin, end = end, end + len(own_kinds) * (n_pieces + 1)
        shape = (n_states, len(own_kinds), n_pieces + 1)
        own_reached, own_needed = (
            array[:, begin:end].reshape(shape)[..., :n_pieces] for array in (reached, needed)
        )
        _fill(own_reached, own_needed, table, own_kinds, living, elevated)
    state, start, stop = _runs(reached, needed)
    return _laid_out(places, len(tables), n_states, state, start, stop)


@dataclass(frozen=True, eq=False)
class _Places:
    """The pieces of the front edges of units, once for each kind of their models, one behind the other.

    Behind the last piece of each kind comes one that is never reached, which ends every run.

    Attributes
    ----------
    owner, rank : ndarray of int, shape (n,)
    elevated : ndarray of bool, shape (n,)
    edge : ndarray of float, shape (n,)
        Where the piece begins, in the frame of the unit.
    is_first, is_end : ndarray of bool, shape (n,)
        The first piece of a kind, and what comes behind the last.
    """

    owner: IntArray
    rank: IntArray
    elevated: BoolArray
    edge: FloatArray
    is_first: BoolArray
    is_end: BoolArray

    @classmethod
    def of(cls, tables: Sequence[UnitTable], kinds: Sequence[Kinds]) -> _Places:
        """Lay out the places of units with these kinds of models."""
        rows = [
            (owner, rank, is_elevated, len(table.edges))
            for owner, (table, own) in enumerate(zip(tables, kinds, strict=True))
            for rank, is_elevated in own
        ]
        owner, rank, elevated, lengths = np.array(rows, np.intp).reshape(-1, 4).T
        ends = np.cumsum(lengths)
        is_first, is_end = np.zeros((2, lengths.sum()), np.bool_)
        is_first[ends - lengths] = is_end[ends - 1] = True
        edges = [table.edges for table, own in zip(tables, kinds, strict=True) for _ in own]
        return cls(
            np.repeat(owner, lengths),
            np.repeat(rank, lengths),
            np.repeat(elevated > 0, lengths),
            np.concatenate([np.empty(0), *edges]),
            is_first,
            is_end,
        )


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
    return _in_rows(state, place, (n_states, int(counts.max(initial=0))), *values)


def _in_rows(
    state: IntArray, place: IntArray, shape: tuple[int, int], *values: NDArray[Any]
) -> list[NDArray[Any]]:
    rows = []
    for value in values:
        row = np.zeros(shape, value.dtype)
        row[state, place] = value
        rows.append(row)
    return rows


def settled(values: NDArray[Any], there: BoolArray) -> NDArray[Any]:
    """Return values (S, n), or one row of them if no column changes between states where it is there.

    Masks that are the same in all states are made once.
    """
    row = np.where(there, values, 0).max(axis=0, keepdims=True, initial=0).astype(values.dtype)
    return row if ((values == row) | ~there).all() else values


def _stretches_of(setting: Setting, observers: IntArray) -> Stretches:
    units = setting.table.units
    if setting.elevated is not None or setting.chunk.occupied is not None:
        own = [units[u] for u in observers.tolist()]
        return find_stretches(own, setting.living, setting.elevated)
    key = f"stretches, {setting.rules.tall_exempt}"
    known: Stretches | None = setting.board._derived.get(key)
    if known is None:
        known = find_stretches(units, setting.living, None)
        setting.board._derived[key] = known
    return known.of(observers)


def _looking_from(setting: Setting, unit: IntArray, stretches: Stretches) -> Bases:
    """Return the boundaries, of which the front edge counts, or the bare stretches where they are shorter."""
    boundaries = setting.boundaries(unit).bases
    is_part = ~stretches.is_whole
    if not is_part.any():
        return boundaries
    left, right = stretches.left[:, is_part], stretches.right[:, is_part]
    return with_columns(boundaries, is_part, facing_bases(setting, unit[is_part], left, right))


def _kinds(table: UnitTable, elevated: BoolArray | None) -> Kinds:
    """Return height with tallness, and elevation, of the kinds of models of a unit, better ones first."""
    ranks = sorted(set(table.ranks.tolist()), reverse=True)
    kinds = [(rank, False) for rank in ranks]
    if elevated is not None and elevated[:, table.slots].any():
        kinds = [(rank, True) for rank in ranks] + kinds
    return kinds


def _fill(
    reached: BoolArray,
    needed: BoolArray,
    table: UnitTable,
    kinds: Kinds,
    living: BoolArray,
    elevated: BoolArray | None,
) -> None:
    """Write which pieces models of each kind, or better ones, look from, and which the others do not."""
    living = living[:, table.slots]
    covers = table.covers.astype(np.float32)
    if len(kinds) == 1:
        reached[:, 0] = needed[:, 0] = living.astype(np.float32) @ covers > 0
        return
    for k, (rank, is_elevated) in enumerate(kinds):
        models = living & (table.ranks == rank)
        if elevated is not None:
            models = models & (elevated[:, table.slots] == is_elevated)
        own = models.astype(np.float32) @ covers > 0
        better = [other for other in range(k) if kinds[other][0] >= rank and kinds[other][1] >= is_elevated]
        above = reached[:, better].any(axis=1)
        reached[:, k] = own | above
        needed[:, k] = own & ~above


def _runs(reached: BoolArray, needed: BoolArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return state, start and stop of the runs of places that are reached, if one in them is needed."""
    before = np.zeros_like(reached)
    before[:, 1:] = reached[:, :-1]
    starts, stops = np.flatnonzero(reached & ~before), np.flatnonzero(before & ~reached)
    upto = np.concatenate([[0], np.cumsum(needed)])
    kept = upto[stops] > upto[starts]
    starts, stops = starts[kept], stops[kept]
    state, start = np.divmod(starts, max(1, reached.shape[1]))
    return state, start, start + (stops - starts)


def _laid_out(
    places: _Places, n_units: int, n_states: int, state: IntArray, start: IntArray, stop: IntArray
) -> Stretches:
    """Give each unit so many columns as it has stretches in one state, filled from the first on."""
    unit = places.owner[start]
    counts = np.bincount(state * n_units + unit, minlength=n_states * n_units)
    before = np.cumsum(counts) - counts
    widths = counts.reshape(n_states, n_units).max(axis=0, initial=0)
    ends = np.cumsum(widths)
    column = np.arange(len(state)) - np.repeat(before, counts) + (ends - widths)[unit]
    left, right, rank, elevated, there = _in_rows(
        state,
        column,
        (n_states, int(widths.sum())),
        places.edge[start],
        places.edge[stop],
        places.rank[start],
        places.elevated[start],
        np.ones(len(state), np.bool_),
    )
    is_whole = np.repeat(widths == 1, widths)
    is_whole[column[~(places.is_first[start] & places.is_end[stop])]] = False
    return Stretches(
        np.repeat(np.arange(n_units), widths),
        left,
        right,
        settled(rank, there),
        settled(elevated, there),
        there,
        is_whole,
    )
