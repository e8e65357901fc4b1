"""Convex pieces: what kernels read of polygons, of what is deeper than a tolerance, of what is outside."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._constants import LARGEST_COORDINATE

Ring: TypeAlias = NDArray[np.float64]
_Point: TypeAlias = tuple[float, float]
_Edge: TypeAlias = tuple[_Point, _Point]
_Box: TypeAlias = tuple[float, float, float, float]

_QUARTER: Final = 0.5 * math.pi
#: Widest wedge at a reflex vertex that one chord is cut from.
_WIDEST_WEDGE: Final = math.radians(60.0)
#: So many times a tolerance away from a piece, nothing of an outline takes anything from it.
_FAR: Final = 1.2
#: Angles and lengths below this, in radians and inches, are rounding.
_ROUNDING: Final = 1e-9
#: Depths below this, in inches, count as this: clipping and seams take up a part of it.
LEAST_DEPTH: Final = 4e-9
#: How far, in inches, the box reaches out of a polygon that bounds what is outside of it.
_MARGIN: Final = 1.0
#: No two points of bases or polygons are further apart than this, in inches.
_FARTHEST: Final = 8.0 * LARGEST_COORDINATE


@dataclass(frozen=True, eq=False)
class Pieces:
    """Convex pieces of polygons, counter-clockwise, packed for kernels.

    Attributes
    ----------
    corners : ndarray, shape (2, V)
        Vertices of all pieces, one after another.
    starts : ndarray of int64, shape (P + 1,)
        Piece p has the vertices from ``starts[p]`` up to ``starts[p + 1]``.
    first : ndarray of int64, shape (N + 1,)
        Polygon k has the pieces from ``first[k]`` up to ``first[k + 1]``.
    boxes : ndarray, shape (4, P)
        Smallest and largest x and y of each piece, rows x, y, x, y.
    """

    corners: NDArray[np.float64]
    starts: NDArray[np.int64]
    first: NDArray[np.int64]
    boxes: NDArray[np.float64]

    @classmethod
    def of(cls, polygons: Sequence[Sequence[Ring]]) -> Pieces:
        """Pack the pieces of each polygon."""
        rings = [piece for pieces in polygons for piece in pieces]
        corners = np.ascontiguousarray(np.concatenate([np.empty((0, 2)), *rings]).T)
        starts, first = (np.cumsum([0, *map(len, lists)], dtype=np.int64) for lists in (rings, polygons))
        boxes = np.full((4, len(rings)), math.inf)  # without vertices nothing is near
        has_box = starts[:-1] < starts[1:]
        if has_box.any():
            least, most = (
                f.reduceat(corners, starts[:-1][has_box], axis=1) for f in (np.minimum, np.maximum)
            )
            boxes[:, has_box] = np.concatenate([least, most])
        arrays = corners, starts, first, boxes
        for array in arrays:
            array.flags.writeable = False
        return cls(*arrays)


def convex_pieces(shape: shapely.Polygon) -> list[Ring]:
    """Cut a polygon into convex pieces, counter-clockwise rings without the repeated vertex.

    Source: Hertel and Mehlhorn: seams of a triangulation that no corner needs are taken out again.
    """
    ring = np.asarray(shape.exterior.coords)[:-1]
    if not shape.interiors and _is_convex(ring):
        return [ring]
    triangles = shapely.orient_polygons(_triangles(shape))
    pieces = [_points(shapely.get_coordinates(part)[:-1]) for part in shapely.get_parts(triangles)]
    return [np.array(piece) for piece in _merged(_without_slivers(pieces))]


def _triangles(shape: shapely.Polygon) -> shapely.GeometryCollection:
    """Constrained triangulation; GEOS finds none from some first vertices, where rounding hides its ears."""
    ring = np.asarray(shape.exterior.coords)[:-1]
    for i in range(len(ring) - 1):
        try:
            return shapely.constrained_delaunay_triangles(
                shapely.Polygon(np.roll(ring, -i, axis=0), list(shape.interiors))
            )
        except shapely.GEOSException:
            continue
    return shapely.constrained_delaunay_triangles(shape)


def _without_slivers(pieces: list[list[_Point]]) -> list[list[_Point]]:
    """Leave triangles out that are nothing but rounding, between vertices in one line.

    These vertices become corners of the pieces beside them. What reaches out of all of these stays, such as
    the tip of a needle.
    """
    kept = [piece for piece in pieces if _has_width(piece)]
    slivers = [piece for piece in pieces if not _has_width(piece)]
    if not slivers or not kept:
        return pieces
    sides = {edge for piece in slivers for edge in _edges_of(piece)}
    points = {point for piece in slivers for point in piece}
    for i, piece in enumerate(kept):
        corners: list[_Point] = []
        for start, end in _edges_of(piece):
            on_edge = []
            for point in points - {start, end} if (end, start) in sides else ():
                share = _share(start, end, point)
                nearest = (start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1]))
                if 0.0 < share < 1.0 and math.dist(nearest, point) <= _ROUNDING:
                    on_edge.append((share, point))
            corners += [start, *(point for _, point in sorted(on_edge))]
        kept[i] = corners
    whole = shapely.multipolygons([shapely.Polygon(piece) for piece in kept])
    return kept + [s for s in slivers if max(shapely.distance(whole, shapely.points(s))) > _ROUNDING]


def _share(start: _Point, end: _Point, point: _Point) -> float:
    """How far along an edge a point is, from 0 at its start to 1 at its end."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    return ((point[0] - start[0]) * dx + (point[1] - start[1]) * dy) / (dx * dx + dy * dy)


