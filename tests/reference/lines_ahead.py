"""Convex shapes beside lines that run straight ahead, as outlines, and which lines are free by trying all."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np
import shapely

from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RADIUS, RIGHT_END, RIM, TOP

TOL = 1e-6
#: How well the outlines of round shapes are drawn here.
DRAWN = 2e-5
#: In how many pieces a quarter of a circle is drawn.
PIECES = 256


@dataclass(frozen=True)
class Shape:
    """A convex core with a radius; how deep inside lines pass it."""

    corners: np.ndarray
    radius: float = 0.0
    rim: float = TOL
    #: Chains of the outline from left to right, x and y: the lower one and the upper one.
    chains: tuple[np.ndarray, np.ndarray] = field(init=False)

    def __post_init__(self) -> None:
        points = np.unique(shapely.get_coordinates(self.outline), axis=0)
        object.__setattr__(self, "chains", (chain(points, False), chain(points, True)))

    def heights(self, xs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Least and greatest y of the shape at each x."""
        return np.interp(xs, *self.chains[0]), np.interp(xs, *self.chains[1])

    @property
    def core(self) -> shapely.Geometry:
        return shapely.convex_hull(shapely.multipoints(self.corners.T))

    @property
    def outline(self) -> shapely.Geometry:
        return self.core.buffer(self.radius, quad_segs=PIECES) if self.radius else self.core

    def overlaps(self, other: Shape) -> bool:
        return bool(shapely.distance(self.core, other.core) <= self.radius + other.radius)

    @property
    def ends(self) -> tuple[float, float]:
        return self.corners[0].min() - self.radius, self.corners[0].max() + self.radius

    @property
    def top(self) -> float:
        return float(self.corners[1].max() + self.radius)


def chain(points: np.ndarray, is_upper: bool) -> np.ndarray:
    """Vertices of the lower or upper side of a convex outline, from left to right, shape (2, n)."""
    sign = 1.0 if is_upper else -1.0
    points = points[np.lexsort((-sign * points[:, 1], points[:, 0]))]
    points = points[np.concatenate([[True], np.diff(points[:, 0]) > 0])]
    # above or below the line from the left end to the right one
    off = points[:, 1] - np.interp(points[:, 0], *points[[0, -1]].T)
    return points[sign * off >= -1e-12].T


def box(left: float, right: float, low: float, high: float, **rest: float) -> Shape:
    """A rectangle, corners in the order of `placed_models` where the front looks up."""
    return Shape(np.array([[left, left, right, right], [high, low, low, high]]), **rest)


def tilted(x: float, y: float, turn: float, along: float, across: float, radius: float = 0.0) -> Shape:
    """A base with its heading turned from up."""
    c, s = math.cos(turn + math.pi / 2), math.sin(turn + math.pi / 2)
    u, v = along * np.array([1, -1, -1, 1]), across * np.array([1, 1, -1, -1])
    return Shape(np.array([x + u * c - v * s, y + u * s + v * c]), radius)


def tables(shapes: list[Shape]) -> tuple[np.ndarray, np.ndarray]:
    """Corners and limits of shapes as kernels take them."""
    corners = np.empty((2, len(shapes), max(s.corners.shape[1] for s in shapes)))
    limits = np.empty((6, len(shapes)))
    for k, shape in enumerate(shapes):
        count = shape.corners.shape[1]
        corners[:, k, :count] = shape.corners
        corners[:, k, count:] = shape.corners[:, -1:]
        limits[[LEFT_END, RIGHT_END, TOP], k] = *shape.ends, shape.top
        limits[[RADIUS, RIM, CORNERS], k] = shape.radius, shape.rim, count
    return corners, limits


def ring(rng: np.random.Generator) -> np.ndarray:
    """Corners of a convex polygon, counter-clockwise; one or two make a point or a segment."""
    angles = np.sort(rng.uniform(0, 2 * math.pi, rng.integers(1, 8)))
    return rng.uniform(-1, 1, (2, 1)) + rng.uniform(0.3, 1.5) * np.array([np.cos(angles), np.sin(angles)])


