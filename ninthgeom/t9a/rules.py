"""Which reading of the rules the answers follow."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

HeightComparison = Literal[">=", ">"]


@dataclass(frozen=True, kw_only=True)
class Rules:
    """The switches on which editions and readings of the rules differ.

    Attributes
    ----------
    los_height_op : {">=", ">"}
        How high an intervening unit must be to block sight, against the higher of observer and target. The
        third edition names units "with a Height that is equal or greater" (rules page Line of Sight), which
        is ``">="``; the first edition asked for strictly larger ones, which is ``">"``.

    Examples
    --------
    >>> from ninthgeom.t9a import THIRD_EDITION, Rules
    >>> THIRD_EDITION
    Rules(los_height_op='>=')
    >>> Rules(los_height_op=">") == THIRD_EDITION
    False
    """

    los_height_op: HeightComparison = ">="

    def __post_init__(self) -> None:
        if self.los_height_op not in get_args(HeightComparison):
            raise ValueError(f"los_height_op must be '>=' or '>', got {self.los_height_op!r}")


THIRD_EDITION: Final = Rules()
"""The third edition of The Ninth Age, and what every question uses when no rules are given."""
