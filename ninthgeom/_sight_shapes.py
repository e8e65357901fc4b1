"""The shapes that block sight: bases and polygons less a rim, and bridges between those in contact.

Less the rim of a tolerance a shape blocks what passes deeper than that, and grazing is free. Shapes in
contact would leave a slit of two rims, so a *bridge* reaches from one to the other wherever they touch; it
counts where both count. Where touching blocks, shapes grow by the tolerance instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._convex import Ring
from ninthgeom._polygon_table import Table, eroded, whole
from ninthgeom._sight_contacts import Convex, bridged, contacts
from ninthgeom.bases import ROWS
from ninthgeom.polygons import Polygons

Touching: TypeAlias = Literal["clear", "blocked"]

# Of a tolerance: parts of a polygon are eroded by so much more and widened by it again, so that they overlap.
_OVERLAP: Final = 0.25
# What is thin has a radius less than 0; that of bridges, in tolerances, is so small that it changes nothing.
_THIN: Final = 1e-3
# Bridges are little boxes whose sides need not be parallel, so they are taken for so much larger.
_ROUND_BRIDGES: Final = 4.0


def blocking(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex parts of a polygon that together block what passes deeper than tol, less `_OVERLAP` round them.

    A polygon so thin that there are none blocks as segments do: then they are the pieces themselves.
    """
    return eroded(table, i, (1.0 + _OVERLAP) * tol) or table.convex(i)


@dataclass(frozen=True, eq=False)
class Outlines:
    """Polygon blockers.

    Attributes
    ----------
    parts, pieces : Convex, shape (1, P)
        The convex parts that block, and the convex pieces of the whole polygons.
    part_owner, piece_owner : ndarray of intp
        Which polygon each belongs to.
    size : int
        Number of polygons.
    """

    parts: Convex
    pieces: Convex
    part_owner: IntArray
    piece_owner: IntArray
    size: int

    @classmethod
    def of(cls, polygons: Sequence[Polygons], touching: Touching, tol: float) -> Outlines:
        """Collect the parts of some arrays of polygons, flattened."""
        parts: list[list[Ring]] = []
        pieces: list[list[Ring]] = []
        radii = []
        for some in polygons:
            made = some._made(blocking if touching == "clear" else whole, tol).rings
            for i in some._index.reshape(-1).tolist():
                own = some._table.convex(i)
                parts.append(made[i])
                pieces.append(own)
                clear = -1.0 if made[i] is own else _OVERLAP
                radii.append(tol * (clear if touching == "clear" else 1.0))
        numbers = np.arange(len(parts))
        sizes = [len(rings) for rings in parts]
        return cls(
            Convex.of_rings([ring for rings in parts for ring in rings], np.repeat(np.array(radii), sizes)),
            Convex.of_rings([ring for rings in pieces for ring in rings], np.zeros(sum(map(len, pieces)))),
            np.repeat(numbers, sizes).astype(np.intp),
            np.repeat(numbers, [len(rings) for rings in pieces]).astype(np.intp),
            len(parts),
        )


@dataclass(frozen=True, eq=False)
class Shapes:
    """Convex shapes as the sight kernel takes them: parts of polygons, bases, then bridges.

    Attributes
    ----------
    boxes : ndarray of float64, shape (S, 7, n)
        A box round each: centre, half axis vectors, radius.
    vertices : ndarray of float64, shape (S, n, 2, W)
        Corners, counter-clockwise.
    counts : ndarray of int64, shape (S, n)
        How many corners; none where nothing blocks.
    radii : ndarray of float64, shape (S, n)
        Radius round the corners; less than 0 where a shape is thin: a line must pass that far from both ends.
    owners : ndarray of int64, shape (S, n, 2)
        Numbers of two blockers that must both count; mostly twice the same.
    """

    boxes: FloatArray
    vertices: FloatArray
    counts: NDArray[np.int64]
    radii: FloatArray
    owners: NDArray[np.int64]


