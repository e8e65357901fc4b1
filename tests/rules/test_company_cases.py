"""Cases of contact that users ask about: skirmishers, several units at once, sides, who is absent.

How they are drawn and asked: see `plans.py`.
"""

from dataclasses import replace

import pytest

from ninthgeom import Arc, Attached, t9a
from tests.rules.plans import EAST, SOUTH, WEST, Plan, pairs

FRONT, LEFT, REAR, RIGHT = Arc.FRONT, Arc.LEFT, Arc.REAR, Arc.RIGHT
THIRD, SECOND = t9a.THIRD_EDITION, t9a.SECOND_EDITION
BLOCKING = pytest.mark.parametrize(
    "rules", [replace(THIRD, gap_blocking=reading) for reading in ("interior", "none", "closed")] + [SECOND]
)

# ------------------------------------------------------------------------------------------------ skirmishers


def skirmishers(below="1234", left=0, width=20, **more):
    """Draw bases 12.5 apart that face south: A, B, C from x = 0, 32.5 and 65 on, D, E, F behind them."""
    plan = Plan()
    plan.block("above", 0, 52.5, "DEF ABC", SOUTH, formation="skirmish", **more)
    plan.block("below", left, 0, below, cell=(width, 20))
    return plan


@BLOCKING
def test_skirmishers_cover_those_behind_them(rules):
    # Although bases of one unit do not touch there.
    plan = skirmishers()
    assert plan.contacts("above", rules=rules) == pairs(touch="A1 A2 B2 B3 C4")
    assert plan.contacts("above", rules=rules, dead="B") == pairs(touch="A1 A2 C4", gap="E2 E3")
    assert plan.contacts("above", rules=rules, dead="BE") == pairs(touch="A1 A2 C4")
    # Nobody of the first rank: the boundary is that of the second one, or still the old one.
    assert plan.contacts("above", rules=rules, dead="ABC") == {}
    gap = pairs(gap="D1 D2 E2 E3 F4")
    assert plan.contacts("above", rules=rules, dead="ABC", frozen=plan.living()) == gap


@BLOCKING
def test_skirmishers_against_skirmishers(rules):
    # 1 and 2 stand half a place aside of A, B and C; behind the dead A and 1 are D and 4.
    plan = Plan()
    plan.block("above", 0, 52.5, "DEF ABC", SOUTH, formation="skirmish")
    plan.block("below", 16.25, 0, "12 45", formation="skirmish")
    assert plan.contacts("above", rules=rules) == pairs(touch="A1 B1 B2 C2")
    assert plan.contacts("above", rules=rules, dead="A") == pairs(touch="B1 B2 C2", gap="D1")
    assert plan.contacts("above", rules=rules, dead="A1") == pairs(touch="B2 C2", gap="D4 B4")


@BLOCKING
def test_a_base_that_fits_between_two_skirmishers_meets_nobody(rules):
    # The units are in contact, since the spaces belong to the unit.
    plan = skirmishers("1", 21, 10)
    assert plan.ask(t9a.units_in_contact, observers=["below"], targets=["above"])
    assert plan.engaged("below", "above", rules=rules) == FRONT
    assert plan.contacts("below", rules=rules) == {}
    assert plan.attacks("below", rules=rules) == {}


@BLOCKING
def test_skirmishers_in_the_flank(rules):
    plan = Plan()
    plan.block("above", 0, 52.5, "DEF ABC", SOUTH, formation="skirmish")
    plan.block("charger", -20, 60, "5 6 7", EAST)
    assert plan.contacts("charger", rules=rules) == pairs(touch="5D 6D 6A 7A")
    assert plan.contacts("charger", rules=rules, dead="D") == pairs(touch="6A 7A", gap="5E 6E")
    assert set(plan.facings("charger", rules=rules, dead="D").values()) == {(FRONT, RIGHT)}


@BLOCKING
def test_a_character_beside_skirmishers_stands_off_as_they_do(rules):
    # H spans x from 97.5 to 127.5 and reaches up to y = 35: he covers the side of C and little of that of F.
    # 1 stands before the space between C and him.
    plan = Plan()
    hero = Attached("H", (30, 35), place="left")
    plan.block("above", 0, 52.5, "DEF ABC", SOUTH, formation="skirmish", attached=[hero], side=0)
    plan.block("below", 86, 0, "12", cell=(11, 20), side=1)
    plan.block("charger", 127.5, 40, "5 6", WEST, side=1)
    assert plan.contacts("below", rules=rules) == pairs(touch="2H")
    assert plan.contacts("charger", rules=rules) == pairs(touch="5H 6H", gap="5F")


# -------------------------------------------------------------------------------------- several units at once


def surrounded(**sides):
    """Draw nine models that face north, with enemies before them, at their left and behind them."""
    plan = Plan()
    own, other = sides.get("own", 0), sides.get("other", 1)
    plan.block("middle", 0, 60, "abc def ghi", side=own)
    plan.block("north", 10, 80, "123", SOUTH, side=other)
    plan.block("west", -20, 50, "4 5 6", EAST, side=other)
    plan.block("south", 5, 0, "789", side=other)
    return plan


