"""Where segments first meet rounded outlines, pair by pair."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import F8, F8_1, F8_2, F8_3, F8_OUT3, I8, I8_1, I8_3, NONE, kernel
from ninthgeom_kernel.hit import SAME, is_crossed, meet_disc, meet_edge, to_edge


@kernel(NONE(F8_3, I8_3, F8_2, I8_1, F8_1, F8, F8_OUT3, I8, I8, I8, I8))
def first_hits(
    a: Any,
    b: Any,
    outline: Any,
    edges: Any,
    radii: Any,
    tol: float,
    out: Any,
    top: int,
    bottom: int,
    first: int,
    last: int,
) -> None:
    """Pair by pair.

    Arguments: segments a (4, 1 or S, n), indices b (1, 1 or S, n) of shapes, outline (6, E): edges of cores,
    material on the left, and their outward unit normals, edges (N + 1), where those of a shape begin,
    radii (N) in; tol in inches; out (S, n, 6), rows top to bottom, columns first to last. The segments are
    within tol of the shapes.
    Result: share of the segment at its first point in the shape, that point, the outward unit normal there,
    and the edge, counted from the shape's first, or -1 on a round corner. Of several edges at the point, the
    one that faces the segment most. Where no point is in the shape, the first one as near as any.
    Boundary: closed; points that are `SAME` are one. A start deeper than tol inside: normal (0, 0), edge -1.
    Degenerate: segments without length are points; edges without length are round with a radius, else edges.
    Reference: crossing numbers; Ericson, Real-Time Collision Detection, 5.1 and 5.3.
    """
    for row in range(top, bottom):
        for j in range(first, last):
            h = row if a.shape[1] > 1 else 0
            k = b[0, row if b.shape[1] > 1 else 0, j]
            radius = radii[k]
            x, y = a[0, h, j], a[1, h, j]
            dx, dy = a[2, h, j] - x, a[3, h, j] - y
            is_in_core = False
            squared = math.inf
            share = math.inf
            distance = math.inf
            nearest = 0.0
            for i in range(edges[k], edges[k + 1]):
                ax, ay, nx, ny = outline[0, i], outline[1, i], outline[4, i], outline[5, i]
                ex, ey = outline[2, i] - ax, outline[3, i] - ay
                is_in_core ^= is_crossed(x, y, ax, ay, outline[2, i], outline[3, i])
                squared = min(squared, to_edge(x, y, ax, ay, ex, ey)[0])
                common, off, at = meet_edge(x, y, dx, dy, ax + radius * nx, ay + radius * ny, ex, ey)
                share = min(share, common)
                is_first = (off < distance - SAME) | ((off <= distance + SAME) & (at < nearest))
                nearest = at if is_first else nearest
                distance = min(distance, off)
                if radius > 0.0:
                    common, off, at = meet_disc(x, y, dx, dy, ax, ay, radius)
                    share = min(share, common)
                    is_first = (off < distance - SAME) | ((off <= distance + SAME) & (at < nearest))
                    nearest = at if is_first else nearest
                    distance = min(distance, off)
            share = nearest if share > 1.0 else share
            depth = radius + (math.sqrt(squared) if is_in_core else -math.sqrt(squared))
            share = 0.0 if depth > 0.0 else share
            x, y = x + share * dx, y + share * dy
            # Where nothing better is found: a round corner round the nearest point of the core.
            normal_x, normal_y, edge = 0.0, 0.0, -1
            if depth <= tol:
                squared = math.inf
                for i in range(edges[k], edges[k + 1]):
                    ax, ay = outline[0, i], outline[1, i]
                    ex, ey = outline[2, i] - ax, outline[3, i] - ay
                    off, at = to_edge(x, y, ax, ay, ex, ey)
                    if off < squared:
                        squared = off
                        normal_x, normal_y = x - ax - at * ex, y - ay - at * ey
                distance = math.sqrt(squared)
                normal_x, normal_y = (
                    (normal_x / distance, normal_y / distance) if distance > 0.0 else (0.0, 0.0)
                )
                reach = abs(distance - radius) + SAME
                least = math.inf
                for i in range(edges[k], edges[k + 1]):
                    nx, ny = outline[4, i], outline[5, i]
                    ax, ay = outline[0, i] + radius * nx, outline[1, i] + radius * ny
                    ex, ey = outline[2, i] - outline[0, i], outline[3, i] - outline[1, i]
                    is_edge = (radius == 0.0) | (abs(ex) + abs(ey) > SAME)
                    turn = nx * dx + ny * dy
                    if (
                        is_edge
                        & (turn < least - SAME * (abs(dx) + abs(dy)))
                        & (to_edge(x, y, ax, ay, ex, ey)[0] <= reach * reach)
                    ):
                        least = turn
                        normal_x, normal_y, edge = nx, ny, i - edges[k]
            out[row, j, 0], out[row, j, 1], out[row, j, 2] = share, x, y
            out[row, j, 3], out[row, j, 4], out[row, j, 5] = normal_x, normal_y, edge
