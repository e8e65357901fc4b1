"""Blocks against whole samples, independent formulas and exact arithmetic."""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
import scipy.stats

from ninthgeom._mc_blocks import Block, Means, Shares, run_block
from ninthgeom.montecarlo import estimate

Z = 1.959963984540054


def blocks_of(sample, sizes, seed=5):
    return [run_block(sample, seed, i, n) for i, n in enumerate(sizes)]


def merged(blocks):
    whole = blocks[0]
    for index, block in enumerate(blocks[1:], 1):
        whole = whole.merged(block, index)
    return whole


def whole_sample(sample, sizes, seed=5):
    """The same samples in one array, from streams made here."""
    streams = [np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(i,))) for i in range(len(sizes))]
    return np.concatenate([sample(rng, n) for rng, n in zip(streams, sizes, strict=True)])


def same_bits(one, other):
    return one.to_bytes() == other.to_bytes()


# ------------------------------------------------------------------------------------------------- moments


@pytest.mark.parametrize("sizes", [(1,), (1, 1), (40, 40, 40, 7), (1000, 3), (5,) * 60])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (0,), (2, 0, 1)])
def test_merged_blocks_are_the_whole_sample(sizes, shape):
    def sample(rng, n):
        return rng.normal(3.0, 2.0, (n, *shape))

    whole = whole_sample(sample, sizes)
    found = merged(blocks_of(sample, sizes)).values[""]
    assert found.count == len(whole) == sum(sizes)
    assert found.shape == shape
    np.testing.assert_allclose(found.mean(), whole.mean(axis=0), rtol=1e-13, strict=True)
    np.testing.assert_allclose(found.squares, whole.var(axis=0) * len(whole), rtol=1e-12, atol=1e-28)
    if len(whole) > 1:
        np.testing.assert_allclose(found.standard_error(), scipy.stats.sem(whole, axis=0), rtol=1e-12)


@pytest.mark.parametrize("shape", [(), (4,), (2, 2)])
def test_merged_shares_are_exact(shape):
    def sample(rng, n):
        return rng.random((n, *shape)) < 0.3

    sizes = (50, 50, 50, 1)
    whole = whole_sample(sample, sizes)
    found = merged(blocks_of(sample, sizes)).values[""]
    np.testing.assert_array_equal(found.hits, whole.sum(axis=0), strict=True)
    np.testing.assert_array_equal(found.mean(), whole.mean(axis=0), strict=True)
    spread = whole.std(axis=0) / math.sqrt(len(whole))
    np.testing.assert_allclose(found.standard_error(), spread, rtol=1e-13)


@pytest.mark.parametrize(
    "numbers",
    [
        lambda rng, n: rng.normal(1e9, 1.0, n),
        lambda rng, n: 1e9 + rng.integers(0, 2, n) * 1e-6,
        lambda rng, n: np.where(rng.random(n) < 0.01, 1e12, rng.normal(0, 1, n)),
        lambda rng, n: (
            np.linspace(1e9, 1e9 + 3, n) + rng.normal(0, 1, n)
        ),  # blocks are alike, samples are not
    ],
)
def test_badly_conditioned_numbers_against_exact_arithmetic(numbers):
    sizes = (700,) * 5 + (11,)
    whole = [Fraction(x) for x in whole_sample(numbers, sizes).tolist()]
    mean = sum(whole) / len(whole)
    squares = sum((x - mean) ** 2 for x in whole)
    found = merged(blocks_of(numbers, sizes)).values[""]
    assert abs(Fraction(float(found.mean())) - mean) <= 4 * Fraction(math.ulp(float(mean)))
    # Means are rounded to an ulp, which merging squares with what lies between blocks (Cauchy and Schwarz).
    rounding = 2 * math.ulp(float(max(whole))) * math.sqrt(len(whole) / squares)
    assert abs(Fraction(float(found.squares)) / squares - 1) < 1e-12 + rounding


