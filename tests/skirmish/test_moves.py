"""Groups that move along paths, and directly towards or away from others."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, Move, PlaceStatus, Rules, move_directly, move_group

IN, OUT = PlaceStatus.IN_COHERENCY, PlaceStatus.OUT_OF_COHERENCY
INCH = 25.4
TABLE = (40.0, 30.0)


def disc(name: str, radius: float = 0.5, group: str | None = None, **more: Any) -> Unit:
    return Unit(name, 2.0 * radius * INCH, shape="round", group=group, **more)


def wall(x0: float, y0: float, x1: float, y1: float) -> Terrain:
    return Terrain([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind="wall")


def pushed(at: Any, terrain: Any = (), distance: Any = 6.0, units: Any = None, **more: Any) -> Move:
    """Move the group "own" of two discs, own and foe, or of other units."""
    units = [disc("own"), disc("foe", side=1)] if units is None else units
    return move_directly(Board(units, terrain, TABLE), at, "own", "foe", distance, **more)


# ------------------------------------------------------------------------------ directly, the leader


def test_straight_towards() -> None:
    """From centre to centre; up to contact of the bases."""
    at = [(10.0, 10.0, 0.3), (16.0, 18.0, 0.0)]
    move = pushed([at, at, at], distance=[0.0, 4.0, 30.0])
    assert move.moved.tolist() == [False, True, True]  # P21: a move of 0 inches is none
    assert move.length == pytest.approx([0.0, 4.0, 9.0])
    assert move.positions[1, 0] == pytest.approx([12.4, 13.2, 0.3])
    assert move.positions[2, 0] == pytest.approx([10 + 9 * 0.6, 10 + 9 * 0.8, 0.3])
    assert move.of(0).shape == (0, 2)
    assert move.of((2,))[-1] == pytest.approx(move.positions[2, 0, :2])


def test_already_in_contact() -> None:
    assert not pushed([(10.0, 10.0, 0.0), (11.0, 10.0, 0.0)]).moved


def test_contact_of_an_oval() -> None:
    """Its end comes first."""
    units = [Unit("own", (2 * INCH, 4 * INCH), shape="oval"), disc("foe")]
    move = pushed([(10.0, 10.0, math.pi), (20.0, 10.0, 0.0)], distance=30.0, units=units)
    assert move.positions[0] == pytest.approx([17.5, 10.0, math.pi])


@pytest.mark.parametrize("x", [2.5, 3.0])
def test_pushed_to_the_edge_of_the_table(x: float) -> None:
    """S-7: it stops touching the edge, however far the push goes."""
    move = pushed([(x, 24.0, 0.0), (x + 3.0, 24.0, 0.0)], away=True)
    assert move.positions[0, :2] == pytest.approx([0.5, 24.0], abs=1e-9)
    assert move.length == pytest.approx(x - 0.5)


def test_pushed_all_the_way() -> None:
    move = pushed([(15.0, 10.0, 0.0), (18.0, 14.0, 0.0)], distance=5.0, away=True)
    assert move.positions[0, :2] == pytest.approx([12.0, 6.0])


def round_the_wall(x: float) -> float:
    """How long the way is from (2.5, 24) past the corners (6, 25) and (7, 25) to (x, 24)."""
    return math.hypot(3.5, 1.0) + 1.0 + math.hypot(x - 7.0, 1.0)


@pytest.mark.parametrize("x", [7.5, 7.9, 9.0, 11.3])
def test_round_a_wall_and_on(x: float) -> None:
    """As far on the line as the way round allows; it may end where the base fits again."""
    move = pushed([(2.5, 24, 0), (15, 24, 0)], [wall(6, 22, 7, 25)], round_the_wall(x))
    assert move.positions[0, :2] == pytest.approx([x, 24.0], abs=1e-8)
    assert move.length == pytest.approx(round_the_wall(x), abs=1e-8)
    assert move.of()[1:3] == pytest.approx(np.array([(6, 25), (7, 25)]), abs=1e-6)


@pytest.mark.parametrize("distance", [3.3, 5.0, 5.7])
def test_the_way_round_is_too_long(distance: float) -> None:
    """Along it as far as the base fits: here to where it touches the wall."""
    move = pushed([(2.5, 24, 0), (15, 24, 0)], [wall(6, 22, 7, 25)], distance)
    assert move.positions[0, :2] == pytest.approx([5.5, 24.0 + 3.0 / 3.5], abs=1e-8)
    move = pushed([(2.5, 24, 0), (15, 24, 0)], [wall(6, 22, 7, 25)], 3.0)
    assert move.positions[0, :2] == pytest.approx([5.5, 24.0], abs=1e-8)


def test_no_way_round() -> None:
    """A wall from edge to edge: up to it, and no further."""
    move = pushed([(2.5, 24, 0), (15, 24, 0)], [wall(6, -1, 7, 31)], 10.0)
    assert move.positions[0, :2] == pytest.approx([5.5, 24.0], abs=1e-8)
    assert move.length == pytest.approx(3.0)


@pytest.mark.parametrize("end", [8.0, 9.0, 9.9])
@pytest.mark.parametrize("share", [0.7, 0.95, 1.0, 1.3])
def test_an_opening_agreed_closed_is_no_place_to_stop(end: float, share: float) -> None:
    """The leader may stand on it, but is not past it: it goes round it as round a wall, as far as it may."""
    first = math.hypot(4.0, 10.0 - end)
    distance = share * (first + 10.0 - end)
    ground = Ground(closed=[(9.0, end, 9.0, 13.0)])
    move = pushed([(5.0, 10.0, 0.0), (25.0, 10.0, 0.0)], distance=distance, ground=ground)
    assert move.length == pytest.approx(distance)
    x, y = move.positions[0, :2]
    if share <= 1.0 and first < distance:
        assert (x, y) == pytest.approx((9.0, end + distance - first), abs=1e-4)
    elif share > 1.0:
        assert (first + math.hypot(x - 9.0, y - end), y) == pytest.approx((distance, 10.0))


def test_round_a_disc() -> None:
    """Past a model of another unit on tangents and an arc, as far as the distance goes."""
    units = [disc("own"), disc("foe"), disc("tree", 2.0)]
    at = [(5, 10, 0), (25, 10.0, 0), (12.0, 10.0, 0.0)]
    half = math.sqrt(7.0**2 - 4.0)
    turn = 2.0 * math.asin(2.0 / 7.0)
    move = pushed(at, distance=2 * half + 2.0 * turn, units=units)
    assert move.positions[0, :2] == pytest.approx([19.0, 10.0], abs=1e-8)
    assert np.isfinite(move.centre).any()
    assert abs(move.turn).max() == pytest.approx(turn)


def test_gaps_count_on_the_way() -> None:
    """P10: a large model goes round a gap of two inches that a small one passes."""
    walls = [wall(10, 0, 11, 9), wall(10, 11, 11, 16)]
    at = [(5, 10, 0), (25, 10, 0)]
    small = pushed(at, walls, 8.0)
    assert small.positions[0, :2] == pytest.approx([13.0, 10.0])
    large = pushed(at, walls, 12.0, [disc("own", size=3), disc("foe")])
    # on the way to the upper end of the wall, up to where it touches it
    assert large.positions[0, :2] == pytest.approx([9.5, 15.4])
    ends = pushed(at, walls, 20.0, [disc("own", size=3), disc("foe")])
    long_way = math.hypot(5, 6) + 1.0
    x = 11.0 + math.sqrt((20.0 - long_way) ** 2 - 36.0)
    assert ends.positions[0, :2] == pytest.approx([x, 10.0], abs=1e-7)


def test_flying_models_go_straight_but_their_base_must_fit() -> None:
    units = [disc("own", flying=True), disc("foe")]
    at = [(2.5, 24, 0), (15, 24, 0)]
    for distance, x in ((10.0, 12.5), (4.2, 5.5), (5.0, 7.5)):
        move = pushed(at, [wall(6, -1, 7, 31)], distance, units)
        assert move.positions[0, 0] == pytest.approx(x, abs=1e-8)


def test_never_farther_than_before() -> None:
    """In a pocket that opens backwards only: every step on the way out leads away from the target."""
    pocket = [wall(8, 4, 9, 16), wall(2, 15, 9, 16), wall(2, 4, 9, 5)]
    move = pushed([(7.5, 10, 0), (20, 10, 0)], pocket, 6.0)
    assert not move.moved
    move = pushed([(6.5, 10, 0), (20, 10, 0)], pocket, 6.0)
    assert move.positions[0, :2] == pytest.approx([7.5, 10.0], abs=1e-8)


def test_never_nearer_than_before() -> None:
    """Away from the farthest of two enemies would be towards the other one."""
    units = [disc("own"), disc("near", group="foe"), disc("far", group="foe")]
    at = [(20.0, 10.0, 0.0), (17.0, 10.0, 0.0), (30.0, 10.0, 0.0)]
    assert not pushed(at, units=units, away=True).moved
    at[1] = (20.0, 13.5, 0.0)
    move = pushed(at, units=units, away=True)
    assert move.positions[0, :2] == pytest.approx([14.0, 10.0])


def test_the_model_aimed_at() -> None:
    units = [disc("own"), disc("near", group="foe"), disc("far", group="foe")]
    at = [(10.0, 10.0, 0.0), (16.0, 10.0, 0.0), (10.0, 20.0, 0.0)]
    assert pushed(at, units=units, distance=2).positions[0, :2] == pytest.approx([12.0, 10.0])
    assert pushed(at, units=units, distance=2, away=True).positions[0, :2] == pytest.approx([10.0, 8.0])


def test_of_equal_ways_one_is_taken() -> None:
    move = pushed([(2.5, 24, 0), (15, 24, 0)], [wall(6, 23, 7, 25)], round_the_wall(9.0))
    assert move.positions[0, :2] == pytest.approx([9.0, 24.0], abs=1e-8)


# ------------------------------------------------------------------------------ directly, the group


def test_the_leader_has_the_shortest_way() -> None:
    """Ambiguity h: ways round what stands between count, not the distance."""
    units = [disc("a", group="own"), disc("b", group="own"), disc("foe")]
    at = [(10.0, 10.0, 0.0), (10.0, 20.5, 0.0), (16.0, 14.0, 0.0)]
    assert pushed(at, units=units).leader == 0
    assert pushed(at, [wall(12, 4, 13, 17)], units=units).leader == 1
    assert pushed(at, [wall(12, 4, 13, 17)], units=units, leader=0).leader == 0
    at[1] = (10.0, 18.0, 0.0)
    assert pushed(at, units=units).leader == 0  # as far: the first one


def test_the_others_come_as_close_as_they_can() -> None:
    """Followers touch the target as the leader does, at the nearest place to theirs beside him."""
    units = [disc("a", group="own"), disc("b", group="own"), disc("c", group="own"), disc("foe")]
    at = [(10.0, 10.0, 0.0), (9.0, 12.0, 0.0), (9.0, 8.0, 0.0), (20.0, 10.0, 0.0)]
    move = pushed(at, units=units, distance=20.0)
    assert move.leader == 0
    assert move.status.tolist() == [IN, IN, IN, PlaceStatus.UNTOUCHED]
    gaps = np.hypot(*(move.positions[1:3, :2] - (20.0, 10.0)).T) - 1.0
    assert gaps == pytest.approx([0.0, 0.0], abs=1e-6)
    assert move.positions[1, 1] > 10.0 > move.positions[2, 1]


def test_as_close_as_coherency_allows() -> None:
    """The target is out of the followers' reach: on the circle of coherency, towards it."""
    units = [disc("a", group="own"), disc("b", group="own"), disc("foe")]
    at = [(10.0, 10.0, 0.0), (8.0, 10.0, 0.0), (30.0, 10.0, 0.0)]
    move = pushed(at, units=units, distance=4.0)
    assert move.positions[0, :2] == pytest.approx([14.0, 10.0])
    assert move.positions[1, :2] == pytest.approx([17.0, 10.0], abs=1e-6)


