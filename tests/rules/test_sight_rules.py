"""Rules of sight worked by hand: who looks from where, at what, and past whom.

Lengths are millimetres and observers face +y with their front edge on y = 0, unless said otherwise.
"""

import dataclasses
import math

import numpy as np
import pytest

from ninthgeom import Attached, t9a
from tests.rules.tables import NORTH, SOUTH

SECOND, THIRD = t9a.SECOND_EDITION, t9a.THIRD_EDITION


def sees(table, observer="observer", target="target", rules=THIRD, **masks):
    return bool(table.ask(t9a.line_of_sight, observer, target, rules=rules, **masks))


def corridor(table, left, right, far=200):
    """Leave only lines that start between two walls, which begin at the front edge."""
    table.wall(-2000, 0, left, far)
    table.wall(right, 0, 2000, far)


def without(table, *slots):
    occupied = table.board.occupied.copy()
    occupied[list(slots)] = False
    return {"occupied": occupied}


# ------------------------------------------------------------------------------------------------------ rules


def test_presets():
    assert dataclasses.asdict(THIRD) == {
        "los_height_op": ">=",
        "touching": "clear",
        "boundary_blocks": True,
        "point_height": 0,
        "elevated": "fully",
        "opaque_exempt": "inside",
        "skirmish_blocks": True,
        "tall_exempt": False,
        "corner_facing": "both",
        "gap_blocking": "interior",
        "gap_stops_at": "boundaries",
        "gap_angle": math.pi / 4,
        "round_front": "open",
        "line_formation": False,
    }
    assert dataclasses.asdict(SECOND) == {
        "los_height_op": ">=",
        "touching": "blocked",
        "boundary_blocks": False,
        "point_height": 1,
        "elevated": "centre",
        "opaque_exempt": "inside",
        "skirmish_blocks": False,
        "tall_exempt": True,
        "corner_facing": "both",
        "gap_blocking": "interior",
        "gap_stops_at": "boundaries",
        "gap_angle": math.radians(1),
        "round_front": "open",
        "line_formation": True,
    }
    assert t9a.Rules() == THIRD


@pytest.mark.parametrize(
    ("given", "height"), [("Standard", 1), ("Large", 3), ("Gigantic", 5), (0, 0), (4, 4)]
)
def test_heights_by_name(given, height):
    rules = t9a.Rules(point_height=given)
    assert rules.point_height == height
    assert rules == t9a.Rules(point_height=height)


@pytest.mark.parametrize(
    ("field", "value", "error", "message"),
    [
        ("touching", "open", ValueError, "touching must be 'clear' or 'blocked', got 'open'"),
        ("elevated", True, ValueError, "elevated must be 'fully' or 'centre'"),
        ("opaque_exempt", None, ValueError, "opaque_exempt must be 'inside' or 'touch'"),
        ("boundary_blocks", 1, TypeError, "boundary_blocks: must be True or False, got 1"),
        ("skirmish_blocks", "no", TypeError, "skirmish_blocks: must be True or False"),
        ("tall_exempt", None, TypeError, "tall_exempt: must be True or False"),
        ("point_height", 6, ValueError, "point_height: must be from 0 to 5, got 6"),
        ("point_height", "Tall", ValueError, "point_height: must be one of 'Standard', 'Large', 'Gigantic'"),
        ("point_height", 1.0, TypeError, "point_height: must be a whole number"),
        ("corner_facing", "front", ValueError, "corner_facing must be 'both' or 'flank' or 'located'"),
        ("gap_blocking", "Interior", ValueError, "gap_blocking must be 'interior' or 'none' or 'closed'"),
        ("gap_blocking", None, ValueError, "gap_blocking must be .*, got None"),
        ("gap_stops_at", "terrain", ValueError, "gap_stops_at must be 'boundaries' or 'none', got 'terrain'"),
        ("round_front", True, ValueError, "round_front must be 'open' or 'closed', got True"),
        ("line_formation", 1, TypeError, "line_formation: must be True or False, got 1"),
        ("gap_angle", -1e-9, ValueError, "gap_angle: must be from 0 to a quarter of pi .*, got -1e-09"),
        ("gap_angle", 0.7854, ValueError, "gap_angle: must be from 0 to .*, got 0.7854"),
        ("gap_angle", math.inf, ValueError, "gap_angle: must be finite, got inf"),
        ("gap_angle", math.nan, ValueError, "gap_angle: must be finite, got nan"),
        ("gap_angle", "1 degree", TypeError, "gap_angle: must be a number, got '1 degree'"),
        ("gap_angle", True, TypeError, "gap_angle: must be a number, got True"),
    ],
)
def test_fields_are_checked(field, value, error, message):
    with pytest.raises(error, match=message):
        t9a.Rules(**{field: value})


