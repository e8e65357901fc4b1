"""Facings through which bases in contact meet, pair by pair."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, NONE, U1_OUT2, kernel
from ninthgeom_kernel.bases import base_at
from ninthgeom_kernel.facing import facing, gap_of


@kernel(NONE(F8_3, F8_3, F8, U1_OUT2))
def facings(a: Any, b: Any, tol: float, out: Any) -> None:
    """Pair by pair.

    Arguments: a, b (7, 1, n) in; tol in inches; out (2, n).
    Result: facings of a, then of b, that meet the other: front 1, left 2, rear 4, right 8, added up; 0 for
    pairs not in contact.
    Boundary: in contact where the gap is at most tol.
    Degenerate: rounded bases have a front only; two facings where a corner meets a corner.
    Reference: separating axes.
    """
    for j in range(out.shape[1]):
        one = base_at(a, 0, j)
        other = base_at(b, 0, j)
        gap = gap_of(one, other)
        out[0, j] = facing(one, other, gap, tol) if gap <= tol else 0
        out[1, j] = facing(other, one, gap, tol) if gap <= tol else 0
