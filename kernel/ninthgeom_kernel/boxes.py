"""Scalar work on boxes: bases in a frame, as centre, half axis vectors and radius."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

# Rows of a box: centre, half axis vectors, radius, direction of the first axis (defined for zero extents
# too), reach.
X, Y, UX, UY, VX, VY, RADIUS, EX, EY, REACH = range(10)


@scalar
def put_box(bases: Any, scene: int, i: int, inset: float, box: Any, corners: Any) -> None:
    """Write the box of a base, its core made smaller by inset, and the four corners of that core."""
    c = bases[2, scene, i]
    s = bases[3, scene, i]
    along = max(bases[4, scene, i] - inset, 0.0)
    across = max(bases[5, scene, i] - inset, 0.0)
    radius = bases[6, scene, i]
    box[X] = bases[0, scene, i]
    box[Y] = bases[1, scene, i]
    box[UX] = c * along
    box[UY] = s * along
    box[VX] = -s * across
    box[VY] = c * across
    box[RADIUS] = radius
    box[EX] = c
    box[EY] = s
    box[REACH] = math.sqrt(along * along + across * across) + radius
    put_corners(box, corners)


@scalar
def put_corners(box: Any, corners: Any) -> None:
    """Write the corners of the core of a box, counter-clockwise from first axis + second axis."""
    for k in range(4):
        i = 1.0 if k == 0 or k == 3 else -1.0
        j = 1.0 if k < 2 else -1.0
        for row in range(2):
            corners[row, k] = box[row] + i * box[UX + row] + j * box[VX + row]


@scalar
def turn_box(box: Any, frame: Any, result: Any) -> None:
    """Express a box in a frame: origin x, y and the direction of +y."""
    for row in range(0, 9, 2):
        column = row if row < RADIUS else EX
        dx = box[column]
        dy = box[column + 1]
        if row == 0:
            dx -= frame[0]
            dy -= frame[1]
        if row != RADIUS:
            result[column] = dx * frame[3] - dy * frame[2]
            result[column + 1] = dx * frame[2] + dy * frame[3]
    result[RADIUS] = box[RADIUS]


@scalar
def half_width(box: Any, t: float) -> float:
    """Half the width of the band of a box at slope t."""
    u = abs(box[UX] - t * box[UY])
    v = abs(box[VX] - t * box[VY])
    width: float = u + v + box[RADIUS] * math.sqrt(1.0 + t * t)
    return width
