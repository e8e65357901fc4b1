"""Files of answers: independent readers find what was written; nothing goes on where it does not belong."""

import contextlib
import json
import os
import re
import subprocess
import sys

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from ninthgeom import _answer_folder, _answer_tables, _atomic, _memory
from ninthgeom._answer_files import AnswerPlan, check_answers_path, open_answers
from tests.files.answers import UNITS, answers, carried, contents, manifest, part, plan_of, run

KINDS = ["answers", "answers.parquet"]


def random_edges(n, rng):
    return [0, *np.sort(rng.integers(0, n + 1, 5)).tolist(), n]


def sparse_for(name, sparse):
    return None if name.endswith(".parquet") else sparse


@pytest.mark.parametrize("n", [0, 1, 41])
def test_a_folder_of_arrays(tmp_path, n):
    dense, sparse = answers(n)
    run(
        tmp_path / "answers", plan_of(dense, sparse), dense, sparse, random_edges(n, np.random.default_rng(n))
    )
    for name, array in (dense | sparse).items():
        for mode in (None, "r") if n else (None,):
            found = np.load(tmp_path / "answers" / f"{name}.npy", mmap_mode=mode)
            assert found.dtype == array.dtype
            np.testing.assert_array_equal(found, array, strict=True)
    files = {f"{name}.npy" for name in dense | sparse} | {"answers.json"}
    assert {path.name for path in (tmp_path / "answers").iterdir()} == files
    found = manifest(tmp_path / "answers")
    assert found["names"] == {"observers": UNITS[:2], "targets": UNITS}
    assert (found["done"], found["n_states"], found["complete"]) == (n, n, True)
    assert found["carried"] == {"sum": carried(dense, n)}


@pytest.mark.parametrize("n", [0, 1, 41])
@pytest.mark.parametrize("rows", [1 << 18, 10])
def test_a_folder_of_tables(tmp_path, monkeypatch, n, rows):
    monkeypatch.setattr(_answer_tables, "_ROWS", rows)
    dense, _ = answers(n)
    path = tmp_path / "answers.parquet"
    run(path, plan_of(dense), dense, None, random_edges(n, np.random.default_rng(n)))
    expected = {"state": [], "observer": [], "target": [], **{name: [] for name in dense}}
    for state in range(n):
        for i, observer in enumerate(UNITS[:2]):
            for j, target in enumerate(UNITS):
                if observer != target:
                    row = {"state": state, "observer": observer, "target": target}
                    row |= {name: array[state, i, j].item() for name, array in dense.items()}
                    for name, value in row.items():
                        expected[name].append(value)
    for table in (ds.dataset(path).to_table(), pq.read_table(path)):
        assert table.to_pydict() == expected
        kinds = [str(kind) for kind in table.schema.types]
        text = "dictionary<values=string, indices=int32, ordered=0>"
        assert kinds == ["int64", text, text, "double", "bool", "uint8"]
    found = manifest(path)
    assert (found["done"], found["complete"]) == (n, True)
    for file in path.glob("part-*.parquet"):  # all row groups have one size
        groups = [
            pq.ParquetFile(file).metadata.row_group(i) for i in range(pq.ParquetFile(file).num_row_groups)
        ]
        assert all(group.num_rows == rows for group in groups[:-1])
    assert not [name for name in os.listdir(path) if not name.startswith("part-") and name != "_answers.json"]


def test_parts_do_not_cut_states(tmp_path):
    dense, _ = answers(30)
    path = tmp_path / "answers.parquet"
    run(path, plan_of(dense), dense, None, [0, 4, 4, 17, 30])
    spans = [
        pq.read_table(file)["state"].to_numpy()[[0, -1]].tolist() for file in sorted(path.glob("part-*"))
    ]
    assert spans == [[0, 3], [4, 16], [17, 29]]


@pytest.mark.parametrize("name", KINDS)
def test_bytes_do_not_depend_on_chunks(tmp_path, monkeypatch, name):
    monkeypatch.setattr(_answer_tables, "_ROWS", 16)
    dense, sparse = answers(40)
    sparse, rng = sparse_for(name, sparse), np.random.default_rng(1)
    found = []
    for i in range(4):
        folder = tmp_path / str(i) / name
        folder.parent.mkdir()
        run(folder, plan_of(dense, sparse), dense, sparse, random_edges(40, rng), commits=False)
        found.append(contents(folder))
    assert all(other == found[0] for other in found)


