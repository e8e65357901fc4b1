"""What the commands share: options, errors in one line, kernels loaded before time is taken."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Collection, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from ninthgeom._slots import IntArray
    from ninthgeom.board import Board

#: What is asked of pairs of units: `t9a.evaluate.QUESTIONS`, which ``--help`` need not import.
UNIT_QUESTIONS: Final = ("distance", "contact", "arcs", "sight")
# Seconds after which the user hears what is going on.
_MOMENT: Final = 2.0
#: Exit code of what ended by Ctrl-C, as shells have it.
INTERRUPTED: Final = 130


def _checked_workers(_context: click.Context, _option: click.Parameter, workers: int) -> int:
    if workers == 0:
        raise click.BadParameter("0 threads do no work.")
    return workers


def _unit_names(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """Return what a shell completes --observers and --targets to."""
    from ninthgeom._cli_completion import unit_names

    return unit_names(context, begun)


def model_names(context: click.Context, _option: click.Parameter, begun: str) -> list[str]:
    """Return what a shell completes --duel to."""
    from ninthgeom import _cli_completion

    return _cli_completion.model_names(context, begun)


path_type = click.Path(path_type=Path)
observers_option = click.option(
    "--observers",
    metavar="NAME",
    multiple=True,
    shell_complete=_unit_names,
    help="A unit that observes; repeat for several.  [all]",
)
targets_option = click.option(
    "--targets",
    metavar="NAME",
    multiple=True,
    shell_complete=_unit_names,
    help="A unit that is observed; repeat for several.  [all]",
)
workers_option = click.option(
    "--workers",
    type=click.IntRange(min=-1),
    callback=_checked_workers,
    default=1,
    show_default=True,
    help="Threads; -1 takes every core. The answers do not depend on it.",
)


def examples(*lines: str) -> str:
    """Return the end of a help text: commands that can be tried, as they are typed."""
    return "\b\n" + "\n".join(["Examples:", *(f"  {line}" for line in lines)])


class BadInput(click.ClickException):
    """Something handed in that cannot be used; one line on stderr."""

    exit_code = 2


@contextlib.contextmanager
def bad_input(place: object, more: str = "") -> Iterator[None]:
    """Turn an error about the file or option `place` into the line that the user reads.

    The line ends with what there is `more` to say. ImportError is one of the errors: files of some kinds need
    a library that not everybody has.
    """
    try:
        yield
    except ModuleNotFoundError:  # that is no advice about a library, it is a fault
        raise
    except (OSError, ValueError, TypeError, ImportError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # Errors of scene files name the file themselves, those of checkpoints with its whole path.
        problem = problem.removeprefix(f"{place}: ")
        if isinstance(place, Path):
            problem = problem.removeprefix(f"{place.absolute()} ").removeprefix(f"{place.absolute()}: ")
        line = " ".join(problem.split())
        raise BadInput(f"{place}: {line}" + (f"; {more}" if more else "")) from error


@contextlib.contextmanager
def printed_file(name: str) -> Iterator[Path]:
    """Give a file to write to, and print all that is in it once it is complete."""
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        try:
            yield path
        except BadInput as error:  # the user knows nothing of this file
            raise BadInput(error.message.replace(str(path), "--json")) from error
        click.echo(path.read_bytes(), nl=False)


def refuse_overwriting(out_path: Path, *inputs: Path | None) -> None:
    """Raise ValueError for a file to write that is one of those to read, under whatever name."""
    for path in inputs:
        if path is None:
            continue
        same = out_path.resolve() == path.resolve()
        with contextlib.suppress(OSError):  # what is not there is told by whoever opens it
            same = same or out_path.samefile(path)
        if same:
            raise ValueError(f"{out_path}: would be written over {path}, which is read")


def named_units(board: Board, option: str, names: tuple[str, ...]) -> IntArray:
    """Return the indices of the units that an option names, each once, of all if it names none."""
    try:
        return board.indices(list(dict.fromkeys(names)) or None)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None


def named_questions(asked: str, known: Collection[str]) -> frozenset[str]:
    """Return the questions that an option names, separated by commas."""
    from difflib import get_close_matches

    names = [name.strip() for name in asked.split(",")]
    for name in names:
        if name not in known:
            near = get_close_matches(name, known, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"must be of {', '.join(known)}, got {name!r}{hint}")
    return frozenset(names)


@contextlib.contextmanager
def patience() -> Iterator[None]:
    """Say on a terminal what takes so long if kernels are compiled, which happens once, not just loaded."""
    from threading import Event, Thread

    from ninthgeom._progress import is_terminal

    over = Event()
    start = time.time()

    def tell() -> None:
        while not over.wait(_MOMENT):
            if _compiled_since(start):
                click.echo("Compiling kernels, once for this version ...", err=True)
                return

    if is_terminal(sys.stderr):
        Thread(target=tell, daemon=True).start()
    try:
        yield
    finally:
        over.set()


def _compiled_since(start: float) -> bool:
    """Return whether kernels are compiled, those that are already done in this process as those to come.

    A slow machine may take long to read them from the cache, too; then nothing is added to it.
    """
    kernels = sys.modules.get("ninthgeom_kernel._jit")  # imported by whoever asks a question
    if kernels is None:
        return False
    if kernels.CACHE_DIR is None:
        return True
    with contextlib.suppress(OSError):  # somebody may empty the cache meanwhile
        return any(path.stat().st_mtime >= start for path in Path(kernels.CACHE_DIR).rglob("*.nbi"))
    return False


def load_kernels(board: Board, *questions: Callable[..., object]) -> None:
    """Ask questions once, so that what only a first call pays is not counted."""
    import numpy as np

    with patience():
        for question in questions:
            question(board, np.zeros((len(board), 3)))
