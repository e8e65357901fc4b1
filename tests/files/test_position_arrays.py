"""Positions in files of NumPy: what is read is what was written, whatever the chunks; damage is refused."""

import contextlib
import re

import numpy as np
import pytest

from ninthgeom import _memory
from ninthgeom._position_files import open_positions
from tests.files.battle import BOARD, M, U, same_chunks, states

FORMS = {
    "float64": lambda array: array,
    "Fortran order": np.asfortranarray,
    "float32": lambda array: array.astype(np.float32),
    "big-endian": lambda array: array.astype(">f8"),
    "whole numbers": lambda array: array.astype(np.int16),
    "float16": lambda array: array.astype(np.float16),
    "long double": lambda array: array.astype(np.longdouble),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("n", [0, 1, 37])
def test_arrays_of_any_type_and_order(tmp_path, form, n):
    array = FORMS[form](states(n)[0])
    np.save(tmp_path / "states.npy", array)
    with open_positions(tmp_path / "states.npy", BOARD) as file:
        assert file.n_states == n
        assert file.masks == ()
        same_chunks(file, {"positions": array}, np.random.default_rng(n))


@pytest.mark.parametrize("masks", [(), ("present",), ("occupied",), ("present", "occupied")])
@pytest.mark.parametrize("write", [np.savez, np.savez_compressed])
def test_archives(tmp_path, masks, write):
    positions, present, occupied = states(29)
    arrays = {"positions": positions} | {
        name: mask for name, mask in (("present", present), ("occupied", occupied)) if name in masks
    }
    write(tmp_path / "states.npz", **dict(reversed(arrays.items())))
    with open_positions(tmp_path / "states.npz", BOARD) as file:
        assert file.n_states == 29
        assert file.masks == masks
        same_chunks(file, arrays, np.random.default_rng(3))


def test_one_state_of_an_archive_serves_all(tmp_path):
    positions, present, occupied = states(11)
    path = tmp_path / "states.npz"
    np.savez(path, positions=positions[:1], present=present, occupied=occupied[4])
    expected = {
        "positions": np.repeat(positions[:1], 11, 0),
        "present": present,
        "occupied": np.repeat(occupied[4:5], 11, 0),
    }
    with open_positions(path, BOARD) as file:
        same_chunks(file, expected, np.random.default_rng(4))


def test_chunks_are_the_callers_own(tmp_path):
    positions = states(5)[0]
    np.save(tmp_path / "states.npy", positions)
    np.savez(tmp_path / "states.npz", positions=positions)
    for name in ("states.npy", "states.npz"):
        with open_positions(tmp_path / name, BOARD) as file:
            file.chunk(0, 5)["positions"][:] = 0
            np.testing.assert_array_equal(file.chunk(0, 5)["positions"], positions)
    np.testing.assert_array_equal(np.load(tmp_path / "states.npy"), positions)


@pytest.mark.parametrize(("start", "stop"), [(-1, 2), (3, 2), (0, 6), (6, 6)])
def test_states_that_are_not_there(tmp_path, start, stop):
    np.save(tmp_path / "states.npy", states(5)[0])
    with (
        open_positions(tmp_path / "states.npy", BOARD) as file,
        pytest.raises(IndexError, match=rf"from 0 to 5, got {start} to {stop}"),
    ):
        file.chunk(start, stop)


def save(array):
    return lambda path: np.save(path, array)


def cut(path, size):
    np.save(path, states(4)[0])
    path.write_bytes(path.read_bytes()[:size])


HEADER = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000000, 3, 3), }".ljust(117) + b"\n"

