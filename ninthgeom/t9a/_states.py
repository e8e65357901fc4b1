"""What all unit questions share: arguments checked once, states cut in chunks, pairs that have no answer.

Every question sees its states through `States`: it walks over `States.chunks`, fills its own slice of the
answer from the Unit Boundaries of the chunk and lets the chunk blank what must not answer (a unit against
itself, absent units).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, as_booleans, as_floats, as_tolerance
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._parallel import worker_count
from ninthgeom.board import LIMITS, Board
from ninthgeom.t9a.rules import Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases

IntArray: TypeAlias = NDArray[np.intp]
Units: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | NDArray[np.integer[Any]] | None

_SCRATCH_BYTES = 64 * 2**20
_FIELDS = ("x", "y", "heading")
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
    n_units = len(board)
    at = as_floats("positions", positions)
    if at.ndim < 2 or at.shape[-2:] != (n_units, 3):
        raise ValueError(
            f"positions must have shape (..., {n_units}, 3) for a board of {n_units} units, got {at.shape}"
        )
    here = _mask(present, "present", n_units, "units")
    living = _mask(occupied, "occupied", board.n_models, "model slots")
    held = _mask(frozen, "frozen", board.n_models, "model slots")
    if held is not None:
        _check_frozen(held, board.occupied if living is None else living)
    leading = _leading(at.shape[:-2], points, here, living, held)
    if living is not None:
        alive = np.logical_or.reduceat(living, [s.start for s in board.model_slices], axis=-1)
        if not alive.all():  # a unit without models has left the table
            here = alive if here is None else here & alive
    _check_positions(at, here)
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


def check_board(board: Board) -> None:
    """Raise if this is no board."""
    if not isinstance(board, Board):
        hint = "; a scene has one, scene.board" if hasattr(board, "board") else ""
        raise TypeError(f"board must be Board, got {type(board).__name__}{hint}")


def unit_indices(board: Board, units: Units, argument: str) -> IntArray:
    """Return the indices of units given by name or index; None means all."""
    try:
        return board.indices(units)
    except TypeError as error:
        raise TypeError(f"{argument}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None


def _mask(values: ArrayLike | None, argument: str, length: int, what: str) -> BoolArray | None:
    if values is None:
        return None
    mask = as_booleans(argument, values)
    if mask.ndim < 1 or mask.shape[-1] != length:
        raise ValueError(f"{argument} must have shape (..., {length}) for {length} {what}, got {mask.shape}")
    return mask


def _leading(
    positions: tuple[int, ...],
    points: tuple[int, ...],
    present: BoolArray | None,
    occupied: BoolArray | None,
    frozen: BoolArray | None,
) -> tuple[int, ...]:
    leading = positions
    others = {"points": points}
    others |= {"present": () if present is None else present.shape[:-1]}
    others |= {"occupied": () if occupied is None else occupied.shape[:-1]}
    others |= {"frozen": () if frozen is None else frozen.shape[:-1]}
    for argument, axes in others.items():
        try:
            leading = np.broadcast_shapes(leading, axes)
        except ValueError:
            raise ValueError(
                f"the leading axes {axes} of {argument} do not broadcast with {leading}"
            ) from None
    return leading


def _check_frozen(frozen: BoolArray, living: BoolArray) -> None:
    try:
        left_out = living & ~frozen
    except ValueError:  # the leading axes, about which the caller hears next
        return
    if left_out.any():
        place = np.argwhere(left_out)[0][-frozen.ndim :].tolist()
        index = tuple(min(i, n - 1) for i, n in zip(place, frozen.shape, strict=True))
        raise PlacedValueError(("frozen", *index), "must be True, for the slot is occupied")


def _check_positions(positions: FloatArray, present: BoolArray | None) -> None:
    good = np.abs(positions) <= LIMITS
    bad = ~good if present is None else ~good & present[..., None]
    if bad.any():
        # A mask may have more states than the positions, or one position serve many of them.
        place = np.argwhere(bad)[0][-positions.ndim :].tolist()
        index = tuple(min(i, n - 1) for i, n in zip(place, positions.shape, strict=True))
        value = float(positions[index])
        limit = f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
        wish = limit if math.isfinite(value) else "finite"
        raise PlacedValueError(("positions", *index), f"{_FIELDS[index[-1]]} must be {wish}, got {value}")


def flat_states(array: NDArray[Any], leading: tuple[int, ...], states: slice, core: int) -> NDArray[Any]:
    """Return `states` of an array whose last `core` axes belong to one state, with one axis of states."""
    own = array.shape[array.ndim - core :]
    if array.shape == (*leading, *own) and array.flags.c_contiguous:
        return array.reshape(math.prod(leading), *own)[states]
    # Copying chunk by chunk keeps a broadcast mask or a strided input from being copied whole.
    axes = leading or (1,)
    whole = np.broadcast_to(array, (*axes, *own))
    return whole[np.unravel_index(np.arange(states.start, states.stop), axes)]
