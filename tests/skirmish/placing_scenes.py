"""Random tables round a leader: walls and discs of others, thinly or thickly, and models of the own group."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom import Board, Terrain, Unit
from tests.skirmish.placing_oracle import Table

Floats = NDArray[np.float64]
MM = 50.8  # of a disc of radius 1


@dataclass(frozen=True)
class Scene:
    """A table, the same as a board, and what is asked."""

    table: Table
    board: Board
    positions: Floats
    new: int
    radius: float
    wished: Floats

    def value(self, status: int, spot: Floats) -> float:
        """What the spot is judged by."""
        if status == 1:
            return float(np.hypot(*(spot - self.wished)))
        return float(self.table.farthest(spot[None], self.radius)[0]) if status == 2 else math.inf


def scene(seed: int, crowd: int) -> Scene | None:
    """Make the scene of a seed, with fewer discs than `crowd`; None if one of the own may not be linked."""
    rng = np.random.default_rng(seed)
    size = (10.0, 9.0)
    middle = np.array([5.0, 4.5]) + rng.uniform(-0.5, 0.5, 2)
    leader = (float(middle[0]), float(middle[1]), 0.5)
    terrain: list[Any] = []
    for _ in range(int(rng.integers(0, 5))):
        wall = _wall(rng, middle)
        if wall.distance(shapely.Point(middle)) > 0.5 and not any(
            wall.intersects(other) for other in terrain
        ):
            terrain.append(wall)
    own: list[tuple[float, float, float]] = []
    others: list[tuple[float, float, float]] = []
    for _ in range(int(rng.integers(0, crowd))):
        r = float(rng.uniform(0.3, 0.9))
        x, y = (middle + rng.normal(0.0, 2.0, 2)).tolist()
        free = r <= x <= size[0] - r and r <= y <= size[1] - r
        free &= all(math.hypot(x - a, y - b) >= r + s + 1e-3 for a, b, s in (leader, *own, *others))
        if free and all(wall.distance(shapely.Point(x, y)) >= r + 1e-3 for wall in terrain):
            (own if rng.random() < 0.2 else others).append((x, y, r))
    radius = float(rng.uniform(0.4, 0.8))
    wished = middle + rng.normal(0.0, 2.0, 2)
    reach = float(rng.uniform(1.0, 3.0))
    alone = Table(size, leader, [], others, terrain, reach, 1.0)
    if not all(alone.linked(np.array(disc[:2]), disc[2]) for disc in own):
        return None
    discs = [leader, *own, (0.0, 0.0, radius), *others]
    groups = ["own"] * (len(own) + 2) + ["other"] * len(others)
    units = [
        Unit(f"{i}", MM * disc[2], shape="round", group=group)
        for i, (disc, group) in enumerate(zip(discs, groups, strict=True))
    ]
    board = Board(units, [Terrain(list(w.exterior.coords)[:-1], kind="wall") for w in terrain], size)
    positions = np.array([(x, y, 0.0) for x, y, _ in discs])
    table = Table(size, leader, own, others, terrain, reach, 1.0)
    return Scene(table, board, positions, len(own) + 1, radius, wished)


def _wall(rng: np.random.Generator, middle: Floats) -> Any:
    """A long thin rectangle across the way from the leader."""
    angle, away = rng.uniform(0.0, 2.0 * math.pi), rng.uniform(1.0, 2.6)
    half = np.array([rng.uniform(0.15, 1.75), rng.uniform(0.05, 0.3)])
    turn = angle + math.pi / 2 + rng.normal(0.0, 0.4)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
    centre = middle + away * np.array([math.cos(angle), math.sin(angle)])
    return shapely.Polygon(corners @ np.array([[cos, sin], [-sin, cos]]) + centre)
