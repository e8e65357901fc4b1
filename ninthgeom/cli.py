"""The command ``ninthgeom``: evaluate scene files, generate battles, show what the library does."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ninthgeom import __version__

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from rich.console import Console
    from rich.table import Table

    from ninthgeom.board import Board
    from ninthgeom.t9a import Answers

# A pipe has no width, and tables folded to 80 columns are hard to search.
_WIDTH_OF_A_PIPE = 160
# How far the demo moves and turns units at most: inches, radians.
_MOVED = 12.0
_TURNED = math.radians(90)


def _checked_workers(_context: click.Context, _option: click.Parameter, workers: int) -> int:
    if workers == 0:
        raise click.BadParameter("0 threads do no work.")
    return workers


_path = click.Path(path_type=Path)
_workers = click.option(
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
def _bad_input(place: object) -> Iterator[None]:
    """Turn an error about the file or option `place` into the line that the user reads."""
    try:
        yield
    except (OSError, ValueError, TypeError) as error:
        problem = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        # Errors of scene files name the file themselves.
        line = " ".join(problem.removeprefix(f"{place}: ").split())
        raise BadInput(f"{place}: {line}") from error


class _Commands(click.Group):
    """Commands that tell in one line when what they print cannot be written."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # whoever reads has seen enough; click knows what to do
            raise
        except OSError as error:
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - or Python tries again while it ends
            raise BadInput(f"standard output: {error.strerror}") from error
        return result


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ninthgeom")
def main() -> None:
    """Exact geometry of tabletop rules: who sees, touches and measures what on a battlefield."""


@main.command()
@click.argument("scene_path", metavar="SCENE.json", type=_path)
@click.option(
    "--positions",
    "positions_path",
    metavar="FILE",
    type=_path,
    help="Evaluate the states of this file: .npy with an array (n, U, 3) of x, y and heading in inches and "
    "radians, or .npz with arrays positions and, where wanted, present (n, U) and occupied (n, M).",
)
@click.option(
    "--out", "out_path", metavar="FILE", type=_path, help="Write the answers to this .npz or .json file."
)
@click.option(
    "--observers", metavar="NAME", multiple=True, help="A unit that observes; repeat for several.  [all]"
)
@click.option(
    "--targets", metavar="NAME", multiple=True, help="A unit that is observed; repeat for several.  [all]"
)
@_workers
def evaluate(
    scene_path: Path,
    positions_path: Path | None,
    out_path: Path | None,
    observers: tuple[str, ...],
    targets: tuple[str, ...],
    workers: int,
) -> None:
    """Print distance, arcs, contact and sight of every ordered pair of units.

    With --positions, many states of the battle are evaluated and summarised for each pair. The masks of the
    scene, units off the table and models lost, hold for them where that file has none of its own.

    The keys of --out: observers and targets are names; distance, contact, inside_arc, located_arc and sight
    are arrays with the axes (state, observer, target), without --positions (observer, target). Arcs add up
    front 1, left 2, rear 4 and right 8. The distance of a unit to itself, or to a unit that is not on the
    table, is infinite; in .json it is null.
    """
    from ninthgeom import _files, read_scene
    from ninthgeom.t9a._states import unit_indices

    if out_path is not None:
        with _bad_input(out_path):
            _files.check_answers_path(out_path)
    with _bad_input(scene_path):
        scene = read_scene(scene_path)
    arrays: dict[str, Any] = {
        "positions": scene.positions,
        "present": scene.present,
        "occupied": scene.occupied,
    }
    if positions_path is not None:
        with _bad_input(positions_path):
            arrays |= _files.read_positions(positions_path)
    with _bad_input(scene_path):
        chosen = {
            "observers": unit_indices(scene.board, observers or None, "--observers"),
            "targets": unit_indices(scene.board, targets or None, "--targets"),
        }
    with _bad_input(positions_path or scene_path):
        answers, seconds = _evaluate(scene.board, arrays | chosen, workers)
    if out_path is not None:
        with _bad_input(out_path):
            names = {"observers": answers.observers, "targets": answers.targets}
            _files.write_answers(out_path, names, answers.arrays())
    console = _console()
    if positions_path is None:
        _print_pairs(console, answers)
    else:
        _print_summary(console, answers)
        _print_speed(console, answers, seconds)


@main.command()
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="The same seed gives the same battles."
)
@click.option("--out", "folder", metavar="DIR", type=_path, required=True, help="Folder of the scene files.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of battles.")
def armies(seed: int, folder: Path, count: int) -> None:
    """Write generated battles, battle-1.json and on, whose armies are composed as real ones are."""
    from ninthgeom import armies, write_scene

    with _bad_input(folder):
        folder.mkdir(parents=True, exist_ok=True)
    for i in range(count):
        path = folder / f"battle-{i + 1}.json"
        with _bad_input(path):
            write_scene(path, armies.generate_battle((seed, i), deployment="battle_lines"))
        click.echo(path)


