"""Explanations of sight: every reason by hand, and lines and blockers checked on random boards."""

import math

import numpy as np
import pytest
import shapely

import ninthgeom as ng
from ninthgeom import Attached, Board, Terrain, Unit, t9a

NORTH = math.pi / 2
INCH = 25.4


def box(xmin, ymin, xmax, ymax):
    return [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)]


def one_inch(name="archer", **kind):
    return Unit(name, (INCH, INCH), **kind)


# ------------------------------------------------------------------------------------------------- by hand


def test_seen():
    board = Board([Unit("archers", (INCH, INCH), models=10), one_inch("goblin")])
    found = t9a.explain_sight(board, [[10, 5, NORTH], [11, 9, -NORTH]], "archers", "goblin")
    assert (found.visible, found.reason, found.blockers) == (True, "seen", ())
    assert found.start[1] == pytest.approx(5)
    assert 7.5 - 1e-9 <= found.start[0] <= 12.5 + 1e-9
    assert found.end[1] == pytest.approx(9)
    assert 10.5 - 1e-6 <= found.end[0] <= 11.5 + 1e-6
    # Files count from the left, which is that of the smaller x for who looks to +y.
    assert found.slot == math.floor(found.start[0] - 7.5)
    assert found.model == f"model {found.slot + 1} of archers"
    assert str(found).startswith(f"archers see goblin: {found.model} looks from (")


def test_a_single_model_goes_by_the_name_of_its_unit():
    board = Board([one_inch(), one_inch("goblin")])
    found = t9a.explain_sight(board, [[10, 5, NORTH], [10, 9, -NORTH]], 0, 1)
    assert (found.model, found.slot) == ("archer", 0)
    assert str(found).startswith("archer see goblin: it looks from (")


def test_touching():
    board = Board([one_inch(), one_inch("goblin"), one_inch("beside")])
    positions = [[10, 5, NORTH], [10.9, 5, -NORTH], [9, 5, NORTH]]
    found = t9a.explain_sight(board, positions, "archer", "goblin")
    assert (found.visible, found.reason) == (True, "touching")
    assert found.start == pytest.approx(found.end, abs=1e-6)
    assert found.start[1] == pytest.approx(5)
    assert 10.4 <= found.start[0] <= 10.5
    assert "it touches it at (" in str(found)
    # A corner of the front edge is enough.
    assert t9a.explain_sight(board, positions, "archer", "beside").reason == "touching"


def test_same_unit():
    board = Board([Unit("archers", (INCH, INCH), models=10), one_inch("goblin")])
    positions = [[10, 5, NORTH], [10, 9, 0]]
    for target in ({"target": "archers"}, {"target": 0}, {"target_model": 3}):
        found = t9a.explain_sight(board, positions, "archers", **target)
        assert (found.visible, found.reason, found.start) == (False, "same unit", None)
    assert str(found) == "archers do not see model 4 of archers: it is of the same unit"


@pytest.mark.parametrize(
    "masks",
    [
        {"present": [False, True]},
        {"present": [True, False]},
        {"occupied": [False] * 2 + [True] * 2},
        {"occupied": [True] * 2 + [False] * 2},
    ],
)
def test_absent(masks):
    board = Board([Unit("archers", (INCH, INCH), models=2), Unit("orcs", (INCH, INCH), models=2)])
    positions = [[10, 5, NORTH], [10, 9, -NORTH]]
    found = t9a.explain_sight(board, positions, "archers", "orcs", **masks)
    assert (found.visible, found.reason) == (False, "absent")
    assert str(found) == "archers do not see orcs: not both are there"


def test_a_dead_model_is_absent():
    board = Board([one_inch(), Unit("orcs", (INCH, INCH), models=2)])
    positions, living = [[10, 5, NORTH], [10, 9, -NORTH]], [True, True, False]
    assert t9a.explain_sight(board, positions, 0, target_model=1, occupied=living).visible
    assert t9a.explain_sight(board, positions, 0, target_model=2, occupied=living).reason == "absent"


