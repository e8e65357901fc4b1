"""Segments against bases and polygons: which they pass through, which they intersect, where they first hit.

Everything broadcasts like NumPy functions: ``segments[:, None]`` against ``polygons`` asks about every pair.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np

from ninthgeom._arrays import (
    BoolArray,
    FloatArray,
    IntArray,
    PairKernels,
    answer_pairs,
    as_tolerance,
    broadcast_shape,
    result_array,
)
from ninthgeom._blocks import box_columns
from ninthgeom._constants import TOLERANCE
from ninthgeom._crossing_kernels import CrossingKernels
from ninthgeom._crossing_tables import CrossingTables, tables_of_depth, tables_of_reach
from ninthgeom._polygon_pairs import segments_within
from ninthgeom._pruning import answer_close_pairs
from ninthgeom.bases import ACROSS, ALONG, COS, RADIUS, SIN, Bases
from ninthgeom.measure import CONTACT, OVERLAP
from ninthgeom.polygons import Polygons
from ninthgeom.segments import Segments, ends_of

CROSSINGS: Final = CrossingKernels("crossing_discs", "meet_discs", np.uint8, symmetric=False, cost_ns=8.0)
HITS: Final = PairKernels("hits", "first_hits", np.float64, symmetric=False, cost_ns=300.0, item=(6,))

_NAMES: Final = ("segments", "shapes")


class Hit(NamedTuple):
    """Where segments first hit shapes: arrays of the broadcast shape.

    Attributes
    ----------
    hit : ndarray of bool
        Whether the segment intersects the shape.
    fraction : ndarray of float64
        Share of the segment, from 0 to 1, at which its first point in the shape lies; inf without a hit.
    point : ndarray of float64, shape (..., 2)
        That point; nan without a hit.
    normal : ndarray of float64, shape (..., 2)
        Unit vector out of the shape at that point; (0, 0) for a start deeper than the tolerance inside, nan
        without a hit.
    edge : ndarray of int64
        The edge at that point. Of a polygon, edge k leads from vertex k to vertex k + 1 of `to_shapely`,
        exterior first, then the holes. Of a base, 0 is the Front, 1 the Left, 2 the Rear and 3 the Right
        Facing. -1 on a round corner, for a start deeper than the tolerance inside and without a hit.
    """

    hit: BoolArray
    fraction: FloatArray
    point: FloatArray
    normal: FloatArray
    edge: IntArray

    def to_shapely(self) -> Any:
        """Return the points as shapely geometries, None without a hit.

        Returns
        -------
        ndarray of shapely.Point or None, or one of them for a single segment and shape
        """
        import shapely

        hit = np.asarray(self.hit)
        points = np.full(hit.shape, None, np.object_)
        points[hit] = shapely.points(np.asarray(self.point)[hit])
        return points if points.ndim else points.item()


def passes_through(
    segments: Segments,
    shapes: Bases | Polygons,
    *,
    tol: float = TOLERANCE,
    out: BoolArray | None = None,
    workers: int = 1,
) -> BoolArray:
    """Return whether some point of a segment lies deeper than `tol` inside a shape.

    A segment that touches a shape, runs along its edge or ends there does not pass through it. One that runs
    along a seam between the convex pieces of a polygon does. Nothing passes through a shape without area.

    Parameters
    ----------
    segments : Segments
        Segments; without length, they are points.
    shapes : Bases or Polygons
        Bases or polygons, whose shape and that of the segments broadcast.
    tol : float
        Points no deeper than this, in inches, touch only.
    out : ndarray of bool, optional
        Where to write the answers, of the broadcast shape.
    workers : int
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    ndarray of bool, or one bool for a single segment and a single shape
        Of the broadcast shape; of empty batches, empty.

    Raises
    ------
    TypeError
        If an argument is of another type, or `out` of another dtype.
    ValueError
        If the shapes do not broadcast, `out` has another shape or is read-only, `tol` is negative or not
        finite, or `workers` is neither -1 nor at least 1.

    See Also
    --------
    intersects : touching is enough.
    interiors_meet : the same between bases.

    Notes
    -----
    Pairs are decided by a disc in and a disc round the polygon where those suffice, the others by separating
    axes of what is deeper than `tol` in the polygon, which is cut into convex pieces once. At a reflex vertex
    chords stand for the arc round it: there what is deep enough begins up to 16 % of `tol` late. A `tol`
    below 4e-9 counts as that.

    Examples
    --------
    >>> from ninthgeom import Polygons, Segments, passes_through
    >>> wood = Polygons([[(0, 0), (6, 0), (6, 4), (0, 4)]])
    >>> passes_through(Segments(-1.0, [2.0, 4.0, 5.0], 7.0, [2.0, 4.0, 5.0]), wood)
    array([ True, False, False])
    """
    tol = as_tolerance(tol)
    answer = _answers(segments, shapes, out)
    if isinstance(shapes, Polygons):
        _meet(segments, shapes, tables_of_depth(shapes, tol), answer, workers)
    else:
        columns = segments._columns, shapes._columns
        answer_close_pairs(
            OVERLAP, *columns, lambda: columns, 0.0, tol, names=_NAMES, out=answer, workers=workers
        )
    return answer[()] if out is None else answer


def intersects(
    segments: Segments,
    shapes: Bases | Polygons,
    *,
    tol: float = TOLERANCE,
    out: BoolArray | None = None,
    workers: int = 1,
) -> BoolArray:
    """Return whether a segment and a shape have a point in common, or come within `tol` of it.

    Parameters
    ----------
    segments, shapes, out, workers
        As in `passes_through`.
    tol : float
        Segments no further away than this, in inches, intersect; with polygons, whose convex pieces meet in
        seams, less than 1e-9 counts as that.

    Returns
    -------
    ndarray of bool, or one bool for a single segment and a single shape
        Of the broadcast shape.

    Raises
    ------
    TypeError, ValueError
        As in `passes_through`.

    See Also
    --------
    passes_through : touching is not enough.
    first_hit : where they first meet.
    in_contact : the same between bases.
    shapely.intersects : without a tolerance; rounding decides about touching.

    Examples
    --------
    >>> from ninthgeom import Bases, Segments, intersects
    >>> discs = Bases.round([0.0, 3.0, 6.0], 0.0, diameter=2.0)
    >>> intersects(Segments(0.0, 2.0, 6.0, 1.0), discs)
    array([False, False,  True])
    """
    tol = as_tolerance(tol)
    answer = _answers(segments, shapes, out)
    if isinstance(shapes, Polygons):
        _meet(segments, shapes, tables_of_reach(shapes, tol), answer, workers)
        _look_closer(segments, shapes, tol, answer, workers)
    else:
        columns = segments._columns, shapes._columns
        answer_close_pairs(
            CONTACT, *columns, lambda: columns, tol, tol, names=_NAMES, out=answer, workers=workers
        )
    return answer[()] if out is None else answer


def first_hit(
    segments: Segments, shapes: Bases | Polygons, *, tol: float = TOLERANCE, workers: int = 1
) -> Hit:
    """Return where a segment, from its start on, first meets a shape.

    Parameters
    ----------
    segments, shapes, workers
        As in `passes_through`.
    tol : float
        Segments no further away than this, in inches, hit; starts no deeper than this inside have a normal.

    Returns
    -------
    Hit
        Of the broadcast shape; for a single pair ``hit``, ``fraction`` and ``edge`` are scalars. ``hit`` is
        what `intersects` returns. A segment that starts inside hits at once,
        one without a common point where it first is as near as it gets. Where edges meet, the one that faces
        the segment most is hit, the first of equals.

    Raises
    ------
    TypeError, ValueError
        As in `passes_through`.

    See Also
    --------
    intersects : only whether there is a hit.

    Examples
    --------
    >>> from ninthgeom import Polygons, Segments, first_hit
    >>> wall = Polygons([[(4, -1), (5, -1), (5, 1), (4, 1)]])
    >>> hit = first_hit(Segments(0.0, 0.0, [8.0, 3.0], 0.0), wall)
    >>> hit.fraction
    array([0.5, inf])
    >>> hit.point[0], hit.normal[0], hit.edge[0]
    (array([4., 0.]), array([-1.,  0.]), np.int64(3))
    """
    hit = intersects(segments, shapes, tol=tol, workers=workers)
    shape = np.shape(hit)
    fraction = np.full(shape, np.inf)
    point, normal = np.full((2, *shape, 2), np.nan)
    edge = np.full(shape, -1)
    which = [
        np.broadcast_to(np.arange(each.size).reshape(each.shape), shape)[hit] for each in (segments, shapes)
    ]
    if which[0].size:
        ends = np.ascontiguousarray(segments._ends.reshape(4, -1)[:, which[0]])
        rounded, index = _outlines(shapes, which[1])
        found = answer_pairs(HITS, ends, index[None], *rounded, as_tolerance(tol), out=None, workers=workers)
        fraction[hit] = found[:, 0]
        point[hit] = found[:, 1:3]
        normal[hit] = found[:, 3:5]
        edge[hit] = found[:, 5]
    return Hit(hit, fraction[()], point, normal, edge[()])


def _answers(segments: Segments, shapes: Bases | Polygons, out: BoolArray | None) -> BoolArray:
    """Return an array for the answers, after a check of the arguments."""
    ends_of("segments", segments)
    if not isinstance(shapes, Bases | Polygons):
        raise TypeError(f"shapes must be Bases or Polygons, got {type(shapes).__name__}")
    return result_array(out, broadcast_shape(_NAMES, (segments.shape, shapes.shape)), np.bool_)


def _meet(
    segments: Segments, polygons: Polygons, tables: CrossingTables, answer: BoolArray, workers: int
) -> None:
    """Write which segments meet pieces of polygons, and 2 where that is left open."""
    answer_close_pairs(
        CROSSINGS,
        segments._ends,
        polygons._index[None],
        lambda: (segments._columns, box_columns(*polygons.bounds.reshape(-1, 4).T)),
        tables.limit,
        tables,
        names=_NAMES,
        out=answer.view(np.uint8),
        workers=workers,
    )


def _look_closer(segments: Segments, polygons: Polygons, tol: float, answer: BoolArray, workers: int) -> None:
    """Decide what was left open: segments off a corner by about `tol`, or on a seam of pieces."""
    codes = answer.view(np.uint8)
    if codes.max(initial=0) > 1:
        is_open = codes > 1
        ends = np.stack([np.broadcast_to(row, answer.shape)[is_open] for row in segments._ends])
        near = polygons._with(np.broadcast_to(polygons._index, answer.shape)[is_open])
        answer[is_open] = segments_within(ends, near, tol, workers=workers)


def _outlines(shapes: Bases | Polygons, which: IntArray) -> tuple[tuple[Any, ...], IntArray]:
    """Return edges of cores with normals, where a shape's begin, and radii; and which shapes were chosen."""
    if isinstance(shapes, Polygons):
        table = shapes._table
        x0, y0, x1, y1 = table.outline
        length = np.hypot(x1 - x0, y1 - y0)
        outline = np.stack([x0, y0, x1, y1, (y1 - y0) / length, (x0 - x1) / length])
        return (outline, table.outline_first, np.zeros(len(table.shapes))), shapes._index.reshape(-1)[which]
    columns = shapes._columns.reshape(len(shapes._columns), -1)
    used, index = np.unique(which, return_inverse=True)
    columns = np.ascontiguousarray(columns[:, used])
    # From front right on round the core.
    corners = shapes.reshape(-1)[used]._corners_of(columns[ALONG], columns[ACROSS])[:, [1, 0, 3, 2]]
    cos, sin = columns[COS], columns[SIN]
    normals = np.stack([np.stack([cos, -sin, -cos, sin]), np.stack([sin, cos, -sin, -cos])]).transpose(
        2, 1, 0
    )
    outline = np.concatenate([corners, np.roll(corners, -1, axis=1), normals], axis=2)
    edges = np.arange(0, 4 * len(used) + 1, 4)
    return (np.ascontiguousarray(outline.reshape(-1, 6).T), edges, columns[RADIUS]), index
