"""Skirmish scenes for the command line: coherency, who is engaged with whom, distances between groups."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray
from rich.text import Text

from ninthgeom import skirmish
from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._cli_tables import inches, new_table, print_unless_empty
from ninthgeom._cli_totals import Totals

if TYPE_CHECKING:
    from rich.console import Console

    from ninthgeom.board import Board

_RADIUS: Final = 3.0
_NOBODY: Final = -1


def is_skirmish(board: Board) -> bool:
    """Return whether a board is one of a skirmish game: single models only, of which some share a group."""
    labels = Counter(unit.group for unit in board.units if unit.group is not None)
    return all(unit.n_slots == 1 for unit in board.units) and any(n > 1 for n in labels.values())


@dataclass(frozen=True, eq=False)
class Asked:
    """What the options ask for.

    Attributes
    ----------
    board : Board
    groups : list of str
        Names of the groups: their labels, or the name of a model without a group.
    observers, targets : ndarray of int
        Numbers of the groups between which distances are shown.
    leaders : ndarray of int, shape (G,)
        Leading Models that are named, -1 where none is.
    radius : ndarray of float64, shape (G,)
    """

    board: Board
    groups: list[str]
    observers: IntArray
    targets: IntArray
    leaders: IntArray
    radius: FloatArray

    @classmethod
    def of(
        cls,
        board: Board,
        observers: Sequence[str],
        targets: Sequence[str],
        leaders: Sequence[str],
        radii: Sequence[str],
    ) -> Asked:
        """Find the groups and models that options name.

        Raises
        ------
        ValueError
            If one is not known or is named twice, or a radius is no length.
        """
        groups = group_names(board)
        asked = cls(
            board,
            groups,
            _chosen(groups, "--observers", observers),
            _chosen(groups, "--targets", targets),
            np.full(len(groups), _NOBODY),
            np.full(len(groups), _RADIUS),
        )
        for group, name in _by_group(groups, "--leader", leaders):
            try:
                leader = board.index(name)
            except ValueError as error:
                raise ValueError(f"--leader: {error}") from None
            if board.group[leader] != group:
                raise ValueError(f"--leader: {name!r} is not of group {groups[group]!r}")
            asked.leaders[group] = leader
        for group, text in _by_group(groups, "--radius", radii):
            try:
                radius = float(text)
            except ValueError:
                radius = math.nan
            if not 0.0 <= radius < math.inf:
                raise ValueError(f"--radius: {text!r} is no length in inches")
            asked.radius[group] = radius
        return asked

    def names(self) -> dict[str, list[str]]:
        """Return the names along the axes of the answers."""
        return {
            "observers": [self.groups[group] for group in self.observers],
            "targets": [self.groups[group] for group in self.targets],
            "groups": self.groups,
            "models": list(self.board.names),
        }

    def pairs(self) -> list[tuple[int, int]]:
        """Return the places of the pairs of groups in the answers, each once."""
        seen: set[frozenset[int]] = set()
        pairs = []
        for i, observer in enumerate(self.observers.tolist()):
            for j, target in enumerate(self.targets.tolist()):
                pair = frozenset((observer, target))
                if len(pair) == 2 and pair not in seen:
                    seen.add(pair)
                    pairs.append((i, j))
        return pairs


@dataclass(frozen=True, eq=False)
class Report:
    """What there is to tell of one or many states.

    Attributes
    ----------
    asked : Asked
    present : ndarray of bool, shape (..., U)
    leaders : ndarray of int, shape (..., G)
        -1 for groups without a model on the table.
    coherency : Coherency
    engaged : ndarray of bool, shape (..., U, U)
    group_engaged : ndarray of bool, shape (..., n, m)
    distance : ndarray of float64, shape (..., n, m)
    """

    asked: Asked
    present: BoolArray
    leaders: IntArray
    coherency: skirmish.Coherency
    engaged: BoolArray
    group_engaged: BoolArray
    distance: FloatArray

    @classmethod
    def of(cls, asked: Asked, state: Mapping[str, Any], workers: int) -> Report:
        """Ask all questions.

        Parameters
        ----------
        asked : Asked
        state : mapping
            ``positions``, ``present`` and ``occupied``.
        workers : int

        Raises
        ------
        ValueError
            If the arrays do not fit the board or a leader is absent.
        """
        board = asked.board
        present = _present(board, state)
        how: dict[str, Any] = {"present": present, "workers": workers}
        pairs: dict[str, Any] = {"by": "group", "observers": asked.observers, "targets": asked.targets}
        # these look at the arrays before anything is made of them here
        distance = skirmish.distances(board, state["positions"], **pairs, **how)
        group_engaged = skirmish.engaged(board, state["positions"], **pairs, **how)
        engaged = skirmish.engaged(board, state["positions"], **how)
        here = np.broadcast_to(True if present is None else present, engaged.shape[:-1])
        leaders = _leaders(asked, here)
        found = skirmish.coherency(board, state["positions"], leaders, radius=asked.radius, **how)
        return cls(asked, here, leaders, found, engaged, group_engaged, distance)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the answers by the keys that files have for them."""
        return {
            "distance": self.distance,
            "engaged": self.group_engaged,
            "engaged_models": self.engaged,
            "leader": self.leaders,
            "in_coherency": self.coherency.in_coherency,
            "within_radius": self.coherency.within_radius,
            "linked": self.coherency.linked,
        }

    def print_state(self, console: Console) -> None:
        """Print one state: groups, who is out of coherency and why, who is engaged, distances."""
        asked, board = self.asked, self.asked.board
        table = new_table("group", " side", " models", "leader", " radius", "in coherency")
        for group, name in enumerate(asked.groups):
            leader = int(self.leaders[group])
            count = int(self.present[board.group == group].sum())
            holds = "-" if leader == _NOBODY else _yes(self.coherency.in_coherency[group], "no")
            named = "-" if leader == _NOBODY else board.names[leader]
            sides = " ".join(map(str, sorted(set(board.side[board.group == group].tolist()))))
            table.add_row(Text(name), sides, str(count), Text(named), f"{asked.radius[group]:g}", holds)
        print_unless_empty(console, table)

        table = new_table("out of coherency", "group", "wholly within radius", "linked")
        meets_all = self.coherency.within_radius & self.coherency.linked
        for i in np.flatnonzero(self.present & ~meets_all).tolist():
            near, linked = self.coherency.within_radius[i], self.coherency.linked[i]
            table.add_row(*self._model(i), _yes(near, "no"), _yes(linked, "no"))
        print_unless_empty(console, table)

        table = new_table("model", "group", "engaged with", "their group")
        for i, j in np.argwhere(np.triu(self.engaged)).tolist():
            table.add_row(*self._model(i), *self._model(j))
        print_unless_empty(console, table)

        table = new_table("observer", "target", " distance", "engaged")
        for i, j in asked.pairs():
            names = (Text(asked.groups[group]) for group in (asked.observers[i], asked.targets[j]))
            table.add_row(*names, inches(self.distance[i, j]), _yes(self.group_engaged[i, j], "-"))
        print_unless_empty(console, table)

    def _model(self, i: int) -> tuple[Text, Text]:
        board = self.asked.board
        return Text(board.names[i]), Text(self.asked.groups[board.group[i]])


