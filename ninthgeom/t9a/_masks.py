"""Masks that some questions take beside those of all: checked, and joined to the states they belong to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, as_booleans
from ninthgeom._states import flat_states
from ninthgeom.t9a._states import Chunk, States

if TYPE_CHECKING:
    from ninthgeom.board import Board


def unit_mask(board: Board, values: ArrayLike, argument: str, axes: int = 1) -> BoolArray:
    """Check a mask with one axis of units, or more, behind those of the states."""
    mask = as_booleans(argument, values)
    own = (len(board),) * axes
    if mask.shape[mask.ndim - axes :] != own or mask.ndim < axes:
        need = ", ".join(map(str, ("...", *own)))
        raise ValueError(f"{argument} must have shape ({need}) for {len(board)} units, got {mask.shape}")
    return mask


def units_aloft(board: Board, aloft: ArrayLike | None) -> BoolArray:
    """Return the units that are in the air, by default those that fly."""
    if aloft is None:
        return np.array([unit.flying for unit in board.units], np.bool_)
    return unit_mask(board, aloft, "aloft")


def with_leading_axes(states: States, **axes: tuple[int, ...]) -> States:
    """Return the states of a question that masks, given by their leading axes, make more of."""
    leading = states.leading
    for argument, own in axes.items():
        try:
            leading = np.broadcast_shapes(leading, own)
        except ValueError:
            raise ValueError(
                f"the leading axes {own} of {argument} do not broadcast with {leading}"
            ) from None
    return replace(states, leading=leading)


def of_chunk(states: States, chunk: Chunk, mask: BoolArray, axes: int = 1) -> BoolArray:
    """Return the part of a mask that belongs to a chunk, with one axis of states: 1 where all share it."""
    return mask[None] if mask.ndim == axes else flat_states(mask, states.leading, chunk.states, axes)
