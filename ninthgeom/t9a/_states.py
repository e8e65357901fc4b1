"""What all unit questions share: arguments checked once, states cut in chunks, pairs that have no answer.

Every question sees its states through `States`: it walks over `States.chunks`, or has `States.for_chunks`
share them out to threads, fills its own slice of the answer from the Unit Boundaries of the chunk and lets
the chunk blank what must not answer (a unit against itself, absent units, pairs that are not asked).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_booleans, as_tolerance
from ninthgeom._checks import PlacedValueError
from ninthgeom._parallel import run_chunks, worker_count
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


# Of each thread. Larger chunks are not faster, half as large ones a tenth slower, for a chunk costs some
# milliseconds beside its states. Questions that take less for a state have so many times as much.
_SCRATCH_BYTES = 16 * 2**20
_ALONE = 4
# Shared out between threads in at least so many chunks, if each of them takes so long in nanoseconds.
_CHUNKS = 4
_LONG_NS = 2e7
# Gathering a pair takes as long as answering so many that are in place; and so many are gathered at once.
_RARE = 32
_PAIRS_AT_ONCE = 1 << 14
# Boundaries (seven columns, built through a few temporaries) and the copies of positions and masks, for each
# unit.
_BYTES_PER_UNIT = 7 * 8 * 4


@dataclass(frozen=True, eq=False)
class Block:
    """Pairs asked together: their place in an answer of the chunk, and boundaries that broadcast to it.

    `asked` tells which of them are asked; None: all are.
    """

    place: tuple[IntArray, ...]
    observers: Bases
    targets: Bases
    asked: BoolArray | None


@dataclass(frozen=True)
class Chunk:
    """Some consecutive states: their Unit Boundaries, who is there, and which pairs are asked.

    `pairs` has shape (states or 1, observers or 1, targets or 1).
    """

    states: slice
    positions: FloatArray
    boundaries: Bases
    present: BoolArray | None
    occupied: BoolArray | None
    observers: IntArray
    targets: IntArray
    pairs: BoolArray | None = None

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
            pairs=self.pairs if self.pairs is None or len(self.pairs) == 1 else self.pairs[states],
        )

    def asked_states(self) -> IntArray:
        """Return the numbers in this chunk of the states in which some pair is asked."""
        n_states = len(self.positions)
        asked = True if self.pairs is None else self.pairs.any(axis=(1, 2))
        return np.flatnonzero(np.broadcast_to(asked, n_states))

    def asked_blocks(self) -> Iterator[Block]:
        """Yield blocks of pairs so that all that have an answer are among them, and few others.

        Where most are, all states, observers and targets that anybody asks about are one block; a few pairs
        are gathered.
        """
        if self._block is not None:
            yield self._block
            return
        asked = self._asked
        flat = np.flatnonzero(asked)
        for start in range(0, len(flat), _PAIRS_AT_ONCE):
            state, i, j = np.unravel_index(flat[start : start + _PAIRS_AT_ONCE], asked.shape)
            observers = self.boundaries[state, self.observers[i]]
            yield Block((state, i, j), observers, self.boundaries[state, self.targets[j]], None)

    @cached_property
    def _block(self) -> Block | None:
        """The block of all that is asked; None if little of it is."""
        asked = self._asked
        states, rows, columns = (np.flatnonzero(asked.any(axis=axes)) for axes in ((1, 2), (0, 2), (0, 1)))
        size = len(states) * len(rows) * len(columns)
        if not size or np.count_nonzero(asked) * _RARE < size:
            return None
        place = np.ix_(states, rows, columns)
        observers = self.boundaries[np.ix_(states, self.observers[rows])][:, :, None]
        targets = self.boundaries[np.ix_(states, self.targets[columns])][:, None]
        return Block(place, observers, targets, asked[place])

    @cached_property
    def _asked(self) -> BoolArray:
        """Which pairs are asked and have an answer, shape (states, observers, targets)."""
        shape = len(self.positions), len(self.observers), len(self.targets)
        asked = (
            np.ones(shape, np.bool_) if self.pairs is None else np.array(np.broadcast_to(self.pairs, shape))
        )
        self.blank(asked, False)
        return asked

    def empty(self, dtype: type[np.generic]) -> NDArray[Any]:
        """Return an answer of this chunk alone to fill."""
        return np.empty((len(self.positions), len(self.observers), len(self.targets)), dtype)

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
    pairs: BoolArray | None = None

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
        step = self._step(bytes_per_pair, more, _ALONE * _SCRATCH_BYTES)
        for start in range(0, self.n_states, step):
            yield self.chunk(slice(start, min(start + step, self.n_states)))

    def for_chunks(
        self,
        fill: Callable[[States, Chunk], object],
        bytes_per_pair: int,
        *,
        more: int = 0,
        pair_ns: float,
    ) -> None:
        """Call ``fill(states, chunk)`` for all chunks, in so many threads as there are workers.

        Where chunks are shared out, the states that `fill` gets have one worker; one chunk alone is shared
        out by the questions themselves. Where chunks begin does not depend on the number of workers.

        Parameters
        ----------
        fill : callable
            Writes the answers of a chunk to its own part of an array.
        bytes_per_pair, more : int
            As for `chunks`.
        pair_ns : float
            About what a pair of units in one state takes, in nanoseconds.
        """
        n = self.n_states
        cost = pair_ns * len(self.observers) * len(self.targets)
        least = min(_CHUNKS, int(n * cost / _LONG_NS))
        chunks = max(least, math.ceil(n / self._step(bytes_per_pair, more, _SCRATCH_BYTES)))
        if chunks <= 1:
            if n:
                fill(self, self.chunk(slice(0, n)))
            return
        alone = replace(self, workers=1)

        def run(start: int, stop: int) -> None:
            for i in range(start, stop):
                fill(alone, alone.chunk(slice(n * i // chunks, n * (i + 1) // chunks)))

        run_chunks(run, chunks, workers=self.workers, cost_ns=n * cost / chunks)

    def _step(self, bytes_per_pair: int, more: int, scratch: int) -> int:
        pairs = len(self.observers) * len(self.targets)
        bytes_per_state = pairs * bytes_per_pair + len(self.board) * _BYTES_PER_UNIT + more
        return max(1, scratch // max(1, bytes_per_state))

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
        pairs = self.pairs
        if pairs is not None:
            pairs = pairs[None] if pairs.ndim == 2 else flat_states(pairs, self.leading, states, 2)
        boundaries = self.board._boundaries(positions, frozen)
        return Chunk(states, positions, boundaries, present, occupied, self.observers, self.targets, pairs)


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
    pairs: ArrayLike | None = None,
) -> States:
    """Check the arguments of a unit question.

    `points` are leading axes that it has beside theirs, `frozen` slots that boundaries go by instead of those
    that are occupied, `pairs` which observers ask about which targets.
    """
    check_rules(rules)
    check_board(board)
    at = states_of(board, positions)
    here = checked_mask(present, "present", len(board), "units")
    living = checked_mask(occupied, "occupied", board.n_models, "model slots")
    held = checked_mask(frozen, "frozen", board.n_models, "model slots")
    if held is not None:
        _check_frozen(held, board.occupied if living is None else living)
    lookers, looked_at = unit_indices(board, observers, "observers"), unit_indices(board, targets, "targets")
    asked = None if pairs is None else _checked_pairs(pairs, len(lookers), len(looked_at))
    masks = {"present": (here, 1), "occupied": (living, 1), "frozen": (held, 1), "pairs": (asked, 2)}
    others = {name: () if mask is None else mask.shape[:-own] for name, (mask, own) in masks.items()}
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
        lookers,
        looked_at,
        rules,
        as_tolerance(tol),
        workers,
        held,
        asked,
    )


def check_rules(rules: Rules) -> None:
    """Raise unless `rules` are Rules."""
    if not isinstance(rules, Rules):
        hint = ", such as SECOND_EDITION of ninthgeom.t9a" if isinstance(rules, str) else ""
        raise TypeError(f"rules must be Rules{hint}, got {type(rules).__name__}")


def _checked_pairs(values: ArrayLike, n_observers: int, n_targets: int) -> BoolArray:
    """Return a mask of observers and targets with both axes, each of which may have length 1."""
    mask = as_booleans("pairs", values)
    shaped = mask.reshape((1,) * (2 - mask.ndim) + mask.shape)
    if any(own not in (1, n) for own, n in zip(shaped.shape[-2:], (n_observers, n_targets), strict=True)):
        raise ValueError(
            f"pairs must have shape (..., {n_observers}, {n_targets}) for {n_observers} observers and "
            f"{n_targets} targets, or one that broadcasts to it, got {mask.shape}"
        )
    return shaped


def _check_frozen(frozen: BoolArray, living: BoolArray) -> None:
    try:
        left_out = living & ~frozen
    except ValueError:  # the leading axes, about which the caller hears next
        return
    if left_out.any():
        place = np.argwhere(left_out)[0][-frozen.ndim :].tolist()
        index = tuple(min(i, n - 1) for i, n in zip(place, frozen.shape, strict=True))
        raise PlacedValueError(("frozen", *index), "must be True, for the slot is occupied")
