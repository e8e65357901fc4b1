"""Which blockers of sight are in contact, and bridges across the slits that their rims would leave."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ninthgeom._arrays import BoolArray, FloatArray, IntArray
from ninthgeom._convex import ROUNDING, Ring
from ninthgeom.bases import ACROSS, ALONG, COS, ROWS, X, Y

#: How far bridges reach into shapes, in tolerances, and start from the ends of walls: enough to overlap them.
INTO_SHAPE: Final = 0.25
# Less their rims, shapes in contact are at most so many tolerances apart, but for corners below 7 degrees.
_APART: Final = 16.0
# Parts of one polygon no further apart than this, in inches, meet in a seam; rounding leaves a little.
_SEAM: Final = 4.0 * ROUNDING


@dataclass(frozen=True, eq=False)
class Convex:
    """Convex shapes: corners, counter-clockwise, with a radius round them; S scenes of n.

    Attributes
    ----------
    vertices : ndarray of float64, shape (S, n, 2, W)
        Those from `count` on repeat the last one.
    count : ndarray of intp, shape (S, n)
    radius : ndarray of float64, shape (S, n)
    """

    vertices: FloatArray
    count: IntArray
    radius: FloatArray

    @classmethod
    def of_rings(cls, rings: Sequence[Ring], radius: FloatArray) -> Convex:
        """Pack rings of one scene."""
        count = np.array([len(ring) for ring in rings], np.intp)
        width = max([4, *count.tolist()])
        vertices = np.zeros((1, len(rings), 2, width))
        for i, ring in enumerate(rings):
            vertices[0, i, :, : len(ring)] = ring.T
            vertices[0, i, :, len(ring) :] = ring[-1][:, None]
        return cls(vertices, count[None], radius[None])

    @classmethod
    def of_boxes(cls, boxes: FloatArray, count: IntArray, radius: FloatArray) -> Convex:
        """Make shapes of boxes: centre and half axis vectors in rows, (6 or more, S, n)."""
        corners = np.empty((*count.shape, 2, 4))
        for row in range(2):
            middle, u, v = boxes[row], boxes[2 + row], boxes[4 + row]
            for k, corner in enumerate((middle + u + v, middle - u + v, middle - u - v, middle + u - v)):
                corners[..., row, k] = corner
        return cls(corners, count, radius)

    @property
    def n(self) -> int:
        """Number of shapes in a scene."""
        return int(self.vertices.shape[1])

    @property
    def width(self) -> int:
        """Most corners a shape has room for."""
        return int(self.vertices.shape[3])

    def boxes(self) -> FloatArray:
        """Return boxes along the axes, rows as those of sight kernels, shape (7, S, n)."""
        low, high = self.vertices.min(axis=-1), self.vertices.max(axis=-1)
        middle, half = (low + high) / 2, (high - low) / 2
        nothing = np.zeros(self.count.shape)
        radius = np.maximum(self.radius, 0.0)
        rows = middle[..., 0], middle[..., 1], half[..., 0], nothing, nothing, half[..., 1], radius
        return np.stack(rows)

    def chosen(self, scene: IntArray, shape: IntArray) -> Convex:
        """Return some shapes, as those of one scene."""
        which = scene, shape
        return Convex(self.vertices[which][None], self.count[which][None], self.radius[which][None])

    def without_ends(self, length: float) -> Convex:
        """Return thin shapes less so much at all their corners, the others as they are."""
        middle = (self.vertices.min(axis=-1) + self.vertices.max(axis=-1))[..., None] / 2
        way = middle - self.vertices
        far = np.hypot(way[..., 0, :], way[..., 1, :])[..., None, :]
        share = np.where(self.radius < 0.0, length, 0.0)[..., None, None] / np.maximum(far, length)
        return Convex(self.vertices + share * way, self.count, self.radius)

    def padded(self, width: int) -> FloatArray:
        """Return the corners with room for more, a copy."""
        vertices = np.empty((*self.vertices.shape[:3], width))
        vertices[..., : self.width] = self.vertices
        vertices[..., self.width :] = self.vertices[..., -1:]
        return vertices


def contacts(
    bases: FloatArray, pieces: Convex, piece_owner: IntArray, tol: float
) -> tuple[IntArray, IntArray, IntArray]:
    """Return which blockers are in contact: scene and two numbers, polygons first and then bases.

    Rectangles that overlap deeply are left out: there is no slit between them. So are pairs of polygons.

    Parameters
    ----------
    bases : ndarray of float64, shape (7, S, B)
        Columns of bases.
    pieces : Convex, shape (1, P)
        Convex pieces of polygons.
    piece_owner : ndarray of intp, shape (P,)
        Polygon of each.
    tol : float
        Blockers no further apart than this are in contact.
    """
    n_scenes, n_bases = bases.shape[1:]
    n_pieces = pieces.n
    columns = np.empty((ROWS, n_scenes, n_pieces + n_bases))
    boxes = pieces.boxes()
    columns[:, :, :n_pieces] = 0.0
    columns[COS, :, :n_pieces] = 1.0
    for row, of_box in ((X, 0), (Y, 1), (ALONG, 2), (ACROSS, 5)):
        columns[row, :, :n_pieces] = boxes[of_box]
    columns[:, :, n_pieces:] = bases
    owner = np.concatenate([piece_owner, np.arange(n_bases) + (piece_owner.max(initial=-1) + 1)])
    scene, a, b = _close(columns, n_pieces, tol)
    if not len(scene):
        return scene, a, b
    separation, _, _ = _separation(
        _whole(columns[:, scene, a], a, pieces), _whole(columns[:, scene, b], b, pieces)
    )
    touching = separation <= tol
    scene, i, j = scene[touching], owner[a][touching], owner[b][touching]
    if not len(scene):
        return scene, i, j
    # a polygon may touch with several of its pieces
    key = np.unique((scene * (owner.max() + 1) + i) * (owner.max() + 1) + j)
    rest, j = np.divmod(key, owner.max() + 1)
    scene, i = np.divmod(rest, owner.max() + 1)
    return scene, i, j


def _close(columns: FloatArray, n_pieces: int, tol: float) -> tuple[IntArray, IntArray, IntArray]:
    """Return scene and two indices of pairs whose boxes are close: no two pieces, no deep overlaps."""
    # Imported here, since it compiles: a Bases question alone should not wait for it.
    from ninthgeom_kernel.close_boxes import close_boxes

    room = 4 * columns.shape[1] + 64
    while True:
        pairs = np.empty((room, 3), np.int64)
        count = np.zeros(1, np.int64)
        close_boxes(columns, n_pieces, tol, pairs, count)
        found = int(count[0])
        if found <= room:
            scene, a, b = pairs[:found].T
            return scene, a, b
        room = found


def bridged(
    shapes: Convex,
    scene: IntArray,
    first: IntArray,
    second: IntArray,
    contact: IntArray,
    face: float,
    tol: float,
) -> tuple[BoolArray, FloatArray]:
    """Return which pairs of shapes need a bridge, and the corners of these, shape (n, 2, 4).

    ``contact`` numbers the contacts that the pairs belong to; sharp corners are far apart without their rims,
    so where no pair of a contact is near, the nearest gets the bridge. What is no further than ``face`` from
    the outermost corner of a shape belongs to the face it has there.

    A bridge reaches from the face of one shape to the face of the other, as far as these are side by side,
    and a little into both. A corner has a face of no length.
    """
    if not len(scene):
        return np.zeros(0, np.bool_), np.empty((0, 2, 4))
    exists = np.minimum(shapes.count[scene, first], shapes.count[scene, second]) > 0
    a, b = (shapes.chosen(scene, which).without_ends(INTO_SHAPE * tol) for which in (first, second))
    separation, nx, ny = _separation(a, b)
    # shapes that overlap even without their rims need none
    nearest = np.full(int(contact.max(initial=-1)) + 1, np.inf)
    np.minimum.at(nearest, contact, np.where(exists, separation, np.inf))
    least = np.maximum(nearest[contact], _APART * tol)
    needed = exists & (separation <= least) & (separation > -INTO_SHAPE * tol)
    nx, ny = nx[needed], ny[needed]
    everything = np.zeros(int(np.count_nonzero(needed)), np.intp), np.flatnonzero(needed)
    a_level, a_low, a_high = _face(a.chosen(*everything), nx, ny, -1.0, face)
    b_level, b_low, b_high = _face(b.chosen(*everything), nx, ny, 1.0, face)
    corners = np.empty((len(nx), 2, 4))
    into = INTO_SHAPE * tol
    for end, along in enumerate((np.maximum(a_low, b_low), np.minimum(a_high, b_high))):
        a_along, b_along = np.clip(along, a_low, a_high), np.clip(along, b_low, b_high)
        # unit vector from b to a, in the frame of the normal and the face
        out, aside = a_level - b_level, a_along - b_along
        length = np.hypot(out, aside)
        goes = (out > -1e-3 * tol) & (length > 1e-3 * tol)
        length = np.where(goes, length, 1.0)
        out, aside = np.where(goes, out / length, 1.0), np.where(goes, aside / length, 0.0)
        for k, level, place in (
            (1 + end, a_level + into * out, a_along + into * aside),
            (3 * end, b_level - into * out, b_along - into * aside),
        ):
            corners[:, 0, k] = level * nx - place * ny
            corners[:, 1, k] = level * ny + place * nx
    return needed, corners


def contacts_of_pieces(pieces: Convex, owner: IntArray, tol: float) -> tuple[IntArray, IntArray]:
    """Return the pairs of polygons in contact, given as convex pieces."""
    a, b = _touching(pieces, owner[:, None] < owner, tol)
    pairs = np.unique(np.stack([owner[a], owner[b]], axis=1), axis=0)
    return pairs[:, 0], pairs[:, 1]


def seams(parts: Convex, owner: IntArray, tol: float) -> tuple[FloatArray, IntArray]:
    """Return bridges along the seams between the parts of each polygon, shape (n, 2, 4), and its owner.

    A line along a seam is inside of neither part.
    """
    order = np.arange(len(owner))
    a, b = _touching(parts, (owner[:, None] == owner) & (order[:, None] < order), _SEAM)
    here = np.zeros(len(a), np.intp)
    keep, corners = bridged(parts, here, a, b, np.arange(len(a)), _SEAM, tol)
    return corners, owner[a][keep]


def _touching(shapes: Convex, asked: BoolArray, distance: float) -> tuple[IntArray, IntArray]:
    """Return the pairs of shapes of one scene no further apart than this, among those asked for (n, n)."""
    low = shapes.vertices[0].min(axis=-1) - distance
    high = shapes.vertices[0].max(axis=-1) + distance
    meet = (low[:, None] <= high).all(axis=-1) & (low <= high[:, None]).all(axis=-1)
    a, b = np.nonzero(meet & asked)
    here = np.zeros(len(a), np.intp)
    separation, _, _ = _separation(shapes.chosen(here, a), shapes.chosen(here, b))
    is_near = separation <= distance
    return a[is_near], b[is_near]


def _whole(columns: FloatArray, index: IntArray, pieces: Convex) -> Convex:
    """Shapes of bases given as columns, (7, n), where the index is not that of a piece."""
    x, y, cos, sin, along, across, radius = columns[:, None]
    boxes = np.stack([x, y, cos * along, sin * along, -sin * across, cos * across])
    bases = Convex.of_boxes(boxes, np.full(radius.shape, 4), radius)
    is_piece = index < pieces.n
    if not is_piece.any():
        return bases
    vertices = bases.padded(max(4, pieces.width))
    own = index[is_piece]
    vertices[0, is_piece] = pieces.vertices[0, own]
    count, radius = bases.count.copy(), radius.copy()
    count[0, is_piece], radius[0, is_piece] = pieces.count[0, own], 0.0
    return Convex(vertices, count, radius)


def _face(
    shapes: Convex, nx: FloatArray, ny: FloatArray, sign: float, depth_of_face: float
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return how far shapes reach along a normal times sign, and from where to where aside they do so."""
    x, y = shapes.vertices[0, :, 0], shapes.vertices[0, :, 1]
    depth = sign * (nx[:, None] * x + ny[:, None] * y)
    most = depth.max(axis=1)
    aside = nx[:, None] * y - ny[:, None] * x
    in_face = depth >= most[:, None] - depth_of_face
    low = np.where(in_face, aside, np.inf).min(axis=1)
    high = np.where(in_face, aside, -np.inf).max(axis=1)
    return sign * (most + np.maximum(shapes.radius[0], 0.0)), low, high


def _separation(a: Convex, b: Convex) -> tuple[FloatArray, FloatArray, FloatArray]:
    """How far a line separates shapes, less than 0 if they overlap, and its normal, which points from b."""
    # Imported here, since it compiles: most questions have no shapes that are close.
    from ninthgeom_kernel.separations import separations

    found = np.empty((3, len(a.count[0])))
    if len(a.count[0]):
        corners = (np.ascontiguousarray(shapes.vertices[0]) for shapes in (a, b))
        counts = (np.maximum(shapes.count[0], 1) for shapes in (a, b))  # points, about which nobody asks
        first, second = zip(corners, counts, strict=True)
        separations(*first, *second, found)
    reach = np.maximum(a.radius[0], 0.0) + np.maximum(b.radius[0], 0.0)
    return found[0] - reach, found[1], found[2]
