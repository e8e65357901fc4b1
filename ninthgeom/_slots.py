"""Static arrays over the slots of all units of a board, so that each state costs a few array operations."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray

if TYPE_CHECKING:
    from ninthgeom.unit import Unit

IntArray = NDArray[np.intp]
BoolArray = NDArray[np.bool_]

MM_PER_INCH: Final = 25.4


class Slots:
    """Bases of all slots in the frames of their units, in inches, and the limits of their ranks and units.

    `forward`, `left`, `width`, `depth` and `radius` describe the bases. Limits are indices into all slots:
    a rank or a unit (its rank-and-file part) reaches from `..._start` up to before `..._end`. `room_before`
    counts the slots of the unit's ranks before that of the slot; `ranked` tells rank-and-file slots from
    those of attached models.
    """

    def __init__(self, units: Sequence[Unit]) -> None:
        layouts = [unit.layout for unit in units]
        counts = [len(layout) for layout in layouts]
        starts = _repeated(np.cumsum([0, *counts])[: len(units)], counts, np.intp)
        self.forward = _inches([layout.forward for layout in layouts])
        self.left = _inches([layout.left for layout in layouts])
        self.width = _inches([layout.width for layout in layouts])
        self.depth = _inches([layout.depth for layout in layouts])
        self.radius = frozen(
            _repeated([layout.radius / MM_PER_INCH for layout in layouts], counts, np.float64)
        )
        self.room_before = joined([layout.rank_start for layout in layouts], np.intp)
        self.rank_start = frozen(self.room_before + starts)
        self.rank_end = frozen(joined([layout.rank_end for layout in layouts], np.intp) + starts)
        self.unit_start = frozen(starts)
        self.unit_end = frozen(starts + _repeated([layout.n_ranked for layout in layouts], counts, np.intp))
        self.ranked = frozen(np.arange(len(starts)) < self.unit_end)


class Reach:
    """How far the living models of each unit reach: front, rear, left and right edge of its boundary.

    The edges that the slots of a unit can give are few. Every slot holds the rank of its own among them,
    from the innermost, 1, outwards, so that the outermost edge of the living models is a maximum of small
    integers.

    Parameters
    ----------
    units : sequence of Unit
        Units in the order of the board.
    slices : sequence of slice
        Their slots.
    """

    def __init__(self, units: Sequence[Unit], slices: Sequence[slice]) -> None:
        self._slices = slices
        self._orders: list[NDArray[Any]] = []
        edges: list[list[FloatArray]] = []
        for unit in units:
            # Outwards is up for the front and left edges and down for the rear and right ones.
            sides = (
                (unit.layout.front, 1),
                (unit.layout.rear, -1),
                (unit.layout.left_edge, 1),
                (unit.layout.right_edge, -1),
            )
            known = [np.unique(edge * sign, return_inverse=True) for edge, sign in sides]
            orders = np.array([order + 1 for _, order in known])
            # Bytes are compared twice as fast; shape (4, slots, 1).
            self._orders.append(orders.astype(np.min_scalar_type(orders.max()))[..., None])
            nobody = [0.0]
            edges.append(
                [
                    np.concatenate([nobody, values * sign])
                    for (values, _), (_, sign) in zip(known, sides, strict=True)
                ]
            )
        # All edges in one array, and where those of each side of each unit begin, shape (4, 1, U).
        by_side = [own[side] for side in range(4) for own in edges]
        self._edges = np.concatenate([np.empty(0), *by_side])
        lengths = np.array([len(values) for values in by_side], np.intp)
        self._first = (np.cumsum(lengths) - lengths).reshape(4, 1, len(edges))

    def __call__(self, occupied: BoolArray) -> FloatArray:
        """Return the edges in millimetres, shape (4, ..., U), of masks (..., M); 0 without models."""
        leading = occupied.shape[:-1]
        n_states = math.prod(leading)
        # Slots first: each step then runs over all states at once.
        slots = np.ascontiguousarray(occupied.reshape(n_states, occupied.shape[-1]).T)
        place = np.empty((4, n_states, len(self._slices)), np.intp)
        for unit, (own, orders) in enumerate(zip(self._slices, self._orders, strict=True)):
            place[:, :, unit] = (slots[own] * orders).max(axis=1)
        place += self._first
        return self._edges.take(place).reshape(4, *leading, len(self._slices))


def full_strength(unit: Unit) -> BoolArray:
    """Return which slots of a unit hold a model before it has lost any."""
    n_ranked = unit.layout.n_ranked
    mask = np.ones(len(unit.layout), dtype=np.bool_)
    mask[:n_ranked] = np.arange(n_ranked) < unit.models if unit.occupied is None else unit.occupied
    return mask


def model_heights(unit: Unit) -> IntArray:
    """Return the height of the model in each slot of a unit."""
    heights = np.full(len(unit.layout), unit.height, dtype=np.intp)
    for slot, attached in enumerate(unit.attached, start=unit.layout.n_ranked):
        if attached.height is not None:
            heights[slot] = attached.height
    return heights


def most_frequent_height(unit: Unit) -> int:
    """Return the height of most models of a unit, of two as frequent ones the smaller."""
    counts = Counter({unit.height: unit.models})
    counts.update(unit.height if attached.height is None else attached.height for attached in unit.attached)
    return max(counts, key=lambda height: (counts[height], -height))


def group_numbers(units: Sequence[Unit]) -> list[int]:
    """Return a number for the group of each unit; a unit without a label is a group of its own."""
    numbers: dict[object, int] = {}
    return [
        numbers.setdefault(("alone", i) if unit.group is None else ("label", unit.group), len(numbers))
        for i, unit in enumerate(units)
    ]


def joined(parts: Sequence[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    """Concatenate arrays, also none at all, in a read-only one."""
    return frozen(np.concatenate([np.empty(0, dtype), *parts]).astype(dtype, copy=False))


def frozen(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array read-only and return it."""
    array.flags.writeable = False
    return array


def _inches(parts: Sequence[FloatArray]) -> FloatArray:
    return frozen(joined(parts, np.float64) / MM_PER_INCH)


def _repeated(values: ArrayLike, counts: Sequence[int], dtype: type[np.generic]) -> NDArray[Any]:
    return np.repeat(np.asarray(values, dtype), np.asarray(counts, np.intp))
