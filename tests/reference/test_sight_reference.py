"""The brute-force oracle for line of sight against dense rays and against scenes solved by hand."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from tests.reference.sight_degenerate import SCENES, Scene, poses_of
from tests.reference.sight_generators import GENERATORS
from tests.reference.sight_reference import (
    is_round,
    robust_sight,
    shapes_of_bases,
    shapes_of_polygons,
    sight,
)

pytestmark = pytest.mark.jit_only

ARCS = 32  # segments of a drawn quarter circle
RAYS = 2000


def outline(row: Any, outside: bool) -> Any:
    """Shapely geometry of a base; the vertices of its roundings lie on the circle or, outside, beyond it."""
    x, y, heading, width, depth, radius = row
    a, b = max(depth / 2 - radius, 0.0), max(width / 2 - radius, 0.0)
    core = shapely.convex_hull(shapely.MultiPoint([(a, b), (-a, b), (-a, -b), (a, -b)]))
    c, s = math.cos(heading), math.sin(heading)
    core = shapely.transform(core, lambda p: p @ np.array([[c, s], [-s, c]]) + [x, y])
    if radius == 0:
        return core
    return shapely.buffer(core, radius / math.cos(math.pi / 4 / ARCS) if outside else radius, quad_segs=ARCS)


def facing_of(row: Any) -> Any:
    x, y, heading, width, depth, _ = row
    c, s = math.cos(heading), math.sin(heading)
    x, y = x + c * depth / 2, y + s * depth / 2
    return shapely.LineString(
        [(x - s * width / 2, y + c * width / 2), (x + s * width / 2, y - c * width / 2)]
    )


def points_on_outline(rng: Any, shape: Any) -> Any:
    line = shapely.boundary(shape) if shape.geom_type == "Polygon" else shape
    if line.geom_type == "Point":
        return np.repeat(shapely.get_coordinates(line), RAYS, axis=0)
    # as line_interpolate_point has it, which walks the whole outline for each point
    corners = shapely.get_coordinates(line)
    along = np.concatenate([[0.0], np.hypot(*np.diff(corners, axis=0).T).cumsum()])
    at = along[-1] * rng.random(RAYS)
    return np.stack([np.interp(at, along, corners[:, k]) for k in (0, 1)], axis=-1)


def clear_rays(rng: Any, source: Any, target: Any, blockers: Any) -> int:
    """Count random legal rays that meet no blocker; the outlines err on the side of "blocked"."""
    looks_round = bool(is_round(source))
    eye, aim = outline(source, False) if looks_round else facing_of(source), outline(target, False)
    start = points_on_outline(rng, eye)
    step = points_on_outline(rng, aim) - start
    if not looks_round:
        c, s = math.cos(source[2]), math.sin(source[2])
        legal = np.abs(step @ [-s, c]) <= step @ [c, s]
        start, step = start[legal], step[legal]
    # Only the part before the target counts: rays that end on its far side are out, as at the source.
    rays = shapely.linestrings(np.stack([start + 1e-9 * step, start + (1 - 1e-9) * step], axis=1))
    shapes = [aim, *([eye] if looks_round else []), *(outline(row, True) for row in blockers)]
    shapely.prepare(shapes)
    for shape in shapes:
        rays = rays[~shapely.intersects(shape, rays)]
    return len(rays)


@pytest.mark.parametrize("name", GENERATORS)
def test_rays_agree(name: str) -> None:
    """No ray sees what the oracle calls hidden, and rays find nearly all that it sees."""
    rng = np.random.default_rng(list(GENERATORS).index(name))
    pairs = GENERATORS[name](rng, 80)
    seen = sight(pairs.sources, pairs.targets, shapes_of_bases(pairs.blockers), pairs.blocks)
    found = np.array(
        [
            clear_rays(rng, pairs.sources[i], pairs.targets[i], pairs.blockers[i, pairs.blocks[i]])
            for i in range(len(pairs))
        ]
    )
    assert np.flatnonzero(~seen & (found > 0)).tolist() == []
    assert 5 <= seen.sum() <= 75
    assert (found[seen] > 0).mean() > 0.8


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.name)
def test_scenes_by_hand(scene: Scene) -> None:
    for mirror in (False, True):
        pairs = poses_of(scene, 10, mirror=mirror)
        blockers = shapes_of_bases(pairs.blockers)
        seen = sight(pairs.sources, pairs.targets, blockers, pairs.blocks, scene.half_angle)
        assert seen.tolist() == [scene.seen] * 10


def test_growing_and_shrinking_decide_what_is_robust() -> None:
    """Slits of two margins and of less, and a seam: it stays shut when both its sides shrink."""
    names = {"seam of two blocks": (False, True), "slit of three times the tolerance": (True, False)}
    names |= {"slit of a hundredth": (True, True), "column with its two side lines free": (True, False)}
    for scene in SCENES:
        if scene.name in names:
            pairs = poses_of(scene, 5)
            blockers = shapes_of_bases(pairs.blockers)
            seen, robust = robust_sight(pairs.sources, pairs.targets, blockers, pairs.blocks)
            assert list(zip(seen, robust, strict=True)) == [names.pop(scene.name)] * 5
    assert names == {}


def test_polygons_are_as_good_as_bases() -> None:
    pairs = GENERATORS["battle_lines"](np.random.default_rng(3), 100)
    columns = shapes_of_bases(pairs.blockers)
    expected = sight(pairs.sources, pairs.targets, columns, pairs.blocks)
    for i in range(len(pairs)):
        rings = shapes_of_polygons(list(columns.vertices[i, :, :4]))
        one = rings[None]
        assert (
            sight(pairs.sources[i : i + 1], pairs.targets[i : i + 1], one, pairs.blocks[i])[0] == expected[i]
        )
