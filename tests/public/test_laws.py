"""Laws of every question about pairs: swapping, turning, shifting, mirroring, reordering, splitting.

The questions come from `tests/contract.py`; where an answer does change, the tables here say how.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import Arc, Bases, Polygons, Relation, line_of_sight
from ninthgeom.polygons import Table
from tests.contract import QUESTIONS, Question
from tests.strategies import random_bases

PAIRS = [
    question
    for question in QUESTIONS
    if question.leading is None
    and isinstance(next(iter(question.make(1).values())).values, Bases | Polygons)
    and question.name != "sight_lines"  # one line of many, which rounding may choose; test_sight_lines.py
]
each_pair = pytest.mark.parametrize("question", PAIRS, ids=str)
N_RANDOM, N_GRID = 3000, 1000


def lengths(lines: np.ndarray) -> np.ndarray:
    return np.hypot(lines[..., 2] - lines[..., 0], lines[..., 3] - lines[..., 1])


def codes_swapped(codes: np.ndarray) -> np.ndarray:
    inside, contains = Relation.INSIDE, Relation.CONTAINS
    return np.select([codes == inside, codes == contains], [contains, inside], codes)


def arcs_mirrored(arcs: np.ndarray) -> np.ndarray:
    return arcs & 5 | (arcs & 2) << 2 | (arcs & 8) >> 2


#: What the laws are about where it is not the answer itself: of several shortest lines any may be chosen.
ABOUT: dict[str, Callable[[np.ndarray], np.ndarray]] = {"shortest_line": lengths}
#: Questions that treat their batches differently.
NO_SWAP = {"wholly_within", "inside_arcs", "located_arc", "line_of_sight"}
SWAPPED: dict[str, Callable[[np.ndarray], np.ndarray]] = {"relation": codes_swapped}
MIRRORED = {"inside_arcs": arcs_mirrored, "located_arc": arcs_mirrored}


def cases(question: Question) -> dict[str, Any]:
    """Random bases of all kinds, then some on a coarse grid, that are flush, nested or equal."""
    rng = np.random.default_rng(5)
    arguments = {}
    for name, batch in question.make(N_RANDOM + N_GRID).items():
        arguments[name] = batch.values
        if isinstance(batch.values, Bases):
            x, y = rng.integers(-2, 3, (2, N_GRID))
            width, depth = rng.integers(0, 4, (2, N_GRID))
            heading = 0.5 * math.pi * rng.integers(0, 4, N_GRID)
            grid = Bases(x, y, heading, width=width, depth=depth)
            near = random_bases(rng, N_RANDOM, "mixed", spread=1.5)
            arguments[name] = Bases.concatenate([near, grid])
    return arguments


def placed(value: Any, *, turn: float = 0.0, x: float = 0.0, y: float = 0.0, mirror: bool = False) -> Any:
    """The same things on a table mirrored at the x axis, turned round the origin and shifted."""
    cos, sin, sign = math.cos(turn), math.sin(turn), -1.0 if mirror else 1.0
    if isinstance(value, list):
        return [placed(part, turn=turn, x=x, y=y, mirror=mirror) for part in value]
    if isinstance(value, Bases):
        return Bases(
            cos * value.x - sin * sign * value.y + x,
            sin * value.x + cos * sign * value.y + y,
            sign * value.heading + turn,
            width=value.width,
            depth=value.depth,
            radius=value.radius,
        )
    if isinstance(value, Polygons):
        return all_placed(value._table, cos, sin, sign, x, y)[value._index]
    return value


@cache
def all_placed(table: Table, cos: float, sin: float, sign: float, x: float, y: float) -> Polygons:
    """All polygons of a table; cut in pieces once for all questions."""
    turned = np.array([[cos, sin], [-sin * sign, cos * sign]])
    return Polygons(shapely.transform(table.geometries, lambda at: at @ turned + (x, y)))


def answer(question: Question, arguments: dict[str, Any], **place: Any) -> np.ndarray:
    """What the law is about, of things placed anew."""
    there = {name: placed(value, **place) for name, value in {**question.fixed, **arguments}.items()}
    found: np.ndarray = question.ask(there)
    return ABOUT.get(question.name, lambda same: same)(found)


def assert_close(found: np.ndarray, expected: np.ndarray) -> None:
    if expected.dtype == np.float64:
        np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)
    else:
        np.testing.assert_array_equal(found, expected)


@each_pair
def test_cases_are_of_every_kind(question: Question) -> None:
    found = answer(question, cases(question))
    assert len(np.unique(found)) > {np.bool_: 1, np.uint8: 4}.get(type(found[0]), 5)


@each_pair
@pytest.mark.parametrize(
    ("turn", "x", "y"),
    [
        (0.0, -777.0, 431.0),
        (0.5 * math.pi, 0.0, 0.0),
        (1.0, 100.0, -7.0),
        (-2.0, -1000.0, 1000.0),
        (3.7, 36, 24),
    ],
)
@pytest.mark.parametrize("mirror", [False, True], ids=["turned", "mirrored"])
def test_the_table_may_stand_anywhere(
    question: Question, turn: float, x: float, y: float, mirror: bool
) -> None:
    arguments = cases(question)
    expected = answer(question, arguments)
    found = answer(question, arguments, turn=turn, x=x, y=y, mirror=mirror)
    if mirror and question.name in MIRRORED:
        expected = MIRRORED[question.name](expected)
        on_both_flanks = (arguments["observers"].width == 0.0) & (found == Arc.LEFT)
        expected[on_both_flanks] = Arc.LEFT
    assert_close(found, expected)


@pytest.mark.parametrize("question", [q for q in PAIRS if q.name not in NO_SWAP], ids=str)
def test_first_and_second_may_change_places(question: Question) -> None:
    arguments = cases(question)
    expected = answer(question, arguments)
    swapped = {**arguments, "a": arguments["b"], "b": arguments["a"]}
    assert_close(answer(question, swapped), SWAPPED.get(question.name, lambda same: same)(expected))


@each_pair
def test_order_and_size_of_the_batch_do_not_matter(question: Question) -> None:
    arguments = cases(question)
    whole = question.ask(arguments)
    n = len(whole)
    order = np.random.default_rng(6).permutation(n)
    reordered = question.ask({name: value[order] for name, value in arguments.items()})
    np.testing.assert_array_equal(reordered, whole[order])
    for cut in (1, 7, n // 2):
        parts = [
            question.ask({name: value[half] for name, value in arguments.items()})
            for half in (slice(cut), slice(cut, None))
        ]
        np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_shortest_lines_turn_with_the_table() -> None:
    (question,) = [q for q in PAIRS if str(q) == "shortest_line"]
    arguments = {name: value[:N_RANDOM] for name, value in cases(question).items()}
    lines = question.ask(arguments)
    is_apart = lengths(lines) > 1e-3  # in contact any common point will do
    ends = Bases.point(lines[:, ::2], lines[:, 1::2])
    for place in ({"turn": 1.0, "x": 100.0}, {"turn": -2.0, "y": -1000.0, "mirror": True}):
        expected = placed(ends, **place)
        found = question.ask({name: placed(value, **place) for name, value in arguments.items()})
        np.testing.assert_allclose(found[is_apart, ::2], expected.x[is_apart], rtol=0, atol=1e-7)
        np.testing.assert_allclose(found[is_apart, 1::2], expected.y[is_apart], rtol=0, atol=1e-7)
    swapped = question.ask({"a": arguments["b"], "b": arguments["a"]})
    np.testing.assert_allclose(swapped[is_apart][:, [2, 3, 0, 1]], lines[is_apart], rtol=0, atol=1e-7)


# ---------------------------------------------------------------------------------- sight among obstacles

PLACES = ({"turn": 1.0, "x": 50.0, "y": -99.0}, {"turn": -2.3}, {"turn": 0.7, "mirror": True, "x": -3.0})


def test_sight_on_a_grid_does_not_depend_on_where_the_table_stands() -> None:
    """Walls, ends and corners on targets, notches and sides in line with them; targets are rectangles."""
    for seed in range(100):
        rng = np.random.default_rng([7, seed])
        x, y = rng.integers(-10, 11, (2, 66)) / 2
        width, depth = rng.integers(0, 4, (2, 66)) / 2
        radius = np.where(rng.random(66) < 0.3, 0.5 * np.minimum(width, depth), 0.0)
        width[30:60] += 0.5
        depth[30:60] += 0.5
        radius[30:60] = 0.0
        heading = 0.25 * math.pi * rng.integers(0, 8, 66)
        bases = Bases(x, y, heading, width=width, depth=depth, radius=radius)
        left, low = rng.integers(-6, 6, 2)
        notch = [(0, 0), (2, 0), (2, 2), (1, 1), (0, 2)]
        polygon = Polygons([[(left + x, low + y) for x, y in notch]])
        arguments = bases[:30, None], bases[30:60], [bases[60:], polygon]
        expected = line_of_sight(*arguments)
        for place in PLACES:
            np.testing.assert_array_equal(line_of_sight(*(placed(a, **place) for a in arguments)), expected)


@pytest.mark.parametrize(
    ("outline", "parts"),
    [
        (
            [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)],
            [[(0, 0), (2, 0), (2, 1), (0, 1)], [(0, 0), (1, 0), (1, 2), (0, 2)]],
        ),
        (
            [(0, 0), (2, 0), (2, 2), (1, 1), (0, 2)],
            [[(0, 0), (1, 0), (1, 1), (0, 2)], [(1, 0), (2, 0), (2, 2), (1, 1)]],
        ),
    ],
    ids=["L", "notch"],
)
def test_sight_of_what_stands_on_terrain_is_that_past_its_parts(outline: Any, parts: Any) -> None:
    """However an outline is cut in pieces, it hides the same, also where sources and targets lie on it."""
    for seed in range(20):
        rng = np.random.default_rng([8, seed])
        sources = random_bases(rng, 40, "mixed", spread=4.0)
        targets = random_bases(rng, 40, "mixed", spread=1.0)
        shift = rng.uniform(-1.5, 0.5, 2)
        whole, cut = (Polygons([np.array(ring) + shift for ring in rings]) for rings in ([outline], parts))
        expected = line_of_sight(sources[:, None], targets, cut)
        np.testing.assert_array_equal(line_of_sight(sources[:, None], targets, whole), expected)
        assert expected.any()
        assert not expected.all()
        for place in PLACES:
            there = (placed(a, **place) for a in (sources[:, None], targets, whole))
            np.testing.assert_array_equal(line_of_sight(*there), expected)
