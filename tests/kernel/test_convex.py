"""Separating lines and cut shapes, against shapely."""

import math

import numpy as np
import pytest
import shapely

from ninthgeom_kernel import convex
from tests.reference.forms import callable_helper

put_shape, separate = map(callable_helper, (convex.put_shape, convex.separate))


def ring(rng: np.random.Generator, n: int) -> np.ndarray:
    """Vertices of a convex polygon, counter-clockwise; one or two make a point or a segment."""
    angles = np.sort(rng.uniform(0, 2 * math.pi, n))
    return rng.uniform(-3, 3, (2, 1)) + rng.uniform(0.3, 2) * np.array([np.cos(angles), np.sin(angles)])


def hull(vertices: np.ndarray) -> shapely.Geometry:
    return shapely.convex_hull(shapely.multipoints(vertices.T))


@pytest.mark.parametrize("seed", range(60))
def test_separate_is_the_distance(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = ring(rng, rng.integers(1, 7)), ring(rng, rng.integers(1, 7))
    reach = rng.choice([0.0, 0.4])
    gap = shapely.distance(hull(a), hull(b)) - reach
    for margin in (-0.2, 0.0, 0.3, 1.0):
        if abs(gap - margin) < 1e-9 or (gap <= -reach and margin < 0):
            continue
        apart, nx, ny = separate(a, a.shape[1], b, b.shape[1], reach, margin)
        assert apart == (gap > margin)
        if apart:
            assert math.isclose(nx * nx + ny * ny, 1.0)
            normal = np.array([nx, ny])
            assert (normal @ a).min() - (normal @ b).max() - reach > margin - 1e-12


def test_separate_collinear_segments() -> None:
    a = np.array([[0.0, 1.0], [0.0, 0.0]])
    for shift, apart in ((0.5, False), (1.0, False), (1.25, True), (-1.25, True)):
        assert separate(a, 2, np.add(a, [[shift], [0.0]]), 2, 0.0, 1e-6)[0] == apart


def test_edges_as_short_as_rounding_have_no_normal() -> None:
    ulp = np.spacing(1.0)
    inside = np.array([[0.2], [0.9]])
    for i in range(-1, 2):
        for j in range(-1, 2):
            twice = np.array([[-1.0, 1.0, 1.0, 1.0 + i * ulp, -1.0], [-1.0, -1.0, 1.0, 1.0 + j * ulp, 1.0]])
            assert not separate(inside, 1, twice, 5, 0.0, 0.0)[0]
            assert not separate(twice, 5, inside, 1, 0.0, 0.0)[0]
            assert separate(twice, 5, inside + 2.0, 1, 0.0, 1.0)[0]


def support(elements: np.ndarray, record: np.ndarray, planes: np.ndarray, normal: np.ndarray) -> float:
    """Largest ``normal . p`` of what `put_shape` wrote, by the meaning of elements and planes."""
    best = -math.inf
    for e in range(record[0], record[1]):
        point = elements[:2, e] + elements[2, e] * normal
        in_planes = all(planes[:2, k] @ point >= planes[2, k] - 1e-12 for k in range(record[3], record[4]))
        if e >= record[2] or in_planes:
            best = max(best, float(normal @ point))
    return best


@pytest.mark.parametrize("seed", range(80))
def test_cut_shape_reaches_as_far_as_shapely_says(seed: int) -> None:
    rng = np.random.default_rng(seed)
    vertices = ring(rng, rng.integers(1, 6))
    radius = rng.choice([0.0, 0.5, 1.0])
    shape = hull(vertices).buffer(radius, quad_segs=4000) if radius else hull(vertices)
    n_planes = rng.integers(0, 3)
    planes = np.empty((3, 2))
    for k in range(n_planes):
        angle = rng.uniform(0, 2 * math.pi)
        mx, my = math.cos(angle), math.sin(angle)
        middle = vertices.mean(axis=1)
        planes[:, k] = mx, my, mx * middle[0] + my * middle[1] + rng.uniform(-1, 1)
        corners = [(-1e3, -1e3), (-1e3, 1e3), (0, 1e3), (0, -1e3)]
        outside = shapely.Polygon(
            [(planes[2, k] * mx + x * mx - y * my, planes[2, k] * my + x * my + y * mx) for x, y in corners]
        )
        shape = shape.difference(outside)
    elements = np.empty((3, 64))
    record = np.empty(5, np.int64)
    stop = put_shape(vertices, vertices.shape[1], radius, planes, 0, n_planes, elements, 0, record)
    assert record.tolist() == [0, stop, vertices.shape[1] if n_planes else 0, 0, n_planes]
    if shape.is_empty or shape.area == 0.0:
        return
    outline = shapely.get_coordinates(shape)
    for angle in np.linspace(0, 2 * math.pi, 37):
        normal = np.array([math.cos(angle), math.sin(angle)])
        assert abs(support(elements, record, planes, normal) - (outline @ normal).max()) < 1e-5


def test_the_same_plane_twice_cuts_once() -> None:
    vertices = np.array([[2.0, 0.0, 0.0, 2.0], [2.0, 2.0, 0.0, 0.0]])
    angle = 0.7
    plane = np.array([[math.cos(angle)], [math.sin(angle)], [1.3]])
    planes = np.hstack([plane, plane * (1 + 1e-16), plane])
    once, thrice = np.empty((3, 32)), np.empty((3, 32))
    record = np.empty(5, np.int64)
    stop = put_shape(vertices, 4, 0.3, plane, 0, 1, once, 0, record)
    assert stop == 6
    assert put_shape(vertices, 4, 0.3, planes, 0, 3, thrice, 0, record) == 10
    np.testing.assert_allclose(thrice[:, 4:10], np.tile(once[:, 4:6], 3), atol=1e-12)
