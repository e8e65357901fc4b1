"""Which models of one unit lie straight ahead of which models of another, and between which lines."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL, BOOL_1, F8, F8_2, F8_3, F8_OUT2, I8_2, I8_OUT1, I8_OUT2, U2_1, kernel
from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RIGHT_END, TOP, reached
from ninthgeom_kernel.model_touches import TOUCH

KINDS = 15


@kernel(BOOL(I8_2, F8_3, F8_2, BOOL_1, U2_1, F8, F8, I8_OUT2, F8_OUT2, I8_OUT1))
def opposite_models(
    looks: Any,
    shapes: Any,
    limits: Any,
    covered: Any,
    codes: Any,
    inner: float,
    tol: float,
    pairs: Any,
    spans: Any,
    count: Any,
) -> bool:
    """All models of a unit that looks straight ahead of a facing at those of another.

    Arguments: looks (9, n): first shape of the unit that looks, of the other, of what else may be in the way,
    and the one past the last; the facing of the other (-1: it is round); where the codes of the models begin
    and how many come from one model to the next, of the one unit and of the other; where `covered` begins,
    for the models of both; shapes (2, N, V), limits (6, N): as `placed_models` makes them; covered: whose
    edge is open nowhere; codes: as `model_touches` leaves them; inner: how much of the width shared with a
    round base does not count at its ends, in inches; tol; pairs (4, K), spans (2, K), count (1) out.
    Result: for each pair that may have a line: look, shape of the one and of the other, where its code is;
    the first and the last line; how many there are. Whether there was room for all.
    Boundary: within tol the ends of edges are ends of lines.
    Degenerate: dead and covered models and those that touch already are left out.
    Reference: none needed.
    """
    n_found = 0
    for e in range(looks.shape[1]):
        first, middle, n, edge = looks[0, e], looks[1, e], looks[2, e], looks[4, e]
        mask = looks[8, e] - first
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
                # not nearer than the edge; a round base may lie in that of the model, but not behind it
                least = limits[TOP, i] - tol if edge >= 0 else min(shapes[1, i, 0], shapes[1, i, 2]) + tol
                far = limits[TOP, j] if edge < 0 else reached(shapes, limits, j, edge, half, tol)
                if far < least:
                    continue
                if n_found < pairs.shape[1]:
                    pairs[0, n_found] = e
                    pairs[1, n_found] = i
                    pairs[2, n_found] = j
                    pairs[3, n_found] = at
                    spans[0, n_found] = min(low + ends, half)
                    spans[1, n_found] = max(high - ends, half)
                n_found += 1
    count[0] = n_found
    has_room: bool = n_found <= pairs.shape[1]
    return has_room
