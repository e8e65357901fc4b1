"""Characters that join units, and the checks of values that they share with units."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np

from ninthgeom._checks import PlacedValueError, choice, flag, items, real, text, whole

HeightName: TypeAlias = Literal["Standard", "Large", "Gigantic"]
Side: TypeAlias = Literal["left", "right"]

HEIGHTS: Final[dict[str, int]] = {"Standard": 1, "Large": 3, "Gigantic": 5}
HIGHEST: Final = 5
# Far above any unit; keeps a slip in a file from filling the memory.
MOST_SLOTS: Final = 10_000


@dataclass(frozen=True, init=False)
class Attached:
    """A character that has joined a unit.

    A base *matches* when both its sides are whole multiples of the sides of the unit's base. It then stands
    in the ranks and takes every slot it covers; a long one may hang out behind. Any other base stands at a
    side of the unit, flush with the front, one at each side.

    Parameters
    ----------
    name : str
        Name, for messages.
    base_mm : (float, float)
        Width and depth of the base in millimetres.
    height : int or {"Standard", "Large", "Gigantic"}, optional
        Height as for `Unit`; that of the unit by default.
    tall : bool
        As for `Unit`.
    place : {"left", "right"} or (int, int), optional
        Side, or rank and file of the front left corner of a matching base, both counted from 0 at the front
        left of the unit. By default a matching base stands in the front rank as near to the middle as there
        is room (of two such places in the left one), any other base at the right, or at the left if the
        right is taken.

    Examples
    --------
    >>> Attached("captain", (20, 20), height="Large")
    Attached(name='captain', base_mm=(20.0, 20.0), height=3, tall=False, place=None)
    """

    name: str
    base_mm: tuple[float, float]
    _: KW_ONLY
    height: int | None
    tall: bool
    place: Side | tuple[int, int] | None

    def __init__(
        self,
        name: str,
        base_mm: Sequence[float],
        *,
        height: int | HeightName | None = None,
        tall: bool = False,
        place: Side | Sequence[int] | None = None,
    ) -> None:
        set_fields(
            self,
            name=text(name, ("name",)),
            base_mm=rectangle(base_mm),
            height=None if height is None else checked_height(height),
            tall=flag(tall, ("tall",)),
            place=_place(place),
        )


def restore(instance: object, state: Mapping[str, Any]) -> None:
    """Set the fields of an object that is unpickled: arrays, which pickles write, are read-only again."""
    for value in state.values():
        for array in value if isinstance(value, tuple) else (value,):
            if isinstance(array, np.ndarray):
                array.flags.writeable = False
    set_fields(instance, **state)


def set_fields(target: object, **values: Any) -> None:
    """Set fields of a frozen dataclass while it is being made."""
    for name, value in values.items():
        object.__setattr__(target, name, value)


def rectangle(base_mm: Any, *, may_be_round: bool = False) -> tuple[float, float]:
    """Return width and depth of a base, checked."""
    if isinstance(base_mm, int | float | np.number):
        hint = ", or shape 'round'" if may_be_round else ""
        raise PlacedValueError(("base_mm",), f"one number, {base_mm}; give width and depth{hint}")
    sides = items(base_mm, ("base_mm",))
    if len(sides) != 2:
        raise PlacedValueError(("base_mm",), f"must be width and depth, got {len(sides)} numbers")
    width, depth = (real(side, ("base_mm", i), positive=True) for i, side in enumerate(sides))
    return width, depth


def checked_height(height: int | str) -> int:
    """Return a height as a number."""
    if isinstance(height, str):
        return HEIGHTS[choice(height, ("height",), HEIGHTS)]
    return whole(height, ("height",), 0, HIGHEST)


def _place(place: Any) -> Side | tuple[int, int] | None:
    if place is None:
        return None
    if isinstance(place, str):
        return cast(Side, choice(place, ("place",), get_args(Side)))
    numbers = items(place, ("place",))
    if len(numbers) != 2:
        raise PlacedValueError(("place",), f"must be rank and file, got {len(numbers)} numbers")
    rank, file = (whole(number, ("place", i), 0, MOST_SLOTS) for i, number in enumerate(numbers))
    return rank, file
