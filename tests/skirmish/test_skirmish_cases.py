"""The rules page of measuring and movement, row by row: worked cases of the facts, and readings.

Names tell the row: s1 to s7 are the worked cases, p1 to p21 the predicates and procedures, and a to n the
ambiguities with the reading that is the default and, where there is one, the other.

Not answered by the package, and so without a test: elevation in all its forms (P13, k, l; P12 as far as it
joins levels, distances being horizontal always, j); cover and who is hidden (P15, S-4: what it says about one
feature is composed of geometry questions below); that a move of length 0 is called a hold (P21), which is a
name and no geometry. P16 to P19 are no functions of their own either; the tests compose them of the
questions that there are.
"""

from __future__ import annotations

import math

import numpy as np
import pytest

import ninthgeom
from ninthgeom import Bases, Polygons, Segments
from ninthgeom.skirmish import (
    Ground,
    PlaceStatus,
    Rules,
    can_stand,
    coherency,
    deployment_legal,
    distances,
    distances_to,
    engaged,
    may_control,
    move_directly,
    move_group,
    paths_clear,
    place,
    routes,
    wholly_within,
    within,
)
from tests.skirmish.tabletop import INCH, Tabletop, distance


@pytest.fixture
def top() -> Tabletop:
    return Tabletop()


def whole(found) -> bool:
    """The one answer of a question about one thing."""
    return bool(np.asarray(found).reshape(()))


def number(found) -> float:
    return float(np.asarray(found).reshape(()))


# --- S-1 to S-7 ------------------------------------------------------------------------------------


def touching_walkers(top: Tabletop) -> None:
    top.disc("w1", 20, 20, mm=80, size=3)
    top.disc("w2", 20 + 80 / INCH, 20, mm=80, size=3)


@pytest.mark.parametrize(("radius", "kept"), [(3.0, False), (80 / INCH, True), (4.0, True)])
def test_s1_n_walkers_that_touch_need_four_inches(top, radius, kept):
    touching_walkers(top)
    found = coherency(*top.both, [0], radius=radius)
    assert found.within_radius.tolist() == [True, kept]
    assert found.linked.tolist() == [True, True]
    assert found.in_coherency.tolist() == [kept]


def pinch(top: Tabletop, gap: float, **mover) -> None:
    """Two enemy discs above and below y = 20, so far from each other, and someone to pass from the west."""
    top.disc("m", 14, 20, **({"mm": 50, "size": 2} | mover))
    top.disc("e1", 20, 21 + gap / 2, 2.0, side=1)
    top.disc("e2", 20, 19 - gap / 2, 2.0, side=1)


THROUGH = [(14.0, 20.0), (26.0, 20.0)]


def test_s2_an_inch_lets_size_two_pass_and_a_thousandth_less_does_not(top):
    pinch(top, 1.0)
    found = paths_clear(*top.both, "m", THROUGH)
    assert whole(found.clear)
    assert number(found.length) == pytest.approx(12.0)
    assert number(found.stopped_at) == math.inf
    assert math.isnan(number(found.gap_width))


def test_s2_a_thousandth_less_stops(top):
    pinch(top, 0.999)
    found = paths_clear(*top.both, "m", THROUGH)
    assert not whole(found.clear)
    assert number(found.gap_width) == pytest.approx(0.999)
    assert set(found.gap.tolist()) == {1, 2}
    assert number(found.stopped_at) == pytest.approx(6.0)


def test_s2_it_may_not_stop_in_the_gap(top):
    pinch(top, 1.0)
    board, positions = top.both
    in_it = positions.copy()
    in_it[0, :2] = (20, 20)
    assert not whole(can_stand(board, in_it, ["m"]))
    assert whole(can_stand(board, positions, ["m"]))


@pytest.mark.parametrize("leader_mm", [32, 50, 80])
@pytest.mark.parametrize(("beyond", "kept"), [(0.0, True), (0.001, False), (-0.001, True)])
def test_s3_p3_wholly_within_is_measured_from_edge_to_far_side(top, leader_mm, beyond, kept):
    gap = (76.2 - 32 + beyond) / INCH  # 1.74 inches
    top.disc("m1", 20, 20, mm=leader_mm)
    top.disc("m2", 20 + (leader_mm + 32) / 2 / INCH + gap, 20, mm=32)
    assert coherency(*top.both, [0]).within_radius.tolist() == [True, kept]
    assert whole(wholly_within(*top.both, 3.0, observers=["m2"], targets=["m1"])) == kept


def test_s4_a_feature_counts_as_a_whole():
    # Cover is none of the questions, and sight says who is seen, not how well. What the case is about:
    # the line crosses the far arm of an L, and the near arm, within an inch of the model, is the same piece.
    corner = Polygons([[(10, 10), (20, 10), (20, 11), (11, 11), (11, 20), (10, 20)]])
    shooter, target = Bases.round(8.0, 16.0, diameter=1.0), Bases.round(19.0, 12.4, diameter=1.0)
    assert ninthgeom.passes_through(Segments(8.0, 16.0, 19.0, 12.4), corner)[0]
    assert ninthgeom.within(target, corner, 1.0)[0]
    assert not ninthgeom.within(shooter, corner, 1.0)[0]


def link_through_enemy(top: Tabletop, enemy_x: float) -> None:
    top.disc("m1", 10, 20)
    top.disc("m2", 18, 20)
    top.disc("e", enemy_x, 20, 3.0, side=1)


