"""Models that are linked to their leader by lines that keep off everything, which are nearly all."""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._obstacles import Obstacles, Standing
from ninthgeom.skirmish._states import States

# Pieces near a group, at first.
_ROOM: Final = 8
_FLIES: Final = -1.0


def plain_links(
    states: States, obstacles: Obstacles, members: Members, present: BoolArray, leaders: IntArray
) -> tuple[BoolArray, BoolArray]:
    """Return who is linked for certain, (S, U), and which groups are left to look at, (S, G).

    All models of other groups count as pieces, and all that flies or that the group may pass too: a line that
    keeps off more pieces is free the more.
    """
    from ninthgeom_kernel import plain_links as kernel

    n_states, n_units = present.shape
    pieces, rounds = _pieces(obstacles.standing)
    n_groups = leaders.shape[1]
    begin = np.empty(n_states * n_groups + 1, np.int64)
    boxes = np.empty((4, n_groups))
    tol = obstacles.standing.tol
    leaders = np.ascontiguousarray(leaders)
    groups = obstacles.columns, members.order, members.starts
    widths = np.array(
        [_FLIES if unit.flying else states.rules.gap_width(unit) for unit in states.board.units]
    )
    asked = *groups, present, leaders, widths
    room = _ROOM * n_states * n_groups + len(rounds) + n_units
    near, circles = np.empty(room, np.int64), np.empty((room, 3))
    while not kernel.pieces_near(*asked, rounds, tol, boxes, begin, near, circles):
        room *= 4
        near, circles = np.empty(room, np.int64), np.empty((room, 3))
    linked, left = ~present, np.empty((n_states, n_groups), np.bool_)
    queue = np.empty(n_units, np.int64)
    # those who are not there need no link
    kernel.plain_links(*groups, leaders, widths, pieces, begin, near, circles, tol, queue, linked, left)
    linked &= present
    return linked, left


def _pieces(standing: Standing) -> tuple[FloatArray, FloatArray]:
    """Return convex pieces of terrain, and closed openings, as the kernel takes them, made once."""
    known: tuple[Any, Any] | None = standing.derived.get("plain pieces")
    if known is None:
        pieces = standing.outlines.pieces
        openings = np.empty((len(standing.closed), 2, pieces.width))
        openings[:, :, :1], openings[:, :, 1:] = standing.closed[:, :2, None], standing.closed[:, 2:, None]
        vertices = np.concatenate([pieces.vertices[0], openings])
        low, high = vertices.min(axis=2), vertices.max(axis=2)
        reach = np.hypot(*(high - low).T) / 2
        rounds = np.concatenate([(low + high) / 2, reach[:, None]], axis=1)
        side = np.roll(vertices, -1, axis=2) - vertices
        normals = np.stack([side[:, 1], -side[:, 0]], axis=1)
        normals /= np.maximum(np.hypot(normals[:, :1], normals[:, 1:]), np.finfo(float).tiny)
        known = standing.derived["plain pieces"] = np.concatenate([vertices, normals], axis=1), rounds
    return known
