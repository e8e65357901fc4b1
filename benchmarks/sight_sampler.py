"""Line of sight as it is done without this library: sample rays with shapely, and see what is missed.

    python -m benchmarks.sight_sampler

compares speed and answers with `ninthgeom.line_of_sight` on the scenes of `bench_sight`.
"""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import shapely

import ninthgeom
from ninthgeom import armies

STARTS = 5
ENDS = 16
BATTLES = 8
STATES = 40


@dataclass(frozen=True)
class Battle:
    """Many states of one battle: boundaries (S, U), convex opaque terrain, which pairs to ask for."""

    boundaries: ninthgeom.Bases
    rings: list[Any]
    asked: Any  # (U, U) bool

    @property
    def pairs(self) -> int:
        """Number of ordered pairs asked for in all states."""
        return len(self.boundaries) * int(self.asked.sum())

    def line_of_sight(self) -> Any:
        """Return the answers, (S, U, U); boundaries of the two units asked about do not count."""
        n = self.boundaries.shape[1]
        blocks = np.ones((n, n, n + len(self.rings)), dtype=bool)
        blocks[np.arange(n), :, np.arange(n)] = False
        blocks[:, np.arange(n), np.arange(n)] = False
        blockers = [self.boundaries[:, None, None, :], ninthgeom.Polygons(self.rings)]
        observers, targets = self.blocks_of_pairs()
        answer = np.zeros((*self.boundaries.shape, n), dtype=bool)
        for o, t in zip(observers, targets, strict=True):
            answer[:, o, t] = ninthgeom.line_of_sight(
                self.boundaries[:, o, None], self.boundaries[:, None, t], blockers, blocks=blocks[o, t]
            )
        return answer & self.asked

    def blocks_of_pairs(self) -> tuple[list[slice], list[slice]]:
        """Observers and targets of the calls: all with all, or each side with the other."""
        n = self.boundaries.shape[1]
        if self.asked[0, 1]:
            return [slice(n)], [slice(n)]
        first, second = slice(n // 2), slice(n // 2, n)
        return [first, second], [second, first]


def battles(layout: armies.Deployment, n: int = BATTLES, states: int = STATES) -> list[Battle]:
    """Generated battles of 24 units and 8 pieces of terrain, their units moved a little in each state.

    Scattered: all ordered pairs without the diagonal. Battle lines: enemies only.
    """
    result = []
    for seed in range(n):
        scene = armies.generate_battle(seed, units_per_side=12, terrain=8, deployment=layout)
        board = scene.board
        boundaries = board.boundaries(armies.jitter(scene, states, seed=seed))
        enemies = board.side[:, None] != board.side
        asked = enemies if layout == "battle_lines" else ~np.eye(len(board), dtype=bool)
        result.append(Battle(boundaries, [piece.outline for piece in board.terrain], asked))
    return result


def sampled_state(boundaries: ninthgeom.Bases, rings: list[Any], asked: Any) -> Any:
    """Answers of one state, (U, U): rays from 5 points of the facing to 16 of the target, within the arc."""
    outlines = boundaries.to_shapely()
    n = len(outlines)
    tree = shapely.STRtree([*outlines, *map(shapely.Polygon, rings)])
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


def sampled(battle: Battle) -> Any:
    """Answers of all states by rays, (S, U, U)."""
    return np.array([sampled_state(state, battle.rings, battle.asked) for state in battle.boundaries])


def compared(layout: armies.Deployment, n: int = 3, states: int = 4) -> dict[str, float]:
    """How much faster the library is, by the time of this thread in turns, and what the rays miss.

    Each round times the sampler on the states of one battle, and the library on as many repetitions of the
    same work as take about as long: short and long measurements side by side would not compare.
    """
    ratios, rates = [], []
    missed = invented = visible = 0
    for battle in battles(layout, n, states):
        exact = battle.line_of_sight()  # also loads the kernels
        started = time.thread_time()
        by_rays = sampled(battle)
        sampler_seconds = time.thread_time() - started
        repetitions = 0
        started = time.thread_time()
        while time.thread_time() - started < sampler_seconds:
            battle.line_of_sight()
            repetitions += 1
        seconds = (time.thread_time() - started) / repetitions
        ratios.append(sampler_seconds / seconds)
        rates.append(battle.pairs / seconds)
        visible += int(exact.sum())
        missed += int((exact & ~by_rays).sum())
        invented += int((by_rays & ~exact).sum())
    return {
        "times faster than the sampler": float(np.median(ratios)),
        "million pairs per second": float(np.median(rates)) / 1e6,
        "visible pairs": visible,
        "share of them missed by the sampler": missed / max(visible, 1),
        "seen by the sampler alone": invented,
    }


def main() -> None:
    """Print the comparison for both layouts."""
    for layout in ("scattered", "battle_lines"):
        print(layout)
        for name, value in compared(layout, states=20).items():
            print(f"  {name}: {value:,.4g}")


if __name__ == "__main__":
    main()
