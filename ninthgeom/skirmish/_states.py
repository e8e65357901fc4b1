"""What all skirmish questions share: arguments checked once, states on one flat axis, groups of models."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_tolerance
from ninthgeom._checks import PlacedTypeError, PlacedValueError, listed
from ninthgeom._parallel import worker_count
from ninthgeom._sight_questions import LEAST_TOLERANCE
from ninthgeom._states import check_board, check_positions, checked_mask, flat_states, leading_axes, states_of
from ninthgeom.board import Board
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases

By: TypeAlias = Literal["model", "group"]
Groups: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | ArrayLike | None

# What a board keeps once its units are known to be single models.
_KEY: Final = "single models"


@dataclass(frozen=True)
class States:
    """The checked arguments of a skirmish question.

    Attributes
    ----------
    leading : tuple of int
        Axes of states.
    positions : ndarray of float64, shape (..., U, 3)
    present : ndarray of bool, shape (..., U), or None where all models are
    """

    board: Board
    leading: tuple[int, ...]
    positions: FloatArray
    present: BoolArray | None
    rules: Rules
    tol: float
    workers: int

    @property
    def n_states(self) -> int:
        """Number of states over all leading axes."""
        return math.prod(self.leading)

    @property
    def n_groups(self) -> int:
        """Number of groups of the board."""
        return int(self.board.group.max(initial=-1)) + 1

    def chunks(self, bytes_per_state: int, most: int = 64 * 2**20) -> Iterator[slice]:
        """Walk over the states in pieces that need no more scratch than `most` bytes."""
        step = max(1, most // max(1, bytes_per_state))
        for start in range(0, self.n_states, step):
            yield slice(start, min(start + step, self.n_states))

    def positions_in(self, states: slice) -> FloatArray:
        """Return the positions of consecutive states, (S, U, 3); those of absent models are 0."""
        at = flat_states(self.positions, self.leading, states, 2)
        return at if self.present is None else np.where(self.present_in(states)[:, :, None], at, 0.0)

    def present_in(self, states: slice) -> BoolArray:
        """Return who is there in consecutive states, (S, U)."""
        if self.present is None:
            return np.ones((states.stop - states.start, len(self.board)), np.bool_)
        return flat_states(self.present, self.leading, states, 1)

    def bases_in(self, states: slice) -> Bases:
        """Return the bases in consecutive states, (S, U)."""
        return self.board._boundaries(self.positions_in(states), None)


def prepare(
    board: Board,
    positions: ArrayLike,
    present: ArrayLike | None,
    rules: Rules = STANDARD,
    tol: float = 0.0,
    workers: int = 1,
    **axes: tuple[int, ...],
) -> States:
    """Check the arguments that skirmish questions share.

    `axes` are the leading axes of further arguments, by their names; they broadcast with those of positions.
    """
    if not isinstance(rules, Rules):
        raise TypeError(f"rules must be Rules of ninthgeom.skirmish, got {type(rules).__name__}")
    check_board(board)
    check_models(board)
    at = states_of(board, positions)
    here = checked_mask(present, "present", len(board), "models")
    leading = leading_axes(at.shape[:-2], {"present": () if here is None else here.shape[:-1]} | axes)
    check_positions(at, here)
    worker_count(workers)
    return States(board, leading, at, here, rules, as_tolerance(tol), workers)


def check_link_tolerance(tol: float) -> None:
    """Raise if a tolerance is too small for links: sight takes no smaller one."""
    if tol < LEAST_TOLERANCE:
        raise ValueError(f"tol must be at least {LEAST_TOLERANCE:g} for links, got {tol!r}")


def check_models(board: Board) -> None:
    """Raise if a unit of the board is more than one model."""
    if _KEY in board._derived:
        return
    for i, unit in enumerate(board.units):
        if unit.n_slots != 1:
            problem = f"{unit.name!r} has {unit.n_slots} slots; skirmish models are single, in one group"
            raise PlacedValueError(("board", "units", i), problem)
    board._derived[_KEY] = True


def group_indices(board: Board, groups: Groups, argument: str) -> IntArray:
    """Return the numbers of groups given by number, label or name of a unit without one; None means all."""
    n = int(board.group.max(initial=-1)) + 1
    if groups is None:
        return np.arange(n)
    known = listed(groups)
    if known is None:
        raise TypeError(f"{argument} must be a sequence of groups, got {groups!r}")
    return np.array([group_index(board, group, (argument, i)) for i, group in enumerate(known)], np.int64)


def group_index(board: Board, group: int | str, place: tuple[str | int, ...]) -> int:
    """Return the number of one group."""
    n = int(board.group.max(initial=-1)) + 1
    if isinstance(group, str):
        known = zip(board.units, board.group.tolist(), strict=True)
        found = {i for unit, i in known if group == (unit.name if unit.group is None else unit.group)}
        if not found:
            raise PlacedValueError(place, f"no group has the label {group!r}")
        if len(found) > 1:
            problem = f"{group!r} is the label of a group and the name of a unit without one; give a number"
            raise PlacedValueError(place, f"{problem}, {' or '.join(map(str, sorted(found)))}")
        return int(found.pop())
    if isinstance(group, bool | np.bool_) or not isinstance(group, int | np.integer):
        raise PlacedTypeError(place, f"must be a number or a label, got {group!r}")
    if not 0 <= group < n:
        problem = f"must be from 0 to {n - 1}, got {group}"
        if any(unit.group == group for unit in board.units):
            problem += "; whole numbers are those of board.group, not labels"
        raise PlacedValueError(place, problem)
    return int(group)
