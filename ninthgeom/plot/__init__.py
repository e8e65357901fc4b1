"""Pictures of boards and of what is asked of them, to scale, on axes of matplotlib.

Every function takes the axes ``ax`` to draw on, makes new ones without it, and returns them; pictures can be
laid over each other. They need the extra ``plot``.

* Shapes: `bases`, `polygons`, `segments`.
* The table: `board`, `scene`.
* What units see: `line_of_sight`, `visible_area`, `sees_points`; `heat_map` of any values on a grid.
* What units face, measure and touch: `arcs`, `distances`, `contacts`; `legal`.
* Skirmish games: `coherency`, `engaged`, `routes`, `paths_clear`, `moves`.
"""

from __future__ import annotations

try:
    import matplotlib as _  # noqa: F401
except ImportError as error:
    raise ImportError("pictures need matplotlib: the extra plot, pip install '.[plot]' in a clone") from error

from ninthgeom.plot.board import board, scene
from ninthgeom.plot.combat import contacts
from ninthgeom.plot.shapes import bases, polygons, segments
from ninthgeom.plot.sight import heat_map, line_of_sight, sees_points, visible_area
from ninthgeom.plot.skirmish import coherency, engaged, moves, paths_clear, routes
from ninthgeom.plot.units import arcs, distances, legal

__all__ = [
    "arcs",
    "bases",
    "board",
    "coherency",
    "contacts",
    "distances",
    "engaged",
    "heat_map",
    "legal",
    "line_of_sight",
    "moves",
    "paths_clear",
    "polygons",
    "routes",
    "scene",
    "sees_points",
    "segments",
    "visible_area",
]
