"""Line of sight between bases, exactly."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, Shape, as_booleans, as_number, as_tolerance
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import run_chunks, worker_count
from ninthgeom._pieces import Pieces
from ninthgeom._polygon_table import blocking
from ninthgeom.bases import ROWS, Bases, columns_of
from ninthgeom.polygons import Polygons

Blockers: TypeAlias = "Bases | Polygons | Sequence[Bases | Polygons]"

#: About what a question takes for each blocker, in nanoseconds; far less out of the arc, more behind many.
BLOCKER_NS: Final = 15.0
#: A single free line is about as wide as the tolerance; below this, rounding would decide about it.
LEAST_TOLERANCE: Final = 1e-8


def line_of_sight(
    sources: Bases,
    targets: Bases,
    blockers: Blockers = (),
    *,
    blocks: ArrayLike | None = None,
    half_angle: float = math.pi / 4,
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
    between two blockers that are in contact with each other: they leave no slit. Grazing is allowed, even
    along several blockers that do not touch each other. A blocker of zero width blocks lines that cross it
    with both its ends more than `tol` off the line; a point never blocks. What lies behind the target does
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
    blocker_columns, owner = _gathered(parts, shape[:n_axis], axes, n_axis)
    polygons = [part for part in parts if isinstance(part, Polygons)]
    convex = [part._table.convex(i) for part in polygons for i in part._index.tolist()]
    blocking_parts = []
    for part in polygons:
        rings = part._made(blocking, tol).rings
        blocking_parts += [rings[i] for i in part._index.tolist()]
    pieces, shrunk = Pieces.of(convex), Pieces.of(blocking_parts)
    is_thin = [parts is own for parts, own in zip(blocking_parts, convex, strict=True)]
    shrunk_radii = np.repeat(np.where(is_thin, -tol, 0.0), np.diff(shrunk.first))
    counts = _grouped(counts, shape, n_axis, m_axis)
    if scenes == 1 and n > 1:  # one scene: its sources can be shared out to workers as scenes are
        scenes, n = n, 1
        source_columns = source_columns.reshape(ROWS, scenes, 1)
        counts = counts.reshape(counts.shape[1], 1, *counts.shape[2:])

    # Imported here, since it compiles: a Bases question alone should not wait for it.
    from ninthgeom_kernel import sight as kernel

    seen = np.empty((scenes, n, m), np.bool_)
    width = max(4, *(np.diff(edges).max(initial=0) for edges in (pieces.starts, shrunk.starts)))

    room = 64 + 4 * len(owner)

    def task(start: int, stop: int) -> None:
        nonlocal room
        while not kernel.lines_of_sight(
            source_columns,
            target_columns,
            blocker_columns,
            pieces.corners,
            pieces.starts,
            shrunk.corners,
            shrunk.starts,
            shrunk_radii,
            owner,
            counts,
            math.tan(angle),
            tol,
            kernel.scratch_arrays(len(owner), width, room),
            start,
            stop,
            seen,
        ):
            room *= 4  # also for the chunks to come

    run_chunks(task, scenes, workers=workers, cost_ns=n * m * (60.0 + BLOCKER_NS * len(owner)))
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
) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Columns of the base blockers, and for them and then all convex pieces the column of `blocks`."""
    columns = [np.empty((ROWS, 1, 0))]
    owners = [np.empty(0, np.int64)]
    piece_owners = []
    first = 0
    for part in parts:
        size = part.shape[-1]
        owner = np.arange(first, first + size)
        if isinstance(part, Bases):
            leading = _padded(part.shape[:-1], axes)[:n_axis]
            columns.append(_columns(part._columns.reshape(ROWS, *leading, size), scene_shape, size))
            owners.append(owner)
        else:
            piece_owners.append(np.repeat(owner, [len(part._table.convex(i)) for i in part._index.tolist()]))
        first += size
    scenes = max(part.shape[1] for part in columns)
    return (
        np.concatenate([np.broadcast_to(part, (ROWS, scenes, part.shape[2])) for part in columns], axis=2),
        np.concatenate([*owners, *piece_owners]),
    )


def _grouped(mask: BoolArray, shape: Shape, n_axis: int, m_axis: int) -> BoolArray:
    """Group the axes of a mask to (scenes or 1, sources or 1, targets or 1, blockers)."""
    groups = ((0, n_axis), (n_axis, m_axis), (m_axis, len(shape)))
    full: list[int] = []
    grouped: list[int] = []
    for start, stop in groups:
        constant = all(size == 1 for size in mask.shape[start:stop])
        full += mask.shape[start:stop] if constant else shape[start:stop]
        grouped.append(1 if constant else math.prod(shape[start:stop]))
    full_mask: Any = np.broadcast_to(mask, (*full, mask.shape[-1]))
    return np.ascontiguousarray(full_mask.reshape(*grouped, mask.shape[-1]))
