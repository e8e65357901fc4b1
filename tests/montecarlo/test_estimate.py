"""Estimates: the same bits whoever draws them and whenever, early stops on prefixes, intervals that hold."""

import io
import itertools
import math
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import scipy.stats

from ninthgeom import montecarlo
from ninthgeom._mc_blocks import run_block
from ninthgeom._mc_checkpoint import Checkpoint
from ninthgeom.montecarlo import estimate
from tests.montecarlo.executors import Gone, Mortal, at_random, backwards

N, BLOCK, BLOCKS = 195, 10, 20


def sample(rng, n):
    """Values that are sensitive to every change: shares, and numbers that are badly conditioned."""
    return {
        "seen": rng.random((n, 2)) < [0.1, 0.5],
        "far": rng.normal(1e9, 1.0, n),
        "dice": rng.integers(1, 7, n),
    }


def asked(n=N, sample=sample, **more):
    return estimate(sample, n, **{"seed": 3, "job": "test", "block": BLOCK} | more)


def bits(answer):
    """All that an answer says but the time it took, to the last bit."""
    table = answer.to_table()
    numbers = [table[name].tobytes() for name in ("mean", "standard_error", "low", "high")]
    rest = answer.n, answer.blocks, answer.confidence, answer.job, answer.stopped_early
    return table["name"].tolist(), table["index"].tolist(), numbers, rest


# -------------------------------------------------------------------------------------------- what it answers


def test_answers_against_the_whole_sample():
    answer = asked(confidence=0.9)
    parts = [
        sample(np.random.default_rng(np.random.SeedSequence(3, spawn_key=(i,))), min(10, N - 10 * i))
        for i in range(BLOCKS)
    ]
    whole = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
    assert list(answer.mean) == ["seen", "far", "dice"]
    for name, values in whole.items():
        np.testing.assert_allclose(answer.mean[name], values.mean(axis=0), rtol=1e-15)
    for name in ("far", "dice"):
        error = scipy.stats.sem(whole[name])
        low, high = scipy.stats.norm.interval(0.9, loc=whole[name].mean(), scale=error)
        assert answer.standard_error[name] == pytest.approx(error, rel=1e-6)
        assert [answer.low[name], answer.high[name]] == pytest.approx([low, high], rel=1e-15)
        assert type(answer.mean[name]) is np.float64
    for i, hits in enumerate(whole["seen"].sum(axis=0).tolist()):
        known = scipy.stats.binomtest(hits, N).proportion_ci(0.9, method="wilson")
        assert answer.low["seen"][i] == pytest.approx(known.low, rel=1e-12)
        assert answer.high["seen"][i] == pytest.approx(known.high, rel=1e-12)
        share = hits / N
        assert answer.standard_error["seen"][i] == pytest.approx(math.sqrt(share * (1 - share) / N))
    assert (answer.n, answer.blocks, answer.confidence, answer.job) == (N, BLOCKS, 0.9, "test")
    assert not answer.stopped_early
    assert answer.seconds > 0


@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,)])
def test_a_sample_without_names_gives_arrays(shape):
    answer = asked(sample=lambda rng, n: rng.random((n, *shape)) < 0.5)
    for values in (answer.mean, answer.standard_error, answer.low, answer.high):
        assert np.shape(values) == shape
        assert values.dtype == np.float64
    assert (answer.low <= answer.mean).all()
    assert (answer.mean <= answer.high).all()


