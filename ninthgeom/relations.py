"""How two bases lie to each other: apart, touching, overlapping, one inside the other, or equal."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import PairKernels, answer_pairs, as_tolerance
from ninthgeom._constants import TOLERANCE
from ninthgeom.bases import Bases, columns_of

RELATIONS: Final = PairKernels("relations", "relations", np.uint8, symmetric=False, cost_ns=20.0)


class Relation(IntEnum):
    """How two bases lie to each other. From `POINT` on they are in contact.

    Examples
    --------
    >>> Relation(2)
    <Relation.LINE: 2>
    """

    APART = 0
    POINT = 1
    LINE = 2
    PARTIAL = 3
    INSIDE = 4
    CONTAINS = 5
    EQUAL = 6


def relation(
    a: Bases, b: Bases, *, tol: float = TOLERANCE, out: NDArray[np.uint8] | None = None, workers: int = 1
) -> NDArray[np.uint8]:
    """Return how a lies to b, as a code of `Relation`: the first of these that holds.

    * `EQUAL`: no point of either is further than `tol` from the other.
    * `INSIDE`, `CONTAINS`: interiors meet, and no point of a is further than `tol` from b, or none of b from
      a.
    * `PARTIAL`: interiors meet.
    * `LINE`: in contact along straight edges, which run side by side for longer than `tol` and are within
      `tol` of each other at both ends of that stretch.
    * `POINT`: in contact otherwise, like round bases and segments that cross.
    * `APART`: not in contact.

    A base without area is inside another only where some point of it lies deeper than `tol`: a segment on an
    edge is `LINE`, a point there `POINT`. A base with area that lies inside another and along its edge is
    `INSIDE`.

    Parameters
    ----------
    a, b : Bases
        Bases whose shapes broadcast.
    tol : float
        Bases no further apart than this, in inches, are in contact.
    out : ndarray of uint8, optional
        Where to write the answers, of the broadcast shape.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of uint8, or one uint8 for two single bases
        Codes of `Relation`, of the broadcast shape.

    See Also
    --------
    in_contact, interiors_meet, wholly_within : the single statements.
    shapely.relate : the same between any geometries, as a matrix and without a tolerance.

    Examples
    --------
    >>> from ninthgeom import Bases, Relation, relation
    >>> square = Bases.rect(0.0, 0.0, width=2.0, depth=2.0)
    >>> others = Bases.rect([4.0, 2.0, 2.0, 1.0, 0.0], [0.0, 2.0, 1.0, 0.0, 0.0], width=2.0, depth=2.0)
    >>> relation(others, square)
    array([0, 1, 2, 3, 6], dtype=uint8)
    >>> Relation(relation(Bases.round(0.5, 0.5, diameter=1.0), square))
    <Relation.INSIDE: 4>
    """
    columns = columns_of("a", a), columns_of("b", b)
    return answer_pairs(RELATIONS, *columns, as_tolerance(tol), out=out, workers=workers)
