"""Which models of units in contact are so across gaps, or with a round base straight ahead."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_1, F8, F8_2, F8_3, I8_2, NONE, U2_OUT1, kernel
from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RIGHT_END, TOP, is_line_free, reached
from ninthgeom_kernel.model_touches import TOUCH

KINDS = 15
FACINGS = 4080


@kernel(NONE(I8_2, F8_3, F8_2, BOOL_1, F8, F8, U2_OUT1))
def gap_contacts(
    looks: Any, shapes: Any, limits: Any, covered: Any, inner: float, tol: float, codes: Any
) -> None:
    """All models of a unit that look straight ahead of a facing at those of another.

    Arguments: looks (10, n): first shape of the unit that looks, of the other, of what else may be in the
    way, and the one past the last; the facing of the other (-1: it is round); where the codes of the models
    begin and how many come from one model to the next, of the one unit and of the other; the code; where
    `covered` begins, for the models of both; shapes (2, N, V), limits (6, N): as `placed_models` makes them;
    covered: whose edge is open nowhere; inner: how much of the width shared with a round base does not count
    at its ends, in inches; tol.
    Result: the code where a free line runs from the one to the other, its facings added to those known.
    Boundary: within tol the ends of edges are ends of lines; shapes are passed as deep as their rim.
    Degenerate: what touches already stays.
    Reference: free lines begin where a shape ends.
    """
    for e in range(looks.shape[1]):
        first, middle, n, last, edge = looks[0, e], looks[1, e], looks[2, e], looks[3, e], looks[4, e]
        mask = looks[9, e] - first
        for i in range(first, middle):
            if covered[mask + i] | (limits[CORNERS, i] == 0.0):
                continue
            for j in range(middle, n):
                at = looks[5, e] + (i - first) * looks[6, e] + (j - middle) * looks[7, e]
                low = max(limits[LEFT_END, i], limits[LEFT_END, j])
                high = min(limits[RIGHT_END, i], limits[RIGHT_END, j])
                if covered[mask + j] | (high - low < -tol) | (limits[CORNERS, j] == 0.0):
                    continue
                if codes[at] & KINDS == TOUCH:
                    continue
                ends = inner
                if edge >= 0:
                    ends = 0.0
                    one, other = shapes[0, j, edge], shapes[0, j, (edge + 3) % 4]
                    low = max(low, min(one, other))
                    high = min(high, max(one, other))
                if high - low < ends - tol:
                    continue
                half = 0.5 * (low + high)
                low = min(low + ends, half)
                high = max(high - ends, half)
                # a round base may lie in that of the model
                least = limits[TOP, i] if edge >= 0 else min(shapes[1, i, 0], shapes[1, i, 2])
                far = limits[TOP, j] if edge < 0 else reached(shapes, limits, j, edge, half, tol)
                if far < least - tol:
                    continue
                if is_line_free(shapes, limits, first, last, i, j, edge, low, high, tol):
                    codes[at] = (codes[at] & FACINGS) | looks[8, e]
