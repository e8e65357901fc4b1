"""Segments against bases and polygons: exact arithmetic, shapely, and laws."""

import itertools
import math
import random
from fractions import Fraction

import numpy as np
import pytest
import shapely

import ninthgeom as ng
from ninthgeom import Bases, Polygons, Segments, first_hit, intersects, passes_through
from ninthgeom._polygon_table import whole
from tests.reference import exact_crossings as exact
from tests.reference.exact_crossings import SHAPES, made_segment, random_place
from tests.strategies import random_bases

TOL = Fraction(1, 10**6)
each_shape = pytest.mark.parametrize("name", SHAPES)


def as_polygon(shape, place=None) -> shapely.Polygon:
    put = place.put if place else lambda point: point
    shell, *holes = [[tuple(map(float, put(point))) for point in ring] for ring in shape]
    return shapely.Polygon(shell, holes)


def as_segments(segments, place=None) -> Segments:
    put = place.put if place else lambda point: point
    ends = [[float(number) for point in segment for number in put(point)] for segment in segments]
    return Segments(*np.array(ends).reshape(-1, 4).T)


def made(name, n, seed, far=0):
    """Segments made for a shape, where it is put, and both as numbers."""
    draw = random.Random(f"{name} {seed}")
    place = random_place(draw, far)
    segments = [made_segment(draw, SHAPES[name]) for _ in range(n)]
    return segments, place, as_segments(segments, place), Polygons([as_polygon(SHAPES[name], place)])


def check_against_exact(name, n, seed, far):
    segments, _, lines, polygons = made(name, n, seed, far)
    shape = SHAPES[name]
    near = [exact.squared_distance(segment, shape) <= TOL**2 for segment in segments]
    np.testing.assert_array_equal(intersects(lines, polygons), near)
    deep = np.array([exact.gets_deeper(segment, shape, TOL) for segment in segments])
    # Round a reflex vertex, what is deep enough is bounded by chords, up to 16 % further away.
    deeper = np.array([exact.gets_deeper(segment, shape, TOL * Fraction(6, 5)) for segment in segments])
    found = passes_through(lines, polygons)
    assert (deeper <= found).all()
    assert (found <= deep).all()
    assert (deep == deeper).mean() > 0.99


@pytest.mark.parametrize("far", [0, 8000])
@each_shape
def test_made_segments_against_exact_arithmetic(name, far):
    for seed in range(3):
        check_against_exact(name, 60, seed, far)


@pytest.mark.verify
@each_shape
def test_many_made_segments_against_exact_arithmetic(name):
    for seed in range(100, 160):
        check_against_exact(name, 300, seed, 8000)
    print(f"{name}: 60 places, 18,000 segments")


@pytest.mark.parametrize("far", [0, 8000])
@each_shape
def test_first_hit_against_exact_arithmetic(name, far):
    shape = SHAPES[name]
    edges = exact.edges_of(shape)
    for seed in range(3):
        segments, place, lines, polygons = made(name, 60, seed, far)
        hits = first_hit(lines, polygons)
        np.testing.assert_array_equal(hits.hit, intersects(lines, polygons))
        for i, segment in enumerate(segments):
            hit, fraction, point, normal, edge = (values[i] for values in hits)
            share = exact.first_share(segment, shape)
            length = math.dist(*((float(x), float(y)) for x, y in segment))
            if not hit:
                assert fraction == math.inf
                assert np.isnan([*point, *normal]).all()
                assert edge == -1
                continue
            assert 0.0 <= fraction <= 1.0
            if share is not None:
                there = exact.at(segment, Fraction(float(fraction)))
                if abs(float(share) - fraction) * length > 1e-8:
                    # So near an edge, and nearly along it, that rounding decides where it begins to touch.
                    assert min(exact.squared_to_segment(there, *each) for each in edges) < Fraction(1, 10**17)
                    assert not exact.gets_deeper((exact.at(segment, share), there), shape, Fraction(1, 10**8))
                np.testing.assert_allclose(
                    point, [float(x) for x in place.put(there)], atol=1e-12 + far * 1e-15
                )
            if edge == -1:
                assert fraction == 0.0
                assert not exact.gets_deeper((segment[0], segment[0]), shape, TOL) or normal.tolist() == [
                    0.0,
                    0.0,
                ]
                assert exact.gets_deeper((segment[0], segment[0]), shape, TOL)
                continue
            a, b = (place.put(corner) for corner in edges[edge])
            (ax, ay), (bx, by) = (tuple(map(float, corner)) for corner in (a, b))
            out = np.array([by - ay, ax - bx]) / math.hypot(bx - ax, by - ay)
            np.testing.assert_allclose(normal, out, atol=1e-12)
            assert shapely.distance(shapely.Point(point), shapely.LineString([(ax, ay), (bx, by)])) <= 1.1e-6


