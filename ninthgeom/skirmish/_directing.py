"""One group that moves directly towards or away from another one, in one state."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import RADIUS, X, Y
from ninthgeom.skirmish._courses import Course, Ways
from ninthgeom.skirmish._curves import Curves
from ninthgeom.skirmish._directed import Line, first_touch, straight_to
from ninthgeom.skirmish._goals import Approach, Goal, base_at, gaps_between, offsets_of
from ninthgeom.skirmish._room import Region, rounded_bases
from ninthgeom.skirmish._route_answers import Finder
from ninthgeom.skirmish._route_finders import finders_of
from ninthgeom.skirmish._setting_up import PlaceStatus, SettingUp, Terms, columns_of_state
from ninthgeom.skirmish._states import prepare


@dataclass(frozen=True, eq=False)
class Moved:
    """A group that moved: length and way of its leader, the others set round it, what became of all."""

    length: float
    course: Course
    setting: SettingUp
    status: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Direct:
    """Two groups in one state.

    Attributes
    ----------
    at : ndarray of float64, shape (U, 3)
    here : ndarray of bool, shape (U,)
    group, aim : int
        The group that moves, and its target.
    """

    terms: Terms
    at: FloatArray
    here: BoolArray
    group: int
    aim: int
    away: bool

    @property
    def members(self) -> IntArray:
        """Models that move."""
        return np.flatnonzero(self.here & (self.terms.board.group == self.group))

    @property
    def targets(self) -> IntArray:
        """Models of the target."""
        return np.flatnonzero(self.here & (self.terms.board.group == self.aim))

    @property
    def is_possible(self) -> bool:
        """Whether there is anybody to move, and a target."""
        return len(self.members) > 0 and len(self.targets) > 0

    def leader(self) -> int:
        """Return the model with the shortest way to its target, the first one of several."""
        members = self.members
        if len(members) == 1:
            return int(members[0])
        columns = columns_of_state(self.terms.board, self.at)
        way = {}
        lengths = []
        for unit in members.tolist():
            goal = columns[[X, Y], self.target_of(unit, columns)]
            width = self._width(unit)
            if width not in way:
                way[width] = self.ways(columns, unit, without_target=True)
            lengths.append(float(way[width].lengths(columns[[X, Y], unit], goal[None])[0]))
        least = min(lengths)
        return int(members[next(i for i, length in enumerate(lengths) if length <= least + self.terms.tol)])

    def target_of(self, unit: int, columns: FloatArray) -> int:
        """Return the model of the target group that is nearest to one that moves, or farthest from it."""
        gaps = np.maximum(gaps_between(columns[:, [unit]], columns[:, self.targets])[0], 0.0)
        best = gaps >= gaps.max() - self.terms.tol if self.away else gaps <= gaps.min() + self.terms.tol
        return int(self.targets[int(best.argmax())])

    def ways(self, columns: FloatArray, unit: int, *, without_target: bool = False) -> Ways:
        """Return the shortest ways of a model."""
        terms = self.terms
        board = terms.board
        if board.units[unit].flying:
            return Ways(self._no_finder, None)
        counts = self.here & (board.group != self.group)
        if without_target:
            counts &= board.group != self.aim
        setting = SettingUp(
            terms=terms, centres=self.at, columns=columns, here=counts, leader=unit, radius=0.0
        )
        return Ways(partial(self._finder, counts, unit), setting.past(counts))

    def _finder(self, counts: BoolArray, unit: int) -> Finder:
        """Return what finds ways past some models."""
        terms = self.terms
        states = prepare(terms.board, self.at, self.here, terms.rules, terms.tol)
        width = np.array([self._width(unit)])
        return finders_of(states, slice(0, 1), counts[None], width, terms.ground)[0]

    def _no_finder(self) -> Finder:
        raise AssertionError("who flies goes straight")

    def _width(self, unit: int) -> float:
        return self.terms.rules.gap_width(self.terms.board.units[unit])

    def moved(self, setting: SettingUp, distance: float) -> Moved | None:
        """Move the leader, then set the others; None where the leader stays where it is."""
        leader = setting.leader
        course = self._course(setting, distance)
        length = float(course.lengths().sum())
        if length <= self.terms.tol:
            return None
        shift = course.points[-1] - setting.centres[leader, :2]
        if not setting.lead(course.points[-1]):
            return None
        status = np.zeros(len(self.here), np.uint8)
        status[leader] = PlaceStatus.IN_COHERENCY
        targets = setting.columns[:, self.targets]
        for unit in self.members.tolist():
            if unit != leader:
                wished = setting.centres[unit, :2] + shift
                goal = partial(self._goal, targets, wished)
                status[unit] = setting.put(unit, float(setting.centres[unit, 2]), goal)
        return Moved(length, course, setting, status)

    def _goal(self, targets: FloatArray, wished: FloatArray, base: FloatArray) -> Goal:
        return Approach(wished=wished, base=base, targets=targets, away=self.away, tol=self.terms.tol)

    def _course(self, setting: SettingUp, distance: float) -> Course:
        """Return the way of the leader."""
        terms, leader = self.terms, setting.leader
        columns = setting.columns
        base, start = columns[:, leader].copy(), columns[[X, Y], leader]
        goal = columns[[X, Y], self.target_of(leader, columns)]
        way, length = straight_to(start, goal)
        if length <= 0.0:
            return Course.straight(start[None])
        targets = columns[:, self.targets]
        before = max(float(gaps_between(base[:, None], targets).min()), 0.0)
        room = setting.room(leader, base)
        table = np.array(terms.board.size)
        everywhere = Region(0.5 * table, float(np.hypot(*table)))
        touch = self._outlines(base, targets, 0.0)
        bounds = [room.curves(everywhere), self._outlines(base, targets, before)]
        if self.away:
            way, end = -way, float(np.hypot(*table))
        else:
            end = 0.0 if before <= terms.tol else first_touch(start, goal, touch, terms.tol)
        ways = self.ways(columns, leader)

        def may_end(centres: FloatArray) -> BoolArray:
            gaps = np.maximum(gaps_between(base_at(base, centres), targets).min(axis=1), 0.0)
            good = gaps >= before - terms.tol if self.away else gaps <= before + terms.tol
            good[good] = room.fits(centres[good])
            return np.asarray(good)

        return Line(
            start=start,
            way=way,
            end=end,
            allowed=distance,
            may_end=may_end,
            bounds=Curves.joined(bounds),
            walls=setting.walls(ways.way),
            ways=ways,
            tol=terms.tol,
        ).course()

    def _outlines(self, base: FloatArray, targets: FloatArray, distance: float) -> Curves:
        """Return where a base is so far from one of some others."""
        shapes = rounded_bases(targets).summed(-offsets_of(base), float(base[RADIUS]) + distance)
        return shapes.outlines()
