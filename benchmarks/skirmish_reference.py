"""Coherency as it is done without this library: shapely 2 and networkx, one state after another.

Bases are kept as cores with a radius, points and lines, so that distances are exact; lines of a whole state
are tested at once against trees of what may stop them. Lines are tried in three rounds, and later ones only
where models are not linked yet: the shortest between two bases; some between points of their outlines; then
all that are critical. If any line between two bases is free, one is that touches two of the outlines about
it, a base or a corner each: whoever is not linked by these is not linked at all.

`margin` makes the answers strict (above 0: everything that stops lines is larger by as much) or lenient
(below 0). Where both say the same, no rounding decides.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import networkx as nx
import numpy as np
import shapely

from ninthgeom import TOLERANCE, Board

MM = 1 / 25.4
SAMPLES = 6
#: Gates, and what joins pieces in contact, are a little longer than the gap is wide.
LENGTHENED = 1e-5
LARGE = 3


@dataclass
class Table:
    """What does not change between states: terrain, bases, groups."""

    board: Board
    access: Sequence[Any] = ()
    closed: Sequence[Any] = ()
    blocking: Any = None
    tol: float = TOLERANCE
    widths: tuple[float, float] = (1.0, 3.0)
    #: Height from which terrain keeps models from being engaged, and whether links pass whole engaged groups.
    tall: float = 2
    engaged_groups: bool = False

    def __post_init__(self) -> None:
        units = self.board.units
        size = np.array([unit.base_mm for unit in units]).reshape(-1, 2) * MM
        self.radius = size[:, 0] / 2
        self.straight = (size[:, 1] - size[:, 0]) / 2
        if any(unit.shape == "rect" for unit in units) or (self.straight < 0).any():
            raise ValueError("the reference knows discs and ovals that are deeper than wide")
        self.furthest = self.radius.max(initial=0.0)
        self.flying = np.array([unit.flying for unit in units], bool)
        self.group = np.array(self.board.group)
        self.n_groups = int(self.group.max(initial=-1)) + 1
        first = [int(np.flatnonzero(self.group == g)[0]) for g in range(self.n_groups)]
        self.group_side = np.array(self.board.side)[first]
        large = np.array([units[i].size >= LARGE for i in first], bool)
        self.group_flying = self.flying[first]
        self.group_width = np.where(large, self.widths[1], self.widths[0])
        terrain = [shapely.Polygon(piece.outline) for piece in self.board.terrain]
        numbers = range(len(terrain)) if self.blocking is None else self.blocking
        free = shapely.union_all([shapely.Polygon(ring) for ring in self.access])
        self.access_area = free
        shapes, owners, whole = [], [], []
        for k in numbers:
            left = shapely.difference(terrain[k], free) if len(self.access) else terrain[k]
            for shape in shapely.get_parts(left):
                if shape.area > 0:
                    owners += [len(whole)] * len(parts := convex_parts(shape))
                    shapes += parts
                    whole.append((len(units) + k, shape))
        #: The pieces of terrain and what they are part of; the convex parts of these.
        self.terrain = np.array([shape for _, shape in whole], object)
        self.terrain_owner = np.array([owner for owner, _ in whole], int)
        self.parts = np.array(shapes, object)
        self.part_of = np.array(owners, int)
        self.part_tree = shapely.STRtree(self.parts)
        tall = [shapely.Polygon(t.outline) for t in self.board.terrain if (t.height or 0) >= self.tall]
        self.tall_tree = shapely.STRtree(shapely.buffer(tall, -self.tol, join_style="mitre"))
        self.n_pieces = len(units) + len(self.board.terrain)
        self._trees: dict[float, Any] = {}

    def terrain_tree(self, margin: float) -> Any:
        """Tree of the terrain as lines feel it: smaller by the tolerance, larger by the margin."""
        if margin not in self._trees:
            grown = shapely.buffer(self.terrain, margin - self.tol, join_style="mitre")
            shapely.prepare(grown)
            self._trees[margin] = shapely.STRtree(grown)
        return self._trees[margin]


def convex_parts(shape: Any) -> list[Any]:
    """Cut a polygon in convex ones: triangles, joined as long as they stay convex."""
    hull = shape.convex_hull
    if hull.area - shape.area < 1e-12 * hull.area:
        return [shape]
    parts = list(shapely.get_parts(shapely.constrained_delaunay_triangles(shape)))
    joined = True
    while joined:
        joined = False
        for i in range(len(parts)):
            for j in range(i):
                both = shapely.union(parts[i], parts[j])
                # The hull is the same outline without rounding.
                if both.geom_type == "Polygon" and both.convex_hull.area - both.area < 1e-12 * both.area:
                    parts = [part for k, part in enumerate(parts) if k not in (i, j)] + [both]
                    joined = True
                    break
            if joined:
                break
    return parts


@dataclass
class Gates:
    """Gaps that are narrower than some width, and where pieces touch."""

    first: Any
    second: Any
    length: Any
    lines: Any
    bodies: Any  # (2, n) bases and convex parts between which they are
    gate: Any  # pairs of a gate and a piece that it passes through
    through: Any

    @cached_property
    def tree(self) -> Any:
        return shapely.STRtree(self.lines)

    def active(self, counts: Any, width: float, tol: float) -> Any:
        """Which of them are closed to a group: (n,) bool for the pieces that count for it."""
        active = counts[self.first] & counts[self.second] & (self.length < width - tol)
        dropped = np.zeros(len(active), bool)
        dropped[self.gate[counts[self.through]]] = True
        return active & ~dropped


@dataclass
class State:
    """Bases of one state, with what is asked of them."""

    table: Table
    positions: Any  # (U, 3)
    present: Any = None
    margin: float = 0.0
    _gates: dict[float, Gates] = field(default_factory=dict)

    def __post_init__(self) -> None:
        table, at = self.table, np.asarray(self.positions, float)
        if self.present is None:
            self.present = np.ones(len(at), bool)
        forward = np.column_stack([np.cos(at[:, 2]), np.sin(at[:, 2])])
        step = table.straight[:, None] * forward
        self.ends = np.stack([at[:, :2] - step, at[:, :2] + step], axis=1)
        cores = shapely.points(at[:, :2])
        long = table.straight > 0
        cores[long] = shapely.linestrings(self.ends[long])
        cores[~self.present] = None
        self.cores = cores

    @cached_property
    def tree(self) -> Any:
        return shapely.STRtree(self.cores)

    def line(self, first: Any, second: Any) -> Any:
        """Ends of the shortest lines between bases, (n, 2, 2)."""
        table = self.table
        ends = shapely.get_coordinates(shapely.shortest_line(self.cores[first], self.cores[second]))
        return trimmed(ends.reshape(-1, 2, 2), table.radius[first], table.radius[second])

    @cached_property
    def engaged(self) -> Any:
        """Models that are engaged with some model of each group, (G, U)."""
        table = self.table
        near = 1.0 + 2 * table.furthest
        i, j = self.tree.query(self.cores, predicate="dwithin", distance=near)
        side = np.array(table.board.side)
        keep = (side[i] != side[j]) & ~table.flying[i] & ~table.flying[j]
        i, j = i[keep], j[keep]
        gap = shapely.distance(self.cores[i], self.cores[j]) - table.radius[i] - table.radius[j]
        keep = gap <= 1.0 + table.tol - self.margin
        i, j = i[keep], j[keep]
        lines = shapely.linestrings(self.line(i, j))
        passed = np.unique(table.tall_tree.query(lines, predicate="intersects")[0])
        keep = np.ones(len(i), bool)
        keep[passed] = False
        engaged = np.zeros((table.n_groups, len(self.cores)), bool)
        engaged[table.group[i[keep]], j[keep]] = True
        if table.engaged_groups:
            groups = np.stack([engaged[:, table.group == g].any(axis=1) for g in range(table.n_groups)], 1)
            engaged = groups[:, table.group]
        return engaged

    @cached_property
    def counts(self) -> Any:
        """Which pieces stop the lines of each group, (G, pieces)."""
        table = self.table
        counts = np.ones((table.n_groups, table.n_pieces), bool)
        models = table.group != np.arange(table.n_groups)[:, None]
        counts[:, : len(table.group)] = models & ~self.engaged & self.present
        return counts

    def gates(self, width: float) -> Gates:
        """All gaps narrower than a width, between any two pieces."""
        if width not in self._gates:
            self._gates[width] = self._make_gates(width)
        return self._gates[width]

    def _make_gates(self, width: float) -> Gates:
        table, tol = self.table, self.table.tol
        n = len(self.cores)
        shapes = np.concatenate([self.cores, table.parts])
        radius = np.concatenate([table.radius, np.zeros(len(table.parts))])
        whole = np.concatenate([np.arange(n), n + table.part_of])
        owner = np.concatenate([np.arange(n), table.terrain_owner[table.part_of]])
        near = width + radius + table.furthest
        i, j = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=near)
        i, j = i[i < j], j[i < j]
        length = shapely.distance(shapes[i], shapes[j]) - radius[i] - radius[j]
        keep = (
            (length < width - tol + self.margin)
            & ((whole[i] != whole[j]) | (length > tol))
            & (length >= -tol)
        )
        # Pieces that overlap leave no slit; their outlines may cross anywhere.
        flat = np.flatnonzero(keep & (length <= tol) & (radius[i] + radius[j] == 0.0))
        keep[flat] = shapely.area(shapely.intersection(shapes[i[flat]], shapes[j[flat]])) <= tol
        i, j, length = i[keep], j[keep], length[keep]
        cores = shapely.get_coordinates(shapely.shortest_line(shapes[i], shapes[j])).reshape(-1, 2, 2)
        cores = self.middle(shapes, i, j, cores)
        ends = trimmed(cores, radius[i], radius[j])
        is_longer = np.zeros(len(i), bool)
        for side, one in enumerate((i, j)):
            # Nearest of the convex parts, but not of the whole: another part at the foot comes nearer.
            gate, part = table.part_tree.query(
                shapely.points(ends[:, side]), predicate="dwithin", distance=tol
            )
            same = (whole[one[gate]] == n + table.part_of[part]) & (one[gate] != n + part)
            gate, part = gate[same], part[same]
            foot = shapely.points(ends[gate, 1 - side])
            is_longer[gate[shapely.distance(foot, table.parts[part]) < length[gate] - tol]] = True
        keep = ~is_longer
        i, j, length, ends, cores = i[keep], j[keep], length[keep], ends[keep], cores[keep]
        contact = length <= tol
        lines = shapely.linestrings(_lengthened(ends))
        if contact.any():
            lines[contact] = self._bridges(shapes, radius, i[contact], j[contact], cores[contact])
        inner = shapely.linestrings(ends)
        gate, model = self.tree.query(inner, predicate="dwithin", distance=table.furthest)
        deep = shapely.distance(inner[gate], self.cores[model]) < table.radius[model] - tol
        gate2, terrain = table.terrain_tree(0.0).query(inner, predicate="intersects")
        gate = np.concatenate([gate[deep], gate2])
        through = np.concatenate([model[deep], table.terrain_owner[terrain]])
        keep = ~contact[gate]
        lines = self.outside_access(lines)
        return Gates(owner[i], owner[j], length, lines, np.stack([i, j]), gate[keep], through[keep])

    def middle(self, shapes: Any, i: Any, j: Any, lines: Any) -> Any:
        """Choose one line where several are the shortest: that which was found, parallel sides being rare."""
        return lines

    def outside_access(self, gates: Any) -> Any:
        """Parts of gates, (n,) geometries, that close something.

        A gate along the edge of an access area closes: beside the area models cannot pass. Strictly, one is
        open only if it is free as a whole, and leniently if any part of it is free.
        """
        area, margin = self.table.access_area, self.margin
        if not len(self.table.access):
            return gates
        if margin == 0:
            return shapely.difference(gates, shapely.buffer(area, -self.table.tol))
        if margin < 0:
            left = gates.copy()
            left[shapely.intersects(gates, area)] = shapely.LineString()
            return left
        inside = shapely.within(shapely.centroid(gates), shapely.buffer(area, -2 * LENGTHENED))
        left = gates.copy()
        left[inside & shapely.within(gates, shapely.buffer(area, 2 * LENGTHENED))] = shapely.LineString()
        return left

    def _bridges(self, shapes: Any, radius: Any, i: Any, j: Any, cores: Any) -> Any:
        """Lines through contacts, from inside one piece to inside the other."""
        points = np.empty((len(i), 6, 2))
        for k in range(len(i)):
            one, other = cores[k]
            gap = other - one
            length = float(np.hypot(*gap)) or 1.0
            touch = one + gap / length * radius[i[k]]
            inner = [
                np.asarray(shapely.centroid(shapes[piece]).coords[0]) if radius[piece] == 0.0 else core
                for piece, core in ((i[k], one), (j[k], other))
            ]
            points[k, 1] = points[k, 2] = points[k, 3] = points[k, 4] = touch
            points[k, 0], points[k, 5] = inner
            for end, at, away in ((0, 1, 2), (5, 4, 3)):
                step = touch - points[k, end]
                points[k, away] = touch + step / (np.hypot(*step) or 1.0) * LENGTHENED
                points[k, at] = touch
        return shapely.linestrings(points)

    def blocked(self, ends: Any, groups: Any) -> Any:
        """Whether pieces or gates stop the lines of some groups, (n,)."""
        table, margin = self.table, self.margin
        ends = _moved_ends(ends, margin)
        lines = shapely.linestrings(ends)
        blocked = np.zeros(len(lines), bool)
        reach = table.furthest + max(margin, 0.0)
        line, model = self.tree.query(lines, predicate="dwithin", distance=reach)
        keep = self.counts[groups[line], model]
        line, model = line[keep], model[keep]
        depth = table.radius[model] + margin - table.tol
        blocked[line[shapely.distance(lines[line], self.cores[model]) < depth]] = True
        blocked[table.terrain_tree(margin).query(lines, predicate="intersects")[0]] = True
        if len(table.closed):
            segments = shapely.linestrings(np.reshape(table.closed, (-1, 2, 2)))
            blocked[shapely.STRtree(segments).query(lines, predicate="crosses")[0]] = True
        # A line may start and end on a gate.
        lines = shapely.linestrings(_moved_ends(ends, min(2 * margin, 0.0) - table.tol))
        todo = np.flatnonzero(~blocked)
        width = table.group_width[groups[todo]]
        for w in np.unique(width):
            mine = todo[width == w]
            gates = self.gates(float(w))
            if not len(gates.lines):
                continue
            line, gate = gates.tree.query(lines[mine], predicate="intersects")
            active = {
                g: gates.active(self.counts[g], w + margin, table.tol) for g in np.unique(groups[mine[line]])
            }
            hit = [active[g][k] for g, k in zip(groups[mine[line]], gate, strict=True)]
            blocked[mine[line[np.array(hit, bool)]]] = True
        return blocked & ~table.group_flying[groups]

    def linked(self, leaders: Any, *, centre: bool = False) -> Any:
        """Which models a chain of links joins to the leaders of their groups, (U,)."""
        table = self.table
        graph = nx.Graph()
        graph.add_nodes_from(np.flatnonzero(self.present))
        groups = [np.flatnonzero((table.group == table.group[k]) & self.present) for k in leaders]
        pairs = [(i, j) for members in groups for i in members for j in members if i < j]
        i, j = np.array(pairs, int).reshape(-1, 2).T
        if centre:
            ends = np.stack([self.ends[i].mean(axis=1), self.ends[j].mean(axis=1)], axis=1)
        else:
            ends = self.line(i, j)
        free = ~self.blocked(ends, table.group[i])
        graph.add_edges_from(zip(i[free], j[free], strict=True))
        for rounds in () if centre else (self._sampled, self._critical):
            self._link(graph, leaders, rounds)
        linked = np.zeros(len(self.cores), bool)
        for leader in leaders:
            linked[list(nx.node_connected_component(graph, leader))] = True
        return linked

    def _link(self, graph: Any, leaders: Any, free_line: Any) -> None:
        """Try further lines from models linked to the leaders to those that are not, as chains grow."""
        tried: set[tuple[int, int]] = set()
        while True:
            pairs = []
            for leader in leaders:
                chain = nx.node_connected_component(graph, leader)
                members = np.flatnonzero((self.table.group == self.table.group[leader]) & self.present)
                pairs += [(a, b) for a in chain for b in members if b not in chain]
            pairs = [pair for pair in pairs if pair not in tried]
            if not pairs:
                return
            tried.update(pairs)
            i, j = np.array(pairs).T
            free = free_line(i, j)
            graph.add_edges_from(zip(i[free], j[free], strict=True))

    def _sampled(self, i: Any, j: Any) -> Any:
        """Whether a line between points spread over both outlines is free."""
        turn = 2 * math.pi * np.arange(SAMPLES) / SAMPLES
        circle = np.column_stack([np.cos(turn), np.sin(turn)])
        radius = self.table.radius

        def outline(models: Any) -> Any:
            # Half of the points round either end of an oval.
            end = self.ends[models][:, (np.arange(SAMPLES) * 2 // SAMPLES)]
            return end + radius[models][:, None, None] * circle

        starts, goals = np.broadcast_arrays(outline(i)[:, :, None], outline(j)[:, None])
        ends = np.stack([starts, goals], axis=-2).reshape(-1, 2, 2)
        groups = np.repeat(self.table.group[i], SAMPLES**2)
        return ~self.blocked(ends, groups).reshape(len(i), -1).all(axis=1)

    def _critical(self, i: Any, j: Any) -> Any:
        """Whether a line is free that touches two of the outlines about both bases."""
        return np.array([self._critical_link(a, b) for a, b in zip(i, j, strict=True)], bool)

    def _critical_link(self, a: int, b: int) -> bool:
        table, group = self.table, self.table.group[a]
        hull = shapely.buffer(
            shapely.convex_hull(shapely.union_all(self.cores[[a, b]])), max(table.radius[a], table.radius[b])
        )
        near = self.tree.query(hull, predicate="dwithin", distance=table.furthest)
        near = near[self.counts[group, near]]
        near = near[shapely.distance(hull, self.cores[near]) <= table.radius[near]]
        terrain = table.terrain_tree(0.0).query(hull, predicate="intersects")
        corners = shapely.get_coordinates(table.terrain[terrain])
        if len(table.access) or len(table.closed):
            gates = self.gates(float(table.group_width[group])).lines if len(table.access) else []
            ends = [shapely.get_coordinates(gates), np.reshape(table.closed, (-1, 2))]
            corners = np.concatenate([corners, *ends])
        corners = corners[shapely.dwithin(hull, shapely.points(corners), 1e-3)]
        grown = max(self.margin, 0.0)
        circles = [np.column_stack([self.ends[k], np.full(2, table.radius[k])]) for k in (a, b)]
        circles += [np.column_stack([self.ends[k], np.full(2, table.radius[k] + grown)]) for k in near]
        circles += [np.column_stack([corners, np.full(len(corners), grown)])]
        circles += [self._at_gates(k) for k in (a, b)]
        starts, goals = self._between(a, b, *tangents(np.unique(np.concatenate(circles), axis=0)))
        for k in range(0, len(starts), 256):
            ends = np.stack([starts[k : k + 256], goals[k : k + 256]], axis=1)
            if not self.blocked(ends, np.full(len(ends), group)).all():
                return True
        return False

    def _at_gates(self, k: int) -> Any:
        """Where gates enter and leave a base: on either side other lines are free."""
        gates = self.gates(float(self.table.group_width[self.table.group[k]]))
        if not len(gates.lines):
            return np.empty((0, 3))
        core = self.cores[k]
        near = gates.tree.query(core, predicate="dwithin", distance=self.table.radius[k])
        ends = shapely.get_coordinates(shapely.boundary(shapely.convex_hull(gates.lines[near])))
        if len(ends) < 2:
            return np.empty((0, 3))
        points, ways = ends[:-1], np.diff(ends, axis=0)
        length = np.hypot(ways[:, 0], ways[:, 1])
        points, ways, length = points[length > 0], ways[length > 0], length[length > 0]
        ways /= length[:, None]
        found = []
        for along in self._stretch(k, points, ways)[:2]:
            keep = (along >= 0.0) & (along <= length)
            found.append(points[keep] + along[keep, None] * ways[keep])
        crossings = np.concatenate(found)
        return np.column_stack([crossings, np.zeros(len(crossings))])

    def _between(self, a: int, b: int, points: Any, ways: Any) -> Any:
        """Parts of lines from where they leave one base to where they enter the other."""
        towards = (self.ends[b].mean(axis=0) - self.ends[a].mean(axis=0)) @ ways.T
        ways = np.where(towards[:, None] < 0, -ways, ways)
        _, leaves, meets_a = self._stretch(a, points, ways)
        enters, _, meets_b = self._stretch(b, points, ways)
        keep = meets_a & meets_b & (leaves < enters)
        points, ways = points[keep], ways[keep]
        return points + leaves[keep, None] * ways, points + enters[keep, None] * ways

    def _stretch(self, k: int, points: Any, ways: Any) -> Any:
        """Where lines are in a base: first and last parameter, and whether they meet it at all."""
        radius = self.table.radius[k]
        first, last = np.full(len(points), np.inf), np.full(len(points), -np.inf)
        for end in self.ends[k]:
            offset = end - points
            along = (offset * ways).sum(axis=1)
            aside = offset[:, 0] * ways[:, 1] - offset[:, 1] * ways[:, 0]
            square = radius**2 - aside**2
            half = np.sqrt(np.maximum(square, 0.0))
            # Tangents of this base meet it.
            meets = square >= -1e-9
            first = np.where(meets, np.minimum(first, along - half), first)
            last = np.where(meets, np.maximum(last, along + half), last)
        axis = self.ends[k, 1] - self.ends[k, 0]
        if axis.any():
            normal = np.array([-axis[1], axis[0]]) / np.hypot(*axis) * radius
            for side in (normal, -normal):
                offset = self.ends[k, 0] + side - points
                turn = ways[:, 0] * axis[1] - ways[:, 1] * axis[0]
                turn = np.where(turn == 0.0, np.nan, turn)
                along = (offset[:, 0] * axis[1] - offset[:, 1] * axis[0]) / turn
                at = (offset[:, 0] * ways[:, 1] - offset[:, 1] * ways[:, 0]) / turn
                meets = (at >= 0.0) & (at <= 1.0)
                first = np.where(meets, np.fmin(first, along), first)
                last = np.where(meets, np.fmax(last, along), last)
        return first, last, last >= first

    def within_radius(self, leaders: Any, radius: Any) -> Any:
        """Which models are wholly within the radius of the leaders of their groups, (U,)."""
        table = self.table
        lead = np.full(table.n_groups, -1)
        lead[table.group[leaders]] = leaders
        allowed = np.full(table.n_groups, -np.inf)
        allowed[table.group[leaders]] = radius
        mine = lead[table.group]
        furthest = shapely.distance(shapely.points(self.ends), self.cores[mine][:, None]).max(axis=1)
        return self.present & (
            np.maximum(furthest + table.radius - table.radius[mine], 0.0) <= allowed[table.group] + table.tol
        )


def coherency(state: State, leaders: Any, radius: Any) -> tuple[Any, Any, Any]:
    """Answer for every group, and within and linked for every model."""
    within, linked = state.within_radius(leaders, radius), state.linked(leaders)
    ok = (within & linked) | ~state.present
    group = state.table.group
    return np.array([ok[group == g].all() for g in range(state.table.n_groups)]), within, linked


def trimmed(ends: Any, first: Any, second: Any) -> Any:
    """Lines between cores, shorter by the radii at both ends."""
    way = ends[:, 1] - ends[:, 0]
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    way = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
    # Bases that overlap have no line between them.
    first = np.minimum(first[:, None], length)
    second = np.minimum(second[:, None], length - first)
    return np.stack([ends[:, 0] + first * way, ends[:, 1] - second * way], axis=1)


def _lengthened(ends: Any) -> Any:
    return _moved_ends(ends, LENGTHENED)


def _moved_ends(ends: Any, by: float) -> Any:
    if by == 0.0:
        return ends
    way = ends[:, 1] - ends[:, 0]
    length = np.hypot(way[:, 0], way[:, 1])[:, None]
    way = np.divide(way, length, out=np.zeros_like(way), where=length > 0)
    by = np.maximum(by, -length / 2)
    return np.stack([ends[:, 0] - by * way, ends[:, 1] + by * way], axis=1)


def tangents(circles: Any) -> tuple[Any, Any]:
    """Points and directions of all lines that touch two of some circles, points among them."""
    i, j = np.triu_indices(len(circles), 1)
    gap = circles[j, :2] - circles[i, :2]
    length = np.hypot(gap[:, 0], gap[:, 1])
    points, ways = [], []
    for one, other in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        # The normal n of the line: n . (c_j - c_i) = other r_j - one r_i, and both circles touch it.
        offset = other * circles[j, 2] - one * circles[i, 2]
        cos = np.divide(offset, length, out=np.full(len(i), 2.0), where=length > 0)
        keep = np.abs(cos) <= 1.0
        unit = gap[keep] / length[keep, None]
        cos = cos[keep, None]
        sin = np.sqrt(1.0 - cos**2)
        # Of the two normals with that cosine the other one belongs to the opposite signs.
        normal = cos * unit + sin * np.column_stack([-unit[:, 1], unit[:, 0]])
        points.append(circles[i[keep], :2] - one * circles[i[keep], 2, None] * normal)
        ways.append(np.column_stack([-normal[:, 1], normal[:, 0]]))
    return np.concatenate(points), np.concatenate(ways)
