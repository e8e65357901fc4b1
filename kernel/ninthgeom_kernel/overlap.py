"""Whether the interiors of two bases meet."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, BOOL_OUT3, F8, F8_3, I8, NONE, kernel, scalar
from ninthgeom_kernel.bases import base_at, corners_to_core, mirrored_pose, signed_gap


@scalar
def has_no_area(along: float, across: float, radius: float) -> bool:
    """Tell whether a base is a segment or a point."""
    return (radius == 0.0) & (min(along, across) == 0.0)


@scalar
def part_inside(along: float, across: float, radius: float, depth: float) -> tuple[float, float, float, bool]:
    """Core and radius of the part of a base deeper than `depth` inside it, and whether there is none."""
    cut = max(depth - radius, 0.0)
    left = max(radius - depth, 0.0)
    return along - cut, across - cut, left, (left == 0.0) & (min(along, across) <= cut)


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT2, I8, I8))
def interiors_meet(a: Any, b: Any, tol: float, out: Any, start: int, stop: int) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; tol in inches; out (S, n); flat positions start to stop of out.
    Result: gap < -tol; beside a base without area: some point of it lies deeper than tol inside the other.
    Boundary: open.
    Degenerate: two bases without area have no interiors that could meet.
    Reference: a segment meets an open rectangle unless an axis of either separates them.
    """
    n = out.shape[1]
    for row in range(start // n, (stop + n - 1) // n):
        part = slice(max(start - row * n, 0), min(stop - row * n, n))
        i = row if a.shape[1] > 1 else 0
        ax, ay, ac, as_ = a[0, i, part], a[1, i, part], a[2, i, part], a[3, i, part]
        aa, ab, ar = a[4, i, part], a[5, i, part], a[6, i, part]
        i = row if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        answer = out[row, part]
        for j in range(len(answer)):
            a_flat = has_no_area(aa[j], ab[j], ar[j])
            b_flat = has_no_area(ba[j], bb[j], br[j])
            a0, a1, a2, a_none = part_inside(aa[j], ab[j], ar[j], tol if b_flat else 0.0)
            b0, b1, b2, b_none = part_inside(ba[j], bb[j], br[j], tol if a_flat else 0.0)
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                ax[j], ay[j], ac[j], as_[j], bx[j], by[j], bc[j], bs[j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, a0, a1, b0, b1)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b0, b1, a0, a1)
            meet = signed_gap(axes, squared, b_axes, b_squared, a2 + b2) < (0.0 if a_flat | b_flat else -tol)
            answer[j] = meet & (not (b_flat & a_none)) & (not (a_flat & b_none))


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8))
def interiors_meet_outer(a: Any, b: Any, tol: float, out: Any, start: int, stop: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; tol in inches; out (S, n, m);
    flat positions start to stop of out.
    Result: as `interiors_meet`.
    Boundary: as `interiors_meet`.
    Degenerate: as `interiors_meet`.
    Reference: as `interiors_meet`.
    """
    n = out.shape[1]
    m = out.shape[2]
    for row in range(start // m, (stop + m - 1) // m):
        part = slice(max(start - row * m, 0), min(stop - row * m, m))
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        i = row // n if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        a_flat = has_no_area(aa, ab, ar)
        answer = out[row // n, row % n, part]
        for j in range(len(answer)):
            b_flat = has_no_area(ba[j], bb[j], br[j])
            a0, a1, a2, a_none = part_inside(aa, ab, ar, tol if b_flat else 0.0)
            b0, b1, b2, b_none = part_inside(ba[j], bb[j], br[j], tol if a_flat else 0.0)
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j])
            axes, squared = corners_to_core(u, v, c, s, a_turn, a0, a1, b0, b1)
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b0, b1, a0, a1)
            meet = signed_gap(axes, squared, b_axes, b_squared, a2 + b2) < (0.0 if a_flat | b_flat else -tol)
            answer[j] = meet & (not (b_flat & a_none)) & (not (a_flat & b_none))
