"""Laws that shortest routes obey, on crowded boards, and a grid that they are never longer than."""

from __future__ import annotations

import math
from typing import Any

import networkx as nx
import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import RouteMap, routes
from tests.skirmish.test_routes_oracle import SIZE, random_scene

SEEDS = range(12)
CLOSE = {"rel": 1e-9, "abs": 3e-6}


def scene(seed: int) -> tuple[Board, Any, Any, float, Any]:
    """A board with its state and ground, a gap, and points; some of these on corners, edges and rims."""
    rng = np.random.default_rng(seed)
    board, positions, ground = random_scene(rng)
    points = rng.uniform(0, SIZE, (14, 2))
    special = [piece.outline[0] for piece in board.terrain[:2]]
    special += [(piece.outline[0] + piece.outline[1]) / 2 for piece in board.terrain[2:4]]
    special += [
        positions[k, :2] + board.units[k].layout.radius / 25.4 * np.array([0.6, 0.8])
        for k, unit in enumerate(board.units)
        if unit.shape == "round"
    ][:3]
    points[: len(special)] = np.clip(np.array(special).reshape(-1, 2), 0, SIZE)
    return board, positions, ground, float(rng.choice([0.0, 0.5, 1.0])), points


def lengths(board: Board, positions: Any, ground: Any, gap: float, points: Any, **more: Any) -> Any:
    return RouteMap(board, positions, gap=gap, ground=ground, **more).lengths(points[:, None], points)


@pytest.mark.parametrize("seed", SEEDS)
def test_there_and_back_and_by_way_of_a_third(seed: int) -> None:
    board, positions, ground, gap, points = scene(seed)
    table = lengths(board, positions, ground, gap, points)
    finite = np.isfinite(table)
    assert np.array_equal(finite, finite.T)
    assert table[finite] == pytest.approx(table.T[finite], **CLOSE)
    straight = np.hypot(*np.moveaxis(points[:, None] - points, 2, 0))
    assert (table >= straight - 1e-9).all()
    assert (np.diag(table)[np.isfinite(np.diag(table))] == 0.0).all()
    # by way of a point that is not on a piece or a gate, where routes may end but not always go on
    third = np.arange(8, len(points))
    detour = table[:, third, None] + table[third]
    assert (table[:, None] <= detour + 1e-5).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_the_same_board_elsewhere(seed: int) -> None:
    """Mirrored, turned by a quarter, moved on a larger table, with all pieces in another order."""
    board, positions, ground, gap, points = scene(seed)
    if len(ground.closed):
        ground = None
    table = lengths(board, positions, ground, gap, points)
    width, height = SIZE

    def turned(at: Any) -> Any:
        return np.stack([height - at[..., 1], at[..., 0]], axis=-1)

    def mirrored(at: Any) -> Any:
        return np.stack([width - at[..., 0], at[..., 1]], axis=-1)

    rings = [piece.outline for piece in board.terrain]
    for change, size, headings in (
        (turned, (height, width), positions[:, 2] + math.pi / 2),
        (mirrored, SIZE, math.pi - positions[:, 2]),
    ):
        order = np.random.default_rng(seed).permutation(len(board))
        other = Board(
            [board.units[k] for k in order],
            [Terrain(change(ring), kind="wall") for ring in rings[::-1]],
            size,
        )
        at = np.column_stack([change(board.centres(positions)[:, :2]), headings])[order]
        moved = other.positions_from_centres(at) if len(other) else at
        found = lengths(other, moved, ground, gap, change(points))
        assert np.array_equal(np.isfinite(found), np.isfinite(table))
        assert found[np.isfinite(table)] == pytest.approx(table[np.isfinite(table)], **CLOSE)


