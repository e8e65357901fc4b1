"""Positions in Parquet files of both forms: what is read is what was written; everything else is refused."""

import re

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from ninthgeom._position_files import open_positions
from tests.files.battle import BOARD, NAMES, M, U, lists, same_chunks, states, unit_rows


def write(path, columns, **options):
    pq.write_table(pa.table(columns), path, **options)
    return path


@pytest.mark.parametrize("group_rows", [1, 7, 64, 10_000])  # most cut states
@pytest.mark.parametrize("column", [False, True])
def test_units_in_any_order_absent_or_not(tmp_path, group_rows, column):
    positions, present, _ = states(60)
    rng = np.random.default_rng(group_rows)
    rows = unit_rows(positions, present, rng=rng, column=column)
    path = write(tmp_path / "states.parquet", rows, row_group_size=group_rows)
    where = present[:, :, None] | column
    with open_positions(path, BOARD) as file:
        assert file.n_states == 60
        assert file.masks == ("present",)
        same_chunks(file, {"positions": np.where(where, positions, 0.0), "present": present}, rng)


@pytest.mark.parametrize("names", [False, True])
@pytest.mark.parametrize("statistics", [False, True])
def test_all_units_in_all_states_say_nothing_about_who_is_there(tmp_path, names, statistics):
    positions, _, _ = states(50)
    rows = unit_rows(positions, rng=np.random.default_rng(2), names=names)
    path = write(tmp_path / "states.parquet", rows, row_group_size=11, write_statistics=statistics)
    with open_positions(path, BOARD) as file:
        assert file.masks == ()
        same_chunks(file, {"positions": positions}, np.random.default_rng(3))


TYPES = {
    "float32": {name: pa.float32() for name in ("x", "y", "heading")},
    "float16": {"heading": pa.float16()},
    "whole numbers": {"x": pa.int16(), "y": pa.uint8()},
    "small states": {"state": pa.uint16()},
    "signed states": {"state": pa.int32()},
    "dictionary": {"unit": pa.dictionary(pa.int8(), pa.string())},
    "large text": {"unit": pa.large_string()},
    "view": {"unit": pa.string_view()},
}


@pytest.mark.parametrize("case", TYPES)
def test_columns_of_any_type(tmp_path, case):
    positions = np.floor(np.abs(states(40)[0]))
    table = pa.table(unit_rows(positions, rng=np.random.default_rng(5)))
    for name, kind in TYPES[case].items():
        if pa.types.is_floating(kind) and kind.bit_width == 16:
            column = pa.array(table[name].to_numpy().astype(np.float16))
        else:
            column = table[name].cast(kind)
        table = table.set_column(table.column_names.index(name), name, column)
    try:
        pq.write_table(table, tmp_path / "states.parquet", row_group_size=50)
    except pa.ArrowNotImplementedError:
        pytest.skip("this version of pyarrow cannot write it")
    with open_positions(tmp_path / "states.parquet", BOARD) as file:
        same_chunks(file, {"positions": positions}, np.random.default_rng(6))


@pytest.mark.parametrize("kind", ["list", "large list", "fixed size"])
@pytest.mark.parametrize("masks", [(), ("present",), ("present", "occupied")])
def test_a_row_for_each_state(tmp_path, kind, masks):
    positions, present, occupied = states(45)
    arrays = {"positions": positions.astype(np.float32), "present": present, "occupied": occupied}
    arrays = {name: array for name, array in arrays.items() if name in ("positions", *masks)}

    def column(array):
        inner, length = pa.from_numpy_dtype(array.dtype), array[0].size
        kinds = {
            "list": pa.list_(inner),
            "large list": pa.large_list(inner),
            "fixed size": pa.list_(inner, length),
        }
        return lists(array, kinds[kind])

    columns = {"state": np.arange(45)} | {name: column(array) for name, array in arrays.items()}
    path = write(tmp_path / "states.parquet", columns, row_group_size=8)
    with open_positions(path, BOARD) as file:
        assert file.n_states == 45
        assert file.masks == masks
        same_chunks(file, arrays, np.random.default_rng(7))


@pytest.mark.parametrize("numbers", [4, 12, 20, 44])
@pytest.mark.parametrize("form", ["units", "states"])
def test_row_groups_of_several_batches(tmp_path, monkeypatch, form, numbers):
    monkeypatch.setattr("ninthgeom._position_units.NUMBERS_AT_ONCE", numbers)
    monkeypatch.setattr("ninthgeom._position_tables.NUMBERS_AT_ONCE", 3 * numbers)
    positions, present, _ = states(50)
    rng = np.random.default_rng(numbers)
    columns = {"positions": lists(positions), "present": lists(present)}
    if form == "units":
        columns = unit_rows(positions, present, rng=rng)
        positions = np.where(present[:, :, None], positions, 0.0)
    path = write(tmp_path / "states.parquet", columns, row_group_size=40)
    with open_positions(path, BOARD) as file:
        same_chunks(file, {"positions": positions, "present": present}, rng, rounds=12)


