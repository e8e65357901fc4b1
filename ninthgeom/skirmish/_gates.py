"""Gates: where gaps are too narrow for a width, found for many scenes at a time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, ROWS, SIN, X, Y

#: Gates less broad than this, in tolerances, are lines; as the kernel has it.
THIN: Final = 4.0
#: As blockers, lines reach so much further at both ends, in tolerances, that their feet belong to them.
_LONGER: Final = 4.0
# Arrays that were too small grow so many times.
_GROWTH: Final = 4


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
        """Return the columns, those of lines a little longer: then their feet belong to them."""
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


def gates_among(fixed: Fixed, known: Gates | None, scenes: Scenes, tol: float) -> Gates:
    """Return the gates of scenes; ``known`` are those among the fixed pieces, None if they are asked for."""
    # Imported here, since it compiles.
    from ninthgeom_kernel import gates as kernel

    n, n_bases = scenes.counts.shape
    rows, known_pieces, n_first = np.empty((6, 0)), np.empty((2, 0), np.int64), 0
    if known is not None:
        columns = known.columns
        rows = np.stack([*columns[[X, Y, COS, SIN]], known.width, 2.0 * columns[ACROSS]])
        known_pieces, n_first = np.stack([known.first, known.second]), fixed.size
    scratch = kernel.scratch_arrays(fixed.corners.shape[1], fixed.size, len(fixed.cover_starts) - 1, n_bases)
    room = 64 + 4 * n
    pieces, numbers = np.empty((3, room), np.int64), np.empty((ROWS + 1, room))
    progress = np.zeros(2, np.int64)
    while not kernel.closed_gaps(
        fixed.corners,
        fixed.starts,
        fixed.siblings,
        fixed.names,
        fixed.cover_starts,
        np.ascontiguousarray(rows),
        np.ascontiguousarray(known_pieces),
        scenes.bases,
        scenes.state,
        scenes.counts,
        scenes.width,
        scenes.region,
        n_first,
        tol,
        scratch,
        progress,
        pieces,
        numbers,
    ):
        pieces, numbers = _grown(pieces), _grown(numbers)
    count = int(progress[1])
    scene, first, second = pieces[:, :count].copy()
    return Gates(n, scene, first, second, numbers[:ROWS, :count].copy(), numbers[ROWS, :count].copy())


def _grown(array: NDArray[Any]) -> NDArray[Any]:
    larger = np.empty((array.shape[0], _GROWTH * array.shape[1]), array.dtype)
    larger[:, : array.shape[1]] = array
    return larger
