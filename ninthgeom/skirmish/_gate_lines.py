"""Gates that are lines, continued into the pieces at both ends, so that no path gets round an end.

Where a gate ends in the middle of a side it goes straight on; at a corner it turns into the corner, for the
straight way may lead along the other side of it or leave the piece again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ALONG, COS, SIN, X, Y
from ninthgeom.skirmish._gates import Gates
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
_NONE: Final = -1


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
        nearest = self.tree.query(feet, k=_SHARED, distance_upper_bound=_AT_CORNER * tol)
        distance, which = map(np.asarray, nearest)
        name = np.append(self.name, _NONE)[which]
        fits = np.isfinite(distance) & ((name == names[:, None]) | (names[:, None] == _NONE))
        place = fits.argmax(axis=1)
        found = fits.any(axis=1)
        inward[found] = self.inward[which[found, place[found]]]
        return found, inward


def chains_of_gates(obstacles: Obstacles, state: IntArray, gates: Gates, which: IntArray) -> FloatArray:
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
