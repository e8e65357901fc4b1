"""Files of the command line: positions in, answers out."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ninthgeom._atomic import replacing

_MASKS = ("present", "occupied")
_ANSWER_SUFFIXES = (".npz", ".json")
_VALUES_IN_PART = 10_000


def check_answers_path(path: Path) -> None:
    """Raise where `write_answers` could not write, so that a long evaluation does not end in vain."""
    if path.suffix not in _ANSWER_SUFFIXES:
        raise ValueError(f"answers are written as .npz or .json, got {path.suffix or 'no extension'!r}")
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    with tempfile.TemporaryFile(dir=path.parent):
        pass


def read_positions(path: Path) -> dict[str, NDArray[Any]]:
    """Read positions, and masks where the file has them.

    Parameters
    ----------
    path : Path
        ``.npy``: an array of shape (n, U, 3). ``.npz``: the same under ``positions``, with or without boolean
        arrays ``present`` of shape (n, U) and ``occupied`` of shape (n, M).

    Returns
    -------
    dict
        Array by name; ``positions`` is always there. Shapes and values are not checked against a board.
    """
    if path.suffix not in (".npy", ".npz"):
        raise ValueError(f"positions are read from .npy or .npz, got {path.suffix or 'no extension'!r}")
    try:
        with path.open("rb") as stream:
            loaded = np.load(stream, allow_pickle=False)
            if isinstance(loaded, np.ndarray):
                return {"positions": loaded}
            with loaded:
                arrays = {str(name): loaded[name] for name in loaded.files}
    except OSError:  # the file itself cannot be read
        raise
    except Exception as error:  # what damaged bytes make of the parsers of NumPy, zipfile and zlib is endless
        raise ValueError(f"not a readable {path.suffix} file: {error}") from None
    if unknown := sorted(set(arrays) - {"positions", *_MASKS}):
        raise ValueError(f"unknown array {unknown[0]!r}; known are 'positions', 'present' and 'occupied'")
    if "positions" not in arrays:
        raise ValueError("there is no array 'positions'")
    return arrays


def write_answers(path: Path, names: Mapping[str, Sequence[str]], arrays: Mapping[str, NDArray[Any]]) -> None:
    """Write names and arrays as ``.npz`` or ``.json``, each under its key.

    JSON has no infinity: a distance that is none becomes null there.
    """
    with replacing(path) as stream:
        if path.suffix == ".npz":
            columns: dict[str, Any] = {key: np.array(values, str) for key, values in names.items()}
            np.savez_compressed(stream, **(columns | dict(arrays)))
        else:
            # Part by part: as text and as Python numbers, answers are many times as large as the arrays.
            opening = "{"
            for key, values in (dict(names) | dict(arrays)).items():
                stream.write(f"{opening}{json.dumps(key)}: [".encode())
                for i, part in enumerate(_parts(values)):
                    stream.write(f"{', ' if i else ''}{part}".encode())
                stream.write(b"]")
                opening = ",\n"
            stream.write(b"}\n")


def _parts(values: Sequence[str] | NDArray[Any]) -> Iterator[str]:
    """Write values as JSON in parts of a size that does not matter."""
    if isinstance(values, np.ndarray) and values.ndim == 1:
        cuts = range(0, len(values), _VALUES_IN_PART)
        return (_as_json(values[start : start + _VALUES_IN_PART])[1:-1] for start in cuts)
    return map(_as_json, values)


def _as_json(value: str | NDArray[Any]) -> str:
    if isinstance(value, np.ndarray) and value.dtype.kind == "f":
        objects = value.astype(object)
        objects[~np.isfinite(value)] = None
        value = objects
    plain = value if isinstance(value, str) else value.tolist()
    return json.dumps(plain, ensure_ascii=False, allow_nan=False)
