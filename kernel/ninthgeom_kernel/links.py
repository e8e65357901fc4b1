"""Links between the models of one group: what is near, who is in reach, and lines that are free for certain.

A *scene* is one group in one state. Lines found here keep clear of everything that counts by more than the
tolerance, so no boundary case hangs on them; pairs that they leave open are asked again exactly.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import (
    BOOL,
    BOOL_2,
    BOOL_OUT1,
    BOOL_OUT2,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT3,
    I8_1,
    I8_OUT1,
    I8_OUT2,
    NONE,
    kernel,
    scalar,
)
from ninthgeom_kernel.bases import corners_to_core, mirrored_pose, signed_gap


@scalar
def half_sides(columns: Any, s: int, u: int) -> tuple[float, float]:
    """Half the sides of the box along the axes round a base."""
    cos = abs(columns[2, s, u])
    sin = abs(columns[3, s, u])
    along = columns[4, s, u]
    across = columns[5, s, u]
    radius = columns[6, s, u]
    return cos * along + sin * across + radius, sin * along + cos * across + radius


@scalar
def is_box_near(boxes: Any, s: int, g: int, x: float, y: float, half_x: float, half_y: float) -> bool:
    """Tell whether a box, given by centre and half sides, meets that of a group."""
    is_near: bool = (
        x + half_x >= boxes[0, s, g]
        and y + half_y >= boxes[1, s, g]
        and x - half_x <= boxes[2, s, g]
        and y - half_y <= boxes[3, s, g]
    )
    return is_near


@scalar
def gap_between(a: Any, h: int, i: int, b: Any, k: int, j: int) -> float:
    """Signed gap of two bases."""
    u, v, p, q, c, s, a_turn, b_turn = mirrored_pose(
        a[0, h, i], a[1, h, i], a[2, h, i], a[3, h, i], b[0, k, j], b[1, k, j], b[2, k, j], b[3, k, j]
    )
    axes, squared = corners_to_core(u, v, c, s, a_turn, a[4, h, i], a[5, h, i], b[4, k, j], b[5, k, j])
    b_axes, b_squared = corners_to_core(p, q, c, s, b_turn, b[4, k, j], b[5, k, j], a[4, h, i], a[5, h, i])
    return signed_gap(axes, squared, b_axes, b_squared, a[6, h, i] + b[6, k, j])


@kernel(NONE(F8_3, I8_1, I8_1, BOOL_2, F8_OUT3))
def group_boxes(columns: Any, order: Any, starts: Any, present: Any, out: Any) -> None:
    """Boxes round the bases of each group.

    Arguments: columns of bases (7, S, U); order (U), the units of one group after the other, and starts
    (G + 1), where each group begins in it; present (S, U). Result: out (4, S, G), least x and y, largest x
    and y. Boundary rule: none. Degenerate: a group without models has a box from inf to -inf.
    """
    for s in range(columns.shape[1]):
        for g in range(starts.shape[0] - 1):
            least_x = math.inf
            least_y = math.inf
            most_x = -math.inf
            most_y = -math.inf
            for k in range(starts[g], starts[g + 1]):
                u = order[k]
                if present[s, u]:
                    half_x, half_y = half_sides(columns, s, u)
                    least_x = min(least_x, columns[0, s, u] - half_x)
                    least_y = min(least_y, columns[1, s, u] - half_y)
                    most_x = max(most_x, columns[0, s, u] + half_x)
                    most_y = max(most_y, columns[1, s, u] + half_y)
            out[0, s, g] = least_x
            out[1, s, g] = least_y
            out[2, s, g] = most_x
            out[3, s, g] = most_y


@kernel(BOOL(F8_3, F8_3, I8_1, I8_1, I8_1, BOOL_2, F8, I8_OUT2, I8_OUT1))
def close_enemies(
    columns: Any,
    boxes: Any,
    order: Any,
    starts: Any,
    side: Any,
    can_meet: Any,
    reach: float,
    pairs: Any,
    count: Any,
) -> bool:
    """Pairs of enemies of different groups whose bases are near each other.

    Arguments: columns of bases (7, S, U); boxes, order and starts as `group_boxes` has them; side (U);
    can_meet (S, U), who counts at all; reach. Result: pairs (n, 3), state and two units, sorted by state;
    count (1,), how many. Returns False if pairs has too little room. Boundary rule: closed. Degenerate: bases
    that overlap are near.
    """
    found = 0
    for s in range(columns.shape[1]):
        for g in range(starts.shape[0] - 1):
            for h in range(g + 1, starts.shape[0] - 1):
                if not (
                    boxes[0, s, g] <= boxes[2, s, h] + reach
                    and boxes[0, s, h] <= boxes[2, s, g] + reach
                    and boxes[1, s, g] <= boxes[3, s, h] + reach
                    and boxes[1, s, h] <= boxes[3, s, g] + reach
                ):
                    continue
                for a in range(starts[g], starts[g + 1]):
                    u = order[a]
                    if not can_meet[s, u]:
                        continue
                    half_x, half_y = half_sides(columns, s, u)
                    x = columns[0, s, u]
                    y = columns[1, s, u]
                    if not is_box_near(boxes, s, h, x, y, half_x + reach, half_y + reach):
                        continue
                    for b in range(starts[h], starts[h + 1]):
                        v = order[b]
                        if (
                            can_meet[s, v]
                            and side[u] != side[v]
                            and gap_between(columns, s, u, columns, s, v) <= reach
                        ):
                            if found == pairs.shape[0]:
                                return False
                            pairs[found, 0] = s
                            pairs[found, 1] = u
                            pairs[found, 2] = v
                            found += 1
    count[0] = found
    return True


@kernel(NONE(F8_3, F8_3, I8_1, I8_1, F8_1, I8_1, BOOL_2, F8_2, BOOL_OUT2, BOOL_OUT2))
def near_scenes(
    columns: Any,
    boxes: Any,
    state: Any,
    group: Any,
    width: Any,
    group_of: Any,
    present: Any,
    bounds: Any,
    bases: Any,
    outlines: Any,
) -> None:
    """Which bases of other groups and which outlines lie so near a group that they may matter.

    Arguments: columns of bases (7, S, U); boxes (4, S, G) round the groups; of each scene state, group and
    width (Q), how near; group_of (U); present (S, U); bounds (P, 4) of the outlines, least and largest x and
    y. Result: bases (Q, U) and outlines (Q, P). Boundary rule: closed. Degenerate: nothing is near a group
    without models.
    """
    for q in range(state.shape[0]):
        s = state[q]
        g = group[q]
        w = width[q]
        for u in range(columns.shape[2]):
            is_near = present[s, u] and group_of[u] != g
            if is_near:
                half_x, half_y = half_sides(columns, s, u)
                is_near = is_box_near(boxes, s, g, columns[0, s, u], columns[1, s, u], half_x + w, half_y + w)
            bases[q, u] = is_near
        for k in range(bounds.shape[0]):
            outlines[q, k] = (
                bounds[k, 2] + w >= boxes[0, s, g]
                and bounds[k, 3] + w >= boxes[1, s, g]
                and bounds[k, 0] - w <= boxes[2, s, g]
                and bounds[k, 1] - w <= boxes[3, s, g]
            )


@scalar
def is_off(
    ends: Any, row: int, ex: float, ey: float, length: float, vertices: Any, k: int, circles: Any, tol: float
) -> bool:
    """Tell whether a line, its direction and length given, is surely more than tol apart from a shape.

    Sure it is outside the circle round the shape, along the normal of an edge or of the line, beyond one of
    its ends, and where the shape is a disc. Past a corner these may not show it.
    """
    dx = circles[k, 0] - ends[row, 0, 0]
    dy = circles[k, 1] - ends[row, 1, 0]
    ahead = ex * dx + ey * dy
    off = ex * dy - ey * dx
    beyond = max(-ahead, ahead - length, 0.0)
    reach = circles[k, 2] + tol
    if off * off + beyond * beyond > reach * reach:
        return True
    reach = circles[k, 3] + tol
    n = vertices.shape[2]
    low = math.inf
    high = -math.inf
    least = math.inf
    most = -math.inf
    for i in range(n):
        x = vertices[k, 0, i]
        y = vertices[k, 1, i]
        dx = x - ends[row, 0, 0]
        dy = y - ends[row, 1, 0]
        off = ex * dy - ey * dx
        low = min(low, off)
        high = max(high, off)
        ahead = ex * dx + ey * dy
        least = min(least, ahead)
        most = max(most, ahead)
        j = i + 1 if i + 1 < n else 0
        side_x = vertices[k, 0, j] - x
        side_y = vertices[k, 1, j] - y
        one = side_x * dy - side_y * dx
        other = one + length * (side_y * ex - side_x * ey)
        nearer = min(one, other)
        if nearer > 0.0 and nearer * nearer > reach * reach * (side_x * side_x + side_y * side_y):
            return True
    is_apart: bool = max(low, -high, least - length, -most) > reach
    return is_apart


@kernel(NONE(F8_3, I8_1, F8_3, F8_2, I8_1, F8, BOOL_OUT1))
def clear_lines(
    ends: Any, scene: Any, vertices: Any, circles: Any, starts: Any, tol: float, out: Any
) -> None:
    """Which lines are surely more than tol apart from all shapes of their scene.

    Arguments: ends of the lines (n, 2, 2), rows x and y, and their scenes (n); vertices of convex shapes (N,
    2, W), counter-clockwise, the last one repeated; circles (N, 4): middle, radius of a circle round the
    shape, and the radius round its vertices; starts (Q + 1), where the shapes of each scene begin; tol.
    Result: out (n,). Boundary rule: none; a line that is True is clear, others may be so too, where they pass
    a corner near by. Degenerate: lines of no length are points. Reference: separating axis theorem.
    """
    for row in range(ends.shape[0]):
        ex = ends[row, 0, 1] - ends[row, 0, 0]
        ey = ends[row, 1, 1] - ends[row, 1, 0]
        length = math.sqrt(ex * ex + ey * ey)
        ex = ex / length if length > 0.0 else 1.0
        ey = ey / length if length > 0.0 else 0.0
        out[row] = True
        for k in range(starts[scene[row]], starts[scene[row] + 1]):
            if not is_off(ends, row, ex, ey, length, vertices, k, circles, tol):
                out[row] = False
                break
