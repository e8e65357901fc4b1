"""Polygons that are not convex, within the tolerance of the lines on which they are cut into pieces."""

import math

import numpy as np
import pytest
import shapely
from shapely.affinity import affine_transform

from ninthgeom import (
    Bases,
    Polygons,
    Segments,
    distance,
    first_hit,
    in_contact,
    interiors_meet,
    intersects,
    passes_through,
    relation,
    shortest_line,
    wholly_within,
    within,
)
from ninthgeom._polygon_table import whole
from tests.reference.polygon_reference import NAMED

# Edges in one line beside a doorway and of the mouth of a U, an edge that a seam goes on from, halls
# that a corridor joins, a pentagram, whose edges almost go on in each other.
ROOMS = [(0, 0), (30, 0), (30, 4), (8, 4), (8, 5), (10, 5), (10, 9), (0, 9), (0, 5), (2, 5), (2, 4), (0, 4)]
HALL = [
    (0, 0),
    (5, 0),
    (5, 1.8),
    (9, 1.8),
    (9, 0),
    (40, 0),
    (40, 4),
    (9, 4),
    (9, 2.2),
    (5, 2.2),
    (5, 4),
    (0, 4),
]
ANGLES = np.pi * np.arange(10) / 5
SHAPES = {name: outline.to_shapely() for name, outline in NAMED.items()} | {
    name: shapely.Polygon(ring)
    for name, ring in {
        "rooms": ROOMS,
        "U of thin walls": [(0, 0), (20, 0), (20, 20), (18, 20), (18, 2), (2, 2), (2, 20), (0, 20)],
        "goes on": [(4, 3), (4, 2.5), (4, 2), (3.5, 1), (4, 1), (5, 1)],
        "corridor": HALL,
        "pentagram": np.array([6.0, 2.2918] * 5)[:, None]
        * np.stack([np.cos(ANGLES), np.sin(ANGLES)], axis=1),
    }.items()
}
TOLERANCES = [1e-6, 1e-3, 0.05]
#: How much further than tol from a reflex vertex what is deep enough may begin.
CHORD = 1.16


def turned(shape, turn, x, y):
    cos, sin = math.cos(turn), math.sin(turn)
    return affine_transform(shape, [cos, -sin, sin, cos, x, y])


def beside_lines(shape, tol):
    """Points on and a part of tol beside every line between two vertices, shape (n, 2)."""
    rings = [np.asarray(line.coords)[:-1] for line in (shape.exterior, *shape.interiors)]
    vertices = np.concatenate(rings)
    i, j = np.triu_indices(len(vertices), 1)
    start, way = vertices[i], vertices[j] - vertices[i]
    length = np.hypot(*way.T)
    start, way, length = start[length > 0], way[length > 0], length[length > 0]
    normal = np.stack([-way[:, 1], way[:, 0]], axis=1) / length[:, None]
    shares = np.array([-0.1, 0.02, 0.31, 0.5, 0.77, 0.99, 1.2])
    offs = tol * np.array([-1.7, -0.9, -0.5, -0.3, -0.005, 0.0, 0.01, 0.35, 0.7, 1.4])
    points = (
        start[:, None, None]
        + way[:, None, None] * shares[:, None, None]
        + normal[:, None, None] * offs[:, None]
    )
    return points.reshape(-1, 2)


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("turn", [0.0, 0.7])
@pytest.mark.parametrize("name", SHAPES)
def test_points(name, turn, tol):
    shape = turned(SHAPES[name], turn, 3.0, -7.0)
    polygon = Polygons([shape])[0]
    points = beside_lines(shape, tol)
    where = shapely.points(points)
    off = shapely.distance(shape.boundary, where)
    depth = np.where(shapely.covers(shape, where), off, -off)
    bases = Bases.point(*points.T)
    is_deep, is_not = depth > CHORD * tol + 1e-9, depth < tol - 1e-9
    for found in (
        interiors_meet(bases, polygon, tol=tol),
        passes_through(Segments(*points.T, *points.T), polygon, tol=tol),
        relation(bases, polygon, tol=tol) == 4,
    ):
        assert found[is_deep].all()
        assert not found[is_not].any()
    found = wholly_within(bases, polygon, tol=tol)
    assert found[depth > -tol + 1e-9].all()
    assert not found[depth < -CHORD * tol - 1e-9].any()


