"""Lines that touch two convex shapes without entering either: where shadows begin and end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._curves import ROUNDING, Rounded

# So many pairs of corners are looked at at once.
_AT_ONCE: Final = 2**18


@dataclass(frozen=True, eq=False)
class Tangents:
    """Lines n p = d with the places where they touch.

    Attributes
    ----------
    normal : ndarray of float64, shape (n, 2)
    offset : ndarray of float64, shape (n,)
    touches : ndarray of float64, shape (n, 4)
        x and y on one shape, x and y on the other.
    """

    normal: FloatArray
    offset: FloatArray
    touches: FloatArray

    def __len__(self) -> int:
        return len(self.offset)

    @classmethod
    def joined(cls, parts: list[Tangents]) -> Tangents:
        """Join several sets, each line once."""
        rows = np.concatenate(
            [np.empty((0, 7)), *(np.column_stack([p.normal, p.offset, p.touches]) for p in parts)]
        )
        turned = (rows[:, 0] < 0.0) | ((rows[:, 0] == 0.0) & (rows[:, 1] < 0.0))
        rows[turned, :3] *= -1.0
        kept = np.unique(np.round(rows, 9), axis=0, return_index=True)[1]
        rows = rows[np.sort(kept)]
        return cls(rows[:, :2], rows[:, 2], rows[:, 3:])

    def chosen(self, keep: BoolArray) -> Tangents:
        """Return some of the lines."""
        return Tangents(self.normal[keep], self.offset[keep], self.touches[keep])


def tangents(a: Rounded, b: Rounded, i: IntArray, j: IntArray, *, outer: bool) -> Tangents:
    """Return the common tangents of pairs of shapes: the inner ones, and with `outer` the outer ones too.

    Source: tangents of two discs; those of the corners' discs which neither shape crosses.
    """
    step = max(1, _AT_ONCE // max(1, a.corners.shape[1] * b.corners.shape[1]))
    parts = []
    for start in range(0, len(i), step):
        some = slice(start, start + step)
        parts += [*_of_pairs(a[i[some]], b[j[some]], (1.0, -1.0) if outer else (-1.0,))]
    return Tangents.joined(parts)


def _of_pairs(a: Rounded, b: Rounded, sides: tuple[float, ...]) -> Iterator[Tangents]:
    p, q = a.corners[:, :, None], b.corners[:, None]
    step = q - p
    length = np.hypot(step[..., 0], step[..., 1])
    r, s = a.radius[:, None, None], b.radius[:, None, None]
    for side in sides:
        with np.errstate(divide="ignore", invalid="ignore"):
            cosine = (r - side * s) / length
            along = step / length[..., None]
        good = (length > 0.0) & (np.abs(cosine) <= 1.0 + ROUNDING)
        pair, k, m = np.nonzero(good)
        cosine, along = np.clip(cosine[good], -1.0, 1.0), along[good]
        sine = np.sqrt(1.0 - cosine * cosine)
        for turn in (1.0, -1.0):
            aside = np.stack([-along[:, 1], along[:, 0]], axis=-1)
            normal = along * cosine[:, None] + (turn * sine)[:, None] * aside
            first, last = a.corners[pair, k], b.corners[pair, m]
            own = (normal[:, None] * (a.corners[pair] - first[:, None])).sum(-1).max(axis=1)
            other = side * (normal[:, None] * (b.corners[pair] - last[:, None])).sum(-1)
            keep = (own <= ROUNDING) & (other.max(axis=1) <= ROUNDING)
            first = first + a.radius[pair][:, None] * normal
            last = last + (side * b.radius[pair])[:, None] * normal
            offset = (normal * first).sum(-1)
            yield Tangents(normal[keep], offset[keep], np.hstack([first, last])[keep])
