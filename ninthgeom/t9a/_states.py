"""What all unit questions share: arguments checked once, states cut in chunks, pairs that have no answer.

Every question sees its states through `States`: it walks over `States.chunks`, fills its own slice of the
answer from the Unit Boundaries of the chunk and lets the chunk blank what must not answer (a unit against
itself, absent units).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_tolerance
from ninthgeom._checks import PlacedValueError
from ninthgeom._parallel import worker_count
from ninthgeom._states import (
    Units,
    check_board,
    check_positions,
    checked_mask,
    flat_states,
    leading_axes,
    states_of,
    unit_indices,
)
from ninthgeom.board import Board
from ninthgeom.t9a.rules import Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases


_SCRATCH_BYTES = 64 * 2**20
# Boundaries (seven columns, built through a few temporaries) and the copies of positions and masks, for each
# unit.
_BYTES_PER_UNIT = 7 * 8 * 4


@dataclass(frozen=True)
class Chunk:
    """Some consecutive states: their Unit Boundaries and who is there."""

    states: slice
    positions: FloatArray
    boundaries: Bases
    present: BoolArray | None
    occupied: BoolArray | None
    observers: IntArray
    targets: IntArray

    @cached_property
    def observer_boundaries(self) -> Bases:
        """Boundaries of the observers, shape (states, observers, 1)."""
        return self._boundaries_of(self.observers)[:, :, None]

    @cached_property
    def target_boundaries(self) -> Bases:
        """Boundaries of the targets, shape (states, 1, targets)."""
        return self._boundaries_of(self.targets)[:, None, :]

    def part(self, states: IntArray) -> Chunk:
        """Return some of the states, given by their numbers in this chunk; `states` is not true of them."""
        return replace(
            self,
            positions=self.positions[states],
            boundaries=self.boundaries[states],
            present=None if self.present is None else self.present[states],
            occupied=None if self.occupied is None else self.occupied[states],
        )

    def blank(self, answer: NDArray[Any], value: object) -> None:
        """Write `value` where a unit meets itself or one of the two is absent; shape (states, n, m)."""
        answer[:, self.observers[:, None] == self.targets] = value
        if self.present is not None:
            both = self.present[:, self.observers, None] & self.present[:, None, self.targets]
            answer[~both] = value

    def _boundaries_of(self, units: IntArray) -> Bases:
        everyone = np.array_equal(units, np.arange(self.boundaries.shape[1]))
        return self.boundaries if everyone else self.boundaries[:, units]


@dataclass(frozen=True)
class States:
    """The checked arguments of a unit question."""

    board: Board
    leading: tuple[int, ...]
    positions: FloatArray
    present: BoolArray | None
    occupied: BoolArray | None
    observers: IntArray
    targets: IntArray
    rules: Rules
    tol: float
    workers: int
    frozen: BoolArray | None = None

    @property
    def n_states(self) -> int:
        """Number of states over all leading axes."""
        return math.prod(self.leading)

    def empty(self, dtype: type[np.generic]) -> NDArray[Any]:
        """Return an answer to fill, with one flat axis of states."""
        return np.empty((self.n_states, len(self.observers), len(self.targets)), dtype)

    def shaped(self, answer: NDArray[Any]) -> NDArray[Any]:
        """Give a filled answer the leading axes of the question."""
        return answer.reshape(*self.leading, len(self.observers), len(self.targets))

    def chunks(self, bytes_per_pair: int, *, more: int = 0) -> Iterator[Chunk]:
        """Walk over the states in pieces whose scratch stays small.

        Parameters
        ----------
        bytes_per_pair : int
            Scratch the question needs for one ordered pair of units in one state.
        more : int
            Scratch it needs beside that for one state.
        """
        pairs = len(self.observers) * len(self.targets)
        bytes_per_state = pairs * bytes_per_pair + len(self.board) * _BYTES_PER_UNIT + more
        step = max(1, _SCRATCH_BYTES // max(1, bytes_per_state))
        for start in range(0, self.n_states, step):
            yield self.chunk(slice(start, min(start + step, self.n_states)))

    def chunk(self, states: slice) -> Chunk:
        """Return consecutive states, given by their flat indices."""
        positions = flat_states(self.positions, self.leading, states, 2)
        present = None if self.present is None else flat_states(self.present, self.leading, states, 1)
        occupied = None if self.occupied is None else flat_states(self.occupied, self.leading, states, 1)
        if present is not None and not present.all():
            positions = np.where(present[:, :, None], positions, 0.0)
        frozen = occupied
        if self.frozen is not None:
            frozen = flat_states(self.frozen, self.leading, states, 1)
        boundaries = self.board._boundaries(positions, frozen)
        return Chunk(states, positions, boundaries, present, occupied, self.observers, self.targets)


def prepare(
    board: Board,
    positions: ArrayLike,
    observers: Units,
    targets: Units,
    present: ArrayLike | None,
    occupied: ArrayLike | None,
    rules: Rules,
    tol: float,
    workers: int,
    points: tuple[int, ...] = (),
    frozen: ArrayLike | None = None,
) -> States:
    """Check the arguments of a unit question.

    `points` are leading axes that it has beside theirs, `frozen` slots that boundaries go by instead of those
    that are occupied.
    """
    check_rules(rules)
    check_board(board)
    at = states_of(board, positions)
    here = checked_mask(present, "present", len(board), "units")
    living = checked_mask(occupied, "occupied", board.n_models, "model slots")
    held = checked_mask(frozen, "frozen", board.n_models, "model slots")
    if held is not None:
        _check_frozen(held, board.occupied if living is None else living)
    masks = {"present": here, "occupied": living, "frozen": held}
    others = {name: () if mask is None else mask.shape[:-1] for name, mask in masks.items()}
    leading = leading_axes(at.shape[:-2], {"points": points} | others)
    if living is not None:
        alive = np.logical_or.reduceat(living, [s.start for s in board.model_slices], axis=-1)
        if not alive.all():  # a unit without models has left the table
            here = alive if here is None else here & alive
    check_positions(at, here)
    worker_count(workers)
    return States(
        board,
        leading,
        at,
        here,
        living,
        unit_indices(board, observers, "observers"),
        unit_indices(board, targets, "targets"),
        rules,
        as_tolerance(tol),
        workers,
        held,
    )


def check_rules(rules: Rules) -> None:
    """Raise unless `rules` are Rules."""
    if not isinstance(rules, Rules):
        hint = ", such as SECOND_EDITION of ninthgeom.t9a" if isinstance(rules, str) else ""
        raise TypeError(f"rules must be Rules{hint}, got {type(rules).__name__}")


def _check_frozen(frozen: BoolArray, living: BoolArray) -> None:
    try:
        left_out = living & ~frozen
    except ValueError:  # the leading axes, about which the caller hears next
        return
    if left_out.any():
        place = np.argwhere(left_out)[0][-frozen.ndim :].tolist()
        index = tuple(min(i, n - 1) for i, n in zip(place, frozen.shape, strict=True))
        raise PlacedValueError(("frozen", *index), "must be True, for the slot is occupied")