@pytest.mark.parametrize("suffix", [".npz", ".json"])
@pytest.mark.parametrize("n", [0, 41])
def test_single_files(tmp_path, suffix, n):
    dense, sparse = answers(n)
    path, plan = tmp_path / f"answers{suffix}", plan_of(dense, sparse)
    written = []
    for seed in (1, 2):
        run(path, plan, dense, sparse, random_edges(n, np.random.default_rng(seed)))
        if suffix == ".npz":
            with np.load(path) as file:
                written.append({name: file[name] for name in file.files})
        else:
            written.append(json.loads(path.read_text()))
    for found in written:
        assert list(found) == ["observers", "targets", *dense, *sparse]
        assert list(found["targets"]) == UNITS
        for name, array in (dense | sparse).items():
            values = np.array(found[name], array.dtype).reshape(array.shape)  # null becomes nan
            np.testing.assert_array_equal(np.where(np.isnan(values), np.inf, values), array)
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("name", ["answers", "answers.npz", "answers.json", "answers.parquet"])
def test_one_state_without_an_axis_of_states(tmp_path, name):
    dense, sparse = answers(1)
    sparse = sparse_for(name, sparse)
    plan = plan_of(dense, sparse)
    plan = AnswerPlan(n_states=None, names=plan.names, fields=plan.fields, rows=plan.rows)
    with open_answers(tmp_path / name, plan) as writer:
        writer.write({key: array[0] for key, array in dense.items()}, sparse)
        writer.finish()
    if name == "answers":
        np.testing.assert_array_equal(np.load(tmp_path / name / "distance.npy"), dense["distance"][0])
    elif name == "answers.npz":
        with np.load(tmp_path / name) as file:
            np.testing.assert_array_equal(file["contact"], dense["contact"][0])
    elif name == "answers.json":
        assert json.loads((tmp_path / name).read_text())["contact"] == dense["contact"][0].tolist()
    else:
        assert pq.read_table(tmp_path / name)["state"].to_pylist() == [0] * 4


@pytest.mark.parametrize("name", KINDS)
def test_every_commit_can_be_read_at_once(tmp_path, name):
    dense, sparse = answers(30)
    sparse = sparse_for(name, sparse)
    with open_answers(tmp_path / name, plan_of(dense, sparse)) as writer:
        for start, stop in ((0, 11), (11, 12), (12, 30)):
            arrays, rows = part(dense, sparse, start, stop)
            for committed in (start, stop):
                if name == "answers":
                    for key, array in dense.items():
                        found = np.load(tmp_path / name / f"{key}.npy")
                        np.testing.assert_array_equal(found, array[:committed], strict=True)
                    found = np.load(tmp_path / name / "contact_state.npy")
                    np.testing.assert_array_equal(
                        found, part(dense, sparse, 0, committed)[1]["contact_state"]
                    )
                elif committed:
                    assert pq.read_table(tmp_path / name).num_rows == committed * 4
                assert writer.done == committed
                assert manifest(tmp_path / name)["done"] == committed
                if committed == start:
                    writer.write(arrays, rows)
                    assert writer.written == stop
                    writer.commit()
        assert not writer.complete


def test_what_was_never_committed_is_taken_away(tmp_path):
    dense, sparse = answers(30)
    folder, plan = tmp_path / "answers", plan_of(dense, sparse)
    with open_answers(folder, plan) as writer:
        writer.write(*part(dense, sparse, 0, 9))
        writer.commit()
        before = contents(folder)
        writer.write(*part(dense, sparse, 9, 20))
    assert contents(folder) != before
    open_answers(folder, plan, resume=True).close()
    before.pop(".lock")
    assert contents(folder) == before

    tables = tmp_path / "answers.parquet"
    with open_answers(tables, plan_of(dense)) as writer:
        writer.write(part(dense, None, 0, 9)[0])
        writer.commit()
        before = contents(tables)
    before.pop(".lock")
    (tables / "part-000001.parquet").write_bytes(before["part-000000.parquet"])
    (tables / ".part-000002.parquet.unfinished").write_bytes(b"PAR1")
    open_answers(tables, plan_of(dense), resume=True).close()
    assert contents(tables) == before


