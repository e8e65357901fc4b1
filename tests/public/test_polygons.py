"""Polygons: checks, convex pieces, and the parts of them deeper than a tolerance."""

import itertools
import math

import numpy as np
import pytest
import shapely

import ninthgeom
from ninthgeom import Polygons

L_SHAPE = [(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]
RING = shapely.Polygon([(0, 0), (6, 0), (6, 6), (0, 6)], holes=[[(2, 2), (4, 2), (4, 4), (2, 4)]])


def gear(n: int) -> list[tuple[float, float]]:
    """Outline of n vertices with a notch at every second one."""
    angles = np.linspace(0, 2 * math.pi, n, endpoint=False)
    radii = np.where(np.arange(n) % 2, 5.0, 4.0)
    return list(zip(radii * np.cos(angles), radii * np.sin(angles), strict=True))


def pieces_of(polygons: Polygons) -> list[shapely.Polygon]:
    starts = polygons._starts
    return [shapely.Polygon(polygons._corners[:, a:b].T) for a, b in itertools.pairwise(starts.tolist())]


@pytest.mark.parametrize("outline", [L_SHAPE, L_SHAPE[::-1], [*L_SHAPE, L_SHAPE[0]], RING, gear(24)])
def test_pieces_are_convex_and_make_the_polygon(outline) -> None:
    polygons = Polygons([outline])
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    pieces = pieces_of(polygons)
    assert all(piece.exterior.is_ccw and piece.convex_hull.area - piece.area < 1e-12 for piece in pieces)
    assert sum(piece.area for piece in pieces) == pytest.approx(shape.area, rel=1e-12)
    assert shapely.symmetric_difference(shapely.union_all(pieces), shape).area < 1e-9
    assert polygons.area[0] == pytest.approx(shape.area)
    assert polygons.bounds[0].tolist() == list(shape.bounds)


@pytest.mark.parametrize("outline", [L_SHAPE, RING, gear(24)])
def test_shrunk_pieces_make_the_polygon_without_its_rim(outline) -> None:
    shape = outline if isinstance(outline, shapely.Polygon) else shapely.Polygon(outline)
    corners, starts, radii = Polygons([outline])._shrunk(0.01)
    parts = [shapely.Polygon(corners[:, a:b].T) for a, b in itertools.pairwise(starts.tolist()) if b > a]
    inner = shape.buffer(-0.01, join_style="mitre", mitre_limit=100)
    union = shapely.union_all(parts)
    # Each piece keeps off the outline next to it; a corner of the outline may lie in a neighbouring piece.
    assert inner.difference(union.buffer(1e-9)).area < 1e-9
    assert union.difference(shape.buffer(-0.0099)).area < 0.01 * 0.01 * len(starts)
    assert (radii == 0).all()


def test_thin_polygon_keeps_its_corners_and_is_marked() -> None:
    sliver = [(0, 0), (5, 0), (5, 1e-7), (0, 1e-7)]
    corners, starts, radii = Polygons([sliver])._shrunk(1e-6)
    assert starts.tolist() == [0, 4]
    assert radii.tolist() == [-1e-6]
    assert corners[0].max() == 5


def test_outline_of_many_vertices_is_shrunk_once() -> None:
    polygons = Polygons([gear(400)])
    assert polygons._shrunk(1e-6) is polygons._shrunk(1e-6)
    assert polygons._shrunk(1e-5) is not polygons._shrunk(1e-6)


@pytest.mark.parametrize(
    ("outline", "error", "message"),
    [
        ([(0, 0), (1, 0)], ValueError, r"rings\[1\]: needs at least 3 distinct vertices, got 2"),
        ([(0, 0), (2, 2), (2, 0), (0, 2)], ValueError, r"rings\[1\]: crosses or touches itself"),
        ([(0, 0), (1, 0), (math.nan, 1)], ValueError, r"rings\[1\]\[2\]\[0\]: must be from"),
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
    assert len(polygons) == 3
    assert polygons.shape == (3,)
    assert polygons[1:] == Polygons([gear(12), RING])
    assert polygons[-1] == Polygons([RING])
    assert polygons[[2, 0]] == Polygons([RING, L_SHAPE])
    assert polygons[np.array([True, False, False])] == Polygons([L_SHAPE])
    assert [len(one) for one in polygons] == [1, 1, 1]
    assert hash(polygons[:1]) == hash(Polygons([L_SHAPE]))
    assert polygons != "polygons"
    assert "POLYGON" in repr(polygons)
    assert Polygons([]).bounds.shape == (0, 4)
    assert ninthgeom.Polygons(polygons.to_shapely()) == polygons
