"""Scalar geometry of two bases: rounded rectangles, each given as a core rectangle and a radius.

The columns of a base are x, y, cos, sin of its heading, the half extents of its core along and across the
heading, and the radius. The helpers are small on purpose: LLVM inlines each of them into the loops of the
batch kernels, and a loop with a call left in it is not vectorised.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

# max(p, q) + HYPOTENUSE min(p, q) is never less than the hypotenuse and at most 8 % more.
HYPOTENUSE = 0.4143
# Distances of centres are right to a tenth of this, in inches, over the whole range of coordinates.
SLACK = 1e-7


@scalar
def base_at(bases: Any, row: int, i: int) -> tuple[float, float, float, float, float, float, float]:
    """Read one base; one row of bases serves all rows of the other side."""
    row = row if bases.shape[1] > 1 else 0
    return (
        bases[0, row, i],
        bases[1, row, i],
        bases[2, row, i],
        bases[3, row, i],
        bases[4, row, i],
        bases[5, row, i],
        bases[6, row, i],
    )


@scalar
def mirrored_pose(
    ax: float, ay: float, ac: float, as_: float, bx: float, by: float, bc: float, bs: float
) -> tuple[float, float, float, float, float, float, float, float]:
    """Pose of two bases to each other, mirrored into the first quadrant.

    Returns the absolute values of b's centre in a's frame, of a's centre in b's frame, and of cosine and sine
    of the turn between them, then for either frame which way the other is turned once mirrored, +1 or -1.
    """
    c = ac * bc + as_ * bs
    s = ac * bs - as_ * bc
    dx = bx - ax
    dy = by - ay
    u = ac * dx + as_ * dy
    v = ac * dy - as_ * dx
    p = bc * dx + bs * dy
    q = bc * dy - bs * dx
    cs = c * s
    a_turn = 1.0 if cs * (u * v) >= 0.0 else -1.0
    b_turn = 1.0 if cs * (p * q) <= 0.0 else -1.0
    return abs(u), abs(v), abs(p), abs(q), abs(c), abs(s), a_turn, b_turn


@scalar
def corners_to_core(
    u: float, v: float, c: float, s: float, turn: float, a: float, b: float, e: float, f: float
) -> tuple[float, float]:
    """Larger gap along the axes of core (a, b), and least squared distance of core (e, f)'s corners to it.

    Core (e, f) lies in the first quadrant of the other. Where one of its corners is nearest, it is the
    leftmost or the lowest one: for any other, a corner of core (a, b) is as near. Callers ask for both sides.
    """
    ec = e * c
    es = e * s
    fc = f * c
    fs = f * s
    left = u - (ec + fs)
    low = v - (es + fc)
    x0 = max(abs(left) - a, 0.0)
    y0 = max(abs(v + turn * (fc - es)) - b, 0.0)
    x1 = max(abs(u + turn * (fs - ec)) - a, 0.0)
    y1 = max(abs(low) - b, 0.0)
    return max(left - a, low - b), min(x0 * x0 + y0 * y0, x1 * x1 + y1 * y1)


@scalar
def signed_gap(a_axes: float, a_squared: float, b_axes: float, b_squared: float, radii: float) -> float:
    """Gap of two bases from `corners_to_core` of both: distance where an axis shows one, else minus depth."""
    axes = max(a_axes, b_axes)
    return (math.sqrt(min(a_squared, b_squared)) if axes > 0.0 else axes) - radii


@scalar
def outer_radius(along: float, across: float, radius: float) -> float:
    """Radius of a circle round a base, at most 8 % larger than needed: without a square root."""
    return max(along, across) + HYPOTENUSE * min(along, across) + radius


@scalar
def is_reached(dx: float, dy: float, reach: float) -> bool:
    """Tell whether two centres may be within reach of each other; never wrong when it denies."""
    reach += SLACK
    return dx * dx + dy * dy <= reach * reach


@scalar
def corner_offsets(c: float, s: float, turn: float, e: float, f: float) -> tuple[float, float, float, float]:
    """Two neighbouring corners of core (e, f), turned, as seen from its centre; the others lie opposite."""
    ec = e * c
    es = e * s
    fc = f * c
    fs = f * s
    return ec + fs, turn * (es - fc), turn * (ec - fs), es + fc


@scalar
def farther_squared(u: float, v: float, x: float, y: float, a: float, b: float) -> float:
    """Squared distance to core (a, b) from the farther one of two opposite corners."""
    x0 = max(abs(u + x) - a, 0.0)
    y0 = max(abs(v + y) - b, 0.0)
    x1 = max(abs(u - x) - a, 0.0)
    y1 = max(abs(v - y) - b, 0.0)
    return max(x0 * x0 + y0 * y0, x1 * x1 + y1 * y1)


@scalar
def outside(along: float, across: float, squared: float, other_squared: float) -> float:
    """Signed distance of the farthest corner, from its lead along the axes and the squared distances."""
    axes = max(along, across)
    return math.sqrt(max(squared, other_squared)) if axes > 0.0 else axes


@scalar
def farther_corner_squared(u: float, v: float, x: float, y: float, a: float, b: float) -> float:
    """Squared distance to the farthest corner of core (a, b) from the farther one of two opposite corners."""
    x0 = abs(u + x) + a
    y0 = abs(v + y) + b
    x1 = abs(u - x) + a
    y1 = abs(v - y) + b
    return max(x0 * x0 + y0 * y0, x1 * x1 + y1 * y1)


@scalar
def farthest_corners(
    u: float, v: float, c: float, s: float, turn: float, e: float, f: float, a: float, b: float
) -> float:
    """Largest distance between corners of core (e, f) and of core (a, b), in whose first quadrant it lies."""
    x0, y0, x1, y1 = corner_offsets(c, s, turn, e, f)
    squared = farther_corner_squared(u, v, x0, y0, a, b)
    return math.sqrt(max(squared, farther_corner_squared(u, v, x1, y1, a, b)))


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


@scalar
def is_deep(gap: float, tol: float, a_flat: bool, b_flat: bool, a_none: bool, b_none: bool) -> bool:
    """Tell whether interiors meet, from the gap of the parts that count and whether there are any."""
    is_met = gap < (0.0 if a_flat | b_flat else -tol)
    return is_met & (not (b_flat & a_none)) & (not (a_flat & b_none))
