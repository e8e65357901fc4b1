"""The area a unit sees: shapes worked out by hand, and single points asked for on random boards."""

import itertools
import math

import numpy as np
import pytest
import shapely

import ninthgeom as ng
from ninthgeom import Attached, Board, Terrain, Unit, t9a
from ninthgeom.t9a._visible import Viewpoint, _seen_cells, visible_region

NORTH = math.pi / 2
INCH = 25.4
RESOLUTION = 1e-3


def box(xmin, ymin, xmax, ymax):
    return [(xmin, ymin), (xmax, ymin), (xmax, ymax), (xmin, ymax)]


def one_inch(name="archer", **kind):
    return Unit(name, (INCH, INCH), **kind)


def assert_same(area, expected, tol=1e-6):
    """Equal but for the tolerance: nothing of either is further from the other."""
    assert area.is_valid
    assert shapely.hausdorff_distance(area, expected) <= tol
    assert shapely.symmetric_difference(area, expected).area <= tol * expected.length


def area_of(board, positions, observer=0, **more):
    return t9a.visible_area(board, positions, observer, **more)


# ------------------------------------------------------------------------------------------------- by hand


def test_an_arc_is_clipped_by_the_table():
    board = Board([one_inch()], size=(12, 8))
    area = area_of(board, [[5.5, 2, NORTH]])
    assert_same(area, shapely.Polygon([(5, 2), (6, 2), (12, 8), (0, 8), (0, 7)]))


def test_an_observer_with_his_back_to_the_edge_sees_nothing():
    board = Board([one_inch()], size=(12, 8))
    area = area_of(board, [[5.5, 0, -NORTH]])
    assert isinstance(area, shapely.Polygon)
    assert area.is_empty


def test_an_absent_observer_sees_nothing():
    board = Board([one_inch(), one_inch("other")])
    positions = [[5, 5, NORTH], [20, 20, 0]]
    assert area_of(board, positions, present=[False, True]).is_empty
    assert area_of(board, positions, occupied=[False, True]).is_empty


def test_a_wall_hides_what_no_point_of_the_facing_sees():
    board = Board([one_inch()], [Terrain(box(4, 5, 9, 6), kind="impassable")], size=(12, 12))
    area = area_of(board, [[5, 1, NORTH]])
    # The shadow lies between the lines from the ends past the near corners: (4.5, 1)-(4, 5), (5.5, 1)-(9, 5).
    expected = [
        (0, 5.5),
        (4.5, 1),
        (5.5, 1),
        (12, 7.5),
        (12, 1 + 6.5 * 4 / 3.5),
        (9, 5),
        (4, 5),
        (3.125, 12),
        (0, 12),
    ]
    assert_same(area, shapely.Polygon(expected))


def test_a_shadow_closes_behind_a_narrow_wall():
    board = Board([one_inch()], [Terrain(box(4.8, 5, 5.2, 5.1), kind="impassable")], size=(12, 12))
    area = area_of(board, [[5, 1, NORTH]])
    # The lines from the ends past the far corners meet before the far edge.
    umbra = shapely.Polygon([(4.8, 5.1), (5.2, 5.1), (5, 1 + 0.5 * 4.1 / 0.3)])
    free = shapely.Polygon([(0, 5.5), (4.5, 1), (5.5, 1), (12, 7.5), (12, 12), (0, 12)])
    assert_same(area, free - umbra.union(shapely.box(4.8, 5, 5.2, 5.1)))


def test_a_figure_of_a_unit_and_a_tower():
    """A lone model; one unit beside the line, one half behind the tower, one wholly behind it."""
    units = [
        one_inch("D"),
        Unit("A", (20, 20), models=10),
        Unit("B", (20, 20), models=10),
        Unit("C", (20, 20)),
    ]
    tower = Terrain(box(20, 16, 24, 20), kind="impassable")
    board = Board(units, [tower])
    positions = np.array([[22, 10, NORTH], [18, 24, -NORTH], [30, 24, -NORTH], [22, 26, -NORTH]])
    area = area_of(board, positions, "D")
    seen = t9a.line_of_sight(board, positions, observers=["D"])[0]
    assert seen.tolist() == [False, True, True, False]
    boundaries = board.boundaries(positions).to_shapely()
    # The facing edges of A and B are in the area, C in the shadow.
    assert [bool(area.distance(outline) < 1e-9) for outline in boundaries[1:]] == [True, True, False]


