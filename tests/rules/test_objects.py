"""What units touch and lie on, and where they may stand, case by case."""

import math

import numpy as np
import pytest

from ninthgeom import Board, Relation, Terrain, Unit, in_contact, t9a
from tests.rules.tables import EAST, NORTH, SOUTH

INCH = 25.4
PLACING = (t9a.on_table, t9a.spacing_ok, t9a.legal)
every_question = pytest.mark.parametrize("question", PLACING, ids=lambda question: question.__name__)


def tuples(rows):
    return list(zip(*(column.tolist() for column in rows.columns.values()), strict=True))


def found(table, **more):
    """What lies how to what: (unit, other) of units, (unit, None, piece) of terrain -> relation, contact."""
    board = table.board
    rows = t9a.overlaps(board, table.positions, **more)
    assert not rows.state.any()
    return {
        (board.names[unit], None, other) if is_terrain else (board.names[unit], board.names[other]): (
            Relation(code),
            contact,
        )
        for _, unit, other, is_terrain, code, contact in tuples(rows)
    }


def spaced(table, **more):
    return t9a.spacing_ok(table.board, table.positions, **more).tolist()


# ------------------------------------------------------------------------------------ overlaps, case by case


def test_e37_a_flyer_over_a_forest_overlaps_without_contact(table):
    table.unit("eagle", 0, 0, NORTH, (50, 50), flying=True)
    table.wall(-100, -100, 100, 100, kind="forest")
    assert found(table) == {("eagle", None, 0): (Relation.INSIDE, False)}
    assert found(table, aloft=[False]) == {("eagle", None, 0): (Relation.INSIDE, True)}  # it has landed


@pytest.mark.parametrize("flying", [False, True])
def test_e38_edge_on_the_edge_of_a_forest_is_contact_but_not_inside(table, flying):
    table.unit("spears", 0, 0, NORTH, models=10, flying=flying)
    table.wall(-200, 0, 200, 100, kind="forest")
    ((what, (code, contact)),) = found(table).items()
    assert what == ("spears", None, 0)
    assert code == Relation.LINE < Relation.PARTIAL
    assert contact is not flying  # edges belong to what a unit in the air overlaps with


def test_overlapping_is_contact_on_the_ground_whatever_the_terrain(table):
    table.unit("spears", 0, 0, NORTH, models=10)
    kinds = ["impassable", "hill", "forest", "field", "ruin", "water", "wall"]
    for kind in kinds:
        table.wall(0, -10, 300, 100, kind=kind)
    assert found(table) == {("spears", None, i): (Relation.PARTIAL, True) for i in range(len(kinds))}


def test_pieces_inside_units_and_apart_from_them(table):
    table.unit("spears", 0, 0, NORTH, models=10)  # 100 wide, 40 deep
    table.wall(-5, -25, 5, -15, kind="wall")
    table.wall(60, -25, 70, -15, kind="wall")
    table.wall(-50, -40, 50, 0, kind="field")
    assert found(table) == {
        ("spears", None, 0): (Relation.CONTAINS, True),
        ("spears", None, 2): (Relation.EQUAL, True),
    }


def test_e42_contact_with_several_units_at_once(table):
    table.unit("charger", 0, 0, NORTH, (25, 50), models=4, files=4)  # 100 wide
    table.unit("front", -50, 0, SOUTH, models=10)  # from -100 to 0
    table.unit("corner", 75, 0, SOUTH, (50, 50))  # from 50 to 100
    table.unit("near", 0, 40.2, SOUTH, models=3)
    line, point = (Relation.LINE, True), (Relation.POINT, True)
    assert found(table) == {
        ("charger", "front"): line,
        ("front", "charger"): line,
        ("charger", "corner"): point,
        ("corner", "charger"): point,
    }
    assert spaced(table) == [False] * 4
    engaged = np.zeros((4, 4), np.bool_)
    engaged[0, 1] = True
    assert spaced(table, observers=["charger"], engaged=engaged) == [False]  # it clips the second one
    engaged[2, 0] = True
    present = [True, True, True, False]
    assert spaced(table, engaged=engaged, present=present) == [True, True, True, False]


