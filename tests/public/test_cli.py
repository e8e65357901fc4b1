"""The command: what it prints and writes, and what it says about input it cannot use."""

import contextlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import t9a
from ninthgeom._position_files import open_positions
from tests.command_line import cells, ok, refused, run

UNITS = [
    ng.Unit("Speerträger", (20, 20), models=13, side=0),
    ng.Unit("knights [1]", (25, 50), models=5, side=0, height=2),
    ng.Unit("giant", (50, 75), side=1, height=5),
]
NORTH, SOUTH = np.pi / 2, -np.pi / 2
POSITIONS = np.array([[20, 10, NORTH], [30, 10, NORTH], [25, 20, SOUTH]])


@pytest.fixture
def board():
    return ng.Board(UNITS, [ng.Terrain([(10, 20), (15, 20), (12, 25)], kind="hill")])


@pytest.fixture
def scene(tmp_path, board):
    path = tmp_path / "scene.json"
    ng.write_scene(path, ng.Scene(board, POSITIONS))
    return path


@pytest.fixture
def positions(board):
    rng = np.random.default_rng(7)
    return POSITIONS + rng.normal(0, 1, (50, *POSITIONS.shape))


def test_version_and_help():
    assert ng.__version__ in ok("--version")
    assert "evaluate" in ok("--help")
    assert "inside_arc" in ok("evaluate", "--help")


def test_evaluate_prints_a_row_for_every_ordered_pair(scene):
    rows = cells(ok("evaluate", scene))
    assert rows[0] == ["observer", "target", "distance", "inside arc", "located in", "contact", "sight"]
    rows = [row for row in rows if len(row) == 7][1:]
    assert [row[:2] for row in rows] == [[a.name, b.name] for a in UNITS for b in UNITS if a is not b]
    answers = t9a.evaluate(ng.read_scene(scene).board, POSITIONS)
    assert rows[1] == ["Speerträger", "giant", f"{answers.distance[0, 2]:.2f}", "front", "front", "-", "yes"]
    assert rows[0][3:] == ["right", "right", "-", "-"]


def test_units_can_be_chosen_by_name(scene):
    output = ok(
        "evaluate", scene, "--observers", "giant", "--targets", "knights [1]", "--targets", "Speerträger"
    )
    rows = [row for row in cells(output) if len(row) == 7][1:]
    assert [row[:2] for row in rows] == [["giant", "knights [1]"], ["giant", "Speerträger"]]


def test_absent_units_have_no_answer(tmp_path, board):
    path = tmp_path / "absent.json"
    ng.write_scene(path, ng.Scene(board, POSITIONS, present=np.array([True, True, False])))
    rows = [row for row in cells(ok("evaluate", path)) if len(row) == 7]
    assert rows[2] == ["Speerträger", "giant", "-", "-", "-", "-", "-"]


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_positions_are_summarised_for_each_pair(tmp_path, scene, board, positions, suffix):
    path = tmp_path / f"states{suffix}"
    np.save(path, positions) if suffix == ".npy" else np.savez(path, positions=positions)
    output = ok("evaluate", scene, "--positions", path)
    rows = cells(output)
    answers = t9a.evaluate(board, positions)
    assert rows[2] == [
        "Speerträger",
        "knights [1]",
        "50",
        f"{answers.distance[:, 0, 1].mean():.2f}",
        f"{answers.distance[:, 0, 1].min():.2f}",
        f"{answers.contact[:, 0, 1].mean():.1%}",
        f"{(answers.inside_arc[:, 0, 1] & 1 > 0).mean():.1%}",
        f"{answers.sight[:, 0, 1].mean():.1%}",
    ]
    assert re.fullmatch(r"50 states in \d+\.\d\d s: [\d,]+ states per second", output.splitlines()[-1])


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_answers_are_written_with_masks_from_the_file(tmp_path, scene, board, positions, suffix):
    rng = np.random.default_rng(3)
    present = rng.random((50, 3)) < 0.7
    occupied = board.occupied & (rng.random((50, board.n_models)) < 0.7)
    states, out = tmp_path / "states.npz", tmp_path / f"answers{suffix}"
    np.savez(states, positions=positions, present=present, occupied=occupied)
    ok("evaluate", scene, "--positions", states, "--out", out, "--observers", "giant", "--workers", 2)
    expected = t9a.evaluate(board, positions, present=present, occupied=occupied, observers=["giant"])
    if suffix == ".npz":
        with np.load(out) as file:
            written = dict(file)
    else:
        written = json.loads(out.read_text())
    keys = ["observers", "targets", "models", *expected.arrays()]
    assert [key for key in written if not key.startswith(("contact_", "attack_"))] == keys
    assert list(written["observers"]) == ["giant"]
    assert list(written["targets"]) == [unit.name for unit in UNITS]
    for name, values in expected.arrays().items():
        answer = np.array(written[name], dtype=values.dtype)  # None becomes nan
        np.testing.assert_array_equal(np.where(np.isnan(answer), np.inf, answer), values)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["scene.json", "states.npz", out.name])


