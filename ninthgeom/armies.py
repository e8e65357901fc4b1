"""Armies and battles for tests, benchmarks and demonstrations, composed as tournament armies are.

Numbers of units, models and characters, bases and heights follow 400 tournament lists; formations follow
what is usual for the bases. Everything depends on the seed alone.
"""

from __future__ import annotations

import math
import string
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator

from ninthgeom._army_statistics import ENTRIES_PER_ARMY, MODELS, PROFILES, Profile
from ninthgeom._checks import PlacedError, PlacedValueError, choice, whole
from ninthgeom._deployment import deploy
from ninthgeom.attached import Attached
from ninthgeom.board import Board
from ninthgeom.scene import Scene
from ninthgeom.unit import Unit

__all__ = ["army_from_list", "deploy_armies", "generate_army", "generate_battle"]

Deployment: TypeAlias = Literal["scattered", "battle_lines"]
Seed: TypeAlias = int | Sequence[int]

#: Pieces of terrain on a table, both ends included, where no number is given.
USUAL_TERRAIN: Final = (6, 10)

# Share of the characters that join a unit of a fitting base when there is one, which leaves 8 to 12 units
# of a usual army on the table.
_JOINS: Final = 0.8
_MOST_ATTACHED: Final = 2


def generate_army(rng: Generator, side: int = 0, units: int | None = None) -> tuple[Unit, ...]:
    """Make an army.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    side : int
        Side of the units; names start with its letter.
    units : int, optional
        Number of units on the table, joined characters not counted; by default as tournament armies have.

    Returns
    -------
    tuple of Unit
        The army, characters with bases that match a unit mostly attached to one.

    Examples
    --------
    >>> army = generate_army(np.random.default_rng(1), units=12)
    >>> len(army), army[0].name
    (12, 'A1 cavalry')
    """
    most_units = math.inf if units is None else whole(units, ("units",), 0)
    most_entries = _drawn(rng, ENTRIES_PER_ARMY) if units is None else math.inf
    army: list[Unit] = []
    # Characters that want to join somebody; until then, and in the end, they are units of their own.
    alone: list[Unit] = []
    entries = 0
    while entries < most_entries and len(army) + len(alone) < most_units:
        entries += 1
        profile = PROFILES[_drawn(rng, _PROFILE_WEIGHTS)]
        unit = _unit(rng, profile, f"{_letter(side)}{entries}", side)
        waits = profile.role == "character" and rng.random() < _JOINS
        (alone if waits else army).append(unit)
        alone = [character for character in alone if not _joins(rng, character, army)]
    return (*army, *alone)


def army_from_list(entry: Mapping[str, Any], side: int = 0) -> tuple[Unit, ...]:
    """Make the units of an army list, each on its own and in a usual formation.

    Parameters
    ----------
    entry : mapping
        ``{"units": [{"name", "models", "base_mm", "height"}, ...]}``; other keys are not looked at. A
        ``base_mm`` of one number is the diameter of a round base.
    side : int
        Side of the units; names start with its letter and the number in the list.

    Returns
    -------
    tuple of Unit
        One unit for each entry, in the same order.

    Examples
    --------
    >>> goblins = {"name": "Goblins", "models": 30, "base_mm": [20, 20], "height": "Standard"}
    >>> unit, = army_from_list({"units": [goblins]}, side=1)
    >>> unit.name, unit.files, unit.ranks
    ('B1 Goblins', 6, 5)
    """
    army = []
    for i, line in enumerate(entry["units"]):
        base, models = line["base_mm"], line["models"]
        is_round = not isinstance(base, Sequence)
        try:
            army.append(
                Unit(
                    f"{_letter(side)}{i + 1} {line['name']}",
                    base,
                    shape="round" if is_round else "rect",
                    models=models,
                    files=1 if is_round else _usual_files(base, models)[0],
                    side=side,
                    height=line["height"],
                )
            )
        except PlacedError as error:
            raise error.below("units", i) from None
    return tuple(army)


def generate_battle(
    seed: Seed,
    *,
    units_per_side: int | None = None,
    terrain: int | None = None,
    table: Sequence[float] = (72.0, 48.0),
    deployment: Deployment = "scattered",
) -> Scene:
    """Make a battle of two armies.

    Parameters
    ----------
    seed : int or sequence of int
        What everything depends on.
    units_per_side : int, optional
        Units of each side on the table; by default as tournament armies have.
    terrain : int, optional
        Pieces of terrain; 6 to 10 by default.
    table : (float, float)
        Width and height of the table in inches.
    deployment : {"scattered", "battle_lines"}
        Units anywhere in any direction, or in two lines that face each other.

    Returns
    -------
    Scene
        Units more than an inch from each other and from terrain, everything on the table.

    Raises
    ------
    ValueError
        If the table is too small.

    Examples
    --------
    >>> scene = generate_battle(1, units_per_side=12, terrain=8)
    >>> len(scene.board), len(scene.board.terrain)
    (24, 8)
    """
    rng = np.random.default_rng(seed)
    units = [unit for side in range(2) for unit in generate_army(rng, side, units_per_side)]
    return _deployed(rng, units, terrain, table, deployment)


