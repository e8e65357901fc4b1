"""Where paths, polylines, first enter a solid or pass a gate."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import (
    BOOL_2,
    F8,
    F8_2,
    F8_3,
    F8_4,
    F8_OUT1,
    I8_1,
    I8_2,
    I8_OUT1,
    NONE,
    kernel,
    scalar,
)
from ninthgeom_kernel.convex import ROUNDING

# Nothing stops a path.
NOTHING = -1
# Sines of bends below this are rounding of short segments, and change no side.
BEND = 1e-3


@scalar
def above(value: float, rise: float, low: float, high: float) -> tuple[float, float]:
    """Part of a stretch low to high where value + t rise is not below 0."""
    if rise > 0.0:
        low = max(low, -value / rise)
    elif rise < 0.0:
        high = min(high, -value / rise)
    elif value < 0.0:
        high = -1.0
    return low, high


@scalar
def in_disc(x: float, y: float, dx: float, dy: float, radius: float) -> tuple[float, float]:
    """Where from 0 to 1 a segment from x, y is in a disc round 0, 0; high below low: nowhere."""
    length2 = dx * dx + dy * dy
    middle = -(x * dx + y * dy) / length2
    off_x = x + middle * dx
    off_y = y + middle * dy
    inside = radius * radius - off_x * off_x - off_y * off_y
    if inside < 0.0:
        return 1.0, -1.0
    half = math.sqrt(inside / length2)
    return max(0.0, middle - half), min(1.0, middle + half)


@scalar
def hull(low: float, high: float, more_low: float, more_high: float) -> tuple[float, float]:
    """Join two stretches of a line in a convex shape; one may be empty."""
    if more_low > more_high:
        return low, high
    return min(low, more_low), max(high, more_high)


@scalar
def inside_of(p: Any, n: int, radius: float, x: float, y: float, dx: float, dy: float) -> tuple[float, float]:
    """Where from 0 to 1 a segment from x, y is inside a rounded polygon, and deeper than rounding.

    The shape is the core, a disc at each corner and a rectangle beside each edge. Source: Cyrus and Beck's
    clipping.
    """
    depth = ROUNDING if radius <= 0.0 else 0.0
    reach = max(radius - ROUNDING, 0.0)
    core_low = 0.0
    core_high = 1.0
    low = math.inf
    high = -math.inf
    doubled = 0.0
    px = p[0, n - 1]
    py = p[1, n - 1]
    for i in range(n):
        qx = p[0, i]
        qy = p[1, i]
        ex = qx - px
        ey = qy - py
        length = math.sqrt(ex * ex + ey * ey)
        if length > 0.0:
            doubled += ex * (py - p[1, 0]) - ey * (px - p[0, 0])
            ex /= length
            ey /= length
            # of the start and of the way: along the edge, and to the inside
            along = ex * (x - px) + ey * (y - py)
            run = ex * dx + ey * dy
            inward = ex * (y - py) - ey * (x - px)
            rise = ex * dy - ey * dx
            core_low, core_high = above(inward - depth, rise, core_low, core_high)
            if reach > 0.0:
                begin, end = above(along, run, 0.0, 1.0)
                begin, end = above(length - along, -run, begin, end)
                begin, end = above(inward + reach, rise, begin, end)
                begin, end = above(-inward, -rise, begin, end)
                low, high = hull(low, high, begin, end)
        if reach > 0.0 and (length > 0.0 or i == 0):
            begin, end = in_disc(x - qx, y - qy, dx, dy, reach)
            low, high = hull(low, high, begin, end)
        px = qx
        py = qy
    if abs(doubled) > ROUNDING:  # the core of an oval has no inside
        low, high = hull(low, high, core_low, core_high)
    return low, high


@scalar
def near_line(
    line: Any, at: int, x: float, y: float, dx: float, dy: float, reach: float
) -> tuple[float, float]:
    """Where from 0 to 1 a segment from x, y is no further than reach from a chain of three segments.

    From the first such point to the last.
    """
    low = math.inf
    high = -math.inf
    for k in range(4):
        px = line[at, k, 0]
        py = line[at, k, 1]
        begin, end = in_disc(x - px, y - py, dx, dy, reach)
        low, high = hull(low, high, begin, end)
        if k < 3:
            ex = line[at, k + 1, 0] - px
            ey = line[at, k + 1, 1] - py
            length = math.sqrt(ex * ex + ey * ey)
            if length > 0.0:
                ex /= length
                ey /= length
                along = ex * (x - px) + ey * (y - py)
                run = ex * dx + ey * dy
                aside = ex * (y - py) - ey * (x - px)
                rise = ex * dy - ey * dx
                begin, end = above(along, run, 0.0, 1.0)
                begin, end = above(length - along, -run, begin, end)
                begin, end = above(reach - aside, -rise, begin, end)
                begin, end = above(reach + aside, rise, begin, end)
                low, high = hull(low, high, begin, end)
    return low, high


@scalar
def side_of(line: Any, at: int, x: float, y: float) -> float:
    """On which side of a chain of three segments a point is: 1 left, -1 right.

    Where a bend is nearest, the point is on the outer side of it.
    """
    nearest = math.inf
    side = 0.0
    before_x = before_y = 0.0
    for k in range(3):
        px = line[at, k, 0]
        py = line[at, k, 1]
        ex = line[at, k + 1, 0] - px
        ey = line[at, k + 1, 1] - py
        length2 = ex * ex + ey * ey
        if length2 == 0.0:
            continue
        share = (ex * (x - px) + ey * (y - py)) / length2
        f = min(1.0, max(0.0, share))
        off_x = x - px - f * ex
        off_y = y - py - f * ey
        squared = off_x * off_x + off_y * off_y
        scale = 1.0 / math.sqrt(length2)
        ex *= scale
        ey *= scale
        turn = before_x * ey - before_y * ex
        if squared < nearest:
            nearest = squared
            side = 1.0 if ex * (y - py) - ey * (x - px) > 0.0 else -1.0
            if f == 0.0 and abs(turn) > BEND:
                side = -1.0 if turn > 0.0 else 1.0
        elif squared == nearest and f == 0.0 and abs(turn) > BEND:
            # the bend at the end of the segment before
            side = -1.0 if turn > 0.0 else 1.0
        before_x = ex
        before_y = ey
    return side


@scalar
def first_entry(
    p: Any, n: int, radius: float, is_gate: bool, points: Any, path: int, size: int, most: float
) -> float:
    """Length of a path up to where it enters a shape, inf if it does not before ``most``.

    Where it starts in a gate it may leave that.
    """
    travelled = 0.0
    may_leave = is_gate
    for i in range(size - 1):
        x = points[path, i, 0]
        y = points[path, i, 1]
        dx = points[path, i + 1, 0] - x
        dy = points[path, i + 1, 1] - y
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            low, high = inside_of(p, n, radius, x, y, dx, dy)
            if may_leave and low <= 0.0 and low < high:
                may_leave = high >= 1.0
            elif low < high:
                return travelled + low * length
            else:
                may_leave = False
        travelled += length
        if travelled > most:
            return math.inf
    return math.inf


@scalar
def first_pass(lines: Any, line: int, points: Any, path: int, size: int, most: float, tol: float) -> float:
    """Length of a path up to where it passes a line from one side to the other, inf if it does not.

    While it is no further than tol from the line, it keeps the side it came from; what begins or ends there
    does not pass.
    """
    travelled = 0.0
    came_from = 0.0
    is_on = True
    is_first = True
    for i in range(size - 1):
        x = points[path, i, 0]
        y = points[path, i, 1]
        dx = points[path, i + 1, 0] - x
        dy = points[path, i + 1, 1] - y
        length = math.sqrt(dx * dx + dy * dy)
        if length > 0.0:
            low, high = near_line(lines, line, x, y, dx, dy, tol)
            if low > high:
                # maybe it left at the corner before
                if is_on and not is_first and came_from * side_of(lines, line, x, y) < 0.0:
                    return travelled
                is_on = False
            else:
                if not is_on or (is_first and low > 0.0):
                    came_from = side_of(lines, line, x + low * dx, y + low * dy)
                is_on = high >= 1.0
                if not is_on and came_from * side_of(lines, line, x + high * dx, y + high * dy) < 0.0:
                    # where it crosses the line itself, if it does so here
                    px = lines[line, 1, 0]
                    py = lines[line, 1, 1]
                    ex = lines[line, 2, 0] - px
                    ey = lines[line, 2, 1] - py
                    share = -(ex * (y - py) - ey * (x - px)) / (ex * dy - ey * dx)
                    if low <= share <= high:
                        high = share
                    return travelled + high * length
            is_first = False
        travelled += length
        if travelled > most:
            return math.inf
    return math.inf


@kernel(NONE(F8_3, F8_4, I8_2, F8_2, BOOL_2, F8_3, I8_1, F8_3, I8_1, I8_1, F8, F8_OUT1, I8_OUT1))
def first_stops(
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    are_gates: Any,
    lines: Any,
    line_starts: Any,
    points: Any,
    sizes: Any,
    scenes: Any,
    tol: float,
    stops: Any,
    what: Any,
) -> None:
    """Find where each path is stopped first.

    Arguments: convex shapes of S scenes, as those of sight: boxes (S, 7, n), vertices (S, n, 2, W),
    counter-clockwise, counts (S, n), none where nothing is, radii (S, n); are_gates (S, n), what a path may
    leave that starts in it. lines (L, 4, 2), chains of three segments that paths may touch but not pass,
    those of scene s from line_starts[s] up to line_starts[s + 1]. points (N, V, 2) of the paths, sizes (N,),
    how many, scenes (N,); tol, how near a line a path is on it; stops (N,) and what (N,), written.
    Result: the length of each path up to the first place where it is stopped, inf if nowhere; and by what: a
    shape of its scene, n + a line, or -1.
    Boundary: shapes are open, lines may be touched within tol.
    Degenerate: paths of one point and steps of no length are never stopped.
    Reference: Cyrus and Beck's clipping.
    """
    n = counts.shape[1]
    for path in range(points.shape[0]):
        scene = scenes[path]
        size = sizes[path]
        low_x = low_y = math.inf
        high_x = high_y = -math.inf
        for i in range(size):
            low_x = min(low_x, points[path, i, 0])
            high_x = max(high_x, points[path, i, 0])
            low_y = min(low_y, points[path, i, 1])
            high_y = max(high_y, points[path, i, 1])
        best = math.inf
        found = NOTHING
        for k in range(n):
            if counts[scene, k] == 0:
                continue
            radius = radii[scene, k]
            reach = abs(boxes[scene, 2, k]) + abs(boxes[scene, 4, k]) + max(radius, 0.0)
            if low_x > boxes[scene, 0, k] + reach or high_x < boxes[scene, 0, k] - reach:
                continue
            reach = abs(boxes[scene, 3, k]) + abs(boxes[scene, 5, k]) + max(radius, 0.0)
            if low_y > boxes[scene, 1, k] + reach or high_y < boxes[scene, 1, k] - reach:
                continue
            length = first_entry(
                vertices[scene, k], counts[scene, k], radius, are_gates[scene, k], points, path, size, best
            )
            if length < best:
                best = length
                found = k
        for line in range(line_starts[scene], line_starts[scene + 1]):
            if (
                max(lines[line, 0, 0], lines[line, 1, 0], lines[line, 2, 0], lines[line, 3, 0]) + tol < low_x
                or min(lines[line, 0, 0], lines[line, 1, 0], lines[line, 2, 0], lines[line, 3, 0]) - tol
                > high_x
                or max(lines[line, 0, 1], lines[line, 1, 1], lines[line, 2, 1], lines[line, 3, 1]) + tol
                < low_y
                or min(lines[line, 0, 1], lines[line, 1, 1], lines[line, 2, 1], lines[line, 3, 1]) - tol
                > high_y
            ):
                continue
            length = first_pass(lines, line, points, path, size, best, tol)
            if length < best:
                best = length
                found = n + line
        stops[path] = best
        what[path] = found
