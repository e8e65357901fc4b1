"""Segments and polygons in exact arithmetic: distance, depth and first common point, edge by edge.

A polygon is a list of rings, the exterior counter-clockwise and holes clockwise. No convex pieces anywhere.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from tests.reference.rationals import TURNS, Point, Polygon, dot, squared_to_segment

Shape: TypeAlias = list[Polygon]
Segment: TypeAlias = tuple[Point, Point]

#: Roots are right to this.
FINE = Fraction(1, 10**25)


def minus(p: Point, q: Point) -> Point:
    return p[0] - q[0], p[1] - q[1]


def cross(a: Point, b: Point) -> Fraction:
    return a[0] * b[1] - a[1] * b[0]


def at(segment: Segment, share: Fraction) -> Point:
    (x, y), (dx, dy) = segment[0], minus(segment[1], segment[0])
    return x + share * dx, y + share * dy


def edges_of(shape: Shape) -> list[Segment]:
    """Edge k from vertex k to the next of its ring, exterior first."""
    return [(ring[i], ring[(i + 1) % len(ring)]) for ring in shape for i in range(len(ring))]


def is_inside(point: Point, shape: Shape) -> bool:
    """Whether a point is in the closed polygon: on an edge, or crossed by an odd number of edges."""
    odd = False
    for a, b in edges_of(shape):
        if squared_to_segment(point, a, b) == 0:
            return True
        if (a[1] > point[1]) != (b[1] > point[1]):
            odd ^= (cross(minus(b, a), minus(point, a)) > 0) == (b[1] > a[1])
    return odd


def first_common(segment: Segment, edge: Segment) -> Fraction | None:
    """Share of a segment at its first point on an edge."""
    (p, q), (a, b) = segment, edge
    d, e = minus(q, p), minus(b, a)
    turn = cross(d, e)
    if turn != 0:
        share, other = cross(minus(a, p), e) / turn, cross(minus(a, p), d) / turn
        return share if 0 <= share <= 1 and 0 <= other <= 1 else None
    squared = dot(d, d)
    if squared == 0:
        return Fraction(0) if squared_to_segment(p, a, b) == 0 else None
    on_edge = [
        share for share, point in ((Fraction(0), p), (Fraction(1), q)) if squared_to_segment(point, a, b) == 0
    ]
    on_segment = [dot(minus(v, p), d) / squared for v in (a, b) if squared_to_segment(v, p, q) == 0]
    return min([*on_edge, *on_segment], default=None)


def first_share(segment: Segment, shape: Shape) -> Fraction | None:
    """Share of a segment at its first point in a closed polygon."""
    if is_inside(segment[0], shape):
        return Fraction(0)
    shares = (first_common(segment, edge) for edge in edges_of(shape))
    return min((share for share in shares if share is not None), default=None)


def squared_distance(segment: Segment, shape: Shape) -> Fraction:
    """Squared distance of a segment to a polygon."""
    if first_share(segment, shape) is not None:
        return Fraction(0)
    p, q = segment
    return min(
        min(squared_to_segment(v, a, b) for v in (p, q)) if w is None else squared_to_segment(w, p, q)
        for a, b in edges_of(shape)
        for w in (None, a)
    )


def root(square: Fraction) -> Fraction:
    return Fraction(math.isqrt(math.floor(square / FINE**2))) * FINE


def shares_near(segment: Segment, edge: Segment, reach: Fraction) -> tuple[Fraction, Fraction] | None:
    """First and last share of a segment within reach of an edge, which is one interval: edges are convex."""
    p, (a, b) = segment[0], edge
    d, e = minus(segment[1], p), minus(b, a)
    squared, length = dot(d, d), root(dot(e, e))
    if squared == 0:
        return (Fraction(0), Fraction(1)) if squared_to_segment(p, a, b) <= reach * reach else None
    found = []
    for v in (a, b):  # the discs round its ends
        foot = dot(minus(v, p), d) / squared
        left = reach * reach - cross(minus(v, p), d) ** 2 / squared
        if left >= 0:
            half = root(left / squared)
            found.append((foot - half, foot + half))
    low, high = Fraction(-(10**9)), Fraction(10**9)
    # the strip between them: each line as value at the start, rise, and the most allowed
    s, u = cross(e, minus(p, a)), dot(e, minus(p, a))
    lines = ((s, cross(e, d), reach * length), (-s, -cross(e, d), reach * length))
    for value, rise, most in (*lines, (u, dot(e, d), dot(e, e)), (-u, -dot(e, d), Fraction(0))):
        if rise == 0:
            if value > most:
                low, high = Fraction(1), Fraction(0)
        elif rise > 0:
            high = min(high, (most - value) / rise)
        else:
            low = max(low, (most - value) / rise)
    if low <= high:
        found.append((low, high))
    if not found:
        return None
    low, high = max(Fraction(0), min(f[0] for f in found)), min(Fraction(1), max(f[1] for f in found))
    return (low, high) if low <= high else None


def gets_deeper(segment: Segment, shape: Shape, depth: Fraction) -> bool:
    """Whether some point of a segment lies deeper than that in a polygon."""
    near = [shares_near(segment, edge, depth) for edge in edges_of(shape)]
    at_last = Fraction(0)
    for low, high in sorted(interval for interval in near if interval is not None):
        if low > at_last + FINE and is_inside(at(segment, (low + at_last) / 2), shape):
            return True
        at_last = max(at_last, high)
    return at_last < 1 - FINE and is_inside(at(segment, (1 + at_last) / 2), shape)


# ------------------------------------------------------------------------------ made cases


def rings(*outlines: list[tuple[int, int]]) -> Shape:
    return [[(Fraction(x), Fraction(y)) for x, y in outline] for outline in outlines]


#: Convex, with a notch, with a hole, with both, with straight corners, with a spike.
SHAPES: dict[str, Shape] = {
    "square": rings([(0, 0), (4, 0), (4, 4), (0, 4)]),
    "triangle": rings([(0, 0), (5, 1), (1, 4)]),
    "notch": rings([(0, 0), (6, 0), (6, 4), (4, 4), (4, 1), (2, 1), (2, 4), (0, 4)]),
    "star": rings([(0, 0), (2, 1), (4, 0), (3, 2), (5, 4), (3, 3), (2, 5), (1, 3), (-1, 3), (1, 2)]),
    "hole": rings([(0, 0), (6, 0), (6, 6), (0, 6)], [(2, 2), (2, 4), (4, 4), (4, 2)]),
    "hole in notch": rings(
        [(0, 0), (8, 0), (8, 5), (6, 5), (5, 3), (4, 5), (0, 5)],
        [(1, 1), (1, 3), (2, 3)],
        [(5, 1), (6, 2), (7, 1)],
    ),
    "straight corners": rings([(0, 0), (2, 0), (4, 0), (4, 2), (4, 4), (0, 4), (0, 1)]),
    "spike": rings([(0, 0), (4, 0), (4, 2), (9, 3), (4, 4), (0, 4)]),
}


@dataclass(frozen=True)
class Place:
    """Where a shape is put: turned, then shifted."""

    turn: Point
    shift: Point

    def put(self, point: Point) -> Point:
        (c, s), (x, y) = self.turn, point
        return c * x - s * y + self.shift[0], s * x + c * y + self.shift[1]


def random_place(draw: random.Random, far: int) -> Place:
    turn = draw.choice([(Fraction(1), Fraction(0)), *TURNS])
    return Place(turn, (Fraction(draw.randint(-far, far), 8), Fraction(draw.randint(-far, far), 8)))


def made_point(draw: random.Random, shape: Shape) -> Point:
    """A vertex, a point on an edge or on its line, one a little off, or one on a grid of halves."""
    a, b = draw.choice(edges_of(shape))
    way = draw.randrange(6)
    if way == 0:
        return a
    if way == 1:
        return Fraction(draw.randint(-3, 18), 2), Fraction(draw.randint(-3, 14), 2)
    share = Fraction(draw.randint(-4, 12) if way == 2 else draw.randint(0, 8), 8)
    x, y = at((a, b), share)
    if way < 5:
        return x, y
    off = draw.choice((1, -1)) * Fraction(1, 10 ** draw.choice((5, 7)))
    away = draw.choice([(Fraction(1), Fraction(0)), *TURNS])
    return x + off * away[0], y + off * away[1]


def made_segment(draw: random.Random, shape: Shape) -> Segment:
    """A segment between made points, now and then moved a little as a whole, or without length."""
    p, q = made_point(draw, shape), made_point(draw, shape)
    if draw.random() < 0.05:
        return p, p
    if draw.random() < 0.4:
        a, b = draw.choice(edges_of(shape))
        dx, dy = minus(b, a)
        off = draw.choice((1, -1)) * Fraction(1, 10 ** draw.choice((5, 7))) / root(dx * dx + dy * dy)
        if draw.random() < 0.5:  # along an edge
            p, q = (at((a, b), Fraction(draw.randint(-8, 16), 8)) for _ in range(2))
        p, q = ((x - off * dy, y + off * dx) for x, y in (p, q))
    return p, q
