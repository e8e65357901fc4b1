"""Who may attack whom in close combat, and who takes the hits on a whole unit."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray, first_index
from ninthgeom._checks import PlacedTypeError, PlacedValueError, whole
from ninthgeom._states import check_board, flat_states, unit_indices
from ninthgeom.arcs import Arc
from ninthgeom.rows import Rows
from ninthgeom.t9a._attack_rights import Fights, Forces, Touches, attack_keys
from ninthgeom.t9a._duelling import check_duels, keep_apart, pairs_of
from ninthgeom.t9a._numbers import check_below, column
from ninthgeom.t9a._places import places_of
from ninthgeom.t9a._sides import opposing
from ninthgeom.t9a._states import check_rules
from ninthgeom.t9a.duels import Duels
from ninthgeom.t9a.kinds import AttackReason, ContactKind
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

__all__ = ["hit_pool", "may_attack"]

NamedUnits: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | ArrayLike

_COLUMNS: Final = ("model", "other", "kind", "facing")
#: Least and largest code in a column.
_CODES: Final = {"kind": (min(ContactKind), max(ContactKind)), "facing": (0, 15)}
_LINE_FORMATION_FILES: Final = 8
_SCRATCH_BYTES: Final = 64 * 2**20
# Masks over all slots of a state, and what becomes of a row of contacts.
_BYTES_PER_SLOT: Final = 6
_BYTES_PER_ROW: Final = 250


def may_attack(
    board: Board,
    contacts: Rows,
    *,
    duels: Duels | None = None,
    champions: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    supporting_ranks: ArrayLike = 1,
    rules: Rules = THIRD_EDITION,
) -> Rows:
    """Return which models may attack which in close combat, and why.

    The reasons, of which each pair of models has the first that holds, are those of `AttackReason`:

    * ``DUEL``: the two fight an active duel, also where `contacts` has found none between them, for it is
      `advance` that ends duels whose units are no longer engaged. A removed duellist attacks nobody, and the
      other one, unless he is removed too, still has him as his only target (Overkill). Whoever fights a duel
      attacks nobody else and is attacked by nobody else.
    * ``CONTACT``: the two are in contact.
    * ``SUPPORT``: the model is in contact with nobody and stands in the second rank, or one of as many as
      support; in its file living models hold all places before it, up to the first rank. It may attack whom
      the model of the first rank is in contact with through its Front Facing, in other ways than by a duel.
      Rank-and-file models and characters who stand in such a rank support alike, whoever stands before them,
      also a duellist.
    * ``SWIRL``: what a rank-and-file model is in contact with, or supports against, are characters, champions
      and duellists only. It may attack all rank-and-file models of their units, too.

    Only living models attack and are attacked, but for a duellist who is removed. So rows of contacts with
    models that have died since count for nothing. Contacts are not found anew, though: what is in contact
    across the gap that a casualty leaves is for `contacts` to say.

    Parameters
    ----------
    board : Board
        The units.
    contacts : Rows
        What `contacts` has found, or some rows of it in their order: columns ``state``, ``model``, ``other``,
        ``kind`` and ``facing``. A model attacks in the rows that it is the ``model`` of. The leading axes of
        the states are ``contacts.shape``.
    duels : Duels, optional
        The duels, those that `contacts` was asked with.
    champions : array_like of int, shape (c,), optional
        Slots of rank-and-file models that are champions, and of lone models that are characters; attached
        models are characters anyway. They do not swirl and nobody swirls onto them.
    occupied : array_like of bool, shape (..., M), optional
        Slots that hold a living model, the leading axes broadcast to those of the states; the initial ones of
        the board by default.
    supporting_ranks : int or array_like of int, shape (U,)
        How many ranks behind the first one support, for all units or for each. A model that stands in
        several ranks belongs to the foremost.
    rules : Rules
        With `Rules.line_formation`, one more rank supports in units that have eight files or more at full
        strength.

    Returns
    -------
    Rows
        One row for each pair: ``state``, ``model`` and ``other`` (slots) and ``reason`` (uint8). Sorted by
        state, model and other; the leading axes are those of `contacts`. Without states there are no rows;
        states without contacts have none but those of their duels.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If columns are missing, rows are not sorted, slots are not on the board or those of a row do not
        oppose each other; if contacts hold a duel that is not active in `duels`; if duels do not fit the
        board or the states; if a shape does not fit or a number is out of its range. The message names
        argument, index and value.

    See Also
    --------
    hit_pool : who takes the hits on a unit as a whole.

    Notes
    -----
    Rules pages Fighting a Duel, and Which Models Can Attack and Allocating Attacks. Where a base takes
    several files, it supports in each of those, and is supported in each of them, on its own.

    Examples
    --------
    A captain, slot 1, stands between two spearmen in front of three more, and is in contact with a giant, as
    is the spearman at his right:

    >>> from ninthgeom import Attached, Board, Rows, Unit
    >>> from ninthgeom.t9a import Duels, may_attack
    >>> captain = Attached("captain", (20, 20), place=(0, 1))
    >>> spears = Unit("spears", (20, 20), models=5, files=3, attached=[captain])
    >>> board = Board([spears, Unit("giant", (50, 75), height=5, side=1)])
    >>> board.model_unit
    array([0, 0, 0, 0, 0, 0, 1])
    >>> touches = {"model": [1, 5, 6, 6], "other": [6, 6, 1, 5], "kind": [1] * 4, "facing": [1] * 4}
    >>> contacts = Rows({"state": [0] * 4, **touches}, shape=())
    >>> for name, column in may_attack(board, contacts).columns.items():
    ...     print(name, column.tolist())
    state [0, 0, 0, 0, 0, 0]
    model [1, 3, 4, 5, 6, 6]
    other [6, 6, 6, 6, 1, 5]
    reason [1, 2, 2, 1, 1, 1]

    In a duel of the captain and the giant, nobody else attacks either:

    >>> attacks = may_attack(board, contacts, duels=Duels([5], [6]))
    >>> attacks.model.tolist(), attacks.other.tolist(), attacks.reason.tolist()
    ([5, 6], [6, 5], [4, 4])
    """
    _check_types(board, contacts, rules)
    n = board.n_models
    mask = board.occupied if occupied is None else _living(board, contacts, occupied)
    pairs = pairs_of(duels, board, contacts.n_states)
    removed = np.empty((0, 2), np.bool_) if duels is None else duels.removed
    forces = _forces(board, champions, supporting_ranks, rules)
    found = []
    for states, rows in _chunks(contacts, n):
        some = pairs.between(states.start, states.stop)
        fights = Fights(some.state - states.start, some.first, some.second, removed[some.duel])
        touches = _touches(board, contacts, states, rows, forces, fights)
        living = np.ascontiguousarray(flat_states(mask, contacts.shape, states, 1)).reshape(-1)
        keys = attack_keys(forces, touches, fights, living)
        state, *others = forces.columns(keys)
        found.append((state + states.start, *others))
    names = ("state", "model", "other", "reason")
    nothing = [np.empty(0, np.intp)] * 3 + [np.empty(0, np.uint8)]
    columns = [np.concatenate(parts) for parts in zip(nothing, *found, strict=True)]
    return Rows._of_parts(dict(zip(names, columns, strict=True)), contacts.shape)


def hit_pool(
    board: Board,
    attackers: ArrayLike,
    units: NamedUnits,
    *,
    duels: Duels | None = None,
    state: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
) -> BoolArray:
    """Return onto which models the hits of attacks on whole units may be distributed.

    Attacks on a unit as a whole are Breath and Grind Attacks, Impact Hits, Stomp Attacks and the like. Their
    hits may go to all living models of the unit but those that fight a duel. An attacker in a duel may only
    make them against the unit of the other duellist, and the hits only go to that one, removed or not.

    Parameters
    ----------
    board : Board
        The units.
    attackers : array_like of int, shape (n,)
        Slots of the models whose hits they are.
    units : sequence of int or str, length n
        Index or name of the unit that each of them attacks. Sides are not looked at.
    duels : Duels, optional
        The duels.
    state : array_like of int, shape (n,), optional
        In which state each attack is made, as index of the leading axes flattened; needed where `occupied`
        has several states, else state 0 by default.
    occupied : array_like of bool, shape (..., M), optional
        Slots that hold a living model; a mask without leading axes, like the initial one of the board that is
        taken by default, holds in all states.

    Returns
    -------
    ndarray of bool, shape (n, M)
        True for the slots that the hits of each attack may go to; all False where nobody is left who takes
        them. Without attackers the shape is (0, M).

    Raises
    ------
    TypeError, ValueError
        If an argument is of another type, arguments are not equally long, or slots, units, states or duels
        are not those of the board. The message names argument, index and value.

    See Also
    --------
    may_attack : which models may be attacked one by one.

    Notes
    -----
    Rules page Fighting a Duel.

    Examples
    --------
    The champion, slot 0, fights a duel with the chief of the goblins, slot 3:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import Duels, hit_pool
    >>> board = Board([Unit("guard", (20, 20), models=3), Unit("goblins", (20, 20), models=3, side=1)])
    >>> hit_pool(board, [0, 1], ["goblins", "goblins"], duels=Duels([0], [3]))
    array([[False, False, False,  True, False, False],
           [False, False, False, False,  True,  True]])
    """
    check_board(board)
    attacker = column(("attackers",), attackers, end=board.n_models)
    n = len(attacker)
    if units is None:
        raise TypeError("units must be a sequence of names or indices, got None")
    unit = unit_indices(board, units, "units")
    if len(unit) != n:
        raise PlacedValueError(("units",), f"must have length {n}, got {len(unit)}")
    mask = board.occupied if occupied is None else board._checked_occupied(occupied)
    masks = mask.reshape(math.prod(mask.shape[:-1]), board.n_models)
    n_states = None if mask.ndim == 1 else len(masks)
    if state is not None:
        at = column(("state",), state, length=n, end=n_states)
    elif len(masks) == 1 or not n:
        at = np.zeros(n, np.intp)
    else:
        raise PlacedValueError(("state",), f"must be given, as occupied has {len(masks)} states")
    pool: BoolArray = unit[:, None] == board.model_unit
    pool &= masks[0] if n_states is None else masks[at]
    if duels is not None:
        check_duels(duels, board, n_states)
        is_alive = masks[np.zeros_like(at) if n_states is None else at, attacker]
        keep_apart(duels, pool, attacker, unit, at, board.model_unit, is_alive)
    return pool


def _check_types(board: Board, contacts: Rows, rules: Rules) -> None:
    check_board(board)
    check_rules(rules)
    if not isinstance(contacts, Rows):
        raise TypeError(f"contacts must be Rows, got {type(contacts).__name__}")
    for name in _COLUMNS:
        if name not in contacts.columns:
            known = ", ".join(contacts.columns)
            raise ValueError(f"contacts must have a column {name!r}, as what contacts gives; got {known}")
        if len(contacts) and contacts.columns[name].dtype.kind not in "iu":
            dtype = contacts.columns[name].dtype
            raise PlacedTypeError(("contacts", name), f"must hold integers, got dtype {dtype}")
    for name, (least, most) in _CODES.items():
        codes = contacts.columns[name]
        wrong = np.flatnonzero((codes < least) | (codes > most))
        if len(wrong):
            place = ("contacts", name, int(wrong[0]))
            raise PlacedValueError(place, f"must be from {least} to {most}, got {codes[wrong[0]]}")


def _living(board: Board, contacts: Rows, occupied: ArrayLike) -> BoolArray:
    mask = board._checked_occupied(occupied)
    try:
        np.broadcast_to(mask, (*contacts.shape, board.n_models))
    except ValueError:
        leading = (
            f"the leading axes {mask.shape[:-1]} do not broadcast to those of contacts, {contacts.shape}"
        )
        raise PlacedValueError(("occupied",), leading) from None
    return mask


def _forces(board: Board, champions: ArrayLike | None, supporting_ranks: ArrayLike, rules: Rules) -> Forces:
    places = places_of(board)
    plain = places.ranked.copy()
    if champions is not None:
        plain[column(("champions",), champions, end=board.n_models)] = False
    single = np.ndim(supporting_ranks) == 0
    place = ("supporting_ranks",)
    if single:
        ranks = np.array(whole(np.asarray(supporting_ranks)[()], place, 0), np.intp)
    else:
        ranks = column(place, supporting_ranks, length=len(board))
    more = rules.line_formation & (places.files >= _LINE_FORMATION_FILES)
    # Nobody stands behind the last rank, so that adding to any number does no harm.
    fighting = np.minimum(1 + np.minimum(ranks, places.ranks) + more, places.ranks)
    return Forces(board.model_unit, places, fighting, plain)


def _chunks(contacts: Rows, n_slots: int) -> Iterator[tuple[slice, slice]]:
    """Cut the states, and their rows, in pieces whose scratch stays small."""
    indptr = contacts.indptr
    cost = indptr * _BYTES_PER_ROW + np.arange(len(indptr)) * (n_slots * _BYTES_PER_SLOT)
    start = 0
    while start < contacts.n_states:
        stop = int(np.searchsorted(cost, cost[start] + _SCRATCH_BYTES, side="right")) - 1
        stop = max(stop, start + 1)
        yield slice(start, stop), slice(int(indptr[start]), int(indptr[stop]))
        start = stop


def _touches(
    board: Board, contacts: Rows, states: slice, rows: slice, forces: Forces, fights: Fights
) -> Touches:
    """Return the contacts of some states, checked."""
    first = rows.start
    kind = contacts.columns["kind"][rows]
    slots = {name: contacts.columns[name][rows] for name in ("model", "other")}
    for name, given in slots.items():
        check_below(("contacts", name), given, board.n_models, first)
    model, other = (given.astype(np.intp, copy=False) for given in slots.values())
    enemies = opposing(board)[forces.unit.take(model), forces.unit.take(other)]
    if not enemies.all():
        (i,) = first_index(~enemies)
        units = (board.names[forces.unit[slot]] for slot in (model[i], other[i]))
        problem = f"slot {other[i]} of {{1!r}} does not oppose slot {model[i]} of {{0!r}}".format(*units)
        raise PlacedValueError(("contacts", "other", first + i), problem)
    at = (contacts.state[rows] - states.start) * forces.n_slots + model
    keys = forces.keys(at, other, AttackReason.CONTACT)
    rising = keys[1:] > keys[:-1]
    if not rising.all():
        (i,) = first_index(~rising)
        problem = "rows must be sorted by state, model and other, each pair once"
        raise PlacedValueError(("contacts", "other", first + i + 1), problem)
    stale = kind == ContactKind.DUEL
    if stale.any():
        stale[stale] = ~np.isin(keys[stale], forces.duel_keys(fights, AttackReason.CONTACT))
        if stale.any():
            (i,) = first_index(stale)
            state = contacts.state[first + i]
            problem = f"slots {model[i]} and {other[i]} fight no active duel of duels in state {state}"
            raise PlacedValueError(("contacts", "kind", first + i), problem)
    to_front = (contacts.columns["facing"][rows] & Arc.FRONT != 0) & (kind != ContactKind.DUEL)
    return Touches(at, model, other, to_front)
