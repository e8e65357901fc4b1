"""Blocks on executors: each once, whatever becomes of workers; a bounded number at a time; errors."""

import _thread
import copyreg
import functools
import itertools
import threading
import time
from collections import Counter
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Future,
    ProcessPoolExecutor,
    ThreadPoolExecutor,
    wait,
)
from multiprocessing import get_context
from typing import ClassVar

import pytest

from ninthgeom import _mc_executors
from ninthgeom._mc_executors import IN_FLIGHT, IN_FLIGHT_PER_WORKER, check_executor, run_blocks
from tests.montecarlo.executors import Gone, KilledWorker, Mortal, Shuffler, Silent, at_random, backwards


def square(index):
    return index * index


def squares(n):
    return {index: index * index for index in range(n)}


def collected(n, executor, retries=3, task=square):
    """All answers; none of them twice."""
    pairs = list(run_blocks(task, iter(range(n)), executor, retries))
    assert len(pairs) == len(dict(pairs)) == n
    return dict(pairs)


@pytest.mark.parametrize("n", [0, 1, 5, 6, 7, 40])
def test_every_block_comes_once(n):
    assert collected(n, None) == squares(n)
    for executor in (backwards(n), at_random(n, 1)):
        assert collected(n, executor) == squares(n)
        assert not executor.is_shut_down
    with ThreadPoolExecutor(3) as threads:
        assert collected(n, threads) == squares(n)
        assert threads.submit(square, 3).result() == 9  # it is still there


def test_shufflers_do_shuffle():
    executor = backwards(20)
    collected(20, executor)
    assert executor.order == [*range(5, 20), 4, 3, 2, 1, 0]
    executor = at_random(20, 1)
    collected(20, executor)
    assert executor.order != sorted(executor.order)


# ----------------------------------------------------------------------------------------- how many at a time


@pytest.mark.parametrize("workers", [1, 2, 5])
def test_some_blocks_at_a_time(workers):
    handed_over = 0

    def pick(k):
        nonlocal handed_over
        handed_over = max(handed_over, k)
        return 0

    executor = Shuffler(100, pick, workers)
    taken = iter(range(100))
    limit = IN_FLIGHT_PER_WORKER * workers
    for i, _ in enumerate(run_blocks(square, taken, executor, 0)):
        assert executor.submitted <= min(i + limit, 100)
    assert handed_over == limit


