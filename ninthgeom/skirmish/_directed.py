"""How far a leader gets along a line, or along the way to where the line is free again."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.skirmish._courses import Course, Ways
from ninthgeom.skirmish._curves import Curves

# Lengths are compared to this; places on the line are found to it.
_EXACT: Final = 1e-9
_PARTS: Final = 32
_AT_ONCE: Final = 64
# So far from a gate a place is surely behind it, in tolerances.
_BEHIND: Final = 4.0


@dataclass(frozen=True, eq=False, kw_only=True)
class Line:
    """The line that a leader is to follow.

    Attributes
    ----------
    start : ndarray of float64, shape (2,)
        Where its centre is.
    way : ndarray of float64, shape (2,)
        Unit vector.
    end : float
        How far the line goes.
    allowed : float
        How long the way of the leader may be.
    may_end : Callable
        At which centres (n, 2) it may end its move.
    bounds : Curves
        What separates these from others.
    walls : Curves
        Gates, at which the length of the way jumps.
    ways : Ways
    tol : float
    """

    start: FloatArray
    way: FloatArray
    end: float
    allowed: float
    may_end: Callable[[FloatArray], BoolArray]
    bounds: Curves
    walls: Curves
    ways: Ways
    tol: float

    def course(self) -> Course:
        """Return the way of the leader: as far along the line as it may, or to behind what is in the way."""
        stretches = self._stretches()
        reached, length = self._furthest(stretches)
        best = self._course_to(reached)
        is_stopped = reached < self.end - self.tol and length < self.allowed - self.tol
        # Who stands on a gate is not past it: the line is free again at once, but only behind it.
        behind = [
            low if low > reached + self.tol else min(low + _BEHIND * self.tol, high)
            for low, high in stretches
            if low >= reached - self.tol and high > reached + self.tol
        ]
        if not is_stopped or not behind:
            return best
        # The first place behind that any way leads to.
        lengths = self.ways.lengths(self.start, self._at(np.array(behind)))
        there = np.flatnonzero(np.isfinite(lengths))
        if not len(there):
            return best
        round_it = self.ways.course(self.start, self._at(np.array(behind[int(there[0])]))[0])
        if round_it is None:
            return best
        part = self._as_far_along(round_it)
        # As much of the move is made as can be.
        return round_it.cut(part) if part > length + self.tol else best

    def _at(self, t: FloatArray) -> FloatArray:
        return np.asarray(self.start + np.reshape(t, (-1, 1)) * self.way)

    def _course_to(self, t: float) -> Course:
        found = None if t <= 0.0 else self.ways.course(self.start, self._at(np.array(t))[0])
        return Course.straight(self.start[None]) if found is None else found

    def _stretches(self) -> list[tuple[float, float]]:
        """Return the parts of the line where the leader may end, near to far; single places too."""
        own = Course.straight(np.stack([self.start, *self._at(np.array([self.end]))]))
        cuts = np.concatenate([[0.0, self.end], own.crossed(self.bounds, self.tol)])
        cuts = np.unique(np.clip(cuts, 0.0, self.end))
        middles = 0.5 * (cuts[1:] + cuts[:-1])
        at_cuts, between = self.may_end(self._at(cuts)), self.may_end(self._at(middles))
        walls = own.crossed(self.walls, self.tol)
        stretches: list[tuple[float, float]] = []
        for i, cut in enumerate(cuts.tolist()):
            if i and between[i - 1]:
                ends = [cuts[i - 1], *np.sort(walls[(walls > cuts[i - 1]) & (walls < cut)]), cut]
                stretches += pairwise(ends)
            elif at_cuts[i] and not (i < len(between) and between[i]):
                stretches.append((cut, cut))
        return [(float(low), float(high)) for low, high in stretches]

    def _furthest(self, stretches: list[tuple[float, float]]) -> tuple[float, float]:
        """Return the furthest place that a way as long as allowed leads to, and the length of that way."""
        for low, high in reversed(stretches):
            found = self._latest(low, high)
            if found is not None:
                return found
        return 0.0, 0.0

    def _latest(self, low: float, high: float) -> tuple[float, float] | None:
        """Return the furthest place of a stretch within reach, and how long the way to it is.

        A step along the stretch makes a way longer or shorter by the step at most: between two places where
        ways are too long only a window is left, which is divided further.
        """
        best: tuple[float, float] | None = None
        todo = [(low, high, *self.ways.lengths(self.start, self._at(np.array([low, high]))).tolist())]
        at_once = 1
        while todo:
            # The furthest window first, but more and more at a time: where ways are hardly too long along a
            # whole stretch, as behind a foot that they lead round, there are thousands.
            furthest, todo = todo[-at_once:], todo[:-at_once]
            at_once = min(2 * at_once, _AT_ONCE)
            windows: list[tuple[float, float]] = []
            for a, b, length_a, length_b in reversed(furthest):
                if best is not None and b <= best[0]:
                    continue
                if length_b <= self.allowed + _EXACT:
                    best = b, length_b
                    continue
                if not (math.isfinite(length_a) and math.isfinite(length_b)):
                    continue
                window = a + max(length_a - self.allowed, 0.0), b - (length_b - self.allowed)
                if window[0] <= window[1] + _EXACT:
                    windows.append(window)
            if not windows:
                continue
            is_narrow = [b - a <= _EXACT for a, b in windows]
            places = np.array(
                [
                    [a] * _PARTS + [max(a, b)] if narrow else np.linspace(a, b, _PARTS + 1)
                    for (a, b), narrow in zip(windows, is_narrow, strict=True)
                ]
            )
            lengths = self.ways.lengths(self.start, self._at(places.ravel())).reshape(places.shape)
            found = lengths <= self.allowed + _EXACT
            if found.any():
                k = int(np.where(found, places, -np.inf).argmax())
                if best is None or places.flat[k] > best[0]:
                    best = float(places.flat[k]), float(lengths.flat[k])
            for k in reversed(range(len(windows))):
                if not is_narrow[k]:
                    row, length = places[k], lengths[k]
                    parts = row[:-1], row[1:], length[:-1], length[1:]
                    todo += list(zip(*(part.tolist() for part in parts), strict=True))
        return best

    def _as_far_along(self, course: Course) -> float:
        """Return how far along a way the leader may go and end."""
        whole = float(course.lengths().sum())
        stops = np.concatenate([[min(whole, self.allowed)], course.crossed(self.bounds, self.tol)])
        stops = np.unique(stops[stops <= self.allowed + _EXACT])[::-1]
        places = np.array([course.cut(stop).points[-1] for stop in stops.tolist()])
        fits = self.may_end(places)
        return float(stops[int(fits.argmax())]) if fits.any() else 0.0


def straight_to(start: FloatArray, goal: FloatArray) -> tuple[FloatArray, float]:
    """Return unit vector and distance from one point to another; both 0 where they are one."""
    step = goal - start
    length = math.hypot(*step)
    return (step / length if length > 0.0 else np.zeros(2)), length


def first_touch(start: FloatArray, goal: FloatArray, outlines: Curves, slack: float) -> float:
    """Return how far from the start the line to a goal first meets outlines, its whole length if never."""
    _, length = straight_to(start, goal)
    met = Course.straight(np.stack([start, goal])).crossed(outlines, slack)
    return float(met.min(initial=length))
