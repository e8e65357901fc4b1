"""What all pictures share: colours, what lies over what, axes in inches."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.patches import Patch

#: Of sides, in their order: told apart by most eyes (Okabe and Ito).
SIDES: Final = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
#: Face and hatch of each kind of terrain.
TERRAIN: Final = {
    "impassable": ("#8c8c8c", "xx"),
    "hill": ("#d9c49a", ""),
    "forest": ("#b5d3a4", ".."),
    "field": ("#efe6ad", "//"),
    "ruin": ("#d1c4bb", "++"),
    "water": ("#b4d6ec", "--"),
    "wall": ("#a78f7d", ""),
}
INK: Final = "#222222"
FAINT: Final = "#777777"
FAINT_INK: Final = "#4d4d4d"
TABLE: Final = "#fbfaf5"
SEEN: Final = "#e8b400"
GOOD: Final = "#1a7f37"
BAD: Final = "#c1121f"

# What lies over what.
TABLE_ORDER: Final = 0.5
TERRAIN_ORDER: Final = 1.0
AREA_ORDER: Final = 1.5
UNIT_ORDER: Final = 2.0
MARK_ORDER: Final = 3.0
LINE_ORDER: Final = 4.0
LABEL_ORDER: Final = 5.0


def side_colours(sides: list[int]) -> dict[int, str]:
    """Return a colour for each side that occurs, the same for the same set of sides."""
    return {side: SIDES[i % len(SIDES)] for i, side in enumerate(sorted(set(sides)))}


def mixed(colour: str, other: str, share: float) -> str:
    """Return a colour with a share of another one in it, opaque: what lies below changes nothing."""
    r, g, b = ((1.0 - share) * a + share * b for a, b in zip(to_rgb(colour), to_rgb(other), strict=True))
    return to_hex((r, g, b))


def prepared(ax: Axes | None) -> Axes:
    """Return the axes to draw on, new ones if none are given, with the same scale both ways."""
    if ax is None:
        from matplotlib import pyplot

        ax = pyplot.subplots(layout="compressed")[1]
    if not isinstance(ax, Axes):
        raise TypeError(f"ax must be matplotlib Axes, got {type(ax).__name__}")
    ax.set_aspect("equal")
    return ax


def written(text: str) -> str:
    """Return a text as matplotlib takes it: a dollar would begin a formula, half a pair is no letter."""
    return text.replace("$", r"\$").encode("utf-8", "backslashreplace").decode()


def show_legend(ax: Axes) -> None:
    """Show one entry for each label that artists have, below the axes, and take an older legend away."""
    named: dict[str, Artist] = {}
    for handle, label in zip(*ax.get_legend_handles_labels(), strict=True):
        named[label] = _patch(handle) if isinstance(handle, PathCollection) else handle
    if named:
        ax.legend(
            named.values(),
            named.keys(),
            loc="upper center",
            bbox_to_anchor=(0.5, 0.0),
            # below the numbers and the name of the axis, whatever the size of the axes
            borderaxespad=4.5,
            ncols=4,
            fontsize="small",
            frameon=False,
        )


def _patch(shapes: PathCollection) -> Patch:
    """Return a patch that looks like some shapes, for which a legend would show dots."""
    faces: Any = shapes.get_facecolor()
    edges: Any = shapes.get_edgecolor()
    widths: Any = shapes.get_linewidth()
    dashes: Any = shapes.get_linestyle()
    return Patch(
        facecolor=faces[0] if len(faces) else "none",
        edgecolor=edges[0] if len(edges) else "none",
        linewidth=float(np.atleast_1d(widths)[0]),
        linestyle=dashes[0],
    )
