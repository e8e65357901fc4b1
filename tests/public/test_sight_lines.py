"""`sight_lines`: lines and blockers of scenes done by hand, and the forms of a call.

Wherever answers are compared with the reference, every line is checked, and every blocker that is named.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Bases, Polygons, Rows, line_of_sight, sight_lines
from tests.reference.sight_degenerate import (
    BARE,
    COLUMN,
    EYE,
    FAR,
    HOOKED,
    NARROW,
    ROUND,
    SEAM,
    SPOT,
    WIDE,
    left,
    needle,
    right,
)
from tests.reference.sight_generators import random_sizes
from tests.reference.sight_scenes import bases_of, box, disc, point, wall

UP = math.pi / 2


def rows_of(*rows: Any) -> Bases:
    return bases_of(np.array(rows, dtype=float).reshape(-1, 6))


def one(row: Any) -> Bases:
    return bases_of(np.array(row, dtype=float))


def table(seed: int, *shape: int) -> Bases:
    """Bases of several kinds on a table of one and a half feet."""
    rng = np.random.default_rng(seed)
    place = np.stack([*rng.uniform(0, 18, (2, *shape)), rng.uniform(-math.pi, math.pi, shape)], -1)
    return bases_of(np.concatenate([place, random_sizes(rng, shape, (0.6, 0.2, 0.2), scale=0.6)], -1))


# --- by hand ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "target", "blockers", "start", "end"),
    [
        (EYE, SPOT, [box(3, 4, 5, 6)], (0, 0), (0, 10)),
        (EYE, SPOT, [box(0, 4, 2, 6)], (0, 0), (0, 10)),  # along its side
        (WIDE, FAR, needle(), (0, 0), (0, 10)),
        (BARE, SPOT, needle(), (0, 0), (0, 10)),
        (ROUND, disc(0, 12, 2), needle(), (0, 0), (0, 10)),
        (EYE, FAR, needle(), (0, 0), (0, 10)),
        (NARROW, COLUMN, [*HOOKED[:2]], (1, 0), (1, 10)),
        (WIDE, point(12, 10), [box(3, 5, 7, 8)], (2, 0), (12, 10)),  # at the limit of the arc
    ],
)
def test_the_only_line(source: Any, target: Any, blockers: Any, start: Any, end: Any) -> None:
    found = sight_lines(one(source), one(target), rows_of(*blockers))
    assert found.visible
    assert found.start == pytest.approx(start, abs=1e-5)
    assert found.end == pytest.approx(end, abs=1e-5)
    assert len(found.blockers) == 0


@pytest.mark.parametrize(
    ("source", "target", "start", "end"),
    [
        (WIDE, box(2, 0, 4, 2), (2, 0), (2, 0)),
        (WIDE, disc(0, 1, 1), (0, 0), (0, 0)),
        (ROUND, disc(0, 1, 1), (0, 0), (0, 0)),
        (EYE, box(-1, 0, 1, 2), (0, 0), (0, 0)),
        (WIDE, point(1, 5e-7), (1, 0), (1, 5e-7)),
    ],
)
def test_contact_is_the_line(source: Any, target: Any, start: Any, end: Any) -> None:
    """Whatever stands on it."""
    found = sight_lines(one(source), one(target), rows_of(box(-20, -1, 20, 1)))
    assert found.visible
    assert found.start == pytest.approx(start, abs=1e-6)
    assert found.end == pytest.approx(end, abs=1e-6)
    assert len(found.blockers) == 0


@pytest.mark.parametrize(
    ("blockers", "named"),
    [
        ([box(-20, 4, 20, 5)], [0]),
        ([box(-20, 13, 20, 14), box(-20, 4, 20, 5)], [1]),  # the first behind the target
        ([box(-20, -3, 20, -1), box(-20, 4, 20, 5)], [1]),  # the first behind the source
        ([box(-20, 12, 20, 14), box(-20, 4, 20, 5), box(-20, -2, 20, 0)], [1]),  # flush with both
        ([box(14, 4, 19, 5), box(-10, 4, 10, 5)], [1]),  # the first out of the way
        (SEAM, [0, 1]),
        ([box(-20, 4, 20, 5), box(-20, 6, 20, 7)], [0, 1]),
        ([point(0, 3), wall(-20, 4, 20, 4), wall(0, 2, 0, 4)], [1, 2]),
        ([box(-20, 4, 20, 5), left(-15, 4, 5), right(20, 4, 5)], [0]),  # neighbours that are out of the way
        ([box(-2.01, 9.99, 2.01, 12.01)], [0]),
    ],
)
def test_what_hides(blockers: Any, named: list[int]) -> None:
    found = sight_lines(one(WIDE), one(FAR), rows_of(*blockers))
    assert not found.visible
    assert np.isnan([found.start, found.end]).all()
    assert found.blockers == Rows({"state": np.zeros(len(named), int), "blocker": named}, ())


def test_only_what_counts_is_named() -> None:
    blockers = rows_of(box(-20, 2, 20, 3), box(-20, 4, 20, 5), box(-20, 6, 20, 7))
    blocks = [[True, False, True], [False, True, False], [False, False, False]]
    found = sight_lines(one(WIDE), rows_of(FAR, FAR, FAR), blockers, blocks=blocks)
    assert found.visible.tolist() == [False, False, True]
    assert found.blockers == Rows({"state": [0, 0, 1], "blocker": [0, 2, 1]}, (3,))


def test_out_of_the_arc_nothing_is_named() -> None:
    targets = rows_of(box(12.01, 5, 20, 10), box(-2, -10, 2, -8), box(12, 5, 20, 10))
    found = sight_lines(one(WIDE), targets, rows_of(box(-30, 1, 30, 2), box(-30, -5, 30, -4)))
    assert found.visible.tolist() == [False, False, False]
    assert found.blockers == Rows({"state": [2], "blocker": [0]}, (3,))


def test_numbers_run_through_lists_and_polygons() -> None:
    outlines = Polygons([[(20, 20), (21, 20), (20, 21)], [(-20, 4), (20, 4), (20, 5), (-20, 5)]])
    bases = rows_of(box(20, 4, 22, 5), box(-20, 6, 20, 7))
    for parts, named in (
        ([bases, outlines], [1, 3]),
        ([outlines, bases], [1, 3]),
        ([bases[:1], outlines], [2]),
    ):
        assert sight_lines(one(WIDE), one(FAR), parts).blockers.blocker.tolist() == named


@pytest.mark.parametrize("touching", ["clear", "blocked"])
def test_touching(touching: Any) -> None:
    """A line along a side, free or not; the base that is grazed is then named."""
    found = sight_lines(one(EYE), one(SPOT), rows_of(box(0, 4, 2, 6), box(3, 4, 5, 6)), touching=touching)
    assert found.visible == (touching == "clear")
    assert found.blockers.blocker.tolist() == ([] if touching == "clear" else [0])


def test_half_angle_and_tol() -> None:
    spots = rows_of(point(2 + 10 * math.tan(0.3), 10), point(2.01 + 10 * math.tan(0.3), 10), point(2.005, 0))
    assert sight_lines(one(WIDE), spots, half_angle=0.3).visible.tolist() == [True, False, False]
    assert sight_lines(one(WIDE), spots, half_angle=0.3, tol=0.03).visible.tolist() == [True, True, True]


# --- forms of a call --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("sources", "targets", "shape"),
    [
        ((), (), ()),
        ((6,), (), (6,)),
        ((), (7,), (7,)),
        ((5, 1), (7,), (5, 7)),
        ((1, 5), (7, 1), (7, 5)),
        ((3, 4, 1), (5,), (3, 4, 5)),
        ((3, 1, 4), (3, 6, 1), (3, 6, 4)),
        ((1, 1, 1), (1, 1, 1), (1, 1, 1)),
        ((0,), (), (0,)),
        ((3, 1), (0,), (3, 0)),
        ((0, 3, 1), (4,), (0, 3, 4)),
    ],
    ids=str,
)
def test_shapes(sources: Any, targets: Any, shape: Any) -> None:
    source, target, blockers = table(1, *sources), table(2, *targets), table(3, 6)
    found = sight_lines(source, target, blockers)
    visible = np.asarray(found.visible)
    assert visible.dtype == np.bool_
    assert visible.shape == shape
    assert found.start.shape == found.end.shape == (*shape, 2)
    assert found.blockers.shape == shape
    assert np.array_equal(visible, line_of_sight(source, target, blockers))
    assert np.array_equal(np.isnan(found.start).any(axis=-1), ~visible)
    for i, at in enumerate(np.ndindex(shape)):
        own = sight_lines(
            source[
                tuple(k if n > 1 else 0 for k, n in zip(at[len(at) - len(sources) :], sources, strict=True))
            ],
            target[
                tuple(k if n > 1 else 0 for k, n in zip(at[len(at) - len(targets) :], targets, strict=True))
            ],
            blockers,
        )
        assert own.blockers.blocker.tolist() == found.blockers.for_state(i).blocker.tolist()
        assert np.array_equal(own.start, found.start[at], equal_nan=True)
        assert np.array_equal(own.end, found.end[at], equal_nan=True)


@pytest.mark.parametrize(
    "blockers", [(), [], Bases.point([], []), Polygons([])], ids=["none", "list", "bases", "polygons"]
)
def test_without_blockers(blockers: Any) -> None:
    found = sight_lines(table(1, 5)[:, None], table(2, 7), blockers)
    assert np.array_equal(found.visible, line_of_sight(table(1, 5)[:, None], table(2, 7)))
    assert 0 < found.visible.sum() < 35
    assert len(found.blockers) == 0
    assert found.blockers.shape == (5, 7)
    single = sight_lines(one(WIDE), one(FAR), blockers)
    assert single.visible
    assert single.end[1] == pytest.approx(10)


def test_blockers_of_many_states() -> None:
    states, sources, targets = table(4, 3, 6), table(5, 5), table(6, 4)
    blocks = np.random.default_rng(7).random((3, 5, 4, 6)) < 0.7
    found = sight_lines(sources[:, None], targets, states[:, None, None, :], blocks=blocks)
    assert found.visible.shape == (3, 5, 4)
    for s in range(3):
        own = sight_lines(sources[:, None], targets, states[s], blocks=blocks[s])
        assert np.array_equal(found.visible[s], own.visible)
        assert np.array_equal(found.start[s], own.start, equal_nan=True)
        rows = found.blockers[(found.blockers.state >= 20 * s) & (found.blockers.state < 20 * (s + 1))]
        assert np.array_equal(rows.state - 20 * s, own.blockers.state)
        assert np.array_equal(rows.blocker, own.blockers.blocker)


@pytest.mark.parametrize("workers", [2, -1])
def test_workers_change_nothing(workers: int) -> None:
    sources, targets, states = table(8, 60), table(9, 60), table(10, 3, 14)[:, None, None, :]
    alone = sight_lines(sources[:, None], targets, states)
    shared = sight_lines(sources[:, None], targets, states, workers=workers)
    assert np.array_equal(alone.visible, shared.visible)
    assert np.array_equal(alone.start, shared.start, equal_nan=True)
    assert np.array_equal(alone.end, shared.end, equal_nan=True)
    assert alone.blockers == shared.blockers
    assert len(alone.blockers) > 500


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"touching": "maybe"}, ValueError, "touching must be 'clear' or 'blocked', got 'maybe'"),
        (
            {"touching": np.array(["clear"] * 2)},
            ValueError,
            "touching must be 'clear' or 'blocked', got array",
        ),
        ({"touching": None}, ValueError, "touching"),
        ({"touching": True}, ValueError, "touching"),
        ({"touching": ["clear"]}, ValueError, "touching"),
        ({"half_angle": 0.0}, ValueError, "half_angle"),
        ({"tol": 0.0}, ValueError, "tol"),
        ({"tol": 1e-9}, ValueError, "tol"),
        ({"workers": 0}, ValueError, "workers"),
        ({"blocks": np.ones((3, 2), bool)}, ValueError, "blocks"),
        ({"blockers": 3.0}, TypeError, "blockers"),
    ],
    ids=repr,
)
@pytest.mark.parametrize("question", [line_of_sight, sight_lines])
def test_refused(question: Any, options: dict[str, Any], error: Any, message: str) -> None:
    arguments = {"blockers": table(3, 6)} | options
    with pytest.raises(error, match=message):
        question(table(1, 4)[:, None], table(2, 5), **arguments)