def shapes_of(
    bases: FloatArray, outlines: Outlines, column: IntArray, touching: Touching, tol: float
) -> Shapes:
    """Make the shapes of bases given as columns, (rows, S, B), and polygons.

    Parameters
    ----------
    bases : ndarray of float64, shape (7, S, B)
    outlines : Outlines
    column : ndarray of int
        Number of each polygon, then of each base, in `Shapes.owners`.
    touching : {"clear", "blocked"}
    tol : float
    """
    n_scenes, n_bases = bases.shape[1:]
    parts = outlines.parts
    inset = tol if touching == "clear" else -tol
    shrunk, boxes = _shrunk(bases, inset, tol)
    own = np.concatenate([outlines.part_owner, outlines.size + np.arange(n_bases)])
    joined = parts.repeated(n_scenes).joined(shrunk)
    scene, first, second, corners = _bridges(bases, outlines, joined, own, tol)
    walls = [
        (scene[is_wall], first[is_wall], second[is_wall], shape[is_wall])
        for shape in (first, second)
        if (is_wall := joined.radius[scene, shape] < 0.0).any()
    ]
    # A wall in contact with something blocks whatever crosses it, however near its ends.
    scene = np.concatenate([scene, *(wall[0] for wall in walls)])
    first = np.concatenate([first, *(wall[1] for wall in walls)])
    second = np.concatenate([second, *(wall[2] for wall in walls)])
    more = np.zeros((len(scene), 2, joined.width))
    count = np.full(len(scene), 4)
    more[: len(corners), :, :4] = corners
    at = len(corners)
    for wall in walls:
        end = at + len(wall[0])
        more[at:end] = joined.vertices[wall[0], wall[3]]
        count[at:end] = joined.count[wall[0], wall[3]]
        at = end
    place, room = _places(scene, n_scenes)

    n = joined.n + room
    all_boxes = np.zeros((n_scenes, ROWS, n))
    vertices = np.zeros((n_scenes, n, 2, joined.width))
    counts = np.zeros((n_scenes, n), np.int64)
    radii = np.zeros((n_scenes, n))
    owners = np.zeros((n_scenes, n, 2), np.int64)
    all_boxes[:, :, : parts.n] = np.swapaxes(parts.boxes(), 0, 1)
    all_boxes[:, :, parts.n : joined.n] = np.swapaxes(boxes, 0, 1)
    vertices[:, : joined.n] = joined.vertices
    counts[:, : joined.n] = joined.count
    radii[:, : joined.n] = joined.radius
    owners[:, : joined.n] = column[own][:, None]
    if len(scene):
        extra = Convex(more[None], count[None], np.full((1, len(scene)), -_THIN * tol))
        at_place = scene, joined.n + place
        all_boxes[scene, :, joined.n + place] = extra.boxes()[:, 0].T
        all_boxes[scene, -1, joined.n + place] += _ROUND_BRIDGES * tol
        vertices[at_place], counts[at_place], radii[at_place] = more, count, extra.radius[0]
        owners[at_place] = column[np.stack([own[first], own[second]], axis=1)]
    return Shapes(all_boxes, vertices, counts, radii, owners)


def _shrunk(bases: FloatArray, inset: float, tol: float) -> tuple[Convex, FloatArray]:
    """Return bases less an inset (grown if it is less than 0), and boxes round them.

    A base thinner than two tolerances blocks as a wall does, a point not at all.
    """
    x, y, cos, sin, along, across, radius = bases
    is_thin = np.minimum(along, across) + radius <= tol
    is_point = np.maximum(along, across) + radius <= tol
    core = np.where(is_thin, 0.0, np.maximum(inset - radius, 0.0))
    radii = np.where(is_thin, -inset, np.maximum(radius - inset, 0.0))
    along, across = np.maximum(along - core, 0.0), np.maximum(across - core, 0.0)
    boxes = np.stack([x, y, cos * along, sin * along, -sin * across, cos * across, np.maximum(radii, 0.0)])
    return Convex.of_boxes(boxes, np.where(is_point, 0, 4), radii), boxes


def _bridges(
    bases: FloatArray, outlines: Outlines, shapes: Convex, own: IntArray, tol: float
) -> tuple[IntArray, IntArray, IntArray, FloatArray]:
    """Return bridges: scene, the two shapes, corners (2, 4)."""
    scene, i, j = contacts(bases, outlines.pieces, outlines.piece_owner, tol)
    if not len(scene):
        return scene, i, j, np.empty((0, 2, 4))
    # from polygons and bases in contact to the shapes that stand for them
    pair, first = _expanded(own, i)
    again, second = _expanded(own, j[pair])
    scene, first = scene[pair][again], first[again]
    keep, corners = bridged(shapes, scene, first, second, tol)
    return scene[keep], first[keep], second[keep], corners


def _expanded(owner: IntArray, wanted: IntArray) -> tuple[IntArray, IntArray]:
    """Return for each of the wanted owners all that is owned: index of the wanted one, and what it owns."""
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], wanted, side="left")
    sizes = np.searchsorted(owner[order], wanted, side="right") - starts
    which = np.repeat(np.arange(len(wanted)), sizes)
    return which, order[np.arange(len(which)) - np.repeat(np.cumsum(sizes) - sizes - starts, sizes)]


def _places(scene: IntArray, n_scenes: int) -> tuple[IntArray, int]:
    """Return the place of each among those of its scene, and how many places that needs."""
    order = np.argsort(scene, kind="stable")
    counts = np.bincount(scene, minlength=n_scenes)
    place = np.empty(len(scene), np.intp)
    place[order] = np.arange(len(scene)) - np.repeat(np.cumsum(counts) - counts, counts)
    return place, int(counts.max(initial=0))
