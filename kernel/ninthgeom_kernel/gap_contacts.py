"""Which models are in contact across gaps, or with a round base straight ahead."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_2, F8_3, I8_1, I8_2, NONE, U2_OUT1, kernel
from ninthgeom_kernel.ahead import is_line_free

FACINGS = 4080


@kernel(NONE(I8_2, I8_2, F8_2, I8_1, F8_3, F8_2, F8, U2_OUT1))
def gap_contacts(
    looks: Any, pairs: Any, spans: Any, flags: Any, shapes: Any, limits: Any, tol: float, codes: Any
) -> None:
    """All pairs of models that may have a line.

    Arguments: looks, pairs (4, n), spans (2, n), shapes, limits and tol as of `opposite_models`; flags: the
    code of each look; codes out.
    Result: the code where a free line runs from the one to the other, its facings added to those known.
    Boundary: shapes are passed as deep as their rim.
    Degenerate: a span may be a single line.
    Reference: free lines begin where a shape ends.
    """
    for k in range(pairs.shape[1]):
        e, at = pairs[0, k], pairs[3, k]
        if is_line_free(
            shapes,
            limits,
            looks[0, e],
            looks[3, e],
            pairs[1, k],
            pairs[2, k],
            looks[4, e],
            spans[0, k],
            spans[1, k],
            tol,
        ):
            codes[at] = (codes[at] & FACINGS) | flags[e]
