"""Worked cases of duels and of who may attack whom, E43 to E47; how they are drawn: see `plans.py`."""

from dataclasses import replace

import numpy as np
import pytest

from ninthgeom import Arc, Attached, t9a
from tests.rules.plans import COMPASS, EAST, NORTH, SOUTH, WEST, Plan, pairs, side

FRONT, LEFT, REAR, RIGHT = Arc.FRONT, Arc.LEFT, Arc.REAR, Arc.RIGHT
THIRD, SECOND = t9a.THIRD_EDITION, t9a.SECOND_EDITION
EDITIONS = pytest.mark.parametrize("rules", [THIRD, SECOND], ids=["third", "second"])
EACH_WAY = pytest.mark.parametrize("facing", COMPASS, ids=["north", "west", "south", "east"])


def test_every_case_is_asked_at_a_hundred_places():
    plan = Plan()
    assert plan.n_poses == len(set(plan.angles)) == 100


# ------------------------------------------------------------------------------------------------- duels, E43


def opposite_ends(above=SOUTH, below=NORTH):
    """Draw two lines of twelve files; A and 2 stand 200 mm apart, A and 1, B and 2 face each other."""
    plan = Plan()
    plan.block("above", 0, 40, "oooooooooooo AooooooooooB", above, side=0)
    plan.block("below", 0, 0, "1oooooooooo2 oooooooooooo", below, side=1)
    return plan


@EDITIONS
@EACH_WAY
@pytest.mark.parametrize("below", COMPASS, ids=["from north", "from west", "from south", "from east"])
def test_e43_duellists_at_opposite_ends(facing, below, rules):
    # E43. They count as touching, in the facings in which their units are engaged.
    plan = opposite_ends(facing, below)
    duels = plan.duel("A2")
    around = {"among": "AB12", "rules": rules}
    assert plan.contacts("above", **around) == pairs(touch="A1 B2")
    assert plan.contacts("above", duels=duels, **around) == pairs(touch="A1 B2", duel="A2")
    facings = plan.facings("above", duels=duels, **around)
    assert set(facings.values()) == {(side(facing, SOUTH), side(below, NORTH))}
    # Each attacks the other alone, and nobody else attacks either.
    assert plan.attacks("above", **around) == pairs(contact="A1 B2")
    assert plan.attacks("above", duels=duels, **around) == pairs(duel="A2")
    assert plan.attacks("below", duels=duels, **around) == pairs(duel="2A")
    everybody = plan.attacks("above", duels=duels, rules=rules)
    assert everybody["duel"] == {"A2"}
    others = {pair for kind in ("contact", "support") for pair in everybody.get(kind, ())}
    assert not [pair for pair in others if pair.startswith("A") or pair.endswith("2")]


def test_e43_duellists_who_touch():
    plan = opposite_ends()
    duels = plan.duel("A1")
    assert plan.contacts("above", among="AB12", duels=duels) == pairs(touch="A1 B2")
    assert plan.attacks("above", among="AB12", duels=duels) == pairs(duel="A1", contact="B2")


def test_e43_two_units_that_touch_in_a_corner():
    # Then both facings are those of the duel.
    plan = Plan()
    plan.block("above", 0, 40, "Aoo ooo", SOUTH, side=0)
    plan.block("below", 60, 0, "oo1", NORTH, side=1)
    duels = plan.duel("1A")
    assert plan.contacts("above", among="A1", duels=duels) == pairs(duel="A1")
    assert plan.facings("above", among="A1", duels=duels) == {"A1": (FRONT | LEFT, FRONT | LEFT)}
    rules = replace(THIRD, corner_facing="flank")
    assert plan.facings("above", among="A1", duels=duels, rules=rules) == {"A1": (LEFT, LEFT)}


def test_e43_in_their_states_only():
    plan = opposite_ends()
    duels = plan.duel("A2", "1B", "A2", state=[3, 3, 98])
    a, b, one, two = plan.slots("AB12")
    fights = [(3, a, two), (3, two, a), (3, b, one), (3, one, b), (98, a, two), (98, two, a)]
    contacts = t9a.contacts(plan.board, plan.positions, duels=duels)
    attacks = t9a.may_attack(plan.board, contacts, duels=duels)
    in_duel = contacts.kind == t9a.ContactKind.DUEL, attacks.reason == t9a.AttackReason.DUEL
    for rows in (contacts[in_duel[0]], attacks[in_duel[1]]):
        found = zip(rows.state.tolist(), rows.model.tolist(), rows.other.tolist(), strict=True)
        assert list(found) == sorted(fights)


