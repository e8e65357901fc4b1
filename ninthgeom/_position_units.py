"""Parquet files of positions with a row for each unit in a state."""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._position_batches import NUMBERS_AT_ONCE, TableFile, nulls, readable
from ninthgeom.board import Board

if TYPE_CHECKING:
    import pyarrow as pa
    import pyarrow.parquet as pq

FIELDS: Final = ("x", "y", "heading")


class UnitRowsFile(TableFile):
    """A Parquet file with a row for each unit in a state."""

    def __init__(self, path: Path, board: Board, file: pq.ParquetFile) -> None:
        super().__init__(path, board, file)
        self._before = -1  # the state of the row before `_row`
        self._index = {name: i for i, name in enumerate(board.names)}
        with readable(path):
            ranges = [self._range_of(group) for group in self._groups]
        self._check_ranges(ranges)
        self._last_states = [last for _, last in ranges]
        #: Where row groups begin: number of the row -> state.
        self._begins = dict(zip(self._first_rows, (first for first, _ in ranges), strict=False))
        self.n_states = self._last_states[-1] + 1 if ranges else 0
        whole = self._first_rows[-1] == self.n_states * len(board)
        if "present" in self._columns or not whole:
            self.masks = ("present",)

    def _range_of(self, group: int) -> tuple[int, int]:
        """Return the least and the largest state of a row group."""
        metadata = self._file.metadata.row_group(group)
        for i in range(metadata.num_columns):
            column = metadata.column(i)
            if column.path_in_schema != "state":
                continue
            kind = self._file.schema.column(i).physical_type
            if column.physical_type != kind:  # pyarrow would end the process
                raise ValueError(f"state is {kind} in the schema and {column.physical_type} in a row group")
            known = column.statistics
            if known is not None and known.min is not None and known.max is not None:
                return int(known.min), int(known.max)
        batches = self._file.iter_batches(
            NUMBERS_AT_ONCE, row_groups=[group], columns=["state"], use_threads=False
        )
        ends = []
        for batch in batches:
            states = np.asarray(batch.column(0).drop_null().to_numpy(zero_copy_only=False))
            if len(states):
                ends += [int(states.min()), int(states.max())]
        return (min(ends), max(ends)) if ends else (0, 0)

    def _check_ranges(self, ranges: list[tuple[int, int]]) -> None:
        """Raise where states cannot follow one another without holes; inside of groups that is seen later."""
        if ranges and ranges[0][0] != 0:
            raise self._refusal(0, "state", f"must be 0 at first, got {ranges[0][0]}")
        for row, ((_, before), (first, _)) in zip(self._first_rows[1:], pairwise(ranges), strict=False):
            if first not in (before, before + 1):
                raise self._refusal(row, "state", f"must be {before} or {before + 1}, got {first}")
        for (row, following), (first, last) in zip(pairwise(self._first_rows), ranges, strict=True):
            if last - first >= following - row:
                raise self._refusal(row, "state", f"must be without holes, got {first} to {last}")

    def _chunk(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        n = len(self.board)
        positions = np.zeros((stop - start, n, 3))
        here = np.zeros((stop - start, n), np.bool_)
        there = np.zeros((stop - start, n), np.bool_)  # whether there is a row at all
        if start < stop:
            if start != self._next_state:
                group = bisect_left(self._last_states, start)
                self._seek(group, NUMBERS_AT_ONCE // 4)
                self._before = self._last_states[group - 1] if group else -1
            self._next_state = -1  # until all went well
            self._fill(start, stop, positions, here, there)
            self._next_state = stop
        if "present" not in self.masks and not there.all():
            state, unit = np.argwhere(~there)[0].tolist()
            name = self.board.names[unit]
            raise ValueError(f"{self.path}: state {start + state}: there is no row of unit {name!r}")
        return {"positions": positions} | ({"present": here} if self.masks else {})

    def _fill(
        self,
        start: int,
        stop: int,
        positions: NDArray[np.float64],
        here: NDArray[np.bool_],
        there: NDArray[np.bool_],
    ) -> None:
        filled = 0
        while (batch := self._take()) is not None:
            state = self._states(batch)
            self._check_order(state)
            low, high = np.searchsorted(state, (start, stop)).tolist()
            last = int(state[high - 1])
            self._row += low
            rows, state = batch.slice(low, high - low), state[low:high]
            unit = self._units(rows, state)
            new = (state - start) * len(self.board) + unit
            filled += len(new)
            flat = there.reshape(-1)
            twice = flat[new]
            flat[new] = True
            if np.count_nonzero(flat) != filled:
                twice[np.setdiff1d(np.arange(len(new)), np.unique(new, return_index=True)[1])] = True
                i = int(np.argmax(twice))
                name = self.board.names[unit[i]]
                raise self._refusal(
                    self._row + i, "unit", f"must be there once, got {name!r} again", state[i]
                )
            present = self._flags(rows, "present") if "present" in self._columns else np.True_
            here[state - start, unit] = present
            for i, field in enumerate(FIELDS):
                positions[state - start, unit, i] = self._numbers(rows, field, state, present)
            if high:
                self._before = last
            self._leave(batch.slice(low), high - low)
            if high < batch.num_rows or self._begins.get(self._row, -1) >= stop:
                break
        if self._before != stop - 1:
            raise ValueError(f"{self.path}: states must go on to {stop - 1}, got {self._before} at last")

    def _check_order(self, state: NDArray[np.int64]) -> None:
        step = np.diff(state, prepend=self._before)
        if ((step != 0) & (step != 1)).any():
            i = int(np.argmax((step != 0) & (step != 1)))
            before = int(state[i] - step[i])
            wish = f"must be {before} or {before + 1}" if before >= 0 else "must be 0 at first"
            raise self._refusal(self._row + i, "state", f"{wish}, got {state[i]}")
        if self._row == 0 and len(state) and state[0] != 0:
            raise self._refusal(0, "state", f"must be 0 at first, got {state[0]}")

    def _units(self, rows: pa.RecordBatch, state: NDArray[np.int64]) -> NDArray[np.int64]:
        import pyarrow as pa

        self._check_given(rows, "unit")
        column: Any = rows.column("unit")
        if pa.types.is_integer(column.type):
            unit = np.asarray(column.to_numpy(zero_copy_only=False))
            bad = (unit < 0) | (unit >= len(self.board))
            if bad.any():
                i = int(np.argmax(bad))
                wish = f"must be from 0 to {len(self.board) - 1}"
                raise self._refusal(self._row + i, "unit", f"{wish}, got {unit[i]}", state[i])
            return unit.astype(np.int64)
        if pa.types.is_string_view(column.type):  # which cannot be encoded
            column = column.cast(pa.string())
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        with readable(self.path):  # it may be no UTF-8
            names = column.dictionary.to_pylist()
        known = np.array([self._index.get(name, -1) for name in names], np.int64)
        places = np.asarray(column.indices.to_numpy(zero_copy_only=False)).astype(np.int64)
        unit = known[places]
        if (unit < 0).any():
            i = int(np.argmin(unit))
            try:
                self.board.index(names[places[i]])
            except (TypeError, ValueError) as error:
                raise self._refusal(self._row + i, "unit:", str(error), state[i]) from None
        return unit

    def _numbers(
        self,
        rows: pa.RecordBatch,
        name: str,
        state: NDArray[np.int64],
        present: NDArray[np.bool_] | np.bool_,
    ) -> NDArray[np.float64]:
        column = rows.column(name)
        numbers = np.asarray(column.to_numpy(zero_copy_only=False)).astype(np.float64)
        if column.null_count:
            missing = nulls(column)
            if (missing & present).any():
                i = int(np.argmax(missing & present))
                problem = "must have a value for a unit that is present, got null"
                raise self._refusal(self._row + i, name, problem, state[i])
            numbers[missing] = 0.0
        return numbers
