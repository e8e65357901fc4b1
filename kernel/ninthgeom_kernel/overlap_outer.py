"""Whether the interiors of two bases meet, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT3, F8, F8_3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import (
    base_at,
    corners_to_core,
    has_no_area,
    is_deep,
    mirrored_pose,
    part_inside,
    signed_gap,
)


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8, U8, U8))
def interiors_meet(
    a: Any, b: Any, tol: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; tol in inches; out (S, n, m), rows top to bottom of
    the S n of them, columns first to last.
    Result: gap < -tol; beside a base without area: some point of it lies deeper than tol inside the other.
    Boundary: open.
    Degenerate: two bases without area have no interiors that could meet.
    Reference: a segment meets an open rectangle unless an axis of either separates them.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        a_flat = has_no_area(aa, ab, ar)
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            b_flat = has_no_area(ba, bb, br)
            a0, a1, a2, a_none = part_inside(aa, ab, ar, tol if b_flat else 0.0)
            b0, b1, b2, b_none = part_inside(ba, bb, br, tol if a_flat else 0.0)
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, a0, a1, b0, b1)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b0, b1, a0, a1)
            gap = signed_gap(axes, squared, b_axes, b_squared, a2 + b2)
            answer[j] = is_deep(gap, tol, a_flat, b_flat, a_none, b_none)
