"""Kernels of links, against plain loops over the public questions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

import ninthgeom
from ninthgeom_kernel.links import clear_lines, close_enemies, group_boxes, near_scenes
from tests.strategies import random_bases

ORDER, STARTS = np.array([0, 2, 4, 1, 3, 5]), np.array([0, 3, 5, 6])
GROUP = np.array([0, 1, 0, 1, 0, 2])


def scenes(seed: int, n: int = 30) -> tuple[ninthgeom.Bases, Any]:
    rng = np.random.default_rng(seed)
    bases = random_bases(rng, n * 6, "mixed", spread=3.0).reshape(n, 6)
    return bases, rng.random((n, 6)) < 0.8


def boxes_of(bases: ninthgeom.Bases, present: Any) -> Any:
    out = np.empty((4, len(bases), 3))
    group_boxes(bases._columns, ORDER, STARTS, present, out)
    return out


def test_group_boxes_are_those_of_the_bases() -> None:
    bases, present = scenes(1)
    found = boxes_of(bases, present)
    bounds = bases.bounds
    for s in range(len(bases)):
        for g in range(3):
            own = bounds[s][(g == GROUP) & present[s]]
            low, high = own[:, :2].min(axis=0, initial=np.inf), own[:, 2:].max(axis=0, initial=-np.inf)
            assert np.allclose(found[:, s, g], [*low, *high])


@pytest.mark.parametrize("reach", [0.0, 1.0])
def test_close_enemies(reach: float) -> None:
    bases, present = scenes(2)
    side = np.array([0, 1, 0, 0, 1, 1])
    gaps = ninthgeom.gap(bases[:, :, None], bases[:, None])
    wanted = {
        (s, u, v)
        for s in range(len(bases))
        for u in range(6)
        for v in range(6)
        if GROUP[u] < GROUP[v] and side[u] != side[v] and present[s, [u, v]].all() and gaps[s, u, v] <= reach
    }
    pairs, count = np.full((500, 3), -1), np.zeros(1, np.int64)
    args = bases._columns, boxes_of(bases, present), ORDER, STARTS, side, present, reach
    assert close_enemies(*args, pairs, count)
    found = [tuple(pair) for pair in pairs[: count[0]].tolist()]
    assert set(found) == wanted
    assert len(found) == len(wanted) > 5
    assert [s for s, _, _ in found] == sorted(s for s, _, _ in found)
    assert not close_enemies(*args, pairs[: len(wanted) - 1].copy(), count)


def test_near_scenes() -> None:
    bases, present = scenes(3)
    rng = np.random.default_rng(4)
    low = rng.uniform(-8, 8, (5, 2))
    bounds = np.concatenate([low, low + rng.uniform(0, 3, (5, 2))], axis=1)
    boxes = boxes_of(bases, present)
    state, group = np.divmod(np.arange(90), 3)
    width = rng.uniform(0, 3, 90)
    near, outlines = np.empty((90, 6), np.bool_), np.empty((90, 5), np.bool_)
    near_scenes(bases._columns, boxes, state, group, width, GROUP, present, bounds, near, outlines)

    def meets(q: int, box: Any) -> bool:
        x0, y0, x1, y1 = boxes[:, state[q], group[q]]
        w = width[q]
        return bool(box[0] - w <= x1 and box[1] - w <= y1 and box[2] + w >= x0 and box[3] + w >= y0)

    for q in range(90):
        others = present[state[q]] & (group[q] != GROUP)
        assert near[q].tolist() == [bool(others[u] and meets(q, bases.bounds[state[q], u])) for u in range(6)]
        assert outlines[q].tolist() == [meets(q, box) for box in bounds]
    assert 0.2 < near.mean() < 0.8


def shape_of(points: Any, radius: float, width: int) -> tuple[Any, Any]:
    """A shape as the kernel takes it: corners, the last one repeated, and circles."""
    corners = np.asarray(points, float)
    middle = corners.mean(axis=0)
    around = np.hypot(*(corners - middle).T).max() + radius
    padded = np.concatenate([corners, np.repeat(corners[-1:], width - len(corners), axis=0)])
    return padded.T, [*middle, around, radius]


def clear(
    ends: Any, shapes: Any, radii: Any, scene: Any = None, starts: Any = None, tol: float = 1e-6
) -> Any:
    """Whether lines keep clear of shapes, all of them in one scene unless told."""
    width = max([4, *map(len, shapes)])
    made = [shape_of(points, radius, width) for points, radius in zip(shapes, radii, strict=True)]
    lines = np.ascontiguousarray(np.swapaxes(np.asarray(ends, float), 1, 2))
    out = np.empty(len(lines), np.bool_)
    clear_lines(
        lines,
        np.zeros(len(lines), np.int64) if scene is None else scene,
        np.array([vertices for vertices, _ in made]).reshape(-1, 2, width),
        np.array([circle for _, circle in made]).reshape(-1, 4),
        np.array([0, len(shapes)]) if starts is None else starts,
        tol,
        out,
    )
    return out


def some_shapes(rng: np.random.Generator, n: int) -> tuple[list[Any], list[float]]:
    """Discs, ovals, rectangles and hexagons, some of them with a radius."""
    shapes, radii = [], []
    for k in range(n):
        corners = (1, 2, 4, 6)[k % 4]
        turn, size = rng.uniform(0, 2 * math.pi), rng.uniform(0.2, 1.5)
        angles = turn + 2 * math.pi * np.arange(corners) / corners
        shapes.append(rng.uniform(-3, 3, 2) + size * np.stack([np.cos(angles), np.sin(angles)], axis=1))
        radii.append(float(rng.uniform(0.2, 1.0)) if corners < 3 or rng.random() < 0.3 else 0.0)
    return shapes, radii


def gap_of(line: Any, points: Any, radius: float) -> float:
    core = shapely.Polygon(points) if len(points) > 2 else shapely.MultiPoint(points).convex_hull
    return float(shapely.distance(core, shapely.LineString(line))) - radius


def test_lines_are_clear_only_where_they_are() -> None:
    """Never nearer than the tolerance; always found for discs, and for most others."""
    rng = np.random.default_rng(8)
    shapes, radii = some_shapes(rng, 40)
    lines = rng.uniform(-5, 5, (60, 2, 2))
    found = missed = 0
    for points, radius in zip(shapes, radii, strict=True):
        for line, is_clear in zip(lines, clear(lines, [points], [radius]), strict=True):
            gap = gap_of(line, points, radius)
            assert gap > 1e-6 or not is_clear
            assert is_clear or len(points) > 1 or gap <= 1e-6
            found += bool(is_clear)
            missed += bool(gap > 1e-6 and not is_clear)
    assert found > 1000
    assert missed < 0.03 * found


def test_all_shapes_of_the_scene_and_no_other_count() -> None:
    rng = np.random.default_rng(9)
    shapes, radii = some_shapes(rng, 24)
    starts, scene = np.array([0, 5, 5, 12, 24]), rng.integers(0, 4, 80)
    lines = rng.uniform(-5, 5, (80, 2, 2))
    alone = np.array([clear(lines, [points], [radius]) for points, radius in zip(shapes, radii, strict=True)])
    wanted = [alone[starts[q] : starts[q + 1], k].all() for k, q in enumerate(scene)]
    assert clear(lines, shapes, radii, scene, starts).tolist() == wanted
    assert 10 < sum(wanted) < 70


@pytest.mark.parametrize(("off", "is_clear"), [(-0.1, False), (0.0, False), (9e-7, False), (2e-6, True)])
def test_more_than_the_tolerance(off: float, is_clear: bool) -> None:
    """Beside a disc, a side, a corner, and before the end of the line."""
    line = [((0.0, 0.0), (4.0, 0.0))]
    square = np.array([(1.0, 0.0), (2.0, 0.0), (2.0, 1.0), (1.0, 1.0)])
    for points, radius in (
        ([(2.0, 1.0 + off)], 1.0),
        (np.add(square, [0.0, off]), 0.0),
        ([(2.0, off), (3.0, 1.0), (2.0, 2.0), (1.0, 1.0)], 0.0),
        ([(5.0 + off, 0.0)], 1.0),
        (np.add(square, [3.0 + off, -0.5]), 0.0),
        ([(4.5 + off, -1.0), (4.5 + off, 1.0)], 0.5),
    ):
        assert clear(line, [points], [radius])[0] == is_clear
        assert clear([line[0][::-1]], [points], [radius])[0] == is_clear


def test_lines_of_no_length_are_points() -> None:
    square = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
    points = [((0.5, 0.5),) * 2, ((1.5, 0.5),) * 2]
    assert clear(points, [square], [0.0]).tolist() == [False, True]
    assert clear(points, [[(0.5, 0.5)]], [0.6]).tolist() == [False, True]


def test_nothing_stops_nothing() -> None:
    assert clear([((0.0, 0.0), (1.0, 1.0))], [], []).all()
