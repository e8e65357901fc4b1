"""Contacts of one state by brute force: every line that could tell anything is drawn.

Written from the rules and nothing else. Everything stands at quarter turns on the grid of `contact_shapes`:
all comparisons are of whole numbers (or fractions, at slanting edges), and the tolerance plays no part. The
state is turned until the facing in question looks up, so that lines are vertical (see `contact_lines`).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, product
from typing import Final, NamedTuple, TypeAlias

from ninthgeom.t9a import Rules
from tests.rules.contact_lines import Obstacles, arc_cuts, is_slanting, ring_overlaps, samples
from tests.rules.contact_shapes import (
    FRONT,
    Box,
    Figure,
    HairError,
    Mask,
    OverlapError,
    Place,
    Ring,
    core_gaps,
    engaged,
    flag,
    meet,
    overlap,
    placed,
    steps,
    turned,
    turned_point,
)

TOUCH, GAP, ROUND, DUEL = 1, 2, 3, 4
SKIRMISH_GAP: Final = steps(12.5)

#: Model, other, kind, facing of the model, facing of the other.
Row: TypeAlias = tuple[int, int, int, int, int]


class Duel(NamedTuple):
    """Two slots of models that fight a duel that is not over."""

    first: int
    second: int


@dataclass(frozen=True)
class State:
    """All that the answer depends on but the rules; impassable terrain is given as rings of the grid."""

    figures: Sequence[Figure]
    places: Sequence[Place]
    occupied: Mask
    frozen: Mask | None = None
    present: Mask | None = None
    impassable: Sequence[Ring] = ()

    @cached_property
    def starts(self) -> list[int]:
        """First slot of each unit, and the number of slots."""
        starts = [0]
        for figure in self.figures:
            starts.append(starts[-1] + len(figure))
        return starts

    def of_unit(self, mask: Mask, u: int) -> Mask:
        """Return the part of a mask of slots that belongs to a unit."""
        return mask[self.starts[u] : self.starts[u + 1]]

    def boundary(self, u: int, mask: Mask) -> Box | None:
        """Return the Unit Boundary that goes by a mask of all slots; of nobody there is none."""
        own = self.of_unit(mask, u)
        return placed(self.figures[u].boundary(own), self.places[u]) if any(own) else None

    def is_there(self, u: int, living: Mask) -> bool:
        """Tell whether a unit is on the table."""
        return any(self.of_unit(living, u)) and (self.present is None or bool(self.present[u]))

    @cached_property
    def there(self) -> list[int]:
        """Units on the table."""
        return [u for u in range(len(self.figures)) if self.is_there(u, self.occupied)]

    @cached_property
    def boundaries(self) -> dict[int, Box]:
        """Unit Boundaries of the units on the table, that have one."""
        mask = self.occupied if self.frozen is None else self.frozen
        known = {u: self.boundary(u, mask) for u in self.there}
        return {u: box for u, box in known.items() if box is not None}

    @cached_property
    def living(self) -> dict[int, list[tuple[int, Box]]]:
        """Slots and bases of the living models of the units on the table."""
        return {
            u: [
                (self.starts[u] + i, placed(base, self.places[u]))
                for i, base in enumerate(self.figures[u].bases)
                if self.occupied[self.starts[u] + i]
            ]
            for u in self.there
        }

    @cached_property
    def views(self) -> list[View]:
        """The state turned so that each of the four directions looks up."""
        return [View(self, direction) for direction in range(4)]

    def oppose(self, a: int, b: int) -> bool:
        """Tell whether two units are enemies."""
        sides = [figure.side for figure in self.figures]
        return sides[a] != sides[b] or len(set(sides)) == 1


class View:
    """A state turned so that one direction looks up, made when it is needed."""

    def __init__(self, state: State, direction: int) -> None:
        self._state, self._quarters = state, 1 - direction
        self._covered: dict[tuple[int, int, bool], bool] = {}

    @cached_property
    def living(self) -> dict[int, list[tuple[int, Box]]]:
        return {
            u: [(slot, turned(box, self._quarters)) for slot, box in models]
            for u, models in self._state.living.items()
        }

    @cached_property
    def boundaries(self) -> dict[int, Box]:
        return {u: turned(box, self._quarters) for u, box in self._state.boundaries.items()}

    @cached_property
    def rings(self) -> list[Ring]:
        return [tuple(turned_point(x, y, self._quarters) for x, y in ring) for ring in self._state.impassable]

    def is_covered(self, u: int, slot: int, box: Box, *, upper: bool) -> bool:
        """Tell whether the upper (or lower) edge of a base is wholly behind models of its own unit."""
        key = u, slot, upper
        if key not in self._covered:
            self._covered[key] = self._is_covered(u, slot, box, upper=upper)
        return self._covered[key]

    def _is_covered(self, u: int, slot: int, box: Box, *, upper: bool) -> bool:
        level = box.y1 if upper else box.y0
        is_loose = self._state.figures[u].is_loose
        pieces = []
        for other, base in self.living[u]:
            if other == slot:
                continue
            if is_loose:
                facing, at = (base.y0, level + SKIRMISH_GAP) if upper else (base.y1, level - SKIRMISH_GAP)
                covers = facing == at
            else:
                covers = base.y0 <= level <= base.y1
            if covers:
                pieces.append((base.x0, base.x1))
        reached = box.x0
        for left, right in sorted(pieces):
            if left > reached:
                break
            reached = max(reached, right)
        return reached >= box.x1


def contacts(state: State, rules: Rules, duels: Sequence[Duel] = ()) -> list[Row]:
    """Return a row for each ordered pair of models in contact, sorted."""
    found: dict[tuple[int, int], tuple[int, int, int]] = {}
    for a, b in combinations(state.boundaries, 2):
        if state.oppose(a, b) and meet(state.boundaries[a], state.boundaries[b]):
            found |= _of_units(state, a, b, rules)
    for first, second in duels:
        facings = _of_duel(state, first, second, rules)
        if facings and (first, second) not in found and (second, first) not in found:
            found[first, second] = (DUEL, *facings)
    rows = [(m, o, kind, one, other) for (m, o), (kind, one, other) in found.items()]
    return sorted(rows + [(o, m, kind, other, one) for m, o, kind, one, other in rows])


def engaged_units(state: State, a: int, b: int, rules: Rules) -> int:
    """Return the facings of a unit that are engaged with another one, 0 without contact."""
    if a == b or a not in state.boundaries or b not in state.boundaries:
        return 0
    one, other = state.boundaries[a], state.boundaries[b]
    if not meet(one, other):
        return 0
    return engaged(one, state.places[a].turn, other, state.places[b].turn, rules)


def _of_duel(state: State, first: int, second: int, rules: Rules) -> tuple[int, int] | None:
    """Return the engaged facings of the units of two duellists, who both count as standing there."""

    def standing(mask: Mask) -> list[bool]:
        return [bool(here) or slot in (first, second) for slot, here in enumerate(mask)]

    units = [
        next(u for u in range(len(state.figures)) if slot < state.starts[u + 1]) for slot in (first, second)
    ]
    if not all(state.is_there(u, standing(state.occupied)) for u in units):
        return None
    mask = standing(state.occupied if state.frozen is None else state.frozen)
    one, other = (state.boundary(u, mask) for u in units)
    if one is None or other is None or not meet(one, other):
        return None
    turns = [state.places[u].turn for u in units]
    return engaged(one, turns[0], other, turns[1], rules), engaged(other, turns[1], one, turns[0], rules)


def _of_units(state: State, a: int, b: int, rules: Rules) -> dict[tuple[int, int], tuple[int, int, int]]:
    """Return kind and facings of the contacts between models of two enemy units in contact."""
    facings = engaged_units(state, a, b, rules), engaged_units(state, b, a, rules)
    bases = [box for u in (a, b) for _, box in state.living[u]]
    if any(ring_overlaps(ring, box) for ring in state.impassable for box in bases):
        raise OverlapError("terrain lies under a base")
    is_round = state.figures[a].is_round, state.figures[b].is_round
    if all(is_round):
        return {(state.living[a][0][0], state.living[b][0][0]): (ROUND, FRONT, FRONT)}
    if is_round[0]:
        swapped = _of_round(state, b, a, facings[1], rules)
        return {(o, m): (ROUND, FRONT, facing) for (m, o), facing in swapped.items()}
    if is_round[1]:
        straight = _of_round(state, a, b, facings[0], rules)
        return {pair: (ROUND, facing, FRONT) for pair, facing in straight.items()}
    turns = state.places[a].turn, state.places[b].turn
    found = {}
    for pair, (one, other) in _across_gaps(state, a, b, facings, rules).items():
        found[pair] = (GAP, one, other)
    for (m, base), (o, opposite) in product(state.living[a], state.living[b]):
        if meet(base, opposite):
            one = engaged(base, turns[0], opposite, turns[1], rules, facings[0])
            other = engaged(opposite, turns[1], base, turns[0], rules, facings[1])
            found[m, o] = (TOUCH, one, other)
    return found


def _obstacles(view: View, a: int, b: int, rules: Rules, *, ignored: int | None = None) -> Obstacles:
    """Return what stops lines between two units; `ignored` is a unit whose bases do not."""
    boxes: list[Box] = []
    if rules.gap_blocking != "none" or ignored is not None:
        boxes += [box for u, models in view.living.items() if u != ignored for _, box in models]
    rings: Sequence[Ring] = ()
    if rules.gap_stops_at == "boundaries":
        boxes += [box for u, box in view.boundaries.items() if u not in (a, b)]
        rings = view.rings
    return Obstacles(boxes, rings, closed=rules.gap_blocking == "closed")


def _across_gaps(
    state: State, a: int, b: int, facings: tuple[int, int], rules: Rules
) -> dict[tuple[int, int], tuple[int, int]]:
    """Return the facings of all pairs of models that some line across a gap joins."""
    found: dict[tuple[int, int], tuple[int, int]] = {}
    for direction, view in enumerate(state.views):
        one = flag(direction, state.places[a].turn)
        other = flag(direction + 2, state.places[b].turn)
        if facings[0] & one and facings[1] & other:
            for pair in _joined(view, a, b, rules):
                known = found.get(pair, (0, 0))
                found[pair] = known[0] | one, known[1] | other
    return found


def _joined(view: View, a: int, b: int, rules: Rules) -> set[tuple[int, int]]:
    """Return the models of `a` and of `b` that a vertical line joins, from upper to lower edge."""
    models = [(m, box) for m, box in view.living[a] if not view.is_covered(a, m, box, upper=True)]
    others = [(o, box) for o, box in view.living[b] if not view.is_covered(b, o, box, upper=False)]
    if not models or not others:
        return set()
    left = max(min(box.x0 for _, box in side) for side in (models, others))
    right = min(max(box.x1 for _, box in side) for side in (models, others))
    low, high = min(box.y1 for _, box in models), max(box.y0 for _, box in others)
    if left > right or low > high:
        return set()
    things = _obstacles(view, a, b, rules).within(left, right, low, high)
    _check_tips_at_ends(things, {box.y1 for _, box in models} | {box.y0 for _, box in others}, None)
    cuts = {x for _, box in (*models, *others) for x in (box.x0, box.x1)}
    cuts.update(things.cuts([*(box.y1 for _, box in models), *(box.y0 for _, box in others)]))
    found = set()
    for x in samples(cuts, left, right):
        starts = [(m, box.y1) for m, box in models if box.x0 <= x <= box.x1]
        ends = [(o, box.y0) for o, box in others if box.x0 <= x <= box.x1]
        if not starts or not ends:
            continue
        spans = things.spans(x)
        for m, start in starts:
            stop = min((low for low, high in spans if high > start), default=None)
            found |= {(m, o) for o, end in ends if start <= end and (stop is None or end <= stop)}
    return found


def _of_round(state: State, a: int, b: int, facings: int, rules: Rules) -> dict[tuple[int, int], int]:
    """Return the facings through which models of `a` have the round base of `b` straight in front."""
    found: dict[tuple[int, int], int] = {}
    for direction, view in enumerate(state.views):
        facing = flag(direction, state.places[a].turn)
        if facings & facing:
            for pair in _in_front(view, a, b, rules):
                found[pair] = found.get(pair, 0) | facing
    return found


def _in_front(view: View, a: int, b: int, rules: Rules) -> set[tuple[int, int]]:
    """Return the models of `a` from whose upper edge a vertical line runs to the round base of `b`."""
    ((o, disc),) = view.living[b]
    edges = disc.x0 - disc.r, disc.x1 + disc.r
    models = [(m, box) for m, box in view.living[a] if not view.is_covered(a, m, box, upper=True)]
    models = [(m, box) for m, box in models if box.x0 <= edges[1] and box.x1 >= edges[0]]
    if not models:
        return set()
    _check_apart(view, a, b)
    left = max(min(box.x0 for _, box in models), edges[0])
    right = min(max(box.x1 for _, box in models), edges[1])
    low = min(box.y1 for _, box in models)
    things = _obstacles(view, a, b, rules, ignored=b).within(left, right, low, disc.y1 + disc.r)
    cuts = {x for _, box in models for x in (box.x0, box.x1)}
    cuts.update(things.cuts(box.y1 for _, box in models))
    _check_tips_at_ends(things, {box.y1 for _, box in models}, disc)
    for level in {box.y1 for _, box in models} | {box.y0 for box in things.boxes if not box.r}:
        cuts |= arc_cuts(disc, level)
    touched = Obstacles(things.boxes, things.rings, closed=True)
    found, corners = set(), set()
    is_open = rules.round_front == "open"
    for x in samples(cuts, left, right):
        if is_open and not edges[0] < x < edges[1]:
            continue
        starts = [
            (m, box.y1) for m, box in models if (box.x0 < x < box.x1 if is_open else box.x0 <= x <= box.x1)
        ]
        if not starts:
            continue
        # The end of the line is rounded up: a whole number lies below it where it lies below the arc.
        aside = max(disc.x0 - x, 0, x - disc.x1)
        arc = math.isqrt(disc.r * disc.r - aside * aside)
        spans = things.spans(x)
        for m, start in starts:
            if disc.y1 + arc < start:
                raise HairError("an edge beyond a round base")
            # of a line that begins in the round base only its first point is left
            end = max(disc.y0 - arc, start)
            if any(low < end and high > start for low, high in spans):
                continue
            is_corner = end == start and any(low <= start < high for low, high in touched.spans(x))
            (corners if is_corner else found).add((m, o))
    if corners - found:
        raise HairError("all that is left of a line is a point at the corner of something")
    if is_open:
        _check_tips(things, [box for m, box in models if (m, o) not in found], disc)
    return found


def _check_apart(view: View, a: int, b: int) -> None:
    """Refuse a round base that overlaps something else than the other unit: lines may end on either."""
    ((_, disc),) = view.living[b]
    others = [box for u, box in view.boundaries.items() if u not in (a, b)]
    others += [box for u, models in view.living.items() if u not in (a, b) for _, box in models]
    if any(overlap(disc, box) for box in others):
        raise OverlapError("a round base overlaps a third unit")


def _check_tips(things: Obstacles, boxes: Sequence[Box], disc: Box) -> None:
    """Refuse slanting terrain and arcs that leave the end of an open stretch.

    In exact numbers they stop all lines there, but those next to the end pass less than the tolerance deep.
    """
    stretches = [(max(box.x0, disc.x0 - disc.r), min(box.x1, disc.x1 + disc.r), box.y1) for box in boxes]
    corners = {(end, level) for left, right, level in stretches for end in (left, right)}
    ends = {end for end, _ in corners}
    if ends & {disc.x0, disc.x1} and any(box.y0 == disc.y0 - disc.r for box in things.boxes):
        raise HairError("an arc leaves an edge where an open stretch ends")
    if any(box.r and _is_on(box, *corner) for box in things.boxes for corner in corners):
        raise HairError("an arc passes the end of an open stretch")
    if any(x in ends for ring in things.rings if is_slanting(ring) for x, _ in ring):
        raise HairError("slanting terrain ends where an open stretch does")


def _check_tips_at_ends(things: Obstacles, levels: set[int], disc: Box | None) -> None:
    """Refuse slanting terrain that touches the height of an end of lines that may only touch it there.

    In exact numbers the lines next to that point touch it elsewhere too, but less than the tolerance away.
    """
    if not things.closed:
        return
    for ring in things.rings:
        if is_slanting(ring) and any(y in levels or (disc and _is_on(disc, x, y)) for x, y in ring):
            raise HairError("slanting terrain touches the end of a line")


def _is_on(disc: Box, x: int, y: int) -> bool:
    """Tell whether a point lies on the outline of a round base."""
    across, along = core_gaps(disc, Box(x, y, x, y, 0))
    return max(across, 0) ** 2 + max(along, 0) ** 2 == disc.r**2
