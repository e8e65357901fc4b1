"""Polygons: outlines of terrain, checked and cut into convex pieces once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from ninthgeom._checks import PlacedTypeError
from ninthgeom._rings import checked_ring

#: Corners (2, V) and starts (P + 1) of convex pieces, and their radii (P).
_Pieces: TypeAlias = tuple[NDArray[np.float64], NDArray[np.int64], NDArray[np.float64]]


class Polygons:
    """Polygons of any simple outline, immutable, in a one-dimensional array.

    Each polygon is kept as the convex pieces the kernels work on: itself where it is convex, the triangles of
    its constrained triangulation otherwise. Indexing with integers, slices, masks and index arrays, ``len``
    and iteration work as for an array.

    Parameters
    ----------
    rings : iterable of array_like, shape (n, 2), or of shapely polygons
        Outlines in inches: at least 3 distinct vertices, clockwise or counter-clockwise, the first one
        repeated at the end or not, not crossing or touching themselves. Holes come in as shapely polygons.

    Raises
    ------
    TypeError
        If an outline does not hold real numbers.
    ValueError
        If an outline has another shape, a coordinate that is not finite or above 1e6, fewer than 3 distinct
        vertices, or crosses itself. The message names outline, vertex and value.

    See Also
    --------
    shapely.constrained_delaunay_triangles : the triangulation of outlines that are not convex.

    Examples
    --------
    >>> from ninthgeom import Polygons
    >>> forest = Polygons([[(0, 0), (6, 0), (6, 4), (0, 4)], [(10, 0), (14, 0), (12, 3)]])
    >>> len(forest), forest.area.tolist()
    (2, [24.0, 6.0])
    """

    __slots__ = ("_corners", "_inset", "_pieces", "_shapes", "_starts")

    def __init__(self, rings: Iterable[ArrayLike | shapely.Polygon]) -> None:
        if isinstance(rings, str) or not isinstance(rings, Iterable):
            raise PlacedTypeError(("rings",), f"must be a list of outlines, got {rings!r}")
        self._set([_polygon(ring, i) for i, ring in enumerate(rings)])

    def _set(
        self, shapes: list[shapely.Polygon], pieces: list[list[NDArray[np.float64]]] | None = None
    ) -> None:
        self._shapes = tuple(shapes)
        self._pieces = [_convex_pieces(shape) for shape in shapes] if pieces is None else pieces
        corners = [piece for polygon in self._pieces for piece in polygon]
        self._corners = np.ascontiguousarray(np.concatenate([np.empty((0, 2)), *corners]).T)
        self._starts = np.cumsum([0, *map(len, corners)], dtype=np.int64)
        self._corners.flags.writeable = False
        self._starts.flags.writeable = False
        self._inset: tuple[float, _Pieces] | None = None

    @property
    def shape(self) -> tuple[int]:
        """Shape of the array, always one-dimensional."""
        return (len(self._shapes),)

    def __len__(self) -> int:
        return len(self._shapes)

    def __iter__(self) -> Iterator[Polygons]:
        return (self[i : i + 1] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Polygons:
        chosen = np.atleast_1d(np.arange(len(self))[key])
        result = Polygons.__new__(Polygons)
        result._set([self._shapes[i] for i in chosen], [self._pieces[i] for i in chosen])
        return result

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polygons):
            return NotImplemented
        return self._shapes == other._shapes

    def __hash__(self) -> int:
        return hash(self._shapes)

    def __repr__(self) -> str:
        return f"Polygons([{', '.join(shape.wkt for shape in self._shapes)}])"

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Smallest and largest coordinates (xmin, ymin, xmax, ymax) of each polygon, shape (n, 4)."""
        return shapely.bounds(self.to_shapely())

    @property
    def area(self) -> NDArray[np.float64]:
        """Area of each polygon in square inches, shape (n,)."""
        return shapely.area(self.to_shapely())

    def _shrunk(self, tol: float) -> _Pieces:
        """Corners and starts of the parts of the pieces deeper than tol, and their radii.

        Only the outline moves, not the seams between pieces. A polygon without a part that deep blocks as
        segments do, marked by the radius -tol. Kept for the next question with this tolerance.
        """
        if self._inset is not None and self._inset[0] == tol:
            return self._inset[1]
        corners = [np.empty((0, 2))]
        lengths: list[int] = []
        radii: list[float] = []
        for shape, pieces in zip(self._shapes, self._pieces, strict=True):
            edges = _edges_at_vertices(shape)
            parts = [_inset(piece, edges, tol) for piece in pieces]
            is_thin = not any(map(len, parts))
            corners += pieces if is_thin else parts
            lengths += map(len, pieces if is_thin else parts)
            radii += [-tol if is_thin else 0.0] * len(pieces)
        inset = (
            np.ascontiguousarray(np.concatenate(corners).T),
            np.cumsum([0, *lengths], dtype=np.int64),
            np.array(radii, dtype=np.float64),
        )
        self._inset = (tol, inset)
        return inset

    def to_shapely(self) -> NDArray[np.object_]:
        """Return the polygons as shapely geometries, shape (n,)."""
        geometries = np.empty(len(self), dtype=np.object_)
        geometries[:] = self._shapes
        return geometries


