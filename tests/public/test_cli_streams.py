"""Files of positions in ``ninthgeom evaluate``: chunks, answers that grow, --questions, --resume, Ctrl-C."""

import contextlib
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import _answer_arrays, _cli_tasks, _streams, t9a
from ninthgeom._cli_totals import PairTotals, states_together
from ninthgeom._progress import progress
from tests.command_line import cells, ok, piped, refused, run

EXAMPLES = Path(__file__).parents[2] / "examples"
COMBAT, SKIRMISH = EXAMPLES / "combat.json", EXAMPLES / "skirmish.json"
# Bytes in memory for chunks of two states, of some, and of all that there are.
SIZES_AND_WORKERS = ((25_000, 2), (150_000, 1), (64 * 2**20, 1), (64 * 2**20, 2))


@pytest.fixture(scope="module")
def scene():
    return ng.read_scene(COMBAT)


@pytest.fixture
def states(scene, tmp_path):
    """States of the example, in most of them units in contact, losses and units off the table in some."""
    rng = np.random.default_rng(5)
    positions = np.broadcast_to(scene.positions, (60, 5, 3)).copy()
    positions[:, :3, 0] += rng.uniform(-1, 1, (60, 3))
    positions[:20, 1, 1] += 1
    present = rng.random((60, 5)) < 0.9
    occupied = scene.board.occupied & (rng.random((60, scene.board.n_models)) < 0.95)
    path = tmp_path / "states.npz"
    np.savez(path, positions=positions, present=present, occupied=occupied)
    return path


@pytest.fixture
def plain(scene, tmp_path):
    """The path of 50 states without masks."""
    path = tmp_path / "states.npy"
    np.save(path, scene.positions + np.random.default_rng(2).normal(0, 1, (50, 5, 3)))
    return path


def chunked(monkeypatch, size):
    monkeypatch.setattr(_streams, "BYTES_IN_MEMORY", size)


def tables_of(output):
    """What was printed, but for how fast it went."""
    return re.sub(r"^\d.* states per second.*\n", "", output, flags=re.MULTILINE)


def contents(path):
    """Bytes of the files of answers, which a manifest is no part of."""
    if path.is_file():
        return path.read_bytes()
    return {file.name: file.read_bytes() for file in sorted(path.iterdir()) if file.suffix != ".json"}


def manifest(folder):
    return json.loads((folder / "answers.json").read_text())


# ------------------------------------------------------------------------------------------ chunks


@pytest.mark.parametrize("name", ["answers", "answers.npz", "answers.json"])
def test_neither_chunks_nor_workers_make_a_difference(tmp_path, monkeypatch, states, name):
    expected = None
    asked = ("--questions", "sight,contact,arcs,distance,attacks", "--duel", "Captain", "Warlord")
    for size, workers in SIZES_AND_WORKERS:
        chunked(monkeypatch, size)
        out = tmp_path / f"{size}-{workers}" / name
        out.parent.mkdir()
        printed = ok("evaluate", COMBAT, "--positions", states, "--out", out, "--workers", workers, *asked)
        found = tables_of(printed), contents(out)
        assert expected in (None, found)
        expected = found


def test_chunks_are_as_many_as_they_should_be(monkeypatch, tmp_path, plain):
    firsts = []
    answer = t9a.evaluate

    def spy(board, positions, **how):
        firsts.append(len(positions))
        return answer(board, positions, **how)

    monkeypatch.setattr("ninthgeom.t9a.evaluate", spy)
    chunked(monkeypatch, 1)
    ok("evaluate", COMBAT, "--positions", plain)
    assert firsts[-50:] == [1] * 50
    chunked(monkeypatch, 64 * 2**20)
    ok("evaluate", COMBAT, "--positions", plain)
    assert firsts[-1] == 50


