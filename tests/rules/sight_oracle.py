"""The rules of sight once more, model by model and blocker by blocker, in plain loops.

Only `ninthgeom.line_of_sight` between bases is shared. Nothing is merged, no class of models dropped. Lines
into and out of hills are bounded from both sides: by parts that are sampled, and by hills left out.
"""

import math
from collections import Counter
from dataclasses import dataclass
from itertools import chain, combinations
from typing import Any

import numpy as np
import shapely

import ninthgeom as ng

TOL = ng.TOLERANCE


@dataclass
class Thing:
    base: Any
    unit: int
    height: int
    tall: bool
    elevated: bool


class State:
    """One state of a battle: who sees whom, from below and from above."""

    def __init__(self, board, positions, rules, present=None, occupied=None):
        self.board, self.rules = board, rules
        self.living = board.occupied if occupied is None else occupied
        self.present = np.ones(len(board), bool) if present is None else present
        self.bases, _ = board.bases(positions, self.living)
        self.boundaries = board.boundaries(positions, self.living)
        self.positions = np.asarray(positions, float)
        self.opaque = [piece for piece in board.terrain if piece.opaque]
        self.polygons = [shapely.Polygon(piece.outline) for piece in self.opaque]
        self.hills = [i for i, piece in enumerate(self.opaque) if piece.kind != "impassable"]
        self.grounds = [shapely.Polygon(piece.outline) for piece in board.terrain if piece.kind == "hill"]
        self.models = [self.model(slot) for slot in range(board.n_models)]
        self.units = [self.boundary(u) for u in range(len(board))]

    def slots(self, u):
        return [s for s in range(*self.board.model_slices[u].indices(self.board.n_models)) if self.living[s]]

    def model(self, slot):
        u = int(self.board.model_unit[slot])
        unit = self.board.units[u]
        k = slot - self.board.model_slices[u].start - unit.layout.n_ranked
        tall = unit.attached[k].tall if k >= 0 else unit.tall
        base = self.bases[slot]
        return Thing(base, u, int(self.board.model_height[slot]), tall, self.is_elevated(base))

    def boundary(self, u):
        counts = Counter(self.models[slot].height for slot in self.slots(u))
        height = min(counts, key=lambda h: (-counts[h], h), default=0)
        tall = all(self.models[s].tall for s in self.slots(u) if self.models[s].height == height)
        base = self.boundaries[u]
        return Thing(base, u, height, tall, self.is_elevated(base))

    def is_elevated(self, base):
        if self.rules.elevated == "centre":
            return any(hill.distance(shapely.Point(base.x, base.y)) <= TOL for hill in self.grounds)
        return any(hill.buffer(2 * TOL).covers(base.to_shapely()) for hill in self.grounds)

    def is_here(self, u):
        return bool(self.present[u]) and bool(self.slots(u))

    def eye(self, slot):
        """Return what a model looks from, and the same for shapely."""
        model = self.models[slot]
        if self.board.units[model.unit].shape != "rect":
            return model.base, model.base.to_shapely()
        boundary = self.boundaries[model.unit]
        front = boundary.corners()[:2].mean(axis=0)
        left = np.array([-math.sin(boundary.heading), math.cos(boundary.heading)])
        middle = front + left * np.dot(np.array([model.base.x, model.base.y]) - front, left)
        half = left * model.base.width / 2
        eye = ng.Bases.from_front(*middle, boundary.heading, width=model.base.width, depth=0.0)
        return eye, shapely.LineString([middle + half, middle - half])

    def blockers(self, observer, target):
        """Return the bases in the way of sight from one thing to another."""
        things = [
            self.models[slot] for u in range(len(self.board)) if self.is_here(u) for slot in self.slots(u)
        ]
        if self.rules.boundary_blocks:
            things += [self.units[u] for u in range(len(self.board)) if self.is_here(u)]
        needed = max(observer.height, target.height)
        chosen = []
        for thing in things:
            skirmish = self.board.units[thing.unit].formation == "skirmish"
            spared = self.rules.tall_exempt and not thing.tall
            spared = spared and any(end.tall and end.height == thing.height for end in (observer, target))
            if (
                thing.unit not in (observer.unit, target.unit)
                and self.is_high(thing.height, needed)
                and not (skirmish and not self.rules.skirmish_blocks)
                and not (observer.elevated and not thing.elevated)
                and not spared
            ):
                chosen.append(thing.base.reshape(1))
        return ng.Bases.concatenate(chosen) if chosen else self.bases[:0]

    def is_high(self, height, needed):
        return height > needed if self.rules.los_height_op == ">" else height >= needed

    def sees(self, slot, target):
        """Return bounds of whether the model in a slot sees a thing."""
        observer = self.models[slot]
        eye, outline = self.eye(slot)
        return self.line(observer, eye, outline, target)

    def line(self, observer, eye, outline, target):
        blockers = self.blockers(observer, target)
        needed = max(observer.height, target.height)
        terrain = [
            i
            for i, piece in enumerate(self.opaque)
            if piece.height is None or self.is_high(piece.height, needed)
        ]

        def clear(eyes, aims, without=()):
            outlines = [self.opaque[i].outline for i in terrain if i not in without]
            more = [ng.Polygons(outlines)] if outlines else []
            touching = self.rules.touching
            return bool(np.any(ng.line_of_sight(eyes, aims, [blockers, *more], touching=touching)))

        if clear(eye, target.base):
            return True, True
        depth = 1.05 * TOL if self.rules.opaque_exempt == "inside" else -0.95 * TOL
        low = high = False
        hills = [i for i in terrain if i in self.hills]
        subsets = list(chain.from_iterable(combinations(hills, n) for n in range(min(3, len(hills) + 1))))
        for start in subsets:
            eyes = parts_of(eye, outline, [self.polygons[i].buffer(-depth) for i in start], facing=True)
            for end in subsets if eyes is not None else []:
                grounds = [self.polygons[i].buffer(-depth) for i in end]
                aims = parts_of(target.base, target.base.to_shapely(), grounds, facing=False)
                if aims is None or not (start or end) or (low and high):
                    continue
                without = {*start, *end}
                high = high or clear(eye, target.base, without)
                low = low or (high and clear(eyes[:, None], aims, without))
        return low, high

    def models_to_units(self):
        """Return bounds of whether models see units, both of shape (M, U)."""
        shape = self.board.n_models, len(self.board)
        low, high = np.zeros(shape, bool), np.zeros(shape, bool)
        for slot in range(shape[0]):
            observer = self.models[slot]
            if not (self.living[slot] and self.present[observer.unit]):
                continue
            for u in range(shape[1]):
                if u != observer.unit and self.is_here(u):
                    aims = [self.units[u], *(self.models[s] for s in self.slots(u))]
                    bounds = [self.sees(slot, aim) for aim in aims if aim.height >= self.units[u].height]
                    low[slot, u], high[slot, u] = np.any(bounds, axis=0)
        return low, high


def parts_of(base, outline, grounds, *, facing):
    """Return bases that make up, or sample, the part of a base in all grounds; None for nothing."""
    if not grounds:
        return base.reshape(1)
    part = outline
    for ground in grounds:
        part = shapely.intersection(part, ground)
    if part.is_empty:
        return None
    if facing and outline.geom_type == "LineString":
        lines = [line for line in getattr(part, "geoms", [part]) if line.geom_type == "LineString"]
        pieces = [
            ng.Bases.from_front(*line.centroid.coords[0], base.heading, width=line.length, depth=0.0).reshape(
                1
            )
            for line in lines
        ]
        return ng.Bases.concatenate([piece.reshape(1) for piece in pieces]) if pieces else None
    step = max(part.length / 24, 1e-9)
    points = shapely.get_coordinates(shapely.segmentize(part, step))
    return ng.Bases.point(points[:, 0], points[:, 1])
