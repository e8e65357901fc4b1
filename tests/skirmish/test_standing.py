"""Where bases fit, against shapely and case by case."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground, Rules, can_stand
from tests.skirmish.test_gates import random_board

INCH = 25.4


def disc(name: str, inches: float = 2.0, **more: Any) -> Unit:
    return Unit(name, inches * INCH, shape="round", **more)


def block(x: float, y: float, width: float, depth: float) -> Terrain:
    return Terrain([(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)], kind="ruin")


@pytest.mark.parametrize(
    ("x", "y", "fits"),
    [
        (1.0, 1.0, True),  # touches both edges
        (1.0 - 0.9e-6, 20.0, True),
        (1.0 - 1.1e-6, 20.0, False),
        (20.0, 1.0 - 1.1e-6, False),
        (71.0, 47.0, True),
        (71.0 + 1.1e-6, 20.0, False),
        (20.0, 47.0 + 1.1e-6, False),
        (-20.0, 20.0, False),
    ],
)
def test_the_table(x: float, y: float, fits: bool) -> None:
    assert can_stand(Board([disc("a")]), [[x, y, 0.3]]).tolist() == [fits]


@pytest.mark.parametrize(
    ("gap", "fits"), [(0.1, True), (0.0, True), (-0.9e-6, True), (-1.1e-6, False), (-1, False)]
)
def test_models_and_terrain_may_touch(gap: float, fits: bool) -> None:
    board = Board([disc("a", group="g"), disc("b", group="g")], [block(30, 10, 5, 5)])
    # own models are in the way too
    assert can_stand(board, [[10, 10, 0], [12 + gap, 10, 0]]).tolist() == [fits, fits]
    assert can_stand(board, [[29 - gap, 12, 0], [50, 10, 0]]).tolist() == [fits, True]
    assert can_stand(board, [[29 - gap, 12, 0], [50, 10, 0]], ground=Ground([])).all()
    assert can_stand(board, [[32, 12, 0], [50, 10, 0]]).tolist() == [False, True]


def test_it_may_pass_but_not_stop() -> None:
    # S-2: two inches of base between walls an inch apart
    board = Board([disc("a", size=2)], [block(10, 5, 2, 4), block(10, 10, 2, 4)])
    assert can_stand(board, [[11, 9.5, 0]]).tolist() == [False]


def test_access_areas_are_free() -> None:
    board = Board([disc("a", 1.0)], [block(10, 5, 2, 9)])
    area = [(9.9, 8.0), (12.1, 8.0), (12.1, 9.0), (9.9, 9.0)]
    for y, fits in ((8.5, True), (8.5 + 0.9e-6, True), (8.6, False), (6.0, False)):
        assert can_stand(board, [[11, y, 0]], ground=Ground(access=[area])).tolist() == [fits]
        assert not can_stand(board, [[11, y, 0]]).any()


def test_who_is_absent_neither_stands_nor_is_in_the_way() -> None:
    board = Board([disc("a"), disc("b"), disc("c")])
    at = [[10, 10, 0], [10.5, 10, 0], [math.nan, math.nan, math.nan]]
    assert can_stand(board, at, present=[True, False, False]).tolist() == [True, False, False]
    assert can_stand(board, at, present=[True, True, False]).tolist() == [False, False, False]


@pytest.mark.parametrize(
    ("gap", "fits"), [(1.0, True), (1.0 - 0.9e-6, True), (1.0 - 1.1e-6, False), (0.0, False), (3.0, True)]
)
def test_flying_enemies_keep_apart(gap: float, fits: bool) -> None:
    # P11
    sides = (
        (0, True, 1, True, fits),
        (0, True, 0, True, True),
        (0, True, 1, False, True),
        (0, False, 1, False, True),
    )
    for side, flies, other, too, wanted in sides:
        board = Board([disc("a", side=side, flying=flies), disc("b", side=other, flying=too)])
        assert can_stand(board, [[10, 10, 0], [12 + gap, 10, 0]]).tolist() == [wanted, wanted]
    board = Board([disc("a", flying=True), disc("b", side=1, flying=True)])
    assert can_stand(board, [[10, 10, 0], [12, 10, 0]], rules=Rules(engaged_range=0.0)).all()


def test_flying_models_need_room_too() -> None:
    board = Board([disc("a", flying=True), disc("b")], [block(30, 10, 5, 5)])
    assert can_stand(board, [[31, 11, 0], [10, 10, 0]]).tolist() == [False, True]
    assert can_stand(board, [[10, 11, 0], [10, 10, 0]]).tolist() == [False, False]


@pytest.mark.parametrize("seed", range(12))
def test_against_shapely(seed: int) -> None:
    board, at = random_board(seed)
    board = Board(board.units, board.terrain, (12.0, 11.0))
    ground = Ground(access=[[(3, 3), (8, 3), (8, 6), (3, 6)]]) if seed % 3 == 0 else None
    bases = board.boundaries(at)
    shapes = bases.to_shapely()
    area: Any = shapely.Polygon() if ground is None else shapely.Polygon(ground.access[0])
    solid = shapely.union_all([shapely.Polygon(piece.outline) for piece in board.terrain]).difference(area)
    table = shapely.box(0, 0, 12, 11)
    answer = can_stand(board, at, ground=ground)
    for i, shape in enumerate(shapes):
        others = shapely.union_all([solid, *(s for j, s in enumerate(shapes) if j != i)])
        inner, outer = shape.buffer(-1e-2), shape.buffer(1e-2)
        may = table.contains(inner) and not inner.intersects(others)
        must = table.contains(outer) and not outer.intersects(others)
        if may == must:
            assert answer[i] == may
        if not may:
            assert not answer[i]


def test_batches_are_their_parts() -> None:
    rng = np.random.default_rng(3)
    board = Board(
        [disc(f"m{i}", 1.5, flying=i > 3, side=i % 2) for i in range(6)], [block(4, 4, 3, 3)], (12, 12)
    )
    at = np.zeros((5, 3, 6, 3))
    at[..., :2] = rng.uniform(0, 12, (5, 3, 6, 2))
    present = rng.random((3, 6)) < 0.8
    whole = can_stand(board, at, ["m5", "m0"], present=present)
    assert whole.shape == (5, 3, 2)
    assert 0 < whole.sum() < 30
    np.testing.assert_array_equal(whole, can_stand(board, at, [5, 0], present=present, workers=2))
    for s in np.ndindex(5, 3):
        np.testing.assert_array_equal(whole[s], can_stand(board, at[s], present=present[s[1]])[[5, 0]])
    assert can_stand(board, at[:0]).shape == (0, 3, 6)
    assert can_stand(board, at, []).shape == (5, 3, 0)


def test_errors() -> None:
    board = Board([disc("a")])
    with pytest.raises(ValueError, match="models"):
        can_stand(board, [[0, 0, 0]], ["b"])
    with pytest.raises(ValueError, match=r"positions\[0\]\[1\]"):
        can_stand(board, [[0, math.inf, 0]])
    with pytest.raises(ValueError, match="index 3"):
        can_stand(board, [[0, 0, 0]], ground=Ground([3]))
