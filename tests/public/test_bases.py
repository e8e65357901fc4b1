"""Bases: what they are made from, what they refuse, and how they behave as an array."""

import copy
import math
import pickle
import time

import numpy as np
import pytest
import shapely

from ninthgeom import TOLERANCE, Bases
from tests.strategies import KINDS, random_bases

SOME = Bases.rect([[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]], 1.0, 0.5, width=1.0, depth=[1.0, 2.0, 3.0])


# ------------------------------------------------------------------------------ what they are made from


def test_attributes_are_what_they_were_made_from():
    bases = Bases([1, 2], [[3.0], [4.0]], 7.0, width=np.float32(2.5), depth=[1.0, 2.0], radius=0.5)
    assert bases.shape == (2, 2)
    assert (bases.ndim, bases.size, len(bases)) == (2, 4, 2)
    np.testing.assert_array_equal(bases.x, [[1.0, 2.0], [1.0, 2.0]])
    np.testing.assert_array_equal(bases.y, [[3.0, 3.0], [4.0, 4.0]])
    np.testing.assert_array_equal(bases.depth, [[1.0, 2.0], [1.0, 2.0]])
    for array, value in ((bases.heading, 7.0), (bases.width, 2.5), (bases.radius, 0.5)):
        np.testing.assert_array_equal(array, np.full((2, 2), value))


@pytest.mark.parametrize("name", ["x", "y", "heading", "width", "depth", "radius"])
def test_nothing_can_be_changed(name):
    given = {"x": np.ones(3), "y": np.ones(3), "heading": np.ones(3)}
    given |= {"width": np.ones(3), "depth": np.ones(3), "radius": np.zeros(3)}
    bases = Bases(**given)
    given[name][:] = 0.25
    assert (getattr(bases, name) == (0.0 if name == "radius" else 1.0)).all()
    with pytest.raises(ValueError, match="read-only"):
        getattr(bases, name)[0] = 2.0
    with pytest.raises(AttributeError):
        setattr(bases, name, np.zeros(3))
    assert given[name].flags.writeable


def test_columns():
    bases = Bases(1.0, 2.0, math.radians(30.0), width=4.0, depth=6.0, radius=0.5)
    np.testing.assert_allclose(bases._columns, [1.0, 2.0, 3**0.5 / 2, 0.5, 2.5, 1.5, 0.5], atol=1e-15)
    assert SOME._columns.shape == (7, 2, 3)
    assert SOME._columns.flags.c_contiguous
    assert not SOME._columns.flags.writeable


@pytest.mark.parametrize("span", [0.01, math.pi, 1e3, 1e9])
def test_directions(span):
    rng = np.random.default_rng(1)
    heading = np.concatenate([rng.uniform(-span, span, 20_000), span * np.linspace(-1.0, 1.0, 9)])
    columns = Bases.rect(0.0, 0.0, heading, width=1.0, depth=1.0)._columns
    np.testing.assert_allclose(columns[2], np.cos(heading), rtol=0, atol=3e-16)
    np.testing.assert_allclose(columns[3], np.sin(heading), rtol=0, atol=3e-16)


def test_directions_do_not_depend_on_the_batch():
    heading = np.random.default_rng(2).uniform(-10.0, 10.0, 20_001)
    whole = Bases.rect(0.0, 0.0, heading, width=1.0, depth=1.0)._columns[:, ::20]
    parts = Bases.rect(0.0, 0.0, heading[::20], width=1.0, depth=1.0)._columns
    single = [Bases.rect(0.0, 0.0, h, width=1.0, depth=1.0)._columns for h in heading[::20]]
    np.testing.assert_array_equal(whole, parts)
    np.testing.assert_array_equal(whole, np.array(single).T)


