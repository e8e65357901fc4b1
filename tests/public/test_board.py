"""Units in ranks and files: slots, boundaries, characters, casualties; by hand and against slow loops."""

import dataclasses
import math
import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninthgeom import Attached, Board, Terrain, Unit
from tests.reference import board_reference as slow

MM = 25.4
NORTH = math.pi / 2
SIDES = ((20, 20), (25, 25), (25, 50), (40, 40))


def at_origin(unit, occupied=None):
    """Bases, mask and boundary of a unit that faces +y with its position in (0, 0)."""
    board = Board([unit])
    bases, mask = board.bases([[0, 0, NORTH]], occupied)
    return bases, mask, board.boundaries([[0, 0, NORTH]], occupied)[0]


def box(base):
    """Left, right, rear and front in mm of a base that faces +y."""
    left, rear, right, front = (base.bounds * MM).tolist()
    return pytest.approx((left, right, rear, front), abs=1e-9)


# ---------------------------------------------------------------------------------------- by hand, in mm


def test_three_ranks_and_a_short_one():
    bases, mask, boundary = at_origin(Unit("a", (20, 20), models=13, files=5))
    assert bases.shape == (15,)
    assert mask.tolist() == [True] * 13 + [False] * 2
    assert box(bases[0]) == (-50, -30, -20, 0)
    assert box(bases[4]) == (30, 50, -20, 0)
    assert box(bases[5]) == (-50, -30, -40, -20)
    assert box(bases[12]) == (-10, 10, -60, -40)
    # The empty slots of the rear rank belong to the boundary.
    assert box(boundary) == (-50, 50, -60, 0)


def test_position_does_not_move_when_models_die():
    unit = Unit("a", (20, 20), models=13, files=5)
    without_rear = [True] * 10 + [False] * 5
    assert box(at_origin(unit, without_rear)[2]) == (-50, 50, -40, 0)
    without_front = [False] * 5 + [True] * 8 + [False] * 2
    assert box(at_origin(unit, without_front)[2]) == (-50, 50, -60, -20)
    only_one = [False] * 12 + [True] + [False] * 2
    assert box(at_origin(unit, only_one)[2]) == (-50, 50, -60, -40)


def test_nobody_left_leaves_a_point_at_the_position():
    bases, _, boundary = at_origin(Unit("a", (20, 20), models=7), [False] * 10)
    assert box(boundary) == (0, 0, 0, 0)
    assert (boundary.width, boundary.depth, boundary.radius) == (0, 0, 0)
    assert bases.shape == (10,)


def test_rear_rank_with_holes():
    unit = Unit("a", (25, 25), models=7, files=5, occupied=[True] * 5 + [True, False, False, False, True])
    assert at_origin(unit)[1].tolist() == [*unit.occupied]
    assert box(at_origin(unit)[2]) == (-62.5, 62.5, -50, 0)


def test_side_character_stretches_the_boundary():
    # E23: 50 x 75 beside five 25 x 50 in one rank.
    unit = Unit("a", (25, 50), models=5, attached=[Attached("c", (50, 75))])
    bases, _, boundary = at_origin(unit)
    assert box(bases[5]) == (62.5, 112.5, -75, 0)
    assert box(boundary) == (-62.5, 112.5, -75, 0)
    assert box(at_origin(unit, [True] * 5 + [False])[2]) == (-62.5, 62.5, -50, 0)
    assert box(at_origin(unit, [False] * 5 + [True])[2]) == (62.5, 112.5, -75, 0)


def test_side_character_beside_two_ranks():
    # E32: files at x 0 to 100, 100 deep; the character at x 100 to 150, 75 deep.
    board = Board([Unit("a", (25, 50), models=8, files=4, attached=[Attached("c", (50, 75), place="right")])])
    bases, _ = board.bases([[50 / MM, 0, NORTH]])
    assert box(bases[8]) == (100, 150, -75, 0)
    assert box(bases[7]) == (75, 100, -100, -50)


def test_second_side_character_goes_left():
    unit = Unit("a", (20, 20), models=5, attached=[Attached("c", (25, 50)), Attached("d", (25, 25))])
    bases, _, boundary = at_origin(unit)
    assert box(bases[5]) == (50, 75, -50, 0)
    assert box(bases[6]) == (-75, -50, -25, 0)
    assert box(boundary) == (-75, 75, -50, 0)


