"""What tests of Monte Carlo estimates share."""

import os
import runpy
import subprocess
import sys
from functools import cache
from unittest import mock

import pytest


@pytest.fixture(scope="session")
def sight_example(repository, tmp_path_factory):
    """Run the example; the lines that it prints. Without further arguments in this process, which knows the kernels."""
    script = repository / "examples" / "estimate_sight.py"
    scene = repository / "examples" / "combat.json"
    usual = [str(script), str(scene), "--n", "70", "--block", "10"]
    path = {"PYTHONPATH": os.pathsep.join((str(repository), str(repository / "kernel"), os.environ.get("PYTHONPATH", "")))}

    @cache
    def run(*arguments):
        done = subprocess.run([sys.executable, "-W", "error", *usual, *arguments], env=os.environ | path, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, done.stderr
        assert done.stderr == ""
        return done.stdout

    return run
