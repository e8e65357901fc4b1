"""Line of sight on one core: by the rules, against rays sampled with shapely, and its relatives."""

from dataclasses import dataclass
from functools import partial

import numpy as np
import pytest

import ninthgeom
from benchmarks import sight_scenes as scenes
from benchmarks.ratio import compare, on_a_core
from benchmarks.rows import Row
from benchmarks.sight_sampler import missed_share, times_as_fast
from ninthgeom import t9a

GROUP = "Line of sight"
LAYOUTS = {
    "scattered": "scattered, all ordered pairs",
    "battle_lines": "two battle lines, enemies only",
}
BATTLES = "8 generated battles of 24 units and 8 pieces of terrain, 40 states of each in a call"
SAMPLER = (
    "80 rays a pair, from 5 points of the facing to 16 of the target, those within the arc, against an "
    "STRtree, under the same rules; it answers one state of each for the time and 4 for what it misses"
)
# Millions of pairs a second on a 2.6 GHz core, and times as fast as the sampler.
AIMS = {"scattered": (2.5e6, 500.0), "battle_lines": (1.0e6, None)}


@dataclass(frozen=True)
class Size:
    """How much is measured."""

    battles: int
    states: int
    missed: int  # states of each battle of which the sampler tells what it sees; it is timed for one
    rounds: int


FULL = Size(battles=8, states=40, missed=4, rounds=3)
SMOKE = Size(battles=1, states=2, missed=1, rounds=1)


def size_of(benchmark):
    return FULL if benchmark.enabled else SMOKE


def rate_of(benchmark, battles):
    """Pairs a second, of battles in which something is seen and something is not."""
    pairs = sum(battle.pairs for battle in battles)
    seen = sum(int(np.count_nonzero(battle.line_of_sight())) for battle in battles)
    assert 0.05 < seen / pairs < 0.95
    rounds = {"rounds": 5 if benchmark.enabled else 1}

    def measured():
        return sum(on_a_core(battle.ask, **rounds) for battle in battles)

    return pairs / benchmark.pedantic(measured, rounds=1)


