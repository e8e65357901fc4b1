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
    BOOL_OUT2,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT2,
    F8_OUT3,
    I8,
    I8_1,
    I8_2,
    I8_OUT1,
    I8_OUT2,
    NONE,
    kernel,
    scalar,
)
from ninthgeom_kernel.bases import corners_to_core, mirrored_pose, signed_gap
from ninthgeom_kernel.convex import separate

# Lines tried from one base to another: between the centres, along both sides, and crosswise.
TRIALS = 5


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
def put_line(columns: Any, s: int, i: int, j: int, trial: int, line: Any, ends: Any) -> None:
    """Write one of the lines that are tried from base i to base j, as a base and as its two ends."""
    x = columns[0, s, i]
    y = columns[1, s, i]
    ends[0, 0] = x
    ends[1, 0] = y
    ends[0, 1] = columns[0, s, j]
    ends[1, 1] = columns[1, s, j]
    dx = ends[0, 1] - x
    dy = ends[1, 1] - y
    length = math.sqrt(dx * dx + dy * dy)
    nx = -dy / length if length > 0.0 else 1.0
    ny = dx / length if length > 0.0 else 0.0
    if trial > 0:
        for end in range(2):
            u = i if end == 0 else j
            is_left = (trial % 2 == 1) == (end == 0 or trial < 3)
            sign = 1.0 if is_left else -1.0
            c = columns[2, s, u]
            d = columns[3, s, u]
            # the outermost point of the base on this side of the line between the centres
            p = columns[4, s, u] * (1.0 if sign * (nx * c + ny * d) >= 0.0 else -1.0)
            q = columns[5, s, u] * (1.0 if sign * (ny * c - nx * d) >= 0.0 else -1.0)
            ends[0, end] += p * c - q * d + sign * columns[6, s, u] * nx
            ends[1, end] += p * d + q * c + sign * columns[6, s, u] * ny
        dx = ends[0, 1] - ends[0, 0]
        dy = ends[1, 1] - ends[1, 0]
        length = math.sqrt(dx * dx + dy * dy)
    line[0, 0, 0] = 0.5 * (ends[0, 0] + ends[0, 1])
    line[1, 0, 0] = 0.5 * (ends[1, 0] + ends[1, 1])
    line[2, 0, 0] = dx / length if length > 0.0 else 1.0
    line[3, 0, 0] = dy / length if length > 0.0 else 0.0
    line[4, 0, 0] = 0.5 * length
    line[5, 0, 0] = 0.0
    line[6, 0, 0] = 0.0


@scalar
def is_line_clear(
    line: Any,
    ends: Any,
    columns: Any,
    s: int,
    near: Any,
    n_bases: int,
    n_near: int,
    vertices: Any,
    n_vertices: Any,
    middles: Any,
    gates: Any,
    first_gate: int,
    last_gate: int,
    tol: float,
) -> bool:
    """Tell whether a line keeps more than tol from the bases, outlines and gates that count."""
    x = line[0, 0, 0]
    y = line[1, 0, 0]
    ex = line[2, 0, 0]
    ey = line[3, 0, 0]
    half = line[4, 0, 0] + tol
    for k in range(n_bases):
        u = near[k]
        dx = columns[0, s, u] - x
        dy = columns[1, s, u] - y
        along = columns[4, s, u]
        across = columns[5, s, u]
        reach = along + across + columns[6, s, u]
        if abs(ex * dy - ey * dx) > reach + tol or abs(ex * dx + ey * dy) > half + reach:
            continue
        if gap_between(line, 0, 0, columns, s, u) <= tol:
            return False
    for k in range(first_gate, last_gate):
        if gap_between(line, 0, 0, gates, 0, k) <= tol:
            return False
    for k in range(n_bases, n_near):
        p = near[k]
        reach = middles[p, 2]
        dx = middles[p, 0] - x
        dy = middles[p, 1] - y
        if abs(ex * dy - ey * dx) > reach + tol or abs(ex * dx + ey * dy) > half + reach:
            continue
        apart, _, _ = separate(ends, 2, vertices[p], n_vertices[p], 0.0, tol)
        if not apart:
            return False
    return True


@kernel(
    NONE(
        F8_3,
        I8_1,
        I8_1,
        I8_2,
        BOOL_2,
        BOOL_2,
        BOOL_2,
        F8_3,
        I8_1,
        I8_1,
        F8_2,
        F8_3,
        I8_1,
        F8,
        I8,
        I8_OUT1,
        F8_OUT3,
        F8_OUT2,
        I8_OUT2,
    )
)
def free_links(
    columns: Any,
    state: Any,
    leader: Any,
    members: Any,
    present: Any,
    bases: Any,
    outlines: Any,
    vertices: Any,
    n_vertices: Any,
    outline_of: Any,
    middles: Any,
    gates: Any,
    first_gate: Any,
    tol: float,
    trials: int,
    near: Any,
    line: Any,
    ends: Any,
    chain: Any,
) -> None:
    """Join the models of each scene that lines link which are free for certain.

    Arguments: columns of bases (7, S, U); of each scene state and leader (Q); members (Q, K), the units of
    its group, -1 where there are no more; present (S, U); bases (Q, U) and outlines (Q, P), which count;
    convex pieces of outlines: vertices (C, 2, W), how many (C), of which outline (C), middles (C, 3) with the
    radius of a circle round each; gates (7, 1, n) as columns of bases, those of scene q from first_gate[q]
    (Q + 1) on; tol; trials, how many lines to try for a pair; scratch: near (U + C), line (7, 1, 1), ends (2,
    2). Result: chain (Q, K), for each member the place in its row of some member that it is linked to,
    the same for all of one chain; -1 for who is absent. Boundary rule: a line is free only if it keeps more
    than tol off; others may be free as well. Degenerate: centres in one place are linked by a line of no
    length.
    """
    for q in range(state.shape[0]):
        s = state[q]
        n_apart = -1
        at_leader = 0
        for i in range(members.shape[1]):
            u = members[q, i]
            chain[q, i] = -1
            if u >= 0 and present[s, u]:
                chain[q, i] = i
                n_apart += 1
                if u == leader[q]:
                    at_leader = i
        n_bases = 0
        for u in range(bases.shape[1]):
            if bases[q, u]:
                near[n_bases] = u
                n_bases += 1
        n_near = n_bases
        for p in range(outline_of.shape[0]):
            if outlines[q, outline_of[p]]:
                near[n_near] = p
                n_near += 1
        for trial in range(trials):
            # the leader's own lines come first: most models stand round it
            for turn in range(members.shape[1]):
                i = turn
                if turn == 0:
                    i = at_leader
                elif turn <= at_leader:
                    i = turn - 1
                if chain[q, i] < 0:
                    continue
                for j in range(members.shape[1]):
                    if n_apart == 0 or chain[q, j] < 0 or chain[q, i] == chain[q, j]:
                        continue
                    put_line(columns, s, members[q, i], members[q, j], trial, line, ends)
                    if is_line_clear(
                        line,
                        ends,
                        columns,
                        s,
                        near,
                        n_bases,
                        n_near,
                        vertices,
                        n_vertices,
                        middles,
                        gates,
                        first_gate[q],
                        first_gate[q + 1],
                        tol,
                    ):
                        n_apart -= 1
                        old = chain[q, j]
                        for k in range(members.shape[1]):
                            if chain[q, k] == old:
                                chain[q, k] = chain[q, i]
