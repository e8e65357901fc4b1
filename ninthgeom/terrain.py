"""Terrain features of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._checks import LARGEST_COORDINATE, PlacedTypeError, PlacedValueError, choice, flag, whole
from ninthgeom.attached import HIGHEST, set_fields

TerrainKind: TypeAlias = Literal["impassable", "hill", "forest", "field", "ruin", "water", "wall"]

OPAQUE_KINDS: Final = frozenset({"impassable", "hill"})


@dataclass(frozen=True, init=False, eq=False)
class Terrain:
    """A piece of terrain: its outline on the table and what kind of ground it is.

    Parameters
    ----------
    outline : array_like, shape (n, 2)
        Vertices of a polygon that does not cross itself, in inches, in either direction, the first one
        repeated at the end or not.
    kind : {"impassable", "hill", "forest", "field", "ruin", "water", "wall"}
        Kind of terrain.
    opaque : bool, optional
        Whether it hides what is behind it; by default impassable terrain and hills do.
    height : int, optional
        Height from 0 to 5, where the rules in use give terrain one.

    Attributes
    ----------
    outline : ndarray of float64, shape (n, 2)
        The vertices counter-clockwise from the first one given, none repeated; read-only.

    Examples
    --------
    >>> hill = Terrain([(10, 10), (10, 16), (18, 16), (18, 10)], kind="hill")
    >>> hill.opaque, hill.outline[1].tolist()
    (True, [18.0, 10.0])
    """

    outline: NDArray[np.float64]
    kind: TerrainKind
    opaque: bool
    height: int | None

    def __init__(
        self, outline: ArrayLike, *, kind: TerrainKind, opaque: bool | None = None, height: int | None = None
    ) -> None:
        kind = cast(TerrainKind, choice(kind, ("kind",), get_args(TerrainKind)))
        set_fields(
            self,
            outline=_outline(outline),
            kind=kind,
            opaque=kind in OPAQUE_KINDS if opaque is None else flag(opaque, ("opaque",)),
            height=None if height is None else whole(height, ("height",), 0, HIGHEST),
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terrain):
            return NotImplemented
        return self._rest() == other._rest() and np.array_equal(self.outline, other.outline)

    def __hash__(self) -> int:
        return hash((self.outline.shape, self._rest()))

    def _rest(self) -> tuple[str, bool, int | None]:
        return self.kind, self.opaque, self.height


def _outline(outline: ArrayLike) -> NDArray[np.float64]:
    """Return the vertices counter-clockwise, checked."""
    where = ("outline",)
    try:
        given = np.asarray(outline)
    except ValueError:  # rows of unequal length
        raise PlacedValueError(where, "must be a list of (x, y)") from None
    if given.size and given.dtype.kind not in "iuf":
        raise PlacedTypeError(where, f"must hold real numbers, got dtype {given.dtype}")
    if given.ndim != 2 or given.shape[1] != 2:
        raise PlacedValueError(where, f"must have shape (n, 2), got {given.shape}")
    ring = np.array(given, dtype=np.float64)
    wrong = ~(np.abs(ring) <= LARGEST_COORDINATE)
    if wrong.any():
        i, axis = np.argwhere(wrong)[0].tolist()
        limit = f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
        raise PlacedValueError(("outline", i, axis), f"must be {limit}, got {ring[i, axis]}")
    if len(ring) > 1 and (ring[0] == ring[-1]).all():
        ring = ring[:-1]
    _check_simple(ring)
    x, y = (ring - ring[0]).T
    if x @ np.roll(y, -1) < y @ np.roll(x, -1):
        ring = np.concatenate([ring[:1], ring[:0:-1]])
    ring.flags.writeable = False
    return ring


def _check_simple(ring: NDArray[np.float64]) -> None:
    where = ("outline",)
    distinct = len(np.unique(ring, axis=0))
    if distinct < 3:
        raise PlacedValueError(where, f"needs at least 3 distinct vertices, got {distinct}")
    repeated = (ring == np.roll(ring, 1, axis=0)).all(axis=1)
    if repeated.any():
        i = int(repeated.argmax())
        raise PlacedValueError(("outline", i), f"repeats the vertex before it, {tuple(ring[i].tolist())}")
    # A table is built once and shapely takes longer to import than everything else here.
    import shapely

    polygon = shapely.Polygon(ring)
    if not polygon.is_valid:
        raise PlacedValueError(where, f"crosses or touches itself: {shapely.is_valid_reason(polygon)}")