def test_units_apart_have_no_contact_by_duel():
    plan = Plan()
    plan.block("above", 0, 40, "A", SOUTH, side=0)
    plan.block("below", 0, 0, "1", side=1)
    duels = plan.duel("A1")
    assert plan.contacts("above", duels=duels) == {}
    assert plan.attacks("above", duels=duels) == pairs(duel="A1")  # they must, wherever they stand


def test_a_removed_duellist_stays_the_only_target():
    # Rest of a duel whose A has been removed: 2 goes on against him, for overkill; nobody else may.
    plan = opposite_ends()
    duels = plan.duel("A2")
    around = {"among": "AB12"}
    for more in ({"duels": duels, "dead": "A"}, {"duels": duels.remove([[True, False]])}):
        assert plan.attacks("below", **around, **more) == pairs(duel="2A")
        assert plan.attacks("above", **around, **more) == {}
        assert plan.contacts("below", **around, **more)["duel"] == {"2A"}
    for more in ({"duels": duels, "dead": "A2"}, {"duels": duels.remove([[True, True]])}):
        assert plan.attacks("below", **around, **more) == {}
        assert plan.attacks("above", **around, **more) == {}


def test_a_duel_counts_where_only_the_removed_duellist_held_the_boundary():
    # F, all of the last rank, duels with 3, and falls: for their contact he still stands.
    plan = Plan()
    plan.block("above", 0, 60, "ooo ABC F..", side=0)
    plan.block("below", 0, 0, "123", side=1)
    duels = plan.duel("F3")
    assert plan.contacts("below", duels=duels)["duel"] == {"3F"}
    assert plan.contacts("below", duels=duels, dead="F") == pairs(duel="3F")
    assert plan.facings("below", duels=duels, dead="F") == {"3F": (FRONT, REAR)}
    assert plan.attacks("below", duels=duels, dead="F") == pairs(duel="3F")


def test_the_story_of_a_duel():
    plan = opposite_ends()
    duels = plan.duel("A2", combat=[7])
    with pytest.raises(ValueError, match="0"):
        duels.issue(*([slot] for slot in plan.slots("B1")), combat=[7])  # no second one in this combat
    # Nobody falls: it goes on in the next round.
    duels = duels.advance()
    assert duels.active.tolist() == [True]
    # A falls: over at the end of the phase, not before.
    duels = duels.remove([[True, False]])
    assert duels.active.tolist() == [True]
    over = duels.advance()
    assert over.active.tolist() == [False]
    assert t9a.advance(duels) == over
    assert plan.contacts("above", among="AB12", duels=over) == pairs(touch="A1 B2")
    assert plan.attacks("above", among="AB12", duels=over) == pairs(contact="A1 B2")
    # Then the next one may begin.
    again = over.issue(*([slot] for slot in plan.slots("B1")), combat=[7])
    assert again.active.tolist() == [False, True]
    assert plan.attacks("above", among="AB12", duels=again) == pairs(duel="B1")
    for event in ({"broke": True}, {"combat_ended": True}, {"still_engaged": False}):
        assert plan.duel("A2").advance(**event).active.tolist() == [False]


def test_hits_on_a_unit_pass_duellists_by():
    plan = opposite_ends()
    above, below = plan.index("above"), plan.index("below")
    plain = t9a.hit_pool(plan.board, plan.slots("12A"), [above, "above", below])
    assert plain.shape == (3, plan.board.n_models)
    for row, name in zip(plain, ("above", "above", "below"), strict=True):
        assert np.flatnonzero(row).tolist() == list(plan.slots_of(name))
    # 2 on the unit of A: A alone; on his own side's or another unit: nothing. 1 on it: all but A.
    duels = plan.duel("A2")
    pool = t9a.hit_pool(plan.board, plan.slots("212A"), [above, above, below, below], duels=duels)
    assert np.flatnonzero(pool[0]).tolist() == plan.slots("A")
    assert sorted({*plan.slots_of("above")} - {*np.flatnonzero(pool[1])}) == plan.slots("A")
    assert not pool[2].any()
    assert np.flatnonzero(pool[3]).tolist() == plan.slots("2")
    # The dead are hit by nobody, but by who fights them.
    dead = plan.living("AB")
    pool = t9a.hit_pool(plan.board, plan.slots("21"), [above, above], duels=duels, occupied=dead)
    assert np.flatnonzero(pool[0]).tolist() == plan.slots("A")
    assert sorted({*plan.slots_of("above")} - {*np.flatnonzero(pool[1])}) == sorted(plan.slots("AB"))