def test_which_edge_at_a_vertex():
    # Edges of a square: 0 below, 1 right, 2 above, 3 left.
    cases = [
        ((-1, -2, 4, 8), 0, 1 / 5),  # through the corner at the origin, more against one edge
        ((-2, -1, 8, 4), 3, 1 / 5),
        ((-1, -1, 1, 1), 0, 1 / 2),  # as much against both: the first
        ((-4, 0, 8, 0), 3, 1 / 3),  # along the lower edge: first against the left one
        ((8, 0, -4, 0), 1, 1 / 3),
        ((4, -2, 4, 6), 0, 1 / 4),
        ((-2, 2, 2, -2), 3, 1 / 2),  # past the corner, touching it
        ((2, -3, 2, 0), 0, 1.0),  # ends on an edge
        ((2, 0, 2, -3), 0, 0.0),  # starts on an edge and leaves
        ((2, 0, 2, 3), 0, 0.0),  # starts on an edge and enters
        ((2, 0, 3, 0), 0, 0.0),  # lies in an edge
        ((2, 0, 2, 0), 0, 0.0),  # a point on an edge
        ((2, 2, 9, 9), -1, 0.0),
        ((2, 2, 2, 2), -1, 0.0),
    ]
    for turn, shift in itertools.product((0.0, 0.3, 2.0), (0.0, 700.0)):
        c, s = math.cos(turn), math.sin(turn)

        def put(x, y, c=c, s=s, shift=shift):
            return c * x - s * y + shift, s * x + c * y - shift

        polygon = Polygons([[put(x, y) for x, y in ((0, 0), (4, 0), (4, 4), (0, 4))]])
        ends = [(*put(x0, y0), *put(x1, y1)) for (x0, y0, x1, y1), _, _ in cases]
        found = first_hit(Segments(*np.array(ends).T), polygon)
        np.testing.assert_allclose(found.fraction, [fraction for _, _, fraction in cases], atol=1e-9)
        assert found.edge.tolist() == [edge for _, edge, _ in cases]


# ------------------------------------------------------------------------------ bases


def flat(segments: Segments) -> Bases:
    """Segments as bases without width."""
    x, y = segments.x1 - segments.x0, segments.y1 - segments.y0
    middle_x, middle_y = 0.5 * (segments.x0 + segments.x1), 0.5 * (segments.y0 + segments.y1)
    return Bases(middle_x, middle_y, np.arctan2(y, x), depth=np.hypot(x, y))


def random_segments(rng, n, spread=2.5) -> Segments:
    """Segments from half an inch to 4 inches long, round the origin."""
    x, y = rng.normal(0.0, spread, (2, n))
    angle, half = rng.uniform(-math.pi, math.pi, n), rng.uniform(0.25, 2.0, n)
    dx, dy = half * np.cos(angle), half * np.sin(angle)
    return Segments(x - dx, y - dy, x + dx, y + dy)


def test_with_bases_they_are_bases_without_width():
    rng = np.random.default_rng(1)
    bases, segments = random_bases(rng, 3000, "mixed"), random_segments(rng, 3000)
    np.testing.assert_array_equal(intersects(segments, bases), ng.in_contact(flat(segments), bases))
    np.testing.assert_array_equal(passes_through(segments, bases), ng.interiors_meet(flat(segments), bases))
    assert intersects(segments[:40, None], bases[:30]).shape == (40, 30)


