"""What pytest-benchmark's JSON says of the machine, with the versions that matter here."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import pytest
import shapely

import ninthgeom
from benchmarks import ratio

PACKAGES = ("numba", "llvmlite", "numpy", "scipy", "shapely", "pymunk")


def versions() -> dict[str, str]:
    """Name and version of all that takes part in a measurement."""
    found = {"ninthgeom": ninthgeom.__version__, "Python": platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:  # pymunk may be missing; its benchmarks are skipped then
            continue
    found["GEOS"] = shapely.geos_version_string
    return found


def pytest_benchmark_update_machine_info(config: Any, machine_info: dict[str, Any]) -> None:
    machine_info["versions"] = versions()
    machine_info["cores"] = len(os.sched_getaffinity(0))
    del machine_info["node"]  # the name of a host is nobody's business


@pytest.fixture(autouse=True)
def brief_where_nothing_is_measured(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """As mere tests benchmarks run to see that they still do; calls repeated for the clock tell no more."""
    if not request.config.getoption("benchmark_enable"):
        monkeypatch.setattr(ratio, "is_brief", True)
