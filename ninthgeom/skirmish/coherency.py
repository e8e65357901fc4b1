"""Unit Coherency, and what follows from it: who may control a marker, which deployment is legal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom.skirmish._coherency import Question
from ninthgeom.skirmish._control import Control
from ninthgeom.skirmish._leaders import Leaders
from ninthgeom.skirmish.ground import Ground
from ninthgeom.skirmish.rules import STANDARD, Rules

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.board import Board
    from ninthgeom.polygons import Polygons


@dataclass(frozen=True, eq=False)
class Coherency:
    """Which groups are in coherency, and which models are the reason where one is not.

    Attributes
    ----------
    in_coherency : ndarray of bool, shape (..., G)
        Whether every present model of the group is both within the radius and linked. False for groups that
        were not asked about.
    within_radius : ndarray of bool, shape (..., U)
        Whether the model is wholly within the radius of its leader. False for absent models.
    linked : ndarray of bool, shape (..., U)
        Whether a Coherency Link joins the model to its leader; the leader is linked to itself. False for
        absent models.
    """

    in_coherency: BoolArray
    within_radius: BoolArray
    linked: BoolArray


def coherency(
    board: Board,
    positions: ArrayLike,
    leaders: Leaders,
    *,
    radius: ArrayLike = 3.0,
    ground: Ground | None = None,
    rules: Rules = STANDARD,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Coherency:
    """Return which groups are in coherency, and which condition each model meets.

    A group is in coherency if every model of it is wholly within the radius of the Leading Model and linked
    to it: by a chain of lines from model to model of the group, none of which passes a model of another
    group, terrain, or a gap that is too narrow for the leader. A line runs from any point of one base to any
    point of the other; if one is free, it is found. It may touch what it must not pass, it may pass enemies
    that the group is Engaged with, access areas of the ground, and models of its own group. Links of a flying
    leader pass everything.

    The rules ask this once: at the end of an action that sets models. Casualties never change the answer
    until the next such action, so keep it, and take no new one because models have died.

    Parameters
    ----------
    board : Board
        Single models; `Unit.group` says who belongs together.
    positions : array_like, shape (..., U, 3)
        x, y and heading of each model, in inches and radians; the leading axes are states.
    leaders : array_like of int, shape (..., G), or sequence of names
        Index of the Leading Model of each group, in the order of `Board.group`; -1 where nothing is asked,
        among names too.
    radius : array_like, shape (..., G), optional
        How near models must be, in inches; 3 unless a unit's card says otherwise. Broadcasts.
    ground : Ground, optional
        What is agreed about terrain; by default all terrain of the board stops links.
    rules : Rules, optional
        The reading of the rules: what the radius is measured from, which lines and enemies count, how wide
        gaps must be.
    present : array_like of bool, shape (..., U), optional
        Who is on the table; all by default. Positions of absent models are not looked at.
    tol : float, optional
        Tolerance in inches, at least 1e-8: how much further than the radius a model may reach, how deep a
        line may pass into an obstacle, and how much narrower a gap may be.
    workers : int, optional
        Threads; -1 takes every core the process may use. The answer does not depend on it.

    Returns
    -------
    Coherency
        Masks over groups and models. A leader alone is in coherency. Empty without states or models.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If a shape does not fit the board or the other arguments, a unit of the board is several models, a
        leader is absent or of another group, or a number is out of its range. The message names argument,
        index and value.

    See Also
    --------
    may_control, deployment_legal : what follows from it.

    Notes
    -----
    Rules page Measuring and movement: Within vs. Wholly Within, Unit Coherency, Gap Clearance and model Size.
    Exactly the radius is within it, and a gap of exactly the width is wide enough. Pieces in contact leave no
    gap. A model over a gap may be linked on both sides of it, since a line starts where it leaves the base.

    Examples
    --------
    Two walkers on bases of 80 mm can never be within 3 inches, so their card says 4:

    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.skirmish import coherency
    >>> walkers = [Unit(name, 80, shape="round", size=3, group="walkers") for name in "ab"]
    >>> board = Board(walkers)
    >>> positions = [[10, 10, 0], [10, 10 + 80 / 25.4, 0]]
    >>> coherency(board, positions, ["a"]).in_coherency
    array([False])
    >>> coherency(board, positions, ["a"], radius=4).in_coherency
    array([ True])

    The model in the middle of a chain dies: the answer from before stays, whatever a new one would be.

    >>> from ninthgeom import Terrain
    >>> wall = Terrain([(12.8, 8), (13.2, 8), (13.2, 10.6), (12.8, 10.6)], kind="wall")
    >>> squad = [Unit(name, 32, shape="round", group="squad") for name in "abc"]
    >>> board = Board(squad, [wall])
    >>> positions = [[12, 9, 0], [13, 11.5, 0], [14, 9, 0]]
    >>> snapshot = coherency(board, positions, ["a"])
    >>> snapshot.in_coherency
    array([ True])
    >>> coherency(board, positions, ["a"], present=[True, False, True]).linked
    array([ True, False, False])
    """
    question = Question.of(board, positions, leaders, radius, ground, rules, present, tol, workers)
    return Coherency(*question.answer())


def may_control(
    board: Board,
    positions: ArrayLike,
    markers: Bases,
    in_coherency: ArrayLike,
    *,
    distance: float = 3.0,
    sight: bool = False,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return which groups may control or contest which markers.

    A group that is out of coherency may not. Of the others those may that have a model near the marker: no
    further from its edge than `distance`, and, with `sight`, one of those that are so near must see it.

    Parameters
    ----------
    board, positions, present, workers
        As in `coherency`.
    markers : Bases, shape (k,)
        The markers, the same in all states.
    in_coherency : array_like of bool, shape (..., G)
        `Coherency.in_coherency` at the end of the last action of each group that set its models, as it was
        then. It may not be what the question would give now: casualties do not change it.
    distance : float, optional
        In inches.
    sight : bool, optional
        Whether a line from the model to the marker must be free of the opaque terrain of the board. Terrain
        that the model or the marker stands on hides nothing: whoever is on it is as high.
    tol : float, optional
        By how much the distance may be exceeded, and how deep sight may pass into terrain; with `sight` at
        least 1e-8.

    Returns
    -------
    ndarray of bool, shape (..., G, k)

    Raises
    ------
    TypeError, ValueError
        As in `coherency`.

    See Also
    --------
    coherency : where the snapshot comes from.

    Notes
    -----
    Rules page Measuring and movement, Unit Coherency. Exactly the distance is near enough. Who of those that
    may control a marker does is another question of the rules, and levels of terrain are not known here.

    Examples
    --------
    >>> from ninthgeom import Bases, Board, Unit
    >>> from ninthgeom.skirmish import coherency, may_control
    >>> units = [Unit(name, 32, shape="round", group="squad") for name in "ab"]
    >>> board = Board(units)
    >>> positions = [[10, 10, 0], [12, 10, 0]]
    >>> snapshot = coherency(board, positions, ["a"]).in_coherency
    >>> markers = Bases.round([15.0, 20.0], 10.0, diameter=32 / 25.4)

    The model next to the first marker is enough, even after the other one has died:

    >>> may_control(board, positions, markers, snapshot, present=[False, True])
    array([[ True, False]])
    """
    return Control.of(
        board, positions, markers, in_coherency, distance, sight, present, tol, workers
    ).answer()


