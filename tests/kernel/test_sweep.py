"""Zeros, envelopes and chains of the sweep, against dense sampling of the same functions."""

import math

import numpy as np
import pytest

from ninthgeom_kernel import sweep
from tests.reference.forms import callable_helper

beyond_until, envelope, next_zero = map(
    callable_helper, (sweep.beyond_until, sweep.envelope, sweep.next_zero)
)
NO_PLANES = np.empty((3, 0))


def value(dx: float, dy: float, dr: float, t: float) -> float:
    return dx - t * dy + dr * math.sqrt(1 + t * t)


@pytest.mark.parametrize("seed", range(200))
def test_next_zero_is_the_first(seed: int) -> None:
    rng = np.random.default_rng(seed)
    dx, dy = rng.uniform(-5, 5, 2)
    dr = rng.choice([0.0, -1e-6, 1e-6, rng.uniform(-6, 6)])
    t = rng.uniform(-2, 2)
    if value(dx, dy, dr, t) <= 1e-9:
        dx, dy, dr = -dx, -dy, -dr
    if value(dx, dy, dr, t) <= 1e-9:
        return
    zero = next_zero(dx, dy, dr, t)
    assert zero >= t
    for z in np.linspace(t, min(zero, 100.0), 200)[:-1]:
        assert value(dx, dy, dr, z) > 0
    if zero < math.inf:
        assert abs(value(dx, dy, dr, zero)) < 1e-12 * (1 + abs(zero)) * 100
        assert value(dx, dy, dr, zero + 1e-6) < 1e-9


@pytest.mark.parametrize("dr", [0.0, 1e-22, -1e-22, 1e-16, -1e-16])
def test_next_zero_of_radii_equal_but_for_rounding(dr: float) -> None:
    assert next_zero(0.5, 5.78, dr, -1e-6) == pytest.approx(0.5 / 5.78)
    assert next_zero(0.5, -5.78, dr, -1e-6) == math.inf


def test_next_zero_does_not_cancel() -> None:
    # A radius of a millionth beside distances of many inches: b² - a c by itself would lose eight digits.
    zero = next_zero(5.48, 6.43, -1e-6, 0.2)
    assert abs(value(5.48, 6.43, -1e-6, zero)) < 1e-14


@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_envelope_of_a_cut_disc(side: float) -> None:
    # The half of a unit disc with y >= 0: its ends make the envelope where the tangent point is cut off.
    elements = np.array([[0.0, -1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    planes = np.array([[0.0], [1.0], [0.0]])
    record = np.array([0, 3, 1, 0, 1])
    angles = np.linspace(0, math.pi, 100_001)
    for t in np.linspace(-2, 2, 41):
        u = max(side * (np.cos(angles) - t * np.sin(angles)))
        found, which = envelope(elements, planes, record, t, math.sqrt(1 + t * t), side)
        assert math.isclose(found, u, abs_tol=1e-9)
        if t != 0.0:  # there the arc ends, and both elements are right
            assert (which == 0) == (side * t < 0)


def test_beyond_until_waits_for_the_plane() -> None:
    # A corner stays right of the half disc until the arc, free again, passes it.
    elements = np.array([[0.0, -1.0, 1.0], [0.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    planes = np.array([[0.0], [1.0], [0.0]])
    record = np.array([0, 3, 1, 0, 1])
    corner = (1.2, 0.0, 0.0)
    until = beyond_until(elements, planes, record, -2.0, *corner, 1.0)
    assert until == -2.0  # the arc reaches further at this slope: nothing to promise
    t = -0.6
    while t < 5:
        until = beyond_until(elements, planes, record, t, *corner, 1.0)
        for z in np.linspace(t, min(until, 5), 20):
            assert envelope(elements, planes, record, z, math.sqrt(1 + z * z), 1.0)[0] <= corner[0] + 1e-9
        assert until > t
        t = until + 1e-9


def test_apart_shapes_without_planes() -> None:
    elements = np.array([[0.0, 3.0], [0.0, 1.0], [0.0, 0.0]])
    record = np.array([0, 1, 1, 0, 0])
    # right of the point (0, 0) until the line through (3, 1) and it has slope 3
    assert beyond_until(elements, NO_PLANES, record, 0.0, 3.0, 1.0, 0.0, 1.0) == 3.0
