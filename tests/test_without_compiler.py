"""The kernels as plain Python give the answers of their compiled form.

What differs (integer overflow, division, reads out of bounds) is a fault of one of them. The pass of
``make test`` without compiler runs this file for its coverage; any other run compares with such a process.
"""

import os
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import ninthgeom as ng

ON_A_GRID, SCATTERED = "on a grid", "scattered"


def mixed_bases(n: int, seed: int, layout: str) -> ng.Bases:
    """Rectangles, discs, ovals, points and bare facings; on a grid most neighbours touch or lie flush."""
    rng = np.random.default_rng(seed)
    if layout == ON_A_GRID:
        x, y = rng.integers(-3, 4, (2, n)).astype(float)
        heading = rng.integers(0, 4, n) * (np.pi / 2)
        width, depth = rng.integers(1, 3, (2, n)).astype(float)
    else:
        x, y = rng.normal(0.0, 3.0, (2, n))
        heading = rng.uniform(-np.pi, np.pi, n)
        width, depth = rng.uniform(0.5, 3.0, (2, n))
    kind = np.arange(n) % 5
    depth[kind == 1] = width[kind == 1]
    depth[kind == 3] = 0.0
    width[kind == 4] = depth[kind == 4] = 0.0
    radius = np.where((kind == 1) | (kind == 2), np.minimum(width, depth) / 2, 0.0)
    return ng.Bases(x, y, heading, width=width, depth=depth, radius=radius)


def measured(layout: str) -> Iterator[Any]:
    notch = [(-2, -2), (2, -2), (2, 2), (1, 2), (1, -1), (-1, -1), (-1, 2), (-2, 2)]
    hills = ng.Polygons([notch, [(0, 0), (3, 0), (0, 3)]])
    a, b = mixed_bases(20, 1, layout), mixed_bases(20, 2, layout)
    for left, right in ((a, b), (a[:, None], b[None, :])):
        for question in (
            ng.distance,
            ng.gap,
            ng.in_contact,
            ng.interiors_meet,
            ng.wholly_within,
            ng.relation,
            ng.farthest_distance,
            ng.shortest_line,
            ng.inside_arcs,
            ng.located_arc,
        ):
            yield question(left, right)
        yield ng.within(left, right, 1.0)
        segments = ng.Segments(left.x, left.y, left.x + left.width - 1.0, left.y + left.depth)
        for shapes in (right, hills[np.arange(20).reshape(right.shape) % 2]):
            yield ng.passes_through(segments, shapes)
            yield ng.intersects(segments, shapes)
            yield from map(np.asarray, ng.first_hit(segments, shapes))
        yield ng.wholly_within(left, right, 4.0)


def seen(layout: str) -> Iterator[Any]:
    hills = ng.Polygons([[(3, 3), (5, 3), (4, 5)], [(-6, -3), (-4, -3), (-5, -1)]])
    for seed in range(10):
        sources, targets, blockers = (mixed_bases(n, seed + 10 * n, layout) for n in (4, 5, 6))
        yield ng.line_of_sight(sources[:, None], targets[None, :])
        yield ng.line_of_sight(sources[:, None], targets[None, :], blockers)
        yield ng.line_of_sight(sources, targets[:4], [blockers[:3], hills])


def battle(layout: str) -> Iterator[Any]:
    spears = ng.Unit("Spears", (20, 20), models=12, files=5)
    eagle = ng.Unit("Eagle", (40, 40), shape="round", side=1)
    giant = ng.Unit("Giant", (75, 75), side=1, height="Gigantic")
    wood = ng.Terrain([(20, 18), (24, 18), (24, 21)], kind="impassable")
    board = ng.Board([spears, eagle, giant], [wood])
    if layout == ON_A_GRID:
        positions = [(30.0, 10.0, 0.0), (30.0, 12.0, 0.0), (24.0, 10.0, np.pi)]
    else:
        positions = [(30.0, 10.0, 1.5), (20.0, 24.0, 4.0), (31.0, 30.0, -1.6)]
    yield ng.t9a.distances(board, positions)
    yield ng.t9a.inside_arcs(board, positions)
    yield ng.t9a.units_in_contact(board, positions)
    yield ng.t9a.line_of_sight(board, positions)


