"""Directed moves of crowded scenes: where the leader ends, against points of its line and visibility graphs.

The end must be legal to a hair and the way to it no longer than allowed; it is not farther from the target
(with `away`: nearer) than the start. Where the leader ends on its line, no point further along may be legal
with a hair to spare and in reach by the graph of larger bases.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import shapely

from benchmarks.skirmish_routes import VisibilityGraph
from ninthgeom.skirmish import PlaceStatus, move_directly
from tests.skirmish.coherency_oracle import HAIR, OracleState, Scene, random_scene
from tests.skirmish.test_place_against_grid import Judge

SCENES, MANY = 20, 300
STEP = 0.05
CLOSE = 1e-4


def compare(seed: int, tally: Counter[str], wrong: list[str]) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 1)
    group, target = rng.permutation(4)[:2]
    away = bool(rng.random() < 0.4)
    allowed = float(rng.uniform(1.0, 9.0))
    leader = int(scene.leaders[0, group])
    found = move_directly(
        scene.board,
        scene.positions[0],
        int(group),
        int(target),
        allowed,
        away=away,
        leader=leader,
        radius=float(scene.radius[group]),
        present=scene.present[0],
        ground=scene.ground,
        rules=scene.rules,
    )
    tally["away" if away else "towards"] += 1
    tally["moved"] += bool(found.moved)
    fault = _fault(scene, leader, int(group), int(target), away, allowed, found, tally)
    if fault:
        way = "away from" if away else "towards"
        wrong.append(f"seed {seed}: {leader} of group {group} {way} {target}, {allowed} inches: {fault}")


def _fault(
    scene: Scene,
    leader: int,
    group: int,
    target: int,
    away: bool,
    allowed: float,
    found: Any,
    tally: Counter[str],
) -> str:
    positions, present = scene.positions[0], scene.present[0]
    own = scene.board.group == group
    start, end = positions[leader, :2], np.asarray(found.positions)[leader, :2]
    length = float(found.length)
    if not np.array_equal(np.asarray(found.positions)[~own], positions[~own]):
        return "others moved"
    if length > allowed + 1e-6:
        return f"goes {length} inches"
    others = present & ~own
    free = Judge(scene, leader, leader, others, positions)
    crowded = present.copy()
    crowded[leader] = False
    strict = Judge(scene, leader, leader, crowded, positions)
    if bool(found.moved) and free.spare(end[None])[0] < -HAIR:
        return f"overlaps by {-free.spare(end[None])[0]} at {end.tolist()}"
    gaps = [_distances(scene, leader, target, point) for point in (start, end)]
    change = gaps[1].min() - gaps[0].min()
    if (-change if away else change) > CLOSE:
        return f"changes the distance by {change}"
    aim = np.flatnonzero((scene.board.group == target) & present)
    model = int(aim[(gaps[0].argmax() if away else gaps[0].argmin())])
    near = np.sort(gaps[0])
    if len(near) > 1 and (near[-1] - near[-2] if away else near[1] - near[0]) < CLOSE:
        tally["two targets"] += 1
        return ""
    state = OracleState(scene.table(), positions, present, HAIR)
    width = scene.rules.gap_width(scene.board.units[leader])
    if width == 0.0:
        return ""
    ignore = np.flatnonzero(own)
    way = positions[model, :2] - start
    way *= (-1 if away else 1) / math.hypot(*way)
    along = float((end - start) @ way)
    if abs(way[0] * (end - start)[1] - way[1] * (end - start)[0]) > CLOSE:
        tally["beside the line"] += 1
        return ""
    tally["on the line"] += 1
    far = max(scene.board.size) if away else float((positions[model, :2] - start) @ way)
    tried = np.arange(along + STEP, min(far, along + allowed), STEP)
    points = start + tried[:, None] * way
    points = points[strict.spare(points) > HAIR]
    if not len(points):
        return ""
    graph = VisibilityGraph(state, width, segments=48, outside=True, ignore=ignore)
    for point in points[::-1]:
        change = _distances(scene, leader, target, point).min() - gaps[0].min()
        if (change if away else -change) > CLOSE and graph.length(start, point) < allowed - CLOSE:
            return f"ends at {end.tolist()}, could go on to {point.tolist()}"
    return ""


def _distances(scene: Scene, leader: int, target: int, point: Any) -> Any:
    """Distances of the leader, moved to a point, from the models of the target."""
    positions = scene.positions[0].copy()
    positions[leader, :2] = point
    state = OracleState(scene.table(), positions, scene.present[0])
    aim = np.flatnonzero((scene.board.group == target) & scene.present[0])
    radius = state.table.radius
    gaps = shapely.distance(state.cores[leader], state.cores[aim]) - radius[leader] - radius[aim]
    return np.maximum(gaps, 0.0)


def test_nobody_could_go_further() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(SCENES):
        compare(seed, tally, wrong)
    assert not wrong, "\n".join(wrong[:8])
    assert tally["on the line"] > 0.5 * SCENES


@pytest.mark.verify
def test_nobody_could_go_further_in_many_scenes() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(11000, 11000 + MANY):
        compare(seed, tally, wrong)
    print(f"\nseeds 11000 to {11000 + MANY - 1}: {dict(tally)}")
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:8]])


def test_who_moves_ends_in_coherency_or_says_so() -> None:
    for seed in range(8):
        scene = random_scene(np.random.default_rng(seed), 2)
        found = move_directly(
            scene.board,
            scene.positions,
            0,
            2,
            4.0,
            leader=scene.leaders[:, 0],
            radius=float(scene.radius[0]),
            present=scene.present,
            ground=scene.ground,
            rules=scene.rules,
        )
        for i in range(2):
            if not found.moved[i]:
                assert (np.asarray(found.status[i]) == PlaceStatus.UNTOUCHED).all()
                continue
            mine = (scene.board.group == 0) & scene.present[i]
            status = np.asarray(found.status[i])
            assert (status[~mine] == PlaceStatus.UNTOUCHED).all()
            stays = scene.present[i] & (status != PlaceStatus.CASUALTY)
            state = OracleState(scene.table(), found.positions[i], stays, -HAIR)
            centre = scene.rules.sc_link == "centre"
            linked = state.linked([int(found.leader[i])], centre=centre)
            assert linked[mine & stays].all()
