"""Random states of a game for mass evaluation: poses, dice, losses and deployments, many at a time.

Every sampler takes a generator of random numbers first and makes all its samples in one call, so that
``lambda rng, n: ...`` of a sampler and a question is what `montecarlo.estimate` asks for. The same generator
state and the same arguments give the same bits; fewer samples are in general not the first of more.

Scenes come from `generate_battle` and `deploy_armies` of `armies`, or from a file by `read_scene`.

Examples
--------
How often does each unit of a battle see each other one, if nobody is sure to within an inch and 15 degrees?

>>> import numpy as np
>>> from ninthgeom import armies, samplers, t9a
>>> scene = armies.generate_battle(1, units_per_side=3)
>>> states = samplers.pose_jitter(np.random.default_rng(1), scene, 200)
>>> t9a.line_of_sight(scene.board, states).mean(axis=0).shape
(6, 6)
"""

from __future__ import annotations

import math
from typing import Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from ninthgeom._arrays import FloatArray, as_floats, check_range
from ninthgeom._checks import choice, whole
from ninthgeom._constants import LARGEST_COORDINATE
from ninthgeom._states import Units, unit_indices
from ninthgeom.scene import Scene

__all__ = ["pose_jitter"]

JitterKind: TypeAlias = Literal["uniform", "normal"]

_USUAL_TURN: Final = math.radians(15)


def pose_jitter(
    rng: Generator,
    scene: Scene,
    n: int,
    *,
    distance: ArrayLike = 1.0,
    angle: ArrayLike = _USUAL_TURN,
    kind: JitterKind = "uniform",
    units: Units = None,
) -> FloatArray:
    """Move and turn the units of a scene a little, many times; nothing keeps them from overlapping.

    The centre of a unit (`Board.centres`) is moved and the unit turned about it, all units independently of
    each other, in all directions alike.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    scene : Scene
        Where the units start.
    n : int
        Number of states.
    distance : array_like, shape () or (U,)
        In inches, for all units or for each: how far the centre moves at most (``"uniform"``), or the
        standard deviation of its x and of its y (``"normal"``).
    angle : array_like, shape () or (U,)
        In radians: how far the unit turns at most to either side, or the standard deviation of its heading.
    kind : {"uniform", "normal"}
        Uniform in the disc of this radius and between both angles, or normal without any bound.
    units : sequence of int or str, optional
        Units that are moved; all by default. The others stay where they are, and so do units that are not on
        the table in the scene. What a unit does does not depend on which others are moved.

    Returns
    -------
    ndarray of float64, shape (n, U, 3)
        Positions.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used: a negative distance or angle, a unit that is not known; or if a
        unit leaves the coordinates that a position can have.

    Examples
    --------
    >>> import numpy as np
    >>> from ninthgeom import armies
    >>> from ninthgeom.samplers import pose_jitter
    >>> scene = armies.generate_battle(1, units_per_side=12)
    >>> pose_jitter(np.random.default_rng(1), scene, 1000).shape
    (1000, 24, 3)
    """
    _check_rng(rng)
    if not isinstance(scene, Scene):
        raise TypeError(f"scene must be Scene, got {type(scene).__name__}")
    whole(n, ("n",), 0)
    board = scene.board
    spread = _one_or_each("distance", distance, len(board))
    turn = _one_or_each("angle", angle, len(board))
    choice(kind, ("kind",), get_args(JitterKind))
    moves = np.zeros(len(board), dtype=np.bool_)
    moves[unit_indices(board, units, "units")] = True
    if scene.present is not None:
        moves &= scene.present
    shape = (n, len(board))
    centres = np.tile(board.centres(scene.positions), (n, 1, 1))
    if kind == "uniform":
        direction = rng.uniform(0, 2 * math.pi, shape)
        # The root spreads the centres evenly over the disc.
        moved = spread * np.sqrt(rng.random(shape))
        centres[..., 0] += moved * np.cos(direction)
        centres[..., 1] += moved * np.sin(direction)
        centres[..., 2] += rng.uniform(-turn, turn, shape)
    else:
        centres[..., 0] += spread * rng.standard_normal(shape)
        centres[..., 1] += spread * rng.standard_normal(shape)
        centres[..., 2] += turn * rng.standard_normal(shape)
    if moves.all():
        return board.positions_from_centres(centres)
    positions = np.tile(scene.positions, (n, 1, 1))
    centres[:, ~moves] = 0.0
    positions[:, moves] = board.positions_from_centres(centres)[:, moves]
    return positions


def _check_rng(rng: object) -> None:
    if not isinstance(rng, Generator):
        raise TypeError(f"rng must be a numpy.random.Generator, got {rng!r}; default_rng(seed) makes one")


def _one_or_each(name: str, value: ArrayLike, n_units: int) -> FloatArray:
    """Return a length or an angle for all units or one for each."""
    array = as_floats(name, value)
    if array.shape not in ((), (n_units,)):
        raise ValueError(f"{name} must be one number or {n_units}, one a unit, got shape {array.shape}")
    check_range(name, array, 0.0, LARGEST_COORDINATE)
    return array
