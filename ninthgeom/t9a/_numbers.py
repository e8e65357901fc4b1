"""Columns of whole numbers: checked where callers hand them over, and counted."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import first_index
from ninthgeom._checks import Place, PlacedTypeError, PlacedValueError
from ninthgeom._slots import IntArray

_LARGEST: Final = int(np.iinfo(np.intp).max)


def column(place: Place, values: ArrayLike, *, length: int | None = None, end: int | None = None) -> IntArray:
    """Return whole numbers from 0 up to before `end`, one axis, as an array of its own."""
    array = np.array(values)
    if array.ndim != 1:
        raise PlacedValueError(place, f"must have one axis, got shape {array.shape}")
    if length is not None and len(array) != length:
        raise PlacedValueError(place, f"must have length {length}, got {len(array)}")
    if len(array) and array.dtype.kind not in "iu":
        raise PlacedTypeError(place, f"must hold integers, got dtype {array.dtype}")
    # Unsigned numbers may be too large; converted, they would be negative.
    unsigned_end = _LARGEST + 1 if array.dtype.kind == "u" else None
    check_below(place, array, unsigned_end if end is None else end)
    return array.astype(np.intp, copy=False)


def numbers_above(place: Place, known: IntArray, n: int) -> IntArray:
    """Return `n` numbers one after another, all above those known."""
    largest = int(known.max(initial=-1))
    if n > _LARGEST - largest:
        raise PlacedValueError(place, f"must be given: not enough numbers are left above {largest}")
    return np.arange(n) + largest + 1


def check_below(place: Place, numbers: NDArray[Any], end: int | None, first: int = 0) -> None:
    """Raise for the first number that is negative or not below `end`; indices count from `first`."""
    if not len(numbers) or (numbers.min() >= 0 and (end is None or numbers.max() < end)):
        return
    (i,) = first_index((numbers < 0) | (False if end is None else numbers >= end))
    wish = "at least 0" if end is None else f"from 0 to {end - 1}"
    raise PlacedValueError((*place, first + i), f"must be {wish}, got {numbers[i]}")


def counted(lengths: IntArray) -> IntArray:
    """Count from 0 up to each of these lengths, one after another."""
    ends = np.cumsum(lengths)
    return np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - lengths, lengths)


def repeated(state: IntArray, value: IntArray, row: IntArray) -> tuple[int, int]:
    """Return the first row with a value that an earlier row of its state has, and that one; -1 for none."""
    order = np.lexsort((row, value, state))
    state, value, row = state[order], value[order], row[order]
    same = np.flatnonzero((state[1:] == state[:-1]) & (value[1:] == value[:-1]))
    if not len(same):
        return -1, -1
    k = same[np.argmin(row[same + 1])]
    return int(row[k + 1]), int(row[k])
