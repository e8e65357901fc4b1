"""Names next to what they name, off what is there already as far as there is room."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import shapely
from matplotlib import patheffects
from matplotlib.axes import Axes

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.plot._style import FAINT, LABEL_ORDER, MARK_ORDER, written
from ninthgeom.plot.shapes import add_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.text import Text

_SIZE: Final = 7.5
# Ways from what is named to its name, the best first: below, above, to the sides, then slanted.
_QUARTERS: Final = (-4, 4, 0, 8, -3, -5, 3, 5, -2, -6, 2, 6, -1, -7, 1, 7)
_WAYS: Final = np.array([(np.cos(k * np.pi / 8), np.sin(k * np.pi / 8)) for k in _QUARTERS])
# How far names stand from what they name, in heights of a line; from the second on a thin line leads there.
_STEPS: Final = (0.25, 1.5, 3.0)
# What names cost, in areas of the text: all of it on a unit or another name, on terrain, cut off by the view.
_ON_UNIT, _ON_TERRAIN, _CUT = 4.0, 0.8, 20.0
# Across the edge of the table, nearer to another unit than to its own, a step further off, a place in _WAYS.
_ACROSS, _WRONG, _STEP, _ORDER = 0.8, 0.6, 0.3, 0.01
# Of a name that costs less no further place is looked at.
_GOOD: Final = 0.2
_ROUNDS: Final = 2


@dataclass(frozen=True)
class Names:
    """What is to be written and where it belongs.

    Attributes
    ----------
    texts : sequence of str
        The names.
    colours : sequence of str
        Their colours.
    shapes : ndarray of shapely polygons
        What they name.
    within : ndarray of bool
        Names that best stand in the middle of what they name, if they fit there: those of terrain.
    """

    texts: Sequence[str]
    colours: Sequence[str]
    shapes: Any
    within: Any


def add_labels(ax: Axes, names: Names, units: Any, table: FloatArray) -> None:
    """Write names where they cover least, nearest to what they name.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes with their final limits.
    names : Names
        What is written.
    units : ndarray of shapely polygons
        All units that are drawn, with names or without.
    table : ndarray of float64, shape (4,)
        xmin, ymin, xmax and ymax of the table.
    """
    if not len(names.texts):
        return
    artists = [_text(ax, text, colour) for text, colour in zip(names.texts, names.colours, strict=True)]
    sizes = _sizes(ax, artists)
    line = float(_sizes(ax, [first := _text(ax, "X", FAINT)])[0, 1])
    first.remove()
    view = np.array([*ax.get_xlim(), *ax.get_ylim()])[[0, 2, 1, 3]]
    room = _Room(names, np.asarray(units), table, view, line)
    boxes: FloatArray = np.full((len(artists), 4), np.nan)  # as long as they stand nowhere
    off: list[Any] = [None] * len(artists)
    for _ in range(_ROUNDS):  # the first names know nothing of those that follow
        for i, size in enumerate(sizes):
            others = np.delete(boxes, i, axis=0)
            if np.isnan(boxes[i, 0]) or _common(boxes[i, None], others).any():
                boxes[i], off[i] = room.best(i, size, others)
    for artist, box in zip(artists, boxes, strict=True):
        artist.set_position((float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2))
    leads = [lead for lead in off if lead is not None]
    add_lines(ax, leads, color=FAINT, linewidth=0.5, zorder=MARK_ORDER)


class _Room:
    """What there is on the table, and what it costs to write on it."""

    def __init__(self, names: Names, units: Any, table: FloatArray, view: FloatArray, line: float) -> None:
        self.names, self.table, self.view, self.line = names, table, view, line
        self.units, self.unit_bounds = units, shapely.bounds(units).reshape(-1, 4)
        self.terrain = names.shapes[names.within]
        self.terrain_bounds = shapely.bounds(self.terrain).reshape(-1, 4)

    def best(self, i: int, size: FloatArray, others: FloatArray) -> tuple[FloatArray, Any]:
        """Return the best box for a name among the others, and the line that leads to it, if one does."""
        shape = self.names.shapes[i]
        found: list[tuple[float, FloatArray, bool]] = []
        if self.names.within[i]:
            box = _around(np.asarray(shapely.point_on_surface(shape).coords), size)
            centred = _around(np.asarray(shape.centroid.coords), size)
            box = centred if shape.covers(shapely.box(*centred[0])) else box
            cost = float(self._cost(box, shape, others)[0])
            found.append((cost if shape.covers(shapely.box(*box[0])) else cost + 1.0, box[0], False))
        for step, gap in enumerate(_STEPS):
            if found and min(found, key=lambda each: each[0])[0] < _GOOD:
                break
            boxes = _beside(shape, size, gap * self.line)
            costs = self._cost(boxes, shape, others) + _STEP * step + _ORDER * np.arange(len(boxes))
            k = int(np.argmin(costs))
            found.append((float(costs[k]), boxes[k], step > 0))
        _, box, is_off = min(found, key=lambda each: each[0])
        lead = np.asarray(shapely.shortest_line(shapely.box(*box), shape).coords) if is_off else None
        return box, lead

    def _cost(self, boxes: FloatArray, shape: Any, others: FloatArray) -> FloatArray:
        drawn: Any = shapely.box(*boxes.T)
        area = float(np.prod(boxes[0, 2:] - boxes[0, :2]))
        own = _is(self.terrain, shape)
        cost = _ON_UNIT * _covered(boxes, drawn, self.units, self.unit_bounds)
        cost += _ON_TERRAIN * _covered(boxes, drawn, self.terrain[~own], self.terrain_bounds[~own])
        cost += _ON_UNIT * _common(boxes, others).sum(axis=1)
        cost += _CUT * (area - _common(boxes, self.view[None])[:, 0])
        cost /= area
        on_table = _common(boxes, self.table[None])[:, 0] / area
        cost += _ACROSS * ((on_table > 1e-9) & (on_table < 1.0 - 1e-9))
        foreign = self.units[~_is(self.units, shape)]
        if len(foreign):
            to_others = shapely.distance(drawn[:, None], foreign[None]).min(axis=1)
            cost += _WRONG * (to_others < shapely.distance(drawn, shape))
        answer: FloatArray = cost
        return answer


def _is(shapes: Any, shape: Any) -> BoolArray:
    """Return which shapes are this one, not another that lies just there."""
    return np.array([each is shape for each in shapes], np.bool_)


def _text(ax: Axes, text: str, colour: str) -> Text:
    return ax.text(
        0.0,
        0.0,
        written(text),
        ha="center",
        va="center",
        fontsize=_SIZE,
        color=colour,
        zorder=LABEL_ORDER,
        clip_on=True,
        path_effects=[patheffects.withStroke(linewidth=2.0, foreground="white")],
    )


def _sizes(ax: Axes, artists: Sequence[Text]) -> FloatArray:
    """Return widths and heights of texts in inches of the table, shape (n, 2)."""
    ax.apply_aspect()
    origin, one = ax.transData.transform([(0.0, 0.0), (1.0, 1.0)])
    boxes = [artist.get_window_extent() for artist in artists]
    sizes: FloatArray = np.array([(box.width, box.height) for box in boxes]) / np.abs(one - origin)
    return sizes


def _around(centres: FloatArray, size: FloatArray) -> FloatArray:
    """Return boxes of a size around points, shape (n, 4)."""
    boxes: FloatArray = np.concatenate([centres - size / 2, centres + size / 2], axis=1)
    return boxes


def _beside(shape: Any, size: FloatArray, gap: float) -> FloatArray:
    """Return boxes of a size that are this far from a shape, one each way from its middle.

    A box is apart from a convex shape where its centre is outside the sum of both.
    """
    corners = np.asarray(shape.convex_hull.exterior.coords)
    half = size / 2 + gap
    signs = np.array([(1, 1), (1, -1), (-1, -1), (-1, 1)])
    hull: Any = shapely.MultiPoint((corners[:, None] + half * signs).reshape(-1, 2)).convex_hull
    ring = np.asarray(shapely.orient_polygons(hull).exterior.coords)
    edges = np.diff(ring, axis=0)
    out = np.stack([edges[:, 1], -edges[:, 0]], axis=1)
    middle = (corners.min(axis=0) + corners.max(axis=0)) / 2
    room, speed = ((ring[:-1] - middle) * out).sum(axis=1), _WAYS @ out.T
    with np.errstate(divide="ignore", invalid="ignore"):
        far = np.where(speed > 0, room / speed, np.inf).min(axis=1)
    return _around(middle + far[:, None] * _WAYS, size)


def _covered(boxes: FloatArray, drawn: Any, shapes: Any, bounds: FloatArray) -> FloatArray:
    """Return the area of shapes that boxes cover, shape (n,)."""
    total: FloatArray = np.zeros(len(boxes))
    one, other = np.nonzero(_common(boxes, bounds))
    np.add.at(total, one, shapely.area(shapely.intersection(drawn[one], shapes[other])))
    return total


def _common(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the areas that boxes have in common, shape (n, m); boxes of NaN have none."""
    low = np.maximum(one[:, None, :2], other[None, :, :2])
    high = np.minimum(one[:, None, 2:], other[None, :, 2:])
    areas: FloatArray = np.prod(np.fmax(high - low, 0.0), axis=2)
    return areas
