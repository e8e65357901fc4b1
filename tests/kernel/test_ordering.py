"""Pairs of indices put in order, against sorted tuples."""

import numpy as np
import pytest

from ninthgeom_kernel.ordering import pairs_in_order


@pytest.mark.parametrize(("n", "m", "count"), [(1, 1, 0), (1, 1, 1), (1, 9, 30), (9, 1, 30), (40, 30, 500)])
def test_pairs_in_order(n, m, count):
    rng = np.random.default_rng(n * m)
    pairs = list(zip(rng.integers(0, n, count).tolist(), rng.integers(0, m, count).tolist(), strict=True))
    keys = np.array([a * m + b for a, b in pairs], np.int64)
    out = np.full((2, count), -1)
    pairs_in_order(keys, m, np.zeros(n + 1, np.int64), np.zeros(m + 1, np.int64), np.empty_like(keys), out)
    assert list(zip(*out.tolist(), strict=True)) == sorted(pairs)
