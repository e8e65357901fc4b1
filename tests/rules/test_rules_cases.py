"""Worked cases of the rules: the examples of the rules pages and the set-ups that players argue about.

Lengths are millimetres and the observer faces +y with its front edge on y = 0, unless said otherwise. Every
case is asked at several places and angles: the answer must not know where the table stands.
"""

import numpy as np
import pytest

from ninthgeom import TOLERANCE, Arc, Attached, Terrain, distance, t9a
from tests.rules.tables import EAST, NORTH, SOUTH, Table

# ------------------------------------------------------------------------------------------------------ sight


def test_rules_figure_seen_in_an_empty_part_and_hidden_behind_impassable(table):
    # The figure of the rules page: D sees B, sees A where nobody of A stands, and does not see C.
    table.unit("D", 0, 0, NORTH, (25, 50))
    table.unit("B", 100, 250, SOUTH, models=10)
    table.unit("C", -90, 300, SOUTH, models=10)
    table.wall(-100, 100, 10, 150)
    # A faces east: in its rear rank, towards D, two models stand in the north, three slots in the south are
    # empty, and a wall leaves only lines that come to the boundary there.
    table.unit("A", 300, 250, EAST, models=7)
    table.wall(130, 200, 206, 201)
    assert table.ask(t9a.line_of_sight, "D", "B")
    assert table.ask(t9a.line_of_sight, "D", "A")
    assert not table.ask(t9a.line_of_sight, "D", "C")


def slit(table):
    """Leave 1 mm free at (50, 11) and at (140, 101): one way, to the right at almost 45 degrees."""
    for y, x in ((10.5, 50), (100.5, 140)):
        table.wall(-900, y, x - 0.5, y + 1)
        table.wall(x + 0.5, y, 1500, y + 1)


@pytest.mark.parametrize(("rear_rank", "seen"), [(True, True), (False, False)])
def test_e3_the_only_free_line_ends_in_an_empty_slot(table, rear_rank, seen):
    table.unit("observer", 40, 0, NORTH)
    table.unit("enemy", 200, 240, NORTH, models=7)
    slit(table)
    occupied = table.board.occupied.copy()
    assert occupied[6:].tolist() == [True, True, False, False, False]
    if not rear_rank:  # then the boundary ends before the place where the line would have passed
        occupied[6:] = False
    assert table.ask(t9a.line_of_sight, "observer", "enemy", occupied=occupied) == seen


@pytest.mark.parametrize(
    ("observer", "blocker", "target", "or_equal", "larger"),
    [
        (1, 1, 1, False, True),  # E4
        (1, 2, 3, True, True),  # E5
        (1, 3, 3, False, True),
        (3, 2, 1, True, True),
        (1, 2, 1, False, False),
        (0, 0, 0, False, True),
        (5, 4, 0, True, True),
    ],
)
def test_e4_e5_heights(table, observer, blocker, target, or_equal, larger):
    table.unit("observer", 0, 0, NORTH, height=observer)
    table.unit("blocker", 0, 100, NORTH, (800, 20), height=blocker)
    table.unit("target", 0, 300, NORTH, height=target)
    assert table.ask(t9a.line_of_sight, "observer", "target") == or_equal
    assert table.ask(t9a.line_of_sight, "observer", "target", rules=t9a.Rules(los_height_op=">")) == larger
    assert table.ask(t9a.line_of_sight, "observer", "blocker")


@pytest.mark.parametrize(("aside", "seen"), [(0.0, True), (0.254, False)])
def test_e1_e2_exactly_45_degrees(table, aside, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 120 + aside, 100, NORTH)  # its front left corner is at (110 + aside, 100)
    assert table.ask(t9a.line_of_sight, "observer", "target") == seen
    assert bool(table.ask(t9a.inside_arcs, "observer", "target") & Arc.FRONT) == seen


def test_e7_an_empty_slot_of_an_intervening_unit_blocks(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 140, NORTH, models=27, files=25)
    table.unit("target", 0, 300, SOUTH)
    assert not table.ask(t9a.line_of_sight, "observer", "target")
    # The rear rank alone, two models at one end, still spans the whole frontage.
    between = table.board.model_slices[1]
    occupied = table.board.occupied.copy()
    occupied[between.start : between.start + 25] = False
    assert not table.ask(t9a.line_of_sight, "observer", "target", occupied=occupied)
    occupied[between] = False
    assert table.ask(t9a.line_of_sight, "observer", "target", occupied=occupied)


@pytest.mark.parametrize(("apart", "seen"), [(0.0, False), (0.1, True)])
def test_e9_no_slit_between_blockers_that_touch_at_a_corner(table, apart, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("left", -200 - apart, 50, NORTH, (400, 20))
    table.unit("right", 200 + apart, 70, NORTH, (400, 20))
    table.unit("target", 0, 300, SOUTH)
    assert table.ask(t9a.line_of_sight, "observer", "target") == seen


@pytest.mark.parametrize("kind", ["forest", "field", "ruin", "water", "wall"])
def test_e15_covering_terrain_never_blocks(table, kind):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 400, SOUTH)
    table.wall(-900, 100, 900, 250, kind=kind)
    assert table.ask(t9a.line_of_sight, "observer", "target")


