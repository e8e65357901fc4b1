"""Setting models round their leader: the nearest legal spot to where they are wished."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, IntArray, as_floats, as_limits
from ninthgeom._checks import PlacedTypeError, PlacedValueError
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import run_chunks
from ninthgeom._states import flat_states, unit_indices
from ninthgeom.board import Board
from ninthgeom.skirmish._chosen_units import check_leaders, check_wished, unit_of_states
from ninthgeom.skirmish._goals import nearest_to
from ninthgeom.skirmish._passed_enemies import passed_by
from ninthgeom.skirmish._setting_up import PlaceStatus, SettingUp, Terms, columns_of_state
from ninthgeom.skirmish._states import check_link_tolerance, prepare
from ninthgeom.skirmish.ground import Ground, checked_ground
from ninthgeom.skirmish.rules import STANDARD, Rules

__all__ = ["PlaceStatus", "Placement", "place"]

# What it takes to set one model, in nanoseconds; with much in the way far more.
_MODEL_NS = 5e6


@dataclass(frozen=True, eq=False)
class Placement:
    """Models that were set.

    Attributes
    ----------
    positions : ndarray of float64, shape (..., U, 3)
        x, y and heading of all units afterwards. Casualties keep theirs.
    status : ndarray of uint8, shape (..., n)
        `PlaceStatus` of each model that was to be set.

    Examples
    --------
    See `place`.
    """

    positions: FloatArray
    status: NDArray[np.uint8]


def place(
    board: Board,
    positions: ArrayLike,
    models: Sequence[int | str] | NDArray[np.integer[Any]],
    wished: ArrayLike,
    *,
    leader: int | str | NDArray[np.integer[Any]],
    radius: ArrayLike = 3.0,
    ground: Ground | None = None,
    present: ArrayLike | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Placement:
    """Set models of a group one after another, each at the legal spot nearest to where it is wished.

    A spot is legal where the base is on the table, overlaps no present model and no terrain that stops, is
    wholly within `radius` of the leader, and has a Coherency Link: a line to a model of the group that stands
    already and is itself linked to the leader. Those are the leader, models of the group that are not to be
    set, and those set before. Where no spot is legal within the radius, the model is set at the one with a
    link whose farthest point is least far from the leader, and its unit is Out of Coherency. Where there is
    no spot with a link at all, it is a casualty: it keeps its position and counts no more.

    Parameters
    ----------
    board : Board
        Models and terrain.
    positions : array_like, shape (..., U, 3)
        x, y and heading of every unit, in inches and radians; the leading axes are states. Where the models
        stand that are to be set does not matter, so long as it is finite: they are off the table until their
        turn.
    models : sequence of int or str, length n
        Models of one group in the order in which they are set, not the leader.
    wished : array_like, shape (..., n, 2) or (..., n, 3)
        Where each is wished, as in `positions`; without a heading it keeps that of `positions`. Bases are
        never turned to make them fit.
    leader : int or str, or array_like of int
        The Leading Model, by index or name; an array has one for each state.
    radius : array_like
        How far the group reaches round its leader, in inches, for each state.
    ground : Ground, optional
        What is agreed about terrain; by default all of it stops.
    present : array_like of bool, shape (..., U), optional
        Models on the table or about to be set; all by default. Absent ones are not set.
    rules : Rules
        The reading of the rules: `Rules.sc_wholly_ref`, `Rules.sc_link`, `Rules.sc_probe`, ``engaged_*`` and
        the gaps count.
    tol : float
        Bases may overlap by this much, and reach so much farther; at least 1e-8, as for `coherency`.
    workers : int
        Threads; -1 takes every core. The answer does not depend on it.

    Returns
    -------
    Placement
        The positions of all units, and what became of each model.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a shape does not fit, a value is out of its range, a model is asked for twice or is the leader, or
        models and leader are not of one group. The message names argument, index and value.

    See Also
    --------
    can_stand : whether bases may stand where they are.
    coherency : whether a group that is set up is in coherency.

    Notes
    -----
    Source: rules page Measuring and movement, Unit Coherency. The spot is exact: the places of a base's
    centre are bounded by segments and arcs (obstacles grown by the base, the table, the reach of the leader,
    and the shadow lines that bound the links, moved by the base), so that the nearest one is the wished
    place, the point of one of these curves nearest to it, or a crossing of two. Of spots that are as near any
    may be chosen. Links may pass enemies that models which stand already are Engaged with. For a base that is
    not round, the least farthest distance is found by a search along the curves, right to 1e-8 inches.

    Examples
    --------
    Two guards follow their captain along an alley one inch wide, up to a rock. For the second no room is left
    behind the first, and behind the rock there is no link:

    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.skirmish import PlaceStatus, place
    >>> squad = [Unit(name, 25.4, shape="round", group="squad") for name in ("captain", "first", "second")]
    >>> rock = Terrain([(2.75, -1), (3.75, -1), (3.75, 2), (2.75, 2)], kind="impassable")
    >>> board = Board(squad, [rock], size=(9.0, 1.0))
    >>> positions = [[0.5, 0.5, 0], [0, 0, 0], [0, 0, 0]]
    >>> placed = place(board, positions, ["first", "second"], [[3, 0.5], [2, 0.5]], leader="captain")
    >>> placed.positions[1].tolist()
    [2.25, 0.5, 0.0]
    >>> [PlaceStatus(status).name for status in placed.status]
    ['IN_COHERENCY', 'CASUALTY']
    """
    units = _models(board, models)
    n = len(units)
    wish = as_floats("wished", wished)
    if wish.ndim < 2 or wish.shape[-2] != n or wish.shape[-1] not in (2, 3):
        raise PlacedValueError(
            ("wished",), f"must have shape (..., {n}, 2 or 3) for {n} models, got {wish.shape}"
        )
    leaders = unit_of_states(board, leader, "leader")
    radii = as_limits("radius", radius)
    axes = {"wished": wish.shape[:-2], "leader": leaders.shape, "radius": radii.shape}
    states = prepare(board, positions, present, rules, tol, workers, **axes)
    check_link_tolerance(states.tol)
    what_stops = checked_ground(board, ground)
    after = np.array(np.broadcast_to(states.positions, (*states.leading, len(board), 3)))
    status = np.zeros((*states.leading, n), np.uint8)
    every = slice(0, states.n_states)
    at, here = states.positions_in(every), states.present_in(every)
    wish = flat_states(wish, states.leading, every, 2)
    leaders, radii = (flat_states(array, states.leading, every, 0) for array in (leaders, radii))
    check_wished(wish, here[:, units])
    group = int(board.group[units[0]]) if n else -1
    for i, unit in enumerate(units.tolist()):
        if int(board.group[unit]) != group:
            raise PlacedValueError(
                ("models", i), f"{board.names[unit]!r} is not of the group of the first one"
            )
        if (leaders == unit).any():
            raise PlacedValueError(("models", i), f"{board.names[unit]!r} is the leader")
    if n:
        check_leaders(board, leaders, here, group, "leader")
    terms = Terms(
        board=board,
        ground=what_stops,
        rules=rules,
        group=group,
        passed=passed_by(states, group),
        tol=states.tol,
    )
    flat, marks = after.reshape(states.n_states, len(board), 3), status.reshape(states.n_states, n)

    def task(start: int, stop: int) -> None:
        for s in range(start, stop):
            _set_one_state(
                terms, flat[s], marks[s], at[s], here[s], units, wish[s], int(leaders[s]), float(radii[s])
            )

    run_chunks(task, states.n_states if n else 0, workers=workers, cost_ns=_MODEL_NS * n)
    return Placement(after, status)


def _set_one_state(
    terms: Terms,
    after: FloatArray,
    status: NDArray[np.uint8],
    at: FloatArray,
    here: NDArray[np.bool_],
    units: IntArray,
    wished: FloatArray,
    leader: int,
    radius: float,
) -> None:
    """Set the models of one state, and write where they are and what became of them."""
    board = terms.board
    wish = at.copy()
    wish[units, : wished.shape[1]] = wished
    wish = board.centres(np.where(here[:, None], wish, 0.0))
    standing = here.copy()
    standing[units] = False
    group = SettingUp(
        terms=terms,
        centres=board.centres(at),
        columns=columns_of_state(board, at),
        here=standing,
        leader=leader,
        radius=radius,
    )
    for i, unit in enumerate(units.tolist()):
        if here[unit]:
            goal = partial(nearest_to, wish[unit, :2])
            status[i] = group.put(unit, float(wish[unit, 2]), goal)
    moved = units[np.isin(status, (PlaceStatus.IN_COHERENCY, PlaceStatus.OUT_OF_COHERENCY))]
    after[moved] = board.positions_from_centres(group.centres)[moved]


def _models(board: Board, models: Any) -> IntArray:
    if models is None:
        raise PlacedTypeError(("models",), "must be a sequence of models, got None")
    units = unit_indices(board, models, "models")
    for i, unit in enumerate(units.tolist()):
        if unit in units[:i]:
            raise PlacedValueError(("models", i), f"{board.names[unit]!r} is asked for twice")
    return units
