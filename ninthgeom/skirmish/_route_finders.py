"""What finds routes in each of some states, and asks for many of them."""

from __future__ import annotations

from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._states import Units, unit_indices
from ninthgeom.skirmish._obstacles import Obstacles
from ninthgeom.skirmish._route_answers import Finder
from ninthgeom.skirmish._route_courses import Courses
from ninthgeom.skirmish._route_graph import Graph
from ninthgeom.skirmish._route_scene import Scene
from ninthgeom.skirmish._states import States
from ninthgeom.skirmish.ground import Ground

# So many questions are answered together.
_AT_ONCE: Final = 2**16


def answers_of(
    finder: Finder, points: FloatArray, pairs: IntArray, *, wants_courses: bool
) -> tuple[FloatArray, Courses]:
    """Answer many questions some at a time."""
    parts = [
        finder.ask(points, pairs[k : k + _AT_ONCE], wants_courses=wants_courses)
        for k in range(0, len(pairs), _AT_ONCE)
    ]
    lengths = np.concatenate([np.empty(0), *(length for length, _ in parts)])
    return lengths, Courses.concatenate([courses for _, courses in parts])


def finders_of(
    states: States, some: slice, counts: BoolArray, width: FloatArray, ground: Ground
) -> list[Finder]:
    """Return what answers the questions of each of some states."""
    columns = states.bases_in(some)._columns
    obstacles = Obstacles.of(states.board, ground, columns, states.tol)
    n = counts.shape[0]
    gates = obstacles.gates(np.arange(n), counts, width)
    finders = []
    for k in range(n):
        own = slice(gates.indptr[k], gates.indptr[k + 1])
        is_line, closed = gates.is_line(states.tol)[own], gates.columns[:, own]
        bases = columns[:, k, counts[k]]
        size = states.board.size
        scene = Scene.of(size, obstacles.standing, bases, closed[:, is_line], closed[:, ~is_line])
        finders.append(Finder(Graph.of(scene)))
    return finders


def counting_units(states: States, ignore: Units, some: slice) -> BoolArray:
    """Return which units count in some states, (S, U)."""
    counts = states.present_in(some).copy()
    counts[:, unit_indices(states.board, ignore, "ignore") if ignore is not None else []] = False
    return counts
