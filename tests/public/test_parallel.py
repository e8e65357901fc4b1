"""Chunks and threads: the same bits, every item once, errors and limits."""

import _thread
import multiprocessing
import os
import signal
import threading
import time

import numpy as np
import pytest

import ninthgeom
from ninthgeom._parallel import (
    ALIGNMENT,
    LONGEST_CHUNK_NS,
    SHORTEST_CHUNK_NS,
    chunk_count,
    chunk_edges,
    run_chunks,
    worker_count,
)
from tests.strategies import random_bases


@pytest.mark.parametrize("cost", [0.1, 3.0, 1e3, 1e6, 1e9])
@pytest.mark.parametrize("n", [1, 2, 31, 1000, 12_345_678])
def test_chunks(n, cost):
    chunks = chunk_count(n, cost)
    assert 1 <= chunks <= n
    assert n / chunks * cost <= LONGEST_CHUNK_NS or chunks == n
    assert n / chunks * cost >= 0.5 * SHORTEST_CHUNK_NS or chunks == 1


@pytest.mark.parametrize("chunks", [1, 2, 7, 32])
@pytest.mark.parametrize("n", [32, 1000, 65_536, 1_000_003])
def test_edges_of_chunks(n, chunks):
    edges = np.array(chunk_edges(n, chunks))
    assert (edges[0], edges[-1], len(edges)) == (0, n, chunks + 1)
    lengths = np.diff(edges)
    assert lengths.min() > 0
    assert lengths.max() - lengths.min() <= max(
        1, lengths.max() // 8
    )  # hardly one has more to do than another
    if lengths.max() >= 32 * ALIGNMENT:
        assert (edges[:-1] % ALIGNMENT == 0).all()


@pytest.mark.parametrize("workers", [1, 2, 3, 7, -1])
@pytest.mark.parametrize("n", [0, 1, 5, 1000, 100_003])
def test_every_item_once(n, workers):
    seen = np.zeros(n, int)

    def task(start, stop):
        seen[start:stop] += 1

    run_chunks(task, n, workers=workers, cost_ns=1000.0)
    assert (seen == 1).all()


def test_short_work_stays_in_the_callers_thread():
    threads = set()
    run_chunks(lambda start, stop: threads.add(threading.get_ident()), 1000, workers=8, cost_ns=100.0)
    assert threads == {threading.get_ident()}


def test_long_work_is_shared():
    barrier = threading.Barrier(2)
    threads = set()

    def task(start, stop):
        threads.add(threading.get_ident())
        if len(threads) < 2:
            barrier.wait(timeout=30)  # the caller and one more, at the same time
        elif not barrier.broken and barrier.n_waiting:
            barrier.wait(timeout=30)

    run_chunks(task, 1000, workers=2, cost_ns=1e5)
    assert threading.get_ident() in threads
    assert len(threads) == 2


@pytest.mark.parametrize("workers", [1, 2, 4])
def test_first_error_is_raised_and_ends_the_work(workers):
    begun = []

    def task(start, stop):
        begun.append(start)
        time.sleep(0.001)
        if len(begun) >= 3:
            raise ArithmeticError(f"chunk from {start}")

    with pytest.raises(ArithmeticError, match="chunk from"):
        run_chunks(task, 10_000, workers=workers, cost_ns=1e4)
    assert len(begun) < 3 + 2 * workers
    assert not any(thread.name.startswith("ninthgeom") for thread in threading.enumerate())


def test_interrupt_while_threads_work_is_raised_when_they_have_ended():
    running = threading.Event()

    def task(start, stop):
        if threading.current_thread() is threading.main_thread():
            running.wait(30)
            raise KeyboardInterrupt
        running.set()
        time.sleep(0.05)

    with pytest.raises(KeyboardInterrupt):
        run_chunks(task, 1000, workers=2, cost_ns=1e5)
    assert not any(thread.name.startswith("ninthgeom") for thread in threading.enumerate())


def test_interrupt_while_waiting_for_threads():
    begun = threading.Event()

    def task(start, stop):
        if threading.current_thread() is threading.main_thread():
            begun.wait(30)
        elif not begun.is_set():
            begun.set()
            time.sleep(0.2)  # the caller has run out of chunks by now and waits
            _thread.interrupt_main()
            time.sleep(0.05)

    # a process that runs in the background may have been started with interrupts ignored
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            run_chunks(task, 1000, workers=2, cost_ns=1e5)
    finally:
        signal.signal(signal.SIGINT, handler)
    assert not any(thread.name.startswith("ninthgeom") for thread in threading.enumerate())


def test_worker_count():
    assert worker_count(-1) == len(os.sched_getaffinity(0))
    assert worker_count(np.int64(3)) == 3
    with pytest.raises(ValueError, match=r"^workers must be -1 or at least 1, got 0$"):
        worker_count(0)
    with pytest.raises(TypeError, match=r"^workers must be an int, got 2.0$"):
        worker_count(2.0)


# Enough pairs for several chunks.
RNG = np.random.default_rng(1)
A, B = (random_bases(RNG, 400_000, "mixed") for _ in range(2))
QUESTIONS = [ninthgeom.distance, ninthgeom.in_contact, ninthgeom.wholly_within, ninthgeom.inside_arcs]


@pytest.mark.parametrize("question", QUESTIONS)
def test_same_bits_for_any_number_of_workers(question):
    for a, b in ((A, B), (A[:700, None], B[:1000]), (A[0], B), (A, B[0]), (A[None, :700], B[:1000, None])):
        expected = question(a, b)
        for workers in (2, 3, -1):
            np.testing.assert_array_equal(question(a, b, workers=workers), expected)


def test_called_from_many_threads_at_once():
    expected = ninthgeom.distance(A, B)
    found = {}

    def call(i):
        found[i] = ninthgeom.distance(A, B, workers=2)

    threads = [threading.Thread(target=call, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for i in range(4):
        np.testing.assert_array_equal(found[i], expected)


def _contacts(workers):
    return int(ninthgeom.in_contact(A, B, workers=workers).sum())


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="no fork here")
def test_forked_child_after_threads_were_used():
    expected = _contacts(2)
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.apply_async(_contacts, (2,)).get(timeout=60) == expected
