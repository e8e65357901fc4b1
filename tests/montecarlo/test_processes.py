"""Real pools of processes: the same bits as in one thread, and workers that die."""

import functools
import json
import multiprocessing
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool

import pytest

from ninthgeom.montecarlo import estimate
from tests.montecarlo import work

SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture(scope="module")
def expected():
    return work.bits(estimate(work.normal, **work.JOB))


@pytest.fixture(scope="module")
def pool():
    """Two processes that no test may break."""
    with ProcessPoolExecutor(2, mp_context=SPAWN) as pool:
        yield pool


def test_spawned_processes_give_the_same_bits(pool, expected):
    assert work.bits(estimate(work.normal, **work.JOB, executor=pool)) == expected


def test_the_work_is_done_by_the_processes(pool):
    # The mean of all numbers of processes is that of one of them, or lies between them.
    answer = estimate(work.where, **work.JOB, executor=pool)
    workers = [child.pid for child in multiprocessing.active_children()]
    assert min(workers) <= answer.mean <= max(workers)


def test_a_checkpoint_passes_from_one_thread_to_processes(pool, expected, tmp_path):
    kept = {"checkpoint": tmp_path / "normal.ckpt"}
    with pytest.raises(ArithmeticError, match="no luck"):
        estimate(work.fails_in_the_last_block, **work.JOB, **kept)
    assert work.bits(estimate(work.normal, **work.JOB, **kept, executor=pool)) == expected
    # All is there now, so nothing is drawn.
    assert work.bits(estimate(work.fails_in_the_last_block, **work.JOB, **kept)) == expected


def test_an_error_of_the_sample_says_where_it_was_and_leaves_the_pool_alone(pool, expected):
    with pytest.raises(ArithmeticError, match="no luck") as caught:
        estimate(work.fails_in_the_last_block, **work.JOB, executor=pool)
    notes = " ".join(caught.value.__notes__)
    assert "block 19" in notes
    assert "job 'normal'" in notes
    assert "seed [3, 1]" in notes
    assert work.bits(estimate(work.normal, **work.JOB, executor=pool)) == expected


def test_what_cannot_be_pickled_is_refused_before_any_work(tmp_path):
    called = tmp_path / "called"
    checkpoint = tmp_path / "checkpoint"

    def here(rng, n):
        called.touch()
        return work.normal(rng, n)

    for sample in (here, lambda rng, n: here(rng, n), functools.partial(here)):
        with ProcessPoolExecutor(1, mp_context=SPAWN) as pool:
            with pytest.raises(TypeError, match=r"cannot be pickled.*top of a module.*ThreadPoolExecutor"):
                estimate(sample, **work.JOB, executor=pool)
            assert not pool._processes
    assert not called.exists()
    assert not checkpoint.exists()
    with ThreadPoolExecutor(1) as threads:
        estimate(here, **work.JOB, executor=threads)
    assert called.exists()


def test_a_dead_worker_costs_nothing_but_time(expected, tmp_path):
    sample = functools.partial(work.dies_once, str(tmp_path / "marker"))
    workers, kept = tmp_path / "workers", {"checkpoint": tmp_path / "checkpoint"}
    workers.mkdir()
    before = set(multiprocessing.active_children())
    with ProcessPoolExecutor(2, SPAWN, work.sign, (str(workers),)) as pool:
        assert work.bits(estimate(sample, **work.JOB, **kept, executor=pool)) == expected
        with pytest.raises(BrokenProcessPool):
            pool.submit(int)
        # The pool that took its place is gone.
        assert set(multiprocessing.active_children()) <= before
    assert (tmp_path / "marker").exists()
    # It was of the same size, start method and initializer.
    kinds = [file.suffix for file in workers.iterdir()]
    assert 2 <= len(kinds) <= 4
    assert set(kinds) == {".SpawnProcess"}
    assert work.bits(estimate(work.normal, **work.JOB, **kept)) == expected


def test_a_block_that_kills_every_worker_is_named(expected, tmp_path):
    kept = {"checkpoint": tmp_path / "checkpoint"}
    with ProcessPoolExecutor(1, mp_context=SPAWN) as pool, pytest.raises(BrokenProcessPool) as caught:
        estimate(work.dies_in_the_last_block, **work.JOB, **kept, executor=pool, retries=1)
    assert "block 19 died, 2 times" in " ".join(caught.value.__notes__)
    # The others are safe.
    assert work.bits(estimate(work.normal, **work.JOB, **kept)) == expected


# Processes are forked in a fresh process, beside no other thread; Python 3.12 warns otherwise.
FORKED = """
import functools, json, multiprocessing, sys, warnings
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from ninthgeom.montecarlo import estimate
from tests.montecarlo import work

warnings.simplefilter("error")
folder, fork = Path(sys.argv[1]), multiprocessing.get_context("fork")
told = {}
with ProcessPoolExecutor(2, mp_context=fork) as pool:
    told["forked"] = work.bits(estimate(work.normal, **work.JOB, executor=pool, checkpoint=folder / "0"))
told["forked, from its checkpoint"] = work.bits(estimate(work.normal, **work.JOB, checkpoint=folder / "0"))
kept = {"checkpoint": folder / "1"}
with ProcessPoolExecutor(2, mp_context=fork) as pool:
    sample = functools.partial(work.dies_once, str(folder / "marker"))
    told["one died"] = work.bits(estimate(sample, **work.JOB, **kept, executor=pool))
    assert not multiprocessing.active_children()
assert (folder / "marker").exists()
kept = {"checkpoint": folder / "2"}
with ProcessPoolExecutor(2, mp_context=fork) as pool:
    try:
        estimate(work.dies_in_the_last_block, **work.JOB, **kept, executor=pool, retries=2)
    except BrokenProcessPool as error:
        assert "block 19 died, 3 times" in " ".join(error.__notes__), error.__notes__
    else:
        raise AssertionError("not refused")
    assert not multiprocessing.active_children()
told["after too many deaths"] = work.bits(estimate(work.normal, **work.JOB, **kept))

# Block 0 goes down with every pool that block 1 breaks, and is not to blame.
with ProcessPoolExecutor(2, mp_context=fork) as pool:
    sample = functools.partial(work.dies_in_block_1, str(folder / "two deaths"), 2, 2)
    told["beside one that dies"] = work.bits(estimate(sample, **work.JOB, executor=pool, retries=2))
for retries, blame in ((2, "worker of block 1 died, 3 times"), (0, "worker of one of the blocks 0, 1")):
    with ProcessPoolExecutor(2, mp_context=fork) as pool:
        deaths = str(folder / f"{retries} retries")
        sample = functools.partial(work.dies_in_block_1, deaths, 9, max(retries, 1))
        try:
            estimate(sample, **work.JOB, executor=pool, retries=retries)
        except BrokenProcessPool as error:
            assert blame in " ".join(error.__notes__), error.__notes__
        else:
            raise AssertionError("not refused")
print(json.dumps(told))
"""


def test_forked_processes(run_python, expected, tmp_path):
    for case, bits in json.loads(run_python(FORKED, tmp_path)).items():
        assert bits == expected, case


def test_the_example_in_two_processes(sight_example, sight_alone, tmp_path):
    arguments = ("--workers", "2", "--checkpoint", str(tmp_path / "checkpoint"))
    lines = sight_example(*arguments).splitlines()
    assert lines == sight_alone.splitlines()
    assert len(lines) > 10
    assert all(" sees " in line for line in lines)
    assert (tmp_path / "checkpoint").exists()
