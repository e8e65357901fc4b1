"""What units measure and face, and where they may not stand."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray, FloatArray, IntArray, as_number
from ninthgeom._states import Units, unit_indices
from ninthgeom.measure import shortest_line
from ninthgeom.plot._notes import write_lengths, write_note
from ninthgeom.plot._style import AREA_ORDER, BAD, INK, LINE_ORDER, show_legend
from ninthgeom.plot.board import draw_scene, is_here
from ninthgeom.plot.shapes import add_bases, add_lines, add_regions
from ninthgeom.relations import Relation
from ninthgeom.rows import Rows
from ninthgeom.scene import Scene

if TYPE_CHECKING:
    from ninthgeom.board import Board

__all__ = ["arcs", "distances", "legal"]

_ARCS: Final = {"front": "#4c9f70", "left flank": "#e0a458", "rear": "#b56576", "right flank": "#6d8fc7"}


def arcs(
    board: Board,
    positions: ArrayLike,
    observers: Units = None,
    *,
    reach: float = 12.0,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the arcs of units: front, flanks and rear, with the dividers between them.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    observers : sequence of int or str, optional
        Units by index or name; all by default. Absent ones have no arcs.
    reach : float
        How far arcs are drawn, in inches straight ahead of each facing, on the table only.
    draw_board : bool
        False draws the arcs only, over what `ax` shows already.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    Raises
    ------
    TypeError, ValueError
        As for `ninthgeom.plot.board`; for an unknown unit, and if `reach` is not a positive number.

    See Also
    --------
    ninthgeom.t9a.inside_arcs, ninthgeom.t9a.located_arcs

    Notes
    -----
    Dividers run from the corners of the Unit Boundary outwards at 45 degrees. Round units see all round: they
    have a front arc only.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit, plot
    >>> axes = plot.arcs(Board([Unit("spears", (20, 20), models=13)]), [[36, 24, math.pi / 2]], reach=6)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['front', 'left flank', 'rear', 'right flank']
    """
    reach = as_number("reach", reach)
    if not 0.0 < reach < math.inf:
        raise ValueError(f"reach must be a positive number, got {reach!r}")
    scene = Scene(board, positions, present, occupied)
    chosen = unit_indices(board, observers, "observers")
    ax = draw_scene(scene, ax, draw_board)
    chosen = chosen[is_here(scene)[chosen]]
    boundaries = board.boundaries(scene.positions, scene.occupied)[chosen]
    table = shapely.box(0.0, 0.0, *board.size)
    regions: dict[str, list[Any]] = {name: [] for name in _ARCS}
    dividers: list[Any] = []
    for boundary in boundaries:
        if boundary.is_disc:
            shape = boundary.to_shapely()
            regions["front"].append(shape.buffer(reach).difference(shape))
            continue
        quarters = _quarters(boundary.corners(), reach)
        for parts, region in zip(regions.values(), quarters, strict=True):
            parts.append(region)
        dividers += [np.asarray(quarter.exterior.coords)[1:3] for quarter in quarters]
    for (name, colour), parts in zip(_ARCS.items(), regions.values(), strict=True):
        shown = shapely.intersection(np.array(parts, np.object_), table)
        add_regions(
            ax,
            shown[shapely.area(shown) > 0.0],
            facecolor=colour,
            alpha=0.25,
            edgecolor="none",
            zorder=AREA_ORDER,
            label=name,
        )
    cut = shapely.intersection(shapely.linestrings(dividers), table) if dividers else []
    add_lines(
        ax,
        [np.asarray(line.coords) for line in cut if line.length > 0.0],
        color=INK,
        linewidth=0.7,
        zorder=AREA_ORDER,
    )
    show_legend(ax)
    return ax


