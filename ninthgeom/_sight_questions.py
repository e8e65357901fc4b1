"""Questions for the sight kernel, in the form it takes them: scenes by sources by targets."""

from __future__ import annotations

import math
from functools import partial
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._parallel import run_chunks, worker_count
from ninthgeom._sight_shapes import Outlines, Shapes, Touching, shapes_of
from ninthgeom.bases import ROWS, Bases
from ninthgeom.polygons import Polygons

#: About what a question takes for each blocker, in nanoseconds; far less out of the arc, more behind many.
BLOCKER_NS: Final = 10.0
#: Where touching blocks, nothing does so near source and target, in tolerances: lines may touch what they
#: start or end on, if they leave it at more than 8 degrees.
MET: Final = 8.0
#: A single free line is about as wide as the tolerance; below this, rounding would decide about it.
LEAST_TOLERANCE: Final = 1e-8

#: About what it takes to make a shape.
SHAPE_NS: Final = 500.0

# Shapes are made for so many scenes at a time at most, and so many bytes of corners.
_SCENES: Final = 256
_BYTES: Final = 2**22
_NO_PART: Final = np.empty((3, 0))
_NO_LINES: Final = np.empty((0, 0, 0, 4))
_NO_CUTTING: Final = np.empty((0, 0, 0, 0), np.bool_)


