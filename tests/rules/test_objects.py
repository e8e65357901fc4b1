"""What units touch and lie on, and where they may stand."""

import math

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Relation, Rows, Terrain, Unit, in_contact, relation, t9a
from tests.rules.conftest import TERRAIN, UNITS, Battle, star
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


# ---------------------------------------------------------------------------------- against other definitions


def living(battle):
    """Units that are on the table and hold a model."""
    starts = [slots.start for slots in battle.board.model_slices]
    return battle.present & np.logical_or.reduceat(battle.occupied, starts, axis=-1)


def test_rows_are_what_relation_says(battle):
    rows = t9a.overlaps(battle.board, battle.positions, **battle.masks)
    assert isinstance(rows, Rows)
    assert list(rows.columns) == ["state", "unit", "other", "is_terrain", "relation", "contact"]
    kinds = {name: column.dtype for name, column in rows.columns.items()}
    assert kinds == {
        **dict.fromkeys(("state", "unit", "other"), np.intp),
        **dict.fromkeys(("is_terrain", "contact"), np.bool_),
        "relation": np.uint8,
    }
    of_units = rows[~rows.is_terrain]
    boundaries, there = battle.board.boundaries(battle.positions, battle.occupied), living(battle)
    codes = relation(boundaries[:, :, None], boundaries[:, None, :])
    codes[~(there[:, :, None] & there[:, None, :] & ~np.eye(len(battle.board), dtype=bool))] = 0
    dense = np.zeros_like(codes)
    dense[of_units.state, of_units.unit, of_units.other] = of_units.relation
    np.testing.assert_array_equal(dense, codes)
    contact = t9a.units_in_contact(battle.board, battle.positions, **battle.masks)
    np.testing.assert_array_equal(dense > 0, contact)
    of_terrain = rows[rows.is_terrain]
    codes = relation(boundaries[:, :, None], battle.board.terrain_outlines)
    codes[~there] = 0
    dense = np.zeros_like(codes)
    dense[of_terrain.state, of_terrain.unit, of_terrain.other] = of_terrain.relation
    np.testing.assert_array_equal(dense, codes)
    keys = tuples(rows)
    assert keys == sorted(keys, key=lambda row: (row[0], row[1], row[3], row[2]))
    assert rows.contact.all()  # nobody flies


def test_the_two_rows_of_a_pair_mirror_each_other(battles):
    mirrored = {code: code for code in Relation}
    mirrored |= {Relation.INSIDE: Relation.CONTAINS, Relation.CONTAINS: Relation.INSIDE}
    for battle in battles:
        aloft = np.random.default_rng(6).random(battle.present.shape) < 0.3
        rows = t9a.overlaps(battle.board, battle.positions, aloft=aloft, **battle.masks)
        pairs = set(tuples(rows[~rows.is_terrain]))
        assert pairs == {(s, b, a, t, mirrored[code], contact) for s, a, b, t, code, contact in pairs}


def test_spacing_is_what_distances_say(battles):
    for battle in battles:
        distance = t9a.distances(battle.board, battle.positions, **battle.masks)
        alone = Board(battle.board.units)
        for moving, limit in ((False, 1.0), (True, 0.5)):
            np.testing.assert_array_equal(
                t9a.spacing_ok(alone, battle.positions, moving=moving, **battle.masks),
                (distance > limit + 1e-6).all(axis=-1) & living(battle),
            )


def cores(bases):
    """The bases without their radii, as shapely geometries: rectangles, lines or points."""
    forward = np.stack([np.cos(bases.heading), np.sin(bases.heading)], -1)
    left = np.stack([-forward[..., 1], forward[..., 0]], -1)
    ahead = (bases.depth / 2 - bases.radius)[..., None] * forward
    aside = (bases.width / 2 - bases.radius)[..., None] * left
    middle = np.stack([bases.x, bases.y], -1)
    corners = np.stack(
        [middle + ahead + aside, middle + ahead - aside, middle - ahead - aside, middle - ahead + aside], -2
    )
    return shapely.convex_hull(shapely.multipoints(shapely.points(corners)))


def depth_in(points, core, radius):
    """How deep the least deep of the points lies in a core widened by a radius."""
    points = shapely.points(points)
    outside = shapely.distance(points, core)
    inside = np.zeros(len(points))
    if core.area:
        inside = np.where(outside == 0, shapely.distance(points, core.boundary), 0.0)
    return float((inside - outside).min()) + radius


