"""Samplers of what dice decide: how far markers scatter and how far units charge."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, as_floats, check_range
from ninthgeom._checks import PlacedValueError, flag, real, whole
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._sampler_arguments import check_rng, checked_shape

# Sums of dice with more could not be told apart as floats.
_MOST_SIDES: Final = 2**31
# Further ones could not be told apart as angles.
_MOST_DIRECTIONS: Final = 2**31


def scatter(
    rng: Generator,
    n: int | tuple[int, ...],
    *,
    dice: int = 2,
    sides: int = 6,
    hit: float = 0.0,
    directions: int | None = None,
) -> FloatArray:
    """Draw how far and where to markers scatter.

    The distance is the sum of some dice, the direction is independent of it. Rules differ in all of it, so
    all of it can be chosen.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    n : int or tuple of int
        Number of samples, or the shape of an array of them, such as ``(n, 3)`` for three markers a sample.
    dice, sides : int
        How many dice make up the distance in inches, 0 or more, and of how many sides, from 1 to `sides`.
    hit : float
        Chance, from 0 to 1, that a marker stays where it is.
    directions : int, optional
        Number of directions, all as likely: multiples of ``2 pi / directions`` counter-clockwise from +x. By
        default every angle is, uniformly.

    Returns
    -------
    ndarray of float64, shape (n, 2) or (..., 2)
        x and y to add to where the markers were aimed at.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used.

    Examples
    --------
    >>> import numpy as np
    >>> from ninthgeom.samplers import scatter
    >>> moved = scatter(np.random.default_rng(1), 1000, hit=1 / 3)
    >>> float(np.hypot(*moved.T).max().round(9))
    12.0
    """
    check_rng(rng)
    shape = checked_shape(n)
    if not 0.0 <= real(hit, ("hit",)) <= 1.0:
        raise PlacedValueError(("hit",), f"must be from 0 to 1, got {hit}")
    number = None if directions is None else whole(directions, ("directions",), 1, _MOST_DIRECTIONS)
    rolled = _rolled(rng, shape, dice, sides).sum(axis=-1)
    # in turns, since those are what there are equal parts of
    turn = rng.random(shape) if number is None else rng.integers(0, number, shape) / number
    angle = 2 * math.pi * turn
    distance = np.where(rng.random(shape) < hit, 0.0, rolled)
    return np.stack([distance * np.cos(angle), distance * np.sin(angle)], axis=-1)


def charge_distances(
    rng: Generator,
    n: int | tuple[int, ...],
    *,
    dice: int = 2,
    sides: int = 6,
    keep: int | None = None,
    highest: bool = True,
    add: ArrayLike = 0.0,
) -> FloatArray:
    """Draw the ranges of charges: the sum of some dice, or of the best or worst of them, and a number.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    n : int or tuple of int
        Number of samples, or the shape of an array of them, such as ``(n, U)`` for all units of a board.
    dice, sides : int
        How many dice are rolled, 0 or more, and of how many sides, from 1 to `sides`.
    keep : int, optional
        How many of them count; all by default.
    highest : bool
        Whether the highest dice are kept, or the lowest.
    add : array_like
        Inches that come on top, such as the unit's own rate: one number, or an array that broadcasts to the
        shape asked for, such as one number a unit, shape (U,).

    Returns
    -------
    ndarray of float64, shape (n,) or n
        Inches.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used, such as a `keep` above `dice`.

    Examples
    --------
    >>> import numpy as np
    >>> from ninthgeom.samplers import charge_distances
    >>> ranges = charge_distances(np.random.default_rng(1), 100_000, add=5)
    >>> float((ranges >= 12).mean().round(2))  # 7 or more with two dice: 21 of 36
    0.58
    >>> swift = charge_distances(np.random.default_rng(1), 100_000, dice=3, keep=2, add=5)
    >>> float((swift >= 12).mean().round(2))
    0.81
    >>> charge_distances(np.random.default_rng(1), (1000, 2), add=[4, 9]).mean(axis=0).round()
    array([11., 16.])
    """
    check_rng(rng)
    shape, thrown = checked_shape(n), whole(dice, ("dice",), 0)
    kept = thrown if keep is None else whole(keep, ("keep",), 0, thrown)
    wants_highest, more = flag(highest, ("highest",)), _added(add, shape)
    rolled = _rolled(rng, shape, thrown, sides)
    if kept < thrown:
        rolled.sort(axis=-1)
        rolled = rolled[..., thrown - kept :] if wants_highest else rolled[..., :kept]
    total: FloatArray = rolled.sum(axis=-1).astype(np.float64)
    return total + more


def _added(add: ArrayLike, shape: tuple[int, ...]) -> FloatArray:
    more = as_floats("add", add)
    check_range("add", more, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    # what would give more samples than were asked for is refused
    if more.ndim > len(shape) or any(
        own not in (1, asked) for own, asked in zip(more.shape[::-1], shape[::-1], strict=False)
    ):
        raise PlacedValueError(("add",), f"must broadcast to shape {shape}, got shape {more.shape}")
    return more


def _rolled(rng: Generator, shape: tuple[int, ...], dice: int, sides: int) -> NDArray[np.int64]:
    """Roll dice, shape (*shape, dice)."""
    whole(dice, ("dice",), 0)
    whole(sides, ("sides",), 1, _MOST_SIDES)
    return rng.integers(1, sides, (*shape, dice), endpoint=True)