@pytest.mark.parametrize("far", [0, 8000])
def test_rectangles_as_bases_and_as_polygons(far):
    draw = random.Random(far)
    turns = [exact.Place(turn, (Fraction(draw.randint(-far, far), 8),) * 2) for turn in exact.TURNS]
    shape = exact.rings([(4, 0), (4, 6), (0, 6), (0, 0)])  # from front right on
    for place in turns:
        segments = as_segments([made_segment(draw, shape) for _ in range(100)], place)
        x, y = place.put((Fraction(2), Fraction(3)))
        base = Bases.rect(float(x), float(y), math.atan2(place.turn[1], place.turn[0]), width=6.0, depth=4.0)
        polygon = Polygons([as_polygon(shape, place)])[0]
        assert polygon.to_shapely().exterior.coords[0] == tuple(map(float, place.put(shape[0][0])))
        for question in (intersects, passes_through):
            np.testing.assert_array_equal(question(segments, base), question(segments, polygon))
        one, two = first_hit(segments, base), first_hit(segments, polygon)
        np.testing.assert_array_equal(one.hit, two.hit)
        np.testing.assert_array_equal(one.edge, two.edge)
        np.testing.assert_allclose(one.normal, two.normal, atol=1e-12)
        # What runs into an edge at a small angle begins to touch where rounding says.
        off = np.abs(one.point - two.point)[one.hit]
        assert np.quantile(off, 0.9) < 1e-9
        assert off.max() < 1e-3


@pytest.mark.parametrize("kind", ["rectangle", "rounded", "disc", "oval", "segment", "point"])
def test_first_hit_of_bases(kind):
    rng = np.random.default_rng(7)
    bases, segments = random_bases(rng, 2000, kind, spread=1.5), random_segments(rng, 2000, 1.5)
    if kind in ("segment", "point"):  # through the centres, or hardly any would hit
        dx, dy = segments.x1 - segments.x0, segments.y1 - segments.y0
        segments = Segments(bases.x - 0.3 * dx, bases.y - 0.3 * dy, bases.x + 0.7 * dx, bases.y + 0.7 * dy)
    found = first_hit(segments, bases)
    np.testing.assert_array_equal(found.hit, intersects(segments, bases))
    assert found.hit.sum() > 100
    hit = found.hit
    segments, bases = segments[hit], bases[hit]
    fraction, point, normal, edge = found.fraction[hit], found.point[hit], found.normal[hit], found.edge[hit]
    inside = ng.gap(Bases.point(segments.x0, segments.y0), bases) < -1e-6
    np.testing.assert_array_equal(fraction[inside], 0.0)
    np.testing.assert_array_equal(normal[inside], 0.0)
    np.testing.assert_array_equal(edge[inside], -1)
    along = np.stack([segments.x1 - segments.x0, segments.y1 - segments.y0], axis=-1)
    np.testing.assert_allclose(
        point, np.stack([segments.x0, segments.y0], axis=-1) + fraction[:, None] * along
    )
    met = ~inside
    # On the outline, nothing before, and the normal leads straight away.
    gaps = ng.gap(Bases.point(*point.T), bases)
    np.testing.assert_allclose(gaps[met], 0.0, atol=1e-9)
    before = np.stack([segments.x0, segments.y0], -1) + (fraction * (1.0 - 1e-3))[:, None] * along
    reached = Segments(segments.x0, segments.y0, *before.T)
    assert not intersects(reached, bases, tol=0.0)[met & (fraction > 0.0)].any()
    np.testing.assert_allclose(np.hypot(*normal[met].T), 1.0)
    away = ng.gap(Bases.point(*(point + 0.01 * normal).T), bases)
    np.testing.assert_allclose(away[met], 0.01, atol=1e-9)
    turned = np.stack([np.cos(bases.heading), np.sin(bases.heading)], axis=-1)
    forward = (normal * turned).sum(axis=1)
    left = normal[:, 1] * turned[:, 0] - normal[:, 0] * turned[:, 1]
    for number, (value, sign) in enumerate(((forward, 1), (left, 1), (forward, -1), (left, -1))):
        np.testing.assert_allclose(sign * value[met & (edge == number)], 1.0)
    assert set(edge[met]) == {"disc": {-1}, "rectangle": {0, 1, 2, 3}}.get(kind, set(edge[met]))
    if kind == "rounded":
        assert set(edge[met]) == {-1, 0, 1, 2, 3}


