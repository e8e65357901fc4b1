"""Attack rights model by model, in plain Python from the text of the rules.

Slow and without arrays. Ranks and files come from how slots are numbered, not from where the bases stand.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ninthgeom import Board, Rows, Unit
from ninthgeom.t9a.kinds import AttackReason, ContactKind

FRONT = 1
Cell = tuple[int, int]


@dataclass(frozen=True)
class Contact:
    """One row of contacts."""

    model: int
    other: int
    kind: int
    facing: int


@dataclass(frozen=True)
class Duel:
    """One active duel; who is removed."""

    models: tuple[int, int]
    removed: tuple[bool, bool] = (False, False)


@dataclass
class Fight:
    """One state of a board.

    Attributes
    ----------
    living : set of int
        Slots with a living model.
    supporting : sequence of int
        Supporting ranks of each unit, without the one for Line Formation.
    """

    board: Board
    contacts: Sequence[Contact]
    living: Collection[int]
    duels: Sequence[Duel] = ()
    champions: Collection[int] = ()
    supporting: Sequence[int] = ()
    line_formation: bool = False
    grids: Mapping[int, Mapping[Cell, int]] = field(init=False)

    def __post_init__(self) -> None:
        self.grids = {u: grid_of(unit) for u, unit in enumerate(self.board.units)}
        self.supporting = self.supporting or [1] * len(self.board)
        self.duellists = {slot for duel in self.duels for slot in duel.models}

    def unit(self, slot: int) -> int:
        return next(u for u, slots in enumerate(self.board.model_slices) if slots.start <= slot < slots.stop)

    def own_number(self, slot: int) -> int:
        return slot - self.board.model_slices[self.unit(slot)].start

    def is_plain(self, slot: int) -> bool:
        """Rank and file, no champion, not in a duel."""
        unit = self.board.units[self.unit(slot)]
        attached = self.own_number(slot) >= unit.n_slots - len(unit.attached)
        return not attached and slot not in self.champions and slot not in self.duellists

    def touched(self, slot: int, *, for_support: bool = False) -> set[int]:
        """Slots that a living model is in contact with."""
        found = set()
        for row in self.contacts:
            if row.model != slot or not {row.model, row.other} <= set(self.living):
                continue
            if for_support and (not row.facing & FRONT or row.kind == ContactKind.DUEL):
                continue
            found.add(row.other)
        return found

    def cells(self, slot: int) -> list[Cell]:
        own = self.own_number(slot)
        return [cell for cell, number in self.grids[self.unit(slot)].items() if number == own]

    def supported(self, slot: int) -> set[int]:
        """Slots that a model of a rear rank may reach through the first rank."""
        u = self.unit(slot)
        unit, start = self.board.units[u], self.board.model_slices[u].start
        ranks = 1 + self.supporting[u] + (self.line_formation and unit.files >= 8)
        cells = self.cells(slot)
        found: set[int] = set()
        if not cells:  # beside the ranks
            return found
        rank = min(rank for rank, _ in cells)
        if not 1 <= rank < ranks:
            return found
        for file in {file for _, file in cells}:
            ahead = [start + self.grids[u][before, file] for before in range(rank)]
            if all(place in self.living for place in ahead):
                found |= self.touched(ahead[0], for_support=True)
        return found

    def attacks(self) -> dict[tuple[int, int], int]:
        """(model, other) -> reason."""
        answer: dict[tuple[int, int], int] = {}
        for duel in self.duels:
            for k in (0, 1):
                model, other = duel.models[k], duel.models[1 - k]
                if model in self.living and not duel.removed[k]:
                    answer[model, other] = AttackReason.DUEL
        for model in self.living:
            if model in self.duellists:
                continue
            reach, reason = self.touched(model), AttackReason.CONTACT
            if not reach:
                reach, reason = self.supported(model), AttackReason.SUPPORT
            for other in reach - self.duellists:
                answer[model, other] = reason
            if reach and self.is_plain(model) and not any(self.is_plain(other) for other in reach):
                units = {self.unit(other) for other in reach}
                for other in self.living:
                    if self.is_plain(other) and self.unit(other) in units:
                        answer[model, other] = AttackReason.SWIRL
        return answer

    def pool(self, attacker: int, unit: int) -> set[int]:
        """Slots that the hits of an attack on a whole unit may go to."""
        for duel in self.duels:
            if attacker in duel.models:
                k = duel.models.index(attacker)
                other = duel.models[1 - k]
                strikes = attacker in self.living and not duel.removed[k] and self.unit(other) == unit
                return {other} if strikes else set()
        return {slot for slot in self.living if self.unit(slot) == unit and slot not in self.duellists}


def grid_of(unit: Unit) -> dict[Cell, int]:
    """The slot, numbered within the unit, of each rank and file."""
    grid: dict[Cell, int] = {}
    n_ranked = unit.n_slots - len(unit.attached)
    # Those without a wished place find theirs after the others.
    for i in sorted(range(len(unit.attached)), key=lambda i: unit.attached[i].place is None):
        attached = unit.attached[i]
        wide, deep = (a / b for a, b in zip(attached.base_mm, unit.base_mm, strict=True))
        if not (math.isclose(wide, round(wide)) and math.isclose(deep, round(deep))):
            continue  # beside the ranks
        wide, deep = round(wide), round(deep)
        if attached.place is None:
            free = [
                file
                for file in range(unit.files - wide + 1)
                if not any((rank, file + k) in grid for rank in range(deep) for k in range(wide))
            ]
            place = (0, min(free, key=lambda file: abs(file + wide / 2 - unit.files / 2)))
        else:
            place = attached.place
        for rank in range(place[0], place[0] + deep):
            grid.update(dict.fromkeys([(rank, place[1] + k) for k in range(wide)], n_ranked + i))
    slot = rank = 0
    while slot < n_ranked:
        for file in range(unit.files):
            if (rank, file) not in grid:
                grid[rank, file] = slot
                slot += 1
        rank += 1
    return grid


def rows_of(contacts: Sequence[tuple[int, ...]], shape: tuple[int, ...] = ()) -> Rows:
    """Make rows, as `contacts` gives them, of (state, model, other, kind, facing)."""
    names = ("state", "model", "other", "kind", "facing")
    table = np.array(sorted(contacts), np.intp).reshape(-1, len(names))
    columns: dict[str, Any] = dict(zip(names, table.T, strict=True))
    small = {name: columns[name].astype(np.uint8) for name in ("kind", "facing")}
    return Rows({**columns, **small, "other_facing": small["facing"]}, shape)
