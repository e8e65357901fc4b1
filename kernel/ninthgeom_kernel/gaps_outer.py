"""Signed gaps of two bases, and distances, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, F8_OUT3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import base_at, corners_to_core, mirrored_pose, signed_gap


@kernel(NONE(F8_3, F8_3, F8, F8_OUT3, I8, I8, U8, U8))
def gaps(a: Any, b: Any, zero: float, out: Any, top: int, bottom: int, first: int, last: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; zero in inches; out (S, n, m), rows top to bottom of
    the S n of them, columns first to last.
    Result: the gap where it is above zero, else 0; with zero = -inf the gap everywhere.
    Boundary: a gap of zero is 0.
    Degenerate: segments and points are bases.
    Reference: separating axes and corner distances; Ericson, Real-Time Collision Detection, 4.4.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba, bb)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba, bb, aa, ab)
            gap = signed_gap(axes, squared, b_axes, b_squared, ar + br)
            answer[j] = gap if gap > zero else 0.0
