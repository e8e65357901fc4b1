"""Duels on a board: checked against it and written out state by state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ninthgeom._arrays import BoolArray, first_index
from ninthgeom._checks import PlacedValueError
from ninthgeom._slots import IntArray
from ninthgeom.t9a._numbers import check_below, counted
from ninthgeom.t9a._sides import opposing
from ninthgeom.t9a.duels import Duels

if TYPE_CHECKING:
    from ninthgeom.board import Board


class Pairs(NamedTuple):
    """The active duels of each state, one row for each, sorted by state.

    Attributes
    ----------
    state : ndarray of int, shape (k,)
        Flat index of the state.
    first, second : ndarray of int, shape (k,)
        The slots of the duellists.
    duel : ndarray of int, shape (k,)
        Index of the duel.
    """

    state: IntArray
    first: IntArray
    second: IntArray
    duel: IntArray

    def between(self, start: int, stop: int) -> Pairs:
        """Return the rows of the states from `start` up to before `stop`."""
        low, high = np.searchsorted(self.state, (start, stop))
        return Pairs(*(column[low:high] for column in self))


def pairs_of(duels: Duels | None, board: Board, n_states: int) -> Pairs:
    """Check duels against a board and write the active ones out for all their states; None has no duels."""
    if duels is None:
        nothing = np.empty(0, np.intp)
        return Pairs(nothing, nothing, nothing, nothing)
    check_duels(duels, board, n_states)
    index = np.flatnonzero(duels.active)
    if duels.state is None:
        state = np.repeat(np.arange(n_states), len(index))
        index = np.tile(index, n_states)
    else:
        index = index[np.argsort(duels.state[index], kind="stable")]
        state = duels.state[index]
    return Pairs(state, duels.first[index], duels.second[index], index)


def check_duels(duels: Duels, board: Board, n_states: int | None) -> None:
    """Raise where a duel, over or not, cannot take place on this board; without `n_states` in any state."""
    if not isinstance(duels, Duels):
        raise TypeError(f"duels must be Duels, got {type(duels).__name__}")
    check_below(("duels", "first"), duels.first, board.n_models)
    check_below(("duels", "second"), duels.second, board.n_models)
    if duels.state is not None:
        check_below(("duels", "state"), duels.state, n_states)
    one, other = board.model_unit[duels.first], board.model_unit[duels.second]
    friends = ~opposing(board)[one, other]
    if friends.any():
        (i,) = first_index(friends)
        units = f"{board.names[one[i]]!r} and {board.names[other[i]]!r} are not on opposing sides"
        if one[i] == other[i]:
            units = f"both are of unit {board.names[one[i]]!r}"
        raise PlacedValueError(
            ("duels", "second", i), f"slot {duels.second[i]} cannot fight slot {duels.first[i]}: {units}"
        )


def keep_apart(
    duels: Duels,
    pool: BoolArray,
    attacker: IntArray,
    unit: IntArray,
    state: IntArray,
    model_unit: IntArray,
    is_alive: BoolArray,
) -> None:
    """Take duellists out of the slots that hits may go to; those of a duellist only go to the other one.

    Parameters
    ----------
    duels : Duels
    pool : ndarray of bool, shape (n, M)
        The slots for each attack, changed in place.
    attacker, unit, state : ndarray of int, shape (n,)
        Slot of the attacker, unit that is attacked, and flat index of the state.
    model_unit : ndarray of int, shape (M,)
        Unit of each slot.
    is_alive : ndarray of bool, shape (n,)
        Whether the slot of the attacker holds a living model; a removed duellist attacks nobody.
    """
    duel = np.flatnonzero(duels.active)
    if duels.state is None:
        start, n_duels = np.zeros_like(state), np.full_like(state, len(duel))
    else:
        duel = duel[np.argsort(duels.state[duel], kind="stable")]
        start, end = (np.searchsorted(duels.state[duel], state, side) for side in ("left", "right"))
        n_duels = end - start
    # Each attack with each duel of its state.
    attack = np.repeat(np.arange(len(state)), n_duels)
    duel = duel[np.repeat(start, n_duels) + counted(n_duels)]
    first, second, own = duels.first[duel], duels.second[duel], attacker[attack]
    pool[attack, first] = False
    pool[attack, second] = False
    pool[attack[(first == own) | (second == own)]] = False
    for k, (one, other) in enumerate(((first, second), (second, first))):
        fights = (one == own) & is_alive[attack] & ~duels.removed[duel, k]
        row, target = attack[fights], other[fights]
        pool[row, target] = model_unit[target] == unit[row]
