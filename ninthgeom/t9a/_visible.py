"""The region that is seen from sources: cells between lines that sight can change at.

Whether a ground point is seen can change only where it crosses an outline or a critical line, see
`_critical_lines`. These lines and the edge of the table cut the table into cells that are seen wholly or not
at all, and one point tells which.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.t9a._critical_lines import Arrangement, Box, Viewpoint

__all__ = ["Box", "Viewpoint", "visible_region"]

#: Lines are cut at points of this grid, in inches: what meets in a point but for rounding then does meet.
GRID: Final = 1e-8
#: Cells narrower than this, in inches, are rounding; they go with the neighbour of their longest edge.
NARROW: Final = 1e-6


def visible_region(
    viewpoints: Sequence[Viewpoint],
    box: Box,
    sees: Callable[[FloatArray], BoolArray],
    *,
    half_angle: float = math.pi / 4,
    resolution: float = 1e-3,
    tol: float = 1e-6,
) -> Any:
    """Return the part of a box whose points are seen.

    Parameters
    ----------
    viewpoints : sequence of Viewpoint
        All sources, each with exactly what is in its way; only hills may be too many.
    box : (float, float, float, float)
        xmin, ymin, xmax, ymax.
    sees : callable
        Takes points, shape (P, 2), and tells which are seen from any of the sources, shape (P,).
    half_angle : float
        Half the angle of the arc of rectangles, in radians.
    resolution : float
        Largest distance between a round outline and the polygon in its place.
    tol : float
        Tolerance of `sees`.

    Returns
    -------
    shapely.Polygon or shapely.MultiPolygon
        The region, closed; an empty polygon if nothing is seen.
    """
    lines: list[Any] = [shapely.box(*box).exterior]
    for view in viewpoints:
        lines += Arrangement(view, box, half_angle, resolution, tol).lines()
    noded = shapely.unary_union(lines, grid_size=GRID)
    cells = shapely.get_parts(shapely.polygonize([noded]))
    points = _inner_points(cells)
    is_inside = shapely.intersects_xy(shapely.box(*box), *points.T)
    cells = cells[is_inside]
    return _joined(cells[_seen_cells(cells, points[is_inside], sees)])


def _joined(cells: NDArray[np.object_]) -> Any:
    """Join cells that share their edges, and take the vertices out where only other lines ended."""
    if not len(cells):
        return shapely.Polygon()
    return shapely.normalize(shapely.simplify(shapely.unary_union(cells), 4 * GRID))


def _inner_points(cells: NDArray[np.object_]) -> FloatArray:
    """Return a point inside each cell, shape (n, 2).

    Off the middle, where a line may end that divides nothing, such as a facing that ends in a blocker.
    """
    middles = shapely.point_on_surface(cells)
    room = shapely.distance(middles, shapely.boundary(cells))
    aside: FloatArray = shapely.get_coordinates(middles) + 0.37 * room[:, None] * [
        math.cos(0.7),
        math.sin(0.7),
    ]
    return aside


def _seen_cells(
    cells: NDArray[np.object_], points: FloatArray, sees: Callable[[FloatArray], BoolArray]
) -> BoolArray:
    """Return which cells, each with a point in it, are seen."""
    is_wide = 2.0 * shapely.area(cells) > NARROW * shapely.length(cells)
    seen = np.zeros(len(cells), np.bool_)
    if is_wide.any():
        seen[is_wide] = sees(points[is_wide])
    if not is_wide.all():
        _spread(cells, is_wide, seen)
    return seen


def _spread(cells: NDArray[np.object_], is_known: BoolArray, seen: BoolArray) -> None:
    """Give every cell that is not known the answer of the known neighbour with the longest common edge."""
    corners, cell = shapely.get_coordinates(cells, return_index=True)
    is_edge = cell[1:] == cell[:-1]
    start, end = corners[:-1][is_edge], corners[1:][is_edge]
    cell = cell[:-1][is_edge]
    swap = (start[:, 0] > end[:, 0]) | ((start[:, 0] == end[:, 0]) & (start[:, 1] > end[:, 1]))
    edges = np.where(swap[:, None], np.hstack([end, start]), np.hstack([start, end]))
    _, name = np.unique(edges, axis=0, return_inverse=True)
    order = np.argsort(name, kind="stable")
    same = name[order][1:] == name[order][:-1]
    one, two = cell[order][:-1][same], cell[order][1:][same]
    length = np.hypot(*(end - start)[order][:-1][same].T)
    pairs = np.concatenate([np.stack([one, two, length]), np.stack([two, one, length])], axis=1)
    pairs = pairs[:, np.argsort(pairs[2])]  # of several neighbours the last one written stays
    known = is_known.copy()
    while True:
        mine, other = pairs[0].astype(np.intp), pairs[1].astype(np.intp)
        use = ~known[mine] & known[other]
        if not use.any():
            return
        seen[mine[use]] = seen[other[use]]
        known[mine[use]] = True
