"""Close combat for the command line: the duels that are asked for, contacts and attack rights."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray
from ninthgeom._cli_names import model_slot
from ninthgeom._cli_totals import Totals
from ninthgeom._slots import IntArray
from ninthgeom.rows import Rows
from ninthgeom.t9a._sides import opposing

if TYPE_CHECKING:
    from ninthgeom.board import Board

FlagArray = NDArray[np.uint8]


@dataclass(frozen=True, eq=False)
class Combat:
    """Who is engaged with whom, in one or many states.

    Attributes
    ----------
    board : Board
    chosen : ndarray of bool, shape (U, U)
        Which units observe which.
    engaged : ndarray of uint8, shape (..., U, U)
        As `t9a.engaged_facings` for all units, but 0 where they do not oppose each other.
    contacts, attacks : Rows
        As `t9a.contacts` and `t9a.may_attack`, of models whose units are chosen.
    alive : ndarray of int, shape (d, 2)
        In how many of the states the duellists live.
    met : ndarray of int, shape (d,)
        In how many of them the units of the two are in contact.
    """

    board: Board
    chosen: BoolArray
    engaged: FlagArray
    contacts: Rows
    attacks: Rows
    alive: IntArray
    met: IntArray

    @classmethod
    def of(
        cls,
        board: Board,
        state: Mapping[str, Any],
        duels: AskedDuels,
        living: ArrayLike,
        *,
        observers: IntArray,
        targets: IntArray,
        rules: t9a.Rules,
        workers: int,
        first: int = 0,
    ) -> Combat:
        """Find contacts and attack rights.

        Parameters
        ----------
        state : mapping
            ``positions``, ``present`` and ``occupied``.
        duels : AskedDuels
        living : array_like of bool, shape (..., M)
            Slots that hold a living model, as it was before others have stepped into gaps.
        observers, targets : ndarray of int
            Indices of the units that are chosen.
        rules, workers
            As for every question.
        first : int
            Number of the first of these states among all, for errors.

        Raises
        ------
        ValueError
            If the arrays do not fit the board, or a combat has two duels.
        """
        how = _How(rules=rules, workers=workers)
        engaged = t9a.engaged_facings(board, **state, **how)
        engaged[..., ~opposing(board)] = 0
        alive = duels.alive(np.asarray(living), engaged.shape[:-2])
        wished = duels.in_all_states(alive)
        # Whether a model supports depends on all it is in contact with, chosen or not.
        contacts = t9a.contacts(board, **state, duels=wished, **how)
        met = duels.met(wished, contacts)
        fought = None if wished is None else duels.fought(wished, met, engaged, first)
        # Only characters and champions fight duels.
        attacks = t9a.may_attack(
            board,
            contacts,
            duels=fought,
            champions=duels.slots.reshape(-1),
            occupied=state["occupied"],
            rules=rules,
        )
        chosen = np.zeros((len(board), len(board)), np.bool_)
        chosen[np.ix_(observers, targets)] = True
        unit = board.model_unit
        contacts, attacks = (
            found[chosen[unit[found.model], unit[found.other]]] for found in (contacts, attacks)
        )
        return cls(board, chosen, engaged, contacts, attacks, alive.sum(axis=0), met.sum(axis=0))

    def engaged_once(self) -> list[tuple[int, int]]:
        """Return the units that are engaged in one state, each pair once."""
        pairs = self.chosen & (self.engaged != 0)
        pairs &= ~np.tri(len(self.board), dtype=np.bool_) | ~self.chosen.T
        return [(int(one), int(other)) for one, other in np.argwhere(pairs)]

    def contacts_once(self) -> Rows:
        """Return the contacts without those that are there the other way round, too."""
        unit, rows = self.board.model_unit, self.contacts
        return rows[(rows.model < rows.other) | ~self.chosen[unit[rows.other], unit[rows.model]]]

    @property
    def n_states(self) -> int:
        """Number of states."""
        return math.prod(self.engaged.shape[:-2])

    def counts(self) -> dict[str, IntArray]:
        """Return sums over the states, those of shape (U, U) for units and others they are engaged with.

        Returns
        -------
        dict of str to ndarray
            ``engaged``: states in which they are. ``touching`` and ``attacking``: models of the unit that are
            in contact with, and that may attack, the other one, in those states. ``alive`` and ``met``: as
            the attributes.
        """
        return {
            "engaged": np.count_nonzero(_flat(self.engaged), axis=0),
            "touching": self._count_models(self.contacts),
            "attacking": self._count_models(self.attacks),
            "alive": self.alive,
            "met": self.met,
        }

    def _count_models(self, rows: Rows) -> IntArray:
        n = len(self.board)
        unit, other = self.board.model_unit[rows.model], self.board.model_unit[rows.other]
        # Slots of a unit follow one another, and so do the rows of a model with them.
        new = np.ones(len(rows), np.bool_)
        new[1:] = (np.diff(rows.state) != 0) | (np.diff(rows.model) != 0) | (np.diff(other) != 0)
        # A duellist may outlast the lone model that he fights.
        new &= _flat(self.engaged)[rows.state, unit, other] != 0
        return np.bincount((unit * n + other)[new], minlength=n * n).reshape(n, n)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the columns of contacts and attacks by the keys that files have for them."""
        found = {"contact": self.contacts, "attack": self.attacks}
        return {
            f"{key}_{name}": column for key, rows in found.items() for name, column in rows.columns.items()
        }


