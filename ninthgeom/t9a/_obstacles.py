"""What is in the way of sight, and of which lines."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom.attached import HIGHEST
from ninthgeom.t9a._merging import joined_bases, kinds_of
from ninthgeom.t9a._things import Pieces, Things
from ninthgeom.t9a.rules import HeightComparison, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.t9a._setting import Setting

IntArray: TypeAlias = NDArray[np.intp]

_IS_HIGH_ENOUGH: dict[HeightComparison, Callable[[Any, Any], Any]] = {">=": operator.ge, ">": operator.gt}


def unit_blockers(setting: Setting) -> Things:
    """Return everything of the units that may be in the way.

    Where boundaries block, single models do so beside them only if they are higher than their boundary, or
    elevated while it is not; of the others the boundary has hidden what they would.
    """
    rules, table = setting.rules, setting.table
    may_block = rules.skirmish_blocks | ~table.is_skirmish
    units = np.flatnonzero(may_block)
    if rules.boundary_blocks:
        pieces = [piece for u in units.tolist() for piece in models_above(setting, u)]
        pieces += [piece for u in units.tolist() for piece in _models_on_a_hill(setting, u)]
        models = setting.place(pieces)
        if setting.elevated is not None:  # else masks would differ from state to state for this alone
            models = [things.packed() for things in models]
        return Things.joined([setting.boundaries(units), *models])
    single = np.array([unit.n_slots == 1 for unit in table.units], np.bool_)
    pieces = [piece for u in np.flatnonzero(may_block & ~single).tolist() for piece in _bases(setting, u)]
    return Things.joined(
        [_single_models(setting, np.flatnonzero(may_block & single)), *setting.place(pieces)]
    )


def models_above(setting: Setting, u: int) -> list[Pieces]:
    """Return the living models of a unit that are higher, or as high and Tall, than its boundary is."""
    table = setting.table.units[u]
    if not table.is_mixed:
        return []

    def found() -> list[Pieces]:
        above = setting.living[:, table.slots] & (table.ranks > setting.boundary_rank[:, u, None])
        return _chosen(setting, u, above) if above.any() else []

    return setting.known(f"models above, {setting.rules.tall_exempt}, {u}", found, u)


def _models_on_a_hill(setting: Setting, u: int) -> list[Pieces]:
    """Return the living models of a unit that are elevated while its boundary is not."""
    if setting.elevated is None:
        return []
    table = setting.table.units[u]
    above = setting.elevated[:, table.slots] & ~setting.elevated_boundary[:, u, None]
    above &= setting.living[:, table.slots]
    return _chosen(setting, u, above) if above.any() else []


def _bases(setting: Setting, u: int) -> list[Pieces]:
    """Return the bases of all living models of a unit."""
    slots = setting.table.units[u].slots
    return setting.known(
        f"bases, {setting.rules.tall_exempt}, {u}",
        lambda: _chosen(setting, u, setting.living[:, slots]),
        u,
    )


def _chosen(setting: Setting, u: int, chosen: BoolArray) -> list[Pieces]:
    table = setting.table.units[u]
    elevated = setting.elevated_models(u)
    kinds = np.where(chosen, kinds_of(table.ranks, elevated), 0)
    return joined_bases(u, table, kinds)


def _single_models(setting: Setting, units: IntArray) -> Things:
    """Return units of one model, whose boundary is the base."""
    things = setting.boundaries(units)
    if setting.elevated is None or not len(units):
        return things
    slots = [setting.board.model_slices[u].start for u in units.tolist()]
    return Things(things.bases, things.unit, things.rank, setting.elevated[:, slots], things.there)


def terrain_heights(board: Board) -> NDArray[np.int8]:
    """Return the heights of the opaque terrain, of what always blocks one above all heights."""
    opaque = [piece for piece in board.terrain if piece.opaque]
    return np.array([HIGHEST + 1 if piece.height is None else piece.height for piece in opaque], np.int8)


def blocking(
    eyes: Things, sinks: Things, blockers: Things, heights: NDArray[np.int8], rules: Rules
) -> BoolArray:
    """Return what counts for which pair, shape (S or 1, n, m, blockers + terrain).

    Neither the observer's own unit nor the target's ever counts; whether something is there at all does not
    matter here.
    """
    is_high_enough = _IS_HIGH_ENOUGH[rules.los_height_op]
    eye_height, sink_height, height = (_heights(part) for part in (eyes, sinks, blockers))
    needed = np.maximum(eye_height[:, :, None], sink_height[:, None, :])[..., None]
    height = height[:, None, None, :]
    units = is_high_enough(height, needed)
    if rules.tall_exempt:
        units &= ~_spared_by_tallness(eyes, sinks, blockers)
    if eyes.elevated.any():
        low = ~blockers.elevated
        units = units & ~(eyes.elevated[:, :, None] & low[:, None, :])[:, :, None, :]
    unit = blockers.unit[:, None, None, :]
    units = units & (unit != eyes.unit[:, :, None, None])
    units &= unit != sinks.unit[:, None, :, None]
    terrain = is_high_enough(heights, needed)
    leading = np.broadcast_shapes(units.shape[:-1], terrain.shape[:-1])
    blocks = np.empty((*leading, len(blockers) + len(heights)), np.bool_)
    blocks[..., : len(blockers)] = units
    blocks[..., len(blockers) :] = terrain
    return blocks


def _heights(things: Things) -> NDArray[np.int8]:
    return (things.rank >> 1).astype(np.int8)  # small numbers are compared many at a time


def _spared_by_tallness(eyes: Things, sinks: Things, blockers: Things) -> BoolArray:
    """Return which blockers are as high as a Tall observer or target, but not Tall themselves."""
    # Of a height, Tall is the odd number and anybody else the even one before it.
    rank = blockers.rank[:, None, None, :]
    of_eyes = rank == (eyes.rank - 1)[:, :, None, None]
    of_eyes &= (eyes.rank & 1 > 0)[:, :, None, None]
    of_sinks = rank == (sinks.rank - 1)[:, None, :, None]
    of_sinks &= (sinks.rank & 1 > 0)[:, None, :, None]
    spared: BoolArray = of_eyes | of_sinks
    return spared
