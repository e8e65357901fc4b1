"""What is agreed before a game: readings of the rules, actions and the ground."""

from typing import Any

import numpy as np
import pytest

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import STANDARD, Action, Ground, Rules
from ninthgeom.skirmish.ground import WHOLE_GROUND


@pytest.mark.parametrize(("size", "width"), [(0, 1.0), (1, 1.0), (2, 1.0), (3, 3.0), (4, 3.0)])
def test_gap_width_goes_by_size(size: int, width: float) -> None:
    assert STANDARD.gap_width(Unit("model", 50, shape="round", size=size)) == width


def test_flying_models_need_no_gap() -> None:
    assert Rules(sc_probe="base").gap_width(Unit("model", 50, shape="round", size=3, flying=True)) == 0.0


def test_probe_of_the_base_is_its_smaller_side() -> None:
    assert Rules(sc_probe="base").gap_width(Unit("m", (101.6, 50.8), shape="oval")) == pytest.approx(2.0)


@pytest.mark.parametrize("name", ["sc_wholly_ref", "sc_link", "sc_probe", "engaged_terrain", "engaged_link"])
def test_unknown_readings_are_refused(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Rules(**{name: "other"})  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["engaged_range", "small_gap", "large_gap"])
def test_lengths_are_not_negative(name: str) -> None:
    with pytest.raises(ValueError, match=name):
        Rules(**{name: -1.0})  # type: ignore[arg-type]


def test_actions_with_the_gap_rule() -> None:
    """The five that the rules page lists."""
    assert {a.value for a in Action if a.has_gap_rule} == {
        "move",
        "run",
        "charge",
        "disengage",
        "close ranks",
    }
    assert {a.value for a in Action if not a.has_path} == {"place", "summon"}


def test_ground_is_compared_by_value() -> None:
    door = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0)]
    ground = Ground([1, 0, 1], access=[door], closed=[(0, 0, 1, 1)])
    assert ground == Ground((0, 1), access=[np.array(door)], closed=np.array([[0.0, 0.0, 1.0, 1.0]]))
    assert hash(ground) == hash(Ground((0, 1), access=[door], closed=[(0, 0, 1, 1)]))
    assert ground != WHOLE_GROUND


@pytest.mark.parametrize("closed", [[0.0, 1.0, 2.0], [[0.0, 1.0, 2.0]], [[0.0, 1.0, 2.0, np.nan]]])
def test_bad_openings_are_refused(closed: Any) -> None:
    with pytest.raises(ValueError, match="closed"):
        Ground(closed=closed)


def test_terrain_that_blocks() -> None:
    outlines = [[(0, 0), (1, 0), (1, 1)], [(5, 5), (6, 5), (6, 6)]]
    board = Board([], [Terrain(outline, kind="ruin") for outline in outlines])
    assert WHOLE_GROUND.terrain_of(board).tolist() == [0, 1]
    assert Ground([1]).terrain_of(board).tolist() == [1]
    assert Ground([]).terrain_of(board).tolist() == []
    with pytest.raises(ValueError, match="blocking"):
        Ground([2]).terrain_of(board)
