"""The shapes that block sight in one scene: bases and polygons less a rim, and bridges where they touch.

Less the rim of a tolerance a shape blocks what passes deeper than that, and grazing is free. Shapes in
contact would leave a slit of two rims, so a *bridge* reaches from one to the other wherever they touch; it
counts where both count. With a negative inset shapes grow instead, and whatever touches them is blocked.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.boxes import RADIUS, REACH, UX, VX, VY, put_box
from ninthgeom_kernel.convex import separate

# A wall has no inside; lines cross it with both its ends more than so many tolerances to either side.
WALL = 1.0
# How far bridges reach into shapes, in tolerances, and start from the ends of walls: enough to overlap them.
INTO_SHAPE = 0.25
# What is thin has a radius less than 0; that of bridges, in tolerances, is so small that it changes nothing.
THIN = 1e-3
# Less their rims, shapes in contact are at most so many tolerances apart: corners of no more than 7 degrees.
BRIDGED = 16.0


@scalar
def put_bridge(
    a: Any, an: int, ar: float, b: Any, bn: int, br: float, nx: float, ny: float, tol: float, bridge: Any
) -> None:
    """Write the four corners of the bridge between two shapes; the normal points from b to a.

    It reaches from the face of one to the face of the other, as far as these are side by side, and a little
    into both. A corner has a face of no length.
    """
    a_low = a_high = b_low = b_high = 0.0
    a_near = b_near = math.inf
    for k in range(an):
        a_near = min(a_near, nx * a[0, k] + ny * a[1, k])
    for k in range(bn):
        b_near = min(b_near, -nx * b[0, k] - ny * b[1, k])
    for side in range(2):
        v, n, near, sign = (a, an, a_near, 1.0) if side == 0 else (b, bn, b_near, -1.0)
        low = math.inf
        high = -math.inf
        for k in range(n):
            if sign * (nx * v[0, k] + ny * v[1, k]) <= near + 2.0 * tol:
                along = nx * v[1, k] - ny * v[0, k]
                low = min(low, along)
                high = max(high, along)
        if side == 0:
            a_low = low
            a_high = high
        else:
            b_low = low
            b_high = high
    a_level = a_near - max(ar, 0.0)
    b_level = max(br, 0.0) - b_near
    for end in range(2):
        along = max(a_low, b_low) if end == 0 else min(a_high, b_high)
        a_along = min(max(along, a_low), a_high)
        b_along = min(max(along, b_low), b_high)
        # unit vector from b to a, in the frame of normal and face
        out = a_level - b_level
        aside = a_along - b_along
        length = math.sqrt(out * out + aside * aside)
        if out > -1e-3 * tol and length > 1e-3 * tol:
            out /= length
            aside /= length
        else:
            out = 1.0
            aside = 0.0
        for side in range(2):
            into = INTO_SHAPE * tol
            level, place, reach = (a_level, a_along, into) if side == 0 else (b_level, b_along, -into)
            level += reach * out
            place += reach * aside
            k = (1 + end) if side == 0 else 3 * end
            bridge[0, k] = level * nx - place * ny
            bridge[1, k] = level * ny + place * nx


@scalar
def put_polygons(xy: Any, starts: Any, boxes: Any, vertices: Any, counts: Any) -> int:
    """Write the convex pieces of polygons as shapes, with a box round each; returns how many they are."""
    n: int = starts.shape[0] - 1
    for p in range(n):
        counts[p] = starts[p + 1] - starts[p]
        for row in range(10):
            boxes[p, row] = 0.0
        for row in range(2):
            low = math.inf
            high = -math.inf
            for k in range(counts[p]):
                value = xy[row, starts[p] + k]
                vertices[p, row, k] = value
                low = min(low, value)
                high = max(high, value)
            boxes[p, row] = 0.5 * (low + high)
            boxes[p, UX if row == 0 else VY] = 0.5 * (high - low)
        boxes[p, REACH] = math.sqrt(boxes[p, UX] * boxes[p, UX] + boxes[p, VY] * boxes[p, VY])
    return n


@scalar
def put_blockers(
    bases: Any,
    part_xy: Any,
    part_start: Any,
    part_radius: Any,
    part_owner: Any,
    piece_xy: Any,
    piece_start: Any,
    piece_owner: Any,
    scene: int,
    is_first: bool,
    inset: float,
    tol: float,
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    owners: Any,
    whole_boxes: Any,
    whole_vertices: Any,
    whole_counts: Any,
    inner: Any,
    touching: Any,
) -> int:
    """Write the shapes of one scene: parts of polygons, bases, then bridges; returns how many they are.

    ``bases`` (7, S or 1, B); the parts of polygons that block and the convex pieces they are made of, with
    the number of the polygon each belongs to, from 0. Numbers in ``owners`` (two of each shape, different
    ones for bridges) count polygons first, then bases. Polygons are written for the first scene only.
    ``whole_boxes``, ``whole_vertices``, ``whole_counts``, ``inner`` and ``touching`` are scratch. A base
    thinner than two insets blocks as a wall does, a point not at all: its count is 0. Returns -1 if there is
    no room.
    """
    n_parts = part_start.shape[0] - 1
    n_pieces = piece_start.shape[0] - 1
    n_bases = bases.shape[2]
    n_polygons = touching.shape[0] - n_bases
    if is_first:
        put_polygons(part_xy, part_start, boxes, vertices, counts)
        put_polygons(piece_xy, piece_start, whole_boxes, whole_vertices, whole_counts)
        for p in range(n_parts):
            radii[p] = part_radius[p]
            boxes[p, RADIUS] = max(part_radius[p], 0.0)
            boxes[p, REACH] += boxes[p, RADIUS]
            owners[p, 0] = part_owner[p]
            owners[p, 1] = part_owner[p]
    for b in range(n_bases):
        k = n_parts + b
        along = bases[4, scene, b]
        across = bases[5, scene, b]
        radius = bases[6, scene, b]
        put_box(bases, scene, b, 0.0, whole_boxes[n_pieces + b], whole_vertices[n_pieces + b])
        whole_counts[n_pieces + b] = 4
        counts[k] = 4
        radii[k] = max(radius - inset, 0.0)
        core = max(inset - radius, 0.0)
        if min(along, across) + radius <= tol:
            core = 0.0
            radii[k] = max(-WALL * inset, -inset)
            if max(along, across) + radius <= tol:
                counts[k] = 0
        put_box(bases, scene, b, core, boxes[k], vertices[k])
        boxes[k, RADIUS] = max(radii[k], 0.0)
        owners[k, 0] = n_polygons + b
        owners[k, 1] = n_polygons + b
    n: int = n_parts + n_bases

    n_whole = n_pieces + n_bases
    any_touch = False
    for a in range(touching.shape[0]):
        for b in range(a):
            if is_first or a >= n_polygons:
                touching[a, b] = False
    for a in range(n_whole):
        for b in range(a):
            i = piece_owner[a] if a < n_pieces else n_polygons + a - n_pieces
            j = piece_owner[b] if b < n_pieces else n_polygons + b - n_pieces
            if a < n_pieces and not is_first:
                any_touch |= touching[i, j]
                continue
            reach = whole_boxes[a, REACH] + whole_boxes[b, REACH] + tol
            dx = whole_boxes[a, 0] - whole_boxes[b, 0]
            dy = whole_boxes[a, 1] - whole_boxes[b, 1]
            if dx * dx + dy * dy <= reach * reach and i != j and not touching[i, j]:
                apart, _, _ = separate(
                    whole_vertices[a],
                    whole_counts[a],
                    whole_vertices[b],
                    whole_counts[b],
                    whole_boxes[a, RADIUS] + whole_boxes[b, RADIUS],
                    tol,
                    False,
                )
                touching[i, j] = not apart
                any_touch |= not apart
    if any_touch:
        for a in range(n_parts + n_bases):
            for k in range(counts[a]):
                dx = boxes[a, 0] - vertices[a, 0, k]
                dy = boxes[a, 1] - vertices[a, 1, k]
                move = 0.0
                if radii[a] < 0.0:
                    move = INTO_SHAPE * tol / max(math.sqrt(dx * dx + dy * dy), INTO_SHAPE * tol)
                inner[a, 0, k] = vertices[a, 0, k] + move * dx
                inner[a, 1, k] = vertices[a, 1, k] + move * dy
            for b in range(a):
                i = owners[a, 0]
                j = owners[b, 0]
                reach = boxes[a, REACH] + boxes[b, REACH] + BRIDGED * tol
                dx = boxes[a, 0] - boxes[b, 0]
                dy = boxes[a, 1] - boxes[b, 1]
                if (
                    i != j
                    and touching[i, j]
                    and dx * dx + dy * dy <= reach * reach
                    and min(counts[a], counts[b]) > 0
                ):
                    reach = max(radii[a], 0.0) + max(radii[b], 0.0)
                    is_far, _, _ = separate(
                        inner[a], counts[a], inner[b], counts[b], reach, BRIDGED * tol, False
                    )
                    if not is_far:
                        # shapes that overlap even without their rims need no bridge
                        apart = False
                        nx = ny = 0.0
                        for attempt in range(2):
                            if not apart:
                                apart, nx, ny = separate(
                                    inner[a],
                                    counts[a],
                                    inner[b],
                                    counts[b],
                                    reach,
                                    -INTO_SHAPE * tol,
                                    attempt == 0,
                                )
                        if apart:
                            if n + 3 > boxes.shape[0]:
                                return -1
                            put_bridge(
                                inner[a],
                                counts[a],
                                radii[a],
                                inner[b],
                                counts[b],
                                radii[b],
                                nx,
                                ny,
                                tol,
                                vertices[n],
                            )
                            counts[n] = 4
                            radii[n] = -THIN * tol
                            v = vertices[n]
                            for row in range(2):
                                boxes[n, row] = 0.25 * (v[row, 0] + v[row, 1] + v[row, 2] + v[row, 3])
                                boxes[n, UX + row] = 0.25 * (v[row, 1] + v[row, 2] - v[row, 0] - v[row, 3])
                                boxes[n, VX + row] = 0.25 * (v[row, 2] + v[row, 3] - v[row, 0] - v[row, 1])
                            # the two ends of a bridge need not be parallel, so a little more
                            boxes[n, RADIUS] = 4.0 * tol
                            owners[n, 0] = i
                            owners[n, 1] = j
                            n += 1
                            # A wall in contact with something blocks what crosses it, however near its ends.
                            for side in range(2):
                                k = a if side == 0 else b
                                if radii[k] < 0.0:
                                    boxes[n] = boxes[k]
                                    vertices[n] = vertices[k]
                                    counts[n] = counts[k]
                                    radii[n] = -THIN * tol
                                    owners[n, 0] = i
                                    owners[n, 1] = j
                                    n += 1
    return n
