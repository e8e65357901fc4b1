"""Links from models that stand to one that is set: whether there is one, and what bounds where there is.

What a standing base sees is bounded by lines that touch it and something in the way, or two things in the way
on opposite sides. The base that is set is linked as long as it reaches such a line: its centre may be as far
beyond as the base reaches. Behind a gate it is also linked where it touches it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, X, Y
from ninthgeom._sight_shapes import Outlines, Shapes, shapes_of
from ninthgeom.crossings import passes_through
from ninthgeom.polygons import Polygons
from ninthgeom.segments import Segments
from ninthgeom.skirmish._all_round import ARC, has_facing, sides_of
from ninthgeom.skirmish._curves import Curves, Rounded
from ninthgeom.skirmish._goals import base_at, core_of, gaps_between
from ninthgeom.skirmish._room import Region, bases_of, rounded_bases
from ninthgeom.skirmish._tangents import Tangents, tangents


@dataclass(frozen=True, eq=False, kw_only=True)
class InTheWay:
    """What links may not pass.

    Attributes
    ----------
    bases : ndarray of float64, shape (7, n)
        Models that count.
    terrain : Polygons, shape (P,)
    outlines : Outlines
        The same for the sight machinery.
    pieces : Rounded
        Its convex pieces.
    gates : ndarray of float64, shape (7, g)
        Gaps that are too narrow, lengthened so that they touch what they end at.
    broad : ndarray of bool, shape (g,)
        Which of these are rectangles, not lines.
    tol : float
    """

    bases: FloatArray
    terrain: Polygons
    outlines: Outlines
    pieces: Rounded
    gates: FloatArray
    broad: BoolArray
    tol: float

    def sees(self, a: FloatArray, b: FloatArray) -> BoolArray:
        """Return which bases a (7, n) and b (7, m) a free line joins, shape (n, m)."""
        if not a.shape[1] or not b.shape[1]:
            return np.zeros((a.shape[1], b.shape[1]), np.bool_)
        if has_facing(a, self.tol).any():
            if not has_facing(b, self.tol).any():
                return np.ascontiguousarray(self.sees(b, a).T)
            sides = np.stack(sides_of(a, self.tol), axis=1)
            seen = self._asked(sides.reshape(ROWS, -1), b).reshape(4, a.shape[1], -1).any(axis=0)
            touch: BoolArray = gaps_between(a, b) <= self.tol
            return seen | touch
        return self._asked(a, b)

    @cached_property
    def _shapes(self) -> Shapes:
        """Everything as the sight machinery takes it; made once, since that takes longer than a question."""
        blockers = np.concatenate([self.bases, self.gates], axis=1)[:, None]
        numbers = np.arange(self.outlines.size + blockers.shape[2])
        return shapes_of(blockers, self.outlines, numbers, "clear", self.tol)

    def _asked(self, sources: FloatArray, targets: FloatArray) -> BoolArray:
        from ninthgeom_kernel import sight as kernel

        shapes = self._shapes
        n_shapes = shapes.counts.shape[1]
        n, m = sources.shape[1], targets.shape[1]
        n_blockers = self.outlines.size + self.bases.shape[1] + self.gates.shape[1]
        sources, targets = (np.ascontiguousarray(part[:, None]) for part in (sources, targets))
        seen = np.empty((1, n, m), np.bool_)
        room = 64 + 4 * n_shapes
        while not kernel.lines_of_sight(
            sources,
            targets,
            shapes.boxes,
            shapes.vertices,
            shapes.counts,
            shapes.radii,
            shapes.owners,
            0,
            np.ones((1, 1, 1, n_blockers), np.bool_),
            np.ones((1, 1, 1), np.bool_),
            np.empty((3, 0)),
            np.empty((3, 0)),
            math.tan(ARC),
            0.0,
            self.tol,
            kernel.scratch_arrays(n_shapes, m, shapes.vertices.shape[3], 0, room),
            0,
            1,
            seen,
            np.empty((0, 0, 0, 4)),
            np.empty((0, 0, 0, 0), np.bool_),
        ):
            room *= 4
        return np.asarray(seen[0])

    def near(self, low: FloatArray, high: FloatArray) -> InTheWay:
        """Return what of it reaches into a box; terrain stays as it is."""
        bases, gates = _in_box(self.bases, low, high), _in_box(self.gates, low, high)
        return replace(self, bases=self.bases[:, bases], gates=self.gates[:, gates], broad=self.broad[gates])

    def passes(self, lines: FloatArray) -> BoolArray:
        """Return which segments (n, 4) pass through a base or through terrain."""
        segments = Segments(*lines.T)
        through = np.zeros(len(lines), np.bool_)
        if self.bases.shape[1]:
            through |= passes_through(segments[:, None], bases_of(self.bases)[None], tol=self.tol).any(axis=1)
        if len(self.terrain):
            through |= passes_through(segments[:, None], self.terrain[None], tol=self.tol).any(axis=1)
        return through


@dataclass(frozen=True, eq=False, kw_only=True)
class ToStanding:
    """Being linked to one of the models that stand already.

    Attributes
    ----------
    base : ndarray of float64, shape (7,)
        What is linked of the model that is set: its base, or its centre.
    standing : ndarray of float64, shape (7, n)
        The same of those that stand.
    way : InTheWay
    """

    base: FloatArray
    standing: FloatArray
    way: InTheWay

    def holds(self, centres: FloatArray) -> BoolArray:
        """Return from which centres (n, 2) the base is linked."""
        return np.asarray(self.way.sees(base_at(self.base, centres), self.standing).any(axis=1))

    def curves(self, region: Region) -> Curves:
        """Return what bounds the places of linked centres, in a region."""
        lines = self._critical_lines(region)
        reach = np.abs(lines.normal @ _axis(self.base)) * self.base[ALONG]
        reach = reach + np.abs(lines.normal @ _axis(self.base, turned=True)) * self.base[ACROSS]
        reach = reach + self.base[RADIUS]
        parts = [_chords(lines.normal, lines.offset + side * reach, region) for side in (-1.0, 1.0)]
        return Curves.joined([*parts, self._at_gates()])

    def _critical_lines(self, region: Region) -> Tangents:
        from_bases = rounded_bases(self.standing)
        solid = self._seen_shapes()
        solid = solid[_in_reach(solid, from_bases, region, self.base)]
        i, j = np.nonzero(np.ones((len(from_bases), len(solid)), np.bool_))
        to_shadows = tangents(from_bases, solid, i, j, outer=True)
        i, j = np.triu_indices(len(solid), 1)
        between = tangents(solid, solid, i, j, outer=False)
        between = between.chosen(self._meet_standing(between))
        both = Tangents.joined([to_shadows, between])
        return both.chosen(~self.way.passes(both.touches))

    def _seen_shapes(self) -> Rounded:
        """Return what is in the way as far as standing bases see it: there shadows begin."""
        way = self.way
        bases = np.concatenate([way.bases, way.gates], axis=1)
        corners = way.pieces.corners.reshape(-1, 2)
        points = np.zeros((ROWS, len(corners)))
        points[[X, Y]], points[COS] = corners.T, 1.0
        everything = np.concatenate([bases, points], axis=1)
        seen: BoolArray = np.asarray(way.sees(self.standing, everything).any(axis=0))
        n = bases.shape[1]
        # gates are lines that others may hide, and end at pieces: they stay
        seen[way.bases.shape[1] : n] = True
        of_pieces: BoolArray = np.asarray(seen[n:].reshape(way.pieces.corners.shape[:2]).any(axis=1))
        return Rounded.joined([rounded_bases(bases[:, seen[:n]]), way.pieces[of_pieces]])

    def _meet_standing(self, lines: Tangents) -> BoolArray:
        """Return which lines touch or cross a standing base."""
        corners = core_of(self.standing)
        side = (corners[None] * lines.normal[:, None, None]).sum(-1) - lines.offset[:, None, None]
        radius = self.standing[RADIUS] + self.way.tol
        return np.asarray(((side.min(axis=-1) <= radius) & (side.max(axis=-1) >= -radius)).any(axis=1))

    def _at_gates(self) -> Curves:
        """Return where the base touches gates, whose sides each count where they are broad."""
        gates, broad = self.way.gates, self.way.broad
        corners = core_of(gates)
        ends = [0.5 * (corners[~broad][:, [0, 2]] + corners[~broad][:, [3, 1]])]
        ends += [corners[broad][:, [k, (k + 1) % 4]] for k in range(4)]
        edges = np.concatenate(ends)
        offsets = np.unique(core_of(_at_origin(self.base)), axis=0)
        return Rounded(edges, np.zeros(len(edges))).summed(offsets, float(self.base[RADIUS])).outlines()


def _in_box(columns: FloatArray, low: FloatArray, high: FloatArray) -> BoolArray:
    least, most = rounded_bases(columns).boxes()
    return np.asarray((least <= high).all(axis=-1) & (most >= low).all(axis=-1))


def _at_origin(base: FloatArray) -> FloatArray:
    columns = base.copy()
    columns[X] = columns[Y] = 0.0
    return columns


def _axis(base: FloatArray, *, turned: bool = False) -> FloatArray:
    return np.array([-base[SIN], base[COS]] if turned else [base[COS], base[SIN]])


def _in_reach(solid: Rounded, standing: Rounded, region: Region, base: FloatArray) -> BoolArray:
    """Return which shapes may be between standing bases and a base whose centre is in a region."""
    reach = region.radius + float(np.hypot(base[ALONG], base[ACROSS]) + base[RADIUS])
    low, high = standing.boxes()
    least = np.minimum(low.min(axis=0), region.centre - reach)
    most = np.maximum(high.max(axis=0), region.centre + reach)
    low, high = solid.boxes()
    return np.asarray((low <= most).all(axis=-1) & (high >= least).all(axis=-1))


def _chords(normal: FloatArray, offset: FloatArray, region: Region) -> Curves:
    """Return the parts of lines n p = d in a disc."""
    away = offset - normal @ region.centre
    keep = np.abs(away) < region.radius
    normal, away = normal[keep], away[keep]
    half = np.sqrt(region.radius**2 - away * away)[:, None]
    foot = region.centre + away[:, None] * normal
    along = np.stack([-normal[:, 1], normal[:, 0]], axis=-1) * half
    return Curves(np.hstack([foot - along, foot + along]), np.empty((0, 5)))