def test_units_that_are_absent_need_no_numbers(tmp_path):
    positions, present, _ = states(20)
    columns = unit_rows(positions, present, column=True)
    for field in ("x", "y", "heading"):
        columns[field] = pa.array(columns[field], mask=~columns["present"])
    path = write(tmp_path / "states.parquet", columns)
    with open_positions(path, BOARD) as file:
        expected = {"positions": np.where(present[:, :, None], positions, 0.0), "present": present}
        same_chunks(file, expected, np.random.default_rng(8))


def test_a_state_without_any_unit(tmp_path):
    columns = {"state": [0, 1, 2], "unit": ["giant"] * 3, "x": [1.0, None, 3.0], "y": [1.0, None, 3.0]}
    columns |= {"heading": [0.0, None, 0.5], "present": [True, False, True]}
    with open_positions(write(tmp_path / "states.parquet", columns), BOARD) as file:
        assert file.chunk(0, 3)["present"].tolist() == [
            [False, False, True],
            [False] * 3,
            [False, False, True],
        ]


def test_values_are_left_for_the_questions_to_check(tmp_path):
    positions, _, _ = states(3)
    positions[1, 2] = np.nan, np.inf, -np.inf
    with open_positions(write(tmp_path / "states.parquet", unit_rows(positions)), BOARD) as file:
        same_chunks(file, {"positions": positions}, np.random.default_rng(1))


@pytest.mark.parametrize("group_rows", [5, 10_000])
@pytest.mark.parametrize("form", ["units", "states"])
def test_no_states(tmp_path, form, group_rows):
    positions, present, _ = states(0)
    columns = unit_rows(positions)
    if form == "states":
        columns = {"positions": lists(positions), "present": lists(present)}
    path = write(tmp_path / "states.parquet", columns, row_group_size=group_rows)
    with open_positions(path, BOARD) as file:
        assert file.n_states == 0
        masks = {} if form == "units" else {"present": present}
        same_chunks(file, {"positions": positions} | masks, np.random.default_rng(1))


def test_row_groups_without_rows_and_the_index_of_pandas(tmp_path):
    positions, _, _ = states(9)
    table = pa.table(unit_rows(positions) | {"__index_level_0__": np.arange(9 * U)[::-1]})
    path = tmp_path / "states.parquet"
    with pq.ParquetWriter(path, table.schema) as writer:
        for start, stop in ((0, 0), (0, 10), (10, 10), (10, 27), (27, 27)):
            writer.write_table(table.slice(start, stop - start))
    assert pq.ParquetFile(path).num_row_groups >= 4
    with open_positions(path, BOARD) as file:
        same_chunks(file, {"positions": positions}, np.random.default_rng(1))


