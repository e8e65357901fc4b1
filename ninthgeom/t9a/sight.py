"""Line of sight between units, over many states at once."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.t9a._observers import unit_eyes
from ninthgeom.t9a._seeing import BYTES_PER_SLOT, Question, any_eye, any_sink, check_tolerance, unit_sinks
from ninthgeom.t9a._setting import settings
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

# The answers of single stretches and models, and who is asked, before they are put together for units.
BYTES_PER_PAIR: Final = 8
# What a pair takes on a usual board, in nanoseconds.
PAIR_NS: Final = 500.0


def line_of_sight(
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
    """Return whether a model of the observer can draw a sight line to the target.

    If such a line exists it is found: nothing is sampled. A line

    * starts at the front edge of the observer's Unit Boundary, straight ahead of the model that looks, and
      leaves at most 45 degrees off straight ahead; units with a round or oval base look from any point of it
      in any direction. Files without a living model see nothing;
    * ends at the target's Unit Boundary, empty slots included, which has the height of most of its living
      models (of two as frequent ones the smaller), or at the base of a living model that is higher than that;
    * is not blocked by Unit Boundaries of other present units, empty slots included, nor by single models
      higher than their boundary, if they are high enough (`Rules.los_height_op`) against the higher of
      observing model and target. Under `Rules.boundary_blocks` False only bases of living models block. The
      observer's and the target's own unit never do, nor, for an observing model that is elevated
      (`Rules.elevated`), whatever is not;
    * is not blocked by opaque terrain: impassable terrain always, other kinds (hills) unless the line starts
      or ends in it; a piece with a height only if it is high enough in the same way as a unit.

    A line may graze what is in the way (unless `Rules.touching` says otherwise), but it finds no slit between
    two obstacles in contact.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, pairs, rules, tol, workers
        As in `distances`. Absent units are not in the way.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        False for a unit with itself, where one of the two is absent and where a pair is not asked.

    Raises
    ------
    TypeError, ValueError
        As in `distances`; `tol` is at least 1e-8.

    See Also
    --------
    models_see : the same for single models.
    sees_points : from units to points on the ground.
    ninthgeom.line_of_sight : between any bases, without rules.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import line_of_sight
    >>> archers = Unit("archers", (20, 20), models=10)
    >>> wall = Unit("wall", (200, 25))
    >>> giant = Unit("giant", (50, 75), height=5)
    >>> board = Board([archers, wall, giant, Unit("goblin", (20, 20))])
    >>> north = math.pi / 2
    >>> line_of_sight(board, [[36, 10, north], [36, 14, north], [36, 24, north], [36, 16, north]])[0]
    array([False,  True,  True, False])
    """
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    check_tolerance(states.tol)
    answer = states.empty(np.bool_)

    def fill(some: States, chunk: Chunk) -> None:
        fill_sight(some, chunk, answer)

    more = board.n_models * BYTES_PER_SLOT
    states.for_chunks(fill, BYTES_PER_PAIR, more=more, pair_ns=PAIR_NS)
    return states.shaped(answer)


def fill_sight(states: States, chunk: Chunk, answer: NDArray[Any]) -> None:
    """Write the sight of a chunk to its part of `answer`."""
    out = answer[chunk.states]
    asked = chunk.asked_states()
    if len(asked) < len(out):
        out[...] = False
        chunk = chunk.part(asked)
        if not len(asked):
            return
    for part, setting in settings(states, chunk, chunk.observers):
        eyes, observer = unit_eyes(setting, chunk.observers)
        sinks, target = unit_sinks(setting, chunk.targets)
        wanted = _chosen(_chosen(setting.chunk.pairs, 1, observer), 2, target)
        question = Question.of(setting, eyes, sinks, wanted=wanted)
        seen = any_eye(question.seen(), observer, len(chunk.observers))
        out[asked[part]] = any_sink(seen, target, len(chunk.targets))


def _chosen(mask: BoolArray | None, axis: int, places: NDArray[np.intp]) -> BoolArray | None:
    """Take places along an axis of a mask, where it has more than one."""
    return mask if mask is None or mask.shape[axis] == 1 else np.take(mask, places, axis=axis)