@pytest.mark.parametrize("n", [1, 9, 10, 11, 20])
def test_any_number_of_samples(n):
    sizes = []
    answer = asked(n, lambda rng, n: sizes.append(n) or rng.random(n))
    assert sizes == [10] * (n // 10) + [n % 10] * (n % 10 > 0)
    assert answer.n == n
    if n == 1:
        assert math.isnan(answer.standard_error)
        assert (answer.low, answer.high) == (-math.inf, math.inf)


def test_shares_that_never_or_always_happen():
    answer = asked(sample=lambda rng, n: np.repeat([[False, True]], n, axis=0))
    assert (answer.mean == [0, 1]).all()
    assert answer.low[0] == 0 < answer.high[0] < 0.05
    assert answer.high[1] == 1 > answer.low[1] > 0.95


def test_the_table():
    table = asked(sample=lambda rng, n: {"a": rng.random((n, 2, 2)), "b": rng.random(n) < 0.5}).to_table()
    assert table["name"].tolist() == ["a"] * 4 + ["b"]
    assert table["index"].tolist() == ["0, 0", "0, 1", "1, 0", "1, 1", ""]
    assert {len(column) for column in table.values()} == {5}
    answer = asked(sample=lambda rng, n: rng.random(n))
    assert {name: column.tolist() for name, column in answer.to_table().items()} == {
        "name": [""],
        "index": [""],
        "mean": [answer.mean],
        "standard_error": [answer.standard_error],
        "low": [answer.low],
        "high": [answer.high],
    }


def test_seeds():
    whole, listed = asked(seed=3), asked(seed=[3, 4])
    assert bits(asked(seed=np.int64(3))) == bits(whole) != bits(listed)
    assert bits(asked(seed=(3, 4))) == bits(asked(seed=np.array([3, 4]))) == bits(listed)
    assert bits(asked(seed=4)) != bits(whole)


# ---------------------------------------------------------------------------------------------- the same bits


@pytest.mark.parametrize("half_width", [None, {"seen": 0.12}])
def test_the_same_bits_on_any_executor(half_width):
    known = bits(asked(half_width=half_width))
    for workers in (1, 2, 5):
        with ThreadPoolExecutor(workers) as threads:
            assert bits(asked(executor=threads, half_width=half_width)) == known
            assert threads.submit(abs, -1).result() == 1  # not shut down
    for executor in (backwards(BLOCKS), *(at_random(BLOCKS, seed) for seed in range(5))):
        assert bits(asked(executor=executor, half_width=half_width)) == known
        assert not executor.is_shut_down


def test_the_order_of_merging_matters_for_these_numbers():
    # Otherwise the tests above would not show that it is always the same.
    blocks = [run_block(sample, 3, i, 10) for i in range(5)]
    ends = set()
    for order in itertools.permutations(blocks):
        whole = order[0]
        for i, block in enumerate(order[1:]):
            whole = whole.merged(block, i)
        ends.add(whole.values["far"].squares.tobytes())
    assert len(ends) > 1


def test_the_same_bits_when_workers_die():
    dead = Mortal(lambda index, tries: Gone() if (index + tries) % 3 == 0 else None)
    assert bits(asked(executor=dead)) == bits(asked())
    assert sorted(dead.answered) == list(range(BLOCKS))


class Stops:
    """The sample, until it has drawn some blocks."""

    def __init__(self, blocks, error=KeyboardInterrupt):
        self.left = blocks
        self.error = error

    def __call__(self, rng, n):
        if self.left == 0:
            raise self.error("stop")
        self.left -= 1
        return sample(rng, n)


@pytest.mark.parametrize("executor", [lambda _: None, backwards, lambda total: at_random(total, 1)])
@pytest.mark.parametrize("each", [3, 7])
def test_the_same_bits_after_interruptions(executor, each, tmp_path):
    path = tmp_path / "test.ckpt"
    known, saved = bits(asked()), 0
    while saved + each < BLOCKS:
        with pytest.raises(RuntimeError) as caught:
            asked(sample=Stops(each, RuntimeError), executor=executor(BLOCKS - saved), checkpoint=path)
        notes = caught.value.__notes__
        assert notes[0].startswith("in block ")
        assert notes[1:] == ["in job 'test' with seed 3", f"finished blocks are safe in {path}"]
        with Checkpoint.open(path, job="test", n=N, seed=3, block=BLOCK) as checkpoint:
            finished = checkpoint.finished()
            assert saved < len(finished) <= saved + each  # some are new, none was drawn again
            saved = len(finished)
    answer = asked(sample=Stops(each, RuntimeError), executor=executor(BLOCKS - saved), checkpoint=path)
    assert bits(answer) == known
    assert bits(asked(sample=Stops(0), checkpoint=path)) == known  # nothing is left to draw


def test_ctrl_c_keeps_finished_blocks(tmp_path):
    path = tmp_path / "test.ckpt"
    with pytest.raises(KeyboardInterrupt) as caught:
        asked(sample=Stops(4), checkpoint=path)
    assert caught.value.__notes__[-1] == f"finished blocks are safe in {path}"
    assert bits(asked(sample=Stops(BLOCKS - 4), checkpoint=path)) == bits(asked())


def test_a_checkpoint_of_another_job_is_refused(tmp_path):
    path = tmp_path / "test.ckpt"
    asked(checkpoint=path)
    for change in ({"job": "other"}, {"seed": 4}, {"seed": [3]}, {"block": 11}, {"n": 100}):
        with pytest.raises(ValueError, match=next(iter(change))):
            asked(sample=Stops(0), checkpoint=path, **change)


def test_a_block_of_another_size_in_a_checkpoint(tmp_path):
    path = tmp_path / "test.ckpt"
    with Checkpoint.open(path, job="test", n=N, seed=3, block=BLOCK) as checkpoint:
        checkpoint.save(0, run_block(sample, 3, 0, 9).to_bytes())
    with pytest.raises(ValueError, match="block 0 of the checkpoint must have 10 samples, got 9"):
        asked(checkpoint=path)


# ------------------------------------------------------------------------------------------------ early stops


def first_narrow_prefix(most):
    """The first prefix of blocks whose interval of the second share is narrow enough, by scipy."""
    hits = n = 0
    for i in range(BLOCKS):
        size = min(BLOCK, N - BLOCK * i)
        drawn = sample(np.random.default_rng(np.random.SeedSequence(3, spawn_key=(i,))), size)["seen"][:, 1]
        hits, n = hits + int(drawn.sum()), n + size
        known = scipy.stats.binomtest(hits, n).proportion_ci(0.95, method="wilson")
        if known.high - known.low <= 2 * most:
            return i + 1
    return BLOCKS


@pytest.mark.parametrize("most", [0.3, 0.2, 0.12, 0.1, 0.075, 0.01])
def test_stops_at_the_first_prefix_that_is_narrow_enough(most):
    blocks = first_narrow_prefix(most)
    for executor in (None, backwards(BLOCKS), at_random(BLOCKS, 1)):
        answer = asked(half_width={"seen": most}, executor=executor)
        assert (answer.blocks, answer.n) == (blocks, min(blocks * BLOCK, N))
        assert answer.stopped_early == (blocks < BLOCKS)
        # All of the prefix, nothing else: as if no more had been wished.
        assert bits(answer)[2] == bits(asked(answer.n))[2]


def test_prefixes_differ_with_the_wish():
    assert first_narrow_prefix(0.3) < first_narrow_prefix(0.12) < first_narrow_prefix(0.1) < BLOCKS


def test_narrow_enough_means_all_that_matter():
    def halves(answer):
        return {name: np.max(answer.high[name] - answer.low[name]) / 2 for name in answer.mean}

    for wish in (0.3, {"dice": 0.5}, {"far": 0.3, "dice": 0.4}, {"seen": 0.1, "dice": 9}):
        answer = asked(half_width=wish)
        limits = wish if isinstance(wish, dict) else dict.fromkeys(answer.mean, wish)
        before = halves(asked(answer.n - BLOCK))
        assert answer.stopped_early
        assert all(halves(answer)[name] <= most for name, most in limits.items())
        assert any(before[name] > most for name, most in limits.items())


@pytest.mark.parametrize("executor", [lambda: None, lambda: backwards(BLOCKS), lambda: ThreadPoolExecutor(4)])
def test_errors_after_the_last_block_that_is_needed_do_not_matter(executor):
    def fails_later(rng, n):
        block = rng.bit_generator.seed_seq.spawn_key[0]
        if block >= 3:
            raise ArithmeticError("no luck")
        time.sleep(0.02 * (3 - block))  # the error comes first
        return rng.normal(0.0, 1.0, n)

    pool = executor()
    wished = asked(sample=lambda rng, n: rng.normal(0.0, 1.0, n), half_width=0.5)
    assert wished.blocks <= 3
    assert bits(asked(sample=fails_later, half_width=0.5, executor=pool)) == bits(wished)
    if pool is not None:
        pool.shutdown()


@pytest.mark.parametrize("far", [0, 2**61])
def test_narrow_means_the_spread_and_not_the_rounded_ends(far):
    # Near 2^61 the ends of an interval are multiples of 512 or so; the numbers here are such multiples.
    def apart(rng, n):
        return far + 4096 * rng.integers(-8, 8, n)

    answers = [asked(4000, apart, half_width=most) for most in (2500.3, 3000.1)]
    near = [asked(4000, lambda rng, n: 4096 * rng.integers(-8, 8, n), half_width=h) for h in (2500.3, 3000.1)]
    assert [answer.blocks for answer in answers] == [answer.blocks for answer in near]
    unlike = asked(4000, lambda rng, n: 2**61 + rng.integers(-700, 700, n), half_width=0.01)
    assert not unlike.stopped_early
    assert np.all(unlike.standard_error > 0)


def test_nothing_is_drawn_after_an_early_stop():
    drawn = Stops(BLOCKS)
    answer = asked(sample=drawn, half_width={"seen": 0.12})
    assert drawn.left == BLOCKS - answer.blocks > 0


def test_a_wish_may_change_from_call_to_call(tmp_path):
    path = tmp_path / "test.ckpt"
    for wish in (0.2, 0.12, 0.3, 0.1):  # blocks that were drawn are there, but not all of them are used
        known = asked(half_width={"seen": wish})
        assert bits(asked(half_width={"seen": wish}, checkpoint=path)) == bits(known)
    assert bits(asked(checkpoint=path, confidence=0.99)) == bits(asked(confidence=0.99))


def test_one_sample_is_never_narrow():
    answer = asked(5, lambda rng, n: rng.random(n), block=1, half_width=10.0)
    assert answer.n == 2


# ---------------------------------------------------------------------------------------- intervals that hold


@pytest.mark.parametrize(("n", "p"), [(30, 0.03), (30, 0.5), (200, 0.2)])
def test_wilson_intervals_hold_as_often_as_they_should(n, p):
    # How often exactly is a sum over the binomial distribution; 4,000 repetitions side by side.
    hits = np.arange(n + 1)
    ends = [scipy.stats.binomtest(k, n).proportion_ci(0.95, method="wilson") for k in hits.tolist()]
    holds = np.array([end.low <= p <= end.high for end in ends])
    exact = scipy.stats.binom.pmf(hits, n, p)[holds].sum()
    answer = asked(n, lambda rng, n: rng.random((n, 4000)) < p)
    found = np.mean((answer.low <= p) & (p <= answer.high))
    assert abs(found - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000)


@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.99])
def test_normal_intervals_hold_as_often_as_they_should(confidence):
    # Of normal numbers by Student's distribution.
    n = 100
    exact = 1 - 2 * scipy.stats.t.sf(scipy.stats.norm.ppf(0.5 + confidence / 2), n - 1)
    answer = asked(n, lambda rng, n: rng.normal(7.0, 2.0, (n, 4000)), confidence=confidence)
    found = np.mean((answer.low <= 7) & (answer.high >= 7))
    assert abs(found - exact) < 4 * math.sqrt(exact * (1 - exact) / 4000)


