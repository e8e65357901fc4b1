"""The columns that kernels read of bases, computed from checked numbers.

A base is one column of seven rows: centre, direction of its heading, half extents of its core along and
across it, and radius.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import (
    LARGEST_NUMBER,
    FloatArray,
    Shape,
    as_floats,
    broadcast_shape,
    check_range,
    element,
    first_index,
)
from ninthgeom._constants import LARGEST_COORDINATE

ROWS: Final = 7
# Their order:
X, Y, COS, SIN, ALONG, ACROSS, RADIUS = range(ROWS)

_BLOCK: Final = 8192  # angles whose intermediate results stay in the cache

#: Radii and sides come out of millimetres and divisions: a radius may exceed half a side by so much rounding.
ROUNDING: Final = 1e-9

_RANGES: Final = {
    "x": (-LARGEST_COORDINATE, LARGEST_COORDINATE),
    "y": (-LARGEST_COORDINATE, LARGEST_COORDINATE),
    "heading": (-LARGEST_NUMBER, LARGEST_NUMBER),
    "width": (0.0, LARGEST_COORDINATE),
    "depth": (0.0, LARGEST_COORDINATE),
    "radius": (0.0, LARGEST_COORDINATE),
    "diameter": (0.0, LARGEST_COORDINATE),
}

Sizes: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]


def checked_numbers(**numbers: ArrayLike) -> Mapping[str, FloatArray]:
    """Convert named arguments and check them one by one."""
    arrays = {}
    for name, value in numbers.items():
        arrays[name] = as_floats(name, value)
        check_range(name, arrays[name], *_RANGES[name])
    return arrays


def common_shape(numbers: Mapping[str, FloatArray]) -> Shape:
    """Shape of all numbers together, or an error that names them."""
    return broadcast_shape(numbers, (np.shape(array) for array in numbers.values()))


def parts_of_bases(numbers: Mapping[str, FloatArray]) -> tuple[FloatArray, FloatArray, Sizes]:
    """Compute columns and copies of the other numbers, all of one shape, from checked ones."""
    shape = common_shape(numbers)
    x, y, heading, width, depth, radius = (np.asarray(array) for array in numbers.values())
    columns = np.empty((ROWS, *shape))
    columns[X] = x
    columns[Y] = y
    directions = np.array(heading, order="C")
    if directions.shape == shape:
        _fill_directions(columns[COS, ...], columns[SIN, ...], directions)
    else:
        cos, sin = np.empty_like(directions), np.empty_like(directions)
        _fill_directions(cos, sin, directions)
        columns[COS] = cos
        columns[SIN] = sin
    _fill_half_core(columns[ALONG, ...], depth, radius, "depth")
    _fill_half_core(columns[ACROSS, ...], width, radius, "width")
    columns[RADIUS] = radius
    sizes = (_full(np.array(width), shape), _full(np.array(depth), shape), _full(np.array(radius), shape))
    return columns, _full(directions, shape), sizes


def _full(array: FloatArray, shape: Shape) -> FloatArray:
    return array if array.shape == shape else np.broadcast_to(array, shape)


def _fill_directions(cos: FloatArray, sin: FloatArray, heading: FloatArray) -> None:
    """Write cosine and sine through the tangent of half the angle, right to 3e-16.

    NumPy has vector code for the tangent but none for sine and cosine, which take several times as long.
    """
    cos, sin, heading = cos.reshape(-1), sin.reshape(-1), heading.reshape(-1)
    for start in range(0, heading.size, _BLOCK):
        block = slice(start, start + _BLOCK)
        tangent = np.tan(heading[block] * 0.5)
        square = tangent * tangent
        scale = square + 1.0
        np.divide(1.0 - square, scale, out=cos[block])
        np.divide(tangent + tangent, scale, out=sin[block])


def _fill_half_core(half: FloatArray, side: FloatArray, radius: FloatArray, name: str) -> None:
    """Write half of a side less the radius, or raise where the radius is larger."""
    np.multiply(side, 0.5, out=half)
    if radius.ndim == 0 and radius == 0.0:
        return
    half -= radius
    least = half.min(initial=0.0)
    if least < -ROUNDING:
        index = first_index(half < -ROUNDING)
        wrong = float(np.broadcast_to(radius, half.shape)[index])
        most = 0.5 * float(np.broadcast_to(side, half.shape)[index])
        raise ValueError(
            f"{element('radius', index)} must be at most half the {name}, {most!r}, got {wrong!r}"
        )
    if least < 0.0:
        np.maximum(half, 0.0, out=half)
