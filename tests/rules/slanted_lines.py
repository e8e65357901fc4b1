"""Contacts of one state whose units stand at any angle, by brute force: every line that could tell is drawn.

Written from the rules and nothing else, in floats, of rectangular bases only. A scene is turned until the
facing in question looks up, so that lines are vertical. Those are drawn that run through any end of an edge
or any crossing of edges, a little beside these, and in the middle between them. All thresholds are moved by
a reach: answers that are not the same for a tiny and a larger one hang on a hair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom import Board
from ninthgeom.t9a import Rules
from tests.rules.contact_shapes import GRID, Box, Figure, HairError, turned

TOUCH, GAP = 1, 2
LEFT, RIGHT = 2, 8
ALL_FACINGS: Final = 15
FINE, COARSE = 1e-7, 1e-4
#: Sides as steep as this, in inches of width, are no wider than a point.
STEEP: Final = 1e-12
APART: Final = 1e-6  # more than rounding
MM_PER_INCH: Final = 25.4
SKIRMISH_GAP: Final = GRID * 25 // 2

Array: TypeAlias = NDArray[np.float64]
#: Kind, facing and other facing of each model and other.
Contacts: TypeAlias = dict[tuple[int, int], tuple[int, int, int]]


@dataclass(frozen=True)
class Scene:
    """All that the answer depends on; terrain is impassable, each piece of four corners (n, 4, 2)."""

    board: Board
    figures: list[Figure]
    rules: Rules
    positions: Array
    occupied: list[bool]
    frozen: list[bool]
    terrain: Array
    #: Radians by which the first two units are off parallel.
    angle: float

    @cached_property
    def living(self) -> list[list[int]]:
        """Slots of the living models of each unit, counted from the unit's first."""
        return [
            [slot - part.start for slot in range(part.start, part.stop) if self.occupied[slot]]
            for part in self.board.model_slices
        ]

    @cached_property
    def normals(self) -> list[Array]:
        """Where the facings of each unit look, from the front round to the right (4, 2)."""
        turns = np.arange(4) * math.pi / 2
        return [np.stack([np.cos(h + turns), np.sin(h + turns)], -1) for h in self.positions[:, 2]]

    @cached_property
    def boundaries(self) -> list[Array]:
        """Corners of the Unit Boundaries (4, 2)."""
        parts = self.board.model_slices
        boxes = [figure.boundary(self.frozen[part]) for figure, part in zip(self.figures, parts, strict=True)]
        return [corners([box], place)[0] for box, place in zip(boxes, self.positions, strict=True)]

    @cached_property
    def bases(self) -> list[Array]:
        """Corners of the bases of the living models (n, 4, 2)."""
        return [
            corners([figure.bases[slot] for slot in living], place)
            for figure, living, place in zip(self.figures, self.living, self.positions, strict=True)
        ]

    def oppose(self, a: int, b: int) -> bool:
        """Tell whether two units are enemies."""
        sides = self.board.side.tolist()
        return sides[a] != sides[b] or len(set(sides)) == 1

    def open_models(self, u: int, facing: int) -> list[int]:
        """Return which living models of a unit are not wholly behind others there; exact."""
        if (u, facing) not in self._open:
            self._open[u, facing] = self._open_models(u, facing)
        return self._open[u, facing]

    @cached_property
    def _open(self) -> dict[tuple[int, int], list[int]]:
        return {}

    def _open_models(self, u: int, facing: int) -> list[int]:
        living = self.living[u]
        boxes = [turned(self.figures[u].bases[slot], 1 - facing) for slot in living]
        is_loose = self.figures[u].is_loose
        return [
            i for i, box in enumerate(boxes) if not _is_covered(box, boxes[:i] + boxes[i + 1 :], is_loose)
        ]


