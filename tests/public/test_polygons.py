"""Polygons: checks, convex pieces, and the parts of them deeper than a tolerance."""

import itertools
import math
import pickle
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import shapely
import shapely.affinity

from ninthgeom import (
    Bases,
    Polygons,
    Relation,
    Segments,
    distance,
    first_hit,
    interiors_meet,
    intersects,
    passes_through,
    relation,
    wholly_within,
    within,
)
from ninthgeom._pieces import Pieces
from ninthgeom._polygon_table import KEPT, eroded, outside, whole
from ninthgeom._sight_shapes import Outlines, blocking

L_SHAPE = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
RING = shapely.Polygon([(0, 0), (6, 0), (6, 6), (0, 6)], holes=[[(2, 2), (4, 2), (4, 4), (2, 4)]])


def gear(n: int) -> list[tuple[float, float]]:
    """Outline of n vertices with a notch at every second one."""
    angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
    radii = np.where(np.arange(n) % 2, 5.0, 4.0)
    return list(zip(radii * np.cos(angles), radii * np.sin(angles), strict=True))


# Two holes, one of them touching the outline in a vertex; and a fan of seams at a reflex vertex.
TOUCHED = shapely.Polygon(
    [(0, 0), (8, 0), (8, 8), (0, 8)], [[(0, 4), (2, 3), (2, 5)], [(5, 5), (6, 5), (6, 6), (5, 6)]]
)
FAN = [(0, 0), (4, -6), (8, 0), (6, 5), (-2, 6), (-6, 2), (-5, -3)]
# Edges in one line on both sides of a doorway and of the mouth of a U; lines that go on inside; nearly so.
ROOMS = [(0, 0), (30, 0), (30, 4), (8, 4), (8, 5), (10, 5), (10, 9), (0, 9), (0, 5), (2, 5), (2, 4), (0, 4)]
U_SHAPE = [(0, 0), (20, 0), (20, 20), (18, 20), (18, 2), (2, 2), (2, 20), (0, 20)]
GOES_ON = [(4, 3), (4, 2.5), (4, 2), (3.5, 1), (4, 1), (5, 1)]
PENTAGRAM = [
    (r * math.cos(math.pi * i / 5), r * math.sin(math.pi * i / 5)) for i, r in enumerate([6.0, 2.2918] * 5)
]
OUTLINES = [L_SHAPE, RING, gear(24), TOUCHED, FAN, ROOMS, U_SHAPE, GOES_ON, PENTAGRAM]


def pieces_of(polygons: Polygons) -> list[shapely.Polygon]:
    return shapes_of(polygons._made(whole, 0.0).pieces)


def shapes_of(pieces: Pieces) -> list[shapely.Polygon]:
    return [shapely.Polygon(pieces.corners[:, a:b].T) for a, b in itertools.pairwise(pieces.starts.tolist())]


@pytest.mark.parametrize("outline", [*OUTLINES, L_SHAPE[::-1], [*L_SHAPE, L_SHAPE[0]]])
def test_pieces_are_convex_and_make_the_polygon(outline) -> None:
    polygons = Polygons([outline])
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    pieces = pieces_of(polygons)
    assert all(piece.exterior.is_ccw and piece.convex_hull.area - piece.area < 1e-12 for piece in pieces)
    assert sum(piece.area for piece in pieces) == pytest.approx(shape.area, rel=1e-12)
    assert shapely.symmetric_difference(shapely.union_all(pieces), shape).area < 1e-9
    assert polygons.area[0] == pytest.approx(shape.area)
    assert polygons.bounds[0].tolist() == list(shape.bounds)


def test_seams_that_no_corner_needs_are_taken_out() -> None:
    assert [len(Polygons([L_SHAPE, FAN, RING])._table.convex(i)) for i in range(3)] == [2, 2, 4]
    assert len(Polygons([gear(24)])._table.convex(0)) == 13


@pytest.mark.parametrize("outline", OUTLINES)
def test_eroded_pieces_make_the_polygon_without_its_rim(outline) -> None:
    tol = 0.01
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    union = shapely.union_all(shapes_of(Polygons([outline])._made(eroded, tol).pieces))
    # At a reflex vertex chords stand for the arc, at most 16 % further out.
    assert shape.buffer(-1.16 * tol, quad_segs=64).difference(union.buffer(1e-9)).area < 1e-9
    assert union.difference(shape.buffer(-0.9 * tol, quad_segs=64)).area < 1e-9


