"""Worked cases of contact: the figure of the rules page and the set-ups that players argue about.

Units are drawn as they lie on the table, north up, in millimetres (see `plans.py`). Every case is asked in a
hundred poses as states of one call. What is expected follows from the rules pages and the readings that
`Rules` names; most of it is a matter of intervals that overlap or do not, and was worked out on paper.
"""

import math
from dataclasses import replace

import numpy as np
import pytest

from ninthgeom import Arc, Attached, Board, Unit, t9a
from tests.rules.plans import COMPASS, EAST, NORTH, SOUTH, WEST, Plan, mirrored, pairs, side

FRONT, LEFT, REAR, RIGHT = Arc.FRONT, Arc.LEFT, Arc.REAR, Arc.RIGHT
THIRD, SECOND = t9a.THIRD_EDITION, t9a.SECOND_EDITION
BOTH, FLANK, LOCATED = (replace(THIRD, corner_facing=reading) for reading in ("both", "flank", "located"))
INTERIOR, NOTHING, CLOSED = (
    replace(THIRD, gap_blocking=reading) for reading in ("interior", "none", "closed")
)
EDITIONS = pytest.mark.parametrize("rules", [THIRD, SECOND], ids=["third", "second"])
BLOCKING = pytest.mark.parametrize("rules", [INTERIOR, NOTHING, CLOSED], ids=["interior", "none", "closed"])
EACH_WAY = pytest.mark.parametrize("facing", COMPASS, ids=["north", "west", "south", "east"])
MIRROR = pytest.mark.parametrize("mirror", [False, True], ids=["as printed", "mirrored"])

# ------------------------------------------------------------------- the figure of the rules page, E27 to E29

ABOVE = "oooooo ABCDJE .F.GH."
BELOW = "123456 oooooo"
# F stands behind B, G and H behind D and J. 1 reaches past F to A; across from C are 2 and 3, from E 5 and 6.
FIGURE = pairs(touch="1F 2F 3G 4G 4H 5H", gap="1A 2C 3C 5E 6E")


def figure(above=NORTH, below=NORTH, *, mirror=False):
    """Draw the figure: the unit below has charged the one above, whose last rank has gaps."""
    plan = Plan()
    plan.block("above", 0, 60, mirrored(ABOVE) if mirror else ABOVE, above)
    plan.block("below", -15 if mirror else 15, 0, mirrored(BELOW) if mirror else BELOW, below)
    return plan


@BLOCKING
@MIRROR
def test_e27_e28_the_figure_of_the_rules_page(rules, mirror):
    # E27: 1 fights F, which it touches, and A across the gap, but not B, whose rear F covers. E28: 2 and 3
    # fight C. The third line of the caption: 5 and 6 fight E.
    plan = figure(mirror=mirror)
    assert plan.engaged("below", "above", rules=rules) == FRONT
    assert plan.engaged("above", "below", rules=rules) == REAR
    assert plan.contacts("below", rules=rules) == FIGURE
    assert set(plan.facings("below", rules=rules).values()) == {(FRONT, REAR)}


@EDITIONS
@EACH_WAY
@pytest.mark.parametrize("below", COMPASS, ids=["from north", "from west", "from south", "from east"])
def test_the_figure_engaged_through_any_facing(facing, below, rules):
    # The same holes in the first rank, in the last one or along a flank, and attacked by any side of a unit.
    plan = figure(facing, below)
    assert plan.engaged("below", "above", rules=rules) == side(below, NORTH)
    assert plan.engaged("above", "below", rules=rules) == side(facing, SOUTH)
    assert plan.contacts("below", rules=rules) == FIGURE
    assert set(plan.facings("below", rules=rules).values()) == {(side(below, NORTH), side(facing, SOUTH))}


