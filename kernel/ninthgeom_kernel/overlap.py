"""Whether the interiors of two bases meet, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_3, I8, NONE, U8, kernel
from ninthgeom_kernel.bases import (
    corners_to_core,
    has_no_area,
    is_deep,
    mirrored_pose,
    part_inside,
    signed_gap,
)


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT2, I8, I8, U8, U8))
def interiors_meet(
    a: Any, b: Any, tol: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; tol in inches; out (S, n), rows top to bottom, columns first to last.
    Result: gap < -tol; beside a base without area: some point of it lies deeper than tol inside the other.
    Boundary: open.
    Degenerate: two bases without area have no interiors that could meet.
    Reference: a segment meets an open rectangle unless an axis of either separates them.
    """
    for row in range(top, bottom):
        h = row if a.shape[1] > 1 else 0
        i = row if b.shape[1] > 1 else 0
        for j in range(first, last):
            aa, ab, ar = a[4, h, j], a[5, h, j], a[6, h, j]
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            a_flat = has_no_area(aa, ab, ar)
            b_flat = has_no_area(ba, bb, br)
            a0, a1, a2, a_none = part_inside(aa, ab, ar, tol if b_flat else 0.0)
            b0, b1, b2, b_none = part_inside(ba, bb, br, tol if a_flat else 0.0)
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                a[0, h, j], a[1, h, j], a[2, h, j], a[3, h, j], b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, a0, a1, b0, b1)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b0, b1, a0, a1)
            gap = signed_gap(axes, squared, b_axes, b_squared, a2 + b2)
            out[row, j] = is_deep(gap, tol, a_flat, b_flat, a_none, b_none)
