"""The command `simulate`: its estimates against samplers and questions asked by hand, files, refusals."""

import csv
import json
import math
import statistics

import numpy as np
import pytest

import ninthgeom as ng
from ninthgeom import _cli_estimates, _cli_options, samplers, t9a
from ninthgeom.t9a.evaluate import QUESTIONS
from tests.command_line import cells, ok, piped, refused, run

NORTH, SOUTH = np.pi / 2, -np.pi / 2
UNITS = [
    ng.Unit("Speerträger", (20, 20), models=13, side=0),
    ng.Unit("knights [1]", (25, 50), models=5, side=0, height=2),
    ng.Unit("giant", (50, 75), side=1, height=5),
]
POSITIONS = np.array([[20, 10, NORTH], [23, 20, NORTH], [22, 24, SOUTH]])
BOARD = ng.Board(UNITS, [ng.Terrain([(19, 14), (21, 14), (20, 15)], kind="hill")])
N, BLOCK = 700, 300
PAIRS = [(i, j) for i in range(3) for j in range(3) if i != j]
ARGUMENTS = ("--n", N, "--block", BLOCK, "--seed", 5)


@pytest.fixture
def scene(tmp_path):
    path = tmp_path / "scene.json"
    ng.write_scene(path, ng.Scene(BOARD, POSITIONS))
    return path


def drawn(path, n=N, block=BLOCK, seed=5, **options):
    """The states that all blocks draw."""
    scene = ng.read_scene(path)
    states = []
    for index, start in enumerate(range(0, n, block)):
        rng = np.random.default_rng(np.random.SeedSequence(seed, spawn_key=(index,)))
        states.append(samplers.pose_jitter(rng, scene, min(block, n - start), **options))
    return np.concatenate(states)


def wilson(share, n, confidence):
    z = statistics.NormalDist().inv_cdf((1 + confidence) / 2)
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    reach = z / (1 + z * z / n) * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    return middle - reach, middle + reach


def simulated(tmp_path, scene, *arguments):
    """What the command writes as JSON, with the pairs by the names of both units."""
    out = tmp_path / "estimates.json"
    printed = ok("simulate", scene, "--out", out, *arguments)
    report = json.loads(out.read_text(encoding="utf-8"))
    pairs = {(pair.pop("observer"), pair.pop("target")): pair for pair in report["pairs"]}
    return printed, report | {"pairs": pairs}


def assert_estimates(pairs, names, answers, confidence=0.95):
    """Estimates of all pairs are those of the answers to these states."""
    arrays = {
        "distance": answers.distance,
        "contact": answers.contact,
        "in_front_arc": answers.inside_arc & ng.Arc.FRONT > 0,
        "sight": answers.sight,
    }
    n = len(answers.distance)
    for (one, other), pair in pairs.items():
        assert list(pair) == list(arrays)
        for name, found in pair.items():
            values = arrays[name][:, names.index(one), names.index(other)]
            assert found["mean"] == pytest.approx(values.mean(), rel=1e-12)
            if name == "distance":
                error = values.std(ddof=1) / math.sqrt(n)
                reach = statistics.NormalDist().inv_cdf((1 + confidence) / 2) * error
                interval = values.mean() - reach, values.mean() + reach
            else:
                error = math.sqrt(values.mean() * (1 - values.mean()) / n)
                interval = wilson(values.mean(), n, confidence)
            assert found["standard_error"] == pytest.approx(error, rel=1e-9)
            assert (found["low"], found["high"]) == pytest.approx(interval, rel=1e-9, abs=1e-15)