# ---------------------------------------------------------------------------------------- swirling melee, E44


def before_a_champion(below="12"):
    """Draw 1 and 2 before A alone; D, E, F and B, C are of his unit."""
    plan = Plan()
    plan.block("above", 0, 40, "DEF BAC", SOUTH, side=0)
    plan.block("below", 22, 0, below, cell=(8, 20), side=1)
    return plan


def each(models, others):
    """Every model with every other."""
    return " ".join(model + other for model in models for other in others)


def test_e44_who_touches_only_a_champion_in_a_duel_turns_to_the_others():
    # E44. 1 touches only A, who fights 2: it may attack all rank and file of his unit. E supports behind A.
    plan = before_a_champion()
    duels = plan.duel("A2")
    ask = {"duels": duels, "champions": "A2"}
    assert plan.contacts("below", duels=duels) == pairs(touch="1A 2A")
    assert plan.attacks("below", **ask) == pairs(duel="2A", swirl=each("1", "BCDEF"))
    assert plan.attacks("above", **ask) == pairs(duel="A2", support="E1")
    # Also without a list of champions: a duellist is out of reach, whoever he is.
    assert plan.attacks("below", duels=duels) == pairs(duel="2A", swirl=each("1", "BCDEF"))
    # The dead are no target, and another champion neither swirls nor is swirled onto.
    assert plan.attacks("below", dead="CF", **ask) == pairs(duel="2A", swirl=each("1", "BDE"))
    assert plan.attacks("below", duels=duels, champions="AE2") == pairs(duel="2A", swirl=each("1", "BCDF"))
    assert plan.attacks("below", duels=duels, champions="A12") == pairs(duel="2A")


def test_e44_who_supports_turns_to_the_others_too():
    plan = before_a_champion("12 ST")
    ask = {"duels": plan.duel("A2"), "champions": "A2"}
    assert plan.attacks("below", **ask) == pairs(duel="2A", swirl=each("1ST", "BCDEF"))


def test_swirling_without_a_duel():
    # Rank and file that reach only a champion attack him or the others, a champion only what he touches.
    plan = before_a_champion()
    contact = "1A 2A"
    assert plan.attacks("below", champions="A") == pairs(contact=contact, swirl=each("12", "BCDEF"))
    assert plan.attacks("below", champions="A2") == pairs(contact=contact, swirl=each("1", "BCDEF"))
    assert plan.attacks("below", champions="AE") == pairs(contact=contact, swirl=each("12", "BCDF"))
    assert plan.attacks("below") == pairs(contact=contact)  # A is one of the ranks, nobody turns away
    # Nobody of the ranks is left to turn to.
    assert plan.attacks("above") == pairs(contact="A1 A2", support="E1 E2")
    assert plan.attacks("above", champions="12") == pairs(contact="A1 A2", support="E1 E2")


def test_swirling_around_a_character():
    # K, who has joined the unit, stands in its ranks; he himself does not swirl.
    plan = Plan()
    captain = Attached("K", (20, 20), place=(0, 1))
    plan.block("above", 0, 40, "DEF B#C", SOUTH, attached=[captain], side=0)
    plan.block("below", 22, 0, "12 GH", cell=(8, 20), side=1)
    contact = pairs(contact="1K 2K", support="GK HK", swirl=each("12GH", "BCDEF"))
    assert plan.attacks("below") == contact
    assert plan.attacks("below", duels=plan.duel("K2")) == pairs(duel="2K", swirl=each("1GH", "BCDEF"))
    # K reaches only champions, and so does E behind him, who may turn to G and H instead.
    expected = pairs(contact="K1 K2", support="E1 E2", swirl="EG EH")
    assert plan.attacks("above", champions="12") == expected


# --------------------------------------------------------------------------------------- supporting, E45, E46


def flanked():
    """Draw A with S behind it, and an enemy at their right that touches only A."""
    plan = Plan()
    plan.block("above", 0, 40, "oA oS", NORTH, side=0)
    plan.block("flank", 40, 38, "1", WEST, cell=(20, 16), side=1)
    return plan


@EDITIONS
def test_e45_nobody_supports_against_a_flank(rules):
    # E45. A fights on its flank; S behind it does not support. Against an enemy before A it does.
    plan = flanked()
    assert plan.contacts("above", rules=rules) == pairs(touch="A1")
    assert plan.attacks("above", rules=rules) == pairs(contact="A1")
    assert plan.attacks("flank", rules=rules) == pairs(contact="1A")
    plan = Plan()
    plan.block("above", 0, 40, "oA oS", NORTH, side=0)
    plan.block("front", 22, 60, "2", SOUTH, cell=(16, 20), side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="A2", support="S2")


