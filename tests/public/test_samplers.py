"""Samplers against the distributions they document: exact laws, moments within 5 standard errors, bounds.

Where a distribution has a closed form, that is compared with; deployments are compared with areas and
distances that shapely measures.
"""

import itertools
import json
import math
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
import shapely
from scipy import stats

from ninthgeom import Attached, Board, Polygons, Scene, Terrain, Unit, armies, read_scene, samplers, t9a

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.json"))
DATA = ROOT / ".." / "shared" / "data" / "armies.jsonl"


def rng(seed=1):
    return np.random.default_rng(seed)


def assert_mean(values, mean, variance):
    """The mean of values with this variance is within 5 standard errors of what it should be."""
    values = np.asarray(values, dtype=np.float64).ravel()
    assert abs(values.mean() - mean) <= 5 * math.sqrt(variance / values.size), (values.mean(), mean)


def assert_share(truths, chance):
    assert_mean(truths, chance, chance * (1 - chance))


def assert_shares(values, chances):
    """Values are those of a discrete distribution, all of them and each as often as it should be."""
    counts = Counter(np.asarray(values).tolist())
    assert set(counts) <= set(chances)
    n = sum(counts.values())
    assert sum(chances.values()) == pytest.approx(1)
    for value, chance in chances.items():
        error = math.sqrt(chance * (1 - chance) / n)
        assert abs(counts[value] / n - chance) <= 5 * error, (value, counts[value] / n, chance)


# ---------------------------------------------------------------------------------------------- poses


@pytest.fixture(scope="module")
def scene():
    return armies.generate_battle(2, units_per_side=5)


def moves(scene, states):
    return scene.board.centres(states) - scene.board.centres(scene.positions)


def test_jitter_is_uniform_in_the_disc_and_in_the_angle(scene):
    states = samplers.pose_jitter(rng(), scene, 20_000, distance=0.5, angle=0.2)
    assert states.shape == (20_000, 10, 3)
    x, y, turn = np.moveaxis(moves(scene, states), -1, 0)
    distance = np.hypot(x, y)
    assert 0.4999 < distance.max() < 0.5 + 1e-9
    assert 0.1999 < np.abs(turn).max() < 0.2 + 1e-9
    # the moments of a disc of radius r: of x r^2/4 and r^4/8, of the squared distance r^2/2 and r^4/12
    for along in (x, y):
        assert_mean(along, 0, 0.5**2 / 4)
        assert_mean(along**2, 0.5**2 / 4, 0.5**4 / 8 - 0.5**4 / 16)
    assert_mean(distance**2, 0.5**2 / 2, 0.5**4 / 12)
    assert_mean(x * y, 0, 0.5**4 / 24)
    assert_mean(turn, 0, 0.2**2 / 3)
    assert_mean(turn**2, 0.2**2 / 3, 0.2**4 / 5 - 0.2**4 / 9)
    assert_share(distance < 0.25, 1 / 4)
    assert_share(turn < -0.1, 1 / 4)
    # neither the coordinates nor the units have to do with each other
    assert_mean(distance**2 * turn, 0, 0.5**4 / 3 * 0.2**2 / 3)
    assert_mean(x[:, ::2] * x[:, 1::2], 0, (0.5**2 / 4) ** 2)
    assert_mean(turn[:, ::2] * turn[:, 1::2], 0, (0.2**2 / 3) ** 2)


def test_jitter_is_normal_of_these_standard_deviations(scene):
    each = np.linspace(0.1, 1, 10)
    states = samplers.pose_jitter(rng(), scene, 20_000, distance=each, angle=each / 5, kind="normal")
    moved = moves(scene, states) / np.stack([each, each, each / 5], axis=-1)
    for i in range(3):
        assert_mean(moved[..., i], 0, 1)
        assert_mean(moved[..., i] ** 2, 1, 2)
        assert_mean(moved[..., i] ** 4, 3, 96)
        assert_mean(moved[..., i] * moved[..., i - 1], 0, 1)
        for unit in range(10):
            assert_mean(moved[:, unit, i] ** 2, 1, 2)
    assert_share(moved < -1, 0.15865525393145707)
    assert_mean(moved[:, ::2] * moved[:, 1::2], 0, 1)


@pytest.mark.parametrize("kind", ["uniform", "normal"])
def test_jitter_of_some_units_leaves_the_others(scene, kind):
    everybody = samplers.pose_jitter(rng(), scene, 50, kind=kind)
    again = samplers.pose_jitter(
        rng(), scene, 50, kind=kind, distance=np.ones(10), angle=[math.radians(15)] * 10
    )
    np.testing.assert_array_equal(everybody, again)
    some = samplers.pose_jitter(rng(), scene, 50, kind=kind, units=[scene.board.names[3], 7])
    moving = np.isin(np.arange(10), [3, 7])
    np.testing.assert_array_equal(some[:, moving], everybody[:, moving])
    np.testing.assert_array_equal(some[:, ~moving], np.tile(scene.positions[~moving], (50, 1, 1)))
    away = Scene(scene.board, scene.positions, present=~moving)
    left = samplers.pose_jitter(rng(), away, 50, kind=kind)
    np.testing.assert_array_equal(left[:, ~moving], everybody[:, ~moving])
    np.testing.assert_array_equal(left[:, moving], np.tile(scene.positions[moving], (50, 1, 1)))


