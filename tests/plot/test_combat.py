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
    positions = [[36, 24, NORTH], [36, 24, -NORTH]]
    captain, giant = board.model_slices[0].stop - 1, board.model_slices[1].start
    duels = t9a.Duels([captain], [giant])
    ax = plot.contacts(board, positions, duels=duels, attacks=True, ax=new_axes())
    if "duel" in legend_of(ax):
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
