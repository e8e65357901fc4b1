"""Scalar geometry of the relation of two bases.

Only pairs in contact come here, a few of many, so nothing needs to be vectorised.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.bases import (
    corner_offsets,
    corners_to_core,
    farther_squared,
    mirrored_pose,
    outside,
    signed_gap,
)

APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = range(7)


@scalar
def core_excess(
    u: float, v: float, c: float, s: float, turn: float, e: float, f: float, a: float, b: float
) -> float:
    """How far core (e, f) reaches out of core (a, b), in whose first quadrant it lies; less than 0: how deep.

    The signed distance to a convex core is convex, so a corner has the largest.
    """
    x0, y0, x1, y1 = corner_offsets(c, s, turn, e, f)
    squared = farther_squared(u, v, x0, y0, a, b)
    other = farther_squared(u, v, x1, y1, a, b)
    return outside(u + x0 - a, v + y1 - b, squared, other)


@scalar
def edges_touch(x: float, y: float, dx: float, dy: float, half: float, other: float, tol: float) -> bool:
    """Tell whether two edges touch along a line.

    One lies on the x axis round the origin and is 2 half long; the other has its middle at (x, y), the
    direction (dx, dy) and a length of 2 other. Seen along the line halfway between their directions, they run
    side by side for longer than tol, and at both ends of that stretch either is within tol of the other.
    """
    # tangent and cosine of half the angle between the edges
    slope = math.copysign(dy, dx * dy) / (1.0 + abs(dx))
    cosine = math.sqrt(0.5 + 0.5 * abs(dx))
    middle = (x + y * slope) * cosine
    apart = (y - x * slope) * cosine - middle * slope
    half *= cosine
    other *= cosine
    low = max(-half, middle - other)
    high = min(half, middle + other)
    limit = tol / cosine
    is_near = (abs(apart + 2.0 * slope * low) <= limit) & (abs(apart + 2.0 * slope * high) <= limit)
    return (high - low > tol) & is_near


@scalar
def share_line(
    u: float,
    v: float,
    c: float,
    s: float,
    turn: float,
    aa: float,
    ab: float,
    ar: float,
    ba: float,
    bb: float,
    br: float,
    tol: float,
) -> bool:
    """Tell whether straight edges of two bases touch along a line; the pose is that of `mirrored_pose`.

    Of either base only the two edges on the other's side can: what touches it there lies on that side.
    """
    s *= turn
    if abs(c) < abs(s):  # b a quarter turn further, so that edges of one name are less than 45 degrees apart
        c, s, ba, bb = -s, c, bb, ba
    p = math.copysign(ba + br, c * u + s * v)
    q = math.copysign(bb + br, c * v - s * u)
    is_left = edges_touch(u + q * s, v - q * c - (ab + ar), c, s, aa, ba, tol)
    return is_left | edges_touch(v - p * s, u - p * c - (aa + ar), c, -s, ab, bb, tol)


@scalar
def code_in_contact(a: Any, b: Any, gap_code: int, tol: float) -> int:
    """Relation of two bases in contact, each given by its seven numbers: the first code that holds.

    The code of their gap is PARTIAL where it is below -tol, else POINT.
    """
    ax, ay, ac, as_, aa, ab, ar = a
    bx, by, bc, bs, ba, bb, br = b
    u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(ax, ay, ac, as_, bx, by, bc, bs)
    is_inside = core_excess(p, q, c, s, b_turn, aa, ab, ba, bb) + (ar - br) <= tol
    is_outside = core_excess(u, v, c, s, a_turn, ba, bb, aa, ab) + (br - ar) <= tol
    if is_inside & is_outside:
        return EQUAL
    do_meet = gap_code == PARTIAL
    is_a_flat = (ar == 0.0) & (min(aa, ab) == 0.0)
    is_b_flat = (br == 0.0) & (min(ba, bb) == 0.0)
    if is_a_flat | is_b_flat:
        # A base without area meets the part of the other deeper than tol, if there is one.
        a_cut = max(tol - ar, 0.0) if is_b_flat else 0.0
        b_cut = max(tol - br, 0.0) if is_a_flat else 0.0
        a_left = max(ar - tol, 0.0) if is_b_flat else 0.0
        b_left = max(br - tol, 0.0) if is_a_flat else 0.0
        a0, a1, b0, b1 = aa - a_cut, ab - a_cut, ba - b_cut, bb - b_cut
        axes, squared = corners_to_core(u, v, c, s, a_turn, a0, a1, b0, b1)
        b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b0, b1, a0, a1)
        is_part = (max(a_left, min(a0, a1)) > 0.0) if is_b_flat else (max(b_left, min(b0, b1)) > 0.0)
        do_meet = is_part & (signed_gap(axes, squared, b_axes, b_squared, a_left + b_left) < 0.0)
        do_meet &= not (is_a_flat & is_b_flat)
    if do_meet:
        if is_inside:
            return INSIDE
        return CONTAINS if is_outside else PARTIAL
    return LINE if share_line(u, v, c, s, a_turn, aa, ab, ar, ba, bb, br, tol) else POINT
