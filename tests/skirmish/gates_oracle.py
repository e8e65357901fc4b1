"""Gates by brute force: every pair of edges of the outlines, nothing cut in convex pieces.

A candidate is the segment between nearest points of two edges (or cores of round bases). It is a gap if no
piece is entered between its ends, and if no small shift of its ends along the outlines makes it shorter.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
import shapely
import shapely.affinity
from numpy.typing import NDArray

from ninthgeom import Bases
from ninthgeom.skirmish._gates import Gates

Point: TypeAlias = tuple[float, float]

#: Shifts of the ends, and how much shorter they must not make a gap.
SHIFTS, SHORTER = (1e-3, 1e-5), 2e-9
DEEP = 1e-6


@dataclass(frozen=True)
class Solid:
    """A piece: a polygon, or a core with a radius round it."""

    name: int
    core: Any
    radius: float

    @cached_property
    def rings(self) -> list[NDArray[np.float64]]:
        if isinstance(self.core, shapely.Polygon):
            return [np.asarray(line.coords) for line in (self.core.exterior, *self.core.interiors)]
        line = shapely.get_coordinates(self.core)
        return [np.concatenate([line, line[:1]]) if len(line) == 1 else line]

    @cached_property
    def edges(self) -> list[tuple[Point, Point]]:
        return [
            ((float(a[0]), float(a[1])), (float(b[0]), float(b[1])))
            for ring in self.rings
            for a, b in itertools.pairwise(ring)
        ]

    @cached_property
    def deep(self) -> Any:
        """What is deeper than the tolerance inside, as a shape for shapely, and a radius."""
        if self.radius > DEEP:
            return self.core
        return self.core.buffer(-DEEP, join_style="mitre")

    def is_entered(self, line: shapely.LineString) -> bool:
        if self.radius > DEEP:
            return bool(self.core.distance(line) < self.radius - DEEP - 1e-9)
        return bool(self.deep.intersection(line).length > 1e-9)

    def shifted(self, point: Point) -> Iterator[Point]:
        """The point, and points of the outline beside it."""
        yield point
        if self.radius > 0.0:
            at = shapely.Point(point)
            near = self.core.interpolate(self.core.project(at)) if self.core.length else self.core
            x, y = point[0] - near.x, point[1] - near.y
            for sign in (*SHIFTS, *(-shift for shift in SHIFTS)):
                moved = shapely.Point(point[0] - sign * y / self.radius, point[1] + sign * x / self.radius)
                base = self.core.interpolate(self.core.project(moved)) if self.core.length else self.core
                far = self.radius / base.distance(moved)
                yield base.x + far * (moved.x - base.x), base.y + far * (moved.y - base.y)
            return
        for a, b in self.edges:
            length = math.dist(a, b)
            along = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length
            on = max(0.0, min(length, along))
            if math.dist(point, between(a, b, on / length)) < 1e-8:
                for shift in SHIFTS:
                    yield between(a, b, max(0.0, on - shift) / length)
                    yield between(a, b, min(length, on + shift) / length)


def between(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def solids_of(bases: Bases, polygons: Sequence[shapely.Polygon], names: Sequence[int]) -> list[Solid]:
    """Solids of bases (U,), named by their place, then of polygons with names."""
    found = []
    for u in range(len(bases)):
        x, y, cos, sin, along, across, radius = bases._columns[:, u].tolist()
        corners = [
            (x + i * along * cos - j * across * sin, y + i * along * sin + j * across * cos)
            for i, j in ((1, 1), (-1, 1), (-1, -1), (1, -1))
        ]
        core: Any = shapely.Polygon(corners)
        if along == 0.0 or across == 0.0:
            ends = [corners[0], corners[1] if across == 0.0 else corners[3]]
            core = shapely.Point(x, y) if along == across else shapely.LineString(ends)
        found.append(Solid(u, core, radius))
    return found + [Solid(name, polygon, 0.0) for polygon, name in zip(polygons, names, strict=True)]


def nearest_pairs(one: Solid, other: Solid, width: float) -> Iterator[tuple[Point, Point, Point, Point]]:
    """Nearest points of edges of two solids, or of one, twice: two ends where edges are parallel."""
    for (a, b), (c, d) in itertools.product(one.edges, other.edges):
        if shapely.LineString([a, b]).intersects(shapely.LineString([c, d])):
            continue
        pairs = [(p, nearest(p, c, d)) for p in (a, b)] + [(nearest(q, a, b), q) for q in (c, d)]
        lengths = [math.dist(p, q) for p, q in pairs]
        least = min(lengths)
        if 1e-6 < least - one.radius - other.radius < width - 1e-6:
            ties = [pair for pair, length in zip(pairs, lengths, strict=True) if length < least + 1e-9]
            (p, q), (r, s) = max(
                itertools.product(ties, ties), key=lambda two: math.dist(two[0][0], two[1][0])
            )
            yield *outer(p, q, one.radius, other.radius), *outer(r, s, one.radius, other.radius)


def candidates(one: Solid, other: Solid, width: float) -> Iterator[tuple[Point, Point]]:
    """Nearest points of edges: a few of them where these are parallel."""
    for p, q, r, s in nearest_pairs(one, other, width):
        for share in (0.5,) if math.dist(p, r) < 1e-4 else (0.1, 0.37, 0.5, 0.63, 0.9):
            yield between(p, r, share), between(q, s, share)


def free_parts(p: Point, q: Point, r: Point, s: Point, solids: Sequence[Solid]) -> list[Any]:
    """Rectangles between the parallel sides p to r and q to s where nothing stands in between."""
    width, breadth = math.dist(p, q), math.dist(p, r)
    (ux, uy), (vx, vy) = (
        ((b[0] - a[0]) / n, (b[1] - a[1]) / n) for a, b, n in ((p, r, breadth), (p, q, width))
    )
    into = [ux, uy, vx, vy, -ux * p[0] - uy * p[1], -vx * p[0] - vy * p[1]]
    back = [ux, vx, uy, vy, p[0], p[1]]
    free: Any = shapely.box(0.0, 0.0, breadth, width)
    for solid in solids:
        shape = solid.core.buffer(solid.radius - DEEP) if solid.radius > DEEP else solid.deep
        common = shapely.affinity.affine_transform(shape, into).intersection(
            shapely.box(0, 0, breadth, width)
        )
        for part in shapely.get_parts(common):
            if not part.is_empty:
                free = free.difference(
                    shapely.box(part.bounds[0] - DEEP, -1, part.bounds[2] + DEEP, width + 1)
                )
    return [
        shapely.affinity.affine_transform(part, back)
        for part in shapely.get_parts(free)
        if part.area > 1e-4 * width
    ]


def outer(p: Point, q: Point, radius: float, other: float) -> tuple[Point, Point]:
    length = math.dist(p, q)
    return between(p, q, radius / length), between(q, p, other / length)


def nearest(p: Point, a: Point, b: Point) -> Point:
    x, y = b[0] - a[0], b[1] - a[1]
    length2 = x * x + y * y
    share = ((p[0] - a[0]) * x + (p[1] - a[1]) * y) / length2 if length2 else 0.0
    return between(a, b, min(1.0, max(0.0, share)))


def is_gap(p: Point, q: Point, one: Solid, other: Solid, solids: Sequence[Solid]) -> bool:
    """Whether nothing is entered between two points of outlines and no shift makes the way shorter."""
    line = shapely.LineString([p, q])
    if any(solid.is_entered(line) for solid in solids):
        return False
    length = math.dist(p, q)
    return all(
        math.dist(a, b) > length - SHORTER for a, b in itertools.product(one.shifted(p), other.shifted(q))
    )


def grazes(p: Point, q: Point, solids: Sequence[Solid]) -> bool:
    """Whether a piece is touched between two points: a rectangle may end there without any breadth left."""
    share = 1e-3 / math.dist(p, q)
    line = shapely.LineString([between(p, q, share), between(q, p, share)])
    return any(solid.core.distance(line) < solid.radius + 2e-6 for solid in solids)


def gaps(solids: Sequence[Solid], width: float) -> list[tuple[Solid, Solid, Point, Point]]:
    """All gaps narrower than a width, but for those that graze a piece."""
    found = []
    for i, one in enumerate(solids):
        for other in solids[i:]:
            if one is other and one.radius > 0.0:
                continue
            if one is other or shapely.distance(one.core, other.core) < width + one.radius + other.radius:
                for p, q in candidates(one, other, width):
                    if is_gap(p, q, one, other, solids) and not grazes(p, q, solids):
                        found.append((one, other, p, q))
    return found


def segments_of(gates: Gates, i: int) -> list[tuple[Point, Point]]:
    """Segments across a gate, from one side to the other: one of a line, five of a rectangle."""
    x, y, cos, sin, along, across, _ = gates.columns[:, i].tolist()
    shares = (0.0,) if across < 2e-6 else (-0.98, -0.3, 0.0, 0.3, 0.98)
    middles = [(x - share * across * sin, y + share * across * cos) for share in shares]
    return [
        ((mx - along * cos, my - along * sin), (mx + along * cos, my + along * sin)) for mx, my in middles
    ]


def faults(gates: Gates, scene: int, solids: Sequence[Solid], width: float) -> tuple[list[str], int]:
    """What is wrong with the gates of a scene, and how many gaps there are."""
    wrong = []
    here = range(int(gates.indptr[scene]), int(gates.indptr[scene + 1]))
    for i in here:
        x, y, cos, sin, along, across, _ = gates.columns[:, i].tolist()
        if not abs(2 * along - gates.width[i]) < 1e-9 or not 1e-6 < gates.width[i] < width - 1e-6:
            wrong.append(f"gate {i} has width {gates.width[i]} and length {2 * along}")
        for p, q in segments_of(gates, i):
            owners = [
                (one, other)
                for one in solids
                for other in solids
                if (one.name, other.name) == (gates.first[i], gates.second[i])
                and abs(shapely.distance(_boundary(one), shapely.Point(p)) - one.radius) < 1e-6
                and abs(shapely.distance(_boundary(other), shapely.Point(q)) - other.radius) < 1e-6
            ]
            if not any(is_gap(p, q, one, other, solids) for one, other in owners):
                wrong.append(f"gate {i} from {p} to {q} is no gap of {gates.first[i]}, {gates.second[i]}")
    wanted = gaps(solids, width)
    for one, other, p, q in wanted:
        middle = between(p, q, 0.5)
        for i in here:
            x, y, cos, sin, along, across, _ = gates.columns[:, i].tolist()
            dx, dy = middle[0] - x, middle[1] - y
            if (
                {gates.first[i], gates.second[i]} == {one.name, other.name}
                and abs(dx * cos + dy * sin) < 2e-6
                and abs(dy * cos - dx * sin) < across + 1e-5
                and abs(2 * along - math.dist(p, q)) < 1e-6
            ):
                break
        else:
            wrong.append(f"no gate from {p} to {q} of {one.name}, {other.name}")
    return wrong, len(wanted)


def _boundary(solid: Solid) -> Any:
    return solid.core.boundary if isinstance(solid.core, shapely.Polygon) else solid.core