def test_estimates_are_those_of_the_states_drawn(tmp_path, scene):
    printed, report = simulated(tmp_path, scene, *ARGUMENTS, "--jitter", 2.5, "--turn", 40)
    pairs = report["pairs"]
    assert list(pairs) == [(UNITS[i].name, UNITS[j].name) for i, j in PAIRS]
    answers = t9a.evaluate(BOARD, drawn(scene, distance=2.5, angle=math.radians(40)))
    assert_estimates(pairs, BOARD.names, answers)
    shares = [pair[name]["mean"] for pair in pairs.values() for name in ("contact", "in_front_arc", "sight")]
    assert 0 < max(pair["contact"]["mean"] for pair in pairs.values()) < 1
    assert len(set(shares)) > 6
    assert {key: value for key, value in report.items() if key not in ("pairs", "job")} == {
        "seed": 5,
        "n": N,
        "blocks": 3,
        "block": BLOCK,
        "confidence": 0.95,
        "stopped_early": False,
    }
    rows = cells(printed)
    assert rows[0] == ["observer", "target", "mean distance", "in contact", "in front arc", "seen"]
    table = [row for row in rows if len(row) == 6][1:]
    for row, ((one, other), pair) in zip(table, pairs.items(), strict=True):
        expected = [one, other]
        for name, values in pair.items():
            form = "{:.2f}" if name == "distance" else "{:.1%}"
            mean, low, high = (form.format(values[field]) for field in ("mean", "low", "high"))
            expected.append(f"{mean} ({low} to {high})")
        assert row == expected
    assert "Intervals of 95 % confidence, each on its own." in printed
    assert "Stopped early" not in printed
    assert printed.splitlines()[-1].startswith("700 states in ")


def test_normal_jitter_with_other_confidence(tmp_path, scene):
    arguments = (*ARGUMENTS, "--kind", "normal", "--confidence", 0.5, "--jitter", 0.75)
    printed, report = simulated(tmp_path, scene, *arguments)
    answers = t9a.evaluate(BOARD, drawn(scene, distance=0.75, kind="normal"))
    assert_estimates(report["pairs"], BOARD.names, answers, 0.5)
    assert "Intervals of 50 % confidence" in printed


def test_without_jitter_every_state_is_that_of_the_scene(tmp_path, scene):
    _, report = simulated(tmp_path, scene, "--n", 20, "--jitter", 0, "--turn", 0)
    answers = t9a.evaluate(BOARD, POSITIONS)
    for (i, j), pair in zip(PAIRS, report["pairs"].values(), strict=True):
        assert pair["distance"]["mean"] == pytest.approx(answers.distance[i, j], abs=1e-9)
        assert pair["contact"]["mean"] == answers.contact[i, j]
        assert pair["in_front_arc"]["mean"] == (answers.inside_arc[i, j] & ng.Arc.FRONT > 0)
        assert pair["sight"]["mean"] == answers.sight[i, j]


def test_the_seed_decides_and_workers_do_not(tmp_path, scene):
    outs = [tmp_path / f"{i}.json" for i in range(4)]
    for out, more in zip(outs, ((), ("--workers", 2), ("--workers", -1), ("--seed", 6)), strict=True):
        ok("simulate", scene, *ARGUMENTS, "--out", out, *more)
    one, two, every, other = (out.read_bytes() for out in outs)
    assert one == two == every
    assert json.loads(one)["pairs"] != json.loads(other)["pairs"]


def test_masks_of_the_scene_hold(tmp_path):
    """Four models of thirteen are left, in the rear, and the knights are gone."""
    path = tmp_path / "lost.json"
    living = BOARD.occupied.copy()
    living[:10] = False
    lost = ng.Scene(BOARD, POSITIONS, present=[True, False, True], occupied=living)
    ng.write_scene(path, lost)
    states = drawn(path)
    for rules, edition, occupied in (
        ("third", t9a.THIRD_EDITION, living),
        ("second", t9a.SECOND_EDITION, BOARD.fill_ranks(living)),
    ):
        _, report = simulated(tmp_path, path, *ARGUMENTS, "--rules", rules)
        assert list(report["pairs"]) == [("Speerträger", "giant"), ("giant", "Speerträger")]
        answers = t9a.evaluate(BOARD, states, present=lost.present, occupied=occupied, rules=edition)
        assert_estimates(report["pairs"], BOARD.names, answers)
        assert rules in report["job"]
    for option in ("--observers", "--targets"):
        problem = refused("simulate", path, option, "knights [1]")
        assert problem == f"Error: {path}: {option}: 'knights [1]' is not on the table"


