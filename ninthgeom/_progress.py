"""A bar on the terminal for work that takes long: how much is done, how fast, how long it will take."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol, TextIO


class Advance(Protocol):
    """Is told how many more are done and who writes a short text, where there is more to say."""

    def __call__(self, count: int, note: Callable[[], str] = str, /) -> None: ...


# Seconds between two pictures of the bar.
_PAUSE: Final = 0.1


@contextlib.contextmanager
def progress(total: int, what: str, *, done: int = 0, wanted: bool = True) -> Iterator[Advance]:
    """Show a bar on standard error while the block runs, if that is a terminal.

    The bar is drawn by whoever advances it, one thread at a time: a thread of its own would be in the way of
    processes that are forked meanwhile. It is gone when the block ends.

    Parameters
    ----------
    total : int
        How many there are to do.
    what : str
        What they are, in the plural.
    done : int
        How many were done before; they do not count for the rate.
    wanted : bool
        Show nothing if False.

    Yields
    ------
    callable
        ``advance(count, note)`` adds to what is done and shows what ``note()`` returns, which is called only
        when the bar is drawn.
    """
    if not (wanted and is_terminal(sys.stderr)):
        yield _ignore
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        BarColumn(),
        TextColumn(f"{{task.completed:,.0f}} of {{task.total:,.0f}} {what}"),
        TextColumn("{task.fields[rate]}"),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=Console(stderr=True, highlight=False),
        auto_refresh=False,
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    )
    task = bar.add_task("", total=total, completed=done, rate="", note="")
    start = drawn = time.monotonic()
    count = 0
    latest: Callable[[], str] = str

    def draw() -> None:
        seconds = max(time.monotonic() - start, 1e-9)
        bar.update(task, rate=f"{count / seconds:,.0f} a second", note=latest())
        bar.refresh()

    def advance(more: int, note: Callable[[], str] = str, /) -> None:
        nonlocal count, latest, drawn
        count, latest = count + more, note
        bar.update(task, advance=more)
        now = time.monotonic()
        if now - drawn >= _PAUSE:
            drawn = now
            draw()

    with bar:
        bar.refresh()
        yield advance
        draw()


def is_terminal(stream: TextIO | None) -> bool:
    """Return whether a stream is a terminal; a process without a console has none at all, or a closed one."""
    return stream is not None and not stream.closed and stream.isatty()


def _ignore(_count: int, _note: Callable[[], str] = str, /) -> None:
    pass
