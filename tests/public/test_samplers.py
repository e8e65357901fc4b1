"""Samplers against the distributions they document: bounds, moments, and what the seed decides."""

import numpy as np
import pytest

from ninthgeom import armies, samplers


def rng(seed=1):
    return np.random.default_rng(seed)


@pytest.fixture(scope="module")
def scene():
    return armies.generate_battle(2, units_per_side=5)


# ---------------------------------------------------------------------------------------------- poses


def test_jitter_moves_and_turns_within_its_bounds(scene):
    states = samplers.pose_jitter(rng(), scene, 3000, distance=0.5, angle=0.2)
    assert states.shape == (3000, 10, 3)
    moved = scene.board.centres(states) - scene.board.centres(scene.positions)
    steps = np.hypot(moved[..., 0], moved[..., 1])
    assert steps.max() < 0.5 + 1e-9
    assert steps.max() > 0.49
    assert (steps < 0.25).mean() == pytest.approx(0.25, abs=0.02)  # a quarter of the disc
    assert np.abs(moved[..., 2]).max() < 0.2 + 1e-9
    assert moved.mean(axis=(0, 1)) == pytest.approx([0, 0, 0], abs=0.01)
    np.testing.assert_array_equal(states, samplers.pose_jitter(rng(), scene, 3000, distance=0.5, angle=0.2))
    still = samplers.pose_jitter(rng(), scene, 2, distance=0, angle=0)
    np.testing.assert_allclose(still, np.stack([scene.positions] * 2), atol=1e-12)
