"""Whether the gap of two bases is at most a limit: contact, and being within a distance."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, BOOL_OUT3, F8, F8_3, I8, NONE, kernel
from ninthgeom_kernel.bases import (
    base_at,
    corners_to_core,
    is_reached,
    mirrored_pose,
    outer_radius,
    signed_gap,
)

# Pairs whose near ones are counted, and then measured one by one.
BLOCK = 64
# Where one pair in so many of a row is near, measuring all of the row at once is faster.
CROWD = 8


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT2, I8, I8))
def gaps_at_most(a: Any, b: Any, limit: float, out: Any, start: int, stop: int) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; limit in inches; out (S, n); flat positions start to stop of out.
    Result: gap <= limit.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: separating axes and corner distances; Ericson, Real-Time Collision Detection, 4.4.
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
            u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
                ax[j], ay[j], ac[j], as_[j], bx[j], by[j], bc[j], bs[j]
            )
            axes, squared = corners_to_core(u, v, c, s, a_turn, aa[j], ab[j], ba[j], bb[j])
            b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba[j], bb[j], aa[j], ab[j])
            answer[j] = signed_gap(axes, squared, b_axes, b_squared, ar[j] + br[j]) <= limit


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8))
def gaps_at_most_outer(a: Any, b: Any, limit: float, out: Any, start: int, stop: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; limit in inches; out (S, n, m);
    flat positions start to stop of out.
    Result: gap <= limit.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: `gaps_at_most`; pairs whose outer circles are too far apart are never measured.
    """
    n = out.shape[1]
    m = out.shape[2]
    for row in range(start // m, (stop + m - 1) // m):
        part = slice(max(start - row * m, 0), min(stop - row * m, m))
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        i = row // n if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        answer = out[row // n, row % n, part]
        reach = outer_radius(aa, ab, ar) + limit
        near = 0
        for j in range(len(answer)):
            is_near = is_reached(bx[j] - ax, by[j] - ay, outer_radius(ba[j], bb[j], br[j]) + reach)
            answer[j] = is_near
            near += is_near
        if near * CROWD >= len(answer):
            for j in range(len(answer)):
                u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j])
                axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba[j], bb[j])
                b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba[j], bb[j], aa, ab)
                answer[j] = signed_gap(axes, squared, b_axes, b_squared, ar + br[j]) <= limit
            near = 0
        for first in range(0, len(answer) if near else 0, BLOCK):
            block = answer[first : first + BLOCK]
            near = 0
            for j in range(len(block)):
                near += block[j]
            j = first
            while near > 0:
                while not answer[j]:
                    j += 1
                u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j])
                axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba[j], bb[j])
                b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba[j], bb[j], aa, ab)
                answer[j] = signed_gap(axes, squared, b_axes, b_squared, ar + br[j]) <= limit
                near -= 1
                j += 1
