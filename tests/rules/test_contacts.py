"""How `contacts` and `engaged_facings` are called: masks, who is asked, many states, workers, errors."""

import math
import pickle

import numpy as np
import pytest

from ninthgeom import Arc, Board, Unit, measure, t9a
from ninthgeom.t9a import ContactKind, Duels, _states
from tests.rules.conftest import make_battle

COLUMNS = ("state", "model", "other", "kind", "facing", "other_facing")


def crowd(seed=5, n_states=60):
    """A battle so dense that many units are in contact, of three sides."""
    battle = make_battle(seed, n_states, spread=2.5)
    return battle.board, battle.positions, battle.masks


def rows_of(rows):
    return list(zip(*(getattr(rows, name).tolist() for name in COLUMNS), strict=True))


@pytest.fixture(scope="module")
def everything():
    board, positions, masks = crowd()
    return t9a.contacts(board, positions, **masks)


def test_there_is_something_to_compare(everything):
    kinds = np.bincount(everything.kind, minlength=4)
    assert (kinds[[ContactKind.TOUCH, ContactKind.GAP, ContactKind.ROUND]] > 20).all(), kinds
    assert everything.shape == (60,)
    assert [getattr(everything, name).dtype for name in COLUMNS] == [np.intp] * 3 + [np.uint8] * 3


def test_rows_are_sorted_and_go_both_ways(everything):
    rows = rows_of(everything)
    assert rows == sorted(rows)
    assert sorted((s, b, a, kind, its, own) for s, a, b, kind, own, its in rows) == rows
    assert len({row[:3] for row in rows}) == len(rows)


def test_only_living_models_of_present_opposing_units_in_contact(everything):
    board, positions, masks = crowd()
    unit, other = board.model_unit[everything.model], board.model_unit[everything.other]
    assert (board.side[unit] != board.side[other]).all()
    for models in (everything.model, everything.other):
        assert masks["occupied"][everything.state, models].all()
        assert masks["present"][everything.state, board.model_unit[models]].all()
    met = t9a.units_in_contact(board, positions, **masks)
    assert met[everything.state, unit, other].all()
    assert (everything.facing > 0).all()
    assert (everything.facing < 16).all()


def test_touches_are_those_of_the_bases(everything):
    board, positions, masks = crowd()
    bases, living = board.bases(positions, masks["occupied"])
    there = masks["present"][:, board.model_unit] & living
    is_round = np.array([unit.shape != "rect" for unit in board.units])[board.model_unit]
    asked = (
        (board.side[board.model_unit][:, None] != board.side[board.model_unit])
        & ~is_round
        & ~is_round[:, None]
    )
    touching = measure.in_contact(bases[:, :, None], bases[:, None, :]) & asked
    touching &= there[:, :, None] & there[:, None, :]
    touch = everything[everything.kind == ContactKind.TOUCH]
    assert np.array_equal(np.argwhere(touching), np.stack([touch.state, touch.model, touch.other], axis=1))


def test_facings_are_those_of_the_units(everything):
    board, positions, masks = crowd()
    engaged = t9a.engaged_facings(board, positions, **masks)
    unit, other = board.model_unit[everything.model], board.model_unit[everything.other]
    own = engaged[everything.state, unit, other]
    assert ((everything.facing & ~own) == 0).all()
    assert np.array_equal(engaged > 0, t9a.units_in_contact(board, positions, **masks))


def test_split_batches_and_workers_and_axes(everything):
    board, positions, masks = crowd()
    parts = [
        t9a.contacts(board, positions[i : i + 7], **{name: mask[i : i + 7] for name, mask in masks.items()})
        for i in range(0, 60, 7)
    ]
    together = [(row[0] + 7 * i, *row[1:]) for i, part in enumerate(parts) for row in rows_of(part)]
    assert together == rows_of(everything)
    assert t9a.contacts(board, positions, **masks, workers=2) == everything
    shaped = {name: mask.reshape(3, 20, -1) for name, mask in masks.items()}
    folded = t9a.contacts(board, positions.reshape(3, 20, -1, 3), **shaped)
    assert folded.shape == (3, 20)
    assert rows_of(folded) == rows_of(everything)


def test_chunks_do_not_show(everything, monkeypatch):
    board, positions, masks = crowd()
    monkeypatch.setattr(_states, "_SCRATCH_BYTES", 50_000)
    assert t9a.contacts(board, positions, **masks) == everything
    assert np.array_equal(
        t9a.engaged_facings(board, positions, **masks),
        np.concatenate(
            [
                t9a.engaged_facings(
                    board, positions[i : i + 1], **{k: m[i : i + 1] for k, m in masks.items()}
                )
                for i in range(60)
            ]
        ),
    )


def test_who_is_asked(everything):
    board, positions, masks = crowd()
    unit, other = board.model_unit[everything.model], board.model_unit[everything.other]
    observers, targets = ["trolls", "spears", "mortar"], ["giant", "guard", "trolls", "knights"]
    some = t9a.contacts(board, positions, observers=observers, targets=targets, **masks)
    of_observers, of_targets = np.isin(unit, board.indices(observers)), np.isin(other, board.indices(targets))
    assert some == everything[of_observers & of_targets]
    assert len(some) > 20
    assert len(t9a.contacts(board, positions, observers=[], **masks)) == 0


def test_masks_broadcast():
    board, positions, _ = crowd()
    living = np.random.default_rng(2).random((5, 1, board.n_models)) < 0.7
    rows = t9a.contacts(board, positions[:4], occupied=living)
    assert rows.shape == (5, 4)
    for i in range(5):
        for j in range(4):
            one = t9a.contacts(board, positions[j], occupied=living[i, 0])
            assert [row[1:] for row in rows_of(rows.for_state((i, j)))] == [row[1:] for row in rows_of(one)]


