"""Wholly within a group: bases that several models reach together."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import TOLERANCE, Bases, Board, Unit
from ninthgeom.skirmish import Rules, wholly_within
from ninthgeom.skirmish._coverage import covered
from tests.skirmish.measuring_oracle import a_board, columns_of, farthest, is_covered, places
from tests.strategies import moved, random_bases


def reached(observer: Unit, target: Unit, at: Any, limit: float, **more: Any) -> bool:
    """Whether the first model is wholly within a distance of a group of such targets at the other places."""
    rest = [Unit(f"t{i}", target.base_mm, shape=target.shape, group="t") for i in range(len(at) - 1)]
    board = Board([observer, *rest])
    found = wholly_within(board, at, limit, by="group", observers=[observer.name], targets=["t"], **more)
    return bool(found[0, 0])


SMALL = Unit("small", 25.4, shape="round")
DISC = Unit("disc", 50.8, shape="round")
OVAL = Unit("oval", (50.8, 101.6), shape="oval")
BLOCK = Unit("block", (50.8, 50.8))
FINE = 1e-8


def turned(at: list[tuple[float, float, float]], angle: float, x: float, y: float) -> np.ndarray:
    places = np.array(at)
    c, s = math.cos(angle), math.sin(angle)
    return np.stack(
        [
            c * places[:, 0] - s * places[:, 1] + x,
            s * places[:, 0] + c * places[:, 1] + y,
            places[:, 2] + angle,
        ],
        axis=1,
    )


PLACES = pytest.mark.parametrize(
    ("angle", "x", "y"), [(0.0, 0.0, 0.0), (1.0, 20.0, 30.0), (0.5 * math.pi, -400.0, 900.0), (2.4, 3.0, 0.0)]
)


@PLACES
def test_two_together(angle: float, x: float, y: float) -> None:
    """Discs at both sides: the points above and below the middle decide."""
    at = turned([(0, 0, 0), (-3, 0, 0), (3, 0, 0)], angle, x, y)
    limit = math.hypot(3.0, 1.0) - 1.0
    for more, expected in ((FINE, True), (-FINE, False)):
        assert reached(DISC, DISC, at, limit + more, tol=0.0) == expected
    assert reached(DISC, DISC, at, limit - 0.5 * TOLERANCE)
    assert not reached(DISC, DISC, at, limit - 2.0 * TOLERANCE)
    # neither alone
    assert not reached(DISC, DISC, at[:2], limit + 0.1)
    assert not reached(DISC, DISC, at[[0, 2]], limit + 0.1)


@PLACES
def test_a_hole_between_three(angle: float, x: float, y: float) -> None:
    """The middle of a triangle is the last point that is reached, whatever stands round it."""
    corners = [
        (3 * math.cos(a), 3 * math.sin(a), a) for a in (0.3, 0.3 + 2 * math.pi / 3, 0.3 - 2 * math.pi / 3)
    ]
    at = turned([(0, 0, 0), *corners], angle, x, y)
    for observer in (SMALL, DISC):
        for more, expected in ((FINE, True), (-FINE, False)):
            assert reached(observer, DISC, at, 2.0 + more, tol=0.0) == expected
            # a model more in the same place changes nothing
            twice = np.concatenate([at, at[1:2]])
            assert reached(observer, DISC, twice, 2.0 + more, tol=0.0) == expected
    # the outline of the base is covered long before
    assert not reached(SMALL, DISC, at, 2.0 - 1e-4)


@PLACES
def test_an_oval_before_two(angle: float, x: float, y: float) -> None:
    at = turned([(0, 0, 0), (-2, 0, 0), (2, 0, 0)], angle, x, y)
    # above the middle; the ends, 2 from the centre, lie on the other discs' centres
    limit = math.hypot(2.0, 1.0) - 1.0
    for more, expected in ((FINE, True), (-FINE, False)):
        assert reached(OVAL, DISC, at, limit + more, tol=0.0) == expected


@PLACES
def test_side_by_side_without_a_seam(angle: float, x: float, y: float) -> None:
    """Two blocks that touch along a side cover a base on both, at a distance of 0."""
    blocks = [(1.0, -1.0, 0.0), (1.0, 1.0, 0.0)]  # from (-1, -2) to (1, 0), and from there up
    at = turned([(0.3, 0.1, 0.0), *blocks], angle, x, y)
    assert reached(SMALL, BLOCK, at, 0.0)
    apart = turned([(0.3, 0.1, 0.0), blocks[0], (1.0, 1.0 + 1e-5, 0.0)], angle, x, y)
    assert not reached(SMALL, BLOCK, apart, 0.0)
    assert reached(SMALL, BLOCK, apart, 0.51e-5)
    over = turned([(0.51, 0.1, 0.0), *blocks], angle, x, y)
    assert not reached(SMALL, BLOCK, over, 0.0)
    assert reached(SMALL, BLOCK, over, 0.01)


def test_four_that_meet_in_a_point() -> None:
    blocks = [(1 + i, j, 0.0) for i in (-1.0, 1.0) for j in (-1.0, 1.0)]
    assert reached(DISC, BLOCK, [(0, 0, 0), *blocks], 0.0)
    assert not reached(DISC, BLOCK, [(0, 0, 0), *blocks[:3]], 0.0)
    # discs on the corners of a square, the middle reached last
    discs = [(i, j, 0.0) for i in (-2.0, 2.0) for j in (-2.0, 2.0)]
    limit = math.sqrt(8.0) - 1.0
    for more, expected in ((FINE, True), (-FINE, False)):
        assert reached(DISC, DISC, [(0, 0, 0), *discs], limit + more, tol=0.0) == expected


def test_from_the_centres() -> None:
    at = [(0, 0, 0), (-3, 0, 0), (3, 0, 0)]
    limit = math.hypot(3.0, 1.0)
    rules = Rules(sc_wholly_ref="centre")
    for more, expected in ((FINE, True), (-FINE, False)):
        assert reached(DISC, OVAL, at, limit + more, rules=rules, tol=0.0) == expected


def test_absent_models_reach_nothing() -> None:
    board = Board([DISC, *(Unit(f"t{i}", 50.8, shape="round", group="t") for i in range(3))])
    at = np.array([(0, 0, 0), (-3, 0, 0), (3, 0, 0), (0, 1, 0)], float)
    for present, expected in (
        ([True, True, True, False], True),
        ([True, True, False, False], False),
        ([True, False, True, False], False),
        ([True, False, False, True], True),
        ([False, True, True, True], False),
        ([True, False, False, False], False),
    ):
        found = wholly_within(board, at, 2.2, by="group", observers=[0], targets=[1], present=present)
        assert found[0, 0] == expected


def test_all_models_of_a_group_must_be() -> None:
    """One between two others, one beside a third; then a straggler, who does not count once he is gone."""
    observers = [Unit(f"o{i}", 50.8, shape="round", group="o") for i in range(3)]
    targets = [Unit(f"t{i}", 50.8, shape="round", group="t") for i in range(3)]
    board = Board([observers[0], targets[0], observers[1], targets[1], targets[2], observers[2]])
    at = np.array([(0, 0, 0), (-3, 0, 0), (10, 0, 0), (3, 0, 0), (12, 0, 0), (14, 5, 0)], float)
    present = np.array([[True] * 6, [True] * 5 + [False]])
    found = wholly_within(board, at, 2.2, by="group", observers=["o"], targets=["t"], present=present)
    assert found[:, 0, 0].tolist() == [False, True]


def test_groups_against_polygons() -> None:
    """Every kind of base; polygons that lie inside and outside the curves can tell all but a few."""
    rng = np.random.default_rng(8)
    told = np.zeros(2, int)
    together = unknown = 0
    for _ in range(60):
        board = a_board(rng, (1, 2, 5))
        at = places(rng, 4, board, spread=1.6)
        present = rng.random((4, len(board))) < 0.9
        limit = float(rng.uniform(0.5, 3.0))
        found = wholly_within(board, at, limit, by="group", present=present)
        for s in range(4):
            columns = columns_of(board, at[s])
            members = [np.flatnonzero((board.group == g) & present[s]) for g in range(3)]
            for i in range(3):
                for j in range(3):
                    if i == j or not len(members[i]) or not len(members[j]):
                        assert not found[s, i, j]
                        continue
                    others = [columns[:, k] for k in members[j]]
                    alone = [min(farthest(columns[:, m], o) for o in others) <= limit for m in members[i]]
                    parts = [
                        one or is_covered(columns[:, m], others, limit)
                        for m, one in zip(members[i], alone, strict=True)
                    ]
                    if None in parts and False not in parts:
                        unknown += 1
                        continue
                    expected = all(parts)
                    assert found[s, i, j] == expected
                    told[int(expected)] += 1
                    together += expected and not all(alone)
    assert told.min() > 150
    assert together > 30
    assert unknown < 10


# ---------------------------------------------------------------------------------- the coverage itself


def test_coverage_does_not_depend_on_where_the_table_stands() -> None:
    """On a grid, with flush sides, equal bases and circles that touch: where a tolerance would be needed."""
    rng = np.random.default_rng(9)
    n = 1500
    counts = rng.integers(0, 6, n)
    owner = np.repeat(np.arange(n), counts)

    def grid(m: int, wide: int) -> Bases:
        x, y = rng.integers(-2, 3, (2, m)) / 2
        width, depth = rng.integers(1, 2 * wide, (2, m))
        radius = np.where(rng.random(m) < 0.6, 0.5 * np.minimum(width, depth), 0.0)
        return Bases(x, y, 0.5 * math.pi * rng.integers(0, 4, m), width=width, depth=depth, radius=radius)

    bases, others = grid(n, 2), grid(len(owner), 3)
    grown = np.array(others._columns)
    grown[-1] += TOLERANCE
    expected = covered(bases._columns, grown, owner)
    assert not expected[counts == 0].any()
    assert 0.1 < expected.mean() < 0.9
    for turn, x, y in ((1.0, 30.0, 7.0), (2.5, -900.0, 400.0), (0.25 * math.pi, 0.0, 0.0)):
        there = np.array(moved(others, turn=turn, x=x, y=y)._columns)
        there[-1] += TOLERANCE
        found = covered(np.array(moved(bases, turn=turn, x=x, y=y)._columns), there, owner, workers=2)
        np.testing.assert_array_equal(found, expected)


def test_more_to_cover_with_never_covers_less() -> None:
    rng = np.random.default_rng(10)
    n = 500
    bases = random_bases(rng, n, "oval", spread=0.5)._columns
    owner = np.repeat(np.arange(n), 5)
    others = np.array(random_bases(rng, len(owner), "mixed", spread=1.5)._columns)
    others[-1] += 0.8
    before = np.zeros(n, np.bool_)
    rates = []
    for k in range(1, 6):
        some = np.arange(len(owner)) % 5 < k
        now = covered(bases, np.ascontiguousarray(others[:, some]), owner[some])
        assert not (before & ~now).any()
        before = now
        rates.append(now.mean())
    assert rates[0] < rates[2] < rates[4]
    order = rng.permutation(5)
    shuffled = (np.arange(n)[:, None] * 5 + order).ravel()
    np.testing.assert_array_equal(covered(bases, np.ascontiguousarray(others[:, shuffled]), owner), before)


def test_a_base_covers_itself() -> None:
    bases = random_bases(np.random.default_rng(11), 200, "rounded")._columns
    np.testing.assert_array_equal(covered(bases, bases, np.arange(200)), True)
    smaller = np.array(bases)
    smaller[-1] -= 1e-8
    np.testing.assert_array_equal(covered(bases, smaller, np.arange(200)), False)


def test_nothing_to_cover() -> None:
    empty = np.empty((7, 0))
    assert covered(empty, empty, np.empty(0, np.int64)).shape == (0,)
