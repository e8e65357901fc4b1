"""What the kernels of crossings read of polygons, computed once for every table of polygons and tolerance."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray

#: Edges that the kernels compare at a time.
FOUR = 4
#: Discs in and round polygons keep so much off, in inches, because they must not answer wrongly: a thousand
#: times the rounding of the largest coordinates.
MARGIN = 1e-7
#: The normal of a shorter edge is so inexact that its offset is taken from all corners of its piece.
SHORT = 1e-3

IntArray = NDArray[np.int64]


class Planes(NamedTuple):
    """Discs in and round polygons, and the edges of their convex pieces.

    Attributes
    ----------
    discs : ndarray, shape (4, N)
        Centres, squared radii of discs in the polygons and of discs round them, -1 where there is none.
    pieces : ndarray of int, shape (N + 1,)
        Where the pieces of a polygon begin.
    fours : ndarray of int, shape (P + 1,)
        Where the edges of a piece begin, in fours.
    planes : ndarray, shape (E, 5)
        Outward unit normal, offset and first corner of edges, as seen from the centre of the disc. The last
        edge of a piece is repeated to fill its last four.
    """

    discs: FloatArray
    pieces: IntArray
    fours: IntArray
    planes: FloatArray


def planes_of(
    outline: FloatArray,
    outline_first: IntArray,
    corners: FloatArray,
    starts: IntArray,
    pieces: IntArray,
    *,
    inside: float,
    outside: float,
) -> Planes:
    """Compute planes from edges of outlines (4, E) and corners (2, V) of convex pieces.

    Parameters
    ----------
    outline, outline_first, corners, starts, pieces : ndarray
        As a table of polygons has them.
    inside : float
        How deep in the polygon the disc in it has to be, in inches.
    outside : float
        How far from the pieces the disc round them has to reach.
    """
    n = len(pieces) - 1
    low, high = _extremes(outline, outline_first)
    x, y = 0.5 * (low + high)
    inner = _depths(outline, outline_first, x, y) - inside - MARGIN
    owner = np.repeat(np.arange(n), np.diff(starts[pieces]))
    from_centre = corners - np.stack([x, y])[:, owner]
    outer = np.full(n, -np.inf)
    np.maximum.at(outer, owner, np.hypot(*from_centre))
    discs = np.stack([x, y, _squared(inner), _squared(outer + outside + MARGIN)])

    count = np.diff(starts)
    fours = np.concatenate([[0], np.cumsum(-(-count // FOUR))])
    piece = np.repeat(np.arange(len(count)), FOUR * np.diff(fours))
    corner = starts[piece] + np.minimum(np.arange(piece.size) - FOUR * fours[piece], count[piece] - 1)
    after = np.where(corner + 1 < starts[piece + 1], corner + 1, starts[piece])
    planes = np.zeros((piece.size, 5))
    planes[:, 3:] = from_centre[:, corner].T
    way_x, way_y = from_centre[:, after] - from_centre[:, corner]
    length = np.hypot(way_x, way_y)
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)
    planes[:, 0] = way_y * scale
    planes[:, 1] = -way_x * scale
    planes[:, 2] = (planes[:, :2] * planes[:, 3:]).sum(axis=1)
    for i in np.flatnonzero(length < SHORT):
        own = from_centre[:, starts[piece[i]] : starts[piece[i] + 1]]
        planes[i, 2] = (planes[i, :2] @ own).max()
    return Planes(*map(_locked, (discs, pieces, fours, planes)))


def _squared(radius: FloatArray) -> FloatArray:
    return np.where(radius > 0.0, radius * radius, -1.0)


def _locked(array: NDArray[np.generic]) -> NDArray[np.generic]:
    array = np.ascontiguousarray(array)
    array.flags.writeable = False
    return array


def _extremes(outline: FloatArray, first: IntArray) -> tuple[FloatArray, FloatArray]:
    """Least and largest coordinates (2, N) of polygons."""
    if len(first) == 1:
        return np.empty((2, 0)), np.empty((2, 0))
    starts = outline[:2]
    return np.minimum.reduceat(starts, first[:-1], axis=1), np.maximum.reduceat(starts, first[:-1], axis=1)


def _depths(outline: FloatArray, first: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """How deep in its polygon a point is; negative outside."""
    if len(first) == 1:
        return np.empty(0)
    owner = np.repeat(np.arange(len(x)), np.diff(first))
    x0, y0, x1, y1 = outline - np.stack([x, y, x, y])[:, owner]
    way_x, way_y = x1 - x0, y1 - y0
    share = np.clip(-(x0 * way_x + y0 * way_y) / (way_x * way_x + way_y * way_y), 0.0, 1.0)
    distance = np.minimum.reduceat(np.hypot(x0 + share * way_x, y0 + share * way_y), first[:-1])
    crosses = ((y0 > 0.0) != (y1 > 0.0)) & ((y0 * way_x < x0 * way_y) == (way_y > 0.0))
    is_inside = np.add.reduceat(crosses.astype(np.int64), first[:-1]) % 2 == 1
    return np.where(is_inside, distance, -distance)
