"""Battles that the tests of the rules questions share."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from ninthgeom import Attached, Board, Terrain, Unit
from tests.rules.tables import MOTIONS, Table

TERRAIN = [
    {"kind": "impassable"},
    {"kind": "hill"},
    {"kind": "hill", "height": 2},
    {"kind": "ruin", "opaque": True, "height": 3},
    {"kind": "forest"},
]
UNITS = [
    Unit("spears", (20, 20), models=13, height=1, side=0),
    Unit("guard", (25, 25), models=10, files=5, height=1, attached=[Attached("lord", (25, 25), height=3)]),
    Unit("knights", (25, 50), models=5, height=2, side=0, attached=[Attached("hero", (50, 75), height=3)]),
    Unit("mortar", 60, shape="round", height=1, side=0),
    Unit("scouts", (20, 20), models=6, files=3, height=1, side=0, formation="skirmish"),
    Unit("trolls", (40, 40), models=5, files=3, height=3, side=1),
    Unit("giant", (50, 75), height=5, side=1),
    Unit("wyrm", (50, 100), shape="oval", height=4, side=1),
    Unit("swarm", (40, 40), models=4, files=2, height=0, side=1),
]


@dataclass(frozen=True)
class Battle:
    """A board with many states of it."""

    board: Board
    positions: NDArray[np.float64]
    present: NDArray[np.bool_]
    occupied: NDArray[np.bool_]

    @property
    def masks(self) -> dict[str, Any]:
        return {"present": self.present, "occupied": self.occupied}


def star(rng: np.random.Generator, x: float, y: float, radius: float) -> NDArray[np.float64]:
    """Outline round a point, convex or not."""
    angles = np.linspace(0, 2 * np.pi, rng.integers(4, 8), endpoint=False)
    radii = radius * rng.uniform(0.5, 1.0, len(angles))
    return np.column_stack([x + radii * np.cos(angles), y + radii * np.sin(angles)])


def make_battle(seed: int, n_states: int = 30, spread: float = 5.0) -> Battle:
    """Every kind of unit and terrain close together, with some units absent and some models lost."""
    rng = np.random.default_rng(seed)
    terrain = [Terrain(star(rng, *rng.uniform(26, 46, 2), 3.0), **kind) for kind in TERRAIN]
    board = Board(UNITS, terrain)
    positions = np.empty((n_states, len(board), 3))
    positions[..., :2] = 36 + rng.normal(0, spread, (n_states, len(board), 2))
    positions[..., 2] = rng.uniform(-np.pi, np.pi, (n_states, len(board)))
    present = rng.random((n_states, len(board))) < 0.85
    occupied = board.occupied & (rng.random((n_states, board.n_models)) < 0.8)
    return Battle(board, positions, present, occupied)


@pytest.fixture(scope="session")
def battle() -> Battle:
    return make_battle(1)


@pytest.fixture(scope="session")
def battles() -> list[Battle]:
    return [make_battle(seed, n_states=20, spread=spread) for seed, spread in ((2, 3.0), (3, 5.0), (4, 9.0))]


@pytest.fixture(params=MOTIONS, ids=["home", "quarter turn", "turned", "far away"])
def table(request) -> Table:
    return Table(request.param)
