"""Worked cases of objects on the table, E37 to E42; how they are drawn and asked: see `plans.py`."""

import math

import numpy as np
import pytest

from ninthgeom import Arc, Board, Relation, Unit, t9a, within
from tests.rules.plans import EAST, NORTH, SOUTH, Plan, pairs, poses

FRONT, RIGHT = Arc.FRONT, Arc.RIGHT
ON_A_LARGE_TABLE = {"moves": poses(middle=(1000, 1000)), "size": (2000, 2000)}
INCH = 25.4


def overlaps(plan, **more):
    """Rows as (name of the unit, name of the other unit or number of the piece, relation, contact)."""
    rows = plan.ask(t9a.overlaps, **more)
    assert list(rows) == ["unit", "other", "is_terrain", "relation", "contact"]
    names = [unit.name for unit in plan.units]
    return {
        (names[unit], other if is_terrain else names[other], Relation(relation).name, contact)
        for unit, other, is_terrain, relation, contact in zip(*rows.values(), strict=True)
    }


def refused(plan, question, **more):
    """Names of the units for which an answer is False."""
    answer = plan.ask(question, **more)
    return {unit.name for unit, good in zip(plan.units, answer, strict=True) if not good}


# -------------------------------------------------------------------------------------------- terrain, flyers


@pytest.mark.parametrize(("x", "relation"), [(0, "INSIDE"), (80, "PARTIAL"), (125, "LINE"), (125.1, None)])
@pytest.mark.parametrize("kind", ["forest", "impassable"])
def test_e37_a_flyer_over_terrain_overlaps_it_without_contact(x, relation, kind):
    # E37. The flyer has not landed; on the ground the same unit is in contact.
    plan = Plan()
    plan.single("flyer", x, 50, base_mm=(50, 100), flying=True)
    plan.single("giant", x, 50 - 300, base_mm=(50, 100))
    plan.wall(-100, -80, 100, 80, kind)
    plan.wall(-100, -380, 100, -220, kind)
    there = {("flyer", 0, relation), ("giant", 1, relation)} if relation else set()
    assert overlaps(plan) == {(*row, row[0] == "giant") for row in there}
    assert overlaps(plan, aloft=[False, False]) == {(*row, True) for row in there}
    assert overlaps(plan, aloft=[True, True]) == {(*row, False) for row in there}
    assert overlaps(plan, present=plan.there("flyer")) == {(*row, True) for row in there if row[0] == "giant"}
    assert overlaps(plan, observers=["flyer"]) == {(*row, False) for row in there if row[0] == "flyer"}


def test_a_flyer_over_a_unit():
    plan = Plan()
    plan.block("spears", 0, 40, "ooooo ooooo")
    plan.single("flyer", 50, 35, base_mm=(30, 30), flying=True)
    plan.single("second", 50, 33, base_mm=(10, 10), flying=True)
    rows = {
        ("spears", "flyer", "CONTAINS"),
        ("spears", "second", "CONTAINS"),
        ("flyer", "second", "CONTAINS"),
    }
    rows |= {(other, unit, "INSIDE") for unit, other, _ in rows}
    assert overlaps(plan) == {(*row, False) for row in rows}
    assert overlaps(plan, aloft=plan.there("spears", "flyer")) == {
        (*row, "second" not in row) for row in rows
    }
    assert overlaps(plan, targets=["second"]) == {(*row, False) for row in rows if row[1] == "second"}


@pytest.mark.parametrize(
    ("y", "relation", "contact"),
    [(0, "LINE", True), (0.1, None, False), (-0.1, "PARTIAL", True), (-20, "INSIDE", True)],
)
def test_e38_an_edge_on_the_edge_of_a_forest(y, relation, contact):
    # E38. It is in contact with the forest, which is enough for cover of units in contact, but not inside it.
    plan = Plan()
    plan.block("spears", 0, y + 20, "ooooo")
    plan.wall(-200, -100, 300, 0, "forest")
    assert overlaps(plan) == ({("spears", 0, relation, contact)} if relation else set())


