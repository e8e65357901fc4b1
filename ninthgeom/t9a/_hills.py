"""Hills, decided line by line: opaque terrain that does not block a line that starts or ends in it.

Which lines those are depends on the part of the facing, or of the target, that lies in the hill. So pairs
that see nothing past the hill are asked again: the part of the source in the hill alone, without the hill in
the way, and the same with the target, and with both in different hills. Where hills overlap, the part in all
of them is in the way of none of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import ALONG, COS, SIN, Bases, X, Y
from ninthgeom.t9a._elevation import touched

if TYPE_CHECKING:
    from ninthgeom._convex import Ring
    from ninthgeom.board import Board
    from ninthgeom.polygons import Polygons
    from ninthgeom.t9a._obstacles import Blocks
    from ninthgeom.t9a._things import Things
    from ninthgeom.t9a.rules import Rules

IntArray: TypeAlias = NDArray[np.intp]


@dataclass(frozen=True, eq=False)
class Where:
    """The states, eyes and sinks of a question to which another one is confined."""

    states: IntArray
    eyes: IntArray
    sinks: IntArray

    @classmethod
    def any_of(cls, asked: BoolArray) -> Where:
        """Return where something is asked, `asked` of shape (S, n, m)."""
        states = np.flatnonzero(asked.any(axis=(1, 2)))
        asked = asked[states]
        return cls(states, np.flatnonzero(asked.any(axis=(0, 2))), np.flatnonzero(asked.any(axis=(0, 1))))

    def bases(self, bases: Bases, columns: IntArray | None) -> Bases:
        """Return bases (S or 1, n) of the states, and of columns if they are given."""
        if bases.shape[0] > 1:
            bases = bases[self.states]
        return bases if columns is None else bases[:, columns]

    @property
    def index(self) -> tuple[IntArray, ...]:
        """Index of these places in an array (S, n, m)."""
        return np.ix_(self.states, self.eyes, self.sinks)


#: Asks the engine: places, what is asked there and what blocks there, then the parts.
Ask: TypeAlias = Callable[..., BoolArray]


@dataclass(frozen=True, eq=False)
class Region:
    """What several hills have in common, mostly one hill.

    Attributes
    ----------
    hills : frozenset of int
        Which, among the hills.
    pieces : list of ndarray, shape (3, k)
        Convex pieces as half-planes, rows as the engine takes them.
    outlines : list of shapely geometries
        The pieces again.
    """

    hills: frozenset[int]
    pieces: list[FloatArray]
    outlines: list[BaseGeometry]


@dataclass(frozen=True, eq=False)
class Hills:
    """The hills of a board.

    Attributes
    ----------
    numbers : ndarray of int, shape (H,)
        Their numbers among the opaque terrain.
    n_opaque : int
        How much opaque terrain there is.
    outlines : Polygons, shape (H,)
    regions : list of Region
        Each hill, then what two or more of them have in common.
    """

    numbers: IntArray
    n_opaque: int
    outlines: Polygons
    regions: list[Region]


def hills_of(board: Board, rules: Rules, tol: float) -> Hills | None:
    """Return the terrain that is opaque but lets lines in and out; None if there is none."""
    # what was made last is kept, so that no number of tolerances fills the memory
    key = f"hills of sight, {rules.opaque_exempt}"
    kept: tuple[float, Hills | None] | None = board._derived.get(key)
    if kept is not None and kept[0] == tol:
        return kept[1]
    opaque = [piece for piece in board.terrain if piece.opaque]
    numbers = np.array([i for i, piece in enumerate(opaque) if piece.kind != "impassable"], np.intp)
    made = _made(board.opaque_outlines, numbers, rules, tol) if len(numbers) else None
    board._derived[key] = tol, made
    return made


def see_into_and_out_of(
    hills: Hills,
    eyes: Things,
    sinks: Things,
    asked: BoolArray,
    blocks: Blocks,
    seen: BoolArray,
    ask: Ask,
    tol: float,
    workers: int,
) -> None:
    """Add to `seen` the pairs with a line that starts or ends in a hill.

    Parameters
    ----------
    hills : Hills
    eyes, sinks : Things
        Who looks, and at what.
    asked, blocks
        The question so far, where every hill blocks.
    seen : ndarray of bool, shape (S, n, m)
        Its answer; written to.
    ask : callable
        Asks the engine about some places, see `Ask`.
    """
    from_hill, into_hill = touched(hills.outlines, [_facings(eyes.bases), sinks.bases], tol, workers)
    if not (from_hill.any() or into_hill.any()):
        return
    first = blocks.eyes.shape[-1] - hills.n_opaque
    for source, target in _combinations(hills.regions):
        inside = (source.hills if source else frozenset()) | (target.hills if target else frozenset())
        columns = first + hills.numbers[sorted(inside)]
        # A hill too low to be in the way of a pair leaves the pair to the questions without it.
        wanted: BoolArray = asked & ~seen
        wanted &= blocks.all_of(columns)
        if source is not None:
            wanted &= from_hill[sorted(source.hills), :, :, None].all(axis=0)
        if target is not None:
            wanted &= into_hill[sorted(target.hills), :, None, :].all(axis=0)
        if not wanted.any():
            continue
        where = Where.any_of(wanted)
        past = blocks.of(where.states, where.eyes, where.sinks).without(columns).mask()
        parts = list(product(*([None] if region is None else region.pieces for region in (source, target))))
        left = wanted[where.index]
        if len(parts) > 1:
            # Many pairs do not see each other even with these hills gone, and few of the pieces matter.
            left &= ask(where, left, past)
        found = np.zeros_like(left)
        for source_part, target_part in parts:
            if not left.any():
                break
            answer = ask(where, left, past, source_part=source_part, target_part=target_part)
            found |= answer
            left &= ~answer
        seen[where.index] |= found


def _combinations(regions: list[Region]) -> list[tuple[Region | None, Region | None]]:
    """Return the pairs of regions that lines may start and end in."""
    alone: list[tuple[Region | None, Region | None]] = [(region, None) for region in regions]
    alone += [(None, region) for region in regions]
    # If one end lies in all hills of the other, that end alone is enough.
    both = [
        (source, target)
        for source in regions
        for target in regions
        if not (source.hills <= target.hills or target.hills <= source.hills)
    ]
    return alone + both


def _facings(bases: Bases) -> Bases:
    """Return what lines start from: front edges of rectangles, all of round bases."""
    columns = np.array(bases._columns)
    ahead = np.where(bases.radius > 0, 0.0, columns[ALONG])
    columns[X] += columns[COS] * ahead
    columns[Y] += columns[SIN] * ahead
    columns[ALONG] -= ahead
    width, depth, radius = bases._sizes
    return Bases._of_parts(columns, bases.heading, (width, depth - 2 * ahead, radius))


def _made(opaque: Polygons, numbers: IntArray, rules: Rules, tol: float) -> Hills:
    outlines = opaque[numbers]
    deeper = rules.opaque_exempt == "inside"
    singles = []
    for i, outline in enumerate(outlines.to_shapely()):
        rings = outlines._table.convex(int(outlines._index[i]))
        pieces = [_half_planes(ring, outline, tol if deeper else -tol, tol) for ring in rings]
        singles.append(Region(frozenset([i]), pieces, [shapely.Polygon(ring) for ring in rings]))
    regions = list(singles)
    newest = singles
    while newest:
        newest = [
            common
            for region in newest
            for single in singles[max(region.hills) + 1 :]
            if (common := _common(region, single, tol, deeper=deeper)) is not None
        ]
        regions += newest
    return Hills(numbers, len(opaque), outlines, regions)


def _common(one: Region, other: Region, tol: float, *, deeper: bool) -> Region | None:
    """Return what two regions have in common; where touching counts, also where they only touch."""
    pieces, outlines = [], []
    for (a, p), (b, q) in product(
        zip(one.pieces, one.outlines, strict=True), zip(other.pieces, other.outlines, strict=True)
    ):
        shared = shapely.intersection(p, q if deeper else q.buffer(3.0 * tol))
        if shared.area > 0.0:
            pieces.append(np.concatenate([a, b], axis=1))
            outlines.append(shared)
    return Region(one.hills | other.hills, pieces, outlines) if pieces else None


def _half_planes(ring: Ring, outline: shapely.Polygon, depth: float, tol: float) -> FloatArray:
    """Return the half-planes of a convex piece, `depth` inside where its edges are edges of the outline.

    Edges between two pieces reach a little over each other, so that nothing is lost between them.
    """
    corners = np.asarray(ring, np.float64)
    if shapely.Polygon(corners).exterior.is_ccw is False:
        corners = corners[::-1]
    ends = np.roll(corners, -1, axis=0)
    along = ends - corners
    inward = np.column_stack([-along[:, 1], along[:, 0]]) / np.hypot(*along.T)[:, None]
    middles = shapely.points((corners + ends) / 2)
    is_outer = shapely.distance(outline.boundary, middles) <= tol * 1e-3
    offset = (inward * corners).sum(axis=1) + np.where(is_outer, depth, -tol)
    return np.vstack([inward.T, offset])
