"""Names of models on the command line: how tables show them, and what --duel takes."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np

from ninthgeom.t9a._places import places_of

if TYPE_CHECKING:
    from ninthgeom.board import Board


class ModelNames:
    """Names of the models of a board.

    Attached characters have their own name, lone models that of their unit; others are told by rank and file,
    counted from 1 at the front left.
    """

    def __init__(self, board: Board) -> None:
        self._board = board
        self._places = places_of(board)
        self._file_start = np.cumsum(self._places.files) - self._places.files
        self._own = {slot: name for name, slot in named_slots(board)}

    def unit(self, slot: int) -> str:
        """Return the name of the unit of a model."""
        return self._board.names[int(self._board.model_unit[slot])]

    def model_and_unit(self, slots: Sequence[int]) -> tuple[str, str]:
        """Return the names that models of one unit have in it, ranks taken together, and that of the unit."""
        own = [self._own[slot] for slot in slots if slot in self._own]
        files: dict[int, list[int]] = {}
        for slot in slots:
            if slot not in self._own:
                start = self._file_start[self._board.model_unit[slot]]
                file = int(self._places.first_file[slot] - start) + 1
                files.setdefault(int(self._places.rank[slot]) + 1, []).append(file)
        ranks = [
            f"rank {rank}, {'files' if len(row) > 1 else 'file'} {_runs(row)}" for rank, row in files.items()
        ]
        return "; ".join(ranks + own), self.unit(slots[0])


def all_models(board: Board) -> list[str]:
    """Return the name of every slot with that of its unit."""
    names = ModelNames(board)
    pairs = (names.model_and_unit([slot]) for slot in range(board.n_models))
    return [name if name == unit else f"{unit}, {name}" for name, unit in pairs]


def model_slot(board: Board, name: str) -> int:
    """Return the slot of the model of this name.

    Parameters
    ----------
    board : Board
    name : str
        Name of an attached character or of a unit of one model; or UNIT:SLOT for any model, the slots of the
        unit counted from 0.

    Raises
    ------
    ValueError
        If no model is named so, or several are.
    """
    named = named_slots(board)
    found = [slot for known, slot in named if known == name]
    if len(found) == 1:
        return found[0]
    if found:
        choices = " or ".join(repr(_address(board, slot)) for slot in found)
        raise ValueError(f"{len(found)} models are named {name!r}; say {choices}")
    unit, _, slot = name.rpartition(":")
    if unit in board.names:
        slots = board.model_slices[board.index(unit)]
        if not slot.isdecimal() or int(slot) >= slots.stop - slots.start:
            last = slots.stop - slots.start - 1
            raise ValueError(f"the slot of {unit!r} must be from 0 to {last}, got {slot!r}")
        return int(slots.start) + int(slot)
    if name in board.names:
        raise ValueError(f"{name!r} has more than one model; name one by its slot, as {f'{name}:0'!r}")
    near = get_close_matches(name, [known for known, _ in named], n=1)
    near += [f"{known}:{slot}" for known in get_close_matches(unit, board.names, n=1)]
    near += get_close_matches(name, board.names, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"no model is named {name!r}{hint}")


def named_slots(board: Board) -> list[tuple[str, int]]:
    """Return the names that models have of their own, with their slots."""
    named = []
    for unit, slots in zip(board.units, board.model_slices, strict=True):
        if unit.n_slots == 1:
            named.append((unit.name, slots.start))
        first = slots.stop - len(unit.attached)
        named += [(character.name, first + i) for i, character in enumerate(unit.attached)]
    return named


def _address(board: Board, slot: int) -> str:
    unit = board.model_unit[slot]
    return f"{board.names[unit]}:{slot - board.model_slices[unit].start}"


def _runs(numbers: Sequence[int]) -> str:
    """Write ascending numbers as short as 1-3, 5."""
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    runs = [part.tolist() for part in np.split(np.array(numbers), breaks)]
    return ", ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)
