"""Degenerate scenes at several places on the plane, as they are and mirrored: answers, lines and blockers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import shapely

import ninthgeom
from ninthgeom import Polygons, line_of_sight, sight_lines
from tests.reference.sight_checks import FAULTS, Tally, triangles
from tests.reference.sight_degenerate import SCENES, TANGENT_WALLS, Scene, poses_of
from tests.reference.sight_polygons import NARROW_ANGLES, POLYGON_SCENES, SHARP_TIPS, PolygonScene
from tests.reference.sight_reference import Questions, shapes_of_bases, shapes_of_polygons
from tests.reference.sight_scenes import bases_of, joined, point

POSES, MANY_POSES = 8, 200


def named(scene: Any) -> str:
    return str(scene.name)


def are_blocks(blockers: Any) -> Any:
    """Which rows are rectangles with an area: what a polygon can be."""
    rows = np.array(blockers, dtype=float).reshape(-1, 6)
    return (rows[:, 5] == 0) & (rows[:, 3:5] > 0).all(axis=1)


def check_scene(scene: Scene, poses: int) -> None:
    """As it is and mirrored, each at so many places."""
    if not scene.blockers:
        scene = scene._replace(blockers=[point(0, 1)], blocks=[False])
    pairs = joined([poses_of(scene, poses, mirror=mirror, seed=1 + mirror) for mirror in (False, True)])
    questions = Questions.of(
        pairs.sources, pairs.targets, shapes_of_bases(pairs.blockers), pairs.blocks, scene.half_angle
    )
    for touching, expected in (("clear", scene.seen), ("blocked", scene.blocked)):
        tally = Tally(touching)
        answer = tally.explain(touching, pairs, questions)
        if expected is None:
            tally.add(touching, answer, *questions.robust_blocked())
        else:
            assert answer.tolist() == [expected] * len(pairs), touching
        assert tally.wrong == []


@pytest.mark.jit_only
@pytest.mark.parametrize("scene", SCENES, ids=named)
def test_scene(scene: Scene) -> None:
    check_scene(scene, POSES)


@pytest.mark.verify
@pytest.mark.jit_only
def test_every_scene_at_many_places() -> None:
    for scene in SCENES:
        check_scene(scene, MANY_POSES)
    print(f"\n{len(SCENES)} degenerate scenes, each at {MANY_POSES} places as it is and mirrored")


@pytest.mark.jit_only
@pytest.mark.parametrize("scene", TANGENT_WALLS, ids=named)
def test_walls_tangent_to_round_targets(scene: Scene) -> None:
    check_scene(scene, 100)


@pytest.mark.parametrize("scene", [scene for scene in SCENES if are_blocks(scene.blockers).any()], ids=named)
def test_scene_with_polygons(scene: Scene) -> None:
    """Rectangles as polygons, the rest as bases, in one list."""
    pairs = poses_of(scene, 2, seed=3)
    is_block = are_blocks(scene.blockers)
    order = np.argsort(~is_block, kind="stable")  # rectangles first, as in the list
    for i in range(len(pairs)):
        rest = bases_of(pairs.blockers[i, ~is_block])
        rings = list(bases_of(pairs.blockers[i, is_block]).corners())
        seen = line_of_sight(
            bases_of(pairs.sources[i]),
            bases_of(pairs.targets[i]),
            [Polygons(rings), rest],
            blocks=pairs.blocks[i, order],
            half_angle=scene.half_angle,
        )
        assert seen == scene.seen


def check_polygons(scene: PolygonScene, poses: int) -> None:
    """Answers, lines against the triangles of the polygons, and that nothing hides but what is named."""
    rng = np.random.default_rng(4)
    for i in range(poses):
        source, target, polygons = scene.posed(
            rng.uniform(-np.pi, np.pi), rng.uniform(-500, 500, 2), mirror=i % 2 == 1
        )
        parts = [part for polygon in polygons for part in triangles(polygon)]
        questions = Questions.of(source[None], target[None], shapes_of_polygons(parts)[None], True)
        bases, outlines = (bases_of(source), bases_of(target)), Polygons(polygons)
        for touching, expected in (("clear", scene.seen), ("blocked", scene.blocked)):
            found = sight_lines(*bases, outlines, touching=touching)
            seen = line_of_sight(*bases, outlines, touching=touching)
            assert found.visible == seen
            assert expected in (None, seen), (touching, i)
            fault = questions.line_faults(found.start[None], found.end[None], touching)[0]
            assert not fault, (touching, i, FAULTS[fault])
            if not seen:
                others = ~np.isin(np.arange(len(polygons)), found.blockers.blocker)
                free = line_of_sight(*bases, touching=touching)
                assert free == line_of_sight(*bases, outlines, blocks=others, touching=touching)


@pytest.mark.jit_only
@pytest.mark.parametrize("scene", POLYGON_SCENES, ids=named)
def test_polygons(scene: PolygonScene) -> None:
    check_polygons(scene, 4)


@pytest.mark.verify
@pytest.mark.jit_only
def test_polygons_at_many_places() -> None:
    for scene in POLYGON_SCENES:
        check_polygons(scene, 2 * MANY_POSES)
    print(f"\n{len(POLYGON_SCENES)} scenes with polygons, each at {MANY_POSES} places as it is and mirrored")


@pytest.mark.jit_only
@pytest.mark.parametrize("scene", NARROW_ANGLES, ids=named)
def test_own_ends_at_narrow_angles(scene: PolygonScene) -> None:
    check_polygons(scene, 4)


@pytest.mark.jit_only
@pytest.mark.parametrize("scene", SHARP_TIPS, ids=named)
def test_sharp_tips(scene: PolygonScene) -> None:
    check_polygons(scene, 4)


def test_vertices_along_edges_change_nothing() -> None:
    """Edges of several collinear stretches, at any angle."""
    rng = np.random.default_rng(6)
    for scene in POLYGON_SCENES[::3]:
        source, target, polygons = scene.posed(rng.uniform(-3, 3), rng.uniform(-500, 500, 2), mirror=False)
        bases = bases_of(source), bases_of(target)
        finer = [shapely.segmentize(polygon, 1.3) for polygon in polygons]
        assert line_of_sight(*bases, Polygons(finer)) == line_of_sight(*bases, Polygons(polygons))


FANS = 30
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
    for angle, x, y in zip(rng.uniform(-4, 4, FANS), *rng.uniform(-500, 500, (2, FANS)), strict=True):
        turn = np.array([[np.cos(angle), np.sin(angle)], [-np.sin(angle), np.cos(angle)]])
        front, target = np.array([(0, 0), (0, 12)]) @ turn + (x, y)
        answers.append(
            ninthgeom.line_of_sight(
                ninthgeom.Bases.from_front(*front, angle + np.pi / 2, width=0.1, depth=0.1),
                ninthgeom.Bases.rect(*target, angle + np.pi / 2, width=1.0, depth=1.0),
                ninthgeom.Polygons([ring @ turn + (x, y) for ring in rings]),
            )
        )
    assert answers == [seen] * FANS
