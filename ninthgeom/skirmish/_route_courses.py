"""Courses of routes: way-points of walks, without those that a route does not turn at, none twice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._convex import ROUNDING

if TYPE_CHECKING:
    from ninthgeom.skirmish._route_entries import Entries
    from ninthgeom.skirmish._route_graph import Graph

# Way-points no further apart than this, in tolerances, make no difference between two courses.
_SAME: Final = 4.0


class Walks(NamedTuple):
    """Walks between entries.

    Attributes
    ----------
    question : ndarray of intp, shape (n,)
    first, last : ndarray of intp, shape (n,)
        Entries of start and goal.
    turn : ndarray of float64, shape (n,)
        Signed angle on the arc that both have tangents to; NaN for walks through nodes.
    end : ndarray of intp, shape (n,)
        Where the edges of each end.
    edges : ndarray of intp
        Edges of all.
    """

    question: IntArray
    first: IntArray
    last: IntArray
    turn: FloatArray
    end: IntArray
    edges: IntArray

    @classmethod
    def none(cls) -> Walks:
        """No walks."""
        nothing = np.empty(0, np.intp)
        return cls(nothing, nothing, nothing, np.empty(0), nothing, nothing)

    @classmethod
    def joined(cls, some: Walks, others: Walks) -> Walks:
        """Put other walks behind some."""
        others = others._replace(end=others.end + len(some.edges))
        return cls(*(np.concatenate(column) for column in zip(some, others, strict=True)))


@dataclass(frozen=True, eq=False)
class Courses:
    """Way-points of routes, sorted by question.

    Attributes
    ----------
    first : ndarray of int64, shape (Q + 1,)
        Question q has the routes from ``first[q]`` to ``first[q + 1]``.
    offsets : ndarray of int64, shape (R + 1,)
        Route r has the points from ``offsets[r]`` to ``offsets[r + 1]``.
    points, centre : ndarray of float64, shape (P, 2)
    turn : ndarray of float64, shape (P,)
        Of the leg that begins at a point: centre, NaN if it is straight, and signed angle.
    """

    first: IntArray
    offsets: IntArray
    points: FloatArray
    centre: FloatArray
    turn: FloatArray

    @classmethod
    def none(cls, n_questions: int) -> Courses:
        """No routes for so many questions."""
        return cls._of(n_questions, np.empty(0, np.intp), [], [], [])

    @classmethod
    def _of(
        cls,
        n_questions: int,
        question: IntArray,
        points: list[FloatArray],
        centre: list[FloatArray],
        turn: list[FloatArray],
    ) -> Courses:
        sizes = [len(some) for some in turn]
        nothing = np.empty((0, 2))
        return cls(
            np.searchsorted(question, np.arange(n_questions + 1)).astype(np.int64),
            np.cumsum([0, *sizes], dtype=np.int64),
            np.concatenate([nothing, *points]),
            np.concatenate([nothing, *centre]),
            np.concatenate([np.empty(0), *turn]),
        )

    @classmethod
    def concatenate(cls, parts: list[Courses]) -> Courses:
        """Join the courses of questions that follow one another."""
        n_routes = np.cumsum([0, *(len(part.offsets) - 1 for part in parts)]).tolist()
        n_points = np.cumsum([0, *(len(part.points) for part in parts)]).tolist()
        none = np.zeros(1, np.int64)
        return cls(
            np.concatenate([none, *(p.first[1:] + n for p, n in zip(parts, n_routes, strict=False))]),
            np.concatenate([none, *(p.offsets[1:] + n for p, n in zip(parts, n_points, strict=False))]),
            np.concatenate([np.empty((0, 2)), *(part.points for part in parts)]),
            np.concatenate([np.empty((0, 2)), *(part.centre for part in parts)]),
            np.concatenate([np.empty(0), *(part.turn for part in parts)]),
        )


def courses_of(
    graph: Graph,
    entries: Entries,
    walks: Walks,
    straight: IntArray,
    points: FloatArray,
    pairs: IntArray,
) -> Courses:
    """Return the courses of walks, and of questions whose straight line is free."""
    question, offsets, at, arc, turn = _way_points(graph, entries, walks, points, pairs)
    at, arc, turn, offsets = _without_nodes_on_arcs(at, arc, turn, offsets)
    is_odd = _needs_tidying(graph, at, arc, turn, offsets)
    radius, centre = graph.arcs.radius, graph.arcs.centre
    routes: list[tuple[FloatArray, FloatArray, FloatArray]] = []
    asked: list[int] = []
    begins = 0
    bounds = offsets.tolist()
    centres = np.full((len(at), 2), np.nan)
    centres[arc >= 0] = centre[arc[arc >= 0]]
    numbers = question.tolist()
    order = np.argsort(question, kind="stable").tolist()
    last = -1
    for w in order:
        part = slice(bounds[w], bounds[w + 1])
        course = at[part], centres[part], turn[part]
        if is_odd[w]:
            keep, own_turn, own_arc = _tidied(at[part], arc[part], turn[part], radius, graph.scene.tol)
            own_centre = np.full((len(keep), 2), np.nan)
            own_centre[own_arc >= 0] = centre[own_arc[own_arc >= 0]]
            course = at[part][keep], own_centre, own_turn
        if numbers[w] != last:
            last, begins = numbers[w], len(routes)
        if any(_are_same(course, other, graph.scene.tol) for other in routes[begins:]):
            continue
        routes.append(course)
        asked.append(last)
    lines = np.stack([points[pairs[straight, 0]], points[pairs[straight, 1]]], axis=1)
    no_centre, no_turn = np.full((2, 2), np.nan), np.zeros(2)
    routes += [(line, no_centre, no_turn) for line in lines]
    every = np.concatenate([np.array(asked, np.intp), straight])
    order = np.argsort(every, kind="stable").tolist()
    return Courses._of(
        len(pairs),
        every[order],
        [routes[r][0] for r in order],
        [routes[r][1] for r in order],
        [routes[r][2] for r in order],
    )


def _way_points(
    graph: Graph, entries: Entries, walks: Walks, points: FloatArray, pairs: IntArray
) -> tuple[IntArray, IntArray, FloatArray, IntArray, FloatArray]:
    """Return question, offsets, points, and arc (-1: straight) and turn of the legs from there, of walks."""
    question, a, b, joined, end, edges = walks
    n_edges = np.diff(end, prepend=0)
    by_arc, to_arc = (entries.arc[a] >= 0).astype(np.intp), (entries.arc[b] >= 0).astype(np.intp)
    is_joined = ~np.isnan(joined)
    n_nodes = np.where(is_joined, 0, n_edges + 1)
    offsets = np.concatenate([[0], np.cumsum(2 + by_arc + to_arc + n_nodes)])
    at = np.empty((offsets[-1], 2))
    arc, turn = np.full(len(at), -1), np.zeros(len(at))
    first, last = offsets[:-1], offsets[1:] - 1
    at[first], at[last] = points[pairs[question, 0]], points[pairs[question, 1]]
    rows = np.flatnonzero(by_arc)
    at[first[rows] + 1] = entries.point[a[rows]]
    arc[first[rows] + 1] = entries.arc[a[rows]]
    turn[first[rows] + 1] = np.where(is_joined, joined, entries.ahead[a])[rows]
    node = first + 1 + by_arc
    rows = np.flatnonzero(~is_joined)
    at[node[rows]] = graph.points[entries.node[a[rows]]]
    walk = np.repeat(np.arange(len(question)), n_edges)
    place = np.arange(len(edges)) - (end - n_edges)[walk] + node[walk]
    at[place + 1] = graph.points[graph.heads[edges]]
    arc[place] = graph.edge_arc[edges]
    turn[place] = graph.turns[edges]
    rows = np.flatnonzero(~is_joined & (to_arc > 0))
    arc[last[rows] - 2] = entries.arc[b[rows]]
    turn[last[rows] - 2] = -entries.ahead[b[rows]]
    rows = np.flatnonzero(to_arc)
    at[last[rows] - 1] = entries.point[b[rows]]
    return question, offsets, at, arc, turn


def _without_nodes_on_arcs(
    at: FloatArray, arc: IntArray, turn: FloatArray, offsets: IntArray
) -> tuple[FloatArray, IntArray, FloatArray, IntArray]:
    """Join arcs that follow one another on the same circle."""
    if not len(at):
        return at, arc, turn, offsets
    keep = np.ones(len(at), np.bool_)
    keep[1:] = (arc[1:] != arc[:-1]) | (arc[1:] < 0)
    first = np.flatnonzero(keep)
    kept = np.concatenate([[0], np.cumsum(keep)])
    return at[keep], arc[keep], np.add.reduceat(turn, first), kept[offsets]


def _needs_tidying(
    graph: Graph, at: FloatArray, arc: IntArray, turn: FloatArray, offsets: IntArray
) -> list[bool]:
    """Return which routes have legs of no length, or way-points where they do not turn."""
    if not len(at):
        return []
    way = np.roll(at, -1, axis=0) - at
    length = np.hypot(*way.T)
    if len(graph.arcs):
        length = np.where(arc >= 0, graph.arcs.radius[arc] * np.abs(turn), length)
    is_short = length <= graph.scene.tol
    is_short[offsets[1:] - 1] = False
    before = np.roll(way, 1, axis=0)
    off = np.abs(before[:, 0] * way[:, 1] - before[:, 1] * way[:, 0])
    is_flat = (arc < 0) & (np.roll(arc, 1) < 0) & (off <= ROUNDING * (length + np.roll(length, 1)))
    is_flat[offsets[:-1]] = is_flat[offsets[1:] - 1] = False
    odd: list[bool] = np.logical_or.reduceat(is_short | is_flat, offsets[:-1]).tolist()
    return odd


def _tidied(
    at: FloatArray, arc: IntArray, turn: FloatArray, radius: FloatArray, tol: float
) -> tuple[list[int], FloatArray, IntArray]:
    """Return which points of one route are kept, and turn and arc of the legs from there."""
    keep, arcs, turns = list(range(len(at))), arc.tolist(), turn.tolist()
    k = 0
    while k < len(keep) - 1:
        (x, y), (next_x, next_y) = at[keep[k]].tolist(), at[keep[k + 1]].tolist()
        length = math.hypot(next_x - x, next_y - y)
        if arcs[k] >= 0:
            length = radius[arcs[k]] * abs(turns[k])
        drop = -1
        if length <= tol and len(keep) > 2:
            # the leg goes with it; the leg from the next point begins here, unless that is the goal
            drop = k + 1 if k + 2 < len(keep) else k
            if drop == k + 1:
                arcs[k], turns[k] = arcs[k + 1], turns[k + 1]
        elif k > 0 and arcs[k] < 0 and arcs[k - 1] < 0:
            before_x, before_y = (x - at[keep[k - 1], 0], y - at[keep[k - 1], 1])
            off = abs(before_x * (next_y - y) - before_y * (next_x - x))
            drop = k if off <= ROUNDING * (length + math.hypot(before_x, before_y)) else -1
        elif k > 0 and arcs[k] == arcs[k - 1]:
            turns[k - 1] += turns[k]
            drop = k
        if drop < 0:
            k += 1
            continue
        for some in (keep, arcs, turns):
            del some[drop]
        k = max(0, min(k, drop) - 1)
    if len(keep) > 1:
        arcs[-1], turns[-1] = -1, 0.0
    return keep, np.array(turns), np.array(arcs, np.intp)


def _are_same(
    course: tuple[FloatArray, FloatArray, FloatArray],
    other: tuple[FloatArray, FloatArray, FloatArray],
    tol: float,
) -> bool:
    """Return whether two routes are of one course, way-points that they pass straight on left out."""
    course, other = _bends(course, tol), _bends(other, tol)
    if len(course[0]) != len(other[0]):
        return False
    far = np.abs(course[0] - other[0]).max()
    same_centres = np.array_equal(course[1], other[1], equal_nan=True)
    same_turns = bool(((course[2] > 0.0) == (other[2] > 0.0)).all())
    return bool(far <= _SAME * tol) and same_centres and same_turns


def _bends(
    course: tuple[FloatArray, FloatArray, FloatArray], tol: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Leave out way-points of a route that are within tol of the line between those beside them."""
    at, centre, turn = course
    keep = [0]
    for k in range(1, len(at) - 1):
        before, way = at[k] - at[keep[-1]], at[k + 1] - at[keep[-1]]
        off = abs(before[0] * way[1] - before[1] * way[0])
        if turn[k] != 0.0 or turn[keep[-1]] != 0.0 or off > tol * math.hypot(*way):
            keep.append(k)
    keep.append(len(at) - 1)
    return at[keep], centre[keep], turn[keep]
