"""Questions about bases and polygons, and polygons and polygons, against exact arithmetic."""

import math
import random

import numpy as np
import pytest
import shapely
from shapely.affinity import affine_transform

from ninthgeom import (
    Bases,
    Polygons,
    Relation,
    distance,
    interiors_meet,
    relation,
    wholly_within,
)
from tests.reference.polygon_checks import as_batch, check_against_exact
from tests.reference.polygon_reference import NAMED, Outline, answers
from tests.strategies import moved

NEAR, FAR = 1e-7, 1e-5  # to both sides of the tolerance
APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = Relation
SWAPPED = np.array([APART, POINT, LINE, PARTIAL, CONTAINS, INSIDE, EQUAL])


@pytest.mark.jit_only
@pytest.mark.parametrize("with_base", [True, False])
def test_against_exact_arithmetic(with_base):
    assert check_against_exact(1, 300, with_base=with_base) > 100


@pytest.mark.verify
@pytest.mark.parametrize("with_base", [True, False])
def test_many_against_exact_arithmetic(with_base):
    seed = random.SystemRandom().randrange(1 << 30)
    print(f"\npolygons and {'bases' if with_base else 'polygons'} in exact arithmetic, seed {seed}")
    count = sum(check_against_exact(seed + i, 2000, with_base=with_base) for i in range(50))
    print(f"100,000 pairs, {count} in contact, 0 wrong")


def test_what_fills_a_hole_is_not_within():
    ring = NAMED["ring"]
    plug = Outline((tuple(reversed(ring.rings[1])),))
    expected = answers(plug, ring)
    assert (expected.code, expected.is_within, expected.is_around) == (LINE, False, False)
    a, b = as_batch([plug]), as_batch([ring])
    assert relation(a, b) == LINE
    assert not wholly_within(a, b)
    assert not wholly_within(b, a)


# ---------------------------------------------------------------------------------- single cases


U_SHAPE = Polygons([[(0, 0), (6, 0), (6, 5), (4, 5), (4, 2), (2, 2), (2, 5), (0, 5)]])[0]
RING = Polygons([shapely.Polygon([(0, 0), (6, 0), (6, 6), (0, 6)], [[(2, 2), (4, 2), (4, 4), (2, 4)]])])[0]
SQUARE = Polygons([[(0, 0), (2, 0), (2, 2), (0, 2)]])[0]
SPIKE = Polygons([[(0, 0), (2, 0), (2, 0.8), (8, 1), (2, 1.2), (2, 2), (0, 2)]])[0]


def rect(x, y, width, depth, heading=0.0):
    return Bases.rect(x, y, heading, width=width, depth=depth)


