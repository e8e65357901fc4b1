"""Line of sight against the brute-force reference, and laws that need none."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

from ninthgeom import Polygons, line_of_sight, sight_lines
from tests.reference.sight_checks import Tally, generated, seen, triangles
from tests.reference.sight_generators import (
    GENERATORS,
    random_polygon,
    random_sizes,
    rectangular_sources,
    round_sources,
)
from tests.reference.sight_reference import (
    Questions,
    concatenated,
    is_round,
    shapes_of_bases,
    shapes_of_polygons,
)
from tests.reference.sight_scenes import Pairs, bases_of, mirrored, posed

EACH = pytest.mark.parametrize("name", GENERATORS)
BOTH = pytest.mark.parametrize("touching", ["clear", "blocked"])


# --- against the reference --------------------------------------------------------------------------


@pytest.mark.jit_only
@EACH
def test_random_pairs(name: str) -> None:
    tally = Tally()
    tally.compare(name, generated(name, 1600))
    tally.check()


@pytest.mark.jit_only
@EACH
def test_random_pairs_where_touching_blocks(name: str) -> None:
    tally = Tally("blocked")
    tally.compare(name, generated(name, 300, seed=7))
    tally.check()


@pytest.mark.jit_only
def test_blockers_named_are_in_the_way() -> None:
    tally = Tally()
    for name in ("all_round", "touching", "aligned", "segments"):
        tally.compare(name, generated(name, 300, seed=8))
    assert tally.needless == []


@pytest.mark.jit_only
def test_blockers_named_are_in_the_way_of_facings() -> None:
    tally = Tally()
    for name in ("scattered", "battle_lines", "chains", "behind_facings"):
        tally.compare(name, generated(name, 300, seed=9))
    assert tally.needless == []
    assert tally.rows > 1000


# Targets just out of an arc of 0.2: source, target, blocker.
OUT_OF_ARC = [
    (
        [0, 0, math.pi / 2, 0.7164779616157998, 0, 0],
        [1.0043059123849822, 0.398527679742649, 2.860113223752907, 2.0218774628030394, 0.9681204990143849, 0],
        [
            0.3097257387,
            -0.0856998149,
            -2.0969868619,
            0.6023480504747524,
            1.0485877997834394,
            0.3011740252373762,
        ],
    ),
    (
        [0, 0, math.pi / 2, 0.506956367346663, 0.2794911355769841, 0],
        [1.7416904699155986, 1.3261406665832494, -0.766716216506397, 6.308919792523049, 0, 0],
        [3.2405164513353473, 0.6293171379916546, 1.7406251614080022, 2.67511162671739, 1.4079090616173013, 0],
    ),
]


def test_nothing_is_named_out_of_the_arc() -> None:
    answers = [
        sight_lines(
            *(bases_of(np.array(row)) for row in rows[:2]), bases_of(np.array(rows[2:])), half_angle=0.2
        )
        for rows in OUT_OF_ARC
    ]
    assert [(bool(found.visible), len(found.blockers)) for found in answers] == [(False, 0)] * 2


@pytest.mark.jit_only
@pytest.mark.parametrize("half_angle", [0.1, 0.5, 1.2, 1.5])
def test_other_arcs(half_angle: float) -> None:
    tally = Tally()
    for name in ("battle_lines", "behind_facings", "aligned", "curved"):
        tally.compare(name, generated(name, 250, seed=1), half_angle)
    tally.check()


def star(rng: Any, x: float, y: float, size: float) -> Any:
    """Outline with a notch between any two of its 3 to 6 tips, or a U, at any angle or upright; (n, 2)."""
    tips = int(rng.integers(3, 7))
    angle = math.pi * (np.arange(2 * tips) + rng.uniform(-0.3, 0.3, 2 * tips)) / tips
    radius = size * np.where(np.arange(2 * tips) % 2, rng.uniform(0.2, 0.6, 2 * tips), 1.0)
    if rng.random() < 0.3:
        turn = rng.choice([0.0, 0.5 * math.pi, rng.uniform(-3.0, 3.0)])
        c, s = math.cos(turn), math.sin(turn)
        u_shape = [(0, 0), (3, 0), (3, 2), (2, 2), (2, 1), (1, 1), (1, 2), (0, 2)]
        return 0.5 * size * np.array(u_shape) @ [[c, s], [-s, c]] + [x, y]
    return np.stack([x + radius * np.cos(angle), y + radius * np.sin(angle)], -1)


def terrain_scene(rng: Any, outline: Any) -> tuple[Any, Any, Any, list[Any], Any]:
    """Twelve sources, twelve targets, five bases and five polygons on a table, anywhere on the plane."""
    where = rng.uniform(-500, 500, 2)

    def placed(columns: Any, heading: Any) -> Any:
        columns[:, :2] = rng.uniform([0, 0], [36, 30], (len(columns), 2)) + where
        columns[:, 2] = heading
        return columns

    sources = np.concatenate([rectangular_sources(rng, 9), round_sources(rng, 3)])
    sources = placed(sources, rng.uniform(-math.pi, math.pi, 12))
    sizes = random_sizes(rng, 17, (0.6, 0.1, 0.1, 0.1, 0.1, 0.0))
    others = placed(np.concatenate([np.zeros((17, 3)), sizes], -1), rng.uniform(-math.pi, math.pi, 17))
    rings = [outline(rng, *(rng.uniform([0, 0], [36, 30]) + where), rng.uniform(1, 4)) for _ in range(5)]
    return sources, others[:12], others[12:], rings, rng.random((12, 12, 10)) < 0.7


def compare_tables(tally: Tally, outline: Any, tables: int, seed: Any) -> None:
    """All pairs of some tables, polygons and bases in one list, with a mask of its own for each pair."""
    rng = np.random.default_rng(seed)
    s, t = (index.ravel() for index in np.indices((12, 12)))
    options: Any = {"touching": tally.touching}
    for i in range(tables):
        sources, targets, others, rings, blocks = terrain_scene(rng, outline)
        parts = [triangles(ring) for ring in rings]
        pieces = [part for polygon in parts for part in polygon]
        owner = np.repeat(np.arange(10), [1] * 5 + [len(part) for part in parts])
        shapes = concatenated(shapes_of_bases(others), shapes_of_polygons(pieces))
        every = shapes[np.broadcast_to(np.arange(len(owner)), (144, len(owner)))]
        counts = blocks.reshape(144, 10)
        questions = Questions.of(sources[s], targets[t], every, counts[:, owner])
        blockers = [bases_of(others), Polygons(rings)]
        answer = line_of_sight(
            bases_of(sources)[:, None], bases_of(targets), blockers, blocks=blocks, **options
        ).ravel()
        label = f"table {i} of {seed}"
        tally.add(label, answer, *tally.robust(questions))

        eyes, aims = bases_of(sources[s]), bases_of(targets[t])
        found = sight_lines(eyes, aims, blockers, blocks=counts, **options)
        tally.check_lines(label, questions, answer, found)
        named = np.zeros_like(counts)
        named[found.blockers.state, found.blockers.blocker] = True
        pair, piece = np.nonzero(named[:, owner])
        cuts = np.zeros_like(counts)
        np.logical_or.at(cuts, (pair, owner[piece]), questions.cuts_some_line(pair, piece))
        in_arc, without = (
            line_of_sight(eyes, aims, blockers, blocks=mask, **options) for mask in (False, counts & ~named)
        )
        tally.check_names(label, answer, in_arc, without, named, counts, cuts)


@pytest.mark.jit_only
@BOTH
@pytest.mark.parametrize("outline", [random_polygon, star])
def test_terrain_and_masks(outline: Any, touching: str) -> None:
    tally = Tally(touching)
    compare_tables(tally, outline, 8 if touching == "clear" else 2, 11)
    tally.check()


@pytest.mark.verify
@pytest.mark.jit_only
def test_terrain_of_many_tables() -> None:
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    for touching in ("clear", "blocked"):
        for outline in (random_polygon, star):
            tally = Tally(touching)
            compare_tables(tally, outline, 40, seed)
            print(f"\n{outline.__name__}, touching {touching}, seed {seed}: {tally}", flush=True)
            tally.check()


@pytest.mark.parametrize(
    ("name", "seed", "pair"),
    [
        ("files", 2287764636, 2263),  # a wall seen edge on beside what it touches
        ("files", 4008893818, 1321),  # a seam on the tangent of source and target, beside the source
        ("on_targets", 1418829016, 3970),  # a wall flush with the front of a round target, cut along itself
        ("on_targets", 1418829018, 3325),
        ("on_targets", 1418829019, 3253),
        ("on_targets", 1418829031, 2926),
        ("on_targets", 3477453182, 1054),  # named too little: a line of no width
        ("on_targets", 992, 2243),  # two blockers that cover the same round corner of a target
    ],
)
def test_pairs_that_once_were_wrong(name: str, seed: int, pair: int) -> None:
    tally = Tally()
    for half_angle in (math.pi / 4, 1.3):
        tally.compare("once wrong", generated(name, 4000, seed)[pair : pair + 1], half_angle)
    assert tally.wrong == []
    assert tally.compared > 0


def run_chunks(touching: str, chunks: int, size: int = 4000) -> Tally:
    """Chunks of all generators, every fifth with another arc.

    Two threads: reference and kernels release the GIL.
    """
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    print(f"\nline of sight against the reference, touching {touching}, seed {seed}", flush=True)
    tallies = {name: Tally(touching) for name in GENERATORS}

    def work(job: tuple[str, int]) -> None:
        name, chunk = job
        half_angle = (0.2, 1.3)[chunk // 5 % 2] if chunk % 5 == 4 else math.pi / 4
        label = f"generated({name!r}, {size}, {seed + chunk}), half_angle={half_angle:.3g},"
        tallies[name].compare(label, generated(name, size, seed + chunk), half_angle)

    with ThreadPoolExecutor(2) as pool:  # chunks of one generator one after the other: they share a tally
        for chunk in range(chunks):
            list(pool.map(work, [(name, chunk) for name in GENERATORS]))
    total = Tally(touching)
    for name, tally in tallies.items():
        print(f"{name:15} {tally}")
        total.absorb(tally)
    print(f"{'all':15} {total}", flush=True)
    for tally in [total, *tallies.values()]:
        tally.check()
    return total


@pytest.mark.verify
@pytest.mark.jit_only
def test_a_million_pairs() -> None:
    assert run_chunks("clear", 20).compared >= 1_000_000


@pytest.mark.verify
@pytest.mark.jit_only
def test_pairs_where_touching_blocks() -> None:
    assert run_chunks("blocked", 1).compared >= 50_000


# --- laws -------------------------------------------------------------------------------------------


@BOTH
@EACH
def test_moving_and_mirroring_change_nothing(name: str, touching: str) -> None:
    """Also where things touch: the generator of aligned scenes makes little else."""
    rng = np.random.default_rng(3)
    pairs = GENERATORS[name](rng, 200)
    answer = seen(pairs, touching=touching)
    for _ in range(4):
        for again in (posed(pairs, rng), posed(mirrored(pairs), rng)):
            assert np.flatnonzero(seen(again, touching=touching) != answer).tolist() == []


@EACH
def test_touching_blocks_more(name: str) -> None:
    pairs = generated(name, 300, seed=1)
    assert np.flatnonzero(seen(pairs, touching="blocked") & ~seen(pairs)).tolist() == []


@BOTH
@EACH
def test_a_further_blocker_never_makes_visible(name: str, touching: str) -> None:
    pairs = generated(name, 300, seed=2)
    fewer = pairs.blocks & (np.random.default_rng(5).random(pairs.blocks.shape) < 0.7)
    with_fewer = seen(Pairs(pairs.sources, pairs.targets, pairs.blockers, fewer), touching=touching)
    assert np.flatnonzero(seen(pairs, touching=touching) & ~with_fewer).tolist() == []


@BOTH
@EACH
def test_a_smaller_blocker_never_hides(name: str, touching: str) -> None:
    pairs = generated(name, 300, seed=3)
    smaller = pairs.blockers.copy()
    smaller[..., 3:] *= np.random.default_rng(6).uniform(0.7, 1.0, (*pairs.blocks.shape, 1))
    with_smaller = seen(Pairs(pairs.sources, pairs.targets, smaller, pairs.blocks), touching=touching)
    assert np.flatnonzero(seen(pairs, touching=touching) & ~with_smaller).tolist() == []


def halves(blockers: Any, lengthwise: bool) -> Any:
    """Each rectangle as two that touch along the middle, (P, 2 B, 6); what is round stays, twice."""
    first, second = blockers.copy(), blockers.copy()
    size = 4 if lengthwise else 3  # depth, width
    turn = blockers[..., 2] + (0 if lengthwise else math.pi / 2)
    cut = (blockers[..., 5] == 0) & (blockers[..., size] > 0)
    for part, sign in ((first, 1), (second, -1)):
        part[..., size] = np.where(cut, blockers[..., size] / 2, blockers[..., size])
        step = np.where(cut, sign * blockers[..., size] / 4, 0.0)
        part[..., 0] += step * np.cos(turn)
        part[..., 1] += step * np.sin(turn)
    return np.concatenate([first, second], axis=1)


@BOTH
@pytest.mark.parametrize("lengthwise", [False, True])
@EACH
def test_halves_in_contact_block_as_the_whole(name: str, lengthwise: bool, touching: str) -> None:
    pairs = generated(name, 200, seed=4)
    cut = Pairs(pairs.sources, pairs.targets, halves(pairs.blockers, lengthwise), np.tile(pairs.blocks, 2))
    whole, halved = seen(pairs, touching=touching), seen(cut, touching=touching)
    assert np.flatnonzero(whole != halved).tolist() == []


@BOTH
def test_sight_of_round_bases_is_symmetric(touching: str) -> None:
    rng = np.random.default_rng(8)
    pairs = GENERATORS["all_round"](rng, 1000)
    pairs = pairs[is_round(pairs.targets)]
    back = Pairs(pairs.targets, pairs.sources, pairs.blockers, pairs.blocks)
    assert len(pairs) > 200
    assert np.flatnonzero(seen(pairs, touching=touching) != seen(back, touching=touching)).tolist() == []


@EACH
def test_own_bases_never_block(name: str) -> None:
    """A line leaves its own base at once and ends where it enters the target."""
    pairs = generated(name, 200, seed=5)
    own = np.stack([pairs.sources, pairs.targets], axis=1)
    with_own = Pairs(
        pairs.sources,
        pairs.targets,
        np.concatenate([pairs.blockers, own], axis=1),
        np.pad(pairs.blocks, ((0, 0), (0, 2)), constant_values=True),
    )
    assert np.flatnonzero(seen(pairs) != seen(with_own)).tolist() == []


def test_order_of_the_blockers_does_not_matter() -> None:
    for name in GENERATORS:
        pairs = generated(name, 200, seed=6)
        back = Pairs(pairs.sources, pairs.targets, pairs.blockers[:, ::-1], pairs.blocks[:, ::-1])
        assert np.flatnonzero(seen(pairs) != seen(back)).tolist() == []


# --- cost -------------------------------------------------------------------------------------------

# Round sources before blockers that touch in one point: all lines near the contact are nearly free.
HARD = [
    (
        [0, 0, 1.4284159896344999, 1.7405262987084364, 1.5289151661464899, 0.76445758307324496],
        [
            -1.0415894579222038,
            11.154927308828846,
            1.9717720757001906,
            1.7415635443192417,
            1.7996782658649366,
            0,
        ],
        [
            -0.38338406546106141,
            3.2295209729973706,
            0.10900056691783577,
            2.043616872052624,
            2.4132273439120446,
            0,
        ],
        [
            0.94535528217595899,
            5.0306527651005339,
            0.21735195194293278,
            1.1737708232480895,
            0.75169088636400572,
            0,
        ],
    ),
    (
        [0, 0, 0.30028962034806339, 1.1610702145792082, 1.7032395483024978, 0.58053510728960411],
        [
            0.72217158854966501,
            13.53265802971789,
            0.72369479497407951,
            3.9599333168320801,
            1.1295919769712215,
            0,
        ],
        [
            -0.31176093816665873,
            3.900413558162815,
            0.81015749555192729,
            3.4401343850359405,
            3.1752326137204037,
            0,
        ],
        [1.9503601271974982, 4.996133690527464, -3.0724410844981045, 2.2683113457741135, 0, 0],
    ),
]


@pytest.mark.jit_only
@pytest.mark.parametrize("rows", HARD)
def test_hard_pairs_stay_cheap(rows: tuple[list[float], ...]) -> None:
    source, target, *blockers = rows
    arguments = bases_of(np.array(source)), bases_of(np.array(target)), bases_of(np.array(blockers))
    line_of_sight(*arguments)
    started = time.thread_time()
    line_of_sight(*arguments)
    assert time.thread_time() - started < 0.1
