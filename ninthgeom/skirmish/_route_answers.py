"""Answers from a graph of routes: lengths, and all shortest walks."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._route_courses import Courses, Walks, courses_of
from ninthgeom.skirmish._route_entries import Entries, entries_of
from ninthgeom.skirmish._route_graph import Graph
from ninthgeom.skirmish._route_nodes import ANGLE

#: So many equally short routes of one question are given at most.
MOST: Final = 64
# So many steps along walks between two entries before they are given up.
_PATIENCE: Final = 100_000
# How far walks turn at least: really; or not at all but for rounding; or whatever they do.
_TURNS: Final = (math.pi + 1e-9, math.pi - 1e-8, -1.0)


@dataclass(eq=False)
class Finder:
    """Answers questions about one scene.

    Attributes
    ----------
    graph : Graph
    ways : ndarray of float64, shape (N, N)
        Shortest ways between nodes; the rows that are known.
    """

    graph: Graph
    ways: FloatArray = field(init=False)
    _is_known: BoolArray = field(init=False)

    def __post_init__(self) -> None:
        n = self.graph.n_nodes
        self.ways = np.empty((n, n))
        self._is_known = np.zeros(n, np.bool_)

    def learn(self, nodes: IntArray) -> None:
        """Make sure that the ways to some nodes are known."""
        asked = np.zeros(len(self._is_known), np.bool_)
        asked[nodes] = True
        new = np.flatnonzero(asked & ~self._is_known)
        if len(new):
            self.ways[new] = self.graph.between(new)
            self._is_known[new] = True

    def learn_all(self) -> None:
        """Make all ways known, so that questions write nothing any more."""
        self.learn(np.arange(self.graph.n_nodes))

    def ask(self, points: FloatArray, pairs: IntArray, *, wants_courses: bool) -> tuple[FloatArray, Courses]:
        """Return lengths of shortest routes between pairs (n, 2) of points (P, 2), and their courses."""
        scene = self.graph.scene
        outside = scene.are_outside(points)
        direct = np.full(len(pairs), np.inf)
        legal = np.flatnonzero(outside[pairs].all(axis=1))
        start, goal = points[pairs[legal, 0]], points[pairs[legal, 1]]
        loose = np.ones((len(legal), 2), np.bool_)
        lines = np.concatenate([start, goal], axis=1)
        free = scene.are_free(lines, loose)
        free[free] = ~scene.pass_along(lines[free])
        direct[legal[free]] = np.hypot(*(goal - start)[free].T)
        around = legal[~free]
        used, number = np.unique(pairs[around], return_inverse=True)
        entries = entries_of(self.graph, points[used])
        goals = np.unique(number.reshape(-1, 2)[:, 1])
        is_goal = np.zeros(len(used), np.bool_)
        is_goal[goals] = True
        nodes = entries.node[np.repeat(is_goal, np.diff(entries.starts))]
        self.learn(nodes[nodes >= 0])
        lengths, found = self._pairs(entries, number.reshape(-1, 2).astype(np.int64))
        all_lengths = direct.copy()
        all_lengths[around] = lengths
        if not wants_courses:
            return all_lengths, Courses.none(len(pairs))
        walks = self._walks(entries, found, lengths)
        walks = walks._replace(question=around[walks.question])
        straight = np.flatnonzero(direct < np.inf)
        return all_lengths, courses_of(self.graph, entries, walks, straight, points, pairs)

    def _pairs(self, entries: Entries, pairs: IntArray) -> tuple[FloatArray, IntArray]:
        """Return lengths, and (question, first entry, last entry) of all ways as short."""
        from ninthgeom_kernel.route_pairs import route_pairs

        lengths = np.empty(len(pairs))
        least = np.empty(int(np.diff(entries.starts).max(initial=0)))
        count = np.zeros(1, np.int64)
        room = 4 * len(pairs) + 64
        while True:
            found = np.empty((room, 3), np.int64)
            fits = route_pairs(
                np.ascontiguousarray(pairs),
                entries.starts,
                entries.node,
                entries.cost,
                entries.arc,
                entries.side,
                entries.turn,
                entries.leg,
                self._radii(entries),
                self.ways,
                self.graph.scene.tol,
                least,
                lengths,
                found,
                count,
            )
            if fits:
                return lengths, found[: count[0]]
            room = int(count[0])

    def _radii(self, entries: Entries) -> FloatArray:
        """Return the radius of the arc of each entry, less than 0 where it is a whole circle."""
        arcs = self.graph.arcs
        if not len(arcs):
            return np.zeros(len(entries.arc))
        return np.asarray(np.where(arcs.is_whole, -arcs.radius, arcs.radius)[entries.arc])

    def _walks(self, entries: Entries, found: IntArray, lengths: FloatArray) -> Walks:
        """Return all walks of the ways found that cannot be pulled shorter.

        Those that go straight on past a node do not count, since there is a leg that leaves it out. Where
        rounding leaves no walk they do, and else any walk.
        """
        question, a, b = found.T
        limit = lengths[question] + self.graph.scene.tol - entries.cost[a] - entries.cost[b]
        through = (entries.node[a] >= 0) & (entries.node[b] >= 0)
        ways = self.ways[entries.node[b[through]], entries.node[a[through]]]
        through[through] = ways <= limit[through]
        turn = _joined(self.graph, entries, a, b)
        radius = np.abs(self._radii(entries))[a]
        joined = (entries.arc[a] >= 0) & np.isfinite(turn)
        along = entries.leg[a] + entries.leg[b] + radius * np.abs(np.where(joined, turn, 0.0))
        joined &= along <= lengths[question] + self.graph.scene.tol
        which = np.concatenate([np.flatnonzero(through), np.flatnonzero(joined)])
        is_joined = np.repeat([False, True], [np.count_nonzero(through), np.count_nonzero(joined)])
        order = np.argsort(question[which], kind="stable")
        which, is_joined = which[order], is_joined[order]
        question, a, b, turn = question[which], a[which], b[which], turn[which]
        first = np.where(is_joined, -1, entries.node[a])
        ends = np.stack([question, first, entries.node[b]], axis=1)
        bent = np.abs(entries.ahead[a]), np.abs(entries.ahead[b])
        limits = np.stack([limit[which], entries.angle[a], entries.angle[b], *bent], axis=1)
        turn = np.where(is_joined, turn, np.nan)
        walks = Walks.none()
        missed = np.isfinite(lengths)
        for least in _TURNS:
            rows = np.flatnonzero(missed[question])
            if not len(rows):
                break
            row, end, edges = self._walk(ends[rows], limits[rows], least)
            row = rows[row]
            walks = Walks.joined(walks, Walks(question[row], a[row], b[row], turn[row], end, edges))
            missed[walks.question] = False
        return walks

    def _walk(self, ends: IntArray, limits: FloatArray, least: float) -> tuple[IntArray, IntArray, IntArray]:
        """Return for each walk its row of ends and where its edges end, and the edges of all."""
        from ninthgeom_kernel.route_walks import route_walks

        graph = self.graph
        stack, bent = np.empty((graph.n_nodes + 2, 2), np.int64), np.empty(graph.n_nodes + 2)
        room = 64 + 8 * len(ends)
        counts = np.zeros(2, np.int64)
        while True:
            edges, walks = np.empty(4 * room, np.int64), np.empty((room, 2), np.int64)
            if route_walks(
                np.ascontiguousarray(ends, np.int64),
                limits,
                graph.first_edge,
                graph.heads,
                graph.weights,
                graph.leaves,
                graph.arrives,
                graph.bends,
                self.ways,
                least,
                MOST,
                _PATIENCE,
                stack,
                bent,
                edges,
                walks,
                counts,
            ):
                n_edges, n_walks = counts.tolist()
                return walks[:n_walks, 0], walks[:n_walks, 1], edges[:n_edges]
            room *= 4


def _joined(graph: Graph, entries: Entries, a: IntArray, b: IntArray) -> FloatArray:
    """Return the signed angle along the arc that two entries have tangents to; NaN where there is none."""
    same = (entries.arc[a] == entries.arc[b]) & (entries.side[a] != entries.side[b])
    ahead = -entries.side[a] * (entries.turn[b] - entries.turn[a])
    if len(graph.arcs):
        back = ahead < -ANGLE
        ahead = np.where(back & graph.arcs.is_whole[entries.arc[a]], ahead + 2.0 * np.pi, ahead)
    return np.where(same & (ahead >= -ANGLE), -entries.side[a] * np.maximum(ahead, 0.0), np.nan)
