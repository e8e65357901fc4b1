"""Line of sight by brute force: every critical line of a scene is drawn and tested.

A set of free lines that is not empty contains a line on which two things happen at once: it touches two
elements (ends of the facing, corners and roundings of source, target, blockers, crossings of a blocker's
outline with that of the target or of the source), or it touches one element at the limit of the arc. So
it is enough to try all of these. A line is tested on its own merits, whatever it was made from: an answer
"seen" has a witness.

`Questions.line_faults` tests lines that somebody else has found, `cuts_some_line` whether a blocker is in the
way of any line at all.

Shapes are convex cores of at most `MAX_VERTICES` counter-clockwise vertices, widened by a radius. Two of them
are a wall or a stadium, one is a point or a disc. Columns of bases: x, y, heading, width, depth, radius.

All in one file: what numba caches of a function follows the content of its own file only.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numba import njit

MAX_VERTICES = 8
TOLERANCE = 1e-6
MARGIN = 1e-5  # an answer counts as robust when blockers may grow or shrink by this much
_SLACK = 1e-9  # for rounding in candidates that are tangent by construction

# Where touching blocks, a line must keep clear of blockers grown by the first number, but for the second at
# its ends. An answer counts when all of these agree: what touches but for rounding is blocked then.
GRAZES = np.array([(1e-6, 3e-6), (2e-7, 2e-6), (1e-5, 2e-5), (1e-5, 2e-4)])

# What may be wrong with a line.
NOT_FROM_SOURCE, NOT_TO_TARGET, NOT_IN_ARC, BLOCKED, BETWEEN, NOT_A_CONTACT = range(1, 7)


@dataclass(frozen=True)
class Shapes:
    """Convex shapes: `vertices` (..., MAX_VERTICES, 2), how many of them count, and the radius round them."""

    vertices: Any
    count: Any
    radius: Any

    def __getitem__(self, key: Any) -> Shapes:
        return Shapes(self.vertices[key], self.count[key], self.radius[key])


def shapes_of_bases(columns: Any) -> Shapes:
    """Shapes of bases given as columns (..., 6)."""
    x, y, heading, width, depth, radius = np.moveaxis(np.asarray(columns, dtype=float), -1, 0)
    along, across = depth / 2 - radius, width / 2 - radius
    along, across = np.where(along > _SLACK, along, 0.0), np.where(across > _SLACK, across, 0.0)
    forward = np.stack([np.cos(heading), np.sin(heading)], -1)
    left = np.stack([-np.sin(heading), np.cos(heading)], -1)
    centre = np.stack([x, y], -1)
    a, b = along[..., None] * forward, across[..., None] * left
    vertices = np.zeros((*x.shape, MAX_VERTICES, 2))
    # A flat core keeps its two ends only: front-right = rear-right when it has no depth, and so on.
    for i, corner in enumerate((centre + a + b, centre - a - b, centre - a + b, centre + a - b)):
        vertices[..., (0, 2, 1, 3)[i], :] = corner
    flat = (along == 0) | (across == 0)
    vertices[..., 1, :] = np.where(flat[..., None], vertices[..., 2, :], vertices[..., 1, :])
    count = np.where(flat, np.where((along == 0) & (across == 0), 1, 2), 4)
    return Shapes(vertices, count, radius.copy())


def shapes_of_polygons(rings: Any) -> Shapes:
    """Shapes of convex counter-clockwise polygons, a list of (n, 2) arrays."""
    shapes = Shapes(
        np.zeros((len(rings), MAX_VERTICES, 2)), np.zeros(len(rings), dtype=np.int64), np.zeros(len(rings))
    )
    for i, ring in enumerate(rings):
        shapes.vertices[i, : len(ring)] = ring
        shapes.count[i] = len(ring)
    return shapes


def concatenated(a: Shapes, b: Shapes) -> Shapes:
    """Shapes of both along the last axis."""
    axis = np.ndim(a.count) - 1
    return Shapes(
        np.concatenate([a.vertices, b.vertices], axis),
        np.concatenate([a.count, b.count], axis),
        np.concatenate([a.radius, b.radius], axis),
    )


def is_round(columns: Any) -> Any:
    """Whether bases look from anywhere in all directions: points, discs and ovals."""
    width, depth, radius = np.moveaxis(np.asarray(columns, dtype=float), -1, 0)[3:]
    point = (width == 0) & (depth == 0)
    oval = (radius > 0) & (2 * radius >= np.minimum(width, depth) - TOLERANCE)
    return point | oval


def sight(source: Any, target: Any, blockers: Shapes, blocks: Any, half_angle: float = math.pi / 4) -> Any:
    """Answer for each of P pairs: columns (P, 6) twice, blockers (P, B), blocks (P, B)."""
    question = Questions.of(source, target, blockers, blocks, half_angle)
    return question.answers(np.zeros((1, 2)), TOLERANCE)[:, 0]


def robust_sight(
    source: Any, target: Any, blockers: Shapes, blocks: Any, half_angle: float = math.pi / 4
) -> Any:
    """Answers as by `sight`, and which of them stay when all blockers grow or shrink by `MARGIN`.

    Blockers in contact stay joined when they shrink, else no seam would ever be compared.
    """
    return Questions.of(source, target, blockers, blocks, half_angle).robust()


def robust_blocked_sight(
    source: Any, target: Any, blockers: Shapes, blocks: Any, half_angle: float = math.pi / 4
) -> Any:
    """Answers where touching blocks, and for which of them it does not matter how near a touch is."""
    return Questions.of(source, target, blockers, blocks, half_angle).robust_blocked()


@dataclass(frozen=True)
class Questions:
    """P pairs as shapes, each with the origin at its source, so that a far-away scene loses no digits.

    `heading` is NaN where the source looks all round; `eyes` are facings where it does not.
    """

    eyes: Shapes
    heading: Any
    aims: Shapes
    blockers: Shapes
    blocks: Any
    half_angle: float
    origin: Any

    @classmethod
    def of(
        cls, source: Any, target: Any, blockers: Shapes, blocks: Any, half_angle: float = math.pi / 4
    ) -> Questions:
        source, target = np.asarray(source, dtype=float), np.asarray(target, dtype=float)
        looks_round = is_round(source)
        facing = source.copy()
        facing[:, :2] += np.where(
            looks_round[:, None],
            0.0,
            source[:, 4:5] / 2 * np.stack([np.cos(source[:, 2]), np.sin(source[:, 2])], -1),
        )
        facing[:, 4:] = np.where(looks_round[:, None], source[:, 4:], 0.0)
        return cls.of_shapes(
            facing, np.where(looks_round, np.nan, source[:, 2]), target, blockers, blocks, half_angle
        )

    @classmethod
    def of_shapes(
        cls, eyes: Any, heading: Any, aims: Any, blockers: Shapes, blocks: Any, half_angle: float
    ) -> Questions:
        """Eyes as columns; aims as columns or shapes."""
        origin = eyes[:, :2].copy()
        still = eyes.copy()
        still[:, :2] = 0.0
        if isinstance(aims, Shapes):
            aim = Shapes(aims.vertices - origin[:, None, :], aims.count, aims.radius)
        else:
            aim = np.asarray(aims, dtype=float).copy()
            aim[:, :2] -= origin
            aim = shapes_of_bases(aim)
        moved = Shapes(
            np.ascontiguousarray(blockers.vertices - origin[:, None, None, :]),
            np.ascontiguousarray(blockers.count),
            np.ascontiguousarray(blockers.radius, dtype=float),
        )
        counts = np.array(np.broadcast_to(blocks, blockers.count.shape), dtype=bool)
        return cls(shapes_of_bases(still), heading, aim, moved, counts, half_angle, origin)

    def chosen(self, pair: Any, blocks: Any) -> Questions:
        """Some of the pairs, with other blockers that count."""
        return Questions(
            self.eyes[pair],
            self.heading[pair],
            self.aims[pair],
            self.blockers[pair],
            blocks,
            self.half_angle,
            self.origin[pair],
        )

    def robust(self) -> Any:
        answers = self.answers(np.array([(0.0, 0.0), (MARGIN, 0.0), (-MARGIN, 0.0)]), TOLERANCE)
        return answers[:, 0], (answers == answers[:, :1]).all(axis=1)

    def robust_blocked(self) -> Any:
        answers = self.answers(GRAZES, _SLACK)
        return answers[:, 0], (answers == answers[:, :1]).all(axis=1)

    def answers(self, growths: Any, depth: float) -> Any:
        """Answers (P, G) for blockers that grow: by how much, and what is free at a line's ends, (G, 2).

        Lines may pass through a grown blocker up to a depth.
        """
        answers = np.zeros((len(self.heading), len(growths)), dtype=bool)
        _answer_pairs(*self._fields(), growths, depth, answers)
        return answers

    def line_faults(self, start: Any, end: Any, touching: str = "clear") -> Any:
        """What is wrong with lines (P, 2), (P, 2), each where it is seen: 0 if nothing."""
        faults = np.zeros(len(start), dtype=np.int64)
        # A line may start and end a little off source and target, and so on the other side of a wall there.
        growth, margin = (0.0, 4 * TOLERANCE) if touching == "clear" else (TOLERANCE, 100 * TOLERANCE)
        depth = TOLERANCE + _SLACK if touching == "clear" else 2 * _SLACK
        _check_lines(*self._fields(), growth, margin, depth, start - self.origin, end - self.origin, faults)
        return faults

    def cuts_some_line(self, pair: Any, blocker: Any) -> Any:
        """Whether a blocker (R,) comes within ten tolerances of a legal line of a pair (R,)."""
        found = np.zeros(len(pair), dtype=bool)
        eyes, aims, blockers = self.eyes[pair], self.aims[pair], self.blockers[pair, blocker]
        _cut_lines(
            eyes.vertices, eyes.count, eyes.radius, self.heading[pair], self.half_angle,
            aims.vertices, aims.count, aims.radius, blockers.vertices, blockers.count, blockers.radius, found,
        )  # fmt: skip
        return found

    def _fields(self) -> Any:
        shapes = [(s.vertices, s.count, s.radius) for s in (self.eyes, self.aims, self.blockers)]
        return *shapes[0], self.heading, self.half_angle, *shapes[1], *shapes[2], self.blocks


@njit(nogil=True, cache=True)
def _answer_pairs(
    eye_v, eye_n, eye_r, heading, half_angle, aim_v, aim_n, aim_r, v, n, r, blocks, growths, depth, answers
):
    for i in range(len(eye_n)):
        if eye_n[i] == 0 or aim_n[i] == 0:
            continue
        chosen = np.nonzero(blocks[i])[0]
        bv, bn, br = v[i][chosen], n[i][chosen], r[i][chosen]
        if _gap(eye_v[i], eye_n[i], eye_r[i], aim_v[i], aim_n[i], aim_r[i]) <= TOLERANCE:
            answers[i, :] = True
            continue
        pairs, points = _contacts(bv, bn, br)
        for k in range(len(growths)):
            gv, gn, gr = bv.copy(), bn.copy(), br.copy()
            for j in range(len(gn)):
                gr[j] = _resize(gv[j], gn[j], gr[j], growths[k, 0])
            margin = growths[k, 1]
            elements = _elements(eye_v[i], eye_n[i], eye_r[i], aim_v[i], aim_n[i], aim_r[i], gv, gn, gr)
            if margin > 0.0:
                # Lines may end where source or target touches what has not grown, or anywhere at all.
                more = _elements(eye_v[i], eye_n[i], eye_r[i], aim_v[i], aim_n[i], aim_r[i], bv, bn, br)
                middle = _elements(eye_v[i], eye_n[i], 0.0, aim_v[i], aim_n[i], 0.0, bv[:0], bn[:0], br[:0])
                elements = np.concatenate((elements, more, middle))
            answers[i, k] = _sees(
                elements, eye_v[i], eye_n[i], eye_r[i], heading[i], half_angle,
                aim_v[i], aim_n[i], aim_r[i], gv, gn, gr, pairs, points, depth, margin, False,
            )  # fmt: skip


@njit(nogil=True, cache=True)
def _check_lines(
    eye_v, eye_n, eye_r, heading, half_angle, aim_v, aim_n, aim_r, v, n, r, blocks, growth, margin, depth,
    starts, ends, faults,
):  # fmt: skip
    for i in range(len(eye_n)):
        if math.isnan(starts[i, 0]):
            continue
        sx, sy, ex, ey = starts[i, 0], starts[i, 1], ends[i, 0], ends[i, 1]
        near = TOLERANCE + _SLACK
        if _point_to_core(sx, sy, eye_v[i], eye_n[i])[0] - eye_r[i] > near:
            faults[i] = NOT_FROM_SOURCE
            continue
        if not _point_to_core(ex, ey, aim_v[i], aim_n[i])[0] - aim_r[i] <= near:
            faults[i] = NOT_TO_TARGET
            continue
        dx, dy = ex - sx, ey - sy
        length = math.hypot(dx, dy)
        gap = _gap(eye_v[i], eye_n[i], eye_r[i], aim_v[i], aim_n[i], aim_r[i])
        if length <= near:
            continue
        if gap <= TOLERANCE - _SLACK:
            faults[i] = NOT_A_CONTACT
            continue
        if not math.isnan(heading[i]):
            fx, fy = math.cos(heading[i]), math.sin(heading[i])
            ahead, aside = dx * fx + dy * fy, dy * fx - dx * fy
            if abs(aside) > math.tan(half_angle) * ahead + near:
                faults[i] = NOT_IN_ARC
                continue
        dx, dy = dx / length, dy / length
        chosen = np.nonzero(blocks[i])[0]
        bv, bn, br = v[i][chosen], n[i][chosen], r[i][chosen]
        pairs, points = _contacts(bv, bn, br)
        # From where it is last within two tolerances of the source to where it first is so of the target.
        leave = max(0.0, _span(sx, sy, dx, dy, eye_v[i], eye_n[i], eye_r[i] + 2.0 * near)[1])
        meet = min(length, _span(sx, sy, dx, dy, aim_v[i], aim_n[i], aim_r[i] + 2.0 * near)[0])
        for j in range(len(bn)):
            # A wall that ends on source or target: a line that starts beside it is as good on its other side.
            if bn[j] == 2 and br[j] == 0.0 and growth == 0.0:
                at_start = _point_to_core(sx + leave * dx, sy + leave * dy, bv[j], bn[j])[0]
                at_end = _point_to_core(sx + meet * dx, sy + meet * dy, bv[j], bn[j])[0]
                if min(at_start, at_end) <= 2.0 * TOLERANCE:
                    continue
            reach = _resize(bv[j], bn[j], br[j], growth)
            if _blocks(sx, sy, dx, dy, leave, meet, bv[j], bn[j], reach, depth, margin):
                faults[i] = BLOCKED
        if faults[i] == 0 and _passes_between(sx, sy, dx, dy, leave, meet, bv, bn, br, pairs, points):
            faults[i] = BETWEEN


@njit(nogil=True, cache=True)
def _cut_lines(eye_v, eye_n, eye_r, heading, half_angle, aim_v, aim_n, aim_r, v, n, r, found):
    pairs, points = _contacts(v[:0], n[:0], r[:0])
    for i in range(len(eye_n)):
        grown = r[i : i + 1] + 5.0 * TOLERANCE
        bv, bn = v[i : i + 1], n[i : i + 1]
        elements = _elements(eye_v[i], eye_n[i], eye_r[i], aim_v[i], aim_n[i], aim_r[i], bv, bn, grown)
        found[i] = _sees(
            elements, eye_v[i], eye_n[i], eye_r[i], heading[i], half_angle, aim_v[i], aim_n[i], aim_r[i],
            bv, bn, grown, pairs, points, -5.0 * TOLERANCE, 0.0, True,
        )  # fmt: skip


# --- the search -----------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _sees(
    elements, eye_v, eye_n, eye_r, heading, half_angle, aim_v, aim_n, aim_r, bv, bn, br, pairs, points,
    depth, margin, cut,
):  # fmt: skip
    """Whether a critical line is legal and free or, with `cut`, legal and blocked by the first blocker."""
    for i in range(len(elements)):
        x0, y0, r0 = elements[i, 0], elements[i, 1], elements[i, 2]
        if not math.isnan(heading):  # lines at the limits of the arc
            for side in range(2):
                for sign in range(-1, 2, 2):
                    angle = heading + sign * half_angle
                    dx, dy = math.cos(angle), math.sin(angle)
                    reach = r0 if side == 0 else -r0
                    if _free(
                        x0 - dy * reach, y0 + dx * reach, dx, dy, eye_v, eye_n, eye_r, heading, half_angle,
                        aim_v, aim_n, aim_r, bv, bn, br, pairs, points, depth, margin, cut,
                    ):  # fmt: skip
                        return True
        for j in range(i):
            x1, y1, r1 = elements[j, 0], elements[j, 1], elements[j, 2]
            ux, uy = x1 - x0, y1 - y0
            length = math.hypot(ux, uy)
            if length < _SLACK:
                continue
            ux /= length
            uy /= length
            for signs in range(4):
                if (signs & 1 and r0 == 0.0) or (signs & 2 and r1 == 0.0):
                    continue
                reach0 = -r0 if signs & 1 else r0
                reach1 = -r1 if signs & 2 else r1
                # The unit normal m of the line fulfils m . (p1 - p0) = reach1 - reach0.
                sine = (reach1 - reach0) / length
                if abs(sine) > 1.0 + _SLACK:
                    continue
                sine = min(1.0, max(-1.0, sine))
                cosine = math.sqrt(1.0 - sine * sine)
                mx, my = sine * ux - cosine * uy, sine * uy + cosine * ux
                if _free(
                    x0 - reach0 * mx, y0 - reach0 * my, my, -mx, eye_v, eye_n, eye_r, heading, half_angle,
                    aim_v, aim_n, aim_r, bv, bn, br, pairs, points, depth, margin, cut,
                ):  # fmt: skip
                    return True
    return False


@njit(nogil=True, cache=True)
def _elements(eye_v, eye_n, eye_r, aim_v, aim_n, aim_r, bv, bn, br):
    """Return points with a radius that a critical line can touch."""
    found = np.empty((16 + len(bn) * (MAX_VERTICES + 340), 3))
    size = np.int64(0)  # a bare 0 would compile every helper a second time, for that one number
    for i in range(eye_n):
        size = _append(eye_v[i, 0], eye_v[i, 1], eye_r, found, size)
    for i in range(aim_n):
        size = _append(aim_v[i, 0], aim_v[i, 1], aim_r, found, size)
    for k in range(len(bn)):
        for i in range(bn[k]):
            size = _append(bv[k, i, 0], bv[k, i, 1], br[k], found, size)
        size = _crossings(bv[k], bn[k], br[k], aim_v, aim_n, aim_r, found, size)
        size = _crossings(bv[k], bn[k], br[k], eye_v, eye_n, eye_r, found, size)
    return found[:size]


@njit(nogil=True, cache=True)
def _append(x, y, r, found, size):
    found[size, 0] = x
    found[size, 1] = y
    found[size, 2] = r
    return size + 1


@njit(nogil=True, cache=True)
def _free(
    px, py, dx, dy, eye_v, eye_n, eye_r, heading, half_angle, aim_v, aim_n, aim_r, bv, bn, br, pairs, points,
    depth, margin, cut,
):  # fmt: skip
    """Whether the line through p along the unit vector d, in either direction, is legal and unblocked."""
    if not math.isnan(heading):
        fx, fy = math.cos(heading), math.sin(heading)
        if dx * fx + dy * fy < 0.0:
            dx, dy = -dx, -dy
        ahead, aside = dx * fx + dy * fy, dy * fx - dx * fy
        if abs(aside) > math.tan(half_angle) * ahead + _SLACK:
            return False
    near, far = _span(px, py, dx, dy, eye_v, eye_n, eye_r + _SLACK)
    if near > far:
        return False
    first, last = _span(px, py, dx, dy, aim_v, aim_n, aim_r + _SLACK)
    if first > last:
        return False
    if first < far:
        if not math.isnan(heading) or last > near:
            return False
        px, py, dx, dy = px, py, -dx, -dy
        far, first = -near, -last
    for k in range(len(bn)):
        if _blocks(px, py, dx, dy, far, first, bv[k], bn[k], br[k], depth, margin):
            return cut
    return not cut and not _passes_between(px, py, dx, dy, far, first, bv, bn, br, pairs, points)


@njit(nogil=True, cache=True)
def _blocks(px, py, dx, dy, start, end, v, n, r, depth, margin):
    """Whether the line passes deeper through the shape than allowed, other than in a margin of its ends."""
    start, end = start + margin, end - margin
    low, high = _sides(px, py, dx, dy, v, n)
    if (r > depth or n > 2) and (low >= r - depth or high <= depth - r):
        return False
    if r > depth:
        enter, leave = _span(px, py, dx, dy, v, n, r - depth)
    elif n > 2:
        enter, leave = _clip(px, py, dx, dy, v, n, r - depth)
    elif n == 2:  # a wall without width: crossed when its ends lie on both sides of the line
        if low >= -depth or high <= depth:
            return False
        h0 = dx * (v[0, 1] - py) - dy * (v[0, 0] - px)
        h1 = dx * (v[1, 1] - py) - dy * (v[1, 0] - px)
        m0 = dx * (v[0, 0] - px) + dy * (v[0, 1] - py)
        m1 = dx * (v[1, 0] - px) + dy * (v[1, 1] - py)
        position = (m0 * h1 - m1 * h0) / (h1 - h0)
        return start + TOLERANCE < position < end - TOLERANCE
    else:
        return False
    return max(enter, start) < min(leave, end)


@njit(nogil=True, cache=True)
def _passes_between(px, py, dx, dy, start, end, bv, bn, br, pairs, points):
    """Whether shapes in contact lie on either side of an unblocked line, their contact between its ends.

    A wall of zero width that lies in the line is on neither side, but joins what touches it from both.
    """
    if len(pairs) == 0:
        return False
    left, right, within = 1, 2, 4
    side = np.zeros(len(bn), dtype=np.int64)
    for k in range(len(bn)):
        low, high = _sides(px, py, dx, dy, bv[k], bn[k])
        low, high = low - br[k], high + br[k]
        if low >= -TOLERANCE and high > TOLERANCE:
            side[k] = left
        elif high <= TOLERANCE and low < -TOLERANCE:
            side[k] = right
        elif low >= -TOLERANCE and high <= TOLERANCE and bn[k] == 2:
            side[k] = within
    for _ in range(len(bn)):  # each round carries a side one wall further along a chain
        for k in range(len(pairs)):
            m0 = dx * (points[k, 0, 0] - px) + dy * (points[k, 0, 1] - py)
            m1 = dx * (points[k, 1, 0] - px) + dy * (points[k, 1, 1] - py)
            if min(m0, m1) < end - TOLERANCE and max(m0, m1) > start + TOLERANCE:
                a, b = pairs[k, 0], pairs[k, 1]
                if side[a] == 0 or side[b] == 0:
                    continue
                both = side[a] | side[b]
                if both & left and both & right:
                    return True
                if side[a] & within:
                    side[a] = both | within
                if side[b] & within:
                    side[b] = both | within
    return False


# --- a line and a shape ---------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _sides(px, py, dx, dy, v, n):
    """Return least and greatest distance of the vertices to the left of the line."""
    low, high = np.inf, -np.inf
    for i in range(n):
        h = dx * (v[i, 1] - py) - dy * (v[i, 0] - px)
        low, high = min(low, h), max(high, h)
    return low, high


@njit(nogil=True, cache=True)
def _span(px, py, dx, dy, v, n, r):
    """Return first and last position of the line in a shape of radius r > 0; first > last when it misses.

    The shape is the union of its core, of discs round the vertices and of strips along the edges.
    """
    first, last = np.inf, -np.inf
    low, high = _sides(px, py, dx, dy, v, n)
    if low > r or high < -r:
        return first, last
    for i in range(n):
        h = dx * (v[i, 1] - py) - dy * (v[i, 0] - px)
        if abs(h) <= r:
            m = dx * (v[i, 0] - px) + dy * (v[i, 1] - py)
            half = math.sqrt(r * r - h * h)
            first, last = min(first, m - half), max(last, m + half)
    for i in range(n if n > 2 else n - 1):
        j = (i + 1) % n
        ex, ey = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1]
        length = math.hypot(ex, ey)
        ex, ey = ex / length, ey / length
        qx, qy = px - v[i, 0], py - v[i, 1]
        a, b = _slab(qx * ex + qy * ey, dx * ex + dy * ey, 0.0, length)
        c, d = _slab(qy * ex - qx * ey, dy * ex - dx * ey, -r, r)
        a, b = max(a, c), min(b, d)
        if a <= b:
            first, last = min(first, a), max(last, b)
    if n > 2:
        a, b = _clip(px, py, dx, dy, v, n, 0.0)
        if a <= b:
            first, last = min(first, a), max(last, b)
    return first, last


@njit(nogil=True, cache=True)
def _slab(offset, rate, low, high):
    """Return the positions where low <= offset + rate * position <= high."""
    if rate == 0.0:
        if low <= offset <= high:
            return -np.inf, np.inf
        return np.inf, -np.inf
    a, b = (low - offset) / rate, (high - offset) / rate
    return min(a, b), max(a, b)


@njit(nogil=True, cache=True)
def _clip(px, py, dx, dy, v, n, offset):
    """Return the positions of the line in a polygon whose edges are moved outwards by the offset."""
    first, last = -np.inf, np.inf
    for i in range(n):
        j = (i + 1) % n
        ex, ey = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1]
        length = math.hypot(ex, ey)
        inside = (ex * (py - v[i, 1]) - ey * (px - v[i, 0])) / length  # distance inwards of p
        a, b = _slab(inside, (ex * dy - ey * dx) / length, -offset, np.inf)
        first, last = max(first, a), min(last, b)
    return first, last


# --- two shapes -----------------------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _point_to_segment(x, y, ax, ay, bx, by):
    """Return distance and nearest point."""
    ex, ey = bx - ax, by - ay
    square = ex * ex + ey * ey
    t = 0.0
    if square > 0.0:
        t = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / square))
    cx, cy = ax + t * ex, ay + t * ey
    return math.hypot(x - cx, y - cy), cx, cy


@njit(nogil=True, cache=True)
def _point_to_core(x, y, v, n):
    """Return distance and nearest point; the point itself when it is inside."""
    if n > 2:
        inside = True
        for i in range(n):
            j = (i + 1) % n
            inside &= (v[j, 0] - v[i, 0]) * (y - v[i, 1]) - (v[j, 1] - v[i, 1]) * (x - v[i, 0]) >= 0.0
        if inside:
            return 0.0, x, y
    best, bx, by = np.inf, x, y
    for i in range(n):
        j = (i + 1) % n
        d, cx, cy = _point_to_segment(x, y, v[i, 0], v[i, 1], v[j, 0], v[j, 1])
        if d < best:
            best, bx, by = d, cx, cy
    return best, bx, by


@njit(nogil=True, cache=True)
def _gap(va, na, ra, vb, nb, rb):
    """Return the distance of the cores without both radii; cores that meet count as distance 0."""
    best = np.inf
    for i in range(na):
        best = min(best, _point_to_core(va[i, 0], va[i, 1], vb, nb)[0])
    for i in range(nb):
        best = min(best, _point_to_core(vb[i, 0], vb[i, 1], va, na)[0])
    for i in range(na):
        for j in range(nb):
            i1, j1 = (i + 1) % na, (j + 1) % nb
            if _segments_cross(va[i], va[i1], vb[j], vb[j1]):
                best = 0.0
    return best - ra - rb


@njit(nogil=True, cache=True)
def _segments_cross(a, b, c, d):
    """Whether the segments cross properly; other meetings show as a distance of 0 from an end."""
    sa = (d[0] - c[0]) * (a[1] - c[1]) - (d[1] - c[1]) * (a[0] - c[0])
    sb = (d[0] - c[0]) * (b[1] - c[1]) - (d[1] - c[1]) * (b[0] - c[0])
    sc = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
    sd = (b[0] - a[0]) * (d[1] - a[1]) - (b[1] - a[1]) * (d[0] - a[0])
    return sa * sb < 0.0 and sc * sd < 0.0


@njit(nogil=True, cache=True)
def _contacts(v, n, r):
    """Return pairs of shapes in contact, and the two ends of each contact."""
    pairs = np.empty((len(n) * len(n), 2), dtype=np.int64)
    points = np.empty((len(n) * len(n), 2, 2))
    size = 0
    for a in range(len(n)):
        for b in range(a):
            apart = math.hypot(v[a, 0, 0] - v[b, 0, 0], v[a, 0, 1] - v[b, 0, 1])
            if apart > _extent(v[a], n[a]) + _extent(v[b], n[b]) + r[a] + r[b] + 1.0:
                continue
            if _gap(v[a], n[a], r[a], v[b], n[b], r[b]) > TOLERANCE:
                continue
            found = np.empty((2 * MAX_VERTICES, 2))
            m = _touching(v[a], n[a], r[a], v[b], n[b], r[b], found, np.int64(0))
            m = _touching(v[b], n[b], r[b], v[a], n[a], r[a], found, m)
            if m == 0:  # cores that cross without a corner inside: no line passes between them
                continue
            pairs[size, 0] = a
            pairs[size, 1] = b
            widest = -1.0
            for i in range(m):
                for j in range(i + 1):
                    d = math.hypot(found[i, 0] - found[j, 0], found[i, 1] - found[j, 1])
                    if d > widest:
                        widest = d
                        for c in range(2):
                            points[size, 0, c] = found[i, c]
                            points[size, 1, c] = found[j, c]
            size += 1
    return pairs[:size], points[:size]


@njit(nogil=True, cache=True)
def _extent(v, n):
    """Return the greatest distance of a vertex from the first one."""
    best = 0.0
    for i in range(n):
        best = max(best, math.hypot(v[i, 0] - v[0, 0], v[i, 1] - v[0, 1]))
    return best


@njit(nogil=True, cache=True)
def _touching(va, na, ra, vb, nb, rb, found, size):
    """Append the points in which the first shape, at one of its vertices, meets the second."""
    for i in range(na):
        d, x, y = _point_to_core(va[i, 0], va[i, 1], vb, nb)
        if d <= ra + rb + TOLERANCE:
            t = min(1.0, ra / d) if d > 0.0 else 0.0
            found[size, 0] = va[i, 0] + t * (x - va[i, 0])
            found[size, 1] = va[i, 1] + t * (y - va[i, 1])
            size += 1
    return size


@njit(nogil=True, cache=True)
def _resize(v, n, r, by):
    """Grow a shape, or shrink it (by < 0), changing the vertices in place; return the new radius.

    A wall without width loses length only. A point stays one, since it never blocks.
    """
    if n == 1 and r == 0.0:
        return 0.0
    if by >= 0.0 or r >= -by:
        return r + by
    inset = -by - r
    if n == 2:
        ex, ey = v[1, 0] - v[0, 0], v[1, 1] - v[0, 1]
        length = math.hypot(ex, ey)
        v[0, 0], v[0, 1] = v[0, 0] + inset * ex / length, v[0, 1] + inset * ey / length
        v[1, 0], v[1, 1] = v[1, 0] - inset * ex / length, v[1, 1] - inset * ey / length
    elif n > 2:
        old = v[:n].copy()
        for i in range(n):
            h, j = (i - 1) % n, (i + 1) % n
            ax, ay = old[i, 0] - old[h, 0], old[i, 1] - old[h, 1]
            bx, by_ = old[j, 0] - old[i, 0], old[j, 1] - old[i, 1]
            la, lb = math.hypot(ax, ay), math.hypot(bx, by_)
            ax, ay, bx, by_ = ax / la, ay / la, bx / lb, by_ / lb
            # Moving both edges inwards by the inset moves their corner by inset * (b - a) / (a x b).
            cross = ax * by_ - ay * bx
            v[i, 0] = old[i, 0] + inset * (bx - ax) / cross
            v[i, 1] = old[i, 1] + inset * (by_ - ay) / cross
    return 0.0


# --- crossings of two outlines --------------------------------------------------------------------


@njit(nogil=True, cache=True)
def _outline(v, n, r):
    """Return the straight pieces of an outline, (m, 4); the rest lies on circles round the vertices."""
    if n == 1:
        return np.empty((0, 4))
    pieces = np.empty((n, 4))
    for i in range(n):
        j = (i + 1) % n
        ex, ey = v[j, 0] - v[i, 0], v[j, 1] - v[i, 1]
        length = math.hypot(ex, ey)
        ox, oy = r * ey / length, -r * ex / length
        pieces[i, 0] = v[i, 0] + ox
        pieces[i, 1] = v[i, 1] + oy
        pieces[i, 2] = v[j, 0] + ox
        pieces[i, 3] = v[j, 1] + oy
    return pieces


@njit(nogil=True, cache=True)
def _crossings(va, na, ra, vb, nb, rb, found, size):
    """Append the crossings of two outlines, as elements without radius.

    Whole circles are taken for the arcs: a point too many is a candidate too many and does no harm.
    """
    apart = math.hypot(va[0, 0] - vb[0, 0], va[0, 1] - vb[0, 1])
    if apart > _extent(va, na) + _extent(vb, nb) + ra + rb:
        return size
    straight_a, straight_b = _outline(va, na, ra), _outline(vb, nb, rb)
    for i in range(len(straight_a)):
        for j in range(len(straight_b)):
            size = _segment_segment(straight_a[i], straight_b[j], found, size)
        if rb > 0.0:
            for j in range(nb):
                size = _segment_circle(straight_a[i], vb[j, 0], vb[j, 1], rb, found, size)
    if ra > 0.0:
        for i in range(na):
            for j in range(len(straight_b)):
                size = _segment_circle(straight_b[j], va[i, 0], va[i, 1], ra, found, size)
            if rb > 0.0:
                for j in range(nb):
                    size = _circle_circle(va[i, 0], va[i, 1], ra, vb[j, 0], vb[j, 1], rb, found, size)
    return size


@njit(nogil=True, cache=True)
def _segment_segment(s, t, found, size):
    ux, uy, wx, wy = s[2] - s[0], s[3] - s[1], t[2] - t[0], t[3] - t[1]
    cross = ux * wy - uy * wx
    if cross != 0.0:
        a = ((t[0] - s[0]) * wy - (t[1] - s[1]) * wx) / cross
        b = ((t[0] - s[0]) * uy - (t[1] - s[1]) * ux) / cross
        if -_SLACK <= a <= 1.0 + _SLACK and -_SLACK <= b <= 1.0 + _SLACK:
            size = _append(s[0] + a * ux, s[1] + a * uy, 0.0, found, size)
    return size


@njit(nogil=True, cache=True)
def _segment_circle(s, x, y, r, found, size):
    ux, uy = s[2] - s[0], s[3] - s[1]
    length = math.hypot(ux, uy)
    ux, uy = ux / length, uy / length
    middle = (x - s[0]) * ux + (y - s[1]) * uy
    h = (x - s[0]) * uy - (y - s[1]) * ux
    if abs(h) <= r + _SLACK:
        half = math.sqrt(max(0.0, r * r - h * h))
        for sign in range(-1, 2, 2):
            a = middle + sign * half
            if -_SLACK <= a <= length + _SLACK:
                size = _append(s[0] + a * ux, s[1] + a * uy, 0.0, found, size)
    return size


@njit(nogil=True, cache=True)
def _circle_circle(x0, y0, r0, x1, y1, r1, found, size):
    ux, uy = x1 - x0, y1 - y0
    d = math.hypot(ux, uy)
    if d < _SLACK or d > r0 + r1 + _SLACK or d < abs(r0 - r1) - _SLACK:
        return size
    ux, uy = ux / d, uy / d
    along = (d * d + r0 * r0 - r1 * r1) / (2.0 * d)
    half = math.sqrt(max(0.0, r0 * r0 - along * along))
    for sign in range(-1, 2, 2):
        x, y = x0 + along * ux - sign * half * uy, y0 + along * uy + sign * half * ux
        size = _append(x, y, 0.0, found, size)
    return size
