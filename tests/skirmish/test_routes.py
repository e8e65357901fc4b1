"""Routes: closed forms, gates, ends in odd places, arguments and what answers look like."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, RouteMap, Routes, routes
from ninthgeom.skirmish._route_answers import MOST

SQUARE = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])
NOBODY = np.empty((0, 3))
LENGTH: dict[str, Any] = {"rel": 1e-12, "abs": 1e-9}


def box(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def moved(x: float, y: float, side: float = 1.0) -> Any:
    return side * SQUARE + np.array([x, y])


def terrain(*rings: Any, size: tuple[float, float] = (60.0, 44.0), units: Any = ()) -> Board:
    return Board(units, [Terrain(ring, kind="ruin") for ring in rings], size)


def discs(*mm: float) -> list[Unit]:
    return [Unit(f"disc {i}", d, shape="round") for i, d in enumerate(mm)]


def among_discs(*at: tuple[float, float, float]) -> tuple[Board, Any]:
    """Discs by centre and radius in inches."""
    units = discs(*(2 * 25.4 * radius for *_, radius in at))
    return Board(units), np.array([(x, y, 0.0) for x, y, _ in at]).reshape(-1, 3)


def ask(
    board: Board, start: Any, goal: Any, gap: float = 0.0, positions: Any = NOBODY, **more: Any
) -> Routes:
    return routes(board, positions, start, goal, gap=gap, **more)


def length(*question: Any, **more: Any) -> float:
    return float(ask(*question, **more).length)


# --- round parts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("heading", [0.0, 0.7, 2.0])
@pytest.mark.parametrize("far", [(2.0, 3.0), (1.0, 5.0), (1.0 + 1e-9, 2.0)])
def test_round_a_disc(heading: float, far: tuple[float, float]) -> None:
    board, at = among_discs((20.0, 20.0, 1.0))
    way = np.array([math.cos(heading), math.sin(heading)])
    start, goal = at[0, :2] - far[0] * way, at[0, :2] + far[1] * way
    turn = math.pi - sum(math.acos(min(1 / d, 1.0)) for d in far)
    wanted = turn + sum(math.sqrt(d * d - 1) for d in far)
    found = ask(board, start, goal, positions=at)
    assert float(found.length) == pytest.approx(wanted, **LENGTH)
    assert sorted(found.turn[found.turn != 0.0]) == pytest.approx([-turn, turn])
    for route in found.of(0):
        assert len(route) == (3 if far[0] == 1.0 else 4)
        assert np.hypot(*(route[1:-1] - at[0, :2]).T) == pytest.approx(1.0)


def test_between_two_discs_and_round_them() -> None:
    board, at = among_discs((10.0, 10.0, 1.0), (16.0, 10.0, 1.0))
    outer = ask(board, (8, 10), (18, 10), positions=at)
    assert float(outer.length) == pytest.approx(6 + 2 * (math.sqrt(3) + math.pi / 6), **LENGTH)
    assert len(outer.of(0)) == 2
    # from the top of one to the foot of the other, along their inner tangent
    top, foot = (10, 11), (16, 9)
    inner = math.sqrt(36 - 4) + 2 * (math.pi / 2 - math.acos(2 / 6))
    for gap in (0.0, 4.0):
        found = ask(board, top, foot, gap, positions=at)
        assert float(found.length) == pytest.approx(inner, **LENGTH)
        assert len(found.of(0)) == 1
    # a gate between them leaves the outer tangents, round either of them
    found = ask(board, top, foot, 4.001, positions=at)
    assert float(found.length) == pytest.approx(6 + math.pi, **LENGTH)
    assert sorted(found.turn[found.turn != 0.0]) == pytest.approx([-math.pi, math.pi])


def test_between_discs_of_two_sizes() -> None:
    board, at = among_discs((20.0, 20.0, 2.0), (26.0, 20.0, 0.5))
    start = (20.0, 22.0)
    lift = math.asin(1.5 / 6.0)
    wanted = math.sqrt(36 - 1.5**2) + 2.0 * lift
    # from the top of the large one: over the tangent point, and beyond it the line runs on
    beyond = (27.0, 20 + 0.5 / math.cos(lift) - math.tan(lift))
    far = length(board, start, beyond, positions=at)
    tangent = np.array([26 + 0.5 * math.sin(lift), 20 + 0.5 * math.cos(lift)])
    assert far == pytest.approx(wanted + math.dist(tangent, beyond))
    assert length(board, start, tangent, positions=at) == pytest.approx(wanted, **LENGTH)
    assert length(board, tangent, start, positions=at) == pytest.approx(wanted, **LENGTH)


@pytest.mark.parametrize("gap", [0.0, 1.0])
def test_touching_discs_let_nobody_between(gap: float) -> None:
    board, at = among_discs((10.0, 10.0, 1.0), (12.0, 10.0, 1.0))
    found = ask(board, (11, 8.5), (11, 11.5), gap, positions=at)
    away = math.hypot(1, 1.5)
    leg = math.sqrt(away**2 - 1)
    turn = 2 * (math.pi - math.atan2(1.5, 1) - math.acos(1 / away))
    assert float(found.length) == pytest.approx(2 * leg + turn, **LENGTH)
    assert len(found.of(0)) == 2
    apart = at + np.array([[0, 0, 0], [1e-3, 0, 0]])
    assert length(board, (11.0005, 8.5), (11.0005, 11.5), positions=apart) == pytest.approx(3.0)


def test_a_disc_that_touches_a_wall() -> None:
    board = terrain(box(5, 5, 6, 15), units=discs(50.8))
    at = [[7.0, 10.0, 0.0]]
    wanted = 4 + 2 * (math.atan2(2, -1) - math.acos(1 / math.sqrt(5)))
    assert length(board, (6, 8), (6, 12), positions=at) == pytest.approx(wanted, **LENGTH)


@pytest.mark.parametrize("heading", [0.0, 0.4, math.pi / 2])
def test_round_an_oval(heading: float) -> None:
    board = Board([Unit("oval", (50.8, 101.6), shape="oval")])
    ahead = np.array([math.cos(heading), math.sin(heading)])
    aside = np.array([-ahead[1], ahead[0]])
    middle = np.array([20.0, 20.0])
    found = ask(board, middle - 3 * ahead, middle + 3 * ahead, positions=[[*middle, heading]])
    # caps of radius 1, their centres an inch before and behind the middle
    assert float(found.length) == pytest.approx(2 * (math.sqrt(3) + math.pi / 6) + 2, **LENGTH)
    assert len(found.of(0)) == 2
    # across: a quarter of a cap less the tangents
    found = ask(board, middle - 2 * aside, middle + 2 * aside, positions=[[*middle, heading]])
    away = math.sqrt(5)
    turn = 2 * (math.pi - math.atan2(2, 1) - math.acos(1 / away))
    assert float(found.length) == pytest.approx(2 * math.sqrt(4) + turn, **LENGTH)
    assert len(found.of(0)) == 2


def test_round_a_rectangular_base() -> None:
    board = Board([Unit("box", (50.8, 101.6))])
    # the position is the middle of the front edge
    found = ask(board, (17, 20), (23, 20), positions=[[22, 20, 0.0]])
    assert float(found.length) == pytest.approx(4 + 2 * math.sqrt(2), **LENGTH)
    assert len(found.of(0)) == 2


def test_along_the_flush_side_of_an_oval_and_a_disc() -> None:
    """Where outlines have the same tangent on the same side, the way along them is no way between them."""
    board = Board([*discs(50.8), Unit("oval", (25.4, 50.8), shape="oval")])
    at = [[6.5, 7.0, 0.0], [7.0, 6.5, math.pi / 2]]
    assert length(board, (7.5, 6.0), (7.5, 7.0), positions=at) == pytest.approx(1.0)
    assert length(board, (7.5, 6.0), (6.5, 8.0), positions=at) == pytest.approx(1.0 + math.pi / 2, **LENGTH)


# --- gates ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("width", "wide"), [(1.0, True), (1.0 - 1e-3, False), (1.0 + 1e-3, True)])
@pytest.mark.parametrize("gap", [1.0, 3.0])
def test_a_gap_of_the_width_lets_through(width: float, wide: bool, gap: float) -> None:
    """Facts S-2, row P10 and ambiguity e."""
    board = terrain(box(0, 10, 10, 11), box(10 + gap * width, 10, 60, 11))
    start, goal = (10.2, 8), (10.2, 13)
    assert length(board, start, goal, gap) == (pytest.approx(5.0) if wide else math.inf)


def test_an_opening_within_one_piece() -> None:
    ring = [(10, 10), (20, 10), (20, 20), (15.9, 20), (15.9, 19), (19, 19), (19, 11), (11, 11), (11, 19)]
    ring += [(15, 19), (15, 20), (10, 20)]
    inside, outside = (15.5, 15), (15.5, 25)
    assert length(terrain(ring), inside, outside, 0.9) == pytest.approx(10.0)
    assert length(terrain(ring), inside, outside, 0.901) == math.inf
    assert length(terrain(ring), inside, (12, 12), 0.901) == pytest.approx(math.dist(inside, (12, 12)))
    agreed = Ground(closed=[(15, 19.5, 15.9, 19.5)])
    assert length(terrain(ring), inside, outside, 0.5, ground=agreed) == math.inf
    free = Ground(access=[box(14.9, 18.9, 16, 20.1)])
    assert length(terrain(ring), inside, outside, 3.0, ground=free) == pytest.approx(10.0)


def test_a_gate_is_left_to_either_side() -> None:
    board = terrain([(10, 10), (12, 8), (14, 10), (12, 12)], [(14.5, 10), (17, 8), (18, 10), (17, 12)])
    on_gate = (14.25, 10)
    for y in (5, 15):
        assert length(board, on_gate, (14.25, y), 1.0) == pytest.approx(5.0)
        assert length(board, (14.25, y), on_gate, 1.0) == pytest.approx(5.0)
    across = length(board, (14.25, 9), (14.25, 11), 1.0)
    assert across == pytest.approx(2 * (math.hypot(2.25, 1) + math.hypot(2, 2)), **LENGTH) or across > 2.1
    # from a foot, a corner of a piece, too
    assert length(board, (14, 10), (14.25, 12), 1.0) == pytest.approx(math.hypot(0.25, 2))
    assert length(board, (14, 10), (14.25, 8), 1.0) == pytest.approx(math.hypot(0.25, 2))


def test_no_way_through_the_foot_of_a_gate() -> None:
    """The corner that a gate ends at has no way round it on the side of the gate."""
    board = terrain([(10, 10), (12, 8), (14, 10), (12, 12)], box(14.5, 0, 15, 44), size=(15, 44))
    below, above = (13.5, 9), (13.5, 11)
    found = ask(board, below, above, 1.0)
    around = [(12, 8), (10, 10), (12, 12)]
    wanted = sum(math.dist(a, b) for a, b in zip([below, *around], [*around, above], strict=True))
    assert float(found.length) == pytest.approx(wanted, **LENGTH)
    assert [len(route) for route in found.of(0)] == [5]
    assert length(board, below, above, 0.5) == pytest.approx(math.hypot(0.5, 1) * 2)


def test_past_the_mouth_of_a_narrow_gap() -> None:
    board = terrain(box(10, 10, 15, 20), box(15.5, 10, 20, 20))
    found = ask(board, (8, 10), (22, 10), 1.0)
    assert float(found.length) == pytest.approx(14.0)
    assert len(found.of(0)) == 1
    # nothing leads out of it, but it is no obstacle beside the pieces
    assert length(board, (15.25, 15), (15.25, 5), 1.0) == math.inf
    assert length(board, (15.25, 15), (15.25, 5), 0.5) == pytest.approx(10.0)


def test_a_spike_at_a_gate_can_be_rounded_on_one_side() -> None:
    spike = [(10, 10), (14, 9.9), (14, 10.1)]
    board = terrain(spike, box(9, 10.5, 11, 12))
    found = ask(board, (12, 9), (12, 11), 1.0)
    # the gate goes up from the tip: from below nobody gets to its other side, above the spike
    assert float(found.length) > 4.0
    assert length(board, (12, 9), (9.5, 10.2), 1.0) == pytest.approx(math.dist((12, 9), (9.5, 10.2)))
    assert length(board, (12, 9), (12, 11), 0.4) == pytest.approx(
        math.dist((12, 9), (10, 10)) + math.dist((10, 10), (12, 11)), abs=0.2
    )


def test_closed_openings_may_be_rounded_and_touched() -> None:
    ground = Ground(closed=[(10, 5, 10, 15)])
    board = terrain()
    found = ask(board, (8, 10), (12, 10), ground=ground)
    assert float(found.length) == pytest.approx(2 * math.hypot(2, 5), **LENGTH)
    assert len(found.of(0)) == 2
    assert length(board, (10, 4), (10, 16), ground=ground) == pytest.approx(12.0)
    assert length(board, (10, 10), (12, 10), ground=ground) == pytest.approx(2.0)
    assert length(board, (10, 10), (8, 10), ground=ground) == pytest.approx(2.0)
    # one that joins two pieces closes the way along them too
    walls = terrain(box(0, 10, 10, 11), box(12, 10, 60, 11))
    shut = Ground(closed=[(10, 10, 12, 10)])
    assert length(walls, (11, 8), (11, 13), ground=shut) == math.inf
    assert length(walls, (11, 8), (11, 13)) == pytest.approx(5.0)


# --- pieces in contact, rooms --------------------------------------------------------------------


@pytest.mark.parametrize("turn", [0.0, 0.1, 1.0])
def test_an_end_between_pieces_in_contact_has_no_way_out(turn: float) -> None:
    cos, sin = math.cos(turn), math.sin(turn)
    spin = np.array([[cos, sin], [-sin, cos]])

    def at(x: float, y: float) -> Any:
        return np.array([x, y]) @ spin + (20, 20)

    board = terrain(*[np.array(ring) @ spin + (20, 20) for ring in (box(0, 0, 2, 5), box(2, 1, 4, 4))])
    assert length(board, at(2, 2.5), at(2, 7)) == math.inf
    assert length(board, at(2, 2.5), at(2, 2.5)) == 0.0
    # at the end of what they share
    assert length(board, at(2, 4), at(2, 7)) == pytest.approx(3.0)
    assert length(board, at(2, 4), at(-1, 5)) == pytest.approx(1 + 3)


def test_a_wall_from_edge_to_edge_closes_the_table() -> None:
    board = terrain(box(0, 20, 60, 21))
    assert length(board, (5, 5), (5, 40)) == math.inf
    assert ask(board, (5, 5), (5, 40)).of(0) == []
    over = terrain(box(-5, 20, 65, 21))
    assert length(over, (5, 5), (5, 40)) == math.inf
    short = terrain(box(0.25, 20, 60, 21))
    assert length(short, (5, 5), (5, 40)) == pytest.approx(math.hypot(4.75, 15) + 1 + math.hypot(4.75, 19))
    board, at = among_discs((0.5, 20.0, 1.0))
    away = math.hypot(0.5, 5)
    turn = 2 * (math.atan2(5, -0.5) - math.acos(1 / away))
    assert length(board, (0, 15), (0, 25), positions=at) == pytest.approx(
        2 * math.sqrt(away**2 - 1) + turn, **LENGTH
    )


def test_ends_off_the_table_have_no_way() -> None:
    board = terrain()
    assert length(board, (-1, 5), (5, 5)) == math.inf
    assert length(board, (5, 5), (5, 44.001)) == math.inf
    assert length(board, (0, 0), (60, 44)) == pytest.approx(math.hypot(60, 44))


def test_nested_bays() -> None:
    outer = [(10, 10), (30, 10), (30, 12), (12, 12), (12, 28), (30, 28), (30, 30), (10, 30)]
    inner = [(26, 15), (26, 25), (15, 25), (15, 23), (24, 23), (24, 17), (15, 17), (15, 15)]
    board = terrain(outer, inner)
    start, goal = (20, 20), (35, 20)
    way = [start, (15, 17), (15, 15), (26, 15), goal]
    wanted = sum(math.dist(a, b) for a, b in itertools.pairwise(way))
    found = ask(board, start, goal)
    assert float(found.length) == pytest.approx(wanted, **LENGTH)
    assert len(found.of(0)) == 2
    assert found.of(0)[0].tolist() in (
        [[*map(float, p)] for p in way],
        [[float(x), 40.0 - y] for x, y in way],
    )
    # 3 inches between the two, and between their arms
    assert length(board, start, goal, 3.0) == pytest.approx(wanted)
    assert length(board, start, goal, 3.01) == math.inf


def test_the_wall_across_a_room() -> None:
    """Peers' report 36: no path straight through."""
    room = [box(0, 0, 12, 1), box(0, 11, 12, 12), box(0, 1, 1, 11), box(11, 1, 12, 11), box(1, 5, 11, 6)]
    found = ask(terrain(*room), (6, 3), (6, 8))
    assert float(found.length) == math.inf
    assert len(found) == 0
    assert len(found.points) == 0