def test_codes_of_a_pair_mirror_each_other(table):
    table.unit("block", 0, 0, NORTH, models=25)
    table.unit("hero", 0, -40, EAST)
    table.unit("twin", 0, 0, NORTH, models=25)
    table.unit("gun", 0, 15, NORTH, 30, shape="round")
    codes = {pair: code for pair, (code, _) in found(table).items()}
    assert codes == {
        ("block", "hero"): Relation.CONTAINS,
        ("block", "twin"): Relation.EQUAL,
        ("block", "gun"): Relation.POINT,
        ("hero", "block"): Relation.INSIDE,
        ("hero", "twin"): Relation.INSIDE,
        ("twin", "block"): Relation.EQUAL,
        ("twin", "hero"): Relation.CONTAINS,
        ("twin", "gun"): Relation.POINT,
        ("gun", "block"): Relation.POINT,
        ("gun", "twin"): Relation.POINT,
    }


def test_only_who_is_in_the_air_overlaps_without_contact(table):
    table.unit("eagle", 0, 0, NORTH, (50, 50), flying=True)
    table.unit("spears", 0, -10, SOUTH, models=10)
    table.unit("guard", 0, -50, NORTH, models=10)  # behind both: it touches the eagle alone
    table.wall(-10, -30, 10, -20, kind="field")
    table.wall(-10, 20, 10, 30, kind="field")
    contact = {pair: contact for pair, (_, contact) in found(table).items()}
    assert contact == {
        ("eagle", "spears"): False,
        ("eagle", "guard"): False,
        ("eagle", None, 0): False,
        ("spears", "eagle"): False,
        ("spears", None, 1): True,
        ("guard", "eagle"): False,
    }
    flown = found(table, aloft=[False, True, False])
    assert {pair for pair, (_, contact) in flown.items() if contact} == {
        ("eagle", "guard"),
        ("guard", "eagle"),
        ("eagle", None, 0),
    }


def test_absent_units_have_no_rows(table):
    for name in "abc":
        table.unit(name, 0, 0, NORTH)
    table.wall(-10, -10, 10, 10)
    assert len(found(table)) == 9
    assert set(found(table, present=[True, False, True])) == {
        ("a", "c"),
        ("c", "a"),
        ("a", None, 0),
        ("c", None, 0),
    }
    assert set(found(table, occupied=[False, True, False])) == {("b", None, 0)}


def test_touching_within_the_tolerance(table):
    table.unit("a", 0, 0, NORTH)
    table.unit("near", 0, 20 + 0.5e-6 * INCH, NORTH)
    table.unit("far", 20 + 2e-6 * INCH, 0, NORTH)
    assert ("a", "near") in found(table)
    assert ("a", "far") not in found(table)
    assert ("a", "far") in found(table, tol=1e-5)


# ------------------------------------------------------------------------------------- spacing, case by case


@pytest.mark.parametrize(("moving", "limit"), [(False, 1.0), (True, 0.5)])
@pytest.mark.parametrize(
    ("more", "is_kept"), [(-0.01, False), (0.0, False), (0.5e-6, False), (2e-6, True), (0.01, True)]
)
def test_e41_exactly_an_inch_is_too_near(table, moving, limit, more, is_kept):
    table.unit("spears", 0, 0, NORTH, models=10)
    table.unit("friend", 0, -40 - (limit + more) * INCH, NORTH, models=5)
    table.unit("gun", 300, 0, NORTH, 60, shape="round", side=1)
    table.wall(330 + (limit + more) * INCH, -100, 400, 100)
    assert spaced(table, moving=moving) == [is_kept] * 3


def test_spacing_is_kept_from_impassable_terrain_only(table):
    table.unit("spears", 0, 0, NORTH, models=10)
    for kind in ("hill", "forest", "field", "ruin", "water", "wall"):
        table.wall(-100, -10, 100, 100, kind=kind, opaque=True)
    assert spaced(table) == [True]
    table.wall(-100, 25, 100, 100)
    assert spaced(table) == [False]


