"""What sight needs of the units of a board beside their boundaries; static, made once for each board.

Lengths are inches in the frame of the unit: `forward` along its heading from its position, `left` to the left
of it.
A *rank* is a number for height and tallness together: twice the height, plus one for Tall models.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._slots import MM_PER_INCH

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.unit import Unit

IntArray: TypeAlias = NDArray[np.intp]

#: Edges in millimetres closer than this are one edge; what stands beside each other is laid out by sums.
_DECIMALS = 6


@dataclass(frozen=True, eq=False)
class UnitTable:
    """Slots of one unit.

    Attributes
    ----------
    slots : slice
        Its slots among those of the board.
    forward, left, width, depth : ndarray of float, shape (n,)
        Bases of the slots: centre and outer sizes.
    radius : float
        Corner radius of the bases.
    is_round : bool
        Whether it looks from its base, all round.
    is_skirmish : bool
        Whether it stands in skirmish formation.
    ranks : ndarray of int, shape (n,)
        Height and tallness of the model in each slot.
    is_mixed : bool
        Whether they differ.
    edges : ndarray of float, shape (k + 1,)
        The front edge, cut where bases begin and end, from left to right.
    covers : ndarray of bool, shape (n, k)
        Which pieces of the front edge lie straight ahead of a slot.
    grid : ndarray of int, shape (r, f)
        Slot in each rank and file, -1 for none. Empty where bases do not touch each other.
    rank_edges, file_edges : ndarray of float, shape (r + 1,) and (f + 1,)
        Where the ranks (front to rear) and files (left to right) of the grid begin and end.
    alone : ndarray of int
        Slots that are not in the grid.
    """

    slots: slice
    forward: FloatArray
    left: FloatArray
    width: FloatArray
    depth: FloatArray
    radius: float
    is_round: bool
    is_skirmish: bool
    ranks: IntArray
    is_mixed: bool
    edges: FloatArray
    covers: BoolArray
    grid: IntArray
    rank_edges: FloatArray
    file_edges: FloatArray
    alone: IntArray

    @property
    def n_slots(self) -> int:
        """Number of slots."""
        return len(self.ranks)

    @classmethod
    def of(cls, unit: Unit, slots: slice, ranks: IntArray) -> UnitTable:
        """Make the table of a unit."""
        layout = unit.layout
        right, left = layout.left - layout.width / 2, layout.left + layout.width / 2
        edges = np.unique(np.round(np.concatenate([left, right]), _DECIMALS))[::-1]
        middles = (edges[:-1] + edges[1:]) / 2
        grid, rank_edges, file_edges = _grid(unit)
        return cls(
            slots=slots,
            forward=layout.forward / MM_PER_INCH,
            left=layout.left / MM_PER_INCH,
            width=layout.width / MM_PER_INCH,
            depth=layout.depth / MM_PER_INCH,
            radius=layout.radius / MM_PER_INCH,
            is_round=unit.shape != "rect",
            is_skirmish=unit.formation == "skirmish",
            ranks=ranks,
            is_mixed=bool((ranks != ranks[0]).any()),
            edges=edges / MM_PER_INCH,
            covers=(right[:, None] < middles) & (middles < left[:, None]),
            grid=grid,
            rank_edges=rank_edges / MM_PER_INCH,
            file_edges=file_edges / MM_PER_INCH,
            alone=np.setdiff1d(np.arange(len(layout)), grid),
        )


@dataclass(frozen=True, eq=False)
class BoardTable:
    """The units of a board.

    Attributes
    ----------
    units : tuple of UnitTable
    ranks : ndarray of int, shape (M,)
        Of the model in each slot.
    unit_ranks : ndarray of int, shape (U,)
        Of the Unit Boundaries at full strength.
    is_mixed : ndarray of bool, shape (U,)
        Units whose models differ in height or tallness.
    is_skirmish : ndarray of bool, shape (U,)
        Units in skirmish formation.
    """

    units: tuple[UnitTable, ...]
    ranks: IntArray
    unit_ranks: IntArray
    is_mixed: BoolArray
    is_skirmish: BoolArray


def board_table(board: Board, *, with_tall: bool) -> BoardTable:
    """Return the table of a board; without `with_tall` no model counts as Tall."""
    key = f"sight table, {with_tall}"
    known: BoardTable | None = board._derived.get(key)
    if known is None:
        tall = np.concatenate([np.empty(0, np.bool_), *(_tall(unit) for unit in board.units)])
        ranks = board.model_height * 2 + (tall & with_tall)
        units = tuple(
            UnitTable.of(unit, slots, ranks[slots])
            for unit, slots in zip(board.units, board.model_slices, strict=True)
        )
        is_mixed = np.array([unit.is_mixed for unit in units], np.bool_)
        is_skirmish = np.array([unit.is_skirmish for unit in units], np.bool_)
        unit_ranks = ranks_of_boundaries(units, board.occupied[None], ranks)[0]
        known = BoardTable(units, ranks, unit_ranks, is_mixed, is_skirmish)
        board._derived[key] = known
    return known


def ranks_of_boundaries(units: Sequence[UnitTable], living: BoolArray, ranks: IntArray) -> IntArray:
    """Return height and tallness of the boundaries of units with these living models, shape (states, U).

    The height is that of most living models, of two as frequent ones the smaller. The boundary is Tall when
    all its models of that height are.
    """
    answer = np.empty((len(living), len(units)), np.intp)
    for u, unit in enumerate(units):
        own = ranks[unit.slots]
        if not unit.is_mixed:
            answer[:, u] = own[0]
            continue
        here = living[:, unit.slots]
        heights = np.unique(own >> 1)
        counts = np.stack([np.count_nonzero(here & (own >> 1 == height), axis=1) for height in heights])
        height = heights[np.argmax(counts, axis=0)]
        plain = (here & (own == 2 * height[:, None])).any(axis=1)
        tall = (here & (own == 2 * height[:, None] + 1)).any(axis=1)
        answer[:, u] = 2 * height + (tall & ~plain)
    return answer


def _tall(unit: Unit) -> BoolArray:
    tall = np.full(len(unit.layout), unit.tall)
    tall[unit.layout.n_ranked :] = [attached.tall for attached in unit.attached]
    return tall


def _grid(unit: Unit) -> tuple[IntArray, FloatArray, FloatArray]:
    """Return the slots in ranks and files, and the edges of both in millimetres."""
    if unit.shape != "rect" or unit.formation == "skirmish":
        return np.empty((0, 0), np.intp), np.zeros(1), np.zeros(1)
    layout = unit.layout
    width, depth = unit.base_mm
    file_edges = unit.files * width / 2 - np.arange(unit.files + 1, dtype=np.float64) * width
    rank_edges = -np.arange(unit.ranks + 1, dtype=np.float64) * depth
    forward = ((rank_edges[:-1] + rank_edges[1:]) / 2)[:, None, None]
    left = ((file_edges[:-1] + file_edges[1:]) / 2)[:, None]
    inside: NDArray[Any] = np.abs(forward - layout.forward) < layout.depth / 2
    inside = inside & (np.abs(left - layout.left) < layout.width / 2)
    grid: IntArray = np.where(inside.any(-1), inside.argmax(-1), -1)
    return grid, rank_edges, file_edges
