"""Which models of units in contact are so across gaps, or with a round base straight ahead."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import (
    BOOL_2,
    BOOL_OUT1,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT2,
    F8_OUT3,
    I8,
    I8_1,
    I8_2,
    NONE,
    U2_OUT1,
    kernel,
    scalar,
)
from ninthgeom_kernel.ahead import (
    CORNERS,
    LEFT_END,
    RIGHT_END,
    TOP,
    is_line_free,
    mark_covered,
    normal,
    put_base,
    put_unit,
    reached,
    set_limits,
)
from ninthgeom_kernel.facing import COSINE

TOUCH, GAP, ROUND = 1, 2, 3
NONE_BLOCK, INTERIORS_BLOCK, TOUCHES_BLOCK = 0, 1, 2
# Below this sine facings are parallel, and lines from both are the same.
PARALLEL = 1e-9
# Lines that only touch are told from those that do not by a little more than the tolerance.
GROWN = 1.0 + 1e-6


@scalar
def put_others(
    shapes: Any,
    limits: Any,
    first: int,
    p: int,
    q: int,
    nx: float,
    ny: float,
    left: float,
    right: float,
    state: int,
    positions: Any,
    boundaries: Any,
    slots: Any,
    living: Any,
    units: Any,
    there: Any,
    stops: bool,
    rim: float,
) -> int:
    """Put other units that lie between left and right of the frame of p there; return the number of shapes.

    As their boundaries where lines stop at those, else model by model.
    """
    row = state if living.shape[0] > 1 else 0
    here = state if there.shape[0] > 1 else 0
    reach = 0.0
    for i in range(2):
        u = q if i else p
        reach += 2.0 * (boundaries[4, state, u] + boundaries[5, state, u] + boundaries[6, state, u])
    for u in range(boundaries.shape[2]):
        dx = boundaries[0, state, u] - boundaries[0, state, p]
        dy = boundaries[1, state, u] - boundaries[1, state, p]
        most = reach + boundaries[4, state, u] + boundaries[5, state, u] + boundaries[6, state, u]
        if (u == p) | (u == q) | (not there[here, u]) | (dx * dx + dy * dy > most * most):
            continue
        cos = boundaries[2, state, u]
        sin = boundaries[3, state, u]
        last = first
        if stops:
            dx = boundaries[0, state, u] - positions[state, p, 0]
            dy = boundaries[1, state, u] - positions[state, p, 1]
            put_base(
                shapes,
                limits,
                first,
                ny * dx - nx * dy,
                nx * dx + ny * dy,
                ny * cos - nx * sin,
                nx * cos + ny * sin,
                boundaries[4, state, u],
                boundaries[5, state, u],
                boundaries[6, state, u],
                rim,
            )
            last += 1
        else:
            dx = positions[state, u, 0] - positions[state, p, 0]
            dy = positions[state, u, 1] - positions[state, p, 1]
            start, end = units[0, u], units[1, u]
            put_unit(
                shapes, limits, first, slots, living, row, start, end, dx, dy, cos, sin, nx, ny, rim
            )
            last += end - start
        is_near = False
        for k in range(first, last):
            is_near |= (limits[LEFT_END, k] < right) & (limits[RIGHT_END, k] > left)
        first = last if is_near else first
    return first


@kernel(
    NONE(
        I8_2, F8_3, F8_3, F8_2, BOOL_2, I8_2, F8_1, BOOL_2, F8_3, I8_1,
        I8, I8, I8, F8, F8, F8_OUT3, F8_OUT2, BOOL_OUT1, U2_OUT1,
    )
)  # fmt: skip
def gap_contacts(
    pairs: Any,
    positions: Any,
    boundaries: Any,
    slots: Any,
    living: Any,
    units: Any,
    spacing: Any,
    there: Any,
    parts: Any,
    counts: Any,
    blocking: int,
    stops: int,
    is_open: int,
    cosine: float,
    tol: float,
    shapes: Any,
    limits: Any,
    covered: Any,
    codes: Any,
) -> None:
    """All models of all pairs of units in contact.

    Arguments: pairs, positions, boundaries, slots, living, units, cosine, tol and codes as in
    `model_touches`, which comes first; spacing (U) between the models of a unit; there (1 or S, U) which
    units are; parts (2, P, V) and counts (P): convex parts of terrain that stops lines, eroded by tol
    unless touching stops; blocking: 0 bases do not, 1 their interior stops lines, 2 their touch does; stops: whether
    boundaries of other units and terrain do; is_open: whether what is straight ahead of a round base shares
    more than a point with it; shapes (2, N, V), limits (7, N), covered (N): scratch.
    Result: 2, across a gap, or 3, with a round base, + 16 facing of the first + 256 facing of the second model.
    Boundary: within tol the ends of edges are ends of lines; shapes are passed no deeper than tol inside.
    Degenerate: what touches already stays; two round bases are in contact.
    Reference: free lines begin where a shape ends.
    """
    for e in range(pairs.shape[1]):
        state, first = pairs[0, e], pairs[3, e]
        row = state if living.shape[0] > 1 else 0
        for way in range(2):
            p, q = pairs[1 + way, e], pairs[2 - way, e]
            is_p_round = boundaries[6, state, p] > 0.0
            is_round = boundaries[6, state, q] > 0.0
            if is_p_round & is_round:
                codes[first] = ROUND + 16 + 256
            if is_p_round:
                continue
            n_p, n_q = units[1, p] - units[0, p], units[1, q] - units[0, q]
            n = n_p + n_q
            p_cos, p_sin = boundaries[2, state, p], boundaries[3, state, p]
            q_cos, q_sin = boundaries[2, state, q], boundaries[3, state, q]
            dx = positions[state, q, 0] - positions[state, p, 0]
            dy = positions[state, q, 1] - positions[state, p, 1]
            closed = 2 if (blocking == TOUCHES_BLOCK) else 1
            rim = -tol * GROWN if closed == 2 else tol
            own_rim = rim if (blocking != NONE_BLOCK) | is_round else 1e300
            for k in range(4):
                nx, ny = normal(p_cos, p_sin, k)
                for f in range(4):
                    if ((pairs[4 + way, e] >> k) & (pairs[5 - way, e] >> f) & 1) == 0:
                        continue
                    if not is_round:
                        qx, qy = normal(q_cos, q_sin, f)
                        is_parallel = abs(nx * qy - ny * qx) <= PARALLEL
                        if (nx * qx + ny * qy > COSINE - cosine) | ((way == 1) & is_parallel):
                            continue
                        put_unit(
                            shapes, limits, n_p, slots, living, row, units[0, q], units[1, q],
                            0.0, 0.0, q_cos, q_sin, qx, qy, own_rim,
                        )  # fmt: skip
                        mark_covered(limits, n_p, n_q, spacing[q], tol, covered)
                    else:
                        covered[n_p] = False
                    put_unit(
                        shapes, limits, 0, slots, living, row, units[0, p], units[1, p],
                        0.0, 0.0, p_cos, p_sin, nx, ny, own_rim,
                    )  # fmt: skip
                    mark_covered(limits, 0, n_p, spacing[p], tol, covered)
                    put_unit(
                        shapes, limits, n_p, slots, living, row, units[0, q], units[1, q],
                        dx, dy, q_cos, q_sin, nx, ny, own_rim,
                    )  # fmt: skip
                    left, right = 1e300, -1e300
                    for i in range(n_p):
                        if limits[CORNERS, i] > 0.0:
                            left = min(left, limits[LEFT_END, i])
                            right = max(right, limits[RIGHT_END, i])
                    n_shapes = n
                    if (stops != 0) | (own_rim < 1e300):
                        n_shapes = put_others(
                            shapes, limits, n, p, q, nx, ny, left, right, state, positions, boundaries, slots,
                            living, units, there, stops != 0, rim,
                        )  # fmt: skip
                    for part in range(parts.shape[1]):
                        for i in range(counts[part]):
                            x = parts[0, part, i] - positions[state, p, 0]
                            y = parts[1, part, i] - positions[state, p, 1]
                            shapes[0, n_shapes, i] = ny * x - nx * y
                            shapes[1, n_shapes, i] = nx * x + ny * y
                        part_rim = rim if closed == 2 else 0.0
                        set_limits(shapes, limits, n_shapes, counts[part], 0.0, part_rim)
                        is_near = (limits[LEFT_END, n_shapes] < right) & (limits[RIGHT_END, n_shapes] > left)
                        n_shapes += 1 if is_near else 0
                    for i in range(n_p):
                        if covered[i] | (limits[CORNERS, i] == 0.0):
                            continue
                        for j in range(n_p, n):
                            if covered[j] | (limits[CORNERS, j] == 0.0):
                                continue
                            at = first + (i * n_q + j - n_p if way == 0 else (j - n_p) * n_p + i)
                            if codes[at] & 15 == TOUCH:
                                continue
                            low, high = limits[LEFT_END, j], limits[RIGHT_END, j]
                            if not is_round:
                                low = min(shapes[0, j, f], shapes[0, j, (f + 3) % 4])
                                high = max(shapes[0, j, f], shapes[0, j, (f + 3) % 4])
                            low = max(low, limits[LEFT_END, i])
                            high = min(high, limits[RIGHT_END, i])
                            middle = 0.5 * (low + high)
                            inner = 0.0
                            if is_round & (is_open != 0):
                                if high - low <= tol:
                                    continue
                                inner = 2.0 * tol
                            if high - low < -tol:
                                continue
                            low = min(low + inner, middle)
                            high = max(high - inner, middle)
                            edge = -1 if is_round else f
                            if reached(shapes, limits, j, edge, middle, tol) < limits[TOP, i] - tol:
                                continue
                            if is_line_free(shapes, limits, n_shapes, i, j, edge, low, high, tol):
                                flags = (16 << k) + (256 << f) if way == 0 else (256 << k) + (16 << f)
                                codes[at] = (codes[at] & 4080) | flags | (ROUND if is_round else GAP)
