"""Coherency Links by brute force: every line that touches two corners or round parts of what is near.

If any line from one base to another is free, it can be moved until it touches two things, so one of the lines
that touch two things is free. Everything is taken a little smaller or larger than it is: where both give the
same answer it hangs on no tolerance. Gaps come from the brute force of `gates_oracle`.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass

import networkx
import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom import Bases, Board
from ninthgeom.skirmish import STANDARD, Ground, Rules
from ninthgeom.skirmish.ground import WHOLE_GROUND
from tests.skirmish.gates_oracle import Point, Solid, gaps, solids_of

Floats = NDArray[np.float64]

#: By how much things are taken smaller or larger, and how much lines may miss what they touch.
SLACK, MISS = 2e-5, 1e-9


@dataclass(frozen=True)
class Scene:
    """One state: bases of all units, who is there, the outlines that stop links."""

    board: Board
    bases: Bases
    present: NDArray[np.bool_]
    rules: Rules = STANDARD
    ground: Ground = WHOLE_GROUND

    def solids(self) -> list[Solid]:
        polygons = [
            shapely.Polygon(self.board.terrain[k].outline) for k in self.ground.terrain_of(self.board)
        ]
        return solids_of(self.bases, polygons, range(len(self.board), len(self.board) + len(polygons)))

    def linked(self, leader: int) -> tuple[set[int], set[int]]:
        """Models surely linked to a leader, and those that may be."""
        group = int(self.board.group[leader])
        own = [u for u in range(len(self.board)) if self.board.group[u] == group and self.present[u]]
        if self.board.units[leader].flying:
            return set(own), set(own)
        solids = self.solids()
        passed = self.passed(own, solids)
        stops = [
            solid
            for solid in solids
            if solid.name >= len(self.board)
            or (self.present[solid.name] and solid.name not in own and solid.name not in passed)
        ]
        width = self.rules.gap_width(self.board.units[leader])
        gates = [(p, q) for _, _, p, q in gaps(stops, width)]
        # the feet of gates belong to them and to the pieces they stand on, however small these are taken
        gates = [moved(p, q, 4 * SLACK) for p, q in gates]
        gates += [((a, b), (c, d)) for a, b, c, d in self.ground.closed.tolist()]
        answers = []
        for slack in (-SLACK, SLACK):
            graph = networkx.Graph()
            graph.add_nodes_from(own)
            for a, b in itertools.combinations(own, 2):
                if not networkx.has_path(graph, a, b) and is_free(
                    solids[a], solids[b], stops, gates, slack, self.rules.sc_link == "centre"
                ):
                    graph.add_edge(a, b)
            answers.append(set(networkx.node_connected_component(graph, leader)))
        return answers[0], answers[1]

    def passed(self, own: Sequence[int], solids: Sequence[Solid]) -> set[int]:
        """Enemies that a model of the group is engaged with; the shortest line between round bases is one."""
        tall = {"tall": 2, "any": -1, "none": 99}[self.rules.engaged_terrain]
        walls = [
            shapely.Polygon(piece.outline).buffer(-1e-6, join_style="mitre")
            for piece in self.board.terrain
            if (piece.height or 0) >= tall
        ]
        found = set()
        for u, v in itertools.product(own, range(len(self.board))):
            one, other = self.board.units[u], self.board.units[v]
            if not self.present[v] or one.side == other.side or one.flying or other.flying:
                continue
            a, b = (solids[k].core.buffer(solids[k].radius, quad_segs=64) for k in (u, v))
            if solids[u].core.distance(solids[v].core) - solids[u].radius - solids[v].radius > (
                self.rules.engaged_range
            ):
                continue
            line = shapely.shortest_line(a, b)
            if not any(wall.intersection(line).length > 1e-6 for wall in walls):
                found.add(v)
        if self.rules.engaged_link == "groups":
            groups = {int(self.board.group[v]) for v in found}
            found = {v for v in range(len(self.board)) if int(self.board.group[v]) in groups}
        return found


def corners(solid: Solid, grown: float) -> tuple[Floats, float]:
    """Corners of the hull of a solid that is so much larger, and the radius round them."""
    if solid.radius > 0.0:
        return shapely.get_coordinates(solid.core), solid.radius + grown
    larger = solid.core.buffer(grown, join_style="mitre")
    return shapely.get_coordinates(larger), 0.0


def moved(p: Point, q: Point, longer: float) -> tuple[Point, Point]:
    """A segment that is so much longer at both ends."""
    length = math.dist(p, q)
    x, y = (q[0] - p[0]) / length * longer, (q[1] - p[1]) / length * longer
    return (p[0] - x, p[1] - y), (q[0] + x, q[1] + y)


def is_free(
    one: Solid,
    other: Solid,
    stops: Sequence[Solid],
    gates: Sequence[tuple[Point, Point]],
    slack: float,
    only_centres: bool,
) -> bool:
    """Whether a line leads from one base to another, past stops and gates taken smaller by a slack."""
    a, b = corners(one, 0.0), corners(other, 0.0)
    if only_centres:
        a, b = ((np.array([[*solid.core.centroid.coords[0]]]), 0.0) for solid in (one, other))
    elif one.core.distance(other.core) <= one.radius + other.radius:
        return True
    walls = []
    elements = [np.column_stack([points, np.full(len(points), r)]) for points, r in (a, b)]
    for p, q in gates:
        ends = moved(p, q, -slack)
        elements.append(np.array([[*end, 0.0] for end in ends]))
        walls.append((shapely.LineString(ends), 0.0))
    for stop in stops:
        points, r = corners(stop, -slack)
        elements.append(np.column_stack([points, np.full(len(points), r)]))
        core = stop.core if r > 0.0 else stop.core.buffer(-slack, join_style="mitre")
        walls.append((core, r))
    normals, offsets = tangents(np.concatenate(elements))
    if only_centres:
        way = b[0][0] - a[0][0]
        normals = np.array([[-way[1], way[0]]]) / np.hypot(*way)
        offsets = normals @ a[0][0]
    begin, end = chords(normals, offsets, *a), chords(normals, offsets, *b)
    meets = np.isfinite(begin[0]) & np.isfinite(end[0])
    normals, offsets, begin, end = normals[meets], offsets[meets], begin[:, meets], end[:, meets]
    forward = begin.sum(axis=0) <= end.sum(axis=0)
    start = np.where(forward, begin[1], end[1])
    stop_at = np.maximum(start, np.where(forward, end[0], begin[0]))
    along = np.stack([normals[:, 1], -normals[:, 0]], axis=1)
    foot = normals * offsets[:, None]
    lines = shapely.linestrings(
        np.stack([foot + along * start[:, None], foot + along * stop_at[:, None]], axis=1)
    )
    for core, r in walls:
        if isinstance(core, shapely.Polygon) and r == 0.0:
            inner = core.buffer(-1e-8, join_style="mitre")
            shapely.prepare(inner)
            lines = lines[~shapely.intersects(inner, lines)]
        elif r == 0.0:  # a gate: not where lines only touch its end
            p, q = shapely.get_coordinates(core)
            inner = shapely.LineString([p + MISS * 10 * (q - p), q - MISS * 10 * (q - p)])
            lines = lines[~shapely.intersects(inner, lines)]
        else:
            lines = lines[shapely.distance(core, lines) >= r - 1e-8]
    return len(lines) > 0


def tangents(elements: Floats) -> tuple[Floats, Floats]:
    """Lines that touch two of the discs (x, y, radius): unit normals (n, 2) and offsets (n,)."""
    i, j = np.triu_indices(len(elements), 1)
    way = elements[j, :2] - elements[i, :2]
    length = np.hypot(*way.T)
    good = length > 1e-9
    i, j, way, length = i[good], j[good], way[good], length[good]
    angle = np.arctan2(way[:, 1], way[:, 0])
    normals, offsets = [], []
    for s, t in itertools.product((-1.0, 1.0), repeat=2):
        share = (t * elements[j, 2] - s * elements[i, 2]) / length
        exists = np.abs(share) <= 1.0
        turned = angle[exists] + np.arccos(share[exists])
        normal = np.stack([np.cos(turned), np.sin(turned)], axis=1)
        normals.append(normal)
        offsets.append((normal * elements[i[exists], :2]).sum(axis=1) - s * elements[i[exists], 2])
    return np.concatenate(normals), np.concatenate(offsets)


def chords(normals: Floats, offsets: Floats, points: Floats, radius: float) -> Floats:
    """Where lines enter and leave a rounded hull, along the normal turned right, (2, n); inf if they miss."""
    r = radius + MISS
    low, high = np.full(len(normals), np.inf), np.full(len(normals), -np.inf)
    along = np.stack([normals[:, 1], -normals[:, 0]], axis=1)
    for point in points:
        off = normals @ point - offsets
        on = np.abs(off) <= r
        half = np.sqrt(np.maximum(r * r - off * off, 0.0))
        at = along @ point
        low = np.where(on, np.minimum(low, at - half), low)
        high = np.where(on, np.maximum(high, at + half), high)
    for p, q in itertools.permutations(points, 2):
        length = math.dist(p, q)
        if length < 1e-9:
            continue
        shift = r / length * np.array([q[1] - p[1], p[0] - q[0]])
        one, two = normals @ (p + shift) - offsets, normals @ (q + shift) - offsets
        crosses = (one * two <= 0.0) & (one != two)
        share = np.where(crosses, one / np.where(crosses, one - two, 1.0), 0.0)
        at = along @ (p + shift) + share * (along @ (q - p))
        low = np.where(crosses, np.minimum(low, at), low)
        high = np.where(crosses, np.maximum(high, at), high)
    return np.stack([low, np.where(high >= low, high, np.inf)])