def ask(
    sources: Bases,
    targets: Bases,
    blockers: Bases,
    outlines: Polygons,
    blocks: BoolArray,
    *,
    asked: BoolArray | None = None,
    source_part: FloatArray | None = None,
    target_part: FloatArray | None = None,
    shapes: Shapes | None = None,
    touching: Touching = "clear",
    half_angle: float = math.pi / 4,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> BoolArray:
    """Answer whether sources see targets, all with all in each scene.

    Nothing is checked; the arguments are what `ninthgeom.line_of_sight` makes of its own.

    Parameters
    ----------
    sources, targets, blockers : Bases, shape (S or 1, n), (S or 1, m), (S or 1, B)
        Each scene has its own, or all have the same.
    outlines : Polygons, shape (P,)
        Blockers that are the same in all scenes.
    blocks : ndarray of bool, shape (S or 1, n or 1, m or 1, B + P)
        Which blockers count.
    asked : ndarray of bool, shape (S or 1, n or 1, m or 1), optional
        Which questions to answer; the others are False.
    source_part, target_part : ndarray of float64, shape (3, K), optional
        Half-planes ``m p >= c`` in rows: only that part of each source or target counts which lies in all.
    shapes : Shapes, optional
        What `blocking_shapes` made of blockers, outlines, touching and tol, for questions that share them.
    touching, half_angle, tol, workers
        As for `ninthgeom.line_of_sight`.

    Returns
    -------
    ndarray of bool, shape (S, n, m)
    """
    return answers(
        sources._columns,
        targets._columns,
        blockers._columns,
        Outlines.of([outlines], touching, tol),
        _columns_of(blockers, outlines),
        blocks,
        shapes=shapes,
        asked=asked,
        source_part=source_part,
        target_part=target_part,
        touching=touching,
        half_angle=half_angle,
        tol=tol,
        workers=workers,
    )


def blocking_shapes(blockers: Bases, outlines: Polygons, touching: Touching, tol: float) -> Shapes:
    """Make the shapes that block, once for several questions of `ask` with the same blockers."""
    made = Outlines.of([outlines], touching, tol)
    return shapes_of(blockers._columns, made, _columns_of(blockers, outlines), touching, tol)


def _columns_of(blockers: Bases, outlines: Polygons) -> IntArray:
    """Return which column of a mask belongs to each polygon, then to each base: there bases come first."""
    n_bases = blockers.shape[1]
    return np.concatenate([np.arange(n_bases, n_bases + len(outlines)), np.arange(n_bases)])


def answers(
    sources: FloatArray,
    targets: FloatArray,
    blockers: FloatArray,
    outlines: Outlines,
    column: IntArray,
    blocks: BoolArray,
    *,
    asked: BoolArray | None = None,
    source_part: FloatArray | None = None,
    target_part: FloatArray | None = None,
    shapes: Shapes | None = None,
    touching: Touching,
    half_angle: float,
    tol: float,
    workers: int,
    lines: FloatArray | None = None,
    cutting: BoolArray | None = None,
    met: float = MET,
    plain: int = 0,
) -> BoolArray:
    """Run the kernel on columns of bases, (rows, S or 1, n); ``column`` is that of `blocks` for each blocker.

    It counts polygons first, then bases. ``lines`` (S, n, m, 4) and ``cutting`` (S, n, m, columns) are
    written as the kernel says; ``plain`` is that of `shapes_of`.
    """
    from ninthgeom_kernel import sight as kernel

    n, m = sources.shape[2], targets.shape[2]
    wanted = np.ones((1, 1, 1), np.bool_) if asked is None else asked
    scenes = max(array.shape[1] for array in (sources, targets, blockers))
    scenes = max(scenes, blocks.shape[0], wanted.shape[0])
    if scenes == 1 and n > 1 and workers != 1:  # the sources of one scene can be shared out as scenes are
        seen = answers(
            sources.reshape(ROWS, n, 1),
            targets,
            blockers,
            outlines,
            column,
            blocks.reshape(blocks.shape[1], 1, *blocks.shape[2:]),
            asked=wanted.reshape(wanted.shape[1], 1, wanted.shape[2]),
            source_part=source_part,
            target_part=target_part,
            shapes=shapes,
            touching=touching,
            half_angle=half_angle,
            tol=tol,
            workers=workers,
            lines=None if lines is None else lines.reshape(n, 1, m, 4),
            cutting=None if cutting is None else cutting.reshape(n, 1, m, -1),
            met=met,
            plain=plain,
        )
        return seen.reshape(1, n, m)
    seen = np.empty((scenes, n, m), np.bool_)
    sources, targets = map(np.ascontiguousarray, (sources, targets))
    blocks, wanted = map(np.ascontiguousarray, (blocks, wanted))
    source_planes, target_planes = (
        _NO_PART if part is None else np.ascontiguousarray(part) for part in (source_part, target_part)
    )
    growth = 1

    def ask_kernel(shapes: Shapes, first: int, start: int, stop: int) -> None:
        nonlocal growth
        own = growth
        n_shapes = shapes.counts.shape[1]
        while not kernel.lines_of_sight(
            sources,
            targets,
            shapes.boxes,
            shapes.vertices,
            shapes.counts,
            shapes.radii,
            shapes.owners,
            first,
            blocks,
            wanted,
            source_planes,
            target_planes,
            math.tan(half_angle),
            0.0 if touching == "clear" else met * tol,
            tol,
            kernel.scratch_arrays(
                n_shapes,
                m,
                shapes.vertices.shape[3],
                max(source_planes.shape[1], target_planes.shape[1]),
                own * (64 + 4 * n_shapes),
            ),
            start,
            stop,
            seen,
            _NO_LINES if lines is None else lines,
            _NO_CUTTING if cutting is None else cutting,
        ):
            own *= 4
        growth = max(growth, own)  # also for the scenes to come

    n_shapes = outlines.parts.n + blockers.shape[2]
    cost = n * m * (60.0 + BLOCKER_NS * n_shapes)
    if shapes is None and blockers.shape[1] == 1:
        shapes = shapes_of(blockers, outlines, column, touching, tol, plain)
    if shapes is not None:
        if workers == 1:
            ask_kernel(shapes, 0, 0, scenes)
        else:
            run_chunks(partial(ask_kernel, shapes, 0), scenes, workers=workers, cost_ns=cost)
        return seen
    # Shapes are made for many scenes at a time, and for each worker several times.
    block = max(1, min(_SCENES, _BYTES // max(1, n_shapes * outlines.parts.width * 16)))
    if workers != 1:
        block = max(1, min(block, scenes // (4 * worker_count(workers))))

    def task(start: int, stop: int) -> None:
        for first in range(start * block, min(stop * block, scenes), block):
            end = min(first + block, scenes)
            shapes = shapes_of(blockers[:, first:end], outlines, column, touching, tol, plain)
            ask_kernel(shapes, first, first, end)

    run_chunks(task, math.ceil(scenes / block), workers=workers, cost_ns=block * (cost + SHAPE_NS * n_shapes))
    return seen


def grouped(mask: BoolArray, shape: tuple[int, ...], n_axis: int, m_axis: int) -> NDArray[np.bool_]:
    """Group the axes of a mask to (scenes or 1, sources or 1, targets or 1, columns)."""
    groups = ((0, n_axis), (n_axis, m_axis), (m_axis, len(shape)))
    full: list[int] = []
    sizes: list[int] = []
    for start, stop in groups:
        constant = all(size == 1 for size in mask.shape[start:stop])
        full += mask.shape[start:stop] if constant else shape[start:stop]
        sizes.append(1 if constant else math.prod(shape[start:stop]))
    whole_mask = np.broadcast_to(mask, (*full, mask.shape[-1]))
    return np.ascontiguousarray(whole_mask.reshape(*sizes, mask.shape[-1]))
