"""Lines straight ahead among convex shapes, against outlines by shapely and every line that could tell."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely

from ninthgeom_kernel import ahead
from ninthgeom_kernel.ahead import CORNERS
from tests.reference.forms import callable_helper
from tests.reference.lines_ahead import (
    DRAWN,
    FIRST,
    TOL,
    Scene,
    Shape,
    box,
    facing_edge,
    random_scene,
    random_shape,
    tables,
    tilted,
)

extent, reached, blocks, is_line_free = map(
    callable_helper, (ahead.extent, ahead.reached, ahead.blocks, ahead.is_line_free)
)


@pytest.mark.parametrize("seed", range(4))
def test_extent_is_that_of_the_outline(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for shape in [random_shape(rng) for _ in range(25)]:
        corners, limits = tables([shape])
        left, right = shape.ends
        rest = 1e-3 * (right - left)
        xs = np.concatenate([rng.uniform(left + rest, right - rest, 6), shape.corners[0]])
        xs = xs if shape.radius else xs[:6]
        lines = shapely.linestrings([[(x, -9.0), (x, 9.0)] for x in xs])
        cut = shapely.bounds(shapely.intersection(lines, shape.outline))
        if right > left:
            for x, (_, low, _, high) in zip(xs, cut, strict=True):
                assert np.allclose(extent(corners, limits, 0, x, TOL), (low, high), rtol=0, atol=2 * DRAWN)


@pytest.mark.parametrize("off", [-9e-7, 0.0, 9e-7])
def test_extent_at_the_ends(off: float) -> None:
    for x, shape, at_end in (
        (2.0, box(-1, 2, 0, 1), (0, 1)),
        (2.0, Shape(np.array([[2.0, 0.0, 0.0], [0.4, 1.0, 0.0]])), (0.4, 0.4)),
        (2.5, Shape(np.array([[2.0], [0.7]]), 0.5), (0.7, 0.7)),
        (2.5, box(0, 2, 0, 1, radius=0.5), (0, 1)),
        # an edge that is nearly upright, on one side of the line or on both
        (2.0, Shape(np.array([[2.0, 2.0 - 5e-7, 0.0, 0.0], [0.0, 1.0, 1.0, 0.0]])), (0, 1)),
    ):
        corners, limits = tables([shape])
        # the outline of what is round rises by the root of twice the radius times that
        assert np.allclose(
            extent(corners, limits, 0, x + off, TOL), at_end, rtol=0, atol=1e-3 if shape.radius else 2e-6
        )
    assert extent(*tables([box(0, 1, 0, 1)]), 0, 1.1, TOL) == (math.inf, -math.inf)


def test_extent_of_a_disc_and_of_a_segment() -> None:
    corners, limits = tables([Shape(np.array([[1.0], [2.0]]), 0.5), tilted(0.0, 0.0, -math.pi / 4, 1.0, 0.0)])
    for x in (0.5, 0.7, 1.0, 1.49):
        height = math.sqrt(0.25 - (x - 1.0) ** 2)
        assert np.allclose(extent(corners, limits, 0, x, TOL), (2 - height, 2 + height))
    assert np.allclose(extent(corners, limits, 1, 0.25, TOL), 0.25)


def found(scene: Scene, order: np.ndarray | None = None) -> bool:
    """What the kernel says, with the shapes in any order."""
    order = np.arange(len(scene.shapes)) if order is None else order
    i, j = np.argsort(order)[:2].tolist()
    corners, limits = tables([scene.shapes[k] for k in order])
    return bool(is_line_free(corners, limits, 0, len(order), i, j, scene.edge, scene.low, scene.high, TOL))


@pytest.mark.parametrize("is_round", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_lines_are_found_where_there_are_any(seed: int, is_round: bool) -> None:
    rng = np.random.default_rng(seed)
    free = blocked = 0
    for _ in range(30):
        scene = random_scene(rng, is_round)
        if scene.high < scene.low:
            assert not found(scene)
        elif scene.any_line(-DRAWN):
            free += 1
            assert found(scene, rng.permutation(len(scene.shapes)))
        elif not scene.any_line(DRAWN):
            blocked += 1
            assert not found(scene, rng.permutation(len(scene.shapes)))
    assert min(free, blocked) > 1


ABOVE = box(-2.0, 2.0, 2.0, 3.0)
ROUND_ABOVE = Shape(np.array([[0.0], [1.5]]), 1.0)
DIAMOND = Shape(np.array([[0.0, 4.0, 0.0, -4.0], [0.6, 2.6, 4.6, 2.6]]))


@pytest.mark.parametrize(
    ("others", "free"),
    [
        ([], True),
        ([box(-2, 2, 0.5, 1.5)], False),
        # the whole width and no more, or a little less
        ([box(-1.2, 1, 0.5, 1.5)], True),
        ([box(-1.2, 1, 0.5, 1.5, rim=-TOL)], False),
        ([box(-1.2 - TOL, 1 + TOL, 0.5, 1.5)], True),
        ([box(-1.2 - 3 * TOL, 1 + 3 * TOL, 0.5, 1.5)], False),
        # beneath, behind, and in both to the tolerance
        ([box(-2, 2, -1, 0)], True),
        ([box(-2, 2, 2, 3)], True),
        ([box(-2, 2, -1, 5e-7)], True),
        ([box(-2, 2, -1, 2e-6)], False),
        ([box(-2, 2, 2 - 5e-7, 3)], True),
        ([box(-2, 2, 2 - 2e-6, 3)], False),
        ([box(-2, 2, 0.5, 1.5, rim=1e300)], True),
        # a seam is free unless touching stops
        ([box(-2, 0.3, 0, 1), box(0.3, 2, 1, 2)], True),
        ([box(-2, 0.3, 0, 1, rim=-TOL), box(0.3, 2, 1, 2, rim=-TOL)], False),
        ([box(-2, 0.3, 0, 1, rim=-TOL), box(0.3 + 1.5e-6, 2, 1, 2, rim=-TOL)], False),
        ([box(-2, 0.3, 0, 1, rim=-TOL), box(0.3 + 2.5e-6, 2, 1, 2, rim=-TOL)], True),
        # a chain of which each one begins where another one still is
        ([box(0.5, 2, 0, 1), box(-0.5, 0.6, 1, 2), box(-2, -0.4, 0.5, 1)], False),
        ([box(0.5, 2, 0, 1), box(-0.5, 0.4, 1, 2), box(-2, -0.4, 0.5, 1)], True),
        # a roof that leans: not between where it is behind, on the left, or beneath, on the right
        ([Shape(np.array([[-3.0, 3.0, 3.0, -3.0], [3.2, -0.4, -0.2, 3.4]]))], True),
        ([Shape(np.array([[-3.0, 3.0, 3.0, -3.0], [2.3, 1.1, 1.2, 2.4]]))], False),
        ([Shape(np.array([[-3.0, 3.0, 3.0, -3.0], [2.3, 1.1, 1.2, 2.4]])), box(-2, -0.9, 1, 2)], False),
        ([Shape(np.array([[-3.0, 3.0, 3.0, -3.0], [-0.6, 0.6, 0.8, -0.4]])), box(-2, -0.9, 1, 2)], False),
    ],
)
def test_what_is_between(others: list[Shape], free: bool) -> None:
    scene = Scene([FIRST, ABOVE, *others], 2, -1.2, 1.0)
    assert found(scene) == free
    assert found(scene, np.arange(len(scene.shapes))[::-1]) == free


def test_lines_pass_at_the_rim() -> None:
    for wall in (box(0.25, 2, 0.5, 1.5, rim=0.25), box(-2, 0.75, 0.5, 1.5, rim=0.25)):
        assert found(Scene([FIRST, ABOVE, wall], 2, 0.5, 0.5))
    wall = box(0.25, 1.0, 0.5, 1.5, rim=0.25)
    assert not found(Scene([FIRST, ABOVE, wall], 2, 0.5625, 0.6875))


@pytest.mark.parametrize(("low", "high"), [(-1.0, 0.0), (2.0, 3.0), (-1.0, 9e-7), (2.0 - 9e-7, 3.0)])
def test_what_reaches_between_within_the_tolerance_is_not(low: float, high: float) -> None:
    for off in (0.0, 2e-6):
        corners, limits = tables([FIRST, ABOVE, box(-2, 2, low - off * (low > 0), high + off * (low < 0))])
        assert blocks(corners, limits, 2, 0, 1, 2, 0.3, TOL) == (off > 0)


def test_the_dead_and_empty_ranges() -> None:
    corners, limits = tables([FIRST, ABOVE, box(-2, 2, 0.5, 1.5)])
    limits[CORNERS, 2] = 0.0
    assert is_line_free(corners, limits, 0, 3, 0, 1, 2, -1.2, 1.0, TOL)
    assert is_line_free(corners, limits, 0, 3, 0, 1, 2, 0.3, 0.3, TOL)
    assert not is_line_free(corners, limits, 0, 3, 0, 1, 2, 0.3, 0.2, TOL)
    limits[CORNERS, 2] = 4.0
    assert not is_line_free(corners, limits, 0, 3, 0, 1, 2, 0.3, 0.3, TOL)
    assert is_line_free(corners, limits, 0, 2, 0, 1, 2, 0.3, 0.3, TOL)


@pytest.mark.parametrize(
    ("others", "free"),
    [
        # of what reaches into the lower side both ends are between, and the middle is behind
        ([box(-2, 2, 0.7, 1.5)], True),
        ([box(-2, 2, 0.7, 1.5), box(-0.5, 0.3, 0.1, 0.2)], True),
        ([box(-2, 2, 0.7, 1.5), box(-0.9, 0.9, 0.1, 0.2)], False),
        ([box(-2, 0, 0.7, 1.5), box(-0.1, 2, 0.4, 0.9)], True),
        ([box(-2, 0.5, 0.7, 1.5), box(-0.1, 2, 0.4, 0.9)], True),
        ([box(-2, -0.9, 0.2, 1.5), box(-2, 2, 0.4, 0.45)], False),
        ([DIAMOND], True),
        ([DIAMOND, box(-0.95, 0.95, 0.0, 0.3)], False),
        ([Shape(DIAMOND.corners - [[0.0], [0.2]]), box(0.2, 1, 0, 0.1), box(-2, -0.2, 0, 0.1)], False),
    ],
)
def test_what_overlaps_with_a_round_base(others: list[Shape], free: bool) -> None:
    scene = Scene([FIRST, ROUND_ABOVE, *others], -1, -1.0, 1.0)
    assert scene.any_line(-DRAWN) == scene.any_line(DRAWN) == free
    assert found(scene) == free


def test_scalars_on_random_lines() -> None:
    rng = np.random.default_rng(0)
    told = np.zeros(2, int)
    for i in range(60):
        scene = random_scene(rng, i % 2 == 0)
        first, second, *others = scene.shapes
        if scene.high <= scene.low or not others:
            continue
        corners, limits = tables(scene.shapes)
        rest = 1e-2 * (scene.high - scene.low)
        for x in rng.uniform(scene.low + rest, scene.high - rest, 5):
            end = facing_edge(second, scene.edge, np.array([x]))[0]
            assert abs(reached(corners, limits, 1, scene.edge, x, TOL) - end) < DRAWN
            for k, other in enumerate(others, 2):
                lower, upper = (side[0] for side in other.heights(np.array([x])))
                if other.ends[0] < x < other.ends[1] and min(abs(upper), abs(end - lower)) > 2 * DRAWN:
                    wanted = upper > first.top and lower < end
                    told[int(wanted)] += 1
                    assert blocks(corners, limits, k, 0, 1, scene.edge, x, TOL) == wanted
    assert told.min() > 30


def test_edges_are_not_extended() -> None:
    corners, limits = tables([box(-1, 1, 2, 3), tilted(0.0, 0.0, math.pi / 4, 1.0, 1.0)])
    assert reached(corners, limits, 0, 2, 1.5, TOL) == 2.0
    root = math.sqrt(2)
    # the left edge, down from the left corner
    for x, y in ((-2.0, 0.0), (-root, 0.0), (-1.0, 1 - root), (0.0, -root), (1.0, -root)):
        assert math.isclose(reached(corners, limits, 1, 1, x, TOL), y, abs_tol=1e-12)
