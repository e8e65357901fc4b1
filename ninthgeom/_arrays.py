"""The boundary between what callers hand over and what kernels read: conversion, checks, messages."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray: TypeAlias = NDArray[np.float64]
Shape: TypeAlias = tuple[int, ...]

LARGEST_COORDINATE: Final = 1e6
LARGEST_NUMBER: Final = sys.float_info.max


def as_floats(name: str, value: ArrayLike) -> FloatArray:
    """Return numbers as float64, the caller's own array where it is one already."""
    if hasattr(value, "filled") and np.ma.is_masked(value):
        raise ValueError(f"{name} must not have masked values")
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ValueError(f"{name} must be an array of numbers: {error}") from None
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array.astype(np.float64, copy=False)


def check_range(name: str, array: FloatArray, low: float, high: float) -> None:
    """Raise for the first value that is not finite or not from `low` to `high`.

    Two reductions, which carry NaN along, cost a fifth of ``np.isfinite(array).all()`` with two comparisons.
    """
    if array.size == 0 or (low <= array.min() and array.max() <= high):
        return
    index = first_index(~((low <= array) & (array <= high)))
    value = float(array[index])
    if not math.isfinite(value):
        wish = "be finite"
    elif low == 0.0:
        wish = "not be negative" if value < 0.0 else f"be at most {high:g}"
    else:
        wish = f"be from {low:g} to {high:g}"
    raise ValueError(f"{element(name, index)} must {wish}, got {value!r}")


def first_index(wrong: NDArray[np.bool_]) -> Shape:
    """Index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))


def element(name: str, index: Shape) -> str:
    """Write one element as it is written in Python: ``width[1, 2]``."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def broadcast_shape(names: Iterable[str], shapes: Iterable[Shape]) -> Shape:
    """Shape that all broadcast to, or an error that names them."""
    shapes = list(shapes)
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        known = ", ".join(f"{name} {shape}" for name, shape in zip(names, shapes, strict=True))
        raise ValueError(f"shapes do not broadcast: {known}") from None
