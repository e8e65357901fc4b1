"""Shapes of the contact oracle: everything at quarter turns, in whole numbers on one fine grid.

Nothing here comes from the library but the layout of a unit's slots in its own frame, in millimetres.
Directions are 0 for +x, 1 for +y, 2 for -x and 3 for -y; a turn is the direction that a unit faces. The flags
of facings go round counter-clockwise from the front, so that facing `1 << i` looks in direction turn + i.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple, TypeAlias

from ninthgeom import Unit
from ninthgeom.t9a import Rules

#: Steps of the grid in a millimetre: halves, thirds and the sides of five pythagorean triangles are whole.
GRID: Final = 2**11 * 3 * 25 * 13 * 17
#: Differences below a thousandth of a millimetre, other than none, are no cases for a comparison with floats.
CLOSE: Final = GRID // 1000

FRONT, LEFT, REAR, RIGHT = 1, 2, 4, 8
ALL_FACINGS: Final = FRONT | LEFT | REAR | RIGHT

Point: TypeAlias = tuple[int, int]
Ring: TypeAlias = tuple[Point, ...]
Mask: TypeAlias = Sequence[bool]


class HairError(Exception):
    """The answer hangs on less than a thousandth of a millimetre, or asks what the rules do not say."""


class OverlapError(HairError):
    """What no state of the game has: something stands in what another one stands in."""


class Box(NamedTuple):
    """A rectangle along the axes, and a radius round it: rectangles, discs and ovals."""

    x0: int
    y0: int
    x1: int
    y1: int
    r: int


class Place(NamedTuple):
    """Where a unit stands, on the grid: its position and the direction that it faces."""

    x: int
    y: int
    turn: int


@cache
def steps(mm: float | Fraction) -> int:
    """Return millimetres as steps of the grid, which must be whole."""
    number = Fraction(mm) * GRID
    if number.denominator != 1:
        raise ValueError(f"{mm} mm are not on the grid")
    return number.numerator


def turned_point(x: int, y: int, quarters: int) -> Point:
    """Turn a point about the origin, counter-clockwise."""
    return ((x, y), (-y, x), (-x, -y), (y, -x))[quarters % 4]


def turned(box: Box, quarters: int) -> Box:
    """Turn a box about the origin, counter-clockwise."""
    x0, y0, x1, y1, r = box
    quarters %= 4
    if quarters == 0:
        return box
    if quarters == 1:
        return Box(-y1, x0, -y0, x1, r)
    if quarters == 2:
        return Box(-x1, -y1, -x0, -y0, r)
    return Box(y0, -x1, y1, -x0, r)


def placed(box: Box, place: Place) -> Box:
    """Move a box from the frame of its unit, x forward and y to the left, to where the unit stands."""
    x0, y0, x1, y1, r = turned(box, place.turn)
    return Box(x0 + place.x, y0 + place.y, x1 + place.x, y1 + place.y, r)


class Figure:
    """What the oracle knows of a unit: its bases in its own frame, and what they do to its boundary."""

    def __init__(self, unit: Unit) -> None:
        layout = unit.layout
        r = steps(layout.radius)
        columns = (layout.forward, layout.left, layout.width, layout.depth)
        self.bases = [
            Box(f - d // 2 + r, left - w // 2 + r, f + d // 2 - r, left + w // 2 - r, r)
            for f, left, w, d in zip(*([steps(v) for v in column] for column in columns), strict=True)
        ]
        edges = (layout.rear, layout.right_edge, layout.front, layout.left_edge)
        self.edges = list(zip(*([steps(v) for v in column] for column in edges), strict=True))
        self.side = unit.side
        self.is_round = r > 0
        self.is_loose = unit.formation == "skirmish"

    def __len__(self) -> int:
        return len(self.bases)

    def boundary(self, mask: Mask) -> Box:
        """Return the Unit Boundary of these models, of which there is one at least, in the unit's frame."""
        if self.is_round:
            return self.bases[0]
        rear, right, front, left = zip(
            *(e for e, here in zip(self.edges, mask, strict=True) if here), strict=True
        )
        return Box(min(rear), min(right), max(front), max(left), 0)


