"""Skirmish games: coherency, who is engaged, routes, paths and moves."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
import shapely
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ninthgeom import skirmish
from ninthgeom._arrays import FloatArray, IntArray, as_floats, as_number
from ninthgeom.bases import Bases
from ninthgeom.board import Board
from ninthgeom.measure import shortest_line
from ninthgeom.plot._links import link_lines
from ninthgeom.plot._notes import write_length, write_round
from ninthgeom.plot._style import (
    AREA_ORDER,
    BAD,
    FAINT,
    GOOD,
    INK,
    LINE_ORDER,
    MARK_ORDER,
    show_legend,
)
from ninthgeom.plot._ways import cut, draw_stop, free_place, piece_shape
from ninthgeom.plot.board import draw_scene, is_here
from ninthgeom.plot.shapes import add_bases, add_lines
from ninthgeom.scene import Scene
from ninthgeom.skirmish._leaders import Leaders, checked_leaders

__all__ = ["coherency", "engaged", "moves", "paths_clear", "routes"]

_MOVED: Final = "#5a189a"


def coherency(
    board: Board,
    positions: ArrayLike,
    leaders: Leaders,
    *,
    radius: ArrayLike = 3.0,
    ground: skirmish.Ground | None = None,
    rules: skirmish.Rules = skirmish.STANDARD,
    present: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw which groups are in coherency: the radius round each leader, the links, who is the reason if not.

    Parameters
    ----------
    board, positions, present, ax
        As for `ninthgeom.plot.board`.
    leaders, radius, ground, rules
        As in `ninthgeom.skirmish.coherency`.
    draw_board : bool
        False draws the answer only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. The curve round a leader is `radius` from the edge of its base, solid if the group is in
        coherency, else dashed; models must be wholly inside it. A line between two models says that one link
        joins them; it runs where they are nearest, or else beside what is in the way there. Models that are
        the reason have a thick edge and a note: too far, not linked, or both.

    See Also
    --------
    ninthgeom.skirmish.coherency

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/skirmish.json")
    >>> leaders = ["Rifle 1", "Guard 1", "Mortar", "Claw 1", "Spitter 1", "Shell 1"]
    >>> axes = plot.coherency(scene.board, scene.positions, leaders)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['in coherency', 'out of coherency', 'link', 'the reason']
    """
    scene = Scene(board, positions, present)
    numbers = _one_leader_each(board, leaders)
    options: dict[str, Any] = {"ground": ground, "rules": rules}
    found = skirmish.coherency(
        board, scene.positions, leaders, radius=radius, present=scene.present, **options
    )
    ax = draw_scene(scene, ax, draw_board)
    here = is_here(scene)
    bases = board.boundaries(scene.positions)
    reach = np.broadcast_to(as_floats("radius", radius), int(np.max(board.group, initial=-1)) + 1)
    groups = board.group[numbers]
    for is_in, label, dashes in ((True, "in coherency", "-"), (False, "out of coherency", "--")):
        some = numbers[found.in_coherency[groups] == is_in]
        add_bases(
            ax,
            _grown(bases[some], reach[board.group[some]]),
            edgecolor=GOOD if is_in else BAD,
            linestyle=dashes,
            linewidth=1.2,
            zorder=AREA_ORDER,
            label=label,
        )
    links = [line for leader in numbers for line in link_lines(scene, int(leader), here, bases, options)]
    add_lines(ax, links, color=GOOD, linewidth=1.2, zorder=LINE_ORDER, label="link")
    add_bases(ax, bases[numbers], edgecolor=INK, linewidth=1.8, zorder=MARK_ORDER)
    asked = here & np.isin(board.group, groups)
    wrong = np.flatnonzero(asked & ~(found.within_radius & found.linked))
    add_bases(ax, bases[wrong], edgecolor=BAD, linewidth=2.2, zorder=MARK_ORDER, label="the reason")
    for unit in wrong.tolist():
        reasons = ("too far", found.within_radius[unit]), ("not linked", found.linked[unit])
        note = ", ".join(reason for reason, is_good in reasons if not is_good)
        write_round(ax, bases[unit].bounds, note, BAD, bases[here].bounds)
    show_legend(ax)
    return ax


