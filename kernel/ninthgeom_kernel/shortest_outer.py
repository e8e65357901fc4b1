"""Shortest lines from one base to another, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, F8_OUT4, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import base_at
from ninthgeom_kernel.nearest import nearest_points


@kernel(NONE(F8_3, F8_3, F8, F8_OUT4, I8, I8, U8, U8))
def shortest_lines(
    a: Any, b: Any, tol: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; tol in inches; out (S, n, m, 4), rows top to bottom of
    the S n of them, columns first to last.
    Result: x and y of the point of a that is nearest to b, and of that of b nearest to a.
    Boundary: gap <= tol: the same point twice.
    Degenerate: segments and points are bases.
    Reference: the nearest points of cores apart are a corner and its projection; Ericson, Real-Time Collision
    Detection, 5.1.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        one = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        for j in range(first, last):
            line = nearest_points(one, base_at(b, row // n, j), tol)
            answer[j, 0], answer[j, 1], answer[j, 2], answer[j, 3] = line
