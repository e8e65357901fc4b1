"""Which models are in contact, across gaps and with round bases too, and through which facings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units, flat_states
from ninthgeom.rows import Rows
from ninthgeom.t9a._duelling import Pairs, pairs_of
from ninthgeom.t9a._engagements import (
    CODE_BITS,
    FACING,
    FLAGS,
    OTHER_FACING,
    ModelCodes,
    asked_units,
    engagements_of,
    model_codes,
)
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.engaged import facings_of
from ninthgeom.t9a.kinds import ContactKind
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.board import Board
    from ninthgeom.t9a.duels import Duels

IntArray: TypeAlias = NDArray[np.intp]

_NAMES: Final = ("state", "model", "other", "kind", "facing", "other_facing")
_DTYPES: Final = (*[np.intp] * 3, *[np.uint8] * 3)
# Models that stand side by side leave no slit however they are turned.
_LEAST_TOLERANCE: Final = 1e-8
# Columns and numbers of two boundaries; every pair may be in contact.
_BYTES_PER_PAIR: Final = 300
# Shapes and codes of a model in some pairs, and its contacts while they are sorted.
_BYTES_PER_SLOT: Final = 500


def contacts(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    duels: Duels | None = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    frozen: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Rows:
    """Return which models are in contact with which models of opposing units.

    Models of two units can be in contact only if the Unit Boundaries are. They are so where

    * their bases touch or overlap;
    * a line straight ahead of an engaged facing runs across a gap from the edge of the one to the edge of the
      other, the ends of the edges included. ``rules.gap_blocking`` and ``rules.gap_stops_at`` decide what
      stops it, ``rules.gap_angle`` how far the facings may be off parallel. A model whose edge is covered
      from end to end by models of its own unit, which in skirmish formation stand their distance before it,
      is in contact with nobody there;
    * one stands on a round or oval base that is straight ahead of an engaged facing of the other, with more
      than a point of its width (``rules.round_front``) and nobody between; two round bases always are;
    * they fight a duel, wherever they stand in their units.

    Units of different sides oppose one another; if all units of the board are of one side, all do.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, rules, tol, workers
        As in `distances`, with a `tol` of at least 1e-8; one of each pair of models belongs to an observer,
        the other to a target.
    duels : Duels, optional
        The duels that are fought.
    frozen : array_like of bool, shape (..., M), optional
        Slots that the Unit Boundaries go by, by default those that are occupied, which it must include. The
        third edition keeps boundaries as they were when the combat began.

    Returns
    -------
    Rows
        One row for each state and ordered pair of models in contact, sorted by state, model and other:
        ``state``; ``model`` and ``other`` (slots of the board); ``kind`` (a code of `ContactKind`, the first
        that holds); ``facing`` and ``other_facing`` (flags of `ninthgeom.Arc`: through which facing of the
        model, and of the other, they are in contact; more than one where they meet in a corner). No rows
        where there are no states, no units to ask about or no contacts.

    Raises
    ------
    TypeError, ValueError
        As in `distances`, and for duels that do not fit the board.

    See Also
    --------
    engaged_facings : through which facings the units are engaged.
    may_attack : who may attack whom, from these rows.
    ninthgeom.Board.fill_ranks : what the second edition does with gaps.

    Notes
    -----
    Rules page Interactions between Objects. Its list of what a line across a gap must do has an empty item;
    that nothing stands in between is what `Rules` makes of it unless told otherwise. Unit Boundaries with
    holes and empty slots: rules page Freeze Unit Boundaries of the third edition.

    Bases overlap in no state of the game. They may here: what overlaps touches. Only where a third unit or
    impassable terrain reaches into a round base, a line to it that is free just between two parts of what
    reaches in may be missed.

    Examples
    --------
    A giant charges the rear of a unit whose last rank has one model of three. It touches that one, and the
    two before the empty slots are in contact across them:

    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import ContactKind, contacts
    >>> spears = Unit("spears", (25.4, 25.4), models=4, files=3, side=1)
    >>> board = Board([spears, Unit("giant", (76.2, 76.2), side=2)])
    >>> positions = [[10, 10, math.pi / 2], [10, 8, math.pi / 2]]
    >>> rows = contacts(board, positions, observers=["spears"])
    >>> for model, kind in zip(rows.model, rows.kind):
    ...     print(model, ContactKind(kind).name)
    1 GAP
    2 GAP
    3 TOUCH

    In the second edition a model of the last rank steps into a gap at once, in the third all stay where they
    are until the combat is over, and the boundary too:

    >>> from ninthgeom.t9a import SECOND_EDITION, THIRD_EDITION
    >>> dead = board.occupied & [False, True, True, True, True, True, True]
    >>> filled = board.fill_ranks(dead)
    >>> second = contacts(board, positions, observers=["spears"], occupied=filled, rules=SECOND_EDITION)
    >>> held = {"occupied": dead, "frozen": board.occupied, "rules": THIRD_EDITION}
    >>> third = contacts(board, positions, observers=["spears"], **held)
    >>> len(second), third.model
    (0, array([1, 2, 3]))
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, frozen=frozen
    )
    if states.tol < _LEAST_TOLERANCE:
        raise ValueError(f"tol must be at least {_LEAST_TOLERANCE:g} for contacts, got {tol!r}")
    fought = None if duels is None else _Fought.of(duels, states, present)
    found: list[list[NDArray[Any]]] = []
    for chunk in states.chunks(_BYTES_PER_PAIR, more=board.n_models * _BYTES_PER_SLOT):
        codes = model_codes(states, chunk, engagements_of(states, chunk))
        if fought is not None:
            codes = fought.added(codes, chunk)
        found.append(_columns(states, chunk, codes))
    arrays = [
        np.concatenate([np.empty(0, dtype), *parts]) for dtype, *parts in zip(_DTYPES, *found, strict=True)
    ]
    return Rows._of_parts(dict(zip(_NAMES, arrays, strict=True)), states.leading)


