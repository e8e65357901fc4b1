"""What access areas leave of gates: there gaps are wide enough, beside them they are not."""

from __future__ import annotations

from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, SIN, X, Y
from ninthgeom.polygons import Polygons
from ninthgeom.skirmish._gates import THIN, Gates, stretches


def opened(gates: Gates, access: Polygons, tol: float) -> Gates:
    """Return gates less what lies in access areas, deeper than tol.

    Lines and rectangles stay what they are: of a rectangle the breadth is cut wherever an area reaches into
    it.
    """
    # what an area only touches stays closed
    areas = shapely.buffer(shapely.union_all(access.to_shapely()), -tol, join_style="mitre")
    is_line = gates.is_line(tol)
    shapes = _shapes(gates, is_line)
    met = np.flatnonzero(shapely.intersects(areas, shapes))
    if not len(met):
        return gates
    whole = np.ones(len(gates), np.bool_)
    whole[met] = False
    parts = [_left(gates.columns[:, k], shapes[k], areas, bool(is_line[k]), tol) for k in met.tolist()]
    owner = np.concatenate([np.flatnonzero(whole), np.repeat(met, [part.shape[1] for part in parts])])
    columns = np.concatenate([gates.columns[:, whole], *parts], axis=1)
    order = np.argsort(owner, kind="stable")
    return _chosen(gates, owner[order], columns[:, order])


def _chosen(gates: Gates, which: IntArray, columns: FloatArray) -> Gates:
    first, second = gates.first[which], gates.second[which]
    return Gates(gates.n_scenes, gates.scene[which], first, second, columns, gates.width[which])


def _shapes(gates: Gates, is_line: NDArray[np.bool_]) -> NDArray[Any]:
    """Return lines and rectangles as shapely has them."""
    x, y, cos, sin, along, across = (gates.columns[row] for row in (X, Y, COS, SIN, ALONG, ACROSS))
    across = np.where(is_line, 0.0, across)
    corners = [
        np.stack([x + i * along * cos - j * across * sin, y + i * along * sin + j * across * cos], axis=-1)
        for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]
    shapes = np.empty(len(gates), object)
    shapes[is_line] = shapely.linestrings(np.stack(corners[:2], axis=1)[is_line])
    shapes[~is_line] = shapely.polygons(np.stack(corners, axis=1)[~is_line])
    return shapes


def _left(columns: FloatArray, shape: Any, areas: Any, is_line: bool, tol: float) -> FloatArray:
    """Return the columns of what is left of one gate, (7, n)."""
    x, y, cos, sin, along, across = (columns[row] for row in (X, Y, COS, SIN, ALONG, ACROSS))
    # the direction in which it is cut
    row, way, half = (ALONG, (cos, sin), along) if is_line else (ACROSS, (-sin, cos), across)
    inside = shapely.get_parts(shapely.intersection(shape, areas))
    spans = []
    for part in inside:
        offsets = (shapely.get_coordinates(part) - (x, y)) @ np.array(way)
        spans.append((float(offsets.min()), float(offsets.max())))
    ends = stretches(float(half), spans, THIN * tol)
    left = np.repeat(columns[:, None], len(ends), axis=1)
    for k, (low, high) in enumerate(ends):
        middle = 0.5 * (low + high)
        left[[X, Y], k] = x + middle * way[0], y + middle * way[1]
        left[row, k] = 0.5 * (high - low)
    return left
