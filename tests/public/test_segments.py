"""Segments: numbers, checks, and manners of an array."""

import copy
import pickle

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import Segments


def grid() -> Segments:
    """Six segments, two by three."""
    x = np.arange(6.0).reshape(2, 3)
    return Segments(x, 0.0, x + 3.0, 4.0)


def test_numbers_broadcast_and_stay():
    segments = Segments([0, 1, 2], [[0], [5]], 3, np.float32(4.5))
    assert segments.shape == (2, 3)
    assert segments.x0.tolist() == [[0, 1, 2]] * 2
    assert segments.y0.tolist() == [[0] * 3, [5] * 3]
    assert segments.x1.dtype == np.float64
    assert (segments.y1 == 4.5).all()
    with pytest.raises(ValueError, match="read-only"):
        segments.x0[0] = 1.0
    with pytest.raises(AttributeError):
        segments.x0 = 1.0
    given = np.zeros(3)
    kept = Segments(given, given, 1.0, 1.0)
    given += 1.0
    assert (kept.x0 == 0.0).all()


def test_length_and_bounds():
    segments = Segments([0, 4, 1], [0, 3, 1], [3, 0, 1], [4, 5, 1])
    np.testing.assert_allclose(segments.length, [5.0, np.sqrt(20.0), 0.0])
    assert segments.bounds.tolist() == [[0, 0, 3, 4], [0, 3, 4, 5], [1, 1, 1, 1]]
    assert grid().bounds.shape == (2, 3, 4)
    assert Segments(0, 0, 3, 4).length == 5.0


def test_as_bases_without_width():
    segments = Segments([1, 2, -1e6], [1, 2, -1e6], [4, 2, 1e6], [5, 2, 1e6])
    along = [2.5, 0.0, np.sqrt(2.0) * 1e6]
    x, y, cos, sin, half, across, radius = segments._columns
    np.testing.assert_allclose(half, along)
    assert not across.any()
    assert not radius.any()
    np.testing.assert_allclose(x - half * cos, segments.x0, atol=1e-9)
    np.testing.assert_allclose(y + half * sin, segments.y1, atol=1e-9)
    assert (cos[1], sin[1]) == (1.0, 0.0)
    assert segments._columns is segments._columns


def test_as_an_array():
    segments = grid()
    assert (len(segments), segments.ndim, segments.size) == (2, 2, 6)
    assert segments[1].x0.tolist() == [3, 4, 5]
    assert segments[1, 2] == Segments(5, 0, 8, 4)
    assert segments[..., 0].x0.tolist() == [0, 3]
    assert segments[:, None].shape == (2, 1, 3)
    assert segments[[1, 0, 1], 0].x0.tolist() == [3, 0, 3]
    assert segments[segments.x0 > 3.5].shape == (2,)
    assert [row.shape for row in segments] == [(3,), (3,)]
    assert segments.reshape(-1) == segments.reshape((6,))
    assert segments.reshape(3, -1)[2, 1] == segments[1, 2]
    assert Segments([], 0, 0, 0).reshape(3, 0).shape == (3, 0)
    assert Segments([], 0, 0, 0).reshape(-1).shape == (0,)
    with pytest.raises(TypeError, match="a single segment"):
        len(segments[0, 0])
    with pytest.raises(TypeError, match="Segments are no array of numbers"):
        np.asarray(segments)
    with pytest.raises(TypeError):
        hash(segments)
    with pytest.raises(TypeError):
        segments + np.ones(3)


def test_equality_copies_and_text():
    segments = grid()
    assert segments == grid()
    assert segments != segments[0]
    assert segments != Segments(segments.x0, 0.0, segments.x1, 4.5)
    assert segments != "segments"
    for other in (pickle.loads(pickle.dumps(segments)), copy.copy(segments), copy.deepcopy(segments)):
        assert other == segments
        with pytest.raises(ValueError, match="read-only"):
            other.x0[0] = 1.0
    assert (
        repr(segments[0])
        == "<Segments (3,): x0=[0., 1., 2.], y0=[0., 0., 0.], x1=[3., 4., 5.], y1=[4., 4., 4.]>"
    )


def test_to_shapely():
    lines = Segments([0, 1], 0, [3, 1], [4, 0]).to_shapely()
    assert [line.wkt for line in lines] == ["LINESTRING (0 0, 3 4)", "POINT (1 0)"]
    assert grid().to_shapely().shape == (2, 3)
    assert grid()[1, 1].to_shapely().wkt == "LINESTRING (4 0, 7 4)"
    assert Segments([], 0, 0, 0).to_shapely().shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ((0, [1, np.nan], 0, 0), ValueError, r"^y0\[1\] must be finite, got nan$"),
        ((0, 0, [[0], [np.inf]], 0), ValueError, r"^x1\[1, 0\] must be finite, got inf$"),
        ((0, 0, 0, 2e6), ValueError, r"^y1 must be from -1e\+06 to 1e\+06, got 2000000.0$"),
        (
            ([0, 1], 0, [0, 1, 2], 0),
            ValueError,
            r"^shapes do not broadcast: x0 \(2,\), y0 \(\), x1 \(3,\), y1 \(\)$",
        ),
        (("a", 0, 0, 0), TypeError, r"^x0 must hold real numbers, got dtype <U1$"),
        ((0, 0, 1j, 0), TypeError, r"^x1 must hold real numbers, got dtype complex128$"),
        ((ng.Bases.point(0, 0), 0, 0, 0), TypeError, r"^Bases are no array of numbers"),
    ],
)
def test_refused(arguments, error, message):
    with pytest.raises(error, match=message):
        Segments(*arguments)


def test_concatenate():
    segments = grid()
    assert Segments.concatenate([segments[:1], segments[1:]]) == segments
    assert Segments.concatenate(list(segments)) == segments.reshape(-1)
    with pytest.raises(TypeError, match=r"batches\[0\] must be Segments, got list"):
        Segments.concatenate([[1]])
    with pytest.raises(ValueError, match="alike but for the first axis"):
        Segments.concatenate([segments, segments[0]])
