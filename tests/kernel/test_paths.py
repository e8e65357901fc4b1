"""Kernel of paths, so few that it runs as plain Python too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish._barriers import Barriers
from ninthgeom.skirmish._obstacles import Obstacles
from tests.skirmish.gates_oracle import solids_of
from tests.skirmish.paths_oracle import Stops
from tests.skirmish.test_gates import random_board

TOL = 1e-6


def obstacles_of(board: Board, at: Any) -> Obstacles:
    columns = board.boundaries(np.asarray(at, np.float64)[None])._columns
    return Obstacles.of(board, None, columns, TOL)


def barriers_of(board: Board, at: Any, width: float = 1.0) -> Barriers:
    counts = np.ones((1, len(board)), np.bool_)
    return Barriers.of(obstacles_of(board, at), np.zeros(1, np.intp), counts, np.array([width]))


def stop_of(barriers: Barriers, path: Any) -> tuple[float, float, list[int]]:
    points = np.asarray(path, np.float64)[None]
    stops, width, gap = barriers.stops(points, np.array([len(path)]), np.zeros(1, np.int64))
    return float(stops[0]), float(width[0]), gap[0].tolist()


@pytest.mark.parametrize("seed", [3, 16])
def test_against_shapely(seed: int) -> None:
    board, at = random_board(seed)
    width = (1.0, 3.0)[seed % 2]
    polygons = board.terrain_outlines.to_shapely()
    solids = solids_of(board.boundaries(at), polygons, [len(board) + k for k in range(len(polygons))])
    stops = Stops(solids, width)
    rng = np.random.default_rng(seed)
    box = np.concatenate([np.array(solid.core.bounds).reshape(2, 2) for solid in solids])
    paths = rng.uniform(box.min(axis=0) - 2, box.max(axis=0) + 2, (30, 4, 2))
    barriers = barriers_of(board, at, width)
    decided = 0
    for path in paths:
        wanted = stops.first(path, 1e-3)
        if wanted is not None:
            decided += 1
            assert stop_of(barriers, path)[0] == pytest.approx(wanted, abs=0.03)
    assert decided > 10


def board_of(*rings: Any) -> Board:
    return Board([Unit("far", 25.4, shape="round")], [Terrain(ring, kind="wall") for ring in rings])


FAR = [(90.0, 90.0, 0.0)]


def test_corners_and_gates() -> None:
    # a gap of half an inch from a corner straight down to a wall
    barriers = barriers_of(board_of([(0, 0), (0, 2), (-2, 2), (-2, 0)], [(-2, -1), (0, -1), (-1, -0.5)]), FAR)
    assert len(barriers.lines) == 1
    width, pieces = 0.5, [1, 2]
    through = [(-2, -0.25), (1, -0.25)]
    assert stop_of(barriers, through) == (pytest.approx(1.0), pytest.approx(width), pieces)
    for path in ([(-2, -0.25), (-1, -0.25), (1, -0.25)], [(-1.5, 0), (-1, 0), (-0.5, 0)]):
        stop = stop_of(barriers, path)
        assert stop[1:] == (pytest.approx(width), pieces)
        assert math.isfinite(stop[0])
    for path in (
        [(-2, -0.25), (-1, -0.25)],
        [(-2, -0.25), (-1, -0.25), (-2, -0.3)],
        [(-1, -0.25), (1, -0.25)],
        [(-1, -0.25), (-1, -0.25)],
        [(-1, -0.25)],
        [(2, 1), (0, 0), (2, -1)],
        [(-2, -1), (-1, -0.5), (-2, -0.5)],
    ):
        assert stop_of(barriers, path) == (math.inf, pytest.approx(math.nan, nan_ok=True), [-1, -1])


def test_a_corner_whose_sides_meet_the_gap() -> None:
    # the gap goes on along the right side of a square
    square = [(0, 0), (0, 2), (-2, 2), (-2, 0)]
    barriers = barriers_of(board_of(square, [(0, -0.5), (2, -2), (2, -0.5)]), FAR)
    assert len(barriers.lines) == 1
    assert stop_of(barriers, [(0, 1), (0, 0), (-1, 0)])[2] == [1, 2]
    assert stop_of(barriers, [(0, 1), (0, 0), (1, 0)])[0] == math.inf
    assert stop_of(barriers, [(-1, 0), (0, 0), (-1, -1)])[0] == math.inf
    assert stop_of(barriers, [(-1, 0), (0, 0), (0, 1)])[2] == [1, 2]


def test_rectangles_between_sides() -> None:
    barriers = barriers_of(
        board_of([(0, 0), (3, 0), (3, 1), (0, 1)], [(0, 1.5), (3, 1.5), (3, 2), (0, 2)]), FAR
    )
    assert len(barriers.lines) == 0
    assert stop_of(barriers, [(-1, 1.25), (4, 1.25)]) == (
        pytest.approx(1.0, abs=2e-6),
        pytest.approx(0.5),
        [1, 2],
    )
    assert stop_of(barriers, [(1, 1.25), (2, 1.25), (4, 1.25)])[0] == math.inf
    assert stop_of(barriers, [(1, 1.25), (4, 1.25), (1, 1.25)])[0] == pytest.approx(4.0, abs=2e-6)
    assert stop_of(barriers, [(0, 3), (0, 2), (0, 1.25), (0, 0), (0, -1)])[0] == math.inf
    # between two pieces in contact nothing gets through, at a corner or along sides
    barriers = barriers_of(board_of([(0, 0), (3, 0), (3, 1), (0, 1)], [(3, 1), (4, 1), (4, 2), (3, 2)]), FAR)
    assert stop_of(barriers, [(2, 2), (4, 0)])[1:] == (0.0, [1, 2])
    barriers = barriers_of(board_of([(0, 0), (3, 0), (3, 1), (0, 1)], [(3, 0), (4, 0), (4, 1), (3, 1)]), FAR)
    assert stop_of(barriers, [(3, -1), (3, 2)])[1:] == (0.0, [1, 2])


@pytest.mark.parametrize("kind", [("round", 50.8), ("oval", (50.8, 101.6)), ("rect", (50.8, 101.6))])
def test_into_bases(kind: Any) -> None:
    shape, size = kind
    board = Board([Unit("base", size, shape=shape)])
    barriers = barriers_of(board, board.positions_from_centres([[0, 0, 0.0]]))
    long = 1.0 if shape == "round" else 2.0
    for path, stop in (
        ([(-5, 0), (5, 0)], 5 - long),
        ([(0, 5), (0, 0)], 4.0),
        ([(0, 0), (0, 5)], 0.0),
        ([(-5, 1), (5, 1)], math.inf),
        ([(-5, 5), (-5, 5), (-4, 5)], math.inf),
        ([(5, 0), (long, 0), (long, 1)], math.inf),
    ):
        assert stop_of(barriers, path)[0] == pytest.approx(stop, abs=2e-6)


def test_straight_segments() -> None:
    board = board_of([(0, 0), (2, 0), (2, 1), (0, 1)])
    starts = np.array([(-1, 0.5), (-1, 1), (-1, -1), (3, 0.5)])
    ends = np.array([(3, 0.5), (3, 1), (3, -1), (2, 0.5)])
    one, two = np.zeros(4, np.int64), np.full(4, 2)
    barriers, paths = barriers_of(board, FAR), np.stack([starts, ends], axis=1)
    stops, _, _ = barriers.stops(paths, two, one)
    assert np.isinf(stops).tolist() == [False, True, True, True]
    assert barriers.stops(paths[:0], two[:0], one[:0])[0].shape == (0,)
