"""Line of sight as it is done without this library: sample rays with shapely, and see what is missed.

    python -m benchmarks.sight_sampler

compares speed and answers with `ninthgeom.t9a.line_of_sight` on the battles of `bench_sight`.

The sampler follows the rules of the third edition. A point of a front edge looks with the heights of the
living models straight behind it, over what is not elevated if one of them is. A unit is looked at as its
boundary, and as each living model that is higher. Boundaries are in the way, and single models that are
higher, or elevated while their boundary is not; so is terrain, but a hill for no ray that starts or ends in
it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np
import shapely

import ninthgeom
from benchmarks.ratio import compare
from benchmarks.sight_scenes import Battle, generated
from ninthgeom import Board

STARTS = 5
ENDS = 16
# Higher than any model.
ALWAYS = 9
NO_UNIT = -1


@dataclass(frozen=True)
class Starts:
    """Where rays start, one row each."""

    unit: Any
    place: Any  # (n, 2)
    forward: Any  # (n, 2)
    round: Any  # looks in all directions
    height: Any
    elevated: Any


@dataclass(frozen=True)
class Shapes:
    """What is looked at, or in the way, one row each."""

    unit: Any
    outline: Any
    height: Any
    elevated: Any

    def __add__(self, other: Shapes) -> Shapes:
        columns = ("unit", "outline", "height", "elevated")
        return Shapes(*(np.concatenate([getattr(self, name), getattr(other, name)]) for name in columns))


class Sampler:
    """Rays on a board.

    Parameters
    ----------
    board : Board
        Units and terrain.
    occupied : ndarray of bool, shape (M,), optional
        Slots with a living model; every unit keeps one.
    tuned : bool
        Ask the tree for boxes alone, leave out what the rules do not let block, and prepare the obstacles
        rather than the rays for what is left.
    """

    def __init__(self, board: Board, occupied: Any = None, *, tuned: bool = False) -> None:
        self.board = board
        self.tuned = tuned
        self.living = board.occupied if occupied is None else occupied
        opaque = [piece for piece in board.terrain if piece.opaque]
        outlines = np.array([shapely.Polygon(piece.outline) for piece in opaque], object)
        heights = [ALWAYS if piece.height is None else piece.height for piece in opaque]
        self.terrain = Shapes(
            np.full(len(opaque), NO_UNIT), outlines, np.array(heights, int), np.ones(len(opaque), bool)
        )
        hills = [i for i, piece in enumerate(opaque) if piece.kind != "impassable"]
        self.lets_through = np.array(hills, int)
        self.ground = np.array(
            [shapely.Polygon(piece.outline) for piece in board.terrain if piece.kind == "hill"], object
        )
        self.is_round = np.array([unit.shape != "rect" for unit in board.units], bool)
        slots = [np.arange(s.start, s.stop) for s in board.model_slices]
        self.slots = [own[self.living[own]] for own in slots]
        self.height = np.array([_majority(board.model_height[own]) for own in self.slots], int)
        self.is_mixed = [len(set(board.model_height[own].tolist())) > 1 for own in self.slots]

    def sees(self, positions: Any, asked: Any) -> Any:
        """Return who sees whom, (U, U), in the state with these positions."""
        boundaries = self.board.boundaries(positions, self.living)
        bases, _ = self.board.bases(positions, self.living)
        units = np.arange(len(boundaries))
        outlines = boundaries.to_shapely()
        elevated = self._elevated(outlines, bases)
        whole = Shapes(units, outlines, self.height, self._on_a_hill(outlines))
        higher, standing_out = self._single(whole, bases, elevated)
        sinks = whole + higher
        return self._sees(
            asked,
            self._starts(boundaries, bases, elevated),
            sinks,
            sinks + standing_out + self.terrain,
        )

    def _sees(self, asked: Any, starts: Starts, sinks: Shapes, obstacles: Shapes) -> Any:
        tree = shapely.STRtree(obstacles.outline)
        along = np.arange(ENDS) / ENDS
        ends = shapely.get_coordinates(
            shapely.line_interpolate_point(shapely.boundary(sinks.outline)[:, None], along, normalized=True)
        ).reshape(-1, ENDS, 2)
        start, sink = np.nonzero(asked[starts.unit[:, None], sinks.unit])
        a, b = np.broadcast_arrays(starts.place[start][:, None], ends[sink])
        a, b = a.reshape(-1, 2), b.reshape(-1, 2)
        pair = np.repeat(np.arange(len(start)), ENDS)
        end = np.tile(np.arange(ENDS), len(start))
        forward = starts.forward[start[pair]]
        step = b - a
        ahead = (step * forward).sum(axis=1)
        aside = np.abs(step[:, 1] * forward[:, 0] - step[:, 0] * forward[:, 1])
        inside = (aside <= ahead) | starts.round[start[pair]]
        pair, end, a, b = pair[inside], end[inside], a[inside], b[inside]
        rays = shapely.linestrings(np.stack([a, b], axis=1))
        ray, obstacle = tree.query(rays, predicate=None if self.tuned else "intersects")
        from_, to = start[pair[ray]], sink[pair[ray]]
        unit = obstacles.unit[obstacle]
        cut = (unit != starts.unit[from_]) & (unit != sinks.unit[to])
        cut &= obstacles.height[obstacle] >= np.maximum(starts.height[from_], sinks.height[to])
        cut &= obstacles.elevated[obstacle] | ~starts.elevated[from_]
        first = len(obstacles.unit) - len(self.terrain.unit)
        for hill in self.lets_through.tolist():
            outline = self.terrain.outline[hill]
            shapely.prepare(outline)
            is_it = obstacle == first + hill
            leaves = shapely.contains_properly(outline, shapely.points(starts.place))
            enters = shapely.contains_properly(outline, shapely.points(ends))
            cut &= ~(is_it & (leaves[from_] | enters[to, end[ray]]))
        ray, obstacle = ray[cut], obstacle[cut]
        if self.tuned:
            shapely.prepare(obstacles.outline)
            ray = ray[shapely.intersects(obstacles.outline[obstacle], rays[ray])]
        clear = np.ones(len(rays), dtype=bool)
        clear[ray] = False
        answer = np.zeros(asked.shape, dtype=bool)
        seen = pair[clear]
        answer[starts.unit[start[seen]], sinks.unit[sink[seen]]] = True
        return answer

    def _on_a_hill(self, outlines: Any) -> Any:
        return np.logical_or.reduce(
            [shapely.covers(hill, outlines) for hill in self.ground], initial=False, axis=0
        ) | np.zeros(len(outlines), bool)

    def _elevated(self, outlines: Any, bases: ninthgeom.Bases) -> Any:
        """Which models stand wholly on a hill, (M,); only those of units that touch one can."""
        elevated = np.zeros(self.board.n_models, bool)
        for hill in self.ground:
            for u in np.flatnonzero(shapely.intersects(hill, outlines)).tolist():
                own = self.slots[u]
                elevated[own] |= shapely.covers(hill, bases[own].to_shapely())
        return elevated

    def _single(self, whole: Shapes, bases: ninthgeom.Bases, elevated: Any) -> tuple[Shapes, Shapes]:
        """Models that are higher than their boundary, and those that only stand higher up."""
        heights = self.board.model_height
        higher, up = [np.empty(0, int)], [np.empty(0, int)]
        for u, own in enumerate(self.slots):
            if self.is_mixed[u]:
                higher.append(own[heights[own] > self.height[u]])
            if not whole.elevated[u] and elevated[own].any():
                up.append(own[elevated[own] & (heights[own] <= self.height[u])])
        unit = self.board.model_unit
        first, second = (
            Shapes(unit[slots], bases[slots].to_shapely(), heights[slots], elevated[slots])
            for slots in map(np.concatenate, (higher, up))
        )
        return first, second

    def _starts(self, boundaries: ninthgeom.Bases, bases: ninthgeom.Bases, elevated: Any) -> Starts:
        """Five points of each front edge, of a round base five points of its outline."""
        points = start_points(boundaries)
        forward = np.stack([np.cos(boundaries.heading), np.sin(boundaries.heading)], -1)
        kinds: list[Any] = []  # unit, point, height, elevated
        for u, own in enumerate(self.slots):
            height = int(self.height[u])
            whole = len(own) == self.board.units[u].n_slots and not self.is_mixed[u]
            if self.board.units[u].n_slots == 1 or (whole and not elevated[own].any()):
                kinds += [(u, k, height, elevated[own[0]]) for k in range(STARTS)]
                continue
            sideways = np.array([-forward[u, 1], forward[u, 0]])
            left = np.stack([bases.x[own], bases.y[own]], -1) @ sideways
            half = bases.width[own] / 2
            for k in range(STARTS):
                behind = own[np.abs(points[u, k] @ sideways - left) <= half + 1e-9]
                models = set(
                    zip(self.board.model_height[behind].tolist(), elevated[behind].tolist(), strict=True)
                )
                kinds += [(u, k, height, up) for height, up in models]
        unit, point, height, up = np.array(kinds, int).reshape(-1, 4).T
        return Starts(unit, points[unit, point], forward[unit], self.is_round[unit], height, up.astype(bool))


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


def _majority(heights: Any) -> int:
    """The most frequent height, of two the smaller."""
    values, counts = np.unique(heights, return_counts=True)
    return int(values[counts.argmax()])


def samplers(battle: Battle, states: int | None = None, *, tuned: bool = False) -> list[Sampler]:
    """Return what answers each of the states, all or the first ones."""
    if battle.occupied is None:
        return [Sampler(battle.board, tuned=tuned)] * len(battle.positions[:states])
    return [Sampler(battle.board, living, tuned=tuned) for living in battle.occupied[:states]]


def sampled(battle: Battle, by: Sequence[Sampler]) -> Any:
    """Answers by rays, (S, U, U), of the first states."""
    states = zip(by, battle.positions[: len(by)], strict=True)
    return np.array([sampler.sees(state, battle.asked) for sampler, state in states])


def missed_share(battles: Sequence[Battle], states: int) -> float:
    """Return the share of the visible pairs that rays miss; whatever they see must be visible."""
    missed = visible = 0
    for battle in battles:
        exact, by_rays = battle.line_of_sight()[:states], sampled(battle, samplers(battle, states))
        invented = by_rays & ~exact
        assert not invented.any(), f"seen by the sampler alone: {np.argwhere(invented).tolist()}"
        visible += int(exact.sum())
        missed += int((exact & ~by_rays).sum())
    return missed / max(visible, 1)


def times_as_fast(
    battles: Sequence[Battle], states: int = 1, *, tuned: bool = False, rounds: int = 3
) -> float:
    """Return how many times as fast the library is in all battles as rays, for the first states, are."""
    ours = theirs = 0.0
    for battle in battles:
        by_rays = partial(sampled, battle, samplers(battle, states, tuned=tuned))
        part = states / len(battle.positions)
        result = compare(battle.ask, by_rays, part=part, rounds=rounds)
        ours += result.ours
        theirs += result.ours * result.ratio
    return theirs / ours


def main() -> None:
    """Print the comparison for both layouts."""
    for layout in ("scattered", "battle_lines"):
        battles = generated(layout, 8, 40)
        print(layout)
        print(f"  missed by the sampler: {100 * missed_share(battles, 4):.1f} % of what is seen")
        for tuned in (False, True):
            words = "tuned sampler" if tuned else "sampler"
            print(f"  times as fast as the {words}: {times_as_fast(battles, tuned=tuned):.0f}")


if __name__ == "__main__":
    main()
