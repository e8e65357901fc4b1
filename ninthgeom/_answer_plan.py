"""What a file of answers is to hold, and how whoever finds the answers hands them over."""

from __future__ import annotations

import abc
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

Arrays = Mapping[str, NDArray[Any]]


@dataclass(frozen=True, eq=False, kw_only=True)
class AnswerPlan:
    """All that is known of a file of answers before the first of them is found.

    Parameters
    ----------
    n_states : int or None
        Number of states that are evaluated. None: a single one, whose arrays have no axis of states.
    names : mapping of str to sequence of str
        Names along the axes of the arrays: observers, targets, models, groups.
    fields : mapping of str to (dtype, tuple of int)
        Arrays that have an entry for each state: the type of their values and the shape of an entry.
    rows : mapping of str to dtype
        Columns that have any number of entries for a state, as those of contacts.
    identity : mapping
        All that the answers depend on, as JSON can hold it: an evaluation is continued only with the same.
    """

    n_states: int | None
    names: Mapping[str, Sequence[str]]
    fields: Mapping[str, tuple[DTypeLike, tuple[int, ...]]]
    rows: Mapping[str, DTypeLike] = field(default_factory=dict)
    identity: Mapping[str, Any] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Number of states."""
        return 1 if self.n_states is None else self.n_states

    def dense_bytes(self) -> int:
        """Return what the arrays of `fields` take, all states together."""
        cells = (np.dtype(dtype).itemsize * math.prod(shape) for dtype, shape in self.fields.values())
        return self.total * sum(cells)

    def described(self) -> dict[str, Any]:
        """Return the plan as it is kept in the manifest of a folder of answers."""
        # In the order in which differences are told: those of the identity are the causes of the others.
        return {
            "identity": dict(self.identity),
            "n_states": self.n_states,
            "names": {key: [str(name) for name in names] for key, names in self.names.items()},
            "fields": {
                name: {"dtype": np.dtype(dtype).str, "shape": list(shape)}
                for name, (dtype, shape) in self.fields.items()
            },
            "rows": {name: np.dtype(dtype).str for name, dtype in self.rows.items()},
        }


class AnswerWriter(abc.ABC):
    """Takes answers in the order of the states and keeps them; a context manager.

    Leaving the context closes the writer, as `close` does, without a commit: what has not been committed is
    as lost as if the process had died.

    Attributes
    ----------
    plan : AnswerPlan
    done : int
        States that are whole and safe: they outlast the process, and a later run goes on after them.
    written : int
        States that have been handed over.
    carried : object
        What was given to the last commit, None if nothing is safe yet.
    complete : bool
        True if the answers of all states are there, and nothing is left to do.
    """

    #: Whether what is committed is there for a later run.
    resumable = False

    def __init__(self, plan: AnswerPlan) -> None:
        self.plan = plan
        self.done = 0
        self.written = 0
        self.carried: Any = None
        self.complete = False
        self._failed = False

    def __enter__(self) -> AnswerWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def write(self, dense: Arrays, sparse: Arrays | None = None, *, n_states: int | None = None) -> None:
        """Take the answers of the next states.

        Parameters
        ----------
        dense : mapping of str to ndarray, shape (n, ...)
            The arrays of the plan's `fields` for these states; without the axis of states where the plan has
            none.
        sparse : mapping of str to ndarray, shape (k,), optional
            The columns of its `rows` as they are to be kept: numbers of states are those of the whole file.
        n_states : int, optional
            How many states these are; only needed where there are no arrays that tell it.

        Raises
        ------
        TypeError
            If an array has another type than planned.
        ValueError
            If names or shapes are not as planned, or there are more states than planned.
        """
        self._check_usable()
        if self.plan.n_states is None:
            dense = {name: np.asarray(array)[None] for name, array in dense.items()}
        sparse = {} if sparse is None else sparse
        n = self._checked_count(dense, n_states)
        self._check_columns(sparse)
        self._failed = True  # until all of it is there
        self._append(dense, sparse, n)
        self._failed = False
        self.written += n

    def commit(self, carried: object = None) -> None:
        """Make what has been written safe, and `carried` with it.

        Parameters
        ----------
        carried : object
            Anything that JSON can hold; infinite and missing numbers it cannot.
        """
        self._check_usable()
        self._failed = True
        self._commit(carried, complete=False)
        self._failed = False

    def finish(self, carried: object = None) -> None:
        """Make everything safe and mark the answers as complete.

        Raises
        ------
        ValueError
            If states are missing.
        """
        self._check_usable()
        if self.written != self.plan.total:
            raise ValueError(f"answers of {self.plan.total} states are planned, got {self.written}")
        self._failed = True
        self._commit(carried, complete=True)
        self._failed = False
        self.complete = True

    @abc.abstractmethod
    def close(self) -> None:
        """Let go of the files; may be called more than once."""

    @abc.abstractmethod
    def _append(self, dense: Arrays, sparse: Arrays, n: int) -> None:
        """Write checked arrays of n states."""

    @abc.abstractmethod
    def _commit(self, carried: object, *, complete: bool) -> None:
        """Make what is written safe."""

    def _check_usable(self) -> None:
        if self.complete:
            raise ValueError("the answers are complete already")
        if self._failed:
            raise ValueError("nothing can follow what was written in part")

    def _checked_count(self, dense: Arrays, n_states: int | None) -> int:
        """Return the number of states that arrays hold, or raise where they are not as planned."""
        _check_names(dense, self.plan.fields, "arrays")
        counts = {} if n_states is None else {"n_states": n_states}
        for name, (dtype, shape) in self.plan.fields.items():
            array = dense[name]
            _check_dtype(name, array, dtype)
            if array.ndim < 1 or array.shape[1:] != tuple(shape):
                raise ValueError(
                    f"{name} must have shape (n, {', '.join(map(str, shape))}), got {array.shape}"
                )
            counts[name] = len(array)
        if not counts:
            raise ValueError("n_states must be given where there are no arrays")
        if len(set(counts.values())) > 1:
            raise ValueError(f"arrays must be of as many states as one another, got {counts}")
        n = next(iter(counts.values()))
        if self.written + n > self.plan.total:
            raise ValueError(f"answers of {self.plan.total} states are planned, got {self.written + n}")
        return n

    def _check_columns(self, sparse: Arrays) -> None:
        _check_names(sparse, self.plan.rows, "columns")
        for name, dtype in self.plan.rows.items():
            _check_dtype(name, sparse[name], dtype)
            if sparse[name].ndim != 1:
                raise ValueError(f"{name} must have shape (k,), got {sparse[name].shape}")


def _check_names(given: Arrays, planned: Mapping[str, object], what: str) -> None:
    if given.keys() != planned.keys():
        raise ValueError(f"{what} {sorted(planned)} are planned, got {sorted(given)}")


def _check_dtype(name: str, array: NDArray[Any], dtype: DTypeLike) -> None:
    if array.dtype != np.dtype(dtype):
        raise TypeError(f"{name} must be of dtype {np.dtype(dtype)}, got {array.dtype}")
