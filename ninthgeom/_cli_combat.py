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
    """

    board: Board
    chosen: BoolArray
    engaged: FlagArray
    contacts: Rows
    attacks: Rows

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

        Raises
        ------
        ValueError
            If the arrays do not fit the board, or one of the duels cannot be fought.
        """
        how = _How(rules=rules, workers=workers)
        engaged = t9a.engaged_facings(board, **state, **how)
        engaged[..., ~opposing(board)] = 0
        wished = duels.in_all_states(np.asarray(living), engaged.shape[:-2])
        # Whether a model supports depends on all it is in contact with, chosen or not.
        contacts = t9a.contacts(board, **state, duels=wished, **how)
        fought = None if wished is None else duels.fought(wished, contacts, engaged)
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
        rows = (found[chosen[unit[found.model], unit[found.other]]] for found in (contacts, attacks))
        return cls(board, chosen, engaged, *rows)

    def engaged_once(self) -> list[tuple[int, int]]:
        """Return the units that are engaged in one state, each pair once."""
        pairs = self.chosen & (self.engaged != 0)
        pairs &= ~np.tri(len(self.board), dtype=np.bool_) | ~self.chosen.T
        return [(int(one), int(other)) for one, other in np.argwhere(pairs)]

    def contacts_once(self) -> Rows:
        """Return the contacts without those that are there the other way round, too."""
        unit, rows = self.board.model_unit, self.contacts
        return rows[(rows.model < rows.other) | ~self.chosen[unit[rows.other], unit[rows.model]]]

    def counts(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return sums over the states, each of shape (U, U) for units and those they are engaged with.

        Returns
        -------
        engaged
            States in which they are.
        touching, attacking
            Models of the unit that are in contact with, and that may attack, the other one, in those states.
        """
        engaged = np.count_nonzero(_flat(self.engaged), axis=0)
        return engaged, self._count_models(self.contacts), self._count_models(self.attacks)

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

    def in_all_states(self, living: BoolArray, leading: tuple[int, ...]) -> t9a.Duels | None:
        """Return these duels in each state, duellists who are dead there marked; None without duels.

        Raises
        ------
        ValueError
            If a slot holds a model neither at full strength nor in any state.
        """
        n_duels = len(self.slots)
        if not n_duels:
            return None
        alive = np.broadcast_to(living[..., self.slots], (*leading, n_duels, 2)).reshape(-1, n_duels, 2)
        empty = ~(self.board.occupied[self.slots] | alive.any(axis=0))
        if empty.any():
            duel, side = np.argwhere(empty)[0].tolist()
            raise self._refusal(duel, f"there is no model in {self.names[duel][side]!r}")
        first, second = np.tile(self.slots, (len(alive), 1)).T
        state = np.repeat(np.arange(len(alive)), n_duels)
        return t9a.Duels(first, second, state=state, removed=~alive.reshape(-1, 2))

    def fought(self, wished: t9a.Duels, contacts: Rows, engaged: FlagArray) -> t9a.Duels:
        """Return those of `in_all_states` whose units are in contact in their state.

        Raises
        ------
        ValueError
            If the units of a duel are in contact in no state, or a combat has two duels.
        """
        assert wished.state is not None
        n = self.board.n_models
        rows = (wished.state, wished.first, wished.second), (contacts.state, contacts.model, contacts.other)
        asked, known = ((state * n + model) * n + other for state, model, other in rows)
        # Duellists are among the contacts wherever their units are in contact.
        fights = np.isin(asked, known)
        self._check_met(fights, engaged)
        duel = np.flatnonzero(fights) % len(self.slots)
        self._check_combats(wished[fights], duel, engaged)
        return wished[fights]

    def _check_met(self, fights: BoolArray, engaged: FlagArray) -> None:
        met = fights.reshape(-1, len(self.slots)).any(axis=0)
        if len(fights) and not met.all():
            duel = int(np.argmin(met))
            first, second = (self.board.names[unit] for unit in self.board.model_unit[self.slots[duel]])
            when = " in any state" if engaged.ndim > 2 else ""
            raise self._refusal(duel, f"{first!r} and {second!r} are not in contact{when}")

    def _check_combats(self, fought: t9a.Duels, duel: IntArray, engaged: FlagArray) -> None:
        if len(self.slots) < 2:
            return
        assert fought.state is not None
        combat = _combats(engaged)[fought.state, self.board.model_unit[fought.first]]
        order = np.argsort(combat, kind="stable")
        same = np.flatnonzero(np.diff(combat[order]) == 0)
        if len(same):
            one, other = order[same[0]], order[same[0] + 1]
            when = f" in state {fought.state[one]}" if engaged.ndim > 2 else ""
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
