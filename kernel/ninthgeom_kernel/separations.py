"""How far convex shapes are apart, or how deeply they overlap, and in which direction."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8_3, F8_OUT2, I8_1, NONE, kernel
from ninthgeom_kernel.convex import ROUNDING


@kernel(NONE(F8_3, I8_1, F8_3, I8_1, F8_OUT2))
def separations(a: Any, a_counts: Any, b: Any, b_counts: Any, out: Any) -> None:
    """Largest distance by which a line separates the two shapes of each pair.

    Arguments: corners (n, 2, W) of convex shapes, counter-clockwise, and how many of them count, at least
    one; the widths may differ; out (3, n), written.
    Result: the distance, less than 0 if they overlap, and the unit normal of the line, which points from b
    to a.
    Boundary rule: of directions that separate as much, the first: edges of a, of b, then the nearest points.
    Degenerate: edges no longer than rounding have no normal; two equal points get the normal (0, 0) and minus
    infinity.
    Reference: separating axis theorem; the directions that can separate most are the edge normals and the one
    between the nearest points.
    """
    for pair in range(a_counts.shape[0]):
        best = -math.inf
        nx = 0.0
        ny = 0.0
        nearest = math.inf
        near_x = 0.0
        near_y = 0.0
        for turn in range(2):
            own, n, other, m = (
                (a, a_counts[pair], b, b_counts[pair])
                if turn == 0
                else (b, b_counts[pair], a, a_counts[pair])
            )
            side = -1.0 if turn == 0 else 1.0
            for e in range(n):
                x = own[pair, 0, e]
                y = own[pair, 1, e]
                end = e + 1 if e + 1 < n else 0
                dx = own[pair, 0, end] - x
                dy = own[pair, 1, end] - y
                length2 = dx * dx + dy * dy
                length = math.sqrt(length2)
                is_edge = length > ROUNDING
                scale = 1.0 / length if is_edge else 1.0
                out_x = dy * scale
                out_y = -dx * scale
                away = math.inf
                for k in range(m):
                    to_x = other[pair, 0, k] - x
                    to_y = other[pair, 1, k] - y
                    away = min(away, out_x * to_x + out_y * to_y)
                    share = (to_x * dx + to_y * dy) / (length2 if length2 > 0.0 else 1.0)
                    share = min(max(share, 0.0), 1.0)
                    off_x = to_x - share * dx
                    off_y = to_y - share * dy
                    distance2 = off_x * off_x + off_y * off_y
                    if distance2 < nearest:
                        nearest = distance2
                        near_x = side * off_x
                        near_y = side * off_y
                if is_edge and away > best:
                    best = away
                    nx = side * out_x
                    ny = side * out_y
        distance = math.sqrt(nearest)
        if distance > 0.0:
            near_x *= 1.0 / distance
            near_y *= 1.0 / distance
            low = math.inf
            high = -math.inf
            for k in range(a_counts[pair]):
                low = min(low, near_x * a[pair, 0, k] + near_y * a[pair, 1, k])
            for k in range(b_counts[pair]):
                high = max(high, near_x * b[pair, 0, k] + near_y * b[pair, 1, k])
            if low - high > best:
                best = low - high
                nx = near_x
                ny = near_y
        out[0, pair] = best
        out[1, pair] = nx
        out[2, pair] = ny
