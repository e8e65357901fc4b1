"""Where one base fits: on the table, clear of others and of terrain, and near enough to its leader."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, answer_pairs
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, X, Y
from ninthgeom.bases import Bases
from ninthgeom.measure import CONTAINMENT, OVERLAP
from ninthgeom.polygons import Polygons
from ninthgeom.skirmish._curves import Curves, Rounded
from ninthgeom.skirmish._goals import base_at, core_of, gaps_between, offsets_of

# A little of the tolerance is left: else rounding may tell `coherency`, asked about the spot, another thing.
_KEPT: Final = 0.999
NO_CURVES = Curves(np.empty((0, 4)), np.empty((0, 5)))
NOBODY = np.empty((ROWS, 0))


@dataclass(frozen=True, eq=False)
class Region:
    """A disc: the places where centres are looked for."""

    centre: FloatArray
    radius: float

    def meets(self, curves: Curves, slack: float) -> Curves:
        """Return the curves that reach into the disc."""
        return curves.chosen(curves.distance_from(self.centre) <= self.radius + slack)

    def near(self, shapes: Rounded, slack: float) -> BoolArray:
        """Return which shapes have a box that reaches into the disc widened by `slack`."""
        low, high = shapes.boxes()
        nearest = np.clip(self.centre, low, high) - self.centre
        near: BoolArray = np.hypot(nearest[:, 0], nearest[:, 1]) <= self.radius + slack
        return near


def rounded_bases(columns: FloatArray) -> Rounded:
    """Return bases (7, n) as convex polygons with a radius."""
    if (columns[ALONG:RADIUS] <= 0.0).all():
        return Rounded(columns[[X, Y]].T[:, None], columns[RADIUS])
    return Rounded(core_of(columns), columns[RADIUS])


def rounded_rings(rings: Sequence[FloatArray]) -> Rounded:
    """Return convex rings without any radius."""
    return Rounded.joined([Rounded(ring[None], np.zeros(1)) for ring in rings])


@dataclass(frozen=True, eq=False, kw_only=True)
class Room:
    """Where one base fits.

    Attributes
    ----------
    base : ndarray of float64, shape (7,)
        The base that is set, wherever it is.
    size : (float, float)
        The table.
    others : ndarray of float64, shape (7, n)
        Bases that it must not overlap.
    terrain : Polygons
        Outlines that it must not overlap.
    pieces : Rounded
        The convex pieces of that terrain.
    shunned : ndarray of float64, shape (7, k)
        Bases from which it stays `distance` away.
    tol : float
    """

    base: FloatArray
    size: tuple[float, float]
    others: FloatArray
    terrain: Polygons
    pieces: Rounded
    shunned: FloatArray
    distance: float
    tol: float

    def curves(self, region: Region) -> Curves:
        """Return what bounds the places of its centre, as far as it is in a region."""
        base = self.base
        reach = math.hypot(base[ALONG], base[ACROSS]) + base[RADIUS]
        widened = self.shunned.copy()
        widened[RADIUS] += self.distance
        solid = [rounded_bases(self.others), rounded_bases(widened), self.pieces]
        near = [shapes[region.near(shapes, reach + self.tol)] for shapes in solid]
        offsets = offsets_of(base)
        parts = [shapes.summed(-offsets, base[RADIUS]).outlines() for shapes in near if len(shapes)]
        return region.meets(Curves.joined([self._edges(), *parts]), self.tol)

    def _edges(self) -> Curves:
        """Return the table shrunk by the base."""
        half = half_box(self.base)
        (left, bottom), (right, top) = half, np.array(self.size) - half
        if left > right + self.tol or bottom > top + self.tol:
            return NO_CURVES
        corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
        return Curves(np.hstack([corners, np.roll(corners, -1, axis=0)]), np.empty((0, 5)))

    def fits(self, centres: FloatArray) -> BoolArray:
        """Return at which centres (n, 2) the base fits."""
        half = half_box(self.base)
        low, high = half - self.tol, np.array(self.size) - half + self.tol
        good: BoolArray = np.asarray(((centres >= low) & (centres <= high)).all(axis=-1))
        good[good] = self._is_clear(centres[good])
        return good

    def _is_clear(self, centres: FloatArray) -> BoolArray:
        clear = np.ones(len(centres), np.bool_)
        columns = base_at(self.base, centres)
        if self.others.shape[1]:
            meets = answer_pairs(
                OVERLAP, columns[:, :, None], self.others[:, None, :], self.tol, out=None, workers=1
            )
            clear &= ~meets.any(axis=1)
        if self.shunned.shape[1]:
            clear &= (gaps_between(columns, self.shunned) >= self.distance - self.tol).all(axis=1)
        if len(self.terrain):
            left = np.flatnonzero(clear)
            bases = bases_of(columns[:, left])[:, None]
            clear[left] = ~measure.interiors_meet(bases, self.terrain[None], tol=self.tol).any(axis=1)
        return clear


def half_box(base: FloatArray) -> FloatArray:
    """Return half the width and half the height of the upright box round a base (7,)."""
    cos, sin = abs(base[COS]), abs(base[SIN])
    along, across, radius = base[ALONG:]
    return np.array([cos * along + sin * across + radius, sin * along + cos * across + radius])


def bases_of(columns: FloatArray) -> Bases:
    """Return columns (7, n) as bases."""
    heading = np.arctan2(columns[SIN], columns[COS])
    along, across, radius = columns[ALONG:]
    sizes = (2.0 * (across + radius), 2.0 * (along + radius), radius.copy())
    return Bases._of_parts(np.ascontiguousarray(columns), heading, sizes)


@dataclass(frozen=True, eq=False, kw_only=True)
class Leash:
    """Being wholly within a distance of the leader.

    Attributes
    ----------
    base : ndarray of float64, shape (7,)
        The base that is set.
    leader : ndarray of float64, shape (7,)
        What is measured from.
    length : float
    tol : float
    """

    base: FloatArray
    leader: FloatArray
    length: float
    tol: float

    @property
    def region(self) -> Region:
        """A disc that holds all places of the centre."""
        reach = math.hypot(self.leader[ALONG], self.leader[ACROSS]) + self.leader[RADIUS]
        # corners on both sides of the middle are within the length: so is the middle
        return Region(self.leader[[X, Y]], max(reach + self.length - self.base[RADIUS], 0.0) + self.tol)

    def curves(self) -> Curves:
        """Return what bounds the places of the centre."""
        radius = self.leader[RADIUS] + self.length - self.base[RADIUS]
        if radius < -self.tol:
            return NO_CURVES
        core = np.unique(core_of(self.leader), axis=0)
        offsets = offsets_of(self.base)
        corners = core[None] - offsets[:, None]
        return Rounded(corners, np.full(len(offsets), max(radius, 0.0))).outlines()

    def holds(self, centres: FloatArray) -> BoolArray:
        """Return at which centres (n, 2) the base is wholly within the length."""
        columns = base_at(self.base, centres)
        within: BoolArray = answer_pairs(
            CONTAINMENT, columns, self.leader[:, None], self.length + _KEPT * self.tol, out=None, workers=1
        )
        return within
