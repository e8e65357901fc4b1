"""Duels: what may be built, how they go on from round to round, and how they are written out for a board."""

from __future__ import annotations

import copy
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ninthgeom import Board, Unit
from ninthgeom.t9a import Duels, advance
from ninthgeom.t9a._duelling import pairs_of
from ninthgeom.t9a._sides import opposing

COLUMNS = ("first", "second", "state", "combat", "removed", "active")


@pytest.fixture
def duels() -> Duels:
    return Duels([2, 7, 9], [17, 21, 30], state=[0, 0, 1], combat=[0, 1, 0])


# ------------------------------------------------------------------------------------------ building


def test_columns(duels):
    assert len(duels) == 3
    assert duels.first.tolist() == [2, 7, 9]
    assert duels.second.tolist() == [17, 21, 30]
    assert duels.state.tolist() == [0, 0, 1]
    assert duels.combat.tolist() == [0, 1, 0]
    assert duels.removed.tolist() == [[False, False]] * 3
    assert duels.active.tolist() == [True] * 3
    kinds = [getattr(duels, name).dtype.kind for name in COLUMNS]
    assert kinds == ["i", "i", "i", "i", "b", "b"]


def test_defaults():
    duels = Duels(np.array([2, 7], np.uint8), (17, 21), removed=[[True, False]])
    assert duels.state is None
    assert duels.combat.tolist() == [0, 1]
    assert duels.removed.tolist() == [[True, False], [True, False]]
    assert duels.first.dtype == np.intp


def test_no_duels():
    for duels in (
        Duels([], []),
        Duels(np.empty(0, int), [], state=[], combat=[], removed=np.empty((0, 2), bool)),
    ):
        assert len(duels) == 0
        assert duels.removed.shape == (0, 2)
        assert len(duels.advance(removed=True, broke=True, combat_ended=True)) == 0
        assert len(duels.remove(True)) == 0
        assert duels.issue([1], [2], state=[3]).state.tolist() == [3]
        assert duels.issue([1], [2]).first.tolist() == [1]


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"first": 3}, ValueError, r"first: must have one axis, got shape \(\)"),
        ({"first": [[1, 2]]}, ValueError, r"first: must have one axis, got shape \(1, 2\)"),
        ({"first": [1.0, 2.0]}, TypeError, "first: must hold integers, got dtype float64"),
        ({"second": [True, False]}, TypeError, "second: must hold integers, got dtype bool"),
        ({"second": [4]}, ValueError, "second: must have length 2, got 1"),
        ({"state": [0]}, ValueError, "state: must have length 2, got 1"),
        ({"combat": [0, 1, 2]}, ValueError, "combat: must have length 2, got 3"),
        ({"first": [1, -2]}, ValueError, r"first\[1\]: must be at least 0, got -2"),
        ({"second": [-1, 4]}, ValueError, r"second\[0\]: must be at least 0, got -1"),
        ({"state": [0, -7]}, ValueError, r"state\[1\]: must be at least 0, got -7"),
        ({"combat": [0, -7]}, ValueError, r"combat\[1\]: must be at least 0, got -7"),
        (
            {"first": np.array([1, 2**64 - 1], np.uint64)},
            ValueError,
            r"first\[1\]: must be from 0 to 9223372036854775807, got 18446744073709551615",
        ),
        (
            {"combat": np.array([2**63, 0], np.uint64)},
            ValueError,
            r"combat\[0\]: must be from 0 to 9223372036854775807, got 9223372036854775808",
        ),
        ({"removed": [True] * 3}, ValueError, r"removed: shape \(3,\) does not broadcast to \(2, 2\)"),
        ({"removed": 0}, TypeError, "removed must hold booleans, got dtype int64"),
        ({"second": [3, 2]}, ValueError, r"second\[1\]: slot 2 cannot fight a duel with itself"),
        ({"first": [1, 1]}, ValueError, r"first\[1\]: slot 1 fights an active duel already"),
        ({"second": [3, 3]}, ValueError, r"second\[1\]: slot 3 fights an active duel already"),
        ({"second": [3, 1]}, ValueError, r"second\[1\]: slot 1 fights an active duel already"),
        ({"first": [1, 3]}, ValueError, r"first\[1\]: slot 3 fights an active duel already"),
        (
            {"first": [1, 1], "state": [4, 4]},
            ValueError,
            r"first\[1\]: slot 1 fights an active duel already in state 4",
        ),
        ({"combat": [5, 5]}, ValueError, r"combat\[1\]: combat 5 has an active duel already"),
        (
            {"combat": [5, 5], "state": [2, 2]},
            ValueError,
            r"combat\[1\]: combat 5 has an active duel already in state 2",
        ),
    ],
)
def test_duels_that_cannot_be(arguments, error, message):
    with pytest.raises(error, match=message):
        Duels(**{"first": [1, 2], "second": [3, 4], **arguments})


