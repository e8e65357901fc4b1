"""What every file of positions can do, whatever its kind."""

from __future__ import annotations

import abc
import hashlib
import os
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from numpy.typing import NDArray

from ninthgeom.board import Board

#: Masks that a file may have beside positions.
MASKS: Final = ("present", "occupied")
_READ_AT_ONCE: Final = 1 << 20


class PositionFile(abc.ABC):
    """States of a battle in a file; a context manager.

    Attributes
    ----------
    path : Path
    board : Board
    n_states : int
        Number of states.
    masks : tuple of str
        Which of ``present`` and ``occupied`` the file has.
    """

    def __init__(self, path: Path, board: Board) -> None:
        self.path = path
        self.board = board
        self.n_states = 0
        self.masks: tuple[str, ...] = ()
        self._stamp = _stamp(path)

    def __enter__(self) -> PositionFile:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def bytes_per_state(self) -> int:
        """Bytes of what `chunk` returns for one state."""
        lengths = {"present": len(self.board), "occupied": self.board.n_models}
        return len(self.board) * 3 * 8 + sum(lengths[mask] for mask in self.masks)

    def chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Read the states from `start` to before `stop`.

        Reading goes fastest from one chunk to the next; any other order is right, too.

        Returns
        -------
        dict
            ``positions``, float64 of shape (stop - start, U, 3), and those of ``present``, bool of shape
            (stop - start, U), and ``occupied``, bool of shape (stop - start, M), that the file has. They are
            the caller's own. Values are not checked against a board.

        Raises
        ------
        IndexError
            If there are no such states.
        OSError, ValueError
            If the file cannot be read, is damaged, or is not the one that was opened any more.
        """
        if not 0 <= start <= stop <= self.n_states:
            raise IndexError(f"states must be from 0 to {self.n_states}, got {start} to {stop}")
        if _stamp(self.path) != self._stamp:
            raise ValueError(f"{self.path}: has changed since it was opened")
        return self._chunk(start, stop)

    def digest(self) -> str:
        """Return a digest of the whole file; reads all of it."""
        content = hashlib.blake2b(digest_size=16)
        with self.path.open("rb") as stream:
            while part := stream.read(_READ_AT_ONCE):
                content.update(part)
        return content.hexdigest()

    def close(self) -> None:  # noqa: B027 - most kinds hold nothing open
        """Let go of the file."""

    @abc.abstractmethod
    def _chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Read states that are there."""


def _stamp(path: Path) -> tuple[int, int, int, int]:
    """Return what tells whether a file is still the same."""
    found = os.stat(path)
    return found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns
