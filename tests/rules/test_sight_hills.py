"""Hills: who is elevated, and lines into and out of them, one by one.

Lengths are millimetres and observers face +y with their front edge on y = 0, unless said otherwise.
"""

import dataclasses

import numpy as np
import pytest

from ninthgeom import Attached, Terrain, t9a
from tests.rules.tables import NORTH, SOUTH
from tests.rules.test_sight_rules import SECOND, THIRD, sees, without


def polygon(table, corners, kind="hill", **more):
    table.terrain.append(Terrain(table.inches(corners), kind=kind, **more))


# --------------------------------------------------------------------------------------------------- elevated


@pytest.mark.parametrize(
    ("rear", "fully", "centre"),
    [
        (-300, True, True),
        (-20, True, True),  # its rear edge on the edge of the hill
        (-19.9, False, True),  # E14
        (-10, False, True),  # its centre on the edge
        (-9.9, False, False),
    ],
)
def test_e14_elevated_observers_look_over_those_who_are_not(table, rear, fully, centre):
    table.unit("observer", 0, 0, NORTH)  # its base from y = -20 to 0
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, rear, 900, 10, kind="hill")
    for rules in (THIRD, SECOND):
        assert sees(table, rules=dataclasses.replace(rules, elevated="fully")) == fully
        assert sees(table, rules=dataclasses.replace(rules, elevated="centre")) == centre
    assert sees(table, rules=THIRD) == fully
    assert sees(table, rules=SECOND) == centre
    assert not sees(table, observer="target", target="observer")  # who is looked at gains nothing


@pytest.mark.parametrize("rules", [SECOND, THIRD], ids=["second", "third"])
@pytest.mark.parametrize(("far", "seen"), [(10, True), (100, False), (79, True)])
def test_elevated_blockers_are_not_looked_over(table, rules, far, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))  # from y = 80 to 100
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, far, kind="hill")
    assert sees(table, rules=rules) == seen


@pytest.mark.parametrize(("rules", "seen"), [(SECOND, False), (THIRD, True)], ids=["second", "third"])
def test_a_blocker_with_its_centre_on_the_hill(table, rules, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 91, kind="hill")
    assert sees(table, rules=rules) == seen


def test_elevation_does_not_matter_for_terrain(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 10, kind="hill")
    assert sees(table)
    table.wall(-900, 100, 900, 101)
    assert not sees(table)


def test_a_hill_that_hides_nothing_elevates_and_other_ground_does_not(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 10, kind="ruin", opaque=True)
    assert not sees(table)
    table.wall(-900, -50, 900, 10, kind="hill", opaque=False)
    assert sees(table)


def test_two_hills_do_not_add_up(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 0, 10, kind="hill")
    table.wall(0, -50, 900, 10, kind="hill")
    assert not sees(table, rules=dataclasses.replace(THIRD, opaque_exempt="touch"))


@pytest.mark.parametrize(("right", "seen"), [(-30, True), (-31, False)])
def test_each_model_is_elevated_by_itself(table, right, seen):
    table.unit("observer", 0, 0, NORTH, models=5)  # files of 20 from x = -50 on
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, right, 10, kind="hill")
    assert sees(table) == seen
    assert not sees(table, **without(table, 0))


def test_an_elevated_model_of_the_rear_rank_looks_from_the_front_edge(table):
    table.unit("observer", 0, 0, NORTH, models=10)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, -20, kind="hill")  # under the second rank alone
    assert sees(table)
    assert not sees(table, **without(table, 5, 6, 7, 8, 9))
    assert sees(table, target="between", **without(table, 5, 6, 7, 8, 9))


def test_a_high_model_and_an_elevated_one_in_one_file_both_look(table):
    # Who is in the way is elevated, so that only the lord, who is not, sees past him.
    lord = Attached("lord", (20, 20), height=3, place=(0, 0))
    table.unit("observer", 0, 0, NORTH, models=9, attached=[lord])
    table.unit("between", 0, 100, NORTH, (800, 20), height=2)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, -20, kind="hill")  # under the second rank
    table.wall(-900, 70, 900, 110, kind="hill", opaque=False)
    assert sees(table)
    assert not sees(table, **without(table, 9))


