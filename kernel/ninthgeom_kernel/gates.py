"""Gates: the closed gaps between pieces, where they are nearer to each other than a width, in many scenes."""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numba import typeof

from ninthgeom_kernel._jit import (
    BOOL,
    BOOL_2,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT2,
    I8,
    I8_1,
    I8_2,
    I8_OUT1,
    I8_OUT2,
    kernel,
    scalar,
)
from ninthgeom_kernel.convex import ROUNDING
from ninthgeom_kernel.narrow import (
    BREADTH,
    NX,
    NY,
    WIDTH,
    X,
    Y,
    in_strip,
    narrowest,
    put_core,
    squared_from,
)

# Gates less broad than this, in tolerances, are lines.
THIN = 4.0
# So near its sides, in tolerances, nothing that is in a gate matters.
RIM = 4.0


def scratch_arrays(n_corners: int, n_pieces: int, n_covers: int, n_bases: int) -> tuple[Any, ...]:
    """Arrays that `closed_gaps` works in: for so many corners in all, fixed pieces, covers and bases."""
    n, m = n_pieces + n_bases, n_covers + n_bases
    return (
        np.empty((2, n_corners + 8 * n_bases)),  # points
        np.empty((2, n), np.int64),  # ranges
        np.empty(n),  # radii
        np.empty((4, n)),  # boxes
        np.empty((2, m), np.int64),  # cover_ranges
        np.empty(m),  # cover_radii
        np.empty((4, m)),  # cover_boxes
        np.empty(n, np.int64),  # near
        np.empty(m, np.int64),  # near_covers
        np.empty((2, m)),  # spans
        np.empty(6),  # gate
    )


SCRATCH: Any = cast(Any, typeof)(scratch_arrays(1, 1, 1, 1))


@scalar
def is_shortened(
    points: Any, ranges: Any, siblings: Any, boxes: Any, piece: int, gate: Any, side: float, tol: float
) -> bool:
    """Whether another piece of the same polygon contains a foot of a gate and is nearer to its other foot.

    Distance from a point is convex along any line, so if that piece is nearer somewhere, it is so at once,
    and the gate is not where both sides are nearest.
    """
    half = 0.5 * side * gate[WIDTH]
    x = gate[X] + half * gate[NX]
    y = gate[Y] + half * gate[NY]
    far_x = gate[X] - half * gate[NX]
    far_y = gate[Y] - half * gate[NY]
    least = gate[WIDTH] - ROUNDING
    for i in range(siblings[0, piece], siblings[1, piece]):
        if (
            i != piece
            and boxes[0, i] <= x + tol
            and boxes[1, i] <= y + tol
            and x - tol <= boxes[2, i]
            and y - tol <= boxes[3, i]
            and squared_from(points, ranges[0, i], ranges[1, i], x, y) <= tol * tol
            and squared_from(points, ranges[0, i], ranges[1, i], far_x, far_y) < least * least
        ):
            return True
    return False


@scalar
def put_gate(
    gate: Any,
    points: Any,
    ranges: Any,
    radii: Any,
    boxes: Any,
    near: Any,
    begin: int,
    stop: int,
    region: Any,
    scene: int,
    first: int,
    second: int,
    tol: float,
    spans: Any,
    count: int,
    pieces: Any,
    numbers: Any,
) -> int:
    """Append what covers begin to stop leave of a gate, as far as it meets the region; returns how many then.

    Where there is no room the number grows all the same.
    """
    nx = gate[NX]
    ny = gate[NY]
    half = 0.5 * gate[BREADTH]
    is_thin = gate[BREADTH] <= THIN * tol
    reach_x = 0.5 * abs(nx) * gate[WIDTH] + abs(ny) * half
    reach_y = 0.5 * abs(ny) * gate[WIDTH] + abs(nx) * half
    low_x = gate[X] - reach_x
    low_y = gate[Y] - reach_y
    high_x = gate[X] + reach_x
    high_y = gate[Y] + reach_y
    if (
        high_x < region[0, scene]
        or high_y < region[1, scene]
        or low_x > region[2, scene]
        or low_y > region[3, scene]
    ):
        return count
    n_spans = 0
    # what touches a side right at the gate may reach a little into it
    inner = max(0.5 * gate[WIDTH] - RIM * tol, 0.25 * gate[WIDTH])
    for at in range(begin, stop):
        i = near[at]
        if boxes[0, i] <= high_x and boxes[1, i] <= high_y and low_x <= boxes[2, i] and low_y <= boxes[3, i]:
            low, high = in_strip(points, ranges[0, i], ranges[1, i], radii[i], gate, inner)
            if is_thin and low < 0.0 < high:
                return count
            if low < half and high > -half:
                spans[0, n_spans] = low
                spans[1, n_spans] = high
                n_spans += 1
    if is_thin:
        n_spans = 0
    place = -half
    while True:
        # past all spans that begin here or before
        is_moved = n_spans > 0
        while is_moved:
            is_moved = False
            for k in range(n_spans):
                if spans[0, k] <= place + THIN * tol and spans[1, k] > place:
                    place = spans[1, k]
                    is_moved = True
        end = half
        for k in range(n_spans):
            if spans[0, k] > place:
                end = min(end, spans[0, k])
        if is_thin or end - place > THIN * tol:
            if count < pieces.shape[1]:
                along = 0.5 * (place + end)
                pieces[0, count] = scene
                pieces[1, count] = first
                pieces[2, count] = second
                numbers[0, count] = gate[X] - along * ny
                numbers[1, count] = gate[Y] + along * nx
                numbers[2, count] = nx
                numbers[3, count] = ny
                numbers[4, count] = 0.5 * gate[WIDTH]
                numbers[5, count] = 0.5 * (end - place)
                numbers[6, count] = 0.0
                numbers[7, count] = gate[WIDTH]
            count += 1
        place = end
        if place >= half:
            break
    return count