def _is_convex(ring: Ring) -> bool:
    before = ring - np.roll(ring, 1, axis=0)
    after = np.roll(ring, -1, axis=0) - ring
    return bool((before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] >= 0.0).all())


def _merged(pieces: list[list[_Point]]) -> list[list[_Point]]:
    """Join pieces across the seams, the longest first, wherever the whole stays convex."""
    owner = {edge: i for i, piece in enumerate(pieces) for edge in _edges_of(piece)}
    seams = [edge for edge in owner if edge[::-1] in owner and edge < edge[::-1]]
    for start, end in sorted(seams, key=lambda seam: (-math.dist(*seam), seam)):
        left, right = owner[start, end], owner[end, start]
        # both from the seam's end on, so that one begins where the other ends
        a = _rotated(pieces[left], end)
        b = _rotated(pieces[right], start)
        if _turn(a[-2], start, b[1]) >= 0.0 and _turn(b[-2], end, a[1]) >= 0.0:
            pieces[left] = a[:-1] + b[:-1]
            pieces[right] = []
            owner.update((edge, left) for edge in _edges_of(pieces[left]))
    return [piece for piece in pieces if piece]


def _edges_of(piece: list[_Point]) -> list[_Edge]:
    return list(zip(piece, piece[1:] + piece[:1], strict=True))


def _rotated(piece: list[_Point], first: _Point) -> list[_Point]:
    i = piece.index(first)
    return piece[i:] + piece[:i]


def _turn(before: _Point, vertex: _Point, after: _Point) -> float:
    """Twice the area of the triangle: more than 0 for a turn to the left."""
    return (vertex[0] - before[0]) * (after[1] - vertex[1]) - (vertex[1] - before[1]) * (after[0] - vertex[0])


