"""Scalar geometry of convex shapes given as points plus a radius.

A shape is a row of vertices ``px[:n], py[:n]`` in counter-clockwise order and a radius: the hull of discs of that
radius round the vertices. One vertex makes a disc, two a stadium or a segment. A *box* is the same for a base: centre,
half axis vectors ``(ux, uy)`` and ``(vx, vy)`` and a radius, with the unit direction ``(ex, ey)`` of the first axis, which
stays defined where an extent is zero.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

# Two shapes whose overlap is below this are told apart as disjoint: rounding on a table is a thousand times smaller.
ROUNDING = 1e-9


@scalar
def distance_to_segment(x: float, y: float, x0: float, y0: float, x1: float, y1: float) -> float:
    """Distance from a point to a segment; a zero-length segment is a point."""
    dx = x1 - x0
    dy = y1 - y0
    length2 = dx * dx + dy * dy
    f = 0.0
    if length2 > 0.0:
        f = min(1.0, max(0.0, ((x - x0) * dx + (y - y0) * dy) / length2))
    return math.hypot(x - x0 - f * dx, y - y0 - f * dy)


@scalar
def signed_distance(x: float, y: float, px: Any, py: Any, n: int) -> float:
    """Distance from a point to the core of a shape, negative (depth to the nearest edge) strictly inside."""
    nearest = math.inf
    inside = n > 2
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        nearest = min(nearest, distance_to_segment(x, y, px[i], py[i], px[j], py[j]))
        if (px[j] - px[i]) * (y - py[i]) - (py[j] - py[i]) * (x - px[i]) <= 0.0:
            inside = False
    return -nearest if inside else nearest


@scalar
def cores_meet(ax: Any, ay: Any, an: int, bx: Any, by: Any, bn: int) -> bool:
    """Tell whether the cores of two shapes share a point: no edge normal of either separates them.

    Cores of fewer than three vertices have no inside; for two of those only a crossing counts, which the edge
    normals of both settle. Touching cores count as meeting.
    """
    for turn in range(2):
        n = an if turn == 0 else bn
        m = bn if turn == 0 else an
        if n < 2:
            continue
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            if turn == 0:
                x0, y0, x1, y1 = ax[i], ay[i], ax[j], ay[j]
            else:
                x0, y0, x1, y1 = bx[i], by[i], bx[j], by[j]
            nx = y1 - y0
            ny = x0 - x1
            apart = True
            for k in range(m):
                x = bx[k] if turn == 0 else ax[k]
                y = by[k] if turn == 0 else ay[k]
                if nx * (x - x0) + ny * (y - y0) <= 0.0:
                    apart = False
                    break
            if apart:
                return False
    return an > 1 and bn > 1 and (an > 2 or bn > 2 or _segments_cross(ax, ay, bx, by))


@scalar
def _segments_cross(ax: Any, ay: Any, bx: Any, by: Any) -> bool:
    """Tell whether two segments cross in a point inside both; collinear ones are left to the end points."""
    d0 = (bx[1] - bx[0]) * (ay[0] - by[0]) - (by[1] - by[0]) * (ax[0] - bx[0])
    d1 = (bx[1] - bx[0]) * (ay[1] - by[0]) - (by[1] - by[0]) * (ax[1] - bx[0])
    e0 = (ax[1] - ax[0]) * (by[0] - ay[0]) - (ay[1] - ay[0]) * (bx[0] - ax[0])
    e1 = (ax[1] - ax[0]) * (by[1] - ay[0]) - (ay[1] - ay[0]) * (bx[1] - ax[0])
    return d0 * d1 < 0.0 and e0 * e1 < 0.0


@scalar
def distance_to_core(x: float, y: float, px: Any, py: Any, n: int) -> float:
    """Distance from a point to the core of a shape, 0 inside."""
    return max(0.0, signed_distance(x, y, px, py, n))


@scalar
def core_distance(ax: Any, ay: Any, an: int, bx: Any, by: Any, bn: int) -> float:
    """Euclidean distance of two cores, 0 where they meet: disjoint convex cores are nearest at a vertex of one."""
    if cores_meet(ax, ay, an, bx, by, bn):
        return 0.0
    nearest = math.inf
    for i in range(an):
        nearest = min(nearest, distance_to_core(ax[i], ay[i], bx, by, bn))
    for i in range(bn):
        nearest = min(nearest, distance_to_core(bx[i], by[i], ax, ay, an))
    return nearest


@scalar
def separating_normal(
    px: Any,
    py: Any,
    n: int,
    radius: float,
    cx: float,
    cy: float,
    ux: float,
    uy: float,
    vx: float,
    vy: float,
    ex: float,
    ey: float,
    box_radius: float,
) -> tuple[bool, float, float]:
    """Unit normal of a line between a shape and a box, pointing from the box to the shape.

    Candidates are the axes of the box, the edge normals of the shape and, where a radius is positive, the direction
    between the nearest points of the cores. Returns ``(False, 0, 0)`` for shapes that overlap by more than rounding.
    Source: separating axis theorem for convex sets.
    """
    both = radius + box_radius
    half_u = math.hypot(ux, uy)
    half_v = math.hypot(vx, vy)
    # axes of the box: e and its left normal
    for axis in range(2):
        if axis == 0:
            nx, ny, half = ex, ey, half_u
        else:
            nx, ny, half = -ey, ex, half_v
        low = math.inf
        high = -math.inf
        for i in range(n):
            d = nx * (px[i] - cx) + ny * (py[i] - cy)
            low = min(low, d)
            high = max(high, d)
        if low - both - half > -ROUNDING:
            return True, nx, ny
        if -high - both - half > -ROUNDING:
            return True, -nx, -ny
    # edge normals of the shape
    if n > 1:
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            nx = py[j] - py[i]
            ny = px[i] - px[j]
            length = math.hypot(nx, ny)
            if length == 0.0:
                continue
            nx /= length
            ny /= length
            d = nx * (cx - px[i]) + ny * (cy - py[i])
            if d - abs(nx * ux + ny * uy) - abs(nx * vx + ny * vy) - both > -ROUNDING:
                return True, -nx, -ny
    # nearest points of the cores: only round corners (and the ends of segments) need this direction
    best = math.inf
    bx = 0.0
    by = 0.0
    for i in range(n):
        qx = px[i] - cx
        qy = py[i] - cy
        a = ex * qx + ey * qy
        b = -ey * qx + ex * qy
        a -= min(half_u, max(-half_u, a))
        b -= min(half_v, max(-half_v, b))
        d = math.hypot(a, b)
        if d < best:
            best = d
            bx = ex * a - ey * b
            by = ey * a + ex * b
    for corner in range(4):
        i1 = 1.0 if corner < 2 else -1.0
        i2 = 1.0 if corner % 2 == 0 else -1.0
        x = cx + i1 * ux + i2 * vx
        y = cy + i1 * uy + i2 * vy
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            dx = px[j] - px[i]
            dy = py[j] - py[i]
            length2 = dx * dx + dy * dy
            f = 0.0
            if length2 > 0.0:
                f = min(1.0, max(0.0, ((x - px[i]) * dx + (y - py[i]) * dy) / length2))
            qx = px[i] + f * dx - x
            qy = py[i] + f * dy - y
            d = math.hypot(qx, qy)
            if d < best:
                best = d
                bx = qx
                by = qy
    # overlapping cores give nearest "distances" between boundary points, or 0: the axes above have settled those
    if best > ROUNDING and best - both > -ROUNDING:
        nx = bx / best
        ny = by / best
        low = math.inf
        for i in range(n):
            low = min(low, nx * (px[i] - cx) + ny * (py[i] - cy))
        if low - abs(nx * ux + ny * uy) - abs(nx * vx + ny * vy) - both > -ROUNDING:
            return True, nx, ny
    return False, 0.0, 0.0
