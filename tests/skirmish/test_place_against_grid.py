"""Where models are set, against all points of a grid and many close by.

The spot must be legal, to a hair, and no point that is legal with a hair to spare may be better: nearer to
the wished one, or, for who finds no room within the radius, with a smaller farthest distance from the leader.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
import shapely

from ninthgeom.skirmish import PlaceStatus, place
from tests.skirmish.coherency_oracle import HAIR, OracleState, Scene, random_scene

SCENES, OFTEN, MANY = 8, 20, 300
STEP = 0.2
#: Points that are tried, the best first, where they would be better than the spot found.
TRIED = 60


@dataclass
class Judge:
    """One model to be set beside those that stand, in one state."""

    scene: Scene
    model: int
    leader: int
    standing: Any  # (U,) who is there before
    positions: Any  # (U, 3)

    def __post_init__(self) -> None:
        self.table = self.scene.table()
        self.here = self.standing.copy()
        self.here[self.model] = True
        self.radius = float(self.scene.radius[self.table.group[self.model]])
        self.others = np.flatnonzero(self.standing)
        self.before = OracleState(self.table, self.positions, self.standing)

    def at(self, point: Any) -> Any:
        positions = self.positions.copy()
        positions[self.model, :2] = point
        return positions

    def spare(self, points: Any) -> Any:
        """How far from others, terrain and the edge of the table a base is at points; below 0: overlaps."""
        table, k = self.table, self.model
        heading = self.positions[k, 2]
        step = table.straight[k] * np.array([np.cos(heading), np.sin(heading)])
        ends = np.stack([points - step, points + step], axis=1)
        cores = shapely.linestrings(ends) if table.straight[k] > 0 else shapely.points(points)
        gaps = [
            shapely.distance(cores, self.before.cores[i]) - table.radius[i] - self.gap_from(i)
            for i in self.others
        ]
        gaps += [shapely.distance(cores, shape) for shape in table.terrain]
        size = np.array(self.scene.board.size)
        gaps += [ends.min(axis=(1, 2)), (size - ends).min(axis=(1, 2))]
        return np.min(gaps, axis=0) - table.radius[k]

    def gap_from(self, i: int) -> float:
        """Flyers keep away from flying enemies."""
        side, flying = self.scene.board.side, self.table.flying
        both = flying[i] and flying[self.model] and side[i] != side[self.model]
        return self.scene.rules.engaged_range if both else 0.0

    def farthest(self, points: Any) -> Any:
        """How far the leader is from the farthest point of the base."""
        table, k = self.table, self.model
        heading = self.positions[k, 2]
        step = table.straight[k] * np.array([np.cos(heading), np.sin(heading)])
        ends = shapely.points(np.stack([points - step, points + step], axis=1))
        if self.scene.rules.sc_wholly_ref == "edge":
            core, radius = self.before.cores[self.leader], table.radius[self.leader]
        else:
            core, radius = shapely.Point(self.positions[self.leader, :2]), 0.0
        return np.maximum(shapely.distance(ends, core).max(axis=1) + table.radius[k] - radius, 0.0)

    def linked(self, point: Any, margin: float) -> bool:
        state = OracleState(self.table, self.at(point), self.here, margin)
        if margin > 0:
            # Where the model itself is engaged may open a way that is not asked for.
            vars(state)["engaged"] = OracleState(self.table, self.positions, self.standing, margin).engaged
        centre = self.scene.rules.sc_link == "centre"
        return bool(state.linked([self.leader], centre=centre)[self.model])

    def first_linked(self, points: Any) -> Any:
        """Return the first of some points that is linked with a hair to spare, or None."""
        for point in points[:TRIED]:
            if self.linked(point, HAIR):
                return point
        return None


def points_about(rng: np.random.Generator, judge: Judge, wished: Any, spot: Any) -> Any:
    """A grid over all that matters, and points at random close to the spot found."""
    leader = judge.positions[judge.leader, :2]
    reach = judge.radius + 4.0
    x, y = np.meshgrid(*(np.arange(c - reach, c + reach, STEP) for c in leader))
    grid = np.column_stack([x.ravel(), y.ravel()])
    near = [spot + rng.normal(0, scale, (150, 2)) for scale in (0.003, 0.03, 0.3)]
    about = wished + rng.normal(0, 0.5, (100, 2))
    return np.concatenate([grid, *near, about, [wished]])


def compare(seed: int, tally: Counter[str], wrong: list[str]) -> None:
    rng = np.random.default_rng(seed)
    scene = random_scene(rng, 1)
    present, positions = scene.present[0], scene.positions[0]
    group = int(rng.integers(4))
    leader = int(scene.leaders[0, group])
    mates = np.flatnonzero((scene.board.group == group) & present & (np.arange(len(present)) != leader))
    if not len(mates):
        return
    models = rng.permutation(mates)[: rng.integers(1, 3)]
    wished = positions[leader, :2] + rng.normal(0, 2.5, (len(models), 2))
    found = place(
        scene.board,
        positions,
        models,
        wished,
        leader=leader,
        radius=float(scene.radius[group]),
        present=present,
        ground=scene.ground,
        rules=scene.rules,
    )
    standing = present.copy()
    standing[models] = False
    stands = positions.copy()
    for k, (model, wish) in enumerate(zip(models, wished, strict=True)):
        judge = Judge(scene, int(model), leader, standing.copy(), stands.copy())
        status = PlaceStatus(int(found.status[k]))
        tally[status.name] += 1
        fault = _fault(rng, judge, wish, found.positions[model], status)
        if fault:
            wrong.append(f"seed {seed}, model {model} of {models.tolist()}, {status.name}: {fault}")
            return
        stands[model] = found.positions[model]
        standing[model] = status is not PlaceStatus.CASUALTY


def _fault(rng: Any, judge: Judge, wish: Any, place: Any, status: PlaceStatus) -> str:
    """Say what is wrong with a spot, if anything is."""
    spot = place[:2]
    points = points_about(rng, judge, wish, spot)
    points = points[judge.spare(points) > HAIR]
    if place[2] != judge.positions[judge.model, 2]:
        return f"turned to {place[2]}"
    if status is PlaceStatus.CASUALTY:
        better = judge.first_linked(rng.permutation(points))
        return "" if better is None else f"could stand at {better.tolist()}"
    if judge.spare(spot[None])[0] < -HAIR:
        return f"overlaps by {-judge.spare(spot[None])[0]} at {spot.tolist()}"
    if not judge.linked(spot, -HAIR):
        return f"is not linked at {spot.tolist()}"
    farthest, within = judge.farthest(points), float(judge.farthest(spot[None])[0])
    if status is PlaceStatus.IN_COHERENCY:
        if within > judge.radius + HAIR:
            return f"reaches {within} from the leader"
        value, limit = np.hypot(*(points - wish).T), float(np.hypot(*(spot - wish)))
        points, value = points[farthest < judge.radius - HAIR], value[farthest < judge.radius - HAIR]
    else:
        value, limit = farthest, within
        if limit <= judge.radius:
            return "is within the radius"
    order = np.argsort(value)
    better = judge.first_linked(points[order][value[order] < limit - 1e-5])
    if better is None:
        return ""
    return f"{spot.tolist()} for {wish.tolist()}, {limit}; better is {better.tolist()}"


def test_nobody_finds_a_better_spot() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in range(SCENES):
        compare(seed, tally, wrong)
    assert not wrong, "\n".join(wrong[:8])
    assert tally["IN_COHERENCY"] > SCENES // 2


@pytest.mark.verify
def test_nobody_finds_a_better_spot_in_many_scenes() -> None:
    tally: Counter[str] = Counter()
    wrong: list[str] = []
    for seed in (*range(OFTEN), *range(9000, 9000 + MANY)):
        compare(seed, tally, wrong)
    print(f"\nseeds 0 to {OFTEN - 1}, 9000 to {9000 + MANY - 1}: {dict(tally)}")
    assert not wrong, "\n".join([f"{len(wrong)} differences", *wrong[:8]])