def test_as_far_as_coherency_allows() -> None:
    units = [disc("a", group="own"), disc("b", group="own"), disc("foe")]
    at = [(20.0, 10.0, 0.0), (22.0, 12.0, 0.0), (30.0, 10.0, 0.0)]
    move = pushed(at, units=units, distance=4.0, away=True, leader=0)
    assert move.positions[0, :2] == pytest.approx([16.0, 10.0])
    assert move.positions[1, :2] == pytest.approx([13.0, 10.0], abs=1e-6)


def test_far_from_two_enemies() -> None:
    """As far from the nearer of them as can be: on the circle of coherency, where both are as far."""
    units = [disc("a", group="own"), disc("b", group="own"), disc("x", group="foe"), disc("y", group="foe")]
    at = [(20.0, 10.0, 0.0), (22.0, 12.0, 0.0), (28.0, 4.0, 0.0), (28.0, 16.0, 0.0)]
    move = move_directly(Board(units, size=TABLE), at, "own", "foe", 4.0, away=True, leader=0)
    spot, leader = move.positions[1, :2], move.positions[0, :2]
    angle = np.linspace(0.0, 2.0 * math.pi, 100_001)
    ring = leader + 3.0 * np.stack([np.cos(angle), np.sin(angle)], axis=-1)
    foes = np.array([(28.0, 4.0), (28.0, 16.0)])
    gaps = np.hypot(*(ring[:, None] - foes).transpose(2, 0, 1)).min(axis=1)
    assert np.hypot(*(spot - foes).T).min() == pytest.approx(gaps.max(), abs=1e-6)


