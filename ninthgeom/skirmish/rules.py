"""Which reading of the skirmish rules the answers follow."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal, get_args

from ninthgeom._checks import PlacedValueError, real
from ninthgeom._slots import MM_PER_INCH
from ninthgeom.unit import Unit

WhollyReference = Literal["edge", "centre"]
Link = Literal["any-point", "centre"]
Probe = Literal["gap-width", "base"]
EngagedTerrain = Literal["tall", "any", "none"]
EngagedLink = Literal["models", "groups"]

_CHOICES: Final = {
    "sc_wholly_ref": WhollyReference,
    "sc_link": Link,
    "sc_probe": Probe,
    "engaged_terrain": EngagedTerrain,
    "engaged_link": EngagedLink,
}
_LENGTHS: Final = ("engaged_range", "small_gap", "large_gap")
#: Models of this Size or larger need the large gap.
LARGE_SIZE: Final = 3


class Action(Enum):
    """What a model does when it changes its place.

    On the way of a move, run, charge, disengagement or closing of ranks it needs gaps of its Size (rules page
    Measuring and movement, Gap Clearance). A deployment has a path but no such rule; what is placed or
    summoned is set without any path.

    Examples
    --------
    >>> from ninthgeom.skirmish import Action
    >>> Action("charge").has_gap_rule, Action("deploy").has_gap_rule, Action("place").has_path
    (True, False, False)
    """

    MOVE = "move"
    RUN = "run"
    CHARGE = "charge"
    DISENGAGE = "disengage"
    CLOSE_RANKS = "close ranks"
    DEPLOY = "deploy"
    PLACE = "place"
    SUMMON = "summon"

    @property
    def has_path(self) -> bool:
        """Whether the model goes along a path, on which it may be stopped."""
        return self not in (Action.PLACE, Action.SUMMON)

    @property
    def has_gap_rule(self) -> bool:
        """Whether gaps on that path must be wide enough."""
        return self.has_path and self is not Action.DEPLOY


def checked_action(action: Action | str) -> Action:
    """Return the action of an argument, given as such or by its value."""
    if not isinstance(action, Action | str):
        raise TypeError(f"action must be Action or its value, got {action!r}")
    known = [each.value for each in Action]
    if isinstance(action, str) and action not in known:
        wish = " or ".join(map(repr, known))
        raise PlacedValueError(("action",), f"must be {wish}, got {action!r}")
    return Action(action)


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The switches on which readings of the skirmish rules differ.

    Attributes
    ----------
    sc_wholly_ref : {"edge", "centre"}
        What being wholly within a distance of a model is measured from: the edge of its base, as between
        models (rules page Measuring and movement, Measuring distances), or its centre.
    sc_link : {"any-point", "centre"}
        Which lines make a Coherency Link: any line from a point of one base to a point of the other, or only
        that between their centres. The rules ask for imaginary lines from model to model.
    sc_probe : {"gap-width", "base"}
        How wide a gap must be for a model: as wide as the rules say for its Size, or as wide as the smaller
        side of its base. No base fits through a gap of an inch, so the text can only mean the first.
    engaged_range : float
        How near enemies are Engaged, in inches.
    engaged_terrain : {"tall", "any", "none"}
        Which terrain between two models keeps them from being Engaged: that of Size 2 or more, all or none.
    engaged_link : {"models", "groups"}
        Which enemies a Coherency Link may pass: the models that are Engaged with some model of the group, or
        all models of groups that the group is Engaged with.
    small_gap, large_gap : float
        Widths of the gaps that models of Size 2 or lower, and of Size 3 or larger, can pass, in inches.

    Examples
    --------
    >>> from ninthgeom import Unit
    >>> from ninthgeom.skirmish import STANDARD, Rules
    >>> walker = Unit("walker", 80, shape="round", size=3)
    >>> STANDARD.gap_width(walker)
    3.0
    >>> round(Rules(sc_probe="base").gap_width(walker), 2)
    3.15
    """

    sc_wholly_ref: WhollyReference = "edge"
    sc_link: Link = "any-point"
    sc_probe: Probe = "gap-width"
    engaged_range: float = 1.0
    engaged_terrain: EngagedTerrain = "tall"
    engaged_link: EngagedLink = "models"
    small_gap: float = 1.0
    large_gap: float = 3.0

    def __post_init__(self) -> None:
        for name, kind in _CHOICES.items():
            known = get_args(kind)
            if getattr(self, name) not in known:
                wish = " or ".join(map(repr, known))
                raise ValueError(f"{name} must be {wish}, got {getattr(self, name)!r}")
        for name in _LENGTHS:
            length = real(getattr(self, name), (name,))
            if length < 0.0:
                raise PlacedValueError((name,), f"must not be negative, got {length}")
            object.__setattr__(self, name, length)

    def gap_width(self, unit: Unit) -> float:
        """Return how wide a gap must be for this unit to pass, in inches; 0 for flying ones.

        Source: rules page Measuring and movement, Gap Clearance and model Size.

        Parameters
        ----------
        unit : Unit
            A single model; its Size counts, with ``sc_probe="base"`` its base.

        Returns
        -------
        float
        """
        if unit.flying:
            return 0.0
        if self.sc_probe == "base":
            return min(unit.base_mm) / MM_PER_INCH
        return self.large_gap if unit.size >= LARGE_SIZE else self.small_gap


STANDARD: Final = Rules()
"""The rules as they are printed, and what every question uses when no rules are given."""