CASES = [
    ("fills the notch", rect(3, 3.5, 3, 2), U_SHAPE, LINE),
    ("fills the notch loosely", rect(3, 3.5, 3, 2 - 2 * NEAR), U_SHAPE, LINE),
    ("too wide for the notch", rect(3, 3.5, 3, 2 + 2 * FAR), U_SHAPE, PARTIAL),
    ("in the notch", rect(3, 4, 1, 1), U_SHAPE, APART),
    ("stands on the floor of the notch", rect(3, 2.5, 1, 1), U_SHAPE, LINE),
    ("corner in a corner of the notch", rect(2.5, 2.5, 1, 1), U_SHAPE, LINE),
    ("corner on the floor", rect(3, 2 + math.sqrt(0.5), 1, 1, math.pi / 4), U_SHAPE, POINT),
    ("over the notch", rect(3, 4.5, 1, 6), U_SHAPE, PARTIAL),
    ("across both seams", rect(3, 1, 2, 6), U_SHAPE, INSIDE),
    ("in a wall", rect(1, 3, 3, 1), U_SHAPE, INSIDE),
    ("all of it", rect(3, 2.5, 5, 6), U_SHAPE, CONTAINS),
    ("disc in the notch", Bases.round(3, 3, diameter=2), U_SHAPE, POINT),
    ("disc too large for the notch", Bases.round(3, 3 + FAR, diameter=2 + 4 * FAR), U_SHAPE, PARTIAL),
    ("segment on the continued floor", rect(1, 2, 0, 2), U_SHAPE, INSIDE),
    ("segment along the floor", rect(3, 2, 0, 2), U_SHAPE, LINE),
    ("segment along an inner wall", rect(2, 3.5, 3, 0), U_SHAPE, LINE),
    ("segment from wall to wall", rect(3, 3, 0, 2), U_SHAPE, POINT),
    ("segment through everything", rect(3, 3, 0, 8), U_SHAPE, PARTIAL),
    ("point on the floor", Bases.point(3, 2), U_SHAPE, POINT),
    ("point on a reflex vertex", Bases.point(2, 2), U_SHAPE, POINT),
    ("point below a reflex vertex", Bases.point(2, 2 - FAR), U_SHAPE, INSIDE),
    ("point hardly below a reflex vertex", Bases.point(2, 2 - NEAR), U_SHAPE, POINT),
    ("point on a seam", Bases.point(2, 1), U_SHAPE, INSIDE),
    ("fills the hole", rect(3, 3, 2, 2), RING, LINE),
    ("larger than the hole", rect(3, 3, 2 + 2 * FAR, 2 + 2 * FAR), RING, PARTIAL),
    ("in the hole", rect(3, 3, 1, 1), RING, APART),
    ("covers the hole", rect(3, 3, 3, 3), RING, PARTIAL),
    ("all of the ring", rect(3, 3, 6, 6), RING, CONTAINS),
    ("beside the hole", rect(1, 3, 2, 2), RING, INSIDE),
    ("disc in the hole", Bases.round(3, 3, diameter=2), RING, POINT),
    ("the same square", rect(1, 1, 2, 2), SQUARE, EQUAL),
    ("the same square, turned over", rect(1, 1, 2, 2, math.pi / 2), SQUARE, EQUAL),
    ("disc round the square", Bases.round(1, 1, diameter=math.sqrt(8)), SQUARE, CONTAINS),
    ("disc in the square", Bases.round(1, 1, diameter=2), SQUARE, INSIDE),
    ("tip of a spike on a side", rect(9, 1, 2, 2), SPIKE, POINT),
    ("tip of a spike in a side", rect(9 - FAR, 1, 2, 2), SPIKE, PARTIAL),
    ("tip of a spike hardly in a side", rect(9 - NEAR, 1, 2, 2), SPIKE, POINT),
    ("tip of a spike before a side", rect(9 + FAR, 1, 2, 2), SPIKE, APART),
]


def turned(polygon: Polygons, turn: float, x: float, y: float) -> Polygons:
    """A single polygon after a turn of the table and a shift."""
    cos, sin = math.cos(turn), math.sin(turn)
    return Polygons([affine_transform(polygon.to_shapely(), [cos, -sin, sin, cos, x, y])])[0]


@pytest.mark.parametrize(("base", "polygon", "code"), [c[1:] for c in CASES], ids=[c[0] for c in CASES])
def test_single_cases_anywhere_on_the_table(base, polygon, code):
    for turn, x, y in ((0.0, 0.0, 0.0), (1.0, 1000.0, -300.0), (2.5, -7.0, 999.0), (-0.4, 0.0, 0.0)):
        there, shape = moved(base, turn=turn, x=x, y=y), turned(polygon, turn, x, y)
        assert relation(there, shape) == code
        assert relation(shape, there) == SWAPPED[code]
        mirrored = Polygons([affine_transform(shape.to_shapely(), [1, 0, 0, -1, 0, 0])])[0]
        sizes = {"width": base.width, "depth": base.depth, "radius": base.radius}
        assert relation(Bases(there.x, -there.y, -there.heading, **sizes), mirrored) == code