@pytest.mark.parametrize("far", [0.0, 1e5, 123456.789012345])
@pytest.mark.parametrize("turn", [0.0, 0.3])
def test_far_away_and_with_many_digits(far: float, turn: float) -> None:
    """Peers' reports 39: the same answers without rounding or scaling."""
    spin = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    move = far + np.array([30.0, 10.0])
    rings = [np.array(ring) @ spin + move for ring in (box(0, 0, 4, 2), box(4, 0, 5, 7), box(5, 2, 8, 3))]
    size = (far + 100, far + 100)
    start, goal = np.array([(3.0, 4.0), (6.0, -1.0)]) @ spin + move
    way = np.array([(3, 4), (0, 2), (0, 0), (6, -1)])
    over = np.array([(3, 4), (4, 7), (5, 7), (8, 3), (8, 2), (6, -1)])
    wanted = min(np.hypot(*np.diff(some, axis=0).T).sum() for some in (way, over))
    assert length(terrain(*rings, size=size), start, goal) == pytest.approx(wanted, abs=1e-6)
    turned = [ring[::-1] for ring in rings[::-1]]
    assert length(terrain(*turned, size=size), start, goal) == pytest.approx(wanted, abs=1e-6)


def test_a_tiny_or_a_huge_board() -> None:
    rings = [moved(1, 1), moved(2, 1.5)]
    wanted = length(terrain(*rings, size=(5, 5)), (0.5, 1.25), (3.5, 1.75))
    for scale in (1e-2, 1e3):
        board = terrain(*(scale * ring for ring in rings), size=(5 * scale, 5 * scale))
        found = length(board, np.array([0.5, 1.25]) * scale, np.array([3.5, 1.75]) * scale)
        assert found == pytest.approx(wanted * scale, rel=1e-9)


