"""Who belongs to which group of a board, in the form that kernels take it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ninthgeom._arrays import BoolArray, IntArray
from ninthgeom.board import Board

_KEY = "skirmish members"


@dataclass(frozen=True, eq=False)
class Members:
    """The groups of a board.

    Attributes
    ----------
    table : ndarray of int64, shape (G, K)
        Units of each group, -1 where there are no more.
    order : ndarray of int64, shape (U,)
        The units, group by group.
    starts : ndarray of int64, shape (G + 1,)
        Where each group begins in `order`.
    group : ndarray of int64, shape (U,)
    flying : ndarray of bool, shape (U,)
    sides : ndarray of int64, shape (U,)
    """

    table: IntArray
    order: IntArray
    starts: IntArray
    group: IntArray
    flying: BoolArray
    sides: IntArray

    @classmethod
    def of(cls, board: Board) -> Members:
        """Return those of a board, made once."""
        known: Members | None = board._derived.get(_KEY)
        if known is not None:
            return known
        group = np.asarray(board.group, np.int64)
        order = np.argsort(group, kind="stable").astype(np.int64)
        sizes = np.bincount(group).astype(np.int64)
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(sizes)])
        table = np.full((len(sizes), int(sizes.max(initial=0))), -1, np.int64)
        table[group[order], np.arange(len(order)) - starts[group[order]]] = order
        flying = np.array([unit.flying for unit in board.units], np.bool_)
        members = cls(table, order, starts, group, flying, np.asarray(board.side, np.int64))
        board._derived[_KEY] = members
        return members

    def of_groups(self, group: IntArray) -> tuple[IntArray, IntArray]:
        """Return the units of some groups: the index of each in `group`, and the unit."""
        units = self.table[group]
        which, place = np.nonzero(units >= 0)
        return which, units[which, place]

    def all_of(self, mask: BoolArray) -> BoolArray:
        """Return for which groups a mask over units, (..., U), is True of all of them."""
        if not len(self.order):
            return np.empty((*mask.shape[:-1], 0), np.bool_)
        answer: BoolArray = np.logical_and.reduceat(mask[..., self.order], self.starts[:-1], axis=-1)
        return answer
