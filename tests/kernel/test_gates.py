"""Kernels of gates, so few that they run as plain Python too."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import _gates
from ninthgeom.skirmish._gates import Gates, Scenes, gates_among
from ninthgeom.skirmish._obstacles import Obstacles
from ninthgeom_kernel import gates as kernel
from ninthgeom_kernel import narrow
from tests.skirmish.gates_oracle import faults, solids_of
from tests.skirmish.test_gates import gates_of, random_board

TOL = 1e-6


@pytest.mark.parametrize("seed", [3, 8, 16, 25])
def test_all_gaps_are_found_and_nothing_else(seed: int) -> None:
    board, at = random_board(seed)
    width = (1.0, 3.0)[seed % 2]
    polygons = board.terrain_outlines.to_shapely()
    solids = solids_of(board.boundaries(at), polygons, [len(board) + k for k in range(len(polygons))])
    wrong, _ = faults(gates_of(board, at, width), 0, solids, width)
    assert not wrong


def crowd(n: int) -> tuple[Board, Any]:
    """Discs of an inch in a row, half an inch apart, before a wall that runs along them."""
    wall = Terrain([(-1, 1), (2 * n, 1), (2 * n, 2), (-1, 2)], kind="wall")
    board = Board([Unit(f"m{i}", 25.4, shape="round") for i in range(n)], [wall])
    at = np.zeros((n, 3))
    at[:, 0] = 1.5 * np.arange(n)
    return board, at


def test_what_does_not_fit_goes_on_where_it_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    board, at = crowd(5)
    states = np.repeat(at[None], 40, axis=0)
    whole = gates_of(board, states, 3.0)
    # 4 between neighbours, for others stand between the rest, and 5 with the wall
    assert len(whole) == 40 * 9
    monkeypatch.setattr(_gates, "ROOM", 1)
    calls = []
    for name, at_progress in (("close_pairs", -2), ("cover_spans", -3)):
        inner = getattr(kernel, name)

        def counted(*arguments: Any, inner: Any = inner, place: int = at_progress) -> bool:
            found: bool = inner(*arguments)
            calls.append((place, found, int(arguments[place][0])))
            return found

        monkeypatch.setattr(kernel, name, counted)
    again = gates_of(board, states, 3.0)
    for place in (-2, -3):
        found = [(fits, done) for which, fits, done in calls if which == place]
        assert [fits for fits, _ in found] == [False] * (len(found) - 1) + [True]
        assert len(found) > 2
        assert 0 < found[-2][1] < found[-1][1]
    for name in ("scene", "first", "second", "columns", "width", "indptr"):
        np.testing.assert_array_equal(getattr(whole, name), getattr(again, name))
    np.testing.assert_array_equal(whole.columns[:, :9], whole.columns[:, -9:])


def test_scenes_of_one_state_in_any_order() -> None:
    board, at = crowd(4)
    states = np.stack([at, at + np.array([0.2, 0.1, 0.0])])
    columns = board.boundaries(states)._columns
    obstacles = Obstacles.of(board, None, columns, TOL)
    which = np.array([0, 1, 1, 0])
    counts = np.ones((4, 4), np.bool_)
    counts[2, 0] = False
    gates = obstacles.gates(which, counts, np.full(4, 1.0))
    for k in range(4):
        alone = obstacles.gates(which[k : k + 1], counts[k : k + 1], np.full(1, 1.0))
        some = slice(int(gates.indptr[k]), int(gates.indptr[k + 1]))
        np.testing.assert_array_equal(alone.columns, gates.columns[:, some])
        np.testing.assert_array_equal(alone.second, gates.second[some])


def narrowest(a: Any, b: Any, radius: float = 0.0, other: float = 0.0, most: float = 9.0) -> Any:
    rings = [np.asarray(ring, np.float64).reshape(-1, 2) for ring in (a, b)]
    gate = np.full(6, math.nan)
    corners = np.concatenate(rings).T.copy()
    n, m = map(len, rings)
    if hasattr(narrow.narrowest, "py_func"):
        pytest.skip("helpers are called from Python only where nothing is compiled: third pass of make test")
    found = narrow.narrowest(corners, 0, n, radius, corners, n, n + m, other, most, TOL, gate)
    return gate if found else None


def test_helpers_as_plain_python() -> None:
    square = [(0, 0), (1, 0), (1, 1), (0, 1)]
    beside = [(2.5, 0.5), (3, 0.5), (3, 4), (2.5, 4)]
    gate = narrowest(square, beside)
    np.testing.assert_allclose(gate, [1.75, 0.75, 1.0, 0.0, 1.5, 0.5], atol=1e-12)
    gate = narrowest(square, beside, 0.5, 0.25)
    np.testing.assert_allclose(gate, [1.875, 0.75, 1.0, 0.0, 0.75, 0.5], atol=1e-12)
    np.testing.assert_allclose(narrowest([(0, 0)], [(3, 4)], 1.0, 2.0), [1.2, 1.6, 0.6, 0.8, 2.0, 0.0])
    assert narrowest(square, [(0.5, 0.5)]) is None
    assert narrowest(square, [(0.5, 0.5), (0.6, 0.6)]) is None
    assert narrowest(square, [(1.5, -1), (1.5, 2)], most=0.5) is None
    assert narrowest(square, square) is None
    assert narrowest([(0, 0), (1, 1)], [(0, 1), (1, 0)]) is None
    line = narrowest([(0, 0), (1, 0)], [(2, 0), (3, 0)])
    np.testing.assert_allclose(line, [1.5, 0.0, 1.0, 0.0, 1.0, 0.0])


def test_what_may_not_be_crossed() -> None:
    # a post between two walls that face each other leaves two parts of the rectangle between them
    walls = [[(0, 0), (9, 0), (9, 1), (0, 1)], [(0, 3), (9, 3), (9, 4), (0, 4)]]
    board = Board([Unit("post", 25.4, shape="round")], [Terrain(wall, kind="wall") for wall in walls])
    gates = gates_of(board, [[4, 2, 0]], 3.0)
    found = sorted((*gates.columns[:2, k], *gates.columns[4:6, k]) for k in range(len(gates)))
    # middle, half the length, half the breadth
    wanted = [(1.75, 2, 1, 1.75), (4, 1.25, 0.25, 0), (4, 2.75, 0.25, 0), (6.75, 2, 1, 2.25)]
    np.testing.assert_allclose(found, wanted, atol=3e-6)


def test_no_scene_and_nothing_fixed() -> None:
    board = Board([Unit("post", 25.4, shape="round")])
    standing = Obstacles.of(board, None, np.empty((7, 0, 1)), TOL).standing
    scenes = Scenes.of(
        np.empty((7, 0, 1)), np.empty(0, np.int64), np.empty((0, 1), np.bool_), np.empty(0), None
    )
    gates = gates_among(standing.fixed, None, scenes, TOL)
    assert isinstance(gates, Gates)
    assert len(gates) == 0
    assert gates.indptr.tolist() == [0]