def test_the_figure_as_users_build_it():
    # One state, no masks: the holes belong to the unit, and a row is asked for in one direction.
    last = [False, True, False, True, True, False]
    above = Unit("above", (20, 20), models=15, files=6, occupied=[True] * 12 + last, side=0)
    board = Board([above, Unit("below", (20, 20), models=6, files=6, side=1)])
    at = np.array([[30, 24, NORTH], [30 + 15 / 25.4, 24 - 60 / 25.4, NORTH]])
    rows = t9a.contacts(board, at, observers=["below"])
    # Slots of the one above: A, B, C, D, J, E are 6 to 11, F 13, G 15, H 16; 1 to 6 are 18 to 23.
    letters = dict(enumerate("ABCDJE", start=6)) | {13: "F", 15: "G", 16: "H"}
    found = {}
    for model, other, kind in zip(rows.model.tolist(), rows.other.tolist(), rows.kind, strict=True):
        found.setdefault(t9a.ContactKind(kind).name.lower(), set()).add(f"{model - 17}{letters[other]}")
    assert found == FIGURE
    assert (rows.shape, rows.state.tolist()) == ((), [0] * 11)
    assert (rows.kind.dtype, rows.facing.dtype, rows.other_facing.dtype) == (np.uint8,) * 3
    assert list(rows.columns) == ["state", "model", "other", "kind", "facing", "other_facing"]


@pytest.mark.parametrize(
    ("rules", "gap"),
    [
        # Lines along the sides of F and H lead from 2 to A and C, and from 4 to C and E.
        (INTERIOR, "1A 2A 2C 3C 4C 4E 5E 6E"),
        (NOTHING, "1A 2A 2C 3C 4C 4E 5E 6E"),
        (CLOSED, "1A 3C 5E 6E"),
    ],
    ids=["interior", "none", "closed"],
)
@MIRROR
def test_e29_intervals_that_share_a_point_are_in_contact_corner_to_corner(rules, gap, mirror):
    # E29. E spans x from 80 to 100 and 6 from 100 to 120: only the line x = 100 joins them.
    plan = Plan()
    above, below = "ooooo ABCDE .F.H.", "123456"
    plan.block("above", 20 if mirror else 0, 60, mirrored(above) if mirror else above)
    plan.block("below", 0, 0, mirrored(below) if mirror else below)
    assert plan.contacts("below", rules=rules) == pairs(touch="1F 2F 3F 3H 4H 5H", gap=gap)


@pytest.mark.parametrize(
    ("left", "interior", "closed"),
    [
        (95, False, False),
        (90.1, False, False),
        (99.9, False, False),
        (90, True, False),  # the line runs along its side
        (100, True, False),
        (101, True, True),
    ],
)
def test_e29_a_base_on_the_only_line_is_in_the_way(left, interior, closed):
    # E29. A third base, 10 wide, in the corner of the boundary that E leaves empty.
    plan = Plan()
    plan.block("above", 0, 60, "ooooo ABCDE .F.H.", side=1)
    plan.block("below", 0, 0, "123456", side=0)
    plan.block("third", left, 15, "x", cell=(10, 10), side=1)
    expected = pairs(gap="6E")
    for stops in ("boundaries", "none"):
        ask = {"among": "6E", "rules": replace(INTERIOR, gap_stops_at=stops)}
        assert plan.contacts("below", **ask) == (expected if interior else {})
        ask["rules"] = replace(CLOSED, gap_stops_at=stops)
        assert plan.contacts("below", **ask) == (expected if closed else {})
    assert plan.contacts("below", among="6E", rules=NOTHING) == (expected if interior else {})
    assert plan.contacts("below", among="6E", rules=replace(NOTHING, gap_stops_at="none")) == expected
    assert plan.contacts("below", among="6E", present=plan.there("third")) == expected


# -------------------------------------------------------------------------------- covered facings, E30 to E33


@pytest.mark.parametrize(
    ("left", "width", "touch", "interior", "nothing", "closed"),
    [
        # K spans x from 0 to 40, F from 0 to 20.
        (2, 16, "1F", "", "1K", ""),  # wholly behind F: where the two readings differ
        (0, 20, "1F", "1K", "1K", ""),  # along either side of F
        (-5, 20, "1F", "1K", "1K", ""),  # along the left side of F, to the corner of K
        (15, 20, "1F", "1K", "1K", "1K"),
        (22, 16, "", "1K", "1K", "1K"),
    ],
)
def test_e30_a_wide_character_half_covered_by_his_own_unit(left, width, touch, interior, nothing, closed):
    plan = Plan()
    plan.block("above", 0, 60, "##oo ##oo F...", attached=[Attached("K", (40, 40), place=(0, 0))])
    plan.block("below", left, 0, "1", cell=(width, 20))
    for rules, gap in ((INTERIOR, interior), (NOTHING, nothing), (CLOSED, closed)):
        assert plan.contacts("below", rules=rules) == pairs(touch=touch, gap=gap)


