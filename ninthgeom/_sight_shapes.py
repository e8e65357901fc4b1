"""The shapes that block sight: bases and polygons less a rim, and bridges between those in contact.

Less the rim of a tolerance a shape blocks what passes deeper than that, and grazing is free. Shapes in
contact would leave a slit of two rims, so a *bridge* reaches from one to the other wherever they touch; it
counts where both count. Where touching blocks, shapes grow by the tolerance instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._convex import Ring
from ninthgeom._polygon_table import Made, Table, eroded, whole
from ninthgeom._sight_contacts import Convex, bridged, contacts, contacts_of_pieces, seams
from ninthgeom.bases import ROWS
from ninthgeom.polygons import Polygons

Touching: TypeAlias = Literal["clear", "blocked"]

# What is thin has a radius less than 0; that of bridges, in tolerances, is so small that it changes nothing.
_THIN: Final = 1e-3
# Faces of blockers in contact may be turned so that one end is this far apart, in tolerances.
_FACE: Final = 2.0
# Owner of what is itself a bridge, where shapes to be bridged are looked for.
_JOINS_NOTHING: Final = -1
# Bridges are little boxes whose sides need not be parallel, so they are taken for so much larger.
_ROUND_BRIDGES: Final = 4.0


def blocking(table: Table, i: int, tol: float) -> list[Ring]:
    """Convex parts of a polygon that together are what is deeper than tol inside.

    A polygon so thin that there are none blocks as segments do: then they are the pieces themselves.
    """
    return eroded(table, i, tol) or table.convex(i)


@dataclass(frozen=True, eq=False)
class Outlines:
    """Polygon blockers.

    Attributes
    ----------
    parts, pieces : Convex, shape (1, P)
        The convex parts that block, then bridges along the seams between them; and the convex pieces of the
        whole polygons.
    part_owner, piece_owner : ndarray of intp
        Which polygon each belongs to.
    n_seams : int
        How many of the parts, the last ones, are bridges.
    size : int
        Number of polygons.
    touching : (ndarray of intp, ndarray of intp)
        Pairs of polygons in contact.
    """

    parts: Convex
    pieces: Convex
    part_owner: IntArray
    piece_owner: IntArray
    n_seams: int
    size: int
    touching: tuple[IntArray, IntArray]

    @classmethod
    def of(cls, polygons: Sequence[Polygons], touching: Touching, tol: float) -> Outlines:
        """Collect the parts of some arrays of polygons, flattened."""
        make, collect = (blocking, _clear) if touching == "clear" else (whole, _blocked)
        if len(polygons) == 1:  # kept with the polygons if it is all of them, as that of a board's terrain is
            index = polygons[0]._index.reshape(-1)
            made = polygons[0]._made(make, tol)
            if len(index) == len(made.rings) and (index == np.arange(len(index))).all():
                return made.derived(collect)
        chosen = [(some._made(make, tol), some._index.reshape(-1).tolist()) for some in polygons]
        return cls.of_rings([(made, i) for made, index in chosen for i in index], touching)

    @classmethod
    def of_rings(cls, chosen: Sequence[tuple[Made, int]], touching: Touching) -> Outlines:
        """Collect the parts of some polygons, given by what was made of their table and their number."""
        pieces = [made.table.convex(i) for made, i in chosen]
        parts = [made.rings[i] for made, i in chosen]
        radii = []
        for (made, _), part, own in zip(chosen, parts, pieces, strict=True):
            clear = -1.0 if part is own else 0.0
            radii.append(made.tol * (clear if touching == "clear" else 1.0))
        tol = chosen[0][0].tol if chosen else 0.0
        numbers = np.arange(len(parts))
        sizes = [len(rings) for rings in parts]
        piece_owner = np.repeat(numbers, [len(rings) for rings in pieces]).astype(np.intp)
        all_pieces = [ring for rings in pieces for ring in rings]
        whole_pieces = Convex.of_rings(all_pieces, np.zeros(len(piece_owner)))
        part_owner = np.repeat(numbers, sizes).astype(np.intp)
        rings = [ring for rings in parts for ring in rings]
        radius = np.repeat(np.array(radii), sizes)
        n_seams = 0
        if touching == "clear":  # grown parts overlap
            corners, seam_owner = seams(Convex.of_rings(rings, radius), part_owner, tol)
            n_seams = len(corners)
            rings += list(np.swapaxes(corners, 1, 2))
            radius = np.concatenate([radius, np.full(n_seams, -_THIN * tol)])
            part_owner = np.concatenate([part_owner, seam_owner])
        return cls(
            Convex.of_rings(rings, radius),
            whole_pieces,
            part_owner,
            piece_owner,
            n_seams,
            len(parts),
            contacts_of_pieces(whole_pieces, piece_owner, tol),
        )


def _clear(made: Made) -> Outlines:
    return Outlines.of_rings([(made, i) for i in range(len(made.rings))], "clear")


def _blocked(made: Made) -> Outlines:
    return Outlines.of_rings([(made, i) for i in range(len(made.rings))], "blocked")


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
    owners : ndarray of int64, shape (S, n, 3)
        Numbers of two blockers that must both count, mostly the same, and of another that is named beside the
        first one where the shape hides something.
    """

    boxes: FloatArray
    vertices: FloatArray
    counts: NDArray[np.int64]
    radii: FloatArray
    owners: NDArray[np.int64]

    def of(self, scenes: IntArray) -> Shapes:
        """Return those of some scenes; shapes that are the same in all stay so."""
        if len(self.counts) == 1:
            return self
        return Shapes(**{name: values[scenes] for name, values in vars(self).items()})