def test_e18_round_units_look_behind_themselves(table):
    table.unit("catapult", 0, 0, NORTH, 60, shape="round")
    table.unit("target", 0, -300, SOUTH)
    assert table.ask(t9a.line_of_sight, "catapult", "target")
    assert not table.ask(t9a.line_of_sight, "target", "catapult")
    assert table.ask(t9a.inside_arcs, "catapult", "target") == Arc.FRONT
    assert table.ask(t9a.located_arcs, "catapult", "target") == Arc.FRONT


@pytest.mark.parametrize(
    ("near", "far", "seen"),
    [
        (100, 200, False),  # between the two
        (-50, 150, True),  # the observer stands on it
        (0.1, 150, False),
        (150, 290, True),  # the target stands on it
        (150, 279.9, False),
        (-50, 400, True),  # both stand on it
    ],
)
def test_e13_sight_goes_into_and_out_of_a_hill_but_not_through_it(table, near, far, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 300, NORTH)  # from y = 280 to 300
    table.wall(-900, near, 900, far, kind="hill")
    table.unit("third", 0, -200, NORTH)
    table.unit("fourth", 0, 600, SOUTH)
    for exempt in ("inside", "touch"):
        rules = t9a.Rules(opaque_exempt=exempt)
        assert table.ask(t9a.line_of_sight, "observer", "target", rules=rules) == seen
        assert not table.ask(t9a.line_of_sight, "third", "fourth", rules=rules)


@pytest.mark.parametrize(
    ("near", "far"),
    [
        (0, 150),  # the observer's front touches it
        (150, 280),  # the target's rear touches it
    ],
)
@pytest.mark.parametrize(("exempt", "seen"), [("inside", False), ("touch", True)])
def test_e13_at_the_edge_of_a_hill(table, near, far, exempt, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 300, NORTH)  # from y = 280 to 300
    table.wall(-900, near, 900, far, kind="hill")
    rules = t9a.Rules(opaque_exempt=exempt)
    assert table.ask(t9a.line_of_sight, "observer", "target", rules=rules) == seen


def test_hill_under_the_rear_alone_blocks(table):
    table.unit("observer", 0, 0, NORTH, (20, 100))
    table.unit("target", 0, 300, SOUTH)
    hill = [
        (-300, -50),
        (300, -50),
        (300, 200),
        (-300, 200),
        (-300, 100),
        (200, 100),
        (200, -40),
        (-300, -40),
    ]
    table.terrain.append(Terrain(table.inches(hill), kind="hill"))
    assert not table.ask(t9a.line_of_sight, "observer", "target")
    assert table.ask(t9a.line_of_sight, "target", "observer")  # whose whole boundary counts


@pytest.mark.parametrize(
    ("aside", "exempt", "seen"),
    [
        (0.0, "touch", True),
        (0.0, "inside", False),
        (0.1, "touch", False),
        (0.1, "inside", False),
        (-0.1, "touch", True),
        (-0.1, "inside", True),
    ],
)
def test_round_and_oval_units_at_a_hill(table, aside, exempt, seen):
    rules = t9a.Rules(opaque_exempt=exempt)
    table.unit("disc", 0, 0, NORTH, 60, shape="round")
    table.unit("oval", 0, 400, EAST, (60, 120), shape="oval")  # 60 deep on the table
    table.wall(-900, 100, 900, 370 - aside, kind="hill")
    assert table.ask(t9a.line_of_sight, "oval", "disc", rules=rules) == seen
    assert table.ask(t9a.line_of_sight, "disc", "oval", rules=rules) == seen
    hidden = Table((table.angle, table.shift))
    hidden.unit("disc", 0, 0, NORTH, 60, shape="round")
    hidden.unit("oval", 0, 400, EAST, (60, 120), shape="oval")
    hidden.wall(-900, 30 + aside, 900, 300, kind="hill")
    assert hidden.ask(t9a.line_of_sight, "disc", "oval", rules=rules) == seen


def test_opaque_terrain_with_a_height_is_compared_like_a_unit(table):
    table.unit("low", 0, 0, NORTH, height=1)
    table.unit("high", 0, 300, SOUTH, height=4)
    table.wall(-900, 100, 900, 101, kind="ruin", opaque=True, height=4)
    table.wall(-900, 200, 900, 201, kind="hill", height=3)
    table.wall(-900, 220, 900, 221, kind="impassable", opaque=False)
    table.wall(-900, 240, 900, 241, kind="impassable", height=2)
    assert not table.ask(t9a.line_of_sight, "low", "high")
    assert table.ask(t9a.line_of_sight, "low", "high", rules=t9a.Rules(los_height_op=">"))


def test_impassable_terrain_at_the_facing_blocks(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, 0, 900, 10)
    assert not table.ask(t9a.line_of_sight, "observer", "target")


