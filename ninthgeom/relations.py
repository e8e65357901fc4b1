"""How two bases or polygons lie to each other: apart, touching, overlapping, one inside the other, equal."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import PairKernels, answer_pairs, as_tolerance, broadcast_shape, result_array
from ninthgeom._constants import TOLERANCE
from ninthgeom.bases import Bases
from ninthgeom.measure import Shapes, in_contact, interiors_meet, wholly_within

RELATIONS: Final = PairKernels("relations", "relations", np.uint8, symmetric=False, cost_ns=20.0)

#: Pairs with polygons that are looked at together, each of which takes about 500 bytes.
MANY: Final = 1 << 17


class Relation(IntEnum):
    """How two bases or polygons lie to each other; `relation` says when each holds.

    From `POINT` on they are in contact.

    Examples
    --------
    >>> Relation(2)
    <Relation.LINE: 2>
    >>> names = np.array([code.name for code in Relation])  # of arrays of codes
    >>> names[np.array([0, 4], np.uint8)].tolist()
    ['APART', 'INSIDE']
    """

    APART = 0
    POINT = 1
    LINE = 2
    PARTIAL = 3
    INSIDE = 4
    CONTAINS = 5
    EQUAL = 6


def relation(
    a: Shapes, b: Shapes, *, tol: float = TOLERANCE, out: NDArray[np.uint8] | None = None, workers: int = 1
) -> NDArray[np.uint8]:
    """Return how a lies to b, as a code of `Relation`: the first of these that holds.

    * ``EQUAL``: no point of either is further than `tol` from the other.
    * ``INSIDE``, ``CONTAINS``: interiors meet, and no point of a is further than `tol` from b, or none of b
      from a.
    * ``PARTIAL``: interiors meet.
    * ``LINE``: in contact along straight edges, which run side by side for longer than `tol` and are within
      `tol` of each other at both ends of that stretch.
    * ``POINT``: in contact otherwise, like round bases and segments that cross.
    * ``APART``: not in contact.

    A base without area is inside another only where some point of it lies deeper than `tol`: a segment on an
    edge is ``LINE``, a point there ``POINT``. A base with area that lies inside another and along its edge is
    ``INSIDE``. What fills a notch or a hole of a polygon is outside it, and ``LINE``. At the vertices of
    polygons interiors and what is too far outside begin up to 16 % of `tol` late, as `interiors_meet` and
    `wholly_within` say.

    Parameters
    ----------
    a, b : Bases or Polygons
        Batches whose shapes broadcast.
    tol : float
        What is no further apart than this, in inches, is in contact.
    out : ndarray of uint8, optional
        Where to write the answers, of the broadcast shape.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of uint8, or one uint8 for two single ones
        Codes of `Relation`, of the broadcast shape; of empty batches, empty.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

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
    tol = as_tolerance(tol)
    if isinstance(a, Bases) and isinstance(b, Bases):
        return answer_pairs(RELATIONS, a._columns, b._columns, tol, out=out, workers=workers)
    return _with_polygons(a, b, tol, out, workers)


def _with_polygons(
    a: Shapes, b: Shapes, tol: float, out: NDArray[np.uint8] | None, workers: int
) -> NDArray[np.uint8]:
    """Relations from the single statements, which are asked about pairs in contact only."""
    from ninthgeom import _polygon_pairs

    _polygon_pairs.ordered(a, b)
    answer = result_array(out, broadcast_shape(("a", "b"), (a.shape, b.shape)), np.uint8)
    are_near = np.asarray(in_contact(a, b, tol=tol, workers=workers))
    codes = np.full(are_near.size, Relation.APART, np.uint8)
    near = np.flatnonzero(are_near)
    for start in range(0, near.size, MANY):
        pairs = near[start : start + MANY]
        place = np.unravel_index(pairs, are_near.shape) if are_near.ndim else ()
        one, two = _broadcast_at(a, place), _broadcast_at(b, place)
        is_inside, is_outside = (
            wholly_within(inner, outer, tol=tol, workers=workers) for inner, outer in ((one, two), (two, one))
        )
        do_meet = interiors_meet(one, two, tol=tol, workers=workers)
        codes[pairs] = np.select(
            [
                is_inside & is_outside,
                do_meet & is_inside,
                do_meet & is_outside,
                do_meet,
                _polygon_pairs.edges_touch(one, two, tol, workers=workers),
            ],
            [Relation.EQUAL, Relation.INSIDE, Relation.CONTAINS, Relation.PARTIAL, Relation.LINE],
            Relation.POINT,
        )
    answer[...] = codes.reshape(answer.shape)
    return answer[()] if out is None else answer


def _broadcast_at(shapes: Shapes, place: tuple[NDArray[np.intp], ...]) -> Shapes:
    """Take elements of a batch by their indices in what it broadcasts to."""
    own = place[len(place) - shapes.ndim :]
    index = (i if size > 1 else np.zeros_like(i) for i, size in zip(own, shapes.shape, strict=True))
    return shapes[tuple(index)]
