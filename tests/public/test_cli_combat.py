"""Close combat in ``ninthgeom evaluate``: contacts, attack rights, duels and editions."""

import json
from pathlib import Path

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import t9a
from ninthgeom._answer_whole import write_answers
from ninthgeom._cli_names import ModelNames, all_models
from tests.command_line import cells, ok, refused

COMBAT = Path(__file__).parents[2] / "examples" / "combat.json"
NORTH, SOUTH = np.pi / 2, -np.pi / 2
MM = 1 / 25.4


def tables(output):
    """Tables of an output by the name of their first column, each a list of rows with the header first."""
    found = {}
    for row in cells(output):
        if row[0] in ("observer", "unit", "model", "attacker"):
            table = found[row[0]] = []
        if not set(row[0]) <= {"─"}:
            table.append(row)
    return found


def rows_of(table):
    return [tuple(row) for row in table[1:]]


@pytest.fixture(scope="module")
def scene():
    return ng.read_scene(COMBAT)


@pytest.fixture(scope="module")
def printed():
    return tables(ok("evaluate", COMBAT, "--duel", "Captain", "Warlord"))


@pytest.fixture
def states(scene, tmp_path):
    """Positions of many states, in most of them units of the example in contact, and a file of them."""
    rng = np.random.default_rng(5)
    positions = np.broadcast_to(scene.positions, (60, 5, 3)).copy()
    positions[:, :3, 0] += rng.uniform(-1, 1, (60, 3))
    positions[:20, 1, 1] += 1  # the Orcs have not come yet
    positions[50:, 4, 0] += 0.5  # nor the Riders
    path = tmp_path / "states.npy"
    np.save(path, positions)
    return positions, path


# ------------------------------------------------------------------------------------------ one state


def test_the_example_is_a_combat_as_it_may_stand(scene):
    engaged = t9a.engaged_facings(scene.board, scene.positions) != 0
    assert t9a.legal(scene.board, scene.positions, engaged=engaged).all()
    kinds = t9a.contacts(scene.board, scene.positions).kind
    assert set(kinds.tolist()) == {t9a.ContactKind.TOUCH, t9a.ContactKind.GAP, t9a.ContactKind.ROUND}


def test_engaged_units_are_printed_once(printed):
    assert printed["unit"][0] == ["unit", "facing", "engaged with", "its facing"]
    assert rows_of(printed["unit"]) == [
        ("Spears", "front", "Orcs", "front"),
        ("Spears", "rear", "Giant", "front"),
        ("Catapult", "front", "Riders", "front"),
    ]


def test_contacts_of_models_are_printed_once(scene, printed):
    assert printed["model"][0] == [
        *("model", "unit", "in contact with", "its unit", "kind", "facing", "its facing")
    ]
    rows = rows_of(printed["model"])
    # At the incomplete rear rank, across its empty places, at the side, and in the duel.
    for row in (
        ("rank 3, file 3", "Spears", "Giant", "Giant", "touch", "rear", "front"),
        ("rank 2, file 4", "Spears", "Giant", "Giant", "gap", "rear", "front"),
        ("rank 2, file 5", "Spears", "Giant", "Giant", "gap", "rear", "front"),
        ("Lady on Stag", "Spears", "Warlord", "Orcs", "touch", "front", "front"),
        ("Lady on Stag", "Spears", "Giant", "Giant", "gap", "rear", "front"),
        ("Captain", "Spears", "Warlord", "Orcs", "duel", "front", "front"),
        ("Catapult", "Catapult", "rank 1, file 3", "Riders", "round", "front", "front"),
    ):
        assert rows.count(row) == 1
    captain, warlord = 14, 30
    assert [all_models(scene.board)[slot] for slot in (captain, warlord)] == [
        "Spears, Captain",
        "Orcs, Warlord",
    ]
    contacts = t9a.contacts(scene.board, scene.positions, duels=t9a.Duels([captain], [warlord]))
    assert 2 * len(rows) == len(contacts)


