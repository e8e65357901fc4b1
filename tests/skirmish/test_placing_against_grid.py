"""The spot against a fine grid: none of its legal spots is nearer, and close to the spot some are legal."""

from __future__ import annotations

import numpy as np
import pytest

from ninthgeom.skirmish import place
from tests.skirmish.placing_scenes import Scene, scene

STEP = 0.12


def compared(found: Scene) -> str | None:
    """What is wrong with the answer, if anything is."""
    units = [found.new]
    reach = found.table.reach
    placed = place(found.board, found.positions, units, [found.wished], leader=0, radius=reach)
    status, spot = int(placed.status[0]), placed.positions[found.new, :2]
    value = found.value(status, spot)
    best, least = found.table.best(found.radius, found.wished, STEP)
    if (status, value) > (best, least + 1e-6):
        return f"status {status}, {value} at {spot}; the grid has {best}, {least}"
    if status == 3:
        return None
    table = found.table
    if not table.stands(spot[None], found.radius - 2e-6)[0]:
        return f"does not stand at {spot}"
    if status == 1 and table.farthest(spot[None], found.radius)[0] > reach + 2e-6:
        return f"too far at {spot}"
    if (status, value + 2.0 * STEP) >= (best, least):
        return None
    # No grid spot is nearly as good: the spot lies in a pocket. Some place close to it is legal for sure.
    close = spot + np.random.default_rng(1).uniform(-0.02, 0.02, (4000, 2))
    close = close[table.stands(close, found.radius)]
    if status == 1:
        close = close[table.farthest(close, found.radius) <= reach]
    legal = any(table.linked(place_, found.radius, 400) for place_ in close[:150])
    return None if legal else f"nothing close to {spot} is legal"


@pytest.mark.parametrize(("first", "crowd"), [(0, 9), (500, 9), (1000, 25), (1500, 25)])
def test_against_a_grid(first: int, crowd: int) -> None:
    scenes = [scene(seed, crowd) for seed in range(first, first + 25)]
    wrong = {i: compared(found) for i, found in enumerate(scenes, first) if found is not None}
    assert {i: text for i, text in wrong.items() if text} == {}
    assert len(wrong) > 15


@pytest.mark.verify
def test_many_against_a_grid() -> None:
    """Thousands of scenes, with statuses counted."""
    count = 0
    for seed in range(10_000, 13_000):
        found = scene(seed, 9 if seed % 2 else 25)
        if found is not None:
            assert compared(found) is None, seed
            count += 1
    print(f"seeds 10000 to 13000, {count} scenes")
