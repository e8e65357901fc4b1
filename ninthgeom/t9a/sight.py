"""Line of sight between units, over many states at once."""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray

from ninthgeom import sight
from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom._constants import TOLERANCE
from ninthgeom.bases import Bases
from ninthgeom.polygons import Polygons
from ninthgeom.t9a._states import Chunk, IntArray, States, Units, prepare
from ninthgeom.t9a.rules import THIRD_EDITION, HeightComparison, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

_IS_HIGH_ENOUGH: dict[HeightComparison, Callable[[Any, Any], Any]] = {">=": operator.ge, ">": operator.gt}


def line_of_sight(
    board: Board,
    positions: ArrayLike,
    *,
    observers: Units = None,
    targets: Units = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Return whether a sight line runs from the observer to the target's Unit Boundary.

    The line starts at any point of the Front Facing of the observer's Unit Boundary and leaves at most 45
    degrees off straight ahead; round and oval units look from any point of their base in any direction. If
    such a line exists it is found: nothing is sampled. In the way are

    * Unit Boundaries of other present units, empty slots included, that are high enough
      (`Rules.los_height_op`) against the higher of observer and target; the observer's and the target's own
      never are;
    * opaque terrain: without a height always, with one when it is high enough in the same way.

    A line may graze what is in the way, but it finds no slit between two obstacles in contact.

    Parameters
    ----------
    board, positions, observers, targets, present, occupied, rules, tol, workers
        As in `distances`. Absent units are not in the way.

    Returns
    -------
    ndarray of bool, shape (..., observers, targets)
        False for a unit with itself and where one of the two is absent.

    Raises
    ------
    TypeError, ValueError
        As in `distances`; `tol` is at least 1e-8.

    See Also
    --------
    ninthgeom.line_of_sight : the same between any bases.

    Notes
    -----
    Limits of this release:

    * The height of a unit is that of most of its living models (the smaller one in a tie), for the whole
      front.
    * A hill that the observer's Front Facing (of a round unit: its base) or the target's Unit Boundary
      touches is not in the way of that pair at all. Strictly, only lines that start or end in the hill pass
      through it.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit
    >>> from ninthgeom.t9a import line_of_sight
    >>> archers = Unit("archers", (20, 20), models=10)
    >>> wall = Unit("wall", (200, 25))
    >>> giant = Unit("giant", (50, 75), height=5)
    >>> board = Board([archers, wall, giant, Unit("goblin", (20, 20))])
    >>> north = math.pi / 2
    >>> line_of_sight(board, [[36, 10, north], [36, 14, north], [36, 24, north], [36, 16, north]])[0]
    array([False,  True,  True, False])
    """
    states = prepare(board, positions, observers, targets, present, occupied, rules, tol, workers)
    obstacles = Obstacles.of(states)
    answer = states.empty(np.bool_)
    for chunk in states.chunks(obstacles.bytes_per_pair):
        fill_sight(states, chunk, obstacles, answer)
    return states.shaped(answer)


def fill_sight(states: States, chunk: Chunk, obstacles: Obstacles, answer: NDArray[Any]) -> None:
    """Write the sight of a chunk to its part of `answer`."""
    out = answer[chunk.states]
    out[...] = sight.line_of_sight(
        chunk.observer_boundaries,
        chunk.target_boundaries,
        [chunk.boundaries[:, None, None, :], obstacles.outlines],
        blocks=obstacles.blocks(states, chunk),
        tol=states.tol,
        workers=states.workers,
    )
    chunk.blank(out, False)


@dataclass(frozen=True)
class Obstacles:
    """What may be in the way: every unit, then the opaque terrain; collected once for all chunks."""

    outlines: Polygons
    terrain_heights: FloatArray
    hills: dict[int, shapely.Polygon]
    bytes_per_pair: int

    @classmethod
    def of(cls, states: States) -> Obstacles:
        """Collect the obstacles of a question."""
        opaque = [piece for piece in states.board.terrain if piece.opaque]
        hills = {i: shapely.Polygon(piece.outline) for i, piece in enumerate(opaque) if piece.kind == "hill"}
        for hill in hills.values():
            shapely.prepare(hill)
        heights = [np.inf if piece.height is None else float(piece.height) for piece in opaque]
        changing = states.present is not None or states.occupied is not None or bool(hills)
        # The mask over obstacles is there up to three times while it is put together.
        bytes_per_pair = 10 + (3 * (len(states.board) + len(opaque)) if changing else 0)
        return cls(
            states.board.opaque_outlines,
            np.array(heights),
            hills,
            bytes_per_pair,
        )

    def blocks(self, states: States, chunk: Chunk) -> BoolArray:
        """Return which obstacles count for which pair, shape ([states,] observers, targets, obstacles)."""
        is_high_enough = _IS_HIGH_ENOUGH[states.rules.los_height_op]
        heights = unit_heights(states.board, chunk.occupied)
        needed = np.maximum(heights[..., chunk.observers, None], heights[..., None, chunk.targets])[..., None]
        units = is_high_enough(heights[..., None, None, :], needed)
        everyone = np.arange(len(states.board))
        units &= (everyone != chunk.observers[:, None])[:, None, :]
        units &= everyone != chunk.targets[:, None]
        if chunk.present is not None:
            units = units & chunk.present[:, None, None, :]
        terrain = is_high_enough(self.terrain_heights, needed)
        if (spared := self._spared(states, chunk)) is not None:
            terrain = terrain & ~spared
        leading = np.broadcast_shapes(units.shape[:-1], terrain.shape[:-1])
        return np.concatenate(
            [np.broadcast_to(part, (*leading, part.shape[-1])) for part in (units, terrain)], axis=-1
        )

    def _spared(self, states: States, chunk: Chunk) -> BoolArray | None:
        """Return which terrain is a hill that the pair stands at; None when no pair does."""
        from_hill = np.zeros((*chunk.observer_boundaries.shape[:2], len(self.terrain_heights)), np.bool_)
        into_hill = np.zeros((len(from_hill), len(chunk.targets), len(self.terrain_heights)), np.bool_)
        for i, hill in self.hills.items():
            from_hill[..., i] = _touch(chunk.observer_boundaries[:, :, 0], hill, states.tol, facing=True)
            into_hill[..., i] = _touch(chunk.target_boundaries[:, 0, :], hill, states.tol, facing=False)
        if not (from_hill.any() or into_hill.any()):
            return None
        spared: BoolArray = from_hill[:, :, None] | into_hill[:, None, :]
        return spared


def unit_heights(board: Board, occupied: BoolArray | None) -> IntArray:
    """Return the height of most living models of each unit (of two the smaller), shape ([states,] U)."""
    mixed = (board.model_height != board.height[board.model_unit]).any()
    if occupied is None or not mixed:
        return board.height
    heights = np.unique(board.model_height)
    starts = [models.start for models in board.model_slices]
    counts = [
        np.add.reduceat(occupied & (board.model_height == height), starts, axis=1, dtype=np.intp)
        for height in heights
    ]
    most: IntArray = heights[np.argmax(counts, axis=0)]
    return most


def _touch(bases: Bases, outline: shapely.Polygon, tol: float, *, facing: bool) -> BoolArray:
    """Return which bases touch the outline: of rectangles the Front Facing alone if `facing`."""
    x0, y0, x1, y1 = outline.bounds
    near = bases.bounds
    touch: BoolArray = (
        (near[..., 0] <= x1 + tol)
        & (near[..., 1] <= y1 + tol)
        & (near[..., 2] >= x0 - tol)
        & (near[..., 3] >= y0 - tol)
    )
    for is_round in (False, True):
        chosen = touch & ((bases.radius > 0) == is_round)
        some = bases[chosen]
        radius = some.radius
        corners = Bases(
            some.x, some.y, some.heading, width=some.width - 2 * radius, depth=some.depth - 2 * radius
        ).corners()
        points = corners[:, :2] if facing and not is_round else corners
        cores = shapely.convex_hull(shapely.multipoints(points))
        touch[chosen] = shapely.distance(outline, cores) <= radius + tol
    return touch
