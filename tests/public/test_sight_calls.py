"""Forms of a call of `line_of_sight`: shapes, masks, lists, workers, and what it refuses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from ninthgeom import Bases, Polygons, line_of_sight, sight_lines
from tests.reference.sight_generators import random_sizes
from tests.reference.sight_scenes import bases_of

UP = math.pi / 2


def table(seed: int, n: int, *, shares: tuple[float, ...] = (0.6, 0.2, 0.2)) -> Any:
    """Columns of n bases on a table of one and a half feet."""
    rng = np.random.default_rng(seed)
    place = np.stack([*rng.uniform(0, 18, (2, n)), rng.uniform(-math.pi, math.pi, n)], -1)
    return np.concatenate([place, random_sizes(rng, n, shares, scale=0.6)], -1)


SOURCES, TARGETS, BLOCKERS = bases_of(table(1, 9)), bases_of(table(2, 7)), bases_of(table(3, 5))
STATES = bases_of(np.stack([table(seed, 5) for seed in range(10, 14)]))
BLOCKS = np.random.default_rng(4).random((9, 7, 5)) < 0.6
NORTH = Bases.rect(0.0, 0.0, UP, width=2.0, depth=2.0)


def one_by_one(blockers: Bases, blocks: Any = None) -> Any:
    """All pairs, each by a call of its own, with nothing but the blockers that count."""
    answers = np.zeros((len(SOURCES), len(TARGETS)), dtype=bool)
    for i, j in np.ndindex(answers.shape):
        counting = blockers if blocks is None else blockers[np.flatnonzero(blocks[i, j])]
        answers[i, j] = line_of_sight(SOURCES[i], TARGETS[j], counting)
    return answers


@pytest.mark.parametrize("shape", [(9, 7, 5), (1, 7, 5), (9, 1, 5), (9, 7, 1), (7, 5), (5,), (1,)], ids=str)
def test_masks(shape: tuple[int, ...]) -> None:
    blocks = np.random.default_rng(6).random(shape) < 0.6
    expected = one_by_one(BLOCKERS, np.broadcast_to(blocks, BLOCKS.shape))
    assert line_of_sight(SOURCES[:, None], TARGETS, BLOCKERS, blocks=blocks).tolist() == expected.tolist()


def test_no_blocker_counts() -> None:
    free = line_of_sight(SOURCES[:, None], TARGETS)
    assert 0.1 < free.mean() < 1
    assert line_of_sight(SOURCES[:, None], TARGETS, BLOCKERS, blocks=False).tolist() == free.tolist()
    assert line_of_sight(SOURCES[:, None], TARGETS, BLOCKERS[:0]).tolist() == free.tolist()
    assert line_of_sight(SOURCES[:, None], TARGETS, []).tolist() == free.tolist()


def test_blockers_of_many_states() -> None:
    expected = np.array([one_by_one(STATES[i]) for i in range(4)])
    batched = STATES[:, None, None, :]
    assert line_of_sight(SOURCES[:, None], TARGETS, batched).tolist() == expected.tolist()
    blocks = np.random.default_rng(5).random((4, 9, 7, 5)) < 0.6
    masked = np.array([one_by_one(STATES[i], blocks[i]) for i in range(4)])
    assert line_of_sight(SOURCES[:, None], TARGETS, batched, blocks=blocks).tolist() == masked.tolist()
    shared = np.array([one_by_one(STATES[i], BLOCKS) for i in range(4)])
    assert line_of_sight(SOURCES[:, None], TARGETS, batched, blocks=BLOCKS).tolist() == shared.tolist()


def test_sources_and_targets_of_many_states() -> None:
    sources, targets = STATES[:, :, None], STATES[:, None, :]
    answer = line_of_sight(
        sources, targets, STATES[:, None, None, :], blocks=~np.eye(5, dtype=bool)[:, None, :]
    )
    assert answer.shape == (4, 5, 5)
    for s in range(4):
        for i, j in np.ndindex(5, 5):
            others = STATES[s][np.arange(5) != i]
            assert answer[s, i, j] == line_of_sight(STATES[s, i], STATES[s, j], others)


def test_lists_of_blockers() -> None:
    whole = line_of_sight(SOURCES[:, None], TARGETS, BLOCKERS, blocks=BLOCKS)
    parts = [BLOCKERS[:2], BLOCKERS[2:2], BLOCKERS[2:]]
    assert line_of_sight(SOURCES[:, None], TARGETS, parts, blocks=BLOCKS).tolist() == whole.tolist()
    assert line_of_sight(SOURCES[:, None], TARGETS, tuple(parts), blocks=BLOCKS).tolist() == whole.tolist()


def test_a_list_of_states_and_terrain() -> None:
    """Bases that change from state to state beside polygons and bases that do not."""
    ring = np.array([[8.0, 8.0], [11.0, 7.5], [12.0, 10.0], [9.0, 11.0]])
    answer = line_of_sight(
        SOURCES[:, None], TARGETS, [STATES[:, None, None, :], Polygons([ring]), BLOCKERS[:1]]
    )
    assert answer.shape == (4, 9, 7)
    for s in range(4):
        still = line_of_sight(
            SOURCES[:, None], TARGETS, [Bases.concatenate([STATES[s], BLOCKERS[:1]]), Polygons([ring])]
        )
        assert answer[s].tolist() == still.tolist()


@pytest.mark.parametrize("turn", [1, -1], ids=["counter-clockwise", "clockwise"])
def test_a_polygon_blocks_as_the_rectangle_it_is(turn: int) -> None:
    blocks = bases_of(table(6, 6, shares=(1.0,)))
    rings = [corners[::turn] for corners in blocks.corners()]
    expected = line_of_sight(SOURCES[:, None], TARGETS, blocks)
    assert line_of_sight(SOURCES[:, None], TARGETS, Polygons(rings)).tolist() == expected.tolist()


@pytest.mark.parametrize("workers", [2, 3, -1])
def test_workers_change_nothing(workers: int) -> None:
    rng = np.random.default_rng(7)
    sources, targets = bases_of(table(8, 150)), bases_of(table(9, 150))
    states = bases_of(np.stack([table(int(seed), 5) for seed in rng.integers(1000, size=3)]))[
        :, None, None, :
    ]
    alone = line_of_sight(sources[:, None], targets, states)
    assert 0.1 < alone.mean() < 0.9
    assert np.array_equal(line_of_sight(sources[:, None], targets, states, workers=workers), alone)


def test_empty_in_empty_out() -> None:
    assert line_of_sight(SOURCES[:0], TARGETS[:0], BLOCKERS).shape == (0,)
    assert line_of_sight(SOURCES[:0, None], TARGETS, BLOCKERS).shape == (0, 7)
    assert line_of_sight(SOURCES[:, None], TARGETS, STATES[:0, None, None, :]).shape == (0, 9, 7)


def test_a_wider_arc_sees_more() -> None:
    narrow, middle, wide = (
        line_of_sight(SOURCES[:, None], TARGETS, BLOCKERS, half_angle=angle) for angle in (0.2, UP / 2, 1.5)
    )
    assert narrow.sum() < middle.sum() < wide.sum()
    assert not (narrow & ~middle).any()
    assert not (middle & ~wide).any()


def test_tolerance_decides_what_touches() -> None:
    """A spot beside the end of the Front Facing is seen when it touches it."""
    spots = Bases.point([1.005, 1.02], 1.0)
    assert line_of_sight(NORTH, spots).tolist() == [False, False]
    assert line_of_sight(NORTH, spots, tol=0.01).tolist() == [True, False]


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"half_angle": 0.0}, ValueError, "half_angle"),
        ({"half_angle": -0.1}, ValueError, "half_angle"),
        ({"half_angle": math.pi / 2}, ValueError, "half_angle"),
        ({"half_angle": math.nan}, ValueError, "half_angle"),
        ({"half_angle": "wide"}, TypeError, "half_angle"),
        ({"half_angle": [0.5]}, ValueError, r"half_angle must be one number, got \[0.5\]"),
        ({"half_angle": np.array([0.5, 0.6])}, ValueError, "half_angle must be one number"),
        ({"blocks": np.ones((9, 7, 4), dtype=bool)}, ValueError, "blocks"),
        ({"blocks": np.ones((2, 9, 7, 5), dtype=bool)}, ValueError, "blocks"),
        ({"targets": Polygons([[[0, 0], [1, 0], [0, 1]]])}, TypeError, "targets"),
        ({"targets": TARGETS[:4]}, ValueError, r"sources|targets"),
        ({"blockers": 3.0}, TypeError, "blockers"),
        ({"blockers": [BLOCKERS, "wall"]}, TypeError, r"blockers\[1\]"),
        ({"blockers": BLOCKERS[0]}, ValueError, "blockers"),
        ({"blockers": [BLOCKERS, BLOCKERS[0]]}, ValueError, r"blockers\[1\]"),
        ({"blockers": STATES}, ValueError, "blockers"),
    ],
    ids=repr,
)
def test_refused(options: dict[str, Any], error: type[Exception], message: str) -> None:
    sources = SOURCES if "targets" in options else SOURCES[:, None]
    arguments = {"sources": sources, "targets": TARGETS, "blockers": BLOCKERS} | options
    with pytest.raises(error, match=message):
        line_of_sight(**arguments)


# --- polygons that differ between questions -----------------------------------------------------------


def squares(seed: int, *shape: int) -> tuple[Polygons, Bases]:
    """The same squares as polygons and as bases."""
    rng = np.random.default_rng(seed)
    bases = Bases.rect(
        *rng.uniform(0, 18, (2, *shape)), rng.uniform(-3, 3, shape), width=rng.uniform(1, 3, shape), depth=1.5
    )
    rings = list(bases.corners().reshape(-1, 4, 2))
    return Polygons(rings).reshape(*shape), bases


@pytest.mark.parametrize(
    "shape",
    [
        (5,),
        (1, 5),
        (7, 5),
        (9, 1, 5),
        (9, 7, 5),
        (4, 1, 1, 5),
        (4, 1, 7, 5),
        (4, 9, 7, 5),
        (9, 7, 0),
    ],
    ids=str,
)
def test_polygons_with_leading_axes(shape: tuple[int, ...]) -> None:
    """They block as bases of the same outline do, whichever axes they change along."""
    outlines, bases = squares(13, *shape)
    expected = line_of_sight(SOURCES[:, None], TARGETS, bases)
    assert line_of_sight(SOURCES[:, None], TARGETS, outlines).tolist() == expected.tolist()
    assert expected.shape == np.broadcast_shapes(shape[:-1], (9, 7))
    blocks = np.random.default_rng(14).random((*expected.shape, shape[-1])) < 0.6
    for mask in (blocks, blocks[..., :1, :], blocks[..., :1], blocks[..., :1, :1, :]):
        expected = line_of_sight(SOURCES[:, None], TARGETS, bases, blocks=mask)
        answer = line_of_sight(SOURCES[:, None], TARGETS, outlines, blocks=mask)
        assert answer.tolist() == expected.tolist()


@pytest.mark.parametrize("touching", ["clear", "blocked"])
def test_lists_of_polygons_with_and_without_leading_axes(touching: Any) -> None:
    """Polygons and bases, of all states or of each, in one list with one mask."""
    still, still_bases = squares(15, 2)
    each, each_bases = squares(16, 4, 1, 1, 3)
    by_source, by_source_bases = squares(17, 9, 1, 2)
    states = STATES[:, None, None, :]
    blocks = np.random.default_rng(18).random((4, 9, 7, 12)) < 0.5
    parts = [still, states, each, by_source]
    same = [still_bases, states, each_bases, by_source_bases]
    options: Any = {"touching": touching}
    expected = line_of_sight(SOURCES[:, None], TARGETS, same, blocks=blocks, **options)
    answer = line_of_sight(SOURCES[:, None], TARGETS, parts, blocks=blocks, **options)
    assert answer.tolist() == expected.tolist()
    assert 0 < expected.sum() < expected.size
    every = line_of_sight(SOURCES[:, None], TARGETS, parts, **options)
    assert every.tolist() == line_of_sight(SOURCES[:, None], TARGETS, same, **options).tolist()


def test_polygons_taken_apart_and_repeated() -> None:
    """Views of one array of polygons, with one of them several times."""
    outlines, bases = squares(19, 6)
    chosen = np.array([[0, 1, 1], [5, 0, 2], [3, 3, 3]])[:, None, None, :]
    expected = line_of_sight(SOURCES[:, None], TARGETS, bases[chosen])
    assert line_of_sight(SOURCES[:, None], TARGETS, outlines[chosen]).tolist() == expected.tolist()
    blocks = np.random.default_rng(20).random((3, 9, 7, 3)) < 0.5
    expected = line_of_sight(SOURCES[:, None], TARGETS, bases[chosen], blocks=blocks)
    assert (
        line_of_sight(SOURCES[:, None], TARGETS, outlines[chosen], blocks=blocks).tolist()
        == expected.tolist()
    )


@pytest.mark.parametrize("shape", [(4, 1, 1, 5), (4, 9, 7, 5)], ids=str)
def test_polygons_that_hide_are_named_by_their_place_in_the_last_axis(shape: tuple[int, ...]) -> None:
    outlines, bases = squares(21, *shape)
    found, expected = (sight_lines(SOURCES[:, None], TARGETS, blockers) for blockers in (outlines, bases))
    assert np.array_equal(found.visible, expected.visible)
    assert len(expected.blockers) > 0
    assert int(found.blockers.blocker.max()) < 5
    assert set(zip(found.blockers.state, found.blockers.blocker, strict=True)) == set(
        zip(expected.blockers.state, expected.blockers.blocker, strict=True)
    )


@pytest.mark.parametrize("shape", [(4, 9, 7, 1), (1, 9, 7, 5), (4, 1, 1, 5), (1, 1, 1, 1), ()], ids=str)
def test_masks_of_many_states(shape: tuple[int, ...]) -> None:
    blocks = np.random.default_rng(22).random(shape) < 0.6
    full = np.broadcast_to(blocks, (4, 9, 7, 5))
    answer = line_of_sight(SOURCES[:, None], TARGETS, STATES[:, None, None, :], blocks=blocks)
    assert answer.tolist() == [one_by_one(STATES[i], full[i]).tolist() for i in range(4)]


@pytest.mark.parametrize("workers", [2, -1])
def test_workers_share_polygons_of_many_states(workers: int) -> None:
    outlines, _ = squares(23, 4, 1, 1, 6)
    sources, targets = bases_of(table(24, 80)), bases_of(table(25, 80))
    alone = line_of_sight(sources[:, None], targets, outlines)
    assert np.array_equal(line_of_sight(sources[:, None], targets, outlines, workers=workers), alone)
