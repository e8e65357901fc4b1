"""Tables of the command line."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Final

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
    from ninthgeom._cli_combat import Combat, CombatTotals
    from ninthgeom._cli_totals import PairTotals
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
    """Print a row for every ordered pair of units in one state, a column for what was asked."""
    found = answers.to_table()
    columns = {name: found[name].tolist() for name in _CELLS if name in found}
    if columns.keys() <= {"observer", "target"}:
        return
    table = new_table(*(_CELLS[name][0] for name in columns))
    for row in zip(*columns.values(), strict=True):
        table.add_row(*(_CELLS[name][1](value) for name, value in zip(columns, row, strict=True)))
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


def print_summary(console: Console, pairs: PairTotals, combat: CombatTotals | None, board: Board) -> None:
    """Sum up many states for every ordered pair of units, and for those that are engaged in any."""
    if pairs.questions:
        columns = _summary_columns(pairs)
        table = new_table("observer", "target", " states", *columns)
        for i, j in _places(pairs):
            states = pairs["states"][i, j]
            cells = [column[i, j] if states else "-" for column in columns.values()]
            table.add_row(Text(pairs.observers[i]), Text(pairs.targets[j]), f"{states:,}", *cells)
        console.print(table)
    if combat is None:
        return
    table = new_table("unit", "engaged with", " engaged", " models in contact", " that may attack")
    for i, j in _places(pairs):
        observer, target = pairs.observers[i], pairs.targets[j]
        pair = board.index(observer), board.index(target)
        if engaged := combat["engaged"][pair]:
            share = f"{engaged / pairs['states'][i, j]:.1%}"
            means = (f"{combat[name][pair] / engaged:.2f}" for name in ("touching", "attacking"))
            table.add_row(Text(observer), Text(target), share, *means)
    if table.row_count:
        console.print(table)
        console.print(
            "Models of the unit in contact with, and that may attack, the other: mean of the states engaged."
        )


def _places(pairs: PairTotals) -> Iterator[tuple[int, int]]:
    """Return the places of all pairs but those of a unit and itself."""
    for i, observer in enumerate(pairs.observers):
        for j, target in enumerate(pairs.targets):
            if observer != target:
                yield i, j


def _summary_columns(pairs: PairTotals) -> dict[str, NDArray[Any]]:
    """Return the cells of what was asked, shape (observers, targets), by the head of their column."""
    columns: dict[str, NDArray[Any]] = {}
    if "distance" in pairs.questions:
        columns[" mean distance"] = _cells(inches, pairs.mean("distance", "states"))
        columns[" nearest"] = _cells(inches, pairs.least("distance"))
    for name, head in (("contact", " in contact"), ("arcs", " in front arc"), ("sight", " seen")):
        if name in pairs.questions:
            columns[head] = _cells("{:.1%}".format, pairs.share(name, "states"))
    return columns


def _cells(write: Callable[[float], str], values: NDArray[Any]) -> NDArray[Any]:
    cells = np.empty(values.shape, object)
    cells.reshape(-1)[:] = [write(value) for value in values.reshape(-1).tolist()]
    return cells


def unit_sums(board: Board, pairs: PairTotals) -> list[dict[str, Any]]:
    """Sum up for each unit what it has of all its enemies together; all units are asked for everything."""
    enemies = board.side[:, None] != board.side
    shares = {
        key: pairs.share(name, "states")
        for key, name in (("in_front_arc", "arcs"), ("seen", "sight"), ("in_contact", "contact"))
    }
    sums = []
    for i, name in enumerate(board.names):
        who = enemies[i]
        nearest = float(np.min(pairs.least("distance")[i, who], initial=np.inf))
        sums.append(
            {
                "unit": name,
                "side": int(board.side[i]),
                "enemies": int(who.sum()),
                "nearest": nearest if math.isfinite(nearest) else None,
                **{key: float(share[i, who].sum()) for key, share in shares.items()},
            }
        )
    return sums


def print_units(console: Console, units: list[dict[str, Any]]) -> None:
    """Print what `unit_sums` found."""
    table = new_table("unit", " side", " enemies", " nearest", " in front arc", " seen", " in contact")
    for sums in units:
        means = (f"{sums[key]:.3f}" for key in ("in_front_arc", "seen", "in_contact"))
        nearest = inches(math.inf if sums["nearest"] is None else sums["nearest"])
        table.add_row(Text(sums["unit"]), str(sums["side"]), str(sums["enemies"]), nearest, *means)
    console.print(table)
    console.print(
        "Inches to the nearest enemy in any state; in arc, seen, in contact: mean number of enemies a state."
    )


def print_rate(console: Console, states: int, seconds: float, before: int = 0) -> None:
    """Print how many states that makes a second, and how many an earlier run had done."""
    more = f"; {before:,} were done before" if before else ""
    console.print(f"{states:,} states in {seconds:.2f} s: {states / seconds:,.0f} states per second{more}")


def inches(length: float) -> str:
    """Write a length; there is none to what is not on the table."""
    return f"{length:.2f}" if math.isfinite(length) else "-"


def _arcs(flags: int) -> str:
    return " ".join(name.lower() for name, arc in Arc.__members__.items() if arc & flags) or "-"


def _yes(holds: bool) -> str:
    return "yes" if holds else "-"


# The head of each column of pairs, and how its values are written.
_CELLS: Final[Mapping[str, tuple[str, Callable[[Any], str | Text]]]] = {
    "observer": ("observer", Text),
    "target": ("target", Text),
    "distance": (" distance", inches),
    "inside_arc": ("inside arc", _arcs),
    "located_arc": ("located in", _arcs),
    "contact": ("contact", _yes),
    "sight": ("sight", _yes),
}
