"""Enemies that Coherency Links may pass, those that the group is Engaged with; in many states, or in one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.bases import Bases
from ninthgeom.skirmish._between import is_free_between
from ninthgeom.skirmish._goals import gaps_between
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._room import bases_of
from ninthgeom.skirmish._states import States

# Room for so many pairs of close enemies for each state, at first.
_PAIRS: Final = 16


def passed_enemies(
    states: States,
    bases: Bases,
    present: BoolArray,
    boxes: FloatArray,
    members: Members,
    scene_of: IntArray,
    mask: BoolArray,
) -> None:
    """Take the enemies that the groups are engaged with out of a mask of bases that count.

    Parameters
    ----------
    states : States
        The question.
    bases : Bases, shape (S, U)
    present : ndarray of bool, shape (S, U)
    boxes : ndarray of float64, shape (4, S, G)
        Boxes round the groups.
    members : Members
        Who belongs to which group.
    scene_of : ndarray of int64, shape (S, G)
        Row of each group in the mask, -1 for those without one.
    mask : ndarray of bool, shape (Q, U)
        Changed in place.
    """
    from ninthgeom_kernel import links as kernel

    can_meet = present & ~members.flying
    reach = states.rules.engaged_range + states.tol
    room, count = _PAIRS * len(present), np.zeros(1, np.int64)
    pairs = np.empty((room, 3), np.int64)
    walk = bases._columns, boxes, members.order, members.starts, members.sides, can_meet, reach
    while not kernel.close_enemies(*walk, pairs, count):
        room *= 4
        pairs = np.empty((room, 3), np.int64)
    state, one, other = pairs[: int(count[0])].T
    if not len(state):
        return
    if states.rules.engaged_terrain != "none":
        pair = bases[state, one], bases[state, other]
        free = is_free_between(states.board, *pair, states.rules.engaged_terrain, states.tol, 1)
        state, one, other = state[free], one[free], other[free]
    group = members.group
    for own, enemy in ((one, other), (other, one)):
        row = scene_of[state, group[own]]
        row, foe = row[row >= 0], enemy[row >= 0]
        if states.rules.engaged_link == "models":
            mask[row, foe] = False
        else:
            which, unit = members.of_groups(group[foe])
            mask[row[which], unit] = False


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