def test_attack_rights_have_a_row_for_all_targets_of_a_reason(printed):
    assert printed["attacker"][0] == ["attacker", "unit", "may attack", "their unit", "reason"]
    rows = rows_of(printed["attacker"])
    for row in (
        ("rank 1, file 1", "Spears", "rank 1, files 4-5", "Orcs", "contact"),
        ("rank 2, file 3", "Spears", "rank 1, file 3", "Orcs", "support"),
        ("rank 1, file 3", "Orcs", "rank 1, files 2, 4", "Spears", "contact"),
        ("rank 2, file 1", "Orcs", "rank 1, file 5; Lady on Stag", "Spears", "support"),
        ("Giant", "Giant", "rank 2, files 4-5; rank 3, file 3; Lady on Stag", "Spears", "contact"),
        ("Lady on Stag", "Spears", "Giant", "Giant", "contact"),
    ):
        assert rows.count(row) == 1
    assert [row for row in rows if row[0] == "Captain"] == [("Captain", "Spears", "Warlord", "Orcs", "duel")]
    assert [row for row in rows if "Captain" in row[2]] == [("Warlord", "Orcs", "Captain", "Spears", "duel")]


def test_models_that_reach_characters_only_swirl(tmp_path):
    lord = ng.Attached("Lord", (20, 20), place=(0, 0))
    guard = ng.Unit("Guard", (20, 20), models=5, files=3, attached=[lord])
    wolf = ng.Unit("Wolf", (20, 20), side=1)
    path = tmp_path / "scene.json"
    ng.write_scene(path, ng.Scene(ng.Board([guard, wolf]), [[30, 20, NORTH], [30 - 30 * MM, 20, SOUTH]]))
    rows = rows_of(tables(ok("evaluate", path))["attacker"])
    assert [row for row in rows if row[0] == "Wolf"] == [
        ("Wolf", "Wolf", "Lord", "Guard", "contact"),
        ("Wolf", "Wolf", "rank 1, files 2-3; rank 2, files 1-3", "Guard", "swirl"),
    ]
    # Whoever fights a duel is no rank and file, and Lords are not the only ones who do.
    rows = rows_of(tables(ok("evaluate", path, "--duel", "Guard:0", "Wolf"))["attacker"])
    assert ("Wolf", "Wolf", "rank 1, file 2", "Guard", "duel") in rows
    assert [row[0] for row in rows] == ["rank 1, file 2", "Wolf"]


def test_nothing_is_added_where_no_enemies_are_in_contact(tmp_path):
    path = tmp_path / "scene.json"
    for sides, distance, n_tables in (((0, 1), 0.01, 1), ((0, 0), 0, 4), ((0, 1), 0, 4)):
        units = [ng.Unit(name, (20, 20), side=side) for name, side in zip("ab", sides, strict=True)]
        positions = [[30, 20, NORTH], [30, 20 + distance, SOUTH]]
        ng.write_scene(path, ng.Scene(ng.Board(units), positions))
        assert len(tables(ok("evaluate", path))) == n_tables
    friends = ng.Board([*units, ng.Unit("c", (20, 20), side=1)])
    beside = [[30, 20, NORTH], [40, 20, NORTH], [40 + 20 * MM, 20, NORTH]]
    ng.write_scene(path, ng.Scene(friends, beside))
    assert list(tables(ok("evaluate", path))) == ["observer"]


def test_units_in_contact_may_have_no_models_in_contact(tmp_path):
    # A giant meets the empty corner of the rear rank aslant, so that nothing runs straight across the gap.
    units = [ng.Unit("spears", (20, 20), models=3, files=2), ng.Unit("giant", (50, 75), side=1)]
    path = tmp_path / "scene.json"
    positions = [[30, 20, NORTH], [30 + 20 * MM, 20 - 40 * MM, NORTH + np.pi / 6]]
    ng.write_scene(path, ng.Scene(ng.Board(units), positions))
    found = tables(ok("evaluate", path, "--rules", "second"))
    assert rows_of(found["unit"]) == [("spears", "rear", "giant", "front")]
    assert list(found) == ["observer", "unit"]


