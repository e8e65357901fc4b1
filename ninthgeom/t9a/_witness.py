"""Lines that show that a unit sees a target, and what cuts those that do not, in one state."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any, TypeAlias

import numpy as np

from ninthgeom import _sight_questions, measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._sight_shapes import Outlines
from ninthgeom.bases import Bases
from ninthgeom.t9a import _hills
from ninthgeom.t9a._critical_shapes import Convex, Core
from ninthgeom.t9a._obstacles import blocking
from ninthgeom.t9a._seeing import Question
from ninthgeom.t9a._things import gone

Point: TypeAlias = tuple[float, float]
_Part: TypeAlias = "FloatArray | None"


@dataclass(frozen=True, eq=False)
class Line:
    """A free line, and which of the eyes looks along it."""

    eye: int
    start: Point
    end: Point
    touches: bool = False


class Asker:
    """Asks about the one state of a question, pair by pair where lines are wanted."""

    def __init__(self, question: Question) -> None:
        self.question = question
        self._blocks = np.array(
            np.broadcast_to(
                blocking(
                    question.eyes, question.sinks, question.blockers, question.heights, question.rules
                ).mask(),
                (
                    1,
                    len(question.eyes),
                    len(question.sinks),
                    len(question.blockers) + len(question.heights),
                ),
            )
        )
        self._asked = np.array(
            np.broadcast_to(
                question.eyes.there[:, :, None] & question.sinks.there[:, None, :], self._blocks.shape[:3]
            )
        )
        self._facings = _hills._facings(question.eyes.bases)

    def line(self) -> Line | None:
        """Return a line to the target if it is seen; plain ones come before those into and out of hills."""
        seen, lines = self._lines(self._blocks, None, None)
        if not seen.any() and self.question.hills is not None and self.question.seen().any():
            for blocks, source, target in self._past_hills(self.question.hills):
                seen, lines = self._lines(blocks, source, target)
                if seen.any():
                    return self._cut(seen, lines, source, target)
        return self._cut(seen, lines, None, None) if seen.any() else None

    def is_in_arc(self) -> bool:
        """Return whether the target would be seen with nothing in the way."""
        return bool(self._lines(np.zeros_like(self._blocks), None, None)[0].any())

    def cutting(self) -> BoolArray:
        """Return which blockers, terrain last, cut a legal line, shape (B + P,)."""
        cutting = np.zeros(self._blocks.shape, np.bool_)
        self._answers(self._blocks, cutting=cutting)
        hills = self.question.hills
        if hills is not None:
            # no line from within a hill, or into it, is cut by that hill
            first = self._blocks.shape[-1] - hills.n_opaque
            cutting[..., first + hills.numbers[self._holding_an_end(hills)]] = False
            for blocks, source, target in self._past_hills(hills):
                self._answers(blocks, cutting=cutting, source_part=source, target_part=target)
        cut: BoolArray = np.logical_or.reduce(cutting, axis=(0, 1, 2))
        return cut

    def _holding_an_end(self, hills: _hills.Hills) -> BoolArray:
        """Return which hills all lines start in, or all end in."""
        within: BoolArray = np.zeros(len(hills.numbers), np.bool_)
        for bases in (self._facings[0], self.question.sinks.bases[0]):
            within |= np.asarray(measure.wholly_within(bases[:, None], hills.outlines)).all(axis=0)
        return within

    def _lines(self, blocks: BoolArray, source: _Part, target: _Part) -> tuple[BoolArray, FloatArray]:
        lines = np.full((*self._blocks.shape[:3], 4), np.nan)
        return self._answers(blocks, lines=lines, source_part=source, target_part=target), lines

    def _answers(self, blocks: BoolArray, **more: Any) -> BoolArray:
        question = self.question
        n_bases = len(question.blockers)
        # The engine counts polygons before bases.
        column = np.concatenate([np.arange(n_bases, blocks.shape[-1]), np.arange(n_bases)])
        answers: BoolArray = _sight_questions.answers(
            question.eyes.bases._columns,
            question.sinks.bases._columns,
            gone(question.blockers)._columns,
            Outlines.of([question.outlines], question.rules.touching, question.tol),
            column,
            blocks,
            asked=self._asked,
            touching=question.rules.touching,
            half_angle=math.pi / 4,
            tol=question.tol,
            workers=1,
            **more,
        )
        return answers

    def _past_hills(self, hills: _hills.Hills) -> Iterator[tuple[BoolArray, _Part, _Part]]:
        """Yield masks without the hills that lines may start or end in, and the parts they do so in."""
        first = self._blocks.shape[-1] - hills.n_opaque
        for source, target in _hills._combinations(hills.regions):
            inside = (source.hills if source else frozenset()) | (target.hills if target else frozenset())
            blocks = self._blocks.copy()
            blocks[..., first + hills.numbers[sorted(inside)]] = False
            parts = ([None] if region is None else region.pieces for region in (source, target))
            for source_part, target_part in product(*parts):
                yield blocks, source_part, target_part

    def _cut(self, seen: BoolArray, lines: FloatArray, source: _Part, target: _Part) -> Line:
        """Return a line between a source and a target that it is drawn for; touching ones first."""
        pairs = np.argwhere(seen[0])
        touches = np.isnan(lines[0, pairs[:, 0], pairs[:, 1], 0])
        i, k = pairs[np.argmax(touches)].tolist()
        eye, sink = self._facings[0, i], self.question.sinks.bases[0, k]
        if touches.any():
            near = measure.shortest_line(eye, sink)
            start, end = ((float(x), float(y)) for x, y in np.asarray(near).reshape(2, 2))
            return Line(i, start, end, touches=True)
        point, way = lines[0, i, k, :2], lines[0, i, k, 2:]
        way = way / np.hypot(*way)
        leave = _span(eye, source, point, way, self.question.tol)[1]
        reach = max(leave, _span(sink, target, point, way, self.question.tol)[0])
        ends = (point + at * way for at in (leave, reach))
        start, end = ((float(x), float(y)) for x, y in ends)
        return Line(i, start, end)


def _span(base: Bases, part: _Part, point: FloatArray, way: FloatArray, tol: float) -> tuple[float, float]:
    """Return where a line that meets a base, or a part of it, enters and leaves it, along the line."""
    core = Core.of(base)
    middle = float(np.array([base.x, base.y]) @ way - point @ way)
    enter = leave = middle
    if core.radius == 0.0 and len(core.corners) == 2:
        (ax, ay), (bx, by) = core.corners - point
        sides = ax * way[1] - ay * way[0], bx * way[1] - by * way[0]
        if abs(sides[0] - sides[1]) > tol:
            share = min(1.0, max(0.0, sides[0] / (sides[0] - sides[1])))
            enter = leave = float((ax + share * (bx - ax)) * way[0] + (ay + share * (by - ay)) * way[1])
    elif core.radius > 0.0 or len(core.corners) > 2:
        entered, left = Convex.of(*core.convex()).cut(point[None], way[None], -tol)
        if np.isfinite(left).any():
            enter, leave = float(entered.min()), float(left.max())
    if part is not None:
        speed, room = part[:2].T @ way, part[:2].T @ point - part[2] + tol
        slow = np.abs(speed) < 1e-12
        at = -room / np.where(slow, 1.0, speed)
        enter = max(enter, float(at[~slow & (speed > 0.0)].max(initial=-math.inf)))
        leave = min(leave, float(at[~slow & (speed < 0.0)].min(initial=math.inf)))
    return min(enter, leave), max(enter, leave)
