"""Cutting blockers that lie on the source or the target of a sight line into convex pieces beyond it."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.boxes import EX, EY, RADIUS
from ninthgeom_kernel.convex import ROUNDING, separate

# The angle at which a line touches a circle is known to the root of rounding only.
TURNED = 1e-5


@scalar
def cut_beyond(
    vertices: Any,
    n: int,
    radius: float,
    box: Any,
    corners: Any,
    order: float,
    margin: float,
    offset: float,
    cuts: Any,
    caps: Any,
    first_part: int,
    last_part: int,
    n_caps: int,
    angles: Any,
    point: Any,
) -> tuple[int, int]:
    """Half-planes that cut the part of a blocker outside a box (source or target) into convex pieces.

    ``order`` is 1 for a target (a piece counts where it is met before it) and -1 for a source (after it).
    Blocker and box count as overlapping unless they are more than ``margin`` apart: what touches the end of a
    seam must not hide on which side of it the box lies. A blocker that does not overlap the
    box needs no cut: one row, with c = -inf. Otherwise one supporting line of the box a side and, for each
    stretch of a round corner that lies in the blocker, its chord; the cap of the box beyond that chord is
    covered by the blocker and goes to ``caps``. Where only a part of the box is meant, its half-planes are
    columns ``first_part`` to ``last_part`` of caps, and each cuts too. What is no further than ``offset``
    beyond the lines is left out. Rows: half-plane m p >= c, open range of slopes. Returns the number of cuts
    and of caps.
    """
    reach = max(radius, 0.0)
    # Where touching blocks, a segment has grown to a thin oval; it is no more than a segment here.
    flat = 1.0
    for k in range(2):
        dx = vertices[0, k + 1] - vertices[0, k]
        dy = vertices[1, k + 1] - vertices[1, k]
        flat *= dx * dx + dy * dy
    is_grown_wall = offset > 0.0 and reach <= offset and flat <= ROUNDING * ROUNDING
    is_wall = radius < 0.0 or is_grown_wall
    deep = 0.0 if is_wall else reach - offset  # what only touches the blocker is not covered by it
    arc = box[RADIUS]
    thin = margin / 6.0
    count = 0
    apart = False
    for attempt in range(2):
        # A line between them that is not as far from both still is one, beside the cuts along a round box;
        # but what is thin and touches the box is met there.
        if attempt == 0 or (arc > 0.0 and not is_wall and not apart):
            is_between, nx, ny = separate(
                vertices, n, corners, 4, reach + arc, margin if attempt == 0 else -offset
            )
            if is_between:
                cuts[0, 0] = nx
                cuts[0, 1] = ny
                cuts[0, 2] = -math.inf
                if attempt == 1 and offset > 0.0:
                    for k in range(4):
                        cuts[0, 2] = max(cuts[0, 2], nx * corners[0, k] + ny * corners[1, k] + arc + offset)
                count = 1
                apart = attempt == 0
    if not apart:
        for side in range(4):
            sign = 1.0 if side < 2 else -1.0
            nx = sign * (box[EX] if side % 2 == 0 else -box[EY])
            ny = sign * (box[EY] if side % 2 == 0 else box[EX])
            furthest = -math.inf
            for k in range(4):
                furthest = max(furthest, nx * corners[0, k] + ny * corners[1, k])
            furthest += arc + offset
            beyond = -math.inf
            for k in range(n):
                beyond = max(beyond, nx * vertices[0, k] + ny * vertices[1, k])
            # what is thin and on a side is met there, not before it
            if beyond + reach > furthest + (thin if radius < 0.0 else 0.0):
                cuts[count, 0] = nx
                cuts[count, 1] = ny
                cuts[count, 2] = furthest + (thin if radius < 0.0 and arc <= 0.0 else 0.0)
                count += 1
        for part in range(first_part, last_part):
            cuts[count, 0] = -caps[0, part]
            cuts[count, 1] = -caps[1, part]
            cuts[count, 2] = offset - caps[2, part]
            count += 1
        for corner in range(4):
            if arc <= 0.0:
                break
            x = corners[0, corner]
            y = corners[1, corner]
            start = math.atan2(box[EY], box[EX]) + corner * 0.5 * math.pi
            # Where may the arc cross the blocker's outline? At its crossings with the circles of the vertices
            # and the lines of the edges; those that are not on the outline only add a question below.
            angles[0] = 0.0
            angles[1] = 0.5 * math.pi
            crossings = 2
            for k in range(2 * n):
                i = k // 2
                j = i + 1 if i + 1 < n else 0
                dx = vertices[0, i] - x
                dy = vertices[1, i] - y
                if k % 2 == 0:
                    d = math.sqrt(dx * dx + dy * dy)
                    toward = math.atan2(dy, dx)
                    cosine = (d * d + arc * arc - deep * deep) / (2.0 * d * arc)
                else:
                    nx = vertices[1, j] - vertices[1, i]
                    ny = vertices[0, i] - vertices[0, j]
                    d = math.sqrt(nx * nx + ny * ny)
                    toward = math.atan2(ny, nx)
                    cosine = ((nx * dx + ny * dy) / d + deep) / arc
                if is_wall and abs(cosine) <= 1.0 + margin / arc:  # along a tangent, or almost
                    cosine = min(1.0, max(-1.0, cosine))
                if abs(cosine) <= 1.0:  # not so where d is 0
                    for sign in (-1.0, 1.0):
                        angle = (toward + sign * math.acos(cosine) - start) % (2.0 * math.pi)
                        if angle < 0.5 * math.pi:
                            at = crossings
                            while angles[at - 1] > angle:
                                angles[at] = angles[at - 1]
                                at -= 1
                            angles[at] = angle
                            crossings += 1
            # The chord of each stretch in the blocker has the normal of its middle. A blocker without an
            # inside has no stretch, but ends at the arc where it crosses it: there the tangent takes the
            # place of the chord.
            for k in range(2 * crossings - 1):
                middle = start + 0.5 * (angles[k // 2] + angles[(k + 1) // 2])
                half = 0.5 * (angles[(k + 1) // 2] - angles[k // 2])
                nx = math.cos(middle)
                ny = math.sin(middle)
                point[0, 0] = x + arc * nx
                point[1, 0] = y + arc * ny
                is_stretch = k % 2 == 1
                if half > ROUNDING and not is_wall if is_stretch else is_wall:
                    # Of a wall along the tangent that point alone lies on the box: tangents turned a little
                    # to either side cut off the rest. Where touching blocks, what is no further from the box
                    # than the offset is met there too, a good way along the arc.
                    turns = 1 if is_stretch else 2
                    for i in range(n):
                        dx = vertices[0, i] - x
                        dy = vertices[1, i] - y
                        if abs(nx * dx + ny * dy - arc) > margin + TURNED * abs(nx * dy - ny * dx):
                            turns = 1
                    near = 0.0 if is_stretch else (margin if turns == 2 else ROUNDING)
                    apart, _, _ = separate(point, 1, vertices, n, deep, near)
                    if apart:
                        continue
                    for turn in range(turns):
                        angle = middle
                        height = arc * math.cos(half)
                        if turns == 2:
                            room = middle - start if turn == 0 else start + 0.5 * math.pi - middle
                            if room <= TURNED:  # the next corner, or the straight side, has the other part
                                continue
                            most = math.sqrt(2.0 * offset / arc) if is_grown_wall else 2.0 * thin / arc
                            most = min(most, room)
                            angle += (2.0 * turn - 1.0) * most
                            height += min(offset, 0.5 * arc * most * most)
                        cuts[count, 0] = math.cos(angle)
                        cuts[count, 1] = math.sin(angle)
                        cuts[count, 2] = cuts[count, 0] * x + cuts[count, 1] * y + height
                        if is_stretch:
                            for row in range(3):
                                caps[row, n_caps] = -cuts[count, row]
                            n_caps += 1
                            cuts[count, 2] += offset
                        count += 1
    for k in range(count):
        # slopes t with order * (t nx + ny) < 0, and a little more: at the limit both sides of a seam count
        nx = order * cuts[k, 0]
        ny = order * cuts[k, 1]
        cuts[k, 3] = -math.inf
        cuts[k, 4] = math.inf
        if nx > 0.0:
            cuts[k, 4] = ROUNDING - ny / nx
        elif nx < 0.0:
            cuts[k, 3] = -ROUNDING - ny / nx
        elif ny >= 0.0:
            cuts[k, 4] = -math.inf
    return count, n_caps
