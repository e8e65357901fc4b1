"""What the kernels of crossings read of polygons, computed once for every table of polygons and tolerance."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import compress
from typing import Final, NamedTuple, TypeVar

import numpy as np
import shapely
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._convex import ROUNDING
from ninthgeom._erosion import LEAST_DEPTH
from ninthgeom._pieces import Pieces
from ninthgeom._polygon_table import Made, Table, eroded, whole
from ninthgeom.polygons import Polygons

#: Discs in and round polygons keep so much off, in inches, because they must not answer wrongly: a thousand
#: times the rounding of the largest coordinates.
MARGIN: Final = 1e-7
#: Points of which one is so much deeper, in inches, are equally deep, or a seam between pieces would have two
#: sides.
SAME_DEPTH: Final = 5e-10
#: Pieces and edges of what is deeper than a tolerance are small up to so many tolerances.
SMALL: Final = 100.0
#: Corners that are no further off the line between their neighbours, in inches, are rounding.
STRAIGHT: Final = 1e-12
#: Pieces no wider than this, in inches, are rounding too: nothing bounds them at their ends.
NO_WIDTH: Final = 1e-10
#: The normal of a shorter edge is so inexact that its offset is taken from all corners of its piece.
SHORT: Final = 1e-3
#: Sharper corners, in radians, get a plane of their own: what is a little beyond both of their edges may be
#: far from them.
SHARP: Final = 0.5
#: Of so many edges at once all corners are measured.
MANY_EDGES: Final = 64


class Planes(NamedTuple):
    """Discs in and round polygons, and the edges of their convex pieces.

    Attributes
    ----------
    discs : ndarray, shape (4, N)
        Centres, squared radii of discs in the polygons and of discs round them, -1 where there is none.
    pieces : ndarray of int, shape (N + 1,)
        Where the pieces of a polygon begin.
    fours : ndarray of int, shape (P + 1,)
        Where the edges of a piece begin, in fours.
    planes : ndarray, shape (E, 5)
        Outward unit normal, offset and first corner of edges, as seen from the centre of the disc. The last
        edge of a piece is repeated to fill its last four.
    """

    discs: FloatArray
    pieces: IntArray
    fours: IntArray
    planes: FloatArray


def planes_of(table: Table, pieces: Pieces, *, inside: float, outside: float) -> Planes:
    """Compute planes of some pieces of each polygon.

    Parameters
    ----------
    table : Table
        The polygons.
    pieces : Pieces
        Pieces of them, from which `outside` is counted.
    inside : float
        How deep in the polygon the disc in it has to be, in inches.
    outside : float
        How far the disc round the pieces has to reach out of them, in inches.
    """
    from ninthgeom_kernel.crossing import FOUR, PLANE

    corners, starts = pieces.corners, pieces.starts
    n = len(pieces.first) - 1
    x, y = 0.5 * (table.bounds[:, :2] + table.bounds[:, 2:]).T
    inner = _depths(table.outline, table.outline_first, x, y) - inside - MARGIN
    owner = np.repeat(np.arange(n), np.diff(starts[pieces.first]))
    from_centre = corners - np.stack([x, y])[:, owner]
    outer = np.full(n, -np.inf)
    np.maximum.at(outer, owner, np.hypot(*from_centre))
    discs = np.stack([x, y, _squared(inner), _squared(outer + outside + MARGIN)])

    count = np.diff(starts)
    fours = np.concatenate([[0], np.cumsum(-(-count // FOUR))])
    piece = np.repeat(np.arange(len(count)), FOUR * np.diff(fours))
    corner = starts[piece] + np.minimum(np.arange(piece.size) - FOUR * fours[piece], count[piece] - 1)
    after = np.where(corner + 1 < starts[piece + 1], corner + 1, starts[piece])
    planes = np.zeros((piece.size, PLANE))
    planes[:, 3:] = from_centre[:, corner].T
    way_x, way_y = from_centre[:, after] - from_centre[:, corner]
    length = np.hypot(way_x, way_y)
    scale = np.divide(1.0, length, out=np.zeros_like(length), where=length > 0.0)
    planes[:, 0] = way_y * scale
    planes[:, 1] = -way_x * scale
    # At a corner that is there twice, away from both of its neighbours.
    twice = np.flatnonzero(length == 0.0)
    before, following = _neighbours(starts)
    at, beyond = corner[twice], following[following[corner[twice]]]
    outward = _units(from_centre[:, before[at]] - from_centre[:, at]) + _units(
        from_centre[:, beyond] - from_centre[:, at]
    )
    planes[twice, :2] = -_units(outward).T
    planes[:, 2] = (planes[:, :2] * planes[:, 3:]).sum(axis=1)
    for i in np.flatnonzero(length < SHORT):
        own = from_centre[:, starts[piece[i]] : starts[piece[i] + 1]]
        planes[i, 2] = (planes[i, :2] @ own).max()
    return Planes(_locked(discs), pieces.first, _locked(fours), _locked(planes))


def _neighbours(starts: IntArray) -> tuple[IntArray, IntArray]:
    """Return the indices of the corners before and after each corner of rings."""
    corner = np.arange(starts[-1])
    piece = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    first, end = starts[:-1][piece], starts[1:][piece]
    return np.where(corner > first, corner, end) - 1, np.where(corner + 1 < end, corner + 1, first)


def _units(ways: FloatArray) -> FloatArray:
    """Return unit vectors (2, n); without length as they are."""
    lengths = np.hypot(*ways)
    return ways / np.where(lengths > 0.0, lengths, 1.0)


def _with_sharp_corners_twice(pieces: Pieces) -> Pieces:
    corners = pieces.corners
    before, after = (_units(corners[:, other] - corners) for other in _neighbours(pieces.starts))
    counts = np.where((before * after).sum(axis=0) > math.cos(SHARP), 2, 1)
    ends = np.concatenate([[0], np.cumsum(counts)])
    doubled = np.ascontiguousarray(np.repeat(corners, counts, axis=1))
    return replace(pieces, corners=doubled, starts=ends[pieces.starts])


def _squared(radius: FloatArray) -> FloatArray:
    return np.where(radius > 0.0, radius * radius, -1.0)


_Array = TypeVar("_Array", bound=NDArray[np.generic])


def _locked(array: _Array) -> _Array:
    array.flags.writeable = False
    return array


def _depths(outline: FloatArray, first: IntArray, x: FloatArray, y: FloatArray) -> FloatArray:
    """How deep in its polygon a point is; negative outside."""
    if not len(x):
        return np.empty(0)
    owner = np.repeat(np.arange(len(x)), np.diff(first))
    x0, y0, x1, y1 = outline - np.stack([x, y, x, y])[:, owner]
    way_x, way_y = x1 - x0, y1 - y0
    squared = way_x * way_x + way_y * way_y
    along = -(x0 * way_x + y0 * way_y)
    # an edge so short that its square is 0 is a point
    share = np.clip(np.divide(along, squared, out=np.zeros_like(along), where=squared > 0.0), 0.0, 1.0)
    distance = np.minimum.reduceat(np.hypot(x0 + share * way_x, y0 + share * way_y), first[:-1])
    crosses = ((y0 > 0.0) != (y1 > 0.0)) & ((y0 * way_x < x0 * way_y) == (way_y > 0.0))
    is_inside = np.add.reduceat(crosses.astype(np.int64), first[:-1]) % 2 == 1
    return np.where(is_inside, distance, -distance)


@dataclass(frozen=True)
class CrossingTables:
    """What decides whether segments are near some pieces of polygons.

    Attributes
    ----------
    coarse : Planes
        Of the pieces, simplified.
    fine : Planes or None
        Of the pieces, if they are simplified.
    met : float
        Separation from a piece, in inches, up to which a segment meets it.
    surely_met : float
        Separation from a simplified piece up to which a segment meets the piece.
    limit : float
        Separation from all simplified pieces beyond which a segment meets none.
    """

    coarse: Planes
    fine: Planes | None
    met: float
    surely_met: float
    limit: float


def tables_of_depth(polygons: Polygons, tol: float) -> CrossingTables:
    """Return tables that tell which segments get deeper than `tol` into polygons."""
    return polygons._made(eroded, tol).derived(_of_eroded)


def tables_of_reach(polygons: Polygons, tol: float) -> CrossingTables:
    """Return tables that tell which segments meet polygons and which are further away than `tol`."""
    return polygons._made(whole, tol).derived(_of_whole)


def _of_eroded(made: Made) -> CrossingTables:
    depth = max(made.tol, LEAST_DEPTH)
    wide, simple, missing, added = _simplified(made.pieces, SMALL * depth)
    fine = planes_of(made.table, _with_sharp_corners_twice(wide), inside=depth, outside=SAME_DEPTH)
    coarse = planes_of(made.table, simple, inside=depth, outside=SAME_DEPTH)._replace(discs=fine.discs)
    # 0 at most: these have no planes of their own at sharp corners
    return CrossingTables(coarse, fine, SAME_DEPTH, min(0.0, SAME_DEPTH - added), SAME_DEPTH + missing)


def _of_whole(made: Made) -> CrossingTables:
    # Without a tolerance, too, rounding must not let anything through a seam.
    limit = max(made.tol, SAME_DEPTH)
    planes = planes_of(made.table, made.pieces, inside=0.0, outside=limit)
    return CrossingTables(planes, None, 0.0, 0.0, limit)


def _simplified(pieces: Pieces, size: float) -> tuple[Pieces, Pieces, float, float]:
    """Leave small pieces out and small edges, so that what is left holds the pieces they belong to.

    At each reflex vertex of a polygon, pieces and edges as small as the tolerance follow the arc that bounds
    what is deep enough. They would take most of the time, and hardly any segment depends on them.

    Returns
    -------
    Pieces
        All pieces that have an area.
    Pieces
        What is left of them.
    float
        How far the small pieces reach out of it, in inches.
    float
        How far it reaches out of the pieces.
    """
    rings = [corners.T for corners in np.split(pieces.corners, pieces.starts[1:-1], axis=1)]
    whole: list[list[FloatArray]] = []
    main: list[list[FloatArray]] = []
    missing = added = 0.0
    for first, last in zip(pieces.first[:-1].tolist(), pieces.first[1:].tolist(), strict=True):
        widths = np.array([_width(ring) for ring in rings[first:last]])
        own = list(compress(rings[first:last], widths > NO_WIDTH))
        is_wide = widths[widths > NO_WIDTH] > size
        is_kept = is_wide.copy()
        if is_wide.any():
            off = _off_wide(list(compress(own, ~is_wide)), list(compress(own, is_wide)), SMALL * size)
            is_kept[~is_wide] = is_far = off > SMALL * size
            missing = max(missing, float(off[~is_far].max(initial=0.0)))
        else:
            is_kept[:] = True
        simple = []
        for ring in compress(own, is_kept & is_wide):
            simple.append(_without_small_edges(ring, size))
            out = shapely.distance(shapely.points(simple[-1]), shapely.polygons(ring))
            added = max(added, float(np.max(out)))
        whole.append(own)
        main.append(simple + list(compress(own, is_kept & ~is_wide)))
    return Pieces.of(whole), Pieces.of(main), missing, added


def _off_wide(rings: list[FloatArray], wide: list[FloatArray], limit: float) -> FloatArray:
    """How far convex rings reach out of the wide one that they reach out of least; inf above the limit.

    How far a corner is off a single wide piece bounds how far all of the ring is: both are convex. Off all of
    them together it would not: a corridor has its corners on the rooms that it joins.
    """
    off = np.full(len(rings), np.inf)
    shapes, others = (
        np.array([shapely.Polygon(ring) for ring in some], np.object_) for some in (rings, wide)
    )
    one, other = shapely.STRtree(others).query(shapes, predicate="dwithin", distance=limit)
    counts = np.array([len(ring) for ring in rings], np.int64)
    ends = np.cumsum(counts[one])
    if ends.size:
        start = (np.cumsum(counts) - counts)[one]
        place = np.arange(ends[-1]) + np.repeat(start - ends + counts[one], counts[one])
        corners = shapely.points(np.concatenate(rings)[place])
        furthest = np.maximum.reduceat(
            shapely.distance(corners, others[np.repeat(other, counts[one])]), ends - counts[one]
        )
        np.minimum.at(off, one, furthest)
    return off


def _width(ring: FloatArray) -> float:
    """Least extent of a convex ring across one of its edges; those as short as rounding have no direction."""
    x, y = ring.T
    way_x, way_y = (np.roll(ring, -1, axis=0) - ring).T
    length = np.hypot(way_x, way_y)
    least = float(np.ptp(ring, axis=0).max())
    edges = np.flatnonzero(length > ROUNDING)
    for some in np.split(edges, range(MANY_EDGES, len(edges), MANY_EDGES)):
        start_x, start_y = x[some, None], y[some, None]
        off = way_x[some, None] * (y - start_y) - way_y[some, None] * (x - start_x)
        least = min(least, float((off.max(axis=1) / length[some]).min(initial=least)))
    return least


def _without_small_edges(ring: FloatArray, size: float) -> FloatArray:
    """Replace short edges of a convex ring by the corners their neighbours make, straight corners by none."""
    points: list[tuple[float, float]] = [(float(x), float(y)) for x, y in ring]
    i = passed = 0
    while passed < len(points) > 3:
        i %= len(points)
        after = (i + 1) % len(points)
        (px, py), (sx, sy), (ex, ey) = points[i - 1], points[i], points[after]
        (ax, ay), (cx, cy), (base_x, base_y) = (sx - px, sy - py), (ex - sx, ey - sy), (ex - px, ey - py)
        bx, by = ex - points[after + 1 - len(points)][0], ey - points[after + 1 - len(points)][1]
        turn = ay * bx - ax * by
        # where the edge before goes on to meet the one after
        share = (cy * bx - cx * by) / turn if turn > 0.0 else -1.0
        passed += 1
        if abs(base_x * ay - base_y * ax) <= STRAIGHT * math.hypot(base_x, base_y):
            del points[i]
        elif share >= 0.0 and math.hypot(cx, cy) <= size and share * math.hypot(ax, ay) <= 4.0 * size:
            points[i] = (sx + share * ax, sy + share * ay)
            del points[after]
            i -= after < i
        else:
            i += 1
            continue
        # the neighbours before have other neighbours now
        i -= 2
        passed = 0
    return np.array(points)
