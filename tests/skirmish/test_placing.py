"""Where models are set: cases whose answer is known in closed form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, PlaceStatus, Rules, can_stand, coherency, place

IN, OUT, CASUALTY = PlaceStatus.IN_COHERENCY, PlaceStatus.OUT_OF_COHERENCY, PlaceStatus.CASUALTY
INCH = 25.4
TABLE = (40.0, 30.0)


def disc(name: str, radius: float, group: str | None = "own", **more: Any) -> Unit:
    return Unit(name, 2.0 * radius * INCH, shape="round", group=group, **more)


def wall(x0: float, y0: float, x1: float, y1: float) -> Terrain:
    return Terrain([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind="wall")


def put(
    others: list[tuple[float, float, float]],
    terrain: list[Terrain],
    wished: tuple[float, ...],
    *,
    radius: float = 0.5,
    reach: float = 3.0,
    size: tuple[float, float] = TABLE,
    **more: Any,
) -> tuple[NDArray[np.float64], PlaceStatus]:
    """Set one disc beside a leader of radius 0.5 at (10, 10); others are discs of nobody's."""
    units = [disc("leader", 0.5), disc("new", radius)]
    units += [disc(f"other {i}", r, None) for i, (_, _, r) in enumerate(others)]
    at = [(10.0, 10.0, 0.0), (0.0, 0.0, 0.0), *((x, y, 0.0) for x, y, _ in others)]
    placed = place(Board(units, terrain, size), at, ["new"], [wished], leader="leader", radius=reach, **more)
    return placed.positions[1], PlaceStatus(placed.status[0])


def test_where_it_is_wished() -> None:
    spot, status = put([], [], (12.0, 11.0))
    assert status is IN
    assert spot.tolist() == [12.0, 11.0, 0.0]


def test_beside_one_disc() -> None:
    """On the circle round it of both radii, in the direction of the wish."""
    spot, status = put([(12.0, 10.0, 0.7)], [], (12.3, 10.4))
    assert status is IN
    assert spot[:2] == pytest.approx([12.0 + 1.2 * 0.6, 10.0 + 1.2 * 0.8], abs=1e-9)


def test_between_two_discs() -> None:
    """In the hollow where both are touched: a triangle of equal sides."""
    spot, _ = put([(12.0, 9.0, 0.5), (12.0, 10.5, 0.5)], [], (11.98, 9.75), reach=3.5)
    aside = math.sqrt(1.0 - 0.75**2)
    assert spot[:2] == pytest.approx([12.0 - aside, 9.75], abs=1e-9)


def test_just_between_two_discs() -> None:
    """A slit exactly as wide as the base is wide enough."""
    spot, _ = put([(12.0, 9.0, 0.5), (12.0, 11.0, 0.5)], [], (12.0, 10.02))
    assert spot[:2] == pytest.approx([12.0, 10.0], abs=1e-6)


def test_in_the_corner_of_a_wall() -> None:
    corner = Terrain([(11, 11), (13, 11), (13, 8), (13.5, 8), (13.5, 11.5), (11, 11.5)], kind="wall")
    spot, status = put([], [corner], (12.9, 10.9))
    assert status is IN
    assert spot[:2] == pytest.approx([12.5, 10.5], abs=1e-9)


def test_round_the_end_of_a_wall() -> None:
    spot, _ = put([], [wall(12, 9, 12.2, 10)], (12.1, 9.95), reach=4.0)
    assert spot[:2] == pytest.approx([12.1, 10.5], abs=1e-9)


@pytest.mark.parametrize("angle", [0.0, 0.3, 2.0, -2.5])
def test_on_the_circle_of_coherency(angle: float) -> None:
    """The farthest point of the base is 3 inches from the edge of the leader's."""
    way = np.array([math.cos(angle), math.sin(angle)])
    spot, status = put([], [], tuple(10.0 + 7.0 * way))
    assert status is IN
    assert spot[:2] == pytest.approx(10.0 + 3.0 * way, abs=1e-9)