class GroupTotals(Totals):
    """What many states say about groups and about pairs of groups."""

    def __init__(self, asked: Asked) -> None:
        pairs = len(asked.observers), len(asked.targets)
        groups = ("here", "in_coherency", "models", "within_radius", "linked")
        super().__init__(
            dict.fromkeys(groups, (len(asked.groups),)) | dict.fromkeys(("states", "engaged"), pairs),
            {"distance": pairs},
        )
        self._asked = asked

    def add_report(self, report: Report) -> None:
        """Add some states, which have one axis."""
        self.count("here", report.leaders != _NOBODY)
        self.count("in_coherency", report.coherency.in_coherency)
        for name, models in (
            ("models", report.present),
            ("within_radius", report.coherency.within_radius),
            ("linked", report.coherency.linked),
        ):
            numbers = np.zeros(len(self._asked.groups), np.int64)
            np.add.at(numbers, self._asked.board.group, np.count_nonzero(models, axis=0))
            self.add(name, numbers)
        self.count("states", np.isfinite(report.distance))
        self.count("engaged", report.group_engaged)
        self.measure("distance", report.distance)

    def print_summary(self, console: Console) -> None:
        """Sum up the states for every group and for every pair of groups."""
        asked = self._asked
        table = new_table(
            "group", " states", " in coherency", " models wholly within radius", " models linked"
        )
        for group, name in enumerate(asked.groups):
            shares = [_share(self["in_coherency"][group], self["here"][group])]
            shares += [_share(self[key][group], self["models"][group]) for key in ("within_radius", "linked")]
            table.add_row(Text(name), f"{self['here'][group]:,}", *shares)
        print_unless_empty(console, table)

        table = new_table("observer", "target", " states", " mean distance", " nearest", " engaged")
        mean, least = self.mean("distance", "states"), self.least("distance")
        for i, j in asked.pairs():
            count = self["states"][i, j]
            lengths = (inches(mean[i, j]), inches(least[i, j])) if count else ("-", "-")
            names = (Text(asked.groups[group]) for group in (asked.observers[i], asked.targets[j]))
            table.add_row(*names, f"{count:,}", *lengths, _share(self["engaged"][i, j], count))
        print_unless_empty(console, table)


