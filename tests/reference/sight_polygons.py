"""Degenerate line-of-sight scenes with polygons: answers by hand, in the frame of `sight_scenes`."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import shapely

from tests.reference.sight_degenerate import COLUMN, EYE, FAR, NARROW, SPOT, WIDE, Row
from tests.reference.sight_scenes import box, disc, facing, moved, point

Ring = list[tuple[float, float]]


class PolygonScene(NamedTuple):
    """Who looks at whom past what polygons, and whether it is seen; two rings are an outline and its hole."""

    name: str
    seen: bool
    outlines: list[Any]
    source: Row = WIDE
    target: Row = FAR
    blocked: bool | None = None

    def posed(self, angle: float, shift: Any, mirror: bool) -> tuple[Any, Any, list[Any]]:
        """Columns of source and target, and shapely polygons."""

        def turned(points: Any) -> Any:
            rows = np.zeros((len(points), 6))
            rows[:, :2] = points * np.array([-1.0 if mirror else 1.0, 1.0])
            return moved(rows, angle, shift)[:, :2]

        rows = np.array([self.source, self.target])
        if mirror:
            rows[:, 0] *= -1
            rows[:, 2] = np.pi - rows[:, 2]
        rows = moved(rows, angle, shift)
        whole = [
            shapely.Polygon(outline[0], outline[1:])
            if isinstance(outline[0], list)
            else shapely.Polygon(outline)
            for outline in self.outlines
        ]
        return rows[0], rows[1], [shapely.transform(polygon, turned) for polygon in whole]


def ring(x0: float, y0: float, x1: float, y1: float) -> Ring:
    """Rectangle."""
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def combs(over: float) -> list[Ring]:
    """Two combs whose three teeth reach over x = 0 by so much."""
    left = [
        (-20, 2), (over, 2), (over, 2.5), (-3, 2.5), (-3, 6), (over, 6), (over, 6.5), (-20, 6.5),
    ]  # fmt: skip
    return [left, ring(-over, 4, 20, 4.5)]


def comb_round(over: float) -> list[Ring]:
    """The same teeth on one polygon that goes round behind the target."""
    return [
        [
            (-20, 2), (over, 2), (over, 2.5), (-3, 2.5), (-3, 6), (over, 6), (over, 6.5), (-19, 6.5),
            (-19, 19), (19, 19), (19, 4.5), (-over, 4.5), (-over, 4), (20, 4), (20, 20), (-20, 20),
        ]
    ]  # fmt: skip


def doorway(half: float) -> list[Ring]:
    """Room round the target with a door of some width towards the source."""
    return [
        [
            (-20, 4), (-half, 4), (-half, 5), (-19, 5), (-19, 19), (19, 19), (19, 5), (half, 5), (half, 4),
            (20, 4), (20, 20), (-20, 20),
        ]
    ]  # fmt: skip


def two_doors(x: float) -> list[Ring]:
    """Room with a door of an inch on the near side, and one on the far side further right by x."""
    left = [
        (-6, 3), (-0.5, 3), (-0.5, 4), (-5, 4), (-5, 7), (x - 0.5, 7), (x - 0.5, 8), (-6, 8),
    ]  # fmt: skip
    right = [
        (16, 3), (16, 8), (x + 0.5, 8), (x + 0.5, 7), (15, 7), (15, 4), (0.5, 4), (0.5, 3),
    ]  # fmt: skip
    return [left, right]


def neck(thickness: float) -> list[Ring]:
    """Two blocks joined by a thin wall across the view."""
    low, high = 5 - thickness / 2, 5 + thickness / 2
    return [
        [
            (-20, 4), (-1, 4), (-1, low), (1, low), (1, 4), (20, 4), (20, 6), (1, 6), (1, high), (-1, high),
            (-1, 6), (-20, 6),
        ]
    ]  # fmt: skip


def tip(x: float) -> Ring:
    """Wedge from far on the left with its tip at (x, 5)."""
    return [(-20, 0), (x, 5), (-20, 10)]


DISC, FAR_DISC = disc(0, 0, 1), disc(0, 10, 1)
NOTCHED: Ring = [(-5, 10), (0, 10), (0, 7), (5, 7), (5, 15), (-5, 15)]  # (0, 10) is a reflex vertex
STEP: Ring = [(-5, 0), (0, 0), (0, 3), (5, 3), (5, -5), (-5, -5)]  # (0, 0) is a reflex vertex
HOOK: Ring = [(-20, 4), (0, 4), (0, 6), (1, 6), (1, 8), (-20, 8)]
CUP: Ring = [(-6, -4), (6, -4), (6, 5), (2, 5), (2, -2), (-2, -2), (-2, 5), (-6, 5)]  # round WIDE
CAP: Ring = [(-6, 14), (6, 14), (6, 8), (2, 8), (2, 12), (-2, 12), (-2, 8), (-6, 8)]  # round FAR
BOWL: Ring = [(-6, 9), (6, 9), (6, 14), (2, 14), (2, 10), (-2, 10), (-2, 14), (-6, 14)]  # before FAR
DOTTED: Ring = [(-20, 4), (-3, 4), (0, 4), (3, 4), (20, 4), (20, 6), (0, 6), (-20, 6)]
BESIDE: Ring = [(-1, 2), (0, 2), (1, 2), (1, 2.5), (1, 3), (0, 3), (-1, 3), (-1, 2.5)]

# Lines at a small angle to the edge that they start or end at, and tips of less than 7 degrees.
NARROW_ANGLES = [
    PolygonScene("spot on a reflex vertex, from aside", True, [NOTCHED], target=SPOT, blocked=True),
    PolygonScene("spot on an edge, from aside", True, [NOTCHED], target=point(0, 8), blocked=True),
]
SHARP: Ring = [(-20, 4), (0, 5), (-20, 6)]
SHARP_TIPS = [
    PolygonScene("sharp tip on a side", False, [SHARP, ring(0, 4, 20, 6)], blocked=False),
    PolygonScene("sharp tip to tip", False, [SHARP, [(20, 6), (0, 5), (20, 4)]], blocked=False),
]

POLYGON_SCENES = [
    PolygonScene("spot on a reflex vertex", True, [NOTCHED], target=SPOT),
    PolygonScene("spot just inside a reflex vertex", False, [NOTCHED], target=point(0.001, 10.001)),
    PolygonScene("spot in a polygon", False, [NOTCHED], target=point(2, 10)),
    PolygonScene("spot on a near edge", True, [NOTCHED], target=point(-2, 10), blocked=True),
    PolygonScene("spot on an edge across the view", True, [NOTCHED], target=point(0, 8)),
    PolygonScene("spot on a near vertex", True, [NOTCHED], target=point(0, 7), blocked=True),
    PolygonScene("spot on a far edge", False, [NOTCHED], target=point(0, 15), blocked=False),
    PolygonScene("spot on a far vertex", False, [NOTCHED], target=point(5, 15), blocked=False),
    PolygonScene("eye on a reflex vertex, along an edge", True, [STEP], EYE, SPOT, blocked=False),
    PolygonScene("eye on a reflex vertex", True, [STEP], EYE, point(-3, 10), blocked=True),
    PolygonScene("eye on a reflex vertex, through the polygon", False, [STEP], EYE, point(3, 10)),
    PolygonScene("facing against a reflex vertex", True, [STEP], box(-4, -2, 0, 0), blocked=True),
    PolygonScene("vertices along the edges", False, [DOTTED], blocked=False),
    PolygonScene("vertices along the edges that are grazed", True, [BESIDE], NARROW, COLUMN, blocked=False),
    PolygonScene("edges in a line, a seam between", False, [ring(-20, 4, 0, 6), ring(0, 4, 20, 6)]),
    PolygonScene("edges in a line, a doorway between", True, [ring(-20, 4, -0.5, 6), ring(0.5, 4, 20, 6)]),
    PolygonScene("teeth leave one line", True, combs(0.0), blocked=False),
    PolygonScene("teeth over the line within the tolerance", True, combs(4e-7), blocked=False),
    PolygonScene("teeth over the line by 1e-5", False, combs(1e-5), blocked=False),
    PolygonScene("teeth short of the line by 1e-5", True, combs(-1e-5), blocked=True),
    PolygonScene("teeth of one polygon leave one line", True, comb_round(0.0), blocked=False),
    PolygonScene("teeth of one polygon over the line", False, comb_round(1e-5), blocked=False),
    PolygonScene("teeth of one polygon short of the line", True, comb_round(-1e-5), blocked=True),
    PolygonScene("door of an inch", True, doorway(0.5), blocked=True),
    PolygonScene("door of a hundredth", True, doorway(0.005), blocked=True),
    PolygonScene("door of three tolerances", True, doorway(1.5e-6)),
    PolygonScene("doors in line", True, two_doors(0.0), blocked=True),
    PolygonScene("doors not in line", True, two_doors(2.0), target=box(-2, 10, 12, 12), blocked=True),
    PolygonScene("doors far out of line", False, two_doors(7.0), target=box(-2, 10, 12, 12), blocked=False),
    # From (-3.5, 0) along all four jambs at the limit of the arc.
    PolygonScene("doors in line at 45 degrees", True, two_doors(4.0), facing(8), box(-2, 10, 12, 12), False),
    PolygonScene(
        "doors in line beyond 45 degrees", False, two_doors(4.001), facing(8), box(-2, 10, 12, 12), False
    ),
    PolygonScene("neck of an inch", False, neck(1.0)),
    PolygonScene("neck of ten tolerances", False, neck(1e-5)),
    PolygonScene("neck of four tolerances", False, neck(4e-6)),
    PolygonScene("tip at the line", True, [tip(0.0)], EYE, SPOT, blocked=False),
    PolygonScene("tip over the line, thinner than the tolerance", True, [tip(3e-6)], EYE, SPOT),
    PolygonScene("tip over the line", False, [tip(1e-4)], EYE, SPOT),
    PolygonScene("tip on a side", False, [tip(0.0), ring(0, 4, 20, 6)], blocked=False),
    PolygonScene("tip short of a side", True, [tip(-1e-5), ring(0, 4, 20, 6)], blocked=True),
    PolygonScene("tip to tip", False, [tip(0.0), [(20, 10), (0, 5), (20, 0)]], blocked=False),
    PolygonScene("tip short of a tip", True, [tip(-1e-5), [(20, 10), (0, 5), (20, 0)]], blocked=True),
    PolygonScene("block in a reflex vertex", False, [HOOK, ring(0, 2, 20, 6)], blocked=False),
    PolygonScene("block by a reflex vertex", True, [HOOK, ring(1.1, 2, 20, 5.9)], blocked=True),
    PolygonScene("facing in a notch", True, [CUP], blocked=True),
    PolygonScene("facing in a notch, target across its limit", True, [CUP], target=box(4.1, 10, 9, 12)),
    PolygonScene("facing in a notch, target beyond it", False, [CUP], target=box(7, 5, 9, 6)),
    PolygonScene("target in a notch", True, [CAP], blocked=True),
    PolygonScene("target in a notch that opens away", False, [BOWL], blocked=False),
    PolygonScene("target in a polygon", False, [ring(-6, 8, 6, 14)], blocked=False),
    PolygonScene("target equal to a polygon", True, [ring(-2, 10, 2, 12)], blocked=True),
    PolygonScene("facing in a polygon", False, [ring(-6, -4, 6, 1)], blocked=False),
    PolygonScene("target in a hole", False, [[ring(-6, 8, 6, 14), ring(-4, 9, 4, 13)]], blocked=False),
    PolygonScene("source in a hole", False, [[ring(-6, -4, 6, 4), ring(-3, -3, 3, 3)]], blocked=False),
    PolygonScene("both in a hole", True, [[ring(-9, -4, 9, 16), ring(-3, -3, 3, 13)]], blocked=True),
    PolygonScene("both fill a hole", True, [[ring(-9, -4, 9, 16), ring(-2, -2, 2, 12)]], blocked=True),
    PolygonScene("hole across the view", False, [[ring(-9, 4, 9, 8), ring(-8, 5, 8, 7)]], blocked=False),
    PolygonScene("discs in a hole", True, [[ring(-9, -4, 9, 16), ring(-3, -3, 3, 13)]], DISC, FAR_DISC, True),
    PolygonScene(
        "hole just round two discs", True, [[ring(-9, -4, 9, 16), ring(-1, -1, 1, 11)]], DISC, FAR_DISC, True
    ),
    PolygonScene(
        "disc in a hole, the other out of it",
        False,
        [[ring(-9, -4, 9, 7), ring(-1, -1, 1, 6)]],
        DISC,
        FAR_DISC,
        False,
    ),
]