# ------------------------------------------------------------------------------ along a path


def group_of(*names: str, **more: Any) -> list[Unit]:
    return [disc(name, group="own", **more) for name in names]


def test_a_group_keeps_its_shape() -> None:
    board = Board(group_of("a", "b", "c"), size=TABLE)
    at = [(10.0, 10.0, 0.1), (11.5, 10.0, 0.2), (10.0, 12.0, 0.3)]
    move = move_group(board, at, "own", [(12.0, 10.0), (12.0, 13.0)], leader="a", allowance=5.0)
    assert bool(move.moved)
    assert move.length == pytest.approx(5.0)
    assert move.positions == pytest.approx(np.array(at) + np.array([2.0, 3.0, 0.0]))
    assert move.status.tolist() == [IN, IN, IN]
    assert move.of().tolist() == [[10.0, 10.0], [12.0, 10.0], [12.0, 13.0]]


def test_what_stops_a_group() -> None:
    """Nothing moves: the way is too long, stopped, or the leader does not fit where it ends."""
    board = Board(group_of("a", "b"), [wall(12, 0, 13, 30), wall(20, 0, 21, 9.5)], TABLE)
    at = np.array([(10.0, 10.0, 0.0), (8.0, 10.0, 0.0)])
    for path, allowance in (
        ([(11.0, 10.0)], 0.9),
        ([(14.0, 10.0)], None),
        ([(11.8, 10.0)], None),
        ([(-1.0, 10.0)], None),
    ):
        move = move_group(board, at, "own", path, leader="a", allowance=allowance)
        assert not move.moved
        assert move.positions.tolist() == at.tolist()
        assert not move.status.any()
        assert move.points.shape == (0, 2)


