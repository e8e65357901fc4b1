"""The arguments of sight questions: checked, and their axes put in the order the kernel takes them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray, Shape, as_booleans, as_number, as_tolerance
from ninthgeom._parallel import worker_count
from ninthgeom._sight_questions import LEAST_TOLERANCE, MET, answers, grouped
from ninthgeom._sight_shapes import Outlines, Touching
from ninthgeom.bases import ROWS, Bases, columns_of
from ninthgeom.polygons import Polygons

Blockers: TypeAlias = "Bases | Polygons | Sequence[Bases | Polygons]"


@dataclass(frozen=True, eq=False)
class Question:
    """A sight question: axes of the result are grouped to scenes, then sources, then targets.

    What does not change along an axis is not repeated. ``counts`` is `blocks` as it was given, and
    ``numbers`` the place in the grouped one of each blocker; both broadcast to the shape and the blockers.
    """

    shape: Shape
    scenes: int
    n: int
    m: int
    sources: FloatArray
    targets: FloatArray
    blockers: FloatArray
    outlines: Outlines
    column: IntArray
    blocks: BoolArray
    counts: BoolArray
    numbers: IntArray
    touching: Touching
    half_angle: float
    tol: float
    workers: int

    def answer(
        self,
        *,
        asked: BoolArray | None = None,
        lines: FloatArray | None = None,
        cutting: BoolArray | None = None,
        blocks: BoolArray | None = None,
        met: float = MET,
    ) -> BoolArray:
        """Return whether the targets are seen, maybe past other blockers, shape (scenes, n, m)."""
        seen = answers(
            self.sources,
            self.targets,
            self.blockers,
            self.outlines,
            self.column,
            self.blocks if blocks is None else blocks,
            asked=asked,
            touching=self.touching,
            half_angle=self.half_angle,
            tol=self.tol,
            workers=self.workers,
            lines=lines,
            cutting=cutting,
            met=met,
        )
        return np.broadcast_to(seen, (self.scenes, self.n, self.m))


def prepared(
    sources: Bases,
    targets: Bases,
    blockers: Blockers,
    blocks: ArrayLike | None,
    half_angle: float,
    touching: Touching,
    tol: float,
    workers: int,
) -> Question:
    """Check the arguments of a sight question; the result may have no element."""
    source_columns = columns_of("sources", sources)
    target_columns = columns_of("targets", targets)
    angle = as_number("half_angle", half_angle)
    if not 0.0 < angle < math.pi / 2:
        raise ValueError(f"half_angle must be more than 0 and less than pi / 2, got {half_angle!r}")
    if not (isinstance(touching, str) and touching in get_args(Touching)):
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
    asked_counts = counts
    parts, counts, numbers = _without_leading_axes(parts, counts)
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
    return Question(
        shape,
        scenes,
        n,
        m,
        source_columns,
        target_columns,
        blocker_columns,
        Outlines.of([part for part in parts if isinstance(part, Polygons)], touching, tol),
        _columns_of_blocks(parts),
        grouped(counts, shape, n_axis, m_axis),
        asked_counts,
        numbers,
        touching,
        angle,
        tol,
        workers,
    )


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
    if isinstance(blocks, Sequence) and len(blocks) == 0:
        blocks = np.empty(0, np.bool_)  # NumPy takes an empty list for numbers
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
) -> tuple[list[Bases | Polygons], BoolArray, IntArray]:
    """Replace polygons that differ between questions by all of them, with a mask of where each one counts.

    The last array tells which of the new blockers each of the old ones is, for each question.
    """
    plain: list[Bases | Polygons] = []
    masks = []
    numbers = []
    first = 0
    first_new = 0
    for part in parts:
        mask = counts[..., first : first + part.shape[-1]]
        first += part.shape[-1]
        new = part
        column = np.arange(part.shape[-1])
        if isinstance(part, Polygons) and part.ndim > 1:
            known, column = np.unique(part._index, return_inverse=True)
            column = column.reshape(part.shape)
            mask = (mask[..., None] & (column[..., None] == np.arange(len(known)))).any(axis=-2)
            new = part._with(known)
        plain.append(new)
        masks.append(mask)
        numbers.append(column + first_new)
        first_new += new.shape[-1]
    return plain, _side_by_side(masks, np.bool_), _side_by_side(numbers, np.intp)


def _side_by_side(arrays: Sequence[NDArray[Any]], dtype: type[np.generic]) -> NDArray[Any]:
    """Concatenate along the last axis; the others broadcast."""
    shape = np.broadcast_shapes(*(array.shape[:-1] for array in arrays))
    wide = [np.broadcast_to(array, (*shape, array.shape[-1])) for array in arrays]
    return np.concatenate([np.empty((*shape, 0), dtype), *wide], axis=-1)


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
    (scenes,) = np.broadcast_shapes(*(part.shape[1:2] for part in columns))
    return np.concatenate([np.broadcast_to(part, (ROWS, scenes, part.shape[2])) for part in columns], axis=2)


def _columns_of_blocks(parts: list[Bases | Polygons]) -> NDArray[np.int64]:
    """Columns of `blocks` of all polygons, then of all bases."""
    ends = np.cumsum([part.shape[-1] for part in parts], dtype=np.int64).tolist()
    columns = [np.arange(end - part.shape[-1], end) for part, end in zip(parts, ends, strict=True)]
    order = sorted(range(len(parts)), key=lambda i: isinstance(parts[i], Bases))
    return np.concatenate([np.empty(0, np.int64), *(columns[i] for i in order)])
