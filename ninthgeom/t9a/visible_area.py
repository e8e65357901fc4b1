"""The area that a unit sees, as a geometry."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, FloatArray, as_floats, as_number, check_range
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom.t9a._observers import unit_eyes
from ninthgeom.t9a._obstacles import blocking
from ninthgeom.t9a._seeing import Question, check_tolerance, points_as_things
from ninthgeom.t9a._setting import Setting, settings
from ninthgeom.t9a._states import States, prepare
from ninthgeom.t9a._things import gone
from ninthgeom.t9a._visible import Box, Viewpoint, visible_region
from ninthgeom.t9a.points import sees_points
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

Extent: TypeAlias = Sequence[float] | None

#: Distance, in inches, by which round outlines are off unless told otherwise: a fortieth of a millimetre.
RESOLUTION: Final = 1e-3
#: Finer polygons than this have more vertices than anybody can use.
LEAST_RESOLUTION: Final = 1e-6


def visible_area(
    board: Board,
    positions: ArrayLike,
    observer: int | str,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    extent: Extent = None,
    resolution: float = RESOLUTION,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
) -> Any:
    """Return the area of the ground that a unit sees, in one state.

    The area holds the points that `sees_points` tells are seen, of height `Rules.point_height`: so a unit
    that stands on a point is in the way of it if it is high enough, and a hill that hides what is beyond it
    is seen itself.

    Parameters
    ----------
    board : Board
        Units and terrain.
    positions : array_like, shape (U, 3)
        x, y and heading of every unit in one state.
    observer : int or str
        Index or name of the unit that looks.
    present : array_like of bool, shape (U,), optional
        Units on the table; all by default.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model; those of full strength by default.
    extent : (float, float, float, float), optional
        xmin, ymin, xmax and ymax of the part to look at; the table by default.
    resolution : float, optional
        Largest distance, in inches, between a round outline and the chords in its place; at least 1e-6.
    rules, tol
        As in `line_of_sight`.

    Returns
    -------
    shapely.Polygon or shapely.MultiPolygon
        The area with its edge; an empty polygon if the observer is absent or sees nothing of the part.

    Raises
    ------
    TypeError, ValueError
        As in `line_of_sight`, if positions or masks hold more than one state, and if `extent` or `resolution`
        is no such number. The message names the argument.

    See Also
    --------
    sees_points : the same for single points, for many states and observers.

    Notes
    -----
    The area is no map of samples. Whether a point is seen can change only at a line that starts in the
    observer's Front Facing and grazes two limits (corners and roundings in the way, the ends of the facing,
    the sides of the arc), or at an outline. These lines cut the table into cells, and one point of each tells
    about all of it.

    Exact, within 1e-7 inch, are the vertices and edges that come from straight outlines, and tangents of
    round ones from where they touch. Approximated are

    * pieces of the edge that are round themselves: chords inside the true outline, up to `resolution` off;
    * where a round observer overlaps others (which no legal state has), the points where the outlines cross,
      within 1e-6 inch.

    Single lines that have no width, such as one that grazes two obstacles on either side, are not part of the
    area. Nor does it follow the tolerance of the answers: what is in the way counts to its edge, while
    `sees_points` lets lines cut it by `tol`. Points so near to the edge of the area can differ, further from
    the observer accordingly more.

    Examples
    --------
    An archer, one inch wide, on a table of 12 x 12 inches, and a wall that hides what is behind it:

    >>> import math
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.t9a import visible_area
    >>> wall = Terrain([(4, 5), (9, 5), (9, 6), (4, 6)], kind="impassable")
    >>> board = Board([Unit("archer", (25.4, 25.4))], [wall], size=(12, 12))
    >>> area = visible_area(board, [[5, 1, math.pi / 2]], "archer")
    >>> round(area.area, 6)
    46.830357
    >>> area.exterior.coords[2]  # on the far edge, seen from the left end of the facing past the wall
    (3.125, 12.0)
    """
    box = _checked_extent(board, extent)
    resolution = as_number("resolution", resolution)
    if not LEAST_RESOLUTION <= resolution < np.inf:
        raise ValueError(f"resolution must be at least {LEAST_RESOLUTION:g}, got {resolution!r}")
    states = one_state(board, positions, observer, present, occupied, rules, tol)

    def sees(points: FloatArray) -> BoolArray:
        seen: BoolArray = sees_points(
            board,
            positions,
            points,
            observers=states.observers,
            present=present,
            occupied=occupied,
            rules=rules,
            tol=tol,
        )
        return seen.reshape(-1)

    return visible_region(_viewpoints(states), box, sees, resolution=resolution, tol=states.tol)


def one_state(
    board: Board,
    positions: ArrayLike,
    observer: int | str,
    present: ArrayLike | None,
    occupied: ArrayLike | None,
    rules: Rules,
    tol: float,
) -> States:
    """Check the arguments of a question about one unit in one state."""
    if isinstance(observer, bool | np.bool_) or not isinstance(observer, int | np.integer | str):
        raise TypeError(f"observer must be the name or the index of a unit, got {observer!r}")
    who: Sequence[int | str] = [observer if isinstance(observer, str) else int(observer)]
    states = prepare(board, positions, who, None, present, occupied, rules, tol, 1)
    check_tolerance(states.tol)
    for name, array, axes in (
        ("positions", states.positions, 2),
        ("present", states.present, 1),
        ("occupied", states.occupied, 1),
    ):
        if array is not None and array.ndim != axes:
            shape = ("U, 3" if axes == 2 else "U," if name == "present" else "M,").join("()")
            raise ValueError(f"{name} must be those of one state, of shape {shape}; got {array.shape}")
    return states


def setting_of(states: States) -> Setting:
    """Return the one state that `one_state` has checked, with all that sight needs of it."""
    ((_, setting),) = settings(states, next(states.chunks(0)), states.observers)
    return setting


def _viewpoints(states: States) -> list[Viewpoint]:
    """Return the stretches that the unit looks from, each with what is in the way of points."""
    setting = setting_of(states)
    eyes, _ = unit_eyes(setting, states.observers)
    ground = points_as_things(np.zeros((1, 1, 2)), states.rules.ground_height)
    question = Question.of(setting, eyes, ground)
    blocks = blocking(eyes, ground, question.blockers, question.heights, states.rules).mask()[0]
    blockers = gone(question.blockers)[0]
    is_there = np.broadcast_to(question.blockers.there[0], blockers.shape)
    is_hill = np.zeros(len(question.heights), np.bool_)
    if question.hills is not None:
        is_hill[question.hills.numbers] = True
    views = []
    for i in np.flatnonzero(np.broadcast_to(eyes.there[0], len(eyes))).tolist():
        counts = np.broadcast_to(blocks, (len(eyes), *blocks.shape[1:]))[i, 0]
        units, terrain = counts[: len(blockers)], counts[len(blockers) :]
        views.append(
            Viewpoint(
                source=eyes.bases[0, i],
                blockers=blockers[units & is_there],
                walls=question.outlines[terrain & ~is_hill],
                hills=question.outlines[terrain & is_hill],
            )
        )
    return views


def _checked_extent(board: Board, extent: Extent) -> Box:
    if extent is None:
        return 0.0, 0.0, *board.size
    edges = as_floats("extent", extent)
    if edges.shape != (4,):
        raise ValueError(f"extent must be xmin, ymin, xmax, ymax, got shape {edges.shape}")
    check_range("extent", edges, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    xmin, ymin, xmax, ymax = edges.tolist()
    if not (xmin < xmax and ymin < ymax):
        raise ValueError(
            f"extent must be xmin, ymin, xmax, ymax with xmin < xmax and ymin < ymax, got {extent}"
        )
    return xmin, ymin, xmax, ymax
