"""Chains of models that lines link, in many scenes at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from ninthgeom._arrays import BoolArray, IntArray


@dataclass(frozen=True, eq=False)
class Chains:
    """Who is linked to whom so far.

    Attributes
    ----------
    here : ndarray of bool, shape (Q, K)
        Which members of each scene there are.
    at_leader : ndarray of int64, shape (Q,)
        Place of the leader among them.
    label : ndarray of int64, shape (Q, K)
        The place of a member of the same chain, one for each chain; changed as chains are joined.
    """

    here: BoolArray
    at_leader: IntArray
    label: IntArray

    @classmethod
    def of(cls, here: BoolArray, at_leader: IntArray) -> Chains:
        """Begin with every member alone."""
        return cls(here, at_leader, np.tile(np.arange(here.shape[1]), (len(here), 1)))

    @property
    def lost(self) -> BoolArray:
        """Which members no chain joins to the leader yet."""
        own = self.label[np.arange(len(self.label)), self.at_leader]
        lost: BoolArray = self.here & (self.label != own[:, None])
        return lost

    def asked(self, rows: IntArray) -> BoolArray:
        """Return the pairs to ask in some scenes, (R, K, K): from each who is lost to all others, once."""
        here, lost, label = self.here[rows], self.lost[rows], self.label[rows]
        place = np.arange(here.shape[1])
        asked: BoolArray = lost[:, :, None] & here[:, None]
        asked &= label[:, :, None] != label[:, None]
        asked &= ~lost[:, None] | (place[:, None] < place)
        return asked

    def open_pairs(self) -> tuple[IntArray, IntArray, IntArray]:
        """Return the pairs to ask: scene, and places of both."""
        rows = np.flatnonzero(self.lost.any(axis=1))
        row, one, other = np.nonzero(self.asked(rows))
        return rows[row], one, other

    def join(self, row: IntArray, one: IntArray, other: IntArray) -> None:
        """Join the chains of pairs that lines link, those of all scenes as one graph."""
        if not len(row):
            return
        rows, at = np.unique(row, return_inverse=True)
        size = self.label.shape[1]
        node = np.arange(len(rows) * size).reshape(len(rows), size)
        first = np.concatenate([node.ravel(), node[at, one]])
        second = np.concatenate([(node[:, :1] + self.label[rows]).ravel(), node[at, other]])
        graph = coo_array((np.ones(len(first), np.int8), (first, second)), shape=(node.size, node.size))
        found = connected_components(graph, directed=False)[1]
        # the first member of each chain stands for it
        _, begin = np.unique(found, return_index=True)
        self.label[rows] = begin[found].reshape(node.shape) - node[:, :1]
