"""Where the units and the terrain of random engagements stand: in contact, in gaps, and in the way.

Everything stands at quarter turns on the grid of `contact_shapes`, mostly with edges lined up with edges.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from random import Random
from typing import Any, Final

from ninthgeom.t9a import Rules
from tests.rules.contact_oracle import GAP, ROUND, State, contacts
from tests.rules.contact_shapes import (
    GRID,
    Box,
    Figure,
    HairError,
    Place,
    Point,
    Ring,
    overlap,
    placed,
    steps,
    turned,
    turned_point,
)

#: Sides of right triangles, for round bases that touch a corner.
TRIPLES: Final = (
    (3, 4, 5),
    (4, 3, 5),
    (5, 12, 13),
    (12, 5, 13),
    (8, 15, 17),
    (15, 8, 17),
    (7, 24, 25),
    (24, 7, 25),
)
#: Random places keep to a coarser grid, so that they are not nearly on a threshold.
STEP: Final = GRID // 48


class Table:
    """Units of one state that have found their place, and the others."""

    def __init__(self, rng: Random, figures: Sequence[Figure], living: Any, known: Any) -> None:
        self.rng, self.figures = rng, figures
        self.living, self.known = living, known
        # a unit of nobody is placed as if it were whole
        self.bounds = [
            figure.boundary(mask if any(mask) else [True] * len(figure))
            for figure, mask in zip(figures, known, strict=True)
        ]
        self.places: list[Place] = []

    def bases(self, u: int, place: Place | None = None, *, living: bool = False) -> list[Box]:
        """Return the bases of all slots of a unit, or only of its living models."""
        return [
            placed(box, place or self.places[u])
            for box, lives in zip(self.figures[u].bases, self.living[u], strict=True)
            if lives or not living
        ]

    def is_free(self, u: int, place: Place) -> bool:
        """Tell whether no living model would stand on one that is there, and round units on no boundary."""
        own = self.bases(u, place, living=True)
        bound = placed(self.bounds[u], place)
        for v, there in enumerate(self.places):
            other = placed(self.bounds[v], there)
            if (bound.r or other.r) and overlap(bound, other):
                return False
            if any(overlap(one, base) for one in own for base in self.bases(v, living=True)):
                return False
        return True

    def add(self, u: int, choose: Callable[[], Place]) -> None:
        """Place the next unit, on nobody if that is possible."""
        place = choose()
        for _ in range(0 if self.rng.random() < 0.05 else 6):
            if self.is_free(u, place):
                break
            place = choose()
        self.places.append(place)

    def against(self, u: int, v: int) -> Place:
        """Return a place for unit `v` at which its boundary meets that of unit `u`, or just not."""
        rng = self.rng
        direction = rng.randrange(4)
        turn = (direction + 2 - rng.choice((0, 0, 0, 1, 2, 3))) % 4
        origin = Place(0, 0, turn)
        up = 1 - direction
        one = turned(placed(self.bounds[u], self.places[u]), up)
        two = turned(placed(self.bounds[v], origin), up)
        fixed = _marks([turned(box, up) for box in self.bases(u)], one)
        moving = _marks([turned(box, up) for box in self.bases(v, origin)], two)
        radii = one.r + two.r
        for _ in range(8):
            across, along = self._meeting(one, two, fixed, moving)
            if max(one.x0 - two.x1 - across, two.x0 + across - one.x1) <= 0 or along != radii:
                break
        else:
            across, along = rng.choice(((one.x0 - two.x0), (one.x1 - two.x1))), radii
        slack = rng.random()
        if slack < 0.16:
            along += rng.choice((-1, -1, 1)) * steps(Fraction(rng.randint(1, 30), 2))
        x, y = turned_point(across, one.y1 - two.y0 + along, -up)
        return Place(x, y, turn)

    def _meeting(self, one: Box, two: Box, fixed: Sequence[int], moving: Sequence[int]) -> Point:
        """Return how far the second has to move across, and how far their cores are apart along, to touch."""
        rng = self.rng
        radii = one.r + two.r
        mode = rng.random()
        if mode < 0.2:
            to_corner = rng.choice(((1, one.x1 - two.x0), (-1, one.x0 - two.x1)))
            if not radii:
                return to_corner[1], 0
            p, q, h = rng.choice(TRIPLES)
            return to_corner[1] + to_corner[0] * radii * p // h, radii * q // h
        across = rng.choice(fixed) - rng.choice(moving)
        if mode < 0.4:
            across += steps(Fraction(rng.choice((20, 25, 40)) * rng.randint(-6, 6), 6))
        elif mode < 0.55:
            low, high = one.x0 - two.x1, one.x1 - two.x0
            across = low + STEP * rng.randint(0, max(0, (high - low) // STEP))
        return across, radii

    def intruding(self, size: Box, u: int) -> Point:
        """Return where to move a box to, so that a corner of it lies on edges within unit `u`."""
        rng = self.rng
        bound = placed(self.bounds[u], self.places[u])
        bases = self.bases(rng.randrange(len(self.places))) + self.bases(u)
        xs, ys = _marks(bases, bound), _marks([turned(box, -1) for box in bases], turned(bound, -1))
        xs = [x for x in xs if bound.x0 - bound.r <= x <= bound.x1 + bound.r]
        ys = [y for y in ys if bound.y0 - bound.r <= y <= bound.y1 + bound.r]
        x, y = rng.choice(xs), rng.choice(ys)
        if rng.random() < 0.3:
            x += steps(Fraction(rng.randint(-60, 60), rng.choice((2, 3, 4))))
            y += steps(Fraction(rng.randint(-60, 60), rng.choice((2, 3, 4))))
        return (
            x - rng.choice((size.x0 - size.r, size.x1 + size.r)),
            y - rng.choice((size.y0 - size.r, size.y1 + size.r)),
        )

    def third(self, v: int) -> Place:
        """Return a place for one more unit: in the combat, or where it gets in the way."""
        u = self.rng.randrange(len(self.places))
        if self.rng.random() < 0.35:
            return self.against(u, v)
        turn = self.rng.randrange(4)
        return Place(*self.in_the_way(placed(self.bounds[v], Place(0, 0, turn)), u), turn)

    def in_the_way(self, size: Box, u: int) -> Point:
        """Return where to move a box to, between two models in contact or within unit `u`."""
        gaps = self.gaps() if self.rng.random() < 0.7 else []
        if not gaps:
            return self.intruding(size, u)
        gap = self.rng.choice(gaps)
        return (
            self._shift(gap.x0, gap.x1, size.x0 - size.r, size.x1 + size.r),
            self._shift(gap.y0, gap.y1, size.y0 - size.r, size.y1 + size.r),
        )

    def _shift(self, low: int, high: int, start: int, end: int) -> int:
        """Return how far to move a stretch to begin or end on a mark of another, or to be over its middle."""
        mode = self.rng.random()
        if mode < 0.3:
            return (low + high - start - end) // (2 * STEP) * STEP
        if mode < 0.5:
            return low + STEP * self.rng.randint(0, (high - low) // STEP) - self.rng.choice((start, end))
        return self.rng.choice(((low - start), (high - end), (low - end), (high - start)))

    def gaps(self) -> list[Box]:
        """Return what lies between models in contact across gaps, of the units that stand."""
        n = len(self.places)
        living, known = ([here for own in masks[:n] for here in own] for masks in (self.living, self.known))
        state = State(self.figures[:n], self.places, living, known)
        found = []
        try:
            rows = contacts(state, Rules(gap_stops_at="none"))
        except HairError:
            rows = []
        bases = {slot: box for models in state.living.values() for slot, box in models}
        for m, o, kind, *_ in rows:
            if m < o and kind in (GAP, ROUND):
                a, b = bases[m], bases[o]
                xs = sorted((a.x0 - a.r, a.x1 + a.r, b.x0 - b.r, b.x1 + b.r))
                ys = sorted((a.y0 - a.r, a.y1 + a.r, b.y0 - b.r, b.y1 + b.r))
                found.append(Box(xs[1], ys[1], xs[2], ys[2], 0))
        return found


def _marks(bases: Sequence[Box], bound: Box) -> list[int]:
    """Return the abscissae at which bases begin and end, those of the boundary more than once."""
    ends = {x for box in bases for x in (box.x0 - box.r, box.x1 + box.r)}
    return [*sorted(ends), *(bound.x0 - bound.r, bound.x1 + bound.r) * 3]


#: Outlines in quarters of their width and depth.
OUTLINES: Final = (
    [(0, 0), (4, 0), (4, 4), (0, 4)],
    [(0, 0), (4, 0), (4, 4), (0, 4)],
    [(0, 0), (4, 0), (4, 2), (2, 2), (2, 4), (0, 4)],
    [(0, 0), (4, 0), (2, 4)],
    [(0, 0), (4, 0), (0, 4)],
    [(2, 0), (4, 2), (2, 4), (0, 2)],
    [(0, 0), (4, 0), (3, 4), (1, 4)],
    [(0, 0), (4, 0), (4, 4), (3, 4), (3, 2), (1, 2), (1, 4), (0, 4)],
    [(0, 0), (4, 0), (4, 4), (2, 1), (0, 4)],
)


def random_ring(rng: Random, table: Table) -> Ring:
    """Return the outline of a piece of terrain near the units of a state."""
    width, depth = (steps(rng.choice((4, 10, 12.5, 20, 25, 40, 50))) for _ in range(2))
    quarters = rng.randrange(4)
    ring = [turned_point(x * width // 4, y * depth // 4, quarters) for x, y in rng.choice(OUTLINES)]
    xs, ys = zip(*ring, strict=True)
    frame = Box(min(xs), min(ys), max(xs), max(ys), 0)
    dx = dy = 0
    bases = [box for u in range(len(table.places)) for box in table.bases(u, living=True)]
    for _ in range(10):
        dx, dy = table.in_the_way(frame, rng.choice((0, 0, 1)))
        there = Box(frame.x0 + dx, frame.y0 + dy, frame.x1 + dx, frame.y1 + dy, 0)
        if not any(overlap(there, box) for box in bases):
            break
    return tuple((x + dx, y + dy) for x, y in ring)
