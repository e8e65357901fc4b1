"""`line_of_sight` on one core, and against rays that are sampled with shapely.

Boundaries block as terrain does; those of observer and target do not count.
"""

import numpy as np
import pytest

from benchmarks.ratio import on_a_core
from benchmarks.rows import Row
from benchmarks.sight_sampler import battles, compared

DATA = (
    "8 generated battles of 24 units and 8 pieces of terrain, 40 states of each; the sampler answers 3 of "
    "them: 80 rays a pair, from 5 points of the facing to 16 of the target, those within the arc, against an "
    "STRtree"
)
# What is asked, millions of pairs a second on a 2.6 GHz core, and times as fast as the sampler.
LAYOUTS = {
    "scattered": ("scattered, all ordered pairs", 2.5e6, 500.0),
    "battle_lines": ("two battle lines, enemies only", 1.0e6, None),
}


@pytest.mark.benchmark(group="Line of sight")
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_line_of_sight(benchmark, layout):
    words, rate_least, ratio_least = LAYOUTS[layout]
    scenes = battles(layout, 8, 40) if benchmark.enabled else battles(layout, 1, 2)
    pairs = sum(scene.pairs for scene in scenes)

    def ask():
        return [scene.line_of_sight() for scene in scenes]

    assert 0.05 < sum(int(np.count_nonzero(answer)) for answer in ask()) / pairs < 0.95
    seconds = benchmark.pedantic(on_a_core, (ask,), rounds=1)
    size = {"n": 3, "states": 10} if benchmark.enabled else {"n": 1, "states": 1, "rounds": 1}
    result = compared(layout, **size)
    assert result["seen by the sampler alone"] == 0
    missed = 100 * result["share of them missed by the sampler"]
    Row(
        question=f"`line_of_sight`, {words}",
        data=DATA,
        rate=pairs / seconds,
        rate_least=rate_least,
        against=f"sampled rays, which miss {missed:.1f} % of what is seen",
        ratio=result["times as fast as the sampler"],
        ratio_least=ratio_least,
    ).record(benchmark, slack=5.0)
