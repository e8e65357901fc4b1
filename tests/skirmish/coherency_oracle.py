"""Coherency of small crowded scenes, by the reference of the benchmarks with everything that may happen.

The scenes are made to be nearly degenerate: half of them stand on a coarse grid, with bases of whole inches,
so that models touch each other and terrain, gaps are as wide as they must be, and lines graze corners. The
rest stand anywhere. The reference answers three times: as it is, strictly and leniently. Where the last two
differ, the answer hangs on a hair, and is told apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely
from numpy.random import Generator

from benchmarks.skirmish_reference import LENGTHENED, Gates, State, Table, trimmed
from benchmarks.skirmish_scenes import outline
from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, Rules

#: Larger than what rounding and the tolerance make, and smaller than what a scene is made of.
HAIR = 5e-6
SIZE = (14.0, 14.0)
#: Where there is no room for a group, its first model stands above these.
TABLE = (14.0, 19.0)
TALL = {"tall": 2, "any": -1, "none": math.inf}


class OracleState(State):
    """A state in which gates between parallel sides are rectangles."""

    def _make_gates(self, width: float) -> Gates:
        gates = super()._make_gates(width)
        shapes = np.concatenate([self.cores, self.table.parts])
        radius = np.concatenate([self.table.radius, np.zeros(len(self.table.parts))])
        for k, (i, j) in enumerate(gates.bodies.T):
            if gates.length[k] <= self.table.tol:
                seam = self._seam(shapes, radius, i, j)
                if seam is not None:
                    gates.lines[k] = seam
                continue
            broad = self._broad(shapes[i], shapes[j], radius[[i]], radius[[j]])
            if broad is not None:
                gates.lines[[k]] = self.outside_access(np.array([broad]))
        return gates

    def _seam(self, shapes: Any, radius: Any, i: int, j: int) -> Any:
        """Lines across the ends of an edge that two pieces share, or None if they touch in a point.

        Who goes along both of them may touch the end of the edge, so that the lines are a little inside.
        """
        points = []
        for one, other in ((i, j), (j, i)):
            if radius[one] == 0.0:
                corners = np.unique(shapely.get_coordinates(shapes[one]), axis=0)
                gap = shapely.distance(shapely.points(corners), shapes[other]) - radius[other]
                points += list(corners[np.abs(gap) <= self.table.tol])
        sides = [
            end
            for k in (i, j)
            if radius[k] > 0 and shapes[k].geom_type != "Point"
            for end in shapes[k].coords
        ]
        if sides and len(points) + len(sides) > 1 and radius[i] * radius[j] == 0.0:
            polygon = shapes[i] if radius[i] == 0.0 else shapes[j]
            for end in sides:
                if (
                    abs(shapely.distance(shapely.Point(end), polygon) - max(radius[i], radius[j]))
                    <= self.table.tol
                ):
                    points.append(
                        shapely.get_coordinates(shapely.shortest_line(polygon, shapely.Point(end)))[0]
                    )
        points = np.array(points).reshape(-1, 2)
        if len(points) < 2 or np.ptp(points, axis=0).max() < 10 * LENGTHENED:
            return None
        apart = np.hypot(*np.moveaxis(points[:, None] - points, -1, 0))
        ends = points[list(np.unravel_index(apart.argmax(), apart.shape))]
        way = ends[1] - ends[0]
        inner = LENGTHENED * way / np.hypot(*way) * (1 if self.margin <= 0 else -1)
        bridges = []
        for point in (ends[0] + inner, ends[1] - inner, ends.mean(axis=0)):
            for k in (i, j):
                core = shapely.centroid(shapes[k])
                if radius[k] > 0.0:
                    core = shapely.Point(shapely.shortest_line(shapes[k], shapely.Point(point)).coords[0])
                bridges.append(shapely.LineString([point, core]))
        return shapely.union_all(bridges)

    def middle(self, shapes: Any, i: Any, j: Any, lines: Any) -> Any:
        lines = lines.copy()
        for k in range(len(i)):
            extremes = self._extremes(shapes[i[k]], shapes[j[k]])
            if len(extremes):
                lines[k] = extremes.mean(axis=0)
        return lines

    def _broad(self, one: Any, other: Any, r_one: Any, r_other: Any) -> Any:
        ends = self._extremes(one, other)
        if not len(ends):
            return None
        if self.margin <= 0:
            # Who goes along the outermost of these lines does not pass them.
            way = ends[1] - ends[0]
            inner = LENGTHENED * way / np.hypot(way[:, 0], way[:, 1])[:, None]
            ends = np.stack([ends[0] + inner, ends[1] - inner])
        ends = trimmed(ends, np.repeat(r_one, len(ends)), np.repeat(r_other, len(ends)))
        way = ends[:, 1] - ends[:, 0]
        way *= LENGTHENED / np.hypot(way[:, 0], way[:, 1])[:, None]
        return shapely.convex_hull(shapely.multipoints(np.concatenate([ends[:, 0] - way, ends[:, 1] + way])))

    def _extremes(self, one: Any, other: Any) -> Any:
        """First and last of the shortest lines between parallel sides, (2, 2, 2); none between others."""
        nearest = shapely.distance(one, other)
        if nearest <= self.table.tol or "Point" in (one.geom_type, other.geom_type):
            return np.empty((0, 2, 2))
        lines = []
        for core, rest, turned in ((one, other, False), (other, one, True)):
            for point in shapely.points(np.unique(shapely.get_coordinates(core), axis=0)):
                if shapely.distance(point, rest) <= nearest + self.table.tol:
                    ends = shapely.get_coordinates(shapely.shortest_line(point, rest))
                    lines.append(ends[::-1] if turned else ends)
        ends = np.array(lines)
        way = ends[0, 1] - ends[0, 0]
        along = ends[:, 0] @ np.array([-way[1], way[0]])
        ends = ends[[along.argmin(), along.argmax()]]
        if (
            np.hypot(*(ends[1, 0] - ends[0, 0])) < LENGTHENED
            or np.hypot(*(ends[1, 1] - ends[0, 1])) < LENGTHENED
        ):
            return np.empty((0, 2, 2))
        return ends


@dataclass(frozen=True)
class Scene:
    """A board with states, and all that is asked with them."""

    board: Board
    positions: Any
    present: Any
    leaders: Any
    radius: Any
    ground: Ground
    rules: Rules
    grid: bool

    def table(self) -> Table:
        rules = self.rules
        return Table(
            self.board,
            self.ground.access,
            self.ground.closed,
            self.ground.blocking,
            widths=(rules.small_gap, rules.large_gap),
            tall=TALL[rules.engaged_terrain],
            engaged_groups=rules.engaged_link == "groups",
        )

    def linked(self, i: int, margin: float = 0.0) -> Any:
        """Who is linked in state i."""
        state = OracleState(self.table(), self.positions[i], self.present[i], margin)
        return state.linked(self.leaders[i], centre=self.rules.sc_link == "centre")

    def within(self, i: int) -> Any:
        """Who is wholly within the radius in state i, by how much."""
        state = State(self.table(), self.positions[i], self.present[i])
        lead = np.full(state.table.n_groups, -1)
        lead[state.table.group[self.leaders[i]]] = self.leaders[i]
        mine = lead[state.table.group]
        if self.rules.sc_wholly_ref == "edge":
            cores, radius = state.cores[mine], state.table.radius[mine]
        else:
            cores, radius = shapely.points(state.positions[mine, :2]), 0.0
        furthest = shapely.distance(shapely.points(state.ends), cores[:, None]).max(axis=1)
        furthest = np.maximum(furthest + state.table.radius - radius, 0.0)
        return np.where(self.present[i], self.radius[state.table.group] - furthest, -np.inf)


def random_scene(rng: Generator, states: int) -> Scene:
    """Make a scene with four groups, two a side, close together."""
    grid = bool(rng.random() < 0.5)
    units = []
    for g, n in enumerate((3, 3, 4, 2)):
        size = int(rng.choice([1, 2, 3], p=[0.4, 0.4, 0.2]))
        flying = bool(rng.random() < 0.1)
        for k in range(n):
            diameter = float(rng.choice([1.0, 2.0])) * 25.4 if grid else float(rng.choice([32, 40, 50]))
            kind: dict[str, Any] = {"base_mm": diameter, "shape": "round"}
            if rng.random() < 0.15:
                kind = {"base_mm": (25.4, 50.8) if grid else (25, 60), "shape": "oval"}
            units.append(
                Unit(f"{'ABCD'[g]}{k}", group="ABCD"[g], side=g // 2, size=size, flying=flying, **kind)
            )
    terrain = [_terrain(rng, grid) for _ in range(int(rng.integers(2, 9)))]
    board = Board(units, terrain, TABLE)
    access = [_door(rng, piece) for piece in terrain if rng.random() < 0.1]
    closed = rng.uniform(2, 12, (1, 4)) if rng.random() < 0.1 else np.empty((0, 4))
    blocking = [k for k in range(len(terrain)) if k] if rng.random() < 0.1 else None
    rules = Rules(
        sc_wholly_ref=str(rng.choice(["edge", "centre"], p=[0.8, 0.2])),  # type: ignore[arg-type]
        sc_link=str(rng.choice(["any-point", "centre"], p=[0.85, 0.15])),  # type: ignore[arg-type]
        engaged_terrain=str(rng.choice(list(TALL), p=[0.8, 0.1, 0.1])),  # type: ignore[arg-type]
        engaged_link=str(rng.choice(["models", "groups"], p=[0.8, 0.2])),  # type: ignore[arg-type]
    )
    ground = Ground(blocking, access=access, closed=closed)
    shapes = shapely.union_all([shapely.Polygon(piece.outline) for piece in terrain])
    made = [_state(rng, board, shapes, grid) for _ in range(states)]
    positions, present = (np.array(arrays) for arrays in zip(*made, strict=True))
    leaders = np.array(
        [[rng.choice(np.flatnonzero((board.group == g) & here)) for g in range(4)] for here in present]
    )
    radius = rng.choice([2.0, 3.0, 4.0], 4)
    return Scene(board, positions, present, leaders, radius, ground, rules, grid)


def _terrain(rng: Generator, grid: bool) -> Terrain:
    """Make a block, an L, a yard with an opening, or any outline; the first three turned at will."""
    kind = rng.choice(
        ["block", "corner", "yard", "any"], p=[0.5, 0.3, 0.2, 0.0] if grid else [0.1, 0.1, 0.2, 0.6]
    )
    w, h = rng.integers(1, 7, 2) / 2
    if kind == "any":
        ring = outline(rng) * 0.7
    elif kind == "block":
        ring = np.array([(0, 0), (w, 0), (w, h), (0, h)])
    elif kind == "corner":
        ring = np.array([(0, 0), (w, 0), (w, h / 2), (w / 2, h / 2), (w / 2, h), (0, h)])
    else:
        # Walls of half an inch round a yard, whose opening is up to 3 inches wide.
        w, h, door = (
            2.0 + w,
            1.0 + h,
            float(rng.choice([0.5, 1.0, 1.5, 3.0])) if grid else rng.uniform(0.3, 3.2),
        )
        door = min(door, w - 1.0)
        a = (w - door) / 2
        ring = np.array(
            [(0, 0), (w, 0), (w, h), (w - a, h), (w - a, h - 0.5), (w - 0.5, h - 0.5), (w - 0.5, 0.5)]
        )
        ring = np.concatenate([ring, [(0.5, 0.5), (0.5, h - 0.5), (a, h - 0.5), (a, h), (0, h)]])
        # Walls beside the opening that are as long as theirs leave no corner.
        ring = ring[[i for i in range(12) if not np.allclose(ring[i], ring[i - 1])]]
    turn = rng.integers(4) * math.pi / 2 if grid else rng.uniform(0, 2 * math.pi)
    cos, sin = (round(math.cos(turn)), round(math.sin(turn))) if grid else (math.cos(turn), math.sin(turn))
    middle = rng.integers(4, 24, 2) / 2 if grid else rng.uniform(2, 12, 2)
    ring = ring @ np.array([[cos, sin], [-sin, cos]]) + middle
    return Terrain(ring, kind="ruin", height=int(rng.integers(0, 4)))


def _door(rng: Generator, piece: Terrain) -> Any:
    """A rectangle across some edge of a piece."""
    k = int(rng.integers(len(piece.outline)))
    one, other = piece.outline[k - 1], piece.outline[k]
    along = (other - one) / np.hypot(*(other - one))
    middle, aside = one + rng.uniform(0.3, 0.7) * (other - one), np.array([-along[1], along[0]])
    a, b = rng.uniform(0.2, 0.8), rng.uniform(0.3, 1.5)
    return [middle + s * a * along + t * b * aside for s, t in ((-1, -1), (1, -1), (1, 1), (-1, 1))]


def _state(rng: Generator, board: Board, shapes: Any, grid: bool) -> tuple[Any, Any]:
    """Set models one after another near the first of their group; those that find no room are absent."""
    table = Table(board)
    n = len(board)
    positions, present = np.zeros((n, 3)), np.zeros(n, bool)
    spread = rng.uniform(2.5, 7.0)
    for i in range(n):
        mates = np.flatnonzero((table.group == table.group[i]) & present)
        # The first of a group is always set, if need be on the next free place of a row above the table.
        for k in range(400):
            if len(mates):
                at = positions[rng.choice(mates), :2] + rng.normal(0, spread, 2)
            elif k < 300:
                at = rng.uniform(1.5, np.subtract(SIZE, 1.5))
            else:
                at = np.array([2.0 + 3.0 * table.group[i], 17.0])
            if grid:
                at = np.round(2 * at) / 2
            turn = float(rng.integers(4)) * math.pi / 2 if grid else rng.uniform(0, 2 * math.pi)
            positions[i] = (*at, turn)
            present[i] = True
            if _fits(table, positions, present, i, shapes):
                break
            present[i] = False
            if len(mates) and k == 30:
                break
    return positions, present


def _fits(table: Table, positions: Any, present: Any, i: int, shapes: Any) -> bool:
    state = State(table, positions, present)
    if (state.ends[i] < table.radius[i]).any() or (state.ends[i] > np.subtract(TABLE, table.radius[i])).any():
        return False
    if shapely.distance(state.cores[i], shapes) < table.radius[i] - 1e-9:
        return False
    others = np.flatnonzero(present & (np.arange(len(present)) != i))
    gaps = shapely.distance(state.cores[i], state.cores[others]) - table.radius[others] - table.radius[i]
    return bool((gaps > -1e-9).all())