def distances(
    board: Board,
    positions: ArrayLike,
    observers: Units = None,
    targets: Units = None,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the shortest lines between the Unit Boundaries of units, with their lengths in inches.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    observers, targets : sequence of int or str, optional
        Units by index or name; all by default. Each pair has one line; absent units have none.
    draw_board : bool
        False draws the lines only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes.

    See Also
    --------
    ninthgeom.t9a.distances

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit, plot
    >>> units = [Unit("one", (50.8, 50.8)), Unit("other", (50.8, 50.8), side=1)]
    >>> axes = plot.distances(Board(units), [[36, 10, math.pi / 2], [36, 15, -math.pi / 2]])
    >>> axes.texts[-1].get_text()
    '5"'
    """
    scene = Scene(board, positions, present, occupied)
    pairs = _unit_pairs(board, observers, targets, is_here(scene))
    ax = draw_scene(scene, ax, draw_board)
    boundaries = board.boundaries(scene.positions, scene.occupied)
    lines = np.asarray(shortest_line(boundaries[pairs[:, 0]], boundaries[pairs[:, 1]])).reshape(-1, 2, 2)
    add_lines(ax, lines, color=INK, linewidth=0.9, zorder=LINE_ORDER)
    write_lengths(ax, lines)
    return ax


def legal(
    board: Board,
    positions: ArrayLike,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: t9a.Rules = t9a.THIRD_EDITION,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Mark the units that may not stand where they are, each with the reason.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    rules : ninthgeom.t9a.Rules
        As in `ninthgeom.t9a.legal`.
    draw_board : bool
        False draws the marks only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes; units that may not stand where they are have a thick edge and a note: "off the table";
        "overlapping" another unit or impassable terrain, by more than a touch; else "too near" to one.

    See Also
    --------
    ninthgeom.t9a.legal, ninthgeom.t9a.overlaps

    Examples
    --------
    >>> from ninthgeom import Board, Unit, plot
    >>> axes = plot.legal(Board([Unit("lost", (50, 50))]), [[0.5, 24, 0]])
    >>> axes.texts[-1].get_text()
    'off the table'
    """
    scene = Scene(board, positions, present, occupied)
    ax = draw_scene(scene, ax, draw_board)
    masks: dict[str, Any] = {"present": scene.present, "occupied": scene.occupied, "rules": rules}
    wrong = np.flatnonzero(is_here(scene) & ~t9a.legal(board, scene.positions, **masks))
    on_table = t9a.on_table(board, scene.positions, **masks)
    upon = _upon_others(board, t9a.overlaps(board, scene.positions, **masks))
    boundaries = board.boundaries(scene.positions, scene.occupied)
    add_bases(ax, boundaries[wrong], edgecolor=BAD, linewidth=2.2, zorder=LINE_ORDER, label="not legal")
    for unit in wrong.tolist():
        reason = "overlapping" if upon[unit] else "too near"
        reason = reason if on_table[unit] else "off the table"
        write_note(ax, (float(boundaries[unit].x), float(boundaries[unit].y)), reason, BAD)
    show_legend(ax)
    return ax


def _upon_others(board: Board, rows: Rows) -> BoolArray:
    """Return which units lie on other units or on impassable terrain, more than touching them."""
    is_impassable = np.array([piece.kind == "impassable" for piece in board.terrain], np.bool_)
    counts = ~rows.is_terrain
    counts[rows.is_terrain] = is_impassable[rows.other[rows.is_terrain]]
    upon = np.zeros(len(board), np.bool_)
    upon[rows.unit[counts & (rows.relation >= Relation.PARTIAL)]] = True
    return upon


def _unit_pairs(board: Board, observers: Units, targets: Units, here: BoolArray) -> IntArray:
    """Return each pair of two different units, present both, once; shape (n, 2)."""
    chosen = unit_indices(board, observers, "observers"), unit_indices(board, targets, "targets")
    one, other = (indices.ravel() for indices in np.meshgrid(*chosen, indexing="ij"))
    pairs: IntArray = np.stack([one, other], axis=1)[(one != other) & here[one] & here[other]]
    if not len(pairs):
        return pairs
    _, first = np.unique(np.sort(pairs, axis=1), axis=0, return_index=True)
    kept: IntArray = pairs[np.sort(first)]
    return kept


def _quarters(corners: FloatArray, reach: float) -> list[Any]:
    """Return the front, left, rear and right arc of a rectangle up to a reach."""
    front_left, front_right, rear_right, rear_left = corners
    forward, left = front_left - rear_left, front_left - front_right
    forward, left = (way / max(float(np.hypot(*way)), 1e-300) for way in (forward, left))
    edges = [
        (front_right, front_left, forward, left),
        (front_left, rear_left, left, -forward),
        (rear_left, rear_right, -forward, -left),
        (rear_right, front_right, -left, forward),
    ]
    return [
        shapely.Polygon([start, end, end + reach * (out + along), start + reach * (out - along)])
        for start, end, out, along in edges
    ]
