"""Pairs of models or of groups: who is asked about, and answers about models reduced to their groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, get_args

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, IntArray
from ninthgeom._checks import choice
from ninthgeom._states import Units, check_board, unit_indices
from ninthgeom.bases import Bases
from ninthgeom.board import Board
from ninthgeom.skirmish._states import By, Groups, States, group_indices

#: Scratch of a chunk of states, in bytes: some dozens of states, so that what a chunk costs whatever its size
#: does not show.
SCRATCH: Final = 2**24


@dataclass(frozen=True, eq=False)
class Parties:
    """The models or groups on one side of a question.

    Attributes
    ----------
    keys : ndarray of int, shape (n,)
        Indices of the models or numbers of the groups.
    models : ndarray of int, shape (N,)
        Indices of the models, those of a group one after another.
    starts : ndarray of int, shape (n,)
        Where in `models` those of each begin.
    is_grouped : bool
        False where each has one model.
    """

    keys: IntArray
    models: IntArray
    starts: IntArray
    is_grouped: bool

    @classmethod
    def of(cls, board: Board, by: By, which: Units | Groups, argument: str) -> Parties:
        """Find the models named by `which`; None means all."""
        check_board(board)
        choice(by, ("by",), get_args(By))
        if by == "model":
            units = unit_indices(board, which, argument)
            return cls(units, units, np.arange(len(units)), False)
        groups = group_indices(board, which, argument)
        members = [np.flatnonzero(board.group == group) for group in groups.tolist()]
        counts = np.array([len(own) for own in members], np.intp)
        models = np.concatenate([np.empty(0, np.intp), *members])
        return cls(groups, models, np.cumsum(counts) - counts, True)

    @property
    def counts(self) -> IntArray:
        """How many models each has."""
        return np.diff(self.starts, append=len(self.models))

    def reduced(self, answers: NDArray[Any], ufunc: np.ufunc, axis: int) -> NDArray[Any]:
        """Reduce answers about models, along their axis, to answers about groups."""
        if not self.is_grouped:
            return answers
        reduced: NDArray[Any] = ufunc.reduceat(answers, self.starts, axis=axis)
        return reduced

    def spread(self, answers: NDArray[Any], axis: int) -> NDArray[Any]:
        """Give every model the answer of its group; an axis of length 1 stays."""
        if not self.is_grouped or answers.shape[axis] != len(self.keys):
            return answers
        return np.repeat(answers, self.counts, axis=axis)

    def bases(self, everyone: Bases) -> Bases:
        """Return the bases of the models out of those of all units, (S, U)."""
        every = np.array_equal(self.models, np.arange(everyone.shape[1]))
        return everyone if every else everyone[:, self.models]

    def present(self, states: States, chunk: slice) -> BoolArray | None:
        """Return which of the models are there, (S, N); None where all are."""
        return None if states.present is None else states.present_in(chunk)[:, self.models]


def blank(array: NDArray[Any], one: BoolArray | None, other: BoolArray | None, value: object) -> None:
    """Write a value where one of two models is absent, (S, n, m)."""
    if one is not None:
        array[~one] = value
    if other is not None:
        array[np.broadcast_to(~other[:, None], array.shape)] = value
