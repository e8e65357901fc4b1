"""Whether a base stands on a hill so that it looks over those that do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray
from ninthgeom.bases import Bases
from ninthgeom.polygons import Polygons

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.t9a._states import States

# Boxes are off by rounding, by less than this.
_SLACK: Final = 1e-6


def hills_to_stand_on(board: Board) -> Polygons:
    """Return the hills of a board, those too that do not hide anything."""
    known: Polygons | None = board._derived.get("hills")
    if known is None:
        known = Polygons([piece.outline for piece in board.terrain if piece.kind == "hill"])
        board._derived["hills"] = known
    return known


def touched(
    bases: Bases,
    ground: Polygons,
    tol: float,
    workers: int,
    *,
    part_of: Callable[[Bases], Bases] | None = None,
) -> BoolArray:
    """Return which bases touch which polygons, shape (..., P); with `part_of`, which parts of bases do.

    Most bases are far from all of them, which their boxes tell.
    """
    boxes, others = bases.bounds[..., None, :], ground.bounds
    reach = 2.0 * tol + _SLACK
    answer: BoolArray = boxes[..., 0] <= others[:, 2] + reach
    answer &= boxes[..., 1] <= others[:, 3] + reach
    answer &= boxes[..., 2] >= others[:, 0] - reach
    answer &= boxes[..., 3] >= others[:, 1] - reach
    if answer.any():
        *where, polygon = place = np.nonzero(answer)
        near = bases[tuple(where)]
        near = near if part_of is None else part_of(near)
        answer[place] = measure.in_contact(near, ground[polygon], tol=tol, workers=workers)
    return answer


def touches_a_hill(states: States, bases: Bases) -> BoolArray:
    """Return which bases touch a hill; only they can be elevated."""
    ground = hills_to_stand_on(states.board)
    return np.asarray(touched(bases, ground, states.tol, states.workers).any(axis=-1))


def is_elevated(states: States, bases: Bases) -> BoolArray:
    """Return which bases are elevated: wholly on one hill, or their centre on a hill, as the rules say."""
    ground = hills_to_stand_on(states.board)
    if states.rules.elevated == "fully":
        on_hill = measure.wholly_within(bases[..., None], ground, tol=states.tol, workers=states.workers)
        return np.asarray(on_hill.any(axis=-1))
    return touches_a_hill(states, Bases.point(bases.x, bases.y))
