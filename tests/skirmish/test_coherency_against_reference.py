"""Coherency of crowded scenes, model by model, against shapely and networkx."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ninthgeom.skirmish import coherency
from tests.skirmish.coherency_oracle import HAIR, Scene, random_scene

SCENES, OFTEN, MANY = 20, 40, 1500
STATES = 3


def compare(seed: int, tally: Counter[str], wrong: list[str]) -> None:
    scene = random_scene(np.random.default_rng(seed), STATES)
    found = coherency(
        scene.board,
        scene.positions,
        scene.leaders,
        radius=scene.radius,
        present=scene.present,
        ground=scene.ground,
        rules=scene.rules,
    )
    for i in range(STATES):
        linked, spare = scene.linked(i), scene.within(i)
        tally["models"] += int(scene.present[i].sum())
        tally["linked"] += int(linked.sum())
        _compare_links(scene, i, linked, found.linked[i], f"seed {seed} state {i}", tally, wrong)
        tally["within"] += int((spare >= 0).sum())
        within = found.within_radius[i]
        if (within != (spare >= 0.0))[np.abs(spare) > HAIR].any():
            wrong.append(f"seed {seed} state {i}: within {within.tolist()}, to spare {spare.tolist()}")
        ok = (found.linked[i] & within) | ~scene.present[i]
        whole = [ok[scene.board.group == g].all() for g in range(4)]
        if found.in_coherency[i].tolist() != whole:
            wrong.append(f"seed {seed} state {i}: in coherency {found.in_coherency[i].tolist()}, not {whole}")


def _compare_links(
    scene: Scene, i: int, expected: Any, found: Any, where: str, tally: Counter[str], wrong: list[str]
) -> None:
    differ = expected != found
    if not differ.any():
        return
    strict, lenient = scene.linked(i, HAIR), scene.linked(i, -HAIR)
    sure = differ & (strict == lenient)
    tally["hairs"] += int((differ & ~sure).sum())
    if sure.any():
        models = np.flatnonzero(sure).tolist()
        kind = "grid" if scene.grid else "anywhere"
        wrong.append(f"{where}, {kind}: models {models} linked {found[sure].tolist()}; {scene.rules}")


def test_coherency_of_crowded_scenes() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(SCENES):
        compare(seed, tally, wrong)
    assert not wrong, "\n".join(wrong[:8])
    assert tally["hairs"] <= 0.005 * tally["models"]
    assert 0.5 * tally["models"] < tally["linked"] < 0.98 * tally["models"]


@pytest.mark.verify
def test_coherency_of_many_crowded_scenes() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in (*range(OFTEN), *range(5000, 5000 + MANY)):
        compare(seed, tally, wrong)
    print(f"\nseeds 0 to {OFTEN - 1}, 5000 to {5000 + MANY - 1}: {dict(tally)}")
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:8]])


def test_the_reference_is_sure_of_itself() -> None:
    """What is linked strictly is linked, and what is linked is so leniently."""
    hairs = models = 0
    for seed in range(15):
        scene = random_scene(np.random.default_rng(seed), 1)
        strict, linked, lenient = (scene.linked(0, margin) for margin in (HAIR, 0.0, -HAIR))
        assert (strict <= linked).all()
        assert (linked <= lenient).all()
        hairs += int((strict != lenient).sum())
        models += len(linked)
    assert hairs < 0.03 * models


@pytest.mark.parametrize("seed", range(5))
def test_the_reference_does_not_depend_on_the_frame(seed: int) -> None:
    scene = random_scene(np.random.default_rng(seed), 1)
    turn, shift = 0.5, np.array([1e3, -2e3])
    rotation = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    positions = scene.positions.copy()
    positions[..., :2] = positions[..., :2] @ rotation + shift
    positions[..., 2] += turn
    terrain = [
        type(t)(t.outline @ rotation + shift, kind=t.kind, height=t.height) for t in scene.board.terrain
    ]
    access = [ring @ rotation + shift for ring in scene.ground.access]
    closed = (scene.ground.closed.reshape(-1, 2, 2) @ rotation + shift).reshape(-1, 4)
    board = type(scene.board)(scene.board.units, terrain, scene.board.size)
    moved = replace(
        scene,
        board=board,
        positions=positions,
        ground=type(scene.ground)(scene.ground.blocking, access=access, closed=closed),
    )
    certain = scene.linked(0, HAIR) == scene.linked(0, -HAIR)
    assert np.array_equal(moved.linked(0)[certain], scene.linked(0)[certain])
