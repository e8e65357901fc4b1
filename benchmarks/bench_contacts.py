"""States per second of contacts and attack rights, on one core."""

import numpy as np
import pytest

from benchmarks.bench_evaluate import make_board, scattered
from benchmarks.ratio import on_a_core
from benchmarks.rows import Row
from ninthgeom import t9a

STATES = 1_000
ENGAGED = 6
DATA = (
    "a thousand states of the 24 units and 8 pieces of terrain of `t9a.evaluate`, six units of one side "
    "engaged with six of the other, to the front, a flank or the rear, anywhere along it and on the table, "
    "the rest scattered; at full strength, or a tenth of the models fallen, their places empty and the "
    "boundaries frozen, or filled from the rear"
)


def engaged(board, rng, states):
    """Every unit of the second side that is engaged touches its enemy with its front."""
    positions = scattered(board, rng, states)
    for i in range(ENGAGED):
        target, charger = board.index(f"0-{i}"), board.index(f"1-{(i + 1) % ENGAGED}")
        boundary = board.boundaries(positions)[:, target]
        wide, deep = board.boundaries(positions).width, board.boundaries(positions).depth
        facing = rng.integers(0, 4, states)
        is_flank = facing % 2 == 1
        # the middle of the facing, and along it as far as the two still touch
        ahead = np.where(is_flank, wide[:, target], deep[:, target]) / 2
        half = (np.where(is_flank, deep[:, target], wide[:, target]) + wide[:, charger]) / 2
        along = rng.uniform(-0.8, 0.8, states) * half
        angle = boundary.heading + facing * np.pi / 2
        positions[:, charger, 0] = boundary.x + ahead * np.cos(angle) - along * np.sin(angle)
        positions[:, charger, 1] = boundary.y + ahead * np.sin(angle) + along * np.cos(angle)
        positions[:, charger, 2] = angle + np.pi
    return positions


def masks(board, rng, states, case):
    """Which slots are occupied, and which the boundaries go by."""
    if case == "full strength":
        return {}, {}
    fallen = board.occupied & (rng.random((states, board.n_models)) < 0.9)
    if case == "ranks filled":
        return {"occupied": board.fill_ranks(fallen)}, {}
    return {"occupied": fallen}, {"frozen": board.occupied}


@pytest.mark.benchmark(group="Contacts and attack rights")
@pytest.mark.parametrize("case", ["full strength", "a tenth fallen", "ranks filled"])
def bench_contacts(benchmark, case):
    rng = np.random.default_rng(1)
    board = make_board(rng)
    states = STATES if benchmark.enabled else 3
    positions = engaged(board, rng, states)
    living, boundaries = masks(board, rng, states, case)

    def ask():
        rows = t9a.contacts(board, positions, **living, **boundaries)
        return rows, t9a.may_attack(board, rows, **living)

    rows, _ = ask()  # compiles the kernels
    assert len(rows) > 20 * states
    seconds = benchmark.pedantic(on_a_core, (ask,), {"rounds": 5}, rounds=1)
    Row(
        question=f"`t9a.contacts` and `t9a.may_attack`, {case}",
        data=DATA,
        rate=states / seconds,
        items="states",
        rate_least=20_000,
    ).record(benchmark)
