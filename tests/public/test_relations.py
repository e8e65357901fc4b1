"""Relations, farthest distances and shortest lines: touching pairs anywhere, other questions, shapely."""

import math
from functools import partial

import numpy as np
import pytest
import shapely

from ninthgeom import (
    TOLERANCE,
    Bases,
    Relation,
    distance,
    farthest_distance,
    in_contact,
    interiors_meet,
    relation,
    shortest_line,
    wholly_within,
)
from tests.strategies import KINDS, WAYS, Touching, from_cores, moved, random_bases, touching

APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = Relation
NEAR, FAR = 1e-7, 1e-5  # to both sides of the tolerance
SWAPPED = np.array([APART, POINT, LINE, PARTIAL, CONTAINS, INSIDE, EQUAL])
TOUCHING_KINDS = [
    ("rectangle", "rectangle"),
    ("rectangle", "disc"),
    ("disc", "disc"),
    ("rectangle", "oval"),
    ("oval", "oval"),
    ("oval", "disc"),
    ("rounded", "rounded"),
    ("rectangle", "point"),
]

square = partial(Bases.rect, width=2.0, depth=2.0)
segment = partial(Bases.rect, width=0.0)


# ---------------------------------------------------------------------------------- single cases


@pytest.mark.parametrize(
    ("b", "code"),
    [
        (square(0, 0), EQUAL),
        (square(0, 0, math.pi / 2), EQUAL),
        (square(NEAR, 0, math.pi), EQUAL),
        (square(0, 0, math.pi / 4), PARTIAL),
        (square(2, 0), LINE),
        (square(2, 1.5), LINE),
        (square(2, 2), POINT),
        (square(2, 2 + NEAR), POINT),
        (square(2, 2 - NEAR), POINT),
        (square(2, 2 - FAR), LINE),
        (square(math.nextafter(2, 3), 0), LINE),
        (square(math.nextafter(2, 1), 0), LINE),
        (square(2 + NEAR, 0), LINE),
        (square(2 - NEAR, 0), LINE),
        (square(2 + FAR, 0), APART),
        (square(2 - FAR, 0), PARTIAL),
        (square(2, 0, 1e-7), LINE),
        (square(2, 0, 1e-5), PARTIAL),  # turned by so much, a corner reaches in
        (square(2 + 1e-5, 0, 1e-5), POINT),
        (square(1 + math.sqrt(2), 0, math.pi / 4), POINT),
        (Bases.round(2, 0, diameter=2), POINT),
        (Bases.round(1 + math.sqrt(0.5), 1 + math.sqrt(0.5), diameter=2), POINT),
        (Bases.round(0, 0, diameter=2), CONTAINS),
        (Bases.round(0, 0, diameter=2 + 4e-7), CONTAINS),
        (Bases.round(0, 0, diameter=2 + FAR), PARTIAL),
        (Bases.round(0, 0, diameter=math.sqrt(8)), INSIDE),
        (Bases.oval(2, 0, width=6, depth=2), LINE),
        (Bases.oval(0, 3, width=4, depth=2), POINT),
        (Bases(2, 0, width=2, depth=2, radius=0.5), LINE),
        (Bases(2, 1.5, width=2, depth=2, radius=0.5), POINT),  # the straight edges lie beside each other
        (Bases(0, 0, width=2, depth=2, radius=0.5), CONTAINS),
        (Bases.rect(0.5, 0, width=1, depth=1), CONTAINS),
        (Bases.rect(0.5, 0.5, width=1, depth=1), CONTAINS),
        (Bases.rect(0.5 + NEAR, 0, width=1, depth=1), CONTAINS),
        (Bases.rect(0.5 + FAR, 0, width=1, depth=1), PARTIAL),
        (Bases.rect(0.5, 0, width=4, depth=3), INSIDE),
        (Bases.point(0.5, 0), CONTAINS),
        (Bases.point(1, 0), POINT),
        (Bases.point(1, 1), POINT),
        (Bases.point(1 - FAR, 0), CONTAINS),
        (Bases.point(1 - NEAR, 0), POINT),
        (Bases.point(1 + FAR, 0), APART),
        (segment(1, 0, math.pi / 2, depth=1), LINE),
        (segment(1, 0, math.pi / 2, depth=9), LINE),
        (segment(1 - NEAR, 0, math.pi / 2, depth=1), LINE),
        (segment(1 - FAR, 0, math.pi / 2, depth=1), CONTAINS),
        (segment(1 - FAR, 0, math.pi / 2, depth=9), PARTIAL),
        (segment(1, 1.5, math.pi / 2, depth=1), POINT),  # goes on where the edge ends
        (segment(0, 0, 0.3, depth=1), CONTAINS),
        (segment(0, 0, depth=2), CONTAINS),  # from edge to edge
        (segment(0, 0, depth=3), PARTIAL),
        (segment(2, 0, depth=2), POINT),
        (segment(1, 1, -math.pi / 4, depth=1), POINT),
    ],
)
def test_beside_a_square(b, code):
    a = square(0, 0)
    assert relation(a, b) == code
    assert relation(b, a) == SWAPPED[code]
    for turn, x, y in ((1.0, 1000.0, -300.0), (2.5, -7.0, 999.0), (-0.4, 0.0, 0.0)):
        there = (moved(base, turn=turn, x=x, y=y) for base in (a, b))
        assert relation(*there) == code