def test_chosen_units_are_the_ones_that_attack(scene, printed):
    asked = ("--observers", "Giant", "--observers", "Orcs", "--targets", "Spears")
    chosen = tables(ok("evaluate", COMBAT, *asked, "--duel", "Captain", "Warlord"))
    assert rows_of(chosen["unit"]) == [
        ("Orcs", "front", "Spears", "front"),
        ("Giant", "front", "Spears", "rear"),
    ]
    everything = rows_of(printed["model"])
    swapped = {
        (o, ou, m, mu, kind, its, own) for m, mu, o, ou, kind, own, its in everything if mu == "Spears"
    }
    assert set(rows_of(chosen["model"])) == swapped
    # Whether models support depends on contacts that were not asked for.
    assert rows_of(chosen["attacker"]) == [
        row for row in rows_of(printed["attacker"]) if row[1] in ("Orcs", "Giant") and row[3] == "Spears"
    ]
    # Units that both observe and are observed have their pairs once all the same.
    half = tables(ok("evaluate", COMBAT, "--observers", "Spears", "--duel", "Captain", "Warlord"))
    assert rows_of(half["model"]) == [row for row in everything if row[1] == "Spears"]


# ------------------------------------------------------------------------------------------ names


def test_names_of_models(scene):
    names = ModelNames(scene.board)
    assert names.model_and_unit([0]) == ("rank 1, file 1", "Spears")
    assert names.model_and_unit(range(16)) == (
        "rank 1, files 1-2, 4-5; rank 2, files 1-5; rank 3, files 1-5; Captain; Lady on Stag",
        "Spears",
    )
    assert names.model_and_unit([31]) == ("Giant", "Giant")
    # Files of later units count from 1, too.
    assert names.model_and_unit([16, 18]) == ("rank 1, files 2, 4", "Orcs")
    assert all_models(scene.board)[13:17] == [
        *("Spears, rank 3, file 5", "Spears, Captain", "Spears, Lady on Stag", "Orcs, rank 1, file 2")
    ]
    assert all_models(scene.board)[31:34] == ["Giant", "Catapult", "Riders, rank 1, file 1"]


def test_any_model_can_be_named_by_its_slot():
    by_name = ok("evaluate", COMBAT, "--duel", "Captain", "Warlord", "--duel", "Catapult", "Riders:2")
    by_slot = ok("evaluate", COMBAT, "--duel", "Orcs:14", "Spears:14", "--duel", "Riders:2", "Catapult:0")
    assert by_name == by_slot
    assert rows_of(tables(by_name)["attacker"])[-2:] == [
        ("Catapult", "Catapult", "rank 1, file 3", "Riders", "duel"),
        ("rank 1, file 3", "Riders", "Catapult", "Catapult", "duel"),
    ]


BAD_DUELS = {
    "near match": (("Captan", "Warlord"), "no model is named 'Captan'; did you mean 'Captain'?"),
    "no match": (("Captain", "xyz"), "no model is named 'xyz'"),
    "unit of many": (
        ("Captain", "Orcs"),
        "'Orcs' has more than one model; name one by its slot, as 'Orcs:0'",
    ),
    "near unit": (("Spaers:3", "Warlord"), "no model is named 'Spaers:3'; did you mean 'Spears:3'?"),
    "slot": (("Spears:16", "Warlord"), "the slot of 'Spears' must be from 0 to 15, got '16'"),
    "negative slot": (("Spears:-1", "Warlord"), "the slot of 'Spears' must be from 0 to 15, got '-1'"),
    "no slot": (("Spears:", "Warlord"), "the slot of 'Spears' must be from 0 to 15, got ''"),
    "empty slot": (
        ("Spears:13", "Warlord"),
        "'Spears:13' cannot fight 'Warlord': there is no model in 'Spears:13'",
    ),
    "itself": (("Captain", "Spears:14"), "'Captain' cannot fight 'Spears:14': both are of 'Spears'"),
    "one side": (("Warlord", "Giant"), "'Warlord' cannot fight 'Giant': both are of one side"),
    "not in contact": (
        ("Captain", "Riders:0"),
        "'Captain' cannot fight 'Riders:0': 'Spears' and 'Riders' are not in contact",
    ),
    "twice": (
        ("Captain", "Warlord", "Spears:14", "Giant"),
        "'Spears:14' cannot fight 'Giant': 'Spears:14' has a duel already",
    ),
    "one combat": (
        ("Captain", "Warlord", "Lady on Stag", "Giant"),
        "'Lady on Stag' cannot fight 'Giant': 'Captain' and 'Warlord' fight the one duel of the combat",
    ),
}


