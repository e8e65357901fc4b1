"""What tests and examples share that draw: no window is opened, and no picture is left behind."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest

os.environ.setdefault("MPLBACKEND", "Agg")


@pytest.fixture(autouse=True)
def pictures_closed() -> Iterator[None]:
    """Close what was drawn without axes of its own."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")