def core_gaps(a: Box, b: Box) -> Point:
    """Return how far two cores are apart in x and in y; negative where they overlap."""
    return max(a.x0 - b.x1, b.x0 - a.x1), max(a.y0 - b.y1, b.y0 - a.y1)


def meet(a: Box, b: Box) -> bool:
    """Tell whether two shapes touch or overlap."""
    dx, dy = core_gaps(a, b)
    radii = a.r + b.r
    if dx <= 0 or dy <= 0:
        return max(dx, dy) <= radii
    squared = dx * dx + dy * dy
    if squared != radii * radii and abs(math.isqrt(squared) - radii) < CLOSE:
        raise HairError("circles nearly touch")
    return squared <= radii * radii


def overlap(a: Box, b: Box) -> bool:
    """Tell whether the interiors of two shapes meet."""
    dx, dy = core_gaps(a, b)
    radii = a.r + b.r
    if dx <= 0 or dy <= 0:
        return max(dx, dy) < radii
    return dx * dx + dy * dy < radii * radii


def flag(direction: int, turn: int) -> int:
    """Return the facing that looks in a direction."""
    return 1 << ((direction - turn) % 4)


def engaged(a: Box, a_turn: int, b: Box, b_turn: int, rules: Rules, among: int = ALL_FACINGS) -> int:
    """Return the facings of `a` that are engaged with `b`; the two are in contact.

    Only those `among` the given ones count and can make a corner; where none is, all of the given ones do.
    """
    if a.r:
        return FRONT
    dx, dy = core_gaps(a, b)
    # how far b lies wholly beyond each facing of a
    beyond = (b.x0 - b.r - a.x1, b.y0 - b.r - a.y1, a.x0 - b.x1 - b.r, a.y0 - b.y1 - b.r)
    if dx > 0 and dy > 0:
        if math.isqrt(dx * dx + dy * dy) - b.r - max(beyond) < CLOSE:
            raise HairError("a circle nearly touches an edge")
        directions = _slanting((0 if b.x0 > a.x1 else 2, dx), (1 if b.y0 > a.y1 else 3, dy))
    else:
        gap = max(dx, dy) - b.r
        if any(0 < gap - s < CLOSE for s in beyond):
            raise HairError("two facings are nearly as far")
        directions = [d for d, s in enumerate(beyond) if s >= gap]
    facings = sum(flag(d, a_turn) for d in directions)
    facings = facings & among or (facings if among == ALL_FACINGS else among)
    if facings.bit_count() < 2 or rules.corner_facing == "both":
        return facings
    if rules.corner_facing == "flank":
        return facings & (LEFT | RIGHT) or facings
    return facings & located(a, a_turn, b, b_turn) or facings


def _slanting(one: Point, other: Point) -> list[int]:
    """Return the directions engaged with a round side that is beyond both, given with how far it is."""
    (_, ahead), (_, aside) = one, other
    if 0 < abs(ahead - aside) < CLOSE:
        raise HairError("two facings lie nearly as well")
    return [direction for direction, off in (one, other) if off >= max(ahead, aside)]


def located(a: Box, a_turn: int, b: Box, b_turn: int) -> int:
    """Return the arc of `a` that the middle of b's Front Facing, or its centre, lies in; 0 inside."""
    # twice the offset from the middle of a
    x, y = b.x0 + b.x1 - a.x0 - a.x1, b.y0 + b.y1 - a.y0 - a.y1
    if not b.r:
        ahead = (b.x1 - b.x0) if b_turn % 2 == 0 else (b.y1 - b.y0)
        to_front = turned_point(ahead, 0, b_turn)
        x, y = x + to_front[0], y + to_front[1]
    forward, left = turned_point(x, y, -a_turn)
    width, depth = (a.y1 - a.y0), (a.x1 - a.x0)
    if a_turn % 2:
        width, depth = depth, width
    ahead, aside = abs(forward) - depth, abs(left) - width
    if ahead < 0 and aside < 0:
        return 0
    if aside >= ahead:
        return LEFT if left >= 0 else RIGHT
    return FRONT if forward >= 0 else REAR
