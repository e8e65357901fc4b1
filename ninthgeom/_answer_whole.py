"""Answers in one .npz or .json file, which are held in memory until all of them are there."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._answer_plan import AnswerPlan, AnswerWriter, Arrays
from ninthgeom._atomic import replacing
from ninthgeom._memory import check_fits
from ninthgeom._scene_json import encoded

SUFFIXES: Final = (".npz", ".json")
_VALUES_IN_PART = 10_000


class WholeWriter(AnswerWriter):
    """Collects all answers and writes them at the end.

    Raises
    ------
    ValueError
        If the answers do not fit into the memory that is available.
    """

    def __init__(self, path: Path, plan: AnswerPlan) -> None:
        super().__init__(plan)
        check_writable(path)
        check_fits(plan.dense_bytes(), f"{path}: answers of {plan.total:,} states", _ADVICE)
        self.path = path
        self._dense = {
            name: np.empty((plan.total, *shape), dtype) for name, (dtype, shape) in plan.fields.items()
        }
        self._sparse: dict[str, list[NDArray[Any]]] = {name: [] for name in plan.rows}

    def close(self) -> None:
        """Let go of the answers."""
        self._dense, self._sparse = {}, {}

    def _append(self, dense: Arrays, sparse: Arrays, n: int) -> None:
        for name, array in dense.items():
            self._dense[name][self.written : self.written + n] = array
        for name, column in sparse.items():
            self._sparse[name].append(column.copy())

    def _commit(self, carried: object, *, complete: bool) -> None:
        if not complete:
            return  # nothing is safe before the end
        arrays = {name: self._dense[name] for name in self.plan.fields}
        if self.plan.n_states is None:
            arrays = {name: array[0] for name, array in arrays.items()}
        for name, dtype in self.plan.rows.items():
            arrays[name] = np.concatenate([np.empty(0, dtype), *self._sparse[name]])
        write_answers(self.path, self.plan.names, arrays)
        self.done, self.carried = self.written, carried


_ADVICE: Final = "a folder (a path without extension) holds answers of any length"


def check_writable(path: Path) -> None:
    """Raise where `write_answers` could not write, so that a long evaluation does not end in vain."""
    if path.is_dir():
        raise IsADirectoryError(f"{path} is a folder")
    with tempfile.TemporaryFile(dir=path.parent):
        pass


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
                    stream.write(encoded(f"{', ' if i else ''}{part}"))
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