@pytest.mark.parametrize("name", KINDS)
def test_what_is_not_committed_is_lost(tmp_path, name):
    dense, sparse = answers(30)
    sparse, plan = sparse_for(name, sparse), plan_of(dense, sparse_for(name, sparse))
    run(
        tmp_path / "whole" if name == "answers" else tmp_path / "whole.parquet",
        plan,
        dense,
        sparse,
        [0, 9, 20, 30],
    )
    with open_answers(tmp_path / name, plan) as writer:
        writer.write(*part(dense, sparse, 0, 9))
        writer.commit({"sum": carried(dense, 9)})
        writer.write(*part(dense, sparse, 9, 20))
    assert run(tmp_path / name, plan, dense, sparse, [0, 9, 20, 30], resume=True) == 9
    whole = tmp_path / name.replace("answers", "whole")
    assert contents(tmp_path / name) == contents(whole)
    before = contents(whole)
    assert run(whole, plan, dense, sparse, [0, 30], resume=True) == 30
    with open_answers(whole, plan, resume=True) as writer:
        assert writer.complete
        assert writer.carried == {"sum": carried(dense, 30)}
        with pytest.raises(ValueError, match="complete already"):
            writer.write(*part(dense, sparse, 0, 0))
    assert contents(whole) == before


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("safe", [0, 3])
def test_ctrl_c_in_a_commit_leaves_what_is_said_to_be_done(tmp_path, monkeypatch, name, safe):
    """Before the manifest has taken its place, or after."""

    @contextlib.contextmanager
    def interrupted(path):
        with _atomic.replacing(path) as stream:
            yield stream
            if safe == 0:
                raise KeyboardInterrupt
        raise KeyboardInterrupt

    dense, sparse = answers(5)
    sparse = sparse_for(name, sparse)
    with open_answers(tmp_path / name, plan_of(dense, sparse)) as writer:
        writer.write(*part(dense, sparse, 0, 3))
        monkeypatch.setattr(_answer_folder, "replacing", interrupted)
        with pytest.raises(KeyboardInterrupt):
            writer.commit(None)
        assert writer.done == manifest(tmp_path / name)["done"] == safe


@pytest.mark.parametrize("name", KINDS)
def test_resuming_where_nothing_is(tmp_path, name):
    dense, _ = answers(5)
    run(tmp_path / name, plan_of(dense), dense, None, [0, 5], resume=True)
    (tmp_path / "empty").mkdir()
    folder = tmp_path / "empty" / name
    folder.mkdir()
    (folder / ".lock").touch()  # of a process that died before it wrote anything
    (folder / f".{'_' * (name != 'answers')}answers.json.0123abcd.part").write_text("{")
    run(folder, plan_of(dense), dense, None, [0, 5])
    assert contents(folder) == contents(tmp_path / name)


CHANGES = {
    "another version": ({"version": "1.1"}, "version was '1.0' and is now '1.1'"),
    "another scene": (
        {"scene": {"digest": "xyz", "units": UNITS}},
        "scene.digest was 'abc' and is now 'xyz'",
    ),
    "other questions": (
        {"questions": ["distance", "sight"]},
        "questions was ['distance'] and is now ['distance', 'sight']",
    ),
    "a unit": (
        {"scene": {"digest": "abc", "units": [*UNITS[:2], "ogre"]}},
        "scene.units[2] was 'giant' and is now 'ogre'",
    ),
    "more": ({"seed": 3}, "seed was nothing and is now 3"),
    "states": ({"n_states": 31}, "n_states was 30 and is now 31"),
    "names": ({"observers": ["a", "b"]}, "names.observers[0] was 'Speerträger' and is now 'a' (and 1 more)"),
}


@pytest.mark.parametrize("name", KINDS)
@pytest.mark.parametrize("case", CHANGES)
def test_answers_of_something_else_are_refused(tmp_path, name, case):
    changes, message = CHANGES[case]
    dense, _ = answers(30)
    path = tmp_path / name
    with open_answers(path, plan_of(dense)) as writer:
        writer.write(part(dense, None, 0, 10)[0])
        writer.commit()
    before = contents(path)
    with pytest.raises(ValueError, match=re.escape(f"{path}: cannot be continued: {message}")):
        open_answers(path, plan_of(dense, **changes), resume=True)
    assert contents(path) == before
    fewer = {key: dense[key] for key in ("distance", "contact")}
    with pytest.raises(ValueError, match=r"fields.inside_arc was \{.*\} and is now nothing"):
        open_answers(path, plan_of(fewer), resume=True)
    assert contents(path) == before