@pytest.mark.parametrize(
    ("executor", "most"),
    [(Silent(), IN_FLIGHT), (Silent(3), 9), (Silent("many"), IN_FLIGHT), (Silent(0), IN_FLIGHT)],
)
def test_nothing_more_while_nothing_ends(executor, most, monkeypatch):
    def interrupted(*_, **__):
        raise KeyboardInterrupt

    monkeypatch.setattr(_mc_executors, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        list(run_blocks(square, itertools.count(), executor, 0))
    assert len(executor.futures) == most
    assert all(future.cancelled() for future in executor.futures)


def test_indices_are_read_as_they_are_needed():
    blocks = run_blocks(square, itertools.count(), Shuffler(10**9, lambda k: 0), 0)
    assert list(itertools.islice(blocks, 20)) == list(squares(20).items())
    blocks.close()


def test_the_rest_is_cancelled_when_nobody_asks_for_more():
    held, executor = threading.Event(), ThreadPoolExecutor(1)
    calls, futures = [], []

    def task(index):
        calls.append(index)
        if index == 1:
            held.wait(60)
        return index

    with executor:
        submit = executor.submit
        executor.submit = lambda *call: futures.append(submit(*call)) or futures[-1]
        blocks = run_blocks(task, range(50), executor, 0)
        assert next(blocks) == (0, 0)
        blocks.close()  # does not wait for the second one
        held.set()
        wait(futures, timeout=60)
    assert set(calls) <= {0, 1}
    assert sum(future.cancelled() for future in futures) >= len(futures) - 2 >= 1


def test_tick_while_nothing_ends(monkeypatch):
    monkeypatch.setattr(_mc_executors, "_TICK", 0.001)
    ticked = threading.Event()
    with ThreadPoolExecutor(1) as threads:
        found = list(run_blocks(lambda i: ticked.wait(60), range(1), threads, 0, tick=ticked.set))
    assert found == [(0, True)]


# ----------------------------------------------------------------------------------------------------- deaths


@pytest.mark.parametrize("error", [Gone("gone"), KilledWorker("task", "worker"), "cancelled"])
@pytest.mark.parametrize("deaths", [1, 3])
def test_blocks_of_dead_workers_run_again_and_count_once(error, deaths):
    executor = Mortal(lambda index, tries: error if index % 3 == 1 and tries <= deaths else None)
    assert collected(40, executor, retries=deaths) == squares(40)
    assert sorted(executor.answered) == list(range(40))
    assert executor.tries == {index: 1 + deaths * (index % 3 == 1) for index in range(40)}


@pytest.mark.parametrize("error", [Gone("gone"), KilledWorker("task", "worker"), "cancelled"])
@pytest.mark.parametrize("retries", [0, 2])
def test_a_block_is_tried_so_often_and_no_more(error, retries):
    executor = Mortal(lambda index, tries: error if index == 7 else None)
    with pytest.raises(CancelledError if error == "cancelled" else type(error)) as caught:
        collected(40, executor, retries)
    assert executor.tries[7] == retries + 1
    assert f"the worker of block 7 died, {retries + 1} times in all" in caught.value.__notes__


def test_a_block_that_is_refused_is_tried_again():
    executor = Mortal(lambda *_: None, lambda index, tries: Gone() if index == 3 and tries < 3 else None)
    assert collected(10, executor) == squares(10)
    assert executor.tries[3] == 3
    executor = Mortal(lambda *_: None, lambda index, tries: Gone("for good"))
    with pytest.raises(Gone, match="for good"):
        collected(10, executor)
    assert executor.tries == {0: 4}


@pytest.mark.filterwarnings("default")
def test_a_pool_of_threads_that_cannot_start():
    def fails():
        raise RuntimeError("no")

    with ThreadPoolExecutor(1, initializer=fails) as threads, pytest.raises(BrokenExecutor) as caught:
        collected(10, threads)
    assert "died, 4 times in all" in caught.value.__notes__[-1]


def test_a_cluster_with_other_inner_parts_is_used_as_any_executor():
    class ClientExecutor(ThreadPoolExecutor):
        __module__ = "distributed.somewhere"

        def submit(self, task, index, *, pure):
            assert not pure
            return super().submit(task, index)

    with ClientExecutor(2) as executor:
        assert collected(9, executor) == squares(9)


def test_what_others_call_killed_worker_is_an_error_of_the_task():
    other = type("KilledWorker", (Exception,), {})
    executor = Mortal(lambda index, tries: other())
    with pytest.raises(other):
        collected(3, executor)
    assert max(executor.tries.values()) == 1


class Pool(ProcessPoolExecutor):
    """A pool of processes without processes."""

    made: ClassVar[list[ProcessPoolExecutor]] = []

    def __init__(self, *arguments, **settings):
        super().__init__(*arguments, **settings)
        self.settings = settings
        self.calls = Counter()
        self.shutdowns = 0
        self.made.append(self)

    def submit(self, call, /, task, index):
        self.calls[index] += 1
        future = Future()
        if len(self.made) < 3 and index == 5:
            future.set_exception(Gone(f"pool {len(self.made)}"))
        elif self.shutdowns:
            raise Gone("shut down")
        else:
            future.set_result(call(task, index))
        return future

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.shutdowns += 1
        super().shutdown(wait, cancel_futures=cancel_futures)


def test_a_broken_pool_of_processes_is_replaced_by_one_like_it(monkeypatch):
    monkeypatch.setattr(_mc_executors, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(Pool, "made", [])
    settings = {
        "max_workers": 2,
        "mp_context": get_context("spawn"),
        "initializer": square,
        "initargs": (4,),
        "max_tasks_per_child": 9,
    }
    with Pool(**settings) as pool:
        assert collected(20, pool) == squares(20)
    first, second, third = Pool.made
    assert first.settings == second.settings == third.settings == settings
    assert (second.shutdowns, third.shutdowns) == (1, 1)
    assert first.calls[5] == second.calls[5] == third.calls[5] == 1
    assert sum(third.calls.values()) >= 10


def test_a_pool_that_hides_its_settings_stays_broken_and_says_so(monkeypatch):
    class Closed(Pool):
        def __init__(self, **settings):
            super().__init__(**settings)
            del self._mp_context

        def submit(self, call, /, task, index):
            raise Gone("broken")

    monkeypatch.setattr(_mc_executors, "ProcessPoolExecutor", Pool)
    monkeypatch.setattr(Pool, "made", [])
    pool = Closed(max_workers=2)
    with pytest.raises(Gone, match="broken"):
        collected(20, pool)
    assert Pool.made == [pool]


# ----------------------------------------------------------------------------------------------------- errors


class UnluckyError(Exception):
    pass


def fails_at(*places):
    def task(index):
        if index in places:
            raise UnluckyError(index)
        return index

    return task


@pytest.mark.parametrize(
    "executor", [None, backwards(30), at_random(30, 2), Mortal(lambda *_: None), ThreadPoolExecutor(2)]
)
def test_an_error_of_the_task_is_raised_as_it_is_and_names_the_block(executor):
    blocks, good = run_blocks(fails_at(11), range(30), executor, 3), []
    with pytest.raises(UnluckyError) as caught:
        good.extend(index for index, _ in blocks)  # keeps what it has got
    assert caught.value.args == (11,)
    assert caught.value.__notes__ == ["in block 11"]
    assert 11 not in good
    if executor is None:
        assert good == list(range(11))
    else:
        executor.shutdown()


def test_blocks_that_ended_beside_an_error_are_not_lost():
    # All six are there at once, whichever of them is looked at first.
    executor = Shuffler(6, lambda k: k - 1)
    good = []
    blocks = run_blocks(fails_at(2, 4), range(6), executor, 3)
    with pytest.raises(UnluckyError) as caught:
        good.extend(index for index, _ in blocks)
    assert sorted(good) == [0, 1, 3, 5]
    assert caught.value.args == (2,)


@pytest.mark.parametrize("first", [5, 9])
def test_the_error_of_the_lowest_index_comes_after_all_below_it(first):
    # Whichever of two errors comes first, while the block before them is still at work.
    raised = threading.Event()

    def task(index):
        if index in (5, 9):
            if index != first:
                raised.wait(60)
            raised.set()
            raise UnluckyError(index)
        if index == 4:
            raised.wait(60)
            time.sleep(0.05)
        return index

    good = []
    with ThreadPoolExecutor(4) as threads, pytest.raises(UnluckyError) as caught:
        good.extend(index for index, _ in run_blocks(task, range(1000), threads, 3))
    assert caught.value.args == (5,)
    assert set(range(5)) <= set(good)
    assert 999 not in good


def test_deaths_above_an_error_do_not_matter():
    dead = Mortal(lambda index, tries: Gone() if index > 3 else None)
    with pytest.raises(UnluckyError):
        list(run_blocks(fails_at(3), range(9), dead, 1))
    dead = Mortal(lambda index, tries: Gone() if index == 2 and tries < 3 else None)
    with pytest.raises(UnluckyError) as caught:
        list(run_blocks(fails_at(2, 3), range(9), dead, 3))  # and one below it is tried again
    assert caught.value.args == (2,)


class AbortError(BaseException):
    """Cannot be unpickled, as most errors with more than one argument."""

    def __init__(self, one, other):
        super().__init__(f"{one}{other}")


# What a task may raise that looks like something that executors say, and what comes of it in processes.
LOOKALIKES = {
    "broken": (BrokenExecutor, BrokenExecutor),
    "cancelled": (CancelledError, CancelledError),
    "exit": (SystemExit, SystemExit),
    "abort": (functools.partial(AbortError, "a"), RuntimeError),
    # The last: to pickle it imports a library that changes what pickle does with errors.
    "killed": (KilledWorker, RuntimeError),
}


def looks_alike(name, index):
    if index == 3:
        raise LOOKALIKES[name][0]("mine")
    return index


@pytest.mark.parametrize("name", LOOKALIKES)
def test_errors_of_a_task_that_look_like_deaths_are_its_own(name):
    calls = []

    def task(index):
        calls.append(index)
        return looks_alike(name, index)

    with ThreadPoolExecutor(2) as threads:
        with pytest.raises(BaseException, match="mine") as caught:
            list(run_blocks(task, range(9), threads, 3))
        assert caught.value.__notes__ == ["in block 3"]
        assert threads.submit(abs, -1).result() == 1
    assert calls.count(3) == 1


def test_a_pool_of_processes_survives_what_a_task_raises():
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        for name, (_, kind) in LOOKALIKES.items():
            with pytest.raises(kind, match="mine") as caught:
                list(run_blocks(functools.partial(looks_alike, name), range(9), pool, 3))
            assert caught.value.__notes__ == ["in block 3"]
        assert pool.submit(abs, -1).result() == 1


def test_a_pool_of_processes_that_its_owner_shuts_down_meanwhile(monkeypatch):
    monkeypatch.setattr(_mc_executors, "_TICK", 0.01)
    pool = ProcessPoolExecutor(1, mp_context=get_context("spawn"))
    blocks = run_blocks(functools.partial(pow, 2), itertools.count(), pool, 3)
    next(blocks)
    pool.shutdown(wait=False, cancel_futures=True)
    with pytest.raises(RuntimeError, match="after shutdown"):
        for _ in blocks:
            pass


def test_ctrl_c_cancels_and_does_not_wait():
    # The calling thread waits for two blocks that would take a minute.
    held, calls = threading.Event(), []

    def task(index):
        calls.append(index)
        if index == 1:
            _thread.interrupt_main()
        held.wait(60)

    with ThreadPoolExecutor(2) as threads:
        with pytest.raises(KeyboardInterrupt):
            list(run_blocks(task, range(100), threads, 3, tick=lambda: None))
        assert not held.is_set()
        held.set()
    assert set(calls) == {0, 1}


# ---------------------------------------------------------------------------------- what processes cannot get


class Locked:
    def __init__(self):
        self.lock = threading.Lock()

    def __call__(self, rng, n):
        return rng.random(n)


@pytest.mark.parametrize("sample", [lambda rng, n: rng.random(n), Locked()])
def test_what_cannot_be_pickled_is_refused(sample):
    with (
        ProcessPoolExecutor(1) as pool,
        pytest.raises(TypeError, match=r"sample cannot be pickled .*: define it at the top of a module, or"),
    ):
        check_executor(pool, functools.partial(pow, sample))


INTERACTIVE = """
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from ninthgeom._mc_executors import check_executor

def sample(index):
    return index

for method in ("fork", "spawn", "forkserver"):
    with ProcessPoolExecutor(1, get_context(method)) as pool:
        for task in (sample, partial(sample, 1), partial(pow, 2)):
            try:
                check_executor(pool, task)
                print("taken")
            except TypeError as error:
                print(str(error)[:42])
"""


def test_what_was_typed_in_is_refused_unless_processes_are_forked(run_python):
    refused = "sample was defined in an interactive sessi"
    fresh = [refused, refused, "taken"]
    assert run_python(INTERACTIVE).splitlines() == ["taken"] * 3 + fresh * 2


def test_functions_of_modules_can_go_anywhere():
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        check_executor(pool, functools.partial(square))


class OneWay:
    """Pickled, but not back."""

    def __reduce__(self):
        return int, ("no number",)


class UntoldError(Exception):
    def __init__(self, one, two):
        # The arguments alone would do, if distributed did not change how all errors are pickled.
        super().__init__(f"{one} and {two}")
        self.part = OneWay()


def test_errors_that_cannot_be_pickled_do_not_look_like_deaths(monkeypatch):
    # A library that other tests import teaches pickle how to.
    monkeypatch.delitem(copyreg.dispatch_table, UntoldError, raising=False)

    def task(index):
        raise UntoldError(1, 2) if index else UnluckyError(index)

    with pytest.raises(RuntimeError, match=r"^UntoldError: 1 and 2$") as caught:
        _mc_executors._in_process(task, 1)
    assert "in task" in str(caught.value.__cause__)
    assert caught.value.__context__ is None
    with pytest.raises(UnluckyError):
        _mc_executors._in_process(task, 0)
