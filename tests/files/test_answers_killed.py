"""A process that writes answers may be killed at any moment: what was committed is there, and goes on."""

import tempfile
from pathlib import Path


def test_killed_at_every_moment(tmp_path, run_python):
    code = "import sys; from tests.files.killed import main; main(*sys.argv[1:])"
    # Some file systems write to the disk when a file takes the place of another one; in memory it is quick.
    in_memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=in_memory if in_memory.is_dir() else tmp_path) as folder:
        arrays, tables = map(int, run_python(code, folder).split())
    assert arrays > 60
    assert tables > 30
