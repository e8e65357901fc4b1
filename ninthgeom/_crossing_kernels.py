"""The dispatch of segments against polygons: discs for all pairs, pieces for those left open."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import Columns, Kernel, PairKernels
from ninthgeom._crossing_tables import CrossingTables, Planes

#: Pairs that are taken through all steps together: so many that calls cost little and vectors are full, so
#: few that they stay in the cache.
BLOCK: Final = 32_768

IntArray = NDArray[np.int64]


class CrossingKernels(PairKernels):
    """Whether segments ``(4, ...)`` meet polygons, by index ``(1, ...)``; the argument is `CrossingTables`.

    Answers are those of ``ninthgeom_kernel.crossing``: `OPEN` is left where there are no fine tables.
    """

    @cached_property
    def elementwise(self) -> Kernel:
        """Pair by pair."""
        return self._in_blocks(super()._load(self.family))

    @cached_property
    def outer(self) -> Kernel:
        """Every segment with every polygon."""
        return self._in_blocks(super()._load(f"{self.family}_outer"))

    def _in_blocks(self, meet_discs: Kernel) -> Kernel:
        strip_size = import_module("ninthgeom_kernel.crossing").STRIP

        def answer(
            a: Columns,
            b: Columns,
            tables: CrossingTables,
            out: NDArray[np.uint8],
            top: int,
            bottom: int,
            first: int,
            last: int,
        ) -> None:
            width = out.shape[-1]
            flat = out.reshape(-1)
            pairs = _Pairs(
                a.reshape(4, -1, 1) if out.ndim == 3 else a, b, width, out.shape[1] if out.ndim == 3 else 1
            )
            strip = np.empty((4, strip_size))
            # Rows are whole, or single.
            rows = max(1, BLOCK // width) if last - first == width else 1
            for row in range(top, bottom, rows):
                for column in range(first, last, BLOCK):
                    part = row, min(row + rows, bottom), column, min(column + BLOCK, last)
                    meet_discs(a, b, tables.coarse.discs, strip, out, *part)
                    start = row * width + column
                    codes = flat[start : (part[1] - 1) * width + part[3]]
                    pairs.settle(start, codes, tables.coarse, tables.surely_met, tables.limit)
                    if tables.fine is not None:
                        pairs.settle(start, codes, tables.fine, tables.met, tables.met)

        return answer


class _Pairs:
    """Pairs of one batch, and room for those that are sorted."""

    def __init__(self, a: Columns, b: Columns, columns: int, shared: int) -> None:
        self.sort = import_module("ninthgeom_kernel.crossing_order").sort_by_polygon
        self.meet = import_module("ninthgeom_kernel.crossing_pieces").meet_pieces
        self.batch = a, b
        self.form = columns, shared
        self.room = 0

    def settle(self, start: int, codes: NDArray[np.uint8], planes: Planes, met: float, limit: float) -> None:
        """Decide the open ones of some pairs by pieces, maybe leaving some open."""
        from ninthgeom_kernel.crossing import FOUND, LANES, OPEN, VECTOR

        pairs = np.flatnonzero(codes == OPEN)
        if pairs.size == 0:
            return
        polygons = planes.discs.shape[1]
        room = pairs.size + (VECTOR - 1) * min(polygons, pairs.size)
        if room > self.room:
            room += room // 4  # blocks differ a little
            self.room = room
            self.groups = np.empty((2, polygons), np.int64)
            self.order = np.empty(room, np.int64)
            self.lanes = np.zeros((LANES, room))
            self.found = np.empty((FOUND, room))
        pairs += start
        self.sort(*self.batch, pairs, planes.discs, *self.form, self.groups, self.order, self.lanes)
        self.meet(
            self.groups,
            self.order,
            self.lanes,
            planes.pieces,
            planes.fours,
            planes.planes,
            met,
            limit,
            start,
            self.found,
            codes,
        )
