"""Rows of Parquet files of positions, batch by batch."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._position_source import PositionFile
from ninthgeom.board import Board

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Rows are decoded so that about this many numbers are in memory beside the chunk that is read.
NUMBERS_AT_ONCE: Final = 1 << 18
#: pandas keeps an index under such a name where it has no other one.
INDEX: Final = "__index_level_"


class TableFile(PositionFile):
    """What both forms share: batches of rows one after another, from any row group on."""

    def __init__(self, path: Path, board: Board, file: pq.ParquetFile) -> None:
        super().__init__(path, board)
        self._file = file
        with readable(path):
            counts = [file.metadata.row_group(i).num_rows for i in range(file.num_row_groups)]
        # Row groups without rows tell nothing.
        self._groups = [i for i, count in enumerate(counts) if count]
        self._first_rows = list(accumulate((counts[i] for i in self._groups), initial=0))
        self._columns = [name for name in file.schema_arrow.names if not name.startswith(INDEX)]
        self._batches: Iterator[pa.RecordBatch] = iter(())
        self._waiting: pa.RecordBatch | None = None
        self._row = 0
        self._next_state = -1

    def close(self) -> None:
        """Close the file."""
        self._batches, self._waiting, self._next_state = iter(()), None, -1
        self._file.close(force=True)

    def _seek(self, group: int, batch_rows: int) -> None:
        """Go to the first row of one of the row groups that have rows."""
        self._waiting = None
        self._row = self._first_rows[group]
        self._batches = self._batches_from(group, batch_rows)

    def _batches_from(self, group: int, batch_rows: int) -> Iterator[pa.RecordBatch]:
        # One row group after another: a batch of several would read more than is asked for.
        for i in self._groups[group:]:
            yield from self._file.iter_batches(
                batch_rows, row_groups=[i], columns=self._columns, use_threads=False
            )

    def _take(self) -> pa.RecordBatch | None:
        """Return the next rows, `_row` being the number of the first one; None at the end."""
        batch, self._waiting = self._waiting, None
        while batch is None or not batch.num_rows:
            with readable(self.path):
                batch = next(self._batches, None)
            if batch is None:
                return None
        return batch

    def _leave(self, batch: pa.RecordBatch, taken: int) -> None:
        """Keep what follows the first rows of a batch for the next time."""
        self._row += taken
        self._waiting = batch.slice(taken) if taken < batch.num_rows else None

    def _refusal(self, row: int, name: str, problem: str, state: int | None = None) -> ValueError:
        place = f"row {row}" if state is None else f"row {row}, state {state}"
        return ValueError(f"{self.path}: {place}: {name} {problem}")

    def _check_given(self, batch: pa.RecordBatch, name: str) -> None:
        column = batch.column(name)
        if column.null_count:
            row = self._row + int(np.argmax(nulls(column)))
            raise self._refusal(row, name, "must have a value, got null")

    def _flags(self, batch: pa.RecordBatch, name: str) -> NDArray[np.bool_]:
        self._check_given(batch, name)
        return np.asarray(batch.column(name).to_numpy(zero_copy_only=False), np.bool_)

    def _states(self, batch: pa.RecordBatch) -> NDArray[np.int64]:
        self._check_given(batch, "state")
        return np.asarray(batch.column("state").to_numpy(zero_copy_only=False)).astype(np.int64)


def nulls(column: pa.Array[Any]) -> NDArray[np.bool_]:
    """Return where a column has no value."""
    return np.asarray(column.is_null().to_numpy(zero_copy_only=False), np.bool_)


@contextlib.contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn what pyarrow says of a damaged file into one line."""
    try:
        yield
    except OSError as error:
        if error.errno is not None:  # the file itself cannot be read
            raise
        raise _damage(path, error) from None
    except Exception as error:  # its errors have many types
        raise _damage(path, error) from None


def _damage(path: Path, error: Exception) -> ValueError:
    return ValueError(f"{path}: not a readable .parquet file: {' '.join(str(error).split())}")
