"""Questions about some pairs of units only, and states shared out to threads."""

import tracemalloc

import numpy as np
import pytest

from benchmarks.bench_evaluate import battle_lines, make_board, scattered
from ninthgeom import Board, t9a
from ninthgeom.t9a import _states

BLANK = {"distance": np.inf, "contact": False, "inside_arc": 0, "located_arc": 0, "sight": False}
ALONE = {
    "distance": t9a.distances,
    "contact": t9a.units_in_contact,
    "inside_arc": t9a.inside_arcs,
    "located_arc": t9a.located_arcs,
    "sight": t9a.line_of_sight,
}
OBSERVERS = ["giant", "spears", "guard", "giant"]
TARGETS = [3, 1, 1, 0, 5]
N_STATES = 20

# Shapes that broadcast to (states, observers, targets).
SHAPES = [
    (),
    (5,),
    (1, 5),
    (4, 1),
    (4, 5),
    (N_STATES, 1, 1),
    (N_STATES, 1, 5),
    (N_STATES, 4, 1),
    (N_STATES, 4, 5),
]


def some(shape, share=0.5, seed=7):
    return np.random.default_rng(seed).random(shape) < share


def assert_answers_of(answers, full, pairs):
    for name, expected in full.arrays().items():
        answer = answers.arrays()[name]
        assert answer.dtype == expected.dtype
        np.testing.assert_array_equal(answer, np.where(pairs, expected, BLANK[name]), err_msg=name)


@pytest.mark.jit_only
@pytest.mark.parametrize("masked", [False, True], ids=["bare", "masked"])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_pairs_have_the_answers_they_have_among_all(battles, shape, masked):
    battle = battles[0]
    arguments = {"observers": OBSERVERS, "targets": TARGETS} | (battle.masks if masked else {})
    full = t9a.evaluate(battle.board, battle.positions, **arguments)
    for share in (0.0, 0.1, 0.6, 1.0):
        pairs = some(shape, share)
        answers = t9a.evaluate(battle.board, battle.positions, pairs=pairs, **arguments)
        assert_answers_of(answers, full, pairs)


@pytest.mark.jit_only
@pytest.mark.parametrize("name", ALONE)
def test_single_questions_take_pairs_too(battles, name):
    for battle in battles:
        pairs = some((len(battle.positions), len(battle.board), len(battle.board)), 0.3)
        full = ALONE[name](battle.board, battle.positions, **battle.masks)
        answer = ALONE[name](battle.board, battle.positions, pairs=pairs, **battle.masks)
        np.testing.assert_array_equal(answer, np.where(pairs, full, BLANK[name]))


def test_pairs_make_states(battle):
    units = len(battle.board)
    pairs = some((3, 1, units, units))
    full = t9a.evaluate(battle.board, battle.positions[0])
    answers = t9a.evaluate(battle.board, battle.positions[0], pairs=pairs, workers=2)
    assert answers.sight.shape == pairs.shape
    assert_answers_of(answers, full, pairs)


@pytest.mark.jit_only
@pytest.mark.parametrize("rules", [t9a.SECOND_EDITION, t9a.THIRD_EDITION], ids=["second", "third"])
def test_hills_and_elevation_are_asked_for_pairs_only(rules):
    rng = np.random.default_rng(5)
    board = make_board(rng)
    positions = battle_lines(board, rng, 12)
    positions[:, ::5, :2] = 45.0, 12.0  # on the hill
    enemies = board.side[:, None] != board.side
    pairs = enemies & some((12, 24, 24), 0.5)
    full = t9a.evaluate(board, positions, rules=rules)
    for asked in (enemies, pairs):
        answers = t9a.evaluate(board, positions, rules=rules, pairs=asked)
        assert_answers_of(answers, full, asked)
        assert answers.sight.any()


