"""Distance, gap, contact, overlap and within: oracles, touching pairs, laws of single pairs."""

import itertools
import math

import numpy as np
import pytest
import shapely
from hypothesis import example, given

from ninthgeom import (
    TOLERANCE,
    Bases,
    distance,
    gap,
    in_contact,
    interiors_meet,
    wholly_within,
    within,
)
from tests.strategies import AREAS, KINDS, WAYS, from_cores, moved, random_bases, single_bases, touching

N = 20_000
PAIRS = list(itertools.combinations_with_replacement(KINDS, 2))


def core_of(bases):
    """The cores, as bases of their own."""
    radius = bases.radius
    return Bases.rect(
        bases.x,
        bases.y,
        bases.heading,
        width=np.maximum(bases.width - 2.0 * radius, 0.0),
        depth=np.maximum(bases.depth - 2.0 * radius, 0.0),
    )


# ------------------------------------------------------------------------------ against shapely


@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_distances_are_those_of_shapely(kind, other):
    rng = np.random.default_rng([1, KINDS.index(kind), KINDS.index(other)])
    a, b = random_bases(rng, 4000, kind), random_bases(rng, 4000, other)
    between_cores = shapely.distance(core_of(a).to_shapely(), core_of(b).to_shapely())
    expected = np.maximum(between_cores - a.radius - b.radius, 0.0)
    found = distance(a, b)
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-12)
    clear = np.abs(expected - TOLERANCE) > 1e-9
    np.testing.assert_array_equal(in_contact(a, b)[clear], (expected <= TOLERANCE)[clear])
    np.testing.assert_array_equal(in_contact(a, b), gap(a, b) <= TOLERANCE)
    np.testing.assert_array_equal(found == 0.0, in_contact(a, b))
    apart = ~in_contact(a, b)
    np.testing.assert_array_equal(found[apart], gap(a, b)[apart])


def test_distances_of_discs():
    rng = np.random.default_rng(2)
    a, b = random_bases(rng, N, "disc"), random_bases(rng, N, "disc")
    np.testing.assert_allclose(gap(a, b), np.hypot(a.x - b.x, a.y - b.y) - a.radius - b.radius, atol=1e-13)


@pytest.mark.parametrize("other", ["rectangle", "segment"])
def test_overlap_is_that_of_shapely(other):
    rng = np.random.default_rng(3)
    a, b = random_bases(rng, 4000, "rectangle"), random_bases(rng, 4000, other)
    expected = shapely.relate_pattern(a.to_shapely(), b.to_shapely(), "T********")
    np.testing.assert_array_equal(interiors_meet(a, b), expected)
    np.testing.assert_array_equal(interiors_meet(b, a), expected)


@pytest.mark.parametrize("kind", ["rectangle", "segment", "point"])
def test_containment_is_that_of_shapely(kind):
    rng = np.random.default_rng(4)
    a, b = random_bases(rng, 4000, kind, spread=0.8), random_bases(rng, 4000, "rectangle", spread=0.8)
    np.testing.assert_array_equal(wholly_within(a, b), shapely.covers(b.to_shapely(), a.to_shapely()))


@pytest.mark.parametrize(("kind", "other"), [(a, b) for a in KINDS for b in ("rectangle", "disc", "rounded")])
def test_wholly_within_by_points_of_the_rim(kind, other):
    rng = np.random.default_rng([5, KINDS.index(kind), KINDS.index(other)])
    a, b = random_bases(rng, 500, kind), random_bases(rng, 500, other)
    along, across = 0.5 * a.depth - a.radius, 0.5 * a.width - a.radius
    rim = np.linspace(0.0, 2.0 * math.pi, 721)[:, None]
    u = along * np.sign(np.cos(rim).round(9)) + a.radius * np.cos(rim)
    v = across * np.sign(np.sin(rim).round(9)) + a.radius * np.sin(rim)
    cos, sin = np.cos(a.heading), np.sin(a.heading)
    points = Bases.point(a.x + u * cos - v * sin, a.y + u * sin + v * cos)
    farthest = distance(points, b, tol=0.0).max(axis=0)
    for limit in (0.5, 2.0, 4.0):
        clear = np.abs(farthest - limit) > 1e-4  # the rim is sampled every half degree
        np.testing.assert_array_equal(wholly_within(a, b, limit)[clear], (farthest <= limit)[clear])


