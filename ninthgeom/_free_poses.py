"""Where units may be set at random: their zones, and the search for poses that are free."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._checks import PlacedError, PlacedTypeError, PlacedValueError
from ninthgeom._states import unit_indices
from ninthgeom.bases import Bases
from ninthgeom.board import Board
from ninthgeom.polygons import Polygons

# States that are drawn together, whose boundaries take some megabytes, whatever the number of states.
_STATES: Final = 4096
# Poses tried at once where few states are left, as one costs about as much as this many.
_POSES: Final = 256


@dataclass(frozen=True, eq=False)
class _Own:
    """A unit to set: its index, a board of it alone, its living models, and its zone.

    `low` and `high` are corners of the box that holds what of the zone is on the table.
    """

    index: int
    board: Board
    occupied: BoolArray
    zone: Polygons
    low: FloatArray
    high: FloatArray

    def boundaries(self, poses: FloatArray) -> Bases:
        """Return the Unit Boundaries in these poses, shape (..., 3)."""
        return self.board.boundaries(poses[..., None, :], self.occupied)[..., 0]

    def drawn(self, rng: Generator, n: int, headings: FloatArray | None) -> FloatArray:
        """Draw poses, shape (n, 3), uniform over a set that holds all those in the zone and on the table."""
        poses = np.zeros((n, 3))
        poses[:, 2] = rng.uniform(0, 2 * math.pi, n) if headings is None else headings
        boundaries = self.boundaries(poses)
        box = boundaries.bounds
        # The box of centres must be the same for all headings that have a chance, or not all have the same.
        margin = (box[:, 2:] - box[:, :2]) / 2
        if headings is None:
            margin = np.minimum(boundaries.width, boundaries.depth)[:, None] / 2
        reach = np.maximum((self.high - self.low) / 2 - margin, 0.0)
        centres = (self.low + self.high) / 2 + reach * rng.uniform(-1, 1, (n, 2))
        poses[:, :2] = centres - (box[:, :2] + box[:, 2:]) / 2
        return poses


@dataclass(frozen=True, eq=False)
class Asked:
    """What is asked of a deployment: the units in the order in which they are set, and how far apart."""

    board: Board
    units: tuple[_Own, ...]
    spacing: float

    @classmethod
    def of(
        cls,
        board: Board,
        zones: object,
        there: NDArray[np.intp],
        spacing: float,
        occupied: BoolArray | None,
    ) -> Asked:
        """Prepare the units with the indices `there`."""
        living = board.occupied if occupied is None else occupied
        area = board.boundaries(np.zeros((len(board), 3)), living).area
        own_zones = _zones_of_units(board, zones, there)
        units = []
        for i in sorted(there.tolist(), key=lambda i: -area[i]):
            bounds = own_zones[i].bounds
            low, high = np.maximum(bounds[:2], 0.0), np.minimum(bounds[2:], board.size)
            alone = Board([board.units[i]], size=board.size)
            units.append(_Own(i, alone, living[board.model_slices[i]], own_zones[i], low, high))
        return cls(board, tuple(units), spacing)

    def draw(
        self, rng: Generator, n: int, headings: FloatArray | None, attempts: int, restarts: int
    ) -> FloatArray:
        """Draw n deployments, shape (n, U, 3); `headings` of shape (n, U)."""
        positions = np.full((n, len(self.board), 3), np.nan)
        for start in range(0, n, _STATES):
            left = np.arange(start, min(start + _STATES, n))
            for again in range(restarts, -1, -1):
                some = None if headings is None else headings[left]
                positions[left], jammed = self._filled(rng, left, some, attempts, may_jam=again > 0)
                left = left[jammed]
                if not left.size:
                    break
        return positions

    def _filled(
        self,
        rng: Generator,
        states: NDArray[np.intp],
        headings: FloatArray | None,
        attempts: int,
        *,
        may_jam: bool,
    ) -> tuple[FloatArray, BoolArray]:
        """Return positions in states, and where a unit found no place, which is refused unless it may be."""
        positions = np.full((len(states), len(self.board), 3), np.nan)
        jammed = np.zeros(len(states), dtype=np.bool_)
        standing: list[Bases] = []
        for unit in self.units:
            tried = 0
            left = np.flatnonzero(~jammed)
            while left.size:
                if tried == attempts and may_jam:
                    jammed[left] = True
                    break
                if tried == attempts:
                    name, failed = self.board.names[unit.index], int(states[left[0]])
                    raise ValueError(
                        f"no room for unit {name!r} in state {failed} after {attempts} attempts; more of "
                        "them, restarts, a larger zone or less spacing may help"
                    )
                each = min(attempts - tried, max(1, _POSES // left.size))
                state = np.repeat(left, each)
                poses = unit.drawn(rng, len(state), None if headings is None else headings[state, unit.index])
                is_free = np.zeros((left.size, each), dtype=np.bool_)
                is_free.flat[self._free(unit, unit.boundaries(poses), state, standing)] = True
                found, first = is_free.any(axis=1), is_free.argmax(axis=1)
                place = np.flatnonzero(found)
                positions[left[place], unit.index] = poses.reshape(left.size, each, 3)[place, first[place]]
                left = left[~found]
                tried += each
            # those of jammed states, which nobody looks at, need numbers
            positions[jammed, unit.index] = 0.0
            standing.append(unit.boundaries(positions[:, unit.index]))
        return positions, jammed

    def _free(
        self, unit: _Own, wished: Bases, state: NDArray[np.intp], standing: Sequence[Bases]
    ) -> NDArray[np.intp]:
        """Return the indices of the boundaries that are free, each in its state."""
        width, height = self.board.size
        table = Bases.rect(width / 2, height / 2, width=height, depth=width)
        free = np.flatnonzero(measure.wholly_within(wished, table))
        free = free[measure.wholly_within(wished[free], unit.zone)]
        near = measure.within(wished[free][:, None], self.board.impassable_outlines, self.spacing)
        free = free[~near.any(axis=-1)]
        for others in standing:
            free = free[~measure.within(wished[free], others[state[free]], self.spacing)]
        return free


def _zones_of_units(board: Board, zones: object, there: NDArray[np.intp]) -> dict[int, Polygons]:
    """Return the zone of each unit that is there."""
    units = there.tolist()
    if isinstance(zones, Mapping):
        polygons = {key: _polygon(zone, f"zones[{key!r}]") for key, zone in zones.items()}
        for key in polygons:
            if isinstance(key, bool | np.bool_) or not isinstance(key, int | np.integer | str):
                raise PlacedTypeError(("zones",), f"must have sides or names of units as keys, got {key!r}")
            if isinstance(key, str):
                if key not in board.names and key.lstrip("-").isdecimal():  # as JSON has keys
                    raise PlacedValueError(
                        ("zones",), f"must have sides as numbers, such as {int(key)}, got {key!r}"
                    )
                unit_indices(board, [key], "zones")
        keys = {i: board.names[i] if board.names[i] in polygons else int(board.side[i]) for i in units}
        for i, key in keys.items():
            if key not in polygons:
                problem = f"no zone for unit {board.names[i]!r} or its side, {key}"
                raise PlacedValueError(("zones",), problem)
        return {i: polygons[key] for i, key in keys.items()}
    if isinstance(zones, str) or not isinstance(zones, Sequence | np.ndarray | Polygons):
        raise PlacedTypeError(("zones",), f"must be a mapping or a sequence of polygons, got {zones!r}")
    if len(zones) != len(board):
        problem = (
            f"must be a mapping of sides or names, or {len(board)} polygons, one a unit, got {len(zones)}"
        )
        raise PlacedValueError(("zones",), problem)
    return {i: _polygon(zones[i], f"zones[{i}]") for i in units}


def _polygon(zone: Any, place: str) -> Polygons:
    if isinstance(zone, Polygons):
        if zone.shape:
            raise PlacedValueError((place,), f"must be one polygon, got shape {zone.shape}")
        return zone
    try:
        return Polygons([zone])[0]
    except PlacedError as error:
        raise type(error)((place, *error.place[2:]), error.problem) from None
