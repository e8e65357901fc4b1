"""Unit Coherency, and what follows from it: who may control a marker, which deployment is legal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_limits
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import run_chunks
from ninthgeom._sight_questions import LEAST_TOLERANCE
from ninthgeom._states import check_board, flat_states
from ninthgeom.bases import Bases
from ninthgeom.skirmish._leaders import check_presence, checked_leaders
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._states import States, prepare
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

Leaders = Sequence[int] | Sequence[str] | Sequence[int | str] | NDArray[np.integer[Any]]

# Scratch for each state: for each model, and for each model and group.
_BYTES_PER_MODEL: Final = 400
_BYTES_PER_PAIR: Final = 4
_CHUNK_BYTES: Final = 2**23
# About what a state takes.
_STATE_NS: Final = 1e5


@dataclass(frozen=True, eq=False)
class Coherency:
    """Which groups are in coherency, and which models are the reason where one is not.

    Attributes
    ----------
    in_coherency : ndarray of bool, shape (..., G)
        Whether every present model of the group is both within the radius and linked. False for groups that
        were not asked about.
    within_radius : ndarray of bool, shape (..., U)
        Whether the model is wholly within the radius of its leader. False for absent models.
    linked : ndarray of bool, shape (..., U)
        Whether a Coherency Link joins the model to its leader; the leader is linked to itself. False for
        absent models.
    """

    in_coherency: BoolArray
    within_radius: BoolArray
    linked: BoolArray


def coherency(
    board: Board,
    positions: ArrayLike,
    leaders: Leaders,
    *,
    radius: ArrayLike = 3.0,
    ground: Ground | None = None,
    rules: Rules = STANDARD,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Coherency:
    """Return which groups are in coherency, and which condition each model meets.

    A group is in coherency if every model of it is wholly within the radius of the Leading Model and linked
    to it: by a chain of lines from model to model of the group, none of which passes a model of another
    group, terrain, or a gap that is too narrow for the leader. A line runs from any point of one base to any
    point of the other; if one is free, it is found. It may touch what it must not pass, it may pass enemies
    that the group is Engaged with, access areas of the ground, and models of its own group. Links of a flying
    leader pass everything.

    The rules ask this once: at the end of an action that sets models. Casualties never change the answer
    until the next such action, so keep it, and take no new one because models have died.

    Parameters
    ----------
    board : Board
        Single models; `group` says who belongs together.
    positions : array_like, shape (..., U, 3)
        x, y and heading of each model, in inches and radians; the leading axes are states.
    leaders : array_like of int, shape (..., G), or sequence of names
        Index of the Leading Model of each group, in the order of `Board.group`; -1 where nothing is asked.
    radius : array_like, shape (..., G), optional
        How near models must be, in inches; 3 unless a unit's card says otherwise. Broadcasts.
    ground : Ground, optional
        What is agreed about terrain; by default all terrain of the board stops links.
    rules : Rules, optional
        The reading of the rules: what the radius is measured from, which lines and enemies count, how wide
        gaps must be.
    present : array_like of bool, shape (..., U), optional
        Who is on the table; all by default. Positions of absent models are not looked at.
    tol : float, optional
        Tolerance in inches, at least 1e-8: how much further than the radius a model may reach, how deep a
        line may pass into an obstacle, and how much narrower a gap may be.
    workers : int, optional
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    Coherency
        Masks over groups and models. A leader alone is in coherency. Empty without states or models.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a shape does not fit the board or the other arguments, a unit of the board is several models, a
        leader is absent or of another group, or a number is out of its range. The message names argument,
        index and value.

    See Also
    --------
    may_control, deployment_legal : what follows from it.

    Notes
    -----
    Rules page Measuring and movement: Within vs. Wholly Within, Unit Coherency, Gap Clearance and model Size.
    Exactly the radius is within it, and a gap of exactly the width is wide enough. Pieces in contact leave no
    gap. A model over a gap may be linked on both sides of it, since each line starts where it leaves the base.

    Examples
    --------
    Two walkers on bases of 80 mm can never be within 3 inches, so their card says 4:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import coherency
    >>> walkers = [Unit(name, 80, shape="round", size=3, group="walkers") for name in "ab"]
    >>> board = Board(walkers)
    >>> positions = [[10, 10, 0], [10, 10 + 80 / 25.4, 0]]
    >>> coherency(board, positions, ["a"]).in_coherency
    array([False])
    >>> coherency(board, positions, ["a"], radius=4).in_coherency
    array([ True])

    The model in the middle of a chain dies: the answer taken before stays as it is, whatever a new one would be.

    >>> from ninthgeom import Terrain
    >>> wall = Terrain([(12.8, 8), (13.2, 8), (13.2, 10.6), (12.8, 10.6)], kind="wall")
    >>> squad = [Unit(name, 32, shape="round", group="squad") for name in "abc"]
    >>> board = Board(squad, [wall])
    >>> positions = [[12, 9, 0], [13, 11.5, 0], [14, 9, 0]]
    >>> snapshot = coherency(board, positions, ["a"])
    >>> snapshot.in_coherency
    array([ True])
    >>> coherency(board, positions, ["a"], present=[True, False, True]).linked
    array([ True, False, False])
    """
    question = _prepared(board, positions, leaders, radius, ground, rules, present, tol, workers)
    return question.answer()


@dataclass(frozen=True, eq=False)
class _Question:
    states: States
    leaders: IntArray
    radius: FloatArray
    ground: Ground | None

    def answer(self) -> Coherency:
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
        return Coherency(
            whole.reshape(*states.leading, n_groups),
            near.reshape(*states.leading, n_units),
            linked.reshape(*states.leading, n_units),
        )

    def _in_chunk(self, chunk: slice) -> tuple[BoolArray, BoolArray, BoolArray]:
        # Brings scipy and shapely along, which other questions do without.
        from ninthgeom.skirmish._links import linked_models

        states, members = self.states, Members.of(self.states.board)
        present = states.present_in(chunk)
        leaders = flat_states(self.leaders, states.leading, chunk, 1)
        radius = flat_states(self.radius, states.leading, chunk, 1)
        check_presence(leaders, present, chunk.start, states.leading, self.leaders.ndim)
        bases = states.bases_in(chunk)
        own = leaders[:, members.group]  # the leader of each model
        rows = np.arange(len(own))[:, None]
        if states.rules.sc_wholly_ref == "edge":
            centres = bases[rows, np.maximum(own, 0)]
        else:
            at = np.maximum(own, 0)
            centres = Bases.point(bases.x[rows, at], bases.y[rows, at])
        near = measure.wholly_within(bases, centres, radius[:, members.group], tol=states.tol)
        # the leader is where it is, however small the radius
        near |= own == np.arange(own.shape[1])
        near &= present & (own >= 0)
        linked = linked_models(states, self.ground, bases, present, leaders)
        missing = present & ~(near & linked)
        whole = ~np.logical_or.reduceat(missing[:, members.order], members.starts[:-1], axis=1)
        return whole & (leaders >= 0), near, linked


def _prepared(
    board: Board,
    positions: ArrayLike,
    leaders: Leaders,
    radius: ArrayLike,
    ground: Ground | None,
    rules: Rules,
    present: ArrayLike | None,
    tol: float,
    workers: int,
) -> _Question:
    check_board(board)
    chosen = checked_leaders(board, leaders)
    limits = as_limits("radius", radius)
    n_groups = chosen.shape[-1]
    if limits.ndim and limits.shape[-1] not in (1, n_groups):
        raise ValueError(f"radius must have shape (..., {n_groups}) for {n_groups} groups, got {limits.shape}")
    limits = np.broadcast_to(limits, (*limits.shape[:-1], n_groups))
    axes = {"leaders": chosen.shape[:-1], "radius": limits.shape[:-1]}
    states = prepare(board, positions, present, rules, tol, workers, **axes)
    if states.tol < LEAST_TOLERANCE:
        raise ValueError(f"tol must be at least {LEAST_TOLERANCE:g} for links, got {tol!r}")
    if ground is not None:
        if not isinstance(ground, Ground):
            raise TypeError(f"ground must be Ground of ninthgeom.skirmish, got {type(ground).__name__}")
        ground.terrain_of(board)
    return _Question(states, chosen, limits, ground)