@scalar
def put_bases(
    bases: Any,
    state: int,
    at: int,
    points: Any,
    first: int,
    depth: float,
    ranges: Any,
    radii: Any,
    boxes: Any,
) -> None:
    """Write the bases of a state as pieces from number ``first`` on, their corners from column ``at`` on.

    With a depth not below 0 what is deeper than that inside them; what is too thin for that stays as it is,
    without its radius.
    """
    for u in range(bases.shape[2]):
        x = bases[0, state, u]
        y = bases[1, state, u]
        cos = bases[2, state, u]
        sin = bases[3, state, u]
        along = bases[4, state, u]
        across = bases[5, state, u]
        radius = bases[6, state, u]
        if depth >= 0.0 and min(along, across) + radius > depth:
            cut = max(depth - radius, 0.0)
            along = max(along - cut, 0.0)
            across = max(across - cut, 0.0)
            radius = max(radius - depth, 0.0)
        elif depth >= 0.0:
            radius = 0.0
        i = first + u
        ranges[0, i] = at
        at = put_core(points, at, x, y, cos, sin, along, across)
        ranges[1, i] = at
        radii[i] = radius
        reach = abs(cos) * along + abs(sin) * across + radius
        boxes[0, i] = x - reach
        boxes[2, i] = x + reach
        reach = abs(sin) * along + abs(cos) * across + radius
        boxes[1, i] = y - reach
        boxes[3, i] = y + reach


