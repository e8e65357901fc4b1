"""Opposing units in contact, and which of their models are, as codes.

A code is a kind of `ContactKind`, plus 16 times the facings of the one model, plus 256 times those of the
other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._columns import COS, RADIUS, SIN
from ninthgeom._parallel import run_chunks
from ninthgeom.t9a._between import Between, model_rims
from ninthgeom.t9a._looks import Looks, looks_of
from ninthgeom.t9a._melee import Melee
from ninthgeom.t9a._open_looks import open_looks
from ninthgeom.t9a._sides import opposing
from ninthgeom.t9a._states import Chunk, States
from ninthgeom.t9a.engaged import at_corners, decided, facings_of
from ninthgeom.t9a.kinds import ContactKind

IntArray: TypeAlias = NDArray[np.intp]
Codes: TypeAlias = NDArray[np.uint16]

FACING, OTHER_FACING, FLAGS = 4, 8, 15
#: Bits of a code.
CODE_BITS: Final = 12

_ROUND_PAIR: Final = ContactKind.ROUND + 16 + 256
# Room for so many pairs of models of a look, at first.
_ROOM: Final = 16
# About what the models of two units take; pieces of work that fit the cache come out of it.
_PAIR_NS: Final = 100.0


@dataclass(frozen=True, eq=False)
class Engagements:
    """Pairs of opposing units in contact, sorted by state.

    Attributes
    ----------
    state : ndarray of int, shape (n,)
        Number of the state in the chunk.
    units : ndarray of int, shape (2, n)
        The two, the smaller index first.
    facings : ndarray of uint8, shape (2, n)
        Through which they are engaged.
    """

    state: IntArray
    units: IntArray
    facings: NDArray[np.uint8]

    def part(self, start: int, stop: int) -> Engagements:
        """Return some of them, in order."""
        return Engagements(self.state[start:stop], self.units[:, start:stop], self.facings[:, start:stop])


@dataclass(frozen=True, eq=False)
class ModelCodes:
    """Pairs of models in contact; the first model belongs to the unit with the smaller index."""

    state: IntArray
    model: IntArray
    other: IntArray
    code: Codes


def engagements_of(states: States, chunk: Chunk) -> Engagements:
    """Find the opposing units in contact, one of them an observer and the other a target."""
    board, boundaries = states.board, chunk.boundaries
    pairs = boundaries[:, :, None], boundaries[:, None, :]
    met = measure.in_contact(*pairs, tol=states.tol, workers=states.workers)
    observes, is_target = asked_units(states)
    asked = observes[:, None] & is_target
    met &= np.triu((asked | asked.T) & opposing(board))
    if chunk.present is not None:
        met &= chunk.present[:, :, None] & chunk.present[:, None, :]
    state, a, b = np.unravel_index(np.flatnonzero(met), met.shape)
    facings = facings_of(boundaries, state, a, b, states.rules, states.tol)
    return Engagements(state, np.stack([a, b]), facings)


def asked_units(states: States) -> NDArray[np.bool_]:
    """Return which units observe, and which are targets, shape (2, U)."""
    masks = np.zeros((2, len(states.board)), np.bool_)
    masks[0, states.observers] = True
    masks[1, states.targets] = True
    return masks


def model_codes(states: States, chunk: Chunk, engaged: Engagements) -> ModelCodes:
    """Find the models in contact, duels left aside."""
    melee = Melee.of(states, chunk)
    first, counts = melee.models.first, melee.models.counts
    sizes = counts[engaged.units].prod(axis=0)
    starts = np.cumsum(sizes) - sizes
    codes = np.zeros(int(sizes.sum()), np.uint16)
    if not len(sizes):
        nothing = np.empty(0, np.intp)
        return ModelCodes(nothing, nothing, nothing, codes)

    def fill(start: int, stop: int) -> None:
        some = engaged.part(start, stop)
        _fill_touches(melee, some, starts[start:stop], codes)
        _fill_gaps(melee, some, starts[start:stop], codes)

    run_chunks(fill, len(sizes), workers=states.workers, cost_ns=_PAIR_NS)
    is_contact = codes != 0
    at = np.flatnonzero(is_contact)
    pair = np.repeat(np.arange(len(sizes)), np.add.reduceat(is_contact, starts, dtype=np.intp))
    a, b = engaged.units[:, pair]
    model, other = np.divmod(at - starts[pair], counts[b])
    found = ModelCodes(engaged.state[pair], model + first[a], other + first[b], codes[at])
    _decide_corners(melee, found)
    return found


def _decide_corners(melee: Melee, found: ModelCodes) -> None:
    """Choose between two facings of a model that touches another in a corner."""
    is_touch = (found.code & FLAGS) == ContactKind.TOUCH
    for shift, mine, its in ((FACING, found.model, found.other), (OTHER_FACING, found.other, found.model)):
        flags = np.where(is_touch, found.code >> shift & FLAGS, 0)
        at = at_corners(flags, melee.rules)
        if len(at):
            one, other = melee.bases(found.state[at], mine[at]), melee.bases(found.state[at], its[at])
            chosen = decided(flags[at], one, other, melee.rules, melee.tol)
            found.code[at] ^= ((chosen ^ flags[at]) << shift).astype(np.uint16)


def _fill_touches(melee: Melee, engaged: Engagements, starts: IntArray, codes: Codes) -> None:
    from ninthgeom_kernel.model_touches import model_touches

    models = melee.models
    model_touches(
        np.stack([engaged.state, *engaged.units, starts, *engaged.facings.astype(np.int64)]),
        melee.positions,
        melee.boundaries,
        models.slots,
        melee.living,
        np.stack([models.first, models.last]),
        melee.tol,
        np.empty(models.slots.shape[1], np.bool_),
        codes,
    )


def _fill_gaps(melee: Melee, engaged: Engagements, starts: IntArray, codes: Codes) -> None:
    from ninthgeom_kernel.gap_contacts import gap_contacts

    is_round = melee.boundaries[RADIUS, engaged.state, engaged.units] > 0.0
    codes[starts[is_round.all(axis=0)]] = _ROUND_PAIR
    looks = looks_of(melee.boundaries, engaged.state, engaged.units, engaged.facings, melee.rules)
    looks, covered, masks = open_looks(melee, looks)
    between = Between.of(melee, looks)
    counts = melee.models.counts
    n_p, n_q = counts[looks.p], counts[looks.q]
    ends = np.cumsum([n_p, n_q, np.bincount(between.look, minlength=len(looks.p))], axis=0)
    first = np.cumsum(ends[2]) - ends[2]
    edges = first, *(first + ends)
    shapes, limits = _placed(melee, looks, between, edges)
    ones = np.ones_like(n_p)
    strides = np.where(looks.is_back, [ones, n_p], [n_q, ones])
    facing = np.where(looks.is_round, -1, looks.f)
    rows = np.stack([*edges, facing, starts[looks.pair], *strides, masks])
    pairs, spans = _opposite(melee, rows, shapes, limits, covered, codes)
    gap_contacts(rows, pairs, spans, looks.code, shapes, limits, melee.tol, codes)


def _opposite(
    melee: Melee,
    looks: NDArray[np.int64],
    shapes: FloatArray,
    limits: FloatArray,
    covered: BoolArray,
    codes: Codes,
) -> tuple[NDArray[np.int64], FloatArray]:
    """Return the pairs of models that may have a line, and between which lines, as kernels take them."""
    from ninthgeom_kernel.opposite_models import opposite_models

    inner = 2.0 * melee.tol if melee.rules.round_front == "open" else 0.0
    count = np.zeros(1, np.int64)
    room = _ROOM * looks.shape[1]
    while True:
        pairs, spans = np.empty((4, room), np.int64), np.empty((2, room))
        arguments = looks, shapes, limits, covered, codes, inner, melee.tol
        if opposite_models(*arguments, pairs, spans, count):
            n = int(count[0])
            return np.ascontiguousarray(pairs[:, :n]), np.ascontiguousarray(spans[:, :n])
        room = int(count[0])


def _placed(
    melee: Melee, looks: Looks, between: Between, edges: tuple[IntArray, ...]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the models of both units of each look, and what is between them, as shapes in its frame."""
    from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RADIUS, RIGHT_END, RIM, TOP
    from ninthgeom_kernel.placed_models import placed_models

    models, state = melee.models, looks.state
    n = int(edges[3][-1]) if len(state) else 0
    shapes = np.empty((2, n, between.corners.shape[2]))
    limits = np.empty((6, n))
    rims = model_rims(melee.rules, looks.is_round, melee.tol)
    origin = melee.positions[state, looks.p, :2]
    for unit, first in ((looks.p, edges[0]), (looks.q, edges[1])):
        units = np.stack([melee.living_row(state), models.first[unit], models.last[unit], first])
        place = looks.turned(*(melee.positions[state, unit, :2] - origin).T)
        heading = looks.turned(melee.boundaries[COS, state, unit], melee.boundaries[SIN, state, unit])
        frames = np.stack([*place, *heading, rims])
        placed_models(units, frames, models.slots, melee.living, shapes, limits)
    number = np.arange(len(between.look)) - np.searchsorted(between.look, between.look)
    at = edges[2][between.look] + number
    shapes[:, at] = between.corners
    x, y = between.corners
    limits[LEFT_END, at] = x.min(axis=1, initial=np.inf) - between.radius
    limits[RIGHT_END, at] = x.max(axis=1, initial=-np.inf) + between.radius
    limits[TOP, at] = y.max(axis=1, initial=-np.inf) + between.radius
    limits[RADIUS, at] = between.radius
    limits[RIM, at] = between.rim
    limits[CORNERS, at] = between.count
    return shapes, limits
