"""States per second of the unit questions: 24 units, 8 pieces of terrain, 1,000 states, one core."""

import time

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit, t9a

STATES = 1_000
QUESTIONS = ("distance", "contact", "arcs", "sight")
SIZE = (72.0, 48.0)
# Twelve units a side with the bases, numbers and heights of usual armies.
ARMY = [
    {"base_mm": (20, 20), "models": 20, "height": 1},
    {"base_mm": (20, 20), "models": 30, "files": 6, "height": 1},
    {"base_mm": (20, 20), "models": 10, "height": 1},
    {"base_mm": (25, 25), "models": 20, "height": 1},
    {"base_mm": (25, 50), "models": 5, "height": 2},
    {"base_mm": (25, 50), "models": 10, "height": 2},
    {"base_mm": (40, 40), "models": 6, "files": 3, "height": 3},
    {"base_mm": (50, 50), "models": 3, "files": 3, "height": 3},
    {"base_mm": (50, 100), "height": 4},
    {"base_mm": (50, 75), "height": 5},
    {"base_mm": (20, 20), "height": 1},
    {"base_mm": 60, "shape": "round", "height": 1},
]
KINDS = ["impassable", "impassable", "hill", "forest", "forest", "field", "ruin", "wall"]


def make_board(rng):
    units = [Unit(f"{side}-{i}", side=side, **unit) for side in (0, 1) for i, unit in enumerate(ARMY)]
    terrain = []
    for i, kind in enumerate(KINDS):
        angles = np.linspace(0, 2 * np.pi, 6, endpoint=False)
        middle = np.add((9 + 18 * (i % 4), 12 + 24 * (i // 4)), rng.uniform(-4, 4, 2))
        outline = middle + rng.uniform(2, 5, (6, 1)) * np.column_stack([np.cos(angles), np.sin(angles)])
        terrain.append(Terrain(outline, kind=kind))
    return Board(units, terrain, SIZE)


def scattered(board, rng):
    """Units anywhere, facing anywhere."""
    positions = np.empty((STATES, len(board), 3))
    positions[..., :2] = rng.uniform(0, SIZE, (STATES, len(board), 2))
    positions[..., 2] = rng.uniform(-np.pi, np.pi, (STATES, len(board)))
    return positions


def battle_lines(board, rng):
    """Two lines of six units, two ranks deep, that face each other across the table."""
    positions = np.empty((STATES, len(board), 3))
    place = np.arange(len(board)) % 12
    positions[..., 0] = 8 + 11 * (place % 6)
    positions[..., 1] = np.where(board.side == 0, 14 - 6 * (place // 6), 34 + 6 * (place // 6))
    positions[..., 2] = np.where(board.side == 0, 1, -1) * np.pi / 2
    return positions + rng.normal(0, (1.0, 1.0, 0.2), positions.shape)


LAYOUTS = {"scattered": scattered, "battle lines": battle_lines}


def seconds_on_a_core(work):
    """Best of three, in time of this thread: other processes on the machine do not count."""
    times = []
    for _ in range(3):
        start = time.thread_time()
        work()
        times.append(time.thread_time() - start)
    return min(times)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("questions", [*((question,) for question in QUESTIONS), QUESTIONS], ids="+".join)
@pytest.mark.benchmark(group="evaluate")
def test_evaluate(benchmark, questions, layout):
    rng = np.random.default_rng(1)
    board = make_board(rng)
    positions = LAYOUTS[layout](board, rng)
    benchmark.pedantic(t9a.evaluate, (board, positions), {"questions": questions}, rounds=3, warmup_rounds=1)
    if benchmark.enabled:
        seconds = seconds_on_a_core(lambda: t9a.evaluate(board, positions, questions=questions))
        pairs = STATES * len(board) * (len(board) - 1)
        benchmark.extra_info["states per second per core"] = round(STATES / seconds)
        benchmark.extra_info["million ordered pairs per second per core"] = round(pairs / seconds / 1e6, 3)


@pytest.mark.benchmark(group="evaluate with masks")
@pytest.mark.parametrize("mask", ["present", "occupied"])
def test_evaluate_with_masks(benchmark, mask):
    rng = np.random.default_rng(1)
    board = make_board(rng)
    positions = scattered(board, rng)
    shape = (STATES, len(board) if mask == "present" else board.n_models)
    masks = {mask: rng.random(shape) < 0.9}
    benchmark.pedantic(t9a.evaluate, (board, positions), masks, rounds=3, warmup_rounds=1)
