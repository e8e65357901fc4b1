"""The command ``ninthgeom plot``: a scene to scale, with the answers to some questions."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ninthgeom._cli_options import (
    BadInput,
    bad_input,
    examples,
    named_units,
    observers_option,
    path_type,
    patience,
    refuse_overwriting,
    targets_option,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ninthgeom._slots import IntArray
    from ninthgeom.scene import Scene

_RANKED: Final = (
    "sight",
    "visible-area",
    "points",
    "arcs",
    "distances",
    "contacts",
    "attacks",
    "legal",
)
_SKIRMISH: Final = ("coherency", "engaged")
_SUFFIXES: Final = (".png", ".svg", ".pdf")
# Inches of paper.
_SMALLEST, _LARGEST = 1.0, 100.0
# Of a .png file, four bytes each while it is drawn.
_MOST_DOTS: Final = 100_000_000


@click.command(
    epilog=examples(
        "ninthgeom plot examples/sample.json -o sample.png",
        "ninthgeom plot examples/sample.json --question sight --observers Spears -o sight.svg",
        "ninthgeom plot examples/sight.json --question visible-area --observers D -o area.png",
        "ninthgeom plot examples/combat.json --question contacts -o contacts.pdf",
        "ninthgeom plot examples/skirmish.json --question coherency --question engaged -o groups.png",
    )
)
@click.argument("scene_path", metavar="SCENE.json", type=path_type)
@click.option(
    "-o",
    "--out",
    "out_path",
    metavar="FILE",
    type=path_type,
    required=True,
    help="Write the picture to this .png, .svg or .pdf file.",
)
@click.option(
    "--question",
    "questions",
    type=click.Choice([*_RANKED, *_SKIRMISH]),
    multiple=True,
    help="Draw the answer too; repeat for several.",
)
@observers_option
@targets_option
@click.option("--rules", type=click.Choice(["second", "third"]), help="Edition of the answers.  [third]")
@click.option(
    "--size",
    metavar="WIDTH HEIGHT",
    type=float,
    nargs=2,
    default=(10.0, 7.5),
    show_default="10 7.5",
    help="Size of the picture in inches of paper.",
)
@click.option(
    "--dpi",
    type=click.IntRange(min=10, max=1200),
    default=100,
    show_default=True,
    help="Dots per inch of a .png file.",
)
@click.option(
    "--extent",
    metavar="XMIN YMIN XMAX YMAX",
    type=float,
    nargs=4,
    help="Part of the table to show, in inches.  [all of it]",
)
@click.option("--no-labels", is_flag=True, help="Leave names out.")
def plot(
    scene_path: Path,
    out_path: Path,
    questions: tuple[str, ...],
    rules: str | None,
    size: tuple[float, float],
    dpi: int,
    extent: tuple[float, float, float, float] | None,
    no_labels: bool,
    **who: tuple[str, ...],
) -> None:
    """Draw a scene to scale, and the answers to questions over it.

    Of ranks and files: sight has a line to each unit that is seen, and thick edges round what is in the way
    of others; visible-area shades what each observer sees, points counts the observers that see each square
    inch; arcs and distances are those of the observers; contacts shows which models are in contact, attacks
    also who may attack whom; legal marks the units that may not stand where they are. Of skirmish games:
    coherency, with the first model of each group as its leader, and who is engaged.

    In the second edition gaps in the ranks are filled first (Board.fill_ranks). Pictures need matplotlib:
    the extra plot.
    """
    from ninthgeom import read_scene

    if out_path.suffix.lower() not in _SUFFIXES:
        kinds = ", ".join(_SUFFIXES)
        raise BadInput(f"{out_path}: must end in one of {kinds}, got {out_path.suffix or 'no extension'!r}")
    if not all(_SMALLEST <= side <= _LARGEST for side in size):  # not true of NaN
        raise BadInput(
            f"--size: must be from {_SMALLEST:g} to {_LARGEST:g} inches, got {size[0]:g} {size[1]:g}"
        )
    dots = round(size[0] * dpi) * round(size[1] * dpi)
    if out_path.suffix.lower() == ".png" and dots > _MOST_DOTS:
        raise BadInput(f"--dpi: makes {dots:,} dots of --size, and {_MOST_DOTS:,} are the most")
    if rules is not None and set(questions) & set(_SKIRMISH):
        raise BadInput("--rules: only for questions about ranks and files")
    with bad_input(out_path):
        refuse_overwriting(out_path, scene_path)
    with bad_input(scene_path):
        scene = read_scene(scene_path)
        observers, targets = (
            named_units(scene.board, f"--{option}", who[option]) for option in ("observers", "targets")
        )
    with bad_input("plot"):
        from ninthgeom import plot as pictures
    from matplotlib.figure import Figure

    figure = Figure(figsize=size, layout="compressed")  # which knows that scales are equal
    with _warnings_in_one_line():
        with bad_input(scene_path), patience():
            scene = _filled(scene, rules)
            axes = pictures.scene(scene, labels=not no_labels, extent=extent, ax=figure.subplots())
            for question in dict.fromkeys(questions):
                _draw(question, axes, scene, rules, observers, targets)
        with bad_input(out_path):
            _save(figure, out_path, dpi)
    click.echo(out_path)


@contextlib.contextmanager
def _warnings_in_one_line() -> Iterator[None]:
    """Say the first of what matplotlib has to say, such as letters that its font does not have."""
    import warnings

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", UserWarning)
        yield
    messages = list(dict.fromkeys(" ".join(str(warning.message).split()) for warning in caught))
    if messages:
        more = f" And {len(messages) - 1} more." if len(messages) > 1 else ""
        click.echo(f"Warning: {messages[0]}{more}", err=True)


def _filled(scene: Scene, rules: str | None) -> Scene:
    """Return the scene as the edition has it."""
    if rules != "second":
        return scene
    from ninthgeom.scene import Scene

    board = scene.board
    living = board.occupied if scene.occupied is None else scene.occupied
    return Scene(board, scene.positions, scene.present, board.fill_ranks(living))


def _draw(
    question: str, axes: Axes, scene: Scene, rules: str | None, observers: IntArray, targets: IntArray
) -> None:
    """Draw the answer to a question over the scene."""
    from ninthgeom import plot as pictures
    from ninthgeom._cli_tasks import EDITIONS

    state = scene.board, scene.positions
    over: dict[str, Any] = {"present": scene.present, "ax": axes, "draw_board": False}
    if question == "coherency":
        pictures.coherency(*state, _first_of_each_group(scene), **over)
        return
    if question == "engaged":
        pictures.engaged(*state, **over)
        return
    over["occupied"] = scene.occupied
    if question == "arcs":
        pictures.arcs(*state, observers, **over)
    elif question == "distances":
        pictures.distances(*state, observers, targets, **over)
    else:
        over["rules"] = EDITIONS[rules or "third"]
        if question == "sight":
            pictures.line_of_sight(*state, observers, targets, **over)
        elif question == "visible-area":
            for observer in observers.tolist():
                pictures.visible_area(*state, observer, **over)
        elif question == "points":
            pictures.sees_points(*state, observers, **over)
        elif question == "legal":
            pictures.legal(*state, **over)
        else:
            pictures.contacts(*state, attacks=question == "attacks", **over)


def _first_of_each_group(scene: Scene) -> list[int]:
    """Return the first model on the table of each group, -1 where none is."""
    import numpy as np

    from ninthgeom.plot.board import is_here

    groups = scene.board.group
    here = is_here(scene)
    found = (np.flatnonzero(here & (groups == group)) for group in range(int(groups.max(initial=-1)) + 1))
    return [int(models[0]) if len(models) else -1 for models in found]


def _save(figure: Figure, path: Path, dpi: int) -> None:
    """Write the picture, the same bytes for the same picture."""
    from matplotlib import rc_context

    from ninthgeom._atomic import replacing

    kind = path.suffix.lower()[1:]
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}
    with rc_context({"svg.hashsalt": "ninthgeom"}), replacing(path) as stream:
        figure.savefig(stream, format=kind, dpi=dpi, metadata=undated.get(kind))
