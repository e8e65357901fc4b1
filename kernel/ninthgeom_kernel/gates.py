"""Gates: the closed gaps between pieces, where they are nearer to each other than a width, in many scenes.

Three kernels, one after another: which pieces are near each other, where the gap between two is, and what of
it is left between other pieces. Each compiles in about the time of others; as one they took thrice that.
"""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import (
    BOOL,
    BOOL_1,
    BOOL_2,
    BOOL_OUT1,
    F8,
    F8_1,
    F8_2,
    F8_3,
    F8_OUT1,
    F8_OUT2,
    I8,
    I8_1,
    I8_2,
    I8_OUT1,
    I8_OUT2,
    NONE,
    kernel,
    scalar,
)
from ninthgeom_kernel.convex import ROUNDING
from ninthgeom_kernel.narrow import BREADTH, NX, NY, WIDTH, X, Y, in_strip, narrowest, squared_from

# Gates less broad than this, in tolerances, are lines.
THIN = 4.0
# So near its sides, in tolerances, nothing that is in a gate matters.
RIM = 4.0


@scalar
def is_shortened(
    corners: Any, starts: Any, siblings: Any, boxes: Any, piece: int, gate: Any, side: float, tol: float
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
            and squared_from(corners, starts[i], starts[i + 1], x, y) <= tol * tol
            and squared_from(corners, starts[i], starts[i + 1], far_x, far_y) < least * least
        ):
            return True
    return False


@kernel(BOOL(F8_2, F8_3, I8_1, BOOL_2, F8_1, F8_2, I8, F8, I8_OUT1, I8_OUT1, I8_OUT2))
def close_pairs(
    fixed_boxes: Any,
    base_boxes: Any,
    states: Any,
    counts: Any,
    widths: Any,
    regions: Any,
    n_first: int,
    tol: float,
    near: Any,
    progress: Any,
    pairs: Any,
) -> bool:
    """Pairs of pieces whose boxes are nearer to each other than a width, from the scene of ``progress`` on.

    Arguments: boxes (4, P) of the fixed pieces, least and most x, y, and (S, 4, U) of the bases of each
    state; states (Q,), which of S each scene is; counts (Q, U), which bases are there; widths (Q,); regions
    (4, Q); n_first, so many of the fixed pieces are not compared with each other; tol; near (P + U,),
    scratch; progress (2,), the scene to begin with and how many pairs there are already; pairs (3, room),
    written: scene and two pieces, fixed ones first.
    Result: returns False where there is no room; then progress says where to go on.
    Boundary: pieces further than the width from the region are left out; a distance of width - tol is.
    Degenerate: widths below 0 make no pairs.
    Reference: none; every pair is looked at.
    """
    n_pieces = fixed_boxes.shape[1]
    n_bases = base_boxes.shape[2]
    count = progress[1]
    for scene in range(progress[0], states.shape[0]):
        state = states[scene]
        before = count
        width = widths[scene]
        most = width - tol
        n_near = 0
        for i in range(n_pieces + n_bases):
            u = i - n_pieces
            if u < 0 or counts[scene, u]:
                low_x = fixed_boxes[0, i] if u < 0 else base_boxes[state, 0, u]
                low_y = fixed_boxes[1, i] if u < 0 else base_boxes[state, 1, u]
                high_x = fixed_boxes[2, i] if u < 0 else base_boxes[state, 2, u]
                high_y = fixed_boxes[3, i] if u < 0 else base_boxes[state, 3, u]
                if (
                    low_x <= regions[2, scene] + width
                    and low_y <= regions[3, scene] + width
                    and high_x >= regions[0, scene] - width
                    and high_y >= regions[1, scene] - width
                ):
                    if i >= n_first:
                        for other in range(n_near):
                            k = near[other]
                            v = k - n_pieces
                            # one comparison: which of the sides are apart is hard to predict
                            if v < 0:
                                apart_x = max(fixed_boxes[0, k] - high_x, low_x - fixed_boxes[2, k])
                                apart_y = max(fixed_boxes[1, k] - high_y, low_y - fixed_boxes[3, k])
                            else:
                                apart_x = max(
                                    base_boxes[state, 0, v] - high_x, low_x - base_boxes[state, 2, v]
                                )
                                apart_y = max(
                                    base_boxes[state, 1, v] - high_y, low_y - base_boxes[state, 3, v]
                                )
                            if max(apart_x, apart_y) < most:
                                if count < pairs.shape[1]:
                                    pairs[0, count] = scene
                                    pairs[1, count] = k
                                    pairs[2, count] = i
                                count += 1
                    near[n_near] = i
                    n_near += 1
        if count > pairs.shape[1]:
            progress[0] = scene
            progress[1] = before
            return False
    progress[0] = states.shape[0]
    progress[1] = count
    return True