def test_the_first_fault_is_named():
    with pytest.raises(ValueError, match=r"first\[1\]: slot 2"):
        Duels([2, 2, 2, 9], [3, 4, 5, 4])
    with pytest.raises(ValueError, match=r"second\[2\]: slot 9"):
        Duels([9, 2, 3, 3], [8, 4, 9, 5])


def test_one_model_and_one_label_may_turn_up_in_every_state():
    duels = Duels([1, 1, 1], [2, 2, 3], state=[5, 0, 2], combat=[4, 4, 4])
    assert duels.state.tolist() == [5, 0, 2]


# ----------------------------------------------------------------------------------------- container


def test_duels_are_read_only(duels):
    for name in COLUMNS:
        with pytest.raises(ValueError, match="read-only"):
            getattr(duels, name)[0] = getattr(duels, name)[1]
        with pytest.raises(AttributeError, match="read-only"):
            setattr(duels, name, None)
        with pytest.raises(AttributeError, match="read-only"):
            delattr(duels, name)
    with pytest.raises(AttributeError, match="read-only"):
        duels.winner = 3


def test_duels_keep_their_own_copies():
    first, removed = np.array([1, 2]), np.zeros((2, 2), np.bool_)
    duels = Duels(first, [3, 4], removed=removed)
    first[0], removed[0] = 9, True
    assert duels.first.tolist() == [1, 2]
    assert not duels.removed.any()
    assert first.flags.writeable


@pytest.mark.parametrize(
    "other",
    [
        lambda duels: duels.remove([[True, False], [False, False], [False, False]]),
        lambda duels: duels.advance(combat_ended=[True, False, False]),
        lambda duels: Duels(duels.first, duels.second, state=[0, 0, 2], combat=duels.combat),
        lambda duels: Duels(duels.first, duels.second, combat=[0, 1, 2]),
        lambda duels: Duels(duels.second, duels.first, state=duels.state, combat=duels.combat),
        lambda duels: duels[:2],
        lambda duels: (duels.first, duels.second),
    ],
)
def test_equality_compares_values(duels, other):
    assert duels == Duels([2, 7, 9], [17, 21, 30], state=[0, 0, 1], combat=[0, 1, 0])
    assert duels != other(duels)
    with pytest.raises(TypeError, match="unhashable"):
        hash(duels)


def test_pickles_and_copies_are_equal_and_read_only(duels):
    late = duels.remove([[True, False], [False, False], [False, False]]).advance(
        still_engaged=[True, False, True]
    )
    for known in (late, Duels([1], [2]), Duels([], [])):
        for again in (pickle.loads(pickle.dumps(known)), copy.copy(known), copy.deepcopy(known)):
            assert again == known
            assert not any(getattr(again, name).flags.writeable for name in COLUMNS if name != "state")


def test_repr(duels):
    assert repr(Duels([2], [17])) == "<Duels: 1, 1 active, first=[2], second=[17], combat=[0]>"
    assert repr(duels[:2].advance(broke=[[True, False], [False, False]])) == (
        "<Duels: 2, 1 active, first=[2, 7], second=[17, 21], state=[0, 0], combat=[0, 1]>"
    )
    many = Duels(np.arange(100), np.arange(100, 200))
    assert "first=[ 0,  1, ..., 98, 99]" in repr(many)


