"""Sight on random boards against the slow computation of `board_sight_reference`.

Units, single models and ground points, looking and being looked at, under both editions and random rules.
Only answers that stay under small changes are compared.
"""

from __future__ import annotations

from collections import Counter
from copy import copy
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom import Attached, Board, Terrain, Unit, t9a
from tests.reference.board_sight_reference import State

SIZES = [(20, 20), (25, 25), (25, 50), (40, 40)]
N_STATES = 3
N_POINTS = 6


@dataclass
class Case:
    """A board with some states, the rules, and points of the ground."""

    board: Any
    positions: Any
    present: Any
    occupied: Any
    rules: Any
    points: Any

    @property
    def masks(self) -> dict[str, Any]:
        return {"present": self.present, "occupied": self.occupied, "rules": self.rules}


def maybe(rng: np.random.Generator, share: float) -> bool:
    return bool(rng.random() < share)


def random_rules(rng: np.random.Generator) -> Any:
    kind = rng.integers(4)
    if kind < 2:
        return (t9a.THIRD_EDITION, t9a.SECOND_EDITION)[kind]
    return t9a.Rules(
        los_height_op=(">=", ">")[int(maybe(rng, 0.3))],
        touching=("clear", "blocked")[rng.integers(2)],
        boundary_blocks=maybe(rng, 0.5),
        point_height=int(rng.integers(0, 4)),
        elevated=("fully", "centre")[rng.integers(2)],
        opaque_exempt=("inside", "touch")[rng.integers(2)],
        skirmish_blocks=maybe(rng, 0.5),
        tall_exempt=maybe(rng, 0.7),
    )


def random_height(rng: np.random.Generator) -> int:
    return int(rng.choice(6, p=[0.05, 0.4, 0.25, 0.2, 0.07, 0.03]))


def random_unit(rng: np.random.Generator, name: str) -> Unit:
    """Ranks, sometimes loose, with characters in them and beside them; single, round and oval bases."""
    height, tall = random_height(rng), maybe(rng, 0.2)
    kind = rng.random()
    if kind < 0.12:
        return Unit(name, float(rng.choice([40, 60, 75])), shape="round", height=height, tall=tall)
    if kind < 0.2:
        sides = (60, 35) if maybe(rng, 0.5) else (40, 100)
        return Unit(name, sides, shape="oval", height=height, tall=tall)
    if kind < 0.35:
        base = [(50, 75), (100, 60), (50, 100), (200, 20)][rng.integers(4)]
        return Unit(name, base, height=height, tall=tall)
    base = SIZES[rng.integers(len(SIZES))]
    files = int(rng.integers(2, 5))
    attached = []
    cells = {(rank, file) for rank in range(4) for file in range(files)}
    for i in range(rng.integers(0, 3)):
        own = {"height": random_height(rng), "tall": maybe(rng, 0.3)}
        wide, deep = rng.choice([1, 1, 2], 2).tolist()
        rank, file = int(rng.integers(2)), int(rng.integers(files - wide + 1))
        block = {(rank + r, file + f) for r in range(deep) for f in range(wide)}
        if maybe(rng, 0.75) and block <= cells:
            cells -= block
            place = rank, file
            attached.append(Attached(f"c{i}", (base[0] * wide, base[1] * deep), place=place, **own))
        else:  # does not match, so it stands at a side; a long one may reach far behind
            attached.append(Attached(f"c{i}", (base[0] * 1.3, base[1] * 0.8 + 25 * i), **own))
    options: dict[str, Any] = {
        "files": files,
        "models": files + int(rng.integers(0, 5)),
        "height": height,
        "tall": tall,
        "attached": attached,
        "formation": "skirmish" if maybe(rng, 0.25) else "ranked",
    }
    whole = Unit(name, base, **options)
    if maybe(rng, 0.7):
        return whole
    holes = rng.permutation(whole.n_slots - len(attached)) < whole.models
    return Unit(name, base, occupied=holes.tolist(), **options)


def star(rng: np.random.Generator, x: float, y: float, radius: float) -> Any:
    """Outline round a point, convex or not."""
    angles = np.linspace(0, 2 * np.pi, rng.integers(4, 8), endpoint=False) + rng.uniform(0, 2 * np.pi)
    radii = radius * (rng.uniform(0.4, 1.0, len(angles)) if maybe(rng, 0.4) else np.ones(len(angles)))
    return np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])