@BLOCKING
def test_e30_two_models_together_cover_a_facing(rules):
    # E30, with one more model behind K.
    plan = Plan()
    plan.block("above", 0, 60, "##oo ##oo FG..", attached=[Attached("K", (40, 40), place=(0, 0))])
    plan.block("below", 2, 0, "1", cell=(16, 20))
    assert plan.contacts("below", rules=rules) == pairs(touch="1F")
    assert plan.contacts("below", rules=rules, dead="F") == pairs(gap="1K")


@BLOCKING
@MIRROR
def test_e31_no_gap_is_too_long(rules, mirror):
    # E31. A flank charge on ten files: the last rank is Z alone, behind nine empty slots or 180 mm.
    plan = Plan()
    above = "oooooooooJ Z........."
    plan.block("above", 0, 40, mirrored(above) if mirror else above)
    plan.block("charger", -20 if mirror else 200, 45, "1 2 3", EAST if mirror else WEST)
    assert plan.contacts("charger", rules=rules) == pairs(touch="1J 2J", gap="2Z 3Z")
    flank = LEFT if mirror else RIGHT
    assert set(plan.facings("charger", rules=rules).values()) == {(FRONT, flank)}


@pytest.mark.parametrize(
    ("rules", "gap"),
    [(INTERIOR, "3S 4S"), (NOTHING, "2S 3S 4S"), (CLOSED, "4S")],
    ids=["interior", "none", "closed"],
)
@MIRROR
def test_e32_past_a_character_at_the_side(rules, gap, mirror):
    # E32. H, 50 wide and 75 deep, stands beside two ranks of 50. He covers the flank of R and half that of S,
    # whom others reach across the 50 mm behind him: 4, 3 along the rear of H, and 2 where bases do not
    # matter.
    plan = Plan()
    hero = Attached("H", (50, 75), place="left" if mirror else "right")
    above = "oooR oooS"
    plan.block("above", 0, 100, mirrored(above) if mirror else above, cell=(25, 50), attached=[hero])
    plan.block("charger", -100 if mirror else 150, 100, "1 2 3 4", EAST if mirror else WEST, cell=(50, 25))
    assert plan.contacts("charger", rules=rules) == pairs(touch="1H 2H 3H 4H", gap=gap)
    assert set(plan.facings("charger", rules=rules).values()) == {(FRONT, LEFT if mirror else RIGHT)}


def behind_the_hero():
    """Draw three ranks with H at their side, and 1 in the flank, behind H: it faces only T, 50 mm away."""
    plan = Plan()
    hero = Attached("H", (50, 75), place="right")
    plan.block("above", 0, 150, "oooR oooS oooT", cell=(25, 50), attached=[hero], side=1)
    plan.block("charger", 150, 45, "1", WEST, cell=(50, 20), side=0)
    return plan


STOPS = [(rules, stops) for stops in ("boundaries", "none") for rules in (INTERIOR, NOTHING, CLOSED)]


@pytest.mark.parametrize(
    ("picture", "top", "height", "reached"),
    [
        # E33. The middle of three files is empty, and its place the boundary of a unit all the same.
        ("w . v", 70, 25, (False, False, False, True, True, True)),
        # A base across all lines; one that leaves the line along its side; one across half of them.
        ("w", 70, 46, (False, False, False, False, True, False)),
        ("w", 70, 45, (True, True, False, True, True, False)),
        ("w", 70, 35, (True, True, True, True, True, True)),
    ],
)
def test_e33_the_boundary_of_another_unit_ends_a_line(picture, top, height, reached):
    plan = behind_the_hero()
    plan.block("third", 110, top, picture, WEST, cell=(20, height), side=1)
    assert plan.engaged("charger", "above") == FRONT
    for (rules, stops), free in zip(STOPS, reached, strict=True):
        ask = {"rules": replace(rules, gap_stops_at=stops)}
        assert plan.contacts("charger", **ask) == (pairs(gap="1T") if free else {})
        assert plan.contacts("charger", present=plan.there("third"), **ask) == pairs(gap="1T")
        dead = "wv" if "v" in picture else "w"
        assert plan.contacts("charger", dead=dead, **ask) == pairs(gap="1T")


