"""Folders of Parquet files with a row for each state and pair of units."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Mapping
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as np

from ninthgeom._answer_folder import FolderWriter, sync, sync_folder
from ninthgeom._answer_plan import AnswerPlan, Arrays

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Name of the manifest; readers of data sets leave out what begins with an underscore or a dot.
MANIFEST: Final = "_answers.json"

#: Rows of a row group: what is turned into columns at a time is much less than a chunk of states.
_ROWS: Final = 1 << 17
_PART: Final = re.compile(r"part-(\d{6,})\.parquet")
_UNFINISHED: Final = re.compile(r"\.part-\d{6,}\.parquet\.unfinished")


class TablesWriter(FolderWriter):
    """Writes a part for each commit; see `open_answers` for what stands there.

    A part gets its name when it is whole and on the disk, so a reader finds whole parts only. Row groups are
    cut at the same rows however the states come, so that the bytes depend on the commits alone.
    """

    def __init__(self, path: Path, plan: AnswerPlan, *, resume: bool) -> None:
        _check_plan(path, plan)
        observers, targets = (np.array(plan.names[key], object) for key in ("observers", "targets"))
        self._pairs = np.nonzero(observers[:, None] != targets)
        self._schema = _schema(plan)
        self._part: _Part | None = None
        self._waiting: list[pa.Table] = []
        self._parts = 0
        self._bytes = 0
        super().__init__(path, plan, manifest=MANIFEST, resume=resume)

    def _is_remnant(self, name: str) -> bool:
        return super()._is_remnant(name) or _UNFINISHED.fullmatch(name) is not None

    def _open_files(self, files: Mapping[str, Any]) -> None:
        self._parts, self._bytes = files.get("parts", 0), files.get("bytes", 0)
        if type(self._parts) is not int or type(self._bytes) is not int:
            raise ValueError(f"{self._manifest}: not a readable manifest of answers: files are {files!r}")
        there = {
            int(match[1]): match[0] for name in os.listdir(self.path) if (match := _PART.fullmatch(name))
        }
        for number, name in there.items():
            if number >= self._parts:  # it was never committed
                (self.path / name).unlink()
        for number in range(self._parts):
            if number not in there:
                raise ValueError(f"{self.path}: {_part_name(number)} is missing")
        size = sum((self.path / _part_name(number)).stat().st_size for number in range(self._parts))
        if size != self._bytes:
            raise ValueError(f"{self.path}: what is done must have {self._bytes} bytes, got {size}")
        sync_folder(self.path)

    def _close_files(self) -> None:
        self._waiting = []
        if self._part is not None:
            self._part.drop()
            self._part = None

    def _append(self, dense: Arrays, sparse: Arrays, n: int) -> None:
        # Rows take several times the memory of the arrays that they are made of.
        step = max(1, _ROWS // max(1, len(self._pairs[0])))
        for start in range(0, n, step):
            self._waiting.append(self._table(dense, start, min(start + step, n)))
            self._write_groups(_ROWS)

    def _write_groups(self, least: int) -> None:
        """Write row groups as long as at least so many rows wait."""
        import pyarrow as pa

        if sum(table.num_rows for table in self._waiting) < least:
            return
        rows = pa.concat_tables([self._schema.empty_table(), *self._waiting])
        part = self._opened_part()
        while rows.num_rows >= least and rows.num_rows:
            part.writer.write_table(rows.slice(0, _ROWS).combine_chunks(), row_group_size=_ROWS)
            rows = rows.slice(_ROWS)
        # A slice would hold on to all of it.
        self._waiting = [pa.table(rows.combine_chunks())] if rows.num_rows else []

    def _table(self, dense: Arrays, start: int, stop: int) -> pa.Table:
        import pyarrow as pa

        first, second = self._pairs
        n = stop - start
        columns: dict[str, Any] = {
            "state": np.repeat(np.arange(self.written + start, self.written + stop), len(first))
        }
        for key, places in (("observer", first), ("target", second)):
            indices = np.tile(places.astype(np.int32), n)
            names = pa.array(list(self.plan.names[f"{key}s"]), pa.string())
            columns[key] = pa.DictionaryArray.from_arrays(indices, names)
        for name in self.plan.fields:
            columns[name] = dense[name][start:stop, first, second].reshape(-1)
        return pa.table(columns, schema=self._schema)

    def _opened_part(self) -> _Part:
        if self._part is None:
            self._part = _Part(self.path, self._parts, self._schema)
        return self._part

    def _sync_files(self, *, complete: bool) -> Mapping[str, Any]:
        self._write_groups(1)
        if complete and self._parts == 0:
            self._opened_part()  # a data set without rows has columns, too
        if self._part is not None:
            self._bytes += self._part.finish()
            self._parts += 1
            self._part = None
            sync_folder(self.path)
        return {"parts": self._parts, "bytes": self._bytes}


class _Part:
    """A Parquet file that has its name only when it is whole."""

    def __init__(self, folder: Path, number: int, schema: pa.Schema) -> None:
        import pyarrow.parquet as pq

        self.path = folder / _part_name(number)
        self._unfinished = folder / f".{self.path.name}.unfinished"
        self._stream: IO[bytes] = self._unfinished.open("xb")
        # Distances hardly repeat: a dictionary of them is built in vain.
        repeated = [name for name in schema.names if name != "distance"]
        self.writer: pq.ParquetWriter = pq.ParquetWriter(
            self._stream,
            schema,
            use_dictionary=repeated,  # type: ignore[arg-type]  # the stubs know of no names
            write_page_checksum=True,
        )

    def finish(self) -> int:
        """Give the file its name once it is on the disk, and return its size."""
        self.writer.close()
        sync(self._stream)
        size = self._stream.tell()
        self._stream.close()
        self._unfinished.replace(self.path)
        return size

    def drop(self) -> None:
        """Take the file away, whatever state it is in."""
        for step in (self.writer.close, self._stream.close, self._unfinished.unlink):
            with contextlib.suppress(Exception):
                step()


def _part_name(number: int) -> str:
    return f"part-{number:06}.parquet"


def _schema(plan: AnswerPlan) -> pa.Schema:
    import pyarrow as pa

    text = pa.dictionary(pa.int32(), pa.string())
    columns: dict[str, pa.DataType] = {"state": pa.int64(), "observer": text, "target": text}
    columns |= {name: pa.from_numpy_dtype(np.dtype(dtype)) for name, (dtype, _) in plan.fields.items()}
    return pa.schema(list(columns.items()))


def _check_plan(path: Path, plan: AnswerPlan) -> None:
    try:
        import pyarrow as _  # noqa: F401
    except ImportError:
        raise ImportError(f"{path}: Parquet needs pyarrow: install ninthgeom[parquet]") from None
    shape = tuple(len(plan.names.get(key, ())) for key in ("observers", "targets"))
    other = [name for name, (_, own) in plan.fields.items() if tuple(own) != shape]
    if other := [*other, *plan.rows]:
        raise ValueError(
            f"{path}: a Parquet file has rows of pairs of units, and cannot hold {', '.join(other)}; "
            "a folder (a path without extension) can"
        )