# --- ends of routes ------------------------------------------------------------------------------


def test_ends_at_corners_on_edges_and_inside() -> None:
    board = terrain(box(10, 10, 14, 12))
    corner, edge, opposite = (10, 10), (12, 10), (14, 12)
    assert length(board, corner, edge) == pytest.approx(2.0)
    assert length(board, corner, opposite) == pytest.approx(6.0)
    assert len(ask(board, corner, opposite).of(0)) == 2
    assert length(board, edge, (12, 12)) == pytest.approx(6.0)
    assert length(board, edge, edge) == 0.0
    assert length(board, (12, 11), (5, 5)) == math.inf
    assert length(board, (12, 11), (12, 11)) == math.inf
    for deep, legal in ((5e-7, True), (2e-6, False)):
        assert math.isfinite(length(board, (12, 10 + deep), (12, 8))) == legal
        assert math.isfinite(length(board, (12, 8), (12, 10 + deep))) == legal


@pytest.mark.parametrize("deep", [-1e-3, -1e-7, 0.0, 9e-7])
def test_ends_on_a_disc(deep: float) -> None:
    board, at = among_discs((20.0, 20.0, 1.0))
    start, goal = (19 + deep, 20.0), (21.0, 20.0)
    found = ask(board, start, goal, positions=at)
    assert float(found.length) == pytest.approx(math.pi, abs=3e-3 if deep == -1e-3 else 2e-6)
    assert len(found.of(0)) == 2
    quarter = ask(board, start, (20, 21), positions=at)
    assert float(quarter.length) == pytest.approx(math.pi / 2, abs=3e-3 if deep == -1e-3 else 2e-6)
    assert len(quarter.of(0)) == 1
    assert length(board, start, (10, 20), positions=at) == pytest.approx(9.0 + deep)


