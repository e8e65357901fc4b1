"""Distances, contact and arcs between units."""

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import t9a

QUESTIONS = {
    t9a.distances: np.inf,
    t9a.units_in_contact: False,
    t9a.inside_arcs: 0,
    t9a.located_arcs: 0,
    t9a.line_of_sight: False,
}
DTYPES = {
    t9a.distances: np.float64,
    t9a.units_in_contact: np.bool_,
    t9a.inside_arcs: np.uint8,
    t9a.located_arcs: np.uint8,
    t9a.line_of_sight: np.bool_,
}
every_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.__name__)


@every_question
def test_shape_dtype_and_diagonal(battle, question):
    answer = question(battle.board, battle.positions)
    units = len(battle.board)
    assert answer.shape == (len(battle.positions), units, units)
    assert answer.dtype == DTYPES[question]
    diagonal = answer[:, np.arange(units), np.arange(units)]
    np.testing.assert_array_equal(diagonal, np.full_like(diagonal, QUESTIONS[question]))
    assert len(np.unique(answer)) > 1


def test_questions_measure_the_unit_boundaries(battle):
    boundaries = battle.board.boundaries(battle.positions)
    a, b = boundaries[:, :, None], boundaries[:, None, :]
    different = ~np.eye(len(battle.board), dtype=bool)
    for question, same in (
        (t9a.distances, ng.distance(a, b)),
        (t9a.units_in_contact, ng.in_contact(a, b)),
        (t9a.inside_arcs, ng.inside_arcs(a, b)),
        (t9a.located_arcs, ng.located_arc(a, b)),
    ):
        np.testing.assert_array_equal(
            question(battle.board, battle.positions)[:, different], same[:, different]
        )


def test_distance_and_contact_agree(battle):
    distance = t9a.distances(battle.board, battle.positions, **battle.masks)
    contact = t9a.units_in_contact(battle.board, battle.positions, **battle.masks)
    np.testing.assert_array_equal(contact, distance == 0)
    np.testing.assert_allclose(distance, distance.swapaxes(-1, -2), rtol=1e-12)


def test_contact_widens_with_tol(battle):
    distance = t9a.distances(battle.board, battle.positions)
    np.testing.assert_array_equal(
        t9a.units_in_contact(battle.board, battle.positions, tol=1.0), distance <= 1.0
    )


@every_question
def test_chunks_do_not_change_the_answer(battle, question, monkeypatch):
    answer = question(battle.board, battle.positions, **battle.masks)
    monkeypatch.setattr("ninthgeom.t9a._states._SCRATCH_BYTES", 40_000)  # some seven states
    np.testing.assert_array_equal(question(battle.board, battle.positions, **battle.masks), answer)


@every_question
def test_observers_and_targets_are_slices_of_the_whole(battle, question):
    whole = question(battle.board, battle.positions, **battle.masks)
    observers, targets = [7, 0, 3], ["giant", "spears", "mortar", "giant"]
    columns = [battle.board.index(name) for name in targets]
    part = question(battle.board, battle.positions, observers=observers, targets=targets, **battle.masks)
    np.testing.assert_array_equal(part, whole[:, observers][:, :, columns])
    np.testing.assert_array_equal(
        question(battle.board, battle.positions, targets=np.array([2]), **battle.masks), whole[:, :, [2]]
    )


@every_question
def test_absent_units_do_not_answer(battle, question):
    answer = question(battle.board, battle.positions, present=battle.present)
    blank = ~(battle.present[:, :, None] & battle.present[:, None, :])
    np.testing.assert_array_equal(answer[blank], np.full(blank.sum(), QUESTIONS[question], answer.dtype))
    if question is not t9a.line_of_sight:  # where absent units no longer hide others
        different = ~blank & ~np.eye(len(battle.board), dtype=bool)
        np.testing.assert_array_equal(answer[different], question(battle.board, battle.positions)[different])


@every_question
def test_absence_is_the_same_as_a_smaller_board(battle, question):
    kept = [0, 1, 3, 5, 6, 7]
    small = ng.Board([battle.board.units[i] for i in kept], battle.board.terrain)
    present = np.isin(np.arange(len(battle.board)), kept)
    answer = question(battle.board, battle.positions, present=present)
    np.testing.assert_array_equal(answer[:, kept][:, :, kept], question(small, battle.positions[:, kept]))


@every_question
def test_positions_of_absent_units_are_not_looked_at(battle, question):
    nowhere = np.where(battle.present[..., None], battle.positions, np.nan)
    expected = question(battle.board, battle.positions, **battle.masks)
    np.testing.assert_array_equal(question(battle.board, nowhere, **battle.masks), expected)


@every_question
def test_units_without_models_are_absent(battle, question):
    dead = battle.board.index("guard")
    occupied = battle.occupied.copy()
    occupied[::2, battle.board.model_slices[dead]] = False
    present = np.ones_like(battle.present)
    present[::2, dead] = False
    nowhere = battle.positions.copy()
    nowhere[::2, dead] = np.nan  # not looked at, as for absent units
    np.testing.assert_array_equal(
        question(battle.board, nowhere, occupied=occupied),
        question(battle.board, battle.positions, occupied=battle.occupied, present=present),
    )


