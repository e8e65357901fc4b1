"""Routes on crowded boards against a visibility graph round grown polygons."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, Routes, routes
from ninthgeom.skirmish._obstacles import Standing
from tests.skirmish.routes_oracle import LONGER, TOL, FreeSpace, fault

SHAPES = (
    [(0, 0), (3, 0), (3, 3), (0, 3), (0, 2), (2, 2), (2, 1), (0, 1)],
    [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)],
    [(0, 0), (4, 0), (4, 2), (2.5, 2), (2, 0.5), (1.5, 2), (0, 2)],
    [(0, 0), (3, 0), (2, 2), (1, 2)],
    [(0, 0), (1.5, 0), (1.5, 1.5), (0, 1.5)],
    [(0, 0), (4, 0), (4, 0.5), (0, 0.5)],
    [(0, 0), (2, 0.5), (0, 1)],
)
BASES: tuple[tuple[Any, Any], ...] = (
    ("round", 25.4),
    ("round", 50.8),
    ("oval", (25.4, 50.8)),
    ("rect", (25.4, 50.8)),
    ("round", 32),
    ("oval", (40, 100)),
)
SIZE = (16.0, 12.0)
QUESTIONS = 8
# Boards of each run of the tests, one of them with no way; the others are left to the long one.
FEW = range(4, 12)


def random_scene(rng: np.random.Generator) -> tuple[Board, Any, Ground]:
    """Terrain and models on a grid of half inches, or anywhere; on a grid they touch, are flush, overlap."""
    grid = rng.random() < 0.6
    terrain = []
    for _ in range(rng.integers(0, 10)):
        shape = shapely.affinity.rotate(
            shapely.Polygon(SHAPES[rng.integers(len(SHAPES))]),
            90.0 * int(rng.integers(4)) if grid else float(rng.uniform(0, 360)),
            origin=(0, 0),
        )
        at = rng.uniform(1, SIZE)
        x, y = np.round(2 * at) / 2 if grid else at
        ring = np.asarray(shapely.affinity.translate(shape, x, y).exterior.coords)
        ring = np.round(ring, 9)[:: rng.choice([-1, 1])]
        terrain.append(Terrain(ring, kind="ruin"))
    kinds = rng.integers(len(BASES), size=rng.integers(0, 13))
    units = [Unit(f"m{i}", BASES[k][1], shape=BASES[k][0]) for i, k in enumerate(kinds)]
    at = rng.uniform(0, SIZE, (len(units), 2))
    heading = rng.uniform(0, 6, len(units))
    if grid:
        at, heading = (
            np.round(2 * at) / 2,
            0.5 * math.pi * rng.integers(4, size=len(units)).astype(np.float64),
        )
    closed = rng.uniform(1, 11, (1, 4)) if rng.random() < 0.2 else ()
    return Board(units, terrain, SIZE), np.column_stack([at, heading]), Ground(closed=closed)


def of_route(found: Routes, r: int) -> tuple[Any, Any, Any]:
    part = slice(found.offsets[r], found.offsets[r + 1])
    return found.points[part], found.centre[part], found.turn[part]


def compare(seed: int, tally: Counter[str]) -> list[str]:
    rng = np.random.default_rng(seed)
    board, positions, ground = random_scene(rng)
    gap = float(rng.choice([0.0, 0.5, 0.7, 1.0, 2.0]))
    ignore = np.flatnonzero(rng.random(len(board)) < 0.1)
    space = FreeSpace(board, positions, gap, ground, ignore.tolist())
    ends = rng.uniform(0.1, np.array(SIZE) - 0.1, (QUESTIONS, 2, 2))
    ends = ends[[space.is_clear(a) and space.is_clear(b) for a, b in ends]].reshape(-1, 2, 2)
    found = routes(board, positions, ends[:, 0], ends[:, 1], gap=gap, ignore=ignore, ground=ground)
    polygons = Standing.of(board, ground, TOL).polygons.to_shapely()
    wrong = []
    for q, (start, goal) in enumerate(ends):
        length, other = float(found.length[q]), space.length(start, goal)
        tally["questions"] += 1
        tally["no way"] += math.isinf(length)
        tally["not straight"] += math.dist(start, goal) < length < math.inf
        here = f"seed {seed}, gap {gap}, {start.tolist()} to {goal.tolist()}: "
        if not (length == other or length - 1e-9 <= other <= length + LONGER):
            wrong.append(here + f"{length}, not {other}")
        if bool(found.of(q)) != math.isfinite(length):
            wrong.append(here + f"{len(found.of(q))} routes of length {length}")
        for r in range(found.routes[q], found.routes[q + 1]):
            points, centres, turns = route = of_route(found, r)
            legs = np.hypot(*np.diff(points, axis=0).T)
            is_arc = turns[:-1] != 0.0
            legs[is_arc] = (np.abs(turns) * np.hypot(*(points - centres).T))[:-1][is_arc]
            if abs(legs.sum() - length) > 2 * TOL:
                wrong.append(here + f"a route is {legs.sum()} long, not {length}")
            if (points[0] != start).any() or (points[-1] != goal).any():
                wrong.append(here + f"a route goes from {points[0]} to {points[-1]}")
            problem = fault(board, positions, ignore.tolist(), polygons, route)
            if problem:
                wrong.append(here + problem)
    return wrong


def test_crowded_boards() -> None:
    tally: Counter[str] = Counter()
    wrong = [problem for seed in FEW for problem in compare(seed, tally)]
    assert not wrong, "\n".join(wrong[:10])
    assert tally["not straight"] > 0.1 * tally["questions"]
    assert tally["no way"] > 0


@pytest.mark.verify
def test_many_crowded_boards() -> None:
    tally: Counter[str] = Counter()
    wrong = [problem for seed in (*range(25), *range(1000, 1300)) for problem in compare(seed, tally)]
    print(f"\nseeds 0 to 24 and 1000 to 1299: {dict(tally)}")
    assert not wrong, "\n".join(wrong[:10])
