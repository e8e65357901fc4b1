"""Who may attack whom in some states: the work behind `may_attack`.

Everything is an operation over all rows of these states. A model in a state is one number `at`, the state
times the number of slots plus its slot, which is also its place in masks over all slots of all states. A
right to attack is one number too, its *key*: `at`, the slot attacked and the reason in successive bits. So
sorted keys are sorted rights.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom._slots import IntArray
from ninthgeom.t9a._numbers import counted
from ninthgeom.t9a._places import Places
from ninthgeom.t9a.kinds import AttackReason

Keys: TypeAlias = NDArray[np.int64]

_REASON_BITS = max(AttackReason).bit_length()


@dataclass(frozen=True, eq=False)
class Forces:
    """What is the same in all states.

    Attributes
    ----------
    unit : ndarray of int, shape (M,)
        Unit of each slot.
    places : Places
        Ranks and files.
    fighting : ndarray of int, shape (U,)
        How many ranks of each unit may have attacks.
    plain : ndarray of bool, shape (M,)
        Rank-and-file slots, champions not counted.
    """

    unit: IntArray
    places: Places
    fighting: IntArray
    plain: BoolArray

    @property
    def n_slots(self) -> int:
        """Slots of the board, M."""
        return len(self.unit)

    @cached_property
    def slot_bits(self) -> int:
        """Bits that hold the number of a slot."""
        return max(1, self.n_slots - 1).bit_length()

    @cached_property
    def leads(self) -> BoolArray:
        """Slots of the first rank that somebody may support, shape (M,)."""
        in_front: BoolArray = (self.places.rank == 0) & (self.places.n_files > 0)
        return in_front & (self.fighting > 1)[self.unit]

    @cached_property
    def plain_slots(self) -> tuple[IntArray, IntArray, IntArray]:
        """The plain slots of all units, and for each unit where its own begin there and how many they are."""
        slots = np.flatnonzero(self.plain)
        count = np.bincount(self.unit[slots], minlength=len(self.fighting))
        return slots, np.cumsum(count) - count, count

    def keys(self, at: IntArray, other: IntArray, reason: AttackReason) -> Keys:
        """Return rights to attack as keys."""
        return (((at << self.slot_bits) | other) << _REASON_BITS) | reason

    def duel_keys(self, fights: Fights, reason: AttackReason) -> Keys:
        """Return the pairs of duellists as keys, first all against the second, then all against the first."""
        state = fights.state * self.n_slots
        first = self.keys(state + fights.first, fights.second, reason)
        second = self.keys(state + fights.second, fights.first, reason)
        return np.concatenate([first, second])

    def columns(self, keys: Keys) -> tuple[IntArray, IntArray, IntArray, NDArray[np.uint8]]:
        """Return state, model, other and reason of keys."""
        reason = (keys & ((1 << _REASON_BITS) - 1)).astype(np.uint8)
        other = (keys >> _REASON_BITS) & ((1 << self.slot_bits) - 1)
        at = keys >> (_REASON_BITS + self.slot_bits)
        state = at // max(1, self.n_slots)
        return state, at - state * self.n_slots, other, reason


class Touches(NamedTuple):
    """Rows of contacts.

    Attributes
    ----------
    at : ndarray of int, shape (k,)
        Model and state.
    model, other : ndarray of int, shape (k,)
        Slots of the model and of the one that it is in contact with.
    to_front : ndarray of bool, shape (k,)
        Whether models behind may support it in this contact.
    """

    at: IntArray
    model: IntArray
    other: IntArray
    to_front: BoolArray

    @property
    def to(self) -> IntArray:
        """The other model and state."""
        return self.at - self.model + self.other

    def where(self, mask: BoolArray) -> Touches:
        """Return the rows where a mask is True."""
        return self if mask.all() else Touches(*(column.compress(mask) for column in self))


class Fights(NamedTuple):
    """Active duels, one row for each and each of its states.

    Attributes
    ----------
    state, first, second : ndarray of int, shape (k,)
        State and slots.
    removed : ndarray of bool, shape (k, 2)
        Whether the two are removed, not to be seen from who is living alone.
    """

    state: IntArray
    first: IntArray
    second: IntArray
    removed: BoolArray


class _Reach(NamedTuple):
    """Which models reach which others, in contact or by support.

    Attributes
    ----------
    at, to : ndarray of int, shape (k,)
        The two models and their state.
    other : ndarray of int, shape (k,)
        Slot of the second.
    """

    at: IntArray
    to: IntArray
    other: IntArray


def attack_keys(forces: Forces, touches: Touches, fights: Fights, living: BoolArray) -> Keys:
    """Return the sorted rights to attack in S states.

    Parameters
    ----------
    forces : Forces
    touches : Touches
        Contacts, sorted.
    fights : Fights
        Duels.
    living : ndarray of bool, shape (S * M,)
        Slots that hold a living model.
    """
    duellist = None
    if len(fights.state):
        duellist = np.zeros(len(living), np.bool_)
        duellist[fights.state * forces.n_slots + fights.first] = True
        duellist[fights.state * forces.n_slots + fights.second] = True
    touches = touches.where(living.take(touches.at) & living.take(touches.to))
    supports = _supports(forces, touches, living, duellist)
    if duellist is not None:
        touches = touches.where(~duellist.take(touches.at))
    in_contact = _Reach(touches.at, touches.to, touches.other)
    keys = [_duels(forces, fights, living)]
    for reach, reason in ((in_contact, AttackReason.CONTACT), (supports, AttackReason.SUPPORT)):
        at, to, other = reach
        if duellist is not None:
            in_reach = ~duellist.take(to)
            at, other = at.compress(in_reach), other.compress(in_reach)
        keys += [forces.keys(at, other, reason), _swirls(forces, reach, living, duellist)]
    return _sorted_once(np.concatenate(keys))


def _supports(forces: Forces, touches: Touches, living: BoolArray, duellist: BoolArray | None) -> _Reach:
    """Return whom models of the rear ranks reach through the model of the first rank of their file."""
    places = forces.places
    free = living.copy()
    free[touches.at] = False
    if duellist is not None:
        free &= ~duellist
    rows = np.flatnonzero(touches.to_front & forces.leads.take(touches.model))
    model = touches.model.take(rows)
    other = touches.other.take(rows)
    state = touches.at.take(rows) - model
    file = places.first_file.take(model)
    n_files = places.n_files.take(model)
    if (n_files > 1).any():
        state, model, other = (np.repeat(column, n_files) for column in (state, model, other))
        file = np.repeat(file, n_files) + counted(n_files)
    fighting = forces.fighting.take(forces.unit.take(model))
    cell = places.file_start.take(file)
    found = [_Reach(state[:0], state[:0], state[:0])]
    last = int(forces.fighting.max(initial=0)) - 1
    for rank in range(1, last + 1):
        at = state + places.cells.take(cell + rank)
        # Who takes several of these ranks turns up in each, and is counted once in the end.
        able = free.take(at)
        found.append(_Reach(*(column.compress(able) for column in (at, state + other, other))))
        if rank < last:
            go = living.take(at) & (fighting > rank + 1)
            state, other, fighting, cell = (column.compress(go) for column in (state, other, fighting, cell))
    return _Reach(*(np.concatenate(columns) for columns in zip(*found, strict=True)))


def _swirls(forces: Forces, reach: _Reach, living: BoolArray, duellist: BoolArray | None) -> Keys:
    """Return the rights of those who reach characters, champions and duellists only.

    No model is in contact and supports too, so that contacts and supports can be looked at one by one.
    """
    special = ~forces.plain.take(reach.other)
    if duellist is not None:
        special |= duellist.take(reach.to)
    if not special.any():
        return np.empty(0, np.int64)
    content = np.tile(~forces.plain, len(living) // forces.n_slots)
    content[reach.at.compress(~special)] = True
    at, other = reach.at.compress(special), reach.other.compress(special)
    eager = ~content.take(at)
    at, unit = at.compress(eager), forces.unit.take(other.compress(eager))
    n_units = len(forces.fighting)
    at, unit = np.divmod(_sorted_once(at * n_units + unit), n_units)
    slots, start, count = forces.plain_slots
    n_slots = count.take(unit)
    other = slots.take(np.repeat(start.take(unit), n_slots) + counted(n_slots))
    at = np.repeat(at, n_slots)
    to = at - at % forces.n_slots + other
    there = living.take(to)
    if duellist is not None:
        there &= ~duellist.take(to)
    return forces.keys(at.compress(there), other.compress(there), AttackReason.SWIRL)


def _duels(forces: Forces, fights: Fights, living: BoolArray) -> Keys:
    """Return the rights of duellists: each against the other, who may be removed, unless he is so himself."""
    state = fights.state * forces.n_slots
    alive = np.concatenate([living.take(state + fights.first), living.take(state + fights.second)])
    able = alive & ~fights.removed.T.reshape(-1)
    return forces.duel_keys(fights, AttackReason.DUEL).compress(able)


def _sorted_once(keys: Keys) -> Keys:
    """Return keys sorted, each once. They come in a few sorted runs, which the stable sort only merges."""
    keys = np.sort(keys, kind="stable")
    new = keys[1:] != keys[:-1]
    return keys if new.all() else keys.compress(np.concatenate([[True], new]))