def test_through_a_gap_of_an_inch_but_not_into_it() -> None:
    """S-2: a base of 50 mm passes a gap of one inch and cannot stop there."""
    walls = [wall(12, 0, 13, 9.5), wall(12, 10.5, 13, 30)]
    unit = Unit("a", 50, shape="round", size=2, group="own")
    at = [(10.0, 10.0, 0.0)]
    through = [[(15.0, 10.0)], [(12.5, 10.0)]]
    move = move_group(Board([unit], walls, TABLE), at, "own", through, leader="a")
    assert move.moved.tolist() == [True, False]
    narrow = [walls[0], wall(12, 10.499, 13, 30)]
    assert not move_group(Board([unit], narrow, TABLE), at, "own", through, leader="a").moved.any()


def test_the_leader_may_end_where_its_own_stand() -> None:
    """They are set anew."""
    board = Board(group_of("a", "b"), size=TABLE)
    move = move_group(board, [(10, 10, 0), (12, 10, 0)], "own", [(12, 10)], leader=0)
    assert move.positions[:, :2].tolist() == [[12.0, 10.0], [14.0, 10.0]]


def test_placed_units_have_no_path() -> None:
    """P19: the base is wholly within X of where it was if its centre is shifted by X at most."""
    board = Board(group_of("a", "b"), [wall(12, 0, 13, 30)], TABLE)
    at = [(10.0, 10.0, 0.0), (9.0, 11.0, 0.0)]
    for action, allowance, is_moved in (
        ("move", 6.0, False),
        ("place", 6.0, True),
        ("place", 5.0, True),
        ("place", 4.9, False),
        ("summon", None, True),
    ):
        move = move_group(board, at, "own", [(15.0, 10.0)], leader=0, action=action, allowance=allowance)
        assert bool(move.moved) == is_moved