def test_jitter_of_nothing_and_by_nothing(scene):
    still = samplers.pose_jitter(rng(), scene, 2, distance=0, angle=0)
    np.testing.assert_allclose(still, np.stack([scene.positions] * 2), atol=1e-12)
    assert samplers.pose_jitter(rng(), scene, 0).shape == (0, 10, 3)
    nobody = Scene(Board([]), np.empty((0, 3)))
    assert samplers.pose_jitter(rng(), nobody, 4).shape == (4, 0, 3)
    np.testing.assert_array_equal(
        samplers.pose_jitter(rng(), scene, 3, units=[]), np.stack([scene.positions] * 3)
    )


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_file_armies_are_moved(path):
    scene = read_scene(path)
    states = samplers.pose_jitter(rng(), scene, 200, distance=2, angle=0.5)
    assert states.shape == (200, *scene.positions.shape)
    x, y, turn = np.moveaxis(moves(scene, states), -1, 0)
    here = np.ones(len(scene.board), bool) if scene.present is None else scene.present
    assert (np.hypot(x, y) < 2 + 1e-9).all()
    assert (np.abs(turn) < 0.5 + 1e-9).all()
    assert (np.hypot(x, y).max(axis=0)[here] > 1.5).all()


# ---------------------------------------------------------------------------------------------- dice


def sums(dice, sides, keep=None, highest=True):
    """Chance of every sum, by all throws."""
    throws = itertools.product(range(1, sides + 1), repeat=dice)
    kept = dice if keep is None else keep
    totals = Counter(sum(sorted(throw, reverse=highest)[:kept]) for throw in throws)
    return {total: count / sides**dice for total, count in totals.items()}


@pytest.mark.parametrize(
    ("dice", "sides", "keep", "highest"),
    [
        (2, 6, None, True),
        (1, 20, None, True),
        (3, 6, 2, True),
        (3, 6, 2, False),
        (4, 4, 1, True),
        (4, 4, 1, False),
        (2, 6, 0, True),
        (0, 6, None, True),
        (3, 1, 2, True),
    ],
)
def test_charges_are_sums_of_the_dice_kept(dice, sides, keep, highest):
    ranges = samplers.charge_distances(
        rng(), 40_000, dice=dice, sides=sides, keep=keep, highest=highest, add=4.5
    )
    assert ranges.dtype == np.float64
    assert_shares(ranges - 4.5, sums(dice, sides, keep, highest))


def test_charges_of_any_shape_are_independent():
    ranges = samplers.charge_distances(rng(), (20_000, 3))
    assert ranges.shape == (20_000, 3)
    variance = 35 / 6
    for i in range(3):
        assert_mean(ranges[:, i], 7, variance)
        assert_mean((ranges[:, i] - 7) * (ranges[:, i - 1] - 7), 0, variance**2)
    assert samplers.charge_distances(rng(), 0).shape == (0,)
    assert samplers.charge_distances(rng(), (4, 0)).shape == (4, 0)
    assert samplers.charge_distances(rng(), (), dice=0, add=3) == 3


def test_what_is_added_is_for_all_or_for_each():
    rolls = samplers.charge_distances(rng(), (50, 3))
    for add in (4, np.int8(4), np.float32(2.5), [4, 0, 9.5], [[1]] * 50, rng(2).random((50, 3))):
        found = samplers.charge_distances(rng(), (50, 3), add=add)
        assert found.shape == (50, 3)
        np.testing.assert_array_equal(found, rolls + np.asarray(add, float))
    for add in ([1, 2], [[1, 2, 3]] * 49, np.zeros((1, 50, 3))):
        with pytest.raises(ValueError, match=r"^add: must broadcast to shape \(50, 3\), got shape"):
            samplers.charge_distances(rng(), (50, 3), add=add)
    for add in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match=r"^add: must broadcast to shape \(\), got shape"):
            samplers.charge_distances(rng(), (), add=add)
    assert samplers.charge_distances(rng(), (0, 2), add=[1, 2]).shape == (0, 2)


