"""Line of sight as it is done without this library: sample rays with shapely, and see what is missed.

    python -m benchmarks.sight_sampler

compares speed and answers with `ninthgeom.line_of_sight` on the scenes of `bench_sight`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

import ninthgeom
from benchmarks.ratio import compare
from ninthgeom import armies

STARTS = 5
ENDS = 16
BATTLES = 8
STATES = 40


@dataclass(frozen=True)
class Battle:
    """Many states of one battle, and which of its ordered pairs to ask for."""

    boundaries: ninthgeom.Bases  # (S, U)
    terrain: ninthgeom.Polygons
    shapes: Any  # the terrain for shapely
    asked: Any  # (U, U) bool
    blocks: Any  # (U, U, U + terrain) bool: the boundaries of the two units asked about do not count
    calls: list[tuple[slice, slice]]  # observers and targets: all with all, or each side with the other

    @property
    def pairs(self) -> int:
        """Number of ordered pairs asked for in all states."""
        return len(self.boundaries) * int(self.asked.sum())

    def line_of_sight(self) -> Any:
        """Return the answers, (S, U, U)."""
        blockers = [self.boundaries[:, None, None, :], self.terrain]
        answer = np.zeros((*self.boundaries.shape, self.boundaries.shape[1]), dtype=bool)
        for observers, targets in self.calls:
            answer[:, observers, targets] = ninthgeom.line_of_sight(
                self.boundaries[:, observers, None],
                self.boundaries[:, None, targets],
                blockers,
                blocks=self.blocks[observers, targets],
            )
        return answer & self.asked

    def sampled(self) -> Any:
        """Return the answers by rays, (S, U, U)."""
        return np.array([sampled_state(state, self.shapes, self.asked) for state in self.boundaries])


def battles(layout: armies.Deployment, n: int = BATTLES, states: int = STATES) -> list[Battle]:
    """Generated battles of 24 units and 8 pieces of terrain, their units moved a little in each state.

    Scattered: all ordered pairs without the diagonal. Battle lines: enemies only.
    """
    result = []
    for seed in range(n):
        scene = armies.generate_battle(seed, units_per_side=12, terrain=8, deployment=layout)
        board = scene.board
        units, every = len(board), np.arange(len(board))
        sides = [slice(units // 2), slice(units // 2, units)]
        rings = [piece.outline for piece in board.terrain]
        blocks = np.ones((units, units, units + len(rings)), dtype=bool)
        blocks[every, :, every] = blocks[:, every, every] = False
        all_pairs = layout == "scattered"
        result.append(
            Battle(
                boundaries=board.boundaries(armies.jitter(scene, states, seed=seed)),
                terrain=ninthgeom.Polygons(rings),
                shapes=[shapely.Polygon(ring) for ring in rings],
                asked=every[:, None] != every if all_pairs else board.side[:, None] != board.side,
                blocks=blocks,
                calls=[(slice(units), slice(units))]
                if all_pairs
                else [(sides[0], sides[1]), (sides[1], sides[0])],
            )
        )
    return result


def sampled_state(boundaries: ninthgeom.Bases, terrain: Any, asked: Any) -> Any:
    """Answers of one state, (U, U): rays from 5 points of the facing to 16 of the target, within the arc."""
    outlines = boundaries.to_shapely()
    n = len(outlines)
    tree = shapely.STRtree([*outlines, *terrain])
    starts = start_points(boundaries)
    along = np.arange(ENDS) / ENDS
    ends = shapely.get_coordinates(
        shapely.line_interpolate_point(shapely.boundary(outlines)[:, None], along, normalized=True)
    ).reshape(n, ENDS, 2)
    observer, target = np.nonzero(asked)
    a, b = np.broadcast_arrays(starts[observer][:, :, None], ends[target][:, None, :])
    pair = np.repeat(np.arange(len(observer)), STARTS * ENDS)
    a, b = a.reshape(-1, 2), b.reshape(-1, 2)
    forward = np.stack([np.cos(boundaries.heading), np.sin(boundaries.heading)], -1)[observer[pair]]
    step = b - a
    ahead = (step * forward).sum(axis=1)
    aside = np.abs(step[:, 1] * forward[:, 0] - step[:, 0] * forward[:, 1])
    inside = (aside <= ahead) | boundaries.is_disc[observer[pair]] | boundaries.is_oval[observer[pair]]
    pair, a, b = pair[inside], a[inside], b[inside]
    rays = shapely.linestrings(np.stack([a, b], axis=1))
    ray, obstacle = tree.query(rays, predicate="intersects")
    foreign = (obstacle != observer[pair[ray]]) & (obstacle != target[pair[ray]])
    clear = np.ones(len(rays), dtype=bool)
    clear[ray[foreign]] = False
    answer = np.zeros((n, n), dtype=bool)
    seen = pair[clear]
    answer[observer[seen], target[seen]] = True
    return answer


def start_points(boundaries: ninthgeom.Bases) -> Any:
    """Five points of each Front Facing, of a round base five points of its outline, (U, 5, 2)."""
    corners = boundaries.corners()
    share = np.linspace(0, 1, STARTS)[:, None]
    points = corners[:, None, 0] * (1 - share) + corners[:, None, 1] * share
    turn = 2 * math.pi * np.arange(STARTS) / STARTS
    circle = np.stack([np.cos(turn), np.sin(turn)], -1) * boundaries.radius[:, None, None]
    centre = np.stack([boundaries.x, boundaries.y], -1)[:, None]
    is_round = boundaries.is_disc | boundaries.is_oval
    return np.where(is_round[:, None, None], centre + circle, points)


def compared(layout: armies.Deployment, n: int = 3, states: int = 10, rounds: int = 3) -> dict[str, float]:
    """How many times as fast as the sampler the library is, and what the sampler misses.

    All states count for the misses, half as many for the time of the sampler.
    """
    comparisons, rates = [], []
    missed = invented = visible = 0
    few = -(-states // 2)
    for battle, timed in zip(battles(layout, n, states), battles(layout, n, few), strict=True):
        comparison = compare(battle.line_of_sight, timed.sampled, part=few / states, rounds=rounds)
        comparisons.append(comparison.ratio)
        rates.append(battle.pairs / comparison.ours)
        exact, by_rays = battle.line_of_sight(), battle.sampled()
        visible += int(exact.sum())
        missed += int((exact & ~by_rays).sum())
        invented += int((by_rays & ~exact).sum())
    return {
        "times as fast as the sampler": float(np.median(comparisons)),
        "million pairs per second": float(np.median(rates)) / 1e6,
        "visible pairs": visible,
        "share of them missed by the sampler": missed / max(visible, 1),
        "seen by the sampler alone": invented,
    }


def main() -> None:
    """Print the comparison for both layouts."""
    for layout in ("scattered", "battle_lines"):
        print(layout)
        for name, value in compared(layout).items():
            print(f"  {name}: {value:,.4g}")


if __name__ == "__main__":
    main()
