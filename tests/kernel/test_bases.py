"""Kernels of distance, contact, overlap and containment against exact arithmetic, also uncompiled."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from tests.reference import rationals
from tests.reference.forms import all_pairs, check_forms, columns, load, pairwise
from tests.reference.rationals import TURNS, Core

TOL = 1e-6
CONTACT = load("contact", "gaps_at_most")
GAPS = load("gaps", "gaps")
OVERLAP = load("overlap", "interiors_meet")
CONTAINMENT = load("containment", "wholly_within")

QUESTIONS = [
    pytest.param(CONTACT, 0.5, bool, id="contact"),
    pytest.param(GAPS, TOL, float, id="distance"),
    pytest.param(GAPS, -math.inf, float, id="gap"),
    pytest.param(OVERLAP, TOL, bool, id="overlap"),
    pytest.param(CONTAINMENT, 0.5, bool, id="containment"),
]


def random_core(draw, kind):
    """A core on a grid of eighths, so that many pairs touch exactly."""

    def eighths(low, high):
        return Fraction(draw.randint(low, high), 8)

    along = Fraction(0) if kind in ("disc", "point", "flat segment") else eighths(1, 16)
    across = Fraction(0) if kind in ("disc", "point", "oval", "segment") else eighths(1, 16)
    radius = Fraction(0) if kind in ("rectangle", "segment", "flat segment", "point") else eighths(1, 8)
    return Core(eighths(-20, 20), eighths(-20, 20), draw.choice(TURNS), along, across, radius)


KINDS = ("rectangle", "rounded", "disc", "oval", "segment", "flat segment", "point")


def random_cores(seed, n, kinds=KINDS):
    draw = random.Random(seed)
    return [random_core(draw, kinds[i % len(kinds)]) for i in range(n)]


FIRST = random_cores(1, 21)
SECOND = random_cores(2, 28)
PAIRS = [(a, b) for a in FIRST for b in SECOND]
A, B = columns(FIRST), columns(SECOND)


def test_gaps_and_contact():
    gaps = all_pairs(GAPS[1], A, B, -math.inf, dtype=float)[0].ravel()
    exact = np.array([rationals.gap(a, b) for a, b in PAIRS])
    np.testing.assert_allclose(gaps, exact, rtol=0, atol=1e-14)
    contact = all_pairs(CONTACT[1], A, B, TOL, dtype=bool)[0].ravel()
    np.testing.assert_array_equal(contact, exact <= TOL)
    distances = all_pairs(GAPS[1], A, B, TOL, dtype=float)[0].ravel()
    np.testing.assert_array_equal(distances, np.where(contact, 0.0, gaps))


def touching(draw):
    """A rectangle, and another with a corner exactly on its edge, then some way off and some way in."""
    first, second = random_core(draw, "rectangle"), random_core(draw, "rectangle")
    edge = first.place(first.along, first.across * Fraction(draw.randint(-7, 7), 8))
    out_x, out_y = first.axes[0]
    rear = min(second.corners(), key=lambda corner: corner[0] * out_x + corner[1] * out_y)
    x, y = second.x + edge[0] - rear[0], second.y + edge[1] - rear[1]
    return first, [
        Core(x + d * out_x, y + d * out_y, second.turn, second.along, second.across)
        for d in (0, Fraction(1, 10**7), Fraction(1, 10**5), Fraction(-1, 10**7), Fraction(-1, 10**5))
    ]


def test_touching():
    draw = random.Random(5)
    for _ in range(50):
        first, others = touching(draw)
        assert [rationals.gap_sign(first, other) for other in others] == [0, 1, 1, -1, -1]
        a, b = columns([first]), columns(others)
        contact = all_pairs(CONTACT[1], a, b, TOL, dtype=bool)[0, 0]
        np.testing.assert_array_equal(contact, [True, True, False, True, True])
        meet = all_pairs(OVERLAP[1], a, b, TOL, dtype=bool)[0, 0]
        np.testing.assert_array_equal(meet, [False, False, False, False, True])


def test_overlap():
    meet = all_pairs(OVERLAP[1], A, B, TOL, dtype=bool)[0].ravel()
    for found, (a, b) in zip(meet, PAIRS, strict=True):
        a_flat, b_flat = (c.radius == 0 and min(c.along, c.across) == 0 for c in (a, b))
        if a_flat and b_flat:
            assert not found
        elif a_flat or b_flat:
            assert found == (rationals.depth_of_segment(*((a, b) if a_flat else (b, a))) > TOL)
        else:
            assert found == (rationals.gap(a, b) < -TOL)


def test_containment():
    for limit in (0.0, TOL, 1.0):
        inside = all_pairs(CONTAINMENT[1], A, B, limit, dtype=bool)[0].ravel()
        exact = np.array([rationals.excess(a, b) for a, b in PAIRS])
        clear = np.abs(exact - limit) > 1e-12
        np.testing.assert_array_equal(inside[clear], (exact <= limit)[clear])
    assert 0 < inside.sum() < inside.size


@pytest.mark.parametrize(("kernels", "limit", "dtype"), QUESTIONS)
def test_forms_agree(kernels, limit, dtype):
    check_forms(kernels, A[:, :, :21].copy(), B[:, :, :21].copy(), limit, dtype=dtype)


@pytest.mark.parametrize(("kernels", "limit", "dtype"), QUESTIONS[:-1])
def test_first_and_second_may_change_places(kernels, limit, dtype):
    there = all_pairs(kernels[1], A, B, limit, dtype=dtype)[0]
    back = all_pairs(kernels[1], B, A, limit, dtype=dtype)[0]
    np.testing.assert_array_equal(there, back.T)


def test_sparse_and_crowded_rows_agree():
    # More than one block of pairs, few of them near; then nearly all.
    half = Fraction(1, 2)
    many = columns([Core(Fraction(k), Fraction(k % 3), TURNS[k % 8], 2 * half, half) for k in range(150)])
    for limit in (TOL, 2.0, 200.0):
        expected = all_pairs(GAPS[1], many[:, :, :4].copy(), many, -math.inf, dtype=float) <= limit
        found = all_pairs(CONTACT[1], many[:, :, :4].copy(), many, limit, dtype=bool)
        np.testing.assert_array_equal(found, expected)


def test_pairs_at_the_limit_are_not_left_out():
    # As far apart as the limit allows, all over the allowed coordinates: the circles that leave pairs
    # unmeasured must not round to the other side.
    rng = np.random.default_rng(3)
    for scale in (1.0, 1e3, 1e6):
        a, b = np.zeros((2, 7, 1, 40))
        a[2], b[2] = 1.0, 1.0
        a[:2], b[:2] = rng.uniform(-scale, scale, (2, 2, 1, 40))
        a[6], b[6] = rng.uniform(0.0, 2.0, (2, 1, 40))
        gaps = pairwise(GAPS[0], a, b, -math.inf, dtype=float)
        for i in range(40):
            one, two = a[:, :, i : i + 1].copy(), np.repeat(b[:, :, i : i + 1], 20, axis=2)
            crowd = all_pairs(CONTACT[1], one, two, gaps[0, i], dtype=bool)
            two[0, 0, 1:] += 1e9
            alone = all_pairs(CONTACT[1], one, two, gaps[0, i], dtype=bool)
            if gaps[0, i] >= 0.0:
                assert crowd.all()
                np.testing.assert_array_equal(alone[0, 0], np.arange(20) == 0)


def test_squares_corner_to_corner_are_not_left_out():
    # The circles round squares are the largest beside their sides.
    half, sine = 1.0, 0.5**0.5
    one = np.array([0.0, 0.0, sine, sine, half, half, 0.0]).reshape(7, 1, 1)
    many = np.repeat(one, 20, axis=2)
    many[0, 0] = 1e3
    many[0, 0, 7] = 2.0 * 2.0**0.5 * half
    contact = all_pairs(CONTACT[1], one, many, TOL, dtype=bool)
    np.testing.assert_array_equal(contact[0, 0], np.arange(20) == 7)


@pytest.mark.parametrize(
    ("tol", "depth", "meets"), [(TOL, 2e-6, True), (TOL, 0.5e-6, False), (0.0, 1e-9, True), (0.0, 0.0, False)]
)
@pytest.mark.parametrize("radius", [0.0, 1.0, 0.5e-6])
def test_segment_along_a_side(tol, depth, meets, radius):
    rectangle = np.array([0.0, 0.0, 1.0, 0.0, 2.0, 1.0, radius]).reshape(7, 1, 1)
    segment = np.array([0.0, 1.0 + radius - depth, 1.0, 0.0, 5.0, 0.0, 0.0]).reshape(7, 1, 1)
    assert pairwise(OVERLAP[0], segment, rectangle, tol, dtype=bool)[0, 0] == meets
    assert pairwise(OVERLAP[0], rectangle, segment, tol, dtype=bool)[0, 0] == meets


@pytest.mark.parametrize("tol", [0.0, TOL])
def test_no_interiors_to_meet(tol):
    thin = np.array([0.0, 0.0, 1.0, 0.0, 2.0, 0.5 * tol, 0.0]).reshape(7, 1, 1)
    across = np.array([0.0, 0.0, 0.0, 1.0, 2.0, 0.0, 0.0]).reshape(7, 1, 1)
    point = np.array([0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]).reshape(7, 1, 1)
    for a, b in ((across, thin), (point, thin), (across, across), (point, across), (point, point)):
        assert not pairwise(OVERLAP[0], a, b, tol, dtype=bool)[0, 0]
