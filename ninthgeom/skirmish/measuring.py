"""Distances between models and between groups, over many states at once."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, as_limits
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units, flat_states
from ninthgeom.bases import Bases, columns_of
from ninthgeom.skirmish._parties import SCRATCH, Parties, blank
from ninthgeom.skirmish._states import By, Groups, States, prepare
from ninthgeom.skirmish._wholly import wholly
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# The distance of a pair of models, a mask or two, and the same of their groups.
_BYTES_PER_PAIR: Final = 20
# Where every pair has a distance of its own: the columns of what it is wholly within.
_BYTES_PER_DISTANCE: Final = 64
_BYTES_PER_MODEL: Final = 150


def distances(
    board: Board,
    positions: ArrayLike,
    *,
    by: By = "model",
    observers: Units | Groups = None,
    targets: Units | Groups = None,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> FloatArray:
    """Return the distance between models, or between groups, in inches.

    Models are measured from the closest point of one base to that of the other, as seen from above: heights,
    levels and what stands between do not count. Groups are as far apart as the closest two of their models.

    Parameters
    ----------
    board : Board
        Units that are single models; `Unit.group` says who belong together. A unit without a group is one
        alone.
    positions : array_like, shape (..., U, 3)
        x, y and heading of every model, in inches and radians; the leading axes are states. Round and oval
        bases stand with their centre there, others with the middle of their front.
    by : {"model", "group"}
        Whether to measure between models or between groups.
    observers, targets : sequence of int or str, optional
        By model, their indices or names; by group, the numbers of `Board.group` or the labels, for a model
        without a group its name. A whole number is always one of `Board.group`, never a label. All by
        default.
    present : array_like of bool, shape (..., U), optional
        Models on the table; all by default. Positions of absent models are not looked at.
    tol : float
        Bases no further apart than this touch.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of float64, shape (..., observers, targets)
        The leading axes of positions and `present`, broadcast against each other; 0 for bases that touch or
        overlap, inf from a model or group to itself and where one of the two is absent, as a group is
        without a model on the table. Empty where there are no states or nobody to ask about; never NaN.

    Raises
    ------
    TypeError
        If an argument is of another type, positions hold no real numbers or `present` no booleans.
    ValueError
        If a unit of the board has several models, a shape does not fit the board or the other arguments, a
        position of a model on the table is not finite or above 1e6, a model or group is not known, or `by`,
        `tol` or `workers` is out of its range. The message names argument, index and value.

    See Also
    --------
    distances_to : from models or groups to tokens and markers.
    within, wholly_within : compare distances with a limit.
    ninthgeom.distance : the same between any bases.

    Notes
    -----
    Rules page Measuring and movement, Measuring distances.

    Examples
    --------
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import distances
    >>> board = Board([
    ...     Unit("Ada", 50.8, shape="round", group="scouts"),
    ...     Unit("Ben", 50.8, shape="round", group="scouts"),
    ...     Unit("ogre", (50.8, 101.6), shape="oval", side=1),
    ... ])
    >>> positions = [(10, 10, 0.0), (10, 12, 0.0), (16, 10, 0.0)]
    >>> distances(board, positions).round(2)
    array([[ inf, 0.  , 3.  ],
           [0.  ,  inf, 3.39],
           [3.  , 3.39,  inf]])
    >>> distances(board, positions, by="group", observers=["ogre"], targets=["scouts"])
    array([[3.]])
    """
    one, other = (Parties.of(board, by, *who) for who in ((observers, "observers"), (targets, "targets")))
    states = prepare(board, positions, present, tol=tol, workers=workers)
    answer = np.empty((states.n_states, len(one.keys), len(other.keys)))
    for chunk in states.chunks(_bytes_per_state(states, one, other), SCRATCH):
        _put_distances(states, chunk, one, other, answer[chunk])
    return answer.reshape(*states.leading, *answer.shape[1:])


def distances_to(
    board: Board,
    positions: ArrayLike,
    tokens: Bases,
    *,
    by: By = "model",
    observers: Units | Groups = None,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> FloatArray:
    """Return the distance from models or groups to tokens and markers, in inches.

    Tokens are measured by their physical edge, as models are by that of their base.

    Parameters
    ----------
    board, positions, by, observers, present, tol, workers
        As in `distances`.
    tokens : Bases, shape (..., k)
        Tokens or markers, of any shape of bases; the leading axes, if any, broadcast against the states.

    Returns
    -------
    ndarray of float64, shape (..., observers, k)
        0 where a base touches or overlaps a token, inf for absent models and groups.

    Raises
    ------
    TypeError, ValueError
        As in `distances`; ValueError too if `tokens` is a single one or has leading axes that do not
        broadcast.

    See Also
    --------
    distances : between models or groups.

    Notes
    -----
    Rules page Measuring and movement, Measuring distances.

    Examples
    --------
    >>> from ninthgeom import Bases, Board, Unit
    >>> from ninthgeom.skirmish import distances_to
    >>> board = Board([Unit(name, 50.8, shape="round", group="scouts") for name in ("Ada", "Ben")])
    >>> markers = Bases.round([20.0, 10.0], [10.0, 15.0], diameter=2.0)
    >>> positions = [(10, 10, 0.0), (10, 12, 0.0)]
    >>> distances_to(board, positions, markers).round(2)
    array([[8. , 3. ],
           [8.2, 1. ]])
    >>> distances_to(board, positions, markers, by="group")
    array([[8., 1.]])
    """
    if columns_of("tokens", tokens).ndim < 2:
        raise PlacedValueError(("tokens",), "must have an axis of tokens, got a single one")
    one = Parties.of(board, by, observers, "observers")
    axes = tokens.shape[:-1]
    states = prepare(board, positions, present, tol=tol, workers=workers, tokens=axes)
    n_rows, n_tokens = math.prod(axes), tokens.shape[-1]
    rows = tokens.reshape(n_rows, n_tokens)
    number = np.broadcast_to(np.arange(n_rows).reshape(axes), states.leading)
    answer = np.empty((states.n_states, len(one.keys), n_tokens))
    scratch = _BYTES_PER_PAIR * len(one.models) * n_tokens
    for chunk in states.chunks(scratch + _BYTES_PER_MODEL * len(board), SCRATCH):
        there = rows if len(rows) == 1 else rows[number.ravel()[chunk]]
        pair = one.bases(states.bases_in(chunk))[:, :, None], there[:, None]
        apart = measure.distance(*pair, tol=states.tol, workers=workers)
        blank(apart, one.present(states, chunk), None, np.inf)
        answer[chunk] = one.reduced(apart, np.minimum, 1)
    return answer.reshape(*states.leading, *answer.shape[1:])


def within(
    board: Board,
    positions: ArrayLike,
    distance: ArrayLike,
    *,
    by: By = "model",
    observers: Units | Groups = None,
    targets: Units | Groups = None,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether some part of the observers is within a distance of the targets.

    A group is within if one of its models is within that distance of one of the other group's.

    Parameters
    ----------
    board, positions, by, observers, targets, present, workers
        As in `distances`.
    distance : array_like
        Inches, not negative; broadcasts against the answer, also with a value for each pair or state.
    tol : float
        By how much the distance may be exceeded.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        False for a model or group and itself and where one of the two is absent.

    Raises
    ------
    TypeError, ValueError
        As in `distances`, and for distances that are negative or NaN or do not broadcast; inf is one that
        all who are on the table are within.

    See Also
    --------
    wholly_within : all parts of all models.
    distances : how far.

    Notes
    -----
    Rules page Measuring and movement, Within vs. Wholly Within. The distance itself is within.

    Examples
    --------
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import within
    >>> board = Board([Unit(name, 50.8, shape="round", group=name[0]) for name in ("a1", "a2", "b1")])
    >>> positions = [(10, 10, 0.0), (10, 13, 0.0), (15, 10, 0.0)]
    >>> within(board, positions, 3.0, targets=["b1"])
    array([[ True],
           [False],
           [False]])
    >>> within(board, positions, 3.0, by="group", observers=["a"], targets=["b"])
    array([[ True]])
    """
    one, other = (Parties.of(board, by, *who) for who in ((observers, "observers"), (targets, "targets")))
    limits = _limits(distance, one, other)
    axes = limits.shape[:-2]
    states = prepare(board, positions, present, tol=tol, workers=workers, distance=axes)
    answer = np.empty((states.n_states, len(one.keys), len(other.keys)), np.bool_)
    for chunk in states.chunks(_bytes_per_state(states, one, other), SCRATCH):
        apart = np.empty(answer[chunk].shape)
        _put_distances(states, chunk, one, other, apart)
        limit = limits if limits.ndim < 3 else flat_states(limits, states.leading, chunk, 2)
        np.less_equal(apart, limit + states.tol, out=answer[chunk])
        answer[chunk] &= apart < np.inf
    return answer.reshape(*states.leading, *answer.shape[1:])