@pytest.mark.parametrize(("enemy_x", "linked"), [(14.0, False), (13.0, True), (13.001, False)])
def test_s5_p6_links_pass_enemies_only_when_engaged(top, enemy_x, linked):
    # The edge of the enemy is 1.5 from its centre, that of the leader at 10.5: engaged up to 13.
    link_through_enemy(top, enemy_x)
    assert whole(engaged(*top.both, observers=["m1"], targets=["e"])) == linked
    assert coherency(*top.both, [0, 2]).linked.tolist() == [True, linked, True]


def test_s5_any_model_of_the_group_may_be_the_one_that_is_engaged(top):
    link_through_enemy(top, 14.0)
    top.disc("m3", 14, 22.2)
    assert coherency(*top.both, [0, 2]).linked.tolist() == [True] * 4


@pytest.mark.parametrize(("reading", "linked"), [("models", False), ("groups", True)])
def test_s5_links_pass_engaged_models_or_their_whole_groups(top, reading, linked):
    link_through_enemy(top, 14.0)
    top.disc("e2", 8.2, 20, side=1)
    rules = Rules(engaged_link=reading)
    assert coherency(*top.both, [0, 2], rules=rules).linked[:2].tolist() == [True, linked]


def test_s6_p8_casualties_do_not_break_coherency(top):
    # m1 is hidden from m3 but for the detour over m2.
    top.disc("m1", 20, 20)
    top.disc("m2", 21.2, 21.4)
    top.disc("m3", 22.4, 20)
    top.box(21.15, 15, 21.25, 20.6)
    board, positions = top.both
    before = coherency(board, positions, [0])
    assert before.in_coherency.tolist() == [True]
    present = np.array([True, False, True])
    marker = Bases.round([22.4], [18.0], diameter=32 / INCH)
    held = may_control(board, positions, marker, before.in_coherency, present=present)
    assert held.shape == (1, 1)
    assert held.all()
    # Asked anew it would not be: the snapshot of the last action is what counts.
    after = coherency(board, positions, [0], present=present)
    assert after.linked.tolist() == [True, False, False]
    assert not may_control(board, positions, marker, after.in_coherency, present=present).any()


def test_s7_p9_a_push_ends_at_the_edge_of_the_table(top):
    top.disc("m", 2.5, 20)
    top.disc("e", 8, 20, side=1)
    found = move_directly(*top.both, "m", "e", 6.0, away=True)
    assert found.positions[0, :2] == pytest.approx([0.5, 20.0])
    assert number(found.length) == pytest.approx(2.0)


# --- P1 to P3, j, m: measuring ---------------------------------------------------------------------


def test_p1_j_distances_are_between_edges_and_horizontal(top):
    top.disc("a", 10, 10)
    top.disc("b", 13, 14, 2.0, side=1)
    top.disc("c", 11, 10, flying=True)
    found = distances(*top.both)
    assert found[0, 1] == found[1, 0] == pytest.approx(5 - 1.5)
    assert found[0, 2] == 0.0
    assert found[0, 0] == math.inf


def test_p1_tokens_by_their_physical_edge(top):
    top.disc("a", 10, 10)
    tokens = Bases.round([13.0, 10.2], [10.0, 10.0], diameter=[1.0, 0.2])
    assert distances_to(*top.both, tokens) == pytest.approx(np.array([[2.0, 0.0]]))


def test_p1_groups_by_their_closest_pair(top):
    top.disc("a1", 10, 10)
    top.disc("a2", 12, 10)
    top.disc("b1", 20, 10, side=1)
    top.disc("b2", 16, 10, side=1)
    found = distances(*top.both, by="group")
    assert found.shape == (2, 2)
    assert found[0, 1] == pytest.approx(3.0)


@pytest.mark.parametrize(("reach", "met"), [(3.0, True), (2.999, False)])
def test_p2_within_is_closed_and_one_model_is_enough(top, reach, met):
    top.disc("a1", 10, 10)
    top.disc("a2", 5, 10)
    top.disc("b", 14, 10, side=1)
    assert within(*top.both, reach, by="group")[0, 1] == met
    assert within(*top.both, reach, observers=["a1"], targets=["b"])[0, 0] == met
    assert not within(*top.both, reach, observers=["a2"], targets=["b"])[0, 0]


def test_p3_a_group_is_wholly_within_when_all_its_models_are(top):
    top.disc("a1", 10, 10)
    top.disc("a2", 12, 10)
    top.disc("b", 15, 10, side=1)
    assert wholly_within(*top.both, 3.0, by="model", observers=["a2"], targets=["b"])[0, 0]
    assert wholly_within(*top.both, 5.0, by="group")[0, 1]
    assert not wholly_within(*top.both, 4.999, by="group")[0, 1]


@pytest.mark.parametrize(("reach", "covered"), [(2.0, True), (1.77, True), (1.76, False)])
def test_p3_two_models_may_cover_what_neither_does(top, reach, covered):
    # b reaches from x = 10 to 13. Its far end is 2.77 from either model, its middle, (11.5, 11.7), 1.767
    # from both.
    top.disc("a1", 10, 10)
    top.disc("a2", 13, 10)
    top.oval("b", 11.5, 11.2, 0, size=(1 * INCH, 3 * INCH), side=1)
    alone = [wholly_within(*top.both, reach, observers=["b"], targets=[name]) for name in ("a1", "a2")]
    assert not np.any(alone)
    assert wholly_within(*top.both, reach, by="group")[1, 0] == covered


@pytest.mark.parametrize(("reading", "reach"), [("edge", 2.5), ("centre", 3.0)])
def test_a_wholly_within_is_measured_from_the_edge(top, reading, reach):
    top.disc("m1", 20, 20)
    top.disc("m2", 22.5, 20)
    rules = Rules(sc_wholly_ref=reading)
    for radius, kept in ((reach, True), (reach - 0.001, False)):
        found = coherency(*top.both, [0], radius=radius, rules=rules)
        assert found.within_radius.tolist() == [True, kept]
        assert whole(wholly_within(*top.both, radius, observers=[1], targets=[0], rules=rules)) == kept