def test_rect_round_oval_point():
    rect = Bases.rect(1.0, 2.0, 3.0, width=4.0, depth=5.0)
    assert rect == Bases(1.0, 2.0, 3.0, width=4.0, depth=5.0, radius=0.0)
    assert Bases.round(1.0, 2.0, diameter=3.0) == Bases(1.0, 2.0, width=3.0, depth=3.0, radius=1.5)
    oval = Bases.oval(1.0, 2.0, 3.0, width=[4.0, 5.0], depth=5.0)
    assert oval == Bases([1.0, 1.0], 2.0, 3.0, width=[4.0, 5.0], depth=5.0, radius=[2.0, 2.5])
    assert Bases.point(1.0, 2.0) == Bases(1.0, 2.0)


def test_from_front():
    turn = np.linspace(0.0, 6.0, 30)
    bases = Bases.from_front(10.0, 20.0, turn, width=3.0, depth=2.0)
    front = bases.corners()[:, :2].mean(axis=1)
    np.testing.assert_allclose(front, np.tile([10.0, 20.0], (30, 1)), atol=1e-14)
    np.testing.assert_array_equal(bases.heading, turn)
    facing = Bases.from_front(10.0, 20.0, turn, width=3.0, depth=0.0)
    np.testing.assert_array_equal(facing.x, np.full(30, 10.0))


def test_concatenate():
    joined = Bases.concatenate([SOME, SOME[:1], SOME[:0]])
    assert joined.shape == (3, 3)
    assert joined[2] == SOME[0]
    assert Bases.concatenate(batch for batch in [SOME]) == SOME
    with pytest.raises(TypeError, match=r"batches\[1\] must be Bases, got int"):
        Bases.concatenate([SOME, 3])
    for batches in ([], [SOME, SOME[0]], [SOME[0, 0]]):
        with pytest.raises(ValueError, match="batches must be one or more, alike but for the first axis"):
            Bases.concatenate(batches)


@pytest.mark.parametrize("mm", [20, 25, 32, 40, 50, 60, 75, 80, 100])
def test_millimetres(mm):
    inches = mm / 25.4
    for radius in (inches / 2, (mm / 2) / 25.4, mm * (0.5 / 25.4), mm / 2 * 0.03937007874015748):
        disc = Bases(0.0, 0.0, width=inches, depth=inches, radius=radius)
        assert disc.is_disc
        assert not disc.is_oval
        oval = Bases(0.0, 0.0, width=inches, depth=2 * inches, radius=radius)
        assert oval.is_oval
        assert not oval.is_disc
        assert (disc._columns[4:6] >= 0.0).all()
        assert (oval._columns[4:6] >= 0.0).all()


def test_radii_rounded_up():
    disc = Bases(0.0, 0.0, width=1.0, depth=1.0, radius=np.nextafter(0.5, 1.0))
    assert disc.is_disc
    np.testing.assert_array_equal(disc._columns[4:6], [0.0, 0.0])
    assert disc.radius == np.nextafter(0.5, 1.0)


def test_discs_and_ovals():
    side, near = 2.0, 2.0 + 0.4 * TOLERANCE
    assert Bases(0.0, 0.0, width=side, depth=near, radius=1.0).is_disc
    assert not Bases(0.0, 0.0, width=side, depth=side + 2 * TOLERANCE, radius=1.0).is_disc
    assert Bases(0.0, 0.0, width=near, depth=9.0, radius=1.0).is_oval
    assert Bases.point(0.0, 0.0).is_disc
    segments = Bases.rect(0.0, 0.0, width=[4.0, 0.0], depth=[0.0, 4.0])
    assert not (segments.is_oval | segments.is_disc).any()  # segments are rectangles without a side
    assert Bases.round([], 0.0, diameter=1.0).is_disc.shape == (0,)


# ------------------------------------------------------------------------------ what they refuse