@pytest.fixture
def asked_of_kernels(monkeypatch):
    """Pairs that reach kernels, by kernel."""
    from ninthgeom_kernel import sight as kernel

    counts = dict.fromkeys((*GEOMETRY, "sight"), 0)
    run, see = _run_of_questions(), kernel.lines_of_sight

    def counting(question, called, a, b, out, rows):
        counts[question.kernels.family] = counts.get(question.kernels.family, 0) + out.size
        run(question, called, a, b, out, rows)

    def seeing(*arguments):
        asked, (start, stop), out = arguments[9], arguments[16:18], arguments[18]
        counts["sight"] += int(np.broadcast_to(asked, out.shape)[start:stop].sum())
        return see(*arguments)

    monkeypatch.setattr("ninthgeom._arrays._Question._run", counting)
    monkeypatch.setattr(kernel, "lines_of_sight", seeing)
    return counts


def _run_of_questions():
    from ninthgeom._arrays import _Question

    return _Question._run


GEOMETRY = ("gaps", "touched", "located")


@pytest.fixture(scope="module")
def flat_battle():
    """States without hills, where sight is asked once for each pair."""
    rng = np.random.default_rng(5)
    board = make_board(rng)
    flat = Board(board.units, [piece for piece in board.terrain if piece.kind != "hill"], board.size)
    return flat, scattered(flat, rng, 12)


@pytest.mark.jit_only
@pytest.mark.parametrize("share", [0.02, 0.3])
def test_pairs_that_are_not_asked_reach_no_kernel(asked_of_kernels, flat_battle, share):
    board, positions = flat_battle
    pairs = some((12, 24, 24), share)
    pairs[3] = pairs[:, 7] = pairs[:, :, 11] = False
    t9a.evaluate(board, positions, pairs=pairs)
    n = int((pairs & ~np.eye(24, dtype=bool)).sum())
    assert n > 80
    assert asked_of_kernels["sight"] == n
    if share < 0.1:
        assert {asked_of_kernels[name] for name in GEOMETRY} == {n}
    else:  # these are asked in one block of who takes part, which is faster than picking them out
        assert {asked_of_kernels[name] for name in GEOMETRY} == {11 * 23 * 23}


def test_absent_units_are_not_asked_either(asked_of_kernels, flat_battle):
    board, positions = flat_battle
    present = some((12, 24), 0.15)
    t9a.evaluate(board, positions, present=present, pairs=True)
    both = present[:, :, None] & present[:, None, :] & ~np.eye(24, dtype=bool)
    assert 0 < both.sum() < both.size / 40
    assert asked_of_kernels == dict.fromkeys((*GEOMETRY, "sight"), both.sum())


def test_nothing_asked_calls_nothing(asked_of_kernels, battle):
    answers = t9a.evaluate(battle.board, battle.positions, pairs=False)
    assert set(asked_of_kernels.values()) == {0}
    for name, values in answers.arrays().items():
        assert (values == BLANK[name]).all()


@pytest.mark.jit_only
@pytest.mark.parametrize("masked", [False, True], ids=["bare", "masked"])
def test_chunks_and_workers_do_not_change_pairs(battle, monkeypatch, masked):
    masks = battle.masks if masked else {}
    masks = {name: mask[:15] for name, mask in masks.items()}
    positions, units = battle.positions[:15], len(battle.board)
    for pairs in (some((units, units)), some((15, 1, units), 0.3)):
        answers = t9a.evaluate(battle.board, positions, pairs=pairs, **masks)
        for scratch, at_once in ((1, 1 << 14), (20_000, 7), (150_000, 100)):
            with monkeypatch.context() as patch:
                patch.setattr(_states, "_SCRATCH_BYTES", scratch)
                patch.setattr(_states, "_PAIRS_AT_ONCE", at_once)
                for workers in (1, 2):
                    again = t9a.evaluate(battle.board, positions, pairs=pairs, workers=workers, **masks)
                    for name, values in answers.arrays().items():
                        np.testing.assert_array_equal(again.arrays()[name], values, err_msg=name)


