"""Whether a base stands on a hill so that it looks over those that do not."""

from __future__ import annotations

from collections.abc import Sequence
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


def touched(ground: Polygons, batches: Sequence[Bases], tol: float, workers: int) -> list[BoolArray]:
    """Return which bases touch which polygons, shape (polygons, S, n) for each batch of shape (S, n).

    Most bases are far from all polygons, which their boxes tell.
    """
    answers = [_near(ground, bases, 2.0 * tol + _SLACK) for bases in batches]
    places = [np.nonzero(answer) for answer in answers]
    polygon = np.concatenate([place[0] for place in places])
    if len(polygon):
        near = Bases.concatenate(bases[place[1:]] for bases, place in zip(batches, places, strict=True))
        touches = measure.in_contact(near, ground[polygon], tol=tol, workers=workers)
        ends = np.cumsum([len(place[0]) for place in places])[:-1]
        for answer, place, part in zip(answers, places, np.split(touches, ends), strict=True):
            answer[place] = part
    return answers


def _near(ground: Polygons, bases: Bases, reach: float) -> BoolArray:
    """Return which bases have boxes that are near those of polygons."""
    x, y, cos, sin, along, across, radius = bases._columns
    cos, sin = np.abs(cos), np.abs(sin)
    x_reach = cos * along + sin * across + radius + reach
    y_reach = sin * along + cos * across + radius + reach
    left, right, low, high = x - x_reach, x + x_reach, y - y_reach, y + y_reach
    answer = np.empty((len(ground), *bases.shape), np.bool_)
    for i, (x_min, y_min, x_max, y_max) in enumerate(ground.bounds.tolist()):
        answer[i] = (left <= x_max) & (right >= x_min) & (low <= y_max) & (high >= y_min)
    return answer


def touches_a_hill(states: States, bases: Bases) -> BoolArray:
    """Return which bases touch a hill; only they can be elevated."""
    ground = hills_to_stand_on(states.board)
    return np.asarray(touched(ground, [bases], states.tol, states.workers)[0].any(axis=0))


def is_elevated(states: States, bases: Bases) -> BoolArray:
    """Return which bases are elevated: wholly on one hill, or their centre on a hill, as the rules say."""
    ground = hills_to_stand_on(states.board)
    if states.rules.elevated == "fully":
        on_hill = measure.wholly_within(bases[..., None], ground, tol=states.tol, workers=states.workers)
        return np.asarray(on_hill.any(axis=-1))
    return touches_a_hill(states, Bases.point(bases.x, bases.y))
