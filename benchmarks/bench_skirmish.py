"""Coherency, routes, paths and places, against shapely and networkx and by themselves."""

import numpy as np
import pytest
import shapely

from benchmarks.ratio import compare, on_a_core
from benchmarks.rows import Row
from benchmarks.skirmish_reference import State, Table, coherency
from benchmarks.skirmish_routes import VisibilityGraph
from benchmarks.skirmish_scenes import MODELS, SIZE, make_skirmish, make_terrain
from ninthgeom import Board, Unit, skirmish

STATES, JUDGED = 10_000, 100
DATA = (
    "10,000 states of 12 groups of 8 models, discs of 32 to 80 mm and ovals, on a table of 44 x 60 inches "
    "with 10 pieces of terrain of 4 to 8 corners; nothing overlaps, most models are near their leaders"
)
AGAINST = "shapely and networkx"
GAP = 1.0
QUESTIONS, QUESTIONS_JUDGED = 1_000, 40
ROUTES = (
    "a table of 44 x 60 inches with as many obstacles, half of them terrain of 4 to 8 corners, half discs of "
    "1 to 3 inches; 1,000 pairs of points anywhere outside; gaps of an inch needed"
)
#: Lengths of routes round 32 corners on a disc instead of along it differ by no more than these parts.
POLYGON = 0.005


def ask(scene, states):
    return skirmish.coherency(scene.board, scene.positions[states], scene.leaders, radius=scene.radius)


def judged(table, scene, states):
    found = [coherency(State(table, at), scene.leaders, scene.radius) for at in scene.positions[states]]
    return [np.array(answers) for answers in zip(*found, strict=True)]


@pytest.mark.benchmark(group="Skirmish")
def bench_coherency(benchmark):
    scene = make_skirmish(1, STATES if benchmark.enabled else 4)
    table = Table(scene.board)
    n = JUDGED if benchmark.enabled else 4
    some = slice(0, n)
    found = ask(scene, some)  # compiles the kernels
    expected = judged(table, scene, some)
    differ = sum(
        int((answer != other).sum())
        for answer, other in zip(
            (found.in_coherency, found.within_radius, found.linked), expected, strict=True
        )
    )
    assert differ == 0
    every = slice(None)
    rounds = 3 if benchmark.enabled else 1

    def measure():
        # Both sides on the same states; the rate is that of all of them.
        return compare(lambda: ask(scene, some), lambda: judged(table, scene, some), rounds=rounds)

    result = benchmark.pedantic(measure, rounds=1)
    seconds = on_a_core(lambda: ask(scene, every), rounds=rounds)
    Row(
        question="`skirmish.coherency`",
        data=f"{DATA}; the ratio on the first {JUDGED} of them, with equal answers for every group and model",
        rate=len(scene.positions) / seconds,
        items="states",
        against=AGAINST,
        ratio=result.ratio,
        ratio_least=50,
    ).record(benchmark)


