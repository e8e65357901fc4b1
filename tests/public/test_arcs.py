"""Arcs: rules cases, exact boundaries at a hundred rotations, and an oracle of polygons."""

import math

import numpy as np
import pytest
import shapely

from ninthgeom import TOLERANCE, Arc, Bases, distance, inside_arcs, located_arc, wholly_within
from tests.strategies import KINDS, moved, random_bases

FRONT, LEFT, REAR, RIGHT = Arc.FRONT, Arc.LEFT, Arc.REAR, Arc.RIGHT
NONE = Arc.NONE
MM = 1.0 / 25.4

TURNS = np.linspace(0.0, 2.0 * math.pi, 100)
SHIFTS = np.random.default_rng(1).uniform(-500.0, 500.0, (2, 100))


def at_100_places(bases):
    """One base, turned and shifted with the table in a hundred ways."""
    return moved(bases, turn=TURNS, x=SHIFTS[0], y=SHIFTS[1])


def inside(observer, other):
    """Arcs of a single pair, which must be the same wherever the table is."""
    found = inside_arcs(at_100_places(observer), at_100_places(other))
    assert (found == found[0]).all()
    assert found[0] == inside_arcs(observer, other)
    return Arc(int(found[0]))


def located(observer, other):
    found = located_arc(at_100_places(observer), at_100_places(other))
    assert (found == found[0]).all()
    assert found[0] == located_arc(observer, other)
    return Arc(int(found[0]))


# Faces +y, its front edge from (-1, 0) to (1, 0), its rear edge at y = -2.
OBSERVER = Bases.from_front(0.0, 0.0, math.pi / 2, width=2.0, depth=2.0)


# ------------------------------------------------------------------------------ rules cases


def test_exactly_45_degrees():
    shooter = Bases.from_front(0.0, 0.0, math.pi / 2, width=20 * MM, depth=20 * MM)
    assert inside(shooter, Bases.point(110 * MM, 100 * MM)) == FRONT | RIGHT
    assert inside(shooter, Bases.point(110.01 * MM, 100 * MM)) == RIGHT
    assert inside(shooter, Bases.point(109.99 * MM, 100 * MM)) == FRONT


@pytest.mark.parametrize("turn", [0.0, 0.3, math.pi / 4])
def test_touching_a_divider_in_one_point_is_inside_both_arcs(turn):
    # A base of 2 x 2 right of the divider from (1, 0) to (11, 10), its corner on it.
    corner = moved(Bases.rect(0.0, 0.0, width=2.0, depth=2.0), turn=turn).corners()
    leftmost = corner[np.argmin(corner[:, 0] - corner[:, 1])]
    for far, arcs in ((0.0, FRONT | RIGHT), (1e-7, FRONT | RIGHT), (1e-5, RIGHT), (-1e-5, FRONT | RIGHT)):
        x, y = 6.0 - leftmost[0] + far, 5.0 - leftmost[1] - far
        assert inside(OBSERVER, Bases.rect(x, y, turn, width=2.0, depth=2.0)) == arcs


def test_disc_that_touches_a_divider():
    for far, arcs in ((0.0, FRONT | RIGHT), (1e-7, FRONT | RIGHT), (1e-5, RIGHT)):
        off = (1.0 + far) / 2**0.5
        assert inside(OBSERVER, Bases.round(6.0 + off, 5.0 - off, diameter=2.0)) == arcs
    # Beside the observer, nearest to the corner where the divider starts.
    for far, arcs in ((0.0, FRONT | RIGHT), (1e-5, RIGHT)):
        off = (1.0 + far) * math.cos(1.2), (1.0 + far) * math.sin(1.2)
        assert inside(OBSERVER, Bases.round(1.0 + off[0], -off[1], diameter=2.0)) == arcs


def test_front_middle_exactly_on_the_divider_is_in_the_flank():
    for heading in (0.0, 2.0, math.pi):
        charger = Bases.from_front(6.0, 5.0, heading, width=4.0, depth=2.0)
        assert located(OBSERVER, charger) == RIGHT
        assert located(OBSERVER, Bases.from_front(-6.0, -7.0, heading, width=4.0, depth=2.0)) == LEFT
    for far, arc in ((5e-7, RIGHT), (1e-5, FRONT), (-1e-5, RIGHT)):
        charger = Bases.from_front(6.0 - far, 5.0 + far, 1.0, width=4.0, depth=2.0)
        assert located(OBSERVER, charger) == arc


def test_dividers_leave_the_corners_of_the_boundary():
    # Ten wide and four deep: a last rank that is not full still has its corner.
    block = Bases.from_front(0.0, 0.0, math.pi / 2, width=10.0, depth=4.0)
    assert inside(block, Bases.point(7.0, 2.0)) == FRONT | RIGHT
    assert inside(block, Bases.point(7.0, -6.0)) == REAR | RIGHT
    assert inside(block, Bases.point(-7.0, -6.0)) == REAR | LEFT
    assert inside(block, Bases.point(5.0, -4.0)) == NONE  # its own corner is within it
    assert located(block, Bases.point(7.0, -6.0)) == RIGHT


