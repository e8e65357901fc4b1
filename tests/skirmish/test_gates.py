"""Gates, against brute force over all pairs of edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground
from ninthgeom.skirmish._gates import Gates
from ninthgeom.skirmish._obstacles import Obstacles
from tests.skirmish.gates_oracle import faults, solids_of

TOL = 1e-6
SHAPES = (
    [(0, 0), (3, 0), (3, 3), (0, 3), (0, 2), (2, 2), (2, 1), (0, 1)],  # C, its bay an inch wide
    [(0, 0), (3, 0), (3, 3), (0, 3), (0, 1.9), (2, 1.9), (2, 1.1), (0, 1.1)],  # a narrower one
    [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)],  # L
    [(0, 0), (4, 0), (4, 2), (2.4, 2), (2, 0.5), (1.6, 2), (0, 2)],  # a notch
    [(0, 0), (3, 0), (2, 2), (1, 2)],
    [(0, 0), (1.5, 0), (1.5, 1.5), (0, 1.5)],
    [(0, 0), (4, 0), (4, 0.4), (0, 0.4)],
    [(0, 0), (1, 2), (2, 0), (3, 2), (4, 0), (4, 3), (0, 3)],  # teeth
)


def bay(n: int) -> list[tuple[float, float]]:
    """A block with a round bay of many short edges in it."""
    angles = np.linspace(0.1, math.pi - 0.1, n)
    arc = [(2 + 1.2 * math.cos(t), 3 - 1.2 * math.sin(t)) for t in angles]
    return [(0, 0), (4, 0), (4, 3.1), *arc, (0, 3.1)]


def unit(i: int, kind: int) -> Unit:
    shape, base = (("round", 32), ("oval", (40, 100)), ("rect", (25, 50)), ("round", 50))[kind]
    return Unit(f"m{i}", base, shape=shape, group=f"g{i // 2}")  # type: ignore[arg-type]


def gates_of(board: Board, positions: Any, width: float, ground: Ground | None = None, **more: Any) -> Gates:
    at = np.asarray(positions, np.float64).reshape(-1, len(board), 3)
    columns = board.boundaries(at)._columns
    n = len(at)
    return Obstacles.of(board, ground, columns, TOL).gates(
        np.arange(n), np.ones((n, len(board)), np.bool_), np.full(n, width), **more
    )


def random_board(seed: int) -> tuple[Board, Any]:
    """A crowd on a grid of half inches, as a whole turned and moved."""
    rng = np.random.default_rng(seed)
    turn, far = rng.choice([0.0, 0.3, 1.1]), rng.choice([0.0, 0.0, 1e5])
    terrain = []
    for _ in range(rng.integers(0, 5)):
        shape = shapely.Polygon(SHAPES[rng.integers(len(SHAPES))] if rng.random() < 0.8 else bay(24))
        shape = shapely.affinity.rotate(shape, 90 * rng.integers(4), origin=(0, 0))
        if rng.random() < 0.2:
            shape = shapely.affinity.rotate(shape, rng.uniform(0, 360), origin=(0, 0))
        shape = shapely.affinity.translate(shape, *(rng.integers(0, 21, 2) / 2 + 0.25 * rng.integers(2)))
        shape = shapely.affinity.translate(
            shapely.affinity.rotate(shape, turn, origin=(0, 0), use_radians=True), far, -far / 2
        )
        ring = np.asarray(shape.exterior.coords)[:-1]
        terrain.append(Terrain(ring[:: rng.choice([-1, 1])], kind="ruin"))
    board = Board([unit(i, int(rng.integers(4))) for i in range(rng.integers(1, 7))], terrain)
    at = np.zeros((len(board), 3))
    at[:, :2] = rng.integers(0, 23, (len(board), 2)) / 2
    at[:, 2] = rng.choice([0.0, math.pi / 2, 0.7], len(board))
    # from centres: those of rectangles are given by their front
    at = np.array(board.positions_from_centres(at[None])[0])
    x, y = at[:, 0].copy(), at[:, 1].copy()
    at[:, 0] = math.cos(turn) * x - math.sin(turn) * y + far
    at[:, 1] = math.sin(turn) * x + math.cos(turn) * y - far / 2
    at[:, 2] += turn
    return board, at


@pytest.mark.parametrize("seed", range(60))
def test_all_gaps_are_found_and_nothing_else(seed: int) -> None:
    board, at = random_board(seed)
    width = (1.0, 3.0)[seed % 2]
    polygons = board.terrain_outlines.to_shapely()
    solids = solids_of(board.boundaries(at), polygons, [len(board) + k for k in range(len(polygons))])
    wrong, _ = faults(gates_of(board, at, width), 0, solids, width)
    assert not wrong
