"""What ``ninthgeom simulate`` draws and asks, and how estimates are printed and written."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from rich.text import Text

from ninthgeom import t9a
from ninthgeom._answer_whole import check_writable
from ninthgeom._atomic import replacing
from ninthgeom._cli_options import named_units
from ninthgeom._cli_tables import new_table, print_rate
from ninthgeom._cli_tasks import EDITIONS
from ninthgeom._scene_json import encoded
from ninthgeom.arcs import Arc
from ninthgeom.montecarlo import FIELDS
from ninthgeom.samplers import JitterKind, pose_jitter
from ninthgeom.t9a.evaluate import Question

if TYPE_CHECKING:
    from numpy.random import Generator
    from rich.console import Console

    from ninthgeom._arrays import BoolArray, FloatArray
    from ninthgeom._slots import IntArray
    from ninthgeom.montecarlo import Estimate
    from ninthgeom.scene import Scene

# Under what they are written, and the headings under which they are printed.
_KEYS: Final = {"distance": "distance", "contact": "contact", "arcs": "in_front_arc", "sight": "sight"}
_HEADINGS: Final = {
    "distance": " mean distance",
    "contact": " in contact",
    "arcs": " in front arc",
    "sight": " seen",
}
_SUFFIXES: Final = (".json", ".csv")
_MOST_DIGITS: Final = 9  # behind the point


@dataclass(frozen=True, eq=False)
class PairSample:
    """Draws states of a scene and answers questions about its pairs of units: a sample of `estimate`.

    Attributes
    ----------
    scene : Scene
    occupied : ndarray of bool or None
        Living models in all states.
    jitter, turn : float
        As `pose_jitter` takes them.
    kind : {"uniform", "normal"}
    questions : tuple of str
    edition : str
        A key of `EDITIONS`.
    observers, targets : ndarray of int
        Units on the table that are asked about.
    first, second : ndarray of int, shape (pairs,)
        The two of each ordered pair, as places among observers and targets.
    """

    scene: Scene
    occupied: BoolArray | None
    jitter: float
    turn: float
    kind: JitterKind
    questions: tuple[Question, ...]
    edition: str
    observers: IntArray
    targets: IntArray
    first: IntArray
    second: IntArray

    @classmethod
    def of(
        cls,
        scene: Scene,
        jitter: tuple[float, float, JitterKind],
        questions: tuple[Question, ...],
        edition: str,
        observers: tuple[str, ...],
        targets: tuple[str, ...],
    ) -> PairSample:
        """Find who is asked about.

        Raises
        ------
        ValueError
            If a name is not known or its unit not on the table, or no two different units are.
        """
        asking = _on_table(scene, "--observers", observers)
        asked = _on_table(scene, "--targets", targets)
        first, second = np.nonzero(asking[:, None] != asked)
        if not first.size:
            raise ValueError("there are no two different units on the table to ask about")
        occupied = scene.occupied
        if edition == "second":
            occupied = scene.board.fill_ranks(scene.board.occupied if occupied is None else occupied)
        return cls(scene, occupied, *jitter, questions, edition, asking, asked, first, second)

    def __call__(self, rng: Generator, n: int) -> dict[str, Any]:
        """Return n values of each question for each pair, shape (n, pairs)."""
        states = pose_jitter(rng, self.scene, n, distance=self.jitter, angle=self.turn, kind=self.kind)
        return self.answers(states)

    def answers(self, positions: FloatArray) -> dict[str, Any]:
        """Return the values in some states."""
        answers = t9a.evaluate(
            self.scene.board,
            positions,
            questions=self.questions,
            observers=self.observers,
            targets=self.targets,
            present=self.scene.present,
            occupied=self.occupied,
            rules=EDITIONS[self.edition],
        )
        arrays = answers.arrays()
        if "arcs" in self.questions:
            arrays["arcs"] = arrays["inside_arc"] & Arc.FRONT != 0
        return {name: arrays[name][:, self.first, self.second] for name in self.questions}

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Return the names of the two units of each pair."""
        names = self.scene.board.names
        for i, j in zip(self.observers[self.first].tolist(), self.targets[self.second].tolist(), strict=True):
            yield names[i], names[j]


