"""What tests and examples share that draw: no window is opened, and no picture is left behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")
# It points to this working tree, also for processes that are started: tests choose what they import.
collect_ignore = ["docs/conf.py"]


@pytest.fixture(autouse=True)
def pictures_closed() -> Iterator[None]:
    """Close what was drawn without axes of its own."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
