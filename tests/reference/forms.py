"""Calling kernels of pair questions, and the laws that their two forms share."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np
from numba import njit

from tests.reference.rationals import Core


def callable_helper(helper: Any) -> Any:
    """A scalar helper of the kernels, which have no wrapper for calls from Python, as Python can call it."""
    return njit(error_model="numpy")(lambda *arguments: helper(*arguments))


def load(family: str, name: str) -> tuple[Any, Any]:
    """The two forms of a question: pair by pair, every a with every b."""
    modules = (import_module(f"ninthgeom_kernel.{module}") for module in (family, f"{family}_outer"))
    elementwise, outer = (getattr(module, name) for module in modules)
    return elementwise, outer


def columns(cores: list[Core]) -> np.ndarray:
    """What kernels read of rational cores: shape (7, 1, n)."""
    rows = [(c.x, c.y, *c.turn, c.along, c.across, c.radius) for c in cores]
    return np.array([[float(value) for value in row] for row in rows]).T.reshape(7, 1, -1).copy()


def pairwise(kernel: Any, a: np.ndarray, b: np.ndarray, *arguments: float, dtype: Any) -> np.ndarray:
    """Answers pair by pair, shape (S, n)."""
    rows, n = max(a.shape[1], b.shape[1]), a.shape[2]
    out = np.empty((rows, n), dtype)
    kernel(a, b, *arguments, out, 0, rows, 0, n)
    return out


def all_pairs(kernel: Any, a: np.ndarray, b: np.ndarray, *arguments: float, dtype: Any) -> np.ndarray:
    """Answers of every a with every b, shape (S, n, m)."""
    rows, n, m = max(a.shape[1], b.shape[1]), a.shape[2], b.shape[2]
    out = np.empty((rows, n, m), dtype)
    kernel(a, b, *arguments, out, 0, rows * n, 0, m)
    return out


def check_forms(
    kernels: tuple[Any, Any], a: np.ndarray, b: np.ndarray, *arguments: float, dtype: Any
) -> None:
    """Both forms, every way of leading axes and every part of the output give the same bits."""
    elementwise, outer = kernels
    n = a.shape[2]
    expected = all_pairs(outer, a, b, *arguments, dtype=dtype)[0]
    one_by_one = np.empty_like(expected)
    for i, j in np.ndindex(n, b.shape[2]):
        one, two = a[:, :, i : i + 1].copy(), b[:, :, j : j + 1].copy()
        one_by_one[i, j] = pairwise(elementwise, one, two, *arguments, dtype=dtype)[0, 0]
    np.testing.assert_array_equal(one_by_one, expected)
    np.testing.assert_array_equal(
        pairwise(elementwise, a, b, *arguments, dtype=dtype)[0], expected[range(n), range(n)]
    )
    # Leading axes: the pairs once more, backwards.
    double_a, double_b = (np.concatenate([c, c[:, :, ::-1]], axis=1) for c in (a, b))
    for left, right in ((double_a, double_b), (double_a, b), (a, double_b)):
        found = pairwise(elementwise, left, right, *arguments, dtype=dtype)
        both = all_pairs(outer, left, right, *arguments, dtype=dtype)
        for row in range(2):
            one = left[:, [row if left.shape[1] > 1 else 0]].copy()
            two = right[:, [row if right.shape[1] > 1 else 0]].copy()
            np.testing.assert_array_equal(
                found[row], pairwise(elementwise, one, two, *arguments, dtype=dtype)[0]
            )
            np.testing.assert_array_equal(both[row], all_pairs(outer, one, two, *arguments, dtype=dtype)[0])
    # Parts: what is not asked for stays as it is.
    blank = np.full((2, n), 7, dtype)
    elementwise(double_a, double_b, *arguments, blank, 1, 2, 3, n - 2)
    filled = pairwise(elementwise, double_a, double_b, *arguments, dtype=dtype)
    np.testing.assert_array_equal(blank[1, 3 : n - 2], filled[1, 3 : n - 2])
    blank[1, 3 : n - 2] = 7
    assert (blank == np.full(1, 7, dtype)).all()
    blank = np.full((1, n, n), 7, dtype)
    outer(a, b, *arguments, blank, 2, 5, 1, n - 1)
    np.testing.assert_array_equal(blank[0, 2:5, 1 : n - 1], expected[2:5, 1 : n - 1])
    blank[0, 2:5, 1 : n - 1] = 7
    assert (blank == np.full(1, 7, dtype)).all()
