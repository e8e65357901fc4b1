"""Which segments pass through no shape, as legs of routes must.

Solid shapes (radius 0 or more) stop what gets into their interiors. Thin ones (radius less than 0: bridges
between shapes in contact) and walls, which are segments, stop what passes from one side to the other.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_2, BOOL_OUT1, F8, F8_1, F8_2, F8_3, I8_1, NONE, kernel, scalar
from ninthgeom_kernel.hit import to_edge

# A segment with a loose end in a bridge may run so far in it, in tolerances: across, but not along.
_ACROSS = 4.0


@scalar
def clipped(
    x0: float, y0: float, x1: float, y1: float, vertices: Any, s: int, n: int, slack: float
) -> tuple[float, float]:
    """Return from which share of a segment to which it is inside a convex polygon grown by slack.

    The first is the larger one if no part of it is.
    """
    first = 0.0
    last = 1.0
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ax = vertices[s, 0, k]
        ay = vertices[s, 1, k]
        ex = vertices[s, 0, j] - ax
        ey = vertices[s, 1, j] - ay
        grown = slack * math.sqrt(ex * ex + ey * ey)
        f0 = ex * (y0 - ay) - ey * (x0 - ax) + grown
        f1 = ex * (y1 - ay) - ey * (x1 - ax) + grown
        if f0 <= 0.0 and f1 <= 0.0:
            last = -1.0
        elif f0 <= 0.0:
            first = max(first, f0 / (f0 - f1))
        elif f1 <= 0.0:
            last = min(last, f0 / (f0 - f1))
    return first, last


@scalar
def is_pierced(
    x0: float, y0: float, x1: float, y1: float, vertices: Any, s: int, n: int, radius: float, slack: float
) -> bool:
    """Tell whether a segment gets into the interior of a solid shape grown by slack."""
    if n > 2:
        first, last = clipped(x0, y0, x1, y1, vertices, s, n, slack)
        if last > first:
            return True
        if radius == 0.0:
            return False
    dx = x1 - x0
    dy = y1 - y0
    nearest = math.inf
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ax = vertices[s, 0, k]
        ay = vertices[s, 1, k]
        ex = vertices[s, 0, j] - ax
        ey = vertices[s, 1, j] - ay
        corner, _ = to_edge(ax, ay, x0, y0, dx, dy)
        nearest = min(nearest, corner)
        if n > 1:
            start, _ = to_edge(x0, y0, ax, ay, ex, ey)
            end, _ = to_edge(x1, y1, ax, ay, ex, ey)
            nearest = min(nearest, start, end)
            before = ex * (y0 - ay) - ey * (x0 - ax)
            after = ex * (y1 - ay) - ey * (x1 - ax)
            right = dx * (ay - y0) - dy * (ax - x0)
            left = right + dx * ey - dy * ex
            if before * after < 0.0 and right * left < 0.0:
                nearest = 0.0
    reach = radius + slack
    return reach > 0.0 and nearest < reach * reach


@scalar
def passed_bridge(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    vertices: Any,
    s: int,
    n: int,
    reach: float,
    is_loose0: bool,
    is_loose1: bool,
    tol: float,
) -> bool:
    """Tell whether a segment passes through a thin shape with corners further than reach on both sides."""
    dx = x1 - x0
    dy = y1 - y0
    length = math.sqrt(dx * dx + dy * dy)
    if length == 0.0:
        return False
    dx /= length
    dy /= length
    low = math.inf
    high = -math.inf
    for k in range(n):
        off = dx * (vertices[s, 1, k] - y0) - dy * (vertices[s, 0, k] - x0)
        low = min(low, off)
        high = max(high, off)
    if low >= -reach or high <= reach:
        return False
    first = math.inf
    last = -math.inf
    near0 = math.inf
    near1 = math.inf
    for k in range(n):
        j = k + 1 if k + 1 < n else 0
        ax = vertices[s, 0, k] - x0
        ay = vertices[s, 1, k] - y0
        bx = vertices[s, 0, j] - x0
        by = vertices[s, 1, j] - y0
        f0 = dx * ay - dy * ax
        f1 = dx * by - dy * bx
        if (f0 < 0.0) != (f1 < 0.0):
            share = f0 / (f0 - f1)
            at = dx * (ax + share * (bx - ax)) + dy * (ay + share * (by - ay))
            first = min(first, at)
            last = max(last, at)
        off, _ = to_edge(x0, y0, ax + x0, ay + y0, bx - ax, by - ay)
        near0 = min(near0, off)
        off, _ = to_edge(x1, y1, ax + x0, ay + y0, bx - ax, by - ay)
        near1 = min(near1, off)
    if last <= 0.0 or first >= length:
        return False
    is_held0 = near0 <= tol * tol or first < 0.0 < last
    is_held1 = near1 <= tol * tol or first < length < last
    if (is_loose0 and is_held0) or (is_loose1 and is_held1):
        return min(last, length) - max(first, 0.0) > _ACROSS * tol
    return True


@scalar
def passed_wall(
    x0: float,
    y0: float,
    x1: float,
    y1: float,
    walls: Any,
    w: int,
    whole: int,
    is_loose0: bool,
    is_loose1: bool,
    tol: float,
) -> bool:
    """Tell whether a segment passes a wall from one side to the other.

    It does not if it has a loose end on this wall, or on the whole one that this is a part of.
    """
    ax = walls[w, 0]
    ay = walls[w, 1]
    ex = walls[w, 2] - ax
    ey = walls[w, 3] - ay
    dx = x1 - x0
    dy = y1 - y0
    before = ex * (y0 - ay) - ey * (x0 - ax)
    after = ex * (y1 - ay) - ey * (x1 - ax)
    right = dx * (ay - y0) - dy * (ax - x0)
    left = dx * (ay + ey - y0) - dy * (ax + ex - x0)
    if before * after >= 0.0 or right * left >= 0.0:
        return False
    if is_loose0 or is_loose1:
        for k in (w, whole):
            ax = walls[k, 0]
            ay = walls[k, 1]
            ex = walls[k, 2] - ax
            ey = walls[k, 3] - ay
            off0, _ = to_edge(x0, y0, ax, ay, ex, ey)
            off1, _ = to_edge(x1, y1, ax, ay, ex, ey)
            if (is_loose0 and off0 <= tol * tol) or (is_loose1 and off1 <= tol * tol):
                return False
    return True


@scalar
def misses_box(x0: float, y0: float, x1: float, y1: float, boxes: Any, k: int, slack: float) -> bool:
    """Tell whether a segment certainly misses a box grown by slack: separated along an axis or its normal."""
    half_x = 0.5 * (boxes[k, 2] - boxes[k, 0]) + slack
    half_y = 0.5 * (boxes[k, 3] - boxes[k, 1]) + slack
    x = 0.5 * (boxes[k, 2] + boxes[k, 0]) - 0.5 * (x0 + x1)
    y = 0.5 * (boxes[k, 3] + boxes[k, 1]) - 0.5 * (y0 + y1)
    dx = 0.5 * (x1 - x0)
    dy = 0.5 * (y1 - y0)
    if abs(x) > half_x + abs(dx) or abs(y) > half_y + abs(dy):
        return True
    # with a margin, since rounding must not separate what touches
    off = abs(dx * y - dy * x)
    misses: bool = off > (1.0 + 1e-9) * (abs(dx) * half_y + abs(dy) * half_x) + 1e-12 * (abs(x) + abs(y))
    return misses


@kernel(NONE(F8_2, I8_1, F8_2, F8_2, F8_3, I8_1, F8_1, F8, BOOL_OUT1))
def free_of_solids(
    segments: Any,
    groups: Any,
    group_boxes: Any,
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    slack: float,
    free: Any,
) -> None:
    """Tell which segments are free of solid shapes; touching and running along them is free.

    Parameters
    ----------
    segments : (n, 4)
        x0, y0, x1, y1. One of no length is a point: it is free if it is inside no shape.
    groups, group_boxes : (g + 1,), (g, 4)
        Shapes that belong together: where each group begins, and a box round it. A polygon is cut in dozens
        of shapes, and most segments are far from most polygons.
    boxes : (m, 4)
        Least x and y, most x and y of each shape, its radius included.
    vertices, counts, radii : (m, 2, W), (m,), (m,)
        Shapes: corners counter-clockwise, different ones. Solid ones of radius 0 have three or more. Those
        of a radius less than 0 are thin, and left out.
    slack : float
        Shapes are taken for so much larger.
    free : (n,) bool, written
    """
    for i in range(segments.shape[0]):
        x0 = segments[i, 0]
        y0 = segments[i, 1]
        x1 = segments[i, 2]
        y1 = segments[i, 3]
        is_free = True
        for g in range(group_boxes.shape[0]):
            if not is_free:
                break
            if misses_box(x0, y0, x1, y1, group_boxes, g, slack):
                continue
            for s in range(groups[g], groups[g + 1]):
                if radii[s] < 0.0 or misses_box(x0, y0, x1, y1, boxes, s, slack):
                    continue
                if is_pierced(x0, y0, x1, y1, vertices, s, counts[s], radii[s], slack):
                    is_free = False
                    break
        free[i] = is_free


@kernel(NONE(F8_2, BOOL_2, I8_1, F8_2, F8_2, F8_3, I8_1, F8_1, F8_2, I8_1, F8, BOOL_OUT1))
def free_of_walls(
    segments: Any,
    loose: Any,
    groups: Any,
    group_boxes: Any,
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    walls: Any,
    wholes: Any,
    tol: float,
    free: Any,
) -> None:
    """Tell which segments are free of thin shapes and walls as well.

    Apart from `free_of_solids`, which takes the same shapes, since both together compile too long.

    Parameters
    ----------
    segments : (n, 4)
    loose : (n, 2) bool
        Ends within tol of a wall or a bridge that may leave it to either side. In a bridge longer than it is
        wide they may not run along.
    groups, group_boxes, boxes, vertices, counts, radii
        As there; shapes of a radius of 0 or more are left out.
    walls : (k, 4)
        x0, y0, x1, y1.
    wholes : (k,)
        The wall that each is a part of, mostly itself: a loose end on that one may pass them all.
    tol : float
    free : (n,) bool, read and written
        Segments that are not free already are not looked at.
    """
    for i in range(segments.shape[0]):
        x0 = segments[i, 0]
        y0 = segments[i, 1]
        x1 = segments[i, 2]
        y1 = segments[i, 3]
        is_free = free[i]
        for g in range(group_boxes.shape[0]):
            if not is_free:
                break
            if misses_box(x0, y0, x1, y1, group_boxes, g, 0.0):
                continue
            for s in range(groups[g], groups[g + 1]):
                if radii[s] >= 0.0 or misses_box(x0, y0, x1, y1, boxes, s, 0.0):
                    continue
                if passed_bridge(
                    x0, y0, x1, y1, vertices, s, counts[s], -radii[s], loose[i, 0], loose[i, 1], tol
                ):
                    is_free = False
                    break
        for w in range(walls.shape[0]):
            if not is_free:
                break
            is_free = not passed_wall(x0, y0, x1, y1, walls, w, wholes[w], loose[i, 0], loose[i, 1], tol)
        free[i] = is_free
