"""Who takes part in a question of sight: the things that look, are looked at, or are in the way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import ALONG, COS, ROWS, Bases, X

IntArray: TypeAlias = NDArray[np.intp]

NO_UNIT = -1
# Where what is not there is put, as a point, which never blocks: far off every table, so that no line to
# anything on it comes near.
_NOWHERE = 9e5


@dataclass(frozen=True, eq=False)
class Things:
    """Bases with what the rules ask about them; S is the number of states, or 1 for what never changes.

    Attributes
    ----------
    bases : Bases, shape (S or 1, n)
    unit : ndarray of int, shape (S or 1, n or 1)
        Unit they belong to, `NO_UNIT` for none.
    rank : ndarray of int, shape (S or 1, n or 1)
        Height and tallness, see `_tables`.
    elevated : ndarray of bool, shape (S or 1, n or 1)
    there : ndarray of bool, shape (S or 1, n or 1)
        Whether it is there at all.
    """

    bases: Bases
    unit: IntArray
    rank: IntArray
    elevated: BoolArray
    there: BoolArray

    def __len__(self) -> int:
        return self.bases.shape[1]

    def part(self, states: slice) -> Things:
        """Return them in some states."""
        return Things(
            _of_states(self.bases, states),
            _of_states(self.unit, states),
            _of_states(self.rank, states),
            _of_states(self.elevated, states),
            _of_states(self.there, states),
        )

    def packed(self) -> Things:
        """Return them without most of what is not there, each state's in columns of its own.

        Columns that are there in few states cost every state a look.
        """
        there = np.broadcast_to(self.there, self.bases.shape)
        n = int(np.count_nonzero(there, axis=1).max(initial=0))
        if 2 * n > there.shape[1]:
            return self
        columns = np.argsort(~there, axis=1, kind="stable")[:, :n]
        rows = np.arange(len(there))[:, None]

        def chosen(values: NDArray[Any]) -> Any:
            return np.broadcast_to(values, there.shape)[rows, columns]

        bases = self.bases[rows, columns]
        return Things(bases, chosen(self.unit), chosen(self.rank), chosen(self.elevated), chosen(there))

    @classmethod
    def joined(cls, parts: Sequence[Things]) -> Things:
        """Put several behind each other."""
        if len(parts) == 1:
            return parts[0]
        return cls(
            _joined_bases([part.bases for part in parts]),
            joined_columns([part.unit for part in parts]),
            joined_columns([part.rank for part in parts]),
            joined_columns([part.elevated for part in parts]),
            joined_columns([part.there for part in parts]),
        )


@dataclass(frozen=True, eq=False)
class Pieces:
    """Rectangles and rounded bases in the frames of their units, from which `Setting.place` makes things.

    All columns have shape (S or 1, n) or broadcast to it.
    """

    unit: IntArray
    forward: FloatArray
    left: FloatArray
    width: FloatArray
    depth: FloatArray
    radius: FloatArray
    rank: IntArray
    elevated: BoolArray
    there: BoolArray


def gone(things: Things) -> Bases:
    """Return the bases with a point far away for each that is not there."""
    if things.there.all():
        return things.bases
    shape = np.broadcast_shapes(things.bases.shape, things.there.shape)
    there = np.broadcast_to(things.there, shape)
    columns = np.array(np.broadcast_to(things.bases._columns, (ROWS, *shape)))
    columns[X:COS, ~there] = -_NOWHERE
    columns[ALONG:, ~there] = 0.0
    sizes = [np.where(there, size, 0.0) for size in (things.bases.width, things.bases.depth)]
    radius = np.where(there, things.bases.radius, 0.0)
    heading = np.broadcast_to(things.bases.heading, shape)
    return Bases._of_parts(columns, heading, (sizes[0], sizes[1], radius))


def with_columns(bases: Bases, chosen: BoolArray, others: Bases) -> Bases:
    """Return bases (S, n) with others in the chosen columns."""
    columns = np.array(bases._columns)
    columns[:, :, chosen] = others._columns
    sizes = [np.array(size) for size in bases._sizes]
    for size, own in zip(sizes, others._sizes, strict=True):
        size[:, chosen] = own
    return Bases._of_parts(columns, bases.heading, (sizes[0], sizes[1], sizes[2]))


def _of_states(array: Any, states: slice) -> Any:
    """Return an array of things in some states, itself if it is the same in all."""
    return array if array.shape[0] == 1 else array[states]


def joined_columns(parts: Sequence[NDArray[Any]]) -> Any:
    """Concatenate columns (S or 1, n); they stay one row if all are."""
    rows = max(len(part) for part in parts)
    if any(len(part) != rows for part in parts):
        parts = [np.broadcast_to(part, (rows, part.shape[1])) for part in parts]
    return np.concatenate(parts, axis=1)


def _joined_bases(parts: Sequence[Bases]) -> Bases:
    rows = max(len(part) for part in parts)
    columns = [np.broadcast_to(part._columns, (ROWS, rows, part.shape[1])) for part in parts]
    sizes = [joined_columns([part._sizes[i] for part in parts]) for i in range(3)]
    heading = joined_columns([part.heading for part in parts])
    return Bases._of_parts(np.concatenate(columns, axis=2), heading, (sizes[0], sizes[1], sizes[2]))
