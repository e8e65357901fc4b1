"""Sight to and from points on the ground, over many states at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, as_floats, check_range
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom._states import Units, flat_states
from ninthgeom.t9a._observers import unit_eyes
from ninthgeom.t9a._seeing import (
    BYTES_PER_SLOT,
    Question,
    any_eye,
    any_sink,
    check_tolerance,
    points_as_things,
    unit_sinks,
)
from ninthgeom.t9a._setting import Setting, settings
from ninthgeom.t9a._states import States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# The answers of single stretches and models, and who is asked, before they are put together for units.
_BYTES_PER_PAIR: Final = 6


def sees_points(
    board: Board,
    positions: ArrayLike,
    points: ArrayLike,
    *,
    observers: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return which points on the ground a model of the observer can draw a sight line to.

    Lines are those of `line_of_sight`. A point has the height `Rules.point_height` and belongs to no unit, so
    a unit that stands on it is in the way if it is high enough.

    Parameters
    ----------
    board, positions, observers, present, occupied, rules, tol, workers
        As in `line_of_sight`.
    points : array_like, shape (..., P, 2)
        x and y in inches, from -1e6 to 1e6. The leading axes broadcast with those of positions and masks:
        without any, all states share the points.

    Returns
    -------
    ndarray of bool, shape (..., observers, P)
        False for absent observers.

    Raises
    ------
    TypeError, ValueError
        As in `line_of_sight`, and if points are not such an array.

    See Also
    --------
    seen_from_points : the other way round.

    Examples
    --------
    What an archer sees of a grid, the top row being the far one:

    >>> import math
    >>> import numpy as np
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.t9a import sees_points
    >>> wall = Terrain([(4, 5), (9, 5), (9, 6), (4, 6)], kind="impassable")
    >>> board = Board([Unit("archer", (20, 20))], [wall], size=(12, 12))
    >>> grid = np.stack(np.meshgrid(np.arange(1, 12, 2), np.arange(11, 0, -2)), axis=-1)
    >>> seen = sees_points(board, [[5, 1, math.pi / 2]], grid.reshape(-1, 2)).reshape(6, 6)
    >>> for row in seen:
    ...     print("".join(".#"[int(point)] for point in row))
    ##....
    ##....
    ##...#
    #####.
    .###..
    ..#...
    """
    at = _checked(points)
    states = prepare(
        board, positions, observers, None, present, occupied, rules, tol, workers, points=at.shape[:-2]
    )
    check_tolerance(states.tol)
    n, count = len(states.observers), at.shape[-2]
    answer = np.empty((states.n_states, n, count), np.bool_)
    for chunk in states.chunks(0, more=_bytes(states, n * count)):
        out, own = answer[chunk.states], _of_chunk(at, states, chunk.states)
        for part, setting in settings(states, chunk, chunk.observers):
            eyes, observer = unit_eyes(setting, chunk.observers)
            sinks = points_as_things(own if len(own) == 1 else own[part], rules.ground_height)
            out[part] = any_eye(Question.of(setting, eyes, sinks).seen(), observer, n)
    return answer.reshape(*states.leading, n, count)


def seen_from_points(
    board: Board,
    positions: ArrayLike,
    points: ArrayLike,
    *,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return which units can be seen from points on the ground.

    A point looks in all directions with the height `Rules.point_height`; it is never elevated and belongs to
    no unit. Everything else is as in `line_of_sight`.

    Parameters
    ----------
    board, positions, targets, present, occupied, rules, tol, workers
        As in `line_of_sight`.
    points : array_like, shape (..., P, 2)
        As in `sees_points`.

    Returns
    -------
    ndarray of bool, shape (..., P, targets)
        False for absent targets.

    Raises
    ------
    TypeError, ValueError
        As in `sees_points`.

    See Also
    --------
    sees_points : what units see.

    Examples
    --------
    Where a giant can be seen from, behind a wall of soldiers and beside it:

    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import seen_from_points
    >>> giant = Unit("giant", (50, 75), height=5)
    >>> board = Board([Unit("soldiers", (200, 25)), Unit("goblin", (20, 20)), giant])
    >>> positions = [[36, 12, math.pi / 2], [36, 14, math.pi / 2], [36, 24, math.pi / 2]]
    >>> seen_from_points(board, positions, [[36, 10], [36, 13]], targets=["goblin", "giant"])
    array([[False,  True],
           [ True,  True]])
    """
    at = _checked(points)
    states = prepare(
        board, positions, None, targets, present, occupied, rules, tol, workers, points=at.shape[:-2]
    )
    check_tolerance(states.tol)
    m, count = len(states.targets), at.shape[-2]
    answer = np.empty((states.n_states, count, m), np.bool_)
    for chunk in states.chunks(0, more=_bytes(states, m * count)):
        setting = Setting(states, chunk)
        sinks, target = unit_sinks(setting, chunk.targets)
        eyes = points_as_things(_of_chunk(at, states, chunk.states), rules.ground_height)
        answer[chunk.states] = any_sink(Question.of(setting, eyes, sinks).seen(), target, m)
    return answer.reshape(*states.leading, count, m)


def _bytes(states: States, pairs: int) -> int:
    return pairs * _BYTES_PER_PAIR + states.board.n_models * BYTES_PER_SLOT


def _checked(points: ArrayLike) -> FloatArray:
    at = as_floats("points", points)
    if at.ndim < 2 or at.shape[-1] != 2:
        raise ValueError(f"points must have shape (..., P, 2), got {at.shape}")
    check_range("points", at, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    return at


def _of_chunk(points: FloatArray, states: States, chunk: slice) -> NDArray[Any]:
    """Return the points of some states, (S, P, 2), or (1, P, 2) if all share them."""
    if all(size == 1 for size in points.shape[:-2]):
        return points.reshape(1, *points.shape[-2:])
    return flat_states(points, states.leading, chunk, 2)