def test_answers_of_one_scene_have_no_axis_of_states(tmp_path, scene):
    out = tmp_path / "answers.npz"
    ok("evaluate", scene, "--out", out)
    with np.load(out) as file:
        assert file["sight"].shape == (3, 3)


def test_masks_of_the_scene_hold_for_positions_without_masks(tmp_path, board, positions):
    scene, states, out = tmp_path / "scene.json", tmp_path / "states.npy", tmp_path / "answers.npz"
    present = np.array([True, False, True])
    ng.write_scene(scene, ng.Scene(board, POSITIONS, present=present))
    np.save(states, positions)
    ok("evaluate", scene, "--positions", states, "--out", out)
    with np.load(out) as file:
        np.testing.assert_array_equal(file["distance"], t9a.distances(board, positions, present=present))


def test_armies_writes_battles_that_can_be_evaluated(tmp_path):
    folder = tmp_path / "new" / "battles"
    output = ok("armies", "--seed", 5, "--out", folder, "--count", 2)
    paths = sorted(folder.iterdir())
    assert [path.name for path in paths] == ["battle-1.json", "battle-2.json"]
    assert output.splitlines() == [str(path) for path in paths]
    again = tmp_path / "again"
    ok("armies", "--seed", 5, "--out", again, "--count", 1)
    assert (again / "battle-1.json").read_bytes() == paths[0].read_bytes()
    assert paths[0].read_bytes() != paths[1].read_bytes()
    ok("evaluate", paths[0])


def test_demo(board):
    output = ok("demo", "--states", 30)
    assert re.search(r"Battle \d+: \d+ units, \d+ pieces of terrain, in two battle lines\.", output)
    assert (
        "30 states, in each of them every unit moved up to 12 inches and turned up to 90 degrees." in output
    )
    assert re.fullmatch(r"30 states in \d+\.\d\d s: [\d,]+ states per second", output.splitlines()[-1])


def save_npz(path, **arrays):
    np.savez(path, **arrays)


BAD_POSITIONS = {
    "wrong number of units": (
        lambda path: np.save(path, np.zeros((4, 5, 3))),
        r"positions must have shape \(n, 3, 3\) for a board of 3 units, got \(4, 5, 3\)",
    ),
    "NaN": (
        lambda path: np.save(path, np.where(np.arange(36).reshape(4, 3, 3) == 29, np.nan, 0.0)),
        r"positions\[3\]\[0\]\[2\]: heading must be finite, got nan",
    ),
    "not numbers": (lambda path: np.save(path, np.array([["a"]])), "positions must hold real numbers"),
    "pickled": (lambda path: np.save(path, np.array([{}], dtype=object)), "not a readable .npy file: "),
    "empty file": (lambda path: path.write_bytes(b""), "not a readable .npy file: "),
    "something else": (lambda path: path.write_text("x,y,heading\n"), "not a readable .npy file: "),
    "cut off": (
        lambda path: (np.save(path, np.zeros((4, 3, 3))), path.write_bytes(path.read_bytes()[:-100])),
        "not a readable .npy file: ",
    ),
    "huge header": (
        lambda path: path.write_bytes(
            b"\x93NUMPY\x01\x00\x76\x00"
            + b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000, 3, 3), }".ljust(117)
            + b"\n"
        ),
        "not a readable .npy file: ",
    ),
}


