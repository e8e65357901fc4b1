"""Pictures of skirmish games: coherency, engagement, routes, paths and moves."""

import io

import numpy as np
import pytest
import shapely

import ninthgeom as ng
from ninthgeom import plot, skirmish
from tests.plot.pictures import labelled, legend_of, lines_of, new_axes, texts_of

SCENE = ng.read_scene("examples/skirmish.json")
BOARD, POSITIONS = SCENE.board, SCENE.positions
LEADERS = [int(np.flatnonzero(BOARD.group == group)[0]) for group in range(int(BOARD.group.max()) + 1)]


def outlines(ax, label):
    return sum(len(artist.get_paths()) for artist in labelled(ax, label))


def test_circles_say_who_is_in_coherency():
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, ax=new_axes())
    found = skirmish.coherency(BOARD, POSITIONS, LEADERS)
    assert outlines(ax, "in coherency") == found.in_coherency.sum()
    assert outlines(ax, "out of coherency") == (~found.in_coherency).sum()
    wrong = ~(found.within_radius & found.linked)
    assert outlines(ax, "the reason") == wrong.sum()
    assert [text for text in texts_of(ax) if text == "not linked"] == ["not linked"] * int(
        (~found.linked).sum()
    )


def test_the_legend_shows_dashes_too():
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, draw_board=False, ax=new_axes())
    for artist in list(ax.collections):
        artist.remove()
    file = io.StringIO()
    ax.figure.savefig(file, format="svg")
    assert "stroke-dasharray" in file.getvalue()


def test_reasons_cover_no_names():
    """Models in a row, each with its name: the note of each finds a place off the names and other notes."""
    units = [ng.Unit(name, 32, shape="round", group="row") for name in ("leader", "second", "third")]
    table = ng.Board(units, size=(24, 16))
    ax = plot.coherency(table, [[4, 8, 0], [14, 8, 0], [17, 8, 0]], ["leader"], ax=new_axes())
    assert texts_of(ax)[-2:] == ["too far"] * 2
    ax.figure.draw_without_rendering()
    boxes = [shapely.box(*text.get_window_extent().extents) for text in ax.texts]
    for note in boxes[-2:]:
        assert [note.intersects(box) for box in boxes].count(True) == 1


def test_reasons_cover_no_models():
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, ax=new_axes())
    ax.figure.draw_without_rendering()
    (note,) = (text for text in ax.texts if text.get_text() == "not linked")
    box = shapely.box(*ax.transData.inverted().transform(note.get_window_extent()).ravel())
    assert not shapely.intersects(BOARD.boundaries(POSITIONS).to_shapely(), box).any()


def test_the_circle_is_the_radius_from_the_edge_of_the_base():
    radius = np.linspace(2, 4, len(LEADERS))
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, radius=radius, draw_board=False, ax=new_axes())
    drawn = [
        path
        for label in ("in coherency", "out of coherency")
        for artist in labelled(ax, label)
        for path in artist.get_paths()
    ]
    bases = BOARD.boundaries(POSITIONS)[LEADERS]
    for path in drawn:
        points = np.concatenate([bezier(np.linspace(0, 1, 20)) for bezier, _ in path.iter_bezier()])
        apart = ng.distance(ng.Bases.point(*points.T)[:, None], bases)
        assert (abs(apart - radius).max(axis=0) < 1e-3).sum() == 1