def test_m_ovals_by_their_outline_and_the_middle_of_it(top):
    top.oval("a", 10, 10, 0)
    top.oval("b", 10 + 70 / INCH + 2, 10, 90)
    assert distances(*top.both)[0, 1] == pytest.approx(2.0)
    # End to end: 30 mm of straight half, and the two radii of 20.
    top.places[1] = (10, 10 + 40 / INCH + 1.5, 0.0)
    assert distances(*top.both)[0, 1] == pytest.approx(1.5)


# --- P4, P5, P7: the leader, its radius, and who finds no room -------------------------------------


def test_p4_the_leader_goes_along_its_path_and_the_others_are_set(top):
    for i, (x, y) in enumerate([(10, 10), (11.5, 10), (10, 11.5)]):
        top.disc(f"m{i}", x, y)
    path = [(10, 10), (14, 13), (14, 16)]
    found = move_group(*top.both, "m", path, leader="m0", allowance=8.0)
    assert whole(found.moved)
    assert number(found.length) == pytest.approx(8.0)
    assert found.positions[:, :2] == pytest.approx(np.array([(14, 16), (15.5, 16), (14, 17.5)]))
    assert set(found.status[1:].tolist()) == {PlaceStatus.IN_COHERENCY}


def test_p4_a_path_that_is_too_long_moves_nobody(top):
    top.disc("m0", 10, 10)
    top.disc("m1", 11.5, 10)
    board, positions = top.both
    found = move_group(board, positions, "m", [(10, 10), (14, 13)], leader="m0", allowance=4.99)
    assert not whole(found.moved)
    assert np.array_equal(found.positions, positions)


@pytest.mark.parametrize("what", ["wall", "gap", "end"])
def test_p4_a_leader_that_cannot_go_moves_nobody(top, what):
    top.disc("m0", 14, 20)
    top.disc("m1", 12.5, 20)
    if what == "wall":
        top.box(18, 15, 19, 25)
    elif what == "gap":
        top.disc("e1", 18, 21.4, 2.0, side=1)
        top.disc("e2", 18, 18.6, 2.0, side=1)
    else:
        top.disc("e1", 22.9, 20, side=1)
    board, positions = top.both
    found = move_group(board, positions, "m", [(14, 20), (22, 20)], leader="m0")
    assert not whole(found.moved)
    assert np.array_equal(found.positions, positions)
    # Half as far it gets in any case.
    assert whole(move_group(board, positions, "m", [(14, 20), (15, 20)], leader="m0").moved)


def test_p4_the_others_are_set_not_moved(top):
    # Between m1 and its new place is a wall right across: only the leader has a path.
    top.disc("m0", 14, 20)
    top.disc("m1", 12.5, 20)
    top.box(13, 20.6, 13.2, 40)
    top.box(13, 0, 13.2, 19.4)
    found = move_group(*top.both, "m", [(14, 20), (17, 20)], leader="m0")
    assert whole(found.moved)
    assert found.positions[1, :2] == pytest.approx([15.5, 20])
    assert found.status[1] == PlaceStatus.IN_COHERENCY


def test_p5_the_radius_is_that_of_each_group(top):
    for side, name in enumerate("ab"):
        top.disc(f"{name}1", 10, 10 + 20 * side, side=side)
        top.disc(f"{name}2", 13.5, 10 + 20 * side, side=side)
    assert coherency(*top.both, [0, 2]).in_coherency.tolist() == [False, False]
    assert coherency(*top.both, [0, 2], radius=[3.0, 3.5]).in_coherency.tolist() == [False, True]


def test_p7_a_wish_within_reach_is_granted(top):
    top.disc("m1", 10, 10)
    top.disc("m2", 30, 30)
    found = place(*top.both, ["m2"], [(12, 11)], leader="m1")
    assert found.positions[1, :2] == pytest.approx([12, 11])
    assert found.status.tolist() == [PlaceStatus.IN_COHERENCY]


def test_p7_beyond_the_radius_the_nearest_spot_is_on_its_edge(top):
    top.disc("m1", 10, 10)
    top.disc("m2", 30, 30)
    found = place(*top.both, ["m2"], [(20, 10)], leader="m1")
    assert found.positions[1, :2] == pytest.approx([13, 10], abs=1e-5)


def test_p7_n_g_no_room_in_the_radius_is_out_of_coherency_as_near_as_can_be(top):
    touching_walkers(top)
    found = place(*top.both, ["w2"], [(25, 20)], leader="w1")
    assert found.status.tolist() == [PlaceStatus.OUT_OF_COHERENCY]
    assert distance(found.positions[1], (20, 20)) == pytest.approx(80 / INCH, abs=1e-5)
    found = place(*top.both, ["w2"], [(25, 20)], leader="w1", radius=4.0)
    assert found.status.tolist() == [PlaceStatus.IN_COHERENCY]


def test_a_places_go_by_the_same_reading_of_the_radius(top):
    top.disc("m1", 10, 10)
    top.disc("m2", 30, 30)
    for reading, x in (("edge", 13.0), ("centre", 12.5)):
        found = place(*top.both, ["m2"], [(20, 10)], leader="m1", rules=Rules(sc_wholly_ref=reading))
        assert found.positions[1, :2] == pytest.approx([x, 10], abs=1e-5)