def test_elevated_models_of_a_boundary_that_is_not_still_block_elevated_observers(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (400, 20), models=4, files=2)  # its ranks from y = 60 to 100
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 80, kind="hill")  # under the observer and the rear rank
    assert not sees(table)
    assert sees(table, **without(table, 3, 4))  # the rear rank
    assert not sees(table, **without(table, 1, 2))  # then all of its boundary is on the hill


@pytest.mark.parametrize(("right", "seen"), [(100, False), (-1, True)])
def test_a_higher_model_is_elevated_though_his_boundary_is_not(table, right, seen):
    champion = Attached("champion", (400, 20), height=3, place=(0, 0))  # x from -400 to 0
    table.unit("observer", -200, 0, NORTH, height=2)
    table.unit("between", 0, 60, NORTH, models=20, files=40, attached=[champion])
    table.unit("target", -200, 90, SOUTH, height=2)
    table.wall(-900, -50, right, 60, kind="hill")
    assert sees(table) == seen


# -------------------------------------------------------------------------------- lines into and out of hills


def bend(table, mirrored=False):
    """Lay a hill of two arms: one to the right, beside the front edge, one across, before everything."""
    corners = [(20, -100), (900, -100), (900, 200), (-900, 200), (-900, 100), (20, 100)]
    polygon(table, [(x, 300 - y) if mirrored else (x, y) for x, y in corners])


def test_only_lines_that_start_in_a_hill_pass_it(table):
    table.unit("observer", 0, 0, NORTH, models=5)  # x from -50 to 50; the hill begins at 20
    table.unit("target", 0, 300, SOUTH)
    bend(table)
    assert sees(table)
    assert sees(table, **without(table, 0, 1, 2))  # from 10 on
    assert not sees(table, **without(table, 3, 4))  # up to 10
    touch = dataclasses.replace(THIRD, opaque_exempt="touch")
    assert not sees(table, rules=touch, **without(table, 3, 4))


def test_standing_at_a_hill_helps_no_line_that_starts_beside_it(table):
    # The way out of the part in the hill is shut; what is open leads through the arm across.
    table.unit("observer", 0, 0, NORTH, models=5)
    table.unit("target", -50, 300, SOUTH)
    bend(table)
    assert sees(table)
    table.wall(15, 0, 900, 6)
    assert not sees(table)


def test_only_lines_that_end_in_a_hill_pass_it(table):
    table.unit("observer", 0, 0, NORTH, models=41, files=41)
    table.unit("target", 0, 300, SOUTH, models=5)
    bend(table, mirrored=True)
    assert sees(table)
    # All of the target in the hill, which begins at 20, is hidden; then all the rest.
    table.wall(19, 250, 900, 299)
    table.wall(18, 299, 19, 330)
    assert not sees(table)
    del table.terrain[-2:]
    table.wall(-900, 250, 19, 299)
    table.wall(18, 299, 19, 330)
    assert sees(table)


@pytest.mark.parametrize(
    ("gap", "seen"),
    [(None, True), ((200, 201), False)],
)
def test_from_one_hill_into_another(table, gap, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 400, SOUTH)
    table.wall(-900, -50, 900, 150, kind="hill")
    table.wall(-900, 250, 900, 500, kind="hill")
    if gap is not None:  # and a third between them
        table.wall(-900, gap[0], 900, gap[1], kind="hill")
    assert sees(table) == seen
    assert sees(table, observer="target", target="observer") == seen


def test_from_inside_one_hill_to_the_outside_of_another(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 400, SOUTH)
    table.wall(-900, -50, 900, 150, kind="hill")
    table.wall(-900, 250, 900, 390, kind="hill")
    assert not sees(table)