class Outline:
    """The edges of a polygon at each vertex of its outline, the polygon on their left.

    Parameters
    ----------
    shape : shapely.Polygon
        Its exterior runs counter-clockwise, holes run clockwise. A vertex may have more than two edges, where
        a hole touches the rest of the outline.
    """

    def __init__(self, shape: shapely.Polygon) -> None:
        self._after: defaultdict[_Point, list[_Point]] = defaultdict(list)
        self._before: defaultdict[_Point, list[_Point]] = defaultdict(list)
        for line in (shape.exterior, *shape.interiors):
            for start, end in _edges_of(_points(shapely.get_coordinates(line)[:-1])):
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

    def _arcs(self, vertex: _Point) -> list[_Reflex]:
        """Return where round a vertex nothing of the outline is nearer than itself, in the polygon."""
        arcs = []
        for after in self._after[vertex]:
            first = _angle(vertex, after)
            turn = min(_turned(_angle(vertex, before) - first) for before in self._before[vertex])
            if turn > math.pi + _ROUNDING:
                arcs.append(_Reflex(vertex, first + _QUARTER, first + turn - _QUARTER))
        return arcs

    def edges_round(self, corner: _Point, low: float, high: float) -> tuple[_Edge, float, _Edge, float]:
        """Edges on both sides of a piece with a corner here, and how far they are turned away from it.

        The piece is what is between the angles low and high.
        """
        right, after = min((_turned(low - _angle(corner, p)), p) for p in self._after[corner])
        left, before = min((_turned(_angle(corner, p) - high), p) for p in self._before[corner])
        return (corner, after), right, (before, corner), left


def without_rim(piece: Ring, outline: Outline, tol: float) -> Ring:
    """Part of a convex piece further than tol from the edges of the outline next to it; maybe empty.

    Only the outline moves, not the seams between pieces: at convex vertices both edges, at reflex ones those
    of the piece itself. Pieces that touched along a seam still do.
    """
    part = corners = _points(piece)
    for before, corner, after in _corners_of(corners):
        low, high = _angle(corner, after), _angle(corner, before)
        right, right_turn, left, left_turn = outline.edges_round(corner, low, high)
        is_convex = (high - low) % math.tau + right_turn + left_turn <= math.pi + _ROUNDING
        for edge, turn in ((right, right_turn), (left, left_turn)):
            if is_convex or turn == 0.0:
                part = _clipped(part, corner, _left_of(*edge), tol)
    return np.array(part).reshape(-1, 2)


class _Slab(NamedTuple):
    """An edge of an outline, which takes a slab away from pieces."""

    start: _Point
    end: _Point

    def reach(self, tol: float) -> _Box:
        """Return a box round what is lost."""
        (ax, ay), (bx, by) = self
        return min(ax, bx) - tol, min(ay, by) - tol, max(ax, bx) + tol, max(ay, by) + tol

    def off(self, part: list[_Point], tol: float) -> list[list[_Point]]:
        """Return what of a convex ring is further than tol from the edge, or lies before or behind it."""
        (sx, sy), (ex, ey) = start, end = self
        way, normal, back = (ex - sx, ey - sy), (sy - ey, ex - sx), (ey - sy, sx - ex)
        not_kept = _clipped(part, start, back, -tol)
        slab = _clipped(not_kept, start, normal, -tol)
        from_start = _clipped(slab, start, way, 0.0)
        lost = _clipped(from_start, end, (-way[0], -way[1]), 0.0)
        length = math.hypot(*way)
        offs = [abs((x - sx) * normal[0] + (y - sy) * normal[1]) / length for x, y in lost]
        along = [((x - sx) * way[0] + (y - sy) * way[1]) / length for x, y in lost]
        if not lost or min(offs) > tol - _ROUNDING or max(along) - min(along) < _ROUNDING:
            return [part]
        kept = [] if not_kept is part else _clipped(part, start, normal, tol)
        other = [] if slab is not_kept else _clipped(part, start, back, tol)
        if kept and other:
            # A line that parts the piece would double its parts again and again: only what is near the edge
            # is parted.
            apart, rest = _parted(part, lost, tol)
            if _has_width(apart):
                return [apart, *self.off(rest, tol)]
        before = [] if from_start is slab else _clipped(slab, start, (-way[0], -way[1]), 0.0)
        behind = [] if lost is from_start else _clipped(slab, end, way, 0.0)
        return [kept, other, before, behind]


