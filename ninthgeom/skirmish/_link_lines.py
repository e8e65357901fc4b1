"""Which pairs of models a free line links, asked exactly of the sight machinery.

Its blockers are the bases and outlines that count, and the gates between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS
from ninthgeom._sight_questions import answers
from ninthgeom.skirmish._all_round import ARC, either, looking_round
from ninthgeom.skirmish._gates import Gates
from ninthgeom.skirmish._link_chains import Chains
from ninthgeom.skirmish._obstacles import Obstacles
from ninthgeom.skirmish._states import States

# Gates reach so far into rounded pieces at their feet, in tolerances: lines that graze one from a base that
# they graze too pass up to two tolerances from it. Those need no bridges.
_FOOT: Final = 8.0
# Into other pieces they hardly reach, for they may lie along a side there, and who stands along it would
# get round an end that is deeper; what touches has a bridge.
_TOUCH: Final = 1.0
# So many scenes are asked at once: those with few blockers do not need the room of those with many.
_SCENES: Final = 512


@dataclass(frozen=True, eq=False)
class Scenes:
    """Groups with a leader who walks, one scene for each of them in each state.

    Attributes
    ----------
    state, group, leader : ndarray of int64, shape (Q,)
    width : ndarray of float64, shape (Q,)
        The gap that the leader needs.
    bases : ndarray of bool, shape (Q, U)
        Which bases are near and count.
    outlines : ndarray of bool, shape (Q, P)
        Which outlines are near.
    region : ndarray of float64, shape (4, Q)
        Boxes round the groups.
    """

    state: IntArray
    group: IntArray
    leader: IntArray
    width: FloatArray
    bases: BoolArray
    outlines: BoolArray
    region: FloatArray

    def chosen(self, which: NDArray[Any]) -> Scenes:
        """Return some of the scenes."""
        return Scenes(
            self.state[which],
            self.group[which],
            self.leader[which],
            self.width[which],
            self.bases[which],
            self.outlines[which],
            np.ascontiguousarray(self.region[:, which]),
        )


def free_pairs(
    states: States,
    obstacles: Obstacles,
    gates: Gates,
    scenes: Scenes,
    left: IntArray,
    table: IntArray,
    chains: Chains,
) -> tuple[IntArray, IntArray, IntArray]:
    """Return pairs of members of different chains that a line links.

    Parameters
    ----------
    states, obstacles, gates, scenes
        The question.
    left : ndarray of int, shape (R,)
        Scenes to look at.
    table : ndarray of int64, shape (Q, K)
        The members of each scene.
    chains : Chains
        Who is linked already.

    Returns
    -------
    scene, one, other : ndarray of int, shape (n,)
        Number of the scene, and columns of the table.
    """
    n_blockers = scenes.bases[left].sum(axis=1) + np.diff(gates.indptr)[left]
    order = np.argsort(n_blockers, kind="stable")
    found = []
    for start in range(0, len(left), _SCENES):
        which = left[order[start : start + _SCENES]]
        asked = chains.asked(which)
        scene, one, other = np.nonzero(
            _lines(states, obstacles, gates, scenes.chosen(which), which, table[which], asked)
        )
        found.append((which[scene], one, other))
    scene, one, other = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return scene, one, other


def _lines(
    states: States,
    obstacles: Obstacles,
    gates: Gates,
    scenes: Scenes,
    which: IntArray,
    table: IntArray,
    asked: BoolArray,
) -> BoolArray:
    """Return which of the pairs asked a line links, (R, K, K)."""
    blockers, counts, plain = _blockers(obstacles, gates, scenes, which, states.tol)
    n = blockers.shape[2]
    polygons = obstacles.standing.outlines
    models = obstacles.columns[:, scenes.state[:, None], table]
    if states.rules.sc_link == "centre":
        models[[ALONG, ACROSS, RADIUS]] = 0.0
    sources, asked = looking_round(models, asked, states.tol)
    seen = answers(
        sources,
        models,
        blockers,
        polygons,
        np.concatenate([np.arange(n, n + polygons.size), np.arange(n)]),
        np.concatenate([counts, scenes.outlines], axis=1)[:, None, None],
        asked=asked,
        touching="clear",
        half_angle=ARC,
        tol=states.tol,
        workers=1,
        plain=plain,
    )
    return either(seen, table.shape[1])


def _blockers(
    obstacles: Obstacles, gates: Gates, scenes: Scenes, which: IntArray, tol: float
) -> tuple[FloatArray, BoolArray, int]:
    """Return bases and gates of some scenes as columns, (7, R, B), which are real, how many need no bridges.

    These come last: lines between rounded bases. At corners what is deep inside begins further off.
    """
    row, unit = np.nonzero(scenes.bases)
    starts = gates.indptr[which]
    sizes = gates.indptr[which + 1] - starts
    gate_row = np.repeat(np.arange(len(which)), sizes)
    gate = np.arange(len(gate_row)) + np.repeat(starts - np.cumsum(sizes) + sizes, sizes)
    n_units = obstacles.columns.shape[2]
    is_rounded = np.append(obstacles.columns[RADIUS, 0] > _FOOT * tol, False)
    plain = gates.is_line(tol)[gate]
    for piece in (gates.first, gates.second):
        plain &= is_rounded[np.minimum(piece[gate], n_units)]
    bases = obstacles.columns[:, scenes.state[row], unit]
    longer = gates.columns[:, gate]
    longer[ALONG] += np.where(gates.is_line(tol)[gate], np.where(plain, _FOOT, _TOUCH) * tol, 0.0)
    parts = (row, bases), (gate_row[~plain], longer[:, ~plain]), (gate_row[plain], longer[:, plain])
    columns, counts = [], []
    for rows, some in parts:
        n = np.bincount(rows, minlength=len(which))
        place = np.arange(len(rows)) - np.repeat(np.cumsum(n) - n, n)
        wide = np.zeros((ROWS, len(which), int(n.max(initial=0))))
        wide[COS] = 1.0  # what is left empty are points, which block nothing
        wide[:, rows, place] = some
        columns.append(wide)
        counts.append(np.arange(wide.shape[2]) < n[:, None])
    return np.concatenate(columns, axis=2), np.concatenate(counts, axis=1), columns[-1].shape[2]