def test_measured_from_the_centre_of_the_leader() -> None:
    """Ambiguity a, the other reading."""
    spot, _ = put([], [], (20.0, 10.0), rules=Rules(sc_wholly_ref="centre"))
    assert spot[:2] == pytest.approx([12.5, 10.0], abs=1e-9)


def test_at_the_edge_of_the_table() -> None:
    spot, _ = put([], [], (12.0, 13.0), size=(40.0, 11.0))
    assert spot[:2] == pytest.approx([12.0, 10.5], abs=1e-9)


def shadow_line(corner: tuple[float, float], radius: float) -> tuple[NDArray[np.float64], float]:
    """Normal and offset of the flattest line past a corner from a leader at (10, 10)."""
    x, y = corner[0] - 10.0, corner[1] - 10.0
    angle = math.atan2(y, x) - math.asin(radius / math.hypot(x, y))
    normal = np.array([-math.sin(angle), math.cos(angle)])
    return normal, float(normal @ corner)


def test_on_a_shadow_line() -> None:
    """Behind a wall the base reaches up to the last line past its corner."""
    spot, status = put([], [wall(12, 0, 12.5, 11)], (14.0, 9.6), reach=8.0)
    normal, offset = shadow_line((12.0, 11.0), 0.5)
    wished = np.array([14.0, 9.6])
    expected = wished + (offset - 0.5 - normal @ wished) * normal
    assert status is IN
    assert spot[:2] == pytest.approx(expected, abs=1e-6)


def test_on_a_shadow_line_from_centre_to_centre() -> None:
    """Ambiguity b, the other reading."""
    spot, _ = put([], [wall(12, 0, 12.5, 11)], (14.0, 9.6), reach=8.0, rules=Rules(sc_link="centre"))
    normal, offset = shadow_line((12.0, 11.0), 0.0)
    wished = np.array([14.0, 9.6])
    assert spot[:2] == pytest.approx(wished + (offset - normal @ wished) * normal, abs=1e-6)


@pytest.mark.parametrize(("half", "x"), [(0.5, 14.0), (0.4995, 12.3)])
def test_a_gap_of_an_inch_and_one_of_less(half: float, x: float) -> None:
    """Through the first a link passes; in the second the base must reach to the near end of the gap."""
    walls = [wall(12, 0, 12.5, 10 - half), wall(12, 10 + half, 12.5, 30)]
    spot, status = put([], walls, (14.0, 10.0), radius=0.3, reach=8.0)
    assert status is IN
    assert spot[:2] == pytest.approx([x, 10.0], abs=1e-5)


@pytest.mark.parametrize(("size", "x"), [(2, 14.0), (3, 12.3)])
def test_the_gap_goes_by_the_leader(size: int, x: float) -> None:
    walls = [wall(12, 0, 12.5, 9), wall(12, 11, 12.5, 30)]
    units = [disc("leader", 0.5, size=size), disc("new", 0.3, size=0)]
    placed = place(
        Board(units, walls, TABLE), [(10, 10, 0), (0, 0, 0)], [1], [(14, 10)], leader=0, radius=8.0
    )
    assert placed.positions[1, 0] == pytest.approx(x, abs=1e-5)


def test_a_closed_opening_and_an_access_point() -> None:
    """Agreed to be closed, a wide opening stops links; where access is agreed, a wall stops nothing."""
    walls = [wall(12, 0, 12.5, 8), wall(12, 12, 12.5, 30)]
    ground = Ground(closed=[(12.25, 8, 12.25, 12)])
    spot, status = put([], walls, (15.0, 10.0), reach=8.0, ground=ground)
    assert status is IN
    assert spot[:2] == pytest.approx([12.75, 10.0], abs=1e-5)
    door = [(11.9, 9.0), (12.6, 9.0), (12.6, 11.0), (11.9, 11.0)]
    spot, _ = put([], [wall(12, 0, 12.5, 30)], (15.0, 10.0), reach=8.0, ground=Ground(access=[door]))
    assert spot[:2].tolist() == [15.0, 10.0]


