"""Distances, within and wholly within: the cases of the rules, an oracle, laws, masks and errors."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ninthgeom import TOLERANCE, Bases, Board, Terrain, Unit
from ninthgeom.skirmish import (
    Ground,
    Rules,
    coherency,
    distances,
    distances_to,
    engaged,
    wholly_within,
    within,
)
from tests.skirmish.measuring_oracle import a_board, columns_of, distance, farthest, places

MM = 1.0 / 25.4


def discs(*diameters: float, **more: Any) -> Board:
    """One model of each diameter, in millimetres."""
    return Board([Unit(f"m{i}", size, shape="round", **more) for i, size in enumerate(diameters)])


def in_a_row(*x: float) -> list[tuple[float, float, float]]:
    return [(at, 20.0, 0.0) for at in x]


# ---------------------------------------------------------------------------------- the rules


def test_models_are_measured_from_base_to_base() -> None:
    """P1; touching is 0, and so is overlapping."""
    board = discs(50.8, 50.8, 101.6)
    found = distances(board, in_a_row(10, 12, 20))
    np.testing.assert_allclose(found, [[np.inf, 0, 7], [0, np.inf, 5], [7, 5, np.inf]])
    assert distances(board, in_a_row(10, 11, 20))[0, 1] == 0.0


def test_heights_and_levels_do_not_count() -> None:
    """Ambiguity j."""
    low, high = (
        Board([Unit("a", 50, shape="round"), Unit("b", 50, shape="round", height=h)]) for h in (0, 5)
    )
    np.testing.assert_array_equal(distances(low, in_a_row(3, 9)), distances(high, in_a_row(3, 9)))


@pytest.mark.parametrize("heights", [(0, 0, 0), (5, 0, 3), (0, 5, 1)])
def test_levels_within_a_group_do_not_count(heights: tuple[int, int, int]) -> None:
    """Ambiguity j: each model stands on terrain of its own height, and seen from above nothing changes."""
    at = in_a_row(20, 23, 16.999)
    units, terrain = [], []
    for i, ((x, y, _), height) in enumerate(zip(at, heights, strict=True)):
        units.append(Unit(f"m{i}", 25.4, shape="round", group="m", height=height, size=height))
        corners = [(x - 0.6, y - 0.6), (x + 0.6, y - 0.6), (x + 0.6, y + 0.6), (x - 0.6, y + 0.6)]
        terrain.append(Terrain(corners, kind="ruin", height=height))
    board = Board(units, terrain)
    np.testing.assert_allclose(distances(board, at)[0], [np.inf, 2.0, 2.001])
    assert within(board, at, 2.0)[0].tolist() == [False, True, False]
    assert wholly_within(board, at, 3.0, targets=[0])[:, 0].tolist() == [False, True, False]
    found = coherency(board, at, [0], ground=Ground([]))
    assert found.within_radius.tolist() == [True, True, False]
    assert found.linked.all()


@pytest.mark.parametrize("heights", [(0, 0), (0, 5), (5, 2)])
@pytest.mark.parametrize(("gap", "met"), [(1.0, True), (1.001, False)])
def test_enemies_are_engaged_whatever_their_heights(heights: tuple[int, int], gap: float, met: bool) -> None:
    """Engagement Range is horizontal, as any other."""
    units = [Unit(f"m{i}", 25.4, shape="round", side=i, height=h, size=h) for i, h in enumerate(heights)]
    assert engaged(Board(units), in_a_row(20, 21 + gap))[0, 1] == met


def test_tokens_are_measured_to_their_edge() -> None:
    board = discs(50.8)
    tokens = Bases([15.0, 15.0, 15.0], 20.0, width=[0.0, 2.0, 2.0], depth=[0.0, 2.0, 4.0])
    np.testing.assert_allclose(distances_to(board, in_a_row(10), tokens), [[4.0, 3.0, 2.0]])
    assert distances_to(board, in_a_row(10), Bases.round([12.0], 20.0, diameter=2.0))[0, 0] == 0.0


@pytest.mark.parametrize("by", ["model", "group"])
def test_within_is_closed(by: Any) -> None:
    """P2."""
    board = discs(50.8, 50.8)
    for more, expected in ((0.0, True), (0.5 * TOLERANCE, True), (2.0 * TOLERANCE, False)):
        assert within(board, in_a_row(10, 15 + more), 3.0, by=by)[0, 1] == expected


def test_a_group_is_within_if_one_model_is() -> None:
    """P2, P3."""
    board = Board([Unit(name, 50.8, shape="round", group=name[0]) for name in ("a1", "a2", "b1", "b2")])
    at = in_a_row(10, 30, 15, 60)
    assert within(board, at, 3.0, by="group").tolist() == [[False, True], [True, False]]
    assert not wholly_within(board, at, 5.0, by="group").any()
    assert wholly_within(
        board, in_a_row(10, 20, 15, 60), 5.0, by="group", observers=["a"], targets=["b"]
    ).all()


def test_wholly_within_of_discs() -> None:
    """P3: distance of the centres and own radius against the other's and the distance, closed."""
    rng = np.random.default_rng(1)
    own, other = rng.choice([32.0, 40.0, 50.0, 80.0], (2, 300))
    limit = rng.uniform(0.0, 6.0, 300)
    for i in range(300):
        centres = (other[i] - own[i]) * MM / 2 + limit[i]
        if centres < 0:
            continue
        board = discs(own[i], other[i])
        turn = rng.uniform(0, 2 * math.pi)
        for more, expected in ((0.5 * TOLERANCE, True), (2.0 * TOLERANCE, False)):
            far = centres + more
            at = [(30 + far * math.cos(turn), 20 + far * math.sin(turn), 0.0), (30, 20, 0.0)]
            assert wholly_within(board, at, limit[i])[0, 1] == expected


