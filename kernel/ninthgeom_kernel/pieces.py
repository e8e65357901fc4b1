"""Scalar geometry of convex pieces: one in scratch ``(2, capacity)``, the other among corners ``(2, V)``.

Counter-clockwise rings; a segment is a ring too, to and fro, and corners may coincide. Coordinates of the one
in scratch count from an origin near both, so that no digits are lost far from the middle of the table.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar


@scalar
def place_base(bases: Any, row: int, i: int, x: float, y: float, piece: Any) -> int:
    """Write the core of a base as a piece, seen from an origin; return its number of corners."""
    row = row if bases.shape[1] > 1 else 0
    dx = bases[0, row, i] - x
    dy = bases[1, row, i] - y
    ax = bases[4, row, i] * bases[2, row, i]
    ay = bases[4, row, i] * bases[3, row, i]
    bx = -bases[5, row, i] * bases[3, row, i]
    by = bases[5, row, i] * bases[2, row, i]
    piece[0, 0] = dx + ax + bx
    piece[1, 0] = dy + ay + by
    piece[0, 1] = dx - ax + bx
    piece[1, 1] = dy - ay + by
    piece[0, 2] = dx - ax - bx
    piece[1, 2] = dy - ay - by
    piece[0, 3] = dx + ax - bx
    piece[1, 3] = dy + ay - by
    return 4


@scalar
def place_piece(corners: Any, first: int, last: int, x: float, y: float, piece: Any) -> int:
    """Copy corners first to last, seen from an origin; return how many they are."""
    for k in range(first, last):
        piece[0, k - first] = corners[0, k] - x
        piece[1, k - first] = corners[1, k] - y
    return last - first


@scalar
def off_edge(qx: float, qy: float, dx: float, dy: float, share: float) -> tuple[float, float, float]:
    """Squared distance of a point from an edge (0, 0) to (dx, dy), and where on the edge it is nearest."""
    f = min(1.0, max(0.0, (dx * qx + dy * qy) * share))
    ex = qx - f * dx
    ey = qy - f * dy
    return ex * ex + ey * ey, f * dx, f * dy


@scalar
def squared_apart(
    piece: Any, n: int, corners: Any, first: int, last: int, x: float, y: float, most: float
) -> float:
    """Squared distance of two pieces; 0 where they meet, inf where an edge shows that it is above most.

    Only corners beyond an edge can be nearest to it, and if there is an edge that all corners of the other
    piece are beyond, the pieces are apart. Source: separating axis theorem.
    """
    nearest = math.inf
    is_apart = False
    for i in range(n):
        j = i + 1 if i + 1 < n else 0
        px = piece[0, i] + x
        py = piece[1, i] + y
        dx = piece[0, j] - piece[0, i]
        dy = piece[1, j] - piece[1, i]
        length = dx * dx + dy * dy
        if length > 0.0:
            share = 1.0 / length
            lowest = math.inf
            for k in range(first, last):
                qx = corners[0, k] - px
                qy = corners[1, k] - py
                side = dy * qx - dx * qy
                lowest = min(lowest, side)
                if side > 0.0:
                    nearest = min(nearest, off_edge(qx, qy, dx, dy, share)[0])
            if lowest > 0.0:
                is_apart = True
                if lowest * lowest > most * length:
                    return math.inf
    for k in range(first, last):
        j = k + 1 if k + 1 < last else first
        px = corners[0, k] - x
        py = corners[1, k] - y
        dx = corners[0, j] - corners[0, k]
        dy = corners[1, j] - corners[1, k]
        length = dx * dx + dy * dy
        if length > 0.0:
            share = 1.0 / length
            lowest = math.inf
            for i in range(n):
                qx = piece[0, i] - px
                qy = piece[1, i] - py
                side = dy * qx - dx * qy
                lowest = min(lowest, side)
                if side > 0.0:
                    nearest = min(nearest, off_edge(qx, qy, dx, dy, share)[0])
            if lowest > 0.0:
                is_apart = True
                if lowest * lowest > most * length:
                    return math.inf
    return nearest if is_apart else 0.0


@scalar
def squared_off_box(piece: Any, n: int, boxes: Any, i: int, x: float, y: float) -> float:
    """Squared distance of the upright boxes round a piece and round another one."""
    low_x = low_y = math.inf
    high_x = high_y = -math.inf
    for k in range(n):
        low_x = min(low_x, piece[0, k])
        low_y = min(low_y, piece[1, k])
        high_x = max(high_x, piece[0, k])
        high_y = max(high_y, piece[1, k])
    dx: float = max(low_x - (boxes[2, i] - x), (boxes[0, i] - x) - high_x, 0.0)
    dy: float = max(low_y - (boxes[3, i] - y), (boxes[1, i] - y) - high_y, 0.0)
    return dx * dx + dy * dy