def make_obstacles(n):
    """A board of n obstacles that are clear of each other, and pairs of points."""
    rng = np.random.default_rng(n)
    terrain = make_terrain(rng, n // 2, apart=0.5)
    shapes = Table(Board([], terrain, SIZE)).terrain
    units, places = [], []
    while len(units) < n - n // 2:
        radius, at = rng.uniform(0.5, 1.5), rng.uniform(3, np.subtract(SIZE, 3))
        disc = _disc(at, radius)
        others = [_disc(place[:2], unit.base_mm[0] / 50.8) for place, unit in zip(places, units, strict=True)]
        if min(disc.distance(shape) for shape in (*shapes, *others)) > 0.5:
            units.append(Unit(f"{len(units)}", 50.8 * radius, shape="round"))
            places.append((*at, 0.0))
    board = Board(units, terrain, SIZE)
    positions = np.array(places).reshape(-1, 3)
    solid = VisibilityGraph(State(Table(board), positions), GAP, outside=True)
    points = rng.uniform(1, np.subtract(SIZE, 1), (8 * QUESTIONS, 2))
    inside = solid.inside(points)
    return board, positions, points[~inside][: 2 * QUESTIONS].reshape(-1, 2, 2)


def _disc(at, radius):
    return shapely.Point(at).buffer(radius)


@pytest.mark.benchmark(group="Skirmish")
@pytest.mark.parametrize("n", [10, 20, 30, 60])
def bench_routes(benchmark, n):
    board, positions, ends = make_obstacles(n)
    ends = ends if benchmark.enabled else ends[:20]
    some = ends[: QUESTIONS_JUDGED if benchmark.enabled else 10]
    shared = skirmish.RouteMap(board, positions, gap=GAP)
    shared.lengths(some[:, 0], some[:, 1])  # compiles the kernels
    graph = VisibilityGraph(State(Table(board), positions), GAP)
    lengths = shared.lengths(some[:, 0], some[:, 1])
    expected = np.array([graph.length(*pair) for pair in some])
    # The corners of the polygons are on the discs, so that routes round them are a little too short.
    assert (np.isinf(lengths) == np.isinf(expected)).all()
    finite = np.isfinite(lengths)
    assert (lengths[finite] >= expected[finite] - 1e-6).all()
    assert (lengths[finite] <= (1 + POLYGON) * expected[finite]).all()
    rounds = 3 if benchmark.enabled else 1
    result = benchmark.pedantic(
        compare,
        (
            lambda: shared.lengths(ends[:, 0], ends[:, 1]),
            lambda: [graph.length(*pair) for pair in some],
        ),
        {"part": len(some) / len(ends), "rounds": rounds},
        rounds=1,
    )
    Row(
        question=f"`skirmish.RouteMap.lengths`, {n} obstacles",
        data=f"{ROUTES}; time of a question after the graph is built",
        seconds=result.ours / len(ends),
        seconds_most=3e-4 if n == 30 else None,
        against=f"{AGAINST}, discs with 32 corners, {QUESTIONS_JUDGED} of the questions",
        ratio=result.ratio,
        ratio_least=20 if n == 30 else None,
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
@pytest.mark.parametrize("n", [10, 20, 30, 60])
def bench_building_routes(benchmark, n):
    board, positions, ends = make_obstacles(n)

    def build():
        shared = skirmish.RouteMap(board, positions, gap=GAP)
        shared.lengths(*ends[0])  # whatever is put off until the first question

    build()
    seconds = benchmark.pedantic(on_a_core, (build,), {"rounds": 5 if benchmark.enabled else 1}, rounds=1)
    Row(
        question=f"`skirmish.RouteMap`, {n} obstacles",
        data=f"{ROUTES}; the graph and one question",
        seconds=seconds,
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
def bench_routes_with_courses(benchmark):
    board, positions, ends = make_obstacles(30)
    ends = ends if benchmark.enabled else ends[:20]
    shared = skirmish.RouteMap(board, positions, gap=GAP)

    def ask_all():
        return shared.routes(ends[:, 0], ends[:, 1])

    ask_all()
    seconds = benchmark.pedantic(on_a_core, (ask_all,), {"rounds": 3}, rounds=1)
    Row(
        question="`skirmish.RouteMap.routes`, 30 obstacles",
        data=f"{ROUTES}; lengths and way-points, time of a question",
        seconds=seconds / len(ends),
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
def bench_paths(benchmark):
    """The leader of each group goes a way with two turns."""
    scene = make_skirmish(2, 500 if benchmark.enabled else 2)
    rng = np.random.default_rng(3)
    steps = rng.normal(0, 2.0, (len(scene.positions), len(scene.leaders), 4, 2))
    steps[:, :, 0] = scene.positions[:, scene.leaders, :2]
    paths = steps.cumsum(axis=2)

    def ask_all():
        return skirmish.paths_clear(
            scene.board, scene.positions[:, None], scene.leaders, paths, allowance=8.0
        )

    found = ask_all()
    if benchmark.enabled:
        assert 0.05 < found.clear.mean() < 0.95
    seconds = benchmark.pedantic(on_a_core, (ask_all,), {"rounds": 3}, rounds=1)
    Row(
        question="`skirmish.paths_clear`",
        data=f"{DATA}; 500 of the states, in each the leader of every group on a path of three legs",
        rate=paths.shape[0] * paths.shape[1] / seconds,
        items="paths",
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
def bench_place(benchmark):
    """All models of a group but its leader are set where they stood, a little aside."""
    scene = make_skirmish(4, 50 if benchmark.enabled else 1)
    rng = np.random.default_rng(5)
    models = np.arange(1, MODELS)
    wished = scene.positions[:, models, :2] + rng.normal(0, 1.0, (len(scene.positions), len(models), 2))

    def ask_all():
        return skirmish.place(scene.board, scene.positions, models, wished, leader=0, radius=3.0)

    found = ask_all()
    assert (found.status == skirmish.PlaceStatus.IN_COHERENCY).mean() > 0.9
    seconds = benchmark.pedantic(on_a_core, (ask_all,), {"rounds": 3}, rounds=1)
    Row(
        question="`skirmish.place`",
        data=f"{DATA}; 50 of the states, in each 7 models of 32 mm one after another",
        rate=wished.shape[0] * wished.shape[1] / seconds,
        items="models",
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
@pytest.mark.parametrize("away", [False, True])
def bench_move_directly(benchmark, away):
    """The first group of one side moves towards or away from that of the other, the leader given."""
    scene = make_skirmish(6, 20 if benchmark.enabled else 1)
    board = scene.board
    leader = int(scene.leaders[0])
    target = int(board.group[board.side != board.side[leader]][0])

    def ask_all():
        return skirmish.move_directly(
            board, scene.positions, int(board.group[leader]), target, 6.0, leader=leader, away=away
        )

    found = ask_all()
    assert (found.length > 0).any()
    seconds = benchmark.pedantic(on_a_core, (ask_all,), {"rounds": 3 if benchmark.enabled else 1}, rounds=1)
    Row(
        question=f"`skirmish.move_directly`, {'away' if away else 'towards'}",
        data=f"{DATA}; 20 of the states, a group of {MODELS} moves 6 inches; time of a state",
        seconds=seconds / len(scene.positions),
    ).record(benchmark)


@pytest.mark.benchmark(group="Skirmish")
@pytest.mark.parametrize("name", ["distances", "wholly_within", "engaged"])
def bench_groups(benchmark, name):
    scene = make_skirmish(7, 1000 if benchmark.enabled else 2)
    more = {"distance": 12.0} if name == "wholly_within" else {}

    def ask_all():
        return getattr(skirmish, name)(scene.board, scene.positions, by="group", **more)

    assert ask_all().any()
    seconds = benchmark.pedantic(on_a_core, (ask_all,), {"rounds": 3}, rounds=1)
    Row(
        question=f"`skirmish.{name}`, all pairs of groups",
        data=f"{DATA}; 1,000 of the states",
        rate=len(scene.positions) / seconds,
        items="states",
    ).record(benchmark)
