"""Coherency Links: which models of a group a chain of free lines joins to the leader.

First those are joined whom lines between centres link from which everything keeps off, which are nearly all.
Then the gates are found near groups that are left, and simple lines tried that keep clear of all that counts.
Last the sight machinery is asked about the pairs that are still open, exactly.
"""

from __future__ import annotations

import numpy as np

from ninthgeom._arrays import BoolArray, IntArray
from ninthgeom.bases import Bases
from ninthgeom.skirmish._clear_lines import Shapes
from ninthgeom.skirmish._link_chains import Chains
from ninthgeom.skirmish._link_lines import Scenes, free_pairs
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._obstacles import Obstacles
from ninthgeom.skirmish._passed_enemies import passed_enemies
from ninthgeom.skirmish._plain_links import plain_links
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
    obstacles = Obstacles.of(states.board, ground, bases._columns, states.tol)
    linked, is_left = plain_links(states, obstacles, members, present, leaders)
    if is_left.any():
        # states in which nothing is left are not looked at again
        rows = np.flatnonzero(is_left.any(axis=1))
        obstacles = Obstacles(obstacles.standing, np.ascontiguousarray(obstacles.columns[:, rows]))
        state, group = map(np.ascontiguousarray, np.nonzero(is_left[rows]))
        scenes = _scenes(states, obstacles, bases[rows], present[rows], members, state, group, leaders[rows])
        joined = _joined(states, obstacles, present[rows], members, scenes, linked[rows])
        which, place = np.nonzero(joined)
        linked[rows[scenes.state[which]], members.table[scenes.group[which], place]] = True
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
    states: States,
    obstacles: Obstacles,
    present: BoolArray,
    members: Members,
    scenes: Scenes,
    linked: BoolArray,
) -> BoolArray:
    """Return which members a chain joins to their leader, (Q, K)."""
    gates = obstacles.gates(scenes.state, scenes.bases, scenes.width, scenes.region)
    shapes = Shapes.of(obstacles, gates, scenes, states.tol)
    table = members.table[scenes.group]
    here = (table >= 0) & np.take_along_axis(present[scenes.state], np.maximum(table, 0), axis=1)
    at_leader = np.argmax(table == scenes.leader[:, None], axis=1)
    chains = Chains.of(here, at_leader)
    # who is linked already begins in the chain of the leader
    row, other = np.nonzero(here & np.take_along_axis(linked[scenes.state], np.maximum(table, 0), axis=1))
    chains.join(row, at_leader[row], other)
    row, one, other = chains.open_pairs()
    if len(row):
        state = scenes.state[row]
        clear = shapes.clear(row, shapes.centres(state, table[row, one], table[row, other]))
        chains.join(row[clear], one[clear], other[clear])
    if states.rules.sc_link == "any-point":
        row, one, other = chains.open_pairs()
        clear = shapes.along_sides(row, scenes.state[row], table[row, one], table[row, other])
        chains.join(row[clear], one[clear], other[clear])
    left = np.flatnonzero(chains.lost.any(axis=1))
    if len(left):
        chains.join(*free_pairs(states, obstacles, gates, scenes, left, table, chains))
    return chains.here & ~chains.lost
