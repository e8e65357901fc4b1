"""Models of one group set round their leader, in one state, one after another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import TypeAlias

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, X, Y
from ninthgeom.board import Board
from ninthgeom.skirmish._curves import Curves, Rounded
from ninthgeom.skirmish._goals import Compact, Goal
from ninthgeom.skirmish._obstacles import Obstacles, Standing
from ninthgeom.skirmish._room import NO_CURVES, NOBODY, Leash, Region, Room, rounded_bases, rounded_rings
from ninthgeom.skirmish._shadows import InTheWay, ToStanding
from ninthgeom.skirmish._spots import Search
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.rules import Rules


class PlaceStatus(IntEnum):
    """What became of a model that was to be set.

    Attributes
    ----------
    UNTOUCHED
        It is absent, or nothing was done with it.
    IN_COHERENCY
        It stands wholly within the radius of its leader, linked to it.
    OUT_OF_COHERENCY
        No such spot was free: it stands as close to its leader as a link allows, and its unit is Out of
        Coherency.
    CASUALTY
        No spot with a link was free: the model is removed.

    Examples
    --------
    >>> from ninthgeom.skirmish import PlaceStatus
    >>> PlaceStatus(2).name
    'OUT_OF_COHERENCY'
    """

    UNTOUCHED = 0
    IN_COHERENCY = 1
    OUT_OF_COHERENCY = 2
    CASUALTY = 3


#: Tells which enemies links may pass, from the columns (7, U) and the mask (U,) of who stands in a state.
Passed: TypeAlias = Callable[[FloatArray, BoolArray], BoolArray]


@dataclass(frozen=True, eq=False, kw_only=True)
class Terms:
    """What does not change between states.

    Attributes
    ----------
    passed : Callable
        Tells which enemies links of the group may pass.
    """

    board: Board
    ground: Ground
    rules: Rules
    group: int
    passed: Passed
    tol: float

    @cached_property
    def standing(self) -> Standing:
        """The terrain that stops."""
        return Standing.of(self.board, self.ground, self.tol)

    @cached_property
    def pieces(self) -> Rounded:
        """Its convex pieces."""
        polygons = self.standing.polygons
        return rounded_rings([ring for i in polygons._index.tolist() for ring in polygons._table.convex(i)])


@dataclass(eq=False, kw_only=True)
class SettingUp:
    """A group being set up in one state.

    Attributes
    ----------
    centres : ndarray of float64, shape (U, 3)
        Centre and heading of all models; written when one is set.
    columns : ndarray of float64, shape (7, U)
        Their bases.
    here : ndarray of bool, shape (U,)
        Who stands: not those that are still to be set.
    leader : int
    radius : float
    """

    terms: Terms
    centres: FloatArray
    columns: FloatArray
    here: BoolArray
    leader: int
    radius: float
    _way: InTheWay | None = field(default=None, init=False)
    _counts: BoolArray | None = field(default=None, init=False)

    @property
    def flies(self) -> bool:
        """Whether links of the group ignore everything."""
        return self.terms.board.units[self.leader].flying

    def put(self, unit: int, heading: float, goal: Callable[[FloatArray], Goal]) -> PlaceStatus:
        """Set a model at the best spot of a goal, which is made for its base."""
        base = self.turned(unit, heading)
        wish = goal(base)
        leash = Leash(base=base, leader=self.reference, length=self._reach, tol=self.terms.tol)
        room = self.room(unit, base)
        spot = self._search(room, leash, base).best(wish)
        status = PlaceStatus.IN_COHERENCY
        if spot is None:
            status = PlaceStatus.OUT_OF_COHERENCY
            compact = Compact(base=base, leader=self.reference, wished=wish.wished)
            spot = self._search(room, None, base).best(compact)
        if spot is None:
            return PlaceStatus.CASUALTY
        self.centres[unit] = *spot, heading
        base[[X, Y]] = spot
        self.columns[:, unit] = base
        self.here[unit] = True
        return status

    def lead(self, spot: FloatArray) -> bool:
        """Move the leader to a spot, or return False where it cannot stand there."""
        base = self.columns[:, self.leader].copy()
        base[[X, Y]] = spot
        if not self.room(self.leader, base).fits(spot[None])[0]:
            return False
        self.centres[self.leader, :2] = spot
        self.columns[:, self.leader] = base
        self.here[self.leader] = True
        return True

    def walls(self, way: InTheWay | None) -> Curves:
        """Return the gates among what is in the way."""
        if way is None:
            return NO_CURVES
        return rounded_bases(way.gates).outlines()

    def turned(self, unit: int, heading: float) -> FloatArray:
        """Return the base of a model with a heading, wherever."""
        base = self.columns[:, unit].copy()
        base[[COS, SIN]] = np.cos(heading), np.sin(heading)
        return base

    @property
    def reference(self) -> FloatArray:
        """What being wholly within is measured from: the base of the leader or its centre."""
        leader = self.columns[:, self.leader]
        return centre_of(leader) if self.terms.rules.sc_wholly_ref == "centre" else leader.copy()

    @property
    def _reach(self) -> float:
        """The radius, or more than everything on the table needs: circles have a finite radius."""
        middle = self.columns[[X, Y], self.leader]
        table = np.array(self.terms.board.size)
        return min(self.radius, 1.0 + float(np.hypot(*np.maximum(np.abs(middle), np.abs(table - middle)))))

    def room(self, unit: int, base: FloatArray) -> Room:
        """Return where a model fits among those that stand."""
        terms, board = self.terms, self.terms.board
        others = self.here.copy()
        others[unit] = False
        flyers = np.array([other.flying for other in board.units], np.bool_) & others
        flyers &= board.side != board.side[unit]
        return Room(
            base=base,
            size=board.size,
            others=self.columns[:, others],
            terrain=terms.standing.polygons,
            pieces=terms.pieces,
            shunned=self.columns[:, flyers] if board.units[unit].flying else NOBODY,
            distance=terms.rules.engaged_range,
            tol=terms.tol,
        )

    def _search(self, room: Room, leash: Leash | None, base: FloatArray) -> Search:
        links = None
        if not self.flies:
            way = self.way()
            chain = self.columns[:, self.chain(way)]
            if leash is not None:
                way = way.near(*_box_round(leash.region, base, chain))
            links = ToStanding(base=self._linked_part(base), standing=self._linked_part(chain), way=way)
        return Search(room=room, leash=leash, links=links, tol=self.terms.tol)

    def _linked_part(self, columns: FloatArray) -> FloatArray:
        return centre_of(columns) if self.terms.rules.sc_link == "centre" else columns

    def way(self) -> InTheWay:
        """Return what links may not pass now."""
        terms, board = self.terms, self.terms.board
        counts = self.here & (board.group != terms.group)
        counts &= ~terms.passed(self.columns, self.here)
        if self._way is None or self._counts is None or (counts != self._counts).any():
            self._counts = counts
            self._way = self.past(counts)
        return self._way

    def past(self, counts: BoolArray) -> InTheWay:
        """Return what straight lines may not pass if these models count."""
        terms = self.terms
        obstacles = Obstacles.of(terms.board, terms.ground, self.columns[:, None], terms.tol)
        width = terms.rules.gap_width(terms.board.units[self.leader])
        gates = obstacles.gates(np.zeros(1, np.int64), counts[None], np.array([width]))
        return InTheWay(
            bases=self.columns[:, counts],
            terrain=terms.standing.polygons,
            outlines=terms.standing.outlines,
            pieces=terms.pieces,
            gates=gates.lengthened(terms.tol),
            broad=~gates.is_line(terms.tol),
            tol=terms.tol,
        )

    def chain(self, way: InTheWay) -> IntArray:
        """Return the models that stand and are linked to the leader by a chain, itself too, as indices."""
        board = self.terms.board
        own = np.flatnonzero(self.here & (board.group == self.terms.group))
        part = self._linked_part(self.columns[:, own])
        joined = way.near(*_box_round(None, part, part)).sees(part, part)
        joined |= joined.T
        reached = np.asarray(own == self.leader)
        while True:
            more = reached | joined[reached].any(axis=0)
            if (more == reached).all():
                return np.asarray(own[reached])
            reached = more


def centre_of(columns: FloatArray) -> FloatArray:
    """Return the centres of bases (7, ...), as bases without size."""
    centres = np.zeros_like(columns)
    centres[X], centres[Y], centres[COS] = columns[X], columns[Y], 1.0
    return centres


def columns_of_state(board: Board, positions: FloatArray) -> FloatArray:
    """Return the columns of the bases of one state, (7, U)."""
    columns = board._boundaries(positions, None)._columns
    return np.array(columns.reshape(ROWS, len(board)))


def _box_round(region: Region | None, base: FloatArray, chain: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return a box that holds all lines between bases of a chain and a base in a region."""
    middles, reaches = chain[[X, Y]], _extent(chain)
    low, high = (middles - reaches).min(axis=1), (middles + reaches).max(axis=1)
    if region is None:
        return low, high
    reach = region.radius + _extent(base)
    return np.minimum(low, region.centre - reach), np.maximum(high, region.centre + reach)


def _extent(columns: FloatArray) -> FloatArray:
    """Return how far bases (7, ...) reach from their centres."""
    return np.asarray(np.hypot(columns[ALONG], columns[ACROSS]) + columns[RADIUS])