@every_question
def test_permuted_units_give_permuted_answers(battle, question):
    order = np.random.default_rng(5).permutation(len(battle.board))
    permuted = ng.Board([battle.board.units[i] for i in order], battle.board.terrain[::-1])
    answer = question(battle.board, battle.positions, present=battle.present)
    np.testing.assert_array_equal(
        question(permuted, battle.positions[:, order], present=battle.present[:, order]),
        answer[:, order][:, :, order],
    )


@every_question
@pytest.mark.parametrize(("angle", "shift"), [(0.3, (0, 0)), (np.pi / 2, (72, 0)), (-2.0, (400, -300))])
def test_rigid_motion_changes_nothing(battle, question, angle, shift):
    turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    terrain = [
        ng.Terrain(piece.outline @ turn.T + shift, kind=piece.kind, opaque=piece.opaque, height=piece.height)
        for piece in battle.board.terrain
    ]
    moved = np.empty_like(battle.positions)
    moved[..., :2] = battle.positions[..., :2] @ turn.T + shift
    moved[..., 2] = battle.positions[..., 2] + angle
    answer = question(ng.Board(battle.board.units, terrain), moved, **battle.masks)
    expected = question(battle.board, battle.positions, **battle.masks)
    if question is t9a.distances:
        np.testing.assert_allclose(answer, expected, atol=1e-9)
    else:
        np.testing.assert_array_equal(answer, expected)


@every_question
def test_empty_input_gives_empty_answers(battle, question):
    units = len(battle.board)
    assert question(battle.board, np.empty((0, units, 3))).shape == (0, units, units)
    assert question(battle.board, np.empty((2, 0, units, 3)), present=np.ones(units, bool)).shape == (
        2,
        0,
        units,
        units,
    )
    assert question(battle.board, battle.positions, observers=[]).shape == (len(battle.positions), 0, units)
    assert question(ng.Board([]), np.empty((4, 0, 3))).shape == (4, 0, 0)


def set_value(array, index, value):
    copy = np.array(array)
    copy[index] = value
    return copy


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({"positions": np.zeros((3, 8, 3))}, ValueError, r"9, 3\) for a board of 9 units, got \(3, 8, 3\)"),
        ({"positions": np.zeros(27)}, ValueError, r"positions must have shape"),
        ({"present": np.ones(8, bool)}, ValueError, r"present must have .* for 9 units, got \(8,\)"),
        ({"present": np.array(True)}, ValueError, r"present must have shape"),
        ({"occupied": np.ones(3, bool)}, ValueError, r"occupied must have shape .* model slots, got \(3,\)"),
        ({"present": np.ones((7, 9), bool)}, ValueError, r"axes \(7,\) of present do not broadcast"),
        ({"observers": ["spear"]}, ValueError, "observers: no unit is named 'spear'"),
        ({"targets": [0, "zzzz"]}, ValueError, "targets: no unit is named 'zzzz'"),
        ({"targets": [9]}, ValueError, r"targets: units\[0\] must be from 0 to 8, got 9"),
        ({"targets": [-1]}, ValueError, r"targets: units\[0\] must be from 0 to 8, got -1"),
        ({"observers": "spears"}, TypeError, "observers: .* sequence"),
        ({"observers": 3}, TypeError, "observers: .* sequence"),
        ({"observers": [True]}, TypeError, r"observers: units\[0\] must be .*, got True"),
        ({"observers": [1.0]}, TypeError, r"observers: units\[0\] must be .*, got 1.0"),
        ({"rules": "3E"}, TypeError, "rules must be Rules, such as SECOND_EDITION of ninthgeom.t9a, got str"),
    ],
)
@every_question
def test_wrong_arguments(battle, question, arguments, error, message):
    arguments = {"positions": battle.positions} | arguments
    with pytest.raises(error, match=message):
        question(battle.board, **arguments)


@pytest.mark.parametrize(
    ("index", "value", "message"),
    [
        ((4, 2, 1), np.nan, r"positions\[4\]\[2\]\[1\]: y must be finite, got nan"),
        ((4, 2, 2), np.inf, r"positions\[4\]\[2\]\[2\]: heading must be finite, got inf"),
        ((0, 8, 0), -1.5e6, r"positions\[0\]\[8\]\[0\]: x must be from -1e\+06 to 1e\+06, got -1500000.0"),
    ],
)
def test_wrong_positions_are_named(battle, index, value, message):
    with pytest.raises(ValueError, match=message):
        t9a.distances(battle.board, set_value(battle.positions, index, value))
    with pytest.raises(ValueError, match=message):
        t9a.distances(
            battle.board, set_value(battle.positions, index, value), present=np.ones((2, 1, 9), bool)
        )
