"""Small bases made to touch polygons, a little nearer and a little further than the tolerance."""

import math
from dataclasses import dataclass

import numpy as np
import pytest
import shapely
from shapely.affinity import affine_transform

from ninthgeom import Bases, Polygons, Relation, distance, in_contact, interiors_meet, relation
from tests.reference.polygon_reference import NAMED
from tests.reference.rationals import TURNS
from tests.strategies import moved

APART, POINT, LINE, PARTIAL, INSIDE, CONTAINS, EQUAL = Relation
SWAPPED = np.array([APART, POINT, LINE, PARTIAL, CONTAINS, INSIDE, EQUAL])
NEAR, FAR, CLEAR = 1e-7, 1e-5, 0.01


@dataclass(frozen=True)
class Way:
    """How bases touch a polygon: what they are then, and what they are where they are deeper."""

    touching: Relation
    deeper: Relation


WAYS = {
    "edge on edge": Way(LINE, PARTIAL),
    "corner on edge": Way(POINT, PARTIAL),
    "disc on edge": Way(POINT, PARTIAL),
    "segment on edge": Way(LINE, INSIDE),
    "point on edge": Way(POINT, INSIDE),
    "edge on vertex": Way(POINT, PARTIAL),
    "disc on vertex": Way(POINT, PARTIAL),
    "corner on vertex": Way(POINT, PARTIAL),
    "corner in reflex vertex": Way(POINT, PARTIAL),
    "end in reflex vertex": Way(POINT, PARTIAL),
}


def spike(degrees: float) -> shapely.Polygon:
    """A square with a tip of an angle, and a notch of the same angle on the other side."""
    half = math.tan(math.radians(0.5 * degrees))
    before, tip, notch = (2, 3 * half), (5, 0), (-2, 2.5 * half)
    right = [(2, -2), (before[0], -before[1]), tip, before, (2, 2)]
    left = [(-2, 2), notch, (0.5, 0), (notch[0], -notch[1]), (-2, -2)]
    return shapely.Polygon(right + left)


SHAPES = [outline.to_shapely() for outline in NAMED.values()] + [spike(angle) for angle in (5, 10, 30, 60)]


def star(rng: np.random.Generator) -> shapely.Polygon:
    """A random outline, sometimes with a hole."""
    while True:
        n = int(rng.integers(5, 16))
        angle = 2.0 * math.pi * (np.arange(n) + rng.uniform(-0.4, 0.4, n)) / n
        ring = rng.uniform(1.0, 4.0, n)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        shape = shapely.Polygon(ring, [0.3 * ring[::-1]] if rng.random() < 0.5 else [])
        if shape.is_valid:
            return shape


def touching(rng: np.random.Generator, shape: shapely.Polygon, way: str, n: int) -> tuple[Bases, np.ndarray]:
    """Bases that touch a polygon, and the ways on which it gets further from them as fast as they move."""
    lines = (shapely.orient_polygons(shape).exterior, *shapely.orient_polygons(shape).interiors)
    rings = [np.asarray(line.coords)[:-1] for line in lines]
    before, here, after = (np.concatenate([np.roll(ring, i, axis=0) for ring in rings]) for i in (1, 0, -1))
    came, goes = np.arctan2(*(here - before).T[::-1]), np.arctan2(*(after - here).T[::-1])
    turn = (goes - came + math.pi) % math.tau - math.pi
    if way.endswith("edge"):
        chosen = rng.integers(0, len(here), n)
        place = here[chosen] + rng.uniform(0.1, 0.9, n)[:, None] * (after - here)[chosen]
        away = goes[chosen] - 0.5 * math.pi
    else:
        # Where a right angle fits in a reflex vertex, and leaves a little.
        widest = math.radians(-85.0) if way == "corner in reflex vertex" else -math.pi
        fits = turn > 0.1 if way.endswith("on vertex") else (turn < -0.1) & (turn > widest)
        # not where a hole touches the outline: the way into the polygon leads out of it again
        _, number, times = np.unique(here, axis=0, return_inverse=True, return_counts=True)
        fitting = np.flatnonzero(fits & (times[number] == 1))
        chosen = rng.choice(fitting, n) if len(fitting) else fitting
        place, n = here[chosen], len(chosen)
        off = rng.uniform(-0.45, 0.45, n) if way in ("edge on vertex", "disc on vertex") else 0.0
        away = came[chosen] - 0.5 * math.pi + (0.5 + off) * turn[chosen]
    long, wide = rng.uniform(0.02, 0.1, (2, n)) * np.minimum(1.0, np.hypot(*(after - here)[chosen].T))
    heading = away.copy()
    if way.startswith("edge"):
        wide = wide * rng.uniform(0.5, 1.0, n)
        x, y = 0.5 * long, rng.uniform(-0.4, 0.4, n) * wide
        bases = Bases.rect(0.0, 0.0, heading, width=wide, depth=long)
    elif way.startswith("corner"):
        long = wide if way != "corner on edge" else long
        heading = away + (0.25 * math.pi if way != "corner on edge" else rng.uniform(0.1, 1.4, n))
        c, s = np.cos(heading - away), np.sin(heading - away)
        # The corner that looks back is the rear left one.
        x, y = 0.5 * long * c + 0.5 * wide * s, 0.5 * long * s - 0.5 * wide * c
        bases = Bases.rect(0.0, 0.0, heading, width=wide, depth=long)
    elif way.startswith("disc"):
        x, y = 0.5 * long, 0.0 * long
        bases = Bases.round(0.0 * long, 0.0, diameter=long)
    elif way.startswith("segment"):
        x, y = 0.0 * long, 0.0 * long
        bases = Bases.rect(0.0, 0.0, heading, width=long, depth=0.0)
    elif way.startswith("point"):
        x, y = 0.0 * long, 0.0 * long
        bases = Bases.point(0.0 * long, 0.0)
    else:
        x, y = 0.5 * long, 0.0 * long
        bases = Bases.rect(0.0, 0.0, heading, width=0.0, depth=long)
    c, s = np.cos(away), np.sin(away)
    bases = moved(bases, x=place[:, 0] + x * c - y * s, y=place[:, 1] + x * s + y * c)
    # how fast the distance grows: in a reflex vertex that of the sides, which are slanted
    rate = np.cos(0.5 * turn[chosen]) if way.endswith("reflex vertex") else np.ones(n)
    ways = np.stack([c, s]) / rate
    # Nothing else of the polygon may be near.
    outlines = moved(bases, x=CLEAR * ways[0], y=CLEAR * ways[1])
    is_clear = np.abs(shapely.distance(outlines.to_shapely(), shape) - CLEAR) < (
        1e-3 if way.startswith("disc") else 1e-9  # shapely's discs have corners
    )
    return bases[is_clear], ways[:, is_clear]


