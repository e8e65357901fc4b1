"""Models placed in frames, and contacts across gaps that are known, on looks made by hand."""

from __future__ import annotations

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Unit
from ninthgeom.board import Attached
from ninthgeom.t9a._melee import Models
from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RADIUS, RIGHT_END, RIM, TOP
from ninthgeom_kernel.gap_contacts import gap_contacts
from ninthgeom_kernel.opposite_models import opposite_models
from ninthgeom_kernel.placed_models import placed_models
from tests.reference.lines_ahead import FIRST, TOL, Shape, box, tables, tilted


def test_placed_models_are_those_of_the_board() -> None:
    rng = np.random.default_rng(0)
    attached = [Attached("hero", (50, 50)), Attached("mage", (30, 30))]
    board = Board(
        [
            Unit("riders", (25, 50), models=7, files=4, attached=attached),
            Unit("gun", 60, shape="round"),
            Unit("boat", (60, 100), shape="oval"),
            Unit("hounds", (25, 50), models=5, files=3, formation="skirmish"),
        ]
    )
    models = Models.of(board)
    positions = np.concatenate([rng.uniform(0, 50, (2, 4, 2)), rng.uniform(-4, 4, (2, 4, 1))], axis=2)
    living = rng.random((2, board.n_models)) < 0.7
    bases, _ = board.bases(positions, living)
    for state, row in ((1, 1), (0, 0), (1, 0)):
        order = np.array([2, 0, 3, 1])
        ends = np.cumsum(models.counts[order])
        start = 3 + ends - models.counts[order]
        units = np.stack([np.full(4, row), models.first[order], models.last[order], start])
        x, y, heading = positions[state, order].T
        rims = rng.uniform(-1, 1, 4)
        frames = np.stack([x, y, np.cos(heading), np.sin(heading), rims])
        shapes, limits = np.full((2, 3 + ends[-1], 6), 99.0), np.full((6, 3 + ends[-1]), 99.0)
        placed_models(units, frames, models.slots, living, shapes, limits)
        assert (shapes[:, :3] == 99.0).all()
        assert (limits[:, :3] == 99.0).all()
        slots = np.concatenate([np.arange(models.first[u], models.last[u]) for u in order])
        assert (limits[CORNERS, 3:] == np.where(living[row, slots], 4, 0)).all()
        assert (limits[RIM, 3:] == np.repeat(rims, models.counts[order])).all()
        for slot, corners, (left, right, top, radius) in zip(
            slots,
            np.moveaxis(shapes[:, 3:, :4], 0, 2),
            limits[[LEFT_END, RIGHT_END, TOP, RADIUS], 3:].T,
            strict=True,
        ):
            base = bases[state, slot]
            assert radius == base.radius
            core = shapely.convex_hull(shapely.multipoints(corners))
            ground = core.buffer(radius, quad_segs=256) if radius else core
            assert shapely.hausdorff_distance(ground, base.to_shapely()) < 5e-3 * (radius > 0) + 1e-12
            if not radius:
                # front left, rear left, rear right, front right
                forward, aside = corners[0] - corners[1], corners[0] - corners[3]
                assert np.allclose(
                    forward, base.depth * np.array([np.cos(base.heading), np.sin(base.heading)])
                )
                assert np.allclose(
                    aside, base.width * np.array([-np.sin(base.heading), np.cos(base.heading)])
                )
            reach = np.array([*corners.min(axis=0), *corners.max(axis=0)]) + radius * np.array([-1, -1, 1, 1])
            assert np.allclose([left, right, top], reach[[0, 2, 3]], rtol=0, atol=1e-12)


GAP, ROUND, TOUCH = 2, 3, 1


def look(
    own: list[Shape],
    its: list[Shape],
    others: list[Shape],
    *,
    edge: int = 2,
    code: int = GAP + 16 + 256 * 4,
    covered: tuple[int, ...] = (),
    dead: tuple[int, ...] = (),
    known: dict[tuple[int, int], int] | None = None,
    inner: float = 0.0,
    is_back: bool = False,
) -> dict[tuple[int, int], int]:
    """Codes of a look from models of one unit to those of another; the shapes stand after two of no look."""
    shapes, limits = tables([box(-99, 99, 0.3, 0.4)] * 2 + own + its + others)
    n, m = len(own), len(its)
    mask = np.zeros(5 + n + m, np.bool_)
    for k in covered:
        mask[5 + k] = True
    for k in dead:
        limits[CORNERS, 2 + k] = 0.0
    strides = (1, n) if is_back else (m, 1)
    codes = np.zeros(1 + n * m, np.uint16)
    for (i, j), value in (known or {}).items():
        codes[1 + i * strides[0] + j * strides[1]] = value
    edges = np.cumsum([2, n, m, len(others)])
    rows = np.array([[*edges, edge, 1, *strides, 5]]).T.copy()
    pairs, spans, count = np.zeros((4, n * m), np.int64), np.zeros((2, n * m)), np.zeros(1, np.int64)
    assert opposite_models(rows, shapes, limits, mask, codes, inner, TOL, pairs, spans, count)
    (found,) = count
    if found:  # too little room is told, with how much it takes
        assert not opposite_models(
            rows, shapes, limits, mask, codes, inner, TOL, pairs[:, 1:found].copy(), spans, count
        )
        assert count == found
    pairs, spans = pairs[:, :found].copy(), spans[:, :found].copy()
    gap_contacts(rows, pairs, spans, np.array([code]), shapes, limits, TOL, codes)
    assert codes[0] == 0
    grid = codes[1:].reshape(m, n).T if is_back else codes[1:].reshape(n, m)
    return {(i, j): int(grid[i, j]) for i, j in np.argwhere(grid).tolist()}


