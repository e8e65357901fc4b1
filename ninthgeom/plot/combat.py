"""Close combat: which models are in contact, across which gaps, and who may attack whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.arcs import Arc
from ninthgeom.bases import Bases
from ninthgeom.crossings import passes_through
from ninthgeom.measure import shortest_line
from ninthgeom.plot._style import INK, LINE_ORDER, MARK_ORDER, show_legend
from ninthgeom.plot.board import draw_scene, is_here, one_scene
from ninthgeom.plot.shapes import add_lines
from ninthgeom.segments import Segments

if TYPE_CHECKING:
    from ninthgeom.board import Board

__all__ = ["contacts"]

_KINDS: Final = {
    t9a.ContactKind.TOUCH: ("touching", "#d00000", "-", 3.0),
    t9a.ContactKind.GAP: ("across a gap", "#7b2cbf", "-", 1.6),
    t9a.ContactKind.ROUND: ("round base", "#0096c7", "-", 1.6),
    t9a.ContactKind.DUEL: ("duel", "#111111", "--", 1.2),
}
_REASONS: Final = {
    t9a.AttackReason.CONTACT: ("attacks: contact", "#d00000"),
    t9a.AttackReason.SUPPORT: ("attacks: support", "#e09f3e"),
    t9a.AttackReason.SWIRL: ("attacks: swirl", "#2a9d8f"),
    t9a.AttackReason.DUEL: ("attacks: duel", "#111111"),
}
# Corners of a base at the ends of each facing, by their places in `Bases.corners`.
_FACINGS: Final = {Arc.FRONT: (1, 0), Arc.LEFT: (0, 3), Arc.REAR: (3, 2), Arc.RIGHT: (2, 1)}
# What counts as touching an edge in a picture, in inches.
_NEAR: Final = 1e-3


def contacts(
    board: Board,
    positions: ArrayLike,
    *,
    duels: t9a.Duels | None = None,
    attacks: bool = False,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    frozen: ArrayLike | None = None,
    rules: t9a.Rules = t9a.THIRD_EDITION,
    draw_board: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw which models of opposing units are in contact and how, and who may attack whom.

    Parameters
    ----------
    board, positions, present, occupied, ax
        As for `ninthgeom.plot.board`.
    duels, frozen, rules
        As in `ninthgeom.t9a.contacts`.
    attacks : bool
        Whether to draw an arrow for each right to attack, by its reason.
    draw_board : bool
        False draws the contacts only.

    Returns
    -------
    matplotlib.axes.Axes
        The axes. What touches has a thick line along the common part of the edges; a contact across a gap has
        a line straight across where nothing is in between; a round base has one to who stands before it;
        duels are dashed. Engaged facings of units are black.

    See Also
    --------
    ninthgeom.t9a.contacts, ninthgeom.t9a.may_attack, ninthgeom.t9a.engaged_facings

    Examples
    --------
    >>> from ninthgeom import plot, read_scene
    >>> scene = read_scene("examples/combat.json")
    >>> axes = plot.contacts(scene.board, scene.positions)
    >>> [text.get_text() for text in axes.get_legend().get_texts()]
    ['engaged facing', 'touching', 'across a gap', 'round base']
    """
    scene = one_scene(board, positions, present, occupied)
    ask: dict[str, Any] = {"present": scene.present, "occupied": scene.occupied, "rules": rules}
    rows = t9a.contacts(board, scene.positions, duels=duels, frozen=frozen, **ask)
    ax = draw_scene(scene, ax, draw_board)
    bases, living = board.bases(scene.positions, scene.occupied)
    boundaries = board.boundaries(scene.positions, scene.occupied if frozen is None else frozen)
    add_lines(
        ax,
        _engaged(boundaries, t9a.engaged_facings(board, scene.positions, **_boundary_masks(ask, frozen))),
        color=INK,
        linewidth=2.0,
        zorder=MARK_ORDER,
        label="engaged facing",
    )
    there = living & is_here(scene)[board.model_unit]
    once = rows[rows.model < rows.other]
    for kind, (label, colour, dashes, width) in _KINDS.items():
        some = once[once.kind == kind]
        lines = [
            _line(bases, there, kind, *(int(value) for value in row))
            for row in zip(some.model, some.other, some.facing, some.other_facing, strict=True)
        ]
        add_lines(ax, lines, color=colour, linestyle=dashes, linewidth=width, zorder=LINE_ORDER, label=label)
    if attacks:
        rights = t9a.may_attack(board, rows, duels=duels, occupied=scene.occupied, rules=rules)
        _draw_arrows(ax, bases, rights)
    show_legend(ax)
    return ax


