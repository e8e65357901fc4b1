"""Blocks spread over an executor of `concurrent.futures`, whose workers may die."""

from __future__ import annotations

import contextlib
import pickle
import pickletools
import sys
import traceback
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from functools import partial
from typing import Any, Final, TypeVar

from ninthgeom._checks import PlacedTypeError

Answer = TypeVar("Answer")

#: Blocks handed to an executor for each of its workers: one to work on, two that wait,
IN_FLIGHT_PER_WORKER: Final = 3
#: and all in all where it does not say how many workers it has.
IN_FLIGHT: Final = 16
# Seconds between two looks at blocks and two pictures of the progress bar while nothing ends.
_TICK: Final = 0.5
# Stands in errors that the task raised, which may be of the kinds that tell of dead workers.
_OF_TASK: Final = "_is_of_ninthgeom_task"


def run_blocks(
    task: Callable[[int], Answer],
    indices: Iterable[int],
    executor: Executor | None,
    retries: int,
    *,
    tick: Callable[[], object] | None = None,
) -> Generator[tuple[int, Answer], None, None]:
    """Call ``task(index)`` for every index; yield index and answer in the order in which they end.

    Only some are handed to the executor at a time. What is given up, by an error or because nobody asks for
    more, is cancelled; what an executor already works on may still run to its end there.

    Parameters
    ----------
    task : callable
        What to do; processes need one that can be pickled.
    indices : iterable of int
        What to do it with, read as it is needed.
    executor : Executor or None
        Where to do it; None is here. It is not shut down, unless it is a pool of processes that broke:
        another one like it is made, used for the rest and shut down in the end.
    retries : int
        How often an index is tried again after its worker died; the last time alone, so that one that was
        only beside a deadly one gets done.
    tick : callable, optional
        Called now and then while no answer comes.

    Raises
    ------
    BrokenExecutor
        If workers died too often; with a note that names the index. So with `KilledWorker` of `distributed`.
    Exception
        What `task` raised for the lowest index for which it did, with a note that names the index; after the
        answers for all lower ones, so that it does not depend on what ends first.
    """
    if executor is None:
        return _run_here(task, indices)
    return _spread(task, iter(indices), _Workers(executor), retries, tick)


def check_executor(executor: object, task: Callable[[int], object]) -> None:
    """Raise TypeError unless `run_blocks` can use an executor, and its processes can get the task."""
    if isinstance(executor, ProcessPoolExecutor):
        _check_picklable(task, executor)
    elif executor is not None and not isinstance(executor, Executor):
        hint = "; a Client gives one by get_executor()" if hasattr(executor, "get_executor") else ""
        raise PlacedTypeError(("executor",), f"must be a concurrent.futures.Executor, got {executor!r}{hint}")


def _check_picklable(task: Callable[[int], object], pool: ProcessPoolExecutor) -> None:
    advice = (
        "define it at the top of a module, or as functools.partial of such a function, or use a "
        "ThreadPoolExecutor, or the executor of a dask.distributed Client, which also takes lambdas"
    )
    try:
        pickled = pickle.dumps(task)
    except Exception as error:  # what __reduce__ of anything raises is endless
        raise TypeError(f"sample cannot be pickled for other processes ({error}): {advice}") from None
    context = getattr(pool, "_mp_context", None)
    method = context.get_start_method() if context is not None else None
    has_file = hasattr(sys.modules["__main__"], "__file__")
    if method == "fork" or has_file:
        return
    # Only its name is pickled, which means nothing where the module was typed in.
    if any(argument == "__main__" for _, argument, _ in pickletools.genops(pickled)):
        raise TypeError(f"sample was defined in an interactive session, unknown to other processes: {advice}")


def _run_here(
    task: Callable[[int], Answer], indices: Iterable[int]
) -> Generator[tuple[int, Answer], None, None]:
    for index in indices:
        try:
            answer = task(index)
        except Exception as error:
            error.add_note(f"in block {index}")
            raise
        yield index, answer


