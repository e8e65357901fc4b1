"""Whether every point of a polygon is within a distance of a base."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_2, F8_3, I8, I8_1, I8_3, NONE, kernel


@kernel(NONE(F8_3, I8_3, I8, F8_2, I8_1, F8, BOOL_OUT2, I8, I8, I8, I8))
def wholly_within(
    a: Any,
    b: Any,
    n: int,
    outline: Any,
    outline_first: Any,
    limit: float,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (7, 1 or S, n) bases; b (1, 1 or S, m) numbers of polygons; outline (4, E) edges,
    outline_first (N + 1) edges of polygons; limit in inches; out (S or S n, m), rows top to bottom, columns
    first to last.
    Result: the farthest point of b lies at most limit outside a.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: the signed distance to a convex core is convex, so a vertex has the largest.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = row - s * n if n > 0 else column
            polygon = b[0, sb, column]
            farthest = -math.inf
            for k in range(outline_first[polygon], outline_first[polygon + 1]):
                dx = outline[0, k] - a[0, sa, i]
                dy = outline[1, k] - a[1, sa, i]
                u = abs(a[2, sa, i] * dx + a[3, sa, i] * dy) - a[4, sa, i]
                v = abs(a[2, sa, i] * dy - a[3, sa, i] * dx) - a[5, sa, i]
                far = max(u, v)
                if far > 0.0:
                    far = math.sqrt(max(u, 0.0) ** 2 + max(v, 0.0) ** 2)
                farthest = max(farthest, far)
            out[row, column] = farthest - a[6, sa, i] <= limit