def test_large_models_that_touch_are_not_wholly_within_three_inches() -> None:
    """S-1, ambiguity n."""
    at = in_a_row(20, 20 + 80 * MM)
    found = [bool(wholly_within(discs(80, 80), at, d)[0, 1]) for d in (3.0, 80 * MM - 2e-6, 80 * MM, 4.0)]
    assert found == [False, False, True, True]
    assert distances(discs(80, 80), at)[0, 1] == 0.0


def test_the_last_place_wholly_within_the_leader() -> None:
    """S-3: 32 mm models, edge to edge 44.2 mm."""
    for gap, expected in ((44.2, True), (44.2 + 1e-3, False)):
        assert wholly_within(discs(32, 32), in_a_row(20, 20 + (32 + gap) * MM), 3.0)[1, 0] == expected


def test_reference_of_wholly_within() -> None:
    """Ambiguity a: the edge by default, or the centre."""
    board, at = discs(50.8, 50.8), in_a_row(10, 13)
    centre = Rules(sc_wholly_ref="centre")
    assert wholly_within(board, at, 3.0)[0, 1]
    assert not wholly_within(board, at, 3.9, rules=centre)[0, 1]
    assert wholly_within(board, at, 4.0, rules=centre)[0, 1]
    # that of the observer stays its whole base
    ovals = Board([Unit("leader", 50.8, shape="round"), Unit("oval", (50.8, 101.6), shape="oval")])
    assert wholly_within(ovals, in_a_row(10, 13), 5.0, rules=centre)[1, 0]
    assert not wholly_within(ovals, in_a_row(10, 13), 4.9, rules=centre)[1, 0]
    assert wholly_within(ovals, in_a_row(10, 13), 4.0)[1, 0]


