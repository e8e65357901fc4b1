"""Terrain features of a table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._checks import choice, flag, whole
from ninthgeom._rings import checked_ring
from ninthgeom.attached import HIGHEST, restore, set_fields

TerrainKind: TypeAlias = Literal["impassable", "hill", "forest", "field", "ruin", "water", "wall"]

OPAQUE_KINDS: Final = frozenset({"impassable", "hill"})


@dataclass(frozen=True, init=False, eq=False)
class Terrain:
    """A piece of terrain: its outline on the table and what kind of ground it is.

    Parameters
    ----------
    outline : array_like, shape (n, 2), or shapely polygon without holes
        Vertices of a polygon that does not cross itself, in inches, in either direction, the first one
        repeated at the end or not.
    kind : {"impassable", "hill", "forest", "field", "ruin", "water", "wall"}
        Kind of terrain.
    opaque : bool, optional
        Whether it hides what is behind it; by default impassable terrain and hills do.
    height : int, optional
        Height from 0 to 5, where the rules in use give terrain one; in skirmish games its Size.

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
            outline=checked_ring(outline, ("outline",)),
            kind=kind,
            opaque=kind in OPAQUE_KINDS if opaque is None else flag(opaque, ("opaque",)),
            height=None if height is None else whole(height, ("height",), 0, HIGHEST),
        )

    def to_shapely(self) -> Any:
        """Return the outline as a ``shapely.Polygon``.

        Examples
        --------
        >>> Terrain([(10, 10), (10, 16), (18, 16), (18, 10)], kind="hill").to_shapely().area
        48.0
        """
        import shapely

        return shapely.Polygon(self.outline)

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terrain):
            return NotImplemented
        return self._rest() == other._rest() and np.array_equal(self.outline, other.outline)

    def __hash__(self) -> int:
        return hash((self.outline.shape, self._rest()))

    def _rest(self) -> tuple[str, bool, int | None]:
        return self.kind, self.opaque, self.height
