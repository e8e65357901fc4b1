"""The physics engine pymunk, which answers pairs one at a time."""

import numpy as np
import pymunk
import pytest

import ninthgeom
from benchmarks.pairs import near_pairs
from benchmarks.ratio import compare
from benchmarks.rows import Row

PART = 0.01  # of the pairs that pymunk is asked about


def shapes(bases):
    """Rectangles as polygons of bodies that stand where the bases do."""
    result = []
    columns = (bases.x, bases.y, bases.heading, bases.width, bases.depth)
    for x, y, heading, width, depth in zip(*(column.tolist() for column in columns), strict=True):
        body = pymunk.Body(body_type=pymunk.Body.KINEMATIC)
        body.position, body.angle = (x, y), heading
        shape = pymunk.Poly.create_box(body, (depth, width))
        shape.cache_bb()
        result.append(shape)
    return result


@pytest.mark.benchmark(group="Against pymunk")
def bench_collisions(benchmark):
    a, b = near_pairs(2 * 10**6 if benchmark.enabled else 2 * 10**4)
    # shapes_collide of pymunk 7.3 fails an assertion of its own where shapes are apart.
    touching = ninthgeom.in_contact(a, b)
    a, b = a[touching], b[touching]
    few = round(len(a) * PART)
    p, q = shapes(a[:few]), shapes(b[:few])
    out = np.empty(len(a), bool)

    def theirs():
        return [bool(first.shapes_collide(second).points) for first, second in zip(p, q, strict=True)]

    assert all(theirs())
    result = benchmark.pedantic(
        compare,
        (lambda: ninthgeom.in_contact(a, b, out=out), theirs),
        {"part": few / len(a)},
        rounds=1,
    )
    Row(
        question="`in_contact`, touching rectangles",
        data=(
            "those of two million near pairs that touch, built; pymunk, one pair a call, is asked about "
            "a hundredth of them and tells contact points too"
        ),
        rate=len(a) / result.ours,
        against="`pymunk.Shape.shapes_collide`",
        ratio=result.ratio,
    ).record(benchmark)
