"""Edges that others of the unit cover from end to end, against unions of intervals in millimetres."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from ninthgeom import Board, Unit
from ninthgeom.board import Attached
from ninthgeom.t9a._melee import Models
from ninthgeom.t9a._open_looks import _Neighbours
from ninthgeom_kernel.covered_edges import covered_edges

TOL = 1e-6
FRONT, LEFT, REAR, RIGHT = range(4)


def boxes(unit: Unit, facing: int) -> np.ndarray:
    """Least and greatest aside and ahead of all slots, (n, 4), where the facing looks ahead."""
    layout = unit.layout
    x, y, along, across = layout.forward, layout.left, layout.depth / 2, layout.width / 2
    if facing % 2:
        x, y, along, across = y, x, across, along
    x = x if facing < 2 else -x
    return np.stack([y - across, y + across, x - along, x + along], axis=1)


def is_open(edge: tuple[float, float], others: list[tuple[float, float]]) -> bool:
    """Tell whether some of an edge lies in no interval, by trying the middle of every piece of it."""
    ends = sorted({*edge, *(min(max(end, edge[0]), edge[1]) for other in others for end in other)})
    middles = [(left + right) / 2 for left, right in pairwise(ends)]
    return any(not any(low < middle < high for low, high in others) for middle in middles)


def plain(unit: Unit, facing: int, living: np.ndarray) -> tuple[list[bool], float]:
    """Which edges of a unit are covered, and how far ahead the rearmost open one is, in inches."""
    apart = 12.5 if unit.formation == "skirmish" else 0.0
    rows = boxes(unit, facing).tolist()
    covered, nearest = [], math.inf
    for i, (left, right, _, top) in enumerate(rows):
        before = [
            (other[0], other[1])
            for j, other in enumerate(rows)
            if living[j] and j != i and 0 <= other[2] - top <= apart
        ]
        open_somewhere = is_open((left, right), before)
        covered.append(bool(living[i]) and not open_somewhere)
        if living[i] and open_somewhere:
            nearest = min(nearest, top / 25.4)
    return covered, nearest


def answers(
    board: Board, living: np.ndarray, rows: list[tuple[int, int, int]]
) -> list[tuple[list[bool], float]]:
    """What the kernel says of some states, units and facings."""
    models, neighbours = Models.of(board), _Neighbours.of(board, TOL)
    state, unit, facing = np.array(rows).T
    ends = np.cumsum(models.counts[unit])
    columns = np.stack([state, facing, models.first[unit], models.last[unit], ends - models.counts[unit]])
    covered, nearest = np.ones(ends[-1], np.bool_), np.empty(len(rows))
    tables = neighbours.first, neighbours.ahead
    covered_edges(columns, models.slots, living, *tables, TOL, covered, nearest)
    parts = np.split(covered, ends[:-1])
    return [(part.tolist(), value) for part, value in zip(parts, nearest.tolist(), strict=True)]


def random_unit(rng: np.random.Generator, name: str) -> Unit:
    """A unit with up to two characters, in the ranks or at the sides, larger than its files or not."""
    width, depth = rng.choice([20, 25, 40, 50], 2).tolist()
    files = int(rng.integers(2, 6))
    attached, taken = [], 0
    for who in ("hero", "mage")[: rng.integers(0, 3)]:
        wide, deep = rng.integers(1, 3, 2).tolist()
        if rng.random() < 0.4:
            attached.append(Attached(who, (width + 7, deep * depth + 3)))
        elif taken + wide <= files:
            place = (int(rng.integers(0, 2)), taken)
            attached.append(Attached(who, (wide * width, deep * depth), place=place))
            taken += wide
    formation = rng.choice(["ranked", "skirmish"])
    models = int(rng.integers(files, 4 * files))
    return Unit(name, (width, depth), models=models, files=files, attached=attached, formation=formation)


@pytest.mark.parametrize("seed", range(6))
def test_random_units(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board = Board([random_unit(rng, f"unit {i}") for i in range(6)])
    living = rng.random((6, board.n_models)) < np.array([[0.3], [0.6], [0.8], [0.95], [1.0], [0.0]])
    rows = list(np.ndindex(len(living), len(board), 4))
    found = answers(board, living, rows)
    for (state, unit, facing), (covered, nearest) in zip(rows, found, strict=True):
        own = living[state, board.model_slices[unit]]
        wanted, reach = plain(board.units[unit], facing, own)
        assert covered == wanted, (board.units[unit], facing, own)
        assert nearest == pytest.approx(reach, abs=1e-12)
        if not own.any():
            assert nearest == math.inf
    # one mask may serve all states
    assert answers(board, living[2:3], [(0, *row[1:]) for row in rows[:24]]) == found[48:72]
    flags = np.concatenate([covered for covered, _ in found])
    assert 0.1 < flags.mean() < 0.9


def one_unit(unit: Unit, facing: int, dead: tuple[int, ...] = ()) -> tuple[list[int], float]:
    """Which slots are covered, and how far ahead the rearmost open edge is in millimetres."""
    living = np.ones((1, unit.n_slots), np.bool_)
    living[0, list(dead)] = False
    ((covered, nearest),) = answers(Board([unit]), living, [(0, 0, facing)])
    return np.flatnonzero(covered).tolist(), round(nearest * 25.4, 6)


@pytest.mark.parametrize("formation", ["ranked", "skirmish"])
def test_ranks(formation: str) -> None:
    unit = Unit("spears", (20, 30), models=6, files=3, formation=formation)
    between = 12.5 if formation == "skirmish" else 0.0
    assert one_unit(unit, FRONT) == ([3, 4, 5], 0.0)
    assert one_unit(unit, REAR) == ([0, 1, 2], 60.0 + between)
    assert one_unit(unit, LEFT) == ([1, 2, 4, 5], 30.0 + between)
    assert one_unit(unit, RIGHT) == ([0, 1, 3, 4], 30.0 + between)
    assert one_unit(unit, REAR, dead=(4,)) == ([0, 2], 30.0)
    assert one_unit(unit, FRONT, dead=(1, 3)) == ([5], -30.0 - between)
    assert one_unit(unit, FRONT, dead=tuple(range(6))) == ([], math.inf)


def test_a_character_covered_by_half() -> None:
    hero = Attached("hero", (40, 20), place=(0, 1))
    unit = Unit("spears", (20, 20), models=6, files=4, attached=[hero])
    # slots: two files of the front rank, four of the second; the hero is the last
    assert one_unit(unit, REAR) == ([0, 1, 6], 40.0)
    assert one_unit(unit, REAR, dead=(3,)) == ([0, 1], 20.0)
    assert one_unit(unit, REAR, dead=(4,)) == ([0, 1], 20.0)
    assert one_unit(unit, FRONT) == ([2, 3, 4, 5], 0.0)
    assert one_unit(unit, FRONT, dead=(6,)) == ([2, 5], -20.0)


def test_a_side_character_covers_what_stands_beside_it() -> None:
    lord = Attached("lord", (50, 75), place="left")
    unit = Unit("riders", (25, 50), models=4, files=2, attached=[lord])
    # the edge of the second rank is covered by half
    assert one_unit(unit, LEFT) == ([0, 1, 3], 25.0)
    assert one_unit(unit, LEFT, dead=(4,)) == ([1, 3], 25.0)
    assert one_unit(unit, RIGHT) == ([0, 2, 4], 25.0)
    assert one_unit(unit, RIGHT, dead=(2,)) == ([0], -25.0)


@pytest.mark.parametrize(
    ("first", "second", "covered"),
    [
        ((-1.0, 0.0), (0.0, 1.0), True),
        ((-1.0, 0.0), (9e-7, 1.0), True),
        ((-1.0, 0.0), (2e-6, 1.0), False),
        ((-1.0, 0.2), (-0.3, 1.0), True),
        ((-1.0 + 9e-7, 0.0), (0.0, 1.0 - 9e-7), True),
        ((-1.0 + 2e-6, 0.0), (0.0, 1.0), False),
        ((-1.0, 0.0), (0.0, 1.0 - 2e-6), False),
        ((-2.0, 2.0), (0.0, 0.5), True),
    ],
)
@pytest.mark.parametrize("facing", range(4))
def test_within_the_tolerance_an_edge_is_not_open(
    facing: int, first: tuple[float, float], second: tuple[float, float], covered: bool
) -> None:
    # slot 0 is two inches wide and one deep, the others stand in a row on its edge
    spans = np.array([(-1.0, 1.0), first, second])
    ahead, aside = np.array([0.0, 1.0, 1.0]), spans.mean(axis=1)
    half, half_aside = np.full(3, 0.5), np.diff(spans)[:, 0] / 2
    ahead = ahead if facing < 2 else -ahead
    slots = np.stack([ahead, aside, half, half_aside, np.zeros(3)])
    if facing % 2:
        slots = slots[[1, 0, 3, 2, 4]].copy()
    begins = np.where(np.arange(13) <= 3 * facing, 0, 2)
    rows = np.array([[0, facing, 0, 3, 0]]).T.copy()
    flags, nearest = np.empty(3, np.bool_), np.empty(1)
    living = np.ones((1, 3), np.bool_)
    covered_edges(rows, slots, living, begins, np.array([1, 2]), TOL, flags, nearest)
    assert flags.tolist() == [covered, False, False]
    assert nearest[0] == (1.5 if covered else 0.5)
