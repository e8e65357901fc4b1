"""Objects and placing on many states: other definitions of the same, shapely, and what changes nothing.

The cases of the rules stand in test_objects.py.
"""

import math

import numpy as np
import pytest
import shapely

from ninthgeom import Board, Relation, Rows, Terrain, Unit, relation, t9a
from tests.rules.conftest import TERRAIN, UNITS, Battle, star
from tests.rules.test_objects import PLACING, tuples


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
