"""Scalar geometry of convex shapes given as points plus a radius.

A shape is an array ``(2, capacity)`` whose first n columns are vertices in counter-clockwise order, and a
radius: the hull of discs of that radius round the vertices. Vertices may coincide: a disc is four times its
centre.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar

# Lengths, angles and slopes below this are rounding, on a table a thousand times smaller.
ROUNDING = 1e-9
# Sines of angles and differences of radii below this are zero.
PARALLEL = 1e-12


@scalar
def separate(a: Any, an: int, b: Any, bn: int, reach: float, margin: float) -> tuple[bool, float, float]:
    """Find a line between two shapes: some direction that separates them by more than ``margin``.

    ``reach`` is the sum of both radii. The directions that can separate most are the edge normals and the one
    between the nearest points, so the answer with a margin of d is exactly whether the shapes are further
    than d apart. Returns the unit normal from b to a too. Source: separating axis theorem.
    """
    nearest = math.inf
    nx = 0.0
    ny = 0.0
    # First the edge normals alone: they separate most shapes, and cost a fraction of the nearest points.
    for step in range(4):
        turn = step % 2
        p, pn, q, qn = (a, an, b, bn) if turn == 0 else (b, bn, a, an)
        side = -1.0 if turn == 0 else 1.0
        for i in range(pn):
            j = i + 1 if i + 1 < pn else 0
            x = p[0, i]
            y = p[1, i]
            dx = p[0, j] - x
            dy = p[1, j] - y
            length2 = dx * dx + dy * dy
            # The normal of an edge no longer than rounding is one of any direction; the vertices at its ends
            # have their turn below.
            if step < 2 and length2 > ROUNDING * ROUNDING:
                lowest = math.inf
                for k in range(qn):
                    lowest = min(lowest, dy * (q[0, k] - x) - dx * (q[1, k] - y))
                if lowest > 0.0 or reach + margin < 0.0:
                    scale = 1.0 / math.sqrt(length2)
                    if lowest * scale - reach > margin:
                        return True, side * dy * scale, -side * dx * scale
            elif step >= 2:
                for k in range(qn):
                    qx = q[0, k] - x
                    qy = q[1, k] - y
                    f = 0.0
                    if length2 > 0.0:
                        f = min(1.0, max(0.0, (dx * qx + dy * qy) / length2))
                    qx -= f * dx
                    qy -= f * dy
                    distance2 = qx * qx + qy * qy
                    if distance2 < nearest:
                        nearest = distance2
                        nx = side * qx
                        ny = side * qy
    nearest = math.sqrt(nearest)
    if nearest > 0.0:
        nx /= nearest
        ny /= nearest
        lowest = math.inf
        for i in range(an):
            lowest = min(lowest, nx * a[0, i] + ny * a[1, i])
        for i in range(bn):
            nearest = min(nearest, lowest - nx * b[0, i] - ny * b[1, i])
        if nearest - reach > margin:
            return True, nx, ny
    return False, 0.0, 0.0


@scalar
def put_shape(
    vertices: Any,
    n: int,
    radius: float,
    planes: Any,
    first: int,
    last: int,
    elements: Any,
    at: int,
    record: Any,
) -> int:
    """Append a shape, cut by the half-planes ``m p >= c`` in columns first to last, to the elements.

    The furthest point of the cut shape in a direction is the one of the whole shape, if no plane cuts that
    off, or the end of a stretch in which one of the planes crosses the shape. So the elements are the
    vertices, which count where their tangent point is in all planes, and those ends, which always count.
    Elements have rows x, y, radius; the record gets their start, stop and the end of those to be checked, and
    the columns of the planes. Returns the next free column.
    """
    record[0] = at
    for i in range(n):
        # one element for vertices that coincide: most facings, discs and ovals have some
        h = i - 1 if i > 0 else n - 1
        if (
            vertices[0, i] != vertices[0, h]
            or vertices[1, i] != vertices[1, h]
            or (i == n - 1 and at == record[0])
        ):
            elements[0, at] = vertices[0, i]
            elements[1, at] = vertices[1, i]
            elements[2, at] = radius
            at += 1
    record[2] = at if first < last else record[0]
    record[3] = first
    record[4] = last
    for plane in range(first, last):
        mx = planes[0, plane]
        my = planes[1, plane]
        c = planes[2, plane]
        low = math.inf
        high = -math.inf
        for i in range(n):
            j = i + 1 if i + 1 < n else 0
            x = vertices[0, i]
            y = vertices[1, i]
            depth = mx * x + my * y - c
            along = mx * y - my * x
            if abs(depth) <= radius:
                half = math.sqrt(radius * radius - depth * depth)
                low = min(low, along - half)
                high = max(high, along + half)
            dx = vertices[0, j] - x
            dy = vertices[1, j] - y
            length = math.sqrt(dx * dx + dy * dy)
            if length > 0.0:
                # the edge moved outwards by the radius
                out = max(radius, 0.0) / length
                x += out * dy
                y -= out * dx
                depth = mx * x + my * y - c
                rise = mx * dx + my * dy
                if rise != 0.0 and 0.0 <= -depth / rise <= 1.0:
                    f = -depth / rise
                    along = mx * (y + f * dy) - my * (x + f * dx)
                    low = min(low, along)
                    high = max(high, along)
        for other in range(first, last):
            if other != plane:
                # points of the line: c m + along (-my, mx)
                rise = planes[1, other] * mx - planes[0, other] * my
                depth = c * (planes[0, other] * mx + planes[1, other] * my) - planes[2, other]
                if rise > PARALLEL:
                    low = max(low, -depth / rise)
                elif rise < -PARALLEL:
                    high = min(high, -depth / rise)
                elif depth < -ROUNDING:  # the same plane twice must not cut off itself
                    high = -math.inf
        if low <= high:
            for end in range(2):
                along = low if end == 0 else high
                elements[0, at] = c * mx - along * my
                elements[1, at] = c * my + along * mx
                elements[2, at] = min(radius, 0.0)
                at += 1
    record[1] = at
    return at
