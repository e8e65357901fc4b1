"""Random scenes of units that meet at a slant: a corner on a facing, others and terrain in the wedge."""

from __future__ import annotations

import math
from collections.abc import Sequence
from random import Random
from typing import Any, Final, TypeAlias

import numpy as np

from ninthgeom import Attached, Board, Terrain, Unit, t9a
from tests.rules.contact_shapes import Figure
from tests.rules.engagements import SIDE_BASES, random_living
from tests.rules.slanted_lines import APART, Array, Scene, corners, overlap

BASES: Final = ((20, 20), (20, 20), (25, 25), (25, 50), (40, 40), (50, 75))
SMALL_BASES: Final = ((4, 4), (5, 10), (10, 5), (8, 8), (20, 20), (25, 50))
#: Gap angles this far from the angle of the units tell whether it is compared closely.
BESIDE: Final = math.radians(0.01)

#: Position and heading.
Place: TypeAlias = tuple[float, float, float]


def random_unit(rng: Random, name: str, side: int) -> Unit:
    """A unit of full ranks, so that its mirror image is one too."""
    while True:
        base, files, ranks = rng.choice(BASES), rng.randint(1, 6), rng.randint(1, 3)
        models, attached = files * ranks, []
        if rng.random() < 0.2:
            wide, deep = rng.randint(1, min(2, files)), rng.randint(1, ranks)
            place = 0, rng.randint(0, files - wide)
            attached.append(Attached("inside", (base[0] * wide, base[1] * deep), place=place))
            models -= wide * deep
        if rng.random() < 0.4:
            ends = rng.choice((["left"], ["right"], ["left", "right"]))
            attached += [Attached(end, rng.choice(SIDE_BASES), place=end) for end in ends]
        formation: Any = "skirmish" if rng.random() < 0.1 else "ranked"
        if not models:
            continue
        try:
            return Unit(
                name, base, models=models, files=files, side=side, attached=attached, formation=formation
            )
        except ValueError:  # a character found no place
            continue


def random_rules(rng: Random, angle: float) -> t9a.Rules:
    """One of the editions, or any mixture; the gap angle often close to the angle of the units."""
    edition = rng.random()
    if edition < 0.3:
        return t9a.THIRD_EDITION if edition < 0.15 else t9a.SECOND_EDITION
    angles = (math.pi / 4, math.pi / 4, angle + BESIDE, angle - BESIDE, 0.5, 0.0)
    return t9a.Rules(
        corner_facing=rng.choice(("both", "flank", "located")),
        gap_blocking=rng.choice(("interior", "interior", "none", "closed")),
        gap_stops_at=rng.choice(("boundaries", "boundaries", "none")),
        gap_angle=rng.choice(angles),
    )


def normal(heading: float, facing: int) -> Array:
    return np.array([math.cos(heading + facing * math.pi / 2), math.sin(heading + facing * math.pi / 2)])


def bases_at(figure: Figure, living: list[bool], place: Place) -> Array:
    """Corners of the bases of living models, in inches."""
    return corners([box for box, here in zip(figure.bases, living, strict=True) if here], np.array(place))


def is_free(shapes: Array, others: list[Array]) -> bool:
    there = np.concatenate([np.empty((0, 4, 2)), *others])
    # most are far from each other, which their boxes tell
    near = (there.min(axis=1)[None] <= shapes.max(axis=1)[:, None] + APART) & (
        there.max(axis=1)[None] >= shapes.min(axis=1)[:, None] - APART
    )
    return not any(overlap(shapes[i], there[j]) for i, j in np.argwhere(near.all(axis=2)))


