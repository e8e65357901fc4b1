"""Coherency Links: which models of a group a chain of free lines joins to the leader.

First a kernel joins whom simple lines link that keep well clear of everything, which are nearly all. Then
the sight machinery is asked about the pairs that are left, exactly.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ninthgeom._arrays import BoolArray, IntArray
from ninthgeom.bases import Bases
from ninthgeom.skirmish._exempt import passed_enemies
from ninthgeom.skirmish._link_lines import Scenes, free_pairs
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._obstacles import Obstacles
from ninthgeom.skirmish._states import States
from ninthgeom.skirmish.ground import Ground


def linked_models(
    states: States, ground: Ground | None, bases: Bases, present: BoolArray, leaders: IntArray
) -> BoolArray:
    """Return which models are linked to the leader of their group, in some states.

    Parameters
    ----------
    states : States
        The question.
    ground : Ground, optional
        What is agreed about terrain.
    bases : Bases, shape (S, U)
    present : ndarray of bool, shape (S, U)
    leaders : ndarray of int64, shape (S, G)
        -1 where a group is not asked about.

    Returns
    -------
    ndarray of bool, shape (S, U)
    """
    members = Members.of(states.board)
    linked = np.zeros(present.shape, np.bool_)
    state, group = np.nonzero(leaders >= 0)
    # links of flying units pass everything
    flies = members.flying[leaders[state, group]]
    which, unit = members.of_groups(group[flies])
    linked[state[flies][which], unit] = True
    if not flies.all():
        obstacles = Obstacles.of(states.board, ground, bases._columns, states.tol)
        scenes = _scenes(states, obstacles, bases, present, members, state[~flies], group[~flies], leaders)
        is_alone = np.full(len(scenes.state), len(obstacles.standing.closed) == 0)
        is_alone &= ~scenes.bases.any(axis=1) & ~scenes.outlines.any(axis=1)
        which, unit = members.of_groups(scenes.group[is_alone])
        linked[scenes.state[is_alone][which], unit] = True
        if not is_alone.all():
            scenes = scenes.chosen(~is_alone)
            joined = _joined(states, obstacles, present, members, scenes)
            which, place = np.nonzero(joined)
            linked[scenes.state[which], members.table[scenes.group[which], place]] = True
    linked &= present
    return linked


def _scenes(
    states: States,
    obstacles: Obstacles,
    everyone: Bases,
    present: BoolArray,
    members: Members,
    state: IntArray,
    group: IntArray,
    leaders: IntArray,
) -> Scenes:
    """Put together what is near each group and counts."""
    from ninthgeom_kernel import links as kernel

    columns, polygons = obstacles.columns, obstacles.standing.polygons
    leader = leaders[state, group]
    boxes = np.empty((4, len(present), len(members.table)))
    kernel.group_boxes(columns, members.order, members.starts, present, boxes)
    width = np.array([states.rules.gap_width(unit) for unit in states.board.units])[leader]
    bases = np.empty((len(state), present.shape[1]), np.bool_)
    outlines = np.empty((len(state), len(polygons)), np.bool_)
    reach = np.maximum(width, states.tol)
    kernel.near_scenes(
        columns,
        boxes,
        state,
        group,
        reach,
        members.group,
        present,
        polygons.bounds,
        bases,
        outlines,
    )
    scene_of = np.full(leaders.shape, -1)
    scene_of[state, group] = np.arange(len(state))
    passed_enemies(states, everyone, present, boxes, members, scene_of, bases)
    region = np.ascontiguousarray(boxes[:, state, group])
    return Scenes(state, group, leader, width, bases, outlines, region)


def _joined(
    states: States, obstacles: Obstacles, present: BoolArray, members: Members, scenes: Scenes
) -> BoolArray:
    """Return which members a chain joins to their leader, (Q, K)."""
    from ninthgeom_kernel import links as kernel

    gates = obstacles.gates(scenes.state, scenes.bases, scenes.width, scenes.region)
    outlines = obstacles.standing.outlines
    pieces = outlines.pieces
    boxes = pieces.boxes()[:, 0]
    middles = np.stack([boxes[0], boxes[1], np.hypot(boxes[2], boxes[5])], axis=1)
    table = members.table[scenes.group]
    chain = np.empty(table.shape, np.int64)
    kernel.free_links(
        obstacles.columns,
        scenes.state,
        scenes.leader,
        table,
        present,
        scenes.bases,
        scenes.outlines,
        pieces.vertices[0],
        pieces.count[0],
        outlines.piece_owner,
        middles,
        np.ascontiguousarray(gates.columns)[:, None],
        gates.indptr,
        states.tol,
        kernel.TRIALS if states.rules.sc_link == "any-point" else 1,
        np.empty(present.shape[1] + pieces.n, np.int64),
        np.empty((7, 1, 1)),
        np.empty((2, 2)),
        chain,
    )
    at_leader = np.argmax(table == scenes.leader[:, None], axis=1)[:, None]
    joined: BoolArray = chain == np.take_along_axis(chain, at_leader, axis=1)
    left = np.flatnonzero((~joined & (chain >= 0)).any(axis=1))
    if len(left):
        # Who is free for certain stays together; lines of the others join whole chains.
        scene, one, other = free_pairs(states, obstacles, gates, scenes, left, table, chain, joined)
        joined[left] = _with_lines(chain[left], at_leader[left], scene, one, other)
    return joined


def _with_lines(
    chain: IntArray, at_leader: IntArray, scene: IntArray, one: IntArray, other: IntArray
) -> BoolArray:
    """Return whom chains and further lines between members join to the leader: one graph of all scenes."""
    n, size = chain.shape
    node = np.arange(n * size).reshape(n, size)
    known, place = np.nonzero(chain >= 0)
    rows = np.concatenate([node[known, place], node[scene, one]])
    ends = np.concatenate([node[known, chain[known, place]], node[scene, other]])
    graph = coo_array((np.ones(len(rows), np.int8), (rows, ends)), shape=(n * size, n * size))
    label = connected_components(graph, directed=False)[1].reshape(n, size)
    joined: BoolArray = label == np.take_along_axis(label, at_leader, axis=1)
    joined &= chain >= 0
    return joined