def test_g_an_oval_out_of_coherency_has_its_farthest_point_as_near_as_can_be(top):
    # 40 mm wide and 100 mm deep, heading east: its long side to the leader, its middle not quite before it.
    top.oval("o1", 20, 20, 0)
    top.oval("o2", 40, 20, 0)
    found = place(*top.both, ["o2"], [(40, 20)], leader="o1", radius=1.0)
    assert found.status.tolist() == [PlaceStatus.OUT_OF_COHERENCY]
    assert found.positions[1, 0] == pytest.approx(20.0, abs=1e-4)
    assert abs(found.positions[1, 1] - 20.0) == pytest.approx(40 / INCH, abs=1e-4)


def courtyard(top: Tabletop) -> None:
    """A leader with walls all about it that leave no room for anyone else."""
    top.disc("m1", 20, 20)
    top.disc("m2", 30, 30)
    for x0, y0, x1, y1 in (
        (18, 18, 22, 19.4),
        (18, 20.6, 22, 22),
        (18, 19.4, 19.4, 20.6),
        (20.6, 19.4, 22, 20.6),
    ):
        top.box(x0, y0, x1, y1)


def test_p7_no_linked_spot_at_all_is_a_casualty(top):
    courtyard(top)
    found = place(*top.both, ["m2"], [(24, 20)], leader="m1")
    assert found.status.tolist() == [PlaceStatus.CASUALTY]
    assert np.array_equal(found.positions, top.positions)


def test_p7_with_an_opening_the_link_leads_out(top):
    courtyard(top)
    top.terrain.pop()  # the wall in the east
    found = place(*top.both, ["m2"], [(24, 20)], leader="m1")
    assert found.status.tolist() == [PlaceStatus.IN_COHERENCY]
    assert found.positions[1, :2] == pytest.approx([23.0, 20.0], abs=1e-5)


# --- P6, b, c, f: links ----------------------------------------------------------------------------


def test_p6_links_do_not_pass_terrain_but_go_round_over_others(top):
    top.disc("m1", 20, 20)
    top.disc("m2", 22.4, 20)
    top.box(21.15, 15, 21.25, 21)
    assert coherency(*top.both, [0]).linked.tolist() == [True, False]
    top.disc("m3", 21.2, 21.6)
    assert coherency(*top.both, [0]).linked.tolist() == [True, True, True]


def test_p6_models_of_friends_stop_links_as_those_of_enemies_do(top):
    top.disc("m1", 10, 20)
    top.disc("m2", 18, 20)
    top.disc("f", 14, 20, 3.0)
    assert coherency(*top.both, [0, 2]).linked[:2].tolist() == [True, False]


def gap_in_the_link(top: Tabletop, gap: float, size: int) -> None:
    """Two blocks that leave one gap between two models, who are as wide as it, or wider."""
    top.disc("m1", 10, 20, 3.5, size=size)
    top.disc("m2", 18, 20, 3.5, size=size)
    top.box(13.5, 20 + gap / 2, 14.5, 30)
    top.box(13.5, 10, 14.5, 20 - gap / 2)


@pytest.mark.parametrize(
    ("gap", "size", "linked"),
    [(1.0, 2, True), (0.999, 2, False), (3.0, 3, True), (2.999, 3, False), (2.0, 0, True), (0.0, 1, False)],
)
def test_p6_e_links_pass_gaps_the_leader_could_pass(top, gap, size, linked):
    gap_in_the_link(top, gap, size)
    assert coherency(*top.both, [0]).linked.tolist() == [True, linked]


def test_p6_the_width_goes_by_the_leader(top):
    top.disc("m1", 10, 20, 3.5, size=3)
    top.disc("m2", 18, 20, 3.5, size=1)
    top.box(13.5, 21, 14.5, 30)
    top.box(13.5, 10, 14.5, 19)
    assert coherency(*top.both, [0]).linked.all() == np.False_
    assert coherency(*top.both, [1]).linked.all() == np.True_


def test_p6_p12_links_pass_access_points(top):
    top.disc("m1", 20, 20)
    top.disc("m2", 22.4, 20)
    top.box(21.15, 15, 21.25, 25)
    door = [(21.0, 19.9), (21.4, 19.9), (21.4, 20.1), (21.0, 20.1)]
    assert coherency(*top.both, [0]).linked.tolist() == [True, False]
    found = coherency(*top.both, [0], ground=Ground(access=[door]))
    assert found.linked.tolist() == [True, True]
    aside = np.add(door, (0, 4)).tolist()
    assert coherency(*top.both, [0], ground=Ground(access=[aside])).linked.tolist() == [True, False]


def test_p6_links_do_not_pass_openings_agreed_closed(top):
    gap_in_the_link(top, 2.0, 1)
    for x, linked in ((14.0, False), (30.0, True)):
        shut = Ground(closed=[(x, 19, x, 21)])
        assert coherency(*top.both, [0], ground=shut).linked.tolist() == [True, linked]


def test_p6_models_that_touch_are_linked_wherever_they_stand(top):
    # In a lane of 2.5 inches nobody of Size 3 could move, but nothing is between the two.
    top.disc("m1", 10, 20, size=3)
    top.disc("m2", 11, 20, size=3)
    top.disc("m3", 13, 20, size=3)
    top.box(5, 21, 20, 25)
    top.box(5, 15, 20, 18.5)
    assert coherency(*top.both, [0]).linked.tolist() == [True, True, False]


@pytest.mark.parametrize(("reading", "linked"), [("gap-width", True), ("base", False)])
def test_d_links_ask_for_the_same_width_as_paths(top, reading, linked):
    gap_in_the_link(top, 1.5, 2)
    assert coherency(*top.both, [0], rules=Rules(sc_probe=reading)).linked.tolist() == [True, linked]


