"""Skirmish states for the benchmarks: twelve groups of eight models round their leaders, among terrain.

Everything depends on the seed alone, and nothing overlaps: every model keeps clear of all others and of the
terrain. Positions are drawn for all states at once, model after model.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.random import Generator

from ninthgeom import Board, Terrain, Unit

SIZE = (44.0, 60.0)
MODELS = 8
MM = 1 / 25.4
#: Base and size class of the groups of each side; the last of either needs more room than three inches.
KINDS: tuple[tuple[dict[str, Any], ...], ...] = (
    (
        {"base_mm": 32, "shape": "round"},
        {"base_mm": 32, "shape": "round"},
        {"base_mm": 40, "shape": "round", "size": 2},
        {"base_mm": 40, "shape": "round", "size": 2},
        {"base_mm": 50, "shape": "round", "size": 2},
        {"base_mm": 80, "shape": "round", "size": 3},
    ),
    (
        {"base_mm": 32, "shape": "round"},
        {"base_mm": 32, "shape": "round"},
        {"base_mm": 40, "shape": "round", "size": 2},
        {"base_mm": 50, "shape": "round", "size": 2},
        {"base_mm": 50, "shape": "round", "size": 2},
        {"base_mm": (40, 100), "shape": "oval", "size": 2},
    ),
)
#: Eight walkers, and eight ovals, find no room within three inches of their leader.
RADIUS = {80: 6.0, (40, 100): 6.0}
# How many models stand further out than they should, and by how much at most.
_STRAY = 0.06
_FURTHEST = 1.5
_CANDIDATES = 6
# Steps of the raster that says how far terrain is, in inches; a fine one takes longer than a few states.
_STEP, _COARSE = 0.05, 0.2
_FEW = 10
_CLEARANCE = 0.01


@dataclass(frozen=True)
class Skirmish:
    """A board, who leads its groups, how far from the leaders models may be, and many states."""

    board: Board
    leaders: Any  # (G,) units
    radius: Any  # (G,)
    positions: Any  # (S, U, 3)


def make_skirmish(seed: int, states: int, *, terrain: int = 10) -> Skirmish:
    """Make a board and states of it."""
    rng = np.random.default_rng(seed)
    units, radius = [], []
    for side, kinds in enumerate(KINDS):
        for i, kind in enumerate(kinds):
            label = f"{'AB'[side]}{i + 1}"
            units += [Unit(f"{label}-{k}", group=label, side=side, **kind) for k in range(MODELS)]
            radius.append(RADIUS.get(kind["base_mm"], 3.0))
    board = Board(units, make_terrain(rng, terrain), SIZE)
    leaders = np.arange(len(radius)) * MODELS
    return Skirmish(board, leaders, np.array(radius), make_positions(rng, board, np.array(radius), states))


def make_terrain(
    rng: Generator, n: int, *, size: tuple[float, float] = SIZE, apart: float = 0.0
) -> list[Terrain]:
    """Make outlines of 4 to 8 vertices, convex ones and others, 2 to 6 inches across, that do not overlap."""
    rings: list[Any] = []
    tried = 0
    while len(rings) < n:
        tried += 1
        if tried > 10_000 * n:
            raise ValueError(f"no room for {n} pieces of terrain")
        ring = shapely.polygons(outline(rng) + rng.uniform(4, np.subtract(size, 4)))
        if all(shapely.distance(ring, other) > apart for other in rings):
            rings.append(ring)
    return [
        Terrain(shapely.get_coordinates(ring)[:-1], kind="ruin", height=int(rng.integers(1, 4)))
        for ring in rings
    ]


def outline(rng: Generator) -> Any:
    """Vertices round (0, 0): on an ellipse, or at any distance."""
    n = int(rng.integers(4, 9))
    angles = 2 * math.pi * (np.arange(n) + rng.uniform(-0.3, 0.3, n)) / n
    distances = rng.uniform(0.35, 1.0, n) if rng.random() < 0.5 else np.ones(n)
    points = distances[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
    points *= rng.uniform(2, 6, 2) / np.ptp(points, axis=0)
    turn = rng.uniform(0, 2 * math.pi)
    cos, sin = math.cos(turn), math.sin(turn)
    return points @ np.array([[cos, sin], [-sin, cos]])


def make_positions(rng: Generator, board: Board, radius: Any, states: int) -> Any:
    """Draw where all models stand: leaders anywhere, enemies often near each other, the others round them."""
    room = _Room(board, states)
    positions = np.zeros((states, len(board), 3))
    for group in range(len(radius)):
        first = group * MODELS
        heading = rng.uniform(0, 2 * math.pi, states)
        for i in range(first, first + MODELS):
            positions[..., i, 2] = heading + rng.normal(0, 0.2, states)
            positions[..., i, :2] = room.place(rng, i, positions, radius[group], first)
    return positions


class _Room:
    """Where there is room: the discs that cover the models set so far, and a raster of the terrain."""

    def __init__(self, board: Board, states: int) -> None:
        self.states = states
        self.discs = [_cover(unit) for unit in board.units]
        n = sum(len(along) for along, _ in self.discs)
        self.taken = np.empty((states, n, 3))
        self.n_taken = 0
        self.units = board.units
        self.step = _COARSE if states < _FEW else _STEP
        x, y = (np.arange(0, length + self.step, self.step) for length in board.size)
        shapes = shapely.union_all([shapely.polygons(piece.outline) for piece in board.terrain])
        shapely.prepare(shapes)
        # A point is at most 0.71 steps from a node.
        points = shapely.points(*np.meshgrid(x, y, indexing="ij"))
        self.terrain = shapely.distance(points, shapes) - 0.71 * self.step if board.terrain else None

    def place(self, rng: Generator, i: int, positions: Any, radius: float, first: int) -> Any:
        """Choose a free point for model i in each state, and take it."""
        chosen = np.empty((self.states, 2))
        missing = np.arange(self.states)
        along, disc = self.discs[i]
        half = max(self.units[i].base_mm) * MM / 2
        tries = 0
        while len(missing):
            shape = (len(missing), _CANDIDATES)
            if i == first:
                points = rng.uniform(half, np.subtract(SIZE, half), (*shape, 2))
                near = positions[missing, rng.integers(0, max(first, 1), len(missing)), :2]
                is_near = (rng.random(len(missing)) < 0.4) & (first > 0)
                drawn = near[:, None] + rng.normal(0, 4.0, (*shape, 2))
                points = np.where(is_near[:, None, None], drawn, points)
            else:
                stray = np.where(rng.random(shape) < _STRAY, _FURTHEST, 1.0)
                furthest = (radius + 1e-3) * stray * (1 + 0.5 * (tries // 12))
                turn = rng.uniform(0, 2 * math.pi, shape)
                distance = furthest * np.sqrt(rng.random(shape))
                offset = distance[..., None] * np.stack([np.cos(turn), np.sin(turn)], axis=-1)
                points = positions[missing, first, None, :2] + offset
            free = self._free(missing, points, positions[missing, i, 2], along, disc, half)
            found = free.any(axis=1)
            at = free.argmax(axis=1)
            chosen[missing[found]] = points[found, at[found]]
            missing = missing[~found]
            tries += 1
        heading = positions[:, i, 2]
        for shift in along:
            self.taken[:, self.n_taken, 0] = chosen[:, 0] + shift * np.cos(heading)
            self.taken[:, self.n_taken, 1] = chosen[:, 1] + shift * np.sin(heading)
            self.taken[:, self.n_taken, 2] = disc
            self.n_taken += 1
        return chosen

    def _free(self, states: Any, points: Any, heading: Any, along: Any, disc: float, half: float) -> Any:
        inside = (points >= half) & (points <= np.subtract(SIZE, half))
        free = inside.all(axis=-1)
        forward = np.stack([np.cos(heading), np.sin(heading)], axis=-1)[:, None]
        for shift in along:
            centres = points + shift * forward
            if self.terrain is not None:
                last = np.subtract(self.terrain.shape, 1)
                node = np.clip(np.rint(centres / self.step).astype(int), 0, last)
                free &= self.terrain[node[..., 0], node[..., 1]] > disc
            taken = self.taken[states, : self.n_taken]
            x = centres[..., 0, None] - taken[:, None, :, 0]
            y = centres[..., 1, None] - taken[:, None, :, 1]
            free &= (x * x + y * y > (taken[:, None, :, 2] + disc + _CLEARANCE) ** 2).all(axis=-1)
        return free


def _cover(unit: Unit) -> tuple[Any, float]:
    """Discs that cover a base: where they are along its heading, and their radius."""
    width, depth = np.array(unit.base_mm) * MM
    if width == depth:
        return np.zeros(1), width / 2
    straight = (depth - width) / 2
    along = np.linspace(-straight, straight, 5)
    return along, math.hypot(width / 2, (along[1] - along[0]) / 2)
