"""Files of positions evaluated from end to end: rates, memory, and what reading and writing cost."""

from functools import cache

import pytest

from benchmarks.rows import Row
from benchmarks.streamed import measure, run

pytestmark = pytest.mark.benchmark(group="Mass evaluation, by the clock")
DATA = (
    "the command `evaluate` in a process of its own: distance, contact, arcs and sight of 24 units of usual "
    "kinds, scattered among 8 pieces of terrain, read from an .npy file"
)
FEW, SOME, MILLION = 10_000, 100_000, 1_000_000


run_once, measure_once = cache(run), cache(measure)  # for all rows that need it


def of(benchmark, states, workers=1, kind="folder"):
    """A run in a process of its own; as a mere test a short one, here."""
    return run_once(states, workers, kind) if benchmark.enabled else measure_once(20, workers, kind)


@pytest.mark.parametrize("workers", [1, 2])
def bench_million(benchmark, workers):
    measured = benchmark.pedantic(of, (benchmark, MILLION, workers), rounds=1)
    one = of(benchmark, MILLION)
    Row(
        question=f"a million states, .npy to a folder, `--workers {workers}`",
        data=f"{DATA}; the folder is one of .npy files",
        rate=measured.rate,
        items="states",
        seconds=measured.seconds,
        against="" if workers == 1 else "`--workers 1`",
        ratio=None if workers == 1 else one.seconds / measured.seconds,
        ratio_least=None if workers == 1 else 1.8,
    ).record(benchmark)


@pytest.mark.parametrize("states", [FEW, SOME])
def bench_flat(benchmark, states):
    measured = benchmark.pedantic(of, (benchmark, states), rounds=1)
    million = of(benchmark, MILLION)
    Row(
        question=f"a state of a million, in times of one of {states:,}",
        data=f"{DATA}; processor time, one worker",
        against=f"a state of {states:,}",
        ratio=million.processor / million.states / (measured.processor / measured.states),
        ratio_most=1.1,
    ).record(benchmark)


@pytest.mark.parametrize("workers", [1, 2])
def bench_memory(benchmark, workers):
    few = benchmark.pedantic(of, (benchmark, FEW, workers), rounds=1)
    million = of(benchmark, MILLION, workers)
    how = f"{DATA}; what the process grows by at most while it evaluates, with all modules and kernels loaded"
    Row(
        question=f"memory of a million states, `--workers {workers}`",
        data=how,
        against=f"memory of {FEW:,} states",
        ratio=million.grown / few.grown,
        ratio_most=1.1,
    ).record(benchmark)


@pytest.mark.parametrize("workers", [1, 2])
def bench_memory_of_chunk(benchmark, workers):
    million = benchmark.pedantic(of, (benchmark, MILLION, workers), rounds=1)
    Row(
        question=f"memory of a million states in chunks, `--workers {workers}`",
        data=f"{DATA}; what the process grows by at most, in times of what it reads and writes at once, "
        "64 MB",
        against="the arrays of one chunk",
        ratio=million.grown / million.chunk,
        ratio_most=1.5,
    ).record(benchmark)


@pytest.mark.parametrize("kind", ["folder", "parquet"])
def bench_files(benchmark, kind):
    states = SOME if kind == "folder" else FEW
    measured = benchmark.pedantic(of, (benchmark, states, 1, kind), rounds=1)
    memory = of(benchmark, FEW, 1, "memory")
    rates = [run.states / run.processor for run in (measured, memory)]
    Row(
        question=f"`evaluate`, .npy to {'a folder' if kind == 'folder' else '.parquet'}",
        data=f"{DATA}; {states:,} states, processor time of all threads; the other side is `t9a.evaluate`, "
        "4,000 of the states at a time, nothing read or written",
        rate=rates[0],
        items="states",
        against="`t9a.evaluate` in memory",
        ratio=rates[0] / rates[1],
        ratio_least=0.8 if kind == "folder" else None,
    ).record(benchmark)