@pytest.mark.parametrize("flying", [True, False])
def test_p6_p11_flying_links_ignore_terrain_and_models(top, flying):
    top.disc("m1", 10, 20, flying=flying)
    top.disc("m2", 12.4, 20, flying=flying)
    top.box(11.15, 15, 11.25, 25)
    assert coherency(*top.both, [0]).linked.tolist() == [True, flying]
    top.terrain.clear()
    top.disc("e", 11.2, 20, 0.9, side=1, flying=True)
    top.disc("f1", 11.2, 21, 0.9, side=1, flying=True)
    top.disc("f2", 11.2, 19, 0.9, side=1, flying=True)
    assert coherency(*top.both, [0, 2, 3]).linked.tolist()[:2] == [True, flying]


@pytest.mark.parametrize(("reading", "linked"), [("any-point", True), ("centre", False)])
def test_b_a_link_is_a_line_between_any_points(top, reading, linked):
    top.disc("m1", 20, 20)
    top.disc("m2", 22.4, 20)
    top.box(21.15, 15, 21.25, 20.3)
    found = coherency(*top.both, [0], rules=Rules(sc_link=reading))
    assert found.linked.tolist() == [True, linked]


def test_c_a_link_may_touch_a_corner_or_run_along_a_wall(top):
    top.disc("m1", 20, 20)
    top.disc("m2", 22.4, 20)
    top.box(21.15, 15, 21.25, 20.5)  # the common tangent of both bases runs along its end
    assert coherency(*top.both, [0]).linked.tolist() == [True, True]
    top.terrain.clear()
    top.box(21.15, 15, 21.25, 20.501)
    assert coherency(*top.both, [0]).linked.tolist() == [True, False]


def test_c_a_path_may_touch_and_run_along_a_wall(top):
    top.disc("m", 10, 20)
    top.box(12, 15, 20, 20)
    assert whole(paths_clear(*top.both, "m", [(10, 20), (25, 20)]).clear)
    found = paths_clear(*top.both, "m", [(10, 19.99), (25, 19.99)])
    assert not whole(found.clear)
    assert found.gap.tolist() == [1, 1]
    assert number(found.stopped_at) == pytest.approx(2.0, abs=1e-4)


def test_c_pieces_in_contact_leave_no_way(top):
    top.disc("m", 10, 20)
    top.box(12, 20, 20, 25)
    top.box(12, 15, 20, 20)
    found = paths_clear(*top.both, "m", [(10, 20), (25, 20)])
    assert not whole(found.clear)
    assert number(found.gap_width) == 0.0
    assert set(found.gap.tolist()) == {1, 2}


def test_f_own_models_are_no_sides_of_gaps_and_stop_nothing(top):
    top.disc("m", 14, 20, size=2)
    top.disc("m1", 20, 20.6)
    top.disc("m2", 20, 19.4)
    top.disc("m3", 23, 20)
    assert whole(paths_clear(*top.both, "m", THROUGH).clear)
    # An own model beside a wall makes no gap either.
    top.box(17, 20.3, 18, 30)
    top.disc("m4", 17.5, 19.3)
    assert whole(paths_clear(*top.both, "m", THROUGH).clear)


# --- P10, P11, P21, d, e: gaps ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "gap", "passes"),
    [(0, 1.0, True), (1, 0.999, False), (2, 1.0, True), (3, 2.999, False), (3, 3.0, True), (4, 2.0, False)],
)
def test_p10_e_widths_by_size_exact_ones_pass(top, size, gap, passes):
    pinch(top, gap, size=size, mm=50)
    found = paths_clear(*top.both, "m", THROUGH)
    assert whole(found.clear) == passes
    if not passes:
        assert number(found.gap_width) == pytest.approx(gap)


@pytest.mark.parametrize("size", [1, 2, 3, 5])
@pytest.mark.parametrize(("width", "passes"), [(2.0, True), (2.001, False)])
def test_p10_both_widths_are_readings_too(top, size, width, passes):
    pinch(top, 2.0, mm=32, size=size)
    other = 0.0 if width > 2.0 else 9.0
    small, large = (width, other) if size < 3 else (other, width)
    rules = Rules(small_gap=small, large_gap=large)
    assert whole(paths_clear(*top.both, "m", THROUGH, rules=rules).clear) == passes


@pytest.mark.parametrize("action", ["move", "run", "charge", "disengage", "close ranks"])
def test_p10_five_actions_have_the_gap_rule(top, action):
    pinch(top, 0.9)
    assert not whole(paths_clear(*top.both, "m", THROUGH, action=action).clear)


def test_p10_deployments_have_none_but_pieces_stop_them(top):
    pinch(top, 0.9)
    assert whole(paths_clear(*top.both, "m", THROUGH, action="deploy").clear)
    top.disc("e3", 23, 20, side=1)
    found = paths_clear(*top.both, "m", THROUGH, action="deploy")
    assert not whole(found.clear)
    assert found.gap.tolist() == [3, 3]
    assert number(found.stopped_at) == pytest.approx(8.5, abs=1e-4)


def test_p10_terrain_and_models_make_gaps_with_each_other(top):
    top.disc("m", 14, 20, size=2)
    top.disc("e", 20, 21.2, 2.0, side=1)
    top.box(19, 15, 21, 19.8)
    found = paths_clear(*top.both, "m", [(14, 20), (26, 20)])
    assert not whole(found.clear)
    assert number(found.gap_width) == pytest.approx(0.4)
    assert set(found.gap.tolist()) == {1, top.piece(0)}