def deploy_armies(
    units: Sequence[Unit],
    seed: Seed,
    *,
    terrain: int | None = None,
    table: Sequence[float] = (72.0, 48.0),
    deployment: Deployment = "scattered",
) -> Scene:
    """Set up a battle of given armies.

    Parameters
    ----------
    units : sequence of Unit
        The units of both sides.
    seed, terrain, table, deployment
        As for `generate_battle`.

    Returns
    -------
    Scene
        As from `generate_battle`.

    Examples
    --------
    >>> giants = [Unit(f"giant {side}", (50, 75), height=5, side=side) for side in range(2)]
    >>> deploy_armies(giants, 1, terrain=0, deployment="battle_lines").positions.shape
    (2, 3)
    """
    return _deployed(np.random.default_rng(seed), units, terrain, table, deployment)


def _deployed(
    rng: Generator,
    units: Sequence[Unit],
    terrain: int | None,
    table: Sequence[float],
    deployment: str,
) -> Scene:
    choice(deployment, ("deployment",), get_args(Deployment))
    size = Board(units, size=table).size
    sides = {unit.side for unit in units}
    if deployment == "battle_lines" and len(sides) > 2:
        raise PlacedValueError(("units",), f"battle lines need at most two sides, got {len(sides)}")
    low, high = USUAL_TERRAIN
    pieces = int(rng.integers(low, high + 1)) if terrain is None else whole(terrain, ("terrain",), 0)
    features, positions = deploy(rng, units, pieces, size, in_lines=deployment == "battle_lines")
    return Scene(Board(units, features, size), positions)


def _unit(rng: Generator, profile: Profile, number: str, side: int) -> Unit:
    base = profile.base_mm
    name = f"{number} {_word(profile)}"
    if isinstance(base, int):
        return Unit(name, base, shape="round", side=side, height=profile.height)
    models = _drawn(rng, MODELS[base]) if profile.role == "unit" else 1
    fewest, most = _usual_files(base, models)
    files = int(rng.integers(fewest, most + 1))
    return Unit(name, base, models=models, files=files, side=side, height=profile.height)


def _joins(rng: Generator, alone: Unit, army: list[Unit]) -> bool:
    """Attach a character to a unit of the army with a fitting base, if there is one."""
    character = Attached(alone.name, alone.base_mm, height=alone.height)
    for i in rng.permutation(len(army)).tolist():
        unit = army[i]
        alike = unit.models > 1 and unit.height == alone.height and len(unit.attached) < _MOST_ATTACHED
        matching = all(own % slot == 0 for own, slot in zip(alone.base_mm, unit.base_mm, strict=True))
        if alike and matching and alone.base_mm[0] <= unit.files * unit.base_mm[0]:
            try:
                army[i] = replace(unit, attached=(*unit.attached, character))
            except PlacedError:  # the front rank is full
                continue
            return True
    return False


def _usual_files(base: Sequence[float], models: int) -> tuple[int, int]:
    """Fewest and most files that units of this base and number usually stand in."""
    width, depth = base
    if max(width, depth) <= 25:  # infantry: 5 x 4 to 10 x 4
        fewest, most, deepest = 5, 10, 5
    elif width <= 25:  # cavalry: 5 x 1 to 6 x 2
        fewest, most, deepest = 5, 6, 3
    elif max(width, depth) <= 60:  # large infantry: 3 x 2 to 4 x 3
        fewest, most, deepest = 3, 4, 4
    else:
        fewest, most, deepest = 3, 5, 2
    fewest = min(models, max(fewest, math.ceil(models / deepest)))
    return fewest, min(models, max(fewest, most))


def _word(profile: Profile) -> str:
    base = profile.base_mm
    if profile.role == "character":
        return "character"
    if isinstance(base, int):
        return "war machine"
    if profile.height == "Gigantic":
        return "giant"
    if base[0] <= 25:
        return "infantry" if base[1] <= 25 else "cavalry"
    if base[1] <= 40:
        return "large infantry"
    return "beast" if profile.role == "single" else "large cavalry"


def _letter(side: int) -> str:
    letters = string.ascii_uppercase
    return letters[side] if 0 <= side < len(letters) else f"{side}-"


_PROFILE_WEIGHTS: Final = {i: profile.entries for i, profile in enumerate(PROFILES)}


def _drawn(rng: Generator, weights: Mapping[int, int]) -> int:
    """Draw a key with a chance proportional to its value."""
    total = np.cumsum(list(weights.values()))
    return list(weights)[int(np.searchsorted(total, rng.integers(total[-1]), side="right"))]
