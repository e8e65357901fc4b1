"""Arguments that samplers share."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, as_booleans, as_floats, check_range
from ninthgeom._checks import PlacedValueError, whole
from ninthgeom._constants import LARGEST_COORDINATE


def check_rng(rng: object) -> None:
    """Raise if this is no generator, such as a seed."""
    if not isinstance(rng, Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}; default_rng(seed) makes one")


def checked_shape(n: int | tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape of samples that n asks for."""
    if isinstance(n, tuple):
        return tuple(whole(length, ("n", i), 0) for i, length in enumerate(n))
    return (whole(n, ("n",), 0),)


def one_or_each(name: str, value: ArrayLike, n_units: int) -> FloatArray:
    """Return a length or an angle for all units or one for each."""
    array = as_floats(name, value)
    if array.shape not in ((), (n_units,)):
        raise ValueError(f"{name} must be one number or {n_units}, one a unit, got shape {array.shape}")
    check_range(name, array, 0.0, LARGEST_COORDINATE)
    return array


def for_states(name: str, values: NDArray[Any], n: int, length: int) -> NDArray[Any]:
    """Return values for each of n states, shape (n, length), a view where that is enough."""
    if values.shape not in ((), (length,), (n, length)):
        known = f"() or ({length},) or ({n}, {length})"
        raise PlacedValueError((name,), f"must have shape {known}, got {values.shape}")
    return np.broadcast_to(values, (n, length))


def one_mask(name: str, mask: ArrayLike | None, length: int) -> BoolArray | None:
    """Return a mask of all states alike, None if none is given."""
    if mask is None:
        return None
    array = as_booleans(name, mask)
    if array.shape != (length,):
        raise PlacedValueError((name,), f"must have shape ({length},), got {array.shape}")
    return array