def _boundary_masks(ask: dict[str, Any], frozen: Any) -> dict[str, Any]:
    """Return the masks that boundaries go by."""
    return ask if frozen is None else ask | {"occupied": frozen}


def _engaged(boundaries: Bases, facings: Any) -> list[FloatArray]:
    """Return the edges of the rectangles through which they are engaged."""
    corners = boundaries.corners()
    together = np.bitwise_or.reduce(facings, axis=1)
    return [
        corners[unit][list(ends)]
        for unit in np.flatnonzero(~(boundaries.radius > 0)).tolist()
        for flag, ends in _FACINGS.items()
        if together[unit] & flag
    ]


def _line(
    bases: Bases,
    there: BoolArray,
    kind: t9a.ContactKind,
    model: int,
    other: int,
    facing: int,
    other_facing: int,
) -> FloatArray:
    """Return the line that shows how two models are in contact, shape (n, 2)."""
    one, two = bases[model], bases[other]
    if kind == t9a.ContactKind.DUEL:
        return np.array([[one.x, one.y], [two.x, two.y]])
    near: FloatArray = np.asarray(shortest_line(one, two)).reshape(2, 2)
    if kind == t9a.ContactKind.TOUCH:
        shared = shapely.intersection(one.to_shapely().buffer(_NEAR), two.to_shapely().buffer(_NEAR))
        # Along an edge this is a thin strip: its long middle line.
        strip = np.asarray(shared.minimum_rotated_rectangle.exterior.coords)[:4]
        sides = np.hypot(*(strip[1] - strip[0])), np.hypot(*(strip[2] - strip[1]))
        order = (0, 1, 2, 3) if sides[0] <= sides[1] else (1, 2, 3, 0)
        a, b, c, d = strip[list(order)]
        return np.array([(a + b) / 2, (c + d) / 2])
    if kind == t9a.ContactKind.GAP:
        others = there.copy()
        others[[model, other]] = False
        for flag, ends in _FACINGS.items():
            for flag_2, ends_2 in _FACINGS.items():
                if facing & flag and other_facing & flag_2:
                    across = _across(one.corners()[list(ends)], two.corners()[list(ends_2)], bases[others])
                    if across is not None:
                        return across
    return near


def _across(edge: FloatArray, other: FloatArray, between: Bases) -> FloatArray | None:
    """Return the line straight across from one edge to another in the middle of the widest open part."""
    way = (edge[1] - edge[0]) / max(float(np.hypot(*(edge[1] - edge[0]))), 1e-300)
    here, there, corners = ((points - edge[0]) @ way for points in (edge, other, between.corners()))
    low, high = max(here.min(), there.min()), min(here.max(), there.max())
    if low > high + _NEAR:
        return None
    marks = np.unique(np.concatenate([[low, high], corners[(corners > low) & (corners < high)]]))
    places = np.concatenate([(marks[1:] + marks[:-1]) / 2, marks])
    widths = np.concatenate([np.diff(marks), np.zeros(len(marks))])
    starts = edge[0] + places[:, None] * way
    ends = _at(other, there, places)
    blocked = passes_through(Segments(*starts.T, *ends.T)[:, None], between).any(axis=1)
    # Some rules let lines run through others: then the widest part will do.
    best = int(np.argmax(np.where(blocked & ~blocked.all(), -1.0, widths)))
    return np.array([starts[best], ends[best]])


def _at(edge: FloatArray, along: FloatArray, places: FloatArray) -> FloatArray:
    """Return the points of an edge at places along another one, between whose ends it reaches."""
    length = along[1] - along[0]
    share = (places - along[0]) / length if abs(length) > _NEAR else np.zeros(len(places))
    points: FloatArray = edge[0] + np.clip(share, 0.0, 1.0)[:, None] * (edge[1] - edge[0])
    return points


def _draw_arrows(ax: Axes, bases: Bases, rights: Any) -> None:
    for reason, (label, colour) in _REASONS.items():
        some = rights[rights.reason == reason]
        if not len(some):
            continue
        start, end = (
            np.stack([bases[slots].x, bases[slots].y], axis=1) for slots in (some.model, some.other)
        )
        ways = end - start
        lengths = np.maximum(np.hypot(*ways.T), 1e-300)[:, None]
        # Arrows there and back run beside each other.
        beside = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / lengths * 0.08
        ax.quiver(
            *(start + beside).T,
            *ways.T,
            angles="xy",
            scale_units="xy",
            scale=1.0,
            units="xy",
            width=0.05,
            headwidth=5.0,
            color=colour,
            alpha=0.8,
            zorder=LINE_ORDER,
            label=label,
        )
