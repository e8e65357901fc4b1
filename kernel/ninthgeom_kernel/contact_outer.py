"""Whether the gap of two bases is at most a limit, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT3, F8, F8_3, I8, NONE, kernel
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


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8, I8, I8))
def gaps_at_most(
    a: Any, b: Any, limit: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; limit in inches; out (S, n, m), rows top to bottom of
    the S n of them, columns first to last.
    Result: gap <= limit.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: as pair by pair; pairs whose outer circles are too far apart are never measured.
    """
    n = out.shape[1]
    part = slice(first, last)
    for row in range(top, bottom):
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
        for start in range(0, len(answer) if near else 0, BLOCK):
            block = answer[start : start + BLOCK]
            near = 0
            for j in range(len(block)):
                near += block[j]
            j = start
            while near > 0:
                while not answer[j]:
                    j += 1
                u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j])
                axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba[j], bb[j])
                b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba[j], bb[j], aa, ab)
                answer[j] = signed_gap(axes, squared, b_axes, b_squared, ar + br[j]) <= limit
                near -= 1
                j += 1