@pytest.mark.parametrize(
    ("a", "b", "code"),
    [
        (segment(0, 0, depth=2), segment(0, 0, math.pi / 2, depth=2), POINT),
        (segment(0, 0, depth=2), segment(0, 0, 0.1, depth=2), POINT),
        (segment(0, 0, depth=2), segment(1, 0, depth=2), LINE),
        (segment(0, 0, depth=2), segment(0, 0, depth=1), LINE),
        (segment(0, 0, depth=2), segment(2, 0, depth=2), POINT),
        (segment(0, 0, depth=2), segment(2 + FAR, 0, depth=2), APART),
        (segment(0, 0, depth=2), segment(0, 0, math.pi, depth=2), EQUAL),
        (segment(0, 0, depth=2), Bases.rect(0, 0, math.pi / 2, width=2, depth=0), EQUAL),
        (segment(0, 0, depth=2), Bases.point(1, 0), POINT),
        (segment(0, 0, depth=2), Bases.point(0.5, NEAR), POINT),
        (segment(0, 0, depth=2), Bases.point(0.5, FAR), APART),
        (Bases.point(3, 4), Bases.point(3, 4), EQUAL),
        (Bases.point(3, 4), Bases.point(3, 4 + NEAR), EQUAL),
        (Bases.point(3, 4), Bases.point(3, 4 + FAR), APART),
        (Bases.round(0, 0, diameter=2), Bases.point(1, 0), POINT),
        (Bases.round(0, 0, diameter=2), segment(0, 1, depth=2), POINT),
        (Bases.round(0, 0, diameter=2), Bases.round(0.5, 0, diameter=1), CONTAINS),
        (Bases.round(0, 0, diameter=2), Bases(0, 0, 0.7, width=2, depth=2, radius=1), EQUAL),
        (Bases.oval(0, 0, width=4, depth=2), segment(1, 0, math.pi / 2, depth=3), LINE),
        (Bases.oval(0, 0, width=4, depth=2), segment(0, 2, depth=3), POINT),
        (Bases.oval(0, 0, width=4, depth=2), Bases.oval(0, 0, math.pi / 2, width=2, depth=4), EQUAL),
        (Bases.oval(0, 0, width=4, depth=2), Bases.round(0, 1, diameter=2), CONTAINS),
    ],
)
def test_without_squares(a, b, code):
    assert relation(a, b) == code
    assert relation(b, a) == SWAPPED[code]


# ---------------------------------------------------------------------------------- touching, anywhere


def along(bases):
    """Length of the edges that the pairs touching by edges touch with."""
    return bases.depth - 2.0 * bases.radius


def check_touching(pairs: Touching, way, kinds):
    first, second = pairs.apart(0.0)
    # A point is the second one, so that it is asked whether it is inside the first.
    touch = np.where((way == "edge") & (np.minimum(along(first), along(second)) > 0.0), LINE, POINT)
    overlap = INSIDE if kinds[1] == "point" else PARTIAL
    for gap, code in ((0.0, touch), (NEAR, touch), (-NEAR, touch), (FAR, APART), (-FAR, overlap)):
        one, two = pairs.apart(gap)
        wrong = relation(two, one) != code
        assert not wrong.any(), (way, kinds, gap, int(wrong.sum()), one[wrong][:1], two[wrong][:1])


def check_edges_end_to_end(rng, n):
    """Rectangles with a common edge line: whole edges, and ends that just meet, overlap or miss."""
    half, other, above, below = rng.uniform(0.25, 2.0, (4, n))
    zero = np.zeros(n)
    turn, shift = rng.uniform(-math.pi, math.pi, n), rng.uniform(-1000.0, 1000.0, (2, n))
    first = from_cores(zero, zero, zero, (half, above, zero))
    for slide, length, code in (
        (zero, half, LINE),
        (half + other, other, POINT),
        (half + other - NEAR, other, POINT),
        (half + other + NEAR, other, POINT),
        (half + other - FAR, other, LINE),
        (half + other + FAR, other, APART),
    ):
        heading = math.pi * rng.integers(0, 2, n)
        second = from_cores(slide, -above - below, heading, (length, below, zero))
        one, two = (moved(bases, turn=turn, x=shift[0], y=shift[1]) for bases in (first, second))
        assert (relation(one, two) == code).all(), (code, slide[0])