# ------------------------------------------------------------------------------ touching


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("kind", "other"), PAIRS)
def test_touching_wherever_the_table_is(kind, other, way):
    rng = np.random.default_rng([6, KINDS.index(kind), KINDS.index(other), WAYS.index(way)])
    check_touching(rng, N // 20 if "point" in (kind, other) else N // 4, way, (kind, other))


def check_touching(rng, n, way, kinds):
    pairs = touching(rng, n, way, kinds)
    has_area = all(kind in AREAS for kind in kinds)
    for far, contact, meet in (
        (0.0, True, False),
        (1e-7, True, False),
        (-1e-7, True, False),
        (1e-5, False, False),
        (-1e-5, True, has_area),
    ):
        if far == -1e-5 and not any(kind in AREAS for kind in kinds):
            continue  # what has no area comes out on the other side
        a, b = pairs.apart(far)
        for first, second in ((a, b), (b, a)):
            assert (in_contact(first, second) == contact).all()
            if has_area or far >= 0.0:
                assert (interiors_meet(first, second) == meet).all()
            assert ((distance(first, second) > 0.0) != contact).all()
            np.testing.assert_array_equal(within(first, second, 0.0), in_contact(first, second))
    for far in (1e-3, 1.0, 40.0):
        a, b = pairs.apart(far)
        np.testing.assert_allclose(distance(a, b), far, rtol=0, atol=1e-9)
        assert within(a, b, far).all()
        assert not within(a, b, far - 1e-5).any()


@pytest.mark.verify
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("kind", "other"), list(itertools.combinations_with_replacement(AREAS, 2)))
def test_touching_two_million_times(kind, other, way):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    print(f"touching {way}, {kind} and {other}: seed {seed}, 2,000,000 pairs")
    for part in range(20):
        check_touching(np.random.default_rng([seed, part]), 100_000, way, (kind, other))


@pytest.mark.parametrize("place", [(0.0, 0.0), (36.0, 36.0), (1000.0, 1000.0)])
@pytest.mark.parametrize("slide", [0.0, 0.3, 1.0], ids=["an edge", "part of an edge", "a corner"])
def test_two_squares_at_every_rotation(place, slide):
    turn = np.linspace(0.0, 2.0 * math.pi, 3601)
    x, y = place
    for side in (1.0, 25.0 / 25.4, 0.1):
        square = Bases.rect(0.0, 0.0, np.zeros(3601), width=side, depth=side)
        for dx, dy in ((slide * side, side), (-side, slide * side)):
            first = moved(square, turn=turn, x=x, y=y)
            second = moved(moved(square, x=dx, y=dy), turn=turn, x=x, y=y)
            assert in_contact(first, second).all()
            assert not interiors_meet(first, second).any()
            assert (distance(first, second) == 0.0).all()


# ------------------------------------------------------------------------------ overlap without area


def test_segment_through_a_corner():
    # Cutting the corner of a square at 45 degrees, it is as deep as its middle is: the depth of an axis
    # would count more.
    square = Bases.rect(0.0, 0.0, width=2.0, depth=2.0)
    for deep, meet in ((0.9e-6, False), (1.1e-6, True), (1e-3, True), (-1e-3, False)):
        x = 1.0 - deep
        segment = Bases.rect(x, x, math.pi / 4, width=4.0, depth=0.0)
        assert interiors_meet(segment, square) == meet
        assert interiors_meet(square, segment) == meet


@pytest.mark.parametrize("kind", AREAS)
def test_segment_that_ends_inside(kind):
    core = {"rectangle": (1.0, 0.5, 0.0), "rounded": (0.5, 0.5, 0.5), "disc": (0.0, 0.0, 1.0)}
    along, across, radius = core.get(kind, (0.5, 0.0, 0.5))
    base = from_cores(0.0, 0.0, 0.0, (np.array(along), np.array(across), np.array(radius)))
    front = along + radius
    for deep, meet in ((0.5e-6, False), (2e-6, True), (-1e-5, False)):
        segment = Bases.rect(front - deep + 1.0, 0.0, 0.0, width=0.0, depth=2.0)
        point = Bases.point(front - deep, 0.0)
        assert interiors_meet(base, segment) == interiors_meet(point, base) == meet


