"""All questions together, and the table that comes of them."""

import dataclasses
import json
from pathlib import Path

import numpy as np
import pytest

from ninthgeom import Arc, Board, Scene, armies, samplers, t9a

# Tournament lists and who met whom, where they stand beside the repository.
REAL_ARMIES = Path(__file__).parents[2] / ".." / "shared" / "data"

ALONE = {
    "distance": t9a.distances,
    "contact": t9a.units_in_contact,
    "inside_arc": t9a.inside_arcs,
    "located_arc": t9a.located_arcs,
    "sight": t9a.line_of_sight,
}


def assert_same(answers, others):
    for name in ALONE:
        np.testing.assert_array_equal(getattr(answers, name), getattr(others, name), err_msg=name)


@pytest.mark.parametrize("masked", [False, True], ids=["bare", "masked"])
def test_evaluate_gives_the_answers_of_the_single_questions(battles, masked):
    for battle in battles:
        masks = battle.masks if masked else {}
        answers = t9a.evaluate(battle.board, battle.positions, **masks)
        for name, question in ALONE.items():
            expected = question(battle.board, battle.positions, **masks)
            answer = getattr(answers, name)
            assert answer.dtype == expected.dtype
            np.testing.assert_array_equal(answer, expected, err_msg=name)


def test_rules_tolerance_and_chosen_units_are_passed_on(battle):
    arguments = {
        "observers": ["giant", "spears"],
        "targets": [3, 1, 1],
        "rules": t9a.Rules(los_height_op=">"),
        "tol": 0.5,
        "workers": 2,
    } | battle.masks
    answers = t9a.evaluate(battle.board, battle.positions, **arguments)
    assert answers.observers == ("giant", "spears")
    assert answers.targets == ("mortar", "guard", "guard")
    for name, question in ALONE.items():
        np.testing.assert_array_equal(
            getattr(answers, name), question(battle.board, battle.positions, **arguments), err_msg=name
        )


@pytest.mark.parametrize(
    ("questions", "fields"),
    [
        (("distance",), ["distance"]),
        (["sight", "contact"], ["contact", "sight"]),
        (("arcs",), ["inside_arc", "located_arc"]),
        ((), []),
    ],
)
def test_only_what_was_asked_is_answered(battle, questions, fields):
    answers = t9a.evaluate(battle.board, battle.positions, questions=questions, **battle.masks)
    assert list(answers.arrays()) == fields
    assert_same(
        answers,
        dataclasses.replace(
            t9a.evaluate(battle.board, battle.positions, **battle.masks),
            **dict.fromkeys(set(ALONE) - set(fields)),
        ),
    )
    table = answers.to_table()
    assert list(table) == ["state", "observer", "target", *fields]


@pytest.mark.parametrize("masked", [False, True], ids=["bare", "masked"])
def test_chunks_and_workers_do_not_change_answers(battle, monkeypatch, masked):
    masks = battle.masks if masked else {}
    answers = t9a.evaluate(battle.board, battle.positions, **masks)
    monkeypatch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 20_000)
    assert_same(t9a.evaluate(battle.board, battle.positions, workers=2, **masks), answers)


def test_questions_are_checked(battle):
    with pytest.raises(ValueError, match=r"questions\[1\] must be one of distance, .*, got 'los'"):
        t9a.evaluate(battle.board, battle.positions, questions=("sight", "los"))
    with pytest.raises(TypeError, match="questions must be a sequence"):
        t9a.evaluate(battle.board, battle.positions, questions="sight")
    asked = t9a.evaluate(battle.board, battle.positions[:1], questions=(q for q in ["contact"]))
    assert list(asked.arrays()) == ["contact"]


def test_scene_is_no_board(battle):
    scene = Scene(battle.board, battle.positions[0])
    with pytest.raises(TypeError, match=r"board must be Board, got Scene; a scene has one, scene\.board"):
        t9a.distances(scene, battle.positions)


def test_misspelt_unit(battle):
    with pytest.raises(ValueError, match="observers: no unit is named 'spaers'; did you mean 'spears'"):
        t9a.distances(battle.board, battle.positions, observers=["spaers"])


