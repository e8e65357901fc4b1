"""Ways of straight legs and arcs as polylines."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ninthgeom._arrays import FloatArray, as_number
from ninthgeom._checks import PlacedValueError

# No piece of an arc turns by more.
_COARSEST: Final = math.pi / 8


def polyline(points: FloatArray, centre: FloatArray, turn: FloatArray, step: float) -> FloatArray:
    """Return points along a way, legs round discs in pieces no longer than a step; shape (n, 2)."""
    step = as_number("step", step)
    if not step > 0.0:
        raise PlacedValueError(("step",), f"must be positive, got {step}")
    pieces = [np.empty((0, 2))]
    for k in range(len(points)):
        pieces.append(points[k : k + 1])
        if turn[k] != 0.0:
            away = points[k] - centre[k]
            radius, angle = math.hypot(*away), math.atan2(away[1], away[0])
            n = math.ceil(abs(turn[k]) / min(step / radius, _COARSEST))
            angles = angle + turn[k] * np.arange(1, n) / n
            pieces.append(centre[k] + radius * np.stack([np.cos(angles), np.sin(angles)], axis=1))
    return np.concatenate(pieces)


def line_string(points: FloatArray) -> Any:
    """Return a polyline as a shapely geometry, empty without points."""
    import shapely

    return shapely.LineString(points if len(points) != 1 else np.repeat(points, 2, axis=0))