def test_matching_character_takes_the_slots_it_covers():
    unit = Unit("a", (20, 20), models=12, files=5, attached=[Attached("c", (40, 40))])
    bases, mask, boundary = at_origin(unit)
    # Two places are as central; the left one is taken. Three ranks hold 3 + 3 + 5 models: there is a fourth.
    assert (unit.ranks, unit.n_slots) == (4, 3 + 3 + 5 + 5 + 1)
    assert box(bases[-1]) == (-30, 10, -40, 0)
    assert box(bases[1]) == (10, 30, -20, 0)
    assert mask.sum() == 13
    assert box(boundary) == (-50, 50, -80, 0)


def test_long_character_hangs_out_behind():
    unit = Unit("a", (20, 20), models=5, files=5, attached=[Attached("c", (20, 60))])
    bases, mask, boundary = at_origin(unit)
    assert box(bases[-1]) == (-10, 10, -60, 0)
    assert mask.tolist() == [True] * 5 + [False] * 7 + [True]
    assert box(boundary) == (-50, 50, -60, 0)
    # Without it the second rank, which holds one model, is the last.
    assert box(at_origin(unit, [*mask[:-1], False])[2]) == (-50, 50, -40, 0)


def test_characters_choose_their_places():
    wishes = [
        Attached("c", (20, 20)),
        Attached("d", (20, 20), place=(0, 2)),
        Attached("e", (40, 20), place=(1, 0)),
    ]
    bases, _, _ = at_origin(Unit("a", (20, 20), models=10, files=5, attached=wishes))
    assert box(bases[-3]) == (-30, -10, -20, 0)
    assert box(bases[-2]) == (-10, 10, -20, 0)
    assert box(bases[-1]) == (-50, -10, -40, -20)


def test_a_character_may_be_a_rear_rank_of_its_own():
    unit = Unit("a", (20, 20), models=10, attached=[Attached("c", (20, 20), place=(2, 0))])
    bases, mask, boundary = at_origin(unit)
    assert box(bases[-1]) == (-50, -30, -60, -40)
    assert mask.tolist() == [True] * 10 + [False] * 4 + [True]
    assert box(boundary) == (-50, 50, -60, 0)


def test_skirmish_formation_stands_apart():
    unit = Unit("a", (20, 20), models=6, files=3, formation="skirmish")
    bases, _, boundary = at_origin(unit)
    assert box(bases[0]) == (-42.5, -22.5, -20, 0)
    assert box(bases[4]) == (-10, 10, -52.5, -32.5)
    assert box(boundary) == (-42.5, 42.5, -52.5, 0)
    joined = dataclasses.replace(unit, attached=[Attached("c", (40, 40)), Attached("d", (25, 50))])
    bases, _, boundary = at_origin(joined)
    # Its block is 52.5 wide: 6.25 on each side of the base.
    assert box(bases[-2]) == (-42.5 + 6.25, 10 - 6.25, -40, 0)
    assert box(bases[-1]) == (55, 80, -50, 0)
    assert box(boundary) == (-42.5, 80, -117.5, 0)


def test_single_models():
    bases, _, boundary = at_origin(Unit("a", (150, 100)))
    assert box(bases[0]) == (-75, 75, -100, 0)
    assert box(boundary) == (-75, 75, -100, 0)
    for unit, size in (
        (Unit("a", 60, shape="round"), (-30, 30, -30, 30)),
        (Unit("a", (40, 100), shape="oval"), (-20, 20, -50, 50)),
    ):
        bases, _, boundary = at_origin(unit)
        assert size == box(bases[0])
        assert size == box(boundary)
        assert bases[0] == boundary
        assert at_origin(unit, [False])[2].is_disc
        assert at_origin(unit, [False])[2].radius == 0
    assert at_origin(Unit("a", 60, shape="round"))[2].is_disc
    assert at_origin(Unit("a", (40, 100), shape="oval"))[2].is_oval


def test_filling_by_hand():
    board = Board([Unit("a", (20, 20), models=9, files=4, attached=[Attached("c", (20, 20))])])
    # Three slots beside the character; in the rear rank two models, in the first two of four slots.
    assert board.occupied.astype(int).tolist() == [1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0, 1]
    casualties = [1, 0, 1, 1, 0, 1, 1, 1, 1, 0, 0, 1]
    filled = [1, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1]
    assert board.fill_ranks(np.array(casualties, bool)).astype(int).tolist() == filled
    # The right-most model of the rear rank moves; the hole in it stays.
    casualties = [1, 0, 1, 1, 1, 1, 1, 1, 0, 1, 1, 0]
    filled = [1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 0, 0]
    assert board.fill_ranks(np.array(casualties, bool)).astype(int).tolist() == filled