def test_wished_places_and_headings() -> None:
    board = Board([*group_of("a"), Unit("b", (INCH, 3 * INCH), shape="oval", group="own")], size=TABLE)
    at = [(10, 10, 0), (20, 20, 0)]
    wished = [(0, 0, 0), (15.0, 11.0, 1.0)]
    move = move_group(board, at, "own", [(14, 10)], leader=0, wished=wished, radius=[4.0, 0.5])
    assert move.positions[0, 1] == pytest.approx([15.0, 11.0, 1.0]) or move.status[0, 1] == IN
    assert move.positions[:, 1, 2].tolist() == [1.0, 1.0]
    assert move.status[:, 1].tolist() == [IN, OUT]


def test_rectangles_move_by_their_centres() -> None:
    unit = Unit("a", (INCH, 2 * INCH), group="own")
    move = move_group(Board([unit], size=TABLE), [(10.0, 10.0, math.pi / 2)], "own", [(14.0, 9.0)], leader=0)
    assert move.positions[0] == pytest.approx([14.0, 10.0, math.pi / 2])
    assert move.length == pytest.approx(4.0)


# ------------------------------------------------------------------------------ batches, laws, errors


def test_states_are_independent() -> None:
    rng = np.random.default_rng(5)
    units = [*group_of("a", "b", "c"), disc("foe", group="foe"), disc("rock", 1.0)]
    board = Board(units, [wall(18, 12, 19, 17)], TABLE)
    at = np.zeros((2, 3, 5, 3))
    at[..., :3, :2] = (10.0, 14.0) + rng.uniform(-0.3, 0.3, (2, 3, 3, 2)) + [(0, 0), (2, 0), (0, 2)]
    at[..., 3, :2] = rng.normal((25.0, 15.0), 3.0, (2, 3, 2))
    at[..., 4, :2] = (20.0, 22.0)
    present = np.ones((3, 5), np.bool_)
    present[1, 0] = False
    at[:, 1, 0] = np.nan
    far = np.array([[4.0], [9.0]])
    move = move_directly(board, at, "own", "foe", far, present=present)
    path = [(12.0, 14.0), (12.0, 15.0)]
    along = move_group(board, at, "own", path, leader=1, present=present, workers=2)
    for i in range(2):
        for j in range(3):
            one = move_directly(board, at[i, j], "own", "foe", far[i, 0], present=present[j])
            np.testing.assert_array_equal(one.positions, move.positions[i, j])
            np.testing.assert_array_equal(one.of(), move.of((i, j)))
            assert one.leader == move.leader[i, j]
            two = move_group(board, at[i, j], "own", path, leader=1, present=present[j])
            np.testing.assert_array_equal(two.positions, along.positions[i, j])
            np.testing.assert_array_equal(two.status, along.status[i, j])
    assert move.leader[0, 1] in (1, 2)


