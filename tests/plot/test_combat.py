"""Pictures of close combat show each contact once, where it is."""

import math

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import plot, t9a
from tests.plot.pictures import legend_of, lines_of, new_axes

NORTH = math.pi / 2
COMBAT = ng.read_scene("examples/combat.json")
LABELS = {"TOUCH": "touching", "GAP": "across a gap", "ROUND": "round base", "DUEL": "duel"}


def figure_of_the_rules(turn=0.0):
    """Charged in the rear: F alone in the last rank; six chargers of another width below."""
    mm = 1 / 25.4
    occupied = [True] * 5 + [False, True, False, False, False]
    charged = ng.Unit("charged", (20, 20), models=6, files=5, occupied=occupied, side=1)
    board = ng.Board([charged, ng.Unit("chargers", (16, 16), models=6, files=6)])
    places = np.array([[50 * mm, 0], [(15 + 48) * mm, -40 * mm]])
    spin = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    return board, np.column_stack([places @ spin + (36, 24), [NORTH + turn] * 2])


@pytest.mark.parametrize("turn", [0.0, 0.4, 2.0, -1.1])
def test_gap_lines_run_straight_across_through_nothing(turn):
    board, positions = figure_of_the_rules(turn)
    ax = plot.contacts(board, positions, ax=new_axes())
    rows = t9a.contacts(board, positions)
    once = rows[rows.model < rows.other]
    gaps = once[once.kind == t9a.ContactKind.GAP]
    lines = lines_of(ax, "across a gap")
    assert len(lines) == len(gaps) > 4
    bases, occupied = board.bases(positions)
    forward = np.array([np.cos(NORTH + turn), np.sin(NORTH + turn)])
    for line, model, other in zip(lines, gaps.model, gaps.other, strict=True):
        way = line[1] - line[0]
        assert abs(way @ [-forward[1], forward[0]]) < 1e-9  # perpendicular to both facings
        assert abs(np.hypot(*way) - 20 / 25.4) < 1e-9
        ends = ng.Bases.point(*line.T)
        assert ng.distance(ends, bases[[model, other]]).max() < 1e-9
        others = occupied.copy()
        others[[model, other]] = False
        assert not ng.passes_through(ng.Segments(*line.ravel()), bases[others]).any()


@pytest.mark.parametrize("scene", [COMBAT, None], ids=["sample", "figure"])
def test_each_contact_has_one_line_of_its_kind(scene):
    board, positions = (scene.board, scene.positions) if scene else figure_of_the_rules()
    ax = plot.contacts(board, positions, ax=new_axes())
    rows = t9a.contacts(board, positions)
    for kind in t9a.ContactKind:
        n = int(((rows.kind == kind) & (rows.model < rows.other)).sum())
        assert (LABELS[kind.name] in legend_of(ax)) == (n > 0)
        if n:
            assert len(lines_of(ax, LABELS[kind.name])) == n


def test_touching_edges_are_as_long_as_what_they_share():
    board, positions = figure_of_the_rules()
    ax = plot.contacts(board, positions, ax=new_axes())
    lines = lines_of(ax, "touching")
    lengths = np.hypot(*(lines[:, 1] - lines[:, 0]).T) * 25.4
    # F from 20 to 40 mm; the chargers 1 from 15 to 31, 2 from 31 to 47
    np.testing.assert_allclose(sorted(lengths), [9, 11], atol=0.1)


def test_duels_are_drawn_between_the_two():
    guard = ng.Unit("guard", (20, 20), models=4, files=5, attached=[ng.Attached("captain", (20, 20))])
    board = ng.Board([guard, ng.Unit("giant", (75, 75), side=1)])
    captain, giant = board.model_slices[0].stop - 1, board.model_slices[1].start
    # the giant meets the end of the front that is further from the captain
    x = board.bases([[36, 24, NORTH], [36, 24, -NORTH]])[0].x[captain]
    positions = [[36, 24, NORTH], [38.5 if x <= 36 else 33.5, 24, -NORTH]]
    duels = t9a.Duels([captain], [giant])
    ax = plot.contacts(board, positions, duels=duels, attacks=True, ax=new_axes())
    (line,) = lines_of(ax, "duel")
    bases, _ = board.bases(positions)
    np.testing.assert_allclose(line, np.stack([bases.x, bases.y], axis=1)[[captain, giant]])
    assert "attacks: duel" in legend_of(ax)


