"""Distances of bases or polygons from polygons, by their convex pieces."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_2, F8_3, F8_OUT2, I8, I8_1, NONE, kernel
from ninthgeom_kernel.pieces import place_base, place_piece, squared_apart, squared_off_box


@kernel(
    NONE(
        F8_3, F8_3, I8, F8_2, I8_1, I8_1, F8_2, F8_2, I8_1, I8_1, F8, F8, I8, F8_OUT2, F8_OUT2, BOOL_OUT2,
        I8, I8, I8, I8,
    )
)  # fmt: skip
def distances(
    a: Any,
    b: Any,
    n: int,
    a_corners: Any,
    a_starts: Any,
    a_first: Any,
    b_corners: Any,
    b_boxes: Any,
    b_starts: Any,
    b_first: Any,
    limit: float,
    enough: float,
    more: int,
    piece: Any,
    out: Any,
    is_within: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (7, 1 or S, n) bases or (1, 1 or S, n) numbers of polygons; b (1, 1 or S, m) numbers of
    polygons; corners (2, V), starts (P + 1) of pieces among them, first (N + 1) pieces of polygons; boxes
    (4, P) round b's pieces; limit, beyond which distances need not be known, and enough, up to which they
    need not, in inches; more, 1 where pairs already known to be within limit are left; scratch (2, longest
    piece or 4); out (S or S n, m) distances or is_within of the same shape, the other without columns; rows
    top to bottom, columns first to last.
    Result: distance of a from b, 0 up to enough; is_within: whether it is at most limit.
    Boundary: closed.
    Degenerate: polygons without pieces are infinitely far; segments and points are bases.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            if more > 0 and is_within[row, column]:
                continue
            i = row - s * n if n > 0 else column
            polygon = int(b[0, sb, column])
            b_from = b_first[polygon]
            b_to = b_first[polygon + 1]
            radius = 0.0
            a_from = 0
            a_to = 1
            if a.shape[0] > 1:
                radius = a[6, sa, i]
            else:
                other = int(a[0, sa, i])
                a_from = a_first[other]
                a_to = a_first[other + 1]
            reach = limit + radius
            close = max(enough + radius, 0.0)
            most = reach * reach
            nearest = math.inf
            for own in range(a_from, a_to if b_from < b_to else a_from):
                x = b_corners[0, b_starts[b_from]]
                y = b_corners[1, b_starts[b_from]]
                if a.shape[0] > 1:
                    size = place_base(a, sa, i, x, y, piece)
                else:
                    size = place_piece(a_corners, a_starts[own], a_starts[own + 1], x, y, piece)
                for k in range(b_from, b_to):
                    if squared_off_box(piece, size, b_boxes, k, x, y) <= min(nearest, most):
                        squared = squared_apart(
                            piece, size, b_corners, b_starts[k], b_starts[k + 1], x, y, min(nearest, most)
                        )
                        nearest = min(nearest, squared)
                        if nearest <= close * close:
                            break
                if nearest <= close * close:
                    break
            distance = math.sqrt(nearest) - radius
            if out.shape[1] > 0:
                out[row, column] = distance if distance > enough else 0.0
            else:
                is_within[row, column] = distance <= limit
