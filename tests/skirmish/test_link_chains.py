"""Chains against networkx, one line at a time and all at once."""

from __future__ import annotations

from typing import Any

import networkx
import numpy as np
import pytest

from ninthgeom.skirmish._link_chains import Chains


@pytest.mark.parametrize("seed", range(5))
def test_chains_are_the_components(seed: int) -> None:
    rng = np.random.default_rng(seed)
    here = rng.random((30, 6)) < 0.8
    at_leader = rng.integers(0, 6, 30)
    here[np.arange(30), at_leader] = True
    graphs: list[Any] = [networkx.Graph() for _ in range(30)]
    for graph, row in zip(graphs, here, strict=True):
        graph.add_nodes_from(np.flatnonzero(row).tolist())
    chains = Chains.of(here.copy(), at_leader)
    for _ in range(4):
        row, one, other = rng.integers(0, 30, 12), *rng.integers(0, 6, (2, 12))
        good = here[row, one] & here[row, other]
        row, one, other = row[good], one[good], other[good]
        chains.join(row, one, other)
        for q, i, j in zip(row.tolist(), one.tolist(), other.tolist(), strict=True):
            graphs[q].add_edge(i, j)
        asked = chains.asked(np.arange(30))
        for q in range(30):
            own = networkx.node_connected_component(graphs[q], int(at_leader[q]))
            members = np.flatnonzero(here[q]).tolist()
            assert np.flatnonzero(chains.lost[q]).tolist() == [u for u in members if u not in own]
            for i in members:
                for j in members:
                    apart = not networkx.has_path(graphs[q], i, j)
                    assert (chains.label[q, i] != chains.label[q, j]) == apart
                    # one of the two is asked, a lost one
                    assert (asked[q, i, j] + asked[q, j, i] == 1) == apart
                    assert not asked[q, i, j] or i not in own
        pairs = np.argwhere(asked)
        assert sorted(zip(*(a.tolist() for a in chains.open_pairs()), strict=True)) == [
            tuple(pair) for pair in pairs.tolist()
        ]


def test_no_lines_join_nobody() -> None:
    chains = Chains.of(np.ones((2, 3), np.bool_), np.zeros(2, np.int64))
    nothing = np.empty(0, np.int64)
    chains.join(nothing, nothing, nothing)
    assert chains.lost.tolist() == [[False, True, True]] * 2
