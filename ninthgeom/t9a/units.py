"""Distances, contact and arcs between units, over many states at once."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import arcs, measure
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# The signed gap and masks, for each pair.
BYTES_PER_PAIR: Final = 10
# What each of these questions takes for a pair, in nanoseconds.
PAIR_NS: Final = 8.0


def distances(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> FloatArray:
    """Return the distance between the Unit Boundaries, in inches.

    Distances run from closest point to closest point, through whatever stands between, empty slots of a rear
    rank included.

    Parameters
    ----------
    board : Board
        The units and the table.
    positions : array_like, shape (..., U, 3)
        x, y and heading of every unit of the board, in inches and radians; the leading axes are states.
    observers, targets : sequence of int or str, optional
        Indices or names of the units that observe and that are observed; all units by default.
    present : array_like of bool, shape (..., U), optional
        Units on the table; all by default. Positions of absent units are not looked at.
    occupied : array_like of bool, shape (..., M), optional
        Slots that hold a living model; the initial ones of the board by default. A unit without any is
        absent.
    pairs : array_like of bool, optional
        Which observers to ask about which targets, of a shape that broadcasts to (..., observers, targets);
        all by default. Pairs that are not asked cost nothing, and get the answer of an absent unit.
    rules : Rules
        The reading of the rules, by default that of the third edition. Distances, arcs and the contact of
        units are the same in every reading; sight, engaged facings and the contacts of models are not.
    tol : float
        Units closer than this are in contact.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of float64, shape (..., observers, targets)
        The leading axes of positions and masks, broadcast against each other; 0 in contact, inf from a unit
        to itself, where one of the two is absent and where a pair is not asked. Empty where there are no
        states or no units to ask about; never NaN.

    Raises
    ------
    TypeError
        If an argument is of another type, positions hold no real numbers or masks no booleans.
    ValueError
        If a shape does not fit the board or the other arguments, a position of a unit on the table is not
        finite or above 1e6, a unit is not known, or `tol` or `workers` is out of its range. The message names
        argument, index and value.

    See Also
    --------
    units_in_contact : whether the distance is 0.
    ninthgeom.distance : the same between any bases.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import distances
    >>> board = Board([Unit("spears", (20, 20), models=20, files=5), Unit("giant", (50, 75), height=5)])
    >>> north, south = math.pi / 2, -math.pi / 2
    >>> distances(board, [[36, 10, north], [36, 22, south]])
    array([[inf, 12.],
           [12., inf]])
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    answer = states.empty(np.float64)

    def fill(some: States, chunk: Chunk) -> None:
        gaps_to_distances(some, fill_gaps(some, chunk, answer))

    states.for_chunks(fill, BYTES_PER_PAIR, pair_ns=PAIR_NS)
    return states.shaped(answer)


