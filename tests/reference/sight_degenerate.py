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

SCENES = [*SEAMS, *CORNERS, *NEEDLES, *COLUMNS, *FACINGS, *TARGETS, *TOUCHING, *ARC, *WALLS]


def poses_of(scene: Scene, n: int, *, mirror: bool = False, seed: int = 0) -> Pairs:
    """Return the scene, or its mirror image, at n random rotations and shifts of up to 500 inches."""
    blockers = np.array(scene.blockers, dtype=float).reshape(-1, 6)
    blocks = np.ones(len(blockers), dtype=bool) if scene.blocks is None else np.array(scene.blocks)
    still = Pairs(np.array([scene.source]), np.array([scene.target]), blockers[None], blocks[None])
    if mirror:
        still = mirrored(still)
    return posed(still[np.zeros(n, dtype=int)], np.random.default_rng(seed))
