"""Measuring with shapely: distances of cores, and unions of polygons inside and outside the true curves."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ninthgeom import Bases, Board, Unit

QUARTER = 48


def core(columns: np.ndarray) -> Any:
    """The core of a base, as a point, line or polygon."""
    x, y, c, s, along, across, _ = columns
    signs = ((1, 1), (1, -1), (-1, -1), (-1, 1))
    ends = [(x + i * along * c - j * across * s, y + i * along * s + j * across * c) for i, j in signs]
    return shapely.convex_hull(shapely.MultiPoint(ends))


def distance(a: np.ndarray, b: np.ndarray) -> float:
    """From nearest point to nearest point."""
    return max(float(shapely.distance(core(a), core(b)) - a[6] - b[6]), 0.0)


def farthest(a: np.ndarray, b: np.ndarray) -> float:
    """How far the farthest point of a is outside b, less than 0 inside."""
    most = -math.inf
    shape = core(b)
    for corner in shapely.get_coordinates(core(a)):
        at = shapely.Point(corner)
        out = float(shapely.distance(shape, at))
        if out == 0.0 and shape.geom_type == "Polygon":
            out = -float(shapely.distance(shape.exterior, at))
        most = max(most, out)
    return most + float(a[6] - b[6])


def polygon(columns: np.ndarray, grown: float, *, outside: bool) -> Any:
    """A polygon inside or outside a base that is grown by a length."""
    radius = columns[6] + grown
    if outside:
        radius /= math.cos(math.pi / (4 * QUARTER))
    return core(columns).buffer(radius, quad_segs=QUARTER)


def is_covered(a: np.ndarray, others: list[np.ndarray], limit: float) -> bool | None:
    """Whether others, grown by a limit, cover a base; None where polygons cannot tell."""
    if shapely.covers(
        shapely.union_all([polygon(b, limit, outside=False) for b in others]), polygon(a, 0.0, outside=True)
    ):
        return True
    left = shapely.difference(
        polygon(a, 0.0, outside=False),
        shapely.union_all([polygon(b, limit, outside=True) for b in others]),
    )
    return False if left.area > 1e-9 else None


def columns_of(board: Board, positions: np.ndarray) -> np.ndarray:
    """Columns of the bases in one state, (7, U)."""
    bases: Bases = board.boundaries(positions)
    columns: np.ndarray = bases._columns
    return columns


KINDS: tuple[tuple[float | tuple[float, float], str], ...] = (
    (32, "round"),
    (40, "round"),
    (80, "round"),
    ((40, 100), "oval"),
    ((100, 40), "oval"),
    ((50, 75), "rect"),
)


def a_board(rng: np.random.Generator, sizes: tuple[int, ...] = (1, 2, 3, 4)) -> Board:
    """Groups of models on every kind of base, in mixed order."""
    labels = [group for group, size in enumerate(sizes) for _ in range(size)]
    units = []
    for i, group in enumerate(rng.permutation(labels).tolist()):
        base, shape = KINDS[int(rng.integers(len(KINDS)))]
        units.append(Unit(f"m{i}", base, shape=shape, group=f"g{group}", side=group % 2))  # type: ignore[arg-type]
    return Board(units)


def places(rng: np.random.Generator, n: int, board: Board, spread: float = 3.0) -> np.ndarray:
    """Positions of n states near each other."""
    at = rng.normal(0.0, spread, (n, len(board), 3))
    at[..., :2] += 20.0
    at[..., 2] = rng.uniform(-math.pi, math.pi, at.shape[:-1])
    return at