def _spread(
    task: Callable[[int], Answer],
    indices: Iterator[int],
    workers: _Workers,
    retries: int,
    tick: Callable[[], object] | None,
) -> Generator[tuple[int, Answer], None, None]:
    running: dict[Future[Answer], tuple[int, Executor]] = {}
    deaths: Counter[int] = Counter()
    again: list[int] = []
    # A pool that breaks takes all its blocks along and does not say whose worker died. So a block is alone on
    # its last try: one that fails then is to blame, and those that were only beside it get done.
    suspects: list[int] = []
    # Not raised before all blocks below it have ended: they may fail too, or be all that the caller needs.
    failure: tuple[int, Exception] | None = None

    def bury(index: int, executor: Executor, error: BaseException, company: Sequence[int] = ()) -> None:
        """Note that the worker of a block died, and have the block run again."""
        deaths[index] += 1
        if deaths[index] > retries:
            whose = f"block {index}"
            if len(company) > 1 and isinstance(executor, ProcessPoolExecutor):
                whose = f"one of the blocks {', '.join(map(str, sorted(company)))}"
            error.add_note(f"the worker of {whose} died, {deaths[index]} times in all")
            raise error
        (again if deaths[index] < retries else suspects).append(index)
        workers.replace(executor)

    def fail(index: int, error: Exception) -> None:
        """Note an error of the task, and give up all blocks above it."""
        nonlocal failure, indices
        if failure is not None and failure[0] < index:
            return
        failure, indices = (index, error), iter(())
        again[:], suspects[:] = ([i for i in some if i < index] for some in (again, suspects))
        for future in [future for future, (i, _) in running.items() if i > index]:
            future.cancel()
            del running[future]

    def next_index() -> int | None:
        if again:
            return again.pop()
        if suspects:
            return None if running else suspects.pop()
        return next(indices, None)

    limit = workers.in_flight()
    try:
        while True:
            while len(running) < limit and not any(deaths[i] >= retries > 0 for i, _ in running.values()):
                if (index := next_index()) is None:
                    break
                executor = workers.executor
                try:
                    running[workers.submit(task, index)] = index, executor
                except BrokenExecutor as error:
                    if running:  # they will tell; this one has not been tried
                        again.append(index)
                        break
                    bury(index, executor, error)
            if not running:
                if failure is not None:
                    raise failure[1]
                return
            answers, failed = _collect(running)
            if not answers and not failed:
                workers.check_open()
            if tick is not None and not answers and not failed:
                tick()
            yield from answers
            # After the good ones, which the caller may keep.
            for index, executor, cause in sorted(failed, key=lambda failure: failure[0]):
                if not _means_death(cause):
                    cause.add_note(f"in block {index}")
                    if not isinstance(cause, Exception):
                        raise cause
                    fail(index, cause)
                    continue
                if failure is not None and failure[0] < index:
                    workers.replace(executor)
                    continue
                beside = [*((i, where) for i, where, _ in failed), *running.values()]
                bury(index, executor, cause, [i for i, where in beside if where is executor])
    except BaseException:
        workers.close(at_once=True)
        raise
    finally:
        for future in running:
            future.cancel()
        running.clear()
        workers.close(at_once=False)


def _collect(
    running: dict[Future[Answer], tuple[int, Executor]],
) -> tuple[list[tuple[int, Answer]], list[tuple[int, Executor, BaseException]]]:
    """Wait a while, take out what has ended, and return answers and errors."""
    answers, failed = [], []
    wait(running, timeout=_TICK, return_when=FIRST_COMPLETED)
    # Not what `wait` returns: a pool of processes that somebody shuts down cancels without telling it.
    for future in [future for future in running if future.done()]:
        index, executor = running.pop(future)
        error = _error_of(future)
        if error is None:
            answers.append((index, future.result()))
            continue
        failed.append((index, executor, error))
    return answers, failed


class _Workers:
    """An executor, and what takes its place when it breaks."""

    def __init__(self, executor: Executor) -> None:
        self.executor = executor
        self._own: ProcessPoolExecutor | None = None

    def in_flight(self) -> int:
        """Return how many blocks it should have at a time."""
        self.check_open()
        count = getattr(self.executor, "_max_workers", None)
        client = getattr(self.executor, "_client", None)
        if _is_of_dask(self.executor) and client is not None:
            count = sum(client.nthreads().values())
        return IN_FLIGHT_PER_WORKER * count if isinstance(count, int) and count > 0 else IN_FLIGHT

    def check_open(self) -> None:
        """Raise if it belongs to a client that was closed: what a cluster does then, nobody hears of."""
        client = getattr(self.executor, "_client", None)
        if _is_of_dask(self.executor) and getattr(client, "status", "") == "closed":
            raise RuntimeError("the client that the executor belongs to is closed")

    def submit(self, task: Callable[[int], Answer], index: int) -> Future[Answer]:
        """Hand a block to it."""
        if _is_of_dask(self.executor):
            return _submit_to_cluster(self.executor, task, index)
        if isinstance(self.executor, ProcessPoolExecutor):
            return self.executor.submit(_in_process, task, index)
        return self.executor.submit(partial(_marking, task), index)

    def replace(self, broken: Executor) -> None:
        """Make a new pool of processes, unless the broken one has been replaced already."""
        if broken is not self.executor or not isinstance(broken, ProcessPoolExecutor):
            return
        names = ("max_workers", "mp_context", "initializer", "initargs", "max_tasks_per_child")
        try:
            if broken._shutdown_thread and not broken._broken:
                return  # its owner shut it down, and cancelled what waited
            settings: dict[str, Any] = {name: getattr(broken, f"_{name}") for name in names}
        except AttributeError:  # nobody promises them; it stays broken, and says so when it is asked again
            return
        # Its threads have ended before others are made: a fork should not happen beside them.
        broken.shutdown(wait=True, cancel_futures=True)
        self.executor = self._own = ProcessPoolExecutor(**settings)

    def close(self, *, at_once: bool) -> None:
        """Shut down what was made here; at once: nobody wants what it still works on."""
        own, self._own = self._own, None
        if own is None:
            return
        if at_once:
            for process in list((own._processes or {}).values()):
                process.terminate()
        own.shutdown(wait=True, cancel_futures=True)


