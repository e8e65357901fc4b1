"""Tables set up by hand, in inches: discs and ovals with names, walls, and where they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ninthgeom import Board, Terrain, Unit

INCH = 25.4
Point = tuple[float, float]


class Tabletop:
    """Models and terrain of one state; models come in the order in which they are set."""

    def __init__(self, width: float = 60.0, height: float = 44.0) -> None:
        self.size = (width, height)
        self.units: list[Unit] = []
        self.places: list[tuple[float, float, float]] = []
        self.terrain: list[Terrain] = []

    def disc(
        self, name: str, x: float, y: float, diameter: float = 1.0, *, mm: float | None = None, **more: Any
    ) -> None:
        """Set a round base; the letters of its name are its group unless one is given."""
        more.setdefault("group", name.rstrip("0123456789"))
        base = diameter * INCH if mm is None else mm
        self.units.append(Unit(name, base, shape="round", **more))
        self.places.append((x, y, 0.0))

    def oval(
        self, name: str, x: float, y: float, degrees: float = 0.0, *, size: Point = (40.0, 100.0), **more: Any
    ) -> None:
        """Set an oval base, in millimetres across and along its heading."""
        more.setdefault("group", name.rstrip("0123456789"))
        self.units.append(Unit(name, size, shape="oval", **more))
        self.places.append((x, y, math.radians(degrees)))

    def wall(self, *points: Point, height: int | None = None) -> None:
        self.terrain.append(Terrain(points, kind="wall", height=height))

    def box(self, x0: float, y0: float, x1: float, y1: float, *, height: int | None = None) -> None:
        self.wall((x0, y0), (x1, y0), (x1, y1), (x0, y1), height=height)

    @property
    def board(self) -> Board:
        return Board(self.units, self.terrain, self.size)

    @property
    def positions(self) -> Any:
        return np.array(self.places).reshape(-1, 3)

    @property
    def both(self) -> tuple[Board, Any]:
        return self.board, self.positions

    def piece(self, terrain: int) -> int:
        """Number of a piece of terrain in the answers about gaps."""
        return len(self.units) + terrain


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    return math.hypot(one[0] - other[0], one[1] - other[1])