# ------------------------------------------------------------------------------------- against slow loops


@st.composite
def characters(draw, base, files):
    width, depth = base
    matching = (width * draw(st.integers(1, 3)), depth * draw(st.integers(1, 3)))
    chosen = draw(st.sampled_from([matching, matching, *SIDES]))
    place = draw(
        st.sampled_from(
            [None, None, None, "left", "right", (0, draw(st.integers(0, files))), (1, 0), (2, 0), (3, 1)]
        )
    )
    return Attached("c", chosen, height=draw(st.sampled_from([None, 0, 3, "Gigantic"])), place=place)


@st.composite
def units(draw, name="a"):
    """Units with rectangular bases, and None where a character finds no place."""
    base = draw(st.sampled_from(SIDES))
    files = draw(st.integers(1, 7))
    keywords = {
        "models": draw(st.integers(1, 24)),
        "files": files,
        "height": draw(st.integers(0, 5)),
        "formation": draw(st.sampled_from(["ranked", "skirmish"])),
        "attached": draw(st.lists(characters(base, files), max_size=3)),
    }
    try:
        unit = Unit(name, base, **keywords)
    except ValueError as error:
        if not str(error).startswith("attached["):
            raise
        unit = None
    plain = Unit(name, base, **keywords | {"attached": ()})
    return unit, plain, keywords["attached"]


class _WithCharacters:
    """A unit as the library refuses to make it, for the slow loops to judge."""

    def __init__(self, plain, attached):
        self.plain, self.attached = plain, tuple(attached)

    def __getattr__(self, name):
        return getattr(self.plain, name)


@given(units())
def test_refuses_exactly_what_has_no_room(drawn):
    unit, plain, attached = drawn
    try:
        slow.slots_of(_WithCharacters(plain, attached))
        has_room = True
    except slow.NoRoomError:
        has_room = False
    assert (unit is not None) == has_room


placed_units = units().map(lambda drawn: drawn[0]).filter(lambda unit: unit is not None)
positions = st.tuples(st.floats(-40, 100), st.floats(-40, 100), st.floats(-7, 7))
seeds = st.integers(0, 2**32 - 1)


def assert_corners(base, expected):
    got = base.corners() @ (1, 1j)
    assert np.abs(got - np.array(expected)).max() < 1e-9


@given(placed_units, positions, seeds)
def test_slots_and_boundaries_match_the_slow_ones(unit, position, seed):
    board = Board([unit])
    slots, _ = slow.slots_of(unit)
    assert unit.n_slots == len(slots)
    assert board.occupied.tolist() == slow.living_at_first(unit)
    assert board.height.tolist() == [slow.usual_height(unit)]
    bases, _ = board.bases([position])
    for base, slot in zip(bases, slots, strict=True):
        assert_corners(base, slow.corners(position, slot.front, slot.left, slot.width, slot.depth))
    assert_corners(board.boundaries([position])[0], slow.boundary_corners(unit, position, board.occupied))
    rng = np.random.default_rng(seed)
    masks = rng.random((6, board.n_models)) < rng.random((6, 1))
    for mask, boundary in zip(masks, board.boundaries([position], masks), strict=True):
        expected = slow.boundary_corners(unit, position, mask)
        assert_corners(boundary[0], expected or [complex(*position[:2])] * 4)


@given(st.lists(placed_units, min_size=1, max_size=4), seeds)
def test_filling_matches_single_steps(several, seed):
    named = [dataclasses.replace(unit, name=str(i)) for i, unit in enumerate(several)]
    board = Board(named)
    rng = np.random.default_rng(seed)
    masks = rng.random((8, board.n_models)) < rng.random((8, 1))
    filled = board.fill_ranks(masks)
    for mask, result in zip(masks, filled, strict=True):
        for unit, slots in zip(named, board.model_slices, strict=True):
            assert result[slots].tolist() == slow.fill_ranks(unit, mask[slots].tolist())
    np.testing.assert_array_equal(board.fill_ranks(filled), filled)


