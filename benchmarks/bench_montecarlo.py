"""Monte Carlo estimates spread over processes and over workers of dask, by the clock."""

import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context

import numpy as np
import pytest

from benchmarks.bench_evaluate import make_board, scattered
from benchmarks.rows import Row
from ninthgeom import Scene, t9a
from ninthgeom.montecarlo import estimate
from ninthgeom.samplers import pose_jitter

pytestmark = pytest.mark.benchmark(group="Monte Carlo, by the clock")
# Some fifteen seconds of one core.
STATES = 60_000
BLOCK = 1_000
DATA = (
    f"how often each of 24 units sees each other, {STATES:,} states in blocks of {BLOCK:,}, every unit "
    "moved up to six inches and turned up to 45 degrees; workers that are there already and have loaded the "
    "kernels"
)


def sees(scene, rng, n):
    return t9a.line_of_sight(scene.board, pose_jitter(rng, scene, n, distance=6.0, angle=np.pi / 4))


@contextmanager
def dask(workers):
    distributed = pytest.importorskip("distributed")
    # Even without a dashboard it serves its state, on a port that only one cluster can have.
    kwargs = {"dashboard_address": "127.0.0.1:0"}
    options = {"threads_per_worker": 1, "dashboard_address": None, "scheduler_kwargs": kwargs}
    with (
        distributed.LocalCluster(n_workers=workers, **options) as cluster,
        distributed.Client(cluster) as client,
    ):
        client.wait_for_workers(workers)
        yield client.get_executor()


def processes(workers):
    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def seconds(executor, sample, states):
    """Time of a whole estimate, and its answer."""
    how = {"seed": 1, "job": "sees", "executor": executor, "progress": False}
    estimate(sample, 64, block=1, **how)  # every worker loads its kernels
    start = time.perf_counter()
    answer = estimate(sample, states, block=min(BLOCK, states), **how)
    return time.perf_counter() - start, answer.mean


@pytest.mark.parametrize("workers", [dask, processes], ids=lambda kind: kind.__name__)
def bench_workers(benchmark, workers):
    rng = np.random.default_rng(1)
    board = make_board(rng)
    sample = partial(sees, Scene(board, scattered(board, rng, 1)[0]))
    states = STATES if benchmark.enabled else 20
    # tests/montecarlo has real workers; a mere test of this benchmark does with threads.
    start = workers if benchmark.enabled else ThreadPoolExecutor

    def two():
        with start(2) as executor:
            return seconds(executor, sample, states)

    fast, answer = benchmark.pedantic(two, rounds=1)
    with start(1) as executor:
        slow, other = seconds(executor, sample, states)
    assert np.array_equal(answer, other)
    name = "dask" if workers is dask else "spawned processes"
    Row(
        question=f"`montecarlo.estimate`, two workers: {name}",
        data=DATA,
        rate=states / fast,
        items="states",
        seconds=fast,
        against=f"one of them, {slow:.3g} s",
        ratio=slow / fast,
        ratio_least=1.6 if workers is dask else None,
    ).record(benchmark)
