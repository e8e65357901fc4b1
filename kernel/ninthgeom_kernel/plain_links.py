"""Links that are plain to see: lines between centres from which everything keeps off, gaps among it.

Nearly all models stand round their leader with nothing between, and to find that out takes no gates. A gap
narrower than a width that a line passes has one piece on either side of the line, or ahead of an end, and the
distances of both from the line are together less than the width. Where no two pieces are so near, no gap is.

Lines found here keep clear of everything that counts by more than the tolerance, so no boundary case hangs on
them; what they leave open is asked again exactly.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import (
    BOOL,
    BOOL_2,
    BOOL_OUT2,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT2,
    I8_1,
    I8_2,
    I8_OUT1,
    NONE,
    kernel,
    scalar,
)

# What is no further from the straight continuation of a line than this, in tolerances, is on both its sides;
# gaps are taken for wider by as much, since they are continued a little into the pieces at both ends.
RIM = 32.0
# Lines keep further from all pieces than this, in tolerances.
OFF = 2.0


@scalar
def base_beside(
    columns: Any, s: int, u: int, ahead: float, off: float, ex: float, ey: float, half: float
) -> tuple[float, float, float]:
    """Least distance of a base from a line at least, and from where to where it is beside the line.

    Where its centre is ahead of the middle of the line and off it is given, and half the length; off is more
    than 0 to the left. The distance is that of a box round the core, along the line: of discs it is exact.
    """
    cos = abs(ex * columns[2, s, u] + ey * columns[3, s, u])
    sin = abs(ex * columns[3, s, u] - ey * columns[2, s, u])
    along = columns[4, s, u]
    across = columns[5, s, u]
    radius = columns[6, s, u]
    aside = sin * along + cos * across
    beside = max(0.0, abs(off) - aside)
    beyond = max(0.0, abs(ahead) - half - cos * along - sin * across)
    return math.sqrt(beside * beside + beyond * beyond) - radius, off - aside - radius, off + aside + radius


@scalar
def piece_beside(
    pieces: Any, k: int, x: float, y: float, ex: float, ey: float, length: float
) -> tuple[float, float, float]:
    """Of a convex polygon what `base_beside` says of a base; the distance is one along some normal."""
    low = math.inf
    high = -math.inf
    apart = 0.0
    for i in range(pieces.shape[2]):
        dx = pieces[k, 0, i] - x
        dy = pieces[k, 1, i] - y
        nx = pieces[k, 2, i]
        ny = pieces[k, 3, i]
        off = ex * dy - ey * dx
        low = min(low, off)
        high = max(high, off)
        outside = -nx * dx - ny * dy
        apart = max(apart, min(outside, outside + length * (nx * ex + ny * ey)))
    beside = max(low, -high)
    return max(apart, beside), low, high


@scalar
def is_plain(
    columns: Any,
    s: int,
    one: int,
    other: int,
    pieces: Any,
    near: Any,
    circles: Any,
    first: int,
    last: int,
    width: float,
    tol: float,
) -> bool:
    """Tell whether a line is surely free of the pieces near by, and of gaps narrower than a width."""
    x = columns[0, s, one]
    y = columns[1, s, one]
    ex = columns[0, s, other] - x
    ey = columns[1, s, other] - y
    length = math.sqrt(ex * ex + ey * ey)
    # a line of no length has no direction: whatever is near is taken to be on it
    scale = 1.0 / length if length > 0.0 else 0.0
    ex *= scale
    ey *= scale
    wide = width + RIM * tol
    left = math.inf
    right = math.inf
    both = math.inf
    half = 0.5 * length
    rim = RIM * tol
    n_pieces = pieces.shape[0]
    for k in range(first, last):
        dx = circles[k, 0] - x
        dy = circles[k, 1] - y
        ahead = ex * dx + ey * dy
        off = ex * dy - ey * dx
        reach = circles[k, 2] + wide
        if abs(off) < reach and abs(ahead - half) < half + reach:
            if near[k] < n_pieces:
                apart, low, high = piece_beside(pieces, near[k], x, y, ex, ey, length)
            else:
                apart, low, high = base_beside(
                    columns, s, near[k] - n_pieces, ahead - half, off, ex, ey, half
                )
            across = both
            if low <= rim:
                across = min(across, left)
            if high >= -rim:
                across = min(across, right)
            if apart <= OFF * tol or apart + across < wide:
                return False
            if low > rim:
                left = min(left, apart)
            elif high < -rim:
                right = min(right, apart)
            else:
                both = min(both, apart)
    return True


@scalar
def is_reached(
    low_x: float, low_y: float, high_x: float, high_y: float, x: float, y: float, radius: float
) -> bool:
    """Tell whether the box round a circle meets a box."""
    meets: bool = (
        x + radius >= low_x and y + radius >= low_y and x - radius <= high_x and y - radius <= high_y
    )
    return meets


@kernel(BOOL(F8_3, I8_1, I8_1, BOOL_2, I8_2, F8_1, F8_2, F8, F8_OUT2, I8_OUT1, I8_OUT1, F8_OUT2))
def pieces_near(
    columns: Any,
    order: Any,
    starts: Any,
    present: Any,
    leaders: Any,
    widths: Any,
    rounds: Any,
    tol: float,
    boxes: Any,
    begin: Any,
    near: Any,
    circles: Any,
) -> bool:
    """Pieces near groups: those that plain links may have to keep off.

    Arguments: columns of bases (7, S, U); order (U), the units of one group after the other, and starts
    (G + 1), where each group begins in it; present (S, U); leaders (S, G), -1 where nothing is asked; widths
    (U), the gap that each unit needs as a leader, below 0 if it flies; rounds (P, 3), circles about convex
    pieces of terrain: middle, radius; tol; boxes (4, G), scratch.
    Result: near (n,), numbers of pieces, P and more for bases, and circles (n, 3) about them; begin
    (S * G + 1), where those of each group of each state begin. Returns False if near has too little room.
    Boundary rule: closed. Degenerate: nothing is near those who fly. Reference: none; boxes of groups, then
    circles.
    """
    n_pieces = rounds.shape[0]
    n_groups = starts.shape[0] - 1
    n = 0
    begin[0] = 0
    for s in range(columns.shape[1]):
        for g in range(n_groups):
            for row in range(2):
                low = math.inf
                high = -math.inf
                for k in range(starts[g], starts[g + 1]):
                    u = order[k]
                    if present[s, u]:
                        reach = columns[4, s, u] + columns[5, s, u] + columns[6, s, u]
                        low = min(low, columns[row, s, u] - reach)
                        high = max(high, columns[row, s, u] + reach)
                boxes[row, g] = low
                boxes[2 + row, g] = high
        for g in range(n_groups):
            leader = leaders[s, g]
            if leader >= 0 and widths[leader] >= 0.0:
                if n + n_pieces + order.shape[0] > near.shape[0]:
                    return False
                wide = max(widths[leader], tol) + RIM * tol
                low_x = boxes[0, g] - wide
                low_y = boxes[1, g] - wide
                high_x = boxes[2, g] + wide
                high_y = boxes[3, g] + wide
                for k in range(n_pieces):
                    if is_reached(low_x, low_y, high_x, high_y, rounds[k, 0], rounds[k, 1], rounds[k, 2]):
                        near[n] = k
                        for row in range(3):
                            circles[n, row] = rounds[k, row]
                        n += 1
                for h in range(n_groups):
                    if (
                        h != g
                        and low_x <= boxes[2, h]
                        and boxes[0, h] <= high_x
                        and low_y <= boxes[3, h]
                        and boxes[1, h] <= high_y
                    ):
                        for k in range(starts[h], starts[h + 1]):
                            u = order[k]
                            reach = columns[4, s, u] + columns[5, s, u] + columns[6, s, u]
                            if present[s, u] and is_reached(
                                low_x, low_y, high_x, high_y, columns[0, s, u], columns[1, s, u], reach
                            ):
                                near[n] = n_pieces + u
                                circles[n, 0] = columns[0, s, u]
                                circles[n, 1] = columns[1, s, u]
                                circles[n, 2] = reach
                                n += 1
            begin[s * n_groups + g + 1] = n
    return True


@kernel(NONE(F8_3, I8_1, I8_1, I8_2, F8_1, F8_3, I8_1, I8_1, F8_2, F8, I8_OUT1, BOOL_OUT2, BOOL_OUT2))
def plain_links(
    columns: Any,
    order: Any,
    starts: Any,
    leaders: Any,
    widths: Any,
    pieces: Any,
    begin: Any,
    near: Any,
    circles: Any,
    tol: float,
    queue: Any,
    linked: Any,
    left: Any,
) -> None:
    """Which models a chain of plain links joins to their leader.

    Arguments: as in `pieces_near`, and what it found; pieces (P, 4, W), corners x and y of the convex pieces,
    and normals of the sides that begin there, outward, 0 where a corner is repeated; queue (U,), scratch.
    Result: linked (S, U), True of the absent to begin with, written where it becomes True; left (S, G), where
    some models are not. Boundary rule: none; a link that is found is one, others there may be too.
    Degenerate: links of flying leaders pass everything. Reference: separating axis theorem.
    """
    n_groups = starts.shape[0] - 1
    for s in range(columns.shape[1]):
        for g in range(n_groups):
            left[s, g] = False
            leader = leaders[s, g]
            if leader < 0:
                continue
            first = begin[s * n_groups + g]
            last = begin[s * n_groups + g + 1]
            width = max(widths[leader], tol)
            linked[s, leader] = True
            n_missing = 0
            for k in range(starts[g], starts[g + 1]):
                n_missing += not linked[s, order[k]]
            queue[0] = leader
            n_linked = 1
            head = 0
            while head < n_linked and n_missing > 0:
                u = queue[head]
                head += 1
                for k in range(starts[g], starts[g + 1]):
                    v = order[k]
                    if not linked[s, v] and is_plain(
                        columns, s, u, v, pieces, near, circles, first, last, width, tol
                    ):
                        linked[s, v] = True
                        queue[n_linked] = v
                        n_linked += 1
                        n_missing -= 1
            left[s, g] = n_missing > 0