def test_spacing_is_kept_from_empty_slots_of_the_rear_rank(table):
    table.unit("spears", 0, 0, NORTH, models=6)  # the second rank holds one of five
    table.unit("other", 40, -40 - 0.9 * INCH, NORTH)
    assert spaced(table) == [False, False]
    occupied = table.board.occupied.copy()
    occupied[5:10] = False
    assert spaced(table, occupied=occupied) == [True, True]


def test_inside_impassable_terrain_and_in_its_notch():
    notched = [(20, 20), (30, 20), (30, 30), (26.2, 30), (26.2, 21), (23.8, 21), (23.8, 30), (20, 30)]
    board = Board([Unit("hero", (INCH / 10, INCH / 10))], [Terrain(notched, kind="impassable")])
    positions = np.array([[[21.5, 25, 0]], [[25.05, 26, 0]], [[25.3, 26, 0]], [[25.05, 21.9, 0]]])
    assert t9a.spacing_ok(board, positions)[:, 0].tolist() == [False, True, False, False]
    assert t9a.legal(board, positions)[:, 0].tolist() == [False, True, False, False]


def test_engaged_pairs_in_either_order_need_no_distance(table):
    table.unit("knights", 0, 0, NORTH, (25, 50), models=5)
    table.unit("spears", 0, 0, SOUTH, models=10, side=1)
    table.unit("archers", 0, 50, SOUTH, models=10, side=1)
    assert spaced(table) == [False, False, False]
    engaged = np.zeros((3, 3), np.bool_)
    engaged[1, 0] = True
    for mask in (engaged, engaged.T):
        assert spaced(table, engaged=mask) == [True, False, False]  # 10 mm are too little for the others
        assert spaced(table, engaged=mask, observers=["knights", 1]) == [True, False]


def test_absent_units_keep_no_distance_and_nobody_keeps_it_from_them(table):
    table.unit("a", 0, 0, NORTH)
    table.unit("b", 0, 30, NORTH)
    assert spaced(table) == [False, False]
    assert spaced(table, present=[True, False]) == [True, False]
    assert spaced(table, occupied=[False, True]) == [False, True]
    table.positions[1] = [math.nan] * 3
    assert spaced(table, present=[[True, False], [False, False]]) == [[True, False], [False, False]]


def test_units_in_the_air_pass_over_everything_while_moving(table):
    table.unit("eagle", 0, 0, NORTH, (50, 50), flying=True)
    table.unit("spears", 0, -10, SOUTH, models=10)
    table.wall(-10, -60, 10, -40)
    assert spaced(table) == [False, False]
    assert spaced(table, aloft=[True, True]) == [False, False]  # every move ends on the ground
    assert spaced(table, moving=True) == [True, True]
    assert spaced(table, moving=True, aloft=[False, False]) == [False, False]
    # who is below a unit in the air still keeps off the terrain
    assert spaced(table, moving=True, aloft=[False, True]) == [False, True]


# ----------------------------------------------------------------------------------- the table and legal ones