@pytest.mark.parametrize(
    ("turn", "expected"),
    [
        ((0, 0), 10 - 4),  # end to end
        ((90, 90), 10 - 2),  # side by side
        ((0, 90), 10 - 3),  # the end of one before the side of the other
        ((45, -45), 10 - 2 - math.sqrt(2)),
    ],
)
def test_ovals(turn: tuple[float, float], expected: float) -> None:
    """Ambiguity m: 2 x 4 inches, ten inches from centre to centre."""
    board = Board([Unit(name, (50.8, 101.6), shape="oval") for name in "ab"])
    at = [(20, 20, math.radians(turn[0])), (30, 20, math.radians(turn[1]))]
    if turn == (45, -45):
        # ends with their half circles at (20.7, 20.7) and (29.3, 20.7)
        expected = 10 - 2 * math.sqrt(0.5) - 2
    assert distances(board, at)[0, 1] == pytest.approx(expected, abs=1e-12)


def test_oval_among_ovals_is_wholly_within_with_its_far_end() -> None:
    board = Board([Unit(name, (50.8, 101.6), shape="oval") for name in "ab"])
    at = [(20, 20, 0.0), (24, 20, math.pi / 2)]
    # from (21, 20), the last point of the core, to (24, 22) or (24, 18), and half a width on each side
    limit = math.hypot(3.0, 1.0)
    assert wholly_within(board, at, limit)[1, 0]
    assert not wholly_within(board, at, limit - 2e-6)[1, 0]


def test_circles_that_touch_in_any_direction() -> None:
    """Public case 2: radii 4 and 2, centres 6 apart."""
    turn = np.linspace(0, 2 * np.pi, 1801)
    at = np.zeros((1801, 2, 3))
    at[:, 1, 0], at[:, 1, 1] = 6 * np.cos(turn), 6 * np.sin(turn)
    board = discs(2 * 4 * 25.4, 2 * 2 * 25.4)
    assert (distances(board, at)[:, 0, 1] == 0.0).all()
    assert within(board, at, 0.0)[:, 0, 1].all()


def test_exactly_three_inches_in_any_direction() -> None:
    """Public case 44: from (36, 24) in 1801 directions."""
    turn = np.linspace(0, 2 * np.pi, 1801)
    at = np.empty((1801, 2, 3))
    at[:, 0] = 36, 24, 0
    at[:, 1] = np.stack([36 + 4 * np.cos(turn), 24 + 4 * np.sin(turn), turn], axis=-1)
    board = discs(25.4, 25.4)
    assert within(board, at, 3.0)[:, 0, 1].all()
    assert within(board, at, 3.0, by="group")[:, 1, 0].all()
    assert wholly_within(board, at, 4.0)[:, 0, 1].all()
    assert not within(board, at, 3.0 - 2e-6)[:, 0, 1].any()
    points = Bases.point(36 + 3.5 * np.cos(turn), 24 + 3.5 * np.sin(turn))
    assert (distances_to(board, at[:1], points)[0, 0] <= 3.0 + TOLERANCE).all()


def test_one_tolerance_for_every_question() -> None:
    """Public case 46: what a measure shows is what the answer follows."""
    turn = np.linspace(0, 2 * np.pi, 1801)
    for away in (0.0, 0.9 * TOLERANCE, 1.1 * TOLERANCE):
        at = np.empty((1801, 2, 3))
        at[:, 0] = 36, 24, 0
        far = 2.0 + 40 * MM + away
        at[:, 1] = np.stack([36 + far * np.cos(turn), 24 + far * np.sin(turn), turn], axis=-1)
        board = discs(40, 40)
        measured = distances(board, at)[:, 0, 1] <= 2.0 + TOLERANCE
        assert (within(board, at, 2.0)[:, 0, 1] == measured).all()
        assert (measured == (away < TOLERANCE)).all()
        # not from centre to centre
        assert not within(board, at, 2.0 - 1e-3)[:, 0, 1].any()


# ---------------------------------------------------------------------------------- against the oracle