def test_outside_the_arc():
    board = Board([one_inch(), one_inch("goblin")])
    found = t9a.explain_sight(board, [[10, 5, NORTH], [18, 6, -NORTH]], "archer", "goblin")
    assert (found.visible, found.reason, found.blockers) == (False, "outside the arc", ())
    assert str(found) == "archer do not see goblin: it is outside the arc"
    # Outside comes before hidden: what stands between does not matter then.
    wall = Terrain(box(12, 0, 13, 10), kind="impassable")
    found = t9a.explain_sight(Board(board.units, [wall]), [[10, 5, NORTH], [18, 6, -NORTH]], 0, 1)
    assert found.reason == "outside the arc"
    mortar = Board([Unit("mortar", 60, shape="round"), one_inch("goblin")])
    assert t9a.explain_sight(mortar, [[10, 5, NORTH], [18, 6, -NORTH]], 0, 1).reason == "seen"


def test_hidden_names_all_that_cut_a_line():
    units = [
        one_inch(),
        one_inch("goblin"),
        Unit("spears", (INCH, INCH), models=10),
        Unit("far", (INCH, INCH), models=10),
        Unit("low", (4 * INCH, INCH), height=0),
    ]
    terrain = [
        Terrain(box(30, 0, 34, 4), kind="hill"),
        Terrain(box(6, 9, 14, 10), kind="forest"),
        Terrain(box(8, 9, 12, 9.5), kind="hill"),
        Terrain(box(8, 11, 12, 11.5), kind="impassable"),
    ]
    board = Board(units, terrain)
    positions = [[10, 5, NORTH], [10, 13, -NORTH], [10, 8, NORTH], [40, 8, NORTH], [10, 6.5, NORTH]]
    found = t9a.explain_sight(board, positions, "archer", "goblin")
    assert (found.visible, found.reason) == (False, "hidden")
    assert found.blockers == ("spears", "hill 2", "impassable 1")
    assert str(found) == "archer do not see goblin: hidden by spears, hill 2 and impassable 1"


def test_a_high_model_hides_where_its_unit_does_not():
    lord = Attached("lord", (INCH, INCH), height=4)
    units = [
        one_inch(height=3),
        Unit("goblin", (10, 10)),
        Unit("guard", (INCH, INCH), models=5, files=3, attached=[lord]),
    ]
    board = Board(units)
    positions = [[10, 5, NORTH], [10, 10, -NORTH], [10, 7, NORTH]]
    found = t9a.explain_sight(board, positions, 0, 1)
    assert found.blockers == ("lord of guard",)
    # And he is seen where his unit is not.
    spears = Unit("spears", (INCH, INCH), models=5, height=2)
    board = Board([one_inch(), units[2], spears])
    positions = [[10, 5, NORTH], [10, 10, -NORTH], [10, 8, NORTH]]
    found = t9a.explain_sight(board, positions, 0, "guard")
    assert found.reason == "seen"
    assert 9.5 - 1e-6 <= found.end[0] <= 10.5 + 1e-6
    slot = board.n_models - 1 - 5
    assert t9a.explain_sight(board, positions, 0, target_model=slot).target == "lord of guard"
    assert t9a.explain_sight(board, positions, 0, target_model=slot - 1).blockers == ("spears",)


def test_bases_in_the_second_edition():
    """Models alone are named, several together by their unit; in the third the boundary hides."""
    second = {"rules": t9a.SECOND_EDITION}
    line = Unit("line", (INCH, INCH), models=3)
    board = Board([one_inch(), one_inch("goblin"), line])
    positions = [[10, 5, NORTH], [10, 8, -NORTH], [10, 7, NORTH]]
    assert t9a.explain_sight(board, positions, 0, 1, **second).blockers == ("line",)
    # A hole in the middle, as wide as who looks; the goblin is behind the model to the left of it.
    pair = Unit("pair", (INCH, INCH), models=2, files=3, occupied=[True, False, True])
    board = Board([one_inch(), Unit("goblin", (10, 1)), pair])
    positions = [[10, 5, NORTH], [9, 6.2, -NORTH], [10, 6.1, NORTH]]
    assert t9a.explain_sight(board, positions, 0, 1).blockers == ("pair",)
    assert t9a.explain_sight(board, positions, 0, 1, **second).blockers == ("model 1 of pair",)
    positions[1][0] = 10
    assert t9a.explain_sight(board, positions, 0, 1).blockers == ("pair",)
    assert t9a.explain_sight(board, positions, 0, 1, **second).visible


