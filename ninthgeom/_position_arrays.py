"""Positions in files of NumPy: .npy, of which only what is asked for is read, and .npz."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ninthgeom._memory import check_fits
from ninthgeom._position_source import MASKS, PositionFile
from ninthgeom._states import checked_mask, leading_axes
from ninthgeom.board import Board


class ArrayFile(PositionFile):
    """An .npy file with an array of shape (n, U, 3) in any order of its axes in memory.

    It is mapped anew for each chunk: pages of a file that stays mapped count as memory of the process.
    """

    def __init__(self, path: Path, board: Board) -> None:
        super().__init__(path, board)
        array = self._mapped()
        _check_positions(path, array, board)
        self.n_states = len(array)

    def _chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        return {"positions": np.array(self._mapped()[start:stop], np.float64, order="C", subok=False)}

    def _mapped(self) -> NDArray[Any]:
        try:
            loaded = np.load(self.path, mmap_mode="r", allow_pickle=False)
        except OSError:  # the file itself cannot be read
            raise
        except Exception as error:  # what damaged bytes make of parsers is endless
            raise ValueError(f"{self.path}: not a readable .npy file: {error}") from None
        if not isinstance(loaded, np.ndarray):
            loaded.close()
            raise ValueError(f"{self.path}: not a readable .npy file: it is an archive, as .npz files are")
        return loaded


class ArchiveFile(PositionFile):
    """An .npz file with an array ``positions`` and perhaps masks, loaded as a whole."""

    def __init__(self, path: Path, board: Board) -> None:
        super().__init__(path, board)
        arrays = load_archive(path)
        positions = arrays.pop("positions")
        _check_positions(path, positions, board)
        try:
            lengths = {"present": (len(board), "units"), "occupied": (board.n_models, "model slots")}
            masks = {name: checked_mask(array, name, *lengths[name]) for name, array in arrays.items()}
            axes = {name: mask.shape[:-1] for name, mask in masks.items() if mask is not None}
            leading = leading_axes(positions.shape[:1], axes)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{path}: {error}") from None
        if len(leading) != 1:
            raise ValueError(
                f"{path}: masks must have one axis of states at most, got leading axes {leading}"
            )
        self.n_states = leading[0]
        self.masks = tuple(name for name in MASKS if name in masks)
        # One state of positions or of a mask serves all of them.
        self._arrays = {
            name: np.broadcast_to(array, (self.n_states, *array.shape[array.ndim - core :]))
            for name, array, core in (("positions", positions, 2), *((n, arrays[n], 1) for n in self.masks))
        }

    def _chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        types = {"positions": np.float64, "present": np.bool_, "occupied": np.bool_}
        return {
            name: np.array(array[start:stop], types[name], order="C") for name, array in self._arrays.items()
        }


def load_archive(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of an .npz file: ``positions``, and those masks that it has.

    Raises
    ------
    OSError
        If it cannot be opened.
    ValueError
        If it is damaged, has other arrays, or does not fit into memory.
    """
    try:
        with path.open("rb") as stream:
            with zipfile.ZipFile(stream) as archive:
                sizes = {info.filename.removesuffix(".npy"): info.file_size for info in archive.infolist()}
            _check_members(path, sizes)
            stream.seek(0)
            with np.load(stream, allow_pickle=False) as loaded:
                return {str(name): loaded[name] for name in loaded.files}
    except (OSError, _RefusedError):
        raise
    except Exception as error:  # what damaged bytes make of the parsers of NumPy, zipfile and zlib is endless
        raise ValueError(f"{path}: not a readable .npz file: {error}") from None


class _RefusedError(ValueError):
    """A file that is whole, and cannot be used."""


def _check_members(path: Path, sizes: dict[str, int]) -> None:
    if unknown := sorted(set(sizes) - {"positions", *MASKS}):
        raise _RefusedError(
            f"{path}: unknown array {unknown[0]!r}; known are 'positions', 'present' and 'occupied'"
        )
    if "positions" not in sizes:
        raise _RefusedError(f"{path}: there is no array 'positions'")
    try:
        check_fits(sum(sizes.values()), f"{path}: its arrays", "a .npy or .parquet file is read in parts")
    except ValueError as error:
        raise _RefusedError(str(error)) from None


def _check_positions(path: Path, array: NDArray[Any], board: Board) -> None:
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{path}: positions must hold real numbers, got dtype {array.dtype}")
    n = len(board)
    if array.ndim != 3 or array.shape[1:] != (n, 3):
        raise ValueError(
            f"{path}: positions must have shape (n, {n}, 3) for a board of {n} units, got {array.shape}"
        )