SIZE = (71.3, 47.7)
# Half the extent of each along x and y, headings included.
KINDS = {
    "square": (Unit("one", (2 * INCH, 2 * INCH)), [0.0, 0.5 * math.pi, math.pi, -0.5 * math.pi], 1.0),
    "corner": (Unit("one", (2 * INCH, 2 * INCH)), [math.pi / 4, -0.75 * math.pi], math.sqrt(2)),
    "disc": (Unit("one", 2 * INCH, shape="round"), [0.0, 0.3, 2.0], 1.0),
    "ranks": (Unit("one", (INCH, INCH), models=3, files=2), [0.0, 0.5 * math.pi, 3.5 * math.pi], 1.0),
}


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("beyond", "is_on"), [(-1.0, True), (0.0, True), (0.5e-6, True), (2e-6, False)])
def test_the_edge_belongs_to_the_table(kind, beyond, is_on):
    unit, headings, half = KINDS[kind]
    board = Board([unit], size=SIZE)
    width, height = SIZE
    far = half - beyond
    middles = [
        (far, 20),
        (width - far, 20),
        (20, far),
        (20, height - far),
        (far, far + max(beyond, 0)),
        (width - far - max(beyond, 0), height - far),
    ]
    centres = np.array([[[[x, y, heading]] for x, y in middles] for heading in headings])
    positions = board.positions_from_centres(centres)
    assert (t9a.on_table(board, positions) == is_on).all()
    assert (t9a.legal(board, positions) == is_on).all()
    assert t9a.spacing_ok(board, positions).all()
    assert not t9a.on_table(board, positions, present=[False]).any()


def test_empty_slots_are_on_the_table_too():
    board = Board([Unit("spears", (INCH, INCH), models=6, files=5)])
    positions = np.array([[[1.5, 24, EAST]], [[2.0, 24, EAST]], [[2.0, 2, EAST]]])
    assert t9a.on_table(board, positions)[:, 0].tolist() == [False, True, False]
    occupied = board.occupied.copy()
    occupied[5:] = False
    assert t9a.on_table(board, positions, occupied=occupied)[:, 0].tolist() == [True, True, False]


def place(*places):
    """Squares of one inch that face north, in inches, by the middles of their front edges."""
    return np.array([[x, y, NORTH] for x, y in places], float)


ONES = [Unit(name, (INCH, INCH), flying=name == "c") for name in "abc"]


def test_legal_units_are_on_the_table_and_apart():
    board = Board(ONES, [Terrain([(30, 30), (40, 30), (40, 40), (30, 40)], kind="impassable")])
    assert t9a.legal(board, place((10, 10), (20, 10), (30, 10))).tolist() == [True, True, True]
    assert t9a.legal(board, place((0.4, 10), (20, 10), (30, 10))).tolist() == [False, True, True]
    assert t9a.legal(board, place((10, 10), (12, 10), (30, 28.9))).tolist() == [False, False, True]
    assert t9a.legal(board, place((10, 10), (20, 10), (30, 29))).tolist() == [True, True, False]


@pytest.mark.parametrize("deep", [-0.5, 0.0, 0.5e-6, 2e-6, 0.3, 1.0])
def test_engaged_units_touch_but_do_not_overlap(deep):
    board = Board(ONES)
    engaged = np.zeros((3, 3), np.bool_)
    engaged[1, 0] = True
    positions = place((10, 10), (10, 11 - deep), (20, 10))
    assert t9a.legal(board, positions).tolist() == [False, False, True]
    assert t9a.spacing_ok(board, positions, engaged=engaged).all()
    is_legal = deep < 1e-6
    assert t9a.legal(board, positions, engaged=engaged).tolist() == [is_legal, is_legal, True]
    assert t9a.legal(board, positions, engaged=engaged, observers=[1]).tolist() == [is_legal]
    flown = {"engaged": engaged, "aloft": [True, False, False]}
    assert t9a.legal(board, positions, **flown).tolist() == [is_legal, is_legal, True]
    assert t9a.legal(board, positions, moving=True, **flown).all()


def test_in_the_air_units_stay_on_the_table():
    board = Board(ONES, [Terrain([(30, 30), (40, 30), (40, 40), (30, 40)], kind="impassable")])
    for x, is_on in ((35.0, True), (71.5, True), (71.6, False)):
        positions = place((10, 10), (x, 10), (x, 10.2))
        assert t9a.legal(board, positions, moving=True).tolist() == [True, is_on, is_on]
    over_the_rock = place((10, 10), (20, 10), (35, 35))
    assert t9a.legal(board, over_the_rock, moving=True).tolist() == [True, True, True]
    assert t9a.legal(board, over_the_rock).tolist() == [True, True, False]


# -------------------------------------------------------------------------------------- nothing, and nonsense


