"""Scalar geometry of the points of two bases that are nearest to each other.

Nothing here is vectorised. Written without loops, because LLVM unrolls those over corners and edges anyway,
and takes twice as long to compile them.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

# Cores share a corner of one of them if one is this near the other, in inches: squared. Where none is, the
# edges of overlapping cores cross so clearly that rounding moves nothing out of them.
SHARED_SQUARED = 1e-18


@scalar
def seen(base: Any, other: Any) -> tuple[float, float, float, float, float, float]:
    """Another core as the base sees it: its centre, and from there to its front and its left edge."""
    dx = other[0] - base[0]
    dy = other[1] - base[1]
    c = base[2] * other[2] + base[3] * other[3]
    s = base[2] * other[3] - base[3] * other[2]
    u = base[2] * dx + base[3] * dy
    v = base[2] * dy - base[3] * dx
    return u, v, other[4] * c, other[4] * s, -other[5] * s, other[5] * c


@scalar
def to_core(x: float, y: float, a: float, b: float) -> tuple[float, float, float, float, float]:
    """Nearest point of core (a, b) to a point: squared distance, that point, the point itself."""
    px = min(max(x, -a), a)
    py = min(max(y, -b), b)
    return (x - px) * (x - px) + (y - py) * (y - py), px, py, x, y


@scalar
def nearest_corner(base: Any, other: Any) -> tuple[float, float, float, float, float]:
    """Corner of the other core that is nearest to the base's core: squared distance, near point, corner.

    Both points as the base sees them: before and left of its centre.
    """
    u, v, ex, ey, fx, fy = seen(base, other)
    best = to_core(u + (ex + fx), v + (ey + fy), base[4], base[5])
    second = to_core(u + (ex - fx), v + (ey - fy), base[4], base[5])
    third = to_core(u - (ex + fx), v - (ey + fy), base[4], base[5])
    fourth = to_core(u - (ex - fx), v - (ey - fy), base[4], base[5])
    best = second if second[0] < best[0] else best
    best = third if third[0] < best[0] else best
    return fourth if fourth[0] < best[0] else best


@scalar
def crossing(start: float, step: float, half: float) -> tuple[float, float]:
    """After how many steps a point from start comes within half of 0, and after how many it leaves."""
    if step == 0.0:
        return (-1.0, 1.0) if abs(start) <= half else (1.0, -1.0)
    one = (-half - start) / step
    two = (half - start) / step
    return min(one, two), max(one, two)


@scalar
def chord(x: float, y: float, dx: float, dy: float, a: float, b: float) -> tuple[float, float, float]:
    """Length and middle of what an edge has inside core (a, b); its middle is (x, y), (dx, dy) its half.

    The length is less than 0 where there is nothing. Reference: Liang and Barsky's clipping.
    """
    x_low, x_high = crossing(x, dx, a)
    y_low, y_high = crossing(y, dy, b)
    low = max(-1.0, x_low, y_low)
    high = min(1.0, x_high, y_high)
    middle = 0.5 * (low + high)
    length = (high - low) * (abs(dx) + abs(dy))
    return length if high >= low else -1.0, x + middle * dx, y + middle * dy


@scalar
def middle_of_chord(base: Any, other: Any) -> tuple[bool, float, float]:
    """Whether the other core's outline crosses the base's core, and the middle of its longest stretch there.

    The middle as the base sees it.
    """
    u, v, ex, ey, fx, fy = seen(base, other)
    best = chord(u + ex, v + ey, fx, fy, base[4], base[5])
    rear = chord(u - ex, v - ey, fx, fy, base[4], base[5])
    left = chord(u + fx, v + fy, ex, ey, base[4], base[5])
    right = chord(u - fx, v - fy, ex, ey, base[4], base[5])
    best = rear if rear[0] > best[0] else best
    best = left if left[0] > best[0] else best
    best = right if right[0] > best[0] else best
    return best[0] >= 0.0, best[1], best[2]


@scalar
def nearest_points(a: Any, b: Any, tol: float) -> tuple[float, float, float, float]:
    """Nearest points of two bases, each given by its seven numbers: that of a, that of b.

    In contact, a common point: in the middle of what the line between the cores has in both, or between them.
    """
    squared, x0, y0, x1, y1 = nearest_corner(a, b)
    b_squared, px, py, qx, qy = nearest_corner(b, a)
    frame = a
    if b_squared < squared:
        squared, x0, y0, x1, y1 = b_squared, qx, qy, px, py
        frame = b
    if squared > SHARED_SQUARED:
        do_cross, px, py = middle_of_chord(a, b)
        if do_cross:
            squared, x0, y0, x1, y1 = 0.0, px, py, px, py
            frame = a
    length = math.sqrt(squared)
    scale = 1.0 / length if length > 0.0 else 0.0
    start = min(a[6], length) * scale
    end = max(length - b[6], 0.0) * scale
    if length - (a[6] + b[6]) <= tol:
        start = 0.5 * (start + end)
        end = start
    dx = x1 - x0
    dy = y1 - y0
    x1, y1 = x0 + end * dx, y0 + end * dy
    x0, y0 = x0 + start * dx, y0 + start * dy
    x, y, cos, sin = frame[0], frame[1], frame[2], frame[3]
    return (
        x + (cos * x0 - sin * y0),
        y + (sin * x0 + cos * y0),
        x + (cos * x1 - sin * y1),
        y + (sin * x1 + cos * y1),
    )
