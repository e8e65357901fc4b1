"""A small battle, states of it, and the ways to write them that a library has."""

import math
from itertools import pairwise

import numpy as np
import pyarrow as pa

import ninthgeom as ng

BOARD = ng.Board(
    [
        ng.Unit("Speerträger", (20, 20), models=13, side=0),
        ng.Unit("knights [1]", (25, 50), models=5, side=0, height=2),
        ng.Unit("giant", (50, 75), side=1, height=5),
    ]
)
NAMES = BOARD.names
U, M = len(BOARD), BOARD.n_models


def states(n, seed=1):
    """Positions, who is present (somebody in each state) and slots of n states."""
    rng = np.random.default_rng(seed)
    present = rng.random((n, U)) < 0.6
    present[np.arange(n), rng.integers(U, size=n)] = True
    return rng.normal(30, 10, (n, U, 3)), present, rng.random((n, M)) < 0.7


def unit_rows(positions, present=None, *, rng=None, names=True, column=False):
    """Columns of a table with a row for each unit: absent ones left out, or told by a column."""
    n = len(positions)
    state, unit = np.divmod(np.arange(n * U), U)
    here = np.ones(n * U, bool) if present is None else present.reshape(-1)
    kept = np.arange(n * U) if column else np.flatnonzero(here)
    if rng is not None:  # any order within a state
        kept = kept[np.lexsort((rng.random(len(kept)), state[kept]))]
    texts = pa.array([NAMES[i] for i in unit[kept]], pa.string())
    columns = {"state": state[kept], "unit": texts if names else unit[kept]}
    for i, field in enumerate(("x", "y", "heading")):
        columns[field] = positions.reshape(-1, 3)[kept, i]
    if column:
        columns["present"] = here[kept]
    return columns


def lists(array, kind=None):
    """A column with a list for each state."""
    flat = array.reshape(len(array), math.prod(array.shape[1:]))
    kind = pa.list_(pa.from_numpy_dtype(array.dtype)) if kind is None else kind
    return pa.array(list(flat), kind)


def same_chunks(file, expected, rng, rounds=6):
    """Read a file in random chunks, one after another and anywhere, and compare all arrays."""
    n = file.n_states
    edges = np.sort(rng.integers(0, n + 1, rounds))
    spans = [(0, n), *pairwise(edges), (edges[-1], n)]
    spans += [tuple(sorted(rng.integers(0, n + 1, 2))) for _ in range(rounds)]
    for start, stop in spans:
        chunk = file.chunk(int(start), int(stop))
        assert list(chunk) == list(expected)
        for name, array in expected.items():
            wanted = array[start:stop]
            assert chunk[name].dtype == (np.float64 if name == "positions" else np.bool_)
            assert chunk[name].flags.c_contiguous
            assert chunk[name].flags.writeable
            np.testing.assert_array_equal(chunk[name], wanted.astype(chunk[name].dtype))
        assert sum(array.nbytes for array in chunk.values()) == (stop - start) * file.bytes_per_state
