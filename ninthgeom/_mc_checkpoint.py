"""Checkpoints: the finished blocks of a run in one SQLite file that outlives the run."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import numpy as np

from ninthgeom import __version__

#: Stands in the header of the file and tells it from all other SQLite files.
APPLICATION_ID: Final = int.from_bytes(b"9thG")
_TABLES = (
    "CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)",
    "CREATE TABLE blocks (i INTEGER PRIMARY KEY, payload BLOB NOT NULL, digest BLOB NOT NULL)",
)
_IN_USE = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_ERROR, sqlite3.SQLITE_MISMATCH, sqlite3.SQLITE_FORMAT)


class Checkpoint:
    """The finished blocks of one run; made by `open`, closed by ``with`` or `close`.

    A block that `save` has returned from survives the death of the process and of the machine. While it is
    open the file belongs to this process alone: SQLite holds an exclusive lock, which the operating system
    gives back when the process dies, however it dies. On network file systems it is as good as their locks.
    Next to the file there may be its journal, the same name with ``-journal``; SQLite needs it after a crash,
    so whoever moves the file then moves both.

    Examples
    --------
    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     run = {"path": f"{folder}/charges.ckpt", "job": "charges", "n": 30, "seed": 1, "block": 10}
    ...     with Checkpoint.open(**run) as checkpoint:
    ...         checkpoint.save(2, b"third")
    ...     with Checkpoint.open(**run) as checkpoint:
    ...         dict(checkpoint.finished())
    {2: b'third'}
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, blocks: int) -> None:
        self._connection = connection
        self._path = path
        self._blocks = blocks

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], *, job: str, n: int, seed: int | Sequence[int], block: int
    ) -> Self:
        """Open the checkpoint of a run, or begin it where there is no file or an empty one.

        Parameters
        ----------
        path : path-like
            The file. Its folder must be there and allow new files.
        job : str
            What the run computes. The samples themselves cannot be compared, so another question needs
            another name.
        n, block : int
            Samples of the whole run and of a block, at least 1.
        seed : int or sequence of int
            Seed of the run.

        Returns
        -------
        Checkpoint
            With the blocks of all earlier runs, each checked against its digest.

        Raises
        ------
        ValueError
            If the file is no checkpoint, is damaged, or belongs to another job, n, seed, block size or
            version of ninthgeom or NumPy (another version may draw and add otherwise, so that the answer
            would not be that of a run in one piece). The file is not touched then.
        BlockingIOError
            If another run has the file open.
        OSError
            If the folder is missing or the file cannot be read or written.
        """
        place = Path(path).absolute()
        wanted = {
            "job": job,
            "n": int(n),
            "seed": [int(part) for part in seed] if isinstance(seed, Sequence) else int(seed),
            "block": int(block),
            "version": __version__,
            "numpy": np.__version__,
        }
        meta = {key: json.dumps(value, ensure_ascii=False) for key, value in wanted.items()}
        _check_place(place)
        if _has_content(place):
            # This look takes no lock and, as it is told that nothing can change, does not roll back what a
            # crash left of a foreign database. The number stays the same once a checkpoint was begun.
            with contextlib.closing(_connect(place, "immutable=1")) as connection, _plain_errors(place):
                # Without this a file that a crash left shorter than its first page says is not read at all.
                connection.execute("PRAGMA writable_schema = ON")
                if connection.execute("PRAGMA application_id").fetchone() != (APPLICATION_ID,):
                    raise ValueError(f"{place} is no checkpoint")
        connection = _connect(place, "mode=rwc")
        try:
            with _plain_errors(place):
                connection.execute("PRAGMA locking_mode = EXCLUSIVE")
                connection.execute("PRAGMA synchronous = EXTRA")
                connection.execute("BEGIN EXCLUSIVE")  # kept from here until the connection is closed
                if not _has_content(place):
                    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                    for table in _TABLES:
                        connection.execute(table)
                    connection.executemany("INSERT INTO meta VALUES (?, ?)", meta.items())
                    connection.execute("COMMIT")
                else:
                    _check_run(connection, place, meta)
                    # A folder that takes no journal is found now, not when the first block is finished.
                    connection.execute("INSERT INTO blocks VALUES (-1, '', '')")
                    connection.execute("ROLLBACK")
            checkpoint = cls(connection, place, -(-int(n) // int(block)))
            checkpoint._check_blocks()
        except BaseException:
            connection.close()
            raise
        return checkpoint

    def finished(self) -> Mapping[int, bytes]:
        """Return the finished blocks: payload by index, in the order of the indices.

        The indices are those of now; a payload is read when it is asked for, so a run of any length needs the
        memory of one block.
        """
        with _plain_errors(self._path):
            rows = self._connection.execute("SELECT i FROM blocks ORDER BY i")
            return _Finished(self, [index for (index,) in rows])

    def save(self, index: int, payload: bytes) -> None:
        """Keep a finished block; it is safe on the disk when this returns.

        Raises
        ------
        ValueError
            If the run has no such block, or it is there already: nothing is counted twice.
        OSError
            If it cannot be written. What was saved before stays safe.
        """
        if not 0 <= index < self._blocks:
            raise ValueError(f"index must be from 0 to {self._blocks - 1}, got {index}")
        row = (index, payload, _digest(index, payload))
        with _plain_errors(self._path):
            try:
                self._connection.execute("INSERT INTO blocks VALUES (?, ?, ?)", row)
            except sqlite3.IntegrityError:
                raise ValueError(f"{self._path}: block {index} is saved already") from None

    def close(self) -> None:
        """Give the file back; may be called again."""
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _check_blocks(self) -> None:
        """Read every block once: what is damaged is found before hours of work are put on top of it."""
        with _plain_errors(self._path):
            for row in self._connection.execute("SELECT i, payload, digest FROM blocks"):
                self._payload(*row)

    def _load(self, index: int) -> bytes:
        with _plain_errors(self._path):
            row = self._connection.execute("SELECT i, payload, digest FROM blocks WHERE i = ?", (index,))
            return self._payload(*row.fetchone())

    def _payload(self, index: int, payload: object, digest: object) -> bytes:
        if not isinstance(payload, bytes) or digest != _digest(index, payload):
            raise ValueError(f"{self._path} is damaged: block {index} is not what was saved")
        if not 0 <= index < self._blocks:
            raise ValueError(f"{self._path} is damaged: it has a block {index} of {self._blocks}")
        return payload


class _Finished(Mapping[int, bytes]):
    """Payloads that stay in the file until they are asked for."""

    def __init__(self, checkpoint: Checkpoint, indices: Sequence[int]) -> None:
        self._checkpoint = checkpoint
        self._indices = dict.fromkeys(indices)

    def __getitem__(self, index: int) -> bytes:
        if index not in self._indices:
            raise KeyError(index)
        return self._checkpoint._load(index)

    def __contains__(self, index: object) -> bool:
        return index in self._indices

    def __iter__(self) -> Iterator[int]:
        return iter(self._indices)

    def __len__(self) -> int:
        return len(self._indices)


def _digest(index: int, payload: bytes) -> bytes:
    return hashlib.blake2b(b"%d " % index + payload, digest_size=16).digest()


def _check_place(path: Path) -> None:
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder", str(path))
    if path.exists() and not path.is_file():  # a pipe would wait for ever
        raise ValueError(f"{path} is no file")


def _has_content(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _connect(path: Path, how: str) -> sqlite3.Connection:
    # Never opened in any other way: closing a file of one's own gives back the locks of all its connections.
    with _plain_errors(path):
        return sqlite3.connect(f"{path.as_uri()}?{how}", uri=True, timeout=0, isolation_level=None)


def _check_run(connection: sqlite3.Connection, path: Path, meta: Mapping[str, str]) -> None:
    """Raise if the file belongs to another run."""
    held = dict(connection.execute("SELECT key, value FROM meta"))
    if held.keys() != meta.keys():
        raise ValueError(f"{path} is damaged: it does not say which run it belongs to")
    for key, value in meta.items():
        if held[key] != value:
            raise ValueError(
                f"{path} is the checkpoint of another run: {key} is {held[key]} there and {value} here"
            )


@contextlib.contextmanager
def _plain_errors(path: Path) -> Iterator[None]:
    """Turn errors of SQLite into those of Python that tell what to do."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        # Python's own errors, such as about text that is no UTF-8, have no code.
        code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT) & 0xFF
        if code in _IN_USE:
            raise BlockingIOError(f"{path} is in use by another run") from error
        if code == sqlite3.SQLITE_NOTADB:
            raise ValueError(f"{path} is no checkpoint") from error
        if code in _DAMAGED:
            raise ValueError(f"{path} is damaged: {error}") from error
        raise OSError(f"{path} cannot be used: {error}") from error
