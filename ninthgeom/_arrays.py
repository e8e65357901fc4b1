"""The boundary between what callers hand over and what kernels read: conversion, checks, messages."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from importlib import import_module
from typing import Any, Final, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from ninthgeom._parallel import run_chunks, worker_count

FloatArray: TypeAlias = NDArray[np.float64]
BoolArray: TypeAlias = NDArray[np.bool_]
IntArray: TypeAlias = NDArray[np.int64]
#: Rows (k, ...) that kernels read of a batch: numbers, or one row of indices into tables.
Columns: TypeAlias = NDArray[Any]
Shape: TypeAlias = tuple[int, ...]


class _Shaped(Protocol):
    @property
    def shape(self) -> Shape: ...


_Batch = TypeVar("_Batch", bound=_Shaped)

LARGEST_NUMBER: Final = sys.float_info.max


def as_floats(name: str, value: ArrayLike) -> FloatArray:
    """Return numbers as float64, the caller's own array where it is one already."""
    array = _as_array(name, value, "numbers")
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{name} must hold real numbers, got dtype {array.dtype}")
    return array.astype(np.float64, copy=False)


def as_number(name: str, value: ArrayLike) -> float:
    """Return a single number."""
    array = as_floats(name, value)
    if array.ndim:
        raise ValueError(f"{name} must be one number, got {value!r}")
    return float(array)


def as_booleans(name: str, value: ArrayLike) -> BoolArray:
    """Return a mask, the caller's own array where it is one already; numbers are none."""
    array = _as_array(name, value, "booleans")
    if array.dtype != np.bool_:
        raise TypeError(f"{name} must hold booleans, got dtype {array.dtype}")
    return array


def _as_array(name: str, value: ArrayLike, what: str) -> NDArray[Any]:
    if hasattr(value, "filled") and np.ma.is_masked(value):
        raise ValueError(f"{name} must not have masked values")
    try:
        return np.asarray(value)
    except ValueError as error:  # rows of unequal length
        raise ValueError(f"{name} must be an array of {what}: {error}") from None


def check_range(name: str, array: FloatArray, low: float, high: float) -> None:
    """Raise for the first value that is not finite or not from `low` to `high`.

    Two reductions, which carry NaN along, cost a fifth of ``np.isfinite(array).all()`` with two comparisons.
    """
    if array.size == 0:
        return
    # A reduction of one number takes ten times as long as its comparison.
    least, most = (array.min(), array.max()) if array.ndim else (array.item(), array.item())
    if low <= least and most <= high:
        return
    index = first_index(~((low <= array) & (array <= high)))
    value = float(array[index])
    if not math.isfinite(value):
        wish = "be finite"
    elif low == 0.0:
        wish = "not be negative" if value < 0.0 else f"be at most {high:g}"
    else:
        wish = f"be from {low:g} to {high:g}"
    raise ValueError(f"{element(name, index)} must {wish}, got {value!r}")


def first_index(wrong: NDArray[np.bool_]) -> Shape:
    """Index of the first True."""
    return tuple(int(i) for i in np.unravel_index(int(wrong.argmax()), wrong.shape))


def element(name: str, index: Shape) -> str:
    """Write one element as it is written in Python: ``width[1, 2]``."""
    return f"{name}[{', '.join(map(str, index))}]" if index else name


def joinable(kind: type[_Batch], batches: Iterable[_Batch]) -> list[_Batch]:
    """Return batches that can be joined along their first axis."""
    batches = list(batches)
    for i, batch in enumerate(batches):
        if not isinstance(batch, kind):
            raise TypeError(f"batches[{i}] must be {kind.__name__}, got {type(batch).__name__}")
    shapes = [batch.shape for batch in batches]
    if not batches or any(not shape or shape[1:] != shapes[0][1:] for shape in shapes):
        raise ValueError(f"batches must be one or more, alike but for the first axis, got shapes {shapes}")
    return batches


def broadcast_shape(names: Iterable[str], shapes: Iterable[Shape]) -> Shape:
    """Shape that all broadcast to, or an error that names them."""
    shapes = list(shapes)
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        known = ", ".join(f"{name} {shape}" for name, shape in zip(names, shapes, strict=True))
        raise ValueError(f"shapes do not broadcast: {known}") from None


def as_limits(name: str, value: ArrayLike) -> FloatArray:
    """Return distances or tolerances: not negative; inf is a limit too."""
    array = as_floats(name, value)
    if array.size and not array.min() >= 0.0:
        index = first_index(~(array >= 0.0))
        value = float(array[index])
        wish = "be a number" if math.isnan(value) else "not be negative"
        raise ValueError(f"{element(name, index)} must {wish}, got {value!r}")
    return array


def as_tolerance(value: float) -> float:
    """Return a tolerance: one number, finite and not negative."""
    if type(value) is float and 0.0 <= value < math.inf:
        return value
    array = as_limits("tol", value)
    if array.ndim or math.isinf(array):
        raise ValueError(f"tol must be one finite number, got {value!r}")
    return float(array)


