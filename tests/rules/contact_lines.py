"""Vertical lines of the contact oracle: where they need to be drawn, and what they meet.

Lines are drawn through every end of everything that could stop them, wherever an edge or an arc passes a
height at which one may begin or end, and half-way between neighbouring ones: nothing changes in between.
Abscissae that are not rational are bracketed by the two steps of the grid next to them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import TypeAlias

from tests.rules.contact_shapes import CLOSE, Box, HairError, Point, Ring, overlap

#: A stretch of a vertical line, from and to.
Span: TypeAlias = tuple["int | Fraction", "int | Fraction"]


class Obstacles:
    """What stops lines: boxes and rings, by their interior or, `closed`, by a touch."""

    def __init__(self, boxes: Iterable[Box], rings: Sequence[Ring], *, closed: bool) -> None:
        self.boxes, self.rings, self.closed = list(boxes), rings, closed

    def within(self, left: int, right: int, low: int, high: int) -> Obstacles:
        """Return those that lines between these limits may meet."""
        boxes = [
            box
            for box in self.boxes
            if box.x0 - box.r <= right and box.x1 + box.r >= left
            if box.y0 - box.r <= high and box.y1 + box.r >= low
        ]
        return Obstacles(boxes, self.rings, closed=self.closed)

    def spans(self, x: int) -> list[Span]:
        """Return the stretches of a vertical line that lie in something; interiors, or with their ends."""
        found: list[Span] = []
        for box in self.boxes:
            if box.r:
                found += _chord(box, x, closed=self.closed)
            elif (box.x0 <= x <= box.x1) if self.closed else (box.x0 < x < box.x1):
                found.append((box.y0, box.y1))
        for ring in self.rings:
            found += ring_spans(ring, x, closed=self.closed)
        return found

    def cuts(self, levels: Iterable[int]) -> Iterator[int]:
        """Yield the abscissae at which something begins, ends or passes one of the levels."""
        levels = set(levels)
        for box in self.boxes:
            yield from (box.x0 - box.r, box.x1 + box.r)
            if box.r:
                for level in levels:
                    yield from arc_cuts(box, level)
        for ring in self.rings:
            yield from (x for x, _ in ring)
            for (x0, y0), (x1, y1) in pairwise((*ring, ring[0])):
                for level in levels:
                    if min(y0, y1) < level < max(y0, y1) and x0 != x1:
                        x = x0 + Fraction((x1 - x0) * (level - y0), y1 - y0)
                        yield from {math.floor(x), math.ceil(x)}


def _chord(box: Box, x: int, *, closed: bool) -> list[Span]:
    """Return the stretch of a vertical line in a round box, rounded outwards to the grid."""
    aside = max(box.x0 - x, 0, x - box.x1)
    if aside > box.r or (aside == box.r and not closed):
        return []
    squared = box.r * box.r - aside * aside
    half = math.isqrt(squared)
    if half * half < squared:
        half += 1
    return [(box.y0 - half, box.y1 + half)]


def arc_cuts(box: Box, level: int) -> set[int]:
    """Return where the outline of a round box passes a level; two steps each where it is between them."""
    off = max(box.y0 - level, 0, level - box.y1)
    if off != box.r and abs(off - box.r) < CLOSE:
        raise HairError("a circle nearly touches a level")
    if not 0 < off <= box.r:
        return set()
    squared = box.r * box.r - off * off
    half = math.isqrt(squared)
    halves = {half} if half * half == squared else {half, half + 1}
    return {x for half in halves for x in (box.x0 - half, box.x1 + half)}


def ring_spans(ring: Ring, x: int, *, closed: bool) -> list[Span]:
    """Return the stretches of a vertical line in a polygon: of its interior, or with its outline."""
    marks: set[int | Fraction] = set()
    upright: list[tuple[int, int]] = []
    for (x0, y0), (x1, y1) in pairwise((*ring, ring[0])):
        if x0 == x1 == x:
            upright.append((min(y0, y1), max(y0, y1)))
            marks |= {y0, y1}
        elif min(x0, x1) <= x <= max(x0, x1) and x0 != x1:
            marks.add(y0 + Fraction((y1 - y0) * (x - x0), x1 - x0))
    known = sorted(marks)
    found: list[Span] = [(y, y) for y in known] if closed else []
    for low, high in pairwise(known):
        middle = Fraction(low + high) / 2
        on_outline = any(y0 <= middle <= y1 for y0, y1 in upright)
        if (on_outline and closed) or (not on_outline and is_inside(ring, x, middle)):
            found.append((low, high))
    return found


def is_inside(ring: Ring, x: int, y: int | Fraction) -> bool:
    """Tell whether a point that is not on the outline lies in a polygon."""
    inside = False
    for (x0, y0), (x1, y1) in pairwise((*ring, ring[0])):
        if (y0 <= y) != (y1 <= y):
            # the edge passes the height of the point: to its right?
            across = (x1 - x0) * (y - y0) - (x - x0) * (y1 - y0)
            inside ^= (across > 0) == (y1 > y0)
    return inside


def is_slanting(ring: Ring) -> bool:
    """Tell whether some edge of a polygon runs along neither axis."""
    return any(x0 != x1 and y0 != y1 for (x0, y0), (x1, y1) in pairwise((*ring, ring[0])))


def ring_overlaps(ring: Ring, box: Box) -> bool:
    """Tell whether the interior of a polygon meets that of a base; of an oval, whether it may."""
    xs, ys = zip(*ring, strict=True)
    frame = Box(min(xs), min(ys), max(xs), max(ys), 0)
    if not overlap(frame, box):
        return False
    if box.r and (box.x0, box.y0) != (box.x1, box.y1):
        return True
    middle = (box.x0 + box.x1) // 2, Fraction(box.y0 + box.y1, 2)
    edges = list(pairwise((*ring, ring[0])))
    if any(_near_centre(edge, box) if box.r else _passes(edge, box) for edge in edges):
        return True
    # no edge comes into the base: all of it lies in the polygon, or nothing
    return is_inside(ring, *middle)


def _near_centre(edge: tuple[Point, Point], disc: Box) -> bool:
    """Tell whether an edge comes nearer to the centre of a disc than its radius."""
    (x0, y0), (x1, y1) = edge
    dx, dy = x1 - x0, y1 - y0
    share = Fraction((disc.x0 - x0) * dx + (disc.y0 - y0) * dy, dx * dx + dy * dy)
    share = min(max(share, Fraction(0)), Fraction(1))
    return (x0 + share * dx - disc.x0) ** 2 + (y0 + share * dy - disc.y0) ** 2 < disc.r**2


def _passes(edge: tuple[Point, Point], box: Box) -> bool:
    """Tell whether an edge passes through the interior of a rectangle."""
    (x0, y0), (x1, y1) = edge
    low, high = Fraction(0), Fraction(1)
    for start, end, least, most in ((x0, x1, box.x0, box.x1), (y0, y1, box.y0, box.y1)):
        if start == end:
            if not least < start < most:
                return False
            continue
        shares = sorted(Fraction(limit - start, end - start) for limit in (least, most))
        low, high = max(low, shares[0]), min(high, shares[1])
    return low < high


def samples(cuts: Iterable[int], left: int, right: int) -> list[int]:
    """Return the cuts from `left` to `right` and a value between each two of them."""
    known = sorted({left, right, *(x for x in cuts if left < x < right)})
    between = []
    for x, after in pairwise(known):
        if 1 < after - x < CLOSE:
            raise HairError("two lines are nearly the same")
        if after - x > 1:
            between.append((x + after) // 2)
    return known + between
