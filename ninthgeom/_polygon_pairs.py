"""Questions about pairs of which at least one side is polygons: their tables, and the kernels that read them.

Every question comes down to the distance of one side's convex pieces from the other's: of what is deeper than
the tolerance inside a polygon, or of what is further outside, where it is about overlapping or being inside.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import (
    BoolArray,
    Columns,
    FloatArray,
    IntArray,
    Kernel,
    PairKernels,
    answer_pairs,
    broadcast_shape,
    result_array,
)
from ninthgeom._erosion import LEAST_DEPTH
from ninthgeom._pieces import Pieces
from ninthgeom._polygon_table import eroded, outside, whole
from ninthgeom.bases import ACROSS, ALONG, RADIUS, Bases
from ninthgeom.polygons import Polygons

#: Pieces this near each other, in inches, meet: no point of a seam may be on neither side of it.
SEAM: Final = 1e-9

_NO_NUMBERS: Final = np.empty((0, 0))
_NO_FLAGS: Final = np.empty((0, 0), np.bool_)


class _Kernels(PairKernels):
    """A pair question whose kernel answers pair by pair and all pairs.

    Its first argument puts the tables, scratch and results into the order of the kernel.
    """

    @cached_property
    def elementwise(self) -> Kernel:
        """Pair by pair."""
        kernel = self._load(self.family)

        def answer(a: Columns, b: Columns, arrange: Arrange, out: NDArray[Any], *part: int) -> None:
            kernel(a, b, 0, *arrange(out), *part)

        return answer

    @cached_property
    def outer(self) -> Kernel:
        """Every a with every b."""
        kernel = self._load(self.family)

        def answer(a: Columns, b: Columns, arrange: Arrange, out: NDArray[Any], *part: int) -> None:
            rows, n = out.shape[:2]
            kernel(a, b, n, *arrange(out.reshape(rows * n, *out.shape[2:])), *part)

        return answer


Arrange: TypeAlias = Callable[[NDArray[Any]], tuple[Any, ...]]

DISTANCES: Final = _Kernels("polygon_distance", "distances", np.float64, symmetric=False, cost_ns=200.0)
REACH: Final = _Kernels("polygon_distance", "distances", np.bool_, symmetric=False, cost_ns=100.0)
CONTAINMENT: Final = _Kernels("polygon_containment", "wholly_within", np.bool_, symmetric=False, cost_ns=50.0)
EDGES: Final = _Kernels("polygon_edges", "share_edges", np.bool_, symmetric=False, cost_ns=500.0)
SHORTEST: Final = _Kernels(
    "polygon_shortest", "shortest_lines", np.float64, symmetric=False, cost_ns=500.0, item=(4,)
)


@dataclass(frozen=True)
class _Side:
    """One side of pairs: numbers of shapes, convex pieces of them, and radii round the pieces."""

    numbers: IntArray
    pieces: Pieces
    radii: FloatArray

    @classmethod
    def of(cls, shapes: Bases | Polygons) -> _Side:
        """Take bases or polygons as they are."""
        if isinstance(shapes, Polygons):
            return cls._of_polygons(shapes, shapes._made(whole, 0.0).pieces)
        along, across, radius = (shapes._columns[row] for row in (ALONG, ACROSS, RADIUS))
        return cls._of_bases(shapes, along, across, radius, np.ones(shapes.size, np.bool_))

    @classmethod
    def deeper(cls, shapes: Bases | Polygons, tol: float) -> _Side:
        """Take what is deeper than tol inside them."""
        if isinstance(shapes, Polygons):
            return cls._of_polygons(shapes, shapes._made(eroded, tol).pieces)
        tol = max(tol, LEAST_DEPTH)
        along, across, radius = (shapes._columns[row] for row in (ALONG, ACROSS, RADIUS))
        cut = np.maximum(tol - radius, 0.0)
        has_part = (radius > tol) | (np.minimum(along, across) > cut)
        return cls._of_bases(shapes, along - cut, across - cut, np.maximum(radius - tol, 0.0), has_part)

    @classmethod
    def outside(cls, shapes: Polygons, tol: float) -> _Side:
        """Take what is further than tol outside them."""
        return cls._of_polygons(shapes, shapes._made(outside, tol).pieces)

    @classmethod
    def of_segments(cls, ends: FloatArray) -> _Side:
        """Take segments (4, n), each to and fro."""
        n = ends.shape[1]
        corners = np.ascontiguousarray(ends.reshape(2, 2, n).transpose(1, 2, 0)).reshape(2, -1)
        boxes = np.concatenate([np.minimum(ends[:2], ends[2:]), np.maximum(ends[:2], ends[2:])])
        pieces = Pieces(corners, np.arange(0, 2 * n + 1, 2), np.arange(n + 1), boxes)
        return cls(np.arange(n)[None], pieces, np.zeros(n))

    @classmethod
    def _of_bases(
        cls, shapes: Bases, along: FloatArray, across: FloatArray, radius: FloatArray, has_part: BoolArray
    ) -> _Side:
        x, y, cos, sin = shapes._columns[:ALONG].reshape(4, -1)
        along, across, has_part = along.reshape(-1), across.reshape(-1), has_part.reshape(-1)
        corners, boxes = np.empty((2, shapes.size, 4)), np.empty((2, 2, shapes.size))
        # counter-clockwise from front left; written in place, since stacks take three times as long
        ways = ((along * cos, -across * sin), (along * sin, across * cos))
        for axis, (centre, (forward, left)) in enumerate(zip((x, y), ways, strict=True)):
            front, rear = centre + forward, centre - forward
            np.add(front, left, out=corners[axis, :, 0])
            np.add(rear, left, out=corners[axis, :, 1])
            np.subtract(rear, left, out=corners[axis, :, 2])
            np.subtract(front, left, out=corners[axis, :, 3])
            extent = np.abs(forward) + np.abs(left)
            np.subtract(centre, extent, out=boxes[0, axis])
            np.add(centre, extent, out=boxes[1, axis])
        # Nothing is near a box at infinity, so what has no part needs no other numbers than the rest.
        np.copyto(boxes, math.inf, where=~has_part)
        pieces = Pieces(
            corners.reshape(2, -1),
            np.arange(0, 4 * shapes.size + 1, 4),
            np.arange(shapes.size + 1),
            boxes.reshape(4, -1),
        )
        numbers = np.arange(shapes.size).reshape(1, *shapes.shape)
        return cls(numbers, pieces, np.ascontiguousarray(radius).reshape(-1))

    @classmethod
    def _of_polygons(cls, shapes: Polygons, pieces: Pieces) -> _Side:
        return cls(shapes._index[None], pieces, np.zeros(len(pieces.first) - 1))

    @property
    def tables(self) -> tuple[Any, ...]:
        """Corners, starts of pieces, first pieces of shapes, boxes round pieces."""
        return self.pieces.corners, self.pieces.starts, self.pieces.first, self.pieces.boxes


def _edges_of(shapes: Bases | Polygons) -> tuple[FloatArray, IntArray]:
    """Straight edges (4, E), those of each shape one after another, and where they begin."""
    if isinstance(shapes, Polygons):
        return shapes._table.outline, shapes._table.outline_first
    along, across, radius = (shapes._columns[row].reshape(-1) for row in (ALONG, ACROSS, RADIUS))
    shapes = shapes.reshape(-1)
    sides = []
    # front and rear, then left and right: those of the core, moved out by the radius
    for outer, order in (((along + radius, across), (0, 1, 2, 3)), ((along, across + radius), (0, 3, 2, 1))):
        corners = shapes._corners_of(*outer)[:, order]
        sides += [corners[:, :2], corners[:, 2:]]
    edges = np.stack(sides, axis=1).reshape(-1, 4)
    return np.ascontiguousarray(edges.T), np.arange(0, 4 * shapes.size + 1, 4)


def ordered(a: Bases | Polygons, b: Bases | Polygons) -> tuple[Bases | Polygons, Polygons, tuple[str, str]]:
    """Both sides, the second of them polygons, and their names; raise for one that is neither of both."""
    for name, side in (("a", a), ("b", b)):
        if not isinstance(side, Bases | Polygons):
            raise TypeError(f"{name} must be Bases or Polygons, got {type(side).__name__}")
    if isinstance(b, Polygons):
        return a, b, ("a", "b")
    assert isinstance(a, Polygons)
    return b, a, ("b", "a")


def distances(
    a: Bases | Polygons, b: Bases | Polygons, tol: float, *, out: FloatArray | None, workers: int
) -> FloatArray:
    """Return distances, 0 up to tol, or as near as seams are."""
    first, second, names = ordered(a, b)
    one, other = _Side.of(first), _Side.of(second)

    def arrange(out: FloatArray) -> tuple[Any, ...]:
        return (
            *one.tables,
            one.radii,
            *other.tables,
            math.inf,
            max(tol, SEAM),
            0,
            out,
            _NO_FLAGS,
        )

    return answer_pairs(DISTANCES, one.numbers, other.numbers, arrange, names=names, out=out, workers=workers)


def _reach(
    one: _Side,
    other: _Side,
    limit: float,
    names: tuple[str, str],
    *,
    out: BoolArray | None,
    workers: int,
    more: bool = False,
) -> BoolArray:
    """Return whether pieces are no further apart than limit; with more, leave pairs that already are True."""

    def arrange(out: BoolArray) -> tuple[Any, ...]:
        return (
            *one.tables,
            one.radii,
            *other.tables,
            limit,
            limit,
            int(more),
            _NO_NUMBERS,
            out,
        )

    return answer_pairs(REACH, one.numbers, other.numbers, arrange, names=names, out=out, workers=workers)


def within(
    a: Bases | Polygons,
    b: Bases | Polygons,
    limits: FloatArray | float,
    tol: float,
    *,
    out: BoolArray | None,
    workers: int,
) -> BoolArray:
    """Return whether distances are at most limits + tol, where that is as much as seams are wide."""
    first, second, names = ordered(a, b)
    if np.ndim(limits) == 0:
        one, other = _Side.of(first), _Side.of(second)
        return _reach(one, other, max(float(limits) + tol, SEAM), names, out=out, workers=workers)
    shape = broadcast_shape(("a", "b", "distance"), (a.shape, b.shape, np.shape(limits)))
    answer = result_array(out, shape, np.bool_)
    answer[...] = distances(a, b, 0.0, out=None, workers=workers) <= limits + tol
    return answer


def segments_within(ends: FloatArray, polygons: Polygons, limit: float, *, workers: int) -> BoolArray:
    """Return whether segments (4, n) are no further than a limit from n polygons, pair by pair."""
    one, other = _Side.of_segments(ends), _Side.of(polygons)
    return _reach(one, other, max(limit, SEAM), ("segments", "shapes"), out=None, workers=workers)


def interiors_meet(
    a: Bases | Polygons, b: Bases | Polygons, tol: float, *, out: BoolArray | None, workers: int
) -> BoolArray:
    """Return whether some point of either is deeper than tol inside the other."""
    first, second, names = ordered(a, b)
    whole, deep = _Side.of(first), _Side.deeper(first, tol)
    other = _Side.of(second)
    shape = broadcast_shape(("a", "b"), (a.shape, b.shape))
    answer = result_array(out, shape, np.bool_)
    # not into any array: the second question must find the answers to the first
    flags = np.empty(shape, np.bool_)
    _reach(whole, _Side.deeper(second, tol), SEAM, names, out=flags, workers=workers)
    _reach(deep, other, SEAM, names, out=flags, workers=workers, more=True)
    answer[...] = flags
    return answer[()] if out is None else answer


def wholly_within(
    a: Bases | Polygons,
    b: Bases | Polygons,
    limits: FloatArray,
    tol: float,
    *,
    out: BoolArray | None,
    workers: int,
) -> BoolArray:
    """Return whether no point of a is further than limits + tol outside b."""
    ordered(a, b)
    shape = broadcast_shape(("a", "b", "distance"), (a.shape, b.shape, limits.shape))
    answer = result_array(out, shape, np.bool_)
    if isinstance(b, Polygons):
        if limits.any():
            raise ValueError(
                f"distance must be 0 where b are Polygons, got {float(limits[limits != 0.0].flat[0])!r}"
            )
        is_out = _reaches_out(a, b, tol)
        _reach(_Side.of(a), _Side.outside(b, tol), SEAM, ("a", "b"), out=is_out, workers=workers, more=True)
        np.logical_not(is_out, out=answer)
    else:
        assert isinstance(a, Polygons)
        answer[...] = _inside_bases(a, b, limits, tol, workers)
    return answer[()] if out is None else answer


def _reaches_out(a: Bases | Polygons, b: Polygons, tol: float) -> BoolArray:
    """Whether the box round a leaves the one round b by more than tol: most pairs need nothing else."""
    least, most = np.split(np.moveaxis(a.bounds, -1, 0), 2)
    low, high = np.split(np.moveaxis(b.bounds, -1, 0), 2)
    room = max(tol, LEAST_DEPTH) + SEAM
    is_out = np.zeros(np.broadcast_shapes(a.shape, b.shape), np.bool_)
    for axis in range(2):
        is_out |= least[axis] < low[axis] - room
        is_out |= most[axis] > high[axis] + room
    return is_out


def _inside_bases(a: Polygons, b: Bases, limits: FloatArray, tol: float, workers: int) -> BoolArray:
    """Whether no vertex of a is further than limits + tol outside b; each limit goes into a radius of b."""
    columns = b._columns.reshape(len(b._columns), *(1,) * max(0, limits.ndim - b.ndim), *b.shape)
    widened = np.empty((len(columns), *np.broadcast_shapes(columns.shape[1:], limits.shape)))
    widened[...] = columns
    widened[RADIUS] += limits
    table = a._table

    def arrange(out: BoolArray) -> tuple[Any, ...]:
        return table.outline, table.outline_first, tol, out

    return answer_pairs(
        CONTAINMENT, widened, a._index[None], arrange, names=("b", "a"), out=None, workers=workers
    )


def edges_touch(a: Bases | Polygons, b: Bases | Polygons, tol: float, *, workers: int) -> BoolArray:
    """Return whether straight edges run side by side for longer than tol, no further than tol apart."""
    first, second, names = ordered(a, b)
    edges, other_edges = _edges_of(first), _edges_of(second)

    def arrange(out: BoolArray) -> tuple[Any, ...]:
        return *edges, *other_edges, tol, out

    numbers = _Side.of(first).numbers, _Side.of(second).numbers
    return answer_pairs(EDGES, *numbers, arrange, names=names, out=None, workers=workers)


def shortest_lines(
    a: Bases | Polygons, b: Bases | Polygons, tol: float, *, out: FloatArray | None, workers: int
) -> FloatArray:
    """Return the nearest points of a and of b, one point twice in contact."""
    first, second, names = ordered(a, b)
    one, other = _Side.of(first), _Side.of(second)

    def arrange(out: FloatArray) -> tuple[Any, ...]:
        return *one.tables, one.radii, *other.tables, max(tol, SEAM), out

    answer = answer_pairs(
        SHORTEST, one.numbers, other.numbers, arrange, names=names, out=out, workers=workers
    )
    if names == ("b", "a"):
        answer[...] = answer[..., [2, 3, 0, 1]]
    return answer