@pytest.mark.parametrize("outline", OUTLINES)
def test_pieces_outside_make_the_rest_of_a_box(outline) -> None:
    tol = 0.01
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    box = shapely.box(*shape.bounds).buffer(0.5, join_style="mitre")
    # Near by only: a buffer of 1e-9 round what reaches millions of inches out is rounding.
    parts = shapely.intersection(shapes_of(Polygons([outline])._made(outside, tol).pieces), box)
    union = shapely.union_all(parts)
    rest = box.difference(shape.buffer(1.16 * tol, quad_segs=64))
    assert rest.difference(union.buffer(1e-9)).area < 1e-9
    assert union.intersection(shape.buffer(0.9 * tol, quad_segs=64)).area < 1e-9


@pytest.mark.parametrize("outline", [L_SHAPE, RING, gear(24), TOUCHED, FAN])
def test_what_blocks_sight_is_deep_enough_and_has_no_slits(outline) -> None:
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    polygons = Polygons([outline])
    tol = 0.01
    assert blocking(polygons._table, 0, tol) is not polygons._table.convex(0)
    outlines = Outlines.of([polygons], "clear", tol)
    rings = [ring.T for ring in outlines.parts.vertices[0]]
    n_parts = len(rings) - outlines.n_seams
    parts = shapely.union_all([shapely.Polygon(ring) for ring in rings[:n_parts]])
    # chords at reflex vertices reach a little further
    assert shape.buffer(-1.16 * tol, quad_segs=64).difference(parts.buffer(1e-9)).area < 1e-9
    assert parts.difference(shape.buffer(-tol + 1e-9, quad_segs=64)).area < 1e-9
    # where two parts meet along an edge, a bridge lies across it, and none reaches far beyond what is deep
    seams = shapely.union_all([shapely.Polygon(ring) for ring in rings[n_parts:]])
    for one, other in itertools.combinations([shapely.Polygon(ring) for ring in rings[:n_parts]], 2):
        edge = shapely.intersection(one.buffer(2e-9), other.buffer(2e-9))
        if edge.length > 1e-3:
            assert edge.buffer(0.1 * tol).difference(seams.buffer(0.2 * tol)).area < 1e-9
    assert seams.difference(shape.buffer(-0.7 * tol)).area < 1e-9
    assert (n_parts > 1) == (outlines.n_seams > 0)


def test_thin_polygon_keeps_its_corners_and_is_marked() -> None:
    sliver = [(0, 0), (5, 0), (5, 1e-7), (0, 1e-7)]
    table = Polygons([sliver])._table
    assert blocking(table, 0, 1e-6) is table.convex(0)
    assert eroded(table, 0, 1e-6) == []


def test_pieces_are_made_once_for_a_tolerance() -> None:
    polygons = Polygons([gear(100)])
    for make in (whole, eroded, outside, blocking):
        made, other = (polygons._made(make, tol) for tol in (1e-6, 1e-5))
        assert made is polygons._made(make, 1e-6) is not other
        assert made.derived(id) == id(made)
    for tol in np.linspace(0.1, 0.2, 50):
        polygons._made(whole, float(tol))
    assert len(polygons._table._made) == KEPT


def test_pieces_are_made_of_the_polygons_asked_for() -> None:
    polygons = Polygons([gear(12 + i) for i in range(20)])
    made = polygons[[3, 5]]._made(eroded, 1e-6)
    assert (
        np.flatnonzero(made.is_made).tolist() == np.flatnonzero(np.diff(made.pieces.first)).tolist() == [3, 5]
    )
    assert polygons[5]._made(eroded, 1e-6) is made
    everything = polygons[4]._made(eroded, 1e-6)
    assert everything.is_made.all()
    assert everything.rings[3] is made.rings[3]
    assert polygons[4:]._made(eroded, 1e-6) is everything
    ends = -9.0, [0.0, 9.0], 9.0, [1.0, 9.0]
    for one in polygons:
        again = Polygons([one.to_shapely()])[0]
        assert (passes_through(Segments(*ends), one) == passes_through(Segments(*ends), again)).all()


