"""Arguments about single units in each state: leaders and movers, and where models are wished."""

from __future__ import annotations

from typing import Any

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, first_index
from ninthgeom._checks import PlacedTypeError, PlacedValueError
from ninthgeom.board import LIMITS, Board


def unit_of_states(board: Board, unit: Any, argument: str) -> IntArray:
    """Return a unit given by name, by index or by an array of indices, as an array of indices."""
    if isinstance(unit, str):
        return np.asarray(_named(board, unit, argument), np.int64)
    array = np.asarray(unit)
    if array.dtype.kind not in "iu":
        raise PlacedTypeError(
            (argument,), f"must be the name or the index of a unit, or indices, got {unit!r}"
        )
    wrong = (array < 0) | (array >= len(board))
    if wrong.any():
        place = first_index(wrong)
        raise PlacedValueError((argument, *place), f"must be from 0 to {len(board) - 1}, got {array[place]}")
    return array.astype(np.int64)


def _named(board: Board, name: str, argument: str) -> int:
    try:
        return board.index(name)
    except ValueError as error:
        raise PlacedValueError((argument,), str(error)) from None


def check_leaders(board: Board, leaders: IntArray, here: BoolArray, group: int, argument: str) -> None:
    """Raise if the leader of a state is of another group or absent there; flat states (S,) and (S, U)."""
    for state, leader in enumerate(leaders.tolist()):
        if int(board.group[leader]) != group:
            raise PlacedValueError((argument,), f"{board.names[leader]!r} is of another group")
        if not here[state, leader]:
            raise PlacedValueError((argument,), f"{board.names[leader]!r} is absent in state {state}")


def check_wished(wished: FloatArray, asked: BoolArray) -> None:
    """Raise if a model is wished nowhere; flat states (S, n, 2 or 3), and of whom it matters (S, n)."""
    bad = ~(np.abs(wished) <= LIMITS[: wished.shape[-1]]) & asked[..., None]
    if bad.any():
        state, i, k = (int(number) for number in np.argwhere(bad)[0])
        wish = f"must be finite and at most 1e6, got {float(wished[state, i, k])}"
        raise PlacedValueError(("wished", *((state,) if len(wished) > 1 else ()), i, k), wish)