# Attackers from below, and the rear of a unit whose last rank is one model: a square of it is an inch.
ATTACKERS = [box(x, x + 1, -1, 0) for x in (0.75, 1.75, 2.75, 5.0)]
REAR_MODEL, *RANK = [box(1, 2, 0, 1), *(box(x, x + 1, 1, 2) for x in range(5))]
TOUCHES = {(0, 0): TOUCH + 16 + 256 * 4, (1, 0): TOUCH + 16 + 256 * 4}


@pytest.mark.parametrize("is_back", [False, True])
def test_a_look_at_the_rear_of_a_unit(is_back: bool) -> None:
    # slots of the rear: the one model, then the rank before it, its second model covered by that one
    its = [REAR_MODEL, *RANK]
    wanted = {**TOUCHES, (0, 1): 0, (1, 3): 0, (2, 3): 0, (2, 4): 0, (3, 5): 0}
    wanted = {pair: value or GAP + 16 + 256 * 4 for pair, value in wanted.items()}
    # slot numbers count those of both units
    assert look(ATTACKERS, its, [], covered=(4 + 2,), known=TOUCHES, is_back=is_back) == wanted
    # the covered model would be reached along the seams beside the one that covers it
    with_seams = look(ATTACKERS, its, [], known=TOUCHES, is_back=is_back)
    assert set(with_seams) - set(wanted) == {(0, 2), (1, 2)}
    # where an attacker's edge is covered he reaches nobody; the dead are not there and stop nobody
    assert set(look(ATTACKERS, its, [], covered=(2, 6), known=TOUCHES)) == set(wanted) - {(2, 3), (2, 4)}
    reached = look(ATTACKERS, its, [], dead=(2, 4), known=TOUCHES)
    assert set(reached) == {(0, 0), (1, 0), (0, 1), (0, 2), (1, 2), (1, 3), (3, 5)}
    # what else stands there
    wall = box(-2, 2.5, 0.4, 0.6)
    assert set(look(ATTACKERS, its, [wall], covered=(6,), known=TOUCHES)) == set(wanted) - {(0, 1)}
    wall = box(-2, 9, 0.4, 0.6)
    assert look(ATTACKERS, its, [wall], covered=(6,), known=TOUCHES) == TOUCHES


def test_a_look_adds_its_facings() -> None:
    known = {(0, 0): GAP + 16 * 2 + 256 * 8}
    target = box(-2, 2, 2, 3)
    assert look([FIRST], [target], [], known=known) == {(0, 0): GAP + 16 * 3 + 256 * 12}
    assert look([FIRST], [target], [box(-2, 2, 1, 1.2)], known=known) == known


@pytest.mark.parametrize(
    ("target", "is_met"),
    [
        (box(0.9, 3, 1, 2), True),
        (box(1.0, 3, 1, 2), True),
        (box(1.0 + 9e-7, 3, 1, 2), True),
        (box(1.0 + 2e-6, 3, 1, 2), False),
        # no nearer than the edge that looks
        (box(-1, 1, -9e-7, 2), True),
        (box(-1, 1, -2e-6, 2), False),
        # only the part of it that its edge is of: the other edge of a corner does not count
        (tilted(0.5, 2.5, -0.3, 1.0, 1.0), True),
        (tilted(1.6, 2.5, -0.5, 0.5, 0.5), True),
        (tilted(1.6, 2.5, 0.5, 0.5, 0.5), False),
        (tilted(-1.8, 2.5, 0.5, 0.5, 0.5), True),
        (tilted(-1.8, 2.5, -0.5, 0.5, 0.5), False),
    ],
)
def test_ends_of_edges(target: Shape, is_met: bool) -> None:
    assert bool(look([FIRST], [target], [])) == is_met


def test_round_bases_ahead() -> None:
    # five files, and a disc as wide as three that touches the middle one
    files = [box(x - 0.5, x + 0.5, -1, 0) for x in range(-2, 3)]
    disc = Shape(np.array([[0.0], [1.5]]), 1.5)
    code = ROUND + 16 * 2 + 256
    how = {"edge": -1, "code": code}
    inner = {(i, 0): code for i in (1, 2, 3)}
    assert look(files, [disc], [], inner=2 * TOL, **how) == inner
    assert look(files, [disc], [], **how) == {(i, 0): code for i in range(5)}
    # in one that overlaps nobody is less in contact, and who is behind it is not
    assert look(files, [Shape(disc.corners - [[0.0], [0.5]], 1.5)], [], inner=2 * TOL, **how) == inner
    assert look(files, [Shape(disc.corners - [[0.0], [4.0]], 1.5)], [], inner=2 * TOL, **how) == {}
    # somebody between hides one file, or what of it is before the disc
    small = box(-1.4, -0.4, 0.05, 0.1)
    assert set(look(files, [disc], [small], inner=2 * TOL, **how)) == {(2, 0), (3, 0), (1, 0)}
    small = box(-1.5, -0.4, 0.05, 0.1)
    assert set(look(files, [disc], [small], inner=2 * TOL, **how)) == {(2, 0), (3, 0)}