@kernel(NONE(F8_2, I8_1, F8_3, I8_2, F8_2, I8_1, F8_1, I8_2, F8, F8_OUT1, BOOL_OUT1, F8_OUT2))
def narrow_pairs(
    corners: Any,
    starts: Any,
    points: Any,
    sizes: Any,
    radii: Any,
    states: Any,
    widths: Any,
    pairs: Any,
    tol: float,
    gate: Any,
    are_gaps: Any,
    gates: Any,
) -> None:
    """Find where the gaps of pairs are.

    Arguments: corners (2, V) of the fixed pieces; starts (P + 1) among them; of bases corners (S, 2, 4 U),
    how many count (S, U), radii (S, U); states (Q,); widths (Q,); pairs (3, n) as `close_pairs` finds them;
    tol; gate (6,), scratch; are_gaps (n,) and gates (6, n), written: whether there is one, and its rows X to
    BREADTH.
    Result: gaps narrower than the width where both pieces are nearest.
    Boundary: gaps of width - tol are open, those of tol are contacts.
    Degenerate: pieces that overlap have no gap.
    Reference: separating axis theorem, distances from corners to edges.
    """
    n_pieces = starts.shape[0] - 1
    for at in range(pairs.shape[1]):
        scene = pairs[0, at]
        i = pairs[1, at]
        j = pairs[2, at]
        state = states[scene]
        one = other = corners
        first = end = last = begin = 0
        radius = other_radius = 0.0
        if i < n_pieces:
            first = starts[i]
            last = starts[i + 1]
        else:
            one = points[state]
            first = 4 * (i - n_pieces)
            last = first + sizes[state, i - n_pieces]
            radius = radii[state, i - n_pieces]
        if j < n_pieces:
            begin = starts[j]
            end = starts[j + 1]
        else:
            other = points[state]
            begin = 4 * (j - n_pieces)
            end = begin + sizes[state, j - n_pieces]
            other_radius = radii[state, j - n_pieces]
        are_gaps[at] = narrowest(
            one, first, last, radius, other, begin, end, other_radius, widths[scene] - tol, tol, gate
        )
        for row in range(6):
            gates[row, at] = gate[row]


@kernel(NONE(F8_2, I8_1, I8_2, F8_2, I8_2, F8_2, F8, F8_OUT1, BOOL_OUT1))
def keep_shortest(
    corners: Any,
    starts: Any,
    siblings: Any,
    boxes: Any,
    pairs: Any,
    gates: Any,
    tol: float,
    gate: Any,
    are_gaps: Any,
) -> None:
    """Drop gaps of pairs where another piece of the same polygon comes nearer.

    Arguments: corners (2, V) of the fixed pieces; starts (P + 1) among them; siblings (2, P), the first and
    the last but one of the pieces of the same polygon; boxes (4, P); pairs (3, n) and gates (6, n) as of
    `narrow_pairs`; tol; gate (6,), scratch; are_gaps (n,), changed.
    Result: gaps that a shift of their ends along the outlines makes shorter are none.
    Boundary: pieces touch an end within tol.
    Degenerate: gaps between parallel sides are kept.
    Reference: is_shortened.
    """
    n_pieces = starts.shape[0] - 1
    for at in range(pairs.shape[1]):
        if not are_gaps[at] or gates[BREADTH, at] > THIN * tol:
            continue
        for row in range(6):
            gate[row] = gates[row, at]
        for turn in range(2):
            piece = pairs[1 + turn, at]
            side = 2.0 * turn - 1.0
            if piece < n_pieces and is_shortened(corners, starts, siblings, boxes, piece, gate, side, tol):
                are_gaps[at] = False