def test_the_ends_of_the_angle_are_allowed():
    assert [t9a.Rules(gap_angle=angle).gap_angle for angle in (0, math.pi / 4)] == [0.0, math.pi / 4]


# -------------------------------------------------------------------------------------------------- observers


def test_files_without_a_living_model_see_nothing(table):
    table.unit("observer", 0, 0, NORTH, models=10)
    table.unit("target", -40, 300, SOUTH)
    corridor(table, -49, -31)  # straight ahead of the left file
    assert sees(table)
    assert sees(table, **without(table, 0))  # E10: the model of the second rank looks from there too
    assert sees(table, **without(table, 5))
    assert not sees(table, **without(table, 0, 5))
    assert sees(table, **without(table, 1, 2, 3, 4, 6, 7, 8, 9))


def test_files_that_never_had_a_model_see_nothing(table):
    table.unit("observer", 0, 0, NORTH, models=3, files=5)
    table.unit("left", -40, 300, SOUTH)
    table.unit("right", 40, 300, SOUTH)
    corridor(table, -49, -31)
    assert sees(table, target="left")
    table.terrain.clear()
    corridor(table, 31, 49)
    assert not sees(table, target="right")


@pytest.mark.parametrize(("left", "seen"), [(-24, True), (-22, False)])
def test_gaps_of_a_skirmish_formation_are_no_facing(table, left, seen):
    # Files from -42.5 to -22.5, from -10 to 10 and from 22.5 to 42.5.
    table.unit("observer", 0, 0, NORTH, models=3, formation="skirmish")
    table.unit("target", -17, 300, SOUTH)
    corridor(table, left, -11)
    assert sees(table) == seen


@pytest.mark.parametrize(("ahead_of", "seen"), [(0, True), (4, False)])
def test_a_higher_model_sees_from_its_own_file_only(table, ahead_of, seen):
    lord = Attached("lord", (20, 20), height=3, place=(0, 0))
    table.unit("observer", 0, 0, NORTH, models=9, height=1, attached=[lord])
    x = 20 * ahead_of - 40
    table.unit("between", 0, 250, NORTH, (400, 20), height=2)
    table.unit("target", x, 300, SOUTH, height=2)
    corridor(table, x - 9, x + 9)
    assert sees(table) == seen
    lord = without(table, 9)
    assert not sees(table, **lord)
    assert sees(table, target="between", **lord)


def test_a_character_at_the_side_looks_from_its_own_facing(table):
    table.unit("observer", 0, 0, NORTH, models=5, attached=[Attached("hero", (50, 75))])  # x from 50 to 100
    table.unit("target", 90, 300, SOUTH)
    corridor(table, 81, 99)
    assert sees(table)
    assert not sees(table, **without(table, 5))


def test_round_units_look_all_round_and_ranks_do_not(table):
    table.unit("observer", 0, 0, NORTH, models=5)
    table.unit("mortar", 0, 200, NORTH, 60, shape="round")
    table.unit("target", 0, -300, SOUTH, height=2)
    assert not sees(table)
    assert sees(table, observer="mortar")


def test_the_end_of_a_line_lies_in_the_front_arc_of_the_unit(table):
    # The second edition asks for it; a line within 45 degrees from the front edge cannot end elsewhere.
    table.unit("observer", 0, 0, NORTH, models=15)
    for name, x in (("inside", 159.9), ("outside", 160.1)):
        table.unit(name, x, 100, NORTH)  # its left corner is 10 to the left, at 149.9 and 150.1
        table.unit(f"behind {name}", x, -1, NORTH)
    for rules in (SECOND, THIRD):
        assert sees(table, target="inside", rules=rules)
        for name in ("outside", "behind inside", "behind outside"):
            assert not sees(table, target=name, rules=rules)


