"""Which groups have a model near a marker, and one that sees it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, as_booleans, as_limits
from ninthgeom._checks import PlacedTypeError, flag
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_questions import LEAST_TOLERANCE, answers
from ninthgeom._sight_shapes import Outlines
from ninthgeom._states import check_board, flat_states
from ninthgeom.bases import ROWS, Bases
from ninthgeom.skirmish._all_round import ARC, either, looking_round
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._states import States, prepare

if TYPE_CHECKING:
    from ninthgeom.board import Board

# Scratch for each model of a state, and for each pair of a model and a marker.
_BYTES_PER_MODEL: Final = 200
_BYTES_PER_PAIR: Final = 40
_CHUNK_BYTES: Final = 2**23
# About what a pair of a model and a marker takes.
_PAIR_NS: Final = 20.0


@dataclass(frozen=True, eq=False)
class Control:
    """The checked arguments of `ninthgeom.skirmish.may_control`."""

    states: States
    markers: Bases
    snapshot: BoolArray
    distance: FloatArray
    sight: bool

    @classmethod
    def of(
        cls,
        board: Board,
        positions: ArrayLike,
        markers: Bases,
        in_coherency: ArrayLike,
        distance: float,
        sight: bool,
        present: ArrayLike | None,
        tol: float,
        workers: int,
    ) -> Control:
        """Check them."""
        check_board(board)
        if not isinstance(markers, Bases):
            raise PlacedTypeError(("markers",), f"must be Bases, got {type(markers).__name__}")
        if markers.ndim != 1:
            raise ValueError(f"markers must have shape (k,), got {markers.shape}")
        snapshot = as_booleans("in_coherency", in_coherency)
        n_groups = len(Members.of(board).table)
        if snapshot.ndim < 1 or snapshot.shape[-1] != n_groups:
            wish = f"(..., {n_groups}) for {n_groups} groups"
            raise ValueError(f"in_coherency must have shape {wish}, got {snapshot.shape}")
        limits = as_limits("distance", distance)
        if limits.ndim:
            raise ValueError(f"distance must be one number, got {distance!r}")
        states = prepare(
            board, positions, present, tol=tol, workers=workers, in_coherency=snapshot.shape[:-1]
        )
        must_see = flag(sight, ("sight",))
        if must_see and states.tol < LEAST_TOLERANCE:
            raise ValueError(f"tol must be at least {LEAST_TOLERANCE:g} for sight, got {tol!r}")
        return cls(states, markers, snapshot, limits, must_see)

    def answer(self) -> BoolArray:
        """Return which groups may control which markers, (..., G, k)."""
        states, members = self.states, Members.of(self.states.board)
        n_units, k = len(states.board), len(self.markers)
        answer = np.zeros((states.n_states, len(members.table), k), np.bool_)
        per_state = n_units * (_BYTES_PER_MODEL + k * _BYTES_PER_PAIR)
        chunks = list(states.chunks(per_state, _CHUNK_BYTES)) if answer.size else []

        def task(start: int, stop: int) -> None:
            for chunk in chunks[start:stop]:
                near = self._near(chunk)[:, members.order]
                answer[chunk] = np.logical_or.reduceat(near, members.starts[:-1], axis=1)
                answer[chunk] &= flat_states(self.snapshot, states.leading, chunk, 1)[:, :, None]

        cost = _PAIR_NS * n_units * k * states.n_states / max(1, len(chunks))
        run_chunks(task, len(chunks), workers=states.workers, cost_ns=cost)
        return answer.reshape(*states.leading, *answer.shape[1:])

    def _near(self, chunk: slice) -> BoolArray:
        """Return which models are near each marker, and see it if they must, (S, U, k)."""
        bases = self.states.bases_in(chunk)
        near = np.asarray(measure.within(bases[:, :, None], self.markers, self.distance, tol=self.states.tol))
        near &= self.states.present_in(chunk)[:, :, None]
        if self.sight and len(self.states.board.opaque_outlines):
            state = np.flatnonzero(near.any(axis=(1, 2)))
            if len(state):
                near[state] = self._seen(bases[state], near[state])
        return near

    def _seen(self, bases: Bases, near: BoolArray) -> BoolArray:
        """Return which models see which markers, of those that are near."""
        outlines, tol = self.states.board.opaque_outlines, self.states.tol
        # from the markers, since they are the same in all states
        asked = np.ascontiguousarray(np.swapaxes(near, 1, 2))
        sources, wanted = looking_round(self.markers._columns[:, None], asked, tol)
        # who stands on terrain is as high as it
        is_on = np.asarray(measure.interiors_meet(bases[:, :, None], outlines, tol=tol))
        under = np.asarray(measure.interiors_meet(self.markers[:, None], outlines, tol=tol))
        blocks = ~(is_on[:, None] | under[:, None])
        seen = answers(
            sources,
            bases._columns,
            np.empty((ROWS, 1, 0)),
            Outlines.of([outlines], "clear", tol),
            np.arange(len(outlines)),
            np.concatenate([blocks] * (sources.shape[2] // len(self.markers)), axis=1),
            asked=wanted,
            touching="clear",
            half_angle=ARC,
            tol=tol,
            workers=1,
        )
        return np.swapaxes(either(seen, len(self.markers)), 1, 2)
