"""The sweep through the slopes for a line in the bands of source and target and in no band of a piece.

All lines are ``x = u + t y``. The right envelope of a shape is the largest u of the lines of slope t that
meet it, the left one the smallest; with ``side`` = 1 or -1 both are the largest ``side * u``. Elements and
records as `put_shape` makes them.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import scalar
from ninthgeom_kernel.convex import PARALLEL, ROUNDING

# A blocker counts as a side of a slit for slopes so many slacks outside the range in which it is met.
NEAR = 2.5
# Slopes are advanced by this much past an event: below it, a free range of slopes is rounding.
SLOPE_STEP = 1e-10
# After so many advances of no more than a step in a row the step is doubled, up to a length that moves a line
# by less than a tolerance on a table: rounding may keep a chain from getting past an event, and the sweep has
# to end.
PATIENCE = 12
LONGEST_STEP = 1e-8


@scalar
def envelope(elements: Any, planes: Any, record: Any, t: float, s: float, side: float) -> tuple[float, int]:
    """Envelope of a shape at slope t, times side, and the element that makes it; s is sqrt(1 + t²)."""
    best = -math.inf
    which = record[0]
    for e in range(record[0], record[1]):
        x = elements[0, e]
        y = elements[1, e]
        r = elements[2, e]
        u = side * (x - t * y) + r * s
        if u > best:
            counts = True
            if e < record[2]:
                for k in range(record[3], record[4]):
                    mx = planes[0, k]
                    my = planes[1, k]
                    # so little outside a plane is on it: a wall may lie along the line that cuts it
                    depth = mx * x + my * y - planes[2, k] + ROUNDING
                    if depth * s + side * max(r, 0.0) * (mx - t * my) < 0.0:
                        counts = False
            if counts:
                best = u
                which = e
    return best, which


@scalar
def next_zero(dx: float, dy: float, dr: float, t: float) -> float:
    """First slope from t on where ``dx - t dy + dr sqrt(1 + t²)``, positive at t, is zero; inf if nowhere."""
    best = math.inf
    if abs(dr) <= PARALLEL:  # rounding left of equal radii; below, its sign would decide between the zeros
        if dy > 0.0:
            best = max(t, dx / dy)
        return best
    if dx - t * dy + dr * math.sqrt(1.0 + t * t) <= 1e-13 * (abs(dx) + abs(dr)):
        return t
    # Squared: a t² - 2 b t + c = 0; that adds the zeros of the function with the other sign of dr. The
    # discriminant b² - a c, written so that nothing cancels: dr may be a millionth of dx.
    a = dy * dy - dr * dr
    b = dx * dy
    c = dx * dx - dr * dr
    root = dx * dx + dy * dy - dr * dr
    if root >= 0.0:
        q = b + math.copysign(dr * math.sqrt(root), b)
        for k in range(2):
            z = q / a if k == 0 else c / q  # inf or nan where a or q is 0, and refused below
            if t <= z < best and (dx - z * dy) * dr <= 0.0:
                best = z
    return best


@scalar
def counting(elements: Any, planes: Any, record: Any, e: int, t: float, side: float) -> tuple[bool, float]:
    """Whether an element counts at slope t, and the slope up to which that certainly stays so."""
    counts = True
    until = math.inf
    if e < record[2]:
        s = math.sqrt(1.0 + t * t)
        for k in range(record[3], record[4]):
            mx = planes[0, k]
            my = planes[1, k]
            r = side * max(elements[2, e], 0.0)
            depth = mx * elements[0, e] + my * elements[1, e] - planes[2, k] + ROUNDING
            sign = 1.0
            if depth * s + r * (mx - t * my) < 0.0:
                sign = -1.0
                if counts:
                    counts = False
                    until = math.inf
            if counts == (sign > 0.0):
                until = min(until, next_zero(sign * r * mx, sign * r * my, sign * depth, t))
    return counts, until


@scalar
def beyond_until(
    elements: Any, planes: Any, record: Any, t: float, x: float, y: float, r: float, side: float
) -> float:
    """Slope up to which the element (x, y, r) of the same side stays beyond the envelope of a shape."""
    until = math.inf
    for e in range(record[0], record[1]):
        counts, change = counting(elements, planes, record, e, t, side)
        if counts:
            dx = side * (x - elements[0, e])
            dy = side * (y - elements[1, e])
            change = next_zero(dx, dy, r - elements[2, e], t)
        until = min(until, change)
    return until


@scalar
def covered_until(
    t: float,
    elements: Any,
    planes: Any,
    records: Any,
    bounds: Any,
    n: int,
    joints: Any,
    n_joints: int,
    bands: Any,
    makers: Any,
    slack: float,
) -> float:
    """Slope up to which certainly no line is free; -inf if one is free at slope t.

    ``records`` rows: source, target, then n pieces; ``bounds`` rows: the open range of slopes in which a
    piece counts, for source and target all. ``joints``: pairs of rows whose blockers touch. A pair whose
    bands are no further apart than ``slack sqrt(1 + t²)`` is blocked in between too. ``bands`` and ``makers``
    are scratch: envelopes times side, the slope up to which they count, and the elements that make them.
    """
    s = math.sqrt(1.0 + t * t)
    for p in range(n + 2):
        counts = bounds[p, 0] < t < bounds[p, 1]
        bands[p, 2] = bounds[p, 1] if counts else -math.inf
        is_near = bounds[p, 0] - NEAR * slack < t < bounds[p, 1] + NEAR * slack
        for side in range(2):
            bands[p, side] = -math.inf
            bands[p, 3 + side] = 0.0
            if is_near:
                sign = 2.0 * side - 1.0
                bands[p, side], makers[p, side] = envelope(elements, planes, records[p], t, s, sign)
    # source and target: until their bands meet there is nothing to cover
    for a in range(2):
        if bands[a, 1] + bands[1 - a, 0] < 0.0:
            until = math.inf
            record = records[a]
            for e in range(record[0], record[1]):
                counts, change = counting(elements, planes, record, e, t, 1.0)
                if counts:
                    x = elements[0, e]
                    y = elements[1, e]
                    change = beyond_until(elements, planes, records[1 - a], t, x, y, -elements[2, e], -1.0)
                until = min(until, change)
            return until
    count = n + 2
    for k in range(n_joints):
        i = joints[k, 0]
        j = joints[k, 1]
        if bands[i, 1] > bands[j, 1]:
            i, j = j, i
        # i ends first on the right; between them is u from bands[i, 1] to -bands[j, 0]
        until = max(bands[i, 2], bands[j, 2])
        if min(bands[i, 2], bands[j, 2]) > t:
            until = min(bands[i, 2], bands[j, 2])
        elif until > t and bands[i, 1] > -math.inf:
            # Near the slope of the line that parts it from source or target, a blocker that is not met still
            # closes the slit beside it: in short steps, since its own band is open.
            until = t + slack / 1024
        else:
            continue
        if -bands[j, 0] - bands[i, 1] <= slack * s:
            for q in (i, j):
                # a wall seen edge on has no band of its own, but it closes what it touches
                e = makers[q, 0]
                f = makers[q, 1]
                if bands[q, 0] + bands[q, 1] <= 0.0:
                    bands[q, 3] = 0.375 * slack
                    dx = elements[0, e] - elements[0, f]
                    dy = elements[1, e] - elements[1, f]
                    until = min(until, next_zero(dx, dy, -elements[2, e] - elements[2, f], t))
                for side in range(2):
                    _, change = counting(elements, planes, records[q], makers[q, side], t, 2.0 * side - 1.0)
                    until = min(until, change)
            e = makers[i, 1]
            f = makers[j, 0]
            dx = elements[0, e] - elements[0, f]
            dy = elements[1, e] - elements[1, f]
            bands[count, 2] = min(until, next_zero(dx, dy, slack + elements[2, e] + elements[2, f], t))
            for side in range(2):
                q = i if side == 0 else j
                wide_i = bands[i, side] + bands[i, 3] * s
                wide_j = bands[j, side] + bands[j, 3] * s
                p = i if wide_i > wide_j else j
                bands[count, side] = max(wide_i, wide_j)
                bands[count, 3 + side] = bands[p, 3]
                makers[count, side] = makers[p, side]
                if bands[q, 2] <= t:  # only as far as to the near edge of what is not met
                    makers[count, side] = makers[q, 1 - side]
                    bands[count, side] = -bands[q, 1 - side]
                    bands[count, 3 + side] = -2.0 * elements[2, makers[q, 1 - side]]
            count += 1
            bands[i, 3] = 0.0
            bands[j, 3] = 0.0

    # a chain of overlapping bands from the left end of the free range to its right end
    reach = max(-bands[0, 0], -bands[1, 0])
    right = min(bands[0, 1], bands[1, 1])
    until = math.inf
    link = -1
    while link < 0 or reach <= right:
        # what counts only for a short step is the last resort: a sweep in such steps takes long
        best = -1
        furthest = reach
        for turn in range(2):
            lasting = slack / 1024 if turn == 0 else 0.0
            for p in range(2, count):
                if -bands[p, 0] < reach and bands[p, 1] > furthest and bands[p, 2] > t + lasting:
                    furthest = bands[p, 1]
                    best = p
            if best >= 0:
                break
        if best < 0:
            return -math.inf
        until = min(until, bands[best, 2])
        f = makers[best, 0]
        x = elements[0, f]
        y = elements[1, f]
        r = elements[2, f] + bands[best, 3]
        if link < 0:
            # the chain starts left of the source or left of the target
            holds = t
            for a in range(2):
                if bands[best, 0] > bands[a, 0]:
                    holds = max(holds, beyond_until(elements, planes, records[a], t, x, y, r, -1.0))
            until = min(until, holds)
        else:
            e = makers[link, 1]
            r += elements[2, e] + bands[link, 4]
            until = min(until, next_zero(elements[0, e] - x, elements[1, e] - y, r, t))
        link = best
        reach = furthest
        if best < n + 2:
            for side in range(2):
                _, change = counting(elements, planes, records[best], makers[best, side], t, 2.0 * side - 1.0)
                until = min(until, change)
    e = makers[link, 1]
    x = elements[0, e]
    y = elements[1, e]
    r = elements[2, e] + bands[link, 4]
    holds = t
    for a in range(2):
        if reach > bands[a, 1]:
            holds = max(holds, beyond_until(elements, planes, records[a], t, x, y, r, 1.0))
    return min(until, holds)


@scalar
def free_line(
    first: float,
    last: float,
    trial: float,
    elements: Any,
    planes: Any,
    records: Any,
    bounds: Any,
    n: int,
    joints: Any,
    n_joints: int,
    bands: Any,
    makers: Any,
    slack: float,
) -> bool:
    """Sweep the slopes from first to last, both legal, for a free line; ``trial`` is tried before."""
    tries = first < trial < last
    t = trial if tries else first
    step = SLOPE_STEP
    patience = PATIENCE
    while t <= last:
        until = covered_until(t, elements, planes, records, bounds, n, joints, n_joints, bands, makers, slack)
        if until == -math.inf:
            return True
        if tries:  # it proved nothing about the slopes before it
            tries = False
            t = first
            continue
        if until - t > step:
            step = SLOPE_STEP
            patience = PATIENCE
        else:
            patience -= 1
            if patience < 0 and step < LONGEST_STEP * (1.0 + abs(t)):
                step *= 2.0
                patience = PATIENCE
        # the last slope is legal too, whatever the length of the step
        t = last if t < last and until < last < until + step else max(until, t) + step
    return False