def test_nobody_there() -> None:
    move = pushed([(1.0, 1.0, 0.0), (9.0, 9.0, 0.0)], present=[True, False])
    assert not move.moved
    assert move.leader == -1
    board = Board([disc("own"), disc("foe")], size=TABLE)
    assert move_directly(board, np.zeros((0, 2, 3)), "own", "foe", 1.0).positions.shape == (0, 2, 3)


@pytest.mark.parametrize("turn", [0.0, 0.7, 2.9])
def test_turned_and_shifted(turn: float) -> None:
    """Away from the edges of the table the whole picture may be turned."""
    units = [disc("own"), disc("foe"), disc("rock", 1.2)]
    outline = np.array([(6.0, -1.0), (7.0, -1.5), (7.5, 2.0), (6.5, 1.5)])
    at = np.array([(2.0, 0.0), (16.0, 1.0), (11.0, 1.2)])
    cos, sin = math.cos(turn), math.sin(turn)
    matrix, shift = np.array([[cos, sin], [-sin, cos]]), np.array([200.0, 200.0])
    for distance in (3.0, 4.5, 6.0, 9.0, 11.0, 20.0):
        ends = []
        for m in (np.eye(2), matrix):
            board = Board(units, [Terrain(outline @ m + shift, kind="wall")], size=(400.0, 400.0))
            positions = np.column_stack([at @ m + shift, np.zeros(3)])
            move = move_directly(board, positions, "own", "foe", distance)
            ends.append((float(move.length), (move.positions[0, :2] - shift) @ np.linalg.inv(m)))
        assert ends[1][0] == pytest.approx(ends[0][0], abs=1e-7)
        assert ends[1][1] == pytest.approx(ends[0][1], abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"target": "own"}, "target.*another"),
        ({"target": "nobody"}, "target.*nobody"),
        ({"group": 9}, "group.*from 0 to 1, got 9"),
        ({"distance": -1.0}, "distance"),
        ({"leader": 1}, "leader.*another group"),
        ({"leader": "x"}, "leader"),
        ({"radius": np.nan}, "radius"),
    ],
)
def test_errors_of_directed_moves(changes: dict[str, Any], message: str) -> None:
    arguments: dict[str, Any] = {"group": "own", "target": "foe", "distance": 1.0, **changes}
    named = [arguments.pop(name) for name in ("group", "target", "distance")]
    board = Board([disc("own"), disc("foe")], size=TABLE)
    with pytest.raises(ValueError, match=message):
        move_directly(board, [(10, 10, 0), (20, 10, 0)], *named, **arguments)


def test_errors_of_moves_along_paths() -> None:
    board = Board(group_of("a", "b"), size=TABLE)
    at = [(10, 10, 0), (20, 10, 0)]
    with pytest.raises(ValueError, match=r"path.*shape"):
        move_group(board, at, "own", [1.0, 2.0, 3.0], leader=0)
    with pytest.raises(ValueError, match=r"wished.*shape"):
        move_group(board, at, "own", [(1.0, 2.0)], leader=0, wished=[(1.0, 2.0)])
    with pytest.raises(ValueError, match="allowance"):
        move_group(board, at, "own", [(1.0, 2.0)], leader=0, allowance=-1.0)
    with pytest.raises(ValueError, match="absent"):
        move_group(board, at, "own", [(1.0, 2.0)], leader=0, present=[False, True])
    with pytest.raises(ValueError, match="fly"):
        move_group(board, at, "own", [(1.0, 2.0)], leader=0, action="fly")
    with pytest.raises(TypeError, match="away"):
        move_directly(Board([disc("own"), disc("foe")]), at, "own", "foe", 1.0, away=1)  # type: ignore[arg-type]


