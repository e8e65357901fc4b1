"""Which models and groups are wholly within a distance of others, where several may reach a base together."""

from __future__ import annotations

from typing import Final

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.bases import RADIUS, Bases
from ninthgeom.skirmish._coverage import covered
from ninthgeom.skirmish._parties import SCRATCH, Parties
from ninthgeom.skirmish._states import States

# The columns of a model that may reach a base together with others, and the elements of its outline.
_BYTES_PER_CASE: Final = 1000


def wholly(states: States, chunk: slice, one: Parties, other: Parties, limits: FloatArray) -> BoolArray:
    """Return who is wholly within, in some states.

    Parameters
    ----------
    states : States
    chunk : slice
        Which states.
    one, other : Parties
        Observers and targets, n and m of them.
    limits : ndarray of float64, shape () or broadcasting to (S, n, m)
        Distances.

    Returns
    -------
    ndarray of bool, shape (S, n, m)
    """
    everyone = states.bases_in(chunk)
    observers, targets = one.bases(everyone), other.bases(everyone)
    if states.rules.sc_wholly_ref == "centre":
        targets = Bases.point(targets.x, targets.y)
    here, there = one.present(states, chunk), other.present(states, chunk)
    spread = one.spread(other.spread(limits, -1), -2) if limits.ndim else limits
    near = measure.wholly_within(
        observers[:, :, None], targets[:, None], spread, tol=states.tol, workers=states.workers
    )
    near = _by_some(near, one, other, here, there)
    answer = np.array(one.reduced(near, np.logical_and, 1))
    if one.is_grouped:
        centres = Bases.point(observers.x, observers.y)
        reached = measure.within(
            centres[:, :, None], targets[:, None], spread, tol=states.tol, workers=states.workers
        )
        # what is out of reach of all needs no closer look, nor where one is alone
        reached = _by_some(reached, one, other, here, there)
        may_be = one.reduced(reached, np.logical_and, 1) & ~answer & (one.keys[:, None] != other.keys)
        counts = other.counts if there is None else other.reduced(there.astype(np.intp), np.add, 1)
        may_be &= counts[..., None, :] > 1
        pairs = np.argwhere(may_be)
        cases = int(one.counts.max(initial=0) * other.counts.max(initial=0))
        step = max(1, SCRATCH // max(1, _BYTES_PER_CASE * cases))
        for start in range(0, len(pairs), step):
            part = pairs[start : start + step]
            _add_together(answer, part, near, (one, other), (observers, targets), there, limits, states)
    for axis, parties, mask in ((2, one, here), (1, other, there)):
        if mask is not None:
            answer &= np.expand_dims(parties.reduced(mask, np.logical_or, 1), axis)
    answer[:, one.keys[:, None] == other.keys] = False
    return answer


def _by_some(
    answers: BoolArray, one: Parties, other: Parties, here: BoolArray | None, there: BoolArray | None
) -> BoolArray:
    """Reduce answers about models to some of the targets; absent observers of groups do not count."""
    if there is not None:
        answers &= there[:, None]
    some: BoolArray = other.reduced(answers, np.logical_or, 2)
    return some if here is None or not one.is_grouped else some | ~here[:, :, None]


def _add_together(
    answer: BoolArray,
    pairs: IntArray,
    near: BoolArray,
    parties: tuple[Parties, Parties],
    bases: tuple[Bases, Bases],
    there: BoolArray | None,
    limits: FloatArray,
    states: States,
) -> None:
    """Note the pairs of groups of which one reaches all bases of the other together.

    Parameters
    ----------
    answer : ndarray of bool, shape (S, n, m)
    pairs : ndarray of int, shape (p, 3)
        State, observers and targets to look at.
    near : ndarray of bool, shape (S, N, m)
        Which models some target reaches alone.
    """
    one, other = parties
    state, i, j = pairs.T
    pair, model = _members(one, i)
    is_open = ~near[state[pair], model, j[pair]]
    pair, model = pair[is_open], model[is_open]
    case, target = _members(other, j[pair])
    if there is not None:
        is_there = there[state[pair[case]], target]
        case, target = case[is_there], target[is_there]
    columns = bases[0]._columns[:, state[pair], model]
    reaching = bases[1]._columns[:, state[pair[case]], target]
    reaching[RADIUS] += np.broadcast_to(limits, answer.shape)[state, i, j][pair[case]] + states.tol
    is_reached = covered(columns, reaching, case, workers=states.workers)
    answer[state, i, j] = np.bincount(pair, ~is_reached, len(pairs)) == 0


def _members(parties: Parties, which: IntArray) -> tuple[IntArray, IntArray]:
    """Return the places in `parties.models` of those of some parties, and the number of each one's party."""
    counts = parties.counts[which]
    owner = np.repeat(np.arange(len(which)), counts)
    ends = np.cumsum(counts)
    return owner, np.arange(len(owner)) - np.repeat(ends - counts - parties.starts[which], counts)
