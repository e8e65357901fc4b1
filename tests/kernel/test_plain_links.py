"""Plain links against shapely: nothing is near, and no two pieces are so near that a gap could be passed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

import ninthgeom
from ninthgeom_kernel.plain_links import pieces_near, plain_links
from tests.strategies import random_bases

ORDER, STARTS = np.array([0, 2, 4, 1, 3, 5, 6, 7]), np.array([0, 3, 5, 8])
GROUP = np.array([0, 1, 0, 1, 0, 2, 2, 2])
TOL = 1e-6


def pieces_of(rings: list[Any]) -> tuple[Any, Any]:
    """Convex pieces as the kernels take them: corners and normals, and circles."""
    width = max([4, *map(len, rings)])
    corners = np.array([[*ring, *[ring[-1]] * (width - len(ring))] for ring in rings], float)
    corners = corners.reshape(-1, width, 2)
    side = np.roll(corners, -1, axis=1) - corners
    length = np.hypot(side[..., 0], side[..., 1])
    normals = np.stack([side[..., 1], -side[..., 0]], axis=-1) / np.where(length > 0, length, 1.0)[..., None]
    middle = corners.mean(axis=1)
    around = np.hypot(*np.moveaxis(corners - middle[:, None], -1, 0)).max(axis=1, initial=0.0)
    pieces = np.concatenate([corners, normals], axis=2).swapaxes(1, 2)
    return np.ascontiguousarray(pieces), np.column_stack([middle, around])


def asked(bases: ninthgeom.Bases, present: Any, leaders: Any, widths: Any, rings: list[Any]) -> Any:
    """Near pieces of each group of each state, and who is linked and left."""
    n_states, n_groups = leaders.shape
    pieces, rounds = pieces_of(rings)
    begin, boxes = np.empty(leaders.size + 1, np.int64), np.empty((4, n_groups))
    near, circles = np.empty(1000 * n_states, np.int64), np.empty((1000 * n_states, 3))
    args = bases._columns, ORDER, STARTS, present, leaders, widths
    assert not pieces_near(*args, rounds, TOL, boxes, begin, near[:5].copy(), circles[:5].copy())
    assert pieces_near(*args, rounds, TOL, boxes, begin, near, circles)
    linked, left = ~present, np.empty(leaders.shape, np.bool_)
    plain_links(
        *args[:3], leaders, widths, pieces, begin, near, circles, TOL, np.empty(8, np.int64), linked, left
    )
    linked &= present
    return [set(some.tolist()) for some in np.split(near[: begin[-1]], begin[1:-1])], linked, left


def may_pass(line: Any, shapes: list[Any], width: float) -> bool:
    """Whether a line surely passes no gap between any two shapes, and is off all of them."""
    distances = np.array([shapely.distance(shape, line) for shape in shapes])
    if (distances <= 2 * TOL).any():
        return False
    close = np.flatnonzero(distances < width)
    return not any(
        distances[i] + distances[j] < width
        and shapely.intersects(line, shapely.union(shapes[i], shapes[j]).convex_hull)
        for i in close
        for j in close[close > i]
    )


def scenes(seed: int, n: int = 40) -> tuple[Any, ...]:
    rng = np.random.default_rng(seed)
    bases = random_bases(rng, n * 8, "mixed", spread=9.0).reshape(n, 8)
    present = rng.random((n, 8)) < 0.9
    leaders = np.full((n, 3), -1)
    for s in range(n):
        for g in range(3):
            own = np.flatnonzero((g == GROUP) & present[s])
            if len(own) and rng.random() < 0.9:
                leaders[s, g] = rng.choice(own)
    rings = []
    for _ in range(4):
        angles = rng.uniform(0, 6) + 2 * np.pi * np.arange(k := int(rng.integers(3, 7))) / k
        ring = rng.uniform(0.2, 2.0) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
        rings.append(ring + rng.uniform(-9, 9, 2))
    widths = np.where(np.arange(8) < 5, rng.uniform(0.0, 3.0), 1.0)
    return bases, present, leaders, widths, rings


@pytest.mark.parametrize("seed", range(4))
def test_plain_links_are_links(seed: int) -> None:
    """Whoever is linked is so by a chain of lines that surely pass nothing."""
    bases, present, leaders, widths, rings = scenes(seed)
    near, linked, left = asked(bases, present, leaders, widths, rings)
    shapes = bases.to_shapely()
    terrain = [shapely.Polygon(ring) for ring in rings]
    found = open_ = 0
    for s in range(len(bases)):
        for g in range(3):
            own = np.flatnonzero((g == GROUP) & present[s])
            leader = leaders[s, g]
            if leader < 0:
                assert not left[s, g]
                assert not linked[s, own].any()
                continue
            others = np.flatnonzero((g != GROUP) & present[s])
            width = widths[leader]
            around = [*terrain, *shapes[s, others]]
            centres = np.stack([bases.x[s], bases.y[s]], axis=1)
            chain: set[int] = {int(leader)}
            before: set[int] = set()
            while chain != before:
                before = set(chain)
                for u in before:
                    for v in set(own.tolist()) - chain:
                        # discs of shapely are polygons inside them
                        if may_pass(shapely.LineString(centres[[u, v]]), around, width - 1e-3):
                            chain.add(v)
            assert set(own[linked[s, own]].tolist()) <= chain
            assert left[s, g] == (not linked[s, own].all())
            box = shapely.box(*shapely.total_bounds(shapes[s, own])).buffer(width, join_style="mitre")
            meets = {k for k, piece in enumerate(terrain) if shapely.intersects(piece, box)}
            meets |= {4 + int(u) for u in others if shapely.intersects(shapes[s, u], box)}
            assert meets <= near[3 * s + g]
            found += int(linked[s, own].sum()) - 1
            open_ += len(own) - int(linked[s, own].sum())
    assert found > 50
    assert open_ > 20


@pytest.mark.parametrize(
    ("gap", "at", "is_linked"),
    [
        (1.0 + 1e-4, 0.0, True),
        (1.0 - 1e-4, 0.0, False),
        (0.5, 1.2, True),
        (0.5, -1.2, True),
        (0.5, 0.4, False),
    ],
)
def test_gaps_between_two_pieces(gap: float, at: float, is_linked: bool) -> None:
    """A line through the gap between two squares, and past both of them."""
    square = np.array([(-0.5, 0.0), (0.5, 0.0), (0.5, 1.0), (-0.5, 1.0)])
    rings = [np.add(square, [0.0, gap / 2]), np.subtract(square, [0.0, 1.0 + gap / 2])]
    y = at * (1.0 + gap)
    bases = ninthgeom.Bases.round([-4.0, 20.0, 4.0, 20.0, 4.0, 20.0, 20.0, 20.0], y, diameter=1.0)
    present = np.array([[True, False, True, False, False, False, False, False]])
    leaders = np.array([[0, -1, -1]])
    _, linked, left = asked(bases.reshape(1, 8), present, leaders, np.ones(8), rings)
    assert linked[0, [0, 2]].tolist() == [True, is_linked]
    assert left[0].tolist() == [not is_linked, False, False]


def test_flying_leaders_pass_everything() -> None:
    bases, present, leaders, _, rings = scenes(9)
    near, linked, left = asked(bases, present, leaders, np.where(GROUP == 0, -1.0, 3.0), rings)
    assert not left[:, 0].any()
    assert all(not some for some in near[::3])
    own = (GROUP == 0) & present & (leaders[:, :1] >= 0)
    assert (linked[:, GROUP == 0] == own[:, GROUP == 0]).all()
