"""The boundary: broadcasting in every pattern, and one contract for all questions about pairs of bases."""

import itertools
import pickle

import numpy as np
import pytest

import ninthgeom
from ninthgeom import Bases, _arrays
from tests.strategies import random_bases

QUESTIONS = {
    "distance": (ninthgeom.distance, np.float64),
    "gap": (ninthgeom.gap, np.float64),
    "in_contact": (ninthgeom.in_contact, np.bool_),
    "interiors_meet": (ninthgeom.interiors_meet, np.bool_),
    "within": (lambda a, b, **options: ninthgeom.within(a, b, 1.0, **options), np.bool_),
    "wholly_within": (lambda a, b, **options: ninthgeom.wholly_within(a, b, 2.0, **options), np.bool_),
    "inside_arcs": (ninthgeom.inside_arcs, np.uint8),
    "located_arc": (ninthgeom.located_arc, np.uint8),
}
each_question = pytest.mark.parametrize(("question", "dtype"), QUESTIONS.values(), ids=QUESTIONS)

# Runs of axes of one batch, the other or both, with axes of length 1 between them.
SHAPES = [
    ((), ()),
    ((7,), ()),
    ((), (7,)),
    ((7,), (7,)),
    ((1,), (7,)),
    ((5, 1), (6,)),
    ((6,), (5, 1)),
    ((5, 1), (1, 6)),
    ((4, 5), (5,)),
    ((4, 1), (4, 5)),
    ((4, 5), (4, 1)),
    ((4, 5, 1), (4, 1, 6)),
    ((4, 1, 6), (4, 5, 1)),
    ((5, 1), (4, 1, 6)),
    ((4, 5, 1), (6,)),
    ((4, 1, 6), (5, 1)),
    ((4, 1, 6), (1, 5, 6)),
    ((4, 1, 6), (5, 6)),
    ((2, 3, 1, 1), (2, 3, 4, 5)),
    ((2, 1, 4, 1), (1, 3, 1, 5)),
    ((2, 1, 4, 1, 6), (3, 4, 5, 6)),
    ((1, 1, 1), (1,)),
    ((3, 0), (3, 1)),
    ((0,), ()),
    ((2, 0, 1), (5,)),
]


def pairs_one_by_one(question, a, b):
    """The answers by a loop over single bases."""
    shape = np.broadcast_shapes(a.shape, b.shape)
    index_a = np.broadcast_to(np.arange(a.size).reshape(a.shape), shape).ravel()
    index_b = np.broadcast_to(np.arange(b.size).reshape(b.shape), shape).ravel()
    a, b = a.reshape(-1), b.reshape(-1)
    answers = [question(a[i], b[j]) for i, j in zip(index_a, index_b, strict=True)]
    return np.reshape(answers, shape)


@pytest.mark.parametrize("block", [8192, 4])
@each_question
def test_every_pattern_of_a_broadcast(question, dtype, block, monkeypatch):
    monkeypatch.setattr(_arrays, "BLOCK", block)
    rng = np.random.default_rng(1)
    for left, right in SHAPES:
        a = random_bases(rng, int(np.prod(left, dtype=int)), "mixed").reshape(left)
        b = random_bases(rng, int(np.prod(right, dtype=int)), "mixed").reshape(right)
        found = question(a, b)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, pairs_one_by_one(question, a, b), err_msg=f"{left} {right}")
        for workers in (2, -1):
            np.testing.assert_array_equal(question(a, b, workers=workers), found)


@each_question
def test_forms_that_fit_no_kernel_call_are_split_in_blocks(question, dtype):
    rng = np.random.default_rng(2)
    a = random_bases(rng, 40 * 300, "mixed").reshape(40, 1, 300)
    b = random_bases(rng, 30 * 300, "mixed").reshape(1, 30, 300)
    expected = np.stack([question(a[i, 0], b[0]) for i in range(40)])
    np.testing.assert_array_equal(question(a, b), expected)
    np.testing.assert_array_equal(question(a, b, workers=2), expected)
    single = random_bases(rng, 20_001, "mixed")
    np.testing.assert_array_equal(question(single, b[0, 0, 0]), question(single, b[0, 0, :1]))
    some = question(single, b[0, 0, 0])[:50]
    np.testing.assert_array_equal(some, pairs_one_by_one(question, single[:50], b[0, 0, 0]))


@each_question
def test_single_pairs_give_scalars(question, dtype):
    answer = question(Bases.point(0.0, 0.0), Bases.point(1.0, 0.0))
    assert isinstance(answer, dtype)
    assert np.shape(answer) == ()
    assert isinstance(question(Bases.point([0.0], 0.0), Bases.point(1.0, 0.0)), np.ndarray)


@each_question
def test_views_copies_and_pickles(question, dtype):
    rng = np.random.default_rng(3)
    a, b = random_bases(rng, 400, "mixed"), random_bases(rng, 400, "mixed")
    expected = question(a, b)
    np.testing.assert_array_equal(question(a[::-3], b[::-3]), expected[::-3])
    np.testing.assert_array_equal(question(a[::2], b[1::2]), pairs_one_by_one(question, a[::2], b[1::2]))
    grid_a, grid_b = a.reshape(20, 20)[:, ::-1], b.reshape(20, 20)[:, ::-1]
    np.testing.assert_array_equal(question(grid_a, grid_b), expected.reshape(20, 20)[:, ::-1])
    index = rng.integers(0, 400, 1000)
    np.testing.assert_array_equal(question(a[index], b[index]), expected[index])
    again = pickle.loads(pickle.dumps((a, b)))
    np.testing.assert_array_equal(question(*again), expected)


