"""Whether every point of one base is within a distance of another, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT3, F8, F8_3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import base_at, corner_offsets, farther_squared, mirrored_pose, outside


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8, U8, U8))
def wholly_within(
    a: Any, b: Any, limit: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; limit in inches; out (S, n, m), rows top to bottom of
    the S n of them, columns first to last.
    Result: the farthest point of a lies at most limit outside b.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: the signed distance to a convex core is convex, so a corner has the largest.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, _, _, c, s, turn, _ = mirrored_pose(
                b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j], ax, ay, ac, as_
            )
            x0, y0, x1, y1 = corner_offsets(c, s, turn, aa, ab)
            squared = farther_squared(u, v, x0, y0, ba, bb)
            other = farther_squared(u, v, x1, y1, ba, bb)
            far = outside(u + x0 - ba, v + y1 - bb, squared, other) + (ar - br)
            answer[j] = far <= limit
