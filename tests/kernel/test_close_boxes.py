"""Close boxes, against the gaps of the same bases."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ninthgeom
from ninthgeom_kernel.close_boxes import close_boxes

REACH = 1e-6


def found(bases: ninthgeom.Bases, n_first: int, room: int = 10_000) -> tuple[list[Any], int]:
    pairs, count = np.full((room, 3), -1), np.zeros(1, np.int64)
    close_boxes(bases._columns, n_first, REACH, pairs, count)
    return pairs[: min(room, int(count[0]))].tolist(), int(count[0])


def rectangles(seed: int, scenes: int, n: int, rounded: bool) -> ninthgeom.Bases:
    rng = np.random.default_rng(seed)
    x, y, heading = rng.uniform(-4, 4, (3, scenes, n))
    width, depth = rng.uniform(0.0, 3.0, (2, scenes, n))
    radius = np.minimum(width, depth) * rng.uniform(0, 0.5, (scenes, n)) * rounded
    return ninthgeom.Bases(x, y, heading, width=width, depth=depth, radius=radius)


@pytest.mark.parametrize("rounded", [False, True])
@pytest.mark.parametrize("n_first", [0, 3, 8])
def test_all_in_contact_but_deep_overlaps(rounded: bool, n_first: int) -> None:
    bases = rectangles(n_first, 20, 8, rounded)
    gap = ninthgeom.gap(bases[:, :, None], bases[:, None])
    a, b = np.triu_indices(8, 1)
    wanted = {
        (scene, i, j)
        for scene in range(20)
        for i, j in zip(a.tolist(), b.tolist(), strict=True)
        if j >= n_first
        and gap[scene, i, j] <= REACH
        and (rounded or i < n_first or gap[scene, i, j] > -REACH)
    }
    pairs, _ = found(bases, n_first)
    assert wanted <= {tuple(pair) for pair in pairs}
    assert len(pairs) == len({tuple(pair) for pair in pairs})
    for scene, i, j in pairs:
        assert i < j
        assert j >= n_first
        # Boxes round corners reach further than these, by at most 0.42 of the radius of each.
        round_by = bases.radius[scene, i] + bases.radius[scene, j]
        assert gap[scene, i, j] <= 0.42 * round_by + 1.5 * REACH
    assert [pair[0] for pair in pairs] == sorted(pair[0] for pair in pairs)


@pytest.mark.parametrize("off", [-2e-6, 0.0, 0.9e-6, 1.1e-6])
def test_sides_that_touch(off: float) -> None:
    bases = ninthgeom.Bases.rect([[0.0, 2.0 + off]], 0.0, 0.0, width=2.0, depth=2.0)
    assert found(bases, 0)[1] == (off <= REACH)


def test_rectangles_deep_in_each_other_are_left_out_but_not_pieces() -> None:
    bases = ninthgeom.Bases.rect([[0.0, 0.5]], 0.0, 0.0, width=2.0, depth=2.0)
    assert found(bases, 0)[1] == 0
    assert found(bases, 1)[1] == 1
    assert found(bases, 2)[1] == 0


def test_no_room_is_told() -> None:
    bases = ninthgeom.Bases.round([[0.0, 1.0, 2.0]], 0.0, diameter=3.0)
    pairs, count = found(bases, 0, room=1)
    assert count == 3
    assert pairs == [[0, 0, 1]]


def test_points_are_left_out_wherever_they_stand() -> None:
    # absent units all stand in one place
    bases = ninthgeom.Bases.rect(np.zeros((1, 50)), 0.0, 0.0, width=[0.0] * 49 + [1.0], depth=0.0)
    assert found(bases, 0)[1] == 0
