"""The board: what stays the same between the states of a game, and where its models are in each of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, TypeGuard, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, as_booleans, as_floats, broadcast_shape, first_index
from ninthgeom._checks import PlacedTypeError, PlacedValueError, items, listed, real
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._slots import (
    MM_PER_INCH,
    BoolArray,
    IntArray,
    Reach,
    Slots,
    frozen,
    full_strength,
    group_numbers,
    joined,
    model_heights,
    most_frequent_height,
)
from ninthgeom.attached import Attached, restore, set_fields
from ninthgeom.bases import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, Bases, X, Y
from ninthgeom.terrain import Terrain
from ninthgeom.unit import Unit

if TYPE_CHECKING:
    from ninthgeom.polygons import Polygons

__all__ = ["Attached", "Board", "Terrain", "Unit"]

_FIELDS: Final = ("x", "y", "heading")
#: Largest values of a position, those of infinite and missing numbers left out.
LIMITS: Final = frozen(np.array([LARGEST_COORDINATE, LARGEST_COORDINATE, np.finfo(np.float64).max]))

Piece = TypeVar("Piece", Unit, Terrain)


@dataclass(frozen=True, init=False, repr=False)
class Board:
    """Units, terrain and table: everything that does not change from one state of a game to the next.

    A state is given by the positions of the units, an array of shape (U, 3) with x, y and heading of each:
    the middle of the front edge of its ranks at full strength (side characters not counted), for round and
    oval units the centre of the base. The position does not move when models die. All methods take any
    number of states at once.

    Parameters
    ----------
    units : sequence of Unit
        Units with different names.
    terrain : sequence of Terrain
        Terrain features.
    size : (float, float)
        Width and height of the table in inches; it reaches from (0, 0) to there.

    Attributes
    ----------
    names : tuple of str
        Names of the units.
    side : ndarray of int, shape (U,)
        Side of each unit.
    group : ndarray of int, shape (U,)
        Number of each unit's group: units with the same label have the same number, units without a label
        one of their own. Numbers count from 0 in the order of the units up to G - 1, G in the shapes of
        answers.
    height : ndarray of int, shape (U,)
        Height of most models of each unit, attached characters included; of two as frequent ones the smaller.
    model_unit : ndarray of int, shape (M,)
        Unit of each slot. Slots of all units follow one another, see `Unit`.
    model_slices : tuple of slice
        Slots of each unit.
    model_height : ndarray of int, shape (M,)
        Height of the model in each slot.
    occupied : ndarray of bool, shape (M,)
        Slots that hold a model at full strength.

    Examples
    --------
    >>> import math
    >>> spears = Unit("spears", (20, 20), models=13, files=5)
    >>> board = Board([spears, Unit("catapult", 60, shape="round", side=1)])
    >>> positions = [[36, 12, math.pi / 2], [36, 36, 0]]
    >>> board.boundaries(positions).depth * 25.4
    array([60., 60.])
    >>> bases, occupied = board.bases(positions)
    >>> bases.shape, int(occupied.sum())
    ((16,), 14)
    """

    units: tuple[Unit, ...]
    terrain: tuple[Terrain, ...]
    size: tuple[float, float]
    names: tuple[str, ...] = field(init=False, compare=False)
    side: IntArray = field(init=False, compare=False)
    group: IntArray = field(init=False, compare=False)
    height: IntArray = field(init=False, compare=False)
    model_unit: IntArray = field(init=False, compare=False)
    model_slices: tuple[slice, ...] = field(init=False, compare=False)
    model_height: IntArray = field(init=False, compare=False)
    occupied: BoolArray = field(init=False, compare=False)
    _slots: Slots = field(init=False, compare=False)
    _reach: Reach = field(init=False, compare=False)
    _full: FloatArray = field(init=False, compare=False)
    _radius: FloatArray = field(init=False, compare=False)

    def __init__(
        self, units: Sequence[Unit], terrain: Sequence[Terrain] = (), size: Sequence[float] = (72.0, 48.0)
    ) -> None:
        units = _pieces(units, Unit, "units")
        _check_names(units)
        counts = [unit.n_slots for unit in units]
        ends = np.cumsum(counts, dtype=np.intp).tolist()
        slices = tuple(slice(end - count, end) for end, count in zip(ends, counts, strict=True))
        occupied = joined([full_strength(unit) for unit in units], np.bool_)
        reach = Reach(units, slices)
        set_fields(
            self,
            units=units,
            terrain=_pieces(terrain, Terrain, "terrain"),
            size=_table(size),
            names=tuple(unit.name for unit in units),
            side=_integers([unit.side for unit in units]),
            group=_integers(group_numbers(units)),
            height=_integers([most_frequent_height(unit) for unit in units]),
            model_unit=_integers(np.repeat(np.arange(len(units)), counts)),
            model_slices=slices,
            model_height=joined([model_heights(unit) for unit in units], np.intp),
            occupied=occupied,
            _slots=Slots(units),
            _reach=reach,
            _full=frozen(reach(occupied)),
            _radius=frozen(np.array([unit.layout.radius / MM_PER_INCH for unit in units])),
        )

    @cached_property
    def opaque_outlines(self) -> Polygons:
        """Outlines of the terrain that hides what is behind it, in order, cut in convex pieces once."""
        # shapely takes longer to import than all of this module, and only questions about terrain need it.
        from ninthgeom.polygons import Polygons

        return Polygons([piece.outline for piece in self.terrain if piece.opaque])

    @cached_property
    def impassable_outlines(self) -> Polygons:
        """Outlines of the impassable terrain, in order, cut in convex pieces once."""
        from ninthgeom.polygons import Polygons

        return Polygons([piece.outline for piece in self.terrain if piece.kind == "impassable"])

    @cached_property
    def terrain_outlines(self) -> Polygons:
        """Outlines of all terrain, in order, cut in convex pieces once."""
        from ninthgeom.polygons import Polygons

        return Polygons([piece.outline for piece in self.terrain])

    @cached_property
    def _derived(self) -> dict[str, Any]:
        """What the rules questions make of this board once and look up again."""
        return {}

    def __len__(self) -> int:
        return len(self.units)

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)

    def __getstate__(self) -> dict[str, Any]:
        # what is derived is made again where a copy is asked
        return {name: value for name, value in self.__dict__.items() if name != "_derived"}

    def __repr__(self) -> str:
        width, height = self.size
        return (
            f"Board({len(self)} units with {self.n_models} slots, {len(self.terrain)} pieces of terrain, "
            f"{width:g} x {height:g} inches)"
        )

    @property
    def n_models(self) -> int:
        """Number of slots of all units, M in the shapes of masks."""
        return len(self.model_unit)

    def index(self, name: str) -> int:
        """Return the index of the unit of this name.

        Parameters
        ----------
        name : str
            A name of the board; others raise ValueError, which says what is most like it.

        Returns
        -------
        int

        Examples
        --------
        >>> Board([Unit("spears", (20, 20)), Unit("giant", (50, 75))]).index("giant")
        1
        """
        try:
            return self.names.index(name)
        except ValueError:
            near = get_close_matches(str(name), self.names, n=1)
            hint = f"; did you mean {near[0]!r}?" if near else ""
            raise ValueError(f"no unit is named {name!r}{hint}") from None

    def indices(self, which: Sequence[int | str] | ArrayLike | None = None) -> IntArray:
        """Return the indices of units given by name or index, all without `which`.

        Parameters
        ----------
        which : array_like of int or str, optional
            In any order, also more than once, columns of tables too. A single text raises TypeError, what is
            on no board ValueError.

        Returns
        -------
        ndarray of intp

        Examples
        --------
        >>> Board([Unit("spears", (20, 20)), Unit("giant", (50, 75))]).indices(["giant", 0])
        array([1, 0])
        """
        if which is None:
            return np.arange(len(self))
        known = listed(which)
        if known is None:
            raise TypeError(f"units must be given as a sequence of names or indices, got {which!r}")
        if _are_integers(known) and ((known >= 0) & (known < len(self))).all():
            return known.astype(np.intp)
        return np.array([self._index_of(unit, i) for i, unit in enumerate(known)], dtype=np.intp)

    def bases(self, positions: ArrayLike, occupied: ArrayLike | None = None) -> tuple[Bases, BoolArray]:
        """Return the bases of all slots, and which of them hold a model.

        Parameters
        ----------
        positions : array_like, shape (..., U, 3)
            x, y and heading of each unit, in inches and radians; the leading axes are states.
        occupied : array_like of bool, shape (..., M), optional
            Slots that hold a living model; those of full strength by default.

        Returns
        -------
        bases : Bases, shape (..., M)
            Base of every slot, of the empty ones too.
        occupied : ndarray of bool, shape (..., M)
            The mask given, or that of the board, of shape (M,).

        Raises
        ------
        TypeError
            If positions hold no real numbers or the mask no booleans.
        ValueError
            If a shape does not fit the board or the other one, or a position is not finite or above 1e6. The
            message names argument, index and value. The other methods that take these arguments raise the
            same.
        """
        states = self._checked_positions(positions)
        mask = self.occupied if occupied is None else self._checked_occupied(occupied)
        slots = self._slots
        x, y, heading = np.moveaxis(states, -1, 0)
        cos, sin = np.cos(heading), np.sin(heading)
        shape = (*_leading(states, mask), self.n_models)
        columns = np.empty((ROWS, *shape))
        columns[COS] = cos[..., self.model_unit]
        columns[SIN] = sin[..., self.model_unit]
        columns[X] = x[..., self.model_unit]
        columns[X] += slots.forward * columns[COS]
        columns[X] -= slots.left * columns[SIN]
        columns[Y] = y[..., self.model_unit]
        columns[Y] += slots.forward * columns[SIN]
        columns[Y] += slots.left * columns[COS]
        columns[ALONG] = slots.depth / 2 - slots.radius
        columns[ACROSS] = slots.width / 2 - slots.radius
        columns[RADIUS] = slots.radius
        facing = heading[..., self.model_unit]
        return _assembled(columns, facing, slots.width, slots.depth, slots.radius), mask

    def boundaries(self, positions: ArrayLike, occupied: ArrayLike | None = None) -> Bases:
        """Return the Unit Boundaries.

        The boundary of a unit is the rectangle, aligned with it, from its first to its last rank that holds
        a model and over all its files, widened by characters at its sides; of a round or oval unit it is
        the base. Of a unit without any model only a point is left, its position: whoever asks questions
        should mark it absent.

        Parameters
        ----------
        positions, occupied
            As for `bases`.

        Returns
        -------
        Bases, shape (..., U)
            The boundaries.
        """
        states = self._checked_positions(positions)
        mask = None if occupied is None else self._checked_occupied(occupied)
        return self._boundaries(states, mask)

    def _boundaries(self, states: FloatArray, mask: BoolArray | None) -> Bases:
        """Return the Unit Boundaries in states that are known to be good."""
        leading = states.shape[:-2] if mask is None else _leading(states, mask)
        front, rear, left, right = self._full if mask is None else self._reach(mask)
        width, depth = left - right, front - rear
        width /= MM_PER_INCH
        depth /= MM_PER_INCH
        radius = np.where(width > 0, self._radius, 0.0)
        shape = (*leading, len(self))
        columns = np.empty((ROWS, *shape))
        heading = np.array(states[..., 2])
        columns[COS] = np.cos(heading)
        columns[SIN] = np.sin(heading)
        ahead = (front + rear) / (2 * MM_PER_INCH)
        aside = (left + right) / (2 * MM_PER_INCH)
        columns[X] = states[..., 0] + (ahead * columns[COS] - aside * columns[SIN])
        columns[Y] = states[..., 1] + (ahead * columns[SIN] + aside * columns[COS])
        columns[ALONG] = depth / 2 - radius
        columns[ACROSS] = width / 2 - radius
        columns[RADIUS] = radius
        return _assembled(columns, heading, width, depth, radius)

    def centres(self, positions: ArrayLike) -> FloatArray:
        """Return the centres of the Unit Boundaries at full strength.

        Parameters
        ----------
        positions : array_like, shape (..., U, 3)
            As for `bases`.

        Returns
        -------
        ndarray of float64, shape (..., U, 3)
            x and y of the centre, and the heading.

        See Also
        --------
        positions_from_centres : the way back.

        Examples
        --------
        >>> board = Board([Unit("giant", (50.8, 76.2))])
        >>> board.centres([[10, 10, 0.0]])
        array([[ 8.5, 10. ,  0. ]])
        """
        return self._shifted("positions", positions, 1.0)

    def positions_from_centres(self, centres: ArrayLike) -> FloatArray:
        """Return the positions of units whose boundaries have these centres at full strength.

        Parameters
        ----------
        centres : array_like, shape (..., U, 3)
            x and y of the centre, and the heading.

        Returns
        -------
        ndarray of float64, shape (..., U, 3)
            Positions as all questions take them.

        Examples
        --------
        >>> board = Board([Unit("giant", (50.8, 76.2))])
        >>> board.positions_from_centres([[8.5, 10, 0.0]])
        array([[10., 10.,  0.]])
        """
        return self._shifted("centres", centres, -1.0)

    def fill_ranks(self, occupied: ArrayLike) -> BoolArray:
        """Return the masks after models of the rear ranks have stepped into gaps of the ranks before them.

        While a rank before the last one has gaps, the right-most model of the last rank steps into a gap,
        the front ranks first and each from the left. What is left of the last rank stays where it is.
        Attached characters neither move nor are replaced.

        Parameters
        ----------
        occupied : array_like of bool, shape (..., M)
            Slots that hold a living model.

        Returns
        -------
        ndarray of bool, shape (..., M)
            The masks with the gaps filled, as many models as before.

        Examples
        --------
        >>> board = Board([Unit("spears", (20, 20), models=6, files=3)])
        >>> board.fill_ranks([True, False, True, False, True, True])
        array([ True,  True,  True, False,  True, False])
        """
        mask = self._checked_occupied(occupied)
        slots = self._slots
        # How many models stand before each slot, counted over all units.
        before = np.zeros((*mask.shape[:-1], self.n_models + 1), dtype=np.int32)
        np.cumsum(mask, axis=-1, out=before[..., 1:])
        in_unit = before[..., slots.unit_end] - before[..., slots.unit_start]
        in_rank = before[..., slots.rank_end] - before[..., slots.rank_start]
        up_to_here = before[..., 1:] - before[..., slots.rank_start]
        # Filled from the front, a rank gets what the ranks before it leave over.
        wanted = np.clip(in_unit - slots.room_before, 0, slots.rank_end - slots.rank_start)
        gaps_up_to_here = np.arange(1, self.n_models + 1) - slots.rank_start - up_to_here
        filled = np.where(mask, up_to_here <= wanted, gaps_up_to_here <= wanted - in_rank)
        return np.where(slots.ranked, filled, mask)

    def _index_of(self, unit: object, place: int) -> int:
        if isinstance(unit, str):
            return self.index(unit)
        if isinstance(unit, bool | np.bool_) or not isinstance(unit, int | np.integer):
            raise TypeError(f"units[{place}] must be the name or the index of a unit, got {unit!r}")
        if not 0 <= unit < len(self):
            raise ValueError(f"units[{place}] must be from 0 to {len(self) - 1}, got {unit}")
        return int(unit)

    def _shifted(self, name: str, positions: ArrayLike, sign: float) -> FloatArray:
        states = np.array(self._checked_positions(positions, name))
        front, rear, left, right = self._full
        ahead = sign * (front + rear) / (2 * MM_PER_INCH)
        aside = sign * (left + right) / (2 * MM_PER_INCH)
        cos, sin = np.cos(states[..., 2]), np.sin(states[..., 2])
        states[..., 0] += ahead * cos - aside * sin
        states[..., 1] += ahead * sin + aside * cos
        return states

    def _checked_positions(self, positions: ArrayLike, name: str = "positions") -> FloatArray:
        """Return positions as an array, which may be the caller's own."""
        states = as_floats(name, positions)
        if states.ndim < 2 or states.shape[-2:] != (len(self), 3):
            need = f"(..., {len(self)}, 3) for {len(self)} units"
            raise PlacedValueError((name,), f"must have shape {need}, got {states.shape}")
        good = np.abs(states) <= LIMITS
        if not good.all():
            place = first_index(~good)
            value = states[place]
            limit = f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
            wish = limit if np.isfinite(value) else "finite"
            raise PlacedValueError((name, *place), f"{_FIELDS[place[-1]]} must be {wish}, got {value}")
        return states

    def _checked_occupied(self, occupied: ArrayLike) -> BoolArray:
        mask = as_booleans("occupied", occupied)
        if mask.ndim < 1 or mask.shape[-1] != self.n_models:
            need = f"(..., {self.n_models}), one value a slot"
            raise PlacedValueError(("occupied",), f"must have shape {need}, got {mask.shape}")
        return mask