def check_nested(rng, n, kind):
    """Bases against themselves, otherwise described, moved, grown and shrunk; flush inside each other."""
    base = random_bases(rng, n, kind, spread=500.0)
    quarters = rng.integers(0, 4, n)
    is_swapped = quarters % 2 == 1
    angle = rng.uniform(-math.pi, math.pi, n)
    # Diagonal, so that no side is left flush.
    diagonal = base.heading + 0.5 * math.pi * rng.integers(0, 4, n) + 0.25 * math.pi
    has_area = base.area > 0.0
    inside, contains = np.where(has_area, INSIDE, EQUAL), np.where(has_area, CONTAINS, EQUAL)

    def like(grown=0.0, off=0.0, direction=angle):
        width, depth = base.width + 2.0 * grown * has_area, base.depth + 2.0 * grown * has_area
        return Bases(
            base.x + off * np.cos(direction),
            base.y + off * np.sin(direction),
            base.heading + 0.5 * math.pi * quarters,
            width=np.where(is_swapped, depth, width),
            depth=np.where(is_swapped, width, depth),
            radius=np.maximum(base.radius + grown * (base.radius > 0.0), 0.0),
        )

    assert (relation(base, like()) == EQUAL).all()
    assert (relation(base, like(off=NEAR)) == EQUAL).all()
    assert (relation(base, like(grown=NEAR)) == EQUAL).all()
    assert (relation(base, like(grown=FAR)) == inside).all()
    assert (relation(base, like(grown=-FAR)) == contains).all()
    if kind not in ("segment", "point"):
        assert (relation(base, like(off=FAR, direction=diagonal)) == PARTIAL).all()
        # Half as large and pushed to an edge from inside.
        half = Bases(
            base.x, base.y, base.heading, width=base.width / 2, depth=base.depth / 2, radius=base.radius / 2
        )
        for off, code in ((0.0, INSIDE), (NEAR, INSIDE), (-FAR, INSIDE), (FAR, PARTIAL)):
            way = 0.25 * base.depth + off
            pushed = moved(half, x=way * np.cos(base.heading), y=way * np.sin(base.heading))
            assert (relation(pushed, base) == code).all()
            assert (relation(base, pushed) == SWAPPED[code]).all()


def check_all_touching(rng, n):
    for kinds in TOUCHING_KINDS:
        for way in WAYS:
            check_touching(touching(rng, n, way, kinds), way, kinds)
    check_edges_end_to_end(rng, n)
    for kind in KINDS:
        check_nested(rng, n, kind)


@pytest.mark.jit_only
def test_touching_pairs_wherever_the_table_stands():
    check_all_touching(np.random.default_rng(20), 20_000)


@pytest.mark.verify
def test_touching_pairs_by_the_million():
    seed = int(np.random.default_rng().integers(1 << 32))
    rng = np.random.default_rng(seed)
    for _ in range(30):
        check_all_touching(rng, 70_000)
    kinds = len(TOUCHING_KINDS) * len(WAYS)
    print(
        f"seed {seed}: {kinds} kinds of touch, 2,100,000 touching pairs of each, gap 0 and 1e-7 to both sides"
    )


# ---------------------------------------------------------------------------------- other questions


@pytest.fixture(scope="module")
def mixed():
    rng = np.random.default_rng(5)
    a, b = (random_bases(rng, 3000, "mixed", spread=1.5) for _ in range(2))
    # Some that are flush, nested or equal.
    grid = Bases(
        *rng.integers(-2, 3, (2, 2, 1000)).astype(float),
        0.5 * math.pi * rng.integers(0, 4, (2, 1000)),
        width=rng.integers(0, 4, (2, 1000)),
        depth=rng.integers(0, 4, (2, 1000)),
    )
    return Bases.concatenate([a, grid[0]]), Bases.concatenate([b, grid[1]])


def test_codes_agree_with_the_single_statements(mixed):
    a, b = mixed
    codes = relation(a, b)
    np.testing.assert_array_equal(codes >= POINT, in_contact(a, b))
    is_flat = (a.area == 0.0) & (b.area == 0.0)
    np.testing.assert_array_equal((codes >= PARTIAL)[~is_flat], interiors_meet(a, b)[~is_flat])
    assert set(codes[is_flat]) == {APART, POINT, LINE, EQUAL}
    # Who is inside is so wholly, and who is partly inside sticks out on both sides.
    meets = codes >= PARTIAL
    np.testing.assert_array_equal(np.isin(codes, (INSIDE, EQUAL))[meets], wholly_within(a, b)[meets])
    np.testing.assert_array_equal(np.isin(codes, (CONTAINS, EQUAL))[meets], wholly_within(b, a)[meets])


