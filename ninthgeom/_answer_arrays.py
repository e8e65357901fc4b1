"""Folders of answers with a .npy file for each array, which grow along the axis of states."""

from __future__ import annotations

import io
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._answer_folder import FolderWriter, sync, sync_folder
from ninthgeom._answer_plan import AnswerPlan, Arrays

#: Name of the manifest.
MANIFEST: Final = "answers.json"


class ArraysWriter(FolderWriter):
    """Appends to the .npy files of a folder; see `open_answers` for what stands there.

    The header of such a file has room for any number of states, so that only a few bytes change when the file
    grows. They are written after what they tell of is on the disk, so every file can be read at all times: it
    has the states of the last commit, or already those of the one that is being made. (Arrays without an axis
    of states can be read from their only commit on.)
    """

    def __init__(self, path: Path, plan: AnswerPlan, *, resume: bool) -> None:
        self._arrays: dict[str, _Array] = {}
        super().__init__(path, plan, manifest=MANIFEST, resume=resume)

    def _open_files(self, files: Mapping[str, Any]) -> None:
        plan = self.plan
        for name, (dtype, shape) in plan.fields.items():
            # A single state without an axis of states counts as an axis of its own.
            single = plan.n_states is None
            self._arrays[name] = _Array.open(self.path, name, np.dtype(dtype), shape, self.done, single)
        for name, dtype in plan.rows.items():
            length = files.get(name, 0)
            if type(length) is not int or length < 0:
                raise ValueError(f"{self._manifest}: the length of {name} is {length!r}")
            self._arrays[name] = _Array.open(self.path, name, np.dtype(dtype), (), length, False)
        sync_folder(self.path)

    def _close_files(self) -> None:
        for array in self._arrays.values():
            array.stream.close()

    def _append(self, dense: Arrays, sparse: Arrays, n: int) -> None:
        for name, array in (*dense.items(), *sparse.items()):
            self._arrays[name].append(array)

    def _sync_files(self, *, complete: bool) -> Mapping[str, Any]:
        for array in self._arrays.values():
            sync(array.stream)
        for array in self._arrays.values():
            array.write_header()
            if complete:  # until then the manifest tells more, and the next run writes headers anew
                sync(array.stream)
        return {name: self._arrays[name].length for name in self.plan.rows}


@dataclass
class _Array:
    """A .npy file that grows along its first axis."""

    stream: IO[bytes]
    dtype: np.dtype[Any]
    shape: tuple[int, ...]
    length: int
    single: bool

    @classmethod
    def open(
        cls, folder: Path, name: str, dtype: np.dtype[Any], shape: tuple[int, ...], length: int, single: bool
    ) -> _Array:
        """Open a file that holds `length` entries, made where that is none, and cut off what is beyond."""
        path = folder / f"{name}.npy"
        number = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        # Without a buffer: what is written is in the file, and nothing follows when it is closed.
        stream = io.FileIO(number, "r+")
        array = cls(stream, dtype, tuple(shape), length, single)
        try:
            header = array.header()
            size = len(header) + length * array.entry_bytes
            if length:
                array.check_header(path)
                if (there := os.fstat(number).st_size) < size:
                    raise ValueError(f"{path}: must have at least {size} bytes for what is done, got {there}")
            array.write_header()
            stream.truncate(size)
            stream.seek(size)
        except BaseException:
            stream.close()
            raise
        return array

    @property
    def entry_bytes(self) -> int:
        """Bytes of one entry of the first axis."""
        return self.dtype.itemsize * int(np.prod(self.shape, dtype=np.int64))

    def header(self) -> bytes:
        """Return the bytes in front of the data; as many for any length."""
        shape = self.shape if self.single else (self.length, *self.shape)
        content = io.BytesIO()
        descr = np.lib.format.dtype_to_descr(self.dtype)
        entries = {"descr": descr, "fortran_order": False, "shape": shape}
        np.lib.format.write_array_header_1_0(content, entries)
        return content.getvalue()

    def check_header(self, path: Path) -> None:
        """Raise unless the file has the header of an array like this, of any length."""
        self.stream.seek(0)
        start = io.BytesIO(self.stream.read(len(self.header())))
        try:
            np.lib.format.read_magic(start)
            shape, fortran, dtype = np.lib.format.read_array_header_1_0(start)
        except ValueError as error:
            raise ValueError(f"{path}: not a readable .npy file: {error}") from None
        own = shape if self.single else shape[1:]
        if own != self.shape or fortran or dtype != self.dtype:
            raise ValueError(
                f"{path}: a state must have {self.dtype} of shape {self.shape}, got {dtype} of shape {own}"
            )

    def write_header(self) -> None:
        """Write how many entries there are."""
        position = self.stream.tell()
        self.stream.seek(0)
        _write_all(self.stream, memoryview(self.header()))
        self.stream.seek(position)

    def append(self, array: NDArray[Any]) -> None:
        """Write further entries behind the data."""
        content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
        _write_all(self.stream, content.data)
        self.length += len(array)


def _write_all(stream: IO[bytes], content: memoryview) -> None:
    """Write all bytes: a file without a buffer may take only some of them at once."""
    while content:
        content = content[stream.write(content) :]