def test_only_the_row_groups_that_are_asked_for_are_read(tmp_path):
    positions, _, _ = states(64)
    path = write(
        tmp_path / "states.parquet", unit_rows(positions), row_group_size=24, write_page_checksum=True
    )
    group = pq.ParquetFile(path).metadata.row_group(2)  # states 16 to 23
    content = bytearray(path.read_bytes())
    start = group.column(2).data_page_offset
    content[start + group.column(2).total_compressed_size // 2] ^= 255
    path.write_bytes(content)
    with open_positions(path, BOARD) as file:
        for first, last in ((24, 64), (0, 16), (30, 40)):
            np.testing.assert_array_equal(file.chunk(first, last)["positions"], positions[first:last])
        for first, last in ((0, 17), (20, 21), (23, 64)):
            with pytest.raises(ValueError, match=r"states.parquet: not a readable .parquet file: "):
                file.chunk(first, last)
        for _ in range(2):  # where the chunk before ended, too, and again
            file.chunk(0, 16)
            for _ in range(2):
                with pytest.raises(ValueError, match=r"states.parquet: not a readable .parquet file: "):
                    file.chunk(16, 20)
        # An error does not spoil what is read after it.
        np.testing.assert_array_equal(file.chunk(0, 16)["positions"], positions[:16])


def change(name, row, value):
    """Replace one value of a column of rows of units."""

    def apply(columns):
        column = pa.array(columns[name]).to_pylist()
        column[row] = value
        return columns | {name: column}

    return apply


def without(name):
    return lambda columns: {key: column for key, column in columns.items() if key != name}


LAST = 12 * U - 1
BAD_UNITS = {
    "no state": (without("state"), "there is no column 'state'"),
    "no x": (without("x"), "there is no column 'x'"),
    "another column": (
        lambda c: c | {"presnt": c["x"]},
        "unknown column 'presnt'; known are 'state', 'unit', 'x', 'y', 'heading', 'present'",
    ),
    "state of text": (
        lambda c: c | {"state": list(map(str, c["state"]))},
        "state must hold whole numbers, got string",
    ),
    "x of text": (lambda c: c | {"x": list(map(str, c["x"]))}, "x must hold real numbers, got string"),
    "unit of numbers": (lambda c: c | {"unit": c["x"]}, "unit must hold names or whole numbers, got double"),
    "present of numbers": (lambda c: c | {"present": c["state"]}, "present must hold booleans, got int64"),
    "unknown unit": (
        change("unit", 17, "gant"),
        "row 17, state 5: unit: no unit is named 'gant'; did you mean 'giant'?",
    ),
    "no such index": (
        lambda c: change("unit", 17, 3)(c | {"unit": [NAMES.index(str(name)) for name in c["unit"]]}),
        "row 17, state 5: unit must be from 0 to 2, got 3",
    ),
    "negative index": (
        lambda c: change("unit", LAST, -1)(c | {"unit": [NAMES.index(str(name)) for name in c["unit"]]}),
        f"row {LAST}, state 11: unit must be from 0 to 2, got -1",
    ),
    "unit twice": (
        change("unit", 16, NAMES[0]),
        f"row 16, state 5: unit must be there once, got {NAMES[0]!r} again",
    ),
    "hole": (lambda c: c | {"state": c["state"] + (c["state"] > 6)}, "row 21: state must be 6 or 7, got 8"),
    "descending": (change("state", 20, 5), "row 20: state must be 6 or 7, got 5"),
    "not from 0": (lambda c: c | {"state": c["state"] + 1}, "row 0: state must be 0 at first, got 1"),
    "negative": (lambda c: c | {"state": c["state"] - 1}, "row 0: state must be 0 at first, got -1"),
    "huge": (
        lambda c: c | {"state": np.where(np.arange(12 * U) < LAST, c["state"], 2**63).astype(np.uint64)},
        "state must be ",
    ),
    "no state there": (change("state", 8, None), "row 8: state must have a value, got null"),
    "no unit there": (change("unit", 8, None), "row 8: unit must have a value, got null"),
    "no x there": (
        change("x", 8, None),
        "row 8, state 2: x must have a value for a unit that is present, got null",
    ),
    "present or not": (
        lambda c: change("present", 8, None)(c | {"present": np.ones(12 * U, bool)}),
        "row 8: present must have a value, got null",
    ),
}


@pytest.mark.parametrize("statistics", [True, False])
@pytest.mark.parametrize("group_rows", [7, 1000])
@pytest.mark.parametrize("case", BAD_UNITS)
def test_rows_of_units_that_are_refused(tmp_path, case, group_rows, statistics):
    apply, message = BAD_UNITS[case]
    columns = apply(unit_rows(states(12)[0]))
    path = write(tmp_path / "bad.parquet", columns, row_group_size=group_rows, write_statistics=statistics)

    def read():
        with open_positions(path, BOARD) as file:
            for start in range(0, file.n_states, 5):
                file.chunk(start, min(start + 5, file.n_states))

    # Where row groups end before it, a hole is seen sooner.
    expected = "state must be " if case in ("hole", "descending") and group_rows == 7 else message
    with pytest.raises((ValueError, TypeError), match=re.escape(expected)) as caught:
        read()
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)


def test_a_unit_that_is_missing_where_another_is_there_twice(tmp_path):
    columns = change("unit", 16, NAMES[0])(unit_rows(states(12)[0]))
    columns["state"] = np.where(np.arange(12 * U) == 16, 5, columns["state"])
    path = write(tmp_path / "bad.parquet", columns)
    with open_positions(path, BOARD) as file:
        file.chunk(0, 5)  # what is read is checked, what is not cannot be
        with pytest.raises(ValueError, match="state 5: unit must be there once"):
            file.chunk(5, 6)


def test_a_unit_that_is_missing_without_a_mask(tmp_path):
    columns = unit_rows(states(12)[0])
    # As many rows as all units in all states, but one state has a row more and one a row less.
    columns["state"][15] = 4
    path = write(tmp_path / "bad.parquet", columns)
    with open_positions(path, BOARD) as file:
        with pytest.raises(ValueError, match="row 15, state 4: unit must be there once"):
            file.chunk(4, 5)
        with pytest.raises(ValueError, match=f"state 5: there is no row of unit {NAMES[0]!r}"):
            file.chunk(5, 6)


