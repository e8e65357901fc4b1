"""What a spot is chosen by: the least value of a function of the centre of a base, with its critical places.

A goal says where on a curve its value may be least: nearest to or farthest from its points, or where a curve
runs at right angles to one of its directions. Where that is not all, `polished` searches along the curves.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, answer_pairs
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, X, Y
from ninthgeom.measure import GAPS
from ninthgeom.skirmish._curves import ROUNDING, Curves

_SAMPLES: Final = 48
# A bracket shrinks to 2 / 3 each time: to less than rounding.
_STEPS: Final = 60
_HALVINGS: Final = 40
# A chord of a part of an arc is shorter than it by less than this share.
_ARC_STEP: Final = 0.01
# Starts of Newton's method along both axes, its steps, and the step that slopes are measured by.
_STARTS: Final = 5
_NEWTON: Final = 14
_STEP: Final = 1e-7
_NO_POINTS: Final = np.empty((0, 2))


def core_of(columns: FloatArray) -> FloatArray:
    """Return the corners of the cores of bases (7, ...), shape (..., 4, 2); equal ones where one is thin."""
    x, y, cos, sin, along, across = columns[:RADIUS]
    signs = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
    forward, left = signs[:, 0] * along[..., None], signs[:, 1] * across[..., None]
    px = x[..., None] + forward * cos[..., None] - left * sin[..., None]
    py = y[..., None] + forward * sin[..., None] + left * cos[..., None]
    return np.stack([px, py], axis=-1)


def offsets_of(base: FloatArray) -> FloatArray:
    """Return the different corners of the core of one base (7,), measured from its centre."""
    columns = base.copy()
    columns[X] = columns[Y] = 0.0
    if columns[ALONG] <= 0.0 and columns[ACROSS] <= 0.0:
        return np.zeros((1, 2))
    corners = core_of(columns)
    return corners[[0, 2]] if min(columns[ALONG], columns[ACROSS]) <= 0.0 else corners


def base_at(base: FloatArray, centres: FloatArray) -> FloatArray:
    """Return a base (7,) moved to centres (n, 2), as columns (7, n)."""
    columns = np.empty((ROWS, len(centres)))
    columns[:] = base[:, None]
    columns[X], columns[Y] = centres.T
    return columns


def gaps_between(a: FloatArray, b: FloatArray) -> FloatArray:
    """Return the signed gaps of all bases a (7, n) from all of b (7, m)."""
    gaps: FloatArray = answer_pairs(GAPS, a[:, :, None], b[:, None, :], -math.inf, out=None, workers=1)
    return gaps


@dataclass(frozen=True, eq=False, kw_only=True)
class Goal:
    """The distance from a point, the goal of placing, and what other goals have in common with it.

    Attributes
    ----------
    wished : ndarray of float64, shape (2,)
        Of spots that are as good the one nearest to this is taken.
    """

    wished: FloatArray

    def value(self, centres: FloatArray) -> FloatArray:
        """Return how far centres (n, 2) are from the goal; less is better."""
        return np.asarray(np.hypot(*(centres - self.wished).T))

    def points(self) -> FloatArray:
        """Return the points that the value may be a distance from, (k, 2)."""
        return self.wished[None]

    def places(self, centre: FloatArray, reach: float) -> FloatArray:
        """Return where in a disc the value is locally least, whatever bounds there are, (k, 2)."""
        return self.wished[None]

    def directions(self) -> FloatArray:
        """Return the unit directions in which the value may change evenly, (k, 2)."""
        return _NO_POINTS

    @property
    def is_plain(self) -> bool:
        """Whether points and directions tell all places on a curve where the value may be least."""
        return True

    def bound(self, curves: Curves) -> FloatArray:
        """Return what no point of each curve is better than."""
        return curves.distance_from(self.wished)

    def disc(self, most: float) -> tuple[FloatArray, float]:
        """Return centre and radius of a disc outside of which the value is more than `most`."""
        return self.wished, most

    def critical(self, curves: Curves) -> FloatArray:
        """Return where on curves the value may be least between crossings, (n, 2)."""
        spots = [curves.ends().reshape(-1, 2), curves.nearest(self.points()).reshape(-1, 2)]
        spots.append(curves.facing(self.directions()).reshape(-1, 2))
        if not self.is_plain:
            spots.append(polished(curves, self))
        found = np.concatenate(spots)
        return found[np.isfinite(found).all(axis=-1)]


def nearest_to(wished: FloatArray, base: FloatArray) -> Goal:
    """Return the goal of being near to a point, which is the same for all bases."""
    return Goal(wished=wished)


@dataclass(frozen=True, eq=False, kw_only=True)
class Compact(Goal):
    """The farthest distance of a base from the leader's: the least wins.

    Attributes
    ----------
    base : ndarray of float64, shape (7,)
    leader : ndarray of float64, shape (7,)
        The base that is measured from.
    """

    base: FloatArray
    leader: FloatArray

    def value(self, centres: FloatArray) -> FloatArray:
        core = self.leader.copy()
        core[RADIUS] = 0.0
        corners = centres[:, None] + offsets_of(self.base)[None]
        points = np.zeros((ROWS, corners.shape[0] * corners.shape[1]))
        points[X], points[Y] = corners.reshape(-1, 2).T
        points[COS] = 1.0
        gaps = gaps_between(points, core[:, None]).reshape(corners.shape[:2]).max(axis=1)
        return np.asarray(gaps + self.base[RADIUS] - self.leader[RADIUS])

    def points(self) -> FloatArray:
        corners = core_of(self.leader)[:, None] - offsets_of(self.base)[None]
        return np.concatenate([np.unique(corners.reshape(-1, 2), axis=0), self.wished[None]])

    def directions(self) -> FloatArray:
        return _axes(self.leader)

    @property
    def is_plain(self) -> bool:
        return len(offsets_of(self.base)) == 1

    def disc(self, most: float) -> tuple[FloatArray, float]:
        return self.leader[[X, Y]], most + self._reach()

    def bound(self, curves: Curves) -> FloatArray:
        return np.asarray(curves.distance_from(self.leader[[X, Y]]) - self._reach())

    def _reach(self) -> float:
        # The middle of the base is no farther from the leader than the farther of two opposite corners.
        reach = math.hypot(self.leader[ALONG], self.leader[ACROSS]) + self.leader[RADIUS]
        return float(reach - self.base[RADIUS])


@dataclass(frozen=True, eq=False, kw_only=True)
class Approach(Goal):
    """The distance from the nearest of some bases, or with `away` that with a minus.

    Attributes
    ----------
    base : ndarray of float64, shape (7,)
    targets : ndarray of float64, shape (7, n)
    away : bool
    tol : float
        What is no further apart is in contact, at distance 0.
    """

    base: FloatArray
    targets: FloatArray
    away: bool
    tol: float

    def value(self, centres: FloatArray) -> FloatArray:
        gaps = gaps_between(base_at(self.base, centres), self.targets).min(axis=1, initial=math.inf)
        gaps[gaps <= self.tol] = 0.0
        return np.asarray(-gaps if self.away else gaps)

    def points(self) -> FloatArray:
        corners = core_of(self.targets)[:, :, None] - offsets_of(self.base)[None, None]
        return np.concatenate([np.unique(corners.reshape(-1, 2), axis=0), self.wished[None]])

    def directions(self) -> FloatArray:
        axes = [_axes(base) for base in (self.base, *self.targets.T)]
        return np.unique(np.concatenate(axes), axis=0)

    @property
    def is_plain(self) -> bool:
        return not self.away or self.targets.shape[1] == 1

    def disc(self, most: float) -> tuple[FloatArray, float]:
        return self.wished, math.inf

    def places(self, centre: FloatArray, reach: float) -> FloatArray:
        if not self.away or self.targets.shape[1] < 3:
            return self.wished[None]
        return np.concatenate([self.wished[None], equally_far(self.base, self.targets, centre, reach)])

    def critical(self, curves: Curves) -> FloatArray:
        found = super().critical(curves)
        if self.is_plain:
            return found
        # Along a curve peaks are between two targets, and may be narrow.
        return np.concatenate([found, balanced(curves, self.base, self.targets)])

    def bound(self, curves: Curves) -> FloatArray:
        if self.away:
            return np.full(len(curves), -math.inf)
        least = np.full(len(curves), math.inf)
        for target in self.targets.T:
            reach = math.hypot(self.base[ALONG], self.base[ACROSS]) + self.base[RADIUS]
            reach += math.hypot(target[ALONG], target[ACROSS]) + target[RADIUS]
            least = np.minimum(least, curves.distance_from(target[[X, Y]]) - reach)
        return np.asarray(np.maximum(least, 0.0))


def _axes(base: FloatArray) -> FloatArray:
    """Return the two directions at right angles to the sides of a base that has sides."""
    if base[ALONG] <= 0.0 and base[ACROSS] <= 0.0:
        return _NO_POINTS
    return np.array([[base[COS], base[SIN]], [-base[SIN], base[COS]]])


def equally_far(base: FloatArray, targets: FloatArray, centre: FloatArray, reach: float) -> FloatArray:
    """Return where a base is as far from each of three targets, (n, 2), looked for in a disc.

    Whoever flees from several may end between them, at no curve. Newton's method from places all over the
    disc, for each three: distances of convex shapes have a gradient wherever they are not in contact.
    """
    triples = np.array([*combinations(range(targets.shape[1]), 3)])
    steps = reach * np.linspace(-1.0, 1.0, _STARTS)
    starts = centre + np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    which = np.repeat(triples, len(starts), axis=0)
    spots = np.tile(starts, (len(triples), 1))
    rows = np.arange(len(spots))[:, None]
    for _ in range(_NEWTON):
        here, right, above = (
            gaps_between(base_at(base, spots + step), targets)[rows, which]
            for step in ((0.0, 0.0), (_STEP, 0.0), (0.0, _STEP))
        )
        slope = np.stack([right - here, above - here], axis=-1) / _STEP
        matrix, off = slope[:, 1:] - slope[:, :1], here[:, 1:] - here[:, :1]
        size = matrix[:, 0, 0] * matrix[:, 1, 1] - matrix[:, 0, 1] * matrix[:, 1, 0]
        regular = np.abs(size) > ROUNDING
        size = np.where(regular, size, 1.0)
        x = (off[:, 0] * matrix[:, 1, 1] - off[:, 1] * matrix[:, 0, 1]) / size
        y = (off[:, 1] * matrix[:, 0, 0] - off[:, 0] * matrix[:, 1, 0]) / size
        share = np.minimum(1.0, 0.5 * reach / np.maximum(np.hypot(x, y), _STEP))
        spots = spots - np.where(regular, share, 0.0)[:, None] * np.stack([x, y], axis=-1)
    off = np.abs(here - here[:, :1]).max(axis=1)
    good = (off <= 1e-7) & (np.hypot(*(spots - centre).T) <= reach)
    return np.unique(np.round(spots[good], 9), axis=0)


def balanced(curves: Curves, base: FloatArray, targets: FloatArray) -> FloatArray:
    """Return where on curves a base is as far from two targets and no other is nearer, (n, 2)."""
    n, (one, two) = len(curves), np.triu_indices(targets.shape[1], 1)
    if not n:
        return _NO_POINTS
    at = np.linspace(0.0, 1.0, _SAMPLES)
    spots = _Along.of(curves, np.arange(n))(np.broadcast_to(at, (n, _SAMPLES)).T)
    gaps = gaps_between(base_at(base, spots.reshape(-1, 2)), targets).reshape(_SAMPLES, n, -1)
    nearer = gaps[..., one] <= gaps[..., two]
    turns = nearer[:-1] != nearer[1:]
    # Neither is nearest in between where one is farther than the nearest by all that a step can change.
    step = np.hypot(*np.moveaxis(np.diff(spots, axis=0), -1, 0)) * (1.0 + _ARC_STEP)
    reach = gaps[:-1].min(axis=2) + 2.0 * step
    turns &= (gaps[:-1][..., one] <= reach[..., None]) & (gaps[:-1][..., two] <= reach[..., None])
    k, which, pair = np.nonzero(turns)
    low, high, first = at[k], at[k + 1], nearer[k, which, pair]
    along, rows = _Along.of(curves, which), np.arange(len(k))
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        gaps = gaps_between(base_at(base, along(middle)), targets)
        same = (gaps[rows, one[pair]] <= gaps[rows, two[pair]]) == first
        low, high = np.where(same, middle, low), np.where(same, high, middle)
    return along(low)


def polished(curves: Curves, goal: Goal) -> FloatArray:
    """Return where the value is locally least on each curve, found by search: right to about 1e-8 inches.

    Values are then as good as exact. Only goals of several corners at once need this.
    """
    n = len(curves)
    if not n:
        return _NO_POINTS
    at = np.linspace(0.0, 1.0, _SAMPLES)
    spots = _Along.of(curves, np.arange(n))(np.broadcast_to(at, (n, _SAMPLES)).T)
    values = goal.value(spots.reshape(-1, 2)).reshape(_SAMPLES, n).T
    padded = np.pad(values, ((0, 0), (1, 1)), constant_values=math.inf)
    which, k = np.nonzero((values <= padded[:, :-2]) & (values <= padded[:, 2:]))
    low, high = at[np.maximum(k - 1, 0)], at[np.minimum(k + 1, _SAMPLES - 1)]
    along = _Along.of(curves, which)
    for _ in range(_STEPS):
        third = (high - low) / 3.0
        one, two = low + third, high - third
        better = goal.value(along(one)) < goal.value(along(two))
        low, high = np.where(better, low, one), np.where(better, two, high)
    return along(0.5 * (low + high))


@dataclass(frozen=True, eq=False)
class _Along:
    """Points of some curves at fractions of them: first end, vector to the other, arcs, which are arcs."""

    first: FloatArray
    step: FloatArray
    arcs: FloatArray
    is_arc: BoolArray

    @classmethod
    def of(cls, curves: Curves, which: IntArray) -> _Along:
        n = len(curves.segments)
        first, last = curves.ends()[which].transpose(1, 0, 2)
        arcs = np.concatenate([np.zeros((n, 5)), curves.arcs])[which].T
        return cls(first, last - first, arcs, np.asarray(which >= n)[:, None])

    def __call__(self, at: FloatArray) -> FloatArray:
        """Return points (..., n, 2) at fractions (..., n)."""
        x, y, radius, start, sweep = self.arcs
        angle = start + at * sweep
        on_arc = np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], axis=-1)
        return np.where(self.is_arc, on_arc, self.first + at[..., None] * self.step)
