"""Which of many bases are close, against asking about every pair."""

import math
import tracemalloc
from itertools import pairwise

import numpy as np
import pytest

from ninthgeom import TOLERANCE, Bases, Polygons, _blocks, pairs_within, within
from ninthgeom.index import FEW_IN_GROUP
from tests.strategies import AREAS, moved, random_bases, touching

#: More than enough bases for blocks, of blocks that are asked about at once.
MANY = 1200


def brute(a, b=None, *, distance=0.0, group=None, group_b=None, tol=TOLERANCE):
    """All pairs, one question each."""
    other = a if b is None else b
    answer = within(a[:, None], other[None, :], distance, tol=tol)
    if b is None:
        answer &= ~np.tri(len(a), dtype=bool)
    if group is not None:
        answer &= np.asarray(group)[:, None] == np.asarray(group if b is None else group_b)[None, :]
    return np.array(np.nonzero(answer))


def check(a, b=None, **how):
    found = pairs_within(a, b, **how)
    assert found.dtype == np.int64
    np.testing.assert_array_equal(found, brute(a, b, **how))
    return found


def as_set(pairs):
    return set(zip(*pairs.tolist(), strict=True))


def scattered(rng, n, *, far=0.0):
    """Bases of every kind on a square where each touches some others."""
    return moved(random_bases(rng, n, "mixed", spread=0.9 * math.sqrt(n)), x=far, y=-far)


def walls_and_models(rng, n, share):
    """Points, models and walls up to 60 inches long."""
    depth = np.where(rng.random(n) < share, rng.uniform(20.0, 60.0, n), rng.choice([0.0, 0.5, 4.0], n))
    x, y = rng.uniform(0.0, 2.0 * math.sqrt(n), (2, n))
    return Bases.rect(x, y, rng.uniform(-3.0, 3.0, n), width=np.minimum(depth, 0.8), depth=depth)


@pytest.fixture(scope="module")
def rng():
    return np.random.default_rng(11)


@pytest.fixture(scope="module")
def batch():
    return scattered(np.random.default_rng(12), MANY)


# ---------------------------------------------------------------------------------- against all pairs


def test_sizes_lie_on_both_sides_of_the_ways():
    assert 400**2 < _blocks.FEW < MANY**2
    assert 400**2 < FEW_IN_GROUP < MANY**2


@pytest.mark.parametrize("n", [0, 1, 2, 31, 32, 33, 449, 450, 451, 480, MANY])
def test_with_itself(rng, n):
    for distance in (0.0, 1.5):
        check(scattered(rng, n), distance=distance)


@pytest.mark.parametrize(
    ("n", "m"), [(0, 5), (5, 0), (1, MANY), (MANY, 1), (40, 3000), (3000, 90), (700, MANY)]
)
def test_with_others(rng, n, m):
    check(scattered(rng, n), scattered(rng, m), distance=0.5)


@pytest.mark.parametrize("far", [0.0, 1000.0, 999_000.0])
@pytest.mark.parametrize("distance", [0.0, 1e-7, 1.0, 30.0, math.inf])
def test_distances(rng, distance, far):
    check(scattered(rng, 600, far=far), distance=distance)


@pytest.mark.parametrize("share", [0.001, 0.05, 0.6, 1.0])
def test_walls_among_models(rng, share):
    a, b = walls_and_models(rng, MANY, share), walls_and_models(rng, 700, share)
    for distance in (0.0, 2.0):
        check(a, distance=distance)
        check(a, b, distance=distance)
        check(b, a[:3], distance=distance)


