"""A folder of answers that grows: its lock, its manifest, and what is checked before it is continued."""

from __future__ import annotations

import abc
import contextlib
import errno
import fcntl
import json
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import IO, Any, Final

from ninthgeom._answer_plan import AnswerPlan, AnswerWriter
from ninthgeom._atomic import replacing
from ninthgeom._scene_json import encoded

#: What the manifest says of itself.
FORMAT: Final = "ninthgeom answers"
FORMAT_VERSION: Final = 1

_LOCK: Final = ".lock"
_LONGEST_VALUE: Final = 80


class FolderWriter(AnswerWriter):
    """What all folders of answers share.

    A commit first makes the files safe and then puts a new manifest in the place of the old one, which says
    how far they count. Whatever they hold beyond it was never committed, and the next run takes it away.

    Parameters
    ----------
    path : Path
        The folder; it is made where it is missing.
    plan : AnswerPlan
    manifest : str
        Name of the manifest.
    resume : bool
        Continue what is there.

    Raises
    ------
    BlockingIOError
        If another process writes there.
    FileExistsError
        If there is something already and `resume` is False.
    ValueError
        If what is there cannot be continued; the message says what differs.
    """

    resumable = True

    def __init__(self, path: Path, plan: AnswerPlan, *, manifest: str, resume: bool) -> None:
        super().__init__(plan)
        self.path = path
        self._manifest = path / manifest
        self._described = json.loads(_as_json(plan.described(), "identity"))
        with contextlib.suppress(FileExistsError):
            path.mkdir()
            sync_folder(path.parent)
        if not path.is_dir():
            raise NotADirectoryError(f"{path}: not a folder")
        self._lock: IO[bytes] | None = lock(path / _LOCK)
        try:
            self._open(resume)
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Let go of the files and of the lock."""
        try:
            self._close_files()
        finally:
            if self._lock is not None:
                # While it is held: whoever opened it meanwhile sees that it is gone, and makes a new one.
                with contextlib.suppress(OSError):
                    (self.path / _LOCK).unlink()
                self._lock.close()
                self._lock = None

    def _open(self, resume: bool) -> None:
        for name in os.listdir(self.path):
            if self._is_remnant(name):
                (self.path / name).unlink()
        there = sorted(set(os.listdir(self.path)) - {_LOCK})
        if there and not resume:
            raise FileExistsError(f"{self.path}: not empty; --resume continues the answers that are there")
        if there and self._manifest.name not in there:
            raise FileExistsError(
                f"{self.path}: holds {there[0]!r}, but no {self._manifest.name} to continue"
            )
        if not there:
            self._write_manifest(0, {}, None, complete=False)
        found = self._read_manifest()
        self.done = self.written = found["done"]
        self.carried = found["carried"]
        self.complete = found["complete"]
        if self.complete:
            return
        self._open_files(found["files"])

    def _is_remnant(self, name: str) -> bool:
        """Tell whether a file is half of a manifest that a process left behind when it died."""
        return re.fullmatch(rf"\.{re.escape(self._manifest.name)}\.[0-9a-f]+\.part", name) is not None

    @abc.abstractmethod
    def _open_files(self, files: Mapping[str, Any]) -> None:
        """Take away what goes beyond the manifest, and get ready to write on."""

    @abc.abstractmethod
    def _close_files(self) -> None:
        """Let go of them; may be called more than once, and before they were opened."""

    @abc.abstractmethod
    def _sync_files(self, *, complete: bool) -> Mapping[str, Any]:
        """Make the files safe and return what the manifest is to say of them."""

    def _commit(self, carried: object, *, complete: bool) -> None:
        files = self._sync_files(complete=complete)
        try:
            self._write_manifest(self.written, files, carried, complete=complete)
            self.done = self.written
        except KeyboardInterrupt:  # perhaps when the new manifest was there already
            self.done = self._read_manifest()["done"]
            raise
        self.carried = carried

    def _write_manifest(
        self, done: int, files: Mapping[str, Any], carried: object, *, complete: bool
    ) -> None:
        content = {
            "format": FORMAT,
            "format_version": FORMAT_VERSION,
            **self._described,
            "done": done,
            "complete": complete,
            "files": dict(files),
            "carried": carried,
        }
        text = _as_json(content, "carried")
        with replacing(self._manifest) as stream:
            stream.write(encoded(text))
            sync(stream)
        sync_folder(self.path)

    def _read_manifest(self) -> dict[str, Any]:
        try:
            found = json.loads(self._manifest.read_bytes())
            if found["format"] != FORMAT or found["format_version"] != FORMAT_VERSION:
                raise ValueError(f"{found['format']!r} of version {found['format_version']!r}")
            kinds = {"done": int, "complete": bool, "files": dict, "carried": type(found["carried"])}
            for key, kind in kinds.items():
                if type(found[key]) is not kind:
                    raise ValueError(f"{key} is {found[key]!r}")
            if not 0 <= found["done"] <= self.plan.total and not self._differences(found):
                raise ValueError(f"done is {found['done']!r} of {self.plan.total}")
        except (ValueError, KeyError, TypeError) as error:
            what = f"there is no {error}" if isinstance(error, KeyError) else error
            raise ValueError(f"{self._manifest}: not a readable manifest of answers: {what}") from None
        if different := self._differences(found):
            place, old, new = different[0]
            place = place.removeprefix("identity.")
            more = f" (and {len(different) - 1} more)" if len(different) > 1 else ""
            raise ValueError(
                f"{self.path}: cannot be continued: {place} was {_short(old)} and is now {_short(new)}{more}"
            )
        return dict(found)

    def _differences(self, found: Mapping[str, Any]) -> list[tuple[str, Any, Any]]:
        old = {key: found.get(key, _MISSING) for key in self._described}
        return list(differences("", old, self._described))


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


_MISSING: Final = _Missing()


def differences(place: str, old: object, new: object) -> Iterator[tuple[str, Any, Any]]:
    """Walk over what two JSON values do not have in common: the place, the old and the new value.

    Examples
    --------
    >>> list(differences("", {"seed": 1, "rules": ["a"]}, {"seed": 2, "rules": ["a"]}))
    [('seed', 1, 2)]
    """
    if isinstance(old, dict) and isinstance(new, dict):
        for key in [*new, *(key for key in old if key not in new)]:
            inner = f"{place}.{key}" if place else str(key)
            yield from differences(inner, old.get(key, _MISSING), new.get(key, _MISSING))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for i, (one, other) in enumerate(zip(old, new, strict=True)):
            yield from differences(f"{place}[{i}]", one, other)
    elif type(old) is not type(new) or old != new:
        yield place, old, new


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 3]}..."


def _as_json(content: object, what: str) -> str:
    try:
        return json.dumps(content, ensure_ascii=False, allow_nan=False, indent=1) + "\n"
    except (TypeError, ValueError) as error:
        raise type(error)(f"{what} must be what JSON can hold: {error}") from None


def lock(path: Path) -> IO[bytes]:
    """Lock a file until it is closed, or the process dies.

    Raises
    ------
    BlockingIOError
        If another process has locked it.
    """
    while True:
        stream = path.open("ab")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever held it may have taken it away in between.
            with contextlib.suppress(FileNotFoundError):
                if os.path.samestat(os.fstat(stream.fileno()), path.stat()):
                    return stream
        except BlockingIOError:
            stream.close()
            raise BlockingIOError(f"{path.parent}: another run writes there at this time") from None
        except BaseException:
            stream.close()
            raise
        stream.close()


def sync(stream: IO[bytes]) -> None:
    """Wait until what was written to a file is on the disk."""
    stream.flush()
    os.fsync(stream.fileno())


def sync_folder(path: Path) -> None:
    """Wait until the names of the files of a folder are on the disk."""
    number = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(number)
    except OSError as error:
        if error.errno != errno.EINVAL:  # a file system that knows no such thing
            raise
    finally:
        os.close(number)
