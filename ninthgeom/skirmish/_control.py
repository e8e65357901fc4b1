"""Which groups have a model near a marker, and one that sees it."""

from __future__ import annotations

import numpy as np

from ninthgeom import measure
from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._sight_questions import answers
from ninthgeom._sight_shapes import Outlines
from ninthgeom.bases import ROWS, Bases
from ninthgeom.skirmish._link_lines import ARC, either, looking_round
from ninthgeom.skirmish._members import Members
from ninthgeom.skirmish._states import States


def groups_near(
    states: States, chunk: slice, markers: Bases, distance: FloatArray, sight: bool
) -> BoolArray:
    """Return which groups have a model near each marker, in some states, (S, G, k)."""
    members = Members.of(states.board)
    bases = states.bases_in(chunk)
    near = np.asarray(measure.within(bases[:, :, None], markers, distance, tol=states.tol))
    near &= states.present_in(chunk)[:, :, None]
    if sight:
        state = np.flatnonzero(near.any(axis=(1, 2)))
        near[state] &= _seen(states, bases[state], markers, near[state])
    answer: BoolArray = np.logical_or.reduceat(near[:, members.order], members.starts[:-1], axis=1)
    return answer


def _seen(states: States, bases: Bases, markers: Bases, near: BoolArray) -> BoolArray:
    """Return which models see which markers, (S, U, k), of those that are near."""
    outlines = states.board.opaque_outlines
    n = len(outlines)
    if not n or not near.size:
        return near
    # from the markers, which are the same in all states
    asked = np.ascontiguousarray(np.swapaxes(near, 1, 2))
    sources, wanted = looking_round(markers._columns[:, None], asked, states.tol)
    # who stands on terrain is as high as it
    is_on = np.asarray(measure.interiors_meet(bases[:, :, None], outlines, tol=states.tol))
    under = np.asarray(measure.interiors_meet(markers[:, None], outlines, tol=states.tol))
    blocks = ~(is_on[:, None] | under[:, None])
    forms = sources.shape[2] // len(markers)
    seen = answers(
        sources,
        bases._columns,
        np.empty((ROWS, 1, 0)),
        Outlines.of([outlines], "clear", states.tol),
        np.arange(n),
        np.concatenate([blocks] * forms, axis=1),
        asked=wanted,
        touching="clear",
        half_angle=ARC,
        tol=states.tol,
        workers=1,
    )
    return np.swapaxes(either(seen, len(markers)), 1, 2)