def test_links_are_those_that_one_line_makes():
    """Models of one group that stand free are linked with each other; a wall between takes links away."""
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, draw_board=False, ax=new_axes())
    lines = shapely.linestrings(lines_of(ax, "link"))
    members = np.bincount(BOARD.group)
    assert len(lines) < (members * (members - 1) // 2).sum()
    walls = [piece.to_shapely().buffer(-1e-6) for piece in BOARD.terrain]
    assert not any(shapely.intersects(wall, lines).any() for wall in walls)
    # the model that has no link is the one out of coherency
    found = skirmish.coherency(BOARD, POSITIONS, LEADERS)
    alone = BOARD.boundaries(POSITIONS)[np.flatnonzero(~found.linked)]
    assert shapely.distance(alone.to_shapely()[:, None], lines).min() > 0.01


def test_one_leader_only():
    some = [leader if group == 2 else -1 for group, leader in enumerate(LEADERS)]
    ax = plot.coherency(BOARD, POSITIONS, some, draw_board=False, ax=new_axes())
    assert outlines(ax, "in coherency") == 1
    with pytest.raises(ValueError, match="leaders must be those of one state"):
        plot.coherency(BOARD, POSITIONS, [LEADERS, LEADERS], ax=new_axes())


def test_engaged_models_are_joined_and_marked():
    ax = plot.engaged(BOARD, POSITIONS, draw_board=False, ax=new_axes())
    pairs = skirmish.engaged(BOARD, POSITIONS)
    assert outlines(ax, "engaged") == pairs.any(axis=1).sum() > 0
    (lines,) = (artist.get_segments() for artist in ax.collections if hasattr(artist, "get_segments"))
    assert len(lines) == pairs.sum() // 2
    nobody = plot.engaged(BOARD, POSITIONS, present=BOARD.side == 0, draw_board=False, ax=new_axes())
    assert not nobody.collections


def test_routes_are_drawn_with_their_lengths():
    starts, goals = [(5, 5), (5, 5), (20, 15)], [(45, 32), (30, 24), (1, 1)]
    found = skirmish.routes(BOARD, POSITIONS, starts, goals, gap=1.0)
    ax = plot.routes(BOARD, POSITIONS, found, draw_board=False, ax=new_axes())
    (lines,) = (artist.get_segments() for artist in ax.collections)
    assert len(lines) == len(found)
    is_way = np.isfinite(found.length)
    assert not is_way.all()  # the third starts inside the impassable piece
    assert texts_of(ax) == [f'{length:.3g}"' for length in found.length[is_way]]
    drawn = shapely.length(shapely.linestrings(lines[0]))
    np.testing.assert_allclose(drawn, found.length[0], rtol=1e-3)


def test_a_path_stops_where_the_answer_says():
    path = [(12, 12), (20, 18.5), (27, 18), (30, 22)]
    check = skirmish.paths_clear(BOARD, POSITIONS, "Rifle 4", path)
    ax = plot.paths_clear(BOARD, POSITIONS, "Rifle 4", path, draw_board=False, ax=new_axes())
    (before,) = (artist.get_segments()[0] for artist in labelled(ax, "as far as it may go"))
    (after,) = (artist.get_segments()[0] for artist in labelled(ax, "further"))
    np.testing.assert_allclose(shapely.LineString(before).length, float(check.stopped_at))
    np.testing.assert_allclose(
        shapely.LineString(before).length + shapely.LineString(after).length, check.length
    )
    assert "stops it" in legend_of(ax)
    assert check.gap_width > 0
    (line,) = lines_of(ax, "stops it")
    np.testing.assert_allclose(np.hypot(*(line[1] - line[0])), check.gap_width)
    assert texts_of(ax) == [f'{float(check.gap_width):.3g}"']


def test_a_path_into_a_wall_marks_the_wall():
    table = ng.Board(
        [ng.Unit("scout", 32, shape="round", size=2)],
        [ng.Terrain([(10, 0), (10.5, 0), (10.5, 20), (10, 20)], kind="wall", height=2)],
        size=(24, 24),
    )
    ax = plot.paths_clear(table, [[5, 5, 0]], 0, [(5, 5), (15, 5)], draw_board=False, ax=new_axes())
    (wall,) = labelled(ax, "stops it")
    assert wall.get_paths()[0].get_extents().extents.tolist() == [10, 0, 10.5, 20]


def test_a_closed_opening_is_marked_as_a_line():
    scout = ng.Unit("scout", 32, shape="round", size=2)
    table = ng.Board([scout], size=(24, 24))
    ground = skirmish.Ground(closed=[(10, 0, 10, 20)])
    ax = plot.paths_clear(
        table, [[5, 5, 0]], 0, [(5, 5), (15, 5)], ground=ground, draw_board=False, ax=new_axes()
    )
    (line,) = lines_of(ax, "stops it")
    assert line.tolist() == [[10, 0], [10, 20]]


def test_the_allowance_ends_a_path_too():
    ax = plot.paths_clear(
        BOARD, POSITIONS, "Rifle 4", [(12, 12), (12, 18)], allowance=2, draw_board=False, ax=new_axes()
    )
    (before,) = (artist.get_segments()[0] for artist in labelled(ax, "as far as it may go"))
    assert before.tolist() == [[12, 12], [12, 14]]
    with pytest.raises(ValueError, match=r"path must be one path, of shape \(V, 2\)"):
        plot.paths_clear(BOARD, POSITIONS, "Rifle 4", np.zeros((2, 3, 2)), ax=new_axes())


def test_moves_show_before_and_after():
    move = skirmish.move_directly(BOARD, POSITIONS, "Rifles", "Shells", 6.0)
    ax = plot.moves(BOARD, POSITIONS, move, draw_board=False, ax=new_axes())
    moved = (move.positions != POSITIONS).any(axis=1)
    assert outlines(ax, "before") == moved.sum() == 6
    (arrows,) = (artist for artist in ax.collections if hasattr(artist, "U"))
    shifts = move.positions[moved, :2] - POSITIONS[moved, :2]
    np.testing.assert_allclose(np.stack([arrows.U, arrows.V], axis=1), shifts, atol=1e-9)
    (way,) = (artist.get_segments()[0] for artist in labelled(ax, "way of the leader"))
    np.testing.assert_allclose(way[0], POSITIONS[int(move.leader), :2])
    np.testing.assert_allclose(shapely.LineString(way).length, float(move.length), rtol=1e-3)


def test_a_move_of_nobody():
    placed = skirmish.place(BOARD, POSITIONS, [], np.empty((0, 2)), leader="Rifle 1")
    ax = plot.moves(BOARD, POSITIONS, placed, draw_board=False, ax=new_axes())
    assert not ax.collections


def test_a_link_runs_beside_what_is_in_the_way():
    """The nearest points of two models have the end of a wall between them, but others see each other."""
    scouts = [ng.Unit(name, 50, shape="round", size=1, group="scouts") for name in "ab"]
    wall = ng.Terrain([(11.9, 5), (12.1, 5), (12.1, 10.3), (11.9, 10.3)], kind="wall", height=2)
    table = ng.Board(scouts, [wall], size=(24, 24))
    positions = [[10.5, 10, 0], [13.5, 10, 0]]
    ax = plot.coherency(table, positions, ["a"], draw_board=False, ax=new_axes())
    assert "in coherency" in legend_of(ax)
    (line,) = lines_of(ax, "link")
    assert shapely.LineString(line).intersection(wall.to_shapely()).length < 1e-6
    on_outline = ng.distance(ng.Bases.point(*line.T), table.boundaries(positions))
    np.testing.assert_allclose(on_outline, 0, atol=5e-3)
    straight = plot.coherency(ng.Board(scouts, size=(24, 24)), positions, ["a"], ax=new_axes())
    assert lines_of(straight, "link")[0][:, 1].tolist() == [10, 10]


def test_lengths_stand_where_routes_part():
    """Two routes share most of their way; each length is on its own part of it, off the other."""
    found = skirmish.routes(ng.Board([]), np.empty((0, 3)), [(5, 5), (5, 5)], [(45, 32), (45, 8)], gap=1.0)
    ax = plot.routes(ng.Board([]), np.empty((0, 3)), found, ax=new_axes())
    lines = [shapely.LineString(found.line(k)) for k in (0, 1)]
    places = [shapely.Point(text.get_position()) for text in ax.texts]
    for own, place in enumerate(places):
        assert place.distance(lines[own]) < 1e-9
        assert place.distance(lines[1 - own]) > 1
    assert places[0].distance(places[1]) > 1


def test_the_width_of_a_gap_stands_beside_it():
    """It covers neither the line of the gap nor the part of the path that was walked."""
    path = [(12, 12), (20, 18.5), (27, 18), (30, 22)]
    ax = plot.paths_clear(BOARD, POSITIONS, "Rifle 4", path, ax=new_axes())
    ax.figure.draw_without_rendering()
    (note,) = (text for text in ax.texts if text.get_text().endswith('"'))
    box = shapely.box(*ax.transData.inverted().transform(note.get_window_extent()).ravel())
    for label in ("stops it", "as far as it may go"):
        line = shapely.LineString(labelled(ax, label)[0].get_segments()[0])
        assert not box.intersects(line)


def test_enemies_that_are_fought_are_in_no_links_way():
    """A link may pass an enemy that the group is engaged with, so the line stays straight."""
    scouts = [ng.Unit(name, 32, shape="round", group="scouts") for name in "ab"]
    table = ng.Board([*scouts, ng.Unit("foe", 32, shape="round", side=1, group="foe")], size=(24, 24))
    positions = [[10, 10, 0], [10 + 64 / 25.4, 10, 0], [10 + 32 / 25.4, 10, 0]]
    ax = plot.coherency(table, positions, [0, -1], draw_board=False, ax=new_axes())
    assert lines_of(ax, "link")[0][:, 1].tolist() == [10, 10]


@pytest.mark.parametrize(
    ("draw", "error", "text"),
    [
        (lambda ax: plot.routes(BOARD, POSITIONS, 3, ax=ax), TypeError, "found must be Routes, got int"),
        (lambda ax: plot.moves(BOARD, POSITIONS, 3, ax=ax), TypeError, "after must be a Move or a Placement"),
        (
            lambda ax: plot.moves(
                BOARD,
                POSITIONS,
                skirmish.move_directly(BOARD, [POSITIONS] * 2, "Rifles", "Shells", 6.0),
                ax=ax,
            ),
            ValueError,
            "after must be of this one state",
        ),
        (
            lambda ax: plot.paths_clear(BOARD, POSITIONS, [0, 1], [(12, 12), (12, 14)], ax=ax),
            ValueError,
            "mover must be one model",
        ),
        (
            lambda ax: plot.paths_clear(BOARD, POSITIONS, 0, [(12, 12), (12, 14)], allowance=[1, 2], ax=ax),
            ValueError,
            "allowance must be one number",
        ),
        (lambda ax: plot.engaged(BOARD, [POSITIONS] * 2, ax=ax), ValueError, "positions must have shape"),
        (lambda ax: plot.coherency(BOARD, POSITIONS, LEADERS, ax=3), TypeError, "ax must be matplotlib Axes"),
    ],
)
def test_what_cannot_be_drawn_is_named(draw, error, text):
    with pytest.raises(error, match=text):
        draw(new_axes())


def test_short_paths_and_none_can_be_drawn(tmp_path):
    """A path of one vertex, one that stops at once, an allowance of nothing: all can be saved."""
    for path, options in (
        ([(12, 12)], {}),
        ([(20, 15), (25, 15)], {}),
        ([(12, 12), (12, 15)], {"allowance": 0}),
        ([(12, 12), (np.nan, np.nan)], {}),
    ):
        ax = plot.paths_clear(BOARD, POSITIONS, "Rifle 4", path, draw_board=False, ax=new_axes(), **options)
        ax.figure.savefig(tmp_path / "path.svg")
    nowhere = skirmish.routes(BOARD, POSITIONS, (20, 15), (1, 1), gap=1.0)
    assert not plot.routes(BOARD, POSITIONS, nowhere, draw_board=False, ax=new_axes()).collections


@pytest.mark.parametrize("suffix", ["png", "svg", "pdf"])
def test_pictures_lie_over_each_other_on_every_backend(suffix):
    """Answers on one board keep its limits, and one legend names them all."""
    ax = plot.coherency(BOARD, POSITIONS, LEADERS, ax=new_axes())
    limits = ax.get_xlim(), ax.get_ylim()
    assert plot.engaged(BOARD, POSITIONS, draw_board=False, ax=ax) is ax
    path = [(12, 12), (20, 18.5), (27, 18), (30, 22)]
    plot.paths_clear(BOARD, POSITIONS, "Rifle 4", path, draw_board=False, ax=ax)
    assert (ax.get_xlim(), ax.get_ylim()) == limits
    assert {"link", "engaged", "stops it"} <= set(legend_of(ax))
    file = io.BytesIO()
    ax.figure.savefig(file, format=suffix, dpi=40)
    assert file.tell() > 1000