@pytest.mark.parametrize("case", BAD_DUELS)
def test_bad_duels(tmp_path, case):
    names, message = BAD_DUELS[case]
    out = tmp_path / "answers.npz"
    duels = [word for pair in zip(names[::2], names[1::2], strict=True) for word in ("--duel", *pair)]
    assert refused("evaluate", COMBAT, *duels, "--out", out) == f"Error: {COMBAT}: --duel: {message}"
    assert not out.exists()


def test_names_that_several_models_have(tmp_path):
    units = [
        ng.Unit("Guard", (20, 20), models=5, attached=[ng.Attached("Lord", (20, 20))]),
        ng.Unit("Lord", (40, 40), side=1),
        ng.Unit("Orcs", (20, 20), models=5, side=1, attached=[ng.Attached("Lord", (20, 20))]),
    ]
    path = tmp_path / "scene.json"
    positions = [[30, 20, NORTH], [30, 20, SOUTH], [50, 20, SOUTH]]
    ng.write_scene(path, ng.Scene(ng.Board(units), positions))
    assert refused("evaluate", path, "--duel", "Lord", "Guard:0") == (
        f"Error: {path}: --duel: 3 models are named 'Lord'; say 'Guard:9' or 'Lord:0' or 'Orcs:9'"
    )
    assert ("Lord", "Guard", "Lord", "Lord", "duel") in rows_of(
        tables(ok("evaluate", path, "--duel", "Guard:9", "Lord:0"))["attacker"]
    )


def test_a_duel_needs_units_on_the_table(tmp_path, scene):
    path = tmp_path / "scene.json"
    present = np.array([False, True, True, True, True])
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, present=present))
    assert "'Spears' and 'Orcs' are not in contact" in refused(
        "evaluate", path, "--duel", "Captain", "Warlord"
    )


# ------------------------------------------------------------------------------------------ losses, editions


def test_a_duellist_who_is_lost_is_still_attacked(tmp_path, scene):
    path = tmp_path / "scene.json"
    living = scene.board.occupied.copy()
    living[14] = False  # the Captain
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, occupied=living))
    for edition in ("third", "second"):
        found = tables(ok("evaluate", path, "--duel", "Captain", "Warlord", "--rules", edition))
        rows = rows_of(found["attacker"])
        assert [row for row in rows if row[0] == "Warlord"] == [
            ("Warlord", "Orcs", "Captain", "Spears", "duel")
        ]
        assert not [row for row in rows if row[0] == "Captain"]


def test_in_the_second_edition_nobody_fights_on_from_the_slot_of_a_lost_duellist(tmp_path, scene):
    path = tmp_path / "scene.json"
    living = scene.board.occupied.copy()
    living[0] = False  # a champion, whose place is taken from the rear at once
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, occupied=living))
    found = tables(ok("evaluate", path, "--duel", "Spears:0", "Warlord", "--rules", "second"))
    rows = rows_of(found["attacker"])
    assert ("Warlord", "Orcs", "rank 1, file 1", "Spears", "duel") in rows
    assert not [row for row in rows if row[:2] == ("rank 1, file 1", "Spears")]
    # Without the duel the one who stepped forward fights like the others.
    rows = rows_of(tables(ok("evaluate", path, "--rules", "second"))["attacker"])
    assert ("rank 1, file 1", "Spears", "rank 1, files 4-5", "Orcs", "contact") in rows


