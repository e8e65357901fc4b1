"""Legs that are free, shortest pairs and walks, against shapely, brute force and networkx."""

from __future__ import annotations

import itertools
import math
from typing import Any

import networkx as nx
import numpy as np
import pytest
import shapely

from ninthgeom_kernel.free_segments import free_of_solids, free_of_walls
from ninthgeom_kernel.route_pairs import route_pairs
from ninthgeom_kernel.route_walks import route_walks

TOL = 1e-6
FREE_OF_SOLIDS: Any = free_of_solids
FREE_OF_WALLS: Any = free_of_walls
WALKS: Any = route_walks
WIDTH = 8


def packed(shapes: list[tuple[Any, float]]) -> tuple[Any, ...]:
    """Corners with a radius, as the kernel takes them; groups of three."""
    n = len(shapes)
    vertices, counts = np.zeros((n, 2, WIDTH)), np.zeros(n, np.int64)
    radii = np.array([radius for _, radius in shapes])
    for i, (corners, _) in enumerate(shapes):
        ring = np.asarray(corners, np.float64)
        counts[i] = len(ring)
        vertices[i, :, : len(ring)] = ring.T
        vertices[i, :, len(ring) :] = ring[-1][:, None]
    reach = np.maximum(radii, 0.0)[:, None]
    boxes = np.concatenate([vertices.min(axis=2) - reach, vertices.max(axis=2) + reach], axis=1)
    groups = np.array([*range(0, n, 3), n], np.int64)
    group_boxes = np.zeros((len(groups) - 1, 4))
    for g, (first, end) in enumerate(itertools.pairwise(groups)):
        group_boxes[g, :2], group_boxes[g, 2:] = boxes[first:end, :2].min(0), boxes[first:end, 2:].max(0)
    return groups, group_boxes, boxes, vertices, counts, radii


def ask(
    segments: Any,
    shapes: Any = (),
    walls: Any = (),
    loose: Any = None,
    slack: float = 0.0,
    wholes: Any = None,
) -> list[bool]:
    segments = np.array(segments, np.float64).reshape(-1, 4)
    free = np.empty(len(segments), np.bool_)
    ends = np.zeros((len(segments), 2), np.bool_) if loose is None else np.array(loose, np.bool_)
    solid = packed(list(shapes))
    FREE_OF_SOLIDS(segments, *solid, slack, free)
    lines = np.array(walls, np.float64).reshape(-1, 4)
    parts = np.arange(len(lines)) if wholes is None else np.array(wholes)
    FREE_OF_WALLS(segments, ends, *solid, lines, parts.astype(np.int64), TOL, free)
    return free.tolist()


def random_convex(rng: np.random.Generator, n: int) -> Any:
    angles = np.sort(rng.uniform(0, 2 * math.pi, n))
    return rng.uniform(-4, 4, 2) + rng.uniform(0.5, 2) * np.stack([np.cos(angles), np.sin(angles)], axis=1)


@pytest.mark.parametrize("seed", range(6))
def test_solid_shapes_as_in_shapely(seed: int) -> None:
    rng = np.random.default_rng(seed)
    shapes = [
        (random_convex(rng, n), r) for n, r in ((1, 0.7), (2, 0.4), (3, 0.0), (5, 0.0), (4, 0.3), (8, 0.0))
    ]
    segments = rng.uniform(-5, 5, (300, 4))
    segments[:40, 2:] = segments[:40, :2]
    lines = np.asarray(shapely.linestrings(segments.reshape(-1, 2, 2)), np.object_)
    lines[:40] = shapely.points(segments[:40, :2])
    solid = [
        shapely.buffer(shapely.convex_hull(shapely.multipoints(corners)), radius, quad_segs=64)
        for corners, radius in shapes
    ]
    # further away from the outline than the arcs are from their polygons
    decided = np.array([min(abs(shapely.distance(line, s.boundary)) for s in solid) > 0 for line in lines])
    inside = np.array([any(shapely.intersects(line, s) for s in solid) for line in lines])
    near = np.array([any(shapely.distance(line, s) < 1e-3 for s in solid) for line in lines])
    asked = inside | (~near & decided)
    free = np.array(ask(segments, shapes))
    assert (free == ~inside)[asked].all()
    assert asked.sum() > 280


