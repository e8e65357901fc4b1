"""Shapes as critical lines need them: outlines, and convex pieces to cut lines with."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import shapely

from ninthgeom._arrays import FloatArray
from ninthgeom.bases import Bases

#: Lengths below this, in inches, are rounding.
ROUNDING: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Convex:
    """Convex shapes to cut lines with: half-planes ``normal @ x <= offset``, padded, and discs."""

    normal: FloatArray
    offset: FloatArray
    centre: FloatArray
    radius: FloatArray

    @classmethod
    def of(cls, rings: Sequence[FloatArray], discs: Sequence[tuple[Any, float]]) -> Convex:
        most = max(map(len, rings), default=0)
        normal, offset = np.zeros((len(rings), most, 2)), np.zeros((len(rings), most))
        for i, ring in enumerate(rings):
            edge = np.roll(ring, -1, axis=0) - ring
            normal[i, : len(ring)] = np.column_stack([edge[:, 1], -edge[:, 0]]) / np.hypot(*edge.T)[:, None]
            offset[i, : len(ring)] = (normal[i, : len(ring)] * ring).sum(axis=1)
            offset[i, len(ring) :] = math.inf
        centre = np.array([disc[0] for disc in discs], float).reshape(-1, 2)
        return cls(normal, offset, centre, np.array([disc[1] for disc in discs], float))

    def left_at(self, point: FloatArray, direction: FloatArray) -> FloatArray:
        """Return where lines leave all of the shapes for good, grazing included, -inf if they miss them."""
        _, left = self.cut(point, direction, -10 * ROUNDING, 0.0)
        step = point[:, None] - self.centre
        beside = np.abs(step[..., 0] * direction[:, 1:] - step[..., 1] * direction[:, :1])
        middle = -np.einsum("ni,nqi->nq", direction, step)
        # Where a line touches a circle, rounding would decide whether it meets it, and how far off.
        touches = np.abs(beside - self.radius) <= 10 * ROUNDING
        discs = left[:, len(self.normal) :]
        discs[touches] = middle[touches]
        last: FloatArray = left.max(axis=1, initial=-math.inf)
        return last

    def cut(
        self, start: FloatArray, direction: FloatArray, deep: float, deep_round: float | None = None
    ) -> tuple[FloatArray, FloatArray]:
        """Return where lines enter and leave what is deeper inside, shape (N, shapes); inf, -inf if never."""
        deep_round = deep if deep_round is None else deep_round
        speed = np.einsum("ni,phi->nph", direction, self.normal)
        room = self.offset - deep - np.einsum("ni,phi->nph", start, self.normal)
        with np.errstate(divide="ignore", invalid="ignore"):
            at = room / speed
        flat = np.abs(speed) < ROUNDING
        enter = np.where(~flat & (speed < 0.0), at, -math.inf).max(axis=2, initial=-math.inf)
        leave = np.where(~flat & (speed > 0.0), at, math.inf).min(axis=2, initial=math.inf)
        missed = (flat & (room < 0.0)).any(axis=2) | (enter >= leave)
        step = start[:, None] - self.centre
        middle = -np.einsum("ni,nqi->nq", direction, step)
        beside = (step[..., 0] * direction[:, 1:] - step[..., 1] * direction[:, :1]) ** 2
        reach = np.maximum(self.radius - deep_round, 0.0) ** 2 - beside
        half = np.sqrt(np.maximum(reach, 0.0))
        entered = np.hstack(
            [np.where(missed, math.inf, enter), np.where(reach > 0.0, middle - half, math.inf)]
        )
        left = np.hstack(
            [np.where(missed, -math.inf, leave), np.where(reach > 0.0, middle + half, -math.inf)]
        )
        return entered, left


@dataclass(frozen=True, eq=False)
class Core:
    """A single base: the corners of its core, in order, their neighbours, and its radius."""

    corners: FloatArray
    beside: FloatArray
    radius: float

    @classmethod
    def of(cls, base: Bases) -> Core:
        radius = float(base.radius)
        inner = Bases(
            base.x, base.y, base.heading, width=base.width - 2 * radius, depth=base.depth - 2 * radius
        )
        corners = inner.corners()[::-1]  # counter-clockwise
        is_new = np.hypot(*(corners - np.roll(corners, 1, axis=0)).T) > ROUNDING
        corners = corners[is_new] if is_new.any() else corners[:1]
        beside = np.stack([np.roll(corners, 1, axis=0), np.roll(corners, -1, axis=0)], axis=1)
        return cls(corners, beside - corners[:, None], radius)

    def convex(self) -> tuple[list[FloatArray], list[tuple[FloatArray, float]]]:
        """Return rings and discs that make up the base."""
        r = self.radius
        if r == 0.0:
            return ([self.corners] if len(self.corners) > 2 else []), []
        discs = [(corner, r) for corner in self.corners]
        rings = []
        for i, start in enumerate(self.corners if len(self.corners) > 1 else []):
            end = self.corners[(i + 1) % len(self.corners)]
            out = r * np.array([end[1] - start[1], start[0] - end[0]]) / math.dist(start, end)
            if len(self.corners) > 2 or i == 0:
                rings.append(np.array([start + out, end + out, end - out, start - out])[::-1])
        if len(self.corners) > 2:
            rings.append(self.corners)
        return [_counter_clockwise(ring) for ring in rings], discs

    def outline(self, resolution: float, touched: FloatArray) -> Any:
        """Return the outline, round parts as chords through the points touched, shape (n, 2)."""
        if self.radius == 0.0:
            return shapely.linestrings(np.vstack([self.corners, self.corners[:1]]))
        step = 2 * math.acos(max(0.0, 1.0 - min(resolution / self.radius, 1.0)))
        points = []
        n = len(self.corners)
        for i, corner in enumerate(self.corners):
            if n == 1:
                first, turn = 0.0, math.tau
            else:
                before, after = corner - self.corners[i - 1], self.corners[(i + 1) % n] - corner
                first = math.atan2(-before[0], before[1])
                turn = (math.atan2(-after[0], after[1]) - first) % math.tau
            angles = first + np.linspace(0.0, turn, 1 + max(1, math.ceil(turn / step)))
            own = touched[np.abs(np.hypot(*(touched - corner).T) - self.radius) < 10 * ROUNDING]
            more = np.arctan2(own[:, 1] - corner[1], own[:, 0] - corner[0])
            more = first + (more - first) % math.tau
            angles = np.sort(np.concatenate([angles, more[more - first < turn]]))
            points.append(corner + self.radius * np.column_stack([np.cos(angles), np.sin(angles)]))
        ring = np.vstack(points)
        return shapely.linestrings(np.vstack([ring, ring[:1]]))


def _counter_clockwise(ring: FloatArray) -> FloatArray:
    x, y = ring.T
    return ring if (x * np.roll(y, -1) - y * np.roll(x, -1)).sum() > 0.0 else ring[::-1]
