"""Scalar geometry of facings: through which edges of a rectangle another base meets it."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.arcs import FRONT, LEFT, REAR, RIGHT
from ninthgeom_kernel.bases import corners_to_core, mirrored_pose, signed_gap

# Two facings of a corner are turned equally far from what slants across it, to this share.
EQUAL = 1e-9


@scalar
def gap_of(a: Any, b: Any) -> float:
    """Signed gap of two bases, each given by its seven numbers."""
    ax, ay, ac, as_, aa, ab, ar = a
    bx, by, bc, bs, ba, bb, br = b
    u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx, by, bc, bs)
    axes, squared = corners_to_core(u, v, c, s, a_turn, aa, ab, ba, bb)
    b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, ba, bb, aa, ab)
    return signed_gap(axes, squared, b_axes, b_squared, ar + br)


@scalar
def slanting(
    u: float,
    v: float,
    c: float,
    s: float,
    aa: float,
    ab: float,
    ba: float,
    bb: float,
    br: float,
    least: float,
) -> tuple[float, float]:
    """Which way base b lies from the corner of rectangle a that it meets, in a's frame, not normalised.

    b's centre is at (u, v) there and b turned by (c, s). Square to its straight edge, if a lies at least so
    far before that, else from the corner to the centre of b's round one.
    """
    p = -(c * u + s * v)
    q = s * u - c * v
    ahead = abs(p) - (aa * abs(c) + ab * abs(s)) - ba
    aside = abs(q) - (aa * abs(s) + ab * abs(c)) - bb
    px = math.copysign(1.0, p)
    qy = math.copysign(1.0, q)
    x = -c * px if ahead >= aside else s * qy
    y = -s * px if ahead >= aside else -c * qy
    if max(ahead, aside) - br < least:
        nearest = math.inf
        for k in range(4):
            e = ba if k < 2 else -ba
            f = bb if k % 2 == 0 else -bb
            cx = u + c * e - s * f
            cy = v + s * e + c * f
            dx = math.copysign(max(abs(cx) - aa, 0.0), cx)
            dy = math.copysign(max(abs(cy) - ab, 0.0), cy)
            if dx * dx + dy * dy < nearest:
                nearest = dx * dx + dy * dy
                x = dx
                y = dy
    return x, y


@scalar
def facing(a: Any, b: Any, gap: float, tol: float) -> int:
    """Facings of base a, given by its seven numbers, through which base b in contact meets it.

    Those that b lies wholly before, as far as their gap allows. Where b slants across a corner, that one of
    the corner's two facings that is turned from it least, or both.
    """
    ax, ay, ac, as_, aa, ab, ar = a
    bx, by, bc, bs, ba, bb, br = b
    if ar > 0.0:
        return FRONT
    dx = bx - ax
    dy = by - ay
    u = ac * dx + as_ * dy
    v = ac * dy - as_ * dx
    c = ac * bc + as_ * bs
    s = ac * bs - as_ * bc
    ahead = abs(u) - (ba * abs(c) + bb * abs(s) + br) - aa
    aside = abs(v) - (ba * abs(s) + bb * abs(c) + br) - ab
    # of two facings that lie opposite each other the other one may be as near where the centres are level
    ends = (FRONT if u >= -tol else 0) | (REAR if u <= tol else 0)
    flanks = (LEFT if v >= -tol else 0) | (RIGHT if v <= tol else 0)
    flags = (ends if ahead >= gap - tol else 0) | (flanks if aside >= gap - tol else 0)
    if flags == 0:
        x, y = slanting(u, v, c, s, aa, ab, ba, bb, br, gap - tol)
        end = FRONT if x >= 0.0 else REAR
        flank = LEFT if y >= 0.0 else RIGHT
        flags = end if abs(x) >= (1.0 + EQUAL) * abs(y) else flank
        flags = end | flank if abs(abs(x) - abs(y)) <= EQUAL * abs(x) else flags
    return flags
