"""Segments against polygons and bases, ratios to shapely and pymunk by the method of `benchmarks.ratio`.

``python -m benchmarks.bench_crossings`` prints the table without pytest.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pymunk
import pytest
import shapely

from benchmarks.pairs import table
from benchmarks.ratio import Comparison, compare
from benchmarks.rows import Row
from ninthgeom import Polygons, Segments, first_hit, intersects, passes_through

MILLION = 10**6
POLYGONS = 100
PART = 0.01  # of the pairs that pymunk is asked about


def twelve_gons(n: int, *, is_convex: bool, side: float = 72.0, seed: int = 3) -> np.ndarray:
    """Outlines (n, 12, 2): on circles of 1 to 2 inches, or every vertex 1 to 2 inches from the centre."""
    rng = np.random.default_rng(seed)
    centres = rng.uniform(0.0, side, (n, 1, 2))
    angles = (np.arange(12) + rng.uniform(-0.4, 0.4, (n, 12))) * (math.tau / 12)
    radii = rng.uniform(1.0, 2.0, (n, 1) if is_convex else (n, 12))
    return centres + np.stack([radii * np.cos(angles), radii * np.sin(angles)], axis=-1)


def segments_near(x: np.ndarray, y: np.ndarray, *, spread: float = 2.5, seed: int = 4) -> Segments:
    """Segments of 0.5 to 4 inches in any direction, their middles normal(0, spread) from the points."""
    rng = np.random.default_rng(seed)
    x, y = x + rng.normal(0.0, spread, x.shape), y + rng.normal(0.0, spread, x.shape)
    angle, half = rng.uniform(-math.pi, math.pi, x.shape), rng.uniform(0.25, 2.0, x.shape)
    dx, dy = half * np.cos(angle), half * np.sin(angle)
    return Segments(x - dx, y - dy, x + dx, y + dy)


def in_turn(n: int, *, is_convex: bool) -> tuple[Segments, Polygons]:
    """Segments of shape (n / 100, 100) and the hundred polygons that they are near."""
    outlines = twelve_gons(POLYGONS, is_convex=is_convex)
    x, y = np.broadcast_to(outlines.mean(axis=1).T[:, None], (2, n // POLYGONS, POLYGONS))
    return segments_near(x, y), Polygons(outlines)


def against_shapely(n: int, *, is_convex: bool, is_prepared: bool = False) -> Comparison:
    """`passes_through` against shapely.intersects, both built."""
    segments, polygons = in_turn(n, is_convex=is_convex)
    lines, shapes = segments.to_shapely(), shapely.polygons(twelve_gons(POLYGONS, is_convex=is_convex))
    if is_prepared:
        shapely.prepare(shapes)
    out = np.empty(segments.shape, bool)
    # shapely looks for a prepared geometry on its first side only.
    return compare(
        lambda: passes_through(segments, polygons, out=out),
        lambda: shapely.intersects(shapes, lines),
        rounds=5,
    )


def from_outlines(n: int) -> Comparison:
    """`passes_through` with polygons built and cut in the call, against shapely's built in the call."""
    segments, _ = in_turn(n, is_convex=False)
    outlines = twelve_gons(POLYGONS, is_convex=False)
    lines = segments.to_shapely()
    return compare(
        lambda: passes_through(segments, Polygons(outlines)),
        lambda: shapely.intersects(shapely.polygons(outlines), lines),
        rounds=3,
    )


def intersecting(n: int) -> Comparison:
    """`intersects` against shapely.intersects, both built, polygons that are not convex."""
    segments, polygons = in_turn(n, is_convex=False)
    lines, shapes = segments.to_shapely(), polygons.to_shapely()
    out = np.empty(segments.shape, bool)
    return compare(
        lambda: intersects(segments, polygons, out=out), lambda: shapely.intersects(lines, shapes), rounds=5
    )