@pytest.mark.parametrize(
    ("outline", "error", "message"),
    [
        ([(0, 0), (1, 0)], ValueError, r"rings\[1\]: needs at least 3 distinct vertices, got 2"),
        ([(0, 0), (2, 2), (2, 0), (0, 2)], ValueError, r"rings\[1\]: crosses or touches itself"),
        ([(0, 0), (1, 0), (math.nan, 1)], ValueError, r"rings\[1\]\[2\]\[0\]: must be finite"),
        ([(0, 0), (1, 1), (2, 2)], ValueError, r"rings\[1\]: has no area"),
        (None, TypeError, r"rings\[1\]: must hold real numbers, got NoneType"),
        (
            shapely.Polygon([(0, 0), (4, 0), (4, 4), (0, 4)], [[(1, 1), (5, 1), (2, 2)]]),
            ValueError,
            r"rings\[1\]: has holes that cross, touch or leave the outline",
        ),
        ([(0, 0), (1, 0), (1, 1e7)], ValueError, r"rings\[1\]\[2\]\[1\]: must be from"),
        ([(0, 0, 0), (1, 0, 0), (1, 1, 0)], ValueError, r"rings\[1\]: must have shape \(n, 2\)"),
        ([(0, 0), (1, 0), (1, 0), (1, 1)], ValueError, r"rings\[1\]\[2\]: repeats the vertex"),
        ([("a", "b"), ("c", "d"), ("e", "f")], TypeError, r"rings\[1\]: must hold real numbers"),
    ],
)
def test_refused(outline, error, message) -> None:
    with pytest.raises(error, match=message):
        Polygons([L_SHAPE, outline])


def test_array_behaviour() -> None:
    polygons = Polygons([L_SHAPE, gear(12), RING])
    assert len(polygons) == polygons.size == 3
    assert polygons.shape == (3,)
    assert polygons[1:] == Polygons([gear(12), RING])
    assert polygons[-1:] == Polygons([RING])
    assert polygons[[2, 0]] == Polygons([RING, L_SHAPE])
    assert polygons[np.array([True, False, False])] == Polygons([L_SHAPE])
    assert [one.shape for one in polygons] == [(), (), ()]
    assert hash(polygons[:1]) == hash(Polygons([L_SHAPE]))
    assert polygons != "polygons"
    assert Polygons([]).bounds.shape == (0, 4)
    assert Polygons(polygons.to_shapely()) == polygons


def test_arrays_of_any_shape() -> None:
    polygons = Polygons([L_SHAPE, gear(12), RING, FAN])
    square = polygons.reshape(2, 2)
    assert square.shape == polygons.reshape((2, -1)).shape == (2, 2)
    assert square.ndim == 2
    assert square[:, None].shape == (2, 1, 2)
    assert square[1] == polygons[2:]
    assert square[1, 0] == polygons[2] != polygons[2:3]
    assert square.area.tolist() == polygons.area.reshape(2, 2).tolist()
    assert square.bounds.shape == (2, 2, 4)
    assert square.to_shapely()[1, 0] == polygons[2].to_shapely()
    assert pickle.loads(pickle.dumps(square)) == square
    assert square != polygons
    with pytest.raises(TypeError, match="a single polygon has no length"):
        len(polygons[0])
    assert repr(polygons[:1]) == "<Polygons (1,): bounds=[[0., 0., 4., 3.]]>"
    assert repr(polygons[0]) == "<Polygons (): bounds=[0., 0., 4., 3.]>"
    assert len(repr(polygons[np.zeros(10**5, np.int64)])) < 200


def test_concatenate() -> None:
    polygons, other = Polygons([L_SHAPE, FAN]), Polygons([RING])
    joined = Polygons.concatenate([polygons[::-1], other, polygons])
    assert joined == Polygons([FAN, L_SHAPE, RING, L_SHAPE, FAN])
    assert len(joined._table.shapes) == 3
    assert Polygons.concatenate([polygons[1:], polygons])._table is polygons._table
    assert Polygons.concatenate([polygons[None], polygons[None, ::-1]]).shape == (2, 2)
    with pytest.raises(TypeError, match=r"batches\[1\] must be Polygons, got list"):
        Polygons.concatenate([polygons, [L_SHAPE]])
    for wrong in ([], [polygons[0]], [polygons, polygons[None]]):
        with pytest.raises(ValueError, match="alike but for the first axis"):
            Polygons.concatenate(wrong)


def test_pickles_carry_nothing_but_the_polygons_asked_for() -> None:
    polygons = Polygons([gear(100), L_SHAPE, RING])
    polygons._made(eroded, 1e-6)
    some = polygons[[2, 1, 2]]
    again = pickle.loads(pickle.dumps(some))
    assert again == some
    assert len(again._table.shapes) == 2
    assert len(pickle.dumps(some)) < 1000
    assert not again._index.flags.writeable


def test_numpy_makes_no_array_of_objects_from_them() -> None:
    with pytest.raises(TypeError, match="to_shapely"):
        np.asarray(Polygons([L_SHAPE]))


