"""Scalar work on the outlines of convex shapes with round corners: building, clipping, envelopes.

An outline is an array ``(5, capacity)`` whose first ``n`` columns are the items of the boundary, counter-clockwise: rows
x, y, radius, start angle, end angle. An item of positive radius is an arc (the outward normal turns from the start to the
end angle, less than half a turn); any other item is a corner. Straight edges join consecutive items.

Only shapes that must be cut come here, the others use their vertices as they are.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

QUARTER = math.pi / 2


@scalar
def outline_of_vertices(px: Any, py: Any, n: int, radius: float, outline: Any) -> int:
    """Write the outline of a shape (vertices plus radius); return the number of items."""
    if radius <= 0.0:
        for i in range(n):
            outline[0, i] = px[i]
            outline[1, i] = py[i]
            outline[2, i] = radius
            outline[3, i] = 0.0
            outline[4, i] = 0.0
        return n
    count = 0
    for i in range(n):
        if n == 1:
            start = -math.pi
            end = math.pi
        else:
            h = i - 1 if i > 0 else n - 1
            j = i + 1 if i + 1 < n else 0
            start = math.atan2(px[h] - px[i], py[i] - py[h])  # normal of the edge before
            end = math.atan2(px[i] - px[j], py[j] - py[i])  # normal of the edge behind
            if end < start:
                end += 2 * math.pi
        parts = max(1, int(math.ceil((end - start) / (QUARTER * 1.01))))
        for part in range(parts):
            outline[0, count] = px[i]
            outline[1, count] = py[i]
            outline[2, count] = radius
            outline[3, count] = start + (end - start) * part / parts
            outline[4, count] = start + (end - start) * (part + 1) / parts
            count += 1
    return count


@scalar
def _put(outline: Any, n: int, x: float, y: float, radius: float, start: float, end: float) -> int:
    outline[0, n] = x
    outline[1, n] = y
    outline[2, n] = radius
    outline[3, n] = start
    outline[4, n] = end
    return n + 1


@scalar
def clip_outline(source: Any, n: int, mx: float, my: float, c: float, result: Any) -> int:
    """Clip an outline to the half-plane ``mx x + my y >= c`` (unit normal); return the number of items left.

    Source: Sutherland and Hodgman's re-entrant polygon clipping, extended to arcs.
    """
    count = 0
    toward = math.atan2(my, mx)
    for i in range(n):
        x = source[0, i]
        y = source[1, i]
        radius = source[2, i]
        depth = mx * x + my * y - c
        leave_x = x
        leave_y = y
        if radius > 0.0:
            start = source[3, i]
            end = source[4, i]
            leave_x = x + radius * math.cos(end)
            leave_y = y + radius * math.sin(end)
            if depth >= radius:
                count = _put(result, count, x, y, radius, start, end)
            elif depth > -radius:
                half = math.acos(-depth / radius)  # the arc is inside within this angle of the normal
                for turn in range(-2, 3):
                    low = max(start, toward - half + 2 * math.pi * turn)
                    high = min(end, toward + half + 2 * math.pi * turn)
                    if low < high:
                        if low > start:
                            count = _put(
                                result, count, x + radius * math.cos(low), y + radius * math.sin(low), 0.0, 0.0, 0.0
                            )
                        count = _put(result, count, x, y, radius, low, high)
                        if high < end:
                            count = _put(
                                result, count, x + radius * math.cos(high), y + radius * math.sin(high), 0.0, 0.0, 0.0
                            )
        elif depth >= 0.0:
            count = _put(result, count, x, y, radius, 0.0, 0.0)
        # the straight edge to the next item
        j = i + 1 if i + 1 < n else 0
        enter_x = source[0, j]
        enter_y = source[1, j]
        if source[2, j] > 0.0:
            enter_x += source[2, j] * math.cos(source[3, j])
            enter_y += source[2, j] * math.sin(source[3, j])
        d0 = mx * leave_x + my * leave_y - c
        d1 = mx * enter_x + my * enter_y - c
        if (d0 < 0.0 < d1) or (d1 < 0.0 < d0):
            f = d0 / (d0 - d1)
            count = _put(
                result,
                count,
                leave_x + f * (enter_x - leave_x),
                leave_y + f * (enter_y - leave_y),
                min(radius, 0.0),
                0.0,
                0.0,
            )
    return count


@scalar
def clip_in_place(outline: Any, n: int, mx: float, my: float, c: float, buffer: Any) -> int:
    """Clip an outline and leave the result in the same array."""
    count = clip_outline(outline, n, mx, my, c, buffer)
    for i in range(count):
        for row in range(5):
            outline[row, i] = buffer[row, i]
    return count


@scalar
def emit_envelopes(outline: Any, n: int, elements: Any, at: int) -> tuple[int, int]:
    """Append the elements of the right envelope, then those of the left one, from column ``at`` on.

    An element (rows x, y, radius, first and last slope) adds ``x - t y ± radius sqrt(1 + t²)`` to the envelope at the slopes
    of its range. An arc holds where the normal at right angles to the slope is one of its own; its end points
    are added as corners, so that a direction lost between two ranges by rounding changes nothing.
    Returns the ends of both runs of columns.
    """
    middle = at
    for side in range(2):
        first = -QUARTER if side == 0 else QUARTER
        last = first + math.pi
        for i in range(n):
            x = outline[0, i]
            y = outline[1, i]
            radius = outline[2, i]
            if radius <= 0.0:
                at = _put(elements, at, x, y, radius, -math.inf, math.inf)
                continue
            start = outline[3, i]
            end = outline[4, i]
            for turn in range(-2, 3):
                low = max(start + 2 * math.pi * turn, first)
                high = min(end + 2 * math.pi * turn, last)
                if low < high:
                    t1 = math.inf if low == first else -math.tan(low)
                    t0 = -math.inf if high == last else -math.tan(high)
                    at = _put(elements, at, x, y, radius, t0, t1)
            for angle in (start, end):
                at = _put(
                    elements,
                    at,
                    x + radius * math.cos(angle),
                    y + radius * math.sin(angle),
                    0.0,
                    -math.inf,
                    math.inf,
                )
        if side == 0:
            middle = at
    return middle, at