@every_question
def test_empty_questions(battle, question):
    n = len(battle.board)
    assert question(battle.board, np.empty((0, n, 3))).shape == (0, n)
    assert question(battle.board, np.empty((2, 0, n, 3)), present=np.ones(n, bool)).shape == (2, 0, n)
    assert question(battle.board, battle.positions, observers=[]).shape == (len(battle.positions), 0)
    assert question(Board([]), np.empty((4, 0, 3))).shape == (4, 0)
    assert question(Board([], battle.board.terrain), np.empty((4, 0, 3))).shape == (4, 0)
    assert question(battle.board, battle.positions[0]).shape == (n,)


def test_no_rows(battle):
    n = len(battle.board)
    for board, positions, more in (
        (battle.board, np.empty((2, 0, n, 3)), {}),
        (battle.board, battle.positions, {"observers": []}),
        (battle.board, battle.positions, {"present": np.zeros(n, np.bool_)}),
        (Board(battle.board.units), battle.positions, {"targets": []}),
        (Board([], battle.board.terrain), np.empty((4, 0, 3)), {}),
        (Board([]), np.empty((4, 0, 3)), {}),
    ):
        rows = t9a.overlaps(board, positions, **more)
        assert len(rows) == 0
        assert rows.shape == positions.shape[:-2]
        assert rows.relation.dtype == np.uint8
    assert t9a.overlaps(battle.board, battle.positions, targets=[]).is_terrain.all()


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (
            {"aloft": np.ones(8, bool)},
            ValueError,
            r"^aloft must have shape \(\.\.\., 9\) for 9 units, got \(8,\)$",
        ),
        ({"aloft": np.array(True)}, ValueError, r"^aloft must have shape \(\.\.\., 9\) .*, got \(\)$"),
        ({"aloft": np.ones(9)}, TypeError, r"^aloft must hold booleans, got dtype float64$"),
        ({"aloft": np.ones((7, 9), bool)}, ValueError, r"leading axes \(7,\) of aloft do not broadcast"),
        (
            {"engaged": np.ones(9, bool)},
            ValueError,
            r"^engaged must have shape \(\.\.\., 9, 9\) for 9 units, got \(9,\)$",
        ),
        ({"engaged": np.ones((9, 8), bool)}, ValueError, r"^engaged must have shape .*, got \(9, 8\)$"),
        ({"engaged": np.ones((9, 9), int)}, TypeError, r"^engaged must hold booleans, got dtype int64$"),
        ({"engaged": np.ones((7, 9, 9), bool)}, ValueError, r"axes \(7,\) of engaged do not broadcast"),
        ({"moving": 1}, TypeError, r"^moving: must be True or False, got 1$"),
        ({"present": np.ones(8, bool)}, ValueError, r"^present must have .* for 9 units, got \(8,\)$"),
        ({"observers": ["spear"]}, ValueError, "^observers: no unit is named 'spear'"),
        (
            {"rules": "3E"},
            TypeError,
            "^rules must be Rules, such as SECOND_EDITION of ninthgeom.t9a, got str$",
        ),
    ],
)
@pytest.mark.parametrize("question", [*PLACING, t9a.overlaps], ids=lambda question: question.__name__)
def test_wrong_arguments(battle, question, arguments, error, message):
    takes = {t9a.on_table: set(), t9a.overlaps: {"aloft"}}.get(question, {"aloft", "engaged", "moving"})
    if not set(arguments) <= takes | {"present", "observers", "rules"}:
        message, error = "unexpected keyword argument", TypeError
    with pytest.raises(error, match=message):
        question(battle.board, battle.positions, **arguments)


def test_outlines_of_the_board(battle):
    board = battle.board
    assert len(board.terrain_outlines) == len(board.terrain)
    assert len(board.impassable_outlines) == 1
    assert board.impassable_outlines is board.impassable_outlines  # cut in pieces once
    assert in_contact(board.impassable_outlines, board.terrain_outlines[:1]).all()
