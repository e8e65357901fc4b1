"""Routes that others got wrong: walls that join, starts on corners, outlines either way round, far away."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ninthgeom import Board, Terrain
from ninthgeom.skirmish import routes

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def length(rings, start, goal, *, gap=1.0, size=(60.0, 44.0)):
    board = Board([], [Terrain(ring, kind="wall") for ring in rings], size)
    found = routes(board, np.empty((0, 3)), np.array(start, float), np.array(goal, float), gap=gap)
    return float(np.asarray(found.length).reshape(())), found


@pytest.mark.parametrize("shift", [(1.0, 0.0), (1.0, 1.0), (1.0, 0.5)])
def test_pieces_that_share_an_edge_or_a_corner_let_nobody_between(shift):
    rings = [10 + SQUARE, 10 + SQUARE + shift]
    # Up the seam, or diagonally through the common corner.
    start, goal = (11.0, 9.0), (11.0, 13.0)
    if shift == (1.0, 1.0):
        start, goal = (10.0, 12.0), (12.0, 10.0)
    found, _ = length(rings, start, goal, gap=0.0)
    straight = math.dist(start, goal)
    assert found > straight + 0.1
    assert math.isfinite(found)


def test_no_way_through_a_wall_across_is_never_a_straight_line():
    room = [
        [(5, 5), (15, 5), (15, 6), (5, 6)],
        [(5, 14), (15, 14), (15, 15), (5, 15)],
        [(5, 6), (6, 6), (6, 14), (5, 14)],
        [(14, 6), (15, 6), (15, 14), (14, 14)],
        [(6, 9.5), (14, 9.5), (14, 10.5), (6, 10.5)],
    ]
    found, courses = length(room, (10, 8), (10, 12), gap=0.0)
    assert found == math.inf
    assert courses.of(0) == []
    assert len(courses.points) == 0


@pytest.mark.parametrize("at", [(10.0, 10.0), (11.0, 10.0), (10.5, 10.0), (10.0, 10.4)])
def test_starts_on_corners_and_edges_are_legal(at):
    there, _ = length([10 + SQUARE], at, (20.0, 20.0))
    back, _ = length([10 + SQUARE], (20.0, 20.0), at)
    corners = [(10.0, 11.0), (11.0, 10.0)]
    assert there == pytest.approx(back)
    ways = [math.dist(at, corner) + math.dist(corner, (20.0, 20.0)) for corner in corners]
    sides = [at[0] == 10.0, at[1] == 10.0]
    assert there == pytest.approx(min(way for way, side in zip(ways, sides, strict=True) if side))


def test_inside_a_piece_nothing_starts_or_ends():
    assert length([10 + SQUARE], (10.5, 10.5), (20.0, 20.0))[0] == math.inf
    assert length([10 + SQUARE], (20.0, 20.0), (10.5, 10.5))[0] == math.inf
    assert length([10 + SQUARE], (10.5, 10.5), (10.5, 10.5))[0] in (0.0, math.inf)


def test_clockwise_outlines_are_the_same_pieces():
    ring = np.array([(10, 10), (14, 10), (14, 11), (11, 11), (11, 14), (10, 14)], float)
    one, _ = length([ring], (13, 13), (9, 9))
    other, _ = length([ring[::-1]], (13, 13), (9, 9))
    assert one == other


@pytest.mark.parametrize("far", [0.0, 1e3, 1e5])
def test_large_coordinates_change_nothing(far):
    ring = np.array([(10, 10), (14, 10), (14, 11), (11, 11), (11, 14), (10, 14)], float) + far
    found, _ = length([ring], np.add((12.5, 12.5), far), np.add((9.0, 9.0), far), size=(far + 60, far + 44))
    # Round either end of the L: both are as long.
    way = math.dist((12.5, 12.5), (11, 14)) + 1 + math.dist((10, 14), (9, 9))
    assert found == pytest.approx(way, abs=1e-6)


def test_both_of_two_equal_ways_are_given():
    ring = np.array([(10, 10), (14, 10), (14, 11), (11, 11), (11, 14), (10, 14)], float)
    _, found = length([ring], (12.5, 12.5), (9.0, 9.0))
    assert len(found.of(0)) == 2
    assert {tuple(map(tuple, course)) for course in map(np.ndarray.tolist, found.of(0))} == {
        ((12.5, 12.5), (11.0, 14.0), (10.0, 14.0), (9.0, 9.0)),
        ((12.5, 12.5), (14.0, 11.0), (14.0, 10.0), (9.0, 9.0)),
    }


@pytest.mark.parametrize(("gap", "way"), [(1.0, 4.0), (1.001, None)])
def test_a_gap_of_just_the_width_is_a_way(gap, way):
    rings = [10 + SQUARE, 10 + SQUARE + (2.0, 0.0)]
    found, _ = length(rings, (11.5, 8.5), (11.5, 12.5), gap=gap)
    if way is None:
        # One piece for the route, from x = 10 to 13.
        way = 2 * math.hypot(1.5, 1.5) + 1
    assert found == pytest.approx(way)


def test_no_obstacles_and_no_questions():
    assert length([], (1, 2), (4, 6))[0] == pytest.approx(5.0)
    assert length([], (1, 2), (1, 2))[0] == 0.0
    board = Board([], [], (10, 10))
    found = routes(board, np.empty((0, 3)), np.empty((0, 2)), np.empty((0, 2)), gap=1.0)
    assert found.length.shape == (0,)
