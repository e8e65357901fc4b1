"""The one arc of an observer that another base is located in, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT3, U8, kernel
from ninthgeom_kernel.arcs import arc_of_disc, arc_of_point, reference_point, to_facing
from ninthgeom_kernel.bases import base_at


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT3, I8, I8, U8, U8))
def located_arcs(
    a: Any, b: Any, tol: float, dot: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: observers a (7, 1 or S, n), others b (7, 1 or S, m) in; tol, and dot, the largest core of a
    disc, in inches; out (S, n, m), rows top to bottom of the S n of them, columns first to last.
    Result: the arc of a that b's reference point lies in: front 1, left 2, rear 4, right 8; 0 inside a.
    Boundary: a divider belongs to the flank, within tol; a facing to its arc.
    Degenerate: discs and points have a front arc only; segments are rectangles.
    Reference: none needed.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v = reference_point(
                ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j], to_facing(ba, bb, br, dot)
            )
            of_disc = arc_of_disc(u, v, ar, tol)
            arc = arc_of_point(u, v, aa + ar, ab + ar, tol)
            answer[j] = of_disc if max(aa, ab) <= dot else arc
