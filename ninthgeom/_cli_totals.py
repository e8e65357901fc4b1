"""Sums over states for the command line, that can be carried from one run to the next.

All of them are whole numbers, lengths too, so that they do not depend on how the states were cut.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, Shape
from ninthgeom.arcs import Arc

if TYPE_CHECKING:
    from ninthgeom._slots import IntArray
    from ninthgeom.board import Board

# Lengths are rounded to this part of an inch, far below the tolerance. Below 2 ** 22 inches (twice the
# largest coordinate, and the diagonal) float64 holds all multiples of it.
_PARTS_OF_AN_INCH: Final = 2**24
# So many of them fit into 64 bits together.
_STATES_IN_A_SUM: Final = 2**16
# Arrays are summed up in pieces that stay in the cache, for each goes through several steps.
_BYTES_OF_A_PIECE: Final = 2**18


class Totals:
    """Whole numbers, and lengths, added up over states.

    Parameters
    ----------
    counts, lengths : mapping of str to tuple of int
        Shape of what is counted or measured in one state, by name.
    """

    def __init__(self, counts: Mapping[str, Shape], lengths: Mapping[str, Shape]) -> None:
        self._counts = {name: np.zeros(shape, object) for name, shape in counts.items()}
        self._sums = {name: np.zeros(shape, object) for name, shape in lengths.items()}
        self._least = {name: np.full(shape, np.inf) for name, shape in lengths.items()}

    def __getitem__(self, name: str) -> NDArray[Any]:
        """Return a count, as Python integers, which are never too large."""
        return self._counts[name]

    def least(self, name: str) -> FloatArray:
        """Return the least of lengths, infinite where there is none."""
        return self._least[name]

    def add(self, name: str, numbers: NDArray[Any] | int) -> None:
        """Add numbers to a count."""
        self._counts[name] += numbers

    def count(self, name: str, holds: NDArray[Any]) -> None:
        """Count in how many states something holds; the first axis is that of the states."""
        for piece in _pieces(holds):
            self.add(name, np.count_nonzero(piece, axis=0))

    def measure(self, name: str, lengths: FloatArray) -> None:
        """Add lengths of some states, shape (n, ...); infinite ones are none."""
        for start in range(0, len(lengths), _STATES_IN_A_SUM):
            total = np.zeros(lengths.shape[1:], np.int64)
            for piece in _pieces(lengths[start : start + _STATES_IN_A_SUM]):
                np.minimum(self._least[name], piece.min(axis=0), out=self._least[name])
                parts = np.where(np.isfinite(piece), piece, 0.0)
                parts *= _PARTS_OF_AN_INCH
                total += np.rint(parts, out=parts).astype(np.int64).sum(axis=0)
            self._sums[name] += total

    def mean(self, name: str, count: str) -> FloatArray:
        """Return the mean of lengths; 0 where they are none."""
        return _ratio(self._sums[name], self[count] * _PARTS_OF_AN_INCH)

    def share(self, name: str, count: str) -> FloatArray:
        """Return a count as part of another one; 0 where that is 0."""
        return _ratio(self[name], self[count])

    def carried(self) -> dict[str, str]:
        """Return all that there is as JSON has it: texts of numbers, far shorter than lists of them."""
        return {name: " ".join(map(repr, values.reshape(-1).tolist())) for name, values in self._parts()}

    def carry_on(self, carried: Mapping[str, str]) -> None:
        """Go on from what `carried` returned.

        Raises
        ------
        KeyError, ValueError
            If it is something else.
        """
        for name, values in self._parts():
            read = float if values.dtype == np.float64 else int
            numbers = [read(number) for number in carried[name].split()]
            values[...] = np.array(numbers, values.dtype).reshape(values.shape)

    def _parts(self) -> Iterator[tuple[str, NDArray[Any]]]:
        for kind, of in (("count", self._counts), ("sum", self._sums), ("least", self._least)):
            for name, values in of.items():
                yield f"{kind} {name}", values


class PairTotals(Totals):
    """What many states say about each ordered pair of units.

    Parameters
    ----------
    observers, targets : sequence of str
        Names of the units.
    questions : set of str
        Which of distance, contact, arcs and sight were asked.
    """

    def __init__(self, observers: Sequence[str], targets: Sequence[str], questions: Set[str]) -> None:
        self.observers, self.targets, self.questions = observers, targets, questions
        shape = len(observers), len(targets)
        names = questions & {"contact", "arcs", "sight"}
        super().__init__(
            dict.fromkeys(["states", *sorted(names)], shape),
            {"distance": shape} if "distance" in questions else {},
        )

    def add_answers(self, arrays: Mapping[str, NDArray[Any]], together: IntArray) -> None:
        """Add some states.

        Parameters
        ----------
        arrays : mapping of str to ndarray, shape (n, observers, targets)
            As `t9a.Answers.arrays` names them.
        together : ndarray of int, shape (observers, targets)
            In how many of the states both units are there.
        """
        self.add("states", together)
        if "distance" in self.questions:
            self.measure("distance", arrays["distance"])
        if "contact" in self.questions:
            self.count("contact", arrays["contact"])
        if "arcs" in self.questions:
            for piece in _pieces(arrays["inside_arc"]):
                self.count("arcs", piece & Arc.FRONT)
        if "sight" in self.questions:
            self.count("sight", arrays["sight"])


def states_together(
    board: Board, observers: IntArray, targets: IntArray, states: Mapping[str, Any], n: int
) -> IntArray:
    """Return in how many of n states both units of a pair are there, 0 for a unit and itself.

    Parameters
    ----------
    board : Board
    observers, targets : ndarray of int
    states : mapping
        ``present`` and ``occupied``, as for every question.
    n : int

    Returns
    -------
    ndarray of int, shape (observers, targets)
    """
    here = np.ones((1, len(board)), np.bool_)
    if states["present"] is not None:
        here = here & states["present"]
    if states["occupied"] is not None:
        starts = [slots.start for slots in board.model_slices]
        here = here & np.logical_or.reduceat(states["occupied"], starts, axis=-1)
    counts = np.zeros((len(observers), len(targets)), np.int64)
    for piece in _pieces(here, len(board)):
        counts += np.count_nonzero(piece[:, observers, None] & piece[:, None, targets], axis=0)
    if len(here) != n:  # one mask for all of them
        counts *= n
    counts[observers[:, None] == targets] = 0
    return counts


def _pieces(array: NDArray[Any], times: int = 1) -> Iterator[NDArray[Any]]:
    """Cut the first axis of an array, from each value of which so many others are made."""
    length = max(1, _BYTES_OF_A_PIECE * len(array) // max(1, array.nbytes * times))
    return (array[start : start + length] for start in range(0, len(array), length))


def _ratio(part: NDArray[Any], whole: NDArray[Any]) -> FloatArray:
    return np.asarray(part / np.maximum(whole, 1), np.float64)