@EDITIONS
@pytest.mark.parametrize("facing", COMPASS[1:], ids=["west", "south", "east"])
def test_e45_nor_behind_a_model_in_contact_in_any_facing_but_the_front(facing, rules):
    # Two deep whatever way they face: the same enemy is in their rear or in a flank.
    plan = Plan()
    plan.block("above", 0, 40, "ab cd", facing, side=0)
    plan.block("enemy", 2, 60, "1", SOUTH, cell=(16, 20), side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="a1")


@pytest.mark.parametrize(
    ("reading", "facing", "support"),
    [
        ("both", SOUTH, "S1"),
        ("flank", SOUTH, ""),
        ("flank", WEST, ""),
        ("located", SOUTH, ""),  # the middle of its front is straight beside the corner
        ("located", WEST, "S1"),  # and here straight before it
    ],
)
def test_e45_support_at_a_corner_depends_on_the_facing(reading, facing, support):
    plan = Plan()
    plan.block("above", 0, 40, "oA oS", NORTH, side=0)
    plan.block("enemy", 40, 60, "1", facing, side=1)
    rules = replace(THIRD, corner_facing=reading)
    assert plan.attacks("above", rules=rules) == pairs(contact="A1", support=support)


@EDITIONS
def test_e46_who_touches_an_enemy_does_not_support(rules):
    # E46. 1 is at the flank of A and of S: S fights 1, and does not support A against 2 and 3 before it.
    plan = Plan()
    plan.block("above", 0, 40, "PA QS", NORTH, side=0)
    plan.block("flank", 40, 38, "1", WEST, cell=(20, 30), side=1)
    plan.block("front", 2, 60, "23", SOUTH, side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="A1 S1 A2 A3 P2", support="Q2")
    away = plan.there("flank")
    assert plan.attacks("above", rules=rules, present=away) == pairs(contact="A2 A3 P2", support="S2 S3 Q2")


@EDITIONS
def test_e46_on_the_other_flank_or_at_the_rear(rules):
    # The front and the enemy at the left flank of S and A; then one at the rear of S alone.
    plan = Plan()
    plan.block("above", 0, 40, "AP SQ", NORTH, side=0)
    plan.block("flank", -30, 38, "1", EAST, cell=(30, 30), side=1)
    plan.block("front", 18, 60, "23", SOUTH, side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="A1 S1 A2 P2 P3", support="Q2 Q3")
    plan = Plan()
    plan.block("above", 0, 40, "PA QS", NORTH, side=0)
    plan.block("rear", 22, 0, "1", NORTH, cell=(16, 20), side=1)
    plan.block("front", 2, 60, "23", SOUTH, side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="S1 A2 A3 P2", support="Q2")
    plan = Plan()
    plan.block("above", 0, 40, "PA QS", NORTH, side=0)
    plan.block("rear", 22, -1, "1", NORTH, cell=(16, 20), side=1)  # 1 mm off
    plan.block("front", 2, 60, "23", SOUTH, side=1)
    assert plan.attacks("above", rules=rules) == pairs(contact="A2 A3 P2", support="S2 S3 Q2")


def a_file(files=8):
    """Draw A before B, C and D in a unit of some files, and 1 before A alone."""
    plan = Plan()
    rest = "o" * (files - 1)
    plan.block("below", 0, 0, " ".join(letter + rest for letter in "ABCD"), side=0)
    plan.block("enemy", 2, 20, "1", SOUTH, cell=(16, 20), side=1)
    return plan


@pytest.mark.parametrize(
    ("rules", "files", "ranks", "support"),
    [
        (THIRD, 8, 1, "B1"),
        (THIRD, 8, 0, ""),
        (THIRD, 8, 2, "B1 C1"),
        (THIRD, 8, 3, "B1 C1 D1"),
        (THIRD, 8, [2, 0], "B1 C1"),
        (THIRD, 8, [0, 2], ""),
        (SECOND, 7, 1, "B1"),
        (SECOND, 8, 1, "B1 C1"),  # Line Formation
        (SECOND, 8, 2, "B1 C1 D1"),
        (replace(SECOND, line_formation=False), 8, 1, "B1"),
        (replace(THIRD, line_formation=True), 8, 1, "B1 C1"),
    ],
)
def test_how_many_ranks_support(rules, files, ranks, support):
    plan = a_file(files)
    assert plan.attacks("below", rules=rules, ranks=ranks) == pairs(contact="A1", support=support)