@pytest.mark.parametrize("way", ["edge", "corner on edge", "corner"])
@pytest.mark.parametrize("apart", [0.0, 5e-7, 1.5e-6, -1e-7])
def test_touching(way, apart):
    # Pairs far from each other: the i-th of one side touches the i-th of the other, on any turned table.
    rng = np.random.default_rng(13)
    for kinds in (
        ("rectangle", "rectangle"),
        ("disc", "oval"),
        ("segment", "rounded"),
        ("point", "rectangle"),
    ):
        a, b = touching(rng, 500, way, kinds, far=9e5).apart(apart)
        found = check(a, b)
        if apart <= 5e-7:
            np.testing.assert_array_equal(found, [np.arange(500)] * 2)
        both = check(Bases.concatenate([a, b]))
        np.testing.assert_array_equal(
            both[:, both[1] - both[0] == 500], np.add(found, [[0], [500]])[:, found[0] == found[1]]
        )


def test_without_a_tolerance(rng):
    # Unit squares in a row, and integer points: rounding must not lose what `within` sees.
    n = np.arange(1000.0)
    for far in (0.0, 2.0**19):
        found = check(Bases.rect(n + far, far, width=1.0, depth=1.0), tol=0.0)
        np.testing.assert_array_equal(found, [np.arange(999), np.arange(1, 1000)])
        x, y = np.divmod(n, 40.0)
        check(Bases.point(x + far, y - far), tol=0.0, distance=5.0)
    check(scattered(rng, 700), tol=0.0, distance=1.0)
    check(scattered(rng, 700), tol=0.25)


