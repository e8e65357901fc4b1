"""What is in the way of sight, and of which lines."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
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


@dataclass(frozen=True, eq=False)
class Blocks:
    """What counts for which pair: what counts for the eye and for the sink, each of which may spare it.

    Attributes
    ----------
    eyes : ndarray of bool, shape (S or 1, n or 1, blockers + terrain)
    sinks : ndarray of bool, shape (S or 1, m or 1, blockers + terrain)
    """

    eyes: BoolArray
    sinks: BoolArray

    def mask(self) -> BoolArray:
        """Return it as a mask of pairs, shape (S or 1, n or 1, m or 1, blockers + terrain)."""
        return self.eyes[:, :, None] & self.sinks[:, None]

    def all_of(self, columns: IntArray) -> BoolArray:
        """Return the pairs for which all of some columns count, shape (S or 1, n or 1, m or 1)."""
        eyes, sinks = (np.logical_and.reduce(part[..., columns], axis=-1) for part in (self.eyes, self.sinks))
        return np.asarray(eyes[:, :, None] & sinks[:, None])

    def without(self, columns: IntArray) -> Blocks:
        """Return what still counts if some columns do not."""
        eyes = self.eyes.copy()
        eyes[..., columns] = False
        return Blocks(eyes, self.sinks)

    def of(self, states: IntArray, eyes: IntArray, sinks: IntArray) -> Blocks:
        """Return what counts in some states for some of the eyes and sinks."""
        return Blocks(_taken(self.eyes, states, eyes), _taken(self.sinks, states, sinks))


def blocking(
    eyes: Things, sinks: Things, blockers: Things, heights: NDArray[np.int8], rules: Rules
) -> Blocks:
    """Return what counts for which pair.

    Neither the observer's own unit nor the target's ever counts; whether something is there at all does not
    matter here. What has to be as high as the higher of two has to be as high as both.
    """
    return Blocks(
        _counting(eyes, blockers, heights, rules, elevated=bool(eyes.elevated.any())),
        _counting(sinks, blockers, heights, rules, elevated=False),
    )


def _counting(
    ends: Things, blockers: Things, heights: NDArray[np.int8], rules: Rules, *, elevated: bool
) -> BoolArray:
    """Return what counts for eyes or sinks, shape (S or 1, n or 1, blockers + terrain)."""
    is_high_enough = _IS_HIGH_ENOUGH[rules.los_height_op]
    needed = _heights(ends)[:, :, None]
    units = is_high_enough(_heights(blockers)[:, None], needed)
    if rules.tall_exempt:
        # Of a height, Tall is the odd number and anybody else the even one before it.
        is_below = blockers.rank[:, None] == (ends.rank - 1)[:, :, None]
        units &= ~(is_below & (ends.rank & 1 > 0)[:, :, None])
    if elevated:
        units = units & (blockers.elevated[:, None] | ~ends.elevated[:, :, None])
    units = units & (blockers.unit[:, None] != ends.unit[:, :, None])
    terrain = is_high_enough(heights, needed)
    n_states, n = np.broadcast_shapes(units.shape[:-1], terrain.shape[:-1])
    counting = np.empty((n_states, n, len(blockers) + len(heights)), np.bool_)
    counting[..., : len(blockers)] = units
    counting[..., len(blockers) :] = terrain
    return counting


def _taken(mask: BoolArray, *places: IntArray) -> BoolArray:
    """Take places along the first axes of a mask, where these are longer than 1."""
    for axis, chosen in enumerate(places):
        if mask.shape[axis] > 1:
            mask = np.take(mask, chosen, axis=axis)
    return mask


def _heights(things: Things) -> NDArray[np.int8]:
    return (things.rank >> 1).astype(np.int8)  # small numbers are compared many at a time
