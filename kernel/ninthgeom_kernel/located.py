"""The one arc of an observer that another base is located in, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT2, U8, kernel
from ninthgeom_kernel.arcs import arc_of_disc, arc_of_point, reference_point, to_facing


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT2, I8, I8, U8, U8))
def located_arcs(
    a: Any, b: Any, tol: float, dot: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Pair by pair.

    Arguments: observers a, others b (7, 1 or S, n) in; tol, and dot, the largest core of a disc, in inches;
    out (S, n), rows top to bottom, columns first to last.
    Result: the arc of a that b's reference point lies in: front 1, left 2, rear 4, right 8; 0 inside a.
    Boundary: a divider belongs to the flank, within tol; a facing to its arc.
    Degenerate: discs and points have a front arc only; segments are rectangles.
    Reference: none needed.
    """
    for row in range(top, bottom):
        h = row if a.shape[1] > 1 else 0
        i = row if b.shape[1] > 1 else 0
        for j in range(first, last):
            aa, ab, ar = a[4, h, j], a[5, h, j], a[6, h, j]
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v = reference_point(
                a[0, h, j],
                a[1, h, j],
                a[2, h, j],
                a[3, h, j],
                b[0, i, j],
                b[1, i, j],
                b[2, i, j],
                b[3, i, j],
                to_facing(ba, bb, br, dot),
            )
            of_disc = arc_of_disc(u, v, ar, tol)
            arc = arc_of_point(u, v, aa + ar, ab + ar, tol)
            out[row, j] = of_disc if max(aa, ab) <= dot else arc
