"""Skirmish scenes in ``ninthgeom evaluate``: coherency, engagement and distances between groups."""

import json
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import skirmish
from ninthgeom._cli_skirmish import is_skirmish
from tests.command_line import cells, ok, refused

SCENE = Path(__file__).parents[2] / "examples" / "skirmish.json"
GROUPS = ["Rifles", "Guards", "Battery", "Claws", "Spitters", "Shells"]
FIRST = ("group", "out of coherency", "model", "observer")


def tables(output):
    """Tables of an output by the name of their first column, each a list of rows with the header first."""
    found = {}
    for row in cells(output):
        if row[0] in FIRST:
            table = found[row[0]] = []
        if not set(row[0]) <= {"─"}:
            table.append(row)
    return found


@pytest.fixture(scope="module")
def scene():
    return ng.read_scene(SCENE)


@pytest.fixture(scope="module")
def printed():
    return tables(ok("evaluate", SCENE))


@pytest.fixture
def states(scene, tmp_path):
    """Positions of many states, some models of them absent, and a file of them."""
    rng = np.random.default_rng(4)
    positions = scene.positions + rng.normal(0, 0.4, (20, *scene.positions.shape))
    present = rng.random(positions.shape[:2]) < 0.9
    present[3, scene.board.group == 4] = False
    path = tmp_path / "states.npz"
    np.savez(path, positions=positions, present=present)
    return positions, present, path


def first_present(board, present):
    leaders = np.full((*present.shape[:-1], 6), -1)
    for index in np.ndindex(*leaders.shape):
        own = np.flatnonzero((board.group == index[-1]) & present[index[:-1]])
        leaders[index] = own[0] if len(own) else -1
    return leaders


# ------------------------------------------------------------------------------------------ one state


def test_the_example_is_what_it_says(scene):
    """Two sides of three groups, every model where it may stand, one group cut by a wall, one enemy near."""
    board = scene.board
    assert is_skirmish(board)
    assert len(board.terrain) == 6
    assert sorted({unit.base_mm for unit in board.units}) == [
        (32, 32),
        (40, 40),
        (40, 100),
        (50, 50),
        (80, 80),
    ]
    assert skirmish.can_stand(board, scene.positions).all()
    sizes = np.bincount(board.group)
    assert sizes.min() >= 3
    assert sizes.max() <= 6
    leaders = first_present(board, np.ones(len(board), bool))
    found = skirmish.coherency(board, scene.positions, leaders)
    assert [name for name, holds in zip(GROUPS, found.in_coherency, strict=True) if not holds] == ["Shells"]
    without_wall = ng.Board(board.units, board.terrain[1:], board.size)
    assert skirmish.coherency(without_wall, scene.positions, leaders).in_coherency.all()


def test_groups_and_their_leaders(printed):
    rows = printed["group"]
    assert rows[0] == ["group", "side", "models", "leader", "radius", "in coherency"]
    assert [row[0] for row in rows[1:]] == GROUPS
    assert rows[3] == ["Battery", "0", "4", "Mortar", "3", "yes"]
    assert rows[6] == ["Shells", "1", "4", "Shell 1", "3", "no"]


def test_which_condition_failed(printed):
    assert printed["out of coherency"] == [
        ["out of coherency", "group", "wholly within radius", "linked"],
        ["Shell 3", "Shells", "yes", "no"],
    ]


def test_who_is_engaged(printed):
    assert printed["model"] == [
        ["model", "group", "engaged with", "their group"],
        ["Guard 1", "Guards", "Claw 1", "Claws"],
    ]


def test_distances_between_groups(printed, scene):
    rows = printed["observer"]
    assert rows[0] == ["observer", "target", "distance", "engaged"]
    pairs = [(i, j) for i in range(6) for j in range(i + 1, 6)]
    assert [row[:2] for row in rows[1:]] == [[GROUPS[i], GROUPS[j]] for i, j in pairs]
    distance = skirmish.distances(scene.board, scene.positions, by="group")
    assert [row[2] for row in rows[1:]] == [f"{distance[pair]:.2f}" for pair in pairs]
    assert [row[:2] for row in rows if row[3] == "yes"] == [["Guards", "Claws"]]