def test_a_folder_holds_what_the_questions_answer(tmp_path, scene, monkeypatch, states):
    chunked(monkeypatch, 40_000)
    out = tmp_path / "answers"
    asked = ("--questions", "attacks, sight ,distance,contact,arcs", "--observers", "Orcs")
    ok(
        "evaluate",
        COMBAT,
        "--positions",
        states,
        "--out",
        out,
        *asked,
        "--observers",
        "Orcs",
        "--observers",
        "Orcs",
    )
    with np.load(states) as file:
        arrays = dict(file)
    expected = t9a.evaluate(scene.board, **arrays, observers=["Orcs"]).arrays()
    contacts = t9a.contacts(scene.board, **arrays)
    attacks = t9a.may_attack(scene.board, contacts, occupied=arrays["occupied"])
    orcs = scene.board.index("Orcs")
    for key, rows in (("contact", contacts), ("attack", attacks)):
        own = rows[scene.board.model_unit[rows.model] == orcs]
        expected |= {f"{key}_{name}": column for name, column in own.columns.items()}
    assert {path.stem for path in out.glob("*.npy")} == expected.keys()
    for name, values in expected.items():
        found = np.load(out / f"{name}.npy")
        assert found.dtype == values.dtype
        np.testing.assert_array_equal(found, values)
    assert manifest(out)["names"]["observers"] == ["Orcs"]
    assert manifest(out)["complete"]


def test_skirmish_scenes_stream_too(tmp_path, monkeypatch):
    scene = ng.read_scene(SKIRMISH)
    rng = np.random.default_rng(4)
    path = tmp_path / "states.npz"
    present = rng.random((20, len(scene.board))) < 0.9
    np.savez(path, positions=scene.positions + rng.normal(0, 0.4, (20, len(scene.board), 3)), present=present)
    printed = []
    for i, size in enumerate((1, 20_000, 64 * 2**20)):
        chunked(monkeypatch, size)
        output = ok("evaluate", SKIRMISH, "--positions", path, "--out", tmp_path / f"{i}")
        printed.append(tables_of(output))
        assert contents(tmp_path / f"{i}") == contents(tmp_path / "0")
    assert printed[0] == printed[1] == printed[2]
    ok("evaluate", SKIRMISH, "--positions", path, "--out", tmp_path / "whole.npz")
    with np.load(tmp_path / "whole.npz") as whole:
        arrays = {name: whole[name] for name in whole.files if whole[name].dtype.kind != "U"}
    assert len(arrays) == 7
    for name, values in arrays.items():
        np.testing.assert_array_equal(np.load(tmp_path / "1" / f"{name}.npy"), values)


def test_a_scene_alone_has_no_axis_of_states_in_a_folder(tmp_path):
    ok("evaluate", COMBAT, "--out", tmp_path / "answers")
    assert np.load(tmp_path / "answers" / "sight.npy").shape == (5, 5)


def test_no_states_at_all(tmp_path):
    path = tmp_path / "none.npy"
    np.save(path, np.zeros((0, 5, 3)))
    assert "0 states in" in ok("evaluate", COMBAT, "--positions", path, "--out", tmp_path / "answers")
    assert np.load(tmp_path / "answers" / "sight.npy").shape == (0, 5, 5)


# ------------------------------------------------------------------------------------------ questions


@pytest.mark.parametrize(
    ("asked", "columns", "summary", "keys"),
    [
        ("distance", ["distance"], ["mean distance", "nearest"], ["distance"]),
        (
            "sight , arcs",
            ["inside arc", "located in", "sight"],
            ["in front arc", "seen"],
            ["inside_arc", "located_arc", "sight"],
        ),
        ("contact,contact", ["contact"], ["in contact"], ["contact"]),
    ],
)
def test_only_what_was_asked_is_shown_and_written(tmp_path, plain, asked, columns, summary, keys):
    everything = cells(ok("evaluate", COMBAT))
    rows = cells(ok("evaluate", COMBAT, "--questions", asked, "--out", tmp_path / "one.npz"))
    assert rows[0] == ["observer", "target", *columns]
    places = [everything[0].index(column) for column in rows[0]]
    assert rows[2:] == [[row[i] for i in places] for row in everything[2:22]]

    everything = cells(ok("evaluate", COMBAT, "--positions", plain))
    rows = cells(ok("evaluate", COMBAT, "--questions", asked, "--positions", plain, "--out", tmp_path / "f"))
    assert rows[0] == ["observer", "target", "states", *summary]
    places = [everything[0].index(column) for column in rows[0]]
    assert rows[2:-1] == [[row[i] for i in places] for row in everything[2:22]]
    with np.load(tmp_path / "one.npz") as file:
        assert file.files == ["observers", "targets", "models", *keys]
    assert sorted(path.stem for path in (tmp_path / "f").glob("*.npy")) == sorted(keys)


