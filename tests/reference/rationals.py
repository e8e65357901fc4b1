"""Bases in exact arithmetic: rectangles turned by Pythagorean triples have rational corners.

Slow, and as plain as can be: polygons as lists of corners, distances from every corner to every edge.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

Point: TypeAlias = tuple[Fraction, Fraction]
Polygon: TypeAlias = list[Point]

#: Turns (cosine, sine) with rational values, from m and n of a Pythagorean triple, and the quarter turns.
TURNS = [
    (Fraction(sign * (m * m - n * n), m * m + n * n), Fraction(2 * m * n, m * m + n * n))
    for m in range(1, 6)
    for n in range(m)
    for sign in (1, -1)
] + [(Fraction(0), Fraction(1)), (Fraction(3, 5), Fraction(-4, 5))]


@dataclass(frozen=True)
class Core:
    """A base with rational numbers: centre, turn, half extents along and across, radius."""

    x: Fraction
    y: Fraction
    turn: tuple[Fraction, Fraction]
    along: Fraction
    across: Fraction
    radius: Fraction = Fraction(0)

    def corners(self) -> Polygon:
        """Corners of the core, in order round it."""
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        return [self.place(f * self.along, g * self.across) for f, g in signs]

    def place(self, u: Fraction, v: Fraction) -> Point:
        """Point u before and v left of the centre."""
        c, s = self.turn
        return self.x + u * c - v * s, self.y + u * s + v * c

    def seen(self, point: Point) -> Point:
        """How far before and left of the centre a point is."""
        c, s = self.turn
        dx, dy = point[0] - self.x, point[1] - self.y
        return dx * c + dy * s, dy * c - dx * s

    @property
    def axes(self) -> list[Point]:
        """The two directions of the core, of length 1."""
        c, s = self.turn
        return [(c, s), (-s, c)]


def dot(a: Point, b: Point) -> Fraction:
    """Scalar product."""
    return a[0] * b[0] + a[1] * b[1]


def squared_to_segment(p: Point, a: Point, b: Point) -> Fraction:
    """Squared distance from a point to a segment."""
    ab = (b[0] - a[0], b[1] - a[1])
    ap = (p[0] - a[0], p[1] - a[1])
    length = dot(ab, ab)
    f = min(Fraction(1), max(Fraction(0), dot(ap, ab) / length)) if length else Fraction(0)
    off = (ap[0] - f * ab[0], ap[1] - f * ab[1])
    return dot(off, off)


def squared_between(p: Polygon, q: Polygon) -> Fraction:
    """Least squared distance of a corner of either polygon to an edge of the other, for polygons apart."""
    return min(
        squared_to_segment(corner, other[i - 1], other[i])
        for one, other in ((p, q), (q, p))
        for corner in one
        for i in range(len(other))
    )


def axis_gap(p: Polygon, q: Polygon, axis: Point) -> Fraction:
    """Gap of two polygons as seen along an axis; negative where they overlap there."""
    one, two = [dot(corner, axis) for corner in p], [dot(corner, axis) for corner in q]
    return max(min(one) - max(two), min(two) - max(one))


def core_gap(a: Core, b: Core) -> tuple[Fraction, Fraction]:
    """Depth (not positive) and squared distance of two cores; one of them is 0."""
    p, q = a.corners(), b.corners()
    deepest = max(axis_gap(p, q, axis) for axis in a.axes + b.axes)
    return (deepest, Fraction(0)) if deepest <= 0 else (Fraction(0), squared_between(p, q))


def gap_sign(a: Core, b: Core) -> int:
    """Sign of the gap, exact: 1 apart, 0 touching, -1 overlapping."""
    depth, squared = core_gap(a, b)
    radii = a.radius + b.radius
    exact = squared - radii * radii if squared else depth - radii
    return (exact > 0) - (exact < 0)


def gap(a: Core, b: Core) -> float:
    """The gap, rounded once."""
    depth, squared = core_gap(a, b)
    return (math.sqrt(squared) if squared else float(depth)) - float(a.radius + b.radius)


def signed_to_core(point: Point, core: Core) -> float:
    """Distance from a point to a core, minus the depth inside."""
    u, v = core.seen(point)
    x, y = abs(u) - core.along, abs(v) - core.across
    if x <= 0 and y <= 0:
        return float(max(x, y))
    return math.sqrt(max(x, Fraction(0)) ** 2 + max(y, Fraction(0)) ** 2)


def excess(a: Core, b: Core) -> float:
    """How far the farthest point of a is outside b; negative inside."""
    return max(signed_to_core(corner, b) for corner in a.corners()) + float(a.radius - b.radius)


def depth_of_segment(segment: Core, base: Core) -> float:
    """How deep a base without area reaches into another, by thirds: the depth is concave along it."""
    p, q = segment.corners()[0], segment.corners()[2]
    low, high = Fraction(0), Fraction(1)

    def outside(f: Fraction) -> float:
        return signed_to_core((p[0] + f * (q[0] - p[0]), p[1] + f * (q[1] - p[1])), base)

    for _ in range(40):
        third = (high - low) / 3
        if outside(low + third) <= outside(high - third):
            high = Fraction(float(high - third))
        else:
            low = Fraction(float(low + third))
    return float(base.radius) - outside((low + high) / 2)


def region_distance(observer: Core, other: Core, turn: int) -> float:
    """Distance from a base to an arc of the observer, as a polygon that ends 1000 inches out."""
    along, across = observer.along + observer.radius, observer.across + observer.radius
    if turn % 2:
        along, across = across, along
    far = 1000
    outline = [(along, across), (along, -across), (along + far, -across - far), (along + far, across + far)]
    turned = {
        0: lambda u, v: (u, v),
        1: lambda u, v: (-v, u),
        2: lambda u, v: (-u, -v),
        3: lambda u, v: (v, -u),
    }
    p, q = [observer.place(*turned[turn](u, v)) for u, v in outline], other.corners()
    axes = [*observer.axes, *other.axes, (Fraction(1), Fraction(1)), (Fraction(1), Fraction(-1))]
    c, s = observer.turn
    axes[4:] = [(c - s, s + c), (c + s, s - c)]
    if max(axis_gap(p, q, axis) for axis in axes) <= 0:
        return -float(other.radius)
    return math.sqrt(squared_between(p, q)) - float(other.radius)


def inside_arcs(observer: Core, other: Core, tol: float) -> int:
    """Arcs that another base touches: front 1, left 2, rear 4, right 8; 0 within the observer."""
    if observer.along == observer.across == 0:
        return 0 if excess(other, observer) <= tol else 1
    along, across = observer.along + observer.radius, observer.across + observer.radius
    seen = [observer.seen(corner) for corner in other.corners()]
    reach = max(max(abs(u) - along, abs(v) - across) for u, v in seen) + other.radius
    if reach <= tol:
        return 0
    return sum(1 << turn for turn in range(4) if region_distance(observer, other, turn) <= tol)


def located_arc(observer: Core, other: Core) -> int:
    """Arc of the reference point, exact: on a divider the flank, strictly inside none."""
    is_oval = other.radius > 0 and min(other.along, other.across) == 0
    point = (other.x, other.y) if is_oval else other.place(other.along + other.radius, Fraction(0))
    u, v = observer.seen(point)
    if observer.along == observer.across == 0:
        return 0 if u * u + v * v < observer.radius**2 else 1
    x = abs(u) - observer.along - observer.radius
    y = abs(v) - observer.across - observer.radius
    if x < 0 and y < 0:
        return 0
    return (2 if v >= 0 else 8) if y >= x else (1 if u >= 0 else 4)
