"""What questions about states share: boards, positions and masks checked, states cut out of leading axes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_booleans, as_floats
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom.board import LIMITS, Board

Units: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | ArrayLike | None

_FIELDS = ("x", "y", "heading")


def check_board(board: Board) -> None:
    """Raise if this is no board."""
    if not isinstance(board, Board):
        hint = "; a scene has one, scene.board" if hasattr(board, "board") else ""
        raise TypeError(f"board must be Board, got {type(board).__name__}{hint}")


def unit_indices(board: Board, units: Units, argument: str) -> IntArray:
    """Return the indices of units given by name or index; None means all."""
    try:
        return board.indices(units)
    except TypeError as error:
        raise TypeError(f"{argument}: {error}") from None
    except ValueError as error:
        raise ValueError(f"{argument}: {error}") from None


def states_of(board: Board, positions: ArrayLike) -> FloatArray:
    """Return positions as an array of shape (..., U, 3); their values are not checked."""
    n_units = len(board)
    at = as_floats("positions", positions)
    if at.ndim < 2 or at.shape[-2:] != (n_units, 3):
        raise ValueError(
            f"positions must have shape (..., {n_units}, 3) for a board of {n_units} units, got {at.shape}"
        )
    return at


def checked_mask(values: ArrayLike | None, argument: str, length: int, what: str) -> BoolArray | None:
    """Return a mask with `length` values in its last axis, None if none is given."""
    if values is None:
        return None
    mask = as_booleans(argument, values)
    if mask.ndim < 1 or mask.shape[-1] != length:
        raise ValueError(f"{argument} must have shape (..., {length}) for {length} {what}, got {mask.shape}")
    return mask


def leading_axes(positions: tuple[int, ...], others: Mapping[str, tuple[int, ...]]) -> tuple[int, ...]:
    """Return the axes of states that positions and other arguments have together."""
    leading = positions
    for argument, axes in others.items():
        try:
            leading = np.broadcast_shapes(leading, axes)
        except ValueError:
            raise ValueError(
                f"the leading axes {axes} of {argument} do not broadcast with {leading}"
            ) from None
    return leading


def check_positions(positions: FloatArray, present: BoolArray | None) -> None:
    """Raise if a position of a unit on the table is not finite or too large."""
    good = np.abs(positions) <= LIMITS
    bad = ~good if present is None else ~good & present[..., None]
    if bad.any():
        # A mask may have more states than the positions, or one position serve many of them.
        place = np.argwhere(bad)[0][-positions.ndim :].tolist()
        index = tuple(min(i, n - 1) for i, n in zip(place, positions.shape, strict=True))
        value = float(positions[index])
        limit = f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
        wish = limit if math.isfinite(value) else "finite"
        raise PlacedValueError(("positions", *index), f"{_FIELDS[index[-1]]} must be {wish}, got {value}")


def flat_states(array: NDArray[Any], leading: tuple[int, ...], states: slice, core: int) -> NDArray[Any]:
    """Return `states` of an array whose last `core` axes belong to one state, with one axis of states."""
    own = array.shape[array.ndim - core :]
    if array.shape == (*leading, *own) and array.flags.c_contiguous:
        return array.reshape(math.prod(leading), *own)[states]
    # Copying chunk by chunk keeps a broadcast mask or a strided input from being copied whole.
    axes = leading or (1,)
    whole = np.broadcast_to(array, (*axes, *own))
    return whole[np.unravel_index(np.arange(states.start, states.stop), axes)]
