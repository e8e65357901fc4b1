"""Cheap tests of sight: what the arc reaches, what is in the way at all, and lines that are tried first.

Everything in the frame of the source, see `ninthgeom_kernel.sight`. The *shaft* between two lines that leave
source and target on one side holds all lines between these.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.boxes import RADIUS, UX, UY, VX, VY, X, Y, half_width


@scalar
def turn_shapes(
    n: int,
    frame: Any,
    limit: float,
    farthest: float,
    bottom: float,
    boxes: Any,
    vertices: Any,
    counts: Any,
    radii: Any,
    turned: Any,
    xy: Any,
    depth: Any,
    numbers: Any,
    keep: Any,
) -> int:
    """Express the shapes that lines from the source can meet in the frame, one behind the other.

    Written: boxes; vertices; between which y they lie, and their radius; which they are, and how many
    vertices they have. Returns how many there are: most shapes are behind the source or off its arc.
    """
    x0 = frame[0]
    y0 = frame[1]
    fx = frame[2]
    fy = frame[3]
    s = math.sqrt(1.0 + limit * limit)
    for b in range(n):
        dx = boxes[X, b] - x0
        dy = boxes[Y, b] - y0
        x = dx * fy - dy * fx
        y = dx * fx + dy * fy
        ux = boxes[UX, b] * fy - boxes[UY, b] * fx
        uy = boxes[UX, b] * fx + boxes[UY, b] * fy
        vx = boxes[VX, b] * fy - boxes[VY, b] * fx
        vy = boxes[VX, b] * fx + boxes[VY, b] * fy
        r = boxes[RADIUS, b]
        turned[0, b] = x
        turned[1, b] = y
        turned[2, b] = ux
        turned[3, b] = uy
        turned[4, b] = vx
        turned[5, b] = vy
        turned[6, b] = r
        right = x + limit * y + abs(ux + limit * uy) + abs(vx + limit * vy) + r * s
        left = x - limit * y - abs(ux - limit * uy) - abs(vx - limit * vy) - r * s
        high = y + abs(uy) + abs(vy) + r
        keep[b] = (left <= farthest) & (right >= -farthest) & (high >= bottom) & (counts[b] > 0)
    found = 0
    for b in range(n):
        if not keep[b]:
            continue
        for row in range(7):
            turned[row, found] = turned[row, b]
        low = math.inf
        high = -math.inf
        for k in range(counts[b]):
            dx = vertices[b, 0, k] - x0
            dy = vertices[b, 1, k] - y0
            xy[found, 0, k] = dx * fy - dy * fx
            y = dx * fx + dy * fy
            xy[found, 1, k] = y
            low = min(low, y)
            high = max(high, y)
        reach = max(radii[b], 0.0)
        depth[0, found] = low - reach
        depth[1, found] = high + reach
        depth[2, found] = radii[b]
        numbers[0, found] = b
        numbers[1, found] = counts[b]
        found += 1
    return found


@scalar
def put_in_arc(
    targets: Any,
    scene: int,
    frame: Any,
    limit: float,
    farthest: float,
    bottom: float,
    tol: float,
    in_arc: Any,
) -> None:
    """Tell which targets lines from the source can reach: half of them are behind it or off its arc."""
    fx = frame[2]
    fy = frame[3]
    s = math.sqrt(1.0 + limit * limit)
    for j in range(targets.shape[2]):
        dx = targets[0, scene, j] - frame[0]
        dy = targets[1, scene, j] - frame[1]
        c = targets[2, scene, j]
        d = targets[3, scene, j]
        along = targets[4, scene, j]
        across = targets[5, scene, j]
        radius = targets[6, scene, j]
        x = dx * fy - dy * fx
        y = dx * fx + dy * fy
        ux = (c * fy - d * fx) * along
        uy = (c * fx + d * fy) * along
        vx = (-d * fy - c * fx) * across
        vy = (c * fy - d * fx) * across
        right = x + limit * y + abs(ux + limit * uy) + abs(vx + limit * vy) + radius * s
        left = x - limit * y - abs(ux - limit * uy) - abs(vx - limit * vy) - radius * s
        high = y + abs(uy) + abs(vy) + radius
        in_arc[j] = (left <= farthest) & (right >= -farthest) & (high >= bottom - tol)


@scalar
def cull(n: int, turned: Any, shaft: Any, low: float, high: float, keep: Any) -> None:
    """Tell which boxes reach into the shaft, between y of low and high."""
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
        keep[b] = (near_u < right_u) & (far_u > left_u) & (y - half < high) & (y + half > low)


@scalar
def is_free(
    t: float, source: Any, target: Any, near: Any, n_near: int, xy: Any, counts: Any, radii: Any, bands: Any
) -> bool:
    """Whether a line of slope t is free even if what lies beyond the target, or on it, is in the way too."""
    s = math.sqrt(1.0 + t * t)
    reach = -math.inf
    right = math.inf
    for side in range(2):
        box = source if side == 0 else target
        middle = box[X] - t * box[Y]
        half = half_width(box, t)
        reach = max(reach, middle - half)
        right = min(right, middle + half)
    if reach > right:
        return False
    for q in range(n_near):
        b = near[q]
        low = math.inf
        high = -math.inf
        for k in range(counts[b]):
            u = xy[b, 0, k] - t * xy[b, 1, k]
            low = min(low, u)
            high = max(high, u)
        bands[q, 0] = low - radii[b] * s
        bands[q, 1] = high + radii[b] * s
    while True:
        furthest = reach
        for q in range(n_near):
            if bands[q, 0] < reach and bands[q, 1] > furthest:
                furthest = bands[q, 1]
        if furthest == reach:
            return True
        if furthest > right:
            return False
        reach = furthest