def test_some_questions_about_some_units(tmp_path, scene):
    asked = ("--questions", " sight,contact", "--observers", "giant", "--observers", "giant")
    printed, report = simulated(tmp_path, scene, *ARGUMENTS, *asked, "--targets", "Speerträger")
    assert list(report["pairs"]) == [("giant", "Speerträger")]
    assert list(report["pairs"]["giant", "Speerträger"]) == ["contact", "sight"]
    assert cells(printed)[0] == ["observer", "target", "in contact", "seen"]
    everything = simulated(tmp_path, scene, *ARGUMENTS)[1]["pairs"]["giant", "Speerträger"]
    assert report["pairs"]["giant", "Speerträger"]["sight"] == everything["sight"]


def test_csv_has_a_row_for_each_pair_and_question(tmp_path, scene):
    out = tmp_path / "estimates.csv"
    ok("simulate", scene, *ARGUMENTS, "--out", out)
    with out.open(newline="", encoding="utf-8") as stream:
        rows = list(csv.reader(stream))
    assert rows[0] == ["observer", "target", "question", "mean", "standard_error", "low", "high"]
    pairs = simulated(tmp_path, scene, *ARGUMENTS)[1]["pairs"]
    expected = [
        [one, other, name, *map(repr, values.values())]
        for (one, other), pair in pairs.items()
        for name, values in pair.items()
    ]
    assert rows[1:] == expected


@pytest.mark.parametrize(
    ("values", "is_share", "text"),
    [
        ((0.0, 0.0, 0.00019), True, "0.00% (0.00% to 0.02%)"),
        ((1.0, 0.99981, 1.0), True, "100.00% (99.98% to 100.00%)"),
        ((0.5, 0.4, 0.6), True, "50.0% (40.0% to 60.0%)"),
        ((0.5, 0.49999, 0.50001), True, "50.000% (49.999% to 50.001%)"),
        ((12.3456, 12.3450, 12.3461), False, "12.346 (12.345 to 12.346)"),
        ((12.3, 12.2, 12.4), False, "12.30 (12.20 to 12.40)"),
        ((3.0, 3.0, 3.0), False, "3.00 (3.00 to 3.00)"),
        ((3.0, -np.inf, np.inf), False, "3.00 (-inf to inf)"),
    ],
)
def test_intervals_are_written_with_digits_that_show_their_width(values, is_share, text):
    assert _cli_estimates._interval(*values, is_share=is_share) == text


def test_one_state_has_no_spread(tmp_path, scene):
    printed, report = simulated(tmp_path, scene, "--n", 1)
    distance = report["pairs"]["giant", "Speerträger"]["distance"]
    assert [distance[field] for field in ("standard_error", "low", "high")] == [None] * 3
    assert "(-inf to inf)" in printed
    out = tmp_path / "one.csv"
    ok("simulate", scene, "--n", 1, "--questions", "distance", "--out", out)
    assert out.read_text(encoding="utf-8").splitlines()[1].endswith(",,,")


def test_stops_when_intervals_are_narrow(tmp_path, scene):
    printed, report = simulated(tmp_path, scene, *ARGUMENTS, "--half-width", 0.5)
    assert (report["n"], report["blocks"], report["stopped_early"]) == (BLOCK, 1, True)
    assert "Stopped early" in printed
    printed, report = simulated(tmp_path, scene, *ARGUMENTS, "--half-width", 1e-6)
    assert (report["n"], report["stopped_early"]) == (N, False)
    by_name = ("--half-width", "sight=0.2", "--half-width", "distance=0.9")
    assert simulated(tmp_path, scene, *ARGUMENTS, *by_name)[1]["stopped_early"]
    by_name = ("--half-width", "sight=0.2", "--half-width", "distance=1e-9")
    assert not simulated(tmp_path, scene, *ARGUMENTS, *by_name)[1]["stopped_early"]