def test_a_corner_cuts_the_area_along_the_side_of_the_arc():
    """A wide facing has lines at 45 degrees past the corner that start inside of it."""
    wall = Terrain(box(12, 8, 30, 9), kind="impassable")
    board = Board([Unit("line", (10 * INCH, INCH))], [wall], size=(30, 20))
    area = area_of(board, [[10, 5, NORTH]])
    expected = [(5, 5), (15, 5), (18, 8), (12, 8), (12, 9), (23, 20), (0, 20), (0, 10)]
    assert_same(area, shapely.Polygon(expected))


def test_two_walls_leave_what_is_seen_between_them():
    walls = [Terrain(box(0, 5, 9, 6), kind="impassable"), Terrain(box(11, 5, 20, 6), kind="impassable")]
    board = Board([Unit("pair", (2 * INCH, INCH))], walls, size=(20, 16))
    area = area_of(board, [[10, 3, NORTH]])
    # Past the near corners from the other end each, but the far corners cut these lines off.
    expected = [
        *[(9, 3), (11, 3), (13, 5), (11, 5)],
        *[(11, 6), (11 + 10 * 2 / 3, 16), (9 - 10 * 2 / 3, 16), (9, 6)],
        *[(9, 5), (7, 5)],
    ]
    assert_same(area, shapely.Polygon(expected))


def test_a_low_unit_is_no_obstacle_and_a_high_one_hides_the_ground_it_stands_on():
    low, high = one_inch("low", height=1), one_inch("high", height=2)
    positions = [[10, 2, NORTH], [10, 6, -NORTH]]
    free = area_of(Board([one_inch(height=2), low], size=(20, 12)), positions)
    assert_same(free, shapely.Polygon([(9.5, 2), (10.5, 2), (20, 11.5), (20, 12), (0, 12), (0, 11.5)]))
    hidden = area_of(Board([one_inch(height=2), high], size=(20, 12)), positions)
    # As wide as the facing: the shadow runs on as a strip.
    assert_same(hidden, free - shapely.box(9.5, 6, 10.5, 12))


def test_a_hill_is_seen_and_what_is_beyond_it_is_not():
    hill = Terrain(box(9, 6, 11, 8), kind="hill")
    board = Board([Unit("pair", (2 * INCH, INCH))], [hill], size=(20, 12))
    area = area_of(board, [[10, 2, NORTH]])
    arc = shapely.Polygon([(9, 2), (11, 2), (20, 11), (20, 12), (0, 12), (0, 11)])
    assert_same(area, arc - shapely.box(9, 8, 11, 12))


def test_who_stands_on_a_hill_sees_beyond_it():
    """Half of the facing is on the hill: lines from there are free, those from beside it stop at it."""
    hill = Terrain(box(10, 0, 20, 4), kind="hill")
    board = Board([Unit("pair", (2 * INCH, INCH))], [hill], size=(20, 12))
    area = area_of(board, [[10, 2, NORTH]])
    assert_same(area, shapely.Polygon([(9, 2), (11, 2), (20, 11), (20, 12), (0, 12), (0, 11)]))
    off = area_of(board, [[8.9, 2, NORTH]])
    # From the end (9.9, 2) at most to the right, past the far corner (10, 4); the hill itself is seen.
    arc = shapely.Polygon([(7.9, 2), (9.9, 2), (19.9, 12), (0, 12), (0, 9.9)])
    slope = (10 - 7.9) / (4 - 2)
    assert slope > 1  # so the side of the arc limits past the corner
    behind = arc - shapely.Polygon([(10, 4), (20, 4), (20, 14)])
    assert_same(off, behind.intersection(shapely.box(0, 0, 20, 12)))


def test_a_disc_casts_a_shadow_between_tangents():
    mortar = Unit("mortar", 2 * INCH, shape="round")
    board = Board([one_inch(), mortar], size=(40, 30))
    area = area_of(board, [[20, 2, NORTH], [20, 12, 0]], resolution=RESOLUTION)
    # The tangent from the left end (19.5, 2) that passes to the left of the disc, and its mirror image.
    angle = math.atan2(10, 0.5) + math.asin(1 / math.hypot(0.5, 10))
    touch = np.array([20 + math.cos(angle + NORTH), 12 + math.sin(angle + NORTH)])
    far = touch + (30 - touch[1]) / math.sin(angle) * np.array([math.cos(angle), math.sin(angle)])
    vertices = shapely.get_coordinates(area)
    for x, y in (touch, far):
        for mirrored in (x, 40 - x):
            assert np.hypot(*(vertices - [mirrored, y]).T).min() <= 3e-8
    disc = board.boundaries([[20, 2, NORTH], [20, 12, 0]]).to_shapely()[1]
    assert shapely.intersection(area, disc.buffer(-RESOLUTION)).area <= 1e-9


