"""Bases of all shapes: what is set is in coherency, and no other spot that is tried is better.

Coherency is asked of `coherency`. Spots are judged by the conditions of the search itself, whose parts are
tested elsewhere: what is tested here is that its candidates miss nothing.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Terrain, Unit, interiors_meet
from ninthgeom.skirmish import Rules, place
from ninthgeom.skirmish._goals import Approach, Compact, Goal
from ninthgeom.skirmish._room import Leash
from ninthgeom.skirmish._setting_up import SettingUp, Terms, columns_of_state
from ninthgeom.skirmish._spots import Search
from ninthgeom.skirmish.coherency import coherency
from ninthgeom.skirmish.ground import WHOLE_GROUND

INCH = 25.4
SIZE = (16.0, 14.0)


def random_unit(rng: np.random.Generator, name: str, group: str, side: int) -> Unit:
    kind = rng.integers(0, 3)
    size = int(rng.integers(0, 4))
    if kind == 0:
        return Unit(name, rng.uniform(0.8, 2.2) * INCH, shape="round", group=group, side=side, size=size)
    sides = tuple(rng.uniform(0.6, 2.5, 2) * INCH)
    shape: Any = "oval" if kind == 1 else "rect"
    return Unit(name, sides, shape=shape, group=group, side=side, size=size)


def random_board(rng: np.random.Generator, crowd: int) -> tuple[Board, np.ndarray[Any, Any]]:
    """A group of five, of which the first one leads, with others and terrain round it."""
    units = [random_unit(rng, f"own {i}", "own", 0) for i in range(5)]
    units += [random_unit(rng, f"foe {i}", f"foe {i % 3}", int(rng.integers(0, 2))) for i in range(crowd)]
    terrain = []
    for _ in range(int(rng.integers(0, 5))):
        centre = np.array([8.0, 7.0]) + rng.normal(0.0, 3.0, 2)
        n = int(rng.integers(3, 7))
        angles = np.sort(rng.uniform(0.0, 2.0 * math.pi, n))
        radii = rng.uniform(0.3, 2.2, n)  # star-shaped: not convex, mostly
        if np.diff(angles, append=angles[0] + 2.0 * math.pi).max() < 3.0:
            ring = centre + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=-1)
            if shapely.Polygon(ring).distance(shapely.Point(8.0, 7.0)) > 1.8:  # clear of the leader
                terrain.append(Terrain(ring, kind="ruin", height=int(rng.integers(0, 4))))
    at = np.zeros((len(units), 3))
    at[:, :2] = rng.normal((8.0, 7.0), 2.5, (len(units), 2))
    at[:, 2] = rng.uniform(0.0, 2.0 * math.pi, len(units))
    at[0, :2] = (8.0, 7.0)
    return Board(units, terrain, SIZE), at


@pytest.mark.parametrize("seed", range(24))
def test_what_is_set_is_in_coherency(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board, at = random_board(rng, 6)
    rules = Rules(
        sc_wholly_ref="centre" if seed % 5 == 0 else "edge",
        sc_link="centre" if seed % 4 == 1 else "any-point",
    )
    wished = at[1:5] + rng.normal(0.0, 1.0, (4, 3))
    radius = float(rng.uniform(3.0, 6.0))
    placed = place(board, at, [1, 2, 3, 4], wished, leader=0, radius=radius, rules=rules)
    present = np.ones(len(board), np.bool_)
    present[1:5] = np.isin(placed.status, (1, 2))
    leaders = np.full(int(board.group.max()) + 1, -1)
    leaders[0] = 0
    answer = coherency(
        board, placed.positions, leaders, radius=radius, present=present, rules=rules, tol=2e-6
    )
    assert answer.linked[1:5].tolist() == present[1:5].tolist()
    assert answer.within_radius[1:5].tolist() == (placed.status == 1).tolist()


def standing(board: Board, at: Any, rng: np.random.Generator) -> Any:
    """Return the leader, some of its own, and those of the others that overlap nobody and no terrain."""
    bases = board.boundaries(at)
    here = np.zeros(len(board), np.bool_)
    here[0] = True
    for i in [*range(2, 5), *range(5, len(board))]:
        clear = not interiors_meet(bases[i], bases[np.flatnonzero(here)]).any()
        if clear and not interiors_meet(bases[i], board.terrain_outlines).any():
            here[i] = i >= 5 or rng.random() < 0.3
    return here


def search(board: Board, at: Any, here: Any, unit: int, radius: float | None, rules: Rules) -> Search:
    terms = Terms(
        board=board,
        ground=WHOLE_GROUND,
        rules=rules,
        group=0,
        passed=lambda c, h: np.zeros(len(h), np.bool_),
        tol=1e-6,
    )
    group = SettingUp(
        terms=terms,
        centres=board.centres(at),
        columns=columns_of_state(board, at),
        here=here,
        leader=0,
        radius=1.0,
    )
    base = group.turned(unit, float(at[unit, 2]))
    leash = None if radius is None else Leash(base=base, leader=group.reference, length=radius, tol=1e-6)
    return group._search(group.room(unit, base), leash, base)


def missed(some: Search, goal: Goal, rng: np.random.Generator) -> Any:
    """Return a random spot that is better than the best, if one is found."""
    best = some.best(goal)
    value = math.inf if best is None else float(goal.value(best[None])[0])
    spots = rng.uniform(0.0, SIZE, (4000, 2))
    near = [goal.wished, *([] if best is None else [best])]
    spots = np.concatenate(
        [spots, *(spot + rng.normal(0.0, s, (800, 2)) for spot in near for s in (0.05, 0.5))]
    )
    spots = spots[goal.value(spots) < value - 1e-6]
    spots = spots[some._stands(spots)]
    if best is not None:
        assert some._stands(best[None]).all()
        assert some.links is None or some.links.holds(best[None]).all()
    if some.links is not None and len(spots):
        spots = spots[some.links.holds(spots)]
    return spots[0] if len(spots) else None


@pytest.mark.parametrize("aside", [0.01, 0.05, 0.15, 0.25, 0.4])
def test_a_narrow_peak_between_two_targets(aside: float) -> None:
    """Along the edge of the table a valley beside one target, where a rock ends the way, and then a peak."""
    near = math.hypot(aside, 4.5) - 1.0
    places = [(12.0, 0.5), (0.0, 0.0), (10.0, 5.0), (10.0 + aside + near + 1.0, 0.5), (8.99, 0.5)]
    groups = ["own", "own", "foe", "foe", "rock"]
    units = [
        Unit(f"{group} {i}", INCH, shape="round", group=group, side=int(group == "foe"))
        for i, group in enumerate(groups)
    ]
    board, at = Board(units, size=(40.0, 30.0)), np.array([(x, y, 0.0) for x, y in places])
    some = search(board, at, np.array([True, False, True, True, True]), 1, 3.0, Rules())
    targets = columns_of_state(board, at)[:, 2:4]
    goal = Approach(wished=at[0, :2], base=some.room.base, targets=targets, away=True, tol=1e-6)
    best = some.best(goal)
    assert best is not None
    assert best == pytest.approx([10.0 + aside, 0.5], abs=1e-7)
    assert float(goal.value(best[None])[0]) == pytest.approx(-near, abs=1e-9)


@pytest.mark.parametrize("seed", range(24))
def test_no_spot_is_missed(seed: int) -> None:
    check_no_spot_is_missed(seed)


@pytest.mark.verify
def test_no_spot_is_missed_in_many_scenes() -> None:
    for seed in range(1000, 3000):
        check_no_spot_is_missed(seed)
    print("seeds 1000 to 3000")


def check_no_spot_is_missed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    board, at = random_board(rng, int(rng.integers(0, 14)))
    here = standing(board, at, rng)
    link: Any = "centre" if seed % 4 == 1 else "any-point"
    rules = Rules(sc_link=link, small_gap=float(rng.uniform(0.3, 1.5)))
    wished = rng.normal((8.0, 7.0), 2.5)
    radius = float(rng.uniform(1.5, 5.0))
    near = search(board, at, here, 1, radius, rules)
    base = near.room.base
    assert missed(near, Goal(wished=wished), rng) is None
    everywhere = search(board, at, here, 1, None, rules)
    leader = columns_of_state(board, at)[:, 0]
    assert missed(everywhere, Compact(wished=wished, base=base, leader=leader), rng) is None
    targets = columns_of_state(board, at)[:, 5:8][:, here[5:8]]
    if targets.shape[1]:
        for away in (False, True):
            goal = Approach(wished=wished, base=base, targets=targets, away=away, tol=1e-6)
            assert missed(near, goal, rng) is None
