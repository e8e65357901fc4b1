"""Short texts on white boxes: on a point or a line, beside a point, round a box."""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.text import Annotation, Text
from matplotlib.transforms import Bbox

from ninthgeom._arrays import FloatArray
from ninthgeom.plot._style import FAINT, INK, LABEL_ORDER

Point: TypeAlias = tuple[float, float] | FloatArray

_SIZE: Final = 7.0
_BOX: Final = {"boxstyle": "round,pad=0.15", "facecolor": "white", "edgecolor": FAINT, "linewidth": 0.4}
# How far from what they name notes stand, in points.
_BESIDE: Final = 9.0
# Ways from what is named to its note, the best first.
_WAYS: Final = (
    (0.0, -1.0),
    (0.0, 1.0),
    (1.0, 0.0),
    (-1.0, 0.0),
    (1.0, -1.0),
    (1.0, 1.0),
    (-1.0, -1.0),
    (-1.0, 1.0),
)
# Where lengths stand on their lines, as shares of them off the middle, the best first.
_ALONG: Final = (0.0, 0.1, -0.1, 0.2, -0.2, 0.3, -0.3, 0.4, -0.4)


def write_note(ax: Axes, at: Point, text: str, colour: str) -> Text:
    """Write a short text on a white box at a point."""
    return ax.text(
        float(at[0]),
        float(at[1]),
        text,
        fontsize=_SIZE,
        color=colour,
        ha="center",
        va="center",
        zorder=LABEL_ORDER,
        clip_on=True,
        bbox=_BOX,
    )


def write_length(ax: Axes, at: Point, length: float) -> Text:
    """Write a length in inches at a point."""
    return write_note(ax, at, f'{length:.3g}"', INK)


def write_lengths(ax: Axes, lines: FloatArray) -> None:
    """Write the length of each line on it, where least other text is: in the middle if there is room."""
    ax.apply_aspect()
    taken = [text.get_window_extent() for text in ax.texts]
    for start, end in lines:
        note = write_length(ax, (start + end) / 2, float(np.hypot(*(end - start))))
        box = note.get_window_extent()
        shifts = np.multiply.outer(_ALONG, end - start)
        moves = ax.transData.transform(shifts) - ax.transData.transform((0.0, 0.0))
        places = [box.translated(*move) for move in moves.tolist()]
        best = _least_covered(places, taken)
        note.set_position(tuple(((start + end) / 2 + shifts[best]).tolist()))
        taken.append(places[best])


def write_beside(ax: Axes, at: Point, way: Point, text: str, colour: str) -> Annotation:
    """Write a short text off a point, as far from it on paper whatever the scale."""
    x, y = map(float, way)
    return ax.annotate(
        text,
        (float(at[0]), float(at[1])),
        xytext=(x * _BESIDE, y * _BESIDE),
        textcoords="offset points",
        fontsize=_SIZE,
        color=colour,
        ha="center" if abs(x) < 0.5 else "left" if x > 0 else "right",
        va="center" if abs(y) < 0.5 else "bottom" if y > 0 else "top",
        zorder=LABEL_ORDER,
        annotation_clip=True,
        bbox=_BOX,
    )


def write_round(ax: Axes, bounds: FloatArray, text: str, colour: str, taken: FloatArray) -> None:
    """Write a short text round a box, off texts and boxes, (n, 4), if there is room."""
    xmin, ymin, xmax, ymax = map(float, bounds)
    ax.apply_aspect()
    others = [note.get_window_extent() for note in ax.texts]
    others += [Bbox.from_extents(*box).transformed(ax.transData) for box in taken.tolist()]
    middle, half = np.array([xmin + xmax, ymin + ymax]) / 2, np.array([xmax - xmin, ymax - ymin]) / 2
    notes = [write_beside(ax, middle + half * way, way, text, colour) for way in _WAYS]
    best = _least_covered([note.get_window_extent() for note in notes], others)
    for k, note in enumerate(notes):
        if k != best:
            note.remove()


def _least_covered(places: list[Bbox], taken: list[Bbox]) -> int:
    """Return which place, the first of several, has least in common with what is taken."""
    return int(np.argmin([sum(_common_area(place, other) for other in taken) for place in places]))


def _common_area(one: Bbox, other: Bbox) -> float:
    common = Bbox.intersection(one, other)
    return 0.0 if common is None else float(common.width * common.height)