def test_arrows_are_the_rights_to_attack():
    ax = plot.contacts(COMBAT.board, COMBAT.positions, attacks=True, ax=new_axes())
    rights = t9a.may_attack(COMBAT.board, t9a.contacts(COMBAT.board, COMBAT.positions))
    arrows = {artist.get_label(): len(artist.U) for artist in ax.collections if hasattr(artist, "U")}
    reasons = {
        f"attacks: {reason.name.lower()}": int((rights.reason == reason).sum()) for reason in t9a.AttackReason
    }
    assert arrows == {label: n for label, n in reasons.items() if n}


def test_engaged_facings_are_those_of_the_units():
    board, positions = figure_of_the_rules()
    ax = plot.contacts(board, positions, draw_board=False, ax=new_axes())
    lines = lines_of(ax, "engaged facing")
    y = sorted(lines[:, :, 1].mean(axis=1))
    np.testing.assert_allclose(
        y, [24 - 40 / 25.4] * 2, atol=1e-9
    )  # the rear of the one, the front of the other


def test_nobody_fights():
    board, positions = figure_of_the_rules()
    positions[1, 1] -= 5
    ax = plot.contacts(board, positions, attacks=True, draw_board=False, ax=new_axes())
    assert not ax.collections
    assert ax.get_legend() is None


def test_the_dead_are_in_nobodys_way():
    board, positions = figure_of_the_rules()
    occupied = board.occupied.copy()
    occupied[6] = False  # F
    ax = plot.contacts(board, positions, occupied=occupied, frozen=board.occupied, ax=new_axes())
    assert "touching" not in legend_of(ax)
    assert len(lines_of(ax, "across a gap")) > 6


def test_where_nothing_stops_a_line_it_runs_through_others():
    """By the two conditions that are printed alone, 1 is in contact with B too, through F."""
    board, positions = figure_of_the_rules()
    rules = t9a.Rules(gap_blocking="none")
    rows = t9a.contacts(board, positions, rules=rules)
    gaps = rows[(rows.kind == t9a.ContactKind.GAP) & (rows.model < rows.other)]
    lines = lines_of(plot.contacts(board, positions, rules=rules, ax=new_axes()), "across a gap")
    assert len(lines) == len(gaps)
    np.testing.assert_allclose(lines[:, 0, 0], lines[:, 1, 0], atol=1e-9)


def gap_lines(board, positions, **options):
    """The gap lines of the figure by the names of the models, in millimetres from its left end."""
    names = dict(zip(np.flatnonzero(board.occupied).tolist(), "ABCDEF123456", strict=True))
    rows = t9a.contacts(board, positions, **options)
    once = rows[(rows.model < rows.other) & (rows.kind == t9a.ContactKind.GAP)]
    lines = lines_of(plot.contacts(board, positions, ax=new_axes(), **options), "across a gap")
    found = zip(once.model.tolist(), once.other.tolist(), (lines - (36, 24)) * 25.4, strict=True)
    return {names[one] + names[other]: line for one, other, line in found}


def test_the_figure_of_the_rules():
    """1 fights F and A, not B; C fights 2 and 3, E 5 and 6; lines in the middle of what is free."""
    board, positions = figure_of_the_rules()
    lines = gap_lines(board, positions)
    assert sorted(lines) == ["A1", "C2", "C3", "D3", "D4", "D5", "E5", "E6"]
    # numbers 1 to 6 begin at 15, 31, 47, 63, 79, 95 mm, letters A to E at 0, 20, 40, 60, 80
    middles = {"A1": 17.5, "C2": 43.5, "C3": 53.5, "D3": 61.5, "D4": 71, "D5": 79.5, "E5": 87.5, "E6": 97.5}
    for pair, middle in middles.items():
        np.testing.assert_allclose(lines[pair][:, 0], middle, atol=1e-6)
        np.testing.assert_allclose(sorted(lines[pair][:, 1]), [-40, -20], atol=1e-6)


