"""What holds for every function that draws."""

import inspect
import io

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.figure import Figure

import ninthgeom as ng
from ninthgeom import plot, skirmish

RANKS = ng.read_scene("examples/sight.json")
FIGHT = ng.read_scene("examples/combat.json")
MODELS = ng.read_scene("examples/skirmish.json")
SHAPES = {
    "bases": (ng.Bases.round([0, 3], 0, diameter=2),),
    "polygons": (ng.Polygons([[(0, 0), (6, 0), (3, 4)]]),),
    "segments": (ng.Segments(0, 0, [3, 4], [1, 2]),),
    "heat_map": ([[0.0, 1.0]], (0, 0, 2, 1)),
}
#: Board, positions and further arguments of the functions that draw one state.
STATES = {
    "arcs": (RANKS, ["D"]),
    "board": (FIGHT,),
    "coherency": (MODELS, ["Rifle 1", "Guard 1", "Mortar", "Claw 1", "Spitter 1", "Shell 1"]),
    "contacts": (FIGHT,),
    "distances": (RANKS, ["D"]),
    "engaged": (MODELS,),
    "legal": (FIGHT,),
    "line_of_sight": (RANKS, ["D"]),
    "moves": (MODELS, None),
    "paths_clear": (MODELS, "Rifle 4", [(12, 12), (12, 14)]),
    "routes": (MODELS, None),
    "sees_points": (RANKS, ["D"]),
    "visible_area": (RANKS, "D"),
}


def new_axes():
    """Small ones, drawn fast."""
    return Figure(figsize=(5, 4), dpi=50, layout="constrained").subplots()


def arguments(name):
    """Arguments that a function can be called with."""
    if name in SHAPES:
        return SHAPES[name]
    if name == "scene":
        return (FIGHT,)
    scene, *further = STATES[name]
    state = scene.board, scene.positions
    if name == "moves":
        further = [skirmish.move_group(*state, "Rifles", [(12, 12), (12, 14)], leader="Rifle 4")]
    if name == "routes":
        further = [skirmish.routes(*state, (2, 2), (4, 6), gap=1.0)]
    return (*state, *further)


def test_every_public_function_is_here():
    assert {*SHAPES, *STATES, "scene"} == set(plot.__all__)


@pytest.mark.parametrize("name", plot.__all__)
def test_drawn_on_axes_that_are_given_or_new_ones(name):
    draw = getattr(plot, name)
    parameters = inspect.signature(draw).parameters
    assert parameters["ax"].kind is inspect.Parameter.KEYWORD_ONLY
    before = dict(matplotlib.rcParams)
    ax = new_axes()
    assert draw(*arguments(name), ax=ax) is ax
    assert pyplot.get_fignums() == []  # nothing but what was given is drawn on
    assert ax.get_aspect() == 1.0
    for canvas in (FigureCanvasAgg, FigureCanvasSVG):
        stream = io.BytesIO()
        canvas(ax.figure).print_figure(stream)
        assert len(stream.getvalue()) > 1000
    new = draw(*arguments(name))
    assert isinstance(new, Axes)
    assert pyplot.get_fignums() == [new.figure.number]
    assert dict(matplotlib.rcParams) == before


@pytest.mark.parametrize("name", STATES)
def test_one_state_only(name):
    board, positions, *further = arguments(name)
    with pytest.raises(ValueError, match=rf"positions must have shape \({len(board)}, 3\), got \(2, "):
        getattr(plot, name)(board, np.stack([positions, positions]), *further, ax=new_axes())


@pytest.mark.parametrize("name", sorted(set(STATES) - {"board"}))
def test_without_the_board_there_is_no_table(name):
    draw = getattr(plot, name)
    with_board, alone = new_axes(), new_axes()
    draw(*arguments(name), ax=with_board)
    draw(*arguments(name), draw_board=False, ax=alone)
    assert len(with_board.patches) == 1
    assert not alone.patches
    assert len(alone.collections) < len(with_board.collections)
    assert len(alone.texts) < len(with_board.texts)


def test_legends_stand_below_the_axes_whatever_their_size():
    figure = Figure(figsize=(9, 9), layout="constrained")
    for ax in figure.subplots(3, 2).ravel():
        plot.line_of_sight(RANKS.board, RANKS.positions, ["D"], ax=ax)
    figure.draw_without_rendering()
    for ax in figure.axes:
        legend, name = ax.get_legend().get_window_extent(), ax.xaxis.label.get_window_extent()
        assert legend.y1 < name.y0


def test_pictures_without_anything_on_the_table():
    empty = ng.Board([], size=(24, 12)), np.empty((0, 3))
    for name in ("board", "arcs", "distances", "line_of_sight", "contacts", "legal", "engaged"):
        ax = getattr(plot, name)(*empty, ax=new_axes())
        assert len(ax.patches) == 1
        assert not ax.collections
        assert not ax.texts
