"""Kernels of relations, farthest distances and shortest lines against exact arithmetic, also uncompiled."""

import math
import random
from fractions import Fraction

import numpy as np
import pytest

from ninthgeom import Relation
from ninthgeom_kernel import codes
from tests.kernel.test_bases import KINDS, random_core, random_cores
from tests.reference import exact_relations, rationals
from tests.reference.forms import all_pairs, check_forms, columns, load, pairwise

TOL = 1e-6
LINE = np.dtype((np.float64, (4,)))
RELATIONS = load("relations", "relations")
FARTHEST = load("farthest", "farthest_distances")
SHORTEST = load("shortest", "shortest_lines")

FIRST = random_cores(11, 21)
SECOND = random_cores(12, 21)
PAIRS = [(a, b) for a in FIRST for b in SECOND]
A, B = columns(FIRST), columns(SECOND)


def made_pairs(seed, n):
    """Hard pairs of all kinds of bases."""
    draw = random.Random(seed)
    pairs = []
    for i in range(n):
        first = random_core(draw, KINDS[i % len(KINDS)])
        pairs += exact_relations.made_pairs(draw, first, random_core(draw, draw.choice(KINDS)))
    return pairs


MADE = made_pairs(1, 14)


def test_codes_are_those_of_the_public_names():
    assert {name: getattr(codes, name) for name in Relation.__members__} == dict(Relation.__members__)


def check_codes(pairs):
    a, b = (columns(list(cores)) for cores in zip(*pairs, strict=True))
    found = pairwise(RELATIONS[0], a, b, TOL, dtype=np.uint8)[0]
    expected = np.array([exact_relations.relation(*pair, Fraction(TOL)) for pair in pairs])
    wrong = np.flatnonzero(found != expected)
    assert not [(pairs[i], found[i], expected[i]) for i in wrong]
    return expected


def test_relations():
    counts = np.bincount(check_codes(MADE), minlength=7)
    assert (counts > 10).all()
    check_codes(PAIRS)


@pytest.mark.verify
def test_relations_of_more_pairs():
    seed = int(np.random.default_rng().integers(1 << 32))
    pairs = made_pairs(seed, 700)
    print(f"seed {seed}: {len(pairs)} pairs of bases against exact arithmetic")
    check_codes(pairs)


def test_farthest_distances():
    for pairs in (PAIRS, MADE):
        a, b = (columns(list(cores)) for cores in zip(*pairs, strict=True))
        found = pairwise(FARTHEST[0], a, b, dtype=float)[0]
        exact = [
            math.sqrt(exact_relations.farthest_squared(p, q)) + float(p.radius + q.radius) for p, q in pairs
        ]
        np.testing.assert_allclose(found, exact, rtol=0, atol=1e-13)


def test_shortest_lines():
    for pairs in (PAIRS, MADE):
        a, b = (columns(list(cores)) for cores in zip(*pairs, strict=True))
        lines = pairwise(SHORTEST[0], a, b, TOL, dtype=LINE)[0]
        for (p, q), line in zip(pairs, lines, strict=True):
            gap = rationals.gap(p, q)
            length = math.hypot(line[2] - line[0], line[3] - line[1])
            assert abs(length - (gap if gap > TOL else 0.0)) < 1e-13
            off = 1e-8 if gap <= TOL else 1e-13  # overlapping cores: corners this near count as common
            if 0.0 < gap <= TOL:
                off = gap
            for base, end in ((p, line[:2]), (q, line[2:])):
                point = (Fraction(end[0]), Fraction(end[1]))
                assert rationals.signed_to_core(point, base) <= float(base.radius) + off


QUESTIONS = [
    pytest.param(RELATIONS, (TOL,), np.uint8, id="relations"),
    pytest.param(FARTHEST, (), float, id="farthest"),
    pytest.param(SHORTEST, (TOL,), LINE, id="shortest"),
]


@pytest.mark.parametrize(("kernels", "arguments", "dtype"), QUESTIONS)
def test_forms_agree(kernels, arguments, dtype):
    check_forms(kernels, A, B, *arguments, dtype=dtype)
    a, b = (columns(list(cores)[5::60]) for cores in zip(*MADE, strict=True))
    check_forms(kernels, a, b, *arguments, dtype=dtype)


def test_first_and_second_change_places():
    there = all_pairs(RELATIONS[1], A, B, TOL, dtype=np.uint8)[0]
    back = all_pairs(RELATIONS[1], B, A, TOL, dtype=np.uint8)[0].T
    np.testing.assert_array_equal(np.array([0, 1, 2, 3, 5, 4, 6])[there], back)