BAD = [
    ({"x": [0.0, math.nan]}, ValueError, r"^x\[1\] must be finite, got nan$"),
    ({"y": [[0.0], [-math.inf]]}, ValueError, r"^y\[1, 0\] must be finite, got -inf$"),
    ({"heading": math.inf}, ValueError, r"^heading must be finite, got inf$"),
    ({"x": [1e6, 1000000.1]}, ValueError, r"^x\[1\] must be from -1e\+06 to 1e\+06, got 1000000.1$"),
    ({"y": -2e6}, ValueError, r"^y must be from -1e\+06 to 1e\+06, got -2000000.0$"),
    ({"width": [1.0, -0.5]}, ValueError, r"^width\[1\] must not be negative, got -0.5$"),
    ({"depth": -1e-300}, ValueError, r"^depth must not be negative, got -1e-300$"),
    ({"radius": [0.0, math.nan]}, ValueError, r"^radius\[1\] must be finite, got nan$"),
    ({"depth": 1e7}, ValueError, r"^depth must be at most 1e\+06, got 10000000.0$"),
    (
        {"width": [2.0, 1.0], "depth": 3.0, "radius": [1.0, 0.6]},
        ValueError,
        r"^radius\[1\] must be at most half the width, 0.5, got 0.6$",
    ),
    (
        {"width": 3.0, "depth": [[2.0], [1.0]], "radius": [0.4, 0.5 + 1e-8]},
        ValueError,
        r"^radius\[1, 1\] must be at most half the depth, 0.5, got 0.50000001$",
    ),
    ({"x": 1j}, TypeError, r"^x must hold real numbers, got dtype complex128$"),
    ({"y": "1.0"}, TypeError, r"^y must hold real numbers, got dtype <U3$"),
    ({"x": None}, TypeError, r"^x must hold real numbers, got dtype object$"),
    ({"x": [True, False]}, TypeError, r"^x must hold real numbers, got dtype bool$"),
    ({"width": np.array(["2020-01-01"], "M8[D]")}, TypeError, r"^width must hold real numbers, got dtype"),
    ({"x": [1.0, [2.0, 3.0]]}, ValueError, r"^x must be an array of numbers: .*inhomogeneous"),
    ({"x": [1.0, 2.0], "y": [1.0, 2.0, 3.0]}, ValueError, r"^shapes do not broadcast: x \(2,\), y \(3,\)"),
    ({"x": np.ma.masked_array([1.0, 2.0], [False, True])}, ValueError, r"^x must not have masked values$"),
]


@pytest.mark.parametrize(("wrong", "error", "message"), BAD, ids=[message for _, _, message in BAD])
def test_refused(wrong, error, message):
    with pytest.raises(error, match=message):
        Bases(**({"x": 0.0, "y": 0.0} | wrong))


def test_refused_by_the_constructor_that_was_called():
    with pytest.raises(ValueError, match=r"^diameter\[1\] must not be negative, got -1.0$"):
        Bases.round(0.0, 0.0, diameter=[1.0, -1.0])
    with pytest.raises(ValueError, match=r"^shapes do not broadcast: x \(2,\), y \(\), diameter \(3,\)$"):
        Bases.round([1.0, 2.0], 0.0, diameter=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"^shapes do not broadcast: .* width \(2,\), depth \(3,\)$"):
        Bases.oval(0.0, 0.0, width=[1.0, 2.0], depth=[1.0, 2.0, 3.0])
    with pytest.raises(ValueError, match=r"^heading must be finite"):
        Bases.from_front(0.0, 0.0, math.nan, width=1.0, depth=1.0)
    with pytest.raises(TypeError, match="missing 2 required keyword-only arguments"):
        Bases.rect(0.0, 0.0, 0.0)


