"""Critical lines: where what is seen from a source can begin or end.

A critical line starts in the source and grazes two limits, one on either side, so that nothing is left to
look through once it turns either way. Limits are what is in the way, the ends of the source and the sides of
the arc. What counts is the piece beyond the second limit, up to where something solid stops it.

More lines than needed do no harm but cost time, so every filter here keeps a line when in doubt.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._pieces import convex_pieces
from ninthgeom.bases import Bases
from ninthgeom.polygons import Polygons
from ninthgeom.t9a._critical_shapes import ROUNDING, Convex, Core

IntArray: TypeAlias = NDArray[np.intp]
Box: TypeAlias = tuple[float, float, float, float]
# Lines: a point of each, its direction, and how far along from there it starts and has met both limits.
_Lines: TypeAlias = tuple[FloatArray, FloatArray, FloatArray, FloatArray]
# Centre, radius, steps to the neighbours, side, whether it is a start; see `_Limits`.
_Row: TypeAlias = tuple[Any, float, Any, float, bool]

#: Places along a line closer to each other than this, in inches, may be one but for rounding.
SLACK: Final = 1e-7
#: Largest distance, in inches, between a round source and the polygon that its crossings are taken from.
FINE: Final = 1e-6
#: Pairs of limits looked at in one go.
PAIRS_AT_ONCE: Final = 100_000
#: Lines are carried on by this beyond both ends, so that they surely meet what ends them.
OVERSHOOT: Final = 1e-7


@dataclass(frozen=True, eq=False)
class Viewpoint:
    """One source and what is in its way.

    Attributes
    ----------
    source : Bases, shape ()
        A rectangle, which looks from its Front Facing, or a disc, oval or point, which looks all round.
    blockers : Bases, shape (B,)
        Bases in the way.
    walls : Polygons, shape (W,)
        Terrain in the way.
    hills : Polygons, shape (H,)
        Terrain in the way of lines that neither start nor end in it.
    """

    source: Bases
    blockers: Bases
    walls: Polygons
    hills: Polygons


@dataclass(frozen=True, eq=False)
class _Limits:
    """What a line can graze, each a circle (mostly a point) with what lies beside it.

    Attributes
    ----------
    centre : ndarray, shape (E, 2)
    radius : ndarray, shape (E,)
        Negative for a source: it is the outside that limits.
    beside : ndarray, shape (E, 2, 2)
        Steps to the neighbours, which must be on the same side of a line that grazes.
    sides : ndarray, shape (E,)
        1 where neighbours are on the side of the limit, -1 for a source, where they are on the other.
    is_start : ndarray of bool, shape (E,)
        Whether it is a place of the source where a part of it begins: nothing has to be on either side.
    """

    centre: FloatArray
    radius: FloatArray
    beside: FloatArray
    sides: FloatArray
    is_start: BoolArray

    @classmethod
    def of(cls, rows: Sequence[_Row]) -> _Limits:
        return cls(
            np.array([row[0] for row in rows], float).reshape(-1, 2),
            np.array([row[1] for row in rows], float),
            np.array([row[2] for row in rows], float).reshape(-1, 2, 2),
            np.array([row[3] for row in rows], float),
            np.array([row[4] for row in rows], np.bool_),
        )

    def __getitem__(self, key: Any) -> _Limits:
        return _Limits(
            self.centre[key], self.radius[key], self.beside[key], self.sides[key], self.is_start[key]
        )

    def __len__(self) -> int:
        return len(self.radius)

    def grazed(self, which: IntArray, normal: FloatArray, side: float) -> BoolArray:
        """Return whether lines with these normals leave limits, and what is beside, on one side."""
        along = np.einsum("ni,nki->nk", normal, self.beside[which]) * (side * self.sides[which])[:, None]
        grazes: BoolArray = (along >= -ROUNDING).all(axis=1)
        return grazes


@dataclass(frozen=True, eq=False)
class _Facing:
    """Source that looks from a line segment, within an arc."""

    middle: FloatArray
    forward: FloatArray
    right: FloatArray
    half_width: float
    half_angle: float

    @classmethod
    def of(cls, base: Bases, half_angle: float) -> _Facing:
        heading = float(base.heading)
        forward = np.array([math.cos(heading), math.sin(heading)])
        middle = np.array([float(base.x), float(base.y)]) + forward * float(base.depth) / 2
        right = np.array([forward[1], -forward[0]])
        return cls(middle, forward, right, float(base.width) / 2, half_angle)

    @property
    def ends(self) -> FloatArray:
        """Left and right end, shape (2, 2)."""
        return self.middle + np.outer([-self.half_width, self.half_width], self.right)

    def starts(self, point: FloatArray, direction: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return where lines start, counted along them from points of theirs, and which are in the arc."""
        ahead, across = direction @ self.forward, direction @ self.right
        steps = point - self.middle
        with np.errstate(divide="ignore", invalid="ignore"):
            at = -(steps @ self.forward) / ahead
            place = steps @ self.right + at * across
        legal = np.abs(across) <= math.tan(self.half_angle) * ahead + ROUNDING
        legal &= np.abs(place) <= self.half_width + 10 * ROUNDING
        return np.where(legal, at, math.inf), legal

    def limits(self) -> list[_Row]:
        """Return the ends; what is beyond them limits."""
        return [
            (end, 0.0, [side * self.right] * 2, 1.0, False)
            for end, side in zip(self.ends, (-1.0, 1.0), strict=True)
        ]

    def may_meet(self, limits: _Limits) -> BoolArray:
        """Return which limits lines in the arc can meet."""
        steps = limits.centre - self.middle
        reach = np.abs(limits.radius) * 2 + 10 * ROUNDING
        ahead = steps @ self.forward
        wide = self.half_width + math.tan(self.half_angle) * np.maximum(ahead, 0.0)
        # The sides of the arc are oblique: a circle reaches them from further away than its radius.
        slack = reach / math.cos(self.half_angle)
        meets: BoolArray = (ahead >= -reach) & (np.abs(steps @ self.right) <= wide + slack)
        return meets

    def crossings(self, shapes: Convex) -> FloatArray:
        """Return where the segment enters and leaves convex shapes, shape (n, 2); its ends too.

        A blocker that begins at an end leaves that end alone to look from.
        """
        left = self.ends[:1]
        at = np.concatenate([part[0] for part in shapes.cut(left, self.right[None], 0.0)])
        return left + at[(at > -SLACK) & (at < 2 * self.half_width + SLACK)][:, None] * self.right


