"""Whether every point of one base is within a distance of another, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import corner_offsets, farther_squared, mirrored_pose, outside


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT2, I8, I8, U8, U8))
def wholly_within(
    a: Any, b: Any, limit: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; limit in inches; out (S, n), rows top to bottom, columns first to last.
    Result: the farthest point of a lies at most limit outside b.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: the signed distance to a convex core is convex, so a corner has the largest.
    """
    for row in range(top, bottom):
        h = row if a.shape[1] > 1 else 0
        i = row if b.shape[1] > 1 else 0
        for j in range(first, last):
            aa, ab, ar = a[4, h, j], a[5, h, j], a[6, h, j]
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, _, _, c, s, turn, _ = mirrored_pose(
                b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j], a[0, h, j], a[1, h, j], a[2, h, j], a[3, h, j]
            )
            x0, y0, x1, y1 = corner_offsets(c, s, turn, aa, ab)
            squared = farther_squared(u, v, x0, y0, ba, bb)
            other = farther_squared(u, v, x1, y1, ba, bb)
            far = outside(u + x0 - ba, v + y1 - bb, squared, other) + (ar - br)
            out[row, j] = far <= limit