class _Reflex(NamedTuple):
    """A reflex vertex of an outline, with the angles between which neither of its edges is as near."""

    corner: _Point
    first: float
    last: float

    def reach(self, tol: float) -> _Box:
        """Return a box round what is lost."""
        (x, y), far = self.corner, tol / math.cos(0.5 * _WIDEST_WEDGE)
        return x - far, y - far, x + far, y + far

    def off(self, part: list[_Point], tol: float) -> list[list[_Point]]:
        """Return what of a convex ring is further than tol from the vertex; chords stand for the arc."""
        way = _inward(part, self.corner, tol)
        kept = _clipped(part, self.corner, way, tol)
        if kept is part:
            return [part]
        near = _clipped(part, self.corner, (-way[0], -way[1]), -tol)
        sides = [
            _clipped(near, self.corner, _direction(angle), 0.0)
            for angle in (self.first - _QUARTER, self.last + _QUARTER)
        ]
        if any(side is near for side in sides):
            return [part]
        count = math.ceil((self.last - self.first) / _WIDEST_WEDGE)
        rays = [self.first + (self.last - self.first) * i / count for i in range(count + 1)]
        for low, high in pairwise(rays):
            wedge = _clipped(near, self.corner, _direction(low + _QUARTER), 0.0)
            wedge = _clipped(wedge, self.corner, _direction(high - _QUARTER), 0.0)
            sides.append(_clipped(wedge, self.corner, _direction(0.5 * (low + high)), tol))
        return [kept, *sides]


_Feature: TypeAlias = _Slab | _Reflex


def rounded(piece: Ring, near: Iterable[_Feature], tol: float) -> list[Ring]:
    """Convex parts that together are what of a convex piece is deeper than tol inside the polygon.

    What is within tol of the outline is taken away edge by edge and vertex by vertex; near are all that may
    be within tol of the piece. What remains beside it becomes parts of their own, strips as wide as tol or
    smaller. At reflex vertices a chord stands for the arc of each wedge; it is at most 16 % further than tol
    from the vertex.
    """
    parts = [(ring := _points(piece), _box(ring))]
    for feature in near:
        low_x, low_y, high_x, high_y = feature.reach(tol)
        after = []
        for part, box in parts:
            if box[0] > high_x or box[1] > high_y or box[2] < low_x or box[3] < low_y:
                after.append((part, box))
            else:
                after += [(rest, _box(rest)) for rest in feature.off(part, tol) if _has_width(rest)]
        parts = after
    return [np.array(part) for part, _ in parts]


def _parted(part: list[_Point], lost: list[_Point], tol: float) -> tuple[list[_Point], list[_Point]]:
    """Cut a convex ring in what is beyond a part of it that gets lost, as seen from there, and the rest."""
    start = sum(x for x, _ in lost) / len(lost), sum(y for _, y in lost) / len(lost)
    way = _inward(part, start, tol)
    far = max((x - start[0]) * way[0] + (y - start[1]) * way[1] for x, y in lost)
    return _clipped(part, start, way, far), _clipped(part, start, (-way[0], -way[1]), -far)


def _inward(ring: list[_Point], point: _Point, tol: float) -> _Point:
    """Direction into a convex ring from a point at its rim: away from all edges that are near the point."""
    x, y = point
    normals = []
    for (ax, ay), (bx, by) in _edges_of(ring):
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        if length > 0.0:
            share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (length * length)))
            off = math.hypot(x - ax - share * dx, y - ay - share * dy)
            normals.append((off, -dy / length, dx / length))
    near = min(normals)[0] + 2.0 * tol
    way_x = sum(nx for off, nx, _ in normals if off <= near)
    way_y = sum(ny for off, _, ny in normals if off <= near)
    length = math.hypot(way_x, way_y)
    if length <= _ROUNDING:  # between two sides of what is no wider than the tolerance
        return min(normals)[1:]
    return way_x / length, way_y / length