@pytest.mark.parametrize("name", KINDS)
def test_folders_that_are_not_empty(tmp_path, name):
    dense, _ = answers(3)
    path = tmp_path / name
    path.mkdir()
    (path / "notes.txt").write_text("mine")
    with pytest.raises(FileExistsError, match=re.escape(f"{path}: not empty; --resume continues")):
        open_answers(path, plan_of(dense))
    with pytest.raises(FileExistsError, match=re.escape(f"{path}: holds 'notes.txt', but no ")):
        open_answers(path, plan_of(dense), resume=True)
    assert contents(path) == {"notes.txt": b"mine"}
    (path / "notes.txt").unlink()
    run(path, plan_of(dense), dense, None, [0, 3])
    before = contents(path)
    with pytest.raises(FileExistsError, match="not empty"):
        open_answers(path, plan_of(dense))
    assert contents(path) == before


def test_places_that_cannot_be_written(tmp_path):
    dense, _ = answers(3)
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.npz").mkdir()
    for name, error in (
        ("file", NotADirectoryError),
        ("none/answers", FileNotFoundError),
        ("none/answers.parquet", FileNotFoundError),
        ("none/answers.npz", FileNotFoundError),
        ("file/answers", NotADirectoryError),
        ("folder.npz", IsADirectoryError),
    ):
        with pytest.raises(error):
            open_answers(tmp_path / name, plan_of(dense))
    assert sorted(os.listdir(tmp_path)) == ["file", "folder.npz"]


def test_extensions(tmp_path):
    for name in ("answers", "answers.parquet", "answers.npz", "answers.json"):
        check_answers_path(tmp_path / name)
    with pytest.raises(ValueError, match=r"answers.csv: answers are written as .npz or .json, .* got '.csv'"):
        check_answers_path(tmp_path / "answers.csv")
    with pytest.raises(ValueError, match=r"answers.npz: --resume: only a folder .* no .npz file"):
        check_answers_path(tmp_path / "answers.npz", resume=True)
    check_answers_path(tmp_path / "answers.parquet", resume=True)


def test_tables_hold_pairs_of_units_only(tmp_path):
    dense, sparse = answers(3)
    path = tmp_path / "answers.parquet"
    with pytest.raises(
        ValueError, match="rows of pairs of units, and cannot hold contact_state, contact_model"
    ):
        open_answers(path, plan_of(dense, sparse))
    with pytest.raises(ValueError, match="cannot hold leader; a folder"):
        open_answers(path, plan_of(dense | {"leader": np.zeros((3, 2), np.int64)}))
    assert not path.exists()


@pytest.mark.parametrize("name", KINDS)
def test_two_at_once(tmp_path, name):
    dense, _ = answers(3)
    path = tmp_path / name
    for resume in (False, True):
        with open_answers(path, plan_of(dense), resume=resume) as writer:
            for again in (False, True):
                with pytest.raises(BlockingIOError, match=re.escape(f"{path}: another run writes there")):
                    open_answers(path, plan_of(dense), resume=again)
            writer.write(part(dense, None, writer.done, writer.done + 1)[0])
            writer.commit()
    assert manifest(path)["done"] == 2
    assert ".lock" not in os.listdir(path)