@pytest.mark.parametrize(
    "places",
    [
        lambda rng: np.zeros((2, 700)),
        lambda rng: rng.normal(0.0, 0.01, (2, 700)),
        lambda rng: np.concatenate([np.zeros((2, 350)), rng.uniform(0.0, 40.0, (2, 350))], axis=1),
        lambda rng: np.concatenate([np.full((2, 250), 7.0), rng.uniform(0.0, 99.0, (2, 950))], axis=1),
        lambda rng: rng.integers(-9, 9, (2, 1)) * 1e5 + rng.normal(0.0, 3.0, (2, MANY)),
        lambda rng: rng.integers(-9, 9, (2, MANY)) * 1e5 + rng.normal(0.0, 1.0, (2, MANY)),
        lambda rng: np.array([rng.uniform(0.0, 900.0, MANY), np.zeros(MANY)]),
        lambda rng: np.array([np.zeros(MANY), np.arange(MANY)]),
        lambda rng: rng.integers(0, 20, (2, MANY)) * 1.0,
        lambda rng: np.array([rng.uniform(0.0, 900.0, MANY), rng.integers(0, 2, MANY) * 5e-324]),
    ],
    ids=[
        "one place",
        "heap",
        "half a heap",
        "a fifth of a heap",
        "far away",
        "clusters",
        "row",
        "column",
        "grid",
        "almost a row",
    ],
)
def test_layouts(rng, places):
    x, y = places(rng)
    for size in (0.0, 1.0):
        bases = Bases.rect(x, y, width=size, depth=size)
        check(bases, distance=0.3)
        check(bases[: len(x) // 2], bases[len(x) // 3 :], distance=1.0)


@pytest.mark.parametrize(("width", "few"), [(2, 4), (3, 100), (5, 30), (64, 10_000)])
def test_boxes_round_boxes(rng, batch, monkeypatch, width, few):
    # As many levels as otherwise for millions of bases, some boxes with all places empty.
    monkeypatch.setattr(_blocks, "WIDTH", width)
    monkeypatch.setattr(_blocks, "FEW", few)
    walls = walls_and_models(rng, 900, 0.1)
    check(batch, distance=0.5)
    check(batch, walls, distance=1.0)
    check(batch[:1], walls, distance=30.0)
    check(walls, batch[:2], distance=30.0)
    check(walls)
    check(walls, distance=math.inf)


def test_sizes_of_any_scale(rng):
    x, y = rng.uniform(0.0, 30.0, (2, MANY))
    diameter = 10.0 ** rng.uniform(-6.0, 1.3, MANY)
    check(Bases.round(x, y, diameter=diameter))


# ---------------------------------------------------------------------------------- groups


LABELS = {
    "boards": lambda rng, n: np.repeat(np.arange(8), -(-n // 8))[:n],
    "mixed up": lambda rng, n: rng.integers(-4, 4, n),
    "ragged": lambda rng, n: (n ** rng.random(n)).astype(int),
    "alone": lambda rng, n: rng.permutation(n),
    "couples": lambda rng, n: rng.permutation(n) // 2,
    "one": lambda rng, n: np.full(n, 7),
    "huge and small": lambda rng, n: np.where(rng.random(n) < 0.8, 0, rng.integers(1, 40, n)),
    "texts": lambda rng, n: rng.choice(["red", "blue", "grey green"], n),
    "objects": lambda rng, n: rng.choice(["red", "blue"], n).astype(object),
    "floats": lambda rng, n: rng.choice([0.5, -0.0, 0.0, math.inf], n),
    "flags": lambda rng, n: rng.random(n) < 0.5,
    "unsigned": lambda rng, n: rng.choice(np.array([0, 2**64 - 1, 2**63], np.uint64), n),
    "small integers": lambda rng, n: rng.integers(-128, 127, n).astype(np.int8),
}


@pytest.mark.parametrize("kind", LABELS)
def test_groups(rng, batch, kind):
    group, group_b = LABELS[kind](rng, MANY), LABELS[kind](rng, 300)
    for distance in (0.5, math.inf):
        check(batch, distance=distance, group=group)
        check(batch, batch[-300:], distance=distance, group=group, group_b=group_b)


def test_groups_of_one_side_alone(batch):
    a, b = batch[:50], batch[50:150]
    group, group_b = np.arange(50) // 10, np.arange(100) // 10 + 3
    check(a, b, distance=9.0, group=group, group_b=group_b)
    assert pairs_within(a, b, distance=math.inf, group=group, group_b=group_b + 99).shape == (2, 0)


def test_groups_part_the_pairs(batch):
    group = np.arange(MANY) % 3
    every = as_set(pairs_within(batch, distance=1.0))
    grouped = as_set(pairs_within(batch, distance=1.0, group=group))
    assert grouped == {(i, j) for i, j in every if group[i] == group[j]}
    one_by_one = set()
    for label in range(3):
        members = np.flatnonzero(group == label)
        one_by_one |= as_set(members[pairs_within(batch[members], distance=1.0)])
    assert grouped == one_by_one


def test_names_of_groups_do_not_matter(rng, batch):
    group = rng.integers(0, 30, MANY)
    expected = pairs_within(batch, distance=1.0, group=group)
    for names in (
        rng.permutation(30),
        rng.integers(-(2**62), 2**62, 30),
        np.array([f"{i}" for i in range(30)]),
    ):
        np.testing.assert_array_equal(pairs_within(batch, distance=1.0, group=names[group]), expected)
    np.testing.assert_array_equal(pairs_within(batch, distance=1.0, group=group.tolist()), expected)


def test_large_labels_of_two_types(batch):
    # As floats they would all be equal.
    group, group_b = np.array([2**62, 2**62 + 1]), np.array([2**62 + 1, 2**63], np.uint64)
    found = pairs_within(batch[:2], batch[:2], distance=math.inf, group=group, group_b=group_b)
    np.testing.assert_array_equal(found, [[1], [0]])
    unsigned = np.array([5, 250, 250], np.uint8)
    found = pairs_within(batch[:3], batch[:2], distance=math.inf, group=unsigned, group_b=np.array([-6, 250]))
    np.testing.assert_array_equal(found, [[1, 2], [1, 1]])


# ---------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("group", [None, np.arange(MANY) % 4, np.arange(MANY) % 97])
def test_order_does_not_matter(rng, batch, group):
    order = rng.permutation(MANY)
    place = np.argsort(order)
    expected = as_set(np.sort(place[pairs_within(batch, distance=0.5, group=group)], axis=0))
    mixed = pairs_within(batch[order], distance=0.5, group=None if group is None else group[order])
    assert as_set(mixed) == expected


def test_sides_may_change_places(batch):
    a, b = batch[:800], batch[500:]
    found = as_set(pairs_within(a, b, distance=0.7))
    assert {(j, i) for i, j in as_set(pairs_within(b, a, distance=0.7))} == found


def test_with_itself_as_the_other(batch):
    one = pairs_within(batch, distance=0.7)
    two = pairs_within(batch, batch, distance=0.7)
    np.testing.assert_array_equal(two[:, two[0] < two[1]], one)
    assert two.shape[1] == 2 * one.shape[1] + MANY


def test_turned_and_shifted(batch):
    expected = pairs_within(batch, distance=1.0)
    there = moved(batch, turn=1.1, x=-777.0, y=431.0)
    np.testing.assert_array_equal(pairs_within(there, distance=1.0), expected)


def test_more_with_more_distance(batch):
    sets = [as_set(pairs_within(batch, distance=distance)) for distance in (0.0, 0.5, 1.0, 4.0)]
    assert all(less < more for less, more in pairwise(sets))


def test_views(batch):
    np.testing.assert_array_equal(pairs_within(batch[::-2], distance=1.0), brute(batch[::-2], distance=1.0))


@pytest.mark.jit_only
@pytest.mark.parametrize("group", [None, np.arange(5000) % 4, np.arange(5000) % 97])
def test_workers_give_the_same_bits(group):
    bases = random_bases(np.random.default_rng(14), 5000, "mixed", spread=40.0)
    expected = pairs_within(bases, distance=1.0, group=group)
    for workers in (2, 3, -1):
        np.testing.assert_array_equal(
            pairs_within(bases, distance=1.0, group=group, workers=workers), expected
        )


@pytest.mark.jit_only
@pytest.mark.parametrize("distance", [0.0, 10.0])
def test_memory(distance):
    # Slanted walls side by side, whose boxes all overlap: asked about at once they would take 400 MB.
    n = 3000
    walls = Bases.rect(np.arange(n) * 1e-2, 0.0, 0.7, width=1e-3, depth=60.0)
    pairs_within(walls)
    tracemalloc.start()
    try:
        found = pairs_within(walls, distance=distance)
        assert tracemalloc.get_traced_memory()[1] < 2.5 * found.nbytes + 64e6
    finally:
        tracemalloc.stop()
    # side by side, the gap of the walls i and j is |i - j| sin(0.7) / 100 less their width
    apart = np.arange(1, n)
    assert found.shape[1] == (n - apart)[apart * 1e-2 * math.sin(0.7) - 1e-3 <= distance].sum()


@pytest.mark.verify
def test_long():
    seed = int(np.random.SeedSequence().entropy % 2**32)
    rng = np.random.default_rng(seed)
    pairs = 0
    for _ in range(40):
        n = int(rng.integers(500, 5000))
        bases = Bases.concatenate([scattered(rng, n), walls_and_models(rng, n // 3, 0.05)])
        pairs += check(bases, distance=rng.choice([0.0, 0.5, 3.0])).shape[1]
    print(f"\npairs_within: seed {seed}, {pairs} pairs")


# ---------------------------------------------------------------------------------- calls


def test_nothing_found():
    for a, b in (
        (Bases.point([], []), None),
        (Bases.point([1.0], 1.0), None),
        (Bases.point([0.0], 0.0), Bases.point([], [])),
    ):
        found = pairs_within(a, b, distance=math.inf)
        assert found.shape == (2, 0)
        assert found.dtype == np.int64
        labels = {"group": np.zeros(len(a)), "group_b": None if b is None else np.zeros(len(b))}
        assert pairs_within(a, b, distance=math.inf, **labels).shape == (2, 0)


def test_answers_are_the_callers_own(batch):
    found = pairs_within(batch)
    found[...] = 0
    assert pairs_within(batch).any()


def test_wrong_arguments(batch):
    for wrong, message in (
        ({"a": [1.0]}, "a must be Bases or Polygons, got list"),
        ({"b": 1.0}, "b must be Bases or Polygons, got float"),
        ({"distance": "1"}, "distance must hold real numbers"),
        ({"workers": 1.0}, "workers must be an int"),
        ({"group": np.array([None] * (MANY - 1) + ["x"])}, "group must hold labels that can be sorted"),
        (
            {"b": batch, "group": np.arange(MANY), "group_b": np.arange(MANY).astype(str)},
            "group and group_b must hold labels of one kind, got int64 and <U",
        ),
    ):
        with pytest.raises(TypeError, match=message):
            pairs_within(**({"a": batch} | wrong))
    for wrong, message in (
        ({"a": batch.reshape(2, -1)}, r"a must have one axis, got shape \(2, 600\)"),
        ({"a": batch[0]}, r"a must have one axis, got shape \(\)"),
        ({"b": batch[None]}, r"b must have one axis, got shape \(1, 1200\)"),
        ({"distance": -1.0}, "distance must not be negative, got -1.0"),
        ({"distance": math.nan}, "distance must be a number, got nan"),
        ({"distance": [1.0, 2.0]}, r"distance must be one number, got shape \(2,\)"),
        ({"tol": -1.0}, "tol must not be negative"),
        ({"workers": 0}, "workers must be"),
        ({"group": np.arange(3)}, r"group must have shape \(1200,\), a label for each base, got \(3,\)"),
        ({"group": 1}, r"group must have shape \(1200,\), a label for each base, got \(\)"),
        ({"group": np.where(np.arange(MANY) == 5, math.nan, 0.0)}, r"group\[5\] must not be nan"),
        ({"group": np.array(["NaT"] * MANY, "M8[s]")}, r"group\[0\] must not be nan"),
        ({"group_b": np.arange(MANY)}, "group_b is given, but b is not"),
        ({"b": batch, "group_b": np.arange(MANY)}, "group_b is given, but group is not"),
        ({"b": batch, "group": np.arange(MANY)}, "group is given with b, but group_b is not"),
        (
            {"b": batch[:2], "group": np.arange(MANY), "group_b": [1]},
            r"group_b must have shape \(2,\), a label for each base, got \(1,\)",
        ),
    ):
        with pytest.raises(ValueError, match=message):
            pairs_within(**({"a": batch} | wrong))


@pytest.mark.parametrize("kind", AREAS)
def test_kinds(rng, kind):
    check(random_bases(rng, 600, kind, spread=15.0), distance=1.0)


def some_polygons(rng, n):
    """Squares, triangles and U shapes scattered over the table of `crowd`."""
    forms = [
        np.array([(0, 0), (2, 0), (2, 2), (0, 2)]),
        np.array([(0, 0), (3, 1), (1, 2)]),
        np.array([(0, 0), (5, 0), (5, 4), (4, 4), (4, 1), (1, 1), (1, 4), (0, 4)]),
    ]
    return Polygons([forms[i % 3] + rng.uniform(0.0, 30.0, 2) for i in range(n)])


@pytest.mark.parametrize("distance", [0.0, 1.5])
def test_polygons(distance):
    rng = np.random.default_rng(11)
    polygons = some_polygons(rng, 60)
    bases = Bases.round(*rng.uniform(0.0, 30.0, (2, 800)), diameter=1.0)
    pairs = [tuple(pair) for pair in pairs_within(bases, polygons, distance=distance).T]
    assert pairs == [tuple(pair) for pair in np.argwhere(within(bases[:, None], polygons, distance))]
    turned = pairs_within(polygons, bases, distance=distance)
    assert sorted(zip(*turned[::-1].tolist(), strict=True)) == pairs
    group = rng.integers(0, 3, 60)
    are_near = np.triu(within(polygons[:, None], polygons, distance) & (group[:, None] == group), 1)
    found = pairs_within(polygons, distance=distance, group=group)
    assert found.T.tolist() == np.argwhere(are_near).tolist()