# --------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("change", "kind", "message"),
    [
        ({"sample": 3}, TypeError, "sample: must be callable, got 3"),
        ({"n": 0}, ValueError, "n: must be at least 1, got 0"),
        ({"n": 1e6}, TypeError, "n: must be a whole number, got 1000000.0"),
        ({"block": 0}, ValueError, "block: must be at least 1, got 0"),
        ({"block": True}, TypeError, "block: must be a whole number"),
        ({"seed": -1}, ValueError, "seed: must be at least 0, got -1"),
        ({"seed": None}, TypeError, "seed: must be a whole number or a sequence of them, got None"),
        ({"seed": 1.0}, TypeError, "seed: must be a whole number or"),
        ({"seed": "1"}, TypeError, "seed: must be a whole number or"),
        ({"seed": True}, TypeError, "seed: must be a whole number or"),
        ({"seed": []}, ValueError, "seed: must not be empty"),
        ({"seed": [1, -2]}, ValueError, r"seed\[1\]: must be at least 0, got -2"),
        ({"seed": [1, 2.5]}, TypeError, r"seed\[1\]: must be a whole number, got 2.5"),
        ({"job": ""}, ValueError, "job: must not be empty"),
        ({"job": 1}, TypeError, "job: must be a text, got 1"),
        ({"retries": -1}, ValueError, "retries: must be at least 0"),
        ({"confidence": 0}, ValueError, "confidence: must lie between 0 and 1, got 0"),
        ({"confidence": 1}, ValueError, "confidence: must lie between 0 and 1, got 1"),
        ({"confidence": 95}, ValueError, "confidence: must lie between 0 and 1, got 95"),
        ({"confidence": math.nan}, ValueError, "confidence: must be finite, got nan"),
        ({"confidence": "95%"}, TypeError, "confidence: must be a number"),
        ({"half_width": 0}, ValueError, "half_width: must be finite and greater than 0, got 0"),
        ({"half_width": math.inf}, ValueError, "half_width: must be finite"),
        ({"half_width": math.nan}, ValueError, "half_width: must be finite"),
        ({"half_width": [0.1]}, TypeError, "half_width: must be a number"),
        ({"half_width": {}}, ValueError, "half_width: must name something"),
        (
            {"half_width": {"seen": -1}},
            ValueError,
            "half_width.seen: must be finite and greater than 0, got -1",
        ),
        ({"half_width": {3: 1.0}}, TypeError, "half_width: must have texts as names, got 3"),
        ({"progress": 1}, TypeError, "progress: must be True or False, got 1"),
        ({"executor": 2}, TypeError, "executor: must be a concurrent.futures.Executor, got 2"),
    ],
)
def test_arguments_are_checked_before_any_work(change, kind, message, tmp_path):
    calls = []
    arguments = {"sample": lambda rng, n: calls.append(n) or rng.random(n), "checkpoint": tmp_path / "file"}
    with pytest.raises(kind, match=message):
        asked(**arguments | change)
    assert not calls
    assert not list(tmp_path.iterdir())


