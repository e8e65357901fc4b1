"""Random states of a game for mass evaluation: poses, dice, losses and deployments, many at a time.

Every sampler takes a generator of random numbers first and makes all its samples in one call, so a function
``sample(rng, n)`` that asks a question about what they return is what `montecarlo.estimate` takes. The same
state of the generator and the same arguments give the same bits; fewer samples are not the first of more.

Boards and scenes come from `armies.generate_battle` and `armies.deploy_armies`, from army lists
(`armies.army_from_list`) or from a file (`read_scene`).

Examples
--------
How often does each unit of a battle see each other one, if it stands up to an inch and 15 degrees off?

>>> import numpy as np
>>> from ninthgeom import armies, samplers, t9a
>>> scene = armies.generate_battle(1, units_per_side=3)
>>> states = samplers.pose_jitter(np.random.default_rng(1), scene, 200)
>>> t9a.line_of_sight(scene.board, states).mean(axis=0).shape
(6, 6)

The same after losses that are drawn too, of a battle from a file as of any other:

>>> import tempfile
>>> from pathlib import Path
>>> from ninthgeom import read_scene, write_scene
>>> with tempfile.TemporaryDirectory() as folder:
...     write_scene(Path(folder, "scene.json"), scene)
...     scene = read_scene(Path(folder, "scene.json"))
>>> rng = np.random.default_rng(2)
>>> states = samplers.pose_jitter(rng, scene, 200)
>>> living = samplers.casualties(rng, scene.board, 200, chances=0.2, occupied=scene.occupied)
>>> t9a.line_of_sight(scene.board, states, present=scene.present, occupied=living).shape
(200, 6, 6)
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias, get_args

import numpy as np
from numpy.random import Generator
from numpy.typing import ArrayLike

from ninthgeom._arrays import LARGEST_NUMBER, FloatArray, as_floats, check_range
from ninthgeom._casualties import LossOrder, casualties
from ninthgeom._checks import PlacedValueError, choice, real, whole
from ninthgeom._dice import charge_distances, scatter
from ninthgeom._sampler_arguments import check_rng, for_states, one_mask, one_or_each
from ninthgeom._states import Units, check_board, unit_indices
from ninthgeom.board import Board
from ninthgeom.scene import Scene

if TYPE_CHECKING:
    import shapely

__all__ = [
    "JitterKind",
    "LossOrder",
    "Zone",
    "casualties",
    "charge_distances",
    "deployments",
    "pose_jitter",
    "scatter",
]

#: How offsets and turns are spread: anything up to a bound alike, or by a normal distribution.
JitterKind: TypeAlias = Literal["uniform", "normal"]
#: Where units are deployed: a polygon, or the vertices of one in inches.
Zone: TypeAlias = "ArrayLike | shapely.Polygon"

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
    check_rng(rng)
    if not isinstance(scene, Scene):
        raise TypeError(f"scene must be Scene, got {type(scene).__name__}")
    whole(n, ("n",), 0)
    board = scene.board
    spread = one_or_each("distance", distance, len(board))
    turn = one_or_each("angle", angle, len(board))
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


def deployments(
    rng: Generator,
    board: Board,
    n: int,
    *,
    zones: Mapping[Any, Zone] | Sequence[Zone],
    spacing: float = 1.0,
    headings: ArrayLike | None = None,
    attempts: int = 1000,
    restarts: int = 0,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
) -> FloatArray:
    """Deploy all units at random in their zones, apart from each other and from impassable terrain.

    Units are set one after another, the largest boundary first, of equal ones the first of the board. Each
    stands uniformly over the poses (x, y and heading, or x and y) that are free then, whatever comes later
    (random sequential addition): poses are drawn until one is free. Free is one whose Unit Boundary

    * lies wholly in its zone, edges included, and wholly on the table,
    * is more than `spacing` from those of all units set before, of whatever side, and
    * is more than `spacing` from all impassable terrain (rules page Unit Spacing). Other terrain does not
      count.

    Parameters
    ----------
    rng : numpy.random.Generator
        Source of chance.
    board : Board
        The units, the table and its terrain.
    n : int
        Number of states.
    zones : mapping or sequence of polygons
        Where the units may stand: for sides (whole numbers) and units (names) their polygon, that of the unit
        itself first, or one polygon for each unit in the order of the board. A polygon is an array of
        vertices, shape (v, 2), or of shapely; see `Polygons`. It may have notches and holes, overlap with
        others and reach beyond the table.
    spacing : float
        Inches, not negative, that units must be further apart than, by more than ``TOLERANCE``; with 0 they
        must not touch.
    headings : array_like, shape () or (U,) or (n, U), optional
        Headings in radians, whatever they are of units that are not to be set; by default they are drawn
        with x and y, and directions with more room are more likely.
    attempts : int
        How many poses are tried for one unit in one state.
    restarts : int
        How often a state is begun anew, from the first unit on, if one finds no place: in crowded zones
        those before it may have left none, in a few of many states. What is returned then are deployments
        as above on condition that all units found a place.
    present : array_like of bool, shape (U,), optional
        Units to set; all by default.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model, for the boundaries; those of full strength by default. A unit
        without any is a point and set after all others, so that it takes no room from them.

    Returns
    -------
    ndarray of float64, shape (n, U, 3)
        Positions; NaN of units that are not to be set, which no question looks at with the same `present`.
        A `Scene` takes no NaN: ``np.nan_to_num`` of a state.

    Raises
    ------
    TypeError, ValueError
        If an argument cannot be used: a unit without a zone, a polygon that crosses itself.
    ValueError
        If a unit found no place in a state, after all restarts; the message names both.

    See Also
    --------
    armies.deploy_armies : one battle with terrain of its own, for units of any number of sides.
    t9a.legal : whether units may stand where they are.

    Examples
    --------
    Two armies within 12 inches of their table edges, facing each other:

    >>> import numpy as np
    >>> from ninthgeom import Board, armies, t9a
    >>> from ninthgeom.samplers import deployments
    >>> board = armies.generate_battle(1, units_per_side=5).board
    >>> zones = {0: [(0, 0), (72, 0), (72, 12), (0, 12)], 1: [(0, 36), (72, 36), (72, 48), (0, 48)]}
    >>> headings = np.where(board.side == 0, np.pi / 2, -np.pi / 2)
    >>> states = deployments(np.random.default_rng(1), board, 100, zones=zones, headings=headings)
    >>> states.shape, bool(t9a.legal(board, states).all())
    ((100, 10, 3), True)
    """
    from ninthgeom import _free_poses  # brings shapely along, which the other samplers do without

    check_rng(rng)
    check_board(board)
    whole(n, ("n",), 0)
    apart = real(spacing, ("spacing",))
    if apart < 0:
        raise PlacedValueError(("spacing",), f"must not be negative, got {spacing}")
    whole(attempts, ("attempts",), 1)
    whole(restarts, ("restarts",), 0)
    here, living = (
        one_mask(name, mask, length)
        for name, mask, length in (("present", present, len(board)), ("occupied", occupied, board.n_models))
    )
    facing = None
    if headings is not None:
        given = as_floats("headings", headings)
        facing = for_states("headings", given, n, len(board))
        if here is not None and given.ndim:
            given = np.where(here, given, 0.0)
            facing = for_states("headings", given, n, len(board))
        check_range("headings", given, -LARGEST_NUMBER, LARGEST_NUMBER)
    there = np.arange(len(board)) if here is None else np.flatnonzero(here)
    asked = _free_poses.Asked.of(board, zones, there, apart, living)
    return asked.draw(rng, n, facing, attempts, restarts)
