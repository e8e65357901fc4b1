"""Units: what they are, not where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Literal, TypeAlias, cast, get_args

import numpy as np

from ninthgeom import formation as formations
from ninthgeom._checks import PlacedTypeError, PlacedValueError, choice, flag, items, real, text, whole
from ninthgeom.attached import MOST_SLOTS, Attached, HeightName, checked_height, rectangle, set_fields

Shape: TypeAlias = Literal["rect", "round", "oval"]
Formation: TypeAlias = Literal["ranked", "skirmish"]

SKIRMISH_GAP_MM: Final = 12.5
FURTHEST_SIDE: Final = 2**31 - 1


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
        Size class of the models in skirmish games, at least 0. There `height` does not count.
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
    ninthgeom._checks.PlacedValueError: base_mm: one number, 60; give width and depth, or shape 'round'
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
    layout: formations.Layout = field(init=False, repr=False, compare=False)

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
        set_fields(
            self,
            name=text(name, ("name",)),
            base_mm=_round(base_mm) if shape == "round" else rectangle(base_mm, may_be_round=True),
            shape=shape,
            models=models,
            files=min(models, 5) if files is None else whole(files, ("files",), 1, MOST_SLOTS),
            side=whole(side, ("side",), -FURTHEST_SIDE, FURTHEST_SIDE),
            group=group if group is None or isinstance(group, str) else whole(group, ("group",)),
            height=checked_height(height),
            size=whole(size, ("size",), 0),
            flying=flag(flying, ("flying",)),
            formation=choice(formation, ("formation",), get_args(Formation)),
            tall=flag(tall, ("tall",)),
            attached=_attached(attached),
        )
        if shape != "rect":
            self._check_single_model()
        set_fields(self, layout=self._lay_out())
        set_fields(self, occupied=None if occupied is None else self._checked_mask(occupied))

    @property
    def ranks(self) -> int:
        """Ranks at full strength."""
        return self.layout.ranks

    @property
    def n_slots(self) -> int:
        """Number of slots, attached characters included."""
        return len(self.layout)

    def _lay_out(self) -> formations.Layout:
        if self.shape != "rect":
            return formations.single_base(self.base_mm)
        gap = SKIRMISH_GAP_MM if self.formation == "skirmish" else 0.0
        return formations.ranks_and_files(
            self.base_mm, models=self.models, files=self.files, gap=gap, attached=self.attached
        )

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


def _round(base_mm: Any) -> tuple[float, float]:
    if isinstance(base_mm, int | float | np.number):
        diameter = real(base_mm, ("base_mm",), positive=True)
        return diameter, diameter
    width, depth = rectangle(base_mm)
    if width != depth:
        raise PlacedValueError(("base_mm",), f"a round base has one number, its diameter; got {base_mm!r}")
    return width, depth


def _attached(attached: Sequence[Attached]) -> tuple[Attached, ...]:
    models = items(attached, ("attached",))
    for i, model in enumerate(models):
        if not isinstance(model, Attached):
            raise PlacedTypeError(("attached", i), f"must be Attached, got {model!r}")
    return tuple(models)
