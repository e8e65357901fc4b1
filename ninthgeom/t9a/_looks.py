"""Units that look straight ahead of an engaged facing at the unit they are engaged with, for kernels.

Each *look* has a frame of its own: the facing looks along y, and the origin is the position of its unit.
Lines across gaps run along y from a model of the unit to one of the other.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._columns import COS, RADIUS, SIN
from ninthgeom.t9a.kinds import ContactKind
from ninthgeom.t9a.rules import Rules

IntArray: TypeAlias = NDArray[np.intp]

# Headings are known to about this angle in radians. Facings so nearly parallel are, and lines from both are
# the same: across a gap of ten inches they are a hundredth of the tolerance apart.
_PARALLEL: Final = 1e-9


@dataclass(frozen=True, eq=False)
class Looks:
    """Who looks at whom.

    Attributes
    ----------
    pair : ndarray of int, shape (n,)
        Which engagement it belongs to.
    state, p, q : ndarray of int, shape (n,)
        The unit p looks at q.
    k, f : ndarray of int, shape (n,)
        Through which facing p looks, and which one of q it looks at, from 0, the front, to the left.
    is_round : ndarray of bool, shape (n,)
        Whether q stands on a round base.
    is_back : ndarray of bool, shape (n,)
        Whether p is the second unit of the engagement.
    is_parallel : ndarray of bool, shape (n,)
        Whether the two facings are parallel.
    normal : ndarray of float, shape (2, n)
        Where the facing looks.
    """

    pair: IntArray
    state: IntArray
    p: IntArray
    q: IntArray
    k: IntArray
    f: IntArray
    is_round: BoolArray
    is_back: BoolArray
    is_parallel: BoolArray
    normal: FloatArray

    @property
    def code(self) -> IntArray:
        """What a contact found by each look is."""
        kind = np.where(self.is_round, int(ContactKind.ROUND), int(ContactKind.GAP))
        own, its = 1 << self.k, 1 << self.f
        code: IntArray = kind + 16 * np.where(self.is_back, its, own) + 256 * np.where(self.is_back, own, its)
        return code

    def part(self, keep: BoolArray) -> Looks:
        """Return some of them, in order."""
        return Looks(**{name: value[..., keep] for name, value in vars(self).items()})

    def turned(self, x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return directions, arrays (n, ...), in the frames."""
        nx, ny = self.normal.reshape(2, -1, *[1] * (x.ndim - 1))
        return ny * x - nx * y, nx * x + ny * y


def looks_of(
    boundaries: FloatArray, state: IntArray, units: IntArray, facings: NDArray[np.uint8], rules: Rules
) -> Looks:
    """Find the looks of engagements: the units (2, n) and the facings through which they are engaged."""
    n = len(state)
    bits = facings[:, :, None] >> np.arange(4, dtype=np.uint8) & np.uint8(1)
    wanted = bits[:, :, :, None] & bits[::-1, :, None, :]
    round_units = boundaries[RADIUS, state, units] > 0.0
    wanted[round_units] = 0
    # where facings are parallel one look is enough
    (cos, other_cos), (sin, other_sin) = boundaries[COS, state, units], boundaries[SIN, state, units]
    turn = (cos * other_cos + sin * other_sin) * (cos * other_sin - sin * other_cos)
    wanted[1, (np.abs(turn) <= _PARALLEL) & ~round_units[0]] = 0
    back, pair, k, f = np.unravel_index(np.flatnonzero(wanted), (2, n, 4, 4))
    p, q, own = units[back, pair], units[1 - back, pair], state[pair]
    is_round = round_units[1 - back, pair]
    nx, ny = _normals(boundaries, own, p, k)
    qx, qy = _normals(boundaries, own, q, f)
    sine = np.abs(nx * qy - ny * qx)
    is_opposite = np.arctan2(sine, -(nx * qx + ny * qy)) <= rules.gap_angle + _PARALLEL
    is_parallel = sine <= _PARALLEL
    found = Looks(pair, own, p, q, k, f, is_round, back == 1, is_parallel, np.stack([nx, ny]))
    return found.part(is_round | is_opposite)


def _normals(
    boundaries: FloatArray, state: IntArray, unit: IntArray, facing: IntArray
) -> tuple[FloatArray, FloatArray]:
    cos, sin = boundaries[COS, state, unit], boundaries[SIN, state, unit]
    is_flank = facing % 2 == 1
    sign = np.where(facing < 2, 1.0, -1.0)
    return sign * np.where(is_flank, -sin, cos), sign * np.where(is_flank, cos, sin)
