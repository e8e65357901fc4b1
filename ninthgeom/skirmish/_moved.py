"""Groups after a move, over all states."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._checks import PlacedValueError
from ninthgeom._parallel import run_chunks
from ninthgeom.skirmish._courses import Course
from ninthgeom.skirmish._directing import Moved
from ninthgeom.skirmish._polylines import line_string, polyline
from ninthgeom.skirmish._setting_up import PlaceStatus
from ninthgeom.skirmish._states import States

# What a group takes that is moved, in nanoseconds.
_GROUP_NS = 5e7


@dataclass(frozen=True, eq=False)
class Move:
    """Groups that were moved; the leading axes are states.

    Attributes
    ----------
    positions : ndarray of float64, shape (..., U, 3)
        x, y and heading of all units afterwards. Casualties keep theirs.
    moved : ndarray of bool, shape (...)
        Whether the group moved; where it did not, nothing changed.
    leader : ndarray of int64, shape (...)
        The Leading Model; -1 where no model of the group, or none of its target, is present.
    length : ndarray of float64, shape (...)
        Length of the leader's way in inches; 0 where nothing moved.
    status : ndarray of uint8, shape (..., U)
        `PlaceStatus` of every model; UNTOUCHED for those of other groups and where nothing moved.
    offsets : ndarray of int64, shape (S + 1,)
        State s, counted over the leading axes, has the way-points from ``offsets[s]`` to ``offsets[s + 1]``.
    points : ndarray of float64, shape (P, 2)
        Way-points of the centre of the leader's base; none where nothing moved.
    centre : ndarray of float64, shape (P, 2)
        Centre of the circle that the way from a way-point to the next one runs along; NaN if it is straight.
    turn : ndarray of float64, shape (P,)
        Angle of that arc, counter-clockwise positive; 0 where the way is straight.

    Examples
    --------
    See `move_group` and `move_directly`.
    """

    positions: FloatArray
    moved: BoolArray
    leader: NDArray[np.int64]
    length: FloatArray
    status: NDArray[np.uint8]
    offsets: NDArray[np.int64]
    points: FloatArray
    centre: FloatArray
    turn: FloatArray

    def of(self, state: int | tuple[int, ...] = ()) -> FloatArray:
        """Return the way-points of the leader in a state, (n, 2).

        Parameters
        ----------
        state : int or tuple of int
            Its number counted over the leading axes, or its index.
        """
        if isinstance(state, tuple):
            state = int(np.ravel_multi_index(state, self.moved.shape)) if self.moved.shape else 0
        if not 0 <= state < len(self.offsets) - 1:
            raise PlacedValueError(("state",), f"must be from 0 to {len(self.offsets) - 2}, got {state}")
        return self.points[self.offsets[state] : self.offsets[state + 1]]

    def line(self, state: int | tuple[int, ...] = (), step: float = 0.1) -> FloatArray:
        """Return the way of the leader in a state as a polyline, (n, 2).

        Parameters
        ----------
        state : int or tuple of int
            As for `of`.
        step : float
            No piece of an arc is longer, in inches, or turns by more than 22.5 degrees.
        """
        points = self.of(state)  # checks the state
        if isinstance(state, tuple):
            state = int(np.ravel_multi_index(state, self.moved.shape)) if self.moved.shape else 0
        legs = slice(int(self.offsets[state]), int(self.offsets[state + 1]))
        return polyline(points, self.centre[legs], self.turn[legs], step)

    def to_shapely(self, step: float = 0.1) -> Any:
        """Return the way of the leader in every state as a line string, empty where nothing moved.

        Parameters
        ----------
        step : float
            As for `line`.

        Returns
        -------
        ndarray of shapely.LineString, shape (S,)
        """
        n = len(self.offsets) - 1
        ways = np.empty(n, np.object_)
        ways[:] = [line_string(self.line(state, step)) for state in range(n)]
        return ways


def collected(states: States, moved: Callable[[int], Moved | None], leaders: NDArray[np.int64]) -> Move:
    """Move group after group, and put the answers together."""
    board, n = states.board, states.n_states
    has_moved = np.zeros(n, np.bool_)
    courses = [Course.straight(np.empty((0, 2)))] * n
    after = np.array(np.broadcast_to(states.positions, (*states.leading, len(board), 3)))
    flat = after.reshape(n, len(board), 3)
    status, length = np.zeros((n, len(board)), np.uint8), np.zeros(n)

    def task(start: int, stop: int) -> None:
        for s in range(start, stop):
            answer = moved(s)
            if answer is not None:
                stands = np.isin(answer.status, (PlaceStatus.IN_COHERENCY, PlaceStatus.OUT_OF_COHERENCY))
                flat[s, stands] = board.positions_from_centres(answer.setting.centres)[stands]
                has_moved[s], status[s], length[s] = True, answer.status, answer.length
                courses[s] = answer.course

    run_chunks(task, n, workers=states.workers, cost_ns=_GROUP_NS)
    lead = states.leading
    return Move(
        after,
        has_moved.reshape(lead),
        leaders.reshape(lead),
        length.reshape(lead),
        status.reshape(*lead, len(board)),
        np.cumsum([0, *(len(course.points) for course in courses)]).astype(np.int64),
        np.concatenate([np.empty((0, 2)), *(course.points for course in courses)]),
        np.concatenate([np.empty((0, 2)), *(course.centre for course in courses)]),
        np.concatenate([np.empty(0), *(course.turn for course in courses)]),
    )