@pytest.mark.parametrize("seed", SEEDS)
def test_one_more_piece_makes_nothing_shorter(seed: int) -> None:
    board, positions, ground, gap, points = scene(seed)
    table = lengths(board, positions, ground, gap, points)
    rng = np.random.default_rng(seed)
    more = Board([*board.units, Unit("more", 50.8, shape="round")], board.terrain, SIZE)
    at = np.concatenate([positions, [[*rng.uniform(0, SIZE), 0.0]]])
    assert (lengths(more, at, ground, gap, points) >= table - 1e-6).all()
    wall = Board(board.units, [*board.terrain, Terrain([(5, 5), (8, 5.2), (8, 5.7)], kind="wall")], SIZE)
    assert (lengths(wall, positions, ground, gap, points) >= table - 1e-6).all()
    assert (lengths(board, positions, ground, gap + 0.4, points) >= table - 1e-6).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_any_part_of_a_batch(seed: int) -> None:
    board, positions, ground, gap, points = scene(seed)
    ways = RouteMap(board, positions, gap=gap, ground=ground)
    whole = ways.routes(points[:7, None], points[7:])
    for i, j in np.ndindex(7, 7):
        one = ways.routes(points[i], points[7 + j])
        assert one.length == whole.length[i, j]
        courses = whole.of((i, j))
        assert len(courses) == len(one)
        assert all(np.array_equal(a, b) for a, b in zip(one.of(()), courses, strict=True))
    single = routes(board, positions, points[0], points[7:], gap=gap, ground=ground)
    assert np.array_equal(single.length, whole.length[0])


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_never_longer_than_along_a_grid(seed: int) -> None:
    """Steps to sixteen neighbours on a fine grid, where all sampled points keep clear of pieces."""
    board, positions, _, _, _ = scene(seed)
    step = 0.4
    xs, ys = np.arange(step, SIZE[0], step) - 0.013, np.arange(step, SIZE[1], step) - 0.017
    ways = RouteMap(board, positions, gap=0.0)
    grid: Any = nx.Graph()
    nodes = np.stack(np.meshgrid(xs, ys, indexing="ij"), axis=-1)
    shift = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2)]
    free = _clear_of(board, positions, nodes.reshape(-1, 2)).reshape(nodes.shape[:2])
    for dx, dy in shift:
        i, j = np.nonzero(free)
        k, m = i + dx, j + dy
        keep = (k < len(xs)) & (m >= 0) & (m < len(ys))
        i, j, k, m = i[keep], j[keep], k[keep], m[keep]
        a, b = nodes[i, j], nodes[k, m]
        between = a[:, None] + np.linspace(0, 1, 25)[:, None] * (b - a)[:, None]
        good = _clear_of(board, positions, between.reshape(-1, 2)).reshape(len(a), 25).all(axis=1)
        far = np.hypot(*(b - a).T)
        one, other = i * len(ys) + j, k * len(ys) + m
        grid.add_weighted_edges_from(zip(one[good], other[good], far[good], strict=True))
    chosen = np.random.default_rng(seed).choice(np.flatnonzero(free.reshape(-1)), 6)
    flat = nodes.reshape(-1, 2)
    for start in chosen[:2].tolist():
        reach = nx.single_source_dijkstra_path_length(grid, start) if start in grid else {start: 0.0}
        found = ways.lengths(flat[start], flat[chosen])
        for goal, length in zip(chosen.tolist(), found.tolist(), strict=True):
            assert length <= reach.get(goal, math.inf) + 1e-9
            if goal in reach:
                # sixteen directions are at most 2.75 % off
                assert reach[goal] <= 1.03 * length + 3.0


def _clear_of(board: Board, positions: Any, points: Any) -> Any:
    """Points that keep a hundredth of an inch from pieces: sampled legs do not jump over corners."""
    import shapely

    at = shapely.points(points)
    clear = np.ones(len(points), np.bool_)
    for piece in board.terrain:
        clear &= shapely.distance(shapely.Polygon(piece.outline), at) > 0.01
    x, y, cos, sin, along, across, radius = board.boundaries(positions)._columns[:, :, None]
    dx, dy = points[:, 0] - x, points[:, 1] - y
    out = np.maximum(np.abs(dx * cos + dy * sin) - along, 0.0)
    aside = np.maximum(np.abs(dy * cos - dx * sin) - across, 0.0)
    clear &= (np.hypot(out, aside) > radius + 0.01).all(axis=0)
    return clear
