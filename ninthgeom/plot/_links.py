"""Coherency Links between two models, which the answer of `coherency` sums up for whole groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ninthgeom import skirmish
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import Bases
from ninthgeom.board import Board, Unit
from ninthgeom.measure import shortest_line

if TYPE_CHECKING:
    from ninthgeom.scene import Scene


def link_lines(
    scene: Scene, leader: int, here: BoolArray, bases: Bases, options: dict[str, Any]
) -> list[FloatArray]:
    """Return lines between those models of a group that one link joins, asked pair by pair."""
    board = scene.board
    members = np.flatnonzero(here & (board.group == board.group[leader]))
    one, other = (members[k] for k in np.triu_indices(len(members), 1))
    if not len(one):
        return []
    # In each state the one leads, with the Size of the leader, and no other model of the group is there.
    units = [
        _with_size(unit, board.units[leader].size) if number in members else unit
        for number, unit in enumerate(board.units)
    ]
    alike = Board(units, board.terrain, board.size)
    states = np.arange(len(one))
    present = np.repeat((here & (board.group != board.group[leader]))[None], len(one), axis=0)
    present[states, one] = present[states, other] = True
    leaders = np.full((len(one), int(board.group.max()) + 1), -1)
    leaders[:, board.group[leader]] = one
    found = skirmish.coherency(alike, scene.positions, leaders, present=present, **options)
    joined = found.linked[states, other]
    lines: FloatArray = np.asarray(shortest_line(bases[one[joined]], bases[other[joined]])).reshape(-1, 2, 2)
    return list(lines)


def _with_size(unit: Unit, size: int) -> Unit:
    return Unit(
        unit.name,
        unit.base_mm[0] if unit.shape == "round" else unit.base_mm,
        shape=unit.shape,
        side=unit.side,
        group=unit.group,
        height=unit.height,
        size=size,
        flying=unit.flying,
        tall=unit.tall,
    )
