"""Exact line of sight: a straight line from a source to a target that no blocker cuts.

Everything happens in a frame in which the legal lines are ``x = u + t y`` with ``|t| <= limit``, travelled
towards +y. A convex shape is met at slope t by the lines with u in its *band*, between its left and right
envelope. The lines that can be drawn lie in the bands of source and target; a line is blocked where it lies
inside the open band of a blocker that it meets after the source and before the target. Two convex shapes with
disjoint interiors have a line between them, so their order is the same for all slopes on one side of the
slope of that line: each *piece* of a blocker counts in one range of slopes. Blockers that lie on the source
or on the target are cut along supporting lines first.

The sweep (`ninthgeom_kernel.sweep`) then walks through the slopes. At one slope the bands either leave a free
u (seen), or a chain of overlapping bands covers all. Such a chain stays a proof until the first slope at
which one of its links opens, which has a closed form; there the next chain is built. No slope is sampled and
none is left out.

Most questions end before that: the arc does not reach the target, nothing reaches into the *shaft* round all
lines, one blocker bars it, or one of a few trial slopes has a free line.

Blockers are shrunk by the tolerance and the source is widened by half of it, so that even a single free line
has some width: on a table a million times more than rounding, and a hundred times the step of the sweep.
Bridges, shapes of their own, close the slits between blockers in contact.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numba import typeof

from ninthgeom_kernel._jit import (
    BOOL,
    BOOL_3,
    BOOL_4,
    BOOL_OUT3,
    BOOL_OUT4,
    F8,
    F8_2,
    F8_3,
    F8_4,
    F8_OUT4,
    I8,
    I8_2,
    I8_3,
    kernel,
)
from ninthgeom_kernel.boxes import (
    EX,
    EY,
    RADIUS,
    UX,
    UY,
    VX,
    VY,
    X,
    Y,
    half_width,
    put_box,
    put_corners,
    turn_box,
)
from ninthgeom_kernel.convex import put_shape, separate
from ninthgeom_kernel.cuts import cut_beyond
from ninthgeom_kernel.shaft import cull, is_free, put_in_arc, turn_shapes
from ninthgeom_kernel.sweep import free_line, meets

# Slopes tried before the sweep.
TRIALS = 5


def scratch_arrays(
    n: int, n_targets: int, width: int, n_planes: int, room: int
) -> tuple[np.ndarray[Any, Any], ...]:
    """Arrays that `lines_of_sight` works in.

    ``n`` shapes of at most ``width`` corners; ``n_planes`` of the part of a source or target; ``room``, at
    least n, for pieces of blockers in one question. They are made here, not in the kernel, because numba
    takes longer to compile an allocation than many a loop.
    """
    # of a blocker: a line between, four sides, parts, crossings and stretches of four corners
    cuts = 5 + n_planes + 4 * 3 * (4 * width + 2)
    caps = room + cuts
    return (
        np.empty((7, n)),  # turned
        np.empty((n, 2, width)),  # xy
        np.empty((3, n)),  # front, back and radius
        np.empty(n, np.bool_),  # keep
        np.empty((3, n), np.int64),  # number, count, near
        np.empty(n_targets, np.bool_),  # in_arc
        np.empty(4 * width + 8),  # angles
        np.empty((2, 1)),  # point
        np.empty((2, cuts, 5)),  # cuts
        np.empty((3, 2 * caps + 2 * room)),  # planes
        np.empty((3, room * (width + 4) + 4 * caps + 4 * n_planes + 20)),  # elements
        np.empty((room, 5), np.int64),  # records
        np.empty((room, 2)),  # bounds
        np.empty((room, 2), np.int64),  # makers
        np.empty((room, 2)),  # bands
        np.empty((2, room), np.int64),  # chain, piece_of
        np.empty((3, 10)),  # base, source, target
        np.empty((2, 2, 4)),  # source_corners, target_corners
        np.empty((2, 2)),  # shaft
        np.empty((2, 4)),  # frame, line
    )


SCRATCH: Any = cast(Any, typeof)(scratch_arrays(1, 1, 4, 0, 8))


@kernel(
    BOOL(
        F8_3,
        F8_3,
        F8_3,
        F8_4,
        I8_2,
        F8_2,
        I8_3,
        I8,
        BOOL_4,
        BOOL_3,
        F8_2,
        F8_2,
        F8,
        F8,
        F8,
        SCRATCH,
        I8,
        I8,
        BOOL_OUT3,
        F8_OUT4,
        BOOL_OUT4,
    )
)
def lines_of_sight(
    sources: Any,
    targets: Any,
    all_boxes: Any,
    all_vertices: Any,
    all_counts: Any,
    all_radii: Any,
    owners: Any,
    first_scene: int,
    blocks: Any,
    asked: Any,
    source_part: Any,
    target_part: Any,
    limit: float,
    offset: float,
    tol: float,
    scratch: Any,
    start: int,
    stop: int,
    out: Any,
    lines: Any,
    cutting: Any,
) -> bool:
    """Line of sight from all sources to all targets in each of the scenes ``start`` to ``stop``.

    Arguments: sources (7, S or 1, n) and targets (7, S or 1, m) as columns of bases. Shapes that block, of
    all scenes or of those from ``first_scene`` on: boxes round them (T or 1, 7, k), centre, half axis
    vectors, radius; corners (T or 1, k, 2, W), counter-clockwise, how many, and the radius round them, less
    than 0 where a shape is thin; three numbers of columns of blocks (S or 1, n or 1, m or 1, columns): the
    shape counts where the first two are True, and what it cuts is told of the first and the last. asked (S or
    1, n or 1, m or 1), which questions to answer. source_part and target_part (3, K), half-planes m p >= c in
    rows: only the part in all of them looks or is looked at.
    limit, tan of the half angle; offset, how near source and target nothing blocks; tol; scratch as
    `scratch_arrays` makes it; out (S, n, m), written. lines (S, n, m, 4) and cutting (S, n, m, columns), or
    of size 0: filled where asked.
    Sources that are discs, ovals or points look all round.
    Result: out is True where a line is free or the target touches the source. lines gets a point and the
    direction of a free line, NaN in the first place where the target touches, and nothing where it is hidden;
    cutting, which blockers cut lines, for round sources maybe of pairs that are seen another way. Returns
    False, with out unfinished, if the scratch arrays have too little room.
    Boundary rule: arc and grazing closed within tol; blockers within tol of each other leave no slit.
    Degenerate: points never block, segments block what crosses them; targets of zero size are seen like any
    other.
    Reference: Gajentaan and Overmars 1995 for the dual (slope, offset) plane; the sweep is described in the
    module.
    """
    # One long function: in parts that pass its arrays on it took 15 % longer, to run and to compile.
    (
        turned,
        xy,
        depth,
        keep,
        numbers,
        in_arc,
        angles,
        point,
        cuts,
        planes,
        elements,
        records,
        bounds,
        makers,
        bands,
        places,
        three,
        corners,
        shaft,
        small,
    ) = scratch
    base = three[0]
    source = three[1]
    target = three[2]
    source_corners = corners[0]
    target_corners = corners[1]
    source_cuts = cuts[0]
    target_cuts = cuts[1]
    frame = small[0]
    line = small[1]
    chain = places[0]
    piece_of = places[1]
    front = depth[0]
    back = depth[1]
    radii = depth[2]
    number = numbers[0]
    counts = numbers[1]
    near = numbers[2]
    room = records.shape[0]
    caps = room + target_cuts.shape[0]
    wants_line = lines.size > 0
    wants_cutting = cutting.size > 0
    n_source_part = source_part.shape[1]
    n_target_part = target_part.shape[1]

    for scene in range(start, stop):
        at = scene - first_scene if all_counts.shape[0] > 1 else 0
        boxes = all_boxes[at]
        vertices = all_vertices[at]
        scene_counts = all_counts[at]
        scene_radii = all_radii[at]
        owner = owners[at]
        at_asked = scene if asked.shape[0] > 1 else 0
        at_blocks = scene if blocks.shape[0] > 1 else 0
        n_of_scene = scene_counts.shape[0]
        while n_of_scene > 0 and scene_counts[n_of_scene - 1] == 0:
            n_of_scene -= 1  # room that other scenes need for more bridges
        for question in range(sources.shape[2] * 4):
            i = question // 4
            chart = question % 4
            at = scene if sources.shape[1] > 1 else 0
            along = sources[4, at, i]
            across = sources[5, at, i]
            radius = sources[6, at, i]
            has_facing = min(along, across) > 0.5 * tol or (radius == 0.0 and max(along, across) > 0.5 * tol)
            if chart == 0:
                for j in range(out.shape[2]):
                    out[scene, i, j] = False
                frame[2] = sources[2, at, i]
                frame[3] = sources[3, at, i]
            elif has_facing:
                continue
            else:
                ahead = frame[2]
                frame[2] = -frame[3]
                frame[3] = ahead
            any_asked = False
            for j in range(out.shape[2]):
                any_asked |= asked[at_asked, i if asked.shape[1] > 1 else 0, j if asked.shape[2] > 1 else 0]
            if not any_asked:
                continue
            # A source with a facing is that facing, at y = 0; all others are what they are. Both are widened
            # by half the tolerance, or the line to a target at the very limit of the arc would depend on
            # rounding.
            put_box(sources, at, i, 0.0, base, source_corners)
            slope_limit = limit if has_facing else 1.0
            ahead = along + radius if has_facing else 0.0
            frame[0] = base[X] + ahead * base[EX]
            frame[1] = base[Y] + ahead * base[EY]
            turn_box(base, frame, source)
            if has_facing:
                for row in range(7):
                    source[row] = 0.0
                source[VX] = -across - radius
            put_corners(source, source_corners)
            source[RADIUS] += 0.5 * tol
            wide = half_width(source, slope_limit)
            top = abs(source[UY]) + abs(source[VY]) + source[RADIUS]
            bottom = 0.0 if has_facing else -top
            farthest = wide
            if has_facing:
                top = 0.0
            else:  # lines that start at any y of the source
                farthest = abs(source[UX]) + abs(source[VX]) + 4.0 * top
            at_target = scene if targets.shape[1] > 1 else 0
            put_in_arc(targets, at_target, frame, slope_limit, farthest, bottom, tol, in_arc)
            any_asked = False
            for j in range(targets.shape[2]):
                in_arc[j] &= asked[at_asked, i if asked.shape[1] > 1 else 0, j if asked.shape[2] > 1 else 0]
                in_arc[j] &= not out[scene, i, j]
                any_asked |= in_arc[j]
            if not any_asked:
                continue
            n = turn_shapes(
                n_of_scene,
                frame,
                slope_limit,
                farthest + tol,
                bottom - tol,
                boxes,
                vertices,
                scene_counts,
                scene_radii,
                turned,
                xy,
                depth,
                numbers,
                keep,
            )

            for j in range(targets.shape[2]):
                if not in_arc[j]:
                    continue
                put_box(targets, at_target, j, 0.0, base, target_corners)
                turn_box(base, frame, target)
                height = abs(target[UY]) + abs(target[VY]) + target[RADIUS]
                low = target[Y] - height
                high = target[Y] + height
                put_corners(target, target_corners)
                first = -slope_limit
                last = slope_limit
                if low <= tol or not has_facing:
                    apart, nx, ny = separate(
                        target_corners,
                        4,
                        source_corners,
                        4,
                        source[RADIUS] - 0.5 * tol + target[RADIUS],
                        tol,
                    )
                    if not apart:
                        out[scene, i, j] = True
                        if wants_line:
                            lines[scene, i, j, 0] = math.nan
                        continue
                    if has_facing:
                        if high <= tol:
                            continue
                    # on one side of the slope of a line between them the source comes first
                    elif nx > 0.0:
                        first = max(first, -ny / nx)
                    elif nx < 0.0:
                        last = min(last, -ny / nx)
                    elif ny < 0.0:
                        continue
                    if first > last:
                        continue
                # The shaft: lines that leave source and target on one side. Every slope would do; the outer
                # tangents make it narrow.
                for side in range(2):
                    sign = 2.0 * side - 1.0
                    slope = -slope_limit
                    for k in range(4):
                        dx = sign * (target_corners[0, k] - source[X]) + target[RADIUS] - wide
                        dy = target_corners[1, k] - source[Y]
                        if dy > 1e-3:
                            slope = max(slope, dx / dy)
                        elif dx > 0.0:
                            slope = slope_limit
                    slope = sign * min(slope, slope_limit)
                    shaft[side, 0] = slope
                    u = sign * (target[X] - slope * target[Y]) + half_width(target, slope)
                    shaft[side, 1] = max(
                        u, sign * (source[X] - slope * source[Y]) + half_width(source, slope)
                    )
                cull(n, turned, shaft, bottom, high, keep)
                left = shaft[0, 0]
                right = shaft[1, 0]
                left_r = math.sqrt(1.0 + left * left)
                right_r = math.sqrt(1.0 + right * right)
                n_near = 0
                is_barred = False
                for b in range(n):
                    if not keep[b]:
                        continue
                    at_source = i if blocks.shape[1] > 1 else 0
                    at = j if blocks.shape[2] > 1 else 0
                    if not (
                        blocks[at_blocks, at_source, at, owner[number[b], 0]]
                        and blocks[at_blocks, at_source, at, owner[number[b], 1]]
                    ):
                        continue
                    left_near = math.inf
                    left_far = -math.inf
                    right_near = math.inf
                    right_far = -math.inf
                    for k in range(counts[b]):
                        x = xy[b, 0, k]
                        y = xy[b, 1, k]
                        left_near = min(left_near, x - left * y)
                        left_far = max(left_far, x - left * y)
                        right_near = min(right_near, x - right * y)
                        right_far = max(right_far, x - right * y)
                    r = radii[b]
                    # what is thin and lies on source or target is met there, not between them
                    margin = max(0.5 * tol, -r) if r < 0.0 else offset
                    if (
                        left_far + r * left_r > -shaft[0, 1]
                        and right_near - r * right_r < shaft[1, 1]
                        and front[b] < high
                        and back[b] > bottom
                    ):
                        near[n_near] = b
                        n_near += 1
                        # one blocker across the whole shaft, after the source and before the target
                        is_barred |= (
                            left_near - r * left_r < -shaft[0, 1]
                            and right_far + r * right_r > shaft[1, 1]
                            and front[b] >= top + margin
                            and back[b] <= low - margin
                        )
                is_plain = n_source_part == 0 and n_target_part == 0 and (low >= 0.0 or not has_facing)
                if not (wants_line or wants_cutting):
                    if is_barred:
                        continue
                    if is_plain and has_facing and n_near == 0:
                        out[scene, i, j] = True  # the arc reaches the target, and nothing is in the way
                        continue
                    if is_plain:
                        for trial in range(TRIALS):
                            # towards the middle, along the sides, and crosswise
                            dx = target[X] - source[X]
                            dy = target[Y] - source[Y]
                            if trial > 0:
                                dx += (
                                    (1.0 if trial < 3 else -1.0)
                                    * (1.0 if trial % 2 == 0 else -1.0)
                                    * half_width(target, 0.0)
                                )
                                dx -= (1.0 if trial % 2 == 0 else -1.0) * abs(source[VX])
                            if dy > 0.0:
                                slope = min(max(dx / dy, first), last)
                                if is_free(slope, source, target, near, n_near, xy, counts, radii, bands):
                                    out[scene, i, j] = True
                                    break
                        if out[scene, i, j]:
                            continue

                # pieces of the blockers that count
                n_rows = 2
                at = 0
                last_plane = 2 * caps
                for k in range(n_source_part + n_target_part):
                    part = source_part if k < n_source_part else target_part
                    p = k if k < n_source_part else k - n_source_part
                    q = (caps if k < n_source_part else 0) + p
                    planes[0, q] = part[0, p] * frame[3] - part[1, p] * frame[2]
                    planes[1, q] = part[0, p] * frame[2] + part[1, p] * frame[3]
                    planes[2, q] = part[2, p] - part[0, p] * frame[0] - part[1, p] * frame[1]
                n_target_caps = n_target_part
                n_source_caps = caps + n_source_part
                if has_facing and low < 0.0:  # what lies behind the facing cannot be seen
                    planes[0, n_target_caps] = 0.0
                    planes[1, n_target_caps] = 1.0
                    planes[2, n_target_caps] = 0.0
                    n_target_caps += 1
                for q in range(n_near):
                    b = near[q]
                    count = counts[b]
                    radius = radii[b]
                    # what is thin and lies on the facing is met there, not after it
                    ahead = 0.5 * tol if radius < 0.0 else offset
                    if has_facing and back[b] <= max(ahead, -radius):
                        continue
                    n_target_cuts = 1
                    n_source_cuts = 1
                    # Nearer than the target whatever the slope; not a wall in contact with it, which may be
                    # met on the target.
                    if back[b] <= low + min(radius, 0.0) - offset:
                        target_cuts[0, 0] = 0.0
                        target_cuts[0, 1] = -1.0
                        target_cuts[0, 2] = -math.inf
                        target_cuts[0, 3] = -math.inf
                        target_cuts[0, 4] = math.inf
                    else:
                        n_target_cuts, n_target_caps = cut_beyond(
                            xy[b],
                            count,
                            radius,
                            target,
                            target_corners,
                            1.0,
                            3.0 * tol,
                            offset,
                            target_cuts,
                            planes,
                            0,
                            n_target_part,
                            n_target_caps,
                            angles,
                            point,
                        )
                    if has_facing:
                        source_cuts[0, 0] = 0.0
                        source_cuts[0, 1] = 1.0
                        source_cuts[0, 2] = ahead if front[b] < ahead else -math.inf
                        source_cuts[0, 3] = -math.inf
                        source_cuts[0, 4] = math.inf
                    else:
                        n_source_cuts, n_source_caps = cut_beyond(
                            xy[b],
                            count,
                            radius,
                            source,
                            source_corners,
                            -1.0,
                            3.0 * tol,
                            offset,
                            source_cuts,
                            planes,
                            caps,
                            caps + n_source_part,
                            n_source_caps,
                            angles,
                            point,
                        )
                    if max(n_target_caps, n_source_caps - caps) > room:
                        return False
                    for cut in range(n_source_cuts * n_target_cuts):
                        p = cut // n_target_cuts
                        k = cut % n_target_cuts
                        low_slope = max(source_cuts[p, 3], target_cuts[k, 3])
                        high_slope = min(source_cuts[p, 4], target_cuts[k, 4])
                        if max(low_slope, first) < min(high_slope, last):
                            if n_rows == room:
                                return False
                            first_plane = last_plane
                            for row in range(3):
                                planes[row, last_plane] = source_cuts[p, row]
                            if source_cuts[p, 2] > -math.inf:
                                last_plane += 1
                            for row in range(3):
                                planes[row, last_plane] = target_cuts[k, row]
                            if target_cuts[k, 2] > -math.inf:
                                last_plane += 1
                            at = put_shape(
                                xy[b],
                                count,
                                radius,
                                planes,
                                first_plane,
                                last_plane,
                                elements,
                                at,
                                records[n_rows],
                            )
                            bounds[n_rows, 0] = low_slope
                            bounds[n_rows, 1] = high_slope
                            piece_of[n_rows] = number[b]
                            n_rows += 1
                for attempt in range(2):
                    # What hides is told with those parts of source and target that blockers cover: lines to
                    # them are cut too.
                    if attempt == 1:
                        n_source_caps = caps + n_source_part
                        n_target_caps = n_target_part + (1 if has_facing and low < 0.0 else 0)
                    for row in range(2):
                        bounds[row, 0] = -math.inf
                        bounds[row, 1] = math.inf
                        at = put_shape(
                            source_corners if row == 0 else target_corners,
                            4,
                            source[RADIUS] if row == 0 else target[RADIUS],
                            planes,
                            caps if row == 0 else 0,
                            n_source_caps if row == 0 else n_target_caps,
                            elements,
                            at,
                            records[row],
                        )
                    if attempt == 1:
                        for p in range(2, n_rows):
                            if meets(p, first, last, elements, planes, records, bounds, bands, makers):
                                for k in range(0, 3, 2):
                                    cutting[scene, i, j, owner[piece_of[p], k]] = True
                    elif free_line(
                        first,
                        last,
                        wants_line,
                        elements,
                        planes,
                        records,
                        bounds,
                        n_rows - 2,
                        bands,
                        makers,
                        chain,
                        line,
                    ):
                        out[scene, i, j] = True
                        if wants_line:
                            scale = 1.0 / math.sqrt(1.0 + line[1] * line[1])
                            lines[scene, i, j, 0] = frame[0] + line[0] * frame[3]
                            lines[scene, i, j, 1] = frame[1] - line[0] * frame[2]
                            lines[scene, i, j, 2] = scale * (line[1] * frame[3] + frame[2])
                            lines[scene, i, j, 3] = scale * (frame[3] - line[1] * frame[2])
                    if out[scene, i, j] or not wants_cutting:
                        break
    return True
