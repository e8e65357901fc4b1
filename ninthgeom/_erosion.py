"""What is deeper than a tolerance inside a polygon, and what is further outside, in convex pieces."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely

from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._convex import (
    ROUNDING,
    Box,
    Point,
    Ring,
    angle_of,
    box_round,
    clipped,
    direction_at,
    edges_of,
    has_width,
    is_convex,
    turned,
    vertices_of,
)
from ninthgeom._pieces import convex_pieces

_QUARTER: Final = 0.5 * math.pi
#: Widest wedge at a reflex vertex that one chord is cut from.
_WIDEST_WEDGE: Final = math.radians(60.0)
#: So many times a tolerance away from a piece, nothing of an outline takes anything from it.
_FAR: Final = 1.2
#: Depths below this, in inches, count as this: clipping and seams take up a part of it.
LEAST_DEPTH: Final = 4e-9
#: Parts that reach so far, in inches, to where nothing is deep enough are rounding if they are narrow too.
_NEEDLE: Final = 3e-9
#: How far, in inches, the box reaches out of a polygon that bounds what is outside of it.
_MARGIN: Final = 1.0
#: No two points of bases or polygons are further apart than this, in inches.
_FARTHEST: Final = 8.0 * LARGEST_COORDINATE


class Outline:
    """The edges of a polygon at each vertex of its outline, the polygon on their left.

    Parameters
    ----------
    shape : shapely.Polygon
        Its exterior runs counter-clockwise, holes run clockwise. A vertex may have more than two edges, where
        a hole touches the rest of the outline.
    """

    def __init__(self, shape: shapely.Polygon) -> None:
        self._after: defaultdict[Point, list[Point]] = defaultdict(list)
        self._before: defaultdict[Point, list[Point]] = defaultdict(list)
        for line in (shape.exterior, *shape.interiors):
            for start, end in edges_of(vertices_of(shapely.get_coordinates(line)[:-1])):
                self._after[start].append(end)
                self._before[end].append(start)

    def near(self, pieces: Sequence[Ring], distance: float) -> Iterator[list[_Feature]]:
        """Edges and reflex vertices that are so near each of some pieces of the polygon."""
        edges = [_Slab(start, end) for start, ends in self._after.items() for end in ends]
        tree = shapely.STRtree(shapely.linestrings(edges))
        shapes = np.array([shapely.Polygon(piece) for piece in pieces], dtype=np.object_)
        found = tree.query(shapes, predicate="dwithin", distance=distance)
        for i in range(len(pieces)):
            own = [edges[k] for k in np.sort(found[1][found[0] == i]).tolist()]
            vertices = dict.fromkeys(vertex for edge in own for vertex in edge)
            yield [*own, *(arc for vertex in vertices for arc in self._arcs(vertex))]

    def _arcs(self, vertex: Point) -> list[_Reflex]:
        """Return where round a vertex nothing of the outline is nearer than itself, in the polygon."""
        arcs = []
        for after in self._after[vertex]:
            first = angle_of(vertex, after)
            turn = min(turned(angle_of(vertex, before) - first) for before in self._before[vertex])
            if turn > math.pi + ROUNDING:
                arcs.append(_Reflex(vertex, first + _QUARTER, first + turn - _QUARTER))
        return arcs


class _Slab(NamedTuple):
    """An edge of an outline, which takes a slab away from pieces."""

    start: Point
    end: Point

    def reach(self, tol: float) -> Box:
        """Return a box round what is lost."""
        (ax, ay), (bx, by) = self
        return min(ax, bx) - tol, min(ay, by) - tol, max(ax, bx) + tol, max(ay, by) + tol

    def off(self, part: list[Point], tol: float, *, is_rest: bool = False) -> list[list[Point]]:
        """Return what of a convex ring is further than tol from the edge, or lies before or behind it."""
        (sx, sy), (ex, ey) = start, end = self
        way, normal, back = (ex - sx, ey - sy), (sy - ey, ex - sx), (ey - sy, sx - ex)
        not_kept = clipped(part, start, back, -tol)
        slab = clipped(not_kept, start, normal, -tol)
        from_start = clipped(slab, start, way, 0.0)
        lost = clipped(from_start, end, (-way[0], -way[1]), 0.0)
        length = math.hypot(*way)
        offs = [abs((x - sx) * normal[0] + (y - sy) * normal[1]) / length for x, y in lost]
        along = [((x - sx) * way[0] + (y - sy) * way[1]) / length for x, y in lost]
        if not lost or min(offs) > tol - ROUNDING or max(along) - min(along) < ROUNDING:
            return [part]
        kept = [] if not_kept is part else clipped(part, start, normal, tol)
        other = [] if slab is not_kept else clipped(part, start, back, tol)
        if kept and other and not is_rest:
            # A line that parts the piece would double its parts again and again: only what is near the edge
            # is parted.
            apart, rest = _parted(part, lost, tol)
            if has_width(apart):
                return [apart, *self.off(rest, tol, is_rest=True)]
        before = [] if from_start is slab else clipped(slab, start, (-way[0], -way[1]), 0.0)
        behind = [] if lost is from_start else clipped(slab, end, way, 0.0)
        return [kept, other, before, behind]


class _Reflex(NamedTuple):
    """A reflex vertex of an outline, with the angles between which neither of its edges is as near."""

    corner: Point
    first: float
    last: float

    def reach(self, tol: float) -> Box:
        """Return a box round what is lost."""
        (x, y), far = self.corner, tol / math.cos(0.5 * _WIDEST_WEDGE)
        return x - far, y - far, x + far, y + far

    def off(self, part: list[Point], tol: float) -> list[list[Point]]:
        """Return what of a convex ring is further than tol from the vertex; chords stand for the arc."""
        way = _inward(part, self.corner, tol)
        kept = clipped(part, self.corner, way, tol)
        if kept is part:
            return [part]
        near = clipped(part, self.corner, (-way[0], -way[1]), -tol)
        sides = [
            clipped(near, self.corner, direction_at(angle), 0.0)
            for angle in (self.first - _QUARTER, self.last + _QUARTER)
        ]
        if any(side is near for side in sides):
            return [part]
        count = math.ceil((self.last - self.first) / _WIDEST_WEDGE)
        rays = [self.first + (self.last - self.first) * i / count for i in range(count + 1)]
        for low, high in pairwise(rays):
            wedge = clipped(near, self.corner, direction_at(low + _QUARTER), 0.0)
            wedge = clipped(wedge, self.corner, direction_at(high - _QUARTER), 0.0)
            sides.append(clipped(wedge, self.corner, direction_at(0.5 * (low + high)), tol))
        return [kept, *sides]


_Feature: TypeAlias = _Slab | _Reflex


def rounded(piece: Ring, near: Iterable[_Feature], tol: float) -> list[Ring]:
    """Convex parts that together are what of a convex piece is deeper than tol inside the polygon.

    What is within tol of the outline is taken away edge by edge and vertex by vertex; near are all that may
    be within tol of the piece. What remains beside it becomes parts of their own, strips as wide as tol or
    smaller. At reflex vertices a chord stands for the arc of each wedge; it is at most 16 % further than tol
    from the vertex.
    """
    parts = [(ring := vertices_of(piece), box_round(ring))]
    for feature in near:
        low_x, low_y, high_x, high_y = feature.reach(tol)
        after = []
        for part, box in parts:
            if box[0] > high_x or box[1] > high_y or box[2] < low_x or box[3] < low_y:
                after.append((part, box))
            else:
                after += [(rest, box_round(rest)) for rest in feature.off(part, tol) if has_width(rest)]
        parts = after
    return [np.array(part) for part, _ in parts]


def _parted(part: list[Point], lost: list[Point], tol: float) -> tuple[list[Point], list[Point]]:
    """Cut a convex ring in what is beyond a part of it that gets lost, as seen from there, and the rest."""
    start = sum(x for x, _ in lost) / len(lost), sum(y for _, y in lost) / len(lost)
    way = _inward(part, start, tol)
    far = max((x - start[0]) * way[0] + (y - start[1]) * way[1] for x, y in lost)
    return clipped(part, start, way, far), clipped(part, start, (-way[0], -way[1]), -far)


def _inward(ring: list[Point], point: Point, tol: float) -> Point:
    """Direction into a convex ring from a point at its rim: away from all edges that are near the point.

    In a sharp corner and between the sides of a strip it leads to the middle: a cut across would be so
    oblique that rounding leaves needles.
    """
    x, y = point
    normals = []
    for (ax, ay), (bx, by) in edges_of(ring):
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        if length > 0.0:
            share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (length * length)))
            off = math.hypot(x - ax - share * dx, y - ay - share * dy)
            normals.append((off, -dy / length, dx / length))
    near = min(normals)[0] + 2.0 * tol
    way_x = sum(nx for off, nx, _ in normals if off <= near)
    way_y = sum(ny for off, _, ny in normals if off <= near)
    if math.hypot(way_x, way_y) < 1.0:
        way_x = sum(px for px, _ in ring) / len(ring) - x
        way_y = sum(py for _, py in ring) / len(ring) - y
    length = math.hypot(way_x, way_y)
    return (way_x / length, way_y / length) if length > ROUNDING else min(normals)[1:]


def outside_pieces(shape: shapely.Polygon, tol: float) -> list[Ring]:
    """Convex pieces of what is further than tol outside a polygon, wherever bases can be.

    Of a convex one they are what lies beyond its edges and beyond chords round its corners, otherwise the
    rest of a box round it and what lies beyond its bounds, which comes first, since most of what is outside
    reaches there.
    """
    ring = np.asarray(shape.exterior.coords)[:-1]
    if not shape.interiors and is_convex(ring):
        way = np.roll(ring, -1, axis=0) - ring
        angles = np.arctan2(-way[:, 0], way[:, 1])  # of the normals
        turns = (angles - np.roll(angles, 1)) % math.tau
        counts = np.ceil((turns - ROUNDING) / _WIDEST_WEDGE).astype(np.int64) * (turns < math.pi)
        corner = np.repeat(np.arange(len(ring)), counts)
        share = np.arange(len(corner)) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5
        chords = angles[corner] - turns[corner] * (1.0 - share / counts[corner])
        points = np.concatenate([ring, ring[corner]])
        return _beyond(points, np.concatenate([angles, chords]), tol)
    low_x, low_y, high_x, high_y = shape.bounds
    margin = _MARGIN + 2.0 * tol  # the box is eroded too
    box = shapely.box(low_x - margin, low_y - margin, high_x + margin, high_y + margin)
    parts = [shapely.Polygon(box.exterior, [shape.exterior]), *map(shapely.Polygon, shape.interiors)]
    parts = [shapely.orient_polygons(part) for part in parts]
    pieces = [piece for part in parts for piece in eroded_pieces(part, convex_pieces(part), tol)]
    points = np.array([(high_x, low_y), (high_x, high_y), (low_x, high_y), (low_x, low_y)])
    return _beyond(points, np.arange(4.0) * _QUARTER, tol) + pieces


def _beyond(points: Ring, angles: Ring, distance: float) -> list[Ring]:
    """Half-planes so far beyond points in some directions, as far as bases can be.

    One corner of each is near its point, so that rounding turns the edges far away only.
    """
    normals = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    along = np.stack([-normals[:, 1], normals[:, 0]], axis=1) * _FARTHEST
    near = points + distance * normals
    out = normals * _FARTHEST
    return list(np.stack([near, near - along, near - along + out, near + along + out, near + along], axis=1))


def eroded_pieces(shape: shapely.Polygon, pieces: Sequence[Ring], tol: float) -> list[Ring]:
    """Convex parts of the pieces of a polygon that are deeper than tol inside it, small ones last."""
    pieces = [piece for piece in pieces if has_width(vertices_of(piece))]
    near = Outline(shape).near(pieces, _FAR * tol)
    parts = [part for piece, own in zip(pieces, near, strict=True) for part in rounded(piece, own, tol)]
    parts = _without_needles(parts, shape, tol)
    return sorted(parts, key=lambda part: -float(np.ptp(part, axis=0).max()))


def _without_needles(parts: list[Ring], shape: shapely.Polygon, tol: float) -> list[Ring]:
    """Leave out what is hardly wider than rounding and reaches to where nothing is deep enough."""
    if not parts:
        return parts
    ends = np.cumsum([len(part) for part in parts])
    depths = shapely.distance(shape.boundary, shapely.points(np.concatenate(parts)))
    least = np.minimum.reduceat(depths, ends - [len(part) for part in parts])
    return [
        part
        for part, depth in zip(parts, least.tolist(), strict=True)
        if depth > tol - _NEEDLE or has_width(vertices_of(part), 10.0 * _NEEDLE)
    ]