def test_e38_a_corner_on_a_corner_of_a_forest():
    plan = Plan()
    plan.block("spears", 0, 20, "ooooo")
    plan.wall(100, -100, 300, 0, "forest")
    assert overlaps(plan) == {("spears", 0, "POINT", True)}


# ---------------------------------------------------------------------------------------------------- spacing


def test_e39_spacing_is_kept_from_empty_slots():
    # E39. 0.9 inch to an empty slot, 0.9 and 20 mm to the nearest base.
    plan = Plan()
    plan.block("spears", 0, 0, "ooooo oo...")
    plan.block("enemy", 70, -40 - 0.9 * INCH, "1")
    assert t9a.distances(plan.board, plan.positions)[:, 0, 1] == pytest.approx(0.9)
    assert refused(plan, t9a.spacing_ok) == {"spears", "enemy"}
    assert refused(plan, t9a.spacing_ok, moving=True) == set()
    rear = plan.slots_of("spears")[5:]
    gone = plan.living()
    gone[rear] = False
    assert refused(plan, t9a.spacing_ok, occupied=gone) == set()


def test_e40_exactly_twelve_inches_is_within_twelve():
    # E40. Within is closed, spacing is open.
    plan = Plan()
    plan.block("archers", 0, 0, "ooooo")
    plan.block("target", 0, 12 * INCH + 20, "ooooo", SOUTH)
    assert t9a.distances(plan.board, plan.positions)[:, 0, 1] == pytest.approx(12, abs=1e-9)
    boundaries = plan.board.boundaries(plan.positions)
    assert within(boundaries[:, 0], boundaries[:, 1], 12).all()
    assert not within(boundaries[:, 0], boundaries[:, 1], 12 - 1e-5).any()


@pytest.mark.parametrize(
    ("inches", "still", "moving"),
    [
        (1.0, False, True),
        (1.0 + 1e-7, False, True),  # the tolerance
        (1.0 + 1e-5, True, True),
        (0.5, False, False),
        (0.5 + 1e-5, False, True),
        (0.0, False, False),
    ],
)
@pytest.mark.parametrize("kind", ["unit", "impassable", "forest"])
def test_e41_exactly_one_inch_is_too_close(inches, still, moving, kind):
    # E41. To every other unit and to impassable terrain; other terrain asks for no room.
    plan = Plan()
    plan.block("spears", 0, 0, "ooooo ooooo")
    if kind == "unit":
        plan.single("W", 40, inches * INCH + 30, base_mm=60, shape="round")
    else:
        plan.wall(-50, inches * INCH, 150, 100, kind)
    close = {unit.name for unit in plan.units} if kind != "forest" else set()
    assert refused(plan, t9a.spacing_ok) == (set() if still else close)
    assert refused(plan, t9a.spacing_ok, moving=True) == (set() if moving else close)


def test_e41_who_need_not_keep_away():
    plan = Plan()
    plan.block("spears", 0, 0, "ooooo ooooo")
    plan.block("enemy", 0, 20, "ooooo", SOUTH)
    plan.single("flyer", 200, -20 + 20, base_mm=(40, 40), flying=True)
    plan.block("under", 190, 0, "ooooo")
    engaged = np.zeros((4, 4), bool)
    engaged[1, 0] = True  # either order will do
    everybody = {"spears", "enemy", "flyer", "under"}
    assert refused(plan, t9a.spacing_ok) == everybody
    assert refused(plan, t9a.spacing_ok, engaged=engaged) == {"flyer", "under"}
    assert refused(plan, t9a.spacing_ok, engaged=engaged, moving=True) == set()
    assert refused(plan, t9a.spacing_ok, moving=True) == {"spears", "enemy"}
    landed = np.zeros(4, bool)
    assert refused(plan, t9a.spacing_ok, engaged=engaged, moving=True, aloft=landed) == {"flyer", "under"}
    absent = plan.there("flyer")
    assert refused(plan, t9a.spacing_ok, engaged=engaged, present=absent) == {"flyer"}


# ------------------------------------------------------------------------------------------ E42 and the table