def test_attacks_alone_show_who_fights(plain):
    rows = cells(ok("evaluate", COMBAT, "--questions", "attacks"))
    assert rows[0] == ["unit", "facing", "engaged with", "its facing"]
    everything = ok("evaluate", COMBAT, "--positions", plain)
    some = ok("evaluate", COMBAT, "--positions", plain, "--questions", "attacks")
    assert cells(some)[0][:2] == ["unit", "engaged with"]
    assert tables_of(some) in tables_of(everything)


def test_questions_that_there_are_not(tmp_path):
    for asked, wrong in (("sight,arc", "'arc'; did you mean 'arcs'?"), ("", "''"), ("sight,,arcs", "''")):
        line = refused("evaluate", COMBAT, "--questions", asked)
        assert line == (
            "Error: --questions: must be of distance, contact, arcs, sight, attacks, got " + wrong
        )
    line = refused("evaluate", COMBAT, "--questions", "sight", "--duel", "Captain", "Warlord")
    assert line == "Error: --questions: attacks is not asked for, and --duel matters to nothing else"
    line = refused("evaluate", COMBAT, "--out", tmp_path / "folder", "--duel", "Captain", "Warlord")
    assert "attacks is not asked for" in line
    assert "--questions: only in the rules of ranks and files" in refused(
        "evaluate", SKIRMISH, "--questions", "distance"
    )
    for options in ((COMBAT, "--questions", "sight,attacks"), (SKIRMISH,)):
        out = tmp_path / "answers.parquet"
        line = refused("evaluate", *options, "--out", out)
        assert line.startswith(f"Error: {out}: ")
        assert "are not written as .parquet; a folder holds them" in line
        assert not out.exists()


# ------------------------------------------------------------------------------------------ going on


def test_what_cannot_be_continued(tmp_path, plain):
    assert "say where with --out" in refused("evaluate", COMBAT, "--resume")
    assert "--resume" in refused("evaluate", COMBAT, "--resume", "--out", tmp_path / "answers.npz")
    out = tmp_path / "answers"
    asked = ("evaluate", COMBAT, "--positions", plain, "--out", out)
    printed = ok(*asked, "--resume")  # nothing is there: it starts
    assert "--resume" in refused(*asked)
    before = contents(out)
    for options, place in (
        (
            ("--questions", "sight"),
            "--questions was ['arcs', 'contact', 'distance', 'sight'] and is now ['sight']",
        ),
        (("--observers", "Orcs"), "--observers was [] and is now ['Orcs']"),
        (("--targets", "Orcs"), "--targets was [] and is now ['Orcs']"),
        (("--rules", "second"), "--rules was 'third' and is now 'second'"),
    ):
        line = refused(*asked, "--resume", *options)
        assert line.startswith(f"Error: {out}: cannot be continued: {place}")
    again = run(*asked, "--resume", "--workers", 2)
    assert again.exit_code == 0
    assert again.stderr == f"{out} is complete; nothing was evaluated again.\n"
    assert tables_of(again.stdout) == tables_of(printed)
    changed = np.load(plain)
    changed[3, 0, 0] += 0.25
    np.save(plain, changed)
    assert "cannot be continued: digest of --positions was " in refused(*asked, "--resume")
    np.save(plain, changed[:-1])
    assert "cannot be continued: digest of --positions was " in refused(*asked, "--resume")
    assert contents(out) == before


def test_another_scene_is_not_continued_even_from_a_pipe(tmp_path, scene, plain):
    path, out = tmp_path / "scene.json", tmp_path / "answers"
    options = ("--positions", plain, "--out", out, "--questions", "distance", "--resume")
    ng.write_scene(path, scene)
    with piped(path) as pipe:
        ok("evaluate", pipe, *options)
    again = run("evaluate", path, *options)  # the same scene, whatever it comes from
    assert again.stderr == f"{out} is complete; nothing was evaluated again.\n"
    before = contents(out)
    ng.write_scene(path, ng.Scene(scene.board, scene.positions + 1, scene.present, scene.occupied))
    for place in (contextlib.nullcontext(path), piped(path)):
        with place as given:
            assert "digest of SCENE.json was " in refused("evaluate", given, *options)
    assert contents(out) == before


