"""Routes that begin at the feet of closed gaps, or run along them, and walls that are nearly flush."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import paths_clear, routes

MOVER = Unit("mover", 32, shape="round", size=2)
AWAY = [1.0, 1.0, 0.0]


def asked(units, positions, rings, start, goal):
    """Length and courses there; also the way back is asked, and whether the straight line is clear."""
    board = Board([*units, MOVER], [Terrain(ring, kind="wall") for ring in rings], (60.0, 60.0))
    at = np.array([*positions, AWAY])
    there, back = (
        routes(board, at, *ends, gap=1.0, ignore=["mover"]) for ends in ((start, goal), (goal, start))
    )
    assert float(there.length) == pytest.approx(float(back.length), abs=1e-9)
    assert len(there) == len(back)
    check = paths_clear(board, at, "mover", [start, goal])
    assert bool(check.clear) == (float(there.length) < math.dist(start, goal) + 1e-9)
    for k in range(len(there)):
        assert paths_clear(board, at, "mover", there.line(k, 0.01), tol=6e-5).clear
    return float(there.length), there


def discs(*diameters):
    return [Unit(f"disc {k}", 25.4 * d, shape="round", side=1) for k, d in enumerate(diameters)]


@pytest.mark.parametrize("turned", [0.0, 0.4, 2.0, 3.1])
@pytest.mark.parametrize("off", [0.0, 4e-7, -4e-7])
@pytest.mark.parametrize("deep", [0.0, 5e-7])
def test_from_the_foot_of_a_gate_on_a_disc_both_ways_are_as_long(turned, off, deep):
    # all of the disc is free but its one foot: either way along the rim must begin there
    cos, sin = math.cos(turned), math.sin(turned)
    turn = np.array([[cos, sin], [-sin, cos]])
    middle = np.array([30.0, 30.0])
    positions = [[*(middle + np.array(at) @ turn), 0.0] for at in ((-1.0, 0.0), (1.0, 0.0))]
    foot = middle + np.array([-0.5 - deep, off]) @ turn
    ways = [
        asked(discs(1.0, 2.0), positions, [], foot, middle + np.array([-3.0, y]) @ turn)[0]
        for y in (-10.0, 10.0)
    ]
    # a tangent to the disc of radius 0.5 round (-1, 0), and an arc from its foot to there
    away = math.hypot(2.0, 10.0)
    leg = math.sqrt(away**2 - 0.25)
    arc = math.atan2(10.0, -2.0) - math.acos(0.5 / away)
    assert ways == pytest.approx([leg + 0.5 * arc] * 2, abs=3e-6)


@pytest.mark.parametrize("lean", [0.0, 0.5])
@pytest.mark.parametrize("ends", [(-1.0, 9.0), (0.0, 8.0), (1.0, 5.0), (2.9, 3.6), (-3.0, 3.75)])
def test_a_line_along_a_gate_may_not_change_sides(ends, lean):
    left = [(20.0, 20.0), (23.0, 20.0), (23.0 - lean, 18.0), (20.0, 18.0)]
    below = [(23.5, 20.0), (28.0, 20.0), (28.0, 18.0), (23.5 + lean, 18.0)]
    above = [(x, 40.0 - y) for x, y in below]
    start, goal = ((20.0 + x, 20.0) for x in ends)
    length, _ = asked([], [], [left, below], start, goal)
    assert length == pytest.approx(ends[1] - ends[0])
    length, _ = asked([], [], [left, above], start, goal)
    assert length > ends[1] - ends[0] + 0.1


@pytest.mark.parametrize("end", [3.2, 3.5])
def test_a_line_may_end_on_the_gate_that_it_runs_along(end):
    left = [(20.0, 20.0), (23.0, 20.0), (23.0, 18.0), (20.0, 18.0)]
    above = [(23.5, 20.0), (28.0, 20.0), (28.0, 22.0), (23.5, 22.0)]
    length, _ = asked([], [], [left, above], (19.0, 20.0), (20.0 + end, 20.0))
    assert length == pytest.approx(1.0 + end)


@pytest.mark.parametrize("turn", [0.0, 1e-9, -1e-9, 1e-7, -1e-7])
@pytest.mark.parametrize("start", [18.0, 19.0])
def test_walls_that_are_turned_by_less_than_can_be_seen_change_no_way(turn, start):
    block = Unit("block", (25.4 * 4, 25.4 * 2), shape="rect", side=1)
    ring = [(15.0, 18.5), (19.0, 18.5), (19.0, 20.0), (15.0, 20.0)]
    length, _ = asked([block], [[21.5, 20.5, turn]], [ring], (start, 18.5), (22.83, 20.0))
    assert length == pytest.approx(21.5 - start + math.hypot(1.33, 1.5), abs=1e-6)


def test_a_corner_that_a_route_passes_straight_on_makes_no_second_course():
    blocks = [Unit("flat", (101.6, 101.6), shape="rect"), Unit("askew", (25.4 * 3, 25.4 * 5), shape="rect")]
    positions = [[22.0, 17.0, 1e-7], [18.0, 23.0, math.pi / 4]]
    board = Board(blocks, size=(60.0, 60.0))
    found = routes(board, positions, (22.0, 17.0), (18.0, 23.0), gap=3.0)
    assert float(found.length) == pytest.approx(2.0 + math.sqrt(32.0), abs=1e-6)
    assert len(found) == 1


@pytest.mark.parametrize("turned", [0.0, 0.3, 0.7, 1.1, 2.5, 4.0])
@pytest.mark.parametrize("low", [0.0, 1e-12, 1e-9, -1e-9, 1e-7, -1e-7, 4e-7, -4e-7])
@pytest.mark.parametrize(
    "ends",
    [((1.0, 0.0), (2.0, 0.0)), ((1.2, 0.0), (2.1, 0.0)), ((1.0, 0.0), (4.0, 0.5)), ((1.5, 0.0), (0.0, -0.5))],
)
def test_who_starts_on_a_gate_leaves_along_it_and_past_its_other_foot(ends, low, turned):
    cos, sin = math.cos(turned), math.sin(turned)

    def put(*points):
        return np.array(points) @ [[cos, sin], [-sin, cos]] + 30.0

    above = put((0.0, 0.0), (1.0, 0.0), (1.0, 0.5), (0.0, 0.5))
    below = put((1.5, low), (2.5, low), (2.5, -1.0), (1.5, -1.0))
    ends = [(x, y + low if 1.5 <= x <= 2.5 else y) for x, y in ends]
    length, _ = asked([], [], [above, below], *put(*ends))
    assert length == pytest.approx(math.dist(*ends), abs=1e-6)