def charge(aside):
    """Draw a charger whose right corner clips a second enemy by 1 mm, unless it goes further aside."""
    plan = Plan(**ON_A_LARGE_TABLE)
    plan.block("charger", -aside, 0, "ABCD", side=0)
    plan.block("aim", 0, 20, "ab", SOUTH, side=1)
    plan.block("second", 79, 20, "d", SOUTH, side=1)
    return plan


def test_e42_a_charge_that_clips_a_second_enemy():
    # E42. Where that cannot be avoided it is a charge of both, and both fight.
    plan = charge(0)
    assert plan.contacts("charger") == pairs(touch="Aa Ab Ba Bb Cb Dd")
    assert plan.engaged("charger", "second") == FRONT
    # 1.1 mm further aside it is not.
    plan = charge(1.1)
    assert plan.contacts("charger") == pairs(touch="Aa Ba Bb Cb")
    assert plan.engaged("charger", "second") == Arc.NONE


def test_e42_what_is_legal_then():
    plan = charge(0)
    both = np.zeros((3, 3), bool)
    both[0, 1:] = True
    assert refused(plan, t9a.legal, engaged=both) == set()  # the enemies are 39 mm apart
    aim = np.zeros((3, 3), bool)
    aim[0, 1] = True
    assert refused(plan, t9a.legal, engaged=aim) == {"charger", "second"}
    # In contact is no excuse for standing inside somebody.
    plan = Plan(**ON_A_LARGE_TABLE)
    plan.block("charger", 0, 0.1, "ABCD", side=0)
    plan.block("aim", 0, 20, "ab", SOUTH, side=1)
    engaged = np.ones((2, 2), bool)
    assert refused(plan, t9a.legal, engaged=engaged) == {"charger", "aim"}
    assert refused(plan, t9a.legal, engaged=engaged, present=plan.there("aim")) == {"aim"}


def test_flyers_pass_over_everything_but_end_on_free_ground():
    plan = Plan(**ON_A_LARGE_TABLE)
    plan.single("flyer", 0, 0, base_mm=(50, 50), flying=True)
    plan.block("spears", -10, -10, "ooooo")
    assert refused(plan, t9a.legal) == {"flyer", "spears"}
    assert refused(plan, t9a.legal, moving=True) == set()
    assert refused(plan, t9a.legal, moving=True, aloft=[False, False]) == {"flyer", "spears"}
    plan.wall(-100, -100, 100, 100)
    assert refused(plan, t9a.legal, moving=True) == {"spears"}


@pytest.mark.parametrize("edge", range(4), ids=["west", "east", "south", "north"])
def test_on_the_table_up_to_its_edge(edge):
    # Units turned at random, whose outermost point is on an edge of the table.
    plan = Plan()
    plan.block("spears", 0, 0, "ooooo oo...", cell=(20, 30), turn=(20, 0, 0))
    plan.single("W", 0, -300, base_mm=60, shape="round")
    turned = plan.positions.copy()
    turned[..., :2] += 24 - turned[:, :1, :2]
    axis, far = divmod(edge, 2)
    for unit in (0, 1):
        bounds = plan.board.boundaries(turned, plan.living()).bounds[:, unit]  # x and y from, x and y to
        size = plan.board.size[axis]
        for out, good in ((0.0, True), (1e-7, True), (1e-5, False), (-1e-5, True)):
            at = turned.copy()
            at[:, unit, axis] += (size + out if far else -out) - bounds[:, axis + 2 * far]
            at[:, unit, 1 - axis] += 20 - bounds[:, 1 - axis]
            on = t9a.on_table(plan.board, at, observers=[unit], occupied=plan.living())
            assert on.tolist() == [[good]] * plan.n_poses
    absent = t9a.on_table(plan.board, at, present=[False, False])
    assert not absent.any()


def test_the_corners_of_the_table_itself():
    board = Board([Unit("all of it", (48 * INCH, 72 * INCH))], size=(72, 48))
    for heading, x in ((EAST, 72), (math.pi, 0)):
        assert t9a.on_table(board, [[x, 24, heading]]).tolist() == [True]
        assert t9a.on_table(board, [[x + 0.001, 24, heading]]).tolist() == [False]
    assert t9a.on_table(board, [[36, 24, NORTH]]).tolist() == [False]
