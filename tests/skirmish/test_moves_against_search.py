"""Directed moves against a search along the line, lengths of ways by a graph of corners made here.

Terrain is made of convex polygons far enough apart from each other, so that no gap is closed.
"""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
import shapely
from numpy.typing import NDArray

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import move_directly

Floats = NDArray[np.float64]
RADIUS = 0.6
SIZE = (30.0, 20.0)
SLACK = 1e-7
# Seeds of each run of the tests, with moves that leave the line; the others are left to the long one.
FEW = {False: range(26, 41), True: range(16, 31)}


class Ways:
    """Lengths of the shortest ways of a point round convex polygons from one start."""

    def __init__(self, polygons: list[Any], start: Floats) -> None:
        self.inner = [shapely.buffer(polygon, -SLACK, join_style="mitre") for polygon in polygons]
        rings = [np.asarray(polygon.exterior.coords)[:-1] for polygon in polygons]
        self.nodes = np.concatenate([start[None], *rings])
        on_table = ((self.nodes >= 0.0) & (self.nodes <= SIZE)).all(axis=1)
        self.nodes = self.nodes[on_table]
        n = len(self.nodes)
        legs = np.full((n, n), math.inf)
        for i, j in itertools.combinations(range(n), 2):
            if self.is_free(self.nodes[i], self.nodes[j]):
                legs[i, j] = legs[j, i] = math.dist(self.nodes[i], self.nodes[j])
        self.far = legs[0].copy()
        self.far[0] = 0.0
        for _ in range(n):
            self.far = np.minimum(self.far, (self.far[:, None] + legs).min(axis=0))

    def is_free(self, a: Floats, b: Floats) -> bool:
        line = shapely.LineString([a, b])
        return not any(inner.intersects(line) for inner in self.inner)

    def length(self, goal: Floats) -> float:
        legs = [
            far + math.dist(n, goal)
            for n, far in zip(self.nodes, self.far, strict=True)
            if self.is_free(n, goal)
        ]
        return min(legs, default=math.inf)


def scene(seed: int) -> tuple[list[Any], Floats, Floats, float]:
    """Polygons, the places of two discs, and an allowance."""
    rng = np.random.default_rng(seed)
    a, b = rng.normal((11.0, 10.0), 1.0), rng.normal((25.0, 10.0), 0.7)
    polygons: list[Any] = []
    for _ in range(int(rng.integers(2, 8))):
        centre = np.array([rng.uniform(3.0, 22.0), rng.normal(10.0, 1.2)])
        angles = np.sort(rng.uniform(0.0, 2.0 * math.pi, 5))
        ring = centre + rng.uniform(0.8, 2.2) * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        polygon = shapely.Polygon(ring)
        apart = all(polygon.distance(other) > 1.001 for other in polygons)
        clear = all(polygon.distance(shapely.Point(p)) > RADIUS + 0.01 for p in (a, b))
        inside = bool(((ring > 1.001) & (ring < np.array(SIZE) - 1.001)).all())
        if apart and clear and inside and polygon.area > 0.3:
            polygons.append(polygon)
    return polygons, a, b, float(rng.uniform(1.0, 16.0))


def fits(polygons: list[Any], b: Floats, spots: Floats) -> NDArray[np.bool_]:
    points = shapely.points(spots)
    good = ((spots >= RADIUS - SLACK) & (spots <= np.array(SIZE) - RADIUS + SLACK)).all(axis=1)
    for polygon in polygons:
        good &= shapely.distance(polygon, points) >= RADIUS - SLACK
    return np.asarray(good & (np.hypot(*(spots - b).T) >= 2.0 * RADIUS - SLACK))


@pytest.mark.parametrize("away", [False, True])
def test_directed_moves(away: bool) -> None:
    kinds = [compared(seed, away) for seed in FEW[away]]
    assert kinds.count("beside the line") >= 2
    assert kinds.count("on the line") >= 10


@pytest.mark.verify
def test_many_directed_moves() -> None:
    for seed in range(50):
        compared(seed, False)
        compared(seed, True)
    for seed in range(1000, 2000):
        compared(seed, bool(seed % 2))
    print("seeds 0 to 49 both ways, 1000 to 1999")


def compared(seed: int, away: bool) -> str:
    polygons, a, b, allowed = scene(seed)
    units = [Unit(name, 50.8 * RADIUS, shape="round") for name in ("own", "foe")]
    board = Board(units, [Terrain(np.asarray(p.exterior.coords)[:-1], kind="wall") for p in polygons], SIZE)
    at = [(*a, 0.0), (*b, 0.0)]
    move = move_directly(board, at, "own", "foe", allowed, away=away)
    spot, length = move.positions[0, :2], float(move.length)
    apart = math.dist(a, b)
    way = (b - a) / apart * (-1.0 if away else 1.0)
    ways = Ways(polygons, a)
    # the way is one, no longer than allowed, and ends where the leader is
    assert length <= allowed + 1e-6
    assert fits(polygons, b, spot[None] if move.moved else a[None]).all()
    assert length >= ways.length(spot) - 1e-6
    end = 40.0 if away else apart - 2.0 * RADIUS
    places = np.linspace(0.0, end, 1201)
    spots = a + places[:, None] * way
    good = fits(polygons, b, spots)
    if away:
        good &= ((spots >= RADIUS - SLACK) & (spots <= np.array(SIZE) - RADIUS + SLACK)).all(axis=1)
        assert math.dist(spot, b) >= apart - 1e-6
    else:
        assert math.dist(spot, b) <= apart + 1e-6
    lengths = np.full(len(places), math.inf)
    lengths[good] = [ways.length(p) for p in spots[good]]
    reached = places[lengths <= allowed].max(initial=0.0)
    along = float((spot - a) @ way)
    if abs(float(way[0] * (spot - a)[1] - way[1] * (spot - a)[0])) <= 1e-6:  # on the line
        assert along >= reached - 1e-6, seed
        assert length == pytest.approx(ways.length(spot), abs=1e-6)
        return "on the line"
    # else the line is not reached again, and the way is longer than what the line allows
    behind = (places > reached + 0.05) & good & np.isfinite(lengths)
    assert not (lengths[behind] <= allowed).any()
    assert length >= lengths[places <= reached + 1e-9][-1] - 1e-6
    return "beside the line"
