"""The page on rules coverage: what it names exists, and it leaves no paragraph out."""

from __future__ import annotations

import ast
import dataclasses
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
CASES = [*(f"E{n}" for n in range(1, 50)), *(f"S-{n}" for n in range(1, 8))]


@cache
def table(heading):
    """Rows of the table below a heading, as lists of cells."""
    section = re.search(rf"^## {re.escape(heading)}\n(.*?)(?=^## |\Z)", PAGE.read_text(), re.M | re.S)
    lines = [line for line in section[1].splitlines() if line.startswith("| ")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


ROWS = [(heading, *row) for heading in TEXTS for row in table(heading)]


def paragraphs(text):
    """Paragraphs and bullets of a rules text.

    Left out are the line that leads to the page, what stands for a picture, empty bullets, and headings:
    lines that are no bullets and end without a stop.
    """
    found = []
    for line in text.splitlines():
        body = line.strip().lstrip("• ").strip()
        is_picture = (
            body in ("(Rule)", "⤢ Enlarge") or body.startswith("../") or re.fullmatch(r"[\d.]+", body)
        )
        if not body or " > " in body or is_picture:
            continue
        if line.strip().startswith("•") or re.search(r"[.:,)]$", body):
            found.append(body)
    return found


@cache
def tests_in(path):
    """Names of the tests of a file."""
    tree = ast.parse((ROOT / "tests" / path).read_text())
    return {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}


def named_tests(cell):
    return re.findall(r"`([\w/]+\.py)::(\w+)`", cell)


def has_reason(cell):
    return re.fullmatch(r"none: \w.{20,}", cell) is not None


@pytest.mark.parametrize("heading", TEXTS)
def test_every_paragraph_has_a_row(heading):
    assert [row[0] for row in table(heading)] == [str(i + 1) for i in range(TEXTS[heading][1])]


@pytest.mark.parametrize("heading", TEXTS)
def test_the_texts_have_as_many_paragraphs(heading):
    file, n = TEXTS[heading]
    if not (RULES / file).exists():
        pytest.skip("the rules texts are not beside the repository")
    assert len(paragraphs((RULES / file).read_text())) == n


@pytest.mark.parametrize(("heading", "number", "said", "functions", "switches", "tests"), ROWS)
def test_what_a_row_names_exists(heading, number, said, functions, switches, tests):
    assert said
    if has_reason(functions):
        assert (switches, tests) == ("", "")
        return
    for name in re.findall(r"`([^`]+)`", functions):
        found = ninthgeom
        for part in name.split("."):
            found = getattr(found, part)
    assert functions.startswith("`")
    assert named_tests(tests), "neither a test nor a reason"
    for path, test in named_tests(tests):
        assert test in tests_in(path)
    assert set(re.findall(r"`([^`]+)`", switches)) <= {row[0].strip("`") for row in table("Switches")}


def test_every_case_is_held_by_a_test_of_its_number():
    assert [row[0] for row in table("Worked cases")] == CASES
    for case, _, tests in table("Worked cases"):
        if has_reason(tests):
            continue
        assert named_tests(tests)
        number = case.replace("-", "").lower()
        for path, test in named_tests(tests):
            assert test in tests_in(path)
            assert number in test.split("_")


def test_switches_are_fields_with_these_defaults():
    known = {
        f"{name}.{field.name}": getattr(module.Rules(), field.name)
        for name, module in (("t9a", t9a), ("skirmish", skirmish))
        for field in dataclasses.fields(module.Rules)
    }
    told = {row[0].strip("`"): row[1].strip("`") for row in table("Switches")}
    assert {name: eval(text, {"pi": math.pi}) for name, text in told.items()} == known


def test_every_switch_decides_some_paragraph():
    told = {switch for row in ROWS for switch in re.findall(r"`([^`]+)`", row[4])}
    # Engagement is no paragraph of its own, and Line Formation comes from the page on units.
    elsewhere = {"skirmish.engaged_range", "skirmish.engaged_terrain", "t9a.line_formation"}
    assert told | elsewhere == {row[0].strip("`") for row in table("Switches")}
    assert not told & elsewhere
