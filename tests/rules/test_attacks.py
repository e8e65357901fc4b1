"""Attack rights and pools of hits by hand; tests/rules/test_attack_laws.py compares them with an oracle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninthgeom import Attached, Board, Rows, Scene, Unit
from ninthgeom.t9a import SECOND_EDITION, Duels, attacks, hit_pool, may_attack
from ninthgeom.t9a._places import places_of
from ninthgeom.t9a.kinds import AttackReason, ContactKind
from tests.rules.attack_oracle import grid_of, rows_of

CONTACT, SUPPORT, SWIRL, DUEL = AttackReason
TOUCH, GAP, ROUND, BY_DUEL = ContactKind
FRONT, LEFT, REAR, RIGHT = 1, 2, 4, 8

MM = (20, 20)


def touching(*pairs: tuple[int, ...], kind: int = TOUCH) -> Rows:
    """One state: pairs of slots in contact, both to the front, or (slot, slot, facing, facing)."""
    both = [(*pair, FRONT, FRONT)[:4] for pair in pairs]
    return rows_of([(0, a, b, kind, f) for a, b, f, _ in both] + [(0, b, a, kind, f) for a, b, _, f in both])


def rights(board: Board, contacts: Rows, **more: Any) -> dict[tuple[int, int], int]:
    """What may_attack says in a single state: (model, other) -> reason."""
    answer = may_attack(board, contacts, **more)
    assert list(answer.columns) == ["state", "model", "other", "reason"]
    assert answer.shape == contacts.shape
    assert not answer.state.any()
    triples = zip(answer.model.tolist(), answer.other.tolist(), answer.reason.tolist(), strict=True)
    return {(model, other): reason for model, other, reason in triples}


def of(answer: dict[tuple[int, int], int], model: int) -> dict[int, int]:
    """Whom a model may attack, and why."""
    return {other: reason for (own, other), reason in answer.items() if own == model}


def without(board: Board, *slots: int) -> np.ndarray:
    mask = board.occupied.copy()
    mask[list(slots)] = False
    return mask


@pytest.fixture
def board() -> Board:
    """Slots 0-14: spears, three ranks of five; 15-24: orcs, two ranks of five."""
    return Board([Unit("spears", MM, models=15), Unit("orcs", MM, models=10, side=1)])


# ------------------------------------------------------------------------------------------- contact


def test_models_attack_whom_they_are_in_contact_with(board):
    answer = rights(board, touching((0, 15), (0, 16), (4, 19, RIGHT, LEFT)), supporting_ranks=0)
    assert answer == {(0, 15): 1, (0, 16): 1, (4, 19): 1, (15, 0): 1, (16, 0): 1, (19, 4): 1}


@pytest.mark.parametrize("kind", [TOUCH, GAP, ROUND])
def test_any_kind_of_contact_will_do(board, kind):
    answer = rights(board, touching((0, 15), kind=kind))
    assert answer == {(0, 15): 1, (15, 0): 1, (5, 15): 2, (20, 0): 2}


def test_only_rows_of_the_model_count():
    board = Board([Unit("a", MM), Unit("b", MM)])
    assert rights(board, rows_of([(0, 1, 0, TOUCH, FRONT)])) == {(1, 0): 1}


def test_models_that_died_since_neither_attack_nor_are_attacked(board):
    contacts = touching((0, 15), (0, 16), (1, 16))
    assert rights(board, contacts, occupied=without(board, 0, 5)) == {
        (1, 16): 1,
        (6, 16): 2,
        (16, 1): 1,
        (21, 1): 2,
    }


# ------------------------------------------------------------------------------------------- support


def test_the_second_rank_supports_the_model_in_front(board):
    answer = rights(board, touching((1, 15), (1, 16)))
    assert of(answer, 6) == {15: SUPPORT, 16: SUPPORT}
    assert of(answer, 11) == of(answer, 5) == of(answer, 0) == {}
    assert of(answer, 20) == of(answer, 21) == {1: SUPPORT}


def test_e45_nobody_supports_through_a_flank_or_the_rear(board):
    for facing in (LEFT, REAR, RIGHT, LEFT | REAR):
        assert of(rights(board, touching((0, 15, facing, FRONT))), 5) == {}
    assert of(rights(board, touching((0, 15, FRONT | LEFT, FRONT))), 5) == {15: SUPPORT}
    # One enemy in front, one in the flank: support reaches the first only.
    assert of(rights(board, touching((0, 15), (0, 16, LEFT, FRONT))), 5) == {15: SUPPORT}


def test_e46_a_model_of_the_second_rank_in_contact_itself_fights_instead(board):
    answer = rights(board, touching((0, 15), (5, 19, LEFT, FRONT)))
    assert of(answer, 5) == {19: CONTACT}


def test_e47_nobody_supports_across_an_empty_place_until_the_ranks_are_filled(board):
    contacts = touching((0, 15))
    fallen = without(board, 0)
    assert rights(board, contacts, occupied=fallen) == {}  # third edition: everybody stays where he stood
    filled = board.fill_ranks(fallen)  # second edition: the gap is filled at once
    assert filled[0]
    assert not filled[14]
    assert of(rights(board, contacts, occupied=filled), 0) == {15: CONTACT}
    assert of(rights(board, contacts, occupied=filled), 5) == {15: SUPPORT}


def test_more_ranks_may_support(board):
    contacts = touching((0, 15))
    assert of(rights(board, contacts), 10) == {}
    assert of(rights(board, contacts, supporting_ranks=2), 10) == {15: SUPPORT}
    assert of(rights(board, contacts, supporting_ranks=10**12), 10) == {15: SUPPORT}
    assert rights(board, contacts, supporting_ranks=0) == {(0, 15): 1, (15, 0): 1}
    by_unit = rights(board, contacts, supporting_ranks=[2, 0])
    assert by_unit == {(0, 15): 1, (5, 15): 2, (10, 15): 2, (15, 0): 1}


def test_the_third_rank_needs_all_places_before_it(board):
    for place in (0, 5):
        answer = rights(board, touching((0, 15)), supporting_ranks=2, occupied=without(board, place))
        assert of(answer, 10) == {}
    # It may support although the one before it fights himself.
    answer = rights(board, touching((0, 15), (5, 19, LEFT, FRONT)), supporting_ranks=2)
    assert of(answer, 10) == {15: SUPPORT}


def test_line_formation_adds_a_rank_from_eight_files_on():
    for files, ranks in ((7, 2), (8, 3)):
        own = Unit("line", MM, models=3 * files, files=files)
        board = Board([own, Unit("ogre", (40, 40), side=1)])
        contacts = touching((0, 3 * files))
        second = rights(board, contacts, rules=SECOND_EDITION)
        assert sorted(model for model, _ in second if model < 3 * files) == [k * files for k in range(ranks)]
        third = rights(board, contacts)
        assert sorted(model for model, _ in third if model < 3 * files) == [0, files]


def test_the_rank_supports_whoever_stands_in_front():
    captain = Attached("captain", MM, place=(0, 0))
    sergeant = Attached("sergeant", MM, place=(1, 1))
    board = Board(
        [Unit("spears", MM, models=4, files=3, attached=[captain, sergeant]), Unit("ogre", (40, 40))]
    )
    # Slots: 0 1 in front beside the captain, 4; 2 and 3 behind beside the sergeant, 5.
    answer = rights(board, touching((4, 6), (0, 6)))
    assert {model: reason for (model, _), reason in answer.items()} == {0: 1, 2: 2, 4: 1, 5: 2, 6: 1}


def test_large_bases_stand_in_all_their_files_and_in_their_foremost_rank():
    lord = Attached("lord", (40, 40), place=(0, 0))
    great = Attached("great", (40, 20), place=(2, 1))
    unit = Unit("spears", MM, models=6, files=3, attached=[lord, great])
    board = Board([unit, Unit("foe", MM, models=3, side=1)])
    grid = grid_of(unit)
    assert [[grid[rank, file] for file in range(3)] for rank in range(4)] == [
        [6, 6, 0],
        [6, 6, 1],
        [2, 7, 7],
        [3, 4, 5],
    ]
    lord, great, foe = 6, 7, 8
    contacts = touching((lord, foe), (0, foe + 1))
    assert of(rights(board, contacts), 1) == {foe + 1: SUPPORT}
    assert of(rights(board, contacts), 2) == of(rights(board, contacts), great) == {}
    wide = rights(board, contacts, supporting_ranks=2)
    assert of(wide, 2) == {foe: SUPPORT}
    assert of(wide, great) == {foe: SUPPORT, foe + 1: SUPPORT}
    assert of(wide, 3) == {}
    # In the file whose second place is empty he supports nobody, in the other one he does.
    assert of(rights(board, contacts, supporting_ranks=2, occupied=without(board, 1)), great) == {
        foe: SUPPORT
    }
    # Both front models in contact with the same enemy: he attacks it once.
    both = rights(board, touching((lord, foe), (0, foe)), supporting_ranks=3)
    assert of(both, great) == {foe: SUPPORT}
    assert {model for model, other in both if other == foe} == {0, 1, 2, 3, 4, 5, lord, great}


def test_nobody_stands_behind_a_character_beside_the_ranks():
    rider = Attached("rider", (25, 50), place="left")
    board = Board([Unit("spears", MM, models=6, files=3, attached=[rider]), Unit("ogre", (40, 40), side=1)])
    assert {model for model, other in rights(board, touching((6, 7))) if other == 7} == {6}
    assert of(rights(board, touching((0, 7))), 6) == {}


def test_skirmishers_have_ranks_and_files_too():
    boss = Attached("boss", (60, 20), place=(0, 0))
    unit = Unit("scouts", MM, models=6, files=4, formation="skirmish", attached=[boss])
    board = Board([unit, Unit("ogre", (40, 40), side=1)])
    # boss boss boss 0 / 1 2 3 4 / 5 6 7 8, of which the last three are empty
    boss, ogre = 9, 10
    answer = rights(board, touching((boss, ogre)), supporting_ranks=2)
    assert {model for model, other in answer if other == ogre} == {boss, 1, 2, 3, 5}


def test_single_models_of_any_shape():
    board = Board(
        [Unit("disc", 60, shape="round"), Unit("egg", (50, 75), shape="oval"), Unit("box", (50, 75))]
    )
    contacts = touching((0, 1), (0, 2), (1, 2), kind=ROUND)
    assert set(rights(board, contacts).values()) == {CONTACT}
    assert len(rights(board, contacts)) == 6


# --------------------------------------------------------------------------------------------- swirl


@pytest.fixture
def led() -> Board:
    """Slots 0-9: two ranks of spears; 10-12: orcs, their boss, 13, at the left of 10; 14: a troll."""
    boss = Attached("boss", MM, place=(0, 0))
    orcs = Unit("orcs", MM, models=3, files=2, side=1, attached=[boss])
    return Board([Unit("spears", MM, models=10), orcs, Unit("troll", (40, 40), side=1)])


def test_who_only_reaches_a_character_may_swirl(led):
    boss = 13
    answer = rights(led, touching((0, boss)))
    assert of(answer, 0) == {boss: CONTACT, 10: SWIRL, 11: SWIRL, 12: SWIRL}
    assert of(answer, 5) == {boss: SUPPORT, 10: SWIRL, 11: SWIRL, 12: SWIRL}
    assert of(answer, 1) == {}
    # Characters do not, and neither do those who stand behind one: they support.
    assert of(answer, boss) == {0: CONTACT}


def test_who_reaches_any_rank_and_file_may_not_swirl(led):
    boss, troll = 13, 14
    assert of(rights(led, touching((0, boss), (0, 10))), 0) == {boss: CONTACT, 10: CONTACT}
    assert of(rights(led, touching((0, boss), (0, troll, LEFT, FRONT))), 0) == {boss: CONTACT, troll: CONTACT}
    # A supporter does not reach what its front model is in contact with in the flank.
    answer = rights(led, touching((0, boss), (0, troll, LEFT, FRONT)))
    assert of(answer, 5) == {boss: SUPPORT, 10: SWIRL, 11: SWIRL, 12: SWIRL}


def test_champions_count_as_characters_do_for_swirling(led):
    contacts = touching((0, 10))
    assert of(rights(led, contacts), 0) == {10: CONTACT}
    answer = rights(led, contacts, champions=[10])
    assert of(answer, 0) == {10: CONTACT, 11: SWIRL, 12: SWIRL}
    assert of(answer, 10) == {0: CONTACT}
    assert of(rights(led, contacts, champions=[0, 10]), 0) == {10: CONTACT}  # nor does a champion himself


def test_lone_characters_are_told_as_champions(led):
    troll = 14
    assert of(rights(led, touching((0, troll))), 0) == {troll: CONTACT}
    contacts = touching((0, troll), (0, 13))
    assert of(rights(led, contacts), 0) == {troll: CONTACT, 13: CONTACT}
    answer = rights(led, contacts, champions=[troll])
    assert of(answer, 0) == {troll: CONTACT, 13: CONTACT, 10: SWIRL, 11: SWIRL, 12: SWIRL}


def test_nobody_swirls_onto_the_dead(led):
    answer = rights(led, touching((0, 13)), occupied=without(led, 11, 12))
    assert of(answer, 0) == {13: CONTACT, 10: SWIRL}


def test_e44_who_touches_only_a_duelling_champion_may_swirl(board):
    # The champion of the orcs, 15, fights the one of the spears, 4, at the other end.
    contacts = touching((0, 15), (1, 15), (1, 16))
    answer = rights(board, contacts, duels=Duels([4], [15]), champions=[4, 15])
    others = dict.fromkeys(range(16, 25), SWIRL)
    assert of(answer, 0) == of(answer, 5) == others
    assert of(answer, 1) == {16: CONTACT}
    assert of(answer, 6) == {16: SUPPORT}
    assert of(answer, 4) == {15: DUEL}
    assert of(answer, 15) == {4: DUEL}
    # So it is with a duellist whom nobody has called a champion.
    assert rights(board, contacts, duels=Duels([4], [15])) == answer


# --------------------------------------------------------------------------------------------- duels


def test_e43_duellists_attack_each_other_however_far_apart(board):
    assert rights(board, rows_of([]), duels=Duels([0], [24])) == {(0, 24): DUEL, (24, 0): DUEL}
    by_duel = touching((0, 24), kind=BY_DUEL)
    assert rights(board, by_duel, duels=Duels([24], [0])) == {(0, 24): DUEL, (24, 0): DUEL}


def test_duellists_attack_nobody_else_and_nobody_else_attacks_them(board):
    contacts = touching((0, 15), (0, 16), (1, 15), (1, 16))
    answer = rights(board, contacts, duels=Duels([0], [15]))
    assert of(answer, 0) == {15: DUEL}
    assert of(answer, 15) == {0: DUEL}
    assert of(answer, 1) == {16: CONTACT}
    assert of(answer, 16) == {1: CONTACT}
    assert {other for model, other in answer if model not in (0, 15)} == {1, 16}
    # The model behind a duellist still supports him, but not against his opponent.
    assert of(answer, 5) == {16: SUPPORT}


def test_nobody_supports_a_duellist_who_is_in_contact_by_the_duel_only(board):
    answer = rights(board, touching((0, 24), kind=BY_DUEL), duels=Duels([0], [24]))
    assert of(answer, 5) == {}


def test_a_duellist_of_the_second_rank_supports_nobody(board):
    answer = rights(board, touching((0, 15)), duels=Duels([5], [19]))
    assert of(answer, 5) == {19: DUEL}
    assert of(answer, 0) == {15: CONTACT}


def test_a_removed_duellist_stays_the_only_target_of_the_other(board):
    contacts = touching((0, 15), (1, 15), (0, 16))
    duels = Duels([0], [15])
    for removed, expected in (
        ([[True, False]], {(15, 0): DUEL}),
        ([[False, True]], {(0, 15): DUEL}),
        ([[True, True]], {}),
    ):
        answer = rights(board, contacts, duels=duels.remove(removed))
        assert {pair: reason for pair, reason in answer.items() if {0, 15} & {*pair}} == expected


def test_a_duellist_whose_slot_is_empty_counts_as_removed(board):
    contacts = touching((1, 16))
    for dead, expected in (((0,), {(15, 0): DUEL}), ((15,), {(0, 15): DUEL}), ((0, 15), {})):
        answer = rights(board, contacts, duels=Duels([0], [15]), occupied=without(board, *dead))
        assert {pair: reason for pair, reason in answer.items() if {0, 15} & {*pair}} == expected
        assert of(answer, 1) == {16: CONTACT}


def test_the_slot_of_a_removed_duellist_is_his_until_the_phase_ends(board):
    duels = Duels([0], [15]).remove([[False, True]])
    filled = board.fill_ranks(without(board, 15))
    assert filled[15]
    contacts = touching((0, 15), (1, 15))
    answer = rights(board, contacts, duels=duels, occupied=filled)
    assert of(answer, 15) == {}
    assert of(answer, 0) == {15: DUEL}
    assert set(of(answer, 1).values()) == {SWIRL}  # it reaches a duellist only
    assert 15 not in of(answer, 1)
    assert of(answer, 20) == {1: SUPPORT}  # the place is held: it supports past it
    after = rights(board, contacts, duels=duels.advance(), occupied=filled)
    assert of(after, 15) == {0: CONTACT, 1: CONTACT}


def test_behind_a_duellist_who_is_gone_nobody_supports(board):
    answer = rights(board, touching((0, 15), (0, 16)), duels=Duels([0], [15]), occupied=without(board, 0))
    assert of(answer, 5) == {}


def test_duels_that_are_over_count_for_nothing(board):
    contacts = touching((0, 15), (1, 16))
    over = Duels([0], [15]).advance(combat_ended=True)
    assert may_attack(board, contacts, duels=over) == may_attack(board, contacts)


def test_duels_belong_to_their_states(board):
    contacts = rows_of([(s, 0, 15, TOUCH, FRONT) for s in range(3)], (3,))
    answer = may_attack(board, contacts, duels=Duels([4, 0], [20, 16], state=[2, 1]), supporting_ranks=0)
    found = zip(answer.state.tolist(), answer.model.tolist(), answer.other.tolist(), strict=True)
    assert list(found) == [(0, 0, 15), (1, 0, 16), (1, 16, 0), (2, 0, 15), (2, 4, 20), (2, 20, 4)]
    everywhere = may_attack(board, contacts, duels=Duels([0], [15]), supporting_ranks=0)
    assert everywhere.reason.tolist() == [DUEL] * 6


# -------------------------------------------------------------------------------------------- shapes


@pytest.mark.parametrize("shape", [(0,), (3, 0), (2, 2), (), (1, 1, 4)])
def test_states_without_rows(board, shape):
    answer = may_attack(board, rows_of([], shape))
    assert len(answer) == 0
    assert answer.shape == shape
    assert [column.dtype for column in answer.columns.values()] == [np.intp, np.intp, np.intp, np.uint8]
    n_states = int(np.prod(shape))
    duelling = may_attack(board, rows_of([], shape), duels=Duels([0], [15]))
    assert duelling.state.tolist() == [s for s in range(n_states) for _ in range(2)]


def test_a_board_without_units():
    board = Board([])
    assert len(may_attack(board, rows_of([], (2,)))) == 0
    assert hit_pool(board, [], []).shape == (0, 0)


def test_leading_axes_and_masks_that_broadcast(board):
    contacts = rows_of([(s, 0, 15, TOUCH, FRONT) for s in range(6)], (2, 3))
    masks = np.stack([board.occupied, without(board, 0), without(board, 5)])
    expected = may_attack(board, contacts, occupied=np.broadcast_to(masks, (2, 3, board.n_models)))
    assert expected.shape == (2, 3)
    assert expected.state.tolist() == [0, 0, 2, 3, 3, 5]
    assert may_attack(board, contacts, occupied=masks) == expected
    one = may_attack(board, contacts, occupied=without(board, 0)[None, None])
    assert len(one) == 0


def test_contacts_are_not_changed_and_answers_are_read_only(board):
    contacts = touching((0, 15))
    before = {name: column.copy() for name, column in contacts.columns.items()}
    answer = may_attack(board, contacts, duels=Duels([0], [15]))
    assert all(np.array_equal(before[name], column) for name, column in contacts.columns.items())
    with pytest.raises(ValueError, match="read-only"):
        answer.model[0] = 1


# -------------------------------------------------------------------------------------------- places


def test_ranks_and_files_of_all_kinds_of_units():
    units = [
        Unit("disc", 60, shape="round"),
        Unit("egg", (75, 50), shape="oval"),
        Unit("long", MM, models=7, files=1),
        Unit("plain", (25, 50), models=13),
        Unit("led", MM, models=13, attached=[Attached(name, MM) for name in ("a", "b", "c")]),
        Unit("large", MM, models=9, files=7, attached=[Attached("a", (40, 40)), Attached("b", MM)]),
        Unit("tail", MM, models=3, files=3, attached=[Attached("a", (20, 80)), Attached("side", (25, 50))]),
        Unit("loose", MM, models=9, files=6, formation="skirmish", attached=[Attached("a", (60, 60))]),
        Unit("pair", MM, models=9, files=5, formation="skirmish", attached=[Attached("s", (90, 25))]),
    ]
    board = Board(units)
    places = places_of(board)
    assert places_of(board) is places
    start = 0
    for u, (unit, slots) in enumerate(zip(units, board.model_slices, strict=True)):
        cells = grid_of(unit)
        grid = [[slots.start + cells[r, f] for r in range(unit.ranks)] for f in range(unit.files)]
        assert places.files[u] == unit.files
        assert places.ranks[u] == unit.ranks
        for f, file in enumerate(grid):
            first = places.file_start[start + f]
            assert places.cells[first : first + unit.ranks].tolist() == file
        for slot in range(slots.start, slots.stop):
            own = [cell for cell, k in cells.items() if k == slot - slots.start]
            assert places.rank[slot] == min((rank for rank, _ in own), default=0)
            assert places.n_files[slot] == len({file for _, file in own})
            if own:
                assert places.first_file[slot] == start + min(file for _, file in own)
        start += unit.files
    assert len(places.file_start) == start


# -------------------------------------------------------------------------------------------- errors


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"board": None}, TypeError, "board must be Board, got NoneType"),
        ({"contacts": None}, TypeError, "contacts must be Rows, got NoneType"),
        ({"rules": 3}, TypeError, "rules must be Rules, got int"),
        ({"duels": [(0, 15)]}, TypeError, "duels must be Duels, got list"),
        ({"duels": Duels([0, 1], [15, 25])}, ValueError, r"duels.second\[1\]: must be from 0 to 24, got 25"),
        ({"duels": Duels([99], [15])}, ValueError, r"duels.first\[0\]: must be from 0 to 24, got 99"),
        ({"duels": Duels([0], [15], state=[2])}, ValueError, r"duels.state\[0\]: must be from 0 to 1, got 2"),
        ({"duels": Duels([0, 1], [15, 2])}, ValueError, r"duels.second\[1\]: .*both are of unit 'spears'"),
        ({"champions": [0, 25]}, ValueError, r"champions\[1\]: must be from 0 to 24, got 25"),
        ({"champions": [-1]}, ValueError, r"champions\[0\]: must be from 0 to 24, got -1"),
        (
            {"champions": np.array([2**64 - 1], np.uint64)},
            ValueError,
            r"champions\[0\]: must be from 0 to 24, got 18446744073709551615",
        ),
        ({"champions": 3}, ValueError, r"champions: must have one axis, got shape \(\)"),
        ({"champions": [True]}, TypeError, "champions: must hold integers, got dtype bool"),
        ({"supporting_ranks": -1}, ValueError, "supporting_ranks: must be at least 0, got -1"),
        ({"supporting_ranks": 1.5}, TypeError, "supporting_ranks: must be a whole number, got"),
        ({"supporting_ranks": True}, TypeError, "supporting_ranks: must be a whole number, got"),
        ({"supporting_ranks": [1, 2, 3]}, ValueError, "supporting_ranks: must have length 2, got 3"),
        ({"supporting_ranks": [1, -2]}, ValueError, r"supporting_ranks\[1\]: must be at least 0, got -2"),
        ({"occupied": [True] * 24}, ValueError, r"occupied: must have shape \(..., 25\)"),
        ({"occupied": [1] * 25}, TypeError, "occupied must hold booleans"),
        (
            {"occupied": np.ones((3, 25), bool)},
            ValueError,
            r"occupied: the leading axes \(3,\) do not broadcast",
        ),
        ({"occupied": np.ones((4, 2, 25), bool)}, ValueError, r"occupied: the leading axes \(4, 2\) do not"),
    ],
)
def test_arguments_that_do_not_fit(board, more, error, message):
    contacts = rows_of([(0, 0, 15, TOUCH, FRONT), (1, 0, 15, TOUCH, FRONT)], (2,))
    with pytest.raises(error, match=message):
        may_attack(**{"board": board, "contacts": contacts, **more})


@pytest.mark.parametrize(
    ("contacts", "message"),
    [
        ([(0, 0, 15, 1, 1), (1, 0, 25, 1, 1)], r"contacts.other\[1\]: must be from 0 to 24, got 25"),
        ([(0, -1, 15, 1, 1)], r"contacts.model\[0\]: must be from 0 to 24, got -1"),
        (
            [(0, 0, 15, 1, 1), (1, 0, 1, 1, 1)],
            r"contacts.other\[1\]: slot 1 of 'spears' does not oppose slot 0 of",
        ),
        ([(0, 0, 15, 1, 1), (0, 0, 15, 2, 1)], r"contacts.other\[1\]: rows must be sorted"),
        (
            [(0, 0, 15, 1, 1), (1, 1, 15, 4, 1)],
            r"contacts.kind\[1\]: slots 1 and 15 fight no active duel .*state 1",
        ),
    ],
)
def test_rows_that_are_no_contacts_of_this_board(board, contacts, message):
    with pytest.raises(ValueError, match=message):
        may_attack(board, rows_of(contacts, (2,)))


def test_slots_of_rows_are_reported_as_they_were_given(board):
    other = np.array([2**63 + 5], np.uint64)
    columns = {"state": [0], "model": [0], "other": other, "kind": [1], "facing": [1]}
    with pytest.raises(ValueError, match=r"contacts.other\[0\]: .* to 24, got 9223372036854775813"):
        may_attack(board, Rows(columns, ()))


def test_rows_that_are_not_sorted(board):
    names = ("state", "model", "other", "kind", "facing")
    for model, other in (([1, 0], [15, 15]), ([0, 0], [16, 15])):
        columns = dict(zip(names, ([0, 0], model, other, [1, 1], [1, 1]), strict=True))
        with pytest.raises(ValueError, match=r"contacts.other\[1\]: rows must be sorted"):
            may_attack(board, Rows(columns, ()))


def test_rows_that_are_not_sorted_in_a_later_state(board, monkeypatch):
    monkeypatch.setattr(attacks, "_SCRATCH_BYTES", 1)  # every state is a chunk of its own
    columns = {"state": [0, 1, 1], "model": [1, 1, 0], "other": [15] * 3, "kind": [1] * 3, "facing": [1] * 3}
    with pytest.raises(ValueError, match=r"contacts.other\[2\]: rows must be sorted"):
        may_attack(board, Rows(columns, (2,)))
    columns["model"], columns["kind"] = [1, 0, 1], [1, 1, 4]
    with pytest.raises(
        ValueError, match=r"contacts.kind\[2\]: slots 1 and 15 fight no active duel .* state 1"
    ):
        may_attack(board, Rows(columns, (2,)))
    columns["kind"], columns["other"] = [1] * 3, [15, 3, 15]
    with pytest.raises(ValueError, match=r"contacts.other\[1\]: slot 3 .* does not oppose slot 0"):
        may_attack(board, Rows(columns, (2,)))


def test_rows_with_other_columns(board):
    with pytest.raises(ValueError, match="contacts must have a column 'kind'"):
        may_attack(board, Rows({"state": [0], "model": [0], "other": [15]}, ()))
    columns = {"state": [0], "model": [0.0], "other": [15], "kind": [1], "facing": [1]}
    with pytest.raises(TypeError, match=r"contacts\.model: must hold integers, got dtype float64"):
        may_attack(board, Rows(columns, ()))


def test_contacts_by_a_duel_that_is_not_given(board):
    contacts = touching((0, 15), (1, 16), kind=BY_DUEL)
    with pytest.raises(ValueError, match="slots 1 and 16 fight no active duel"):
        may_attack(board, contacts, duels=Duels([0, 1], [15, 16])[[True, False]])
    assert len(may_attack(board, contacts, duels=Duels([0, 1], [15, 16]))) == 4
    with pytest.raises(ValueError, match="slots 1 and 16 fight no active duel"):
        may_attack(board, contacts, duels=Duels([0, 1], [15, 17]))


def test_allies_fight_no_duels():
    board = Board([Unit("a", MM), Unit("b", MM), Unit("c", MM, side=1)])
    with pytest.raises(ValueError, match="'a' and 'b' are not on opposing sides"):
        may_attack(board, rows_of([]), duels=Duels([0], [1]))


# ------------------------------------------------------------------------------------------ hit pools


def pool(board: Board, attacker: int, unit: int | str, **more: Any) -> list[int]:
    (mask,) = hit_pool(board, [attacker], [unit], **more)
    return np.flatnonzero(mask).tolist()


def test_hits_on_a_unit_go_to_all_its_living_models(board):
    assert pool(board, 0, "orcs") == list(range(15, 25))
    assert pool(board, 0, 1, occupied=without(board, 16, 3)) == [15, *range(17, 25)]


def test_hits_never_go_to_a_duellist(board):
    assert pool(board, 1, "orcs", duels=Duels([0], [15])) == list(range(16, 25))
    assert pool(board, 17, "spears", duels=Duels([0], [15])) == list(range(1, 15))


def test_hits_of_a_duellist_only_go_to_the_other_one(board):
    board = Board([*board.units, Unit("trolls", (40, 40), models=3, side=1)])
    duels = Duels([0], [15])
    assert pool(board, 0, "orcs", duels=duels) == [15]
    assert pool(board, 15, "spears", duels=duels) == [0]
    assert pool(board, 0, "trolls", duels=duels) == []  # only against the unit of his opponent
    assert pool(board, 0, "trolls", duels=duels.advance(combat_ended=True)) == [25, 26, 27]


def test_the_hits_of_a_duellist_go_to_the_other_one_even_when_he_is_removed(board):
    duels = Duels([0], [15]).remove([[False, True]])
    dead = without(board, 15)
    assert pool(board, 0, "orcs", duels=duels, occupied=dead) == [15]
    assert pool(board, 0, "orcs", duels=Duels([0], [15]), occupied=dead) == [15]
    assert pool(board, 1, "orcs", duels=duels) == list(range(16, 25))  # his slot is still his own


def test_pools_of_many_states(board):
    masks = np.stack([board.occupied, without(board, 16)])
    duels = Duels([0, 4], [15, 17], state=[1, 0])
    found = hit_pool(board, [0, 0, 4, 4], ["orcs"] * 4, duels=duels, state=[0, 1, 1, 0], occupied=masks)
    assert found.shape == (4, 25)
    assert [np.flatnonzero(row).tolist() for row in found] == [
        [15, 16, *range(18, 25)],
        [15],
        list(range(17, 25)),
        [17],
    ]
    # Without states of their own, masks hold in all, and so do duels.
    everywhere = hit_pool(board, [0, 1], [1, 1], duels=Duels([0], [15]), state=[7, 9])
    assert np.flatnonzero(everywhere[0]).tolist() == [15]
    assert not everywhere[1, 15]
    two_axes = hit_pool(board, [0], [1], state=[1], occupied=masks.reshape(1, 2, -1))
    assert not two_axes[0, 16]


def test_no_attacks_no_pools(board):
    assert hit_pool(board, [], [], duels=Duels([0], [15])).shape == (0, 25)
    assert hit_pool(board, [], [], occupied=np.ones((3, 25), bool)).shape == (0, 25)


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"attackers": [0, 25]}, ValueError, r"attackers\[1\]: must be from 0 to 24, got 25"),
        (
            {"attackers": np.array([0, 2**63], np.uint64)},
            ValueError,
            r"attackers\[1\]: must be from 0 to 24, got 9223372036854775808",
        ),
        ({"attackers": [0.0, 1.0]}, TypeError, "attackers: must hold integers, got dtype float64"),
        ({"attackers": 0}, ValueError, r"attackers: must have one axis, got shape \(\)"),
        ({"attackers": [0]}, ValueError, "units: must have length 1, got 2"),
        ({"units": ["orcs", "orks"]}, ValueError, "units: no unit is named 'orks'; did you mean 'orcs'"),
        ({"units": None}, TypeError, "units must be a sequence of names or indices, got None"),
        ({"units": [0, 2]}, ValueError, r"units: units\[1\] must be from 0 to 1, got 2"),
        ({"state": [0]}, ValueError, "state: must have length 2, got 1"),
        ({"state": [0, -1]}, ValueError, r"state\[1\]: must be at least 0, got -1"),
        ({"occupied": np.ones((3, 25), bool)}, ValueError, "state: must be given, as occupied has 3 states"),
        (
            {"occupied": np.ones((3, 25), bool), "state": [0, 3]},
            ValueError,
            r"state\[1\]: must be from 0 to 2, got 3",
        ),
        (
            {"occupied": np.ones((1, 25), bool), "duels": Duels([0], [15], state=[1])},
            ValueError,
            r"duels.state\[0\]: must be from 0 to 0, got 1",
        ),
        ({"duels": Duels([0], [1])}, ValueError, r"duels.second\[0\]: slot 1 cannot fight slot 0"),
        ({"duels": "none"}, TypeError, "duels must be Duels, got str"),
    ],
)
def test_pools_that_cannot_be(board, more, error, message):
    with pytest.raises(error, match=message):
        hit_pool(**{"board": board, "attackers": [0, 1], "units": [1, 1], **more})


def test_a_scene_is_no_board(board):
    scene = Scene(board, np.zeros((2, 3)))
    with pytest.raises(TypeError, match=r"a scene has one, scene\.board"):
        hit_pool(scene, [0], [1])
    with pytest.raises(TypeError, match=r"a scene has one, scene\.board"):
        may_attack(scene, touching((0, 15)))


@pytest.mark.parametrize(
    ("column", "code", "range_"), [("kind", 0, "1 to 4"), ("kind", 9, "1 to 4"), ("facing", 16, "0 to 15")]
)
def test_codes_that_contacts_does_not_give_are_refused(column, code, range_):
    board = Board([Unit("a", (20, 20), side=0), Unit("b", (20, 20), side=1)])
    columns = {"state": [0], "model": [0], "other": [1], "kind": [1], "facing": [1]} | {column: [code]}
    with pytest.raises(ValueError, match=rf"contacts.{column}\[0\]: must be from {range_}, got {code}"):
        may_attack(board, Rows(columns, (1,)))


@pytest.mark.parametrize("marked", [True, False])
def test_a_removed_duellist_strikes_no_pool(marked):
    board = Board([Unit("a", (20, 20), models=3, side=0), Unit("b", (20, 20), models=3, side=1)])
    duels = Duels([0], [3])
    occupied = board.occupied.copy()
    if marked:
        duels = duels.remove([[True, False]])
    else:
        occupied[0] = False
    pools = hit_pool(board, [0, 3], ["b", "a"], duels=duels, occupied=occupied)
    assert pools.tolist() == [[False] * 6, [True] + [False] * 5]
