"""Line of sight on a board once more, slowly: one state, one model, one target and one line family at a time.

Written from the rules and not from the library. Who stands where comes from `board_reference`; whether a free
line runs between two convex shapes is asked of `sight_reference`, which tries every critical line.

A question is asked with a leeway: at 0 it is the question itself; at -1 everything that may take sight
away is a little stronger (blockers grown, hills that one looks out of shrunk, the arc narrower), at +1 a
little weaker. An answer that is the same at both is robust, and only those can be compared with another
computation.

At leeway 0 and with `touching="blocked"` one thing is not as the rules have it: a blocker that touches a line
at its own start or end is held to touch it too.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from tests.reference import board_reference, sight_reference
from tests.reference.sight_reference import MARGIN, MAX_VERTICES, TOLERANCE

MM = board_reference.MM
NAMED_HEIGHTS = {"Standard": 1, "Large": 3, "Gigantic": 5}
_LEAST_PIECE = 1e-9  # points nearer to each other than this are one
_ARC_LEEWAY = 1e-6


@dataclass(frozen=True)
class Convex:
    """A convex core, its vertices counter-clockwise, widened by a radius."""

    core: tuple[tuple[float, float], ...]
    radius: float = 0.0

    @cached_property
    def core_geometry(self) -> Any:
        """The core for shapely."""
        return (shapely.Point, shapely.LineString, shapely.Polygon)[min(len(self.core), 3) - 1](
            self.core[0] if len(self.core) == 1 else self.core
        )

    def outline(self, *, circumscribed: bool) -> Any:
        """The whole shape for shapely; curves become chords or tangents."""
        if self.radius == 0:
            return self.core_geometry
        widened = self.radius / math.cos(math.pi / 64) if circumscribed else self.radius
        return self.core_geometry.buffer(widened, quad_segs=16)


@dataclass(frozen=True)
class Party:
    """Who looks or is looked at: a place and what the rules want to know about who is there.

    `heading` is None for those who look all round; a point has no unit.
    """

    shape: Convex
    height: int
    unit: int | None = None
    tall: bool = False
    elevated: bool = False
    heading: float | None = None


@dataclass(frozen=True)
class Obstacle:
    """A base, a Unit Boundary or a terrain feature that may be in the way."""

    pieces: tuple[Convex, ...]
    height: float  # infinite for terrain without one
    unit: int | None = None
    tall: bool = False
    elevated: bool = False
    terrain: int | None = None


class State:
    """One state of a board.

    `models` holds a Party for each living model by slot, as it is looked at; `eyes` the same as it looks.
    `boundaries` holds a Party for each unit on the table.
    """

    def __init__(
        self, board: Any, positions: Any, rules: Any, present: Any = None, occupied: Any = None
    ) -> None:
        self.board, self.rules = board, rules
        self.hills = {
            i: shapely.Polygon(piece.outline) for i, piece in enumerate(board.terrain) if piece.kind == "hill"
        }
        # Of what is opaque, all but impassable terrain can be looked out of and into.
        self.see_out = {
            i: shapely.Polygon(piece.outline)
            for i, piece in enumerate(board.terrain)
            if piece.opaque and piece.kind != "impassable"
        }
        self.models: dict[int, Party] = {}
        self.eyes: dict[int, Party] = {}
        self.boundaries: dict[int, Party] = {}
        first = 0
        for u, unit in enumerate(board.units):
            living = _living(unit, occupied, first)
            if (present is None or present[u]) and any(living):
                self._deploy(u, unit, tuple(float(v) for v in positions[u]), living, first)
            first += len(living)
        assert occupied is None or len(occupied) == first
        self.obstacles = self._obstacles()

    # --- who stands where ---------------------------------------------------------------------------

    def _deploy(self, u: int, unit: Any, position: Any, living: Any, first: int) -> None:
        heading = position[2]
        if unit.shape != "rect":
            shape = _single_base(unit, position)
            party = Party(shape, unit.height, u, unit.tall, self._is_elevated(shape))
            self.models[first] = self.eyes[first] = self.boundaries[u] = party
            return
        around = board_reference.boundary_corners(unit, position, living)
        to_front = (around[0] - complex(*position[:2])) * np.exp(-1j * heading)
        slots, n_ranked = board_reference.slots_of(unit)
        for i, slot in enumerate(slots):
            if not living[i]:
                continue
            height, tall = unit.height, unit.tall
            if i >= n_ranked:
                attached = unit.attached[i - n_ranked]
                height, tall = height if attached.height is None else attached.height, attached.tall
            base = _rectangle(
                board_reference.corners(position, slot.front, slot.left, slot.width, slot.depth)
            )
            self.models[first + i] = Party(base, height, u, tall, self._is_elevated(base))
            # Straight ahead of its base on the front edge of the unit: the own facing in the front rank.
            ends = board_reference.corners(position, to_front.real * MM, slot.left, slot.width, 0.0)[:2]
            facing = Convex(tuple((end.real, end.imag) for end in ends))
            self.eyes[first + i] = replace(self.models[first + i], shape=facing, heading=heading)
        shape = _rectangle(around)
        own = [model for model in self.models.values() if model.unit == u]
        heights = [model.height for model in own]
        height = min(set(heights), key=lambda h: (-heights.count(h), h))
        # The rules speak of Tall models only; a boundary is Tall when all its models of that height are.
        tall = all(model.tall for model in own if model.height == height)
        self.boundaries[u] = Party(shape, height, u, tall, self._is_elevated(shape))

    def _is_elevated(self, shape: Convex) -> bool:
        core = shape.core_geometry
        for hill in self.hills.values():
            if self.rules.elevated == "centre":
                x, y = np.mean(shape.core, axis=0)
                if hill.distance(shapely.Point(x, y)) <= TOLERANCE:
                    return True
            elif shape.radius == 0:
                if hill.buffer(TOLERANCE, join_style="mitre").covers(core):
                    return True
            elif hill.covers(core) and hill.exterior.distance(core) >= shape.radius - TOLERANCE:
                return True
        return False

    def _obstacles(self) -> list[Obstacle]:
        found = []
        for i, piece in enumerate(self.board.terrain):
            if piece.opaque:
                height = math.inf if piece.height is None else piece.height
                found.append(
                    Obstacle(tuple(_convex_pieces(shapely.Polygon(piece.outline))), height, terrain=i)
                )
        parties = list(self.models.values())
        if self.rules.boundary_blocks:
            parties += self.boundaries.values()
        for party in parties:
            if self.board.units[party.unit].formation == "skirmish" and not self.rules.skirmish_blocks:
                continue
            found.append(
                Obstacle((party.shape,), party.height, party.unit, party.tall, elevated=party.elevated)
            )
        return found

    # --- questions ------------------------------------------------------------------------------------

    def unit_sees_unit(self, observer: int, target: int, leeway: int = 0) -> bool:
        """Whether one of the models sees the unit."""
        return observer != target and any(
            self.model_sees_unit(i, target, leeway) for i, eye in self.eyes.items() if eye.unit == observer
        )

    def model_sees_unit(self, model: int, target: int, leeway: int = 0) -> bool:
        """Whether the model sees a model of the unit or any part of its boundary."""
        return model in self.eyes and any(
            self._sees(self.eyes[model], aim, leeway) for aim in self._aims(target)
        )

    def model_sees_model(self, model: int, target: int, leeway: int = 0) -> bool:
        """Whether the model in one slot sees the model in another one, of another unit."""
        alive = model in self.eyes and target in self.models
        return alive and self._sees(self.eyes[model], self.models[target], leeway)

    def unit_sees_point(self, observer: int, point: Any, leeway: int = 0) -> bool:
        """Whether one of the models sees a point of the ground."""
        aim = self._point(point)
        return any(self._sees(eye, aim, leeway) for eye in self.eyes.values() if eye.unit == observer)

    def point_sees_unit(self, point: Any, target: int, leeway: int = 0) -> bool:
        """Whether a point of the ground sees the unit."""
        eye = self._point(point)
        return any(self._sees(eye, aim, leeway) for aim in self._aims(target))

    def robust(self, question: str, *arguments: Any) -> bool | None:
        """Answer to a question if it stays under small changes, else None."""
        ask = getattr(self, question)
        if ask(*arguments, -1):
            return True
        return None if ask(*arguments, 1) else False

    def _aims(self, unit: int) -> list[Party]:
        if unit not in self.boundaries:
            return []
        whole = self.boundaries[unit]
        models = [model for model in self.models.values() if model.unit == unit]
        # Models that are like the boundary or lower lie in it and are seen when it is.
        return [whole, *(m for m in models if m.height > whole.height or (m.tall and not whole.tall))]

    def _point(self, point: Any) -> Party:
        height = NAMED_HEIGHTS.get(self.rules.point_height, self.rules.point_height)
        return Party(Convex(((float(point[0]), float(point[1])),)), height)

    # --- which obstacles count ------------------------------------------------------------------------

    def _counts(self, obstacle: Obstacle, eye: Party, aim: Party) -> bool:
        needed = max(eye.height, aim.height)
        if not (obstacle.height > needed or (obstacle.height == needed and self.rules.los_height_op == ">=")):
            return False
        if obstacle.terrain is not None:
            return True
        if obstacle.unit in (eye.unit, aim.unit):
            return False
        if self.rules.tall_exempt and not obstacle.tall:
            for party in (eye, aim):
                if party.tall and party.height == obstacle.height:
                    return False
        return not (eye.elevated and not obstacle.elevated)

    # --- lines ----------------------------------------------------------------------------------------

    def _sees(self, eye: Party, aim: Party, leeway: int) -> bool:
        counting = [obstacle for obstacle in self.obstacles if self._counts(obstacle, eye, aim)]
        hills = [o.terrain for o in counting if o.terrain in self.see_out]
        from_parts = self._parts_in_hills(eye.shape, hills, leeway)
        to_parts = self._parts_in_hills(aim.shape, hills, leeway)
        for starts_in, eyes in from_parts.items():
            for ends_in, aims in to_parts.items():
                left = [o for o in counting if o.terrain is None or o.terrain not in (*starts_in, *ends_in)]
                pieces = [piece for obstacle in left for piece in obstacle.pieces]
                for part, goal in itertools.product(eyes, aims):
                    if _free_line(part, eye.heading, goal, pieces, self.rules.touching, leeway):
                        return True
        return False

    def _parts_in_hills(
        self, shape: Convex, hills: list[int], leeway: int
    ) -> dict[tuple[int, ...], list[Convex]]:
        """For every set of hills, none first, what of the shape lies in all of them, in convex parts."""
        parts = {(): [shape]}
        if not hills:
            return parts
        wanted = TOLERANCE if self.rules.opaque_exempt == "touch" else -TOLERANCE
        by = (wanted, MARGIN, -MARGIN)[leeway]
        grown = {hill: self.see_out[hill].buffer(by, join_style="mitre", mitre_limit=20.0) for hill in hills}
        whole = shape.outline(circumscribed=leeway > 0)
        near = [hill for hill in hills if grown[hill].intersects(whole)]
        for size in range(1, len(near) + 1):
            for some in itertools.combinations(near, size):
                common = shapely.intersection_all([grown[hill] for hill in some])
                if common.covers(whole):
                    parts[some] = [shape]
                    continue
                clipped = [whole.intersection(piece.core_geometry) for piece in _convex_pieces(common)]
                found = [part for geometry in clipped for part in _convex_pieces(geometry)]
                if found:
                    parts[some] = found
        return parts


def _living(unit: Any, occupied: Any, first: int) -> list[bool]:
    at_first = [True] if unit.shape != "rect" else board_reference.living_at_first(unit)
    if occupied is None:
        return at_first
    return [bool(lives) for lives in occupied[first : first + len(at_first)]]


def _rectangle(corners: Any) -> Convex:
    """Corners run clockwise from the front left one."""
    return Convex(tuple((corner.real, corner.imag) for corner in reversed(corners)))


def _single_base(unit: Any, position: Any) -> Convex:
    """A disc or an oval round its centre."""
    width, depth = unit.base_mm
    radius = min(width, depth) / 2
    ends = board_reference.corners(position, depth / 2 - radius, width / 2 - radius, width - 2 * radius, 0.0)
    if depth > width:
        ends = board_reference.corners(position, depth / 2 - radius, 0.0, 0.0, depth - 2 * radius)[1:3]
    if width == depth:
        ends = ends[:1]
    return Convex(tuple((end.real, end.imag) for end in ends[:2]), radius / MM)


def _convex_pieces(geometry: Any) -> list[Convex]:
    """Convex shapes of few vertices that cover a geometry of shapely."""
    if geometry.is_empty:
        return []
    if geometry.geom_type == "Polygon":
        ring = _distinct(shapely.geometry.polygon.orient(geometry).exterior.coords[:-1])
        if len(ring) < 3:
            return [Convex(tuple(ring))] if ring else []
        if geometry.interiors or not _is_convex(ring):
            triangles = shapely.constrained_delaunay_triangles(geometry)
            return [piece for triangle in triangles.geoms for piece in _convex_pieces(triangle)]
        step = MAX_VERTICES - 2
        return [Convex((ring[0], *ring[i : i + step + 1])) for i in range(1, len(ring) - 1, step)]
    if hasattr(geometry, "geoms"):
        return [piece for part in geometry.geoms for piece in _convex_pieces(part)]
    return [Convex(tuple(_distinct(geometry.coords)))]


def _distinct(points: Any) -> list[tuple[float, float]]:
    """Without points that repeat the one before."""
    kept: list[tuple[float, float]] = []
    for x, y in points:
        if not kept or math.dist(kept[-1], (x, y)) > _LEAST_PIECE:
            kept.append((x, y))
    if len(kept) > 1 and math.dist(kept[0], kept[-1]) <= _LEAST_PIECE:
        kept.pop()
    return kept


def _is_convex(ring: list[tuple[float, float]]) -> bool:
    for i in range(len(ring)):
        (ax, ay), (bx, by), (cx, cy) = ring[i - 2], ring[i - 1], ring[i]
        if (bx - ax) * (cy - by) - (by - ay) * (cx - bx) < -1e-12:
            return False
    return True


def _free_line(
    eye: Convex, heading: float | None, aim: Convex, blockers: list[Convex], touching: str, leeway: int
) -> bool:
    """Whether `sight_reference` finds a line from the eye to the aim."""
    # No line from the eye to the aim leaves their hull, so what is clear of it is not in the way.
    hull = shapely.convex_hull(shapely.linestrings([*eye.core, *aim.core]))
    room = max(eye.radius, aim.radius) + 1e-3
    apart = shapely.distance(hull, [b.core_geometry for b in blockers])
    near = [b for b, distance in zip(blockers, apart, strict=True) if distance <= b.radius + room]
    # Passing closer than the tolerance beside a blocker that has grown by twice as much is passing through.
    growth = 2 * TOLERANCE if touching == "blocked" else 0.0
    growth -= leeway * MARGIN
    origin = np.array(eye.core[0])
    eye_v, eye_n, eye_r = _arrays([eye], origin)
    aim_v, aim_n, aim_r = _arrays([aim], origin)
    v, n, r = _arrays(near, origin)
    answers = np.zeros((1, 1), dtype=bool)
    sight_reference._answer_pairs(
        eye_v,
        eye_n,
        eye_r,
        np.array([np.nan if heading is None else heading]),
        math.pi / 4 + leeway * _ARC_LEEWAY,
        aim_v,
        aim_n,
        aim_r,
        v[None],
        n[None],
        r[None],
        np.ones((1, len(near)), dtype=bool),
        np.array([(growth, 0.0)]),
        sight_reference.TOLERANCE,
        answers,
    )
    return bool(answers[0, 0])


def _arrays(shapes: list[Convex], origin: Any) -> tuple[Any, Any, Any]:
    v = np.zeros((len(shapes), MAX_VERTICES, 2))
    for i, shape in enumerate(shapes):
        v[i, : len(shape.core)] = np.array(shape.core) - origin
    counts = np.array([len(shape.core) for shape in shapes], dtype=np.int64)
    return v, counts, np.array([shape.radius for shape in shapes], dtype=float)
