"""How points are joined to a graph of routes: free legs to corners, and to tangent points of arcs."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._route_graph import Graph, of_side, tangents
from ninthgeom.skirmish._route_nodes import Arcs

# So many lines from points to corners and arcs are looked at together.
_AT_ONCE: Final = 2**19


class Entries(NamedTuple):
    """Legs from points into a graph, sorted by point.

    Attributes
    ----------
    starts : ndarray of int64, shape (P + 1,)
        Point p has those from ``starts[p]`` to ``starts[p + 1]``.
    node, cost : ndarray, shape (n,)
        Node each leads to, -1 if there is none on its arc, and the way to there.
    arc, side, turn : ndarray, shape (n,)
        As in `Tangents`; arc -1 for those to corners.
    leg : ndarray of float64, shape (n,)
        Length of the straight part.
    angle : ndarray of float64, shape (n,)
        Angle at the node from which the leg is seen.
    ahead : ndarray of float64, shape (n,)
        Signed angle from the tangent point to the node.
    point : ndarray of float64, shape (n, 2)
        The corner or the tangent point.
    """

    starts: IntArray
    node: IntArray
    cost: FloatArray
    arc: IntArray
    side: FloatArray
    turn: FloatArray
    leg: FloatArray
    angle: FloatArray
    ahead: FloatArray
    point: FloatArray


def entries_of(graph: Graph, points: FloatArray) -> Entries:
    """Return all free legs from points, (n, 2), round whose ends a route can go on."""
    n_lines = len(graph.corners) + 2 * len(graph.arcs)
    step = max(1, _AT_ONCE // max(1, n_lines))
    parts = [_entries(graph, points[k : k + step]) for k in range(0, len(points), step)]
    if not parts:
        parts = [_entries(graph, points)]
    owner = np.concatenate([part[0] + k * step for k, part in enumerate(parts)])
    fields = [np.concatenate(column) for column in zip(*(part[1:] for part in parts), strict=True)]
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(len(points) + 1)).astype(np.int64)
    return Entries(starts, *(column[order] for column in fields))


def _from_contacts(
    points: FloatArray, arcs: Arcs
) -> tuple[IntArray, tuple[IntArray, FloatArray, FloatArray, FloatArray]]:
    """Return which points are on the rim at the end of an arc, or just before: arc, turn, side, point.

    Where a round part is in contact with another piece its arcs begin where the contact ends, no further away
    than that the chord is within tol of the rim. From the contact a route may leave along the rim, and from
    the foot of a gate to both sides.
    """
    whole = np.flatnonzero(~arcs.is_whole)
    arc = np.concatenate([whole, whole])
    turn = np.concatenate([np.zeros(len(whole)), arcs.size[whole]])
    side = np.repeat([-1.0, 1.0], len(whole))
    end = arcs.points(arc, turn)
    off = np.hypot(*np.moveaxis(points[:, None] - end, 2, 0))
    rim = np.hypot(*np.moveaxis(points[:, None] - arcs.centre[arc], 2, 0)) - arcs.radius[arc]
    chord = np.sqrt(8.0 * arcs.radius[arc] * arcs.tol)
    point, some = np.nonzero((off <= chord) & (np.abs(rim) <= arcs.tol))
    return point, (arc[some], turn[some], side[some], end[some])


def _first_along(owner: IntArray, arc: IntArray, side: FloatArray, turn: FloatArray, arcs: Arcs) -> BoolArray:
    """Return which legs to arcs do not lead the same way as an earlier one that ends where they do.

    A disc with one gate has both ends of its arc at the same point, but not at the same angle on it.
    """
    order = np.lexsort((np.arange(len(owner)), side, arc, owner))
    radius = arcs.radius[arc[order[1:]]]
    same = np.abs(np.diff(turn[order])) * radius <= np.sqrt(32.0 * radius * arcs.tol)
    for some in (owner, arc, side):
        same &= np.diff(some[order]) == 0
    first = np.ones(len(owner), np.bool_)
    first[order[1:][same]] = False
    return first


def _entries(graph: Graph, points: FloatArray) -> tuple[IntArray, ...]:
    """Return the point of each entry, then the other columns of `Entries`."""
    corners, arcs = graph.corners, graph.arcs
    tol = graph.scene.tol
    way = points[:, None] - corners.points
    away = np.hypot(way[..., 0], way[..., 1])
    which = np.broadcast_to(np.arange(len(corners)), away.shape)
    angle = corners.angles(which, way)
    p, corner = np.nonzero(corners.can_turn(which, angle, away, tol) & (away > tol))
    leg, angle = away[p, corner], angle[p, corner]
    lines = tangents(points, arcs)
    q, _ = np.nonzero(lines.exists)
    some, (r, near) = lines.chosen(lines.exists), _from_contacts(points, arcs)
    q = np.concatenate([q, r])
    arc, turn, side, end = (np.concatenate(pair) for pair in zip(some[:4], near, strict=True))
    ends = np.concatenate([corners.aside[corner], arcs.aside(arc, turn)])
    owner = np.concatenate([p, q])
    loose = np.zeros((len(owner), 2), np.bool_)
    loose[:, 0] = True
    free = graph.scene.are_free(np.concatenate([points[owner], ends], axis=1), loose)
    to_corner, to_arc = free[: len(p)], free[len(p) :]
    is_free = np.flatnonzero(to_arc)
    to_arc[is_free] = _first_along(q[is_free], arc[is_free], side[is_free], turn[is_free], arcs)
    corner, leg, angle = corner[to_corner], leg[to_corner], angle[to_corner]
    arc, turn, side, end, q = arc[to_arc], turn[to_arc], side[to_arc], end[to_arc], q[to_arc]
    node, ahead = graph.next_on_arc(arc, turn, side)
    straight = np.hypot(*(points[q] - end).T)
    n, none = len(corner), np.zeros(len(corner))
    return (
        owner[free],
        np.concatenate([corner, node]).astype(np.int64),
        np.concatenate([leg, straight + ahead * arcs.radius[arc]]),
        np.concatenate([np.full(n, -1), arc]).astype(np.int64),
        np.concatenate([none, side]),
        np.concatenate([none, turn]),
        np.concatenate([leg, straight]),
        np.concatenate([angle, of_side(side)]),
        np.concatenate([none, -side * ahead]),
        np.concatenate([corners.points[corner], end]),
    )
