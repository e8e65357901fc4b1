"""Checkpoints: what is saved is safe, what does not belong together is refused and left as it is."""

import os
import sqlite3

import numpy as np
import pytest

from ninthgeom import _mc_checkpoint
from ninthgeom._mc_checkpoint import APPLICATION_ID, Checkpoint

RUN = {"job": "charges", "n": 95, "seed": 7, "block": 10}


@pytest.fixture
def path(tmp_path):
    """A checkpoint with three blocks of ten."""
    path = tmp_path / "charges.ckpt"
    with Checkpoint.open(path, **RUN) as checkpoint:
        for index in (4, 0, 9):
            checkpoint.save(index, b"block %d" % index)
    return path


def files(folder):
    """What is in a folder: names, bytes and times of writing."""
    return {
        file.name: (file.is_file() and file.read_bytes(), file.stat().st_mtime_ns)
        for file in folder.iterdir()
        if not file.is_fifo()
    }


def refused(path, kind=ValueError, **changes):
    """Open in vain; the message, once it is sure that nothing was written or left behind."""
    before = path.parent.is_dir() and files(path.parent)
    with pytest.raises(kind) as caught:
        Checkpoint.open(path, **RUN | changes)
    assert (path.parent.is_dir() and files(path.parent)) == before
    return str(caught.value)


def statements(path, *texts):
    connection = sqlite3.connect(path, isolation_level=None)
    for text in texts:
        connection.execute(text)
    connection.close()


# --------------------------------------------------------------------------------------------- what is kept


def test_blocks_come_back_in_the_order_of_their_indices(path):
    assert [file.name for file in path.parent.iterdir()] == [path.name]
    with Checkpoint.open(path, **RUN) as checkpoint:
        finished = checkpoint.finished()
        assert list(finished.items()) == [(0, b"block 0"), (4, b"block 4"), (9, b"block 9")]
        assert len(finished) == 3
        assert 4 in finished
        assert 5 not in finished
        with pytest.raises(KeyError, match="5"):
            finished[5]
        checkpoint.save(5, b"")
        assert 5 not in finished  # those of then
        assert checkpoint.finished()[5] == b""
        checkpoint.close()
        checkpoint.close()


def test_an_empty_file_is_a_new_checkpoint(tmp_path):
    path = tmp_path / "made by hand äß%20?#.ckpt"
    path.touch()
    with Checkpoint.open(str(path), **RUN) as checkpoint:
        assert dict(checkpoint.finished()) == {}
    assert path.stat().st_size > 0
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("seed", [2**200, [1, 2**70], (3,), np.int64(5)])
def test_any_seed(tmp_path, seed):
    for _ in range(2):
        Checkpoint.open(tmp_path / "a", job="ä \"'\n", n=1, seed=seed, block=10).close()


@pytest.mark.parametrize("index", [-1, 10])
def test_a_block_that_the_run_does_not_have_is_not_saved(path, index):
    with Checkpoint.open(path, **RUN) as checkpoint:
        with pytest.raises(ValueError, match=f"^index must be from 0 to 9, got {index}$"):
            checkpoint.save(index, b"block")
        assert len(checkpoint.finished()) == 3


def test_a_block_is_saved_once(path):
    with Checkpoint.open(path, **RUN) as checkpoint:
        with pytest.raises(ValueError, match="block 4 is saved already"):
            checkpoint.save(4, b"another")
        assert checkpoint.finished()[4] == b"block 4"


# ------------------------------------------------------------------------------------------------- refusals


@pytest.mark.parametrize(
    ("key", "value", "shown"),
    [
        ("job", "charge", '"charges" there and "charge" here'),
        ("n", 96, "95 there and 96 here"),
        ("seed", 8, "7 there and 8 here"),
        ("seed", [7], r"7 there and [7] here"),
        ("block", 5, "10 there and 5 here"),
    ],
)
def test_another_run_is_refused(path, key, value, shown):
    assert refused(path, **{key: value}) == f"{path} is the checkpoint of another run: {key} is {shown}"
    with Checkpoint.open(path, **RUN) as checkpoint:
        assert len(checkpoint.finished()) == 3


def test_another_version_is_refused(path, monkeypatch):
    version = _mc_checkpoint.__version__
    monkeypatch.setattr(_mc_checkpoint, "__version__", "99.1")
    assert refused(path).endswith(f'version is "{version}" there and "99.1" here')
    monkeypatch.setattr(_mc_checkpoint, "__version__", version)
    monkeypatch.setattr(np, "__version__", "99.2")
    assert 'numpy is "' in refused(path)