def units_in_contact(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether the Unit Boundaries are in contact: touching, corner to corner included, or overlapping.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, pairs, rules, tol, workers
        As in `distances`.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        False for a unit with itself and where one of the two is absent.

    Raises
    ------
    TypeError, ValueError
        As in `distances`.

    See Also
    --------
    ninthgeom.in_contact : the same between any bases.

    Examples
    --------
    Two blocks that touch at one corner:

    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import units_in_contact
    >>> board = Board([Unit(name, (25.4, 25.4), models=4, files=2) for name in "ab"])
    >>> units_in_contact(board, [[36, 10, math.pi / 2], [38, 12, math.pi / 2]])
    array([[False,  True],
           [ True, False]])
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    answer = states.empty(np.bool_)

    def fill(some: States, chunk: Chunk) -> None:
        fill_contact(some, chunk, fill_gaps(some, chunk), answer)

    states.for_chunks(fill, BYTES_PER_PAIR, pair_ns=PAIR_NS)
    return states.shaped(answer)


def inside_arcs(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> NDArray[np.uint8]:
    """Return the arcs of the observer that the target is inside of.

    A target is inside every arc that some part of its Unit Boundary touches; a touch of a divider counts for
    both arcs. Arcs start at the corners of the observer's Unit Boundary; round units have a Front Arc only.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, pairs, rules, tol, workers
        As in `distances`.

    Returns
    -------
    ndarray of uint8, shape (..., observers, targets)
        Flags of `ninthgeom.Arc`: FRONT 1, LEFT 2, REAR 4, RIGHT 8. 0 for a unit with itself and where one of
        the two is absent.

    Raises
    ------
    TypeError, ValueError
        As in `distances`.

    See Also
    --------
    located_arcs : the one arc that the target is located in.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Arc, Board, Unit
    >>> from ninthgeom.t9a import inside_arcs
    >>> board = Board([Unit("spears", (20, 20), models=20, files=5), Unit("giant", (50, 75), height=5)])
    >>> facing_each_other = [[36, 10, math.pi / 2], [36, 22, -math.pi / 2]]
    >>> Arc(inside_arcs(board, facing_each_other)[0, 1])
    <Arc.FRONT: 1>
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    answer = states.empty(np.uint8)

    def fill(some: States, chunk: Chunk) -> None:
        fill_inside_arcs(some, chunk, answer)

    states.for_chunks(fill, BYTES_PER_PAIR, pair_ns=PAIR_NS)
    return states.shaped(answer)


def located_arcs(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> NDArray[np.uint8]:
    """Return the one arc of the observer that the target is located in.

    The middle of the target's Front Facing decides, of a round base its centre. On a divider it is the flank.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, pairs, rules, tol, workers
        As in `distances`.

    Returns
    -------
    ndarray of uint8, shape (..., observers, targets)
        One flag of `ninthgeom.Arc`, or 0 where the point lies strictly inside the observer, for a unit with
        itself and where one of the two is absent.

    Raises
    ------
    TypeError, ValueError
        As in `distances`.

    See Also
    --------
    inside_arcs : every arc that the target touches.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Arc, Board, Unit
    >>> from ninthgeom.t9a import located_arcs
    >>> board = Board([Unit("spears", (20, 20), models=20, files=5), Unit("giant", (50, 75), height=5)])
    >>> charge_in_the_rear = [[36, 10, -math.pi / 2], [36, 22, -math.pi / 2]]
    >>> Arc(located_arcs(board, charge_in_the_rear)[0, 1])
    <Arc.REAR: 4>
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    answer = states.empty(np.uint8)

    def fill(some: States, chunk: Chunk) -> None:
        fill_located_arcs(some, chunk, answer)

    states.for_chunks(fill, BYTES_PER_PAIR, pair_ns=PAIR_NS)
    return states.shaped(answer)


def fill_gaps(states: States, chunk: Chunk, answer: FloatArray | None = None) -> FloatArray:
    """Return the signed gaps of a chunk, from which distance and contact follow, in its part of `answer`."""
    out = chunk.empty(np.float64) if answer is None else answer[chunk.states]
    _fill(chunk, partial(measure.gap, workers=states.workers), np.inf, out)
    return out


def gaps_to_distances(states: States, gap: FloatArray) -> None:
    """Turn the gaps of a chunk into distances, where they are."""
    gap[gap <= states.tol] = 0.0


def fill_contact(states: States, chunk: Chunk, gap: FloatArray, answer: NDArray[Any]) -> None:
    """Write the contacts of a chunk to its part of `answer`."""
    np.less_equal(gap, states.tol, out=answer[chunk.states])


def fill_inside_arcs(states: States, chunk: Chunk, answer: NDArray[Any]) -> None:
    """Write the arcs touched in a chunk to its part of `answer`."""
    ask = partial(arcs.inside_arcs, tol=states.tol, workers=states.workers)
    _fill(chunk, ask, 0, answer[chunk.states])


def fill_located_arcs(states: States, chunk: Chunk, answer: NDArray[Any]) -> None:
    """Write the arcs located in of a chunk to its part of `answer`."""
    ask = partial(arcs.located_arc, tol=states.tol, workers=states.workers)
    _fill(chunk, ask, 0, answer[chunk.states])


def _fill(chunk: Chunk, ask: Callable[..., Any], blank: float, out: NDArray[Any]) -> None:
    """Write the answers of a chunk to `out`, and `blank` where there is none.

    Without a mask of pairs all are asked, and written where they belong.
    """
    if chunk.pairs is None:
        ask(chunk.observer_boundaries, chunk.target_boundaries, out=out)
        chunk.blank(out, blank)
        return
    out[...] = blank
    for block in chunk.asked_blocks():
        answer = ask(block.observers, block.targets)
        out[block.place] = (
            answer if block.asked is None else np.where(block.asked, answer, out.dtype.type(blank))
        )