def combat(layout: str) -> Iterator[Any]:
    """A unit with a hole in its rear rank, in which a rock stands, and enemies on all sides of it."""
    captain = ng.Attached("Captain", (40, 40))
    spears = ng.Unit("Spears", (20, 20), models=15, files=5, attached=[captain])
    riders = ng.Unit("Riders", (25, 50), models=4, side=1, attached=[ng.Attached("Chariot", (50, 75))])
    trolls = ng.Unit("Trolls", (40, 40), models=5, files=3, side=1)
    hounds = ng.Unit("Hounds", (25, 50), models=4, files=2, formation="skirmish", side=2)
    gun = ng.Unit("Gun", 60, shape="round", side=1)
    boat = ng.Unit("Boat", (100, 60), shape="oval", side=1)
    # In millimetres from the middle of the front of the spears, which have four ranks.
    rock = np.array([(-28, -70), (-3, -70), (-10, -62)]) / 25.4 + 30.0
    board = ng.Board([spears, riders, trolls, hounds, gun, boat], [ng.Terrain(rock, kind="impassable")])
    up, down = np.pi / 2, -np.pi / 2
    home = np.array([(0, 0, up), (10, 0, down), (15, -80, up), (-50, -50, 0), (80, -30, 0), (75, -80, down)])
    home[:, :2] = home[:, :2] / 25.4 + 30.0
    rng = np.random.default_rng(7)
    n = 4
    living = board.occupied & (rng.random((n, board.n_models)) < 0.75)
    living[:, [12, 13]] = False
    positions = np.tile(home, (n, 1, 1))
    if layout == SCATTERED:
        positions += rng.normal(0.0, [0.2, 0.2, 0.15], positions.shape)
    for rules in (
        ng.t9a.THIRD_EDITION,
        ng.t9a.SECOND_EDITION,
        ng.t9a.Rules(gap_blocking="closed", round_front="closed", corner_facing="located"),
        ng.t9a.Rules(gap_blocking="none", gap_stops_at="none", corner_facing="flank"),
    ):
        yield ng.t9a.engaged_facings(board, positions, occupied=living, rules=rules)
        # the boundaries are those of all, so that models stand back from them
        rows = ng.t9a.contacts(board, positions, occupied=living, frozen=board.occupied, rules=rules)
        assert set(rows.kind.tolist()) == {1, 2, 3}
        yield from rows.columns.values()


QUESTIONS = {"measured": measured, "seen": seen, "battle": battle, "combat": combat}

OTHER_MODE = """
import os, pickle, sys
import numpy as np
from tests.test_without_compiler import QUESTIONS
with np.errstate(all="ignore"):
    answers = {key: list(QUESTIONS[key[0]](key[1])) for key in pickle.loads(bytes.fromhex(sys.argv[1]))}
print(pickle.dumps(answers).hex())
"""
CASES = [(name, layout) for name in QUESTIONS for layout in (ON_A_GRID, SCATTERED)]


@pytest.fixture(scope="module")
def answers_of_other_mode(run_python):
    disabled = "0" if os.environ.get("NUMBA_DISABLE_JIT") == "1" else "1"
    printed = run_python(OTHER_MODE, pickle.dumps(CASES).hex(), NUMBA_DISABLE_JIT=disabled)
    return pickle.loads(bytes.fromhex(printed))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}, {case[1]}")
def test_same_answers_compiled_and_not(case, answers_of_other_mode):
    name, layout = case
    here = list(QUESTIONS[name](layout))
    there = answers_of_other_mode[case]
    assert len(here) == len(there) > 0
    for ours, theirs in zip(here, there, strict=True):
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
        if ours.dtype == np.float64:  # the last bit may differ where LLVM orders a sum otherwise
            np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-12)
        else:
            np.testing.assert_array_equal(ours, theirs)
