"""`pairs_within` against shapely's STRtree, built in the call, ratios by the method of `benchmarks.ratio`.

The density is that of a full table: 2,000 bases on 72 x 72 inches, 0.39 to the square inch, with sides from
half an inch to 4 inches, so that each touches 9 others; any number of bases on a square of that density.
``python -m benchmarks.bench_index`` prints the table without pytest.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
import shapely

from benchmarks.pairs import sizes
from benchmarks.ratio import Comparison, compare, seconds
from benchmarks.rows import Row
from ninthgeom import Bases, pairs_within

N = 100_000
AREA = 72.0 * 72.0 / 2000.0


def crowd(n: int, *, walls: int = 0, seed: int = 5) -> Bases:
    """Rectangles at the density of a full table, the first of them walls of 60 inches."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, math.sqrt(n * AREA), (2, n))
    columns = sizes(rng, n, rounded=False)
    columns["depth"][:walls] = 60.0
    return Bases(x, y, **columns)


def boards(count: int, n: int, *, seed: int = 6) -> tuple[Bases, np.ndarray]:
    """Boards of 72 x 48 inches with n bases each, and the board of each base."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, 72.0, count * n), rng.uniform(0.0, 48.0, count * n)
    return Bases(x, y, **sizes(rng, count * n, rounded=False)), np.repeat(np.arange(count), n)


def against_tree(bases: Bases, distance: float) -> Comparison:
    """Against an STRtree built and asked about its own geometries, which finds each pair twice."""
    shapes = bases.to_shapely()

    def theirs() -> object:
        tree = shapely.STRtree(shapes)
        if distance == 0.0:
            return tree.query(shapes, predicate="intersects")
        return tree.query(shapes, predicate="dwithin", distance=distance)

    return compare(lambda: pairs_within(bases, distance=distance), theirs, rounds=3)


def against_boards(count: int, distance: float) -> Comparison:
    """Boards in one batch, against an STRtree a board."""
    bases, group = boards(count, 200)
    shapes = bases.to_shapely().reshape(count, -1)

    def theirs() -> None:
        for board in shapes:
            shapely.STRtree(board).query(board, predicate="dwithin", distance=distance)

    return compare(lambda: pairs_within(bases, distance=distance, group=group), theirs, rounds=3)


def doubling(n: int, distance: float, *, rounds: int = 9) -> float:
    """How many times as long twice as many bases take, as the median of neighbours."""
    one, two = crowd(n), crowd(2 * n)
    ratios = []
    for _ in range(rounds + 1):
        single = seconds(lambda: pairs_within(one, distance=distance), 2)
        ratios.append(seconds(lambda: pairs_within(two, distance=distance), 1) / single)
    return statistics.median(ratios[1:])


@dataclass(frozen=True)
class Against:
    """A comparison for so many bases, how many times as fast it should be, and what is said of it."""

    compared: Callable[[int], Comparison]
    aim: float | None
    other: str
    data: str


CROWD = (
    "100,000 rectangles at the density of a full table, 2,000 on 72 x 72 inches, sides from 0.5 to 4 inches"
)
TREE = "`shapely.STRtree`, built and queried in the call, which finds each pair twice"
ROWS = {
    "`pairs_within`, distance 1": Against(lambda n: against_tree(crowd(n), 1.0), 7.0, TREE, CROWD),
    "`pairs_within`, distance 0": Against(lambda n: against_tree(crowd(n), 0.0), 4.0, TREE, CROWD),
    "`pairs_within`, distance 0, long walls": Against(
        lambda n: against_tree(crowd(n, walls=n // 100), 0.0),
        None,
        TREE,
        f"{CROWD}; every hundredth 60 inches long",
    ),
    "`pairs_within`, distance 1, `group`": Against(
        lambda n: against_boards(n // 200, 1.0),
        None,
        "an `STRtree` for each board",
        "500 boards of 72 x 48 inches with 200 such rectangles each, in one call",
    ),
}
LAYOUTS = {
    "crowd": lambda n: {"a": crowd(n)},
    "one wall": lambda n: {"a": crowd(n, walls=1)},
    "boards of 200": lambda n: dict(zip(("a", "group"), boards(n // 200, 200), strict=True)),
    "groups of two": lambda n: {"a": crowd(n), "group": np.arange(n) // 2},
}


@pytest.mark.benchmark(group="Close pairs of many bases")
@pytest.mark.parametrize("question", ROWS)
def bench_against_shapely(benchmark, question):
    row = ROWS[question]
    n = N if benchmark.enabled else 1000
    result = benchmark.pedantic(row.compared, (n,), rounds=1)
    Row(
        question=question,
        data=row.data,
        rate=n / result.ours,
        items="bases",
        against=row.other,
        ratio=result.ratio,
        ratio_least=row.aim,
    ).record(benchmark)


@pytest.mark.benchmark(group="Close pairs of many bases")
@pytest.mark.parametrize("distance", [0.0, 1.0])
def bench_doubling(benchmark, distance):
    n, rounds = (N, 9) if benchmark.enabled else (1000, 1)
    ratio = benchmark.pedantic(doubling, (n, distance), {"rounds": rounds}, rounds=1)
    Row(
        question=f"`pairs_within`, distance {distance:g}, twice as many bases",
        data="200,000 such rectangles in times of 100,000",
        against="half of the bases",
        ratio=ratio,
        ratio_most=2.4,
    ).record(benchmark, slack=1.25)


@pytest.mark.benchmark(group="index")
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_pairs_within(benchmark, layout):
    arguments = LAYOUTS[layout](N if benchmark.enabled else 1000)
    assert benchmark(pairs_within, distance=1.0, **arguments).shape[0] == 2


if __name__ == "__main__":
    for name, row in ROWS.items():
        print(f"{name:<44}{row.compared(N)}   (aim {row.aim})", flush=True)
    for distance in (1.0, 0.0):
        print(f"twice as many, distance {distance:<20g}{doubling(N, distance):.2f} x   (aim at most 2.4)")