def test_another_process_at_once(tmp_path):
    dense, _ = answers(3)
    code = """
import sys, fcntl
stream = open(sys.argv[1], "ab")
fcntl.flock(stream, fcntl.LOCK_EX)
print("locked", flush=True)
sys.stdin.read()
"""
    (tmp_path / "answers").mkdir()
    command = [sys.executable, "-c", code, str(tmp_path / "answers" / ".lock")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline() == "locked\n"
        with pytest.raises(BlockingIOError, match="another run writes there"):
            open_answers(tmp_path / "answers", plan_of(dense))
        other.kill()
        other.wait()
        # Its lock has died with it.
        run(tmp_path / "answers", plan_of(dense), dense, None, [0, 3])
    assert ".lock" not in os.listdir(tmp_path / "answers")


def test_what_is_not_as_planned(tmp_path):
    dense, sparse = answers(6)
    with open_answers(tmp_path / "answers", plan_of(dense, sparse)) as writer:
        good, rows = part(dense, sparse, 0, 2)
        for arrays, columns, error, message in (
            (good | {"sight": good["contact"]}, rows, ValueError, "arrays .* are planned, got .*sight"),
            ({"contact": good["contact"]}, rows, ValueError, "arrays .* are planned"),
            (good, {}, ValueError, "columns .* are planned"),
            (
                good | {"distance": good["distance"].astype(np.float32)},
                rows,
                TypeError,
                "distance must be of dtype",
            ),
            (
                good | {"distance": good["distance"][:, :1]},
                rows,
                ValueError,
                r"distance must have shape \(n, 2, 3\)",
            ),
            (good | {"distance": good["distance"][:1]}, rows, ValueError, "as many states as one another"),
            (
                good,
                rows | {"contact_model": rows["contact_model"].astype(np.int8)},
                TypeError,
                "contact_model must",
            ),
            (
                good,
                rows | {"contact_model": rows["contact_model"][None]},
                ValueError,
                r"must have shape \(k,\)",
            ),
            (dense, sparse, None, ""),
        ):
            if error is None:
                writer.write(arrays, columns)
            else:
                with pytest.raises(error, match=message):
                    writer.write(arrays, columns)
        with pytest.raises(ValueError, match="answers of 6 states are planned, got 8"):
            writer.write(good, rows)
        with pytest.raises(ValueError, match=r"n_states|as many states"):
            writer.write(*part(dense, sparse, 0, 0), n_states=2)
        writer.finish()
    for name, array in (dense | sparse).items():
        np.testing.assert_array_equal(np.load(tmp_path / "answers" / f"{name}.npy"), array)


def test_states_are_missing(tmp_path):
    dense, sparse = answers(6)
    with open_answers(tmp_path / "answers.npz", plan_of(dense)) as writer:
        writer.write(part(dense, None, 0, 5)[0])
        with pytest.raises(ValueError, match="answers of 6 states are planned, got 5"):
            writer.finish()
    assert not (tmp_path / "answers.npz").exists()
    plan = AnswerPlan(n_states=6, names={}, fields={}, rows={name: c.dtype for name, c in sparse.items()})
    with open_answers(tmp_path / "answers", plan) as writer:
        with pytest.raises(ValueError, match="n_states must be given where there are no arrays"):
            writer.write({}, sparse)
        writer.write({}, sparse, n_states=6)
        writer.finish()
    np.testing.assert_array_equal(
        np.load(tmp_path / "answers" / "contact_state.npy"), sparse["contact_state"]
    )


@pytest.mark.parametrize("value", [float("nan"), float("inf"), {1, 2}, np.float64(1).dtype])
def test_only_what_json_holds_is_carried(tmp_path, value):
    dense, _ = answers(6)
    with open_answers(tmp_path / "answers", plan_of(dense)) as writer:
        writer.write(dense)
        with pytest.raises((ValueError, TypeError), match="carried must be what JSON can hold: "):
            writer.commit({"sum": value})
    with pytest.raises((ValueError, TypeError), match="identity must be what JSON can hold: "):
        open_answers(tmp_path / "other", plan_of(dense, seed=value))
    assert not (tmp_path / "other").exists()


@pytest.mark.parametrize("name", ["answers.npz", "answers.json"])
def test_single_files_must_fit_into_memory(tmp_path, monkeypatch, name):
    dense, _ = answers(1000)
    plan = plan_of(dense)
    assert plan.dense_bytes() == sum(array.nbytes for array in dense.values()) == 60_000
    monkeypatch.setattr(_memory, "available_memory", lambda: 59_999)
    message = "answers of 1,000 states take 58.6 kB of memory, and 58.6 kB are available; a folder"
    with pytest.raises(ValueError, match=f"^{re.escape(str(tmp_path / name))}: {message}"):
        open_answers(tmp_path / name, plan)
    open_answers(tmp_path / "answers", plan).close()
    monkeypatch.setattr(_memory, "available_memory", lambda: 60_000)
    open_answers(tmp_path / name, plan).close()


def test_damaged_answers_are_refused(tmp_path):
    dense, sparse = answers(9)
    path, plan = tmp_path / "answers", plan_of(dense, sparse)

    def begin():
        with open_answers(path, plan) as writer:
            writer.write(*part(dense, sparse, 0, 4))
            writer.commit()

    begin()
    whole = contents(path)
    text = whole["answers.json"].decode()
    for name, content, message in (
        ("answers.json", b"", "answers.json: not a readable manifest of answers: "),
        ("answers.json", b"[]", "answers.json: not a readable manifest of answers: "),
        ("answers.json", b"{}", "answers.json: not a readable manifest of answers: there is no 'format'"),
        ("answers.json", text.replace('"done": 4', '"done": -4').encode(), "done is -4 of 9"),
        ("answers.json", text.replace('"done": 4', '"done": 10').encode(), "done is 10 of 9"),
        ("answers.json", text.replace('"done": 4', '"done": true').encode(), "done is True"),
        ("answers.json", text.replace('"format_version": 1', '"format_version": 2').encode(), "of version 2"),
        (
            "answers.json",
            re.sub(r'("contact_state": )([0-9])', r"\1-\2", text).encode(),
            "contact_state is -",
        ),
        ("distance.npy", whole["distance.npy"][:-1], "distance.npy: must have at least .* bytes"),
        ("distance.npy", b"", "distance.npy: not a readable .npy file: "),
        ("distance.npy", whole["contact.npy"], r"distance.npy: a state must have float64 of shape \(2, 3\)"),
        ("contact_model.npy", whole["contact_model.npy"][:-9], "contact_model.npy: must have at least"),
    ):
        (path / name).write_bytes(content)
        with pytest.raises(ValueError, match=message) as caught:
            open_answers(path, plan, resume=True)
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)
        assert (path / name).read_bytes() == content
        (path / name).write_bytes(whole[name])
    run_edges = [0, 4, 9]
    with open_answers(path, plan, resume=True) as writer:
        writer.write(*part(dense, sparse, *run_edges[1:]))
        writer.finish()
    np.testing.assert_array_equal(np.load(path / "distance.npy"), dense["distance"])