def _are_integers(which: object) -> TypeGuard[NDArray[np.integer[Any]]]:
    return isinstance(which, np.ndarray) and which.ndim == 1 and which.dtype.kind in "iu"


def _assembled(
    columns: FloatArray, heading: FloatArray, width: FloatArray, depth: FloatArray, radius: FloatArray
) -> Bases:
    shape = columns.shape[1:]
    sizes = (np.broadcast_to(width, shape), np.broadcast_to(depth, shape), np.broadcast_to(radius, shape))
    return Bases._of_parts(columns, np.broadcast_to(heading, shape), sizes)


def _pieces(pieces: Sequence[Piece], kind: type[Piece], argument: str) -> tuple[Piece, ...]:
    known = items(pieces, (argument,))
    for i, piece in enumerate(known):
        if not isinstance(piece, kind):
            raise PlacedTypeError((argument, i), f"must be {kind.__name__}, got {piece!r}")
    return tuple(known)


def _check_names(units: Sequence[Unit]) -> None:
    first: dict[str, int] = {}
    for i, unit in enumerate(units):
        if first.setdefault(unit.name, i) != i:
            problem = f"{unit.name!r} is the name of units[{first[unit.name]}] already"
            raise PlacedValueError(("units", i, "name"), problem)


def _table(size: Sequence[float]) -> tuple[float, float]:
    sides = items(size, ("size",))
    if len(sides) != 2:
        raise PlacedValueError(("size",), f"must be width and height, got {len(sides)} numbers")
    width, height = (real(side, ("size", i), positive=True) for i, side in enumerate(sides))
    return width, height


def _integers(values: ArrayLike) -> IntArray:
    return frozen(np.array(values, dtype=np.intp))


def _leading(states: FloatArray, mask: BoolArray) -> tuple[int, ...]:
    """Return the leading axes that positions and masks have together."""
    return broadcast_shape(("leading axes of positions", "of occupied"), (states.shape[:-2], mask.shape[:-1]))