def test_a_point_on_the_ground():
    board = Board([one_inch(), one_inch("goblin")])
    positions = [[10, 5, NORTH], [10, 9, -NORTH]]
    found = t9a.explain_sight(board, positions, 0, (10, 8))
    assert (found.visible, found.target) == (True, "point (10, 8)")
    assert found.end == pytest.approx((10, 8), abs=1e-6)
    found = t9a.explain_sight(board, positions, 0, np.array([10.0, 9.5]))
    assert (found.reason, found.blockers) == ("hidden", ("goblin",))
    assert t9a.explain_sight(board, positions, 0, (10, 4)).reason == "outside the arc"
    assert t9a.explain_sight(board, positions, 0, (10.2, 5)).reason == "touching"


def test_a_line_out_of_a_hill_starts_on_it():
    hill, wall = Terrain(box(10, 0, 20, 7), kind="hill"), Terrain(box(0, 6, 10, 7), kind="impassable")
    board = Board([Unit("pair", (2 * INCH, INCH)), one_inch("goblin")], [hill, wall])
    found = t9a.explain_sight(board, [[10, 5, NORTH], [10, 12, -NORTH]], "pair", "goblin")
    assert found.reason == "seen"
    assert 10 - 1e-6 <= found.start[0] <= 11
    assert found.end[1] == pytest.approx(12)


def test_a_line_into_a_hill_ends_on_it():
    """The target is half on the hill; lines that end on the other half have to get past the hill."""
    hill = Terrain(box(5, 9, 10, 13), kind="hill")
    wall = Terrain(box(10, 8, 20, 9), kind="impassable")
    board = Board([one_inch(), Unit("orcs", (INCH, INCH), models=4, files=4)], [hill, wall])
    found = t9a.explain_sight(board, [[9, 5, NORTH], [10, 11, -NORTH]], "archer", "orcs")
    assert found.reason == "seen"
    assert found.end[0] <= 10 + 1e-6
    assert found.end[1] == pytest.approx(11)


def test_from_a_hill_over_a_hill():
    """Only the line from one hill into the other is free of both."""
    near, far = Terrain(box(0, 4, 20, 8), kind="hill"), Terrain(box(0, 10, 20, 14), kind="hill")
    board = Board([one_inch(), one_inch("goblin")], [near, far])
    positions = [[10, 5, NORTH], [10, 12, -NORTH]]
    assert t9a.explain_sight(board, positions, 0, 1).reason == "seen"
    behind = t9a.explain_sight(board, [[10, 5, NORTH], [10, 16, -NORTH]], 0, 1)
    assert behind.reason == "hidden"
    assert set(behind.blockers) == {"hill 2"}  # all lines start in the other


def test_who_looks_has_the_height_that_sees():
    """The captain, at the left, sees over the wall of men."""
    captain = Attached("captain", (INCH, INCH), height=3, place=(0, 0))
    guard = Unit("guard", (INCH, INCH), models=9, files=5, attached=[captain])
    board = Board([guard, Unit("men", (20 * INCH, INCH)), one_inch("goblin")])
    found = t9a.explain_sight(board, [[20, 5, NORTH], [20, 8, NORTH], [20, 15, -NORTH]], "guard", "goblin")
    assert (found.model, found.slot) == ("captain of guard", 9)
    assert 17.5 - 1e-6 <= found.start[0] <= 18.5 + 1e-6


