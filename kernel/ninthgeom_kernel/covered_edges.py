"""Which models have an edge that others of their unit cover from end to end."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_2, BOOL_OUT1, F8, F8_2, F8_OUT1, I8_1, I8_2, NONE, kernel


@kernel(NONE(I8_2, F8_2, BOOL_2, I8_1, I8_1, F8, BOOL_OUT1, F8_OUT1))
def covered_edges(
    facings: Any, slots: Any, living: Any, first: Any, ahead: Any, tol: float, covered: Any, nearest: Any
) -> None:
    """All models of some units, each unit through one facing.

    Arguments: facings (5, n): row of living, facing from 0, front, to the left, first slot, the one past its
    last, where its answers begin; slots (5, M): ahead and left of the position, half extents along and
    across; living (1 or S, M); first (4 M + 1), ahead: for each facing and slot which slots stand before it,
    from one side to the other; tol in inches; covered: for each its models; nearest (n).
    Result: whether the edge of a living model is open nowhere; how far ahead of the position the rearmost
    edge is that is open somewhere, inf if none is.
    Boundary: within tol edges are not open.
    Degenerate: dead models are not covered.
    Reference: none needed.
    """
    for e in range(facings.shape[1]):
        row, facing = facings[0, e], facings[1, e]
        # the axis that the facing looks along, the other one, and which way it looks
        up = facing % 2
        side = 1 - up
        sign = 1.0 if facing < 2 else -1.0
        rearmost = math.inf
        for i in range(facings[2, e], facings[3, e]):
            at = slots[side, i] - slots[2 + side, i]
            own = facing * living.shape[1] + i
            for k in range(first[own], first[own + 1]):
                j = ahead[k]
                if living[row, j] and slots[side, j] - slots[2 + side, j] <= at + tol:
                    at = max(at, slots[side, j] + slots[2 + side, j])
            is_open = at < slots[side, i] + slots[2 + side, i] - tol
            covered[facings[4, e] + i - facings[2, e]] = (not is_open) & living[row, i]
            if is_open and living[row, i]:
                rearmost = min(rearmost, sign * slots[up, i] + slots[2 + up, i])
        nearest[e] = rearmost
