"""Where shortest routes can turn: corners with more than half a turn free, and free arcs of round parts."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._route_scene import ASIDE, Scene

#: Angles by which rounding turns tangents and edges.
ANGLE: Final = 1e-9
# A corner that leaves so little more than half a turn free is none.
_FLAT: Final = 1e-10
# Pieces of arcs so short are points.
_POINT: Final = 1e-13
_ALMOST_WHOLE: Final = math.tau * (1.0 - 1e-15)


@dataclass(frozen=True, eq=False)
class Corners:
    """Points round which routes can turn.

    The directions that are free there make one *sector* of more than half a turn. A shortest route comes and
    leaves in directions at least half a turn apart, as seen in the sector.

    Attributes
    ----------
    points : ndarray of float64, shape (n, 2)
    aside : ndarray of float64, shape (n, 2)
        The same points, moved into their sectors by less than tol.
    low, size : ndarray of float64, shape (n,)
        Angle at which the sector begins, and how far it reaches counter-clockwise.
    """

    points: FloatArray
    aside: FloatArray
    low: FloatArray
    size: FloatArray

    def __len__(self) -> int:
        return len(self.points)

    @classmethod
    def of(cls, scene: Scene) -> Corners:
        """Find those of a scene."""
        rings = scene.rings
        way = rings.edges
        back = rings.points[rings.before] - rings.points
        is_convex = way[:, 0] * back[:, 1] - way[:, 1] * back[:, 0] > 0.0
        ends = scene.walls.reshape(-1, 2)
        points = np.concatenate([rings.points[is_convex & ~rings.is_shut], ends])
        points = points[scene.is_on_table(points)]
        points = points[_first_of_each(points, scene.tol)]
        sectors = [_widest_gap(cones) for cones in scene.cones_at(points)]
        low, size = np.array(sectors).reshape(len(points), 2).T
        wide = size > math.pi + _FLAT
        points, low, size = points[wide], low[wide], size[wide]
        middle = low + size / 2
        aside = points + ASIDE * scene.tol * np.stack([np.cos(middle), np.sin(middle)], axis=1)
        tied = np.zeros((len(points), 2), np.bool_)
        free = scene.are_free(np.concatenate([aside, aside], axis=1), tied)
        return cls(points[free], aside[free], low[free], size[free])

    def angles(self, which: IntArray, way: FloatArray) -> FloatArray:
        """Return the angles of directions in the sectors of corners, from where these begin."""
        turn = (np.arctan2(way[..., 1], way[..., 0]) - self.low[which]) % math.tau
        # what lies before the sector by rounding only
        return np.where(turn > 0.5 * (self.size[which] + math.tau), turn - math.tau, turn)

    def can_turn(self, which: IntArray, angles: FloatArray, reach: FloatArray, tol: float) -> BoolArray:
        """Return whether a route can come from such a direction, from so far away, and turn.

        Legs may run along a piece up to tol inside it, so that they come from a little beyond the sector.
        """
        slack = ANGLE + tol / np.clip(reach, tol, 1.0)
        rest = self.size[which] - math.pi
        one = (angles >= -slack) & (angles <= rest + slack)
        other = (angles >= math.pi - slack) & (angles <= self.size[which] + slack)
        return np.asarray(one | other)


def _first_of_each(points: FloatArray, tol: float) -> IntArray:
    """Return which points are not within tol of one before."""
    if not len(points):
        return np.zeros(0, np.intp)
    from scipy.spatial import cKDTree

    pairs = cKDTree(points).query_pairs(tol, output_type="ndarray")
    return np.setdiff1d(np.arange(len(points)), pairs.max(axis=1, initial=-1))


def _widest_gap(cones: list[tuple[float, float]]) -> tuple[float, float]:
    """Return where the widest sector between blocked directions begins, and how wide it is."""
    if not cones:
        return 0.0, 0.0
    ordered = sorted((low % math.tau, size) for low, size in cones)
    reach = max(low + size for low, size in ordered) - math.tau
    best = 0.0, 0.0
    for low, size in ordered:
        if low - reach > best[1]:
            best = reach, low - reach
        reach = max(reach, low + size)
    return best


@dataclass(frozen=True, eq=False)
class Arcs:
    """Free parts of the rims of round parts.

    Attributes
    ----------
    centre, radius : ndarray of float64, shape (n, 2), (n,)
    low, size : ndarray of float64, shape (n,)
        Angle at which the arc begins, and how far it reaches counter-clockwise.
    is_whole : ndarray of bool, shape (n,)
        Whether it is a whole circle.
    part : ndarray of intp, shape (n,)
        Round part it belongs to.
    """

    centre: FloatArray
    radius: FloatArray
    low: FloatArray
    size: FloatArray
    is_whole: BoolArray
    part: IntArray
    tol: float

    def __len__(self) -> int:
        return len(self.radius)

    @classmethod
    def of(cls, scene: Scene) -> Arcs:
        """Find those of a scene."""
        rounds = scene.rounds
        part, low, size, starts_at_wall = _between_cuts(scene)
        middle = low + size / 2
        points = rounds.centre[part] + (rounds.radius[part, None] + scene.tol) * _unit(middle)
        free = ~scene.are_covered(points, rounds.base[part])
        arcs = [
            (k, *arc)
            for k in range(len(rounds.radius))
            for arc in _joined(
                low[part == k], size[part == k], free[part == k], starts_at_wall[part == k], rounds.size[k]
            )
        ]
        table = np.array(arcs).reshape(len(arcs), 3)
        which = table[:, 0].astype(np.intp)
        return cls(
            rounds.centre[which],
            rounds.radius[which],
            table[:, 1],
            table[:, 2],
            table[:, 2] >= math.tau,
            which,
            scene.tol,
        )

    def places(self, which: IntArray, angles: FloatArray) -> tuple[FloatArray, BoolArray]:
        """Return angles on arcs, from where these begin, and whether they are on them."""
        turn = (angles - self.low[which]) % math.tau
        size = self.size[which]
        turn = np.where(turn > math.tau - ANGLE, 0.0, turn)
        return np.minimum(turn, size), turn <= size + ANGLE

    def points(self, which: IntArray, turn: FloatArray) -> FloatArray:
        """Return points on arcs."""
        way = _unit(self.low[which] + turn)
        return np.asarray(self.centre[which] + self.radius[which][..., None] * way)

    def aside(self, which: IntArray, turn: FloatArray) -> FloatArray:
        """Return points on arcs, moved out and away from the ends of the arcs by less than tol."""
        off = ASIDE * self.tol
        size, radius = self.size[which], self.radius[which]
        end = np.where(self.is_whole[which], 0.0, np.minimum(off / radius, size / 2))
        way = _unit(self.low[which] + np.clip(turn, end, size - end))
        return np.asarray(self.centre[which] + (radius + off)[..., None] * way)


def _unit(angle: FloatArray) -> FloatArray:
    return np.stack([np.cos(angle), np.sin(angle)], axis=-1)


def _between_cuts(scene: Scene) -> tuple[IntArray, FloatArray, FloatArray, BoolArray]:
    """Cut round parts where other pieces may begin or end, and at walls.

    All is measured a tolerance outside the rim: what is there stops, be it that it covers the rim or that it
    is in contact with it. A piece that has the same tangent on the same side does not.

    Returns part, first angle and size of the pieces, sorted by these, and whether a wall or the end of the
    part is where a piece begins.
    """
    rounds = scene.rounds
    parts, angles = _crossings(scene, *_rims(scene))
    wall_parts, at_walls = _crossings(scene, *_wall_lines(scene), None)
    own = np.arange(len(rounds.radius))
    part = np.concatenate([own, parts, wall_parts])
    turn = np.concatenate([np.zeros(len(own)), angles, at_walls])
    is_wall = np.repeat([True, False, True], [len(own), len(parts), len(wall_parts)])
    # the beginning of a disc is no end of it
    is_wall[: len(own)] = rounds.size < math.tau
    turn[len(own) :] = (turn[len(own) :] - rounds.low[part[len(own) :]]) % math.tau
    inside = turn < rounds.size[part]
    part, turn, is_wall = part[inside], turn[inside], is_wall[inside]
    order = np.lexsort((turn, part))
    part, turn, is_wall = part[order], turn[order], is_wall[order]
    is_last = np.append(part[1:] != part[:-1], True)[: len(part)]
    size = np.where(is_last, rounds.size[part], np.roll(turn, -1)) - turn
    return part, rounds.low[part] + turn, size, is_wall


def _joined(
    low: FloatArray, size: FloatArray, free: BoolArray, starts_at_wall: BoolArray, whole: float
) -> list[tuple[float, float]]:
    """Join pieces that follow one another, where no wall is between: first angle and size of arcs."""
    pieces = list(zip(low.tolist(), size.tolist(), free.tolist(), starts_at_wall.tolist(), strict=True))
    if whole >= math.tau:
        # begin where an arc does
        breaks = [i for i, piece in enumerate(pieces) if piece[3] or not pieces[i - 1][2] or not piece[2]]
        if not breaks:
            return [(pieces[0][0], math.tau)]
        pieces = pieces[breaks[0] :] + pieces[: breaks[0]]
    arcs: list[tuple[float, float]] = []
    goes_on = is_cut = False
    for first, reach, is_free, is_wall in pieces:
        is_cut |= is_wall
        if reach <= _POINT:
            continue
        if is_free and goes_on and not is_cut:
            arcs[-1] = arcs[-1][0], arcs[-1][1] + reach
        elif is_free:
            arcs.append((first, reach))
        goes_on, is_cut = is_free, False
    # A wall at a single point of a disc leaves all of it, but from one end to the other.
    return [(first, min(reach, _ALMOST_WHOLE)) for first, reach in arcs]


def _rims(scene: Scene) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray, IntArray]:
    """Return the straight parts of outlines, starts and ways, and the round ones, centres and radii.

    And the base that each belongs to, -1 for none.
    """
    rings, bases = scene.rings, scene.bases
    x, y, cos, sin, along, across, radius = bases
    numbers = np.flatnonzero(radius > scene.tol)
    starts, ways, owners = [rings.points], [rings.edges], [np.full(len(rings.points), -1)]
    for u, v in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)):
        reach = abs(u) * along + abs(v) * across + radius
        normal = np.stack([u * cos - v * sin, u * sin + v * cos], axis=1)
        half = (across if v == 0.0 else along)[:, None] * np.stack([-normal[:, 1], normal[:, 0]], axis=1)
        middle = np.stack([x, y], axis=1) + reach[:, None] * normal
        starts.append((middle - half)[numbers])
        ways.append(2.0 * half[numbers])
        owners.append(numbers)
    owner = np.concatenate([*owners, scene.rounds.base])
    return np.concatenate(starts), np.concatenate(ways), scene.rounds.centre, scene.rounds.radius, owner


def _wall_lines(scene: Scene) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
    """Return the walls, a little longer, as lines to cut round parts with."""
    start, way = scene.walls[:, :2], scene.walls[:, 2:] - scene.walls[:, :2]
    length = np.hypot(*way.T)[:, None]
    more = way * (4.0 * scene.tol / np.where(length > 0.0, length, 1.0))
    return start - more, way + 2.0 * more, np.empty((0, 2)), np.empty(0)


def _crossings(
    scene: Scene,
    start: FloatArray,
    way: FloatArray,
    centre: FloatArray,
    radius: FloatArray,
    owner: IntArray | None,
) -> tuple[IntArray, FloatArray]:
    """Return where round parts cross lines and circles, as part and angle; not those of their own base."""
    rounds = scene.rounds
    out = rounds.radius + scene.tol
    mine = rounds.centre[:, None], out[:, None]
    to = start - mine[0]
    a = (way**2).sum(axis=-1)
    b = (to * way).sum(axis=-1)
    c = (to**2).sum(axis=-1) - mine[1] ** 2
    inner = b * b - a * c
    asked = (inner >= 0.0) & (a > 0.0)
    if owner is not None:
        asked &= owner[: len(start)] != rounds.base[:, None]
    part, line = np.nonzero(asked)
    root = np.sqrt(inner[part, line])
    parts, angles = [], []
    for sign in (-1.0, 1.0):
        share = (sign * root - b[part, line]) / a[line]
        on_line = (share >= 0.0) & (share <= 1.0)
        at = to[part, line] + share[:, None] * way[line]
        parts.append(part[on_line])
        angles.append(np.arctan2(at[:, 1], at[:, 0])[on_line])
    to = centre - mine[0]
    apart = np.hypot(to[..., 0], to[..., 1])
    ours = np.broadcast_to(mine[1], apart.shape)
    asked = (apart <= ours + radius) & (apart >= np.abs(ours - radius)) & (apart > 0.0)
    if owner is not None:
        asked &= owner[len(start) :] != rounds.base[:, None]
    part, other = np.nonzero(asked)
    d, r, s = apart[part, other], out[part], radius[other]
    turn = np.arccos(np.clip((d * d + r * r - s * s) / (2.0 * d * r), -1.0, 1.0))
    towards = np.arctan2(to[part, other, 1], to[part, other, 0])
    return np.concatenate([*parts, part, part]), np.concatenate([*angles, towards - turn, towards + turn])
