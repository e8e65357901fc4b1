"""Names next to what they name, off what is there already as far as there is room."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

import numpy as np
from matplotlib import patheffects
from matplotlib.axes import Axes

from ninthgeom._arrays import FloatArray
from ninthgeom.plot._style import INK, LABEL_ORDER, written

if TYPE_CHECKING:
    from collections.abc import Sequence

_POINTS: Final = 72.0
_SIZE: Final = 7.5
# Mean width and height of a letter, in sizes of the font.
_WIDE, _HIGH = 0.6, 1.25


def add_labels(ax: Axes, texts: Sequence[str], bounds: FloatArray, taken: FloatArray) -> None:
    """Write texts near boxes: in them if they fit, else beside, where least is covered.

    Parameters
    ----------
    ax : matplotlib.axes.Axes
        Axes with their final limits.
    texts : sequence of str
        One for each box.
    bounds : ndarray of float64, shape (n, 4)
        xmin, ymin, xmax and ymax of what is named.
    taken : ndarray of float64, shape (m, 4)
        Boxes that texts should not cover.
    """
    per_inch = _units_per_inch(ax)
    limits = np.array([*ax.get_xlim(), *ax.get_ylim()])[[0, 2, 1, 3]]
    taken = np.array(taken).reshape(-1, 4)
    for text, box in zip(texts, bounds, strict=True):
        lines = text.split("\n")
        width = max(map(len, lines)) * _WIDE * _SIZE / _POINTS * per_inch
        height = len(lines) * _HIGH * _SIZE / _POINTS * per_inch
        places = _places(box, width, height)
        costs = [_cost(place, taken, limits) for place in places]
        best = places[int(np.argmin(costs))]
        x, y = ((best[:2] + best[2:]) / 2).tolist()
        ax.text(
            x,
            y,
            written(text),
            ha="center",
            va="center",
            fontsize=_SIZE,
            color=INK,
            zorder=LABEL_ORDER,
            clip_on=True,
            path_effects=[patheffects.withStroke(linewidth=2.0, foreground="white")],
        )
        taken = np.concatenate([taken, best[None]])


def _units_per_inch(ax: Axes) -> float:
    """Return how many inches of the table one inch of paper shows."""
    ax.apply_aspect()
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_position()
    width, height = box.width * figure.get_figwidth(), box.height * figure.get_figheight()
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    return max(abs(x1 - x0) / width, abs(y1 - y0) / height)


def _places(box: FloatArray, width: float, height: float) -> list[FloatArray]:
    """Return boxes for a text: below, above, right and left of a box, and its corners."""
    xmin, ymin, xmax, ymax = box.tolist()
    middle_x, middle_y, room = (xmin + xmax) / 2, (ymin + ymax) / 2, height / 4
    xs = (xmin - width / 2 - room, middle_x, xmax + width / 2 + room)
    ys = (ymin - height / 2 - room, middle_y, ymax + height / 2 + room)
    order = [(1, 0), (1, 2), (2, 1), (0, 1), (2, 0), (0, 0), (2, 2), (0, 2), (1, 1)]
    return [
        np.array([xs[i] - width / 2, ys[k] - height / 2, xs[i] + width / 2, ys[k] + height / 2])
        for i, k in order
    ]


def _cost(place: FloatArray, taken: FloatArray, limits: FloatArray) -> float:
    """Return the area of what a text covers, and ten times that of what is cut off."""
    covered = _overlap(place[None], taken).sum()
    inside = float(_overlap(place[None], limits[None])[0])
    return float(covered) + 10.0 * (float(np.prod(place[2:] - place[:2])) - inside)


def _overlap(one: FloatArray, many: FloatArray) -> FloatArray:
    sides = np.minimum(one[:, 2:], many[:, 2:]) - np.maximum(one[:, :2], many[:, :2])
    areas: FloatArray = np.prod(np.maximum(sides, 0.0), axis=1)
    return areas
