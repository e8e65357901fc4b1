"""Shortest routes round grown polygons: a visibility graph with shapely and networkx.

All pieces are grown by a little and joined with what is closed between them, so that pieces in contact and
gates are one piece, and what is round the table is another. What is left is free. Routes there are a little
too long, and legal; where none is, there is no way wider than twice that little.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np
import shapely

from ninthgeom import Board
from ninthgeom.skirmish import Ground
from ninthgeom.skirmish._obstacles import Obstacles

TOL = 1e-6
#: Pieces are grown by so much, and routes longer than the shortest by less than `LONGER`.
GROWN, LONGER = 1e-5, 5e-3
SEGMENTS = 24


@dataclass
class FreeSpace:
    """Where a point may be on one board in one state."""

    board: Board
    positions: Any
    gap: float
    ground: Ground = field(default_factory=Ground)
    ignore: Iterable[int] = ()

    def __post_init__(self) -> None:
        width, height = self.board.size
        table = shapely.box(0, 0, width, height)
        columns = self.board.boundaries(self.positions)._columns[:, None]
        counts = np.ones((1, len(self.board)), np.bool_)
        counts[0, list(self.ignore)] = False
        obstacles = Obstacles.of(self.board, self.ground, columns, TOL)
        gates = obstacles.gates(np.zeros(1, int), counts, np.array([self.gap]))
        shapes = list(obstacles.standing.polygons.to_shapely())
        rounds = [grown(column, SEGMENTS) for column in columns[:, 0, counts[0]].T]
        shut = [grown(column, 4) for column in gates.columns.T]
        self.pieces = [shapely.buffer(shape, GROWN, join_style="mitre") for shape in (*shapes, *rounds)]
        gates_too = [shapely.buffer(shape, GROWN, cap_style="square", join_style="mitre") for shape in shut]
        self.free = table.buffer(-GROWN, join_style="mitre") - shapely.union_all([*self.pieces, *gates_too])
        self.seen = self.free.buffer(GROWN / 100, join_style="mitre")
        shapely.prepare(self.seen)
        self.corners = np.array(list(_corners(self.free))).reshape(-1, 2)
        i, j = np.triu_indices(len(self.corners), 1)
        free = self._are_free(self.corners[i], self.corners[j])
        self.graph: Any = nx.Graph()
        self.graph.add_nodes_from(range(len(self.corners)))
        lengths = np.hypot(*(self.corners[j] - self.corners[i]).T)
        self.graph.add_weighted_edges_from(zip(i[free], j[free], lengths[free], strict=True))

    def _are_free(self, start: Any, end: Any) -> Any:
        lines = shapely.linestrings(np.stack(np.broadcast_arrays(start, end), axis=1))
        return shapely.covers(self.seen, lines)

    def length(self, start: Any, goal: Any) -> float:
        """Return the length of the shortest way; inf if there is none."""
        if self._are_free(np.array([start]), np.array([goal]))[0]:
            return math.dist(start, goal)
        graph = self.graph.copy()
        for name, point in (("start", start), ("goal", goal)):
            graph.add_node(name)
            if len(self.corners):
                sees = np.flatnonzero(self._are_free(np.asarray(point), self.corners))
                far = np.hypot(*(self.corners[sees] - point).T)
                graph.add_weighted_edges_from((name, k, d) for k, d in zip(sees, far, strict=True))
        try:
            return float(nx.dijkstra_path_length(graph, "start", "goal"))
        except nx.NetworkXNoPath:
            return math.inf

    def is_clear(self, point: Any) -> bool:
        """Whether a point is free, and not in or beside a piece or on the edge of the table."""
        return bool(shapely.distance(shapely.Point(point), self.free.boundary) > 3 * GROWN) and bool(
            shapely.contains(self.free, shapely.Point(point))
        )


def grown(column: Any, segments: int) -> Any:
    """A base as a polygon round it."""
    x, y, cos, sin, along, across, radius = column
    ahead, aside = np.array([cos, sin]), np.array([-sin, cos])
    core = [(x, y) + u * along * ahead + v * across * aside for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    if radius == 0.0:
        return shapely.convex_hull(shapely.multipoints(core))
    turn = 2 * math.pi * (np.arange(4 * segments) + 0.5) / (4 * segments)
    out = radius / math.cos(math.pi / (4 * segments)) * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    return shapely.convex_hull(shapely.multipoints(np.concatenate([point + out for point in core])))


def _corners(free: Any) -> Iterable[Any]:
    """Points where what is free turns inward: where a route can turn."""
    for part in shapely.get_parts(free):
        part = shapely.orient_polygons(part)
        for line in (part.exterior, *part.interiors):
            ring = np.asarray(line.coords)[:-1]
            for k, point in enumerate(ring):
                before, after = point - ring[k - 1], ring[(k + 1) % len(ring)] - point
                if before[0] * after[1] - before[1] * after[0] < 0:
                    yield point


def fault(board: Board, positions: Any, ignore: Iterable[int], polygons: Any, route: Any) -> str:
    """Say where a route, its points and the centres and turns of legs, enters a piece."""
    points, centres, turns = route
    columns = board.boundaries(positions)._columns
    counts = [k for k in range(len(board)) if k not in list(ignore)]
    eroded = shapely.buffer(np.asarray(polygons, object), -2 * TOL, join_style="mitre")
    cores = [shapely.convex_hull(shapely.multipoints(_core(columns[:, k]))) for k in counts]
    for (a, b), centre, turn in zip(itertools.pairwise(points), centres, turns, strict=False):
        leg = shapely.LineString([a, b])
        if turn != 0.0:
            away = a - centre
            angles = math.atan2(away[1], away[0]) + turn * np.linspace(0, 1, 40)
            arc = centre + math.hypot(*away) * np.stack([np.cos(angles), np.sin(angles)], axis=1)
            if np.abs(arc[-1] - b).max() > 1e-9:
                return f"an arc ends at {arc[-1]}, not at {b}"
            leg = shapely.MultiPoint(arc)
        if shapely.intersects(leg, eroded).any():
            return f"{leg.wkt} enters terrain"
        for k, core in zip(counts, cores, strict=True):
            if shapely.distance(leg, core) < columns[6, k] - 2 * TOL:
                return f"{leg.wkt} enters the base of unit {k}"
    return ""


def _core(column: Any) -> Any:
    x, y, cos, sin, along, across, _ = column
    return [
        (x + u * along * cos - v * across * sin, y + u * along * sin + v * across * cos)
        for u, v in ((1, 1), (-1, 1), (-1, -1), (1, -1))
    ]
