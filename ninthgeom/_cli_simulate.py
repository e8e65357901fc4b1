"""The command ``ninthgeom simulate``: a scene whose units stand a little elsewhere, many times."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ninthgeom._cli_options import (
    INTERRUPTED,
    UNIT_QUESTIONS,
    BadInput,
    bad_input,
    examples,
    named_questions,
    observers_option,
    path_type,
    patience,
    printed_file,
    refuse_overwriting,
    targets_option,
    workers_option,
)
from ninthgeom._constants import LARGEST_COORDINATE

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ninthgeom._cli_estimates import PairSample
    from ninthgeom.montecarlo import Estimate
    from ninthgeom.samplers import JitterKind

_DIGITS_OF_A_DIGEST: Final = 16


@dataclass(frozen=True)
class _Options:
    """What the command was given."""

    scene_path: Path
    jitter: float
    turn: float
    kind: JitterKind
    n: int
    seed: int
    job: str | None
    observers: tuple[str, ...]
    targets: tuple[str, ...]
    confidence: float
    checkpoint: Path | None
    out_path: Path | None
    block: int
    workers: int
    is_quiet: bool


@click.command(
    epilog=examples(
        "ninthgeom simulate examples/sample.json",
        "ninthgeom simulate examples/sample.json --jitter 2 --turn 30 --n 2000 --questions sight",
        "ninthgeom simulate examples/sample.json --half-width sight=0.02 --checkpoint sight.ckpt",
        "ninthgeom simulate examples/sample.json --observers Spears --n 2000 --json",
    )
)
@click.argument("scene_path", metavar="SCENE.json", type=path_type)
@click.option(
    "--jitter",
    metavar="INCHES",
    type=float,
    default=1.0,
    show_default=True,
    help="How far the centre of a unit moves at most; if normal, the standard deviation of its x and its y.",
)
@click.option(
    "--turn",
    metavar="DEGREES",
    type=float,
    default=15.0,
    show_default=True,
    help="How far a unit turns at most to either side; if normal, the standard deviation of its heading.",
)
@click.option(
    "--kind",
    type=click.Choice(["uniform", "normal"]),
    default="uniform",
    show_default=True,
    help="Uniform in a disc and between two angles, or normal without bounds.",
)
@click.option(
    "--n", "n", type=click.IntRange(min=1), default=10_000, show_default=True, help="Number of states."
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    help="The same seed gives the same answers.",
)
@click.option(
    "--questions",
    "asked",
    metavar="NAMES",
    help=f"What to estimate, separated by commas: {', '.join(UNIT_QUESTIONS)}.  [all]",
)
@observers_option
@targets_option
@click.option(
    "--rules", type=click.Choice(["second", "third"]), help="Edition that all answers follow.  [third]"
)
@click.option(
    "--confidence", type=float, default=0.95, show_default=True, help="Of each interval, between 0 and 1."
)
@click.option(
    "--half-width",
    "half_widths",
    metavar="[QUESTION=]H",
    multiple=True,
    help="Stop as soon as no interval is wider than twice H: shares from 0 to 1, distances in inches. "
    "QUESTION=H, for one question, can be repeated.",
)
@click.option(
    "--checkpoint",
    metavar="FILE",
    type=path_type,
    help="Keep what is done in this file; the same command goes on after an interruption.",
)
@click.option(
    "--job",
    metavar="NAME",
    help="Name of the job in --checkpoint and --out, in front of all that the answers depend on.  [simulate]",
)
@click.option(
    "--out",
    "out_path",
    metavar="FILE",
    type=path_type,
    help="Write the estimates to this .json or .csv file.",
)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Print nothing but what --out FILE.json would hold, for other programs.",
)
@click.option(
    "--block",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="States that are drawn together; the answers depend on it as on the seed.",
)
@workers_option
def simulate(
    asked: str | None, rules: str | None, half_widths: tuple[str, ...], as_json: bool, **others: Any
) -> None:
    """Estimate what units see, touch and measure if they stand a little off their places.

    All units of the scene are moved and turned at random, independently of each other, as by
    samplers.pose_jitter; nothing keeps them from overlapping. Printed are, for every ordered pair of two
    different units on the table, the mean distance and the shares of the states in which the target is in
    contact with the observer, in its front arc and seen by it, each with its interval: of shares Wilson's, of
    the distance the normal one. Intervals hold for each number on its own; after an early stop they are
    nominal.

    The masks of the scene, units off the table and models lost, hold for all states. In the second edition
    gaps in the ranks are filled before anything is measured (Board.fill_ranks).

    The keys of --out in .json: job, seed, n, blocks, block, confidence, stopped_early; pairs is a list with
    observer, target and, as far as asked, distance, contact, in_front_arc and sight, of each mean,
    standard_error, low and high. In .csv there is a row for each pair and question.
    """
    with ExitStack() as stack:
        if as_json:
            with bad_input("--json"):
                if others["out_path"] is not None:
                    raise ValueError("prints what --out FILE.json would hold; give one of the two")
            others["out_path"] = stack.enter_context(printed_file("estimates.json"))
        options = _Options(is_quiet=as_json, **others)
        stack.enter_context(_interrupts(options.checkpoint))
        _simulate(options, asked, rules, half_widths)


def _simulate(options: _Options, asked: str | None, rules: str | None, half_widths: tuple[str, ...]) -> None:
    from ninthgeom import _cli_estimates, _cli_skirmish, _cli_tables, read_scene

    _check_numbers(options)
    with bad_input("--questions"):
        wanted = frozenset(UNIT_QUESTIONS) if asked is None else named_questions(asked, UNIT_QUESTIONS)
    questions: tuple[Any, ...] = tuple(name for name in UNIT_QUESTIONS if name in wanted)
    with bad_input("--half-width"):
        half_width = _half_widths(half_widths, questions)
    if options.out_path is not None:
        with bad_input(options.out_path):
            _cli_estimates.check_out(options.out_path)
            refuse_overwriting(options.out_path, options.scene_path, options.checkpoint)
    with bad_input(options.scene_path):
        scene = read_scene(options.scene_path)
        if rules is None and _cli_skirmish.is_skirmish(scene.board):
            which = "simulate follows the rules of ranks and files"
            raise ValueError(f"this is a skirmish game, and {which}; see --rules")
        jitter = options.jitter, math.radians(options.turn), options.kind
        who = options.observers, options.targets
        sample = _cli_estimates.PairSample.of(scene, jitter, questions, rules or "third", *who)
    estimate, before = _estimate(options, sample, half_width)
    if options.out_path is not None:
        with bad_input(options.out_path):
            _cli_estimates.write(options.out_path, sample, estimate, options.seed, options.block)
    if not options.is_quiet:
        _cli_estimates.print_estimates(_cli_tables.open_console(), sample, estimate, before)


def _check_numbers(options: _Options) -> None:
    for option, value in (("--jitter", options.jitter), ("--turn", options.turn)):
        if not 0 <= value <= LARGEST_COORDINATE:  # not true of NaN
            raise BadInput(f"{option}: must be from 0 to {LARGEST_COORDINATE:g}, got {value:g}")
    if not 0 < options.confidence < 1:
        raise BadInput(f"--confidence: must lie between 0 and 1, got {options.confidence:g}")


def _half_widths(given: Sequence[str], questions: Sequence[str]) -> float | dict[str, float] | None:
    """Return how narrow intervals should be, all or those of some questions."""
    named: dict[str, float] = {}
    for text in given:
        name, equals, number = text.rpartition("=")
        try:
            width = float(number)
        except ValueError:
            width = math.nan
        if not 0 < width < math.inf:
            raise ValueError(f"must be a number greater than 0, got {number!r}")
        if not equals:
            if len(given) > 1:
                raise ValueError(f"{text!r} is for all questions; say QUESTION={number} for one of them")
            return width
        if name not in questions:
            raise ValueError(f"must be for one of {', '.join(questions)}, got {name!r}")
        if name in named:
            raise ValueError(f"{name!r} is named twice")
        named[name] = width
    return named or None


def _job(options: _Options, sample: PairSample) -> str:
    """Write what the answers depend on, so that a checkpoint of something else is told apart."""
    parts = {
        "scene": sample.scene.digest()[:_DIGITS_OF_A_DIGEST],
        "jitter": f"{options.kind} {options.jitter!r} in {options.turn!r} deg",
        "questions": ", ".join(sample.questions),
        "observers": _names(options.observers),
        "targets": _names(options.targets),
        "rules": sample.edition,
    }
    text = "; ".join(f"{name} {value}" for name, value in parts.items())
    return f"{'simulate' if options.job is None else options.job}: {text}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(map(repr, names)) or "all"


def _estimate(
    options: _Options, sample: PairSample, half_width: float | Mapping[str, float] | None
) -> tuple[Estimate, int]:
    """Return the estimates, and how many states an earlier run had done."""
    from concurrent.futures import ThreadPoolExecutor

    from ninthgeom import montecarlo
    from ninthgeom._parallel import worker_count

    with bad_input(options.scene_path):
        job = _job(options, sample)
        with patience():
            sample.answers(sample.scene.positions[None])  # loads the kernels, which is not counted
    run: dict[str, Any] = {"job": job, "n": options.n, "seed": options.seed, "block": options.block}
    before = 0
    if options.checkpoint is not None:
        from ninthgeom._mc_checkpoint import Checkpoint

        # so that what is wrong with it is not said of the scene
        with bad_input(options.checkpoint), Checkpoint.open(options.checkpoint, **run) as checkpoint:
            before = sum(min(options.block, options.n - i * options.block) for i in checkpoint.finished())
    workers = worker_count(options.workers)
    with ExitStack() as stack:
        stack.enter_context(bad_input(options.scene_path))
        threads: Executor | None = None
        if workers > 1:
            threads = stack.enter_context(ThreadPoolExecutor(workers))
        estimate = montecarlo.estimate(
            sample,
            executor=threads,
            checkpoint=options.checkpoint,
            half_width=half_width,
            confidence=options.confidence,
            **run,
        )
    return estimate, before


@contextmanager
def _interrupts(checkpoint: Path | None) -> Iterator[None]:
    """Say how to go on after Ctrl-C, whether it comes in the estimate or before or after it."""
    try:
        yield
    except KeyboardInterrupt:
        if checkpoint is None:
            how = "nothing is kept; --checkpoint would have kept what was done"
        else:
            how = f"{checkpoint} keeps what was done; the same command goes on after it"
        click.echo(f"Interrupted: {how}.", err=True)
        sys.exit(INTERRUPTED)
