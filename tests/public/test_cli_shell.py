"""What the command does in a shell: completion, outputs that are closed or full, words on a terminal."""

import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import time
import types
from pathlib import Path

import numpy as np
import pytest
from click.shell_completion import ShellComplete

import ninthgeom as ng
from ninthgeom import _cli_options
from ninthgeom.cli import main
from tests.command_line import ok, refused, run

PYTHON = f"{shlex.quote(sys.executable)} -m ninthgeom"


@pytest.fixture
def folder(tmp_path, monkeypatch, repository):
    """A folder with the examples."""
    shutil.copytree(repository / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    return tmp_path


def shell(script):
    return subprocess.run(["sh", "-c", script], capture_output=True, text=True, check=False)


# ---------------------------------------------------------------------------------- outputs


@pytest.mark.parametrize("words", ["evaluate examples/sample.json", "--help", "schema"])
def test_a_closed_output_costs_one_line(folder, words):
    done = shell(f"{PYTHON} {words} >&-")
    assert (done.returncode, done.stderr) == (2, "Error: standard output: it is closed\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("words", ["plot --help", "--version", "armies --seed 1 --out battles --json"])
def test_a_full_output_costs_one_line(folder, words):
    done = shell(f"{PYTHON} {words} > /dev/full")
    assert (done.returncode, done.stderr) == (2, "Error: standard output: No space left on device\n")


def test_nothing_is_said_where_nobody_listens(folder):
    done = shell(f"{PYTHON} plot examples/sample.json -o a.png 2>&-")
    assert (done.returncode, done.stdout) == (0, "a.png\n")


def test_a_reader_who_has_seen_enough(folder):
    done = shell(f"{{ {PYTHON} schema; echo $? >&2; }} | true")
    assert done.stderr in ("0\n", "1\n")  # the reader may be gone or not when all is written


def test_a_fault_of_the_program_ends_with_1_and_is_shown(folder, monkeypatch):
    def broken(_):
        raise RuntimeError("a fault")

    monkeypatch.setattr(ng, "read_scene", broken)
    result = run("evaluate", "examples/sample.json")
    assert result.exit_code == 1
    assert isinstance(result.exception, RuntimeError)


def test_exit_codes_are_told():
    text = " ".join(ok("--help").split())
    for code in ("0, all done;", "2, something given", "130, ended by Ctrl-C;", "1, a fault"):
        assert code in text


# ---------------------------------------------------------------------------------- --json


def test_json_of_the_demo(folder):
    text = ok("demo", "--states", 40, "--seed", 2, "--json")
    found = json.loads(text)
    seconds = found.pop("seconds")
    assert seconds > 0
    assert (found["seed"], found["states"]) == (2, 40)
    printed = ok("demo", "--states", 40, "--seed", 2)
    assert f"Battle 2: {len(found['units'])} units, {found['terrain']} pieces of terrain" in printed
    lines = printed.splitlines()
    keys = ["unit", "side", "enemies", "nearest", "in_front_arc", "seen", "in_contact"]
    assert found["units"]
    for sums in found["units"]:
        assert list(sums) == keys
        means = [f"{sums[key]:.3f}" for key in keys[4:]]
        row = [sums["unit"], str(sums["side"]), str(sums["enemies"]), f"{sums['nearest']:.2f}", *means]
        assert row in [re.split(r" {2,}", line.strip()) for line in lines]


def test_json_keeps_nothing_to_go_on_with(folder):
    line = refused("evaluate", "examples/sample.json", "--json", "--resume")
    assert line == "Error: --json: keeps nothing that --resume could go on with; say where with --out"


def test_errors_name_no_file_that_the_user_does_not_know(folder, monkeypatch):
    def full(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ninthgeom._answer_whole.json.dumps", full)
    line = refused("evaluate", "examples/sample.json", "--json")
    assert line == "Error: --json: No space left on device"


# ---------------------------------------------------------------------------------- names


@pytest.fixture
def odd(folder):
    """A scene with half a surrogate pair, dollars and letters of other scripts in its names."""
    board = ng.Board(
        [
            ng.Unit("half \ud800", (20, 20)),
            ng.Unit(r"$\frac$ [red]", (20, 20), side=1),
            ng.Unit("ß 龍龘", (20, 20), side=1),
        ]
    )
    ng.write_scene("odd.json", ng.Scene(board, [[9, 9, 0], [19, 9, 0], [29, 9, 0]]))
    return board


def test_names_come_back_from_json(odd):
    answers = json.loads(ok("evaluate", "odd.json", "--json"))
    assert answers["observers"] == list(odd.names)
    ok("evaluate", "odd.json", "--questions", "sight", "--out", "answers")
    assert json.loads(Path("answers/answers.json").read_text())["names"]["observers"] == list(odd.names)
    estimates = json.loads(ok("simulate", "odd.json", "--n", 5, "--json"))
    assert {pair["observer"] for pair in estimates["pairs"]} == set(odd.names)
    ok("simulate", "odd.json", "--n", 5, "--out", "estimates.csv")
    assert "half \\ud800," in Path("estimates.csv").read_text()


@pytest.mark.parametrize("kind", ["png", "svg", "pdf"])
def test_pictures_take_any_name(odd, kind):
    """What the font has no letter for is said in one line."""
    words = ["--question", "visible-area", "--question", "sight", "--observers"]
    result = run("plot", "odd.json", "-o", f"a.{kind}", *words, odd.names[1])
    assert (result.exit_code, result.stdout) == (0, f"a.{kind}\n")
    line, *others = result.stderr.splitlines()
    assert others == []
    assert line.startswith("Warning: Glyph ")
    assert line.endswith(" And 1 more.")


@pytest.mark.parametrize(
    "words",
    ["combat --question contacts --question attacks", "skirmish --question coherency --question engaged"],
)
def test_legends_are_not_cut_off(folder, monkeypatch, words):
    """Those with two rows were."""
    figures = []
    monkeypatch.setattr("ninthgeom._cli_plot._save", lambda figure, *_: figures.append(figure))
    scene, *others = words.split()
    ok("plot", f"examples/{scene}.json", "-o", "a.png", *others)
    (figure,) = figures
    figure.draw_without_rendering()
    legend = figure.axes[0].get_legend().get_window_extent()
    assert legend.height > 35  # two rows
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
    assert 0 <= legend.y0 < legend.y1 <= figure.bbox.height


# ---------------------------------------------------------------------------------- completion


def completed(*words):
    """What a shell would offer for the last word."""
    asked = ShellComplete(main, {}, "ninthgeom", "_NINTHGEOM_COMPLETE")
    return [item.value for item in asked.get_completions(list(words[:-1]), words[-1])]


def test_groups_are_completed_where_groups_are_named(folder):
    assert completed("evaluate", "examples/skirmish.json", "--observers", "Ri") == ["Rifles"]
    assert completed("plot", "examples/skirmish.json", "--observers", "Rifle 1") == ["Rifle 1"]
    assert completed("evaluate", "examples/combat.json", "--targets", "Or") == ["Orcs"]


def test_duellists_are_completed(folder):
    assert completed("evaluate", "examples/combat.json", "--duel", "Cap") == ["Captain"]
    assert "Orcs" not in completed("evaluate", "examples/combat.json", "--duel", "")
    assert "Giant" in completed("evaluate", "examples/combat.json", "--duel", "Captain", "")
    assert completed("evaluate", "missing.json", "--duel", "Cap") == []


BASH = r"""
eval "$(ninthgeom completion bash)"
offer() {
    COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
    _ninthgeom_completion ninthgeom
    printf '%s|' "${COMPREPLY[@]}"; echo
}
offer ninthgeom sch
offer ninthgeom plot examples/sample.json --observers W
offer ninthgeom plot examples/sample.json --observers 'Wolf\ S'
offer ninthgeom plot examples/sample.json --observers '"Wolf'
offer ninthgeom plot odd.json --observers '\$'
"""


def has_bash():
    """Whether there is a bash that click can complete for."""
    if not (bash := shutil.which("bash")):
        return False
    done = subprocess.run([bash, "-c", "echo ${BASH_VERSINFO[@]:0:2}"], capture_output=True, text=True)
    return [int(part) for part in done.stdout.split()] >= [4, 4]


@pytest.mark.skipif(not has_bash(), reason="needs bash 4.4")
def test_bash_gets_names_as_one_word(odd, tmp_path, monkeypatch):
    command = tmp_path / "bin" / "ninthgeom"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {PYTHON} "$@"\n')
    command.chmod(0o755)
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    done = subprocess.run(["bash", "--norc", "-c", BASH], capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "schema|",
        r"Wolf\ Scouts|",
        r"Wolf\ Scouts|",
        "Wolf Scouts|",
        r"\$\\frac\$\ \[red\]|",
    ]


# ---------------------------------------------------------------------------------- patience


class Terminal(io.StringIO):
    def isatty(self):
        return True


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The folder of a cache of kernels that was filled an hour ago."""
    (tmp_path / "family").mkdir()
    old = tmp_path / "family" / "old.nbi"
    old.touch()
    os.utime(old, (time.time() - 3600,) * 2)
    monkeypatch.setitem(sys.modules, "ninthgeom_kernel._jit", types.SimpleNamespace(CACHE_DIR=str(tmp_path)))
    return tmp_path


def test_what_compiles_kernels_is_told_from_what_loads_them(cache, monkeypatch):
    start = time.time() - 60
    assert not _cli_options._compiled_since(start)
    (cache / "family" / "new.nbi").touch()
    assert _cli_options._compiled_since(start)
    sys.modules["ninthgeom_kernel._jit"].CACHE_DIR = None  # nowhere to write
    assert _cli_options._compiled_since(start)
    monkeypatch.delitem(sys.modules, "ninthgeom_kernel._jit")  # nothing was asked yet
    assert not _cli_options._compiled_since(start)


def test_a_terminal_hears_once_what_takes_so_long(cache, monkeypatch):
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setattr(_cli_options, "_MOMENT", 0.01)
    new = cache / "family" / "new.nbi"
    with _cli_options.patience():
        new.touch()
        os.utime(new, (time.time() + 3600,) * 2)
        for _ in range(3000):
            if terminal.getvalue():
                break
            time.sleep(0.01)
        time.sleep(0.05)
    assert terminal.getvalue() == "Compiling kernels, once for this version ...\n"


@pytest.mark.parametrize("stream", [None, io.StringIO()])
def test_nothing_but_a_terminal_hears_it(cache, monkeypatch, stream):
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr(_cli_options, "_MOMENT", 0.001)
    sys.modules["ninthgeom_kernel._jit"].CACHE_DIR = None
    with _cli_options.patience():
        time.sleep(0.02)
    assert stream is None or stream.getvalue() == ""


# ---------------------------------------------------------------------------------- mistakes

SAMPLE = "examples/sample.json"
MISTAKES = {
    "evaluate: folder": ("evaluate examples", "examples: Is a directory"),
    "evaluate: no JSON": ("evaluate broken.json", "broken.json: line 1"),
    "evaluate: no question": (f"evaluate {SAMPLE} --questions sigth", "did you mean 'sight'"),
    "evaluate: no states": (f"evaluate {SAMPLE} --positions no.npy", "no.npy: No such file"),
    "evaluate: other states": (f"evaluate {SAMPLE} --positions wrong.npy", "wrong.npy: positions must have"),
    "evaluate: other suffix": (f"evaluate {SAMPLE} --out a.xlsx", "a.xlsx: answers are written as"),
    "evaluate: no folder": (f"evaluate {SAMPLE} --out no/a.json", "no/a.json: No such file"),
    "evaluate: its input": (f"evaluate {SAMPLE} --out {SAMPLE}", "would be written over"),
    "evaluate: no duel": (f"evaluate {SAMPLE} --duel A B", "--duel: no model is named 'A'"),
    "evaluate: nothing kept": (f"evaluate {SAMPLE} --resume", "--resume: there is nothing to go on with"),
    "evaluate: no skirmish": (f"evaluate {SAMPLE} --leader A=B", "only in the rules of skirmish games"),
    "evaluate: no group": ("evaluate examples/skirmish.json --observers X", "--observers: "),
    "evaluate: no radius": ("evaluate examples/skirmish.json --radius Rifles=x", "'x' is no length"),
    "simulate: skirmish": ("simulate examples/skirmish.json", "this is a skirmish game"),
    "simulate: NaN": (f"simulate {SAMPLE} --jitter nan", "--jitter: must be from 0"),
    "simulate: negative": (f"simulate {SAMPLE} --turn -1", "--turn: must be from 0"),
    "simulate: certain": (f"simulate {SAMPLE} --confidence 1", "--confidence: must lie between 0 and 1"),
    "simulate: no width": (f"simulate {SAMPLE} --half-width sight=0", "--half-width: must be a number"),
    "simulate: not asked": (f"simulate {SAMPLE} --half-width armour=1", "--half-width: must be for one of"),
    "simulate: other suffix": (f"simulate {SAMPLE} --out a.npz", "a.npz: estimates are written as"),
    "simulate: no checkpoint": (f"simulate {SAMPLE} --n 5 --checkpoint {SAMPLE}", f"{SAMPLE}: "),
    "armies: a file": (f"armies --seed 1 --out {SAMPLE}", f"{SAMPLE}: File exists"),
    "plot: ranks": (f"plot {SAMPLE} -o a.png --question coherency", "skirmish models are single"),
    "plot: a folder": (f"plot {SAMPLE} -o folder.png", "folder.png: Is a directory"),
    "plot: dots": (f"plot {SAMPLE} -o a.png --size 100 100 --dpi 1200", "--dpi: makes 14,400,000,000 dots"),
    "plot: infinite": (f"plot {SAMPLE} -o a.png --size inf 5", "--size: must be from"),
    "plot: one side": (f"plot {SAMPLE} -o a.png --size 5", "'--size' requires 2 arguments"),
    "plot: extent": (f"plot {SAMPLE} -o a.png --extent 0 0 nan 5", "extent must"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_mistakes_cost_one_line(folder, case):
    (folder / "broken.json").write_text("{")
    (folder / "folder.png").mkdir()
    np.save("wrong.npy", np.zeros((4, 2, 3)))
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    words, message = MISTAKES[case]
    assert message in refused(*shlex.split(words))
    assert {path: path.stat().st_mtime_ns for path in folder.rglob("*")} == before


@pytest.mark.parametrize(
    "words",
    [
        "evaluate",
        f"evaluate {SAMPLE} --workers 0",
        f"evaluate {SAMPLE} --rules fourth",
        f"simulate {SAMPLE} --n 0",
        f"simulate {SAMPLE} --seed -1",
        f"simulate {SAMPLE} --jitter far",
        "armies --seed 1",
        "armies --seed x --out battles",
        "demo --states 0",
        f"plot {SAMPLE} -o a.png --dpi 5",
        f"plot {SAMPLE} -o a.png --question shooting",
        "schema more",
        "completion",
    ],
)
def test_wrong_options_cost_a_line_below_the_usage(folder, words):
    result = run(*shlex.split(words))
    assert (result.exit_code, result.stdout) == (2, "")
    lines = [line for line in result.stderr.splitlines() if line]
    assert lines[0].startswith("Usage: ")
    assert lines[-1].startswith("Error: ") or "Choose from" in result.stderr
    assert not (folder / "a.png").exists()
