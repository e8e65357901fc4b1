"""The page on rules coverage: what it names exists, and it leaves no paragraph out.

The rules texts stand beside the repository where it is developed, and are no part of it. How many paragraphs
they have is written down here, so that the page is held to them everywhere; where they are, they are counted.
"""

from __future__ import annotations

import ast
import dataclasses
import inspect
import math
import re
from functools import cache
from pathlib import Path

import pytest

import ninthgeom
from ninthgeom import skirmish, t9a

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "rules_coverage.md"
RULES = ROOT.parent / "shared" / "rules"
#: Heading on the page -> file of the text, and how many paragraphs it has.
TEXTS = {
    "Line of Sight": ("line-of-sight.txt", 17),
    "Interactions between Objects": ("interactions-between-objects.txt", 28),
    "Fighting a Duel": ("fighting-a-duel.txt", 7),
    "Measuring and movement": ("measuring-and-movement.txt", 31),
}
#: Heading of a table -> the names of its columns.
COLUMNS = {
    **{heading: ["no.", "paragraph", "functions", "switches", "tests"] for heading in TEXTS},
    "Worked cases": ["case", "what it is", "tests"],
    "Switches": ["switch", "default", "second edition", "other readings"],
    "Decided once": ["question", "decision", "where", "tests"],
}
CASES = [*(f"E{n}" for n in range(1, 50)), *(f"S-{n}" for n in range(1, 8))]
#: Names of the facts that are no fields, and where the page says what stands for them.
WITHOUT_FIELD = {"edition": "t9a.SECOND_EDITION", "arc_tie": "t9a.located_arcs", "eps": "TOLERANCE"}