def test_scatter_goes_everywhere_alike():
    moved = samplers.scatter(rng(), 50_000, hit=0.3)
    assert moved.shape == (50_000, 2)
    distance = np.hypot(*moved.T)
    chances = {total: 0.7 * chance for total, chance in sums(2, 6).items()}
    assert_shares(distance.round(9), {0: 0.3, **chances})
    x, y = moved[distance > 0].T
    square = sum(total**2 * chance for total, chance in sums(2, 6).items())
    fourth = sum(total**4 * chance for total, chance in sums(2, 6).items())
    assert_mean(x, 0, square / 2)
    assert_mean(y, 0, square / 2)
    assert_mean(x * y, 0, fourth / 8)
    assert_mean(x**2 - y**2, 0, fourth / 2)
    angle = np.arctan2(y, x)
    for eighth in range(8):
        assert_share((angle + math.pi) // (math.pi / 4) == eighth, 1 / 8)
    # how far has to do with where to as little as with whether
    unit = distance[distance > 0] - 7
    assert_mean(unit * np.cos(3 * angle), 0, 35 / 12)


@pytest.mark.parametrize("directions", [1, 4, 7])
def test_scatter_in_equally_spaced_directions(directions):
    moved = samplers.scatter(rng(), (10_000, 2), dice=1, sides=3, directions=directions)
    assert moved.shape == (10_000, 2, 2)
    x, y = moved.reshape(-1, 2).T
    turns = np.arctan2(y, x) / (2 * math.pi) * directions
    assert np.abs(turns - turns.round()).max() < 1e-9
    assert_shares(turns.round() % directions, dict.fromkeys(range(directions), 1 / directions))
    assert_shares(np.hypot(x, y).round(9), {1: 1 / 3, 2: 1 / 3, 3: 1 / 3})


def test_scatter_that_never_or_always_hits():
    assert (samplers.scatter(rng(), 500, hit=1) == 0).all()
    assert (np.hypot(*samplers.scatter(rng(), 5000, hit=0).T) > 1.9).all()
    assert (samplers.scatter(rng(), 5, dice=0) == 0).all()
    assert samplers.scatter(rng(), 0).shape == (0, 2)
    assert samplers.scatter(rng(), ()).shape == (2,)


# ---------------------------------------------------------------------------------------------- casualties

REGIMENT = Board(
    [
        Unit("spears", (20, 20), models=13, files=5, attached=[Attached("captain", (20, 20))]),
        Unit("giant", (50, 75), side=1, height=5),
        Unit("pack", (25, 25), models=5, files=3, occupied=[True, True, True, True, False, True]),
    ]
)


def rear_order(unit):
    """Slots of a unit from the first casualty to the last."""
    n = unit.layout.n_ranked
    return [*reversed(range(n)), *reversed(range(n, unit.n_slots))]


def without(board, living, losses):
    """The mask after losses from the rear, one model at a time."""
    living = living.copy()
    for unit, slots, lost in zip(board.units, board.model_slices, losses, strict=True):
        there = [slots.start + slot for slot in rear_order(unit) if living[slots.start + slot]]
        living[there[: int(lost)]] = False
    return living


def test_casualties_from_the_rear_by_hand():
    spears, giant, pack = REGIMENT.model_slices
    # the captain stands in the middle of the first rank: four spears beside him, then five, then four
    left = samplers.casualties(rng(), REGIMENT, 1, losses=[4, 0, 2])[0]
    assert left[spears].tolist() == [True] * 9 + [False] * 5 + [True]
    assert left[giant].all()
    assert left[pack].tolist() == [True, True, True, False, False, False]
    left = samplers.casualties(rng(), REGIMENT, 1, losses=[13, 1, 1])[0]
    assert left[spears].tolist() == [False] * 14 + [True]
    assert not left[giant].any()
    assert left[pack].tolist() == [True, True, True, True, False, False]
    assert not samplers.casualties(rng(), REGIMENT, 1, losses=14).any()


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_casualties_from_the_rear_one_by_one(path):
    scene = read_scene(path)
    board, n = scene.board, 40
    before = board.occupied & (rng().random((n, board.n_models)) < 0.8)
    losses = rng(2).integers(0, 9, (n, len(board)))
    left = samplers.casualties(rng(), board, n, losses=losses, occupied=before)
    expected = [without(board, living, lost) for living, lost in zip(before, losses, strict=True)]
    np.testing.assert_array_equal(left, expected)
    # what the rear loses leaves no gaps to fill
    filled = board.fill_ranks(samplers.casualties(rng(), board, n, losses=losses))
    np.testing.assert_array_equal(filled, samplers.casualties(rng(), board, n, losses=losses))


@pytest.mark.parametrize("order", ["rear", "anywhere"])
def test_never_more_casualties_than_models(order):
    n = 3000
    before = REGIMENT.occupied & (rng().random((n, REGIMENT.n_models)) < 0.7)
    kept = before.copy()
    losses = rng(2).integers(0, 20, (n, 3))
    left = samplers.casualties(rng(), REGIMENT, n, losses=losses, order=order, occupied=before)
    assert not (left & ~before).any()
    np.testing.assert_array_equal(before, kept)
    for i, slots in enumerate(REGIMENT.model_slices):
        had, has = before[:, slots].sum(axis=1), left[:, slots].sum(axis=1)
        np.testing.assert_array_equal(had - has, np.minimum(had, losses[:, i]))


def test_casualties_from_anywhere_take_every_choice_alike():
    board = Board([Unit("five", (20, 20), models=3, files=3, attached=[Attached("two", (40, 20))])])
    left = samplers.casualties(rng(), board, 40_000, losses=2, order="anywhere")
    living = np.flatnonzero(board.occupied)  # three in two ranks, the first of one file, and the character
    assert living.tolist() == [0, 1, 2, 4]
    pairs = [tuple(pair) for pair in itertools.combinations(living.tolist(), 2)]
    found = [pairs.index(tuple(np.flatnonzero(row).tolist())) for row in left]
    assert_shares(found, dict.fromkeys(range(6), 1 / 6))


def binomial(n, chance):
    return {k: math.comb(n, k) * chance**k * (1 - chance) ** (n - k) for k in range(n + 1)}


@pytest.mark.parametrize("order", ["rear", "anywhere"])
def test_numbers_lost_by_chance_are_binomial(order):
    chances = np.array([0.3, 0.5, 0.05])
    left = samplers.casualties(rng(), REGIMENT, 40_000, chances=chances, order=order)
    models = [14, 1, 5]
    for i, slots in enumerate(REGIMENT.model_slices):
        assert_shares(models[i] - left[:, slots].sum(axis=1), binomial(models[i], chances[i]))
    spears = left[:, REGIMENT.model_slices[0]]
    if order == "anywhere":  # each on its own
        each = spears[:, REGIMENT.occupied[:15]]
        for i in range(14):
            assert_share(each[:, i], 0.7)
            assert_mean((each[:, i] - 0.7) * (each[:, i - 1] - 0.7), 0, 0.21**2)
    else:
        assert (np.diff(spears[:, :14].astype(int), axis=1) <= 0).all()
        assert_share(spears[:, 0], 1 - sum(binomial(14, 0.3)[k] for k in (13, 14)))
        assert_share(spears[:, 14], 1 - 0.3**14)
    lost = [spears.sum(axis=1) - 9.8, left[:, REGIMENT.model_slices[2]].sum(axis=1) - 4.75]
    assert_mean(lost[0] * lost[1], 0, 14 * 0.21 * 5 * 0.0475)


def test_casualties_none_all_and_of_nobody():
    np.testing.assert_array_equal(
        samplers.casualties(rng(), REGIMENT, 3, losses=0), [REGIMENT.occupied.tolist()] * 3
    )
    assert (samplers.casualties(rng(), REGIMENT, 500, chances=0) == REGIMENT.occupied).all()
    assert not samplers.casualties(rng(), REGIMENT, 500, chances=1).any()
    assert samplers.casualties(rng(), REGIMENT, 0, losses=1).shape == (0, REGIMENT.n_models)
    assert samplers.casualties(rng(), Board([]), 3, losses=1).shape == (3, 0)
    dead = np.zeros(REGIMENT.n_models, bool)
    assert not samplers.casualties(rng(), REGIMENT, 5, losses=3, order="anywhere", occupied=dead).any()


# ---------------------------------------------------------------------------------------------- deployments


def cores(boundaries):
    """What is left of boundaries without their rounding, as shapely geometries, and the radii: exact."""
    shapes = []
    flat = boundaries.reshape(-1)
    for x, y, heading, width, depth, radius in zip(
        flat.x, flat.y, flat.heading, flat.width, flat.depth, flat.radius, strict=True
    ):
        along, across = depth / 2 - radius, width / 2 - radius
        ahead = np.array([math.cos(heading), math.sin(heading)]) * along
        aside = np.array([-math.sin(heading), math.cos(heading)]) * across
        corners = [(x, y) + ahead * i + aside * k for i, k in ((1, 1), (1, -1), (-1, -1), (-1, 1))]
        shapes.append(shapely.MultiPoint(corners).convex_hull)
    return np.array(shapes, object).reshape(boundaries.shape), boundaries.radius


def assert_deployed(board, states, zones, spacing=1.0, present=None, occupied=None):
    """Every unit in its zone and on the table, more than `spacing` from all others and what is impassable."""
    here = np.arange(len(board)) if present is None else np.flatnonzero(present)
    shapes, radius = cores(board.boundaries(np.nan_to_num(states), occupied)[:, here])
    apart = shapely.distance(shapes[:, :, None], shapes[:, None]) - radius[:, :, None] - radius[:, None]
    apart[:, np.arange(len(here)), np.arange(len(here))] = np.inf
    assert apart.min(initial=np.inf) > spacing
    table = shapely.box(0, 0, *board.size)
    for place, i in enumerate(here.tolist()):
        own = zones.get(board.names[i], zones.get(int(board.side[i])))
        free = table & shapely.Polygon(own)
        edges = free.boundary
        for shape, r in zip(shapes[:, place], radius[:, place], strict=True):
            assert free.buffer(1e-6).covers(shape)
            assert r == 0 or edges.distance(shape) > r - 1e-6
    for piece in board.terrain:
        if piece.kind == "impassable":
            distance = shapely.distance(shapes, shapely.Polygon(piece.outline)) - radius
            assert distance.min(initial=np.inf) > spacing


LINES = {0: [(0, 0), (72, 0), (72, 18), (0, 18)], 1: [(0, 30), (72, 30), (72, 60), (0, 60)]}
ROUND_THE_HILL = [(-5, -5), (80, -5), (80, 50), (50, 50), (36, 10), (22, 50), (-5, 50)]


@pytest.mark.parametrize("seed", range(3))
def test_generated_armies_are_deployed(seed):
    board = armies.generate_battle(seed, terrain=8).board
    pose = samplers.deployments(rng(seed), board, 12, zones=LINES)
    assert pose.shape == (12, len(board), 3)
    assert_deployed(board, pose, LINES)
    assert t9a.legal(board, pose).all()
    wide = {0: ROUND_THE_HILL, 1: ROUND_THE_HILL}
    assert_deployed(board, samplers.deployments(rng(seed), board, 12, zones=wide, spacing=0), wide, 0)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_file_armies_are_deployed(path):
    scene = read_scene(path)
    board = scene.board
    width, height = board.size
    zones = {side: shapely.box(0, 0, width, height) for side in range(2)}
    states = samplers.deployments(
        rng(), board, 8, zones=zones, present=scene.present, occupied=scene.occupied
    )
    assert_deployed(board, states, zones, present=scene.present, occupied=scene.occupied)


@pytest.mark.skipif(not DATA.exists(), reason="the army lists are not there")
def test_armies_of_real_lists_are_deployed():
    lists = [json.loads(line) for line in DATA.read_text(encoding="utf-8").splitlines()]
    for one, two in zip(lists[::40], lists[20::40], strict=True):
        board = Board([*armies.army_from_list(one), *armies.army_from_list(two, side=1)])
        states = samplers.deployments(rng(), board, 3, zones=LINES)
        assert_deployed(board, states, LINES)
        left = samplers.casualties(rng(), board, 3, chances=0.3)
        assert (t9a.evaluate(board, states, occupied=left, questions=["distance"]).distance > 1).all()


def test_headings_are_kept_and_the_rest_is_uniform():
    board = Board([Unit("guard", (50.8, 25.4), models=6, files=3)])  # 6 inches wide, 2 deep
    zone = {0: [(10, 10), (30, 10), (30, 22), (10, 22)]}
    n = 20_000
    states = samplers.deployments(rng(), board, n, zones=zone, headings=math.pi / 2)
    assert (states[..., 2] == math.pi / 2).all()
    x, y = states[:, 0, 0], states[:, 0, 1]
    for values, low, high in ((x, 13, 27), (y, 12, 22)):
        assert low - 1e-6 <= values.min() < low + 0.01
        assert high - 0.01 < values.max() <= high + 1e-6
        assert_mean(values, (low + high) / 2, (high - low) ** 2 / 12)
        assert_mean((values - (low + high) / 2) ** 2, (high - low) ** 2 / 12, (high - low) ** 4 / 180)
    assert_mean((x - 20) * (y - 17), 0, 14**2 / 12 * 10**2 / 12)
    each = rng(2).uniform(-9, 9, (50, 1))
    states = samplers.deployments(rng(), board, 50, zones=zone, headings=each)
    np.testing.assert_array_equal(states[..., 2], each)
    assert_deployed(board, states, zone)


def test_headings_are_as_likely_as_they_have_room():
    """In a narrow zone a bar seldom stands across; its share of the poses is that of the free area."""
    board = Board([Unit("bar", (25.4, 127))])  # 1 by 5 inches
    zone = {0: [(20, 20), (32, 20), (32, 26), (20, 26)]}
    heading = samplers.deployments(rng(), board, 30_000, zones=zone)[:, 0, 2]
    assert 0 <= heading.min() < 0.01
    assert 2 * math.pi - 0.01 < heading.max() <= 2 * math.pi
    angle = (np.arange(200_000) + 0.5) / 200_000 * 2 * math.pi
    cos, sin = np.abs(np.cos(angle)), np.abs(np.sin(angle))
    area = np.maximum(12 - 5 * cos - sin, 0) * np.maximum(6 - 5 * sin - cos, 0)
    twelfths = np.arange(12) * math.pi / 6
    for low in twelfths:
        inside = (angle >= low) & (angle < low + math.pi / 6)
        assert_share((heading >= low) & (heading < low + math.pi / 6), area[inside].sum() / area.sum())


def test_round_units_are_uniform_over_the_free_area():
    """Next to a unit that fills its zone, a rock, a notch and the edge of the table."""
    rock = [(20, 2), (24, 2), (24, 5), (22, 4), (20, 5)]
    wood = [(2, 2), (9, 2), (9, 9), (2, 9)]
    board = Board(
        [Unit("fort", (101.6, 101.6)), Unit("ball", 50.8, shape="round", side=1)],
        [Terrain(rock, kind="impassable"), Terrain(wood, kind="forest")],
        size=(30, 20),
    )
    own = shapely.Polygon([(-4, -4), (40, -4), (40, 18), (16, 18), (13, 11), (10, 18), (-4, 18)])
    zones = {"fort": [(10, 4), (14, 4), (14, 8), (10, 8)], 1: own}
    n = 30_000
    states = samplers.deployments(rng(), board, n, zones=zones, spacing=0.75, headings=0.0)
    assert (np.abs(states[:, 0] - [14, 6, 0]) < 1e-6).all()
    zone = own & shapely.box(0, 0, 30, 20)
    near = [shapely.Polygon(zones["fort"]), shapely.Polygon(rock)]
    free = zone.buffer(-1, quad_segs=500)
    for shape in near:
        free -= shape.buffer(1.75, quad_segs=500)
    points = shapely.points(states[:, 1, :2])
    assert shapely.covers(free.buffer(1e-3), points).all()
    for x in range(0, 30, 5):
        for y in range(0, 20, 5):
            cell = shapely.box(x, y, x + 5, y + 5)
            assert_share(shapely.covers(cell, points), (free & cell).area / free.area)


def test_largest_units_are_set_first():
    """The small one only has what the large one leaves over: it was not there before."""
    board = Board([Unit("small", (25.4, 25.4)), Unit("large", (254, 25.4))])
    strip = [(0, 0), (20, 0), (20, 1), (0, 1)]
    states = samplers.deployments(
        rng(), board, 4000, zones={0: strip}, headings=[math.pi / 2, math.pi / 2], spacing=0.5, attempts=5000
    )
    x = states[:, 1, 0]  # the middle of the large one: 10 wide, anywhere in 20
    assert_mean(x, 10, 100 / 12)
    assert_share(x < 7.5, 1 / 4)
    assert_deployed(board, states, {0: strip}, 0.5)


def test_spacing_is_exact():
    """Strictly more than asked for: of two discs in a zone that lets them just be so far apart."""
    board = Board([Unit("a", 25.4, shape="round"), Unit("b", 25.4, shape="round")])
    both = [[(10, 10), (11, 10), (11, 11), (10, 11)], [(13, 10), (14, 10), (14, 11), (13, 11)]]
    states = samplers.deployments(rng(), board, 3, zones=both, spacing=1.99)
    assert np.abs(states[..., :2] - [[10.5, 10.5], [13.5, 10.5]]).max() < 1e-5
    for spacing in (2.0, 2.01):
        with pytest.raises(ValueError, match=r"^no room for unit 'b' in state 0 after 20 attempts"):
            samplers.deployments(rng(), board, 3, zones=both, spacing=spacing, attempts=20)
    # The same from a rock.
    board = Board(board.units[:1], [Terrain(both[1], kind="impassable")])
    assert samplers.deployments(rng(), board, 1, zones=both[:1], spacing=1.99).shape == (1, 1, 3)
    with pytest.raises(ValueError, match=r"^no room for unit 'a' in state 0 after 1000 attempts"):
        samplers.deployments(rng(), board, 1, zones=both[:1], spacing=2)


def test_units_lost_or_away_leave_their_room():
    board = Board([Unit("rows", (25.4, 25.4), models=9, files=3), Unit("guest", (25.4, 25.4), side=1)])
    zone = [(10, 10), (14, 10), (14, 13), (10, 13)]
    zones = {0: zone, 1: zone}
    with pytest.raises(ValueError, match=r"^no room for unit 'guest' in state 0"):
        samplers.deployments(rng(), board, 1, zones=zones, headings=0, spacing=0.25, attempts=50)
    away = samplers.deployments(rng(), board, 20, zones={1: zone}, present=[False, True])
    assert np.isnan(away[:, 0]).all()
    assert_deployed(board, away, zones, present=[False, True])
    front = samplers.casualties(rng(), board, 1, losses=[6, 0])[0]
    args = {"headings": 0, "spacing": 0.25, "occupied": front}
    assert_deployed(
        board, samplers.deployments(rng(), board, 20, zones=zones, **args), zones, 0.25, occupied=front
    )


def test_states_that_jam_are_begun_anew():
    """Two discs in a strip: the first must leave room at one of its ends, and is uniform over such places."""
    board = Board([Unit("a", 50.8, shape="round"), Unit("b", 25.4, shape="round")])  # 2 inches and 1
    strip = {0: [(0, 0), (5, 0), (5, 2), (0, 2)]}
    args = {"zones": strip, "spacing": 0.7, "headings": 0, "attempts": 400}
    n = 4500
    with pytest.raises(
        ValueError, match=r"^no room for unit 'b' in state \d+ after 400 attempts; .*restarts"
    ):
        samplers.deployments(rng(), board, n, **args)
    states = samplers.deployments(rng(), board, n, restarts=60, **args)
    assert_deployed(board, states, strip, 0.7)
    x = states[:, 0, 0]  # the middle of the large one, from 1 to 4; from 2.36 to 2.64 no corner has room
    assert_share(x < 2.5, 1 / 2)
    assert not ((x > 2.36) & (x < 2.64)).any()
    for low, high in ((1, 2), (3, 4)):  # with room enough for b to be found
        assert_mean(x[(x > low) & (x < high)], (low + high) / 2, 1 / 12)
    # Where nothing jams nothing changes.
    wide = {"zones": LINES, "restarts": 5}
    np.testing.assert_array_equal(
        samplers.deployments(rng(), BOARD, 50, **wide), samplers.deployments(rng(), BOARD, 50, zones=LINES)
    )
    with pytest.raises(ValueError, match=r"^no room for unit 'a' in state 0"):
        samplers.deployments(rng(), board, 5, zones={0: shapely.box(0, 0, 1, 1)}, restarts=3, attempts=20)


def test_units_without_a_model_take_no_room():
    """All others stand as if they were not asked for, and no question misses them."""
    board = Board([Unit("gone", (25.4, 25.4), models=9, files=3), Unit("a", (25, 50)), Unit("b", (50, 50))])
    zone = {0: [(0, 0), (6, 0), (6, 5), (0, 5)]}
    left = samplers.casualties(rng(), board, 1, losses=[9, 0, 0])[0]
    states = samplers.deployments(rng(), board, 40, zones=zone, occupied=left)
    alone = samplers.deployments(rng(), board, 40, zones=zone, present=[False, True, True])
    np.testing.assert_array_equal(states[:, 1:], alone[:, 1:])
    answers = t9a.evaluate(board, states, occupied=left)
    assert (answers.distance[:, 1, 2] > 1).all()
    assert np.isinf(answers.distance[:, 0]).all()


def test_headings_of_units_away_do_not_matter():
    """NaN as in the positions that a deployment returns; a scene takes them as other numbers."""
    here = [False, True]
    board = Board([Unit("a", (25, 50)), Unit("b", (50, 50))])
    box = {0: [(0, 0), (9, 0), (9, 9), (0, 9)]}
    states = samplers.deployments(rng(), board, 4, zones=box, present=here)
    assert np.isnan(states[:, 0]).all()
    again = samplers.deployments(rng(2), board, 4, zones=box, present=here, headings=states[..., 2])
    np.testing.assert_array_equal(again[..., 2], states[..., 2])
    one = samplers.deployments(rng(2), board, 4, zones=box, present=here, headings=[math.nan, 2])
    assert (one[:, 1, 2] == 2).all()
    for wrong in ([math.nan, math.nan], math.nan, [[0, 0], [0, 0], [0, math.inf], [0, 0]]):
        with pytest.raises(ValueError, match=r"^headings.* must be finite"):
            samplers.deployments(rng(), board, 4, zones=box, present=here, headings=wrong)
    scene = Scene(board, np.nan_to_num(states[0]), present=here)
    assert samplers.pose_jitter(rng(), scene, 3).shape == (3, 2, 3)


RUGGED = shapely.Polygon(
    [(-2, -2), (14, -2), (14, 4), (7, 4.5), (7, 11), (0.5, 11)], [[(4, 7), (5.2, 7), (5.2, 8), (4, 8)]]
)


def brute_force(unit, rock, zone, spacing, n, generator):
    """Poses by rejection with shapely alone, from a box that holds more than all that are free."""
    found = []
    while sum(map(len, found)) < n:
        poses = generator.uniform((0, 0, 0), (15, 12, 2 * math.pi), (20_000, 3))
        shapes, radius = cores(Board([unit]).boundaries(poses[:, None])[:, 0])
        inside = shapely.contains_properly(zone, shapes)
        poses, shapes, radius = poses[inside], shapes[inside], radius[inside]
        deep = (radius == 0) | (shapely.distance(zone.boundary, shapes) > radius)
        found.append(poses[deep & (shapely.distance(rock, shapes) - radius > spacing)])
    return np.concatenate(found)[:n]


@pytest.mark.parametrize(
    "unit",
    [
        Unit("rows", (20, 20), models=7, files=3, attached=[Attached("captain", (40, 40))]),
        Unit("oval", (75, 46), shape="oval"),
    ],
    ids=lambda unit: unit.name,
)
def test_poses_are_those_of_brute_force(unit):
    """In a zone with a notch and a hole across the table's edges, beside a rock, in all headings."""
    rock = [(8, 5), (10, 5), (9, 8)]
    board = Board([unit], [Terrain(rock, kind="impassable")], size=(16, 12))
    states = samplers.deployments(rng(), board, 20_000, zones=[RUGGED], spacing=0.5)[:, 0]
    zone = RUGGED & shapely.box(0, 0, 16, 12)
    expected = brute_force(unit, shapely.Polygon(rock), zone, 0.5, 4000, rng(9))
    for look in (
        lambda x, y, heading: x,
        lambda x, y, heading: y,
        lambda x, y, heading: heading,
        lambda x, y, heading: x * np.cos(heading),
        lambda x, y, heading: y * np.sin(2 * heading),
    ):
        assert stats.ks_2samp(look(*states.T), look(*expected.T)).pvalue > 1e-4


def test_zones_in_all_forms_are_one():
    board = armies.generate_battle(3, units_per_side=2, terrain=2).board
    expected = samplers.deployments(rng(), board, 5, zones=LINES)
    south, north = (shapely.Polygon(LINES[side]) for side in (0, 1))
    for zones in (
        {0: south, 1: north},
        {np.int64(0): south, np.int32(1): np.array(LINES[1])},
        {name: LINES[int(side)] for name, side in zip(board.names, board.side, strict=True)},
        [south, south, north, north],
        Polygons([south, south, north, north]),
        {0: north, 1: north, board.names[0]: south, board.names[1]: south, 7: south},
    ):
        np.testing.assert_array_equal(samplers.deployments(rng(), board, 5, zones=zones), expected)


def test_nothing_to_deploy():
    board = armies.generate_battle(3, units_per_side=2).board
    assert samplers.deployments(rng(), board, 0, zones=LINES).shape == (0, 4, 3)
    assert samplers.deployments(rng(), Board([]), 3, zones={}).shape == (3, 0, 3)
    assert samplers.deployments(rng(), Board([]), 3, zones=[]).shape == (3, 0, 3)


def test_more_states_begin_with_the_same_blocks():
    """States are drawn in blocks of 4096: whole blocks of a longer run are those of a shorter one."""
    board = Board([Unit("a", (25, 25)), Unit("b", 40, shape="round")])
    box = {0: [(0, 0), (9, 0), (9, 9), (0, 9)]}
    long, short = (samplers.deployments(rng(), board, n, zones=box) for n in (4100, 4096))
    np.testing.assert_array_equal(long[:4096], short)
    assert_deployed(board, long[4090:], box)


# ---------------------------------------------------------------------------------------------- all of them

BOARD = Board([Unit("a", (25, 25), models=4), Unit("b", 40, shape="round", side=1)])
AT = Scene(BOARD, [[20, 20, 0], [40, 20, 1]])
ALL = {
    "pose_jitter": lambda r, n=5: samplers.pose_jitter(r, AT, n),
    "normal": lambda r, n=5: samplers.pose_jitter(r, AT, n, kind="normal"),
    "scatter": lambda r, n=5: samplers.scatter(r, n, hit=0.5),
    "charge_distances": lambda r, n=5: samplers.charge_distances(r, n),
    "casualties": lambda r, n=5: samplers.casualties(r, BOARD, n, chances=0.5, order="anywhere"),
    "deployments": lambda r, n=5: samplers.deployments(r, BOARD, n, zones=LINES),
}


@pytest.mark.parametrize("name", ALL)
def test_the_generator_decides(name):
    draw = ALL[name]
    one = draw(rng())
    assert len(one) == 5
    np.testing.assert_array_equal(one, draw(rng()))
    assert not np.array_equal(one, draw(rng(2)))
    generator = rng()
    np.testing.assert_array_equal(one, draw(generator))
    assert not np.array_equal(one, draw(generator))
    for wrong in (-1, 2.0, True, None):
        with pytest.raises((TypeError, ValueError), match=r"^n: must be"):
            draw(rng(), wrong)
    for seed in (1, None, np.random.RandomState(1)):
        with pytest.raises(TypeError, match=r"^rng must be a numpy.random.Generator, got"):
            draw(seed)


def test_every_public_sampler_is_asked():
    functions = {name for name in samplers.__all__ if callable(getattr(samplers, name)) and name.islower()}
    assert functions == set(ALL) - {"normal"}


def jitter(**options):
    return samplers.pose_jitter(rng(), AT, 2, **options)


def lose(**options):
    return samplers.casualties(rng(), BOARD, 2, **options)


def deployed(zones=LINES, **options):
    return samplers.deployments(rng(), BOARD, 2, zones=zones, **options)


def throw(n=2, **options):
    return samplers.charge_distances(rng(), n, **options)


@pytest.mark.parametrize(
    ("ask", "message"),
    [
        (lambda: samplers.pose_jitter(rng(), BOARD, 1), "scene must be Scene, got Board"),
        (lambda: jitter(distance=-1), "distance must not be negative, got -1"),
        (lambda: jitter(distance=[1, -2]), r"distance\[1\] must not be negative, got -2"),
        (lambda: jitter(angle=math.inf), "angle must be finite, got inf"),
        (lambda: jitter(angle=[1, 2, 3]), r"angle must be one number or 2, one a unit, got shape \(3,\)"),
        (lambda: jitter(distance="far"), "distance must hold real numbers"),
        (lambda: jitter(kind="triangular"), "kind: must be one of 'uniform', 'normal', got 'triangular'"),
        (lambda: jitter(units=["c"]), "units: no unit is named 'c'"),
        (lambda: jitter(distance=1e6, kind="normal"), "centres.*: [xy] must be from -1e"),
        (lambda: samplers.scatter(rng(), 2, hit=1.1), "hit: must be from 0 to 1, got 1.1"),
        (lambda: samplers.scatter(rng(), 2, hit=-0.1), "hit: must be from 0 to 1, got -0.1"),
        (lambda: samplers.scatter(rng(), 2, hit=math.nan), "hit: must be finite, got nan"),
        (lambda: samplers.scatter(rng(), 2, directions=0), "directions: must be from 1 to 2147483648, got 0"),
        (lambda: samplers.scatter(rng(), 2, dice=-1), "dice: must be at least 0, got -1"),
        (lambda: samplers.scatter(rng(), 2, directions=2**70), "directions: must be from 1 to 2147483648"),
        (lambda: throw(add=[1, math.nan]), r"add\[1\] must be finite, got nan"),
        (lambda: throw(add="far"), "add must hold real numbers"),
        (lambda: lose(losses=[[1, 2], [3]]), "losses: must be an array of whole numbers"),
        (lambda: samplers.scatter(rng(), (2, -2)), r"n\[1\]: must be at least 0, got -2"),
        (lambda: throw(sides=0), "sides: must be from 1 to"),
        (lambda: throw(keep=3), "keep: must be from 0 to 2, got 3"),
        (lambda: throw(dice=1.5), "dice: must be a whole number, got 1.5"),
        (lambda: throw(highest=1), "highest: must be True or False, got 1"),
        (lambda: throw(add=math.inf), "add must be finite, got inf"),
        (lambda: lose(), "either losses or chances must be given"),
        (lambda: lose(losses=1, chances=0.5), "either losses or chances must be given"),
        (lambda: lose(losses=-1), "losses must not be negative, got -1"),
        (lambda: lose(losses=[[0, 1], [0, -3]]), r"losses\[1, 1\] must not be negative, got -3"),
        (lambda: lose(losses=0.5), "losses: must hold whole numbers, got dtype float64"),
        (lambda: lose(losses=[1, 2, 3]), r"losses: must have shape \(\) or \(2,\) or \(2, 2\), got \(3,\)"),
        (lambda: lose(chances=1.5), "chances must be at most 1, got 1.5"),
        (lambda: lose(chances=[0, math.nan]), r"chances\[1\] must be finite, got nan"),
        (lambda: lose(losses=1, order="front"), "order: must be one of 'rear', 'anywhere', got 'front'"),
        (lambda: lose(losses=1, occupied=[True]), r"occupied must have shape \(..., 5\) for 5 model slots"),
        (lambda: lose(losses=1, occupied=[[True] * 5] * 3), r"occupied: must have shape .* got \(3, 5\)"),
        (lambda: samplers.casualties(rng(), AT, 1, losses=1), "board must be Board, got Scene; a scene has"),
        (lambda: deployed({0: LINES[0]}), "zones: no zone for unit 'b' or its side, 1"),
        (lambda: deployed({**LINES, "c": LINES[0]}), "zones: no unit is named 'c'"),
        (
            lambda: deployed({"0": LINES[0], "1": LINES[1]}),
            "zones: must have sides as numbers, such as 0, got '0'",
        ),
        (lambda: deployed({0: LINES[0], True: LINES[1]}), "zones: must have sides or names .*, got True"),
        (lambda: deployed([LINES[0]]), "zones: must be a mapping of sides or names, or 2 polygons, one a"),
        (lambda: deployed(3), "zones: must be a mapping or a sequence of polygons, got 3"),
        (lambda: deployed({**LINES, 1: [(0, 0), (1, 1)]}), r"zones\[1\]: needs at least 3 distinct vertices"),
        (
            lambda: deployed({**LINES, "a": [(0, 0), (1, math.nan), (1, 1)]}),
            r"zones\['a'\]\[1\]\[1\]: must be",
        ),
        (lambda: deployed(spacing=-1), "spacing: must not be negative, got -1"),
        (lambda: deployed(spacing=math.nan), "spacing: must be finite, got nan"),
        (lambda: deployed(attempts=0), "attempts: must be at least 1, got 0"),
        (lambda: deployed(restarts=-1), "restarts: must be at least 0, got -1"),
        (lambda: deployed(headings=[1, math.inf]), r"headings\[1\] must be finite, got inf"),
        (lambda: deployed(present=[True]), r"present: must have shape \(2,\), got \(1,\)"),
        (lambda: deployed(occupied=[1] * 5), "occupied must hold booleans"),
        (lambda: deployed({0: LINES[0], 1: [(90, 0), (99, 0), (99, 9)]}), "no room for unit 'b' in state 0"),
    ],
)
def test_refusals_name_argument_and_value(ask, message):
    with pytest.raises((TypeError, ValueError), match=f"^{message}"):
        ask()
