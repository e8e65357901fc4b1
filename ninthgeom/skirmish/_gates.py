"""Gates: where gaps are too narrow for a width, found for many scenes at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, X, Y

#: Gates less broad than this, in tolerances, are lines; as the kernel has it.
THIN: Final = 4.0
#: As blockers, lines reach so much further at both ends, in tolerances, that they touch what they end at.
_LONGER: Final = 1.0
#: Room for so many pairs and gates at first.
ROOM: Final = 64
# Arrays that were too small grow so many times.
_GROWTH: Final = 4
# Row of gaps as the kernel has them.
_WIDTH: Final = 4


@dataclass(frozen=True, eq=False)
class Gates:
    """Closed gaps of some scenes, sorted by scene.

    Attributes
    ----------
    n_scenes : int
    scene : ndarray of int64, shape (n,)
    first, second : ndarray of int64, shape (n,)
        Numbers of the pieces on both sides; the same twice for a gap within one, and for a closed opening.
    columns : ndarray of float64, shape (7, n)
        As those of bases: middle, direction from the first side to the second, half the length of the gap
        along it, half its breadth across, radius 0. Sides that are not parallel have a gap of no breadth.
    width : ndarray of float64, shape (n,)
        Clear width of the gap; 0 for a closed opening.
    """

    n_scenes: int
    scene: NDArray[np.int64]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    columns: FloatArray
    width: FloatArray

    def __len__(self) -> int:
        return len(self.scene)

    @cached_property
    def indptr(self) -> NDArray[np.int64]:
        """Scene q has the gates from ``indptr[q]`` up to ``indptr[q + 1]``."""
        return np.searchsorted(self.scene, np.arange(self.n_scenes + 1)).astype(np.int64)

    def is_line(self, tol: float) -> BoolArray:
        """Return which gates are lines, not rectangles."""
        line: BoolArray = self.columns[ACROSS] < 0.5 * THIN * tol
        return line

    def lengthened(self, tol: float) -> FloatArray:
        """Return the columns, those of lines a little longer: then they touch what they end at."""
        columns = self.columns.copy()
        columns[ALONG] += np.where(self.is_line(tol), _LONGER * tol, 0.0)
        return columns

    @classmethod
    def joined(cls, some: Gates, others: Gates) -> Gates:
        """Join gates of the same scenes."""
        order = np.argsort(np.concatenate([some.scene, others.scene]), kind="stable")
        scene, first, second, width = (
            np.concatenate([getattr(some, name), getattr(others, name)])[order]
            for name in ("scene", "first", "second", "width")
        )
        columns = np.concatenate([some.columns, others.columns], axis=1)[:, order]
        return cls(some.n_scenes, scene, first, second, columns, width)


@dataclass(frozen=True, eq=False)
class Fixed:
    """Convex pieces that stand in all scenes, packed for the kernel.

    Attributes
    ----------
    corners : ndarray of float64, shape (2, V)
        Of the pieces, then of the covers.
    starts : ndarray of int64, shape (P + 1,)
        Where each piece begins among them.
    siblings : ndarray of int64, shape (2, P)
        The first piece of the same polygon, and the first one after these.
    names : ndarray of int64, shape (P,)
        Number of each in answers.
    cover_starts : ndarray of int64, shape (C + 1,)
        Where each cover begins: a shape that no gate may cross.
    """

    corners: FloatArray
    starts: NDArray[np.int64]
    siblings: NDArray[np.int64]
    names: NDArray[np.int64]
    cover_starts: NDArray[np.int64]

    @property
    def size(self) -> int:
        """Number of pieces."""
        return len(self.names)

    @cached_property
    def boxes(self) -> FloatArray:
        """Boxes of the pieces, shape (4, P)."""
        return self._boxes(self.starts)

    @cached_property
    def cover_boxes(self) -> FloatArray:
        """Boxes of the covers, shape (4, C)."""
        return self._boxes(self.cover_starts)

    def _boxes(self, starts: NDArray[np.int64]) -> FloatArray:
        if len(starts) == 1:
            return np.empty((4, 0))
        corners = self.corners[:, : starts[-1]]
        return np.concatenate([f.reduceat(corners, starts[:-1], axis=1) for f in (np.minimum, np.maximum)])


@dataclass(frozen=True, eq=False)
class Scenes:
    """What is asked: states, who counts in them, how wide gaps must be, and where.

    Attributes
    ----------
    bases : ndarray of float64, shape (7, S, U)
    state : ndarray of int64, shape (Q,)
    counts : ndarray of bool, shape (Q, U)
    width : ndarray of float64, shape (Q,)
    region : ndarray of float64, shape (4, Q)
    """

    bases: FloatArray
    state: NDArray[np.int64]
    counts: BoolArray
    width: FloatArray
    region: FloatArray

    @classmethod
    def of(
        cls,
        bases: FloatArray,
        state: IntArray,
        counts: BoolArray,
        width: FloatArray,
        region: FloatArray | None,
    ) -> Scenes:
        """Bring the arrays into the form of the kernel."""
        n = len(state)
        if region is None:
            region = np.repeat(np.array([[-np.inf], [-np.inf], [np.inf], [np.inf]]), n, axis=1)
        return cls(
            np.ascontiguousarray(bases, np.float64),
            np.ascontiguousarray(state, np.int64),
            np.ascontiguousarray(np.broadcast_to(counts, (n, bases.shape[2]))),
            np.ascontiguousarray(np.broadcast_to(width, (n,)), np.float64),
            np.ascontiguousarray(np.broadcast_to(region, (4, n)), np.float64),
        )

    @cached_property
    def pieces(self) -> Placed:
        """The bases."""
        return Placed.of(self.bases)

    def covers(self, tol: float) -> Placed:
        """Return what is deeper than tol inside the bases; those too thin for that without their radii."""
        _, _, _, _, along, across, radius = self.bases
        is_wide = np.minimum(along, across) + radius > tol
        cut = np.where(is_wide, np.maximum(tol - radius, 0.0), 0.0)
        deep = self.bases.copy()
        deep[ALONG], deep[ACROSS] = np.maximum(along - cut, 0.0), np.maximum(across - cut, 0.0)
        deep[RADIUS] = np.where(is_wide, np.maximum(radius - tol, 0.0), 0.0)
        return Placed.of(deep)


@dataclass(frozen=True, eq=False)
class Placed:
    """Bases as pieces: corners of their cores with a radius round them.

    Attributes
    ----------
    points : ndarray of float64, shape (S, 2, 4 U)
        Corners, counter-clockwise, four places for each base.
    sizes : ndarray of int64, shape (S, U)
        How many of these count: 1 of discs, 2 of ovals, 4 of rectangles.
    radii : ndarray of float64, shape (S, U)
    boxes : ndarray of float64, shape (S, 4, U)
        Least x, least y, most x, most y.
    """

    points: FloatArray
    sizes: NDArray[np.int64]
    radii: FloatArray
    boxes: FloatArray

    @classmethod
    def of(cls, bases: FloatArray) -> Placed:
        """Take columns, (7, S, U)."""
        x, y, cos, sin, along, across, radius = bases
        n_states, n_bases = x.shape
        points = np.empty((n_states, 2, n_bases, 4))
        # what has no length along its heading has its second corner on the other side of it
        second = np.where(along > 0.0, 1.0, -1.0)
        for k, (i, j) in enumerate(((1.0, 1.0), (-1.0, second), (-1.0, -second), (1.0, -1.0))):
            points[:, 0, :, k] = x + i * along * cos - j * across * sin
            points[:, 1, :, k] = y + i * along * sin + j * across * cos
        reach_x = np.abs(cos) * along + np.abs(sin) * across + radius
        reach_y = np.abs(sin) * along + np.abs(cos) * across + radius
        boxes = np.stack([x - reach_x, y - reach_y, x + reach_x, y + reach_y], axis=1)
        sizes = np.where(along > 0.0, 2, 1) * np.where(across > 0.0, 2, 1)
        return cls(
            points.reshape(n_states, 2, 4 * n_bases),
            sizes.astype(np.int64),
            np.ascontiguousarray(radius),
            boxes,
        )


def gates_among(fixed: Fixed, known: Gates | None, scenes: Scenes, tol: float) -> Gates:
    """Return the gates of scenes; ``known`` are those among the fixed pieces, None if they are asked for."""
    scene, first, second, rows = _gaps(fixed, scenes, 0 if known is None else fixed.size, tol)
    is_known = np.zeros(len(scene), np.bool_)
    if known is not None and len(known):
        narrow = known.width < scenes.width[:, None] - tol
        own_scene, which = np.nonzero(narrow & _meet(known, scenes.region))
        columns = known.columns[:, which]
        own_rows = np.stack([*columns[[X, Y, COS, SIN]], known.width[which], 2.0 * columns[ACROSS]])
        # known ones first in each scene
        order = np.argsort(np.concatenate([own_scene, scene]), kind="stable")
        is_known = np.concatenate([np.ones(len(which), np.bool_), is_known])[order]
        scene = np.concatenate([own_scene, scene])[order]
        first = np.concatenate([known.first[which], first])[order]
        second = np.concatenate([known.second[which], second])[order]
        rows = np.concatenate([own_rows, rows], axis=1)[:, order]
    which, columns, width = _cut(fixed, scenes, scene, rows, is_known, tol)
    return Gates(len(scenes.state), scene[which], first[which], second[which], columns, width)


def _gaps(
    fixed: Fixed, scenes: Scenes, n_first: int, tol: float
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], FloatArray]:
    """Return gaps of pairs of pieces, but not among the first so many: scene, both numbers and rows."""
    # Imported here, since it compiles.
    from ninthgeom_kernel import gates as kernel

    placed = scenes.pieces
    near = np.empty(fixed.size + scenes.counts.shape[1], np.int64)
    pairs = np.empty((3, ROOM), np.int64)
    progress = np.zeros(2, np.int64)
    while not kernel.close_pairs(
        fixed.boxes,
        placed.boxes,
        scenes.state,
        scenes.counts,
        scenes.width,
        scenes.region,
        n_first,
        tol,
        near,
        progress,
        pairs,
    ):
        pairs = _grown(pairs)
    pairs = np.ascontiguousarray(pairs[:, : int(progress[1])])
    are_gaps, rows = np.empty(pairs.shape[1], np.bool_), np.empty((6, pairs.shape[1]))
    gate = np.zeros(6)
    kernel.narrow_pairs(
        fixed.corners,
        fixed.starts,
        placed.points,
        placed.sizes,
        placed.radii,
        scenes.state,
        scenes.width,
        pairs,
        tol,
        gate,
        are_gaps,
        rows,
    )
    kernel.keep_shortest(
        fixed.corners, fixed.starts, fixed.siblings, fixed.boxes, pairs, rows, tol, gate, are_gaps
    )
    scene, one, other = pairs[:, are_gaps]
    names = np.concatenate([fixed.names, np.arange(scenes.counts.shape[1])])
    return scene, names[one], names[other], rows[:, are_gaps]


def _cut(
    fixed: Fixed,
    scenes: Scenes,
    scene: NDArray[np.int64],
    rows: FloatArray,
    is_known: BoolArray,
    tol: float,
) -> tuple[NDArray[np.int64], FloatArray, FloatArray]:
    """Return what is left of gaps that nothing may stand in, near the regions: which, columns and width."""
    from ninthgeom_kernel import gates as kernel

    bounds = _bounds(rows)
    low, high = scenes.region[:2, scene], scenes.region[2:, scene]
    near = np.flatnonzero(((bounds[:2] <= high) & (bounds[2:] >= low)).all(axis=0))
    covers = scenes.covers(tol)
    which, spans = np.empty((1, ROOM), np.int64), np.empty((2, ROOM))
    progress = np.zeros(2, np.int64)
    rows = np.ascontiguousarray(rows[:, near])
    while not kernel.cover_spans(
        fixed.corners,
        fixed.cover_starts,
        fixed.cover_boxes,
        covers.points,
        covers.sizes,
        covers.radii,
        covers.boxes,
        scenes.state,
        scenes.counts,
        scene[near],
        rows,
        np.ascontiguousarray(bounds[:, near]),
        is_known[near],
        tol,
        np.empty(6),
        progress,
        which[0],
        spans,
    ):
        which, spans = _grown(which), _grown(spans)
    count = int(progress[1])
    left, columns = _uncovered(rows, which[0, :count], spans[:, :count], tol)
    return near[left], columns, rows[_WIDTH, left]


def _uncovered(
    rows: FloatArray, which: NDArray[np.int64], spans: FloatArray, tol: float
) -> tuple[NDArray[np.int64], FloatArray]:
    """Return what spans (2, m) along the breadth of gates leave of these: which, and columns."""
    x, y, nx, ny, width, breadth = rows
    is_line = breadth <= THIN * tol
    low, high = spans
    whole = np.ones(len(x), np.bool_)
    whole[which[is_line[which] & (low < 0.0) & (high > 0.0)]] = False
    cut = np.unique(which[~is_line[which]])
    whole[cut] = False
    owner, middle, half = [np.flatnonzero(whole)], [np.zeros(int(whole.sum()))], [0.5 * breadth[whole]]
    for k in cut.tolist():
        own = which == k
        for begin, end in stretches(0.5 * float(breadth[k]), spans[:, own].T.tolist(), THIN * tol):
            owner.append(np.array([k]))
            middle.append(np.array([0.5 * (begin + end)]))
            half.append(np.array([0.5 * (end - begin)]))
    left, along, across = (np.concatenate(parts) for parts in (owner, middle, half))
    order = np.argsort(left, kind="stable")
    left, along, across = left[order], along[order], across[order]
    columns = np.zeros((ROWS, len(left)))
    columns[X], columns[Y] = x[left] - along * ny[left], y[left] + along * nx[left]
    columns[COS], columns[SIN] = nx[left], ny[left]
    columns[ALONG], columns[ACROSS] = 0.5 * width[left], across
    return left, columns


def stretches(half: float, spans: Sequence[Sequence[float]], least: float) -> list[tuple[float, float]]:
    """Return what spans leave of -half to half in stretches longer than the least."""
    place, left = -half, []
    for low, high in [*sorted((low, high) for low, high in spans), (half, half)]:
        if low - place > least:
            left.append((place, low))
        place = max(place, high)
    return left


def _bounds(rows: FloatArray) -> FloatArray:
    """Return boxes round gaps given by the rows of the kernel: least x, least y, most x, most y."""
    x, y, nx, ny, width, breadth = rows
    reach_x = 0.5 * (np.abs(nx) * width + np.abs(ny) * breadth)
    reach_y = 0.5 * (np.abs(ny) * width + np.abs(nx) * breadth)
    return np.stack([x - reach_x, y - reach_y, x + reach_x, y + reach_y])


def _meet(gates: Gates, region: FloatArray) -> BoolArray:
    """Return which gates may meet regions (4, Q), by discs round them, shape (Q, n)."""
    x, y, _, _, along, across, _ = gates.columns
    reach = along + across
    low_x, low_y, high_x, high_y = region[:, :, None]
    meet: BoolArray = (x - reach <= high_x) & (x + reach >= low_x)
    meet &= (y - reach <= high_y) & (y + reach >= low_y)
    return meet


def _grown(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty((array.shape[0], _GROWTH * array.shape[1]), array.dtype)
    larger[:, : array.shape[1]] = array
    return larger
