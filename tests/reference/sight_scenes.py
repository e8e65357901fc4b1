"""Scenes for line of sight: rows of base columns made by hand, batches of them, and how to move them.

Everything is made in the source's frame: Front Facing on y = 0 round x = 0, looking towards +y; round sources
centre on the origin. A base is a row x, y, heading, width, depth, radius. `posed` moves scenes anywhere.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

import ninthgeom

UP = math.pi / 2


# --- shapes by hand -------------------------------------------------------------------------------


def box(x0: float, y0: float, x1: float, y1: float) -> list[float]:
    """Rectangle along the axes."""
    return [(x0 + x1) / 2, (y0 + y1) / 2, UP, x1 - x0, y1 - y0, 0.0]


def wall(x0: float, y0: float, x1: float, y1: float, thickness: float = 0.0) -> list[float]:
    """Rectangle of the given thickness along a line."""
    heading = math.atan2(y1 - y0, x1 - x0) + UP
    return [(x0 + x1) / 2, (y0 + y1) / 2, heading, math.hypot(x1 - x0, y1 - y0), thickness, 0.0]


def disc(x: float, y: float, radius: float) -> list[float]:
    """Disc."""
    return [x, y, 0.0, 2 * radius, 2 * radius, radius]


def stadium(x0: float, y0: float, x1: float, y1: float, radius: float) -> list[float]:
    """Oval round the segment between two points."""
    x, y, heading, length = wall(x0, y0, x1, y1)[:4]
    return [x, y, heading, length + 2 * radius, 2 * radius, radius]


def point(x: float, y: float) -> list[float]:
    """Base without any extent."""
    return [x, y, 0.0, 0.0, 0.0, 0.0]


def facing(width: float, depth: float = 2.0) -> list[float]:
    """Source with its facing on y = 0."""
    return box(-width / 2, -depth, width / 2, 0.0)


# --- batches --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Pairs:
    """P questions with B blocker slots each: columns (P, 6), (P, 6), (P, B, 6), and blocks (P, B)."""

    sources: Any
    targets: Any
    blockers: Any
    blocks: Any

    def __len__(self) -> int:
        return len(self.sources)

    def __getitem__(self, key: Any) -> Pairs:
        return Pairs(self.sources[key], self.targets[key], self.blockers[key], self.blocks[key])


def moved(columns: Any, angle: Any, shift: Any) -> Any:
    """Columns turned about the origin, then shifted."""
    result = np.array(columns, dtype=float)
    c, s = np.cos(angle), np.sin(angle)
    x, y = result[..., 0].copy(), result[..., 1].copy()
    result[..., 0] = c * x - s * y + shift[..., 0]
    result[..., 1] = s * x + c * y + shift[..., 1]
    result[..., 2] += angle
    return result


def posed(pairs: Pairs, rng: Any, reach: float = 500.0) -> Pairs:
    """Each pair at its own random rotation and shift."""
    angle = rng.uniform(-math.pi, math.pi, len(pairs))
    shift = rng.uniform(-reach, reach, (len(pairs), 2))
    return replace(
        pairs,
        sources=moved(pairs.sources, angle, shift),
        targets=moved(pairs.targets, angle, shift),
        blockers=moved(pairs.blockers, angle[:, None], shift[:, None, :]),
    )


def bases_of(columns: Any) -> ninthgeom.Bases:
    """Columns as bases."""
    x, y, heading, width, depth, radius = np.moveaxis(columns, -1, 0)
    return ninthgeom.Bases(x, y, heading, width=width, depth=depth, radius=radius)


def mirrored_columns(columns: Any) -> Any:
    """Columns mirrored left to right."""
    result = np.array(columns, dtype=float)
    result[..., 0] *= -1
    result[..., 2] = math.pi - result[..., 2]
    return result


def mirrored(pairs: Pairs) -> Pairs:
    """Pairs mirrored left to right."""
    return Pairs(*(mirrored_columns(c) for c in (pairs.sources, pairs.targets, pairs.blockers)), pairs.blocks)


def joined(parts: list[Pairs]) -> Pairs:
    """One batch of several, padded with blockers that do not count."""
    slots = max(part.blocks.shape[1] for part in parts)

    def padded(part: Pairs) -> Pairs:
        missing = slots - part.blocks.shape[1]
        return replace(
            part,
            blockers=np.pad(part.blockers, ((0, 0), (0, missing), (0, 0))),
            blocks=np.pad(part.blocks, ((0, 0), (0, missing))),
        )

    wide = [padded(part) for part in parts]
    return Pairs(
        *(np.concatenate([getattr(p, k) for p in wide]) for k in ("sources", "targets", "blockers", "blocks"))
    )
