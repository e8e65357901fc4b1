"""Segments sorted by the polygons they are compared with."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8_2, F8_3, F8_OUT2, I8, I8_1, I8_3, I8_OUT1, I8_OUT2, NONE, kernel
from ninthgeom_kernel.crossing import (
    NORMAL_X,
    NORMAL_Y,
    SHORTEST_SQUARED,
    START_X,
    START_Y,
    VECTOR,
    WAY_X,
    WAY_Y,
)


@kernel(NONE(F8_3, I8_3, I8_1, F8_2, I8, I8, I8_OUT2, I8_OUT1, F8_OUT2))
def sort_by_polygon(
    a: Any, b: Any, pairs: Any, discs: Any, columns: int, shared: int, groups: Any, order: Any, lanes: Any
) -> None:
    """Sort some pairs of a batch.

    Arguments: segments a (4, R, C), indices b (1, S, D) of polygons, flat indices of pairs (n), rising, discs
    (4, N), columns in a row of pairs, rows that share a row of polygons in; out groups (2, N), order (K) and
    lanes (6, K), where K is enough for all groups filled up.
    Result: of each polygon, how many pairs it has and where they end; the pairs in that order, each group
    from a multiple of VECTOR on; the segments likewise, as seen from the polygon's centre.
    Boundary: none.
    Degenerate: segments without length have no normal.
    Reference: counting sort.
    """
    for k in range(groups.shape[1]):
        groups[0, k] = 0
    start, stop, other = 0, 0, 0
    for pair in pairs:
        if pair >= stop:  # a division takes as long as the rest, and pairs of a row follow one another
            start = pair // columns * columns
            stop = start + columns
            other = pair // columns // shared if b.shape[1] > 1 else 0
        groups[0, b[0, other, pair - start]] += 1
    at = 0
    for k in range(groups.shape[1]):
        groups[1, k] = at
        at += (groups[0, k] + VECTOR - 1) // VECTOR * VECTOR
    stop, h = 0, 0
    for pair in pairs:
        if pair >= stop:
            start = pair // columns * columns
            stop = start + columns
            other = pair // columns // shared if b.shape[1] > 1 else 0
            h = pair // columns % a.shape[1]
        k = b[0, other, pair - start]
        i = min(pair - start, a.shape[2] - 1)
        at = groups[1, k]
        groups[1, k] = at + 1
        order[at] = pair
        x0, y0 = a[0, h, i], a[1, h, i]
        dx, dy = a[2, h, i] - x0, a[3, h, i] - y0
        scale = 1.0 / math.sqrt(max(dx * dx + dy * dy, SHORTEST_SQUARED))
        lanes[START_X, at] = x0 - discs[0, k]
        lanes[START_Y, at] = y0 - discs[1, k]
        lanes[WAY_X, at] = dx
        lanes[WAY_Y, at] = dy
        lanes[NORMAL_X, at] = -dy * scale
        lanes[NORMAL_Y, at] = dx * scale
