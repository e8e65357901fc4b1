"""The dispatch of segments against polygons: discs for all pairs, pieces for those left open."""

from __future__ import annotations

from functools import cached_property
from importlib import import_module
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import Columns, IntArray, Kernel, PairKernels
from ninthgeom._crossing_tables import CrossingTables, Planes

#: Pairs that are taken through all steps together: so many that calls cost little and vectors are full, so
#: few that they stay in the cache.
BLOCK: Final = 65_536


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
        scalars = import_module("ninthgeom_kernel.crossing")
        strip_size, is_open = scalars.STRIP, scalars.OPEN

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
            room = _Room(
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
                    pairs = np.flatnonzero(codes == is_open)
                    room.settle(pairs, start, codes, tables.coarse, tables.surely_met, tables.limit)
                    if tables.fine is not None:
                        pairs = pairs[codes[pairs] == is_open]
                        room.settle(pairs, start, codes, tables.fine, tables.met, tables.met)

        return answer


class _Room:
    """Room for pairs of one batch that are sorted by polygon."""

    def __init__(self, a: Columns, b: Columns, columns: int, shared: int) -> None:
        self.sort = import_module("ninthgeom_kernel.crossing_order").sort_by_polygon
        self.meet = import_module("ninthgeom_kernel.crossing_pieces").meet_pieces
        self.batch = a, b
        self.form = columns, shared
        self.size = 0

    def settle(
        self,
        pairs: IntArray,
        start: int,
        codes: NDArray[np.uint8],
        planes: Planes,
        met: float,
        limit: float,
    ) -> None:
        """Decide some pairs, counted from start, by pieces; their answers may be open again."""
        from ninthgeom_kernel.crossing import FOUND, LANES, VECTOR

        if pairs.size == 0:
            return
        polygons = planes.discs.shape[1]
        size = pairs.size + (VECTOR - 1) * min(polygons, pairs.size)
        if size > self.size:
            size += size // 4  # blocks differ a little
            self.size = size
            self.groups = np.empty((2, polygons), np.int64)
            self.order = np.empty(size, np.int64)
            self.lanes = np.zeros((LANES, size))
            self.found = np.empty((FOUND, size))
        self.sort(*self.batch, pairs + start, planes.discs, *self.form, self.groups, self.order, self.lanes)
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
