"""Bases, polygons and segments are drawn as they are."""

import matplotlib
import numpy as np
import pytest
import shapely
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection, PathCollection

import ninthgeom as ng
from ninthgeom import plot
from tests.plot.pictures import new_axes

KINDS = [
    ng.Bases.rect([0, 4], 1.0, [0.3, -2], width=2.0, depth=3.0),
    ng.Bases.round([0, 4], [1, 2], diameter=1.5),
    ng.Bases.oval([0, 5], [1, 2], [0.3, 1.2], width=2.0, depth=4.0),
    ng.Bases([0, 5], [1, 2], [0.3, 1.2], width=2.0, depth=4.0, radius=0.5),
]


def curve(path):
    """Many points along a path, those of its curves too."""
    return np.concatenate([bezier(np.linspace(0, 1, 50)) for bezier, _ in path.iter_bezier()])


@pytest.mark.parametrize("bases", KINDS, ids=["rectangles", "discs", "ovals", "rounded"])
def test_outlines_are_those_of_the_bases(bases):
    ax = plot.bases(bases, ax=new_axes())
    (drawn,) = ax.collections
    for path, base in zip(drawn.get_paths(), bases, strict=True):
        points = curve(path)
        off = 5e-5 * float(base.radius) + 1e-12
        around = ng.Bases.point(*points.T)
        assert ng.distance(around, base).max() <= off  # none lies outside
        assert not ng.interiors_meet(around, base, tol=off).any()  # and none inside
        # all of the outline is met, which shapely draws with chords
        assert shapely.hausdorff_distance(shapely.LineString(points), base.to_shapely().exterior) < 0.005
    np.testing.assert_allclose(
        ax.dataLim.extents, [*bases.bounds[:, :2].min(axis=0), *bases.bounds[:, 2:].max(axis=0)]
    )


def test_any_shape_of_batch_is_one_collection():
    bases = ng.Bases.round(np.arange(12.0), 0.0, diameter=1.0)
    ax = plot.bases(bases.reshape(3, 4), ax=new_axes(), facecolor="red", label="all")
    (drawn,) = ax.collections
    assert isinstance(drawn, PathCollection)
    assert len(drawn.get_paths()) == 12
    assert drawn.get_label() == "all"
    assert drawn.get_facecolor().tolist() == [[1.0, 0.0, 0.0, 1.0]]


def test_holes_stay_open():
    ring, hole = [(0, 0), (6, 0), (6, 6), (0, 6)], [(2, 2), (4, 2), (4, 4), (2, 4)]
    ax = plot.polygons(ng.Polygons([shapely.Polygon(ring, [hole])]), ax=new_axes())
    (path,) = ax.collections[0].get_paths()
    outer, inner = path.to_polygons()
    signs = [np.sign(shapely.LinearRing(points).is_ccw - 0.5) for points in (outer, inner)]
    assert signs[0] == -signs[1]  # so that the rule of winding numbers leaves it out
    assert ax.dataLim.extents.tolist() == [0, 0, 6, 6]


def test_segments_are_one_collection_of_lines():
    ax = plot.segments(ng.Segments(np.zeros((2, 3)), 0, 1, [1, 2, 3]), ax=new_axes(), color="blue")
    (drawn,) = ax.collections
    assert isinstance(drawn, LineCollection)
    assert [line.tolist() for line in drawn.get_segments()] == [[[0, 0], [1, k]] for k in (1, 2, 3)] * 2


@pytest.mark.parametrize(
    ("draw", "nothing"),
    [
        (plot.bases, ng.Bases.point([], [])),
        (plot.polygons, ng.Polygons([])),
        (plot.segments, ng.Segments([], [], [], [])),
    ],
)
def test_nothing_is_drawn_of_nothing(draw, nothing):
    ax = draw(nothing, ax=new_axes())
    assert not ax.collections


def test_without_axes_pyplot_makes_some():
    from matplotlib import pyplot

    ax = plot.bases(ng.Bases.point([0.0], 0.0))
    assert isinstance(ax, Axes)
    assert pyplot.get_fignums() == [ax.figure.number]
    assert ax.get_aspect() == 1.0


def test_what_is_no_axes_is_refused():
    with pytest.raises(TypeError, match="ax must be matplotlib Axes, got str"):
        plot.bases(ng.Bases.point([0.0], 0.0), ax="here")


def test_no_settings_are_changed():
    before = dict(matplotlib.rcParams)
    plot.scene(ng.read_scene("examples/sample.json"), ax=new_axes())
    assert dict(matplotlib.rcParams) == before
