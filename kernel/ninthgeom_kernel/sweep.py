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

# Slopes are advanced by this much past an event: below it, a free range of slopes is rounding.
SLOPE_STEP = 1e-10
# After so many advances of no more than a step in a row the step is doubled, up to a length that moves a line
# by less than a tolerance on a table: rounding may keep a chain from getting past an event, and the sweep has
# to end.
PATIENCE = 12
LONGEST_STEP = 1e-8
# So many slopes beyond the first free one are looked at for a wider slit.
TRIES = 40


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
def apart_until(elements: Any, planes: Any, records: Any, a: int, b: int, t: float) -> float:
    """Slope up to which the band of a shape stays left of that of another."""
    until = math.inf
    record = records[a]
    for e in range(record[0], record[1]):
        counts, change = counting(elements, planes, record, e, t, 1.0)
        if counts:
            change = beyond_until(
                elements, planes, records[b], t, elements[0, e], elements[1, e], -elements[2, e], -1.0
            )
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
    bands: Any,
    makers: Any,
    chain: Any,
    slit: Any,
) -> float:
    """Slope up to which certainly no line is free; -inf if one is free at slope t: ``slit`` gets its ends.

    ``records`` rows: source, target, then n pieces; ``bounds`` rows: the open range of slopes in which a
    piece counts, for source and target all. ``bands``, ``makers`` and ``chain`` are scratch: envelopes times
    side, the elements that make them, and the pieces of a chain that covers all lines.
    """
    s = math.sqrt(1.0 + t * t)
    for p in range(n + 2):
        bands[p, 0] = -math.inf
        bands[p, 1] = -math.inf
        if bounds[p, 0] < t < bounds[p, 1]:
            for side in range(2):
                bands[p, side], makers[p, side] = envelope(
                    elements, planes, records[p], t, s, 2.0 * side - 1.0
                )
    # until the bands of source and target meet there is nothing to cover
    a = 0 if bands[0, 1] + bands[1, 0] < 0.0 else 1
    if bands[a, 1] + bands[1 - a, 0] < 0.0:
        return apart_until(elements, planes, records, a, 1 - a, t)

    # a chain of overlapping bands from the left end of the free range to its right end
    reach = max(-bands[0, 0], -bands[1, 0])
    right = min(bands[0, 1], bands[1, 1])
    slit[0] = reach
    n_chain = 0
    while n_chain == 0 or reach <= right:
        best = -1
        for p in range(2, n + 2):
            if -bands[p, 0] < slit[0] and bands[p, 1] > reach:
                reach = bands[p, 1]
                best = p
        if best < 0:
            for p in range(2, n + 2):
                if bands[p, 1] > -math.inf and -bands[p, 0] >= reach:
                    right = min(right, -bands[p, 0])
            slit[1] = right
            return -math.inf
        slit[0] = reach
        chain[n_chain] = best
        n_chain += 1

    # It holds while each link overlaps the next, and the outer ones reach beyond source or target.
    until = math.inf
    for k in range(n_chain):
        p = chain[k]
        until = min(until, bounds[p, 1])
        for side in range(2):
            e = makers[p, side]
            sign = 2.0 * side - 1.0
            _, change = counting(elements, planes, records[p], e, t, sign)
            if k == (n_chain - 1) * side:
                holds = t
                for a in range(2):
                    if bands[p, side] > bands[a, side]:
                        stays = beyond_until(
                            elements,
                            planes,
                            records[a],
                            t,
                            elements[0, e],
                            elements[1, e],
                            elements[2, e],
                            sign,
                        )
                        holds = max(holds, stays)
                change = min(change, holds)
            elif side == 1:
                f = makers[chain[k + 1], 0]
                dx = elements[0, e] - elements[0, f]
                dy = elements[1, e] - elements[1, f]
                change = min(change, next_zero(dx, dy, elements[2, e] + elements[2, f], t))
            until = min(until, change)
    return until


@scalar
def free_line(
    first: float,
    last: float,
    wants_widest: bool,
    elements: Any,
    planes: Any,
    records: Any,
    bounds: Any,
    n: int,
    bands: Any,
    makers: Any,
    chain: Any,
    line: Any,
) -> bool:
    """Sweep the slopes from first to last, both legal, for a free line.

    Where the widest is wanted, wider slits are looked for at other slopes once one is found, and ``line``, of
    four places, gets u and slope of the middle of the widest; else it is scratch.
    """
    t = first
    step = SLOPE_STEP
    patience = PATIENCE
    width = -1.0
    found = first
    tries = 0
    while t <= last:
        until = covered_until(t, elements, planes, records, bounds, n, bands, makers, chain, line)
        if until == -math.inf:
            if not wants_widest:
                return True
            if line[1] - line[0] > width:
                width = line[1] - line[0]
                line[2] = 0.5 * (line[0] + line[1])
                line[3] = t
            if tries == 0:
                found = t
        if width >= 0.0:
            t = min(last, found + (last - found) * 0.5**tries)
            tries += 1
            if tries > TRIES:
                line[0] = line[2]
                line[1] = line[3]
                return True
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


@scalar
def meets(
    p: int,
    first: float,
    last: float,
    elements: Any,
    planes: Any,
    records: Any,
    bounds: Any,
    bands: Any,
    makers: Any,
) -> bool:
    """Whether a line from source to target, of a slope from first to last, meets a piece."""
    # at the limits of its slopes, which are wider by rounding, a piece may seem to be met
    t = max(first, bounds[p, 0] + 2.0 * ROUNDING)
    stop = min(last, bounds[p, 1] - 2.0 * ROUNDING)
    step = SLOPE_STEP
    while t <= stop:
        s = math.sqrt(1.0 + t * t)
        for k in range(3):
            q = p if k == 2 else k
            for side in range(2):
                bands[q, side], makers[q, side] = envelope(
                    elements, planes, records[q], t, s, 2.0 * side - 1.0
                )
        # of three bands that meet two by two, all meet
        until = -math.inf
        for k in range(6):
            a = p if k < 2 else k % 2
            b = p if k // 2 == 1 else (1 - k % 2 if k // 2 == 2 else k % 2)
            if bands[a, 1] + bands[b, 0] <= ROUNDING:
                until = max(until, apart_until(elements, planes, records, a, b, t))
        if until == -math.inf:
            return True
        step = SLOPE_STEP if until > t else 2.0 * step
        t = max(until, t) + step
    return False
