"""Close combat: which models are in contact, across which gaps, and who may attack whom."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike, NDArray

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import Bases
from ninthgeom.measure import shortest_line
from ninthgeom.plot._contact_lines import FACINGS, Room
from ninthgeom.plot._style import INK, LINE_ORDER, MARK_ORDER, show_legend
from ninthgeom.plot.board import draw_scene, is_here
from ninthgeom.plot.shapes import add_lines
from ninthgeom.scene import Scene

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.rows import Rows

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
# Attackers and attacked are this much of their bases while an arrow joins them.
_INNER: Final = 0.5
# Half the space between arrows there and back, in inches.
_BESIDE: Final = 0.06


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
        a line straight across in the middle of the widest part where nothing is in between; of who stands
        before a round base that part of the edge is marked, with a line straight ahead to the base; duels are
        dashed. Engaged facings of units are black. Arrows lead from the inner half of a base to that of
        another one.

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
    scene = Scene(board, positions, present, occupied)
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
    room = _room(scene, bases, living, boundaries, rules)
    once = rows[rows.model < rows.other]
    for kind, (label, colour, dashes, width) in _KINDS.items():
        some = once[once.kind == kind]
        lines = [
            room.line(kind, *(int(value) for value in row))
            for row in zip(some.model, some.other, some.facing, some.other_facing, strict=True)
        ]
        add_lines(
            ax,
            lines,
            color=colour,
            linestyle=dashes,
            linewidth=width,
            # corner on corner shows as a dot
            capstyle="round" if kind == t9a.ContactKind.TOUCH else "butt",
            zorder=LINE_ORDER,
            label=label,
        )
    if attacks:
        rights = t9a.may_attack(board, rows, duels=duels, occupied=scene.occupied, rules=rules)
        _draw_arrows(ax, bases, rights)
    show_legend(ax)
    return ax


def _boundary_masks(ask: dict[str, Any], frozen: ArrayLike | None) -> dict[str, Any]:
    """Return the masks that boundaries go by."""
    return ask if frozen is None else ask | {"occupied": frozen}


def _room(scene: Scene, bases: Bases, living: BoolArray, boundaries: Bases, rules: t9a.Rules) -> Room:
    """Return what stands where models may be in contact across gaps."""
    board, here = scene.board, is_here(scene)
    stops = rules.gap_stops_at == "boundaries"
    walls = board.impassable_outlines
    return Room(
        bases,
        living & here[board.model_unit],
        boundaries,
        here & stops,
        board.model_unit,
        walls if stops and len(walls) else None,
    )


def _engaged(boundaries: Bases, facings: NDArray[np.uint8]) -> list[FloatArray]:
    """Return the edges of the rectangles through which they are engaged."""
    corners = boundaries.corners()
    together = np.bitwise_or.reduce(facings, axis=1)
    return [
        corners[unit][list(ends)]
        for unit in np.flatnonzero(~(boundaries.radius > 0)).tolist()
        for flag, ends in FACINGS.items()
        if together[unit] & flag
    ]


def _draw_arrows(ax: Axes, bases: Bases, rights: Rows) -> None:
    inner = Bases(
        bases.x,
        bases.y,
        bases.heading,
        width=bases.width * _INNER,
        depth=bases.depth * _INNER,
        radius=bases.radius * _INNER,
    )
    for reason, (label, colour) in _REASONS.items():
        some = rights[rights.reason == reason]
        if not len(some):
            continue
        start, end = (
            np.asarray(shortest_line(inner[some.model], inner[some.other])).reshape(-1, 2, 2).swapaxes(0, 1)
        )
        ways = end - start
        lengths = np.maximum(np.hypot(*ways.T), 1e-300)[:, None]
        # Arrows there and back run beside each other.
        beside = np.stack([-ways[:, 1], ways[:, 0]], axis=1) / lengths * _BESIDE
        ax.quiver(
            *(start + beside).T,
            *ways.T,
            angles="xy",
            scale_units="xy",
            scale=1.0,
            # as wide on paper whatever the scale
            units="inches",
            width=0.016,
            headwidth=5.0,
            color=colour,
            alpha=0.9,
            zorder=LINE_ORDER + 0.1,
            label=label,
        )
