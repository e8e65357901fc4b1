"""Arcs, distances and places that are not legal."""

import math

import numpy as np
import pytest
import shapely
from matplotlib.collections import LineCollection

import ninthgeom as ng
from ninthgeom import plot, t9a
from tests.plot.pictures import legend_of, new_axes, regions_of, texts_of

NORTH = math.pi / 2
NAMES = ("front", "left flank", "rear", "right flank")
SAMPLE = ng.read_scene("examples/sample.json")


@pytest.mark.parametrize("heading", [0.0, NORTH, 2.5, -0.7])
def test_arcs_are_where_the_answers_have_them(heading):
    board = ng.Board([ng.Unit("spears", (20, 20), models=15)])
    positions = [[36, 24, heading]]
    ax = plot.arcs(board, positions, reach=8, ax=new_axes())
    assert legend_of(ax) == list(NAMES)
    points = np.random.default_rng(1).uniform([26, 14], [46, 34], (400, 2))
    flags = ng.inside_arcs(board.boundaries(positions)[0], ng.Bases.point(*points.T))
    for name, flag in zip(NAMES, (1, 2, 4, 8), strict=True):
        region = regions_of(ax, name)
        drawn = shapely.contains_xy(region, *points.T)
        in_arc = (flags & flag) != 0
        assert not (drawn & ~in_arc).any()
        # whatever of the arc is not drawn is beyond the reach
        beyond = ng.distance(board.boundaries(positions)[0], ng.Bases.point(*points.T)) > 7.9
        assert not (in_arc & ~drawn & ~beyond).any()


@pytest.mark.parametrize("heading", [0.0, 2.5])
def test_dividers_start_at_the_corners_halfway_between_the_arcs(heading):
    board = ng.Board([ng.Unit("spears", (20, 20), models=15), ng.Unit("gun", 60, shape="round")])
    positions = [[36, 24, heading], [50, 24, 0]]
    ax = plot.arcs(board, positions, reach=8, draw_board=False, ax=new_axes())
    (dividers,) = [c for c in ax.collections if isinstance(c, LineCollection)]
    lines = np.array(dividers.get_segments())
    corners = board.boundaries(positions)[0].corners()
    assert len(lines) == 4  # round units have none
    starts = np.hypot(*(lines[:, 0, None] - corners).transpose(2, 0, 1))
    assert sorted(starts.argmin(axis=1).tolist()) == [0, 1, 2, 3]
    assert starts.min(axis=1).max() < 1e-9
    ways = lines[:, 1] - lines[:, 0]
    np.testing.assert_allclose(np.hypot(*ways.T), 8 * math.sqrt(2))
    turned = (np.arctan2(ways[:, 1], ways[:, 0]) - heading) % (math.pi / 2)
    np.testing.assert_allclose(turned, math.pi / 4)
    # both neighbours of a divider reach it
    flags = ng.inside_arcs(board.boundaries(positions)[0], ng.Bases.point(*lines[:, 1].T))
    assert sorted(flags.tolist()) == [1 | 2, 2 | 4, 1 | 8, 4 | 8]


def test_arcs_end_at_the_edge_of_the_table():
    board = ng.Board([ng.Unit("spears", (20, 20), models=15)], size=(12, 12))
    ax = plot.arcs(board, [[6, 6, NORTH]], reach=50, ax=new_axes())
    for name in NAMES:
        assert shapely.box(0, 0, 12, 12).buffer(1e-9).covers(regions_of(ax, name))


def test_round_units_have_a_front_arc_only():
    board = ng.Board([ng.Unit("gun", 60, shape="round")])
    ax = plot.arcs(board, [[36, 24, 0]], reach=5, ax=new_axes())
    assert legend_of(ax) == ["front"]


@pytest.mark.parametrize("reach", [0, -1, np.nan, np.inf])
def test_bad_reaches(reach):
    with pytest.raises(ValueError, match="reach must be a positive number"):
        plot.arcs(SAMPLE.board, SAMPLE.positions, reach=reach, ax=new_axes())


