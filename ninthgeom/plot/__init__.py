"""Pictures of boards and of what is asked of them, to scale, on axes of matplotlib.

Every function takes the axes `ax` to draw on, makes new ones without it, and returns them; pictures can be laid
over each other. They need ``pip install ninthgeom[plot]``.

* Shapes: `bases`, `polygons`, `segments`.
* The table: `board`, `scene`.
"""

from __future__ import annotations

try:
    import matplotlib as _  # noqa: F401
except ImportError as error:
    raise ImportError("pictures need matplotlib: pip install ninthgeom[plot]") from error

from ninthgeom.plot.board import board, scene
from ninthgeom.plot.shapes import bases, polygons, segments

__all__ = ["bases", "board", "polygons", "scene", "segments"]
