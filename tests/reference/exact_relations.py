"""Relations of bases in exact arithmetic, as the definitions say, and pairs made to be hard for them."""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

from tests.reference.rationals import TURNS, Core, Point, core_gap, dot, squared_between, squared_to_segment

Edge = tuple[Point, Point]

APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = range(7)


def has_area(core: Core) -> bool:
    return core.radius > 0 or min(core.along, core.across) > 0


def is_gap_below(a: Core, b: Core, limit: Fraction) -> tuple[bool, bool]:
    """Whether the gap is below a limit, and whether it is the limit."""
    depth, squared = core_gap(a, b)
    reach = a.radius + b.radius + limit
    if squared:
        return reach > 0 and squared < reach * reach, reach >= 0 and squared == reach * reach
    return depth < reach, depth == reach


def reaches_into(flat: Core, base: Core, tol: Fraction) -> bool:
    """Whether some point of a base without area is deeper than tol inside another."""
    if base.radius > tol:
        depth, squared = core_gap(flat, base)
        return depth < 0 or squared < (base.radius - tol) ** 2
    cut = tol - base.radius
    p, q = (base.seen(flat.corners()[i]) for i in (0, 2))
    low, high = Fraction(0), Fraction(1)
    for axis, half in ((0, base.along - cut), (1, base.across - cut)):
        for sign in (1, -1):
            start = half - sign * p[axis]  # must be above 0 all along, so look where it gets there
            rise = -sign * (q[axis] - p[axis])
            if rise == 0:
                if start <= 0:
                    return False
            elif rise > 0:
                low = max(low, -start / rise)
            else:
                high = min(high, -start / rise)
    is_point = p == q
    return is_point or low < high


def is_within(a: Core, b: Core, tol: Fraction) -> bool:
    """Whether no point of a is further than tol from b."""
    limit = tol + b.radius - a.radius
    for corner in a.corners():
        u, v = b.seen(corner)
        x, y = abs(u) - b.along, abs(v) - b.across
        if x <= 0 and y <= 0:
            if max(x, y) > limit:
                return False
        elif limit < 0 or max(x, 0) ** 2 + max(y, 0) ** 2 > limit * limit:
            return False
    return True


def straight_edges(core: Core) -> list[Edge]:
    """The sides of the core, moved out by the radius."""
    e, f, r = core.along, core.across, core.radius
    sides = [((e + r, -f), (e + r, f)), ((-e - r, -f), (-e - r, f))]
    sides += [((-e, f + r), (e, f + r)), ((-e, -f - r), (e, -f - r))]
    return [(core.place(*one), core.place(*two)) for one, two in sides if one != two]


def runs_along(edge: Edge, other: Edge, tol: Fraction) -> bool:
    """Whether another edge lies before more than tol of an edge, and is near at both ends of that stretch."""
    (px, py), (qx, qy) = edge
    way = (qx - px, qy - py)
    squared = dot(way, way)
    shares = sorted(dot((x - px, y - py), way) / squared for x, y in other)
    low, high = max(Fraction(0), shares[0]), min(Fraction(1), shares[1])
    if high <= low or (high - low) ** 2 * squared <= tol * tol:
        return False
    ends = [(px + share * way[0], py + share * way[1]) for share in (low, high)]
    return all(squared_to_segment(end, *other) <= tol * tol for end in ends)


def relation(a: Core, b: Core, tol: Fraction) -> int:
    """Code of the first relation that holds."""
    if is_within(a, b, tol) and is_within(b, a, tol):
        return EQUAL
    if has_area(a) and has_area(b):
        meets = is_gap_below(a, b, -tol)[0]
    else:
        flat, base = (b, a) if has_area(a) else (a, b)
        meets = has_area(base) and reaches_into(flat, base, tol)
    if meets:
        if is_within(a, b, tol):
            return INSIDE
        return CONTAINS if is_within(b, a, tol) else PARTIAL
    if not any(is_gap_below(a, b, tol)):
        return APART
    lines = (
        runs_along(one, two, tol) and runs_along(two, one, tol)
        for one in straight_edges(a)
        for two in straight_edges(b)
    )
    return LINE if any(lines) else POINT


def farthest_squared(a: Core, b: Core) -> Fraction:
    """Largest squared distance between corners of the cores."""
    return max(dot(d, d) for d in ((p[0] - q[0], p[1] - q[1]) for p in a.corners() for q in b.corners()))


def cores_distance_squared(a: Core, b: Core) -> Fraction:
    """Squared distance of the cores, 0 where they meet."""
    return squared_between(a.corners(), b.corners()) if core_gap(a, b)[1] else Fraction(0)


#: How far the second base of a made pair is moved: not, within the tolerance, clearly.
SHIFTS = [Fraction(0), *(sign * Fraction(1, 10**k) for k in (7, 5) for sign in (1, -1))]


def quarter_turned(core: Core, quarters: int) -> Core:
    """The same shape, described with another heading."""
    for _ in range(quarters):
        c, s = core.turn
        core = replace(core, turn=(-s, c), along=core.across, across=core.along)
    return core


def moved_onto(core: Core, point: Point, target: Point) -> Core:
    """The base moved so that one of its points gets to a place."""
    return replace(core, x=core.x + target[0] - point[0], y=core.y + target[1] - point[1])


def made_pairs(draw: random.Random, first: Core, second: Core) -> list[tuple[Core, Core]]:
    """Two bases brought into touch in every way there is, each also a little off in several directions."""
    share = Fraction(draw.randint(-8, 8), 8)
    end = draw.choice((-1, 1))
    before = first.along + first.radius
    on_front = first.place(before, share * first.across)
    at_corner = first.place(before, end * first.across)
    aligned = quarter_turned(replace(second, turn=first.turn), draw.randint(0, 3))
    rear, front = (
        Core.place(aligned, sign * (aligned.along + aligned.radius), Fraction(0)) for sign in (-1, 1)
    )
    axis = first.axes[0]
    corner = min(second.corners(), key=lambda point: dot(point, axis))
    corner = (corner[0] - second.radius * axis[0], corner[1] - second.radius * axis[1])
    by_corner = aligned.place(-aligned.along - aligned.radius, -end * aligned.across)
    halved = replace(first, along=first.along / 2, across=first.across / 2, radius=first.radius / 2)
    inner = halved.place(halved.along + halved.radius, Fraction(0))
    others = [
        moved_onto(aligned, rear, on_front),
        moved_onto(aligned, rear, at_corner),
        moved_onto(aligned, by_corner, at_corner),
        moved_onto(aligned, front, on_front),
        moved_onto(second, corner, on_front),
        moved_onto(second, corner, at_corner),
        moved_onto(halved, inner, first.place(before, Fraction(0))),
        quarter_turned(first, draw.randint(0, 3)),
        halved,
        replace(second, x=first.x, y=first.y),
        Core(*on_front, second.turn, Fraction(0), Fraction(0)),
        Core(*on_front, first.turn, Fraction(0), Fraction(1, 8)),
        Core(first.x, first.y, draw.choice(TURNS), Fraction(1, 16), Fraction(0)),
    ]
    pairs = []
    for other in others:
        way = draw.choice((*first.axes, (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5))))
        for shift in SHIFTS:
            near = replace(other, x=other.x + shift * way[0], y=other.y + shift * way[1])
            pairs.append((first, near) if draw.random() < 0.5 else (near, first))
    return pairs
