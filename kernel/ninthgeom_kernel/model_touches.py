"""Which models of units in contact touch each other, and with which facings."""

from __future__ import annotations

from typing import Any

from ninthgeom_kernel._jit import BOOL_2, BOOL_OUT1, F8, F8_2, F8_3, I8_2, NONE, U2_OUT1, kernel, scalar
from ninthgeom_kernel.bases import SLACK, base_at, outer_radius
from ninthgeom_kernel.facing import facing, gap_of

TOUCH = 1


@scalar
def slot_at(
    positions: Any, boundaries: Any, slots: Any, state: int, unit: int, slot: int
) -> tuple[float, float, float, float, float, float, float]:
    """Return the base of a slot as the numbers of `base_at`."""
    cos = boundaries[2, state, unit]
    sin = boundaries[3, state, unit]
    ahead = slots[0, slot]
    aside = slots[1, slot]
    x = positions[state, unit, 0] + ahead * cos - aside * sin
    y = positions[state, unit, 1] + ahead * sin + aside * cos
    return x, y, cos, sin, slots[2, slot], slots[3, slot], slots[4, slot]


@scalar
def may_reach(model: Any, base: Any, tol: float) -> bool:
    """Tell whether a model may be in contact with another base; never wrong when it denies."""
    dx = model[0] - base[0]
    dy = model[1] - base[1]
    reach = outer_radius(model[4], model[5], model[6]) + SLACK + tol
    is_beside = abs(base[2] * dx + base[3] * dy) > base[4] + base[6] + reach
    return not (is_beside | (abs(base[2] * dy - base[3] * dx) > base[5] + base[6] + reach))


@kernel(NONE(I8_2, F8_3, F8_3, F8_2, BOOL_2, I8_2, F8, BOOL_OUT1, U2_OUT1))
def model_touches(
    pairs: Any,
    positions: Any,
    boundaries: Any,
    slots: Any,
    living: Any,
    limits: Any,
    tol: float,
    near: Any,
    codes: Any,
) -> None:
    """All models of all pairs of units in contact.

    Arguments: pairs (6, n): state, two units, where their codes begin, facings with which they are engaged;
    positions (S, U, 3), boundaries (7, S, U), slots (5, M): ahead and left of the position, core along and
    across, radius; living (1 or S, M); limits (2, U): first slot of a unit and the one past its last; tol
    in inches; near (M) scratch; codes: for each
    pair its models of the first unit times those of the second.
    Result: 1 + 16 facing of the first + 256 facing of the second model where their bases touch.
    Boundary: gap at most tol.
    Degenerate: pairs with a round base are left as they are.
    Reference: separating axes.
    """
    for e in range(pairs.shape[1]):
        state, a, b, first = pairs[0, e], pairs[1, e], pairs[2, e], pairs[3, e]
        row = state if living.shape[0] > 1 else 0
        one = base_at(boundaries, state, a)
        other = base_at(boundaries, state, b)
        if (one[6] > 0.0) | (other[6] > 0.0):
            continue
        n = limits[1, b] - limits[0, b]
        for slot in range(limits[0, b], limits[1, b]):
            enemy = slot_at(positions, boundaries, slots, state, b, slot)
            near[slot] = living[row, slot] and may_reach(enemy, one, tol)
        for i in range(limits[0, a], limits[1, a]):
            model = slot_at(positions, boundaries, slots, state, a, i)
            if not (living[row, i] and may_reach(model, other, tol)):
                continue
            for j in range(limits[0, b], limits[1, b]):
                if not near[j]:
                    continue
                enemy = slot_at(positions, boundaries, slots, state, b, j)
                if not may_reach(enemy, model, tol):
                    continue
                gap = gap_of(model, enemy)
                if gap <= tol:
                    own = facing(model, enemy, gap, tol)
                    its = facing(enemy, model, gap, tol)
                    # models meet through the facings of their units, however their bases overlap
                    own = own & pairs[4, e] if own & pairs[4, e] else pairs[4, e]
                    its = its & pairs[5, e] if its & pairs[5, e] else pairs[5, e]
                    codes[first + (i - limits[0, a]) * n + j - limits[0, b]] = TOUCH + 16 * own + 256 * its