@pytest.mark.parametrize("case", BAD_POSITIONS)
def test_bad_positions(tmp_path, scene, case):
    write, message = BAD_POSITIONS[case]
    path, out = tmp_path / "bad.npy", tmp_path / "answers.npz"
    write(path)
    line = refused("evaluate", scene, "--positions", path, "--out", out)
    assert line.startswith(f"Error: {path}: ")
    assert re.search(message, line)
    assert not out.exists()


BAD_ARCHIVES = {
    "no positions": ({"present": np.ones((4, 3), bool)}, "there is no array 'positions'"),
    "unknown array": ({"positions": np.zeros((4, 3, 3)), "presnt": np.ones(3)}, "unknown array 'presnt'"),
    "present": (
        {"positions": np.zeros((4, 3, 3)), "present": np.ones((5, 3), bool)},
        "present do not broadcast",
    ),
    "not booleans": (
        {"positions": np.zeros((4, 3, 3)), "present": np.ones((4, 3))},
        "present must hold booleans",
    ),
    "occupied": (
        {"positions": np.zeros((4, 3, 3)), "occupied": np.ones((4, 3), bool)},
        "occupied must have shape",
    ),
    "pickled": ({"positions": np.array([None] * 9).reshape(3, 3)}, "not a readable .npz file: "),
}


@pytest.mark.parametrize("case", BAD_ARCHIVES)
def test_bad_archives(tmp_path, scene, case):
    arrays, message = BAD_ARCHIVES[case]
    path = tmp_path / "bad.npz"
    np.savez(path, **arrays)
    line = refused("evaluate", scene, "--positions", path)
    assert line.startswith(f"Error: {path}: ")
    assert message in line