def random_terrain(rng: np.random.Generator, places: Any) -> Terrain:
    """A feature on a unit, or anywhere."""
    kind = ("hill", "hill", "hill", "hill", "impassable", "forest", "ruin")[rng.integers(7)]
    if maybe(rng, 0.6):
        x, y = places[rng.integers(len(places))] + rng.normal(0, 1.5, 2)
    else:
        x, y = rng.uniform(18, 36, 2)
    height = int(rng.integers(0, 6)) if maybe(rng, 0.3) else None
    opaque = maybe(rng, 0.9) if kind == "ruin" else None
    radius = rng.uniform(0.5, 2.0) if kind == "impassable" else rng.uniform(1.0, 4.0)
    return Terrain(star(rng, x, y, radius), kind=kind, height=height, opaque=opaque)


def random_case(rng: np.random.Generator) -> Case:
    """Units all over the place, in two lines, with a screen between the sides, or on a grid."""
    theme = rng.choice(["scattered", "lines", "screen", "grid"], p=[0.2, 0.15, 0.5, 0.15])
    units = screened_units(rng) if theme == "screen" else [random_unit(rng, f"u{i}") for i in range(5)]
    if theme != "screen":
        units = units[: rng.integers(3, 6)]
    positions = np.stack([PLACES[theme](rng, units) for _ in range(N_STATES)])
    turn = rng.uniform(0, 2 * np.pi)
    positions = np.stack(
        [
            27 + positions[..., 0] * np.cos(turn) - positions[..., 1] * np.sin(turn),
            27 + positions[..., 0] * np.sin(turn) + positions[..., 1] * np.cos(turn),
            positions[..., 2] + turn,
        ],
        axis=-1,
    )
    terrain = [random_terrain(rng, positions[0, :, :2]) for _ in range(rng.integers(0, 4))]
    board = Board(units, terrain)
    living = rng.random((N_STATES, board.n_models)) < rng.choice([0.3, 0.6, 0.9], (N_STATES, 1))
    points = np.where(
        rng.random((N_STATES, N_POINTS, 1)) < 0.3,
        rng.uniform(18, 36, (N_STATES, N_POINTS, 2)),
        positions[:, rng.integers(0, len(units), N_POINTS), :2] + rng.normal(0, 2, (N_STATES, N_POINTS, 2)),
    )
    return Case(
        board,
        positions,
        rng.random((N_STATES, len(units))) < 0.9 if maybe(rng, 0.5) else None,
        board.occupied & living if maybe(rng, 0.8) else None,
        random_rules(rng),
        points,
    )


def scattered(rng: np.random.Generator, units: list[Unit]) -> Any:
    """Most of them face the middle."""
    around, far = rng.uniform(0, 2 * np.pi, len(units)), rng.uniform(1, 8, len(units))
    headings = around + np.pi + rng.normal(0, 0.6, len(units))
    return np.column_stack([far * np.cos(around), far * np.sin(around), headings])


def lines(rng: np.random.Generator, units: list[Unit]) -> Any:
    """Two battle lines, with gaps of a few millimetres between some of them."""
    positions = np.empty((len(units), 3))
    for row, members in enumerate(np.array_split(rng.permutation(len(units)), 2)):
        x = -4.0 + rng.normal(0, 2)
        for u in members:
            x += 3.0 + rng.choice([0.04, 0.2, 1.5])
            heading = (np.pi / 2, -np.pi / 2)[row] + rng.normal(0, 0.05)
            positions[u] = x, -3 + 6 * row + rng.normal(0, 1), heading
    return positions


def screened_units(rng: np.random.Generator) -> list[Unit]:
    """One or two on either side, which come first and last, and two or three wide ones for the middle."""
    sides = [random_unit(rng, f"s{i}") for i in range(rng.integers(2, 4))]
    screen = [wide_unit(rng, f"w{i}") for i in range(rng.integers(2, 4))]
    return [sides[0], *screen, *sides[1:]]


def wide_unit(rng: np.random.Generator, name: str) -> Unit:
    """A unit whose heights are near each other, in which characters may come to be the majority."""
    base = SIZES[rng.integers(2)]
    files, ranks = int(rng.integers(5, 9)), int(rng.integers(1, 3))
    heights = rng.integers(1, 4, 2)
    cells = [(0, file) for file in rng.permutation(files)[: rng.integers(0, 4)].tolist()]
    attached = [
        Attached(f"c{i}", base, place=cell, height=int(heights[int(maybe(rng, 0.7))]), tall=maybe(rng, 0.4))
        for i, cell in enumerate(cells)
    ]
    return Unit(
        name,
        base,
        models=max(1, files * ranks - len(cells) - int(rng.integers(0, 3))),
        files=files,
        height=int(heights[0]),
        tall=maybe(rng, 0.3),
        attached=attached,
        formation="skirmish" if maybe(rng, 0.2) else "ranked",
    )