@pytest.mark.parametrize("place", ["named_questions", "_estimate", "_job"])
@pytest.mark.parametrize("checkpoint", [None, "run.ckpt"])
def test_interrupted_at_any_moment(scene, monkeypatch, place, checkpoint):
    """Before anything is drawn as in the middle."""

    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(f"ninthgeom._cli_simulate.{place}", interrupted)
    kept = () if checkpoint is None else ("--checkpoint", scene.parent / checkpoint)
    result = run("simulate", scene, *ARGUMENTS, "--questions", "sight", *kept)
    assert result.exit_code == 130
    start = "nothing is kept" if checkpoint is None else f"{scene.parent / checkpoint} keeps what was done"
    assert result.stderr.startswith(f"Interrupted: {start}; ")


def test_an_interrupted_run_goes_on_where_it_was(tmp_path, scene, monkeypatch):
    out, checkpoint = tmp_path / "out.json", tmp_path / "run.ckpt"
    ok("simulate", scene, *ARGUMENTS, "--out", out)
    expected = out.read_bytes()
    out.unlink()
    command = ("simulate", scene, *ARGUMENTS, "--checkpoint", checkpoint, "--out", out)
    jitter, calls = samplers.pose_jitter, []

    def interrupted(*arguments, **options):
        calls.append(len(calls))
        if len(calls) == 3:
            raise KeyboardInterrupt
        return jitter(*arguments, **options)

    with monkeypatch.context() as patch:
        patch.setattr("ninthgeom._cli_estimates.pose_jitter", interrupted)
        result = run(*command)
    assert result.exit_code == 130
    message = f"Interrupted: {checkpoint} keeps what was done; the same command goes on after it.\n"
    assert (result.stdout, result.stderr) == ("", message)
    assert not out.exists()
    printed = ok(*command, "--workers", 2)
    assert out.read_bytes() == expected
    assert printed.splitlines()[-1].startswith("100 states in ")
    assert printed.splitlines()[-1].endswith("; 600 were done before")
    out.unlink()
    assert ok(*command).splitlines()[-1].endswith("; 700 were done before")
    assert out.read_bytes() == expected
    with monkeypatch.context() as patch:
        calls[:] = [0, 0]
        patch.setattr("ninthgeom._cli_estimates.pose_jitter", interrupted)
        result = run("simulate", scene, *ARGUMENTS)
    assert result.exit_code == 130
    assert result.stderr.startswith("Interrupted: nothing is kept; --checkpoint would have")


@pytest.mark.parametrize(
    ("other", "word"),
    [
        (("--jitter", 2), "2.0"),
        (("--turn", 3), "3.0"),
        (("--kind", "normal"), "normal"),
        (("--questions", "sight"), "sight"),
        (("--observers", "giant"), "giant"),
        (("--targets", "giant"), "giant"),
        (("--rules", "second"), "second"),
        (("--job", "night"), "night"),
        (("--seed", 6), "6"),
        (("--n", 701), "701"),
        (("--block", 301), "301"),
    ],
)
def test_a_checkpoint_of_something_else_is_refused(tmp_path, scene, other, word):
    checkpoint = tmp_path / "run.ckpt"
    ok("simulate", scene, *ARGUMENTS, "--checkpoint", checkpoint, "--questions", "distance")
    kept = checkpoint.read_bytes()
    default = () if other[0] == "--questions" else ("--questions", "distance")
    problem = refused("simulate", scene, *ARGUMENTS, "--checkpoint", checkpoint, *default, *other)
    assert problem.startswith(f"Error: {checkpoint}: ")
    assert word in problem
    assert checkpoint.read_bytes() == kept


