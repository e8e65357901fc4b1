"""Shapes on axes of matplotlib: bases, polygons and segments, with their true outlines."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import shapely
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.path import Path
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray
from ninthgeom.plot._style import INK, UNIT_ORDER, prepared

if TYPE_CHECKING:
    from ninthgeom.bases import Bases
    from ninthgeom.polygons import Polygons
    from ninthgeom.segments import Segments

__all__ = ["bases", "polygons", "segments"]


def bases(bases: Bases, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw bases with their outlines: rectangles, rounded ones, discs, ovals and points.

    Parameters
    ----------
    bases : Bases
        Bases of any shape; without any, nothing is drawn. Rounded corners are Bezier curves, off by less
        than 5e-5 of their radius. Of bases of no area only the outline shows, of points nothing.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.
    **style
        For `matplotlib.collections.PathCollection`: ``facecolor``, ``edgecolor``, ``linewidth``, ``alpha``,
        ``linestyle``, ``hatch``, ``label``, ``zorder`` and others.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, in inches of the table, with one collection more.

    See Also
    --------
    ninthgeom.plot.board : units and terrain.

    Examples
    --------
    >>> from ninthgeom import Bases, plot
    >>> axes = plot.bases(Bases.round([0, 3], 0, diameter=2), facecolor="tab:blue")
    >>> [float(edge) for edge in axes.dataLim.extents]
    [-1.0, -1.0, 4.0, 1.0]
    """
    ax = prepared(ax)
    add_bases(ax, bases, **style)
    return ax


def polygons(polygons: Polygons, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw polygons, with their holes.

    Parameters
    ----------
    polygons : Polygons
        Polygons of any shape; without any, nothing is drawn.
    ax, **style
        As for `bases`.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with one collection more.

    Examples
    --------
    >>> from ninthgeom import Polygons, plot
    >>> axes = plot.polygons(Polygons([[(0, 0), (6, 0), (3, 4)]]), facecolor="tab:green")
    >>> [float(edge) for edge in axes.dataLim.extents]
    [0.0, 0.0, 6.0, 4.0]
    """
    ax = prepared(ax)
    add_regions(ax, polygons.to_shapely(), **style)
    return ax


def segments(segments: Segments, *, ax: Axes | None = None, **style: Any) -> Axes:
    """Draw segments.

    Parameters
    ----------
    segments : Segments
        Segments of any shape; without any, nothing is drawn.
    ax : matplotlib.axes.Axes, optional
        Where to draw; new axes by default.
    **style
        For `matplotlib.collections.LineCollection`: ``color``, ``linewidth``, ``linestyle`` and others.

    Returns
    -------
    matplotlib.axes.Axes
        The axes, with one collection more.

    Examples
    --------
    >>> from ninthgeom import Segments, plot
    >>> axes = plot.segments(Segments(0, 0, [3, 4], [1, 2]), color="black")
    >>> [float(edge) for edge in axes.dataLim.extents]
    [0.0, 0.0, 4.0, 2.0]
    """
    ax = prepared(ax)
    ends = np.stack([segments.x0, segments.y0, segments.x1, segments.y1], axis=-1).reshape(-1, 2, 2)
    add_lines(ax, ends, **style)
    return ax


def add_bases(ax: Axes, bases: Bases, **style: Any) -> None:
    """Add the outlines of bases as one collection."""
    _add_paths(ax, base_paths(bases), bases.bounds, **style)


def add_regions(ax: Axes, regions: Any, **style: Any) -> None:
    """Add the polygons of shapely geometries, holes included, as one collection."""
    parts = shapely.get_parts(np.atleast_1d(regions).ravel())
    parts = parts[~shapely.is_empty(parts)]
    paths = []
    for part in parts:
        rings = [Path(np.asarray(ring.coords), closed=True) for ring in (part.exterior, *part.interiors)]
        paths.append(Path.make_compound_path(*rings))
    _add_paths(ax, paths, shapely.bounds(parts), **style)


def _add_paths(ax: Axes, paths: list[Path], bounds: FloatArray, **style: Any) -> None:
    if paths:
        look: dict[str, Any] = {"facecolor": "none", "edgecolor": INK, "linewidth": 0.8, "zorder": UNIT_ORDER}
        # matplotlib would count the control points of curves as part of them.
        ax.add_collection(PathCollection(paths, transform=ax.transData, **(look | style)), autolim=False)
        ax.update_datalim(bounds.reshape(-1, 2))
        ax.autoscale_view()


def add_lines(ax: Axes, lines: Any, **style: Any) -> None:
    """Add polylines in inches, each (n, 2), as one collection."""
    if len(lines):
        look: dict[str, Any] = {"color": INK, "linewidth": 1.0, "zorder": UNIT_ORDER}
        ax.add_collection(LineCollection(list(lines), **(look | style)))
        ax.autoscale_view()


def base_paths(bases: Bases) -> list[Path]:
    """Return the outline of each base, counter-clockwise from its front right corner."""
    flat = bases.reshape(-1)
    columns = (flat.x, flat.y, flat.heading, flat.width, flat.depth, flat.radius)
    return [_outline(*map(float, values)) for values in zip(*columns, strict=True)]


def _outline(x: float, y: float, heading: float, width: float, depth: float, radius: float) -> Path:
    along, across = depth / 2 - radius, width / 2 - radius
    turned = np.array([[math.cos(heading), math.sin(heading)], [-math.sin(heading), math.cos(heading)]])
    # In the frame of the base: x is forward, y is left. A corner is a point, or a quarter of a circle.
    centres = [(along, across), (-along, across), (-along, -across), (along, -across)]
    vertices: list[NDArray[Any]] = []
    codes: list[Any] = []
    for i, centre in enumerate(centres):
        corner = Path.arc(90.0 * i, 90.0 * (i + 1)) if radius > 0 else Path([(0.0, 0.0)], [Path.MOVETO])
        vertices.append(np.asarray(corner.vertices) * radius + centre)
        codes += [Path.LINETO, *np.asarray(corner.codes)[1:].tolist()]
    codes[0] = Path.MOVETO
    points = np.concatenate([*vertices, vertices[0][:1]]) @ turned + (x, y)
    return Path(points, [*codes, Path.CLOSEPOLY])
