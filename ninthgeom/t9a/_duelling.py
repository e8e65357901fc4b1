"""Duels on a board: checked against it and written out state by state."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from ninthgeom._arrays import first_index
from ninthgeom._checks import PlacedValueError
from ninthgeom._slots import IntArray
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
    columns = {"first": (duels.first, board.n_models), "second": (duels.second, board.n_models)}
    if duels.state is not None and n_states is not None:
        columns["state"] = duels.state, n_states
    for name, (values, end) in columns.items():
        if len(values) and values.max() >= end:
            (i,) = first_index(values >= end)
            raise PlacedValueError(("duels", name, i), f"must be from 0 to {end - 1}, got {values[i]}")
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
