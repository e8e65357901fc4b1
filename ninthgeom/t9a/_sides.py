"""Which units of a board fight one another."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ninthgeom._arrays import BoolArray
from ninthgeom._slots import frozen

if TYPE_CHECKING:
    from ninthgeom.board import Board


def opposing(board: Board) -> BoolArray:
    """Return which units oppose which, shape (U, U), read-only.

    Units of different sides do. Where all are of one side, nobody has told sides, and every unit opposes
    every other one.
    """
    known: BoolArray | None = board._derived.get("opposing units")
    if known is None:
        side = board.side
        if len(board) and (side == side[0]).all():
            side = np.arange(len(board))
        known = board._derived["opposing units"] = frozen(side[:, None] != side)
    return known
