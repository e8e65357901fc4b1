"""What stops paths in some scenes: solids that they may not enter, and lines that they may not pass.

Solids are what is deeper than the tolerance inside pieces, gates that are rectangles, and bridges between
pieces in contact, as sight has them. Lines are the other gates and bridges, continued into the pieces at both
ends: a path may touch and follow one, and pieces too, but not get from one side of it to the other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import COS, ROWS
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_shapes import Outlines, Shapes, shapes_of
from ninthgeom.skirmish._chains import chains_of_gates
from ninthgeom.skirmish._gates import THIN, Gates
from ninthgeom.skirmish._obstacles import Obstacles, Standing, widened

#: About what a path takes for each solid or line, in nanoseconds.
PATH_NS: Final = 20.0
_NONE: Final = -1
# Corners of a bridge.
_BRIDGE: Final = 4


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
    fixed : Barriers, optional
        What is the same in all scenes, as one more of its own.
    """

    shapes: Shapes
    are_gates: BoolArray
    lines: FloatArray
    line_starts: NDArray[np.int64]
    names: NDArray[np.int64]
    width: FloatArray
    tol: float
    fixed: Barriers | None = None

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
        # Bases that are there and gates that are rectangles stand in places of each scene, named after all
        # pieces; a place that is left is a point, which stops nothing.
        scene, unit = np.nonzero(_near(obstacles, state, counts, widened(region, tol)))
        is_line = gates.is_line(tol)
        broad = np.flatnonzero(~is_line)
        place, n_bases = _slots(scene, len(state))
        gate_place, n_gates = _slots(gates.scene[broad], len(state))
        at, gate_at = (scene, place), (gates.scene[broad], n_bases + gate_place)
        solid = np.zeros((ROWS, len(state), n_bases + n_gates))
        solid[COS] = 1.0
        solid[:, *at] = obstacles.columns[:, state[scene], unit]
        solid[:, *gate_at] = gates.columns[:, broad]
        who = np.full((len(state), n_bases + n_gates + 1, 2), _NONE, np.int64)
        who[at] = unit[:, None]
        who[gate_at] = np.stack([gates.first[broad], gates.second[broad]], axis=1)
        clear_width = np.full(who.shape[:2], np.nan)
        clear_width[gate_at] = gates.width[broad]
        n_names = standing.first_closed + len(standing.closed)
        terrain = standing.column[: len(standing.terrain)]
        column = np.concatenate([terrain, n_names + np.arange(n_bases + n_gates)])
        fixed, alone = _fixed(standing)
        shapes = _without(shapes_of(solid, alone, column, "clear", tol), alone.parts.n)
        owners = shapes.owners[:, :, :2]
        is_placed = owners >= n_names
        places = np.where(is_placed, owners - n_names, _NONE)
        here = np.arange(len(state))[:, None]
        names = np.where(is_placed, who[here[:, :, None], places, 0], owners)
        # of a bridge between a gate and something else the gate counts
        gate = places.max(axis=2)
        is_gate = gate >= n_bases
        names = np.where(is_gate[:, :, None], who[here, gate], names)
        widths = np.where(is_gate, clear_width[here, gate], np.nan)
        is_bridge = ~is_gate
        is_bridge[:, : solid.shape[2]] = False
        widths[is_bridge] = 0.0
        chains = chains_of_gates(obstacles, state, gates, np.flatnonzero(is_line))
        pieces = names, widths
        return cls._with_bridges(shapes, is_gate, is_bridge, pieces, gates, chains, fixed, tol)

    @classmethod
    def _with_bridges(
        cls,
        shapes: Shapes,
        is_gate: BoolArray,
        is_bridge: BoolArray,
        pieces: tuple[NDArray[np.int64], FloatArray],
        gates: Gates,
        chains: FloatArray,
        fixed: Barriers | None,
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
            fixed,
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
        from ninthgeom_kernel import paths as kernel

        n = len(points)
        entered, solid = np.empty(n), np.empty(n, np.int64)
        passed, line = np.empty(n), np.empty(n, np.int64)
        shapes, line_spans = self.shapes, _spans(self.lines)
        points = np.ascontiguousarray(points)
        sizes, scenes = sizes.astype(np.int64), scenes.astype(np.int64)

        def task(start: int, stop: int) -> None:
            some = slice(start, stop)
            asked = points[some], sizes[some], scenes[some], _spans(points[some])
            kernel.first_entries(
                shapes.boxes,
                shapes.vertices,
                shapes.counts,
                shapes.radii,
                self.are_gates,
                *asked,
                entered[some],
                solid[some],
            )
            kernel.first_passes(
                self.lines,
                self.line_starts,
                line_spans,
                *asked,
                self.tol,
                entered[some],
                passed[some],
                line[some],
            )

        run_chunks(task, n, workers=workers, cost_ns=PATH_NS * (self.n_shapes + 20))
        # names are those of all solids, then of lines
        by = np.where(line >= 0, self.are_gates.size + line, scenes * self.n_shapes + solid)
        stops, stopped = np.minimum(entered, passed), (line >= 0) | (solid >= 0)
        width, gap = np.full(n, np.nan), np.full((n, 2), _NONE, np.int64)
        width[stopped], gap[stopped] = self.width[by[stopped]], self.names[by[stopped]]
        if self.fixed is not None:
            others = self.fixed.stops(points, sizes, np.zeros_like(scenes), workers)
            sooner = others[0] < stops
            stops, width = np.where(sooner, others[0], stops), np.where(sooner, others[1], width)
            gap = np.where(sooner[:, None], others[2], gap)
        return stops, width, gap


def _fixed(standing: Standing) -> tuple[Barriers, Outlines]:
    """Return the barriers of what stands on a board, made once, and outlines as if none touched another."""
    known: tuple[Barriers, Outlines] | None = standing.derived.get("barriers")
    if known is None:
        outlines, tol = standing.outlines, standing.tol
        shapes = shapes_of(np.empty((ROWS, 1, 0)), outlines, standing.column, "clear", tol)
        is_bridge = np.arange(shapes.counts.shape[1])[None] >= outlines.parts.n
        pieces = shapes.owners[:, :, :2].copy(), np.where(is_bridge, 0.0, np.nan)
        none = np.empty(0, np.int64)
        gates = Gates(1, none, none, none, np.empty((ROWS, 0)), np.empty(0))
        chains = np.empty((0, 4, 2))
        made = Barriers._with_bridges(
            shapes, np.zeros_like(is_bridge), is_bridge, pieces, gates, chains, None, tol
        )
        known = made, replace(outlines, touching=(none.astype(np.intp), none.astype(np.intp)))
        standing.derived["barriers"] = known
    return known


def _without(shapes: Shapes, first: int) -> Shapes:
    """Return shapes less the first ones of each scene."""
    return Shapes(
        np.ascontiguousarray(shapes.boxes[:, :, first:]),
        np.ascontiguousarray(shapes.vertices[:, first:]),
        np.ascontiguousarray(shapes.counts[:, first:]),
        np.ascontiguousarray(shapes.radii[:, first:]),
        shapes.owners[:, first:],
    )


def _spans(points: FloatArray) -> FloatArray:
    """Return least and most x, y of polylines (n, V, 2), shape (4, n)."""
    return np.ascontiguousarray(np.concatenate([points.min(axis=1), points.max(axis=1)], axis=1).T)


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
