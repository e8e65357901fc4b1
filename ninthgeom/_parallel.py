"""Threads: one batch, cut into chunks, for kernels that release the GIL."""

from __future__ import annotations

import itertools
import math
import os
import threading
from collections.abc import Callable
from typing import Final

import numpy as np

#: Work shorter than this is not worth a thread: starting and joining one takes 0.1 ms.
WORTH_A_THREAD_NS: Final = 1e6
#: Chunks that share a batch evenly between many cores, as long as none is too short or too long:
CHUNKS: Final = 32
#: a call of a kernel costs some microseconds,
SHORTEST_CHUNK_NS: Final = 1e5
#: and cannot be interrupted, so this is how long Ctrl-C may have to wait.
LONGEST_CHUNK_NS: Final = 5e7
#: Long chunks begin at multiples of this many items, so that cache lines of columns are read whole
#: and written by one thread: contact of a million pairs takes 9 % less time than with chunks of any length.
ALIGNMENT: Final = 64


def chunk_count(n: int, cost_ns: float) -> int:
    """In how many chunks to cut n items that take `cost_ns` each; never depends on the number of workers."""
    work = n * cost_ns
    length = min(max(work / CHUNKS, SHORTEST_CHUNK_NS), LONGEST_CHUNK_NS)
    return max(1, min(math.ceil(work / length), n))


def chunk_edges(n: int, chunks: int) -> list[int]:
    """Where chunks of about the same length begin, and n, where the last one ends."""
    step = ALIGNMENT if n >= 16 * ALIGNMENT * chunks else 1
    return [n * i // chunks // step * step for i in range(chunks)] + [n]


def worker_count(workers: object) -> int:
    """Check `workers` and resolve -1 to the cores this process may use."""
    if not isinstance(workers, int | np.integer):
        raise TypeError(f"workers must be an int, got {workers!r}")
    if workers == 1:
        return 1
    if workers == -1:
        # Linux knows which cores this process may use; elsewhere all of them count.
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if workers < 1:
        raise ValueError(f"workers must be -1 or at least 1, got {workers}")
    return int(workers)


def run_chunks(task: Callable[[int, int], object], n: int, *, workers: int = 1, cost_ns: float) -> None:
    """Call ``task(start, stop)`` for chunks that together cover n items, in any order, in some threads.

    The threads live as long as the call: a pool kept between calls would hang in a forked child. The calling
    thread takes chunks too. After the first exception no further chunk is begun; it is raised once all
    threads have ended.

    Parameters
    ----------
    task : callable
        Computes the items from start to stop; writes to nothing that another chunk reads or writes.
    n : int
        Number of items; nothing is called for 0.
    workers : int
        Number of threads; -1 takes every core the process may use.
    cost_ns : float
        About what an item takes, in nanoseconds.

    Examples
    --------
    >>> total = []
    >>> run_chunks(lambda start, stop: total.append(stop - start), 10, cost_ns=1.0)
    >>> sum(total)
    10
    """
    count = worker_count(workers)
    if n == 0:
        return
    if n * cost_ns <= WORTH_A_THREAD_NS:
        task(0, n)
        return
    chunks = chunk_count(n, cost_ns)
    edges = chunk_edges(n, chunks)
    turns = itertools.count()  # next() of it is atomic
    errors: list[BaseException] = []

    def work() -> None:
        try:
            for i in turns:
                if i >= chunks or errors:
                    return
                task(edges[i], edges[i + 1])
        except BaseException as error:  # handed to the caller below, whatever it is
            errors.append(error)

    threads = [threading.Thread(target=work, name=f"ninthgeom-{i}") for i in range(1, min(count, chunks))]
    for thread in threads:
        thread.start()
    work()
    for thread in threads:
        while thread.is_alive():
            try:
                thread.join()
            except BaseException as error:  # an interrupt: the threads still write to the caller's arrays
                errors.append(error)
    if errors:
        raise errors[0]