# ---------------------------------------------------------------------------------------------------- targets


def hero_behind_a_wall(table, left=-900, right=900):
    table.unit("observer", 0, 0, NORTH)
    table.unit("wall", (left + right) / 2, 260, NORTH, (right - left, 20), height=2)
    hero = Attached("hero", (20, 20), height=3, place=(0, 0))
    table.unit("target", 0, 300, SOUTH, models=9, height=1, attached=[hero])  # facing us: at our right


def test_a_higher_model_shows_his_unit(table):
    hero_behind_a_wall(table)
    for rules in (SECOND, THIRD):
        assert sees(table, rules=rules)
        assert not sees(table, rules=rules, **without(table, 11))  # slots 2 to 10 are his unit's


@pytest.mark.parametrize(("left", "seen"), [(31, True), (29, False)])
def test_of_a_higher_model_his_base_must_be_reached(table, left, seen):
    # His base reaches from 30 to 50, and impassable terrain hides what is left of it.
    hero_behind_a_wall(table)
    table.wall(left, 299, 900, 299.5)
    table.wall(-900, 295, 29, 299.5)
    assert sees(table) == seen


def test_a_boundary_is_tall_if_all_its_models_of_its_height_are(table):
    plain = Attached("plain", (20, 20), place=(0, 2))
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("tall", 0, 300, SOUTH, models=4, tall=True)
    table.unit("mostly tall", 0, 300, SOUTH, models=4, tall=True, attached=[plain])
    table.unit("not tall", 0, 300, SOUTH, models=4)
    present = {"present": np.array([True, True, True, False, False])}
    assert sees(table, target="tall", rules=SECOND, **present)
    present = {"present": np.array([True, True, False, True, False])}
    assert sees(table, target="mostly tall", rules=SECOND, **present)  # its Tall models are
    present = {"present": np.array([True, True, False, False, True])}
    assert not sees(table, target="not tall", rules=SECOND, **present)


def test_a_boundary_is_not_tall_where_only_some_are(table):
    plain = Attached("plain", (20, 20), place=(0, 0))  # x from 30 to 50, as the unit faces us
    table.unit("observer", 40, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH, models=4, files=5, tall=True, attached=[plain])
    assert sees(table, rules=SECOND)
    table.wall(-900, 298, 31, 299)
    table.wall(30, 299, 31, 330)
    table.wall(49, 298, 900, 299)
    table.wall(49, 299, 50, 330)
    assert not sees(table, rules=SECOND)  # what is left to see is not Tall
    assert sees(table, rules=SECOND, **without(table, 6))  # his place is the boundary's, all of it Tall


# --------------------------------------------------------------------------------------------------- blockers


@pytest.mark.parametrize(("height", "seen"), [(3, False), (2, False), (1, True)])
def test_ranks_of_different_heights_block_with_their_own(table, height, seen):
    rear = Attached("rear", (800, 20), height=height, place=(1, 0))
    table.unit("observer", 0, 0, NORTH, height=2)
    table.unit("between", 0, 100, NORTH, (400, 20), models=2, files=2, attached=[rear])
    table.unit("target", 0, 300, SOUTH, height=2)
    assert sees(table, rules=SECOND) == seen
    assert sees(table) == seen


@pytest.mark.parametrize("rules", [SECOND, THIRD], ids=["second", "third"])
@pytest.mark.parametrize(("height", "seen"), [(3, False), (2, False), (1, True)])
def test_a_single_model_higher_than_his_unit_blocks(table, rules, height, seen):
    champion = Attached("champion", (60, 20), height=height, place=(0, 3))  # x from -30 to 30
    table.unit("observer", 0, 0, NORTH, height=2)
    table.unit("between", 0, 30, NORTH, models=6, files=9, attached=[champion])
    table.unit("target", 0, 60, SOUTH, height=2)
    table.wall(-900, 9, -25, 11)
    table.wall(25, 9, 900, 11)
    assert sees(table, rules=rules) == seen
    assert sees(table, rules=rules, **without(table, 7))


