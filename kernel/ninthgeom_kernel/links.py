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
def put_end(columns: Any, s: int, u: int, nx: float, ny: float, ends: Any, end: int) -> None:
    """Move an end of a line from the centre of a base to its outermost point in a direction."""
    c = columns[2, s, u]
    d = columns[3, s, u]
    p = columns[4, s, u] * (1.0 if nx * c + ny * d >= 0.0 else -1.0)
    q = columns[5, s, u] * (1.0 if ny * c - nx * d >= 0.0 else -1.0)
    ends[0, end] += p * c - q * d + columns[6, s, u] * nx
    ends[1, end] += p * d + q * c + columns[6, s, u] * ny


@scalar
def is_off_base(
    ends: Any, ex: float, ey: float, length: float, bases: Any, s: int, u: int, tol: float
) -> bool:
    """Tell whether a line, its direction and length given, and a base are more than tol apart."""
    x = bases[0, s, u]
    y = bases[1, s, u]
    c = bases[2, s, u]
    d = bases[3, s, u]
    along = bases[4, s, u]
    across = bases[5, s, u]
    reach = bases[6, s, u] + tol
    nearest = math.inf
    least_u = math.inf
    most_u = -math.inf
    least_v = math.inf
    most_v = -math.inf
    for k in range(2):
        dx = ends[0, k] - x
        dy = ends[1, k] - y
        p = dx * c + dy * d
        q = dy * c - dx * d
        least_u = min(least_u, p)
        most_u = max(most_u, p)
        least_v = min(least_v, q)
        most_v = max(most_v, q)
        p = max(abs(p) - along, 0.0)
        q = max(abs(q) - across, 0.0)
        nearest = min(nearest, p * p + q * q)
    low = math.inf
    high = -math.inf
    for k in range(4 if along + across > 0.0 else 1):
        i = along if k == 0 or k == 3 else -along
        j = across if k < 2 else -across
        dx = x + i * c - j * d - ends[0, 0]
        dy = y + i * d + j * c - ends[1, 0]
        ahead = dx * ex + dy * ey
        off = ex * dy - ey * dx
        low = min(low, off)
        high = max(high, off)
        beyond = max(-ahead, ahead - length, 0.0)
        nearest = min(nearest, off * off + beyond * beyond)
    # no axis between them: the line crosses the core, maybe far from corners and ends
    is_across = (
        low <= 0.0
        and high >= 0.0
        and least_u <= along
        and most_u >= -along
        and least_v <= across
        and most_v >= -across
    )
    return nearest > reach * reach and not is_across


@scalar
def is_off_piece(ends: Any, ex: float, ey: float, vertices: Any, p: int, tol: float) -> bool:
    """Tell whether a line of direction ex, ey and a convex piece are more than tol apart along some normal.

    These are the normals of the piece and of the line; past a corner they show less than the distance, so a
    line that is near one may not be found apart.
    """
    low = math.inf
    high = -math.inf
    n = vertices.shape[2]
    for i in range(n):
        x = vertices[p, 0, i]
        y = vertices[p, 1, i]
        off = ex * (y - ends[1, 0]) - ey * (x - ends[0, 0])
        low = min(low, off)
        high = max(high, off)
        j = i + 1 if i + 1 < n else 0
        dx = vertices[p, 0, j] - x
        dy = vertices[p, 1, j] - y
        one = dy * (ends[0, 0] - x) - dx * (ends[1, 0] - y)
        other = dy * (ends[0, 1] - x) - dx * (ends[1, 1] - y)
        if min(one, other) > tol * (abs(dx) + abs(dy)):
            return True
    return low > tol or high < -tol