class _RoundSource:
    """Source that looks from anywhere in a base, in all directions."""

    def __init__(self, core: Core) -> None:
        self.core = core
        self._shapes = Convex.of(*core.convex())

    def starts(self, point: FloatArray, direction: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return where lines leave the base, counted along them from points of theirs, and which meet it."""
        leave = self._shapes.left_at(point, direction)
        legal = np.isfinite(leave)
        return np.where(legal, leave, math.inf), legal

    def contacts(self, blockers: Sequence[Core], walls: Sequence[Any], hills: Sequence[Any]) -> FloatArray:
        """Return where the outline crosses or touches others, and corners of hills inside, shape (n, 2)."""
        core = self.core
        if core.radius == 0.0:
            return np.empty((0, 2))  # a point has no parts
        near = core.outline(FINE, np.empty((0, 2)))
        inside = shapely.Polygon(near)
        points = [np.empty((0, 2))]
        for blocker in blockers:
            own = shapely.linestrings(np.vstack([blocker.corners, blocker.corners[:1]]))
            if shapely.distance(inside, own) <= blocker.radius + FINE:
                fine = blocker.outline(FINE, np.empty((0, 2)))
                points += [_common_points(near, fine), self._touches(own, blocker.radius)]
        for polygon in (*walls, *hills):
            if shapely.distance(inside, polygon) <= FINE:
                points += [_common_points(near, polygon.boundary), self._touches(polygon.boundary, 0.0)]
        corners = shapely.get_coordinates([polygon.boundary for polygon in hills])
        return np.vstack([*points, corners[shapely.intersects_xy(inside, *corners.T)]])

    def _touches(self, other: Any, radius: float) -> FloatArray:
        """Return points of the outline that touch another outline, so far from a line, on either side."""
        corners = shapely.get_coordinates(other)
        edges = np.diff(corners, axis=0)
        across = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
        points = []
        for centre in self.core.corners:
            towards = np.vstack([across, corners - centre])
            towards = towards[np.hypot(*towards.T) > ROUNDING]
            towards *= self.core.radius / np.hypot(*towards.T)[:, None]
            points += [centre + towards, centre - towards]
        found = np.vstack(points)
        is_touch: BoolArray = np.abs(shapely.distance(other, shapely.points(found)) - radius) <= 10 * FINE
        return found[is_touch]

    def limits(self) -> list[_Row]:
        """Return the roundings; what is beyond them limits."""
        core = self.core
        return [
            (corner, -core.radius, beside, -1.0, False)
            for corner, beside in zip(core.corners, core.beside, strict=True)
        ]


def _common_points(one: Any, two: Any) -> FloatArray:
    points: FloatArray = shapely.get_coordinates(shapely.intersection(one, two))
    return points


class Arrangement:
    """The lines that bound what one source sees."""

    def __init__(self, view: Viewpoint, box: Box, half_angle: float, resolution: float, tol: float) -> None:
        source = view.source
        self._core = Core.of(source)
        looks_round = bool(source.is_disc) or float(source.radius) > 0.0
        self._source: _RoundSource | _Facing = (
            _RoundSource(self._core) if looks_round else _Facing.of(source, half_angle)
        )
        self._blockers = [Core.of(blocker) for blocker in view.blockers]
        self._walls = view.walls.to_shapely().tolist()
        self._hills = view.hills.to_shapely().tolist()
        self._box = Convex.of([np.array(shapely.box(*box).exterior.coords)[:-1]], [])
        self._resolution = resolution
        self._depth = 2.0 * tol
        rings, discs = [], []
        for blocker in self._blockers:
            more_rings, more_discs = blocker.convex()
            rings += more_rings
            discs += more_discs
        rings += [ring for wall in self._walls for ring in convex_pieces(wall)]
        self._solid = Convex.of(rings, discs)

    def lines(self) -> list[Any]:
        """Return outlines and critical lines."""
        start, end = self._critical()
        outlines = [core.outline(self._resolution, start) for core in self._blockers]
        outlines += [polygon.boundary for polygon in self._walls + self._hills]
        if isinstance(self._source, _Facing):
            outlines.append(shapely.linestrings(self._source.ends))
        else:
            outlines.append(self._core.outline(self._resolution, start))
        steps = end - start
        steps *= OVERSHOOT / np.hypot(*steps.T)[:, None]
        critical = shapely.linestrings(np.stack([start - steps, end + steps], axis=1))
        return [*outlines, *np.asarray(critical).tolist()]

    def _critical(self) -> tuple[FloatArray, FloatArray]:
        """Return both ends of the critical lines, each of shape (n, 2)."""
        limits = self._limits()
        one, two = np.triu_indices(len(limits), 1)
        parts = [
            self._between(limits, one[i : i + PAIRS_AT_ONCE], two[i : i + PAIRS_AT_ONCE])
            for i in range(0, len(one), PAIRS_AT_ONCE)
        ]
        if isinstance(self._source, _Facing):
            parts += [self._along_arc(self._source, limits, side) for side in (-1.0, 1.0)]
        if not parts:
            return np.empty((0, 2)), np.empty((0, 2))
        point, direction, back, ahead = (np.concatenate(column) for column in zip(*parts, strict=True))
        return self._free(point, direction, back, ahead)

    def _limits(self) -> _Limits:
        rows = self._source.limits()
        for core in self._blockers:
            rows += [
                (corner, core.radius, beside, 1.0, False)
                for corner, beside in zip(core.corners, core.beside, strict=True)
            ]
        for polygon in self._walls + self._hills:
            for ring in (polygon.exterior, *polygon.interiors):
                corners = np.array(ring.coords)[:-1]
                steps = [np.roll(corners, shift, axis=0) - corners for shift in (1, -1)]
                rows += [
                    (corner, 0.0, beside, 1.0, False)
                    for corner, beside in zip(corners, np.stack(steps, axis=1), strict=True)
                ]
        rows += [(point, 0.0, np.zeros((2, 2)), 1.0, True) for point in self._inner_starts()]
        limits = _Limits.of(rows)
        return limits[self._source.may_meet(limits)] if isinstance(self._source, _Facing) else limits

    def _inner_starts(self) -> FloatArray:
        """Return points of the source where lines begin or cease to start freely, shape (n, 2)."""
        if isinstance(self._source, _Facing):
            hills = Convex.of([ring for hill in self._hills for ring in convex_pieces(hill)], [])
            return np.vstack([self._source.crossings(shapes) for shapes in (self._solid, hills)])
        return self._source.contacts(self._blockers, self._walls, self._hills)

    def _between(self, limits: _Limits, one: IntArray, two: IntArray) -> _Lines:
        """Return the lines between two limits, one on either side of each."""
        apart = limits.centre[one] - limits.centre[two]
        distance = np.hypot(*apart.T)
        wanted = limits.radius[one] + limits.radius[two]
        are_apart = (distance > ROUNDING) & (distance >= np.abs(wanted))
        one, two, wanted, distance = one[are_apart], two[are_apart], wanted[are_apart], distance[are_apart]
        unit = apart[are_apart] / distance[:, None]
        cos = wanted / distance
        sin = np.sqrt(1.0 - cos * cos)
        across = np.column_stack([-unit[:, 1], unit[:, 0]])
        parts = []
        for turn in (1.0, -1.0):
            normal = cos[:, None] * unit + (turn * sin)[:, None] * across
            keep = limits.grazed(one, normal, 1.0) & limits.grazed(two, normal, -1.0)
            a, b, n = one[keep], two[keep], normal[keep]
            first = limits.centre[a] - limits.radius[a, None] * n
            second = limits.centre[b] + limits.radius[b, None] * n
            for sense in (1.0, -1.0):
                direction = sense * np.column_stack([-n[:, 1], n[:, 0]])
                back, legal = self._source.starts(first, direction)
                step = ((second - first) * direction).sum(axis=1)
                legal &= limits.is_start[a] | (back <= SLACK)
                legal &= limits.is_start[b] | (back <= step + SLACK)
                parts.append((first[legal], direction[legal], back[legal], np.maximum(step, 0.0)[legal]))
        point, direction, back, ahead = (np.concatenate(column) for column in zip(*parts, strict=True))
        return point, direction, back, ahead

    def _along_arc(self, source: _Facing, limits: _Limits, side: float) -> _Lines:
        """Return the lines along one side of the arc that graze a limit on that side, 1 the right one."""
        angle = source.half_angle
        direction = math.cos(angle) * source.forward + side * math.sin(angle) * source.right
        normal = math.cos(angle) * source.right * side - math.sin(angle) * source.forward
        every = np.arange(len(limits))
        directions = np.broadcast_to(direction, (len(limits), 2))
        point = limits.centre - limits.radius[:, None] * normal
        back, legal = source.starts(point, directions)
        legal &= limits.grazed(every, np.broadcast_to(normal, (len(limits), 2)), 1.0)
        legal &= limits.is_start | (back <= SLACK)
        return point[legal], directions[legal], back[legal], np.zeros(int(legal.sum()))

    def _free(
        self, point: FloatArray, direction: FloatArray, back: FloatArray, ahead: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """Return lines, from where they have met their limits on, that are free up to there.

        They end where they enter something solid or leave the box.
        """
        ahead = np.maximum(ahead, back)
        _, at_rim = (part[:, 0] for part in self._box.cut(point, direction, 0.0))
        keep = at_rim > ahead + SLACK
        point, direction, back, ahead, at_rim = (
            part[keep] for part in (point, direction, back, ahead, at_rim)
        )
        enter, leave = self._solid.cut(point, direction, self._depth, self._depth + self._resolution)
        before = np.minimum(leave, ahead[:, None]) - np.maximum(enter, back[:, None])
        stop = np.where(leave > ahead[:, None] + SLACK, np.maximum(enter, ahead[:, None]), math.inf)
        stop = np.minimum(stop.min(axis=1, initial=math.inf), at_rim)
        keep = (before <= SLACK).all(axis=1) & (stop > ahead + SLACK)
        point, direction = point[keep], direction[keep]
        start = point + ahead[keep, None] * direction
        return start, point + stop[keep, None] * direction