def corners(boxes: Sequence[Box], place: Array) -> Array:
    """Return the corners (n, 4, 2) of boxes of a unit's frame; facing k runs from corner k to the next."""
    x0, y0, x1, y1 = np.array([box[:4] for box in boxes], np.float64).reshape(-1, 4).T / GRID / MM_PER_INCH
    x, y = np.stack([x1, x1, x0, x0], -1), np.stack([y0, y1, y1, y0], -1)
    cos, sin = math.cos(place[2]), math.sin(place[2])
    return np.stack([place[0] + x * cos - y * sin, place[1] + x * sin + y * cos], -1)


def _is_covered(box: Box, others: Sequence[Box], is_loose: bool) -> bool:
    reached = box.x0
    for other in sorted(others):
        at = other.y0 == box.y1 + SKIRMISH_GAP if is_loose else other.y0 <= box.y1 <= other.y1
        if at and other.x0 <= reached:
            reached = max(reached, other.x1)
    return reached >= box.x1


# --- facings ---------------------------------------------------------------------------------------


def beyond(one: Array, other: Array, normals: Array) -> Array:
    """Return how far each of the others lies wholly beyond each facing of each one, shape (n, m, 4)."""
    reach, nearest = (one @ normals.T).max(axis=1), (other @ normals.T).min(axis=1)
    return np.asarray(nearest[None] - reach[:, None])


def engaged(scene: Scene, a: int, b: int, one: Array, other: Array, reach: float, among: int) -> int:
    """Return the facings of a rectangle of unit `a` that are engaged with one of unit `b` in contact."""
    own = beyond(one[None], other[None], scene.normals[a])[0, 0]
    its = beyond(other[None], one[None], scene.normals[b])[0, 0]
    gap = max(own.max(), its.max())
    is_engaged = own >= gap - reach
    if not is_engaged.any():
        if np.sort(its)[-2] > gap - COARSE:
            raise HairError("two facings slant across the corner")
        angles = np.arccos(np.clip(-scene.normals[a] @ scene.normals[b][its.argmax()], -1.0, 1.0))
        is_engaged = angles <= angles.min() + reach
    flags = sum(1 << k for k in range(4) if is_engaged[k])
    flags = flags & among or flags
    if flags.bit_count() < 2 or scene.rules.corner_facing == "both":
        return flags
    if scene.rules.corner_facing == "flank":
        return flags & (LEFT | RIGHT) or flags
    return flags & _located(one, other, scene.normals[a]) or flags


def _located(one: Array, other: Array, normals: Array) -> int:
    """Return the arc that the middle of the other's front lies in; 0 inside."""
    point = (other[0] + other[1]) / 2
    off = normals @ point - (one @ normals.T).max(axis=0)
    order = np.sort(off)
    if order[-1] - order[-2] < COARSE or abs(order[-1]) < COARSE:
        raise HairError("on a divider or an edge")
    return 1 << int(off.argmax()) if order[-1] > 0.0 else 0


def engaged_units(scene: Scene, a: int, b: int, reach: float) -> int:
    """Return the facings of a unit that are engaged with another one, 0 without contact."""
    one, other = scene.boundaries[a], scene.boundaries[b]
    if a == b or not _meet(scene, a, b, one[None], other[None], reach)[0, 0]:
        return 0
    return engaged(scene, a, b, one, other, reach, ALL_FACINGS)


def _meet(scene: Scene, a: int, b: int, one: Array, other: Array, reach: float) -> NDArray[np.bool_]:
    gaps = np.maximum(
        beyond(one, other, scene.normals[a]).max(axis=2), beyond(other, one, scene.normals[b]).max(axis=2).T
    )
    return np.asarray(gaps <= reach)


def overlap(one: Array, other: Array) -> bool:
    """Tell whether the interiors of two convex shapes meet, corners counter-clockwise (n, 2)."""
    low, high = one.min(axis=0), one.max(axis=0)
    if (other.min(axis=0) > high + APART).any() or (other.max(axis=0) < low - APART).any():
        return False  # most are far from each other
    for shape in (one, other):
        sides = np.concatenate([shape[1:], shape[:1]]) - shape
        outward = np.stack([sides[:, 1], -sides[:, 0]], -1)[np.hypot(*sides.T) > 0.0]
        if (((one if shape is other else other) @ outward.T).min(0) >= (shape @ outward.T).max(0)).any():
            return False
    return True


