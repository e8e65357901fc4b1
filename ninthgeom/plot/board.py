"""The table to scale: terrain, units with their ranks and fronts, names and heights."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
import shapely
from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, as_floats
from ninthgeom.plot._labels import Names, add_labels
from ninthgeom.plot._style import (
    FAINT,
    FAINT_INK,
    INK,
    MARK_ORDER,
    TABLE,
    TABLE_ORDER,
    TERRAIN,
    TERRAIN_ORDER,
    mixed,
    prepared,
    side_colours,
)
from ninthgeom.plot.shapes import add_bases, add_lines, add_regions
from ninthgeom.scene import Scene

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.board import Board

__all__ = ["board", "scene"]

Extent: TypeAlias = tuple[float, float, float, float]

_MARGIN: Final = 0.02
# How far outlines may be off where names look for room, in inches.
_COARSE: Final = 0.03


def board(
    board: Board,
    positions: ArrayLike,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    labels: bool = True,
    extent: Extent | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw one state of a board to scale.

    Every model stands on its base, in the colour of its side; attached characters have a darker edge, empty
    slots are dashed, the Unit Boundary is thin. The Front Facing is thick; round and oval units, which look
    all round, have a line from their centre along their heading instead. Names come with the Height of the
    unit, H3, those of terrain with its kind.

    Parameters
    ----------
    board : Board
        Units and terrain.
    positions : array_like, shape (U, 3)
        x, y and heading of every unit in one state, in inches and radians.
    present : array_like of bool, shape (U,), optional
        Units on the table, all by default; others are not drawn.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model; those of full strength by default.
    labels : bool
        Whether to write names.
    extent : (float, float, float, float), optional
        xmin, ymin, xmax and ymax of the part to show, in inches; names find their places for it. By default
        the whole table, and units that stand off it too.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, in inches of the table.

    Raises
    ------
    TypeError, ValueError
        As in `Scene`; positions of more than one state are refused, and an `extent` that is none.

    See Also
    --------
    scene : the same for a scene.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit, plot
    >>> spears = Unit("spears", (20, 20), models=13)
    >>> axes = plot.board(Board([spears], size=(24, 12)), [[12, 6, math.pi / 2]])
    >>> axes.get_xlabel(), [text.get_text() for text in axes.texts]
    ('inches', ['spears H1'])
    """
    return scene(Scene(board, positions, present, occupied), labels=labels, extent=extent, ax=ax)


def scene(scene: Scene, *, labels: bool = True, extent: Extent | None = None, ax: Axes | None = None) -> Axes:
    """Draw a scene to scale.

    Parameters
    ----------
    scene : Scene
        A board and one state of it.
    labels, extent, ax
        As for `board`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    See Also
    --------
    board : what is drawn.

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> axes = plot.scene(read_scene("examples/sample.json"))
    >>> axes.get_aspect()
    1.0
    """
    ax = prepared(ax)
    here = is_here(scene)
    _draw_table(ax, scene.board)
    _draw_terrain(ax, scene.board)
    boundaries = scene.board.boundaries(scene.positions, scene.occupied)
    _draw_units(ax, scene, here, boundaries)
    if extent is None:
        _show_all(ax, scene.board, boundaries.bounds[here])
    else:
        xmin, ymin, xmax, ymax = checked_extent(extent)
        ax.set_xlim(xmin, xmax)
        ax.set_ylim(ymin, ymax)
    if labels:
        _name(ax, scene.board, here, boundaries)
    return ax


def is_here(scene: Scene) -> BoolArray:
    """Return which units are on the table and have a living model."""
    board = scene.board
    occupied = board.occupied if scene.occupied is None else scene.occupied
    living = np.zeros(len(board), np.bool_)
    living[board.model_unit[occupied]] = True
    return living if scene.present is None else living & scene.present


def draw_scene(state: Scene, ax: Axes | None, draw_board: bool) -> Axes:
    """Return axes with a scene below what is to be drawn, or as they are."""
    return scene(state, ax=ax) if draw_board else prepared(ax)


def checked_extent(extent: Extent) -> Extent:
    """Return xmin, ymin, xmax and ymax of a part of the table."""
    edges = as_floats("extent", np.asarray(extent))
    if edges.shape != (4,) or not np.isfinite(edges).all() or not (edges[:2] < edges[2:]).all():
        raise ValueError(f"extent must be xmin, ymin, xmax, ymax in ascending order, got {extent}")
    xmin, ymin, xmax, ymax = edges.tolist()
    return xmin, ymin, xmax, ymax


