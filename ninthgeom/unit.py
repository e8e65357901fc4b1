"""Units and the characters that join them: what they are, not where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np

from ninthgeom._checks import PlacedTypeError, PlacedValueError, choice, flag, items, real, text, whole
from ninthgeom.formation import MOST_SLOTS, Layout, layout

Shape: TypeAlias = Literal["rect", "round", "oval"]
Formation: TypeAlias = Literal["ranked", "skirmish"]
HeightName: TypeAlias = Literal["Standard", "Large", "Gigantic"]
Side: TypeAlias = Literal["left", "right"]

HEIGHTS: Final[dict[str, int]] = {"Standard": 1, "Large": 3, "Gigantic": 5}
HIGHEST: Final = 5
FURTHEST_SIDE: Final = 2**31 - 1


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
        _set(
            self,
            name=text(name, ("name",)),
            base_mm=_rectangle(base_mm),
            height=None if height is None else _height(height),
            tall=flag(tall, ("tall",)),
            place=_place(place),
        )


@dataclass(frozen=True, init=False)
class Unit:
    """Models in ranks and files, or one model.

    Slots are the places of its models: rank by rank from the front, each from left to right, then the
    attached characters. Every rank has all its files, so a rear rank that is not full has empty slots.

    Parameters
    ----------
    name : str
        Name; no two units of a board have the same.
    base_mm : (float, float) or float
        Width (along the front) and depth of a base in millimetres; for round bases the diameter.
    shape : {"rect", "round", "oval"}
        Shape of the base. An oval is a rectangle with a half circle at both ends. Round and oval units have
        one model.
    models : int
        Rank-and-file models, attached characters not counted.
    files : int, optional
        Slots of the front rank, those included that attached characters stand in; at most 5 by default.
    occupied : sequence of bool, optional
        Which rank-and-file slots hold a model, for a rear rank with holes; as many as `models`. By default
        the slots are filled in their order.
    side : int
        Which player the unit belongs to.
    group : str or int, optional
        Label that several units share which the rules call one unit.
    height : int or {"Standard", "Large", "Gigantic"}
        Height of the models from 0 to 5; Standard is 1, Large 3, Gigantic 5.
    size : int
        Size class of the models in skirmish games.
    flying : bool
        Whether the models fly.
    formation : {"ranked", "skirmish"}
        In skirmish formation the bases stand 12.5 mm apart in both directions, attached characters too.
    tall : bool
        Whether models of the same height do not hide these.
    attached : sequence of Attached
        Characters that have joined the unit.

    Examples
    --------
    >>> unit = Unit("spears", (20, 20), models=13, attached=[Attached("captain", (20, 20))])
    >>> unit.files, unit.ranks, unit.n_slots
    (5, 3, 15)
    >>> Unit("catapult", 60)
    Traceback (most recent call last):
    ...
    ninthgeom._checks.PlacedValueError: base_mm: one number, 60; write (60, 60) or add shape='round'
    """

    name: str
    base_mm: tuple[float, float]
    _: KW_ONLY
    shape: Shape
    models: int
    files: int
    occupied: tuple[bool, ...] | None
    side: int
    group: str | int | None
    height: int
    size: int
    flying: bool
    formation: Formation
    tall: bool
    attached: tuple[Attached, ...]
    layout: Layout = field(init=False, repr=False, compare=False)

    def __init__(
        self,
        name: str,
        base_mm: float | Sequence[float],
        *,
        shape: Shape = "rect",
        models: int = 1,
        files: int | None = None,
        occupied: Sequence[bool] | None = None,
        side: int = 0,
        group: str | int | None = None,
        height: int | HeightName = 1,
        size: int = 1,
        flying: bool = False,
        formation: Formation = "ranked",
        tall: bool = False,
        attached: Sequence[Attached] = (),
    ) -> None:
        shape = cast(Shape, choice(shape, ("shape",), get_args(Shape)))
        models = whole(models, ("models",), 1, MOST_SLOTS)
        _set(
            self,
            name=text(name, ("name",)),
            base_mm=_round(base_mm) if shape == "round" else _rectangle(base_mm, may_be_round=True),
            shape=shape,
            models=models,
            files=min(models, 5) if files is None else whole(files, ("files",), 1, MOST_SLOTS),
            side=whole(side, ("side",), -FURTHEST_SIDE, FURTHEST_SIDE),
            group=group if group is None or isinstance(group, str) else whole(group, ("group",)),
            height=_height(height),
            size=whole(size, ("size",), 0),
            flying=flag(flying, ("flying",)),
            formation=choice(formation, ("formation",), get_args(Formation)),
            tall=flag(tall, ("tall",)),
            attached=_attached(attached),
        )
        if shape != "rect":
            self._check_single_model()
        _set(self, layout=layout(self))
        _set(self, occupied=None if occupied is None else self._checked_mask(occupied))

    @property
    def ranks(self) -> int:
        """Ranks at full strength."""
        return self.layout.ranks

    @property
    def n_slots(self) -> int:
        """Number of slots, attached characters included."""
        return len(self.layout)

    def _check_single_model(self) -> None:
        for argument, value in (("models", self.models), ("files", self.files)):
            if value != 1:
                hint = "; use one unit a model, with the same group" if argument == "models" else ""
                raise PlacedValueError((argument,), f"must be 1 for {self.shape} bases, got {value}{hint}")
        if self.attached:
            raise PlacedValueError(("attached",), f"nobody can join a unit with a {self.shape} base")

    def _checked_mask(self, occupied: Sequence[bool]) -> tuple[bool, ...]:
        mask = tuple(flag(value, ("occupied", i)) for i, value in enumerate(items(occupied, ("occupied",))))
        slots = self.layout.n_ranked
        if len(mask) < self.models:
            raise PlacedValueError(("occupied",), f"{self.models} models are more than the {len(mask)} slots")
        if len(mask) != slots:
            need = f"{self.models} models in {self.files} files have {slots} slots"
            raise PlacedValueError(("occupied",), f"{need}, got {len(mask)} values")
        if sum(mask) != self.models:
            raise PlacedValueError(("occupied",), f"{sum(mask)} slots are occupied by {self.models} models")
        return mask


def _set(target: object, **values: Any) -> None:
    """Set fields of a frozen dataclass while it is being made."""
    for name, value in values.items():
        object.__setattr__(target, name, value)


def _rectangle(base_mm: Any, *, may_be_round: bool = False) -> tuple[float, float]:
    if isinstance(base_mm, int | float | np.number):
        hint = " or add shape='round'" if may_be_round else ""
        raise PlacedValueError(("base_mm",), f"one number, {base_mm}; write ({base_mm}, {base_mm}){hint}")
    sides = items(base_mm, ("base_mm",))
    if len(sides) != 2:
        raise PlacedValueError(("base_mm",), f"must be width and depth, got {len(sides)} numbers")
    width, depth = (real(side, ("base_mm", i), positive=True) for i, side in enumerate(sides))
    return width, depth


def _round(base_mm: Any) -> tuple[float, float]:
    if isinstance(base_mm, int | float | np.number):
        diameter = real(base_mm, ("base_mm",), positive=True)
        return diameter, diameter
    width, depth = _rectangle(base_mm)
    if width != depth:
        raise PlacedValueError(("base_mm",), f"a round base has one number, its diameter; got {base_mm!r}")
    return width, depth


def _height(height: int | str) -> int:
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


def _attached(attached: Sequence[Attached]) -> tuple[Attached, ...]:
    models = items(attached, ("attached",))
    for i, model in enumerate(models):
        if not isinstance(model, Attached):
            raise PlacedTypeError(("attached", i), f"must be Attached, got {model!r}")
    return tuple(models)
