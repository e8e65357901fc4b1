"""The command ``ninthgeom evaluate``: questions about a scene, or about the states in a file."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ninthgeom import __version__
from ninthgeom._cli_options import (
    INTERRUPTED,
    UNIT_QUESTIONS,
    bad_input,
    examples,
    model_names,
    named_questions,
    named_units,
    observers_option,
    path_type,
    patience,
    printed_file,
    refuse_overwriting,
    targets_option,
    workers_option,
)

if TYPE_CHECKING:
    from ninthgeom._answer_files import AnswerPlan, AnswerWriter
    from ninthgeom._cli_tasks import CommandTask
    from ninthgeom._position_files import PositionFile
    from ninthgeom._streams import Nowhere
    from ninthgeom.scene import Scene

_QUESTIONS: Final = (*UNIT_QUESTIONS, "attacks")
# Kinds of answers that grow while they are written, and of those the one with a row for each pair of units.
_GROWING: Final = ("", ".parquet")
_TABLES: Final = ".parquet"


@dataclass(frozen=True)
class _Options:
    """What the command was given."""

    scene_path: Path
    positions_path: Path | None
    out_path: Path | None
    questions: frozenset[str]
    observers: tuple[str, ...]
    targets: tuple[str, ...]
    duels: tuple[tuple[str, str], ...]
    rules: str
    leaders: tuple[str, ...]
    radii: tuple[str, ...]
    resume: bool
    workers: int
    is_quiet: bool


@click.command(
    epilog=examples(
        "ninthgeom evaluate examples/sample.json",
        "ninthgeom evaluate examples/combat.json --duel Captain Warlord",
        "ninthgeom evaluate examples/skirmish.json --leader Rifles='Rifle 4'",
        "ninthgeom evaluate examples/sample.json --observers Spears --questions sight --json",
        "ninthgeom evaluate examples/sample.json --positions states.npy --out answers/ --workers 2",
    )
)
@click.argument("scene_path", metavar="SCENE.json", type=path_type)
@click.option(
    "--positions",
    "positions_path",
    metavar="FILE",
    type=path_type,
    help="Evaluate the states of this file: .npy with an array (n, U, 3) of x, y and heading in inches and "
    "radians; .parquet; or .npz with arrays positions and, where wanted, present (n, U) and occupied (n, M), "
    "which is loaded as a whole.",
)
@click.option(
    "--out",
    "out_path",
    metavar="PATH",
    type=path_type,
    help="Write the answers to this .npz or .json file, as a .parquet data set or, without an extension, as "
    "a folder of .npy files; the last two hold any number of states.",
)
@click.option(
    "--questions",
    "asked",
    metavar="NAMES",
    help="What to answer, separated by commas: distance, contact, arcs, sight and attacks, which are "
    "contacts of models and who may attack whom.  [all; all but attacks if --out is a folder or .parquet]",
)
@observers_option
@targets_option
@click.option(
    "--duel",
    "duels",
    metavar="NAME NAME",
    nargs=2,
    multiple=True,
    shell_complete=model_names,
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
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print nothing but what --out FILE.json would hold, for other programs.",
)
@click.option("--resume", is_flag=True, help="Go on with the answers in --out, a folder or .parquet.")
@workers_option
def evaluate(
    scene_path: Path,
    asked: str | None,
    rules: str | None,
    out_path: Path | None,
    as_json: bool,
    **others: Any,
) -> None:
    """Print distance, arcs, contact and sight of every ordered pair of units.

    Where opposing units are in contact, more tables show the facings they are engaged through, which models
    are in contact and how, and who may attack whom and why. Units of different sides oppose one another; if
    all are of one side, all do. Ranks and files count from 1 at the front left. All models but attached
    characters and those named with --duel count as rank and file.

    With --positions, many states of the battle are evaluated and summarised for each pair, a part of the file
    at a time. The masks of the scene, units off the table and models lost, hold for them where that file has
    none of its own. A duel is then fought in the states in which the units of the two are in contact.

    What ended early is continued with --resume and the same other options, --workers excepted; the answers
    are those of a run without a break.

    UNIT:SLOT names any model. Slots of a unit count from 0, rank by rank from the front left, then come
    attached characters. A duellist who is among the models lost has been removed in this phase: he attacks
    nobody, but the other one still attacks him.

    In the second edition gaps in the ranks are filled before anything is measured (Board.fill_ranks); in the
    third everybody stays in place. In both, Unit Boundaries go round the models that live now, not round
    those that lived when the combat began.

    The keys of --out: observers and targets are names; distance, contact, inside_arc, located_arc and sight
    are arrays with the axes (state, observer, target), without --positions (observer, target). Arcs add up
    front 1, left 2, rear 4 and right 8. The distance of a unit to itself, or to a unit that is not on the
    table, is infinite; in .json it is null. A folder has a file for each array, and answers.json with the
    names and how many states are done. A .parquet data set has a row for each state and two different units:
    state, observer, target, and a column for each of those arrays.

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
    with contextlib.ExitStack() as stack:
        if as_json:
            with bad_input("--json"):
                if out_path is not None:
                    raise ValueError("prints what --out FILE.json would hold; give one of the two")
                if others["resume"]:
                    raise ValueError("keeps nothing that --resume could go on with; say where with --out")
            out_path = stack.enter_context(printed_file("answers.json"))
        _evaluate(scene_path, asked, rules, out_path, is_quiet=as_json, **others)


