"""Relations of two bases, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT3, U8, kernel
from ninthgeom_kernel.bases import base_at, corners_to_core, mirrored_pose, signed_gap
from ninthgeom_kernel.codes import APART, PARTIAL, POINT, code_in_contact


@kernel(NONE(F8_3, F8_3, F8, U1_OUT3, I8, I8, U8, U8))
def relations(a: Any, b: Any, tol: float, out: Any, top: int, bottom: int, first: int, last: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; tol in inches; out (S, n, m), rows top to bottom of
    the S n of them, columns first to last.
    Result: apart 0, touching in a point 1, along a line 2, partly overlapping 3, a in b 4, b in a 5, equal 6.
    Boundary: within tol of a higher code is that code.
    Degenerate: segments and points lie in what has a part of them deeper than tol inside, else they touch it.
    Reference: separating axes and corner distances; projected edges.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        one = base_at(a, row // n, row % n)
        ax, ay, ac, as_, aa, ab, ar = one
        answer = out[row // n, row % n]
        i = row // n if b.shape[1] > 1 else 0
        # Contact first: this loop is vectorised, and what is apart needs no more.
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba, bb)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba, bb, aa, ab)
            gap = signed_gap(axes, squared, b_axes, b_squared, ar + br)
            answer[j] = PARTIAL if gap < -tol else POINT if gap <= tol else APART
        for j in range(first, last):
            if answer[j] != APART:
                answer[j] = code_in_contact(one, base_at(b, i, j), answer[j], tol)
