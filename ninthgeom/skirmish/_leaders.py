"""Leading Models as an argument: for each group of each state a unit of that group, or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, IntArray
from ninthgeom._checks import PlacedTypeError, PlacedValueError, listed
from ninthgeom.board import Board

Leaders: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | ArrayLike

#: Instead of a leader: nothing is asked about the group.
NOBODY: Final = -1


def checked_leaders(board: Board, leaders: Leaders) -> IntArray:
    """Return leaders as an array of unit indices, (..., G), where each is of its group or -1."""
    n_groups = int(board.group.max(initial=-1)) + 1
    given: Any = leaders if (known := listed(leaders)) is None else known
    if isinstance(given, np.ndarray) and given.ndim == 1 and given.dtype.kind in "UOT":
        given = given.tolist()
    if isinstance(given, Sequence) and any(isinstance(leader, str | bool | np.bool_) for leader in given):
        if isinstance(given, str):
            raise TypeError(f"leaders must be a sequence of units, got {given!r}")
        given = [_index(board, leader, i) for i, leader in enumerate(given)]
    try:
        array = np.asarray(given)
    except ValueError as error:  # rows of unequal length
        raise ValueError(f"leaders must be an array of units: {error}") from None
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)  # NumPy takes an empty list for numbers
    if array.dtype.kind not in "iu":
        raise TypeError(f"leaders must hold indices of units, or names for one state; got {array.dtype}")
    if array.ndim < 1 or array.shape[-1] != n_groups:
        raise ValueError(
            f"leaders must have shape (..., {n_groups}) for {n_groups} groups, got {array.shape}"
        )
    # before the type changes, in which the largest numbers would turn into -1
    _raise_where(array, (array < NOBODY) | (array >= len(board)), f"must be from -1 to {len(board) - 1}")
    array = array.astype(np.int64, copy=False)
    other = (
        (array >= 0) & (board.group[np.maximum(array, 0)] != np.arange(n_groups)) if len(board) else array > 0
    )
    if other.any():
        place = tuple(np.argwhere(other)[0].tolist())
        unit = board.units[int(array[place])]
        raise PlacedValueError(("leaders", *place), f"{unit.name!r} is not of group {place[-1]}")
    return array


def check_presence(
    leaders: IntArray, present: BoolArray, first: int, leading: tuple[int, ...], given: tuple[int, ...]
) -> None:
    """Raise if a leader is absent.

    Leaders (S, G) and models present (S, U) are those of states from `first` on, counted over the leading
    axes; `given` is the shape of the argument.
    """
    here = np.take_along_axis(present, np.maximum(leaders, 0), axis=1) if present.shape[1] else leaders < 0
    absent = (leaders >= 0) & ~here
    if absent.any():
        state, group = np.argwhere(absent)[0].tolist()
        at = [int(i) for i in np.unravel_index(first + state, leading)] if leading else []
        # the argument may have fewer leading axes than the states, or one leader for all along an axis
        own = at[len(at) - len(given) + 1 :]
        place = [i if n > 1 else 0 for i, n in zip(own, given[:-1], strict=True)]
        where = f" in state {at[0] if len(at) == 1 else tuple(at)}" if at else ""
        problem = f"unit {int(leaders[state, group])} is not present{where}"
        raise PlacedValueError(("leaders", *place, group), problem)


def _index(board: Board, leader: object, i: int) -> int:
    if isinstance(leader, str):
        try:
            return board.index(leader)
        except ValueError as error:
            raise PlacedValueError(("leaders", i), str(error)) from None
    if isinstance(leader, bool) or not isinstance(leader, int | np.integer):
        raise PlacedTypeError(("leaders", i), f"must be a name or an index, got {leader!r}")
    return int(leader)


def _raise_where(array: IntArray, wrong: BoolArray, wish: str) -> None:
    if wrong.any():
        place = tuple(np.argwhere(wrong)[0].tolist())
        raise PlacedValueError(("leaders", *place), f"{wish}, got {int(array[place])}")
