"""The best legal spot for one base, exactly.

Where a base may stand is bounded by segments and arcs. The best spot is one of the goal's own, or lies on one
of these curves where the goal is locally nearest, or where two of them cross. All of these are candidates;
they are tried in the order of the goal until one is legal. Curves that bound the links, of which there are
many, are made only when the best spot without them is not linked, and only where they can matter.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.skirmish._curves import Curves, crossings
from ninthgeom.skirmish._goals import Goal
from ninthgeom.skirmish._room import Leash, Region, Room

# The first batch of candidates, and by how much batches grow.
_FIRST: Final = 8
_GROWTH: Final = 4
# Spots are as good as each other if their values differ by less, in inches.
_EVEN: Final = 1e-9


class Links(Protocol):
    """What else a spot must be: linked to models that stand already."""

    def holds(self, centres: FloatArray) -> BoolArray:
        """Return which centres (n, 2) are linked."""

    def curves(self, region: Region) -> Curves:
        """Return what bounds the linked places in a region."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Search:
    """The search for the best spot of one base.

    Attributes
    ----------
    room : Room
    leash : Leash, optional
        How far from its leader the base may be; anywhere without.
    links : Links, optional
    tol : float
    """

    room: Room
    leash: Leash | None
    links: Links | None
    tol: float

    def best(self, goal: Goal) -> FloatArray | None:
        """Return the best legal centre, or None where there is none at all."""
        region = self._region()
        hard = self._hard_curves(region)
        found = [goal.places(region.centre, region.radius), goal.critical(hard)]
        found += crossings(hard, hard, self.tol)
        candidates = _Candidates.of(np.concatenate(found), goal)
        first, best = self._first_linked(candidates)
        if first is None or self.links is None or best is first:
            return None if best is None else best.spot
        if best is not None and best.value <= first.value + _EVEN:
            return best.spot
        better = self._on_links(goal, region, hard, first, best)
        chosen = best if better is None else better
        return None if chosen is None else chosen.spot

    def _region(self) -> Region:
        if self.leash is not None:
            return self.leash.region
        half = 0.5 * np.array(self.room.size)
        return Region(half, float(np.hypot(*half)))

    def _hard_curves(self, region: Region) -> Curves:
        curves = self.room.curves(region)
        return curves if self.leash is None else Curves.joined([curves, self.leash.curves()])

    def _stands(self, centres: FloatArray) -> BoolArray:
        good = np.ones(len(centres), np.bool_) if self.leash is None else self.leash.holds(centres)
        good[good] = self.room.fits(centres[good])
        return good

    def _first_linked(self, candidates: _Candidates) -> tuple[_Spot | None, _Spot | None]:
        """Return the best candidate where the base may stand, and the best of those that is also linked."""
        first = None
        for part in candidates.batches():
            standing = part.chosen(self._stands(part.spots))
            if not len(standing.values):
                continue
            first = first or standing.spot(0)
            if self.links is None:
                return first, first
            for few in standing.batches():
                linked = self.links.holds(few.spots)
                if linked.any():
                    at = int(linked.argmax())
                    found = few.spot(at)
                    same = first.value == found.value and (first.spot == found.spot).all()
                    return first, first if same else found
        return first, None

    def _on_links(
        self, goal: Goal, region: Region, hard: Curves, first: _Spot, best: _Spot | None
    ) -> _Spot | None:
        """Return a better spot on a curve that bounds the links, if there is one."""
        assert self.links is not None
        most = math.inf if best is None else best.value
        centre, radius = goal.disc(most + self.tol)
        region = Region(centre, radius) if radius < region.radius else region
        soft = region.meets(self.links.curves(region), self.tol)
        soft = soft.chosen(goal.bound(soft) < most)
        known = hard.chosen(goal.bound(hard) < most)
        parts = _parts_on_links(goal, soft, known, self.tol)
        if best is not None:
            candidates = _Candidates.of(np.concatenate([np.empty((0, 2)), *parts]), goal)
            return self._first_linked(candidates.between(first.value, most))[1]
        # Nothing is known to be linked: a part at a time, and what is found bounds the rest.
        for part in parts:
            candidates = _Candidates.of(part, goal).between(first.value, most)
            found = self._first_linked(candidates)[1]
            if found is not None:
                best, most = found, found.value
        return best


def _parts_on_links(goal: Goal, soft: Curves, hard: Curves, tol: float) -> Iterator[FloatArray]:
    yield goal.critical(soft)
    yield from crossings(soft, hard, tol)
    yield from crossings(soft, soft, tol)


@dataclass(frozen=True, eq=False)
class _Spot:
    spot: FloatArray
    value: float


@dataclass(frozen=True, eq=False)
class _Candidates:
    """Centres in the order of their values."""

    spots: FloatArray
    values: FloatArray

    @classmethod
    def of(cls, spots: FloatArray, goal: Goal) -> _Candidates:
        values = goal.value(spots) if len(spots) else np.empty(0)
        aside = np.hypot(*(spots - goal.wished).T)
        order = np.lexsort((aside, np.round(values / _EVEN)))
        return cls(spots[order], values[order])

    def chosen(self, keep: BoolArray) -> _Candidates:
        return _Candidates(self.spots[keep], self.values[keep])

    def between(self, low: float, high: float) -> _Candidates:
        return self.chosen((self.values >= low - _EVEN) & (self.values < high))

    def spot(self, i: int) -> _Spot:
        return _Spot(self.spots[i], float(self.values[i]))

    def batches(self) -> Iterator[_Candidates]:
        start, size = 0, _FIRST
        while start < len(self.values):
            stop = start + size
            yield _Candidates(self.spots[start:stop], self.values[start:stop])
            start, size = stop, size * _GROWTH