def expected(a, a_radius, b, b_radius):
    """Relation by distances of cores; None where it hangs on less than 1e-5."""
    gap = shapely.distance(a, b) - a_radius - b_radius
    if abs(gap) < 1e-5 and (gap != 0 or a.intersection(b).area < 1e-4):
        return None
    if gap > 0:
        return Relation.APART
    a_in_b = depth_in(shapely.get_coordinates(a), b, b_radius) - a_radius
    b_in_a = depth_in(shapely.get_coordinates(b), a, a_radius) - b_radius
    if not shapely.equals(b, b.convex_hull):  # then corners alone do not tell
        lies_in = a.within(b) and shapely.distance(a, b.exterior) > a_radius
        a_in_b = shapely.distance(a, b.exterior) - a_radius if lies_in else min(a_in_b, -1.0)
    if min(abs(a_in_b), abs(b_in_a)) < 1e-5:
        return None
    return Relation.INSIDE if a_in_b > 0 else Relation.CONTAINS if b_in_a > 0 else Relation.PARTIAL


def crowd(seed, spread):
    """Many units, of all sizes, in and round large pieces of terrain, some over the edge of the table."""
    rng = np.random.default_rng(seed)
    size = (12.0, 10.0)
    terrain = [Terrain(star(rng, *rng.uniform(0, size), rng.uniform(2, 6)), **kind) for kind in TERRAIN]
    board = Board([*UNITS, Unit("imp", (20, 20)), Unit("drake", (150, 100))], terrain, size)
    positions = np.empty((25, len(board), 3))
    positions[..., :2] = rng.normal((6, 5), spread, (25, len(board), 2))
    positions[..., 2] = rng.uniform(-np.pi, np.pi, (25, len(board)))
    present = rng.random((25, len(board))) < 0.4
    return Battle(board, positions, present, board.occupied & (rng.random((25, board.n_models)) < 0.8))


@pytest.mark.parametrize("spread", [2.0, 4.0, 8.0])
def test_against_shapely(spread):
    battle = crowd(100, spread)
    board, n_units, n_pieces = battle.board, len(battle.board), len(battle.board.terrain)
    bases, there = board.boundaries(battle.positions, battle.occupied), living(battle)
    units, radii = cores(bases), bases.radius
    rows = t9a.overlaps(board, battle.positions, **battle.masks)
    codes = np.zeros((*there.shape, n_units + n_pieces), np.uint8)
    codes[rows.state, rows.unit, rows.other + n_units * rows.is_terrain] = rows.relation
    outlines = [shapely.Polygon(piece.outline) for piece in board.terrain]
    table = shapely.box(0, 0, *board.size)
    engaged = np.random.default_rng(101).random((*there.shape, n_units)) < 0.3
    masks = {"engaged": engaged, **battle.masks}
    on = t9a.on_table(board, battle.positions, **battle.masks)
    spacing, legal = (q(board, battle.positions, **masks) for q in (t9a.spacing_ok, t9a.legal))
    assert not (on | spacing | legal | codes.any(axis=-1))[~there].any()
    count, n_legal = dict.fromkeys((*Relation, None), 0), 0
    for state, i in np.argwhere(there):
        core, radius = units[state, i], radii[state, i]
        nearest, is_over, is_sure = math.inf, False, True
        for j, (other, other_radius) in enumerate(
            [*zip(units[state], radii[state], strict=True), *((piece, 0.0) for piece in outlines)]
        ):
            if j == i or (j < n_units and not there[state, j]):
                assert codes[state, i, j] == Relation.APART
                continue
            code = expected(core, radius, other, other_radius)
            count[code] += 1
            assert code is None or codes[state, i, j] == code
            if j < n_units and (engaged[state, i, j] or engaged[state, j, i]):
                is_over |= code != Relation.APART
                is_sure &= code is not None
            elif j < n_units or board.terrain[j - n_units].kind == "impassable":
                nearest = min(nearest, core.distance(other) - radius - other_radius)
        room = depth_in(shapely.get_coordinates(core), table, 0.0) - radius
        assert min(abs(room), abs(nearest - 1.0)) > 1e-5  # or it hangs on a hair
        assert on[state, i] == (room > 0.0)
        assert spacing[state, i] == (nearest > 1.0)
        if is_sure:
            assert legal[state, i] == (room > 0.0 and nearest > 1.0 and not is_over)
        n_legal += legal[state, i]
    assert count[None] <= 1
    for code in (Relation.APART, Relation.PARTIAL, Relation.INSIDE, Relation.CONTAINS):
        assert count[code] > 0, count
    assert n_legal > 0