BAD = {
    "units": (
        save(np.zeros((4, 5, 3))),
        r"positions must have shape \(n, 3, 3\) .* 3 units, got \(4, 5, 3\)",
    ),
    "axes": (save(np.zeros((3, 3))), r".* got \(3, 3\)"),
    "more axes": (save(np.zeros((2, 4, 3, 3))), r".* got \(2, 4, 3, 3\)"),
    "text": (save(np.full((2, 3, 3), "a")), "positions must hold real numbers, got dtype <U1"),
    "complex": (save(np.zeros((2, 3, 3), complex)), "positions must hold real numbers, got dtype complex128"),
    "booleans": (save(np.zeros((2, 3, 3), bool)), "positions must hold real numbers, got dtype bool"),
    "pickled": (save(np.full((2, 3, 3), None)), "not a readable .npy file: "),
    "empty": (lambda path: path.write_bytes(b""), "not a readable .npy file: "),
    "something else": (lambda path: path.write_text("x,y,heading\n"), "not a readable .npy file: "),
    "one byte short": (lambda path: cut(path, -1), "not a readable .npy file: "),
    "cut in the header": (lambda path: cut(path, 60), "not a readable .npy file: "),
    "huge header": (
        lambda path: path.write_bytes(b"\x93NUMPY\x01\x00\x76\x00" + HEADER),
        "not a readable .npy file: ",
    ),
    "archive": (
        lambda path: np.savez(path.open("wb"), positions=np.zeros((2, 3, 3))),
        "not a readable .npy file: it is an archive",
    ),
}


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # of the file handle of the last case
@pytest.mark.parametrize("case", BAD)
def test_arrays_that_are_refused(tmp_path, case):
    write, message = BAD[case]
    path = tmp_path / "bad.npy"
    write(path)
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(str(path))}: {message}") as caught:
        open_positions(path, BOARD)
    assert "\n" not in str(caught.value)


ALL = {"positions": np.zeros((4, U, 3)), "present": np.ones((4, U), bool), "occupied": np.ones((4, M), bool)}
BAD_ARCHIVES = {
    "no positions": ({"positions": None}, "there is no array 'positions'"),
    "unknown": ({"presnt": np.ones(3)}, "unknown array 'presnt'"),
    "units": ({"positions": np.zeros((4, 5, 3))}, r"positions must have shape \(n, 3, 3\)"),
    "one state": ({"positions": np.zeros((3, 3))}, r"positions must have shape \(n, 3, 3\)"),
    "states of a mask": (
        {"present": np.ones((5, U), bool)},
        r"the leading axes \(5,\) of present do not broadcast with \(4,\)",
    ),
    "axes of a mask": ({"present": np.ones((2, 4, U), bool)}, "masks must have one axis of states"),
    "numbers": ({"present": np.ones((4, U))}, "present must hold booleans"),
    "slots": (
        {"occupied": np.ones((4, M + 1), bool)},
        r"occupied must have shape \(\.\.\., 21\) for 21 model slots, got",
    ),
    "pickled": ({"positions": np.full((2, 3, 3), None)}, "not a readable .npz file: "),
}


@pytest.mark.parametrize("case", BAD_ARCHIVES)
def test_archives_that_are_refused(tmp_path, case):
    changes, message = BAD_ARCHIVES[case]
    path = tmp_path / "bad.npz"
    np.savez(path, **{name: array for name, array in (ALL | changes).items() if array is not None})
    with pytest.raises((ValueError, TypeError), match=f"^{re.escape(str(path))}: {message}"):
        open_positions(path, BOARD)


@pytest.mark.parametrize("suffix", [".npy", ".npz"])
def test_damaged_files_raise_nothing_else(tmp_path, suffix):
    path = tmp_path / f"bad{suffix}"
    np.save(path, states(6)[0]) if suffix == ".npy" else np.savez_compressed(path, positions=states(6)[0])
    whole = path.read_bytes()
    rng = np.random.default_rng(1)
    refused = 0
    for _ in range(120):  # bits flipped where the headers are, mostly
        damaged = bytearray(whole)
        for place in rng.integers(0, min(200, len(whole)), 3):
            damaged[place] ^= 1 << rng.integers(8)
        path.write_bytes(damaged)
        with contextlib.suppress(ValueError, OSError, TypeError):
            refused += 1
            with open_positions(path, BOARD) as file:
                file.chunk(0, file.n_states)
            refused -= 1
    assert refused > 40


def test_archives_must_fit_into_memory(tmp_path, monkeypatch):
    path = tmp_path / "states.npz"
    np.savez_compressed(path, positions=np.zeros((2000, U, 3)))
    needed = 2000 * U * 3 * 8 + 128
    assert path.stat().st_size < needed // 10
    monkeypatch.setattr(_memory, "available_memory", lambda: needed)
    open_positions(path, BOARD).close()
    monkeypatch.setattr(_memory, "available_memory", lambda: needed - 100)
    message = "its arrays take 140.8 kB of memory, and 140.7 kB are available; a .npy or .parquet file"
    with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: {message}"):
        open_positions(path, BOARD)
    monkeypatch.setattr(_memory, "available_memory", lambda: None)  # where nobody knows
    open_positions(path, BOARD).close()


