"""Whether every point of one base is within a distance of another."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, BOOL_OUT3, F8, F8_3, I8, NONE, kernel
from ninthgeom_kernel.bases import base_at, corner_offsets, farther_squared, mirrored_pose, outside


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT2, I8, I8))
def wholly_within(a: Any, b: Any, limit: float, out: Any, start: int, stop: int) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1 or S, n) in; limit in inches; out (S, n); flat positions start to stop of out.
    Result: the farthest point of a lies at most limit outside b.
    Boundary: closed.
    Degenerate: segments and points are bases.
    Reference: the signed distance to a convex core is convex, so a corner has the largest.
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
            u, v, _, _, c, s, turn, _ = mirrored_pose(bx[j], by[j], bc[j], bs[j], ax[j], ay[j], ac[j], as_[j])
            x0, y0, x1, y1 = corner_offsets(c, s, turn, aa[j], ab[j])
            squared = farther_squared(u, v, x0, y0, ba[j], bb[j])
            other = farther_squared(u, v, x1, y1, ba[j], bb[j])
            far = outside(u + x0 - ba[j], v + y1 - bb[j], squared, other) + (ar[j] - br[j])
            answer[j] = far <= limit


@kernel(NONE(F8_3, F8_3, F8, BOOL_OUT3, I8, I8))
def wholly_within_outer(a: Any, b: Any, limit: float, out: Any, start: int, stop: int) -> None:
    """Every a with every b.

    Arguments: a (7, 1 or S, n), b (7, 1 or S, m) in; limit in inches; out (S, n, m);
    flat positions start to stop of out.
    Result: as `wholly_within`.
    Boundary: as `wholly_within`.
    Degenerate: as `wholly_within`.
    Reference: as `wholly_within`.
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
        for j in range(len(answer)):
            u, v, _, _, c, s, turn, _ = mirrored_pose(bx[j], by[j], bc[j], bs[j], ax, ay, ac, as_)
            x0, y0, x1, y1 = corner_offsets(c, s, turn, aa, ab)
            squared = farther_squared(u, v, x0, y0, ba[j], bb[j])
            other = farther_squared(u, v, x1, y1, ba[j], bb[j])
            far = outside(u + x0 - ba[j], v + y1 - bb[j], squared, other) + (ar - br[j])
            answer[j] = far <= limit