@pytest.mark.parametrize("shift", [-4e-4, 0.0, 4e-4])
def test_from_where_a_disc_touches_a_wall_along_its_rim(shift: float) -> None:
    board = terrain(box(5, 5, 6, 15), units=discs(50.8))
    touch, at = (6.0, 10.0 + shift), [[7.0, 10.0, 0.0]]
    for goal, is_up in (((7.0, 11.0), True), ((7.0, 9.0), False)):
        # beside the contact, by less than the tolerance shows, only one side is open
        quarters = 1 if shift == 0.0 or (shift > 0.0) == is_up else 3
        for ends in ((touch, goal), (goal, touch)):
            found = ask(board, *ends, positions=at)
            assert float(found.length) == pytest.approx(quarters * math.pi / 2, abs=1e-6 + abs(shift))
            assert len(found.of(0)) == 1
    found = ask(board, touch, (8.0, 10.0), positions=at)
    assert float(found.length) == pytest.approx(math.pi, abs=1e-6 + abs(shift))
    assert len(found.of(0)) == (2 if shift == 0.0 else 1)


def test_ends_in_a_corner_between_a_disc_and_a_wall() -> None:
    board = terrain(box(5, 5, 6, 15), units=discs(50.8))
    touch = (6.0, 10.0)
    at = [[7.0, 10.0, 0.0]]
    for y in (8, 12):
        assert length(board, touch, (6, y), positions=at) == pytest.approx(2.0)
        assert length(board, (6, y), touch, positions=at) == pytest.approx(2.0)