def random_shape(rng: np.random.Generator) -> Shape:
    """A polygon or a base, round or not; ovals and discs have cores without an area."""
    if rng.random() < 0.4:
        return Shape(ring(rng), rng.choice([0.0, 0.3]))
    sizes = rng.uniform(0.2, 1.2, 2) * [[1, 1], [0, 1], [1, 0], [0, 0]][rng.integers(0, 4)]
    radius = rng.choice([0.0, 0.5]) if sizes.all() else 0.5
    return tilted(*rng.uniform(-1, 1, 2), rng.choice([0.0, 0.3, rng.uniform(-4, 4)]), *sizes, radius)


def facing_edge(shape: Shape, edge: int, xs: np.ndarray) -> np.ndarray:
    """Where lines end on a shape: on a straight edge, or on its lower side."""
    if edge < 0:
        return shape.heights(xs)[0]
    ends = shape.corners[:, [edge - 1, edge]]
    return np.interp(xs, *ends[:, np.argsort(ends[0])])


@dataclass(frozen=True)
class Scene:
    """Lines from the top of the first shape to an edge of the second, and who else is there."""

    shapes: list[Shape]
    edge: int
    low: float
    high: float

    def any_line(self, off: float) -> bool:
        """Tell whether there is a line past the others, each of which is so much smaller all round.

        All is straight between the corners of the outlines, and what becomes of it where it is level with
        the ends of lines: each piece in between is tried in its middle.
        """
        first, second, *others = self.shapes
        ends = np.array([self.low, self.high])
        cuts = [ends, *(c[0] for s in (second, *others) for c in s.chains)]
        cuts += [s.ends + np.array([1, -1]) * (s.rim + off) for s in others]
        xs = np.unique(np.clip(np.concatenate(cuts), *ends))

        def sides(xs: np.ndarray, other: Shape) -> tuple[np.ndarray, np.ndarray]:
            lower, upper = other.heights(xs)
            return upper - first.top - TOL - off, facing_edge(second, self.edge, xs) - TOL - off - lower

        xs = np.unique(np.concatenate([xs, *(zeros(xs, f) for s in others for f in sides(xs, s))]))
        xs = np.concatenate([ends, (xs[:-1] + xs[1:]) / 2])
        is_free = np.ones(len(xs), np.bool_)
        for other in others:
            left, right = other.ends
            above, before = sides(xs, other)
            is_inside = (xs > left + other.rim + off) & (xs < right - other.rim - off)
            is_free &= ~(is_inside & (above > 0) & (before > 0))
        return bool(is_free.any())


def zeros(xs: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Where something that runs straight between the xs changes sign."""
    at = np.flatnonzero(values[:-1] * values[1:] < 0)
    return xs[at] - values[at] * (xs[at + 1] - xs[at]) / (values[at + 1] - values[at])


#: The model from whose top lines run.
FIRST = box(-1.2, 1.0, -1.0, 0.0)


def random_scene(rng: np.random.Generator, is_round: bool) -> Scene:
    """A model that is not far, and others round the lines to it, which may overlap each other and the two."""
    height = rng.uniform(0.7, 3.0)
    if is_round:
        edge = -1
        sizes = [[0.0, 0.0], [0.0, 0.6], [0.6, 0.0]][rng.integers(0, 3)]
        second = tilted(rng.uniform(-1, 1), height, rng.uniform(-3, 3), *sizes, radius=0.7)
    else:
        edge = int(rng.integers(0, 4))
        turn = rng.choice([0.0, rng.uniform(-0.6, 0.6)]) + math.pi - edge * math.pi / 2
        second = tilted(rng.uniform(-1, 1), height, turn, *rng.uniform(0.3, 1.2, 2))
    others = []
    for shape in [random_shape(rng) for _ in range(rng.integers(1, 9))]:
        place = np.array([[rng.uniform(-1.5, 1.5)], [rng.uniform(-0.5, 2.0)]])
        rim = rng.choice([TOL, -TOL, 1e300], p=[0.6, 0.35, 0.05])
        size = rng.uniform(0.3, 1.0)
        other = Shape(shape.corners * size + place, shape.radius * size, rim)
        # what overlaps with a round base is a matter of its own
        while is_round and other.overlaps(second):
            other = Shape(other.corners - [[0.0], [0.3]], other.radius, rim)
        others.append(other)
    ends = second.ends if is_round else np.sort(second.corners[0, [edge - 1, edge]])
    return Scene([FIRST, second, *others], edge, max(ends[0], -1.2), min(ends[1], 1.0))
