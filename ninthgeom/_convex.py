"""Convex rings as lists of vertices: clipping, widths, angles. Rings are so short that arrays take longer."""

from __future__ import annotations

import math
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Ring: TypeAlias = NDArray[np.float64]
Point: TypeAlias = tuple[float, float]
Edge: TypeAlias = tuple[Point, Point]
Box: TypeAlias = tuple[float, float, float, float]

#: Angles and lengths below this, in radians and inches, are rounding.
ROUNDING: Final = 1e-9


def is_convex(ring: Ring) -> bool:
    before = ring - np.roll(ring, 1, axis=0)
    after = np.roll(ring, -1, axis=0) - ring
    return bool((before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0] >= 0.0).all())


def edges_of(piece: list[Point]) -> list[Edge]:
    return list(zip(piece, piece[1:] + piece[:1], strict=True))


def turn_at(before: Point, vertex: Point, after: Point) -> float:
    """Twice the area of the triangle: more than 0 for a turn to the left."""
    return (vertex[0] - before[0]) * (after[1] - vertex[1]) - (vertex[1] - before[1]) * (after[0] - vertex[0])


def box_round(ring: list[Point]) -> Box:
    x, y = zip(*ring, strict=True)
    return min(x), min(y), max(x), max(y)


def has_width(ring: list[Point], least: float = ROUNDING) -> bool:
    """Whether a convex ring is more than rounding: what is narrower than seams are is no part."""
    if not ring:
        return False
    x, y = ring[0]
    doubled = sum((a - x) * (d - y) - (b - y) * (c - x) for (a, b), (c, d) in edges_of(ring))
    extent = max(abs(a - x) + abs(b - y) for a, b in ring)
    return doubled > least * extent


def angle_of(start: Point, end: Point) -> float:
    return math.atan2(end[1] - start[1], end[0] - start[0])


def turned(angle: float) -> float:
    """Angle from 0 to a full turn; what is so little before a full turn is rounding of 0."""
    angle %= math.tau
    return angle if angle < math.tau - ROUNDING else 0.0


def direction_at(angle: float) -> Point:
    return math.cos(angle), math.sin(angle)


def left_of(start: Point, end: Point) -> Point:
    return start[1] - end[1], end[0] - start[0]


def clipped(ring: list[Point], point: Point, normal: Point, distance: float) -> list[Point]:
    """Part of a convex ring at least so far from a line through the point, on the side of its normal.

    Corners on the line but for rounding stay as they are: another one beside them would make an edge whose
    direction is nothing but rounding. Rings are so short that arrays take many times as long as lists.
    Source: Sutherland and Hodgman's re-entrant polygon clipping.
    """
    (px, py), (nx, ny) = point, normal
    length = math.hypot(nx, ny)
    depths = [((x - px) * nx + (y - py) * ny) / length - distance for x, y in ring]
    depths = [depth if abs(depth) > ROUNDING else 0.0 for depth in depths]
    if min(depths, default=0.0) >= 0.0:
        return ring
    part = []
    for i, (x, y) in enumerate(ring):
        depth, after = depths[i], depths[i + 1 - len(ring)]
        if depth >= 0.0:
            part.append((x, y))
        if depth * after < 0.0:
            f = depth / (depth - after)
            end_x, end_y = ring[i + 1 - len(ring)]
            part.append((x + f * (end_x - x), y + f * (end_y - y)))
    return part if len(part) > 2 else []


def vertices_of(ring: Ring) -> list[Point]:
    return [(float(x), float(y)) for x, y in ring]
