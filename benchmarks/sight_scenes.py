"""Battles of which `bench_sight` asks who sees whom."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Self

import numpy as np

import ninthgeom
from ninthgeom import Attached, Board, Polygons, Scene, Terrain, Unit, armies, samplers, t9a

UNITS_PER_SIDE = 12
TERRAIN = 8
SIZE = (72.0, 48.0)
# Tournament lists and who met whom, where they stand beside the repository.
REAL_ARMIES = Path(__file__).parents[2] / "shared" / "data"


@dataclass(frozen=True, eq=False)
class Battle:
    """Many states of one battle, and which of its ordered pairs to ask for."""

    board: Board
    positions: Any  # (S, U, 3)
    calls: list[tuple[Any, Any]]  # observers and targets: all with all, or each side with the other
    occupied: Any = None  # (S, M) bool
    rules: t9a.Rules = field(default=t9a.THIRD_EDITION, kw_only=True)

    @classmethod
    def of(cls, scene: Scene, states: int, seed: int = 0, *, enemies: bool = False) -> Self:
        """Move the units of a scene a little in each state."""
        every = np.arange(len(scene.board))
        sides = [every[scene.board.side == side] for side in (0, 1)]
        calls = [(sides[0], sides[1]), (sides[1], sides[0])] if enemies else [(every, every)]
        return cls(scene.board, samplers.pose_jitter(np.random.default_rng(seed), scene, states), calls)

    @cached_property
    def asked(self) -> Any:
        """Which pairs are asked for, (U, U)."""
        asked = np.zeros((len(self.board), len(self.board)), dtype=bool)
        for observers, targets in self.calls:
            asked[observers[:, None], targets] = observers[:, None] != targets
        return asked

    @property
    def pairs(self) -> int:
        """Number of ordered pairs asked for in all states."""
        return len(self.positions) * int(self.asked.sum())

    def ask(self) -> list[Any]:
        """Return the answers of each call."""
        return [
            t9a.line_of_sight(
                self.board,
                self.positions,
                observers=observers,
                targets=targets,
                occupied=self.occupied,
                rules=self.rules,
            )
            for observers, targets in self.calls
        ]

    def line_of_sight(self) -> Any:
        """Return the answers, (S, U, U)."""
        answer = np.zeros((len(self.positions), *self.asked.shape), dtype=bool)
        for (observers, targets), seen in zip(self.calls, self.ask(), strict=True):
            answer[:, observers[:, None], targets] = seen
        return answer & self.asked


@dataclass(frozen=True, eq=False)
class PlainBattle(Battle):
    """The same without rules: all boundaries and all terrain are in the way, but not one's own.

    In the words of the rules, all units are of one height and all terrain is impassable.
    """

    @classmethod
    def of(cls, scene: Scene, states: int, seed: int = 0, *, enemies: bool = False) -> Self:
        """Move the units of a scene a little in each state."""
        terrain = [Terrain(piece.outline, kind="impassable") for piece in scene.board.terrain]
        board = Board([of_height_1(unit) for unit in scene.board.units], terrain, SIZE)
        return super().of(Scene(board, scene.positions), states, seed, enemies=enemies)

    @cached_property
    def arguments(self) -> tuple[Any, ...]:
        """Boundaries, the blockers, and which count, (U, U, U + terrain)."""
        boundaries = self.board.boundaries(self.positions)
        n, every = len(self.board), np.arange(len(self.board))
        blocks = np.ones((n, n, n + len(self.board.terrain)), dtype=bool)
        blocks[every, :, every] = blocks[:, every, every] = False
        terrain = Polygons([piece.outline for piece in self.board.terrain])
        return boundaries, [boundaries[:, None, None, :], terrain], blocks

    def ask(self) -> list[Any]:
        """Return the answers of each call."""
        boundaries, blockers, blocks = self.arguments
        return [
            ninthgeom.line_of_sight(
                boundaries[:, observers, None],
                boundaries[:, None, targets],
                blockers,
                blocks=blocks[observers[:, None], targets],
            )
            for observers, targets in self.calls
        ]


def of_height_1(unit: Unit) -> Unit:
    """Return the unit with models of height 1 only."""
    return replace(unit, height=1, attached=tuple(replace(one, height=1) for one in unit.attached))


def generated(
    layout: armies.Deployment, n: int, states: int, *, kind: Callable[..., Battle] = Battle.of
) -> list[Battle]:
    """Generated battles of 24 units and 8 pieces of terrain, their units moved a little in each state.

    Scattered: all ordered pairs without the diagonal. Battle lines: enemies only.
    """
    return [
        kind(
            armies.generate_battle(seed, units_per_side=UNITS_PER_SIDE, terrain=TERRAIN, deployment=layout),
            states,
            seed,
            enemies=layout == "battle_lines",
        )
        for seed in range(n)
    ]


def real(layout: armies.Deployment, n: int, states: int) -> list[Battle]:
    """Battles of tournament armies that met and have 24 units together; as `generated` otherwise."""
    lists = [json.loads(line) for line in (REAL_ARMIES / "armies.jsonl").read_text().splitlines()]
    matches = [json.loads(line) for line in (REAL_ARMIES / "matches.jsonl").read_text().splitlines()]
    battles: list[Battle] = []
    for seed, match in enumerate(matches):
        units = [
            unit
            for side, player in enumerate("ab")
            for unit in armies.army_from_list(lists[match[player]], side)
        ]
        if len(units) == 2 * UNITS_PER_SIDE and len(battles) < n:
            scene = armies.deploy_armies(units, seed, terrain=TERRAIN, deployment=layout)
            battles.append(Battle.of(scene, states, seed, enemies=layout == "battle_lines"))
    return battles


def second_edition(layout: armies.Deployment, n: int, states: int) -> list[Battle]:
    """Return the generated battles in the second edition: bases alone are in the way."""
    return [replace(battle, rules=t9a.SECOND_EDITION) for battle in generated(layout, n, states)]


def fallen(layout: armies.Deployment, n: int, states: int) -> list[Battle]:
    """Return the generated battles with a tenth of the models fallen, others in every state."""
    return [
        replace(battle, occupied=survivors(battle.board, states, seed))
        for seed, battle in enumerate(generated(layout, n, states))
    ]


def survivors(board: Board, states: int, seed: int) -> Any:
    """Draw who lives, nine models in ten, (S, M); the first of each unit always does."""
    living = np.random.default_rng(seed).random((states, board.n_models)) < 0.9
    living &= board.occupied
    living[:, [slots.start for slots in board.model_slices]] = True
    return living


def mixed(layout: armies.Deployment, n: int, states: int) -> list[Battle]:
    """Return the generated battles with a character of another height in each unit of several models."""
    battles = []
    for battle in generated(layout, n, states):
        units = []
        for i, unit in enumerate(battle.board.units):
            others = unit.attached
            if unit.models > 1:
                others = (Attached("character", unit.base_mm, height=(3, 5, 1)[i % 3]),)
            units.append(replace(unit, attached=others))
        board = Board(units, battle.board.terrain, SIZE)
        battles.append(replace(battle, board=board))
    return battles


def crowded(n: int, states: int, *, units: int = 60) -> list[Battle]:
    """Scattered battles of so many units without terrain, all ordered pairs."""
    return [
        Battle.of(armies.generate_battle(seed, units_per_side=units // 2, terrain=0), states, seed)
        for seed in range(n)
    ]


def hidden_jointly(battle: Battle, states: int) -> float:
    """Return the share of the pairs that is hidden, though no boundary alone hides it; without terrain."""
    boundaries = battle.board.boundaries(battle.positions[:states])
    every = np.arange(len(battle.board))
    joint = 0
    for observers, targets in battle.calls:
        eyes, sinks = boundaries[:, observers, None, None], boundaries[:, None, targets, None]
        foreign = (every != observers[:, None])[:, None] & (every != targets[:, None])
        past_each = ninthgeom.line_of_sight(
            eyes, sinks, boundaries[:, None, None, :, None], blocks=foreign[..., None]
        )
        past_all = ninthgeom.line_of_sight(
            eyes[..., 0], sinks[..., 0], boundaries[:, None, None, :], blocks=foreign
        )
        joint += int((past_each.all(axis=-1) & ~past_all).sum())
    return joint / (states * int(battle.asked.sum()))


def screened(states: int, *, seed: int = 0, rows: int = 4) -> Battle:
    """Two lines of twelve units with rows of small ones between them, whose gaps others stand behind.

    A line of sight must find its way through all rows: of what is hidden, few pairs are hidden by one of the
    small units alone.
    """
    rng = np.random.default_rng(seed)
    line = [Unit(f"line {i}", (25, 25), models=10, files=5, side=i // 12) for i in range(24)]
    x = np.tile(4.0 + 5.8 * np.arange(12), 2)
    y = np.repeat([4.0, 44.0], 12)
    heading = np.repeat([np.pi / 2, -np.pi / 2], 12)
    per_row = 20
    screen = [Unit(f"screen {i}", (50, 25), side=2) for i in range(rows * per_row)]
    step = SIZE[0] / per_row
    row, column = np.divmod(np.arange(len(screen)), per_row)
    screen_x = step * (column + 0.5 * (row % 2)) + rng.uniform(-0.3, 0.3, len(screen))
    board = Board([*line, *screen], size=SIZE)
    positions = np.column_stack(
        [
            np.concatenate([x, screen_x]),
            np.concatenate([y, 24.0 + 3.5 * (row - (rows - 1) / 2)]),
            np.concatenate([heading, np.full(len(screen), np.pi / 2)]),
        ]
    )
    own = np.arange(12)
    scene = Scene(board, positions)
    moved = samplers.pose_jitter(np.random.default_rng(seed), scene, states, distance=0.4, angle=0.1)
    return Battle(board, moved, [(own, own + 12), (own + 12, own)])


def among(blockers: int, states: int, *, seed: int = 0) -> Battle:
    """Eight units that look at eight others, anywhere on the table, and so many units in the way.

    Whatever their number, the first ones stand where they stand with fewer.
    """
    rng = np.random.default_rng(seed)
    ends = [Unit(f"end {i}", (25, 25), models=10, files=5) for i in range(16)]
    units = [*ends, *(Unit(f"blocker {i}", (40, 40)) for i in range(blockers))]
    board = Board(units, size=SIZE)
    most = 200
    positions = np.empty((states, most, 3))
    positions[..., :2] = rng.uniform(0, SIZE, (states, most, 2))
    positions[..., 2] = rng.uniform(-np.pi, np.pi, (states, most))
    observers = np.arange(8)
    return Battle(board, positions[:, : len(units)], [(observers, observers + 8)])
