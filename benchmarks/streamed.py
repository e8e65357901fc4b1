"""One mass evaluation in a process of its own: a file of positions in, a folder or a data set of answers out.

    python -m benchmarks.streamed STATES WORKERS KIND

Prints as JSON what it took; `bench_stream` runs it. KIND is "folder", "parquet" or "memory", which answers
the first states of the file again and again without reading or writing anything.
"""

from __future__ import annotations

import contextlib
import io
import json
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np
from numpy.lib.format import open_memmap

from benchmarks.bench_evaluate import make_board, scattered
from ninthgeom import Scene, _streams, t9a, write_scene
from ninthgeom.cli import main as command

# States that are answered at once where nothing is streamed.
IN_MEMORY = 4_000
# States that are drawn at once while the file is made.
DRAWN = 10_000


@dataclass(frozen=True)
class Streamed:
    """What a run took.

    Attributes
    ----------
    states, seconds, processor : float
        Number, time by the clock and time of processors.
    grown : int
        Bytes by which the process grew above what it had before, with all kernels and modules loaded.
    chunk : int
        Bytes of the arrays of one chunk, those read and those written.
    """

    states: int
    seconds: float
    processor: float
    grown: int
    chunk: int

    @property
    def rate(self) -> float:
        """States a second, by the clock."""
        return self.states / self.seconds


def run(states: int, workers: int, kind: str) -> Streamed:
    """Measure in a fresh process."""
    arguments = [str(states), str(workers), kind]
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.streamed", *arguments], check=True, capture_output=True, text=True
    )
    return Streamed(**json.loads(done.stdout))


def draw_file(path: Path, board: object, states: int) -> None:
    """Write a file of scattered units."""
    rng = np.random.default_rng(1)
    positions = open_memmap(path, "w+", np.float64, (states, len(board), 3))  # type: ignore[arg-type]
    for start in range(0, states, DRAWN):
        part = positions[start : start + DRAWN]
        part[:] = scattered(board, rng, len(part))


def kilobytes(name: str) -> int:
    """A line of what the system knows about this process."""
    line = next(line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith(name))
    return int(line.split()[1])


def evaluate(scene: Path, positions: Path, out: Path, workers: int) -> None:
    """The command as a user gives it, its tables thrown away."""
    arguments = [scene, "--positions", positions, "--out", out, "--workers", workers]
    with contextlib.redirect_stdout(io.StringIO()):
        command(["evaluate", *map(str, arguments)], standalone_mode=False)


def measure(states: int, workers: int, kind: str) -> Streamed:
    """Run once on a few states, so that everything is loaded; then on all of them."""
    board = make_board(np.random.default_rng(1))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        scene, few, positions = folder / "scene.json", folder / "few.npy", folder / "positions.npy"
        draw_file(few, board, 10)
        draw_file(positions, board, states)
        write_scene(scene, Scene(board, np.load(few)[0]))
        suffix = ".parquet" if kind == "parquet" else ""
        evaluate(scene, few, folder / f"few{suffix}", workers)
        at_once = np.load(positions, mmap_mode="r")[: IN_MEMORY if kind == "memory" else 0].copy()
        before = kilobytes("VmRSS")
        Path("/proc/self/clear_refs").write_text("5")  # forget the peak so far
        start, processor = time.perf_counter(), time.process_time()
        if kind == "memory":
            for first in range(0, states, IN_MEMORY):
                t9a.evaluate(board, at_once[: states - first], workers=workers)
        else:
            evaluate(scene, positions, folder / f"answers{suffix}", workers)
        seconds, processor = time.perf_counter() - start, time.process_time() - processor
        # A short run may find all it needs in what was given back before: then a page at least.
        grown = max(4096, 1024 * (kilobytes("VmHWM") - before))
        return Streamed(states, seconds, processor, grown, _streams.BYTES_IN_MEMORY)


if __name__ == "__main__":
    print(json.dumps(asdict(measure(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))))