@cache
def table(heading):
    """Rows of the table below a heading, as lists of cells."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)
    lines = [line for line in section[1].splitlines() if line.startswith("|")]
    rows = [[cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]] for line in lines]
    assert rows[0] == COLUMNS[heading]
    assert all(re.fullmatch("-+", cell) for cell in rows[1])
    assert all(len(row) == len(rows[0]) for row in rows)
    return rows[2:]


ROWS = [(heading, *row) for heading in TEXTS for row in table(heading)]


def paragraphs(text):
    """Paragraphs and bullets of a rules text, one a line.

    Left out are the line that leads to the page, what stands for a picture (a size, a file, a button), the
    label of the page, empty bullets, and headings: lines that are no bullets and end without a stop.
    """
    found = []
    for line in text.splitlines():
        body = line.strip().lstrip("• ").strip()
        is_mark = body in ("(Rule)", "⤢ Enlarge") or body.startswith("../") or re.fullmatch(r"[\d.]+", body)
        if not body or " > " in body or is_mark:
            continue
        if line.strip().startswith("•") or re.search(r"[.:,)]$", body):
            found.append(body)
    return found


def names(cell):
    """Names between backticks, of a cell that holds them and commas alone."""
    assert re.fullmatch(r"(`[\w.]+`(, `[\w.]+`)*)?", cell), cell
    found = re.findall(r"`([^`]+)`", cell)
    assert len(set(found)) == len(found), "named twice"
    return found


def has_reason(cell):
    return re.fullmatch(r"none: \w.{20,}", cell) is not None


def resolved(name):
    """What a dotted name below the package stands for; every part of it is public."""
    found = ninthgeom
    for part in name.split("."):
        is_listed = part in found.__all__ if inspect.ismodule(found) else not part.startswith("_")
        assert is_listed, f"{part} of {name} is not public"
        found = getattr(found, part)
    return found


@cache
def parts_of(path):
    """Source of the functions and constants of a file of tests, by name."""
    assert Path(path).name.startswith("test_")
    text = (ROOT / "tests" / path).read_text()
    parts = {}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign):
            targets = [name for target in node.targets for name in ast.walk(target)]
            own = [name.id for name in targets if isinstance(name, ast.Name)]
            parts.update(dict.fromkeys(own, ast.unparse(node)))
        elif isinstance(node, ast.FunctionDef):
            parts[node.name] = ast.unparse(node)  # with its decorators
    return parts


def source_of(path, test):
    """Source of a test, and of what of its module it reads in turn."""
    parts = parts_of(path)
    known, todo = set(), {test}
    while todo:
        known |= todo
        read = {word for name in todo for word in re.findall(r"\w+", parts[name])}
        todo = (read & parts.keys()) - known
    return "\n".join(parts[name] for name in known)


def checked_tests(cell):
    """Files and names of the tests of a cell, which exist and always run."""
    assert re.fullmatch(r"`[\w/]+\.py::\w+`(<br>`[\w/]+\.py::\w+`)*", cell), f"no tests: {cell}"
    found = re.findall(r"`([^`:]+)::(\w+)`", cell)
    assert len(set(found)) == len(found), "named twice"
    for path, test in found:
        assert test.startswith("test_")
        assert test in parts_of(path), f"no {test} in {path}"
        marks = parts_of(path)[test].partition("def ")[0] + parts_of(path).get("pytestmark", "")
        assert not re.search("skip|xfail|verify", marks), f"{test} does not always run"
    return found


@cache
def switches():
    """Rows of the table of switches by name: default, second edition, other readings."""
    return {names(row[0])[0]: row[1:] for row in table("Switches")}


def value(cell):
    """Value of a switch as the page says it."""
    return eval(cell.strip("`"), {"pi": math.pi})


@pytest.mark.parametrize("heading", TEXTS)
def test_every_paragraph_has_a_row(heading):
    assert [row[0] for row in table(heading)] == [str(i + 1) for i in range(TEXTS[heading][1])]


@pytest.mark.parametrize("heading", TEXTS)
def test_the_texts_have_as_many_paragraphs(heading):
    file, n = TEXTS[heading]
    if not (RULES / file).exists():
        pytest.skip("the rules texts are not beside the repository")
    assert len(paragraphs((RULES / file).read_text())) == n


def test_what_a_paragraph_is():
    text = """Home > Rules > Games

    Games

    (Rule)

    A game has rules:

    • the first
    •
      • the second, or

    Boards and pieces

    0.66
    ../pics/board.pdf_tex
    The picture.A board, as it stands.
    a) This is on it.

    Pieces§4.1
    ⤢ Enlarge
    """
    assert paragraphs(text) == [
        "A game has rules:",
        "the first",
        "the second, or",
        "The picture.A board, as it stands.",
        "a) This is on it.",
    ]


@pytest.mark.parametrize("heading", TEXTS)
def test_paragraphs_are_told_in_own_words(heading):
    """No six words of a row stand in the text in that order, and no two rows say the same."""
    told = [row[1] for row in table(heading)]
    assert len(set(told)) == len(told)
    if not (RULES / TEXTS[heading][0]).exists():
        pytest.skip("the rules texts are not beside the repository")
    text = " ".join(words((RULES / TEXTS[heading][0]).read_text()))
    for said in told:
        own = words(said)
        runs = [" ".join(own[i : i + 6]) for i in range(len(own) - 5)]
        assert not [run for run in runs if run in text]


def words(text):
    return re.findall(r"\w+", text.lower())


@pytest.mark.parametrize(
    ("heading", "number", "said", "functions", "decided", "tests"),
    ROWS,
    ids=[f"{heading} {number}" for heading, number, *_ in ROWS],
)
def test_what_a_row_names_exists(heading, number, said, functions, decided, tests):
    assert said
    if has_reason(functions):
        assert (decided, tests) == ("", "")
        return
    assert names(functions), "neither a function nor a reason"
    for name in names(functions):
        resolved(name)
    assert set(names(decided)) <= set(switches())
    sources = [source_of(*test) for test in checked_tests(tests)]
    for switch in names(decided):
        field = switch.rpartition(".")[2]
        assert any(re.search(rf"\b{field}\b", source) for source in sources), f"no test sets {field}"


def test_every_case_is_held_by_a_test_of_its_number():
    assert [row[0] for row in table("Worked cases")] == CASES
    for case, said, tests in table("Worked cases"):
        assert said
        if has_reason(tests):
            continue
        number = case.replace("-", "").lower()
        assert all(number in test.split("_") for _, test in checked_tests(tests))


def test_switches_are_fields_with_these_defaults():
    holders = {"t9a": t9a.Rules(), "skirmish": skirmish.Rules(), "skirmish.Ground": skirmish.Ground()}
    known = {
        f"{holder}.{field.name}": getattr(rules, field.name)
        for holder, rules in holders.items()
        for field in dataclasses.fields(rules)
    }
    known["skirmish.Ground.closed"] = tuple(known["skirmish.Ground.closed"])  # an array without rows
    assert {name: value(row[0]) for name, row in switches().items()} == known


def test_the_second_edition_differs_as_told():
    default = dataclasses.asdict(t9a.THIRD_EDITION)
    assert t9a.Rules() == t9a.THIRD_EDITION
    assert skirmish.Rules() == skirmish.STANDARD
    second = dataclasses.asdict(t9a.SECOND_EDITION)
    differs = {f"t9a.{name}": second[name] for name in second if second[name] != default[name]}
    assert {name: value(row[1]) for name, row in switches().items() if row[1]} == differs


@pytest.mark.parametrize("name", [name for name in switches() if not name.startswith("skirmish.Ground")])
def test_other_readings_are_what_the_rules_accept(name):
    """Each reading in quotes is taken, and one that nobody has is not."""
    holder, _, field = name.rpartition(".")
    rules = {"t9a": t9a.Rules, "skirmish": skirmish.Rules}[holder]
    default, second, others = switches()[name]
    for reading in re.findall(r'`("[^"]+")`', others):
        assert getattr(rules(**{field: value(reading)}), field) == value(reading)
    if default.startswith('`"'):
        told = {value(cell) for cell in re.findall(r'`"[^"]+"`', f"{default} {second} {others}")}
        with pytest.raises(ValueError, match=field) as caught:
            rules(**{field: "nobody's"})
        wishes = str(caught.value).partition("got")[0]
        assert set(re.findall(r"'([^']+)'", wishes)) == told


def test_every_switch_decides_some_paragraph():
    told = {switch for row in ROWS for switch in names(row[4])}
    # Line Formation comes from the page on units.
    assert told == set(switches()) - {"t9a.line_formation"}


def test_what_is_decided_once_exists():
    for question, decision, where, tests in table("Decided once"):
        assert question
        assert decision
        assert [resolved(name) for name in names(where)]
        assert checked_tests(tests)


def test_every_switch_of_the_facts_is_a_field_or_decided():
    decided = {name for row in table("Decided once") for name in names(row[2])}
    assert set(WITHOUT_FIELD.values()) <= decided
    if not (RULES / "facts.md").exists():
        pytest.skip("the facts are not beside the repository")
    section = re.search(r"^## 8\..*\n((?:.+\n)*)", (RULES / "facts.md").read_text(), re.M)
    asked = set(re.findall(r"`([a-z]\w+)", section[1]))
    assert len(asked) > len(WITHOUT_FIELD)
    fields = {name.rpartition(".")[2] for name in switches()}
    assert asked <= fields | set(WITHOUT_FIELD)
