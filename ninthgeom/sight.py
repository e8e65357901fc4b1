"""Line of sight between bases, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, Shape, as_booleans, as_number, as_tolerance
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import worker_count
from ninthgeom._sight_questions import LEAST_TOLERANCE, Outlines, Touching, answers, grouped
from ninthgeom.bases import ROWS, Bases, columns_of
from ninthgeom.polygons import Polygons

Blockers: TypeAlias = "Bases | Polygons | Sequence[Bases | Polygons]"


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
        Whether lines that only touch a blocker within `tol` are free or blocked. Blocked lines are not those
        that touch one at their own start or end alone.
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
    source_columns = columns_of("sources", sources)
    target_columns = columns_of("targets", targets)
    angle = as_number("half_angle", half_angle)
    if not 0.0 < angle < math.pi / 2:
        raise ValueError(f"half_angle must be more than 0 and less than pi / 2, got {half_angle!r}")
    if touching not in get_args(Touching):
        raise ValueError(f"touching must be 'clear' or 'blocked', got {touching!r}")
    tol = as_tolerance(tol)
    if tol < LEAST_TOLERANCE:
        raise ValueError(f"tol must be at least {LEAST_TOLERANCE:g} for sight, got {tol!r}")
    worker_count(workers)
    parts = _checked_blockers(blockers)
    leading = [part.shape[:-1] for part in parts]
    try:
        shape = np.broadcast_shapes(sources.shape, targets.shape, *leading)
    except ValueError:
        given = ", ".join(map(str, leading)) or "none"
        raise ValueError(
            f"shapes do not broadcast: sources {sources.shape}, targets {targets.shape}, blockers before "
            f"their last axis {given}"
        ) from None
    total = sum(part.shape[-1] for part in parts)
    counts = _checked_blocks(blocks, shape, total)
    parts, counts = _without_leading_axes(parts, counts)
    if math.prod(shape) == 0:
        return np.empty(shape, np.bool_)

    # Axes of the result: scenes, then sources, then targets. What does not change along an axis is not
    # repeated.
    axes = len(shape)
    source_shape, target_shape, *leading = (
        _padded(s, axes) for s in (sources.shape, targets.shape, *leading)
    )
    blocker_shape = np.broadcast_shapes((1,) * axes, *leading)
    m_axis = _first_axis(axes, source_shape, blocker_shape)
    n_axis = _first_axis(m_axis, target_shape, blocker_shape)
    n = math.prod(shape[n_axis:m_axis])
    m = math.prod(shape[m_axis:])
    scenes = math.prod(shape[:n_axis])
    source_columns = _columns(source_columns.reshape(ROWS, *source_shape), shape[:n_axis], n)
    target_columns = _columns(target_columns.reshape(ROWS, *target_shape), shape[:n_axis], m)
    blocker_columns = _gathered(parts, shape[:n_axis], axes, n_axis)
    seen = answers(
        source_columns,
        target_columns,
        blocker_columns,
        Outlines.of([part for part in parts if isinstance(part, Polygons)], touching, tol),
        _columns_of_blocks(parts),
        grouped(counts, shape, n_axis, m_axis),
        touching=touching,
        half_angle=angle,
        tol=tol,
        workers=workers,
    )
    if seen.shape[0] < scenes:
        seen = np.broadcast_to(seen, (scenes, n, m))
    result = seen.reshape(shape)
    return result if shape else result[()]


def _checked_blockers(blockers: Blockers) -> list[Bases | Polygons]:
    parts = [blockers] if isinstance(blockers, Bases | Polygons) else blockers
    if not isinstance(parts, Sequence):
        raise TypeError(
            f"blockers must be Bases, Polygons or a sequence of them, got {type(blockers).__name__}"
        )
    for i, part in enumerate(parts):
        name = "blockers" if isinstance(blockers, Bases | Polygons) else f"blockers[{i}]"
        if not isinstance(part, Bases | Polygons):
            raise TypeError(f"{name} must be Bases or Polygons, got {type(part).__name__}")
        if not part.shape:
            raise ValueError(f"{name} must have a blocker axis, its last one; got a single base")
    return list(parts)


def _checked_blocks(blocks: ArrayLike | None, shape: Shape, total: int) -> BoolArray:
    """Return the mask with one axis more than the result."""
    mask = as_booleans("blocks", True if blocks is None else blocks)
    wanted = (*shape, total)
    try:
        if np.broadcast_shapes(mask.shape, wanted) != wanted:
            raise ValueError
    except ValueError:
        raise ValueError(
            f"blocks must broadcast to the result and the blockers, {wanted}, got {mask.shape}"
        ) from None
    mask = mask.reshape(_padded(mask.shape, len(wanted)))
    return np.broadcast_to(mask, (*mask.shape[:-1], total))


def _without_leading_axes(
    parts: list[Bases | Polygons], counts: BoolArray
) -> tuple[list[Bases | Polygons], BoolArray]:
    """Replace polygons that differ between questions by all of them, with a mask of where each one counts."""
    if all(isinstance(part, Bases) or len(part.shape) == 1 for part in parts):
        return parts, counts
    plain: list[Bases | Polygons] = []
    masks = []
    first = 0
    for part in parts:
        mask = counts[..., first : first + part.shape[-1]]
        first += part.shape[-1]
        if isinstance(part, Polygons) and part.ndim > 1:
            numbers, column = np.unique(part._index, return_inverse=True)
            is_there = column.reshape(part.shape)[..., None] == np.arange(len(numbers))
            mask = (mask[..., None] & is_there).any(axis=-2)
            plain.append(part._with(numbers))
        else:
            plain.append(part)
        masks.append(mask)
    shape = np.broadcast_shapes(*(mask.shape[:-1] for mask in masks))
    return plain, np.concatenate([np.broadcast_to(m, (*shape, m.shape[-1])) for m in masks], axis=-1)


def _padded(shape: Shape, axes: int) -> Shape:
    return (1,) * (axes - len(shape)) + shape


def _first_axis(end: int, *constant: Shape) -> int:
    """First axis of the run before `end` along which none of the shapes changes."""
    while end > 0 and all(shape[end - 1] == 1 for shape in constant):
        end -= 1
    return end


def _columns(columns: NDArray[np.float64], scene_shape: Shape, n: int) -> NDArray[np.float64]:
    """Columns as kernels take them, (rows, scenes or 1, n)."""
    axes = len(scene_shape)
    if any(size != 1 for size in columns.shape[1 : axes + 1]):
        columns = np.broadcast_to(columns, (len(columns), *scene_shape, *columns.shape[axes + 1 :]))
        return np.ascontiguousarray(columns.reshape(len(columns), math.prod(scene_shape), n))
    return np.ascontiguousarray(columns.reshape(len(columns), 1, n))


def _gathered(
    parts: list[Bases | Polygons], scene_shape: Shape, axes: int, n_axis: int
) -> NDArray[np.float64]:
    """Columns of the base blockers."""
    columns = [np.empty((ROWS, 1, 0))]
    for part in parts:
        if isinstance(part, Bases):
            size = part.shape[-1]
            leading = _padded(part.shape[:-1], axes)[:n_axis]
            columns.append(_columns(part._columns.reshape(ROWS, *leading, size), scene_shape, size))
    scenes = max(part.shape[1] for part in columns)
    return np.concatenate([np.broadcast_to(part, (ROWS, scenes, part.shape[2])) for part in columns], axis=2)


def _columns_of_blocks(parts: list[Bases | Polygons]) -> NDArray[np.int64]:
    """Columns of `blocks` of all polygons, then of all bases."""
    ends = np.cumsum([part.shape[-1] for part in parts], dtype=np.int64).tolist()
    columns = [np.arange(end - part.shape[-1], end) for part, end in zip(parts, ends, strict=True)]
    order = sorted(range(len(parts)), key=lambda i: isinstance(parts[i], Bases))
    return np.concatenate([np.empty(0, np.int64), *(columns[i] for i in order)])
