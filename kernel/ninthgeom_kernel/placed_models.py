"""Models as shapes in frames of their own."""

from __future__ import annotations

import math
from typing import Any

from ninthgeom_kernel._jit import BOOL_2, F8_2, F8_OUT2, F8_OUT3, I8_2, NONE, kernel
from ninthgeom_kernel.ahead import CORNERS, LEFT_END, RADIUS, RIGHT_END, RIM, TOP


@kernel(NONE(I8_2, F8_2, F8_2, BOOL_2, F8_OUT3, F8_OUT2))
def placed_models(units: Any, frames: Any, slots: Any, living: Any, shapes: Any, limits: Any) -> None:
    """All models of some units, each unit in one frame.

    Arguments: units (4, n): row of living, first slot, the one past the last, where the shapes begin; frames
    (5, n): position and heading of the unit in the frame, and how deep inside lines pass its models; slots
    (5, M): ahead and left of the position, half extents of the core along and across, radius; living
    (1 or S, M); shapes (2, N, 4 or more), limits (6, N) out.
    Result: corners of the cores, front left, rear left and on, and their limits as in `ahead`.
    Boundary: none.
    Degenerate: dead models have no corners.
    Reference: none needed.
    """
    for e in range(units.shape[1]):
        row, start = units[0, e], units[1, e]
        x, y, c, s = frames[0, e], frames[1, e], frames[2, e], frames[3, e]
        for slot in range(start, units[2, e]):
            k = units[3, e] + slot - start
            left = math.inf
            right = -math.inf
            top = -math.inf
            for i in range(4):
                ahead = slots[0, slot] + (slots[2, slot] if i % 3 == 0 else -slots[2, slot])
                aside = slots[1, slot] + (slots[3, slot] if i < 2 else -slots[3, slot])
                px = x + ahead * c - aside * s
                py = y + ahead * s + aside * c
                shapes[0, k, i] = px
                shapes[1, k, i] = py
                left = min(left, px)
                right = max(right, px)
                top = max(top, py)
            limits[LEFT_END, k] = left - slots[4, slot]
            limits[RIGHT_END, k] = right + slots[4, slot]
            limits[TOP, k] = top + slots[4, slot]
            limits[RADIUS, k] = slots[4, slot]
            limits[RIM, k] = frames[4, e]
            limits[CORNERS, k] = 4.0 if living[row, slot] else 0.0
