"""Chains of models that lines link, in many scenes at once."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

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
        The place of the first member of the same chain; changed as chains are joined.
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
        """Join the chains of pairs that lines link; the first member of each chain stands for it."""
        from ninthgeom_kernel import links as kernel

        scene, first, second = map(np.ascontiguousarray, (row, one, other))
        kernel.join_chains(scene, first, second, self.label)