# --------------------------------------------------------------------------------------------------- laws


@pytest.fixture(scope="module")
def masks(battle):
    rng = np.random.default_rng(9)
    shape = battle.present.shape
    return {
        "engaged": rng.random((*shape, shape[-1])) < 0.2,
        "aloft": rng.random(shape) < 0.3,
        **battle.masks,
    }


def options(question, masks):
    """The masks that a question takes."""
    mine = {t9a.on_table: (), t9a.overlaps: ("aloft",)}.get(question, ("aloft", "engaged"))
    return {name: masks[name] for name in (*mine, "present", "occupied")}


def all_answers(board, positions, masks, **more):
    """Answers of every question, moving too."""
    answers = [question(board, positions, **options(question, masks), **more) for question in PLACING]
    answers += [
        question(board, positions, moving=True, **options(question, masks), **more)
        for question in (t9a.spacing_ok, t9a.legal)
    ]
    return answers, t9a.overlaps(board, positions, **options(t9a.overlaps, masks), **more)


def assert_same(one, other):
    for a, b in zip(one[0], other[0], strict=True):
        np.testing.assert_array_equal(a, b)
    assert one[1] == other[1]


@pytest.fixture(scope="module")
def before(battle, masks):
    return all_answers(battle.board, battle.positions, masks)


def test_the_battle_has_answers_of_every_kind(before):
    dense, rows = before
    for answer in dense:
        assert answer.dtype == np.bool_
        assert 0 < answer.sum() < answer.size
    assert set(rows.contact.tolist()) == {True, False}


def test_legal_is_stricter_than_its_parts(before):
    on, spacing, legal, spacing_moving, legal_moving = before[0]
    assert not (legal & ~(on & spacing)).any()
    assert not (legal_moving & ~(on & spacing_moving)).any()
    assert not (spacing & ~spacing_moving).any()
    assert not (legal & ~legal_moving).any()


def test_chunks_do_not_change_the_answers(battle, masks, before, monkeypatch):
    monkeypatch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 200_000)  # a few states
    assert_same(all_answers(battle.board, battle.positions, masks), before)


def test_workers_do_not_change_the_answers(battle, masks, before, monkeypatch):
    monkeypatch.setattr("ninthgeom._parallel.WORTH_A_THREAD_NS", 0.0)
    monkeypatch.setattr("ninthgeom._parallel.SHORTEST_CHUNK_NS", 1.0)
    assert_same(all_answers(battle.board, battle.positions, masks, workers=2), before)


def test_a_batch_is_the_sum_of_its_parts(battle, masks, before):
    rows = []
    for start, stop in ((0, 11), (11, 12), (12, len(battle.positions))):
        part = {name: mask[start:stop] for name, mask in masks.items()}
        dense, sparse = all_answers(battle.board, battle.positions[start:stop], part)
        for answer, whole in zip(dense, before[0], strict=True):
            np.testing.assert_array_equal(answer, whole[start:stop])
        rows += [(state + start, *rest) for state, *rest in tuples(sparse)]
    assert rows == tuples(before[1])


def test_observers_are_slices_of_the_whole(battle, masks, before):
    observers = ["wyrm", 0, 3, "wyrm"]
    columns = battle.board.indices(observers)
    dense, rows = all_answers(battle.board, battle.positions, masks, observers=observers)
    for answer, whole in zip(dense, before[0], strict=True):
        np.testing.assert_array_equal(answer, whole[:, columns])
    assert rows == before[1][np.isin(before[1].unit, columns)]
    targets = {"targets": ["giant", 1], **options(t9a.overlaps, masks)}
    rows = t9a.overlaps(battle.board, battle.positions, observers=observers, **targets)
    is_asked = before[1].is_terrain | np.isin(before[1].other, battle.board.indices(targets["targets"]))
    assert rows == before[1][np.isin(before[1].unit, columns) & is_asked]