def test_models_of_the_own_group_do_not_stop_links() -> None:
    """Ambiguity f; whoever is of another unit does."""
    for group, x in (("own", 14.0), (None, None)):
        units = [disc("leader", 0.5), disc("new", 0.5), disc("big", 1.5, group)]
        at = [(10, 10, 0), (0, 0, 0), (12, 10, 0)]
        placed = place(Board(units, size=(40.0, 12.0)), at, [1], [(14.0, 10.0)], leader=0, radius=6.0)
        assert PlaceStatus(placed.status[0]) is IN
        assert (placed.positions[1, 0] == pytest.approx(14.0)) == (x is not None)


def test_links_pass_enemies_the_group_is_engaged_with() -> None:
    """S-5: behind a wide enemy one is linked only if somebody who stands is engaged with it."""
    for gap, is_free in ((0.9, True), (1.1, False)):
        units = [disc("leader", 0.5), disc("new", 0.5), Unit("foe", (10 * INCH, INCH), side=1)]
        front = (10.0 + 0.5 + gap, 10.0, math.pi)
        placed = place(
            Board(units, size=TABLE), [(10, 10, 0), (0, 0, 0), front], [1], [(14, 10)], leader=0, radius=6.0
        )
        assert bool(placed.positions[1, :2] == pytest.approx([14.0, 10.0])) == is_free


def test_a_chain_links() -> None:
    """Who is set first links the second, round a corner; in the other order the second is still alone."""
    corner = [wall(12, 4, 12.5, 11)]
    units = [disc("leader", 0.5), disc("a", 0.5), disc("b", 0.5)]
    board, at = Board(units, corner, TABLE), [(10, 10, 0), (0, 0, 0), (0, 0, 0)]
    wish = {1: (13.0, 11.9), 2: (14.0, 7.0)}
    first = place(board, at, [1, 2], [wish[1], wish[2]], leader=0, radius=8.0)
    assert first.positions[1:, :2].tolist() == [list(wish[1]), list(wish[2])]
    second = place(board, at, [2, 1], [wish[2], wish[1]], leader=0, radius=8.0)
    assert second.positions[1, :2].tolist() == list(wish[1])
    assert math.dist(second.positions[2, :2], wish[2]) > 0.5


def test_two_broad_models_do_not_fit_into_three_inches() -> None:
    """S-1 and ambiguity n: bases of 80 mm that touch reach 80 mm from edge to farthest point."""
    units = [Unit(name, 80, shape="round", group="own") for name in ("one", "two")]
    board, at = Board(units, size=TABLE), [(10, 10, 0), (0, 0, 0)]
    placed = place(board, [at, at], ["two"], [(14.0, 10.0)], leader="one", radius=[3.0, 4.0])
    assert placed.status.tolist() == [[OUT], [IN]]
    assert placed.positions[0, 1, :2] == pytest.approx([10.0 + 80 / INCH, 10.0])
    assert placed.positions[1, 1, :2] == pytest.approx([14.0, 10.0])


def test_as_close_as_possible_out_of_coherency() -> None:
    """P7 and ambiguity g: a leader in a ring of others, who leave no room within the radius."""
    ring = [(10 + 1.5 * math.cos(a), 10 + 1.5 * math.sin(a), 0.6) for a in np.arange(6) * math.pi / 3]
    spot, status = put(ring, [], (11.0, 10.9), reach=2.0, rules=Rules(small_gap=0.1))
    assert status is OUT
    # in the hollow outside between two of them
    away = 1.5 * math.cos(math.pi / 6) + math.sqrt(1.1**2 - 0.75**2)
    assert math.dist(spot[:2], (10, 10)) == pytest.approx(away, abs=1e-6)
    angle = math.degrees(math.atan2(spot[1] - 10, spot[0] - 10))
    assert angle == pytest.approx(30.0, abs=1e-4)  # of six as good ones, that nearest to the wish


