"""Pairs of indices put in order."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import I8, I8_1, I8_OUT1, I8_OUT2, NONE, kernel


@kernel(NONE(I8_1, I8, I8_OUT1, I8_OUT1, I8_OUT1, I8_OUT2))
def pairs_in_order(keys: Any, m: int, a_places: Any, b_places: Any, scratch: Any, out: Any) -> None:
    """Sort pairs (a, b) by a, then by b, given as keys a m + b.

    Arguments: keys (n,) in; m; scratch: a_places (one more than there are a) and b_places (m + 1), all zero,
    and (n,); out (2, n).
    Result: rows a and b of out; a pair that comes twice stays twice.
    Reference: counting sort by b, then by a; linear, and a third of the time of sorting keys.
    """
    n = len(keys)
    for k in range(n):
        a = keys[k] // m
        a_places[a + 1] += 1
        b_places[keys[k] - a * m + 1] += 1
    for i in range(1, len(a_places)):
        a_places[i] += a_places[i - 1]
    for i in range(1, len(b_places)):
        b_places[i] += b_places[i - 1]
    for k in range(n):
        b = keys[k] % m
        scratch[b_places[b]] = keys[k]
        b_places[b] += 1
    for k in range(n):
        a = scratch[k] // m
        place = a_places[a]
        a_places[a] += 1
        out[0, place] = a
        out[1, place] = scratch[k] - a * m
