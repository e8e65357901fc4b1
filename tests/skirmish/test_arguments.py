"""Arguments that several questions share are checked by all of them alike."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit, skirmish
from ninthgeom.skirmish import Action, Ground, Rules

WALL = Terrain([(14, 8), (15, 8), (15, 12), (14, 12)], kind="wall", height=2)
SQUAD = [Unit(name, 25.4, shape="round", group="squad") for name in "ab"]
BOARD = Board([*SQUAD, Unit("enemy", 25.4, shape="round", side=1)], [WALL], size=(40, 40))
POSITIONS = np.array([[10.0, 10, 0], [12, 10, 0], [20, 20, 0]])
PATH = [(10, 10), (11, 11)]

ABOUT_PIECES: dict[str, Callable[..., Any]] = {
    "coherency": lambda **more: skirmish.coherency(BOARD, POSITIONS, ["a", "enemy"], **more).linked,
    "deployment_legal": lambda **more: skirmish.deployment_legal(BOARD, POSITIONS, ["a", "enemy"], **more),
    "can_stand": lambda **more: skirmish.can_stand(BOARD, POSITIONS, **more),
    "paths_clear": lambda **more: skirmish.paths_clear(BOARD, POSITIONS, "a", PATH, **more).clear,
    "routes": lambda **more: skirmish.routes(BOARD, POSITIONS, *PATH, gap=1.0, **more).length,
    "RouteMap": lambda **more: skirmish.RouteMap(BOARD, POSITIONS, gap=1.0, **more).lengths(*PATH),
    "place": lambda **more: skirmish.place(BOARD, POSITIONS, ["b"], [[11, 12]], leader="a", **more).positions,
    "move_group": lambda **more: (
        skirmish.move_group(BOARD, POSITIONS, "squad", PATH, leader="a", **more).moved
    ),
    "move_directly": lambda **more: (
        skirmish.move_directly(BOARD, POSITIONS, "squad", "enemy", 3.0, **more).moved
    ),
}
WITH_LINKS = ("coherency", "deployment_legal", "place", "move_group", "move_directly")


@pytest.mark.parametrize("ask", ABOUT_PIECES.values(), ids=ABOUT_PIECES)
def test_ground(ask: Callable[..., Any]) -> None:
    with pytest.raises(TypeError, match=r"ground must be Ground of ninthgeom\.skirmish, got str"):
        ask(ground="water")
    with pytest.raises(
        ValueError, match=re.escape("ground.blocking: the board has 1 pieces of terrain, got index 7")
    ):
        ask(ground=Ground([7]))
    np.testing.assert_array_equal(ask(ground=None), ask(ground=Ground()))


@pytest.mark.parametrize("name", WITH_LINKS)
def test_links_need_a_tolerance(name: str) -> None:
    """With less, rounding would decide whether the single free line past a corner is one."""
    with pytest.raises(ValueError, match=r"tol must be at least 1e-08 for links, got 0\.0"):
        ABOUT_PIECES[name](tol=0.0)
    ABOUT_PIECES[name](tol=1e-8)


@pytest.mark.parametrize("name", ["paths_clear", "move_group"])
def test_actions(name: str) -> None:
    with pytest.raises(ValueError, match=r"action must be one of 'move', .*, 'summon', got 'fly'"):
        ABOUT_PIECES[name](action="fly")
    with pytest.raises(TypeError, match="action must be Action or its value, got 3"):
        ABOUT_PIECES[name](action=3)
    assert ABOUT_PIECES[name](action="charge") == ABOUT_PIECES[name](action=Action.CHARGE)


def test_a_radius_without_end() -> None:
    """Whoever is on the table is within it, wherever the leader stands."""
    for wished in ([30.0, 30.0], [0.5, 39.5]):
        for more in ({}, {"rules": Rules(sc_wholly_ref="centre")}):
            placed = skirmish.place(
                BOARD, POSITIONS, ["b"], [wished], leader="a", radius=np.inf, ground=Ground([]), **more
            )
            assert placed.positions[1, :2].tolist() == wished
            assert placed.status[0] == skirmish.PlaceStatus.IN_COHERENCY


def test_links_pass_all_of_a_mixed_group_alike() -> None:
    """With ``engaged_link="groups"`` its flying models too, when a group is set as when it is judged."""
    rules = Rules(engaged_link="groups")
    enemies = [
        Unit("near", 25.4, shape="round", side=1, group="enemies"),
        Unit("flyer", 101.6, shape="round", side=1, group="enemies", flying=True),
    ]
    board = Board([*SQUAD, *enemies])
    # the flyer fills the way from a to b, beyond which b touches it
    positions = np.array([[20.0, 20, 0], [25, 20, 0], [20, 21.5, 0], [22.5, 20, 0]])
    assert skirmish.engaged(board, positions, by="group", rules=rules)[0, 1]
    linked = skirmish.coherency(board, positions, ["a", "near"], radius=6, rules=rules).linked
    placed = skirmish.place(
        board, positions, ["b"], [[25, 20]], leader="a", radius=6, rules=rules, ground=Ground()
    )
    assert linked[1]
    assert placed.positions[1, :2].tolist() == [25, 20]
