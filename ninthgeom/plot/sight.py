"""What units see: lines with what is in the way, the area seen, how many see a point."""

from __future__ import annotations

from typing import Any

import numpy as np
from matplotlib import colormaps
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ninthgeom import t9a
from ninthgeom._arrays import as_floats, as_number
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units, unit_indices
from ninthgeom.board import Board
from ninthgeom.plot._style import (
    AREA_ORDER,
    BAD,
    GOOD,
    LINE_ORDER,
    MARK_ORDER,
    SEEN,
    prepared,
    show_legend,
    written,
)
from ninthgeom.plot.board import Extent, checked_extent, draw_scene
from ninthgeom.plot.board import board as draw_board_of
from ninthgeom.plot.shapes import add_bases, add_lines, add_regions
from ninthgeom.scene import Scene

__all__ = ["heat_map", "line_of_sight", "sees_points", "visible_area"]


def line_of_sight(
    board: Board,
    positions: ArrayLike,
    observers: Units = None,
    targets: Units = None,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: t9a.Rules = t9a.THIRD_EDITION,
    tol: float = TOLERANCE,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw who sees whom: a free line to each unit that is seen, and what is in the way of the others.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    observers, targets : sequence of int or str, optional
        Units by index or name; all by default.
    rules, tol
        As in `ninthgeom.t9a.line_of_sight`.
    draw_board : bool
        False draws the lines and marks only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. A line to what is seen is solid and ends where it first meets the target; from what is
        hidden to who looks for it there is a dashed one, between the middles, and all that cuts a legal line
        has a thick edge: units, single models, terrain. Targets outside the arc have no line.

    See Also
    --------
    ninthgeom.t9a.explain_sight : the same in a sentence.
    visible_area

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/sight.json")
    >>> axes = plot.line_of_sight(scene.board, scene.positions, observers=["D"])
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['seen', 'hidden', 'in the way']
    """
    scene = Scene(board, positions, present, occupied)
    who = unit_indices(board, observers, "observers"), unit_indices(board, targets, "targets")
    ax = draw_scene(scene, ax, draw_board)
    boundaries = board.boundaries(scene.positions, scene.occupied)
    seen, hidden, found = [], [], []
    for observer in who[0].tolist():
        for target in who[1].tolist():
            told = t9a.explain_sight(
                board,
                scene.positions,
                observer,
                target,
                present=scene.present,
                occupied=scene.occupied,
                rules=rules,
                tol=tol,
            )
            if told.visible and told.start is not None and told.end is not None:
                seen.append((told.start, told.end))
            elif told.reason == "hidden":
                pair = boundaries[[observer, target]]
                hidden.append(np.stack([pair.x, pair.y], axis=1))
                found.append(told)
    add_lines(ax, seen, color=GOOD, linewidth=1.4, zorder=LINE_ORDER, label="seen")
    add_lines(ax, hidden, color=BAD, linewidth=1.0, linestyle="--", zorder=LINE_ORDER, label="hidden")
    _mark_blockers(ax, scene, found)
    show_legend(ax)
    return ax


def visible_area(
    board: Board,
    positions: ArrayLike,
    observer: int | str,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: t9a.Rules = t9a.THIRD_EDITION,
    tol: float = TOLERANCE,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Shade the area of the ground that a unit sees.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    observer : int or str
        Index or name of the unit that looks.
    rules, tol
        As in `ninthgeom.t9a.visible_area`.
    draw_board : bool
        False draws the area only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    See Also
    --------
    ninthgeom.t9a.visible_area : the region as a geometry.

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/sight.json")
    >>> axes = plot.visible_area(scene.board, scene.positions, "D")
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['D sees']
    """
    scene = Scene(board, positions, present, occupied)
    area = t9a.visible_area(
        board,
        scene.positions,
        observer,
        present=scene.present,
        occupied=scene.occupied,
        rules=rules,
        tol=tol,
    )
    ax = draw_scene(scene, ax, draw_board)
    name = observer if isinstance(observer, str) else board.names[observer]
    label = written(f"{name} sees")
    if name.startswith("_"):  # legends leave such labels out
        label = f"unit {label}"
    add_regions(ax, area, facecolor=SEEN, alpha=0.35, edgecolor=SEEN, zorder=AREA_ORDER, label=label)
    show_legend(ax)
    return ax


def sees_points(
    board: Board,
    positions: ArrayLike,
    observers: Units = None,
    *,
    step: float = 1.0,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: t9a.Rules = t9a.THIRD_EDITION,
    tol: float = TOLERANCE,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Shade the ground by the number of units that see it.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    observers : sequence of int or str, optional
        Units by index or name that look; all by default.
    step : float
        Width of the cells in inches; the middle of each is asked about.
    rules, tol
        As in `ninthgeom.t9a.sees_points`.
    draw_board : bool
        False draws the map only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with a colour bar.

    See Also
    --------
    ninthgeom.t9a.sees_points
    visible_area : exact, for one unit.

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/sight.json")
    >>> axes = plot.sees_points(scene.board, scene.positions, ["A", "B", "C"], step=2)
    >>> axes.images[0].get_array().shape
    (12, 18)
    """
    step = as_number("step", step)
    width, height = board.size
    if not min(width, height) / 1000 <= step <= max(width, height):
        raise ValueError(f"step must be from a thousandth of the table to all of it, got {step!r}")
    scene = Scene(board, positions, present, occupied)
    columns, rows = max(1, round(width / step)), max(1, round(height / step))
    x, y = ((np.arange(n) + 0.5) * size / n for n, size in ((columns, width), (rows, height)))
    points = np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2)
    seen = t9a.sees_points(
        board,
        scene.positions,
        points,
        observers=observers,
        present=scene.present,
        occupied=scene.occupied,
        rules=rules,
        tol=tol,
    )
    ax = draw_scene(scene, ax, draw_board)
    count = seen.sum(axis=0).reshape(rows, columns)
    return heat_map(count, extent=(0.0, 0.0, width, height), label="units that see the point", ax=ax)


def heat_map(
    values: ArrayLike,
    extent: Extent | None = None,
    *,
    board: Board | None = None,
    positions: ArrayLike | None = None,
    label: str = "",
    ax: Axes | None = None,
    **style: Any,
) -> Axes:
    """Draw values on a grid over a part of the table, with a colour bar.

    Parameters
    ----------
    values : array_like, shape (rows, columns)
        Numbers or truth values, the first row at the lower edge and its first value at the left. What is NaN
        is left out.
    extent : (float, float, float, float), optional
        xmin, ymin, xmax and ymax of the part, in inches; with a board all of its table by default.
    board : Board, optional
        Table and terrain to draw below the values; by default only what `ax` shows already.
    positions : array_like, shape (U, 3), optional
        One state of this board, to draw its units too.
    label : str
        What the values are; stands at the colour bar.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.
    **style
        For `matplotlib.axes.Axes.imshow`: ``cmap``, ``vmin``, ``vmax``, ``alpha`` and others.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        If the values are no grid of numbers, the extent is none, there is neither extent nor board, or there
        are positions without a board.

    Examples
    --------
    >>> from ninthgeom import plot
    >>> axes = plot.heat_map([[0.0, 0.5], [0.5, 1.0]], extent=(0, 0, 4, 4), label="share")
    >>> [float(edge) for edge in axes.images[0].get_extent()]
    [0.0, 4.0, 0.0, 4.0]
    """
    numbers = np.asarray(values)
    grid = as_floats("values", numbers.astype(np.int8) if numbers.dtype == np.bool_ else values)
    if grid.ndim != 2 or not grid.size:
        empty = " without any" if not grid.size else ""
        raise ValueError(f"values must have shape (rows, columns), got {grid.shape}{empty}")
    if board is None and positions is not None:
        raise ValueError("positions are those of a board; give it too")
    if extent is None:
        if board is None:
            raise ValueError("extent is needed where no board is given")
        extent = (0.0, 0.0, *board.size)
    xmin, ymin, xmax, ymax = checked_extent(extent)
    ax = _below(board, positions, ax)
    limits = (ax.get_xlim(), ax.get_ylim()) if ax.has_data() else None
    look: dict[str, Any] = {"cmap": colormaps["viridis"], "alpha": 0.6, "zorder": AREA_ORDER}
    image = ax.imshow(grid, origin="lower", extent=(xmin, xmax, ymin, ymax), **(look | style))
    if limits is not None:
        ax.set_xlim(limits[0])
        ax.set_ylim(limits[1])
    figure = ax.get_figure()
    assert figure is not None
    figure.colorbar(image, ax=ax, label=label, shrink=0.7)
    return ax


def _below(board: Board | None, positions: ArrayLike | None, ax: Axes | None) -> Axes:
    """Return axes with what lies below a map: a board, its table alone, or what is there."""
    if board is None:
        return prepared(ax)
    if positions is None:
        return draw_board_of(Board([], board.terrain, board.size), np.empty((0, 3)), ax=ax)
    return draw_board_of(board, positions, ax=ax)


def _mark_blockers(ax: Axes, scene: Scene, found: list[t9a.Explanation]) -> None:
    """Give all that is in the way a thick edge: boundaries of units, bases of models, outlines of terrain."""
    board = scene.board
    units = sorted({unit for told in found for unit in told.blocking_units})
    models = sorted({slot for told in found for slot in told.blocking_models})
    terrain = sorted({piece for told in found for piece in told.blocking_terrain})
    edge: dict[str, Any] = {"edgecolor": BAD, "linewidth": 2.2, "zorder": MARK_ORDER, "label": "in the way"}
    add_bases(ax, board.boundaries(scene.positions, scene.occupied)[units], **edge)
    add_bases(ax, board.bases(scene.positions, scene.occupied)[0][models], **edge)
    if terrain:
        add_regions(ax, board.terrain_outlines[terrain].to_shapely(), **edge)
