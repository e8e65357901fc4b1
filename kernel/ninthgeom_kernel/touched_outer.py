"""The arcs of an observer that another base touches, every a with every b."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import F8, F8_3, I8, NONE, U1_OUT3, U8, kernel
from ninthgeom_kernel.arcs import (
    FRONT,
    LEFT,
    REAR,
    RIGHT,
    front_corners,
    lies_within,
    near_core,
    seen,
    touches_region,
)
from ninthgeom_kernel.bases import base_at


@kernel(NONE(F8_3, F8_3, F8, F8, U1_OUT3, I8, I8, U8, U8))
def touched_arcs(
    a: Any, b: Any, tol: float, dot: float, out: Any, top: int, bottom: int, first: int, last: int
) -> None:
    """Every a with every b.

    Arguments: observers a (7, 1 or S, n), others b (7, 1 or S, m) in; tol, and dot, the largest core of a
    disc, in inches; out (S, n, m), rows top to bottom of the S n of them, columns first to last.
    Result: sum of the arcs of a that b touches within tol, front 1, left 2, rear 4, right 8; 0: b within a.
    Boundary: closed; a corner of a belongs to two arcs.
    Degenerate: discs and points have a front arc only; segments are rectangles.
    Reference: separating axes and corner distances, as for two bases.
    """
    n = out.shape[1]
    for row in range(top, bottom):
        ax, ay, ac, as_, aa, ab, ar = base_at(a, row // n, row % n)
        answer = out[row // n, row % n]
        along = aa + ar
        across = ab + ar
        is_round = max(aa, ab) <= dot
        i = row // n if b.shape[1] > 1 else 0
        for j in range(first, last):
            ba, bb, br = b[4, i, j], b[5, i, j], b[6, i, j]
            u, v, c, s, is_crosswise = seen(ax, ay, ac, as_, b[0, i, j], b[1, i, j], b[2, i, j], b[3, i, j])
            e = bb if is_crosswise else ba
            f = ba if is_crosswise else bb
            p, q, t, w = front_corners(c, s, e, f)
            near = (br + tol) * (br + tol)
            # The same from the frame of the other base: its centre and the corners of the observer.
            x = c * u + s * v
            y = c * v - s * u
            g, o, k, m = front_corners(c, -s, along, across)
            front_left, rear_right = near_core(g, o, x, y, e, f, near)
            front_right, rear_left = near_core(k, m, x, y, e, f, near)
            nose = e - min(g, k)
            side = f - min(o, -m)
            front = touches_region(u - along, v, p, q, t, w, nose + x, across, near)
            left = touches_region(v - across, -u, -w, t, q, -p, side + y, along, near)
            rear = touches_region(-u - along, -v, p, q, t, w, nose - x, across, near)
            right = touches_region(-v - across, u, -w, t, q, -p, side - y, along, near)
            arcs = FRONT * (front | front_left | front_right) + LEFT * (left | front_left | rear_left)
            arcs += REAR * (rear | rear_left | rear_right) + RIGHT * (right | front_right | rear_right)
            reach = ar + tol - br
            is_inside = lies_within(u, v, p, q, t, w, aa, ab, reach, is_round)
            arcs = FRONT if is_round else arcs
            answer[j] = 0 if is_inside else arcs