def test_a_checkpoint_of_another_scene_is_refused(tmp_path, scene):
    checkpoint = tmp_path / "run.ckpt"
    ok("simulate", scene, *ARGUMENTS, "--checkpoint", checkpoint)
    ng.write_scene(scene, ng.Scene(BOARD, POSITIONS + 0.5))
    assert "job" in refused("simulate", scene, *ARGUMENTS, "--checkpoint", checkpoint)
    # A pipe can be read once; what was read is what counts.
    other = tmp_path / "other.ckpt"
    with piped(scene) as pipe:
        ok("simulate", pipe, *ARGUMENTS, "--checkpoint", other)
    assert f"{N} were done before" in ok("simulate", scene, *ARGUMENTS, "--checkpoint", other)
    ng.write_scene(scene, ng.Scene(BOARD, POSITIONS))
    with piped(scene) as pipe:
        assert "job" in refused("simulate", pipe, *ARGUMENTS, "--checkpoint", other)
    missing = tmp_path / "missing" / "run.ckpt"
    assert refused("simulate", scene, "--checkpoint", missing).startswith(f"Error: {missing}: ")


def test_the_questions_are_those_of_evaluate():
    assert _cli_options.UNIT_QUESTIONS == QUESTIONS


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--jitter", -1), "--jitter: must be from 0 to 1e+06, got -1"),
        (("--jitter", "nan"), "--jitter: must be from 0 to 1e+06, got nan"),
        (("--turn", "inf"), "--turn: must be from 0 to 1e+06, got inf"),
        (("--confidence", 1), "--confidence: must lie between 0 and 1, got 1"),
        (
            ("--questions", "sight,smell"),
            "--questions: must be of distance, contact, arcs, sight, got 'smell'",
        ),
        (("--questions", "attacks"), "--questions: must be of distance, contact, arcs, sight, got 'attacks'"),
        (("--half-width", 0), "--half-width: must be a number greater than 0, got '0'"),
        (("--half-width", "sight=x"), "--half-width: must be a number greater than 0, got 'x'"),
        (("--half-width", "smell=1"), "--half-width: must be for one of distance, contact, arcs, sight, got"),
        (("--half-width", "=1"), "--half-width: must be for one of distance, contact, arcs, sight, got ''"),
        (("--half-width", 1, "--half-width", "sight=2"), "--half-width: '1' is for all questions; say"),
        (("--half-width", "sight=1", "--half-width", "sight=2"), "--half-width: 'sight' is named twice"),
        (("--questions", "sight", "--half-width", "arcs=1"), "--half-width: must be for one of sight, got"),
        (("--out", "estimates.npz"), "estimates.npz: estimates are written as .json or .csv, got '.npz'"),
        (("--out", "/missing/estimates.json"), "/missing/estimates.json: No such file"),
        (("--observers", "gaint"), "{scene}: --observers: no unit is named 'gaint'; did you mean 'giant'?"),
        (("--targets", ""), "{scene}: --targets: no unit is named ''"),
        (
            ("--observers", "giant", "--targets", "giant"),
            "{scene}: there are no two different units on the table to ask about",
        ),
    ],
)
def test_refusals_in_one_line(scene, arguments, message):
    assert refused("simulate", scene, *arguments).startswith("Error: " + message.format(scene=scene))


@pytest.mark.parametrize("option", ["--n", "--block", "--workers"])
def test_numbers_that_are_none(scene, option):
    result = run("simulate", scene, option, 0)
    assert result.exit_code == 2
    assert "0" in result.stderr


def test_skirmish_scenes_are_refused_unless_rules_are_named(tmp_path):
    path = tmp_path / "skirmish.json"
    models = [ng.Unit(name, 32, shape="round", group="scouts") for name in ("ada", "ben")]
    ng.write_scene(path, ng.Scene(ng.Board(models), [[10, 10, 0], [20, 10, 0]]))
    problem = refused("simulate", path)
    start = f"Error: {path}: this is a skirmish game, and simulate follows the rules of ranks and files"
    assert problem == f"{start}; see --rules"
    assert "ada" in ok("simulate", path, "--n", 10, "--rules", "third")


def test_a_scene_without_pairs(tmp_path, scene):
    path = tmp_path / "alone.json"
    ng.write_scene(path, ng.Scene(ng.Board(UNITS[:1]), POSITIONS[:1]))
    assert "no two different units" in refused("simulate", path)
    assert refused("simulate", tmp_path / "none.json").startswith(f"Error: {tmp_path / 'none.json'}: No such")
