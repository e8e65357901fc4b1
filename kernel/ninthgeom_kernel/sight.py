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

Blockers are shrunk by the tolerance and the source is widened by half of it, so that even a single free line
has some width: on a table a million times more than rounding, and a hundred times the step of the sweep.
Blockers in contact are joined: the hull of their bands is blocked.
"""

from __future__ import annotations

import math
from typing import Any, cast

import numpy as np
from numba import typeof

from ninthgeom_kernel._jit import BOOL, BOOL_4, BOOL_OUT3, F8, F8_1, F8_2, F8_3, I8, I8_1, kernel, scalar
from ninthgeom_kernel.boxes import (
    EX,
    EY,
    RADIUS,
    REACH,
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
from ninthgeom_kernel.sweep import free_line

# smaller.


@scalar
def put_blockers(
    blockers: Any,
    corner_xy: Any,
    corner_start: Any,
    shrunk_xy: Any,
    shrunk_start: Any,
    shrunk_radius: Any,
    scene: int,
    tol: float,
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    touching: Any,
) -> None:
    """Prepare the blockers of one scene: boxes for culling, vertices of the shrunk shapes, who touches whom.

    Shrunk means the part deeper than tol. A base thinner than twice the tolerance has none; it blocks as a
    segment, which gets the radius -tol: a line must leave both its ends more than tol to either side.
    Polygons are treated so too. A point blocks nothing and gets no vertex.
    """
    n_bases = blockers.shape[2]
    n = boxes.shape[0]
    for b in range(n):
        if b < n_bases:
            along = blockers[4, scene, b]
            across = blockers[5, scene, b]
            radius = blockers[6, scene, b]
            inset = max(tol - radius, 0.0)
            shrunk = max(radius - tol, 0.0)
            counts[b, 0] = 4
            counts[b, 1] = 4
            if min(along, across) + radius <= tol:
                inset = 0.0
                shrunk = -tol
                if max(along, across) + radius <= tol:
                    counts[b, 0] = 0
            put_box(blockers, scene, b, inset, boxes[b], vertices[b, 0])
            put_box(blockers, scene, b, 0.0, boxes[b], vertices[b, 1])
            radii[b, 0] = shrunk
            radii[b, 1] = radius
        else:
            p = b - n_bases
            for row in range(10):
                boxes[b, row] = 0.0
            for kind in range(2):
                xy, starts = (shrunk_xy, shrunk_start) if kind == 0 else (corner_xy, corner_start)
                counts[b, kind] = starts[p + 1] - starts[p]
                for row in range(2):
                    for k in range(counts[b, kind]):
                        vertices[b, kind, row, k] = xy[row, starts[p] + k]
            for row in range(2):
                for k in range(counts[b, 1]):
                    boxes[b, row] += vertices[b, 1, row, k] / counts[b, 1]
            reach = 0.0
            for k in range(counts[b, 1]):
                dx = vertices[b, 1, 0, k] - boxes[b, X]
                dy = vertices[b, 1, 1, k] - boxes[b, Y]
                reach = max(reach, math.sqrt(dx * dx + dy * dy))
            boxes[b, RADIUS] = reach
            boxes[b, REACH] = reach
            radii[b, 0] = shrunk_radius[p]
            radii[b, 1] = 0.0
    for a in range(n):
        for b in range(a + 1):
            reach = boxes[a, REACH] + boxes[b, REACH] + tol
            dx = boxes[a, X] - boxes[b, X]
            dy = boxes[a, Y] - boxes[b, Y]
            near = a != b and dx * dx + dy * dy <= reach * reach and min(counts[a, 0], counts[b, 0]) > 0
            if near:
                apart, _, _ = separate(
                    vertices[a, 1], counts[a, 1], vertices[b, 1], counts[b, 1], radii[a, 1] + radii[b, 1], tol
                )
                near = not apart
            touching[a, b] = near
            touching[b, a] = near


def scratch_arrays(n: int, width: int, room: int) -> tuple[np.ndarray[Any, Any], ...]:
    """Arrays that `lines_of_sight` works in, for n blockers of at most ``width`` corners.

    ``room`` is how many pieces of blockers, and how many pairs of pieces in contact, one question may have.
    They are made here, not in the kernel, because numba takes longer to compile an allocation than many a
    loop.
    """
    cuts = 4 + 4 * (
        2 * (4 * width + 2) - 1
    )  # of a blocker: four sides, crossings and stretches of four corners
    return (
        np.empty((n, 10)),  # boxes
        np.empty((7, n)),  # turned
        np.empty((n, 2, 2, width)),  # vertices
        np.empty((n, 2), np.int64),  # counts
        np.empty((n, 2)),  # radii
        np.empty((n, n), np.bool_),  # touching
        np.empty(n, np.bool_),  # keep
        np.empty((2, width)),  # piece
        np.empty(4 * width + 8),  # angles
        np.empty((2, 1)),  # point
        np.empty((cuts, 5)),  # target_cuts
        np.empty((cuts, 5)),  # source_cuts
        np.empty((3, 2 * (room + cuts) + 2 * room)),  # planes
        np.empty((3, room * (width + 4) + 4 * (room + cuts) + 8)),  # elements
        np.empty((room, 5), np.int64),  # records
        np.empty((room, 2)),  # bounds
        np.empty(room, np.int64),  # owners
        np.empty((room, 2), np.int64),  # joints
        np.empty((2 * room, 5)),  # bands
        np.empty((2 * room, 2), np.int64),  # makers
        np.empty(10),  # base
        np.empty(10),  # source
        np.empty(10),  # target
        np.empty((2, 4)),  # source_corners
        np.empty((2, 4)),  # target_corners
        np.empty((2, 2)),  # shaft
        np.empty(4),  # frame
    )


SCRATCH: Any = cast(Any, typeof)(scratch_arrays(1, 4, 8))


@kernel(
    BOOL(F8_3, F8_3, F8_3, F8_2, I8_1, F8_2, I8_1, F8_1, I8_1, BOOL_4, F8, F8, SCRATCH, I8, I8, BOOL_OUT3)
)
def lines_of_sight(
    sources: Any,
    targets: Any,
    blockers: Any,
    corner_xy: Any,
    corner_start: Any,
    shrunk_xy: Any,
    shrunk_start: Any,
    shrunk_radius: Any,
    owner: Any,
    blocks: Any,
    limit: float,
    tol: float,
    scratch: Any,
    start: int,
    stop: int,
    out: Any,
) -> bool:
    """Line of sight from all sources to all targets in each of the scenes ``start`` to ``stop``.

    Arguments: sources (7, S or 1, n), targets (7, S or 1, m) and base blockers (7, S or 1, B) as columns of
    bases; corners (2, V) of the convex pieces of polygon blockers, counter-clockwise, and where each piece
    starts (P + 1); owner (B + P), the column of ``blocks`` for each; blocks (S or 1, n or 1, m or 1,
    columns), which blockers count; limit, tan of the half angle; tol; scratch as `scratch_arrays` makes it;
    out (S, n, m), written. Sources that are discs, ovals or points look all round.
    Result: out is True where a line is free or the target touches the source; returns False, with out
    unfinished, if the scratch arrays have too little room.
    Boundary rule: arc and grazing closed within tol; blockers within tol of each other leave no slit.
    Degenerate: points never block, segments block what crosses them; targets of zero size are seen like any
    other.
    Reference: Gajentaan and Overmars 1995 for the dual (slope, offset) plane; the sweep is described in the
    module.
    """
    n_bases = blockers.shape[2]
    n = n_bases + corner_start.shape[0] - 1
    (
        boxes,
        turned,
        vertices,
        counts,
        radii,
        touching,
        keep,
        piece,
        angles,
        point,
        target_cuts,
        source_cuts,
        planes,
        elements,
        records,
        bounds,
        owners,
        joints,
        bands,
        makers,
        base,
        source,
        target,
        source_corners,
        target_corners,
        shaft,
        frame,
    ) = scratch
    room = records.shape[0]
    caps = room + target_cuts.shape[0]

    for scene in range(start, stop):
        if scene == start or blockers.shape[1] > 1:
            at = scene if blockers.shape[1] > 1 else 0
            put_blockers(
                blockers,
                corner_xy,
                corner_start,
                shrunk_xy,
                shrunk_start,
                shrunk_radius,
                at,
                tol,
                boxes,
                vertices,
                counts,
                radii,
                touching,
            )
        for question in range(sources.shape[2] * 4):
            i = question // 4
            chart = question % 4
            at = scene if sources.shape[1] > 1 else 0
            along = sources[4, at, i]
            across = sources[5, at, i]
            radius = sources[6, at, i]
            has_facing = min(along, across) > 0.5 * tol or (radius == 0.0 and max(along, across) > 0.5 * tol)
            if chart == 0:
                out[scene, i, :] = False
                frame[2] = sources[2, at, i]
                frame[3] = sources[3, at, i]
            elif has_facing:
                continue
            else:
                frame[2], frame[3] = -frame[3], frame[2]
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
            bottom = -abs(source[UY]) - abs(source[VY]) - source[RADIUS]
            source_radius = 0.0 if has_facing else radius
            for b in range(n):
                dx = boxes[b, X] - frame[0]
                dy = boxes[b, Y] - frame[1]
                turned[0, b] = dx * frame[3] - dy * frame[2]
                turned[1, b] = dx * frame[2] + dy * frame[3]
                turned[2, b] = boxes[b, UX] * frame[3] - boxes[b, UY] * frame[2]
                turned[3, b] = boxes[b, UX] * frame[2] + boxes[b, UY] * frame[3]
                turned[4, b] = boxes[b, VX] * frame[3] - boxes[b, VY] * frame[2]
                turned[5, b] = boxes[b, VX] * frame[2] + boxes[b, VY] * frame[3]
                turned[6, b] = boxes[b, RADIUS]

            for j in range(targets.shape[2]):
                if out[scene, i, j]:
                    continue
                at = scene if targets.shape[1] > 1 else 0
                put_box(targets, at, j, 0.0, base, target_corners)
                turn_box(base, frame, target)
                height = abs(target[UY]) + abs(target[VY]) + target[RADIUS]
                low = target[Y] - height
                high = target[Y] + height
                if high < bottom - tol:
                    continue
                # beyond the outermost legal lines; what touches the facing never is
                beyond = target[X] - half_width(target, slope_limit) - slope_limit * target[Y] > wide
                beyond |= target[X] + half_width(target, -slope_limit) + slope_limit * target[Y] < -wide
                if beyond and has_facing:
                    continue
                put_corners(target, target_corners)
                if low <= tol or not has_facing:
                    apart, nx, ny = separate(
                        target_corners, 4, source_corners, 4, source_radius + target[RADIUS], tol
                    )
                    if not apart:
                        out[scene, i, j] = True
                        continue
                if has_facing and high <= tol:
                    continue
                first = -slope_limit
                last = slope_limit
                if not has_facing:  # on one side of the slope of a line between them the source comes first
                    if nx > 0.0:
                        first = max(first, -ny / nx)
                    elif nx < 0.0:
                        last = min(last, -ny / nx)
                    elif ny < 0.0:
                        last = -math.inf
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
                left = shaft[0, 0]
                right = shaft[1, 0]
                left_u = -shaft[0, 1]
                right_u = shaft[1, 1]
                left_s = math.sqrt(1.0 + left * left)
                right_s = math.sqrt(1.0 + right * right)
                for b in range(n):
                    x = turned[0, b]
                    y = turned[1, b]
                    ux = turned[2, b]
                    uy = turned[3, b]
                    vx = turned[4, b]
                    vy = turned[5, b]
                    r = turned[6, b]
                    near_u = x - right * y - abs(ux - right * uy) - abs(vx - right * vy) - r * right_s
                    far_u = x - left * y + abs(ux - left * uy) + abs(vx - left * vy) + r * left_s
                    half = abs(uy) + abs(vy) + r
                    keep[b] = (near_u < right_u) & (far_u > left_u) & (y - half < high) & (y + half > bottom)

                # pieces of the blockers that count
                n_rows = 2
                at = 0
                last_plane = 2 * caps
                n_target_caps = 0
                n_source_caps = caps
                if has_facing and low < 0.0:  # what lies behind the facing cannot be seen
                    planes[0, 0] = 0.0
                    planes[1, 0] = 1.0
                    planes[2, 0] = 0.0
                    n_target_caps = 1
                must_cut = n_target_caps > 0
                for b in range(n):
                    at_scene = scene if blocks.shape[0] > 1 else 0
                    at_source = i if blocks.shape[1] > 1 else 0
                    at_target = j if blocks.shape[2] > 1 else 0
                    if (
                        not keep[b]
                        or not blocks[at_scene, at_source, at_target, owner[b]]
                        or counts[b, 0] == 0
                    ):
                        continue
                    count = counts[b, 0]
                    radius = radii[b, 0]
                    reach = max(radius, 0.0)
                    front = math.inf
                    back = -math.inf
                    for k in range(count):
                        dx = vertices[b, 0, 0, k] - frame[0]
                        dy = vertices[b, 0, 1, k] - frame[1]
                        piece[0, k] = dx * frame[3] - dy * frame[2]
                        piece[1, k] = dx * frame[2] + dy * frame[3]
                        front = min(front, piece[1, k] - reach)
                        back = max(back, piece[1, k] + reach)
                    n_target_cuts = 1
                    n_source_cuts = 1
                    # Nearer than the target whatever the slope; not a wall in contact with it, which may be
                    # met on the target.
                    if back <= low + min(radius, 0.0):
                        target_cuts[0, 0] = 0.0
                        target_cuts[0, 1] = -1.0
                        target_cuts[0, 2] = -math.inf
                        target_cuts[0, 3] = -math.inf
                        target_cuts[0, 4] = math.inf
                    else:
                        n_target_cuts, n_target_caps = cut_beyond(
                            piece,
                            count,
                            radius,
                            target,
                            target_corners,
                            1.0,
                            3.0 * tol,
                            target_cuts,
                            planes,
                            n_target_caps,
                            angles,
                            point,
                        )
                    if has_facing:
                        if back <= max(0.0, -radius):
                            continue
                        source_cuts[0, 0] = 0.0
                        source_cuts[0, 1] = 1.0
                        source_cuts[0, 2] = 0.0 if front < 0.0 else -math.inf
                        source_cuts[0, 3] = -math.inf
                        source_cuts[0, 4] = math.inf
                    else:
                        n_source_cuts, n_source_caps = cut_beyond(
                            piece,
                            count,
                            radius,
                            source,
                            source_corners,
                            -1.0,
                            3.0 * tol,
                            source_cuts,
                            planes,
                            n_source_caps,
                            angles,
                            point,
                        )
                    if max(n_target_caps, n_source_caps - caps) > room:
                        return False
                    for cut in range(n_source_cuts * n_target_cuts):
                        p = cut // n_target_cuts
                        q = cut % n_target_cuts
                        low_slope = max(source_cuts[p, 3], target_cuts[q, 3])
                        high_slope = min(source_cuts[p, 4], target_cuts[q, 4])
                        if max(low_slope, first) < min(high_slope, last):
                            if n_rows == room:
                                return False
                            first_plane = last_plane
                            for row in range(3):
                                planes[row, last_plane] = source_cuts[p, row]
                            if source_cuts[p, 2] > -math.inf:
                                last_plane += 1
                            for row in range(3):
                                planes[row, last_plane] = target_cuts[q, row]
                            if target_cuts[q, 2] > -math.inf:
                                last_plane += 1
                            at = put_shape(
                                piece,
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
                            owners[n_rows] = b
                            n_rows += 1
                if n_rows == 2 and has_facing and not must_cut:
                    out[scene, i, j] = True  # the arc reaches the target, and nothing is in the way
                    continue
                n_joints = 0
                for p in range(2, n_rows):
                    for q in range(2, p):
                        if touching[owners[p], owners[q]]:
                            if n_joints == room:
                                return False
                            joints[n_joints, 0] = p
                            joints[n_joints, 1] = q
                            n_joints += 1
                for row in range(2):
                    bounds[row, 0] = -math.inf
                    bounds[row, 1] = math.inf
                at = put_shape(
                    source_corners,
                    4,
                    source[RADIUS],
                    planes,
                    caps,
                    n_source_caps,
                    elements,
                    at,
                    records[0],
                )
                at = put_shape(
                    target_corners, 4, target[RADIUS], planes, 0, n_target_caps, elements, at, records[1]
                )
                dy = target[Y] - source[Y]
                trial = (target[X] - source[X]) / dy if dy > 0.0 else 0.0
                out[scene, i, j] = free_line(
                    first,
                    last,
                    trial,
                    elements,
                    planes,
                    records,
                    bounds,
                    n_rows - 2,
                    joints,
                    n_joints,
                    bands,
                    makers,
                    4.0 * tol,
                )
    return True
