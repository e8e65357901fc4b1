"""Integers put in order."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import I8, I8_1, I8_OUT1, NONE, kernel


@kernel(NONE(I8_1, I8, I8_OUT1, I8_OUT1))
def in_order_of_digit(keys: Any, shift: int, places: Any, out: Any) -> None:
    """Sort by one digit, keeping the order of keys that agree in it.

    Arguments: keys (n,) in, not negative; shift: bits below the digit; scratch: places (a power of two, the
    number of its values); out (n,).
    Result: called for each digit in turn, the lowest first, on its own answer, it sorts.
    Reference: radix sort; Knuth, The Art of Computer Programming 3, 5.2.5.
    """
    mask = len(places) - 1
    for i in range(len(places)):
        places[i] = 0
    for i in range(len(keys)):
        places[(keys[i] >> shift) & mask] += 1
    place = 0
    for i in range(len(places)):
        count = places[i]
        places[i] = place
        place += count
    for i in range(len(keys)):
        key = keys[i]
        digit = (key >> shift) & mask
        place = places[digit]
        out[place] = key
        places[digit] = place + 1