def test_leader_radius_and_groups_can_be_chosen():
    found = tables(
        ok(
            "evaluate", SCENE, "--leader", "Shells=Shell 3", "--leader", "Battery=Gunner 1",
            "--radius", "Battery=4", "--observers", "Claws", "--targets", "Guards", "--targets", "Claws",
        )
    )  # fmt: skip
    assert [row[3:] for row in found["group"][1:]][2] == ["Gunner 1", "4", "no"]
    assert found["group"][6][3] == "Shell 3"
    # from behind the wall: nobody but the leader is linked
    reasons = {row[0]: row[2:] for row in found["out of coherency"][1:]}
    assert reasons["Shell 1"] == ["yes", "no"]
    assert reasons["Shell 4"] == ["no", "no"]
    assert "Shell 3" not in reasons
    assert found["observer"][1:] == [["Claws", "Guards", "0.59", "yes"]]


def test_one_cannot_be_within_three_inches_of_a_large_model(tmp_path):
    """S-1 by the command: a card that says 4 inches."""
    path = tmp_path / "walkers.json"
    walkers = [ng.Unit(f"Walker {i}", 80, shape="round", size=3, group="Walkers") for i in (1, 2)]
    ng.write_scene(path, ng.Scene(ng.Board(walkers), [(20, 20, 0), (20 + 80 / 25.4, 20, 0)]))
    assert tables(ok("evaluate", path))["group"][1][4:] == ["3", "no"]
    assert tables(ok("evaluate", path, "--radius", "Walkers=4"))["group"][1][4:] == ["4", "yes"]


def test_absent_and_dead_models(tmp_path, scene):
    """The first model that is left leads; a group without one has no answer."""
    path = tmp_path / "scene.json"
    present = np.array([unit.group != "Spitters" for unit in scene.board.units])
    living = np.array([unit.name not in ("Rifle 1", "Guard 1") for unit in scene.board.units])
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, present, living))
    found = tables(ok("evaluate", path))
    rows = {row[0]: row[1:] for row in found["group"][1:]}
    assert rows["Rifles"] == ["0", "5", "Rifle 2", "3", "no"]
    assert rows["Spitters"] == ["1", "0", "-", "3", "-"]
    assert "model" not in found
    assert ["Rifles", "Spitters", "-", "-"] in found["observer"]
    assert not any("Spitter" in row[0] for row in found["out of coherency"])


# ------------------------------------------------------------------------------------------ many states


@pytest.mark.parametrize("suffix", [".npz", ".json"])
def test_answers_are_written(tmp_path, scene, states, suffix):
    positions, present, path = states
    out = tmp_path / f"answers{suffix}"
    ok("evaluate", SCENE, "--positions", path, "--out", out, "--observers", "Claws", "--workers", 2)
    if suffix == ".npz":
        with np.load(out) as file:
            written = dict(file)
    else:
        written = json.loads(out.read_text())
    board = scene.board
    leaders = first_present(board, present)
    found = skirmish.coherency(board, positions, leaders, present=present)
    claws = {"by": "group", "observers": ["Claws"], "present": present}
    expected = {
        "observers": ["Claws"],
        "targets": GROUPS,
        "groups": GROUPS,
        "models": list(board.names),
        "distance": skirmish.distances(board, positions, **claws),
        "engaged": skirmish.engaged(board, positions, **claws),
        "engaged_models": skirmish.engaged(board, positions, present=present),
        "leader": leaders,
        "in_coherency": found.in_coherency,
        "within_radius": found.within_radius,
        "linked": found.linked,
    }
    assert list(written) == list(expected)
    for name, values in expected.items():
        if isinstance(values, list):
            assert list(written[name]) == values
        else:
            answer = np.array(written[name], dtype=values.dtype)  # None becomes nan
            answer = np.where(np.isnan(answer), np.inf, answer) if name == "distance" else answer
            np.testing.assert_array_equal(answer, values)