def _present(board: Board, state: Mapping[str, Any]) -> ArrayLike | None:
    """Return who is on the table and alive; what is no mask is left for the questions to refuse."""
    present: ArrayLike | None = state["present"]
    if state["occupied"] is None:
        return present
    living = np.asarray(state["occupied"])
    if living.dtype != np.bool_ or living.ndim < 1 or living.shape[-1] != board.n_models:
        raise ValueError(f"occupied must hold booleans in shape (..., {board.n_models}), got {living.shape}")
    if present is None:
        return living
    here = np.asarray(present)
    return here & living if here.dtype == np.bool_ else present


def _leaders(asked: Asked, present: BoolArray) -> IntArray:
    """Return the leader of each group in each state, where none is named its first model on the table."""
    leaders = np.empty((*present.shape[:-1], len(asked.groups)), np.int64)
    for group, named in enumerate(asked.leaders.tolist()):
        own = np.flatnonzero(asked.board.group == group)
        here = present[..., own]
        leader = own[here.argmax(axis=-1)] if named == _NOBODY else named
        if named != _NOBODY and (here.any(axis=-1) & ~present[..., named]).any():
            when = " in every state" if here.ndim > 1 else ""
            raise ValueError(f"--leader: {asked.board.names[named]!r} is not on the table{when}")
        leaders[..., group] = np.where(here.any(axis=-1), leader, _NOBODY)
    return leaders


def group_names(board: Board) -> list[str]:
    names = [""] * (int(board.group.max(initial=-1)) + 1)
    for unit, group in zip(board.units, board.group.tolist(), strict=True):
        names[group] = unit.name if unit.group is None else str(unit.group)
    return names


def _chosen(groups: Sequence[str], option: str, names: Sequence[str]) -> IntArray:
    return np.array([_group(groups, option, name) for name in names] or range(len(groups)), np.int64)


def _group(groups: Sequence[str], option: str, name: str) -> int:
    if groups.count(name) > 1:
        # a label and the name of a model without one, or labels 1 and "1"
        raise ValueError(f"{option}: several groups are named {name!r}")
    if name in groups:
        return groups.index(name)
    near = get_close_matches(name, groups, n=1)
    hint = f"; did you mean {near[0]!r}?" if near else ""
    raise ValueError(f"{option}: no group is named {name!r}{hint}")


def _by_group(groups: Sequence[str], option: str, texts: Sequence[str]) -> list[tuple[int, str]]:
    """Return the numbers of groups and what texts of the form GROUP=VALUE say of them."""
    found: dict[int, str] = {}
    for text in texts:
        parts = text.split("=")
        if len(parts) == 1:
            raise ValueError(f"{option}: must be GROUP=VALUE, got {text!r}")
        # names may hold the sign too: the first group that there is
        splits = [("=".join(parts[:i]), "=".join(parts[i:])) for i in range(1, len(parts))]
        name, value = next((split for split in splits if split[0] in groups), splits[0])
        group = _group(groups, option, name)
        if group in found:
            raise ValueError(f"{option}: group {name!r} is named twice")
        found[group] = value
    return list(found.items())


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "-"


def _yes(holds: np.bool_, otherwise: str) -> str:
    return "yes" if holds else otherwise