def _polygon(ring: ArrayLike | shapely.Polygon, i: int) -> shapely.Polygon:
    """Return a checked, counter-clockwise polygon."""
    if not isinstance(ring, shapely.Polygon):
        return shapely.Polygon(checked_ring(ring, ("rings", i)))
    outlines = [np.asarray(part.coords)[:, :2] for part in (ring.exterior, *ring.interiors)]
    shell, *holes = [checked_ring(outline, ("rings", i)) for outline in outlines]
    polygon = shapely.Polygon(shell, holes)
    if not polygon.is_valid:
        raise ValueError(f"rings[{i}]: {shapely.is_valid_reason(polygon)}")
    return shapely.orient_polygons(polygon)


def _convex_pieces(shape: shapely.Polygon) -> list[NDArray[np.float64]]:
    """Cut a polygon into convex pieces, counter-clockwise rings without the repeated vertex."""
    ring = np.asarray(shape.exterior.coords)[:-1]
    if not shape.interiors and _is_convex(ring):
        return [ring]
    triangles = shapely.orient_polygons(shapely.constrained_delaunay_triangles(shape))
    return [shapely.get_coordinates(triangle)[:-1] for triangle in shapely.get_parts(triangles)]


def _is_convex(ring: NDArray[np.float64]) -> bool:
    before = ring - np.roll(ring, 1, axis=0)
    after = np.roll(ring, -1, axis=0) - ring
    return bool((before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] >= 0.0).all())


_Point: TypeAlias = tuple[float, float]
_Edge: TypeAlias = tuple[_Point, _Point]


def _edges_at_vertices(shape: shapely.Polygon) -> dict[_Point, list[_Edge]]:
    """Both edges of the outline at each vertex, the polygon on their left; at reflex ones only the next.

    A convex piece with a convex vertex of the outline lies on the left of both edges there, also where it
    meets the outline in that vertex alone.
    """
    edges: dict[_Point, list[_Edge]] = {}
    for line in (shape.exterior, *shape.interiors):
        ring = [(float(x), float(y)) for x, y in shapely.get_coordinates(line)[:-1]]
        for before, vertex, after in zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True):
            turn = (vertex[0] - before[0]) * (after[1] - vertex[1]) - (vertex[1] - before[1]) * (
                after[0] - vertex[0]
            )
            edges[vertex] = [(before, vertex), (vertex, after)] if turn >= 0.0 else [(vertex, after)]
    return edges


def _inset(piece: NDArray[np.float64], edges: dict[_Point, list[_Edge]], tol: float) -> NDArray[np.float64]:
    """Part of a convex piece further than tol from the outline next to it; empty if there is none.

    Source: Sutherland and Hodgman's re-entrant polygon clipping.
    """
    corners = [(float(x), float(y)) for x, y in piece]
    near = []
    for corner, after in zip(corners, corners[1:] + corners[:1], strict=True):
        # at a reflex vertex only an edge that the piece itself has
        near += [edge for edge in edges[corner] if len(edges[corner]) == 2 or edge[1] == after]
    part = piece
    for start, end in dict.fromkeys(near):
        dx, dy = end[0] - start[0], end[1] - start[1]
        depth = (dx * (part[:, 1] - start[1]) - dy * (part[:, 0] - start[0])) / np.hypot(dx, dy) - tol
        after = np.roll(depth, -1)
        crosses = (depth < 0.0) != (after < 0.0)
        f = depth / np.where(crosses, depth - after, 1.0)
        ends = part + f[:, None] * (np.roll(part, -1, axis=0) - part)
        part = np.stack([part, ends], axis=1)[np.stack([depth >= 0.0, crosses], axis=1)]
    return part if len(part) > 2 else part[:0]