def _draw_table(ax: Axes, board: Board) -> None:
    width, height = board.size
    ax.add_patch(
        Rectangle((0, 0), width, height, facecolor=TABLE, edgecolor=INK, linewidth=1.2, zorder=TABLE_ORDER)
    )
    ax.set_xlabel("inches")
    ax.set_ylabel("inches")


def _draw_terrain(ax: Axes, board: Board) -> None:
    shapes = board.terrain_outlines.to_shapely() if board.terrain else np.empty(0, np.object_)
    for kind, (face, hatch) in TERRAIN.items():
        some = [k for k, piece in enumerate(board.terrain) if piece.kind == kind]
        if some:
            add_regions(
                ax,
                shapes[some],
                facecolor=face,
                edgecolor=FAINT,
                hatch=hatch,
                hatch_linewidth=0.4,
                zorder=TERRAIN_ORDER,
            )


def _draw_units(ax: Axes, scene: Scene, here: BoolArray, boundaries: Bases) -> None:
    board = scene.board
    bases, occupied = board.bases(scene.positions, scene.occupied)
    drawn = here[board.model_unit]
    colours = side_colours(board.side.tolist())
    attached = _is_attached(board)
    for side, colour in colours.items():
        own = drawn & (board.side[board.model_unit] == side)
        add_bases(
            ax,
            bases[own & occupied & ~attached],
            facecolor=mixed(colour, "white", 0.45),
            edgecolor=colour,
            linewidth=0.6,
        )
        add_bases(ax, bases[own & occupied & attached], facecolor=colour, edgecolor=INK, linewidth=0.8)
        add_bases(ax, bases[own & ~occupied], edgecolor=colour, linewidth=0.5, linestyle=":")
        units = here & (board.side == side)
        add_bases(ax, boundaries[units], edgecolor=colour, linewidth=0.9)
        marks = _front_marks(boundaries[units])
        add_lines(ax, marks, color=colour, linewidth=2.4, zorder=MARK_ORDER, capstyle="butt")


def _is_attached(board: Board) -> BoolArray:
    attached = np.zeros(board.n_models, np.bool_)
    for unit, slots in zip(board.units, board.model_slices, strict=True):
        attached[slots.stop - len(unit.attached) : slots.stop] = True
    return attached


def _front_marks(boundaries: Bases) -> Any:
    """Return the front edges of rectangles, and lines from the centres of others along their heading."""
    x, y, heading = boundaries.x, boundaries.y, boundaries.heading
    forward = np.stack([np.cos(heading), np.sin(heading)], axis=-1)
    left = np.stack([-forward[:, 1], forward[:, 0]], axis=-1)
    centre = np.stack([x, y], axis=-1)
    front = centre + forward * (boundaries.depth / 2)[:, None]
    side = left * (boundaries.width / 2)[:, None]
    edges = np.stack([front + side, front - side], axis=1)
    spokes = np.stack([centre, front], axis=1)
    return np.where((boundaries.radius > 0)[:, None, None], spokes, edges)


def _show_all(ax: Axes, board: Board, bounds: Any) -> None:
    width, height = board.size
    boxes = np.concatenate([[[0.0, 0.0, width, height]], bounds])
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    margin = _MARGIN * max(width, height)
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)


def _name(ax: Axes, board: Board, here: BoolArray, boundaries: Bases) -> None:
    shown = np.flatnonzero(here)
    colours = side_colours(board.side.tolist())
    heights = ["" if piece.height is None else f" {piece.height}" for piece in board.terrain]
    texts = [f"{board.names[unit]} H{board.height[unit]}" for unit in shown]
    texts += [f"{piece.kind}{height}" for piece, height in zip(board.terrain, heights, strict=True)]
    inks = [mixed(colours[side], "black", 0.45) for side in board.side[shown].tolist()]
    inks += [FAINT_INK] * len(board.terrain)
    # Round outlines have many corners, which names do not need.
    units = shapely.simplify(boundaries[shown].to_shapely(), _COARSE)
    shapes = np.concatenate([units, [piece.to_shapely() for piece in board.terrain]]).astype(np.object_)
    view = shapely.box(*np.array([*ax.get_xlim(), *ax.get_ylim()])[[0, 2, 1, 3]])
    some = np.flatnonzero(shapely.area(shapely.intersection(shapes, view)) > 0.0).tolist()
    names = Names(
        [texts[k] for k in some], [inks[k] for k in some], shapes[some], np.array(some, np.intp) >= len(shown)
    )
    add_labels(ax, names, units, np.array([0.0, 0.0, *board.size]))
