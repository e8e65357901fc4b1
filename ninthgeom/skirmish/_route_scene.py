"""What stops routes in one state, as arrays: outlines, round parts, walls, and the shapes that stop legs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, SIN
from ninthgeom._convex import ROUNDING
from ninthgeom._sight_shapes import Shapes, shapes_of

if TYPE_CHECKING:
    from ninthgeom.skirmish._obstacles import Standing

#: Where it is asked what is free, nodes stand so far out of their pieces, in tolerances: beside gates.
ASIDE: Final = 0.5
# Walls reach so far into the pieces they end at, in tolerances, and a little beyond their ends.
_INTO: Final = 4.0
_BEYOND: Final = 0.1
# Corners sharper than this sine of half their angle count as so sharp.
_SHARPEST: Final = 0.05
# What of points inside polygons falls between two of the parts these are cut in, in inches.
_SEAMS: Final = 4.0 * ROUNDING
# So many distances of points from outlines are computed at once.
_AT_ONCE: Final = 2**20
# Half the breadth of what is round the table, in inches.
_ROUND_TABLE: Final = 1.0
_HALF: Final = 0.5 * math.pi


@dataclass(frozen=True, eq=False)
class Rings:
    """Straight outlines, the piece on the left of each edge: polygons, bases, broad gates, round the table.

    Attributes
    ----------
    points : ndarray of float64, shape (V, 2)
    after, before : ndarray of intp, shape (V,)
        The next vertex of the ring of each, and the one before.
    is_shut : ndarray of bool, shape (V,)
        Whether it belongs to a broad gate or to what is round the table: no route turns there, but where
        there is a corner of a piece too.
    """

    points: FloatArray
    after: IntArray
    before: IntArray
    is_shut: BoolArray

    @classmethod
    def of(cls, rings: list[FloatArray], n_shut: int) -> Rings:
        """Join rings; so many at the end are shut."""
        sizes = np.array([len(ring) for ring in rings], np.intp)
        first = np.repeat(np.cumsum(sizes) - sizes, sizes)
        place, size = np.arange(len(first)) - first, np.repeat(sizes, sizes)
        is_shut = np.repeat(np.arange(len(rings)) >= len(rings) - n_shut, sizes)
        points = np.concatenate([np.empty((0, 2)), *rings])
        return cls(points, first + (place + 1) % size, first + (place - 1) % size, is_shut)

    @property
    def edges(self) -> FloatArray:
        """Vector from each vertex to the next."""
        return self.points[self.after] - self.points


@dataclass(frozen=True, eq=False)
class Rounds:
    """Round parts of bases: discs, ends of ovals, corners of rounded rectangles.

    Attributes
    ----------
    centre, radius : ndarray of float64, shape (R, 2), (R,)
    low, size : ndarray of float64, shape (R,)
        Angle at which the part begins, and how far it reaches counter-clockwise; a disc's is a whole turn.
    base : ndarray of intp, shape (R,)
        Which base each is of, among those that count.
    """

    centre: FloatArray
    radius: FloatArray
    low: FloatArray
    size: FloatArray
    base: IntArray

    @classmethod
    def of(cls, bases: FloatArray, tol: float) -> Rounds:
        """Find those of bases given as columns, (7, B)."""
        heading = np.arctan2(bases[SIN], bases[COS])
        is_long, is_broad = bases[ALONG] > ROUNDING, bases[ACROSS] > ROUNDING
        rows: list[tuple[float, ...]] = []
        for i in np.flatnonzero(bases[RADIUS] > tol).tolist():
            x, y, cos, sin, along, across, radius = bases[:, i].tolist()
            ahead = (1.0, -1.0) if is_long[i] else (0.0,)
            aside = (1.0, -1.0) if is_broad[i] else (0.0,)
            size = math.tau / (len(ahead) * len(aside))
            for u in ahead:
                for v in aside:
                    # the middle of the directions in which a corner is the outermost one
                    middle = heading[i] + math.atan2(v, u)
                    rows.append(
                        (
                            x + u * along * cos - v * across * sin,
                            y + u * along * sin + v * across * cos,
                            radius,
                            middle - size / 2,
                            size,
                            i,
                        )
                    )
        table = np.array(rows).reshape(len(rows), 6)
        return cls(
            np.ascontiguousarray(table[:, :2]),
            table[:, 2],
            table[:, 3],
            table[:, 4],
            table[:, 5].astype(np.intp),
        )


class Blockers(NamedTuple):
    """What stops legs, as kernels take it."""

    groups: NDArray[np.int64]
    group_boxes: FloatArray
    boxes: FloatArray
    vertices: FloatArray
    counts: NDArray[np.int64]
    radii: FloatArray
    walls: FloatArray
    wholes: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Scene:
    """Everything that stops routes in one state.

    Attributes
    ----------
    size : (float, float)
        Of the table.
    polygons : ndarray of shapely polygons
    bases : ndarray of float64, shape (7, B)
        Columns of the bases that count, then broad gates, then what is round the table.
    rings : Rings
    rounds : Rounds
    walls : ndarray of float64, shape (k, 4)
        Gates that are lines, and closed openings: x0, y0, x1, y1.
    tol : float
    """

    size: tuple[float, float]
    polygons: NDArray[np.object_]
    bases: FloatArray
    rings: Rings
    rounds: Rounds
    walls: FloatArray
    shapes: Shapes
    tol: float

    @classmethod
    def of(
        cls,
        size: tuple[float, float],
        standing: Standing,
        bases: FloatArray,
        lines: FloatArray,
        broad: FloatArray,
    ) -> Scene:
        """Put together terrain, the bases that count, gates that are lines, and broad ones, as columns."""
        tol = standing.tol
        x, y, cos, sin, along, *_ = lines
        walls = np.stack([x - cos * along, y - sin * along, x + cos * along, y + sin * along], axis=1)
        shut = np.concatenate([broad, _frame(size)], axis=1)
        every = np.concatenate([bases, shut], axis=1)
        polygons = np.asarray(standing.polygons.to_shapely(), np.object_)
        outlines = [
            np.asarray(line.coords)[:-1] for shape in polygons for line in (shape.exterior, *shape.interiors)
        ]
        sharp = np.flatnonzero(every[RADIUS] <= tol)
        rings = Rings.of([*outlines, *_corners(every[:, sharp])], shut.shape[1])
        numbers = np.arange(len(polygons) + every.shape[1])
        shapes = shapes_of(every[:, None], standing.outlines, numbers, "clear", tol)
        rounds = Rounds.of(every, tol)
        return cls(size, polygons, every, rings, rounds, walls, shapes, tol)

    def is_on_table(self, points: FloatArray) -> BoolArray:
        """Return which points, (..., 2), are no further than tol off the table."""
        on_table = (points >= -self.tol) & (points <= np.array(self.size) + self.tol)
        return np.asarray(on_table.all(axis=-1))

    def distances_from_bases(self, points: FloatArray) -> FloatArray:
        """Return how far points, (n, 2), are from bases, (n, B); 0 in the core, less than 0 in the rim."""
        x, y, cos, sin, along, across, radius = self.bases
        dx, dy = points[:, :1] - x, points[:, 1:] - y
        out = np.maximum(np.abs(dx * cos + dy * sin) - along, 0.0)
        aside = np.maximum(np.abs(dy * cos - dx * sin) - across, 0.0)
        return np.asarray(np.hypot(out, aside) - radius)

    def normals_of_base(self, i: int, point: FloatArray) -> float:
        """Return the direction in which the outline of a base is left at a point, as an angle."""
        x, y, cos, sin, along, across, _ = self.bases[:, i].tolist()
        u = (point[0] - x) * cos + (point[1] - y) * sin
        v = (point[1] - y) * cos - (point[0] - x) * sin
        out, aside = u - min(max(u, -along), along), v - min(max(v, -across), across)
        return math.atan2(sin, cos) + math.atan2(aside, out)

    def are_covered(self, points: FloatArray, own: IntArray) -> BoolArray:
        """Return which points, (n, 2), are in another piece or broad gate than the base of their own."""
        off = self.distances_from_bases(points)
        off[np.arange(len(points)), own] = np.inf
        covered = (off <= 0.0).any(axis=1)
        if len(self.polygons):
            at = np.asarray(shapely.points(points))
            away = shapely.distance(at[:, None], self.polygons)
            covered |= (away <= 0.0).any(axis=1)
        return np.asarray(covered)

    @cached_property
    def blockers(self) -> Blockers:
        """Shapes in groups by what they are of, and walls, as the kernel takes them."""
        owner = self.shapes.owners[0, :, 0]
        keep = np.argsort(owner, kind="stable")
        keep = keep[self.shapes.counts[0, keep] > 0]
        vertices, counts = self.shapes.vertices[0, keep].copy(), self.shapes.counts[0, keep].copy()
        radii = self.shapes.radii[0, keep].copy()
        apart = np.abs(vertices - np.roll(vertices, 1, axis=2)).max(axis=1)
        within = np.arange(vertices.shape[2]) < counts[:, None]
        last = np.take_along_axis(vertices, np.maximum(counts - 1, 0)[:, None, None], axis=2)[..., 0]
        apart[:, 0] = np.abs(vertices[:, :, 0] - last).max(axis=1)
        for i in np.flatnonzero(((apart == 0.0) & within).any(axis=1)).tolist():
            different = vertices[i][:, within[i] & (apart[i] > 0.0)]
            different = different if different.shape[1] else vertices[i, :, :1]
            counts[i] = different.shape[1]
            vertices[i, :, : counts[i]] = different
            vertices[i, :, counts[i] :] = different[:, -1:]
        reach = np.maximum(radii, 0.0)[:, None]
        boxes = np.concatenate([vertices.min(axis=2) - reach, vertices.max(axis=2) + reach], axis=1)
        starts = np.flatnonzero(np.diff(owner[keep], prepend=-1, append=len(owner) + 1))
        groups, group_boxes = starts.astype(np.int64), np.empty((len(starts) - 1, 4))
        if len(boxes):
            group_boxes[:, :2] = np.minimum.reduceat(boxes[:, :2], groups[:-1])
            group_boxes[:, 2:] = np.maximum.reduceat(boxes[:, 2:], groups[:-1])
        return Blockers(groups, group_boxes, boxes, vertices, counts, radii, *self._long_walls())

    def _long_walls(self) -> tuple[FloatArray, NDArray[np.int64]]:
        """Return the walls, what joins their ends to the inside of pieces, and which wall each is of."""
        walls, wholes = [self.walls], list(range(len(self.walls)))
        for end in (0, 1):
            foot, other = self.walls[:, 2 * end : 2 * end + 2], self.walls[:, 2 - 2 * end : 4 - 2 * end]
            for i, (point, into) in enumerate(zip(foot, self._depths[end], strict=True)):
                way = other[i] - point
                length = math.hypot(*way)
                back = way * (_BEYOND * self.tol / length) if length > 0.0 else 0.0 * way
                for deep in into:
                    walls.append(np.concatenate([point + back, point + self.tol * deep])[None])
                    walls.append(np.concatenate([point + back, point - back])[None])
                    wholes += [i, i]
        return np.ascontiguousarray(np.concatenate(walls)), np.array(wholes, np.int64)

    @cached_property
    def _depths(self) -> tuple[list[list[FloatArray]], list[list[FloatArray]]]:
        """Vectors into the pieces at the first ends of all walls, and at the last ones."""
        return self._inward(self.walls[:, :2]), self._inward(self.walls[:, 2:])

    def pass_along(self, segments: FloatArray) -> BoolArray:
        """Return which segments (n, 4) run along all of a wall from one side of it to the other.

        The piece at one end is on their left then, and that at the other end on their right. They cross
        neither the wall nor what joins it to the pieces, so that they must be looked for.
        """
        along = np.zeros(len(segments), np.bool_)
        start, way = segments[:, :2], segments[:, 2:] - segments[:, :2]
        length = np.hypot(*way.T)
        for i, wall in enumerate(self.walls.reshape(-1, 2, 2)):
            on_line = length > 0.0
            for end in wall:
                to = end - start
                share = (to * way).sum(axis=1)
                on_line &= np.abs(_cross(way, to)) <= ROUNDING * length
                on_line &= (share > self.tol * length) & (share < length * (length - self.tol))
            for k in np.flatnonzero(on_line).tolist():
                first, last = ([float(_cross(way[k], into)) for into in ends[i]] for ends in self._depths)
                if first and last:
                    along[k] |= (min(first) > 0.0 > max(last)) or (min(last) > 0.0 > max(first))
        return along

    def _inward(self, points: FloatArray) -> list[list[FloatArray]]:
        """Return vectors from points into the pieces that they touch, in tolerances."""
        into: list[list[FloatArray]] = [[] for _ in points]
        for i, cones in enumerate(self.cones_at(points)):
            for low, size in cones:
                if size > 0.0:
                    middle, sine = low + size / 2, math.sin(min(size, math.pi) / 2)
                    way = np.array([math.cos(middle), math.sin(middle)])
                    into[i].append(way * (_INTO / max(sine, _SHARPEST)))
        return into

    def cones_at(self, points: FloatArray) -> list[list[tuple[float, float]]]:
        """Return the directions that pieces and walls block at points, (n, 2).

        Each is an angle and how far the blocked directions reach from there, counter-clockwise: nothing for
        a wall.
        """
        cones: list[list[tuple[float, float]]] = [[] for _ in points]
        rings = self.rings
        start, way = rings.points, rings.edges
        step = max(1, _AT_ONCE // max(1, len(start) + self.bases.shape[1]))
        for chunk in range(0, len(points), step):
            some = points[chunk : chunk + step]
            off, share = _from_segments(some, start, way)
            at_vertex = np.hypot(*np.moveaxis(some[:, None] - start, 2, 0)) <= self.tol
            for i, v in np.argwhere(at_vertex).tolist():
                first = math.atan2(way[v, 1], way[v, 0])
                back = start[rings.before[v]] - start[v]
                cones[chunk + i].append((first, (math.atan2(back[1], back[0]) - first) % math.tau))
            on_edge = (off <= self.tol) & (share > 0.0) & (share < 1.0)
            on_edge &= ~at_vertex & ~at_vertex[:, rings.after]
            for i, v in np.argwhere(on_edge).tolist():
                cones[chunk + i].append((math.atan2(way[v, 1], way[v, 0]), math.pi))
            is_near = np.abs(self.distances_from_bases(some)) <= self.tol
            is_near &= self.bases[RADIUS] > self.tol
            for i, b in np.argwhere(is_near).tolist():
                cones[chunk + i].append((self.normals_of_base(b, some[i]) + _HALF, math.pi))
            if len(self.walls):
                ends = self.walls[:, :2], self.walls[:, 2:]
                off, _ = _from_segments(some, ends[0], ends[1] - ends[0])
                for i, w in np.argwhere(off <= self.tol).tolist():
                    for end in ends:
                        to = end[w] - some[i]
                        if math.hypot(*to) > self.tol:
                            cones[chunk + i].append((math.atan2(to[1], to[0]), 0.0))
        return cones

    def are_free(self, segments: FloatArray, loose: BoolArray) -> BoolArray:
        """Return which segments (n, 4) pass through nothing; loose ends (n, 2) leave gates to either side."""
        return self._free(segments, loose, 0.0)

    def are_outside(self, points: FloatArray) -> BoolArray:
        """Return which points (n, 2) are on the table and not deeper than tol inside pieces and gates."""
        tied = np.zeros((len(points), 2), np.bool_)
        return self._free(np.concatenate([points, points], axis=1), tied, _SEAMS) & self.is_on_table(points)

    def _free(self, segments: FloatArray, loose: BoolArray, slack: float) -> BoolArray:
        from ninthgeom_kernel.free_segments import free_of_solids, free_of_walls

        free = np.empty(len(segments), np.bool_)
        segments, loose = np.ascontiguousarray(segments), np.ascontiguousarray(loose)
        groups, group_boxes, boxes, vertices, counts, radii, walls, wholes = self.blockers
        free_of_solids(segments, groups, group_boxes, boxes, vertices, counts, radii, slack, free)
        free_of_walls(
            segments,
            loose,
            groups,
            group_boxes,
            boxes,
            vertices,
            counts,
            radii,
            walls,
            wholes,
            self.tol,
            free,
        )
        return free


def _cross(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[..., 0] * other[..., 1] - one[..., 1] * other[..., 0])


def _frame(size: tuple[float, float]) -> FloatArray:
    """Bases round a table: a piece in contact with its edge leaves no way there, as between pieces."""
    (width, height), side = size, _ROUND_TABLE
    along = [
        (width / 2, -side, width / 2 + 2 * side),
        (width / 2, height + side, width / 2 + 2 * side),
        (-side, height / 2, height / 2 + 2 * side),
        (width + side, height / 2, height / 2 + 2 * side),
    ]
    columns = [(x, y, float(k < 2), float(k >= 2), half, side, 0.0) for k, (x, y, half) in enumerate(along)]
    return np.array(columns).T


def _corners(bases: FloatArray) -> list[FloatArray]:
    """Corners of bases with sharp ones, counter-clockwise."""
    x, y, cos, sin, along, across, radius = bases
    corners = []
    for u, v in ((1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)):
        ahead, aside = u * (along + radius), v * (across + radius)
        corners.append(np.stack([x + ahead * cos - aside * sin, y + ahead * sin + aside * cos], axis=-1))
    return list(np.stack(corners, axis=1))


def _from_segments(points: FloatArray, start: FloatArray, way: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return distances of points (n, 2) from segments (m, 2), and the shares of these that are nearest."""
    to = points[:, None] - start
    squared = (way**2).sum(axis=-1)
    share = (to * way).sum(axis=-1) / np.where(squared > 0.0, squared, 1.0)
    share = np.clip(share, 0.0, 1.0)
    off = to - share[..., None] * way
    return np.hypot(off[..., 0], off[..., 1]), share
