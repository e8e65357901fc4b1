"""The checks of sight lines and of blockers that are named: they find what is wrong, and nothing else."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.reference.sight_checks import Tally, generated
from tests.reference.sight_degenerate import EYE, FAR, SCENES, SEAM, SPOT, WIDE, needle, poses_of
from tests.reference.sight_reference import (
    BETWEEN,
    BLOCKED,
    NOT_A_CONTACT,
    NOT_FROM_SOURCE,
    NOT_IN_ARC,
    NOT_TO_TARGET,
    Questions,
    robust_blocked_sight,
    shapes_of_bases,
)
from tests.reference.sight_scenes import box, disc, point, wall

pytestmark = pytest.mark.jit_only


def question(source: Any, target: Any, *blockers: Any) -> Questions:
    rows = np.array(blockers, dtype=float).reshape(1, -1, 6)
    return Questions.of(np.array([source]), np.array([target]), shapes_of_bases(rows), True)


@pytest.mark.parametrize(
    ("source", "target", "blockers", "start", "end", "fault"),
    [
        (WIDE, FAR, [box(3, 4, 5, 6)], (0, 0), (0, 10), 0),
        (WIDE, FAR, [box(3, 4, 5, 6)], (2, 0), (-2, 12), 0),
        (WIDE, FAR, [], (2.001, 0), (2, 10), NOT_FROM_SOURCE),
        (WIDE, FAR, [], (0, -1), (0, 10), NOT_FROM_SOURCE),
        (WIDE, FAR, [], (0, 5e-7), (0, 10), 0),
        (WIDE, FAR, [], (0, 0), (0, 9.999), NOT_TO_TARGET),
        (WIDE, FAR, [], (0, 0), (math.nan, 10), NOT_TO_TARGET),
        (WIDE, box(12, 5, 20, 10), [], (2, 0), (12, 10), 0),
        (WIDE, box(12, 5, 20, 10), [], (1.9, 0), (12, 10), NOT_IN_ARC),
        (WIDE, box(-2, -10, 2, -8), [], (0, 0), (0, -8), NOT_IN_ARC),
        (disc(0, 0, 1), box(-2, -10, 2, -8), [], (0, -1), (0, -8), 0),
        (EYE, SPOT, [box(0, 4, 2, 6)], (0, 0), (0, 10), 0),
        (EYE, SPOT, [box(-5e-7, 4, 2, 6)], (0, 0), (0, 10), 0),
        (EYE, SPOT, [box(-2e-6, 4, 2, 6)], (0, 0), (0, 10), BLOCKED),
        (EYE, SPOT, [disc(1, 5, 1.00001)], (0, 0), (0, 10), BLOCKED),
        (EYE, SPOT, [wall(-1, 5, 1, 5)], (0, 0), (0, 10), BLOCKED),
        (EYE, SPOT, [wall(-1, 10, 1, 10)], (0, 0), (0, 10), 0),
        (EYE, SPOT, [box(-1, 11, 1, 12), box(-1, -2, 1, 0)], (0, 0), (0, 10), 0),
        (WIDE, FAR, SEAM, (0, 0), (0, 10), BETWEEN),
        (WIDE, FAR, needle(), (0, 0), (0, 10), 0),
        (WIDE, FAR, needle(), (0, 0), (1e-4, 10), BLOCKED),
        (WIDE, box(-3, 0, 3, 2), [box(-9, -1, 9, 1)], (1, 0), (1, 0), 0),
        (WIDE, box(-3, 0, 3, 2), [box(-9, -1, 9, 1)], (1, 0), (1, 1), NOT_A_CONTACT),
    ],
)
def test_faults_of_lines(source: Any, target: Any, blockers: Any, start: Any, end: Any, fault: int) -> None:
    found = question(source, target, *blockers).line_faults(np.array([start], float), np.array([end], float))
    assert found.tolist() == [fault]


@pytest.mark.parametrize(
    ("blocker", "blocked"),
    [
        (box(0, 4, 2, 6), True),
        (box(5e-7, 4, 2, 6), True),
        (box(2e-6, 4, 2, 6), False),
        (box(0, 10, 2, 12), False),  # at its own end
        (box(0, -2, 2, 0), False),
        (point(0, 5), False),
        (wall(0, 5, 1, 5), True),
    ],
)
def test_lines_where_touching_blocks(blocker: Any, blocked: bool) -> None:
    line = np.array([[0.0, 0.0]]), np.array([[0.0, 10.0]])
    found = question(EYE, SPOT, blocker).line_faults(*line, touching="blocked")
    assert found.tolist() == [BLOCKED if blocked else 0]


@pytest.mark.parametrize(
    ("blocker", "cuts"),
    [
        (box(-1, 4, 1, 6), True),
        (box(2, 4, 3, 6), True),  # touched by the line x = 2
        (box(2.0001, 4, 3, 6), False),
        (box(-1, 12, 1, 13), False),
        (box(-1, 11, 1, 11.5), False),  # on the target, behind where every line enters
        (box(-9, -3, 9, -1), False),
        (box(-9, -3, 9, 0), True),  # touched where lines start
        (wall(0, 4, 0, 5), True),
        (disc(3, 5, 1), True),
        (disc(3.0001, 5, 1), False),
    ],
)
def test_blockers_in_the_way(blocker: Any, cuts: bool) -> None:
    found = question(WIDE, FAR, blocker).cuts_some_line(np.array([0]), np.array([0]))
    assert found.tolist() == [cuts]


def test_touching_blocks_in_scenes_by_hand() -> None:
    """The answers of the reference, where rounding and the width of a touch do not decide."""
    compared = 0
    for scene in SCENES:
        if scene.blocked is not None:
            pairs = poses_of(scene, 4)
            blockers = shapes_of_bases(pairs.blockers)
            seen, robust = robust_blocked_sight(pairs.sources, pairs.targets, blockers, pairs.blocks)
            assert (seen[robust] == scene.blocked).all(), scene.name
            compared += int(robust.sum())
    assert compared > 150


def test_a_tally_notes_what_differs() -> None:
    pairs = generated("battle_lines", 50)
    questions = Questions.of(pairs.sources, pairs.targets, shapes_of_bases(pairs.blockers), pairs.blocks)
    seen, robust = questions.robust()
    tally = Tally()
    tally.add("wrong", ~seen, seen, robust)
    assert len(tally.wrong) == tally.compared == robust.sum()
    with pytest.raises(AssertionError, match="wrong 50"):
        tally.check()