@pytest.mark.parametrize(
    ("kind", "bottom", "reached"),
    [
        ("impassable", 24, (False, False, False, True, True, True)),
        ("impassable", 25, (True, True, False, True, True, True)),
        ("impassable", 35, (True, True, True, True, True, True)),
        ("forest", 20, (True, True, True, True, True, True)),
        ("hill", 20, (True, True, True, True, True, True)),
    ],
)
def test_e33_impassable_terrain_ends_a_line(kind, bottom, reached):
    plan = behind_the_hero()
    plan.wall(110, bottom, 130, 70, kind)
    for (rules, stops), free in zip(STOPS, reached, strict=True):
        found = plan.contacts("charger", rules=replace(rules, gap_stops_at=stops))
        assert found == (pairs(gap="1T") if free else {})


@BLOCKING
@MIRROR
def test_a_character_at_the_side_longer_than_his_unit(rules, mirror):
    # One rank of 50 and H of 75: an enemy in the rear touches H alone, and reaches the others across 25 mm.
    plan = Plan()
    hero = Attached("H", (50, 75), place="left" if mirror else "right")
    above = "ABCD"
    plan.block("above", 0, 75, mirrored(above) if mirror else above, cell=(25, 50), attached=[hero])
    below = "123456"
    plan.block("below", -60 if mirror else 10, 0, mirrored(below) if mirror else below, cell=(25, 50))
    gap = "1A 1B 2B 2C 3C 3D 4D"
    assert plan.contacts("below", rules=rules) == pairs(touch="4H 5H 6H", gap=gap)
    assert plan.contacts("below", rules=rules, dead="4") == pairs(touch="5H 6H", gap="1A 1B 2B 2C 3C 3D")


@pytest.mark.parametrize(
    ("rules", "gap"),
    [(INTERIOR, "1H 2H 3H"), (NOTHING, "1H 2H 3H"), (CLOSED, "3H")],
    ids=["interior", "none", "closed"],
)
def test_the_far_side_of_a_character_is_reached_behind_the_ranks(rules, gap):
    # The ranks cover two thirds of his side. 3 faces the rest; lines along the rear and front of the ranks
    # lead to him from 2 and even from 1.
    plan = Plan()
    hero = Attached("H", (50, 75), place="right")
    plan.block("above", 0, 75, "ABCD", cell=(25, 50), attached=[hero])
    plan.block("charger", -20, 75, "1 2 3", EAST, cell=(20, 25))
    assert plan.contacts("charger", rules=rules) == pairs(touch="1A 2A 3A", gap=gap)
    assert set(plan.facings("charger", rules=rules).values()) == {(FRONT, LEFT)}


# ------------------------------------------------------------------------------------------ corners, E25, E26


def corner(above=SOUTH, below=NORTH):
    """Draw two units that touch in one point, (60, 0): a corner of A and one of 1."""
    plan = Plan()
    plan.block("above", 0, 40, "ooX oBA", above)
    plan.block("below", 60, 0, "123 5oo", below)
    return plan


@EDITIONS
@EACH_WAY
@pytest.mark.parametrize("below", COMPASS, ids=["from north", "from west", "from south", "from east"])
def test_e25_units_that_touch_in_a_corner(facing, below, rules):
    # E25. Only the two models there fight, and either facing of each is engaged.
    plan = corner(facing, below)
    above_facings = side(facing, SOUTH) | side(facing, EAST)
    below_facings = side(below, NORTH) | side(below, WEST)
    assert plan.ask(t9a.units_in_contact, observers=["above"], targets=["below"])
    assert plan.engaged("above", "below", rules=rules) == above_facings
    assert plan.engaged("below", "above", rules=rules) == below_facings
    assert plan.contacts("above", rules=rules) == pairs(touch="A1")
    assert plan.facings("above", rules=rules) == {"A1": (above_facings, below_facings)}


def test_e25_just_short_of_the_corner():
    plan = Plan()
    plan.block("above", 0, 40, "ooX oBA")
    plan.block("below", 60.1, 0, "123 5oo")
    assert plan.engaged("above", "below") == Arc.NONE
    assert plan.contacts("above") == {}


