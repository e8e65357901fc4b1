"""Slots, Unit Boundaries and the filling of ranks once more, slowly: one cell, model and step at a time.

Written from the rules and not from the library: the cells of a table of ranks are filled with whoever stands
in them, rectangles come from the cells, and gaps are closed by moving single models.
"""

from __future__ import annotations

import cmath
import itertools
from dataclasses import dataclass

MM = 25.4
RANK_AND_FILE = "rank and file"


class NoRoomError(Exception):
    """A character cannot stand in the unit."""


@dataclass
class Slot:
    """A place: its base in millimetres, ahead and to the left of the unit's position, and its ranks."""

    front: float
    left: float
    width: float
    depth: float
    ranks: range  # none for a character at the side


def slots_of(unit):
    """All slots of a unit with rectangular bases, and how many of them belong to the rank and file."""
    gap = 12.5 if unit.formation == "skirmish" else 0.0
    width, depth = unit.base_mm
    frontage = unit.files * width + (unit.files - 1) * gap
    cells, at_side = _cells(unit)
    ranked, characters = [], {}
    for rank, row in enumerate(cells):
        for file, who in enumerate(row):
            front, left = -rank * (depth + gap), frontage / 2 - file * (width + gap)
            if who == RANK_AND_FILE:
                ranked.append(Slot(front, left, width, depth, range(rank, rank + 1)))
            elif who not in characters:
                base = unit.attached[who].base_mm
                block = round(base[0] / width) * (width + gap) - gap
                ranks = range(rank, rank + round(base[1] / depth))
                characters[who] = Slot(front, left - (block - base[0]) / 2, *base, ranks)
    for who, side in at_side.items():
        base = unit.attached[who].base_mm
        left = frontage / 2 + gap + base[0] if side == "left" else -frontage / 2 - gap
        characters[who] = Slot(0.0, left, *base, range(0))
    return ranked + [characters[i] for i in range(len(unit.attached))], len(ranked)


def _cells(unit):
    """Who stands in each cell of each rank, and which character at which side."""
    width, depth = unit.base_mm
    cells, at_side = [], {}

    def row(rank):
        while len(cells) <= rank:
            cells.append([RANK_AND_FILE] * unit.files)
        return cells[rank]

    with_a_wish = [i for i, attached in enumerate(unit.attached) if attached.place is not None]
    without = [i for i, attached in enumerate(unit.attached) if attached.place is None]
    for i in with_a_wish + without:
        attached = unit.attached[i]
        wide, deep = attached.base_mm[0] / width, attached.base_mm[1] / depth
        if wide.is_integer() and deep.is_integer():
            wide, deep = int(wide), int(deep)
            if isinstance(attached.place, str) or wide > unit.files:
                raise NoRoomError
            middle = (unit.files - wide) / 2
            places = [(0, file) for file in range(unit.files - wide + 1)]
            places.sort(key=lambda place: (abs(place[1] - middle), place[1]))
            if attached.place is not None:
                places = [attached.place] if attached.place[1] + wide <= unit.files else []
            for rank, file in places:
                block = list(itertools.product(range(rank, rank + deep), range(file, file + wide)))
                if all(row(r)[f] == RANK_AND_FILE for r, f in block):
                    for r, f in block:
                        cells[r][f] = i
                    break
            else:
                raise NoRoomError
        else:
            if isinstance(attached.place, tuple):
                raise NoRoomError
            sides = [attached.place] if attached.place else ["right", "left"]
            free = [side for side in sides if side not in at_side.values()]
            if not free:
                raise NoRoomError
            at_side[i] = free[0]
    needed, room = 0, 0
    while room < unit.models:
        room += row(needed).count(RANK_AND_FILE)
        needed += 1
    for i, attached in enumerate(unit.attached):
        if isinstance(attached.place, tuple) and i not in at_side and attached.place[0] > needed:
            raise NoRoomError
    last = max([needed - 1, *(r for r, line in enumerate(cells) if set(line) != {RANK_AND_FILE})])
    return cells[: last + 1], at_side


def living_at_first(unit):
    """Slots occupied at full strength."""
    slots, n_ranked = slots_of(unit)
    start = list(unit.occupied or [i < unit.models for i in range(n_ranked)])
    return start + [True] * (len(slots) - n_ranked)


def corners(position, front, left, width, depth):
    """Front left, front right, rear right, rear left corner on the table, as complex numbers in inches."""
    x, y, heading = position
    ahead = cmath.exp(1j * heading)
    to_left = ahead * 1j
    points = [(front, left), (front, left - width), (front - depth, left - width), (front - depth, left)]
    return [complex(x, y) + (ahead * f + to_left * g) / MM for f, g in points]


def boundary_corners(unit, position, living):
    """Corners of the Unit Boundary, or None when nobody lives."""
    slots, _ = slots_of(unit)
    gap = 12.5 if unit.formation == "skirmish" else 0.0
    depth = unit.base_mm[1]
    frontage = unit.files * unit.base_mm[0] + (unit.files - 1) * gap
    boxes = []  # front, rear, left, right
    ranks = [rank for slot, lives in zip(slots, living, strict=True) if lives for rank in slot.ranks]
    if ranks:
        front, rear = -min(ranks) * (depth + gap), -max(ranks) * (depth + gap) - depth
        boxes.append((front, rear, frontage / 2, -frontage / 2))
    for slot, lives in zip(slots, living, strict=True):
        if lives and not slot.ranks:
            boxes.append((slot.front, slot.front - slot.depth, slot.left, slot.left - slot.width))
    if not boxes:
        return None
    front, left = max(box[0] for box in boxes), max(box[2] for box in boxes)
    rear, right = min(box[1] for box in boxes), min(box[3] for box in boxes)
    return corners(position, front, left, left - right, front - rear)


def fill_ranks(unit, living):
    """Move one model after the other until no rank before the last has a gap."""
    slots, n_ranked = slots_of(unit)
    living = list(living)
    by_rank = {}
    for i in range(n_ranked):
        by_rank.setdefault(slots[i].ranks[0], []).append(i)
    while any(living[:n_ranked]):
        last = max(rank for rank, members in by_rank.items() if any(living[i] for i in members))
        gaps = [i for rank in sorted(by_rank) if rank < last for i in by_rank[rank] if not living[i]]
        if not gaps:
            break
        mover = [i for i in by_rank[last] if living[i]][-1]
        living[mover], living[gaps[0]] = False, True
    return living


def usual_height(unit):
    """Height of most models."""
    heights = [unit.height] * unit.models
    heights += [unit.height if a.height is None else a.height for a in unit.attached]
    return min(set(heights), key=lambda height: (-heights.count(height), height))
