"""Routes of crowded scenes between two visibility graphs, with polygons inside all bases and outside.

A route is also walked: it must keep out of all pieces and not cross what is closed. With a length that is
not above the shortest round larger bases, and a course that is legal, it is the shortest up to what lies
between the two polygons; that it is not below the shortest round smaller bases says the same once more.
"""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest
import shapely

from benchmarks.skirmish_routes import VisibilityGraph
from ninthgeom.skirmish import RouteMap, routes
from tests.skirmish.coherency_oracle import HAIR, OracleState, Scene, random_scene

SCENES, OFTEN, MANY = 6, 15, 300
QUESTIONS = 12
WIDTHS = (0.5, 1.0, 3.0)
CLOSE = 1e-5


def graphs(scene: Scene, gap: float, ignore: Any) -> tuple[VisibilityGraph, ...]:
    table = scene.table()
    made = []
    for outside, margin in ((False, -HAIR), (True, HAIR)):
        state = OracleState(table, scene.positions[0], scene.present[0], margin)
        made.append(VisibilityGraph(state, gap, segments=48, outside=outside, ignore=ignore))
    return tuple(made)


def ends_of_routes(rng: np.random.Generator, scene: Scene) -> Any:
    """Starts and goals: anywhere, at corners of terrain, on its edges, the same twice."""
    ends = rng.uniform(0.5, 13.5, (QUESTIONS, 2, 2))
    for q in range(QUESTIONS // 3):
        ring = scene.board.terrain[rng.integers(len(scene.board.terrain))].outline
        k = rng.integers(len(ring))
        share = rng.choice([0.0, 0.5])
        ends[q, rng.integers(2)] = ring[k] + share * (ring[k - 1] - ring[k])
    if scene.grid:
        ends[-QUESTIONS // 2 :] = np.round(2 * ends[-QUESTIONS // 2 :]) / 2
    ends[-1, 1] = ends[-1, 0]
    return ends


def compare(seed: int, tally: Counter[str], wrong: list[str]) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 1)
    gap = float(rng.choice(WIDTHS))
    ignore = np.flatnonzero(scene.board.group == rng.integers(4))
    ends = ends_of_routes(rng, scene)
    arguments = {"gap": gap, "ignore": ignore, "present": scene.present[0], "ground": scene.ground}
    found = routes(scene.board, scene.positions[0], ends[:, 0], ends[:, 1], **arguments)
    inner, outer = graphs(scene, gap, ignore)
    where = f"seed {seed}, gap {gap}, {'grid' if scene.grid else 'anywhere'}"
    for q, (start, goal) in enumerate(ends):
        length = float(found.length[q])
        least, most = inner.length(start, goal), outer.length(start, goal)
        tally["questions"] += 1
        if _on_one_gate(inner, start, goal):
            # From one point of a gate to another nothing is passed; the graphs do not see that.
            tally["on a gate"] += 1
            continue
        tally["routes"] += math.isfinite(length)
        tally["no way"] += math.isinf(length)
        tally["undecided"] += least != most and not (math.isfinite(least) and most < least + 0.05)
        if not least - CLOSE <= length <= most + CLOSE:
            wrong.append(
                f"{where}: {start.tolist()} to {goal.tolist()} is {length}, not from {least} to {most}"
            )
        courses = found.of(q)
        tally["of several"] += len(courses) > 1
        if bool(courses) != math.isfinite(length):
            wrong.append(f"{where}: {len(courses)} routes of length {length}")
        for r in range(int(found.routes[q]), int(found.routes[q + 1])):
            fault = _fault(scene, gap, ignore, found, r, start, goal, length)
            if fault:
                wrong.append(f"{where}: {start.tolist()} to {goal.tolist()}: {fault}")


def _on_one_gate(graph: VisibilityGraph, start: Any, goal: Any) -> bool:
    ends = shapely.points([start, goal])
    found = [set(graph.gates.query(end, predicate="dwithin", distance=1e-4).tolist()) for end in ends]
    return bool(found[0] & found[1])


def _fault(
    scene: Scene, gap: float, ignore: Any, found: Any, r: int, start: Any, goal: Any, length: float
) -> str:
    """Say what is wrong with a route, if anything is."""
    line = np.asarray(found.line(r, 0.01))
    if np.abs(line[0] - start).max() > CLOSE or np.abs(line[-1] - goal).max() > CLOSE:
        return f"goes from {line[0].tolist()} to {line[-1].tolist()}"
    walked = float(np.hypot(*np.diff(line, axis=0).T).sum())
    if not length - 1e-3 * (1 + length) <= walked <= length + CLOSE:
        return f"has length {length}, walked {walked}"
    state = OracleState(scene.table(), scene.positions[0], scene.present[0])
    table = state.table
    counts = np.ones(table.n_pieces, bool)
    counts[: len(state.cores)] = state.present
    counts[ignore] = False
    course = shapely.linestrings(line) if length > 0 else shapely.Point(line[0])
    for k in np.flatnonzero(counts[: len(state.cores)]):
        # A step of 0.01 on the smallest base is 3e-5 inside it at most.
        if shapely.distance(course, state.cores[k]) < table.radius[k] - 5e-5:
            return f"enters model {k}"
    eroded = shapely.buffer(table.terrain, -HAIR, join_style="mitre")
    if shapely.intersects(course, eroded).any():
        return f"enters terrain {np.flatnonzero(shapely.intersects(course, eroded)).tolist()}"
    gates = state.gates(gap)
    active = gates.active(counts, gap - HAIR, table.tol)
    access = table.access_area
    shut = [
        gate
        for gate, closed in zip(gates.lines, active, strict=True)
        if closed and not gate.is_empty and not shapely.intersects(gate, access)
    ]
    ends_here = shapely.buffer(shapely.points([start, goal]), 1e-3)
    for gate in shut:
        # A route may start and end on a gate.
        if shapely.crosses(course, gate) and not shapely.intersects(gate, ends_here).any():
            return f"passes the gate {gate.wkt}"
    return ""


def check(wrong: list[str]) -> None:
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:8]])


def test_routes_are_between_those_of_two_graphs() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(SCENES):
        compare(seed, tally, wrong)
    check(wrong)
    assert tally["undecided"] < 0.05 * tally["questions"]
    assert tally["no way"] > 0.05 * tally["questions"]


@pytest.mark.verify
def test_many_routes_are_between_those_of_two_graphs() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in (*range(OFTEN), *range(7000, 7000 + MANY)):
        compare(seed, tally, wrong)
    print(f"\nseeds 0 to {OFTEN - 1}, 7000 to {7000 + MANY - 1}: {dict(tally)}")
    check(wrong)


def test_a_map_gives_the_lengths_of_its_routes() -> None:
    rng = np.random.default_rng(3)
    scene = random_scene(rng, 1)
    ends = ends_of_routes(rng, scene)
    shared = RouteMap(scene.board, scene.positions[0], gap=1.0, present=scene.present[0], ground=scene.ground)
    one_by_one = [
        float(
            routes(
                scene.board,
                scene.positions[0],
                start,
                goal,
                gap=1.0,
                present=scene.present[0],
                ground=scene.ground,
            ).length
        )
        for start, goal in ends
    ]
    assert shared.lengths(ends[:, 0], ends[:, 1]) == pytest.approx(one_by_one)
    assert shared.routes(ends[:, 0], ends[:, 1]).length == pytest.approx(one_by_one)
