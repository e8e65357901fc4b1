"""Inputs that other programs answered wrongly, with the right answers, in every orientation and far away.

A comment names the report that a case comes from.
"""

from __future__ import annotations

import itertools
import math
from functools import cache
from typing import Any

import numpy as np
import pytest

from ninthgeom import (
    Arc,
    Bases,
    Polygons,
    Relation,
    distance,
    in_contact,
    inside_arcs,
    interiors_meet,
    line_of_sight,
    located_arc,
    relation,
    shortest_line,
    wholly_within,
    within,
)
from tests.strategies import moved

N = 3600
TURNS = np.linspace(0.0, 2.0 * math.pi, N, endpoint=False)
SHIFTS = np.random.default_rng(1).uniform(-1000.0, 1000.0, (2, N))
SHIFTS[:, ::10] = 0.0
APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = Relation


def everywhere(base: Bases) -> Bases:
    """A base on a table turned in 3,600 ways, most of them shifted by up to 1,000 inches."""
    return moved(base, turn=TURNS, x=SHIFTS[0], y=SHIFTS[1])


def box(x0: float, y0: float, x1: float, y1: float) -> Bases:
    return Bases.rect(0.5 * (x0 + x1), 0.5 * (y0 + y1), width=y1 - y0, depth=x1 - x0)


def segment(x0: float, y0: float, x1: float, y1: float) -> Bases:
    heading = math.atan2(y1 - y0, x1 - x0)
    return Bases.rect(
        0.5 * (x0 + x1), 0.5 * (y0 + y1), heading, width=0.0, depth=math.hypot(x1 - x0, y1 - y0)
    )


def check(a: Bases, b: Bases, code: Relation, apart: float = 0.0) -> None:
    """All questions say the same of a pair, wherever it is and whichever comes first."""
    swapped = {INSIDE: CONTAINS, CONTAINS: INSIDE}.get(code, code)
    is_flat = a.area == 0.0 and b.area == 0.0
    for first, second, expected in ((a, b, code), (b, a, swapped)):
        one, two = everywhere(first), everywhere(second)
        assert (relation(one, two) == expected).all()
        assert (in_contact(one, two) == (code != APART)).all()
        assert (interiors_meet(one, two) == (code >= PARTIAL and not is_flat)).all()
        np.testing.assert_allclose(distance(one, two), apart, rtol=0, atol=1e-9)
        assert ((distance(one, two) == 0.0) == (code != APART)).all()
        assert within(one, two, apart).all()
        assert not within(one, two, max(apart - 2e-6, 0.0)).any() or apart == 0.0
        ends = shortest_line(one, two).reshape(-1, 2, 2)
        np.testing.assert_allclose(np.hypot(*(ends[:, 1] - ends[:, 0]).T), apart, rtol=0, atol=1e-9)
        assert (wholly_within(one, two) == (expected in (INSIDE, EQUAL))).all() or is_flat


def check_meet_in(a: Bases, b: Bases, x: float, y: float) -> None:
    """The two have this one point in common."""
    there = everywhere(Bases.point(x, y))
    for one, two in ((a, b), (b, a)):
        line = shortest_line(everywhere(one), everywhere(two))
        for i in (0, 2):
            np.testing.assert_allclose(line[:, i], there.x, rtol=0, atol=1e-6)
            np.testing.assert_allclose(line[:, i + 1], there.y, rtol=0, atol=1e-6)


# ---------------------------------------------------------------------------------- touching


def test_boxes_with_a_common_line_do_not_overlap() -> None:
    check(box(0, 0, 4, 4), box(4, 1, 6, 3), LINE)  # shapely #1959


@pytest.mark.parametrize("degrees", [0.0, 30.0, 45.0, 90.0, 211.3])
def test_circles_touch_in_every_direction(degrees: float) -> None:
    angle = math.radians(degrees)  # shapely #938
    big, small = Bases.round(0, 0, diameter=8), Bases.round(6, 0, diameter=4)
    check(big, moved(small, turn=angle), POINT)
    check_meet_in(big, moved(small, turn=angle), 4.0 * math.cos(angle), 4.0 * math.sin(angle))


def test_boxes_edge_to_edge_have_no_area_in_common() -> None:
    check(box(-1, -1, 1, 1), box(-1, 1, 1, 3), LINE)  # Rotated_IoU #8


def test_box_flush_with_two_edges_from_inside() -> None:
    inner, outer = Bases.rect(3, 4, width=8, depth=6), Bases.rect(4, 5, width=10, depth=8)
    check(inner, outer, INSIDE)  # Rotated_IoU #39: all of the inner one, 48, is common
    assert inner.area == 48.0


