"""Scalar geometry of convex pieces, each a range of columns of an array of corners ``(2, V)``.

Counter-clockwise rings; a segment is a ring too, to and fro, and corners may coincide. Only differences of
coordinates are multiplied, so that no digits are lost far from the middle of the table.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.convex import ROUNDING


@scalar
def off_edge(qx: float, qy: float, dx: float, dy: float, share: float) -> tuple[float, float, float]:
    """Squared distance of a point from an edge (0, 0) to (dx, dy), and where on the edge it is nearest."""
    f = min(1.0, max(0.0, (dx * qx + dy * qy) * share))
    ex = qx - f * dx
    ey = qy - f * dy
    return ex * ex + ey * ey, f * dx, f * dy


@scalar
def is_beyond(
    p: Any, first: int, last: int, px: float, py: float, dx: float, dy: float, lowest: float
) -> bool:
    """Whether what is so far outside an edge of a piece is outside all of the piece on that side.

    The normal of an edge no longer than rounding is one of any direction.
    """
    if lowest > 0.0 and dx * dx + dy * dy <= ROUNDING * ROUNDING:
        for k in range(first, last):
            if dy * (p[0, k] - px) - dx * (p[1, k] - py) >= lowest:
                return False
    return lowest > 0.0


@scalar
def squared_apart(a: Any, a_first: int, a_last: int, b: Any, b_first: int, b_last: int, most: float) -> float:
    """Squared distance of two pieces; 0 where they meet, inf where an edge shows that it is above most.

    Pieces are apart if there is an edge that the whole other piece is beyond, and then a corner and such an
    edge are nearest to each other: the difference of the pieces has a point nearest to the origin, and the
    origin is beyond an edge with that point. Source: separating axis theorem.
    """
    nearest = math.inf
    is_apart = False
    p, first, last, q, other, end = a, a_first, a_last, b, b_first, b_last
    for _ in range(2):
        px = p[0, last - 1]
        py = p[1, last - 1]
        for i in range(first, last):
            # the edge that ends at corner i
            dx = p[0, i] - px
            dy = p[1, i] - py
            length = dx * dx + dy * dy
            lowest = math.inf
            for k in range(other, end):
                side = dy * (q[0, k] - px) - dx * (q[1, k] - py)
                if side < lowest:
                    lowest = side
            # A corner on an edge may seem to be inside of it, and beyond its neighbour in the same line: both
            # count.
            if length > 0.0 and lowest > -ROUNDING * (1.0 + length):
                if is_beyond(p, first, last, px, py, dx, dy, lowest):
                    is_apart = True
                    if lowest * lowest > most * length:
                        return math.inf
                share = 1.0 / length
                for k in range(other, end):
                    squared = off_edge(q[0, k] - px, q[1, k] - py, dx, dy, share)[0]
                    if squared < nearest:
                        nearest = squared
            px = p[0, i]
            py = p[1, i]
        p, first, last, q, other, end = b, b_first, b_last, a, a_first, a_last
    return nearest if is_apart else 0.0


@scalar
def squared_between_boxes(a: Any, i: int, b: Any, k: int) -> float:
    """Squared distance of two upright boxes."""
    dx: float = max(a[0, i] - b[2, k], b[0, k] - a[2, i], 0.0)
    dy: float = max(a[1, i] - b[3, k], b[1, k] - a[3, i], 0.0)
    return dx * dx + dy * dy