def test_z_coordinates_are_refused() -> None:
    with pytest.raises(ValueError, match=r"rings\[1\]: must have no z or m coordinates; shapely.force_2d"):
        Polygons([L_SHAPE, shapely.Polygon([(0, 0, 1), (1, 0, 1), (0, 1, 1)])])


def test_errors_of_holes_say_which() -> None:
    holes = [[(1, 1), (2, 1), (2, 2)], [(3, 3), (4, 4), (4, 3), (3, 4)]]
    with pytest.raises(ValueError, match=r"rings\[0\].hole\[1\]: crosses or touches itself"):
        Polygons([shapely.Polygon([(0, 0), (6, 0), (6, 6), (0, 6)], holes)])


@pytest.mark.parametrize("degrees", [0, 17, 45, 120, 233])
@pytest.mark.parametrize(
    ("with_rounding", "without"),
    [
        ([(0, 0), (1e-20, 0), (4, 0), (4, 3), (0, 3)], [(0, 0), (4, 0), (4, 3), (0, 3)]),
        ([(0, 0), (4, 0), (4, 3), (4e-15, 3), (0, 3)], [(0, 0), (4, 0), (4, 3), (0, 3)]),
        ([(0, 0), (4, 0), (4, 1), (1, 1), (1, 1 + 1e-15), (1, 3), (0, 3)], L_SHAPE),
        ([(0, 0), (4, 0), (4, 3), (2, 3), (2 - 1e-15, 3 + 1e-15), (0, 3)], [(0, 0), (4, 0), (4, 3), (0, 3)]),
    ],
)
def test_edges_that_are_nothing_but_rounding_change_no_answer(degrees, with_rounding, without) -> None:
    rng = np.random.default_rng(degrees)
    one, other = (
        Polygons([shapely.affinity.rotate(shapely.Polygon(ring), degrees, origin=(0, 0))])
        for ring in (with_rounding, without)
    )
    bases = Bases.rect(*rng.uniform(-6, 6, (2, 300)), rng.uniform(-3, 3, 300), width=1.0, depth=0.5)
    lines = Segments(*rng.uniform(-8, 8, (4, 300)))
    for question in (relation, within, wholly_within, interiors_meet):
        limit = (0.0,) if question is within else ()
        assert (question(bases, one, *limit) == question(bases, other, *limit)).all()
    for question in (passes_through, intersects):
        assert (question(lines, one) == question(lines, other)).all()
    assert distance(bases, one) == pytest.approx(distance(bases, other), abs=1e-9)
    assert first_hit(lines, one).fraction == pytest.approx(first_hit(lines, other).fraction, abs=1e-9)


def test_a_sliver_in_which_rounding_hides_a_turn() -> None:
    ring = [
        (-13.223178292964805, 5.526130441573924),
        (-36.030396313720026, 15.057550119940071),
        (26.383741039075858, -11.026093068427517),
        (-25.190878855897214, 10.52758114663236),
    ]
    sliver = Polygons([ring])
    assert not passes_through(Segments(-1.0, 0.2, 1.0, 0.2), sliver)
    assert intersects(Segments(-1.0, 0.2, 1.0, 0.2), sliver)
    assert relation(Bases.rect(0.0, 0.0, width=1.0, depth=1.0), sliver) in (Relation.POINT, Relation.PARTIAL)


def test_round_outlines_of_many_vertices() -> None:
    polygons = Polygons([[(5 * math.cos(t), 5 * math.sin(t)) for t in np.linspace(0, 6.28, 150)]])
    y = np.array([0.0, 4.9, -4.9, 5.1])
    assert passes_through(Segments(-9.0, y, 9.0, y), polygons).tolist() == [True, True, True, False]


def test_threads_with_different_tolerances_do_not_mix_them_up() -> None:
    polygons = Polygons([L_SHAPE, RING])
    expected = {tol: polygons._made(eroded, tol).pieces.corners.tolist() for tol in (0.01, 0.1)}
    polygons = Polygons([L_SHAPE, RING])

    def ask(tol: float) -> bool:
        return all(polygons._made(eroded, tol).pieces.corners.tolist() == expected[tol] for _ in range(30))

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(ask, [0.01, 0.1] * 4))


def test_an_outline_that_geos_cannot_triangulate_from_its_first_vertex() -> None:
    ring = [(3.9, -0.8), (2.7, 0.1), (1.7, -0.4), (1.9, 0.7), (1.5, 1), (0.6, -0.2), (3, -2)]
    for i in range(len(ring)):
        polygons = Polygons([ring[i:] + ring[:i]])
        assert sum(part.area for part in pieces_of(polygons)) == pytest.approx(polygons.area[0])
