"""Names for the models, units and terrain that explanations of sight speak of."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom.bases import Bases
from ninthgeom.t9a._seeing import Question
from ninthgeom.t9a._setting import Setting
from ninthgeom.t9a._things import Things
from ninthgeom.t9a._witness import Line, Point

if TYPE_CHECKING:
    from ninthgeom.board import Board


def looking_slot(setting: Setting, unit: int, eyes: Things, line: Line) -> int:
    """Return the slot of the foremost living model that looks along a line, of the class of its eye."""
    table = setting.table.units[unit]
    if table.n_slots == 1:
        return int(table.slots.start)
    x, y, heading = setting.chunk.positions[0, unit].tolist()
    left = (line.start[1] - y) * math.cos(heading) - (line.start[0] - x) * math.sin(heading)
    living = np.broadcast_to(setting.living, (1, setting.board.n_models))[0, table.slots]
    rank = np.broadcast_to(eyes.rank, (1, len(eyes)))[0, line.eye]
    able = living & (table.ranks >= rank)
    if np.broadcast_to(eyes.elevated, (1, len(eyes)))[0, line.eye] and setting.elevated is not None:
        able &= setting.elevated[0, table.slots]
    slots = np.flatnonzero(able)
    # On the border of two files either will do; beside an end of the front by rounding the last one does.
    beside = np.maximum(np.abs(table.left[slots] - left) - table.width[slots] / 2, 0.0)
    ahead = beside <= beside.min() + setting.states.tol
    behind = slots[ahead]
    fronts = table.forward[behind] + table.depth[behind] / 2
    return int(table.slots.start + behind[np.argmax(fronts)])


@dataclass(frozen=True)
class Blockers:
    """What is in the way: units with their boundary or several bases, single slots, terrain of the board."""

    units: tuple[int, ...]
    models: tuple[int, ...]
    terrain: tuple[int, ...]

    @classmethod
    def of(cls, setting: Setting, question: Question, cutting: BoolArray) -> Blockers:
        """Tell the blockers that are marked as cutting apart."""
        n_units = len(question.blockers)
        units, models = set(), set()
        for k in np.flatnonzero(cutting[:n_units]).tolist():
            unit = int(question.blockers.unit[0, k])
            slots = _slots_of(setting, unit, question.blockers, k)
            if len(slots) == 1 and setting.table.units[unit].n_slots > 1:
                models.add(slots[0])
            else:
                units.add(unit)
        opaque = [i for i, piece in enumerate(setting.board.terrain) if piece.opaque]
        terrain = (opaque[k] for k in np.flatnonzero(cutting[n_units:]).tolist())
        return cls(tuple(sorted(units)), tuple(sorted(models)), tuple(terrain))

    def names(self, board: Board) -> tuple[str, ...]:
        """Return the names, each once, in the board's order."""
        found = [(unit, -1) for unit in self.units]
        found += [(int(board.model_unit[slot]), slot) for slot in self.models]
        names = [board.names[unit] if slot < 0 else model_name(board, slot) for unit, slot in sorted(found)]
        return (*names, *(terrain_name(board, k) for k in self.terrain))


def _slots_of(setting: Setting, unit: int, blockers: Things, k: int) -> list[int]:
    """Return the slots whose models a blocker is made of; all of them for a boundary."""
    table = setting.table.units[unit]
    living = np.broadcast_to(setting.living, (1, setting.board.n_models))[0, table.slots]
    bases = setting.slot_bases(unit)[0]
    inside = measure.in_contact(Bases.point(bases.x, bases.y), blockers.bases[0, k], tol=setting.states.tol)
    rows = np.flatnonzero(np.asarray(inside) & living)
    boundary = setting.chunk.boundaries[0, unit]
    block = blockers.bases[0, k]
    is_boundary = bool(measure.gap(boundary, block) < 0.0) and abs(boundary.area - block.area) <= 1e-9
    if is_boundary and setting.rules.boundary_blocks:
        return list(range(table.slots.start, table.slots.stop))
    return [int(table.slots.start + row) for row in rows]


def model_name(board: Board, slot: int) -> str:
    index = int(board.model_unit[slot])
    unit = board.units[index]
    own = slot - board.model_slices[index].start
    if unit.n_slots == 1:
        return unit.name
    n_ranked = unit.n_slots - len(unit.attached)
    if own >= n_ranked:
        return f"{unit.attached[own - n_ranked].name} of {unit.name}"
    return f"model {own + 1} of {unit.name}"


def terrain_name(board: Board, index: int) -> str:
    kind = board.terrain[index].kind
    return f"{kind} {sum(piece.kind == kind for piece in board.terrain[: index + 1])}"


def place(point: Point) -> str:
    return f"({point[0]:.4g}, {point[1]:.4g})"


def listed(names: Sequence[str]) -> str:
    *most, last = names or ("something",)
    return f"{', '.join(most)} and {last}" if most else last
