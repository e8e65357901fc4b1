"""Which reading of the rules the answers follow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, Literal, cast, get_args

from ninthgeom._checks import PlacedValueError, choice, flag, real, whole
from ninthgeom.attached import HEIGHTS, HIGHEST, HeightName

HeightComparison = Literal[">=", ">"]
Touching = Literal["clear", "blocked"]
Elevated = Literal["fully", "centre"]
OpaqueExempt = Literal["inside", "touch"]
CornerFacing = Literal["both", "flank", "located"]
GapBlocking = Literal["interior", "none", "closed"]
GapStopsAt = Literal["boundaries", "none"]
RoundFront = Literal["open", "closed"]

_CHOICES: Final = {
    "los_height_op": HeightComparison,
    "touching": Touching,
    "elevated": Elevated,
    "opaque_exempt": OpaqueExempt,
    "corner_facing": CornerFacing,
    "gap_blocking": GapBlocking,
    "gap_stops_at": GapStopsAt,
    "round_front": RoundFront,
}
_FLAGS: Final = ("boundary_blocks", "skirmish_blocks", "tall_exempt", "line_formation")


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The switches on which editions and readings of the rules differ; by default those of the third edition.

    A line within 45 degrees of straight ahead that starts on the front edge of a unit never leaves the unit's
    Front Arc. So the second edition's demand that its end lies in that arc holds for every sight line, and no
    switch is needed for it.

    Attributes
    ----------
    los_height_op : {">=", ">"}
        How high an intervening unit must be to block sight, against the higher of observer and target. Both
        editions name "a Height that is equal or greater" (rules page Line of Sight), which is ``">="``; the
        first edition asked for strictly larger ones (community lexicon, entry Line of Sight), which is
        ``">"``.
    touching : {"clear", "blocked"}
        Whether a line may graze what is in the way. The third edition's line must not "cross over" it, so
        that grazing is ``"clear"``; in the second edition the edge of a base interrupts the line, so that it
        is ``"blocked"`` (both: rules page Line of Sight of the edition).
    boundary_blocks : bool
        Whether Unit Boundaries are in the way, empty slots included. In the third edition they are, beside
        the bases of single models (rules page Line of Sight); in the second only bases are, and a line may
        pass through an empty slot.
    point_height : int or {"Standard", "Large", "Gigantic"}
        Height of a point on the ground that is looked at or from: 0 in the third edition, Standard (1) in
        the second (rules page Line of Sight of the edition). Kept as a number.
    elevated : {"fully", "centre"}
        When a model on a hill is elevated, and ignores intervening models that are not: when its base is
        wholly on one hill in the third edition, when the centre of its base is on a hill in the second
        (rules pages Terrain Features). A Unit Boundary in the way is elevated in the same manner.
    opaque_exempt : {"inside", "touch"}
        Which lines opaque terrain other than impassable, a hill, does not block: those that start or end
        inside it, deeper than the tolerance, or also those that start or end on its edge. Both editions let
        sight go into and out of a hill (rules pages Terrain Features); neither says what touching is.
    skirmish_blocks : bool
        Whether units in skirmish formation are in the way. In the second edition they never are (model rule
        Skirmisher); the third has no such rule.
    tall_exempt : bool
        Whether models of the same height as a Tall observer or target are not in the way unless they are
        Tall themselves. So in the second edition (model rule Tall); the third has no such rule.
    corner_facing : {"both", "flank", "located"}
        Which facing of a unit is engaged that meets an enemy with a corner, both facings of the corner lying
        equally well: both of them, for the rules leave it open; the flank of the two, as for arcs; or the one
        in whose arc the enemy is located, as for charges (rules page Charge Move), and both where he is
        located in neither.
    gap_blocking : {"interior", "none", "closed"}
        What stops a line across a gap (rules page Interactions between Objects): a base whose interior it
        passes through; no base at all, as the two conditions say that are printed; or a base that it touches
        between its ends.
    gap_stops_at : {"boundaries", "none"}
        Whether a line across a gap also stops at what else is there, the Unit Boundary of another unit and
        impassable terrain (rules page Which Models Can Attack of the third edition). With `gap_blocking`
        ``"closed"`` it stops where it touches them, else where it passes through their interior.
    gap_angle : float
        Largest angle in radians, from 0 to a quarter of pi, by which two engaged facings may be off parallel
        for models to be in contact across gaps. Lines are then perpendicular to one of the two. The second
        edition wants them perpendicular to both, so that its angle, 1 degree, only covers what is not quite
        straight; in the third bases are extended until they hit something, whatever the angle (rules page
        Which Models Can Attack).
    round_front : {"open", "closed"}
        Which models a round base is straight in front of: those that it shares more than a point of their
        width with, or also those that share an end point (rules page Interactions with Round Bases).
    line_formation : bool
        Whether one more rank supports in units of eight files or more, in Line Formation. So in the second
        edition (rules page Units).

    Examples
    --------
    >>> from ninthgeom.t9a import SECOND_EDITION, THIRD_EDITION, Rules
    >>> Rules() == THIRD_EDITION
    True
    >>> THIRD_EDITION.boundary_blocks, SECOND_EDITION.boundary_blocks
    (True, False)
    >>> Rules(point_height="Large").point_height
    3
    """

    los_height_op: HeightComparison = ">="
    touching: Touching = "clear"
    boundary_blocks: bool = True
    point_height: int | HeightName = 0
    elevated: Elevated = "fully"
    opaque_exempt: OpaqueExempt = "inside"
    skirmish_blocks: bool = True
    tall_exempt: bool = False
    corner_facing: CornerFacing = "both"
    gap_blocking: GapBlocking = "interior"
    gap_stops_at: GapStopsAt = "boundaries"
    gap_angle: float = math.pi / 4
    round_front: RoundFront = "open"
    line_formation: bool = False

    def __post_init__(self) -> None:
        for name, kind in _CHOICES.items():
            known = get_args(kind)
            if getattr(self, name) not in known:
                wish = " or ".join(map(repr, known))
                raise ValueError(f"{name} must be {wish}, got {getattr(self, name)!r}")
        for name in _FLAGS:
            object.__setattr__(self, name, flag(getattr(self, name), (name,)))
        object.__setattr__(self, "point_height", _height(self.point_height))
        object.__setattr__(self, "gap_angle", _angle(self.gap_angle))

    @property
    def ground_height(self) -> int:
        """`point_height` as the number that it is."""
        return cast(int, self.point_height)


def _height(height: object) -> int:
    place = ("point_height",)
    return (
        HEIGHTS[choice(height, place, HEIGHTS)]
        if isinstance(height, str)
        else whole(height, place, 0, HIGHEST)
    )


def _angle(angle: object) -> float:
    place = ("gap_angle",)
    known = real(angle, place)
    if not 0.0 <= known <= math.pi / 4:
        raise PlacedValueError(place, f"must be from 0 to a quarter of pi in radians, got {known}")
    return known


THIRD_EDITION: Final = Rules()
"""The third edition of The Ninth Age, and what every question uses when no rules are given."""

SECOND_EDITION: Final = Rules(
    touching="blocked",
    boundary_blocks=False,
    point_height="Standard",
    elevated="centre",
    skirmish_blocks=False,
    tall_exempt=True,
    gap_angle=math.radians(1.0),
    line_formation=True,
)
"""The second edition of The Ninth Age."""