def test_reference_points():
    # Centre in the front arc, front middle in the right one.
    x, y, to_the_right = 5.0, 6.0, 0.0
    assert located(OBSERVER, Bases.rect(x, y, to_the_right, width=3.0, depth=6.0)) == RIGHT
    assert located(OBSERVER, Bases.oval(x, y, to_the_right, width=3.0, depth=6.0)) == FRONT
    assert located(OBSERVER, Bases.oval(x, y, to_the_right, width=6.0, depth=3.0)) == FRONT
    assert located(OBSERVER, Bases.round(x, y, diameter=6.0)) == FRONT
    rounded = Bases(x, y, to_the_right, width=3.0, depth=6.0, radius=0.5)
    assert located(OBSERVER, rounded) == RIGHT


def test_round_observers_look_forward_all_round():
    for observer in (Bases.round(0.0, 0.0, diameter=60 * MM), Bases.point(0.0, 0.0)):
        for x, y in ((0.0, 9.0), (9.0, 0.0), (-9.0, -9.0)):
            assert inside(observer, Bases.rect(x, y, 0.3, width=2.0, depth=1.0)) == FRONT
            assert located(observer, Bases.rect(x, y, 0.3, width=2.0, depth=1.0)) == FRONT
    disc = Bases.round(0.0, 0.0, diameter=6.0)
    assert inside(disc, Bases.rect(0.5, 0.5, 0.3, width=2.0, depth=2.0)) == NONE
    assert inside(disc, Bases.rect(2.0, 0.5, 0.3, width=2.0, depth=2.0)) == FRONT
    assert inside(disc, Bases.round(2.0, 0.0, diameter=2.0)) == NONE
    assert located(disc, Bases.round(2.9, 0.0, diameter=2.0)) == NONE
    assert located(disc, Bases.round(3.0, 0.0, diameter=2.0)) == FRONT
    assert inside(disc, disc) == NONE


def test_oval_observers_count_as_their_outer_rectangle():
    oval = Bases.oval(0.0, 0.0, math.pi / 2, width=4.0, depth=2.0)
    box = Bases.rect(0.0, 0.0, math.pi / 2, width=4.0, depth=2.0)
    rng = np.random.default_rng(2)
    others = random_bases(rng, 5000, "mixed", spread=4.0)
    np.testing.assert_array_equal(inside_arcs(oval, others), inside_arcs(box, others))
    np.testing.assert_array_equal(located_arc(oval, others), located_arc(box, others))


def test_bare_facings_look_both_ways():
    facing = Bases.from_front(0.0, 0.0, math.pi / 2, width=2.0, depth=0.0)
    for x, y, arcs in ((0.0, 3.0, FRONT), (0.0, -3.0, REAR), (3.0, 0.0, RIGHT), (3.0, 2.0, FRONT | RIGHT)):
        assert inside(facing, Bases.point(x, y)) == arcs
    assert inside(facing, Bases.point(0.5, 0.0)) == NONE


# ------------------------------------------------------------------------------ within, through, round


def test_within_the_observer():
    assert inside(OBSERVER, OBSERVER) == NONE
    assert inside(OBSERVER, Bases.rect(0.0, -1.0, 0.3, width=1.0, depth=1.0)) == NONE
    sticking_out = Bases.from_front(0.0, 1e-5, math.pi / 2, width=1.0, depth=1.0)
    assert inside(OBSERVER, sticking_out) == FRONT
    flush = Bases.from_front(0.0, 0.0, math.pi / 2, width=1.0, depth=1.0)
    assert inside(OBSERVER, flush) == NONE
    for deep, arc in ((1e-5, NONE), (1e-7, FRONT), (0.0, FRONT)):
        assert located(OBSERVER, Bases.from_front(0.0, -deep, 1.0, width=1.0, depth=1.0)) == arc


def test_all_round_the_observer():
    assert inside(OBSERVER, Bases.rect(0.0, -1.0, 0.0, width=6.0, depth=6.0)) == FRONT | LEFT | REAR | RIGHT
    assert inside(OBSERVER, Bases.round(0.0, -1.0, diameter=3.0)) == FRONT | LEFT | REAR | RIGHT


def test_wall_through_an_arc_with_both_ends_outside():
    wall = Bases.rect(0.0, 3.0, 0.0, width=0.1, depth=60.0)
    assert inside(OBSERVER, wall) == FRONT | LEFT | RIGHT
    slanting = Bases.rect(4.0, 6.0, -math.pi / 4, width=0.1, depth=40.0)
    assert inside(OBSERVER, slanting) == FRONT | RIGHT
    beside = Bases.rect(1.5, 0.0, math.pi / 2, width=0.5, depth=60.0)
    assert inside(OBSERVER, beside) == FRONT | RIGHT | REAR


