"""A bar on the terminal for work that takes long: how much is done, how fast, how long it will take."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator
from typing import Final, Protocol, TextIO


class Advance(Protocol):
    """Is told how many more are done and, where there is more to say, a short text."""

    def __call__(self, count: int, note: str = "", /) -> None: ...


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
        ``advance(count, note)`` adds to what is done and shows the note.
    """
    if not (wanted and _is_terminal(sys.stderr)):
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

    def advance(more: int, note: str = "", /) -> None:
        nonlocal count, drawn
        count += more
        now = time.monotonic()
        rate = f"{count / (now - start):,.0f} a second" if now > start else ""
        bar.update(task, advance=more, rate=rate, note=note)
        if now - drawn >= _PAUSE:
            drawn = now
            bar.refresh()

    with bar:
        bar.refresh()
        yield advance


def _is_terminal(stream: TextIO | None) -> bool:
    # A process without a console has no stream at all, or one that is closed.
    return stream is not None and not stream.closed and stream.isatty()


def _ignore(_count: int, _note: str = "", /) -> None:
    pass
