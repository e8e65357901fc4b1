"""Boards are drawn to scale, with everything on them that is there."""

import io
import math

import numpy as np
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_pdf import FigureCanvasPdf
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.collections import PathCollection
from matplotlib.colors import to_hex

import ninthgeom as ng
from ninthgeom import plot
from ninthgeom.plot._style import SIDES, TERRAIN
from tests.plot.pictures import edges, new_axes, texts_of

NORTH = math.pi / 2
SPEARS = ng.Unit("spears", (20, 20), models=13, attached=[ng.Attached("captain", (20, 20))])
GUN = ng.Unit("gun", 60, shape="round", side=1, height=3)
HILL = ng.Terrain([(2, 2), (8, 2), (8, 6), (2, 6)], kind="hill", height=2)


def drawn_bases(ax):
    """How many shapes there are of each style of edge, dashed or not."""
    solid = [
        len(c.get_paths())
        for c in ax.collections
        if hasattr(c, "get_sizes") and c.get_linestyle()[0][1] is None
    ]
    dotted = [
        len(c.get_paths()) for c in ax.collections if hasattr(c, "get_sizes") and c.get_linestyle()[0][1]
    ]
    return sum(solid), sum(dotted)


def test_every_model_slot_boundary_and_piece_of_terrain():
    board = ng.Board([SPEARS, GUN], [HILL], size=(36, 24))
    ax = plot.board(board, [[18, 12, NORTH], [30, 12, 0]], ax=new_axes())
    solid, dotted = drawn_bases(ax)
    # 14 spears and their captain stand in 15 slots; the gun; two boundaries; the hill
    assert (solid, dotted) == (int(board.occupied.sum()) + 2 + 1, board.n_models - int(board.occupied.sum()))
    assert texts_of(ax) == ["spears H1", "gun H3", "hill 2"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_aspect()) == ("inches", "inches", 1.0)


def test_the_whole_table_is_shown_and_who_stands_off_it():
    board = ng.Board([GUN], size=(36, 24))
    ax = plot.board(board, [[-5, 12, 0]], ax=new_axes())
    (x0, x1), (y0, y1) = ax.get_xlim(), ax.get_ylim()
    assert x0 < -5 - 30 / 25.4
    assert x1 > 36
    assert y0 < 0
    assert y1 > 24


def test_sides_have_colours_of_their_own():
    board = ng.Board([SPEARS, GUN])
    ax = plot.board(board, [[18, 12, NORTH], [30, 12, 0]], ax=new_axes())
    assert {to_hex(SIDES[0]), to_hex(SIDES[1])} <= edges(ax)
    alone = plot.board(board, [[18, 12, NORTH], [30, 12, 0]], present=[True, False], ax=new_axes())
    assert to_hex(SIDES[1]) not in edges(alone)


def test_the_front_is_thick_where_it_is():
    board = ng.Board([SPEARS, GUN])
    positions = [[18, 12, NORTH], [30, 12, 0]]
    ax = plot.board(board, positions, ax=new_axes())
    marks = [line for c in ax.collections if hasattr(c, "get_segments") for line in c.get_segments()]
    boundaries = board.boundaries(positions)
    np.testing.assert_allclose(marks[0], boundaries[0].corners()[:2])
    np.testing.assert_allclose(marks[1], [[30, 12], [30 + 30 / 25.4, 12]])  # a spoke along the heading


def test_who_is_absent_or_dead_is_not_drawn():
    board = ng.Board([SPEARS, GUN])
    positions = [[18, 12, NORTH], [30, 12, 0]]
    nobody = plot.board(board, positions, occupied=np.zeros(board.n_models, bool), ax=new_axes())
    assert texts_of(nobody) == []
    assert drawn_bases(nobody) == (0, 0)
    one_dead = board.occupied.copy()
    one_dead[3] = False
    less = plot.board(board, positions, occupied=one_dead, ax=new_axes())
    all_of_them = plot.board(board, positions, ax=new_axes())
    assert drawn_bases(less) == tuple(np.add(drawn_bases(all_of_them), (-1, 1)))


