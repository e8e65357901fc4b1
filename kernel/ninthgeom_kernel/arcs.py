"""The arcs of an observer that another base touches.

The dividers leave the corners of the observer's outer rectangle at 45 degrees. In its frame, u forward and v
left, the front arc is the convex region ``u >= along + max(0, |v| - across)``; the others are the same after
quarter turns. Where a core lies apart from a region, a corner of one of them is nearest to the other.
"""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT2, U1_OUT3, kernel, scalar
from ninthgeom_kernel.bases import base_at

LEFT = 2
REAR = 4
RIGHT = 8


@scalar
def seen(
    ax: float, ay: float, ac: float, as_: float, bx: float, by: float, bc: float, bs: float
) -> tuple[float, float, float, float, bool]:
    """Centre of a base in an observer's frame, and the direction of its axis within 45 degrees of forward.

    The last result tells whether this is the axis across the heading of the base.
    """
    dx = bx - ax
    dy = by - ay
    c = ac * bc + as_ * bs
    s = ac * bs - as_ * bc
    is_crosswise = abs(s) > abs(c)
    low = min(abs(c), abs(s))
    low = low if (c * s >= 0.0) != is_crosswise else -low
    return ac * dx + as_ * dy, ac * dy - as_ * dx, max(abs(c), abs(s)), low, is_crosswise


@scalar
def front_corners(c: float, s: float, e: float, f: float) -> tuple[float, float, float, float]:
    """Front left and front right corner of core (e, f), seen from its centre; the others lie opposite."""
    ec = e * c
    es = e * s
    fc = f * c
    fs = f * s
    return ec - fs, es + fc, ec + fs, es - fc


@scalar
def core_squared(x: float, y: float, c: float, s: float, e: float, f: float) -> float:
    """Squared distance of a point, seen from the centre of core (e, f), to the core."""
    p = max(abs(x * c + y * s) - e, 0.0)
    q = max(abs(y * c - x * s) - f, 0.0)
    return p * p + q * q


@scalar
def region_squared(x: float, y: float) -> float:
    """Squared distance of a point to the front region, from u - along and |v| - across."""
    face = min(x, 0.0)
    ray = max(y - x, 0.0)
    beside = ray * ray * 0.5 if x + y >= 0.0 else x * x + y * y
    return beside if y > 0.0 else face * face


@scalar
def touches_region(
    u: float, v: float, p: float, q: float, t: float, w: float, nose: float, across: float, near: float
) -> bool:
    """Tell whether a core meets the front region or has a corner no farther from it than near (squared).

    The core's centre is u before the facing and v left of its middle, its front corners (p, q) and (t, w)
    from it; `nose` is how far it leads the region along its own axis. Other corners are never nearest.
    """
    is_met = (
        (u + max(p, t) >= 0.0) & (u + p + (v + q) >= -across) & (u + t - (v + w) >= -across) & (nose >= 0.0)
    )
    left = region_squared(u + p, abs(v + q) - across)
    right = region_squared(u + t, abs(v + w) - across)
    return is_met | (min(left, right) <= near)


@scalar
def lies_within(
    u: float, v: float, p: float, q: float, t: float, w: float, along: float, across: float, reach: float
) -> bool:
    """Tell whether a core lies within a box widened by reach."""
    return (abs(u) + max(p, t) <= along + reach) & (abs(v) + max(q, -w) <= across + reach)


