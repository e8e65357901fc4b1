"""Scalars of crossings and hits, and the kernels, against exact arithmetic, also uncompiled."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ninthgeom_kernel import crossing, hit
from ninthgeom_kernel.crossing import APART, MET, OPEN
from tests.reference import exact_crossings as exact
from tests.reference.exact_crossings import at, first_common
from tests.reference.forms import callable_helper, load
from tests.reference.rationals import squared_to_segment

against_discs = callable_helper(crossing.against_discs)
to_edge, is_crossed, meet_edge, meet_disc = map(
    callable_helper, (hit.to_edge, hit.is_crossed, hit.meet_edge, hit.meet_disc)
)


def grid_points(draw, n):
    return [(Fraction(draw.randint(-4, 4)), Fraction(draw.randint(-4, 4))) for _ in range(n)]


def flat(*points):
    return [float(number) for point in points for number in point]


def way(segment):
    """Start and way to the end, as numbers."""
    return [*flat(segment[0]), *flat(exact.minus(segment[1], segment[0]))]


def test_discs():
    draw = random.Random(1)
    for _ in range(500):
        p, q, centre = grid_points(draw, 3)
        squared = squared_to_segment(centre, p, q)
        for inner, outer in ((1.0, 9.0), (-1.0, 4.0), (-1.0, -1.0)):
            if float(squared) in (inner, outer):  # a disc does not decide about what touches it
                continue
            expected = MET if squared < inner else OPEN if squared < outer else APART
            assert against_discs(*flat(p, q, centre), inner, outer) == expected


def test_points_and_edges():
    draw = random.Random(2)
    for _ in range(300):
        p, a, b = grid_points(draw, 3)
        squared, share = to_edge(*flat(p), *way((a, b)))
        assert squared == pytest.approx(float(squared_to_segment(p, a, b)), abs=1e-14)
        nearest = at((a, b), Fraction(share))
        assert float(squared_to_segment(p, nearest, nearest)) == pytest.approx(squared, abs=1e-14)


def test_a_ray_crosses_the_outline_of_a_shape_from_inside():
    draw = random.Random(3)
    for shape in exact.SHAPES.values():
        for _ in range(60):
            point = Fraction(draw.randint(-3, 18), 2) + Fraction(1, 7), Fraction(draw.randint(-3, 14), 2)
            edges = exact.edges_of(shape)
            if all(squared_to_segment(point, *edge) for edge in edges):
                odd = sum(is_crossed(*flat(point, *edge)) for edge in edges) % 2
                assert odd == exact.is_inside(point, shape)


def test_segments_meet_edges():
    draw = random.Random(4)
    met = 0
    for _ in range(1500):
        p, q, a, b = grid_points(draw, 4)
        share, distance, nearest = meet_edge(*way((p, q)), *way((a, b)))
        expected = first_common((p, q), (a, b))
        assert share == (math.inf if expected is None else pytest.approx(float(expected), abs=1e-12))
        met += expected is not None
        if expected is None:
            ends = [squared_to_segment(point, a, b) for point in (p, q)]
            ends += [squared_to_segment(point, p, q) for point in (a, b)]
            assert distance == pytest.approx(math.sqrt(min(ends)), abs=1e-12)
            there = at((p, q), Fraction(nearest))
            assert math.sqrt(squared_to_segment(there, a, b)) == pytest.approx(distance, abs=1e-9)
            if nearest > 1e-6:  # the first such point
                before = at((p, q), Fraction(nearest) - Fraction(1, 10**6))
                assert squared_to_segment(before, a, b) > min(ends)
    assert met > 300


def test_segments_meet_discs():
    draw = random.Random(5)
    for _ in range(500):
        p, q, centre = grid_points(draw, 3)
        radius = Fraction(draw.randint(1, 8), 2)
        share, distance, nearest = meet_disc(*way((p, q)), *flat(centre), float(radius))
        squared = squared_to_segment(centre, p, q)
        assert distance == pytest.approx(math.sqrt(squared) - radius, abs=1e-12)
        there = at((p, q), Fraction(nearest))
        assert float(squared_to_segment(centre, there, there) - squared) == pytest.approx(0.0, abs=1e-12)
        assert (share < math.inf) == (squared <= radius * radius)
        if share == math.inf:
            continue
        x, y = (float(number) for number in at((p, q), Fraction(share)))
        off = math.hypot(x - centre[0], y - centre[1]) - radius
        # on the circle, or a start inside, or touching
        assert abs(off) < 1e-7 or (share == 0.0 and off < 0.0)


def test_forms_of_discs():
    rng = np.random.default_rng(6)
    elementwise, outer = load("crossing_discs", "meet_discs")
    for rows, other_rows in ((1, 1), (3, 1), (1, 3), (3, 3)):
        n, m = 5, 7
        a = rng.normal(0.0, 3.0, (4, rows, n))
        discs = np.array([[0.0, 2.0, -3.0], [0.0, 1.0, 0.0], [1.0, -1.0, 0.5], [4.0, 9.0, -1.0]])
        b = rng.integers(0, 3, (1, other_rows, m))
        whole = max(rows, other_rows)
        strip = np.empty((4, crossing.STRIP))
        out = np.full((whole, n, m), 9, np.uint8)
        outer(a, b, discs, strip, out, 0, whole * n, 0, 3)
        outer(a, b, discs, strip, out, 0, n, 3, m)
        outer(a, b, discs, strip, out, n, whole * n, 3, m)
        for row, i, j in np.ndindex(whole, n, m):
            x0, y0, x1, y1 = a[:, row if rows > 1 else 0, i]
            k = b[0, row if other_rows > 1 else 0, j]
            assert out[row, i, j] == against_discs(x0, y0, x1, y1, *discs[:, k])
        pairs = np.full((whole, n), 9, np.uint8)
        elementwise(a, b[:, :, :n].copy(), discs, strip, pairs, 0, whole, 0, 2)
        elementwise(a, b[:, :, :n].copy(), discs, strip, pairs, 0, whole, 2, n)
        np.testing.assert_array_equal(pairs, np.diagonal(out[:, :, :n], axis1=1, axis2=2))