def engaged(
    board: Board,
    positions: ArrayLike,
    *,
    rules: skirmish.Rules = skirmish.STANDARD,
    present: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw which models are engaged with which enemies.

    Parameters
    ----------
    board, positions, present, ax
        As for `ninthgeom.plot.board`.
    rules
        As in `ninthgeom.skirmish.engaged`.
    draw_board : bool
        False draws the lines only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with a line between two models that are engaged, where they are nearest, and a thick edge
        round each.

    See Also
    --------
    ninthgeom.skirmish.engaged

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/skirmish.json")
    >>> axes = plot.engaged(scene.board, scene.positions)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['engaged']
    """
    scene = Scene(board, positions, present)
    pairs = skirmish.engaged(board, scene.positions, rules=rules, present=scene.present)
    ax = draw_scene(scene, ax, draw_board)
    bases = board.boundaries(scene.positions)
    one, other = np.nonzero(np.triu(pairs))
    lines = np.asarray(shortest_line(bases[one], bases[other])).reshape(-1, 2, 2)
    add_lines(ax, lines, color=BAD, linewidth=2.0, zorder=LINE_ORDER)
    some = np.flatnonzero(pairs.any(axis=1))
    add_bases(ax, bases[some], edgecolor=BAD, linewidth=1.8, zorder=MARK_ORDER, label="engaged")
    show_legend(ax)
    return ax


def routes(
    board: Board,
    positions: ArrayLike,
    found: skirmish.Routes,
    *,
    present: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw shortest routes, each with its length; those that are equally short too.

    Parameters
    ----------
    board, positions, present, ax
        As for `ninthgeom.plot.board`.
    found : ninthgeom.skirmish.Routes
        What `ninthgeom.skirmish.routes` or a `skirmish.RouteMap` has answered for this state.
    draw_board : bool
        False draws the routes only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. Questions without a way have no line.

    Examples
    --------
    >>> import numpy as np
    >>> from ninthgeom import Board, Terrain, plot, skirmish
    >>> board = Board([], [Terrain([(10, 10), (12, 10), (12, 14), (10, 14)], kind="ruin")], size=(24, 24))
    >>> nobody = np.empty((0, 3))
    >>> axes = plot.routes(board, nobody, skirmish.routes(board, nobody, (9, 12), (13, 12), gap=1.0))
    >>> axes.texts[-1].get_text()
    '6.47"'
    """
    if not isinstance(found, skirmish.Routes):
        raise TypeError(f"found must be Routes, got {type(found).__name__}")
    scene = Scene(board, positions, present)
    ax = draw_scene(scene, ax, draw_board)
    lines = [found.line(route) for route in range(len(found))]
    add_lines(ax, lines, color=_MOVED, linewidth=1.6, zorder=LINE_ORDER)
    ends = [line[k] for line in lines for k in (0, -1)]
    if ends:
        ax.plot(*np.transpose(ends), "o", color=_MOVED, markersize=4, zorder=LINE_ORDER)
    taken: list[Any] = []
    for question, length in enumerate(found.length.ravel().tolist()):
        own = range(int(found.routes[question]), int(found.routes[question + 1]))
        if len(own):
            others = [shapely.LineString(line) for route, line in enumerate(lines) if route not in own]
            at = free_place(lines[own[0]], [*others, *taken])
            write_length(ax, at, length)
            taken.append(shapely.Point(at))
    return ax


def paths_clear(
    board: Board,
    positions: ArrayLike,
    mover: int | str,
    path: ArrayLike,
    *,
    allowance: float | None = None,
    ground: skirmish.Ground | None = None,
    rules: skirmish.Rules = skirmish.STANDARD,
    present: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw a path of a model as far as it gets, and what stops it.

    Parameters
    ----------
    board, positions, present, ax
        As for `ninthgeom.plot.board`.
    mover : int or str
        Index or name of the model that moves.
    path : array_like, shape (V, 2)
        Vertices of the path, in inches.
    allowance, ground, rules
        As in `ninthgeom.skirmish.paths_clear`.
    draw_board : bool
        False draws the path only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. The path is solid as far as it may go and dashed from there. A gap that is too narrow is a
        line between its two sides with its width; a piece that the path runs into has a thick edge.

    See Also
    --------
    ninthgeom.skirmish.paths_clear

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/skirmish.json")
    >>> axes = plot.paths_clear(scene.board, scene.positions, "Rifle 4", [(12, 12), (30, 15)])
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['as far as it may go', 'further', 'stops it']
    """
    scene = Scene(board, positions, present)
    points = as_floats("path", path)
    if points.ndim != 2:
        raise ValueError(f"path must be one path, of shape (V, 2), got {points.shape}")
    limit = np.inf if allowance is None else as_number("allowance", allowance)
    if not isinstance(mover, str) and np.ndim(mover):
        raise ValueError(f"mover must be one model, got {mover!r}")
    check = skirmish.paths_clear(
        board,
        scene.positions,
        mover,
        points,
        allowance=allowance,
        ground=ground,
        rules=rules,
        present=scene.present,
    )
    ax = draw_scene(scene, ax, draw_board)
    stop = min(float(check.stopped_at), limit)
    before, after = cut(points[~np.isnan(points).any(axis=1)], stop)
    add_lines(ax, before, color=_MOVED, linewidth=1.8, zorder=LINE_ORDER, label="as far as it may go")
    add_lines(ax, after, color=_MOVED, linewidth=1.2, linestyle="--", zorder=LINE_ORDER, label="further")
    sides = [piece_shape(scene, piece, ground) for piece in check.gap.tolist() if piece >= 0]
    draw_stop(ax, check, sides, after[0][1] - after[0][0] if after else np.zeros(2))
    show_legend(ax)
    return ax


def moves(
    board: Board,
    positions: ArrayLike,
    after: skirmish.Move | skirmish.Placement,
    *,
    present: ArrayLike | None = None,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw a move: where models stood, where they stand, the way of the leader.

    Parameters
    ----------
    board, positions, present, ax
        As for `ninthgeom.plot.board`; the positions are those before the move.
    after : ninthgeom.skirmish.Move or ninthgeom.skirmish.Placement
        What `skirmish.move_group`, `skirmish.move_directly` or `skirmish.place` has answered for this state.
    draw_board : bool
        False draws the moved models only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with the state after the move; dashed where models that moved stood before, with an arrow
        from there, and the way of the leader.

    Examples
    --------
    >>> from ninthgeom import plot, read_scene, skirmish
    >>> scene = read_scene("examples/skirmish.json")
    >>> board, positions = scene.board, scene.positions
    >>> move = skirmish.move_group(board, positions, "Rifles", [(12, 12), (12, 14)], leader="Rifle 4")
    >>> axes = plot.moves(board, positions, move)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['before', 'way of the leader']
    """
    if not isinstance(after, skirmish.Move | skirmish.Placement):
        raise TypeError(f"after must be a Move or a Placement, got {type(after).__name__}")
    before = Scene(board, positions, present)
    if after.positions.shape != before.positions.shape:
        raise ValueError(
            f"after must be of this one state: positions have shape {before.positions.shape}, "
            f"its own {after.positions.shape}"
        )
    scene = Scene(board, after.positions, present)
    ax = draw_scene(scene, ax, draw_board)
    moved = np.flatnonzero(is_here(scene) & (before.positions != scene.positions).any(axis=1))
    old, new = board.boundaries(before.positions)[moved], board.boundaries(scene.positions)[moved]
    add_bases(ax, old, edgecolor=FAINT, linestyle="--", linewidth=1.0, zorder=MARK_ORDER, label="before")
    if len(moved):
        ax.quiver(
            old.x,
            old.y,
            new.x - old.x,
            new.y - old.y,
            angles="xy",
            scale_units="xy",
            scale=1.0,
            width=0.0025,
            headwidth=6.0,
            headlength=8.0,
            headaxislength=7.0,
            color=FAINT,
            zorder=LINE_ORDER,
        )
    if isinstance(after, skirmish.Move) and len(after.points):
        add_lines(
            ax, [after.line()], color=_MOVED, linewidth=1.8, zorder=LINE_ORDER, label="way of the leader"
        )
    show_legend(ax)
    return ax


def _one_leader_each(board: Board, leaders: Leaders) -> IntArray:
    """Return the leaders of one state, without the groups that have none."""
    numbers = checked_leaders(board, leaders)
    if numbers.ndim != 1:
        raise ValueError(f"leaders must be those of one state, got shape {numbers.shape}")
    return numbers[numbers >= 0]


def _grown(bases: Bases, reach: FloatArray) -> Bases:
    """Return the bases with all that is within a reach of them."""
    wider, deeper = bases.width + 2 * reach, bases.depth + 2 * reach
    return Bases(bases.x, bases.y, bases.heading, width=wider, depth=deeper, radius=bases.radius + reach)