def test_answers_are_frozen(battle):
    answers = t9a.evaluate(battle.board, battle.positions[0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        answers.sight = None


def test_table_has_a_row_for_each_state_and_ordered_pair(battle):
    positions = battle.positions[:6].reshape(2, 3, len(battle.board), 3)
    answers = t9a.evaluate(battle.board, positions, observers=["giant", "spears", "guard"], targets=[0, 6])
    table = answers.to_table()
    pairs = [("giant", "spears"), ("spears", "giant"), ("guard", "spears"), ("guard", "giant")]
    rows = zip(table["state"].tolist(), table["observer"], table["target"], strict=True)
    assert list(rows) == [(state, *pair) for state in range(6) for pair in pairs]
    for name, values in answers.arrays().items():
        assert table[name].shape == (24,)
        assert table[name].dtype == values.dtype
        flat = values.reshape(6, 3, 2)
        for row, (state, observer, target) in enumerate(
            zip(table["state"], table["observer"], table["target"], strict=True)
        ):
            i, j = answers.observers.index(observer), answers.targets.index(target)
            assert table[name][row] == flat[state, i, j]


def test_table_of_one_state_and_of_none(battle):
    units = len(battle.board)
    table = t9a.evaluate(battle.board, battle.positions[0]).to_table()
    assert {len(column) for column in table.values()} == {units * (units - 1)}
    assert (table["state"] == 0).all()
    none = t9a.evaluate(battle.board, np.empty((0, units, 3))).to_table()
    assert {len(column) for column in none.values()} == {0}
    assert {len(column) for column in t9a.evaluate(Board([]), np.empty((0, 3))).to_table().values()} == {0}


@pytest.mark.parametrize("op", ["==", "<", None, 1])
def test_unknown_values_of_rules_raise(op):
    with pytest.raises(ValueError, match="los_height_op must be"):
        t9a.Rules(los_height_op=op)


def test_rules_are_values():
    assert t9a.Rules() == t9a.THIRD_EDITION
    assert hash(t9a.Rules()) == hash(t9a.THIRD_EDITION)
    assert dataclasses.replace(t9a.THIRD_EDITION, los_height_op=">") != t9a.THIRD_EDITION
    with pytest.raises(TypeError):
        t9a.Rules(edition=3)
    with pytest.raises(dataclasses.FrozenInstanceError):
        t9a.THIRD_EDITION.los_height_op = ">"


@pytest.mark.skipif(not REAL_ARMIES.exists(), reason="the lists of real armies are not there")
@pytest.mark.parametrize("deployment", ["scattered", "battle_lines"])
def test_real_armies_that_met(deployment):
    lists = [json.loads(line) for line in (REAL_ARMIES / "armies.jsonl").read_text().splitlines()]
    pairings = [json.loads(line) for line in (REAL_ARMIES / "matches.jsonl").read_text().splitlines()]
    for seed, pairing in enumerate(pairings[::30]):
        units = [
            unit
            for side, player in enumerate("ab")
            for unit in armies.army_from_list(lists[pairing[player]], side)
        ]
        scene = armies.deploy_armies(units, seed, deployment=deployment)
        moved = samplers.pose_jitter(np.random.default_rng(seed), scene, 10, distance=6.0)
        positions = np.concatenate([[scene.positions], moved])
        answers = t9a.evaluate(scene.board, positions)
        distance, contact = answers.distance, answers.contact
        assert not contact[0].any()  # as they were set up
        assert (distance[0] > 1).all()
        np.testing.assert_array_equal(contact, distance == 0)
        np.testing.assert_allclose(distance, distance.swapaxes(1, 2), rtol=1e-12)
        # Who is seen, and not touched, stands in the Front Arc; and everything is somewhere.
        assert not (answers.sight & ~contact & (answers.inside_arc & Arc.FRONT == 0)).any()
        different = ~np.eye(len(units), dtype=bool)
        assert (answers.inside_arc[:, different] != 0).mean() > 0.99
        assert ((answers.inside_arc & answers.located_arc) == answers.located_arc).all()
        assert 0.05 < answers.sight[:, different].mean() < 0.95