AROUND = {
    "north": (pairs(touch="1a 1b 2b 2c 3c"), FRONT),
    "west": (pairs(touch="4a 4d 5d 5g 6g"), LEFT),
    "south": (pairs(touch="7g 7h 8h 8i 9i"), REAR),
}


@BLOCKING
def test_three_units_around_one(rules):
    plan = surrounded()
    touch = set()
    for name, (expected, facing) in AROUND.items():
        assert plan.engaged("middle", name, rules=rules) == facing
        assert plan.engaged(name, "middle", rules=rules) == FRONT
        assert plan.contacts(name, rules=rules) == expected
        assert set(plan.facings(name, rules=rules).values()) == {(FRONT, facing)}
        alone = plan.there(*(AROUND.keys() - {name}))
        assert plan.contacts(name, rules=rules, present=alone) == expected
        touch |= {pair[::-1] for pair in expected["touch"]}
    assert plan.contacts("middle", rules=rules) == {"touch": touch}


def test_observers_and_targets_are_part_of_the_whole():
    plan = surrounded()
    rows = plan.ask(t9a.contacts, observers=["west", "north"], targets=[0])
    whole = plan.ask(t9a.contacts)
    chosen = [*plan.slots_of("north"), *plan.slots_of("west")]
    kept = [i for i, model in enumerate(whole["model"]) if model in chosen]
    assert rows == {name: [column[i] for i in kept] for name, column in whole.items()}
    assert plan.ask(t9a.contacts, observers=["west"], targets=["north"])["model"] == []


@BLOCKING
def test_a_hole_opens_the_way_to_who_stands_behind(rules):
    # Through the place of a the one behind it, d, is reached from the north, and b beside it from the west.
    plan = surrounded()
    assert plan.contacts("north", rules=rules, dead="a") == pairs(touch="1b 2b 2c 3c", gap="1d")
    assert plan.contacts("west", rules=rules, dead="a") == pairs(touch="4d 5d 5g 6g", gap="4b")


# --------------------------------------------------------------------------------------------- sides, absence


def three_in_a_row(a=0, b=0, c=0):
    plan = Plan()
    plan.block("A", 0, 20, "a", side=a)
    plan.block("B", 20, 20, "b", side=b)
    plan.block("C", 10, 40, "c", side=c)
    return plan


def everything(plan, **more):
    return {a + b for a, b in plan.touching(**more) if a < b}


@pytest.mark.parametrize(
    ("sides", "expected"),
    [
        ((0, 0, 0), "ab ac bc"),  # nobody has told sides
        ((7, 7, 7), "ab ac bc"),
        ((0, 0, 1), "ac bc"),
        ((0, 1, 0), "ab bc"),
        ((0, 1, 2), "ab ac bc"),
        ((-3, -3, 0), "ac bc"),
    ],
)
def test_units_of_one_side_do_not_fight(sides, expected):
    plan = three_in_a_row(*sides)
    assert everything(plan) == set(expected.split())
    # That they touch, and where, is no matter of sides.
    assert plan.ask(t9a.units_in_contact).sum() == 6
    assert plan.engaged("A", "B") == RIGHT


def test_sides_are_those_of_the_board_not_of_who_is_there():
    # A and B are of one side, also where their enemy has left the table.
    plan = three_in_a_row(0, 0, 1)
    assert everything(plan, present=plan.there("C")) == set()
    assert everything(plan, dead="c") == set()
    assert everything(three_in_a_row(), present=plan.there("C")) == {"ab"}


@pytest.mark.parametrize("absent", ["A", "B", "C"])
def test_absent_units_touch_nobody(absent):
    plan = three_in_a_row()
    left = {pair for pair in ("ab", "ac", "bc") if absent.lower() not in pair}
    assert everything(plan, present=plan.there(absent)) == left
    assert everything(plan, dead=absent.lower()) == left
    other = "A" if absent == "B" else "B"
    for more in ({"present": plan.there(absent)}, {"dead": absent.lower()}):
        assert plan.engaged(absent, other, **more) == Arc.NONE
        assert plan.engaged(other, absent, **more) == Arc.NONE


def test_positions_of_absent_units_are_not_looked_at():
    plan = three_in_a_row()
    plan.positions[:, 0] = float("nan")
    assert everything(plan, present=plan.there("A")) == {"bc"}


def test_a_unit_inside_another_touches_what_it_lies_on():
    # Overlapping bases touch; which facing is engaged is the one least deep inside.
    plan = Plan()
    plan.block("block", 0, 60, "abc def ghi")
    plan.block("inside", 24, 62, "1", SOUTH, cell=(12, 12))
    assert plan.contacts("inside") == pairs(touch="1b")
    assert plan.engaged("block", "inside") == FRONT
    assert plan.engaged("inside", "block") == FRONT


def test_nobody_and_no_states():
    plan = surrounded()
    none = t9a.contacts(plan.board, plan.positions[:0])
    assert (len(none), none.shape) == (0, (0,))
    rows = t9a.contacts(plan.board, plan.positions.reshape(4, 25, 4, 3))
    assert rows.shape == (4, 25)
    assert len(rows) == plan.n_poses * 30
    assert t9a.engaged_facings(plan.board, plan.positions.reshape(4, 25, 4, 3)).shape == (4, 25, 4, 4)
    assert t9a.engaged_facings(plan.board, plan.positions).dtype.name == "uint8"
