"""The command ``ninthgeom``: evaluate scene files, generate battles, show what the library does."""

from __future__ import annotations

import contextlib
import io
import math
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from ninthgeom import __version__
from ninthgeom._cli_evaluate import evaluate
from ninthgeom._cli_options import (
    INTERRUPTED,
    BadInput,
    bad_input,
    examples,
    load_kernels,
    path_type,
    workers_option,
)
from ninthgeom._cli_plot import plot
from ninthgeom._cli_simulate import simulate

# How far the demo moves and turns units at most: inches, radians.
_MOVED = 12.0
_TURNED = math.radians(90)
# Set where a shell asks what it could complete; click derives the name from that of the command.
_COMPLETE = "_NINTHGEOM_COMPLETE"


class _Commands(click.Group):
    """Commands that end in one line when they are interrupted or what they print cannot be written."""

    def main(self, *args: Any, **others: Any) -> Any:
        if _COMPLETE in os.environ:  # a shell asks, not a user
            from ninthgeom import _cli_completion

            _cli_completion.prepare()
        return super().main(*args, **others)

    def make_context(self, *args: Any, **others: Any) -> click.Context:
        with _ends_in_one_line():  # the options --help and --version print as they are read
            return super().make_context(*args, **others)

    def invoke(self, ctx: click.Context) -> Any:
        with _ends_in_one_line():
            return super().invoke(ctx)


@contextlib.contextmanager
def _ends_in_one_line() -> Iterator[None]:
    if sys.stdout is None:
        raise BadInput("standard output: it is closed")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # names may hold what no terminal can show
    try:
        yield
        sys.stdout.flush()
    except BrokenPipeError:  # whoever reads has seen enough; click knows what to do
        raise
    except KeyboardInterrupt:  # before anything was begun that could be gone on with
        click.echo("Interrupted.", err=True)
        sys.exit(INTERRUPTED)
    except OSError as error:
        sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - or Python tries again while it ends
        raise BadInput(f"standard output: {error.strerror}") from error


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="ninthgeom")
def main() -> None:
    """Exact geometry of tabletop rules: who sees, touches and measures what on a battlefield.

    Exit codes: 0, all done; 2, something given cannot be used, which stderr tells in one line, below the
    usage where the options themselves are wrong; 130, ended by Ctrl-C; 1, a fault of the program, with its
    traceback, or nobody read all that was printed.
    """


main.add_command(evaluate)
main.add_command(plot)
main.add_command(simulate)


@main.command(epilog=examples("ninthgeom schema", "ninthgeom schema > scene.schema.json"))
def schema() -> None:
    """Print the JSON Schema of scene files."""
    from ninthgeom.scene import SCHEMA

    click.echo(SCHEMA.read_text(encoding="utf-8"), nl=False)


@main.command(
    epilog=examples(
        "ninthgeom completion bash",
        "ninthgeom completion bash >> ~/.bashrc",
        "ninthgeom completion fish > ~/.config/fish/completions/ninthgeom.fish",
    )
)
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print what a shell needs to complete commands, options and names of units.

    What is printed belongs where the shell reads it at its start.
    """
    from click.shell_completion import get_completion_class

    from ninthgeom import _cli_completion

    _cli_completion.prepare()
    completer = get_completion_class(shell)
    assert completer is not None
    click.echo(completer(main, {}, "ninthgeom", _COMPLETE).source())


@main.command(
    epilog=examples(
        "ninthgeom armies --seed 7 --out battles/",
        "ninthgeom armies --seed 7 --count 3 --out battles/ --json",
    )
)
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="The same seed gives the same battles."
)
@click.option(
    "--out", "folder", metavar="DIR", type=path_type, required=True, help="Folder of the scene files."
)
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of battles.")
@click.option("--json", "as_json", is_flag=True, help='Print the paths as JSON: {"scenes": [...]}.')
def armies(seed: int, folder: Path, count: int, as_json: bool) -> None:
    """Write generated battles, battle-1.json and on, over files of these names.

    The armies are composed as in 400 tournament lists; each battle is
    armies.generate_battle((SEED, i), deployment="battle_lines") for i from 0 on.
    """
    from ninthgeom import armies, write_scene

    with bad_input(folder):
        folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for i in range(count):
        path = folder / f"battle-{i + 1}.json"
        with bad_input(path):
            write_scene(path, armies.generate_battle((seed, i), deployment="battle_lines"))
        paths.append(str(path))
        if not as_json:
            click.echo(path)
    if as_json:
        import json

        click.echo(json.dumps({"scenes": paths}))


@main.command(
    epilog=examples(
        "ninthgeom demo",
        "ninthgeom demo --seed 3 --states 1000 --workers 2",
        "ninthgeom demo --states 1000 --json",
    )
)
@click.option("--seed", type=click.IntRange(min=0), default=9, show_default=True, help="Another battle.")
@click.option(
    "--states", type=click.IntRange(min=1), default=10_000, show_default=True, help="Jittered states of it."
)
@click.option("--json", "as_json", is_flag=True, help="Print nothing but the sums as JSON.")
@workers_option
def demo(seed: int, states: int, as_json: bool, workers: int) -> None:
    """Evaluate 10,000 states of a generated battle and sum up what its units see.

    The units of armies.generate_battle(SEED, deployment="battle_lines") are moved by
    samplers.pose_jitter up to 12 inches and turned up to 90 degrees.

    The keys of --json: seed, states, terrain (number of pieces), seconds; units is a list with unit (its
    name), side, enemies (their number), nearest (inches to the nearest of them in any state, null without
    enemies), and in_front_arc, seen and in_contact, each the mean number of enemies a state.
    """
    import numpy as np

    from ninthgeom import _cli_tables, armies, samplers, t9a
    from ninthgeom._cli_totals import PairTotals
    from ninthgeom.t9a.evaluate import QUESTIONS

    scene = armies.generate_battle(seed, deployment="battle_lines")
    rng = np.random.default_rng(seed)
    positions = samplers.pose_jitter(rng, scene, states, distance=_MOVED, angle=_TURNED)
    load_kernels(scene.board, t9a.evaluate)
    start = time.perf_counter()
    answers = t9a.evaluate(scene.board, positions, workers=workers)
    seconds = time.perf_counter() - start
    pairs = PairTotals(answers.observers, answers.targets, set(QUESTIONS))
    pairs.add_answers(answers.arrays(), np.array(states))
    units = _cli_tables.unit_sums(scene.board, pairs)
    if as_json:
        import json

        sums = {"seed": seed, "states": states, "terrain": len(scene.board.terrain), "seconds": seconds}
        click.echo(json.dumps(sums | {"units": units}, allow_nan=False))
        return
    console = _cli_tables.open_console()
    pieces = f"{len(scene.board)} units, {len(scene.board.terrain)} pieces of terrain"
    moves = f"moved up to {_MOVED:g} inches and turned up to {math.degrees(_TURNED):g} degrees"
    console.print(f"Battle {seed}: {pieces}, in two battle lines.")
    console.print(f"{states:,} states, in each of them every unit {moves}.")
    _cli_tables.print_units(console, units)
    _cli_tables.print_rate(console, states, seconds)