def result_array(out: NDArray[Any] | None, shape: Shape, dtype: DTypeLike) -> NDArray[Any]:
    """Return `out` if it can take the result, a new array where there is none."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array, got {type(out).__name__}")
    if out.dtype != dtype:
        raise TypeError(f"out must have dtype {np.dtype(dtype)}, got {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out must have shape {shape}, got {out.shape}")
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    return out


# ------------------------------------------------------------------------------ broadcasting without copies
#
# The axes of a broadcast fall into runs that belong to both batches, to a only or to b only. Up to three such
# runs are one call of an elementwise or an outer kernel, which reads the batches as they are. Other patterns
# are split.

#: Pairs that are written out at once where no kernel form fits: both batches of them stay in the L2 cache.
BLOCK: Final = 8192


class Run(Enum):
    """Whose axes a run of axes are."""

    BOTH = auto()
    A = auto()
    B = auto()


Runs: TypeAlias = tuple[tuple[Run, int], ...]
Kernel: TypeAlias = Callable[..., None]


@dataclass(frozen=True)
class PairKernels:
    """One pair question: its kernels, loaded when the first pairs need them.

    Attributes
    ----------
    family, name : str
        ``ninthgeom_kernel.<family>.<name>`` answers pair by pair, ``ninthgeom_kernel.<family>_outer.<name>``
        every a with every b. Two modules, because a module is compiled as a whole.
    dtype : dtype
        Of the answers.
    symmetric : bool
        Whether a and b may change places.
    cost_ns : float
        About what a pair takes.
    item : tuple of int
        Shape of one answer where it is not a single number.
    """

    family: str
    name: str
    dtype: DTypeLike
    symmetric: bool
    cost_ns: float = 3.0
    item: Shape = ()

    @cached_property
    def elementwise(self) -> Kernel:
        """``f(a, b, *arguments, out, top, bottom, first, last)`` for columns ``(k, S, n)``."""
        return self._load(self.family)

    @cached_property
    def outer(self) -> Kernel:
        """The same for columns ``(k, S, n)`` and ``(k, S, m)``."""
        return self._load(f"{self.family}_outer")

    def _load(self, module: str) -> Kernel:
        kernel: Kernel = getattr(import_module(f"ninthgeom_kernel.{module}"), self.name)
        return kernel


def answer_pairs(
    kernels: PairKernels,
    a: Columns,
    b: Columns,
    *arguments: Any,
    names: tuple[str, str] = ("a", "b"),
    out: NDArray[Any] | None,
    workers: int,
) -> NDArray[Any]:
    """Answer a question for columns ``(k, ...)`` of two batches that broadcast against each other.

    What does not fit columns, like polygons, comes as one row of indices ``(1, ...)`` into tables that are
    among the arguments, which the kernels take between the batches and `out`.

    Returns
    -------
    ndarray or scalar
        `out`, or a new array, of the broadcast shape and the shape of an answer; a scalar where both batches
        are single, an answer is one number and there is no `out`.
    """
    shape = a.shape[1:]
    if shape != b.shape[1:]:
        shape = broadcast_shape(names, (shape, b.shape[1:]))
    answer = result_array(out, shape + kernels.item, kernels.dtype)
    worker_count(workers)
    if answer.size:
        flat = answer if answer.flags.carray else np.empty(answer.shape, kernels.dtype)
        runs = _runs_of(a.shape[1:], b.shape[1:])
        pairs = flat.reshape(-1, *kernels.item)
        _Question(kernels, arguments, workers).answer(runs, _packed(a), _packed(b), pairs)
        if flat is not answer:
            answer[...] = flat
    return answer[()] if out is None else answer


def _packed(columns: Columns) -> Columns:
    return np.ascontiguousarray(columns).reshape(len(columns), -1)


def _runs_of(a: Shape, b: Shape) -> Runs:
    """Collapse the axes of two shapes that broadcast into runs with their sizes; axes of length 1 vanish."""
    if a == b:
        return ((Run.BOTH, math.prod(a)),)
    ndim = max(len(a), len(b))
    runs: list[tuple[Run, int]] = []
    for i, j in zip((1,) * (ndim - len(a)) + a, (1,) * (ndim - len(b)) + b, strict=True):
        if i == j == 1:
            continue
        run = Run.BOTH if i == j else Run.A if j == 1 else Run.B
        if runs and runs[-1][0] is run:
            runs[-1] = (run, runs[-1][1] * max(i, j))
        else:
            runs.append((run, max(i, j)))
    return tuple(runs) or ((Run.BOTH, 1),)


@dataclass(frozen=True, slots=True)
class _Question:
    """A question with everything but the batches."""

    kernels: PairKernels
    arguments: Sequence[Any]
    workers: int

    def answer(self, runs: Runs, a: Columns, b: Columns, out: NDArray[Any]) -> None:
        """Answer it for packed columns ``(k, size)`` and a contiguous `out` with one axis of pairs."""
        kinds = tuple(run for run, _ in runs)
        tail = 2 if kinds[-2:] in ((Run.A, Run.B), (Run.B, Run.A)) else 1
        is_fit = len(runs) <= tail + 1 and (self.kernels.symmetric or kinds[-tail:] != (Run.A,))
        if is_fit:
            self._answer_at_once(runs[:-tail], runs[-tail:], a, b, out)
        elif math.prod(size for _, size in runs[1:]) > BLOCK:
            self._answer_one_by_one(runs, a, b, out)
        else:
            self._answer_written_out(runs, a, b, out)

    def _answer_at_once(self, lead: Runs, tail: Runs, a: Columns, b: Columns, out: NDArray[Any]) -> None:
        """One call of a kernel: a leading run, then one or two more."""
        run, rows = lead[0] if lead else (Run.BOTH, 1)
        item = self.kernels.item
        a = a.reshape(len(a), rows if run is not Run.B else 1, -1)
        b = b.reshape(len(b), rows if run is not Run.A else 1, -1)
        kinds = tuple(run for run, _ in tail)
        if kinds == (Run.BOTH,):
            self._run(self.kernels.elementwise, a, b, out.reshape(rows, -1, *item), rows)
            return
        n, m = a.shape[2], b.shape[2]
        if kinds in ((Run.A, Run.B), (Run.B,)):
            self._run(self.kernels.outer, a, b, out.reshape(rows, n, m, *item), rows * n)
        elif self.kernels.symmetric:
            self._run(self.kernels.outer, b, a, out.reshape(rows, m, n, *item), rows * m)
        else:
            # what is there already, for questions about some of the pairs
            turned = np.ascontiguousarray(out.reshape(rows, m, n, *item).swapaxes(1, 2))
            self._run(self.kernels.outer, a, b, turned, rows * n)
            out.reshape(rows, m, n, *item)[...] = turned.swapaxes(1, 2)

    def _answer_one_by_one(self, runs: Runs, a: Columns, b: Columns, out: NDArray[Any]) -> None:
        """Take the first run's items one at a time, each a question with fewer runs."""
        run, size = runs[0]
        a = a.reshape(len(a), size if run is not Run.B else 1, -1)
        b = b.reshape(len(b), size if run is not Run.A else 1, -1)
        out = out.reshape(size, -1, *self.kernels.item)
        for i in range(size):
            a_item = np.ascontiguousarray(a[:, i if run is not Run.B else 0])
            b_item = np.ascontiguousarray(b[:, i if run is not Run.A else 0])
            self.answer(runs[1:], a_item, b_item, out[i])

    def _answer_written_out(self, runs: Runs, a: Columns, b: Columns, out: NDArray[Any]) -> None:
        """Write the pairs of some items of the first run out, block by block."""
        a = a.reshape(len(a), *(size if run is not Run.B else 1 for run, size in runs))
        b = b.reshape(len(b), *(size if run is not Run.A else 1 for run, size in runs))
        shape = tuple(size for _, size in runs)
        inner = math.prod(shape[1:])
        step = max(1, BLOCK // inner)
        full_a = np.broadcast_to(a, (len(a), *shape))
        full_b = np.broadcast_to(b, (len(b), *shape))

        def task(start: int, stop: int) -> None:
            for first in range(start, stop, step):
                last = min(first + step, stop)
                pairs = (last - first) * inner
                answer = out[first * inner : last * inner].reshape(1, pairs, *self.kernels.item)
                block_a = full_a[:, first:last].reshape(len(a), 1, pairs)
                block_b = full_b[:, first:last].reshape(len(b), 1, pairs)
                self.kernels.elementwise(
                    np.ascontiguousarray(block_a),
                    np.ascontiguousarray(block_b),
                    *self.arguments,
                    answer,
                    0,
                    1,
                    0,
                    pairs,
                )

        # Writing out takes several times as long as answering.
        run_chunks(task, shape[0], workers=self.workers, cost_ns=5.0 * inner * self.kernels.cost_ns)

    def _run(self, kernel: Kernel, a: Columns, b: Columns, out: NDArray[Any], rows: int) -> None:
        """Call a kernel for chunks of its rows, or of its columns where there are more of them."""
        columns = out.size // (rows * math.prod(self.kernels.item))

        def some_rows(start: int, stop: int) -> None:
            kernel(a, b, *self.arguments, out, start, stop, 0, columns)

        def some_columns(start: int, stop: int) -> None:
            kernel(a, b, *self.arguments, out, 0, rows, start, stop)

        if columns > rows:
            run_chunks(some_columns, columns, workers=self.workers, cost_ns=rows * self.kernels.cost_ns)
        else:
            run_chunks(some_rows, rows, workers=self.workers, cost_ns=columns * self.kernels.cost_ns)
