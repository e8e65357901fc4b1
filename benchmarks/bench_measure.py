"""Questions about pairs of bases against shapely, ratios by the method of `benchmarks.ratio`.

``python -m benchmarks.bench_measure`` prints the table without pytest.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import shapely

import ninthgeom
from benchmarks.pairs import geometries, near_columns, near_pairs, polygons, table
from benchmarks.ratio import Comparison, compare
from ninthgeom import Bases

MILLION = 10**6
QUESTIONS = ["distance", "in_contact", "interiors_meet", "wholly_within", "inside_arcs", "located_arc"]


def contact(n: int, *, rounded: bool) -> Comparison:
    """Contact of built near pairs against shapely.intersects on the same built pairs."""
    a, b = near_pairs(n, rounded=rounded)
    p, q = (geometries(columns) for columns in near_columns(n, rounded=rounded))
    out = np.empty(n, bool)
    return compare(lambda: ninthgeom.in_contact(a, b, out=out), lambda: shapely.intersects(p, q))


def distances(n: int, *, rounded: bool) -> Comparison:
    """Distance of built near pairs against shapely.distance on the same built pairs."""
    a, b = near_pairs(n, rounded=rounded)
    p, q = (geometries(columns) for columns in near_columns(n, rounded=rounded))
    out = np.empty(n)
    return compare(lambda: ninthgeom.distance(a, b, out=out), lambda: shapely.distance(p, q))


def from_columns(n: int) -> Comparison:
    """Contact from raw columns to answer, bases built, against polygons from raw columns and intersects."""
    first, second = near_columns(n)

    def ours() -> Any:
        a, b = (
            Bases.rect(c["x"], c["y"], c["heading"], width=c["width"], depth=c["depth"])
            for c in (first, second)
        )
        return ninthgeom.in_contact(a, b)

    return compare(ours, lambda: shapely.intersects(polygons(first), polygons(second)), rounds=3)


def all_pairs(n: int) -> Comparison:
    """Contact of every base of a table with every other against shapely.intersects, broadcast."""
    n = max(4, round(n**0.5 * 2.0))
    bases = table(n)
    shapes = bases.to_shapely()
    out = np.empty((n, n), bool)
    return compare(
        lambda: ninthgeom.in_contact(bases[:, None], bases, out=out),
        lambda: shapely.intersects(shapes[:, None], shapes),
    )


def memory(n: int) -> Comparison:
    """Contact against np.copyto of as many bytes, read by the one, read and written by the other."""
    a, b = near_pairs(n)
    out = np.empty(n, bool)
    source, target = np.ones((7, n)), np.empty((7, n))
    return compare(lambda: ninthgeom.in_contact(a, b, out=out), lambda: np.copyto(target, source))


# Name, what is compared, and how many times as fast it should be.
ROWS: dict[str, tuple[Callable[[int], Comparison], float]] = {
    "in_contact, rectangles": (lambda n: contact(n, rounded=False), 180.0),
    "in_contact, rounded": (lambda n: contact(n, rounded=True), 120.0),
    "distance, rectangles": (lambda n: distances(n, rounded=False), 150.0),
    "distance, rounded": (lambda n: distances(n, rounded=True), 150.0),
    "from raw columns to contact": (from_columns, 40.0),
    "in_contact, all pairs": (all_pairs, 25.0),
    "in_contact, bytes per second": (memory, 0.5),
}


@pytest.mark.benchmark(group="bases against shapely")
@pytest.mark.parametrize("row", ROWS)
def bench_against_shapely(benchmark, row):
    task, aim = ROWS[row]
    result = benchmark.pedantic(task, (MILLION if benchmark.enabled else 1000,), rounds=1)
    benchmark.extra_info |= {"ratio": round(result.ratio, 2), "aim": aim}
    if benchmark.enabled:
        # Half of the aim: processors differ in how far one of them is ahead of the other.
        assert result.ratio > 0.5 * aim


@pytest.mark.benchmark(group="bases")
@pytest.mark.parametrize("n", [1, 1000, 100_000])
@pytest.mark.parametrize("question", QUESTIONS)
def bench_pairs(benchmark, question, n):
    a, b = near_pairs(n, rounded=True)
    ask = getattr(ninthgeom, question)
    assert benchmark(ask, a, b).shape == (n,)


@pytest.mark.benchmark(group="bases, built")
@pytest.mark.parametrize("n", [1, 1000, MILLION])
def bench_building(benchmark, n):
    columns, _ = near_columns(n, rounded=True)
    assert benchmark(lambda: Bases(**columns)).shape == (n,)


def two_workers(n: int) -> float:
    """How many times as fast two threads are as one, by the clock: the best of several calls."""
    a, b = near_pairs(n)
    out = np.empty(n)
    best = {1: float("inf"), 2: float("inf")}
    for _ in range(15):
        for workers in best:
            start = time.perf_counter()
            ninthgeom.distance(a, b, out=out, workers=workers)
            best[workers] = min(best[workers], time.perf_counter() - start)
    return best[1] / best[2]


@pytest.mark.benchmark(group="bases, two workers")
def bench_two_workers(benchmark):
    n = 10 * MILLION if benchmark.enabled else 1000
    ratio = benchmark.pedantic(two_workers, (n,), rounds=1)
    benchmark.extra_info |= {"ratio": round(ratio, 2), "aim": 1.8, "load": round(os.getloadavg()[0], 1)}


if __name__ == "__main__":
    chosen = sys.argv[1:] or list(ROWS)
    for name in chosen:
        task, aim = ROWS[name]
        print(f"{name:<32}{task(MILLION)}   (aim {aim:g})", flush=True)