def test_models_and_groups_against_the_oracle() -> None:
    """On every kind of base; groups reduced one pair after another."""
    rng = np.random.default_rng(2)
    seen = np.zeros(2, int)
    for _ in range(12):
        board = a_board(rng)
        at = places(rng, 3, board)
        present = rng.random((3, len(board))) < 0.8
        found = distances(board, at, present=present)
        grouped = distances(board, at, present=present, by="group")
        near = within(board, at, 2.0, present=present, by="group")
        whole = wholly_within(board, at, 3.0, present=present)
        n = int(board.group.max()) + 1
        for s in range(3):
            columns = columns_of(board, at[s])
            closest = np.full((n, n), np.inf)
            for i in range(len(board)):
                for j in range(len(board)):
                    if i == j or not (present[s, i] and present[s, j]):
                        assert found[s, i, j] == np.inf
                        assert not whole[s, i, j]
                        continue
                    expected = distance(columns[:, i], columns[:, j])
                    assert found[s, i, j] == pytest.approx(expected, abs=1e-11)
                    inside = farthest(columns[:, i], columns[:, j]) <= 3.0
                    assert whole[s, i, j] == inside
                    seen[int(inside)] += 1
                    pair = board.group[i], board.group[j]
                    if pair[0] != pair[1]:
                        closest[pair] = min(closest[pair], expected)
            np.testing.assert_allclose(grouped[s], closest, atol=1e-11)
            np.testing.assert_array_equal(near[s], closest <= 2.0)
    assert seen.min() > 100


def test_tokens_against_the_oracle() -> None:
    rng = np.random.default_rng(3)
    board = a_board(rng)
    at = places(rng, 5, board)
    present = rng.random((5, len(board))) < 0.7
    other = a_board(rng, (7,))
    tokens = other.boundaries(places(rng, 5, other))
    found = distances_to(board, at, tokens, present=present)
    grouped = distances_to(board, at, tokens, present=present, by="group")
    for s in range(5):
        columns = columns_of(board, at[s])
        for i in range(len(board)):
            for k in range(7):
                expected = distance(columns[:, i], tokens._columns[:, s, k]) if present[s, i] else np.inf
                assert found[s, i, k] == pytest.approx(expected, abs=1e-11)
        for group in range(4):
            np.testing.assert_array_equal(grouped[s, group], found[s, board.group == group].min(axis=0))


# ---------------------------------------------------------------------------------- laws

Question = Callable[..., Any]
QUESTIONS: dict[str, Question] = {
    "distances": distances,
    "within": lambda board, at, **more: within(board, at, 2.0, **more),
    "wholly_within": lambda board, at, **more: wholly_within(board, at, 3.0, **more),
    "engaged": engaged,
    "distances_to": lambda board, at, **more: distances_to(
        board, at, Bases.round([20.0, 23.0, 19.0], 20.0, diameter=1.6), **more
    ),
}
each = pytest.mark.parametrize("question", QUESTIONS.values(), ids=QUESTIONS)
each_by = pytest.mark.parametrize("by", ["model", "group"])


def a_case(n: int = 40) -> tuple[Board, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    board = a_board(rng)
    return board, places(rng, n, board), rng.random((n, len(board))) < 0.85


def same(found: Any, expected: Any) -> None:
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)


@each_by
@pytest.mark.parametrize("name", ["distances", "within", "engaged"])
def test_both_ways_are_the_same(name: str, by: str) -> None:
    board, at, present = a_case()
    found = QUESTIONS[name](board, at, present=present, by=by)
    same(found, found.swapaxes(-1, -2))
    assert len(np.unique(found)) > 1