@EACH_WAY
@pytest.mark.parametrize("below", COMPASS, ids=["from north", "from west", "from south", "from east"])
def test_e26_which_facing_a_corner_is(facing, below):
    # E26. Seen from the corner, the middle of the front of the unit below lies in the south or east, that of
    # the one above in the north or west.
    plan = corner(facing, below)
    flanks = LEFT | RIGHT
    either = side(facing, SOUTH) | side(facing, EAST)
    assert plan.engaged("above", "below", rules=FLANK) == either & flanks
    either = side(below, NORTH) | side(below, WEST)
    assert plan.engaged("below", "above", rules=FLANK) == either & flanks
    # The middle of the front of the one below: (90, 0), (60, -20), (90, -40), (120, -20).
    place = {NORTH: EAST, WEST: SOUTH, SOUTH: SOUTH, EAST: EAST}[below]
    assert plan.engaged("above", "below", rules=LOCATED) == side(facing, place)
    # Of the one above: (30, 40), (0, 20), (30, 0), (60, 20).
    place = {NORTH: NORTH, WEST: WEST, SOUTH: WEST, EAST: NORTH}[facing]
    assert plan.engaged("below", "above", rules=LOCATED) == side(below, place)
    for rules in (FLANK, LOCATED):
        facings = plan.engaged("above", "below", rules=rules), plan.engaged("below", "above", rules=rules)
        assert plan.contacts("above", rules=rules) == pairs(touch="A1")
        assert plan.facings("above", rules=rules) == {"A1": facings}


def test_e26_the_unit_decides_and_not_the_base():
    # By itself the base of 1 would be located before A; its unit, six wide, is at the flank of the other.
    plan = Plan()
    plan.block("above", 0, 40, "ooX oBA", SOUTH)
    plan.block("below", 60, 0, "1ooooo", SOUTH)
    assert plan.engaged("above", "below", rules=LOCATED) == LEFT
    assert plan.engaged("below", "above", rules=LOCATED) == RIGHT
    assert plan.facings("above", rules=LOCATED) == {"A1": (LEFT, RIGHT)}


def test_e26_on_the_divider_is_the_flank():
    plan = Plan()
    plan.block("above", 0, 40, "oo oA", SOUTH)
    plan.block("below", 40, 0, "1oo", SOUTH, cell=(20, 30))  # the middle of its front is at (70, -30)
    assert plan.engaged("above", "below", rules=LOCATED) == LEFT


@pytest.mark.parametrize(
    ("dead", "south_north", "east_west"),
    [
        ("", "A1", "A1"),
        ("1", "A5", "A2"),  # the next ones behind and beside the empty place
        ("A", "X1", "B1"),
        ("A1", "X5", "B2"),  # no bases touch any more
        ("A1X", "", "B2"),
        ("A12X", "", "B3"),
        ("A123X", "", ""),
    ],
)
def test_units_in_contact_at_a_corner_where_no_bases_touch(dead, south_north, east_west):
    # The boundaries are those of before. Each has its rear and right flank at the corner, and the other unit
    # in the arc of its rear.
    plan = corner(NORTH, SOUTH)
    ask = {"dead": dead, "frozen": plan.living()}
    kind = "gap" if dead else "touch"
    assert plan.contacts("above", rules=LOCATED, **ask) == pairs(**{kind: south_north})
    assert plan.contacts("above", rules=FLANK, **ask) == pairs(**{kind: east_west})
    either = " ".join(sorted({*south_north.split(), *east_west.split()}))
    for rules in (BOTH, SECOND, CLOSED, NOTHING):
        assert plan.contacts("above", rules=rules, **ask) == pairs(**{kind: either})
    assert plan.engaged("above", "below") == plan.engaged("below", "above") == REAR | RIGHT


def slanted(degrees, middle=100.0):
    """Draw M, a wide base facing south, and 1, which touches it in (100, 0) with its front right corner."""
    plan = Plan()
    plan.block("above", middle - 200, 40, "M", SOUTH, cell=(400, 40))
    plan.block("below", 80, 0, "1", cell=(20, 20), turn=(degrees, 100, 0))
    return plan


@pytest.mark.parametrize(
    ("degrees", "expected"),
    [
        (0.5, FRONT),
        (5, FRONT),
        (30, FRONT),
        (44.9, FRONT),
        (45, FRONT | RIGHT),
        (45.1, RIGHT),
        (60, RIGHT),
        (89.5, RIGHT),
    ],
)
def test_e26_a_corner_at_the_middle_of_a_facing(degrees, expected):
    # The facing that is turned least from the one it meets is engaged; of two turned equally readings differ.
    plan = slanted(degrees)
    for edition in (THIRD, SECOND):
        for reading in ("both", "flank", "located"):  # M is straight beside the corner: in the flank
            rules = replace(edition, corner_facing=reading)
            known = RIGHT if expected == FRONT | RIGHT and reading != "both" else expected
            assert plan.engaged("below", "above", rules=rules) == known
            assert plan.engaged("above", "below", rules=rules) == FRONT
            assert plan.facings("below", rules=rules) == {"1M": (known, FRONT)}


