"""What tests of Monte Carlo estimates share."""

import contextlib
import io
import os
import runpy
import subprocess
import sys
from unittest import mock

import pytest

SETTINGS = ("--n", "70", "--block", "10")


@pytest.fixture(scope="session")
def sight_example(repository):
    """Run the example about sight as its users do, with further arguments; return what it prints."""
    script, scene = (repository / "examples" / name for name in ("estimate_sight.py", "combat.json"))

    def run(*arguments):
        done = subprocess.run(
            [sys.executable, "-W", "error", script, scene, *SETTINGS, *arguments],
            env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            timeout=300,
        )
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return run


@pytest.fixture(scope="session")
def sight_alone(repository):
    """What the example prints without further arguments."""
    script, scene = (repository / "examples" / name for name in ("estimate_sight.py", "combat.json"))
    printed = io.StringIO()
    # In this process, which has the kernels.
    with mock.patch("sys.argv", [str(script), str(scene), *SETTINGS]), contextlib.redirect_stdout(printed):
        runpy.run_path(str(script), run_name="__main__")
    return printed.getvalue()
