"""Writes answers in processes that are killed wherever it could matter, and looks at what is left.

Run in a process of its own, which has no threads that a fork would lose.
"""

import contextlib
import json
import os
import random
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from ninthgeom import _answer_arrays, _answer_tables
from tests.files.answers import answers, contents, plan_of, run

EDGES = [0, 4, 9]


class Moments:
    """Counts the steps in which a process changes files, and kills it before one of them."""

    def __init__(self, fatal=None):
        self.count = 0
        self.fatal = fatal

    def passes(self):
        if self.count == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)
        self.count += 1

    def watched(self, function: Callable) -> Callable:
        def step(*arguments, **options):
            self.passes()
            return function(*arguments, **options)

        return step

    def watch(self):
        """Put a moment before all that changes files, and one in the middle of what is written."""
        write_all = _answer_arrays._write_all

        def half_first(stream, content):
            self.passes()
            write_all(stream, content[: len(content) // 2])
            self.passes()
            write_all(stream, content[len(content) // 2 :])

        _answer_arrays._write_all = half_first
        for kind, name in (
            (Path, "replace"),
            (Path, "unlink"),
            (Path, "mkdir"),
            (Path, "open"),
            (os, "open"),
            (os, "fsync"),
            (pq.ParquetWriter, "write_table"),
            (pq.ParquetWriter, "close"),
        ):
            setattr(kind, name, self.watched(getattr(kind, name)))


def in_child(work: Callable[[], object]) -> int:
    """Run it in a fork and return its exit code, -9 if it was killed."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # threads of linear algebra, which do not matter here
        child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            work()
            code = 0
        os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def check_readable(folder: Path, dense) -> None:
    """Raise unless everything up to the last commit can be read."""
    manifest = next(iter(folder.glob("*answers.json")), None)
    done = 0 if manifest is None else json.loads(manifest.read_text())["done"]
    if done == 0:
        return
    if folder.suffix:
        found = pq.read_table(folder)
        there = int(found["state"][-1].as_py()) + 1
        pairs = found.num_rows // there
        assert there in EDGES
        assert there >= done
        np.testing.assert_array_equal(
            found["distance"].to_numpy().reshape(there, pairs),
            dense["distance"][:there].reshape(there, -1)[:, [1, 2, 3, 5]],
        )
        return
    for name, array in dense.items():
        found = np.load(folder / f"{name}.npy")
        assert done <= len(found) <= 9
        np.testing.assert_array_equal(found, array[: len(found)])


def moments_of(folder: Path, work: Callable[[], object]) -> int:
    counter = folder / "count"

    def counted():
        moments = Moments()
        moments.watch()
        work()
        counter.write_text(str(moments.count))

    assert in_child(counted) == 0
    count = int(counter.read_text())
    counter.unlink()
    return count


def kills(total: int, twice: int) -> Iterator[tuple[int, ...]]:
    """Moments to kill at: each of them, then some pairs, the second one while the first run is resumed."""
    yield from ((i,) for i in range(total))
    draw = random.Random(1)
    yield from ((draw.randrange(total), draw.randrange(total // 2)) for _ in range(twice))


def try_all(folder: Path, name: str) -> int:
    """Kill at each moment and return how many there are."""
    dense, sparse = answers(9)
    dense = {key: dense[key] for key in ("distance", "contact")}
    sparse = None if name.endswith(".parquet") else {"contact_state": sparse["contact_state"]}
    plan = plan_of(dense, sparse)
    whole = folder / f"whole-{name}"

    def write(path: Path, resume: bool) -> int:
        return run(path, plan, dense, sparse, EDGES, resume=resume)

    total = moments_of(folder, lambda: write(whole, False))
    expected = contents(whole)
    for fatal in kills(total, 6):
        path = folder / name
        for i, moment in enumerate(fatal):

            def killed(moment=moment, resume=i > 0, path=path):
                Moments(moment).watch()
                write(path, resume)

            code = in_child(killed)
            assert code == -signal.SIGKILL or (i and code == 0), (fatal, code)
            if path.is_dir():
                check_readable(path, dense)
        done = write(path, True)
        assert done in EDGES
        assert contents(path) == expected, fatal
        shutil.rmtree(path)
    return total


def main(place: str) -> None:
    """Print at how many moments processes were killed, for both kinds of folders."""
    os.fsync = lambda number: None  # it only matters when the power fails
    _answer_tables._ROWS = 8
    print(*(try_all(Path(place), name) for name in ("answers", "answers.parquet")))
