"""What players agree on before a game: which terrain stops movement, and which openings are passable."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import as_floats, check_range
from ninthgeom._checks import PlacedValueError, items, whole
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._rings import checked_ring
from ninthgeom.attached import restore, set_fields

if TYPE_CHECKING:
    from ninthgeom.board import Board


@dataclass(frozen=True, init=False, eq=False)
class Ground:
    """How the terrain of a board counts for paths and links.

    Parameters
    ----------
    blocking : sequence of int, optional
        Indices of the terrain of the board that stops paths, links and bases; by default all of it,
        hills and forests too.
    access : sequence of array_like, shape (n, 2)
        Outlines, in inches, of access points and of doorways that are agreed to be free: there terrain does
        not stop anything, and gaps are wide enough; beside an area a gap is as narrow as without it.
    closed : array_like, shape (c, 4)
        Openings that are agreed to be impassable whatever their width, each as a segment across it:
        x0, y0, x1, y1, in inches. Paths may touch these but not pass them, not in access areas either.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If an outline is none, a number is not finite or above 1e6, or an index is negative.

    Notes
    -----
    Rules page Measuring and movement, Gap Clearance and model Size: archways, doorways and breaches are gaps,
    and which of them are passable is agreed at set-up; Unit Coherency: links pass Access Points.

    Examples
    --------
    A wall with a door that models go through one by one:

    >>> from ninthgeom.skirmish import Ground
    >>> door = [(10.0, 9.9), (11.5, 9.9), (11.5, 10.6), (10.0, 10.6)]
    >>> Ground(access=[door])
    Ground(blocking=None, access=1 outlines, closed=0 openings)
    """

    blocking: tuple[int, ...] | None
    access: tuple[NDArray[np.float64], ...]
    closed: NDArray[np.float64]

    def __init__(
        self,
        blocking: Sequence[int] | None = None,
        *,
        access: Sequence[ArrayLike] = (),
        closed: ArrayLike = (),
    ) -> None:
        numbers = None
        if blocking is not None:
            listed = items(blocking, ("blocking",))
            numbers = tuple(sorted({whole(k, ("blocking", i), 0) for i, k in enumerate(listed)}))
        outlines = enumerate(items(access, ("access",)))
        set_fields(
            self,
            blocking=numbers,
            access=tuple(checked_ring(outline, ("access", i)) for i, outline in outlines),
            closed=_openings(closed),
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)

    def __repr__(self) -> str:
        openings = f"access={len(self.access)} outlines, closed={len(self.closed)} openings"
        return f"Ground(blocking={self.blocking}, {openings})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Ground):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        outlines = tuple((outline.shape, outline.tobytes()) for outline in self.access)
        return self.blocking, outlines, self.closed.tobytes()

    def terrain_of(self, board: Board) -> NDArray[np.intp]:
        """Return the indices of the terrain of a board that stops paths, links and bases.

        Parameters
        ----------
        board : Board
            Whose terrain `blocking` counts.

        Returns
        -------
        ndarray of intp

        Raises
        ------
        ValueError
            If the board has less terrain than the indices say.
        """
        n = len(board.terrain)
        if self.blocking is None:
            return np.arange(n)
        if self.blocking and self.blocking[-1] >= n:
            raise PlacedValueError(
                ("ground", "blocking"), f"the board has {n} pieces of terrain, got index {self.blocking[-1]}"
            )
        return np.array(self.blocking, dtype=np.intp)


def _openings(closed: ArrayLike) -> NDArray[np.float64]:
    segments = np.array(as_floats("closed", closed))
    if segments.size == 0:
        segments = segments.reshape(0, 4)
    if segments.ndim != 2 or segments.shape[1] != 4:
        raise PlacedValueError(("closed",), f"must have shape (c, 4): x0, y0, x1, y1; got {segments.shape}")
    check_range("closed", segments, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    segments.flags.writeable = False
    return segments


#: All terrain stops, and every opening counts by its width.
WHOLE_GROUND = Ground()


def checked_ground(board: Board, ground: Ground | None) -> Ground:
    """Return the ground of an argument, None being all terrain; raise if it does not fit the board."""
    if ground is None:
        return WHOLE_GROUND
    if not isinstance(ground, Ground):
        raise TypeError(f"ground must be Ground of ninthgeom.skirmish, got {type(ground).__name__}")
    ground.terrain_of(board)
    return ground
