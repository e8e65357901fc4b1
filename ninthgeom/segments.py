"""Segments: straight lines from one point to another, such as paths and lines of sight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, NoReturn

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import FloatArray, Shape, as_floats, broadcast_shape, check_range, joinable
from ninthgeom._columns import ALONG, COS, ROWS, SIN, X, Y
from ninthgeom._constants import LARGEST_COORDINATE

_NAMES = ("x0", "y0", "x1", "y1")


class Segments:
    """Straight lines from a start to an end, immutable, in an array of any shape.

    Both ends belong to a segment. One whose ends are the same is a point. Indexing, ``len`` and iteration
    work as for an array; ``==`` compares whole batches, their shapes and all numbers.

    Parameters
    ----------
    x0, y0 : array_like
        Starts, in inches, from -1e6 to 1e6.
    x1, y1 : array_like
        Ends, in inches, from -1e6 to 1e6.

    Raises
    ------
    TypeError
        If an argument does not hold real numbers.
    ValueError
        If a value is not finite or not allowed, or the shapes do not broadcast. The message names argument,
        index and value.

    See Also
    --------
    passes_through, intersects, first_hit : the questions about them.
    Bases.from_front : facings without depth, which are segments too, for questions about bases.

    Examples
    --------
    Lines from one point to three others:

    >>> from ninthgeom import Segments
    >>> lines = Segments(0.0, 0.0, [3.0, 0.0, 1.0], [4.0, 2.0, 0.0])
    >>> lines.length
    array([5., 2., 1.])
    >>> lines[0].x1
    array(3.)
    """

    __slots__ = ("_as_bases", "_ends")

    __hash__: ClassVar[None]  # type: ignore[assignment]  # equality compares values, maybe millions of them
    __array_ufunc__ = None  # NumPy's operators decline instead of working on the single segments as objects

    _ends: FloatArray
    _as_bases: FloatArray | None

    def __init__(self, x0: ArrayLike, y0: ArrayLike, x1: ArrayLike, y1: ArrayLike) -> None:
        numbers = [as_floats(name, value) for name, value in zip(_NAMES, (x0, y0, x1, y1), strict=True)]
        for name, array in zip(_NAMES, numbers, strict=True):
            check_range(name, array, -LARGEST_COORDINATE, LARGEST_COORDINATE)
        ends = np.empty((4, *broadcast_shape(_NAMES, (array.shape for array in numbers))))
        for row, array in enumerate(numbers):
            ends[row] = array
        self._set(ends)

    def _set(self, ends: FloatArray) -> None:
        ends.flags.writeable = False
        self._ends = ends
        self._as_bases = None

    @classmethod
    def _of_ends(cls, ends: FloatArray) -> Segments:
        segments = cls.__new__(cls)
        segments._set(ends)
        return segments

    @classmethod
    def concatenate(cls, batches: Iterable[Segments]) -> Segments:
        """Join batches along their first axis.

        Parameters
        ----------
        batches : iterable of Segments
            At least one, with at least one axis, of equal shape but for the first axis.

        Examples
        --------
        >>> Segments.concatenate([Segments(0.0, 0.0, [1.0, 2.0], 0.0), Segments([5.0], 0.0, 6.0, 0.0)]).x1
        array([1., 2., 6.])
        """
        batches = joinable(Segments, batches)
        return cls._of_ends(np.concatenate([batch._ends for batch in batches], axis=1))

    # ---------------------------------------------------------------------------------- numbers

    @property
    def x0(self) -> FloatArray:
        """Starts' x, in inches."""
        return self._ends[0, ...]

    @property
    def y0(self) -> FloatArray:
        """Starts' y, in inches."""
        return self._ends[1, ...]

    @property
    def x1(self) -> FloatArray:
        """Ends' x, in inches."""
        return self._ends[2, ...]

    @property
    def y1(self) -> FloatArray:
        """Ends' y, in inches."""
        return self._ends[3, ...]

    @property
    def length(self) -> FloatArray:
        """Lengths, in inches."""
        return np.hypot(self.x1 - self.x0, self.y1 - self.y0)

    @property
    def bounds(self) -> FloatArray:
        """Smallest upright boxes, shape (..., 4): x and y of lower left and of upper right corner."""
        x0, y0, x1, y1 = self._ends
        return np.stack([np.minimum(x0, x1), np.minimum(y0, y1), np.maximum(x0, x1), np.maximum(y0, y1)], -1)

    @property
    def _columns(self) -> FloatArray:
        """The same segments as bases without width, as kernels of bases read them."""
        if self._as_bases is None:
            x0, y0, x1, y1 = self._ends
            dx, dy = np.subtract(x1, x0), np.subtract(y1, y0)
            length = np.hypot(dx, dy)
            is_point = length == 0.0
            scale = np.where(is_point, 1.0, length)
            columns = np.zeros((ROWS, *self.shape))
            columns[X] = 0.5 * (x0 + x1)
            columns[Y] = 0.5 * (y0 + y1)
            columns[COS] = np.where(is_point, 1.0, dx / scale)
            columns[SIN] = dy / scale
            columns[ALONG] = 0.5 * length
            columns.flags.writeable = False
            self._as_bases = columns
        return self._as_bases

    # ---------------------------------------------------------------------------------- as an array

    @property
    def shape(self) -> Shape:
        """Shape of the batch."""
        return self._ends.shape[1:]

    @property
    def ndim(self) -> int:
        """Number of axes."""
        return self._ends.ndim - 1

    @property
    def size(self) -> int:
        """Number of segments."""
        return self._ends.size // 4

    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("a single segment has no length of a batch; its attribute length is in inches")
        return self.shape[0]

    def __getitem__(self, key: Any) -> Segments:
        key = key if isinstance(key, tuple) else (key,)
        if not any(part is Ellipsis for part in key):
            key = (*key, Ellipsis)
        # The rows' own axis goes last while indexing: from the front, index arrays would move it.
        return Segments._of_ends(np.moveaxis(np.moveaxis(self._ends, 0, -1)[(*key, slice(None))], -1, 0))

    def __iter__(self) -> Iterator[Segments]:
        return (self[i] for i in range(len(self)))

    def reshape(self, *shape: int | Shape) -> Segments:
        """Return the same segments in another shape.

        Parameters
        ----------
        *shape : int
            Lengths of the new axes, also as one tuple; one of them may be -1.

        Examples
        --------
        >>> Segments(0.0, 0.0, range(6), 1.0).reshape(2, -1).shape
        (2, 3)
        """
        target = shape[0] if len(shape) == 1 else shape
        # An empty batch leaves no room for -1 beside the four rows, so its shape is asked of one row.
        return Segments._of_ends(self._ends.reshape(4, *np.reshape(self._ends[0], target).shape))  # type: ignore[arg-type]  # as ndarray.reshape takes it

    def __array__(self, dtype: object = None, copy: object = None) -> NoReturn:
        raise TypeError(
            "Segments are no array of numbers; their attributes x0, y0, x1, y1 are; "
            "Segments.concatenate joins"
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Segments):
            return NotImplemented
        return np.array_equal(self._ends, other._ends)

    def __reduce__(self) -> tuple[Any, ...]:
        return Segments._of_ends, (self._ends,)

    def __repr__(self) -> str:
        text = ", ".join(
            f"{name}={np.array2string(row, separator=', ', threshold=6, edgeitems=2)}"
            for name, row in zip(_NAMES, (self.x0, self.y0, self.x1, self.y1), strict=True)
        )
        return f"<Segments {self.shape}: {text}>"

    def to_shapely(self) -> Any:
        """Return the segments as shapely geometries, for plots and for other tools.

        Segments without length become points: shapely holds a line between equal points for invalid.

        Returns
        -------
        ndarray of shapely geometries, or one geometry for a single segment
            The shape of the batch.

        Examples
        --------
        >>> Segments(0.0, 0.0, 3.0, 4.0).to_shapely().length
        5.0
        """
        import shapely

        ends = self._ends.reshape(2, 2, -1).transpose(2, 0, 1)
        lines = np.empty(self.size, dtype=object)
        is_point = (ends[:, 0] == ends[:, 1]).all(axis=1)
        lines[~is_point] = shapely.linestrings(ends[~is_point])
        lines[is_point] = shapely.points(ends[is_point, 0])
        return lines.reshape(self.shape) if self.shape else lines[0]


def ends_of(name: str, segments: Segments) -> FloatArray:
    """Return the ends of an argument that must be segments."""
    if not isinstance(segments, Segments):
        raise TypeError(f"{name} must be Segments, got {type(segments).__name__}")
    return segments._ends
