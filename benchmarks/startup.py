"""What a fresh process waits for: the import, and the first answer with and without kernels in the cache."""

from __future__ import annotations

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


@dataclass(frozen=True)
class Startup:
    """Seconds of one fresh process, counted from its first statement on."""

    numpy: float
    ninthgeom: float
    first_answer: float
    processor: float


def start(question: str, cache: Path | None) -> Startup:
    """Run a question in a fresh process whose kernels are cached in `cache`, or where they are anyway."""
    environment = os.environ | {"PYTHONPATH": os.pathsep.join((str(ROOT), str(ROOT / "kernel")))}
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    done = subprocess.run(
        [sys.executable, "-c", PROCESS.format(question=question)],
        env=environment,
        check=True,
        capture_output=True,
        text=True,
    )
    return Startup(*map(float, done.stdout.split()))
