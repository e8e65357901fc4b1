"""Shortest lines between shapes made of convex pieces, bases and polygons."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8, F8_1, F8_2, F8_OUT3, I8, I8_1, I8_3, NONE, kernel, scalar
from ninthgeom_kernel.pieces import is_beyond, off_edge, squared_between_boxes

# Pieces whose edges are this near each other, in inches, have a point in common: squared.
SHARED_SQUARED = 1e-18


@scalar
def nearest_points(
    a: Any, a_first: int, a_last: int, b: Any, b_first: int, b_last: int
) -> tuple[bool, float, float, float, float, float]:
    """Whether two pieces are apart, squared distance of their outlines, and the nearest points of a and b.

    A corner of one of them is nearest to an edge of the other. Source: separating axis theorem.
    """
    nearest = math.inf
    is_apart = False
    ax = ay = bx = by = 0.0
    p, first, last, q, other, end = a, a_first, a_last, b, b_first, b_last
    for turn in range(2):
        px = p[0, last - 1]
        py = p[1, last - 1]
        for i in range(first, last):
            dx = p[0, i] - px
            dy = p[1, i] - py
            length = dx * dx + dy * dy
            share = 1.0 / length if length > 0.0 else 0.0
            lowest = math.inf if length > 0.0 else 0.0
            for k in range(other, end):
                x = q[0, k] - px
                y = q[1, k] - py
                side = dy * x - dx * y
                if side < lowest:
                    lowest = side
                squared, ex, ey = off_edge(x, y, dx, dy, share)
                if squared < nearest:
                    nearest = squared
                    ax, ay, bx, by = px + ex, py + ey, px + x, py + y
                    if turn > 0:
                        ax, ay, bx, by = bx, by, ax, ay
            if is_beyond(p, first, last, px, py, dx, dy, lowest):
                is_apart = True
            px = p[0, i]
            py = p[1, i]
        p, first, last, q, other, end = b, b_first, b_last, a, a_first, a_last
    return is_apart, nearest, ax, ay, bx, by


@scalar
def common_point(p: Any, first: int, last: int, q: Any, other: int, end: int) -> tuple[bool, float, float]:
    """Whether an edge of p has a part in q, and the middle of the longest part.

    Reference: Cyrus and Beck's clipping.
    """
    longest = -1.0
    x = y = 0.0
    px = p[0, last - 1]
    py = p[1, last - 1]
    for i in range(first, last):
        dx = p[0, i] - px
        dy = p[1, i] - py
        low = 0.0
        high = 1.0
        qx = q[0, end - 1]
        qy = q[1, end - 1]
        for k in range(other, end):
            ex = q[0, k] - qx
            ey = q[1, k] - qy
            depth = ex * (py - qy) - ey * (px - qx)
            rise = ex * dy - ey * dx
            share = -depth / rise
            if rise > 0.0 and share > low:
                low = share
            if rise < 0.0 and share < high:
                high = share
            if rise == 0.0 and depth < 0.0:
                high = -1.0
            qx = q[0, k]
            qy = q[1, k]
        length = (high - low) * (abs(dx) + abs(dy))
        if low <= high and length > longest:
            longest = length
            x = px + 0.5 * (low + high) * dx
            y = py + 0.5 * (low + high) * dy
        px = p[0, i]
        py = p[1, i]
    return longest >= 0.0, x, y


@kernel(
    NONE(
        I8_3, I8_3, I8, F8_2, I8_1, I8_1, F8_2, F8_1, F8_2, I8_1, I8_1, F8_2, F8, F8_OUT3, I8, I8, I8, I8
    )
)  # fmt: skip
def shortest_lines(
    a: Any,
    b: Any,
    n: int,
    a_corners: Any,
    a_starts: Any,
    a_first: Any,
    a_boxes: Any,
    a_radii: Any,
    b_corners: Any,
    b_starts: Any,
    b_first: Any,
    b_boxes: Any,
    tol: float,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (1, 1 or S, n) and b (1, 1 or S, m) numbers of shapes; of either the corners (2, V), the
    starts (P + 1) of pieces among them, the first (N + 1) pieces of shapes and boxes (4, P) round pieces;
    radii (N) of a's shapes; tol in inches; out (S or S n, m, 4), rows top to bottom, columns first to last.
    Result: the point of a and the point of b that are nearest to each other; one point twice in contact.
    Boundary: closed.
    Degenerate: pieces may be segments and points; every shape has one.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = a[0, sa, row - s * n if n > 0 else column]
            j = b[0, sb, column]
            nearest = math.inf
            ax = ay = bx = by = 0.0
            for own in range(a_first[i], a_first[i + 1]):
                for k in range(b_first[j], b_first[j + 1]):
                    if squared_between_boxes(a_boxes, own, b_boxes, k) >= nearest:
                        continue
                    p0, p1, q0, q1 = a_starts[own], a_starts[own + 1], b_starts[k], b_starts[k + 1]
                    is_apart, squared, px, py, qx, qy = nearest_points(a_corners, p0, p1, b_corners, q0, q1)
                    if not is_apart:
                        is_edge, x, y = common_point(a_corners, p0, p1, b_corners, q0, q1)
                        if is_edge:
                            qx, qy = x, y
                        elif squared > SHARED_SQUARED:  # the other piece lies inside
                            qx, qy = b_corners[0, q0], b_corners[1, q0]
                        px, py, squared = qx, qy, 0.0
                    if squared < nearest:
                        nearest, ax, ay, bx, by = squared, px, py, qx, qy
            # In contact b's point will do: it is within the radius and tol of a's core.
            distance = math.sqrt(nearest)
            if distance - a_radii[i] > tol:
                share = a_radii[i] / distance
                ax += (bx - ax) * share
                ay += (by - ay) * share
            else:
                ax, ay = bx, by
            out[row, column, 0] = ax
            out[row, column, 1] = ay
            out[row, column, 2] = bx
            out[row, column, 3] = by
