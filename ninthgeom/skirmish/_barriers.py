"""What stops paths in some scenes: solids that they may not enter, and lines that they may not pass.

Solids are what is deeper than the tolerance inside pieces, gates that are rectangles, and bridges between
pieces in contact, as sight has them. Lines are the other gates and bridges, continued into the pieces at both
ends: a path may touch and follow one, and pieces too, but not get from one side of it to the other.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ALONG, COS, ROWS, SIN, X, Y
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_shapes import Shapes, shapes_of
from ninthgeom.skirmish._gates import THIN, Gates
from ninthgeom.skirmish._obstacles import Obstacles, Standing

if TYPE_CHECKING:
    from scipy.spatial import cKDTree

#: How far lines go on into the pieces, in tolerances: further than a path gets there.
_INTO: Final = 4.0
# A foot no further from a corner than this, in tolerances, is the corner.
_AT_CORNER: Final = 2.0
# Of so many corners in one place the one of the right piece is looked for.
_SHARED: Final = 4
# Corners sharper than this, as the sine of half the angle, are taken for as sharp.
_SHARPEST: Final = 1e-3
_HALF_RIGHT: Final = math.sqrt(0.5)
#: About what a path takes for each solid or line, in nanoseconds.
PATH_NS: Final = 20.0
_NONE: Final = -1
# Corners of a bridge.
_BRIDGE: Final = 4


@dataclass(frozen=True, eq=False)
class Corners:
    """Convex corners of the polygons that stand on a board.

    Attributes
    ----------
    tree : scipy.spatial.cKDTree
    name : ndarray of int64, shape (n,)
        Number of the piece.
    inward : ndarray of float64, shape (n, 2)
        Into the corner, halving its angle; the longer, the sharper the corner is.
    """

    tree: cKDTree
    name: NDArray[np.int64]
    inward: FloatArray

    @classmethod
    def of(cls, standing: Standing) -> Corners:
        """Collect the corners."""
        from scipy.spatial import cKDTree

        table = standing.polygons._table
        places, names, inwards = [np.empty((0, 2))], [np.empty(0, np.int64)], [np.empty((0, 2))]
        for name, i in zip(standing.terrain.tolist(), standing.polygons._index.tolist(), strict=True):
            shape = table.shapes[i]
            for line in (shape.exterior, *shape.interiors):
                ring = np.asarray(line.coords)[:-1]
                after = np.roll(ring, -1, axis=0) - ring
                after /= np.hypot(*after.T)[:, None]
                before = np.roll(after, 1, axis=0)
                # the polygon is on the left of both edges
                turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
                bisector = after - before
                length = np.hypot(*bisector.T)
                is_corner = (turn > 0.0) & (length > 1e-6)
                sine = np.sqrt(np.maximum(0.0, (1.0 + (before * after).sum(axis=1)) / 2.0))[is_corner]
                inward = bisector[is_corner] / length[is_corner, None]
                places.append(ring[is_corner])
                names.append(np.full(len(inward), standing.n_units + name))
                inwards.append(inward / np.maximum(sine, _SHARPEST)[:, None])
        return cls(cKDTree(np.concatenate(places)), np.concatenate(names), np.concatenate(inwards))

    def inward_at(self, feet: FloatArray, names: IntArray, tol: float) -> tuple[BoolArray, FloatArray]:
        """Return which feet (n, 2) are corners of the pieces of these numbers, and inward there."""
        found, inward = np.zeros(len(feet), np.bool_), np.zeros((len(feet), 2))
        if not len(self.name) or not len(feet):
            return found, inward
        distance, which = self.tree.query(feet, k=_SHARED, distance_upper_bound=_AT_CORNER * tol)
        name = np.append(self.name, _NONE)[which]
        fits = np.isfinite(distance) & ((name == names[:, None]) | (names[:, None] == _NONE))
        place = fits.argmax(axis=1)
        found = fits.any(axis=1)
        inward[found] = self.inward[which[found, place[found]]]
        return found, inward


@dataclass(frozen=True, eq=False)
class Barriers:
    """Solids and lines of some scenes.

    Attributes
    ----------
    shapes : Shapes
        Solids; those of no corners are none.
    are_gates : ndarray of bool, shape (Q, n)
        Which of them are gates.
    lines : ndarray of float64, shape (L, 4, 2)
        Chains of three segments, sorted by scene.
    line_starts : ndarray of int64, shape (Q + 1,)
    names : ndarray of int64, shape (Q * n + L, 2)
        Pieces of solids, then of lines.
    width : ndarray of float64, shape (Q * n + L,)
        Clear width of gates, 0 of bridges, NaN of pieces.
    tol : float
    """

    shapes: Shapes
    are_gates: BoolArray
    lines: FloatArray
    line_starts: NDArray[np.int64]
    names: NDArray[np.int64]
    width: FloatArray
    tol: float

    @classmethod
    def of(
        cls,
        obstacles: Obstacles,
        state: IntArray,
        counts: BoolArray,
        width: FloatArray,
        region: FloatArray | None = None,
    ) -> Barriers:
        """Make the barriers of scenes; the arguments are those of `Obstacles.gates`.

        With a region solids are left out that do not meet it.
        """
        standing = obstacles.standing
        tol = standing.tol
        gates = obstacles.gates(state, counts, width, region)
        bases = np.where(_near(obstacles, state, counts, region), obstacles.columns[:, state], 0.0)
        bases[COS] += bases[SIN] == 0.0  # the direction of a base that is a point does not matter
        is_line = gates.is_line(tol)
        broad = np.flatnonzero(~is_line)
        slot, room = _slots(gates.scene[broad], len(state))
        solid = np.zeros((ROWS, len(state), bases.shape[2] + room))
        solid[COS] = 1.0
        solid[:, :, : bases.shape[2]] = bases
        solid[:, gates.scene[broad], bases.shape[2] + slot] = gates.columns[:, broad]
        # gates are named after the pieces and closed openings, by their place among those of the scene
        n_names = standing.first_closed + len(standing.closed)
        column = np.concatenate([standing.column, n_names + np.arange(room)])
        shapes = shapes_of(solid, standing.outlines, column, "clear", tol)
        names = shapes.owners[:, :, :2].copy()
        gate_of = np.full((len(state), room + 1), _NONE)
        gate_of[gates.scene[broad], slot] = broad
        which = gate_of[np.arange(len(state))[:, None, None], np.maximum(names - n_names, _NONE)]
        which = np.where(names >= n_names, which, _NONE).max(axis=2)
        is_gate = which != _NONE
        widths = np.full(is_gate.shape, np.nan)
        first_bridge = standing.outlines.parts.n + solid.shape[2]
        widths[:, first_bridge:] = 0.0
        if len(broad):
            pairs = np.stack([gates.first, gates.second], axis=1)
            names = np.where(is_gate[:, :, None], pairs[which], names)
            widths = np.where(is_gate, gates.width[which], widths)
        chains = _chains_of_gates(obstacles, state, gates, np.flatnonzero(is_line))
        is_bridge = ~is_gate
        is_bridge[:, :first_bridge] = False
        pieces = names, widths
        return cls._with_bridges(shapes, is_gate, is_bridge, pieces, gates, chains, tol)

    @classmethod
    def _with_bridges(
        cls,
        shapes: Shapes,
        is_gate: BoolArray,
        is_bridge: BoolArray,
        pieces: tuple[NDArray[np.int64], FloatArray],
        gates: Gates,
        chains: FloatArray,
        tol: float,
    ) -> Barriers:
        """Turn bridges that are no broader than lines into lines, and join all lines."""
        names, width = pieces
        counts = shapes.counts.copy()
        scene, which = np.nonzero(is_bridge & (counts == _BRIDGE))
        corners = shapes.vertices[scene, which][:, :, :_BRIDGE]
        # corners 0 and 3 are in one of the pieces, 1 and 2 in the other
        sides = corners[:, :, [3, 2]] - corners[:, :, [0, 1]]
        narrow = np.hypot(sides[:, 0], sides[:, 1]).max(axis=1, initial=0.0) < THIN * tol
        scene, which, corners = scene[narrow], which[narrow], corners[narrow]
        counts[scene, which] = 0
        ends = np.swapaxes(corners[:, :, [0, 1]] + corners[:, :, [3, 2]], 1, 2) / 2.0
        share = np.array([0.0, 1.0 / 3.0, 2.0 / 3.0, 1.0])[:, None]
        bridges = ends[:, :1] + share * (ends[:, 1:] - ends[:, :1])
        is_line = gates.is_line(tol)
        line_scene = np.concatenate([gates.scene[is_line], scene])
        order = np.argsort(line_scene, kind="stable")
        line_names = np.stack([gates.first[is_line], gates.second[is_line]], axis=1)
        line_names = np.concatenate([line_names, names[scene, which]])[order]
        line_width = np.concatenate([gates.width[is_line], np.zeros(len(scene))])[order]
        return cls(
            Shapes(shapes.boxes, shapes.vertices, counts, shapes.radii, shapes.owners),
            is_gate,
            np.concatenate([chains, bridges])[order],
            np.searchsorted(line_scene[order], np.arange(len(counts) + 1)).astype(np.int64),
            np.concatenate([names.reshape(-1, 2), line_names]),
            np.concatenate([width.reshape(-1), line_width]),
            tol,
        )

    @cached_property
    def n_shapes(self) -> int:
        """Most solids of a scene."""
        return int(self.shapes.counts.shape[1])

    def stops(
        self, points: FloatArray, sizes: IntArray, scenes: IntArray, workers: int = 1
    ) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
        """Return where paths (N, V, 2) are stopped first, the width of that gap, and its pieces (N, 2).

        That is the length up to there, inf if nowhere; then the width is NaN and the pieces are -1.
        """
        from ninthgeom_kernel.paths import first_stops

        n = len(points)
        stops, what = np.empty(n), np.empty(n, np.int64)
        shapes = self.shapes
        points = np.ascontiguousarray(points)
        sizes, scenes = sizes.astype(np.int64), scenes.astype(np.int64)

        def task(start: int, stop: int) -> None:
            first_stops(
                shapes.boxes,
                shapes.vertices,
                shapes.counts,
                shapes.radii,
                self.are_gates,
                self.lines,
                self.line_starts,
                points[start:stop],
                sizes[start:stop],
                scenes[start:stop],
                self.tol,
                stops[start:stop],
                what[start:stop],
            )

        run_chunks(task, n, workers=workers, cost_ns=PATH_NS * (self.n_shapes + 20))
        stopped = what >= 0
        by = np.where(what < self.n_shapes, scenes * self.n_shapes + what, 0)
        by = np.where(what >= self.n_shapes, self.are_gates.size + what - self.n_shapes, by)
        by = by[stopped]
        width, gap = np.full(n, np.nan), np.full((n, 2), _NONE, np.int64)
        width[stopped], gap[stopped] = self.width[by], self.names[by]
        return stops, width, gap

    def are_free(self, starts: FloatArray, ends: FloatArray, scenes: IntArray, workers: int = 1) -> BoolArray:
        """Return which straight segments, (N, 2) to (N, 2), nothing stops."""
        points = np.stack([starts, ends], axis=1)
        stops, _, _ = self.stops(points, np.full(len(points), 2), scenes, workers)
        return np.isinf(stops)


def segments_free(
    obstacles: Obstacles,
    state: int,
    counts: BoolArray,
    width: float,
    starts: FloatArray,
    ends: FloatArray,
    workers: int = 1,
) -> BoolArray:
    """Return which straight segments of one state, (N, 2) to (N, 2), pass all gaps and enter nothing.

    Many scenes at once, or the same one again, are asked of `Barriers`.
    """
    both = np.concatenate([starts, ends])
    if not len(both):
        return np.zeros(0, np.bool_)
    region = np.concatenate([both.min(axis=0), both.max(axis=0)])[:, None]
    barriers = Barriers.of(obstacles, np.array([state]), counts[None], np.array([width]), region)
    return barriers.are_free(starts, ends, np.zeros(len(starts), np.int64), workers)


def _near(obstacles: Obstacles, state: IntArray, counts: BoolArray, region: FloatArray | None) -> BoolArray:
    """Return which bases count and meet the region, (Q, U)."""
    if region is None:
        return counts
    x, y, _, _, along, across, radius = obstacles.columns[:, state]
    reach = along + across + radius
    low_x, low_y, high_x, high_y = region[:, :, None]
    near: BoolArray = counts & (x - reach <= high_x) & (x + reach >= low_x)
    near &= (y - reach <= high_y) & (y + reach >= low_y)
    return near


def _slots(scene: IntArray, n_scenes: int) -> tuple[IntArray, int]:
    """Return the place of each among those of its scene, sorted by scene, and how many places that needs."""
    starts = np.searchsorted(scene, np.arange(n_scenes + 1))
    place = np.arange(len(scene)) - starts[:-1][scene]
    return place, int(np.diff(starts).max(initial=0))


def _chains_of_gates(obstacles: Obstacles, state: IntArray, gates: Gates, which: IntArray) -> FloatArray:
    """Return gates that are lines, continued into the pieces, (n, 4, 2)."""
    standing = obstacles.standing
    columns = gates.columns[:, which]
    way = np.stack([columns[COS], columns[SIN]], axis=1)
    middle = np.stack([columns[X], columns[Y]], axis=1)
    chains = np.empty((len(which), 4, 2))
    for end, (sign, name) in enumerate(((-1.0, gates.first[which]), (1.0, gates.second[which]))):
        foot = middle + sign * columns[ALONG][:, None] * way
        inward = sign * way
        # openings end wherever players say
        is_opening = name >= standing.first_closed
        found, at_corner = _corners_of(standing).inward_at(
            foot, np.where(is_opening, _NONE, name), standing.tol
        )
        inward = np.where(found[:, None], at_corner, inward)
        is_base = name < standing.n_units
        of_base = obstacles.columns[:, state[gates.scene[which[is_base]]], name[is_base]]
        inward[is_base] = _inward_of_bases(of_base, foot[is_base], inward[is_base], standing.tol)
        chains[:, 1 + end] = foot
        chains[:, 3 * end] = foot + _INTO * standing.tol * inward
    return chains


def _corners_of(standing: Standing) -> Corners:
    """Return the corners of what stands on a board, collected once."""
    known: Corners | None = standing.derived.get("corners")
    if known is None:
        known = standing.derived["corners"] = Corners.of(standing)
    return known


def _inward_of_bases(columns: FloatArray, foot: FloatArray, inward: FloatArray, tol: float) -> FloatArray:
    """Return inward, (n, 2), or where a foot is the corner of a rectangle the way that halves its angle."""
    x, y, cos, sin, along, across, radius = columns
    dx, dy = foot[:, 0] - x, foot[:, 1] - y
    ahead, aside = dx * cos + dy * sin, dy * cos - dx * sin
    at_corner = (radius == 0.0) & (np.abs(ahead) >= along - _AT_CORNER * tol)
    at_corner &= np.abs(aside) >= across - _AT_CORNER * tol
    u, v = -np.sign(ahead) * at_corner, -np.sign(aside) * at_corner
    # as long as a diagonal of a square: half a right angle is that sharp
    turned = np.stack([u * cos - v * sin, u * sin + v * cos], axis=1)
    return np.where(at_corner[:, None], turned, inward)