def test_states_are_summarised(scene, states):
    positions, present, path = states
    output = ok("evaluate", SCENE, "--positions", path)
    found = tables(output.rsplit("\n", 2)[0])
    board = scene.board
    leaders = first_present(board, present)
    answers = skirmish.coherency(board, positions, leaders, present=present)
    own = board.group == 4
    row = found["group"][5]
    assert row == [
        "Spitters",
        "19",
        f"{answers.in_coherency[:, 4].sum() / 19:.1%}",
        f"{answers.within_radius[:, own].sum() / present[:, own].sum():.1%}",
        f"{answers.linked[:, own].sum() / present[:, own].sum():.1%}",
    ]
    distance = skirmish.distances(board, positions, present=present, by="group")[:, 1, 3]
    engaged = skirmish.engaged(board, positions, present=present, by="group")[:, 1, 3]
    row = next(row for row in found["observer"] if row[:2] == ["Guards", "Claws"])
    assert row[2:] == ["20", f"{distance.mean():.2f}", f"{distance.min():.2f}", f"{engaged.mean():.1%}"]
    assert re.fullmatch(r"20 states in \d+\.\d\d s: [\d,]+ states per second", output.splitlines()[-1])


# ------------------------------------------------------------------------------------------ which rules


def test_scenes_of_ranks_and_files_are_what_they_were(tmp_path):
    units = [ng.Unit("spears", (20, 20), models=10), ng.Unit("giant", (50, 75), side=1)]
    shared = [ng.Unit(unit.name, unit.base_mm, models=unit.models, group="all") for unit in units]
    alone = [ng.Unit(name, 50, shape="round", group=name) for name in "ab"]
    for some, expected in ((units, False), (shared, False), (alone, False)):
        assert is_skirmish(ng.Board(some)) == expected
        path = tmp_path / "scene.json"
        ng.write_scene(path, ng.Scene(ng.Board(some), [(10, 10, 0), (20, 10, 0)]))
        assert "located in" in cells(ok("evaluate", path))[0]
    assert not is_skirmish(ng.Board([]))


def test_rules_can_be_chosen(tmp_path):
    assert "located in" in cells(ok("evaluate", SCENE, "--rules", "third"))[0]
    path = tmp_path / "scene.json"
    ng.write_scene(path, ng.Scene(ng.Board([ng.Unit(n, 50, shape="round") for n in "ab"]), np.zeros((2, 3))))
    assert "located in" in cells(ok("evaluate", path))[0]
    found = tables(ok("evaluate", path, "--rules", "skirmish"))
    assert [row[0] for row in found["group"]] == ["group", "a", "b"]
    ng.write_scene(path, ng.Scene(ng.Board([ng.Unit("spears", (20, 20), models=5)]), [(10, 10, 0)]))
    assert "'spears' has 5 slots" in refused("evaluate", path, "--rules", "skirmish")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--leader", "Shell=Shell 3"], "--leader: no group is named 'Shell'; did you mean 'Shells'?"),
        (["--leader", "Shells=Shell 9"], "--leader: no unit is named 'Shell 9'; did you mean"),
        (["--leader", "Shells=Claw 1"], "--leader: 'Claw 1' is not of group 'Shells'"),
        (["--leader", "Shells"], "--leader: must be GROUP=VALUE, got 'Shells'"),
        (
            ["--leader", "Shells=Shell 1", "--leader", "Shells=Shell 2"],
            "--leader: group 'Shells' is named twice",
        ),
        (["--radius", "Shells=far"], "--radius: 'far' is no length in inches"),
        (["--radius", "Shells=-1"], "--radius: '-1' is no length in inches"),
        (["--radius", "Shells=nan"], "--radius: 'nan' is no length in inches"),
        (["--observers", "Claw"], "--observers: no group is named 'Claw'; did you mean 'Claws'?"),
        (["--targets", "x"], "--targets: no group is named 'x'"),
        (["--duel", "Claw 1", "Guard 1"], "--duel: only in the rules of ranks and files"),
        (["--rules", "third", "--leader", "Shells=Shell 1"], "--leader: only in the rules of skirmish games"),
        (["--rules", "second", "--radius", "Shells=4"], "--radius: only in the rules of skirmish games"),
    ],
)
def test_options_that_name_nothing(options, message):
    line = refused("evaluate", SCENE, *options)
    assert line.startswith(f"Error: {SCENE}: {message}")