@pytest.mark.parametrize(("second", "seen"), [((-50, 200), True), ((1, 200), False), ((100, 250), False)])
def test_hills_that_overlap(table, second, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 400, SOUTH)
    table.wall(-900, -50, 900, 150, kind="hill")
    table.wall(-900, second[0], 900, second[1], kind="hill")
    assert sees(table) == seen
    three = (-900, -60, 900, 210)
    table.wall(*three, kind="hill")
    assert sees(table) == seen


def test_a_start_in_parts_of_two_hills_is_past_both_only_where_they_overlap(table):
    # The left part of the front lies in one hill, the right part in the other; both reach across.
    table.unit("observer", 0, 0, NORTH, models=5)
    table.unit("target", 0, 400, SOUTH)
    polygon(table, [(-900, -50), (-10, -50), (-10, 50), (900, 50), (900, 100), (-900, 100)])
    polygon(table, [(10, -50), (900, -50), (900, 200), (-900, 200), (-900, 150), (10, 150)])
    assert not sees(table)
    polygon(table, [(-30, -50), (-20, -50), (-20, -49), (-30, -49)])  # far from everything
    assert not sees(table)
    table.terrain[1] = Terrain(
        table.inches([(-20, -50), (900, -50), (900, 200), (-900, 200), (-900, 150), (-20, 150)]), kind="hill"
    )
    assert sees(table)


def test_a_point_on_the_seam_of_a_hill_that_is_cut_in_pieces(table):
    # A concave hill is cut; a line that starts on the cut starts in the hill all the same.
    table.unit("target", 0, 300, SOUTH)
    corners = [(-200, -200), (200, -200), (200, 100), (0, 0), (-200, 100)]
    polygon(table, [(x, y + 200) if y > 0 else (x, y) for x, y in corners])
    points = np.array([[0.0, -1.0], [0.0, -100.0], [-1.0, -1.0], [1.0, -1.0], [0.0, 299.0]])
    seen = t9a.seen_from_points(table.board, table.positions, table.inches(points))
    assert seen[:, 0].tolist() == [True] * 5


@pytest.mark.parametrize(("kind", "seen"), [("hill", True), ("ruin", True), ("impassable", False)])
def test_only_impassable_terrain_blocks_lines_that_start_in_it(table, kind, seen):
    table.unit("observer", 0, 0, NORTH)
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 100, kind=kind, opaque=True)
    assert sees(table) == seen
    assert sees(table, observer="target", target="observer") == seen


def test_hills_too_low_for_a_pair_are_not_in_its_way(table):
    table.unit("observer", 0, 0, NORTH, height=1)
    table.unit("low", 0, 400, SOUTH, height=1)
    table.unit("high", 300, 400, SOUTH, height=3)
    table.wall(-900, -50, 900, 100, kind="hill", height=1)
    table.wall(-900, 200, 900, 300, kind="hill", height=2)
    assert not sees(table, target="low")
    assert sees(table, target="high")


def test_states_on_and_off_a_hill_in_one_batch(table):
    table.unit("observer", 0, 0, NORTH)
    table.unit("between", 0, 100, NORTH, (800, 20))
    table.unit("target", 0, 300, SOUTH)
    table.wall(-900, -50, 900, 10, kind="hill")
    positions = np.array([table.positions] * 4)
    positions[1, 0, :2] = table.inches([0, 40])  # off the hill
    positions[2, 1, :2] = table.inches([0, 10])  # the other one on it as well
    positions[3, 0, :2] = table.inches([0, 15])  # half
    seen = t9a.line_of_sight(table.board, positions, observers=["observer"], targets=["target"])
    assert seen[:, 0, 0].tolist() == [True, False, False, False]
    present = np.ones((4, 3), bool)
    present[:, 1] = False
    seen = t9a.line_of_sight(
        table.board, positions, observers=["observer"], targets=["target"], present=present
    )
    assert seen.all()