def test_edges_that_differ_by_rounding_touch() -> None:
    check(box(0, -340, 10, -334.18), box(0, -334.17999999999995, 10, -300), LINE)  # flatten-js #207


@pytest.mark.parametrize("inches", [1.0, 2.0, 3.0, 12.0])
def test_points_at_a_distance_are_within_it(inches: float) -> None:
    ring = Bases.point(36.0 + inches * np.cos(TURNS), 24.0 + inches * np.sin(TURNS))
    for centre in (Bases.point(36.0, 24.0), Bases.round(36.0, 24.0, diameter=0.0)):
        assert within(centre, ring, inches).all()  # 54 % elsewhere
        assert wholly_within(ring, centre, inches).all()
        assert not within(centre, ring, inches - 2e-6).any()
    check(Bases.point(0, 0), Bases.point(inches, 0), APART, inches)


def test_coherency_goes_from_edge_to_edge() -> None:
    # BigBobbo 43e7b3aa, 19c18687: from centre to centre, and with two tolerances.
    mm = 32 / 25.4
    a, b = Bases.round(0, 0, diameter=mm), Bases.round(2 + mm, 0, diameter=mm)
    check(a, b, APART, 2.0)
    one, two = everywhere(a), everywhere(b)
    limits = 2.0 + np.array([-3e-6, -5e-7, 0.0, 5e-7])[:, None]
    agreed = within(one, two, limits)
    np.testing.assert_array_equal(agreed, distance(one, two) <= limits + 1e-6)
    assert agreed.all(axis=1).tolist() == [False, True, True, True]
    assert not agreed[0].any()


def test_discs_of_80_mm_are_not_wholly_within_3_inches() -> None:
    leader = Bases.round(0.0, 0.0, diameter=80 / 25.4)
    follower = Bases.round(80 / 25.4, 0.0, diameter=80 / 25.4)
    check(leader, follower, POINT)
    assert not wholly_within(everywhere(follower), everywhere(leader), 3.0).any()
    assert wholly_within(everywhere(follower), everywhere(leader), 4.0).all()
    marine = Bases.round((3 - 32 / 25.4) + 2 * 16 / 25.4, 0.0, diameter=32 / 25.4)
    assert wholly_within(marine, Bases.round(0.0, 0.0, diameter=32 / 25.4), 3.0)


# ---------------------------------------------------------------------------------- overlapping


@pytest.mark.parametrize("scale", [1.0, 0.01, 10.0])
def test_nearly_the_same_box_is_neither_inside_the_other(scale: float) -> None:
    x, y, length, width = np.array([46.83, 44.03, 3.9, 1.63]) * scale  # RRPN #44: common area above 100 %
    check(
        Bases.rect(x, y, 0.0, width=width, depth=length),
        Bases.rect(x, y, 1.45, width=length, depth=width),
        PARTIAL,
    )


@pytest.mark.parametrize("turn", [0.0, 0.3, math.pi / 4])
def test_box_in_a_box_overlaps_it(turn: float) -> None:
    # box2d #883, VMAS: only outlines that cross were found.
    check(
        moved(Bases.rect(0, 0, width=0.8, depth=0.8), turn=turn),
        Bases.rect(0, 0, width=1.2, depth=1.2),
        INSIDE,
    )
    check(moved(box(-0.4, -0.4, 0.4, 0.4), turn=turn), box(-5, -5, 5, 5), INSIDE)


def test_small_overlaps_count() -> None:
    check(box(0, 0, 1, 1), box(1 - 1e-5, 0.2, 2, 3), PARTIAL)  # box2d #552: allowed there
    check(box(0, 0, 1, 1), box(1 - 1e-7, 0.2, 2, 3), LINE)


def test_boxes_that_overlap_have_a_point_in_common() -> None:
    a, b = box(0, 0, 4, 4), box(3, 3, 6, 6)  # box2d #275: no contact points
    check(a, b, PARTIAL)
    line = shortest_line(everywhere(a), everywhere(b))
    common = Bases.point(line[:, 0], line[:, 1])
    for base in (a, b):
        assert (distance(common, everywhere(base), tol=0.0) < 1e-9).all()


# ---------------------------------------------------------------------------------- apart


def test_boxes_with_a_gap_do_not_touch() -> None:
    check(box(-0.5, -0.5, 0.5, 0.5), box(1.0, -0.5, 2.0, 0.5), APART, 0.5)  # pymunk 7.3.1
    check(box(0, 0, 1, 1), box(1.005, 0, 2, 1), APART, 0.005)  # VMAS: less than its margin