@main.command()
@click.option("--seed", type=click.IntRange(min=0), default=9, show_default=True, help="Another battle.")
@click.option(
    "--states", type=click.IntRange(min=1), default=10_000, show_default=True, help="Jittered states of it."
)
@_workers
def demo(seed: int, states: int, workers: int) -> None:
    """Evaluate a generated battle in 10,000 jittered states and sum up what its units see."""
    from ninthgeom import armies

    scene = armies.generate_battle(seed, deployment="battle_lines")
    positions = armies.jitter(scene, states, seed=seed, distance=_MOVED, angle=_TURNED)
    answers, seconds = _evaluate(scene.board, {"positions": positions}, workers)
    console = _console()
    pieces = f"{len(scene.board)} units, {len(scene.board.terrain)} pieces of terrain"
    console.print(f"Battle {seed}: {pieces}; every unit jittered in {states:,} states.")
    _print_units(console, scene.board, answers)
    _print_speed(console, answers, seconds)


def _evaluate(board: Board, arguments: dict[str, Any], workers: int) -> tuple[Answers, float]:
    """Evaluate, and time it without what only a first call pays."""
    import numpy as np

    from ninthgeom import t9a

    t9a.evaluate(board, np.zeros((len(board), 3)))  # loads the kernels
    start = time.perf_counter()
    answers = t9a.evaluate(board, **arguments, workers=workers)
    return answers, time.perf_counter() - start


def _console() -> Console:
    from rich.console import Console

    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH_OF_A_PIPE)


def _table(*columns: str) -> Table:
    """Return an empty table; columns whose name starts with a space hold numbers."""
    from rich import box
    from rich.table import Table

    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(
            column.strip(), justify="right" if column.startswith(" ") else "left", overflow="fold"
        )
    return table


def _print_pairs(console: Console, answers: Answers) -> None:
    from rich.text import Text

    table = _table("observer", "target", " distance", "inside arc", "located in", "contact", "sight")
    columns = answers.to_table()
    for row in zip(*(column.tolist() for name, column in columns.items() if name != "state"), strict=True):
        observer, target, distance, contact, inside, located, seen = row
        table.add_row(
            Text(observer),
            Text(target),
            _inches(distance),
            _arcs(inside),
            _arcs(located),
            "yes" if contact else "-",
            "yes" if seen else "-",
        )
    console.print(table)


def _print_summary(console: Console, answers: Answers) -> None:
    from rich.text import Text

    summary = _Summary.of(answers)
    table = _table(
        "observer", "target", " states", " mean distance", " nearest", " in contact", " in front arc", " seen"
    )
    for i, observer in enumerate(answers.observers):
        for j, target in enumerate(answers.targets):
            if observer != target:
                table.add_row(Text(observer), Text(target), *summary.cells(i, j))
    console.print(table)


def _print_units(console: Console, board: Board, answers: Answers) -> None:
    """Sum up for each unit what it has of all its enemies together."""
    import numpy as np
    from rich.text import Text

    summary = _Summary.of(answers)
    table = _table("unit", " side", " enemies", " nearest", " in front arc", " seen", " in contact")
    enemies = board.side[:, None] != board.side
    for i, name in enumerate(board.names):
        who = enemies[i]
        means = [share[i, who].sum() for share in (summary.in_front, summary.seen, summary.contact)]
        nearest = np.min(summary.nearest[i, who], initial=np.inf)
        table.add_row(
            Text(name),
            str(board.side[i]),
            str(who.sum()),
            _inches(nearest),
            *(f"{mean:.3f}" for mean in means),
        )
    console.print(table)
    console.print(
        "Inches to the nearest enemy in any state; in arc, seen, in contact: mean number of enemies a state."
    )


def _print_speed(console: Console, answers: Answers, seconds: float) -> None:
    states = _n_states(answers)
    console.print(f"{states:,} states in {seconds:.2f} s: {states / seconds:,.0f} states per second")


@dataclass(frozen=True)
class _Summary:
    """What many states say about each ordered pair, every array of shape (observers, targets)."""

    states: NDArray[Any]
    mean: NDArray[Any]
    nearest: NDArray[Any]
    contact: NDArray[Any]
    in_front: NDArray[Any]
    seen: NDArray[Any]

    @classmethod
    def of(cls, answers: Answers) -> _Summary:
        """Reduce all leading axes; states in which one of the two is absent do not count."""
        import numpy as np

        from ninthgeom import Arc

        arrays = answers.arrays().values()
        n = _n_states(answers)
        distance, contact, inside, _, seen = (array.reshape(n, *array.shape[-2:]) for array in arrays)
        both = np.isfinite(distance)
        states = both.sum(axis=0)
        divisor = np.maximum(states, 1)
        return cls(
            states,
            np.where(both, distance, 0.0).sum(axis=0) / divisor,
            distance.min(axis=0, initial=np.inf),
            contact.sum(axis=0) / divisor,
            (inside & Arc.FRONT != 0).sum(axis=0) / divisor,
            seen.sum(axis=0) / divisor,
        )

    def cells(self, i: int, j: int) -> list[str]:
        """Return the cells of one pair: states, mean and least distance, then shares."""
        if not self.states[i, j]:
            return ["0", *"-----"]
        shares = (f"{share[i, j]:.1%}" for share in (self.contact, self.in_front, self.seen))
        return [f"{self.states[i, j]:,}", _inches(self.mean[i, j]), _inches(self.nearest[i, j]), *shares]


def _n_states(answers: Answers) -> int:
    return math.prod(next(iter(answers.arrays().values())).shape[:-2])


def _inches(length: float) -> str:
    return f"{length:.2f}" if math.isfinite(length) else "-"


def _arcs(flags: int) -> str:
    from ninthgeom import Arc

    return " ".join(name.lower() for name, arc in Arc.__members__.items() if arc & flags) or "-"
