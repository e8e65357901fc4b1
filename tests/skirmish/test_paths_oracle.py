"""Paths of no special position, against shapely."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ninthgeom import Board, Unit
from ninthgeom.skirmish import Rules, paths_clear
from tests.skirmish.gates_oracle import solids_of
from tests.skirmish.paths_oracle import Stops
from tests.skirmish.test_gates import random_board

NEAR = 1e-3


@pytest.mark.parametrize(
    "seed", [*range(14), *(pytest.param(k, marks=pytest.mark.verify) for k in range(14, 40))]
)
def test_stops(seed: int) -> None:
    board, at = random_board(seed)
    # one more that walks, far off
    board = Board([*board.units, Unit("walker", 32, shape="round", size=2 + seed % 2)], board.terrain)
    at = np.concatenate([at, [[-50.0, 0.0, 0.0]]])
    n = len(board)
    width = (1.0, 3.0)[seed % 2]
    polygons = board.terrain_outlines.to_shapely()
    solids = solids_of(board.boundaries(at)[: n - 1], polygons, [n + k for k in range(len(polygons))])
    stops = Stops(solids, width)
    rng = np.random.default_rng(seed)
    box = np.concatenate([np.array(solid.core.bounds).reshape(2, 2) for solid in solids])
    paths = rng.uniform(box.min(axis=0) - 2, box.max(axis=0) + 2, (150, 2, 2))
    ways = rng.normal(0, 1, (150, 5, 2))
    paths = np.concatenate([paths[:, :1], paths[:, :1] + np.cumsum(ways, axis=1)], axis=1)
    check = paths_clear(board, at, "walker", paths, rules=Rules())
    decided = 0
    for path, stop, clear in zip(paths, check.stopped_at, check.clear, strict=True):
        wanted = stops.first(path, NEAR)
        if wanted is not None:
            decided += 1
            assert clear == math.isinf(wanted)
            if not clear:
                assert stop == pytest.approx(wanted, abs=30 * NEAR)
    assert decided > 60