def test_touching_is_free() -> None:
    square = [(0.0, 0.0), (2.0, 0.0), (2.0, 2.0), (0.0, 2.0)]
    along, corner, point = (-1, 2, 3, 2), (-1, 1, 1, 3), (2, 1, 2, 1)
    assert ask([along, corner, point], [(square, 0.0)]) == [True] * 3
    assert ask([along, corner, point], [(square, 0.0)], slack=1e-3) == [False] * 3
    assert ask([(-1, 1.999, 3, 1.999), (1, 1, 1, 1)], [(square, 0.0)]) == [False] * 2
    disc = [(0.0, 0.0)]
    assert ask([(-3, 1, 3, 1), (-3, 0.999, 3, 0.999), (0, 0, 0, 0)], [(disc, 1.0)]) == [True, False, False]
    assert ask([(-3, 1, 3, 1)], [(disc, 1.0)], slack=1e-3) == [False]
    # no corners: nothing
    assert ask([(-3, 0, 3, 0)]) == [True]


def test_walls_are_passed_from_side_to_side_only() -> None:
    wall = [(0, -1, 0, 1)]
    across, along, end, beside = (-1, 0, 1, 0), (0, -2, 0, 2), (-1, 1, 1, 1), (-1, 2, 1, 2)
    assert ask([across, along, end, beside], walls=wall) == [False, True, True, True]
    start, off = (0, 0.5, 1, 0.5), (-5e-7, 0.5, 1, 0.5)
    assert ask([start, off, off], walls=wall, loose=[(0, 0), (0, 0), (1, 0)]) == [True, False, True]
    assert ask([(1, 0.5, -5e-7, 0.5)] * 2, walls=wall, loose=[(1, 0), (0, 1)]) == [False, True]
    assert ask([(-2e-6, 0.5, 1, 0.5)], walls=wall, loose=[(1, 1)]) == [False]
    # a part of the wall that goes on from its end is passed by who starts on the wall
    hooked = [*wall, (0, 1, 1, 1)]
    out = (0, -0.5, 0.5, 1.5)
    assert ask([out] * 2, walls=hooked, loose=[(1, 0)] * 2) == [False] * 2
    assert ask([out] * 2, walls=hooked, loose=[(1, 0), (0, 1)], wholes=[0, 0]) == [True, False]


def test_bridges_are_crossed_by_loose_ends_but_not_followed() -> None:
    thin = -1e-9
    long = [(-1e-6, 0.0), (1e-6, 0.0), (1e-6, 3.0), (-1e-6, 3.0)]
    line = [(-1e-6, 5.0), (1e-6, 5.0)]
    shapes = [(long, thin), (line, thin)]
    along, out, through = (0, 1, 0, 4), (0, 3, 0, 4), (0, 4.5, 0, 5.5)
    assert ask([along, out, through], shapes) == [False, True, False]
    assert ask([along, out, through], shapes, loose=[(1, 0)] * 3) == [False, True, False]
    # from within, next to the end
    start = (0, 3 - 1e-6, 0, 4)
    assert ask([start] * 2, shapes, loose=[(0, 0), (1, 0)]) == [False, True]
    assert ask([(0, 5, 0, 6), (0, 5 - 1e-7, 0, 6)], shapes, loose=[(1, 0)] * 2) == [True, True]
    assert ask([(0, 6, 0, 5 - 1e-7)] * 2, shapes, loose=[(1, 0), (0, 1)]) == [False, True]
    # a corner on one side only is no crossing; a point crosses nothing
    assert ask([(1e-6, 4, 1e-6, 6), (0, 5, 0, 5)], shapes) == [True, True]


