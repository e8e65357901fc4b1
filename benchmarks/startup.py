"""What a fresh process waits for: the import, and the first answer with and without kernels in the cache."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]

CONTACT = """
a = ninthgeom.Bases.rect(0.0, 0.0, width=1.0, depth=1.0)
b = ninthgeom.Bases.rect(1.0, 0.0, width=1.0, depth=1.0)
assert ninthgeom.in_contact(a, b)
"""

SIGHT = """
board = ninthgeom.Board([ninthgeom.Unit(name, (20, 20), models=20, files=5) for name in "ABC"])
positions = [(30.0, 10.0, 1.5), (31.0, 30.0, 4.7), (50.0, 20.0, 3.1)]
assert ninthgeom.t9a.line_of_sight(board, positions)[0, 1]
"""

PROCESS = """
from time import perf_counter, process_time
start = perf_counter()
import numpy
numpy_ready = perf_counter()
import ninthgeom
ready = perf_counter()
{question}
print(numpy_ready - start, ready - numpy_ready, perf_counter() - start, process_time())
"""

# Processor seconds that each kernel takes to compile, and those of a loop to compare it with, which is
# compiled just before and just after: what else runs on the machine slows both.
COMPILE = """
import gc
import json
from time import process_time
from numba import njit
from numba.core import event

def reference(values, out):
    row = values[0, 1:]
    for i in range(len(row)):
        x, y = row[i], values[1, i]
        squared = x * x + y * y
        if x < 0.0 and y < 0.0:
            squared = max(squared, abs(x))
        out[i] = squared

def trial():
    start = process_time()
    njit("void(float64[:, ::1], float64[::1])", error_model="numpy")(reference)
    return process_time() - start

class Clock(event.Listener):
    def __init__(self):
        self.seconds, self.open, self.is_trial = {}, [], False
        self.last = trial()

    def on_start(self, event):
        if not self.is_trial:
            if not self.open:
                gc.freeze()  # what other kernels left is not searched for garbage at this one's expense
            self.open.append((event.data["dispatcher"].py_func, process_time()))

    def on_end(self, event):
        if self.is_trial:
            return
        function, start = self.open.pop()
        if not self.open:  # a helper's time belongs to the kernel that needs it
            name = f"{function.__module__}.{function.__qualname__}"
            seconds = self.seconds.get(name, (0.0, 0.0))[0] + process_time() - start
            self.is_trial = True
            before, self.last = self.last, trial()
            self.is_trial = False
            self.seconds[name] = seconds, 0.5 * (before + self.last)

trial()  # pays what only the first compile of a process pays
clock = Clock()
event.register("numba:compile", clock)
import ninthgeom
ninthgeom.warm_up()
print(json.dumps(clock.seconds))
"""


@dataclass(frozen=True)
class Startup:
    """Seconds of one fresh process, counted from its first statement on."""

    numpy: float
    ninthgeom: float
    first_answer: float
    processor: float


def start(question: str, cache: Path | None) -> Startup:
    """Run a question in a fresh process whose kernels are cached in `cache`, or where they are anyway."""
    return Startup(*map(float, _printed(PROCESS.format(question=question), cache).split()))


def compile_seconds(cache: Path | None) -> dict[str, float]:
    """Return the processor seconds that each kernel takes to compile where the cache has none of them."""
    kernels = json.loads(_printed(COMPILE, cache))
    return {name: seconds for name, (seconds, _) in kernels.items()}


def _printed(program: str, cache: Path | None) -> str:
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "kernel")))}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return subprocess.run(
        [sys.executable, "-c", program], env=environment, check=True, capture_output=True, text=True
    ).stdout