def test_far_from_the_origin():
    rng = np.random.default_rng(6)
    pairs = touching(rng, 1000, "edge", ("rectangle", "rectangle"), far=9e5)
    assert (relation(*pairs.apart(0.0)) == LINE).all()
    assert (relation(*pairs.apart(-FAR)) == PARTIAL).all()


# ---------------------------------------------------------------------------------- distances


def test_shortest_lines_are_as_long_as_the_distance(mixed):
    a, b = mixed
    lines = shortest_line(a, b)
    start, end = (Bases.point(lines[:, i], lines[:, i + 1]) for i in (0, 2))
    lengths = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
    np.testing.assert_allclose(lengths, distance(a, b), rtol=0, atol=1e-12)
    assert (lines[lengths == 0.0, :2] == lines[lengths == 0.0, 2:]).all()
    assert (distance(start, a, tol=0.0) < 1e-9).all()
    assert (distance(end, b, tol=0.0) < 1e-9).all()


def test_shortest_lines_against_shapely():
    rng = np.random.default_rng(7)
    for kinds in (("rectangle", "rectangle"), ("rectangle", "segment"), ("segment", "point")):
        a, b = (random_bases(rng, 2000, kind) for kind in kinds)
        expected = shapely.distance(a.to_shapely(), b.to_shapely())
        lines = shortest_line(a, b)
        lengths = np.hypot(lines[:, 2] - lines[:, 0], lines[:, 3] - lines[:, 1])
        np.testing.assert_allclose(lengths, expected, rtol=0, atol=1e-9)
        # Where the nearest points are the only ones, they are shapely's.
        theirs = shapely.get_coordinates(shapely.shortest_line(a.to_shapely(), b.to_shapely())).reshape(-1, 4)
        is_apart = expected > 1e-3
        np.testing.assert_allclose(lines[is_apart], theirs[is_apart], rtol=0, atol=1e-9)


def test_shortest_line_in_contact_within_the_tolerance():
    a, b = square(0.0, 0.0), Bases.round(2.0 + 8e-7, 0.0, diameter=2.0)
    np.testing.assert_allclose(shortest_line(a, b), [1.0 + 4e-7, 0.0, 1.0 + 4e-7, 0.0], rtol=0, atol=1e-15)
    np.testing.assert_allclose(shortest_line(a, b, tol=0.0), [1.0, 0.0, 1.0 + 8e-7, 0.0], rtol=0, atol=1e-15)


def test_shortest_line_of_cores_that_cross():
    # No corner of either is in the other.
    plank = Bases.rect(0.3, 0.2, width=1.0, depth=9.0)
    for other in (moved(plank, turn=1.0), moved(plank, turn=0.5 * math.pi), segment(0, 0, 2.0, depth=9)):
        x0, y0, x1, y1 = shortest_line(plank, other)
        assert (x0, y0) == (x1, y1)
        assert distance(Bases.point(x0, y0), plank, tol=0.0) < 1e-12
        assert distance(Bases.point(x0, y0), other, tol=0.0) < 1e-12


def test_farthest_distance_against_all_corners():
    rng = np.random.default_rng(8)
    for kinds in (("rectangle", "rectangle"), ("rectangle", "point"), ("segment", "segment")):
        a, b = (random_bases(rng, 2000, kind) for kind in kinds)
        ways = a.corners()[:, :, None] - b.corners()[:, None]
        expected = np.hypot(ways[..., 0], ways[..., 1]).max(axis=(1, 2))
        np.testing.assert_allclose(farthest_distance(a, b), expected, rtol=0, atol=1e-12)
    a, b = (random_bases(rng, 500, "mixed") for _ in range(2))
    outlines = shapely.union(a.to_shapely(), b.to_shapely())
    most = np.maximum.reduce([farthest_distance(p, q) for p, q in ((a, b), (a, a), (b, b))])
    # The widest pair of points of a union, shapely's circles being polygons of 64 edges.
    points = [shapely.get_coordinates(shapely.convex_hull(outline)) for outline in outlines]
    widest = [np.hypot(*(p[:, None] - p[None, :]).T).max() for p in points]
    np.testing.assert_allclose(most, widest, rtol=0, atol=5e-3)


# ---------------------------------------------------------------------------------- tolerance


def test_tolerance_is_the_callers():
    a = square(0.0, 0.0)
    assert relation(a, square(2.01, 0.0), tol=0.1) == LINE
    assert relation(a, square(0.05, 0.0), tol=0.1) == EQUAL
    assert relation(a, square(2.0, 1.95), tol=0.1) == POINT
    assert relation(a, square(2.0, 0.0), tol=0.0) == LINE
    assert relation(a, square(2.0, 0.0), tol=TOLERANCE) == LINE