@pytest.mark.parametrize("seed", range(4))
def test_pairs_by_brute_force(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_points, n_nodes, n_pairs = 5, 6, 12
    starts = np.concatenate([[0], np.cumsum(rng.integers(0, 5, n_points))]).astype(np.int64)
    n = int(starts[-1])
    arcs = rng.integers(-1, 2, n)
    nodes = np.where((arcs >= 0) & (rng.random(n) < 0.3), -1, rng.integers(0, n_nodes, n))
    costs, legs, angles = np.round(4 * rng.random((3, n))) / 2
    sides = np.where(arcs >= 0, rng.choice([-1.0, 1.0], n), 0.0)
    radii = np.where(arcs == 1, -0.5, 0.5)
    between = np.round(4 * rng.random((n_nodes, n_nodes))) / 2
    between[rng.random((n_nodes, n_nodes)) < 0.3] = np.inf
    pairs = rng.integers(0, n_points, (n_pairs, 2))
    wanted, ways = [], []
    for k, (p, q) in enumerate(pairs):
        options = {}
        for a, b in itertools.product(range(starts[p], starts[p + 1]), range(starts[q], starts[q + 1])):
            way = math.inf
            if nodes[a] >= 0 and nodes[b] >= 0:
                way = costs[a] + between[nodes[b], nodes[a]] + costs[b]
            if arcs[a] >= 0 and arcs[a] == arcs[b] and sides[a] == -sides[b]:
                turn = -sides[a] * (angles[b] - angles[a])
                turn = turn % (2 * math.pi) if arcs[a] == 1 else turn
                way = min(way, legs[a] + legs[b] + 0.5 * turn if turn >= 0 else math.inf)
            options[k, a, b] = way
        least = min(options.values(), default=math.inf)
        wanted.append(least)
        ways += sorted(key for key, way in options.items() if way <= least + TOL and way < math.inf)
    for room in (0, len(ways)):
        lengths, found, count = np.empty(n_pairs), np.empty((room, 3), np.int64), np.zeros(1, np.int64)
        fits = route_pairs(
            pairs,
            starts,
            nodes,
            costs,
            arcs,
            sides,
            angles,
            legs,
            radii,
            between,
            TOL,
            np.empty(5),
            lengths,
            found,
            count,
        )
        assert fits == (room >= len(ways))
        assert count[0] == len(ways)
        assert lengths == pytest.approx(wanted)
    assert sorted(map(tuple, found.tolist())) == ways


def graph_of(edges: list[tuple[int, int, float]], n: int) -> tuple[Any, ...]:
    """Both directions of edges, all of them straight, seen from angles that let every walk turn."""
    both = sorted([*edges, *((b, a, w) for a, b, w in edges)])
    tails = np.array([a for a, _, _ in both])
    heads = np.array([b for _, b, _ in both], np.int64)
    weights = np.array([w for *_, w in both])
    return np.searchsorted(tails, np.arange(n + 1)).astype(np.int64), heads, weights


def walk(ends: Any, limits: Any, graph: Any, angles: Any, bends: Any, least: float, most: int = 64) -> Any:
    """Call the kernel with ever more room, and return the nodes of each walk with its row."""
    first_edge, heads, weights = graph
    n = len(first_edge) - 1
    matrix = np.full((n, n), np.inf)
    nxg: Any = nx.MultiDiGraph()
    nxg.add_nodes_from(range(n))
    tails = np.repeat(np.arange(n), np.diff(first_edge))
    nxg.add_weighted_edges_from(zip(tails.tolist(), heads.tolist(), weights.tolist(), strict=True))
    for a, reach in nx.all_pairs_dijkstra_path_length(nxg):
        for b, length in reach.items():
            matrix[b, a] = length
    ends, limits = np.array(ends, np.int64).reshape(-1, 3), np.array(limits, np.float64).reshape(-1, 5)
    counts = np.zeros(2, np.int64)
    for room in (0, 1, 3, 200):
        edges, walks = np.empty(4 * room, np.int64), np.empty((room, 2), np.int64)
        fits = WALKS(
            ends, limits, first_edge, heads, weights, *angles, bends, matrix, least, most, 10_000,
            np.empty((n + 2, 2), np.int64), np.empty(n + 2), edges, walks, counts,
        )  # fmt: skip
    assert fits
    found, begin = [], 0
    for row, end in walks[: counts[1]].tolist():
        found.append((row, [int(ends[row, 1]), *heads[edges[begin:end]].tolist()]))
        begin = end
    return found


@pytest.mark.parametrize("seed", range(4))
def test_all_shortest_walks_as_networkx_finds_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 9
    edges = [
        (a, b, float(rng.integers(1, 4)))
        for a, b in itertools.combinations(range(n), 2)
        if rng.random() < 0.5
    ]
    graph = graph_of(edges, n)
    plain: Any = nx.Graph()
    plain.add_weighted_edges_from(edges)
    leaves = np.zeros(len(graph[1]))
    arrives = np.full(len(graph[1]), 4.0)
    pairs = [(a, b) for a, b in itertools.permutations(range(n), 2) if nx.has_path(plain, a, b)][:10]
    ends = [(q, a, b) for q, (a, b) in enumerate(pairs)]
    limits = [(nx.dijkstra_path_length(plain, a, b, "weight") + TOL, 4.0, 0.0, 0.0, 0.0) for a, b in pairs]
    found = walk(ends, limits, graph, (leaves, arrives), np.full(len(leaves), -1.0), math.pi + 1e-9)
    for q, (a, b) in enumerate(pairs):
        wanted = sorted(nx.all_shortest_paths(plain, a, b, "weight"))
        assert sorted(nodes for row, nodes in found if row == q) == wanted


def test_walks_turn_at_every_node() -> None:
    # nodes in a row, seen straight on: only where it is wanted a walk goes past one
    graph = graph_of([(0, 1, 1.0), (1, 2, 1.0)], 3)
    heads = graph[1]
    tails = np.repeat(np.arange(3), np.diff(graph[0]))
    leaves = np.where(heads > tails, 0.0, math.pi)
    angles = leaves, math.pi - leaves
    straight = np.full(4, -1.0)
    ends, limits = [(0, 0, 2)], [(2 + TOL, 4.0, 0.0, 0.0, 0.0)]
    assert walk(ends, limits, graph, angles, straight, math.pi + 1e-9) == []
    assert walk(ends, limits, graph, angles, straight, math.pi - 1e-8) == [(0, [0, 1, 2])]
    # an arc up to the node in the middle turns, and so does a leg from outside that ends on one
    bends = np.where(np.minimum(heads, tails) == 0, 0.5, -1.0)
    assert walk(ends, [(2 + TOL, math.pi, -0.1, 0.0, 0.0)], graph, angles, bends, math.pi + 1e-9) == [
        (0, [0, 1, 2])
    ]
    none = np.where(bends > 0.0, 0.0, bends)
    assert walk(ends, [(2 + TOL, math.pi, -0.1, 0.0, 0.0)], graph, angles, none, math.pi + 1e-9) == []
    assert walk(ends, [(2 + TOL, math.pi, -0.1, 0.3, 0.0)], graph, angles, none, math.pi + 1e-9) == [
        (0, [0, 1, 2])
    ]
    # back where it came from: only if anything goes
    back = [(0, 1, 1)]
    assert walk(back, [(TOL, 0.0, 0.0, 0.0, 0.0)], graph, angles, straight, math.pi - 1e-8) == []
    assert walk(back, [(TOL, 0.0, 0.0, 0.0, 0.0)], graph, angles, straight, -1.0) == [(0, [1])]
    assert walk(back, [(TOL, 0.0, math.pi, 0.0, 0.1)], graph, angles, straight, math.pi + 1e-9) == [(0, [1])]


def test_walks_without_nodes_and_not_too_many() -> None:
    pairs = [(0, 1, 1.0), (0, 2, 1.0), (0, 3, 1.0), (1, 4, 1.0), (2, 4, 1.0), (3, 4, 1.0)]
    graph = graph_of(pairs, 5)
    angles = np.zeros(12), np.full(12, 4.0)
    ends = [(0, 0, 4), (0, -1, 4), (1, -1, 0), (2, 0, 4)]
    limits = [(2.0, 4.0, 0.0, 0.0, 0.0)] * 4
    found = walk(ends, limits, graph, angles, np.full(12, -1.0), math.pi, most=2)
    assert found == [(0, [0, 1, 4]), (0, [0, 2, 4]), (2, [-1]), (3, [0, 1, 4]), (3, [0, 2, 4])]
