"""Through which facings units in contact are engaged with each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import arcs, measure
from ninthgeom._arrays import FloatArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.arcs import Arc
from ninthgeom.t9a._states import prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]

_FLANKS: Final = int(Arc.LEFT | Arc.RIGHT)
# Columns and numbers of two boundaries; every pair may be in contact.
_BYTES_PER_PAIR: Final = 300


def engaged_facings(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> NDArray[np.uint8]:
    """Return the facings of the observers through which they are engaged with the targets.

    Of two Unit Boundaries in contact the one is engaged through the facing that the other lies wholly before.
    Where corner meets corner these may be two. Where the other one slants across a corner, it is that facing
    of the corner which makes the smaller angle with the other's, or both at 45 degrees. What two facings
    mean, ``rules.corner_facing`` decides. Of boundaries that overlap it is the facing least deep in the
    other; units right on top of each other may be engaged through all four.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, rules, tol, workers
        As in `distances`; of `rules` only ``corner_facing`` counts. To ask by frozen boundaries, as
        `contacts` does, pass the frozen slots as `occupied`.

    Returns
    -------
    ndarray of uint8, shape (..., observers, targets)
        Flags of `ninthgeom.Arc`, for the facings have the names of the arcs: FRONT 1, LEFT 2, REAR 4,
        RIGHT 8. Round and oval units are engaged through their front. 0 for units that are not in contact.
        The facings of the targets are those of the swapped question. Empty where there are no states or no
        units to ask about.

    Raises
    ------
    TypeError, ValueError
        As in `distances`.

    See Also
    --------
    units_in_contact : whether they are engaged at all.
    contacts : which of their models are in contact.

    Notes
    -----
    Rules page Interactions between Objects. It does not say which facing a corner belongs to.

    Examples
    --------
    A charge in the right flank:

    >>> import math
    >>> from ninthgeom import Arc, Board, Unit
    >>> from ninthgeom.t9a import engaged_facings
    >>> board = Board([Unit("spears", (25.4, 25.4), models=6, files=3), Unit("giant", (50.8, 50.8))])
    >>> facings = engaged_facings(board, [[10, 10, math.pi / 2], [11.5, 9, math.pi]])
    >>> Arc(facings[0, 1]), Arc(facings[1, 0])
    (<Arc.RIGHT: 8>, <Arc.FRONT: 1>)
    """
    states = prepare(board, positions, observers, targets, present, occupied, rules, tol, workers)
    answer = states.empty(np.uint8)
    for chunk in states.chunks(_BYTES_PER_PAIR):
        boundaries = chunk.observer_boundaries, chunk.target_boundaries
        met = measure.in_contact(*boundaries, tol=states.tol, workers=workers)
        chunk.blank(met, False)
        state, observer, target = np.nonzero(met)
        units = states.observers[observer], states.targets[target]
        out = answer[chunk.states]
        out[...] = 0
        out[met] = facings_of(chunk.boundaries, state, *units, rules, states.tol)[0]
    return states.shaped(answer)


def facings_of(
    boundaries: Bases, state: IntArray, a: IntArray, b: IntArray, rules: Rules, tol: float
) -> NDArray[np.uint8]:
    """Return the facings of units a, then of b, engaged with the other, shape (2, n); 0 where not in contact.

    Parameters
    ----------
    boundaries : Bases, shape (S, U)
    state, a, b : ndarray of int, shape (n,)
        The pairs.
    """
    from ninthgeom_kernel.facings import facings

    answer = np.empty((2, len(state)), np.uint8)
    columns = boundaries._columns
    one, other = _gathered(columns, state, a), _gathered(columns, state, b)
    facings(one, other, tol, answer)
    for flags, mine, its in ((answer[0], a, b), (answer[1], b, a)):
        at = at_corners(flags, rules)
        if len(at):
            bases = boundaries[state[at], mine[at]], boundaries[state[at], its[at]]
            flags[at] = decided(flags[at], *bases, rules, tol)
    return answer


def at_corners(flags: NDArray[np.integer[Any]], rules: Rules) -> IntArray:
    """Return where there are two facings or more that the rules choose between."""
    if rules.corner_facing == "both":
        return np.empty(0, np.intp)
    return np.flatnonzero(flags & (flags - 1))


def decided(
    flags: NDArray[Any], observers: Bases, others: Bases, rules: Rules, tol: float
) -> NDArray[np.integer[Any]]:
    """Return those of two facings that count, or both where the rules choose neither."""
    wish: Any = _FLANKS
    if rules.corner_facing == "located":
        wish = arcs.located_arc(observers, others, tol=tol)
    chosen = flags & wish
    return np.where(chosen, chosen, flags)


def _gathered(columns: FloatArray, state: IntArray, unit: IntArray) -> NDArray[Any]:
    """Return the columns of some units, shape (7, 1, n)."""
    return np.ascontiguousarray(columns[:, state, unit])[:, None]