def test_masks_that_are_none(tmp_path, scene):
    path = tmp_path / "bad.npz"
    n = len(scene.board)
    for arrays, message in (
        ({"present": np.ones(n)}, "present must hold booleans"),
        ({"occupied": np.ones((2, n))}, "occupied must hold booleans"),
        ({"occupied": np.ones((2, n + 1), bool)}, f"occupied must have shape (..., {n})"),
        ({"occupied": np.ones(n, bool), "present": np.ones(n)}, "present must hold booleans"),
    ):
        np.savez(path, positions=np.stack([scene.positions] * 2), **arrays)
        assert message in refused("evaluate", SCENE, "--positions", path)


def test_a_leader_who_is_absent(tmp_path, scene):
    path = tmp_path / "scene.json"
    present = np.array([unit.name != "Shell 2" for unit in scene.board.units])
    ng.write_scene(path, ng.Scene(scene.board, scene.positions, present))
    line = refused("evaluate", path, "--leader", "Shells=Shell 2")
    assert line.endswith("--leader: 'Shell 2' is not on the table")
    states = tmp_path / "states.npz"
    np.savez(states, positions=np.stack([scene.positions] * 2), present=np.stack([present, present | True]))
    line = refused("evaluate", path, "--positions", states, "--leader", "Shells=Shell 2")
    assert line == f"Error: {states}: --leader: 'Shell 2' is not on the table in every state"


def test_names_of_groups_that_hold_the_sign(tmp_path, scene):
    """GROUP=VALUE is split where a group has the name before it."""
    path = tmp_path / "scene.json"
    label = {"Rifles": "a=b", "Shells": "=", "Claws": "b=Rifle 2"}
    units = [replace(unit, group=label.get(unit.group, unit.group)) for unit in scene.board.units]
    ng.write_scene(path, ng.Scene(ng.Board(units, scene.board.terrain, scene.board.size), scene.positions))
    options = [
        "--leader",
        "a=b=Rifle 2",
        "--radius",
        "==4",
        "--leader",
        "==Shell 2",
        "--radius",
        "b=Rifle 2=1",
    ]
    rows = {row[0]: row for row in tables(ok("evaluate", path, *options))["group"][1:]}
    assert rows["a=b"][3] == "Rifle 2"
    assert rows["="][3:5] == ["Shell 2", "4"]
    assert rows["b=Rifle 2"][4] == "1"
    assert "--leader: no group is named 'x'" in refused("evaluate", path, "--leader", "x=b=Rifle 2")


@pytest.mark.parametrize("option", ["--leader", "--radius", "--observers", "--targets"])
def test_names_that_several_groups_have(tmp_path, scene, option):
    """A model without a group is one of its name, and labels may be numbers: such names tell no group."""
    path = tmp_path / "scene.json"
    units = list(scene.board.units)
    units[-1] = replace(units[-1], name="Rifles", group=None)
    label = {"Guards": 1, "Claws": "1"}
    units = [replace(unit, group=label.get(unit.group, unit.group)) for unit in units]
    ng.write_scene(path, ng.Scene(ng.Board(units, scene.board.terrain, scene.board.size), scene.positions))
    for name, member in (("Rifles", "Rifle 2"), ("1", "Guard 2")):
        value = {"--leader": f"{name}={member}", "--radius": f"{name}=4"}.get(option, name)
        message = f"Error: {path}: {option}: several groups are named '{name}'"
        assert refused("evaluate", path, option, value) == message
    ok("evaluate", path, "--leader", "Shells=Shell 2")