def test_bases_of_a_rank_touch_and_never_overlap():
    unit = Unit("a", (20, 20), models=23, attached=[Attached("c", (40, 40)), Attached("d", (25, 50))])
    bases, _, boundary = at_origin(unit)
    # Bases fill the boxes of their ranks: areas add up where nothing overlaps.
    ranks = unit.ranks * 100 * 20
    assert bases.area.sum() * MM**2 == pytest.approx(ranks + 25 * 50)
    assert boundary.area * MM**2 == pytest.approx(125 * unit.ranks * 20)


# -------------------------------------------------------------------------------------- batches of states


@pytest.fixture(scope="module")
def board():
    return Board(
        [
            Unit("a", (20, 20), models=13, side=1, group="x", attached=[Attached("c", (40, 40), height=3)]),
            Unit("b", 60, shape="round", height="Gigantic"),
            Unit("c", (25, 50), models=5, attached=[Attached("d", (50, 75))], group="x"),
            Unit("d", (40, 100), shape="oval", group=7),
            Unit("e", (50, 100), height="Large"),
        ]
    )


def test_what_a_board_knows(board):
    assert len(board) == 5
    assert board.names == ("a", "b", "c", "d", "e")
    assert board.side.tolist() == [1, 0, 0, 0, 0]
    assert board.group.tolist() == [0, 1, 0, 2, 3]
    assert board.height.tolist() == [1, 5, 1, 1, 3]
    assert board.size == (72.0, 48.0)
    assert [board.model_unit[s].tolist() for s in board.model_slices] == [
        [i] * unit.n_slots for i, unit in enumerate(board.units)
    ]
    assert all(one.stop == two.start for one, two in pairwise(board.model_slices))
    assert board.n_models == board.model_slices[-1].stop
    assert board.model_height[board.model_slices[0]].tolist() == [1] * (board.units[0].n_slots - 1) + [3]
    assert not any(
        array.flags.writeable
        for array in (board.side, board.group, board.height, board.occupied, board.model_unit)
    )


def test_height_of_most_models_and_of_two_the_smaller():
    captain = Attached("c", (20, 20), height=5)
    assert Board([Unit("a", (20, 20), height=1, attached=[captain])]).height == [1]
    assert Board(
        [Unit("a", (20, 20), height="Gigantic", attached=[Attached("c", (20, 20), height=0)])]
    ).height == [0]
    assert Board([Unit("a", (20, 20), files=4, height=1, attached=[captain, captain])]).height == [5]


def states_of(board, *leading, seed=0):
    rng = np.random.default_rng(seed)
    states = rng.uniform(0, 48, (*leading, len(board), 3))
    return states, rng.random((*leading, board.n_models)) < 0.6


def test_boundaries_go_round_the_bases_that_live(board):
    states, masks = states_of(board, 50)
    states[..., 2] = 0.0
    bases, _ = board.bases(states, masks)
    bounds = board.boundaries(states, masks).bounds
    low, high = (
        np.where(masks[..., None], bases.bounds[..., :2], np.inf),
        np.where(masks[..., None], bases.bounds[..., 2:], -np.inf),
    )
    for i, slots in enumerate(board.model_slices):
        assert (bounds[:, i, :2] <= low[:, slots].min(axis=1) + 1e-9)[masks[:, slots].any(axis=1)].all()
        assert (bounds[:, i, 2:] >= high[:, slots].max(axis=1) - 1e-9)[masks[:, slots].any(axis=1)].all()


@given(st.floats(-7, 7), st.floats(-500, 500), st.floats(-500, 500))
def test_turns_and_moves_with_the_table(angle, dx, dy):
    board = Board(
        [Unit("a", (20, 20), models=13, attached=[Attached("c", (25, 50))]), Unit("b", 60, shape="round")]
    )
    states, masks = states_of(board, 3)
    moved = states.copy()
    turned = (states[..., :2] @ (1, 1j)) * np.exp(1j * angle) + complex(dx, dy)
    moved[..., 0], moved[..., 1] = turned.real, turned.imag
    moved[..., 2] += angle
    for before, after in (
        (board.bases(states, masks)[0], board.bases(moved, masks)[0]),
        (board.boundaries(states, masks), board.boundaries(moved, masks)),
    ):
        expected = (before.corners() @ (1, 1j)) * np.exp(1j * angle) + complex(dx, dy)
        np.testing.assert_allclose(after.corners() @ (1, 1j), expected, atol=1e-9)