def test_masks_and_slices_choose_duels(duels):
    duels = duels.remove([[False, False], [True, False], [False, False]])
    for part in (duels[[False, True, True]], duels[1:], duels[np.array([False, True, True])]):
        assert part.first.tolist() == [7, 9]
        assert part.second.tolist() == [21, 30]
        assert part.state.tolist() == [0, 1]
        assert part.combat.tolist() == [1, 0]
        assert part.removed.tolist() == [[True, False], [False, False]]
    assert len(duels[np.zeros(3, bool)]) == 0
    assert Duels([1], [2])[[True]].state is None
    for wrong, error in (
        ([0, 1, 2], TypeError),
        (1, TypeError),
        ([True, False], ValueError),
        (True, ValueError),
    ):
        with pytest.raises(error, match="mask"):
            duels[wrong]
    with pytest.raises(TypeError, match="not iterable"):
        list(duels)


# -------------------------------------------------------------------------------------------- issuing


def test_more_duels_are_issued(duels):
    more = duels.issue([3, 4], [18, 19], state=[1, 2])
    assert more[:3] == duels
    assert more.first.tolist() == [2, 7, 9, 3, 4]
    assert more.second.tolist() == [17, 21, 30, 18, 19]
    assert more.state.tolist() == [0, 0, 1, 1, 2]
    assert more.combat.tolist() == [0, 1, 0, 2, 3]  # labels that none of them has
    assert more.active.all()
    assert duels.issue([], [], state=[]) == duels == duels.issue([], [])


def test_a_combat_has_one_duel_at_a_time(duels):
    with pytest.raises(ValueError, match=r"combat\[1\]: combat 1 has an active duel already in state 0"):
        duels.issue([3, 4], [18, 19], state=[1, 0], combat=[1, 1])
    ended = duels.advance(combat_ended=[False, True, False])
    assert ended.issue([3, 4], [18, 19], state=[1, 0], combat=[1, 1]).active.tolist() == [
        True,
        False,
        True,
        True,
        True,
    ]
    # Removed duellists fight on until the phase ends, and so does the duel.
    removed = duels.remove([[False, False], [True, True], [False, False]])
    with pytest.raises(ValueError, match=r"combat\[0\]: combat 1 has"):
        removed.issue([4], [19], state=[0], combat=[1])


def test_labels_of_combats_may_run_out():
    largest = 2**63 - 1
    duels = Duels([2], [17], combat=[largest - 1])
    assert duels.issue([3], [18]).combat.tolist() == [largest - 1, largest]
    with pytest.raises(ValueError, match=f"combat: must be given: .* numbers are left above {largest - 1}"):
        duels.issue([3, 4], [18, 19])
    full = Duels([2], [17], combat=np.array([largest], np.uint64))
    with pytest.raises(ValueError, match=f"combat: must be given: not enough .* above {largest}"):
        full.issue([3], [18])
    assert full.issue([3], [18], combat=[0]).combat.tolist() == [largest, 0]
    assert full.issue([], []) == full


def test_a_model_fights_one_duel_at_a_time(duels):
    with pytest.raises(ValueError, match=r"first\[1\]: slot 2 fights an active duel already in state 0"):
        duels.issue([3, 2], [18, 19], state=[0, 0])
    with pytest.raises(ValueError, match=r"second\[0\]: slot 9 fights an active duel already in state 1"):
        duels.issue([3], [9], state=[1])
    assert len(duels.issue([2], [9], state=[2])) == 4
    over = duels.advance(broke=[[True, False], [False, False], [False, False]])
    assert over.issue([2], [17], state=[0], combat=[0]).active.tolist() == [False, True, True, True]


