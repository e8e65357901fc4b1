"""Shortest lines from bases or polygons to polygons, by their convex pieces."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8, F8_2, F8_3, F8_OUT2, F8_OUT3, I8, I8_1, NONE, kernel, scalar
from ninthgeom_kernel.pieces import off_edge, place_base, place_piece, squared_off_box

# Pieces whose edges are this near each other, in inches, have a point in common: squared.
SHARED_SQUARED = 1e-18


@scalar
def nearest_points(
    piece: Any, n: int, corners: Any, first: int, last: int, x: float, y: float
) -> tuple[bool, float, float, float, float, float]:
    """Whether two pieces are apart, squared distance of their outlines, nearest points of both.

    Source: separating axis theorem; a corner of one of them is nearest to an edge of the other.
    """
    nearest = math.inf
    is_apart = False
    ax = ay = bx = by = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        px = piece[0, i]
        py = piece[1, i]
        dx = piece[0, j] - px
        dy = piece[1, j] - py
        length = dx * dx + dy * dy
        share = 1.0 / length if length > 0.0 else 0.0
        lowest = math.inf
        for k in range(first, last):
            qx = corners[0, k] - x - px
            qy = corners[1, k] - y - py
            lowest = min(lowest, dy * qx - dx * qy)
            squared, ex, ey = off_edge(qx, qy, dx, dy, share)
            if squared < nearest:
                nearest, ax, ay, bx, by = squared, px + ex, py + ey, px + qx, py + qy
        is_apart |= lowest > 0.0
    for k in range(first, last):
        j = k + 1 if k + 1 < last else first
        px = corners[0, k] - x
        py = corners[1, k] - y
        dx = corners[0, j] - corners[0, k]
        dy = corners[1, j] - corners[1, k]
        length = dx * dx + dy * dy
        share = 1.0 / length if length > 0.0 else 0.0
        lowest = math.inf
        for i in range(n):
            qx = piece[0, i] - px
            qy = piece[1, i] - py
            lowest = min(lowest, dy * qx - dx * qy)
            squared, ex, ey = off_edge(qx, qy, dx, dy, share)
            if squared < nearest:
                nearest, ax, ay, bx, by = squared, px + qx, py + qy, px + ex, py + ey
        is_apart |= lowest > 0.0
    return is_apart, nearest, ax, ay, bx, by


@scalar
def common_point(
    piece: Any, n: int, corners: Any, first: int, last: int, x: float, y: float
) -> tuple[bool, float, float]:
    """Whether an edge of the piece in scratch has a part in the other, and the middle of the longest part.

    Reference: Cyrus and Beck's clipping.
    """
    longest = -1.0
    mx = my = 0.0
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        px = piece[0, i] + x
        py = piece[1, i] + y
        dx = piece[0, j] - piece[0, i]
        dy = piece[1, j] - piece[1, i]
        low = 0.0
        high = 1.0
        for k in range(first, last):
            m = k + 1 if k + 1 < last else first
            ex = corners[0, m] - corners[0, k]
            ey = corners[1, m] - corners[1, k]
            depth = ex * (py - corners[1, k]) - ey * (px - corners[0, k])
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
            middle = 0.5 * (low + high)
            mx = piece[0, i] + middle * dx
            my = piece[1, i] + middle * dy
    return longest >= 0.0, mx, my


@kernel(
    NONE(
        F8_3, F8_3, I8, F8_2, I8_1, I8_1, F8_2, F8_2, I8_1, I8_1, F8, F8_OUT2, F8_OUT3, I8, I8, I8, I8
    )
)  # fmt: skip
def shortest_lines(
    a: Any,
    b: Any,
    n: int,
    a_corners: Any,
    a_starts: Any,
    a_first: Any,
    b_corners: Any,
    b_boxes: Any,
    b_starts: Any,
    b_first: Any,
    tol: float,
    piece: Any,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (7, 1 or S, n) bases or (1, 1 or S, n) numbers of polygons; b (1, 1 or S, m) numbers of
    polygons; corners (2, V), starts (P + 1) of pieces among them, first (N + 1) pieces of polygons; boxes
    (4, P) round b's pieces; tol in inches; scratch (2, longest piece or 4); out (S or S n, m, 4), rows top to
    bottom, columns first to last.
    Result: the point of a and the point of b that are nearest to each other; one point twice in contact.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = row - s * n if n > 0 else column
            polygon = int(b[0, sb, column])
            x = b_corners[0, b_starts[b_first[polygon]]]
            y = b_corners[1, b_starts[b_first[polygon]]]
            radius = 0.0
            a_from = 0
            a_to = 1
            if a.shape[0] > 1:
                radius = a[6, sa, i]
            else:
                a_from = a_first[int(a[0, sa, i])]
                a_to = a_first[int(a[0, sa, i]) + 1]
            nearest = math.inf
            ax = ay = bx = by = 0.0
            for own in range(a_from, a_to):
                if a.shape[0] > 1:
                    size = place_base(a, sa, i, x, y, piece)
                else:
                    size = place_piece(a_corners, a_starts[own], a_starts[own + 1], x, y, piece)
                for k in range(b_first[polygon], b_first[polygon + 1]):
                    if squared_off_box(piece, size, b_boxes, k, x, y) >= nearest:
                        continue
                    is_apart, squared, px, py, qx, qy = nearest_points(
                        piece, size, b_corners, b_starts[k], b_starts[k + 1], x, y
                    )
                    if not is_apart:
                        is_edge, mx, my = common_point(
                            piece, size, b_corners, b_starts[k], b_starts[k + 1], x, y
                        )
                        if is_edge:
                            qx, qy = mx, my
                        elif squared > SHARED_SQUARED:  # b's piece lies inside a's
                            qx = b_corners[0, b_starts[k]] - x
                            qy = b_corners[1, b_starts[k]] - y
                        px, py, squared = qx, qy, 0.0
                    if squared < nearest:
                        nearest, ax, ay, bx, by = squared, px, py, qx, qy
            distance = math.sqrt(nearest)
            # In contact b's point will do: it is within the radius and tol of a's core.
            share = radius / distance if distance - radius > tol else 1.0
            out[row, column, 0] = x + ax + (bx - ax) * share
            out[row, column, 1] = y + ay + (by - ay) * share
            out[row, column, 2] = x + bx
            out[row, column, 3] = y + by
