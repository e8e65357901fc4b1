"""Lines between models that are free for certain: they keep clear of everything that counts."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, SIN, X, Y
from ninthgeom.skirmish._gates import Gates
from ninthgeom.skirmish._link_lines import Scenes
from ninthgeom.skirmish._obstacles import Obstacles

# Signs of the corners of a rectangle along and across, counter-clockwise.
_CORNERS = np.array([(1.0, 1.0), (-1.0, 1.0), (-1.0, -1.0), (1.0, -1.0)])
# Sides of the bases, left 1 and right -1, between which lines run: along both, then crosswise.
_SIDES = ((1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0))


@dataclass(frozen=True, eq=False)
class Shapes:
    """What counts in each scene, as the kernel takes it.

    Attributes
    ----------
    columns : ndarray of float64, shape (7, S, U)
        Bases of all models.
    vertices : ndarray of float64, shape (N, 2, W)
    circles : ndarray of float64, shape (N, 4)
    starts : ndarray of int64, shape (Q + 1,)
    tol : float
    """

    columns: FloatArray
    vertices: FloatArray
    circles: FloatArray
    starts: IntArray
    tol: float

    @classmethod
    def of(cls, obstacles: Obstacles, gates: Gates, scenes: Scenes, tol: float) -> Shapes:
        """Put the bases, the gates and the pieces of the outlines of each scene one after another."""
        outlines = obstacles.standing.outlines
        pieces = outlines.pieces
        row, unit = np.nonzero(scenes.bases)
        piece_row, piece = np.nonzero(np.take(scenes.outlines, outlines.piece_owner, axis=1))
        rows = row, gates.scene, piece_row
        counts = np.stack([np.bincount(r, minlength=len(scenes.state)) for r in rows])
        starts = np.concatenate([np.zeros(1, np.int64), np.cumsum(counts.sum(axis=0))])
        first = starts[:-1] + np.cumsum(counts, axis=0) - counts
        # within its scene each kind keeps its order
        place = [
            np.arange(len(r)) + np.repeat(begin - np.cumsum(n) + n, n)
            for r, n, begin in zip(rows, counts, first, strict=True)
        ]
        vertices, circles = np.empty((int(starts[-1]), 2, pieces.width)), np.empty((int(starts[-1]), 4))
        bases = np.concatenate([obstacles.columns[:, scenes.state[row], unit], gates.columns], axis=1)
        at = np.concatenate(place[:2])
        ahead, aside = bases[ALONG] * _CORNERS[:, :1], bases[ACROSS] * _CORNERS[:, 1:]
        vertices[at, 0, :4] = (bases[X] + bases[COS] * ahead - bases[SIN] * aside).T
        vertices[at, 1, :4] = (bases[Y] + bases[SIN] * ahead + bases[COS] * aside).T
        vertices[at, :, 4:] = vertices[at, :, 3:4]
        around = np.hypot(bases[ALONG], bases[ACROSS]) + bases[RADIUS]
        circles[at] = np.stack([bases[X], bases[Y], around, bases[RADIUS]], axis=1)
        boxes = pieces.boxes()[:, 0]
        vertices[place[2]] = pieces.vertices[0, piece]
        circle = np.stack([boxes[0], boxes[1], np.hypot(boxes[2], boxes[5]), 0.0 * boxes[0]], axis=1)
        circles[place[2]] = circle[piece]
        return cls(obstacles.columns, vertices, circles, starts, tol)

    def clear(self, scene: IntArray, ends: FloatArray) -> BoolArray:
        """Return which lines (n, 2, 2) are clear."""
        from ninthgeom_kernel import links as kernel

        out = np.empty(len(scene), np.bool_)
        kernel.clear_lines(
            ends, np.ascontiguousarray(scene), self.vertices, self.circles, self.starts, self.tol, out
        )
        return out

    def centres(self, state: IntArray, one: IntArray, other: IntArray) -> FloatArray:
        """Return lines between the centres of units, (n, 2, 2): x and y of one end and of the other."""
        ends = np.empty((len(state), 2, 2))
        for end, unit in enumerate((one, other)):
            ends[:, 0, end], ends[:, 1, end] = self.columns[X, state, unit], self.columns[Y, state, unit]
        return ends

    def along_sides(self, scene: IntArray, state: IntArray, one: IntArray, other: IntArray) -> BoolArray:
        """Return which pairs of units a line links that runs from side to side."""
        centres = self.centres(state, one, other)
        way = centres[:, :, 1] - centres[:, :, 0]
        way /= np.maximum(np.hypot(*way.T), self.tol)[:, None]
        linked = np.zeros(len(scene), np.bool_)
        for sides in _SIDES:
            left = np.flatnonzero(~linked)
            ends = centres[left]
            for end, (unit, side) in enumerate(zip((one, other), sides, strict=True)):
                base = self.columns[:, state[left], unit[left]]
                nx, ny = -side * way[left, 1], side * way[left, 0]
                # the outermost point of the base on that side
                p = np.copysign(base[ALONG], nx * base[COS] + ny * base[SIN])
                q = np.copysign(base[ACROSS], ny * base[COS] - nx * base[SIN])
                ends[:, 0, end] += p * base[COS] - q * base[SIN] + base[RADIUS] * nx
                ends[:, 1, end] += p * base[SIN] + q * base[COS] + base[RADIUS] * ny
            linked[left] = self.clear(scene[left], ends)
        return linked