def test_issued_duels_are_checked_as_others_are(duels):
    with pytest.raises(ValueError, match=r"first\[0\]: must be at least 0, got -1"):
        duels.issue([-1], [3], state=[0])
    with pytest.raises(ValueError, match=r"second\[1\]: slot 5 cannot fight a duel with itself"):
        duels.issue([4, 5], [3, 5], state=[0, 0])
    with pytest.raises(
        ValueError, match="state: must be given for all duels or for none; these belong to one"
    ):
        duels.issue([4], [3])
    with pytest.raises(
        ValueError, match="state: must be given for all duels or for none; these take place in all"
    ):
        Duels([1], [2]).issue([4], [3], state=[0])


# ------------------------------------------------------------------------------- removing, advancing


def marks(n: int, *places: tuple[int, int]) -> np.ndarray:
    mask = np.zeros((n, 2), np.bool_)
    for place in places:
        mask[place] = True
    return mask


def test_a_removed_duellist_is_marked_until_the_phase_ends(duels):
    removed = duels.remove(marks(3, (1, 0)))
    assert removed.removed.tolist() == [[False, False], [True, False], [False, False]]
    assert removed.active.all()
    assert not duels.removed.any()
    both = removed.remove(marks(3, (1, 1), (2, 0)))
    assert both.removed.tolist() == [[False, False], [True, True], [True, False]]
    after = both.advance()
    assert after.active.tolist() == [True, False, False]
    assert not after.removed.any()


@pytest.mark.parametrize(
    ("events", "active"),
    [
        ({}, [True, True, True]),
        ({"removed": marks(3, (1, 1))}, [True, False, True]),
        ({"broke": marks(3, (0, 0), (2, 1))}, [False, True, False]),
        ({"combat_ended": [False, False, True]}, [True, True, False]),
        ({"still_engaged": [False, True, True]}, [False, True, True]),
        ({"combat_ended": True}, [False] * 3),
        ({"still_engaged": False}, [False] * 3),
        ({"broke": [True, False]}, [False] * 3),
        ({"removed": marks(3, (0, 0)), "broke": marks(3, (0, 0)), "still_engaged": [False] * 3}, [False] * 3),
        ({"removed": [[False, False]], "combat_ended": np.zeros(3, bool)}, [True] * 3),
    ],
)
def test_what_ends_a_duel(duels, events, active):
    for after in (advance(duels, **events), duels.advance(**events)):
        assert after.active.tolist() == active
        for name in ("first", "second", "state", "combat"):
            assert np.array_equal(getattr(after, name), getattr(duels, name))
        assert not after.removed.any()


def test_what_is_over_stays_over(duels):
    over = duels.advance(still_engaged=[True, False, True])
    assert over.advance(still_engaged=True).active.tolist() == [True, False, True]
    assert over.advance(still_engaged=False).active.tolist() == [False, False, False]


@pytest.mark.parametrize(
    ("events", "message"),
    [
        ({"removed": marks(3, (1, 0))}, r"removed\[1\]: the duel of slots 7 and 21 is over already"),
        ({"broke": marks(3, (1, 1))}, r"broke\[1\]: the duel of slots 7 and 21 is over already"),
        ({"combat_ended": [False, True, False]}, r"combat_ended\[1\]: the duel of slots 7 and 21 is over"),
        ({"combat_ended": True}, r"combat_ended\[1\]: the duel of slots 7 and 21 is over"),
        ({"removed": marks(3, (2, 0), (0, 1))}, r"removed\[0\]\[1\]: slot 17 is removed already"),
    ],
)
def test_nothing_happens_twice(duels, events, message):
    late = duels.advance(still_engaged=[True, False, True]).remove(marks(3, (0, 1)))
    with pytest.raises(ValueError, match=message):
        advance(late, **events)
    if "removed" in events:
        with pytest.raises(ValueError, match=message):
            late.remove(events["removed"])