@kernel(
    BOOL(
        F8_2,
        I8_1,
        F8_2,
        F8_3,
        I8_2,
        F8_2,
        F8_3,
        I8_1,
        BOOL_2,
        I8_1,
        F8_2,
        F8_2,
        BOOL_1,
        F8,
        F8_OUT1,
        I8_OUT1,
        I8_OUT1,
        F8_OUT2,
    )
)
def cover_spans(
    corners: Any,
    starts: Any,
    boxes: Any,
    points: Any,
    sizes: Any,
    radii: Any,
    base_boxes: Any,
    states: Any,
    counts: Any,
    scenes: Any,
    gates: Any,
    bounds: Any,
    are_known: Any,
    tol: float,
    gate: Any,
    progress: Any,
    which: Any,
    spans: Any,
) -> bool:
    """Find where covers reach into gates, from that of ``progress`` on.

    Arguments: corners (2, V) of the fixed covers, starts (C + 1) among them, boxes (4, C); of bases corners
    (S, 2, 4 U) of what is deep inside, how many count (S, U), radii (S, U), boxes (S, 4, U); states (Q,);
    counts (Q, U); scenes (n,), gates (6, n), rows X to BREADTH, and bounds (4, n), boxes round them;
    are_known (n,), which are free of fixed covers; tol; gate (6,), scratch; progress (2,), the gate to begin
    with and how many spans are written already; which (room,) and spans (2, room), written: the gate, and
    from where to where along its breadth.
    Result: returns False where there is no room; then progress says where to go on.
    Boundary: what reaches into a gate by less than a rim at its sides does not matter.
    Degenerate: gates without breadth have spans that hold 0.
    Reference: in_strip.
    """
    n_fixed = starts.shape[0] - 1
    n_bases = counts.shape[1]
    count = progress[1]
    for at in range(progress[0], scenes.shape[0]):
        scene = scenes[at]
        state = states[scene]
        before = count
        for row in range(6):
            gate[row] = gates[row, at]
        half = 0.5 * gate[BREADTH]
        low_x = bounds[0, at]
        low_y = bounds[1, at]
        high_x = bounds[2, at]
        high_y = bounds[3, at]
        # what touches a side right at the gate may reach a little into it
        inner = max(0.5 * gate[WIDTH] - RIM * tol, 0.25 * gate[WIDTH])
        for i in range(n_fixed if are_known[at] else 0, n_fixed + n_bases):
            u = i - n_fixed
            shape = corners
            is_there = True
            begin = end = 0
            radius = 0.0
            # one comparison: which of the sides are apart is hard to predict
            if u < 0:
                apart_x = max(boxes[0, i] - high_x, low_x - boxes[2, i])
                apart_y = max(boxes[1, i] - high_y, low_y - boxes[3, i])
                begin = starts[i]
                end = starts[i + 1]
            else:
                apart_x = max(base_boxes[state, 0, u] - high_x, low_x - base_boxes[state, 2, u])
                apart_y = max(base_boxes[state, 1, u] - high_y, low_y - base_boxes[state, 3, u])
                is_there = counts[scene, u]
                shape = points[state]
                begin = 4 * u
                end = begin + sizes[state, u]
                radius = radii[state, u]
            if not is_there or max(apart_x, apart_y) > 0.0:
                continue
            low, high = in_strip(shape, begin, end, radius, gate, inner)
            if low < half and high > -half:
                if count < which.shape[0]:
                    which[count] = at
                    spans[0, count] = low
                    spans[1, count] = high
                count += 1
        if count > which.shape[0]:
            progress[0] = at
            progress[1] = before
            return False
    progress[0] = scenes.shape[0]
    progress[1] = count
    return True