def test_e7_a_hole_in_the_ranks_blocks_in_the_third_edition_only(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, models=90, files=45)
    table.unit("target", 0, 300, SOUTH)
    hole = without(table, 1 + 22, 1 + 45 + 22)  # the file in the middle, x from -10 to 10
    assert not sees(table)
    assert not sees(table, **hole)
    assert sees(table, rules=SECOND, **hole)
    assert not sees(table, rules=SECOND)  # bases in contact leave no slit
    assert not sees(table, rules=SECOND, **without(table, 1 + 22))
    assert not sees(table, rules=SECOND, **without(table, 1 + 22, 1 + 45 + 23))
    assert sees(table, rules=dataclasses.replace(THIRD, boundary_blocks=False), **hole)
    assert not sees(table, rules=dataclasses.replace(SECOND, boundary_blocks=True), **hole)


def test_in_skirmish_formation_bases_leave_gaps_that_a_boundary_closes(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, models=40, files=40, formation="skirmish")
    table.unit("target", 0, 300, SOUTH)
    assert sees(table, rules=SECOND)  # E16
    assert not sees(table)
    assert sees(table, rules=dataclasses.replace(THIRD, skirmish_blocks=False))
    bases = dataclasses.replace(THIRD, boundary_blocks=False)
    assert sees(table, rules=bases)  # from -6.25 to 6.25 there is a gap


def test_bases_in_skirmish_formation_block_if_they_may(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 20, NORTH, (200, 10), models=3, formation="skirmish")
    table.unit("target", 0, 40, SOUTH)
    assert sees(table, rules=SECOND)
    assert not sees(table, rules=dataclasses.replace(SECOND, skirmish_blocks=True))


@pytest.mark.parametrize(
    ("observer", "blocker", "target", "exempt"),
    [
        ((1, False), (1, False), (1, True), True),  # E17
        ((1, True), (1, False), (1, False), True),
        ((1, False), (1, True), (1, True), False),
        ((1, True), (2, False), (1, False), False),
        ((1, True), (2, False), (2, False), False),  # as high as the target, which is not Tall
        ((2, True), (2, False), (1, False), True),
        ((1, False), (1, False), (1, False), False),
    ],
)
def test_e17_models_of_one_height_do_not_block_from_or_to_tall_ones(table, observer, blocker, target, exempt):
    things = (("observer", 0, NORTH, 20), ("between", 100, NORTH, 800), ("target", 300, SOUTH, 20))
    for (name, y, heading, width), (height, tall) in zip(things, (observer, blocker, target), strict=True):
        table.unit(name, 0, y, heading, (width, 20), height=height, tall=tall)
    assert sees(table, rules=SECOND) == exempt
    assert not sees(table)
    assert not sees(table, rules=dataclasses.replace(SECOND, tall_exempt=False))


@pytest.mark.parametrize(("touching", "seen"), [("clear", True), ("blocked", False)])
def test_e8_a_line_along_the_side_of_a_base(table, touching, seen):
    # Only the line x = 10 from the right end of the front edge passes both, along the side of each.
    table.unit("observer", 0, 0, NORTH)
    table.unit("left", -390, 100, NORTH, (800, 20))
    table.unit("right", 410, 150, NORTH, (800, 20))
    table.unit("target", 20, 300, SOUTH)
    assert sees(table, rules=t9a.Rules(touching=touching)) == seen
    assert sees(table, rules=dataclasses.replace(SECOND, touching=touching)) == seen


@pytest.mark.parametrize("rules", [SECOND, THIRD], ids=["second", "third"])
def test_absent_and_dead_units_neither_see_nor_are_seen_nor_block(table, rules):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, models=80, files=40)
    table.unit("target", 0, 300, SOUTH)
    everyone = table.board.occupied
    present = np.array([[True, True, True], [True, False, True], [True, True, False], [False, False, True]])
    occupied = np.array([everyone] * 4)
    seen = table.ask(t9a.line_of_sight, "observer", "target", rules=rules, present=present)
    assert seen.tolist() == [False, True, False, False]
    occupied[1, 1:-1] = occupied[2, -1] = occupied[3, :-1] = False
    seen = table.ask(t9a.line_of_sight, "observer", "target", rules=rules, occupied=occupied)
    assert seen.tolist() == [False, True, False, False]