def test_memory_of_this_machine():
    available = _memory.available_memory()
    assert available is not None
    assert 1 << 20 < available < 1 << 50


@pytest.mark.parametrize("version", [1, 2])
def test_memory_that_control_groups_leave(tmp_path, monkeypatch, version):
    lines = {1: "3:cpu:/own\n7:memory:/own/inner\n", 2: "0::/own/inner\n"}
    (tmp_path / "cgroup").write_text(lines[version])
    names = {1: ("memory.limit_in_bytes", "memory.usage_in_bytes"), 2: ("memory.max", "memory.current")}
    root = tmp_path / "groups" / ("memory" if version == 1 else "")
    for group, most, used in (("", "max", 900), ("own", 5000, 3000), ("own/inner", 9000, 1000)):
        (root / group).mkdir(parents=True, exist_ok=True)
        for name, value in zip(names[version], (most, used), strict=True):
            (root / group / name).write_text(f"{value}\n")
        key = "total_inactive_file" if version == 1 else "inactive_file"
        (root / group / "memory.stat").write_text(f"anon 7\n{key} 500\n")
    monkeypatch.setattr(_memory, "_GROUPS_OF_PROCESS", tmp_path / "cgroup")
    monkeypatch.setattr(_memory, "_GROUPS", tmp_path / "groups")
    assert _memory.available_memory() == 5000 - 3000 + 500


def test_files_that_change_are_refused(tmp_path):
    path = tmp_path / "states.npy"
    np.save(path, states(4)[0])
    with open_positions(path, BOARD) as file:
        file.chunk(0, 4)
        np.save(path, states(3)[0])
        for read in (lambda: file.chunk(0, 4), file.digest):
            with pytest.raises(ValueError, match=f"^{re.escape(str(path))}: has changed since it was opened"):
                read()
        path.unlink()
        with pytest.raises(FileNotFoundError):
            file.chunk(0, 4)


def test_digests_tell_files_apart(tmp_path):
    digests = set()
    for seed in (1, 2, 1):
        np.save(tmp_path / f"{seed}.npy", states(4, seed)[0])
        with open_positions(tmp_path / f"{seed}.npy", BOARD) as file:
            digests.add(file.digest())
    assert len(digests) == 2


def test_paths_that_are_refused(tmp_path):
    for name, got in (("states.csv", "'.csv'"), ("states", "no extension")):
        with pytest.raises(ValueError, match=rf"positions are read from .npy, .npz or .parquet, got {got}$"):
            open_positions(tmp_path / name, BOARD)
    for suffix in (".npy", ".npz", ".parquet"):
        with pytest.raises(FileNotFoundError):
            open_positions(tmp_path / f"none{suffix}", BOARD)
        (tmp_path / f"folder{suffix}").mkdir()
        with pytest.raises(IsADirectoryError):
            open_positions(tmp_path / f"folder{suffix}", BOARD)


MEASURE = """
import resource, sys
from pathlib import Path
import ninthgeom as ng
from ninthgeom._position_files import open_positions

def now():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

board = ng.Board([ng.Unit(f"unit {i}", (20, 20)) for i in range(24)])
with open_positions(Path(sys.argv[1]), board) as file:
    step = file.n_states // 16
    file.chunk(0, step)
    before, most = now(), 0
    for start in range(0, file.n_states, step):
        chunk = file.chunk(start, min(start + step, file.n_states))
        most = max(most, now())
    print(file.n_states, step * file.bytes_per_state, most - before)
"""


@pytest.mark.parametrize("suffix", [".npy", ".parquet"])
def test_memory_is_that_of_a_chunk(tmp_path, run_python, suffix):
    n = 1 << 16  # 38 MB
    path = tmp_path / f"states{suffix}"
    positions = np.random.default_rng(1).random((n, 72))
    if suffix == ".npy":
        np.save(path, positions.reshape(n, 24, 3))
    else:
        pa, pq = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
        column = pa.FixedSizeListArray.from_arrays(positions.reshape(-1), 72)
        pq.write_table(pa.table({"positions": column}), path, row_group_size=n // 8, use_dictionary=False)
    n_states, chunk_bytes, growth = map(int, run_python(MEASURE, path).split())
    assert n_states == n
    assert chunk_bytes < 3 << 20
    assert growth < 24 << 20