def test_own_and_target_unit_never_block(table):
    # A character in the ranks and one at the side belong to their unit; so do models before and behind.
    hero = Attached("hero", (50, 75), height=5)
    table.unit("observer", 0, 0, NORTH, models=20, height=1, attached=[Attached("lord", (20, 20), height=5)])
    table.unit("target", 0, 300, NORTH, models=20, height=1, attached=[hero])
    assert table.ask(t9a.line_of_sight, "observer", "target")
    assert not table.ask(t9a.line_of_sight, "target", "observer")  # behind it


def test_overlapping_units_block_others_but_not_each_other(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("flyer", 0, 10, NORTH, (50, 50))
    table.unit("target", 0, 300, SOUTH)
    assert table.ask(t9a.line_of_sight, "observer", "flyer")
    assert not table.ask(t9a.line_of_sight, "observer", "target")


def test_height_is_that_of_most_living_models(table):
    # The three of height 3 stand in the files to the left; walls leave a way through those to the right.
    trio = [Attached(name, (20, 20), height=3, place=(0, i)) for i, name in enumerate("abc")]
    table.unit("observer", 40, 0, NORTH, height=2)
    table.unit("between", 0, 100, NORTH, models=4, files=7, height=1, attached=trio)
    table.unit("target", 40, 300, SOUTH, height=2)
    between = table.board.model_slices[1]
    walls = ((-900, 90, 11, 91), (69, 90, 900, 91))
    for wall in walls:
        table.wall(*wall)
    assert table.ask(t9a.line_of_sight, "observer", "target")  # four of height 1, three of 3
    masks = np.array([table.board.occupied] * 3)
    masks[1, between.start] = False  # three and three: the smaller counts
    masks[2, between.start : between.start + 2] = False
    seen = table.ask(t9a.line_of_sight, "observer", "target", occupied=masks)
    assert seen.tolist() == [True, True, False]


# ------------------------------------------------------------------------------------------------------- arcs


def test_inside_arcs_follow_the_four_sides(table):
    table.unit("observer", 0, 0, NORTH, models=5)
    for name, x, y in (("front", 0, 100), ("left", -200, 0), ("rear", 0, -200), ("right", 200, 0)):
        table.unit(name, x, y, NORTH)
        arc = Arc[name.upper()]
        assert table.ask(t9a.inside_arcs, "observer", name) == arc
        assert table.ask(t9a.located_arcs, "observer", name) == arc


def test_a_wide_unit_around_is_inside_three_arcs(table):
    table.unit("observer", 0, 0, NORTH, models=5)
    table.unit("line", 0, 20, NORTH, (600, 5))
    assert table.ask(t9a.inside_arcs, "observer", "line") == Arc.LEFT | Arc.FRONT | Arc.RIGHT


# --------------------------------------------------------------------------------------- distance and contact


@pytest.mark.parametrize(("aside", "touch"), [(0.0, True), (0.1, False)])
def test_e25_units_in_contact_at_a_corner(table, aside, touch):
    table.unit("spears", 0, 0, NORTH, models=10)  # to (50, 0)
    table.unit("enemy", 60 + aside, 0, SOUTH)  # from (50 + aside, 0)
    assert table.ask(t9a.units_in_contact, "spears", "enemy") == touch


def test_a_unit_inside_another_is_in_contact(table):
    table.unit("block", 0, 0, NORTH, models=50, files=10)
    table.unit("inside", 0, -40, EAST, (5, 5))
    assert table.ask(t9a.units_in_contact, "block", "inside")
    assert table.ask(t9a.units_in_contact, "inside", "block")
    assert table.ask(t9a.distances, "block", "inside") == 0


def test_units_touch_round_bases(table):
    table.unit("spears", 0, 0, NORTH, models=10)
    table.unit("catapult", 0, 30, NORTH, 60, shape="round")
    table.unit("further", 0, 130, NORTH, 60, shape="round")
    assert table.ask(t9a.units_in_contact, "spears", "catapult")
    assert table.ask(t9a.distances, "catapult", "further") == pytest.approx(40 / 25.4)


def test_e39_distance_to_an_empty_slot(table):
    table.unit("spears", 0, 0, NORTH, models=7)  # slots at x from -10 to 50 of the rear rank are empty
    table.unit("enemy", 40, -40 - 0.9 * 25.4, NORTH)
    assert table.ask(t9a.distances, "spears", "enemy") == pytest.approx(0.9)
    bases, occupied = table.board.bases(table.positions)
    spears = table.board.model_slices[0]
    models = distance(bases[spears][occupied[spears]], table.board.boundaries(table.positions)[1])
    assert models.min() == pytest.approx(0.9 + 20 / 25.4)


def test_e40_exactly_twelve_inches_is_within_twelve(table):
    table.unit("archers", 0, 0, NORTH, models=10)
    table.unit("target", 0, 12 * 25.4, SOUTH, models=10)
    assert abs(table.ask(t9a.distances, "archers", "target") - 12) <= TOLERANCE