def shapes_of(
    bases: FloatArray, outlines: Outlines, column: IntArray, touching: Touching, tol: float, plain: int = 0
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
    plain : int
        How many of the bases, the last ones, need no bridges: they reach into all that they touch.
    """
    n_scenes, n_bases = bases.shape[1:]
    parts = outlines.parts
    inset = tol if touching == "clear" else -tol
    shrunk, bases_boxes = _shrunk(bases, inset, tol)
    n = parts.n + n_bases
    boxes = np.empty((n_scenes, ROWS, n))
    vertices = np.empty((n_scenes, n, 2, parts.width))
    counts = np.empty((n_scenes, n), np.int64)
    radii = np.empty((n_scenes, n))
    boxes[:, :, : parts.n] = np.swapaxes(parts.boxes(), 0, 1)
    boxes[:, :, parts.n :] = np.swapaxes(bases_boxes, 0, 1)
    vertices[:, : parts.n] = parts.vertices
    vertices[:, parts.n :, :, :4] = shrunk.vertices
    vertices[:, parts.n :, :, 4:] = shrunk.vertices[..., -1:]
    counts[:, : parts.n], counts[:, parts.n :] = parts.count, shrunk.count
    radii[:, : parts.n], radii[:, parts.n :] = parts.radius, shrunk.radius
    own = np.concatenate([outlines.part_owner, outlines.size + np.arange(n_bases)])
    owners = np.broadcast_to(column[own][:, None], (n_scenes, n, 3))
    shapes = Shapes(boxes, vertices, counts, radii, np.ascontiguousarray(owners))
    joins = own.copy()
    joins[parts.n - outlines.n_seams : parts.n] = _JOINS_NOTHING
    bridges = _bridges(bases[:, :, : n_bases - plain], outlines, shapes, joins, tol)
    return shapes if bridges is None else _with_bridges(shapes, *bridges, column[own], tol)


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
    bases: FloatArray, outlines: Outlines, shapes: Shapes, own: IntArray, tol: float
) -> tuple[IntArray, IntArray, Convex] | None:
    """Return bridges: scene, shapes as in `Shapes.owners`, and their own form; None if there are none."""
    scene, i, j = contacts(bases, outlines.pieces, outlines.piece_owner, tol)
    if len(outlines.touching[0]):
        every = np.arange(bases.shape[1])
        scene = np.concatenate([scene, np.repeat(every, len(outlines.touching[0]))])
        i, j = (
            np.concatenate([own_pair, np.tile(fixed, len(every))])
            for own_pair, fixed in zip((i, j), outlines.touching, strict=True)
        )
    if not len(scene):
        return None
    # from polygons and bases in contact to the shapes that stand for them
    pair, first = _expanded(own, i)
    again, second = _expanded(own, j[pair])
    scene, first = scene[pair][again], first[again]
    convex = Convex(shapes.vertices, shapes.counts, shapes.radii)
    keep, corners = bridged(convex, scene, first, second, pair[again], _FACE * tol, tol)
    scene, first, second = scene[keep], first[keep], second[keep]
    if not len(scene):
        return None
    count = np.full(len(scene), 4)
    vertices = np.zeros((len(scene), 2, convex.width))
    vertices[..., :4], vertices[..., 4:] = corners, corners[..., -1:]
    # A wall in contact with something blocks whatever crosses it, however near its ends.
    owners = [np.stack([first, second, second], axis=1)]
    walls = [np.empty(0, np.intp)]
    for shape, other in ((first, second), (second, first)):
        is_wall = shapes.radii[scene, shape] < 0.0
        wall = scene[is_wall], shape[is_wall]
        walls.append(wall[0])
        count = np.concatenate([count, shapes.counts[wall]])
        vertices = np.concatenate([vertices, shapes.vertices[wall]])
        owners.append(np.stack([shape, other, shape], axis=1)[is_wall])
    scene = np.concatenate([scene, *walls])
    radius = np.full((1, len(scene)), -_THIN * tol)
    return scene, np.concatenate(owners), Convex(vertices[None], count[None], radius)


def _with_bridges(
    shapes: Shapes,
    scene: IntArray,
    owners: IntArray,
    bridges: Convex,
    column: IntArray,
    tol: float,
) -> Shapes:
    n_scenes, n = shapes.counts.shape
    place, room = _places(scene, n_scenes)
    at = scene, n + place

    def widened(array: NDArray[Any], axis: int) -> NDArray[Any]:
        more = np.zeros((*array.shape[:axis], room, *array.shape[axis + 1 :]), array.dtype)
        return np.concatenate([array, more], axis)

    wide = Shapes(
        widened(shapes.boxes, 2),
        widened(shapes.vertices, 1),
        widened(shapes.counts, 1),
        widened(shapes.radii, 1),
        widened(shapes.owners, 1),
    )
    boxes = bridges.boxes()[:, 0]
    boxes[-1] += _ROUND_BRIDGES * tol
    wide.boxes[scene, :, n + place] = boxes.T
    wide.vertices[at], wide.counts[at], wide.radii[at] = bridges.vertices, bridges.count, bridges.radius
    wide.owners[at] = column[owners]
    return wide


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
