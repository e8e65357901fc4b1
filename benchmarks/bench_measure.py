"""Questions about pairs of bases against shapely, ratios by the method of `benchmarks.ratio`.

``python -m benchmarks.bench_measure [words of a question]`` prints those without pytest.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import shapely

import ninthgeom
from benchmarks.pairs import geometries, near_columns, near_pairs, polygons, table
from benchmarks.ratio import Comparison, compare, on_a_core
from benchmarks.rows import Row
from ninthgeom import Bases

MILLION = 10**6
QUESTIONS = ["distance", "in_contact", "interiors_meet", "wholly_within", "inside_arcs", "located_arc"]

PART = 0.1  # of the pairs that shapely is asked about
NEAR = (
    "a million pairs, the second centre normal(0, 2.5 inches) from the first, headings uniform, "
    "sides uniform from 0.5 to 4 inches{}; shapely is asked about the first tenth of them"
)
RECTANGLES = NEAR.format(", built")
ROUNDED = NEAR.format(
    ", corner radii uniform up to half the smaller side, built; for shapely with 8 edges to a quarter circle"
)


def some_columns(n: int, *, rounded: bool = False) -> tuple[Any, Any]:
    """Columns of that part of the near pairs that shapely is asked about."""
    few = round(n * PART)
    first, second = near_columns(n, rounded=rounded)
    return tuple({name: column[:few] for name, column in columns.items()} for columns in (first, second))


def contact(n: int, *, rounded: bool) -> Comparison:
    """Contact of built near pairs against shapely.intersects on built pairs."""
    a, b = near_pairs(n, rounded=rounded)
    p, q = map(geometries, some_columns(n, rounded=rounded))
    out = np.empty(n, bool)
    return compare(lambda: ninthgeom.in_contact(a, b, out=out), lambda: shapely.intersects(p, q), part=PART)


def distances(n: int, *, rounded: bool) -> Comparison:
    """Distance of built near pairs against shapely.distance on built pairs."""
    a, b = near_pairs(n, rounded=rounded)
    p, q = map(geometries, some_columns(n, rounded=rounded))
    out = np.empty(n)
    return compare(lambda: ninthgeom.distance(a, b, out=out), lambda: shapely.distance(p, q), part=PART)


def from_columns(n: int) -> Comparison:
    """Contact from raw columns to answer, bases built, against polygons from raw columns and intersects."""
    first, second = near_columns(n)
    some_first, some_second = some_columns(n)

    def ours() -> Any:
        a, b = (
            Bases.rect(c["x"], c["y"], c["heading"], width=c["width"], depth=c["depth"])
            for c in (first, second)
        )
        return ninthgeom.in_contact(a, b)

    return compare(ours, lambda: shapely.intersects(polygons(some_first), polygons(some_second)), part=PART)


def all_pairs(n: int) -> Comparison:
    """Contact of every base of a table with every other against shapely.intersects, broadcast."""
    n = round((4 * n) ** 0.5)
    bases = table(n)
    shapes = bases.to_shapely()
    out = np.empty((n, n), bool)
    return compare(
        lambda: ninthgeom.in_contact(bases[:, None], bases, out=out),
        lambda: shapely.intersects(shapes[:, None], shapes),
        rounds=5,
    )


def memory(n: int) -> Comparison:
    """Contact against np.copyto of as many bytes, read by the one, read and written by the other."""
    a, b = near_pairs(n)
    out = np.empty(n, bool)
    source, target = np.ones((7, n)), np.empty((7, n))
    return compare(lambda: ninthgeom.in_contact(a, b, out=out), lambda: np.copyto(target, source))


@dataclass(frozen=True)
class Against:
    """A comparison, of how many pairs for n near ones, and what is said of it."""

    compared: Callable[[int], Comparison]
    aim: float
    other: str
    data: str
    pairs: int = 1


INTERSECTS, DISTANCE = "`shapely.intersects`", "`shapely.distance`"
ROWS: dict[str, Against] = {
    "`in_contact`, rectangles": Against(lambda n: contact(n, rounded=False), 180.0, INTERSECTS, RECTANGLES),
    "`in_contact`, rounded bases": Against(lambda n: contact(n, rounded=True), 120.0, INTERSECTS, ROUNDED),
    "`distance`, rectangles": Against(lambda n: distances(n, rounded=False), 150.0, DISTANCE, RECTANGLES),
    "`distance`, rounded bases": Against(lambda n: distances(n, rounded=True), 150.0, DISTANCE, ROUNDED),
    "`Bases.rect` and `in_contact`": Against(
        from_columns,
        40.0,
        "`shapely.polygons` and `shapely.intersects`",
        NEAR.format(", from raw columns to answer"),
    ),
    "`in_contact`, all pairs": Against(
        all_pairs,
        25.0,
        f"{INTERSECTS}, broadcast",
        "2,000 such rectangles anywhere on a table of 72 x 72 inches, each with each",
        pairs=4,
    ),
    "`in_contact`, bytes a second": Against(
        memory,
        0.5,
        "`np.copyto` of as many bytes, read and written",
        "the million pairs of rectangles, two times 7 numbers each",
    ),
}


@pytest.mark.benchmark(group="Pairs of bases against shapely")
@pytest.mark.parametrize("question", ROWS)
def bench_against_shapely(benchmark, question):
    row = ROWS[question]
    n = MILLION if benchmark.enabled else 1000
    result = benchmark.pedantic(row.compared, (n,), rounds=1)
    Row(
        question=question,
        data=row.data,
        rate=row.pairs * n / result.ours,
        against=row.other,
        ratio=result.ratio,
        ratio_least=row.aim,
    ).record(benchmark)


@pytest.mark.benchmark(group="One pair a call, and many")
@pytest.mark.parametrize("question", QUESTIONS)
def bench_pairs(benchmark, question):
    """One pair takes the time of a call; many take the time of their pairs."""
    many = 100_000 if benchmark.enabled else 100
    one_pair, pairs = near_pairs(1, rounded=True), near_pairs(many, rounded=True)
    ask = getattr(ninthgeom, question)
    rate = many / benchmark.pedantic(on_a_core, (lambda: ask(*pairs),), {"rounds": 50}, rounds=1)
    call = on_a_core(lambda: [ask(*one_pair) for _ in range(100)], rounds=20) / 100
    Row(
        question=f"`{question}`",
        data="a call with a single pair, and the rate with 100,000 pairs, rounded bases near each other",
        rate=rate,
        seconds=call,
    ).record(benchmark)


@pytest.mark.benchmark(group="One pair a call, and many")
def bench_building(benchmark):
    n = MILLION if benchmark.enabled else 1000
    columns, _ = near_columns(n, rounded=True)
    single, _ = near_columns(1, rounded=True)
    rate = n / benchmark.pedantic(on_a_core, (lambda: Bases(**columns),), rounds=1)
    call = on_a_core(lambda: [Bases(**single) for _ in range(100)]) / 100
    Row(
        question="`Bases`",
        data="building a single base, and the rate with a million, from columns",
        rate=rate,
        items="bases",
        seconds=call,
    ).record(benchmark)


@dataclass(frozen=True)
class Threads:
    """Seconds by the clock with one and with two threads; what the two had and took of the processors.

    Where other work keeps a core busy the clock says little of the threads; `extra` does: how many times as
    much processor time two threads took as one.
    """

    one: float
    two: float
    processors: float
    extra: float


def two_workers(ask: Callable[[int], object], rounds: int = 12) -> Threads:
    """Time calls with one and two threads in turn; the best of each count."""
    times: dict[int, list[tuple[float, float]]] = {1: [], 2: []}
    for _ in range(rounds):
        for workers, taken in times.items():
            clock, processor = time.perf_counter(), time.process_time()
            ask(workers)
            taken.append((time.perf_counter() - clock, time.process_time() - processor))
    one, two = (min(taken) for taken in times.values())
    extra = min(processor for _, processor in times[2]) / min(processor for _, processor in times[1])
    return Threads(one[0], two[0], two[1] / two[0], extra)


def outer_work(n: int) -> Callable[[int], object]:
    bases, out = table(n), np.empty((n, n), bool)
    return lambda workers: ninthgeom.in_contact(bases[:, None], bases, out=out, workers=workers)


def elementwise_work(n: int) -> Callable[[int], object]:
    a, b = near_pairs(n, rounded=True)
    out = np.empty(n, np.uint8)
    return lambda workers: ninthgeom.inside_arcs(a, b, out=out, workers=workers)


WORK = {
    "`in_contact` of all pairs": (outer_work, 6000, "6,000 rectangles, each with each"),
    "`inside_arcs`, pair by pair": (elementwise_work, 4 * MILLION, "4 million near pairs of rounded bases"),
}


@pytest.mark.benchmark(group="Two threads, by the clock")
@pytest.mark.parametrize("question", WORK)
def bench_two_workers(benchmark, question):
    work, n, data = WORK[question]
    result = benchmark.pedantic(two_workers, (work(n if benchmark.enabled else 100),), rounds=1)
    Row(
        question=f"{question}, `workers=2`",
        data=f"{data}; with one worker {1e3 * result.one:.0f} ms, best of 12 calls in turn",
        seconds=result.two,
        against=(
            f"`workers=1`; two threads had {result.processors:.2f} processors, "
            f"and took {result.extra:.2f} x the processor time of one"
        ),
        ratio=result.one / result.two,
        ratio_least=1.8,
    ).record(benchmark, slack=float("inf"))  # a second core may be busy with something else


if __name__ == "__main__":
    for name in (name for name in ROWS if not sys.argv[1:] or any(word in name for word in sys.argv[1:])):
        print(f"{name:<32}{ROWS[name].compared(MILLION)}   (aim {ROWS[name].aim:g})", flush=True)
