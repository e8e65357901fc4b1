"""How much memory there is for what is held as a whole."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import Final

_GROUPS_OF_PROCESS: Final = Path("/proc/self/cgroup")
_GROUPS: Final = Path("/sys/fs/cgroup")
_UNITS: Final = (1 << 40, "TB"), (1 << 30, "GB"), (1 << 20, "MB"), (1 << 10, "kB")


def available_memory() -> int | None:
    """Return the bytes that this process could still fill, None where the system does not tell.

    That is what the system says can be used without swapping, or what the control groups of the process
    leave of it, as they do in containers.
    """
    known = [value for value in (_of_system(), *_of_groups()) if value is not None]
    return max(0, min(known)) if known else None


def check_fits(needed: int, what: str, advice: str) -> None:
    """Raise if that many bytes do not fit into the memory that is available.

    Raises
    ------
    ValueError
        With both sizes and the advice.
    """
    available = available_memory()
    if available is not None and needed > available:
        raise ValueError(
            f"{what} take {size_text(needed)} of memory, and {size_text(available)} are available; {advice}"
        )


def size_text(n_bytes: int) -> str:
    """Write a size for people.

    Examples
    --------
    >>> size_text(3 << 29), size_text(1000)
    ('1.5 GB', '1000 bytes')
    """
    for unit, name in _UNITS:
        if n_bytes >= unit:
            return f"{n_bytes / unit:.1f} {name}"
    return f"{n_bytes} bytes"


def _of_system() -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    with contextlib.suppress(OSError, ValueError):
        return os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return None


def _of_groups() -> list[int | None]:
    """Return what each control group of this process leaves, in both versions of them."""
    try:
        lines = _GROUPS_OF_PROCESS.read_text().splitlines()
    except OSError:
        return []
    left: list[int | None] = []
    for line in lines:
        _, controllers, group = line.split(":", 2)
        if controllers == "":
            root, names = _GROUPS, ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            root = _GROUPS / "memory"
            names = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        # A limit holds for all groups below it; in a container the path may be that of the host.
        own = root / group.lstrip("/")
        left += [_of_group(folder, *names) for folder in (own, *own.parents) if folder.is_relative_to(root)]
    return left


def _of_group(folder: Path, limit: str, used: str, cached: str) -> int | None:
    try:
        most, now = int((folder / limit).read_text()), int((folder / used).read_text())
        # Pages of files count as used, and are given up when there is need.
        for line in (folder / "memory.stat").read_text().splitlines():
            name, _, value = line.partition(" ")
            if name == cached:
                now -= int(value)
        return most - now
    except (OSError, ValueError):  # no such group here, or "max"
        return None