# ------------------------------------------------------------------------------------- on random boards


def facing(board, positions, occupied, unit):
    """What the unit looks from: its front edge, or its round base."""
    boundary = board.boundaries(positions, occupied)[unit]
    if boundary.radius > 0:
        return boundary
    left, right = boundary.corners()[:2]
    return ng.Bases.from_front(*(left + right) / 2, boundary.heading, width=math.dist(left, right), depth=0.0)


def check_line(board, positions, occupied, found, observer, aims):
    """Ends where they should be, the way within the arc, from straight ahead of the model."""
    source = facing(board, positions, occupied, observer)
    start, end = np.array(found.start), np.array(found.end)
    assert ng.distance(ng.Bases.point(*start), source) <= 3e-6
    assert min(ng.distance(ng.Bases.point(*end), aim) for aim in aims) <= 3e-6
    assert occupied[found.slot]
    assert board.model_unit[found.slot] == observer
    if source.radius > 0 or found.reason == "touching":
        return
    heading = float(source.heading)
    ahead, aside = (
        (end - start) @ [math.cos(heading), math.sin(heading)],
        (end - start)
        @ [
            -math.sin(heading),
            math.cos(heading),
        ],
    )
    assert abs(aside) <= ahead * (1 + 1e-6) + 1e-5
    model = board.bases(positions)[0][found.slot]
    left = (start - [model.x, model.y]) @ [-math.sin(heading), math.cos(heading)]
    assert abs(left) <= model.width / 2 + 1e-5


def without(board, present, names):
    """The board and mask without the blockers of these names."""
    gone = {name.rpartition(" of ")[2] for name in names}
    present = present & [name not in gone for name in board.names]
    counts = {}
    terrain = []
    for piece in board.terrain:
        counts[piece.kind] = counts.get(piece.kind, 0) + 1
        if f"{piece.kind} {counts[piece.kind]}" not in names:
            terrain.append(piece)
    return Board(board.units, terrain, board.size), present


@pytest.mark.parametrize("rules", [t9a.THIRD_EDITION, t9a.SECOND_EDITION], ids=["third", "second"])
def test_units_on_random_boards(battles, rules):
    reasons = set()
    for battle in battles:
        board = battle.board
        for state in range(2):
            positions, occupied = battle.positions[state], battle.occupied[state]
            masks = {"occupied": occupied, "rules": rules}
            answers = t9a.line_of_sight(board, positions, present=battle.present[state], **masks)
            models = t9a.models_see(board, positions, present=battle.present[state], **masks)
            pairs = set(zip(models.model.tolist(), models.target.tolist(), strict=True))
            boundaries, bases = board.boundaries(positions, occupied), board.bases(positions)[0]
            for i, k in np.ndindex(answers.shape):
                found = t9a.explain_sight(board, positions, i, k, present=battle.present[state], **masks)
                reasons.add(found.reason)
                assert found.visible == answers[i, k]
                if found.visible:
                    assert (found.slot, k) in pairs
                    aims = [
                        boundaries[k],
                        *(bases[m] for m in range(board.n_models) if board.model_unit[m] == k),
                    ]
                    check_line(board, positions, occupied, found, i, aims)
                elif found.reason == "hidden":
                    assert found.blockers
                    less, present = without(board, battle.present[state], found.blockers)
                    assert t9a.explain_sight(less, positions, i, k, present=present, **masks).visible
    assert reasons == {"seen", "touching", "same unit", "absent", "outside the arc", "hidden"}


