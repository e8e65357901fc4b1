"""Parts of sources and targets, and questions that are not asked: what the rules of hills are made of."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import Bases, Polygons, in_contact
from ninthgeom._sight_questions import ask
from tests.reference.sight_generators import random_polygon, random_sizes, rectangular_sources, round_sources
from tests.reference.sight_reference import (
    Questions,
    Shapes,
    concatenated,
    is_round,
    shapes_of_bases,
    shapes_of_polygons,
)
from tests.reference.sight_scenes import bases_of, box, disc, point

UP = math.pi / 2
NO_OUTLINES = Polygons([])
WHOLE_TABLE = (36, 30)
ANY_KIND = (0.5, 0.15, 0.15, 0.1, 0.1, 0.0)


def on_table(rng: Any, columns: Any) -> Any:
    columns[:, :2] = rng.uniform([0, 0], WHOLE_TABLE, (len(columns), 2))
    columns[:, 2] = rng.uniform(-math.pi, math.pi, len(columns))
    return columns


def random_bases(rng: Any, n: int, shares: tuple[float, ...] = ANY_KIND) -> Any:
    return on_table(rng, np.concatenate([np.zeros((n, 3)), random_sizes(rng, n, shares)], -1))


def half_planes(rng: Any, n: int, near: Any) -> Any:
    """Half-planes (3, n) whose limits run past a point at a few inches."""
    angle = rng.uniform(-math.pi, math.pi, n)
    m = np.stack([np.cos(angle), np.sin(angle)])
    return np.concatenate([m, (near @ m + rng.uniform(-3.0, 1.0, n))[None]])


def region(part: Any) -> Any:
    """The half-planes as a polygon that is large enough."""
    everywhere = shapely.box(-1e3, -1e3, 1e3, 1e3)
    for mx, my, c in part.T:
        ahead, aside = np.array([mx, my]), np.array([-my, mx])
        corners = [c * ahead + 4e3 * (i * aside + j * ahead) for i, j in ((-1, 0), (1, 0), (1, 1), (-1, 1))]
        everywhere = everywhere & shapely.Polygon(corners)
    return everywhere


def apart(sources: Any, targets: Any) -> Any:
    """Where a target touches neither the Front Facing nor a round source, (n, m)."""
    facings = sources.copy()
    has_facing = ~is_round(sources)
    ahead = np.stack([np.cos(sources[:, 2]), np.sin(sources[:, 2])], -1)
    facings[:, :2] += np.where(has_facing[:, None], sources[:, 4:5] / 2 * ahead, 0.0)
    facings[:, 4:][has_facing] = 0.0
    return ~in_contact(bases_of(facings)[:, None], bases_of(targets))


def facing_part(row: Any, where: Any) -> Any:
    """Facing of a base, as columns of a bare facing, cut to a region; None where nothing is left of it."""
    (corners,) = bases_of(row[None]).corners()
    cut = shapely.intersection(shapely.LineString(corners[:2]), where)
    if cut.is_empty:
        return None
    x, y = shapely.get_coordinates(cut).mean(axis=0)
    return np.array([x, y, row[2], cut.length, 0.0, 0.0])


def expected(
    sources: Any, targets: Any, blockers: Shapes, blocks: Any, source_part: Any, target_part: Any
) -> Any:
    """Answers (n, m) of the reference for facings and rectangles that are cut, and which are robust."""
    answer, robust = np.zeros((2, len(sources), len(targets)), dtype=bool)
    robust[:] = True
    rings = []
    for row in targets:
        (corners,) = bases_of(row[None]).corners()
        cut = shapely.intersection(shapely.Polygon(corners), target_part)
        rings.append(shapely.get_coordinates(shapely.orient_polygons(cut))[:-1] if cut.area > 0 else None)
    for i, row in enumerate(sources):
        eye = facing_part(row, source_part)
        seen_parts = [j for j, part in enumerate(rings) if part is not None]
        if eye is None or not seen_parts:
            continue
        aims = shapes_of_polygons([rings[j] for j in seen_parts])
        one = np.ones(len(seen_parts), dtype=int)
        questions = Questions.of_shapes(
            np.repeat(eye[None], len(one), axis=0),
            np.repeat(row[2], len(one)),
            aims,
            blockers[0 * one[:, None] + np.arange(blockers.count.size)],
            blocks[i, seen_parts],
            math.pi / 4,
        )
        answer[i, seen_parts], robust[i, seen_parts] = questions.robust()
    return answer, robust


@pytest.mark.jit_only
def test_parts_against_the_reference() -> None:
    """Facings that are shorter and targets that are clipped, past bases and polygons."""
    rng = np.random.default_rng(31)
    compared = seen = 0
    for _ in range(60):
        sources = on_table(rng, rectangular_sources(rng, 6))
        targets = random_bases(rng, 8, (1.0, 0.0, 0.0))
        others = random_bases(rng, 6)
        rings = [random_polygon(rng, *rng.uniform([0, 0], WHOLE_TABLE), rng.uniform(1, 3)) for _ in range(3)]
        near = targets[0, :2] if rng.random() < 0.5 else rng.uniform([0, 0], WHOLE_TABLE)
        parts = [half_planes(rng, int(n), near) for n in rng.integers(0, 4, 2)]
        blocks = rng.random((6, 8, 9)) < 0.8
        blockers = concatenated(shapes_of_bases(others), shapes_of_polygons(rings))
        want, robust = expected(sources, targets, blockers, blocks, *map(region, parts))
        answer = ask(
            bases_of(sources[None]),
            bases_of(targets[None]),
            bases_of(others[None]),
            Polygons(rings),
            blocks[None],
            source_part=parts[0],
            target_part=parts[1],
        )[0]
        # What touches is seen whatever part is meant; hills ask for the whole first.
        robust &= apart(sources, targets)
        assert np.argwhere(robust & (answer != want)).tolist() == []
        compared += robust.sum()
        seen += (robust & want).sum()
    assert compared > 2500
    assert seen > 150


@pytest.mark.parametrize("touching", ["clear", "blocked"])
@pytest.mark.parametrize("which", ["source_part", "target_part"])
def test_two_parts_make_the_whole(which: str, touching: Any) -> None:
    """Bases of every kind, cut in two: each line starts in one of the parts, and ends in one."""
    rng = np.random.default_rng(32)
    divided = 0
    for _ in range(60):
        sources = np.concatenate(
            [on_table(rng, rectangular_sources(rng, 4)), on_table(rng, round_sources(rng, 4))]
        )
        targets, others = random_bases(rng, 8), random_bases(rng, 10)
        near = (sources if which == "source_part" else targets)[rng.integers(8), :2]
        angle = rng.uniform(-math.pi, math.pi)
        m = np.array([math.cos(angle), math.sin(angle)])
        cut = np.append(m, near @ m + rng.uniform(-0.5, 0.5))
        arguments: Any = (
            *(bases_of(rows[None]) for rows in (sources, targets, others)),
            NO_OUTLINES,
            rng.random((1, 8, 8, 10)) < 0.8,
        )
        whole = ask(*arguments, touching=touching)
        here, there = (
            ask(*arguments, touching=touching, **{which: sign * cut[:, None]}) for sign in (1.0, -1.0)
        )
        assert np.argwhere((here | there) != whole).tolist() == []
        divided += (here != there).sum()
    assert divided > 500


def test_a_part_of_all_is_all_and_of_none_is_none() -> None:
    rng = np.random.default_rng(33)
    sources = np.concatenate(
        [on_table(rng, rectangular_sources(rng, 5)), on_table(rng, round_sources(rng, 5))]
    )
    targets, others = random_bases(rng, 10), random_bases(rng, 10)
    arguments: Any = (
        *(bases_of(rows[None]) for rows in (sources, targets, others)),
        NO_OUTLINES,
        np.ones((1, 1, 1, 10), bool),
    )
    whole = ask(*arguments)
    everywhere, nowhere = np.array([[0.6], [0.8], [-100.0]]), np.array([[0.6], [0.8], [100.0]])
    for which in ("source_part", "target_part"):
        assert np.array_equal(ask(*arguments, **{which: everywhere}), whole)
        assert not (ask(*arguments, **{which: nowhere})[0] & apart(sources, targets)).any()
        assert np.array_equal(ask(*arguments, **{which: np.empty((3, 0))}), whole)
    both = ask(*arguments, source_part=everywhere, target_part=np.tile(everywhere, 3))
    assert np.array_equal(both, whole)


LEFT_HALF, RIGHT_HALF = np.array([[-1.0], [0.0], [0.0]]), np.array([[1.0], [0.0], [0.0]])
FACING, EYE, FAR = box(-2, -2, 2, 0), point(0, 0), box(-2, 10, 2, 12)


@pytest.mark.parametrize(
    ("source", "target", "blocker", "parts", "seen"),
    [
        (FACING, FAR, box(-9, 4, 0, 5), (LEFT_HALF, LEFT_HALF), True),  # along its side x = 0
        (FACING, FAR, box(-9, 4, 0.001, 5), (LEFT_HALF, LEFT_HALF), False),
        (FACING, FAR, box(-9, 4, 0.001, 5), (LEFT_HALF, RIGHT_HALF), True),
        (FACING, FAR, box(-9, 4, 0.001, 5), (RIGHT_HALF, LEFT_HALF), True),
        (FACING, FAR, box(-9, 4, 0.001, 9.9), (RIGHT_HALF, LEFT_HALF), True),
        (FACING, FAR, box(-9, 0, 0.001, 10), (RIGHT_HALF, LEFT_HALF), True),  # through the other half
        (FACING, FAR, box(-9, 0, 0.001, 12), (RIGHT_HALF, LEFT_HALF), False),
        (FACING, FAR, box(-9, 1, 9, 2), (LEFT_HALF, LEFT_HALF), False),
        (EYE, FAR, box(-9, 4, 0, 5), (None, LEFT_HALF), True),
        (EYE, FAR, box(-9, 4, 0.001, 5), (None, LEFT_HALF), False),
        (EYE, FAR, box(-9, 4, 0.001, 5), (LEFT_HALF, None), True),  # the eye lies on the limit
        (disc(0, -2, 2), disc(0, 12, 2), box(-9, 4, 0, 5), (LEFT_HALF, LEFT_HALF), True),
        (disc(0, -2, 2), disc(0, 12, 2), box(-9, 4, 0.001, 5), (LEFT_HALF, LEFT_HALF), False),
        (disc(0, -2, 2), disc(0, 12, 2), box(-9, 4, 0.001, 5), (RIGHT_HALF, LEFT_HALF), True),
        (disc(0, -2, 2), disc(3, 12, 2), box(-9, 4, 9, 5), (None, LEFT_HALF), False),
        (disc(0, -2, 2), disc(3, 12, 2), box(20, 4, 21, 5), (None, LEFT_HALF), False),  # none of it is there
        # The far half of the target: lines reach it through the near one, past what lies on that.
        (FACING, FAR, box(20, 4, 21, 5), (None, np.array([[0.0], [1.0], [11.0]])), True),
        (FACING, FAR, box(-9, 10.2, 9, 10.5), (None, np.array([[0.0], [1.0], [11.0]])), False),
        (FACING, FAR, box(-9, 11.2, 9, 11.5), (None, np.array([[0.0], [1.0], [11.0]])), True),
        (FACING, FAR, box(-9, 10.2, 9, 10.5), (None, np.array([[0.0], [-1.0], [-11.0]])), True),
        # The far half of a round source: lines start behind what lies on the near one.
        (disc(0, -2, 2), FAR, box(-9, -1, 9, -0.5), (np.array([[0.0], [-1.0], [2.0]]), None), False),
        (disc(0, -2, 2), FAR, box(-9, -1, 9, -0.5), (np.array([[0.0], [1.0], [-2.0]]), None), True),
    ],
)
def test_parts_by_hand(source: Any, target: Any, blocker: Any, parts: Any, seen: bool) -> None:
    """At several places on the plane."""
    rng = np.random.default_rng(34)
    for _ in range(20):
        turn, shift = rng.uniform(-math.pi, math.pi), rng.uniform(-500, 500, 2)
        c, s = math.cos(turn), math.sin(turn)
        rotation = np.array([[c, -s], [s, c]])

        def placed(row: Any, by: Any = rotation, angle: float = turn, to: Any = shift) -> Bases:
            return bases_of(np.array([[[*(by @ row[:2] + to), row[2] + angle, *row[3:]]]]))

        def turned(part: Any, by: Any = rotation, to: Any = shift) -> Any:
            if part is None:
                return None
            m = by @ part[:2]
            return np.concatenate([m, part[2:] + to @ m])

        answer = ask(
            placed(source),
            placed(target),
            placed(blocker),
            NO_OUTLINES,
            np.ones((1, 1, 1, 1), bool),
            source_part=turned(parts[0]),
            target_part=turned(parts[1]),
        )
        assert answer.tolist() == [[[seen]]]


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize("shape", [(4, 5, 6), (4, 1, 6), (1, 5, 6), (4, 5, 1), (1, 1, 6), (1, 1, 1)], ids=str)
def test_asked(shape: tuple[int, ...], workers: int) -> None:
    rng = np.random.default_rng(35)
    states = [bases_of(np.stack([random_bases(rng, n) for _ in range(4)])) for n in (5, 6, 8)]
    outlines = Polygons([random_polygon(rng, *rng.uniform([0, 0], WHOLE_TABLE), 2.0) for _ in range(2)])
    blocks = rng.random((4, 5, 6, 10)) < 0.8
    whole = ask(*states, outlines, blocks)
    asked = rng.random(shape) < 0.6
    answer = ask(*states, outlines, blocks, asked=asked, workers=workers)
    assert np.array_equal(answer, whole & asked)
    one_scene = [bases_of(random_bases(rng, n)[None]) for n in (5, 6, 8)]
    whole = ask(*one_scene, outlines, blocks[:1])
    answer = ask(*one_scene, outlines, blocks[:1], asked=asked[:1], workers=workers)
    assert np.array_equal(answer, whole & asked[:1])


def test_nothing_asked() -> None:
    rng = np.random.default_rng(36)
    scene = [bases_of(random_bases(rng, n)[None]) for n in (5, 6, 8)]
    asked = np.zeros((1, 5, 6), bool)
    assert not ask(*scene, NO_OUTLINES, np.ones((1, 1, 1, 8), bool), asked=asked).any()
