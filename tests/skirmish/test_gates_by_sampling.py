"""Closed gaps of crowded scenes against dense sampling, and each of them by what makes a gap."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import TOLERANCE, Bases
from ninthgeom.skirmish._obstacles import Obstacles
from tests.skirmish.coherency_oracle import Scene, random_scene
from tests.skirmish.gap_sampling import HAIR, gaps, outlines

SCENES, OFTEN = 6, 12
MANY = 300


def found_by_library(scene: Scene, counts: Any, width: Any) -> Any:
    board = scene.board
    columns = board._boundaries(scene.positions, None)._columns
    obstacles = Obstacles.of(board, None, columns, TOLERANCE)
    return obstacles.gates(np.arange(len(counts)), counts, width, None)


def feet(columns: Any) -> Any:
    """Ends of the middle lines of gates, (n, 2, 2)."""
    x, y, cos, sin, along = (columns[k] for k in _ROWS)
    step = np.stack([along * cos, along * sin], axis=-1)
    middle = np.stack([x, y], axis=-1)
    return np.stack([middle - step, middle + step], axis=1)


def _rows() -> tuple[int, ...]:
    from ninthgeom import bases

    return tuple(getattr(bases, name) for name in ("X", "Y", "COS", "SIN", "ALONG", "ACROSS"))


*_ROWS, ACROSS = _rows()


def compare(seed: int, tally: Counter[str], wrong: list[str]) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 1)
    counts = scene.present & (scene.board.group != rng.integers(4))
    width = rng.choice([1.0, 3.0], 1)
    gates = found_by_library(scene, counts, width)
    ends, breadth = feet(gates.columns), 2 * gates.columns[ACROSS]
    pairs = [tuple(sorted(pair)) for pair in zip(gates.first.tolist(), gates.second.tolist(), strict=True)]
    areas = [_area(gates.columns[:, k], TOLERANCE) for k in range(len(pairs))]
    expected = gaps(scene.board, scene.positions[0], counts[0], float(width[0]))
    where = f"seed {seed}, width {width[0]}"
    for gap in expected:
        tally["gaps"] += 1
        tally["within one piece"] += gap.first == gap.second
        feet_here = shapely.points(gap.ends)
        met = [
            k
            for k, pair in enumerate(pairs)
            if pair == (gap.first, gap.second)
            and abs(gates.width[k] - gap.length) < 1e-4
            and (shapely.distance(areas[k], feet_here) < 1e-3).all()
        ]
        if not met:
            tally["hairs"] += gap.hair
            if not gap.hair:
                wrong.append(f"{where}: no gate for {gap}")
    pieces = outlines(scene.board, scene.positions[0], counts[0])
    for k, pair in enumerate(pairs):
        tally["gates"] += 1
        tally["broad"] += breadth[k] > 4 * TOLERANCE
        if gates.width[k] <= HAIR:
            continue
        fault = _fault(pieces, pair, ends[k], float(gates.width[k]), float(width[0]))
        if fault:
            wrong.append(f"{where}: gate {pair} {ends[k].tolist()} is {fault}")


def _area(columns: Any, tol: float) -> Any:
    # A line has no area; grown a little it has.
    x, y, cos, sin, along, across = (columns[k] for k in (*_ROWS, ACROSS))
    forward, aside = np.array([cos, sin]) * along, np.array([-sin, cos]) * max(across, tol)
    corners = [np.array([x, y]) + s * forward + t * aside for s, t in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
    return shapely.Polygon(corners)


def _fault(pieces: Any, pair: tuple[int, int], ends: Any, length: float, width: float) -> str:
    """Say what is wrong with a gate, if anything is."""
    if length >= width - TOLERANCE + 1e-9:
        return "wide enough"
    if abs(np.hypot(*(ends[1] - ends[0])) - length) > 1e-6:
        return "not as long as it says"
    way = (ends[1] - ends[0]) / length
    line = shapely.LineString([ends[0] + 2e-6 * way, ends[1] - 2e-6 * way])
    for number, piece in pieces.items():
        if piece.inside(line, HAIR):
            return f"inside piece {number}"
    # Of the two numbers either may be that of the first foot.
    for order in (pair, pair[::-1]):
        at = [_nearest(pieces[number], foot) for number, foot in zip(order, ends, strict=True)]
        gap = [
            np.hypot(*(pieces[n].at(np.array([s]))[0] - e)) for n, s, e in zip(order, at, ends, strict=True)
        ]
        if max(gap) > 1e-5:
            continue
        shifts = np.linspace(-2e-3, 2e-3, 41)
        one = pieces[order[0]].at(at[0] + shifts)
        other = pieces[order[1]].at(at[1] + shifts)
        shortest = np.hypot(*np.moveaxis(one[:, None] - other, -1, 0)).min()
        if shortest < length - 1e-7:
            return f"not the shortest: {shortest} against {length}"
        return ""
    return "not between the two"


def _nearest(piece: Any, point: Any) -> float:
    s = piece.samples()
    step = 0.06
    best = float(s[np.hypot(*(piece.at(s) - point).T).argmin()])
    while step > 1e-10:
        tried = best + step * np.arange(-10, 11) / 10
        best = float(tried[np.hypot(*(piece.at(tried) - point).T).argmin()])
        step /= 5
    return best


def test_gates_are_the_gaps_that_sampling_finds() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(SCENES):
        compare(seed, tally, wrong)
    assert not wrong, "\n".join(wrong[:8])
    assert tally["gaps"] > 5 * SCENES
    # On the grid pieces overlap and are flush, and lines run along them.
    assert tally["hairs"] < 0.05 * tally["gaps"]


@pytest.mark.verify
def test_many_gates_are_the_gaps_that_sampling_finds() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in (*range(OFTEN), *range(1000, 1000 + MANY)):
        compare(seed, tally, wrong)
    print(f"\nseeds 0 to {OFTEN - 1}, 1000 to {1000 + MANY - 1}: {dict(tally)}")
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:8]])


def test_sampling_knows_a_gap_between_two_discs_when_it_sees_one() -> None:
    from tests.skirmish.gap_sampling import Outline, bottoms

    one, other = Outline.base(0, 0, 0, 2, 2), Outline.base(3.0, 4.0, 1, 2, 2)
    (ends,) = bottoms(one, other, 4.0, same=False)
    assert ends == pytest.approx(np.array([(0.6, 0.8), (2.4, 3.2)]), abs=1e-3)
    oval = Outline.base(0, 0, 0.7, 1.0, 3.0)
    assert oval.length == pytest.approx(np.pi + 4)
    bases = Bases.oval(0, 0, 0.7, width=1.0, depth=3.0).to_shapely()
    points = shapely.points(oval.at(oval.samples()))
    assert shapely.distance(shapely.boundary(bases), points).max() < 0.01