@pytest.mark.parametrize("kind", ["folder", "parquet", "skirmish"])
def test_ctrl_c_and_going_on(tmp_path, monkeypatch, plain, kind):
    path, suffix, task = COMBAT, "", _cli_tasks.RankedTask
    if kind == "skirmish":
        path, task = SKIRMISH, _cli_tasks.SkirmishTask
        scene = ng.read_scene(path)
        rng = np.random.default_rng(6)
        np.save(plain, scene.positions + rng.normal(0, 0.4, (50, *scene.positions.shape)))
    elif kind == "parquet":
        pytest.importorskip("pyarrow")
        suffix = ".parquet"
    chunked(monkeypatch, 10_000)
    asked = ["evaluate", path, "--positions", plain]
    if kind == "folder":
        asked += ["--questions", "distance,attacks", "--duel", "Captain", "Warlord"]
    expected = ok(*asked, "--out", tmp_path / f"at once{suffix}")
    out = tmp_path / f"answers{suffix}"
    answer = task.answer

    def stop(self, states, first, workers):
        if 0 < stop.at <= first:
            raise KeyboardInterrupt
        return answer(self, states, first, workers)

    monkeypatch.setattr(task, "answer", stop)
    safe = 0
    for stop.at in (7, 35):
        result = run(*asked, "--out", out, "--resume")
        assert result.exit_code == 130
        message = r"Interrupted: (\d+) of 50 states are safe; --resume goes on after them.\n"
        before, safe = safe, int(re.fullmatch(message, result.stderr)[1])
        assert before < safe >= stop.at
    result = run(*asked, "--out", tmp_path / "one.npz")
    assert result.exit_code == 130
    assert result.stderr == (
        "Interrupted: no answers were written; a folder as --out would have kept what was done.\n"
    )
    stop.at = 0
    found = ok(*asked, "--out", out, "--resume")
    assert tables_of(found) == tables_of(expected)
    assert contents(out) == contents(tmp_path / f"at once{suffix}")


def test_parquet_in_and_out(tmp_path, scene, monkeypatch, states):
    pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    with np.load(states) as file:
        arrays = dict(file)
    table = tmp_path / "states.parquet"
    flat = {name: list(values.reshape(60, -1)) for name, values in arrays.items()}
    pq.write_table(pa.table(flat), table, row_group_size=7)
    columns = t9a.evaluate(scene.board, **arrays).to_table()
    expected = ok("evaluate", COMBAT, "--positions", states, "--out", tmp_path / "whole")
    for size in (1, 10_000):
        chunked(monkeypatch, size)
        out = tmp_path / f"{size}.parquet"
        printed = ok("evaluate", COMBAT, "--positions", table, "--out", out)
        assert tables_of(printed) == tables_of(expected)
        found = pq.read_table(out)
        assert found.column_names == list(columns)
        for name, values in columns.items():
            np.testing.assert_array_equal(found[name].to_numpy(), values)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    for options in (("--positions", table), ("--positions", states, "--out", tmp_path / "new.parquet")):
        path = options[-1]
        line = refused("evaluate", COMBAT, *options)
        assert line == f"Error: {path}: Parquet needs pyarrow: install ninthgeom[parquet]"


