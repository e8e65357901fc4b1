"""Checks of single values, with errors that know which argument they are about.

The same value may come from a call or from a scene file, so an error keeps its place, ``("units", 3,
"base_mm")``, apart from what is wrong with it: whoever knows more about where the value stood puts its own
part in front.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._constants import LARGEST_COORDINATE

Place: TypeAlias = tuple[str | int, ...]


class PlacedError(Exception):
    """An argument that cannot be used; the base of the two kinds below, never raised itself.

    Parameters
    ----------
    place : tuple of str and int
        Names and indices that lead to the value.
    problem : str
        What is wrong with it.
    """

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(place, problem)
        self.place = place
        self.problem = problem

    def __str__(self) -> str:
        return f"{place_text(self.place)}: {self.problem}"

    def below(self, *outer: str | int) -> PlacedError:
        """Return the same error as seen from further outside."""
        return type(self)((*outer, *self.place), self.problem)


class PlacedValueError(PlacedError, ValueError):
    """A value that is not allowed."""


class PlacedTypeError(PlacedError, TypeError):
    """A value of the wrong type."""


def place_text(place: Place) -> str:
    """Write a place as it is written in Python: ``units[3].base_mm``.

    Examples
    --------
    >>> place_text(("units", 3, "base_mm", 0))
    'units[3].base_mm[0]'
    """
    text = ""
    for part in place:
        text += f"[{part}]" if isinstance(part, int) else f".{part}" if text else part
    return text


def text(value: object, place: Place) -> str:
    """Return a text that is not empty."""
    if not isinstance(value, str):
        raise PlacedTypeError(place, f"must be a text, got {value!r}")
    if not value:
        raise PlacedValueError(place, "must not be empty")
    return value


def flag(value: object, place: Place) -> bool:
    """Return a truth value; numbers are none."""
    if not isinstance(value, bool | np.bool_):
        raise PlacedTypeError(place, f"must be True or False, got {value!r}")
    return bool(value)


def whole(value: object, place: Place, low: int | None = None, high: int | None = None) -> int:
    """Return a whole number from `low` to `high`, both included."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool):
        raise PlacedTypeError(place, f"must be a whole number, got {value!r}")
    number = int(value)
    if number < (number if low is None else low) or number > (number if high is None else high):
        wish = f"at least {low}" if high is None else f"from {low} to {high}"
        raise PlacedValueError(place, f"must be {wish}, got {number}")
    return number


def real(value: object, place: Place, *, positive: bool = False) -> float:
    """Return a finite number that can be a coordinate or, with `positive`, a length."""
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise PlacedTypeError(place, f"must be a number, got {value!r}")
    # Compared before the conversion: a huge int has no float.
    if not -LARGEST_COORDINATE <= value <= LARGEST_COORDINATE:
        known = isinstance(value, float) and not math.isfinite(value)
        wish = "finite" if known else f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
        raise PlacedValueError(place, f"must be {wish}, got {value}")
    number = float(value)
    if positive and number <= 0:
        raise PlacedValueError(place, f"must be greater than 0, got {value}")
    return number


def choice(value: object, place: Place, known: Collection[str]) -> str:
    """Return one of the known words."""
    if not isinstance(value, str):
        raise PlacedTypeError(place, f"must be a text, got {value!r}")
    if value not in known:
        raise PlacedValueError(place, f"must be one of {', '.join(map(repr, known))}, got {value!r}")
    return value


def items(value: object, place: Place) -> list[Any]:
    """Return the items of a sequence or an array."""
    known = listed(value)
    if known is None:
        raise PlacedTypeError(place, f"must be a sequence, got {value!r}")
    return list(known)


def listed(value: object) -> Sequence[Any] | NDArray[Any] | None:
    """Return a sequence or an array as it is, columns of other libraries as arrays; None for all else.

    A text is none, its letters are never meant. Columns of pandas are walked over by position, not by label.
    """
    if isinstance(value, str):
        return None
    if isinstance(value, Sequence):
        return value
    if not isinstance(value, np.ndarray):
        if not hasattr(value, "__array__"):
            return None
        try:
            value = np.asarray(value)
        except TypeError:  # our own batches, and data sets, say that they are none
            return None
    return value if value.ndim else None