@pytest.mark.parametrize(("middle", "located"), [(75, FRONT), (0, FRONT), (150, RIGHT), (250, RIGHT)])
def test_e26_a_slanted_corner_goes_by_the_arc(middle, located):
    plan = slanted(45, middle)
    assert plan.engaged("below", "above", rules=replace(SECOND, corner_facing="located")) == located


# ------------------------------------------------------------------------------------------- not aligned, E34


def tilted(degrees, facing=SOUTH):
    """Draw five files that touch in (10, 0) with their front left corner, turned clockwise about it."""
    plan = Plan()
    plan.block("above", 0, 40, "ooooo ABCDE", facing)
    plan.block("below", 10, 0, "12345 ooooo", turn=(-degrees, 10, 0))
    return plan


# Alternating for squares in line that are shifted by half their width; those that lean far also meet others.
OPPOSITE = "1B 2B 2C 3C 3D 4D 4E 5E"


@pytest.mark.parametrize(
    ("degrees", "third", "second"),
    [
        (0.3, OPPOSITE, OPPOSITE),
        (0.99, OPPOSITE, OPPOSITE),
        (1.01, OPPOSITE, ""),
        (5, OPPOSITE, ""),
        (30, OPPOSITE + " 5D", ""),
    ],
)
@EACH_WAY
def test_e34_units_that_are_not_aligned(degrees, third, second, facing):
    # E34. The second edition wants lines perpendicular to both facings, the third extends the bases.
    plan = tilted(degrees, facing)
    for rules, gap in ((THIRD, third), (SECOND, second)):
        assert plan.engaged("above", "below", rules=rules) == side(facing, SOUTH)
        assert plan.engaged("below", "above", rules=rules) == FRONT
        assert plan.contacts("below", rules=rules) == pairs(touch="1A", gap=gap)


@BLOCKING
def test_a_third_of_a_degree_opens_no_way_to_others(rules):
    # With the tolerance written out: one corner touches, all others are opposite across half a millimetre.
    plan = tilted(0.3)
    assert plan.contacts("below", rules=rules, tol=1e-6) == pairs(touch="1A", gap=OPPOSITE)
    gap = OPPOSITE.replace("1B", "below[5]A below[5]B")  # whoever stood behind 1
    assert plan.contacts("below", rules=rules, tol=1e-6, dead="1") == pairs(gap=gap)


def test_e34_the_angle_is_a_switch():
    plan = tilted(5)
    for degrees, gap in ((4.9, ""), (5, OPPOSITE), (5.1, OPPOSITE), (0, "")):
        rules = t9a.Rules(gap_angle=math.radians(degrees))
        assert plan.contacts("below", rules=rules) == pairs(touch="1A", gap=gap)


# ----------------------------------------------------------------------------------- who is dead or not there


def test_the_figure_with_models_dead():
    plan = figure()
    # Without F also B is open; the boundary is held by G and H.
    gap = "1A 1B 2B 2C 3C 5E 6E"
    assert plan.contacts("below", dead="F") == pairs(touch="3G 4G 4H 5H", gap=gap)
    # Who stood behind 1 reaches what 1 touched and reached.
    expected = FIGURE | {"touch": FIGURE["touch"] - {"1F"}}
    expected["gap"] = FIGURE["gap"] - {"1A"} | {"below[6]A", "below[6]F"}
    assert plan.contacts("below", dead="1") == expected
    # All of the last rank: the boundary ends before it, or stays where it was.
    assert plan.contacts("below", dead="FGH") == {}
    assert plan.engaged("below", "above", dead="FGH") == Arc.NONE
    gap = "1A 1B 2B 2C 3C 3D 4D 4J 5J 5E 6E"
    assert plan.contacts("below", dead="FGH", frozen=plan.living()) == pairs(gap=gap)
    # Nobody left below.
    nobody = plan.living("123456") & ~np.isin(np.arange(plan.board.n_models), plan.slots_of("below")[6:])
    assert plan.contacts("above", occupied=nobody) == {}


