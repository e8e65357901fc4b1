"""Random pairs for line of sight, made in the source's frame of `sight_scenes`.

Uniform numbers alone would find little: walls have slits, shapes touch exactly, lie on the target or reach
behind the facing, and edges coincide.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from tests.reference.sight_scenes import UP, Pairs, moved


def random_sizes(rng: Any, shape: Any, shares: tuple[float, ...], scale: float = 1.0) -> Any:
    """Width, depth, radius of rectangles, discs, ovals, rounded rectangles, points and zero-width walls."""
    width = scale * np.exp(rng.uniform(np.log(0.8), np.log(6.0), shape))
    depth = scale * np.exp(rng.uniform(np.log(0.8), np.log(4.0), shape))
    kind = rng.choice(len(shares), size=shape, p=shares)
    depth = np.where(kind == 1, width, depth)
    least = np.minimum(width, depth)
    radius = np.select(
        [kind == 1, kind == 2, kind == 3], [width / 2, least / 2, least * rng.uniform(0.1, 0.4, shape)], 0.0
    )
    width = np.where(kind == 4, 0.0, width)
    depth = np.where((kind == 4) | (kind == 5), 0.0, depth)
    return np.stack([width, depth, radius], -1)


ANY_KIND = (0.5, 0.14, 0.14, 0.1, 0.06, 0.06)
RECTANGLES = (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
CURVED = (0.0, 0.4, 0.4, 0.2, 0.0, 0.0)


def rectangular_sources(rng: Any, n: int) -> Any:
    """Rectangles, some of them bare facings or with round corners."""
    width, depth = (
        rng.choice([0.8, 1.0, 2.0, 4.0, 8.0], n) * rng.uniform(0.8, 1.2, n),
        rng.uniform(0.5, 4.0, n),
    )
    depth[rng.random(n) < 0.1] = 0.0
    radius = np.where(width * 1000 % 1 < 0.2, 0.4 * np.minimum(width, depth), 0.0)
    return np.stack([np.zeros(n), -depth / 2, np.full(n, UP), width, depth, radius], -1)


def round_sources(rng: Any, n: int) -> Any:
    """Discs, ovals and points."""
    sizes = random_sizes(rng, n, (0.0, 0.4, 0.4, 0.0, 0.2, 0.0))
    return np.concatenate([np.zeros((n, 2)), rng.uniform(-math.pi, math.pi, (n, 1)), sizes], -1)


def mixed_sources(rng: Any, n: int) -> Any:
    """Rectangles, and three in ten round."""
    return np.where(rng.random((n, 1)) < 0.3, round_sources(rng, n), rectangular_sources(rng, n))


def _point_of(rng: Any, columns: Any, shape: Any = ()) -> Any:
    """Random points of the outer rectangles of bases."""
    n = len(columns)
    local = rng.uniform(-0.5, 0.5, (n, *shape, 2))
    x, y, h, width, depth = (columns[:, i].reshape(n, *(1 for _ in shape)) for i in range(5))
    a, b = local[..., 0] * depth, local[..., 1] * width
    return np.stack([x + a * np.cos(h) - b * np.sin(h), y + a * np.sin(h) + b * np.cos(h)], -1)


def _targets(
    rng: Any, sources: Any, shares: tuple[float, ...], nearest: float = 2.0, widest: float = 1.0
) -> Any:
    """Targets ahead of rectangles and all round round sources."""
    n = len(sources)
    distance = np.exp(rng.uniform(np.log(nearest), np.log(30.0), n))
    all_round = sources[:, 2] != UP
    bearing = np.where(all_round, rng.uniform(-math.pi, math.pi, n), UP + rng.uniform(-widest, widest, n))
    centre = distance[:, None] * np.stack([np.cos(bearing), np.sin(bearing)], -1)
    return np.concatenate([centre, rng.uniform(-math.pi, math.pi, (n, 1)), random_sizes(rng, n, shares)], -1)


def _in_shaft(rng: Any, sources: Any, targets: Any, slots: int, spread: float) -> Any:
    """Centres of blockers near lines from source to target."""
    n = len(sources)
    start, end = _point_of(rng, sources, (slots,)), _point_of(rng, targets, (slots,))
    start[..., 1] = np.where(sources[:, 2:3] == UP, 0.0, start[..., 1])
    return (
        start + rng.uniform(0.05, 0.95, (n, slots, 1)) * (end - start) + rng.normal(0, spread, (n, slots, 2))
    )


def _some(rng: Any, n: int, slots: int) -> Any:
    """Mask in which 1 to `slots` blockers count."""
    return np.arange(slots) < rng.integers(1, slots + 1, (n, 1))


def _with_headings(rng: Any, centres: Any, sizes: Any) -> Any:
    return np.concatenate([centres, rng.uniform(-math.pi, math.pi, (*centres.shape[:-1], 1)), sizes], -1)


# --- generators -----------------------------------------------------------------------------------


def scattered(rng: Any, n: int, sources: Any = None, shares: tuple[float, ...] = RECTANGLES) -> Pairs:
    """Blockers of any heading near the shaft."""
    sources = rectangular_sources(rng, n) if sources is None else sources
    targets = _targets(rng, sources, ANY_KIND)
    centres = _in_shaft(rng, sources, targets, 8, 0.8)
    blockers = _with_headings(rng, centres, random_sizes(rng, (n, 8), shares, scale=0.5))
    return Pairs(sources, targets, blockers, _some(rng, n, 8))


def curved(rng: Any, n: int) -> Pairs:
    """Discs, ovals and rounded rectangles as blockers."""
    return scattered(rng, n, shares=CURVED)


def all_round(rng: Any, n: int) -> Pairs:
    """Round sources, blockers of every kind, some of them on the source."""
    sources = round_sources(rng, n)
    pairs = scattered(rng, n, sources, ANY_KIND)
    on_source = rng.random(n) < 0.3
    pairs.blockers[on_source, 0, :2] = rng.normal(0, 1.0, (on_source.sum(), 2))
    return pairs


def battle_lines(rng: Any, n: int) -> Pairs:
    """Two rows of four units with slits of 0.005 to 2 inches, some of them closed."""
    sources = rectangular_sources(rng, n)
    targets = _targets(rng, sources, ANY_KIND, nearest=10.0, widest=0.3)
    width = rng.uniform(1.0, 6.0, (n, 2, 4))
    slit = np.exp(rng.uniform(np.log(0.005), np.log(2.0), (n, 2, 4)))
    slit[rng.random((n, 2, 4)) < 0.3] = 0.0
    left = np.concatenate([np.zeros((n, 2, 1)), np.cumsum(width + slit, -1)[..., :-1]], -1)
    middle = left + width / 2 - (left[..., -1:] + width[..., -1:]) / 2 + rng.uniform(-2, 2, (n, 2, 1))
    depth = rng.uniform(0.8, 2.5, (n, 2, 1)) * np.ones((n, 2, 4))
    # A row stands in line with its front, or each unit of it a little forward or back.
    ragged = rng.uniform(-0.3, 0.3, (n, 2, 4)) * (rng.random((n, 2, 1)) < 0.5)
    y = np.array([[2.5], [6.0]]) + rng.uniform(-0.5, 0.5, (n, 2, 1)) + ragged
    flat = np.stack([middle, y, np.full((n, 2, 4), UP), width, depth, np.zeros((n, 2, 4))], -1)
    tilt = rng.normal(0, 0.15, (n, 2, 1)) * (rng.random((n, 2, 1)) < 0.5)
    blockers = moved(flat, tilt, np.zeros(2)).reshape(n, 8, 6)
    blocks = np.repeat(rng.random((n, 2)) < [1.0, 0.6], 4, axis=1)
    return Pairs(sources, targets, blockers, blocks)


def walls(rng: Any, n: int, thickness: float | None = None) -> Pairs:
    """Thin walls of any heading; thickness 0 gives segments."""
    sources = mixed_sources(rng, n)
    targets = _targets(rng, sources, ANY_KIND)
    length = rng.uniform(0.5, 4.0, (n, 8))
    depth = rng.uniform(0.02, 0.2, (n, 8)) if thickness is None else np.full((n, 8), thickness)
    sizes = np.stack([length, depth, np.zeros((n, 8))], -1)
    blockers = _with_headings(rng, _in_shaft(rng, sources, targets, 8, 1.0), sizes)
    return Pairs(sources, targets, blockers, _some(rng, n, 8))


def segments(rng: Any, n: int) -> Pairs:
    """Walls of zero width."""
    return walls(rng, n, 0.0)


def chains(rng: Any, n: int) -> Pairs:
    """Zigzags of eight walls across the view, with joints shut end to end, shut as a T, or open by a slit."""
    sources = rectangular_sources(rng, n)
    targets = _targets(rng, sources, ANY_KIND, nearest=8.0, widest=0.3)
    blockers = np.zeros((n, 8, 6))
    thickness = np.where(rng.random((n, 8)) < 0.7, 0.0, rng.uniform(0.05, 0.3, (n, 8)))
    position = np.stack([rng.uniform(-11, -7, n), rng.uniform(2.0, 5.0, n)], -1)
    for i in range(8):
        step = np.stack([rng.uniform(1.5, 5.0, n), rng.normal(0, 0.8, n)], -1)
        end = position + step
        end[:, 1] = np.clip(end[:, 1], 1.0, 6.0)
        step = end - position
        middle = (position + end) / 2
        heading = np.arctan2(step[:, 1], step[:, 0]) + UP
        length = np.hypot(step[:, 0], step[:, 1])
        blockers[:, i] = np.stack([*middle.T, heading, length, thickness[:, i], np.zeros(n)], -1)
        joint = rng.random((n, 1))
        unit = step / length[:, None]
        slit = np.exp(rng.uniform(np.log(0.02), np.log(1.0), (n, 1)))
        position = np.select(
            [joint < 0.65, joint < 0.85],
            [end, position + rng.uniform(0.6, 0.99, (n, 1)) * step],
            end + slit * unit,
        )
    return Pairs(sources, targets, blockers, np.ones((n, 8), dtype=bool))


def on_targets(rng: Any, n: int) -> Pairs:
    """Blockers that overlap the target or stand flush with it, and some in the shaft."""
    sources = mixed_sources(rng, n)
    targets = _targets(rng, sources, (0.5, 0.2, 0.2, 0.1, 0.0, 0.0))
    sizes = random_sizes(rng, (n, 5), (0.5, 0.15, 0.15, 0.1, 0.0, 0.1), scale=0.7)
    blockers = _with_headings(rng, _in_shaft(rng, sources, targets, 5, 0.8), sizes)
    centre = _point_of(rng, targets, (3,)) + rng.normal(0, 0.5, (n, 3, 2))
    blockers[:, :3, :2] = centre
    # Flush: the blocker's front on the line of the target's front or rear edge, from outside or from inside.
    flush = rng.random(n) < 0.4
    blockers[:, 0, 2] = np.where(flush, targets[:, 2], blockers[:, 0, 2])
    sign, outside = rng.choice([-1.0, 1.0], n), rng.choice([-1.0, 1.0], n)
    along = sign * (targets[:, 4] + outside * blockers[:, 0, 4]) / 2
    aside = rng.uniform(-1, 1, n) * targets[:, 3]
    c, s = np.cos(targets[:, 2]), np.sin(targets[:, 2])
    lying = targets[:, :2] + np.stack([c * along - s * aside, s * along + c * aside], -1)
    blockers[:, 0, :2] = np.where(flush[:, None], lying, blockers[:, 0, :2])
    return Pairs(sources, targets, blockers, rng.random((n, 5)) < [0.9, 0.5, 0.2, 0.5, 0.5])


def behind_facings(rng: Any, n: int) -> Pairs:
    """Blockers across or near the line of the facing, and some in the shaft."""
    sources = rectangular_sources(rng, n)
    targets = _targets(rng, sources, ANY_KIND, nearest=1.0, widest=1.3)
    sizes = random_sizes(rng, (n, 6), (0.5, 0.15, 0.15, 0.1, 0.0, 0.1), scale=0.6)
    blockers = _with_headings(rng, _in_shaft(rng, sources, targets, 6, 0.8), sizes)
    blockers[:, :3, 0] = rng.uniform(-1.0, 1.0, (n, 3)) * (sources[:, 3:4] / 2 + blockers[:, :3, 3] / 2)
    blockers[:, :3, 1] = rng.normal(-0.6, 0.6, (n, 3))
    return Pairs(sources, targets, blockers, rng.random((n, 6)) < [0.9, 0.6, 0.3, 0.5, 0.5, 0.3])


def support(columns: Any, direction: Any) -> Any:
    """Point of each base that lies farthest in a direction (n, 2)."""
    heading, width, depth, radius = (columns[:, i] for i in range(2, 6))
    c, s = np.cos(heading), np.sin(heading)
    a = np.sign(direction[:, 0] * c + direction[:, 1] * s) * np.maximum(depth / 2 - radius, 0)
    b = np.sign(direction[:, 1] * c - direction[:, 0] * s) * np.maximum(width / 2 - radius, 0)
    core = columns[:, :2] + np.stack([a * c - b * s, a * s + b * c], -1)
    return core + radius[:, None] * direction


def touching(rng: Any, n: int) -> Pairs:
    """Chains of eight bases of every kind across the view, most of them touching the next in one point."""
    sources = mixed_sources(rng, n)
    sources[:, :2] *= sources[:, 2:3] == UP  # round sources stay on the origin
    targets = _targets(rng, rectangular_sources(rng, n), ANY_KIND, nearest=9.0, widest=0.2)
    sizes = random_sizes(rng, (n, 8), (0.3, 0.25, 0.15, 0.15, 0.0, 0.15), scale=0.8)
    blockers = _with_headings(rng, np.zeros((n, 8, 2)), sizes)
    blockers[:, 0, :2] = np.stack([rng.uniform(-9, -5, n), rng.uniform(3.0, 6.0, n)], -1)
    for i in range(1, 8):
        # Back towards the middle of the strip, so that the chain does not run into source or target.
        back = (4.5 - blockers[:, i - 1, 1]) / 3
        angle = np.clip(rng.normal(back, 0.4), -1.2, 1.2)
        direction = np.stack([np.cos(angle), np.sin(angle)], -1)
        open_by = np.exp(rng.uniform(np.log(1e-3), np.log(0.5), (n, 1))) * (rng.random((n, 1)) < 0.15)
        reach = support(blockers[:, i - 1], direction) - support(blockers[:, i], -direction)
        blockers[:, i, :2] += reach + open_by * direction
    return Pairs(sources, targets, blockers, rng.random((n, 8)) < 0.97)


def extremes(rng: Any, n: int) -> Pairs:
    """Sizes from a hundredth of an inch to thirty inches."""
    pairs = scattered(rng, n, mixed_sources(rng, n), ANY_KIND)
    factor = np.exp(rng.uniform(np.log(0.05), np.log(8.0), (n, 10)))
    pairs.sources[:, 1] *= factor[:, 0]
    pairs.sources[:, 3:] *= factor[:, :1]
    pairs.targets[:, 3:] *= factor[:, 1:2]
    pairs.blockers[..., 3:] *= factor[:, 2:, None]
    return pairs


def files(rng: Any, n: int) -> Pairs:
    """Sides on a grid of half inches, fronts anywhere: seams and grazed sides in line with one another."""
    width = rng.integers(1, 7, (n, 9)) / 2
    left = rng.integers(-5, 4, (n, 9)) / 2
    left[:, 0] = rng.integers(-4, 3, n) / 2
    middle = np.stack([left + width / 2, rng.uniform(0.3, 6.5, (n, 9))], -1)
    depth = rng.uniform(0.2, 3.0, (n, 9))
    # Blocks, discs, ovals that stand upright, and walls of zero width along the files.
    kind = rng.choice(4, (n, 9), p=[0.6, 0.15, 0.1, 0.15])
    kind[:, 0] %= 3
    depth = np.where(kind == 1, width, np.where(kind == 2, width + depth, depth))
    middle[..., 0] = np.where(kind == 3, left, middle[..., 0])
    width = np.where(kind == 3, 0.0, width)
    radius = np.where((kind == 1) | (kind == 2), width / 2, 0.0)
    columns = np.concatenate([middle, np.stack([np.full((n, 9), UP), width, depth, radius], -1)], -1)
    columns[:, 0, 1] = rng.uniform(6.0, 9.0, n) + columns[:, 0, 4] / 2
    sources = np.zeros((n, 6))
    sources[:, 3], sources[:, 4] = rng.integers(1, 7, n) / 2, rng.uniform(0.0, 2.0, n)
    sources[:, 1], sources[:, 2] = -sources[:, 4] / 2, UP
    as_disc = rng.random(n) < 0.25
    sources[as_disc, 1:3], sources[as_disc, 4], sources[as_disc, 5] = (
        0.0,
        sources[as_disc, 3],
        sources[as_disc, 3] / 2,
    )
    off_centre = (sources[:, 3] % 1 > 0) * 0.25
    columns[..., 0] += off_centre[:, None]
    return Pairs(sources, columns[:, 0], columns[:, 1:], _some(rng, n, 8))


def aligned(rng: Any, n: int) -> Pairs:
    """Everything on a grid of half inches, so that edges, corners and tangents coincide or nearly do."""
    sources = np.zeros((n, 6))
    sources[:, 3] = rng.integers(1, 9, n) / 2
    sources[:, 4] = rng.integers(0, 5, n) / 2
    sources[:, 1], sources[:, 2] = -sources[:, 4] / 2, UP
    as_disc = rng.random(n) < 0.2
    sources[as_disc, 1:3], sources[as_disc, 4] = 0.0, sources[as_disc, 3]
    sources[as_disc, 3:] *= rng.random((as_disc.sum(), 1)) < 0.7  # else a point
    sources[as_disc, 5] = sources[as_disc, 3] / 2
    targets = np.zeros((n, 6))
    targets[:, 0], targets[:, 1] = rng.integers(-8, 9, n) / 2, rng.integers(6, 24, n) / 2
    targets[:, 2], targets[:, 3:5] = UP, rng.integers(0, 7, (n, 2)) / 2
    left, bottom = rng.integers(-12, 8, (n, 8)) / 2, rng.integers(0, 16, (n, 8)) / 2
    width, depth = rng.integers(1, 14, (n, 8)) / 2, rng.integers(0, 4, (n, 8)) / 2
    as_disc = rng.random((n, 8)) < 0.2
    depth = np.where(as_disc, width, depth)
    middle = [left + width / 2, bottom + depth / 2]
    heading = np.where(rng.random((n, 8)) < 0.2, 0.0, UP)
    blockers = np.stack([*middle, heading, width, depth, np.where(as_disc, width / 2, 0.0)], -1)
    # Some of them a little off the grid.
    off = np.exp(rng.uniform(np.log(3e-5), np.log(1e-2), (n, 8, 2))) * rng.choice([-1.0, 1.0], (n, 8, 2))
    blockers[..., :2] += np.where((rng.random((n, 1, 1)) < 0.3) & (rng.random((n, 8, 2)) < 0.5), off, 0.0)
    return Pairs(sources, targets, blockers, _some(rng, n, 8))


GENERATORS: dict[str, Callable[[Any, int], Pairs]] = {
    "scattered": scattered,
    "curved": curved,
    "all_round": all_round,
    "battle_lines": battle_lines,
    "walls": walls,
    "segments": segments,
    "chains": chains,
    "on_targets": on_targets,
    "behind_facings": behind_facings,
    "touching": touching,
    "extremes": extremes,
    "files": files,
    "aligned": aligned,
}


def random_polygon(rng: Any, x: float, y: float, size: float) -> Any:
    """Convex counter-clockwise polygon of 3 to 8 vertices on a stretched circle, (n, 2)."""
    n = int(rng.integers(3, 9))
    angle = 2 * math.pi * (np.arange(n) + rng.uniform(-0.3, 0.3, n)) / n
    flat = np.stack([np.cos(angle), rng.uniform(0.3, 1.0) * np.sin(angle)], -1) * size
    turn = rng.uniform(-math.pi, math.pi)
    c, s = math.cos(turn), math.sin(turn)
    return flat @ np.array([[c, s], [-s, c]]) + [x, y]
