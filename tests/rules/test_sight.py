"""Line of sight between units: who is in the way, at scale. test_rules_cases.py has the worked cases."""

import math
import operator

import numpy as np
import pytest
import shapely

import ninthgeom as ng
from ninthgeom import t9a


def core(base):
    """Shapely geometry that, grown by the radius, is the base."""
    radius = float(base.radius)
    inner = ng.Bases(
        base.x, base.y, base.heading, width=base.width - 2 * radius, depth=base.depth - 2 * radius
    )
    return shapely.convex_hull(shapely.multipoints(inner.corners())), radius


def counting_blockers(board, boundaries, present, heights, observer, target, op):
    """The rule again, pair by pair and in words: what may block this pair."""
    needed = max(heights[observer], heights[target])
    units = [
        i for i in range(len(board)) if i not in (observer, target) and present[i] and op(heights[i], needed)
    ]
    source = boundaries[observer]
    if source.radius == 0:
        eye, eye_radius = shapely.linestrings(source.corners()[:2]), 0.0
    else:
        eye, eye_radius = core(source)
    aim, aim_radius = core(boundaries[target])
    outlines = []
    for piece in board.terrain:
        if not piece.opaque or (piece.height is not None and not op(piece.height, needed)):
            continue
        outline = shapely.Polygon(piece.outline)
        at_eye = shapely.distance(outline, eye) <= eye_radius + ng.TOLERANCE
        at_aim = shapely.distance(outline, aim) <= aim_radius + ng.TOLERANCE
        if not (piece.kind == "hill" and (at_eye or at_aim)):
            outlines.append(piece.outline)
    return units, outlines


def expected_sight(board, positions, present, occupied, op):
    """Sight of one state, asked pair by pair with only the blockers that count."""
    boundaries = board.boundaries(positions, occupied)
    heights = []
    for models in board.model_slices:
        living = board.model_height[models][occupied[models]]
        heights.append(min(living.tolist(), key=lambda h: (-np.sum(living == h), h), default=0))
    present = present & [occupied[models].any() for models in board.model_slices]
    answer = np.zeros((len(board), len(board)), dtype=bool)
    for observer, target in np.argwhere(present[:, None] & present):
        if observer == target:
            continue
        units, outlines = counting_blockers(board, boundaries, present, heights, observer, target, op)
        blockers = [boundaries[units], *([ng.Polygons(outlines)] if outlines else [])]
        answer[observer, target] = ng.line_of_sight(boundaries[observer], boundaries[target], blockers)
    return answer


@pytest.mark.parametrize(("name", "op"), [(">=", operator.ge), (">", operator.gt)])
def test_blockers_are_chosen_pair_by_pair(battles, name, op):
    seen = pairs = 0
    for battle in battles:
        states = slice(0, 6)
        answer = t9a.line_of_sight(
            battle.board,
            battle.positions[states],
            present=battle.present[states],
            occupied=battle.occupied[states],
            rules=t9a.Rules(los_height_op=name),
        )
        for i in range(6):
            expected = expected_sight(
                battle.board, battle.positions[i], battle.present[i], battle.occupied[i], op
            )
            np.testing.assert_array_equal(answer[i], expected)
        seen += answer.sum()
        pairs += answer.size
    assert 0.1 < seen / pairs < 0.9


def test_absent_units_never_block():
    board = ng.Board(
        [ng.Unit(name, (20, 20)) for name in ("observer", "target")] + [ng.Unit("wall", (400, 20))]
    )
    north = math.pi / 2
    positions = [[36, 10, north], [36, 30, north], [36, 20, north]]
    present = np.array([[True, True, True], [True, True, False]])
    assert t9a.line_of_sight(board, positions, present=present)[:, 0, 1].tolist() == [False, True]


def test_higher_blockers_only_take_sight_away(battles):
    for battle in battles:
        low = t9a.line_of_sight(battle.board, battle.positions, rules=t9a.Rules(los_height_op=">"))
        high = t9a.line_of_sight(battle.board, battle.positions)
        assert not (high & ~low).any()
        assert (low & ~high).any()


def test_sight_stays_inside_the_front_arc(battles):
    # Ovals have four arcs and look everywhere.
    observers = [i for i, unit in enumerate(battles[0].board.units) if unit.shape != "oval"]
    for battle in battles:
        seen = t9a.line_of_sight(battle.board, battle.positions, observers=observers)
        arcs = t9a.inside_arcs(battle.board, battle.positions, observers=observers)
        contact = t9a.units_in_contact(battle.board, battle.positions, observers=observers)
        assert not (seen & ~contact & (arcs & ng.Arc.FRONT == 0)).any()