def against(missed):
    return f"sampled rays, which miss {100 * missed:.1f} % of what is seen"


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_rules(benchmark, layout):
    size = size_of(benchmark)
    battles = scenes.generated(layout, size.battles, size.states)
    rate_least, ratio_least = AIMS[layout]
    Row(
        question=f"`t9a.line_of_sight`, {LAYOUTS[layout]}",
        data=f"{BATTLES}; the sampler: {SAMPLER}",
        rate=rate_of(benchmark, battles),
        rate_least=rate_least,
        against=against(missed_share(battles, size.missed)),
        ratio=times_as_fast(battles, rounds=size.rounds),
        ratio_least=ratio_least,
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_tuned_sampler(benchmark, layout):
    size = size_of(benchmark)
    battles = scenes.generated(layout, size.battles, size.states)
    measure = partial(times_as_fast, battles, tuned=True, rounds=size.rounds)
    Row(
        question=f"against rays that are tuned, {LAYOUTS[layout]}",
        data=(
            "the same battles; the tree is asked for boxes alone, what the rules do not let block is left "
            "out, and obstacles are prepared instead of rays"
        ),
        against="sampled rays as before, tuned",
        ratio=benchmark.pedantic(measure, rounds=1),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.skipif(not scenes.REAL_ARMIES.exists(), reason="the lists of real armies are not there")
def bench_real_armies(benchmark, layout):
    size = size_of(benchmark)
    battles = scenes.real(layout, size.battles, size.states)
    Row(
        question=f"`t9a.line_of_sight`, tournament armies, {LAYOUTS[layout]}",
        data=(
            "8 pairs of tournament lists that met and have 24 units together, deployed as generated armies "
            "are, 40 states of each in a call"
        ),
        rate=rate_of(benchmark, battles),
        against=against(missed_share(battles, size.missed)),
        ratio=times_as_fast(battles[:3], rounds=1),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_line_of_sight(benchmark, layout):
    size = size_of(benchmark)
    battles = scenes.generated(layout, size.battles, size.states, kind=scenes.PlainBattle.of)
    Row(
        question=f"`line_of_sight`, {LAYOUTS[layout]}",
        data=(
            "the same battles without rules: all boundaries and all terrain are in the way, except those of "
            "observer and target"
        ),
        rate=rate_of(benchmark, battles),
        against=against(missed_share(battles, size.missed)),
        ratio=times_as_fast(battles[:3], rounds=1),
    ).record(benchmark)


# Name: the battles, and how they differ from those above.
VARIANTS = {
    "a tenth of the models fallen": (scenes.fallen, "others in each state"),
    "mixed heights": (scenes.mixed, "a character of another height in each unit of several models"),
    "second edition": (scenes.second_edition, "bases alone are in the way"),
}


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("variant", VARIANTS)
def bench_variants(benchmark, variant, layout):
    size = size_of(benchmark)
    make, words = VARIANTS[variant]
    battles = make(layout, -(-size.battles // 2), size.states)
    if variant != "second edition":  # which the sampler does not know
        missed_share(battles[:2], size.missed)
    Row(
        question=f"`t9a.line_of_sight`, {variant}, {LAYOUTS[layout]}",
        data=f"4 of the battles above; {words}",
        rate=rate_of(benchmark, battles),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("states", [1, 1_000])
def bench_states_in_a_call(benchmark, states):
    number = states if benchmark.enabled else min(states, 3)
    (battle,) = scenes.generated("scattered", 1, number)
    battle.ask()
    seconds = benchmark.pedantic(on_a_core, (battle.ask,), {"rounds": 5}, rounds=1)
    Row(
        question=f"`t9a.line_of_sight`, {states:,} state{'s' * (states > 1)} in a call",
        data="one of the scattered battles, all ordered pairs",
        rate=battle.pairs / seconds,
        seconds=seconds,
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
def bench_crowded(benchmark):
    battles = scenes.crowded(2, 40) if benchmark.enabled else scenes.crowded(1, 1, units=30)
    Row(
        question="`t9a.line_of_sight`, 60 blockers",
        data="2 scattered battles of 60 units without terrain, 40 states of each, all ordered pairs",
        rate=rate_of(benchmark, battles),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
def bench_screened(benchmark):
    battle = scenes.screened(40 if benchmark.enabled else 1)
    joint = scenes.hidden_jointly(battle, 2 if benchmark.enabled else 1)
    assert joint > 0.4
    Row(
        question="`t9a.line_of_sight`, hidden by several together",
        data=(
            "two lines of 12 units with four rows of 20 small ones between them, 40 states, enemies only: "
            f"{100 * joint:.0f} % of the pairs are hidden, though no boundary alone hides them"
        ),
        rate=rate_of(benchmark, [battle]),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("blockers", [20, 40, 80])
def bench_growth(benchmark, blockers):
    states = 200 if benchmark.enabled else 2
    many, few = scenes.among(blockers, states), scenes.among(blockers // 2, states)
    few_rounds = {"rounds": 9 if benchmark.enabled else 1, "shortest": 0.05 if benchmark.enabled else 0.0}
    result = benchmark.pedantic(compare, (few.ask, many.ask), few_rounds, rounds=1)
    Row(
        question=f"`t9a.line_of_sight`, {blockers} blockers",
        data="8 units look at 8 others past so many on a table of 72 x 48 inches, 200 states",
        rate=many.pairs / result.theirs,
        against=f"{blockers // 2} of them",
        ratio=result.ratio,
        ratio_most=2.4,
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
@pytest.mark.parametrize("layout", LAYOUTS)
def bench_models_see(benchmark, layout):
    states = 40 if benchmark.enabled else 1
    battles = scenes.generated(layout, 8 if benchmark.enabled else 1, states)
    battle = max(battles, key=lambda battle: battle.board.n_models)
    board = battle.board
    shooters = np.unique(np.linspace(0, board.n_models - 1, 200).astype(int))
    if benchmark.enabled:
        assert len(shooters) == 200

    def ask():
        return t9a.models_see(board, battle.positions, shooters=shooters)

    ask()
    seconds = benchmark.pedantic(on_a_core, (ask,), rounds=1)
    Row(
        question=f"`t9a.models_see`, 200 shooters, 24 targets, {layout.replace('_', ' ')}",
        data="the battle with most models, 40 states in a call; models of one file share their answer",
        rate=states * len(shooters) * len(board) / seconds,
        seconds=seconds,
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
def bench_sees_points(benchmark):
    (battle,) = scenes.generated("scattered", 1, 2 if benchmark.enabled else 1)
    width, height = (72, 48) if benchmark.enabled else (6, 4)
    x, y = np.meshgrid(np.arange(width) + 0.5, np.arange(height) + 0.5)
    points = np.column_stack([x.ravel(), y.ravel()])

    def ask():
        return t9a.sees_points(battle.board, battle.positions, points)

    answer = ask()
    seconds = benchmark.pedantic(on_a_core, (ask,), {"rounds": 3}, rounds=1)
    Row(
        question="`t9a.sees_points`, 24 units, a grid of 72 x 48",
        data="one of the scattered battles, 2 states in a call; the time is that of a state",
        rate=answer.size / seconds,
        items="points",
        seconds=seconds / len(battle.positions),
    ).record(benchmark)


@pytest.mark.benchmark(group=GROUP)
def bench_sight_lines(benchmark):
    states = 10 if benchmark.enabled else 1
    (battle,) = scenes.generated("scattered", 1, states, kind=scenes.PlainBattle.of)
    boundaries, blockers, blocks = battle.arguments

    def ask():
        return ninthgeom.sight_lines(boundaries[:, :, None], boundaries[:, None], blockers, blocks=blocks)

    assert ask().visible.shape == (states, len(battle.board), len(battle.board))
    seconds = benchmark.pedantic(on_a_core, (ask,), {"rounds": 3}, rounds=1)
    Row(
        question="`sight_lines`, scattered, all ordered pairs",
        data="10 states of a battle without rules, with the lines and the blockers that cut them",
        rate=battle.pairs / seconds,
    ).record(benchmark)