@pytest.mark.jit_only
def test_chunks_cover_all_states_once_whatever_the_workers(battle, monkeypatch):
    chunk = _states.States.chunk
    seen = []
    monkeypatch.setattr(
        _states.States, "chunk", lambda self, states: (seen.append(states), chunk(self, states))[1]
    )
    found = {}
    for scratch in (30_000, 200_000, 2**24):
        monkeypatch.setattr(_states, "_SCRATCH_BYTES", scratch)
        for workers in (1, 2, 3):
            seen.clear()
            t9a.evaluate(battle.board, battle.positions, workers=workers)
            found[workers] = sorted((part.start, part.stop) for part in seen)
        assert found[1] == found[2] == found[3]
        covered = np.concatenate([np.arange(*part) for part in found[1]])
        np.testing.assert_array_equal(covered, np.arange(len(battle.positions)))
    assert len(found[1]) == 1


@pytest.mark.jit_only
def test_long_work_is_cut_for_threads_where_scratch_would_hold_it_all(monkeypatch):
    rng = np.random.default_rng(5)
    board = make_board(rng)
    positions = np.broadcast_to(scattered(board, rng, 1), (300, 24, 3))
    chunk = _states.States.chunk
    seen = []
    monkeypatch.setattr(
        _states.States, "chunk", lambda self, states: (seen.append(states), chunk(self, states))[1]
    )
    monkeypatch.setattr(_states, "_SCRATCH_BYTES", 2**30)
    t9a.evaluate(board, positions)
    assert len(seen) >= _states._CHUNKS
    lengths = [part.stop - part.start for part in seen]
    assert max(lengths) <= min(lengths) + 1


def test_an_error_in_a_thread_reaches_the_caller(battle, monkeypatch):
    def fail(*_, **__):
        raise RuntimeError("it broke")

    monkeypatch.setattr(_states, "_SCRATCH_BYTES", 1)
    monkeypatch.setattr("ninthgeom.arcs.inside_arcs", fail)
    with pytest.raises(RuntimeError, match="it broke"):
        t9a.evaluate(battle.board, battle.positions, workers=2)


def scratch_of(board, positions, workers):
    """Bytes that evaluate takes at most beside its answers."""
    tracemalloc.start()
    answers = t9a.evaluate(board, positions, workers=workers)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - sum(values.nbytes for values in answers.arrays().values())


@pytest.mark.jit_only
def test_scratch_is_small_and_does_not_grow_with_the_states(monkeypatch):
    rng = np.random.default_rng(5)
    board = make_board(rng)
    positions = battle_lines(board, rng, 1000)
    t9a.evaluate(board, positions[:2])
    half_of_ten_thousand = 10_000 * 24 * 24 * 12 / 2
    assert scratch_of(board, positions, workers=2) < half_of_ten_thousand
    monkeypatch.setattr(_states, "_SCRATCH_BYTES", 2**22)
    few, many = (scratch_of(board, positions[:n], workers=1) for n in (200, 800))
    assert many < 1.5 * few


@pytest.mark.parametrize(
    ("pairs", "error", "message"),
    [
        (
            np.ones((3, 3), bool),
            ValueError,
            r"pairs must have shape \(\.\.\., 4, 5\) for 4 obs.*, got \(3, 3\)",
        ),
        (np.ones((5, 4), bool), ValueError, r"pairs must have shape .* got \(5, 4\)"),
        (np.ones(4, bool), ValueError, r"pairs must have shape .* got \(4,\)"),
        (np.ones((2, 4, 5), bool), ValueError, r"leading axes \(2,\) of pairs do not broadcast"),
        (np.ones((4, 5)), TypeError, "pairs"),
        ("all", TypeError, "pairs"),
    ],
)
def test_pairs_are_checked(battle, pairs, error, message):
    arguments = {"observers": OBSERVERS, "targets": TARGETS, "pairs": pairs}
    for question in (t9a.evaluate, t9a.line_of_sight):
        with pytest.raises(error, match=message):
            question(battle.board, battle.positions, **arguments)