def test_the_figure_state_by_state():
    # Masks with an axis of states: every second state has lost F, every third has nobody below.
    plan = figure()
    occupied = np.tile(plan.living(), (plan.n_poses, 1))
    occupied[::2, plan.slot("F")] = False
    present = np.tile(plan.there(), (plan.n_poses, 1))
    present[::3, plan.index("below")] = False
    rows = t9a.contacts(plan.board, plan.positions, occupied=occupied, present=present)
    counts = np.bincount(rows.state, minlength=plan.n_poses)
    expected = np.where(np.arange(plan.n_poses) % 2 == 0, 2 * (4 + 7), 2 * (6 + 5))
    expected[::3] = 0
    assert counts.tolist() == expected.tolist()
    assert plan.contacts("below", present=plan.there("below")) == {}
    assert plan.engaged("below", "above", present=plan.there("above")) == Arc.NONE


# --------------------------------------------------------------------------- what is in between in part only


def across_a_beam(degrees, ground):
    """Draw 1, a hole and A; a thin beam runs slantwise through the hole and on behind A's rear."""
    plan = Plan()
    plan.block("above", 0, 60, "xyz ABC ..F", cell=(40, 20), side=1)
    plan.block("below", 0, 0, "1oo", cell=(40, 20), side=0)
    if ground:
        slope = math.tan(math.radians(degrees))
        plan.ground(
            [(x, 20 + slope * (x - 20) + y) for x, y in ((-9, -0.7), (49, -0.7), (49, 0.7), (-9, 0.7))]
        )
    else:
        plan.block("third", -20, 20.5, "w", cell=(80, 1), turn=(degrees, 20, 20), side=1)
    return plan


@pytest.mark.parametrize("ground", [False, True], ids=["unit", "terrain"])
@pytest.mark.parametrize("degrees", [43, -43])
@pytest.mark.parametrize("blocking", ["interior", "none", "closed"])
def test_lines_run_beside_what_lies_behind_a_facing_further_on(blocking, degrees, ground):
    # On one side the beam leaves the hole through A's rear edge; lines are free beyond.
    plan = across_a_beam(degrees, ground)
    rules = replace(THIRD, gap_blocking=blocking)
    assert plan.contacts("below", among="1A", rules=rules) == pairs(gap="1A")


@pytest.mark.parametrize("wide", [3.0, 8.2])
@pytest.mark.parametrize("mirrored", [False, True])
@pytest.mark.parametrize("there", [True, False])
def test_lines_are_free_before_a_beam_that_ends_beyond_the_facing(wide, mirrored, there):
    # B slants before A's only model; a beam slants more and is between at one end of the lines, and again
    # only where B has ended.
    units = [
        Unit("A", (25.4, 25.4), models=5, files=5, side=0),
        Unit("B", (50.8, 25.4), models=3, files=3, side=1),
        Unit("beam", (wide * 25.4, 2.0), side=1),
        Unit("stop", (1.99 * 25.4, 0.23 * 25.4), side=1),
    ]
    along_b, along = (
        np.array([1.0, -0.6]) / math.hypot(1.0, 0.6),
        np.array([1.0, -0.2]) / math.hypot(1.0, 0.2),
    )
    positions = np.array(
        [
            [2.5, 0.0, math.pi / 2],
            [*([5.0, 0.0] - 3.0 * along_b), math.atan2(-1.0, -0.6)],
            [*([-1.0, 3.08] + along * wide / 2), math.atan2(-1.0, -0.2)],
            [1.02, 1.005, math.pi],
        ]
    )
    living = np.array([1, 0, 0, 0, 0, 1, 1, 1, 1, 1], np.bool_)
    board = Board(units)
    if mirrored:
        positions[:, 0] *= -1.0
        positions[:, 2] = math.pi - positions[:, 2]
        living[:8] = [*living[4::-1], *living[7:4:-1]]
    rows = t9a.contacts(
        board,
        positions,
        occupied=living,
        frozen=board.occupied,
        present=[True, True, there, True],
        observers=["A"],
        targets=["B"],
    )
    assert list(zip(rows.model, rows.other, rows.kind, strict=True)) == [
        (4 if mirrored else 0, 5 if mirrored else 7, t9a.ContactKind.GAP)
    ]
