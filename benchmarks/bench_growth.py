"""What a state costs, all unit questions together, and how that grows with units, models and terrain."""

import numpy as np
import pytest

from benchmarks.bench_evaluate import ARMY, KINDS, SIZE, scattered
from benchmarks.ratio import on_a_core
from benchmarks.rows import Row
from ninthgeom import Board, Terrain, Unit, t9a

GROUP = "What a state costs, and how that grows"
# What stays the same while something else grows; the models grow in fewer units.
UNITS, FEW_UNITS, TERRAIN = 24, 10, 8
SIZES = {
    "units": (6, 12, 24, 48, 96),
    "models": (50, 100, 250, 500, 1000),
    "pieces of terrain": (0, 5, 10, 20, 40),
}
DATA = {
    "units": (
        "all four questions of `t9a.evaluate` about so many units of the usual kinds in turn, anywhere on a "
        "table of 72 x 48 inches with 8 pieces of terrain of every kind"
    ),
    "models": (
        "the same with so many models, a tenth of them in each of 10 units of 20 mm bases, ten to a rank at "
        "most, and 8 pieces of terrain"
    ),
    "pieces of terrain": (
        "the same with 24 units and so many pieces of six corners, 2 to 5 inches from the middle, of all "
        "kinds in turn"
    ),
}


def make_units(n):
    return [Unit(f"unit {i}", side=i % 2, **ARMY[i // 2 % len(ARMY)]) for i in range(n)]


def make_blocks(models):
    each = models // FEW_UNITS
    return [
        Unit(f"unit {i}", (20, 20), models=each, files=min(each, 10), side=i % 2) for i in range(FEW_UNITS)
    ]


def make_terrain(rng, n):
    angles = np.linspace(0, 2 * np.pi, 6, endpoint=False)
    ring = np.column_stack([np.cos(angles), np.sin(angles)])
    middles = rng.uniform(0, SIZE, (n, 1, 2))
    outlines = middles + rng.uniform(2, 5, (n, 6, 1)) * ring
    return [Terrain(outline, kind=KINDS[i % len(KINDS)]) for i, outline in enumerate(outlines)]


def make_task(what, size, states):
    """Return a call that answers all questions of some states."""
    rng = np.random.default_rng(1)
    units = make_units(size if what == "units" else UNITS) if what != "models" else make_blocks(size)
    board = Board(units, make_terrain(rng, size if what == "pieces of terrain" else TERRAIN), SIZE)
    positions = scattered(board, rng, states)
    t9a.evaluate(board, positions[:1])  # compiles the kernels
    return lambda: t9a.evaluate(board, positions)


def states_of(what, size, *, enabled):
    units = {"units": size, "models": FEW_UNITS}.get(what, UNITS)
    return max(100, 12_000 // units) if enabled else 1


def growth(sizes, seconds):
    """Return the power of the size that the time grows with, the line through the logarithms."""
    counts = np.array(sizes) > 0
    return float(np.polyfit(np.log(np.array(sizes)[counts]), np.log(np.array(seconds)[counts]), 1)[0])


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("what", SIZES)
def bench_growth(benchmark, what):
    enabled = benchmark.enabled
    sizes = SIZES[what] if enabled else SIZES[what][1:3]
    states = [states_of(what, size, enabled=enabled) for size in sizes]
    tasks = [make_task(what, size, n) for size, n in zip(sizes, states, strict=True)]

    def measure():
        # In turn, so that a busy minute of the machine falls on all sizes.
        rounds = [[on_a_core(task, rounds=1) for task in tasks] for _ in range(5 if enabled else 1)]
        return np.min(rounds, axis=0) / states

    seconds = benchmark.pedantic(measure, rounds=1)
    Row(
        question=f"a state of `t9a.evaluate`, {sizes[0]} to {sizes[-1]} {what}",
        data=DATA[what],
        curve=tuple((size, float(value)) for size, value in zip(sizes, seconds, strict=True)),
        growth=growth(sizes, seconds),
    ).record(benchmark)
