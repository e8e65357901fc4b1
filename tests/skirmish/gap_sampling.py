"""Closed gaps by dense sampling: where two outlines are locally nearest.

Outlines are walked by their arc length. The distances of all pairs of sampled points are a field on a torus;
from each of its local minima a pattern search goes down to the bottom. A bottom is a gap if the line between
its ends is outside all pieces. Nothing is cut in convex parts, so that this finds openings within one piece
in the same way as gaps between two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

from ninthgeom import TOLERANCE, Board

STEP = 0.06
FINEST = 1e-7
#: Points of one outline that are no further apart along it have no gap between them.
ALONG = 0.02
#: Gaps whose length is so near the width, or that lie so near a third piece, hang on a hair.
HAIR = 1e-4


@dataclass
class Outline:
    """A closed curve of straight edges and arcs, by arc length; `shape` is what it surrounds."""

    shape: Any
    starts: Any  # (n + 1,) arc length at which each edge or arc begins, and the whole
    edges: list[Any]

    @classmethod
    def polygon(cls, ring: Any) -> Outline:
        points = np.asarray(ring, float)
        steps = np.roll(points, -1, axis=0) - points
        lengths = np.hypot(steps[:, 0], steps[:, 1])
        edges = [(p, d / n, None, 0.0) for p, d, n in zip(points, steps, lengths, strict=True)]
        return cls(shapely.Polygon(points), np.concatenate([[0.0], np.cumsum(lengths)]), edges)

    @classmethod
    def base(cls, x: float, y: float, heading: float, width: float, depth: float) -> Outline:
        """Outline of a disc, or of an oval that is deeper than wide."""
        radius, straight = width / 2, depth - width
        forward = np.array([math.cos(heading), math.sin(heading)])
        aside = np.array([-forward[1], forward[0]])
        ends = [np.array([x, y]) + side * straight / 2 * forward for side in (1, -1)]
        edges, lengths = [], []
        for k, side in enumerate((1.0, -1.0)):
            # Half a circle round the front end, then back along the left side, and so on.
            edges.append((ends[k], None, heading + (math.pi if k else 0.0) - math.pi / 2, radius))
            lengths.append(math.pi * radius)
            if straight > 0:
                edges.append((ends[k] + side * radius * aside, -side * forward, None, 0.0))
                lengths.append(straight)
        core = shapely.LineString(ends) if straight > 0 else shapely.Point(x, y)
        return cls((core, radius), np.concatenate([[0.0], np.cumsum(lengths)]), edges)

    @property
    def length(self) -> float:
        return float(self.starts[-1])

    def at(self, s: Any) -> Any:
        """Points at arc lengths, (..., 2)."""
        s = np.mod(s, self.length)
        which = np.clip(np.searchsorted(self.starts, s, side="right") - 1, 0, len(self.edges) - 1)
        found = np.empty((*s.shape, 2))
        for k, (point, way, angle, radius) in enumerate(self.edges):
            mine = which == k
            t = s[mine] - self.starts[k]
            if way is not None:
                found[mine] = point + t[:, None] * way
            else:
                turn = angle + t / radius
                found[mine] = point + radius * np.column_stack([np.cos(turn), np.sin(turn)])
        return found

    def samples(self) -> Any:
        """Arc lengths at most a step apart, corners among them."""
        pieces = [
            np.linspace(a, b, max(2, math.ceil((b - a) / STEP) + 1))[:-1]
            for a, b in zip(self.starts[:-1], self.starts[1:], strict=True)
        ]
        return np.concatenate(pieces)

    def inside(self, lines: Any, depth: float) -> Any:
        """Whether lines come deeper inside than so much."""
        if isinstance(self.shape, tuple):
            core, radius = self.shape
            return shapely.distance(lines, core) < radius - depth
        return shapely.intersects(lines, shapely.buffer(self.shape, -depth, join_style="mitre"))


@dataclass(frozen=True)
class Gap:
    """The shortest line of a gap between pieces `first` and `second`."""

    first: int
    second: int
    ends: Any
    length: float
    hair: bool


def outlines(board: Board, positions: Any, counts: Any) -> dict[int, Outline]:
    """Outlines by the numbers of pieces: models that count, then terrain."""
    found = {}
    for i, unit in enumerate(board.units):
        if counts[i]:
            width, depth = np.array(unit.base_mm) / 25.4
            found[i] = Outline.base(*positions[i], width, depth)
    for k, piece in enumerate(board.terrain):
        found[len(board) + k] = Outline.polygon(piece.outline)
    return found


def gaps(board: Board, positions: Any, counts: Any, width: float) -> list[Gap]:
    """Find all gaps that are narrower than a width, and those that are so to a hair."""
    pieces = outlines(board, positions, counts)
    found = []
    for first in pieces:
        for second in pieces:
            if first < second or (first == second and first >= len(board)):
                for ends in bottoms(pieces[first], pieces[second], width, same=first == second):
                    gap = _checked(pieces, first, second, ends, width)
                    if gap is not None:
                        found.append(gap)
    return found


def bottoms(one: Outline, other: Outline, width: float, *, same: bool) -> Any:
    """Ends of the locally shortest lines between two outlines, (n, 2, 2)."""
    if not same and shapely.distance(_hull(one), _hull(other)) > width + 1e-3:
        return np.empty((0, 2, 2))
    s, t = one.samples(), other.samples()
    field = _distance(one, other, s[:, None] + 0 * t, t + 0 * s[:, None], same)
    near = [np.roll(field, (a, b), (0, 1)) for a in (-1, 0, 1) for b in (-1, 0, 1) if a or b]
    lowest = (field <= np.min(near, axis=0) + 1e-12) & (field < width + STEP)
    if same:
        lowest &= s[:, None] < t
    i, j = np.nonzero(lowest)
    s, t = s[i], t[j]
    step = np.full(len(s), STEP)
    grid = np.arange(-2, 3)
    a, b = (shift.ravel() for shift in np.meshgrid(grid, grid, indexing="ij"))
    while len(s) and (step > FINEST).any():
        tried = _distance(one, other, s[:, None] + step[:, None] * a, t[:, None] + step[:, None] * b, same)
        here = tried[:, len(a) // 2]
        best = tried.argmin(axis=1)
        moves = tried[np.arange(len(s)), best] < here - 1e-13
        s = np.where(moves, s + step * a[best], s)
        t = np.where(moves, t + step * b[best], t)
        step = np.where(moves, step, step / 2.5)
    if same:
        # What stopped at the limit is no bottom.
        along = np.abs(np.mod(s - t + one.length / 2, one.length) - one.length / 2)
        s, t = s[along > 1.5 * ALONG], t[along > 1.5 * ALONG]
    ends = np.stack([one.at(s), other.at(t)], axis=1)
    _, kept = np.unique(np.round(ends.reshape(-1, 4), 3), axis=0, return_index=True)
    return ends[kept]


def _distance(one: Outline, other: Outline, s: Any, t: Any, same: bool) -> Any:
    gap = one.at(s) - other.at(t)
    distance = np.hypot(gap[..., 0], gap[..., 1])
    if same:
        # Along the outline itself points are always near each other.
        along = np.abs(np.mod(s - t + one.length / 2, one.length) - one.length / 2)
        distance = np.where(along < ALONG, np.inf, distance)
    return distance


def _hull(outline: Outline) -> Any:
    if isinstance(outline.shape, tuple):
        core, radius = outline.shape
        return shapely.buffer(core, radius)
    return outline.shape


def _checked(pieces: dict[int, Outline], first: int, second: int, ends: Any, width: float) -> Gap | None:
    length = float(np.hypot(*(ends[1] - ends[0])))
    if length > width - TOLERANCE + HAIR or length < HAIR:
        return None
    way = (ends[1] - ends[0]) / length
    line = shapely.LineString([ends[0] + 1e-6 * way, ends[1] - 1e-6 * way])
    if any(piece.inside(line, HAIR) for piece in pieces.values()):
        return None
    if first == second and shapely.distance(pieces[first].shape, line.centroid) < 1e-7:
        return None
    hair = abs(length - width) < HAIR or any(
        piece.inside(line, -HAIR) for number, piece in pieces.items() if number not in (first, second)
    )
    return Gap(first, second, ends, length, hair)
