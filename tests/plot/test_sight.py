"""Pictures of sight say what the answers say."""

import numpy as np
import pytest
import shapely
from matplotlib.colors import to_hex

import ninthgeom as ng
from ninthgeom import plot, t9a
from ninthgeom.plot._style import BAD
from tests.plot.pictures import labelled, legend_of, lines_of, new_axes, regions_of, texts_of

FIGURE = ng.read_scene("examples/sight.json")
SAMPLE = ng.read_scene("examples/sample.json")


def test_the_figure_of_the_rules():
    """A and B are seen, A by the empty part of its boundary only, C is hidden; the area is marked."""
    board, positions = FIGURE.board, FIGURE.positions
    ax = plot.visible_area(board, positions, "D", ax=new_axes())
    plot.line_of_sight(board, positions, ["D"], draw_board=False, ax=ax)
    assert legend_of(ax) == ["D sees", "seen", "hidden", "in the way"]
    area = regions_of(ax, "D sees")
    assert shapely.symmetric_difference(area, t9a.visible_area(board, positions, "D")).area < 1e-6
    bases, occupied = board.bases(positions)
    slots = np.arange(board.n_models)
    of_a = occupied & (board.model_unit[slots] == board.index("A"))
    boundaries = board.boundaries(positions)
    # nothing that is seen of A holds one of its models
    assert shapely.area(shapely.intersection(bases[of_a].to_shapely(), area)).max() == 0
    seen = lines_of(ax, "seen")
    near = [ng.distance(boundaries, ng.Bases.point(*line[1])) < 1e-4 for line in seen]
    ends = {board.names[k] for touched in near for k in np.flatnonzero(touched)}
    assert ends == {"A", "B"}
    (hidden,) = lines_of(ax, "hidden")
    np.testing.assert_allclose(hidden[1], [boundaries.x[3], boundaries.y[3]])
    rock = regions_of(ax, "in the way")
    assert rock.symmetric_difference(board.terrain[0].to_shapely()).area < 1e-9


@pytest.mark.parametrize("scene", [FIGURE, SAMPLE, ng.armies.generate_battle(3, units_per_side=4)])
def test_lines_are_those_of_the_answers(scene):
    board, positions = scene.board, scene.positions
    ax = plot.line_of_sight(board, positions, ax=new_axes())
    visible = t9a.line_of_sight(board, positions)
    assert len(lines_of(ax, "seen")) == visible.sum()
    told = [t9a.explain_sight(board, positions, i, k) for i in range(len(board)) for k in range(len(board))]
    assert len(lines_of(ax, "hidden")) == sum(answer.reason == "hidden" for answer in told)
    units = {unit for answer in told for unit in answer.blocking_units}
    models = {slot for answer in told for slot in answer.blocking_models}
    terrain = {piece for answer in told for piece in answer.blocking_terrain}
    drawn = sum(len(artist.get_paths()) for artist in labelled(ax, "in the way"))
    assert drawn == len(units) + len(models) + len(terrain)
    assert {to_hex(artist.get_edgecolor()[0]) for artist in labelled(ax, "in the way")} == {BAD}


def test_single_models_in_the_way_are_marked_and_not_their_unit():
    """A high character of low spears hides what stands behind him, beside them nothing does."""
    lord = ng.Attached("lord", (100, 20), height=3)
    units = [
        ng.Unit("eyes", (20, 20), height=3),
        ng.Unit("spears", (20, 20), models=15, files=5, side=1, height=1, attached=[lord]),
        ng.Unit("tower", (20, 20), side=1, height=3),
    ]
    board = ng.Board(units, size=(24, 24))
    positions = [[12, 4, np.pi / 2], [12, 5, -np.pi / 2], [12, 14, -np.pi / 2]]
    told = t9a.explain_sight(board, positions, "eyes", "tower")
    assert told.reason == "hidden"
    assert told.blocking_units == ()
    assert [board.model_unit[slot] for slot in told.blocking_models] == [1]
    ax = plot.line_of_sight(board, positions, ["eyes"], ["tower"], ax=new_axes())
    (artist,) = labelled(ax, "in the way")
    bases, _ = board.bases(positions)
    drawn = shapely.Polygon(artist.get_paths()[0].to_polygons()[0])
    assert drawn.symmetric_difference(bases[told.blocking_models[0]].to_shapely()).area < 1e-9


def test_without_the_board_only_the_answer_is_drawn():
    ax = plot.line_of_sight(FIGURE.board, FIGURE.positions, ["D"], draw_board=False, ax=new_axes())
    assert not ax.patches
    assert not ax.texts
    assert len(ax.collections) == 3


def test_masks_count():
    board, positions = FIGURE.board, FIGURE.positions
    ax = plot.line_of_sight(board, positions, ["D"], present=[True, True, False, True], ax=new_axes())
    assert len(lines_of(ax, "seen")) == 1
    nobody = plot.line_of_sight(
        board, positions, ["D"], occupied=np.zeros(board.n_models, bool), ax=new_axes()
    )
    assert legend_of(nobody) == []


