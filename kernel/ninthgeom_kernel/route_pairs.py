"""Shortest ways from starts to goals by what leads from each into the graph of routes."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import (
    BOOL,
    F8,
    F8_1,
    F8_2,
    F8_OUT1,
    I8_1,
    I8_2,
    I8_OUT1,
    I8_OUT2,
    kernel,
    scalar,
)

# Angles by which rounding may turn back.
_ANGLE = 1e-9


@scalar
def joined_length(a: int, b: int, arcs: Any, sides: Any, angles: Any, legs: Any, radii: Any) -> float:
    """Return the way from start to goal along one arc that both have tangents to; inf if there is none."""
    if arcs[a] < 0 or arcs[a] != arcs[b] or sides[a] == sides[b]:
        return math.inf
    turn = -sides[a] * (angles[b] - angles[a])
    if radii[a] < 0.0:  # a whole circle
        turn = turn + 2.0 * math.pi if turn < -_ANGLE else turn
    if turn < -_ANGLE:
        return math.inf
    length: float = legs[a] + legs[b] + abs(radii[a]) * max(turn, 0.0)
    return length


@kernel(
    BOOL(I8_2, I8_1, I8_1, F8_1, I8_1, F8_1, F8_1, F8_1, F8_1, F8_2, F8, F8_OUT1, F8_OUT1, I8_OUT2, I8_OUT1)
)
def route_pairs(
    pairs: Any,
    starts: Any,
    nodes: Any,
    costs: Any,
    arcs: Any,
    sides: Any,
    angles: Any,
    legs: Any,
    radii: Any,
    between: Any,
    tol: float,
    least: Any,
    lengths: Any,
    found: Any,
    count: Any,
) -> bool:
    """Find the length of the shortest route of each pair of points, and by which entries it is reached.

    Parameters
    ----------
    pairs : (n, 2)
        Numbers of two points, start and goal.
    starts : (points + 1,)
        Point p has the entries from ``starts[p]`` to ``starts[p + 1]``.
    nodes, costs : (entries,)
        Node of the graph that an entry leads to, -1 for none, and the way to there.
    arcs, sides, angles, legs, radii : (entries,)
        For entries by a tangent to an arc, else ``arcs`` is -1: number of the arc, on which side of the
        tangent point the point is (1: counter-clockwise), the angle on the arc, the length of the tangent,
        and the radius, less than 0 if the arc is a whole circle.
    between : (nodes, nodes)
        Shortest ways; rows of nodes that goals have entries to.
    tol : float
    least : (most entries of a point,), scratch
    lengths : (n,) written
        inf where there is no route.
    found : (room, 3) written
        Pair, and entries of start and goal, of all ways no longer than the shortest by tol, sorted by pair.
    count : (1,) written
        How many were found.

    Returns
    -------
    bool
        Whether there was room for them all.
    """
    n_found = 0
    for k in range(pairs.shape[0]):
        p = pairs[k, 0]
        q = pairs[k, 1]
        best = math.inf
        # Of a row of the matrix all is read before the next; the few goals that matter are looked at again.
        for b in range(starts[q], starts[q + 1]):
            least[b - starts[q]] = math.inf
            if costs[b] > best + tol and legs[b] > best + tol:
                continue
            nearest = math.inf
            row = nodes[b]
            for a in range(starts[p], starts[p + 1]):
                if row >= 0 and nodes[a] >= 0:
                    nearest = min(nearest, costs[a] + between[row, nodes[a]] + costs[b])
                if arcs[a] >= 0 and arcs[a] == arcs[b]:
                    nearest = min(nearest, joined_length(a, b, arcs, sides, angles, legs, radii))
            least[b - starts[q]] = nearest
            best = min(best, nearest)
        for b in range(starts[q], starts[q + 1]):
            if best == math.inf or least[b - starts[q]] > best + tol:
                continue
            for a in range(starts[p], starts[p + 1]):
                length = joined_length(a, b, arcs, sides, angles, legs, radii)
                if nodes[b] >= 0 and nodes[a] >= 0:
                    length = min(length, costs[a] + between[nodes[b], nodes[a]] + costs[b])
                if length <= best + tol:
                    if n_found < found.shape[0]:
                        found[n_found, 0] = k
                        found[n_found, 1] = a
                        found[n_found, 2] = b
                    n_found += 1
        lengths[k] = best
    count[0] = n_found
    has_room: bool = n_found <= found.shape[0]
    return has_room
