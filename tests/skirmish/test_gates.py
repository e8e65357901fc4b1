"""Gates, against brute force over all pairs of edges."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely
import shapely.affinity

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Ground
from ninthgeom.skirmish._gates import Gates
from ninthgeom.skirmish._obstacles import Obstacles
from tests.skirmish.gates_oracle import faults, solids_of

TOL = 1e-6
SHAPES = (
    [(0, 0), (3, 0), (3, 3), (0, 3), (0, 2), (2, 2), (2, 1), (0, 1)],  # C, its bay an inch wide
    [(0, 0), (3, 0), (3, 3), (0, 3), (0, 1.9), (2, 1.9), (2, 1.1), (0, 1.1)],  # a narrower one
    [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)],  # L
    [(0, 0), (4, 0), (4, 2), (2.4, 2), (2, 0.5), (1.6, 2), (0, 2)],  # a notch
    [(0, 0), (3, 0), (2, 2), (1, 2)],
    [(0, 0), (1.5, 0), (1.5, 1.5), (0, 1.5)],
    [(0, 0), (4, 0), (4, 0.4), (0, 0.4)],
    [(0, 0), (1, 2), (2, 0), (3, 2), (4, 0), (4, 3), (0, 3)],  # teeth
)


def bay(n: int) -> list[tuple[float, float]]:
    """A block with a round bay of many short edges in it."""
    angles = np.linspace(0.1, math.pi - 0.1, n)
    arc = [(2 + 1.2 * math.cos(t), 3 - 1.2 * math.sin(t)) for t in angles]
    return [(0, 0), (4, 0), (4, 3.1), *arc, (0, 3.1)]


def unit(i: int, kind: int) -> Unit:
    shape, base = (("round", 32), ("oval", (40, 100)), ("rect", (25, 50)), ("round", 50))[kind]
    return Unit(f"m{i}", base, shape=shape, group=f"g{i // 2}")  # type: ignore[arg-type]


def gates_of(board: Board, positions: Any, width: float, ground: Ground | None = None, **more: Any) -> Gates:
    at = np.asarray(positions, np.float64).reshape(-1, len(board), 3)
    columns = board.boundaries(at)._columns
    n = len(at)
    return Obstacles.of(board, ground, columns, TOL).gates(
        np.arange(n), np.ones((n, len(board)), np.bool_), np.full(n, width), **more
    )


def random_board(seed: int) -> tuple[Board, Any]:
    """A crowd on a grid of half inches, as a whole turned and moved."""
    rng = np.random.default_rng(seed)
    turn, far = rng.choice([0.0, 0.3, 1.1]), rng.choice([0.0, 0.0, 1e5])
    terrain = []
    for _ in range(rng.integers(0, 5)):
        shape = shapely.Polygon(SHAPES[rng.integers(len(SHAPES))] if rng.random() < 0.8 else bay(24))
        shape = shapely.affinity.rotate(shape, 90 * rng.integers(4), origin=(0, 0))
        if rng.random() < 0.2:
            shape = shapely.affinity.rotate(shape, rng.uniform(0, 360), origin=(0, 0))
        shape = shapely.affinity.translate(shape, *(rng.integers(0, 21, 2) / 2 + 0.25 * rng.integers(2)))
        shape = shapely.affinity.translate(
            shapely.affinity.rotate(shape, turn, origin=(0, 0), use_radians=True), far, -far / 2
        )
        ring = np.asarray(shape.exterior.coords)[:-1]
        terrain.append(Terrain(ring[:: rng.choice([-1, 1])], kind="ruin"))
    board = Board([unit(i, int(rng.integers(4))) for i in range(rng.integers(1, 7))], terrain)
    at = np.zeros((len(board), 3))
    at[:, :2] = rng.integers(0, 23, (len(board), 2)) / 2
    at[:, 2] = rng.choice([0.0, math.pi / 2, 0.7], len(board))
    # from centres: those of rectangles are given by their front
    at = np.array(board.positions_from_centres(at[None])[0])
    x, y = at[:, 0].copy(), at[:, 1].copy()
    at[:, 0] = math.cos(turn) * x - math.sin(turn) * y + far
    at[:, 1] = math.sin(turn) * x + math.cos(turn) * y - far / 2
    at[:, 2] += turn
    return board, at


@pytest.mark.parametrize("seed", range(60))
def test_all_gaps_are_found_and_nothing_else(seed: int) -> None:
    board, at = random_board(seed)
    width = (1.0, 3.0)[seed % 2]
    polygons = board.terrain_outlines.to_shapely()
    solids = solids_of(board.boundaries(at), polygons, [len(board) + k for k in range(len(polygons))])
    wrong, _ = faults(gates_of(board, at, width), 0, solids, width)
    assert not wrong


def single(*rings: Any, width: float = 1.0, ground: Ground | None = None, **more: Any) -> Gates:
    """Gates among pieces of terrain alone: one unit stands far off."""
    board = Board([unit(0, 0)], [Terrain(ring, kind="wall") for ring in rings])
    return gates_of(board, [[90, 90, 0]], width, ground, **more)


def rect(x: float, y: float, width: float, depth: float) -> list[tuple[float, float]]:
    return [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]


@pytest.mark.parametrize("far", [0.0, 1e5])
@pytest.mark.parametrize("turn", [0.0, 0.3, 2.0])
def test_what_is_as_wide_as_asked_for_is_open(turn: float, far: float) -> None:
    def moved(ring: Any) -> Any:
        x, y = np.asarray(ring).T
        cos, sin = math.cos(turn), math.sin(turn)
        return np.stack([cos * x - sin * y + far, sin * x + cos * y - far], axis=1)

    for gap, closed in (
        (1.0, 0),
        (1.0 - 0.9e-6, 0),
        (1.0 - 1.1e-6, 1),
        (0.999, 1),
        (1.1e-6, 1),
        (0.9e-6, 0),
        (0, 0),
    ):
        gates = single(moved(rect(0, 0, 3, 1)), moved(rect(1, 1 + gap, 3, 1)))
        assert len(gates) == closed
        if closed:
            assert gates.width[0] == pytest.approx(gap, abs=1e-10)
            np.testing.assert_allclose(gates.columns[[0, 1], 0], moved([(2, 1 + gap / 2)])[0], atol=1e-9)
            np.testing.assert_allclose(gates.columns[[4, 5, 6], 0], [gap / 2, 1.0, 0.0], atol=1e-9)
            # from the first to the second
            np.testing.assert_allclose(gates.columns[[2, 3], 0], [-math.sin(turn), math.cos(turn)], atol=1e-9)


@pytest.mark.parametrize("tilt", [0.0, 0.2e-6, 3e-6, 0.01, -3e-6])
def test_sides_that_are_parallel_within_the_tolerance(tilt: float) -> None:
    gates = single(rect(0, 0, 4, 1), [(0, 1.5 + tilt), (4, 1.5 - tilt), (4, 2), (0, 2)])
    assert len(gates) == 1
    assert gates.width[0] == pytest.approx(0.5 - abs(tilt), abs=1e-9)
    assert gates.is_line(TOL)[0] == (abs(tilt) > TOL)
    assert gates.columns[5, 0] == pytest.approx(0.0 if abs(tilt) > TOL else 2.0)
    longer = gates.lengthened(TOL)
    assert longer[4, 0] - gates.columns[4, 0] == pytest.approx(1e-6 if abs(tilt) > TOL else 0.0)


@pytest.mark.parametrize("n", [3, 8, 40, 150])
def test_a_bay_has_no_gap_along_its_own_outline(n: int) -> None:
    assert len(single(bay(n))) == 0
    # but one across its mouth, where that is narrower than what is behind it
    flask = [
        (0, 0),
        (4, 0),
        (4, 4),
        (2.4, 4),
        (2.4, 3),
        (3.4, 2),
        (2, 1),
        (0.6, 2),
        (1.6, 3),
        (1.6, 4),
        (0, 4),
    ]
    gates = single(flask)
    assert [round(float(width), 9) for width in gates.width] == [0.8]
    np.testing.assert_allclose(gates.columns[:2, 0], [2, 3.5])
    assert {int(gates.first[0]), int(gates.second[0])} == {1}


def test_a_courtyard_with_pillars_in_a_wall_of_many_parts() -> None:
    wall = [
        (0, 0),
        (6, 0),
        (6, 6),
        (0, 6),
        (0, 3.4),
        (1, 3.4),
        (1, 5),
        (5, 5),
        (5, 1),
        (1, 1),
        (1, 2.6),
        (0, 2.6),
    ]
    for ring in (wall, wall[::-1], wall[5:] + wall[:5]):
        gates = single(ring)
        assert len(gates) == 1
        np.testing.assert_allclose(gates.columns[:2, 0], [0.5, 3.0])
        np.testing.assert_allclose(gates.columns[4:6, 0], [0.4, 0.5])


def test_pieces_in_contact_or_one_over_the_other_have_no_gap() -> None:
    for x in (1.0, 2.0, 3.0, 3.0 + 0.9e-6):
        assert len(single(rect(0, 0, 3, 1), rect(x, 0.5, 3, 1))) == 0
    # where a third piece stands in it a gap is none
    gates = single(rect(0, 0, 1, 3), rect(1.8, 0, 1, 3), rect(0.5, -1, 2, 5))
    assert len(gates) == 0
    gates = single(rect(0, 0, 1, 3), rect(1.8, 0, 1, 3), rect(0.5, 1, 2, 1))
    assert sorted(gates.columns[1].round(4).tolist()) == [0.5, 2.5]


def test_access_areas_open_gaps() -> None:
    walls = rect(0, 0, 3, 1), rect(0, 1.8, 3, 1)
    assert len(single(*walls)) == 1
    assert len(single(*walls, ground=Ground(access=[rect(-1, 0.9, 5, 1)]))) == 0
    gates = single(*walls, ground=Ground(access=[rect(1, 1.2, 1, 0.2)]))
    assert sorted(gates.columns[0].round(4).tolist()) == [0.5, 2.5]
    # a door in a wall does not close, however narrow
    for door in (0.1, 0.8, 2.0):
        ground = Ground(access=[rect(1, -0.1, door, 1.2)])
        assert len(single(walls[0], ground=ground)) == 0
        assert len(single(walls[0])) == 0


def test_access_areas_open_gaps_only_where_they_are() -> None:
    """A gap in a line between two corners, 2 inches long, with an area across a part of it."""
    walls = rect(0, 0, 3, 1), rect(3, 3, 3, 1)  # corners at (3, 1) and (3, 3)
    (x,), (y,), *_, (along,), _, _ = single(*walls, width=3.0).columns
    np.testing.assert_allclose((x, y, along), (3, 2, 1))
    cases = [
        (rect(2.5, 1.5, 1, 0.5), [(1.25, 0.25), (2.5, 0.5)]),  # in the middle
        (rect(2.5, 1.0, 1, 0.5), [(2.25, 0.75)]),  # at one end
        (rect(2.5, 1.0, 1, 2.0), []),  # all of it
        (rect(3.0, 1.5, 1, 0.5), [(2.0, 1.0)]),  # it only touches the area
    ]
    for area, left in cases:
        gates = single(*walls, width=3.0, ground=Ground(access=[area]))
        np.testing.assert_allclose(gates.columns[[1, 4]].T, np.reshape(left, (-1, 2)), atol=1e-5)
        np.testing.assert_allclose(gates.width, 2.0)
        assert set(gates.first.tolist()) <= {1}


def test_closed_openings() -> None:
    ground = Ground(closed=[(0, 0, 3, 4), (20, 20, 20, 21)])
    gates = single(rect(50, 50, 1, 1), ground=ground)
    assert (gates.first.tolist(), gates.second.tolist()) == ([2, 3], [2, 3])
    assert gates.width.tolist() == [0, 0]
    np.testing.assert_allclose(gates.columns[:, 0], [1.5, 2, 0.6, 0.8, 2.5, 0, 0])
    region = np.array([[0.0], [0.0], [5.0], [5.0]])
    assert single(rect(50, 50, 1, 1), ground=ground, region=region).first.tolist() == [2]
    assert len(single(rect(50, 50, 1, 1), ground=ground, width=-1.0)) == 0
    assert len(single(rect(50, 50, 1, 1), ground=ground, width=0.0)) == 2


@pytest.mark.parametrize("seed", range(20))
def test_regions_counts_and_widths_choose_among_all(seed: int) -> None:
    board, at = random_board(3 * seed)
    rng = np.random.default_rng(seed)
    columns = board.boundaries(np.stack([at, at]))._columns
    obstacles = Obstacles.of(board, None, columns, TOL)
    counts = rng.random((3, len(board))) < 0.7
    middle = at[:, :2].mean(axis=0)
    region = np.concatenate([middle - 2, middle + 3])[:, None].repeat(3, axis=1)
    width = np.array([1.0, 3.0, 2.0])
    whole = obstacles.gates(np.array([0, 1, 1]), counts, width)
    some = obstacles.gates(np.array([0, 1, 1]), counts, width, region)
    x, y, cos, sin, along, across, _ = whole.columns
    reach_x = abs(cos) * along + abs(sin) * across
    reach_y = abs(sin) * along + abs(cos) * across
    meets = (x - reach_x <= region[2, 0]) & (x + reach_x >= region[0, 0])
    meets &= (y - reach_y <= region[3, 0]) & (y + reach_y >= region[1, 0])
    assert len(some) >= meets.sum()
    found = {(int(s), *c.tolist()) for s, c in zip(some.scene, some.columns.T.round(9), strict=True)}
    wanted = zip(whole.scene[meets], whole.columns[:, meets].T.round(9), strict=True)
    # where a rectangle is cut by what is far off it may be in other parts
    missing = [
        one for one in ((int(s), *c.tolist()) for s, c in wanted) if one not in found and one[6] < 1e-6
    ]
    assert not missing
    for scene in range(3):
        mine = whole.scene == scene
        for numbers in (whole.first[mine], whole.second[mine]):
            units = numbers[numbers < len(board)]
            assert counts[scene, units].all()
        assert (whole.width[mine] < width[scene] - TOL).all()


def test_many_states_are_the_single_ones() -> None:
    board, at = random_board(12)
    rng = np.random.default_rng(0)
    states = at + rng.normal(0, 0.5, (30, 1, 1)) * np.array([1.0, 1.0, 0.2])
    whole = gates_of(board, states, 3.0)
    assert (np.diff(whole.scene) >= 0).all()
    for k in range(30):
        alone = gates_of(board, states[k], 3.0)
        part = slice(int(whole.indptr[k]), int(whole.indptr[k + 1]))
        np.testing.assert_array_equal(alone.columns, whole.columns[:, part])
        np.testing.assert_array_equal(alone.first, whole.first[part])
