"""Looks that may find a contact across a gap: some model that nobody of its unit covers stands back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom.bases import Bases
from ninthgeom.index import pairs_within
from ninthgeom.t9a._looks import Looks
from ninthgeom.t9a._melee import Melee, Models

if TYPE_CHECKING:
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]


def open_looks(melee: Melee, looks: Looks) -> tuple[Looks, BoolArray, IntArray]:
    """Leave out looks between two flush lines of models: who shares a line of sight there touches.

    Returns
    -------
    looks : Looks
        The others.
    covered : ndarray of bool
        Models whose edge others of their unit cover from end to end.
    masks : ndarray of int, shape (n,)
        Where `covered` begins for each look, with the models of both units.
    """
    from ninthgeom_kernel.covered_edges import covered_edges

    models = melee.models
    n_p, n_q = models.counts[looks.p], models.counts[looks.q]
    ends = np.cumsum(n_p + n_q)
    masks = ends - n_p - n_q
    covered = np.zeros(int(ends[-1]) if len(ends) else 0, np.bool_)
    neighbours = _Neighbours.of(melee.board, melee.tol)
    row = melee.living_row(looks.state)
    apart = melee.positions[looks.state, looks.q, :2] - melee.positions[looks.state, looks.p, :2]
    _, left = looks.turned(*apart.T)
    for unit, facing, first, which in (
        (looks.p, looks.k, masks, np.ones(len(row), np.bool_)),
        (looks.q, looks.f, masks + n_p, ~looks.is_round),
    ):
        rows = np.stack([row, facing, models.first[unit], models.last[unit], first])[:, which]
        rearmost = np.empty(rows.shape[1])
        covered_edges(
            np.ascontiguousarray(rows),
            models.slots,
            melee.living,
            neighbours.first,
            neighbours.ahead,
            melee.tol,
            covered,
            rearmost,
        )
        left[which] -= rearmost
    # the rearmost edges that are open meet, or no edge is open
    is_flush = ~looks.is_round & looks.is_parallel & (left <= melee.tol)
    return looks.part(~is_flush), covered, masks[~is_flush]


@dataclass(frozen=True, eq=False)
class _Neighbours:
    """For each facing and slot the slots of its unit that stand on that edge, from one side to the other.

    Attributes
    ----------
    first : ndarray of int64, shape (4 M + 1,)
        Those of facing k, from 0, the front, to the left, and slot i begin at ``first[k * M + i]``.
    ahead : ndarray of int64
        The slots.
    """

    first: IntArray
    ahead: IntArray

    @classmethod
    def of(cls, board: Board, tol: float) -> _Neighbours:
        """Return the neighbours on a board, made once for each tolerance."""
        key = f"neighbours in contact, {tol}"
        known: _Neighbours | None = board._derived.get(key)
        if known is None:
            known = board._derived[key] = cls._make(Models.of(board), board.model_unit, tol)
        return known

    @classmethod
    def _make(cls, models: Models, unit: IntArray, tol: float) -> _Neighbours:
        ahead, aside, along, across, radius = models.slots
        apart = float(models.spacing.max(initial=0.0))
        width, depth = 2 * (across + radius), 2 * (along + radius)
        bases = Bases.rect(ahead, aside, width=width, depth=depth)
        pairs = pairs_within(bases, distance=apart + 2 * tol, group=unit)
        i, j = np.concatenate([pairs, pairs[::-1]], axis=1)
        keys, others = [], []
        for facing in range(4):
            up, side = facing % 2, 1 - facing % 2
            sign = 1.0 if facing < 2 else -1.0
            half = np.stack([along, across])
            place = np.stack([ahead, aside])
            above = sign * (place[up, j] - place[up, i]) - half[up, i] - half[up, j]
            beside = np.abs(place[side, j] - place[side, i]) - half[side, i] - half[side, j]
            is_ahead = (above >= -tol) & (above <= models.spacing[unit[i]] + tol) & (beside < -tol)
            keys.append(facing * len(unit) + i[is_ahead])
            others.append(j[is_ahead])
        key, other = np.concatenate(keys), np.concatenate(others)
        is_flank = key // max(1, len(unit)) % 2 == 1
        left = np.where(is_flank, (ahead - along)[other], (aside - across)[other])
        order = np.lexsort((left, key))
        first = np.searchsorted(key[order], np.arange(4 * len(unit) + 1))
        return cls(first, other[order])