class Wedge:
    """A unit that touches another one with a corner, the two facings that slant, and what is between."""

    def __init__(self, rng: Random, figures: list[Figure], masks: list[list[bool]], angle: float) -> None:
        self.rng = rng
        far = rng.choice((0.0, 30.0, 30.0, 300.0))
        first = rng.uniform(-far, far), rng.uniform(-far, far), rng.uniform(-math.pi, math.pi)
        facing, its = rng.randrange(4), rng.randrange(4)
        heading = first[2] + (facing - its + 2) * math.pi / 2 + rng.choice((-angle, angle))
        one, other = (figure.boundary(mask) for figure, mask in zip(figures, masks, strict=True))
        self.edge = corners([one], np.array(first))[0, [facing, (facing + 1) % 4]]
        self.up, self.down = normal(first[2], facing), normal(heading, its)
        self.corner = self.edge[(self.edge @ self.down).argmin()]
        start, end = corners([other], np.array([0.0, 0.0, heading]))[0, [its, (its + 1) % 4]]
        shift = self.corner - start - rng.random() * (end - start)
        if rng.random() < 0.15:  # into a hole, perhaps
            shift += rng.uniform(0.0, 0.8) * self.down
        self.other_edge = np.stack([start, end]) + shift
        self.places: list[Place] = [first, (float(shift[0]), float(shift[1]), heading)]

    def point(self) -> Array:
        """A point between the two facings, or near it."""
        foot = self.edge[0] + self.rng.uniform(-0.1, 1.1) * (self.edge[1] - self.edge[0])
        high = float((self.corner - foot) @ self.down / (self.up @ self.down))
        return np.asarray(foot + self.rng.uniform(-0.3, 1.1) * high * self.up)

    def third(self, figure: Figure) -> Place:
        """A place of another unit: between the two facings, or with a corner on one of them."""
        heading = self.rng.uniform(-math.pi, math.pi)
        x, y = self.point()
        if self.rng.random() < 0.4:
            edge, out = self.rng.choice(((self.edge, self.up), (self.other_edge, self.down)))
            own = corners([figure.boundary([True] * len(figure))], np.array([0.0, 0.0, heading]))[0]
            x, y = edge[0] + self.rng.random() * (edge[1] - edge[0]) - own[(own @ out).argmin()]
        return float(x), float(y), heading


def random_scene(seed: int, number: int) -> Scene:
    """Return the scene of this number in the series of a seed; bases of different units do not overlap."""
    rng = Random(f"{seed} {number}")
    sides = rng.choice(([0, 1, 0, 1], [0, 1, 1, 2], [3, 3, 3, 3]))
    angle = math.radians(rng.uniform(0.2, rng.choice((44.9, 44.9, 15.0, 1.5))))
    units = [random_unit(rng, f"u{u}", sides[u]) for u in range(2)]
    figures = [Figure(unit) for unit in units]
    living = [random_living(rng, unit, may_be_gone=False) for unit in units]
    frozen = []
    for lives in living:
        share = rng.choice((0.0, 0.3, 1.0))
        frozen.append([here or rng.random() < share for here in lives])
    while True:
        wedge = Wedge(rng, figures, frozen, angle)
        there = [bases_at(*each) for each in zip(figures, living, wedge.places, strict=True)]
        if is_free(there[0], there[1:]):
            break
    for u in range(2, rng.choice((2, 3, 3, 4, 4))):
        files = rng.choice((1, 1, 2))
        unit = Unit(f"u{u}", rng.choice(SMALL_BASES), models=files, files=files, side=sides[u])
        figure, whole = Figure(unit), [True] * files
        for _ in range(8):
            place = wedge.third(figure)
            shapes = bases_at(figure, whole, place)
            if is_free(shapes, there):
                units, figures, living = [*units, unit], [*figures, figure], [*living, whole]
                frozen, there = [*frozen, whole], [*there, shapes]
                wedge.places.append(place)
                break
    pieces = random_terrain(rng, wedge, there)
    return Scene(
        as_board(units, pieces),
        figures,
        random_rules(rng, angle),
        np.array(wedge.places),
        [here for lives in living for here in lives],
        [here for known in frozen for here in known],
        pieces,
        angle,
    )


def random_terrain(rng: Random, wedge: Wedge, bases: list[Array]) -> Array:
    """Up to four triangles or quadrangles on no base; of triangles the last corner is there twice."""
    pieces = [np.empty((0, 4, 2))]
    for _ in range(rng.choice((0, 0, 2, 4))):
        for size in (1.5, 0.6, 0.2):
            angles = np.array(sorted(rng.uniform(0.0, 2 * math.pi) for _ in range(4)))
            angles[3] = rng.choice(angles[2:])
            around = np.stack([np.cos(angles), np.sin(angles)], -1)
            piece = (wedge.point() + rng.uniform(0.3, 1.0) * size * around)[None]
            if is_free(piece, bases):
                pieces.append(piece)
                break
    return np.concatenate(pieces)


def as_board(units: Sequence[Unit], pieces: Array) -> Board:
    outlines = [piece[: 3 if (piece[2] == piece[3]).all() else 4] for piece in pieces]
    return Board(units, [Terrain(outline, kind="impassable") for outline in outlines])