@scalar
def lies_within_disc(u: float, v: float, p: float, q: float, t: float, w: float, reach: float) -> bool:
    """Tell whether a core lies within reach of the origin."""
    farthest = u * u + v * v + p * p + q * q + 2.0 * max(abs(u * p + v * q), abs(u * t + v * w))
    return (reach >= 0.0) & (farthest <= reach * reach)


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT2, I8, I8))
def inside_arcs(a: Any, b: Any, tol: float, dot: float, out: Any, start: int, stop: int) -> None:
    """Pair by pair.

    Arguments: observers a, others b (7, 1 or S, n) in; tol in inches; dot, the largest core of a disc;
    out (S, n); flat positions start to stop of out.
    Result: sum of the arcs of a that b touches within tol: front 1, left 2, rear 4, right 8; 0 if
    b lies within a.
    Boundary: closed; a corner of a belongs to two arcs.
    Degenerate: discs and points have a front arc only; segments are rectangles.
    Reference: separating axes and corner distances, as for two bases.
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
            u, v, c, s, is_crosswise = seen(ax[j], ay[j], ac[j], as_[j], bx[j], by[j], bc[j], bs[j])
            e = bb[j] if is_crosswise else ba[j]
            f = ba[j] if is_crosswise else bb[j]
            p, q, t, w = front_corners(c, s, e, f)
            near = (br[j] + tol) * (br[j] + tol)
            along = aa[j] + ar[j]
            across = ab[j] + ar[j]
            is_round = max(aa[j], ab[j]) <= dot
            # The corners of the observer, each of which belongs to two arcs.
            front_left = core_squared(along - u, across - v, c, s, e, f) <= near
            front_right = core_squared(along - u, -across - v, c, s, e, f) <= near
            rear_left = core_squared(-along - u, across - v, c, s, e, f) <= near
            rear_right = core_squared(-along - u, -across - v, c, s, e, f) <= near
            x = c * u + s * v
            y = c * v - s * u
            nose = e - c * along + abs(s) * across
            side = f - c * across + abs(s) * along
            front = touches_region(u - along, v, p, q, t, w, nose + x, across, near)
            left = touches_region(v - across, -u, -w, t, q, -p, side + y, along, near)
            rear = touches_region(-u - along, -v, p, q, t, w, nose - x, across, near)
            right = touches_region(-v - across, u, -w, t, q, -p, side - y, along, near)
            front |= front_left | front_right
            left |= front_left | rear_left
            rear |= rear_left | rear_right
            right |= front_right | rear_right
            reach = ar[j] + tol - br[j]
            is_in_disc = lies_within_disc(u, v, p, q, t, w, reach)
            is_in_box = lies_within(u, v, p, q, t, w, aa[j], ab[j], reach)
            arcs = 1 if is_round else front + LEFT * left + REAR * rear + RIGHT * right
            answer[j] = 0 if (is_in_disc if is_round else is_in_box) else arcs


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT3, I8, I8))
def inside_arcs_outer(a: Any, b: Any, tol: float, dot: float, out: Any, start: int, stop: int) -> None:
    """Every a with every b.

    Arguments: observers a (7, 1 or S, n), others b (7, 1 or S, m) in; tol in inches; dot, the largest core of
    a disc; out (S, n, m); flat positions start to stop of out.
    Result: as `inside_arcs`.
    Boundary: as `inside_arcs`.
    Degenerate: as `inside_arcs`.
    Reference: as `inside_arcs`.
    """
    n = out.shape[1]
    m = out.shape[2]
    for row in range(start // m, (stop + m - 1) // m):
        part = slice(max(start - row * m, 0), min(stop - row * m, m))
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        i = row // n if b.shape[1] > 1 else 0
        bx, by, bc, bs = b[0, i, part], b[1, i, part], b[2, i, part], b[3, i, part]
        ba, bb, br = b[4, i, part], b[5, i, part], b[6, i, part]
        along = aa + ar
        across = ab + ar
        is_round = max(aa, ab) <= dot
        answer = out[row // n, row % n, part]
        for j in range(len(answer)):
            u, v, c, s, is_crosswise = seen(ax, ay, ac, as_, bx[j], by[j], bc[j], bs[j])
            e = bb[j] if is_crosswise else ba[j]
            f = ba[j] if is_crosswise else bb[j]
            p, q, t, w = front_corners(c, s, e, f)
            near = (br[j] + tol) * (br[j] + tol)
            # The corners of the observer, each of which belongs to two arcs.
            front_left = core_squared(along - u, across - v, c, s, e, f) <= near
            front_right = core_squared(along - u, -across - v, c, s, e, f) <= near
            rear_left = core_squared(-along - u, across - v, c, s, e, f) <= near
            rear_right = core_squared(-along - u, -across - v, c, s, e, f) <= near
            x = c * u + s * v
            y = c * v - s * u
            nose = e - c * along + abs(s) * across
            side = f - c * across + abs(s) * along
            front = touches_region(u - along, v, p, q, t, w, nose + x, across, near)
            left = touches_region(v - across, -u, -w, t, q, -p, side + y, along, near)
            rear = touches_region(-u - along, -v, p, q, t, w, nose - x, across, near)
            right = touches_region(-v - across, u, -w, t, q, -p, side - y, along, near)
            front |= front_left | front_right
            left |= front_left | rear_left
            rear |= rear_left | rear_right
            right |= front_right | rear_right
            reach = ar + tol - br[j]
            is_in_disc = lies_within_disc(u, v, p, q, t, w, reach)
            is_in_box = lies_within(u, v, p, q, t, w, aa, ab, reach)
            arcs = 1 if is_round else front + LEFT * left + REAR * rear + RIGHT * right
            answer[j] = 0 if (is_in_disc if is_round else is_in_box) else arcs
