"""States per second of the unit questions, and of those about objects, on one core."""

import numpy as np
import pytest

from benchmarks.ratio import on_a_core
from benchmarks.rows import Row
from ninthgeom import Board, Terrain, Unit, t9a

STATES = 1_000
QUESTIONS = ("distance", "contact", "arcs", "sight")
SIZE = (72.0, 48.0)
DATA = (
    "a thousand states of 24 units of usual kinds and 8 pieces of terrain of every kind; all four questions "
    "(distance, contact, arcs, sight) and scattered units unless the name says otherwise"
)
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


def scattered(board, rng, states):
    """Units anywhere, facing anywhere."""
    positions = np.empty((states, len(board), 3))
    positions[..., :2] = rng.uniform(0, SIZE, (states, len(board), 2))
    positions[..., 2] = rng.uniform(-np.pi, np.pi, (states, len(board)))
    return positions


def battle_lines(board, rng, states):
    """Two lines of six units, two ranks deep, that face each other across the table."""
    positions = np.empty((states, len(board), 3))
    place = np.arange(len(board)) % 12
    positions[..., 0] = 8 + 11 * (place % 6)
    positions[..., 1] = np.where(board.side == 0, 14 - 6 * (place // 6), 34 + 6 * (place // 6))
    positions[..., 2] = np.where(board.side == 0, 1, -1) * np.pi / 2
    return positions + rng.normal(0, (1.0, 1.0, 0.2), positions.shape)


LAYOUTS = {"scattered": scattered, "battle lines": battle_lines}


# Name: questions, layout, and which mask leaves a tenth out.
CASES = {
    **{f"{question} alone": ((question,), "scattered", None) for question in QUESTIONS},
    "scattered": (QUESTIONS, "scattered", None),
    "two battle lines": (QUESTIONS, "battle lines", None),
    "a tenth of the units absent": (QUESTIONS, "scattered", "present"),
    "a tenth of the models fallen": (QUESTIONS, "scattered", "occupied"),
}


@pytest.mark.benchmark(group="All questions of the rules layer")
@pytest.mark.parametrize("case", CASES)
def bench_evaluate(benchmark, case):
    questions, layout, mask = CASES[case]
    rng = np.random.default_rng(1)
    board = make_board(rng)
    states = STATES if benchmark.enabled else 3
    positions = LAYOUTS[layout](board, rng, states)
    columns = {"present": len(board), "occupied": board.n_models}
    masks = {mask: rng.random((states, columns[mask])) < 0.9} if mask else {}
    t9a.evaluate(board, positions[:1], questions=questions)  # compiles the kernels

    def ask():
        return t9a.evaluate(board, positions, questions=questions, **masks)

    seconds = benchmark.pedantic(on_a_core, (ask,), {"rounds": 3}, rounds=1)
    Row(
        question=f"`t9a.evaluate`, {case}",
        data=DATA,
        rate=states / seconds,
        items="states",
    ).record(benchmark)


@pytest.mark.benchmark(group="All questions of the rules layer")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("question", [t9a.legal, t9a.overlaps], ids=lambda question: question.__name__)
def bench_objects(benchmark, question, layout):
    rng = np.random.default_rng(1)
    board = make_board(rng)
    states = STATES if benchmark.enabled else 3
    positions = LAYOUTS[layout](board, rng, states)
    question(board, positions[:1])  # compiles the kernels
    seconds = benchmark.pedantic(on_a_core, (lambda: question(board, positions),), {"rounds": 3}, rounds=1)
    name = "two battle lines" if layout == "battle lines" else layout
    Row(
        question=f"`t9a.{question.__name__}`, {name}",
        data=DATA,
        rate=states / seconds,
        items="states",
    ).record(benchmark)
