"""The kernel of coverage: elements of outlines, and few enough cases to run as plain Python too."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ninthgeom import Bases
from ninthgeom.skirmish._coverage import _elements, covered
from tests.strategies import KINDS, random_bases


def points_of(elements: np.ndarray, share: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A point of each element, part of the way along it."""
    x, y, nx, ny, _, radius, length = elements
    at = share * length
    is_arc = radius > 0.0
    ahead, aside = np.where(is_arc, radius * np.cos(at), 0.0), np.where(is_arc, radius * np.sin(at), at)
    return x + ahead * nx - aside * ny, y + ahead * ny + aside * nx


@pytest.mark.parametrize("kind", KINDS)
def test_elements_are_the_outline(kind: str) -> None:
    """All on the outline, each beginning where the one before ends, and as long as it together."""
    rng = np.random.default_rng(1)
    bases = random_bases(rng, 20, kind)
    elements, owner = _elements(bases._columns)
    assert (
        np.bincount(owner, minlength=20).tolist()
        == [{"rectangle": 4, "rounded": 8, "disc": 1, "oval": 4, "segment": 2, "point": 0}[kind]] * 20
    )
    x, y = points_of(elements, rng.uniform(0, 1, len(owner)))
    own = bases[owner]
    dx, dy = x - own.x, y - own.y
    c, s, along, across, radius = own._columns[2:]
    u, v = np.abs(c * dx + s * dy) - along, np.abs(c * dy - s * dx) - across
    outside = np.where(np.maximum(u, v) > 0, np.hypot(np.maximum(u, 0), np.maximum(v, 0)), np.maximum(u, v))
    np.testing.assert_allclose(outside, radius, atol=1e-12)
    lengths = elements[-1] * np.where(elements[5] > 0.0, elements[5], 1.0)
    whole = 4 * (bases._columns[4] + bases._columns[5]) + 2 * math.pi * bases.radius
    np.testing.assert_allclose(np.bincount(owner, lengths, 20), whole)
    np.testing.assert_allclose(elements[4], np.arctan2(elements[3], elements[2]))
    if kind != "point":
        starts, ends = (np.stack(points_of(elements, np.full(len(owner), at))) for at in (0.0, 1.0))
        n = len(owner) // 20
        for i in range(20):
            part = slice(i * n, (i + 1) * n)
            np.testing.assert_allclose(np.roll(starts[:, part], -1, axis=1), ends[:, part], atol=1e-12)


@pytest.mark.parametrize("kind", ["rectangle", "rounded", "disc", "oval"])
def test_against_points_of_a_grid(kind: str) -> None:
    """What is covered has no uncovered point; what is not, and has a hole of some size, has one."""
    rng = np.random.default_rng(2)
    n = 60
    bases = random_bases(rng, n, kind, spread=0.3)
    owner = np.repeat(np.arange(n), 3)
    others = np.array(random_bases(rng, len(owner), "mixed", spread=1.2)._columns)
    others[-1] += rng.uniform(0.5, 2.5, n)[owner]
    found = covered(bases._columns, others, owner)
    t = np.linspace(-1, 1, 81)
    u, v = (axis.ravel() for axis in np.meshgrid(t, t))
    for i in range(n):
        x, y, c, s, along, across, radius = bases._columns[:, i]
        p, q = u * (along + radius), v * (across + radius)
        inside = np.hypot(np.maximum(abs(p) - along, 0), np.maximum(abs(q) - across, 0)) <= radius + 1e-15
        p, q = p[inside], q[inside]
        px, py = x + c * p - s * q, y + s * p + c * q
        most = np.full(px.shape, np.inf)
        for j in range(3 * i, 3 * i + 3):
            ox, oy, oc, os, oa, ob, radius_ = others[:, j]
            dx, dy = px - ox, py - oy
            core = np.hypot(
                np.maximum(abs(oc * dx + os * dy) - oa, 0), np.maximum(abs(oc * dy - os * dx) - ob, 0)
            )
            most = np.minimum(most, core - radius_)
        step = 2 * float(along + across + 2 * radius) / 80
        if most.max() > 1e-9:
            assert not found[i]
        elif most.max() < -step:  # no point can be further than a step from one of the grid
            assert found[i]
    assert 5 < found.sum() < n - 5


def test_hand_cases() -> None:
    disc = Bases.round(0.0, 0.0, diameter=2.0)._columns[:, None]
    cases = [
        ([(-3.0, 3.17)], False),
        ([(-3.0, 3.17), (3.0, 3.17)], True),
        ([(-3.0, 3.16), (3.0, 3.16)], False),
        ([(-3.0, 4.0)], True),
        ([(0.0, 0.5)], False),  # an island, whose outline cuts nothing
        ([(0.0, 0.5), (0.0, 0.5)], False),
        ([(-9.0, 1.0)], False),
        ([(0.0, 1.0)], True),
    ]
    for others, expected in cases:
        x, reach = np.array(others).T
        columns = np.array(Bases.point(x, 0.0)._columns)
        columns[-1] = reach
        assert covered(disc, columns, np.zeros(len(others), np.int64))[0] == expected, others
