"""Whether a base stands on a hill so that it looks over those that do not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom.bases import Bases
from ninthgeom.polygons import Polygons

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.t9a._states import States


def hills_to_stand_on(board: Board) -> Polygons:
    """Return the hills of a board, those too that do not hide anything."""
    known: Polygons | None = board._derived.get("hills")
    if known is None:
        known = Polygons([piece.outline for piece in board.terrain if piece.kind == "hill"])
        board._derived["hills"] = known
    return known


def touches_a_hill(states: States, bases: Bases) -> BoolArray:
    """Return which bases touch a hill; only they can be elevated."""
    ground = hills_to_stand_on(states.board)
    touches = measure.in_contact(bases[..., None], ground, tol=states.tol, workers=states.workers)
    return np.asarray(touches.any(axis=-1))


def is_elevated(states: States, bases: Bases) -> BoolArray:
    """Return which bases are elevated: wholly on one hill, or their centre on a hill, as the rules say."""
    ground = hills_to_stand_on(states.board)
    if states.rules.elevated == "fully":
        on_hill = measure.wholly_within(bases[..., None], ground, tol=states.tol, workers=states.workers)
        return np.asarray(on_hill.any(axis=-1))
    return touches_a_hill(states, Bases.point(bases.x, bases.y))
