"""What tests of pictures look for: artists by their label or colour, and where they lie."""

from __future__ import annotations

import numpy as np
import shapely
from matplotlib.collections import LineCollection, PathCollection
from matplotlib.colors import to_hex
from matplotlib.figure import Figure


def new_axes():
    """Axes of a figure that pyplot knows nothing of."""
    return Figure(figsize=(9, 6.5), layout="constrained").subplots()


def legend_of(ax):
    return [text.get_text() for text in ax.get_legend().get_texts()] if ax.get_legend() else []


def texts_of(ax):
    return [text.get_text() for text in ax.texts]


def labelled(ax, label):
    """The collections with a label; there must be some."""
    found = [artist for artist in ax.collections if artist.get_label() == label]
    assert found, f"nothing is labelled {label!r}"
    return found


def lines_of(ax, label):
    """End points of the lines with a label, (n, 2, 2), in inches."""
    lines = [line for artist in labelled(ax, label) for line in artist.get_segments()]
    return np.array([[line[0], line[-1]] for line in lines])


def regions_of(ax, label):
    """Filled outlines with a label, as one shapely geometry."""
    polygons = []
    for artist in labelled(ax, label):
        assert isinstance(artist, PathCollection)
        for path in artist.get_paths():
            rings = [ring for ring in path.to_polygons() if len(ring) > 3]
            polygons.append(shapely.Polygon(rings[0], rings[1:]))
    return shapely.union_all(polygons)


def edges(ax):
    """Colours of all edges of shapes."""
    return {
        to_hex(colour)
        for artist in ax.collections
        if not isinstance(artist, LineCollection)
        for colour in artist.get_edgecolor()
    }
