"""Arcs: in which of the four directions of an observer another base lies.

The dividers between the arcs leave the corners of the observer's outer rectangle at 45 degrees. All arcs are
closed: the dividers and the observer's own facings belong to them. Discs and points look forward all round.
"""

from __future__ import annotations

from enum import IntFlag
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import PairKernels, answer_pairs, as_tolerance
from ninthgeom._constants import TOLERANCE
from ninthgeom.bases import Bases, columns_of

TOUCHED: Final = PairKernels("touched", "touched_arcs", np.uint8, symmetric=False, cost_ns=10.0)
LOCATED: Final = PairKernels("located", "located_arcs", np.uint8, symmetric=False)
NAMES: Final = ("observers", "others")
#: A base whose core is no larger than this, to either side of its centre, is a disc or a point.
DOT: Final = TOLERANCE / 2.0


class Arc(IntFlag):
    """The four arcs of an observer, as flags: a base may touch several, or none, which is `Arc.NONE`, 0.

    Examples
    --------
    >>> Arc(3)
    <Arc.FRONT|LEFT: 3>
    """

    NONE = 0
    FRONT = 1
    LEFT = 2
    REAR = 4
    RIGHT = 8

    @classmethod
    def _missing_(cls, value: object) -> Any:
        # enum takes sums of flags as Python's own integers only
        return super()._missing_(int(value) if isinstance(value, np.integer) else value)


def inside_arcs(
    observers: Bases,
    others: Bases,
    *,
    tol: float = TOLERANCE,
    out: NDArray[np.uint8] | None = None,
    workers: int = 1,
) -> NDArray[np.uint8]:
    """Return all arcs of the observers that some part of the others touches, dividers included.

    What touches a divider is inside both of its arcs. A base that reaches past none of the observer's edges
    is inside no arc. An oval observer counts as its outer rectangle; a disc or a point has a front arc only,
    all round.

    Parameters
    ----------
    observers, others : Bases
        Bases whose shapes broadcast.
    tol : float
        An arc no further away than this, in inches, is touched.
    out : ndarray of uint8, optional
        Where to write the answers, of the broadcast shape.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of uint8, or one uint8 for two single bases
        Flags of `Arc`, of the broadcast shape; of empty batches, empty.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    located_arc : the one arc that a reference point lies in.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Arc, Bases, inside_arcs
    >>> observer = Bases.rect(0.0, 0.0, math.pi / 2, width=4.0, depth=2.0)
    >>> others = Bases.round([0.0, 5.0, 0.5], [6.0, 4.0, 0.0], diameter=1.0)
    >>> inside_arcs(observer, others)
    array([1, 9, 0], dtype=uint8)
    >>> Arc(9)
    <Arc.FRONT|RIGHT: 9>
    """
    columns = columns_of("observers", observers), columns_of("others", others)
    return answer_pairs(TOUCHED, *columns, as_tolerance(tol), DOT, names=NAMES, out=out, workers=workers)


def located_arc(
    observers: Bases,
    others: Bases,
    *,
    tol: float = TOLERANCE,
    out: NDArray[np.uint8] | None = None,
    workers: int = 1,
) -> NDArray[np.uint8]:
    """Return the one arc of the observers that the others are located in.

    The middle of the Front Facing decides, for discs and ovals the centre. On a divider it is in the flank. A
    point deeper than `tol` inside the observer is in no arc; on one without depth it is in the front arc, on
    one without width in the left arc.

    Parameters
    ----------
    observers, others : Bases
        Bases whose shapes broadcast.
    tol : float
        A point no further from a divider than this, in inches, is on it.
    out, workers
        As in `inside_arcs`.

    Returns
    -------
    ndarray of uint8, or one uint8 for two single bases
        One flag of `Arc` or ``Arc.NONE``, of the broadcast shape; of empty batches, empty.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    inside_arcs : all arcs that some part touches.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Arc, Bases, located_arc
    >>> observer = Bases.rect(0.0, 0.0, math.pi / 2, width=4.0, depth=2.0)
    >>> charger = Bases.from_front(6.0, 5.0, math.pi, width=4.0, depth=2.0)
    >>> Arc(located_arc(observer, charger))
    <Arc.RIGHT: 8>
    """
    columns = columns_of("observers", observers), columns_of("others", others)
    return answer_pairs(LOCATED, *columns, as_tolerance(tol), DOT, names=NAMES, out=out, workers=workers)