@scalar
def is_line_clear(
    ends: Any,
    columns: Any,
    s: int,
    near: Any,
    n_bases: int,
    n_near: int,
    vertices: Any,
    middles: Any,
    gates: Any,
    first_gate: int,
    last_gate: int,
    tol: float,
) -> bool:
    """Tell whether a line keeps more than tol from the bases, outlines and gates that count."""
    ex = ends[0, 1] - ends[0, 0]
    ey = ends[1, 1] - ends[1, 0]
    length = math.sqrt(ex * ex + ey * ey)
    ex = ex / length if length > 0.0 else 1.0
    ey = ey / length if length > 0.0 else 0.0
    for k in range(n_bases + last_gate - first_gate):
        is_base = k < n_bases
        stops = columns if is_base else gates
        h = s if is_base else 0
        u = near[k] if is_base else first_gate + k - n_bases
        if not is_off_base(ends, ex, ey, length, stops, h, u, tol):
            return False
    for k in range(n_bases, n_near):
        p = near[k]
        reach = middles[p, 2] + tol
        dx = middles[p, 0] - ends[0, 0]
        dy = middles[p, 1] - ends[1, 0]
        ahead = ex * dx + ey * dy
        if abs(ex * dy - ey * dx) > reach or ahead < -reach or ahead > length + reach:
            continue
        if not is_off_piece(ends, ex, ey, vertices, p, tol):
            return False
    return True


@kernel(NONE(F8_3, I8_2, I8_2, BOOL_2, BOOL_2, F8_3, F8_2, F8_3, I8_1, F8, I8, I8_OUT1, F8_OUT2, I8_OUT2))
def free_links(
    columns: Any,
    scenes: Any,
    members: Any,
    bases: Any,
    pieces: Any,
    vertices: Any,
    middles: Any,
    gates: Any,
    first_gate: Any,
    tol: float,
    trials: int,
    near: Any,
    ends: Any,
    chain: Any,
) -> None:
    """Join the models of each scene that lines link which are free for certain.

    Arguments: columns of bases (7, S, U); scenes (2, Q), state and place of the leader among the members;
    members (Q, K), units, -1 for nobody; which bases (Q, U) and convex pieces of outlines (Q, C) count;
    vertices of the pieces (C, 2, W), the last one repeated, and middles (C, 3) with the radius of a circle
    round each; gates (7, 1, n) as columns of bases, those of scene q from first_gate[q] (Q + 1) on; tol;
    trials, how many lines to try for a pair; scratch: near (U + C) and ends (2, 2). Result: chain (Q, K), for
    each member the place in its row of some member that it is linked to, the same for all of one chain; -1
    for nobody. Boundary rule: a line is free only if it keeps more than tol off; others may be free as well.
    Degenerate: centres in one place are linked by a line of no length.
    """
    for q in range(scenes.shape[1]):
        s = scenes[0, q]
        at_leader = scenes[1, q]
        n_apart = -1
        for i in range(members.shape[1]):
            chain[q, i] = -1
            if members[q, i] >= 0:
                chain[q, i] = i
                n_apart += 1
        n_bases = 0
        for u in range(bases.shape[1]):
            if bases[q, u]:
                near[n_bases] = u
                n_bases += 1
        n_near = n_bases
        for p in range(pieces.shape[1]):
            if pieces[q, p]:
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
                    for end in range(2):
                        u = members[q, i if end == 0 else j]
                        ends[0, end] = columns[0, s, u]
                        ends[1, end] = columns[1, s, u]
                    if trial > 0:
                        # along one side, or from one side to the other
                        nx = ends[1, 0] - ends[1, 1]
                        ny = ends[0, 1] - ends[0, 0]
                        scale = (2.0 * (trial % 2) - 1.0) / max(math.sqrt(nx * nx + ny * ny), tol)
                        for end in range(2):
                            sign = -scale if end == 1 and trial > 2 else scale
                            u = members[q, i if end == 0 else j]
                            put_end(columns, s, u, sign * nx, sign * ny, ends, end)
                    if is_line_clear(
                        ends,
                        columns,
                        s,
                        near,
                        n_bases,
                        n_near,
                        vertices,
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
