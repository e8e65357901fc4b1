"""What every test shares."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]

# No deadline: the first example may compile a kernel or load it from the cache. Derandomised: what fails in
# make test comes from the change at hand; make verify is where new seeds are drawn.
settings.register_profile("ninthgeom", deadline=None, derandomize=True)
settings.load_profile("ninthgeom")

# What a shell runs in the background ignores Ctrl-C, and so would the processes that tests interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def numpy_as_in_kernels() -> Iterator[None]:
    """Kernels run as plain Python divide by zero without a warning, as their compiled form does."""
    if os.environ.get("NUMBA_DISABLE_JIT") == "1":
        with np.errstate(all="ignore"):
            yield
    else:
        yield


@pytest.fixture(scope="session")
def repository() -> Path:
    """Root of the working tree."""
    return ROOT


@pytest.fixture(scope="session")
def run_python(tmp_path_factory: pytest.TempPathFactory) -> Callable[..., str]:
    """Run code in a fresh process that finds the working tree, in an empty folder; return what it prints.

    Of numba's and coverage's variables only the cache folder is handed down: such a test chooses its own.
    """
    empty = tmp_path_factory.mktemp("elsewhere")

    def run(code: str, *arguments: object, path: tuple[Path, ...] = (), **environment: str | None) -> str:
        inherited = {
            name: value
            for name, value in os.environ.items()
            if name == "NUMBA_CACHE_DIR" or not name.startswith(("NUMBA_", "PYTHON", "COV_", "COVERAGE_"))
        }
        path = path or (ROOT, ROOT / "kernel")
        chosen = inherited | {"PYTHONPATH": os.pathsep.join(map(str, path))} | environment
        done = subprocess.run(
            [sys.executable, "-c", code, *map(str, arguments)],
            env={name: value for name, value in chosen.items() if value is not None},
            cwd=empty,
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    return run