@pytest.mark.parametrize(
    "convert",
    [
        list,
        tuple,
        lambda a: a.astype(np.float32),
        lambda a: a.astype(np.int8),
        lambda a: a.astype(np.uint64),
        lambda a: a.astype(">f8"),
        lambda a: np.repeat(a, 3)[::3],
        lambda a: a[::-1].copy()[::-1],
        lambda a: np.frombuffer(a.tobytes()),  # read-only
        lambda a: np.frombuffer(b"." + a.tobytes(), offset=1),  # not aligned
        np.ma.masked_array,
    ],
)
def test_accepted(convert):
    numbers = np.array([4.0, 2.0, 6.0])
    given = convert(numbers)
    assert Bases.rect(given, given, given, width=given, depth=given) == Bases.rect(
        numbers, numbers, numbers, width=numbers, depth=numbers
    )


# ------------------------------------------------------------------------------ as an array


@pytest.mark.parametrize(
    "key",
    [
        0,
        -1,
        (1, 2),
        slice(None, None, -1),
        (slice(None), None),
        (None, Ellipsis, 0),
        (Ellipsis, slice(1, 3)),
        [1, 0, 1],
        ([0, 1], [2, 0]),
        ([0, 1], None, [2, 0]),
        (None, [0, 1], slice(None), None),
        np.array([[True, False, True], [False, False, True]]),
        (slice(None), np.array([True, False, True])),
        (),
        Ellipsis,
    ],
    ids=str,
)
def test_indexing_is_that_of_an_array(key):
    found = SOME[key]
    for name in ("x", "y", "heading", "width", "depth", "radius", "area"):
        np.testing.assert_array_equal(getattr(found, name), getattr(SOME, name)[key])
    assert found._columns.shape == (7, *found.shape)
    np.testing.assert_array_equal(found._columns[0], found.x)


def test_index_arrays_round_a_slice():
    bases = Bases.point(np.arange(24.0).reshape(2, 3, 4), 0.0)
    for key in (([0, 1], slice(None), [2, 3]), ([0, 1], slice(None), 3), (slice(None), [0, 2], [1, 3])):
        np.testing.assert_array_equal(bases[key].x, bases.x[key])


@pytest.mark.parametrize(
    "key", [[2, 0, 1, 1], np.arange(4) > 1, (slice(None), np.array([0, 2])), ([0, 1], None)], ids=str
)
def test_picked_bases_are_laid_out_for_the_kernels(key):
    """Masks and index arrays copy anyway; without a second look at the layout every question copied again."""
    columns = Bases.point(np.arange(12.0).reshape(4, 3), 0.0)[key]._columns
    assert columns.flags.c_contiguous


def test_index_errors():
    for key in (2, (0, 3), (0, 0, 0), ("x",), 0.5):
        with pytest.raises(IndexError):
            SOME[key]


def test_slices_are_views():
    assert np.shares_memory(SOME[1:, ::2]._columns, SOME._columns)


def test_iteration_and_length():
    assert [base.shape for base in SOME] == [(3,), (3,)]
    assert list(SOME)[1] == SOME[1]
    for use in (len, list):
        with pytest.raises(TypeError, match="a single base has no length"):
            use(SOME[0, 0])


def test_reshape():
    assert SOME.reshape(3, 2).shape == SOME.reshape((3, 2)).shape == (3, 2)
    assert SOME.reshape(-1)[4] == SOME[1, 1]
    assert SOME[::-1].reshape(6)[0] == SOME[1, 0]
    assert SOME[0, 0].reshape(1, 1).shape == (1, 1)
    with pytest.raises(ValueError, match="cannot reshape"):
        SOME.reshape(4, 2)


def test_equality():
    assert Bases.rect(SOME.x, SOME.y, SOME.heading, width=SOME.width, depth=SOME.depth) == SOME
    assert SOME[:1] != SOME
    assert Bases.rect(SOME.x, SOME.y, 0.6, width=SOME.width, depth=SOME.depth) != SOME
    assert SOME != "bases"
    with pytest.raises(TypeError, match="unhashable"):
        hash(SOME)


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, lambda b: pickle.loads(pickle.dumps(b))])
@pytest.mark.parametrize("bases", [SOME, SOME[0, 0], SOME[:0], SOME[:, ::-1]], ids=str)
def test_copies(clone, bases):
    same = clone(bases)
    assert same == bases
    assert same.shape == bases.shape
    with pytest.raises(ValueError, match="read-only"):
        same.width[...] = 1.0


