"""Laws of coherency: what changes nothing, and what can change it one way only."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ninthgeom import Board, Terrain, Unit
from ninthgeom.skirmish import Coherency, Ground, Rules, coherency
from tests.skirmish.link_scenes import SHAPES, bases_of, crowded

LEADERS = [0, -1, -1, -1]
NEAR = 5.0


def asked(board: Board, positions: Any, **more: Any) -> Coherency:
    n_groups = int(board.group.max()) + 1
    leaders = LEADERS[:n_groups] + [-1] * (n_groups - len(LEADERS))
    return coherency(board, positions, more.pop("leaders", leaders), radius=more.pop("radius", NEAR), **more)


def links(seeds: range) -> list[tuple[Board, NDArray[np.float64], NDArray[np.bool_]]]:
    """Scenes and who is linked; some are, some are not."""
    scenes = [crowded(seed) for seed in seeds]
    found = [(board, at, asked(board, at).linked) for board, at in scenes]
    linked = np.concatenate([linked[:5] for _, _, linked in found])
    assert 0.3 < linked.mean() < 0.97
    return found


@pytest.mark.parametrize(("turn", "x", "y"), [(0.3, 0.0, 0.0), (math.pi / 2, 1e3, -2e3), (4.0, -1e4, 3.0)])
def test_the_frame_does_not_matter(turn: float, x: float, y: float) -> None:
    cos, sin = math.cos(turn), math.sin(turn)
    turned, shift = np.array([[cos, sin], [-sin, cos]]), np.array([x, y])
    for board, positions, linked in links(range(300, 320)):
        moved = positions.copy()
        moved[:, :2] = positions[:, :2] @ turned + shift
        moved[:, 2] += turn
        terrain = [
            Terrain(piece.outline @ turned + shift, kind="ruin", height=piece.height)
            for piece in board.terrain
        ]
        found = asked(Board(board.units, terrain), moved)
        assert found.linked.tolist() == linked.tolist()
        assert found.within_radius.tolist() == asked(board, positions).within_radius.tolist()


def test_mirrored_scenes_are_the_same() -> None:
    for board, positions, linked in links(range(320, 340)):
        moved = positions * [-1, 1, -1] + [0, 0, math.pi]
        terrain = [
            Terrain(piece.outline * [-1, 1], kind="ruin", height=piece.height) for piece in board.terrain
        ]
        assert asked(Board(board.units, terrain), moved).linked.tolist() == linked.tolist()


def test_the_order_of_models_and_terrain_does_not_matter() -> None:
    for seed, (board, positions, linked) in enumerate(links(range(340, 360))):
        order = np.random.default_rng(seed).permutation(len(board))
        shuffled = Board([board.units[u] for u in order], board.terrain[::-1])
        leaders = np.full(int(board.group.max()) + 1, -1)
        at = int(np.flatnonzero(order == 0)[0])
        leaders[shuffled.group[at]] = at
        found = coherency(shuffled, positions[order], leaders, radius=NEAR)
        assert found.linked.tolist() == linked[order].tolist()


def test_every_member_of_a_chain_may_lead() -> None:
    """All need the same gap, so links are the same from wherever they are asked."""
    for board, positions, linked in links(range(360, 380)):
        leaders = np.full((5, int(board.group.max()) + 1), -1)
        leaders[:, 0] = range(5)
        found = coherency(board, positions, leaders).linked[:, :5]
        assert (found == found.T).all()
        assert found[0].tolist() == linked[:5].tolist()
        for row in found:  # the same models, or none of them
            assert all((row == other).all() or not (row & other).any() for other in found)


def test_own_models_never_unlink() -> None:
    for seed, (board, positions, linked) in enumerate(links(range(380, 400))):
        rng = np.random.default_rng(seed)
        more = [Unit(f"more {i}", group="own", size=board.units[0].size, **SHAPES[i]) for i in range(5)]
        where = np.concatenate([rng.uniform(0, 9, (5, 2)), rng.uniform(-3, 3, (5, 1))], axis=1)
        # their enemies may become engaged with the new ones, which passes no fewer
        found = asked(Board([*board.units, *more], board.terrain), np.concatenate([positions, where]))
        assert found.linked[: len(board)][linked].all()


def test_obstacles_that_go_never_unlink() -> None:
    """Less to pass, narrower gaps, more enemies that may be passed."""
    count = 0
    for board, positions, linked in links(range(400, 420)):
        n_terrain = len(board.terrain)
        for k in range(n_terrain):
            rest = tuple(i for i in range(n_terrain) if i != k)
            fewer = asked(board, positions, ground=Ground(rest)).linked
            assert (linked <= fewer).all()
            count += int((fewer & ~linked).sum())
        for rules in (
            Rules(small_gap=0.5, large_gap=1.5),
            Rules(engaged_link="groups"),
            Rules(engaged_terrain="none"),
            Rules(engaged_range=2.0),
        ):
            assert (linked <= asked(board, positions, rules=rules).linked).all()
        centres = asked(board, positions, rules=Rules(sc_link="centre")).linked
        assert (centres <= linked).all()
    assert count > 2


def test_models_of_others_that_die_never_link_less_by_lines_alone() -> None:
    """Without engagement, absent models only make room."""
    rules = Rules(engaged_range=0.0)
    for board, positions, _ in links(range(415, 430)):
        linked = asked(board, positions, rules=rules).linked
        present = np.tile(np.arange(len(board)) < len(board), (8, 1))
        present[np.arange(8), 5 + np.arange(8)] = False
        found = asked(board, positions, rules=rules, present=present).linked
        assert (linked[:5] <= found[:, :5]).all()


def test_wider_openings_never_unlink() -> None:
    """A wall across the table: from some width on all are linked."""
    own = [Unit(f"{i}", 32, shape="round", group="own") for i in range(4)]
    positions = np.array([[3, 2, 0], [8, 2.5, 0], [12, 8, 0], [4, 7.5, 0]], float)
    before = np.zeros(4, np.bool_)
    for width in np.linspace(0.0, 4.0, 41):
        board = Board(
            own,
            [
                Terrain([(-90, 4), (9, 4), (9, 5), (-90, 5)], kind="wall"),
                Terrain([(9 + width, 4), (90, 4), (90, 5), (9 + width, 5)], kind="wall"),
            ],
        )
        linked = coherency(board, positions, [0], radius=99).linked
        assert (before <= linked).all()
        assert linked[2] == (width > 1.0 - 1e-9)
        before = linked
    assert before.all()


def test_batches_are_their_states() -> None:
    rng = np.random.default_rng(7)
    board, positions = crowded(12)
    many = positions + rng.normal(0, 0.02, (6, 50, *positions.shape))
    present = rng.random((6, 1, len(board))) < 0.9
    present[..., [0, 5, 6, 7]] = True
    leaders = np.array([0, 5, 6, 7])[board.group[[0, 5, 6, 7]].argsort()]
    radius = rng.uniform(2, 6, (50, 4))
    whole = coherency(board, many, leaders, radius=radius, present=present)
    assert 0.05 < whole.in_coherency.mean() < 0.95
    assert 0.3 < whole.linked.mean() < 0.99
    for name in ("in_coherency", "within_radius", "linked"):
        answer = getattr(whole, name)
        two = coherency(board, many, leaders, radius=radius, present=present, workers=2)
        assert (getattr(two, name) == answer).all()
        for i in range(0, 6, 5):
            for j in range(0, 50, 7):
                one = coherency(board, many[i, j], leaders, radius=radius[j], present=present[i, 0])
                assert (getattr(one, name) == answer[i, j]).all()


def test_many_states_are_cut_in_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    from ninthgeom.skirmish import _coherency, _link_lines

    board, positions = crowded(13)
    many = positions + np.random.default_rng(3).normal(0, 0.05, (40, *positions.shape))
    whole = asked(board, many)
    monkeypatch.setattr(_coherency, "_CHUNK_BYTES", 30_000)
    monkeypatch.setattr(_link_lines, "_SCENES", 3)
    cut = asked(board, many, workers=2)
    assert (cut.linked == whole.linked).all()
    assert (cut.in_coherency == whole.in_coherency).all()
    present = np.ones((40, len(board)), np.bool_)
    present[33, 0] = False
    with pytest.raises(ValueError, match=r"leaders\[33\]\[0\]: unit 0 is not present"):
        asked(board, many, present=present, leaders=np.tile(LEADERS, (40, 1)))


def test_within_radius_is_the_farthest_point() -> None:
    for seed in range(430, 440):
        board, positions = crowded(seed)
        shapes = bases_of(board, positions).to_shapely()
        found = asked(board, positions).within_radius[:5]
        reach = [shapes[0].buffer(NEAR, quad_segs=256).buffer(s).covers(shapes[:5]) for s in (-1e-2, 1e-2)]
        assert (np.array(reach[0]) <= found).all()
        assert (found <= np.array(reach[1])).all()
