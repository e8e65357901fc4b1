"""May a path pass: pieces in the way, gaps too narrow for the model, and its length."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_floats, as_limits, check_range
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom._states import leading_axes
from ninthgeom.skirmish._chosen_units import unit_of_states
from ninthgeom.skirmish._states import States, prepare
from ninthgeom.skirmish.ground import Ground, checked_ground
from ninthgeom.skirmish.rules import STANDARD, Action, Rules, checked_action

if TYPE_CHECKING:
    from ninthgeom.board import Board

Mover: TypeAlias = int | str | NDArray[np.integer[Any]]

# Scenes, and bytes of corners of their solids, that are made at once.
_SCENES: Final = 256
_BYTES: Final = 2**25
# Of a scene, for each base or part of terrain: corners, box, owners and what they are made of.
_BYTES_PER_CORNER: Final = 64


@dataclass(frozen=True, eq=False)
class PathCheck:
    """What becomes of paths; all arrays have the leading axes of states, movers and paths.

    Attributes
    ----------
    clear : ndarray of bool
        Whether nothing stops the path and it is not longer than allowed. The allowance counts nowhere else.
    length : ndarray of float64
        Length of the whole path in inches.
    gap_width : ndarray of float64
        Clear width of the gap that stops it: 0 between pieces in contact and for openings agreed to be
        impassable; NaN where no gap stops it.
    gap : ndarray of int64, shape (..., 2)
        The pieces on both sides of that gap; the same twice where the path runs into this piece or where the
        gap is in one piece, which differ in `gap_width`. Unit u is u, terrain k of U units is U + k, closed
        opening c of T pieces of terrain is U + T + c; -1 where nothing stops it.
    stopped_at : ndarray of float64
        Length travelled up to there, also beyond the allowance; inf where nothing stops it. A piece stops a
        path where it gets deeper than the tolerance.
    """

    clear: BoolArray
    length: FloatArray
    gap_width: FloatArray
    gap: NDArray[np.int64]
    stopped_at: FloatArray


def paths_clear(
    board: Board,
    positions: ArrayLike,
    mover: Mover,
    paths: ArrayLike,
    *,
    allowance: ArrayLike | None = None,
    action: Action | str = "move",
    present: ArrayLike | None = None,
    ground: Ground | None = None,
    rules: Rules = STANDARD,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> PathCheck:
    """Return whether models may go along paths, and what stops them.

    A path may touch pieces and run along them, but not enter one deeper than `tol`, nor pass between two in
    contact. Pieces are the bases of present models of other groups and terrain that stops. A gap is where
    two pieces, or two parts of one, are locally nearest; if it is narrower than ``rules.gap_width`` of the
    mover, the path must not get from one side of that shortest line to the other, its ends included.
    To touch the line and turn back, to start or to end there is no passing. Between parallel sides such
    lines fill a rectangle, which only a path that starts inside may leave. The base of the mover is not
    swept: on the way only the gap counts, and whether it fits at the end is asked of `can_stand`.

    Parameters
    ----------
    board : Board
        Units of one model each.
    positions : array_like, shape (..., U, 3)
        States: x, y and heading of each unit. That of the mover does not matter.
    mover : int, str or array_like of int
        Index or name of the model that moves; an array broadcasts with the leading axes.
    paths : array_like, shape (..., V, 2)
        Vertices in inches from start to end; the last ones may be NaN, which ends a path early. Leading axes
        broadcast with those of the states.
    allowance : array_like, optional
        How long paths may be, in inches (closed), broadcasting with the leading axes; by default as long as
        they are.
    action : Action or str
        What the model does; as a string it is the value of an `Action`, such as "close ranks". Gaps matter as
        `Action.has_gap_rule` says, without it only those agreed to be closed do; an action without a path is
        always clear, however long.
    present : array_like of bool, shape (..., U), optional
        Which models are on the table; by default all.
    ground : Ground, optional
        Which terrain stops, access areas and closed openings; by default all terrain does.
    rules : Rules
        Of these the widths of gaps count, and ``sc_probe``.
    tol : float
        Tolerance in inches.
    workers : int
        Number of threads; -1 takes all cores.

    Returns
    -------
    PathCheck
        Arrays over the leading axes of states, movers, paths and allowance. Flying models pass everything.
        A path without length is clear. Empty where there are no states.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a shape or a value is not allowed, a path has no vertex or one after NaN, or the mover is absent.

    See Also
    --------
    can_stand : whether the base fits where it ends.
    routes : shortest paths that pass.

    Notes
    -----
    Rules page Measuring and movement, Gap Clearance and model Size. It does not say whether touching counts:
    here it is free. A gap as wide as asked for is wide enough.

    Examples
    --------
    A marauder between two walls that are an inch apart, and a little less:

    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.skirmish import paths_clear
    >>> walls = [[(10, 0), (12, 0), (12, 9), (10, 9)], [(10, 10), (12, 10), (12, 20), (10, 20)]]
    >>> board = Board(
    ...     [Unit("marauder", 50, shape="round", size=2)], [Terrain(wall, kind="wall") for wall in walls]
    ... )
    >>> path = [(5, 9.5), (15, 9.5)]
    >>> check = paths_clear(board, [[5, 9.5, 0]], "marauder", path, allowance=10)
    >>> bool(check.clear), float(check.length)
    (True, 10.0)
    >>> walls[1][:2] = (10, 9.999), (12, 9.999)
    >>> board = Board(board.units, [Terrain(wall, kind="wall") for wall in walls])
    >>> check = paths_clear(board, [[5, 9.5, 0]], "marauder", path)
    >>> bool(check.clear), round(float(check.gap_width), 3), check.gap.tolist()
    (False, 0.999, [1, 2])
    """
    action = checked_action(action)
    states = prepare(board, positions, present, rules, tol, workers)
    ground = checked_ground(board, ground)
    movers = unit_of_states(board, mover, "mover")
    points, sizes = _checked_paths(paths)
    axes = {"mover": movers.shape, "paths": sizes.shape}
    limits = None
    if allowance is not None:
        limits = as_limits("allowance", allowance)
        axes["allowance"] = limits.shape
    leading = leading_axes(states.leading, axes)
    n = math.prod(leading)
    state = np.broadcast_to(np.arange(states.n_states).reshape(states.leading), leading).reshape(-1)
    movers = np.broadcast_to(movers, leading).reshape(-1)
    _check_movers_present(states, state, movers, leading)
    which = np.broadcast_to(np.arange(sizes.size).reshape(sizes.shape), leading).reshape(-1)
    points = points.reshape(-1, *points.shape[-2:])
    steps = np.hypot(*np.moveaxis(np.diff(points, axis=1), -1, 0)).sum(axis=1)
    length = steps[which].reshape(leading)
    stops, width = np.full(n, np.inf), np.full(n, np.nan)
    gap = np.full((n, 2), -1, np.int64)
    if action.has_path:
        asked = np.flatnonzero(~np.array([unit.flying for unit in board.units], np.bool_)[movers])
        widths = np.array([rules.gap_width(unit) if action.has_gap_rule else 0.0 for unit in board.units])
        scenes = _Scenes.of(states, state[asked], movers[asked], widths[movers[asked]], ground)
        paths_of = points, sizes.reshape(-1)
        stops[asked], width[asked], gap[asked] = scenes.stops(*paths_of, which[asked])
    clear = np.isinf(stops).reshape(leading)
    if limits is not None and action.has_path:
        clear &= length <= limits + states.tol
    return PathCheck(
        clear,
        length,
        width.reshape(leading),
        gap.reshape(*leading, 2),
        stops.reshape(leading),
    )


@dataclass(frozen=True, eq=False)
class _Scenes:
    """Questions sorted by what they have in common: state, group that moves and width that it needs."""

    states: States
    ground: Ground | None
    state: IntArray
    group: IntArray
    width: FloatArray
    scene: IntArray

    @classmethod
    def of(
        cls, states: States, state: IntArray, movers: IntArray, width: FloatArray, ground: Ground | None
    ) -> _Scenes:
        """Find what is asked about together: ``scene`` says it of each question."""
        group = states.board.group[movers]
        widths, kind = np.unique(width, return_inverse=True)
        key = (state * max(1, states.n_groups) + group) * max(1, len(widths)) + kind
        keys, scene = np.unique(key, return_inverse=True)
        rest, kind = np.divmod(keys, max(1, len(widths)))
        own_state, own_group = np.divmod(rest, max(1, states.n_groups))
        return cls(states, ground, own_state, own_group, widths[kind], scene)

    def stops(
        self, points: FloatArray, sizes: IntArray, which: IntArray
    ) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
        """Return where the paths of these numbers are stopped, gap widths and pieces, as `Barriers.stops`."""
        n = len(which)
        stops, width, gap = np.full(n, np.inf), np.full(n, np.nan), np.full((n, 2), -1, np.int64)
        low, high = np.nanmin(points, axis=1), np.nanmax(points, axis=1)
        order = np.argsort(self.scene, kind="stable")
        starts = np.searchsorted(self.scene[order], np.arange(len(self.state) + 1))
        for first, last in self._chunks():
            asked = order[starts[first] : starts[last]]
            scene, own = self.scene[asked] - first, which[asked]
            region = np.repeat(np.array([[np.inf], [np.inf], [-np.inf], [-np.inf]]), last - first, axis=1)
            for axis in range(2):
                np.minimum.at(region[axis], scene, low[own, axis])
                np.maximum.at(region[2 + axis], scene, high[own, axis])
            stops[asked], width[asked], gap[asked] = self._stops(
                slice(first, last), region, points[own], sizes[own], scene
            )
        return stops, width, gap

    def _stops(
        self, some: slice, region: FloatArray, points: FloatArray, sizes: IntArray, scene: IntArray
    ) -> tuple[FloatArray, FloatArray, NDArray[np.int64]]:
        """Answer the questions of consecutive scenes."""
        from ninthgeom.skirmish._barriers import Barriers
        from ninthgeom.skirmish._obstacles import Obstacles

        states = self.states
        start, stop = int(self.state[some.start]), int(self.state[some.stop - 1]) + 1
        columns = states.bases_in(slice(start, stop))._columns
        state = self.state[some] - start
        counts = states.present_in(slice(start, stop))[state]
        counts &= states.board.group != self.group[some][:, None]
        obstacles = Obstacles.of(states.board, self.ground, columns, states.tol)
        barriers = Barriers.of(obstacles, state, counts, self.width[some], region)
        return barriers.stops(points, sizes, scene, states.workers)

    def _chunks(self) -> Iterator[tuple[int, int]]:
        """Walk over the scenes so that neither they nor the states between them need too much memory."""
        from ninthgeom.skirmish._obstacles import Obstacles

        states = self.states
        nothing = np.empty((7, 0, len(states.board)))
        parts = Obstacles.of(states.board, self.ground, nothing, states.tol).standing.outlines.parts
        room = (parts.n + len(states.board)) * (parts.width + 8) * _BYTES_PER_CORNER
        most = max(1, min(_SCENES, _BYTES // max(1, room)))
        first = 0
        while first < len(self.state):
            last = min(first + most, len(self.state))
            last = int(np.searchsorted(self.state[:last], self.state[first] + _SCENES))
            yield first, last
            first = last


def _check_movers_present(
    states: States, state: IntArray, movers: IntArray, leading: tuple[int, ...]
) -> None:
    if states.present is None or not len(state):
        return
    is_there = states.present_in(slice(0, states.n_states))[state, movers]
    if not is_there.all():
        place = int(np.argmin(is_there))
        where = tuple(int(i) for i in np.unravel_index(place, leading)) if leading else ()
        name = states.board.names[movers[place]]
        raise PlacedValueError(("mover", *where), f"{name!r} is not present")


def _checked_paths(paths: ArrayLike) -> tuple[FloatArray, IntArray]:
    """Return vertices (..., V, 2), those after the end repeating the last one, and how many there are."""
    given = as_floats("paths", paths)
    if given.ndim < 2 or given.shape[-1] != 2 or given.shape[-2] == 0:
        raise PlacedValueError(("paths",), f"must have shape (..., V, 2) with a vertex, got {given.shape}")
    is_end = np.isnan(given).all(axis=-1)
    sizes = np.where(is_end.any(axis=-1), is_end.argmax(axis=-1), given.shape[-2])
    belongs = np.arange(given.shape[-2]) < sizes[..., None]
    if not belongs[..., 0].all():
        place = np.argwhere(~belongs[..., 0])[0].tolist()
        raise PlacedValueError(("paths", *place, 0), "must not be NaN: a path has a vertex at least")
    late = ~belongs & ~is_end
    if late.any():
        place = np.argwhere(late)[0].tolist()
        raise PlacedValueError(("paths", *place), f"comes after the end, got {given[tuple(place)].tolist()}")
    last = np.take_along_axis(given, (sizes - 1)[..., None, None], axis=-2)
    points = np.where(belongs[..., None], given, last)
    check_range("paths", points, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    return points, sizes