def test_a_round_observer_sees_all_round():
    mortar = Unit("mortar", 2 * INCH, shape="round")
    alone = area_of(Board([mortar], size=(20, 24)), [[10, 10, 0]])
    assert_same(alone, shapely.box(0, 0, 20, 24))
    both = Board([mortar, Unit("other", 2 * INCH, shape="round")], size=(20, 24))
    area = area_of(both, [[10, 10, 0], [10, 16, 0]], resolution=RESOLUTION)
    # Discs of one size: the shadow is a strip as wide as they are, behind half of the disc.
    assert area.area == pytest.approx(480 - 2 * 8 - math.pi / 2, abs=math.pi * RESOLUTION)
    ahead = shapely.box(0, 16.001, 20, 24)
    assert_same(area & ahead, ahead - shapely.box(9, 10, 11, 24))


def test_a_finer_resolution_comes_nearer_to_round_outlines():
    mortar = Unit("mortar", 2 * INCH, shape="round")
    board = Board([mortar, Unit("other", 2 * INCH, shape="round")], size=(20, 24))
    exact = 480 - 2 * 8 - math.pi / 2
    for resolution in (1e-1, 1e-3, 1e-5):
        area = area_of(board, [[10, 10, 0], [10, 16, 0]], resolution=resolution)
        assert -1e-6 <= area.area - exact <= math.pi * resolution


def test_all_stretches_of_a_front_look_each_past_what_they_see_over():
    """A high captain in the middle of the front sees over the low wall of men that the others do not."""
    guard = Unit(
        "guard", (INCH, INCH), models=4, files=5, attached=[Attached("captain", (INCH, INCH), height=3)]
    )
    men = Unit("men", (14 * INCH, INCH), height=1)
    board = Board([guard, men], size=(30, 20))
    positions = [[15, 4, NORTH], [15, 8, -NORTH]]
    area = area_of(board, positions, "guard")
    captain = shapely.Polygon([(14.5, 4), (15.5, 4), (30, 18.5), (30, 20), (0, 20), (0, 18.5)])
    beside = shapely.Polygon([(12.5, 4), (17.5, 4), (30, 16.5), (30, 20), (0, 20), (0, 16.5)])
    # The men are 14 inches wide, so that the others see past neither side of them.
    assert_same(area, captain | (beside & shapely.box(0, 0, 30, 8)))


def test_models_of_the_rear_do_not_add_to_the_front():
    three_files = [True, False, True, True, False, True]
    board = Board([Unit("spears", (INCH, INCH), models=6, files=3)], size=(20, 12))
    whole = area_of(board, [[10, 3, NORTH]])
    split = area_of(board, [[10, 3, NORTH]], occupied=three_files)
    assert_same(whole, shapely.Polygon([(8.5, 3), (11.5, 3), (20, 11.5), (20, 12), (0, 12), (0, 11.5)]))
    # Nobody stands in the middle file: what is right in front of it, and of nothing else, is not seen.
    assert_same(split, whole - shapely.Polygon([(9.5, 3), (10.5, 3), (10, 3.5)]))


def test_extent():
    board = Board([one_inch()], size=(12, 8))
    part = area_of(board, [[5.5, 2, NORTH]], extent=(4, 2, 8, 12))
    assert_same(part, shapely.Polygon([(5, 2), (6, 2), (8, 4), (8, 12), (4, 12), (4, 3)]))
    assert area_of(board, [[5.5, 2, NORTH]], extent=(0, 0, 12, 1)).is_empty


def test_editions_differ_where_a_rank_has_a_hole():
    hole = Unit("men", (INCH, INCH), models=4, files=5, occupied=[True, True, False, True, True])
    board = Board([one_inch(), hole], size=(20, 20))
    positions = [[10, 4, NORTH], [10, 8, -NORTH]]
    third, second = (area_of(board, positions, rules=r) for r in (t9a.THIRD_EDITION, t9a.SECOND_EDITION))
    assert not third.covers(shapely.Point(10, 12))
    assert second.covers(shapely.Point(10, 12))


# ------------------------------------------------------------------------------- against single points


def disagreements(area, points, seen):
    """Distances from the edge of the area of the points that it has the wrong way."""
    wrong = points[shapely.intersects_xy(area, *points.T) != seen]
    if area.is_empty:
        return np.full(len(wrong), math.inf)
    return shapely.distance(area.boundary, shapely.points(wrong))


