"""What sight makes of a board once, or of all units at once, is what it would make each time, one by one."""

from dataclasses import replace

import numpy as np
import pytest

from ninthgeom import Board, Polygons, Unit, in_contact, t9a
from ninthgeom.t9a._elevation import touched
from ninthgeom.t9a._observers import find_stretches
from ninthgeom.t9a._tables import board_table
from tests.rules.conftest import star
from tests.strategies import random_bases

RULES = [t9a.THIRD_EDITION, t9a.SECOND_EDITION]
EVERY_RULES = [replace(rules, tall_exempt=tall) for rules in RULES for tall in (True, False)]


def test_what_touches_polygons_is_what_is_in_contact():
    rng = np.random.default_rng(1)
    ground = Polygons([star(rng, *rng.uniform(-6, 6, 2), 2.0) for _ in range(3)])
    batches = [random_bases(rng, 400, "mixed", spread=spread).reshape(20, -1) for spread in (3.0, 9.0, 1e3)]
    answers = touched(ground, batches, 1e-6, 1)
    for answer, bases in zip(answers, batches, strict=True):
        np.testing.assert_array_equal(answer, np.moveaxis(in_contact(bases[..., None], ground), -1, 0))
    assert 0.0 < answers[0].mean() < 1.0
    assert not answers[2].any()


def test_what_touches_a_corner_within_the_tolerance_is_not_pruned():
    ground = Polygons([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    squares = Board([Unit("square", (25.4, 25.4))]).boundaries([[[3 + gap, 1, 0]] for gap in (0.009, 0.011)])
    assert touched(ground, [squares], 0.01, 1)[0].tolist() == [[[True], [False]]]


def test_no_bases_touch_nothing():
    ground = Polygons([[(0, 0), (2, 0), (2, 2), (0, 2)]])
    (answer,) = touched(ground, [Board([]).boundaries(np.zeros((4, 0, 3)))], 1e-6, 1)
    assert answer.shape == (1, 4, 0)


@pytest.mark.parametrize("with_elevated", [False, True])
@pytest.mark.parametrize("with_tall", [False, True])
def test_stretches_of_all_units_are_those_of_each(battle, with_elevated, with_tall):
    tables = board_table(battle.board, with_tall=with_tall).units
    elevated = np.random.default_rng(2).random(battle.occupied.shape) < 0.3 if with_elevated else None
    every = find_stretches(tables, battle.occupied, elevated)
    assert (np.diff(every.owner) >= 0).all()
    for u, table in enumerate(tables):
        single = find_stretches([table], battle.occupied, elevated)
        own = every.of(np.array([u]))
        assert (own.owner == 0).all()
        np.testing.assert_array_equal(own.is_whole, single.is_whole)
        np.testing.assert_array_equal(own.there, single.there)
        for name in ("left", "right", "rank", "elevated"):
            mine, theirs = (np.where(part.there, getattr(part, name), 0) for part in (own, single))
            np.testing.assert_array_equal(mine, theirs)


def test_stretches_of_some_units_come_in_the_order_given(battle):
    tables = board_table(battle.board, with_tall=True).units
    every = find_stretches(tables, battle.occupied, None)
    units = np.array([5, 1, 1, 7])
    some = every.of(units)
    again = find_stretches([tables[u] for u in units], battle.occupied, None)
    np.testing.assert_array_equal(some.owner, again.owner)
    np.testing.assert_array_equal(some.left, again.left)
    np.testing.assert_array_equal(some.there, again.there)


@pytest.mark.parametrize("rules", RULES)
def test_a_mask_of_full_strength_changes_nothing(battles, rules):
    for battle in battles:
        plain = t9a.line_of_sight(battle.board, battle.positions, present=battle.present, rules=rules)
        given = t9a.line_of_sight(
            battle.board,
            battle.positions,
            present=battle.present,
            occupied=battle.board.occupied,
            rules=rules,
        )
        np.testing.assert_array_equal(plain, given)


def test_boards_that_were_asked_before_answer_like_new_ones(battles):
    for battle in battles:
        used = Board(battle.board.units, battle.board.terrain)
        for masks in ({}, battle.masks, {}):
            for rules in EVERY_RULES:
                new = Board(battle.board.units, battle.board.terrain)
                one, other = (
                    t9a.line_of_sight(board, battle.positions, rules=rules, **masks) for board in (used, new)
                )
                np.testing.assert_array_equal(one, other)


def test_a_board_keeps_no_more_with_every_call(battle):
    board = Board(battle.board.units, battle.board.terrain)

    def ask(**masks):
        for rules in RULES:
            t9a.line_of_sight(board, battle.positions, rules=rules, **masks)
        return len(board._derived)

    kept = ask()
    assert ask() == ask(**battle.masks) == ask(occupied=battle.occupied) == kept


@pytest.mark.parametrize("dtype", [np.int8, np.uint64, np.intp])
def test_arrays_of_numbers_name_units(dtype):
    board = Board([Unit("one", (20, 20)), Unit("two", (20, 20))])
    assert board.indices(np.array([1, 0, 1], dtype)).tolist() == [1, 0, 1]
    with pytest.raises(ValueError, match=r"units\[1\] must be from 0 to 1, got 2"):
        board.indices(np.array([1, 2], dtype))
