"""Line of sight between bases, exactly."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from ninthgeom._arrays import BoolArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._sight_arguments import Blockers, prepared
from ninthgeom._sight_shapes import Touching
from ninthgeom.bases import Bases


def line_of_sight(
    sources: Bases,
    targets: Bases,
    blockers: Blockers = (),
    *,
    blocks: ArrayLike | None = None,
    half_angle: float = math.pi / 4,
    touching: Touching = "clear",
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray | np.bool_:
    """Return whether a straight line runs from a source to a target that no blocker cuts.

    If such a line exists it is found: no line is sampled. Rectangles look from their Front Facing, at most
    `half_angle` off forward; discs, ovals and points look from anywhere in all directions. The target is seen
    if some line reaches it, or if it touches the Front Facing (round sources: the base) within `tol`.

    Parameters
    ----------
    sources, targets : Bases
        Broadcast against each other; ``sources[:, None], targets[None, :]`` asks for all pairs and is the
        fastest form.
    blockers : Bases, Polygons or sequence of them, optional
        What may be in the way. The last axis of each is the blocker axis; the axes before it broadcast
        against the result.
    blocks : array_like of bool, optional
        Which blockers count for which question, broadcastable to ``result.shape + (B,)`` with the B blockers
        in the order of the sequence; by default all do.
    half_angle : float, optional
        Half the angle of the arc of rectangles, in radians, more than 0 and less than pi / 2; the limits
        belong to the arc.
    touching : {"clear", "blocked"}, optional
        Whether lines that only touch a blocker within `tol` are free or blocked. Lines that touch one at
        their own start or end alone are not blocked, if they leave it at more than 8 degrees.
    tol : float, optional
        Tolerance in inches, at least 1e-8. Single free lines are told from hidden for distances of up to
        10,000 inches at the default.
    workers : int, optional
        Threads to use; -1 takes every core. The answer is the same for any number.

    Returns
    -------
    ndarray of bool
        Shape of the broadcast; a scalar if that is ``()``, empty if it is.

    Raises
    ------
    TypeError
        If an argument is of another type.
    ValueError
        If shapes do not broadcast, or `half_angle` or `tol` is out of its range.

    Notes
    -----
    A line is blocked where it passes deeper than `tol` through a blocker before it reaches the target, or
    between two blockers that are in contact with each other: they leave no slit. Otherwise grazing is
    allowed (with ``touching="clear"``), even along several blockers that do not touch each other. A blocker
    of zero width blocks lines that cross it with both its ends more than `tol` off the line; a point never
    blocks. What lies behind the target does
    not block; where a blocker lies on the target, the target is seen where a line reaches it without entering
    the blocker.

    The lines of one slope that meet a convex shape form an interval of offsets. A sweep through the slopes
    keeps a chain of such intervals that covers all lines to the target, and knows at which slope the chain
    opens.

    Examples
    --------
    A wall two inches wide hides what stands close behind it:

    >>> import math
    >>> from ninthgeom import Bases, line_of_sight
    >>> north = math.pi / 2
    >>> archer = Bases.rect(0.0, 0.0, north, width=1.0, depth=1.0)
    >>> orcs = Bases.rect([0.0, 2.0, 9.0], 6.0, north, width=1.0, depth=1.0)
    >>> wall = Bases.rect([0.0], [4.0], north, width=2.0, depth=0.5)
    >>> line_of_sight(archer, orcs, wall)
    array([False,  True, False])
    >>> line_of_sight(archer, orcs)
    array([ True,  True, False])
    """
    question = prepared(sources, targets, blockers, blocks, half_angle, touching, tol, workers)
    if math.prod(question.shape) == 0:
        return np.empty(question.shape, np.bool_)
    seen = question.answer().reshape(question.shape)
    return seen if question.shape else seen[()]