@pytest.mark.parametrize("rules", [t9a.THIRD_EDITION, t9a.SECOND_EDITION], ids=["third", "second"])
def test_points_on_random_boards(battles, rules):
    rng = np.random.default_rng(5)
    n_seen = 0
    for battle in battles:
        masks = {name: mask[0] for name, mask in battle.masks.items()} | {"rules": rules}
        for observer in range(len(battle.board)):
            area = area_of(battle.board, battle.positions[0], observer, resolution=RESOLUTION, **masks)
            assert area.is_valid
            points = np.vstack([rng.uniform(0, [72, 48], (400, 2)), rng.normal([36, 36], 7, (400, 2))])
            points = points[(points >= 0).all(axis=1) & (points <= [72, 48]).all(axis=1)]
            seen = t9a.sees_points(battle.board, battle.positions[0], points, observers=[observer], **masks)[
                0
            ]
            n_seen += int(seen.sum())
            assert disagreements(area, points, seen).max(initial=0.0) <= RESOLUTION
    assert n_seen > 1000


def random_view(rng, *, crowded, looks_round):
    """Rectangles, a few walls, and what looks from the middle of their lower half."""
    n = int(rng.integers(1, 25))
    spread = [18, 14] if crowded else [60, 40]
    x, y = (rng.uniform(-0.5, 0.5, (n, 2)) * spread + [36, 20]).T
    blockers = ng.Bases.rect(
        x, y, rng.uniform(-3, 3, n), width=rng.uniform(0.5, 6, n), depth=rng.uniform(0.2, 3, n)
    )
    walls = []
    for _ in range(rng.integers(0, 4)):
        angles = np.linspace(0, 2 * np.pi, rng.integers(3, 9), endpoint=False)
        radii = rng.uniform(1, 5) * rng.uniform(0.4, 1, len(angles))
        corners = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radii[:, None]
        walls.append(corners + rng.uniform([15, 10], [57, 40]))
    heading = NORTH + rng.uniform(-0.3, 0.3)
    source = ng.Bases.from_front(36, 14, heading, width=4, depth=2)
    if looks_round:
        source = ng.Bases.oval(36, 14, heading, width=3, depth=1.5)
    return Viewpoint(source, blockers, ng.Polygons(walls), ng.Polygons([]))


def kernel(view):
    def sees(points):
        targets = ng.Bases.point(*points.T)
        return ng.line_of_sight(view.source, targets, [view.blockers, view.walls])

    return sees


@pytest.mark.parametrize("looks_round", [False, True], ids=["facing", "oval"])
@pytest.mark.parametrize("crowded", [False, True], ids=["scattered", "crowded"])
def test_points_of_random_scenes(crowded, looks_round):
    """Straight outlines only: the area is right up to the tolerance and what a long lever makes of it."""
    rng = np.random.default_rng(6)
    for _ in range(40):
        view = random_view(rng, crowded=crowded, looks_round=looks_round)
        sees = kernel(view)
        area = visible_region([view], (0, 0, 72, 48), sees)
        assert area.is_valid
        points = np.vstack([rng.uniform(0, [72, 48], (1500, 2)), rng.uniform([26, 8], [46, 28], (1500, 2))])
        assert disagreements(area, points, sees(points)).max(initial=0.0) <= 1e-5


def test_scenes_turned_and_moved_have_the_same_area():
    rng = np.random.default_rng(7)
    for _ in range(20):
        view = random_view(rng, crowded=True, looks_round=False)
        everywhere = (-300.0, -300.0, 372.0, 372.0)
        near = shapely.Point(36, 20).buffer(25)
        area = visible_region([view], everywhere, kernel(view)) & near
        turn = rng.uniform(-3, 3)

        def moved(xy, turn=turn):
            x, y = (np.asarray(xy) - [36, 20]).T
            cos, sin = math.cos(turn), math.sin(turn)
            return np.stack([36 + cos * x - sin * y, 20 + sin * x + cos * y], axis=-1)

        def turned(bases, turn=turn):
            centres = moved(np.stack([bases.x, bases.y], axis=-1))
            heading = bases.heading + turn
            return ng.Bases.rect(*centres.T, heading, width=bases.width, depth=bases.depth)

        walls = ng.Polygons([moved(wall.exterior.coords[:-1]) for wall in view.walls.to_shapely()])
        other = Viewpoint(turned(view.source), turned(view.blockers), walls, view.hills)
        again = visible_region([other], everywhere, kernel(other)) & shapely.transform(near, moved)
        assert shapely.symmetric_difference(shapely.transform(area, moved), again).area <= 1e-4