@each_question
def test_the_numbers_it_was_made_from_may_have_any_type(question, dtype):
    rng = np.random.default_rng(4)
    x, y, width, depth = rng.integers(1, 20, (4, 300))

    def answers(kind):
        numbers = [value.astype(kind) for value in (x, y, width, depth)]
        bases = Bases.rect(numbers[0], numbers[1], width=numbers[2], depth=numbers[3])
        return question(bases[:100, None], bases[100:])

    expected = answers(np.float64)
    for kind in (np.float32, np.int16, np.uint8, ">f8", "<i8", np.longdouble):
        np.testing.assert_array_equal(answers(kind), expected)


# ------------------------------------------------------------------------------ out


@each_question
def test_out_is_filled_and_returned(question, dtype):
    rng = np.random.default_rng(5)
    a, b = random_bases(rng, 30, "mixed"), random_bases(rng, 40, "mixed")
    for left, right in ((a[:, None], b), (a, b[:30]), (a, b[:, None]), (a, b[0]), (a[0], b), (a[:0], b[:0])):
        expected = question(left, right)
        shape, size = expected.shape, expected.size
        memory = bytearray(size * expected.itemsize + 1)
        for out in (
            np.empty(shape, dtype),
            np.empty(shape, dtype, order="F"),
            np.empty((*shape, 2), dtype)[..., 1],
            np.frombuffer(memory, dtype, size, offset=1).reshape(shape),  # not aligned
        ):
            assert question(left, right, out=out) is out
            np.testing.assert_array_equal(out, expected)


@each_question
def test_out_for_a_single_pair(question, dtype):
    a, b = Bases.point(0.0, 0.0), Bases.rect(0.5, 0.0, width=1.0, depth=3.0)
    out = np.empty((), dtype)
    assert question(a, b, out=out) is out
    assert out == question(a, b)


@each_question
def test_bad_out(question, dtype):
    a = Bases.point(np.zeros(3), 0.0)
    other = np.int16
    locked = np.empty(3, dtype)
    locked.flags.writeable = False
    for out, error, message in (
        (np.empty(4, dtype), ValueError, r"^out must have shape \(3,\), got \(4,\)$"),
        (np.empty((1, 3), dtype), ValueError, r"^out must have shape \(3,\), got \(1, 3\)$"),
        (np.empty(3, other), TypeError, rf"^out must have dtype {np.dtype(dtype)}, got int16$"),
        ([0, 0, 0], TypeError, r"^out must be an array, got list$"),
        (locked, ValueError, r"^out must be writable$"),
    ):
        with pytest.raises(error, match=message):
            question(a, a, out=out)


# ------------------------------------------------------------------------------ bad arguments


@each_question
def test_not_bases(question, dtype):
    bases = Bases.point([0.0, 1.0], 0.0)
    for wrong in (None, 1.0, np.zeros((2, 7)), [bases], "bases"):
        for arguments in ((wrong, bases), (bases, wrong)):
            with pytest.raises(TypeError, match=rf"^\w+ must be Bases, got {type(wrong).__name__}$"):
                question(*arguments)


@each_question
def test_shapes_that_do_not_broadcast(question, dtype):
    a, b = Bases.point([0.0, 1.0], 0.0), Bases.point([0.0, 1.0, 2.0], 0.0)
    with pytest.raises(ValueError, match=r"^shapes do not broadcast: \w+ \(2,\), \w+ \(3,\)$"):
        question(a, b)
    with pytest.raises(ValueError, match=r"^shapes do not broadcast: \w+ \(0,\), \w+ \(3,\)$"):
        question(a[:0], b)


def test_names_in_messages_are_those_of_the_arguments():
    a, b = Bases.point([0.0, 1.0], 0.0), Bases.point([0.0, 1.0, 2.0], 0.0)
    with pytest.raises(ValueError, match=r"observers \(2,\), others \(3,\)"):
        ninthgeom.inside_arcs(a, b)
    with pytest.raises(TypeError, match="others must be Bases"):
        ninthgeom.located_arc(a, 3)
    with pytest.raises(TypeError, match="b must be Bases"):
        ninthgeom.gap(a, 3)


@each_question
def test_bad_workers(question, dtype):
    a = Bases.point([0.0], 0.0)
    for workers, error in (
        (0, ValueError),
        (-2, ValueError),
        (1.5, TypeError),
        ("2", TypeError),
        (None, TypeError),
    ):
        for bases in (a, a[:0]):
            with pytest.raises(error, match=r"^workers must be"):
                question(bases, bases, workers=workers)


def test_numbers_are_not_looked_for_in_bases():
    with pytest.raises(TypeError, match="Bases are no array of numbers"):
        Bases.point(Bases.point(0.0, 0.0), 0.0)


def test_runs_of_axes():
    run = _arrays.Run
    assert _arrays._runs_of((), ()) == ((run.BOTH, 1),)
    assert _arrays._runs_of((1, 1), (1,)) == ((run.BOTH, 1),)
    assert _arrays._runs_of((2, 3), (2, 3)) == ((run.BOTH, 6),)
    assert _arrays._runs_of((2, 3, 1, 1), (1, 1, 1, 4)) == ((run.A, 6), (run.B, 4))
    assert _arrays._runs_of((2, 1, 3, 1), (2, 1, 1, 5)) == ((run.BOTH, 2), (run.A, 3), (run.B, 5))
    for a, b in itertools.permutations([(3,), (2, 1), (1, 1, 3)], 2):
        sizes = [size for _, size in _arrays._runs_of(a, b)]
        assert np.prod(sizes) == np.prod(np.broadcast_shapes(a, b))