@pytest.mark.parametrize("tol", TOLERANCES)
@pytest.mark.parametrize("name", SHAPES)
def test_short_segments(name, tol):
    """So short that the depth in their middle is about what counts."""
    shape = turned(SHAPES[name], 2.0, -300.0, 40.0)
    polygon = Polygons([shape])[0]
    points = beside_lines(shape, tol)
    rng = np.random.default_rng(1)
    angle = rng.uniform(-math.pi, math.pi, len(points))
    way = 0.1 * tol * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    ends = np.stack([points - way, points + way])
    where = shapely.points(ends)
    off = shapely.distance(shape.boundary, where)
    depth = np.where(shapely.covers(shape, where), off, -off)
    segments = Segments(*ends[0].T, *ends[1].T)
    bases = Bases.rect(*points.T, angle, width=0.0, depth=0.2 * tol)
    least, most = depth.max(axis=0) - 1e-9, depth.max(axis=0) + 0.2 * tol
    for found in (passes_through(segments, polygon, tol=tol), interiors_meet(bases, polygon, tol=tol)):
        assert found[least > CHORD * tol].all()
        assert not found[most < tol].any()


@pytest.mark.parametrize("tol", [0.6, 1.5, 3.0])
def test_being_inside_with_tolerances_as_large_as_shapes(tol):
    rng = np.random.default_rng(2)
    for name in ("U of thin walls", "rooms", "ring"):
        points = rng.uniform(-8.0, 40.0, (3000, 2))
        off = shapely.distance(SHAPES[name], shapely.points(points))
        found = wholly_within(Bases.point(*points.T), Polygons([SHAPES[name]])[0], tol=tol)
        assert found[off < tol - 1e-9].all()
        assert not found[off > CHORD * tol + 1e-9].any()


def test_a_turned_rectangle_that_only_touches():
    """Vertices are in line through the polygon: where they are, triangulation leaves pieces of no width."""
    outline = [
        (5, -2), (6, -2), (6.5, -3), (7, -3), (7, -2), (7, -1), (6, -1), (5, -1),
        (5, 0), (4, 0), (3, 0), (3, -1), (4, -1), (4, -1.5), (4, -2), (4, -3),
    ]  # fmt: skip
    turn = np.append(np.linspace(0.0, 6.28, 500), 3.457)
    polygons = Polygons([turned(shapely.Polygon(outline), angle, 0.0, 0.0) for angle in turn.tolist()])
    x, y = 5.5 * np.cos(turn) + 3.0 * np.sin(turn), 5.5 * np.sin(turn) - 3.0 * np.cos(turn)
    assert (relation(Bases.rect(x, y, turn, width=2.0, depth=1.0), polygons) == 2).all()


def test_a_start_level_with_a_vertex():
    rng = np.random.default_rng(3)
    rings = [ring for ring in rng.integers(-9, 10, (3000, 3, 2)) / 100.0 if shapely.Polygon(ring).area > 1e-5]
    polygons = Polygons(rings)
    x, y = np.full(len(rings), -0.3), np.array(rings)[:, 0, 1]
    hit = first_hit(Segments(x, y, x + 0.6, y), polygons)
    assert hit.hit.all()
    assert (hit.edge >= 0).all()
    lines = Segments(x, y, x + 0.6, y).to_shapely()
    nearest = shapely.bounds(shapely.intersection(lines, polygons.to_shapely()))[:, 0]
    np.testing.assert_allclose(x + 0.6 * hit.fraction, nearest, atol=1e-6)


@pytest.mark.parametrize(
    "ring", [[(0, 0), (3, 0), (3, 1), (0, 1)], [(0, 0), (1, 0), (2, 0), (3, 0), (3, 1), (0, 1)]]
)
def test_along_an_edge_of_a_turned_polygon(ring):
    turn = np.linspace(0.0, 6.28, 3000)
    polygons = Polygons([turned(shapely.Polygon(ring), angle, 0.0, 0.0) for angle in turn.tolist()])
    cos, sin = np.cos(turn), np.sin(turn)
    hit = first_hit(Segments(-7.0 * cos, -7.0 * sin, 8.0 * cos, 8.0 * sin), polygons)
    np.testing.assert_allclose(15.0 * hit.fraction, 7.0, atol=1e-6)
    bases = Bases.rect(1.5 * cos - 0.5 * sin, 1.5 * sin + 0.5 * cos, turn, width=1.0, depth=3.0)
    hit = first_hit(Segments(-7.0 * cos, -7.0 * sin, 8.0 * cos, 8.0 * sin), bases)
    np.testing.assert_allclose(15.0 * hit.fraction, 7.0, atol=1e-6)


