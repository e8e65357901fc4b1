"""Tables of the command line."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from ninthgeom._cli_names import ModelNames
from ninthgeom.arcs import Arc
from ninthgeom.t9a.kinds import AttackReason, ContactKind

if TYPE_CHECKING:
    from ninthgeom._cli_combat import Combat
    from ninthgeom.board import Board
    from ninthgeom.rows import Rows
    from ninthgeom.t9a import Answers

# A pipe has no width, and tables folded to 80 columns are hard to search.
_WIDTH_OF_A_PIPE = 160


def open_console() -> Console:
    """Return a console that prints plain text, as wide as the terminal."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=_WIDTH_OF_A_PIPE)


def new_table(*columns: str) -> Table:
    """Return an empty table; columns whose name starts with a space hold numbers."""
    table = Table(box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(
            column.strip(), justify="right" if column.startswith(" ") else "left", overflow="fold"
        )
    return table


def print_unless_empty(console: Console, table: Table) -> None:
    """Print a table that has rows."""
    if table.row_count:
        console.print(table)


def _values(rows: Rows, names: str) -> Iterator[tuple[int, ...]]:
    """Return the values of some columns, row by row."""
    return zip(*(rows.columns[name].tolist() for name in names.split()), strict=True)


def print_pairs(console: Console, answers: Answers) -> None:
    """Print a row for every ordered pair of units in one state."""
    table = new_table("observer", "target", " distance", "inside arc", "located in", "contact", "sight")
    columns = answers.to_table()
    for row in zip(*(column.tolist() for name, column in columns.items() if name != "state"), strict=True):
        observer, target, distance, contact, inside, located, seen = row
        table.add_row(
            Text(observer),
            Text(target),
            inches(distance),
            _arcs(inside),
            _arcs(located),
            "yes" if contact else "-",
            "yes" if seen else "-",
        )
    console.print(table)


def print_combat(console: Console, combat: Combat) -> None:
    """Print which units are engaged in one state, which models are in contact, and who may attack whom."""
    board, names = combat.board, ModelNames(combat.board)
    table = new_table("unit", "facing", "engaged with", "its facing")
    for one, other in combat.engaged_once():
        facing, other_facing = combat.engaged[one, other], combat.engaged[other, one]
        table.add_row(Text(board.names[one]), _arcs(facing), Text(board.names[other]), _arcs(other_facing))
    print_unless_empty(console, table)

    table = new_table("model", "unit", "in contact with", "its unit", "kind", "facing", "its facing")
    rows = combat.contacts_once()
    for model, other, kind, facing, other_facing in _values(rows, "model other kind facing other_facing"):
        cells = (*names.model_and_unit([model]), *names.model_and_unit([other]))
        kind_name = ContactKind(kind).name.lower()
        table.add_row(*map(Text, cells), kind_name, _arcs(facing), _arcs(other_facing))
    print_unless_empty(console, table)

    table = new_table("attacker", "unit", "may attack", "their unit", "reason")
    targets: dict[tuple[int, int, str], list[int]] = {}
    for model, other, reason in _values(combat.attacks, "model other reason"):
        targets.setdefault((model, reason, names.unit(other)), []).append(other)
    for (model, reason, _), others in sorted(targets.items(), key=lambda item: item[0][:2]):
        cells = (*names.model_and_unit([model]), *names.model_and_unit(others))
        table.add_row(*map(Text, cells), AttackReason(reason).name.lower())
    print_unless_empty(console, table)


def print_summary(console: Console, answers: Answers, combat: Combat) -> None:
    """Sum up many states for every ordered pair of units, and for those that are engaged in any."""
    summary = Summary.of(answers)
    table = new_table(
        "observer", "target", " states", " mean distance", " nearest", " in contact", " in front arc", " seen"
    )
    for i, observer in enumerate(answers.observers):
        for j, target in enumerate(answers.targets):
            if observer != target:
                table.add_row(Text(observer), Text(target), *summary.cells(i, j))
    console.print(table)

    index = combat.board.index
    engaged, touching, attacking = combat.counts()
    table = new_table("unit", "engaged with", " engaged", " models in contact", " that may attack")
    for i, observer in enumerate(answers.observers):
        for j, target in enumerate(answers.targets):
            pair = index(observer), index(target)
            if engaged[pair]:
                means = (f"{count[pair] / engaged[pair]:.2f}" for count in (touching, attacking))
                table.add_row(Text(observer), Text(target), f"{summary.contact[i, j]:.1%}", *means)
    if table.row_count:
        console.print(table)
        console.print(
            "Models of the unit in contact with, and that may attack, the other: mean of the states engaged."
        )


def print_units(console: Console, board: Board, answers: Answers) -> None:
    """Sum up for each unit what it has of all its enemies together."""
    summary = Summary.of(answers)
    table = new_table("unit", " side", " enemies", " nearest", " in front arc", " seen", " in contact")
    enemies = board.side[:, None] != board.side
    for i, name in enumerate(board.names):
        who = enemies[i]
        means = [share[i, who].sum() for share in (summary.in_front, summary.seen, summary.contact)]
        nearest = np.min(summary.nearest[i, who], initial=np.inf)
        table.add_row(
            Text(name),
            str(board.side[i]),
            str(who.sum()),
            inches(nearest),
            *(f"{mean:.3f}" for mean in means),
        )
    console.print(table)
    console.print(
        "Inches to the nearest enemy in any state; in arc, seen, in contact: mean number of enemies a state."
    )


def print_speed(console: Console, answers: Answers, seconds: float) -> None:
    """Print how many states were evaluated in which time."""
    print_rate(console, _n_states(answers), seconds)


def print_rate(console: Console, states: int, seconds: float) -> None:
    """Print how many states that makes a second."""
    console.print(f"{states:,} states in {seconds:.2f} s: {states / seconds:,.0f} states per second")


@dataclass(frozen=True)
class Summary:
    """What many states say about each ordered pair, every array of shape (observers, targets)."""

    states: NDArray[Any]
    mean: NDArray[Any]
    nearest: NDArray[Any]
    contact: NDArray[Any]
    in_front: NDArray[Any]
    seen: NDArray[Any]

    @classmethod
    def of(cls, answers: Answers) -> Summary:
        """Reduce all leading axes; states in which one of the two is absent do not count."""
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
        return [f"{self.states[i, j]:,}", inches(self.mean[i, j]), inches(self.nearest[i, j]), *shares]


def _n_states(answers: Answers) -> int:
    return math.prod(next(iter(answers.arrays().values())).shape[:-2])


def inches(length: float) -> str:
    """Write a length; there is none to what is not on the table."""
    return f"{length:.2f}" if math.isfinite(length) else "-"


def _arcs(flags: int) -> str:
    return " ".join(name.lower() for name, arc in Arc.__members__.items() if arc & flags) or "-"