def test_nothing_to_ask():
    board, positions, _ = crowd()
    assert len(t9a.contacts(board, positions[:0])) == 0
    assert t9a.contacts(board, positions[:0]).shape == (0,)
    assert len(t9a.contacts(Board([]), np.empty((4, 0, 3)))) == 0
    assert t9a.engaged_facings(Board([]), np.empty((4, 0, 3))).shape == (4, 0, 0)
    alone = t9a.contacts(Board([Unit("giant", (50, 75))]), [[1, 1, 0.0]])
    assert (len(alone), alone.shape) == (0, ())
    assert pickle.loads(pickle.dumps(alone)) == alone


def test_boundaries_go_by_what_is_frozen():
    # Two files deep; the first rank is dead, and the enemy touches where it stood.
    board = Board([Unit("a", (25.4, 25.4), models=4, files=2, side=0), Unit("b", (50.8, 50.8), side=1)])
    positions = [[10, 10, math.pi / 2], [10, 10, -math.pi / 2]]
    fallen = np.array([False, False, True, True, True])
    assert len(t9a.contacts(board, positions, occupied=fallen)) == 0
    held = t9a.contacts(board, positions, occupied=fallen, frozen=board.occupied, observers=["b"])
    assert held.other.tolist() == [2, 3]
    assert set(held.kind) == {ContactKind.GAP}
    assert set(held.facing) == {Arc.FRONT}
    # a unit without any model is absent, whatever is frozen
    nobody = np.array([False] * 4 + [True])
    assert len(t9a.contacts(board, positions, occupied=nobody, frozen=board.occupied)) == 0


def test_a_larger_tolerance_brings_in_what_is_near():
    board = Board([Unit(name, (25.4, 25.4), models=2, side=i) for i, name in enumerate("ab")])
    positions = [[10, 10, math.pi / 2], [10, 10.01, -math.pi / 2]]
    assert len(t9a.contacts(board, positions)) == 0
    rows = t9a.contacts(board, positions, tol=0.02, observers=["a"])
    # opposite each other, and across the corners too
    assert rows.model.tolist() == [0, 0, 1, 1]
    assert set(rows.kind) == {ContactKind.TOUCH}


@pytest.mark.parametrize("shift", [0.0, 1e3, -9e5])
def test_a_touch_of_a_third_unit_far_from_the_origin(shift):
    board = Board([Unit(name, (25.4, 25.4), models=4, files=2, side=i % 2) for i, name in enumerate("abc")])
    positions = np.array([[10, 10, math.pi / 2], [10, 10, -math.pi / 2], [11, 8, math.pi]])
    positions[:, :2] += shift
    facings = t9a.engaged_facings(board, positions)
    assert facings.tolist() == [[0, Arc.FRONT, Arc.RIGHT], [Arc.FRONT, 0, 0], [Arc.FRONT, 0, 0]]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"frozen": np.ones(3, bool)}, ValueError, r"frozen must have shape \(\.\.\., 5\) for 5 model slots"),
        (
            {"frozen": np.ones((2, 5), bool), "occupied": np.ones((3, 5), bool)},
            ValueError,
            "of frozen do not",
        ),
        ({"frozen": np.ones(5)}, TypeError, "frozen"),
        ({"occupied": np.ones((2, 4), bool)}, ValueError, "occupied must have shape"),
        ({"present": [True]}, ValueError, "present must have shape"),
        ({"observers": ["c"]}, ValueError, "observers: no unit is named 'c'"),
        ({"rules": "third"}, TypeError, "rules must be Rules"),
        ({"tol": -1.0}, ValueError, "tol"),
        ({"tol": 0.0}, ValueError, "tol must be at least 1e-08 for contacts, got 0.0"),
        ({"workers": 0}, ValueError, "workers"),
        ({"duels": Duels([0], [1])}, ValueError, "second"),
        ({"duels": Duels([0], [7])}, ValueError, "second"),
    ],
    ids=repr,
)
def test_refused(arguments, error, message):
    board = Board([Unit("a", (20, 20), models=4, files=2, side=0), Unit("b", (50, 50), side=1)])
    with pytest.raises(error, match=message):
        t9a.contacts(board, [[1, 1, 0.0], [5, 5, 0.0]], **arguments)


@pytest.mark.parametrize("deep", [0.0, 1e-3, 0.01, 0.1])
def test_models_of_units_that_overlap_a_little_meet_through_the_same_facings(deep):
    units = [Unit(name, (20, 20), models=10, files=5, side=i) for i, name in enumerate("ab")]
    positions = [[10, 10, math.pi / 2], [10, 10 - deep, -math.pi / 2]]
    rows = t9a.contacts(Board(units), positions)
    touch = rows[rows.kind == ContactKind.TOUCH]
    assert len(touch) == 2 * (5 + 2 * 4)
    assert set(touch.facing) == set(touch.other_facing) == {Arc.FRONT}
    assert len(t9a.may_attack(Board(units), rows)) == 2 * 2 * (5 + 2 * 4)


def test_living_models_outside_what_is_frozen_are_refused():
    board = Board([Unit("a", (20, 20), models=4, files=2, side=0), Unit("b", (50, 50), side=1)])
    frozen = np.array([[True] * 5, [True, True, False, True, True]])
    with pytest.raises(ValueError, match=r"frozen\[1\]\[2\]: must be True, for the slot is occupied"):
        t9a.contacts(board, np.zeros((2, 2, 3)), frozen=frozen)