def first_hits(n: int) -> Comparison:
    """`first_hit` against the point of shapely's intersection that is nearest to the start."""
    segments, polygons = in_turn(n, is_convex=False)
    part = max(1, len(segments) // 10)
    few = segments[:part]
    lines, shapes = few.to_shapely(), polygons.to_shapely()
    starts = shapely.points(few.x0, few.y0)
    return compare(
        lambda: first_hit(segments, polygons),
        lambda: shapely.distance(starts, shapely.intersection(lines, shapes)),
        rounds=3,
        part=part / len(segments),
    )


def every_pair(n: int) -> Comparison:
    """Every segment with every polygon of a large table, against an STRtree built in the call."""
    many = round(10.0 * n**0.5)
    side = 72.0 * math.sqrt(many / 300.0)
    outlines = twelve_gons(many, is_convex=True, side=side)
    rng = np.random.default_rng(5)
    segments = segments_near(*rng.uniform(0.0, side, (2, many)))
    polygons = Polygons(outlines)
    lines, shapes = segments.to_shapely(), polygons.to_shapely()
    out, other = np.empty((2, many, many), bool)

    def theirs() -> None:
        found = shapely.STRtree(shapes).query(lines, predicate="intersects")
        other[...] = False
        other[tuple(found)] = True

    return compare(lambda: passes_through(segments[:, None], polygons, out=out), theirs, rounds=5)


def against_pymunk(n: int) -> Comparison:
    """`first_hit` of rectangles against pymunk's segment query, one pair a call."""
    bases = table(n)
    segments = segments_near(bases.x, bases.y)
    few = max(1, round(n * PART))
    bodies = []
    for base in bases[:few]:
        body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        body.position, body.angle = (float(base.x), float(base.y)), float(base.heading)
        shape = pymunk.Poly.create_box(body, (float(base.depth), float(base.width)))
        shape.cache_bb()
        bodies.append(shape)
    ends = segments._ends[:, :few].T.tolist()

    def theirs() -> list[object]:
        return [
            shape.segment_query((x0, y0), (x1, y1))
            for shape, (x0, y0, x1, y1) in zip(bodies, ends, strict=True)
        ]

    return compare(lambda: first_hit(segments, bases), theirs, part=few / n)


@dataclass(frozen=True)
class Against:
    """A comparison for n pairs, how many times as fast it should be, and what is said of it."""

    compared: Callable[[int], Comparison]
    aim: float | None
    other: str
    data: str
    pairs: int = 1


NEAR = (
    "a million segments of 0.5 to 4 inches, middles normal(0, 2.5 inches) from the centres of 100 12-gons "
    "in turn, "
)
OUTLINES = NEAR.removesuffix("in turn, ") + "in turn, from their outlines to the answers"
CONVEX = NEAR + "convex ones on circles of 1 to 2 inches; built, pieces too"
STARS = NEAR + "not convex, every vertex 1 to 2 inches from the centre; built, pieces too"
INTERSECTS = "`shapely.intersects`"
ROWS = {
    "`passes_through`, convex 12-gons": Against(
        lambda n: against_shapely(n, is_convex=True), 40.0, INTERSECTS, CONVEX
    ),
    "`passes_through`, 12-gons with notches": Against(
        lambda n: against_shapely(n, is_convex=False), 40.0, INTERSECTS, STARS
    ),
    "`Polygons` and `passes_through`, with notches": Against(
        from_outlines, None, "`shapely.polygons` and `shapely.intersects`", f"{OUTLINES}, not convex"
    ),
    "`passes_through`, convex, prepared": Against(
        lambda n: against_shapely(n, is_convex=True, is_prepared=True),
        None,
        f"{INTERSECTS} of prepared polygons",
        CONVEX,
    ),
    "`passes_through`, with notches, prepared": Against(
        lambda n: against_shapely(n, is_convex=False, is_prepared=True),
        None,
        f"{INTERSECTS} of prepared polygons",
        STARS,
    ),
    "`intersects`, 12-gons with notches": Against(intersecting, None, INTERSECTS, STARS),
    "`first_hit`, 12-gons with notches": Against(
        first_hits,
        None,
        "`shapely.intersection` and the distance to it",
        f"{STARS}; shapely: a tenth of them",
    ),
    "`passes_through`, every pair of 10,000": Against(
        every_pair,
        None,
        "`shapely.STRtree`, built and queried in the call",
        "10,000 such segments, each with each of 10,000 convex 12-gons, 300 to a table of 72 x 72 inches",
        pairs=100,
    ),
}


@pytest.mark.benchmark(group="Segments against polygons")
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


@pytest.mark.benchmark(group="Against pymunk")
def bench_segment_queries(benchmark):
    n = MILLION if benchmark.enabled else 1000
    result = benchmark.pedantic(against_pymunk, (n,), rounds=1)
    Row(
        question="`first_hit`, rectangles",
        data="a million segments near rectangles of a table; pymunk, one pair a call: a hundredth of them",
        rate=n / result.ours,
        against="`pymunk.Shape.segment_query`",
        ratio=result.ratio,
    ).record(benchmark)


if __name__ == "__main__":
    for name, row in ROWS.items():
        if not sys.argv[1:] or any(word in name for word in sys.argv[1:]):
            print(f"{name:<44}{row.compared(MILLION)}   (aim {row.aim})", flush=True)