def test_passing_a_corner_of_a_rounded_base():
    base = Bases(0.0, 0.0, width=4.0, depth=4.0, radius=1.0)
    found = first_hit(Segments(5.0, [0.5, 1.5, 2.0, -2.0], -5.0, [0.5, 1.5, 2.0, -2.0]), base)
    assert found.edge.tolist() == [0, -1, 1, 3]
    np.testing.assert_allclose(found.point[:, 0], [2.0, 1.0 + math.sqrt(0.75), 1.0, 1.0], atol=1e-12)
    np.testing.assert_allclose(found.normal[1], [math.sqrt(0.75), 0.5])


# ------------------------------------------------------------------------------ made by others


def test_reported_elsewhere():
    def crosses(ends, other):
        x0, y0, x1, y1 = other
        wall = Bases(
            0.5 * (x0 + x1), 0.5 * (y0 + y1), math.atan2(y1 - y0, x1 - x0), depth=math.hypot(x1 - x0, y1 - y0)
        )
        return first_hit(Segments(*ends), wall)

    # An end on the other segment, whichever way round either runs.
    for ends in ((585, 95, 581, 98), (581, 98, 585, 95)):
        for wall in ((585, 105, 585, 45), (585, 45, 585, 105)):
            np.testing.assert_allclose(crosses(ends, wall).point, [585, 95], atol=1e-9)
    for ends, wall, point in (
        ((2, 0, 2, 1), (1, 0, 2, 0), (2, 0)),
        ((1, 0, 2, 0), (2, 0, 2, 1), (2, 0)),
        ((0, 0, 1, 1), (0, 0, 1, -1), (0, 0)),
    ):
        np.testing.assert_allclose(crosses(ends, wall).point, point, atol=1e-9)
    # A segment without length off another, on it, and in a box.
    assert not crosses((58.05, 34.1964, 58.05, 34.1964), (56.66, 34.325, 58.184, 35.875)).hit
    assert not crosses((56.66, 34.325, 58.184, 35.875), (58.05, 34.1964, 58.05, 34.1964)).hit
    box = Polygons([[(0, 0), (2, 0), (2, 2), (0, 2)]])[0]
    assert intersects(Segments(1, 1, 1, 1), box)
    assert passes_through(Segments(1, 1, 1, 1), box)
    assert not intersects(Segments(3, 3, 3, 3), box)
    # A square in the mouth of an inverted U, an inch away: none of its sides meets it.
    mouth = Polygons([[(1, 1), (2, 1), (2, 5), (5, 5), (5, 1), (6, 1), (6, 6), (1, 6)]])
    square = Segments([3, 4, 4, 3], [3, 3, 4, 4], [4, 4, 3, 3], [3, 4, 4, 3])
    assert not intersects(square, mouth, tol=0.999).any()
    assert intersects(square, mouth, tol=1.0).tolist() == [True] * 4
    # The end of one wall lies exactly on another: nothing gets through the joint.
    walls = Polygons([[(0, 0), (6, 0), (6, 1), (0, 1)], [(3, 1), (4, 1), (4, 5), (3, 5)]])
    assert intersects(Segments(1, 3, 5, 1), walls).tolist() == [True, True]
    # Without area, nothing is inside; what is in line with a flat shape is not on it.
    thin = Polygons([[(0, 0), (4, 0), (4, 1e-7)]])
    assert intersects(Segments([1, 5, 1], [-1, 0, 0], [1, 6, 3], [1, 0, 0]), thin).tolist() == [
        True,
        False,
        True,
    ]
    assert not passes_through(Segments([1, 5, 1], [-1, 0, 0], [1, 6, 3], [1, 0, 0]), thin).any()