# --- lines -----------------------------------------------------------------------------------------


def contacts(scene: Scene, reach: float) -> Contacts:
    """Return kind and facings of all ordered pairs of models in contact."""
    found: Contacts = {}
    for a, b in combinations(range(len(scene.board)), 2):
        if scene.oppose(a, b):
            facings = engaged_units(scene, a, b, reach), engaged_units(scene, b, a, reach)
            if facings[0]:
                found |= _of_units(scene, a, b, facings, reach)
    return found | {(o, m): (kind, other, one) for (m, o), (kind, one, other) in found.items()}


def _of_units(scene: Scene, a: int, b: int, facings: tuple[int, int], reach: float) -> Contacts:
    slots = [np.array(scene.living[u]) + scene.board.model_slices[u].start for u in (a, b)]
    found: Contacts = {}
    for k in range(4):
        for f in range(4):
            off = math.acos(max(-1.0, min(1.0, -float(scene.normals[a][k] @ scene.normals[b][f]))))
            if facings[0] >> k & facings[1] >> f & 1 and off <= scene.rules.gap_angle + reach:
                for i, j in _across_gaps(scene, (a, k), (b, f), reach):
                    pair = int(slots[0][i]), int(slots[1][j])
                    _, one, other = found.get(pair, (GAP, 0, 0))
                    found[pair] = GAP, one | 1 << k, other | 1 << f
    bases = scene.bases[a], scene.bases[b]
    for i, j in np.argwhere(_meet(scene, a, b, *bases, reach)):
        one, other = bases[0][i], bases[1][j]
        touching = (
            engaged(scene, a, b, one, other, reach, facings[0]),
            engaged(scene, b, a, other, one, reach, facings[1]),
        )
        found[int(slots[0][i]), int(slots[1][j])] = (TOUCH, *touching)
    return found


def _across_gaps(
    scene: Scene, looking: tuple[int, int], seen: tuple[int, int], reach: float
) -> set[tuple[int, int]]:
    """Return the models joined by a line perpendicular to the one facing, or to the other."""
    (a, k), (b, f) = looking, seen
    models, others = scene.open_models(a, k), scene.open_models(b, f)
    found: set[tuple[int, int]] = set()
    if not models or not others:
        return found
    starts = scene.bases[a][models][:, [k, (k + 1) % 4]]
    ends = scene.bases[b][others][:, [f, (f + 1) % 4]]
    things = [scene.terrain] if scene.rules.gap_stops_at == "boundaries" else []
    if scene.rules.gap_stops_at == "boundaries":
        things += [scene.boundaries[u][None] for u in range(len(scene.board)) if u not in (a, b)]
    if scene.rules.gap_blocking != "none":
        things += scene.bases
    obstacles = np.concatenate([np.empty((0, 4, 2)), *things])
    for up in (scene.normals[a][k], -scene.normals[b][f]):
        turn = np.array([[up[1], up[0]], [-up[0], up[1]]])
        lines = _Lines(starts @ turn, ends @ turn, obstacles @ turn, reach)
        joined = lines.joined(closed=scene.rules.gap_blocking == "closed")
        found |= {(models[i], others[j]) for i, j in joined}
    return found


