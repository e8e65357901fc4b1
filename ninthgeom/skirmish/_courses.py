"""Ways of a leader: legs that are straight or run round discs, cut at a length, and the shortest ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray
from ninthgeom._columns import COS, ROWS, X, Y
from ninthgeom.skirmish._curves import Curves, crossings

if TYPE_CHECKING:
    from ninthgeom.skirmish._route_answers import Finder
    from ninthgeom.skirmish._shadows import InTheWay


@dataclass(frozen=True, eq=False)
class Course:
    """One way, as `Routes` describes them.

    Attributes
    ----------
    points, centre : ndarray of float64, shape (n, 2)
        Way-points, and what the leg from each runs round, NaN for straight ones.
    turn : ndarray of float64, shape (n,)
        Angle of the leg from each.
    """

    points: FloatArray
    centre: FloatArray
    turn: FloatArray

    @classmethod
    def straight(cls, points: FloatArray) -> Course:
        """Return a polyline."""
        return cls(points, np.full(points.shape, math.nan), np.zeros(len(points)))

    def lengths(self) -> FloatArray:
        """Return the length of each leg, (n - 1,)."""
        straight = np.hypot(*np.diff(self.points, axis=0).T)
        radius = np.hypot(*(self.points - self.centre)[:-1].T)
        return np.asarray(np.where(self.turn[:-1] != 0.0, np.abs(self.turn[:-1]) * radius, straight))

    def cut(self, length: float) -> Course:
        """Return the way up to a length."""
        lengths = self.lengths()
        before = np.concatenate([[0.0], np.cumsum(lengths)])
        leg = min(int(np.searchsorted(before[1:], length)), len(lengths) - 1)
        if leg < 0:
            return self
        share = min((length - before[leg]) / lengths[leg], 1.0) if lengths[leg] > 0.0 else 1.0
        turn = self.turn[: leg + 2].copy()
        turn[leg], turn[leg + 1] = share * turn[leg], 0.0
        points, centre = self.points[: leg + 2].copy(), self.centre[: leg + 2].copy()
        centre[leg + 1] = math.nan
        if turn[leg] != 0.0:
            away = points[leg] - centre[leg]
            cos, sin = math.cos(turn[leg]), math.sin(turn[leg])
            turned = (cos * away[0] - sin * away[1], sin * away[0] + cos * away[1])
            points[leg + 1] = centre[leg] + turned
        else:
            points[leg + 1] = points[leg] + share * (points[leg + 1] - points[leg])
        return Course(points, centre, turn)

    def crossed(self, curves: Curves, slack: float) -> FloatArray:
        """Return the lengths after which the way meets curves."""
        found, before = [np.empty(0)], 0.0
        for leg, length in enumerate(self.lengths().tolist()):
            own = self._leg(leg)
            spots = np.concatenate([np.empty((0, 2)), *crossings(own, curves, slack)])
            if self.turn[leg] != 0.0:
                away, start = spots - self.centre[leg], self.points[leg] - self.centre[leg]
                angle = np.arctan2(away[:, 1], away[:, 0]) - math.atan2(start[1], start[0])
                sign = math.copysign(1.0, self.turn[leg])
                share = np.minimum(np.mod(sign * angle, math.tau) / abs(self.turn[leg]), 1.0)
            else:
                step = self.points[leg + 1] - self.points[leg]
                square = max(float(step @ step), 1e-300)
                share = np.clip((spots - self.points[leg]) @ step / square, 0.0, 1.0)
            found.append(before + share * length)
            before += length
        return np.concatenate(found)

    def _leg(self, leg: int) -> Curves:
        a, b, turn = self.points[leg], self.points[leg + 1], float(self.turn[leg])
        if turn == 0.0:
            return Curves(np.concatenate([a, b])[None], np.empty((0, 5)))
        away = a - self.centre[leg]
        start = math.atan2(away[1], away[0]) + min(turn, 0.0)
        arc = [*self.centre[leg], float(np.hypot(*away)), start, abs(turn)]
        return Curves(np.empty((0, 4)), np.array([arc]))


@dataclass(eq=False)
class Ways:
    """The shortest ways on a board in one state, found with as little as is needed.

    Attributes
    ----------
    make : Callable
        Makes the graph of routes, which takes long; only where a straight line is not free it is asked.
    way : InTheWay, optional
        What straight lines may not pass; nothing for flying models.
    """

    make: Callable[[], Finder]
    way: InTheWay | None

    @cached_property
    def finder(self) -> Finder:
        """What answers questions about routes."""
        return self.make()

    def lengths(self, start: FloatArray, goals: FloatArray) -> FloatArray:
        """Return how long the shortest ways from a point to points (n, 2) are, inf without one."""
        lengths = np.hypot(*(goals - start).T)
        free = self._straight(start, goals)
        if not free.all():
            points = np.concatenate([start[None], goals[~free]])
            # It learns the ways from all last points: here that is one.
            pairs = np.stack([np.arange(1, len(points)), np.zeros(len(points) - 1, np.int64)], axis=1)
            lengths[~free], _ = self.finder.ask(points, pairs, wants_courses=False)
        return np.asarray(lengths)

    def course(self, start: FloatArray, goal: FloatArray) -> Course | None:
        """Return the first of the shortest ways between two points."""
        if self._straight(start, goal[None])[0]:
            return Course.straight(np.stack([start, goal]))
        points, pairs = np.stack([start, goal]), np.array([[0, 1]])
        _, found = self.finder.ask(points, pairs, wants_courses=True)
        if len(found.offsets) < 2:
            return None
        own = slice(found.offsets[0], found.offsets[1])
        return Course(found.points[own], found.centre[own], found.turn[own])

    def _straight(self, start: FloatArray, goals: FloatArray) -> NDArray[np.bool_]:
        if self.way is None:
            return np.ones(len(goals), np.bool_)
        points = np.zeros((ROWS, len(goals) + 1))
        points[[X, Y]] = np.concatenate([start[None], goals]).T
        points[COS] = 1.0
        return np.asarray(self.way.sees(points[:, :1], points[:, 1:])[0])