def test_centres_are_those_of_the_boundaries(board):
    states, _ = states_of(board, 20)
    centres = board.centres(states)
    boundaries = board.boundaries(states)
    np.testing.assert_allclose(centres[..., 0], boundaries.x, atol=1e-12)
    np.testing.assert_allclose(centres[..., 1], boundaries.y, atol=1e-12)
    np.testing.assert_array_equal(centres[..., 2], states[..., 2])
    np.testing.assert_allclose(board.positions_from_centres(centres), states, atol=1e-12)
    assert abs(centres[..., :2] - states[..., :2]).max() > 0.5


def test_empty_in_empty_out(board):
    assert board.boundaries(np.empty((0, 5, 3))).shape == (0, 5)
    assert board.bases(np.empty((2, 0, 5, 3)))[0].shape == (2, 0, board.n_models)
    assert board.fill_ranks(np.empty((0, board.n_models), bool)).shape == (0, board.n_models)
    nobody = Board([])
    assert len(nobody) == nobody.n_models == 0
    assert nobody.boundaries(np.empty((4, 0, 3))).shape == (4, 0)
    assert nobody.boundaries(np.empty((4, 0, 3)), np.empty((4, 0), bool)).shape == (4, 0)
    assert nobody.bases(np.empty((0, 3)))[0].shape == (0,)
    assert nobody.fill_ranks(np.empty((3, 0), bool)).shape == (3, 0)


def test_units_by_name_or_index(board):
    assert board.index("c") == 2
    assert board.indices().tolist() == [0, 1, 2, 3, 4]
    assert board.indices(["c", 0, np.int64(4)]).tolist() == [2, 0, 4]
    assert board.indices(np.array([3, 1])).tolist() == [3, 1]
    assert board.indices([]).dtype == np.intp
    for which, error, text in (
        (["z"], ValueError, "no unit is named 'z'"),
        ([5], ValueError, r"units\[0\] must be from 0 to 4, got 5"),
        ([0, -1], ValueError, r"units\[1\] must be"),
        ([True], TypeError, r"units\[0\] must be the name"),
        ("a", TypeError, "sequence"),
        (0, TypeError, "sequence"),
    ):
        with pytest.raises(error, match=text):
            board.indices(which)


def test_equal_boards_and_copies(board):
    again = Board(board.units)
    assert again == board
    assert hash(again) == hash(board)
    assert again != Board(board.units[:-1])
    assert again != Board(board.units, size=(48, 48))
    assert pickle.loads(pickle.dumps(board)) == board
    assert dataclasses.replace(board, size=(48, 48)).size == (48, 48)
    assert repr(board) == f"Board(5 units with {board.n_models} slots, 0 pieces of terrain, 72 x 48 inches)"


# ---------------------------------------------------------------------------------------------- bad input

ORCS = Unit("orcs", (25, 25), models=8)
SMALL = Attached("c", (25, 25))
WIDE = Attached("d", (50, 75))


