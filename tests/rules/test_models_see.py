"""Sight of single models, and to single models; tests/rules/test_sight.py compares them with an oracle."""

import math

import numpy as np
import pytest

from ninthgeom import Attached, Board, Rows, Terrain, Unit, t9a
from tests.rules.tables import NORTH, SOUTH


def ask(table, **more):
    return t9a.models_see(table.board, table.positions, **more)


def triples(rows):
    return list(zip(rows.state.tolist(), rows.model.tolist(), rows.target.tolist(), strict=True))


@pytest.fixture
def archers(table):
    """Ten archers in two ranks, of whom only the two of the second file from the left see the target."""
    table.unit("archers", 0, 0, NORTH, models=10)
    table.unit("target", -20, 300, SOUTH, models=2)
    table.wall(-2000, 0, -29, 200)
    table.wall(-11, 0, 2000, 200)
    return table


def test_e10_models_of_the_rear_look_from_the_front_edge_ahead_of_them(archers):
    rows = ask(archers, shooters=["archers"], targets=["target"])
    assert isinstance(rows, Rows)
    assert list(rows.columns) == ["state", "model", "target"]
    assert triples(rows) == [(0, 1, 1), (0, 6, 1)]
    assert ask(archers, shooters=[5, 7]).model.tolist() == []  # E11: nobody borrows the place of others


def test_dead_models_see_nothing_and_those_behind_still_do(archers):
    occupied = archers.board.occupied.copy()
    occupied[1] = False
    rows = ask(archers, shooters=["archers"], targets=["target"], occupied=occupied)
    assert triples(rows) == [(0, 6, 1)]
    occupied[:5] = False  # the second rank is the front now, and its models stand where they stood
    rows = ask(archers, shooters=["archers"], targets=["target"], occupied=occupied)
    # Its front edge is 20 before the walls now: the neighbours, too, find lines between them.
    assert rows.model.tolist() == [5, 6, 7]


def test_absent_units_neither_look_nor_are_looked_at(archers):
    present = np.array([[True, True], [False, True], [True, False]])
    rows = ask(archers, shooters=["archers"], targets=["target"], present=present)
    assert triples(rows) == [(0, 1, 1), (0, 6, 1)]


def test_shooters_and_targets_keep_their_order_and_count_once(archers):
    archers.unit("high", -20, 400, SOUTH, height=5)
    rows = ask(archers, shooters=[6, "archers", 1], targets=["high", 1, 2, "high"])
    assert triples(rows) == [(0, 6, 2), (0, 6, 1), (0, 1, 2), (0, 1, 1)]
    assert triples(ask(archers, shooters=np.array([1]), targets=[0])) == []  # their own unit


def test_target_models_have_their_own_heights_and_no_unit_in_the_way(table):
    # E12: the lord stands in the second rank of three, behind models of his unit.
    lord = Attached("lord", (20, 20), height=3, place=(1, 1))
    table.unit("observer", 0, 0, NORTH)
    table.unit("wall", 0, 200, NORTH, (800, 20), height=2)
    table.unit("guard", 0, 300, SOUTH, models=8, files=3, attached=[lord])
    rows = ask(table, shooters=["observer"], target_models=["guard", 1])
    assert triples(rows) == [(0, 0, 10), (0, 0, 1)]
    table.positions[1] = [*table.inches([2000, 2000]), 0.0]
    rows = ask(table, shooters=["observer"], target_models=["guard", 0])
    assert rows.target.tolist() == list(range(2, 11))
    occupied = table.board.occupied.copy()
    occupied[[3, 10]] = False
    rows = ask(table, shooters=["observer"], target_models=["guard"], occupied=occupied)
    assert rows.target.tolist() == [2, *range(4, 10)]


def test_a_unit_is_seen_if_a_higher_model_is(table):
    lord = Attached("lord", (20, 20), height=3)
    table.unit("observer", 0, 0, NORTH)
    table.unit("wall", 0, 200, NORTH, (800, 20), height=2)
    table.unit("guard", 0, 300, SOUTH, models=8, files=3, attached=[lord])
    assert ask(table, shooters=["observer"], targets=["guard"]).target.tolist() == [2]
    occupied = table.board.occupied.copy()
    occupied[-1] = False
    assert ask(table, shooters=["observer"], targets=["guard"], occupied=occupied).target.tolist() == []


