"""All shortest walks between two nodes of a graph of routes."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL, F8, F8_1, F8_2, I8, I8_1, I8_2, I8_OUT1, I8_OUT2, kernel

# A walk is taut where it does not turn by less than half a turn, as seen from the free side, less rounding.
_TAUT = math.pi - 1e-8


@kernel(
    BOOL(
        I8_2, F8_2, I8_1, I8_1, F8_1, F8_1, F8_1, F8_2, F8, I8, I8, I8_OUT2, I8_OUT1, I8_OUT2, I8_OUT1
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
    between: Any,
    taut: float,
    most: int,
    patience: int,
    stack: Any,
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
    limits : (n, 3)
        Length of the longest walk wanted; angles, at the first and the last node, of the legs that lead
        there from outside.
    first_edge, heads, weights : (nodes + 1,), (edges,), (edges,)
        The graph, each edge in both directions, sorted by the node it begins at.
    leaves, arrives : (edges,)
        Angle of the edge at its first node, and at its last one, looking back along it; counted in the free
        sector of the node.
    between : (nodes, nodes)
        Shortest ways; rows of last nodes are read.
    taut : float
        1: walks that could not be pulled shorter anywhere only; 0: all.
    most : int
        So many walks a question at most.
    patience : int
        After so many steps the walks of one pair of ends are given up.
    stack : (depth, 2), scratch
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
    n_edges = 0
    n_walks = 0
    before = 0
    for k in range(ends.shape[0]):
        if k == 0 or ends[k, 0] != ends[k - 1, 0]:
            before = n_walks
        first = ends[k, 1]
        last = ends[k, 2]
        if first < 0:
            if n_walks - before < most:
                if n_walks >= walks.shape[0]:
                    return False
                walks[n_walks, 0] = k
                walks[n_walks, 1] = n_edges
                n_walks += 1
            continue
        depth = 0
        node = first
        length = 0.0
        pos = limits[k, 1]
        steps = 0
        # stack: the edge last taken from each node on the way, and the next to try
        stack[0, 0] = -1
        stack[0, 1] = first_edge[first] if first != last else first_edge[first + 1]
        if first == last and taut * abs(pos - limits[k, 2]) >= taut * _TAUT and n_walks - before < most:
            if n_walks >= walks.shape[0]:
                return False
            walks[n_walks, 0] = k
            walks[n_walks, 1] = n_edges
            n_walks += 1
        while depth >= 0 and n_walks - before < most and steps < patience:
            steps += 1
            e = stack[depth, 1]
            if e == first_edge[node + 1]:
                taken = stack[depth, 0]
                depth -= 1
                if depth >= 0:
                    length -= weights[taken]
                    back = stack[depth, 0]
                    node = heads[back] if back >= 0 else first
                    pos = arrives[back] if back >= 0 else limits[k, 1]
                continue
            stack[depth, 1] = e + 1
            head = heads[e]
            if taut * abs(pos - leaves[e]) < taut * _TAUT or depth + 1 >= stack.shape[0]:
                continue
            if not length + weights[e] + between[last, head] <= limits[k, 0]:
                continue
            depth += 1
            stack[depth, 0] = e
            length += weights[e]
            node = head
            pos = arrives[e]
            stack[depth, 1] = first_edge[node]
            if node == last:
                stack[depth, 1] = first_edge[node + 1]
                if taut * abs(pos - limits[k, 2]) >= taut * _TAUT:
                    if n_walks >= walks.shape[0] or n_edges + depth > edges.shape[0]:
                        return False
                    for d in range(depth):
                        edges[n_edges + d] = stack[d + 1, 0]
                    n_edges += depth
                    walks[n_walks, 0] = k
                    walks[n_walks, 1] = n_edges
                    n_walks += 1
    counts[0] = n_edges
    counts[1] = n_walks
    return True
