"""Starts and goals of routes as arrays: their axes are those of states first, then those of questions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import FloatArray, as_floats, check_range
from ninthgeom._checks import PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE


def checked_points(name: str, value: ArrayLike) -> FloatArray:
    """Return points as an array of shape (..., 2)."""
    points = as_floats(name, value)
    if points.ndim < 1 or points.shape[-1] != 2:
        raise PlacedValueError((name,), f"must have shape (..., 2), got {points.shape}")
    check_range(name, points, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    return points


def question_axes(name: str, points: FloatArray, n_axes: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the axes of points that are those of states, none if they serve all, and the others."""
    axes = points.shape[:-1]
    if not axes:
        return (), ()
    if len(axes) < n_axes:
        raise PlacedValueError((name,), f"must have the {n_axes} axes of states first, got {points.shape}")
    return axes[:n_axes], axes[n_axes:]


def broadcast_axes(what: str, shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Return the axes that some have together, or raise and say of what they are."""
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        raise ValueError(f"axes of {what} do not broadcast: {' and '.join(map(str, shapes))}") from None


def spread_points(
    points: FloatArray,
    own_states: tuple[int, ...],
    own_rest: tuple[int, ...],
    leading: tuple[int, ...],
    rest: tuple[int, ...],
) -> FloatArray:
    """Broadcast points, whose axes of states and others are known, against both, (*leading, *rest, 2)."""
    first = own_states or (1,) * len(leading)
    last = (1,) * (len(rest) - len(own_rest)) + own_rest
    return np.broadcast_to(points.reshape(*first, *last, 2), (*leading, *rest, 2))