@pytest.mark.parametrize("content", [b"x", b"not for you\n", b"y" * 600, bytes(100), b"SQLite format 3\0"])
def test_a_file_of_another_kind_is_refused(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    assert refused(path) == f"{path} is no checkpoint"


@pytest.mark.parametrize("number", [0, APPLICATION_ID - 1])
def test_another_database_is_refused(tmp_path, number):
    path = tmp_path / "file"
    statements(path, f"PRAGMA application_id = {number}", "CREATE TABLE blocks (i, payload)")
    assert refused(path) == f"{path} is no checkpoint"


def test_another_database_is_left_as_a_crash_left_it(tmp_path, run_python):
    run_python(CRASH, tmp_path / "file", "another database")
    assert (tmp_path / "file-journal").stat().st_size > 0
    assert refused(tmp_path / "file").endswith("is no checkpoint")


def test_places_that_are_no_files_are_refused(tmp_path):
    assert "no such folder" in refused(tmp_path / "none" / "file", FileNotFoundError)
    (tmp_path / "folder").mkdir()
    assert "is a folder" in refused(tmp_path / "folder", IsADirectoryError)
    os.mkfifo(tmp_path / "pipe")
    assert refused(tmp_path / "pipe").endswith("is no file")


def test_a_journal_that_cannot_be_written_is_found_before_the_work(path):
    (path.parent / f"{path.name}-journal").mkdir()
    assert str(path) in refused(path, OSError)


LOCKED_FOLDER = """
import os, sys, tempfile
from pathlib import Path
from ninthgeom._mc_checkpoint import Checkpoint

with tempfile.TemporaryDirectory() as name:
    run = {"job": "job", "n": 10, "seed": 1, "block": 10}
    old, new = Path(name, "old"), Path(name, "new")
    with Checkpoint.open(old, **run) as checkpoint:
        checkpoint.save(0, b"block")
    content = old.read_bytes()
    old.chmod(int(sys.argv[1], 8))
    os.chmod(name, int(sys.argv[2], 8))
    if os.geteuid() == 0:  # whom nothing forbids anything
        os.seteuid(65534)
    for path in (old, new):
        try:
            Checkpoint.open(path, **run).close()
        except OSError as error:
            print(error)
        else:
            print("opened")
    os.seteuid(os.getuid())
    assert old.read_bytes() == content
    os.chmod(name, 0o700)
"""


@pytest.mark.parametrize(("file", "folder"), [("666", "555"), ("444", "555")])
def test_a_folder_that_allows_no_files_is_refused_before_the_work(run_python, file, folder):
    lines = run_python(LOCKED_FOLDER, file, folder).splitlines()
    assert len(lines) == 2
    assert all("cannot be used" in line for line in lines)


# ---------------------------------------------------------------------------------------- two runs at a time


def test_a_second_run_in_the_same_process_is_refused_and_takes_no_lock_away(path, run_python):
    code = """
import sys
from ninthgeom._mc_checkpoint import Checkpoint
try:
    Checkpoint.open(sys.argv[1], job="charges", n=95, seed=7, block=10)
except BlockingIOError as error:
    print(error)
"""
    with Checkpoint.open(path, **RUN) as checkpoint:
        checkpoint.save(1, b"block 1")
        for _ in range(2):
            with pytest.raises(BlockingIOError, match="in use by another run"):
                Checkpoint.open(path, **RUN)
        assert run_python(code, path).strip() == f"{path} is in use by another run"
        checkpoint.save(2, b"block 2")
    with Checkpoint.open(path, **RUN) as checkpoint:
        assert list(checkpoint.finished()) == [0, 1, 2, 4, 9]


SECOND = """
import os, signal, sys
from ninthgeom._mc_checkpoint import Checkpoint

run = {"job": "charges", "n": 95, "seed": 7, "block": 10}
read, write = os.pipe()
first = os.fork()
if not first:
    checkpoint = Checkpoint.open(sys.argv[1], **run)
    checkpoint.save(1, b"block 1")
    worker = os.fork()  # as a pool of processes does; it has all files of the run
    if worker:
        os.write(write, str(worker).encode())
    signal.pause()
worker = int(os.read(read, 20))
try:
    Checkpoint.open(sys.argv[1], **run)
except BlockingIOError as error:
    print(error)
os.kill(first, signal.SIGKILL)
os.waitpid(first, 0)
try:
    with Checkpoint.open(sys.argv[1], **run) as checkpoint:
        print(*checkpoint.finished())
finally:
    os.kill(worker, signal.SIGKILL)
"""


def test_the_lock_of_a_killed_run_dies_with_it_though_its_workers_live(path, run_python):
    refusal, finished = run_python(SECOND, path).splitlines()
    assert refusal == f"{path} is in use by another run"
    assert finished == "0 1 4 9"


# ---------------------------------------------------------------------------------------------------- damage


def test_a_changed_payload_is_refused(path):
    content = path.read_bytes()
    assert content.count(b"block 4") == 1
    path.write_bytes(content.replace(b"block 4", b"block 5"))
    assert refused(path) == f"{path} is damaged: block 4 is not what was saved"


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ("UPDATE blocks SET i = 5 WHERE i = 4", "block 5 is not what was saved"),
        ("UPDATE blocks SET payload = 'block 4' WHERE i = 4", "block 4 is not what was saved"),
        ("DELETE FROM meta WHERE key = 'seed'", "does not say which run"),
        ("DROP TABLE meta", "no such table: meta"),
        ("DROP TABLE blocks", "no such table: blocks"),
    ],
)
def test_changed_tables_are_refused(path, change, problem):
    statements(path, change)
    assert f"{path} is damaged: " in (message := refused(path))
    assert problem in message


