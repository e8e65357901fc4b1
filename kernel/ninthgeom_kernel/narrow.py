"""Scalar geometry of the gap between two rounded convex polygons, and of what stands in it.

A *piece* is a range of columns of an array of corners ``(2, V)``, counter-clockwise, with a radius round it:
one corner for a disc, two for an oval, four for a rectangle. A gap lies where two of them are nearest to each
other; between parallel sides it is a rectangle, else a line.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.convex import ROUNDING
from ninthgeom_kernel.pieces import off_edge

# Rows of a gate: middle, direction from the first piece to the second, width, breadth.
X, Y, NX, NY, WIDTH, BREADTH = range(6)


@scalar
def narrowest(
    p: Any,
    first: int,
    last: int,
    radius: float,
    q: Any,
    other: int,
    end: int,
    other_radius: float,
    most: float,
    tol: float,
    gate: Any,
) -> bool:
    """Whether two pieces are nearer than ``most`` but more than tol apart; then the gap is written to gate.

    Nearest are a corner and an edge that the whole other piece is beyond, or two corners. Where two edges are
    parallel, the gap is as broad as they are side by side. Source: separating axis theorem.
    """
    reach = radius + other_radius
    beyond = -math.inf
    nearest = math.inf
    has_edge = False
    nx = ny = ex = ey = sx = sy = 0.0
    a, a_first, a_last, b, b_first, b_last = p, first, last, q, other, end
    for turn in range(2):
        sign = 1.0 - 2.0 * turn
        x = a[0, a_last - 1]
        y = a[1, a_last - 1]
        for i in range(a_first, a_last):
            # the edge that ends at corner i
            dx = a[0, i] - x
            dy = a[1, i] - y
            length2 = dx * dx + dy * dy
            share = 1.0 / length2 if length2 > 0.0 else 0.0
            lowest = math.inf
            for k in range(b_first, b_last):
                bx = b[0, k] - x
                by = b[1, k] - y
                lowest = min(lowest, dy * bx - dx * by)
                squared, fx, fy = off_edge(bx, by, dx, dy, share)
                if squared < nearest:
                    nearest = squared
                    ex = sign * (bx - fx)
                    ey = sign * (by - fy)
                    # the middle between both
                    sx = x + 0.5 * (bx + fx)
                    sy = y + 0.5 * (by + fy)
            if length2 > ROUNDING * ROUNDING:
                has_edge = True
                scale = 1.0 / math.sqrt(length2)
                if lowest * scale > beyond:
                    beyond = lowest * scale
                    if beyond - reach >= most:
                        return False
                    nx = sign * dy * scale
                    ny = -sign * dx * scale
            x = a[0, i]
            y = a[1, i]
        a, a_first, a_last, b, b_first, b_last = q, other, end, p, first, last
    distance = math.sqrt(nearest)
    width = distance - reach
    if width <= tol or width >= most or distance <= ROUNDING or (has_edge and beyond <= -ROUNDING):
        return False
    gate[WIDTH] = width
    gate[BREADTH] = 0.0
    if not has_edge or beyond < distance - ROUNDING:
        nx = ex / distance
        ny = ey / distance
        shift = 0.5 * (radius - other_radius)
        gate[X] = sx + shift * nx
        gate[Y] = sy + shift * ny
    else:  # the normal of an edge is exact however narrow the gap is
        x = p[0, first]
        y = p[1, first]
        level = -math.inf
        other_level = math.inf
        for i in range(first, last):
            level = max(level, nx * (p[0, i] - x) + ny * (p[1, i] - y))
        for k in range(other, end):
            other_level = min(other_level, nx * (q[0, k] - x) + ny * (q[1, k] - y))
        low = other_low = math.inf
        high = other_high = -math.inf
        for i in range(first, last):
            dx = p[0, i] - x
            dy = p[1, i] - y
            if nx * dx + ny * dy >= level - 0.5 * tol - ROUNDING:
                along = nx * dy - ny * dx
                low = min(low, along)
                high = max(high, along)
        for k in range(other, end):
            dx = q[0, k] - x
            dy = q[1, k] - y
            if nx * dx + ny * dy <= other_level + 0.5 * tol + ROUNDING:
                along = nx * dy - ny * dx
                other_low = min(other_low, along)
                other_high = max(other_high, along)
        low = max(low, other_low)
        high = min(high, other_high)
        if high - low > tol:
            gate[BREADTH] = high - low
            along = 0.5 * (low + high)
            out = 0.5 * (level + radius + other_level - other_radius)
            gate[X] = x + out * nx - along * ny
            gate[Y] = y + out * ny + along * nx
        else:
            shift = 0.5 * (radius - other_radius)
            gate[X] = sx + shift * nx
            gate[Y] = sy + shift * ny
    gate[NX] = nx
    gate[NY] = ny
    return True


@scalar
def squared_from(p: Any, first: int, last: int, x: float, y: float) -> float:
    """Squared distance of a point from a convex polygon; 0 inside."""
    nearest = math.inf
    is_inside = True
    px = p[0, last - 1]
    py = p[1, last - 1]
    for i in range(first, last):
        dx = p[0, i] - px
        dy = p[1, i] - py
        if dx * (y - py) - dy * (x - px) < 0.0:
            is_inside = False
        length2 = dx * dx + dy * dy
        share = 1.0 / length2 if length2 > 0.0 else 0.0
        nearest = min(nearest, off_edge(x - px, y - py, dx, dy, share)[0])
        px = p[0, i]
        py = p[1, i]
    return 0.0 if is_inside and last - first > 2 else nearest


@scalar
def in_strip(p: Any, first: int, last: int, radius: float, gate: Any, half: float) -> tuple[float, float]:
    """Where along the breadth of a gate, from its middle on, a piece is no further than half from its line.

    The line is the one halfway between both sides. Returns inf and -inf where it does not.
    """
    low = math.inf
    high = -math.inf
    nx = gate[NX]
    ny = gate[NY]
    dx = p[0, last - 1] - gate[X]
    dy = p[1, last - 1] - gate[Y]
    out = nx * dx + ny * dy
    along = nx * dy - ny * dx
    for i in range(first, last):
        dx = p[0, i] - gate[X]
        dy = p[1, i] - gate[Y]
        next_out = nx * dx + ny * dy
        next_along = nx * dy - ny * dx
        beside = max(abs(next_out) - half, 0.0)
        if beside <= radius:
            reach = math.sqrt(radius * radius - beside * beside)
            low = min(low, next_along - reach)
            high = max(high, next_along + reach)
        # the edge that ends at this corner, moved out by the radius
        rise = next_out - out
        run = next_along - along
        length = math.sqrt(rise * rise + run * run)
        if length > 0.0:
            # left is along, so outside of a counter-clockwise ring is to the right
            from_out = out - radius * run / length
            from_along = along + radius * rise / length
            begin = 0.0
            finish = 1.0
            if rise != 0.0:
                enter = (-half - from_out) / rise
                leave = (half - from_out) / rise
                begin = max(begin, min(enter, leave))
                finish = min(finish, max(enter, leave))
            elif abs(from_out) > half:
                begin = 2.0
            if begin <= finish:
                one = from_along + begin * run
                two = from_along + finish * run
                low = min(low, one, two)
                high = max(high, one, two)
        out = next_out
        along = next_along
    return low, high


@scalar
def put_core(
    points: Any, at: int, x: float, y: float, cos: float, sin: float, along: float, across: float
) -> int:
    """Write the corners of the core of a base, counter-clockwise: 1, 2 or 4 of them; returns the end."""
    for k in range(4):
        i = 1.0 if k == 0 or k == 3 else -1.0
        j = 1.0 if k < 2 else -1.0
        if (along > 0.0 or k == 0 or k == 3) and (across > 0.0 or k < 2):
            points[0, at] = x + i * along * cos - j * across * sin
            points[1, at] = y + i * along * sin + j * across * cos
            at += 1
    return at
