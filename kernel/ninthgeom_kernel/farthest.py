"""Largest distances between points of two bases, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8_3, F8_OUT2, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import farthest_corners, mirrored_pose


@kernel(NONE(F8_3, F8_3, F8_OUT2, I8, I8, U8, U8))
def farthest_distances(a: Any, b: Any, out: Any, top: int, bottom: int, first: int, last: int) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; out (S, n), rows top to bottom, columns first to last.
    Result: the largest distance from a point of a to a point of b.
    Boundary: none.
    Degenerate: segments and points are bases.
    Reference: a distance is convex, so it is largest between corners of the cores, plus both radii.
    """
    for row in range(top, bottom):
        h = row if a.shape[1] > 1 else 0
        i = row if b.shape[1] > 1 else 0
        for j in range(first, last):
            u, v, _, _, c, s, turn, _ = mirrored_pose(
                a[0, h, j], a[1, h, j], a[2, h, j], a[3, h, j], b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            far = farthest_corners(u, v, c, s, turn, b[4, i, j], b[5, i, j], a[4, h, j], a[5, h, j])
            out[row, j] = far + (a[6, h, j] + b[6, i, j])