def test_an_error_in_a_late_chunk(tmp_path, monkeypatch, plain):
    """It names the state of the whole file, and what came before it is kept."""
    positions = np.load(plain)
    whole = t9a.evaluate(ng.read_scene(COMBAT).board, positions)
    positions[43, 1, 2] = np.nan
    np.save(plain, positions)
    chunked(monkeypatch, 10_000)
    out = tmp_path / "answers"
    message = f"Error: {plain}: positions[43][1][2]: heading must be finite, got nan"
    assert refused("evaluate", COMBAT, "--positions", plain, "--out", out) == message
    done = manifest(out)["done"]
    assert 20 < done <= 43
    assert not manifest(out)["complete"]
    for name, values in whole.arrays().items():
        np.testing.assert_array_equal(np.load(out / f"{name}.npy"), values[:done])
    assert refused("evaluate", COMBAT, "--positions", plain, "--out", out, "--resume") == message
    assert manifest(out)["done"] == done
    one_file = tmp_path / "answers.npz"
    assert refused("evaluate", COMBAT, "--positions", plain, "--out", one_file) == message
    assert not one_file.exists()


def test_a_duel_that_is_never_fought_is_refused_at_the_end(tmp_path, scene, monkeypatch):
    chunked(monkeypatch, 1)
    positions = np.repeat(scene.positions[None], 6, axis=0)
    positions[:, 1, 1] += 1  # the Orcs have not come
    path, out = tmp_path / "states.npy", tmp_path / "answers.npz"
    np.save(path, positions)
    asked = ("evaluate", COMBAT, "--positions", path, "--duel", "Captain", "Warlord", "--out", out)
    assert refused(*asked).endswith("'Spears' and 'Orcs' are not in contact in any state")
    assert not out.exists()
    positions[5] = scene.positions  # but they do in the last state
    np.save(path, positions)
    ok(*asked)
    positions[2, 2, 1] -= 1  # the Giant is there in all states but this
    np.save(path, positions)
    line = refused(*asked, "--duel", "Lady on Stag", "Giant")
    assert line.endswith("'Captain' and 'Warlord' fight the one duel of the combat in state 5")


def test_answers_that_cannot_be_written(tmp_path, monkeypatch, plain):
    def full(*_):
        raise OSError(28, "No space left on device")

    chunked(monkeypatch, 10_000)
    expected = ok("evaluate", COMBAT, "--positions", plain, "--out", tmp_path / "whole")
    out = tmp_path / "answers"
    asked = ("evaluate", COMBAT, "--positions", plain, "--out", out)
    append = _answer_arrays._Array.append
    with monkeypatch.context() as patch:
        patch.setattr("ninthgeom._answer_arrays._Array.append", full)
        assert refused(*asked) == f"Error: {out}: No space left on device"
        assert manifest(out)["done"] == 0
        # There is room for some chunks.
        patch.setattr(
            "ninthgeom._answer_arrays._Array.append",
            lambda array, values: full() if array.length > 30 else append(array, values),
        )
        line = refused(*asked, "--resume")
    done = manifest(out)["done"]
    assert 30 < done < 50
    how = f"{done} of 50 states are safe; --resume goes on after them"
    assert line == f"Error: {out}: No space left on device; {how}"
    assert tables_of(ok(*asked, "--resume")) == tables_of(expected)
    assert contents(out) == contents(tmp_path / "whole")


def test_nothing_that_is_read_is_written_over(tmp_path, plain):
    """Under whatever name: a link, another way there."""
    (tmp_path / "folder").mkdir()
    board = tmp_path / "scene.json"
    board.write_bytes(COMBAT.read_bytes())
    states = tmp_path / "states.npz"
    np.savez(states, positions=np.load(plain))
    (tmp_path / "soft.npz").symlink_to(states)
    (tmp_path / "hard.json").hardlink_to(board)
    before = board.read_bytes(), states.read_bytes()
    for command, out, read in (
        (("evaluate", board), board, board),
        (("evaluate", board, "--positions", states), board, board),
        (("evaluate", board, "--positions", states), tmp_path / "hard.json", board),
        (("evaluate", board, "--positions", states), states, states),
        (("evaluate", board, "--positions", states), tmp_path / "soft.npz", states),
        (("evaluate", board, "--positions", states), tmp_path / "folder" / ".." / "states.npz", states),
        (("simulate", board, "--jitter", 1, "--n", 2, "--seed", 1), board, board),
        (
            (*("simulate", board, "--jitter", 1, "--n", 2, "--seed", 1), "--checkpoint", tmp_path / "a.json"),
            *(tmp_path / "a.json", tmp_path / "a.json"),
        ),
    ):
        line = refused(*command, "--out", out)
        assert line == f"Error: {out}: would be written over {read}, which is read"
        assert (board.read_bytes(), states.read_bytes()) == before
    assert not (tmp_path / "a.json").exists()