def test_a_straight_line_past_corners_has_no_way_points() -> None:
    board = terrain(box(10, 10, 12, 12), box(14, 8, 16, 10), box(18, 10, 20, 12))
    found = ask(board, (5, 10), (25, 10))
    assert float(found.length) == pytest.approx(20.0)
    assert found.of(0)[0].tolist() == [[5.0, 10.0], [25.0, 10.0]]
    bent = ask(board, (5, 10), (22, 14))
    assert all(route.tolist() == [[5.0, 10.0], [20.0, 10.0], [22.0, 14.0]] for route in bent.of(0)[:1]) or (
        float(bent.length) < 15 + math.hypot(2, 4)
    )


# --- answers -------------------------------------------------------------------------------------


def test_way_points_in_one_line_make_one_course() -> None:
    squares = [moved(4 + 4 * k, 10) for k in range(9)]
    found = ask(terrain(*squares), (2, 10.5), (40, 10.5))
    assert sorted(route.tolist() for route in found.of(0)) == [
        [[2.0, 10.5], [4.0, y], [37.0, y], [40.0, 10.5]] for y in (10.0, 11.0)
    ]
    board, at = among_discs(*((5.0 + 3 * k, 10.0, 1.0) for k in range(9)))
    found = ask(board, (3, 10), (31, 10), 3.0, positions=at)
    assert float(found.length) == pytest.approx(24 + 2 * (math.sqrt(3) + math.pi / 6), **LENGTH)
    assert [len(route) for route in found.of(0)] == [6, 6]


