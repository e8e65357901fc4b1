"""Distances of shapes made of convex pieces, bases and polygons."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT2, F8, F8_1, F8_2, F8_OUT2, I8, I8_1, I8_3, NONE, kernel
from ninthgeom_kernel.pieces import (
    CLEAR,
    centre_of,
    off_planes,
    place_piece,
    squared_apart,
    squared_off_box,
)


@kernel(
    NONE(
        I8_3, I8_3, I8, F8_2, I8_1, I8_1, F8_1, F8_2, I8_1, I8_1, F8_2, F8_2, F8, F8, I8, F8_OUT2, F8_OUT2,
        F8_OUT2, BOOL_OUT2, I8, I8, I8, I8,
    )
)  # fmt: skip
def distances(
    a: Any,
    b: Any,
    n: int,
    a_corners: Any,
    a_starts: Any,
    a_first: Any,
    a_radii: Any,
    b_corners: Any,
    b_starts: Any,
    b_first: Any,
    b_boxes: Any,
    b_planes: Any,
    limit: float,
    enough: float,
    more: int,
    piece: Any,
    other: Any,
    out: Any,
    is_within: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair where n is 0, else every a with every b.

    Arguments: a (1, 1 or S, n) and b (1, 1 or S, m) numbers of shapes; of either the corners (2, V), the
    starts (P + 1) of pieces among them and the first (N + 1) pieces of shapes; radii (N) of a's shapes; boxes
    (4, P) round b's pieces and planes (3, V) of their edges; limit, beyond which distances need not be known,
    and enough, up to which they need not, in inches; more, 1 where pairs already known to be within limit are
    left; scratch (2, longest piece), of either side; out (S or S n, m) distances or is_within of the same
    shape, the other without columns; rows top to bottom, columns first to last.
    Result: distance of a from b, 0 up to enough; is_within: whether it is at most limit.
    Boundary: closed.
    Degenerate: shapes without pieces are infinitely far; pieces may be segments and points.
    Reference: separating axis theorem, distances from corners to edges.
    """
    for row in range(top, bottom):
        s = row // n if n > 0 else row
        sa = s if a.shape[1] > 1 else 0
        sb = s if b.shape[1] > 1 else 0
        for column in range(first, last):
            if more > 0 and is_within[row, column]:
                continue
            i = a[0, sa, row - s * n if n > 0 else column]
            j = b[0, sb, column]
            radius = a_radii[i]
            most = (limit + radius) * (limit + radius)
            close = (enough + radius) * (enough + radius)
            nearest = math.inf
            x = y = 0.0
            if b_first[j] < b_first[j + 1]:
                x = b_corners[0, b_starts[b_first[j]]]
                y = b_corners[1, b_starts[b_first[j]]]
            for own in range(a_first[i], a_first[i + 1]):
                size, low_x, low_y, high_x, high_y = place_piece(
                    a_corners, a_starts[own], a_starts[own + 1], x, y, piece
                )
                px, py, reach = centre_of(piece, size)
                for k in range(b_first[j], b_first[j + 1]):
                    most = min(nearest, most)
                    if squared_off_box(low_x, low_y, high_x, high_y, b_boxes, k, x, y) > most:
                        continue
                    # Where its centre is tells about most pieces whether they meet, or are too far apart.
                    off = off_planes(x + px, y + py, b_planes, b_starts[k], b_starts[k + 1])
                    if off < -CLEAR:
                        nearest = 0.0
                    elif off - reach <= CLEAR or (off - reach - CLEAR) * (off - reach - CLEAR) <= most:
                        other_size = place_piece(b_corners, b_starts[k], b_starts[k + 1], x, y, other)[0]
                        nearest = min(nearest, squared_apart(piece, size, other, other_size, most))
                    if nearest <= close:
                        break
                if nearest <= close:
                    break
            distance = math.sqrt(nearest) - radius
            if out.shape[1] > 0:
                out[row, column] = distance if distance > enough else 0.0
            else:
                is_within[row, column] = distance <= limit
