"""The graph of routes: corners and tangent points, joined by free straight legs and by arcs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.skirmish._route_nodes import ANGLE, Arcs, Corners
from ninthgeom.skirmish._route_scene import Scene

# Ways of no length: a sparse matrix drops 0.
_NO_LENGTH: Final = 1e-300
# An angle on an arc is less than this.
_TURN: Final = 8.0


class Tangents(NamedTuple):
    """Straight lines from points to arcs.

    Attributes
    ----------
    arc : ndarray of intp, shape (...)
    turn : ndarray of float64, shape (...)
        Where on the arc each ends.
    side : ndarray of float64, shape (...)
        On which side of the tangent point the line is: 1 counter-clockwise, -1 clockwise.
    point : ndarray of float64, shape (..., 2)
        The tangent point.
    exists : ndarray of bool, shape (...)
    """

    arc: IntArray
    turn: FloatArray
    side: FloatArray
    point: FloatArray
    exists: BoolArray

    def chosen(self, which: BoolArray) -> Tangents:
        """Return some of them."""
        columns = self.arc[which], self.turn[which], self.side[which], self.point[which]
        return Tangents(*columns, self.exists[which])


def tangents(points: FloatArray, arcs: Arcs) -> Tangents:
    """Return the lines from points, (n, 2), to both sides of arcs, shape (n, 2 K)."""
    which = np.tile(np.arange(len(arcs)), 2)
    side = np.repeat([1.0, -1.0], len(arcs))
    to = points[:, None] - arcs.centre[which]
    away = np.hypot(to[..., 0], to[..., 1])
    radius = arcs.radius[which]
    half = np.arccos(np.minimum(radius / np.maximum(away, arcs.tol), 1.0))
    turn, is_on = arcs.places(which, np.arctan2(to[..., 1], to[..., 0]) - side * half)
    exists = is_on & (away >= radius - arcs.tol)
    shape = exists.shape
    which, side = np.broadcast_to(which, shape), np.broadcast_to(side, shape)
    return Tangents(which, turn, side, arcs.points(which, turn), exists)


@dataclass(frozen=True, eq=False)
class Graph:
    """Nodes and edges in one scene, and the shortest ways between nodes.

    Attributes
    ----------
    scene : Scene
    corners : Corners
        The first nodes.
    arcs : Arcs
    node_arc : ndarray of intp, shape (T,)
        The other nodes: tangent points, sorted along their arcs.
    node_turn : ndarray of float64, shape (T,)
        Angle on its arc of each.
    first_edge : ndarray of int64, shape (N + 1,)
        Node n has the edges from ``first_edge[n]`` to ``first_edge[n + 1]``.
    heads, weights, leaves, arrives, turns : ndarray, shape (E,)
        Edges in both directions: node they lead to, length, angle at the first node and at the last one
        looking back, signed angle of an arc, 0 of a straight edge.
    """

    scene: Scene
    corners: Corners
    arcs: Arcs
    node_arc: IntArray
    node_turn: FloatArray
    first_edge: IntArray
    heads: IntArray
    weights: FloatArray
    leaves: FloatArray
    arrives: FloatArray
    turns: FloatArray

    @classmethod
    def of(cls, scene: Scene) -> Graph:
        """Build the graph of a scene."""
        corners, arcs = Corners.of(scene), Arcs.of(scene)
        legs = _Legs(scene, corners, arcs)
        return legs.graph()

    @property
    def n_nodes(self) -> int:
        """Number of nodes."""
        return len(self.first_edge) - 1

    @property
    def n_edges(self) -> int:
        """Number of edges, those of arcs included."""
        return len(self.heads) // 2

    @cached_property
    def points(self) -> FloatArray:
        """Where the nodes are, shape (N, 2)."""
        return np.concatenate([self.corners.points, self.arcs.points(self.node_arc, self.node_turn)])

    @cached_property
    def edge_arc(self) -> IntArray:
        """Arc that each edge runs along, -1 for straight ones."""
        arc = np.concatenate([np.full(len(self.corners), -1), self.node_arc])
        tails = np.repeat(np.arange(self.n_nodes), np.diff(self.first_edge))
        return np.where(arc[tails] == arc[self.heads], arc[tails], -1)

    @cached_property
    def bends(self) -> FloatArray:
        """How far each edge turns, -1 for straight ones."""
        return np.where(self.edge_arc >= 0, np.abs(self.turns), -1.0)

    @cached_property
    def order_on_arcs(self) -> FloatArray:
        """Numbers by which tangent points are sorted: of the arc, then the angle on it."""
        return self.node_arc * _TURN + self.node_turn

    @cached_property
    def first_on_arc(self) -> IntArray:
        """Arc k has the tangent points from ``first_on_arc[k]`` to ``first_on_arc[k + 1]``."""
        return np.searchsorted(self.node_arc, np.arange(len(self.arcs) + 1))

    def next_on_arc(self, arc: IntArray, turn: FloatArray, side: FloatArray) -> tuple[IntArray, FloatArray]:
        """Return the first node on the way along an arc, away from a side, and the angle to there.

        The node is -1 if there is none.
        """
        forward = side < 0.0
        key = arc * _TURN + turn
        place = np.where(
            forward,
            np.searchsorted(self.order_on_arcs, key - ANGLE),
            np.searchsorted(self.order_on_arcs, key + ANGLE, side="right") - 1,
        )
        first, end = self.first_on_arc[arc], self.first_on_arc[arc + 1]
        around = self.arcs.is_whole[arc] & (end > first)
        is_past = np.where(forward, place >= end, place < first)
        place = np.where(is_past & around, np.where(forward, first, end - 1), place)
        exists = ~is_past | around
        place = np.where(exists, place, 0)
        if not len(self.node_turn):
            return np.full(arc.shape, -1), np.zeros(arc.shape)
        way = np.where(forward, 1.0, -1.0) * (self.node_turn[place] - turn)
        way = np.where(is_past & around, way + math.tau, np.maximum(way, 0.0))
        return np.where(exists, place + len(self.corners), -1), way

    def between(self, nodes: IntArray) -> FloatArray:
        """Return the lengths of the shortest ways from some nodes to all, (n, N)."""
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra

        n = self.n_nodes
        if not len(nodes) or not len(self.heads):
            apart = np.full((len(nodes), n), np.inf)
            apart[np.arange(len(nodes)), nodes] = 0.0
            return apart
        weights = np.maximum(self.weights, _NO_LENGTH)
        matrix = csr_array((weights, self.heads.astype(np.int32), self.first_edge.astype(np.int32)), (n, n))
        return np.asarray(dijkstra(matrix, indices=nodes))


@dataclass(frozen=True, eq=False)
class _Legs:
    """Straight legs between corners and arcs, before it is known which tangent points are nodes."""

    scene: Scene
    corners: Corners
    arcs: Arcs

    def graph(self) -> Graph:
        """Look for all free legs and put the graph together."""
        corners, arcs = self.corners, self.arcs
        one, other, angles = self._between_corners()
        corner, line = self._corners_to_arcs()
        a_arc, a_turn, a_side, b_arc, b_turn, b_side = self._between_arcs()
        n = len(corners)
        # tangent points: of lines from corners, of first arcs, of second ones; sorted along their arcs
        arc = np.concatenate([line.arc, a_arc, b_arc])
        turn = np.concatenate([line.turn, a_turn, b_turn])
        order = np.lexsort((turn, arc))
        node = np.empty(len(order), np.intp)
        node[order] = n + np.arange(len(order))
        of_line, of_a, of_b = np.split(node, [len(line.arc), len(line.arc) + len(a_arc)])
        arc, turn = arc[order], turn[order]
        points = np.concatenate([corners.points, arcs.points(arc, turn)])
        tails = np.concatenate([one, corner, of_a])
        heads = np.concatenate([other, of_line, of_b])
        to_line = corners.angles(corner, line.point - corners.points[corner])
        leaves = np.concatenate([angles[0], to_line, of_side(a_side)])
        arrives = np.concatenate([angles[1], of_side(line.side), of_side(b_side)])
        weights = np.hypot(*(points[heads] - points[tails]).T)
        first, last, turns = _along_arcs(arcs, arc, turn)
        tails, heads = np.concatenate([tails, n + first]), np.concatenate([heads, n + last])
        leaves = np.concatenate([leaves, np.zeros(len(first))])
        arrives = np.concatenate([arrives, np.full(len(first), math.pi)])
        weights = np.concatenate([weights, arcs.radius[arc[first]] * turns])
        turns = np.concatenate([np.zeros(len(tails) - len(turns)), turns])
        # both directions
        tails, heads = np.concatenate([tails, heads]), np.concatenate([heads, tails])
        leaves, arrives = np.concatenate([leaves, arrives]), np.concatenate([arrives, leaves])
        weights, turns = np.concatenate([weights, weights]), np.concatenate([turns, -turns])
        order = np.argsort(tails, kind="stable")
        return Graph(
            self.scene,
            corners,
            arcs,
            arc,
            turn,
            np.searchsorted(tails[order], np.arange(len(points) + 1)).astype(np.int64),
            heads[order].astype(np.int64),
            weights[order],
            leaves[order],
            arrives[order],
            turns[order],
        )

    def _between_corners(self) -> tuple[IntArray, IntArray, tuple[FloatArray, FloatArray]]:
        corners = self.corners
        one, other = np.triu_indices(len(corners), 1)
        way = corners.points[other] - corners.points[one]
        angles = corners.angles(one, way), corners.angles(other, -way)
        reach, tol = np.hypot(*way.T), self.scene.tol
        keep = corners.can_turn(one, angles[0], reach, tol) & corners.can_turn(other, angles[1], reach, tol)
        one, other, angles = one[keep], other[keep], (angles[0][keep], angles[1][keep])
        free = self._free(corners.aside[one], corners.aside[other])
        return one[free], other[free], (angles[0][free], angles[1][free])

    def _corners_to_arcs(self) -> tuple[IntArray, Tangents]:
        corners, arcs = self.corners, self.arcs
        lines = tangents(corners.points, arcs)
        way = lines.point - corners.points[:, None]
        corner = np.broadcast_to(np.arange(len(corners))[:, None], lines.exists.shape)
        reach = np.hypot(way[..., 0], way[..., 1])
        keep = lines.exists & (reach > arcs.tol)
        keep &= corners.can_turn(corner, corners.angles(corner, way), reach, arcs.tol)
        corner, some = corner[keep], lines.chosen(keep)
        free = self._free(corners.aside[corner], arcs.aside(some.arc, some.turn))
        return corner[free], some.chosen(free)

    def _between_arcs(self) -> tuple[IntArray, FloatArray, FloatArray, IntArray, FloatArray, FloatArray]:
        """Lines that are tangent to two arcs: arc, place and side of both ends."""
        arcs = self.arcs
        i, j = np.triu_indices(len(arcs), 1)
        apart = arcs.part[i] != arcs.part[j]
        i, j = i[apart], j[apart]
        to = arcs.centre[j] - arcs.centre[i]
        away, towards = np.hypot(*to.T), np.arctan2(to[:, 1], to[:, 0])
        found = []
        for is_outer in (True, False):
            shift = arcs.radius[i] - arcs.radius[j] if is_outer else arcs.radius[i] + arcs.radius[j]
            exists = (away > np.abs(shift)) & (away > arcs.tol)
            half = np.arccos(np.clip(shift[exists] / away[exists], -1.0, 1.0))
            for sign in (1.0, -1.0):
                normal = towards[exists] + sign * half
                opposite = normal if is_outer else normal + math.pi
                a, b = i[exists], j[exists]
                a_turn, a_on = arcs.places(a, normal)
                b_turn, b_on = arcs.places(b, opposite)
                keep = a_on & b_on
                sides = np.full(np.count_nonzero(keep), -sign)
                found.append(
                    (a[keep], a_turn[keep], sides, b[keep], b_turn[keep], -sides if is_outer else sides)
                )
        a, a_turn, a_side, b, b_turn, b_side = (np.concatenate(field) for field in zip(*found, strict=True))
        free = self._free(arcs.aside(a, a_turn), arcs.aside(b, b_turn))
        return a[free], a_turn[free], a_side[free], b[free], b_turn[free], b_side[free]

    def _free(self, start: FloatArray, end: FloatArray) -> BoolArray:
        tied = np.zeros((len(start), 2), np.bool_)
        return self.scene.are_free(np.concatenate([start, end], axis=1), tied)


def of_side(side: FloatArray) -> FloatArray:
    """Return the angles in the half-planes at tangent points, from the counter-clockwise direction."""
    return np.where(side > 0.0, 0.0, math.pi)


def _along_arcs(arcs: Arcs, arc: IntArray, turn: FloatArray) -> tuple[IntArray, IntArray, FloatArray]:
    """Return which sorted tangent points follow one another on arcs, and the angles between them."""
    first = np.flatnonzero(arc[1:] == arc[:-1])
    begins = np.searchsorted(arc, np.arange(len(arcs)))
    ends = np.searchsorted(arc, np.arange(len(arcs)), side="right") - 1
    round_ = np.flatnonzero(arcs.is_whole & (ends > begins))
    one = np.concatenate([first, ends[round_]])
    other = np.concatenate([first + 1, begins[round_]])
    angle = turn[other] - turn[one]
    angle[len(first) :] += math.tau
    return one, other, angle
