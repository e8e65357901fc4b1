"""Whether segments meet convex pieces of polygons."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8, F8_2, F8_OUT2, I8, I8_1, I8_2, NONE, U1_OUT1, kernel
from ninthgeom_kernel.crossing import (
    APART,
    BEST,
    CORNER_X,
    CORNER_Y,
    EDGES,
    FOUR,
    LEAST,
    MET,
    MOST,
    NORMAL_X,
    NORMAL_Y,
    OFFSET,
    OPEN,
    PLANE_X,
    PLANE_Y,
    START_X,
    START_Y,
    VECTOR,
    WAY_X,
    WAY_Y,
)


@kernel(NONE(I8_2, I8_1, F8_2, I8_1, I8_1, F8_2, F8, F8, I8, F8_OUT2, U1_OUT1))
def meet_pieces(
    groups: Any,
    order: Any,
    lanes: Any,
    pieces: Any,
    fours: Any,
    planes: Any,
    met: float,
    limit: float,
    start: int,
    found: Any,
    out: Any,
) -> None:
    """Compare sorted pairs with the pieces of their polygons.

    Arguments: groups (2, N), order (K), lanes (6, K) as sorted, pieces (N + 1), where those of a polygon
    begin, fours (P + 1), where those of a piece begin, counted in fours of edges, planes (E, 5) of edges, the
    last edge of a piece repeated up to its last four, met and limit in inches, start, the pair of the first
    answer, in; scratch (4, K); out (n).
    Result: met 1 if the separation from some piece is at most met, open 2 if at most limit, else apart 0.
    Boundary: closed.
    Degenerate: segments without length are points.
    Reference: separating axis theorem: the edges' normals and the segment's.
    """
    for k in range(groups.shape[1]):
        count = groups[0, k]
        if count == 0:
            continue
        begin = groups[1, k] - count
        part = slice(begin, begin + (count + VECTOR - 1) // VECTOR * VECTOR)
        x, y, dx, dy = lanes[START_X, part], lanes[START_Y, part], lanes[WAY_X, part], lanes[WAY_Y, part]
        nx, ny = lanes[NORMAL_X, part], lanes[NORMAL_Y, part]
        edges, least, most, best = (
            found[EDGES, part],
            found[LEAST, part],
            found[MOST, part],
            found[BEST, part],
        )
        for j in range(len(x)):
            edges[j] = -math.inf
            least[j] = math.inf
            most[j] = -math.inf
            best[j] = math.inf
        for piece in range(pieces[k], pieces[k + 1]):
            for i in range(FOUR * fours[piece], FOUR * fours[piece + 1], FOUR):
                a0, b0, c0 = planes[i, PLANE_X], planes[i, PLANE_Y], planes[i, OFFSET]
                a1, b1, c1 = planes[i + 1, PLANE_X], planes[i + 1, PLANE_Y], planes[i + 1, OFFSET]
                a2, b2, c2 = planes[i + 2, PLANE_X], planes[i + 2, PLANE_Y], planes[i + 2, OFFSET]
                a3, b3, c3 = planes[i + 3, PLANE_X], planes[i + 3, PLANE_Y], planes[i + 3, OFFSET]
                p0, q0 = planes[i, CORNER_X], planes[i, CORNER_Y]
                p1, q1 = planes[i + 1, CORNER_X], planes[i + 1, CORNER_Y]
                p2, q2 = planes[i + 2, CORNER_X], planes[i + 2, CORNER_Y]
                p3, q3 = planes[i + 3, CORNER_X], planes[i + 3, CORNER_Y]
                for j in range(len(x)):
                    s0 = a0 * x[j] + b0 * y[j] - c0 + min(a0 * dx[j] + b0 * dy[j], 0.0)
                    s1 = a1 * x[j] + b1 * y[j] - c1 + min(a1 * dx[j] + b1 * dy[j], 0.0)
                    s2 = a2 * x[j] + b2 * y[j] - c2 + min(a2 * dx[j] + b2 * dy[j], 0.0)
                    s3 = a3 * x[j] + b3 * y[j] - c3 + min(a3 * dx[j] + b3 * dy[j], 0.0)
                    t0 = nx[j] * p0 + ny[j] * q0
                    t1 = nx[j] * p1 + ny[j] * q1
                    t2 = nx[j] * p2 + ny[j] * q2
                    t3 = nx[j] * p3 + ny[j] * q3
                    edges[j] = max(edges[j], s0, s1, s2, s3)
                    least[j] = min(least[j], t0, t1, t2, t3)
                    most[j] = max(most[j], t0, t1, t2, t3)
            for j in range(len(x)):
                line = nx[j] * x[j] + ny[j] * y[j]
                best[j] = min(best[j], max(edges[j], least[j] - line, line - most[j]))
                edges[j] = -math.inf
                least[j] = math.inf
                most[j] = -math.inf
        for j in range(count):
            out[order[begin + j] - start] = MET if best[j] <= met else OPEN if best[j] <= limit else APART
