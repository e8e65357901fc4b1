"""The work behind Unit Coherency, for states in chunks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, IntArray, answer_pairs, as_limits
from ninthgeom._checks import PlacedTypeError
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, SIN
from ninthgeom._parallel import run_chunks
from ninthgeom._states import check_board, flat_states
from ninthgeom.polygons import Polygons
from ninthgeom.skirmish._leaders import Leaders, check_presence, checked_leaders
from ninthgeom.skirmish._links import linked_models
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._states import States, check_link_tolerance, prepare
from ninthgeom.skirmish.ground import Ground, checked_ground
from ninthgeom.skirmish.rules import Rules
from ninthgeom.skirmish.standing import can_stand

if TYPE_CHECKING:
    from ninthgeom.board import Board

# Scratch for each state: for each model, and for each model and group.
_BYTES_PER_MODEL: Final = 300
_BYTES_PER_PAIR: Final = 4
_CHUNK_BYTES: Final = 2**24
# About what a state takes.
_STATE_NS: Final = 1e5


@dataclass(frozen=True, eq=False)
class Question:
    """The checked arguments of `ninthgeom.skirmish.coherency`."""

    states: States
    leaders: IntArray
    radius: FloatArray
    ground: Ground

    @classmethod
    def of(
        cls,
        board: Board,
        positions: ArrayLike,
        leaders: Leaders,
        radius: ArrayLike,
        ground: Ground | None,
        rules: Rules,
        present: ArrayLike | None,
        tol: float,
        workers: int,
    ) -> Question:
        """Check them."""
        check_board(board)
        chosen = checked_leaders(board, leaders)
        limits = as_limits("radius", radius)
        n_groups = chosen.shape[-1]
        if limits.ndim and limits.shape[-1] not in (1, n_groups):
            raise ValueError(
                f"radius must have shape (..., {n_groups}) for {n_groups} groups, got {limits.shape}"
            )
        limits = np.broadcast_to(limits, (*limits.shape[:-1], n_groups))
        axes = {"leaders": chosen.shape[:-1], "radius": limits.shape[:-1]}
        states = prepare(board, positions, present, rules, tol, workers, **axes)
        check_link_tolerance(states.tol)
        return cls(states, chosen, limits, checked_ground(board, ground))

    def answer(self) -> tuple[BoolArray, BoolArray, BoolArray]:
        """Return what `Coherency` holds."""
        states = self.states
        n, n_units, n_groups = states.n_states, len(states.board), states.n_groups
        whole = np.zeros((n, n_groups), np.bool_)
        near, linked = np.zeros((2, n, n_units), np.bool_)
        per_state = n_units * (_BYTES_PER_MODEL + _BYTES_PER_PAIR * n_groups)
        chunks = list(states.chunks(per_state, _CHUNK_BYTES)) if n_units else []

        def task(start: int, stop: int) -> None:
            for chunk in chunks[start:stop]:
                whole[chunk], near[chunk], linked[chunk] = self._in_chunk(chunk)

        cost = _STATE_NS * max(1.0, n / max(1, len(chunks)))
        run_chunks(task, len(chunks), workers=states.workers, cost_ns=cost)
        return (
            whole.reshape(*states.leading, n_groups),
            near.reshape(*states.leading, n_units),
            linked.reshape(*states.leading, n_units),
        )

    def _in_chunk(self, chunk: slice) -> tuple[BoolArray, BoolArray, BoolArray]:
        states, members = self.states, Members.of(self.states.board)
        present = states.present_in(chunk)
        leaders = flat_states(self.leaders, states.leading, chunk, 1)
        radius = flat_states(self.radius, states.leading, chunk, 1)
        check_presence(leaders, present, chunk.start, states.leading, self.leaders.shape)
        bases = states.bases_in(chunk)
        own = leaders[:, members.group]  # the leader of each model
        near = self._wholly_within(bases._columns, np.maximum(own, 0), radius[:, members.group])
        # the leader is where it is, however small the radius
        near |= own == np.arange(own.shape[1])
        near &= present & (own >= 0)
        linked = linked_models(states, self.ground, bases, present, leaders)
        return (leaders >= 0) & members.all_of(near & linked | ~present), near, linked

    def _wholly_within(self, columns: FloatArray, leader: IntArray, radius: FloatArray) -> BoolArray:
        """Return which models are wholly within the radius of their leaders, (S, U)."""
        _, n_states, n_units = columns.shape
        place = np.arange(n_states)[:, None] * n_units + leader
        centres = columns.reshape(ROWS, -1).take(place, axis=1)
        if self.states.rules.sc_wholly_ref == "centre":
            centres[[COS, SIN, ALONG, ACROSS, RADIUS]] = np.array([1.0, 0.0, 0.0, 0.0, 0.0])[:, None, None]
        smaller = columns.copy()
        smaller[RADIUS] -= radius
        near: BoolArray = answer_pairs(
            measure.CONTAINMENT, smaller, centres, self.states.tol, out=None, workers=1
        )
        return near

    def deployments(self, zone: Polygons | None) -> BoolArray:
        """Return which groups stand as a deployment may end, (..., G)."""
        states, members = self.states, Members.of(self.states.board)
        n_groups = len(members.table)
        if zone is not None:
            if not isinstance(zone, Polygons):
                raise PlacedTypeError(("zone",), f"must be Polygons, got {type(zone).__name__}")
            if zone.shape not in ((), (n_groups,)):
                raise ValueError(f"zone must have shape () or ({n_groups},), got {zone.shape}")
        stands = can_stand(
            states.board,
            states.positions,
            present=states.present,
            ground=self.ground,
            rules=states.rules,
            tol=states.tol,
            workers=states.workers,
        )
        good = np.broadcast_to(stands, (*states.leading, len(states.board)))
        good = good.reshape(states.n_states, len(states.board)).copy()
        for chunk in states.chunks(len(states.board) * _BYTES_PER_MODEL, _CHUNK_BYTES):
            if zone is not None:
                own = zone[members.group] if zone.shape else zone
                good[chunk] &= measure.wholly_within(states.bases_in(chunk), own, tol=states.tol)
            good[chunk] |= ~states.present_in(chunk)
        legal = self.answer()[0]
        legal &= members.all_of(good).reshape(legal.shape)
        return legal