def test_truncated_archive(tmp_path, scene, positions):
    path = tmp_path / "bad.npz"
    np.savez_compressed(path, positions=positions)
    whole = path.read_bytes()
    for size in (10, len(whole) // 2, len(whole) - 10):
        path.write_bytes(whole[:size])
        assert "not a readable .npz file: " in refused("evaluate", scene, "--positions", path)
    broken = bytearray(whole)
    broken[200:240] = bytes(40)
    path.write_bytes(broken)
    assert "not a readable .npz file: " in refused("evaluate", scene, "--positions", path)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_damaged_positions(tmp_path, board, positions, suffix):
    path = tmp_path / f"bad{suffix}"
    if suffix == ".npy":
        np.save(path, positions)
    else:
        np.savez_compressed(path, positions=positions)
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    for _ in range(400):  # bits flipped where the headers are, mostly
        damaged = bytearray(whole)
        for place in rng.integers(0, min(200, len(whole)), 3):
            damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        with contextlib.suppress(ValueError, TypeError, OSError), open_positions(path, board) as file:
            file.chunk(0, file.n_states)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_standard_output_that_cannot_be_written(scene):
    command = [sys.executable, "-m", "ninthgeom", "evaluate", str(scene)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            command, stdout=full, stderr=subprocess.PIPE, text=True, env=environment, check=False
        )
    assert done.returncode == 2
    assert done.stderr == "Error: standard output: No space left on device\n"


@pytest.mark.skipif(os.name != "posix", reason="needs a shell that closes streams")
@pytest.mark.parametrize(("closed", "code"), [(">&-", 2), ("2>&-", 0), (">&- 2>&-", 2)])
def test_streams_that_are_closed(closed, code):
    """Where nothing can be printed that is an error in one line, if that can be printed."""
    command = ["sh", "-c", f'exec "$@" {closed}', "sh", sys.executable, "-m", "ninthgeom", "schema"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == code
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == (closed == ">&-")


def test_missing_files(tmp_path, scene):
    nowhere = tmp_path / "nowhere.npy"
    assert refused("evaluate", tmp_path / "none.json").endswith("none.json: No such file or directory")
    assert (
        refused("evaluate", scene, "--positions", nowhere) == f"Error: {nowhere}: No such file or directory"
    )
    assert "Is a directory" in refused("evaluate", tmp_path)
    text = tmp_path / "states.txt"
    text.write_text("")
    assert "positions are read from .npy, .npz or .parquet, got '.txt'" in refused(
        "evaluate", scene, "--positions", text
    )


@pytest.mark.parametrize(
    ("break_it", "message"),
    [
        (lambda text: text[: len(text) // 2], ""),
        (lambda text: text.replace('"base_mm"', '"base"', 1), "units"),
        (lambda text: text.replace("[20", "[-20", 1).replace("20.0", "-20.0", 1), ""),
        (lambda text: "[]", ""),
        (lambda text: "", ""),
        (lambda text: "\x00", ""),
    ],
)
def test_malformed_scenes(tmp_path, scene, break_it, message):
    path = tmp_path / "broken.json"
    path.write_text(break_it(scene.read_text()))
    line = refused("evaluate", path)
    assert line.startswith(f"Error: {path}: ")
    assert message in line


def test_unknown_units(scene):
    assert refused("evaluate", scene, "--observers", "gant") == (
        f"Error: {scene}: --observers: no unit is named 'gant'; did you mean 'giant'?"
    )
    assert "--targets: no unit is named 'x'" in refused("evaluate", scene, "--targets", "x")


@pytest.mark.parametrize("command", [("evaluate", "none.json"), ("demo",)])
@pytest.mark.parametrize("workers", ["0", "-2", "two"])
def test_bad_workers(command, workers):
    result = run(*command, "--workers", workers)
    assert result.exit_code == 2
    assert "Invalid value for '--workers'" in result.stderr


def test_outputs_that_cannot_be_written(tmp_path, scene):
    for name, message in (
        ("answers.csv", "answers are written as .npz or .json, as a folder"),
        ("answers.npy", "got '.npy'"),
        ("missing/answers", "No such file or directory"),
        ("missing/answers.npz", "No such file or directory"),
        ("scene.json/answers.npz", "Not a directory"),
    ):
        out = tmp_path / name
        line = refused("evaluate", scene, "--out", out)
        assert line.startswith(f"Error: {out}: ")
        assert message in line
    (tmp_path / "folder.npz").mkdir()
    assert "is a folder" in refused("evaluate", scene, "--out", tmp_path / "folder.npz")
    assert "File exists" in refused("armies", "--seed", 1, "--out", scene)


def test_a_failed_write_leaves_the_old_file(tmp_path, scene, monkeypatch):
    out = tmp_path / "answers.json"
    out.write_text("old")

    def fail(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("ninthgeom._answer_whole.json.dumps", fail)
    assert refused("evaluate", scene, "--out", out) == f"Error: {out}: No space left on device"
    assert out.read_text() == "old"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.json", "scene.json"]


def test_the_command_itself(tmp_path, scene):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-m", "ninthgeom", "evaluate"]
    done = subprocess.run([*command, scene], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "Speerträger" in done.stdout
    done = subprocess.run([*command, tmp_path / "none.json"], env=environment, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr == f"Error: {tmp_path / 'none.json'}: No such file or directory\n"


def test_ctrl_c_before_anything_is_evaluated(monkeypatch, scene):
    def interrupted(_):
        raise KeyboardInterrupt

    monkeypatch.setattr(ng, "read_scene", interrupted)
    result = run("evaluate", scene)
    assert (result.exit_code, result.stdout, result.stderr) == (130, "", "Interrupted.\n")