def test_editions_differ(tmp_path, scene):
    living = scene.board.occupied.copy()
    living[[0, 1, 5, 16]] = False
    path = tmp_path / "scene.json"
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, occupied=living))
    for edition, rules, occupied in (
        ("third", t9a.THIRD_EDITION, living),
        ("second", t9a.SECOND_EDITION, scene.board.fill_ranks(living)),
    ):
        out = tmp_path / f"{edition}.npz"
        ok("evaluate", path, "--rules", edition, "--out", out)
        asked = {"occupied": occupied, "rules": rules}
        contacts = t9a.contacts(scene.board, scene.positions, **asked)
        expected = {
            **t9a.evaluate(scene.board, scene.positions, **asked).arrays(),
            **{f"contact_{name}": column for name, column in contacts.columns.items()},
            **{
                f"attack_{name}": column
                for name, column in t9a.may_attack(scene.board, contacts, **asked).columns.items()
            },
        }
        with np.load(out) as file:
            assert list(file) == ["observers", "targets", "models", *expected]
            for name, values in expected.items():
                np.testing.assert_array_equal(file[name], values)
    with np.load(tmp_path / "third.npz") as third, np.load(tmp_path / "second.npz") as second:
        assert len(third["contact_model"]) != len(second["contact_model"])
    assert ok("evaluate", path) == ok("evaluate", path, "--rules", "third")
    assert ok("evaluate", path) != ok("evaluate", path, "--rules", "second")


def test_unknown_editions():
    with pytest.raises(AssertionError, match="'first' is not one of 'second', 'third'"):
        ok("evaluate", COMBAT, "--rules", "first")


# ------------------------------------------------------------------------------------------ many states


def test_engaged_units_are_summed_up_over_states(scene, states):
    positions, path = states
    found = tables(ok("evaluate", COMBAT, "--positions", path))
    assert found["unit"][0] == ["unit", "engaged with", "engaged", "models in contact", "that may attack"]
    board = scene.board
    contacts = t9a.contacts(board, positions)
    attacks = t9a.may_attack(board, contacts)
    expected = []
    for i, unit in enumerate(board.names):
        for j, other in enumerate(board.names):
            engaged = t9a.units_in_contact(board, positions)[:, i, j] & (board.side[i] != board.side[j])
            means = []
            for rows in (contacts, attacks):
                pairs = {
                    (state, model)
                    for state, model, enemy in zip(rows.state, rows.model, rows.other, strict=True)
                    if board.model_unit[model] == i and board.model_unit[enemy] == j
                }
                means.append(len(pairs) / max(engaged.sum(), 1))
            if engaged.any():
                expected.append((unit, other, f"{engaged.mean():.1%}", *(f"{mean:.2f}" for mean in means)))
    assert len(expected) == 6
    assert [row for row in rows_of(found["unit"]) if len(row) == 5] == expected
    chosen = tables(ok("evaluate", COMBAT, "--positions", path, "--observers", "Orcs", "--targets", "Spears"))
    assert [row for row in rows_of(chosen["unit"]) if len(row) == 5] == [
        row for row in expected if row[:2] == ("Orcs", "Spears")
    ]