def test_clients_have_executors():
    class Client:
        def get_executor(self):
            pass

    with pytest.raises(TypeError, match=r"executor: .*; a Client gives one by get_executor\(\)"):
        asked(executor=Client())


@pytest.mark.parametrize("executor", [lambda: None, lambda: backwards(BLOCKS)])
def test_names_of_a_wish_that_a_sample_does_not_have(executor):
    with pytest.raises(ValueError, match="half_width: names 'sight', but sample gives 'seen', 'far', 'dice'"):
        asked(half_width={"sight": 0.1}, executor=executor())
    with pytest.raises(ValueError, match="half_width: names 'seen', but sample gives no names"):
        asked(half_width={"seen": 0.1}, sample=lambda rng, n: rng.random(n), executor=executor())


@pytest.mark.parametrize("executor", [None, backwards(BLOCKS), at_random(BLOCKS, 3)])
def test_blocks_that_are_not_alike_name_the_later_one(executor):
    drawn = run_block(lambda rng, n: rng.random(n), 3, 12, 10).values[""].mean()

    def changes(rng, n):
        values = rng.random(n)
        return values if not math.isclose(values.mean(), drawn) else values > 0.5

    with pytest.raises(
        ValueError, match="block 12: kind of sample must be mean as before, got share"
    ) as caught:
        asked(sample=changes, executor=executor)
    assert caught.value.__notes__ == ["in job 'test' with seed 3"]


