"""Reads Parquet files with flipped bits, in a process of its own: faults of a parser could end it."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from ninthgeom._position_files import open_positions
from tests.files.battle import BOARD, lists, states, unit_rows

POSITIONS, PRESENT, OCCUPIED = states(40)
FORMS = (
    unit_rows(POSITIONS, rng=np.random.default_rng(1)),
    unit_rows(POSITIONS, PRESENT, column=True),
    {"positions": lists(POSITIONS), "present": lists(PRESENT), "occupied": lists(OCCUPIED)},
)


def main(place: str, rounds: int) -> None:
    """Print how many files were refused, and how many there were."""
    path, refused = Path(place) / "bad.parquet", 0
    rng = np.random.default_rng(1)
    for columns in FORMS:
        pq.write_table(pa.table(columns), path, row_group_size=30)
        whole = path.read_bytes()
        for _ in range(rounds):
            damaged = bytearray(whole)
            for place_of_bit in rng.integers(0, len(damaged), 2):
                damaged[place_of_bit] ^= 1 << rng.integers(8)
            path.write_bytes(damaged)
            try:
                with open_positions(path, BOARD) as file:
                    file.chunk(0, min(file.n_states, 100))
            except (ValueError, TypeError) as error:
                if not str(error).startswith(f"{path}: ") or "\n" in str(error):
                    raise AssertionError(repr(error)) from error
                refused += 1
    print(refused, rounds * len(FORMS))
