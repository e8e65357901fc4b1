"""Shortest lines from one base to another, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, F8_OUT3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import base_at
from ninthgeom_kernel.nearest import nearest_points


@kernel(NONE(F8_3, F8_3, F8, F8_OUT3, I8, I8, U8, U8))
def shortest_lines(
    a: Any, b: Any, tol: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; tol in inches; out (S, n, 4), rows top to bottom, columns first to
    last.
    Result: x and y of the point of a that is nearest to b, and of that of b nearest to a.
    Boundary: gap <= tol: the same point twice.
    Degenerate: segments and points are bases.
    Reference: the nearest points of cores apart are a corner and its projection; Ericson, Real-Time Collision
    Detection, 5.1.
    """
    for row in range(top, bottom):
        for j in range(first, last):
            line = nearest_points(base_at(a, row, j), base_at(b, row, j), tol)
            out[row, j, 0], out[row, j, 1], out[row, j, 2], out[row, j, 3] = line
