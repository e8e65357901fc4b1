"""Which models are in contact, across gaps and with round bases too, and through which facings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom.rows import Rows
from ninthgeom.t9a._duelling import Pairs, pairs_of
from ninthgeom.t9a._engagements import (
    CODE_BITS,
    FACING,
    FLAGS,
    OTHER_FACING,
    ModelCodes,
    engagements_of,
    model_codes,
)
from ninthgeom.t9a._states import Chunk, States, Units, prepare
from ninthgeom.t9a.engaged import facings_of
from ninthgeom.t9a.kinds import ContactKind
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board
    from ninthgeom.t9a.duels import Duels

IntArray: TypeAlias = NDArray[np.intp]

_NAMES: Final = ("state", "model", "other", "kind", "facing", "other_facing")
_DTYPES: Final = (*[np.intp] * 3, *[np.uint8] * 3)
# Whether a pair of units is in contact, twice.
_BYTES_PER_PAIR: Final = 2
# What the contacts of a model take while they are sorted.
_BYTES_PER_SLOT: Final = 200


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
      from end to end by models of its own unit is in contact with nobody there;
    * one stands on a round or oval base that is straight ahead of an engaged facing of the other, with more
      than a point of its width (``rules.round_front``) and nobody between; two round bases always are;
    * they fight a duel, wherever they stand.

    Units of different sides oppose one another; if all units of the board are of one side, all do.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, rules, tol, workers
        As in `distances`; one of each pair of models belongs to an observer, the other to a target.
    duels : Duels, optional
        The duels that are fought.
    frozen : array_like of bool, shape (..., M), optional
        Slots that the Unit Boundaries go by, by default those that are occupied. The third edition keeps
        boundaries as they were when the combat began.

    Returns
    -------
    Rows
        One row for each state and ordered pair of models in contact, sorted by state, model and other:
        ``state``; ``model`` and ``other`` (slots of the board); ``kind`` (a code of `ContactKind`, the first
        that holds); ``facing`` and ``other_facing`` (flags of `ninthgeom.Arc`: through which facing of the
        model, and of the other, they are in contact; more than one where they meet in a corner).

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

    Bases overlap in no state of the game. They may here: what overlaps touches, and lines end at what they
    meet. Only where something reaches deep into a round base, a line that is free just between two parts of
    it may be missed.

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

    >>> dead = board.occupied & [False, True, True, True, True, True, True]
    >>> second = contacts(board, positions, observers=["spears"], occupied=board.fill_ranks(dead))
    >>> third = contacts(board, positions, observers=["spears"], occupied=dead, frozen=board.occupied)
    >>> len(second), third.model
    (0, array([1, 2, 3]))
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, frozen=frozen
    )
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
    """Duels of all states, and the states as if all duellists stood in their slots."""

    pairs: Pairs
    standing: States

    @classmethod
    def of(cls, duels: Duels, states: States, present: ArrayLike | None) -> _Fought:
        """Check the duels, and let those fight on who have been removed."""
        board = states.board
        pairs = pairs_of(duels, board, states.n_states)
        living = board.occupied if states.occupied is None else states.occupied
        slots = np.stack([pairs.first, pairs.second])
        all_living = np.broadcast_to(living, (*states.leading, board.n_models)).reshape(-1, board.n_models)
        if all_living[pairs.state, slots].all():
            return cls(pairs, states)

        def standing(mask: BoolArray) -> BoolArray:
            held = np.array(np.broadcast_to(mask, (*states.leading, board.n_models)))
            held.reshape(-1, board.n_models)[pairs.state, slots] = True
            return held

        rest = states.rules, states.tol, states.workers
        frozen = None if states.frozen is None else standing(states.frozen)
        return cls(
            pairs,
            prepare(board, states.positions, None, None, present, standing(living), *rest, frozen=frozen),
        )

    def added(self, codes: ModelCodes, chunk: Chunk) -> ModelCodes:
        """Return the codes with those of the duels of engaged units that are not in contact otherwise."""
        pairs = self.pairs.between(chunk.states.start, chunk.states.stop)
        if not len(pairs.state):
            return codes
        board, states = self.standing.board, self.standing
        here = self.standing.chunk(chunk.states)
        state = pairs.state - chunk.states.start
        order = np.sort(np.stack([pairs.first, pairs.second]), axis=0)
        a, b = board.model_unit[order]
        facings = facings_of(here.boundaries, state, a, b, states.rules, states.tol)
        fights = facings[0] != 0
        if here.present is not None:
            fights &= here.present[state, a] & here.present[state, b]
        fights &= ~np.isin(_keys(board, state, *order), _keys(board, codes.state, codes.model, codes.other))
        code = (
            ContactKind.DUEL
            | facings[0].astype(np.uint16) << FACING
            | facings[1].astype(np.uint16) << OTHER_FACING
        )
        more = state, *order, code
        old = codes.state, codes.model, codes.other, codes.code
        return ModelCodes(*(np.concatenate([some, new[fights]]) for some, new in zip(old, more, strict=True)))


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
    observes, is_target = np.zeros((2, len(board)), np.bool_)
    observes[states.observers] = True
    is_target[states.targets] = True
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
