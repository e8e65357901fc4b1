"""Laws of sight on boards: what changes nothing, what only hides and what only reveals.

The boards are those of test_sight_against_reference.py. Where an answer may hang on a hair and does change,
the slow computation is asked whether it is one of those.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ninthgeom import Attached, Board, Terrain, Unit, line_of_sight, t9a
from tests.reference.sight_generators import battle_lines, files, mixed_sources, scattered
from tests.reference.sight_scenes import bases_of
from tests.rules.test_sight_against_reference import (
    Case,
    answers,
    arguments,
    case_states,
    is_asked,
    random_case,
)

N_BOARDS = 15


@pytest.fixture(scope="module")
def cases() -> list[Case]:
    return [random_case(np.random.default_rng([7, board])) for board in range(N_BOARDS)]


@pytest.fixture(scope="module")
def before(cases: list[Case]) -> list[dict[str, Any]]:
    return [answers(case) for case in cases]


def assert_same(case: Case, one: dict[str, Any], other: dict[str, Any]) -> None:
    """Equal, but for answers that hang on a hair and questions that nobody asks."""
    for question, answer in one.items():
        for s, i, j in np.argwhere(answer != other[question]):
            if is_asked(case, question, i, j):
                state = case_states(case)[s]
                robust = state.robust(question, *arguments(case, s, question, i, j))
                assert robust is None, (question, s, i, j, robust)


def only(case: Case, smaller: dict[str, Any], larger: dict[str, Any]) -> None:
    """Whatever is seen in the first is seen in the second, but for what hangs on a hair in the first."""
    for question, answer in smaller.items():
        for s, i, j in np.argwhere(answer & ~larger[question]):
            if is_asked(case, question, i, j):
                state = case_states(case)[s]
                robust = state.robust(question, *arguments(case, s, question, i, j))
                assert robust is None, (question, s, i, j)


# --- what changes nothing -------------------------------------------------------------------------


def moved(case: Case, angle: float, shift: tuple[float, float], *, mirror: bool = False) -> Case:
    """Everything mirrored at the y axis if asked for, turned about the origin, then shifted."""
    cos, sin = math.cos(angle), math.sin(angle)
    matrix = np.array([[cos, -sin], [sin, cos]]) @ np.diag([-1.0 if mirror else 1.0, 1.0])

    def carried(points: Any) -> Any:
        return np.asarray(points) @ matrix.T + shift

    heading = case.positions[..., 2]
    heading = (math.pi - heading if mirror else heading) + angle
    positions = np.concatenate([carried(case.positions[..., :2]), heading[..., None]], -1)
    units = [mirrored_unit(unit) if mirror else unit for unit in case.board.units]
    terrain = [
        Terrain(carried(t.outline), kind=t.kind, opaque=t.opaque, height=t.height) for t in case.board.terrain
    ]
    return replace(case, board=Board(units, terrain), positions=positions, points=carried(case.points))


@pytest.mark.parametrize(
    ("angle", "shift"), [(math.pi / 2, (0.0, 0.0)), (1.234, (-300.0, 800.0)), (-2.5, (9e4, -5e4))]
)
def test_turning_and_moving_a_scene(cases, before, angle, shift):
    for case, answer in zip(cases, before, strict=True):
        assert_same(case, answer, answers(moved(case, angle, shift)))


def mirrored_unit(unit: Unit) -> Unit:
    """The unit with right and left exchanged; slots come in another order."""
    if unit.shape != "rect":
        return unit
    attached, free = [], ["right", "left"]
    for character in unit.attached:
        wide = round(character.base_mm[0] / unit.base_mm[0])
        if isinstance(character.place, tuple):
            place: Any = (character.place[0], unit.files - wide - character.place[1])
        else:  # those of `random_unit` without a place do not match, and take the right side first
            place = {"right": "left", "left": "right"}[free.pop(0)]
        attached.append(
            Attached(
                character.name,
                character.base_mm,
                height=character.height,
                tall=character.tall,
                place=place,
            )
        )
    n_ranked = unit.n_slots - len(unit.attached)
    return Unit(
        unit.name,
        unit.base_mm,
        models=n_ranked,  # which of them live a mask tells
        files=unit.files,
        height=unit.height,
        tall=unit.tall,
        attached=attached,
        formation=unit.formation,
    )


def test_mirroring_a_scene(cases, before):
    for case, answer in zip(cases, before, strict=True):
        image = moved(case, 0.4, (3.0, -8.0), mirror=True)
        there = carried_centres(case)
        bases = image.board.bases(image.positions[0])[0]
        apart = np.hypot(there[:, 0] - bases.x[:, None], there[:, 1] - bases.y[:, None])
        slot = apart.argmin(axis=1)
        assert sorted(slot.tolist()) == list(range(case.board.n_models))
        assert apart.min(axis=1).max() < 1e-9
        living = np.broadcast_to(
            case.board.occupied if case.occupied is None else case.occupied,
            (len(case.positions), case.board.n_models),
        )
        image.occupied = living[:, slot]
        found = answers(image)
        back = np.argsort(slot)
        found["model_sees_unit"] = found["model_sees_unit"][:, back]
        found["model_sees_model"] = found["model_sees_model"][:, back][:, :, back]
        assert_same(case, answer, found)


def carried_centres(case: Case) -> Any:
    """Where the image of every slot of the first state lies, as `test_mirroring_a_scene` moves it."""
    bases = case.board.bases(case.positions[0])[0]
    cos, sin = math.cos(0.4), math.sin(0.4)
    x, y = -bases.x, bases.y
    return np.column_stack([cos * x - sin * y + 3.0, sin * x + cos * y - 8.0])


def test_states_one_by_one(cases, before):
    for case, answer in zip(cases, before, strict=True):
        for s in range(len(case.positions)):
            masks = {
                name: value if name == "rules" or value is None else value[s]
                for name, value in case.masks.items()
            }
            one = case.board, case.positions[s]
            np.testing.assert_array_equal(t9a.line_of_sight(*one, **masks), answer["unit_sees_unit"][s])
            np.testing.assert_array_equal(
                t9a.sees_points(*one, case.points[s], **masks), answer["unit_sees_point"][s]
            )
            np.testing.assert_array_equal(
                t9a.seen_from_points(*one, case.points[s], **masks), answer["point_sees_unit"][s]
            )
            rows = t9a.models_see(*one, **masks)
            assert rows.state.tolist() == [0] * len(rows)
            np.testing.assert_array_equal(
                np.argwhere(answer["model_sees_unit"][s]),
                sorted(zip(rows.model.tolist(), rows.target.tolist(), strict=True)) or np.empty((0, 2)),
            )


def test_leading_axes_workers_and_broadcast_masks(cases, before):
    for case, answer in zip(cases, before, strict=True):
        twice = [np.stack([array, array]) for array in (case.positions, case.points)]
        masks = {**case.masks, "workers": 2}
        everyone = case.board, twice[0]
        n = len(case.positions)
        for found, question in (
            (t9a.line_of_sight(*everyone, **masks), "unit_sees_unit"),
            (t9a.sees_points(*everyone, twice[1], **masks), "unit_sees_point"),
            (t9a.seen_from_points(*everyone, twice[1], **masks), "point_sees_unit"),
        ):
            assert found.shape[:2] == (2, n)
            np.testing.assert_array_equal(found[0], answer[question])
            np.testing.assert_array_equal(found[1], answer[question])
        rows = t9a.models_see(*everyone, **masks)
        expected = np.argwhere(np.concatenate([answer["model_sees_unit"]] * 2))
        found_rows = np.column_stack([rows.state, rows.model, rows.target])
        np.testing.assert_array_equal(found_rows[np.lexsort(found_rows.T[::-1])], expected)


def test_masks_of_many_states_for_one_position_and_the_other_way_round(cases):
    for case in cases[:8]:
        n = len(case.positions)
        living = np.broadcast_to(case.board.occupied, (n, case.board.n_models))
        occupied = living if case.occupied is None else case.occupied
        present = np.ones(len(case.board), bool) if case.present is None else case.present[0]
        one_for_all = {"occupied": occupied, "present": present, "rules": case.rules}
        spread = {"occupied": occupied, "present": np.stack([present] * n), "rules": case.rules}
        one, all_of_them = case.positions[0], np.stack([case.positions[0]] * n)
        points = case.points[0]
        np.testing.assert_array_equal(
            t9a.line_of_sight(case.board, one, **one_for_all),
            t9a.line_of_sight(case.board, all_of_them, **spread),
        )
        for question in (t9a.sees_points, t9a.seen_from_points):
            np.testing.assert_array_equal(
                question(case.board, one, points, **one_for_all),
                question(case.board, all_of_them, points, **spread),
            )
        rows = t9a.models_see(case.board, one, **one_for_all)
        expected = t9a.models_see(case.board, all_of_them, **spread)
        assert rows.state.tolist() == expected.state.tolist()
        assert rows.model.tolist() == expected.model.tolist()
        assert rows.target.tolist() == expected.target.tolist()


def test_small_chunks(cases, before, monkeypatch):
    monkeypatch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 1)
    for case, answer in zip(cases[:8], before[:8], strict=True):
        for question, found in answers(case).items():
            np.testing.assert_array_equal(found, answer[question])


def test_absent_units_may_be_nowhere(cases, before):
    for case, answer in zip(cases, before, strict=True):
        if case.present is None:
            continue
        positions = np.where(case.present[..., None], case.positions, np.nan)
        for question, found in answers(replace(case, positions=positions)).items():
            np.testing.assert_array_equal(found, answer[question])


def test_evaluate_answers_the_same(cases, before):
    for case, answer in zip(cases, before, strict=True):
        found = t9a.evaluate(case.board, case.positions, questions=("sight",), **case.masks)
        np.testing.assert_array_equal(found.sight, answer["unit_sees_unit"])


def test_nothing_asked():
    board = Board([Unit("a", (20, 20), models=10), Unit("b", 60, shape="round")])
    positions, none = np.zeros((4, 2, 3)), np.empty((0, 2))
    assert t9a.line_of_sight(board, positions, observers=[]).shape == (4, 0, 2)
    assert t9a.sees_points(board, positions, none).shape == (4, 2, 0)
    assert t9a.seen_from_points(board, positions, none).shape == (4, 0, 2)
    assert t9a.sees_points(board, positions[:0], [[1, 2]]).shape == (0, 2, 1)
    assert len(t9a.models_see(board, positions, shooters=[])) == 0
    assert len(t9a.models_see(board, positions, target_models=[])) == 0
    assert len(t9a.models_see(board, positions[:0])) == 0
    empty = Board([])
    assert t9a.sees_points(empty, np.empty((3, 0, 3)), [[1, 2]]).shape == (3, 0, 1)
    assert len(t9a.models_see(empty, np.empty((3, 0, 3)))) == 0


def test_points_shared_by_all_states(cases):
    for case in cases:
        shared = case.points[0]
        for question in (t9a.sees_points, t9a.seen_from_points):
            np.testing.assert_array_equal(
                question(case.board, case.positions, shared, **case.masks),
                question(case.board, case.positions, np.stack([shared] * len(case.positions)), **case.masks),
            )


def test_order_of_units_and_terrain(cases, before):
    rng = np.random.default_rng(3)
    for case, answer in zip(cases, before, strict=True):
        order = rng.permutation(len(case.board))
        slots = np.concatenate([np.arange(case.board.n_models)[case.board.model_slices[u]] for u in order])
        other = replace(
            case,
            board=Board(
                [case.board.units[u] for u in order],
                [case.board.terrain[t] for t in rng.permutation(len(case.board.terrain))],
            ),
            positions=case.positions[:, order],
            present=None if case.present is None else case.present[:, order],
            occupied=None if case.occupied is None else case.occupied[:, slots],
        )
        found = answers(other)
        back = {
            "unit_sees_unit": put(found["unit_sees_unit"], order, order),
            "model_sees_unit": put(found["model_sees_unit"], slots, order),
            "model_sees_model": put(found["model_sees_model"], slots, slots),
            "unit_sees_point": put(found["unit_sees_point"], order, None),
            "point_sees_unit": put(found["point_sees_unit"], None, order),
        }
        assert_same(case, answer, back)


def put(answer: Any, rows: Any, columns: Any) -> Any:
    """Answers of units or slots in another order back in the order they had."""
    if rows is not None:
        answer = answer[:, np.argsort(rows)]
    return answer if columns is None else answer[:, :, np.argsort(columns)]


def test_chosen_observers_and_targets(cases, before):
    rng = np.random.default_rng(4)
    for case, answer in zip(cases, before, strict=True):
        n, m = len(case.board), case.board.n_models
        observers, targets = rng.permutation(n)[:2], rng.permutation(n)[:3]
        everyone = case.board, case.positions
        np.testing.assert_array_equal(
            t9a.line_of_sight(*everyone, observers=observers, targets=targets, **case.masks),
            answer["unit_sees_unit"][:, observers[:, None], targets],
        )
        np.testing.assert_array_equal(
            t9a.sees_points(*everyone, case.points, observers=observers, **case.masks),
            answer["unit_sees_point"][:, observers],
        )
        np.testing.assert_array_equal(
            t9a.seen_from_points(*everyone, case.points, targets=targets, **case.masks),
            answer["point_sees_unit"][:, :, targets],
        )
        shooters, aims = np.sort(rng.permutation(m)[:4]), np.sort(rng.permutation(m)[:5])
        for chosen, question, columns in (
            ({"targets": np.sort(targets)}, "model_sees_unit", np.sort(targets)),
            ({"target_models": aims}, "model_sees_model", aims),
        ):
            rows = t9a.models_see(*everyone, shooters=shooters, **chosen, **case.masks)
            wanted = np.zeros_like(answer[question])
            part = np.ix_(range(len(wanted)), shooters, columns)
            wanted[part] = answer[question][part]
            found = np.column_stack([rows.state, rows.model, rows.target])
            np.testing.assert_array_equal(found[np.lexsort(found.T[::-1])], np.argwhere(wanted))


def test_a_shooting_unit_is_all_its_models(cases):
    for case in cases:
        names = case.board.names[:2]
        slots = np.flatnonzero(case.board.model_unit < 2)
        by_name = t9a.models_see(case.board, case.positions, shooters=names, **case.masks)
        by_slot = t9a.models_see(case.board, case.positions, shooters=slots, **case.masks)
        for column in ("state", "model", "target"):
            assert getattr(by_name, column).tolist() == getattr(by_slot, column).tolist()


# --- questions about each other -------------------------------------------------------------------


def test_a_unit_sees_what_one_of_its_models_sees(cases, before):
    for case, answer in zip(cases, before, strict=True):
        by_unit = [answer["model_sees_unit"][:, models].any(axis=1) for models in case.board.model_slices]
        by_unit = np.stack(by_unit, axis=1)
        n = np.arange(len(case.board))
        by_unit[:, n, n] = False
        assert_same(case, {"unit_sees_unit": answer["unit_sees_unit"]}, {"unit_sees_unit": by_unit})


def test_who_sees_a_model_sees_its_unit(cases, before):
    for case, answer in zip(cases, before, strict=True):
        models, units = answer["model_sees_model"], answer["model_sees_unit"]
        for u, slots in enumerate(case.board.model_slices):
            # What a model that is lower than its boundary is seen past, the boundary is seen past too.
            assert not (models[:, :, slots].any(axis=2) & ~units[:, :, u]).any()


def test_between_round_units_and_points_sight_is_mutual(cases):
    for case in cases:
        terrain = [t for t in case.board.terrain if t.kind != "hill"]  # only models can be elevated
        level = replace(case, board=Board(case.board.units, terrain))
        found = answers(level)
        mutual = {
            "unit_sees_point": found["unit_sees_point"].copy(),
            "unit_sees_unit": found["unit_sees_unit"].copy(),
        }
        for u, unit in enumerate(level.board.units):
            if unit.shape != "rect":
                mutual["unit_sees_point"][:, u] = found["point_sees_unit"][:, :, u]
                for other, another in enumerate(level.board.units):
                    if another.shape != "rect":
                        mutual["unit_sees_unit"][:, u, other] = found["unit_sees_unit"][:, other, u]
        assert_same(level, {question: found[question] for question in mutual}, mutual)


# --- what only hides, and what only reveals -------------------------------------------------------

LAXER: dict[str, Callable[[Any], tuple[Any, Any]]] = {
    name: lambda rules, name=name, values=values: tuple(replace(rules, **{name: v}) for v in values)
    for name, values in {
        "los_height_op": (">=", ">"),
        "touching": ("blocked", "clear"),
        "boundary_blocks": (True, False),
        "opaque_exempt": ("inside", "touch"),
        "skirmish_blocks": (True, False),
        "tall_exempt": (False, True),
    }.items()
}


@pytest.mark.parametrize("name", LAXER)
def test_laxer_rules_only_reveal(cases, name):
    gained = 0
    for case in cases:
        strict, lax = (answers(replace(case, rules=rules)) for rules in LAXER[name](case.rules))
        for question, answer in strict.items():
            asked = np.ones(answer.shape[1:], bool)
            for i, j in np.ndindex(asked.shape):
                asked[i, j] = is_asked(case, question, i, j)
            assert not (answer & ~lax[question] & asked).any(), question
            gained += (lax[question] & ~answer).sum()
    assert gained or name in ("touching", "opaque_exempt")  # those only matter where things are flush


def test_leaving_the_table_only_reveals(cases, before):
    for case, answer in zip(cases[:8], before[:8], strict=True):
        present = (
            np.ones((len(case.positions), len(case.board)), bool) if case.present is None else case.present
        )
        for u in range(len(case.board)):
            fewer = present.copy()
            fewer[:, u] = False
            found = answers(replace(case, present=fewer))
            others = np.arange(len(case.board)) != u
            models = case.board.model_unit != u
            for question, keep in (
                ("unit_sees_unit", np.ix_(range(len(present)), others, others)),
                ("model_sees_unit", np.ix_(range(len(present)), models, others)),
                ("model_sees_model", np.ix_(range(len(present)), models, models)),
                ("unit_sees_point", np.ix_(range(len(present)), others, range(case.points.shape[1]))),
                ("point_sees_unit", np.ix_(range(len(present)), range(case.points.shape[1]), others)),
            ):
                assert not (answer[question][keep] & ~found[question][keep]).any(), question


def with_terrain(case: Case, *pieces: Terrain) -> Case:
    return replace(case, board=Board(case.board.units, [*case.board.terrain, *pieces]))


def test_more_terrain_only_hides_and_smaller_terrain_only_reveals(cases, before):
    for i, (case, answer) in enumerate(zip(cases, before, strict=True)):
        rng = np.random.default_rng([5, i])
        at = rng.uniform(22, 32, 2)
        corners = np.array([[-2, -1], [2, -1], [2, 1], [-2, 1]]) @ np.array([[0.8, 0.6], [-0.6, 0.8]])
        whole = with_terrain(case, Terrain(corners + at, kind="impassable"))
        large = answers(whole)
        smaller = with_terrain(case, Terrain(0.6 * corners + at, kind="impassable"))
        small = answers(smaller)
        only(whole, large, small)
        only(smaller, small, answer)
        halves = [Terrain(half + at, kind="impassable") for half in halved(corners)]
        assert_same(whole, large, answers(with_terrain(case, *halves)))


def halved(corners: Any) -> list[Any]:
    """Two quadrilaterals in contact along an oblique line."""
    low, high = 0.7 * corners[0] + 0.3 * corners[1], 0.4 * corners[3] + 0.6 * corners[2]
    return [np.array([corners[0], low, high, corners[3]]), np.array([low, corners[1], corners[2], high])]


def test_a_hill_in_two_halves_is_not_one_hill(cases):
    """A unit on one half does not stand in the other: splitting may hide, and never reveals."""
    for i, original in enumerate(cases[:8]):
        # Nor is it elevated where that takes the whole base, neither as an observer nor as a blocker.
        case = replace(original, rules=replace(original.rules, elevated="centre"))
        rng = np.random.default_rng([6, i])
        at = case.positions[0, rng.integers(len(case.board)), :2]
        corners = np.array([[-3.0, -2.0], [3.0, -2.0], [3.0, 2.0], [-3.0, 2.0]])
        whole = answers(with_terrain(case, Terrain(corners + at, kind="hill")))
        in_two = with_terrain(case, *(Terrain(half + at, kind="hill") for half in halved(corners)))
        only(in_two, answers(in_two), whole)


# --- the geometry below ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make", [battle_lines, files, lambda rng, n: scattered(rng, n, mixed_sources(rng, n))]
)
def test_bases_cut_in_half_anywhere_block_as_the_whole(make):
    """Cut along a random part of the depth, where `tests/public` cuts in the middle."""
    rng = np.random.default_rng(8)
    pairs = make(rng, 3000)
    blockers = pairs.blockers.copy()
    share = rng.uniform(0.1, 0.9, blockers.shape[:2])
    rectangular = (blockers[..., 5] == 0) & (blockers[..., 4] > 0)
    share = np.where(rectangular, share, 0.5)
    heading, depth = blockers[..., 2], blockers[..., 4]
    ahead = np.stack([np.cos(heading), np.sin(heading)], -1)
    front, rear = blockers.copy(), blockers.copy()
    front[..., 4], rear[..., 4] = share * depth, (1 - share) * depth
    front[..., :2] += ((1 - share) * depth / 2)[..., None] * ahead
    rear[..., :2] -= (share * depth / 2)[..., None] * ahead
    cut = np.where(rectangular[..., None], front, blockers), np.where(rectangular[..., None], rear, blockers)
    sources, targets = bases_of(pairs.sources), bases_of(pairs.targets)
    whole = line_of_sight(sources, targets, bases_of(blockers), blocks=pairs.blocks)
    halves = line_of_sight(
        sources,
        targets,
        [bases_of(half) for half in cut],
        blocks=np.concatenate([pairs.blocks, pairs.blocks], axis=-1),
    )
    differ = np.flatnonzero(whole != halves)
    grown, shrunk = (
        line_of_sight(sources, targets, bases_of(resized(blockers, by)), blocks=pairs.blocks)
        for by in (1e-5, -1e-5)
    )
    assert not (grown == shrunk)[differ].any(), differ
    assert 0.05 < whole.mean() < 0.95


def resized(columns: Any, by: float) -> Any:
    """Bases grown on all sides."""
    result = columns.copy()
    result[..., 3:5] = np.maximum(result[..., 3:5] + 2 * by, 0.0)
    result[..., 5] = np.where(result[..., 5] > 0, np.maximum(result[..., 5] + by, 0.0), 0.0)
    return result


def test_all_models_of_a_battle_line_hide_what_is_behind():
    rng = np.random.default_rng(9)
    for _ in range(20):
        angle = rng.uniform(0, 2 * math.pi)
        row = [Unit(f"w{i}", (100, 40), models=5, files=5) for i in range(6)]
        board = Board([Unit("a", (20, 20)), Unit("b", (40, 40)), *row])
        c, s = math.cos(angle), math.sin(angle)
        local = [(0, 0), (rng.uniform(-3, 3), 6.0)]
        width = 500 / 25.4
        local += [((i - 2.5) * width, 3.0) for i in range(6)]
        positions = [[c * x - s * y, s * x + c * y, angle + math.pi / 2] for x, y in local]
        assert not t9a.line_of_sight(board, positions, observers=["a"], targets=["b"])[0, 0]
        assert not t9a.line_of_sight(
            board, positions, observers=["a"], targets=["b"], rules=t9a.SECOND_EDITION
        )[0, 0]
