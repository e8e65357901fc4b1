"""Whether bases lie wholly in the union of others, exactly."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._parallel import run_chunks
from ninthgeom.bases import ACROSS, ALONG, COS, RADIUS, ROWS, X, Y

IntArray = NDArray[np.int64]

# What is left uncovered no deeper than this, in inches, is rounding; and the share of the lengths that is.
_SLACK: Final = 1e-10
_ROUNDING: Final = 1e-14
# About what a base costs.
_COST_NS: Final = 5000.0


def covered(bases: FloatArray, others: FloatArray, owner: IntArray, *, workers: int = 1) -> BoolArray:
    """Return whether others cover all of each base.

    Parameters
    ----------
    bases : ndarray of float64, shape (7, n)
        Columns of bases with an area.
    others : ndarray of float64, shape (7, m)
        Columns of what covers them, closed, of any size.
    owner : ndarray of int, shape (m,)
        Which base each may cover, ascending.
    workers : int
        Threads.

    Returns
    -------
    ndarray of bool, shape (n,)
        False for a base without any others.
    """
    from ninthgeom_kernel.coverage import CUTS, covered

    n = bases.shape[1]
    # Seen from the centre of the base: far from the origin the crossings would lose digits.
    near = np.array(others)
    near[X] -= bases[X, owner]
    near[Y] -= bases[Y, owner]
    reach = np.hypot(near[X], near[Y])
    outer = _outer(bases)[owner] + _outer(near)
    is_near = reach <= outer + _SLACK
    near, owner = near[:, is_near], owner[is_near]
    slack = np.full(n, _SLACK)
    np.maximum.at(slack, owner, _SLACK + _ROUNDING * outer[is_near])
    columns = np.concatenate([bases, near], axis=1)
    columns[X:COS, :n] = 0.0
    order = np.argsort(np.concatenate([np.arange(n), owner]), kind="stable")  # each base before its others
    columns = np.ascontiguousarray(columns[:, order])
    group = np.concatenate([np.arange(n), owner])[order]
    elements, owners = _elements(columns)
    ends = np.arange(n + 1)
    starts = np.searchsorted(group, ends)
    element_starts = np.searchsorted(group[owners], ends)
    most = int(np.diff(element_starts).max(initial=0))
    answer = np.empty(n, np.bool_)

    def task(first: int, last: int) -> None:
        scratch = np.empty(2 + CUTS * most)
        tables = columns, starts, elements, owners, element_starts, slack
        covered(*tables, scratch, answer, first, last)

    run_chunks(task, n, workers=workers, cost_ns=_COST_NS)
    return answer


def _outer(columns: FloatArray) -> FloatArray:
    radii: FloatArray = np.hypot(columns[ALONG], columns[ACROSS]) + columns[RADIUS]
    return radii


def _elements(columns: FloatArray) -> tuple[FloatArray, IntArray]:
    """Return sides and arcs of outlines as the kernel takes them, and the base of each, ascending.

    An oval has two sides and two half circles, a disc one arc, all round.
    """
    x, y, cos, sin, along, across, radius = columns
    is_point = (along == 0.0) & (across == 0.0)
    halves = across, along, across, along
    parts = np.zeros((4, 2, ROWS, columns.shape[1]))
    for k in range(4):
        sign = 1.0 if k < 2 else -1.0
        nx, ny = (cos, sin) if k % 2 == 0 else (-sin, cos)
        nx, ny, half = sign * nx, sign * ny, halves[k]
        apart = halves[k - 1]
        angle = np.arctan2(ny, nx)
        middle = x + nx * apart, y + ny * apart
        side = middle[0] + nx * radius + ny * half, middle[1] + ny * radius - nx * half
        corner = middle[0] - ny * half, middle[1] + nx * half
        next_is_none = halves[k - 3] == 0.0
        turn = np.where(next_is_none, math.pi, 0.5 * math.pi) * (half > 0.0)
        if k == 0:
            turn[is_point] = 2.0 * math.pi
        turn[radius == 0.0] = 0.0
        parts[k, 0] = *side, nx, ny, angle, np.zeros_like(x), 2.0 * half
        parts[k, 1] = *corner, nx, ny, angle, radius, turn
    elements = parts.transpose(2, 3, 0, 1).reshape(ROWS, -1)
    owners = np.repeat(np.arange(columns.shape[1]), 8)
    is_some = elements[-1] > 0.0
    return np.ascontiguousarray(elements[:, is_some]), owners[is_some]