def test_damaged_tables_are_refused(tmp_path):
    dense, _ = answers(9)
    path, plan = tmp_path / "answers.parquet", plan_of(dense)
    with open_answers(path, plan) as writer:
        for start, stop in ((0, 4), (4, 6)):
            writer.write(part(dense, None, start, stop)[0])
            writer.commit()
    first = (path / "part-000000.parquet").read_bytes()
    (path / "part-000000.parquet").write_bytes(first[:-1])
    with pytest.raises(ValueError, match=r"answers.parquet: what is done must have \d+ bytes, got \d+"):
        open_answers(path, plan, resume=True)
    (path / "part-000000.parquet").unlink()
    with pytest.raises(ValueError, match=r"answers.parquet: part-000000.parquet is missing"):
        open_answers(path, plan, resume=True)


@pytest.mark.parametrize("name", KINDS)
def test_nothing_follows_what_was_written_in_part(tmp_path, monkeypatch, name):
    dense, _ = answers(9)
    path, plan = tmp_path / name, plan_of(dense)
    run(tmp_path / "whole" if name == "answers" else tmp_path / "whole.parquet", plan, dense, None, [0, 4, 9])

    def full(*_arguments, **_options):
        raise OSError(28, "No space left on device")

    with open_answers(path, plan) as writer:
        writer.write(part(dense, None, 0, 4)[0])
        writer.commit({"sum": carried(dense, 4)})
        with monkeypatch.context() as patch:
            if name == "answers":
                patch.setattr("ninthgeom._answer_arrays._write_all", full)
            else:
                patch.setattr(pq.ParquetWriter, "write_table", full)
                patch.setattr(_answer_tables, "_ROWS", 1)
            with pytest.raises(OSError, match="No space left"):
                writer.write(part(dense, None, 4, 9)[0])
        for act in (lambda: writer.write(part(dense, None, 4, 9)[0]), writer.commit, writer.finish):
            with pytest.raises(ValueError, match="nothing can follow what was written in part"):
                act()
    assert run(path, plan, dense, None, [0, 4, 9], resume=True) == 4
    assert contents(path) == contents(tmp_path / name.replace("answers", "whole"))


def test_without_pyarrow(tmp_path, monkeypatch):
    dense, sparse = answers(3)
    path = tmp_path / "answers.parquet"
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(
        ImportError, match=r"answers.parquet: Parquet needs pyarrow: install ninthgeom\[parquet\]$"
    ):
        open_answers(path, plan_of(dense))
    assert not path.exists()
    run(tmp_path / "answers", plan_of(dense, sparse), dense, sparse, [0, 3])


def test_units_of_one_name_only_meet_themselves(tmp_path):
    dense, _ = answers(3, observers=1, targets=1)
    plan = AnswerPlan(
        n_states=3,
        names={"observers": ["giant"], "targets": ["giant"]},
        fields={name: (array.dtype, (1, 1)) for name, array in dense.items()},
    )
    run(tmp_path / "answers.parquet", plan, dense, None, [0, 2, 3])
    table = pq.read_table(tmp_path / "answers.parquet")
    assert table.num_rows == 0
    assert table.schema.field("distance").type == pa.float64()