def test_sums_that_are_damaged(tmp_path, plain):
    out = tmp_path / "answers"
    asked = ("evaluate", COMBAT, "--positions", plain, "--out", out)
    ok(*asked)
    for damage in ({}, {"pairs": {}}, {"pairs": {"count states": "1 2"}}, None):
        (out / "answers.json").write_text(json.dumps(manifest(out) | {"carried": damage}))
        line = refused(*asked, "--resume")
        assert line.startswith(f"Error: {out}: the sums in its manifest are damaged")


# ------------------------------------------------------------------------------------------ processes


# Runs commands in processes of their own, which are forked when everything is loaded, so that many take no
# longer than one, and prints how much memory each of them had at most.
SERVER = """
import json, os, signal, sys
from pathlib import Path
from ninthgeom import _streams
from ninthgeom.cli import main

main(["evaluate", sys.argv[1]], standalone_mode=False)
for line in sys.stdin:
    size, printed, errors, arguments = json.loads(line)
    sys.stdout.flush()
    child = os.fork()
    if child:
        print("started", child, flush=True)
        print("ended", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number, path in ((1, printed), (2, errors)):
        os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
    _streams.BYTES_IN_MEMORY = size
    try:
        main(arguments)
    finally:
        status = Path("/proc/self/status")
        if status.exists():
            print("peak", status.read_text().partition("VmHWM:")[2].split()[0])
        sys.stdout.flush()
"""


class Server:
    def __init__(self, process, folder):
        self.process, self.printed, self.errors = process, folder / "printed", folder / "errors"

    def start(self, size, *arguments):
        """Start a command, which takes few states at a time, and return the number of its process."""
        asked = size, str(self.printed), str(self.errors), [str(argument) for argument in arguments]
        self.process.stdin.write(json.dumps(asked) + "\n")
        self.process.stdin.flush()
        return int(self._told("started"))

    def end(self):
        """Wait for the end of the command; return its exit code, what it printed and its errors.

        `peak` is then how many MiB it had at most, if it ended by itself and the system tells.
        """
        code = int(self._told("ended"))
        printed, _, peak = self.printed.read_text().rpartition("peak ")
        self.peak = int(peak or 0) / 1024
        return code, printed, self.errors.read_text()

    def _told(self, what):
        while line := self.process.stdout.readline():
            if line.startswith(what):
                return line.split()[1]
        raise AssertionError("the server has died")


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", SERVER, str(COMBAT)]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **pipes) as process:
        yield Server(process, tmp_path_factory.mktemp("server"))
        process.stdin.close()
        assert process.wait(60) == 0


def done_there(folder):
    try:
        return manifest(folder)["done"]
    except (OSError, ValueError):
        return 0


