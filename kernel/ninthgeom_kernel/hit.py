"""Scalar geometry of where a segment first meets the edges and the round corners of an outline."""

from __future__ import annotations

import math

from ninthgeom_kernel._jit import scalar

# Points this near, in inches, are one: a thousand times the rounding of corners of shapes turned on a table.
SAME = 1e-9


@scalar
def to_edge(x: float, y: float, ax: float, ay: float, ex: float, ey: float) -> tuple[float, float]:
    """Nearest point of an edge from a along e to a point: squared distance, and share of the edge.

    Reference: Ericson, Real-Time Collision Detection, 5.1.2.
    """
    x -= ax
    y -= ay
    squared = ex * ex + ey * ey
    share = min(max((x * ex + y * ey) / squared, 0.0), 1.0) if squared > 0.0 else 0.0
    x -= share * ex
    y -= share * ey
    return x * x + y * y, share


@scalar
def is_crossed(x: float, y: float, ax: float, ay: float, bx: float, by: float) -> bool:
    """Tell whether a ray from a point towards +x crosses an edge from a to b; edges own their lower ends.

    Both ends as they stand: one computed from the other is not where the next edge begins.
    """
    return ((ay > y) != (by > y)) & (((bx - ax) * (y - ay) > (by - ay) * (x - ax)) == (by > ay))


@scalar
def meet_edge(
    x: float, y: float, dx: float, dy: float, ax: float, ay: float, ex: float, ey: float
) -> tuple[float, float, float]:
    """Let a segment from (x, y) along d meet an edge from a along e.

    Returns the share of the segment at the first common point, inf if there is none; the distance, unless
    they cross; the share of the segment where it is first as near. An end of one that is `SAME` as a point of
    the other is on it.
    """
    bx, by = ax + ex, ay + ey
    start, _ = to_edge(x, y, ax, ay, ex, ey)
    end, _ = to_edge(x + dx, y + dy, ax, ay, ex, ey)
    one, one_share = to_edge(ax, ay, x, y, dx, dy)
    two, two_share = to_edge(bx, by, x, y, dx, dy)
    share = 1.0 if end <= SAME * SAME else math.inf
    share = min(share, one_share) if one <= SAME * SAME else share
    share = min(share, two_share) if two <= SAME * SAME else share
    before = ex * (y - ay) - ey * (x - ax)
    after = ex * (y + dy - ay) - ey * (x + dx - ax)
    right = dx * (ay - y) - dy * (ax - x)
    left = dx * (by - y) - dy * (bx - x)
    do_cross = (min(before, after) < 0.0) & (max(before, after) > 0.0)
    do_cross &= (min(right, left) < 0.0) & (max(right, left) > 0.0)
    # In one line the signs are rounding, and so is where they say that the crossing is; ends are found above.
    do_cross &= max(abs(before), abs(after)) > SAME * (abs(ex) + abs(ey))
    do_cross &= max(abs(right), abs(left)) > SAME * (abs(dx) + abs(dy))
    share = min(share, before / (before - after)) if do_cross else share
    distance = math.sqrt(min(start, end, one, two))
    reach = (distance + SAME) * (distance + SAME)
    nearest = min(one_share if one <= reach else 1.0, two_share if two <= reach else 1.0)
    return 0.0 if start <= SAME * SAME else share, distance, 0.0 if start <= reach else nearest


@scalar
def meet_disc(
    x: float, y: float, dx: float, dy: float, ax: float, ay: float, radius: float
) -> tuple[float, float, float]:
    """Let a segment from (x, y) along d meet a disc round a.

    Returns the share of the segment at the first common point, inf if there is none; the distance from the
    disc, negative inside; the share of the segment nearest to its centre.

    Reference: Ericson, Real-Time Collision Detection, 5.3.2.
    """
    off, nearest = to_edge(ax, ay, x, y, dx, dy)
    off = math.sqrt(off) - radius
    squared = dx * dx + dy * dy
    ax -= x
    ay -= y
    foot = (ax * dx + ay * dy) / squared if squared > 0.0 else 0.0
    cross = ax * dy - ay * dx
    half = math.sqrt(max(radius * radius * squared - cross * cross, 0.0)) / squared if squared > 0.0 else 0.0
    return min(max(foot - half, 0.0), 1.0) if off <= SAME else math.inf, off, nearest