def test_permuted_units_and_terrain_give_permuted_answers(battle, masks, before):
    order = np.random.default_rng(5).permutation(len(battle.board))
    board = Board([battle.board.units[i] for i in order], battle.board.terrain[::-1])
    slots = np.concatenate([np.arange(battle.board.n_models)[battle.board.model_slices[i]] for i in order])
    permuted = {
        "present": masks["present"][:, order],
        "aloft": masks["aloft"][:, order],
        "engaged": masks["engaged"][:, order][:, :, order],
        "occupied": masks["occupied"][:, slots],
    }
    dense, rows = all_answers(board, battle.positions[:, order], permuted)
    for answer, whole in zip(dense, before[0], strict=True):
        np.testing.assert_array_equal(answer, whole[:, order])
    last = len(board.terrain) - 1
    back = [
        (state, order[unit], last - other if is_terrain else order[other], is_terrain, *rest)
        for state, unit, other, is_terrain, *rest in tuples(rows)
    ]
    assert sorted(back) == sorted(tuples(before[1]))


@pytest.mark.parametrize(("angle", "shift"), [(0.3, (0, 0)), (math.pi / 2, (72, 0)), (-2.0, (400, -300))])
def test_rigid_motion_changes_nothing(battle, masks, before, angle, shift):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    terrain = [Terrain(piece.outline @ turn.T + shift, kind=piece.kind) for piece in battle.board.terrain]
    moved = np.empty_like(battle.positions)
    moved[..., :2] = battle.positions[..., :2] @ turn.T + shift
    moved[..., 2] = battle.positions[..., 2] + angle
    board = Board(battle.board.units, terrain)
    (_, spacing, *_), rows = all_answers(board, moved, masks)
    np.testing.assert_array_equal(spacing, before[0][1])
    assert rows == before[1]


def test_positions_of_absent_units_are_not_looked_at(battle, masks, before):
    nowhere = np.where(battle.present[..., None], battle.positions, np.nan)
    assert_same(all_answers(battle.board, nowhere, masks), before)


def test_wider_tolerances(battle):
    board = Board(battle.board.units)
    distance = t9a.distances(board, battle.positions)
    rows = t9a.overlaps(board, battle.positions, tol=0.25)
    assert len(rows) == np.count_nonzero(distance <= 0.25)
    spacing = t9a.spacing_ok(board, battle.positions, tol=0.25)
    np.testing.assert_array_equal(spacing, (distance > 1.25).all(axis=-1))


def test_masks_bring_leading_axes_of_their_own(battle):
    board, n = battle.board, len(battle.board)
    rng = np.random.default_rng(11)
    positions = battle.positions[:2, None]
    masks = {
        "present": rng.random((3, n)) < 0.8,
        "occupied": board.occupied & (rng.random((2, 1, board.n_models)) < 0.8),
        "aloft": rng.random((2, 1, 1, n)) < 0.3,
        "engaged": rng.random((1, 3, n, n)) < 0.2,
    }
    for moving in (False, True):
        answer = t9a.legal(board, positions, moving=moving, **masks)
        assert answer.shape == (2, 2, 3, n)
    whole = {
        name: np.broadcast_to(mask, (2, 2, 3, *mask.shape[-2 if name == "engaged" else -1 :]))
        for name, mask in masks.items()
    }
    rows = t9a.overlaps(board, positions, **options(t9a.overlaps, masks))
    assert rows.shape == (2, 2, 3)
    for i, j, k in np.ndindex(2, 2, 3):
        one = {name: mask[i, j, k] for name, mask in whole.items()}
        dense, sparse = all_answers(board, positions[j, 0], one)
        np.testing.assert_array_equal(answer[i, j, k], dense[-1])
        part = rows.for_state((i, j, k))
        assert [row[1:] for row in tuples(part)] == [row[1:] for row in tuples(sparse)]


def test_one_position_under_many_masks(battle):
    board, n = battle.board, len(battle.board)
    aloft, engaged = np.eye(n, dtype=np.bool_), np.zeros((4, n, n), np.bool_)
    engaged[1:] = True
    rows = t9a.overlaps(board, battle.positions[0], aloft=aloft)
    assert rows.shape == (n,)
    assert not rows.contact[rows.state == rows.unit].any()
    assert t9a.spacing_ok(Board(battle.board.units), battle.positions[0], engaged=engaged).shape == (4, n)


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
        ({"rules": "3E"}, TypeError, "^rules must be Rules, got str$"),
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
