"""Degenerate scenes, each at a hundred places on the plane, as it is and mirrored."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ninthgeom
from tests.reference.sight_degenerate import SCENES, Scene, poses_of
from tests.reference.sight_scenes import bases_of

POSES = 100


def are_blocks(blockers: Any) -> Any:
    """Which rows are rectangles with an area: what a polygon can be."""
    rows = np.array(blockers, dtype=float).reshape(-1, 6)
    return (rows[:, 5] == 0) & (rows[:, 3:5] > 0).all(axis=1)


@pytest.mark.parametrize("mirror", [False, True], ids=["as_is", "mirrored"])
@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_scene(scene: Scene, mirror: bool) -> None:
    pairs = poses_of(scene, POSES, mirror=mirror, seed=1 + mirror)
    seen = ninthgeom.line_of_sight(
        bases_of(pairs.sources),
        bases_of(pairs.targets),
        bases_of(pairs.blockers),
        blocks=pairs.blocks,
        half_angle=scene.half_angle,
    )
    assert seen.tolist() == [scene.seen] * POSES


@pytest.mark.parametrize(
    "scene", [scene for scene in SCENES if are_blocks(scene.blockers).any()], ids=lambda scene: scene.name
)
def test_scene_with_polygons(scene: Scene) -> None:
    """Rectangles as polygons, the rest as bases, in one list."""
    pairs = poses_of(scene, 10, seed=3)
    is_block = are_blocks(scene.blockers)
    order = np.argsort(~is_block, kind="stable")  # rectangles first, as in the list
    for i in range(len(pairs)):
        rest = bases_of(pairs.blockers[i, ~is_block])
        rings = list(bases_of(pairs.blockers[i, is_block]).corners())
        seen = ninthgeom.line_of_sight(
            bases_of(pairs.sources[i]),
            bases_of(pairs.targets[i]),
            [ninthgeom.Polygons(rings), rest],
            blocks=pairs.blocks[i, order],
            half_angle=scene.half_angle,
        )
        assert seen == scene.seen


# A concave outline whose triangulation has a fan of triangles at the vertex (0, 0).
FAN = 0.3 * np.array(
    [
        (0, 0),
        (-0.3, 3.30988),
        (-1.09866, 2.69081),
        (-0.3, 4.91437),
        (-6.30857, 0.472),
        (-10.63358, -4.53646),
        (-5.49751, -1.43042),
        (-5.99426, -3.58827),
        (-2.15273, -3.1187),
    ]
)


@pytest.mark.parametrize(("slit", "seen"), [(0.0, True), (-1e-5, False), (1e-5, True)])
def test_three_concave_polygons_leave_one_line(slit: float, seen: bool) -> None:
    rng = np.random.default_rng(8)
    rings = [np.add(FAN, (-slit, 3)), np.add(FAN * (-1, 1), (slit, 6)), np.add(FAN, (-slit, 9))]
    answers = []
    for angle, x, y in zip(rng.uniform(-4, 4, POSES), *rng.uniform(-500, 500, (2, POSES)), strict=True):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        front, target = np.array([(0, 0), (0, 12)]) @ turn + (x, y)
        answers.append(
            ninthgeom.line_of_sight(
                ninthgeom.Bases.from_front(*front, angle + np.pi / 2, width=0.1, depth=0.1),
                ninthgeom.Bases.rect(*target, angle + np.pi / 2, width=1.0, depth=1.0),
                ninthgeom.Polygons([ring @ turn + (x, y) for ring in rings]),
            )
        )
    assert answers == [seen] * POSES
