"""Shortest routes as they are found without this library: a visibility graph with shapely and networkx.

Discs and ovals become polygons, inscribed ones or circumscribed ones: routes round the first are a little too
short, round the second a little too long. Corners see each other where neither a piece nor a gap that is too
narrow is between; only lines that touch a piece at both their ends without entering it can be part of a
shortest route, and no others are kept.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import networkx as nx
import numpy as np
import shapely

from benchmarks.skirmish_reference import LENGTHENED, State, Table
from ninthgeom import TOLERANCE


@dataclass
class VisibilityGraph:
    """The graph of one state for one width of gaps."""

    state: State
    gap: float
    segments: int = 32
    outside: bool = False
    ignore: Any = ()
    graph: Any = field(init=False)

    def __post_init__(self) -> None:
        state, table = self.state, self.state.table
        counts = np.ones(table.n_pieces, bool)
        counts[: len(state.cores)] = state.present
        counts[np.asarray(self.ignore, int)] = False
        models = np.flatnonzero(counts[: len(state.cores)])
        shapes = [self._polygon(k) for k in models]
        self.pieces = np.array([*shapes, *table.terrain], object)
        eroded = shapely.buffer(self.pieces, -table.tol, join_style="mitre")
        shapely.prepare(eroded)
        self.tree = shapely.STRtree(eroded)
        gates = state.gates(self.gap)
        active = gates.active(counts, self.gap, table.tol)
        lines = [self._through(gates, k) for k in np.flatnonzero(active)]
        # Openings that are closed have free ends, round which routes go; so have gates that access areas cut.
        closed, self.free_ends = np.reshape(table.closed, (-1, 2, 2)), np.empty((0, 2))
        if len(closed):
            self.free_ends = _longer(closed, 2 * max(state.margin, 0.0)).reshape(-1, 2)
            lines += list(shapely.linestrings(_longer(closed, state.margin or -TOLERANCE)))
        if len(table.access) and lines:
            cut = [shapely.difference(line, table.access_area) for line in lines]
            self.free_ends = np.concatenate([self.free_ends, shapely.get_coordinates(cut)])
        self.gates = shapely.STRtree(np.array(lines, object))
        self._corners()
        self._edges()

    def _polygon(self, k: int) -> Any:
        """A base as a polygon that is all inside it, or all outside."""
        radius, (rear, front) = self.state.table.radius[k], self.state.ends[k]
        half = math.pi / self.segments
        if self.outside:
            radius /= math.cos(half)
        heading = self.state.positions[k][2]
        turn = heading - math.pi / 2 + 2 * half * (np.arange(self.segments) + (0.5 if self.outside else 0.0))
        circle = radius * np.column_stack([np.cos(turn), np.sin(turn)])
        rounds = self.segments // 2
        points = [front + circle[: rounds + 1], rear + circle[rounds:], rear + circle[:1]]
        ring = np.concatenate(points)
        if (rear == front).all():
            ring = front + circle
        return shapely.convex_hull(shapely.multipoints(ring))

    def _through(self, gates: Any, k: int) -> Any:
        """A gate, lengthened to the cores of bases: a polygon inside a base leaves a slit at its foot."""
        line = gates.lines[k]
        cores = np.concatenate([self.state.cores, self.state.table.parts])[gates.bodies[:, k]]
        links = [
            shapely.shortest_line(line, core)
            for core in cores
            if core.geom_type != "Polygon" and not line.is_empty and shapely.distance(line, core) > 0
        ]
        return shapely.union_all([line, *links])

    def _corners(self) -> None:
        """Convex corners of all pieces, with the corners before and after them."""
        corners = []
        for shape in self.pieces:
            rings = [np.asarray(ring.coords)[:-1] for ring in (shape.exterior, *shape.interiors)]
            for k, coordinates in enumerate(rings):
                is_left = shapely.is_ccw(shapely.linearrings(coordinates)) == (k == 0)
                ring = coordinates if is_left else coordinates[::-1]
                before, after = np.roll(ring, 1, axis=0), np.roll(ring, -1, axis=0)
                turn = _cross(ring - before, after - ring)
                # A ring round a hole turns the other way.
                corners.append(np.stack([before, ring, after], axis=1)[turn > 0])
        corners.append(np.repeat(self.free_ends[:, None], 3, axis=1))
        found = np.concatenate(corners)
        # Nobody leaves the table, nor, strictly, passes between its edge and a piece that touches it.
        low = self.state.margin if self.state.margin > 0 else -TOLERANCE
        high = np.subtract(self.state.table.board.size, low)
        found = found[((found[:, 1] >= low) & (found[:, 1] <= high)).all(axis=1)]
        self.before, self.nodes, self.after = np.moveaxis(found, 1, 0)

    def _is_tangent(self, node: Any, ways: Any) -> Any:
        """Whether lines through corners leave both neighbours on one side."""
        left = _cross(ways, self.before[node] - self.nodes[node])
        right = _cross(ways, self.after[node] - self.nodes[node])
        return left * right >= -1e-12

    def _edges(self) -> None:
        i, j = np.triu_indices(len(self.nodes), 1)
        ways = self.nodes[j] - self.nodes[i]
        keep = self._is_tangent(i, ways) & self._is_tangent(j, ways)
        i, j = i[keep], j[keep]
        free = ~self.blocked(np.stack([self.nodes[i], self.nodes[j]], axis=1))
        i, j = i[free], j[free]
        length = np.hypot(*(self.nodes[j] - self.nodes[i]).T)
        self.graph = nx.Graph()
        self.graph.add_nodes_from(range(len(self.nodes)))
        self.graph.add_weighted_edges_from(zip(i.tolist(), j.tolist(), length.tolist(), strict=True))

    def blocked(self, ends: Any, shorter: float = 0.0) -> Any:
        """Whether lines pass pieces or gates; `shorter`: which begin on a gate if they begin at one."""
        lines = shapely.linestrings(ends)
        blocked = np.zeros(len(lines), bool)
        blocked[self.tree.query(lines, predicate="intersects")[0]] = True
        todo = np.flatnonzero(~blocked)
        way = ends[todo, 1] - ends[todo, 0]
        length = np.hypot(way[:, 0], way[:, 1])[:, None]
        way = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
        moved = ends[todo].copy()
        moved[:, 0] += shorter * way
        # A route may turn at the foot of a gate, where rounding would let it slip through.
        hit = self.gates.query(shapely.linestrings(moved), predicate="dwithin", distance=1e-9)[0]
        blocked[todo[hit]] = True
        return blocked

    def inside(self, points: Any) -> Any:
        """Which points are deeper inside pieces than the tolerance."""
        inside = np.zeros(len(points), bool)
        inside[self.tree.query(shapely.points(points), predicate="intersects")[0]] = True
        return inside

    def _seen(self, point: Any) -> tuple[Any, Any]:
        """Corners that a point sees and that a route may touch, and how far they are."""
        ways = self.nodes - point
        nodes = np.flatnonzero(self._is_tangent(np.arange(len(ways)), ways))
        ends = np.stack([np.broadcast_to(point, (len(nodes), 2)), self.nodes[nodes]], axis=1)
        nodes = nodes[~self.blocked(ends, 4 * LENGTHENED)]
        return nodes, np.hypot(*(self.nodes[nodes] - point).T)

    def length(self, start: Any, goal: Any) -> float:
        """Length of the shortest route, infinite if there is none."""
        start, goal = np.asarray(start, float), np.asarray(goal, float)
        size = np.add(self.state.table.board.size, TOLERANCE)
        if (np.minimum(start, goal) < -TOLERANCE).any() or (np.maximum(start, goal) > size).any():
            return math.inf
        if self.inside([start, goal]).any():
            return math.inf
        if (start == goal).all():
            return 0.0
        ends = np.array([[start, goal]])
        middle = ends.mean(axis=1, keepdims=True)
        halves = np.concatenate(
            [np.concatenate([ends[:, :1], middle], 1), np.concatenate([ends[:, 1:], middle], 1)]
        )
        if not self.blocked(halves, 4 * LENGTHENED).any():
            return float(np.hypot(*(goal - start)))
        graph = self.graph
        for name, point in (("start", start), ("goal", goal)):
            nodes, lengths = self._seen(point)
            graph.add_node(name)
            graph.add_weighted_edges_from(
                (name, n, w) for n, w in zip(nodes.tolist(), lengths.tolist(), strict=True)
            )
        try:
            return float(nx.bidirectional_dijkstra(graph, "start", "goal")[0])
        except nx.NetworkXNoPath:
            return math.inf
        finally:
            graph.remove_nodes_from(["start", "goal"])


def _longer(ends: Any, by: float) -> Any:
    way = ends[:, 1] - ends[:, 0]
    way *= by / np.hypot(way[:, 0], way[:, 1])[:, None]
    return np.stack([ends[:, 0] - way, ends[:, 1] + way], axis=1)


def _cross(a: Any, b: Any) -> Any:
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def graph_of(board: Any, positions: Any, gap: float, **options: Any) -> VisibilityGraph:
    """Build the graph of a board in one state."""
    return VisibilityGraph(State(Table(board), positions), gap, **options)