@each_by
@pytest.mark.parametrize("name", ["distances", "within", "wholly_within", "engaged"])
@pytest.mark.parametrize(
    ("turn", "x", "y"), [(1.0, 100.0, -7.0), (0.5 * math.pi, 0, 0), (-2.0, -900.0, 900.0)]
)
def test_the_table_may_stand_anywhere(name: str, by: str, turn: float, x: float, y: float) -> None:
    board, at, present = a_case()
    moved = at + np.array([0.0, 0.0, turn])
    moved[..., 0] = math.cos(turn) * at[..., 0] - math.sin(turn) * at[..., 1] + x
    moved[..., 1] = math.sin(turn) * at[..., 0] + math.cos(turn) * at[..., 1] + y
    question = QUESTIONS[name]
    same(question(board, moved, present=present, by=by), question(board, at, present=present, by=by))


@each
def test_order_of_the_models_does_not_matter(question: Question) -> None:
    board, at, present = a_case()
    order = np.random.default_rng(5).permutation(len(board))
    other = Board([board.units[i] for i in order])
    names = list(board.names)
    groups = [f"g{i}" for i in range(4)]
    for by, which in (("model", names), ("group", groups)):
        more = {"observers": which, "present": present, "by": by}
        found = question(board, at, **more)
        turned = question(other, at[:, order], **{**more, "present": present[:, order]})
        if question is not QUESTIONS["distances_to"]:
            own = [board.index(n) for n in which] if by == "model" else board_groups(board, groups)
            new = [other.index(n) for n in which] if by == "model" else board_groups(other, groups)
            found, turned = found[..., own], turned[..., new]
        same(turned, found)


def board_groups(board: Board, labels: list[str]) -> list[int]:
    return [next(int(board.group[i]) for i, u in enumerate(board.units) if u.group == g) for g in labels]


@each
@each_by
def test_batches_may_be_split_and_shared(question: Question, by: str) -> None:
    board, at, present = a_case()
    whole = question(board, at, present=present, by=by)
    for cut in (1, 17):
        parts = [question(board, at[s], present=present[s], by=by) for s in (slice(cut), slice(cut, None))]
        np.testing.assert_array_equal(np.concatenate(parts), whole)
    np.testing.assert_array_equal(question(board, at, present=present, by=by, workers=2), whole)
    nested = question(board, at.reshape(5, 8, -1, 3), present=present.reshape(5, 8, -1), by=by)
    np.testing.assert_array_equal(nested.reshape(whole.shape), whole)
    # one state with many masks, and the other way round
    masks = question(board, at[0], present=present, by=by)
    np.testing.assert_array_equal(masks[7], question(board, at[0], present=present[7], by=by))
    np.testing.assert_array_equal(
        question(board, at, present=present[3], by=by)[9], question(board, at[9], present=present[3], by=by)
    )