def breach(top: Tabletop, width: float) -> None:
    """One ruin round a yard, with an opening in its west wall."""
    half = width / 2
    top.wall(
        (19, 15),
        (25, 15),
        (25, 25),
        (19, 25),
        (19, 20 + half),
        (20, 20 + half),
        (20, 24),
        (24, 24),
        (24, 16),
        (20, 16),
        (20, 20 - half),
        (19, 20 - half),
    )


@pytest.mark.parametrize(("width", "passes"), [(1.0, True), (0.99, False)])
def test_p10_openings_within_one_piece_are_gaps(top, width, passes):
    top.disc("m", 14, 20, size=2)
    breach(top, width)
    found = paths_clear(*top.both, "m", [(14, 20), (22, 20)])
    assert whole(found.clear) == passes
    if not passes:
        assert number(found.gap_width) == pytest.approx(width)
        assert found.gap.tolist() == [1, 1]


def test_p10_openings_may_be_agreed_passable_or_not(top):
    top.disc("m", 14, 20, size=2)
    breach(top, 0.5)
    path = [(14, 20), (22, 20)]
    door = [(18.9, 19.7), (20.1, 19.7), (20.1, 20.3), (18.9, 20.3)]
    assert whole(paths_clear(*top.both, "m", path, ground=Ground(access=[door])).clear)
    top.terrain.clear()
    breach(top, 2.0)
    shut = Ground(closed=[(19.5, 19, 19.5, 21)])
    found = paths_clear(*top.both, "m", path, ground=shut)
    assert not whole(found.clear)
    assert number(found.gap_width) == 0.0
    assert number(found.stopped_at) == pytest.approx(5.5, abs=1e-4)
    assert len(set(found.gap.tolist())) == 1


def test_p10_terrain_that_does_not_stop(top):
    top.disc("m", 14, 20)
    top.box(19, 15, 20, 25)
    assert not whole(paths_clear(*top.both, "m", THROUGH).clear)
    assert whole(paths_clear(*top.both, "m", THROUGH, ground=Ground(blocking=())).clear)


def test_p10_the_allowance_is_exact(top):
    top.disc("m", 10, 20)
    path = [(10, 20), (13, 24), (16, 24)]
    for allowance, kept in ((8.0, True), (7.99, False)):
        found = paths_clear(*top.both, "m", path, allowance=allowance)
        assert number(found.length) == pytest.approx(8.0)
        assert whole(found.clear) == kept


@pytest.mark.parametrize(("reading", "passes"), [("gap-width", True), ("base", False)])
def test_d_the_gap_counts_not_the_base(top, reading, passes):
    pinch(top, 1.5)  # the base has 1.97 inches
    found = paths_clear(*top.both, "m", THROUGH, rules=Rules(sc_probe=reading))
    assert whole(found.clear) == passes


def test_d_a_base_may_clip_a_single_wall_on_the_way(top):
    top.disc("m", 10, 20.1, 2.0)
    top.box(14, 15, 18, 20)
    assert whole(paths_clear(*top.both, "m", [(10, 20.1), (25, 20.1)]).clear)


def test_p11_flyers_ignore_gaps_but_must_fit(top):
    pinch(top, 0.2, flying=True)
    top.box(22, 15, 23, 25)
    assert whole(paths_clear(*top.both, "m", THROUGH).clear)
    board, positions = top.both
    positions[0, :2] = (20, 21)
    assert not whole(can_stand(board, positions, ["m"]))


@pytest.mark.parametrize(("gap", "fits"), [(1.0, True), (0.999, False)])
def test_p11_flyers_end_an_inch_from_enemy_flyers(top, gap, fits):
    top.disc("m", 10, 20, flying=True)
    top.disc("e", 11 + gap, 20, flying=True, side=1)
    assert whole(can_stand(*top.both, ["m"])) == fits
    top.units[1] = type(top.units[1])("e", INCH, shape="round", group="e", side=1)
    assert whole(can_stand(*top.both, ["m"]))


def test_p21_a_move_of_nothing_has_length_0(top):
    top.disc("m", 10, 20)
    found = paths_clear(*top.both, "m", [(10, 20), (10, 20)], allowance=0.0)
    assert whole(found.clear)
    assert number(found.length) == 0.0


@pytest.mark.parametrize(
    ("x", "y", "stands"),
    [
        (0.5, 0.5, True),
        (0.499, 0.5, False),
        (9.5, 12, True),
        (9.501, 12, False),
        (20, 21, True),
        (20, 20.9, False),
    ],
)
def test_p10_a_base_stands_touching_the_table_edge_terrain_and_models(top, x, y, stands):
    top.disc("m", x, y)
    top.disc("e", 20, 20, side=1)
    top.box(10, 10, 14, 14)
    assert whole(can_stand(*top.both, ["m"])) == stands


# --- P9, h, i: directly towards and away -----------------------------------------------------------


def two_in_the_open(top: Tabletop) -> None:
    top.disc("m", 10, 20)
    top.disc("e", 20, 20, side=1)


@pytest.mark.parametrize(("allowed", "x"), [(6.0, 16.0), (30.0, 19.0)])
def test_p9_towards_goes_as_far_as_it_may_up_to_contact(top, allowed, x):
    two_in_the_open(top)
    found = move_directly(*top.both, "m", "e", allowed)
    assert found.positions[0, :2] == pytest.approx([x, 20.0], abs=1e-5)
    assert number(found.length) == pytest.approx(x - 10, abs=1e-5)
    assert found.positions[1].tolist() == [20, 20, 0]


def test_p9_away_goes_straight_away(top):
    two_in_the_open(top)
    found = move_directly(*top.both, "m", "e", 4.0, away=True)
    assert found.positions[0, :2] == pytest.approx([6.0, 20.0])


