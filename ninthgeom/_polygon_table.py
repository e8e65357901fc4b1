"""The polygons that arrays of them refer to by number, and what kernels read of them, made when needed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._convex import Ring
from ninthgeom._erosion import LEAST_DEPTH, eroded_pieces, outside_pieces
from ninthgeom._pieces import Pieces, convex_pieces

#: Of so many kinds of pieces and tolerances what was made last is kept.
KEPT: Final = 12

#: Makes the pieces of one polygon of a table, for a tolerance.
Maker: TypeAlias = "Callable[[Table, int, float], list[Ring]]"

_Derived = TypeVar("_Derived")


@dataclass(frozen=True, eq=False)
class Made:
    """Pieces of one kind and tolerance, of those polygons of a table that somebody asked about.

    Attributes
    ----------
    table : Table
        The polygons.
    tol : float
        The tolerance.
    is_made : ndarray of bool, shape (N,)
        Of which polygons; the others have no pieces.
    rings : list
        Pieces of each polygon.
    pieces : Pieces
        The same for kernels.
    """

    table: Table
    tol: float
    is_made: BoolArray
    rings: list[list[Ring]]
    pieces: Pieces
    _derived: dict[Callable[[Made], Any], Any] = field(default_factory=dict)

    def derived(self, make: Callable[[Made], _Derived]) -> _Derived:
        """Return what is made of these pieces, once."""
        if make not in self._derived:
            self._derived[make] = make(self)
        derived: _Derived = self._derived[make]
        return derived


class Table:
    """Polygons that arrays refer to by their number.

    Parameters
    ----------
    shapes : tuple of shapely.Polygon
        Valid polygons whose exterior rings run counter-clockwise, those of holes clockwise.
    """

    def __init__(self, shapes: tuple[shapely.Polygon, ...]) -> None:
        self.shapes = shapes
        self._convex: dict[int, list[Ring]] = {}
        self._made: dict[tuple[Maker, float], Made] = {}

    @cached_property
    def geometries(self) -> NDArray[np.object_]:
        """The shapes as an array."""
        geometries = np.empty(len(self.shapes), dtype=np.object_)
        geometries[:] = self.shapes
        return geometries

    @cached_property
    def bounds(self) -> FloatArray:
        """Smallest and largest coordinates, shape (N, 4)."""
        return shapely.bounds(self.geometries)

    @cached_property
    def area(self) -> FloatArray:
        """Areas, shape (N,)."""
        return shapely.area(self.geometries)

    @cached_property
    def _edges(self) -> tuple[FloatArray, IntArray]:
        rings = [[np.asarray(line.coords) for line in (s.exterior, *s.interiors)] for s in self.shapes]
        edges = [np.hstack([line[:-1], line[1:]]) for lines in rings for line in lines]
        first = np.cumsum([0, *(sum(len(line) - 1 for line in lines) for lines in rings)], dtype=np.int64)
        return np.ascontiguousarray(np.concatenate([np.empty((0, 4)), *edges]).T), first

    @property
    def outline(self) -> FloatArray:
        """Edges x0, y0, x1, y1 with the polygon on their left, shape (4, E): exterior, then holes."""
        return self._edges[0]

    @property
    def outline_first(self) -> IntArray:
        """Polygon k has the edges from ``outline_first[k]`` up to ``outline_first[k + 1]``."""
        return self._edges[1]

    def convex(self, i: int) -> list[Ring]:
        """Convex pieces of a polygon."""
        if i not in self._convex:
            self._convex[i] = convex_pieces(self.shapes[i])
        return self._convex[i]

    def made(self, make: Maker, tol: float, index: IntArray) -> Made:
        """Return pieces of at least the polygons of these numbers.

        At the first question those of the others are left out; where somebody asks about others too, all are
        made, so that a walk over all polygons packs them twice only.
        """
        # Threads may ask at once, so what was kept is read once, and replaced as a whole.
        kept = self._made.get((make, tol))
        if kept is not None and (kept.is_made.all() or kept.is_made[index].all()):
            return kept
        is_made = np.full(len(self.shapes), kept is not None)
        is_made[index] = True
        rings: list[list[Ring]] = [[] for _ in self.shapes]
        for i in np.flatnonzero(is_made).tolist():
            is_kept = kept is not None and kept.is_made[i]
            rings[i] = kept.rings[i] if kept is not None and is_kept else make(self, i, tol)
        made = Made(self, tol, is_made, rings, Pieces.of(rings))
        others = [item for item in list(self._made.items()) if item[0] != (make, tol)]
        self._made = {**dict(others[1 - KEPT :]), (make, tol): made}
        return made


def whole(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex pieces of a polygon; the tolerance does not matter."""
    return table.convex(i)


def eroded(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex pieces of what is deeper than tol inside a polygon."""
    return eroded_pieces(table.shapes[i], table.convex(i), max(tol, LEAST_DEPTH))


def outside(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex pieces of what is further than tol outside a polygon, in its holes too."""
    return outside_pieces(table.shapes[i], max(tol, LEAST_DEPTH))
