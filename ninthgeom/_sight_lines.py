"""Sight, with the lines that show it and the blockers that hide it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._sight_arguments import Blockers, Question, prepared
from ninthgeom._sight_shapes import Touching
from ninthgeom.bases import ACROSS, ALONG, COS, RADIUS, SIN, Bases, X, Y
from ninthgeom.crossings import first_hit
from ninthgeom.measure import shortest_line
from ninthgeom.rows import Rows
from ninthgeom.segments import Segments

# Lines are followed so much further than where source and target can be.
_BEYOND: Final = 1.0
# Lines that leave what they touch at their ends less flatly are asked for first, see `MET`.
_STRICT: Final = 2.0


@dataclass(frozen=True, eq=False)
class Sight:
    """What `sight_lines` found.

    Attributes
    ----------
    visible : ndarray of bool, or one bool for a single source and target
        Whether the target is seen, as `line_of_sight`.
    start, end : ndarray of float64, shape (..., 2)
        A free line, from the source to where it first reaches the target; both ends are the same point,
        within ``tol``, where they touch, and NaN where the target is not seen.
    blockers : Rows
        Columns ``state``, the flat index of the question, and ``blocker``, the number of a blocker that
        cuts a line within the arc from a source to a target that is not seen. Without all of these it is
        seen. A target outside the arc has none.
    """

    visible: BoolArray | np.bool_
    start: FloatArray
    end: FloatArray
    blockers: Rows

    def to_shapely(self) -> Any:
        """Return the free lines as shapely geometries, None where the target is not seen.

        Returns
        -------
        ndarray of shapely.LineString or None, or one of them for a single source and target
            Where they touch, both ends are the same point.
        """
        import shapely

        seen = np.asarray(self.visible)
        lines = np.full(seen.shape, None, np.object_)
        ends = np.stack([self.start, self.end], axis=-2)
        lines[seen] = shapely.linestrings(ends[seen])
        return lines if lines.ndim else lines.item()


def sight_lines(
    sources: Bases,
    targets: Bases,
    blockers: Blockers = (),
    *,
    blocks: ArrayLike | None = None,
    half_angle: float = math.pi / 4,
    touching: Touching = "clear",
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Sight:
    """Return what `line_of_sight` does, a line for each target that is seen, and what hides the others.

    For explaining answers: it takes several times as long, and memory for every question and blocker.

    Parameters
    ----------
    sources, targets, blockers, blocks, half_angle, touching, tol, workers
        As in `line_of_sight`.

    Returns
    -------
    Sight
        Lines in the same unit and frame as the bases.

    Raises
    ------
    TypeError, ValueError
        As in `line_of_sight`.

    See Also
    --------
    line_of_sight : faster, without reasons.

    Notes
    -----
    A line is one of many. It is within `tol` of the source and of the arc, runs no deeper than `tol` through
    any blocker, and lies in the middle of a slit, the widest of those the sweep comes across after it has
    found one that is free.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Bases, sight_lines
    >>> north = math.pi / 2
    >>> archer = Bases.rect(0.0, 0.0, north, width=1.0, depth=1.0)
    >>> orcs = Bases.rect([0.0, 2.0, 9.0], 6.0, north, width=1.0, depth=1.0)
    >>> wall = Bases.rect([0.0], [4.0], north, width=2.0, depth=0.5)
    >>> found = sight_lines(archer, orcs, wall)
    >>> found.visible
    array([False,  True, False])
    >>> found.end[1, 1]  # it ends at the front of the second target
    np.float64(5.5)
    >>> found.blockers
    <Rows: 1 in 3 states, state=[0], blocker=[0]>
    >>> found.blockers.for_state((0,)).blocker  # of one question, by its index in the result
    array([0])
    """
    question = prepared(sources, targets, blockers, blocks, half_angle, touching, tol, workers)
    shape = question.shape
    if math.prod(shape) == 0:
        empty = np.empty((*shape, 2))
        return Sight(np.empty(shape, np.bool_), empty, empty.copy(), _rows(np.empty((0, 0), np.bool_), shape))
    size = question.scenes, question.n, question.m
    lines = np.full((*size, 4), np.nan)
    visible = question.answer(lines=lines)
    if touching == "blocked":  # rather a line that touches nothing beside its own ends either
        better = np.full_like(lines, np.nan)
        is_found = question.answer(asked=np.ascontiguousarray(visible), lines=better, met=_STRICT)
        lines[is_found] = better[is_found]
    nothing = np.zeros((1, 1, 1, question.blocks.shape[-1]), np.bool_)
    hidden = question.answer(asked=np.ascontiguousarray(~visible), blocks=nothing)
    cutting = _cutting(question, np.ascontiguousarray(hidden))
    seen = visible.reshape(shape)
    start, end = _ends(sources, targets, seen, lines.reshape(*shape, 4), tol)
    n_blockers = question.numbers.shape[-1]
    numbers = np.broadcast_to(question.numbers, (*shape, n_blockers))
    named = np.take_along_axis(cutting.reshape(*shape, cutting.shape[-1]), numbers, axis=-1)
    named &= question.counts
    rows = _rows(named.reshape(math.prod(shape), n_blockers), shape)
    return Sight(seen.copy() if shape else seen[()], start, end, rows)


def _cutting(question: Question, hidden: BoolArray) -> BoolArray:
    """Return what cuts lines to targets that are in the arc but hidden, shape (scenes, n, m, blockers)."""
    cutting = np.zeros((*hidden.shape, question.blocks.shape[-1]), np.bool_)
    question.answer(asked=hidden, cutting=cutting)
    left = np.array(np.broadcast_to(question.blocks, cutting.shape))
    while hidden.any():
        # Lines of no width are cut by what the sweep takes for touched: ask again without what is named.
        left &= ~cutting
        hidden = hidden & ~question.answer(asked=hidden, blocks=left)
        more = np.zeros_like(cutting)
        question.answer(asked=hidden, blocks=left, cutting=more)
        is_stuck = hidden & ~more.any(axis=-1)
        cutting |= more | (left & is_stuck[..., None])
    return cutting


def _rows(cutting: BoolArray, shape: tuple[int, ...]) -> Rows:
    state, blocker = np.nonzero(cutting)
    return Rows({"state": state, "blocker": blocker}, shape)


def _ends(
    sources: Bases, targets: Bases, seen: BoolArray, lines: FloatArray, tol: float
) -> tuple[FloatArray, FloatArray]:
    """Return where lines, given by a point and a direction, leave the source and first reach the target."""
    start, end = np.full((2, *seen.shape, 2), np.nan)
    source = _expanded(sources, seen.shape)
    target = _expanded(targets, seen.shape)
    facing = _facings(source, tol)
    touches = seen & np.isnan(lines[..., 0])
    if touches.any():
        near = shortest_line(facing[touches], target[touches])
        start[touches], end[touches] = near[:, :2], near[:, 2:]
    found = seen & ~touches
    if found.any():
        some, goal = facing[found], target[found]
        point, way = lines[found][:, :2], lines[found][:, 2:]
        reach = np.hypot(some.x - goal.x, some.y - goal.y) + _extent(some) + _extent(goal) + _BEYOND
        far = point + reach[:, None] * way
        behind = point - reach[:, None] * way
        back = first_hit(Segments(*far.T, *behind.T), some, tol=tol)
        leave = np.where(back.hit[:, None], back.point, point)
        ahead = first_hit(Segments(*leave.T, *far.T), goal, tol=tol)
        start[found], end[found] = leave, np.where(ahead.hit[:, None], ahead.point, leave)
    return start, end


def _expanded(bases: Bases, shape: tuple[int, ...]) -> Bases:
    """Bases of this shape, repeated where they broadcast."""
    index = np.broadcast_to(np.arange(bases.size).reshape(bases.shape), shape)
    return bases.reshape(-1)[index]


def _facings(bases: Bases, tol: float) -> Bases:
    """Where lines start: Front Facings, and round bases as they are."""
    columns = bases._columns
    along, across, radius = columns[ALONG], columns[ACROSS], columns[RADIUS]
    has_facing = (np.minimum(along, across) > 0.5 * tol) | (
        (radius == 0.0) & (np.maximum(along, across) > 0.5 * tol)
    )
    ahead = np.where(has_facing, along + radius, 0.0)
    return Bases(
        columns[X] + ahead * columns[COS],
        columns[Y] + ahead * columns[SIN],
        bases.heading,
        width=2.0 * (across + radius),
        depth=np.where(has_facing, 0.0, 2.0 * (along + radius)),
        radius=np.where(has_facing, 0.0, radius),
    )


def _extent(bases: Bases) -> FloatArray:
    return np.hypot(bases.width, bases.depth)