def test_the_naive_formula_would_fail_there():
    x = np.random.default_rng(1).normal(1e9, 1.0, 700)
    assert abs((np.square(x).sum() - x.sum() ** 2 / len(x)) / (x.var() * len(x)) - 1) > 0.01


@pytest.mark.parametrize("shape", [(), (7,), (300,), (20, 30)])
def test_moments_do_not_depend_on_how_values_lie_in_memory(shape):
    values = np.random.default_rng(3).normal(1e6, 1.0, (1001, *shape))
    plain = Means.of(values)
    backwards = values[::-1].copy()[::-1]
    for other in (np.asfortranarray(values), backwards, np.repeat(values, 2, axis=0)[::2]):
        found = Means.of(other)
        np.testing.assert_array_equal(found.centre, plain.centre, strict=True)
        np.testing.assert_array_equal(found.squares, plain.squares, strict=True)


def test_values_that_are_all_the_same_have_no_spread():
    for value in (0.1, -1e9 / 3, 1e140, 5e-324):
        found = merged(blocks_of(lambda rng, n, value=value: np.full((n, 2), value), (999, 10, 1))).values[""]
        np.testing.assert_array_equal(found.mean(), [value, value])
        np.testing.assert_array_equal(found.squares, [0.0, 0.0])
        np.testing.assert_array_equal(found.interval(Z), [[value, value]] * 2)


@pytest.mark.parametrize("dtype", ["u1", "i8", "f2", "f4", ">f8", "longdouble"])
def test_any_type_of_number(dtype):
    values = np.random.default_rng(1).integers(0, 50, (30, 2))
    found = run_block(lambda rng, n: values.astype(dtype), 1, 0, 30)
    assert same_bits(found, run_block(lambda rng, n: values.astype(float), 1, 0, 30))


def test_samples_are_not_written_to():
    values = np.arange(50.0)
    run_block(lambda rng, n: {"one": values, "two": values[:, None]}, 1, 0, 50)
    np.testing.assert_array_equal(values, np.arange(50.0))


def test_lists_are_taken():
    found = run_block(lambda rng, n: [True, False, True], 1, 0, 3).values[""]
    assert isinstance(found, Shares)
    assert found.hits == 2


# ----------------------------------------------------------------------------------------------- intervals


