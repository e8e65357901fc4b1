"""Whether some bases together cover another one.

Outlines consist of elements: straight sides and arcs. Where those of all bases cut each other they fall into
pieces. What is left uncovered is bounded by such pieces: if there is any, the middle of one lies in it or on
its edge.
"""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_OUT1, F8_1, F8_2, F8_OUT1, I8, I8_1, NONE, kernel, scalar

# Rows of elements: where a side starts, or the centre of an arc; the outward normal at the start, and its
# angle; the radius, 0 of sides; and the length, of arcs as an angle to the left.
ELEMENT = 7
ELEMENT_X, ELEMENT_Y, NORMAL_X, NORMAL_Y, ANGLE, RADIUS, LENGTH = range(ELEMENT)
# Most that one element cuts out of another.
CUTS = 2
# Pieces shorter than this, in inches or radians, are rounding.
SHORTEST = 1e-12
# What misses a circle by a share of its radius as small as this touches it.
TOUCH = 1e-9
TURN = 2.0 * math.pi


@scalar
def is_open(bases: Any, first: int, last: int, px: float, py: float, slack: float) -> bool:
    """Tell whether a point of base `first` is outside all after it, up to `last`."""
    for i in range(first, last):
        dx = px - bases[0, i]
        dy = py - bases[1, i]
        c = bases[2, i]
        s = bases[3, i]
        u = max(abs(c * dx + s * dy) - bases[4, i], 0.0)
        v = max(abs(c * dy - s * dx) - bases[5, i], 0.0)
        far = math.sqrt(u * u + v * v) - bases[6, i]
        if (far > 0.5 * slack) if i == first else (far <= slack):
            return False
    return True


@scalar
def cuts(elements: Any, e: int, f: int, n: int, scratch: Any) -> int:
    """Note where the line or circle of element f cuts element e; how many cuts that makes.

    Cuts beside f itself make pieces shorter, no more.
    """
    nx = elements[2, e]
    ny = elements[3, e]
    mx = elements[2, f]
    my = elements[3, f]
    x = elements[0, f] - elements[0, e]
    y = elements[1, f] - elements[1, e]
    size = elements[5, e]
    radius = elements[5, f]
    # where along the element, as a length or the cosine of an angle, and how far to both sides of that
    middle = elements[4, f]
    spread = 0.0
    share = 1.0
    is_cut = True
    if size == 0.0 and radius == 0.0:
        share = my * nx - mx * ny
        middle = mx * x + my * y
        is_cut = share != 0.0
    elif size == 0.0:
        middle = nx * y - ny * x
        aside = nx * x + ny * y
        squared = radius * radius - aside * aside
        spread = math.sqrt(max(squared, 0.0))
        is_cut = squared >= -TOUCH * radius * radius
    else:
        spread = mx * x + my * y
        share = size
        if radius > 0.0:
            squared = x * x + y * y
            spread = squared + size * size - radius * radius
            share = 2.0 * math.sqrt(squared) * size
            middle = math.atan2(y, x)
        is_cut = share > 0.0 and abs(spread) <= (1.0 + TOUCH) * share
    if is_cut:
        if size > 0.0:
            spread = math.acos(min(max(spread / share, -1.0), 1.0))
            middle -= elements[4, e]
        else:
            middle /= share
        for turn in range(CUTS):
            at = middle + spread if turn else middle - spread
            if size > 0.0:
                at %= TURN
            if 0.0 < at < elements[6, e]:
                scratch[n] = at
                n += 1
    return n


@scalar
def order(n: int, scratch: Any) -> None:
    """Sort the first n numbers."""
    for j in range(1, n):
        value = scratch[j]
        k = j
        while k > 0 and scratch[k - 1] > value:
            scratch[k] = scratch[k - 1]
            k -= 1
        scratch[k] = value


@kernel(NONE(F8_2, I8_1, F8_2, I8_1, I8_1, F8_1, F8_OUT1, BOOL_OUT1, I8, I8))
def covered(
    bases: Any,
    starts: Any,
    elements: Any,
    owners: Any,
    element_starts: Any,
    slacks: Any,
    scratch: Any,
    out: Any,
    first: int,
    last: int,
) -> None:
    """For each group of bases, whether those after its first cover all of that.

    Arguments: bases (7, m), starts (n + 1) in: group j is bases[starts[j]] on to before
    bases[starts[j + 1]]; elements (7, E) of their outlines, owners (E), the base of each, and element_starts
    (n + 1), alike; slacks (n) in inches; scratch of 2 and CUTS times the most elements of a group; out (n),
    groups first on to before last.
    Result: every point of the first base is at most the slack outside one of the others.
    Boundary: closed; a hole less than some times as deep as the slack may be overlooked.
    Degenerate: the first base has an area; others may be segments and points, and there may be none.
    Reference: what is uncovered is bounded by pieces of the outlines between their cuts; see the module.
    """
    for j in range(first, last):
        low = element_starts[j]
        high = element_starts[j + 1]
        seen = False
        for e in range(low, high):
            n = 2
            scratch[0] = 0.0
            scratch[1] = elements[6, e]
            for f in range(low, high if not seen else low):
                if owners[f] != owners[e]:
                    n = cuts(elements, e, f, n, scratch)
            order(n, scratch)
            nx = elements[2, e]
            ny = elements[3, e]
            radius = elements[5, e]
            # next to the outline of one of the others: further out
            step = 0.0 if owners[e] == starts[j] else 2.0 * slacks[j]
            for k in range(1, n):
                if not seen and scratch[k] - scratch[k - 1] > SHORTEST:
                    aside = 0.5 * (scratch[k] + scratch[k - 1])
                    ahead = step
                    if radius > 0.0:
                        ahead = (radius + step) * math.cos(aside)
                        aside = (radius + step) * math.sin(aside)
                    x = elements[0, e] + ahead * nx - aside * ny
                    y = elements[1, e] + ahead * ny + aside * nx
                    seen = is_open(bases, starts[j], starts[j + 1], x, y, slacks[j])
        out[j] = not seen
