"""Worked cases of contact with round and oval bases; how they are drawn and asked: see `plans.py`."""

import math
from dataclasses import replace

import pytest

from ninthgeom import Arc, t9a
from tests.rules.plans import COMPASS, EAST, NORTH, SOUTH, WEST, Plan, pairs, side

FRONT, RIGHT = Arc.FRONT, Arc.RIGHT
THIRD, SECOND = t9a.THIRD_EDITION, t9a.SECOND_EDITION
OPEN, CLOSED = (replace(THIRD, round_front=reading) for reading in ("open", "closed"))
EDITIONS = pytest.mark.parametrize("rules", [THIRD, SECOND], ids=["third", "second"])
EACH_WAY = pytest.mark.parametrize("facing", COMPASS, ids=["north", "west", "south", "east"])


def spears(picture="ABCDE FGHIJ", left=-50, facing=NORTH, **more):
    """Draw two ranks of five whose northern edge is y = 0."""
    plan = Plan()
    plan.block("spears", left, 0, picture, facing, **more)
    return plan


@EDITIONS
@EACH_WAY
def test_e35_a_round_base_is_in_front_of_the_models_it_shares_width_with(facing, rules):
    # E35. The circle spans x from -30 to 30; A and E end there. C alone touches it.
    plan = spears(facing=facing)
    plan.single("W", 0, 30, 1.234, base_mm=60, shape="round")
    for reading, expected in (("open", "BW CW DW"), ("closed", "AW BW CW DW EW")):
        policy = replace(rules, round_front=reading)
        assert plan.contacts("spears", rules=policy) == pairs(round=expected)
        assert set(plan.facings("spears", rules=policy).values()) == {(side(facing, NORTH), FRONT)}
    assert plan.engaged("W", "spears", rules=rules) == FRONT
    assert plan.engaged("spears", "W", rules=rules) == side(facing, NORTH)


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (0.1, "BW CW DW EW"),
        (25, "CW DW EW"),
        (49, "DW EW"),
        (-50, "AW BW"),
    ],
)
@pytest.mark.parametrize("rules", [OPEN, CLOSED, SECOND], ids=["open", "closed", "second"])
def test_e36_a_round_base_is_met_anywhere_along_the_front(x, expected, rules):
    # E36. No alignment: wherever the front touches the circle, models in front of it fight.
    plan = spears()
    plan.single("W", x, 30, -2.0, base_mm=60, shape="round")
    assert plan.contacts("spears", rules=rules) == pairs(round=expected)


@EDITIONS
@pytest.mark.parametrize("degrees", [30, -30, 171])
def test_e36_charged_from_thirty_degrees_off(degrees, rules):
    # E36. Turned about the middle of the circle the unit meets it as before, and its heading is of no
    # account.
    plan = spears(turn=(degrees, 0, 30))
    plan.single("W", 0, 30, base_mm=60, shape="round")
    assert plan.contacts("spears", rules=rules) == pairs(round="BW CW DW")
    assert set(plan.facings("spears", rules=rules).values()) == {(FRONT, FRONT)}


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [(0, FRONT), (30, FRONT), (44.9, FRONT), (45, FRONT | RIGHT), (60, RIGHT), (89.5, RIGHT)],
)
def test_e36_a_corner_that_touches_a_round_base(degrees, expected):
    # E36. The front right corner of E, (50, 0), touches the circle, whose middle lies that far off straight
    # ahead.
    angle = math.radians(degrees)
    plan = spears()
    plan.single("W", 50 + 30 * math.sin(angle), 30 * math.cos(angle), base_mm=60, shape="round")
    located = FRONT if degrees < 45 else RIGHT
    for edition in (THIRD, SECOND):
        for reading, known in (("both", FRONT | RIGHT), ("flank", RIGHT), ("located", located)):
            rules = replace(edition, corner_facing=reading)
            facing = known if expected == FRONT | RIGHT else expected
            assert plan.engaged("spears", "W", rules=rules) == facing
            # Straight in front of E's front lies what of the circle is left of x = 50, beside it what is
            # below y = 0: at 0 and 90 degrees nearly all of a half.
            assert plan.contacts("spears", rules=rules) == pairs(
                round="DW EW" if degrees == 0 else "EW JW" if degrees > 89 else "EW"
            )
            assert plan.facings("spears", rules=rules)["EW"] == (facing, FRONT)