POSITIONS, PRESENT, OCCUPIED = states(12)
BAD_STATES = {
    "another column": ({"presnt": lists(PRESENT)}, "unknown column 'presnt'"),
    "numbers": ({"positions": POSITIONS[:, 0, 0]}, "positions must hold lists of 9 real numbers, got double"),
    "text": (
        {"positions": [["a"] * 9] * 12},
        "positions must hold lists of 9 real numbers, got list<element: string>",
    ),
    "fixed size": (
        {"positions": lists(POSITIONS[:, :2], pa.list_(pa.float64(), 6))},
        "positions must hold lists of 9 real numbers, got fixed_size_list",
    ),
    "nested": (
        {"positions": POSITIONS.tolist()},
        "positions must hold lists of 9 real numbers, got list<element: list",
    ),
    "length": (
        {"positions": [[0.0] * (8 if i == 7 else 9) for i in range(12)]},
        "row 7: positions must have 9",
    ),
    "no list": (
        {"positions": [None if i == 7 else [0.0] * 9 for i in range(12)]},
        "row 7: positions must have",
    ),
    "no number": (
        {"positions": [[0.0] * 4 + [None if i == 7 else 1.0] + [0.0] * 4 for i in range(12)]},
        r"row 7: positions[4] must have a value, got null",
    ),
    "present of numbers": ({"present": lists(POSITIONS[:, :, 0])}, "present must hold lists of 3 booleans"),
    "present of one": ({"present": PRESENT[:, 0]}, "present must hold lists of 3 booleans, got bool"),
    "occupied": (
        {"occupied": [[True] * (M + (i == 11)) for i in range(12)]},
        f"row 11: occupied must have {M} values, got {M + 1}",
    ),
    "state": ({"state": [*range(11), 12]}, "row 11: state must be the number of the row, got 12"),
}


@pytest.mark.parametrize("group_rows", [5, 1000])
@pytest.mark.parametrize("case", BAD_STATES)
def test_rows_of_states_that_are_refused(tmp_path, case, group_rows):
    changes, message = BAD_STATES[case]
    columns = {"positions": lists(POSITIONS), "present": lists(PRESENT), "occupied": lists(OCCUPIED)}
    path = write(tmp_path / "bad.parquet", columns | changes, row_group_size=group_rows)

    def read():
        with open_positions(path, BOARD) as file:
            for start in range(0, 12, 5):
                file.chunk(start, min(start + 5, 12))

    with pytest.raises((ValueError, TypeError), match=re.escape(f"{path}: {message}")) as caught:
        read()
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", ["units", "states"])
def test_damaged_files(tmp_path, form):
    positions, _, _ = states(40)
    columns = unit_rows(positions) if form == "units" else {"positions": lists(positions)}
    path = write(tmp_path / "bad.parquet", columns, row_group_size=30)
    whole = path.read_bytes()
    for content in (
        b"",
        b"PAR1",
        whole[:100],
        whole[:-1],
        whole[: len(whole) // 2],
        b"x,y\n" * 100,
        whole[4:],
    ):
        path.write_bytes(content)
        with pytest.raises(
            ValueError, match=f"^{re.escape(str(path))}: not a readable .parquet file: "
        ) as caught:
            open_positions(path, BOARD)
        assert "\n" not in str(caught.value)


def test_flipped_bits_raise_nothing_else(tmp_path, run_python):
    code = "import sys; from tests.files.damaged import main; main(sys.argv[1], 150)"
    refused, total = map(int, run_python(code, tmp_path).split())
    assert total // 4 < refused < total


def test_names_that_are_no_text(tmp_path):
    columns = unit_rows(states(4)[0])
    path = write(tmp_path / "bad.parquet", columns, compression="none", write_statistics=False)
    path.write_bytes(path.read_bytes().replace(b"giant", b"gi\xe9nt"))
    with (
        open_positions(path, BOARD) as file,
        pytest.raises(ValueError, match=r"bad.parquet: not a readable"),
    ):
        file.chunk(0, 4)


def test_without_pyarrow(tmp_path, monkeypatch):
    path = write(tmp_path / "states.parquet", unit_rows(states(2)[0]))
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    message = f"^{re.escape(str(path))}: Parquet needs pyarrow: install ninthgeom\\[parquet\\]$"
    with pytest.raises(ImportError, match=message):
        open_positions(path, BOARD)
