"""What ``ninthgeom evaluate`` asks about each state and prints: of ranks and files, and of skirmish games."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray
from ninthgeom._cli_combat import AskedDuels, Combat, CombatTotals
from ninthgeom._cli_names import all_models
from ninthgeom._cli_options import load_kernels
from ninthgeom._cli_skirmish import Asked, GroupTotals, Report
from ninthgeom._cli_tables import print_combat, print_pairs, print_summary
from ninthgeom._cli_totals import PairTotals, states_together
from ninthgeom._streams import Task
from ninthgeom.t9a.evaluate import QUESTIONS

if TYPE_CHECKING:
    from rich.console import Console

    from ninthgeom._slots import IntArray
    from ninthgeom.board import Board

Arrays = Mapping[str, NDArray[Any]]
Columns = dict[str, NDArray[Any]]
Answered = TypeVar("Answered")

EDITIONS: Final = {"second": t9a.SECOND_EDITION, "third": t9a.THIRD_EDITION}
# About what contacts and attack rights take for each model, in a state in which all are engaged.
_BYTES_PER_MODEL: Final = 128


class CommandTask(Task[Answered], Protocol[Answered]):
    """What the command needs of a task beside what the loop does."""

    @property
    def names(self) -> Mapping[str, Sequence[str]]:
        """Names along the axes of the answers."""

    def load(self) -> None:
        """Load the kernels, so that what only a first call pays is not counted."""

    def bytes_of_rows(self) -> int:
        """Return about how much the columns of a state take."""

    def check_one(self, answered: Answered) -> None:
        """Raise ValueError for what is wrong where there is one state only."""

    def print_state(self, console: Console, answered: Answered) -> None:
        """Print what there is to tell of one state."""

    def print_summary(self, console: Console) -> None:
        """Print the sums."""


@dataclass(frozen=True, eq=False)
class RankedAnswers:
    """Answers of a `RankedTask` for one state or some."""

    states: dict[str, Any]
    pairs: t9a.Answers
    combat: Combat | None
    first: int


class RankedTask:
    """Unit questions, contacts of models and attack rights.

    Parameters
    ----------
    board : Board
    masks : mapping
        ``present`` and ``occupied`` of the scene, for states that have none of their own.
    observers, targets : ndarray of int
    duels : AskedDuels
    edition : str
    questions : frozenset of str
        Which of distance, contact, arcs, sight and attacks.
    """

    def __init__(
        self,
        board: Board,
        masks: Mapping[str, BoolArray | None],
        observers: IntArray,
        targets: IntArray,
        duels: AskedDuels,
        edition: str,
        questions: frozenset[str],
    ) -> None:
        self._board, self._masks, self._duels, self._edition = board, masks, duels, edition
        self._observers, self._targets = observers, targets
        self._questions = tuple(name for name in QUESTIONS if name in questions)
        self._attacks = "attacks" in questions
        first, second = ([board.names[i] for i in units] for units in (observers, targets))
        self.names = {"observers": first, "targets": second, "models": all_models(board)}
        self._pairs = PairTotals(first, second, set(self._questions))
        self._combats = CombatTotals(board, duels) if self._attacks else None

    def load(self) -> None:
        """Load the kernels."""
        load_kernels(self._board, *([t9a.contacts] if self._attacks else []))
        t9a.evaluate(self._board, np.zeros((len(self._board), 3)), questions=self._questions)

    def bytes_of_rows(self) -> int:
        """Return about how much the columns of a state take."""
        return self._board.n_models * _BYTES_PER_MODEL if self._attacks else 0

    def answer(self, states: Arrays, first: int, workers: int) -> RankedAnswers:
        """Answer for one state or some."""
        known: dict[str, Any] = {**self._masks, **states}
        living = self._board.occupied if known["occupied"] is None else known["occupied"]
        if self._edition == "second":
            known["occupied"] = self._board.fill_ranks(living)
        question: dict[str, Any] = {
            "observers": self._observers,
            "targets": self._targets,
            "rules": EDITIONS[self._edition],
            "workers": workers,
        }
        combat = None
        if self._attacks:
            combat = Combat.of(self._board, known, self._duels, living, **question, first=first)
        pairs = t9a.evaluate(self._board, **known, questions=self._questions, **question)
        return RankedAnswers(known, pairs, combat, first)

    def arrays(self, answered: RankedAnswers) -> tuple[Columns, Columns]:
        """Return the arrays of pairs, and the columns of contacts and attack rights."""
        rows = {} if answered.combat is None else answered.combat.arrays()
        for name in ("contact_state", "attack_state"):
            if name in rows:
                rows[name] = rows[name] + answered.first
        return answered.pairs.arrays(), rows

    def add(self, answered: RankedAnswers) -> None:
        """Add some states to the sums."""
        n = len(answered.states["positions"])
        together = states_together(self._board, self._observers, self._targets, answered.states, n)
        self._pairs.add_answers(answered.pairs.arrays(), together)
        if self._combats is not None and answered.combat is not None:
            self._combats.add_combat(answered.combat)

    def carried(self) -> dict[str, Any]:
        """Return the sums as JSON has them."""
        combats = {} if self._combats is None else {"combats": self._combats.carried()}
        return {"pairs": self._pairs.carried(), **combats}

    def carry_on(self, carried: Any) -> None:
        """Go on from such sums."""
        self._pairs.carry_on(carried["pairs"])
        if self._combats is not None:
            self._combats.carry_on(carried["combats"])

    def check(self) -> None:
        """Raise ValueError for a duel that was fought in no state."""
        if self._combats is not None:
            self._combats.check()

    def check_one(self, answered: RankedAnswers) -> None:
        """Raise ValueError for a duel that is not fought in the one state that there is."""
        if answered.combat is not None:
            self._duels.check(answered.combat.alive, answered.combat.met, None)

    def print_state(self, console: Console, answered: RankedAnswers) -> None:
        """Print what there is to tell of one state."""
        print_pairs(console, answered.pairs)
        if answered.combat is not None:
            print_combat(console, answered.combat)

    def print_summary(self, console: Console) -> None:
        """Print the sums."""
        print_summary(console, self._pairs, self._combats, self._board)


class SkirmishTask:
    """Coherency, engagements and distances of groups.

    Parameters
    ----------
    asked : Asked
    masks : mapping
        As of a `RankedTask`.
    """

    def __init__(self, asked: Asked, masks: Mapping[str, BoolArray | None]) -> None:
        self._asked, self._masks = asked, masks
        self.names = asked.names()
        self._totals = GroupTotals(asked)

    def load(self) -> None:
        """Load the kernels."""
        nowhere = np.zeros((len(self._asked.board), 3))
        Report.of(self._asked, {"positions": nowhere, "present": None, "occupied": None}, 1)

    def bytes_of_rows(self) -> int:
        """Return 0: there are no columns."""
        return 0

    def answer(self, states: Arrays, first: int, workers: int) -> Report:
        """Answer for one state or some."""
        return Report.of(self._asked, {**self._masks, **states}, workers)

    def arrays(self, answered: Report) -> tuple[Columns, Columns]:
        """Return the arrays, and no columns."""
        return answered.arrays(), {}

    def add(self, answered: Report) -> None:
        """Add some states to the sums."""
        self._totals.add_report(answered)

    def carried(self) -> dict[str, Any]:
        """Return the sums as JSON has them."""
        return self._totals.carried()

    def carry_on(self, carried: Any) -> None:
        """Go on from such sums."""
        self._totals.carry_on(carried)

    def check(self) -> None:
        """Raise nothing: every state is checked for itself."""

    def check_one(self, answered: Report) -> None:
        """Raise nothing, as `check`."""

    def print_state(self, console: Console, answered: Report) -> None:
        """Print what there is to tell of one state."""
        answered.print_state(console)

    def print_summary(self, console: Console) -> None:
        """Print the sums."""
        self._totals.print_summary(console)
