"""Attack rights and pools of hits on random boards: against an oracle, and laws that no duel may break."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ninthgeom import Attached, Board, Rows, Unit, t9a
from ninthgeom.t9a import Duels, attacks, hit_pool, may_attack
from ninthgeom.t9a._places import places_of
from ninthgeom.t9a.kinds import AttackReason, ContactKind
from tests.rules.attack_oracle import Contact, Duel, Fight, rows_of

MM = (20, 20)


def random_board(rng: np.random.Generator) -> Board:
    """Units with all kinds of characters, three sides or none told."""
    units = []
    for k in range(int(rng.integers(4, 7))):
        files = int(rng.integers(1, 6))
        attached = []
        if rng.random() < 0.6:
            attached.append(
                Attached("matching", MM, place=(int(rng.integers(0, 2)), int(rng.integers(0, files))))
            )
        if files >= 3 and rng.random() < 0.4:
            sizes = [(40, 20), (40, 40), (60, 20), (20, 40)]
            attached.append(Attached("large", sizes[rng.integers(0, len(sizes))]))
        if rng.random() < 0.4:
            attached.append(Attached("beside", (25, 50)))
        formation = "skirmish" if rng.random() < 0.3 else "ranked"
        models = int(rng.integers(2 * files, 3 * files + 2))
        unit = {"models": models, "files": files, "formation": formation, "side": int(rng.integers(0, 3))}
        try:
            units.append(Unit(f"unit {k}", MM, attached=attached, **unit))
        except ValueError:  # two characters in one place
            units.append(Unit(f"unit {k}", MM, **unit))
    units.append(Unit("disc", 60, shape="round", side=0))
    units.append(Unit("line", MM, models=17, files=8, side=1))
    if rng.random() < 0.3:
        units = [Unit(unit.name, MM, models=unit.models, files=unit.files) for unit in units[:-2]]
    return Board(units)


def random_fight(rng: np.random.Generator, board: Board, density: float) -> Fight:
    n, unit = board.n_models, board.model_unit
    sides = board.side if len(set(board.side.tolist())) > 1 else np.arange(len(board))
    enemies = sides[unit][:, None] != sides[unit]
    living = np.flatnonzero(rng.random(n) < rng.choice([1.0, 0.9, 0.6])).tolist()
    duels: list[Duel] = []
    free = set(range(n))
    for _ in range(int(rng.integers(0, 4))):
        one = int(rng.choice(sorted(free)))
        foes = [other for other in free if enemies[one, other]]
        if not foes:
            continue
        other = int(rng.choice(foes))
        free -= {one, other}
        duels.append(Duel((one, other), (bool(rng.random() < 0.2), bool(rng.random() < 0.2))))
    # Mostly front ranks, where support begins, against few enemies, so that some reach characters only.
    weight = np.where(places_of(board).rank == 0, density, density / 6)
    met = enemies & (rng.random((n, n)) < weight[:, None] * (rng.random(n) < 0.4))
    contacts = [
        Contact(int(a), int(b), int(rng.integers(1, 4)), int(rng.integers(1, 16)) | int(rng.random() < 0.5))
        for a, b in np.argwhere(met)
    ]
    known = {(row.model, row.other) for row in contacts}
    for duel in duels:
        contacts += [
            Contact(*pair, ContactKind.DUEL, int(rng.integers(1, 16)))
            for pair in (duel.models, duel.models[::-1])
            if pair not in known and rng.random() < 0.7
        ]
    return Fight(
        board,
        contacts,
        living,
        duels,
        champions=rng.choice(n, int(rng.integers(0, n // 3)), replace=False).tolist(),
        supporting=rng.integers(0, 4, len(board)).tolist(),
        line_formation=bool(rng.random() < 0.5),
    )


def random_fights(seed: int, n_states: int = 8) -> list[Fight]:
    """States of one board with the same champions and rules."""
    rng = np.random.default_rng(seed)
    board = random_board(rng)
    fights = [random_fight(rng, board, rng.choice([0.02, 0.1, 0.4])) for _ in range(n_states)]
    first = fights[0]
    for fight in fights[1:]:
        fight.champions, fight.supporting = first.champions, first.supporting
        fight.line_formation = first.line_formation
    return fights


def arguments(fights: list[Fight], shape: tuple[int, ...]) -> dict[str, Any]:
    board = fights[0].board
    rows = [
        (s, row.model, row.other, row.kind, row.facing)
        for s, fight in enumerate(fights)
        for row in fight.contacts
    ]
    occupied = np.zeros((len(fights), board.n_models), np.bool_)
    for s, fight in enumerate(fights):
        occupied[s, fight.living] = True
    duels = [(s, *duel.models, duel.removed) for s, fight in enumerate(fights) for duel in fight.duels]
    duels = [duels[k] for k in np.random.default_rng(len(duels)).permutation(len(duels))]
    state, first, second, removed = (
        zip(*duels, strict=True) if duels else ([], [], [], np.zeros((0, 2), bool))
    )
    return {
        "board": board,
        "contacts": rows_of(rows, shape),
        "duels": Duels(first, second, state=state, removed=removed),
        "champions": fights[0].champions,
        "occupied": occupied.reshape(*shape, -1),
        "supporting_ranks": fights[0].supporting,
        "rules": t9a.Rules(line_formation=fights[0].line_formation),
    }


def quadruples(answer: Rows) -> list[tuple[int, ...]]:
    return list(zip(*(column.tolist() for column in answer.columns.values()), strict=True))


def expected(fights: list[Fight]) -> list[tuple[int, ...]]:
    return [
        (s, *pair, int(reason))
        for s, fight in enumerate(fights)
        for pair, reason in sorted(fight.attacks().items())
    ]


@pytest.mark.parametrize("seed", range(150))
def test_against_the_oracle(seed):
    fights = random_fights(seed)
    answer = may_attack(**arguments(fights, (2, len(fights) // 2)))
    assert quadruples(answer) == expected(fights)


def test_the_random_states_have_all_that_matters():
    everything = [(fight, fight.attacks()) for seed in range(150) for fight in random_fights(seed)]
    reasons = [reason for _, answer in everything for reason in answer.values()]
    assert all(reasons.count(reason) > 500 for reason in AttackReason)
    removed = sum(any(duel.removed) for fight, _ in everything for duel in fight.duels)
    gone = sum(not set(duel.models) <= set(fight.living) for fight, _ in everything for duel in fight.duels)
    assert removed > 100
    assert gone > 100


@pytest.mark.parametrize("seed", range(20))
def test_pools_against_the_oracle(seed):
    rng = np.random.default_rng(seed)
    fights = random_fights(seed)
    given = arguments(fights, (len(fights),))
    board, n = given["board"], 200
    state, unit = rng.integers(0, len(fights), n), rng.integers(0, len(board), n)
    attacker = rng.integers(0, board.n_models, n)
    duels = given["duels"]
    if len(duels):  # half of the attackers fight duels, most of them against that unit
        some = rng.integers(0, len(duels), n // 2)
        state[: n // 2] = duels.state[some]
        attacker[: n // 2] = np.where(some % 2, duels.first[some], duels.second[some])
        unit[: n // 3] = board.model_unit[np.where(some % 2, duels.second[some], duels.first[some])][: n // 3]
    found = hit_pool(board, attacker, unit, duels=duels, state=state, occupied=given["occupied"])
    for row, s, a, u in zip(found, state.tolist(), attacker.tolist(), unit.tolist(), strict=True):
        assert set(np.flatnonzero(row).tolist()) == fights[s].pool(a, u)


# ---------------------------------------------------------------------------------------------- laws


@pytest.mark.parametrize("seed", range(200, 230))
def test_no_row_but_that_of_a_duel_has_a_duellist(seed):
    given = arguments(random_fights(seed), (8,))
    answer, duels = may_attack(**given), given["duels"]
    duellist = np.zeros((8, given["board"].n_models), np.bool_)
    duellist[duels.state, duels.first] = duellist[duels.state, duels.second] = True
    either = duellist[answer.state, answer.model] | duellist[answer.state, answer.other]
    assert np.array_equal(either, answer.reason == AttackReason.DUEL)


@pytest.mark.parametrize("seed", range(300, 320))
def test_states_answer_one_by_one_as_together(seed, monkeypatch):
    fights = random_fights(seed)
    given = arguments(fights, (8,))
    whole = may_attack(**given)
    for s, fight in enumerate(fights):
        alone = may_attack(**arguments([fight], ()))
        part = whole.for_state(s)
        assert all(
            np.array_equal(alone.columns[name], part.columns[name]) for name in ("model", "other", "reason")
        )
    for scratch in (1, 20_000, 100_000):
        monkeypatch.setattr(attacks, "_SCRATCH_BYTES", scratch)
        assert may_attack(**given) == whole


@pytest.mark.parametrize("seed", range(400, 420))
def test_errors_of_later_chunks_name_rows_of_the_whole(seed, monkeypatch):
    given = arguments(random_fights(seed), (8,))
    contacts = given["contacts"]
    if not len(contacts):
        return
    columns = {name: column.copy() for name, column in contacts.columns.items()}
    columns["other"][-1] = given["board"].n_models
    monkeypatch.setattr(attacks, "_SCRATCH_BYTES", 1)
    with pytest.raises(ValueError, match=rf"contacts.other\[{len(contacts) - 1}\]: must be from 0"):
        may_attack(**{**given, "contacts": Rows(columns, (8,))})


@pytest.mark.parametrize("seed", range(500, 530))
def test_a_duel_changes_nothing_in_other_combats(seed):
    """Two battles on one board: what happens in one does not depend on the duels of the other."""
    rng = np.random.default_rng(seed)
    half = random_board(rng)
    units = [*half.units, *(Unit(f"other {unit.name}", MM, models=9, side=unit.side) for unit in half.units)]
    board = Board(units)
    n = half.n_models
    fight = random_fight(rng, board, 0.3)
    apart = [
        row for row in fight.contacts if (row.model < n) == (row.other < n) and row.kind != ContactKind.DUEL
    ]
    duels = [duel for duel in fight.duels if (duel.models[0] < n) == (duel.models[1] < n)]
    fight.contacts, fight.duels = apart, duels
    given = arguments([fight], ())
    answer = may_attack(**given)
    for side in (False, True):
        keep = (given["duels"].first < n) == side
        part = may_attack(**{**given, "duels": given["duels"][keep]})
        here = (answer.model < n) == side
        there = (part.model < n) == side
        for name in ("model", "other", "reason"):
            assert np.array_equal(answer.columns[name][here], part.columns[name][there])


@pytest.mark.parametrize("seed", range(600, 620))
def test_observers_of_one_side_have_the_same_rights_alone(seed):
    """Rows of some models only, as `contacts` gives for some observers, say all about these."""
    given = arguments(random_fights(seed), (8,))
    contacts, board = given["contacts"], given["board"]
    some = board.model_unit[contacts.model] % 2 == 0
    answer, part = may_attack(**given), may_attack(**{**given, "contacts": contacts[some]})
    named = board.model_unit[answer.model] % 2 == 0
    own = board.model_unit[part.model] % 2 == 0
    assert answer[named] == part[own]


@pytest.mark.parametrize("seed", range(700, 710))
def test_duels_may_be_named_in_any_order_and_either_way_round(seed):
    given = arguments(random_fights(seed), (8,))
    duels = given["duels"]
    turned = Duels(
        duels.second[::-1], duels.first[::-1], state=duels.state[::-1], removed=duels.removed[::-1, ::-1]
    )
    assert may_attack(**{**given, "duels": turned}) == may_attack(**given)


@pytest.mark.parametrize("seed", range(800, 820))
def test_duels_without_states_are_those_of_every_state(seed, monkeypatch):
    given = arguments(random_fights(seed), (8,))
    contacts, some = given["contacts"], given["duels"].state == 0
    duels = given["duels"][some]
    first, second, removed = duels.first, duels.second, duels.removed
    spread = [np.tile(column, 8) for column in (first, second)]
    stated = Duels(*spread, state=np.repeat(np.arange(8), len(duels)), removed=np.tile(removed, (8, 1)))
    given["contacts"] = contacts[contacts.kind != ContactKind.DUEL]
    expected = may_attack(**{**given, "duels": stated})
    monkeypatch.setattr(attacks, "_SCRATCH_BYTES", 20_000)
    assert may_attack(**{**given, "duels": Duels(first, second, removed=removed)}) == expected


@pytest.mark.verify
def test_many_more_against_the_oracle():
    counts = dict.fromkeys(AttackReason, 0)
    for seed in range(1000, 4000):
        fights = random_fights(seed)
        answer = may_attack(**arguments(fights, (len(fights),)))
        assert quadruples(answer) == expected(fights), seed
        for reason in AttackReason:
            counts[reason] += int(np.count_nonzero(answer.reason == reason))
    print("seeds 1000-3999,", {reason.name: count for reason, count in counts.items()})
