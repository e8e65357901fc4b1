"""Sight to and from points on the ground. Lengths are millimetres, see tests/rules/tables.py."""

import math

import numpy as np
import pytest

from ninthgeom import Attached, Board, Unit, t9a
from tests.rules.tables import NORTH, SOUTH

SECOND, THIRD = t9a.SECOND_EDITION, t9a.THIRD_EDITION


def seen(table, *points, observer="observer", **more):
    answer = t9a.sees_points(table.board, table.positions, table.inches(points), observers=[observer], **more)
    return answer[0].tolist()


def seen_from(table, *points, target="target", **more):
    answer = t9a.seen_from_points(
        table.board, table.positions, table.inches(points), targets=[target], **more
    )
    return answer[:, 0].tolist()


@pytest.mark.parametrize("rules", [SECOND, THIRD], ids=["second", "third"])
def test_e1_e2_points_at_45_degrees(table, rules):
    table.unit("observer", 0, 0, NORTH)
    points = [(110, 100), (110.01, 100), (-110, 100), (-110.01, 100), (0, -1), (10, 0)]
    assert seen(table, *points, rules=rules) == [True, False, True, False, False, True]


@pytest.mark.parametrize(
    ("height", "second", "third"),
    [(0, True, True), (1, False, False), (2, False, False)],
)
def test_e6_heights_of_points(table, height, second, third):
    table.unit("observer", 0, 0, NORTH, height=1)
    table.unit("between", 0, 100, NORTH, (800, 20), height=height)
    assert seen(table, (0, 200), rules=SECOND) == [second]
    assert seen(table, (0, 200), rules=THIRD) == [third]


@pytest.mark.parametrize(("point_height", "visible"), [(0, False), (1, True), ("Large", True)])
def test_low_observers_look_at_points(table, point_height, visible):
    table.unit("observer", 0, 0, NORTH, height=0)
    table.unit("between", 0, 100, NORTH, (800, 20), height=0)
    rules = t9a.Rules(point_height=point_height)
    assert seen(table, (0, 200), rules=rules) == [visible]