def test_p9_the_direction_is_from_centre_to_centre(top):
    top.disc("m", 10, 20)
    top.disc("e", 16, 28, 3.0, side=1)
    found = move_directly(*top.both, "m", "e", 5.0)
    assert found.positions[0, :2] == pytest.approx([13.0, 24.0])


def test_p9_the_shortest_way_round_keeps_the_direction(top):
    top.disc("m", 10, 20)
    top.disc("e", 30, 20, side=1)
    top.box(14, 18, 14.5, 25)
    found = move_directly(*top.both, "m", "e", 8.0)
    rest = 8.0 - math.hypot(4, 2) - 0.5
    assert found.positions[0, :2] == pytest.approx([14.5 + math.sqrt(rest**2 - 4), 20.0], abs=1e-5)
    assert number(found.length) == pytest.approx(8.0, abs=1e-5)


def test_p9_i_round_a_disc_the_way_is_tangents_and_an_arc(top):
    top.disc("m", 10, 20)
    top.disc("e", 30, 20, side=1)
    top.disc("f", 15, 19, 3.0)
    found = move_directly(*top.both, "m", "e", 12.0)
    # Over the north side: two tangents of length sqrt(d^2 - r^2) and the arc between their feet.
    x = float(found.positions[0, 0])
    radius, sides = 1.5, (math.hypot(5, 1), math.hypot(x - 15, 1))
    seen = math.pi - math.atan2(1, 5) - math.atan2(1, x - 15)
    arc = seen - sum(math.acos(radius / side) for side in sides)
    length = sum(math.sqrt(side**2 - radius**2) for side in sides) + radius * arc
    assert length == pytest.approx(12.0, abs=1e-5)
    assert found.positions[0, 1] == pytest.approx(20.0)


@pytest.mark.parametrize(("away", "end"), [(False, (13.0, 20.0)), (True, (10.0, 17.0))])
def test_p9_towards_the_closest_and_away_from_the_furthest_model(top, away, end):
    top.disc("m", 10, 20)
    top.disc("e1", 16, 20, side=1)
    top.disc("e2", 10, 27, side=1)
    found = move_directly(*top.both, "m", "e", 3.0, away=away)
    assert found.positions[0, :2] == pytest.approx(end, abs=1e-5)


def test_p9_h_the_leader_has_the_shortest_route_with_detours(top):
    top.disc("m1", 15, 20)
    top.disc("m2", 14, 22.5)
    top.disc("e", 22, 22.5, side=1)
    assert int(move_directly(*top.both, "m", "e", 3.0).leader) == 0
    top.box(16, 15, 16.2, 22.2)  # round its end m1 has 8.42 inches to go, m2 8
    assert int(move_directly(*top.both, "m", "e", 3.0).leader) == 1


def test_p9_h_nobody_ends_further_from_what_they_go_towards(top):
    top.disc("m", 10, 20)
    top.disc("e", 14, 20, side=1)
    # A trap: the shortest way out of it leads back.
    top.wall((11, 17), (11.2, 17), (11.2, 22.8), (11, 22.8))
    top.wall((5, 22.8), (11.2, 22.8), (11.2, 23), (5, 23))
    top.wall((5, 16.8), (11.2, 16.8), (11.2, 17), (5, 17))
    board, positions = top.both
    for allowed in (1.0, 3.0, 6.0, 12.0):
        found = move_directly(board, positions, "m", "e", allowed)
        before, after = distances(board, positions)[0, 1], distances(board, found.positions)[0, 1]
        assert after <= before + 1e-6
        assert number(found.length) <= allowed + 1e-6


def test_p9_the_rest_is_set_as_close_as_it_may_be(top):
    top.disc("m1", 12, 20)
    top.disc("m2", 10, 20)
    top.disc("e", 30, 20, side=1)
    found = move_directly(*top.both, "m", "e", 5.0)
    assert int(found.leader) == 0
    # As close as coherency allows is 3 inches ahead of the leader.
    assert found.positions[1, :2] == pytest.approx([20.0, 20.0], abs=1e-4)
    found = move_directly(*top.both, "m", "e", 5.0, away=True)
    assert found.positions[1 - int(found.leader), 0] == pytest.approx(
        found.positions[int(found.leader), 0] - 3.0, abs=1e-4
    )


# --- i: routes -------------------------------------------------------------------------------------


def test_i_routes_round_a_corner_and_round_a_disc(top):
    top.box(14, 18, 15, 30)
    found = routes(*top.both, [(10.0, 20.0)], [(20.0, 20.0)], gap=1.0)
    assert number(found.length[0]) == pytest.approx(math.hypot(4, 2) + 1 + math.hypot(5, 2))
    top = Tabletop()
    top.disc("e", 15, 20, 4.0)
    found = routes(*top.both, [(10.0, 20.0)], [(20.0, 20.0)], gap=1.0)
    arc = math.pi - 2 * math.acos(2 / 5)
    assert number(found.length[0]) == pytest.approx(2 * math.sqrt(21) + 2 * arc)
    assert len(found.of(0)) == 2  # both ways round are as short


def test_i_routes_do_not_pass_gaps_that_are_too_narrow(top):
    top.box(14, -1, 15, 19.6)
    top.box(14, 20.4, 15, 45)
    for gap, length in ((0.8, 10.0), (1.0, math.inf)):
        found = routes(*top.both, [(10.0, 20.0)], [(20.0, 20.0)], gap=gap)
        assert number(found.length[0]) == pytest.approx(length)
    assert found.of(0) == []


# --- P14: engaged ----------------------------------------------------------------------------------