def wholly_within(
    board: Board,
    positions: ArrayLike,
    distance: ArrayLike,
    *,
    by: By = "model",
    observers: Units | Groups = None,
    targets: Units | Groups = None,
    present: ArrayLike | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether every part of the observers is within a distance of the targets.

    A group is wholly within if all its models are. What is within a distance of a group is what is within it
    of any of its models, so that a base may be half near one of them and half near another.

    Parameters
    ----------
    board, positions, by, observers, targets, present, workers
        As in `distances`.
    distance : array_like
        Inches, not negative; broadcasts against the answer, also with a value for each pair or state.
    rules : Rules
        Of these counts ``sc_wholly_ref``: whether distances are from the targets' edges or centres.
    tol : float
        By how much the distance may be exceeded.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        False for a model or group and itself and where one of the two is absent; absent models of a group
        with others on the table do not count.

    Raises
    ------
    TypeError, ValueError
        As in `within`, and if `rules` are no `Rules`.

    See Also
    --------
    within : some part of one model is enough.
    coherency : wholly within a distance of one model of the group, and linked to it.

    Notes
    -----
    Rules page Measuring and movement, Within vs. Wholly Within. Whether several models together reach all of
    a base is decided by the crossings of the curves that bound what is near them, and not by samples; holes
    less than 1e-9 inch deep may be overlooked.

    Examples
    --------
    Between two guards, near none of them with its whole base:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import wholly_within
    >>> guards = [Unit(name, 50.8, shape="round", group="guards") for name in ("left", "right")]
    >>> board = Board([*guards, Unit("envoy", 50.8, shape="round")])
    >>> positions = [(8, 10, 0.0), (12, 10, 0.0), (10, 10, 0.0)]
    >>> wholly_within(board, positions, 1.5, observers=["envoy"], targets=["left", "right"])
    array([[False, False]])
    >>> wholly_within(board, positions, 1.5, by="group", observers=["envoy"], targets=["guards"])
    array([[ True]])
    """
    one, other = (Parties.of(board, by, *who) for who in ((observers, "observers"), (targets, "targets")))
    limits = _limits(distance, one, other)
    axes = limits.shape[:-2]
    states = prepare(board, positions, present, rules, tol, workers, distance=axes)
    answer = np.empty((states.n_states, len(one.keys), len(other.keys)), np.bool_)
    apiece = _BYTES_PER_DISTANCE if limits.ndim else 0
    for chunk in states.chunks(_bytes_per_state(states, one, other, apiece), SCRATCH):
        limit = limits if limits.ndim < 3 else flat_states(limits, states.leading, chunk, 2)
        answer[chunk] = wholly(states, chunk, one, other, limit)
    return answer.reshape(*states.leading, *answer.shape[1:])


def _bytes_per_state(states: States, one: Parties, other: Parties, more: int = 0) -> int:
    pairs = len(one.models) * len(other.models)
    return (_BYTES_PER_PAIR + more) * pairs + _BYTES_PER_MODEL * len(states.board)


def _limits(distance: ArrayLike, one: Parties, other: Parties) -> FloatArray:
    """Return distances whose last axes broadcast to observers and targets."""
    limits = as_limits("distance", distance)
    shape = len(one.keys), len(other.keys)
    try:
        fits = np.broadcast_shapes(limits.shape[-2:], shape) == shape
    except ValueError:
        fits = False
    if not fits:
        wish = f"observers and targets, (..., {shape[0]}, {shape[1]})"
        raise PlacedValueError(("distance",), f"of shape {limits.shape} does not broadcast to {wish}")
    return limits.reshape(1, *limits.shape) if limits.ndim == 1 else limits


def _put_distances(states: States, chunk: slice, one: Parties, other: Parties, out: FloatArray) -> None:
    """Write the distances in some states to `out`, (S, n, m)."""
    bases = states.bases_in(chunk)
    pair = one.bases(bases)[:, :, None], other.bases(bases)[:, None]
    into = None if one.is_grouped else out
    apart = measure.distance(*pair, tol=states.tol, out=into, workers=states.workers)
    blank(apart, one.present(states, chunk), other.present(states, chunk), np.inf)
    if one.is_grouped:
        np.minimum.reduceat(one.reduced(apart, np.minimum, 1), other.starts, axis=2, out=out)
    out[:, one.keys[:, None] == other.keys] = np.inf
