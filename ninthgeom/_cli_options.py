"""What the commands share: options, errors in one line, kernels loaded before time is taken."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from ninthgeom._slots import IntArray
    from ninthgeom.board import Board

#: Exit code of what ended by Ctrl-C, as shells have it.
INTERRUPTED: Final = 130


def _checked_workers(_context: click.Context, _option: click.Parameter, workers: int) -> int:
    if workers == 0:
        raise click.BadParameter("0 threads do no work.")
    return workers


path_type = click.Path(path_type=Path)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=-1),
    callback=_checked_workers,
    default=1,
    show_default=True,
    help="Threads; -1 takes every core. The answers do not depend on it.",
)


class BadInput(click.ClickException):
    """Something handed in that cannot be used; one line on stderr."""

    exit_code = 2


@contextlib.contextmanager
def bad_input(place: object) -> Iterator[None]:
    """Turn an error about the file or option `place` into the line that the user reads.

    ImportError is one of them: files of some kinds need a library that not everybody has.
    """
    try:
        yield
    except ModuleNotFoundError:  # that is no advice about a library, it is a fault
        raise
    except (OSError, ValueError, TypeError, ImportError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # Errors of scene files name the file themselves.
        line = " ".join(problem.removeprefix(f"{place}: ").split())
        raise BadInput(f"{place}: {line}") from error


def check_apart(files: Mapping[str, Path | None]) -> None:
    """Raise if two options, or an option and an argument, name the same file: one would take its place."""
    places: dict[Path, str] = {}
    for option, path in files.items():
        if path is not None and (other := places.setdefault(path.resolve(), option)) != option:
            raise BadInput(f"{option}: {path} is {other} too")


def unit_indices(board: Board, option: str, names: tuple[str, ...]) -> IntArray:
    """Return the indices of the units that an option names, of all if it names none."""
    try:
        return board.indices(names or None)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None


def named_questions(asked: str, known: Collection[str]) -> frozenset[str]:
    """Return the questions that an option names, separated by commas."""
    names = [name.strip() for name in asked.split(",")]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"must be of {', '.join(known)}, got {name!r}{hint}")
    return frozenset(names)


def load_kernels(board: Board, *questions: Callable[..., object]) -> None:
    """Ask questions once, so that what only a first call pays is not counted."""
    import numpy as np

    for question in questions:
        question(board, np.zeros((len(board), 3)))
