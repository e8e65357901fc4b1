"""Questions for the sight kernel, in the form it takes them: scenes by sources by targets."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._constants import TOLERANCE
from ninthgeom._convex import Ring
from ninthgeom._parallel import run_chunks
from ninthgeom._pieces import Pieces
from ninthgeom._polygon_table import Table, eroded, whole
from ninthgeom.bases import ROWS, Bases
from ninthgeom.polygons import Polygons

Touching: TypeAlias = Literal["clear", "blocked"]

#: About what a question takes for each blocker, in nanoseconds; far less out of the arc, more behind many.
BLOCKER_NS: Final = 10.0
#: A single free line is about as wide as the tolerance; below this, rounding would decide about it.
LEAST_TOLERANCE: Final = 1e-8

# Of a tolerance: parts of a polygon are eroded by so much more and widened by it again, so that they overlap.
_OVERLAP: Final = 0.25
_NO_PART: Final = np.empty((3, 0))
_NO_LINES: Final = np.empty((0, 0, 0, 4))
_NO_CUTTING: Final = np.empty((0, 0, 0, 0), np.bool_)


def blocking(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex parts of a polygon that together block what passes deeper than tol, less `_OVERLAP` round them.

    A polygon so thin that there are none blocks as segments do: then they are the pieces themselves.
    """
    return eroded(table, i, (1.0 + _OVERLAP) * tol) or table.convex(i)


@dataclass(frozen=True, eq=False)
class Outlines:
    """Polygons as the sight kernel takes them.

    Attributes
    ----------
    parts, pieces : Pieces
        Convex parts that block, and convex pieces of the whole polygons.
    radii : ndarray of float64
        Radius round each of the parts.
    part_owner, piece_owner : ndarray of int64
        Which polygon each belongs to.
    size : int
        Number of polygons.
    """

    parts: Pieces
    pieces: Pieces
    radii: FloatArray
    part_owner: IntArray
    piece_owner: IntArray
    size: int

    @classmethod
    def of(cls, polygons: Sequence[Polygons], touching: Touching, tol: float) -> Outlines:
        """Collect the parts of some arrays of polygons, flattened."""
        # Imported here, since it compiles: a Bases question alone should not wait for it.
        from ninthgeom_kernel.blockers import WALL

        parts: list[list[Ring]] = []
        pieces: list[list[Ring]] = []
        radii = []
        for some in polygons:
            index = some._index.reshape(-1).tolist()
            made = some._made(blocking if touching == "clear" else whole, tol).rings
            for i in index:
                own = some._table.convex(i)
                parts.append(made[i])
                pieces.append(own)
                clear = -WALL if made[i] is own else _OVERLAP
                radii.append(tol * (clear if touching == "clear" else 1.0))
        sizes = [len(rings) for rings in parts]
        numbers = np.arange(len(parts))
        return cls(
            Pieces.of(parts),
            Pieces.of(pieces),
            np.repeat(np.array(radii, np.float64), sizes),
            np.repeat(numbers, sizes),
            np.repeat(numbers, [len(rings) for rings in pieces]),
            len(parts),
        )


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
    touching, half_angle, tol, workers
        As for `ninthgeom.line_of_sight`.

    Returns
    -------
    ndarray of bool, shape (S, n, m)
    """
    n_bases = blockers.shape[1]
    return answers(
        sources._columns,
        targets._columns,
        blockers._columns,
        Outlines.of([outlines], touching, tol),
        np.concatenate([np.arange(n_bases, n_bases + len(outlines)), np.arange(n_bases)]),
        blocks,
        asked=asked,
        source_part=source_part,
        target_part=target_part,
        touching=touching,
        half_angle=half_angle,
        tol=tol,
        workers=workers,
    )


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
    touching: Touching,
    half_angle: float,
    tol: float,
    workers: int,
    lines: FloatArray | None = None,
    cutting: BoolArray | None = None,
) -> BoolArray:
    """Run the kernel on columns of bases, (rows, S or 1, n); ``column`` is that of `blocks` for each blocker.

    It counts polygons first, then bases. ``lines`` (S, n, m, 4) and ``cutting`` (S, n, m, columns) are
    written as the kernel says.
    """
    from ninthgeom_kernel import sight as kernel

    n, m, n_bases = sources.shape[2], targets.shape[2], blockers.shape[2]
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
            touching=touching,
            half_angle=half_angle,
            tol=tol,
            workers=workers,
            lines=None if lines is None else lines.reshape(n, 1, m, 4),
            cutting=None if cutting is None else cutting.reshape(n, 1, m, -1),
        )
        return seen.reshape(1, n, m)
    seen = np.empty((scenes, n, m), np.bool_)
    parts, pieces = outlines.parts, outlines.pieces
    width = max(4, *(int(np.diff(edges).max(initial=0)) for edges in (pieces.starts, parts.starts)))
    sources, targets, blockers = map(np.ascontiguousarray, (sources, targets, blockers))
    blocks, wanted = map(np.ascontiguousarray, (blocks, wanted))
    source_planes, target_planes = (
        _NO_PART if part is None else np.ascontiguousarray(part) for part in (source_part, target_part)
    )
    n_shapes = len(parts.starts) - 1 + n_bases
    growth = 1

    def task(start: int, stop: int) -> None:
        nonlocal growth
        while not kernel.lines_of_sight(
            sources,
            targets,
            blockers,
            parts.corners,
            parts.starts,
            outlines.radii,
            outlines.part_owner,
            pieces.corners,
            pieces.starts,
            outlines.piece_owner,
            column,
            blocks,
            wanted,
            source_planes,
            target_planes,
            math.tan(half_angle),
            tol if touching == "clear" else -tol,
            tol,
            kernel.scratch_arrays(
                n_shapes + growth * (8 + n_shapes),
                len(pieces.starts) - 1 + n_bases,
                outlines.size + n_bases,
                m,
                width,
                max(source_planes.shape[1], target_planes.shape[1]),
                growth * (64 + 4 * n_shapes),
            ),
            start,
            stop,
            seen,
            _NO_LINES if lines is None else lines,
            _NO_CUTTING if cutting is None else cutting,
        ):
            growth *= 4  # also for the chunks to come

    run_chunks(task, scenes, workers=workers, cost_ns=n * m * (60.0 + BLOCKER_NS * n_shapes))
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
