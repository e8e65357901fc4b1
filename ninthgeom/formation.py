"""Where the models of a unit stand: its slots, in millimetres, seen from the position of the unit.

The frame of a unit has its origin in the unit's position, the middle of the front edge of the ranks.
`forward` runs along the heading and `left` to the left of it, so every rank lies at a negative `forward`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray
from ninthgeom._checks import PlacedValueError
from ninthgeom.attached import MOST_SLOTS, Attached

IntArray: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False, slots=True)
class Layout:
    """Slots of a unit at full strength: the rank-and-file slots rank by rank, then the attached models.

    Attributes
    ----------
    ranks : int
        Ranks of the grid, those included that only the rear part of a long attached base stands in.
    n_ranked : int
        Number of rank-and-file slots.
    forward, left, width, depth : ndarray of float, shape (n,)
        Base of each slot: its centre and outer sizes.
    radius : float
        Corner radius of the bases.
    front, rear, left_edge, right_edge : ndarray of float, shape (n,)
        How far a model in the slot stretches the Unit Boundary: its ranks at full frontage, or its own base
        beside them.
    rank_start, rank_end : ndarray of int, shape (n,)
        First slot of the rank that a rank-and-file slot stands in, and the one past its last; of an
        attached model its own index, twice.
    """

    ranks: int
    n_ranked: int
    forward: FloatArray
    left: FloatArray
    width: FloatArray
    depth: FloatArray
    radius: float
    front: FloatArray
    rear: FloatArray
    left_edge: FloatArray
    right_edge: FloatArray
    rank_start: IntArray
    rank_end: IntArray

    def __len__(self) -> int:
        return len(self.forward)


@dataclass(frozen=True, slots=True)
class _Block:
    """Slots of the grid that an attached model takes: `deep` ranks from `rank`, `wide` files from `file`."""

    rank: int
    file: int
    deep: int
    wide: int

    def cells(self) -> set[tuple[int, int]]:
        return {
            (rank, file)
            for rank in range(self.rank, self.rank + self.deep)
            for file in range(self.file, self.file + self.wide)
        }


def ranks_and_files(
    base_mm: tuple[float, float], *, models: int, files: int, gap: float, attached: Sequence[Attached]
) -> Layout:
    """Lay out rectangular bases in ranks.

    Parameters
    ----------
    base_mm : (float, float)
        Width and depth of a rank-and-file base.
    models : int
        Rank-and-file models.
    files : int
        Slots of the front rank.
    gap : float
        Space between bases, in both directions.
    attached : sequence of Attached
        Characters, who find their places here.

    Raises
    ------
    PlacedValueError
        If an attached model finds no place.
    """
    grid = _Grid(base_mm, models, files, gap, attached)
    rows = [grid.model(rank, file) for rank in range(grid.ranks) for file in grid.free_files(rank)]
    n_ranked = len(rows)
    rows += [grid.attached_model(i) for i in range(len(attached))]
    return _from_rows(rows, grid.ranks, n_ranked, 0.0, *grid.rank_limits(n_ranked))


def single_base(base_mm: tuple[float, float]) -> Layout:
    """Lay out a round or oval base, whose position is its centre."""
    width, depth = base_mm
    row = (0.0, 0.0, width, depth, depth / 2, -depth / 2, width / 2, -width / 2)
    return _from_rows([row], 1, 1, min(width, depth) / 2, np.array([0]), np.array([1]))


def _from_rows(
    rows: Sequence[tuple[float, ...]],
    ranks: int,
    n_ranked: int,
    radius: float,
    rank_start: IntArray,
    rank_end: IntArray,
) -> Layout:
    forward, left, width, depth, front, rear, left_edge, right_edge = np.array(rows, dtype=np.float64).T
    return Layout(
        ranks=ranks,
        n_ranked=n_ranked,
        forward=forward,
        left=left,
        width=width,
        depth=depth,
        radius=radius,
        front=front,
        rear=rear,
        left_edge=left_edge,
        right_edge=right_edge,
        rank_start=rank_start,
        rank_end=rank_end,
    )


class _Grid:
    """Ranks and files with attached models in their places; parameters as of `ranks_and_files`."""

    def __init__(
        self,
        base_mm: tuple[float, float],
        models: int,
        files: int,
        gap: float,
        attached: Sequence[Attached],
    ) -> None:
        self.base_mm = base_mm
        self.width, self.depth = base_mm
        self.models = models
        self.files = files
        self.gap = gap
        self.attached = attached
        self.frontage = files * self.width + (files - 1) * gap
        self.blocks: dict[int, _Block] = {}
        self.sides: dict[str, int] = {}
        self.taken: dict[tuple[int, int], int] = {}
        self._place_attached()
        self.ranks = self._count_ranks()

    def free_files(self, rank: int) -> list[int]:
        """Files of a rank that no attached model takes."""
        return [file for file in range(self.files) if (rank, file) not in self.taken]

    def model(self, rank: int, file: int) -> tuple[float, ...]:
        """Return centre, size and boundary edges of a rank-and-file slot."""
        front, left = self._front_of(rank), self._left_of(file)
        edges = (front, front - self.depth, self.frontage / 2, -self.frontage / 2)
        return front - self.depth / 2, left - self.width / 2, self.width, self.depth, *edges

    def attached_model(self, i: int) -> tuple[float, ...]:
        """Return centre, size and boundary edges of an attached model."""
        width, depth = self.attached[i].base_mm
        if i in self.blocks:
            block = self.blocks[i]
            front, left = self._front_of(block.rank), self._left_of(block.file)
            # In skirmish formation the base is smaller than its block: flush with the front, in the middle.
            block_width = block.wide * (self.width + self.gap) - self.gap
            rear = self._front_of(block.rank + block.deep) + self.gap
            edges = (front, rear, self.frontage / 2, -self.frontage / 2)
            return front - depth / 2, left - block_width / 2, width, depth, *edges
        inner = self.frontage / 2 + self.gap
        outer = inner + width
        left_edge, right_edge = (outer, inner) if self.sides.get("left") == i else (-inner, -outer)
        return -depth / 2, (left_edge + right_edge) / 2, width, depth, 0.0, -depth, left_edge, right_edge

    def rank_limits(self, n_ranked: int) -> tuple[IntArray, IntArray]:
        """Return the limits of the rank of each slot, see `Layout`."""
        sizes = np.array([len(self.free_files(rank)) for rank in range(self.ranks)])
        ends = sizes.cumsum()
        attached = np.arange(n_ranked, n_ranked + len(self.attached))
        start = np.concatenate([np.repeat(ends - sizes, sizes), attached])
        end = np.concatenate([np.repeat(ends, sizes), attached])
        return start, end

    def _front_of(self, rank: int) -> float:
        return -rank * (self.depth + self.gap)

    def _left_of(self, file: int) -> float:
        return self.frontage / 2 - file * (self.width + self.gap)

    def _place_attached(self) -> None:
        # Wishes first, so that whoever has none does not stand in the way.
        order = sorted(range(len(self.attached)), key=lambda i: self.attached[i].place is None)
        for i in order:
            attached = self.attached[i]
            size = self._slots_across(attached)
            if size is None:
                self._stand_at_side(i, attached)
            else:
                self._stand_in_ranks(i, attached, *size)
        for i, block in self.blocks.items():
            place = self.attached[i].place
            full = self._ranks_for_models()
            if place is not None and block.rank > full:
                raise PlacedValueError(
                    ("attached", i, "place"),
                    f"rank {block.rank} is behind the unit; its last rank is rank {full - 1}",
                )

    def _slots_across(self, attached: Attached) -> tuple[int, int] | None:
        """Files and ranks that a matching base takes, None for a base that does not match."""
        width, depth = attached.base_mm
        wide, deep = round(width / self.width), round(depth / self.depth)
        matching = math.isclose(width, wide * self.width) and math.isclose(depth, deep * self.depth)
        return (wide, deep) if matching else None

    def _stand_at_side(self, i: int, attached: Attached) -> None:
        where = ("attached", i, "place")
        if isinstance(attached.place, tuple):
            raise PlacedValueError(
                where,
                f"a base of {_mm(attached.base_mm)} does not match the unit's {_mm(self.base_mm)} and "
                f"stands at its 'left' or 'right' side, got {attached.place}",
            )
        wished = ("right", "left") if attached.place is None else (attached.place,)
        free = [side for side in wished if side not in self.sides]
        if not free:
            other = ", ".join(repr(self.attached[self.sides[side]].name) for side in wished)
            sides = " or ".join(wished)
            raise PlacedValueError(where, f"no room at the {sides} side, {other} is there already")
        self.sides[free[0]] = i

    def _stand_in_ranks(self, i: int, attached: Attached, wide: int, deep: int) -> None:
        where = ("attached", i, "place")
        if wide > self.files:
            # A unit that could stand in one rank with it has as many files as that needs.
            raise PlacedValueError(
                ("attached", i, "base_mm"),
                f"a base {wide} files wide cannot join a unit of {self.files} files",
            )
        if wide * deep > MOST_SLOTS:
            problem = f"takes {wide * deep} slots, more than {MOST_SLOTS}"
            raise PlacedValueError(("attached", i, "base_mm"), problem)
        if isinstance(attached.place, str):
            raise PlacedValueError(
                where,
                f"a base of {_mm(attached.base_mm)} matches the unit's {_mm(self.base_mm)} and stands "
                f"in the ranks; give (rank, file) instead of {attached.place!r}",
            )
        if attached.place is None:
            block = self._most_central(wide, deep)
            if block is None:
                raise PlacedValueError(where, "the front rank has no room left; give (rank, file)")
        else:
            rank, file = attached.place
            if file + wide > self.files:
                problem = f"{wide} files from file {file} on do not fit in {self.files} files"
                raise PlacedValueError(where, problem)
            block = _Block(rank, file, deep, wide)
            for cell in sorted(block.cells()):
                if cell in self.taken:
                    other = self.attached[self.taken[cell]].name
                    raise PlacedValueError(where, f"overlaps {other!r} in rank {cell[0]}, file {cell[1]}")
        self.blocks[i] = block
        self.taken.update(dict.fromkeys(block.cells(), i))

    def _most_central(self, wide: int, deep: int) -> _Block | None:
        """Return the free block of the front rank nearest to its middle, of two the left one."""
        candidates = (_Block(0, file, deep, wide) for file in range(self.files - wide + 1))
        free = (block for block in candidates if self.taken.keys().isdisjoint(block.cells()))
        return min(free, key=lambda block: abs(2 * block.file + wide - self.files), default=None)

    def _ranks_for_models(self) -> int:
        """Ranks that the rank-and-file models need."""
        room = rank = 0
        while room < self.models:
            room += len(self.free_files(rank))
            rank += 1
        return rank

    def _count_ranks(self) -> int:
        last_taken = max((block.rank + block.deep for block in self.blocks.values()), default=0)
        return max(self._ranks_for_models(), last_taken)


def _mm(base: tuple[float, float]) -> str:
    return f"{base[0]:g} x {base[1]:g} mm"
