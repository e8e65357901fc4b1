"""Sight all round for bases of any shape: rectangles are asked about by their sides.

For the sight machinery discs, ovals and points look all round, but rectangles from their front only. A line
that leaves a rectangle does so through a side. Each of these, taken for a thin oval, looks all round.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, SIN, X, Y

#: Arc of sources; those that look all round have none, so that it changes nothing.
ARC: Final = 0.25 * np.pi
# How thick the ovals are that stand for sides, in tolerances.
_SIDE: Final = 1e-3


def has_facing(bases: FloatArray, tol: float) -> BoolArray:
    """Return which bases (7, ...) the sight kernel takes for rectangles that look from their front."""
    along, across, radius = bases[ALONG:]
    least, most = np.minimum(along, across), np.maximum(along, across)
    faces: BoolArray = (least > 0.5 * tol) | ((radius == 0.0) & (most > 0.5 * tol))
    return faces


def sides_of(bases: FloatArray, tol: float) -> list[FloatArray]:
    """Return the four sides of the cores of bases (7, ...) as ovals, grown by their radius."""
    ahead = np.stack([bases[COS], bases[SIN]]) * bases[ALONG]
    aside = np.stack([-bases[SIN], bases[COS]]) * bases[ACROSS]
    sides = []
    for row, way in ((ALONG, ahead), (ALONG, -ahead), (ACROSS, aside), (ACROSS, -aside)):
        side = bases.copy()
        side[[X, Y]] += way
        side[row] = 0.0
        side[RADIUS] = np.maximum(bases[RADIUS], _SIDE * tol)
        sides.append(side)
    return sides


def looking_round(bases: FloatArray, asked: BoolArray, tol: float) -> tuple[FloatArray, BoolArray]:
    """Return sources that look all round for some bases, and what to ask of them.

    Parameters
    ----------
    bases : ndarray of float64, shape (7, S, n)
    asked : ndarray of bool, shape (S, n, m)
    tol : float

    Returns
    -------
    sources : ndarray of float64, shape (7, S, n) or (7, S, 5 n)
        If some bases that are asked do not look all round, the sides of all follow.
    asked : ndarray of bool, shape (S, n, m) or (S, 5 n, m)
        See `either`.
    """
    looks_ahead = has_facing(bases, tol)
    if not (looks_ahead & asked.any(axis=2)).any():
        return bases, asked
    ahead, round_ = asked & looks_ahead[:, :, None], asked & ~looks_ahead[:, :, None]
    sides = sides_of(bases, tol)
    return np.concatenate([bases, *sides], axis=2), np.concatenate([round_, *[ahead] * len(sides)], axis=1)


def either(seen: BoolArray, n: int) -> BoolArray:
    """Return what n bases see, (S, n, m), from what the sources of `looking_round` do."""
    answer: BoolArray = seen[:, :n].copy()
    for first in range(n, seen.shape[1], n):
        answer |= seen[:, first : first + n]
    return answer