def test_a_block_beyond_the_run_is_refused(path):
    with Checkpoint.open(path.with_name("longer"), **RUN | {"n": 200}) as checkpoint:
        checkpoint.save(15, b"block 15")
    statements(path, f"ATTACH '{path.with_name('longer')}' AS l", "INSERT INTO blocks SELECT * FROM l.blocks")
    assert refused(path) == f"{path} is damaged: it has a block 15 of 10"


def test_a_cut_or_overwritten_file_is_refused_or_complete(path):
    # Wherever the bytes end or change, what comes back is what was saved, or nothing.
    content = path.read_bytes()
    page = int.from_bytes(content[16:18])
    for cut in range(page, len(content), page // 4):
        path.write_bytes(content[:cut])
        assert "is damaged" in refused(path)
    rng = np.random.default_rng(1)
    outcomes = set()
    for start in range(0, len(content), page // 11):
        path.write_bytes(content[:start] + rng.bytes(64) + content[start + 64 :])
        try:
            with Checkpoint.open(path, **RUN) as checkpoint:
                finished = dict(checkpoint.finished())
            assert finished == {index: b"block %d" % index for index in finished}
            outcomes.add(len(finished))
        except (ValueError, OSError) as error:
            outcomes.add(type(error))
        path.with_name(f"{path.name}-journal").unlink(missing_ok=True)
    assert {3, ValueError} <= outcomes


# --------------------------------------------------------------------------------------------- after a crash

# Dies in the middle of a transaction that has grown out of its cache: the file is half written, and the
# journal beside it knows how it was.
CRASH = """
import os, signal, sqlite3, sys
from ninthgeom._mc_checkpoint import Checkpoint

path, is_checkpoint = sys.argv[1], sys.argv[2] == "checkpoint"
if not os.fork():
    if is_checkpoint:
        connection = Checkpoint.open(path, job="charges", n=95, seed=7, block=10)._connection
    else:
        connection = sqlite3.connect(path, isolation_level=None)
        connection.execute("CREATE TABLE blocks (i, payload, digest)")
    connection.execute("PRAGMA cache_size = 1")
    connection.execute("BEGIN")
    for index in (1, 2, 3):
        connection.execute("INSERT INTO blocks VALUES (?, zeroblob(100000), '')", (index,))
    os.kill(os.getpid(), signal.SIGKILL)
os.wait()
"""


def test_half_written_blocks_are_taken_back(path, run_python):
    before = path.read_bytes()
    run_python(CRASH, path, "checkpoint")
    assert len(path.read_bytes()) > 2 * len(before)
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0
    with Checkpoint.open(path, **RUN) as checkpoint:
        assert dict(checkpoint.finished()) == {index: b"block %d" % index for index in (0, 4, 9)}
    assert path.read_bytes() == before
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_file_that_has_yet_to_grow_is_taken_back_too(path, run_python):
    # What a crash leaves right after the first page was written, which tells the new length.
    before = path.read_bytes()
    run_python(CRASH, path, "checkpoint")
    pages = int.from_bytes(before[28:32])
    path.write_bytes(before[:28] + (pages + 5).to_bytes(4) + before[32:])
    assert path.with_name(f"{path.name}-journal").stat().st_size > 0
    with Checkpoint.open(path, **RUN) as checkpoint:
        assert list(checkpoint.finished()) == [0, 4, 9]
    assert path.read_bytes() == before


# Each child dies before its next statement to SQLite, one statement later than the child before.
DYING = """
import functools, os, signal, sqlite3, sys
from ninthgeom._mc_checkpoint import Checkpoint

run = {"job": "job", "n": 40, "seed": 1, "block": 10}


class Dying(sqlite3.Connection):
    left = 0

    def execute(self, *arguments):
        if not Dying.left:
            os.kill(os.getpid(), signal.SIGKILL)
        Dying.left -= 1
        return super().execute(*arguments)


def work(path):
    with Checkpoint.open(path, **run) as checkpoint:
        for index in range(4):
            if index not in checkpoint.finished():
                checkpoint.save(index, b"block %d" % index)


deaths = 0
while True:
    path = f"{sys.argv[1]}/{deaths}"
    child = os.fork()
    if not child:
        Dying.left = deaths
        sqlite3.connect = functools.partial(sqlite3.connect, factory=Dying)
        work(path)
        os._exit(0)
    died = os.WIFSIGNALED(os.waitpid(child, 0)[1])
    with Checkpoint.open(path, **run) as checkpoint:
        print(len(checkpoint.finished()))
    work(path)
    with Checkpoint.open(path, **run) as checkpoint:
        assert dict(checkpoint.finished()) == {index: b"block %d" % index for index in range(4)}
    if not died:
        break
    deaths += 1
"""


def test_a_run_may_die_before_any_statement(tmp_path, run_python):
    finished = [int(line) for line in run_python(DYING, tmp_path).split()]
    assert len(finished) > 10
    assert finished == sorted(finished)
    assert set(finished) == {0, 1, 2, 3, 4}
