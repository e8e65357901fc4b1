"""Line of sight between units: who is in the way, at scale. test_rules_cases.py has the worked cases."""

import dataclasses
import math

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import t9a
from tests.rules.sight_oracle import State

READINGS = {
    "third edition": t9a.THIRD_EDITION,
    "third edition, higher, hills at their edge": t9a.Rules(los_height_op=">", opaque_exempt="touch"),
    "third edition, grazing blocked": t9a.Rules(touching="blocked"),
    "second edition": t9a.SECOND_EDITION,
    "second edition with boundaries": dataclasses.replace(t9a.SECOND_EDITION, boundary_blocks=True),
    "bases only, skirmishers too": t9a.Rules(boundary_blocks=False, elevated="centre", tall_exempt=True),
}


@pytest.mark.parametrize("reading", READINGS)
def test_model_by_model_and_blocker_by_blocker(battles, reading):
    compare_with_oracle(battles[1:2], READINGS[reading], n_states=1, living=0.4)


@pytest.mark.verify
@pytest.mark.parametrize("reading", READINGS)
def test_more_of_model_by_model(battles, reading):
    compare_with_oracle(battles, READINGS[reading], n_states=3, living=1.0)


def compare_with_oracle(battles, rules, *, n_states, living):
    rng = np.random.default_rng(5)
    loose = seen = asked = 0
    for battle in battles:
        board, positions, present = battle.board, battle.positions[:n_states], battle.present[:n_states]
        occupied = battle.occupied[:n_states] & (rng.random((n_states, board.n_models)) < living)
        masks = {"present": present, "occupied": occupied}
        rows = t9a.models_see(board, positions, rules=rules, **masks)
        units = t9a.line_of_sight(board, positions, rules=rules, **masks)
        for i in range(n_states):
            state = State(board, positions[i], rules, present=present[i], occupied=occupied[i])
            low, high = state.models_to_units()
            answer = np.zeros_like(low)
            answer[rows.for_state(i).model, rows.for_state(i).target] = True
            np.testing.assert_array_equal(low & ~answer, False)
            np.testing.assert_array_equal(answer & ~high, False)
            starts = [models.start for models in board.model_slices]
            np.testing.assert_array_equal(units[i], np.logical_or.reduceat(answer, starts))
            loose += np.count_nonzero(low != high)
            seen += np.count_nonzero(answer)
            asked += answer.size
    assert loose < 0.01 * asked
    assert 0.01 < seen / asked < 0.9


@pytest.mark.parametrize("reading", ["third edition", "second edition"])
def test_batches_give_the_answers_of_single_states_and_pairs(battle, reading, monkeypatch):
    rules, states = READINGS[reading], range(0, 30, 5)
    positions, masks = battle.positions, battle.masks
    seen = t9a.line_of_sight(battle.board, positions, rules=rules, **masks)
    for i in states:
        one = {"present": battle.present[i], "occupied": battle.occupied[i], "rules": rules}
        np.testing.assert_array_equal(t9a.line_of_sight(battle.board, positions[i], **one), seen[i])
        some = {"observers": ["giant", 0, 5, 0], "targets": [4, 6, "guard"]}
        part = t9a.line_of_sight(battle.board, positions[i], **some, **one)
        np.testing.assert_array_equal(part, seen[i][np.ix_([6, 0, 5, 0], [4, 6, 1])])
    monkeypatch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 400_000)
    monkeypatch.setattr("ninthgeom.t9a._seeing._MASK_BYTES", 10_000)
    again = t9a.line_of_sight(battle.board, positions, rules=rules, workers=2, **masks)
    np.testing.assert_array_equal(again, seen)


@pytest.mark.parametrize("reading", READINGS)
def test_masks_that_change_nothing_change_nothing(battle, reading):
    board, positions, rules = battle.board, battle.positions, READINGS[reading]
    seen = t9a.line_of_sight(board, positions, rules=rules)
    masks = {"present": np.ones((30, len(board)), bool), "occupied": np.tile(board.occupied, (30, 1))}
    for mask in ({"present": masks["present"]}, {"occupied": masks["occupied"]}, masks):
        np.testing.assert_array_equal(t9a.line_of_sight(board, positions, rules=rules, **mask), seen)


def test_tolerances_too_small_for_sight():
    board = ng.Board([ng.Unit("a", (20, 20))])
    with pytest.raises(ValueError, match="tol must be at least 1e-08 for sight, got 1e-09"):
        t9a.line_of_sight(board, np.zeros((1, 3)), tol=1e-9)
    with pytest.raises(ValueError, match="tol must be at least 1e-08 for sight"):
        t9a.evaluate(board, np.zeros((1, 3)), tol=0.0)
    assert t9a.evaluate(board, np.zeros((1, 3)), tol=0.0, questions=["distance"]).distance.tolist() == [
        [np.inf]
    ]


def test_absent_units_never_block():
    board = ng.Board(
        [ng.Unit(name, (20, 20)) for name in ("observer", "target")] + [ng.Unit("wall", (400, 20))]
    )
    north = math.pi / 2
    positions = [[36, 10, north], [36, 30, north], [36, 20, north]]
    present = np.array([[True, True, True], [True, True, False]])
    assert t9a.line_of_sight(board, positions, present=present)[:, 0, 1].tolist() == [False, True]


def test_higher_blockers_only_take_sight_away(battles):
    for battle in battles:
        low = t9a.line_of_sight(battle.board, battle.positions, rules=t9a.Rules(los_height_op=">"))
        high = t9a.line_of_sight(battle.board, battle.positions)
        assert not (high & ~low).any()
        assert (low & ~high).any()


def test_sight_stays_inside_the_front_arc(battles):
    # Ovals have four arcs and look everywhere.
    observers = [i for i, unit in enumerate(battles[0].board.units) if unit.shape != "oval"]
    for battle in battles:
        seen = t9a.line_of_sight(battle.board, battle.positions, observers=observers)
        arcs = t9a.inside_arcs(battle.board, battle.positions, observers=observers)
        contact = t9a.units_in_contact(battle.board, battle.positions, observers=observers)
        assert not (seen & ~contact & (arcs & ng.Arc.FRONT == 0)).any()
