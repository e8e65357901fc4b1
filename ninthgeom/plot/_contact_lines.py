"""Where two models are in contact: along shared edges, straight across gaps, before round bases."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np
import shapely

from ninthgeom import t9a
from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom.arcs import Arc
from ninthgeom.crossings import first_hit, passes_through
from ninthgeom.measure import shortest_line
from ninthgeom.segments import Segments

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.polygons import Polygons

# Corners of a base at the ends of each facing, by their places in `Bases.corners`.
FACINGS: Final = {Arc.FRONT: (1, 0), Arc.LEFT: (0, 3), Arc.REAR: (3, 2), Arc.RIGHT: (2, 1)}
# What counts as touching an edge in a picture, in inches.
_NEAR: Final = 1e-3


@dataclass(frozen=True)
class Room:
    """What stands where models may be in contact across gaps.

    Attributes
    ----------
    bases : Bases, shape (M,)
    living : ndarray of bool, shape (M,)
        Models on the table.
    boundaries : Bases, shape (U,)
    others : ndarray of bool, shape (U,)
        Units whose boundaries stop lines between two others; none if the rules let them through.
    unit : ndarray of int, shape (M,)
        Unit of each model.
    walls : Polygons, shape (T,), optional
        Terrain that stops lines.
    """

    bases: Bases
    living: BoolArray
    boundaries: Bases
    others: BoolArray
    unit: IntArray
    walls: Polygons | None

    def line(
        self, kind: t9a.ContactKind, model: int, other: int, facing: int, other_facing: int
    ) -> FloatArray:
        """Return the line that shows how two models are in contact, shape (n, 2)."""
        one, two = self.bases[model], self.bases[other]
        if kind == t9a.ContactKind.DUEL:
            return np.array([[one.x, one.y], [two.x, two.y]])
        if kind == t9a.ContactKind.TOUCH:
            return _shared(one, two)
        between = self._between(model, other)
        found = None
        if kind == t9a.ContactKind.GAP:
            found = _across(_edges(one, facing), _edges(two, other_facing), between)
        elif not one.radius > 0:
            found = _before(_edges(one, facing), two, between)
        elif not two.radius > 0:
            found = _before(_edges(two, other_facing), one, between)
        if found is not None:
            return found
        near: FloatArray = np.asarray(shortest_line(one, two)).reshape(2, 2)
        return _shared(one, two) if np.hypot(*(near[1] - near[0])) <= _NEAR else near

    def _between(self, model: int, other: int) -> _Between:
        living, others = self.living.copy(), self.others.copy()
        living[[model, other]] = False
        others[self.unit[[model, other]]] = False
        return _Between([self.bases[living], self.boundaries[others]], self.walls)


@dataclass(frozen=True)
class _Between:
    """What stops lines between two models."""

    bases: list[Bases]
    walls: Polygons | None

    def stops(self, lines: FloatArray) -> BoolArray:
        """Return which lines, (n, 2, 2), are stopped."""
        segments = Segments(*lines.reshape(-1, 4).T)[:, None]
        stopped = [passes_through(segments, bases).any(axis=1) for bases in self.bases]
        if self.walls is not None:
            stopped.append(passes_through(segments, self.walls).any(axis=1))
        answer: BoolArray = np.logical_or.reduce(stopped)
        return answer

    def marks(self, start: FloatArray, way: FloatArray) -> FloatArray:
        """Return how far along a way shapes begin, end and have corners."""
        found = []
        for bases in self.bases:
            found.append(((bases.corners() - start) @ way).ravel())
            # Round ones end where no corner is.
            found += _ends(bases, start, way)
        if self.walls is not None:
            found.append((shapely.get_coordinates(self.walls.to_shapely()) - start) @ way)
        return np.concatenate(found)


def _edges(base: Bases, facing: int) -> list[FloatArray]:
    return [base.corners()[list(ends)] for flag, ends in FACINGS.items() if facing & flag]


def _shared(one: Bases, two: Bases) -> FloatArray:
    """Return the line along which two bases touch."""
    shared = shapely.intersection(one.to_shapely().buffer(_NEAR), two.to_shapely().buffer(_NEAR))
    # Along an edge this is a thin strip: its long middle line.
    strip = np.asarray(shared.minimum_rotated_rectangle.exterior.coords)[:4]
    sides = np.hypot(*(strip[1] - strip[0])), np.hypot(*(strip[2] - strip[1]))
    order = (0, 1, 2, 3) if sides[0] <= sides[1] else (1, 2, 3, 0)
    a, b, c, d = strip[list(order)]
    return np.array([(a + b) / 2, (c + d) / 2])


@dataclass(frozen=True)
class _Across:
    """Lines straight across from an edge to another one."""

    edge: FloatArray
    other: FloatArray

    def span(self) -> tuple[float, float]:
        """Return from where to where along the edge the other one is opposite."""
        here, there = ((points - self.edge[0]) @ _along(self.edge) for points in (self.edge, self.other))
        return max(here.min(), there.min()), min(here.max(), there.max())

    def lines(self, places: FloatArray) -> FloatArray:
        """Return the lines at places along the edge, shape (n, 2, 2)."""
        way = _along(self.edge)
        there = (self.other - self.edge[0]) @ way
        length = there[1] - there[0]
        share = (places - there[0]) / length if abs(length) > _NEAR else np.zeros(len(places))
        ends = self.other[0] + np.clip(share, 0.0, 1.0)[:, None] * (self.other[1] - self.other[0])
        return np.stack([self.edge[0] + places[:, None] * way, ends], axis=1)


@dataclass(frozen=True)
class _Before:
    """Lines straight ahead from an edge to a round base."""

    edge: FloatArray
    disc: Bases

    def span(self) -> tuple[float, float]:
        """Return from where to where along the edge the base is ahead."""
        low, high = _ends(self.disc, self.edge[0], _along(self.edge))
        return max(0.0, float(low)), min(float(np.hypot(*(self.edge[1] - self.edge[0]))), float(high))

    def lines(self, places: FloatArray) -> FloatArray:
        """Return the lines at places along the edge, shape (n, 2, 2)."""
        way = _along(self.edge)
        starts = self.edge[0] + places[:, None] * way
        apart = np.hypot(self.disc.x - self.edge[0][0], self.disc.y - self.edge[0][1])
        far = starts + np.array([way[1], -way[0]]) * float(apart + self.disc.width + self.disc.depth)
        hits = first_hit(Segments(*starts.T, *far.T), self.disc)
        return np.stack([starts, np.where(hits.hit[:, None], hits.point, starts)], axis=1)


def _across(ones: list[FloatArray], others: list[FloatArray], between: _Between) -> FloatArray | None:
    """Return the line across, perpendicular to the one edge or the other, where nothing stops it."""
    stopped = None
    for one, other, step in [
        (*edges, step) for a in ones for b in others for edges, step in (((a, b), 1), ((b, a), -1))
    ]:
        across = _Across(one, other)
        low, high, is_open = _open_part(across, between)
        if low > high:
            continue
        # from the one to the other, whichever edge it is perpendicular to
        line: FloatArray = across.lines(np.array([(low + high) / 2]))[0][::step]
        if is_open:
            return line
        # Some rules let lines run through others.
        stopped = line if stopped is None else stopped
    return stopped


def _before(edges: list[FloatArray], disc: Bases, between: _Between) -> FloatArray | None:
    """Return the part of an edge that is straight before a round base, with a line across from its middle."""
    for edge in edges:
        before = _Before(edge, disc)
        low, high, _ = _open_part(before, between)
        if low <= high:
            first, middle, last = before.lines(np.array([low, (low + high) / 2, high]))
            return np.array([first[0], middle[0], middle[1], middle[0], last[0]])
    return None


def _open_part(ahead: _Across | _Before, between: _Between) -> tuple[float, float, bool]:
    """Return the widest part of what is opposite to an edge that nothing stops, or all of it; and whether."""
    low, high = ahead.span()
    if low > high:
        # Corner to corner, off by a rounding error.
        return ((low + high) / 2, (low + high) / 2, True) if low <= high + _NEAR else (low, high, False)
    marks = between.marks(ahead.edge[0], _along(ahead.edge))
    marks = np.concatenate([[low], np.unique(marks[(marks > low) & (marks < high)]), [high]])
    # A part is open if its middle is, and two that meet are one if where they meet is open too.
    places = np.concatenate([(marks[1:] + marks[:-1]) / 2, marks[1:-1]])
    is_open = ~between.stops(ahead.lines(places))
    best, start = (low, low), low
    found = False
    for i, part_is_open in enumerate(is_open[: len(marks) - 1].tolist()):
        if not part_is_open:
            continue
        if i == 0 or not is_open[i - 1] or not is_open[len(marks) - 2 + i]:
            start = marks[i]
        if not found or marks[i + 1] - start > best[1] - best[0]:
            best, found = (float(start), float(marks[i + 1])), True
    if found:
        return *best, True
    # Only single lines between two shapes that meet may be free.
    free = np.flatnonzero(~between.stops(ahead.lines(marks)))
    if len(free):
        return float(marks[free[0]]), float(marks[free[0]]), True
    return low, high, False


def _ends(bases: Bases, start: FloatArray, way: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return from where to where along a way bases reach."""
    angle = bases.heading - np.arctan2(way[1], way[0])
    half = np.abs(np.cos(angle)) * (bases.depth / 2 - bases.radius) + bases.radius
    half += np.abs(np.sin(angle)) * (bases.width / 2 - bases.radius)
    middle = (np.stack([bases.x, bases.y], axis=-1) - start) @ way
    return middle - half, middle + half


def _along(edge: FloatArray) -> FloatArray:
    way: FloatArray = (edge[1] - edge[0]) / max(float(np.hypot(*(edge[1] - edge[0]))), 1e-300)
    return way
