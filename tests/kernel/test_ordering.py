"""Integers put in order, against NumPy's sort."""

import numpy as np
import pytest

from ninthgeom_kernel.ordering import in_order_of_digit


@pytest.mark.parametrize("bits", [1, 3, 10])
@pytest.mark.parametrize(("n", "end"), [(0, 1), (1, 1), (300, 2), (300, 1000), (300, 2**62)])
def test_digits_in_turn_sort(n, end, bits):
    keys = np.random.default_rng(end % 97).integers(0, end, n)
    expected = np.sort(keys)
    places = np.full(1 << bits, -1)
    for shift in range(0, end.bit_length(), bits):
        out = np.full(n, -1)
        in_order_of_digit(keys, shift, places, out)
        keys = out
    np.testing.assert_array_equal(keys, expected)


def test_keys_that_agree_keep_their_order():
    keys = np.array([0b1011, 0b0001, 0b1001, 0b0011, 0b1111])
    out = np.empty_like(keys)
    in_order_of_digit(keys, 1, np.empty(2, np.int64), out)
    np.testing.assert_array_equal(out, [0b0001, 0b1001, 0b1011, 0b0011, 0b1111])
