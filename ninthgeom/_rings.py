"""Outlines of polygons: conversion, checks, one direction."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._checks import Place, PlacedTypeError, PlacedValueError
from ninthgeom._constants import LARGEST_COORDINATE


def checked_ring(outline: ArrayLike, place: Place) -> NDArray[np.float64]:
    """Return the vertices of a simple polygon, counter-clockwise, none repeated, read-only."""
    shape: Any = outline
    if hasattr(shape, "exterior"):  # a polygon of shapely, told without the import of shapely
        if shape.interiors:
            raise PlacedValueError(place, "must have no holes; pieces without them make up the same ground")
        outline = shape.exterior.coords
    if np.ma.is_masked(outline):
        raise PlacedValueError(place, "must not have masked values")
    try:
        given = np.asarray(outline)
    except ValueError:  # rows of unequal length
        raise PlacedValueError(place, "must be a list of (x, y)") from None
    if given.size and given.dtype.kind not in "iuf":
        found = f"dtype {given.dtype}" if given.ndim else type(outline).__name__
        raise PlacedTypeError(place, f"must hold real numbers, got {found}")
    if given.ndim != 2 or given.shape[1] != 2:
        raise PlacedValueError(place, f"must have shape (n, 2), got {given.shape}")
    ring = np.array(given, dtype=np.float64)
    wrong = ~(np.abs(ring) <= LARGEST_COORDINATE)
    if wrong.any():
        i, axis = np.argwhere(wrong)[0].tolist()
        limit = f"from -{LARGEST_COORDINATE:g} to {LARGEST_COORDINATE:g}"
        wish = limit if np.isfinite(ring[i, axis]) else "finite"
        raise PlacedValueError((*place, i, axis), f"must be {wish}, got {ring[i, axis]}")
    if len(ring) > 1 and (ring[0] == ring[-1]).all():
        ring = ring[:-1]
    _check_simple(ring, place)
    x, y = (ring - ring[0]).T
    if x @ np.roll(y, -1) < y @ np.roll(x, -1):
        ring = np.concatenate([ring[:1], ring[:0:-1]])
    ring.flags.writeable = False
    return ring


def _check_simple(ring: NDArray[np.float64], place: Place) -> None:
    distinct = len(np.unique(ring, axis=0))
    if distinct < 3:
        raise PlacedValueError(place, f"needs at least 3 distinct vertices, got {distinct}")
    repeated = (ring == np.roll(ring, 1, axis=0)).all(axis=1)
    if repeated.any():
        i = int(repeated.argmax())
        raise PlacedValueError(
            (*place, i),
            f"repeats the vertex before it, {tuple(ring[i].tolist())}; shapely.remove_repeated_points helps",
        )
    # Tables are built once, and shapely takes longer to import than everything else a board needs.
    import shapely

    polygon = shapely.Polygon(ring)
    if not polygon.convex_hull.area:
        raise PlacedValueError(place, "has no area: all vertices are in one line")
    if not polygon.is_valid:
        raise PlacedValueError(place, f"crosses or touches itself: {shapely.is_valid_reason(polygon)}")