NAN = math.nan


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ([(1.0, 2.0), (np.inf, 2.0)], r"path\[1, 0\] must be finite, got inf"),
        ([(1.0, 2.0), (3.0, NAN)], r"path\[1, 1\] must be finite, got nan"),
        ([(1.0, 2.0), (NAN, NAN), (3.0, 4.0)], r"path\[2\]: comes after the end, got \[3.0, 4.0\]"),
        ([[(1.0, 2.0)], [(2e6, 2.0)]], r"path\[1, 0, 0\] must be from"),
    ],
)
def test_errors_name_the_way_point(path: Any, message: str) -> None:
    """By its place in what was given, not in the path from where the leader stands."""
    board = Board(group_of("a", "b"), size=TABLE)
    with pytest.raises(ValueError, match=message):
        move_group(board, [(10, 10, 0), (20, 10, 0)], "own", path, leader=0)


def test_only_the_wish_of_who_is_set_is_looked_at() -> None:
    board = Board([disc("foe", side=1), *group_of("a", "b", "c")], size=TABLE)
    at = [(30, 10, 0), (10, 10, 0), (10, 12, 0), (10, 14, 0)]
    present = [True, True, True, False]
    move = move_group(
        board,
        at,
        "own",
        [(14, 10)],
        leader="a",
        wished=[(NAN, np.inf), (12.5, 10), (NAN, NAN)],
        present=present,
    )
    assert move.positions[1:3, :2].tolist() == [[14.0, 10.0], [12.5, 10.0]]
    for number in (NAN, np.inf, 2e6):
        wished = [(1, 1), (12, number), (1, 1)]
        with pytest.raises(ValueError, match=rf"^wished\[1\]\[1\].*{number}"):
            move_group(board, at, "own", [(14, 10)], leader="a", wished=wished, present=present)
    two = np.array([[(1, 1), (12, 1), (1, 1)], [(1, 1), (np.inf, 1), (1, 1)]])
    with pytest.raises(ValueError, match=r"^wished\[1\]\[1\]\[0\].*inf"):
        move_group(board, at, "own", [(14, 10)], leader="a", wished=two, present=present)


def test_actions_that_are_unknown() -> None:
    with pytest.raises(ValueError, match=r"^action: must be 'move' .*'close ranks'.*, got 'close_ranks'$"):
        move_group(Board([disc("own")]), [(10, 10, 0)], "own", [(1, 2)], leader=0, action="close_ranks")


def test_a_radius_without_an_end() -> None:
    units = [*group_of("a", "b"), disc("foe", side=1)]
    at = [(10, 10, 0), (3, 3, 0), (20, 10, 0)]
    move = move_group(Board(units, size=TABLE), at, "own", [(12, 10)], leader=0, radius=np.inf)
    assert move.positions[1, :2].tolist() == [5.0, 3.0]
    away = move_directly(
        Board(units, size=TABLE), at, "own", "foe", np.inf, leader=0, radius=np.inf, away=True
    )
    assert away.positions[0, :2] == pytest.approx([0.5, 10.0])
    assert away.positions[1, :2] == pytest.approx([0.5, 29.5])


def test_rules_and_ground_are_used() -> None:
    """A probe as wide as the base, and a closed opening, both send a leader round."""
    walls = [wall(10, 0, 11, 9.4), wall(10, 10.6, 11, 16)]
    at = [(5, 10, 0), (25, 10, 0)]
    units = [disc("own", 0.75), disc("foe")]
    assert pushed(at, walls, 8.0, units).positions[0, :2] == pytest.approx([13.0, 10.0])
    for more in ({"rules": Rules(sc_probe="base")}, {"ground": Ground(closed=[(10.5, 9, 10.5, 11)])}):
        move = pushed(at, walls, 8.0, units, **more)
        assert move.positions[0, :2] != pytest.approx([13.0, 10.0])
