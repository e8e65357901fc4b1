"""Units that are engaged in a chunk of states, and what their models have to do with each other, as codes.

A code is a kind of `ContactKind`, plus 16 times the facings of the one model and 256 times those of the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_shapes import Outlines
from ninthgeom._slots import MM_PER_INCH
from ninthgeom.t9a._sides import opposing
from ninthgeom.t9a._states import Chunk, States
from ninthgeom.t9a.engaged import facings_of
from ninthgeom.unit import SKIRMISH_GAP_MM

if TYPE_CHECKING:
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]

FACING, OTHER_FACING, FLAGS = 4, 8, 15
#: Bits of a code.
CODE_BITS: Final = 12

_BLOCKING: Final = {"none": 0, "interior": 1, "closed": 2}
# About what the models of two units take.
_PAIR_NS: Final = 5_000.0


@dataclass(frozen=True, eq=False)
class Engagements:
    """Pairs of opposing units in contact, sorted by state, the one with the smaller index first.

    Attributes
    ----------
    state, a, b : ndarray of int, shape (n,)
        Number of the state in the chunk, and the units.
    facings : ndarray of uint8, shape (2, n)
        Through which they are engaged.
    """

    state: IntArray
    a: IntArray
    b: IntArray
    facings: NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class ModelCodes:
    """Pairs of models and their codes; the first model belongs to the unit with the smaller index."""

    state: IntArray
    model: IntArray
    other: IntArray
    code: NDArray[np.uint16]


@dataclass(frozen=True, eq=False)
class _Models:
    """The models of a board for kernels.

    Attributes
    ----------
    slots : ndarray of float64, shape (5, M)
        Ahead and left of the unit's position, half extents of the core along and across, radius.
    units : ndarray of int64, shape (2, U)
        First slot of each unit and the one past its last.
    spacing : ndarray of float64, shape (U,)
        How far the bases of the unit stand apart.
    """

    slots: FloatArray
    units: NDArray[np.int64]
    spacing: FloatArray

    @classmethod
    def of(cls, board: Board) -> _Models:
        known: _Models | None = board._derived.get("models of contacts")
        if known is None:
            own = board._slots
            halves = own.depth / 2 - own.radius, own.width / 2 - own.radius
            slots = np.stack([own.forward, own.left, *halves, own.radius])
            limits = [[part.start, part.stop] for part in board.model_slices]
            units = np.ascontiguousarray(np.array(limits, np.int64).reshape(-1, 2).T)
            apart = [SKIRMISH_GAP_MM * (unit.formation == "skirmish") for unit in board.units]
            known = cls(slots, units, np.array(apart, np.float64) / MM_PER_INCH)
            board._derived["models of contacts"] = known
        return known


def engagements_of(states: States, chunk: Chunk) -> Engagements:
    """Find the opposing units in contact, one of them an observer and the other a target."""
    board = states.board
    boundaries = chunk.boundaries
    met = measure.in_contact(
        boundaries[:, :, None], boundaries[:, None, :], tol=states.tol, workers=states.workers
    )
    observes, is_target = np.zeros((2, len(board)), np.bool_)
    observes[states.observers] = True
    is_target[states.targets] = True
    asked = observes[:, None] & is_target
    met &= np.triu((asked | asked.T) & opposing(board))
    if chunk.present is not None:
        met &= chunk.present[:, :, None] & chunk.present[:, None, :]
    flat = np.flatnonzero(met)
    state, pair = np.divmod(flat, max(1, len(board) ** 2))
    a, b = np.divmod(pair, max(1, len(board)))
    return Engagements(state, a, b, facings_of(boundaries, state, a, b, states.rules, states.tol))


def model_codes(states: States, chunk: Chunk, engaged: Engagements) -> ModelCodes:
    """Find the models in contact, duels left aside."""
    models = _Models.of(states.board)
    counts = models.units[1] - models.units[0]
    sizes = counts[engaged.a] * counts[engaged.b]
    starts = np.cumsum(sizes) - sizes
    codes = np.zeros(int(sizes.sum()), np.uint16)
    if not len(sizes):
        nothing = np.empty(0, np.intp)
        return ModelCodes(nothing, nothing, nothing, codes)
    pairs = np.stack([engaged.state, engaged.a, engaged.b, starts, *engaged.facings.astype(np.int64)])
    fill = _Filler.of(states, chunk, models)
    run_chunks(
        lambda start, stop: fill(np.ascontiguousarray(pairs[:, start:stop]), codes),
        len(sizes),
        workers=states.workers,
        cost_ns=_PAIR_NS,
    )
    at = np.flatnonzero(codes)
    pair = np.repeat(np.arange(len(sizes)), np.add.reduceat(codes != 0, starts, dtype=np.intp))
    first, second = np.divmod(at - starts[pair], counts[engaged.b][pair])
    first += models.units[0][engaged.a[pair]]
    second += models.units[0][engaged.b[pair]]
    return ModelCodes(engaged.state[pair], first, second, codes[at])


@dataclass(frozen=True, eq=False)
class _Filler:
    """Arguments of the two kernels that all pairs of a chunk share."""

    states: States
    models: _Models
    positions: FloatArray
    boundaries: FloatArray
    living: BoolArray
    there: BoolArray
    parts: FloatArray
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, states: States, chunk: Chunk, models: _Models) -> _Filler:
        board, rules = states.board, states.rules
        parts, counts = np.zeros((2, 0, 4)), np.zeros(0, np.int64)
        if rules.gap_stops_at == "boundaries" and len(board.impassable_outlines):
            touching = "blocked" if rules.gap_blocking == "closed" else "clear"
            known = Outlines.of([board.impassable_outlines], touching, states.tol).parts
            parts = np.ascontiguousarray(np.swapaxes(known.vertices[0], 0, 1))
            counts = known.count[0].astype(np.int64)
        living = board.occupied[None] if chunk.occupied is None else chunk.occupied
        there = np.ones((1, len(board)), np.bool_) if chunk.present is None else chunk.present
        arrays = chunk.positions, chunk.boundaries._columns, living, there
        return cls(states, models, *map(np.ascontiguousarray, arrays), parts, counts)

    def __call__(self, pairs: NDArray[np.int64], codes: NDArray[np.uint16]) -> None:
        from ninthgeom_kernel.ahead import LIMITS
        from ninthgeom_kernel.gap_contacts import gap_contacts
        from ninthgeom_kernel.model_touches import model_touches

        rules, tol, models = self.states.rules, self.states.tol, self.models
        n_units, n_slots, n_parts = models.units.shape[1], models.slots.shape[1], self.parts.shape[1]
        cosine = math.cos(rules.gap_angle)
        shared: tuple[Any, ...] = pairs, self.positions, self.boundaries, models.slots, self.living, models.units
        model_touches(*shared, cosine, tol, np.empty(n_slots, np.bool_), codes)
        # one shape more than there can be, which is made before it turns out to be far away
        room = n_slots + max(n_units, n_slots) + n_parts + 1
        gap_contacts(
            *shared,
            models.spacing,
            self.there,
            self.parts,
            self.counts,
            _BLOCKING[rules.gap_blocking],
            int(rules.gap_stops_at == "boundaries"),
            int(rules.round_front == "open"),
            cosine,
            tol,
            np.empty((2, room, self.parts.shape[2])),
            np.empty((LIMITS, room)),
            np.empty(room, np.bool_),
            codes,
        )