def test_shut_in_nobody_is_linked() -> None:
    """A leader in a closed yard that nobody else fits into."""
    yard = [wall(9, 9, 11, 9.4), wall(9, 10.6, 11, 11), wall(9, 9, 9.4, 11), wall(10.6, 9, 11, 11)]
    spot, status = put([], yard, (13.0, 10.0))
    assert status is CASUALTY
    assert spot.tolist() == [0.0, 0.0, 0.0]
    spot, status = put([], yard, (13.0, 10.0), ground=Ground(blocking=[0, 1, 2]))
    assert status is IN


def test_casualties_stand_nowhere() -> None:
    """They neither link nor stand in the way of those that are set after them."""
    alley = [wall(11.5, 5, 12, 15)]
    units = [disc("leader", 0.5), disc("fat", 3.0), disc("thin", 0.4)]
    board = Board(units, alley, size=(11.7, 20.0))
    placed = place(board, [(10, 10, 0), (10, 12, 0), (0, 0, 0)], [1, 2], [(10, 12), (10, 12)], leader=0)
    assert PlaceStatus(placed.status[0]) is not IN
    assert placed.positions[2, :2].tolist() == [10.0, 12.0] or placed.status[0] == OUT


def test_flying_groups_link_through_everything() -> None:
    units = [
        disc("leader", 0.5, flying=True),
        disc("new", 0.5, flying=True),
        disc("foe", 0.5, None, side=1, flying=True),
    ]
    board = Board(units, [wall(12, 0, 12.5, 30)], TABLE)
    placed = place(board, [(10, 10, 0), (0, 0, 0), (30, 10, 0)], [1], [(13.5, 10.0)], leader=0, radius=6.0)
    assert placed.positions[1, :2].tolist() == [13.5, 10.0]
    # P11: an inch from enemies that fly, and not on terrain
    placed = place(board, [(10, 10, 0), (0, 0, 0), (14.5, 10, 0)], [1], [(13.5, 10.0)], leader=0, radius=6.0)
    assert math.dist(placed.positions[1, :2], (14.5, 10)) == pytest.approx(2.0)
    placed = place(board, [(10, 10, 0), (0, 0, 0), (30, 10, 0)], [1], [(12.2, 10.0)], leader=0, radius=6.0)
    assert placed.positions[1, :2] == pytest.approx([11.5, 10.0])


@pytest.mark.parametrize("heading", [0.0, 0.4, math.pi / 2, 2.2])
def test_an_oval_keeps_its_heading(heading: float) -> None:
    """Ambiguity m: beside a wall it is as far away as it reaches with that heading."""
    units = [disc("leader", 0.5), Unit("oval", (2 * INCH, 4 * INCH), shape="oval", group="own")]
    board = Board(units, [wall(13, 2, 20, 18)], TABLE)
    placed = place(board, [(10, 10, 0), (0, 0, 0)], [1], [(13.5, 13.0, heading)], leader=0, radius=9.0)
    reach = 1.0 + abs(math.cos(heading))
    assert placed.positions[1] == pytest.approx([13.0 - reach, 13.0, heading], abs=1e-9)


@pytest.mark.parametrize("tol", [1e-8, 1e-6, 1e-3])
def test_tolerances(tol: float) -> None:
    """Spots beside others, at the end of reach and in crossings are found all the same."""
    units = [disc("leader", 0.5), disc("new", 0.5), disc("foe", 1.0, None)]
    at = np.array([(10.0, 10.0, 0.0), (0.0, 0.0, 0.0), (12.1, 10.3, 0.0)])
    for wished in ((12.3, 10.7), (13.7, 10.1), (10.2, 10.3), (-3.0, 5.0)):
        spots = [
            place(Board(units, size=TABLE), at, [1], [wished], leader=0, tol=some).positions[1]
            for some in (tol, 1e-7)
        ]
        assert spots[0] == pytest.approx(spots[1], abs=0.1 * math.sqrt(tol) + 1e-5)


