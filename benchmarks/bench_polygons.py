"""Bases against polygons, ratios to shapely by the method of `benchmarks.ratio`.

``python -m benchmarks.bench_polygons`` prints the table without pytest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
import shapely

from benchmarks.bench_crossings import twelve_gons
from benchmarks.pairs import sizes
from benchmarks.ratio import Comparison, compare
from benchmarks.rows import Row
from ninthgeom import Bases, Polygons, distance, in_contact, interiors_meet, wholly_within

POLYGONS = 100
DATA = (
    "100,000 rectangles, centres normal(0, 2.5 inches) from those of 100 12-gons in turn, every other one "
    "convex, the others with notches, sides from 0.5 to 4 inches; built"
)


def near_polygons(n: int, *, seed: int = 7) -> tuple[Bases, Polygons]:
    """Rectangles (n / 100, 100) near the hundred polygons of the last axis."""
    rng = np.random.default_rng(seed)
    outlines = np.stack(
        [twelve_gons(POLYGONS // 2, is_convex=is_convex) for is_convex in (True, False)], axis=1
    )
    outlines = outlines.reshape(POLYGONS, 12, 2)
    x, y = outlines.mean(axis=1).T[:, None] + rng.normal(0.0, 2.5, (2, n // POLYGONS, POLYGONS))
    columns = sizes(rng, x.size, rounded=False)
    return Bases(x, y, **{name: column.reshape(x.shape) for name, column in columns.items()}), Polygons(
        outlines
    )


def compared(ours: Callable[..., object], theirs: Callable[..., object]) -> Callable[[int], Comparison]:
    """Compare two questions about the same built shapes."""

    def task(n: int) -> Comparison:
        bases, polygons = near_polygons(n)
        rectangles, shapes = bases.to_shapely(), polygons.to_shapely()
        return compare(lambda: ours(bases, polygons), lambda: theirs(rectangles, shapes), rounds=5)

    return task


ROWS = {
    "`in_contact`, bases and polygons": (in_contact, shapely.intersects, "`shapely.intersects`"),
    "`distance`, bases and polygons": (distance, shapely.distance, "`shapely.distance`"),
    "`interiors_meet`, bases and polygons": (
        interiors_meet,
        lambda a, b: shapely.relate_pattern(a, b, "T********"),
        "`shapely.relate_pattern`",
    ),
    "`wholly_within`, bases and polygons": (wholly_within, shapely.covered_by, "`shapely.covered_by`"),
}


@pytest.mark.benchmark(group="Bases and polygons against shapely")
@pytest.mark.parametrize("question", ROWS)
def bench_against_shapely(benchmark, question):
    n = 100_000 if benchmark.enabled else 1000
    ours, theirs, name = ROWS[question]
    result = benchmark.pedantic(compared(ours, theirs), (n,), rounds=1)
    Row(question=question, data=DATA, rate=n / result.ours, against=name, ratio=result.ratio).record(
        benchmark
    )


if __name__ == "__main__":
    for question, (ours, theirs, _) in ROWS.items():
        print(f"{question:<40}{compared(ours, theirs)(100_000)}", flush=True)