def screen(rng: np.random.Generator, units: list[Unit]) -> Any:
    """The sides face each other across a row that leaves slits, or none; sometimes flush and in contact."""
    noise, gaps = (0.0, [0.0, 0.0, 0.04]) if maybe(rng, 0.3) else (1.0, [-0.1, 0.04, 0.3])
    positions = np.empty((len(units), 3))
    middle = [u for u, unit in enumerate(units) if unit.name.startswith("w")]
    widths = [units[u].files * units[u].base_mm[0] / 25.4 for u in middle]
    x = -sum(widths) / 2 + rng.normal(0, 1.0)
    for u, width in zip(middle, widths, strict=True):
        heading = np.pi / 2 * rng.choice([-1, 1]) + noise * rng.normal(0, 0.03)
        positions[u] = x + width / 2, noise * rng.normal(0, 0.3), heading
        x += width + rng.choice(gaps)
    for u in set(range(len(units))) - set(middle):
        side = -1 if u == 0 else 1
        positions[u] = rng.normal(0, 1.5), side * rng.uniform(2, 5), -side * np.pi / 2 + rng.normal(0, 0.1)
    return positions


def grid(rng: np.random.Generator, units: list[Unit]) -> Any:
    """Everything in steps of a centimetre, headings too: corners, edges and seams lie in one line."""
    places = rng.integers(-12, 13, (len(units), 2)) * 10 / 25.4
    return np.column_stack([places, rng.integers(4, size=len(units)) * np.pi / 2])


PLACES = {"scattered": scattered, "lines": lines, "screen": screen, "grid": grid}


def dense(rows: Any, n_targets: int, n_models: int) -> Any:
    """Rows as an array of states, models and targets."""
    answer = np.zeros((N_STATES, n_models, n_targets), dtype=bool)
    answer[rows.state, rows.model, rows.target] = True
    assert answer.sum() == len(rows)  # no row twice
    return answer


def answers(case: Case) -> dict[str, Any]:
    """What the library says, under the names that the questions have in the reference."""
    board, everyone = case.board, (case.board, case.positions)
    models = np.arange(board.n_models)
    return {
        "unit_sees_unit": t9a.line_of_sight(*everyone, **case.masks),
        "model_sees_unit": dense(t9a.models_see(*everyone, **case.masks), len(board), len(models)),
        "model_sees_model": dense(
            t9a.models_see(*everyone, target_models=models, **case.masks), len(models), len(models)
        ),
        "unit_sees_point": t9a.sees_points(*everyone, case.points, **case.masks),
        "point_sees_unit": t9a.seen_from_points(*everyone, case.points, **case.masks),
    }


def arguments(case: Case, state: int, question: str, i: int, j: int) -> tuple[Any, ...]:
    if question == "unit_sees_point":
        return i, case.points[state, j]
    return (case.points[state, i], j) if question == "point_sees_unit" else (i, j)


def is_asked(case: Case, question: str, i: int, j: int) -> bool:
    """Nobody asks about models of one's own unit; a unit and itself has the answer False."""
    own = case.board.model_unit
    if question == "model_sees_unit":
        return own[i] != j
    return question != "model_sees_model" or own[i] != own[j]


def is_there(state: State, question: str, i: int, j: int) -> bool:
    """Whether both who looks and who is looked at are on the table; points always are."""
    looks = {"m": state.eyes, "u": state.boundaries}.get(question[0])
    looked_at = {"l": state.models, "t": state.boundaries}[question[-1]] if question[-4:] != "oint" else None
    return (looks is None or i in looks) and (looked_at is None or j in looked_at)


def case_states(case: Case) -> list[State]:
    """The states of a case for the slow computation."""
    masks = [[None] * N_STATES if mask is None else mask for mask in (case.present, case.occupied)]
    return [
        State(case.board, case.positions[s], case.rules, masks[0][s], masks[1][s]) for s in range(N_STATES)
    ]