@pytest.mark.parametrize("x", [2.0, 7.0, 13.0])
def test_round_the_end_of_a_closed_opening(x: float) -> None:
    """It is as long for whoever sets a model as for whoever asks about coherency."""
    board = Board([disc("leader", 0.7), disc("new", 0.4)], size=TABLE)
    ground = Ground(closed=[(13.6, 10.7, 13.0, 3.0), (0.0, 0.0, 0.0, 1.0)])
    at = np.array([(11.0, 9.0, 0.0), (0.0, 0.0, 0.0)])
    for angle in np.linspace(-1.5, 0.0, 12).tolist():
        wished = (13.3 + 3 * math.cos(angle), 9.0 + x * math.sin(angle))
        placed = place(board, at, [1], [wished], leader=0, ground=ground, radius=4.0)
        assert placed.status.tolist() == [IN]
        assert coherency(board, placed.positions, [0], ground=ground, radius=4.0).in_coherency.all()


def test_ground() -> None:
    board = Board([disc("leader", 0.5), disc("new", 0.5)], [wall(11, 9, 13, 11)], size=TABLE)
    at = [(10, 10, 0), (0, 0, 0)]
    spots = [place(board, at, [1], [(11.5, 10)], leader=0, ground=ground) for ground in (None, Ground())]
    assert spots[0].positions.tolist() == spots[1].positions.tolist()
    for ground in (3, "wall", [0]):
        with pytest.raises(TypeError, match=r"^ground must be Ground of"):
            place(board, at, [1], [(11.5, 10)], leader=0, ground=ground)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match=r"^ground must be Ground of"):
            can_stand(board, at, ground=ground)  # type: ignore[arg-type]


def test_a_radius_without_an_end() -> None:
    """Everything on the table is within it: so it is within one that just holds the table."""
    units = [disc("leader", 0.5), disc("new", 0.5), Unit("oval", (40, 100), shape="oval", group="own")]
    board = Board([*units, disc("rock", 2.0, None)], size=TABLE)
    at = [(1, 1, 0), (0, 0, 0), (0, 0, 0.4), (30, 20, 0)]
    wished = [(45.0, 40.0), (31.0, 20.0)]
    one, *more = (place(board, at, [1, 2], wished, leader=0, radius=r) for r in (60.0, 1e9, np.inf))
    assert one.status.tolist() == [IN, IN]
    assert one.positions[1, :2] == pytest.approx([39.5, 29.5])
    for other in more:
        assert other.status.tolist() == [IN, IN]
        assert other.positions == pytest.approx(one.positions, abs=1e-9)


def test_an_oval_on_the_circle_of_coherency() -> None:
    """Both ends of its core are within the radius: here they are equally far."""
    units = [disc("leader", 0.5), Unit("oval", (2 * INCH, 4 * INCH), shape="oval", group="own")]
    board = Board(units, size=TABLE)
    placed = place(board, [(10, 10, 0), (0, 0, 0)], [1], [(10.0, 20.0, 0.0)], leader=0, radius=4.0)
    assert placed.positions[1, :2] == pytest.approx([10.0, 10.0 + math.sqrt(3.5**2 - 1.0)], abs=1e-9)


def test_the_least_farthest_distance_of_an_oval() -> None:
    """Too long for the radius in any place: it touches the leader with its long side, both ends as far."""
    units = [disc("leader", 0.5), Unit("oval", (2 * INCH, 8 * INCH), shape="oval", group="own")]
    board = Board(units, size=TABLE)
    placed = place(board, [(10, 10, 0), (0, 0, 0)], [1], [(13.0, 12.0, 0.0)], leader=0, radius=1.0)
    assert PlaceStatus(placed.status[0]) is OUT
    assert placed.positions[1, :2] == pytest.approx([10.0, 11.5], abs=1e-6)