def check_out(path: Path) -> None:
    """Raise where `write` could not write."""
    if path.suffix not in _SUFFIXES:
        raise ValueError(f"estimates are written as .json or .csv, got {path.suffix or 'no extension'!r}")
    check_writable(path)


def write(path: Path, sample: PairSample, estimate: Estimate, seed: int, block: int) -> None:
    """Write the estimates to a .json or .csv file."""
    pairs = [
        {"observer": observer, "target": target}
        | {_KEYS[name]: _values(estimate, name, k) for name in sample.questions}
        for k, (observer, target) in enumerate(sample.pairs())
    ]
    report = {
        "job": estimate.job,
        "seed": seed,
        "n": estimate.n,
        "blocks": estimate.blocks,
        "block": block,
        "confidence": estimate.confidence,
        "stopped_early": estimate.stopped_early,
        "pairs": pairs,
    }
    text = json.dumps(report, ensure_ascii=False, indent=1) + "\n"
    if path.suffix == ".csv":
        text = _table([_KEYS[name] for name in sample.questions], pairs)
    with replacing(path) as stream:
        stream.write(encoded(text))


def _values(estimate: Estimate, name: str, k: int) -> dict[str, float | None]:
    """Return what is known of a question about a pair; JSON has neither NaN nor infinity."""
    values = {field: float(getattr(estimate, field)[name][k]) for field in FIELDS}
    return {field: value if math.isfinite(value) else None for field, value in values.items()}


def _table(keys: list[str], pairs: list[dict[str, Any]]) -> str:
    table = io.StringIO(newline="")
    writer = csv.writer(table)  # None is an empty cell
    writer.writerow(["observer", "target", "question", *FIELDS])
    for pair in pairs:
        for key in keys:
            writer.writerow([pair["observer"], pair["target"], key, *pair[key].values()])
    return table.getvalue()


def _interval(mean: float, low: float, high: float, *, is_share: bool) -> str:
    """Write an estimate with as many digits as show that its interval has a width."""
    scale, unit, fewest = (100.0, "%", 1) if is_share else (1.0, "", 2)
    width = scale * (high - low)
    digits = fewest
    if 0.0 < width < math.inf:
        digits = min(max(fewest, math.ceil(-math.log10(width))), _MOST_DIGITS)
    middle, first, last = (f"{scale * value:.{digits}f}{unit}" for value in (mean, low, high))
    return f"{middle} ({first} to {last})"


def print_estimates(console: Console, sample: PairSample, estimate: Estimate, before: int) -> None:
    """Print a row for every pair; `before` counts the states that an earlier run had done."""
    table = new_table("observer", "target", *(_HEADINGS[name] for name in sample.questions))
    for k, (observer, target) in enumerate(sample.pairs()):
        row = []
        for name in sample.questions:
            parts = [float(getattr(estimate, field)[name][k]) for field in ("mean", "low", "high")]
            row.append(_interval(*parts, is_share=name != "distance"))
        table.add_row(Text(observer), Text(target), *row)
    console.print(table)
    console.print(f"Intervals of {100 * estimate.confidence:.6g} % confidence, each on its own.")
    if estimate.stopped_early:
        console.print("Stopped early, when they were narrow enough; so they are nominal.")
    # an early stop may come sooner than what was done before
    print_rate(console, max(0, estimate.n - before), estimate.seconds, min(before, estimate.n))


def _on_table(scene: Scene, option: str, names: tuple[str, ...]) -> IntArray:
    """Return the units that are on the table, each once, of those that an option names."""
    units = named_units(scene.board, option, names)
    if scene.present is None:
        return units
    for i in units[~scene.present[units]].tolist():
        if names:
            raise ValueError(f"{option}: {scene.board.names[i]!r} is not on the table")
    return np.asarray(units[scene.present[units]])
