"""Moves of whole groups: along a path, and directly towards or away from another group."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, as_floats, as_limits, check_range
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom._states import flat_states
from ninthgeom.board import Board
from ninthgeom.skirmish._chosen_units import check_leaders, check_wished, unit_of_states
from ninthgeom.skirmish._courses import Course
from ninthgeom.skirmish._directing import Direct, Moved
from ninthgeom.skirmish._goals import nearest_to
from ninthgeom.skirmish._moved import Move, collected
from ninthgeom.skirmish._passed_enemies import passed_by
from ninthgeom.skirmish._setting_up import PlaceStatus, SettingUp, Terms, columns_of_state
from ninthgeom.skirmish._states import States, check_link_tolerance, group_index, prepare
from ninthgeom.skirmish.ground import Ground, checked_ground
from ninthgeom.skirmish.paths import paths_clear
from ninthgeom.skirmish.rules import STANDARD, Action, Rules, checked_action

__all__ = ["Move", "move_directly", "move_group"]


def move_group(
    board: Board,
    positions: ArrayLike,
    group: int | str,
    path: ArrayLike,
    *,
    leader: int | str | NDArray[np.integer[Any]],
    wished: ArrayLike | None = None,
    radius: ArrayLike = 3.0,
    allowance: ArrayLike | None = None,
    action: Action | str = "move",
    ground: Ground | None = None,
    present: ArrayLike | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Move:
    """Move a leader along a path and set the rest of its group round it.

    Where something stops the path, where it is longer than allowed, or where the leader cannot stand at its
    end, nothing moves. Otherwise the other models are set as by `place`, in the order of the board.

    Parameters
    ----------
    board, positions, ground, present, rules, tol, workers
        As in `place`.
    group : int or str
        The group that moves, by number or label.
    path : array_like, shape (..., V, 2)
        Where the centre of the leader's base goes from where it is: its start need not be given, unlike in
        `paths_clear`, and the leg to the first point always counts. The last points may be NaN, which ends a
        path early. It keeps its heading.
    leader : int or str, or array_like of int
        The Leading Model, for each state.
    wished : array_like, shape (..., K, 2) or (..., K, 3), optional
        Where the K models of the group are wished, in the order of the board, as in `place`; that of the
        leader is not looked at. By default they keep their places relative to the leader.
    radius : array_like
        How far the group reaches round its leader, in inches.
    allowance : array_like, optional
        How long the path may be, in inches; as long as it is by default.
    action : Action or str
        What the group does. PLACE and SUMMON have no path: the allowance is for the distance from start to
        end, the leader is then wholly within it of its start.

    Returns
    -------
    Move
        Where the group stands, and the path. Why a group did not move is told by `paths_clear`, and by
        `can_stand` with the rest of the group absent.

    Raises
    ------
    TypeError, ValueError
        As in `place` and `paths_clear`.

    See Also
    --------
    place : how the others are set.
    paths_clear : what stops paths.

    Notes
    -----
    Source: rules page Measuring and movement, The Leading Model, Unit Coherency. Models of the own group are
    no obstacles for the leader, not even at the end of its path: they are set anew.

    Examples
    --------
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import move_group
    >>> board = Board([Unit(name, 25.4, shape="round", group="squad") for name in ("captain", "guard")])
    >>> move = move_group(
    ...     board, [[10, 10, 0], [10, 12, 0]], "squad", [[14, 10], [14, 13]], leader="captain", allowance=7
    ... )
    >>> move.positions[:, :2].tolist(), float(move.length)
    ([[14.0, 13.0], [14.0, 15.0]], 7.0)
    """
    action = checked_action(action)
    number = group_index(board, group, ("group",))
    members = np.flatnonzero(board.group == number)
    points = _checked_path(path)
    leaders, radii = unit_of_states(board, leader, "leader"), as_limits("radius", radius)
    most = np.asarray(math.inf) if allowance is None else as_limits("allowance", allowance)
    axes = {
        "path": points.shape[:-2],
        "leader": leaders.shape,
        "radius": radii.shape,
        "allowance": most.shape,
    }
    wish = None if wished is None else _checked_wish(wished, len(members))
    if wish is not None:
        axes["wished"] = wish.shape[:-2]
    states = prepare(board, positions, present, rules, tol, workers, **axes)
    every = slice(0, states.n_states)
    at, here = states.positions_in(every), states.present_in(every)
    leaders, radii, most = (flat_states(array, states.leading, every, 0) for array in (leaders, radii, most))
    check_leaders(board, leaders, here, number, "leader")
    centres = board.centres(at)
    starts = centres[np.arange(len(leaders)), leaders, :2]
    points = np.concatenate([starts[:, None], flat_states(points, states.leading, every, 2)], axis=1)
    check = paths_clear(
        board,
        at,
        leaders,
        points,
        action=action,
        present=here,
        ground=ground,
        rules=rules,
        tol=tol,
        workers=workers,
    )
    clear, length = check.clear, check.length
    last = _last_points(points)
    if not action.has_path:
        length = np.hypot(*(last - starts).T)
    clear = clear & (length <= most + states.tol)
    others = here[:, members] & (members != leaders[:, None])
    if wish is None:
        shift = np.zeros((states.n_states, len(board), 3))
        shift[..., :2] = (last - starts)[:, None]
        wish = board.positions_from_centres(centres + shift)[:, members]
    else:
        wish = flat_states(wish, states.leading, every, 2)
        check_wished(wish, others)
    terms = _terms(states, ground, number)

    def moved(s: int) -> Moved | None:
        if not clear[s]:
            return None
        course = Course.straight(points[s][~np.isnan(points[s]).any(axis=1)])
        course = course if action.has_path else Course.straight(np.stack([starts[s], last[s]]))
        setting = _setting(terms, at[s], here[s], int(leaders[s]), float(radii[s]))
        if not setting.lead(course.points[-1]):
            return None
        marks = np.zeros(len(board), np.uint8)
        marks[leaders[s]] = PlaceStatus.IN_COHERENCY
        wanted = at[s].copy()
        wanted[members, : wish.shape[-1]] = np.where(others[s, :, None], wish[s], 0.0)
        wanted = board.centres(wanted)
        for unit in members[others[s]].tolist():
            goal = partial(nearest_to, wanted[unit, :2])
            marks[unit] = setting.put(unit, float(wanted[unit, 2]), goal)
        return Moved(float(length[s]), course, setting, marks)

    return collected(states, moved, leaders)


def move_directly(
    board: Board,
    positions: ArrayLike,
    group: int | str,
    target: int | str,
    distance: ArrayLike,
    *,
    away: bool = False,
    leader: int | str | NDArray[np.integer[Any]] | None = None,
    radius: ArrayLike = 3.0,
    ground: Ground | None = None,
    present: ArrayLike | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Move:
    """Move a group directly towards another one, or directly away from it, as far as it gets.

    The leader follows the line from the centre of its base through that of its target: the model of the
    target group that is nearest to it, or with `away` farthest from it. It ends at the furthest place of that
    line to which a way is no longer than `distance` and where its base fits: at most in contact with the
    target group, or where the base touches the edge of the table. Where something is in the way and the
    leader cannot get back to the line behind it, it goes as far as it can along the shortest way to the first
    place behind where it would fit. It never ends farther from the target group than it was, nor, with
    `away`, nearer. Then the others are set, in the order of the board, each as near to the target group as it
    can be in coherency, or as far from it.

    Parameters
    ----------
    board, positions, radius, ground, present, rules, tol, workers
        As in `place`.
    group, target : int or str
        The group that moves and that it moves towards or away from, by number or label.
    distance : array_like
        How far the leader may go, in inches, for each state.
    away : bool
        Whether it moves away.
    leader : int or str, or array_like of int, optional
        The Leading Model, for each state; by default the model with the shortest way to its target, models of
        both groups not counting as obstacles, the first one of several.

    Returns
    -------
    Move
        Where the group stands, and the way of the leader. Where the leader gets nowhere nothing moves.

    Raises
    ------
    TypeError, ValueError
        As in `place`; ValueError also where a group is its own target.

    See Also
    --------
    routes : the shortest ways.
    place : the legal spots for the others.

    Notes
    -----
    Source: rules page Measuring and movement, Directly Towards and Directly Away. Progress is measured
    to the group, by the distance of bases. The place on the line is exact where the way to it is straight,
    and found to 1e-9 inches by dividing stretches of the line elsewhere: no stretch is left out, since ways
    to neighbouring places differ by their distance at most. Of equally short ways the first one is taken; of
    spots as near to the target group for one of the others that nearest to its place relative to the leader.

    Examples
    --------
    Pushed away from a beast, a guard stops at the edge of the table, though the push was for 6 inches:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import move_directly
    >>> board = Board([Unit(name, 25.4, shape="round") for name in ("guard", "beast")])
    >>> move = move_directly(board, [[2.5, 24, 0], [5, 24, 0]], "guard", "beast", 6, away=True)
    >>> move.positions[0].tolist(), float(move.length)
    ([0.5, 24.0, 0.0], 2.0)
    """
    number, aim = group_index(board, group, ("group",)), group_index(board, target, ("target",))
    if number == aim:
        raise PlacedValueError(("target",), f"must be another group, got {target!r}")
    if not isinstance(away, bool | np.bool_):
        raise TypeError(f"away must be True or False, got {away!r}")
    far, radii = as_limits("distance", distance), as_limits("radius", radius)
    axes = {"distance": far.shape, "radius": radii.shape}
    leaders = None if leader is None else unit_of_states(board, leader, "leader")
    if leaders is not None:
        axes["leader"] = leaders.shape
    states = prepare(board, positions, present, rules, tol, workers, **axes)
    every = slice(0, states.n_states)
    at, here = states.positions_in(every), states.present_in(every)
    far, radii = (flat_states(array, states.leading, every, 0) for array in (far, radii))
    chosen = np.full(states.n_states, -1, np.int64)
    if leaders is not None:
        chosen = np.array(flat_states(leaders, states.leading, every, 0))
        check_leaders(board, chosen, here, number, "leader")
    terms = _terms(states, ground, number)

    def moved(s: int) -> Moved | None:
        direct = Direct(terms, at[s], here[s], number, aim, bool(away))
        if not direct.is_possible:
            chosen[s] = -1
            return None
        chosen[s] = direct.leader() if chosen[s] < 0 else chosen[s]
        setting = _setting(terms, at[s], here[s], int(chosen[s]), float(radii[s]))
        return direct.moved(setting, float(far[s]))

    return collected(states, moved, chosen)


def _terms(states: States, ground: Ground | None, group: int) -> Terms:
    check_link_tolerance(states.tol)
    return Terms(
        board=states.board,
        ground=checked_ground(states.board, ground),
        rules=states.rules,
        group=group,
        passed=passed_by(states, group),
        tol=states.tol,
    )


def _setting(terms: Terms, at: FloatArray, here: BoolArray, leader: int, radius: float) -> SettingUp:
    """Return a group of which nobody stands yet."""
    board = terms.board
    return SettingUp(
        terms=terms,
        centres=board.centres(at),
        columns=columns_of_state(board, at),
        here=here & (board.group != terms.group),
        leader=leader,
        radius=radius,
    )


def _checked_path(path: ArrayLike) -> FloatArray:
    """Return way-points; those after the end are NaN."""
    points = as_floats("path", path)
    if points.ndim < 2 or points.shape[-1] != 2 or points.shape[-2] == 0:
        raise PlacedValueError(("path",), f"must have shape (..., V, 2) with a point, got {points.shape}")
    is_end: BoolArray = np.asarray(np.isnan(points).all(axis=-1))
    check_range("path", np.where(is_end[..., None], 0.0, points), -LARGEST_COORDINATE, LARGEST_COORDINATE)
    late = np.logical_or.accumulate(is_end, axis=-1) & ~is_end
    if late.any():
        place = np.argwhere(late)[0].tolist()
        raise PlacedValueError(("path", *place), f"comes after the end, got {points[tuple(place)].tolist()}")
    return points


def _checked_wish(wished: ArrayLike, n: int) -> FloatArray:
    wish = as_floats("wished", wished)
    if wish.ndim < 2 or wish.shape[-2] != n or wish.shape[-1] not in (2, 3):
        need = f"(..., {n}, 2 or 3) for the {n} models of the group"
        raise PlacedValueError(("wished",), f"must have shape {need}, got {wish.shape}")
    return wish


def _last_points(points: FloatArray) -> FloatArray:
    """Return the last point of each path that is not NaN, (S, 2)."""
    is_there = np.asarray(~np.isnan(points).any(axis=2))
    last = points.shape[1] - 1 - np.argmax(is_there[:, ::-1], axis=1)
    return np.asarray(points[np.arange(len(points)), last])
