"""Duels: who fights whom, and which duels go on into the next round of combat."""

from __future__ import annotations

from typing import Any, Final, NoReturn

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, as_booleans, first_index
from ninthgeom._checks import PlacedValueError
from ninthgeom._slots import IntArray, frozen
from ninthgeom.t9a._numbers import column, numbers_above, repeated

__all__ = ["Duels", "advance"]

_SIDES: Final = ("first", "second")


class Duels:
    """Duels between two models each, of one phase of one or of many states.

    While a duel lasts, its two models count as in contact, attack only each other, and nobody else attacks
    them (rules page Fighting a Duel). `contacts`, `may_attack` and `hit_pool` of `ninthgeom.t9a` take the
    duels for that. `advance` takes them into the next round of combat.

    A duellist who is removed as a casualty stays in his duel until the end of the phase, since the attacks
    of the other one go on (Overkill). So does his slot: whoever steps into it in the same phase, as with
    `ninthgeom.Board.fill_ranks`, has no attacks before the next and takes none. In a state where the slot
    holds no living model, the duellist counts as removed without being marked; mark him with `remove` before
    anybody steps in.

    Parameters
    ----------
    first, second : array_like of int, shape (n,)
        The duellists, slots of the board.
    state : array_like of int, shape (n,), optional
        The state that each duel belongs to, as index of the leading axes flattened. By default every duel
        takes place in all states, also where the units are apart: name those where `units_in_contact` says
        that they are not, if there are others.
    combat : array_like of int, shape (n,), optional
        Label of the combat that each duel belongs to, 0 or more; a combat has one active duel at most. By
        default every duel has a combat of its own, so that nothing is refused.
    removed : array_like of bool, shape (n, 2) or one that broadcasts to it
        Whether the first and the second duellist were removed as casualties in this phase.

    Attributes
    ----------
    first, second, state, combat, removed : ndarray
        As above, read-only; `state` is None where it was not given.
    active : ndarray of bool, shape (n,)
        Duels that are not over; at first all are.

    Raises
    ------
    TypeError
        If slots, states and combats are no integers or `removed` holds no booleans.
    ValueError
        If the arguments are not equally long, a number is negative, a model fights itself or fights in two
        active duels of one state, or a combat has two active duels in one state. The message names argument,
        index and value.

    See Also
    --------
    advance : the step into the next round of combat.

    Examples
    --------
    A duel through two rounds. Neither is removed in the first, so it continues; in the second round the
    second duellist is, and the duel ends with the phase:

    >>> from ninthgeom.t9a import Duels
    >>> duels = Duels([2], [17], combat=[5])
    >>> duels = duels.advance()
    >>> duels
    <Duels: 1, 1 active, first=[2], second=[17], combat=[5]>
    >>> duels = duels.remove([[False, True]])
    >>> duels.active, duels.removed
    (array([ True]), array([[False,  True]]))
    >>> duels = duels.advance()
    >>> duels.active, duels.removed
    (array([False]), array([[False, False]]))

    From then on there may be another one in the same combat:

    >>> duels.issue([3], [18], combat=[5]).active
    array([False,  True])
    """

    __slots__ = ("active", "combat", "first", "removed", "second", "state")

    __hash__ = None  # type: ignore[assignment]  # equality compares values

    first: IntArray
    second: IntArray
    state: IntArray | None
    combat: IntArray
    removed: BoolArray
    active: BoolArray

    def __init__(
        self,
        first: ArrayLike,
        second: ArrayLike,
        *,
        state: ArrayLike | None = None,
        combat: ArrayLike | None = None,
        removed: ArrayLike = False,
    ) -> None:
        one = column(("first",), first)
        n = len(one)
        self._set(
            first=one,
            second=column(("second",), second, length=n),
            state=None if state is None else column(("state",), state, length=n),
            combat=np.arange(n) if combat is None else column(("combat",), combat, length=n),
            removed=np.array(_events("removed", removed, (n, 2))),
            active=np.ones(n, np.bool_),
        )
        self._check(0)

    def _set(self, **columns: NDArray[Any] | None) -> None:
        for name, values in columns.items():
            object.__setattr__(self, name, values if values is None else frozen(values))

    @classmethod
    def _of_columns(cls, columns: dict[str, Any]) -> Duels:
        """Make duels of columns that are known to be good and belong to nobody else."""
        duels = cls.__new__(cls)
        duels._set(**columns)
        return duels

    def _columns(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}

    def _check(self, first_new: int) -> None:
        """Raise for what cannot be; duels from `first_new` on are new, and the message counts from there."""
        itself = self.first == self.second
        if itself.any():
            (i,) = first_index(itself)
            raise PlacedValueError(
                ("second", i - first_new), f"slot {self.second[i]} cannot fight a duel with itself"
            )
        rows = np.flatnonzero(self.active)
        state = np.zeros(len(self), np.intp) if self.state is None else self.state
        models = np.concatenate([self.first[rows], self.second[rows]])
        twice, other = repeated(state[np.tile(rows, 2)], models, np.tile(rows, 2))
        if twice >= 0:
            side = 0 if self.first[twice] in (self.first[other], self.second[other]) else 1
            raise PlacedValueError(
                (_SIDES[side], twice - first_new),
                f"slot {getattr(self, _SIDES[side])[twice]} fights an active duel already"
                f"{self._in_state(twice)}",
            )
        twice, _ = repeated(state[rows], self.combat[rows], rows)
        if twice >= 0:
            raise PlacedValueError(
                ("combat", twice - first_new),
                f"combat {self.combat[twice]} has an active duel already{self._in_state(twice)}",
            )

    def _in_state(self, i: int) -> str:
        return "" if self.state is None else f" in state {self.state[i]}"

    def issue(
        self,
        first: ArrayLike,
        second: ArrayLike,
        *,
        state: ArrayLike | None = None,
        combat: ArrayLike | None = None,
    ) -> Duels:
        """Return these duels and more of them.

        Parameters
        ----------
        first, second, state, combat
            As for `Duels`. States must be given exactly when those of these duels are. By default every new
            duel has a combat that none of these has.

        Returns
        -------
        Duels
            These first, then the new ones.

        Raises
        ------
        TypeError, ValueError
            As for `Duels`; in particular where the combat or one of the two models has an active duel
            already, or no labels are left by default. Indices are those of the new duels.

        Examples
        --------
        >>> Duels([2], [17], combat=[5]).issue([3], [18], combat=[5])
        Traceback (most recent call last):
        ...
        ninthgeom._checks.PlacedValueError: combat[0]: combat 5 has an active duel already
        """
        new = Duels(first, second, state=state, combat=combat)
        if len(self) and len(new) and (self.state is None) is not (new.state is None):
            known = "take place in all states" if self.state is None else "belong to one state each"
            raise PlacedValueError(("state",), f"must be given for all duels or for none; these {known}")
        columns = new._columns()
        if combat is None:
            columns["combat"] = numbers_above(("combat",), self.combat, len(new))
        if len(self):
            columns = {
                name: None if old is None else np.concatenate([old, old[:0] if more is None else more])
                for (name, old), more in zip(self._columns().items(), columns.values(), strict=True)
            }
        joined = Duels._of_columns(columns)
        joined._check(len(self))
        return joined

    def remove(self, removed: ArrayLike) -> Duels:
        """Return these duels with more of the duellists marked as removed in this phase.

        Parameters
        ----------
        removed : array_like of bool, shape (n, 2) or one that broadcasts to it
            Whether the first and the second duellist are removed now.

        Returns
        -------
        Duels
            The duels stay active until the phase ends, see `advance`.

        Raises
        ------
        TypeError
            If `removed` holds no booleans.
        ValueError
            If its shape does not fit, or it marks a model whose duel is over or who is marked already.

        Examples
        --------
        >>> duels = Duels([2], [17]).remove([[True, False]])
        >>> duels.remove([[True, False]])
        Traceback (most recent call last):
        ...
        ninthgeom._checks.PlacedValueError: removed[0][0]: slot 2 is removed already
        """
        marks = self._checked_removed(removed)
        return Duels._of_columns(self._columns() | {"removed": self.removed | marks})

    def advance(
        self,
        *,
        removed: ArrayLike = False,
        broke: ArrayLike = False,
        combat_ended: ArrayLike = False,
        still_engaged: ArrayLike = True,
    ) -> Duels:
        """Return these duels in the next round of combat, as the function `ninthgeom.t9a.advance` does.

        That one tells what is refused.

        Parameters
        ----------
        removed, broke : array_like of bool, shape (n, 2)
            Models removed as casualties, models whose unit Breaks.
        combat_ended, still_engaged : array_like of bool, shape (n,)
            Duels whose combat ended, and whose units are still engaged with each other.
        """
        marks = self._checked_removed(removed)
        breaks = self._checked_event("broke", broke, (len(self), 2))
        ends = self._checked_event("combat_ended", combat_ended, (len(self),))
        engaged = _events("still_engaged", still_engaged, (len(self),))
        over = (self.removed | marks | breaks).any(axis=1) | ends | ~engaged
        nobody = np.zeros((len(self), 2), np.bool_)
        return Duels._of_columns(self._columns() | {"removed": nobody, "active": self.active & ~over})

    def _checked_removed(self, removed: ArrayLike) -> BoolArray:
        marks = self._checked_event("removed", removed, (len(self), 2))
        again = marks & self.removed
        if again.any():
            i, k = first_index(again)
            slot = getattr(self, _SIDES[k])[i]
            raise PlacedValueError(("removed", i, k), f"slot {slot} is removed already")
        return marks

    def _checked_event(self, name: str, values: ArrayLike, shape: tuple[int, ...]) -> BoolArray:
        marks = _events(name, values, shape)
        late = marks.any(axis=-1) if marks.ndim > 1 else marks
        late = late & ~self.active
        if late.any():
            (i,) = first_index(late)
            raise PlacedValueError(
                (name, i), f"the duel of slots {self.first[i]} and {self.second[i]} is over already"
            )
        return marks

    def __len__(self) -> int:
        return len(self.first)

    def __getitem__(self, which: ArrayLike | slice) -> Duels:
        """Return the duels where a mask is True, or a slice of them, in the same order."""
        if not isinstance(which, slice):
            which = np.asarray(which)
            if which.dtype != np.bool_:
                raise TypeError(
                    f"duels are chosen by a mask or a slice, got {which!r}; columns are attributes"
                )
            if which.shape != (len(self),):
                raise ValueError(f"the mask must have shape ({len(self)},), got {which.shape}")
        columns = self._columns().items()
        return Duels._of_columns({name: None if own is None else own[which] for name, own in columns})

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"Duels are read-only, {name!r} cannot be set")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"Duels are read-only, {name!r} cannot be deleted")

    def __iter__(self) -> NoReturn:
        raise TypeError("Duels are not iterable; zip their columns, zip(duels.first, duels.second)")

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Duels):
            return NotImplemented
        mine, theirs = self._columns(), other._columns()
        return all(
            (mine[name] is None) is (theirs[name] is None) and np.array_equal(mine[name], theirs[name])
            for name in mine
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return Duels._of_columns, (self._columns(),)

    def __repr__(self) -> str:
        shown = {"first": self.first, "second": self.second, "state": self.state, "combat": self.combat}
        columns = "".join(
            f", {name}={np.array2string(values, separator=', ', threshold=6, edgeitems=2)}"
            for name, values in shown.items()
            if values is not None
        )
        return f"<Duels: {len(self)}, {np.count_nonzero(self.active)} active{columns}>"


def advance(
    duels: Duels,
    *,
    removed: ArrayLike = False,
    broke: ArrayLike = False,
    combat_ended: ArrayLike = False,
    still_engaged: ArrayLike = True,
) -> Duels:
    """Return the duels in the next round of combat: those that are over by then are not active any more.

    A duel ends with the phase in which one of its models is removed as a casualty or Breaks, or its combat
    ends, also by being split. It goes on only where both units are still engaged with each other at the start
    of the next round (rules page Fighting a Duel).

    Parameters
    ----------
    duels : Duels
        The duels of the phase that ends.
    removed : array_like of bool, shape (n, 2)
        Whether the first and the second duellist were removed in it, beside those marked already. This and
        the others may have any shape that broadcasts, but for two duels not (2,), which could mean either.
    broke : array_like of bool, shape (n, 2)
        Whether they Broke.
    combat_ended : array_like of bool, shape (n,)
        Whether the combat ended for any reason, or was split between the two.
    still_engaged : array_like of bool, shape (n,)
        Whether their units are engaged with each other at the start of the next round.

    Returns
    -------
    Duels
        As many, in the same order, those over included; nobody is removed yet.

    Raises
    ------
    TypeError
        If `duels` are no Duels or an event holds no booleans.
    ValueError
        If a shape does not fit; if something happens to a duel that is over already (`still_engaged` may be
        anything for it); if a model is removed that is marked already. The message names argument and index.

    See Also
    --------
    Duels.remove : marks duellists as removed while the phase goes on.
    Duels.advance : the same as a method.

    Examples
    --------
    The first of three duels goes on, in the second somebody is removed, the units of the third have drifted
    apart:

    >>> from ninthgeom.t9a import Duels, advance
    >>> duels = Duels([2, 7, 9], [17, 21, 30])
    >>> removed = [[False, False], [True, False], [False, False]]
    >>> advance(duels, removed=removed, still_engaged=[True, True, False]).active
    array([ True, False, False])
    """
    if not isinstance(duels, Duels):
        raise TypeError(f"duels must be Duels, got {type(duels).__name__}")
    return duels.advance(removed=removed, broke=broke, combat_ended=combat_ended, still_engaged=still_engaged)


def _events(name: str, values: ArrayLike, shape: tuple[int, ...]) -> BoolArray:
    """Return truth values of this shape, broadcast."""
    marks = as_booleans(name, values)
    if marks.shape == (2,) and shape == (2, 2):  # one for each duel, or for the two in each of them
        raise PlacedValueError((name,), "must have shape (2, 2), (2, 1) or (1, 2) for two duels, got (2,)")
    try:
        return np.broadcast_to(marks, shape)
    except ValueError:
        raise PlacedValueError((name,), f"shape {marks.shape} does not broadcast to {shape}") from None
