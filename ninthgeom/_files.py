"""Files of the command line: positions in, answers out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ninthgeom._answer_whole import SUFFIXES, check_writable, write_answers
from ninthgeom._position_arrays import load_archive

__all__ = ["check_answers_path", "json", "read_positions", "write_answers"]


def check_answers_path(path: Path) -> None:
    """Raise where `write_answers` could not write, so that a long evaluation does not end in vain."""
    if path.suffix not in SUFFIXES:
        raise ValueError(f"answers are written as .npz or .json, got {path.suffix or 'no extension'!r}")
    check_writable(path)


def read_positions(path: Path) -> dict[str, NDArray[Any]]:
    """Read positions, and masks where the file has them, as a whole."""
    if path.suffix not in (".npy", ".npz"):
        raise ValueError(f"positions are read from .npy or .npz, got {path.suffix or 'no extension'!r}")
    if path.suffix == ".npz":
        return load_archive(path)
    try:
        with path.open("rb") as stream:
            return {"positions": np.asarray(np.load(stream, allow_pickle=False))}
    except OSError:  # the file itself cannot be read
        raise
    except Exception as error:  # what damaged bytes make of the parsers of NumPy is endless
        raise ValueError(f"not a readable .npy file: {error}") from None
