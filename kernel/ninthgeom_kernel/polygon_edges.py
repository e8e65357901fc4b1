"""Whether shapes with straight edges, bases and polygons, touch along them."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_2, I8, I8_1, I8_3, NONE, kernel, scalar
from ninthgeom_kernel.codes import edges_touch


@scalar
def edge_of_outline(outline: Any, k: int) -> tuple[float, float, float, float, float]:
    """Middle, direction and half length of an edge."""
    dx = outline[2, k] - outline[0, k]
    dy = outline[3, k] - outline[1, k]
    length = math.sqrt(dx * dx + dy * dy)
    c = dx / length if length > 0.0 else 1.0
    s = dy / length if length > 0.0 else 0.0
    return outline[0, k] + 0.5 * dx, outline[1, k] + 0.5 * dy, c, s, 0.5 * length


@kernel(NONE(I8_3, I8_3, I8, F8_2, I8_1, F8_2, I8_1, F8, BOOL_OUT2, I8, I8, I8, I8))
def share_edges(
    a: Any,
    b: Any,
    n: int,
    a_outline: Any,
    a_first: Any,
    b_outline: Any,
    b_first: Any,
    tol: float,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (1, 1 or S, n) and b (1, 1 or S, m) numbers of shapes; of either the edges (4, E) and the
    first (N + 1) edges of shapes; tol in inches; out (S or S n, m), rows top to bottom, columns first to
    last.
    Result: an edge of either run side by side for longer than tol and within tol of each other at both ends.
    Boundary: closed.
    Degenerate: edges without length touch nothing.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = a[0, sa, row - s * n if n > 0 else column]
            j = b[0, sb, column]
            do_touch = False
            for own in range(a_first[i], a_first[i + 1]):
                x, y, c, d, half = edge_of_outline(a_outline, own)
                for k in range(b_first[j], b_first[j + 1]):
                    px, py, e, f, other = edge_of_outline(b_outline, k)
                    px -= x
                    py -= y
                    do_touch |= edges_touch(
                        c * px + d * py, c * py - d * px, c * e + d * f, c * f - d * e, half, other, tol
                    )
                if do_touch:
                    break
            out[row, column] = do_touch
