"""Generators of bases: random ones of every kind, and pairs that touch in a known way."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from ninthgeom import Bases

AREAS = ("rectangle", "rounded", "disc", "oval")
KINDS = (*AREAS, "segment", "point")
WAYS = ("edge", "corner on edge", "corner")


def cores(rng: np.random.Generator, n: int, kind: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Half extents of cores, along and across, and radii of bases with sides up to 6 inches."""
    along, across = rng.uniform(0.25, 2.0, (2, n))
    lengthwise = rng.random(n) < 0.5
    radius = rng.uniform(0.1, 1.0, n)
    if kind in ("disc", "point"):
        along, across = 0.0 * along, 0.0 * across
    if kind in ("oval", "segment"):
        along, across = along * lengthwise, across * ~lengthwise
    if kind in ("rectangle", "segment", "point"):
        radius = 0.0 * radius
    return along, across, radius


def from_cores(x: Any, y: Any, heading: Any, core: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Bases:
    along, across, radius = core
    width, depth = 2.0 * (across + radius), 2.0 * (along + radius)
    return Bases(
        x, y, heading, width=width, depth=depth, radius=np.minimum(radius, 0.5 * np.minimum(width, depth))
    )


def random_bases(rng: np.random.Generator, n: int, kind: str, *, spread: float = 2.5) -> Bases:
    """Bases of one kind round the origin, or of every kind in random order for "mixed"."""
    if kind == "mixed":
        parts = [random_bases(rng, n // len(KINDS) + 1, kind, spread=spread) for kind in KINDS]
        return Bases.concatenate(parts)[rng.permutation(len(KINDS) * len(parts[0]))[:n]]
    x, y = rng.normal(0.0, spread, (2, n))
    return from_cores(x, y, rng.uniform(-math.pi, math.pi, n), cores(rng, n, kind))


def moved(bases: Bases, *, turn: Any = 0.0, x: Any = 0.0, y: Any = 0.0) -> Bases:
    """The same bases after a turn of the table round the origin and a shift."""
    cos, sin = np.cos(turn), np.sin(turn)
    return Bases(
        cos * bases.x - sin * bases.y + x,
        sin * bases.x + cos * bases.y + y,
        bases.heading + turn,
        width=bases.width,
        depth=bases.depth,
        radius=bases.radius,
    )


@dataclass(frozen=True)
class Touching:
    """Pairs whose second base touches the first, on a table that may be turned and shifted.

    Moved by d along ``(away_x, away_y)``, the second is d away from the first.
    """

    first: Bases
    second: Bases
    away_x: np.ndarray
    away_y: np.ndarray
    turn: np.ndarray
    shift: np.ndarray

    def apart(self, distance: float) -> tuple[Bases, Bases]:
        """The pairs moved apart, or into each other by a negative distance."""
        second = moved(self.second, x=distance * self.away_x, y=distance * self.away_y)
        x, y = self.shift
        return moved(self.first, turn=self.turn, x=x, y=y), moved(second, turn=self.turn, x=x, y=y)


def touching(
    rng: np.random.Generator, n: int, way: str, kinds: tuple[str, str], *, far: float = 1000.0
) -> Touching:
    """Pairs of two kinds whose cores, if there were no radii, touched edge, edge by corner, or corners.

    The table is turned by any angle and shifted by up to `far` inches.
    """
    first, second = (cores(rng, n, kind) for kind in kinds)
    (along, across, radius), (other_along, other_across, other_radius) = first, second
    away = np.full(n, -0.5 * math.pi)
    if way == "edge":
        heading = math.pi * rng.integers(0, 2, n)
        x = (along + other_along) * rng.uniform(-0.98, 0.98, n)
        y = -(across + other_across)
    else:
        # The corner that touches is the second's front left one or, corner to corner, its rear right one.
        if way == "corner on edge":
            heading = np.radians(rng.uniform(2.0, 88.0, n))
            touch_x, touch_y, sign = along * rng.uniform(-0.98, 0.98, n), -across, 1.0
        else:
            away = np.radians(rng.uniform(10.0, 80.0, n))
            heading = away - np.radians(rng.uniform(10.0, 80.0, n))
            touch_x, touch_y, sign = along, across, -1.0
        cos, sin = np.cos(heading), np.sin(heading)
        x = touch_x - sign * (other_along * cos - other_across * sin)
        y = touch_y - sign * (other_along * sin + other_across * cos)
    away_x, away_y = np.cos(away), np.sin(away)
    x, y = x + (radius + other_radius) * away_x, y + (radius + other_radius) * away_y
    zero = np.zeros(n)
    return Touching(
        from_cores(zero, zero, zero, first),
        from_cores(x, y, heading, second),
        away_x,
        away_y,
        rng.uniform(-math.pi, math.pi, n),
        rng.uniform(-far, far, (2, n)),
    )


def columns(bases: Bases) -> np.ndarray:
    """The columns that kernels read, one row of bases: shape (7, 1, n)."""
    return np.ascontiguousarray(bases._columns.reshape(7, 1, -1))


_coordinates = st.floats(-1000.0, 1000.0)
_sides = st.one_of(st.just(0.0), st.floats(0.01, 20.0))


@st.composite
def single_bases(draw: st.DrawFn) -> Bases:
    """One base of any kind, sometimes on a coarse grid so that touches and shared edges turn up."""
    x, y, heading = draw(_coordinates), draw(_coordinates), draw(st.floats(-10.0, 10.0))
    width, depth = draw(_sides), draw(_sides)
    if draw(st.booleans()):
        x, y, width, depth = round(x / 250.0), round(y / 250.0), round(width / 5.0), round(depth / 5.0)
        heading = draw(st.sampled_from((0.0, 0.5 * math.pi, math.pi, 0.25 * math.pi)))
    share = draw(st.sampled_from((0.0, 0.5, 1.0)))
    return Bases(x, y, heading, width=width, depth=depth, radius=0.5 * min(width, depth) * share)