# ------------------------------------------------------------------------------ oracle


def regions(observers):
    """The four arcs as polygons that end 300 inches out, in the order of the flags."""
    along, across, far = 0.5 * observers.depth, 0.5 * observers.width, 300.0
    front = [(along, across), (along, -across), (along + far, -across - far), (along + far, across + far)]
    left = [(along, across), (-along, across), (-along - far, across + far), (along + far, across + far)]
    cos, sin = np.cos(observers.heading), np.sin(observers.heading)
    for outline, sign_u, sign_v in ((front, 1, 1), (left, 1, 1), (front, -1, 1), (left, 1, -1)):
        points = [(sign_u * u, sign_v * v) for u, v in outline]
        x = [observers.x + u * cos - v * sin for u, v in points]
        y = [observers.y + u * sin + v * cos for u, v in points]
        yield shapely.polygons(np.stack([np.stack(x, axis=-1), np.stack(y, axis=-1)], axis=-1))


@pytest.mark.parametrize("kind", ["rectangle", "rounded", "oval", "segment"])
@pytest.mark.parametrize("other", KINDS)
def test_touched_arcs_are_those_of_shapely(kind, other):
    rng = np.random.default_rng([3, KINDS.index(kind), KINDS.index(other)])
    a, b = random_bases(rng, 2000, kind), random_bases(rng, 2000, other)
    sizes = {"width": np.maximum(b.width - 2 * b.radius, 0), "depth": np.maximum(b.depth - 2 * b.radius, 0)}
    cores = Bases.rect(b.x, b.y, b.heading, **sizes).to_shapely()
    expected = np.zeros(2000, np.uint8)
    for i, polygons in enumerate(regions(a)):
        apart = shapely.distance(cores, polygons) - b.radius
        assert (np.abs(apart - TOLERANCE) > 1e-9).all()
        expected |= (apart <= TOLERANCE).astype(np.uint8) << i
    expected[wholly_within(b, Bases.rect(a.x, a.y, a.heading, width=a.width, depth=a.depth))] = 0
    np.testing.assert_array_equal(inside_arcs(a, b), expected)


def test_located_arcs_by_angles():
    rng = np.random.default_rng(4)
    a, b = random_bases(rng, 5000, "rectangle"), random_bases(rng, 5000, "point", spread=8.0)
    inside_a = distance(a, b, tol=0.0) == 0.0
    cos, sin = np.cos(a.heading), np.sin(a.heading)
    dx, dy = b.x - a.x, b.y - a.y
    u, v = cos * dx + sin * dy, cos * dy - sin * dx
    # From the nearest corner, the direction of the point against the divider's.
    angle = np.degrees(np.arctan2(np.abs(v) - 0.5 * a.width, np.abs(u) - 0.5 * a.depth))
    is_flank = (angle >= 45.0) & (angle <= 180.0)
    expected = np.where(is_flank, np.where(v > 0, LEFT, RIGHT), np.where(u > 0, FRONT, REAR))
    expected[inside_a] = NONE
    np.testing.assert_array_equal(located_arc(a, b), expected)


# ------------------------------------------------------------------------------ laws


def turned(bases, quarters):
    """The bases, facing another way on the same spot."""
    sizes = (bases.width, bases.depth) if quarters % 2 == 0 else (bases.depth, bases.width)
    heading = bases.heading + quarters * math.pi / 2
    return Bases(bases.x, bases.y, heading, width=sizes[0], depth=sizes[1], radius=bases.radius)


def test_turning_the_observer_turns_its_arcs():
    rng = np.random.default_rng(6)
    a, b = random_bases(rng, 20_000, "rectangle"), random_bases(rng, 20_000, "mixed")
    arcs = inside_arcs(a, b).astype(int)
    for quarters in (1, 2, 3):
        expected = (arcs >> quarters | arcs << 4 - quarters) & 15
        np.testing.assert_array_equal(inside_arcs(turned(a, quarters), b), expected)


def test_a_point_is_located_in_an_arc_it_is_inside_of():
    rng = np.random.default_rng(8)
    a, b = random_bases(rng, 20_000, "mixed"), random_bases(rng, 20_000, "point", spread=4.0)
    touched, found = inside_arcs(a, b), located_arc(a, b)
    assert ((touched & found) == found).all()
    assert ((found == 0) == (touched == 0)).all()


def test_arc():
    assert Arc(int(inside_arcs(OBSERVER, Bases.point(5.0, 4.0)))) == FRONT | RIGHT
    assert [arc.name for arc in Arc] == ["FRONT", "LEFT", "REAR", "RIGHT"]
    assert not Arc.NONE