def _submit_to_cluster(executor: Any, task: Callable[[int], Answer], index: int) -> Future[Answer]:
    """Hand a block to a cluster of dask, as its executor does, but for two things.

    There an answer that arrives while it is cancelled is an error in the log, and the traceback of an error
    holds the future, so that the cluster keeps the block as long as there is a client. This needs parts of it
    that are not documented; an executor without them hands the block over itself.
    """
    # Not pure: a second try would be answered with what became of the first one.
    marking, how = partial(_marking, task), {"pure": False}
    client, wishes = getattr(executor, "_client", None), getattr(executor, "_kwargs", None)
    if client is None or wishes is None:
        answer: Future[Answer] = executor.submit(marking, index, **how)
        return answer
    there = client.submit(marking, index, **{**wishes, **how})
    here: Future[Answer] = Future()

    async def bring() -> None:
        try:
            result = await there._result(raiseit=False)
        except Exception as error:  # such as the loss of the connection
            status, result = "error", (type(error), error, error.__traceback__)
        else:
            status = there.status
        if not here.set_running_or_notify_cancel():
            return  # nobody wants it any more
        if status == "finished":
            here.set_result(result)
        elif status == "error":
            _, cause, trace = result
            here.set_exception(cause.with_traceback(trace))
        else:
            here.set_exception(CancelledError())

    def cancel(ended: Future[Answer]) -> None:
        if ended.cancelled():
            with contextlib.suppress(Exception):  # a client that was closed has nothing left to cancel
                there.cancel()

    here.add_done_callback(cancel)
    client.loop.add_callback(bring)
    return here


def _marking(task: Callable[[int], Answer], index: int) -> Answer:
    """Call the task, and mark what it raises: its own workers may have died, which is its own affair."""
    try:
        return task(index)
    except BaseException as error:
        setattr(error, _OF_TASK, True)
        raise


class _OriginalError(Exception):
    """How an error looked that cannot be pickled."""


def _in_process(task: Callable[[int], Answer], index: int) -> Answer:
    """Call the task; an error that the parent could not unpickle would look like the death of the worker."""
    try:
        return _marking(task, index)
    except BaseException as error:
        try:
            is_same = hasattr(pickle.loads(pickle.dumps(error)), _OF_TASK)
        except Exception:  # what __reduce__ of anything raises is endless
            is_same = False
        if is_same:
            raise
        stand_in = RuntimeError(f"{type(error).__qualname__}: {error}")
        cause = _OriginalError("".join(traceback.format_exception(error)))
    # Outside, so that it is not tied to the other one, which some libraries have pickle send along.
    setattr(stand_in, _OF_TASK, True)
    raise stand_in from cause


def _error_of(future: Future[Any]) -> BaseException | None:
    """Return what ended a future; whoever cancelled one that we wait for took its worker away."""
    try:
        return future.exception()
    except CancelledError as error:
        return error


def _means_death(error: BaseException) -> bool:
    """Whether it was the worker that failed, not the task."""
    if hasattr(error, _OF_TASK):
        return False
    if isinstance(error, BrokenExecutor | CancelledError):
        return True
    return any(kind.__name__ == "KilledWorker" and _is_dask(kind) for kind in type(error).__mro__)


def _is_of_dask(executor: Executor) -> bool:
    return any(kind.__name__ == "ClientExecutor" and _is_dask(kind) for kind in type(executor).__mro__)


def _is_dask(kind: type) -> bool:
    return kind.__module__.partition(".")[0] == "distributed"
