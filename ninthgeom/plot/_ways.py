"""Ways of models in pictures: cut where they stop, what stops them, where their lengths have room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.axes import Axes

from ninthgeom._arrays import FloatArray
from ninthgeom.plot._notes import write_beside
from ninthgeom.plot._style import BAD, LINE_ORDER
from ninthgeom.plot.shapes import add_lines, add_regions

if TYPE_CHECKING:
    from ninthgeom.scene import Scene
    from ninthgeom.skirmish import Ground, PathCheck

# Where along a route its length may stand, the best first if there is room everywhere.
_PLACES: Final = (0.5, 0.6, 0.4, 0.7, 0.3, 0.8, 0.2, 0.9, 0.1)
# Room that is enough for a length, in inches.
_ENOUGH: Final = 2.0


def cut(points: FloatArray, at: float) -> tuple[list[FloatArray], list[FloatArray]]:
    """Return a path up to a length, and from there on."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    if len(points) < 2 or at >= lengths[-1]:
        return [points], []
    corner = np.array([np.interp(at, lengths, points[:, k]) for k in (0, 1)])
    before, after = points[lengths < at], points[lengths > at]
    return [np.concatenate([before, corner[None]])], [np.concatenate([corner[None], after])]


def free_place(line: FloatArray, others: list[Any]) -> FloatArray:
    """Return a place on a line with room for a text between other shapes."""
    lengths = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
    marks = np.array(_PLACES) * lengths[-1]
    places: FloatArray = np.stack([np.interp(marks, lengths, line[:, k]) for k in (0, 1)], axis=1)
    if not others:
        first: FloatArray = places[0]
        return first
    room: FloatArray = np.array([min(shapely.distance(shapely.Point(*place), others)) for place in places])
    best: FloatArray = places[int(np.argmax(np.minimum(room, _ENOUGH)))]
    return best


def draw_stop(ax: Axes, check: PathCheck, sides: list[Any], ahead: FloatArray) -> None:
    """Draw the gap that stops a path, or the piece that it runs into."""
    thick: dict[str, Any] = {"linewidth": 2.2, "zorder": LINE_ORDER, "label": "stops it"}
    if len(sides) == 2 and check.gap_width > 0 and sides[0] != sides[1]:
        line = np.asarray(shapely.shortest_line(*sides).coords)
        add_lines(ax, [line], color=BAD, **thick)
        x, y = (line[1] - line[0]) / float(check.gap_width)
        # on the side that the path did not get to
        side = -1.0 if np.dot((-y, x), ahead) < 0 else 1.0
        write_beside(ax, line.mean(axis=0), (-y * side, x * side), f'{float(check.gap_width):.3g}"', BAD)
        return
    for side in sides[:1] if len(sides) == 2 and sides[0] == sides[1] else sides:
        if side.geom_type == "LineString":
            add_lines(ax, [np.asarray(side.coords)], color=BAD, **thick)
        else:
            add_regions(ax, side, edgecolor=BAD, **thick)


def piece_shape(scene: Scene, piece: int, ground: Ground | None) -> Any:
    """Return the shape of a piece as `PathCheck.gap` numbers it."""
    board = scene.board
    if piece < len(board):
        return board.boundaries(scene.positions)[piece].to_shapely()
    piece -= len(board)
    if piece < len(board.terrain):
        return board.terrain_outlines[piece].to_shapely()
    assert ground is not None  # closed openings come from there
    return shapely.LineString(ground.closed[piece - len(board.terrain)].reshape(2, 2))
