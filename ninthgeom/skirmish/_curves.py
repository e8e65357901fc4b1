"""Segments and arcs that bound where a base may be set, with their crossings and their nearest points."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import shapely

from ninthgeom._arrays import BoolArray, FloatArray, IntArray

#: Lengths in inches, and angles, below this are rounding.
ROUNDING: Final = 1e-9
# So many pairs of curves are crossed at once.
_PAIRS: Final = 2**19
_TURN: Final = 2.0 * math.pi


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves in the plane.

    Attributes
    ----------
    segments : ndarray of float64, shape (s, 4)
        x and y of one end, x and y of the other.
    arcs : ndarray of float64, shape (a, 5)
        x and y of the centre, radius, direction of the first end and the angle from there, counter-clockwise.
    """

    segments: FloatArray
    arcs: FloatArray

    def __len__(self) -> int:
        return len(self.segments) + len(self.arcs)

    @classmethod
    def joined(cls, parts: Sequence[Curves]) -> Curves:
        """Join several sets of curves."""
        return cls(
            np.concatenate([np.empty((0, 4)), *(part.segments for part in parts)]),
            np.concatenate([np.empty((0, 5)), *(part.arcs for part in parts)]),
        )

    def chosen(self, keep: BoolArray) -> Curves:
        """Return some of the curves, segments counted first."""
        n = len(self.segments)
        return Curves(self.segments[keep[:n]], self.arcs[keep[n:]])

    def ends(self) -> FloatArray:
        """Return both ends of each curve, shape (n, 2, 2)."""
        x, y, radius, start, sweep = self.arcs.T
        angle = np.stack([start, start + sweep], axis=-1)
        tips = np.stack([x[:, None] + radius[:, None] * np.cos(angle)], axis=-1)
        tips = np.concatenate([tips, (y[:, None] + radius[:, None] * np.sin(angle))[..., None]], axis=-1)
        return np.concatenate([self.segments.reshape(-1, 2, 2), tips])

    def nearest(self, points: FloatArray) -> FloatArray:
        """Return the places of each curve where its distance from each point may be least or largest.

        Shape (n, k, 2, 2): the foot of the perpendicular on a segment, the near and the far side of an arc;
        NaN where a curve has none between its ends.
        """
        spots = np.full((len(self), len(points), 2, 2), math.nan)
        n = len(self.segments)
        start, step = self.segments[:, None, :2], self.segments[:, None, 2:] - self.segments[:, None, :2]
        square = (step * step).sum(-1)
        with np.errstate(invalid="ignore", divide="ignore"):
            at = ((points[None] - start) * step).sum(-1) / square
            foot = start + at[..., None] * step
            spots[:n, :, 0] = np.where(((at >= 0.0) & (at <= 1.0))[..., None], foot, math.nan)
            towards = points[None] - self.arcs[:, None, :2]
            towards = towards / np.hypot(towards[..., 0], towards[..., 1])[..., None]
        for side in range(2):
            spots[n:, :, side] = self._on_arcs(towards if side == 0 else -towards)
        return spots

    def facing(self, directions: FloatArray) -> FloatArray:
        """Return where each curve runs at right angles to directions, shape (n, k, 2, 2), else NaN."""
        spots = np.full((len(self), len(directions), 2, 2), math.nan)
        wide = np.broadcast_to(directions[None], (len(self.arcs), *directions.shape))
        for side in range(2):
            spots[len(self.segments) :, :, side] = self._on_arcs(wide if side == 0 else -wide)
        return spots

    def _on_arcs(self, directions: FloatArray) -> FloatArray:
        """Return the points of arcs in unit directions (a, k, 2) from their centres, NaN beyond ends."""
        x, y, radius, start, sweep = self.arcs[:, None].transpose(2, 0, 1)
        angle = np.arctan2(directions[..., 1], directions[..., 0])
        inside = _within_sweep(angle - start, sweep)
        centre = np.stack(np.broadcast_arrays(x, y), axis=-1)
        return np.where(inside[..., None], centre + radius[..., None] * directions, math.nan)

    def distance_from(self, point: FloatArray) -> FloatArray:
        """Return the least distance of each curve from a point."""
        spots = np.concatenate([self.ends(), self.nearest(point[None])[:, 0]], axis=1)
        gaps = np.hypot(spots[..., 0] - point[0], spots[..., 1] - point[1])
        return np.fmin.reduce(gaps, axis=1) if len(gaps) else np.empty(0)


def _within_sweep(angle: FloatArray, sweep: FloatArray) -> BoolArray:
    turned = np.mod(angle, _TURN)
    inside: BoolArray = (turned <= sweep + ROUNDING) | (turned >= _TURN - ROUNDING)
    return inside


