"""How many times as fast one task is as another, in a way that other work on the machine hardly moves.

Both sides are repeated until they take about as long, in turn, and timed by processor time of one thread; the
answer is the median of the ratios of neighbours. Wall-clock times in blocks of their own were wrong by up
to three times where both cores were busy; this stays within a few percent.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass

Task = Callable[[], object]

#: Set where benchmarks run as mere tests: each side is called once, and the figures say little.
is_brief = False


@dataclass(frozen=True)
class Comparison:
    """Seconds that a call of either side takes, and how many times as fast the first one is."""

    ours: float
    theirs: float
    ratio: float

    def __str__(self) -> str:
        return f"{1e3 * self.ours:.2f} ms against {1e3 * self.theirs:.2f} ms: {self.ratio:.1f} x"


def seconds(task: Task, calls: int) -> float:
    """Processor time of this thread for a call, as the mean of some."""
    start = time.thread_time()
    for _ in range(calls):
        task()
    return (time.thread_time() - start) / calls


def on_a_core(task: Task, *, rounds: int = 5) -> float:
    """Seconds of the fastest of some calls, in processor time of this thread: others' work does not count."""
    return min(seconds(task, 1) for _ in range(1 if is_brief else rounds))


def compare(
    ours: Task, theirs: Task, *, part: float = 1.0, rounds: int = 9, shortest: float = 0.05
) -> Comparison:
    """Time two tasks against each other.

    Parameters
    ----------
    ours, theirs : callable
        Do the same work in two ways.
    part : float
        How much of the work `theirs` does; the rest would take it as long for each item, and minutes in all.
    rounds : int
        Neighbours that are compared.
    shortest : float
        Seconds that either side takes at least in a round.
    """
    mine, other = (on_a_core(task, rounds=2) for task in (ours, theirs))
    if is_brief:
        return Comparison(mine, other / part, other / mine / part)
    length = max(shortest, mine, other)
    calls = [max(1, round(length / max(single, 1e-7))) for single in (mine, other)]
    pairs = [(seconds(ours, calls[0]), seconds(theirs, calls[1])) for _ in range(rounds)]
    return Comparison(
        statistics.median(mine for mine, _ in pairs),
        statistics.median(other for _, other in pairs) / part,
        statistics.median(other / mine for mine, other in pairs) / part,
    )
