"""Scalar geometry of convex pieces in scratch ``(2, capacity)``.

Counter-clockwise rings; a segment is a ring too, to and fro, and corners may coincide. Coordinates count from
an origin near both pieces, so that no digits are lost far from the middle of the table.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.convex import ROUNDING

# How far a point has to be from an edge, in inches, for its side to be clear: far above rounding.
CLEAR = 1e-7


@scalar
def place_piece(
    corners: Any, first: int, last: int, x: float, y: float, piece: Any
) -> tuple[int, float, float, float, float]:
    """Copy corners first to last, seen from an origin; return how many, and smallest and largest x and y."""
    low_x = low_y = math.inf
    high_x = high_y = -math.inf
    for k in range(first, last):
        px = corners[0, k] - x
        py = corners[1, k] - y
        piece[0, k - first] = px
        piece[1, k - first] = py
        low_x = min(low_x, px)
        low_y = min(low_y, py)
        high_x = max(high_x, px)
        high_y = max(high_y, py)
    return last - first, low_x, low_y, high_x, high_y


@scalar
def off_edge(qx: float, qy: float, dx: float, dy: float, share: float) -> tuple[float, float, float]:
    """Squared distance of a point from an edge (0, 0) to (dx, dy), and where on the edge it is nearest."""
    f = min(1.0, max(0.0, (dx * qx + dy * qy) * share))
    ex = qx - f * dx
    ey = qy - f * dy
    return ex * ex + ey * ey, f * dx, f * dy


@scalar
def squared_apart(a: Any, a_size: int, b: Any, b_size: int, most: float) -> float:
    """Squared distance of two pieces; 0 where they meet, inf where an edge shows that it is above most.

    Pieces are apart if there is an edge that the whole other piece is beyond, and then a corner and such an
    edge are nearest to each other: the difference of the pieces has a point nearest to the origin, and the
    origin is beyond an edge with that point. Source: separating axis theorem.
    """
    nearest = math.inf
    is_apart = False
    p, n, q, m = a, a_size, b, b_size
    for _ in range(2):
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            dx = p[0, j] - p[0, i]
            dy = p[1, j] - p[1, i]
            length = dx * dx + dy * dy
            lowest = math.inf
            for k in range(m):
                lowest = min(lowest, dy * (q[0, k] - p[0, i]) - dx * (q[1, k] - p[1, i]))
            # The normal of an edge no longer than rounding is one of any direction. A corner on an edge may
            # seem to be inside of it, and beyond its neighbour in the same line: both count.
            if length > ROUNDING * ROUNDING and lowest > -ROUNDING * (1.0 + length):
                is_apart |= lowest > 0.0
                if lowest > 0.0 and lowest * lowest > most * length:
                    return math.inf
                share = 1.0 / length
                for k in range(m):
                    qx = q[0, k] - p[0, i]
                    qy = q[1, k] - p[1, i]
                    nearest = min(nearest, off_edge(qx, qy, dx, dy, share)[0])
        p, n, q, m = b, b_size, a, a_size
    return nearest if is_apart else 0.0


@scalar
def squared_off_box(
    low_x: float, low_y: float, high_x: float, high_y: float, boxes: Any, i: int, x: float, y: float
) -> float:
    """Squared distance of two upright boxes, the first as seen from an origin."""
    dx: float = max(low_x - (boxes[2, i] - x), (boxes[0, i] - x) - high_x, 0.0)
    dy: float = max(low_y - (boxes[3, i] - y), (boxes[1, i] - y) - high_y, 0.0)
    return dx * dx + dy * dy


@scalar
def centre_of(piece: Any, n: int) -> tuple[float, float, float]:
    """Mean of the corners of a piece, which is in it, and how far they are from there at most."""
    x = y = 0.0
    share = 1.0 / n
    for k in range(n):
        x += share * piece[0, k]
        y += share * piece[1, k]
    squared = 0.0
    for k in range(n):
        squared = max(squared, (piece[0, k] - x) * (piece[0, k] - x) + (piece[1, k] - y) * (piece[1, k] - y))
    return x, y, math.sqrt(squared)


@scalar
def off_planes(x: float, y: float, planes: Any, first: int, last: int) -> float:
    """How far a point is beyond the edge of a piece that it is furthest beyond; less than 0 inside."""
    furthest = -math.inf
    for k in range(first, last):
        furthest = max(furthest, planes[0, k] * x + planes[1, k] * y - planes[2, k])
    return furthest
