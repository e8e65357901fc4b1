"""Polygons with holes, and bases against them, in exact arithmetic: outlines only, no convex pieces.

Outlines are cut where they meet; a part of an outline lies inside, on or outside the other shape as its
middle does, which the parity of crossings tells. Scenes are scaled to whole numbers first, which is ten times
as fast.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

import shapely

from tests.reference.exact_relations import (
    APART,
    CONTAINS,
    EQUAL,
    INSIDE,
    LINE,
    PARTIAL,
    POINT,
    straight_edges,
)
from tests.reference.rationals import TURNS, Core, Point

Edge: TypeAlias = tuple[tuple[int, int], tuple[int, int]]


@dataclass(frozen=True)
class Outline:
    """A polygon with rational vertices: exterior ring counter-clockwise, then holes, clockwise."""

    rings: tuple[tuple[Point, ...], ...]

    @property
    def edges(self) -> list[tuple[Point, Point]]:
        """All edges, the polygon on their left."""
        return [edge for ring in self.rings for edge in zip(ring, ring[1:] + ring[:1], strict=True)]

    def moved(
        self, turn: Point = (Fraction(1), Fraction(0)), x: Fraction = Fraction(0), y: Fraction = Fraction(0)
    ) -> Outline:
        """The polygon turned round the origin, then moved."""
        c, s = turn
        return Outline(
            tuple(tuple((c * u - s * v + x, s * u + c * v + y) for u, v in ring) for ring in self.rings)
        )

    def mirrored(self) -> Outline:
        """The polygon seen from below the table."""
        return Outline(tuple(tuple((x, -y) for x, y in reversed(ring)) for ring in self.rings))

    def scaled(self, factor: Fraction) -> Outline:
        """The polygon larger or smaller."""
        return Outline(tuple(tuple((factor * x, factor * y) for x, y in ring) for ring in self.rings))

    def to_shapely(self) -> shapely.Polygon:
        """The polygon with rounded vertices."""
        shell, *holes = [[(float(x), float(y)) for x, y in ring] for ring in self.rings]
        return shapely.Polygon(shell, holes)


@dataclass(frozen=True)
class _Shape:
    """What the oracle works on: edges of whole numbers, maybe without area, a radius round them."""

    edges: list[Edge]
    straight: list[Edge]
    has_area: bool
    radius: int

    @property
    def vertices(self) -> list[tuple[int, int]]:
        return [edge[0] for edge in self.edges] + [edge[1] for edge in self.edges if not self.has_area]


def _whole(*shapes: Core | Outline) -> tuple[list[_Shape], int]:
    """The shapes scaled by one number that makes all of their numbers whole, and that number."""
    parts = []
    for shape in shapes:
        if isinstance(shape, Outline):
            parts.append((shape.edges, shape.edges, True, Fraction(0)))
            continue
        corners = shape.corners()
        has_area = min(shape.along, shape.across) > 0
        edges = list(zip(corners, corners[1:] + corners[:1], strict=True))
        parts.append(
            (edges if has_area else [(corners[0], corners[2])], straight_edges(shape), has_area, shape.radius)
        )
    numbers = [
        number
        for edges, straight, _, radius in parts
        for number in (radius, *(value for edge in (*edges, *straight) for point in edge for value in point))
    ]
    factor = math.lcm(*(Fraction(number).denominator for number in numbers))

    def scaled(edges: Iterable[tuple[Point, Point]]) -> list[Edge]:
        return [tuple((int(x * factor), int(y * factor)) for x, y in edge) for edge in edges]  # type: ignore[misc]

    return [
        _Shape(scaled(edges), scaled(straight), has_area, int(radius * factor))
        for edges, straight, has_area, radius in parts
    ], factor


def _location(x: int, y: int, w: int, shape: _Shape) -> int:
    """1 where the point (x / w, y / w) is inside the core, 0 on its outline, -1 outside; w is above 0."""
    is_inside = False
    for (ax, ay), (bx, by) in shape.edges:
        side = (bx - ax) * (y - ay * w) - (by - ay) * (x - ax * w)
        is_between = min(ax, bx) * w <= x <= max(ax, bx) * w and min(ay, by) * w <= y <= max(ay, by) * w
        if side == 0 and is_between:
            return 0
        if (ay * w <= y) != (by * w <= y):
            is_inside ^= (side > 0) == (by > ay)
    return 1 if is_inside and shape.has_area else -1


def _middles(edge: Edge, others: list[Edge]) -> list[tuple[int, int, int]]:
    """The middles (x, y, w) of the parts into which other edges cut an edge."""
    (ax, ay), (bx, by) = edge
    dx, dy = bx - ax, by - ay
    length = dx * dx + dy * dy
    if length == 0:
        return [(ax, ay, 1)]
    cuts = {Fraction(0), Fraction(1)}
    for (cx, cy), (ex, ey) in others:
        start = dx * (cy - ay) - dy * (cx - ax)
        end = dx * (ey - ay) - dy * (ex - ax)
        if start == end == 0:
            shares = [(dx * (x - ax) + dy * (y - ay), length) for x, y in ((cx, cy), (ex, ey))]
        elif min(start, end) <= 0 <= max(start, end):
            gx, gy = ex - cx, ey - cy
            shares = [((cx - ax) * gy - (cy - ay) * gx, dx * gy - dy * gx)]
        else:
            continue
        cuts.update(Fraction(n, d) for n, d in shares if 0 < n * d < d * d)
    ordered = sorted(cuts)
    middles = [(one + two) / 2 for one, two in itertools.pairwise(ordered)]
    return [
        (ax * f.denominator + f.numerator * dx, ay * f.denominator + f.numerator * dy, f.denominator)
        for f in middles
    ]


def _do_cross(one: Edge, two: Edge) -> bool:
    """Whether two edges have a point in common."""
    (ax, ay), (bx, by) = one
    (cx, cy), (ex, ey) = two
    if max(ax, bx) < min(cx, ex) or max(cx, ex) < min(ax, bx):
        return False
    if max(ay, by) < min(cy, ey) or max(cy, ey) < min(ay, by):
        return False
    sides = [(bx - ax) * (y - ay) - (by - ay) * (x - ax) for x, y in two]
    others = [(ex - cx) * (y - cy) - (ey - cy) * (x - cx) for x, y in one]
    return min(sides) <= 0 <= max(sides) and min(others) <= 0 <= max(others)


def _squared_to_edge(point: tuple[int, int], edge: Edge) -> Fraction:
    (ax, ay), (bx, by) = edge
    px, py = point[0] - ax, point[1] - ay
    dx, dy = bx - ax, by - ay
    along = px * dx + py * dy
    length = dx * dx + dy * dy
    if along <= 0:
        return Fraction(px * px + py * py)
    if along >= length:
        return Fraction((point[0] - bx) ** 2 + (point[1] - by) ** 2)
    return Fraction((px * dy - py * dx) ** 2, length)


def _squared_between_outlines(a: _Shape, b: _Shape) -> Fraction:
    if any(_do_cross(one, two) for one in a.edges for two in b.edges):
        return Fraction(0)
    return min(
        _squared_to_edge(vertex, edge)
        for one, two in ((a, b), (b, a))
        for vertex in one.vertices
        for edge in two.edges
    )


def _squared_between_cores(a: _Shape, b: _Shape) -> Fraction:
    squared = _squared_between_outlines(a, b)
    # Outlines that do not meet: one shape is in the other as a whole or not at all.
    if squared and (_location(*a.vertices[0], 1, b) > 0 or _location(*b.vertices[0], 1, a) > 0):
        return Fraction(0)
    return squared


def _is_within(a: _Shape, b: _Shape) -> bool:
    """Whether no point of a is outside b."""
    if b.radius:  # convex
        return a.radius <= b.radius and all(
            _squared_to_core(vertex, b) <= (b.radius - a.radius) ** 2 for vertex in a.vertices
        )
    if any(_location(*middle, b) < 0 for edge in a.edges for middle in _middles(edge, b.edges)):
        return False
    # What fills a hole has its outline on the other's, but lies on the other side of it.
    if a.has_area and any(_common_way(one, two) < 0 for one in a.edges for two in b.edges):
        return False
    if a.has_area and any(
        _location(*middle, a) > 0 for edge in b.edges for middle in _middles(edge, a.edges)
    ):
        return False
    return not a.radius or (b.has_area and _squared_between_outlines(a, b) >= a.radius**2)


def _squared_to_core(point: tuple[int, int], shape: _Shape) -> Fraction:
    if _location(*point, 1, shape) >= 0:
        return Fraction(0)
    return min(_squared_to_edge(point, edge) for edge in shape.edges)


def _common_way(one: Edge, two: Edge) -> int:
    """1 where two edges have more than a point in common and run the same way, -1 the other way, else 0."""
    (ax, ay), (bx, by) = one
    dx, dy = bx - ax, by - ay
    if any(dx * (y - ay) - dy * (x - ax) for x, y in two):
        return 0
    shares = [dx * (x - ax) + dy * (y - ay) for x, y in two]
    if min(max(shares), dx * dx + dy * dy) <= max(min(shares), 0):
        return 0
    return 1 if shares[1] > shares[0] else -1


def _do_interiors_meet(a: _Shape, b: _Shape) -> bool:
    """Whether the interior of either has a point of the other, if that has no area, or of its interior."""
    if a.radius or b.radius:
        return _squared_between_cores(a, b) < (a.radius + b.radius) ** 2
    for one, two in ((a, b), (b, a)):
        if any(_location(*middle, two) > 0 for edge in one.edges for middle in _middles(edge, two.edges)):
            return True
    return a.has_area and b.has_area and any(_common_way(one, two) > 0 for one in a.edges for two in b.edges)


@dataclass(frozen=True)
class Answers:
    """What is true of two shapes. The distance is that of the cores, squared; 0 where they meet."""

    squared: Fraction
    radii: Fraction
    do_meet: bool
    is_within: bool
    is_around: bool
    do_share_edge: bool

    @property
    def distance(self) -> float:
        """Distance of the shapes, rounded."""
        return max(0.0, math.sqrt(self.squared) - float(self.radii))

    @property
    def in_contact(self) -> bool:
        """Whether they have a point in common."""
        return self.squared <= self.radii**2

    @property
    def code(self) -> int:
        """Code of the first relation that holds."""
        if self.is_within and self.is_around:
            return EQUAL
        if self.do_meet:
            return INSIDE if self.is_within else CONTAINS if self.is_around else PARTIAL
        if not self.in_contact:
            return APART
        return LINE if self.do_share_edge else POINT


def answers(a: Core | Outline, b: Core | Outline) -> Answers:
    """Answer all questions about two shapes, at least one of them a polygon."""
    (p, q), factor = _whole(a, b)
    squared = _squared_between_cores(p, q)
    radii = Fraction(p.radius + q.radius, factor)
    if squared > (p.radius + q.radius) ** 2:
        return Answers(squared / factor**2, radii, False, False, False, False)
    return Answers(
        squared / factor**2,
        radii,
        _do_interiors_meet(p, q),
        _is_within(p, q),
        _is_within(q, p),
        any(_common_way(one, two) for one in p.straight for two in q.straight),
    )


# ------------------------------------------------------------------------------------- polygons and pairs


def outline(*rings: Iterable[tuple[int, int]]) -> Outline:
    """A polygon of whole numbers."""
    return Outline(tuple(tuple((Fraction(x), Fraction(y)) for x, y in ring) for ring in rings))


def from_shapely(shape: shapely.Polygon) -> Outline:
    """A polygon of whole numbers, its rings put in order."""
    shape = shapely.orient_polygons(shape)
    return outline(
        *([(round(x), round(y)) for x, y in line.coords[:-1]] for line in (shape.exterior, *shape.interiors))
    )


#: Outlines with the difficulties that terrain has: notches, holes, holes that touch, spikes, pinched corners.
NAMED = {
    "triangle": outline([(0, 0), (4, 0), (0, 3)]),
    "L": outline([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]),
    "U": outline([(0, 0), (3, 0), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]),
    "comb": outline(
        [(0, 0), (5, 0), (5, 3), (4, 3), (4, 1), (3, 1), (3, 3), (2, 3), (2, 1), (1, 1), (1, 3), (0, 3)]
    ),
    "cross": outline(
        [(1, 0), (2, 0), (2, 1), (3, 1), (3, 2), (2, 2), (2, 3), (1, 3), (1, 2), (0, 2), (0, 1), (1, 1)]
    ),
    "staircase": outline([(0, 0), (4, 0), (4, 4), (3, 4), (3, 3), (2, 3), (2, 2), (1, 2), (1, 1), (0, 1)]),
    "notched": outline([(0, 0), (4, 0), (4, 4), (2, 2), (0, 4)]),
    "ring": outline([(0, 0), (4, 0), (4, 4), (0, 4)], [(1, 1), (1, 3), (3, 3), (3, 1)]),
    "diamond hole": outline([(0, 0), (4, 0), (4, 4), (0, 4)], [(2, 1), (1, 2), (2, 3), (3, 2)]),
    "hole at a vertex": outline([(0, 0), (4, 0), (4, 4), (0, 4)], [(0, 0), (1, 2), (2, 1)]),
    "hole at an edge": outline([(0, 0), (2, 0), (4, 0), (4, 4), (0, 4)], [(2, 0), (1, 2), (3, 2)]),
    "two holes": outline(
        [(0, 0), (6, 0), (6, 4), (0, 4)], [(1, 1), (1, 3), (3, 2)], [(3, 2), (5, 3), (5, 1)]
    ),
    "spike": outline([(0, 0), (2, 0), (2, 1), (6, 1), (2, 2), (0, 2)]),
    "needle": outline([(0, 0), (6, 0), (0, 1)]),
    "notch of a needle": outline([(0, 0), (6, 0), (6, 3), (5, 3), (4, 1), (3, 3), (0, 3)]),
    "star": outline([(4, 0), (1, 1), (0, 4), (-1, 1), (-4, 0), (-1, -1), (0, -4), (1, -1)]),
    "straight vertices": outline(
        [(0, 0), (1, 0), (2, 0), (4, 0), (4, 2), (3, 2), (2, 2), (2, 4), (0, 4), (0, 2)]
    ),
    "square": outline([(0, 0), (2, 0), (2, 2), (0, 2)]),
}


def random_outline(draw: random.Random) -> Outline:
    """A polygon of small whole numbers: a named one, one of grid squares, or a star."""
    kind = draw.choice(("named", "squares", "star"))
    if kind == "squares":
        cells = [(x, y) for x in range(4) for y in range(4) if draw.random() < 0.65]
        union = shapely.union_all([shapely.box(x, y, x + 1, y + 1) for x, y in cells])
        parts = [part for part in shapely.get_parts(union) if isinstance(part, shapely.Polygon)]
        if parts:
            largest = max(parts, key=lambda part: part.area)
            return from_shapely(largest if draw.random() < 0.5 else largest.normalize().simplify(0.0))
    if kind == "star":
        points = {(draw.randint(-4, 4), draw.randint(-4, 4)) for _ in range(draw.randint(4, 9))} - {(0, 0)}
        by_angle = {math.atan2(y, x): (x, y) for x, y in points}
        ring = [by_angle[angle] for angle in sorted(by_angle)]
        if len(ring) > 2:
            star = shapely.Polygon(ring)
            if star.is_valid and star.area > 0 and star.exterior.is_ccw:
                return from_shapely(star)
    return draw.choice(list(NAMED.values()))


def random_core(draw: random.Random) -> Core:
    """A base of any kind on a grid of halves, half of them upright."""
    kind = draw.choice(("rectangle", "rectangle", "segment", "point", "disc", "oval", "rounded"))

    def halves(low: int, high: int) -> Fraction:
        return Fraction(draw.randint(low, high), 2)

    along = Fraction(0) if kind in ("disc", "point") else halves(1, 4)
    across = Fraction(0) if kind in ("disc", "point", "oval", "segment") else halves(1, 4)
    radius = halves(1, 4) if kind in ("disc", "oval", "rounded") else Fraction(0)
    turn = draw.choice(TURNS) if draw.random() < 0.4 else draw.choice(QUARTERS)
    return Core(halves(-2, 10), halves(-2, 10), turn, along, across, radius)


QUARTERS = [(Fraction(c), Fraction(s)) for c, s in ((1, 0), (0, 1), (-1, 0), (0, -1))]


def placed_outline(draw: random.Random) -> Outline:
    """A random polygon in one of the eight ways it fits the grid, sometimes turned off it."""
    shape = random_outline(draw)
    if draw.random() < 0.5:
        shape = shape.mirrored()
    if draw.random() < 0.2:
        shape = shape.scaled(Fraction(1, 2))
    turn = draw.choice(TURNS) if draw.random() < 0.25 else draw.choice(QUARTERS)
    return shape.moved(turn).moved(x=Fraction(draw.randint(-2, 4)), y=Fraction(draw.randint(-2, 4)))


def landmarks(draw: random.Random, shape: Core | Outline) -> Point:
    """A vertex of a shape or a point on an edge."""
    edges = straight_edges(shape) if isinstance(shape, Core) else shape.edges
    if not edges:
        assert isinstance(shape, Core)
        return shape.place(shape.radius, Fraction(0))
    (ax, ay), (bx, by) = draw.choice(edges)
    share = Fraction(draw.randint(0, 4), 4)
    return ax + share * (bx - ax), ay + share * (by - ay)


def random_pair(draw: random.Random, *, with_base: bool) -> tuple[Core | Outline, Outline]:
    """Two shapes with many coincidences, in a common frame that may be turned and moved."""
    b = placed_outline(draw)
    a: Core | Outline = random_core(draw) if with_base else placed_outline(draw)
    if draw.random() < 0.4:
        (px, py), (qx, qy) = landmarks(draw, a), landmarks(draw, b)
        a = moved(a, x=qx - px, y=qy - py)
    elif not with_base and draw.random() < 0.1:
        a = b
    if draw.random() < 0.5:
        turn = draw.choice(TURNS)
        x, y = (Fraction(draw.randint(-1000, 1000)) for _ in range(2))
        return moved(a, turn, x, y), b.moved(turn, x, y)
    return a, b


def moved(
    shape: Core | Outline,
    turn: Point = (Fraction(1), Fraction(0)),
    x: Fraction = Fraction(0),
    y: Fraction = Fraction(0),
) -> Core | Outline:
    """A base or a polygon turned round the origin, then moved."""
    if isinstance(shape, Outline):
        return shape.moved(turn, x, y)
    c, s = turn
    (e, f) = shape.turn
    return Core(
        c * shape.x - s * shape.y + x,
        s * shape.x + c * shape.y + y,
        (c * e - s * f, s * e + c * f),
        shape.along,
        shape.across,
        shape.radius,
    )