def test_all_on_a_grid():
    """Edges in one line, corners on corners, blockers on the facing and in contact, in any position."""
    rng = np.random.default_rng(8)
    for _ in range(60):
        n = int(rng.integers(1, 25))
        turn = rng.uniform(-3, 3)
        cos, sin = math.cos(turn), math.sin(turn)

        def placed(x, y, cos=cos, sin=sin):
            return 36 + cos * x - sin * y, 24 + sin * x + cos * y

        x, y = rng.integers(-16, 17, n) / 2, rng.integers(-10, 30, n) / 2
        sizes = rng.integers(1, 7, (2, n)) / 2
        heading = turn + rng.integers(0, 8, n) * math.pi / 4
        blockers = ng.Bases.rect(*placed(x, y), heading, width=sizes[0], depth=sizes[1])
        source = ng.Bases.from_front(*placed(0, 0), turn + NORTH, width=4, depth=2)
        view = Viewpoint(source, blockers, ng.Polygons([]), ng.Polygons([]))
        sees = kernel(view)
        area = visible_region([view], (0, 0, 72, 48), sees)
        assert area.is_valid
        near = np.column_stack(placed(rng.uniform(-10, 10, 1500), rng.uniform(-2, 15, 1500)))
        points = np.vstack([rng.uniform(0, [72, 48], (1500, 2)), near])
        assert disagreements(area, points, sees(points)).max(initial=0.0) <= 1e-4


def test_cells_narrower_than_rounding_go_with_their_neighbours():
    """A hair between two cells is no gap in the area, and none is left of a cell that is not seen."""
    hair = 1e-8
    edges = [0.0, 1.0, 1.0 + hair, 2.0, 2.0 + hair, 2.0 + 2 * hair, 3.0]
    lines = [shapely.box(x, 0, after, 1).exterior for x, after in itertools.pairwise(edges)]
    cells = shapely.get_parts(shapely.polygonize([shapely.unary_union(lines)]))
    points = shapely.get_coordinates(shapely.centroid(cells))
    asked = []

    def sees(points):
        asked.append(points)
        return points[:, 0] < 2

    seen = _seen_cells(cells, points, sees)
    assert len(cells) == 6
    assert len(asked[0]) == 3
    assert shapely.union_all(cells[seen]).area == pytest.approx(2, abs=3 * hair)
    assert seen.sum() in (3, 4, 5)
    assert seen[points[:, 0].argsort()].tolist() == sorted(seen.tolist(), reverse=True)


# ------------------------------------------------------------------------------------------------- errors


BOARD = Board([one_inch(), one_inch("other")])
POSITIONS = [[5, 5, NORTH], [20, 20, 0]]


@pytest.mark.parametrize(
    ("more", "error", "message"),
    [
        ({"observer": "archr"}, ValueError, "observer.*did you mean 'archer'"),
        ({"observer": 2}, ValueError, "observer.*from 0 to 1, got 2"),
        ({"observer": 1.0}, TypeError, "observer must be the name or the index of a unit, got 1.0"),
        ({"observer": True}, TypeError, "observer must be the name or the index"),
        ({"positions": [POSITIONS]}, ValueError, r"positions must be those of one state.*\(1, 2, 3\)"),
        ({"positions": POSITIONS[:1]}, ValueError, "positions must have shape"),
        ({"present": [[True, True]]}, ValueError, "present must be those of one state"),
        ({"occupied": [[True, True]]}, ValueError, "occupied must be those of one state"),
        ({"extent": (0, 0, 5)}, ValueError, "extent must be xmin, ymin, xmax, ymax"),
        ({"extent": (5, 0, 5, 9)}, ValueError, "extent must be xmin, ymin, xmax, ymax"),
        ({"extent": (0, 0, math.inf, 9)}, ValueError, "extent"),
        ({"resolution": 0.0}, ValueError, "resolution must be at least 1e-06, got 0.0"),
        ({"resolution": math.nan}, ValueError, "resolution"),
        ({"tol": 0.0}, ValueError, "tol"),
        ({"rules": 3}, TypeError, "rules must be Rules"),
    ],
)
def test_errors(more, error, message):
    arguments = {"positions": POSITIONS, "observer": 0} | more
    with pytest.raises(error, match=message):
        t9a.visible_area(BOARD, **arguments)
