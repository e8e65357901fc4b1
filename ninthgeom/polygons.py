"""Polygons: outlines of terrain, checked and cut into convex pieces once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NoReturn

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import IntArray, Shape, joinable
from ninthgeom._checks import PlacedTypeError, PlacedValueError
from ninthgeom._polygon_table import Made, Maker, Table
from ninthgeom._rings import checked_ring


class Polygons:
    """Polygons of any simple outline, holes too, immutable, in an array of any shape.

    Kernels work on convex pieces of them, made once, at the first question that needs them: the polygon
    itself where it is convex, otherwise the triangles of its constrained triangulation, joined where the
    whole stays convex (Hertel and Mehlhorn). The seams between pieces are inside the polygon. Indexing,
    ``len`` and iteration work as for an array and copy no polygon; ``==`` compares whole batches, their
    shapes and all vertices in their order.

    Parameters
    ----------
    rings : iterable of array_like, shape (n, 2), or of shapely polygons
        Outlines in inches: at least 3 distinct vertices, clockwise or counter-clockwise, the first one
        repeated at the end or not, no other one twice in a row, not crossing or touching themselves. Holes
        come in as shapely polygons and may touch the rest of the outline in a vertex. Clockwise ones are
        turned round from their first vertex on: edges count as in `to_shapely`.

    Raises
    ------
    TypeError
        If an outline does not hold real numbers.
    ValueError
        If an outline has another shape, a coordinate that is not finite or above 1e6, fewer than 3 distinct
        vertices, one twice in a row, no area, or crosses or touches itself; if a shapely polygon has z
        or m coordinates, or holes that leave it. The message names outline, vertex and value.

    See Also
    --------
    shapely.constrained_delaunay_triangles : the triangulation of outlines that are not convex.

    Notes
    -----
    What is deeper than a tolerance inside a polygon, or further outside, is cut into pieces too, at the first
    question that needs it and for a dozen tolerances at most. The time grows with the square of the number
    of vertices: outlines of thousands are better simplified before (`shapely.simplify`).

    Examples
    --------
    >>> from ninthgeom import Polygons
    >>> forest = Polygons([[(0, 0), (6, 0), (6, 4), (0, 4)], [(10, 0), (14, 0), (12, 3)]])
    >>> len(forest), forest.area.tolist()
    (2, [24.0, 6.0])
    """

    __slots__ = ("_index", "_table")

    __array_ufunc__ = None  # NumPy's operators decline instead of working on the polygons as objects

    _index: IntArray
    _table: Table

    def __init__(self, rings: Iterable[ArrayLike | shapely.Polygon]) -> None:
        is_single = isinstance(rings, np.ndarray) and not rings.ndim
        if isinstance(rings, str) or is_single or not isinstance(rings, Iterable):
            raise PlacedTypeError(("rings",), f"must be a list of outlines, got {rings!r}")
        if hasattr(rings, "geometry") and hasattr(rings, "columns"):
            raise PlacedTypeError(("rings",), "is a table; give its column .geometry")
        table = Table(tuple(_polygon(ring, i) for i, ring in enumerate(rings)))
        self._set(table, np.arange(len(table.shapes)))

    def _set(self, table: Table, index: IntArray) -> None:
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
        index: IntArray = np.reshape(self._index, target)  # type: ignore[arg-type]  # as NumPy takes it
        return self._with(index)

    def _with(self, index: IntArray) -> Polygons:
        return Polygons._of_parts(self._table, index)

    @classmethod
    def _of_parts(cls, table: Table, index: IntArray) -> Polygons:
        polygons = cls.__new__(cls)
        polygons._set(table, index)
        return polygons

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        raise TypeError(
            "Polygons are no array of numbers; to_shapely() returns an array of geometries; "
            "Polygons.concatenate joins"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        used, index = np.unique(self._index, return_inverse=True)
        shapes = tuple(self._table.shapes[i] for i in used)
        return _unpickled, (shapes, index.reshape(self.shape))

    @classmethod
    def concatenate(cls, batches: Iterable[Polygons]) -> Polygons:
        """Join batches along their first axis.

        Parameters
        ----------
        batches : iterable of Polygons
            At least one, with at least one axis, of equal shape but for the first axis.

        Examples
        --------
        >>> triangle = Polygons([[(0, 0), (1, 0), (0, 1)]])
        >>> Polygons.concatenate([triangle, triangle]).area
        array([0.5, 0.5])
        """
        batches = joinable(Polygons, batches)
        tables = list(dict.fromkeys(batch._table for batch in batches))
        starts = np.cumsum([0, *(len(table.shapes) for table in tables)]).tolist()
        index = [batch._index + starts[tables.index(batch._table)] for batch in batches]
        table = tables[0] if len(tables) == 1 else Table(tuple(s for table in tables for s in table.shapes))
        return cls._of_parts(table, np.concatenate(index))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Polygons):
            return NotImplemented
        return self.shape == other.shape and self._shapes() == other._shapes()

    def __hash__(self) -> int:
        return hash((self.shape, *self._shapes()))

    def __repr__(self) -> str:
        bounds = np.array2string(self.bounds, separator=", ", threshold=6, edgeitems=2).replace("\n", "")
        return f"<Polygons {self.shape}: bounds={bounds}>"

    def _made(self, make: Maker, tol: float) -> Made:
        """Pieces of these polygons, under their numbers in the table."""
        return self._table.made(make, tol, self._index)

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


def _unpickled(shapes: tuple[shapely.Polygon, ...], index: IntArray) -> Polygons:
    return Polygons._of_parts(Table(shapes), index)


def _polygon(ring: ArrayLike | shapely.Polygon, i: int) -> shapely.Polygon:
    """Return a checked, counter-clockwise polygon."""
    if not isinstance(ring, shapely.Polygon):
        given: Any = ring  # whatever a caller puts there
        if isinstance(given, shapely.MultiPolygon):
            hint = "explode() or shapely.get_parts give its polygons"
            raise PlacedTypeError(("rings", i), f"is a MultiPolygon; {hint}")
        if isinstance(given, shapely.Geometry):
            raise PlacedTypeError(
                ("rings", i), f"must be a polygon or an outline, got {type(given).__name__}"
            )
        return shapely.Polygon(checked_ring(ring, ("rings", i)))
    if shapely.get_coordinate_dimension(ring) > 2:
        raise PlacedValueError(("rings", i), "must have no z or m coordinates; shapely.force_2d drops them")
    holes = [checked_ring(hole.coords, ("rings", i, "hole", k)) for k, hole in enumerate(ring.interiors)]
    polygon = shapely.Polygon(checked_ring(ring.exterior.coords, ("rings", i)), holes)
    if not polygon.is_valid:
        reason = shapely.is_valid_reason(polygon)
        raise PlacedValueError(("rings", i), f"has holes that cross, touch or leave the outline: {reason}")
    return shapely.orient_polygons(polygon)