def crossings(a: Curves, b: Curves, slack: float) -> Iterator[FloatArray]:
    """Return where curves of a cross or touch curves of b, in parts of shape (n, 2).

    Curves that miss each other by less than `slack` touch.
    """
    for one, two in ((a.segments, b.segments), (a.arcs, b.arcs), (a.segments, b.arcs), (b.segments, a.arcs)):
        if not len(one) or not len(two):
            continue
        step = max(1, _PAIRS // len(two))
        for start in range(0, len(one), step):
            part = one[start : start + step]
            if two.shape[1] == 4:
                yield _lines_cross(part, two)
            elif one.shape[1] == 4:
                yield _line_meets_arc(part, two, slack)
            else:
                yield _arcs_cross(part, two, slack)


def _pairs(near: object) -> tuple[IntArray, IntArray]:
    i, j = np.nonzero(np.asarray(near))
    return i, j


def _boxes_of_segments(segments: FloatArray) -> tuple[FloatArray, FloatArray]:
    ends = segments.reshape(-1, 2, 2)
    return ends.min(axis=1) - ROUNDING, ends.max(axis=1) + ROUNDING


def _lines_cross(a: FloatArray, b: FloatArray) -> FloatArray:
    (low, high), (low_b, high_b) = _boxes_of_segments(a), _boxes_of_segments(b)
    i, j = _pairs(((low[:, None] <= high_b[None]) & (high[:, None] >= low_b[None])).all(-1))
    p, u = a[i, :2], a[i, 2:] - a[i, :2]
    q, v = b[j, :2], b[j, 2:] - b[j, :2]
    area = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    lengths = np.hypot(u[:, 0], u[:, 1]), np.hypot(v[:, 0], v[:, 1])
    cross = np.abs(area) > 1e-12 * lengths[0] * lengths[1]
    p, u, q, v, area = p[cross], u[cross], q[cross], v[cross], area[cross]
    w = q - p
    s = (w[:, 0] * v[:, 1] - w[:, 1] * v[:, 0]) / area
    t = (w[:, 0] * u[:, 1] - w[:, 1] * u[:, 0]) / area
    slack_s, slack_t = (ROUNDING / np.maximum(length[cross], ROUNDING) for length in lengths)
    meet = (s >= -slack_s) & (s <= 1.0 + slack_s) & (t >= -slack_t) & (t <= 1.0 + slack_t)
    return (p + s[:, None] * u)[meet]


def _line_meets_arc(segments: FloatArray, arcs: FloatArray, slack: float) -> FloatArray:
    low, high = _boxes_of_segments(segments)
    reach = arcs[:, 2:3] + slack
    near = (low[:, None] <= (arcs[:, :2] + reach)[None]) & (high[:, None] >= (arcs[:, :2] - reach)[None])
    i, j = _pairs(near.all(-1))
    p, u = segments[i, :2], segments[i, 2:] - segments[i, :2]
    length = np.hypot(u[:, 0], u[:, 1])
    keep = length > 0.0
    i, j, p, u, length = i[keep], j[keep], p[keep], u[keep], length[keep]
    u = u / length[:, None]
    centre, radius = arcs[j, :2], arcs[j, 2]
    w = centre - p
    along = (w * u).sum(-1)
    aside = w[:, 0] * u[:, 1] - w[:, 1] * u[:, 0]
    near = np.abs(aside) <= radius + slack
    half = np.sqrt(np.maximum(radius * radius - aside * aside, 0.0))
    found = []
    for sign in (-1.0, 1.0):
        at = along + sign * half
        spot = p + at[:, None] * u
        angle = np.arctan2(spot[:, 1] - centre[:, 1], spot[:, 0] - centre[:, 0])
        meet = near & (at >= -ROUNDING) & (at <= length + ROUNDING)
        found.append(spot[meet & _within_sweep(angle - arcs[j, 3], arcs[j, 4])])
    return np.concatenate(found)


def _arcs_cross(a: FloatArray, b: FloatArray, slack: float) -> FloatArray:
    reach = a[:, None, 2] + b[None, :, 2] + slack
    i, j = _pairs((np.abs(a[:, None, :2] - b[None, :, :2]) <= reach[..., None]).all(-1))
    p, q = a[i, :2], b[j, :2]
    r, s = a[i, 2], b[j, 2]
    w = q - p
    gap = np.hypot(w[:, 0], w[:, 1])
    keep = (gap > ROUNDING) & (gap <= r + s + slack) & (gap >= np.abs(r - s) - slack)
    i, j, p, q, r, s, w, gap = i[keep], j[keep], p[keep], q[keep], r[keep], s[keep], w[keep], gap[keep]
    u = w / gap[:, None]
    along = (gap * gap + r * r - s * s) / (2.0 * gap)
    half = np.sqrt(np.maximum(r * r - along * along, 0.0))
    # circles that miss each other, or one in the other: the point in the middle of the slit
    apart = gap > r + s
    along = np.where(apart, 0.5 * (r + gap - s), along)
    found = []
    for sign in (-1.0, 1.0):
        spot = p + along[:, None] * u + (sign * half)[:, None] * np.stack([-u[:, 1], u[:, 0]], axis=-1)
        meet = np.ones(len(spot), np.bool_)
        for centre, arc in ((p, a[i]), (q, b[j])):
            angle = np.arctan2(spot[:, 1] - centre[:, 1], spot[:, 0] - centre[:, 0])
            meet &= _within_sweep(angle - arc[:, 3], arc[:, 4])
        found.append(spot[meet])
    return np.concatenate(found)


@dataclass(frozen=True, eq=False)
class Rounded:
    """Convex polygons with a radius round them.

    Attributes
    ----------
    corners : ndarray of float64, shape (n, W, 2)
        In any order, some of them repeated.
    radius : ndarray of float64, shape (n,)
    """

    corners: FloatArray
    radius: FloatArray

    def __len__(self) -> int:
        return len(self.radius)

    def __getitem__(self, key: BoolArray | IntArray | slice) -> Rounded:
        return Rounded(self.corners[key], self.radius[key])

    @classmethod
    def joined(cls, parts: Sequence[Rounded]) -> Rounded:
        """Join several sets."""
        width = max((part.corners.shape[1] for part in parts), default=1)
        corners = [np.empty((0, width, 2))]
        for part in parts:
            missing = width - part.corners.shape[1]
            corners.append(
                np.concatenate([part.corners, np.repeat(part.corners[:, -1:], missing, axis=1)], axis=1)
            )
        return cls(np.concatenate(corners), np.concatenate([np.empty(0), *(part.radius for part in parts)]))

    def boxes(self) -> tuple[FloatArray, FloatArray]:
        """Return the least and the largest x and y of each, shapes (n, 2)."""
        radius = self.radius[:, None]
        return self.corners.min(axis=1) - radius, self.corners.max(axis=1) + radius

    def summed(self, core: FloatArray, radius: float) -> Rounded:
        """Return the sums with a polygon of corners (k, 2) and a radius."""
        corners = self.corners[:, :, None] + core[None, None]
        width = self.corners.shape[1] * len(core)
        return Rounded(corners.reshape(len(self), width, 2), self.radius + radius)

    def outlines(self) -> Curves:
        """Return the boundaries."""
        if not len(self):
            return Curves(np.empty((0, 4)), np.empty((0, 5)))
        if (self.corners == self.corners[:, :1]).all():
            return _circles(self.corners[:, 0], self.radius)
        numbers = np.repeat(np.arange(len(self)), self.corners.shape[1])
        hulls: Any = shapely.convex_hull(shapely.multipoints(self.corners.reshape(-1, 2), indices=numbers))
        hulls = shapely.orient_polygons(hulls)
        kind: Any = shapely.get_type_id(hulls)
        points = kind == 0
        curves = [_circles(shapely.get_coordinates(hulls[points]), self.radius[points])]
        for i in np.flatnonzero(~points).tolist():
            ring = shapely.get_coordinates(hulls[i])
            ring = ring[:-1] if kind[i] == 3 else ring
            curves.append(_outline(ring, float(self.radius[i])))
        return Curves.joined(curves)


def _circles(centres: FloatArray, radius: FloatArray) -> Curves:
    """Return whole circles, and points as segments without length."""
    turn = np.zeros_like(radius), np.full_like(radius, _TURN)
    arcs = np.column_stack([centres, radius, *turn])
    flat = radius <= 0.0
    return Curves(np.hstack([centres, centres])[flat], arcs[~flat])


def _outline(ring: FloatArray, radius: float) -> Curves:
    """Return the boundary of a convex ring, counter-clockwise, with a radius round it."""
    step = np.roll(ring, -1, axis=0) - ring
    length = np.hypot(step[:, 0], step[:, 1])
    normal = np.column_stack([step[:, 1], -step[:, 0]]) / length[:, None]
    shift = radius * normal
    segments = np.hstack([ring + shift, np.roll(ring, -1, axis=0) + shift])
    if radius <= 0.0:
        return Curves(segments, np.empty((0, 5)))
    angle = np.arctan2(normal[:, 1], normal[:, 0])
    before = np.roll(angle, 1)
    sweep = np.mod(angle - before, _TURN)
    arcs = np.column_stack([ring, np.full(len(ring), radius), before, sweep])
    return Curves(segments, arcs)
