"""Scalar geometry of lines straight ahead of a facing, among convex shapes in the frame of the facing.

In that frame lines run along y, and each is one x. Shapes are convex cores, corners counter-clockwise, with a
radius; `shapes` holds their corners, `limits` a row for each of the numbers named below.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

LEFT_END, RIGHT_END, TOP, RADIUS, RIM, CORNERS = range(6)
# How well the end of what is between is found, in inches.
HALVED = 1e-9


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
def reached(shapes: Any, limits: Any, k: int, edge: int, x: float, tol: float) -> float:
    """Where the line x meets an edge of shape k, counted by its last corner, or its lower side for -1."""
    if edge < 0:
        return extent(shapes, limits, k, x, tol)[0]
    px = shapes[0, k, (edge + 3) % 4]
    py = shapes[1, k, (edge + 3) % 4]
    share = min(1.0, max(0.0, (x - px) / (shapes[0, k, edge] - px)))
    y: float = py + share * (shapes[1, k, edge] - py)
    return y


@scalar
def blocks(shapes: Any, limits: Any, k: int, i: int, j: int, edge: int, x: float, tol: float) -> bool:
    """Tell whether shape k is met by the line x between the top of shape i and shape j; x is in its width."""
    lowest, highest = extent(shapes, limits, k, x, tol)
    is_above: bool = highest > limits[TOP, i] + tol
    return is_above & (lowest < reached(shapes, limits, j, edge, x, tol) - tol)


@scalar
def is_line_free(
    shapes: Any,
    limits: Any,
    first: int,
    last: int,
    i: int,
    j: int,
    edge: int,
    low: float,
    high: float,
    tol: float,
) -> bool:
    """Tell whether some line from low to high runs from the top of shape i to shape j and meets no other.

    It ends on j's edge of this number, or on its lower side for -1; the others are shapes first to last. Free
    lines begin at the first one, where a shape ends, or where it is no longer between.
    """
    x = low
    while x <= high:
        at = x
        for k in range(first, last):
            rim = limits[RIM, k]
            end = limits[RIGHT_END, k] - rim
            is_beside = (
                (x <= limits[LEFT_END, k] + rim) | (x >= end) | (limits[TOP, k] <= limits[TOP, i] + tol)
            )
            if is_beside | (k == i) | (k == j) | (limits[CORNERS, k] == 0.0):
                continue
            if not blocks(shapes, limits, k, i, j, edge, x, tol):
                continue
            # What overlaps with j ends there, and below a round one it may begin again.
            goal = min(end, high)
            turn = min(max(x, 0.5 * (limits[LEFT_END, j] + limits[RIGHT_END, j])), goal)
            if edge < 0 and not blocks(shapes, limits, k, i, j, edge, turn, tol):
                goal = turn
            if not blocks(shapes, limits, k, i, j, edge, goal, tol):
                inside = x
                end = goal
                while end - inside > HALVED:
                    middle = 0.5 * (inside + end)
                    is_in = blocks(shapes, limits, k, i, j, edge, middle, tol)
                    inside = middle if is_in else inside
                    end = end if is_in else middle
            at = max(at, end)
        if at == x:
            return True
        x = at
    return False