def _evaluate(
    scene_path: Path, asked: str | None, rules: str | None, out_path: Path | None, **others: Any
) -> None:
    from ninthgeom import _answer_files, _cli_skirmish, read_scene

    with bad_input("--resume"):
        if others["resume"] and out_path is None:
            raise ValueError("there is nothing to go on with; say where with --out")
    if out_path is not None:
        with bad_input(out_path):
            _answer_files.check_answers_path(out_path, resume=others["resume"])
            refuse_overwriting(out_path, scene_path, others["positions_path"])
    with bad_input(scene_path):
        scene = read_scene(scene_path)
    if rules is None:
        rules = "skirmish" if _cli_skirmish.is_skirmish(scene.board) else "third"
    is_skirmish = rules == "skirmish"
    with bad_input(scene_path):
        given = {"duel": others["duels"], "leader": others["leaders"], "radius": others["radii"]}
        _refuse_options(is_skirmish, questions=[] if asked is None else [asked], **given)
    with bad_input("--questions"):
        questions = frozenset[str]() if is_skirmish else _questions(asked, out_path)
        if others["duels"] and "attacks" not in questions:
            raise ValueError("attacks is not asked for, and --duel matters to nothing else")
    if out_path is not None and out_path.suffix == _TABLES:
        with bad_input(out_path):
            _refuse_tables(is_skirmish, questions)
    options = _Options(scene_path, out_path=out_path, questions=questions, rules=rules, **others)
    with bad_input(scene_path):
        task = _task(options, scene)
    if options.positions_path is None:
        _evaluate_one(options, scene, task)
    else:
        _evaluate_all(options, scene, task, options.positions_path)


def _questions(asked: str | None, out_path: Path | None) -> frozenset[str]:
    """Return the questions that an option names, or those that are asked without it."""
    if asked is None:
        grows = out_path is not None and out_path.suffix in _GROWING
        return frozenset(_QUESTIONS) - ({"attacks"} if grows else set())
    return named_questions(asked, _QUESTIONS)


def _refuse_options(is_skirmish: bool, **given: Sequence[object]) -> None:
    """Raise for an option that the rules in use know nothing about."""
    for option in ("duel", "questions") if is_skirmish else ("leader", "radius"):
        if given[option]:
            which = "ranks and files" if is_skirmish else "skirmish games"
            raise ValueError(f"--{option}: only in the rules of {which}; see --rules")


def _refuse_tables(is_skirmish: bool, questions: frozenset[str]) -> None:
    """Raise for answers that have no place in a row for each pair of units."""
    if is_skirmish:
        raise ValueError("answers of skirmish scenes are not written as .parquet; a folder holds them")
    if "attacks" in questions:
        raise ValueError("attacks are not written as .parquet; a folder holds them, see also --questions")


def _task(options: _Options, scene: Scene) -> CommandTask[Any]:
    from ninthgeom._cli_combat import AskedDuels
    from ninthgeom._cli_skirmish import Asked
    from ninthgeom._cli_tasks import RankedTask, SkirmishTask

    board, masks = scene.board, {"present": scene.present, "occupied": scene.occupied}
    if options.rules == "skirmish":
        asked = Asked.of(board, options.observers, options.targets, options.leaders, options.radii)
        return SkirmishTask(asked, masks)
    return RankedTask(
        board,
        masks,
        named_units(board, "--observers", options.observers),
        named_units(board, "--targets", options.targets),
        AskedDuels.of(board, options.duels),
        options.rules,
        options.questions,
    )


