"""Polygons: outlines of terrain, checked and cut into convex pieces once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import Shape
from ninthgeom._checks import PlacedTypeError, PlacedValueError
from ninthgeom._pieces import (
    LEAST_DEPTH,
    Outline,
    Pieces,
    Ring,
    convex_pieces,
    eroded_pieces,
    outside_pieces,
    without_rim,
)
from ninthgeom._rings import checked_ring

#: For each convex piece of a polygon the part deeper than a tolerance, maybe without vertices; a polygon that
#: has none at all blocks as segments do, which the radius -tol of its whole pieces says.
Blocking: TypeAlias = tuple[list[Ring], float]


class Polygons:
    """Polygons of any simple outline, holes too, immutable, in an array of any shape.

    Kernels work on convex pieces of them: the polygon itself where it is convex, otherwise the triangles of
    its constrained triangulation, joined where the whole stays convex. The seams between pieces are inside
    the polygon. Indexing, ``len`` and iteration work as for an array and copy no polygon.

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

    __slots__ = ("_index", "_table")

    __array_ufunc__ = None  # NumPy's operators decline instead of working on the polygons as objects

    _index: NDArray[np.int64]
    _table: Table

    def __init__(self, rings: Iterable[ArrayLike | shapely.Polygon]) -> None:
        is_single = isinstance(rings, np.ndarray) and not rings.ndim
        if isinstance(rings, str) or is_single or not isinstance(rings, Iterable):
            raise PlacedTypeError(("rings",), f"must be a list of outlines, got {rings!r}")
        table = Table(tuple(_polygon(ring, i) for i, ring in enumerate(rings)))
        self._set(table, np.arange(len(table.shapes)))

    def _set(self, table: Table, index: NDArray[np.int64]) -> None:
        self._table = table
        self._index = index
        index.flags.writeable = False

    @property
    def shape(self) -> Shape:
        """Shape of the array."""
        return self._index.shape

    @property
    def ndim(self) -> int:
        """Number of its axes."""
        return self._index.ndim

    @property
    def size(self) -> int:
        """Number of polygons."""
        return self._index.size

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single polygon has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Polygons]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, key: Any) -> Polygons:
        return self._with(np.asarray(self._index[key]))

    def reshape(self, *shape: int | Shape) -> Polygons:
        """Return the same polygons in another shape.

        Parameters
        ----------
        *shape : int
            Lengths of the new axes, also as one tuple; one of them may be -1.

        Examples
        --------
        >>> Polygons([[(0, 0), (1, 0), (0, 1)]] * 6).reshape(2, -1).shape
        (2, 3)
        """
        target = shape[0] if len(shape) == 1 else shape
        index: NDArray[np.int64] = np.reshape(self._index, target)  # type: ignore[arg-type]  # as NumPy takes it
        return self._with(index)

    def _with(self, index: NDArray[np.int64]) -> Polygons:
        polygons = Polygons.__new__(Polygons)
        polygons._set(self._table, index)
        return polygons

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polygons):
            return NotImplemented
        return self.shape == other.shape and self._shapes() == other._shapes()

    def __hash__(self) -> int:
        return hash((self.shape, *self._shapes()))

    def __repr__(self) -> str:
        outlines = ", ".join(f"shapely.from_wkt({shapely.to_wkt(s, -1)!r})" for s in self._shapes())
        return f"Polygons([{outlines}])" + ("" if self.ndim == 1 else f".reshape{self.shape}")

    def _shapes(self) -> list[shapely.Polygon]:
        return [self._table.shapes[i] for i in self._index.reshape(-1)]

    @property
    def bounds(self) -> NDArray[np.float64]:
        """Smallest and largest coordinates (xmin, ymin, xmax, ymax) of each polygon, shape (..., 4)."""
        return self._table.bounds[self._index]

    @property
    def area(self) -> NDArray[np.float64]:
        """Area of each polygon in square inches, of the shape of the array."""
        return self._table.area[self._index]

    def to_shapely(self) -> Any:
        """Return shapely geometries.

        Returns
        -------
        ndarray of shapely geometries, or one geometry for a single polygon
            The shape of the array.

        Examples
        --------
        >>> Polygons([[(0, 0), (1, 0), (0, 1)]])[0].to_shapely().area
        0.5
        """
        return self._table.geometries[self._index]


