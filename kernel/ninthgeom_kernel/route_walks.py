"""All shortest walks between two nodes of a graph of routes."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import (
    BOOL,
    F8,
    F8_1,
    F8_2,
    F8_OUT1,
    I8,
    I8_1,
    I8_2,
    I8_OUT1,
    I8_OUT2,
    kernel,
)

# Rounding, of angles.
_ANGLE = 1e-8


@kernel(
    BOOL(
        I8_2,
        F8_2,
        I8_1,
        I8_1,
        F8_1,
        F8_1,
        F8_1,
        F8_1,
        F8_2,
        F8,
        I8,
        I8,
        I8_OUT2,
        F8_OUT1,
        I8_OUT1,
        I8_OUT2,
        I8_OUT1,
    )
)
def route_walks(
    ends: Any,
    limits: Any,
    first_edge: Any,
    heads: Any,
    weights: Any,
    leaves: Any,
    arrives: Any,
    bends: Any,
    between: Any,
    least: float,
    most: int,
    patience: int,
    stack: Any,
    bent: Any,
    edges: Any,
    walks: Any,
    counts: Any,
) -> bool:
    """Walk from node to node along all shortest ways, depth first.

    Parameters
    ----------
    ends : (n, 3)
        Question, first and last node; those of one question follow one another. First node -1: a walk
        without edges.
    limits : (n, 5)
        Length of the longest walk wanted; at the first and the last node angles of the legs that lead there
        from outside; and how far these turn on arcs that end at these nodes.
    first_edge, heads, weights : (nodes + 1,), (edges,), (edges,)
        The graph, each edge in both directions, sorted by the node it begins at.
    leaves, arrives, bends : (edges,)
        Angle of the edge at its first node, and at its last one, looking back along it, counted in the free
        sector of the node; and how far it turns, less than 0 if it is straight.
    between : (nodes, nodes)
        Shortest ways; rows of last nodes are read.
    least : float
        How far a walk turns round what it turns at, at least: half a turn and a little: it does turn and
        cannot be pulled shorter; a little less than half a turn: it may go straight on past a node, which
        gives walks of one course many times; -1: all walks.
    most : int
        So many walks a question at most.
    patience : int
        After so many steps the walks of one pair of ends are given up.
    stack, bent : (depth, 2), (depth,), scratch
        Walks are no longer than this.
    edges : (room,) written
        Edges of the walks, one after another.
    walks : (room, 2) written
        For each walk the row of ``ends`` and where its edges end in ``edges``.
    counts : (2,) written
        Numbers of edges and walks.

    Returns
    -------
    bool
        Whether there was room for them all.
    """
    round_least = min(least, math.pi - _ANGLE)
    n_edges = 0
    n_walks = 0
    before = 0
    for k in range(ends.shape[0]):
        if k == 0 or ends[k, 0] != ends[k - 1, 0]:
            before = n_walks
        first = ends[k, 1]
        last = ends[k, 2]
        # for each node on the way the edge taken to it and the next to try; how far it turned since a leg
        stack[0, 0] = -1
        stack[0, 1] = first_edge[first] if first >= 0 else 0
        bent[0] = limits[k, 3]
        node = first
        depth = 0
        length = 0.0
        pos = limits[k, 1]
        steps = 0
        is_new = True
        while depth >= 0 and n_walks - before < most and steps < patience:
            steps += 1
            if is_new and (first < 0 or node == last):
                angle = abs(pos - limits[k, 2])
                turned = angle + bent[depth] + limits[k, 4]
                if first < 0 or (angle >= round_least and turned >= least):
                    if n_walks >= walks.shape[0] or n_edges + depth > edges.shape[0]:
                        return False
                    for d in range(depth):
                        edges[n_edges + d] = stack[d + 1, 0]
                    n_edges += depth
                    walks[n_walks, 0] = k
                    walks[n_walks, 1] = n_edges
                    n_walks += 1
            e = stack[depth, 1]
            if first < 0 or node == last or e == first_edge[node + 1]:
                taken = stack[depth, 0]
                depth -= 1
                is_new = False
                if depth >= 0:
                    length -= weights[taken]
                    back = stack[depth, 0]
                    node = heads[back] if back >= 0 else first
                    pos = arrives[back] if back >= 0 else limits[k, 1]
                continue
            stack[depth, 1] = e + 1
            angle = abs(pos - leaves[e])
            turned = angle + bent[depth] if bends[e] < 0.0 else angle + math.pi
            if angle < round_least or turned < least or depth + 1 >= stack.shape[0]:
                continue
            head = heads[e]
            if not length + weights[e] + between[last, head] <= limits[k, 0]:
                continue
            bent[depth + 1] = 0.0 if bends[e] < 0.0 else bent[depth] + bends[e]
            depth += 1
            stack[depth, 0] = e
            stack[depth, 1] = first_edge[head]
            length += weights[e]
            node = head
            pos = arrives[e]
            is_new = True
    counts[0] = n_edges
    counts[1] = n_walks
    return True
