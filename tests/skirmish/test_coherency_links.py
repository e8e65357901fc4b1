"""Links against brute force."""

from __future__ import annotations

import numpy as np
import pytest

from ninthgeom.skirmish import Ground, Rules
from ninthgeom.skirmish.coherency import coherency
from tests.skirmish.link_scenes import bases_of, crowded
from tests.skirmish.links_oracle import Scene

READINGS = (
    Rules(),
    Rules(sc_link="centre"),
    Rules(sc_probe="base"),
    Rules(engaged_link="groups", engaged_terrain="any"),
    Rules(engaged_range=0.0, small_gap=0.3, large_gap=0.6),
)


def check(seeds: range, rules: Rules, only_round: bool = False) -> tuple[int, int, int]:
    """Compare scenes; how many models are linked, are not, and hang on a hair."""
    counts = [0, 0, 0]
    for seed in seeds:
        board, positions = crowded(seed, only_round=only_round)
        rng = np.random.default_rng([seed, 1])
        ends = rng.uniform(0, 9, (2, 2))
        ground = Ground(closed=[[*ends[0], *(ends[0] + 0.2 * (ends[1] - ends[0]))]])
        present = rng.random(len(board)) < 0.9
        present[0] = True
        answer = coherency(
            board, positions, [0, -1, -1, -1], ground=ground, rules=rules, present=present, radius=99
        )
        sure, maybe = Scene(board, bases_of(board, positions), present, rules, ground).linked(0)
        linked = set(np.flatnonzero(answer.linked).tolist())
        assert sure <= linked <= maybe, (seed, sure, linked, maybe)
        assert bool(answer.in_coherency[0]) == answer.linked[:5][present[:5]].all()
        assert not answer.in_coherency[1:].any()
        counts[0] += len(sure)
        counts[1] += int(present[:5].sum()) - len(maybe)
        counts[2] += len(maybe - sure)
    return counts[0], counts[1], counts[2]


@pytest.mark.parametrize("rules", READINGS)
def test_links_are_those_of_brute_force(rules: Rules) -> None:
    linked, not_linked, open_ones = check(range(12), rules)
    assert linked > 12
    assert not_linked > 6
    assert open_ones <= 1
