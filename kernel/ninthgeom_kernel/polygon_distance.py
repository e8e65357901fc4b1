"""Distances of shapes made of convex pieces, bases and polygons."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_1, F8_2, F8_OUT2, I8, I8_1, I8_3, NONE, kernel
from ninthgeom_kernel.pieces import squared_apart, squared_between_boxes


@kernel(
    NONE(
        I8_3, I8_3, I8, F8_2, I8_1, I8_1, F8_2, F8_1, F8_2, I8_1, I8_1, F8_2, F8, F8, I8, F8_OUT2, BOOL_OUT2,
        I8, I8, I8, I8,
    )
)  # fmt: skip
def distances(
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
    limit: float,
    enough: float,
    more: int,
    out: Any,
    is_within: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (1, 1 or S, n) and b (1, 1 or S, m) numbers of shapes; of either the corners (2, V), the
    starts (P + 1) of pieces among them, the first (N + 1) pieces of shapes and boxes (4, P) round pieces;
    radii (N) of a's shapes; limit, beyond which distances need not be known, and enough, up to which they
    need not, in inches; more, 1 where pairs already known to be within limit are left; out (S or S n, m)
    distances or is_within of the same shape, the other without columns; rows top to bottom, columns first to
    last.
    Result: distance of a from b, 0 up to enough; is_within: whether it is at most limit.
    Boundary: closed.
    Degenerate: shapes without pieces are infinitely far; pieces may be segments and points.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            if more > 0 and is_within[row, column]:
                continue
            i = a[0, sa, row - s * n if n > 0 else column]
            j = b[0, sb, column]
            radius = a_radii[i]
            most = (limit + radius) * (limit + radius)
            close = (enough + radius) * (enough + radius)
            nearest = math.inf
            for own in range(a_first[i], a_first[i + 1]):
                for k in range(b_first[j], b_first[j + 1]):
                    if squared_between_boxes(a_boxes, own, b_boxes, k) <= most:
                        squared = squared_apart(
                            a_corners,
                            a_starts[own],
                            a_starts[own + 1],
                            b_corners,
                            b_starts[k],
                            b_starts[k + 1],
                            most,
                        )
                        if squared < nearest:
                            nearest = squared
                            most = min(nearest, most)
                    if nearest <= close:
                        break
                if nearest <= close:
                    break
            distance = math.sqrt(nearest) - radius
            if out.shape[1] > 0:
                out[row, column] = distance if distance > enough else 0.0
            else:
                is_within[row, column] = distance <= limit