@pytest.mark.parametrize(
    ("events", "error", "message"),
    [
        ({"removed": [True] * 3}, ValueError, r"removed: shape \(3,\) does not broadcast to \(3, 2\)"),
        ({"broke": marks(2)}, ValueError, r"broke: shape \(2, 2\) does not broadcast to \(3, 2\)"),
        (
            {"combat_ended": [True, False]},
            ValueError,
            r"combat_ended: shape \(2,\) does not broadcast to \(3,\)",
        ),
        (
            {"still_engaged": marks(3)},
            ValueError,
            r"still_engaged: shape \(3, 2\) does not broadcast to \(3,\)",
        ),
        ({"removed": 1}, TypeError, "removed must hold booleans"),
        ({"still_engaged": [1, 0, 1]}, TypeError, "still_engaged must hold booleans"),
    ],
)
def test_events_that_do_not_fit(duels, events, error, message):
    with pytest.raises(error, match=message):
        advance(duels, **events)


def test_only_duels_advance():
    with pytest.raises(TypeError, match="duels must be Duels, got list"):
        advance([(1, 2)])


class Reference:
    """Duels one by one, as the rules tell of them: a slow twin of what is tested."""

    def __init__(self) -> None:
        self.duels: list[dict[str, Any]] = []

    def issue(self, first: int, second: int, state: int, combat: int) -> bool:
        for duel in self.duels:
            is_near = duel["combat"] == combat or {first, second} & {duel["first"], duel["second"]}
            if duel["state"] == state and duel["active"] and is_near:
                return False
        if first == second:
            return False
        own = {"first": first, "second": second, "state": state, "combat": combat}
        self.duels.append({**own, "active": True, "removed": [False, False]})
        return True

    def may_happen(self, events: np.ndarray, *, is_removal: bool) -> bool:
        for duel, mine in zip(self.duels, events.tolist(), strict=True):
            if any(mine) and not duel["active"]:
                return False
            if is_removal and any(now and before for now, before in zip(mine, duel["removed"], strict=True)):
                return False
        return True

    def remove(self, events: np.ndarray) -> None:
        for duel, mine in zip(self.duels, events.tolist(), strict=True):
            duel["removed"] = [now or before for now, before in zip(mine, duel["removed"], strict=True)]

    def advance(self, broke: np.ndarray, ended: np.ndarray, engaged: np.ndarray) -> None:
        for i, duel in enumerate(self.duels):
            someone_fell = duel["removed"][0] or duel["removed"][1]
            if someone_fell or broke[i, 0] or broke[i, 1] or ended[i] or not engaged[i]:
                duel["active"] = False
            duel["removed"] = [False, False]

    def columns(self) -> dict[str, list[Any]]:
        return {name: [duel[name] for duel in self.duels] for name in COLUMNS}


@settings(max_examples=150)
@given(st.data())
def test_walks_agree_with_a_reference(data):
    """Rounds in any order of issuing, removing and advancing, what may not happen among it."""
    duels, reference = Duels([], []), Reference()
    few = st.integers(0, 5)
    for _ in range(data.draw(st.integers(1, 12))):
        n = len(duels)
        rarely = st.integers(0, 9).map(lambda k: k == 0)

        def some(*shape: int, of: st.SearchStrategy[bool] = rarely) -> np.ndarray:
            size = math.prod(shape)
            return np.array(data.draw(st.lists(of, min_size=size, max_size=size)), bool).reshape(shape)

        step = data.draw(st.sampled_from(["issue", "issue", "remove", "advance"]))
        if step == "issue":
            first, second, state, combat = (data.draw(few) for _ in range(4))
            state %= 2
            allowed = reference.issue(first, second, state, combat)
            more = {"state": [state], "combat": [combat]}
            if allowed:
                duels = duels.issue([first], [second], **more)
            else:
                with pytest.raises(ValueError, match=r"\[0\]"):
                    duels.issue([first], [second], **more)
        elif step == "remove":
            removed = some(n, 2)
            if reference.may_happen(removed, is_removal=True):
                reference.remove(removed)
                duels = duels.remove(removed)
            else:
                with pytest.raises(ValueError, match="already"):
                    duels.remove(removed)
        else:
            removed, broke, ended = some(n, 2), some(n, 2), some(n)
            engaged = ~some(n)
            events = {"removed": removed, "broke": broke, "combat_ended": ended, "still_engaged": engaged}
            if (
                reference.may_happen(removed, is_removal=True)
                and reference.may_happen(broke, is_removal=False)
                and reference.may_happen(ended[:, None], is_removal=False)
            ):
                reference.remove(removed)
                reference.advance(broke, ended, engaged)
                duels = advance(duels, **events)
            else:
                with pytest.raises(ValueError, match="already"):
                    advance(duels, **events)
        expected = reference.columns()
        if not len(duels):
            expected["state"] = None
        found = {
            name: None if getattr(duels, name) is None else getattr(duels, name).tolist() for name in COLUMNS
        }
        assert found == expected


