"""The loop of a mass evaluation: states are read in chunks and answered, and written while it goes on.

However long the file, one chunk is in memory at a time. Where a chunk begins does not depend on the number of
workers, and nothing that is found depends on it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Protocol, TypeVar

from numpy.typing import NDArray

from ninthgeom._checks import PlacedError

#: What the arrays of a chunk take, those handed in and those handed out. Writing takes a twentieth of the
#: time of answering: doing it in a thread would gain little and keep two chunks in memory.
BYTES_IN_MEMORY: Final = 64 * 2**20
#: And so many states at most, where little is asked of each: an interruption loses what is not written yet.
MOST_STATES: Final = 16_384

Answered = TypeVar("Answered")
Arrays = Mapping[str, NDArray[Any]]


class Source(Protocol):
    """States, as `_position_files` reads them."""

    @property
    def n_states(self) -> int:
        """Number of states."""

    def chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Return positions, and present and occupied where they are known, of some states."""


class Task(Protocol[Answered]):
    """What is asked about each state, and what is summed up over all of them."""

    def answer(self, states: Arrays, first: int, workers: int) -> Answered:
        """Answer for some states, the first of which has this number among all; changes nothing."""

    def arrays(self, answered: Answered) -> tuple[dict[str, NDArray[Any]], dict[str, NDArray[Any]]]:
        """Return the arrays with an entry for each state, and the columns with any number of them."""

    def add(self, answered: Answered) -> None:
        """Add answers to the sums; called in the order of the states."""

    def carried(self) -> Any:
        """Return the sums as JSON has them."""

    def carry_on(self, carried: Any) -> None:
        """Go on from such sums."""

    def check(self) -> None:
        """Raise ValueError for what can only be said when all states are known."""


class Sink(Protocol):
    """Where answers go, as `_answer_files` writes them."""

    done: int
    carried: Any
    complete: bool

    def write(self, dense: Arrays, sparse: Arrays, *, n_states: int) -> None:
        """Take the answers of the next states."""

    def commit(self, carried: object) -> None:
        """Make what was written safe, with the sums up to there."""

    def finish(self, carried: object) -> None:
        """Make all of it safe, and say that it is complete."""


class Nowhere:
    """The sink of who only wants the sums."""

    resumable = False

    def __init__(self) -> None:
        self.done, self.carried, self.complete = 0, None, False

    def write(self, dense: Arrays, sparse: Arrays, *, n_states: int) -> None:
        """Forget them."""
        self.done += n_states

    def commit(self, carried: object) -> None:
        """Forget it."""

    def finish(self, carried: object) -> None:
        """Forget it."""
        self.complete = True

    def close(self) -> None:
        """Let go of nothing."""


class NotKeptError(Exception):
    """The sink failed; its error is the cause of this one."""


def states_at_once(bytes_per_state: int) -> int:
    """Return how many states make a chunk, at least one and at most `MOST_STATES`.

    Parameters
    ----------
    bytes_per_state : int
        What the arrays of a state take, those handed in and those handed out.

    Examples
    --------
    >>> states_at_once(8_192)
    8192
    """
    return max(1, min(MOST_STATES, BYTES_IN_MEMORY // max(1, bytes_per_state)))


def run(
    source: Source,
    task: Task[Answered],
    sink: Sink,
    *,
    step: int,
    workers: int = 1,
    report: Callable[[int], object] = lambda _: None,
) -> None:
    """Answer for all states that a sink does not have yet.

    Parameters
    ----------
    source : Source
    task : Task
        Has sums of no states yet; in the end it has those of all, earlier runs included.
    sink : Sink
    step : int
        States in a chunk. The answers and the sums do not depend on it.
    workers : int
        As for every question.
    report : callable
        Told after each chunk how many more states are safe.

    Raises
    ------
    TypeError, ValueError
        As the questions raise them, with the number that a state has among all. What was finished before
        is safe, if the sink keeps anything.
    NotKeptError
        If the sink cannot write.
    """
    if sink.done or sink.complete:
        with _keeping():
            _carry_on(task, sink.carried)
    if sink.complete:
        return
    for start in range(sink.done, source.n_states, step):
        stop = min(start + step, source.n_states)
        states = source.chunk(start, stop)
        with _numbered_from(start):
            answered = task.answer(states, start, workers)
        task.add(answered)
        with _keeping():
            sink.write(*task.arrays(answered), n_states=stop - start)
            sink.commit(task.carried())
        del states, answered  # or they would be there while the next chunk is answered
        report(stop - start)
    task.check()
    with _keeping():
        sink.finish(task.carried())


def _carry_on(task: Task[Answered], carried: Any) -> None:
    try:
        task.carry_on(carried)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise ValueError(f"the sums in its manifest are damaged: {error}") from error


@contextlib.contextmanager
def _keeping() -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        raise NotKeptError(str(error)) from error


@contextlib.contextmanager
def _numbered_from(first: int) -> Iterator[None]:
    """Name a state by its number among all where a question names it by that in its chunk."""
    try:
        yield
    except PlacedError as error:
        argument, *index = error.place
        if not index or not isinstance(index[0], int):
            raise
        raise type(error)((argument, first + index[0], *index[1:]), error.problem) from error