def signalled(child, end):
    """Send a signal to a process that may have ended."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(child, end)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs processes and signals of POSIX")
def test_runs_that_are_killed_and_continued(tmp_path, scene, server):
    """With SIGKILL at any time, and once with Ctrl-C: nothing of the answers shows it."""
    rng = np.random.default_rng()
    states, out, n = tmp_path / "states.npy", tmp_path / "answers", 1500
    np.save(states, scene.positions + rng.normal(0, 1, (n, 5, 3)))
    asked = ("evaluate", COMBAT, "--positions", states, "--questions", "sight,distance")
    expected = tables_of(ok(*asked, "--out", tmp_path / "at once"))
    reached = 0
    for end in (*[signal.SIGKILL] * 3, signal.SIGINT, *[signal.SIGKILL] * 2):
        child = server.start(20_000, *asked, "--out", out, "--resume")
        wished, deadline = min(reached + rng.integers(1, n // 8), n), time.monotonic() + 120
        while done_there(out) < wished:
            assert time.monotonic() < deadline
            time.sleep(0.001)
        time.sleep(rng.uniform(0, 0.01))
        signalled(child, end)
        code, _, errors = server.end()
        reached = done_there(out)
        assert len(np.load(out / "sight.npy")) >= reached
        if reached < n:  # or it was too late
            assert code == (130 if end == signal.SIGINT else -end)
        if code == 130:
            safe = f"Interrupted: {reached:,} of 1,500 states are safe; --resume goes on after them.\n"
            assert errors == safe
        if reached == n:
            break
    server.start(100_000, *asked, "--out", out, "--resume")
    code, printed, errors = server.end()
    assert code == 0, errors
    assert tables_of(printed) == expected
    assert manifest(out)["complete"]
    assert contents(out) == contents(tmp_path / "at once")
    if reached < n:
        assert f"{n - reached:,} states in" in printed
        assert f"; {reached:,} were done before" in printed


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="reads what Linux says of a process")
def test_memory_does_not_grow_with_the_file(tmp_path, server):
    scene = tmp_path / "scene.json"
    units = [ng.Unit(f"unit {i}", (50, 50), side=i % 2) for i in range(16)]
    positions = np.stack([np.arange(16) * 4 + 5, np.arange(16) % 2 * 10 + 5, np.zeros(16)], axis=1)
    ng.write_scene(scene, ng.Scene(ng.Board(units), positions))
    peaks = []
    for n in (2_000, 20_000):
        np.save(tmp_path / "states.npy", np.broadcast_to(positions, (n, 16, 3)))
        asked = ("--positions", tmp_path / "states.npy", "--out", tmp_path / f"{n}")
        server.start(2 * 2**20, "evaluate", scene, *asked, "--questions", "distance,arcs")
        code, printed, errors = server.end()
        assert code == 0, errors
        assert f"{n:,} states in" in printed
        peaks.append(server.peak)
    size = sum(path.stat().st_size for path in (tmp_path / "20000").iterdir()) / 2**20
    assert size > 45
    assert peaks[1] - peaks[0] < 0.3 * size


# ------------------------------------------------------------------------------------------ parts


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_bar_on_terminals_only(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setattr("ninthgeom._progress._PAUSE", 0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with progress(2_000, "states", done=500) as advance:
        advance(1_000, lambda: "half an inch")
    text = terminal.getvalue()
    assert "500 of 2,000 states" in text
    assert "1,500 of 2,000 states" in text
    assert "a second" in text
    assert "half an inch" in text
    for stream, wanted in ((io.StringIO(), True), (Terminal(), False)):
        monkeypatch.setattr(sys, "stderr", stream)
        with progress(10, "states", wanted=wanted) as advance:
            advance(10, lambda: pytest.fail("nobody reads it"))
        assert stream.getvalue() == ""


class Numbers:
    """A source of numbered states, and what a task and a sink do with them; errors where they are wished."""

    def __init__(self, n_states, *, wrong=None, full=None, stopped=None):
        self.n_states, self.wrong, self.full, self.stopped = n_states, wrong, full, stopped
        self.kept, self.answered = [], 0

    def chunk(self, start, stop):
        return {"positions": np.arange(start, stop)}

    def answer(self, states, first, workers):
        numbers = states["positions"]
        assert numbers[0] == first
        if self.stopped in numbers:
            raise KeyboardInterrupt
        if self.wrong in numbers:
            place = ("positions", int(np.flatnonzero(numbers == self.wrong)[0]), 2)
            raise ng._checks.PlacedValueError(place, "is wrong")
        self.answered += len(numbers)
        return numbers**2

    def write(self, dense, sparse, *, n_states):
        if self.full is not None and len(self.kept) + n_states > self.full:
            raise OSError(28, "No space left on device")
        assert len(dense["squares"]) == n_states
        self.kept += dense["squares"].tolist()


class Sums:
    def __init__(self, numbers):
        self.numbers, self.total = numbers, 0
        self.answer = numbers.answer

    def arrays(self, answered):
        return {"squares": answered}, {}

    def add(self, answered):
        self.total += int(answered.sum())

    def carried(self):
        return self.total

    def carry_on(self, carried):
        self.total = int(carried)

    def check(self):
        if self.total < 0:
            raise ValueError("less than nothing")


class Kept:
    def __init__(self, numbers):
        self.numbers = numbers
        self.done, self.carried, self.complete = 0, None, False
        self.write = numbers.write

    def commit(self, carried):
        self.done, self.carried = len(self.numbers.kept), carried

    def finish(self, carried):
        self.commit(carried)
        self.complete = True


def go(numbers, sink=None, step=3):
    task, sink = Sums(numbers), sink or Kept(numbers)
    reported = []
    try:
        _streams.run(numbers, task, sink, step=step, report=reported.append)
    finally:
        assert sum(reported) <= sink.done
    return task, sink, reported


def test_the_loop():
    squares = [i**2 for i in range(10)]
    for step in (1, 3, 10, 11):
        task, sink, reported = go(Numbers(10), step=step)
        assert sink.complete
        assert sink.numbers.kept == squares
        assert task.total == sink.carried == sum(squares)
        assert sum(reported) == 10
    assert go(Numbers(0))[1].complete


def test_the_loop_goes_on_where_it_was():
    for error, place in (
        ({"wrong": 7}, ValueError),
        ({"full": 7}, _streams.NotKeptError),
        ({"stopped": 7}, KeyboardInterrupt),
    ):
        numbers = Numbers(10, **error)
        sink = Kept(numbers)
        with pytest.raises(place) as caught:
            go(numbers, sink)
        if place is ValueError:
            assert str(caught.value) == "positions[7][2]: is wrong"
        assert sink.done == 6
        assert not sink.complete
        numbers.wrong = numbers.full = numbers.stopped = None
        numbers.answered = 0
        task, _, _ = go(numbers, sink, step=2)
        assert numbers.answered == 4
        assert numbers.kept == [i**2 for i in range(10)]
        assert task.total == 285
        go(numbers, sink)  # complete: nothing to do
        assert numbers.answered == 4


def test_nothing_is_answered_after_the_disk_is_full():
    numbers = Numbers(1000, full=0)
    with pytest.raises(_streams.NotKeptError, match="No space left"):
        go(numbers, step=10)
    assert numbers.answered <= 20


def test_sums_do_not_depend_on_how_they_were_cut():
    rng = np.random.default_rng(8)
    n, shape = 70_000, (2, 3)
    lengths = rng.uniform(0, 3e6, (n, *shape))  # farther than anything can be
    lengths[rng.random(lengths.shape) < 0.1] = np.inf
    lengths[:, 1, 2] = np.inf
    holds = rng.random((n, *shape)) < 0.5
    finite = np.isfinite(lengths)
    carried = set()
    for step in (n, 65_536, 999):
        totals = PairTotals("ab", "cde", {"distance", "sight"})
        for start in range(0, n, step):
            part = slice(start, start + step)
            arrays = {"distance": lengths[part], "sight": holds[part]}
            totals.add_answers(arrays, np.count_nonzero(finite[part], axis=0))
            again = PairTotals("ab", "cde", {"distance", "sight"})
            again.carry_on(json.loads(json.dumps(totals.carried())))
            totals = again
        carried.add(json.dumps(totals.carried()))
    assert len(carried) == 1
    means = np.where(finite, lengths, 0).sum(axis=0) / np.maximum(finite.sum(axis=0), 1)
    np.testing.assert_allclose(totals.mean("distance", "states"), means, rtol=1e-12)
    np.testing.assert_array_equal(totals.least("distance"), lengths.min(axis=0))
    shares = holds.sum(axis=0) / np.maximum(finite.sum(axis=0), 1)
    np.testing.assert_array_equal(totals.share("sight", "states"), shares)


def test_states_in_which_two_units_are_there(scene):
    board = scene.board
    rng = np.random.default_rng(1)
    units, some = np.arange(5), np.array([3, 0])
    positions = np.repeat(scene.positions[None], 40, axis=0)
    for present in (None, rng.random(5) < 0.7, rng.random((40, 5)) < 0.7):
        for occupied in (None, rng.random((40, board.n_models)) < 0.2):
            masks = {"present": present, "occupied": occupied}
            expected = np.isfinite(t9a.distances(board, positions, **masks))[:, :, some].sum(axis=0)
            np.testing.assert_array_equal(states_together(board, units, some, masks, 40), expected)