def compare(seed: int, n_boards: int, n_each: int) -> Counter[Any]:
    """Compare about `n_each` questions of each kind on each of so many boards; count the answers.

    Half of them the library answers with seen, and nine in ten are about something in the arc: else most
    would be about the arc alone.
    """
    count: Counter[Any] = Counter()
    for board in range(n_boards):
        rng = np.random.default_rng([seed, board])
        case = random_case(rng)
        found = answers(case)
        states = case_states(case)
        clear = [copy(state) for state in states]
        for state in clear:
            state.obstacles = []
        for question, answer in found.items():
            places = []
            for s, i, j in np.ndindex(answer.shape):
                is_own = question == "model_sees_unit" and case.board.model_unit[i] == j
                if is_own or not is_there(states[s], question, i, j):
                    assert not answer[s, i, j], (question, s, i, j, board, seed)
                elif is_asked(case, question, i, j):
                    places.append((s, i, j))
            asked: Counter[bool] = Counter()
            for k in rng.permutation(len(places)):
                s, i, j = places[k]
                about = arguments(case, s, question, i, j)
                got = bool(answer[s, i, j])
                if asked[got] >= n_each / 2 or (
                    rng.random() < 0.9 and not getattr(clear[s], question)(*about, 1)
                ):
                    continue
                asked[got] += 1
                expected = states[s].robust(question, *about)
                if expected is None:
                    count["not robust"] += 1
                    continue
                count[question, expected] += 1
                assert got == expected, (
                    f"{question} {i} {j} in state {s} of board {board}, seed {seed}: got {got}, {case.rules}"
                )
    return count


QUESTIONS = ["unit_sees_unit", "model_sees_unit", "model_sees_model", "unit_sees_point", "point_sees_unit"]


def check(count: Counter[Any]) -> None:
    """Enough was compared, and both answers came up often enough."""
    compared = sum(count.values()) - count["not robust"]
    assert count["not robust"] < 0.03 * compared, count
    for question in QUESTIONS:
        seen, hidden = count[question, True], count[question, False]
        assert min(seen, hidden) > 0.05 * (seen + hidden), count


def test_random_boards():
    check(compare(seed=1, n_boards=50, n_each=15))


def sampled_lines(rng: np.random.Generator, eye: Any, aim: Any, n: int) -> Any:
    """Some lines from the eye to the aim that are in the arc, shape (m, 2, 2)."""
    ends = []
    for party in (eye, aim):
        shape = party.shape
        weights = rng.dirichlet(np.full(len(shape.core), 0.5), n)
        angle = rng.uniform(0, 2 * np.pi, n)
        reach = shape.radius * np.sqrt(rng.random(n))
        circle = reach[:, None] * np.stack([np.cos(angle), np.sin(angle)], -1)
        ends.append(weights @ np.array(shape.core) + circle)
    lines = np.stack(ends, axis=1)
    if eye.heading is None:
        return lines
    ahead = np.array([np.cos(eye.heading), np.sin(eye.heading)])
    along = (lines[:, 1] - lines[:, 0]) @ ahead
    aside = (lines[:, 1] - lines[:, 0]) @ [-ahead[1], ahead[0]]
    return lines[np.abs(aside) <= along]


def free_lines(state: State, eye: Any, aim: Any, lines: Any) -> Any:
    """Which lines nothing blocks, by the rules line by line; a few that graze are left out."""
    paths = shapely.linestrings(lines)
    free = np.ones(len(lines), bool)
    for obstacle in state.obstacles:
        if state._counts(obstacle, eye, aim):
            outlines = [piece.outline(circumscribed=True) for piece in obstacle.pieces]
            whole = shapely.union_all(shapely.buffer(outlines, 1e-4))
            blocked = shapely.intersects(whole, paths)
            if obstacle.terrain in state.see_out:
                hill = state.see_out[obstacle.terrain].buffer(-1e-3)
                blocked &= ~shapely.intersects_xy(hill, lines[:, 0]) & ~shapely.intersects_xy(
                    hill, lines[:, 1]
                )
            free &= ~blocked
    return free


def test_reference_against_sampled_lines():
    """Where the rules leave a sampled line free, the reference finds one; mostly the other way round too."""
    found = missed = 0
    for board in range(40):
        rng = np.random.default_rng([3, board])
        case = random_case(rng)
        state = case_states(case)[0]
        pairs = [(i, u) for i, eye in state.eyes.items() for u in state.boundaries if eye.unit != u]
        for k in rng.permutation(len(pairs))[:6]:
            model, unit = pairs[k]
            eye = state.eyes[model]
            sampled = False
            for aim in state._aims(unit):
                lines = sampled_lines(rng, eye, aim, 400)
                sampled |= bool(free_lines(state, eye, aim, lines).any())
            expected = state.model_sees_unit(model, unit)
            assert expected or not sampled, (board, model, unit)
            found += expected and sampled
            missed += expected and not sampled
    assert missed < 0.1 * found, (found, missed)


@pytest.mark.verify
def test_many_random_boards():
    count = compare(seed=2, n_boards=3000, n_each=20)
    print(dict(count))
    check(count)
