"""Which of many bases are close to each other, without asking about every pair."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, IntArray, as_limits, as_tolerance
from ninthgeom._blocks import SCRATCH, SLACK, Blocks, box_columns, close_in_blocks, close_pairs
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import worker_count
from ninthgeom.bases import Bases
from ninthgeom.measure import Shapes, within

#: Groups with more pairs than this are tiled each on its own: 700 bases take as long that way as all at once.
FEW_IN_GROUP: Final = 700 * 700
#: Small groups are cut in parts of about so many bases, which are asked about in pairs.
PART: Final = 64
#: So many keys, or fewer, are sorted by NumPy, which takes less time than loading a kernel.
FEW_KEYS: Final = 5000
#: Bits of a digit of the radix sort of more keys; with 8 to 10 it takes a sixth of the time of NumPy's sort.
DIGIT: Final = 10


def pairs_within(
    a: Shapes,
    b: Shapes | None = None,
    *,
    distance: float = 0.0,
    group: ArrayLike | None = None,
    group_b: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> IntArray:
    """Return the indices of all pairs that are within `distance` of each other.

    Those for which ``within(a[:, None], b, distance)`` is True. Memory grows with the number of bases and of
    pairs found; so does the time where few more upright boxes round the bases are as close as the bases
    themselves. A few long walls among many bases do not matter.

    Parameters
    ----------
    a : Bases or Polygons
        One-dimensional.
    b : Bases or Polygons, optional
        One-dimensional; without it, pairs of a with itself: each pair of two different ones once.
    distance : float
        Inches, not negative, closed; inf for all pairs, which makes sense with `group`.
    group : array_like, optional
        A label for each a: only bases with equal labels make pairs. Numbers or texts, one-dimensional.
    group_b : array_like, optional
        The labels of b, needed with `group` and b.
    tol : float
        By how much the distance may be exceeded.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of int64, shape (2, n)
        Index of a and index of b of each pair, sorted by the first, then by the second. Without b the first
        is less than the second. No pairs: shape (2, 0).

    Raises
    ------
    TypeError
        If a or b are neither bases nor polygons, `distance` or `tol` no real numbers, or labels cannot be
        compared.
    ValueError
        If a or b have not one axis, `distance` is negative or NaN or not one number, or the labels do not fit
        the bases.

    See Also
    --------
    within : the same for given pairs, or all.
    shapely.STRtree.query : the same between any geometries, without a tolerance.

    Notes
    -----
    Bases are packed in tiles of neighbours [1]_. Boxes round tiles that are close are found in the same way,
    and in these tiles every base is measured with every other.

    References
    ----------
    .. [1] Leutenegger, Lopez and Edgington, STR: A Simple and Efficient Algorithm for R-Tree Packing, 1997.

    Examples
    --------
    >>> from ninthgeom import Bases, pairs_within
    >>> models = Bases.round([0.0, 5.0, 1.5, 3.0], 0.0, diameter=1.0)
    >>> pairs_within(models, distance=0.5)
    array([[0, 2],
           [2, 3]])

    Two boards of two in one batch:

    >>> import numpy as np
    >>> boards = models.reshape(2, 2)
    >>> pairs = pairs_within(boards.reshape(-1), distance=1.5, group=np.repeat([0, 1], 2))
    >>> board, place = np.divmod(pairs, 2)
    >>> board[0], place
    (array([1]), array([[0],
           [1]]))
    """
    a_columns = _row_of("a", a)
    b_columns = None if b is None else _row_of("b", b)
    is_exact = isinstance(a, Bases) and (b is None or isinstance(b, Bases))
    limit = _limit(distance) + as_tolerance(tol) + (0.0 if is_exact else SLACK)
    worker_count(workers)
    n = a_columns.shape[1]
    m = n if b_columns is None else b_columns.shape[1]
    labels = _labels(group, group_b, n, None if b is None else m)
    if n == 0 or m == 0:
        keys = np.empty(0, np.int64)
    elif labels is None:
        keys = close_pairs(a_columns, b_columns, limit, workers)
    else:
        keys = _close_in_groups(a_columns, b_columns, labels, limit, workers)
    if not is_exact:
        keys = _within(keys, a, a if b is None else b, distance, tol, workers)
    return _in_order(keys, n, m)


def _row_of(name: str, shapes: Shapes) -> FloatArray:
    """Columns of bases, or of boxes round polygons."""
    is_bases = isinstance(shapes, Bases)
    if not is_bases:
        from ninthgeom.polygons import Polygons  # brings shapely along, which bases do without

        if not isinstance(shapes, Polygons):
            raise TypeError(f"{name} must be Bases or Polygons, got {type(shapes).__name__}")
    if shapes.ndim != 1:
        raise ValueError(
            f"{name} must have one axis, got shape {shapes.shape}; reshape(-1) makes one, "
            "group keeps boards apart"
        )
    return shapes._columns if isinstance(shapes, Bases) else box_columns(*shapes.bounds.T)


def _within(keys: IntArray, a: Shapes, b: Shapes, distance: float, tol: float, workers: int) -> IntArray:
    """Those of the keys whose pairs are as near as their boxes."""
    kept = [keys[:0]]
    for start in range(0, len(keys), SCRATCH):
        some = keys[start : start + SCRATCH]
        i, j = np.divmod(some, len(b))
        kept.append(some[within(a[i], b[j], distance, tol=tol, workers=workers)])
    return np.concatenate(kept)


def _limit(distance: float) -> float:
    limits = as_limits("distance", distance)
    if limits.ndim:
        raise ValueError(f"distance must be one number, got shape {limits.shape}")
    return float(limits)


def _in_order(keys: IntArray, n: int, m: int) -> IntArray:
    """Pairs (i, j) from keys i m + j, sorted."""
    if not (keys[1:] > keys[:-1]).all():
        keys = np.sort(keys) if len(keys) <= FEW_KEYS else _sorted(keys, n * m)
    pairs = np.empty((2, len(keys)), np.int64)
    np.divmod(keys, max(m, 1), out=(pairs[0], pairs[1]))
    return pairs


def _sorted(keys: IntArray, end: int) -> IntArray:
    """Sort keys from 0 to below end; they are overwritten."""
    from ninthgeom_kernel.ordering import in_order_of_digit

    places = np.empty(1 << DIGIT, np.int64)
    other = np.empty_like(keys)
    for shift in range(0, (end - 1).bit_length(), DIGIT):
        in_order_of_digit(keys, shift, places, other)
        keys, other = other, keys
    return keys


# ---------------------------------------------------------------------------------- groups


@dataclass(frozen=True, slots=True)
class _Groups:
    """Bases by their groups.

    Attributes
    ----------
    order : ndarray of int64
        Indices of the bases, group by group, ascending in each.
    start, size : ndarray of int64
        Where the groups begin in it, and how many bases each has.
    """

    order: IntArray
    start: IntArray
    size: IntArray

    @classmethod
    def of(cls, codes: IntArray, count: int) -> _Groups:
        # NumPy has a radix sort for short integers: a sixth of the time.
        short = codes.astype(np.min_scalar_type(max(count - 1, 0)))
        size = np.bincount(codes, minlength=count)
        return cls(np.argsort(short, kind="stable"), np.cumsum(size) - size, size)

    def members(self, group: int) -> IntArray:
        """Return the indices of the bases of one group."""
        return self.order[self.start[group] : self.start[group] + self.size[group]]

    def blocks(self, columns: FloatArray, groups: IntArray, parts: int) -> Blocks:
        """Put some groups in blocks, so many for each group."""
        width = -(-int(self.size[groups].max()) // parts)
        place = np.arange(parts * width)
        size = self.size[groups, None]
        members = self.order[self.start[groups, None] + np.minimum(place, size - 1)].reshape(-1, width)
        return Blocks.of(columns, members, (place >= size).reshape(-1, width))


def _labels(
    group: ArrayLike | None, group_b: ArrayLike | None, n: int, m: int | None
) -> tuple[IntArray, IntArray | None, int] | None:
    """Codes from 0 of the labels of a and, where there is b, of b, and their number; None without labels."""
    if group_b is not None and m is None:
        raise ValueError("group_b is given, but b is not")
    if group is None:
        if group_b is not None:
            raise ValueError("group_b is given, but group is not")
        return None
    labels = _checked_labels("group", group, n)
    if m is None:
        codes, count = _codes(labels)
        return codes, None, count
    if group_b is None:
        raise ValueError("group is given with b, but group_b is not")
    other = _checked_labels("group_b", group_b, m)
    if _kind(labels) != _kind(other):
        raise TypeError(
            f"group and group_b must hold labels of one kind, got {labels.dtype} and {other.dtype}"
        )
    # Signed and unsigned 64-bit integers would meet as floats, and some of them would become equal.
    is_lossy = (
        labels.dtype.kind in "iu" and other.dtype.kind in "iu" and np.result_type(labels, other).kind == "f"
    )
    codes, count = _codes(np.concatenate([labels, other], dtype=object if is_lossy else None))
    return codes[:n], codes[n:], count


def _checked_labels(name: str, value: ArrayLike, n: int) -> NDArray[np.generic]:
    labels = np.asarray(value)
    if labels.shape != (n,):
        raise ValueError(f"{name} must have shape {(n,)}, a label for each base, got {labels.shape}")
    if labels.dtype.kind in "fcmM" and np.isnan(labels).any():
        raise ValueError(f"{name}[{int(np.isnan(labels).argmax())}] must not be nan")
    return labels


def _kind(labels: NDArray[np.generic]) -> str:
    """Labels of different kinds would be compared as texts."""
    return "number" if labels.dtype.kind in "biufc" else labels.dtype.kind


def _codes(labels: NDArray[np.generic]) -> tuple[IntArray, int]:
    """Give each label a number from 0, without sorting where they are integers not far apart."""
    if labels.dtype.kind in "iu" and labels.size:
        low, high = int(labels.min()), int(labels.max())
        if high - low <= 2 * labels.size:
            wide = labels.astype(np.int64) if labels.dtype.kind == "i" else labels
            return (wide - low).astype(np.int64, copy=False), high - low + 1
    try:
        known, codes = np.unique(labels, return_inverse=True)
    except TypeError as error:
        raise TypeError(f"group must hold labels that can be sorted: {error}") from None
    return codes.astype(np.int64, copy=False), len(known)


def _close_in_groups(
    a: FloatArray,
    b: FloatArray | None,
    labels: tuple[IntArray, IntArray | None, int],
    limit: float,
    workers: int,
) -> IntArray:
    """Keys of the close pairs of equal labels."""
    codes, other_codes, count = labels
    left = _Groups.of(codes, count)
    right = left if other_codes is None else _Groups.of(other_codes, count)
    m = len(right.order)
    pairs = left.size * right.size
    keys = []
    for group in np.flatnonzero(pairs > FEW_IN_GROUP).tolist():
        i, j = left.members(group), right.members(group)
        found = close_pairs(a[:, i], None if b is None else b[:, j], limit, workers)
        place_i, place_j = np.divmod(found, len(j))
        keys.append(i[place_i] * m + j[place_j])
    small = np.flatnonzero((pairs <= FEW_IN_GROUP) & (pairs > (1 if b is None else 0)))
    for groups in _of_like_size(left.size[small], right.size[small]):
        chosen = small[groups]
        a_parts, b_parts = (-(-int(side.size[chosen].max()) // PART) for side in (left, right))
        a_blocks = left.blocks(a, chosen, a_parts)
        b_blocks = a_blocks if b is None else right.blocks(b, chosen, b_parts)
        if b is None:
            first, second = np.triu_indices(a_parts)
        else:
            first, second = np.divmod(np.arange(a_parts * b_parts), b_parts)
        each = np.arange(len(chosen))[:, None]
        first, second = (each * a_parts + first).ravel(), (each * b_parts + second).ravel()
        keys.append(close_in_blocks(a_blocks, b_blocks, first, second, m, limit, workers))
    return np.concatenate(keys) if keys else np.empty(0, np.int64)


def _of_like_size(a: IntArray, b: IntArray) -> list[IntArray]:
    """Gather groups whose sizes differ by less than two times, so that little is left over in blocks."""
    if len(a) == 0:
        return []
    classes = np.frexp(a)[1] * 64 + np.frexp(b)[1]
    order = np.argsort(classes, kind="stable")
    return np.split(order, np.flatnonzero(np.diff(classes[order])) + 1)
