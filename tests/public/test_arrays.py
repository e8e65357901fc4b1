"""The boundary: what is no array of numbers, and how the axes of a broadcast fall into runs."""

import itertools

import numpy as np
import pytest

from ninthgeom import Bases, _arrays


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
