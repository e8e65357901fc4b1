"""All unit questions of a batch of states in one go."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.t9a import sight, units
from ninthgeom.t9a._seeing import BYTES_PER_SLOT, check_tolerance
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

Question = Literal["distance", "contact", "arcs", "sight"]
QUESTIONS: tuple[Question, ...] = get_args(Question)


@dataclass(frozen=True, eq=False, kw_only=True)
class Answers:
    """What `evaluate` found, one array for each question; axis -2 observes, axis -1 is observed.

    Attributes
    ----------
    observers, targets : tuple of str
        Names of the units along the last two axes.
    distance : ndarray of float64 or None
        As `distances`; None when it was not asked for, as with all that follow.
    contact : ndarray of bool or None
        As `units_in_contact`.
    inside_arc, located_arc : ndarray of uint8 or None
        As `inside_arcs` and `located_arcs`.
    sight : ndarray of bool or None
        As `line_of_sight`.
    """

    observers: tuple[str, ...]
    targets: tuple[str, ...]
    distance: FloatArray | None = None
    contact: BoolArray | None = None
    inside_arc: NDArray[np.uint8] | None = None
    located_arc: NDArray[np.uint8] | None = None
    sight: BoolArray | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the arrays that were asked for, by the name of their field.

        Examples
        --------
        >>> import math
        >>> from ninthgeom import Board, Unit
        >>> from ninthgeom.t9a import evaluate
        >>> board = Board([Unit("a", (20, 20)), Unit("b", (20, 20))])
        >>> positions = [[36, 10, math.pi / 2], [36, 22, -math.pi / 2]]
        >>> list(evaluate(board, positions, questions=("sight", "distance")).arrays())
        ['distance', 'sight']
        """
        fields = ("distance", "contact", "inside_arc", "located_arc", "sight")
        return {name: values for name in fields if (values := getattr(self, name)) is not None}

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Return columns of equal length, one row for each state and ordered pair of two different units.

        ``pandas.DataFrame`` and ``pyarrow.table`` take the result as it is.

        Returns
        -------
        dict of str to ndarray, shape (n,)
            ``state`` (index of the state with all leading axes flattened), ``observer`` and ``target``
            (names), then a column for each array that was asked for. Sorted by state, then as the units were
            asked for.

        Examples
        --------
        >>> import math
        >>> from ninthgeom import Board, Unit
        >>> from ninthgeom.t9a import evaluate
        >>> board = Board([Unit("a", (20, 20)), Unit("b", (20, 20))])
        >>> positions = [[36, 10, math.pi / 2], [36, 22, -math.pi / 2]]
        >>> for name, column in evaluate(board, positions).to_table().items():
        ...     print(name, column.tolist())
        state [0, 0]
        observer ['a', 'b']
        target ['b', 'a']
        distance [12.0, 12.0]
        contact [False, False]
        inside_arc [1, 1]
        located_arc [1, 1]
        sight [True, True]
        """
        # Objects: a column of fixed-width strings would take as much as the longest name in every row.
        observers, targets = np.array(self.observers, object), np.array(self.targets, object)
        first, second = np.nonzero(observers[:, None] != targets)
        arrays = self.arrays()
        n_states = next(iter(arrays.values())).size // max(1, len(observers) * len(targets)) if arrays else 0
        columns: dict[str, NDArray[Any]] = {
            "state": np.repeat(np.arange(n_states), len(first)),
            "observer": np.tile(observers[first], n_states),
            "target": np.tile(targets[second], n_states),
        }
        for name, values in arrays.items():
            flat = values.reshape(n_states, len(observers), len(targets))
            columns[name] = flat[:, first, second].reshape(-1)
        return columns


def evaluate(
    board: Board,
    positions: ArrayLike,
    *,
    questions: Sequence[Question] = QUESTIONS,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    pairs: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Answers:
    """Answer several unit questions and share the work between them.

    The answers are those of `distances`, `units_in_contact`, `inside_arcs`, `located_arcs` and
    `line_of_sight`; the Unit Boundaries are built once, and distance and contact come from one measurement.
    States are taken chunk by chunk, each by one of the workers, so what is needed beside positions and
    answers does not grow with their number: some 10 to 20 megabytes for each worker.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, pairs, rules, tol, workers
        As in `distances`.
    questions : sequence of {"distance", "contact", "arcs", "sight"}
        What to answer.

    Returns
    -------
    Answers

    Raises
    ------
    TypeError, ValueError
        As in `distances`, and for a question that is not known.

    Examples
    --------
    A cavalry unit at ten distances from a block of infantry:

    >>> import numpy as np
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import evaluate
    >>> board = Board([Unit("infantry", (20, 20), models=20, files=5), Unit("cavalry", (25, 50), models=5)])
    >>> positions = np.zeros((10, 2, 3))
    >>> positions[:, 0] = 36, 10, np.pi / 2
    >>> positions[:, 1, 0], positions[:, 1, 1], positions[:, 1, 2] = 36, np.linspace(10, 28, 10), -np.pi / 2
    >>> answers = evaluate(board, positions)
    >>> answers.distance[:, 0, 1].round(6).tolist()
    [0.0, 2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0]
    >>> int(answers.contact[:, 0, 1].sum())
    1

    Only enemies:

    >>> board = Board([Unit(name, (20, 20), side=side) for side, name in enumerate("ab")])
    >>> enemies = board.side[:, None] != board.side
    >>> evaluate(board, positions, questions=["distance"], pairs=enemies).distance[-1].round(1)
    array([[inf, 18.],
           [18., inf]])
    """
    asked = _checked(questions)
    states = prepare(
        board, positions, observers, targets, present, occupied, rules, tol, workers, pairs=pairs
    )
    if "sight" in asked:
        check_tolerance(states.tol)
    distance = states.empty(np.float64) if "distance" in asked else None
    contact = states.empty(np.bool_) if "contact" in asked else None
    inside_arc = states.empty(np.uint8) if "arcs" in asked else None
    located_arc = states.empty(np.uint8) if "arcs" in asked else None
    seen = states.empty(np.bool_) if "sight" in asked else None

    def fill(some: States, chunk: Chunk) -> None:
        if distance is not None or contact is not None:
            gap = units.fill_gaps(some, chunk, distance)
            if contact is not None:
                units.fill_contact(some, chunk, gap, contact)
            if distance is not None:
                units.gaps_to_distances(some, gap)
        if inside_arc is not None and located_arc is not None:
            units.fill_inside_arcs(some, chunk, inside_arc)
            units.fill_located_arcs(some, chunk, located_arc)
        if seen is not None:
            sight.fill_sight(some, chunk, seen)

    if asked:
        states.for_chunks(
            fill,
            max(units.BYTES_PER_PAIR, sight.BYTES_PER_PAIR),
            more=0 if seen is None else board.n_models * BYTES_PER_SLOT,
            pair_ns=units.PAIR_NS * len(asked) + (0.0 if seen is None else sight.PAIR_NS),
        )

    def shaped(answer: NDArray[Any] | None) -> NDArray[Any] | None:
        return None if answer is None else states.shaped(answer)

    return Answers(
        observers=tuple(board.names[i] for i in states.observers),
        targets=tuple(board.names[i] for i in states.targets),
        distance=shaped(distance),
        contact=shaped(contact),
        inside_arc=shaped(inside_arc),
        located_arc=shaped(located_arc),
        sight=shaped(seen),
    )


def _checked(questions: Sequence[Question]) -> frozenset[Question]:
    if isinstance(questions, str):
        raise TypeError(f"questions must be a sequence of names, got {questions!r}")
    questions = tuple(questions)  # a generator could be read only once
    for i, question in enumerate(questions):
        if question not in QUESTIONS:
            raise ValueError(f"questions[{i}] must be one of {', '.join(QUESTIONS)}, got {question!r}")
    return frozenset(questions)
