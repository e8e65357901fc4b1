"""The bases that benchmarks measure: near pairs, and a table full of them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely

from ninthgeom import Bases

Columns = dict[str, np.ndarray]


def sizes(rng: np.random.Generator, n: int, *, rounded: bool) -> Columns:
    """Headings, and sides from half an inch to 4 inches; radii up to half the smaller side."""
    width, depth = rng.uniform(0.5, 4.0, (2, n))
    radius = 0.5 * np.minimum(width, depth) * rng.random(n) if rounded else np.zeros(n)
    return {"heading": rng.uniform(-math.pi, math.pi, n), "width": width, "depth": depth, "radius": radius}


def near_columns(n: int, *, rounded: bool = False, seed: int = 1) -> tuple[Columns, Columns]:
    """Raw columns of pairs on a table whose centres are normal(0, 2.5 inches) from each other."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, 72.0, n), rng.uniform(0.0, 48.0, n)
    near_x, near_y = x + rng.normal(0.0, 2.5, n), y + rng.normal(0.0, 2.5, n)
    first = {"x": x, "y": y} | sizes(rng, n, rounded=rounded)
    return first, {"x": near_x, "y": near_y} | sizes(rng, n, rounded=rounded)


def near_pairs(n: int, *, rounded: bool = False, seed: int = 1) -> tuple[Bases, Bases]:
    """The same pairs as bases."""
    first, second = near_columns(n, rounded=rounded, seed=seed)
    return Bases(**first), Bases(**second)


def table(n: int, *, seed: int = 2) -> Bases:
    """Rectangles scattered over a table of 72 x 72 inches."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(0.0, 72.0, (2, n))
    return Bases(x, y, **sizes(rng, n, rounded=False))


def polygons(columns: Columns) -> Any:
    """Rectangles as shapely polygons, from raw columns in as few NumPy calls as it takes."""
    cos, sin = np.cos(columns["heading"]), np.sin(columns["heading"])
    along, across = 0.5 * columns["depth"], 0.5 * columns["width"]
    corners = np.empty((len(cos), 4, 2))
    for i, (f, g) in enumerate(((1, 1), (-1, 1), (-1, -1), (1, -1))):
        corners[:, i, 0] = columns["x"] + f * along * cos - g * across * sin
        corners[:, i, 1] = columns["y"] + f * along * sin + g * across * cos
    return shapely.polygons(corners)


def geometries(columns: Columns) -> Any:
    """Bases as shapely geometries; round corners with 8 edges a quarter, shapely's default."""
    radius = columns["radius"]
    core = polygons(
        columns | {"width": columns["width"] - 2.0 * radius, "depth": columns["depth"] - 2.0 * radius}
    )
    return shapely.buffer(core, radius, quad_segs=8) if radius.any() else core