def test_each_pair_has_one_line_as_long_as_its_distance():
    board, positions = SAMPLE.board, SAMPLE.positions
    ax = plot.distances(board, positions, draw_board=False, ax=new_axes())
    (artist,) = ax.collections
    lines = np.array(artist.get_segments())
    n = len(board)
    assert len(lines) == n * (n - 1) // 2
    apart = t9a.distances(board, positions)[np.triu_indices(n, 1)]
    np.testing.assert_allclose(sorted(np.hypot(*(lines[:, 1] - lines[:, 0]).T)), sorted(apart), atol=1e-9)
    assert sorted(texts_of(ax)) == sorted(f'{length:.3g}"' for length in apart)


def test_lengths_keep_off_names_and_each_other():
    """The middle of the line is taken by a name; on the line there is room."""
    wall = ng.Terrain([(30, 23.8), (42, 23.8), (42, 24.2), (30, 24.2)], kind="wall")
    units = [ng.Unit("one", (50, 50)), ng.Unit("other", (50, 50), side=1)]
    board = ng.Board(units, [wall])
    positions = [[36, 8, NORTH], [36, 39, -NORTH]]
    ax = plot.distances(board, positions, ax=new_axes())
    *names, length = (text.get_window_extent() for text in ax.texts)
    assert not any(length.overlaps(name) for name in names)
    start, end = np.reshape(ng.shortest_line(*board.boundaries(positions)), (2, 2))
    at = np.array(ax.texts[-1].get_position())
    assert np.hypot(*(at - start)) + np.hypot(*(end - at)) == pytest.approx(np.hypot(*(end - start)))
    alone = plot.distances(board, positions, draw_board=False, ax=new_axes())
    assert alone.texts[-1].get_position() == pytest.approx((start + end) / 2)


def test_absent_units_have_neither_lines_nor_arcs():
    present = np.ones(len(SAMPLE.board), bool)
    present[0] = False
    ax = plot.distances(
        SAMPLE.board, SAMPLE.positions, ["Spears"], present=present, draw_board=False, ax=new_axes()
    )
    assert not ax.collections
    ax = plot.arcs(
        SAMPLE.board, SAMPLE.positions, ["Spears"], present=present, draw_board=False, ax=new_axes()
    )
    assert not ax.collections


def test_who_is_not_legal_is_marked_with_the_reason():
    board, positions = SAMPLE.board, SAMPLE.positions.copy()
    positions[0, :2] = 24, 0.3
    positions[3] = positions[4]
    ax = plot.legal(board, positions, draw_board=False, ax=new_axes())
    wrong = ~t9a.legal(board, positions)
    assert wrong.tolist() == [True, False, False, True, True, False, False]
    assert texts_of(ax) == ["off the table", "overlapping", "overlapping"]
    (artist,) = ax.collections
    np.testing.assert_allclose(
        sorted(path.get_extents().x0 for path in artist.get_paths()),
        sorted(board.boundaries(positions)[wrong].bounds[:, 0]),
    )


def test_nothing_is_marked_where_all_is_legal():
    ax = plot.legal(SAMPLE.board, SAMPLE.positions, draw_board=False, ax=new_axes())
    assert not ax.collections
    assert ax.get_legend() is None


@pytest.mark.parametrize(
    ("x", "note"),
    [(5.0, "overlapping"), (6.5, "too near"), (7.0, "too near"), (8.0, None), (-0.5, "off the table")],
)
def test_reasons_by_where_a_unit_stands_to_a_rock(x, note):
    """A square of two inches and a rock up to x = 5.5: inside, half an inch off, an inch off, further off."""
    rock = ng.Terrain([(4, 10), (5.5, 10), (5.5, 14), (4, 14)], kind="impassable")
    board = ng.Board([ng.Unit("block", (50.8, 50.8))], [rock], size=(24, 24))
    positions = board.positions_from_centres([[x + 0.5, 12, 0.0]])
    ax = plot.legal(board, positions, draw_board=False, ax=new_axes())
    assert texts_of(ax) == ([] if note is None else [note])


def test_lying_on_a_forest_is_no_reason():
    wood = ng.Terrain([(4, 10), (9, 10), (9, 14), (4, 14)], kind="forest")
    board = ng.Board([ng.Unit("block", (50.8, 50.8))], [wood], size=(24, 24))
    assert bool(t9a.legal(board, [[6, 12, 0.0]])[0])
    ax = plot.legal(board, [[6, 12, 0.0]], draw_board=False, ax=new_axes())
    assert not ax.texts