class _Lines:
    """Vertical lines from edges up to other edges, (n, 2, 2), among obstacles (n, 4, 2)."""

    def __init__(self, starts: Array, ends: Array, obstacles: Array, reach: float) -> None:
        self.reach = reach
        self.starts, self.ends = (
            np.take_along_axis(edges, edges[:, :, :1].argsort(axis=1), axis=1) for edges in (starts, ends)
        )
        self.left = max(starts[..., 0].min(), ends[..., 0].min())
        self.right = min(starts[..., 0].max(), ends[..., 0].max())
        more = 4 * reach
        low, high = obstacles.min(axis=1), obstacles.max(axis=1)
        is_near = (low[:, 0] < self.right + more) & (high[:, 0] > self.left - more)
        is_near &= (low[:, 1] < ends[..., 1].max() + more) & (high[:, 1] > starts[..., 1].min() - more)
        self.obstacles = obstacles[is_near]

    def joined(self, *, closed: bool) -> list[tuple[int, int]]:
        """Return which start and which end some line joins, and no obstacle stops."""
        if self.left > self.right + self.reach:
            return []
        x, reach = self._places(), self.reach
        start, end = _heights(self.starts, x), _heights(self.ends, x)
        starts = (x >= self.starts[:, 0, :1] - reach) & (x <= self.starts[:, 1, :1] + reach)
        ends = (x >= self.ends[:, 0, :1] - reach) & (x <= self.ends[:, 1, :1] + reach)
        low, high = self._spans(x, closed)
        # the first thing that reaches above the edge where the line starts
        above = np.where(high > start[:, None] + reach, low, np.inf)
        stop = above.min(axis=1, initial=np.inf)
        is_free = (end >= start[:, None] - reach) & (stop[:, None] >= end - reach)
        return [(int(i), int(j)) for i, j in np.argwhere((is_free & starts[:, None] & ends).any(axis=2))]

    def _places(self) -> Array:
        """Return where lines are drawn."""
        edges = np.concatenate([self.starts, self.ends])
        sides = np.stack([self.obstacles, np.roll(self.obstacles, -1, axis=1)], axis=2).reshape(-1, 2, 2)
        parts = edges[..., 0].ravel(), self.obstacles[..., 0].ravel(), _crossings(sides, edges)
        x = np.concatenate([*parts, _crossings(self.starts, self.ends), [self.left, self.right]])
        more = 2 * self.reach
        x = np.unique(x[(x >= self.left - more) & (x <= self.right + more)])
        x = np.concatenate([x, x - more, x + more, (x[1:] + x[:-1]) / 2])
        return np.unique(np.clip(x, *sorted((self.left, self.right))))

    def _spans(self, x: Array, closed: bool) -> tuple[Array, Array]:
        """Return from where to where each obstacle is on each line, shape (n, m)."""
        xs, ys = self.obstacles[..., 0], self.obstacles[..., 1]
        left, right = xs.min(axis=1)[:, None], xs.max(axis=1)[:, None]
        rim = -self.reach if closed else self.reach
        is_on = (x > left + rim) & (x < right - rim)
        at = np.clip(x, left, right)
        low, high = np.full(at.shape, np.inf), np.full(at.shape, -np.inf)
        for i in range(4):
            width = (xs[:, i] - xs[:, i - 1])[:, None]
            is_steep = np.abs(width) < STEEP
            share = (at - xs[:, i - 1, None]) / np.where(is_steep, 1.0, width)
            y = ys[:, i - 1, None] + share * (ys[:, i] - ys[:, i - 1])[:, None]
            counts = is_on & ~is_steep & (share >= -1e-9) & (share <= 1 + 1e-9)
            low, high = np.minimum(low, np.where(counts, y, low)), np.maximum(high, np.where(counts, y, high))
        return low, high


def _heights(edges: Array, x: Array) -> Array:
    """Return where edges are on lines, those beside them at the nearer end."""
    (x0, y0), (x1, y1) = (edges[:, i, :, None].swapaxes(0, 1) for i in (0, 1))
    return np.asarray(y0 + np.clip((x - x0) / (x1 - x0), 0.0, 1.0) * (y1 - y0))


def _crossings(sides: Array, edges: Array) -> Array:
    """Return where sides cross the straight lines that edges lie on."""
    slope = (edges[:, 1, 1] - edges[:, 0, 1]) / (edges[:, 1, 0] - edges[:, 0, 0])
    off = sides[..., 1, None] - edges[:, 0, 1] - slope * (sides[..., 0, None] - edges[:, 0, 0])
    i, j = np.nonzero(off[:, 0] * off[:, 1] < 0.0)
    share = off[i, 0, j] / (off[i, 0, j] - off[i, 1, j])
    return np.asarray(sides[i, 0, 0] + share * (sides[i, 1, 0] - sides[i, 0, 0]))