def test_corner_to_corner():
    """6 begins where E ends: the line runs there; a hair further there is none."""
    board, positions = figure_of_the_rules()
    positions[1, 0] += 5 / 25.4
    np.testing.assert_allclose(gap_lines(board, positions)["E6"][:, 0], 100, atol=1e-6)
    positions[1, 0] += 1e-4
    assert "E6" not in gap_lines(board, positions)


def test_models_far_off_do_not_shift_lines():
    """Corners of models that are not in between do not cut what is free."""
    board, positions = figure_of_the_rules()
    far = ng.Unit("far", (7, 7), models=9, files=9, side=1)
    with_far = ng.Board([*board.units, far])
    places = np.vstack([positions, [[37.9, 40, NORTH]]])
    lines = lines_of(plot.contacts(board, positions, ax=new_axes()), "across a gap")
    others = lines_of(plot.contacts(with_far, places, ax=new_axes()), "across a gap")
    np.testing.assert_allclose(others, lines, atol=1e-9)


def test_lines_keep_off_impassable_terrain():
    """A column in the gap before C and 3, from 46 to 54 mm: what is free of it there is 54 to 60 mm."""
    board, positions = figure_of_the_rules()
    x, y = 36 + np.array([46, 54, 54, 46]) / 25.4, 24 - np.array([32, 32, 28, 28]) / 25.4
    walled = ng.Board(board.units, [ng.Terrain(np.stack([x, y], axis=1), kind="impassable")])
    lines = gap_lines(walled, positions)
    np.testing.assert_allclose(lines["C3"][:, 0], 57, atol=1e-6)
    through = gap_lines(walled, positions, rules=t9a.Rules(gap_stops_at="none"))
    np.testing.assert_allclose(through["C3"][:, 0], 53.5, atol=1e-6)


def test_lines_keep_off_boundaries_of_other_units():
    """Of two small models in the gap from 46 to 54 mm the right one is dead; the boundary still holds it."""
    board, positions = figure_of_the_rules()
    crowd = ng.Board([*board.units, ng.Unit("small", (4, 4), models=2, files=2, side=1)])
    places = np.vstack([positions, [[36 + 50 / 25.4, 24 - 28 / 25.4, NORTH]]])
    living = crowd.occupied.copy()
    living[-1] = False
    masks = {"occupied": living, "frozen": crowd.occupied}
    c, third = board.model_slices[0].start + 2, board.model_slices[1].start + 2
    for rules, middle in ((t9a.Rules(), 57), (t9a.Rules(gap_stops_at="none"), 55)):
        rows = t9a.contacts(crowd, places, rules=rules, **masks)
        once = rows[(rows.model < rows.other) & (rows.kind == t9a.ContactKind.GAP)]
        lines = lines_of(plot.contacts(crowd, places, rules=rules, ax=new_axes(), **masks), "across a gap")
        (line,) = lines[(once.model == c) & (once.other == third)]
        np.testing.assert_allclose((line[:, 0] - 36) * 25.4, middle, atol=1e-6)


@pytest.mark.parametrize("angle", [-0.5, -0.2, 0.2, 0.5])
def test_gaps_between_slanted_facings(angle):
    """Lines are perpendicular to one of the two facings, end on both bases and pass through nobody."""
    board, _ = figure_of_the_rules()
    heading = NORTH + angle
    left = np.array([-math.sin(heading), math.cos(heading)])
    # A front corner of the chargers is on the edge of F.
    positions = np.array([[36 + 50 / 25.4, 24, NORTH], [0, 0, heading]])
    positions[1, :2] = np.array([36, 24]) + np.array([30, -40]) / 25.4 + np.sign(angle) * left * 48 / 25.4
    rows = t9a.contacts(board, positions)
    once = rows[(rows.model < rows.other) & (rows.kind == t9a.ContactKind.GAP)]
    assert len(once)
    lines = lines_of(plot.contacts(board, positions, ax=new_axes()), "across a gap")
    bases, occupied = board.bases(positions)
    for line, model, other in zip(lines, once.model, once.other, strict=True):
        way = (line[1] - line[0]) / np.hypot(*(line[1] - line[0]))
        assert min(abs(way[0]), abs(way @ left)) < 1e-9
        assert ng.distance(ng.Bases.point(*line.T), bases[[model, other]]).max() < 1e-9
        others = occupied.copy()
        others[[model, other]] = False
        assert not ng.passes_through(ng.Segments(*line.ravel()), bases[others]).any()