# -------------------------------------------------------------------------------------- on a board


def test_units_of_different_sides_oppose_each_other():
    board = Board([Unit(name, (20, 20), side=side) for name, side in (("a", 0), ("b", 1), ("c", 0))])
    assert opposing(board).tolist() == [[False, True, False], [True, False, True], [False, True, False]]
    assert opposing(board) is opposing(board)
    assert not opposing(board).flags.writeable


@pytest.mark.parametrize("side", [0, 7])
def test_where_no_sides_are_told_every_unit_opposes_every_other_one(side):
    board = Board([Unit(name, (20, 20), side=side) for name in "abc"])
    assert np.array_equal(opposing(board), ~np.eye(3, dtype=bool))


def test_few_units_oppose_nobody():
    assert opposing(Board([])).shape == (0, 0)
    assert opposing(Board([Unit("a", (20, 20))])).tolist() == [[False]]


@pytest.fixture
def board() -> Board:
    return Board([Unit("a", (20, 20), models=5), Unit("b", (20, 20), models=5, side=1)])


def test_active_duels_are_written_out_state_by_state(board):
    duels = Duels([0, 1, 2], [7, 6, 5], state=[2, 0, 2]).advance(combat_ended=[False, False, False])
    state, first, second, duel = pairs_of(duels, board, 3)
    assert state.tolist() == [0, 2, 2]
    assert first.tolist() == [1, 0, 2]
    assert second.tolist() == [6, 7, 5]
    assert duel.tolist() == [1, 0, 2]
    over = duels.advance(combat_ended=[True, False, False])
    assert [column.tolist() for column in pairs_of(over, board, 3)] == [[0, 2], [1, 2], [6, 5], [1, 2]]


def test_duels_without_states_are_written_out_for_all(board):
    duels = Duels([0, 1, 2], [7, 6, 5]).advance(combat_ended=[False, True, False])
    found = [column.tolist() for column in pairs_of(duels, board, 2)]
    assert found == [[0, 0, 1, 1], [0, 2, 0, 2], [7, 5, 7, 5], [0, 2, 0, 2]]
    for nothing in (pairs_of(duels, board, 0), pairs_of(None, board, 2), pairs_of(Duels([], []), board, 2)):
        assert [len(column) for column in nothing] == [0] * 4
        assert all(column.dtype == np.intp for column in nothing)


@pytest.mark.parametrize(
    ("duels", "message"),
    [
        (Duels([0, 10], [5, 6]), r"duels.first\[1\]: must be from 0 to 9, got 10"),
        (Duels([0], [12]), r"duels.second\[0\]: must be from 0 to 9, got 12"),
        (Duels([0], [5], state=[3]), r"duels.state\[0\]: must be from 0 to 2, got 3"),
        (Duels([0, 5], [6, 7]), r"duels.second\[1\]: slot 7 cannot fight slot 5: both are of unit 'b'"),
    ],
)
def test_duels_that_do_not_fit_the_board(board, duels, message):
    for known in (duels, duels.advance(combat_ended=True)):  # over or not
        with pytest.raises(ValueError, match=message):
            pairs_of(known, board, 3)


@pytest.mark.parametrize("event", ["removed", "broke"])
def test_one_mark_for_each_duel_of_two_is_refused(event):
    duels = Duels([0, 1], [5, 6])
    with pytest.raises(ValueError, match=rf"{event}: must have shape \(2, 2\), \(2, 1\) or"):
        duels.advance(**{event: [True, False]})