def test_rectangles_as_bases_and_as_polygons_are_the_same():
    rng = np.random.default_rng(3)
    n = 1000
    a = Bases.rect(
        *rng.integers(-4, 5, (2, n)) / 2.0,
        rng.integers(0, 4, n) * math.pi / 2,
        width=rng.integers(1, 5, n) / 2.0,
        depth=rng.integers(1, 5, n) / 2.0,
    )
    b = Bases.rect(
        *rng.integers(-4, 5, (2, n)) / 2.0,
        rng.uniform(-3.0, 3.0, n) * rng.integers(0, 2, n),
        width=rng.integers(1, 5, n) / 2.0,
        depth=rng.integers(1, 5, n) / 2.0,
    )
    shapes = Polygons(list(b.to_shapely())), Polygons(list(a.to_shapely()))
    codes = relation(a, b)
    assert np.bincount(codes, minlength=7)[:EQUAL].min() > 0
    np.testing.assert_array_equal(relation(a, shapes[0]), codes)
    np.testing.assert_array_equal(relation(shapes[1], b), codes)
    np.testing.assert_array_equal(relation(shapes[1], shapes[0]), codes)
    np.testing.assert_allclose(distance(shapes[1], shapes[0]), distance(a, b), rtol=0.0, atol=1e-12)


@pytest.mark.parametrize("name", NAMED)
def test_an_outline_may_begin_anywhere(name):
    shape = NAMED[name].to_shapely()
    whole = Polygons([shape])
    rings = [np.asarray(line.coords)[:-1] for line in (shape.exterior, *shape.interiors)]
    others = [
        shapely.Polygon(
            np.roll(rings[0], -i, axis=0)[::step], [np.roll(ring, i, axis=0) for ring in rings[1:]]
        )
        for i in range(len(rings[0]))
        for step in (1, -1)
    ]
    rng = np.random.default_rng(4)
    bases = Bases.rect(
        *rng.integers(-2, 14, (2, 200)) / 2.0,
        rng.uniform(-3.0, 3.0, 200) * rng.integers(0, 2, 200),
        width=1.0,
        depth=rng.integers(0, 4, 200) / 2.0,
    )
    expected = relation(bases, whole)
    for other in Polygons(others):
        np.testing.assert_array_equal(relation(bases, other), expected)
        assert relation(other, whole[0]) == EQUAL


def test_a_polygon_cut_in_two_is_as_far_away():
    rng = np.random.default_rng(5)
    bases = Bases.rect(*rng.uniform(-8.0, 12.0, (2, 400)), rng.uniform(-3.0, 3.0, 400), width=1.0, depth=0.5)
    for outline in NAMED.values():
        shape = outline.to_shapely()
        cut = shapely.get_parts(
            shapely.intersection(shape, [shapely.box(-9, -9, 1.3, 9), shapely.box(1.3, -9, 9, 9)])
        )
        parts = [part for part in shapely.get_parts(cut) if isinstance(part, shapely.Polygon)]
        nearest = distance(bases[:, None], Polygons(parts)).min(axis=1)
        np.testing.assert_allclose(distance(bases, Polygons([shape])), nearest, rtol=0.0, atol=1e-9)


def test_against_shapely():
    """Random stars with holes on a table-sized board."""
    rng = np.random.default_rng(6)
    shapes = []
    for _ in range(60):
        n = int(rng.integers(5, 16))
        angle = 2.0 * math.pi * (np.arange(n) + rng.uniform(-0.4, 0.4, n)) / n
        ring = rng.uniform(1.0, 4.0, n)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        holes = [0.3 * np.abs(ring).min() * ring[::-1] / np.abs(ring).max()] if rng.random() < 0.5 else []
        shape = shapely.Polygon(ring + (centre := rng.uniform([0, 0], [72, 48])), [h + centre for h in holes])
        shapes += [shape] if shape.is_valid else []
    polygons = Polygons(shapes)
    n = 300
    bases = Bases.rect(
        *rng.uniform([0, 0], [72, 48], (n, 2)).T, rng.uniform(-3.0, 3.0, n), width=2.0, depth=1.0
    )
    outlines = bases.to_shapely()[:, None]
    np.testing.assert_allclose(
        distance(bases[:, None], polygons), shapely.distance(outlines, shapes), atol=1e-9
    )
    area = shapely.area(shapely.intersection(outlines, shapes))
    np.testing.assert_array_equal(interiors_meet(bases[:, None], polygons), area > 1e-9)
    np.testing.assert_array_equal(wholly_within(bases[:, None], polygons), shapely.covers(shapes, outlines))
    between = distance(polygons[:, None], polygons)
    np.testing.assert_allclose(between, shapely.distance(np.array(shapes)[:, None], shapes), atol=1e-9)
