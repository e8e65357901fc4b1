"""Boards as GeoJSON and as tables of GeoPandas.

Coordinates are inches of the table, x to the right and y up: plane coordinates, not longitude and latitude,
so there is no reference system.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from numpy.typing import ArrayLike

from ninthgeom.scene import Scene

if TYPE_CHECKING:
    from ninthgeom.board import Board

__all__ = ["features", "to_geopandas"]

#: Kinds of columns that can miss values and still hold what is whole or true.
_KINDS: Final = {int: "Int64", bool: "boolean"}


def features(
    board: Board,
    positions: ArrayLike,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
) -> dict[str, Any]:
    """Return one state of a board as a GeoJSON FeatureCollection.

    Parameters
    ----------
    board : Board
        Units and terrain.
    positions : array_like, shape (U, 3)
        x, y and heading of every unit in one state, in inches and radians.
    present : array_like of bool, shape (U,), optional
        Units on the table, all by default; others are left out.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model; those of full strength by default. Empty slots are left out.

    Returns
    -------
    dict
        Of plain Python objects, as `json.dumps` takes it. Features are polygons, outlines counter-clockwise,
        with a property ``kind``: "table"; "terrain" with ``terrain``, ``opaque`` and ``height``; "unit", its
        Unit Boundary, with ``name``, ``side``, ``group``, ``height``, ``models`` (living ones) and
        ``heading_deg``; "model", its base, with ``unit``, ``slot`` (of the board), ``side`` and ``height``.
        Round outlines are chords, off by less than 0.5 % of the radius. Units without a living model are left
        out.

    Raises
    ------
    TypeError, ValueError
        As in `Scene`; positions of more than one state are refused.

    See Also
    --------
    to_geopandas : the same as a table.

    Notes
    -----
    GeoJSON is RFC 7946. It knows longitude and latitude only; these are inches.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Unit, geo
    >>> found = geo.features(Board([Unit("giant", (50.8, 76.2))]), [[36, 24, math.pi / 2]])
    >>> [feature["properties"]["kind"] for feature in found["features"]]
    ['table', 'unit', 'model']
    >>> found["features"][1]["properties"]["heading_deg"]
    90.0
    """
    shapes, properties = _parts(Scene(board, positions, present, occupied))
    return {
        "type": "FeatureCollection",
        "features": [
            {"type": "Feature", "geometry": _plain(shapely.geometry.mapping(shape)), "properties": about}
            for shape, about in zip(shapes, properties, strict=True)
        ],
    }


def to_geopandas(
    board: Board,
    positions: ArrayLike,
    *,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
) -> Any:
    """Return one state of a board as a ``geopandas.GeoDataFrame``.

    Parameters
    ----------
    board, positions, present, occupied
        As in `features`.

    Returns
    -------
    geopandas.GeoDataFrame
        A row for each feature, with the properties as columns; there is no reference system. Numbers that are
        whole stay so, and ``opaque`` a truth value, with NA where a feature has none.

    Raises
    ------
    ImportError
        If geopandas is not installed; ninthgeom itself does without.
    TypeError, ValueError
        As in `features`.

    See Also
    --------
    ninthgeom.Polygons : takes a ``GeoSeries`` of polygons, the way back.

    Examples
    --------
    >>> from ninthgeom import geo, read_scene
    >>> scene = read_scene("examples/sample.json")
    >>> table = geo.to_geopandas(scene.board, scene.positions)
    >>> table[table.kind == "unit"].name.tolist()[:3]
    ['Spears', 'Knights', 'Catapult']
    """
    shapes, properties = _parts(Scene(board, positions, present, occupied))
    try:
        import geopandas
    except ImportError as error:
        raise ImportError(
            "to_geopandas needs geopandas: the extra geo, pip install '.[geo]' in a clone"
        ) from error
    return geopandas.GeoDataFrame(properties, geometry=shapes).astype(_kinds(properties))


def _parts(scene: Scene) -> tuple[list[Any], list[dict[str, Any]]]:
    """Return the shapes of a scene and what is said about each."""
    board = scene.board
    shapes: list[Any] = [shapely.box(0.0, 0.0, *board.size)]
    properties: list[dict[str, Any]] = [{"kind": "table"}]
    for piece in board.terrain:
        shapes.append(piece.to_shapely())
        about: dict[str, Any] = {"terrain": piece.kind, "opaque": piece.opaque, "height": piece.height}
        properties.append({"kind": "terrain", **about})
    bases, occupied = board.bases(scene.positions, scene.occupied)
    boundaries = board.boundaries(scene.positions, scene.occupied)
    for i, (unit, slots) in enumerate(zip(board.units, board.model_slices, strict=True)):
        living = np.flatnonzero(occupied[slots]) + slots.start
        if not len(living) or (scene.present is not None and not scene.present[i]):
            continue
        shapes.append(boundaries[i].to_shapely())
        about = {"name": unit.name, "side": unit.side, "group": unit.group, "height": int(board.height[i])}
        about |= {"models": len(living), "heading_deg": math.degrees(scene.positions[i, 2])}
        properties.append({"kind": "unit", **about})
        for slot in living.tolist():
            shapes.append(bases[slot].to_shapely())
            about = {"unit": unit.name, "slot": slot, "side": unit.side}
            properties.append({"kind": "model", **about, "height": int(board.model_height[slot])})
    # RFC 7946 wants outlines counter-clockwise.
    return list(shapely.orient_polygons(np.array(shapes, np.object_))), properties


def _kinds(properties: list[dict[str, Any]]) -> dict[str, str]:
    """Return the kinds of columns that would turn into floats because some features have no such property."""
    found: dict[str, set[type]] = {}
    for about in properties:
        for name, value in about.items():
            if value is not None:
                found.setdefault(name, set()).add(type(value))
    return {name: _KINDS[kind] for name, (kind, *more) in found.items() if kind in _KINDS and not more}


def _plain(geometry: dict[str, Any]) -> dict[str, Any]:
    """Return a mapping of lists, as JSON has them, in the place of tuples."""
    rings = [[list(point) for point in ring] for ring in geometry["coordinates"]]
    return {"type": geometry["type"], "coordinates": rings}