def test_rectangles_link_in_all_directions() -> None:
    """Positions of rectangles are the middles of their fronts; links do not leave through the front alone."""
    units = [Unit(name, (2 * INCH, 2 * INCH), group="own") for name in ("leader", "new")]
    board = Board(units, [wall(13, 9.5, 13.5, 30)], TABLE)
    at = [(10.0, 10.0, math.pi), (0.0, 0.0, 0.0)]  # the leader looks the other way
    placed = place(board, at, [1], [(17.0, 12.0, 0.0)], leader=0, radius=9.0)
    assert PlaceStatus(placed.status[0]) is IN
    # Its base is from (10, 9) to (12, 11). Of the lines below the wall that from (12, 9) rises most; the
    # lower right corner of the base that is set lies on it.
    x, y, _ = placed.positions[1]
    assert y - 1.0 == pytest.approx(9.5 + (x - 13.5) * (9.5 - 9.0) / (13.5 - 12.0), abs=1e-5)
    normal = np.array([-1.0, 3.0]) / math.sqrt(10.0)
    assert np.array([17.0 - x, 12.0 - y]) @ np.array([3.0, 1.0]) == pytest.approx(0.0, abs=1e-5)
    assert np.array([17.0 - x, 12.0 - y]) @ normal > 0.0


def test_absent_models_are_left_alone() -> None:
    units = [disc("leader", 0.5), disc("gone", 0.5), disc("new", 0.5)]
    at = np.array([(10, 10, 0), (np.nan, 0, 0), (3, 3, 0)])
    placed = place(
        Board(units, size=TABLE), at, [1, 2], [(np.nan, 1), (12, 10)], leader=0, present=[True, False, True]
    )
    assert placed.status.tolist() == [PlaceStatus.UNTOUCHED, IN]
    assert placed.positions[2, :2].tolist() == [12.0, 10.0]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"models": [0]}, "leader"),
        ({"models": [1, 1], "wished": np.zeros((2, 2))}, r"models\[1\].*twice"),
        ({"models": [2]}, r"models\[0\]|leader.*another group"),
        ({"wished": [(1.0, 2.0), (1.0, 2.0)]}, "wished.*shape"),
        ({"wished": [(np.inf, 2.0)]}, r"wished\[0\]\[0\].*inf"),
        ({"leader": 7}, "leader.*from 0 to 2, got 7"),
        ({"leader": "nobody"}, "leader.*nobody"),
        ({"radius": -1.0}, "radius"),
        ({"present": [False, True, True]}, "leader.*absent"),
        ({"models": ["x"]}, "models"),
    ],
)
def test_errors_name_the_argument(changes: dict[str, Any], message: str) -> None:
    units = [disc("leader", 0.5), disc("new", 0.5), disc("other", 0.5, None)]
    arguments: dict[str, Any] = {
        "models": [1],
        "wished": [(1.0, 2.0)],
        "leader": 0,
        **changes,
    }
    at = [(10, 10, 0), (0, 0, 0), (20, 20, 0)]
    with pytest.raises(ValueError, match=message):
        place(Board(units, size=TABLE), at, arguments.pop("models"), arguments.pop("wished"), **arguments)


def test_wrong_types() -> None:
    board = Board([disc("leader", 0.5), disc("new", 0.5)], size=TABLE)
    with pytest.raises(TypeError, match="leader"):
        place(board, np.zeros((2, 3)), [1], [(1.0, 1.0)], leader=0.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="models"):
        place(board, np.zeros((2, 3)), None, [(1.0, 1.0)], leader=0)  # type: ignore[arg-type]


def test_no_models_and_no_states() -> None:
    board = Board([disc("leader", 0.5), disc("new", 0.5)], size=TABLE)
    placed = place(board, np.zeros((4, 2, 3)), [], np.empty((0, 2)), leader=0)
    assert placed.status.shape == (4, 0)
    placed = place(board, np.zeros((0, 2, 3)), [1], [(1.0, 1.0)], leader=0)
    assert placed.status.shape == (0, 1)
    assert placed.positions.shape == (0, 2, 3)