def test_two_without_area():
    cross = Bases.rect(0.0, 0.0, [0.0, 1.0], width=4.0, depth=0.0)
    assert in_contact(cross[0], cross[1])
    assert not interiors_meet(cross[0], cross[1])
    assert not interiors_meet(Bases.point(0.0, 0.0), cross).any()
    assert not interiors_meet(Bases.point(0.0, 0.0), Bases.point(0.0, 0.0))


# ------------------------------------------------------------------------------ within


def test_within_takes_a_distance_for_each_pair():
    rng = np.random.default_rng(7)
    a, b = random_bases(rng, 30, "mixed"), random_bases(rng, 40, "mixed")
    gaps = gap(a[:, None], b)
    for shape in ((), (1,), (40,), (30, 1), (30, 40), (5, 30, 40), (2, 1, 1)):
        limits = rng.uniform(0.0, 4.0, shape)
        expected = gaps <= limits + TOLERANCE
        np.testing.assert_array_equal(within(a[:, None], b, limits), expected)
        np.testing.assert_array_equal(within(b, a[:, None], limits), expected)
        each = np.broadcast_to(limits, expected.shape)
        one_by_one = [wholly_within(a[i[-2]], b[i[-1]], each[i]) for i in np.ndindex(expected.shape)]
        np.testing.assert_array_equal(
            wholly_within(a[:, None], b, limits), np.reshape(one_by_one, expected.shape)
        )
    assert within(a[:3, None], b[:2], [[1.0, math.inf]]).shape == (3, 2)
    assert within(a[:, None], b, math.inf).all()
    assert within(a[:, None], b, np.full(40, math.inf)).all()
    assert wholly_within(a[:, None], b, np.full((30, 1), math.inf)).all()


# ------------------------------------------------------------------------------ laws


@given(single_bases(), single_bases())
@example(Bases.point(0.0, 0.0), Bases.point(0.0, 0.0))
@example(Bases.rect(0, 0, width=1, depth=0), Bases.rect(0.5, 0, width=0, depth=1))
def test_laws_of_single_pairs(a, b):
    assert gap(a, b) == gap(b, a)
    assert in_contact(a, a)
    assert wholly_within(a, a)
    assert distance(a, b) >= 0.0
    assert in_contact(a, b) == (distance(a, b) == 0.0) == (gap(a, b) <= TOLERANCE)
    if interiors_meet(a, b):
        assert in_contact(a, b)
    if wholly_within(a, b):
        assert in_contact(a, b)
    # Half a turn, and a mirror image, change no number that counts.
    np.testing.assert_allclose(gap(moved(a, turn=math.pi), moved(b, turn=math.pi)), gap(a, b), atol=1e-9)
    mirrored = [Bases(c.x, -c.y, -c.heading, width=c.width, depth=c.depth, radius=c.radius) for c in (a, b)]
    np.testing.assert_allclose(gap(*mirrored), gap(a, b), atol=1e-9)


def test_scaled_by_a_power_of_two():
    rng = np.random.default_rng(11)
    a, b = random_bases(rng, N, "rectangle"), random_bases(rng, N, "rectangle")
    twice = [Bases.rect(2 * c.x, 2 * c.y, c.heading, width=2 * c.width, depth=2 * c.depth) for c in (a, b)]
    np.testing.assert_array_equal(gap(*twice), 2.0 * gap(a, b))
    np.testing.assert_array_equal(in_contact(*twice, tol=2 * TOLERANCE), in_contact(a, b))


# ------------------------------------------------------------------------------ tolerance


def test_tolerance():
    a, b = Bases.point(0.0, 0.0), Bases.point([0.0, 0.1, 0.2], 0.0)
    np.testing.assert_array_equal(in_contact(a, b, tol=0.1), [True, True, False])
    np.testing.assert_array_equal(distance(a, b, tol=0.1), [0.0, 0.0, 0.2])
    np.testing.assert_array_equal(within(a, b, 0.1, tol=0.1), [True, True, True])
    np.testing.assert_array_equal(in_contact(a, b, tol=0), [True, False, False])
    disc = Bases.round(0.0, 0.0, diameter=2.0)
    assert interiors_meet(disc, Bases.round(1.5, 0.0, diameter=2.0), tol=0.4)
    assert not interiors_meet(disc, Bases.round(1.5, 0.0, diameter=2.0), tol=0.6)