@pytest.mark.parametrize("turn", [0.0, 1.1])
def test_who_stands_before_a_round_base(turn):
    """The part of each edge that is straight before it is marked, with a line ahead to the base."""
    radius, file = 30 / 25.4, 25 / 25.4
    board = ng.Board([ng.Unit("disc", 60, shape="round"), ng.Unit("files", (25, 50), models=5, side=1)])
    forward = np.array([math.cos(turn), math.sin(turn)])
    positions = [[20, 12, turn], [*(np.array([20, 12]) + radius * forward), turn + math.pi]]
    ax = plot.contacts(board, positions, ax=new_axes())
    (marks,) = (artist for artist in ax.collections if artist.get_label() == "round base")
    side = np.array([-forward[1], forward[0]])
    extents = []
    for first, middle, end, again, last in (line for line in marks.get_segments()):
        assert again.tolist() == middle.tolist()
        np.testing.assert_allclose([first @ forward, last @ forward], middle @ forward)
        np.testing.assert_allclose((end - middle) @ side, 0, atol=1e-9)
        np.testing.assert_allclose(np.hypot(*(end - (20, 12))), radius)
        extents.append(sorted([(first - (20, 12)) @ side, (last - (20, 12)) @ side]))
    edges = [-radius, -file / 2, file / 2, radius]
    np.testing.assert_allclose(sorted(extents), np.stack([edges[:-1], edges[1:]], axis=1), atol=1e-6)


def test_two_round_bases_are_marked_where_they_touch():
    board = ng.Board([ng.Unit(name, 60, shape="round", side=k) for k, name in enumerate("ab")])
    ax = plot.contacts(board, [[20, 12, 0], [20 + 60 / 25.4, 12, 0]], ax=new_axes())
    (line,) = lines_of(ax, "round base")
    np.testing.assert_allclose(line.mean(axis=0), [20 + 30 / 25.4, 12], atol=1e-3)
    assert 0.02 < np.hypot(*(line[1] - line[0])) < 0.3


def test_arrows_start_in_the_attacker_and_end_in_the_attacked():
    scene = COMBAT
    ax = plot.contacts(scene.board, scene.positions, attacks=True, ax=new_axes())
    rights = t9a.may_attack(scene.board, t9a.contacts(scene.board, scene.positions))
    bases, _ = scene.board.bases(scene.positions)
    for reason in t9a.AttackReason:
        some = rights[rights.reason == reason]
        arrows = [a for a in ax.collections if a.get_label() == f"attacks: {reason.name.lower()}"]
        for arrow in arrows:
            starts, ways = arrow.get_offsets(), np.stack([arrow.U, arrow.V], axis=1)
            assert ng.distance(ng.Bases.point(*starts.T), bases[some.model]).max() == 0
            assert ng.distance(ng.Bases.point(*(starts + ways).T), bases[some.other]).max() == 0


@pytest.mark.parametrize("angle", [0.0, 1.0])
def test_units_on_top_of_each_other_can_be_drawn(angle):
    board = ng.Board([ng.Unit("a", (50, 50)), ng.Unit("b", (50, 50), side=1)])
    ax = plot.contacts(board, [[10, 10, 0], [10, 10, angle]], attacks=True, ax=new_axes())
    assert np.isfinite(lines_of(ax, "touching")).all()


def test_without_units_and_with_several_states():
    empty = plot.contacts(ng.Board([]), np.empty((0, 3)), attacks=True, ax=new_axes())
    assert empty.get_legend() is None
    with pytest.raises(ValueError, match=r"positions must have shape \(5, 3\), got \(2, 5, 3\)"):
        plot.contacts(COMBAT.board, [COMBAT.positions] * 2, ax=new_axes())