@pytest.mark.parametrize(("gap", "met"), [(1.0, True), (1.001, False), (0.0, True)])
def test_p14_engaged_within_an_inch(top, gap, met):
    top.disc("a", 10, 20)
    top.disc("b", 11 + gap, 20, side=1)
    assert engaged(*top.both)[0, 1] == met
    assert engaged(*top.both)[1, 0] == met
    assert not engaged(*top.both)[0, 0]


def test_p14_only_enemies_on_the_ground(top):
    top.disc("a", 10, 20)
    top.disc("b", 11.5, 20)
    assert not engaged(*top.both).any()
    top.disc("c", 10, 21.5, side=1, flying=True)
    assert not engaged(*top.both).any()


@pytest.mark.parametrize(("reach", "met"), [(1.5, True), (1.499, False)])
def test_p14_the_range_is_a_reading_too(top, reach, met):
    top.disc("a", 10, 20)
    top.disc("b", 12.5, 20, side=1)
    assert engaged(*top.both, rules=Rules(engaged_range=reach))[0, 1] == met


@pytest.mark.parametrize(
    ("reading", "height", "met"),
    [
        ("tall", 2, False),
        ("tall", 1, True),
        ("tall", None, True),
        ("any", 1, False),
        ("none", 5, True),
    ],
)
def test_p14_terrain_of_size_two_keeps_apart(top, reading, height, met):
    top.disc("a", 10, 20)
    top.disc("b", 11.5, 20, side=1)
    top.box(10.7, 15, 10.8, 25, height=height)
    assert engaged(*top.both, rules=Rules(engaged_terrain=reading))[0, 1] == met


def test_p14_by_groups(top):
    top.disc("a1", 10, 20)
    top.disc("a2", 5, 20)
    top.disc("b1", 11.5, 20, side=1)
    top.disc("b2", 30, 20, side=1)
    assert engaged(*top.both, by="group")[0, 1]
    assert engaged(*top.both).sum() == 2


# --- P16 to P20: composed --------------------------------------------------------------------------


def test_p16_a_charge_ends_within_an_inch_of_its_targets_and_of_no_other(top):
    top.disc("m", 10, 20)
    top.disc("e", 11.8, 20, side=1)
    top.disc("f", 10, 21.9, side=1)
    top.disc("g", 10, 17.9, side=1)
    near = within(*top.both, 1.0, observers=["m"], targets=["e", "f", "g"])[0]
    assert near.tolist() == [True, True, False]
    assert whole(can_stand(*top.both, ["m"]))


def test_p17_disengaging_ends_outside_an_inch_of_all_enemies(top):
    top.disc("m", 10, 20)
    top.disc("e", 12.0, 20, side=1)
    assert engaged(*top.both)[0].any()
    board, positions = top.both
    positions[0, 0] -= 0.001
    assert not engaged(board, positions)[0].any()


def test_p18_the_supporting_rank_touches_the_fighting_one(top):
    top.disc("m1", 10, 20)
    top.disc("m2", 9, 20)
    top.disc("m3", 7.9, 20)
    top.disc("e", 11.5, 20, side=1)
    fighting = engaged(*top.both)[:3].any(axis=-1)
    touching = distances(*top.both)[:3, :3] <= 1e-6
    supporting = (touching & fighting).any(axis=-1) & ~fighting
    assert fighting.tolist() == [True, False, False]
    assert supporting.tolist() == [False, True, False]


@pytest.mark.parametrize(("shift", "legal"), [(4.0, True), (4.001, False)])
def test_p19_placed_wholly_within_of_the_start(shift, legal):
    old, new = Bases.round(10.0, 20.0, diameter=2.0), Bases.round(10.0 + shift, 20.0, diameter=2.0)
    assert bool(ninthgeom.wholly_within(new, old, 4.0)) == legal


@pytest.mark.parametrize(("gap", "held"), [(3.0, True), (3.001, False)])
def test_p20_markers_are_controlled_within_three_inches_in_coherency(top, gap, held):
    top.disc("m", 10, 20)
    marker = Bases.round([10.5 + gap + 16 / INCH], [20.0], diameter=32 / INCH)
    assert may_control(*top.both, marker, [True]).tolist() == [[held]]
    assert may_control(*top.both, marker, [False]).tolist() == [[False]]


def test_p20_sight_of_the_marker_is_asked_where_wanted(top):
    top.disc("m", 10, 20)
    top.terrain.append(ninthgeom.Terrain([(11, 15), (11.2, 15), (11.2, 25), (11, 25)], kind="impassable"))
    marker = Bases.round([12.5], [20.0], diameter=32 / INCH)
    assert may_control(*top.both, marker, [True]).all()
    assert not may_control(*top.both, marker, [True], sight=True).any()


@pytest.mark.parametrize(("y", "legal"), [(5.5, True), (5.501, False)])
def test_p20_a_deployment_is_wholly_in_its_zone(top, y, legal):
    top.disc("m1", 20, 4)
    top.disc("m2", 21, y)
    zone = Polygons([[(0, 0), (60, 0), (60, 6), (0, 6)]])
    assert deployment_legal(*top.both, [0], zone=zone).tolist() == [legal]
    assert deployment_legal(*top.both, [0]).tolist() == [True]


def test_p20_a_deployment_never_ends_out_of_coherency_nor_on_terrain(top):
    top.disc("m1", 20, 4)
    top.disc("m2", 23.4, 4)
    assert deployment_legal(*top.both, [0]).tolist() == [False]
    assert deployment_legal(*top.both, [0], radius=3.4).tolist() == [True]
    top.box(23.5, 4.2, 25, 6)
    assert deployment_legal(*top.both, [0], radius=3.4).tolist() == [False]