def test_duels_take_place_where_units_are_in_contact(tmp_path, scene, states):
    positions, path = states
    out = tmp_path / "answers.json"
    ok("evaluate", COMBAT, "--positions", path, "--duel", "Warlord", "Captain", "--out", out, "--workers", 2)
    written = json.loads(out.read_text())
    touching = t9a.units_in_contact(scene.board, positions)[:, 0, 1]
    assert not touching[:20].any()
    assert touching[20:].any()
    (where,) = np.nonzero(touching)
    duels = t9a.Duels(np.full_like(where, 30), np.full_like(where, 14), state=where)
    contacts = t9a.contacts(scene.board, positions, duels=duels)
    attacks = t9a.may_attack(scene.board, contacts, duels=duels)
    for name, rows in (("contact", contacts), ("attack", attacks)):
        for key, column in rows.columns.items():
            assert written[f"{name}_{key}"] == column.tolist()
    assert written["models"][30] == "Orcs, Warlord"
    fought = np.array(written["attack_reason"]) == t9a.AttackReason.DUEL
    assert np.array(written["attack_state"])[fought].tolist() == np.repeat(where, 2).tolist()
    few = tmp_path / "few.npy"
    np.save(few, positions[:20])
    assert refused("evaluate", COMBAT, "--positions", few, "--duel", "Captain", "Warlord") == (
        f"Error: {few}: --duel: 'Captain' cannot fight 'Warlord': "
        "'Spears' and 'Orcs' are not in contact in any state"
    )
    np.save(few, positions[:0])
    ok("evaluate", COMBAT, "--positions", few, "--duel", "Captain", "Warlord")


def test_two_duels_of_one_combat_are_told_with_their_state(tmp_path, scene):
    positions = np.stack([scene.positions, scene.positions])
    positions[0, 2, 1] -= 1  # the Giant arrives in the second state only
    path = tmp_path / "states.npy"
    np.save(path, positions)
    asked = ("evaluate", COMBAT, "--positions", path, "--duel", "Captain", "Warlord")
    ok(*asked, "--duel", "Catapult", "Riders:2")
    assert refused(*asked, "--duel", "Giant", "Lady on Stag") == (
        f"Error: {path}: --duel: 'Giant' cannot fight 'Lady on Stag': "
        "'Captain' and 'Warlord' fight the one duel of the combat in state 1"
    )


def test_losses_differ_from_state_to_state(tmp_path, scene):
    board = scene.board
    living = np.repeat(board.occupied[None], 3, axis=0)
    living[1, 14] = False  # the Captain
    living[2, [0, 30]] = False  # a spearman and the Warlord
    path, out = tmp_path / "states.npz", tmp_path / "answers.npz"
    np.savez(path, positions=np.repeat(scene.positions[None], 3, axis=0), occupied=living)
    asked = ("evaluate", COMBAT, "--positions", path, "--duel", "Captain", "Warlord", "--out", out)
    for edition in ("second", "third"):
        ok(*asked, "--rules", edition)
        with np.load(out) as file:
            fought = file["attack_reason"] == t9a.AttackReason.DUEL
            rows = [file[f"attack_{name}"][fought].tolist() for name in ("state", "model", "other")]
        assert list(zip(*rows, strict=True)) == [(0, 14, 30), (0, 30, 14), (1, 30, 14), (2, 14, 30)]


def test_the_last_model_of_a_unit_is_removed_in_a_duel(tmp_path, scene):
    living = np.repeat(scene.board.occupied[None], 2, axis=0)
    living[1, 31] = False  # the Giant
    path = tmp_path / "states.npz"
    np.savez(path, positions=scene.positions[None], occupied=living)
    found = tables(ok("evaluate", COMBAT, "--positions", path, "--duel", "Lady on Stag", "Giant"))
    # He is on the table in one of the states, and counts there.
    assert ("Giant", "Spears", "100.0%", "1.00", "1.00") in rows_of(found["unit"])
    assert ("Spears", "Giant", "100.0%", "4.00", "1.00") in rows_of(found["unit"])


def test_long_columns_are_written_in_parts(tmp_path):
    path = tmp_path / "answers.json"
    for length in (0, 1, 9_999, 10_000, 10_001, 25_000):
        columns = {"slots": np.arange(length), "lengths": np.linspace(0, 1, length)}
        columns["lengths"][-1:] = np.inf
        write_answers(path, {"names": ["a", "b"]}, columns)
        written = json.loads(path.read_text())
        assert written["names"] == ["a", "b"]
        assert written["slots"] == columns["slots"].tolist()
        assert written["lengths"] == [*columns["lengths"][:-1].tolist(), *[None][:length]]
