"""Placing by brute force: a grid of spots, each judged by simple geometry, links by many sampled lines.

Models are discs and terrain is convex. A spot that passes here is surely legal; one that a single free line
links may fail, since lines are sampled.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely
from numpy.typing import NDArray

Floats = NDArray[np.float64]

Disc = tuple[float, float, float]

SAMPLES = 40
SLACK = 1e-7


@dataclass(frozen=True)
class Table:
    """What stands on a table: discs x, y, radius, in the way or of the own group, and convex terrain."""

    size: tuple[float, float]
    leader: tuple[float, float, float]
    own: Sequence[tuple[float, float, float]]
    others: Sequence[tuple[float, float, float]]
    terrain: Sequence[shapely.Polygon]
    reach: float
    width: float

    def gates(self) -> list[Floats]:
        """The gaps narrower than the width that cross nothing else."""
        pieces: list[tuple[shapely.Geometry, float]] = [(shapely.Point(x, y), r) for x, y, r in self.others]
        pieces += [(polygon, 0.0) for polygon in self.terrain]
        found = []
        for i, (one, r) in enumerate(pieces):
            for j, (two, s) in enumerate(pieces[:i]):
                line = shapely.shortest_line(one, two)
                gap = line.length - r - s
                if not SLACK < gap < self.width - SLACK:
                    continue
                (x0, y0), (x1, y1) = line.coords
                u = np.array([x1 - x0, y1 - y0]) / line.length
                ends = np.array([x0, y0]) + r * u, np.array([x1, y1]) - s * u
                gate = np.concatenate(ends)
                if not any(
                    _crosses(gate[None], *pieces[k])[0] for k in range(len(pieces)) if k not in (i, j)
                ):
                    found.append(gate)
        return found

    def stands(self, spots: Floats, radius: float) -> NDArray[np.bool_]:
        """Where a disc is on the table and overlaps nothing."""
        low, high = radius - SLACK, np.array(self.size) - radius + SLACK
        good: NDArray[np.bool_] = np.asarray(((spots >= low) & (spots <= high)).all(axis=1))
        for x, y, r in (self.leader, *self.own, *self.others):
            good &= np.hypot(spots[:, 0] - x, spots[:, 1] - y) >= r + radius - SLACK
        for polygon in self.terrain:
            good &= shapely.distance(polygon, shapely.points(spots)) >= radius - SLACK
        return good

    def farthest(self, spots: Floats, radius: float) -> Floats:
        """How far the farthest point of a disc is from the leader's base."""
        x, y, r = self.leader
        return np.asarray(np.hypot(spots[:, 0] - x, spots[:, 1] - y) + radius - r)

    def linked(self, spot: Floats, radius: float, samples: int = SAMPLES) -> bool:
        """Whether a sampled line joins the disc to the leader or to one of the own that stand."""
        gates = self.gates()
        return any(self._sees(spot, radius, disc, gates, samples) for disc in (self.leader, *self.own))

    def _sees(self, spot: Floats, radius: float, disc: Disc, gates: list[Floats], samples: int) -> bool:
        turn = np.linspace(0.0, 2.0 * math.pi, samples, endpoint=False)
        ring = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
        a = np.concatenate([spot[None], spot + radius * ring])
        b = np.concatenate([[disc[:2]], np.array(disc[:2]) + disc[2] * ring])
        lines = np.concatenate([np.repeat(a, len(b), axis=0), np.tile(b, (len(a), 1))], axis=1)
        free = np.ones(len(lines), np.bool_)
        for x, y, r in self.others:
            free[free] = ~_crosses(lines[free], shapely.Point(x, y), r)
        for polygon in self.terrain:
            free[free] = ~_crosses(lines[free], polygon, 0.0)
        for gate in gates:
            free[free] = ~_cross_segment(lines[free], gate)
        return bool(free.any())

    def best(self, radius: float, wished: Floats, step: float) -> tuple[int, float]:
        """Status of a disc that is set, and the value of the best spot of the grid."""
        spots = np.stack(np.meshgrid(*(np.arange(0.0, s, step) for s in self.size)), axis=-1).reshape(-1, 2)
        spots = np.concatenate([wished[None], spots])
        spots = spots[self.stands(spots, radius)]
        inside = self.farthest(spots, radius) <= self.reach
        aside = np.hypot(*(spots - wished).T)
        far = self.farthest(spots, radius)
        for status, mask, value in ((1, inside, aside), (2, ~inside, far)):
            for i in np.flatnonzero(mask)[np.argsort(value[mask])].tolist():
                if self.linked(spots[i], radius):
                    return status, float(value[i])
        return 3, math.inf


def _crosses(lines: Floats, shape: shapely.Geometry, radius: float) -> NDArray[np.bool_]:
    """Which segments pass through a polygon or a disc, not only touch it."""
    if isinstance(shape, shapely.Point):
        p, u = lines[:, :2], lines[:, 2:] - lines[:, :2]
        w = np.array([shape.x, shape.y]) - p
        square = np.maximum((u * u).sum(1), 1e-300)
        at = np.clip((w * u).sum(1) / square, 0.0, 1.0)
        return np.asarray(np.hypot(*(w - at[:, None] * u).T) < radius - SLACK)
    inner = shapely.buffer(shape, -SLACK, join_style="mitre")
    return np.asarray(shapely.intersects(inner, shapely.linestrings(lines.reshape(-1, 2, 2))))


def _cross_segment(lines: Floats, gate: Floats) -> NDArray[np.bool_]:
    """Which segments go from one side of a gate to the other; its ends belong to it."""
    p, u = gate[:2], gate[2:] - gate[:2]

    def side(q: Floats) -> Floats:
        return np.asarray((u[0] * (q[:, 1] - p[1]) - u[1] * (q[:, 0] - p[0])) / math.hypot(*u))

    a, b = side(lines[:, :2]), side(lines[:, 2:])
    with np.errstate(divide="ignore", invalid="ignore"):
        spot = lines[:, :2] + (a / (a - b))[:, None] * (lines[:, 2:] - lines[:, :2])
    at = ((spot - p) * u).sum(1) / (u * u).sum()
    return np.asarray(
        (a * b < 0.0) & (np.minimum(abs(a), abs(b)) > SLACK) & (at >= -SLACK) & (at <= 1 + SLACK)
    )
