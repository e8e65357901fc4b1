"""Convex pieces: what kernels read of polygons."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._convex import ROUNDING, Point, Ring, edges_of, has_width, is_convex, turn_at, vertices_of


@dataclass(frozen=True, eq=False)
class Pieces:
    """Convex pieces of polygons, counter-clockwise, packed for kernels.

    Attributes
    ----------
    corners : ndarray, shape (2, V)
        Vertices of all pieces, one after another.
    starts : ndarray of int64, shape (P + 1,)
        Piece p has the vertices from ``starts[p]`` up to ``starts[p + 1]``.
    first : ndarray of int64, shape (N + 1,)
        Polygon k has the pieces from ``first[k]`` up to ``first[k + 1]``.
    boxes : ndarray, shape (4, P)
        Smallest and largest x and y of each piece, rows x, y, x, y.
    """

    corners: NDArray[np.float64]
    starts: NDArray[np.int64]
    first: NDArray[np.int64]
    boxes: NDArray[np.float64]

    @classmethod
    def of(cls, polygons: Sequence[Sequence[Ring]]) -> Pieces:
        """Pack the pieces of each polygon."""
        rings = [piece for pieces in polygons for piece in pieces]
        corners = np.ascontiguousarray(np.concatenate([np.empty((0, 2)), *rings]).T)
        starts, first = (np.cumsum([0, *map(len, lists)], dtype=np.int64) for lists in (rings, polygons))
        boxes = np.full((4, len(rings)), math.inf)  # without vertices nothing is near
        has_box = starts[:-1] < starts[1:]
        if has_box.any():
            least, most = (
                f.reduceat(corners, starts[:-1][has_box], axis=1) for f in (np.minimum, np.maximum)
            )
            boxes[:, has_box] = np.concatenate([least, most])
        arrays = corners, starts, first, boxes
        for array in arrays:
            array.flags.writeable = False
        return cls(*arrays)


def convex_pieces(shape: shapely.Polygon) -> list[Ring]:
    """Cut a polygon into convex pieces, counter-clockwise rings without the repeated vertex.

    Source: Hertel and Mehlhorn: seams of a triangulation that no corner needs are taken out again.
    """
    ring = np.asarray(shape.exterior.coords)[:-1]
    if not shape.interiors and is_convex(ring):
        return [ring]
    triangles = shapely.orient_polygons(_triangles(shape))
    pieces = [vertices_of(shapely.get_coordinates(part)[:-1]) for part in shapely.get_parts(triangles)]
    return [np.array(piece) for piece in _merged(_without_slivers(pieces))]


def _triangles(shape: shapely.Polygon) -> shapely.GeometryCollection:
    """Constrained triangulation; GEOS finds none from some first vertices, where rounding hides its ears."""
    ring = np.asarray(shape.exterior.coords)[:-1]
    for i in range(len(ring) - 1):
        try:
            return shapely.constrained_delaunay_triangles(
                shapely.Polygon(np.roll(ring, -i, axis=0), list(shape.interiors))
            )
        except shapely.GEOSException:
            continue
    return shapely.constrained_delaunay_triangles(shape)


def _without_slivers(pieces: list[list[Point]]) -> list[list[Point]]:
    """Leave triangles out that are nothing but rounding, between vertices in one line.

    What reaches out of the pieces beside them stays, such as the tip of a needle.
    """
    kept = [piece for piece in pieces if has_width(piece)]
    slivers = [piece for piece in pieces if not has_width(piece)]
    if not slivers or not kept:
        return pieces
    whole = shapely.multipolygons([shapely.Polygon(piece) for piece in kept])
    return kept + [s for s in slivers if max(shapely.distance(whole, shapely.points(s))) > ROUNDING]


def _merged(pieces: list[list[Point]]) -> list[list[Point]]:
    """Join pieces across the seams, the longest first, wherever the whole stays convex."""
    owner = {edge: i for i, piece in enumerate(pieces) for edge in edges_of(piece)}
    seams = [edge for edge in owner if edge[::-1] in owner and edge < edge[::-1]]
    for start, end in sorted(seams, key=lambda seam: (-math.dist(*seam), seam)):
        left, right = owner[start, end], owner[end, start]
        # both from the seam's end on, so that one begins where the other ends
        a = _rotated(pieces[left], end)
        b = _rotated(pieces[right], start)
        if turn_at(a[-2], start, b[1]) >= 0.0 and turn_at(b[-2], end, a[1]) >= 0.0:
            pieces[left] = a[:-1] + b[:-1]
            pieces[right] = []
            owner.update((edge, left) for edge in edges_of(pieces[left]))
    return [piece for piece in pieces if piece]


def _rotated(piece: list[Point], first: Point) -> list[Point]:
    i = piece.index(first)
    return piece[i:] + piece[:i]