def deployment_legal(
    board: Board,
    positions: ArrayLike,
    leaders: Leaders,
    *,
    radius: ArrayLike = 3.0,
    zone: Polygons | None = None,
    ground: Ground | None = None,
    rules: Rules = STANDARD,
    present: ArrayLike | None = None,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return which groups stand as a deployment may end.

    A deployment must end in coherency, every model must be able to stand where it is, and, where there is a
    zone, be wholly inside it.

    Parameters
    ----------
    board, positions, leaders, radius, ground, rules, present, tol, workers
        As in `coherency`.
    zone : Polygons, shape () or (G,), optional
        The zone that the models must be wholly inside, one for all groups or one each, its edge included.

    Returns
    -------
    ndarray of bool, shape (..., G)
        False for groups that are not asked about, with a leader of -1.

    Raises
    ------
    TypeError, ValueError
        As in `coherency`, and for zones of another shape.

    See Also
    --------
    coherency : what else may be asked of the groups.
    can_stand : what else is asked of the models.

    Notes
    -----
    Rules page Measuring and movement, Unit Coherency: a deployment never ends out of it.

    Examples
    --------
    >>> from ninthgeom import Board, Polygons, Unit
    >>> from ninthgeom.skirmish import deployment_legal
    >>> units = [Unit(name, 32, shape="round", group="squad") for name in "ab"]
    >>> board = Board(units, size=(36, 36))
    >>> zone = Polygons([[(0, 0), (36, 0), (36, 6), (0, 6)]])[0]
    >>> deployment_legal(board, [[[10, 3, 0], [12, 3, 0]], [[10, 3, 0], [10, 5.5, 0]]], ["a"], zone=zone)
    array([[ True],
           [False]])
    """
    question = Question.of(board, positions, leaders, radius, ground, rules, present, tol, workers)
    return question.deployments(zone)
