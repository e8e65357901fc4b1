"""What the search for contacts needs of a chunk of states, as kernels take it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._slots import MM_PER_INCH
from ninthgeom.bases import Bases
from ninthgeom.t9a._states import Chunk, States
from ninthgeom.t9a.rules import Rules
from ninthgeom.unit import SKIRMISH_GAP_MM

if TYPE_CHECKING:
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Models:
    """The models of a board.

    Attributes
    ----------
    slots : ndarray of float64, shape (5, M)
        Ahead and left of the unit's position, half extents of the core along and across, radius.
    first, last : ndarray of int64, shape (U,)
        First slot of each unit and the one past its last.
    spacing : ndarray of float64, shape (U,)
        How far the bases of the unit stand apart.
    """

    slots: FloatArray
    first: IntArray
    last: IntArray
    spacing: FloatArray

    @property
    def counts(self) -> IntArray:
        """Number of slots of each unit."""
        return self.last - self.first

    @classmethod
    def of(cls, board: Board) -> Models:
        """Return the models of a board, made once."""
        known: Models | None = board._derived.get("models in contact")
        if known is None:
            own = board._slots
            halves = own.depth / 2 - own.radius, own.width / 2 - own.radius
            slots = np.stack([own.forward, own.left, *halves, own.radius])
            first, last = np.array([[part.start, part.stop] for part in board.model_slices]).reshape(-1, 2).T
            apart = [SKIRMISH_GAP_MM * (unit.formation == "skirmish") for unit in board.units]
            known = cls(slots, first, last, np.array(apart, np.float64) / MM_PER_INCH)
            board._derived["models in contact"] = known
        return known


@dataclass(frozen=True, eq=False)
class Melee:
    """Arrays of a chunk of states.

    Attributes
    ----------
    positions : ndarray of float64, shape (S, U, 3)
    boundaries : ndarray of float64, shape (7, S, U)
        Columns of the Unit Boundaries.
    living : ndarray of bool, shape (1 or S, M)
    there : ndarray of bool, shape (1 or S, U)
        Units that are present.
    """

    board: Board
    models: Models
    rules: Rules
    tol: float
    positions: FloatArray
    boundaries: FloatArray
    living: BoolArray
    there: BoolArray

    @classmethod
    def of(cls, states: States, chunk: Chunk) -> Melee:
        """Collect the arrays of a chunk."""
        board = states.board
        living = board.occupied[None] if chunk.occupied is None else chunk.occupied
        there = np.ones((1, len(board)), np.bool_) if chunk.present is None else chunk.present
        return cls(
            board,
            Models.of(board),
            states.rules,
            states.tol,
            np.ascontiguousarray(chunk.positions),
            np.ascontiguousarray(chunk.boundaries._columns),
            np.ascontiguousarray(living),
            np.ascontiguousarray(there),
        )

    def bases(self, state: IntArray, model: IntArray) -> Bases:
        """Return the bases of some models with rectangular ones."""
        ahead, aside, along, across, _ = self.models.slots[:, model]
        x, y, heading = self.positions[state, self.board.model_unit[model]].T
        cos, sin = np.cos(heading), np.sin(heading)
        x, y = x + ahead * cos - aside * sin, y + ahead * sin + aside * cos
        return Bases.rect(x, y, heading, width=2.0 * across, depth=2.0 * along)

    def living_row(self, state: IntArray) -> IntArray:
        """Return the rows of `living` of some states."""
        return state if len(self.living) > 1 else np.zeros_like(state)
