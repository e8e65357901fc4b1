"""The picture of positions, headings and arcs in concepts.md, drawn as the page is built."""

from __future__ import annotations

import numpy as np

import ninthgeom as ng


def frame() -> None:
    """Draw a unit of ranks and a round base, with what their positions are."""
    spears = ng.Unit("Spears", (25, 25), models=13, files=5)
    gun = ng.Unit("Gun", 60, shape="round", side=1)
    board = ng.Board([spears, gun], size=(24, 14))
    positions = np.array([(10, 8, np.pi / 2), (19, 9, np.deg2rad(200))])
    axes = ng.plot.arcs(board, positions, observers=["Spears"], reach=4)
    for x, y, angle in positions:
        tip = (x + 2 * np.cos(angle), y + 2 * np.sin(angle))
        axes.annotate("", tip, (x, y), arrowprops={"arrowstyle": "->", "linewidth": 1.6}, zorder=9)
        axes.plot(x, y, "o", color="black", markersize=4, zorder=9)
    for text, to, at in (
        ("position: middle of the front edge", (10, 8), (12.5, 12.7)),
        ("position: centre", (19, 9), (17, 11.2)),
        ("two empty slots\nof the last rank", (11.5, 5.5), (17.2, 3.2)),
        ("heading", (10, 9.6), (5, 12.7)),
    ):
        axes.annotate(text, to, at, arrowprops={"arrowstyle": "-", "linewidth": 0.6}, zorder=9)
