"""Where paths are stopped, by shapely: what they enter, and the gaps of brute force that they cross."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from tests.skirmish.gates_oracle import Solid, free_parts, gaps, nearest_pairs

#: Discs of shapely have so many edges for a quarter.
FINE = 256


class Stops:
    """What stops paths among some solids; paths that come too near an end of a gap are not decided."""

    def __init__(self, solids: Sequence[Solid], width: float) -> None:
        self.solids = solids
        thin = [shapely.LineString([p, q]) for _, _, p, q in gaps(solids, width)]
        broad = [
            part
            for one, other in itertools.combinations_with_replacement(solids, 2)
            if one is not other or one.radius == 0.0
            for p, q, r, s in nearest_pairs(one, other, width)
            if math.dist(p, r) > 1e-4
            for part in free_parts(p, q, r, s, solids)
        ]
        self.shapes = shapely.union_all([*thin, *broad])
        corners = shapely.get_coordinates([*thin, *broad])
        self.ends = shapely.MultiPoint(corners)

    def deep(self, rim: float) -> list[Any]:
        """Solids less a rim."""
        return [
            solid.core.buffer(solid.radius - rim, quad_segs=FINE)
            if solid.radius > 0.0
            else solid.core.buffer(-rim, join_style="mitre")
            for solid in self.solids
        ]

    def first(self, path: NDArray[np.float64], near: float) -> float | None:
        """Length up to the first stop, inf if there is none, None if nobody can tell from so near."""
        line = shapely.LineString(path)
        ends = shapely.MultiPoint([path[0], path[-1]])
        if not self.shapes.is_empty and (
            line.distance(self.ends) < near or ends.distance(self.shapes) < near
        ):
            return None
        crossed = entry(path, self.shapes)
        least, most = (
            min([crossed, *(entry(path, shape) for shape in self.deep(rim))]) for rim in (-near, near)
        )
        if least == most == math.inf:
            return math.inf
        return (least + most) / 2 if most - least < 50 * near else None


def entry(path: NDArray[np.float64], shape: Any) -> float:
    """Length of a path up to where it first meets a shape."""
    travelled = 0.0
    for a, b in itertools.pairwise(path):
        step = shapely.LineString([a, b])
        common = step.intersection(shape)
        if not common.is_empty:
            return travelled + float(shapely.distance(shapely.Point(a), common))
        travelled += step.length
    return math.inf