# ------------------------------------------------------------------------------ laws


def star(rng, n):
    """A polygon with notches round the origin."""
    angles = np.sort(rng.uniform(0.0, math.tau, n) / n + np.arange(n) * math.tau / n)
    radii = rng.uniform(0.7, 2.5, n)
    return np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1)


def stars(seed, count=12):
    rng = np.random.default_rng(seed)
    return [star(rng, n) for n in rng.integers(5, 20, count)]


def test_random_ones_as_shapely_says():
    rng = np.random.default_rng(3)
    holed = shapely.Polygon(star(rng, 12) + 0.1, [0.4 * star(rng, 7)[::-1] / 2.5])
    polygons = Polygons([*stars(2), holed])
    shapes = polygons.to_shapely()
    segments = random_segments(rng, 3000)
    lines = segments.to_shapely()[:, None]
    np.testing.assert_array_equal(intersects(segments[:, None], polygons), shapely.intersects(lines, shapes))
    deep = passes_through(segments[:, None], polygons, tol=0.2)
    # What is deep enough is bounded by chords round reflex vertices.
    inner, outer = (shapely.buffer(shapes, -depth, quad_segs=64) for depth in (0.2 * 1.17, 0.2 - 1e-4))
    assert (shapely.intersects(lines, inner) <= deep).all()
    assert (deep <= shapely.intersects(lines, outer)).all()
    wide = intersects(segments[:, None], polygons, tol=0.3)
    np.testing.assert_array_equal(wide, shapely.distance(lines, shapes) <= 0.3)
    hits = first_hit(segments[:, None], polygons)
    np.testing.assert_array_equal(hits.hit, intersects(segments[:, None], polygons))
    common = shapely.intersection(lines, shapes)
    first = shapely.distance(shapely.points(segments.x0, segments.y0)[:, None], common)
    np.testing.assert_allclose(
        (hits.fraction * segments.length[:, None])[hits.hit], first[hits.hit], atol=1e-9
    )


def test_other_end_first():
    rng = np.random.default_rng(4)
    segments = random_segments(rng, 4000)
    back = Segments(segments.x1, segments.y1, segments.x0, segments.y0)
    for shapes in (Polygons(stars(5)), random_bases(rng, 12, "mixed")):
        for question in (intersects, passes_through):
            np.testing.assert_array_equal(
                question(segments[:, None], shapes), question(back[:, None], shapes)
            )


@pytest.mark.parametrize("name", ["hole", "star", "notch"])
def test_along_the_seams_of_a_polygon(name):
    shape = as_polygon(SHAPES[name])
    for turn, x, y in ((0.0, 0.0, 0.0), (0.4, 30.0, -20.0), (2.9, 1000.0, 999.0)):
        c, s = math.cos(turn), math.sin(turn)
        polygons = Polygons([shapely.affinity.affine_transform(shape, [c, -s, s, c, x, y])])
        pieces = polygons._made(whole, 0.0).pieces
        rings = [part.T for part in np.split(pieces.corners, pieces.starts[1:-1], axis=1)]
        outline = {tuple(edge) for edge in polygons._table.outline.T}
        seams = [
            (*ring[i - 1], *ring[i])
            for ring in rings
            for i in range(len(ring))
            if (*ring[i - 1], *ring[i]) not in outline
        ]
        assert seams
        x0, y0, x1, y1 = np.array(seams).T
        inner = Segments(0.7 * x0 + 0.3 * x1, 0.7 * y0 + 0.3 * y1, 0.3 * x0 + 0.7 * x1, 0.3 * y0 + 0.7 * y1)
        for segments in (Segments(x0, y0, x1, y1), inner, Segments(inner.x0, inner.y0, inner.x0, inner.y0)):
            for tol in (1e-6, 0.0):
                assert passes_through(segments, polygons, tol=tol).all()
                assert intersects(segments, polygons, tol=tol).all()


