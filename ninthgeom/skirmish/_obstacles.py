"""What stops paths and links: terrain less access areas, bases of models, and the gates between them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ALONG, COS, ROWS, SIN, X, Y
from ninthgeom._convex import ROUNDING, Ring
from ninthgeom._polygon_table import whole
from ninthgeom._sight_contacts import Convex
from ninthgeom._sight_shapes import Outlines, shapes_of
from ninthgeom.polygons import Polygons
from ninthgeom.skirmish._access import opened
from ninthgeom.skirmish._gates import Fixed, Gates, Scenes, gates_among
from ninthgeom.skirmish.ground import WHOLE_GROUND, Ground

if TYPE_CHECKING:
    from ninthgeom.board import Board

# Of so many grounds and tolerances what a board made is kept.
_KEPT: Final = 8
# What is so near to a region belongs to it, in tolerances.
_RIM: Final = 8.0
_KEY: Final = "obstacles of skirmish"


@dataclass(frozen=True, eq=False)
class Standing:
    """What stands on a board in all states.

    Attributes
    ----------
    n_units, n_terrain : int
        Of the board: pieces are numbered units first, then terrain, then closed openings.
    polygons : Polygons, shape (N,)
        Terrain that stops, less access areas; one piece of terrain may be left in several parts.
    terrain : ndarray of intp, shape (N,)
        Index of the terrain each is part of.
    access : Polygons, shape (A,)
        Access areas.
    closed : ndarray of float64, shape (c, 4)
        Closed openings, x0, y0, x1, y1.
    tol : float
    derived : dict
        What else is made of these once.
    """

    n_units: int
    n_terrain: int
    polygons: Polygons
    terrain: IntArray
    access: Polygons
    closed: FloatArray
    tol: float
    derived: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, board: Board, ground: Ground, tol: float) -> Standing:
        """Return what stands on a board, made once."""
        kept: dict[tuple[Ground, float], Standing] = board._derived.get(_KEY, {})
        key = ground, tol
        if key not in kept:
            made = cls._make(board, ground, tol)
            # replaced as a whole, since threads may ask at once
            kept = {**dict(list(kept.items())[1 - _KEPT :]), key: made}
            board._derived[_KEY] = kept
        return kept[key]

    @classmethod
    def _make(cls, board: Board, ground: Ground, tol: float) -> Standing:
        terrain = ground.terrain_of(board)
        polygons, access = board.terrain_outlines, Polygons(ground.access)
        if len(terrain) != len(board.terrain):
            polygons = Polygons([board.terrain[k].outline for k in terrain.tolist()])
        if len(access):
            parts = shapely.difference(polygons.to_shapely(), shapely.union_all(access.to_shapely()))
            left, which = shapely.get_parts(parts, return_index=True)
            left, which = left[keep := _has_width(left)], which[keep]
            polygons, terrain = Polygons(left), terrain[which]
        return cls(len(board), len(board.terrain), polygons, terrain, access, ground.closed, tol)

    @cached_property
    def outlines(self) -> Outlines:
        """The polygons as blockers that may be touched, in the form `shapes_of` takes."""
        return Outlines.of([self.polygons], "clear", self.tol)

    @cached_property
    def column(self) -> IntArray:
        """Numbers of the polygons among pieces, then those of all units: the column of `shapes_of`."""
        return np.concatenate([self.n_units + self.terrain, np.arange(self.n_units)])

    @property
    def first_closed(self) -> int:
        """Number of the first closed opening among pieces."""
        return self.n_units + self.n_terrain

    @cached_property
    def fixed(self) -> Fixed:
        """Convex pieces, and what gates may not cross: what is deep inside polygons."""
        made, index = self.polygons._made(whole, 0.0), self.polygons._index.tolist()
        rings = [ring for i in index for ring in made.rings[i]]
        sizes = [len(made.rings[i]) for i in index]
        first = np.cumsum([0, *sizes])
        covers: list[Ring] = []
        if len(self.polygons):
            shapes = shapes_of(np.empty((ROWS, 1, 0)), self.outlines, self.column, "clear", self.tol)
            covers += _rings(Convex(shapes.vertices, shapes.counts, shapes.radii))
        starts = np.cumsum([0, *map(len, rings), *map(len, covers)], dtype=np.int64)
        return Fixed(
            np.ascontiguousarray(np.concatenate([np.empty((0, 2)), *rings, *covers]).T),
            starts[: len(rings) + 1].copy(),
            np.repeat(np.stack([first[:-1], first[1:]]), sizes, axis=1).astype(np.int64),
            np.repeat(self.n_units + self.terrain, sizes).astype(np.int64),
            starts[len(rings) :].copy(),
        )

    def known(self, width: float) -> Gates:
        """Return gates of at least this width among the fixed pieces; where there are models is not asked."""
        # one width asks mostly, or two
        kept: tuple[float, Gates] | None = self.derived.get("gates")
        if kept is None or kept[0] < width:
            one = np.zeros(1, np.int64)
            scenes = Scenes.of(
                np.empty((ROWS, 1, 0)), one, np.empty((1, 0), np.bool_), np.array([width]), None
            )
            kept = self.derived["gates"] = width, gates_among(self.fixed, None, scenes, self.tol)
        return kept[1]

    def openings(self, scenes: Scenes) -> Gates:
        """Return the closed openings that meet the regions of scenes, as gates of no width."""
        x0, y0, x1, y1 = self.closed.T
        low_x, low_y, high_x, high_y = scenes.region[:, :, None]
        meets = (np.minimum(x0, x1) <= high_x) & (np.maximum(x0, x1) >= low_x)
        meets &= (np.minimum(y0, y1) <= high_y) & (np.maximum(y0, y1) >= low_y)
        scene, which = np.nonzero(meets & (scenes.width >= 0.0)[:, None])
        length = np.hypot(x1 - x0, y1 - y0)
        scale = 1.0 / np.where(length > 0.0, length, 1.0)
        columns = np.zeros((ROWS, len(x0)))
        columns[X], columns[Y] = (x0 + x1) / 2, (y0 + y1) / 2
        columns[COS], columns[SIN] = np.where(length > 0.0, (x1 - x0) * scale, 1.0), (y1 - y0) * scale
        columns[ALONG] = length / 2
        name = self.first_closed + which
        return Gates(
            len(scenes.state),
            scene.astype(np.int64),
            name.astype(np.int64),
            name.astype(np.int64),
            columns[:, which],
            np.zeros(len(which)),
        )


@dataclass(frozen=True, eq=False)
class Obstacles:
    """What stops paths and links in some states.

    Attributes
    ----------
    standing : Standing
        What is the same in all of them.
    columns : ndarray of float64, shape (7, S, U)
        Columns of the bases of all units in each state; what of them counts is said with each question.
    """

    standing: Standing
    columns: FloatArray

    @classmethod
    def of(cls, board: Board, ground: Ground | None, columns: FloatArray, tol: float) -> Obstacles:
        """Put the bases of states, (7, S, U), beside the terrain of a board."""
        return cls(Standing.of(board, WHOLE_GROUND if ground is None else ground, tol), columns)

    def gates(
        self, state: IntArray, counts: BoolArray, width: FloatArray, region: FloatArray | None = None
    ) -> Gates:
        """Return the closed gaps of scenes.

        Parameters
        ----------
        state : ndarray of int, shape (Q,)
            State of each scene. Scenes of one state should follow one another.
        counts : ndarray of bool, shape (Q, U)
            Which units are pieces there; all terrain that stops is.
        width : ndarray of float64, shape (Q,)
            How wide gaps must be to be open. Below 0 nothing is closed, not even openings agreed to be.
        region : ndarray of float64, shape (4, Q), optional
            Least x, least y, most x, most y: only gates whose box meets this, within some tolerances, are
            asked for.
        """
        standing = self.standing
        scenes = Scenes.of(self.columns, state, counts, width, widened(region, standing.tol))
        known = standing.known(float(scenes.width.max(initial=0.0)))
        found = gates_among(standing.fixed, known, scenes, standing.tol)
        if len(standing.access):
            found = opened(found, standing.access, standing.tol)
        return Gates.joined(found, standing.openings(scenes)) if len(standing.closed) else found


def widened(region: FloatArray | None, tol: float) -> FloatArray | None:
    """Return a region so much larger that what is touched at its rim belongs to it."""
    if region is None:
        return None
    reach = _RIM * tol
    larger: FloatArray = region + np.array([[-reach], [-reach], [reach], [reach]])
    return larger


def _rings(shapes: Convex) -> Iterable[Ring]:
    """Corners of the shapes of one scene, of those that have any."""
    return [
        corners[:, :n].T for corners, n in zip(shapes.vertices[0], shapes.count[0].tolist(), strict=True) if n
    ]


def _has_width(polygons: NDArray[np.object_]) -> BoolArray:
    """Return which polygons are more than what rounding leaves along an edge that two areas share."""
    is_polygon = shapely.get_type_id(polygons) == shapely.GeometryType.POLYGON
    is_wide: BoolArray = is_polygon & (shapely.area(polygons) > ROUNDING * shapely.length(polygons))
    return is_wide
