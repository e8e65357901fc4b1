"""Coherency: conditions one by one, cases on the edge, wrong arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ninthgeom import Bases, Board, Polygons, Terrain, Unit
from ninthgeom.skirmish import Ground, Rules, coherency, deployment_legal, may_control, place

INCH = 25.4


def disc(name: str, inches: float = 1.0, **more: Any) -> Unit:
    return Unit(name, inches * INCH, shape="round", **more)


def box(x0: float, y0: float, x1: float, y1: float, height: int | None = None) -> Terrain:
    return Terrain([(x0, y0), (x1, y0), (x1, y1), (x0, y1)], kind="ruin", height=height)


def pair(*others: Unit, terrain: Sequence[Terrain] = (), size: int = 1, **more: Any) -> Board:
    """Two models of one inch, units 0 and 1, and others."""
    own = [disc(name, size=size, group="own", **more) for name in ("leader", "mate")]
    return Board([*own, *others], terrain)


def is_linked(
    board: Board, places: Sequence[Sequence[float]], ground: Ground | None = None, **rules: Any
) -> bool:
    """Whether unit 1 is linked to unit 0, asked from either of them."""
    positions = [[*place, 0.0] if len(place) == 2 else place for place in places]
    nobody = [-1] * int(board.group.max())
    answers = [
        coherency(board, positions, [leader, *nobody], ground=ground, rules=Rules(**rules), radius=99)
        for leader in (0, 1)
    ]
    one, other = (bool(answer.linked[1 - leader]) for leader, answer in enumerate(answers))
    assert one == other
    assert all(answer.linked[leader] for leader, answer in enumerate(answers))
    return one


# A wall from far left to far right but for an opening, and models on both sides of it.


def wall_with_opening(width: float) -> list[Terrain]:
    return [box(-60, 4, 10, 5), box(10 + width, 4, 90, 5)]


@pytest.mark.parametrize(
    ("width", "size", "linked"),
    [
        (1.0, 1, True),
        (1.0, 2, True),
        (0.999, 2, False),
        (1.0 - 5e-7, 2, True),
        (1.0 - 5e-6, 2, False),
        (3.0, 3, True),
        (2.999, 3, False),
        (1.0, 3, False),
    ],
)
def test_exactly_the_width_is_wide_enough(width: float, size: int, linked: bool) -> None:
    board = pair(terrain=wall_with_opening(width), size=size)
    assert is_linked(board, [(10 + width / 2, 2.0), (10 + width / 2, 7.0)]) == linked


def test_the_probe_may_be_the_base() -> None:
    board = pair(terrain=wall_with_opening(1.0))
    places = [(10.5, 2.0), (10.5, 7.0)]
    assert is_linked(board, places, sc_probe="base")
    slim = pair(terrain=wall_with_opening(0.99))
    assert not is_linked(slim, places, sc_probe="base")


def test_flying_links_pass_everything() -> None:
    board = pair(terrain=[box(-60, 4, 90, 5)], flying=True)
    assert is_linked(board, [(10, 2), (10, 7)])


def test_a_wall_is_gone_round_over_a_third_model() -> None:
    wall = box(9, 4, 11, 5)
    alone, places = pair(terrain=[wall]), [(10, 3.4), (10, 5.6)]
    assert not is_linked(alone, places)
    assert is_linked(pair(disc("third", group="own"), terrain=[wall]), [*places, (13, 4.5)])


@pytest.mark.parametrize(("x", "linked"), [(10.5, True), (10.5 - 5e-7, True), (10.5 - 5e-6, False)])
def test_a_link_may_graze(x: float, linked: bool) -> None:
    """The common tangent of both bases, at x = 10.5, is the last line past the wall."""
    board = pair(terrain=[box(-40, 4, 10.5 + (10.5 - x), 5)])
    assert is_linked(board, [(10, 2), (10, 7)]) == linked


@pytest.mark.parametrize(("apart", "linked"), [(0.0, False), (1e-7, False), (0.5, False), (1.0, True)])
def test_pieces_in_contact_leave_no_slit(apart: float, linked: bool) -> None:
    """Two large foes beside each other between the models, with walls beyond them."""
    foes = [disc(name, 8.0, side=1, group="foes") for name in ("left", "right")]
    board = pair(*foes, terrain=[box(-30, 4, 3, 5), box(17, 4, 50, 5)])
    places = [(10, 0.0), (10, 9.0), (6 - apart / 2, 4.5), (14 + apart / 2, 4.5)]
    assert is_linked(board, places, engaged_range=0.0) == linked
    turned = [_turned(place, 0.7) for place in places]
    ground_turned = [Terrain([_turned(p, 0.7) for p in t.outline], kind="ruin") for t in board.terrain]
    assert is_linked(pair(*foes, terrain=ground_turned), turned, engaged_range=0.0) == linked


@pytest.mark.parametrize(("gap", "linked"), [(0.5, False), (0.99, False), (1.0, True)])
@pytest.mark.parametrize("turn", [0.0, 0.4, 2.2])
def test_a_gate_at_a_sharp_corner_leaves_no_slit(gap: float, linked: bool, turn: float) -> None:
    """A wedge with its tip at a gate that leads on past the wedge, not into it."""
    foe = disc("foe", 2.0, side=1)
    wedge = Terrain([(-30, 4), (10, 4), (-30, 9)], kind="ruin")
    pieces = [wedge, box(9.9, -40, 10.2, 2.1 - gap)]
    places = [(6.5, 0.5), (13.5, 7.5), (10.05, 3 - gap)]
    turned = [Terrain([_turned(p, turn) for p in t.outline], kind="ruin") for t in pieces]
    board = pair(foe, terrain=turned)
    # 10.05 is a little beside the tip, which makes the gap so much wider
    assert is_linked(board, [_turned(p, turn) for p in places], engaged_range=0.0) == linked


def test_the_foot_of_a_gate_is_not_grazed() -> None:
    """The one line left touches both bases, a side of the slab, the foot of a gate there and a foe."""
    own = [disc(name, 2.0, size=2, group="own") for name in ("leader", "mate")]
    slab, wall = box(11.5, 8.0, 40.0, 8.5), box(-30.0, 8.75, 10.5, 9.5)
    board = Board([*own, disc("foe", side=1)], [slab, wall])
    assert not is_linked(board, [(12.5, 4.5), (12.0, 11.0), (11.0, 9.5)], engaged_range=0.0)


@pytest.mark.parametrize("slant", [2, 5, 14, 30, 60, 85, 88])
@pytest.mark.parametrize(("width", "linked"), [(0.97, False), (1.0, True)])
@pytest.mark.parametrize("turn", [0.0, 2.4])
def test_who_stands_along_a_side_does_not_get_round_the_foot_of_a_gate(
    slant: float, width: float, linked: bool, turn: float
) -> None:
    """A gate leads from a corner of a slab to that of a wall; the link would follow the slab to it."""
    x, y = -width * math.cos(math.radians(slant)), width * math.sin(math.radians(slant))
    slab, wall = box(0, -10, 20, 0), box(x - 30, y, x, y + 1)

    def there(p: Any) -> tuple[float, float]:
        u, v = _turned(p, turn)
        return u + 30.0, v + 20.0

    pieces = [Terrain([there(p) for p in t.outline], kind="ruin") for t in (slab, wall)]
    own = [Unit("leader", (5.08, 5.08), group="own"), Unit("mate", (25.4, 25.4), group="own")]
    board = Board(own, pieces)
    for top in (0.0, -1e-7, -1e-6, -1e-5, -1e-4):
        # the leader is under the gate, the mate lies on the slab; positions are the middles of their fronts
        at = np.array([[*there(p), turn] for p in ((-0.001, top - 0.1), (2.0, 0.5))])
        for leader in (0, 1):
            assert coherency(board, at, [leader]).linked.all() == linked
        found = place(board, at, ["mate"], at[1:], leader="leader", radius=9.0)
        stays = np.hypot(*(found.positions[1] - at[1])[:2]) < 1e-5
        assert stays == linked
        assert coherency(board, found.positions, [0], radius=9.0).linked.all()


@pytest.mark.parametrize(("right", "linked"), [(-1e-3, False), (0.0, True), (1e-3, True)])
@pytest.mark.parametrize("slant", [5, 14, 60, 90])
@pytest.mark.parametrize("turn", [0.0, 2.4])
def test_a_link_may_begin_at_the_foot_of_a_gate(
    right: float, linked: bool, slant: float, turn: float
) -> None:
    """It leads along a slab, from a base with a corner at that of the slab, or a little before or beyond."""
    x, y = -0.97 * math.cos(math.radians(slant)), 0.97 * math.sin(math.radians(slant))
    pieces = [box(0, -10, 20, 0), box(x - 30, y, x, y + 1)]
    board = Board(
        [Unit("leader", (5.08, 5.08), group="own"), Unit("mate", (25.4, 25.4), group="own")],
        [Terrain([_turned(p, turn) for p in t.outline], kind="ruin") for t in pieces],
    )
    at = [[*_turned(p, turn), turn] for p in ((right, -0.1), (2.0, 0.5))]
    for leader in (0, 1):
        assert coherency(board, at, [leader]).linked.all() == linked


def _turned(place: Any, angle: float) -> tuple[float, float]:
    cos, sin = math.cos(angle), math.sin(angle)
    return cos * place[0] - sin * place[1], sin * place[0] + cos * place[1]


def test_closed_openings_and_access_areas() -> None:
    places = [(11.0, 2.0), (11.0, 7.0)]
    opened = pair(terrain=wall_with_opening(2.0))
    assert is_linked(opened, places)
    assert not is_linked(opened, places, Ground(closed=[[10, 4.5, 12, 4.5]]))
    assert is_linked(opened, places, Ground(closed=[[10, 4.5, 11, 4.5]]))
    solid = pair(terrain=[box(-60, 4, 90, 5)])
    assert not is_linked(solid, places)
    door = [(10.8, 3.9), (11.2, 3.9), (11.2, 5.1), (10.8, 5.1)]
    assert is_linked(solid, places, Ground(access=[door]))
    assert is_linked(solid, places, Ground(blocking=[]))


def test_a_closed_opening_where_nothing_else_is_near() -> None:
    board = pair()
    places = [(10, 2), (10, 5)]
    assert not is_linked(board, places, Ground(closed=[[0, 3.5, 20, 3.5]]))
    assert is_linked(board, places, Ground(closed=[[0, 13.5, 20, 13.5]]))


@pytest.mark.parametrize(("gap", "linked"), [(0.5, True), (1.0, True), (1.001, False)])
@pytest.mark.parametrize("link", ["models", "groups"])
def test_links_pass_enemies_the_group_is_engaged_with(gap: float, linked: bool, link: str) -> None:
    walls = [box(-30, 4, 8, 5), box(12, 4, 50, 5)]
    foe = disc("foe", 4.0, side=1)
    board = pair(foe, terrain=walls)
    places = [(10, 4.5 - 2.5 - gap), (10, 10.0), (10, 4.5)]
    assert is_linked(board, places, engaged_link=link) == linked


def test_one_engaged_enemy_may_stand_for_its_group() -> None:
    """The one that bars the way is far; another of its group is engaged."""
    walls = [box(-30, 4, 8, 5), box(12, 4, 50, 5)]
    foes = [disc("wall", 4.0, side=1, group="foes"), disc("near", side=1, group="foes")]
    board = pair(*foes, terrain=walls)
    places = [(10, -2.0), (10, 10.0), (10, 4.5), (8.5, -2.0)]
    assert not is_linked(board, places)
    assert is_linked(board, places, engaged_link="groups")


def test_terrain_between_keeps_from_engaging() -> None:
    """A screen between the leader and the foe it would be engaged with."""
    walls = [box(-30, 4, 8, 5), box(12, 4, 50, 5)]
    foe = disc("foe", 4.0, side=1)
    screen = box(9.9, 2.2, 10.1, 2.3, height=2)
    places = [(10, 1.4), (10, 10.0), (10, 4.5)]
    assert is_linked(pair(foe, terrain=walls), places)
    assert not is_linked(pair(foe, terrain=[*walls, screen]), places)
    assert is_linked(pair(foe, terrain=[*walls, screen]), places, engaged_terrain="none")


def test_friends_stop_links_and_own_models_do_not() -> None:
    walls = [box(-30, 4, 8, 5), box(12, 4, 50, 5)]
    places = [(10, 1), (10, 10), (10, 4.5)]
    assert not is_linked(pair(disc("friend", 4.0), terrain=walls), places)
    # a third model of the group in the way, which is not linked itself: then the line passes over it
    assert is_linked(pair(disc("own", 4.0, group="own"), terrain=walls), places)


def test_centre_lines_are_fewer() -> None:
    places = [(10, 2), (10, 7)]
    board = pair(terrain=[box(9.8, 4, 10.2, 5)])
    assert is_linked(board, places)
    assert not is_linked(board, places, sc_link="centre")
    assert is_linked(pair(terrain=[box(10, 4, 12, 5)]), places, sc_link="centre")  # grazes


@pytest.mark.parametrize("turn", np.linspace(0.0, 2 * math.pi, 9))
def test_rectangles_look_all_round(turn: float) -> None:
    """The mate is a rectangle behind a wall with one opening, whichever way it faces."""
    own = [Unit("leader", (25, 50), group="own"), Unit("mate", (25, 50), group="own")]
    for opening, linked in ((1.2, True), (0.8, False)):
        board = Board(own, wall_with_opening(opening))
        front = [11.4 + math.cos(turn) * 25 / INCH, 7.5 + math.sin(turn) * 25 / INCH, turn]
        places = [[9.6, 2.0, turn / 2], front]
        assert is_linked(board, places) == linked


def test_a_model_that_stands_over_a_gap_is_linked_on_both_sides() -> None:
    """Its base reaches through the gap of two small foes, so lines start beyond it."""
    foes = [disc(name, 1.0, side=1, group="foes") for name in ("left", "right")]
    board = pair(*foes, terrain=[box(-30, 4, 8.75, 5), box(11.25, 4, 50, 5)], size=1)
    places = [(10, 3.6), (10, 9.0), (9.1, 4.5), (10.9, 4.5)]
    assert is_linked(board, places, engaged_range=0.0) is False
    closer = [(10, 3.62), (10, 9.0), (9.05, 4.5 + 0.2), (10.95, 4.5 + 0.2)]
    wide = Board([disc("leader", 2.6, group="own"), disc("mate", group="own"), *foes], board.terrain)
    over = [(10, 3.45), *closer[1:]]
    assert is_linked(wide, over, engaged_range=0.0)


@pytest.mark.parametrize(("edge", "inside"), [(44.2, True), (44.2 + 1e-5, True), (44.21, False)])
def test_wholly_within_is_closed(edge: float, inside: bool) -> None:
    board = Board([disc("leader", 50 / INCH, group="own"), disc("mate", 32 / INCH, group="own")])
    positions: Any = [[10, 10, 0], [10 + (25 + edge + 16) / INCH, 10, 0]]
    found = coherency(board, positions, ["leader"])
    assert found.within_radius.tolist() == [True, inside]
    assert found.in_coherency.tolist() == [inside]
    shorter = coherency(board, positions, ["leader"], rules=Rules(sc_wholly_ref="centre"))
    assert not shorter.within_radius[1]


def test_radius_is_one_for_each_group_and_may_be_infinite() -> None:
    units = [disc(f"{group}{i}", group=group) for group in "ab" for i in range(2)]
    board = Board(units)
    positions = np.array([[0, 0, 0], [4, 0, 0], [0, 30, 0], [4, 30, 0]], float)
    radius: Any = [[3, 4], [5, 3], [np.inf, 0]]
    found = coherency(board, positions, [0, 2], radius=radius)
    assert found.in_coherency.tolist() == [[False, True], [True, False], [True, False]]
    assert coherency(board, positions, [0, -1], radius=5).in_coherency.tolist() == [True, False]
    assert coherency(board, positions, [-1, 2], radius=5).linked.tolist() == [False, False, True, True]


def test_absent_models_do_not_count() -> None:
    board = pair(disc("foe", 3.0, side=1), terrain=[box(-30, 4, 8.5, 5), box(11.5, 4, 50, 5)])
    positions: Any = [[10, 2, 0], [10, 7, 0], [10, 4.5, 0]]
    gone = np.array([[True, True, False], [True, False, True], [True, True, True]])
    found = coherency(board, positions, [0, -1], radius=9, present=gone, rules=Rules(engaged_range=0.0))
    assert found.in_coherency[:, 0].tolist() == [True, True, False]
    assert found.linked.tolist() == [[True, True, False], [True, False, False], [True, False, False]]
    nowhere: Any = [[10, 2, 0], [np.nan, 7, 0], [10, 4.5, 0]]
    assert coherency(board, nowhere, [0, -1], present=[True, False, True]).in_coherency[0]


def test_casualties_do_not_change_the_snapshot() -> None:
    """The answer of before is what control is asked with."""
    board = Board([disc(name, group="own") for name in "abc"], [box(12.8, 6, 13.2, 10.6)])
    positions = [[12, 9, 0], [13, 12, 0], [14, 9, 0]]
    before = coherency(board, positions, ["a"], radius=4)
    assert before.in_coherency.all()
    left = [True, False, True]
    after = coherency(board, positions, ["a"], radius=4, present=left)
    assert after.linked.tolist() == [True, False, False]
    marker = Bases.round([15.0], 9.0, diameter=32 / INCH)
    assert may_control(board, positions, marker, before.in_coherency, present=left).all()
    assert not may_control(board, positions, marker, after.in_coherency, present=left).any()


# ---------------------------------------------------------------------------------------- control


@pytest.mark.parametrize(("gap", "near"), [(3.0, True), (3.0 + 5e-7, True), (3.001, False)])
def test_markers_are_near_by_their_edge(gap: float, near: bool) -> None:
    board = Board([disc("one"), disc("two")])
    markers = Bases.round([10 + 0.5 + gap + 16 / INCH, 30.0], 10.0, diameter=32 / INCH)
    held = may_control(board, [[10, 10, 0], [40, 40, 0]], markers, [True, True])
    assert held.tolist() == [[near, False], [False, False]]


def test_sight_of_the_marker() -> None:
    walls = [Terrain(box(11.9, 5, 12.1, 15).outline, kind="wall", opaque=True)]
    units = [disc("own a", group="own"), disc("own b", group="own")]
    marker = Bases.round([13.0], 10.0, diameter=1.0)
    seen: Any = {"distance": 9.0, "sight": True}
    board = Board(units, walls)
    behind, beside = [11, 10, 0], [13, 17, 0]
    snapshot = [True]
    assert may_control(board, [behind, behind], marker, snapshot).all()
    assert not may_control(board, [behind, behind], marker, snapshot, **seen).any()
    assert may_control(board, [behind, beside], marker, snapshot, **seen).all()
    # the one that sees is too far, the one that is near does not see
    assert not may_control(board, [behind, beside], marker, snapshot, sight=True).any()
    # who stands on the wall sees over it
    assert may_control(board, [[12, 10, 0], behind], marker, snapshot, **seen).all()
    squares = Bases.rect([13.0, 30.0], 10.0, 0.4, width=1.0, depth=1.0)
    assert may_control(board, [behind, beside], squares, snapshot, **seen).tolist() == [[True, False]]
    assert may_control(board, [behind, behind], squares, snapshot, **seen).tolist() == [[False, False]]
    glass = Board(units, [Terrain(box(11.9, 5, 12.1, 15).outline, kind="wall", opaque=False)])
    assert may_control(glass, [behind, behind], marker, snapshot, **seen).all()


def test_nothing_near_is_not_seen_either() -> None:
    board = Board([disc("a"), disc("b")], [Terrain(box(0, 0, 1, 1).outline, kind="hill")])
    far = [[[30, 30, 0], [40, 30, 0]]] * 2
    marker = Bases.round([3.0], 3.0, diameter=1.0)
    assert not may_control(board, far, marker, [True, True], sight=True).any()
    assert may_control(board, far, Bases.round(np.empty(0), 0.0, diameter=1.0), [True, True]).shape == (
        2,
        2,
        0,
    )


# ------------------------------------------------------------------------------------- deployment


def test_deployments() -> None:
    units = [disc(f"{group}{i}", group=group) for group in "ab" for i in range(2)]
    board = Board(units, [box(20, 0, 24, 4)], (36, 36))
    zones = Polygons([[(0, 0), (36, 0), (36, 6), (0, 6)], [(0, 30), (36, 30), (36, 36), (0, 36)]])
    good = np.array([[10, 5.5, 0], [12, 2, 0], [10, 33, 0], [12, 33, 0]])
    one = coherency(board, good, [0, 2]).in_coherency
    assert not one[0]  # too far: 3.6 inches and half a base
    good[0, 1] = 3.0
    for state, legal in (
        ({}, [True, True]),
        ({1: (11, 5.5)}, [True, True]),  # touches the edge of the zone
        ({1: (11, 5.51)}, [False, True]),
        ({2: (10, 30.49)}, [True, False]),
        ({0: (18, 2), 1: (19.6, 2)}, [False, True]),  # on terrain
        ({0: (18, 2), 1: (19.5, 2)}, [True, True]),  # touches it
        ({1: (10.9, 3)}, [False, True]),  # on the other one
        ({0: (0.4, 3), 1: (1.5, 3)}, [False, True]),  # over the edge of the table
        ({3: (16, 33)}, [True, False]),  # out of coherency
    ):
        positions = good.copy()
        for unit, spot in state.items():
            positions[unit, :2] = spot
        assert deployment_legal(board, positions, [0, 2], zone=zones).tolist() == legal, state
    # absent models need no room, and who is not asked about is not legal
    positions = good.copy()
    positions[1, :2] = 90, 90
    present = [True, False, True, True]
    assert deployment_legal(board, positions, [0, -1], zone=zones[0], present=present).tolist() == [
        True,
        False,
    ]
    assert deployment_legal(board, good[None], [0, 2], zone=zones[0]).tolist() == [[True, False]]
    assert deployment_legal(board, good, [0, 2]).all()


# ----------------------------------------------------------------------------------------- errors


def test_leaders_by_name_and_index() -> None:
    board = pair(disc("other"))
    positions = [[10, 10, 0], [12, 10, 0], [20, 20, 0]]
    names = np.array(["leader", "other"])
    for leaders in (
        ["leader", "other"],
        ("mate", 2),
        [1, -1],
        np.array([0, 2], np.uint8),
        names,
        names.astype(object),
    ):
        assert coherency(board, positions, leaders).in_coherency[0]


@pytest.mark.parametrize(
    ("leaders", "kind", "message"),
    [
        (["leader"], ValueError, r"shape \(\.\.\., 2\)"),
        ([0, 1], ValueError, r"leaders\[1\]: 'mate' is not of group 1"),
        ([[0, 2], [2, -1]], ValueError, r"leaders\[1\]\[0\]: 'other' is not of group 0"),
        ([0, 3], ValueError, r"leaders\[1\]: must be from -1 to 2, got 3"),
        ([-2, 2], ValueError, r"leaders\[0\]: must be from -1 to 2, got -2"),
        (["leader", "othr"], ValueError, r"leaders\[1\]: no unit is named 'othr'; did you mean"),
        (["leader", 1.5], TypeError, r"leaders\[1\]: must be a name or an index"),
        ([0, None], TypeError, "leaders must hold indices"),
        (np.array(["leader", None]), TypeError, r"leaders\[1\]: must be a name or an index, got None"),
        ([False, 2], TypeError, r"leaders\[0\]: must be a name or an index, got False"),
        (np.array([0, 2**64 - 1], np.uint64), ValueError, r"leaders\[1\]: must be from -1 to 2, got 1844"),
        ([0.0, 2.0], TypeError, "leaders must hold indices"),
        ("ab", TypeError, "leaders must be a sequence"),
        ([[0, 2], [0]], ValueError, "leaders must be an array"),
        (0, ValueError, "leaders must have shape"),
    ],
)
def test_wrong_leaders(leaders: Any, kind: type[Exception], message: str) -> None:
    board = pair(disc("other"))
    with pytest.raises(kind, match=message):
        coherency(board, [[10, 10, 0], [12, 10, 0], [20, 20, 0]], leaders)


@pytest.mark.parametrize(
    ("leaders", "axes", "message"),
    [
        ([0, 2], (), r"leaders\[1\]: unit 2 is not present$"),
        ([0, 2], (2,), r"leaders\[1\]: unit 2 is not present in state 1$"),
        ([[0, 2]], (2,), r"leaders\[0\]\[1\]: unit 2 is not present in state 1$"),
        ([[0, 2], [0, 2]], (2,), r"leaders\[1\]\[1\]: unit 2 is not present in state 1$"),
        ([[0, 2]] * 3, (2, 1), r"leaders\[0\]\[1\]: unit 2 is not present in state \(1, 0\)$"),
    ],
)
def test_absent_leaders_are_named(leaders: Any, axes: tuple[int, ...], message: str) -> None:
    board = pair(disc("other"))
    present = np.ones((*axes, 3), np.bool_)
    present[(-1, *[0] * (len(axes) - 1), 2) if axes else 2] = False
    with pytest.raises(ValueError, match=message):
        coherency(board, np.zeros((*axes, 3, 3)), leaders, present=present)


@pytest.mark.parametrize(
    ("more", "kind", "message"),
    [
        ({"radius": -1}, ValueError, "radius"),
        ({"radius": [1, 2, 3]}, ValueError, "radius must have shape"),
        ({"radius": np.nan}, ValueError, "radius"),
        ({"tol": 1e-9}, ValueError, "tol must be at least 1e-08"),
        ({"ground": "flat"}, TypeError, "ground must be Ground"),
        ({"ground": Ground([3])}, ValueError, r"ground\.blocking"),
        ({"rules": "strict"}, TypeError, "rules must be Rules"),
        ({"workers": 0}, ValueError, "workers"),
        ({"present": [True]}, ValueError, "present"),
    ],
)
@pytest.mark.parametrize("question", [coherency, deployment_legal])
def test_wrong_arguments(question: Any, more: Any, kind: type[Exception], message: str) -> None:
    with pytest.raises(kind, match=message):
        question(pair(), [[10, 10, 0], [12, 10, 0]], [0], **more)


def test_wrong_boards() -> None:
    with pytest.raises(TypeError, match="board must be Board"):
        coherency([], [], [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"board\.units\[0\]"):
        coherency(Board([Unit("block", (20, 20), models=5)]), [[0, 0, 0]], [0])


@pytest.mark.parametrize(
    ("more", "kind", "message"),
    [
        ({"markers": [1]}, TypeError, "markers"),
        ({"markers": Bases.point(0.0, 0.0)}, ValueError, "markers must have shape"),
        ({"in_coherency": [True, True]}, ValueError, "in_coherency must have shape"),
        ({"in_coherency": [1]}, TypeError, "in_coherency"),
        ({"distance": -1}, ValueError, "distance"),
        ({"distance": [1, 2]}, ValueError, "distance"),
        ({"sight": 1}, TypeError, "sight"),
        ({"sight": True, "tol": 0.0}, ValueError, "tol must be at least"),
    ],
)
def test_wrong_markers(more: Any, kind: type[Exception], message: str) -> None:
    given = {"markers": Bases.point([1.0], 0.0), "in_coherency": [True]} | more
    with pytest.raises(kind, match=message):
        may_control(pair(), [[10, 10, 0], [12, 10, 0]], **given)


def test_wrong_zones() -> None:
    zone = Polygons([[(0, 0), (1, 0), (1, 1)]] * 2)
    with pytest.raises(ValueError, match="zone must have shape"):
        deployment_legal(pair(), [[10, 10, 0], [12, 10, 0]], [0], zone=zone)
    with pytest.raises(TypeError, match="zone: must be Polygons"):
        deployment_legal(pair(), [[10, 10, 0], [12, 10, 0]], [0], zone=[(0, 0)])  # type: ignore[arg-type]


def test_empty_batches_and_boards() -> None:
    board = pair()
    found = coherency(board, np.empty((0, 2, 3)), [0])
    assert found.in_coherency.shape == (0, 1)
    assert found.linked.shape == found.within_radius.shape == (0, 2)
    assert may_control(board, np.empty((0, 2, 3)), Bases.point([0.0], 0.0), [True]).shape == (0, 1, 1)
    assert deployment_legal(board, np.empty((0, 2, 3)), [0]).shape == (0, 1)
    nobody = Board([])
    assert coherency(nobody, np.empty((2, 0, 3)), []).in_coherency.shape == (2, 0)
    assert deployment_legal(nobody, np.empty((2, 0, 3)), []).shape == (2, 0)
