"""Bases: the footprints of models, as one structure of arrays.

Every base is a rounded rectangle, so that rectangles, discs, ovals, segments and points share one layout
and one kernel. Checks happen here, once, where a batch is built; the questions asked of it need none.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, Shape, joinable
from ninthgeom._columns import (
    ACROSS,
    ALONG,
    COS,
    RADIUS,
    ROWS,
    SIN,
    Sizes,
    X,
    Y,
    checked_numbers,
    common_shape,
    parts_of_bases,
)
from ninthgeom._constants import TOLERANCE

__all__ = ["ACROSS", "ALONG", "COS", "RADIUS", "ROWS", "SIN", "Bases", "X", "Y", "columns_of"]


class Bases:
    """Footprints of models: rounded rectangles with centre and heading, immutable, in an array of any shape.

    Forward is ``(cos heading, sin heading)``; `width` is measured across it, `depth` along it, both outside.
    With radius 0 a base is a rectangle, with ``width == depth == 2 * radius`` a disc, with a radius of half
    the smaller side an oval; sizes of 0 make segments and points. Indexing, ``len`` and iteration work as
    for an array; ``==`` compares whole batches, their shapes and all numbers.

    Parameters
    ----------
    x, y : array_like
        Centres, in inches, from -1e6 to 1e6.
    heading : array_like
        Directions the bases face, in radians, counter-clockwise from +x.
    width, depth : array_like
        Outer sizes across and along the heading, in inches, not negative.
    radius : array_like
        Radii of the corners, in inches, at most half of the smaller side.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a value is not finite or not allowed, or the shapes do not broadcast. The message names argument,
        index and value.

    See Also
    --------
    Bases.rect, Bases.round, Bases.oval, Bases.point, Bases.from_front : the same for one kind of base.

    Examples
    --------
    Two cavalry bases of 25 x 50 mm, side by side, that face +y:

    >>> import math
    >>> from ninthgeom import Bases
    >>> bases = Bases([10.0, 11.0], 4.0, math.pi / 2, width=25 / 25.4, depth=50 / 25.4)
    >>> bases.shape
    (2,)
    >>> bases[1].x
    array(11.)
    """

    __slots__ = ("_columns", "_heading", "_sizes")

    __hash__: ClassVar[None]  # type: ignore[assignment]  # equality compares values, maybe millions of them
    __array_ufunc__ = None  # NumPy's operators decline instead of working on the single bases as objects

    _columns: FloatArray
    _heading: FloatArray
    _sizes: Sizes

    def __init__(
        self,
        x: ArrayLike,
        y: ArrayLike,
        heading: ArrayLike = 0.0,
        *,
        width: ArrayLike = 0.0,
        depth: ArrayLike = 0.0,
        radius: ArrayLike = 0.0,
    ) -> None:
        numbers = checked_numbers(x=x, y=y, heading=heading, width=width, depth=depth, radius=radius)
        self._set(*parts_of_bases(numbers))

    def _set(self, columns: FloatArray, heading: FloatArray, sizes: Sizes) -> None:
        for array in (columns, heading, *sizes):
            array.flags.writeable = False
        self._columns = columns
        self._heading = heading
        self._sizes = sizes

    @classmethod
    def _of_parts(cls, columns: FloatArray, heading: FloatArray, sizes: Sizes) -> Bases:
        bases = cls.__new__(cls)
        bases._set(columns, heading, sizes)
        return bases

    # ---------------------------------------------------------------------------------- constructors

    @classmethod
    def rect(
        cls, x: ArrayLike, y: ArrayLike, heading: ArrayLike = 0.0, *, width: ArrayLike, depth: ArrayLike
    ) -> Bases:
        """Make rectangles.

        Parameters
        ----------
        x, y, heading, width, depth : array_like
            As for `Bases`.

        Examples
        --------
        >>> Bases.rect(0.0, 0.0, width=2.0, depth=1.0).bounds
        array([-0.5, -1. ,  0.5,  1. ])
        """
        return cls(x, y, heading, width=width, depth=depth)

    @classmethod
    def round(cls, x: ArrayLike, y: ArrayLike, *, diameter: ArrayLike) -> Bases:
        """Make discs; their heading is 0.

        Parameters
        ----------
        x, y : array_like
            Centres, in inches.
        diameter : array_like
            Diameters, in inches, not negative.

        Examples
        --------
        >>> Bases.round(0.0, 0.0, diameter=2.0).area
        np.float64(3.141592653589793)
        """
        numbers = checked_numbers(x=x, y=y, diameter=diameter)
        common_shape(numbers)  # an error should name the diameter
        x, y, side = numbers.values()
        names = {"x": x, "y": y, "heading": np.zeros(()), "width": side, "depth": side, "radius": side * 0.5}
        return cls._of_parts(*parts_of_bases(names))

    @classmethod
    def oval(
        cls, x: ArrayLike, y: ArrayLike, heading: ArrayLike = 0.0, *, width: ArrayLike, depth: ArrayLike
    ) -> Bases:
        """Make ovals: rectangles whose shorter sides are half circles.

        Parameters
        ----------
        x, y, heading, width, depth : array_like
            As for `Bases`.

        Examples
        --------
        >>> Bases.oval(0.0, 0.0, width=4.0, depth=2.0).radius
        array(1.)
        """
        numbers = checked_numbers(x=x, y=y, heading=heading, width=width, depth=depth)
        common_shape(numbers)  # an error should not name the radius
        radius = np.minimum(numbers["width"], numbers["depth"]) * 0.5
        return cls._of_parts(*parts_of_bases({**numbers, "radius": radius}))

    @classmethod
    def point(cls, x: ArrayLike, y: ArrayLike) -> Bases:
        """Make points: bases without size.

        Parameters
        ----------
        x, y : array_like
            Where they are, in inches.

        Examples
        --------
        >>> Bases.point([1.0, 2.0], 0.0).is_disc
        array([ True,  True])
        """
        return cls(x, y)

    @classmethod
    def from_front(
        cls, x: ArrayLike, y: ArrayLike, heading: ArrayLike, *, width: ArrayLike, depth: ArrayLike
    ) -> Bases:
        """Make rectangles from the middles of their Front Facings; a depth of 0 gives bare facings.

        Parameters
        ----------
        x, y : array_like
            Middles of the Front Facings, in inches.
        heading, width, depth : array_like
            As for `Bases`.

        Examples
        --------
        >>> Bases.from_front(10.0, 4.0, 0.0, width=2.0, depth=1.0).x
        array(9.5)
        """
        numbers = checked_numbers(x=x, y=y, heading=heading, width=width, depth=depth)
        columns, kept, sizes = parts_of_bases({**numbers, "radius": np.zeros(())})
        columns[X] -= columns[COS] * columns[ALONG]
        columns[Y] -= columns[SIN] * columns[ALONG]
        return cls._of_parts(columns, kept, sizes)

    @classmethod
    def concatenate(cls, batches: Iterable[Bases]) -> Bases:
        """Join batches along their first axis.

        Parameters
        ----------
        batches : iterable of Bases
            At least one, with at least one axis, of equal shape but for the first axis.

        Examples
        --------
        >>> Bases.concatenate([Bases.point([0.0, 1.0], 0.0), Bases.round([5.0], 0.0, diameter=1.0)]).x
        array([0., 1., 5.])
        """
        batches = joinable(Bases, batches)
        width, depth, radius = (
            np.concatenate(parts) for parts in zip(*(batch._sizes for batch in batches), strict=True)
        )
        return cls._of_parts(
            np.concatenate([batch._columns for batch in batches], axis=1),
            np.concatenate([batch._heading for batch in batches]),
            (width, depth, radius),
        )

    # ---------------------------------------------------------------------------------- numbers

    @property
    def x(self) -> FloatArray:
        """Centres' x, in inches."""
        return self._columns[X, ...]

    @property
    def y(self) -> FloatArray:
        """Centres' y, in inches."""
        return self._columns[Y, ...]

    @property
    def heading(self) -> FloatArray:
        """Directions the bases face, in radians."""
        return self._heading

    @property
    def width(self) -> FloatArray:
        """Outer sizes across the heading, in inches."""
        return self._sizes[0]

    @property
    def depth(self) -> FloatArray:
        """Outer sizes along the heading, in inches."""
        return self._sizes[1]

    @property
    def radius(self) -> FloatArray:
        """Radii of the corners, in inches."""
        return self._sizes[2]

    @property
    def is_disc(self) -> NDArray[np.bool_]:
        """Which bases are discs, within the tolerance: no side is longer than two radii. Points are discs."""
        return np.asarray(np.maximum(self._columns[ALONG], self._columns[ACROSS]) * 2.0 <= TOLERANCE)

    @property
    def is_oval(self) -> NDArray[np.bool_]:
        """Which bases are ovals, within the tolerance: the smaller side is two radii, the other longer."""
        core = np.minimum(self._columns[ALONG], self._columns[ACROSS]) * 2.0
        return np.asarray((core <= TOLERANCE) & (self.radius > 0.0) & ~self.is_disc)

    # ---------------------------------------------------------------------------------- as an array

    @property
    def shape(self) -> Shape:
        """Shape of the batch."""
        return self._heading.shape

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._heading.ndim

    @property
    def size(self) -> int:
        """Number of bases."""
        return self._heading.size

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single base has no length")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Bases:
        key = key if isinstance(key, tuple) else (key,)
        if not any(part is Ellipsis for part in key):
            key = (*key, Ellipsis)
        heading = self._heading[key]
        # The columns' own axis goes last while indexing: from the front, index arrays would move it.
        columns = np.moveaxis(np.moveaxis(self._columns, 0, -1)[(*key, slice(None))], -1, 0)
        if not np.may_share_memory(columns, self._columns):
            # Index arrays and masks made a copy, base by base; every question would copy it once more.
            columns = np.ascontiguousarray(columns)
        width, depth, radius = self._sizes
        return Bases._of_parts(columns, heading, (width[key], depth[key], radius[key]))

    def __iter__(self) -> Iterator[Bases]:
        return (self[i] for i in range(len(self)))

    def reshape(self, *shape: int | Shape) -> Bases:
        """Return the same bases in another shape.

        Parameters
        ----------
        *shape : int
            Lengths of the new axes, also as one tuple; one of them may be -1.

        Examples
        --------
        >>> Bases.point(range(6), 0.0).reshape(2, -1).shape
        (2, 3)
        """
        target = shape[0] if len(shape) == 1 else shape
        heading = np.reshape(self._heading, target)  # type: ignore[arg-type]  # as ndarray.reshape takes it
        width, depth, radius = (size.reshape(heading.shape) for size in self._sizes)
        columns = self._columns.reshape(ROWS, *heading.shape)
        return Bases._of_parts(columns, heading, (width, depth, radius))

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        raise TypeError(
            "Bases are no array of numbers; their attributes x, y, heading, ... are; Bases.concatenate joins"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Bases):
            return NotImplemented
        mine = (self.x, self.y, self._heading, *self._sizes)
        theirs = (other.x, other.y, other._heading, *other._sizes)
        return all(np.array_equal(one, two) for one, two in zip(mine, theirs, strict=True))

    def __reduce__(self) -> tuple[Any, ...]:
        return Bases._of_parts, (self._columns, self._heading, self._sizes)

    def __repr__(self) -> str:
        named = {"x": self.x, "y": self.y, "heading": self.heading}
        named |= {"width": self.width, "depth": self.depth, "radius": self.radius}
        text = ", ".join(
            f"{name}={np.array2string(array, separator=', ', threshold=6, edgeitems=2)}"
            for name, array in named.items()
        )
        return f"<Bases {self.shape}: {text}>"

    # ---------------------------------------------------------------------------------- outlines

    @property
    def area(self) -> FloatArray:
        """Areas, in square inches."""
        width, depth, radius = self._sizes
        return width * depth - (4.0 - math.pi) * radius * radius

    @property
    def bounds(self) -> FloatArray:
        """Smallest upright boxes, shape (..., 4): x and y of lower left and of upper right corner."""
        x, y, cos, sin, along, across, radius = self._columns
        cos, sin = np.abs(cos), np.abs(sin)
        half_x = cos * along + sin * across + radius
        half_y = sin * along + cos * across + radius
        return np.stack([x - half_x, y - half_y, x + half_x, y + half_y], axis=-1)

    def corners(self) -> FloatArray:
        """Return the corners of the outer rectangles.

        Returns
        -------
        ndarray of float64, shape (..., 4, 2)
            x and y of front left, front right, rear right and rear left corner.

        Examples
        --------
        >>> Bases.rect(0.0, 0.0, width=2.0, depth=1.0).corners()
        array([[ 0.5,  1. ],
               [ 0.5, -1. ],
               [-0.5, -1. ],
               [-0.5,  1. ]])
        """
        radius = self._columns[RADIUS]
        return self._corners_of(self._columns[ALONG] + radius, self._columns[ACROSS] + radius)

    def _corners_of(self, along: FloatArray, across: FloatArray) -> FloatArray:
        x, y, cos, sin = self._columns[:ALONG]
        corners = np.empty((*self.shape, 4, 2))
        for i, (forward, left) in enumerate(((1, 1), (1, -1), (-1, -1), (-1, 1))):
            corners[..., i, 0] = x + forward * along * cos - left * across * sin
            corners[..., i, 1] = y + forward * along * sin + left * across * cos
        return corners

    def to_shapely(self) -> Any:
        """Return the outlines as shapely geometries, for plots and for other tools.

        Round parts become polygons of 64 edges to the full turn, inside the true outline; bases without area
        become lines and points.

        Returns
        -------
        ndarray of shapely geometries, or one geometry for a single base
            The shape of the batch.

        Examples
        --------
        >>> Bases.rect(0.0, 0.0, width=2.0, depth=1.0).to_shapely().area
        2.0
        """
        import shapely

        core = self._corners_of(self._columns[ALONG], self._columns[ACROSS]).reshape(-1, 4, 2)
        along, across, radius = (self._columns[row].reshape(-1) for row in (ALONG, ACROSS, RADIUS))
        outlines = np.empty(self.size, dtype=object)
        is_flat = (along == 0.0) | (across == 0.0)
        is_point = (along == 0.0) & (across == 0.0)
        outlines[~is_flat] = shapely.polygons(core[~is_flat])
        outlines[is_flat] = shapely.linestrings(core[is_flat][:, ::2])
        outlines[is_point] = shapely.points(core[is_point][:, 0])
        is_round = radius > 0.0
        outlines[is_round] = shapely.buffer(outlines[is_round], radius[is_round], quad_segs=16)
        return outlines.reshape(self.shape) if self.shape else outlines[0]


def columns_of(name: str, bases: Bases) -> FloatArray:
    """Columns of an argument that must be bases."""
    if not isinstance(bases, Bases):
        raise TypeError(f"{name} must be Bases, got {type(bases).__name__}")
    return bases._columns