def test_each_model_looks_with_its_own_height_and_elevation(table):
    lord = Attached("lord", (20, 20), height=3, place=(1, 0))
    table.unit("observer", 0, 0, NORTH, models=9, attached=[lord])  # slots 0 to 8, the lord is 9
    table.unit("wall", 0, 200, NORTH, (800, 20), height=2)
    table.unit("target", 0, 300, SOUTH)
    assert ask(table, shooters=["observer"], targets=["target"]).model.tolist() == [9]
    table.wall(-900, -100, -10, -20, kind="hill")  # under the lord and the model beside him
    assert ask(table, shooters=["observer"], targets=["target"]).model.tolist() == [5, 9]


def test_rows_of_many_states(battle, monkeypatch):
    positions = battle.positions[:12].reshape(3, 4, len(battle.board), 3)
    masks = {"present": battle.present[:12].reshape(3, 4, -1), "occupied": battle.occupied[:4]}
    for rules in (t9a.SECOND_EDITION, t9a.THIRD_EDITION):
        rows = t9a.models_see(battle.board, positions, rules=rules, **masks)
        assert rows.shape == (3, 4)
        assert (np.diff(rows.state) >= 0).all()
        for i in range(12):
            one = t9a.models_see(
                battle.board,
                positions.reshape(12, -1, 3)[i],
                present=battle.present[i],
                occupied=battle.occupied[i % 4],
                rules=rules,
            )
            mine = rows.for_state(i)
            assert (mine.model.tolist(), mine.target.tolist()) == (one.model.tolist(), one.target.tolist())
        with monkeypatch.context() as patch:
            patch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 100_000)
            patch.setattr("ninthgeom.t9a._seeing._MASK_BYTES", 50_000)
            assert t9a.models_see(battle.board, positions, rules=rules, workers=2, **masks) == rows


def test_nothing_to_ask_about():
    board = Board([Unit("a", (20, 20)), Unit("b", (20, 20))])
    positions = np.array([[[0, 0, math.pi / 2], [0, 5, 0]]])
    assert len(t9a.models_see(board, positions, shooters=[])) == 0
    assert len(t9a.models_see(board, positions, targets=[])) == 0
    assert len(t9a.models_see(board, positions, target_models=[])) == 0
    none = t9a.models_see(board, positions[:0])
    assert (len(none), none.shape, none.state.dtype) == (0, (0,), np.intp)
    assert len(t9a.models_see(Board([]), np.empty((3, 0, 3)))) == 0
    assert t9a.models_see(board, positions).model.tolist() == [0]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"targets": [0], "target_models": [0]}, ValueError, "cannot both be given"),
        ({"shooters": "a"}, TypeError, "shooters must be a sequence"),
        ({"shooters": ["c"]}, ValueError, "shooters: no unit is named 'c'"),
        ({"shooters": [0, 3]}, ValueError, r"shooters\[1\] must be from 0 to 2, got 3"),
        ({"shooters": [-1]}, ValueError, r"shooters\[0\] must be from 0 to 2, got -1"),
        ({"target_models": [1.0]}, TypeError, r"target_models\[0\] must be a slot or the name of a unit"),
        ({"target_models": [True]}, TypeError, r"target_models\[0\] must be a slot"),
        ({"targets": [2]}, ValueError, "targets: "),
        ({"tol": 1e-9}, ValueError, "tol must be at least 1e-08 for sight"),
        ({"rules": ">="}, TypeError, "rules must be Rules"),
    ],
)
def test_arguments_are_checked(arguments, error, message):
    board = Board([Unit("a", (20, 20)), Unit("b", (20, 20), models=2)])
    with pytest.raises(error, match=message):
        t9a.models_see(board, [[0, 0, 0], [5, 0, 0]], **arguments)


def test_terrain_counts():
    wall = Terrain([(-9, 2), (9, 2), (9, 3), (-9, 3)], kind="impassable")
    units = [Unit("a", (20, 20)), Unit("b", (20, 20))]
    positions = [[0, 0, math.pi / 2], [0, 5, 0]]
    assert len(t9a.models_see(Board(units, [wall]), positions)) == 0