@pytest.mark.parametrize("n", [1, 3, 7])
def test_all_equal_routes_are_given_but_not_too_many(n: int) -> None:
    """Diamonds, and between them slits hardly wider than a contact: over or under each is the same."""
    slit, rings = 0.55e-6, []
    for k in range(n):
        x = 2.0 + 4 * k
        rings.append([(x - 0.1, 10), (x, 9.8), (x + 0.1, 10), (x, 10.2)])
        if k:
            rings.append([(x - 2, 10 + slit), (x - 1.9, 20), (x - 2.1, 20)])
            rings.append([(x - 2, 10 - slit), (x - 2.1, 0), (x - 1.9, 0)])
    found = ask(terrain(*rings, size=(40, 20)), (0, 10), (4 * n, 10))
    courses = found.of(0)
    assert len(courses) == min(2**n, MOST)
    assert len({course.tobytes() for course in courses}) == len(courses)
    for r in range(len(found)):
        walked = np.hypot(*np.diff(found.line(r), axis=0).T).sum()
        assert walked == pytest.approx(float(found.length), abs=2e-6)


def test_lines_and_shapely() -> None:
    board, at = among_discs((20.0, 20.0, 1.0))
    found = ask(board, (18, 20), (22, 20), positions=at)
    for step, off in ((0.1, 1e-3), (10.0, 2e-2)):
        for line, shape in zip([found.line(r, step) for r in range(2)], found.to_shapely(step), strict=True):
            assert shape.length == pytest.approx(float(found.length), abs=off)
            assert np.asarray(shape.coords) == pytest.approx(line)
            assert np.hypot(*(line - (20, 20)).T).min() == pytest.approx(1.0)
    assert "2 routes" in repr(found)
    with pytest.raises(ValueError, match="route: must be from 0 to 1"):
        found.line(2)
    with pytest.raises(ValueError, match="step"):
        found.line(0, 0.0)
    with pytest.raises(ValueError, match="question"):
        found.of(1)


