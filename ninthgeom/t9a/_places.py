"""Which slot stands in which rank and file; static, made once for each board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ninthgeom._arrays import BoolArray
from ninthgeom._slots import IntArray
from ninthgeom.unit import SKIRMISH_GAP_MM

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.unit import Unit


@dataclass(frozen=True, eq=False)
class Places:
    """Ranks and files of all units of a board; the files of all units are numbered one after another.

    A base that is larger than those of its unit stands in every rank and file that it covers. A character
    beside the ranks stands in the first rank and has a file of its own, which is not numbered.

    Attributes
    ----------
    rank : ndarray of int, shape (M,)
        The foremost rank of each slot, from 0.
    first_file : ndarray of int, shape (M,)
        Its leftmost file.
    n_files : ndarray of int, shape (M,)
        Files that it stands in; 0 beside the ranks.
    ranked : ndarray of bool, shape (M,)
        Rank-and-file slots, not those of attached characters.
    ranks, files : ndarray of int, shape (U,)
        Ranks and files of each unit at full strength.
    file_start : ndarray of int, shape (F,)
        Where each file begins in `cells`.
    cells : ndarray of int
        The slots of each file from the front to the rear, one for each rank.
    """

    rank: IntArray
    first_file: IntArray
    n_files: IntArray
    ranked: BoolArray
    ranks: IntArray
    files: IntArray
    file_start: IntArray
    cells: IntArray


def places_of(board: Board) -> Places:
    """Return the places of a board."""
    known: Places | None = board._derived.get("places")
    if known is None:
        known = board._derived["places"] = _places(board)
    return known


def _places(board: Board) -> Places:
    nothing = np.empty(0, np.intp)
    rank, first_file, n_files, file_start, cells = [nothing], [nothing], [nothing], [nothing], [nothing]
    n_known_files = n_known_cells = 0
    for unit, slots in zip(board.units, board.model_slices, strict=True):
        own_rank, own_file, deep, wide = _blocks(unit)
        grid = np.empty((unit.files, unit.ranks), np.intp)
        for i, (r, f, d, w) in enumerate(zip(own_rank, own_file, deep, wide, strict=True)):
            grid[f : f + w, r : r + d] = slots.start + i
        rank.append(own_rank)
        first_file.append(own_file + n_known_files)
        n_files.append(wide)
        file_start.append(np.arange(unit.files) * unit.ranks + n_known_cells)
        cells.append(grid.reshape(-1))
        n_known_files += unit.files
        n_known_cells += grid.size
    return Places(
        rank=np.concatenate(rank),
        first_file=np.concatenate(first_file),
        n_files=np.concatenate(n_files),
        ranked=board._slots.ranked,
        ranks=np.array([unit.ranks for unit in board.units], np.intp),
        files=np.array([unit.files for unit in board.units], np.intp),
        file_start=np.concatenate(file_start),
        cells=np.concatenate(cells),
    )


def _blocks(unit: Unit) -> tuple[IntArray, IntArray, IntArray, IntArray]:
    """Return foremost rank, leftmost file, and how many ranks and files each slot of a unit covers."""
    layout, n = unit.layout, unit.n_slots
    if unit.shape != "rect":
        none, one = np.zeros(n, np.intp), np.ones(n, np.intp)
        return none, none, one, one
    gap = SKIRMISH_GAP_MM if unit.formation == "skirmish" else 0.0
    width, depth = unit.base_mm
    # A base that takes several places stands flush with the front of them and in the middle across.
    wide = np.rint(layout.width / width).astype(np.intp)
    deep = np.rint(layout.depth / depth).astype(np.intp)
    frontage = unit.files * (width + gap) - gap
    right = frontage / 2 - (layout.left + (wide * (width + gap) - gap) / 2)
    rank = np.rint(-(layout.forward + layout.depth / 2) / (depth + gap)).astype(np.intp)
    file = np.rint(right / (width + gap)).astype(np.intp)
    beside = np.abs(layout.left) > frontage / 2
    none = np.zeros(n, np.intp)
    return rank, np.where(beside, none, file), np.where(beside, none, deep), np.where(beside, none, wide)
