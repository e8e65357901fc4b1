"""Scalar geometry of lines straight ahead of a facing, among convex shapes in the frame of the facing.

In that frame lines run along y, and each is one x. Shapes are convex cores, corners counter-clockwise, with a
radius; `shapes` holds their corners, `limits` a row for each of the numbers named below.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

LEFT_END, RIGHT_END, BOTTOM, TOP, RADIUS, RIM, CORNERS = range(7)
LIMITS = 7


@scalar
def normal(cos: float, sin: float, facing: int) -> tuple[float, float]:
    """Outward normal of a facing, counted from the front to the left, of a heading."""
    if facing == 0:
        return cos, sin
    if facing == 1:
        return -sin, cos
    if facing == 2:
        return -cos, -sin
    return sin, -cos


@scalar
def set_limits(shapes: Any, limits: Any, k: int, count: int, radius: float, rim: float) -> None:
    """Note how far shape k reaches, and that lines no deeper than `rim` inside its width pass it."""
    left = math.inf
    right = -math.inf
    bottom = math.inf
    top = -math.inf
    for i in range(count):
        left = min(left, shapes[0, k, i])
        right = max(right, shapes[0, k, i])
        bottom = min(bottom, shapes[1, k, i])
        top = max(top, shapes[1, k, i])
    limits[LEFT_END, k] = left - radius
    limits[RIGHT_END, k] = right + radius
    limits[BOTTOM, k] = bottom - radius
    limits[TOP, k] = top + radius
    limits[RADIUS, k] = radius
    limits[RIM, k] = rim
    limits[CORNERS, k] = count


@scalar
def put_base(
    shapes: Any,
    limits: Any,
    k: int,
    x: float,
    y: float,
    c: float,
    s: float,
    along: float,
    across: float,
    radius: float,
    rim: float,
) -> None:
    """Make shape k a base with its centre at (x, y) and heading (c, s); corners front left, then rear left."""
    for i in range(4):
        ahead = along if i % 3 == 0 else -along
        aside = across if i < 2 else -across
        shapes[0, k, i] = x + ahead * c - aside * s
        shapes[1, k, i] = y + ahead * s + aside * c
    set_limits(shapes, limits, k, 4, radius, rim)


@scalar
def put_unit(
    shapes: Any,
    limits: Any,
    first: int,
    slots: Any,
    living: Any,
    row: int,
    start: int,
    end: int,
    dx: float,
    dy: float,
    cos: float,
    sin: float,
    nx: float,
    ny: float,
    rim: float,
) -> None:
    """Put the bases of a unit's living models in the frame of normal (nx, ny), at (dx, dy) from its origin."""
    x = ny * dx - nx * dy
    y = nx * dx + ny * dy
    c = ny * cos - nx * sin
    s = nx * cos + ny * sin
    for slot in range(start, end):
        k = first + slot - start
        if living[row, slot]:
            ahead = slots[0, slot]
            aside = slots[1, slot]
            put_base(
                shapes,
                limits,
                k,
                x + ahead * c - aside * s,
                y + ahead * s + aside * c,
                c,
                s,
                slots[2, slot],
                slots[3, slot],
                slots[4, slot],
                rim,
            )
        else:
            limits[CORNERS, k] = 0.0


@scalar
def mark_covered(limits: Any, first: int, n: int, reach: float, tol: float, covered: Any) -> None:
    """Tell whose top edge others of a unit cover from end to end, standing on it or `reach` above it."""
    for i in range(first, first + n):
        at = limits[LEFT_END, i]
        is_on = limits[CORNERS, i] > 0.0
        while is_on and at < limits[RIGHT_END, i] - tol:
            further = at
            for j in range(first, first + n):
                above = limits[BOTTOM, j] - limits[TOP, i]
                is_there = (j != i) & (limits[CORNERS, j] > 0.0) & (-tol <= above) & (above <= reach + tol)
                if is_there & (limits[LEFT_END, j] <= at + tol):
                    further = max(further, limits[RIGHT_END, j])
            is_on = further > at
            at = further
        covered[i] = is_on


@scalar
def extent(shapes: Any, limits: Any, k: int, x: float, tol: float) -> tuple[float, float]:
    """Lowest and highest point of shape k on the line x, within tol of its width."""
    low = math.inf
    high = -math.inf
    count = int(limits[CORNERS, k])
    radius = limits[RADIUS, k]
    px = shapes[0, k, count - 1]
    py = shapes[1, k, count - 1]
    for i in range(count):
        qx = shapes[0, k, i]
        qy = shapes[1, k, i]
        off = abs(x - qx)
        if off <= radius + 2.0 * tol:
            height = math.sqrt(max(radius * radius - off * off, 0.0))
            low = min(low, qy - height)
            high = max(high, qy + height)
        ex = qx - px
        ey = qy - py
        if abs(ex) > tol:
            length = math.sqrt(ex * ex + ey * ey)
            share = (x - radius * ey / length - px) / ex
            if 0.0 <= share <= 1.0:
                y = py - radius * ex / length + share * ey
                low = min(low, y)
                high = max(high, y)
        px = qx
        py = qy
    return low, high


@scalar
def is_line_free(
    shapes: Any,
    limits: Any,
    n: int,
    i: int,
    j: int,
    edge: int,
    low: float,
    high: float,
    tol: float,
) -> bool:
    """Tell whether some line from low to high runs from the top of shape i to shape j and meets no other.

    It ends on j's edge of this number, or on its lower side if that is -1. Every line is at or right of one
    where a shape ends, or of the first.
    """
    x = low
    top = limits[TOP, i]
    while x <= high:
        y = reached(shapes, limits, j, edge, x, tol)
        at = x
        for k in range(n):
            rim = limits[RIM, k]
            is_beside = (x <= limits[LEFT_END, k] + rim) | (x >= limits[RIGHT_END, k] - rim)
            if is_beside | (k == i) | (k == j) | (limits[CORNERS, k] == 0.0):
                continue
            bottom, peak = extent(shapes, limits, k, x, tol)
            if (bottom < y - tol) & (peak > top + tol):
                at = max(at, limits[RIGHT_END, k] - rim)
        if at == x:
            return True
        x = at
    return False


@scalar
def reached(shapes: Any, limits: Any, k: int, edge: int, x: float, tol: float) -> float:
    """Where the line x meets an edge of shape k, counted by its last corner, or its lower side for -1."""
    if edge < 0:
        return extent(shapes, limits, k, x, tol)[0]
    px = shapes[0, k, (edge + 3) % 4]
    py = shapes[1, k, (edge + 3) % 4]
    ex = shapes[0, k, edge] - px
    return py + min(1.0, max(0.0, (x - px) / ex)) * (shapes[1, k, edge] - py)
