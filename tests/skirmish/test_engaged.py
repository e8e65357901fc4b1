"""Who is engaged: range, sides, flyers, and terrain between."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import TOLERANCE, Board, Terrain, Unit
from ninthgeom.skirmish import Rules, engaged
from tests.skirmish.measuring_oracle import a_board, columns_of, core, distance, places


def block(left: float, low: float, right: float, high: float, size: int | None = 2) -> Terrain:
    return Terrain([(left, low), (right, low), (right, high), (left, high)], kind="wall", height=size)


DISC = Unit("a", 50.8, shape="round"), Unit("b", 50.8, shape="round", side=1)
OVAL = Unit("a", (50.8, 101.6), shape="oval"), Unit("b", (50.8, 101.6), shape="oval", side=1)
SQUARE = Unit("a", (50.8, 50.8)), Unit("b", (50.8, 50.8), side=1)


def are(units: tuple[Unit, ...], at: Any, *terrain: Terrain, **more: Any) -> bool:
    """Whether two models are engaged, which must be the same both ways and for their groups."""
    board = Board(units, terrain)
    found = engaged(board, at, **more)
    assert not found.diagonal().any()
    assert found[0, 1] == found[1, 0]
    np.testing.assert_array_equal(engaged(board, at, by="group", **more), found)
    return bool(found[0, 1])


APART = [(10.0, 10.0, 0.0), (13.0, 10.0, 0.0)]  # an inch between, from (11, 10) to (12, 10)


def test_range_is_closed() -> None:
    """P14."""
    for more, expected in ((0.0, True), (0.5 * TOLERANCE, True), (2 * TOLERANCE, False)):
        assert are(DISC, [(10, 10, 0), (13 + more, 10, 0)]) == expected
    assert are(DISC, [(10, 10, 0), (14, 10, 0)], rules=Rules(engaged_range=2.0))
    assert not are(DISC, [(10, 10, 0), (13, 10, 0)], rules=Rules(engaged_range=0.5))
    assert are(DISC, [(10, 10, 0), (12, 10, 0)], rules=Rules(engaged_range=0.0))


def test_in_any_direction() -> None:
    turn = np.linspace(0, 2 * np.pi, 721)
    at = np.zeros((721, 2, 3))
    at[:, 1, 0], at[:, 1, 1] = 3 * np.cos(turn), 3 * np.sin(turn)
    assert engaged(Board(DISC), at)[:, 0, 1].all()


def test_friends_and_flyers_are_not() -> None:
    """P11, P14."""
    assert not are((DISC[0], Unit("b", 50.8, shape="round")), APART)
    for flyers in ((True, False), (False, True), (True, True)):
        units = [Unit(n, 50.8, shape="round", side=i, flying=flyers[i]) for i, n in enumerate("ab")]
        assert not are(tuple(units), APART)


@pytest.mark.parametrize(
    ("size", "expected"),
    [
        (None, (True, False, True)),
        (0, (True, False, True)),
        (1, (True, False, True)),
        (2, (False, False, True)),
        (3, (False, False, True)),
    ],
)
def test_size_of_the_terrain_between(size: int | None, expected: tuple[bool, ...]) -> None:
    wall = block(11.4, 9, 11.6, 11, size)
    found = tuple(
        are(DISC, APART, wall, rules=Rules(engaged_terrain=which)) for which in ("tall", "any", "none")
    )
    assert found == expected


def test_terrain_must_lie_on_the_line() -> None:
    for low, high, expected in (
        (10.0, 12.0, True),  # touched along its edge
        (10.0 - 0.5e-6, 12.0, True),
        (10.0 - 3e-6, 12.0, False),
        (8.0, 10.0, True),
        (8.0, 10.0 + 3e-6, False),
    ):
        assert are(DISC, APART, block(11.4, low, 11.6, high)) == expected
    # behind a model and under it
    assert are(DISC, APART, block(8, 9, 10.9, 11), block(12.1, 9, 15, 11))
    # over the edge of a base towards the other one
    assert not are(DISC, APART, block(10.5, 9, 11.1, 11))


def test_two_pieces_that_touch_have_no_slit() -> None:
    seam = block(11.4, 8, 11.6, 10), block(11.4, 10, 11.6, 12)
    assert not are(DISC, APART, *seam)
    # corner to corner
    assert not are(DISC, APART, block(11.3, 8, 11.5, 10), block(11.5, 10, 11.7, 12))
    # with a gap that the line goes through, it is free
    assert are(DISC, APART, block(11.4, 8, 11.6, 9.9), block(11.4, 10.1, 11.6, 12))
    assert are(DISC, APART, block(11.2, 8, 11.4, 10), block(11.6, 10, 11.8, 12))
    # the second piece is too low
    assert are(DISC, APART, seam[0], block(11.4, 10, 11.6, 12, 1))


@pytest.mark.parametrize("units", [OVAL, SQUARE], ids=["ovals", "squares"])
@pytest.mark.parametrize("turn", [0.0, 1.0, math.pi / 2])
def test_parallel_sides_have_many_shortest_lines(units: tuple[Unit, Unit], turn: float) -> None:
    """Side by side, an inch apart; one free line between the walls is enough."""
    heading = math.pi / 2
    shift = 1.0 if units is SQUARE else 0.0  # they stand with the middle of their front there

    def shown(walls: list[tuple[float, float]], at: list[float]) -> bool:
        c, s = math.cos(turn), math.sin(turn)
        terrain = [
            Terrain(
                [
                    (c * x - s * y, s * x + c * y)
                    for x, y in ((11.4, low), (11.6, low), (11.6, high), (11.4, high))
                ],
                kind="wall",
                height=2,
            )
            for low, high in walls
        ]
        places = [
            (c * x - s * y, s * x + c * y, heading + turn)
            for x, y in ((10.0, at[0] + shift), (13.0, at[1] + shift))
        ]
        return are(units, places, *terrain)

    # sides from 9 to 11, both
    assert shown([(8, 9.5), (9.6, 12)], [10, 10])
    assert shown([(8, 10.9)], [10, 10])
    assert shown([(9.1, 12)], [10, 10])
    assert not shown([(8, 12)], [10, 10])
    assert not shown([(8, 9.5), (9.5, 12)], [10, 10])
    assert not shown([(8, 9.5), (9.4, 10.2), (10.1, 12)], [10, 10])
    # the first from 9 to 11, the second from 10.5 to 12.5: only lines between 10.5 and 11
    assert not shown([(10.4, 11.1)], [10, 11.5])
    assert shown([(10.4, 10.9)], [10, 11.5])
    assert shown([(10.6, 11.1)], [10, 11.5])
    assert shown([(8, 10.4), (11.1, 13)], [10, 11.5])


def test_bases_that_touch_have_nothing_between() -> None:
    assert are(DISC, [(10, 10, 0), (12, 10, 0)], block(8, 8, 14, 12))
    assert are(DISC, [(10, 10, 0), (11.5, 10, 0)], block(8, 8, 14, 12))
    assert not are(DISC, [(10, 10, 0), (12.5, 10, 0)], block(8, 8, 14, 12))


def test_absent_models_are_not() -> None:
    board = Board(DISC)
    assert not engaged(board, APART, present=[True, False]).any()
    found = engaged(board, APART, present=[[True, True], [False, True]])
    assert found[:, 0, 1].tolist() == [True, False]


def test_groups_are_if_two_models_are() -> None:
    units = [
        Unit(n, 50.8, shape="round", side="ab".index(n[0]), group=n[0]) for n in ("a1", "b1", "a2", "b2")
    ]
    board = Board([*units, Unit("c", 50.8, shape="round", side=1)])
    at = [(10, 10, 0), (20, 10, 0), (40, 10, 0), (43, 10, 0), (60, 30, 0)]
    assert engaged(board, at, by="group").tolist() == [
        [False, True, False],
        [True, False, False],
        [False, False, False],
    ]
    assert engaged(board, at)[2, 3]
    assert engaged(board, at).sum() == 2
    assert not engaged(board, at, by="group", present=[True, True, True, False, True]).any()


def test_against_lines_of_shapely() -> None:
    """Bases in general position, which have one shortest line; walls of every Size across."""
    rng = np.random.default_rng(3)
    told = np.zeros((2, 2), int)
    for _ in range(25):
        board = a_board(rng, (2, 2, 2))
        corners = rng.uniform(14, 26, (6, 2))
        terrain = [
            block(x, y, x + w, y + h, size)
            for (x, y), w, h, size in zip(
                corners, rng.uniform(0.1, 3, 6), rng.uniform(0.1, 3, 6), [None, 0, 1, 2, 2, 3], strict=True
            )
        ]
        board = Board(board.units, terrain)
        at = places(rng, 4, board)
        for which in ("tall", "any", "none"):
            found = engaged(board, at, rules=Rules(engaged_terrain=which, engaged_range=2.0))
            counts = [t for t in terrain if which == "any" or (which == "tall" and (t.height or 0) >= 2)]
            for s in range(4):
                columns = columns_of(board, at[s])
                for i in range(len(board)):
                    for j in range(len(board)):
                        a, b = columns[:, i], columns[:, j]
                        away = distance(a, b)
                        near = board.side[i] != board.side[j] and away <= 2.0
                        if not near:
                            assert not found[s, i, j]
                            continue
                        line = shapely.shortest_line(core(a), core(b))
                        free = True
                        if away > 0.0:
                            ends = line.interpolate(a[6]), line.interpolate(line.length - b[6])
                            between = shapely.LineString(ends)
                            free = not any(
                                between.intersects(shapely.Polygon(t.outline).buffer(-1e-6)) for t in counts
                            )
                        assert found[s, i, j] == free
                        told[int(which == "none"), int(free)] += 1
    assert told[0].min() > 50


def test_terrain_is_looked_up_for_each_reading_of_one_board() -> None:
    board = Board(DISC, [block(11.4, 9, 11.6, 11, 1)])
    readings = [Rules(engaged_terrain=which) for which in ("tall", "any", "none", "any", "tall")]
    assert [bool(engaged(board, APART, rules=rules)[0, 1]) for rules in readings] == [
        True,
        False,
        True,
        False,
        True,
    ]


def test_wrong_rules() -> None:
    with pytest.raises(TypeError, match="rules must be Rules"):
        engaged(Board(DISC), APART, rules="standard")  # type: ignore[arg-type]


def test_a_tolerance_too_small_for_sight_counts_as_the_least() -> None:
    seam = block(11.4, 8, 11.6, 10), block(11.4, 10, 11.6, 12)
    assert not are(DISC, APART, *seam, tol=0.0)


def test_a_group_of_two_sides_is_not_engaged_with_itself() -> None:
    units = [Unit(n, 50.8, shape="round", side=i % 2, group=n[0]) for i, n in enumerate(("g1", "g2", "h"))]
    board = Board([units[0], units[1], Unit("h", 50.8, shape="round")])
    at = [(10, 10, 0), (12.5, 10, 0), (15, 10, 0)]
    assert engaged(board, at, by="group").tolist() == [[False, True], [True, False]]
    assert not engaged(board, at, by="group", observers=["g"], targets=["g"]).any()
    assert engaged(board, at).tolist() == [
        [False, True, False],
        [True, False, True],
        [False, True, False],
    ]
