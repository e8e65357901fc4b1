"""Where generated armies and terrain stand: at random, but nothing on top of anything else."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Final

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray
from ninthgeom._scene_json import radians
from ninthgeom.board import Board
from ninthgeom.terrain import Terrain, TerrainKind
from ninthgeom.unit import Unit

# Units must be more than an inch from each other and from terrain that nobody can enter.
CLEARANCE: Final = 1.05
_TABLES: Final = 20
_CANDIDATES: Final = 64
_BATCHES: Final = 10

# Opaque kinds are a third, as hills and impassable terrain usually are the smaller part of a table.
_KINDS: Final[dict[TerrainKind, int]] = {
    "hill": 2,
    "forest": 2,
    "impassable": 1,
    "field": 1,
    "ruin": 1,
    "water": 1,
    "wall": 1,
}
_SMALLEST, _LARGEST = 4.0, 10.0
_THINNEST, _THICKEST = 0.5, 1.0
_TILT_DEGREES: Final = 5.0


class NoRoomError(ValueError):
    """Something did not fit on the table."""


class _Table:
    """What stands on a table so far, as polygons."""

    def __init__(self, size: tuple[float, float]) -> None:
        self.size = np.array(size)
        self._polygons: list[FloatArray] = []

    def add(self, polygon: FloatArray) -> None:
        """Take the place of a polygon, without a check."""
        self._polygons.append(polygon)

    def first_free(self, candidates: FloatArray) -> int | None:
        """Return the index of the first of several polygons, shape (n, vertices, 2), that has room."""
        import shapely

        free = ((candidates >= 0) & (candidates <= self.size)).all(axis=(1, 2))
        if self._polygons:
            standing = np.array([shapely.Polygon(polygon) for polygon in self._polygons])
            wished = np.array([shapely.Polygon(polygon) for polygon in candidates])
            distances = shapely.distance(wished[:, None], standing)
            free &= (distances > CLEARANCE).all(axis=1)
        return int(free.argmax()) if free.any() else None


def deploy(
    rng: Generator, units: Sequence[Unit], n_terrain: int, size: tuple[float, float], *, in_lines: bool
) -> tuple[list[Terrain], FloatArray]:
    """Place units and terrain on a table.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    units : sequence of Unit
        Units to place.
    n_terrain : int
        Pieces of terrain to make.
    size : (float, float)
        Width and height of the table in inches.
    in_lines : bool
        Whether two sides face each other in battle lines instead of being scattered.

    Returns
    -------
    terrain : list of Terrain
        Terrain, apart from the units and from each other.
    positions : ndarray of float64, shape (U, 3)
        Positions of the units.

    Raises
    ------
    NoRoomError
        If there is no room for all of them.
    """
    once = _deploy_in_lines if in_lines else _deploy_scattered
    for _ in range(_TABLES - 1):
        with contextlib.suppress(NoRoomError):
            return once(rng, units, n_terrain, size)
    return once(rng, units, n_terrain, size)


def _deploy_in_lines(
    rng: Generator, units: Sequence[Unit], n_terrain: int, size: tuple[float, float]
) -> tuple[list[Terrain], FloatArray]:
    table = _Table(size)
    positions = _battle_lines(rng, units, size)
    for corners in Board(units).boundaries(positions).corners():
        table.add(corners)
    return _make_terrain(rng, table, n_terrain), positions


def _deploy_scattered(
    rng: Generator, units: Sequence[Unit], n_terrain: int, size: tuple[float, float]
) -> tuple[list[Terrain], FloatArray]:
    table = _Table(size)
    terrain = _make_terrain(rng, table, n_terrain)
    return terrain, _scattered(rng, table, units)


def _scattered(rng: Generator, table: _Table, units: Sequence[Unit]) -> FloatArray:
    """Place units anywhere, in any direction, the largest first."""
    positions = np.empty((len(units), 3))
    area = [Board([unit]).boundaries(np.zeros((1, 3))).area.item() for unit in units]
    for i in sorted(range(len(units)), key=lambda i: -area[i]):
        board = Board([units[i]])
        for _ in range(_BATCHES):
            wished = np.empty((_CANDIDATES, 1, 3))
            wished[:, 0, :2] = _grid(rng.uniform(0, table.size, (_CANDIDATES, 2)))
            wished[:, 0, 2] = _headings(rng.uniform(0, 360, _CANDIDATES))
            corners = board.boundaries(wished).corners()[:, 0]
            chosen = table.first_free(corners)
            if chosen is not None:
                positions[i] = wished[chosen, 0]
                table.add(corners[chosen])
                break
        else:
            raise NoRoomError(f"no room for unit {units[i].name!r}")
    return positions


def _battle_lines(rng: Generator, units: Sequence[Unit], size: tuple[float, float]) -> FloatArray:
    """Draw up two sides in lines that face each other, the first side at the lower edge of the table."""
    positions = np.empty((len(units), 3))
    for row, side in enumerate(sorted({unit.side for unit in units})):
        own = [i for i, unit in enumerate(units) if unit.side == side]
        tilt = rng.uniform(-_TILT_DEGREES, _TILT_DEGREES, len(own))
        places = _one_line(rng, [units[i] for i in own], _headings(90 + tilt), size)
        positions[own, :2] = places if row == 0 else _grid(size - places)
        positions[own, 2] = _headings((90 if row == 0 else 270) + tilt)
    return positions


def _one_line(
    rng: Generator, units: Sequence[Unit], headings: FloatArray, size: tuple[float, float]
) -> FloatArray:
    """Return x and y of a side in rows that face about +y, the units with most models in front."""
    width, height = size
    at_origin = np.zeros((len(units), 3))
    at_origin[:, 2] = headings
    boxes = Board(units).boundaries(at_origin).bounds
    spans = boxes[:, 2:] - boxes[:, :2]
    chance = rng.random(len(units))
    order = sorted(range(len(units)), key=lambda i: (-min(units[i].models, 3), chance[i]))
    rows: list[list[int]] = [[]]
    used = 0.0
    for i in order:
        used += spans[i, 0] + CLEARANCE
        if used > width - CLEARANCE and rows[-1]:
            rows.append([])
            used = spans[i, 0] + CLEARANCE
        rows[-1].append(i)
    depths = [max(spans[i, 1] for i in row) + CLEARANCE for row in rows]
    front = max(height / 4, sum(depths))
    if front > (height - CLEARANCE) / 2 or any(
        sum(spans[i, 0] + CLEARANCE for i in row) > width - CLEARANCE for row in rows
    ):
        raise NoRoomError(f"no room for a line of {len(units)} units")
    places = np.empty((len(units), 2))
    for row, depth in zip(rows, depths, strict=True):
        rng.shuffle(row)
        slack = width - CLEARANCE - sum(spans[i, 0] + CLEARANCE for i in row)
        gaps = slack * rng.dirichlet(np.ones(len(row) + 1))
        x = CLEARANCE
        for i, gap in zip(row, gaps[:-1], strict=True):
            x += gap
            # Bounds were measured from the position: the box starts at x and ends at the front of the row.
            places[i] = _grid(np.array([x - boxes[i, 0], front - boxes[i, 3]]))
            x += spans[i, 0] + CLEARANCE
        front -= depth
    return places


def _make_terrain(rng: Generator, table: _Table, n: int) -> list[Terrain]:
    kinds = list(_KINDS)
    chances = np.array(list(_KINDS.values())) / sum(_KINDS.values())
    terrain = []
    for kind in rng.choice(len(kinds), size=n, p=chances):
        outline = _outline(rng, kinds[kind])
        for _ in range(_BATCHES):
            candidates = _grid(outline + rng.uniform(0, table.size, (_CANDIDATES, 1, 2)))
            chosen = table.first_free(candidates)
            if chosen is not None:
                table.add(candidates[chosen])
                terrain.append(Terrain(candidates[chosen], kind=kinds[kind]))
                break
        else:
            raise NoRoomError(f"no room for {n} pieces of terrain")
    return terrain


def _outline(rng: Generator, kind: TerrainKind) -> FloatArray:
    """Make a convex outline round (0, 0): a polygon in an ellipse, of a wall a thin bar."""
    width, height = rng.uniform(_SMALLEST, _LARGEST, 2)
    if kind == "wall":
        height = rng.uniform(_THINNEST, _THICKEST)
        outline = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2.0
    else:
        n = int(rng.integers(5, 10))
        angles = 2 * math.pi * (np.arange(n) + rng.uniform(0, 0.7, n)) / n
        outline = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        low, high = outline.min(axis=0), outline.max(axis=0)
        outline = (outline - (low + high) / 2) / (high - low)
    turn = rng.uniform(0, 2 * math.pi)
    rotation = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    turned: FloatArray = outline * (width, height) @ rotation
    return turned


def _grid(values: NDArray[np.float64]) -> FloatArray:
    """Round to thousandths of an inch, so that files stay readable."""
    return np.round(values, 3)


def _headings(degrees: FloatArray) -> FloatArray:
    """Turn degrees, rounded to tenths, into radians as scene files do."""
    return np.array([radians(Decimal(round(10 * angle)) / 10) for angle in degrees.tolist()])
