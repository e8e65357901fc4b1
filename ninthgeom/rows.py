"""Sparse answers: one row for each case that holds, in columns of equal length."""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import Shape, first_index

__all__ = ["Rows"]


class Rows:
    """Rows of an answer that is given for few of very many cases, sorted by state.

    Every row belongs to one state; ``state`` is the index of it in the leading axes of the question,
    flattened. The other columns are attributes of their names: ``rows.model`` is the column ``model``.
    Columns are read-only.

    Parameters
    ----------
    columns : mapping of str to array_like, shape (n,)
        The columns by name, in the order they are shown; ``state`` must be one of them, integers in
        ascending order, each from 0 to one less than the number of states.
    shape : tuple of int
        The leading axes of the question; their product is the number of states.

    Attributes
    ----------
    columns : mapping of str to ndarray, shape (n,)
        All columns, ``state`` included. ``pandas.DataFrame`` and ``pyarrow.table`` take a ``dict`` of it.
    shape : tuple of int
        The leading axes of the question.
    indptr : ndarray of int, shape (number of states + 1,)
        Rows of state ``i`` are those from ``indptr[i]`` up to before ``indptr[i + 1]``.

    Raises
    ------
    TypeError
        If states are no integers.
    ValueError
        If columns are not of one equal length or have a name that cannot be an attribute, or states are not
        sorted or out of range.

    Examples
    --------
    >>> from ninthgeom import Rows
    >>> rows = Rows({"state": [0, 0, 2], "model": [4, 7, 4]}, shape=(3,))
    >>> len(rows), rows.model, rows.indptr
    (3, array([4, 7, 4]), array([0, 2, 2, 3]))
    >>> rows[rows.model == 4]
    <Rows: 2 in 3 states, state=[0, 2], model=[4, 4]>
    """

    __slots__ = ("_indptr", "columns", "shape")

    __hash__ = None  # type: ignore[assignment]  # equality compares values

    columns: Mapping[str, NDArray[Any]]
    shape: Shape

    def __init__(self, columns: Mapping[str, ArrayLike], shape: Shape) -> None:
        arrays = {name: _column(name, values) for name, values in columns.items()}
        if "state" not in arrays:
            raise ValueError(f"columns must have a column 'state', got {', '.join(arrays) or 'none'}")
        length = len(arrays["state"])
        for name, array in arrays.items():
            if len(array) != length:
                raise ValueError(
                    f"columns must be equally long: {name} has {len(array)}, state {length} rows"
                )
        shape = tuple(int(size) for size in shape)
        arrays["state"] = _checked_states(arrays["state"], math.prod(shape))
        self._set(arrays, shape)

    def _set(self, arrays: dict[str, NDArray[Any]], shape: Shape) -> None:
        for array in arrays.values():
            array.flags.writeable = False
        object.__setattr__(self, "columns", MappingProxyType(arrays))
        object.__setattr__(self, "shape", shape)
        object.__setattr__(self, "_indptr", None)

    @classmethod
    def _of_parts(cls, arrays: dict[str, NDArray[Any]], shape: Shape) -> Rows:
        """Make rows of arrays that are known to be good and belong to nobody else."""
        rows = cls.__new__(cls)
        rows._set(arrays, shape)
        return rows

    @property
    def indptr(self) -> NDArray[np.intp]:
        """Where the rows of each state begin, and the number of rows at the end."""
        known: NDArray[np.intp] | None = self._indptr
        if known is None:
            known = np.searchsorted(self.columns["state"], np.arange(self.n_states + 1)).astype(np.intp)
            known.flags.writeable = False
            object.__setattr__(self, "_indptr", known)
        return known

    @property
    def n_states(self) -> int:
        """Number of states, those without rows included."""
        return math.prod(self.shape)

    def for_state(self, state: int | tuple[int, ...]) -> Rows:
        """Return the rows of one state.

        Parameters
        ----------
        state : int or tuple of int
            Flat index of the state, or one index for each leading axis.

        Returns
        -------
        Rows
            Of the same `shape`, with the rows of this state only.

        Raises
        ------
        TypeError
            If `state` is no integer.
        IndexError
            If there is no such state.

        Examples
        --------
        >>> rows = Rows({"state": [0, 3, 3], "model": [4, 7, 5]}, shape=(2, 2))
        >>> rows.for_state(3).model, rows.for_state((1, 1)).model
        (array([7, 5]), array([7, 5]))
        """
        i = self._flat(state)
        return self._part(slice(int(self.indptr[i]), int(self.indptr[i + 1])))

    def to_pandas(self) -> Any:
        """Return a ``pandas.DataFrame`` with these columns.

        Raises
        ------
        ImportError
            If pandas is not installed; ninthgeom itself does without.
        """
        try:
            import pandas
        except ImportError as error:
            raise ImportError("to_pandas needs pandas, which is not installed: pip install pandas") from error
        return pandas.DataFrame(dict(self.columns))

    def to_arrow(self) -> Any:
        """Return a ``pyarrow.Table`` with these columns.

        Raises
        ------
        ImportError
            If pyarrow is not installed; ninthgeom itself does without.
        """
        try:
            import pyarrow
        except ImportError as error:
            raise ImportError(
                "to_arrow needs pyarrow: the extra parquet, pip install '.[parquet]' in a clone"
            ) from error
        columns: dict[str, Any] = dict(self.columns)
        return pyarrow.table(columns)

    def _flat(self, state: int | tuple[int, ...]) -> int:
        given = state if isinstance(state, tuple) else (state,)
        sizes = self.shape if isinstance(state, tuple) else (self.n_states,)
        for i in given:
            if isinstance(i, bool | np.bool_) or not isinstance(i, int | np.integer):
                raise TypeError(f"state must be an integer or a tuple of them, got {state!r}")
        if len(given) != len(sizes) or not all(0 <= i < n for i, n in zip(given, sizes, strict=True)):
            raise IndexError(f"no state {state} in states of shape {sizes}")
        flat = 0
        for i, n in zip(given, sizes, strict=True):
            flat = flat * n + int(i)
        return flat

    def _part(self, rows: slice | NDArray[np.bool_]) -> Rows:
        return Rows._of_parts({name: array[rows] for name, array in self.columns.items()}, self.shape)

    def __len__(self) -> int:
        return len(self.columns["state"])

    def __getitem__(self, rows: ArrayLike | slice) -> Rows:
        """Return the rows where a mask is True, or a slice of them, in the same order."""
        if isinstance(rows, slice):
            if rows.step is not None and rows.step < 1:
                raise ValueError(f"rows stay in their order: the step must be at least 1, got {rows.step}")
            return self._part(rows)
        mask = np.asarray(rows)
        if mask.dtype != np.bool_:
            raise TypeError(f"rows are chosen by a mask or a slice, got {rows!r}; columns are attributes")
        if mask.shape != (len(self),):
            raise ValueError(f"the mask must have shape ({len(self)},), got {mask.shape}")
        return self._part(mask)

    def __getattr__(self, name: str) -> NDArray[Any]:
        # Only called for names that are no attributes; while unpickling there are no columns yet.
        if name not in Rows.__slots__ and name in self.columns:
            return self.columns[name]
        known = "" if name.startswith("_") else f"; columns are {', '.join(self.columns)}"
        raise AttributeError(f"Rows have no column or attribute {name!r}{known}")

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Rows are read-only, {name!r} cannot be set")

    def __iter__(self) -> NoReturn:
        raise TypeError("Rows are not iterable; zip their columns, zip(rows.state, ...)")

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self.columns})

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Rows):
            return NotImplemented
        return (
            self.shape == other.shape
            and list(self.columns) == list(other.columns)
            and all(np.array_equal(array, other.columns[name]) for name, array in self.columns.items())
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Rows._of_parts, (dict(self.columns), self.shape)

    def __repr__(self) -> str:
        columns = ", ".join(
            f"{name}={np.array2string(array, separator=', ', threshold=6, edgeitems=2)}"
            for name, array in self.columns.items()
        ).replace("\n", "")
        return f"<Rows: {len(self)} in {self.n_states} states, {columns}>"


def _column(name: str, values: ArrayLike) -> NDArray[Any]:
    if not name.isidentifier() or hasattr(Rows, name):
        raise ValueError(f"a column cannot be named {name!r}, columns are attributes of Rows")
    array = np.array(values)
    if array.ndim != 1:
        raise ValueError(f"columns must have one axis, {name} has shape {array.shape}")
    return array


def _checked_states(states: NDArray[Any], n_states: int) -> NDArray[Any]:
    if not len(states):
        return states.astype(np.intp)
    if states.dtype.kind not in "iu":
        raise TypeError(f"state must hold integers, got dtype {states.dtype}")
    wrong = (states < 0) | (states >= n_states)
    if wrong.any():
        (i,) = first_index(wrong)
        raise ValueError(f"state[{i}] must be from 0 to {n_states - 1}, got {states[i]}")
    falling = states[1:] < states[:-1]
    if falling.any():
        (i,) = first_index(falling)
        raise ValueError(f"states must be sorted, got {states[i]} before {states[i + 1]} at state[{i + 1}]")
    return states.astype(np.intp)