def test_many_states_at_once() -> None:
    units = [*discs(50.8, 40), Unit("box", (40, 60))]
    board = Board(units, [Terrain(box(10, 10, 12, 16), kind="wall")], (24, 20))
    rng = np.random.default_rng(5)
    positions = rng.uniform(2, 18, (3, 2, 3, 3))
    present = rng.random((2, 3)) < 0.7
    starts, goals = rng.uniform(0, 20, (3, 2, 1, 4, 2)), rng.uniform(0, 20, (1, 2, 5, 1, 2))
    gap = np.array([[0.0], [1.0], [3.0]])
    found = routes(board, positions, starts, goals, gap=gap, present=present, workers=2)
    assert found.length.shape == (3, 2, 5, 4)
    q = 0
    for i, j in np.ndindex(3, 2):
        ways = RouteMap(board, positions[i, j], gap=float(gap[i, 0]), present=present[j])
        one = ways.routes(starts[i, j], goals[0, j])
        assert np.array_equal(one.length, found.length[i, j])
        assert np.array_equal(ways.lengths(starts[i, j], goals[0, j]), one.length)
        for k in range(20):
            assert all(np.array_equal(a, b) for a, b in zip(one.of(k), found.of(q), strict=True))
            assert all(
                np.array_equal(a, b) for a, b in zip(one.of(k), found.of((i, j, *divmod(k, 4))), strict=True)
            )
            q += 1
    assert len(found.of(0)) == found.routes[1]


