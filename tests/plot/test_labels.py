"""Names stand next to what they name, and off everything else if there is room."""

import math

import numpy as np
import pytest
import shapely
from matplotlib.collections import LineCollection
from matplotlib.colors import to_hex, to_rgb
from matplotlib.figure import Figure

import ninthgeom as ng
from ninthgeom import plot
from ninthgeom.plot._style import FAINT, SIDES
from tests.plot.pictures import texts_of

NORTH = math.pi / 2


def usual_axes():
    return Figure(figsize=(10, 7), layout="constrained").subplots()


def boxes_of(ax):
    """Where the texts stand, in inches of the table, as they are once the picture is laid out."""
    ax.figure.draw_without_rendering()
    boxes = [text.get_window_extent().transformed(ax.transData.inverted()) for text in ax.texts]
    return shapely.box(*np.array([box.extents for box in boxes]).T)


def boundaries_of(scene):
    return scene.board.boundaries(scene.positions, scene.occupied).to_shapely()


@pytest.mark.parametrize("seed", [1, 7, 11])
def test_names_of_a_battle_of_24_units_can_be_read(seed):
    scene = ng.armies.generate_battle(seed, units_per_side=12)
    ax = plot.scene(scene, ax=usual_axes())
    boxes, units = boxes_of(ax), boundaries_of(scene)
    assert len(units) == 24
    assert len(boxes) == 24 + len(scene.board.terrain)
    one, other = np.triu_indices(len(boxes), 1)
    assert not shapely.intersects(boxes[one], boxes[other]).any()
    on_units = shapely.area(shapely.intersection(boxes[:, None], units))
    assert on_units.max() < 1e-9
    (xmin, xmax), (ymin, ymax) = ax.get_xlim(), ax.get_ylim()
    assert shapely.box(xmin, ymin, xmax, ymax).covers(shapely.union_all(boxes))
    # a name that is nearer to another unit than to its own is the exception
    nearest = shapely.distance(boxes[:24, None], units).argmin(axis=1)
    assert (nearest == np.arange(24)).sum() >= 21


def test_names_have_a_dark_shade_of_their_side():
    scene = ng.read_scene("examples/sample.json")
    ax = plot.scene(scene, ax=usual_axes())
    for text, side in zip(ax.texts, scene.board.side, strict=False):
        np.testing.assert_allclose(to_rgb(text.get_color()), 0.55 * np.array(to_rgb(SIDES[side])), atol=0.01)


def test_terrain_has_its_name_within_if_it_fits():
    outline = np.array([(10, 10), (22, 10), (22, 18), (10, 18)])
    thin = [(30, 10), (30.3, 10), (30.3, 20), (30, 20)]
    horseshoe = [(40, 10), (60, 10), (60, 30), (55, 30), (55, 13), (45, 13), (45, 30), (40, 30)]
    pieces = [ng.Terrain(ring, kind="hill") for ring in (outline, thin, horseshoe)]
    ax = plot.board(ng.Board([], pieces), np.empty((0, 3)), ax=usual_axes())
    wide, narrow, bent = boxes_of(ax)
    assert pieces[0].to_shapely().covers(wide)
    assert wide.centroid.distance(shapely.Point(16, 14)) < 0.1
    assert not pieces[1].to_shapely().intersects(narrow)
    assert pieces[2].to_shapely().covers(bent)


def test_terrain_below_a_unit_has_its_name_elsewhere():
    hill = ng.Terrain([(30, 20), (40, 20), (40, 28), (30, 28)], kind="hill")
    board = ng.Board([ng.Unit("giant", (100, 150), height=5)], [hill])
    ax = plot.board(board, [[35, 27, NORTH]], ax=usual_axes())
    name, unit = boxes_of(ax)[1], board.boundaries([[35, 27, NORTH]])[0].to_shapely()
    assert not name.intersects(unit)


def test_a_name_without_room_beside_its_unit_is_led_to_it():
    """A model in the middle of a dense block: the name stands outside, a line leads there."""
    centre = ng.Unit("the one in the middle", (20, 20), side=1)
    others = [ng.Unit(f"u{k}", (50, 50)) for k in range(24)]
    places = [(x, y, NORTH) for x in range(-2, 3) for y in range(-2, 3) if (x, y) != (0, 0)]
    positions = [(36, 24, NORTH), *((36 + 2.4 * x, 24 + 2.4 * y, h) for x, y, h in places)]
    ax = plot.board(ng.Board([centre, *others]), positions, ax=usual_axes())
    leads = [
        line
        for artist in ax.collections
        if isinstance(artist, LineCollection) and to_hex(artist.get_color()[0]) == FAINT
        for line in artist.get_segments()
    ]
    assert leads
    for lead in leads:
        assert np.hypot(*(lead[1] - lead[0])) > 0.3
    units = ng.Board([centre, *others]).boundaries(positions).to_shapely()
    ends = shapely.distance(shapely.points([lead[1] for lead in leads])[:, None], units).min(axis=1)
    assert ends.max() < 1e-9


def test_crowds_may_not_make_errors():
    units = [ng.Unit(f"unit {k}", (20, 20)) for k in range(30)]
    ax = plot.board(ng.Board(units), np.full((30, 3), 10.0), ax=usual_axes())
    assert len(texts_of(ax)) == 30
    assert np.isfinite([text.get_position() for text in ax.texts]).all()


def test_names_stand_nearest_to_their_own_unit():
    """Below the upper unit there is room, but nearer to the lower one."""
    units = [ng.Unit("upper", (25.4, 25.4)), ng.Unit("lower", (25.4, 25.4), side=1)]
    board = ng.Board(units)
    positions = [[36, 26.35, NORTH], [36, 24, NORTH]]
    ax = plot.board(board, positions, ax=usual_axes())
    boundaries = board.boundaries(positions).to_shapely()
    own, other = shapely.distance(boxes_of(ax)[0], boundaries)
    assert own < 0.4 < other


def test_names_are_not_cut_off_by_the_view():
    board = ng.Board([ng.Unit("low", (25.4, 25.4)), ng.Unit("in the corner", (25.4, 25.4), side=1)])
    positions = [[40, 21.1, NORTH], [30.6, 31.9, NORTH]]
    ax = plot.board(board, positions, extent=(30, 20, 50, 32), ax=usual_axes())
    assert shapely.box(30, 20, 50, 32).covers(boxes_of(ax)).all()