def test_touching_with_no_tolerance():
    square = Polygons([[(0, 0), (4, 0), (4, 4), (0, 4)]])
    touching = Segments([0, -2, 4, 2, 0, 0], [0, 2, 1, 0, 4, 0], [4, 2, 4, 2, 4, 0], [0, -2, 3, -3, 4, 4])
    assert intersects(touching, square, tol=0.0).all()
    assert not passes_through(touching, square, tol=0.0).any()


@pytest.mark.parametrize("off", [1e-7, -1e-7, 1e-5, -1e-5])
def test_flush_with_an_edge_on_a_turned_table(off):
    rng = np.random.default_rng(6)
    outlines = stars(7)
    ends, polygons, lengths = [], [], []
    for outline in outlines:
        turn, (x, y) = rng.uniform(0, math.tau), rng.uniform(-1000, 1000, 2)
        c, s = math.cos(turn), math.sin(turn)
        k = int(np.argmax(np.hypot(*outline.T)))  # convex here: nothing else is near
        a, b = outline[k], outline[(k + 1) % len(outline)]
        out = np.array([b[1] - a[1], a[0] - b[0]]) / np.hypot(*(b - a))
        p, q = a + off * out, a + 0.3 * (b - a) + off * out
        put = np.array([[c, s], [-s, c]])
        ends.append(np.concatenate([p @ put + (x, y), q @ put + (x, y)]))
        polygons.append(outline @ put + (x, y))
        lengths.append(np.hypot(*(b - a)))
    segments = Segments(*np.array(ends).T)
    assert (intersects(segments, Polygons(polygons)) == (off < 1e-6)).all()
    assert (passes_through(segments, Polygons(polygons)) == (off < -1e-6)).all()


# ------------------------------------------------------------------------------ arrays

QUESTIONS = (intersects, passes_through)
SHAPES_OF_ARRAYS = [
    ((), ()),
    ((7,), ()),
    ((), (7,)),
    ((7,), (7,)),
    ((5, 1), (6,)),
    ((6,), (5, 1)),
    ((4, 5), (5,)),
    ((4, 5), (4, 1)),
    ((4, 5, 1), (4, 1, 6)),
    ((4, 1, 6), (5, 6)),
    ((4, 1, 6), (4, 5, 1)),
    ((2, 1, 4, 1), (1, 3, 1, 5)),
    ((3, 0), (3, 1)),
    ((0,), ()),
]


@pytest.mark.parametrize("block", [65_536, 7])
@pytest.mark.parametrize("question", QUESTIONS)
def test_every_pattern_of_a_broadcast(question, block, monkeypatch):
    monkeypatch.setattr("ninthgeom._crossing_kernels.BLOCK", block)
    rng = np.random.default_rng(8)
    polygons = Polygons(stars(9))
    for left, right in SHAPES_OF_ARRAYS:
        segments = random_segments(rng, math.prod(left), 1.0).reshape(left)
        chosen = polygons[rng.integers(0, len(polygons), math.prod(right))].reshape(right)
        found = question(segments, chosen)
        shape = np.broadcast_shapes(left, right)
        index = [
            np.broadcast_to(np.arange(math.prod(each)).reshape(each), shape).ravel() for each in (left, right)
        ]
        pairs = zip(*index, strict=True)
        one_by_one = [question(segments.reshape(-1)[i], chosen.reshape(-1)[j]) for i, j in pairs]
        np.testing.assert_array_equal(found, np.reshape(one_by_one, shape), err_msg=f"{left} {right}")
        assert type(found) is (np.ndarray if shape else np.bool_)
        for out in (np.empty(shape, bool), np.empty((*shape, 2), bool)[..., 1]):
            assert question(segments, chosen, out=out) is out
            np.testing.assert_array_equal(out, found)
        for values, tail in zip(first_hit(segments, chosen), ((), (), (2,), (2,), ()), strict=True):
            assert np.shape(values) == shape + tail


