"""Coherency Links between two models, which the answer of `coherency` sums up for whole groups."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely

from ninthgeom import skirmish
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import Bases
from ninthgeom.board import Board, Unit
from ninthgeom.measure import shortest_line

if TYPE_CHECKING:
    from ninthgeom.scene import Scene

# Between so many points of either base lines are tried where the nearest points will not do.
_POINTS: Final = 32


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
    pairs = np.stack([one[joined], other[joined]], axis=1)
    room = _Room(scene, leader, here, options)
    lines: FloatArray = np.asarray(shortest_line(bases[pairs[:, 0]], bases[pairs[:, 1]])).reshape(-1, 2, 2)
    for line, pair in zip(lines, pairs, strict=True):
        if not room.free(line[None])[0]:
            _run_round(line, bases[pair], room)
    return list(lines)


class _Room:
    """What links of a group must keep off, asked as of a path of the leader."""

    def __init__(self, scene: Scene, leader: int, here: BoolArray, options: dict[str, Any]) -> None:
        own = here & (scene.board.group == scene.board.group[leader])
        # Enemies that the group is engaged with are in nobody's way.
        fought = skirmish.engaged(scene.board, scene.positions, rules=options["rules"], present=here)
        present = here & ~fought[own].any(axis=0)
        present[leader] = True
        self._ask = scene.board, scene.positions, leader
        self._options = options | {"present": present}

    def free(self, lines: FloatArray) -> BoolArray:
        """Return which lines, (n, 2, 2), nothing stops."""
        return skirmish.paths_clear(*self._ask, lines, **self._options).clear


def _run_round(line: FloatArray, bases: Bases, room: _Room) -> None:
    """Write the shortest of many lines between two bases that nothing stops; if there is none, leave it."""
    one, other = (_points(base) for base in bases)
    lines = np.stack([np.repeat(one, len(other), axis=0), np.tile(other, (len(one), 1))], axis=1)
    free = lines[room.free(lines)]
    if len(free):
        line[:] = free[np.argmin(np.hypot(*(free[:, 1] - free[:, 0]).T))]


def _points(base: Bases) -> FloatArray:
    """Return points all along the outline of a base."""
    outline = base.to_shapely().exterior
    points: FloatArray = shapely.get_coordinates(
        outline.interpolate(np.linspace(0, 1, _POINTS, endpoint=False), normalized=True)
    )
    return points


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
