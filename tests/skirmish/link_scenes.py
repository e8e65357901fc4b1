"""Random crowded scenes: a few groups of different bases between terrain, nothing overlapping."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom import Bases, Board, Terrain, Unit

SHAPES: tuple[dict[str, Any], ...] = (
    {"base_mm": 32, "shape": "round"},
    {"base_mm": 50, "shape": "round"},
    {"base_mm": (40, 60), "shape": "oval"},
    {"base_mm": (25, 50)},
    {"base_mm": (40, 40)},
)


def outline(rng: np.random.Generator, at: NDArray[np.float64], size: float) -> NDArray[np.float64]:
    """A star-shaped polygon of 4 to 8 corners, or an L."""
    if rng.random() < 0.3:
        arm = rng.uniform(0.2, 0.6) * size
        corners = np.array([(0, 0), (size, 0), (size, arm), (arm, arm), (arm, size), (0, size)]) - size / 2
        turn = rng.uniform(0, 2 * math.pi)
        cos, sin = math.cos(turn), math.sin(turn)
        ell: NDArray[np.float64] = corners @ np.array([[cos, sin], [-sin, cos]]) + at
        return ell
    n = int(rng.integers(4, 9))
    angles = (np.arange(n) + rng.uniform(-0.3, 0.3, n)) * 2 * math.pi / n
    radii = size / 2 * rng.uniform(0.5, 1.0, n)
    star: NDArray[np.float64] = at + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    return star


def crowded(
    seed: int, n_own: int = 5, n_others: int = 8, side: float = 9.0, only_round: bool = False
) -> tuple[Board, NDArray[np.float64]]:
    """A board of `n_own` models of one group and others of three more, and a state where they are close."""
    rng = np.random.default_rng(seed)
    placed: list[Any] = []
    terrain: list[Terrain] = []
    while len(terrain) < 3:
        ring = outline(rng, rng.uniform(1, side - 1, 2), rng.uniform(1.0, 4.0))
        polygon = shapely.Polygon(ring)
        if polygon.is_valid and all(polygon.distance(other) > 0.05 for other in placed):
            placed.append(polygon)
            terrain.append(Terrain(ring, kind="ruin", height=int(rng.integers(0, 4))))
    units: list[Unit] = []
    positions = []
    large = int(rng.integers(1, 4))
    while len(units) < n_own + n_others:
        u = len(units)
        shape = SHAPES[int(rng.integers(0, 2 if only_round else len(SHAPES)))]
        group, who = ("own", 0) if u < n_own else (f"group {u % 3}", int(u % 3 != 0))
        unit = Unit(f"unit {u}", side=who, group=group, size=large, **shape)
        alone = Board([unit])
        for _ in range(50):
            at = np.array([*rng.uniform(0.5, side - 0.5, 2), rng.uniform(-math.pi, math.pi)])
            # the place of a model is a point of its base, which is made only if that is free
            if shapely.distance(shapely.points(at[:2]), placed).min() < 0.019:
                continue
            base = alone.boundaries(at[None]).to_shapely()[0]
            if (shapely.distance(base, placed) > 0.02).all():
                placed.append(base)
                units.append(unit)
                positions.append(at)
                break
        else:
            side += 0.5
    return Board(units, terrain), np.array(positions)


def bases_of(board: Board, positions: NDArray[np.float64]) -> Bases:
    """Bases of one state."""
    return board.boundaries(positions)
