"""Enemies that the links of one group may pass while it is set up: those it is Engaged with so far."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.skirmish._between import is_free_between
from ninthgeom.skirmish._goals import gaps_between
from ninthgeom.skirmish._room import bases_of
from ninthgeom.skirmish._states import States


def passed_by(states: States, group: int) -> Callable[[FloatArray, BoolArray], BoolArray]:
    """Return the function that tells from columns (7, U) and a mask (U,) which enemies links may pass."""
    board, rules = states.board, states.rules
    grounded = np.array([not unit.flying for unit in board.units], np.bool_)
    own, foes = grounded & (board.group == group), grounded & (board.group != group)

    def passed(columns: FloatArray, here: BoolArray) -> BoolArray:
        mask = np.zeros(len(board), np.bool_)
        mine, theirs = np.flatnonzero(own & here), np.flatnonzero(foes & here)
        if not len(mine) or not len(theirs):
            return mask
        near = gaps_between(columns[:, mine], columns[:, theirs]) <= rules.engaged_range + states.tol
        near &= board.side[mine, None] != board.side[theirs]
        i, j = np.nonzero(near)
        if len(i):
            pairs = bases_of(columns[:, mine[i]]), bases_of(columns[:, theirs[j]])
            engaged = is_free_between(board, *pairs, rules.engaged_terrain, states.tol, 1)
            mask[theirs[j[engaged]]] = True
            if rules.engaged_link == "groups":
                mask = np.isin(board.group, board.group[mask])
        return mask

    return passed
