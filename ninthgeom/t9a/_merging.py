"""Bases of one kind that stand side by side in ranks and files, joined to rectangles.

Bases in contact leave no slit for a line of sight, so a rectangle of them is in the way of the same lines,
and shows the same part to whoever looks at it. Holes stay open.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom.t9a._observers import padded, settled
from ninthgeom.t9a._tables import UnitTable
from ninthgeom.t9a._things import Pieces

IntArray: TypeAlias = NDArray[np.intp]


def kinds_of(ranks: IntArray, elevated: NDArray[np.bool_] | None) -> IntArray:
    """Return numbers from 1 on for the kinds of models: by height, tallness and elevation."""
    return 1 + 2 * ranks + (0 if elevated is None else elevated)


def joined_bases(u: int, table: UnitTable, kinds: IntArray) -> list[Pieces]:
    """Return the bases of a unit, those of one kind joined.

    Parameters
    ----------
    u : int
        Index of the unit.
    table : UnitTable
        The unit.
    kinds : ndarray of int, shape (S, slots)
        Kind of the model in each slot, see `kinds_of`; 0 for slots to be left out.
    """
    pieces = []
    if table.grid.size:
        pieces.append(_in_grid(u, table, kinds))
    alone = table.alone[(kinds[:, table.alone] > 0).any(axis=0)]
    if len(alone):
        own = kinds[:, alone]
        there = own > 0
        pieces.append(
            Pieces(
                unit=np.full(len(alone), u),
                forward=table.forward[None, alone],
                left=table.left[None, alone],
                width=table.width[None, alone],
                depth=table.depth[None, alone],
                radius=np.full((1, len(alone)), table.radius),
                rank=settled((own - 1) >> 1, there),
                elevated=settled(((own - 1) & 1) > 0, there),
                there=there,
            )
        )
    return pieces


def _in_grid(u: int, table: UnitTable, kinds: IntArray) -> Pieces:
    state, rank, last, file, stop, kind = _rectangles(table.grid, kinds)
    front, rear, left, right, kind_of, there = padded(
        state,
        len(kinds),
        table.rank_edges[rank],
        table.rank_edges[last],
        table.file_edges[file],
        table.file_edges[stop],
        kind,
        np.ones(len(state), np.bool_),
    )
    return Pieces(
        unit=np.full(front.shape[1], u),
        forward=(front + rear) / 2,
        left=(left + right) / 2,
        width=left - right,
        depth=front - rear,
        radius=np.zeros((1, front.shape[1])),
        rank=settled((kind_of - 1) >> 1, there),
        elevated=settled(((kind_of - 1) & 1) > 0, there),
        there=there,
    )


def _rectangles(
    grid: IntArray, kinds: IntArray
) -> tuple[IntArray, IntArray, IntArray, IntArray, IntArray, IntArray]:
    """Cut the grids of all states in rectangles of one kind.

    Runs of one kind in a rank are joined with the run behind if that has the same ends.

    Returns
    -------
    state, first rank, past the last rank, first file, past the last file, kind : ndarray of int
        Of each rectangle, sorted by state.
    """
    at = np.where(grid >= 0, kinds[:, grid], 0)
    n_ranks, n_files = grid.shape
    differs = at[:, :, 1:] != at[:, :, :-1]
    begins = at > 0
    begins[:, :, 1:] &= differs
    stop = np.full(at.shape, n_files)
    stop[:, :, :-1] = np.where(differs, np.arange(1, n_files), n_files)
    stop = np.minimum.accumulate(stop[:, :, ::-1], axis=2)[:, :, ::-1]
    goes_on = np.zeros(at.shape, np.bool_)  # from the rank before
    goes_on[:, 1:] = begins[:, 1:] & begins[:, :-1]
    goes_on[:, 1:] &= (stop[:, 1:] == stop[:, :-1]) & (at[:, 1:] == at[:, :-1])
    last = np.broadcast_to(np.arange(1, n_ranks + 1)[:, None], at.shape).copy()
    for i in range(n_ranks - 2, -1, -1):
        last[:, i] = np.where(goes_on[:, i + 1], last[:, i + 1], last[:, i])
    state, rank, file = np.nonzero(begins & ~goes_on)
    where = state, rank, file
    return state, rank, last[where], file, stop[where], at[where]
