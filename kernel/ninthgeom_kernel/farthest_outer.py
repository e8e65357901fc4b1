"""Largest distances between points of two bases, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8_3, F8_OUT3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import base_at, farthest_corners, mirrored_pose


@kernel(NONE(F8_3, F8_3, F8_OUT3, I8, I8, U8, U8))
def farthest_distances(a: Any, b: Any, out: Any, top: int, bottom: int, first: int, last: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; out (S, n, m), rows top to bottom of the S n of them,
    columns first to last.
    Result: the largest distance from a point of a to a point of b.
    Boundary: none.
    Degenerate: segments and points are bases.
    Reference: a distance is convex, so it is largest between corners of the cores, plus both radii.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            u, v, _, _, c, s, turn, _ = mirrored_pose(
                ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            far = farthest_corners(u, v, c, s, turn, b[4, i, j], b[5, i, j], aa, ab)
            answer[j] = far + (ar + b[6, i, j])