@pytest.mark.parametrize(
    ("arguments", "keywords", "error", "message"),
    [
        (("", (20, 20)), {}, ValueError, "name: must not be empty"),
        ((3, (20, 20)), {}, TypeError, "name: must be a text, got 3"),
        (
            ("a", 20),
            {},
            ValueError,
            r"base_mm: one number, 20; give width and depth, or shape 'round'",
        ),
        (("a", (20, 0)), {}, ValueError, r"base_mm\[1\]: must be greater than 0, got 0"),
        (("a", (-20, 20)), {}, ValueError, r"base_mm\[0\]: must be greater than 0, got -20"),
        (("a", (20, math.nan)), {}, ValueError, r"base_mm\[1\]: must be finite, got nan"),
        (("a", (20, 2e6)), {}, ValueError, r"base_mm\[1\]: must be from -1e\+06 to 1e\+06, got 2000000.0"),
        (("a", (20, 20, 20)), {}, ValueError, "base_mm: must be width and depth, got 3 numbers"),
        (("a", "20x20"), {}, TypeError, "base_mm: must be a sequence, got '20x20'"),
        (("a", (20, "20")), {}, TypeError, r"base_mm\[1\]: must be a number, got '20'"),
        (("a", (20, 30)), {"shape": "round"}, ValueError, "base_mm: a round base has one number"),
        (("a", (20, 20)), {"shape": "hexagon"}, ValueError, "shape: must be one of 'rect', 'round', 'oval'"),
        (("a", 40), {"shape": "oval"}, ValueError, "base_mm: one number, 40"),
        (
            ("a", 60),
            {"shape": "round", "models": 2},
            ValueError,
            "models: must be 1 for round bases, got 2; use one",
        ),
        (("a", 60), {"shape": "round", "files": 2}, ValueError, "files: must be 1 for round bases, got 2"),
        (("a", 60), {"shape": "round", "attached": [SMALL]}, ValueError, "attached: nobody can join"),
        (("a", (20, 20)), {"models": 0}, ValueError, "models: must be from 1 to 10000, got 0"),
        (("a", (20, 20)), {"models": 2.0}, TypeError, "models: must be a whole number, got 2.0"),
        (("a", (20, 20)), {"models": True}, TypeError, "models: must be a whole number, got True"),
        (("a", (20, 20)), {"files": 0}, ValueError, "files: must be from 1 to 10000, got 0"),
        (("a", (20, 20)), {"height": 6}, ValueError, "height: must be from 0 to 5, got 6"),
        (
            ("a", (20, 20)),
            {"height": "Huge"},
            ValueError,
            "height: must be one of 'Standard', 'Large', 'Gigantic'",
        ),
        (("a", (20, 20)), {"height": None}, TypeError, "height: must be a whole number, got None"),
        (("a", (20, 20)), {"size": -1}, ValueError, "size: must be at least 0, got -1"),
        (("a", (20, 20)), {"side": "red"}, TypeError, "side: must be a whole number, got 'red'"),
        (("a", (20, 20)), {"side": 2**40}, ValueError, "side: must be from"),
        (("a", (20, 20)), {"group": 1.5}, TypeError, "group: must be a whole number, got 1.5"),
        (("a", (20, 20)), {"flying": 1}, TypeError, "flying: must be True or False, got 1"),
        (("a", (20, 20)), {"tall": "no"}, TypeError, "tall: must be True or False, got 'no'"),
        (
            ("a", (20, 20)),
            {"formation": "wedge"},
            ValueError,
            "formation: must be one of 'ranked', 'skirmish'",
        ),
        (
            ("a", (20, 20)),
            {"models": 9, "occupied": [1] * 10},
            TypeError,
            r"occupied\[0\]: must be True or False",
        ),
        (
            ("a", (20, 20)),
            {"models": 12, "occupied": [True] * 10},
            ValueError,
            "occupied: 12 models are more than the 10 slots",
        ),
        (
            ("a", (20, 20)),
            {"models": 9, "occupied": [True] * 9 + [False] * 2},
            ValueError,
            "occupied: 9 models in 5 files have 10 slots, got 11 values",
        ),
        (
            ("a", (20, 20)),
            {"models": 9, "occupied": [True] * 10},
            ValueError,
            "occupied: 10 slots are occupied by 9 models",
        ),
        (("a", (20, 20)), {"attached": SMALL}, TypeError, "attached: must be a sequence"),
        (("a", (20, 20)), {"attached": ["c"]}, TypeError, r"attached\[0\]: must be Attached, got 'c'"),
        (
            ("a", (25, 25)),
            {"models": 6, "files": 2, "attached": [Attached("c", (75, 25))]},
            ValueError,
            r"attached\[0\].base_mm: a base 3 files wide cannot join a unit of 2 files",
        ),
        (
            ("a", (25, 25)),
            {"models": 6, "attached": [WIDE, WIDE, WIDE]},
            ValueError,
            r"attached\[2\].place: the front rank has no room left; give",
        ),
        (
            ("a", (20, 20)),
            {"models": 6, "attached": [WIDE, WIDE, WIDE]},
            ValueError,
            r"attached\[2\].place: no room at the right or left side, 'd', 'd' is there already",
        ),
        (
            ("a", (20, 20)),
            {"models": 6, "attached": [Attached("c", (50, 75), place=(0, 0))]},
            ValueError,
            r"attached\[0\].place: a base of 50 x 75 mm does not match the unit's 20 x 20 mm and stands at",
        ),
        (
            ("a", (25, 25)),
            {"models": 6, "attached": [Attached("c", (25, 25), place="left")]},
            ValueError,
            r"attached\[0\].place: a base of 25 x 25 mm matches the unit's 25 x 25 mm and stands in",
        ),
        (
            ("a", (25, 25)),
            {"models": 6, "attached": [Attached("c", (50, 25), place=(0, 4))]},
            ValueError,
            r"attached\[0\].place: 2 files from file 4 on do not fit in 5 files",
        ),
        (
            ("a", (25, 25)),
            {
                "models": 6,
                "attached": [Attached("c", (25, 25), place=(0, 1)), Attached("d", (50, 50), place=(0, 0))],
            },
            ValueError,
            r"attached\[1\].place: overlaps 'c' in rank 0, file 1",
        ),
        (
            ("a", (25, 25)),
            {"models": 6, "attached": [Attached("c", (25, 25), place=(3, 0))]},
            ValueError,
            r"attached\[0\].place: rank 3 is behind the unit; its last rank is rank 1",
        ),
        (
            ("a", (1e-6, 1e-6)),
            {"attached": [Attached("c", (1e-6, 1))]},
            ValueError,
            r"attached\[0\].base_mm: takes 1000000 slots",
        ),
    ],
)
def test_bad_units(arguments, keywords, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Unit(*arguments, **keywords)


@pytest.mark.parametrize(
    ("keywords", "error", "message"),
    [
        ({"base_mm": 25}, ValueError, r"base_mm: one number, 25; give width and depth$"),
        ({"height": -1}, ValueError, "height: must be from 0 to 5, got -1"),
        ({"place": "behind"}, ValueError, "place: must be one of 'left', 'right', got 'behind'"),
        ({"place": (0,)}, ValueError, "place: must be rank and file, got 1 numbers"),
        ({"place": (0, -1)}, ValueError, r"place\[1\]: must be from 0 to 10000, got -1"),
        ({"place": 3}, TypeError, "place: must be a sequence, got 3"),
        ({"tall": 0}, TypeError, "tall: must be True or False, got 0"),
    ],
)
def test_bad_characters(keywords, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Attached(**{"name": "c", "base_mm": (25, 25)} | keywords)


def test_bad_boards():
    for arguments, error, message in (
        (([ORCS, "elves"],), TypeError, r"units\[1\]: must be Unit, got 'elves'"),
        ((ORCS,), TypeError, "units: must be a sequence"),
        (([ORCS, ORCS],), ValueError, r"units\[1\].name: 'orcs' is the name of units\[0\] already"),
        (([ORCS], [ORCS]), TypeError, r"terrain\[0\]: must be Terrain"),
        (([ORCS], [], (72,)), ValueError, "size: must be width and height, got 1 numbers"),
        (([ORCS], [], (72, -1)), ValueError, r"size\[1\]: must be greater than 0, got -1"),
    ):
        with pytest.raises(error, match=f"^{message}"):
            Board(*arguments)


def test_bad_states(board):
    states, masks = states_of(board, 2)

    def but(at, value):
        changed = states.copy()
        changed[at] = value
        return changed

    for positions, occupied, error, message in (
        (
            states[:, :4],
            masks,
            ValueError,
            r"positions: must have shape \(..., 5, 3\) for 5 units, got \(2, 4, 3\)",
        ),
        (states[..., :2], masks, ValueError, "positions: must have shape"),
        (states[0, 0], masks, ValueError, "positions: must have shape"),
        (but((1, 2, 0), np.nan), masks, ValueError, r"positions\[1\]\[2\]\[0\]: x must be finite, got nan"),
        (
            but((0, 4, 2), np.inf),
            masks,
            ValueError,
            r"positions\[0\]\[4\]\[2\]: heading must be finite, got inf",
        ),
        (
            but((0, 0, 1), -2e6),
            masks,
            ValueError,
            r"positions\[0\]\[0\]\[1\]: y must be from -1e\+06 to 1e\+06",
        ),
        (states.astype(complex), masks, TypeError, "positions must hold real numbers, got dtype complex128"),
        (
            states,
            masks[:, :-1],
            ValueError,
            f"occupied: must have shape .{'.' * 3}, {board.n_models}., one value a slot",
        ),
        (states, masks.astype(int), TypeError, "occupied must hold booleans, got dtype int64"),
        (states, [[True], [True, False]], ValueError, "occupied must be an array"),
    ):
        for ask in (board.bases, board.boundaries):
            with pytest.raises(error, match=f"^{message}"):
                ask(positions, occupied)
    with pytest.raises(ValueError, match="occupied: must have shape"):
        board.fill_ranks([True])
    assert board.boundaries(but((0, 0, 2), 1e9), masks).shape == (2, 5)


# ------------------------------------------------------------------------------------------------ terrain


def test_outlines_run_counter_clockwise_from_their_first_vertex():
    square = [(1, 1), (3, 1), (3, 4), (1, 4)]
    expected = np.array(square, float)
    for outline in (square, square[:1] + square[:0:-1], [*square, square[0]], np.array(square, np.int8)):
        np.testing.assert_array_equal(Terrain(outline, kind="field").outline, expected)
    hill = Terrain(square, kind="hill")
    assert not hill.outline.flags.writeable
    assert hill == Terrain(square[:1] + square[:0:-1], kind="hill")
    assert hash(hill) == hash(Terrain(square, kind="hill"))
    assert hill != Terrain(square, kind="hill", opaque=False)
    assert hill != Terrain(square[1:] + square[:1], kind="hill")
    assert hill != "hill"


def test_which_terrain_hides():
    square = [(1, 1), (3, 1), (3, 4), (1, 4)]
    kinds = ("impassable", "hill", "forest", "field", "ruin", "water", "wall")
    assert [Terrain(square, kind=kind).opaque for kind in kinds] == [True] * 2 + [False] * 5
    assert Terrain(square, kind="forest", opaque=True).opaque
    assert not Terrain(square, kind="hill", opaque=False).opaque


@pytest.mark.parametrize(
    ("outline", "keywords", "error", "message"),
    [
        ([(0, 0), (1, 0), (0, 1)], {"kind": "bog"}, ValueError, "kind: must be one of 'impassable', 'hill'"),
        ([(0, 0), (1, 0), (0, 1)], {"opaque": 1}, TypeError, "opaque: must be True or False"),
        ([(0, 0), (1, 0), (0, 1)], {"height": 9}, ValueError, "height: must be from 0 to 5, got 9"),
        ([(0, 0), (1, 0)], {}, ValueError, "outline: needs at least 3 distinct vertices, got 2"),
        ([(0, 0), (1, 0), (0, 0)], {}, ValueError, "outline: needs at least 3 distinct vertices, got 2"),
        (
            [(0, 0), (2, 2), (2, 0), (0, 2)],
            {},
            ValueError,
            "outline: crosses or touches itself: Self-intersection",
        ),
        ([(0, 0), (1, 0), (2, 0)], {}, ValueError, "outline: has no area"),
        (
            [(0, 0), (1, 0), (1, 0), (0, 1)],
            {},
            ValueError,
            r"outline\[2\]: repeats the vertex before it, \(1.0, 0.0\)",
        ),
        ([(0, 0), (4, 0), (4, 4), (2, 0), (0, 4)], {}, ValueError, "outline: crosses or touches itself"),
        (
            [(0, 0), (1, math.nan), (0, 1)],
            {},
            ValueError,
            r"outline\[1\]\[1\]: must be finite, got nan",
        ),
        ([(0, 0), (2e6, 0), (0, 1)], {}, ValueError, r"outline\[1\]\[0\]: must be from"),
        (
            [(0, 0, 0), (1, 0, 0), (0, 1, 0)],
            {},
            ValueError,
            r"outline: must have shape \(n, 2\), got \(3, 3\)",
        ),
        ([(0, 0), (1, 0), (0,)], {}, ValueError, "outline: must be a list of"),
        ([("a", "b")] * 3, {}, TypeError, "outline: must hold real numbers"),
        ([], {}, ValueError, r"outline: must have shape \(n, 2\), got \(0,\)"),
    ],
)
def test_bad_terrain(outline, keywords, error, message):
    with pytest.raises(error, match=f"^{message}"):
        Terrain(outline, **{"kind": "hill"} | keywords)


def test_pickled_boards_leave_behind_what_is_made_again() -> None:
    board = Board([Unit("spears", (20, 20), models=20)])
    before = len(pickle.dumps(board))
    board._derived["table"] = np.zeros(10_000)
    copy = pickle.loads(pickle.dumps(board))
    assert len(pickle.dumps(board)) == before
    assert copy == board
    assert copy._derived == {}