class CombatTotals(Totals):
    """What many states say about units that are engaged, and about duels.

    Parameters
    ----------
    board : Board
    duels : AskedDuels
    """

    def __init__(self, board: Board, duels: AskedDuels) -> None:
        pairs = dict.fromkeys(("engaged", "touching", "attacking"), (len(board), len(board)))
        fighters = duels.slots.shape
        super().__init__({"states": (), **pairs, "alive": fighters, "met": fighters[:1]}, {})
        self._duels = duels

    def add_combat(self, combat: Combat) -> None:
        """Add some states."""
        self.add("states", combat.n_states)
        for name, numbers in combat.counts().items():
            self.add(name, numbers)

    def check(self) -> None:
        """Raise ValueError for a duel that was fought in none of all states."""
        self._duels.check(self["alive"], self["met"], int(self["states"]))


class _How(TypedDict):
    rules: t9a.Rules
    workers: int


@dataclass(frozen=True, eq=False)
class AskedDuels:
    """The duels that are asked for.

    Attributes
    ----------
    board : Board
    names : sequence of (str, str)
        The duellists as they were named.
    slots : ndarray of int, shape (d, 2)
        Their slots.
    """

    board: Board
    names: Sequence[tuple[str, str]]
    slots: IntArray

    @classmethod
    def of(cls, board: Board, names: Sequence[tuple[str, str]]) -> AskedDuels:
        """Find the duellists.

        Raises
        ------
        ValueError
            If a name does not tell one model, a model is named twice, or two do not oppose each other.
        """
        slots = [[_slot(board, name) for name in pair] for pair in names]
        duels = cls(board, names, np.array(slots, np.intp).reshape(-1, 2))
        seen: set[int] = set()
        for i, (first, second) in enumerate(slots):
            one, other = board.model_unit[[first, second]]
            if not opposing(board)[one, other]:
                where = f"are of {board.names[one]!r}" if one == other else "are of one side"
                raise duels._refusal(i, f"both {where}")
            for name, slot in zip(names[i], slots[i], strict=True):
                if slot in seen:
                    raise duels._refusal(i, f"{name!r} has a duel already")
                seen.add(slot)
        return duels

    def alive(self, living: BoolArray, leading: tuple[int, ...]) -> BoolArray:
        """Return in which states the duellists live, shape (S, d, 2)."""
        n_states, n_duels = math.prod(leading), len(self.slots)
        alive = np.broadcast_to(living[..., self.slots], (*leading, n_duels, 2))
        return alive.reshape(n_states, n_duels, 2)

    def in_all_states(self, alive: BoolArray) -> t9a.Duels | None:
        """Return these duels in each state, duellists who are dead there marked; None without duels."""
        if not len(self.slots):
            return None
        first, second = np.tile(self.slots, (len(alive), 1)).T
        state = np.repeat(np.arange(len(alive)), len(self.slots))
        return t9a.Duels(first, second, state=state, removed=~alive.reshape(-1, 2))

    def met(self, wished: t9a.Duels | None, contacts: Rows) -> BoolArray:
        """Return in which states the units of the duels are in contact, shape (S, d)."""
        n_states, n_duels = math.prod(contacts.shape), len(self.slots)
        if wished is None:
            return np.zeros((n_states, n_duels), np.bool_)
        assert wished.state is not None
        n = self.board.n_models
        rows = (wished.state, wished.first, wished.second), (contacts.state, contacts.model, contacts.other)
        asked, known = ((state * n + model) * n + other for state, model, other in rows)
        # Duellists are among the contacts wherever their units are in contact.
        return np.isin(asked, known).reshape(n_states, n_duels)

    def fought(self, wished: t9a.Duels, met: BoolArray, engaged: FlagArray, first: int) -> t9a.Duels:
        """Return those of `in_all_states` whose units are in contact in their state.

        Raises
        ------
        ValueError
            If a combat has two duels.
        """
        fights = met.reshape(-1)
        duel = np.flatnonzero(fights) % len(self.slots)
        self._check_combats(wished[fights], duel, engaged, first)
        return wished[fights]

    def check(self, alive: NDArray[Any], met: NDArray[Any], states: int | None) -> None:
        """Raise for a duel that is fought in no state.

        Parameters
        ----------
        alive, met : ndarray of int
            Sums over the states, as `Combat` has them.
        states : int or None
            How many there are; None for one that is alone.

        Raises
        ------
        ValueError
            If a slot holds a model neither at full strength nor in any state, or the units of a duel are in
            contact in none; not where there are no states.
        """
        empty = ~(self.board.occupied[self.slots] | (alive > 0))
        if empty.any():
            duel, side = np.argwhere(empty)[0].tolist()
            raise self._refusal(duel, f"there is no model in {self.names[duel][side]!r}")
        if states != 0 and not (met > 0).all():
            duel = int(np.argmin(met > 0))
            first, second = (self.board.names[unit] for unit in self.board.model_unit[self.slots[duel]])
            when = "" if states is None else " in any state"
            raise self._refusal(duel, f"{first!r} and {second!r} are not in contact{when}")

    def _check_combats(self, fought: t9a.Duels, duel: IntArray, engaged: FlagArray, start: int) -> None:
        if len(self.slots) < 2:
            return
        assert fought.state is not None
        combat = _combats(engaged)[fought.state, self.board.model_unit[fought.first]]
        order = np.argsort(combat, kind="stable")
        same = np.flatnonzero(np.diff(combat[order]) == 0)
        if len(same):
            one, other = order[same[0]], order[same[0] + 1]
            when = f" in state {start + fought.state[one]}" if engaged.ndim > 2 else ""
            first, second = self.names[duel[one]]
            problem = f"{first!r} and {second!r} fight the one duel of the combat{when}"
            raise self._refusal(int(duel[other]), problem)

    def _refusal(self, duel: int, problem: str) -> ValueError:
        first, second = self.names[duel]
        return ValueError(f"--duel: {first!r} cannot fight {second!r}: {problem}")


def _slot(board: Board, name: str) -> int:
    try:
        return model_slot(board, name)
    except ValueError as error:
        raise ValueError(f"--duel: {error}") from None


def _flat(engaged: FlagArray) -> FlagArray:
    """Return it with one axis of states."""
    return engaged.reshape(math.prod(engaged.shape[:-2]), *engaged.shape[-2:])


def _combats(engaged: FlagArray) -> IntArray:
    """Return the number of the combat that each unit is in, shape (S, U); units engaged have the same one."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    n_units = engaged.shape[-1]
    state, one, other = np.nonzero(_flat(engaged))
    n = math.prod(engaged.shape[:-1])
    edges = np.ones(len(state)), (state * n_units + one, state * n_units + other)
    numbers = connected_components(coo_array(edges, shape=(n, n)), directed=False)[1]
    return np.asarray(numbers, np.intp).reshape(-1, n_units)