def test_points_and_models_on_random_boards(battles):
    rng = np.random.default_rng(3)
    for battle in battles:
        board, positions = battle.board, battle.positions[0]
        masks = {"present": battle.present[0], "occupied": battle.occupied[0]}
        points = rng.normal([36, 36], 8, (12, 2))
        seen = t9a.sees_points(board, positions, points, **masks)
        slots = rng.choice(board.n_models, 12, replace=False)
        rows = t9a.models_see(board, positions, target_models=slots, **masks)
        pairs = set(zip(board.model_unit[rows.model].tolist(), rows.target.tolist(), strict=True))
        for i in range(len(board)):
            for k, point in enumerate(points):
                found = t9a.explain_sight(board, positions, i, point, **masks)
                assert found.visible == seen[i, k]
                if found.visible:
                    check_line(board, positions, battle.occupied[0], found, i, [ng.Bases.point(*point)])
            for slot in slots.tolist():
                found = t9a.explain_sight(board, positions, i, target_model=slot, **masks)
                assert found.visible == ((i, slot) in pairs)


def test_lines_are_free():
    """Units of one height and walls: what is in the way is known without the rules."""
    rng = np.random.default_rng(4)
    n_seen = 0
    for _ in range(30):
        units = [Unit(f"unit {i}", (INCH, INCH), models=int(rng.integers(1, 12))) for i in range(12)]
        walls = [Terrain(box(x, y, x + 3, y + 1), kind="impassable") for x, y in rng.uniform(25, 45, (3, 2))]
        board = Board(units, walls)
        positions = np.column_stack([rng.uniform(24, 48, (12, 2)), rng.uniform(-3, 3, 12)])
        outlines = [*board.boundaries(positions).to_shapely(), *board.opaque_outlines.to_shapely()]
        for i, k in rng.integers(0, 12, (12, 2)):
            found = t9a.explain_sight(board, positions, int(i), int(k))
            if found.reason == "seen":
                others = [outline for j, outline in enumerate(outlines) if j not in (i, k)]
                line = shapely.linestrings([found.start, found.end])
                assert not shapely.intersects(line, shapely.buffer(others, -1e-5)).any()
                n_seen += 1
    assert n_seen > 30


# ------------------------------------------------------------------------------------------------- errors


BOARD = Board([one_inch(), one_inch("other")])
POSITIONS = [[5, 5, NORTH], [20, 20, 0]]


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({}, ValueError, "give one of target and target_model"),
        ({"target": 1, "target_model": 1}, ValueError, "give one of target and target_model"),
        ({"target": "othr"}, ValueError, "target.*did you mean 'other'"),
        ({"target": 2}, ValueError, "target.*from 0 to 1, got 2"),
        ({"target": True}, TypeError, "target must be a unit or a point, got True"),
        ({"target": (1, 2, 3)}, ValueError, r"target must be a unit or a point \(x, y\)"),
        ({"target": (1, math.inf)}, ValueError, "target"),
        ({"target_model": 2}, ValueError, "target_model must be from 0 to 1, got 2"),
        ({"target_model": "other"}, TypeError, "target_model must be the slot of a model, got 'other'"),
        ({"target": 1, "observer": "archr"}, ValueError, "observer.*did you mean 'archer'"),
        ({"target": 1, "positions": [POSITIONS]}, ValueError, "positions must be those of one state"),
        ({"target": 1, "present": [[True, True]]}, ValueError, "present must be those of one state"),
        ({"target": 1, "tol": 0.0}, ValueError, "tol"),
    ],
)
def test_errors(more, error, message):
    arguments = {"positions": POSITIONS, "observer": 0} | more
    with pytest.raises(error, match=message):
        t9a.explain_sight(BOARD, **arguments)


def test_a_hill_that_holds_an_end_of_all_lines_is_not_named() -> None:
    hill = Terrain([(20, 0), (40, 0), (40, 20), (20, 20)], kind="hill")
    wall = Terrain([(20, 24), (40, 24), (40, 26), (20, 26)], kind="impassable")
    for own, other in ((10.0, 40.0), (40.0, 10.0)):
        heading = math.copysign(math.pi / 2, other - own)
        board = Board([Unit("bows", (20, 20)), Unit("orcs", (20, 20))], [hill, wall])
        explained = t9a.explain_sight(board, [(30, own, heading), (30, other, heading)], "bows", "orcs")
        assert explained.reason == "hidden"
        assert [str(name) for name in explained.blockers] == ["impassable 1"]
