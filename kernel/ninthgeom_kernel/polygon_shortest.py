"""Shortest lines between shapes made of convex pieces, bases and polygons."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8, F8_1, F8_2, F8_OUT2, F8_OUT3, I8, I8_1, I8_3, NONE, kernel, scalar
from ninthgeom_kernel.convex import ROUNDING
from ninthgeom_kernel.pieces import off_edge, place_piece, squared_off_box

# Pieces whose edges are this near each other, in inches, have a point in common: squared.
SHARED_SQUARED = 1e-18


@scalar
def nearest_points(
    a: Any, a_size: int, b: Any, b_size: int
) -> tuple[bool, float, float, float, float, float]:
    """Whether two pieces are apart, squared distance of their outlines, and the nearest points of a and b.

    A corner of one of them is nearest to an edge of the other. Source: separating axis theorem.
    """
    nearest = math.inf
    is_apart = False
    ax = ay = bx = by = 0.0
    for turn in range(2):
        p, n, q, m = (a, a_size, b, b_size) if turn == 0 else (b, b_size, a, a_size)
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            dx = p[0, j] - p[0, i]
            dy = p[1, j] - p[1, i]
            length = dx * dx + dy * dy
            is_edge = length > ROUNDING * ROUNDING
            share = 1.0 / length if is_edge else 0.0
            lowest = math.inf if is_edge else 0.0
            for k in range(m):
                x = q[0, k] - p[0, i]
                y = q[1, k] - p[1, i]
                lowest = min(lowest, dy * x - dx * y)
                squared, ex, ey = off_edge(x, y, dx, dy, share)
                if squared < nearest:
                    nearest = squared
                    ax = p[0, i] + ex if turn == 0 else q[0, k]
                    ay = p[1, i] + ey if turn == 0 else q[1, k]
                    bx = q[0, k] if turn == 0 else p[0, i] + ex
                    by = q[1, k] if turn == 0 else p[1, i] + ey
            is_apart |= lowest > 0.0
    return is_apart, nearest, ax, ay, bx, by


@scalar
def common_point(p: Any, n: int, q: Any, m: int) -> tuple[bool, float, float]:
    """Whether an edge of p has a part in q, and the middle of the longest part.

    Reference: Cyrus and Beck's clipping.
    """
    longest = -1.0
    x = y = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        dx = p[0, j] - p[0, i]
        dy = p[1, j] - p[1, i]
        low = 0.0
        high = 1.0
        for k in range(m):
            h = k + 1 if k + 1 < m else 0
            ex = q[0, h] - q[0, k]
            ey = q[1, h] - q[1, k]
            depth = ex * (p[1, i] - q[1, k]) - ey * (p[0, i] - q[0, k])
            rise = ex * dy - ey * dx
            if rise > 0.0:
                low = max(low, -depth / rise)
            elif rise < 0.0:
                high = min(high, -depth / rise)
            elif depth < 0.0:
                high = -1.0
        length = (high - low) * (abs(dx) + abs(dy))
        if low <= high and length > longest:
            longest = length
            x = p[0, i] + 0.5 * (low + high) * dx
            y = p[1, i] + 0.5 * (low + high) * dy
    return longest >= 0.0, x, y


@kernel(
    NONE(
        I8_3, I8_3, I8, F8_2, I8_1, I8_1, F8_1, F8_2, I8_1, I8_1, F8_2, F8, F8_OUT2, F8_OUT2, F8_OUT3,
        I8, I8, I8, I8,
    )
)  # fmt: skip
def shortest_lines(
    a: Any,
    b: Any,
    n: int,
    a_corners: Any,
    a_starts: Any,
    a_first: Any,
    a_radii: Any,
    b_corners: Any,
    b_starts: Any,
    b_first: Any,
    b_boxes: Any,
    tol: float,
    piece: Any,
    other: Any,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (1, 1 or S, n) and b (1, 1 or S, m) numbers of shapes; of either the corners (2, V), the
    starts (P + 1) of pieces among them and the first (N + 1) pieces of shapes; radii (N) of a's shapes; boxes
    (4, P) round b's pieces; tol in inches; scratch (2, longest piece), of either side; out (S or S n, m, 4),
    rows top to bottom, columns first to last.
    Result: the point of a and the point of b that are nearest to each other; one point twice in contact.
    Boundary: closed.
    Degenerate: pieces may be segments and points.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = a[0, sa, row - s * n if n > 0 else column]
            j = b[0, sb, column]
            x = b_corners[0, b_starts[b_first[j]]]
            y = b_corners[1, b_starts[b_first[j]]]
            nearest = math.inf
            ax = ay = bx = by = 0.0
            for own in range(a_first[i], a_first[i + 1]):
                size, low_x, low_y, high_x, high_y = place_piece(
                    a_corners, a_starts[own], a_starts[own + 1], x, y, piece
                )
                for k in range(b_first[j], b_first[j + 1]):
                    if squared_off_box(low_x, low_y, high_x, high_y, b_boxes, k, x, y) >= nearest:
                        continue
                    m = place_piece(b_corners, b_starts[k], b_starts[k + 1], x, y, other)[0]
                    is_apart, squared, px, py, qx, qy = nearest_points(piece, size, other, m)
                    if not is_apart:
                        is_edge, ex, ey = common_point(piece, size, other, m)
                        if is_edge:
                            qx, qy = ex, ey
                        elif squared > SHARED_SQUARED:  # the other piece lies inside
                            qx, qy = other[0, 0], other[1, 0]
                        px, py, squared = qx, qy, 0.0
                    if squared < nearest:
                        nearest, ax, ay, bx, by = squared, px, py, qx, qy
            # In contact b's point will do: it is within the radius and tol of a's core.
            distance = math.sqrt(nearest)
            share = a_radii[i] / distance if distance - a_radii[i] > tol else 1.0
            out[row, column, 0] = x + ax + (bx - ax) * share
            out[row, column, 1] = y + ay + (by - ay) * share
            out[row, column, 2] = x + bx
            out[row, column, 3] = y + by