def test_axes_of_points() -> None:
    board, at = among_discs((20.0, 20.0, 1.0))
    states = np.repeat(at[None], 3, axis=0)
    assert routes(board, states, (1, 1), (2, 2), gap=1.0).length.shape == (3,)
    assert routes(board, states, (1, 1), np.ones((3, 7, 2)), gap=1.0).length.shape == (3, 7)
    assert routes(board, at, np.ones((4, 1, 2)), np.ones((5, 2)), gap=1.0).length.shape == (4, 5)
    assert routes(board, at, (1, 1), np.ones((1, 3, 2)), gap=[0.0, 1.0]).length.shape == (2, 3)
    assert routes(board, states[:0], (1, 1), (2, 2), gap=1.0).length.shape == (0,)
    assert routes(board, at, np.empty((0, 2)), (2, 2), gap=1.0).length.shape == (0,)
    assert RouteMap(board, at, gap=1.0).lengths(np.empty((0, 2)), (2, 2)).shape == (0,)


def test_who_does_not_count() -> None:
    board, at = among_discs((20.0, 20.0, 1.0), (24.0, 20.0, 1.0))
    start, goal = (18, 20), (22, 20)
    assert length(board, start, goal, positions=at) > 4.0
    assert length(board, start, goal, positions=at, ignore=["disc 0"]) == pytest.approx(4.0)
    assert length(board, start, goal, positions=at, ignore=np.array([0, 1])) == pytest.approx(4.0)
    assert length(board, start, goal, positions=at, present=[False, True]) == pytest.approx(4.0)
    walls = terrain(box(10, 10, 11, 20), box(12, 10, 13, 20))
    assert length(walls, (9, 15), (11.5, 15), ground=Ground([1])) == pytest.approx(2.5)


def test_what_is_refused() -> None:
    board, at = among_discs((20.0, 20.0, 1.0))
    good: dict[str, Any] = {"gap": 1.0}
    for start, goal, more, message in (
        ((1, 1, 1), (2, 2), good, "starts: must have shape"),
        ((1, 1), (2, math.nan), good, "goals"),
        ((1, 1), (2, 2e6), good, "goals"),
        ((1, 1), (2, 2), {"gap": -1.0}, "gap must not be negative"),
        ((1, 1), (2, 2), {"gap": 1.0, "ignore": ["nobody"]}, "ignore"),
        (np.ones((2, 2)), np.ones((3, 2)), good, "do not broadcast"),
    ):
        with pytest.raises(ValueError, match=message):
            routes(board, at, start, goal, **more)
        if "ignore" not in more and more is good:
            with pytest.raises(ValueError, match=message):
                RouteMap(board, at, gap=1.0).routes(start, goal)
    with pytest.raises(ValueError, match="one state"):
        RouteMap(board, at[None], gap=1.0)
    with pytest.raises(ValueError, match="gap must not be negative"):
        RouteMap(board, at, gap=-0.5)
    with pytest.raises(ValueError, match="axes of states first"):
        routes(board, np.ones((2, 3, 1, 3)), np.ones((2, 2)), (1, 1), gap=1.0)
    with pytest.raises(TypeError, match="starts"):
        routes(board, at, "somewhere", (1, 1), gap=1.0)
    with pytest.raises(ValueError, match="slots"):
        routes(Board([Unit("unit", (20, 20), models=2)]), at, (1, 1), (2, 2), gap=1.0)


def test_routes_go_through_the_access_area_of_a_gap() -> None:
    """The gate ends at the rim of the area, where the route turns."""
    board = terrain(box(0, 10, 15, 12), box(15, 12.8, 60, 15))
    one, other = (14.0, 12.5), (16.0, 12.5)
    assert length(board, one, other, 0.8) == pytest.approx(2.0)
    assert length(board, one, other, 1.0) > 10.0
    ground = Ground(access=[box(14, 12, 16, 12.3)])
    assert length(board, one, other, 1.0, ground=ground) == pytest.approx(2 * math.hypot(1.0, 0.2), abs=1e-5)