def _box(ring: list[_Point]) -> _Box:
    x, y = zip(*ring, strict=True)
    return min(x), min(y), max(x), max(y)


def _has_width(ring: list[_Point]) -> bool:
    """Whether a convex ring is more than rounding: what is narrower than seams are is no part."""
    if not ring:
        return False
    x, y = ring[0]
    doubled = sum((a - x) * (d - y) - (b - y) * (c - x) for (a, b), (c, d) in _edges_of(ring))
    extent = max(abs(a - x) + abs(b - y) for a, b in ring)
    return doubled > _ROUNDING * extent


def _angle(start: _Point, end: _Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def _turned(angle: float) -> float:
    """Angle from 0 to a full turn; what is so little before a full turn is rounding of 0."""
    angle %= math.tau
    return angle if angle < math.tau - _ROUNDING else 0.0


def _direction(angle: float) -> _Point:
    return math.cos(angle), math.sin(angle)


def _left_of(start: _Point, end: _Point) -> _Point:
    return start[1] - end[1], end[0] - start[0]


def _clipped(ring: list[_Point], point: _Point, normal: _Point, distance: float) -> list[_Point]:
    """Part of a convex ring at least so far from a line through the point, on the side of its normal.

    Corners on the line but for rounding stay as they are: another one beside them would make an edge whose
    direction is nothing but rounding. Rings are so short that arrays take many times as long as lists.
    Source: Sutherland and Hodgman's re-entrant polygon clipping.
    """
    (px, py), (nx, ny) = point, normal
    length = math.hypot(nx, ny)
    depths = [((x - px) * nx + (y - py) * ny) / length - distance for x, y in ring]
    depths = [depth if abs(depth) > _ROUNDING else 0.0 for depth in depths]
    if min(depths, default=0.0) >= 0.0:
        return ring
    part = []
    for i, (x, y) in enumerate(ring):
        depth, after = depths[i], depths[i + 1 - len(ring)]
        if depth >= 0.0:
            part.append((x, y))
        if depth * after < 0.0:
            f = depth / (depth - after)
            end_x, end_y = ring[i + 1 - len(ring)]
            part.append((x + f * (end_x - x), y + f * (end_y - y)))
    return part if len(part) > 2 else []


def outside_pieces(shape: shapely.Polygon, tol: float) -> list[Ring]:
    """Convex pieces of what is further than tol outside a polygon, wherever bases can be.

    Of a convex one they are what lies beyond its edges and beyond chords round its corners, otherwise the
    rest of a box round it and what lies beyond its bounds, which comes first, since most of what is outside
    reaches there.
    """
    ring = np.asarray(shape.exterior.coords)[:-1]
    if not shape.interiors and _is_convex(ring):
        way = np.roll(ring, -1, axis=0) - ring
        angles = np.arctan2(-way[:, 0], way[:, 1])  # of the normals
        turns = (angles - np.roll(angles, 1)) % math.tau
        counts = np.ceil((turns - _ROUNDING) / _WIDEST_WEDGE).astype(np.int64) * (turns < math.pi)
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
    pieces = [piece for piece in pieces if _has_width(_points(piece))]
    near = Outline(shape).near(pieces, _FAR * tol)
    parts = [part for piece, own in zip(pieces, near, strict=True) for part in rounded(piece, own, tol)]
    return sorted(parts, key=lambda part: -float(np.ptp(part, axis=0).max()))


def _points(ring: Ring) -> list[_Point]:
    return [(float(x), float(y)) for x, y in ring]


def _corners_of(ring: list[_Point]) -> Iterator[tuple[_Point, _Point, _Point]]:
    """Every vertex between its neighbours."""
    return zip(ring[-1:] + ring[:-1], ring, ring[1:] + ring[:1], strict=True)