def test_points_under_units_and_in_terrain(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("other", -150, 400, NORTH, (100, 50))  # from y = 350 to 400
    table.wall(150, 300, 250, 340)
    table.wall(0, 200, 50, 240, kind="hill")
    inside, at_the_edge, behind = (-150, 375), (-150, 350), (-150, 450)
    assert seen(table, inside, at_the_edge, behind) == [False, True, False]
    assert seen(table, (200, 320), (200, 300), (200, 420)) == [False, True, False]  # impassable
    assert seen(table, (25, 220), (25, 200), (25, 300)) == [True, True, False]  # hill
    assert seen(table, (100, 100), (0, -10)) == [True, False]


def test_a_point_is_seen_by_any_model_and_hidden_by_none_of_their_own(table):
    hero = Attached("hero", (20, 20), height=3, place=(0, 0))  # x from -50 to -30
    table.unit("observer", 0, 0, NORTH, models=9, attached=[hero])
    table.unit("between", 0, 40, NORTH, (800, 20), height=2)
    table.wall(-10, 60, 900, 61)
    points = [(-40, 100), (60, 100), (150, 70)]
    assert seen(table, *points) == [True, False, False]
    occupied = table.board.occupied.copy()
    occupied[9] = False
    assert seen(table, *points, occupied=occupied) == [False, False, False]


def test_points_look_all_round(table):
    table.unit("target", 0, 0, NORTH, models=10)
    around = [(0, 100), (100, 0), (0, -100), (-100, 0)]
    assert seen_from(table, *around) == [True] * 4
    table.wall(-50, 50, 50, 51)
    assert seen_from(table, *around) == [False, True, True, True]


@pytest.mark.parametrize(
    ("rules", "blocker", "target", "visible"),
    [
        (THIRD, 1, 1, False),
        (THIRD, 1, 2, True),
        (THIRD, 0, 0, False),
        (SECOND, 0, 0, True),  # the point is higher
        (SECOND, 1, 0, False),
    ],
)
def test_heights_from_points(table, rules, blocker, target, visible):
    table.unit("between", 0, 100, NORTH, (800, 20), height=blocker)
    table.unit("target", 0, 200, SOUTH, height=target)
    assert seen_from(table, (0, 0), rules=rules) == [visible]


def test_points_on_a_hill_are_not_elevated_but_look_out_of_it(table):
    table.unit("between", 0, 200, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.unit("near", 0, 150, SOUTH, (800, 10))
    table.wall(-900, -50, 900, 100, kind="hill")
    assert seen_from(table, (0, 0)) == [False]
    assert seen_from(table, (0, 0), (0, -60), target="near") == [True, False]


def test_a_higher_model_shows_his_unit_to_points(table):
    hero = Attached("hero", (20, 20), height=3, place=(0, 0))
    table.unit("between", 0, 100, NORTH, (800, 20), height=2)
    table.unit("target", 0, 200, SOUTH, models=9, attached=[hero])
    assert seen_from(table, (0, 0)) == [True]
    occupied = table.board.occupied.copy()
    occupied[-1] = False
    assert seen_from(table, (0, 0), occupied=occupied) == [False]


# ---------------------------------------------------------------------------------------------------- batches


@pytest.fixture
def grid():
    return np.stack(np.meshgrid(np.linspace(26, 46, 7), np.linspace(26, 46, 6)), axis=-1).reshape(-1, 2)


@pytest.mark.parametrize("rules", [SECOND, THIRD], ids=["second", "third"])
def test_batches_give_the_answers_of_single_states_and_points(battle, grid, rules, monkeypatch):
    positions = battle.positions[:6].reshape(2, 3, -1, 3)
    present, occupied = battle.present[:6].reshape(2, 3, -1), battle.occupied[:3]
    masks = {"present": present, "occupied": occupied, "rules": rules}
    units = ["guard", "mortar", "spears"]
    sees = t9a.sees_points(battle.board, positions, grid, observers=units, **masks)
    back = t9a.seen_from_points(battle.board, positions, grid, targets=units, **masks)
    assert (sees.shape, back.shape) == ((2, 3, 3, 42), (2, 3, 42, 3))
    assert (sees.dtype, back.dtype) == (bool, bool)
    assert 0.01 < sees.mean() < back.mean() < 0.95
    assert not sees[~present[..., [1, 3, 0]]].any()
    moved = np.tile(grid, (2, 3, 1, 1))
    for i, j in np.ndindex(2, 3):
        one = {"present": present[i, j], "occupied": occupied[j], "rules": rules}
        some = [0, 11, 23, 30]
        single = t9a.sees_points(battle.board, positions[i, j], grid[some], observers=units, **one)
        np.testing.assert_array_equal(sees[i, j][:, some], single)
        single = t9a.seen_from_points(battle.board, positions[i, j], grid[some], targets=units, **one)
        np.testing.assert_array_equal(back[i, j][some], single)
    with monkeypatch.context() as patch:
        patch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 40_000)
        patch.setattr("ninthgeom.t9a._seeing._MASK_BYTES", 20_000)
        for points in (grid, moved):
            again = t9a.sees_points(battle.board, positions, points, observers=units, workers=2, **masks)
            np.testing.assert_array_equal(again, sees)
            again = t9a.seen_from_points(battle.board, positions, points, targets=units, **masks)
            np.testing.assert_array_equal(again, back)


def test_points_of_each_state_and_one_state_for_many_points(table):
    table.unit("observer", 0, 0, NORTH)
    points = table.inches([[(0, 100)], [(0, -100)], [(50, 50)]])
    answer = t9a.sees_points(table.board, table.positions, points)
    assert answer.shape == (3, 1, 1)
    assert answer[:, 0, 0].tolist() == [True, False, True]
    back = t9a.seen_from_points(table.board, table.positions, points)
    assert back[:, 0, 0].tolist() == [True, True, True]


def test_nothing_to_ask_about():
    board, positions = Board([Unit("a", (20, 20))]), np.zeros((4, 1, 3))
    assert t9a.sees_points(board, positions, np.empty((0, 2))).shape == (4, 1, 0)
    assert t9a.seen_from_points(board, positions, np.empty((0, 2))).shape == (4, 0, 1)
    assert t9a.sees_points(board, positions[:0], [[1, 1]]).shape == (0, 1, 1)
    assert t9a.sees_points(board, positions, [[1, 1]], observers=[]).shape == (4, 0, 1)
    assert t9a.seen_from_points(board, positions, [[1, 1]], targets=[]).shape == (4, 1, 0)
    assert t9a.seen_from_points(Board([]), np.zeros((0, 3)), [[1, 1]]).shape == (1, 0)
    assert t9a.sees_points(board, positions[0], np.empty((0, 5, 2))).shape == (0, 1, 5)


@pytest.mark.parametrize("question", [t9a.sees_points, t9a.seen_from_points])
@pytest.mark.parametrize(
    ("points", "error", "message"),
    [
        ([1.0, 2.0], ValueError, r"points must have shape \(..., P, 2\), got \(2,\)"),
        ([[1.0, 2.0, 3.0]], ValueError, r"got \(1, 3\)"),
        ([[1.0, math.nan]], ValueError, r"points\[0, 1\] must be finite"),
        ([[1.0, 2e6]], ValueError, r"points\[0, 1\] must be from -1e\+06 to 1e\+06"),
        ([["a", "b"]], TypeError, "points must hold real numbers"),
        (np.zeros((3, 1, 2)), ValueError, r"leading axes \(3,\) of points do not broadcast with \(2,\)"),
    ],
)
def test_points_are_checked(question, points, error, message):
    with pytest.raises(error, match=message):
        question(Board([Unit("a", (20, 20))]), np.zeros((2, 1, 3)), points)


@pytest.mark.parametrize("question", [t9a.sees_points, t9a.seen_from_points])
def test_other_arguments_are_checked(question):
    board = Board([Unit("a", (20, 20))])
    with pytest.raises(ValueError, match="tol must be at least 1e-08 for sight"):
        question(board, np.zeros((2, 1, 3)), [[1, 1]], tol=0.0)
    with pytest.raises(TypeError, match="rules must be Rules"):
        question(board, np.zeros((2, 1, 3)), [[1, 1]], rules=None)
