"""Scalar geometry of the arcs of an observer.

The dividers leave the corners of the observer's outer rectangle at 45 degrees. In its frame, u forward and v
left, the front arc is the convex region ``u >= along + max(0, |v| - across)``; the others are the same after
quarter turns. Where a core lies apart from a region, a corner of one of them is nearest to the other.
"""

from __future__ import annotations

from ninthgeom_kernel._jit import scalar

FRONT = 1
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
    """Front left and front right corner of a turned box, from its centre; the others lie opposite."""
    ec = e * c
    es = e * s
    fc = f * c
    fs = f * s
    return ec - fs, es + fc, ec + fs, es - fc


@scalar
def near_core(p: float, q: float, x: float, y: float, e: float, f: float, near: float) -> tuple[bool, bool]:
    """Tell whether (p, q) and (-p, -q) are no farther than near (squared) from a core round (x, y)."""
    a = max(abs(p - x) - e, 0.0)
    b = max(abs(q - y) - f, 0.0)
    c = max(abs(p + x) - e, 0.0)
    d = max(abs(q + y) - f, 0.0)
    return a * a + b * b <= near, c * c + d * d <= near


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

    The core's centre is u before the facing and v left of its middle, its front corners are (p, q) and (t, w)
    from there; `nose` is how far it leads the region along its own axis. Its other corners are never nearest.
    """
    is_met = (u + max(p, t) >= 0.0) & (u + p + (v + q) >= -across) & (u + t - (v + w) >= -across)
    left = region_squared(u + p, abs(v + q) - across)
    right = region_squared(u + t, abs(v + w) - across)
    return (is_met & (nose >= 0.0)) | (min(left, right) <= near)


@scalar
def lies_within(
    u: float,
    v: float,
    p: float,
    q: float,
    t: float,
    w: float,
    along: float,
    across: float,
    reach: float,
    is_round: bool,
) -> bool:
    """Tell whether a core reaches past no edge of a box, or of a point, by more than reach."""
    farthest = u * u + v * v + p * p + q * q + 2.0 * max(abs(u * p + v * q), abs(u * t + v * w))
    is_in_disc = (reach >= 0.0) & (farthest <= reach * reach)
    is_in_box = (abs(u) + max(p, t) <= along + reach) & (abs(v) + max(q, -w) <= across + reach)
    return is_in_disc if is_round else is_in_box


@scalar
def reference_point(
    ax: float, ay: float, ac: float, as_: float, bx: float, by: float, bc: float, bs: float, ahead: float
) -> tuple[float, float]:
    """Where a point ahead of b's centre is in the frame of a: forward and left."""
    dx = bx - ax + ahead * bc
    dy = by - ay + ahead * bs
    return ac * dx + as_ * dy, ac * dy - as_ * dx


@scalar
def to_facing(along: float, across: float, radius: float, dot: float) -> float:
    """From the centre to the middle of the Front Facing; 0 for discs and ovals."""
    return 0.0 if (radius > 0.0) & (min(along, across) <= dot) else along + radius


@scalar
def arc_of_point(u: float, v: float, along: float, across: float, tol: float) -> int:
    """Arc that a point lies in; a flank within tol of a divider, none deeper than tol inside.

    On an observer without depth (width) rounding would choose between front and rear (left and right): it is
    the front (left) within tol.
    """
    x = abs(u) - along
    y = abs(v) - across
    squared = (x - y) * (x - y) * 0.5 if x + y >= 0.0 else x * x + y * y
    is_flank = (y >= x) | (squared <= tol * tol)
    end = FRONT if u >= -tol else REAR
    flank = LEFT if v >= -tol else RIGHT
    return 0 if max(x, y) < -tol else flank if is_flank else end


@scalar
def arc_of_disc(u: float, v: float, radius: float, tol: float) -> int:
    """Return the front arc, none deeper than tol inside."""
    rim = max(radius - tol, 0.0)
    return 0 if u * u + v * v < rim * rim else FRONT
