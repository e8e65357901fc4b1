"""Shortest routes round terrain and models, between pieces that leave gaps wide enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, as_floats, as_number, check_range
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom._parallel import run_chunks
from ninthgeom.skirmish._polylines import line_string, polyline
from ninthgeom.skirmish._route_courses import Courses
from ninthgeom.skirmish._route_finders import answers_of, counting_units, finders_of
from ninthgeom.skirmish._route_questions import broadcast_axes, checked_points, question_axes, spread_points
from ninthgeom.skirmish._states import prepare
from ninthgeom.skirmish.ground import Ground, checked_ground

if TYPE_CHECKING:
    from ninthgeom.board import Board

# About what the graph of a state takes, in nanoseconds.
_COST_NS: Final = 1e7


@dataclass(frozen=True, eq=False)
class Routes:
    """Shortest routes, those of one question after those of another.

    Attributes
    ----------
    length : ndarray of float64, shape (...)
        Length of the shortest route of each question in inches, inf where there is none.
    routes : ndarray of int64, shape (Q + 1,)
        Question q, counted over all axes, has the routes from ``routes[q]`` to ``routes[q + 1]``: none if
        there is no way, several if several are equally short.
    offsets : ndarray of int64, shape (R + 1,)
        Route r has the way-points from ``offsets[r]`` to ``offsets[r + 1]``, at least start and goal.
    points : ndarray of float64, shape (P, 2)
        Way-points: start, where the route turns or a leg round a disc begins or ends, goal.
    centre : ndarray of float64, shape (P, 2)
        Centre of the circle that the leg from the point runs along; NaN if the leg is straight, and at goals.
    turn : ndarray of float64, shape (P,)
        Angle of that leg, counter-clockwise positive; 0 if it is straight.

    Examples
    --------
    >>> from ninthgeom import Board, Terrain
    >>> from ninthgeom.skirmish import routes
    >>> board = Board([], [Terrain([(10, 10), (12, 10), (12, 14), (10, 14)], kind="ruin")])
    >>> found = routes(board, np.empty((0, 3)), (9, 12), (13, 12), gap=1.0)
    >>> round(float(found.length), 3), len(found)
    (6.472, 2)
    >>> found.of(0)[0].tolist()
    [[9.0, 12.0], [10.0, 10.0], [12.0, 10.0], [13.0, 12.0]]
    """

    length: FloatArray
    routes: NDArray[np.int64]
    offsets: NDArray[np.int64]
    points: FloatArray
    centre: FloatArray
    turn: FloatArray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __repr__(self) -> str:
        return f"<Routes {self.length.shape}: {len(self)} routes with {len(self.points)} way-points>"

    def of(self, question: int | tuple[int, ...]) -> list[FloatArray]:
        """Return the way-points of all routes of a question.

        Parameters
        ----------
        question : int or tuple of int
            Its number counted over all axes, or its index.

        Returns
        -------
        list of ndarray of float64, shape (n, 2)
            Empty if there is no route.
        """
        first, end = self._range(question)
        return [self.points[self.offsets[r] : self.offsets[r + 1]] for r in range(first, end)]

    def line(self, route: int, step: float = 0.1) -> FloatArray:
        """Return a route as a polyline, legs round discs in pieces no longer than a step.

        Parameters
        ----------
        route : int
            Its number among all routes.
        step : float
            In inches. No piece of an arc turns by more than 22.5 degrees.

        Returns
        -------
        ndarray of float64, shape (n, 2)
            All points are on the route, so that the polyline is a little shorter.
        """
        if not 0 <= route < len(self):
            raise PlacedValueError(("route",), f"must be from 0 to {len(self) - 1}, got {route}")
        legs = slice(int(self.offsets[route]), int(self.offsets[route + 1]))
        return polyline(self.points[legs], self.centre[legs], self.turn[legs], step)

    def to_shapely(self, step: float = 0.1) -> Any:
        """Return all routes as line strings, see `line`.

        Parameters
        ----------
        step : float
            As for `line`.

        Returns
        -------
        ndarray of shapely.LineString, shape (R,)
        """
        lines = np.empty(len(self), np.object_)
        lines[:] = [line_string(self.line(r, step)) for r in range(len(self))]
        return lines

    def _range(self, question: int | tuple[int, ...]) -> tuple[int, int]:
        n = len(self.routes) - 1
        if isinstance(question, tuple):
            question = int(np.ravel_multi_index(question, self.length.shape)) if self.length.shape else 0
        if not 0 <= question < n:
            raise PlacedValueError(("question",), f"must be from 0 to {n - 1}, got {question}")
        return int(self.routes[question]), int(self.routes[question + 1])

    @classmethod
    def _of(cls, length: FloatArray, shape: tuple[int, ...], courses: Courses) -> Routes:
        arrays = courses.first, courses.offsets, courses.points, courses.centre, courses.turn
        return cls(length.reshape(shape), *arrays)


class RouteMap:
    """All shortest ways on one board in one state, for many questions.

    Everything that does not depend on starts and goals is computed once, all lengths between the points that
    routes can turn at included: that takes memory and time in proportion to the square of their number. A
    map can be asked from several threads at once.

    Parameters
    ----------
    board : Board
        Units must be single models.
    positions : array_like, shape (U, 3)
        One state.
    gap : float
        How wide gaps must be, in inches, as `Rules.gap_width` says; see `routes`.
    ignore : sequence of str or int
        Units that do not count.
    present : array_like of bool, shape (U,), optional
        Which models exist.
    ground : Ground, optional
        How terrain counts.
    tol : float
        Tolerance in inches.

    Attributes
    ----------
    n_nodes, n_edges : int
        Size of the graph.

    Examples
    --------
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import RouteMap
    >>> ways = RouteMap(Board([Unit("pylon", 50.8, shape="round")]), [[20, 20, 0]], gap=1.0)
    >>> starts, goals = [[(18, 20)], [(10, 20)]], [(22, 20), (20, 22)]
    >>> ways.lengths(starts, goals).round(3)
    array([[ 4.511,  2.828],
           [12.306, 10.198]])
    """

    def __init__(
        self,
        board: Board,
        positions: ArrayLike,
        *,
        gap: float,
        ignore: Sequence[int] | Sequence[str] | Sequence[int | str] | NDArray[np.integer[Any]] = (),
        present: ArrayLike | None = None,
        ground: Ground | None = None,
        tol: float = TOLERANCE,
    ) -> None:
        states = prepare(board, positions, present, tol=tol)
        if states.leading:
            raise PlacedValueError(("positions",), f"must be of one state, got leading axes {states.leading}")
        what_stops = checked_ground(board, ground)
        counts = counting_units(states, ignore, slice(0, 1))
        self._finder = finders_of(states, slice(0, 1), counts, np.array([_gap(gap)]), what_stops)[0]
        self._finder.learn_all()

    @property
    def n_nodes(self) -> int:
        """Number of points that routes can turn at, ends of legs round discs included."""
        return self._finder.graph.n_nodes

    @property
    def n_edges(self) -> int:
        """Number of legs between these, arcs included."""
        return self._finder.graph.n_edges

    def __repr__(self) -> str:
        return f"<RouteMap: {self.n_nodes} nodes, {self.n_edges} edges>"

    def routes(self, starts: ArrayLike, goals: ArrayLike) -> Routes:
        """Return the shortest routes between points; the function of this name says what they are.

        Parameters
        ----------
        starts, goals : array_like, shape (..., 2)
            Points in inches, which broadcast against each other.

        Returns
        -------
        Routes
        """
        return self._answer(starts, goals, wants_courses=True)

    def lengths(self, starts: ArrayLike, goals: ArrayLike) -> FloatArray:
        """Return the lengths of shortest routes between points.

        Without way-points this takes a fraction of the time of `routes`.

        Parameters
        ----------
        starts, goals : array_like, shape (..., 2)
            Points in inches, which broadcast against each other.

        Returns
        -------
        ndarray of float64, shape (...)
            In inches; inf where there is no route.
        """
        return self._answer(starts, goals, wants_courses=False).length

    def _answer(self, starts: ArrayLike, goals: ArrayLike, *, wants_courses: bool) -> Routes:
        a, b = checked_points("starts", starts), checked_points("goals", goals)
        try:
            shape = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
        except ValueError:
            raise ValueError(f"starts {a.shape} and goals {b.shape} do not broadcast") from None
        points = np.concatenate([a.reshape(-1, 2), b.reshape(-1, 2)])
        first, second = (
            np.broadcast_to(np.arange(some.size // 2).reshape(some.shape[:-1]), shape).reshape(-1)
            for some in (a, b)
        )
        pairs = np.stack([first, second + a.size // 2], axis=1)
        lengths, courses = answers_of(self._finder, points, pairs, wants_courses=wants_courses)
        return Routes._of(lengths, shape, courses)


def routes(
    board: Board,
    positions: ArrayLike,
    starts: ArrayLike,
    goals: ArrayLike,
    *,
    gap: ArrayLike,
    ignore: Sequence[int] | Sequence[str] | Sequence[int | str] | NDArray[np.integer[Any]] = (),
    present: ArrayLike | None = None,
    ground: Ground | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Routes:
    """Return the shortest routes between points, round terrain and models.

    A route is the way of a point on the table. It may touch pieces, that is terrain that stops and bases of
    models, and run along them, but it passes no deeper than tol through them, not between two that are in
    contact, and no gap narrower than `gap`. It may begin and end in such a gap, and on the edge or at a
    corner of a piece. It stays on the table, and a piece in contact with the edge leaves no way there; to
    the edge no gap need be wide. The lengths are exact: legs are straight, or run along rims of round bases.

    Parameters
    ----------
    board : Board
        Units must be single models.
    positions : array_like, shape (..., U, 3)
        x, y and heading of each model, in inches and radians; the leading axes are states.
    starts, goals : array_like, shape (..., 2)
        Points in inches. Their first axes are those of the states, as many as there are, the further ones
        broadcast. A single point of shape (2,) serves all states.
    gap : array_like of float
        How wide gaps must be, in inches, as `Rules.gap_width` says, one number or one for each state; 0
        without a gap rule. A gap of exactly that width is wide enough.
    ignore : sequence of str or int
        Units that do not count, such as those of the mover's group; those of group k are
        ``np.flatnonzero(board.group == k)``.
    present : array_like of bool, shape (..., U), optional
        Which models exist; by default all.
    ground : Ground, optional
        How terrain counts; by default all of it stops.
    tol : float
        Tolerance in inches.
    workers : int
        Number of threads, -1 for all cores; states are shared between them.

    Returns
    -------
    Routes
        Lengths and way-points. All routes that are no longer than the shortest by tol are given, and no two
        of the same course, but no more than 64 of one question. Without a way the length is inf and there is
        no route; so it is where start or goal is deeper than tol inside a piece or off the table. From a
        point to itself the length is 0.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a unit is more than one model, shapes do not fit, a number is not finite, a coordinate is above
        1e6 or the gap is negative. The message names argument, index and value.

    See Also
    --------
    RouteMap : many questions on one board.

    Notes
    -----
    Rules page Measuring and movement, Gap Clearance and model Size, and Moving directly: the base is not
    swept along the way, only gaps must be wide enough. Where parallel sides leave a narrow gap, all of it is
    closed, so nothing leads out of its inside. A shortest route turns at corners of pieces and at tangents of
    round parts only. Of these a graph is made for each state; lengths in it come from
    `scipy.sparse.csgraph.dijkstra`.

    Examples
    --------
    Two pylons, 0.9 inches apart, let a small model through that needs no more:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import routes
    >>> board = Board([Unit(name, 50.8, shape="round") for name in ("left", "right")])
    >>> positions = [[20, 20, 0], [22.9, 20, 0]]
    >>> start, goal = (21.45, 18), (21.45, 22)
    >>> [round(float(routes(board, positions, start, goal, gap=gap).length), 3) for gap in (0.9, 1.0)]
    [4.0, 6.606]
    """
    a, b = checked_points("starts", starts), checked_points("goals", goals)
    width = as_floats("gap", gap)
    states = prepare(board, positions, present, tol=tol, workers=workers, gap=width.shape)
    (a_states, a_rest), (b_states, b_rest) = (
        question_axes(name, some, len(states.leading)) for name, some in (("starts", a), ("goals", b))
    )
    leading = broadcast_axes("states", (states.leading, a_states, b_states))
    rest = broadcast_axes("questions", (a_rest, b_rest))
    states = replace(states, leading=leading)
    what_stops = checked_ground(board, ground)
    check_range("gap", width, 0.0, LARGEST_COORDINATE)
    width = np.broadcast_to(width, leading).reshape(-1)
    n, per_state = states.n_states, math.prod(rest)
    points = [
        spread_points(a, a_states, a_rest, leading, rest).reshape(n, per_state, 2),
        spread_points(b, b_states, b_rest, leading, rest).reshape(n, per_state, 2),
    ]
    answers: list[tuple[FloatArray, Courses]] = [(np.empty(0), Courses.none(0))] * n

    def answer(start: int, stop: int) -> None:
        some = slice(start, stop)
        finders = finders_of(states, some, counting_units(states, ignore, some), width[some], what_stops)
        for k, finder in enumerate(finders, start):
            pair = np.concatenate([points[0][k], points[1][k]])
            used, number = np.unique(pair, axis=0, return_inverse=True)
            pairs = number.reshape(2, per_state).T
            answers[k] = answers_of(finder, used, np.ascontiguousarray(pairs), wants_courses=True)

    counting_units(states, ignore, slice(0, 0))
    run_chunks(answer, n, workers=workers, cost_ns=_COST_NS)
    length = np.concatenate([np.empty(0), *(some for some, _ in answers)])
    return Routes._of(length, (*leading, *rest), Courses.concatenate([courses for _, courses in answers]))


def _gap(gap: float) -> float:
    width = as_number("gap", gap)
    check_range("gap", np.array(width), 0.0, LARGEST_COORDINATE)
    return width