def test_round_bases_across_gaps():
    # In the rear only F of the last rank is left, between A and C; F itself hides B.
    plan = Plan()
    plan.block("spears", 0, 40, "ABC .F.")
    plan.single("W", 30, -30, base_mm=60, shape="round")
    for rules in (OPEN, SECOND, replace(THIRD, gap_blocking="none"), replace(THIRD, gap_blocking="closed")):
        assert plan.contacts("spears", rules=rules) == pairs(round="AW CW FW")
    assert plan.contacts("spears", dead="F") == {}  # the boundary ends before it
    assert plan.contacts("spears", dead="F", frozen=plan.living()) == pairs(round="AW BW CW")


def test_whoever_stands_behind_a_dead_model_is_in_front_of_the_round_base():
    plan = spears()
    plan.single("W", 0, 30, base_mm=60, shape="round")
    assert plan.contacts("spears", dead="C") == pairs(round="BW HW DW")
    assert plan.contacts("spears", dead="BCD") == pairs(round="GW HW IW")


@pytest.mark.parametrize("blocking", ["interior", "none", "closed"])
@pytest.mark.parametrize("stops", ["boundaries", "none"])
def test_a_model_between_is_in_the_way_of_a_round_base(blocking, stops):
    # A thin base just before B; the lines of the others pass it.
    plan = Plan()
    plan.block("spears", -50, 0, "ABCDE", side=0)
    plan.single("W", 0, 30, base_mm=60, shape="round", side=1)
    plan.single("x", -20, 1.3, NORTH, base_mm=(20.1, 1.1), side=0)
    rules = t9a.Rules(gap_blocking=blocking, gap_stops_at=stops)
    assert plan.contacts("spears", rules=rules) == pairs(round="CW DW")
    assert plan.contacts("spears", rules=rules, present=plan.there("x")) == pairs(round="BW CW DW")


@EDITIONS
def test_two_round_bases(rules):
    plan = Plan()
    plan.single("V", 0, 0, base_mm=60, shape="round")
    plan.single("W", 30, 40, base_mm=40, shape="round")  # 50 between the middles
    plan.single("X", -60.1, 0, base_mm=60, shape="round")
    assert plan.contacts("V", rules=rules) == pairs(round="VW")
    assert plan.facings("V", rules=rules) == {"VW": (FRONT, FRONT)}
    assert plan.engaged("V", "X", rules=rules) == Arc.NONE


@pytest.mark.parametrize(
    ("facing", "y", "opened", "closed"),
    [
        # Along the front the oval, 120 by 60, spans x from -60 to 60; upright from -30 to 30.
        (EAST, 30, "BW CW DW EW FW GW", "AW BW CW DW EW FW GW HW"),
        (WEST, 30, "BW CW DW EW FW GW", "AW BW CW DW EW FW GW HW"),
        (NORTH, 60, "CW DW EW FW", "CW DW EW FW"),
        (SOUTH, 60, "CW DW EW FW", "CW DW EW FW"),
        # Half its core, 30 long, at 30 degrees: 45 from the middle down to its lowest point, 56 to its sides.
        (math.radians(30), 45, "BW CW DW EW FW GW", "BW CW DW EW FW GW"),
        # At 60 degrees 30 + 15 to its sides.
        (math.radians(120), 30 + 30 * math.sin(math.radians(60)), "BW CW DW EW FW GW", "BW CW DW EW FW GW"),
    ],
)
def test_oval_bases(facing, y, opened, closed):
    # Files of 20 from x = -80 to 80.
    plan = spears("ABCDEFGH", -80)
    plan.single("W", 0, y, facing, base_mm=(60, 120), shape="oval")
    for rules, expected in ((OPEN, opened), (CLOSED, closed)):
        assert plan.contacts("spears", rules=rules) == pairs(round=expected)
        assert set(plan.facings("spears", rules=rules).values()) == {(FRONT, FRONT)}
    assert plan.engaged("W", "spears") == FRONT


def test_oval_and_round_base():
    plan = Plan()
    plan.single("V", 0, 0, EAST, base_mm=(60, 120), shape="oval")
    plan.single("W", 20, 60, base_mm=60, shape="round")
    plan.single("X", 0, -60, EAST, base_mm=(60, 120), shape="oval")
    assert plan.contacts("V") == pairs(round="VW VX")
    assert plan.contacts("W") == pairs(round="WV")
