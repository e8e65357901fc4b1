"""Terrain between two bases: whether one of the shortest lines from one to the other is free of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._sight_questions import LEAST_TOLERANCE
from ninthgeom.bases import ACROSS, ALONG, COS, SIN, Bases, X, Y
from ninthgeom.crossings import intersects, passes_through
from ninthgeom.segments import Segments
from ninthgeom.sight import line_of_sight

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.polygons import Polygons
    from ninthgeom.skirmish.rules import EngagedTerrain

#: Terrain of this Size or larger is tall.
TALL: Final = 2
# The arc of lines that are taken for the shortest between parallel sides, in radians.
_STRAIGHT: Final = 1e-9


def outlines_between(board: Board, which: EngagedTerrain) -> Polygons:
    """Return the outlines of the terrain that keeps enemies from being engaged."""
    key = f"outlines_between_{which}"
    if key not in board._derived:
        least = TALL if which == "tall" else 0
        counts = [i for i, piece in enumerate(board.terrain) if (piece.height or 0) >= least]
        board._derived[key] = board.terrain_outlines[np.array(counts if which != "none" else [], np.intp)]
    outlines: Polygons = board._derived[key]
    return outlines


def is_free_between(
    board: Board, one: Bases, other: Bases, which: EngagedTerrain, tol: float, workers: int
) -> BoolArray:
    """Return whether one of the shortest lines between two bases is free of terrain, pair by pair, (n,)."""
    outlines = outlines_between(board, which)
    free = np.ones(one.shape, np.bool_)
    if not outlines.size:
        return free
    lines = measure.shortest_line(one, other, tol=tol, workers=workers)
    apart = np.flatnonzero((lines[:, :2] != lines[:, 2:]).any(axis=1))  # nothing is between bases that touch
    segments = Segments(*lines[apart].T)[:, None]
    touched = intersects(segments, outlines, tol=tol, workers=workers).sum(axis=1)
    is_cut = passes_through(segments, outlines, tol=tol, workers=workers).any(axis=1)
    low, high = _parallel(one[apart], other[apart], lines[apart], tol)
    is_family = high - low > tol
    # between two pieces that touch there is no gap, though a line may pass both by
    free[apart] = ~is_cut
    open_ = (is_cut & is_family) | (~is_cut & (touched > 1))
    again = apart[open_]
    if len(again):
        ends = low[open_], np.where(is_family, high, low)[open_]
        free[again] = _is_any_free(lines[again], *ends, outlines, max(tol, LEAST_TOLERANCE), workers)
    return free


def _parallel(one: Bases, other: Bases, lines: FloatArray, tol: float) -> tuple[FloatArray, FloatArray]:
    """Return from where to where lines may be shifted to their left and are as short, each of shape (n,)."""
    way = lines[:, 2:] - lines[:, :2]
    nx, ny = way.T / np.hypot(*way.T)
    low, high = np.full(len(lines), -np.inf), np.full(len(lines), np.inf)
    for bases, start in ((one, lines[:, :2]), (other, lines[:, 2:])):
        columns = bases._columns
        # a side of the core that is square to the line faces the other base with all its length; else it is a
        # corner, to which no second line is as short
        middle = (columns[Y] - start[:, 1]) * nx - (columns[X] - start[:, 0]) * ny
        half = np.zeros(len(lines))
        for cos, sin, length in (
            (columns[COS], columns[SIN], columns[ALONG]),
            (-columns[SIN], columns[COS], columns[ACROSS]),
        ):
            ahead, aside = (cos * nx + sin * ny) * length, (sin * nx - cos * ny) * length
            half += np.where(np.abs(ahead) <= 0.5 * tol, np.abs(aside), 0.0)
        low, high = np.maximum(low, middle - half), np.minimum(high, middle + half)
    return low, high


def _is_any_free(
    lines: FloatArray, low: FloatArray, high: FloatArray, outlines: Polygons, tol: float, workers: int
) -> BoolArray:
    """Return whether a line shifted to its left by something from low to high is free."""
    ahead = lines[:, 2:] - lines[:, :2]
    nx, ny = ahead.T / np.hypot(*ahead.T)
    shift = np.where(high > low, 0.5 * (low + high), 0.0)
    width = np.maximum(high - low, 0.0)
    x, y = lines[:, 0] - shift * ny, lines[:, 1] + shift * nx
    sources = Bases.rect(x, y, np.arctan2(ny, nx), width=width, depth=0.0)
    x, y = x + ahead[:, 0], y + ahead[:, 1]
    targets = Bases.rect(x, y, np.arctan2(ny, nx), width=width, depth=0.0)
    free = line_of_sight(sources, targets, outlines, half_angle=_STRAIGHT, tol=tol, workers=workers)
    return np.asarray(free)
