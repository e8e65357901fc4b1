"""Distances and contact between bases and polygons.

All questions broadcast like NumPy functions: ``a[:, None]`` against ``b[None, :]`` asks about every pair, and
nothing is copied for it. What touches and what overlaps depends on one tolerance, not on where the table is.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import (
    FloatArray,
    PairKernels,
    answer_pairs,
    as_limits,
    as_tolerance,
    broadcast_shape,
)
from ninthgeom._constants import TOLERANCE
from ninthgeom.bases import RADIUS, Bases, columns_of

if TYPE_CHECKING:
    from ninthgeom.polygons import Polygons

Shapes: TypeAlias = "Bases | Polygons"

CONTACT: Final = PairKernels("contact", "gaps_at_most", np.bool_, symmetric=True)
GAPS: Final = PairKernels("gaps", "gaps", np.float64, symmetric=True)
OVERLAP: Final = PairKernels("overlap", "interiors_meet", np.bool_, symmetric=True)
CONTAINMENT: Final = PairKernels("containment", "wholly_within", np.bool_, symmetric=False)
FARTHEST: Final = PairKernels("farthest", "farthest_distances", np.float64, symmetric=False)
SHORTEST: Final = PairKernels(
    "shortest", "shortest_lines", np.float64, symmetric=False, cost_ns=50.0, item=(4,)
)


def distance(
    a: Shapes, b: Shapes, *, tol: float = TOLERANCE, out: FloatArray | None = None, workers: int = 1
) -> FloatArray:
    """Return the distance from the nearest point of a to the nearest point of b, 0 in contact.

    With polygons, whose convex pieces meet in seams, a `tol` below 1e-9 counts as that.

    Parameters
    ----------
    a, b : Bases or Polygons
        Batches whose shapes broadcast.
    tol : float
        What is no further apart than this, in inches, is in contact.
    out : ndarray of float64, optional
        Where to write the answers, of the broadcast shape.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of float64, or one float64 for two single ones
        Inches, of the broadcast shape; of empty batches, empty. Never NaN: no batch holds one.

    Raises
    ------
    TypeError
        If an argument is of another type, or `out` of another dtype.
    ValueError
        If the shapes do not broadcast, `out` has another shape or is read-only, `tol` is negative or not
        finite, or `workers` is neither -1 nor at least 1. The message names argument and value.

    See Also
    --------
    gap : the same, negative where the bases overlap.
    shapely.distance : the same between any geometries.

    Examples
    --------
    >>> from ninthgeom import Bases, distance
    >>> bases = Bases.round([0.0, 3.0, 8.0], 0.0, diameter=2.0)
    >>> distance(bases[:, None], bases[None, :])
    array([[0., 1., 6.],
           [1., 0., 3.],
           [6., 3., 0.]])
    """
    tol = as_tolerance(tol)
    if isinstance(a, Bases) and isinstance(b, Bases):
        return answer_pairs(GAPS, a._columns, b._columns, tol, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.distances(a, b, tol, out=out, workers=workers)


def gap(a: Bases, b: Bases, *, out: FloatArray | None = None, workers: int = 1) -> FloatArray:
    """Return the signed separation: the distance, or minus how deep the bases overlap.

    Of the bases without their radii, the cores, it is their distance or minus the shortest way along an axis
    of either that parts them; less both radii, this is the gap.

    Parameters
    ----------
    a, b : Bases
        Batches whose shapes broadcast; polygons have no gap.
    out, workers
        As in `distance`.

    Returns
    -------
    ndarray of float64, or one float64 for two single bases
        Inches, of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    distance : the same, 0 in contact.

    Examples
    --------
    >>> from ninthgeom import Bases, gap
    >>> square = Bases.rect(0.0, 0.0, width=2.0, depth=2.0)
    >>> gap(square, Bases.rect([3.0, 2.0, 1.5], 0.0, width=2.0, depth=2.0))
    array([ 1. ,  0. , -0.5])
    """
    columns = columns_of("a", a), columns_of("b", b)
    return answer_pairs(GAPS, *columns, -math.inf, out=out, workers=workers)


def farthest_distance(a: Bases, b: Bases, *, out: FloatArray | None = None, workers: int = 1) -> FloatArray:
    """Return the largest distance from a point of a to a point of b.

    Parameters
    ----------
    a, b : Bases
        Batches whose shapes broadcast; not polygons.
    out, workers
        As in `distance`.

    Returns
    -------
    ndarray of float64, or one float64 for two single bases
        Inches, of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    distance : from the nearest point to the nearest point.
    wholly_within : how far a reaches out of b, the distance that most rules mean.

    Examples
    --------
    >>> from ninthgeom import Bases, farthest_distance
    >>> bases = Bases.round([0.0, 3.0], 0.0, diameter=2.0)
    >>> farthest_distance(bases[:, None], bases[None, :])
    array([[2., 5.],
           [5., 2.]])
    """
    columns = columns_of("a", a), columns_of("b", b)
    return answer_pairs(FARTHEST, *columns, out=out, workers=workers)


def shortest_line(
    a: Shapes, b: Shapes, *, tol: float = TOLERANCE, out: FloatArray | None = None, workers: int = 1
) -> FloatArray:
    """Return the nearest points of two: the line whose length is their distance.

    Where several lines are as short, as between parallel edges, one of them is chosen, the same one for the
    same numbers. In contact both ends are one point, no further than `tol` from either.

    Parameters
    ----------
    a, b, tol, workers
        As in `distance`.
    out : ndarray of float64, optional
        Where to write the answers, of the broadcast shape and a last axis of 4.

    Returns
    -------
    ndarray of float64, shape (..., 4)
        x and y of the point of a, x and y of the point of b, in inches.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    distance : only its length.
    shapely.shortest_line : the same between any geometries.

    Examples
    --------
    >>> from ninthgeom import Bases, shortest_line
    >>> square = Bases.rect(0.0, 0.0, width=2.0, depth=2.0)
    >>> shortest_line(square, Bases.round([4.0, 1.5], [0.5, 0.0], diameter=2.0))
    array([[1. , 0.5, 3. , 0.5],
           [1. , 0. , 1. , 0. ]])

    As segments:

    >>> import numpy as np
    >>> from ninthgeom import Segments
    >>> lines = shortest_line(square, Bases.round([4.0, 5.0], [0.5, 0.0], diameter=2.0))
    >>> Segments(*np.moveaxis(lines, -1, 0)).length
    array([2., 3.])
    """
    tol = as_tolerance(tol)
    if isinstance(a, Bases) and isinstance(b, Bases):
        return answer_pairs(SHORTEST, a._columns, b._columns, tol, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.shortest_lines(a, b, tol, out=out, workers=workers)


def in_contact(
    a: Shapes, b: Shapes, *, tol: float = TOLERANCE, out: NDArray[np.bool_] | None = None, workers: int = 1
) -> NDArray[np.bool_]:
    """Return whether two touch, along a line or in a point, or overlap: a distance of at most `tol`.

    With polygons, whose convex pieces meet in seams, a `tol` below 1e-9 counts as that.

    Parameters
    ----------
    a, b, tol, out, workers
        As in `distance`; `out` of bool.

    Returns
    -------
    ndarray of bool, or one bool for two single ones
        Of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    interiors_meet : overlapping, not only touching.
    within : the same with a distance between them.
    shapely.intersects : without a tolerance; rounding decides whether turned squares that touch intersect.

    Examples
    --------
    Two squares side by side, turned together in a thousand ways:

    >>> import numpy as np
    >>> from ninthgeom import Bases, in_contact
    >>> turn = np.linspace(0.0, 2.0 * np.pi, 1000)
    >>> square = Bases.rect(0.0, 0.0, turn, width=2.0, depth=2.0)
    >>> neighbour = Bases.rect(2.0 * np.cos(turn), 2.0 * np.sin(turn), turn, width=2.0, depth=2.0)
    >>> in_contact(square, neighbour).all()
    np.True_
    """
    tol = as_tolerance(tol)
    if isinstance(a, Bases) and isinstance(b, Bases):
        return answer_pairs(CONTACT, a._columns, b._columns, tol, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.within(a, b, 0.0, tol, out=out, workers=workers)


def interiors_meet(
    a: Shapes, b: Shapes, *, tol: float = TOLERANCE, out: NDArray[np.bool_] | None = None, workers: int = 1
) -> NDArray[np.bool_]:
    """Return whether two overlap, not only touch: for bases, whether their gap is below ``-tol``.

    A base without area, a segment or a point, meets the interior of another where some point of it lies
    deeper than `tol` inside; two bases without area never do. With polygons some point of either must lie
    deeper than `tol` inside the other; the seams between the convex pieces of a polygon are inside it. At a
    reflex vertex that depth begins up to 16 % of `tol` late, and a `tol` below 4e-9 counts as that.

    Parameters
    ----------
    a, b, tol, out, workers
        As in `distance`; `out` of bool.

    Returns
    -------
    ndarray of bool, or one bool for two single ones
        Of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`.

    See Also
    --------
    in_contact : touching is enough.

    Examples
    --------
    >>> from ninthgeom import Bases, interiors_meet
    >>> square = Bases.rect(0.0, 0.0, width=2.0, depth=2.0)
    >>> interiors_meet(square, Bases.rect([2.0, 1.9], 0.0, width=2.0, depth=2.0))
    array([False,  True])

    In the notch of a U, half in its floor, and in one of its walls:

    >>> from ninthgeom import Polygons
    >>> u_shape = Polygons([[(0, 0), (6, 0), (6, 5), (4, 5), (4, 2), (2, 2), (2, 5), (0, 5)]])
    >>> interiors_meet(Bases.rect([3.0, 3.0, 5.0], [3.0, 2.5, 3.0], width=2.0, depth=2.0), u_shape)
    array([False,  True,  True])
    """
    tol = as_tolerance(tol)
    if isinstance(a, Bases) and isinstance(b, Bases):
        return answer_pairs(OVERLAP, a._columns, b._columns, tol, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.interiors_meet(a, b, tol, out=out, workers=workers)


def within(
    a: Shapes,
    b: Shapes,
    distance: ArrayLike,
    *,
    tol: float = TOLERANCE,
    out: NDArray[np.bool_] | None = None,
    workers: int = 1,
) -> NDArray[np.bool_]:
    """Return whether the distance from a to b is at most `distance`.

    Parameters
    ----------
    a, b, out, workers
        As in `distance`; `out` of bool.
    distance : array_like
        Inches, not negative; broadcasts against the bases.
    tol : float
        By how much the distance may be exceeded.

    Returns
    -------
    ndarray of bool, or one bool for single arguments
        Of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`, and for distances that are negative or NaN; inf is one that everything is within.

    See Also
    --------
    wholly_within : the same for every point of a.
    shapely.dwithin : the same between any geometries, without a tolerance.

    Examples
    --------
    >>> from ninthgeom import Bases, within
    >>> within(Bases.point(0.0, 0.0), Bases.round([3.0, 4.0], 0.0, diameter=2.0), 2.0)
    array([ True, False])
    """
    tol, limits = as_tolerance(tol), as_limits("distance", distance)
    if isinstance(a, Bases) and isinstance(b, Bases):
        limit, columns = _reaching(a, b, limits, tol, sign=1.0)
        return answer_pairs(CONTACT, *columns, limit, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.within(a, b, limits, tol, out=out, workers=workers)


def wholly_within(
    a: Shapes,
    b: Shapes,
    distance: ArrayLike = 0.0,
    *,
    tol: float = TOLERANCE,
    out: NDArray[np.bool_] | None = None,
    workers: int = 1,
) -> NDArray[np.bool_]:
    """Return whether every point of a is within `distance` of b; with distance 0, whether a is inside b.

    The holes and notches of a polygon are not inside it. At its vertices with an angle below 180 degrees what
    is too far outside begins up to 16 % of `tol` late, and a `tol` below 4e-9 counts as that.

    Parameters
    ----------
    a, b, out, workers
        As in `distance`; `out` of bool.
    distance : array_like
        Inches, not negative; broadcasts against the bases. Where b are polygons, 0.
    tol : float
        By how much the distance may be exceeded.

    Returns
    -------
    ndarray of bool, or one bool for single arguments
        Of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `distance`, and for distances that are negative or NaN, or not 0 where b are polygons.

    See Also
    --------
    within : some point of a is enough.

    Examples
    --------
    >>> from ninthgeom import Bases, wholly_within
    >>> leader = Bases.round(0.0, 0.0, diameter=2.0)
    >>> wholly_within(Bases.round([3.0, 3.1], 0.0, diameter=2.0), leader, 3.0)
    array([ True, False])

    In a wood, and over its edge:

    >>> from ninthgeom import Polygons
    >>> wood = Polygons([[(0, 0), (6, 0), (6, 5), (3, 3), (0, 5)]])
    >>> wholly_within(Bases.round([3.0, 3.0], [2.0, 2.5], diameter=1.5), wood)
    array([ True, False])
    """
    tol, limits = as_tolerance(tol), as_limits("distance", distance)
    if isinstance(a, Bases) and isinstance(b, Bases):
        limit, columns = _reaching(a, b, limits, tol, sign=-1.0)
        return answer_pairs(CONTAINMENT, *columns, limit, out=out, workers=workers)
    from ninthgeom import _polygon_pairs  # brings shapely along, which bases do without

    return _polygon_pairs.wholly_within(a, b, limits, tol, out=out, workers=workers)


def _reaching(
    a: Bases, b: Bases, limits: FloatArray, tol: float, *, sign: float
) -> tuple[float, tuple[FloatArray, FloatArray]]:
    """Limit and columns for a question about a distance.

    A distance for each pair goes into the radii, where it has the same effect: those of a, times `sign`, if
    it fits their shape, else those of b.
    """
    columns = a._columns, b._columns
    if limits.ndim == 0:
        return float(limits) + tol, columns
    shapes = a.shape, b.shape, limits.shape
    broadcast_shape(("a", "b", "distance"), shapes)
    fits_a = np.broadcast_shapes(a.shape, limits.shape) == a.shape
    reaching = columns[0 if fits_a else 1]
    shape = np.broadcast_shapes(reaching.shape[1:], limits.shape)
    missing = (1,) * (len(shape) - reaching.ndim + 1)
    widened = np.empty((len(reaching), *shape))
    widened[...] = reaching.reshape(len(reaching), *missing, *reaching.shape[1:])
    widened[RADIUS] += sign * limits if fits_a else limits
    return tol, (widened, columns[1]) if fits_a else (columns[0], widened)
