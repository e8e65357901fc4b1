"""What the help of the command promises: its examples run, its exit codes hold, mistakes cost one line."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys

import numpy as np
import pytest
from click.testing import CliRunner

import ninthgeom as ng
from ninthgeom.cli import main
from ninthgeom.scene import SCHEMA
from tests.command_line import ok, refused, run

COMMANDS = sorted(main.commands)


def examples(name):
    """The commands in the help of a command."""
    text = CliRunner().invoke(main, [name, "--help"], terminal_width=200).output
    return re.findall(r"^ +(ninthgeom .*)$", text[text.index("Examples:") :], re.MULTILINE)


@pytest.fixture
def folder(tmp_path, monkeypatch, repository):
    """A folder with what the examples read."""
    shutil.copytree(repository / "examples", tmp_path / "examples")
    scene = ng.read_scene(tmp_path / "examples" / "sample.json")
    np.save(tmp_path / "states.npy", np.repeat(scene.positions[None], 20, axis=0))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", COMMANDS)
def test_every_help_has_examples(name):
    assert len(examples(name)) >= 2


# The demo is run in test_cli.py, with fewer states; long simulations take their first steps here.
@pytest.mark.parametrize("line", [line for name in COMMANDS if name != "demo" for line in examples(name)])
def test_examples_run(folder, line):
    words = shlex.split(re.split(r" >>? ", line)[0])[1:]
    if words[0] == "simulate" and "--n" not in words:
        words += ["--n", "200"]
    ok(*words)
    out = words[words.index("-o") + 1] if "-o" in words else None
    assert out is None or (folder / out).stat().st_size > 5000


@pytest.mark.parametrize("line", examples("demo"))
def test_examples_of_the_demo_run(line):
    ok(*shlex.split(line)[1:], "--states", "20")


def test_schema_is_that_of_scene_files():
    assert ok("schema") == SCHEMA.read_text(encoding="utf-8")


# ---------------------------------------------------------------------------------- --json


@pytest.mark.parametrize(
    "arguments",
    [
        ("evaluate", "examples/sample.json"),
        ("evaluate", "examples/combat.json", "--duel", "Captain", "Warlord"),
        ("evaluate", "examples/skirmish.json"),
        ("evaluate", "examples/sample.json", "--positions", "states.npy", "--questions", "sight,distance"),
        ("simulate", "examples/sample.json", "--n", "100", "--observers", "Spears"),
    ],
)
def test_json_is_what_a_file_would_hold(folder, arguments):
    ok(*arguments, "--out", "answers.json")
    assert ok(*arguments, "--json") == (folder / "answers.json").read_text()


def test_json_of_armies_names_the_files(folder):
    found = json.loads(ok("armies", "--seed", "3", "--count", "2", "--out", "battles", "--json"))
    assert found == {"scenes": ["battles/battle-1.json", "battles/battle-2.json"]}
    assert all((folder / path).exists() for path in found["scenes"])


@pytest.mark.parametrize("command", ["evaluate", "simulate"])
def test_json_and_a_file_exclude_each_other(folder, command):
    line = refused(command, "examples/sample.json", "--json", "--out", "answers.json")
    assert line == "Error: --json: prints what --out FILE.json would hold; give one of the two"


def test_mistakes_print_no_json(folder):
    refused("evaluate", "examples/sample.json", "--json", "--observers", "Nobody")


# ---------------------------------------------------------------------------------- completion


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts_call_the_command(shell):
    script = ok("completion", shell)
    assert "_NINTHGEOM_COMPLETE" in script
    assert "ninthgeom" in script


def completed(*words):
    """What a shell would offer for the last word."""
    from click.shell_completion import ShellComplete

    found = ShellComplete(main, {}, "ninthgeom", "_NINTHGEOM_COMPLETE").get_completions(
        list(words[:-1]), words[-1]
    )
    return [item.value for item in found]


def test_commands_options_and_units_are_completed(folder):
    assert completed("ev") == ["evaluate"]
    assert "--observers" in completed("evaluate", "--o")
    assert completed("evaluate", "examples/sample.json", "--observers", "S") == ["Spears"]
    assert completed("plot", "examples/sample.json", "--targets", "W") == ["Wolf Scouts"]
    assert completed("evaluate", "missing.json", "--observers", "S") == []
    assert completed("evaluate", "--observers", "S") == []


@pytest.mark.parametrize(
    ("typed", "offered"),
    [("W", r"Wolf\ Scouts"), ('"W', "Wolf Scouts"), ("'W", "Wolf Scouts"), (r"Wolf\ S", r"Wolf\ Scouts")],
)
def test_bash_gets_names_with_blanks_as_one_word(folder, typed, offered):
    line = f"ninthgeom\nevaluate\nexamples/sample.json\n--observers\n{typed}"
    done = subprocess.run(
        [sys.executable, "-m", "ninthgeom"],
        capture_output=True,
        text=True,
        env=os.environ
        | {"PYTHONPATH": os.pathsep.join(sys.path), "_NINTHGEOM_COMPLETE": "bash_complete"}
        | {"COMP_WORDS": line, "COMP_CWORD": "4"},
    )
    assert done.stdout == f"plain,{offered}\n", done.stderr


# ---------------------------------------------------------------------------------- mistakes

MISTAKES = {
    "no such file": (("plot", "missing.json", "-o", "a.png"), "missing.json: No such file"),
    "a folder": (("plot", "examples", "-o", "a.png"), "examples: Is a directory"),
    "no JSON": (("plot", "broken.json", "-o", "a.png"), "broken.json: "),
    "no scene": (("plot", "other.json", "-o", "a.png"), "other.json: "),
    "no such unit": (
        ("plot", "examples/sample.json", "-o", "a.png", "--observers", "X"),
        "no unit is named 'X'",
    ),
    "rules of another game": (
        ("plot", "examples/skirmish.json", "-o", "a.png", "--question", "engaged", "--rules", "second"),
        "--rules: only for questions about ranks and files",
    ),
    "other suffix": (("plot", "examples/sample.json", "-o", "a.txt"), "must end in one of .png, .svg, .pdf"),
    "no suffix": (("plot", "examples/sample.json", "-o", "picture"), "got 'no extension'"),
    "no folder": (("plot", "examples/sample.json", "-o", "x/a.png"), "x/a.png: No such file"),
    "its input": (("plot", "examples/link.png", "-o", "examples/link.png"), "would be written over"),
    "no extent": (
        ("plot", "examples/sample.json", "-o", "a.png", "--extent", "5", "5", "1", "9"),
        "extent must be",
    ),
    "too large": (
        ("plot", "examples/sample.json", "-o", "a.png", "--size", "1000", "5"),
        "--size: must be from",
    ),
    "no size": (
        ("plot", "examples/sample.json", "-o", "a.png", "--size", "nan", "5"),
        "--size: must be from",
    ),
    "too many dots": (
        ("plot", "examples/sample.json", "-o", "a.png", "--size", "100", "100", "--dpi", "1200"),
        "--dpi: makes 14,400,000,000 dots of --size, and 100,000,000 are the most",
    ),
    "json of nothing": (("evaluate", "missing.json", "--json"), "missing.json: No such file"),
    "unit names of simulate": (
        ("simulate", "examples/sample.json", "--targets", "X"),
        "no unit is named 'X'",
    ),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_cost_one_line(folder, case):
    (folder / "broken.json").write_text("{")
    (folder / "other.json").write_text("[]")
    os.link(folder / "examples" / "sample.json", folder / "examples" / "link.png")
    arguments, message = MISTAKES[case]
    assert message in refused(*arguments)
    assert not (folder / "a.png").exists()


@pytest.mark.parametrize(
    "arguments", [("plot", "a.json"), ("nonsense",), ("completion", "csh"), ("plot",), ("-x",)]
)
def test_wrong_usage_ends_with_2(arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stderr.startswith("Usage: ")
    assert "Traceback" not in result.stderr


def test_without_matplotlib_one_line_says_what_to_install(folder, run_python):
    (folder / "matplotlib.py").write_text("raise ModuleNotFoundError('no matplotlib', name='matplotlib')")
    code = "import sys; sys.path.insert(0, sys.argv[1]); from ninthgeom.cli import main; main(sys.argv[2:])"
    done = subprocess.run(
        [sys.executable, "-c", code, str(folder), "plot", "examples/sample.json", "-o", "a.png"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert (
        done.stderr
        == "Error: plot: pictures need matplotlib: the extra plot, pip install '.[plot]' in a clone\n"
    )


def test_names_that_no_terminal_shows_are_escaped(tmp_path):
    """Half a surrogate pair is a name, in files too; on a terminal it is written out."""
    text = (
        '{"units": [{"name": "\\ud800", "base_mm": [20, 20], "x": 9, "y": 9, "heading_deg": 0},'
        ' {"name": "other", "base_mm": [20, 20], "x": 19, "y": 9, "heading_deg": 0, "side": 1}]}'
    )
    (tmp_path / "scene.json").write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "ninthgeom", "evaluate", str(tmp_path / "scene.json")],
        capture_output=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert done.returncode == 0
    assert b"\\ud800" in done.stdout


# ---------------------------------------------------------------------------------- pictures


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_pictures_are_what_their_suffix_says_and_the_same_each_time(folder, kind):
    first = (folder / f"a.{kind}", folder / f"b.{kind}")
    for path in first:
        assert (
            ok("plot", "examples/sample.json", "-o", path, "--question", "sight", "--observers", "Spears")
            == f"{path}\n"
        )
    start = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}[kind]
    assert first[0].read_bytes().startswith(start)
    assert first[0].read_bytes() == first[1].read_bytes()


def test_size_and_dpi(folder):
    from matplotlib.image import imread

    ok("plot", "examples/sample.json", "-o", "a.png", "--size", "4", "3", "--dpi", "50")
    assert imread("a.png").shape[:2] == (150, 200)


def test_names_can_be_left_out(folder):
    ok("plot", "examples/sample.json", "-o", "a.svg")
    ok("plot", "examples/sample.json", "-o", "b.svg", "--no-labels")
    with_names, without = ((folder / name).read_text().count("<path ") for name in ("a.svg", "b.svg"))
    assert with_names > without + 10  # letters are outlines


@pytest.mark.parametrize(
    ("scene", "question"),
    [("sample", name) for name in ("sight", "visible-area", "points", "arcs", "distances")]
    + [("combat", name) for name in ("contacts", "attacks", "legal")]
    + [("skirmish", name) for name in ("coherency", "engaged")],
)
def test_every_question_adds_something(folder, scene, question):
    ok("plot", f"examples/{scene}.json", "-o", "a.svg")
    ok("plot", f"examples/{scene}.json", "-o", "b.svg", "--question", question)
    assert (folder / "a.svg").read_text() != (folder / "b.svg").read_text()


def test_the_second_edition_fills_ranks_first(folder):
    scene = ng.read_scene("examples/sample.json")
    living = scene.board.occupied.copy()
    living[1] = False
    ng.write_scene("lost.json", ng.Scene(scene.board, scene.positions, None, living))
    for rules in ("second", "third"):
        ok("plot", "lost.json", "-o", f"{rules}.svg", "--rules", rules)
    assert (folder / "second.svg").read_text() != (folder / "third.svg").read_text()