def test_box_without_size_meets_nothing_far_away() -> None:
    check(Bases.rect(2, 2, width=0, depth=0), box(48, 48, 52, 52), APART, 46 * math.sqrt(2))  # opencv #18520


def test_square_in_the_mouth_of_a_horseshoe() -> None:
    # geometric #29
    for part in ((0, 5, 7, 7), (0, 0, 2, 7), (5, 0, 7, 7)):
        check(box(*part), box(3, 3, 4, 4), APART, 1.0)


# ---------------------------------------------------------------------------------- polygons


@cache
def polygons_everywhere(ring: tuple[tuple[float, float], ...]) -> Polygons:
    """An outline on every 60th of the tables of `everywhere`."""
    turn, (x, y) = TURNS[::60, None], SHIFTS[:, ::60, None]
    u, v = np.array(ring, dtype=np.float64).T
    cos, sin = np.cos(turn), np.sin(turn)
    return Polygons(np.stack([cos * u - sin * v + x, sin * u + cos * v + y], axis=-1))


RECTANGLE = ((0, 0), (4, 0), (4, 4), (0, 4))
HORSESHOE = ((0, 0), (2, 0), (2, 5), (5, 5), (5, 0), (7, 0), (7, 7), (0, 7))


@pytest.mark.parametrize(
    ("outline", "base", "code", "apart"),
    [
        (RECTANGLE, box(4, 1, 6, 3), LINE, 0.0),  # shapely #1959
        (RECTANGLE, box(4, 4, 5, 6), POINT, 0.0),
        (RECTANGLE, Bases.round(6, 2, diameter=4), POINT, 0.0),  # shapely #938
        (RECTANGLE, box(1, 1, 3, 3), INSIDE, 0.0),  # box2d #883
        (HORSESHOE, box(3, 3, 4, 4), APART, 1.0),  # geometric #29
        (HORSESHOE, box(2, 0, 5, 5), LINE, 0.0),
        (HORSESHOE, Bases.point(2, 5), POINT, 0.0),
        (HORSESHOE, Bases.point(3.5, 6), INSIDE, 0.0),
        (HORSESHOE, segment(2, 2, 5, 2), POINT, 0.0),
        (HORSESHOE, segment(1, 2, 6, 2), PARTIAL, 0.0),
    ],
)
def test_bases_and_polygons(outline: Any, base: Bases, code: Relation, apart: float) -> None:
    shapes, bases = polygons_everywhere(outline), everywhere(base)[::60]
    assert (relation(bases, shapes) == code).all()
    assert (relation(shapes, bases) == {INSIDE: CONTAINS}.get(code, code)).all()
    for one, two in ((bases, shapes), (shapes, bases)):
        np.testing.assert_allclose(distance(one, two), apart, rtol=0, atol=1e-9)
        assert (in_contact(one, two) == (code != APART)).all()
        assert (interiors_meet(one, two) == (code >= PARTIAL)).all()
        assert within(one, two, apart).all()
    if code != POINT:  # a point on an edge is no further out than the tolerance
        assert (wholly_within(bases, shapes) == (code == INSIDE)).all()


# ---------------------------------------------------------------------------------- segments


@pytest.mark.parametrize(
    ("one", "other", "x", "y"),
    [
        ((585, 95, 581, 98), (585, 105, 585, 45), 585, 95),  # godot #86651: an end on the other
        ((2, 0, 2, 1), (1, 0, 2, 0), 2, 0),  # godot #41011: a corner
        ((3, 4, 7, 1), (3, 4, 5, 9), 3, 4),  # godot #54455: common start
    ],
)
def test_segments_that_meet_in_an_end(one: Any, other: Any, x: float, y: float) -> None:
    ways = ((0, 1, 2, 3), (2, 3, 0, 1))
    for i, j in itertools.product(ways, ways):
        a, b = segment(*(one[k] for k in i)), segment(*(other[k] for k in j))
        check(a, b, POINT)
        check_meet_in(a, b, x, y)


def test_segment_of_zero_length_beside_a_segment() -> None:
    # geometry3Sharp #137, CGAL #4805: they intersected.
    x0, y0, x1, y1, x, y = 56.66, 34.325, 58.184, 35.875, 58.05, 34.1964
    apart = abs((x1 - x0) * (y - y0) - (y1 - y0) * (x - x0)) / math.hypot(x1 - x0, y1 - y0)
    check(segment(x0, y0, x1, y1), segment(x, y, x, y), APART, apart)
    assert apart == pytest.approx(1.08, abs=0.005)