def test_not_an_array():
    for use in (np.asarray, np.sin, lambda b: b + 1.0, lambda b: 1.0 * b, lambda b: np.ones(3) < b):
        with pytest.raises(TypeError):
            use(SOME)


def test_repr():
    assert repr(Bases.rect(1.0, 2.0, width=3.0, depth=4.0)) == (
        "<Bases (): x=1., y=2., heading=0., width=3., depth=4., radius=0.>"
    )
    assert len(repr(Bases.point(np.zeros(10**6), 0.0))) < 400


# ------------------------------------------------------------------------------ outlines


@pytest.mark.parametrize("kind", KINDS)
def test_bounds_area_and_corners(kind):
    bases = random_bases(np.random.default_rng(3), 300, kind)
    outlines = bases.to_shapely()
    rim = 2.0 * (1.0 - math.cos(math.pi / 64))  # shapely's discs are polygons inside the true ones
    np.testing.assert_allclose(bases.area, shapely.area(outlines), atol=4.0 * math.pi * rim, rtol=0)
    np.testing.assert_allclose(bases.bounds, shapely.bounds(outlines), atol=rim + 1e-12, rtol=0)
    outer = shapely.polygons(bases.corners())
    np.testing.assert_allclose(shapely.area(outer), bases.width * bases.depth, atol=1e-12)
    # Front left is before the centre and to its left.
    to_corner = bases.corners()[:, 0] - np.stack([bases.x, bases.y], axis=-1)
    cos, sin = np.cos(bases.heading), np.sin(bases.heading)
    np.testing.assert_allclose(to_corner[:, 0] * cos + to_corner[:, 1] * sin, 0.5 * bases.depth, atol=1e-12)
    np.testing.assert_allclose(to_corner[:, 1] * cos - to_corner[:, 0] * sin, 0.5 * bases.width, atol=1e-12)


def test_to_shapely():
    kinds = [Bases.rect(0, 0, width=1, depth=1), Bases.rect(0, 0, width=1, depth=0), Bases.point(0, 0)]
    kinds += [Bases.oval(0, 0, width=1, depth=2), Bases.round(0, 0, diameter=1)]
    assert [base.to_shapely().geom_type for base in kinds] == [
        "Polygon",
        "LineString",
        "Point",
        "Polygon",
        "Polygon",
    ]
    assert SOME.to_shapely().shape == (2, 3)
    assert SOME[:0].to_shapely().shape == (0, 3)
    assert SOME.to_shapely()[1, 2].equals(SOME[1, 2].to_shapely())


def test_empty():
    empty = Bases.rect(np.empty((0, 3)), 0.0, width=1.0, depth=1.0)
    assert empty.shape == (0, 3)
    assert empty.bounds.shape == (0, 3, 4)
    assert empty.corners().shape == (0, 3, 4, 2)
    assert empty.area.shape == (0, 3)
    assert list(empty) == []


# ------------------------------------------------------------------------------ speed


def test_a_million_bases_take_little_more_than_their_copies():
    rng = np.random.default_rng(4)
    numbers = rng.uniform(0.5, 4.0, (5, 10**6))
    x, y, heading, width, depth = numbers
    columns = np.empty((12, 10**6))

    def seconds(task):
        trials = []
        for _ in range(5):
            start = time.thread_time()
            task()
            trials.append(time.thread_time() - start)
        return min(trials)

    copies = seconds(lambda: np.copyto(columns, x))
    # 25 ms where 12 columns are copied in 5.
    assert seconds(lambda: Bases.rect(x, y, heading, width=width, depth=depth)) < 15.0 * copies + 0.01