@dataclass(frozen=True, eq=False)
class _Fought:
    """Duels of all states.

    Attributes
    ----------
    pairs : Pairs
    present : ndarray of bool, shape (..., U)
        Units on the table, also those without a living model.
    """

    states: States
    pairs: Pairs
    present: BoolArray

    @classmethod
    def of(cls, duels: Duels, states: States, present: ArrayLike | None) -> _Fought:
        """Check the duels."""
        here = np.ones(len(states.board), np.bool_) if present is None else np.asarray(present)
        return cls(states, pairs_of(duels, states.board, states.n_states), here)

    def added(self, codes: ModelCodes, chunk: Chunk) -> ModelCodes:
        """Return the codes with those of the duels of engaged units that are not in contact otherwise."""
        pairs = self.pairs.between(chunk.states.start, chunk.states.stop)
        if not len(pairs.state):
            return codes
        board, states = self.states.board, self.states
        state = pairs.state - chunk.states.start
        order = np.sort(np.stack([pairs.first, pairs.second]), axis=0)
        a, b = board.model_unit[order]
        facings = facings_of(self._boundaries(chunk, state, order), state, a, b, states.rules, states.tol)
        here = flat_states(self.present, states.leading, chunk.states, 1)
        fights = (facings[0] != 0) & here[state, a] & here[state, b]
        fights &= ~np.isin(_keys(board, state, *order), _keys(board, codes.state, codes.model, codes.other))
        flags = facings.astype(np.uint16)
        code = ContactKind.DUEL | flags[0] << FACING | flags[1] << OTHER_FACING
        more = state, *order, code
        old = codes.state, codes.model, codes.other, codes.code
        return ModelCodes(*(np.concatenate([some, new[fights]]) for some, new in zip(old, more, strict=True)))

    def _boundaries(self, chunk: Chunk, state: IntArray, models: IntArray) -> Bases:
        """Return the boundaries as if all duellists stood in their slots, the removed ones too."""
        board, states = self.states.board, self.states
        living = board.occupied[None] if chunk.occupied is None else chunk.occupied
        if living[state if len(living) > 1 else 0, models].all():
            return chunk.boundaries
        mask = states.frozen
        held = living if mask is None else flat_states(mask, states.leading, chunk.states, 1)
        standing = np.array(np.broadcast_to(held, (len(chunk.positions), board.n_models)))
        standing[state, models] = True
        # positions of units without a living model were not looked at so far
        positions = flat_states(states.positions, states.leading, chunk.states, 2)
        return board._boundaries(positions, standing)


def _keys(board: Board, state: IntArray, model: IntArray, other: IntArray) -> IntArray:
    return (state * board.n_models + model) * board.n_models + other


def _columns(states: States, chunk: Chunk, codes: ModelCodes) -> list[NDArray[Any]]:
    """Return the rows of a chunk, both ways round, those asked for, sorted."""
    board = states.board
    swapped = codes.code & FLAGS | (codes.code >> OTHER_FACING & FLAGS) << FACING
    swapped |= (codes.code >> FACING & FLAGS) << OTHER_FACING
    state = np.concatenate([codes.state, codes.state])
    model = np.concatenate([codes.model, codes.other])
    other = np.concatenate([codes.other, codes.model])
    # All in one number, which is sorted faster than an order is found.
    bits = board.n_models.bit_length()
    key = ((state << bits | model) << bits | other) << CODE_BITS | np.concatenate([codes.code, swapped])
    observes, is_target = asked_units(states)
    if not (observes.all() and is_target.all()):
        key = key[observes[board.model_unit[model]] & is_target[board.model_unit[other]]]
    key.sort()
    code = key & (1 << CODE_BITS) - 1
    key >>= CODE_BITS
    other = key & (1 << bits) - 1
    key >>= bits
    model = key & (1 << bits) - 1
    key >>= bits
    key += chunk.states.start
    flags = (code & FLAGS, code >> FACING & FLAGS, code >> OTHER_FACING)
    return [key, model, other, *(part.astype(np.uint8) for part in flags)]