def check_touching(rng: np.random.Generator, shape: shapely.Polygon, way: str, n: int) -> int:
    """Move pairs by distances to both sides of the tolerance, anywhere on a large table."""
    bases, ways = touching(rng, shape, way, n)
    if not bases.size:
        return 0
    turn = rng.uniform(-math.pi, math.pi)
    x, y = rng.uniform(-1000.0, 1000.0, 2)
    cos, sin = math.cos(turn), math.sin(turn)
    polygon = Polygons([affine_transform(shape, [cos, -sin, sin, cos, x, y])])
    codes = WAYS[way]
    for far, code in (
        (0.0, codes.touching),
        (NEAR, codes.touching),
        (-NEAR, codes.touching),
        (FAR, APART),
        (-FAR, codes.deeper),
    ):
        # Out of a notch the distance grows more slowly than the base moves, into it the depth as fast.
        step = far * ways if far > 0.0 else far * ways / np.hypot(*ways)
        there = moved(moved(bases, x=step[0], y=step[1]), turn=turn, x=x, y=y)
        found = relation(there, polygon)
        assert (found == code).all(), (
            way,
            far,
            shape.wkt,
            np.flatnonzero(found != code),
            found[found != code],
        )
        np.testing.assert_array_equal(relation(polygon, there), SWAPPED[found])
        np.testing.assert_array_equal(in_contact(there, polygon), found != APART)
        np.testing.assert_array_equal(distance(there, polygon) > 0.0, found == APART)
        np.testing.assert_array_equal(interiors_meet(there, polygon), found >= PARTIAL)
        if codes.deeper is PARTIAL and way != "end in reflex vertex" and not way.startswith("disc"):
            few = there[:3]
            shapes = Polygons(list(few.to_shapely()))
            assert (relation(shapes, polygon) == code).all(), (way, far, shape.wkt)
            assert (relation(polygon, shapes) == code).all(), (way, far, shape.wkt)
    return bases.size


@pytest.mark.parametrize("way", WAYS)
def test_touching_anywhere_on_the_table(way):
    rng = np.random.default_rng([1, list(WAYS).index(way)])
    assert sum(check_touching(rng, shape, way, 20) for shape in SHAPES) > 50
    assert sum(check_touching(rng, star(rng), way, 20) for _ in range(10)) > 20


def test_edges_in_one_line():
    """What lies on one of many edges in a line is beyond some of the others by rounding."""
    marks = np.cumsum([0.0, 0.1, 0.3, 0.7, 0.2, 1.1, 0.6])
    sides = [np.stack([marks, 0.0 * marks], 1), np.stack([marks[-1] + 0.0 * marks, marks], 1)]
    ring = np.concatenate([side[:-1] for side in sides] + [marks[-1] - side[:-1] for side in sides])
    for c, s in TURNS:
        turned = ring @ np.array([[float(c), float(s)], [-float(s), float(c)]])
        polygon = Polygons([turned])[0]
        share = np.linspace(0.0, 1.0, 41)[:, None, None]
        places = turned + share * (np.roll(turned, -1, axis=0) - turned)
        x, y = places.reshape(-1, 2).T
        assert distance(Bases.point(x, y), polygon, tol=0.0).max() < 1e-12
        assert (relation(Bases.point(x, y), polygon) == POINT).all()
        out = np.array([float(s), -float(c)])  # of the lower side
        below = places[:, : len(marks) - 1].reshape(-1, 2) + 0.05 * out
        heading = math.atan2(out[1], out[0])
        squares = Bases.rect(*below.T, heading, width=0.02, depth=0.1)
        assert (relation(squares, polygon) == LINE).all()
        assert in_contact(squares, polygon).all()
        far = Bases.rect(*(below + 0.25 * out).T, heading, width=0.02, depth=0.1)
        np.testing.assert_allclose(distance(far, polygon), 0.25, rtol=0.0, atol=1e-12)


@pytest.mark.verify
@pytest.mark.parametrize("way", WAYS)
def test_touching_often(way):
    seed = int(np.random.SeedSequence().generate_state(1)[0])
    rng = np.random.default_rng(seed)
    print(f"polygons, {way}: seed {seed}")
    count = 0
    while count < 200_000:
        shape = star(rng) if rng.random() < 0.7 else SHAPES[rng.integers(len(SHAPES))]
        count += check_touching(rng, shape, way, 2000)
    print(f"{count} bases, each at five distances: 0 wrong")
