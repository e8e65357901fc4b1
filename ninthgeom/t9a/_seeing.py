"""A question of sight, made of who looks, at what and past what, and its answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom import _sight_questions
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_questions import BLOCKER_NS
from ninthgeom.bases import Bases
from ninthgeom.t9a import _hills
from ninthgeom.t9a._obstacles import blocking, models_above, terrain_heights, unit_blockers
from ninthgeom.t9a._setting import Setting
from ninthgeom.t9a._things import NO_UNIT, Things, gone

if TYPE_CHECKING:
    from ninthgeom.polygons import Polygons
    from ninthgeom.t9a.rules import Rules

IntArray: TypeAlias = NDArray[np.intp]

#: Masks and columns of the models that look, are looked at and are in the way, for each slot of a board.
BYTES_PER_SLOT: Final = 200

#: Room for the masks of one call of the engine, half of what a question may use.
_MASK_BYTES: Final = 32 * 2**20
# Of each shape that blocks: its corners, a box round it, and what finding those in contact takes.
_BYTES_PER_SHAPE: Final = 1000
# Convex parts of a polygon that blocks, about.
_PARTS: Final = 4
# What a pair takes beside the blockers, in nanoseconds.
_PAIR_NS: Final = 60.0


@dataclass(frozen=True, eq=False)
class Question:
    """Some states in which all eyes look at all sinks; S is the number of states.

    Attributes
    ----------
    eyes, sinks : Things
        Who looks: rectangles from their front edges, round bases and points from anywhere; and at what.
    blockers : Things
        Everything of units that may be in the way.
    outlines : Polygons
        Opaque terrain.
    heights : ndarray of int8
        Of the terrain.
    hills : Hills or None
        The terrain that lets lines in and out.
    rules, tol, workers
        As for every question.
    wanted : ndarray of bool, shape (S or 1, eyes or 1, sinks or 1), optional
        Which pairs to answer, all by default; the others are False.
    """

    eyes: Things
    sinks: Things
    blockers: Things
    outlines: Polygons
    heights: NDArray[np.int8]
    hills: _hills.Hills | None
    rules: Rules
    tol: float
    workers: int
    wanted: BoolArray | None = None

    @classmethod
    def of(
        cls, setting: Setting, eyes: Things, sinks: Things, *, wanted: BoolArray | None = None
    ) -> Question:
        """Put a question together."""
        board = setting.board
        return cls(
            eyes=eyes,
            sinks=sinks,
            blockers=unit_blockers(setting),
            outlines=board.opaque_outlines,
            heights=terrain_heights(board),
            hills=_hills.hills_of(board, setting.rules, setting.states.tol),
            rules=setting.rules,
            tol=setting.states.tol,
            workers=setting.states.workers,
            wanted=wanted,
        )

    @property
    def n_states(self) -> int:
        """Number of states."""
        return max(len(things.bases) for things in (self.eyes, self.sinks, self.blockers))

    def seen(self) -> BoolArray:
        """Answer: shape (S, eyes, sinks)."""
        answer = np.zeros((self.n_states, len(self.eyes), len(self.sinks)), np.bool_)
        if not answer.size:
            return answer
        pieces = list(self._pieces())
        if len(pieces) == 1:
            answer[...] = self._seen()
            return answer
        alone = replace(self, workers=1)

        def see(start: int, stop: int) -> None:
            for states in pieces[start:stop]:
                answer[states] = alone._part(states)._seen()

        cost = answer[pieces[0]].size * (_PAIR_NS + BLOCKER_NS * self._n_shapes)
        run_chunks(see, len(pieces), workers=self.workers, cost_ns=cost)
        return answer

    def _seen(self) -> BoolArray:
        blocks = blocking(self.eyes, self.sinks, self.blockers, self.heights, self.rules)
        asked = _asked(self.eyes, self.sinks)
        if self.wanted is not None:
            asked = asked & self.wanted
        blockers = gone(self.blockers)
        shapes = _sight_questions.blocking_shapes(blockers, self.outlines, self.rules.touching, self.tol)

        def ask(where: _hills.Where, asked: BoolArray, blocks: BoolArray, **parts: Any) -> BoolArray:
            return self._ask(
                where.bases(self.eyes.bases, where.eyes),
                where.bases(self.sinks.bases, where.sinks),
                where.bases(blockers, None),
                asked,
                blocks,
                shapes=shapes.of(where.states),
                **parts,
            )

        seen = self._ask(self.eyes.bases, self.sinks.bases, blockers, asked, blocks.mask(), shapes=shapes)
        if self.hills is not None:
            _hills.see_into_and_out_of(
                self.hills, self.eyes, self.sinks, asked, blocks, seen, ask, self.tol, self.workers
            )
        return seen

    def _ask(
        self,
        eyes: Bases,
        sinks: Bases,
        blockers: Bases,
        asked: BoolArray,
        blocks: BoolArray,
        **parts: Any,
    ) -> BoolArray:
        return _sight_questions.ask(
            eyes,
            sinks,
            blockers,
            self.outlines,
            blocks,
            asked=None if asked.all() else asked,
            touching=self.rules.touching,
            tol=self.tol,
            workers=self.workers,
            **parts,
        )

    def _pieces(self) -> Iterator[slice]:
        """Cut the states so that masks and shapes stay small; masks are if they do not change with states."""
        things = (self.eyes, self.sinks, self.blockers)
        per_state = len(self.eyes) * len(self.sinks)
        if any(len(part.rank) > 1 or len(part.elevated) > 1 for part in things):
            per_state *= 2 * (len(self.blockers) + len(self.heights)) + 6
        elif self.hills is not None:
            per_state *= 6
        per_state += _BYTES_PER_SHAPE * self._n_shapes
        step = max(1, _MASK_BYTES // max(1, per_state))
        for start in range(0, self.n_states, step):
            yield slice(start, min(start + step, self.n_states))

    def _part(self, states: slice) -> Question:
        if states == slice(0, self.n_states):
            return self
        eyes, sinks, blockers = (part.part(states) for part in (self.eyes, self.sinks, self.blockers))
        wanted = self.wanted if self.wanted is None or len(self.wanted) == 1 else self.wanted[states]
        return replace(self, eyes=eyes, sinks=sinks, blockers=blockers, wanted=wanted)

    @property
    def _n_shapes(self) -> int:
        """About how many shapes block in a state: most polygons are a few convex parts."""
        return len(self.blockers) + _PARTS * len(self.outlines)


def check_tolerance(tol: float) -> None:
    """Raise if sight cannot be decided with this tolerance."""
    least = _sight_questions.LEAST_TOLERANCE
    if tol < least:
        raise ValueError(f"tol must be at least {least:g} for sight, got {tol!r}")


def _asked(eyes: Things, sinks: Things) -> BoolArray:
    """Return which pairs are there and not of one unit, shape (S or 1, n or 1, m or 1)."""
    eye, sink = eyes.unit[:, :, None], sinks.unit[:, None, :]
    different = (eye != sink) | (sink == NO_UNIT)
    asked: BoolArray = different & eyes.there[:, :, None] & sinks.there[:, None, :]
    return asked


def unit_sinks(setting: Setting, targets: IntArray) -> tuple[Things, IntArray]:
    """Return what there is to see of each target, and the index among the targets of each.

    First come the boundaries, one for each target, then models that are higher than theirs.
    """
    pieces = []
    owner = [np.arange(len(targets))]
    for i, u in enumerate(targets.tolist()):
        for piece in models_above(setting, u):
            pieces.append(piece)
            owner.append(np.full(len(piece.unit), i))
    return Things.joined([setting.boundaries(targets), *setting.place(pieces)]), np.concatenate(owner)


def points_as_things(points: FloatArray, height: int) -> Things:
    """Return points on the ground, shape (S or 1, P, 2), as things of no unit."""
    nothing = np.zeros((1, 1), np.bool_)
    return Things(
        Bases.point(points[..., 0], points[..., 1]),
        np.array([[NO_UNIT]]),
        np.array([[2 * height]]),
        nothing,
        ~nothing,
    )


def any_eye(seen: BoolArray, owner: IntArray, n: int) -> BoolArray:
    """Return whether one of the eyes of each owner sees, from (S, eyes, m) to (S, n, m); owners ascend."""
    if len(owner) == n and (owner == np.arange(n)).all():
        return seen
    answer = np.zeros((len(seen), n, seen.shape[2]), np.bool_)
    if len(owner):
        starts = np.flatnonzero(np.diff(owner, prepend=-1))
        answer[:, owner[starts]] = np.logical_or.reduceat(seen, starts, axis=1)
    return answer


def any_sink(seen: BoolArray, owner: IntArray, m: int) -> BoolArray:
    """Return whether one of the sinks of each owner is seen, from (S, n, sinks) to (S, n, m)."""
    if len(owner) == m:
        return seen
    answer = seen[:, :, :m].copy()
    for sink in range(m, len(owner)):
        answer[:, :, owner[sink]] |= seen[:, :, sink]
    return answer