def test_an_executor_that_was_shut_down():
    threads = ThreadPoolExecutor(1)
    threads.shutdown()
    with pytest.raises(RuntimeError, match="after shutdown") as caught:
        asked(executor=threads)
    assert caught.value.__notes__ == ["in job 'test' with seed 3"]


def test_a_missing_folder_is_found_before_any_work(tmp_path):
    with pytest.raises(OSError, match="nowhere"):
        asked(sample=Stops(0), checkpoint=tmp_path / "nowhere" / "test.ckpt")


# ----------------------------------------------------------------------------------------------- the progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.mark.parametrize("executor", [lambda: None, lambda: ThreadPoolExecutor(2)])
def test_progress_on_a_terminal(executor, monkeypatch, capsys):
    screen = Terminal()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("sys.stderr", screen)
    pool = executor()
    asked(executor=pool)
    if pool is not None:
        pool.shutdown()
    shown = screen.getvalue()
    assert "of 195 samples" in shown
    assert "±" in shown
    screen.truncate(0)
    asked(progress=False)
    assert screen.getvalue() == ""
    assert capsys.readouterr().out == ""


def test_no_progress_elsewhere(capfd):
    asked()
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("stream", ["none", "closed"])
def test_no_stream_for_a_progress_bar(stream, monkeypatch):
    closed = io.StringIO()
    closed.close()
    monkeypatch.setattr("sys.stderr", closed if stream == "closed" else None)
    assert asked().n == N


def test_progress_counts_what_was_there(tmp_path, monkeypatch):
    seen = []

    def bar(total, what, *, done, wanted):
        seen.append((total, what, done, wanted))
        return Bar()

    class Bar:
        def __enter__(self):
            return lambda count, note="": seen.append((count, note))

        def __exit__(self, *_):
            seen.append("end")

    monkeypatch.setattr(montecarlo, "progress_bar", bar)
    with pytest.raises(KeyboardInterrupt):
        asked(sample=Stops(3), checkpoint=tmp_path / "test.ckpt")
    assert seen[0] == (N, "samples", 0, True)
    assert [count for count, _ in seen[1:-1]] == [10, 10, 10]
    assert seen[-1] == "end"
    seen.clear()
    asked(checkpoint=tmp_path / "test.ckpt", progress=False)
    assert seen[0] == (N, "samples", 30, False)
    assert sum(count for count, _ in seen[1:-1]) == N - 30
