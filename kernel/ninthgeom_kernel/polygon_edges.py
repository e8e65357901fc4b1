"""Whether a base or a polygon and a polygon touch along straight edges."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_2, F8_3, I8, I8_1, NONE, kernel, scalar
from ninthgeom_kernel.codes import edges_touch


@scalar
def side_of_base(a: Any, row: int, i: int, side: int) -> tuple[float, float, float, float, float]:
    """Middle, direction and half length of the straight part of a side: front, left, rear, right."""
    c = a[2, row, i]
    s = a[3, row, i]
    off = a[4 + side % 2, row, i] + a[6, row, i]
    off = off if side < 2 else -off
    half = a[5 - side % 2, row, i]
    x = a[0, row, i]
    y = a[1, row, i]
    if side % 2 == 0:
        return x + off * c, y + off * s, -s, c, half
    return x - off * s, y + off * c, c, s, half


@scalar
def edge_of_outline(outline: Any, k: int) -> tuple[float, float, float, float, float]:
    """Middle, direction and half length of an edge."""
    dx = outline[2, k] - outline[0, k]
    dy = outline[3, k] - outline[1, k]
    length = math.sqrt(dx * dx + dy * dy)
    return outline[0, k] + 0.5 * dx, outline[1, k] + 0.5 * dy, dx / length, dy / length, 0.5 * length


@kernel(NONE(F8_3, F8_3, I8, F8_2, I8_1, F8_2, I8_1, F8, BOOL_OUT2, I8, I8, I8, I8))
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

    Arguments: a (7, 1 or S, n) bases or (1, 1 or S, n) numbers of polygons; b (1, 1 or S, m) numbers of
    polygons; outlines (4, E) edges, first (N + 1) edges of polygons; tol in inches; out (S or S n, m), rows
    top to bottom, columns first to last.
    Result: an edge of either run side by side for longer than tol and within tol of each other at both ends.
    Boundary: closed.
    Degenerate: points have no edges, discs no straight ones.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            i = row - s * n if n > 0 else column
            polygon = int(b[0, sb, column])
            begin = 0
            end = 4
            if a.shape[0] == 1:
                begin = a_first[int(a[0, sa, i])]
                end = a_first[int(a[0, sa, i]) + 1]
            do_touch = False
            for j in range(begin, end):
                if a.shape[0] > 1:
                    x, y, c, d, half = side_of_base(a, sa, i, j)
                else:
                    x, y, c, d, half = edge_of_outline(a_outline, j)
                for k in range(b_first[polygon], b_first[polygon + 1]):
                    px, py, e, f, other = edge_of_outline(b_outline, k)
                    px -= x
                    py -= y
                    do_touch |= edges_touch(
                        c * px + d * py, c * py - d * px, c * e + d * f, c * f - d * e, half, other, tol
                    )
                if do_touch:
                    break
            out[row, column] = do_touch
