"""Positions in Parquet files, of which only the row groups are read that are asked for."""

from __future__ import annotations

from bisect import bisect_right
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._position_batches import INDEX, NUMBERS_AT_ONCE, TableFile, nulls, readable
from ninthgeom._position_source import MASKS
from ninthgeom._position_units import FIELDS, UnitRowsFile
from ninthgeom.board import Board

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

#: Columns with a row for each unit in a state, and with a row for each state: needed and allowed ones.
_OF_UNITS: Final = ("state", "unit", *FIELDS), ("present",)
_OF_STATES: Final = ("positions",), ("state", *MASKS)
_MAGIC: Final = b"PAR1"
_BUFFER: Final = 1 << 20


class StateRowsFile(TableFile):
    """A Parquet file with a row for each state."""

    def __init__(self, path: Path, board: Board, file: pq.ParquetFile) -> None:
        super().__init__(path, board, file)
        self._lengths = {"positions": 3 * len(board), "present": len(board), "occupied": board.n_models}
        self.n_states = self._first_rows[-1]
        self.masks = tuple(name for name in MASKS if name in self._columns)

    def _chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        n = stop - start
        answer: dict[str, NDArray[Any]] = {"positions": np.empty((n, len(self.board), 3))}
        answer |= {mask: np.empty((n, self._lengths[mask]), np.bool_) for mask in self.masks}
        if n == 0:
            return answer
        if start != self._next_state:
            group = bisect_right(self._first_rows, start) - 1
            self._seek(group, max(1, NUMBERS_AT_ONCE // max(1, sum(self._lengths.values()))))
        self._next_state = -1  # until all went well
        while self._row < stop:
            batch = self._take()
            if batch is None:
                raise ValueError(f"{self.path}: rows must go on to {stop - 1}, got {self._row} of them")
            skipped = min(max(0, start - self._row), batch.num_rows)
            self._row += skipped
            rows = batch.slice(skipped, stop - self._row)
            if "state" in self._columns:
                self._check_state(rows)
            into = slice(self._row - start, self._row - start + rows.num_rows)
            for name, array in answer.items():
                array[into] = self._lists(rows, name).reshape(array[into].shape)
            self._leave(batch.slice(skipped), rows.num_rows)
        self._next_state = stop
        return answer

    def _check_state(self, rows: pa.RecordBatch) -> None:
        wrong = self._states(rows) != np.arange(self._row, self._row + rows.num_rows)
        if wrong.any():
            i = int(np.argmax(wrong))
            found = rows.column("state")[i].as_py()
            raise self._refusal(self._row + i, "state", f"must be the number of the row, got {found}")

    def _lists(self, rows: pa.RecordBatch, name: str) -> NDArray[Any]:
        """Return the lists of a column one after another."""
        import pyarrow as pa
        import pyarrow.compute as pc

        self._check_given(rows, name)
        column: Any = rows.column(name)
        length = self._lengths[name]
        if not pa.types.is_fixed_size_list(column.type):
            lengths = np.asarray(pc.list_value_length(column).to_numpy(zero_copy_only=False))
            if (lengths != length).any():
                i = int(np.argmax(lengths != length))
                raise self._refusal(self._row + i, name, f"must have {length} values, got {lengths[i]}")
        values = column.flatten()
        if values.null_count:
            row, i = divmod(int(np.argmax(nulls(values))), length)
            raise self._refusal(self._row + row, f"{name}[{i}]", "must have a value, got null")
        return np.asarray(values.to_numpy(zero_copy_only=False))


def open_table(path: Path, board: Board) -> UnitRowsFile | StateRowsFile:
    """Open a Parquet file of either form; see `open_positions`."""
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError(f"{path}: Parquet needs pyarrow: install ninthgeom[parquet]") from None
    with path.open("rb") as stream:  # whatever goes wrong after that is damage
        start = stream.read(len(_MAGIC))
    with readable(path):
        if start != _MAGIC:
            raise ValueError(f"it begins with {start!r}")
        file = pq.ParquetFile(path, buffer_size=_BUFFER, pre_buffer=False, page_checksum_verification=True)
    try:
        with readable(path):
            schema = file.schema_arrow
        of_states = "positions" in schema.names
        _check_columns(path, board, schema, *(_OF_STATES if of_states else _OF_UNITS))
        return (StateRowsFile if of_states else UnitRowsFile)(path, board, file)
    except BaseException:
        file.close(force=True)
        raise


def _check_columns(
    path: Path, board: Board, schema: pa.Schema, needed: tuple[str, ...], allowed: tuple[str, ...]
) -> None:
    names = [name for name in schema.names if not name.startswith(INDEX)]
    known = ", ".join(map(repr, (*needed, *allowed)))
    if unknown := [name for name in names if name not in (*needed, *allowed)]:
        raise ValueError(f"{path}: unknown column {unknown[0]!r}; known are {known}")
    if missing := [name for name in needed if name not in names]:
        raise ValueError(f"{path}: there is no column {missing[0]!r}")
    if twice := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"{path}: there are several columns {twice[0]!r}")
    lists = "positions" in needed
    lengths = {"positions": 3 * len(board), "present": len(board), "occupied": board.n_models}
    for name in names:
        kind = schema.field(name).type
        length = lengths.get(name, 0) if lists else 0
        if not _fits(name, kind, lists, length):
            what = {"state": "whole numbers", "unit": "names or whole numbers"}.get(name)
            what = what or ("booleans" if name in MASKS else "real numbers")
            what = f"lists of {length} {what}" if lists and name in lengths else what
            raise TypeError(f"{path}: {name} must hold {what}, got {kind}")


def _fits(name: str, kind: Any, lists: bool, length: int) -> bool:
    """Tell whether a column has the type that one of this name must have."""
    from pyarrow import types

    if name == "state":
        return types.is_integer(kind)
    if name == "unit":
        inner = kind.value_type if types.is_dictionary(kind) else kind
        texts = types.is_string(inner) or types.is_large_string(inner) or types.is_string_view(inner)
        return texts or types.is_integer(kind)
    if lists:
        if types.is_fixed_size_list(kind):
            if kind.list_size != length:
                return False
        elif not (types.is_list(kind) or types.is_large_list(kind)):
            return False
        kind = kind.value_type
    if name in MASKS:
        return types.is_boolean(kind)
    return types.is_integer(kind) or types.is_floating(kind)