class Table:
    """Polygons that arrays refer to by their number, with what kernels read of them, made when needed.

    Parameters
    ----------
    shapes : tuple of shapely.Polygon
        Valid polygons whose exterior rings run counter-clockwise, those of holes clockwise.
    """

    def __init__(self, shapes: tuple[shapely.Polygon, ...]) -> None:
        self.shapes = shapes
        # What depends on a tolerance, for the last one asked for: hardly anybody uses two.
        self._eroded: tuple[float, Pieces] | None = None
        self._outside: tuple[float, Pieces] | None = None
        self._blocking: tuple[float, list[Blocking]] | None = None

    @cached_property
    def geometries(self) -> NDArray[np.object_]:
        """The shapes as an array."""
        geometries = np.empty(len(self.shapes), dtype=np.object_)
        geometries[:] = self.shapes
        return geometries

    @cached_property
    def bounds(self) -> NDArray[np.float64]:
        """Smallest and largest coordinates, shape (N, 4)."""
        return shapely.bounds(self.geometries)

    @cached_property
    def area(self) -> NDArray[np.float64]:
        """Areas, shape (N,)."""
        return shapely.area(self.geometries)

    @cached_property
    def _edges(self) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
        rings = [[np.asarray(line.coords) for line in (s.exterior, *s.interiors)] for s in self.shapes]
        edges = [np.hstack([line[:-1], line[1:]]) for lines in rings for line in lines]
        first = np.cumsum([0, *(sum(len(line) - 1 for line in lines) for lines in rings)], dtype=np.int64)
        return np.ascontiguousarray(np.concatenate([np.empty((0, 4)), *edges]).T), first

    @property
    def outline(self) -> NDArray[np.float64]:
        """Edges x0, y0, x1, y1 with the polygon on their left, shape (4, E): exterior, then holes."""
        return self._edges[0]

    @property
    def outline_first(self) -> NDArray[np.int64]:
        """Polygon k has the edges from ``outline_first[k]`` up to ``outline_first[k + 1]``."""
        return self._edges[1]

    @cached_property
    def convex(self) -> list[list[Ring]]:
        """Convex pieces of each polygon."""
        return [convex_pieces(shape) for shape in self.shapes]

    @cached_property
    def pieces(self) -> Pieces:
        """The same for kernels."""
        return Pieces.of(self.convex)

    # Threads may ask with different tolerances at once, so what was kept is read once.

    def eroded(self, tol: float) -> Pieces:
        """Convex pieces of what is deeper than tol inside each polygon."""
        kept = self._eroded
        if kept is None or kept[0] != tol:
            depth = max(tol, LEAST_DEPTH)
            pairs = zip(self.shapes, self.convex, strict=True)
            kept = tol, Pieces.of([eroded_pieces(shape, convex, depth) for shape, convex in pairs])
            self._eroded = kept
        return kept[1]

    def outside(self, tol: float) -> Pieces:
        """Convex pieces of what is further than tol outside each polygon, in its holes too."""
        kept = self._outside
        if kept is None or kept[0] != tol:
            depth = max(tol, LEAST_DEPTH)
            kept = tol, Pieces.of([outside_pieces(shape, depth) for shape in self.shapes])
            self._outside = kept
        return kept[1]

    def blocking(self, tol: float) -> list[Blocking]:
        """Return what blocks sight of each polygon."""
        kept = self._blocking
        if kept is None or kept[0] != tol:
            pairs = zip(self.shapes, self.convex, strict=True)
            kept = tol, [_blocking(shape, convex, tol) for shape, convex in pairs]
            self._blocking = kept
        return kept[1]


def _blocking(shape: shapely.Polygon, convex: list[Ring], tol: float) -> Blocking:
    outline = Outline(shape)
    parts = [without_rim(piece, outline, tol) for piece in convex]
    return (parts, 0.0) if any(map(len, parts)) else (convex, -tol)


def _polygon(ring: ArrayLike | shapely.Polygon, i: int) -> shapely.Polygon:
    """Return a checked, counter-clockwise polygon."""
    if not isinstance(ring, shapely.Polygon):
        return shapely.Polygon(checked_ring(ring, ("rings", i)))
    outlines = [np.asarray(part.coords)[:, :2] for part in (ring.exterior, *ring.interiors)]
    shell, *holes = [checked_ring(outline, ("rings", i)) for outline in outlines]
    polygon = shapely.Polygon(shell, holes)
    if not polygon.is_valid:
        raise PlacedValueError(("rings", i), shapely.is_valid_reason(polygon))
    return shapely.orient_polygons(polygon)
