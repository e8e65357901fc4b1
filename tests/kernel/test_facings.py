"""Through which facings bases meet, against corners and normals on the table, and on cases that are known."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Unit
from ninthgeom.board import Attached
from ninthgeom.t9a._melee import Models
from ninthgeom_kernel import facing
from ninthgeom_kernel.facings import facings
from ninthgeom_kernel.model_touches import TOUCH, model_touches
from tests.reference.forms import callable_helper

gap_of, slanting, facing_of = map(callable_helper, (facing.gap_of, facing.slanting, facing.facing))

TOL = 1e-6
FRONT, LEFT, REAR, RIGHT = 1, 2, 4, 8
ROUND_TABLE = [(0.0, 0.0, 0.0), (30.0, 20.0, 2.1), (-71.3, 48.0, -0.4), (2e4, -3e4, 5.7)]


@dataclass(frozen=True)
class Base:
    """A base on the table, its half extents those of the core."""

    x: float
    y: float
    heading: float
    along: float
    across: float
    radius: float = 0.0

    def moved(self, x: float, y: float, turn: float) -> Base:
        """Turn it about the origin, and shift it."""
        c, s = math.cos(turn), math.sin(turn)
        return replace(
            self, x=x + c * self.x - s * self.y, y=y + s * self.x + c * self.y, heading=self.heading + turn
        )

    @property
    def numbers(self) -> tuple[float, ...]:
        """What kernels read of it."""
        c, s = math.cos(self.heading), math.sin(self.heading)
        return self.x, self.y, c, s, self.along, self.across, self.radius

    @property
    def normals(self) -> np.ndarray:
        """Where front, left, rear and right look."""
        turns = self.heading + np.arange(4) * (math.pi / 2)
        return np.stack([np.cos(turns), np.sin(turns)], axis=1)

    @property
    def corners(self) -> np.ndarray:
        ahead, left = self.normals[:2]
        signs = ((1, 1), (-1, 1), (-1, -1), (1, -1))
        offsets = [i * self.along * ahead + j * self.across * left for i, j in signs]
        return np.array([self.x, self.y]) + offsets

    @property
    def core(self) -> shapely.Geometry:
        return shapely.convex_hull(shapely.multipoints(self.corners))


def beyond(a: Base, b: Base) -> np.ndarray:
    """How far b lies wholly beyond each facing of a; of a rounded one, beyond that far edges of its core."""
    return (b.corners @ a.normals.T).min(axis=0) - b.radius - (a.corners @ a.normals.T).max(axis=0)


def plain_gap(a: Base, b: Base) -> float:
    apart = shapely.distance(a.core, b.core)
    radii = a.radius + b.radius
    depth = max(beyond(replace(a, radius=0), replace(b, radius=0)).max(), beyond(b, a).max() + a.radius)
    return (apart if apart > 0 else depth) - radii


def plain_facing(a: Base, b: Base, tol: float = TOL) -> int:
    """Facings of a that b meets, by what the rules say of them."""
    gap = plain_gap(a, b)
    if gap > tol:
        return 0
    if a.radius:
        return FRONT
    before = beyond(a, b) >= gap - tol
    if not before.any():
        # b slants across a corner: with a straight edge, or with what is round
        edges = (a.corners @ b.normals.T).min(axis=0) - (b.corners @ b.normals.T).max(axis=0) - b.radius
        if edges.max() >= gap - tol:
            way = -b.normals[edges.argmax()]
        else:
            line = shapely.get_coordinates(shapely.shortest_line(a.core, b.core))
            way = (line[1] - line[0]) / np.linalg.norm(line[1] - line[0])
        turned = a.normals @ way
        before = turned >= turned.max() - 1e-8
    return int(before @ (1 << np.arange(4)))


def found(pairs: list[tuple[Base, Base]], tol: float = TOL) -> list[tuple[int, int]]:
    """What the kernel says, after checks that hold for any pairs."""
    numbers = np.array([(a.numbers, b.numbers) for a, b in pairs])
    columns = [np.ascontiguousarray(numbers[:, side].T)[:, None] for side in (0, 1)]
    out, swapped = np.full((2, 2, len(pairs)), 99, np.uint8)
    facings(*columns, tol, out)
    facings(*columns[::-1], tol, swapped)
    np.testing.assert_array_equal(swapped[::-1], out)
    return [tuple(pair) for pair in out.T.tolist()]


def relabelled(base: Base, flags: int, quarters: int) -> tuple[Base, int]:
    """The same base with its front so many quarter turns further right, and what its facings are then."""
    sizes = (base.across, base.along) if quarters % 2 else (base.along, base.across)
    heading = base.heading - quarters * math.pi / 2
    turned = (flags << quarters | flags >> 4 - quarters) & 15
    return Base(base.x, base.y, heading, *sizes, base.radius), FRONT if base.radius else turned


def every_way(a: Base, b: Base, own: int, its: int) -> tuple[list[tuple[Base, Base]], list[tuple[int, int]]]:
    """The same two all over the table, with other facings that look there; and what they must answer."""
    pairs, wanted = [], []
    for i, place in enumerate(ROUND_TABLE):
        for quarters in range(4):
            one, mine = relabelled(a, own, quarters)
            other, its_own = relabelled(b, its, (quarters + i) % 4)
            pairs.append((one.moved(*place), other.moved(*place)))
            wanted.append((mine, its_own))
    return pairs, wanted


def check(a: Base, b: Base, own: int, its: int) -> None:
    pairs, wanted = every_way(a, b, own, its)
    assert found(pairs) == wanted


def shifted(base: Base, direction: float, by: float) -> Base:
    return replace(base, x=base.x + by * math.cos(direction), y=base.y + by * math.sin(direction))


# How far apart, or less than nothing: as far as the tolerance, slightly, and so that anybody sees it.
NEARLY = [-0.05, -1e-3, -2e-6, -9e-7, 0.0, 9e-7]


@pytest.mark.parametrize("apart", NEARLY)
@pytest.mark.parametrize("seed", range(4))
def test_edges_flush(seed: int, apart: float) -> None:
    rng = np.random.default_rng(seed)
    a, b = (Base(0.0, 0.0, 0.0, *rng.uniform(0.4, 3.0, 2)) for _ in range(2))
    aside = rng.uniform(-1, 1) * (a.across + b.across - 0.2)
    b = replace(b, x=a.along + b.along + apart, y=aside)
    check(a, b, FRONT, REAR)


@pytest.mark.parametrize("apart", [1.1e-6, 1e-3, 2.0])
def test_a_gap_above_the_tolerance(apart: float) -> None:
    a = Base(0.0, 0.0, 0.0, 1.0, 2.0)
    for b in (Base(1.5 + apart, 1.0, 0.0, 0.5, 0.5), Base(2.0 + apart, 0.0, 1.0, 0.0, 0.0, 1.0)):
        pairs, _ = every_way(a, b, 0, 0)
        assert set(found(pairs)) == {(0, 0)}
    assert found([(a, replace(a, x=2.0 + apart))], tol=apart + 1e-9) == [(FRONT, REAR)]


@pytest.mark.parametrize("apart", [-1e-3, -9e-7, 0.0, 9e-7])
@pytest.mark.parametrize("degrees", [1.0, 20.0, 44.9999, 45.0, 45.0001, 70.0, 89.0])
@pytest.mark.parametrize("shape", ["rectangle", "oval"])
def test_a_corner_on_an_edge(shape: str, degrees: float, apart: float) -> None:
    # The front left corner of a; the normal of b's rear edge is turned so far from its front.
    turn = math.radians(degrees)
    a = Base(0.0, 0.0, 0.0, 1.5, 0.7)
    r = 0.8 if shape == "oval" else 0.0
    b = Base(0.0, 0.0, turn, 0.6 - 0.6 * (r > 0), 1.3, r)
    for place in (-0.7, 0.0, 0.6):
        x = 1.5 + (b.along + r + apart) * math.cos(turn) - place * math.sin(turn)
        y = 0.7 + (b.along + r + apart) * math.sin(turn) + place * math.cos(turn)
        own = FRONT | LEFT if degrees == 45.0 else FRONT if degrees < 45.0 else LEFT
        check(a, replace(b, x=x, y=y), own, REAR)


@pytest.mark.parametrize("off", [(0.0, 0.0), (3e-7, 3e-7), (-4e-7, 2e-7), (-0.01, -0.01), (-1.0, -1.0)])
def test_a_corner_at_a_corner(off: tuple[float, float]) -> None:
    a, b = Base(0.0, 0.0, 0.0, 1.5, 0.7), Base(2.1 + off[0], 2.0 + off[1], 0.0, 0.6, 1.3)
    check(a, b, FRONT | LEFT, REAR | RIGHT)


@pytest.mark.parametrize(("off", "own", "its"), [((-0.1, -0.2), FRONT, REAR), ((-0.2, -0.1), LEFT, RIGHT)])
def test_corners_that_overlap(off: tuple[float, float], own: int, its: int) -> None:
    a, b = Base(0.0, 0.0, 0.0, 1.5, 0.7), Base(2.1 + off[0], 2.0 + off[1], 0.0, 0.6, 1.3)
    check(a, b, own, its)


@pytest.mark.parametrize("apart", [0.0, 9e-7])
@pytest.mark.parametrize("degrees", [-80.0, -45.0, -2.0, 2.0, 45.0, 80.0])
def test_a_turned_corner_at_a_corner(degrees: float, apart: float) -> None:
    # b's rear right corner at the front left corner of a, so that one edge of each is free of the other
    turn = math.radians(degrees)
    c, s = math.cos(turn), math.sin(turn)
    a = Base(0.0, 0.0, 0.0, 1.5, 0.7)
    b = Base(1.5 + 0.6 * c - 1.3 * s, 0.7 + 0.6 * s + 1.3 * c, turn, 0.6, 1.3)
    own, its, way = (FRONT, RIGHT, 0.0) if degrees < 0 else (LEFT, REAR, math.pi / 2)
    check(a, shifted(b, way, apart), own, its)


@pytest.mark.parametrize("apart", NEARLY)
@pytest.mark.parametrize("heading", [0.0, 0.3, math.pi / 4])
def test_a_disc_at_an_edge(heading: float, apart: float) -> None:
    a = Base(0.0, 0.0, 0.0, 1.5, 0.7)
    for aside in (-0.7, -0.69, 0.0, 0.7):
        check(a, Base(2.3 + apart, aside, heading, 0.0, 0.0, 0.8), FRONT, FRONT)


ROUND_CORNERS = [2.0, 30.0, 44.999, 45.0, 45.001, 60.0, 88.0]


@pytest.mark.parametrize("apart", NEARLY)
@pytest.mark.parametrize("degrees", ROUND_CORNERS)
def test_a_disc_at_a_corner(degrees: float, apart: float) -> None:
    turn = math.radians(degrees)
    own = FRONT | LEFT if degrees == 45.0 else FRONT if degrees < 45.0 else LEFT
    a = Base(0.0, 0.0, 0.0, 1.5, 0.7)
    x, y = 1.5 + (0.8 + apart) * math.cos(turn), 0.7 + (0.8 + apart) * math.sin(turn)
    for heading in (0.0, turn, 1.0):
        check(a, Base(x, y, heading, 0.0, 0.0, 0.8), own, FRONT)


def oval_end_at_a_corner(a: Base, degrees: float, heading: float, half: float, apart: float) -> Base:
    """An oval whose round end lies at the front left corner of a, in a direction from forward."""
    turn = math.radians(degrees)
    x, y = a.along + (0.8 + apart) * math.cos(turn), a.across + (0.8 + apart) * math.sin(turn)
    return shifted(Base(x, y, heading, half, 0.0, 0.8), heading, half)


@pytest.mark.parametrize("apart", [-1e-3, 0.0, 9e-7])
@pytest.mark.parametrize("degrees", ROUND_CORNERS)
def test_an_oval_with_its_end_at_a_corner(degrees: float, apart: float) -> None:
    own = FRONT | LEFT if degrees == 45.0 else FRONT if degrees < 45.0 else LEFT
    a = Base(0.0, 0.0, 0.0, 1.0, 1.0)
    for off in (-1.2, -0.4, 0.0, 1.2):
        b = oval_end_at_a_corner(a, degrees, math.radians(degrees) + off, 0.7, apart)
        check(a, b, own, FRONT)
        check(a, Base(b.x, b.y, b.heading + math.pi / 2, 0.0, 0.7, 0.8), own, FRONT)


def test_an_oval_with_its_end_at_a_corner_of_a_wide_base() -> None:
    # a's centre lies beyond the middle of the oval, but the end at the corner is the other one
    a = Base(0.0, 0.0, 0.0, 0.5, 4.0)
    b = oval_end_at_a_corner(a, 50.0, -0.6, 0.5, 0.0)
    assert math.isclose(plain_gap(a, b), 0.0, abs_tol=1e-12)
    assert plain_facing(a, b) == LEFT
    check(a, b, LEFT, FRONT)


@pytest.mark.parametrize("apart", NEARLY)
def test_an_oval_with_its_side_or_end_on_an_edge(apart: float) -> None:
    a = Base(0.0, 0.0, 0.0, 1.5, 0.7)
    check(a, Base(2.0 + apart, 0.9, 0.0, 0.0, 0.9, 0.5), FRONT, FRONT)
    check(a, Base(2.9 + apart, -0.5, 0.0, 0.9, 0.0, 0.5), FRONT, FRONT)
    c, s = math.cos(0.5), math.sin(0.5)
    check(a, Base(2.0 + 0.9 * c + apart, 0.4 + 0.9 * s, 0.5, 0.9, 0.0, 0.5), FRONT, FRONT)


@pytest.mark.parametrize("radius", [0.0, 0.4])
def test_deep_in_the_other(radius: float) -> None:
    a = Base(0.0, 0.0, 0.0, 3.0, 2.0)
    side = 0.5 - radius
    check(a, Base(2.2, 0.0, 0.0, side, side, radius), FRONT, REAR)
    check(a, Base(2.2, 1.2, 0.0, side, side, radius), FRONT | LEFT, REAR | RIGHT)
    # in the middle it is as deep to both sides
    check(a, Base(0.0, 0.0, 0.0, side, side, radius), LEFT | RIGHT, LEFT | RIGHT)
    check(a, replace(a, along=0.2, across=0.2), LEFT | RIGHT, LEFT | RIGHT)


def slid(rng: np.random.Generator, kind: int) -> tuple[Base, Base]:
    """A rectangle, and another base so near or so deep."""
    a = Base(0.0, 0.0, rng.uniform(-4, 4), *rng.uniform(0.3, 3.0, 2))
    sizes = rng.uniform(0.3, 2.0, 2) * [[1, 1], [0, 0], [0, 1], [1, 0], [0.5, 1]][kind]
    b = Base(0.0, 0.0, rng.uniform(-4, 4), *sizes, rng.uniform(0.3, 1.5) * (kind > 0))
    direction = rng.uniform(-4, 4)
    wanted = rng.choice([-0.3, -1e-3, 0.0, 5e-7])
    near, far = 0.0, 20.0
    while far - near > 1e-9:
        middle = (near + far) / 2
        near, far = (near, middle) if plain_gap(a, shifted(b, direction, middle)) > wanted else (middle, far)
    return a, shifted(b, direction, far)


@pytest.mark.parametrize("kind", range(5))
def test_pushed_at_each_other(kind: int) -> None:
    rng = np.random.default_rng(kind)
    pairs = [slid(rng, kind) for _ in range(16)]
    pairs = [(a.moved(*place), b.moved(*place)) for a, b in pairs for place in ROUND_TABLE[::3]]
    wanted = [(plain_facing(a, b), plain_facing(b, a)) for a, b in pairs]
    assert found(pairs) == wanted
    assert {1, 2, 4, 8} <= {own for own, _ in wanted}


def test_scalars() -> None:
    rng = np.random.default_rng(0)
    slants = 0
    for i in range(60):
        a, b = slid(rng, i % 5)
        gap = gap_of(a.numbers, b.numbers)
        assert math.isclose(gap, plain_gap(a, b), abs_tol=1e-12)
        assert facing_of(a.numbers, b.numbers, gap, TOL) == plain_facing(a, b)
        assert facing_of(b.numbers, a.numbers, gap, TOL) == plain_facing(b, a)
        if i % 5 and (beyond(a, b) < gap - TOL).all():
            # where b's core is not square to a corner, lines from there to it run that way
            slants += 1
            near, far = shapely.get_coordinates(shapely.shortest_line(a.core, b.core))
            way = a.normals[:2] @ (far - near)
            ahead, left = a.normals[:2] @ np.subtract([b.x, b.y], [a.x, a.y])
            turn = b.heading - a.heading
            sizes = a.along, a.across, b.along, b.across, b.radius
            x, y = slanting(ahead, left, math.cos(turn), math.sin(turn), *sizes, gap - TOL)
            assert np.allclose(np.array([x, y]) / math.hypot(x, y), way / np.linalg.norm(way), atol=1e-5)
    assert slants > 5


def test_models_touch_as_their_bases_do() -> None:
    rng = np.random.default_rng(1)
    captain = Attached("captain", (40, 40))
    board = Board(
        [
            Unit("spears", (20, 20), models=14, files=5, attached=[captain]),
            Unit("riders", (25, 50), models=5, files=4, attached=[Attached("chariot", (50, 100))], side=1),
            Unit("gun", 60, shape="round", side=2),
        ]
    )
    n = 12
    # most around the left flank of the spears, near enough to touch
    positions = np.zeros((n, 3, 3))
    positions[:, 1, :2] = rng.uniform([-2.5, 0.5], [1.0, 3.5], (n, 2))
    positions[:, 1, 2] = rng.choice([2.5, 4.0], n)
    # half of them with edges flush and corners at corners
    positions[::2, 1] = np.round(positions[::2, 1] * 2.54) / 2.54
    positions[::2, 1, 2] = rng.integers(0, 4, n // 2) * (math.pi / 2)
    models = Models.of(board)
    living = rng.random((n, board.n_models)) < 0.8
    bases, living = board.bases(positions, living)
    boundaries = np.ascontiguousarray(board.boundaries(positions, living)._columns)
    size = int(models.counts[0] * models.counts[1])
    engaged = rng.choice([1, 3, 10, 15], (2, n))
    pairs = np.array([[i, 0, 1, i * size, *engaged[:, i]] for i in range(n)] + [[0, 0, 2, n * size, 15, 15]])
    codes = np.zeros(n * size + int(models.counts[0]), np.uint16)
    limits = np.stack([models.first, models.last])
    scratch = np.empty(board.n_models, np.bool_)
    rows = pairs.T.copy()
    model_touches(rows, positions, boundaries, models.slots, living, limits, TOL, scratch, codes)
    assert not codes[n * size :].any()
    i, j = (np.arange(models.first[u], models.last[u]) for u in (0, 1))
    touches = 0
    for state in range(n):
        own, its = np.repeat(i, len(j)), np.tile(j, len(i))
        columns = [np.ascontiguousarray(bases._columns[:, state, which])[:, None] for which in (own, its)]
        flags = np.empty((2, len(own)), np.uint8)
        facings(*columns, TOL, flags)
        kept = flags & engaged[:, state, None]
        kept = np.where(kept, kept, engaged[:, state, None]).astype(np.int64)
        wanted = np.where(flags[0] > 0, TOUCH + 16 * kept[0] + 256 * kept[1], 0)
        wanted *= living[state, own] & living[state, its]
        np.testing.assert_array_equal(codes[state * size : (state + 1) * size], wanted)
        touches += np.count_nonzero(wanted)
    assert touches > 30