# ------------------------------------------------ outlines with details as small as the tolerance


def random_star(rng, n, low, high):
    angle, radius = np.sort(rng.uniform(0.0, 2.0 * np.pi, n)), rng.uniform(low, high, n)
    return radius[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def check_points(shape, points, tol):
    """Compare what is deep inside and what is far outside with shapely; rounding of 2e-9 is allowed."""
    polygon = Polygons([shape])[0]
    where = shapely.points(points)
    off = shapely.distance(shape.boundary, where)
    depth = np.where(shapely.covers(shape, where), off, -off)
    bases = Bases.point(*points.T)
    for found in (
        interiors_meet(bases, polygon, tol=tol),
        passes_through(Segments(*points.T, *points.T), polygon, tol=tol),
        relation(bases, polygon, tol=tol) == 4,
    ):
        assert found[depth > CHORD * tol + 2e-9].all()
        assert not found[depth < tol - 2e-9].any()
    found = wholly_within(bases, polygon, tol=tol)
    assert found[depth > -tol + 2e-9].all()
    assert not found[depth < -CHORD * tol - 2e-9].any()


@pytest.mark.parametrize("size", [3e-9, 3e-8, 3e-7, 1e-6])
def test_vertices_nearer_than_the_tolerance(size):
    rng = np.random.default_rng(int(size * 1e9))
    for _ in range(20):
        ring = random_star(rng, rng.integers(4, 9), 1.0, 5.0)
        k = rng.integers(len(ring))
        shape = shapely.Polygon(np.insert(ring, k, ring[k - 1] + rng.normal(0.0, size, 2), axis=0))
        if shape.is_valid:
            check_points(shape, ring[k - 1] + rng.uniform(-2.2e-6, 2.2e-6, (400, 2)), 1e-6)


@pytest.mark.parametrize("tol", [1e-6, 0.3, 1.0])
@pytest.mark.parametrize("share", [-0.9, -0.1, -0.01, 0.01, 0.1, 0.5, 0.9])
def test_steps_lower_than_the_tolerance(share, tol):
    rng = np.random.default_rng(5)
    h = share * tol
    step = [(0, 0), (10, 0), (10, 5), (7, 5), (7, 5 + h), (3, 5 + h), (3, 5), (0, 5)]
    points = np.stack([rng.uniform(0.0, 10.0, 600), 5.0 + rng.uniform(-2.5, 2.5, 600) * tol], axis=1)
    for turn in (0.0, 0.4, 2.0):
        at = turned(shapely.MultiPoint(points), turn, 1.0, 2.0)
        check_points(turned(shapely.Polygon(step), turn, 1.0, 2.0), shapely.get_coordinates(at), tol)


@pytest.mark.parametrize("tol", [0.05, 0.3, 1.0])
def test_tolerances_as_large_as_edges(tol):
    rng = np.random.default_rng(6)
    for n in (8, 12, 60):
        for _ in range(8):
            shape = shapely.Polygon(random_star(rng, n, 1.0, 4.0))
            if shape.is_valid:
                check_points(shape, rng.uniform(-5.0, 5.0, (1000, 2)), tol)


def test_a_hole_with_a_vertex_on_an_edge():
    hole, square = [(5, 3), (10, 5), (5, 7)], [(0, 0), (10, 0), (10, 10), (0, 10)]
    turns = [0.548, *np.linspace(0.0, 6.28, 400).tolist()]
    shapes = [turned(shapely.Polygon(square, [hole]), turn, 0.0, 0.0) for turn in turns]
    is_valid = shapely.is_valid(shapes)  # rounding may put the vertex outside
    assert is_valid.sum() > 100
    polygons, turn = Polygons(np.array(shapes)[is_valid]), np.array(turns)[is_valid]
    cos, sin = np.cos(turn), np.sin(turn)
    beside = Bases.rect(11.0 * cos - 3.0 * sin, 11.0 * sin + 3.0 * cos, turn, width=2.0, depth=2.0)
    assert (relation(beside, polygons) == 2).all()
    along = Segments(10 * cos - sin, 10 * sin + cos, 10 * cos - 4.5 * sin, 10 * sin + 4.5 * cos)
    assert not passes_through(along, polygons).any()


@pytest.mark.parametrize("width", [1e-8, 1e-9, 4e-10, 1e-12])
def test_needles_narrower_than_rounding_are_there(width):
    needle = [(0, -1), (2, -1), (2, -width), (8, 0), (2, width), (2, 1), (0, 1)]
    bent = [(0, 0), (5, 0), (5, 5), (5 - width, 5), (5 - width, width), (0, width)]
    rng = np.random.default_rng(7)
    x, y = rng.uniform(-2.0, 10.0, (2, 300))
    x[:3], y[:3] = (5.0, 7.0, 9.0), (6.0, 5.0, 0.0)
    for turn in (0.0, 1.0):
        shapes = [turned(shapely.Polygon(ring), turn, 0.0, 0.0) for ring in (needle, bent)]
        polygons = Polygons(shapes)
        for points in (Bases.point(x, y), Bases.rect(x, y, x, width=0.4, depth=0.3)):
            expected = shapely.distance(points.to_shapely()[:, None], shapes)
            np.testing.assert_allclose(distance(points[:, None], polygons), expected, rtol=0.0, atol=1e-9)
            line = shortest_line(points[:, None], polygons)
            length = np.hypot(line[..., 2] - line[..., 0], line[..., 3] - line[..., 1])
            np.testing.assert_allclose(length, expected, rtol=0.0, atol=1e-9)
        segments = Segments(x, y, x[::-1], y[::-1])
        meet = shapely.distance(segments.to_shapely()[:, None], shapes) <= 1e-6
        np.testing.assert_array_equal(intersects(segments[:, None], polygons), meet)
        assert (wholly_within(polygons, Bases.rect(0.0, 0.0, width=99.0, depth=99.0))).all()


@pytest.mark.parametrize("name", SHAPES)
def test_without_a_tolerance_seams_are_inside(name):
    points = []
    for piece in Polygons([turned(SHAPES[name], 0.7, 3.0, -7.0)])._made(whole, 0.0).rings[0]:
        start, way = piece, np.roll(piece, -1, axis=0) - piece
        points.append(start + np.linspace(0.0, 1.0, 60)[:, None, None] * way)
    points = np.concatenate([at.reshape(-1, 2) for at in points])
    shape = turned(SHAPES[name], 0.7, 3.0, -7.0)
    where = shapely.points(points)
    inside = points[shapely.covers(shape, where) & (shapely.distance(shape.boundary, where) > 1e-6)]
    bases, polygon = Bases.point(*inside.T), Polygons([shape])[0]
    assert in_contact(bases, polygon, tol=0.0).all()
    assert within(bases, polygon, 0.0, tol=0.0).all()
    assert (distance(bases, polygon, tol=0.0) == 0.0).all()
    assert (relation(bases, polygon, tol=0.0) == 4).all()
    lines = shortest_line(bases, polygon, tol=0.0)
    np.testing.assert_array_equal(lines[:, :2], lines[:, 2:])


# Seams that almost go on in an edge; vertices 1e-13 to 1e-9 apart; holes as small as rounding.
FOUND = {
    "seam in line with an edge": [
        (-330.3401497, 219.2571441), (-330.3287162, 219.2478514), (-330.3031776, 219.2442334),
        (-330.3058494, 219.2292661), (-330.2917442, 219.2349407), (-329.7237597, 218.7561647),
        (-329.5991737, 217.6790806),
    ],
    "vertices as near as rounding": [
        (6.75279559687, 1.69115880924), (6.75279559688, 2.03305999096), (6.64796459316, 2.03305999096),
        (6.13030673487, 1.57031004993), (6.13030673507, 1.57031004953), (3.80174640718, 2.0330599912),
        (3.80174640718, 2.03305999096), (3.67818404095, 2.03305999096), (3.67818404095, 0.89437555701),
        (3.67818404095, 0.89437555575), (1.84855020895, 0),
    ],
    "four vertices in a row": [
        (951.6744281562, 684.7015991181), (951.6744281566, 684.7015991183), (951.674428157, 684.7015991183),
        (951.6744281573, 684.7015991185), (950.7774494326, 681.7779730532), (950.5903739768, 682.2595633285),
        (950.0782960815, 683.5778107365),
    ],
    "a corner of rounding": [
        (15.452371507085495, 6.547628492914505), (15.452371507758446, 6.547628492482677),
        (15.452371508190273, 6.547628491809726), (16, 6), (6.0000000004548255, 12.000000000454826),
    ],
    "a step at a tip": [
        (-991.7415438211394, -136.452553857653), (-992.293449545859, -135.98837936423035),
        (-992.1266168533632, -135.79001448410236), (-992.1266165967781, -135.79001417902148),
        (-992.1266157136237, -135.79001309871268), (-989.9975107404383, -137.9193545069403),
    ],
    "a slit": [
        (3.094709563135898, 4.89038042485377e-7), (1.3831133872951507, 3.125899914043369),
        (1.3831089338005929, 3.125899914043369), (1.3831078204269536, 3.1258900109651506),
        (1.383106707053314, 3.125899914043369), (1.1266670310319182, 3.1258900109651506),
    ],
    "a notch of rounding": [
        (5, 0), (9, 0.51438004685817), (8.999999247205675, 0.51438010123793), (9, 0.5143801556176901), (9, 4),
    ],
}  # fmt: skip


@pytest.mark.parametrize("tol", [1e-6, 1e-3, 0.05])
@pytest.mark.parametrize("name", FOUND)
def test_outlines_in_which_rounding_once_won(name, tol):
    shape = shapely.Polygon(FOUND[name])
    vertices = np.array(FOUND[name])
    rng = np.random.default_rng(8)
    near = vertices[rng.integers(len(vertices), size=600)] + rng.normal(0.0, tol, (600, 2))
    low_x, low_y, high_x, high_y = shape.bounds
    anywhere = np.stack([rng.uniform(low_x, high_x, 400), rng.uniform(low_y, high_y, 400)], axis=1)
    points = np.concatenate([vertices, near, anywhere])
    check_points(shape, points, tol)
    bases, polygon = Bases.point(*points.T), Polygons([shape])[0]
    expected = shapely.distance(shape, shapely.points(points))
    found = np.where(abs(expected - 1e-6) > 2e-9, distance(bases, polygon), 0.0)
    np.testing.assert_allclose(found, np.where(expected > 1.002e-6, expected, 0.0), rtol=0.0, atol=2e-9)
    # Without a tolerance, what is deeper than a few rounding errors counts.
    depth = np.where(expected == 0.0, shapely.distance(shape.boundary, shapely.points(points)), -expected)
    assert wholly_within(bases, polygon, tol=1e-8)[depth > 0.0].all()
    for found in (
        passes_through(Segments(*points.T, *points.T), polygon, tol=0.0),
        interiors_meet(bases, polygon, tol=0.0),
        relation(bases, polygon, tol=0.0) == 4,
    ):
        assert found[depth > 1e-8].all()
        assert not found[depth < -1e-9].any()


def test_a_hole_as_small_as_rounding():
    hole = [
        (3.1516438837167324e-10, 0.739973325948001),
        (4.87124266331398e-10, 0.739973325932538),
        (3.9697963812542464e-10, 0.7399733259647228),
    ]
    shape = shapely.Polygon([(4, 3), (0, 3), (0, 5.863626062192682e-9)], [hole])
    points = np.random.default_rng(9).uniform(-1.0, 4.0, (500, 2))
    expected = shapely.distance(shape, shapely.points(points))
    np.testing.assert_allclose(distance(Bases.point(*points.T), Polygons([shape])), expected, atol=1e-8)


def test_no_vertex_is_deep():
    rng = np.random.default_rng(10)
    for _ in range(300):
        ring = random_star(rng, rng.integers(5, 12), 0.5, 5.0) + rng.uniform(-300.0, 300.0, 2)
        shape = shapely.Polygon(ring)
        if shape.is_valid:
            angle = rng.uniform(-math.pi, math.pi, (20, len(ring)))
            for tol in (1e-6, 1e-3):
                end = ring + 0.9 * tol * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
                segments = Segments(*ring.T, *np.moveaxis(end, -1, 0))
                assert not passes_through(segments, Polygons([shape])[0], tol=tol).any()
            assert wholly_within(Bases.point(*ring.T), Polygons([shape])[0]).all()
