"""Kernels of links, against plain loops over the public questions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import ninthgeom
from ninthgeom_kernel.links import TRIALS, close_enemies, free_links, group_boxes, near_scenes
from tests.strategies import random_bases

ORDER, STARTS = np.array([0, 2, 4, 1, 3, 5]), np.array([0, 3, 5, 6])
GROUP = np.array([0, 1, 0, 1, 0, 2])


def scenes(seed: int, n: int = 30) -> tuple[ninthgeom.Bases, Any]:
    rng = np.random.default_rng(seed)
    bases = random_bases(rng, n * 6, "mixed", spread=3.0).reshape(n, 6)
    return bases, rng.random((n, 6)) < 0.8


def boxes_of(bases: ninthgeom.Bases, present: Any) -> Any:
    out = np.empty((4, len(bases), 3))
    group_boxes(bases._columns, ORDER, STARTS, present, out)
    return out


def test_group_boxes_are_those_of_the_bases() -> None:
    bases, present = scenes(1)
    found = boxes_of(bases, present)
    bounds = bases.bounds
    for s in range(len(bases)):
        for g in range(3):
            own = bounds[s][(g == GROUP) & present[s]]
            low, high = own[:, :2].min(axis=0, initial=np.inf), own[:, 2:].max(axis=0, initial=-np.inf)
            assert np.allclose(found[:, s, g], [*low, *high])


@pytest.mark.parametrize("reach", [0.0, 1.0])
def test_close_enemies(reach: float) -> None:
    bases, present = scenes(2)
    side = np.array([0, 1, 0, 0, 1, 1])
    gaps = ninthgeom.gap(bases[:, :, None], bases[:, None])
    wanted = {
        (s, u, v)
        for s in range(len(bases))
        for u in range(6)
        for v in range(6)
        if GROUP[u] < GROUP[v] and side[u] != side[v] and present[s, [u, v]].all() and gaps[s, u, v] <= reach
    }
    pairs, count = np.full((500, 3), -1), np.zeros(1, np.int64)
    args = bases._columns, boxes_of(bases, present), ORDER, STARTS, side, present, reach
    assert close_enemies(*args, pairs, count)
    found = [tuple(pair) for pair in pairs[: count[0]].tolist()]
    assert set(found) == wanted
    assert len(found) == len(wanted) > 5
    assert [s for s, _, _ in found] == sorted(s for s, _, _ in found)
    assert not close_enemies(*args, pairs[: len(wanted) - 1].copy(), count)


def test_near_scenes() -> None:
    bases, present = scenes(3)
    rng = np.random.default_rng(4)
    low = rng.uniform(-8, 8, (5, 2))
    bounds = np.concatenate([low, low + rng.uniform(0, 3, (5, 2))], axis=1)
    boxes = boxes_of(bases, present)
    state, group = np.divmod(np.arange(90), 3)
    width = rng.uniform(0, 3, 90)
    near, outlines = np.empty((90, 6), np.bool_), np.empty((90, 5), np.bool_)
    near_scenes(bases._columns, boxes, state, group, width, GROUP, present, bounds, near, outlines)

    def meets(q: int, box: Any) -> bool:
        x0, y0, x1, y1 = boxes[:, state[q], group[q]]
        w = width[q]
        return bool(box[0] - w <= x1 and box[1] - w <= y1 and box[2] + w >= x0 and box[3] + w >= y0)

    for q in range(90):
        others = present[state[q]] & (group[q] != GROUP)
        assert near[q].tolist() == [bool(others[u] and meets(q, bases.bounds[state[q], u])) for u in range(6)]
        assert outlines[q].tolist() == [meets(q, box) for box in bounds]
    assert 0.2 < near.mean() < 0.8


def chains(
    bases: ninthgeom.Bases,
    present: Any,
    counts: Any,
    gates: ninthgeom.Bases | None = None,
    triangle: Any = None,
    trials: int = TRIALS,
) -> Any:
    """Chains of units 0, 2 and 4, a scene for each state; the triangle and the gates stand in all of them."""
    n = len(bases)
    rings = np.zeros((0, 2, 4)) if triangle is None else np.asarray(triangle, float).T[None, :, [0, 1, 2, 2]]
    middles = np.zeros((len(rings), 3))
    for k, ring in enumerate(rings):
        middles[k, :2] = ring.mean(axis=1)
        middles[k, 2] = np.hypot(*(ring - middles[k, :2, None])).max()
    rings = np.ascontiguousarray(rings)
    n_gates = 0 if gates is None else gates.size
    columns = np.zeros((7, 1, n * n_gates)) if gates is None else np.tile(gates._columns[:, None], (1, 1, n))
    chain = np.empty((n, 4), np.int64)
    free_links(
        bases._columns,
        np.stack([np.arange(n), np.ones(n, np.int64)]),
        np.ascontiguousarray(np.where(np.pad(present[:, [0, 2, 4]], ((0, 0), (0, 1))), [0, 2, 4, -1], -1)),
        counts,
        np.ones((n, len(rings)), np.bool_),
        rings,
        middles,
        columns,
        n_gates * np.arange(n + 1),
        1e-6,
        trials,
        np.empty(6 + len(rings), np.int64),
        np.empty((2, 2)),
        chain,
    )
    return chain


def row(*places: tuple[float, float]) -> ninthgeom.Bases:
    """Six discs of an inch in one state: three models of the group at 0, 2, 4, three others."""
    x, y = np.array(places).T
    return ninthgeom.Bases.round(x[None], y[None], diameter=1.0)


HERE = np.ones((1, 6), np.bool_)
OTHERS = np.array([[False, True, False, True, False, True]])
FAR = ((50.0, 0.0), (60.0, 0.0), (70.0, 0.0))


def test_free_lines_join_all() -> None:
    bases = row((0, 0), FAR[0], (3, 0), FAR[1], (6, 0), FAR[2])
    assert len(set(chains(bases, HERE, OTHERS)[0, :3].tolist())) == 1
    assert chains(bases, HERE, OTHERS)[0, 3] == -1
    absent = HERE.copy()
    absent[0, 0] = False
    assert chains(bases, absent, OTHERS)[0].tolist()[0] == -1


@pytest.mark.parametrize(
    ("y", "joined"), [(0.0, False), (0.5, False), (0.5 + 9e-7, False), (0.5 + 2e-6, True), (0.7, True)]
)
def test_a_line_keeps_more_than_the_tolerance_off(y: float, joined: bool) -> None:
    """Two discs above and below the line between the centres, which stop those along the sides."""
    bases = row((0, 0), (4.5, y), (3, 0), (4.5, -y), (6, 0), FAR[2])
    chain = chains(bases, HERE, OTHERS)[0]
    assert (chain[1] == chain[2]) == joined
    assert chain[0] == chain[1]
    nobody = chains(bases, HERE, np.zeros((1, 6), np.bool_))[0]
    assert nobody[1] == nobody[2]


@pytest.mark.parametrize("y", [0.3, -0.3])
def test_lines_along_the_sides(y: float) -> None:
    bases = row((0, 0), (4.5, y), (3, 0), FAR[1], (6, 0), FAR[2])
    chain, only_centres = chains(bases, HERE, OTHERS)[0], chains(bases, HERE, OTHERS, trials=1)[0]
    assert chain[1] == chain[2]
    assert only_centres[1] != only_centres[2]


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_lines_crosswise(sign: float) -> None:
    """Discs stop the line between the centres and those along the sides."""
    places = (0, 0), (3.9, 0.45 * sign), (3, 0), (5.1, -0.45 * sign), (6, 0), FAR[2]
    cross = chains(row(*places), HERE, OTHERS)[0]
    assert cross[1] == cross[2]
    three = chains(row(*places), HERE, OTHERS, trials=3)[0]
    assert three[1] != three[2]


WALL = ninthgeom.Bases.rect([4.5], [0.0], math.pi / 2, width=0.0, depth=4.0)
BESIDE = ninthgeom.Bases.rect([4.5], [2.51], math.pi / 2, width=0.0, depth=4.0)


@pytest.mark.parametrize(
    ("more", "joined"),
    [
        ({"gates": WALL}, False),
        ({"gates": BESIDE}, True),
        ({"triangle": [(4.4, -2.0), (4.8, -2.0), (4.5, 3.0)]}, False),
        ({"triangle": [(4.4, 0.51), (4.8, 0.51), (4.5, 3.0)]}, True),
    ],
)
def test_gates_and_triangles_in_the_way(more: Any, joined: bool) -> None:
    bases = row((0, 0), FAR[0], (3, 0), FAR[1], (6, 0), FAR[2])
    chain = chains(bases, HERE, OTHERS, **more)[0]
    assert chain[0] == chain[1]
    assert (chain[1] == chain[2]) == joined


def test_centres_in_one_place() -> None:
    bases = row((0, 0), FAR[0], (0, 0), FAR[1], (0, 0), (0, 9.0))
    assert len(set(chains(bases, HERE, OTHERS)[0, :3].tolist())) == 1


def test_what_is_joined_sees_each_other() -> None:
    """Chains never join whom lines of sight do not."""
    bases, present = scenes(5, 60)
    present[:, 2] = True
    counts = present & OTHERS
    chain = chains(bases, present, counts)
    own = bases[:, [0, 2, 4]]
    x, y = own.x, own.y
    joined = 0
    for s in range(len(bases)):
        # all round: discs inside the bases may only see less, so circles round them see all that counts
        outer = ninthgeom.Bases.round(x[s], y[s], diameter=2 * np.hypot(own.width[s], own.depth[s]))
        seen = ninthgeom.line_of_sight(
            outer[:, None], own[s][None], bases[s], blocks=np.broadcast_to(counts[s], (3, 3, 6))
        )
        links = (seen | seen.T) & present[s, [0, 2, 4]] & present[s, [0, 2, 4], None]
        reach = np.linalg.matrix_power(links.astype(int) + np.eye(3, dtype=int), 3) > 0
        for i in range(3):
            for j in range(3):
                if i != j and chain[s, i] >= 0 and chain[s, i] == chain[s, j]:
                    assert reach[i, j]
                    joined += 1
    assert joined > 40
