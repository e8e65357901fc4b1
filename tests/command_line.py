"""The command in tests: run it, and read what it prints."""

import contextlib
import os
import re

from click.testing import CliRunner

from ninthgeom.cli import main


def run(*arguments):
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def ok(*arguments):
    result = run(*arguments)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return result.stdout


def refused(*arguments):
    """Run, expect one line on stderr and exit code 2, and return the line."""
    result = run(*arguments)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert isinstance(result.exception, SystemExit)
    lines = result.stderr.splitlines()
    assert len(lines) == 1, result.stderr
    return lines[0]


def cells(output):
    """Rows of the table in an output, as lists of cells."""
    return [re.split(r" {2,}", line.strip()) for line in output.splitlines() if line.strip()]


@contextlib.contextmanager
def piped(path):
    """The path of a pipe that gives the bytes of a small file once, as ``<(...)`` of a shell does."""
    ours, others = os.pipe()
    try:
        os.write(others, path.read_bytes())
        os.close(others)
        yield f"/dev/fd/{ours}"
    finally:
        os.close(ours)