def test_every_kind_of_terrain_has_a_look():
    pieces = [ng.Terrain([(k, 0), (k + 1, 0), (k, 1)], kind=kind) for k, kind in enumerate(TERRAIN)]
    ax = plot.board(ng.Board([], pieces), np.empty((0, 3)), ax=new_axes())
    faces = {to_hex(c.get_facecolor()[0]) for c in ax.collections if isinstance(c, PathCollection)}
    assert faces == {to_hex(face) for face, _ in TERRAIN.values()}


def test_no_labels():
    ax = plot.scene(ng.read_scene("examples/sample.json"), labels=False, ax=new_axes())
    assert texts_of(ax) == []


def test_names_may_hold_anything():
    board = ng.Board([ng.Unit("cost $5 and $6_x^2", (20, 20)), ng.Unit("a\nb", (20, 20))])
    ax = plot.board(board, [[10, 10, 0], [20, 20, 0]], ax=new_axes())
    ax.figure.savefig(io.BytesIO(), format="svg")  # no formula, no error


@pytest.mark.parametrize("name", ["a$b^{$", "$x$", r"\$", "_x", "a\nb", "%s {}"])
def test_names_in_legends_may_hold_anything(name):
    board = ng.Board([ng.Unit(name, (20, 20))])
    ax = plot.visible_area(board, [[10, 10, 0]], 0, ax=new_axes())
    (text,) = ax.get_legend().get_texts()
    assert f"{name} sees" in text.get_text().replace(r"\$", "$")
    ax.figure.savefig(io.BytesIO(), format="svg")


def test_names_do_not_cover_each_other_where_there_is_room():
    scene = ng.read_scene("examples/sample.json")
    ax = plot.scene(scene, ax=new_axes())
    FigureCanvasAgg(ax.figure).draw()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    table = ax.get_window_extent()
    assert all(table.contains(*corner) for box in boxes for corner in (box.p0, box.p1))


@pytest.mark.parametrize("canvas", [FigureCanvasAgg, FigureCanvasSVG, FigureCanvasPdf])
def test_any_backend(canvas):
    ax = plot.scene(ng.read_scene("examples/combat.json"), ax=new_axes())
    stream = io.BytesIO()
    canvas(ax.figure).print_figure(stream)
    assert len(stream.getvalue()) > 5000


def test_boards_of_many_states_are_refused():
    board = ng.Board([GUN])
    with pytest.raises(ValueError, match=r"positions must have shape \(1, 3\), got \(2, 1, 3\)"):
        plot.board(board, np.zeros((2, 1, 3)))


def test_an_empty_table():
    ax = plot.board(ng.Board([], size=(12, 8)), np.empty((0, 3)), ax=new_axes())
    assert not ax.collections
    assert len(ax.patches) == 1


def test_a_part_of_the_table_and_the_names_of_who_is_in_it():
    scene = ng.read_scene("examples/sample.json")
    ax = plot.scene(scene, extent=(20, 2, 50, 20), ax=new_axes())
    assert (ax.get_xlim(), ax.get_ylim()) == ((20, 50), (2, 20))
    assert texts_of(ax) == ["Spears H1", "Knights H1", "Catapult H1", "hill"]
    plot.line_of_sight(scene.board, scene.positions, ["Spears"], draw_board=False, ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == ((20, 50), (2, 20))


@pytest.mark.parametrize("extent", [(5, 5, 1, 9), (0, 0, np.nan, 1), (0, 0, 1), (0, 0, np.inf, 1)])
def test_extents_that_are_none(extent):
    with pytest.raises(ValueError, match="extent must be xmin, ymin, xmax, ymax"):
        plot.scene(ng.read_scene("examples/sample.json"), extent=extent, ax=new_axes())