def _evaluate_one(options: _Options, scene: Scene, task: CommandTask[Any]) -> None:
    """Evaluate the state of the scene itself."""
    from ninthgeom import _answer_files, _cli_tables

    with bad_input(options.scene_path):
        with patience():
            answered = task.answer({"positions": scene.positions}, 0, options.workers)
        task.check_one(answered)
    if options.out_path is not None:
        dense, rows = task.arrays(answered)
        with bad_input(options.out_path):
            plan = _plan(options, scene, task, None)
            with _answer_files.open_answers(options.out_path, plan, resume=options.resume) as answers:
                if not answers.complete:
                    answers.write(dense, rows, n_states=1)
                    answers.finish()
    if not options.is_quiet:
        task.print_state(_cli_tables.open_console(), answered)


def _evaluate_all(options: _Options, scene: Scene, task: CommandTask[Any], path: Path) -> None:
    """Evaluate the states of a file."""
    from ninthgeom import _cli_tables, _position_files, _streams
    from ninthgeom._progress import progress

    with contextlib.ExitStack() as stack:
        with bad_input(path):
            source = stack.enter_context(_position_files.open_positions(path, scene.board))
            with patience():
                task.load()
            plan = _plan(options, scene, task, source)
        sink = _open_sink(options, plan)
        stack.callback(sink.close)
        before, was_complete, start = sink.done, sink.complete, time.perf_counter()
        with _interrupts(options, sink, source.n_states), bad_input(path):
            advance = stack.enter_context(progress(source.n_states, "states", done=before))
            try:
                step = _streams.states_at_once(_bytes_per_state(plan, task, source))
                _streams.run(source, task, sink, step=step, workers=options.workers, report=advance)
            except _streams.NotKeptError as error:
                cause = error.__cause__ or error
                safe = isinstance(cause, OSError) and sink.resumable and sink.done
                with bad_input(options.out_path, _safe(sink, source.n_states) if safe else ""):
                    raise cause from None
        seconds = time.perf_counter() - start
    if was_complete:
        click.echo(f"{options.out_path} is complete; nothing was evaluated again.", err=True)
    if options.is_quiet:
        return
    console = _cli_tables.open_console()
    task.print_summary(console)
    _cli_tables.print_rate(console, source.n_states - before, seconds, before)


def _open_sink(options: _Options, plan: AnswerPlan) -> AnswerWriter | Nowhere:
    from ninthgeom import _answer_files, _streams

    if options.out_path is None:
        return _streams.Nowhere()
    with bad_input(options.out_path):
        return _answer_files.open_answers(options.out_path, plan, resume=options.resume)


@contextlib.contextmanager
def _interrupts(options: _Options, sink: AnswerWriter | Nowhere, n_states: int) -> Iterator[None]:
    """Say how to go on after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        if sink.resumable:
            how = _safe(sink, n_states)
        else:
            how = "no answers were written; a folder as --out would have kept what was done"
        click.echo(f"Interrupted: {how}.", err=True)
        sys.exit(INTERRUPTED)


def _safe(sink: AnswerWriter | Nowhere, n_states: int) -> str:
    """Say what is kept of answers that ended early."""
    return f"{sink.done:,} of {n_states:,} states are safe; --resume goes on after them"


def _plan(options: _Options, scene: Scene, task: CommandTask[Any], source: PositionFile | None) -> AnswerPlan:
    """Return what is going to be written, and all that it depends on."""
    import numpy as np

    from ninthgeom._answer_files import AnswerPlan

    # What no states give has the types and shapes of all others.
    nothing = task.answer({"positions": np.empty((0, len(scene.board), 3))}, 0, 1)
    dense, rows = task.arrays(nothing)
    grows = options.out_path is not None and options.out_path.suffix in _GROWING
    return AnswerPlan(
        n_states=None if source is None else source.n_states,
        names=task.names,
        fields={name: (array.dtype, array.shape[1:]) for name, array in dense.items()},
        rows={name: column.dtype for name, column in rows.items()},
        identity=_identity(options, scene, source) if grows else {},
    )


def _identity(options: _Options, scene: Scene, source: PositionFile | None) -> dict[str, Any]:
    # The keys are read by whoever cannot continue because of one of them.
    return {
        "version of ninthgeom": __version__,
        "digest of SCENE.json": scene.digest(),
        "digest of --positions": None if source is None else source.digest(),
        "--questions": sorted(options.questions),
        "--observers": list(options.observers),
        "--targets": list(options.targets),
        "--duel": [list(names) for names in options.duels],
        "--rules": options.rules,
        "--leader": list(options.leaders),
        "--radius": list(options.radii),
    }


def _bytes_per_state(plan: AnswerPlan, task: CommandTask[Any], source: PositionFile) -> int:
    """Return about how much the arrays of a state take, those read and those written."""
    dense = plan.dense_bytes() // max(1, plan.total)
    return dense + source.bytes_per_state + int(task.bytes_of_rows())
