"""Kernels of arcs against exact arithmetic, small enough to run uncompiled."""

from fractions import Fraction

import numpy as np
import pytest

from tests.kernel.test_bases import random_cores
from tests.reference import rationals
from tests.reference.forms import all_pairs, check_forms, columns, load, pairwise
from tests.reference.rationals import TURNS, Core

TOL = 1e-6
DOT = 5e-7
TOUCHED = load("touched", "touched_arcs")
LOCATED = load("located", "located_arcs")

OBSERVERS = random_cores(3, 28)
OTHERS = random_cores(4, 21)
# Walls, which reach through arcs and past corners with both ends outside.
OTHERS += [
    Core(wall.x, wall.y, wall.turn, wall.along + 6, wall.across / 8, wall.radius)
    for wall in random_cores(5, 21, ("rectangle", "segment", "oval"))
]
PAIRS = [(a, b) for a in OBSERVERS for b in OTHERS]
A, B = columns(OBSERVERS), columns(OTHERS)


def answers(kernels):
    """What both forms of a question say of all pairs."""
    outer = all_pairs(kernels[1], A, B, TOL, DOT, dtype=np.uint8)[0].ravel()
    each_a, each_b = columns([a for a, _ in PAIRS]), columns([b for _, b in PAIRS])
    elementwise = pairwise(kernels[0], each_a, each_b, TOL, DOT, dtype=np.uint8)[0]
    np.testing.assert_array_equal(elementwise, outer)
    return outer


def test_touched_arcs():
    expected = [rationals.inside_arcs(a, b, TOL) for a, b in PAIRS]
    np.testing.assert_array_equal(answers(TOUCHED), expected)
    assert len(set(expected)) == 16


def test_located_arcs():
    expected = [rationals.located_arc(a, b) for a, b in PAIRS]
    np.testing.assert_array_equal(answers(LOCATED), expected)
    assert set(expected) == {0, 1, 2, 4, 8}


@pytest.mark.parametrize("turn", [t for t in TURNS if t[0] and t[1]])
def test_turned_within_the_observer(turn):
    # As high as the observer is wide, to the last 1e-5 inch: its tips touch both sides from within.
    along, across = Fraction(1), Fraction(1, 4)
    c, s = abs(turn[0]), abs(turn[1])
    high, wide = along * s + across * c, along * c + across * s
    zero, short = Fraction(0), Fraction(1, 10**5)
    other = columns([Core(zero, zero, turn, along, across)])
    for less_wide, less_high, arcs in ((zero, zero, 0), (zero, short, 10), (short, zero, 5)):
        observer = columns([Core(zero, zero, TURNS[0], wide - less_wide, high - less_high)])
        found = pairwise(TOUCHED[0], observer, other, TOL, DOT, dtype=np.uint8)[0, 0]
        assert found & arcs == arcs
        assert (found == 0) == (arcs == 0)


@pytest.mark.parametrize("kernels", [TOUCHED, LOCATED], ids=["touched", "located"])
def test_forms_agree(kernels):
    check_forms(kernels, A[:, :, :21].copy(), B[:, :, :21].copy(), TOL, DOT, dtype=np.uint8)


def point(x, y):
    return columns([Core(Fraction(x), Fraction(y), (Fraction(1), Fraction(0)), *[Fraction(0)] * 2)])


SQUARE = columns([Core(*[Fraction(0)] * 2, (Fraction(1), Fraction(0)), Fraction(1), Fraction(1))])


@pytest.mark.parametrize(
    ("x", "y", "touched", "located"),
    [
        (3.0, 0.0, 1, 1),
        (1.0, 0.5, 0, 1),  # on the facing: within the observer, located before it
        (1.0 - 5e-7, 0.5, 0, 1),
        (1.0 - 5e-6, 0.5, 0, 0),
        (1.0 + 5e-6, 0.5, 1, 1),
        (2.0, 2.0, 3, 2),  # on the divider
        (2.0, 2.0 - 1e-6, 3, 2),
        (2.0, 2.0 - 3e-6, 1, 1),
        (2.0, 2.0 + 3e-6, 2, 2),
        (-2.0, 2.0, 6, 2),
        (-2.0, -2.0, 12, 8),
        (2.0, -2.0, 9, 8),
        (1.0, 1.0, 0, 2),  # the corner, where the divider starts
        (1.0 - 1.2e-6, 1.0 - 1e-9, 0, 2),
    ],
)
def test_near_the_boundaries(x, y, touched, located):
    assert pairwise(TOUCHED[0], SQUARE, point(x, y), TOL, DOT, dtype=np.uint8)[0, 0] == touched
    assert pairwise(LOCATED[0], SQUARE, point(x, y), TOL, DOT, dtype=np.uint8)[0, 0] == located
