"""Worked cases of arcs at all four corners of a unit, E19 to E24; how they are drawn: see `plans.py`.

Simpler arcs, and E25 on, are in `test_rules_cases.py`.
"""

import numpy as np
import pytest
import shapely
from shapely.ops import split

from ninthgeom import Arc, Attached, t9a
from tests.rules.plans import COMPASS, EAST, NORTH, SOUTH, WEST, Plan, side

FRONT, LEFT, REAR, RIGHT = Arc.FRONT, Arc.LEFT, Arc.REAR, Arc.RIGHT
FLANKS = LEFT | RIGHT
EACH_WAY = pytest.mark.parametrize("facing", COMPASS, ids=["north", "west", "south", "east"])
# The corners of a unit from (-50, -40) to (50, 0), and the two directions that each lies between.
CORNERS = [(50, 0, NORTH, EAST), (50, -40, SOUTH, EAST), (-50, -40, SOUTH, WEST), (-50, 0, NORTH, WEST)]
EACH_CORNER = pytest.mark.parametrize("corner", CORNERS, ids=["NE", "SE", "SW", "NW"])


def observer(facing, picture="ooooo ooooo", **more):
    plan = Plan()
    plan.block("observer", -50, 0, picture, facing, **more)
    return plan


def inside(plan, name, **more):
    return Arc(int(plan.ask(t9a.inside_arcs, observers=["observer"], targets=[name], **more)[0, 0]))


def located(plan, name, **more):
    return Arc(int(plan.ask(t9a.located_arcs, observers=["observer"], targets=[name], **more)[0, 0]))


def beyond(corner, ahead, aside):
    """Point so far from a corner of the observer, north or south and east or west."""
    x, y, ahead_is, aside_is = corner
    return x + (aside if aside_is == EAST else -aside), y + (ahead if ahead_is == NORTH else -ahead)


@EACH_WAY
@EACH_CORNER
def test_e19_one_point_on_the_divider_is_inside_both_arcs(facing, corner):
    # E19. A base of 20 by 20 beside the divider, its nearest corner on it or just short of it.
    for short, both in ((0, True), (0.1, False)):
        plan = observer(facing)
        x, y = beyond(corner, 100, 100 + short)
        left, top = (x if corner[3] == EAST else x - 20), (y if corner[2] == NORTH else y + 20)
        plan.block("enemy", left, top, "1", SOUTH)
        flank = side(facing, corner[3])
        assert inside(plan, "enemy") == (flank | side(facing, corner[2]) if both else flank)


@EACH_WAY
@EACH_CORNER
def test_e20_the_middle_of_the_front_on_the_divider_is_in_the_flank(facing, corner):
    # E20. Chargers with the middle of their front there, or 1 mm to either side, whatever way they face.
    ahead, aside = side(facing, corner[2]), side(facing, corner[3])
    for more, expected in ((0, (ahead | aside) & FLANKS), (1, ahead), (-1, aside)):
        for heading in (NORTH, WEST, 1.0):
            plan = observer(facing)
            plan.single("charger", *beyond(corner, 100 + more, 100), heading, base_mm=(100, 40))
            assert located(plan, "charger") == expected


@EACH_WAY
@EACH_CORNER
def test_e21_the_middle_of_the_front_decides_and_not_the_area(facing, corner):
    # E21. 200 wide, 1 mm on one side of the divider, nearly all of its area on the other.
    ahead, aside = side(facing, corner[2]), side(facing, corner[3])
    for more, expected in ((1, ahead), (-1, aside)):
        plan = observer(facing)
        heading = WEST if corner[3] == EAST else EAST  # the charger's body lies further out
        if more < 0:
            heading = SOUTH if corner[2] == NORTH else NORTH
        plan.single("charger", *beyond(corner, 200 + more, 200), heading, base_mm=(200, 100))
        assert located(plan, "charger") == expected
        assert inside(plan, "charger") == ahead | aside


@EACH_WAY
def test_e22_dividers_start_at_the_corners_of_the_boundary(facing):
    # E22. The south-east of the observer is empty, at its rear, its front or a flank.
    plan = observer(facing, "ooooo oo...")
    plan.single("south", 79.9, -70, base_mm=(20, 20))
    plan.single("east", 80.1, -70, base_mm=(20, 20))
    assert located(plan, "south") == side(facing, SOUTH)
    assert located(plan, "east") == side(facing, EAST)


@pytest.mark.parametrize(
    ("place", "west", "east", "without"),
    [
        ("right", 0, 150, [RIGHT, RIGHT, REAR, REAR]),
        ("left", -50, 100, [REAR, REAR, LEFT, LEFT]),
    ],
)
def test_e23_a_character_at_the_side_moves_the_dividers(place, west, east, without):
    # E23. 50 by 75 beside four of 25 by 50: the boundary reaches from his outer side to the far side of the
    # ranks and is 75 deep over all of it.
    plan = Plan()
    hero = Attached("H", (50, 75), place=place)
    plan.block("observer", 0, 0, "oooo", cell=(25, 50), attached=[hero])
    for letter, x in (("a", east + 29.9), ("b", east + 30.1), ("c", west - 29.9), ("d", west - 30.1)):
        plan.single(letter, x, -105, base_mm=(20, 20))
    plan.single("e", 50, -60, base_mm=(20, 20))  # its front is in the corner that is empty
    assert [located(plan, name) for name in "abcde"] == [REAR, RIGHT, REAR, LEFT, Arc.NONE]
    assert inside(plan, "e") == REAR
    assert [located(plan, name, dead="H") for name in "abcde"] == [*without, REAR]


@EACH_CORNER
@pytest.mark.parametrize("turn", [0.0, 45.0])
def test_e24_a_base_exactly_half_in_two_arcs(corner, turn):
    # E24. A square across the divider. No question goes by area: who plays a rule that does draws lots where
    # `inside_arcs` has both and the areas agree.
    plan = observer(NORTH)
    x, y = beyond(corner, 100, 100)
    plan.block("charger", x - 10, y + 10, "1", SOUTH, turn=(turn, x, y))
    assert inside(plan, "charger") == side(NORTH, corner[2]) | side(NORTH, corner[3])
    charger = plan.board.boundaries(plan.positions[0]).to_shapely()[1]
    divider = shapely.LineString(np.array([corner[:2], beyond(corner, 1000, 1000)]) / 25.4)
    halves = split(charger, divider).geoms
    assert [half.area for half in halves] == pytest.approx([200 / 25.4**2] * 2)
