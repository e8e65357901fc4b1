"""The command ``ninthgeom``: evaluate scene files, generate battles, show what the library does."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ninthgeom import __version__

if TYPE_CHECKING:
    from rich.console import Console

    from ninthgeom._slots import IntArray
    from ninthgeom.board import Board

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
@click.option(
    "--duel",
    "duels",
    metavar="NAME NAME",
    nargs=2,
    multiple=True,
    help="Two models that fight a duel; repeat for several. NAME is that of an attached character or of a "
    "unit of one model, or UNIT:SLOT for any other, such as a champion.",
)
@click.option(
    "--rules",
    type=click.Choice(["second", "third", "skirmish"]),
    help="Rules that all answers follow: an edition, or those of skirmish games.  [third; skirmish where all "
    "units are single models and some share a group]",
)
@click.option(
    "--leader",
    "leaders",
    metavar="GROUP=NAME",
    multiple=True,
    help="Leading Model of a group; repeat for several.  [its first model on the table]",
)
@click.option(
    "--radius",
    "radii",
    metavar="GROUP=INCHES",
    multiple=True,
    help="Within which of its leader a group must be; repeat for several.  [3]",
)
@_workers
def evaluate(
    scene_path: Path,
    positions_path: Path | None,
    out_path: Path | None,
    observers: tuple[str, ...],
    targets: tuple[str, ...],
    duels: tuple[tuple[str, str], ...],
    rules: str | None,
    leaders: tuple[str, ...],
    radii: tuple[str, ...],
    workers: int,
) -> None:
    """Print distance, arcs, contact and sight of every ordered pair of units.

    Where opposing units are in contact, more tables show the facings they are engaged through, which models
    are in contact and how, and who may attack whom and why. Units of different sides oppose one another; if
    all are of one side, all do. Ranks and files count from 1 at the front left. All models but attached
    characters and those named with --duel count as rank and file.

    With --positions, many states of the battle are evaluated and summarised for each pair. The masks of the
    scene, units off the table and models lost, hold for them where that file has none of its own. A duel is
    then fought in the states in which the units of the two are in contact.

    UNIT:SLOT names any model. Slots of a unit count from 0, rank by rank from the front left, then come
    attached characters. A duellist who is among the models lost has been removed in this phase: he attacks
    nobody, but the other one still attacks him.

    In the second edition gaps in the ranks are filled before anything is measured (Board.fill_ranks); in the
    third everybody stays in place. In both, Unit Boundaries go round the models that live now, not round
    those that lived when the combat began.

    The keys of --out: observers and targets are names; distance, contact, inside_arc, located_arc and sight
    are arrays with the axes (state, observer, target), without --positions (observer, target). Arcs add up
    front 1, left 2, rear 4 and right 8. The distance of a unit to itself, or to a unit that is not on the
    table, is infinite; in .json it is null.

    Further keys of --out: models are names for the slots of all units, one after another. A contact is a row
    of contact_state, contact_model and contact_other (numbers of two models), contact_kind (touch 1, gap 2,
    round 3, duel 4), contact_facing and contact_other_facing (that of each; they add up as arcs do). An
    attack right is one of attack_state, attack_model, attack_other and attack_reason (contact 1, support 2,
    swirl 3, duel 4). The first model is of an observer, the other one of a target.

    Of a skirmish scene other tables are printed: which groups are in coherency, who is the reason where one
    is not, who is engaged with whom, and distances between groups. Here --observers and --targets name
    groups; a model without a group is one of its name. All terrain stops links. The keys of --out are then
    observers, targets, groups and models (names), distance and engaged (state, observer, target),
    engaged_models (state, model, model), leader (number of a model, -1 of nobody) and in_coherency (state,
    group), within_radius and linked (state, model).
    """
    from ninthgeom import _cli_skirmish, _cli_tables, _files, read_scene

    if out_path is not None:
        with _bad_input(out_path):
            _files.check_answers_path(out_path)
    with _bad_input(scene_path):
        scene = read_scene(scene_path)
    states: dict[str, Any] = {
        "positions": scene.positions,
        "present": scene.present,
        "occupied": scene.occupied,
    }
    if positions_path is not None:
        with _bad_input(positions_path):
            states |= _files.read_positions(positions_path)
    if rules is None:
        rules = "skirmish" if _cli_skirmish.is_skirmish(scene.board) else "third"
    with _bad_input(scene_path):
        _refuse_options(rules == "skirmish", duel=duels, leader=leaders, radius=radii)
    places = scene_path, positions_path, out_path
    console = _cli_tables.open_console()
    if rules == "skirmish":
        _evaluate_skirmish(
            console, scene.board, states, places, (observers, targets, leaders, radii), workers
        )
    else:
        _evaluate_ranked(console, scene.board, states, places, (observers, targets), duels, rules, workers)


def _refuse_options(is_skirmish: bool, **given: Sequence[object]) -> None:
    """Raise for an option that the rules in use know nothing about."""
    for option in ("duel",) if is_skirmish else ("leader", "radius"):
        if given[option]:
            which = "ranks and files" if is_skirmish else "skirmish games"
            raise ValueError(f"--{option}: only in the rules of {which}; see --rules")


def _evaluate_skirmish(
    console: Console,
    board: Board,
    states: dict[str, Any],
    places: tuple[Path, Path | None, Path | None],
    options: tuple[tuple[str, ...], ...],
    workers: int,
) -> None:
    from ninthgeom import _cli_skirmish, _cli_tables, _files

    scene_path, positions_path, out_path = places
    with _bad_input(scene_path):
        asked = _cli_skirmish.Asked.of(board, *options)
    with _bad_input(positions_path or scene_path):
        if positions_path is not None:
            _load_kernels(
                board, lambda _, positions: _cli_skirmish.Report.of(asked, _one_state(positions), 1)
            )
        start = time.perf_counter()
        report = _cli_skirmish.Report.of(asked, states, workers)
        seconds = time.perf_counter() - start
    if out_path is not None:
        with _bad_input(out_path):
            _files.write_answers(out_path, report.names(), report.arrays())
    if positions_path is None:
        report.print_state(console)
    else:
        report.print_summary(console)
        _cli_tables.print_rate(console, report.n_states, seconds)


def _one_state(positions: object) -> dict[str, Any]:
    return {"positions": positions, "present": None, "occupied": None}


def _evaluate_ranked(
    console: Console,
    board: Board,
    states: dict[str, Any],
    places: tuple[Path, Path | None, Path | None],
    chosen: tuple[tuple[str, ...], tuple[str, ...]],
    duels: tuple[tuple[str, str], ...],
    edition: str,
    workers: int,
) -> None:
    from ninthgeom import _cli_tables, _files, t9a
    from ninthgeom._cli_combat import AskedDuels, Combat
    from ninthgeom._cli_names import all_models

    scene_path, positions_path, out_path = places
    with _bad_input(scene_path):
        question: dict[str, Any] = {
            "observers": _units(board, "--observers", chosen[0]),
            "targets": _units(board, "--targets", chosen[1]),
            "rules": t9a.SECOND_EDITION if edition == "second" else t9a.THIRD_EDITION,
            "workers": workers,
        }
        asked_duels = AskedDuels.of(board, duels)
    with _bad_input(positions_path or scene_path):
        living = board.occupied if states["occupied"] is None else states["occupied"]
        if edition == "second":
            states["occupied"] = board.fill_ranks(living)
        _load_kernels(board, t9a.contacts, t9a.evaluate)
        start = time.perf_counter()
        combat = Combat.of(board, states, asked_duels, living, **question)
        answers = t9a.evaluate(board, **states, **question)
        seconds = time.perf_counter() - start
    if out_path is not None:
        with _bad_input(out_path):
            names = {"observers": answers.observers, "targets": answers.targets, "models": all_models(board)}
            _files.write_answers(out_path, names, answers.arrays() | combat.arrays())
    if positions_path is None:
        _cli_tables.print_pairs(console, answers)
        _cli_tables.print_combat(console, combat)
    else:
        _cli_tables.print_summary(console, answers, combat)
        _cli_tables.print_speed(console, answers, seconds)


@main.command()
@click.option(
    "--seed", type=click.IntRange(min=0), required=True, help="The same seed gives the same battles."
)
@click.option("--out", "folder", metavar="DIR", type=_path, required=True, help="Folder of the scene files.")
@click.option("--count", type=click.IntRange(min=1), default=1, show_default=True, help="Number of battles.")
def armies(seed: int, folder: Path, count: int) -> None:
    """Write generated battles, battle-1.json and on, over files of these names.

    The armies are composed as in 400 tournament lists; each battle is
    armies.generate_battle((SEED, i), deployment="battle_lines") for i from 0 on.
    """
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
    """Evaluate 10,000 states of a generated battle and sum up what its units see.

    The units of armies.generate_battle(SEED, deployment="battle_lines") are moved by
    samplers.pose_jitter up to 12 inches and turned up to 90 degrees.
    """
    import numpy as np

    from ninthgeom import _cli_tables, armies, samplers, t9a

    scene = armies.generate_battle(seed, deployment="battle_lines")
    rng = np.random.default_rng(seed)
    positions = samplers.pose_jitter(rng, scene, states, distance=_MOVED, angle=_TURNED)
    _load_kernels(scene.board, t9a.evaluate)
    start = time.perf_counter()
    answers = t9a.evaluate(scene.board, positions, workers=workers)
    seconds = time.perf_counter() - start
    console = _cli_tables.open_console()
    pieces = f"{len(scene.board)} units, {len(scene.board.terrain)} pieces of terrain"
    moves = f"moved up to {_MOVED:g} inches and turned up to {math.degrees(_TURNED):g} degrees"
    console.print(f"Battle {seed}: {pieces}, in two battle lines.")
    console.print(f"{states:,} states, in each of them every unit {moves}.")
    _cli_tables.print_units(console, scene.board, answers)
    _cli_tables.print_speed(console, answers, seconds)


def _units(board: Board, option: str, names: tuple[str, ...]) -> IntArray:
    """Return the indices of the units that an option names, of all if it names none."""
    try:
        return board.indices(names or None)
    except ValueError as error:
        raise ValueError(f"{option}: {error}") from None


def _load_kernels(board: Board, *questions: Callable[..., object]) -> None:
    """Ask questions once, so that what only a first call pays is not counted."""
    import numpy as np

    for question in questions:
        question(board, np.zeros((len(board), 3)))
