"""Executors that do what real ones do rarely: end blocks in any order, lose workers, refuse."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any

import numpy as np


def settle(future, call, index):
    try:
        future.set_result(call(index))
    except Exception as error:
        future.set_exception(error)


class Shuffler(Executor):
    """Ends blocks in an order of its own, as soon as it has as many as it will get.

    Parameters
    ----------
    total : int
        How many blocks there will be.
    pick : callable
        ``pick(k)``: which of the k blocks that wait, oldest first, ends next.
    workers : int
        How many workers it pretends to have.
    """

    def __init__(self, total: int, pick: Callable[[int], int], workers: int = 2) -> None:
        self._max_workers = workers
        self.room = 3 * workers
        self.total = total
        self.pick = pick
        self.submitted = 0
        self.has_failed = False  # nothing more comes after an error
        self.order: list[int] = []
        self.waiting: list[tuple[Future[Any], Callable[..., Any], int]] = []
        self.is_shut_down = False

    def submit(self, call, /, index):
        self.submitted += 1
        future: Future[Any] = Future()
        self.waiting.append((future, call, index))
        while self.waiting and (
            len(self.waiting) >= self.room or self.submitted == self.total or self.has_failed
        ):
            self.end(*self.waiting.pop(self.pick(len(self.waiting))))
        return future

    def end(self, future, call, index):
        self.order.append(index)
        settle(future, call, index)
        self.has_failed |= future.exception() is not None

    def shutdown(self, wait=True, *, cancel_futures=False):
        self.is_shut_down = True


def backwards(total):
    """The newest first, the first block last of all."""
    return Shuffler(total, lambda k: k - 1)


def at_random(total, seed):
    rng = np.random.default_rng(seed)
    return Shuffler(total, lambda k: int(rng.integers(k)), workers=4)


class Mortal(Executor):
    """Answers at once, but loses some calls.

    Parameters
    ----------
    dies : callable
        ``dies(index, tries)``: what becomes of a call, an error or None; `tries` counts from 1.
    refuses : callable, optional
        The same for handing it over.
    """

    def __init__(self, dies, refuses=lambda index, tries: None):
        self.dies, self.refuses = dies, refuses
        self.tries: dict[int, int] = {}
        self.answered: list[int] = []

    def submit(self, call, /, index):
        tries = self.tries[index] = self.tries.get(index, 0) + 1
        if (error := self.refuses(index, tries)) is not None:
            raise error
        future: Future[Any] = Future()
        error = self.dies(index, tries)
        if error == "cancelled":
            future.cancel()
            future.set_running_or_notify_cancel()
        elif error is not None:
            future.set_exception(error)
        else:
            self.answered.append(index)
            settle(future, call, index)
        return future


class Silent(Executor):
    """Takes everything, ends nothing."""

    def __init__(self, workers=None):
        if workers is not None:
            self._max_workers = workers
        self.futures: list[Future[Any]] = []

    def submit(self, call, /, index):
        self.futures.append(Future())
        return self.futures[-1]


class Gone(BrokenExecutor):
    """A worker is gone."""


#: As `distributed` raises it, which is not imported here.
KilledWorker = type("KilledWorker", (Exception,), {"__module__": "distributed.scheduler"})