@pytest.mark.parametrize("n", [1, 2, 7, 50, 1000])
@pytest.mark.parametrize("confidence", [0.5, 0.9, 0.95, 0.9999])
def test_wilson_against_scipy(n, confidence):
    z = scipy.stats.norm.ppf(0.5 + confidence / 2)
    hits = np.unique(np.r_[np.arange(min(n, 20) + 1), n // 2, n - 1, n])
    low, high = Shares(n, hits).interval(z)
    for i, k in enumerate(hits.tolist()):
        known = scipy.stats.binomtest(k, n).proportion_ci(confidence, method="wilson")
        assert low[i] == pytest.approx(known.low, rel=1e-9, abs=1e-12)
        assert high[i] == pytest.approx(known.high, rel=1e-9)
    assert low[0] == 0.0
    assert high[-1] == 1.0
    assert ((low >= 0) & (high <= 1) & (low < high)).all()


@pytest.mark.parametrize("n", [3, 1000, 10**9, 10**15])
def test_wilson_solves_its_equation(n):
    # (n + z²) p² - (2 h + z²) p + h²/n = 0, in whole numbers and fractions; the root lies between neighbours.
    hits = [h for h in (1, 2, n // 3, n // 2, n - 1) if 0 < h < n]
    low, high = Shares(n, np.array(hits)).interval(Z)
    z2 = Fraction(Z) ** 2

    def equation(p, h):
        return (n + z2) * p * p - (2 * h + z2) * p + Fraction(h * h, n)

    near, far = 1 - Fraction(1, 2**50), 1 + Fraction(1, 2**50)
    for h, a, b in zip(hits, low.tolist(), high.tolist(), strict=True):
        assert equation(Fraction(a) * near, h) > 0 > equation(Fraction(a) * far, h)
        assert equation(Fraction(b) * near, h) < 0 < equation(Fraction(b) * far, h)
        assert 0 < a < b <= 1


@pytest.mark.parametrize("z", [0.0, -0.0, 1e-200])
def test_wilson_without_any_width(z):
    for hits in (np.array([0, 2, 5]), np.array(0)):
        for end in Shares(5, hits).interval(z):
            np.testing.assert_allclose(end, hits / 5, rtol=1e-15)


def test_wilson_looks_the_same_from_the_other_side():
    hits = np.arange(38)
    low, high = Shares(37, hits).interval(Z)
    np.testing.assert_allclose(low, (1 - high)[::-1], atol=1e-15)


@pytest.mark.parametrize("confidence", [0.5, 0.95, 0.999])
def test_normal_interval_against_scipy(confidence):
    values = np.random.default_rng(2).exponential(2.0, (500, 3))
    z = scipy.stats.norm.ppf(0.5 + confidence / 2)
    scale = scipy.stats.sem(values, axis=0)
    known = scipy.stats.norm.interval(confidence, loc=values.mean(axis=0), scale=scale)
    np.testing.assert_allclose(Means.of(values).interval(z), known, rtol=1e-12)


def test_one_number_says_nothing_of_its_spread():
    one = Means.of(np.array([[4.0, 5.0]]))
    assert np.isnan(one.standard_error()).all()
    np.testing.assert_array_equal(one.interval(Z), [[-math.inf] * 2, [math.inf] * 2])


# --------------------------------------------------------------------------------------------------- bytes

MIXED = {
    "seen": lambda rng, n: rng.random((n, 2, 3)) < 0.5,
    "Entfernung/∅ 'x'": lambda rng, n: rng.normal(size=n),
    "none": lambda rng, n: rng.normal(size=(n, 0)),
    "dice": lambda rng, n: rng.integers(1, 7, (n, 4)),
}


@pytest.mark.parametrize("names", [*([name] for name in MIXED), list(MIXED), None])
def test_bytes_and_back(names):
    def sample(rng, n):
        if names is None:
            return MIXED["seen"](rng, n)
        return {name: MIXED[name](rng, n) for name in names}

    first, second = blocks_of(sample, (20, 13))
    again = Block.from_bytes(first.to_bytes())
    assert list(again.values) == list(first.values)
    assert (again.count, again.is_named) == (first.count, first.is_named)
    for name, own in first.values.items():
        assert type(again.values[name]) is type(own)
        for column, _ in own.columns:
            copy = getattr(again.values[name], column)
            np.testing.assert_array_equal(copy, getattr(own, column), strict=True)
            assert copy.dtype.isnative
    assert same_bits(again, first)
    assert same_bits(again.merged(second, 1), first.merged(second, 1))


def test_bytes_hold_no_program():
    payload = run_block(lambda rng, n: rng.normal(size=n), 1, 0, 5).to_bytes()
    assert b"numpy" not in payload
    assert b"ninthgeom" not in payload
    assert len(payload) < 150


# ------------------------------------------------------------------------------------------------ refusals


class Odd:
    """Neither an array nor a mapping."""


@pytest.mark.parametrize(
    ("given", "kind", "message"),
    [
        (lambda n: {}, ValueError, "block 3: sample gave a mapping without names"),
        (lambda n: {1: np.ones(n)}, TypeError, "block 3: names of a sample must be texts .*, got 1"),
        (lambda n: {"": np.ones(n)}, TypeError, "block 3: names of a sample"),
        (lambda n: None, TypeError, "block 3: sample must hold truth values or real numbers, got object"),
        (lambda n: Odd(), TypeError, "block 3: sample must hold .* got object"),
        (lambda n: np.ones(n) * 1j, TypeError, "block 3: sample must hold .* got complex128"),
        (lambda n: ["a"] * n, TypeError, "block 3: sample must hold .* got <U1"),
        (lambda n: np.zeros(n, "m8[s]"), TypeError, "block 3: sample must hold .* got timedelta64"),
        (lambda n: {"x": 1.0}, ValueError, r"block 3: sample\['x'\] must have 4 values .*, got shape \(\)"),
        (lambda n: np.ones(n + 1), ValueError, r"block 3: sample must have 4 values .*, got shape \(5,\)"),
        (lambda n: np.ones((2, n)), ValueError, r"got shape \(2, 4\)"),
        (lambda n: np.ma.masked_less(np.arange(n), 2), TypeError, "block 3: sample must not be masked"),
        (lambda n: [1.0, math.nan, 2.0, 3.0], ValueError, r"block 3: sample\[1\] must be finite .* got nan"),
        (
            lambda n: [1.0, 2.0, 3.0, -math.inf],
            ValueError,
            r"block 3: sample\[3\] must be finite .* got -inf",
        ),
        (lambda n: [1.0, 2.0, 1e141, 3.0], ValueError, r"block 3: sample\[2\] must be .* at most 1e\+140"),
        (
            lambda n: {"a": np.ones(n), "b": np.where(np.arange(8).reshape(n, 2, 1) == 5, np.nan, 0.0)},
            ValueError,
            r"block 3: sample\['b'\]\[2, 1, 0\] must be finite",
        ),
    ],
)
def test_what_a_sample_may_not_give(given, kind, message):
    with pytest.raises(kind, match=message):
        run_block(lambda rng, n: given(n), 1, 3, 4)


def test_the_place_of_a_bad_number_among_many():
    values = np.zeros((400, 50, 40))
    values[37, 49, 39] = np.nan
    with pytest.raises(ValueError, match=r"sample\[37, 49, 39\] must be finite"):
        run_block(lambda rng, n: values, 1, 0, 400)


ALIKE = {
    "an array": np.ones(4),
    "axes": np.ones((4, 2)),
    "truth": np.ones(4, bool),
    "named": {"a": np.ones(4)},
    "other": {"b": np.ones(4)},
    "more": {"a": np.ones(4), "b": np.ones(4)},
    "named truth": {"a": np.ones(4, bool)},
}


@pytest.mark.parametrize(("one", "other"), list(itertools.permutations(ALIKE, 2)))
def test_blocks_must_be_alike(one, other):
    first, second = (run_block(lambda rng, n, key=key: ALIKE[key], 1, 0, 4) for key in (one, other))
    with pytest.raises(ValueError, match="block 17: ") as caught:
        first.merged(second, 17)
    assert "before" in str(caught.value)
    if {one, other} == {"named", "named truth"}:
        assert "sample['a']" in str(caught.value)


def test_blocks_may_name_their_values_in_any_order_and_use_any_type_of_number():
    a = run_block(lambda rng, n: {"x": [1, 2], "y": [1.5, 2.5]}, 1, 0, 2)
    b = run_block(lambda rng, n: {"y": [3.5, 4.5], "x": [3.0, 4.0]}, 1, 1, 2)
    whole = a.merged(b, 1)
    assert list(whole.values) == ["x", "y"]
    assert (whole.values["x"].mean(), whole.values["y"].mean()) == (2.5, 3.0)


@pytest.mark.parametrize("scale", [1e-200, 1e-160, 1.0, 1e139, 1e141, math.inf, math.nan])
def test_what_numpy_is_told_to_do_about_underflow_does_not_matter(scale):
    def drawn(rng, n):
        with np.errstate(all="ignore"):
            return {"number": scale * rng.normal(size=n), "share": np.zeros(n, bool)}

    def answer():
        try:
            return repr(estimate(drawn, 20, seed=1, job="x", block=10, half_width=1e-300).to_table())
        except ValueError as error:
            return str(error)

    with np.errstate(all="ignore"):
        quiet = answer()
    with np.errstate(all="raise"):
        assert answer() == quiet
    assert ("at most 1e+140" in quiet) == (not scale < 1e140)


@pytest.mark.parametrize("n", [1, 7, 10**12])
def test_a_confidence_of_nearly_nothing(n):
    shares = Shares(n, np.array([0, n]))
    low, high = shares.interval(0.0)
    assert low.tolist() == high.tolist() == [0.0, 1.0]