def test_points_are_counted_in_their_cells():
    board, positions = FIGURE.board, FIGURE.positions
    ax = plot.sees_points(board, positions, ["D", "B"], step=3, ax=new_axes())
    (image,) = ax.images
    x, y = np.meshgrid(np.arange(1.5, 36, 3), np.arange(1.5, 24, 3))
    points = np.stack([x, y], axis=-1).reshape(-1, 2)
    count = t9a.sees_points(board, positions, points, observers=["D", "B"]).sum(axis=0)
    assert image.get_array().reshape(-1).tolist() == count.tolist()
    assert image.get_extent() == [0, 36, 0, 24]
    assert image.origin == "lower"


@pytest.mark.parametrize("step", [0, -1, np.nan, 1e-5, 100])
def test_bad_steps(step):
    with pytest.raises(ValueError, match="step must be"):
        plot.sees_points(FIGURE.board, FIGURE.positions, step=step, ax=new_axes())


def test_heat_maps_keep_the_limits_of_what_is_there():
    ax = plot.scene(SAMPLE, ax=new_axes())
    before = ax.get_xlim(), ax.get_ylim()
    plot.heat_map([[True, False]], extent=(10, 10, 12, 12), label="share", ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == before
    assert ax.figure.axes[-1].get_ylabel() == "share"


def test_heat_maps_refuse_what_is_no_grid():
    with pytest.raises(ValueError, match=r"values must have shape \(rows, columns\), got \(3,\)"):
        plot.heat_map([1, 2, 3], extent=(0, 0, 1, 1), ax=new_axes())
    with pytest.raises(ValueError, match="extent must be"):
        plot.heat_map([[1]], extent=(1, 0, 0, 1), ax=new_axes())
    with pytest.raises(ValueError, match=r"values must .* got \(0, 2\) without any"):
        plot.heat_map(np.empty((0, 2)), extent=(0, 0, 1, 1), ax=new_axes())
    with pytest.raises(TypeError, match="values must hold real numbers"):
        plot.heat_map([["1", "2"]], extent=(0, 0, 1, 1), ax=new_axes())
    with pytest.raises(ValueError, match="extent is needed where no board is given"):
        plot.heat_map([[1]], ax=new_axes())
    with pytest.raises(ValueError, match="positions are those of a board; give it too"):
        plot.heat_map([[1]], (0, 0, 1, 1), positions=SAMPLE.positions, ax=new_axes())


def test_heat_maps_over_boards():
    """With a board the values cover its table by default, with positions its units are drawn too."""
    board = SAMPLE.board
    values = np.array([[0.0, np.nan], [0.25, 1.0]])
    table = plot.heat_map(values, board=board, ax=new_axes())
    assert table.images[0].get_extent() == [0, board.size[0], 0, board.size[1]]
    assert sorted(texts_of(table)) == sorted(texts_of(plot.scene(SAMPLE, ax=new_axes()))[len(board) :])
    np.testing.assert_array_equal(np.ma.filled(table.images[0].get_array(), np.nan), values)
    units = plot.heat_map(values, (0, 0, 10, 5), board=board, positions=SAMPLE.positions, ax=new_axes())
    assert texts_of(units) == texts_of(plot.scene(SAMPLE, ax=new_axes()))
    assert units.images[0].get_extent() == [0, 10, 0, 5]
    assert units.get_xlim() == plot.scene(SAMPLE, ax=new_axes()).get_xlim()


def test_the_tolerance_is_that_of_the_question():
    """A slit of 0.01 inch between two rocks: seen through it, not with a tolerance of 0.02."""
    rocks = [
        ng.Terrain([(x, 10), (x + 10, 10), (x + 10, 11), (x, 11)], kind="impassable") for x in (2, 12.01)
    ]
    units = [ng.Unit("eyes", (20, 20)), ng.Unit("aim", (20, 20), side=1)]
    board = ng.Board(units, rocks, size=(24, 24))
    positions = [[12, 5, np.pi / 2], [12, 16, -np.pi / 2]]
    marks = []
    for tol in (1e-6, 0.02):
        ax = plot.line_of_sight(board, positions, ["eyes"], tol=tol, ax=new_axes())
        marks.append(legend_of(ax))
        ax = plot.sees_points(board, positions, ["eyes"], step=1, tol=tol, ax=new_axes())
        points = np.stack(np.meshgrid(np.arange(24) + 0.5, np.arange(24) + 0.5), axis=-1).reshape(-1, 2)
        seen = t9a.sees_points(board, positions, points, observers=["eyes"], tol=tol)
        assert ax.images[0].get_array().sum() == seen.sum()
    assert marks == [["seen"], ["hidden", "in the way"]]
    with pytest.raises(ValueError, match="tol must not be negative"):
        plot.visible_area(board, positions, "eyes", tol=-1, ax=new_axes())
