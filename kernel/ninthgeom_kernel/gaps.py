"""Signed gaps of two bases, and distances, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, F8_OUT2, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import corners_to_core, mirrored_pose, signed_gap


@kernel(NONE(F8_3, F8_3, F8, F8_OUT2, I8, I8, U8, U8))
def gaps(a: Any, b: Any, zero: float, out: Any, top: int, bottom: int, first: int, last: int) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; zero in inches; out (S, n), rows top to bottom, columns first to last.
    Result: the gap where it is above zero, else 0; with zero = -inf the gap everywhere.
    Boundary: a gap of zero is 0.
    Degenerate: segments and points are bases.
    Reference: separating axes and corner distances; Ericson, Real-Time Collision Detection, 4.4.
    """
    for row in range(top, bottom):
        h = row if a.shape[1] > 1 else 0
        i = row if b.shape[1] > 1 else 0
        for j in range(first, last):
            aa, ab, ar = a[4, h, j], a[5, h, j], a[6, h, j]
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                a[0, h, j], a[1, h, j], a[2, h, j], a[3, h, j], b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba, bb)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba, bb, aa, ab)
            gap = signed_gap(axes, squared, b_axes, b_squared, ar + br)
            out[row, j] = gap if gap > zero else 0.0