def test_strips_of_pairs_and_any_number_of_workers():
    rng = np.random.default_rng(10)
    polygons = Polygons(stars(11, 90))
    segments = random_segments(rng, 1000, 1.0)
    few = polygons[:11]
    index = rng.integers(0, len(polygons), 300_000)
    for one, other in (
        (segments[:, None], polygons),
        (segments[rng.integers(0, 1000, 300_000)], polygons[index]),
        (segments[rng.integers(0, 1000, (40_000, 11))], few),
    ):
        for question in QUESTIONS:
            found = question(one, other)
            for workers in (2, -1):
                np.testing.assert_array_equal(question(one, other, workers=workers), found)
            shapes = np.broadcast_to(other.to_shapely(), found.shape)[-50:]
            lines = np.broadcast_to(one.to_shapely(), found.shape)[-50:]
            np.testing.assert_array_equal(found[-50:], shapely.intersects(lines, shapes))
    np.testing.assert_array_equal(
        first_hit(segments, few[0]).fraction, first_hit(segments, few[0], workers=2).fraction
    )


@pytest.mark.parametrize("question", QUESTIONS)
def test_few_close_pairs_of_many(question, monkeypatch):
    rng = np.random.default_rng(12)
    x, y = rng.uniform(0.0, 200.0, (2, 800))
    segments = random_segments(rng, 800)
    segments = Segments(segments.x0 + x, segments.y0 + y, segments.x1 + x, segments.y1 + y)
    outlines = stars(13, 20)
    polygons = Polygons([outlines[i % 20] + rng.uniform(0.0, 200.0, 2) for i in range(60)])
    bases = random_bases(rng, 60, "mixed", spread=70.0)
    for shapes in (polygons, bases):
        expected = question(segments[:, None], shapes)
        assert expected.any()
        near = question(segments[:100, None], shapes[np.zeros(60, int)])
        with monkeypatch.context() as patch:
            patch.setattr("ninthgeom._pruning.MANY", 1)
            np.testing.assert_array_equal(question(segments[:, None], shapes), expected)
            np.testing.assert_array_equal(question(segments, shapes[:, None], workers=2), expected.T)
            mixed = question(segments.reshape(20, 1, 40, 1), shapes.reshape(6, 1, 10))
            np.testing.assert_array_equal(mixed, expected.reshape(20, 40, 6, 10).transpose(0, 2, 1, 3))
            out = np.ones((800, 60, 2), bool)
            question(segments[:, None], shapes, out=out[..., 0])
            np.testing.assert_array_equal(out[..., 0], expected)
            assert out[..., 1].all()
            patch.setattr("ninthgeom._pruning.RARE", 1)  # no sample says no
            np.testing.assert_array_equal(question(segments[:100, None], shapes[np.zeros(60, int)]), near)


def test_bad_arguments():
    segments, polygons = Segments([0, 1], 0, 1, 1), Polygons(stars(1, 3))
    for question in (*QUESTIONS, first_hit):
        with pytest.raises(TypeError, match=r"^segments must be Segments, got Bases$"):
            question(Bases.point(0, 0), polygons)
        for wrong in (None, segments, [polygons]):
            with pytest.raises(TypeError, match=r"^shapes must be Bases or Polygons, got"):
                question(segments, wrong)
        for shapes in (polygons, Bases.point(np.zeros(3), 0)):
            with pytest.raises(
                ValueError, match=r"^shapes do not broadcast: segments \(2,\), shapes \(3,\)$"
            ):
                question(segments, shapes)
            with pytest.raises(ValueError, match=r"^tol must"):
                question(segments[0], shapes, tol=-1.0)
            with pytest.raises(ValueError, match=r"^workers must"):
                question(segments[0], shapes, workers=0)
    for question in QUESTIONS:
        with pytest.raises(TypeError, match=r"^out must have dtype bool, got uint8$"):
            question(segments[0], polygons, out=np.empty(3, np.uint8))


def test_no_polygons_and_no_segments():
    none = Polygons([])
    assert intersects(Segments(0, 0, 1, 1), none).shape == (0,)
    assert first_hit(Segments(np.zeros((4, 1)), 0, 1, 1), none).point.shape == (4, 0, 2)
    assert passes_through(Segments([], [], [], []), Polygons(stars(1, 1))).shape == (0,)