def test_support_passes_through_living_models_only():
    plan = a_file()
    assert plan.attacks("below", ranks=2, dead="B") == pairs(contact="A1")
    assert plan.attacks("below", ranks=2, dead="C") == pairs(contact="A1", support="B1")
    # Behind a dead model of the first rank the next one is in contact itself, across the gap.
    assert plan.contacts("below", dead="A") == pairs(gap="B1")
    assert plan.attacks("below", ranks=2, dead="A") == pairs(contact="B1")


# -------------------------------------------------------------------------------------- frozen or filled, E47


def charged_in_the_rear(away=0):
    """Draw F alone in the last rank, with enemies behind it; `away` is how far these are from the rear."""
    plan = Plan()
    plan.block("above", 0, 60, "xyz ABC F..", side=0)
    plan.block("below", 5, -away, "123", side=1)
    return plan


def test_e47_the_last_rank_dies_before_slower_attackers_strike():
    # E47. In the third edition boundaries and places stay until the combat is over, so A, B and C are reached
    # across the gap. In the second the unit is as it then stands, out of contact until somebody is nudged.
    plan = charged_in_the_rear()
    start = plan.living()
    before = pairs(touch="1F", gap="1B 2B 2C 3C")
    assert plan.contacts("below", rules=THIRD) == before
    assert plan.contacts("below", rules=SECOND, occupied=plan.board.fill_ranks(start)) == before
    then = plan.living("F")
    frozen = {"frozen": start, "occupied": then}
    assert plan.contacts("below", rules=THIRD, **frozen) == pairs(gap="1A 1B 2B 2C 3C")
    assert plan.attacks("below", rules=THIRD, **frozen) == pairs(contact="1A 1B 2B 2C 3C")
    assert plan.attacks("above", rules=THIRD, **frozen) == pairs(contact="A1 B1 B2 C2 C3")
    assert plan.engaged("above", "below", rules=THIRD, occupied=start) == REAR
    filled = plan.board.fill_ranks(then)
    assert plan.contacts("below", rules=SECOND, occupied=filled) == {}
    assert plan.attacks("below", rules=SECOND, occupied=filled) == {}
    nudged = charged_in_the_rear(away=-20)
    assert nudged.contacts("below", rules=SECOND, occupied=filled) == pairs(touch="1A 1B 2B 2C 3C")


@EDITIONS
def test_e47_who_stays_and_who_steps_up_is_for_the_caller_to_say(rules):
    # C dies. An edition chooses neither: the masks do, and what they give is the same under both.
    plan = charged_in_the_rear()
    start, then = plan.living(), plan.living("C")
    filled = plan.board.fill_ranks(then)  # F stands in the place of C
    for masks, expected in (
        ({"occupied": then}, pairs(contact="1B 1F 2B 2z 3z")),
        ({"occupied": then, "frozen": start}, pairs(contact="1B 1F 2B 2z 3z")),
        ({"occupied": filled}, {}),
        ({"occupied": filled, "frozen": start}, pairs(contact="1A 1B 2B 2C 3C")),
    ):
        assert plan.attacks("below", rules=rules, **masks) == expected


def test_e47_a_gap_in_a_rank_before_the_last():
    # C dies: the way to z is open, or F has stepped into the place of C and the last rank is gone.
    plan = charged_in_the_rear()
    then = plan.living("C")
    frozen = {"frozen": plan.living(), "occupied": then}
    gap = "1B 2B 2z 3z"
    assert plan.contacts("below", rules=THIRD, **frozen) == pairs(touch="1F", gap=gap)
    assert plan.contacts("below", rules=THIRD, occupied=then) == pairs(touch="1F", gap=gap)
    filled = plan.board.fill_ranks(then)
    assert filled[plan.slots("CF")].tolist() == [True, False]
    assert plan.contacts("below", rules=SECOND, occupied=filled) == {}
    assert charged_in_the_rear(away=-20).contacts("below", rules=SECOND, occupied=filled) == pairs(
        touch="1A 1B 2B 2C 3C"
    )


@EDITIONS
def test_e47_all_of_a_unit_dead(rules):
    plan = charged_in_the_rear()
    dead = "xyzABCF"
    assert plan.contacts("below", rules=rules, dead=dead) == {}
    assert plan.contacts("below", rules=rules, dead=dead, frozen=plan.living()) == {}
    assert plan.attacks("below", rules=rules, dead=dead) == {}
