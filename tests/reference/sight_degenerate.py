"""Degenerate line-of-sight scenes with answers worked out by hand, in the source's frame of `sight_scenes`.

Every scene holds for its mirror image too, and wherever it stands on the plane.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tests.reference.sight_scenes import (
    UP,
    Pairs,
    box,
    disc,
    facing,
    mirrored,
    moved,
    point,
    posed,
    stadium,
    wall,
)

Row = list[float]
MM = 1 / 25.4
SQRT2 = math.sqrt(2)


WIDE = facing(4)  # x from -2 to 2
NARROW = facing(2)  # as wide as the columns below
BARE = facing(4, 0.0)
ROUND = disc(0, -2, 2)  # its top is the middle of the facing
EYE = point(0, 0)
FAR = box(-2, 10, 2, 12)
COLUMN = box(-1, 10, 1, 12)
NEAR = box(-1, 8, 1, 9)
SPOT = point(0, 10)


class Scene(NamedTuple):
    """One question: who looks at whom past what, and whether it is seen."""

    name: str
    seen: bool
    blockers: list[Row]
    source: Row = WIDE
    target: Row = FAR
    blocks: list[bool] | None = None
    half_angle: float = math.pi / 4
    blocked: bool | None = None  # whether it is seen where touching blocks, if that is told


def turned(row: Row, degrees: float) -> Row:
    """Turn a base about the origin."""
    result: Row = moved(np.array(row), math.radians(degrees), np.zeros(2)).tolist()
    return result


def left(x: float, y0: float, y1: float) -> Row:
    """Block from far on the left to x."""
    return box(-20, y0, x, y1)


def right(x: float, y0: float, y1: float) -> Row:
    """Block from x to far on the right."""
    return box(x, y0, 20, y1)


def rounded(x0: float, y0: float, x1: float, y1: float, radius: float) -> Row:
    """Block with round corners."""
    return [*box(x0, y0, x1, y1)[:5], radius]


def across(length: float, angle: float, x: float, y: float, thickness: float) -> list[Row]:
    """Two walls end to end in a line through (x, y), where they meet."""
    dx, dy = length * math.cos(angle), length * math.sin(angle)
    return [wall(x - dx, y - dy, x, y, thickness), wall(x, y, x + dx, y + dy, thickness)]


def needle(overlap: float = 0.0, thickness: float = 0.5) -> list[Row]:
    """Three walls, none touching another, that leave only x = 0; `overlap` pushes each across it."""
    return [
        left(overlap, 2, 2 + thickness),
        right(-overlap, 4, 4 + thickness),
        left(overlap, 6, 6 + thickness),
    ]


def disc_needle(overlap: float = 0.0) -> list[Row]:
    """Three great discs that leave the line x = 0 alone."""
    return [disc(-20, 3, 20), disc(20 - overlap, 6, 20), disc(-20, 9, 20)]


def across_facing(overlap: float = 0.0) -> list[Row]:
    """Two discs with centres behind the facing that cover it all, and meet in (0.5, 0)."""
    return [disc(-1.5, -1, math.sqrt(5)), disc(2.5 - overlap, -1, math.sqrt(5))]


RING = [box(-3, -3, -1, 3), box(1, -3, 3, 3), box(-3, -5, 3, -3), box(-3, 3, 3, 4)]  # round the origin
# A round corner and a disc that touch the diagonal from either side.
SLANT = [rounded(3 + SQRT2, 2, 9, 5, 1), disc(6 - 1 / SQRT2, 6 + 1 / SQRT2, 1)]
SEAM = [left(0, 4, 6), right(0, 4, 6)]
CORNER = [left(0, 4, 5), right(0, 5, 6)]
DIAMOND = [-SQRT2, 5.0, UP + math.pi / 4, 2.0, 2.0, 0.0]  # a square on its corner, the right one at (0, 5)
BEAD = [left(-1, 4, 6), disc(0, 5, 1), right(1, 4, 6)]
HOOKED = [box(-1, 2, 1, 3), left(-1, 2, 3), right(1, 2, 3)]  # a column with a neighbour on either side

SEAMS = [
    Scene("seam of two blocks", False, SEAM),
    Scene("seam of two blocks, one does not count", True, SEAM, blocks=[True, False]),
    Scene("seam off the middle", False, [left(0.37, 4, 6), right(0.37, 4, 6)]),
    Scene("seam along part of an edge", False, [left(0, 4, 6), right(0, 5, 7)]),
    Scene("seam before a round source", False, SEAM, source=ROUND),
    Scene("seam before an eye in line with it", False, SEAM, source=EYE),
    Scene("seam before an eye beside it", False, SEAM, source=point(1, 0)),
    Scene("seam before a bare facing", False, SEAM, source=BARE),
    Scene("seam before a spot", False, SEAM, target=SPOT),
    Scene("seam before an edge", False, SEAM, target=wall(-2, 10, 2, 10)),
    Scene("seam before a disc", False, SEAM, target=disc(0, 12, 2)),
    Scene(
        "seam in line with a side of the target",
        False,
        [box(-1.5, 1.5, 0, 8), box(-3.5, 4, -1.5, 4.5)],
        source=facing(3.5),
        target=box(-2.5, 6, -1.5, 9),
    ),
    Scene(
        "seam in line with a side of the target, one block longer",
        False,
        [box(-1.5, 1.6, 0, 8.1), box(-3.5, 4, -1.5, 4.5)],
        source=facing(3.5),
        target=box(-2.5, 6, -1.5, 9),
    ),
    Scene(
        "seam in line with a side of a round source",
        False,
        [box(0.5, -0.4, 2, 2.8), box(-2.5, 0.5, 0.5, 1)],
        source=disc(0, 0, 0.5),
        target=box(-0.5, 3.75, 2.5, 5.25),
    ),
    *(
        Scene(
            f"round source that touches the edges round it from inside, turned by {heading}",
            True,  # from the one point that lies on the edges
            [box(-1, -2, 6, 0), box(-1, 0, 2, 2), box(-1, 0, 2, 3)],
            source=[0.0, 0.0, heading, 2.0, 2.0, 1.0],
            target=box(-5, -7, -3, -5),
        )
        for heading in (0.0, math.pi / 4, math.pi / 2, -2.0)
    ),
    Scene("seam that ends at the target", False, [left(0, 9, 10), right(0, 9, 10)]),
    Scene("seam that starts at the facing", False, [left(0, 0, 1), right(0, 0, 1)]),
    Scene("seam on which an eye stands", False, [left(0, -1, 1), right(0, -1, 1)], source=EYE),
    Scene("seam of slanting walls", False, across(20, 0.2, 0, 5, 1.0)),
    Scene("seam at 45 degrees", False, across(20, math.pi / 4, -1, 3, 1.0), target=box(-10, 10, -6, 14)),
    Scene("seams of three blocks", False, [left(-1, 4, 6), box(-1, 4, 1, 6), right(1, 4, 6)]),
    Scene("seam of two segments end to end", False, across(20, 0.0, 0, 5, 0.0)),
    Scene("seam of two slanting segments", False, across(20, -0.3, 0.5, 5, 0.0)),
    Scene("seam of half the tolerance", False, [left(-2.5e-7, 4, 6), right(2.5e-7, 4, 6)]),
    Scene("slit of three times the tolerance", True, [left(-1.5e-6, 4, 6), right(1.5e-6, 4, 6)]),
    Scene("slit of a hundredth", True, [left(-0.005, 4, 6), right(0.005, 4, 6)]),
    Scene("seam of rounded blocks", False, [rounded(-20, 4, 0, 6, 0.5), rounded(0, 4, 20, 6, 0.5)]),
    Scene("discs in a row", False, [disc(2 * i - 19, 5, 1) for i in range(20)]),
    Scene("discs in a row, slits", True, [disc(2 * i - 19, 5, 0.995) for i in range(20)]),
    Scene("disc held by two blocks", False, BEAD),
    Scene("disc held by two blocks, loose", True, [left(-1, 4, 6), disc(0, 5, 0.999), right(1, 4, 6)]),
    Scene("disc held by two blocks, one does not count", True, BEAD, blocks=[True, True, False]),
    Scene("ovals end to end", False, [stadium(-20, 5, -1, 5, 1), stadium(1, 5, 20, 5, 1)]),
    Scene(
        "ovals side by side",
        False,
        [left(-2, 4, 5), stadium(-1, 3, -1, 6, 1), stadium(1, 3, 1, 6, 1), right(2, 4, 5)],
    ),
]

CORNERS = [
    Scene("blocks touching at a corner", False, CORNER),
    Scene("blocks touching at a corner, disc to disc", False, CORNER, source=ROUND, target=disc(0, 12, 2)),
    Scene("blocks not quite touching at a corner", True, [left(0, 4, 5), right(0, 5.01, 6)]),
    Scene("corner from the diagonal", False, CORNER, source=point(5, 0), target=box(-12, 10, -4, 14)),
    Scene("corner from the other diagonal", False, CORNER, source=point(-5, 0), target=box(4, 10, 12, 14)),
    Scene(
        "corner slit from the diagonal",
        True,
        [left(0, 4, 5), right(0, 5.05, 6)],
        source=point(5, 0),
        target=box(-12, 10, -4, 14),
    ),
    # From the other side the two blocks overlap as seen from the eye.
    Scene(
        "corner slit from the other diagonal",
        False,
        [left(0, 4, 5), right(0, 5.05, 6)],
        source=point(-5, 0),
        target=box(4, 10, 12, 14),
    ),
    Scene("corners of a diamond", False, [left(-2 * SQRT2, 4, 6), DIAMOND, right(0, 4, 6)]),
    Scene("corner of a diamond, slit", True, [left(-2 * SQRT2, 4, 6), DIAMOND, right(0.01, 4, 6)]),
]

NEEDLES = [
    Scene("three walls leave one line", True, needle()),
    Scene("three segments leave one line", True, needle(thickness=0.0)),
    Scene("four walls leave one line", True, [*needle(), right(0, 8, 8.5)]),
    Scene("walls across the line within the tolerance", True, needle(4e-7)),
    Scene("walls across the line by 1e-5", False, needle(1e-5)),
    Scene("segments across the line within the tolerance", True, needle(4e-7, 0.0)),
    Scene("segments across the line by 1e-5", False, needle(1e-5, 0.0)),
    Scene("one line to an eye", True, needle(), source=EYE),
    Scene("eye off the one line", False, needle(), source=point(0.01, 0)),
    Scene("one line from a spot", True, needle(), target=SPOT),
    Scene("one line between discs", True, needle(), source=ROUND, target=disc(0, 12, 2)),
    Scene("great discs leave one line", True, disc_needle()),
    Scene("great discs leave no line", False, disc_needle(1e-4)),
    Scene("great discs leave one line to an eye", True, disc_needle(), source=EYE, target=SPOT),
    Scene(
        "ovals leave one line",
        True,
        [stadium(-20, 2.5, -1, 2.5, 1), stadium(1, 5.5, 20, 5.5, 1), stadium(-20, 8, -1, 8, 1)],
    ),
    # Past (2, 4) on its left and (4, 6) on its right no line is flatter than 45 degrees: from (-2, 0) alone.
    Scene(
        "one line at 45 degrees from the end of the facing",
        True,
        [box(-20, 2, 0, 3), box(2, 1, 20, 4), box(-20, 6, 4, 7)],
        target=box(6, 9, 9, 11),
    ),
    Scene(
        "one line a little outside the arc",
        False,
        [box(-20, 2, 0, 3), box(2, 1, 20, 4), box(-20, 6, 4, 7)],
        target=box(6, 9, 9, 11),
        half_angle=math.pi / 4 - 0.001,
    ),
    Scene("a point on the only line", True, [*needle(), point(0, 3)]),
    Scene("two in contact on one side of the only line", True, [*needle(), left(0, 2.5, 3)]),
    Scene("a seam on the only line", False, [*needle(), left(0, 7, 7.5), right(0, 7, 7.5)]),
    Scene(
        "a seam on the only line, one side does not count",
        True,
        [*needle(), left(0, 7, 7.5), right(0, 7, 7.5)],
        blocks=[True] * 4 + [False],
    ),
    Scene("a corner contact on the only line", False, [*needle(), left(0, 7, 7.2), right(0, 7.2, 7.4)]),
    Scene("a seam behind the target", True, [*needle(), left(0, 10, 11), right(0, 10, 11)], target=NEAR),
    Scene("a seam flush behind the target", True, [*needle(), left(0, 9, 11), right(0, 9, 11)], target=NEAR),
    Scene("a seam inside the target", True, [*needle(), left(0, 8.5, 11), right(0, 8.5, 11)], target=NEAR),
    Scene("a seam into the target", False, [*needle(), left(0, 7.5, 11), right(0, 7.5, 11)], target=NEAR),
    Scene("a seam flush behind the facing", True, [*needle(), left(0, -3, 0), right(0, -3, 0)]),
    Scene("a seam through the facing", False, [*needle(), left(0, -3, 1), right(0, -3, 1)]),
]

COLUMNS = [
    Scene(
        "column with its two side lines free",
        True,
        [box(-1, 2, 1, 3), box(-1, 5, 1, 6)],
        source=NARROW,
        target=COLUMN,
    ),
    Scene("column from facing to target", True, [box(-1, 0, 1, 10)], source=NARROW, target=COLUMN),
    Scene("column of discs", True, [disc(0, 4, 1), disc(0, 7, 1)], source=NARROW, target=disc(0, 11, 1)),
    Scene(
        "column of discs before a disc",
        True,
        [disc(0, 4, 1), disc(0, 6, 1)],
        source=disc(0, -1, 1),
        target=disc(0, 11, 1),
    ),
    Scene("column of an oval", True, [stadium(-0.5, 4, 0.5, 4, 0.5)], source=NARROW, target=COLUMN),
    Scene("column of a rounded block", True, [rounded(-1, 3, 1, 6, 0.3)], source=NARROW, target=COLUMN),
    Scene("column of a segment", True, [wall(-1, 4, 1, 4)], source=NARROW, target=COLUMN),
    Scene(
        "column wider within the tolerance",
        True,
        [box(-1 - 5e-7, 2, 1 + 5e-7, 3)],
        source=NARROW,
        target=COLUMN,
    ),
    Scene("column wider by 1e-5", False, [box(-1 - 1e-5, 2, 1 + 1e-5, 3)], source=NARROW, target=COLUMN),
    Scene("disc wider by 1e-5", False, [disc(0, 4, 1 + 1e-5)], source=NARROW, target=COLUMN),
    Scene("segment wider by 1e-5", False, [wall(-1 - 1e-5, 4, 1 + 1e-5, 4)], source=NARROW, target=COLUMN),
    Scene("column with a neighbour", True, HOOKED[:2], source=NARROW, target=COLUMN),
    Scene("column with two neighbours", False, HOOKED, source=NARROW, target=COLUMN),
    Scene(
        "column with two neighbours, one does not count",
        True,
        HOOKED,
        source=NARROW,
        target=COLUMN,
        blocks=[True, True, False],
    ),
    Scene(
        "column that does not count between its neighbours",
        True,
        HOOKED,
        source=NARROW,
        target=COLUMN,
        blocks=[False, True, True],
    ),
    Scene(
        "column past others not in contact",
        True,
        [box(-1, 2, 1, 3), left(-1, 3.5, 4.5), right(1, 3.5, 4.5)],
        source=NARROW,
        target=COLUMN,
    ),
    Scene(
        "column past others at its corners",
        False,
        [box(-1, 2, 1, 3), left(-1, 3, 4), right(1, 3, 4)],
        source=NARROW,
        target=COLUMN,
    ),
    Scene("corridor", True, [box(-10, -2, -2, 3), box(2, -2, 10, 3)]),
    Scene("corridor, then a column", True, [box(-10, -2, -2, 3), box(2, -2, 10, 3), box(-2, 5, 2, 6)]),
    Scene("corridor shut by a column", False, [box(-10, -2, -2, 3), box(2, -2, 10, 3), box(-2, 2, 2, 4)]),
    Scene("corridor shut on one side", True, [box(-10, -2, -2, 3), box(-2, 2, 2, 4)]),
]

FACINGS = [
    Scene("blockers flush beside the facing", True, [box(-10, -2, -2, 0), box(2, -2, 10, 0)]),
    Scene("blocker flush behind the facing", True, [box(-20, -3, 20, 0)]),
    Scene("blocker over the facing within the tolerance", True, [box(-20, -3, 20, 5e-7)]),
    Scene("blocker over the facing", False, [box(-20, -3, 20, 0.001)]),
    Scene("wall touching the facing", False, [box(-20, 0, 20, 1)]),
    Scene("segment just before the facing", False, [wall(-20, 0.001, 20, 0.001)]),
    Scene("wall touching half the facing", True, [box(-20, 0, 0, 1)]),
    Scene("block over the facing up to its end", True, [box(-20, -1, 2, 1)]),
    Scene("block over the facing past its end", False, [box(-20, -1, 2.001, 1)]),
    Scene("block up to the end of the facing and another", False, [box(-20, -1, 2, 1), right(2, -1, 1)]),
    Scene("block up to the end of the facing and one beyond", True, [box(-20, -1, 2, 1), right(2.1, -1, 1)]),
    Scene("block as wide as the facing on it", True, [box(-1, -1, 1, 1)], source=NARROW, target=COLUMN),
    # From (2, 0) straight ahead is off the disc.
    Scene("disc through both ends of the facing", True, [disc(0, -1, math.sqrt(5))]),
    Scene("disc past both ends of the facing", False, [disc(0, -1, math.sqrt(5) + 1e-4)]),
    Scene("disc over the middle of the facing", True, [disc(0, -1, 1.5)]),
    Scene("oval through both ends of the facing", True, [stadium(-1, -1, 1, -1, SQRT2)]),
    Scene("oval past both ends of the facing", False, [stadium(-1, -1, 1, -1, SQRT2 + 1e-4)]),
    Scene("segment standing on the facing", True, [wall(0, 0, 0, 5)]),
    Scene("segment through the facing", True, [wall(0, -5, 0, 5)]),
    Scene("eye at the side of a block", True, [box(-20, -1, 0, 1)], source=EYE),
    Scene("eye in a block", False, [disc(0, 0, 1)], source=EYE),
    Scene("disc source in a block up to its top", True, [box(-20, -5, 20, 0)], source=ROUND),
    Scene("disc source in a block past its top", False, [box(-20, -5, 20, 0.001)], source=ROUND),
]

TARGETS = [
    Scene("blocker behind the target", True, [box(-20, 13, 20, 14)]),
    Scene("blocker flush behind the target", True, [box(-20, 12, 20, 14)]),
    Scene("wall across the far part of the target", True, [box(-20, 11, 20, 11.5)]),
    Scene("segment across the far part of the target", True, [wall(-20, 11, 20, 11)]),
    Scene("wall across the far part of a disc", True, [box(-20, 11, 20, 12.5)], target=disc(0, 12, 2)),
    Scene("wall across the near part of the target", False, [box(-20, 9.5, 20, 10.5)]),
    Scene("wall across the near part of a disc", False, [box(-20, 9, 20, 11)], target=disc(0, 12, 2)),
    Scene("wall up to the top of a disc", True, [box(-20, 10, 20, 12.5)], target=disc(0, 12, 2)),
    Scene("wall flush before the target", False, [box(-20, 9, 20, 10)]),
    Scene("block flush before the middle of the target", True, [box(-1, 9, 1, 10)]),
    Scene("blocks at the corners of the target", True, [left(-2, 9, 10), right(2, 9, 10)]),
    Scene("block over the whole target", False, [box(-2.01, 9.99, 2.01, 12.01)]),
    Scene("block equal to the target", True, [FAR]),
    Scene("disc equal to the target", True, [disc(0, 12, 2)], target=disc(0, 12, 2)),
    Scene("block in the target", True, [box(-1, 10.5, 1, 11.5)]),
    Scene("block in the target, flush with its front", True, [box(-2, 10, 2, 11)]),
    Scene("disc in a target disc, touching its front", True, [disc(0, 11, 1)], target=disc(0, 12, 2)),
    Scene("disc over a target disc, touching its front", True, [disc(0, 12, 2)], target=disc(0, 11, 1)),
    Scene("spot behind a block's corner", True, [left(2, 4, 5)], target=point(2, 10)),
    Scene("spot on a block's near side", True, [box(-20, 10, 20, 12)], target=SPOT),
    Scene("spot on a block's far side", False, [box(-20, 8, 20, 10)], target=SPOT),
]

TOUCHING = [
    Scene("target touching the facing", True, [], target=box(-3, 0, 3, 2)),
    Scene("target touching the facing, all covered", True, [box(-20, -1, 20, 1)], target=box(-3, 0, 3, 2)),
    Scene(
        "target within the tolerance of the facing", True, [box(-20, -1, 20, 1)], target=box(-3, 5e-7, 3, 2)
    ),
    Scene("target near the facing, all covered", False, [box(-20, -1, 20, 1)], target=box(-3, 0.001, 3, 2)),
    Scene("target at the end of the facing", True, [box(-20, -1, 20, 1)], target=box(2, 0, 4, 2)),
    Scene("target at the end of the facing from behind", True, [], target=box(2, -2, 4, 0)),
    Scene("target across the facing", True, [box(-20, -1, 20, 1)], target=box(1, -3, 3, 3)),
    Scene("disc touching the facing", True, [box(-20, -1, 20, 1)], target=disc(0, 1, 1)),
    Scene("disc touching the end of the facing", True, [], target=disc(2 + 1 / SQRT2, -1 / SQRT2, 1)),
    Scene("discs touching", True, [box(-20, -1, 20, 1)], source=ROUND, target=disc(0, 1, 1)),
    Scene("spot on the facing", True, [box(-20, -1, 20, 1)], target=point(1, 0)),
    Scene("target touching the rear only", False, [], target=box(-2, -4, 2, -2)),
    Scene("target touching the side only", False, [], target=box(2, -2, 4, -0.5)),
    Scene("target behind a round source", True, [], source=ROUND, target=box(-2, -10, 2, -8)),
    Scene("target behind", False, [], target=box(-2, -10, 2, -8)),
]

ARC = [
    Scene("spot at exactly 45 degrees", True, [], source=facing(20 * MM), target=point(110 * MM, 100 * MM)),
    Scene(
        "spot 0.01 mm beyond 45 degrees",
        False,
        [],
        source=facing(20 * MM),
        target=point(110.01 * MM, 100 * MM),
    ),
    Scene("spot 0.01 inch beyond 45 degrees", False, [], target=point(12.01, 10)),
    Scene("unit at exactly 45 degrees", True, [], target=box(12, 5, 20, 10)),
    Scene("unit 0.01 inch beyond 45 degrees", False, [], target=box(12.01, 5, 20, 10)),
    Scene("disc at exactly 45 degrees", True, [], target=disc(12 + SQRT2, 10 - SQRT2, 2)),
    Scene("disc 0.01 inch beyond 45 degrees", False, [], target=disc(12.01 + SQRT2, 9.99 - SQRT2, 2)),
    Scene(
        "spot at the limit of a narrow arc",
        True,
        [],
        target=point(2 + 10 * math.tan(0.3), 10),
        half_angle=0.3,
    ),
    Scene("spot beyond a narrow arc", False, [], target=point(2.01 + 10 * math.tan(0.3), 10), half_angle=0.3),
    Scene(
        "spot at the limit of a wide arc", True, [], target=point(2 + 2 * math.tan(1.4), 2), half_angle=1.4
    ),
    Scene("spot beyond a wide arc", False, [], target=point(2.01 + 2 * math.tan(1.4), 2), half_angle=1.4),
    Scene("block at the line of 45 degrees", True, [box(3, 5, 7, 8)], target=point(12, 10)),
    Scene("wall across the line of 45 degrees", False, [wall(5, 7, 9, 3)], target=point(12, 10)),
    Scene(
        "blocks touching on the line of 45 degrees",
        False,
        [box(3, 5, 7, 8), box(7, 2, 10, 5)],
        target=point(12, 10),
    ),
    # Discs that reach across y = 0 beside the facing; their distance from the limit line is 4 / sqrt(2).
    Scene("target disc across y = 0 within the arc", True, [], target=disc(5, -1, 2.85)),
    Scene("target disc across y = 0 at the limit of the arc", True, [], target=disc(5, -1, 4 / SQRT2)),
    Scene("target disc across y = 0 beyond the arc", False, [], target=disc(5, -1, 2.8)),
    Scene(
        "target disc across y = 0 behind its blocker", False, [disc(3, -0.5, 1.4)], target=disc(5, -1, 2.85)
    ),
]

WALLS = [
    Scene("zigzag of three segments", False, [wall(-20, 4, -1, 6), wall(-1, 6, 1, 4), wall(1, 4, 20, 6)]),
    Scene(
        "zigzag of three segments, slit", True, [wall(-20, 4, -1, 6), wall(-1, 6, 1, 4), wall(1.01, 4, 20, 6)]
    ),
    Scene(
        "zigzag whose middle lies in the line", False, [left(0, 2, 3), wall(0, 2.5, 0, 5.5), right(0, 5, 6)]
    ),
    Scene(
        "zigzag of segments, middle in the line",
        False,
        [wall(-20, 3, 0, 3), wall(0, 3, 0, 6), wall(0, 6, 20, 6)],
    ),
    Scene("zigzag whose middle falls short", True, [left(0, 2, 3), wall(0, 2.5, 0, 4.9), right(0, 5, 6)]),
    Scene("T of segments", False, [wall(-1, 4, 20, 5), wall(-20, 5.5, 0, 4 + 1 / 21)]),
    Scene("double T of segments", False, [wall(0, 3, 0, 7), wall(-20, 4, 0, 4), wall(0, 6, 20, 6)]),
    Scene("cross of segments", False, [wall(0, 3, 0, 7), wall(-20, 5, 0, 5), wall(0, 5, 20, 5)]),
    Scene("segment ending on a block's side", False, [left(0, 4, 6), wall(0, 5, 20, 5)]),
    Scene("segment ending at a block's corner", False, [left(0, 4, 6), wall(0, 6, 20, 6)]),
    Scene("segment ending short of a block", True, [left(0, 4, 6), wall(0.01, 5, 20, 5)]),
    Scene("segment along a block and on", False, [left(0, 4, 6), wall(-1, 6, 20, 6)]),
    Scene("segment ending on a disc", False, [left(-1, 4, 6), disc(0, 5, 1), wall(1, 5, 20, 5)]),
    Scene("segment in line between eye and spot", True, [wall(0, 2, 0, 5)], source=EYE, target=SPOT),
    Scene("thin wall in line between eye and spot", False, [wall(0, 2, 0, 5, 0.1)], source=EYE, target=SPOT),
    Scene(
        "segment ending on the line between eye and spot", True, [wall(0, 4, 3, 5)], source=EYE, target=SPOT
    ),
    Scene("segment across between eye and spot", False, [wall(-1, 4, 3, 5)], source=EYE, target=SPOT),
    Scene(
        "segments ending on the line from both sides",
        True,
        [wall(0, 4, 3, 4), wall(-3, 5, 0, 5)],
        source=EYE,
        target=SPOT,
    ),
    Scene(
        "segments meeting on the line from both sides",
        False,
        [wall(0, 4, 3, 4), wall(-3, 4, 0, 4)],
        source=EYE,
        target=SPOT,
    ),
    Scene(
        "segments meeting on the line from one side",
        True,
        [wall(0, 4, 3, 4), wall(0, 4, 3, 5)],
        source=EYE,
        target=SPOT,
    ),
    Scene("point between eye and spot", True, [point(0, 5)], source=EYE, target=SPOT),
]

# Discs across y = 0 whose tangent points lie behind the facing: their ends on it are what bars the view.
CLIPPED = [
    Scene("discs across the facing that meet on it", True, across_facing()),
    Scene("discs across the facing that overlap on it", False, across_facing(1e-4)),
    Scene("discs across the facing, along the side of one", True, across_facing(), target=point(5.5, 10)),
    Scene("discs across the facing, past the side of one", False, across_facing(), target=point(5.6, 10)),
    Scene(
        "ovals across the facing that meet on it",
        True,
        [stadium(-3, -1, 0, -1, SQRT2), stadium(2, -1, 5, -1, SQRT2)],
    ),
    Scene(
        "ovals across the facing that overlap on it",
        False,
        [stadium(-3, -1, 0, -1, SQRT2), stadium(1.999, -1, 5, -1, SQRT2)],
    ),
    Scene("target across y = 0 within the arc", True, [], target=box(2.9, -5, 6, 1)),
    Scene("target across y = 0 at the limit of the arc", True, [], target=box(3, -5, 6, 1)),
    Scene("target across y = 0 beyond the arc", False, [], target=box(3.01, -5, 6, 1)),
    Scene(
        "target across y = 0 behind its blocker", False, [box(2.2, -1, 2.8, 0.7)], target=box(2.9, -5, 6, 1)
    ),
    Scene(
        "target across y = 0, a blocker behind the facing",
        True,
        [box(2.2, -1, 2.8, 0)],
        target=box(2.9, -5, 6, 1),
    ),
    Scene("target beside the facing and behind it", False, [], target=box(2.5, -5, 6, 0)),
    Scene("disc beside the facing that reaches up to it", False, [], target=disc(5, -1, 1)),
    Scene("target far beside, just ahead", False, [], target=box(5, -5, 6, 1)),
    Scene("walls that end behind the facing", True, [wall(x, -2, x, 0) for x in (-2.0, -1.0, 0.0, 1.0, 2.0)]),
]

# Past one side of a value the blocker comes first, past the other the target does.
ORDER = [
    Scene("tall block on the near side of the target", False, [box(-4, 1, -3, 9)], target=box(-5, 6, -4, 8)),
    Scene("tall block on the far side of the target", True, [box(-6, 1, -5, 9)], target=box(-5, 6, -4, 8)),
    Scene("tall block on the near side, apart", False, [box(-3.9, 1, -3, 9)], target=box(-5, 6, -4, 8)),
    Scene("wall on the near side of the target", True, [wall(-4, 1, -4, 9)], target=box(-5, 6, -4, 8)),
    Scene(
        "wall just before the near side of the target",
        False,
        [wall(-3.999, 1, -3.999, 9)],
        target=box(-5, 6, -4, 8),
    ),
    Scene("wall on the far side of the target", True, [wall(-5, 1, -5, 9)], target=box(-5, 6, -4, 8)),
    Scene("source in a ring open ahead", True, RING[:3], source=disc(0, 0, 1), target=disc(0, 10, 1)),
    Scene("source in a ring open behind it", False, RING[:3], source=disc(0, 0, 1), target=disc(0, -10, 1)),
    Scene("source in a closed ring", False, RING, source=disc(0, 0, 1), target=disc(0, 10, 1)),
    Scene("eye in a ring open ahead", True, RING[:3], source=EYE, target=disc(0, 10, 1)),
    Scene("eye in a closed ring", False, RING, source=EYE, target=disc(0, -10, 1)),
    Scene("target in a ring open behind it", False, RING[:3], source=disc(0, -10, 1), target=disc(0, 0, 1)),
    Scene("target in a ring open ahead of it", True, RING[:3], source=disc(0, 10, 1), target=disc(0, 0, 1)),
    Scene(
        "both in one ring", True, [*RING[:3], box(-3, 6, 3, 7)], source=disc(0, 0, 1), target=disc(0, 4, 1)
    ),
    Scene(
        "one block behind each of two discs",
        True,
        [box(-5, -3, 5, -1), box(-5, 11, 5, 12)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene(
        "a block over half of each of two discs",
        True,
        [box(-3, -2, 0, 2), box(0, 9, 3, 12)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene(
        "blocks over all but the tips of two discs",
        True,
        [box(-3, -2, 1, 2), box(-3, 9, 1, 12)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene(
        "blocks over two discs and a little more",
        False,
        [box(-3, -2, 1.0001, 2), box(-1.0001, 9, 3, 12)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene(
        "block over the near half of a disc source",
        False,
        [box(-3, 0, 3, 2)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene(
        "block over the far half of a disc source",
        True,
        [box(-3, -2, 3, 0)],
        source=disc(0, 0, 1),
        target=disc(0, 10, 1),
    ),
    Scene("disc source in its target", True, [], source=disc(0, 0, 1), target=box(-3, -3, 3, 3)),
    Scene(
        "target in a disc source, all covered",
        True,
        [box(-9, -9, 9, 9)],
        source=disc(0, 0, 1),
        target=disc(0, 0, 0.5),
    ),
]

# What is covered of a round corner of the target, and what is left of it.
OVAL = stadium(-1, 12, 1, 12, 1)
CURVED = rounded(-2, 10, 2, 12, 0.5)
ROUND_CORNERS = [
    Scene("block up to a round corner of the target", True, [box(-3, 9, 1.5, 10.2)], target=CURVED),
    Scene("block over half a round corner of the target", True, [box(-3, 9, 1.7, 11)], target=CURVED),
    Scene("block over a round corner up to its side", True, [box(-3, 9, 2, 13)], target=CURVED),
    Scene("block over a round corner past its side", False, [box(-3, 9, 2.0001, 13)], target=CURVED),
    Scene(
        "blocks that meet on a round corner", False, [box(-3, 9, 1.7, 11), box(1.7, 9, 5, 11)], target=CURVED
    ),
    Scene(
        "blocks that leave a slit on a round corner",
        True,
        [box(-3, 9, 1.7, 11), box(1.71, 9, 5, 11)],
        target=CURVED,
    ),
    Scene(
        "blocks that overlap on a round corner",
        False,
        [box(-3, 9, 1.8, 11), box(1.6, 9, 5, 11)],
        target=CURVED,
    ),
    Scene("block over half a target disc", True, [box(-3, 9, 0, 15)], target=disc(0, 12, 2)),
    Scene("block over all but the rim of a target disc", True, [box(-3, 9, 2, 15)], target=disc(0, 12, 2)),
    Scene("block over the rim of a target disc too", False, [box(-3, 9, 2.0001, 15)], target=disc(0, 12, 2)),
    Scene(
        "blocks that halve a target disc", False, [box(-3, 9, 0, 15), box(0, 9, 3, 15)], target=disc(0, 12, 2)
    ),
    Scene(
        "blocks that halve a target disc, slit",
        True,
        [box(-3, 9, -0.01, 15), box(0.01, 9, 3, 15)],
        target=disc(0, 12, 2),
    ),
    Scene("block over the front of a target disc", True, [box(-1.5, 9, 1.5, 11)], target=disc(0, 12, 2)),
    Scene("disc over the front of an oval", True, [disc(0, 11, 1.5)], target=OVAL),
    Scene("discs over both ends of an oval", True, [disc(-2, 12, 1.2), disc(2, 12, 1.2)], target=OVAL),
    Scene(
        "discs over both ends of an oval and a column between",
        False,
        [disc(-2, 12, 1.2), disc(2, 12, 1.2), box(-2, 8, 2, 9)],
        target=OVAL,
        source=NARROW,
    ),
    Scene("wall along the front of an oval", True, [wall(-3, 11, 3, 11)], target=OVAL),
    Scene("wall just before the front of an oval", False, [wall(-5, 10.999, 5, 10.999)], target=OVAL),
    Scene("wall tangent to a target disc", True, [wall(-5, 10, 5, 10)], target=disc(0, 12, 2)),
    Scene("wall through a target disc", True, [wall(-5, 10.5, 5, 10.5)], target=disc(0, 12, 2)),
    Scene(
        "slanting wall just off a target disc",
        False,
        [wall(-SQRT2 - 6, 17.999 - SQRT2, 6 - SQRT2, 5.999 - SQRT2)],
        target=disc(0, 12, 2),
    ),
    Scene("rounded block over a rounded target", True, [rounded(-3, 9, 1.5, 11, 0.5)], target=CURVED),
    Scene("rounded block as wide as the target on it", True, [rounded(-2, 9, 2, 11, 0.5)], target=CURVED),
    Scene(
        "blocks on all of the front of a rounded target",
        False,
        [box(-9, 9, 0.3, 10.8), box(0.2, 9, 9, 11.2)],
        target=CURVED,
    ),
]


def tangent_wall(degrees: float, length: float) -> Scene:
    """Wall without width along the tangent of a target disc, which is seen where the two touch."""
    c, s = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    x, y = 2 * c, 12 + 2 * s
    ends = x + length * s, y - length * c, x - length * s, y + length * c
    name = f"wall tangent at {degrees} degrees, {length} long to either side"
    return Scene(name, True, [wall(*ends)], target=disc(0, 12, 2), blocked=True)


TANGENT_WALLS = [tangent_wall(degrees, length) for degrees in (-110, -120, -135) for length in (7, 40)]

# Blockers in line with sides of source and target.
FLUSH = [
    Scene("blocks flush with the sides of the target", True, [box(-4, 8, -2, 12), box(2, 8, 4, 12)]),
    Scene("corridor from the ends of the facing", True, [box(-4, 0, -2, 5), box(2, 0, 4, 5)]),
    Scene("corridor from facing to target", True, [box(-4, 0, -2, 10), box(2, 0, 4, 10)]),
    Scene(
        "corridor from facing to target, barred",
        False,
        [box(-4, 0, -2, 10), box(2, 0, 4, 10), box(-2, 4, 2, 5)],
    ),
    Scene(
        "corridor closed behind the target",
        True,
        [box(-4, 2, -1, 14), box(1, 2, 4, 14), box(-4, 14, 4, 15)],
        target=box(-1, 8, 1, 9),
    ),
    Scene(
        "corridor closed behind the source", True, [box(-6, -4, -2, 5), box(2, -4, 6, 5), box(-6, -5, 6, -4)]
    ),
    Scene("corridor of walls", True, [wall(-2, 0, -2, 10), wall(2, 0, 2, 10)]),
    Scene(
        "corridor of walls, barred between them",
        True,
        [wall(-2, 0, -2, 10), wall(2, 0, 2, 10), wall(-2, 4, 2, 4)],
    ),
    Scene(
        "corridor of walls, barred across them",
        False,
        [wall(-2, 0, -2, 10), wall(2, 0, 2, 10), wall(-2.01, 4, 2.01, 4)],
    ),
    Scene(
        "corridor of walls, barred by one in line with its target",
        True,
        [wall(-2, 0, -2, 10), wall(2, 0, 2, 10), wall(-2, 10, 2, 10)],
    ),
    Scene("wall on the facing", True, [wall(-2, 0, 2, 0)], blocked=True),
    Scene("long wall on the facing", True, [wall(-20, 0, 20, 0)], blocked=True),
    Scene("wall on the front of the target", True, [wall(-2, 10, 2, 10)], blocked=True),
    Scene("long wall on the front of the target", True, [wall(-20, 10, 20, 10)], blocked=True),
    Scene("wall on the rear of the target", True, [wall(-20, 12, 20, 12)], blocked=True),
    Scene(
        "edge of a target in line with a wall", True, [wall(0, 2, 0, 5)], source=EYE, target=wall(0, 5, 0, 10)
    ),
    Scene("edge of a target across a wall", False, [wall(-1, 4, 1, 4)], source=EYE, target=wall(0, 5, 0, 10)),
    Scene("target without width seen edge on", True, [], target=wall(0, 10, 0, 12)),
    Scene("target without width across a wall", True, [wall(-20, 11, 20, 11)], target=wall(0, 10, 0, 12)),
    Scene(
        "target without width, its near end covered", False, [box(-20, 9, 20, 11)], target=wall(0, 10, 0, 12)
    ),
]

# Tangents that are the only lines.
TANGENTS = [
    Scene(
        "discs on both sides of the only line", True, [disc(-1, 3, 1), disc(1, 6, 1)], source=EYE, target=SPOT
    ),
    Scene(
        "discs on both sides, one too large",
        False,
        [disc(-1, 3, 1 + 1e-5), disc(1, 6, 1)],
        source=EYE,
        target=SPOT,
    ),
    Scene("discs on both sides that touch", False, [disc(-1, 3, 1), disc(1, 3, 1)], source=EYE, target=SPOT),
    Scene(
        "disc and oval on both sides", True, [disc(-1, 3, 1), stadium(1, 5, 1, 7, 1)], source=EYE, target=SPOT
    ),
    Scene(
        "along the flat side of an oval and a wall",
        True,
        [stadium(1, 5, 1, 7, 1), wall(0, 2, 0, 3)],
        source=EYE,
        target=SPOT,
    ),
    Scene("round corner on a slanting line", True, SLANT, source=EYE, target=point(10, 10)),
    Scene(
        "round corner over a slanting line",
        False,
        [rounded(2.9999 + SQRT2, 2, 9, 5, 1), SLANT[1]],
        source=EYE,
        target=point(10, 10),
    ),
    Scene(
        "tangent of source and target past a disc",
        True,
        [disc(0, 5, 1)],
        source=disc(0, -1, 1),
        target=disc(0, 11, 1),
    ),
    Scene(
        "tangent of source and target past a larger disc",
        False,
        [disc(0, 5, 1 + 1e-5)],
        source=disc(0, -1, 1),
        target=disc(0, 11, 1),
    ),
    Scene(
        "inner tangent of source and target",
        True,
        [box(-9, 4, 0, 5.0), box(0, 5.0001, 9, 6)],
        source=disc(-1, 0, 1),
        target=disc(1, 10, 1),
    ),
    Scene(
        "tangent of ovals past an oval",
        True,
        [stadium(-1, 5, 1, 5, 1)],
        source=stadium(-1, -1, 1, -1, 1),
        target=stadium(-1, 11, 1, 11, 1),
    ),
]

# The four charts of a round source, and the limits between them: the source does not turn, all else does.
CHARTS = [
    Scene(
        f"{name} at {degrees} degrees",
        seen,
        [turned(row, degrees - 90) for row in rows],
        source=source,
        target=turned(target, degrees - 90),
    )
    for degrees in (0.0, 30.0, 45.0, 90.0, 135.0, 180.0, 225.0, 260.0, 270.0, 315.0)
    for name, seen, rows, source, target in (
        ("one line to an eye", True, needle(), EYE, SPOT),
        ("no line to an eye", False, needle(1e-5), EYE, SPOT),
        (
            "one tangent of discs",
            True,
            [disc(0, 5, 1), left(-1, 7, 8), right(1, 4, 6)],
            disc(0, 0, 1),
            disc(0, 10, 1),
        ),
        (
            "no tangent of discs",
            False,
            [disc(0, 5, 1), left(-0.9999, 7, 8), right(1, 4, 6)],
            disc(0, 0, 1),
            disc(0, 10, 1),
        ),
        (
            "an oval in a corridor",
            True,
            [left(-0.5, 4, 6), right(0.5, 4, 6)],
            stadium(-1, 0, 1, 0, 0.5),
            disc(0, 10, 1),
        ),
        ("an oval before a seam", False, SEAM, stadium(-1, 0, 1, 0, 0.5), disc(0, 10, 1)),
    )
]

# What a line may touch, with the answers for both values of touching.
GRAZES = [
    Scene("along the side of a base", True, [box(0, 4, 2, 6)], source=EYE, target=SPOT, blocked=False),
    Scene(
        "along the side of a base, from a facing",
        True,
        [box(-1, 2, 1, 3)],
        source=NARROW,
        target=COLUMN,
        blocked=False,
    ),
    Scene("1e-5 from the side of a base", True, [box(1e-5, 4, 2, 6)], source=EYE, target=SPOT, blocked=True),
    Scene(
        "half the tolerance from the side of a base",
        True,
        [box(5e-7, 4, 2, 6)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene(
        "along two bases that do not touch",
        True,
        [box(0, 2, 2, 3), box(-2, 5, 0, 6)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene(
        "along two bases on one side",
        True,
        [box(0, 2, 2, 3), box(0, 5, 2, 6)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene(
        "along two bases that touch",
        False,
        [box(0, 2, 2, 3), box(-2, 3, 0, 6)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene("past a corner", True, [DIAMOND], source=EYE, target=SPOT, blocked=False),
    Scene("past a corner of a block", True, [box(3, 2, 8, 3)], source=EYE, target=point(9, 9), blocked=False),
    Scene("past a disc", True, [disc(1, 5, 1)], source=EYE, target=SPOT, blocked=False),
    Scene("past an oval", True, [stadium(1, 4, 1, 6, 1)], source=EYE, target=SPOT, blocked=False),
    Scene("past the end of a wall", True, [wall(0, 4, 3, 5)], source=EYE, target=SPOT, blocked=False),
    Scene(
        "past the end of a wall by 1e-5", True, [wall(1e-5, 4, 3, 5)], source=EYE, target=SPOT, blocked=True
    ),
    Scene(
        "over the end of a wall by half the tolerance",
        True,
        [wall(-5e-7, 4, 3, 4)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene(
        "over the end of a wall by 1e-5",
        False,
        [wall(-1e-5, 4, 3, 4)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene("along a wall", True, [wall(0, 2, 0, 5)], source=EYE, target=SPOT, blocked=False),
    Scene("over a point", True, [point(0, 5)], source=EYE, target=SPOT, blocked=True),
    Scene("along one side, free elsewhere", True, [box(0, 4, 2, 6)], blocked=True),
    Scene("a block flush beside the target", True, [box(2, 10, 4, 12)], blocked=True),
    Scene(
        "blocks flush on both sides of the target", True, [box(-4, 9, -2, 13), box(2, 9, 4, 13)], blocked=True
    ),
    Scene("a block flush behind the target", True, [box(-20, 12, 20, 14)], blocked=True),
    Scene(
        "a block with its corner on the spot",
        True,
        [box(0, 10, 3, 12)],
        source=EYE,
        target=SPOT,
        blocked=True,
    ),
    Scene(
        "a block with its side on the spot", True, [box(-3, 10, 3, 12)], source=EYE, target=SPOT, blocked=True
    ),
    Scene("a disc with the spot on its rim", True, [disc(0, 11, 1)], source=EYE, target=SPOT, blocked=True),
    Scene(
        "a block along the last inch to the spot",
        True,
        [box(0, 9, 3, 12)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene("a block equal to the target", True, [FAR], blocked=True),
    Scene("a block in the target, flush with its front", True, [box(-2, 10, 2, 11)], blocked=True),
    Scene("a block flush before half of the target", True, [box(-20, 9, 0, 10)], blocked=True),
    Scene(
        "a block flush before the whole target", False, [box(-2, 9, 2, 10)], source=facing(1), blocked=False
    ),
    Scene("a block flush beside the facing", True, [box(2, -2, 10, 0)], blocked=True),
    Scene(
        "blocks flush on both sides of the facing",
        True,
        [box(-10, -2, -2, 1), box(2, -2, 10, 1)],
        blocked=True,
    ),
    Scene("a block flush behind the whole facing", True, [box(-20, -3, 20, 0)], blocked=True),
    Scene("a block flush before half of the facing", True, [box(-20, 0, 0, 1)], blocked=True),
    Scene("a block flush before the whole facing", False, [box(-20, 0, 20, 1)], blocked=False),
    Scene(
        "a block with its corner at the eye", True, [box(0, -3, 3, 0)], source=EYE, target=SPOT, blocked=True
    ),
    Scene(
        "a block along the first inch from the eye",
        True,
        [box(0, -3, 3, 1)],
        source=EYE,
        target=SPOT,
        blocked=False,
    ),
    Scene(
        "a block with its side at the eye", True, [box(-3, -3, 3, 0)], source=EYE, target=SPOT, blocked=True
    ),
    Scene("a block flush behind a disc", True, [box(-20, -5, 20, -4)], source=ROUND, blocked=True),
    Scene("a block flush before a disc", True, [box(-1, 0, 1, 1)], source=ROUND, blocked=True),
    Scene("along the side of a block on the facing", True, [box(-20, -1, 2, 1)], blocked=False),
    Scene(
        "from the end of a block on the facing, away from it",
        True,
        [box(-20, -1, 2, 1)],
        target=box(9, 10, 12, 12),
        blocked=True,
    ),
    Scene("a block flush with the end of the facing", True, [box(2, 0, 4, 5)], blocked=True),
    Scene("a seam", False, SEAM, blocked=False),
    Scene(
        "a slit narrower than two tolerances", True, [left(-7.5e-7, 4, 6), right(7.5e-7, 4, 6)], blocked=False
    ),
    Scene("a slit of 1e-5", True, [left(-5e-6, 4, 6), right(5e-6, 4, 6)], blocked=True),
    Scene("one line between three walls", True, needle(), blocked=False),
    Scene("lines between three walls, 1e-5 apart", True, needle(-1e-5), blocked=True),
    Scene(
        "a column between facing and target",
        True,
        [box(-1, 0, 1, 10)],
        source=NARROW,
        target=COLUMN,
        blocked=False,
    ),
    Scene(
        "target touching the facing, past blocks",
        True,
        [box(-20, -1, 20, 1)],
        target=box(-3, 0, 3, 2),
        blocked=True,
    ),
    Scene(
        "spot at exactly 45 degrees, unhindered",
        True,
        [box(4, 1, 6, 1.9)],
        target=point(12, 10),
        blocked=True,
    ),
    Scene("a block at the line of 45 degrees", True, [box(3, 5, 7, 8)], target=point(12, 10), blocked=False),
]

SCENES = [
    *SEAMS, *CORNERS, *NEEDLES, *COLUMNS, *FACINGS, *TARGETS, *TOUCHING, *ARC, *WALLS,
    *CLIPPED, *ORDER, *ROUND_CORNERS, *FLUSH, *TANGENTS, *CHARTS, *GRAZES,
]  # fmt: skip


def poses_of(scene: Scene, n: int, *, mirror: bool = False, seed: int = 0) -> Pairs:
    """Return the scene, or its mirror image, at n random rotations and shifts of up to 500 inches."""
    blockers = np.array(scene.blockers, dtype=float).reshape(-1, 6)
    blocks = np.ones(len(blockers), dtype=bool) if scene.blocks is None else np.array(scene.blocks)
    still = Pairs(np.array([scene.source]), np.array([scene.target]), blockers[None], blocks[None])
    if mirror:
        still = mirrored(still)
    return posed(still[np.zeros(n, dtype=int)], np.random.default_rng(seed))