@each
@each_by
def test_small_chunks_give_the_same(question: Question, by: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    board, at, present = a_case()
    whole = question(board, at, present=present, by=by)
    for name in ("measuring", "engaged"):
        module = importlib.import_module(f"ninthgeom.skirmish.{name}")
        monkeypatch.setattr(module, "SCRATCH", 3 * 4000)
    np.testing.assert_array_equal(question(board, at, present=present, by=by), whole)


@each
def test_a_choice_is_part_of_all(question: Question) -> None:
    board, at, present = a_case()
    for by, which in (("model", [3, 0, 3]), ("group", [2, 0])):
        whole = question(board, at, present=present, by=by)
        np.testing.assert_array_equal(
            question(board, at, present=present, by=by, observers=which), whole[:, which]
        )
        if question is not QUESTIONS["distances_to"]:
            np.testing.assert_array_equal(
                question(board, at, present=present, by=by, targets=which), whole[..., which]
            )


@each
@each_by
def test_nobody_is_empty(question: Question, by: str) -> None:
    board, at, _ = a_case(3)
    n = len(board) if by == "model" else 4
    assert question(board, at, by=by, observers=[]).shape[:2] == (3, 0)
    assert question(board, at[:0], by=by).shape[:2] == (0, n)
    nobody = question(Board([]), np.zeros((3, 0, 3)), by=by)
    assert nobody.shape[:2] == (3, 0)


# ---------------------------------------------------------------------------------- who is absent


@each_by
def test_absent_models_and_groups(by: Any) -> None:
    board, at, _ = a_case(1)
    present = np.ones(len(board), np.bool_)
    present[board.group == 1] = False
    bad = at.copy()
    bad[:, ~present] = np.nan
    rest = Board([unit for unit, here in zip(board.units, present, strict=True) if here])
    keys = np.flatnonzero(present) if by == "model" else np.array([0, 2, 3])
    if by == "group":
        labels = {int(board.group[i]): u.group for i, u in enumerate(board.units)}
        there = np.array(board_groups(rest, [str(labels[int(k)]) for k in keys]))
    else:
        there = np.arange(len(rest))
    for name, nothing in (
        ("distances", np.inf),
        ("within", False),
        ("wholly_within", False),
        ("engaged", False),
    ):
        question = QUESTIONS[name]
        found = question(board, bad, present=present, by=by)
        absent = np.setdiff1d(np.arange(found.shape[-1]), keys)
        assert (found[:, absent] == nothing).all()
        assert (found[..., absent] == nothing).all()
        alone = question(rest, at[:, present], by=by)
        np.testing.assert_array_equal(
            found[0][np.ix_(keys, keys)], alone[0][np.ix_(there, there)], err_msg=name
        )
    tokens = distances_to(board, bad, Bases.point([20.0], 20.0), present=present, by=by)
    assert (tokens[:, absent] == np.inf).all()
    assert np.isfinite(tokens[:, keys]).all()


def test_infinite_distances_reach_all_who_are_there() -> None:
    board, at, present = a_case(4)
    for question in (within, wholly_within):
        found = question(board, at, np.inf, present=present)
        both = present[:, :, None] & present[:, None]
        np.testing.assert_array_equal(found, both & ~np.eye(len(board), dtype=bool))


# ---------------------------------------------------------------------------------- distances for each pair


@pytest.mark.parametrize("question", [within, wholly_within])
@each_by
def test_distances_of_any_shape(question: Any, by: Any) -> None:
    board, at, present = a_case(6)
    n = len(board) if by == "model" else 4
    rng = np.random.default_rng(6)
    for shape in ((), (1,), (n,), (n, 1), (n, n), (6, 1, 1), (6, n, n), (2, 6, 1, n), (1, 1, 1)):
        limits = rng.uniform(0, 6, shape)
        found = question(board, at, limits, present=present, by=by)
        full = np.broadcast_to(limits, np.broadcast_shapes(shape, (6, n, n)))
        assert found.shape == full.shape
        for index in np.ndindex(full.shape[:-2]):
            for i, j in ((0, 1), (n - 1, 0), (1, 2)):
                one = question(board, at[index[-1]], full[(*index, i, j)], present=present[index[-1]], by=by)
                assert found[(*index, i, j)] == one[i, j]


@pytest.mark.parametrize("question", [within, wholly_within])
def test_distances_that_do_not_fit(question: Any) -> None:
    board, at, _ = a_case(6)
    n = len(board)
    for shape in ((n + 1,), (n + 1, 1), (2, n), (3, n, n)):
        with pytest.raises(ValueError, match=r"distance.*broadcast") as caught:
            question(board, at, np.ones(shape))
        assert str(shape[: len(shape) - 2] if len(shape) > 2 else shape) in str(caught.value)
    with pytest.raises(ValueError, match=r"distance"):
        question(board, at, np.ones((2, 1)), observers=[0])
    for wrong, pattern in ((-1.0, "distance must not be negative"), (np.nan, "distance must be a number")):
        with pytest.raises(ValueError, match=pattern):
            question(board, at, wrong)
    with pytest.raises(TypeError, match="distance must hold real numbers"):
        question(board, at, "far")


# ---------------------------------------------------------------------------------- errors


@each
def test_what_cannot_be_asked(question: Question) -> None:
    board, at, _ = a_case(1)
    ranked = Board([Unit("spears", (20, 20), models=5)])
    with pytest.raises(ValueError, match=r"board.units\[0\]: 'spears' has 5 slots"):
        question(ranked, np.zeros((1, 3)))
    with pytest.raises(ValueError, match=re.escape("by: must be one of 'model', 'group', got 'unit'")):
        question(board, at, by="unit")
    with pytest.raises(TypeError, match="by: must be a text"):
        question(board, at, by=1)
    with pytest.raises(ValueError, match=r"observers: .*'m99'"):
        question(board, at, observers=["m99"])
    with pytest.raises(ValueError, match=r"observers\[1\]: no group has the label 'g9'"):
        question(board, at, by="group", observers=["g1", "g9"])
    with pytest.raises(ValueError, match=r"observers\[0\]: must be from 0 to 3, got 4"):
        question(board, at, by="group", observers=[4])
    with pytest.raises(TypeError, match="observers must be a sequence of groups"):
        question(board, at, by="group", observers="g1")
    with pytest.raises(TypeError, match="board must be Board"):
        question(None, at)
    wrong = at.copy()
    wrong[0, 2, 1] = np.nan
    with pytest.raises(ValueError, match=r"positions\[0\]\[2\]\[1\]: y must be finite, got nan"):
        question(board, wrong)
    with pytest.raises(ValueError, match="tol must not be negative"):
        question(board, at, tol=-1.0)
    with pytest.raises(ValueError, match="workers must be"):
        question(board, at, workers=0)


@each
def test_what_groups_are_called(question: Question) -> None:
    """Whole numbers are those of `Board.group`, even where they are labels; no name means two groups."""
    units = [
        Unit("a", 32, shape="round", group=1),
        Unit("b", 32, shape="round", side=1, group=7),
        Unit("c", 32, shape="round", side=1, group="7"),
        Unit("d", 32, shape="round", group="twice"),
        Unit("twice", 32, shape="round", side=1),
        Unit("e", 32, shape="round"),
    ]
    board, at = Board(units), np.array(in_a_row(*range(10, 22, 2)))
    every = question(board, at, by="group")
    for name, number in (("7", 2), ("e", 5), (1, 1), (np.int64(0), 0)):
        same(question(board, at, by="group", observers=[name]), every[[number]])
    same(question(board, at, by="group", observers=np.array(["e", "7"])), every[[5, 2]])
    with pytest.raises(ValueError, match=r"observers\[0\]: must be from 0 to 5, got 7; .* not labels"):
        question(board, at, by="group", observers=[7])
    with pytest.raises(ValueError, match=r"observers\[1\]: 'twice' is .*; give a number, 3 or 4"):
        question(board, at, by="group", observers=["e", "twice"])
    for wrong in (True, 1.0, None):
        with pytest.raises(TypeError, match=r"observers\[1\]: must be a number or a label"):
            question(board, at, by="group", observers=[0, wrong])


def test_tokens_that_cannot_be_measured_to() -> None:
    board, at, _ = a_case(3)
    with pytest.raises(TypeError, match="tokens must be Bases, got list"):
        distances_to(board, at, [])  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="tokens: must have an axis of tokens"):
        distances_to(board, at, Bases.point(1.0, 1.0))
    with pytest.raises(ValueError, match=r"\(2,\) of tokens do not broadcast"):
        distances_to(board, at, Bases.point(np.zeros((2, 5)), 1.0))
    assert distances_to(board, at, Bases.point([], 1.0)).shape == (3, len(board), 0)
    assert distances_to(board, at, Bases.point(np.zeros((3, 0)), 1.0)).shape == (3, len(board), 0)
    assert distances_to(board, at[0], Bases.point(np.zeros((2, 1, 5)), 1.0)).shape == (2, 1, len(board), 5)