@kernel(
    BOOL(
        F8_2,
        I8_1,
        I8_2,
        I8_1,
        I8_1,
        F8_2,
        I8_2,
        F8_3,
        I8_1,
        BOOL_2,
        F8_1,
        F8_2,
        I8,
        F8,
        SCRATCH,
        I8_OUT1,
        I8_OUT2,
        F8_OUT2,
    )
)
def closed_gaps(
    corners: Any,
    starts: Any,
    siblings: Any,
    names: Any,
    cover_starts: Any,
    known: Any,
    known_pieces: Any,
    bases: Any,
    states: Any,
    counts: Any,
    widths: Any,
    regions: Any,
    n_first: int,
    tol: float,
    scratch: Any,
    progress: Any,
    pieces: Any,
    numbers: Any,
) -> bool:
    """Gates of all scenes, from the one named by ``progress`` on.

    Arguments: corners (2, V) of the fixed pieces and of the covers; starts (P + 1) of the pieces among them;
    siblings (2, P), the first and the last but one of the pieces of the same polygon; names (P,), numbers of
    the pieces in answers; cover_starts (C + 1): what no gate may cross. known (6, K), gates among fixed
    pieces as rows X to BREADTH, and known_pieces (2, K), their numbers. bases (7, S, U) as columns; states
    (Q,), which of S each scene is; counts (Q, U), which bases are there; widths (Q,); regions (4, Q), least
    and most x, y; n_first, so many of the fixed pieces are not compared with each other; tol; scratch as
    `scratch_arrays` makes it; progress (2,), the scene to begin with and how many gates there are already;
    pieces (3, room) and numbers (8, room), written: scene and numbers of both pieces; columns of a base along
    the gap, and its width.
    Result: returns False where there is no room; then progress says where to go on.
    Boundary: gaps of width - tol are open, those of tol are contacts; boxes and regions closed.
    Degenerate: pieces that overlap have no gap; widths below 0 make no gates.
    Reference: separating axis theorem, distances from corners to edges.
    """
    (points, ranges, radii, boxes, cover_ranges, cover_radii, cover_boxes, near, near_covers, spans, gate) = (
        scratch
    )
    n_pieces = starts.shape[0] - 1
    n_covers = cover_starts.shape[0] - 1
    n_bases = bases.shape[2]
    n_corners = corners.shape[1]
    for k in range(n_corners):
        points[0, k] = corners[0, k]
        points[1, k] = corners[1, k]
    for i in range(n_pieces + n_covers):
        at = i
        table = ranges
        bounds = boxes
        if i < n_pieces:
            radii[at] = 0.0
            begin = starts[i]
            end = starts[i + 1]
        else:
            at = i - n_pieces
            table = cover_ranges
            bounds = cover_boxes
            cover_radii[at] = 0.0
            begin = cover_starts[at]
            end = cover_starts[at + 1]
        table[0, at] = begin
        table[1, at] = end
        for row in range(2):
            bounds[row, at] = math.inf
            bounds[2 + row, at] = -math.inf
            for k in range(begin, end):
                bounds[row, at] = min(bounds[row, at], corners[row, k])
                bounds[2 + row, at] = max(bounds[2 + row, at], corners[row, k])
    count = progress[1]
    last_state = -1
    for scene in range(progress[0], states.shape[0]):
        if states[scene] != last_state:
            last_state = states[scene]
            for part in range(2):  # the bases, and what is deeper than tol inside
                put_bases(
                    bases,
                    last_state,
                    n_corners + 4 * n_bases * part,
                    points,
                    n_pieces if part == 0 else n_covers,
                    -1.0 if part == 0 else tol,
                    ranges if part == 0 else cover_ranges,
                    radii if part == 0 else cover_radii,
                    boxes if part == 0 else cover_boxes,
                )
        before = count
        most = widths[scene] - tol
        # What is further than the width from the region meets no gate there.
        n_near = 0
        n_near_covers = 0
        n_fixed_covers = 0
        for i in range(n_pieces + n_covers + 2 * n_bases):
            is_piece = i < n_pieces + n_bases
            at = i if is_piece else i - n_pieces - n_bases
            bounds = boxes if is_piece else cover_boxes
            u = at - (n_pieces if is_piece else n_covers)
            if (u < 0 or counts[scene, u]) and (
                bounds[0, at] <= regions[2, scene] + widths[scene]
                and bounds[1, at] <= regions[3, scene] + widths[scene]
                and bounds[2, at] >= regions[0, scene] - widths[scene]
                and bounds[3, at] >= regions[1, scene] - widths[scene]
            ):
                if is_piece:
                    near[n_near] = at
                    n_near += 1
                else:
                    near_covers[n_near_covers] = at
                    n_near_covers += 1
                    if u < 0:
                        n_fixed_covers += 1
        n_known = known.shape[1]
        for turn in range(n_known + n_near):
            # first the known gates, then each piece with those before it
            begin = 0
            end = 1
            j = 0
            low_x = low_y = high_x = high_y = 0.0
            if turn >= n_known:
                j = near[turn - n_known]
                end = turn - n_known if j >= n_first else 0
                low_x = boxes[0, j]
                low_y = boxes[1, j]
                high_x = boxes[2, j]
                high_y = boxes[3, j]
            for other in range(begin, end):
                first = second = 0
                from_cover = 0
                if turn < n_known:
                    if known[WIDTH, turn] >= most:
                        continue
                    for row in range(6):
                        gate[row] = known[row, turn]
                    first = known_pieces[0, turn]
                    second = known_pieces[1, turn]
                    from_cover = n_fixed_covers
                else:
                    i = near[other]
                    # one comparison: which of the sides are apart is hard to predict
                    apart_x = max(boxes[0, i] - high_x, low_x - boxes[2, i])
                    apart_y = max(boxes[1, i] - high_y, low_y - boxes[3, i])
                    apart = max(apart_x, apart_y)
                    if apart >= most or not narrowest(
                        points,
                        ranges[0, i],
                        ranges[1, i],
                        radii[i],
                        points,
                        ranges[0, j],
                        ranges[1, j],
                        radii[j],
                        most,
                        tol,
                        gate,
                    ):
                        continue
                    if gate[BREADTH] <= THIN * tol and (
                        (i < n_pieces and is_shortened(points, ranges, siblings, boxes, i, gate, -1.0, tol))
                        or (j < n_pieces and is_shortened(points, ranges, siblings, boxes, j, gate, 1.0, tol))
                    ):
                        continue
                    first = names[i] if i < n_pieces else i - n_pieces
                    second = names[j] if j < n_pieces else j - n_pieces
                count = put_gate(
                    gate,
                    points,
                    cover_ranges,
                    cover_radii,
                    cover_boxes,
                    near_covers,
                    from_cover,
                    n_near_covers,
                    regions,
                    scene,
                    first,
                    second,
                    tol,
                    spans,
                    count,
                    pieces,
                    numbers,
                )
                if count > pieces.shape[1]:
                    progress[0] = scene
                    progress[1] = before
                    return False
    progress[0] = states.shape[0]
    progress[1] = count
    return True
