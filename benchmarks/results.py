"""Make RESULTS.md of the JSON file of pytest-benchmark, and renew the lines of it that README quotes.

    python -m benchmarks.results bench.json

What a benchmark has to hand over for its line is told in `benchmarks.rows`.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markdown import Markdown

from benchmarks.rows import Row

RESULTS = Path(__file__).with_name("RESULTS.md")
README = Path(__file__).parents[1] / "README.md"

COLUMNS = ("question", "measured", "against", "ratio", "aim")
INSTRUCTION_SETS = ("sse4_2", "avx2", "fma", "avx512f", "asimd", "sve")

PREFACE = """\
# What was measured

`make bench` writes this file (`benchmarks/results.py`) and renews the lines of it that README quotes.

A ratio is of processor time of one thread: both sides are repeated until they take about as long, in turn,
in one process, and the median of the ratios of neighbours counts (`benchmarks/ratio.py`). Rates are of one
core too. Where the clock counts, the heading says so."""


def number(value: float) -> str:
    """Three digits: 0.52, 12.3, 1,300, 45 million."""
    rounded = float(f"{value:.3g}")
    if rounded >= 1e6:
        return f"{rounded / 1e6:,.12g} million"
    return f"{rounded:,.12g}"


def duration(seconds: float) -> str:
    """Three digits in a unit that leaves few zeros."""
    if seconds >= 0.1:
        return f"{number(seconds)} s"
    return f"{number(1e3 * seconds)} ms" if seconds >= 1e-4 else f"{number(1e6 * seconds)} microseconds"


def aims(row: Row) -> str:
    """What was aimed at, and whether it was reached."""

    def times(value: float) -> str:
        return f"{number(value)} x"

    def rate(value: float) -> str:
        return f"{number(value)} a second"

    figures: list[tuple[float | None, float | None, float | None, Callable[[float], str]]] = [
        (row.ratio, row.ratio_least, row.ratio_most, times),
        (row.rate, row.rate_least, None, rate),
        (row.seconds, None, row.seconds_most, duration),
    ]
    found = []
    for value, least, most, words in figures:
        if value is not None and least is not None:
            found.append(f"at least {words(least)}: {'reached' if value >= least else 'missed'}")
        if value is not None and most is not None:
            found.append(f"at most {words(most)}: {'reached' if value <= most else 'missed'}")
    return "; ".join(found)


def table_line(cells: tuple[str, ...]) -> str:
    """One line of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def row_line(row: Row) -> str:
    """The line of a row, under `COLUMNS`."""
    measured = []
    if row.rate is not None:
        measured.append(f"{number(row.rate)} {row.items} a second")
    if row.seconds is not None:
        measured.append(duration(row.seconds))
    if row.curve:
        measured.append(", ".join(f"{size}: {duration(seconds)}" for size, seconds in row.curve))
    if row.growth is not None:
        measured.append(f"grows with the power {row.growth:.2f}")
    ratio = ""
    if row.ratio is not None:
        ratio = f"{number(row.ratio)} x {'the time' if row.ratio_most is not None else 'as fast'}"
    return table_line((row.question, "; ".join(measured), row.against, ratio, aims(row)))


def section(group: str, rows: list[Row]) -> str:
    """Heading, table, and what the questions were asked of."""
    questions: dict[str, list[str]] = {}
    for row in rows:
        questions.setdefault(row.data, []).append(row.question)
    head = [table_line(COLUMNS), table_line(("---",) * len(COLUMNS))]
    if len(questions) == 1:
        notes = [f"All: {rows[0].data}."]
    else:
        notes = [f"* {'; '.join(names)}: {data}." for data, names in questions.items()]
    return "\n".join([f"## {group}", "", *head, *map(row_line, rows), "", *notes])


def machine_line(measured: dict[str, Any]) -> str:
    """Processor, system and versions; nothing that names a host or a person."""
    info = measured["machine_info"]
    cpu = info["cpu"]
    model = f"{cpu['brand_raw']} (family {cpu.get('family')}, model {cpu.get('model')})"
    speed = number(cpu.get("hz_advertised", (0,))[0] / 1e9)
    flags = [flag for flag in INSTRUCTION_SETS if flag in cpu.get("flags", ())]
    versions = ", ".join(f"{name} {version}" for name, version in info["versions"].items())
    return (
        f"Machine: {model}, {speed} GHz, {', '.join(flags)}; {info['cores']} cores; "
        f"{info['system']} {info['machine']}. Versions: {versions}."
    )


def results(measured: dict[str, Any]) -> str:
    """Text of RESULTS.md for the content of a JSON file of pytest-benchmark."""
    benchmarks = [benchmark for benchmark in measured["benchmarks"] if "row" in benchmark["extra_info"]]
    records = [(benchmark["group"], dict(benchmark["extra_info"]["row"])) for benchmark in benchmarks]
    loads = [record.pop("load") for _, record in records]
    names = [record["question"] for _, record in records]
    if len(set(names)) < len(names):
        raise ValueError(f"two rows have one name: {sorted(name for name in names if names.count(name) > 1)}")
    groups = dict.fromkeys(group for group, _ in records)  # a group may have its rows from several files
    sections = [
        section(name, [Row(**record) for group, record in records if group == name]) for name in groups
    ]
    load = (
        f"Load of the machine meanwhile, means of a minute: {min(loads)} to {max(loads)}, of which the "
        f"benchmark itself is up to 1. Date: {measured['datetime'][:10]}."
    )
    return "\n\n".join([PREFACE, machine_line(measured), load, *sections]) + "\n"


def name_of(line: str) -> str | None:
    """By what a line is found again: its first cell, or the word it begins with."""
    found = re.match(r"\| (?!---)[^|]+ \||Machine:", line)
    return found and found.group()


def renewed(readme: str, text: str) -> str:
    """README with every line that it quotes from the results as it stands there."""
    current = {name: line for line in text.splitlines() if (name := name_of(line))}
    return "\n".join(current.get(name_of(line) or "", line) for line in readme.split("\n"))


def main() -> None:
    """Write the results and what README quotes of them, and show them."""
    text = results(json.loads(Path(sys.argv[1]).read_text()))
    RESULTS.write_text(text)
    README.write_text(renewed(README.read_text(), text))
    Console().print(Markdown(text))


if __name__ == "__main__":
    main()