def test_segment_of_zero_length_in_line_with_a_segment() -> None:
    check(segment(0, 0, 3, 4), segment(6, 8, 6, 8), APART, 5.0)  # boost/geometry pull request 175
    check(segment(0, 0, 3, 4), segment(1.5, 2, 1.5, 2), POINT)


def test_segment_of_zero_length_in_a_box() -> None:
    check(segment(1, 1, 1, 1), box(0, 0, 2, 2), INSIDE)  # shapely: intersects, but is not valid


def test_flat_boxes_hold_nothing_but_their_segment() -> None:
    # BigBobbo 9f257e84: everything in line with a flat triangle was inside of it.
    flat = Bases.rect(0, 0, 0.3, width=0, depth=2)
    for along, apart in ((-1.5, 0.5), (1.0 + 1e-3, 1e-3), (40.0, 39.0)):
        point = Bases.point(along * math.cos(0.3), along * math.sin(0.3))
        check(flat, point, APART, apart)
        assert not wholly_within(everywhere(point), everywhere(flat)).any()


# ---------------------------------------------------------------------------------- arcs and sight


def test_shot_from_where_two_arcs_meet() -> None:
    # MegaMek #7256: the tie was never decided. Inside both arcs, located in the flank.
    target = everywhere(Bases.rect(0, 0, width=2, depth=4))
    for x, y, arcs, arc in (
        (5.0, 4.0, Arc.FRONT | Arc.LEFT, Arc.LEFT),
        (5.0, -4.0, Arc.FRONT | Arc.RIGHT, Arc.RIGHT),
        (-5.0, 4.0, Arc.REAR | Arc.LEFT, Arc.LEFT),
        (-5.0, -4.0, Arc.REAR | Arc.RIGHT, Arc.RIGHT),
    ):
        shooter = everywhere(Bases.point(x, y))
        assert (inside_arcs(target, shooter) == arcs).all()
        assert (located_arc(target, shooter) == arc).all()


def test_points_on_a_facing_without_depth() -> None:
    # Front and rear are both at distance 0, as are left and right of a base without width.
    for sizes, arc in (({"width": 4, "depth": 0}, Arc.FRONT), ({"width": 0, "depth": 4}, Arc.LEFT)):
        facing = Bases.rect(0, 0, math.pi / 2, **sizes)
        point = Bases.point(*((0.7, 0.0) if sizes["width"] else (0.0, 0.7)))
        assert (located_arc(everywhere(facing), everywhere(point)) == arc).all()


def test_walls_that_are_no_walls() -> None:
    # BigBobbo 497cca67, 1bc7698c: walls as they come from a file made the test pass silently.
    wall = {"x": 2.0, "y": 0.0, "width": 1.0, "depth": 1.0}
    for blockers in (wall, [wall], [Bases.point([0.0], 0.0), wall]):
        with pytest.raises(TypeError, match=r"^blockers(\[\d\])? must be Bases"):
            line_of_sight(Bases.point(0.0, 0.0), Bases.point(4.0, 0.0), blockers)


# ---------------------------------------------------------------------------------- not a number, huge


@pytest.mark.parametrize("wrong", [math.nan, math.inf, -math.inf, 1e7, 1e300])
def test_one_wrong_coordinate_is_refused(wrong: float) -> None:
    # shapely #753: 4.24 from a polygon with a vertex that is no number, and they intersect.
    with pytest.raises(ValueError, match=r"^x\[1\] must "):
        Bases.point([1.0, wrong], 0.0)
    with pytest.raises(ValueError, match=r"^rings\[0\]\[2\]\[1\]: "):
        Polygons([[(0, 0), (1, 0), (1, wrong)]])


def test_nothing_is_at_no_distance() -> None:
    nothing, some = Bases.point([], 0.0), Bases.point([1.0, 2.0], 0.0)
    assert distance(nothing[:, None], some).shape == (0, 2)
    assert not in_contact(nothing[:, None], some).any()
    assert interiors_meet(nothing, nothing).shape == (0,)


def test_at_the_limits_of_coordinates() -> None:
    ends = Bases.rect([-1e6, 1e6], 1e6, width=2.0, depth=2.0)
    assert distance(ends[0], ends[1]) == pytest.approx(2e6 - 2.0, abs=1e-9)
    assert in_contact(ends[1], Bases.rect(1e6 - 2.0, 1e6, width=2.0, depth=2.0))
    assert relation(ends[1], Bases.rect(1e6 - 2.0, 1e6, width=2.0, depth=2.0)) == LINE
