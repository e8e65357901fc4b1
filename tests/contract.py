"""Every public function that takes arrays or batches: what it takes and what it gives.

`tests/public/test_contract.py` holds all of them to one contract. A new function is one `Question` more; a
public name that is neither in `QUESTIONS` nor, with a reason, in `EXEMPT` fails there.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import shapely
import shapely.affinity

import ninthgeom
from ninthgeom import Attached, Bases, Board, Polygons, Segments, Terrain, Unit, skirmish, t9a
from tests.strategies import random_bases

Shape: TypeAlias = tuple[int, ...]
Arguments: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True)
class Batch:
    """Values of one argument, the first axis of which broadcasts; the last `core` axes are one value's."""

    values: Any
    core: int = 0

    def item(self, i: int) -> Any:
        return self.values[i]

    def shaped(self, shape: Shape) -> Any:
        """The first values in this shape."""
        own = self.values.shape[self.values.ndim - self.core :] if self.core else ()
        return self.values[: math.prod(shape)].reshape((*shape, *own))


Maker: TypeAlias = Callable[[np.random.Generator, int], Batch]


@dataclass(frozen=True)
class Question:
    """One public function.

    Attributes
    ----------
    name : str
        Below `ninthgeom`.
    form : str
        Its arguments as in a def, without types and defaults.
    answers : tuple of (scalar type, shape)
        Of each array of an answer, its type and the axes that belong to one value; of indices that were found
        the first axes.
    takes : dict of str to callable
        The arguments that broadcast against each other; a call with a generator and n makes n values of one.
    fixed : dict
        Further arguments of every call.
    of : callable
        The arrays of what it gives: one, or a tuple of them.
    leading : tuple of int, optional
        The axes before the core that it takes, if not any.
    is_scalar : bool
        Whether single values give scalars: containers hold arrays without axes.
    note : str
        Tells questions about different kinds of batches apart.
    """

    name: str
    form: str
    answers: tuple[tuple[type[np.generic], Shape], ...]
    takes: Mapping[str, Maker]
    fixed: Arguments = field(default_factory=dict)
    of: Callable[[Any], Any] = lambda answer: answer
    leading: Shape | None = None
    is_scalar: bool = False
    note: str = ""

    @property
    def function(self) -> Callable[..., Any]:
        owner, _, last = self.name.rpartition(".")
        owners = {"": ninthgeom, "t9a": t9a, "skirmish": skirmish, "Bases": Bases, "Board": BOARD}
        function: Callable[..., Any] = getattr(owners[owner], last)
        return function

    def __str__(self) -> str:
        return f"{self.name}-{self.note}" if self.note else self.name

    def has(self, option: str) -> bool:
        """Whether it takes an argument of this name."""
        return option in self.form.split(", ")

    def make(self, n: int, seed: int = 1) -> dict[str, Batch]:
        """Values of the arguments that broadcast, n of each."""
        rng = np.random.default_rng(seed)
        return {name: maker(rng, n) for name, maker in self.takes.items()}

    def arguments(self, shape: Shape) -> dict[str, Any]:
        """Arguments of this shape."""
        return {name: batch.shaped(shape) for name, batch in self.make(math.prod(shape)).items()}

    def ask(self, arguments: Arguments) -> Any:
        """Call it, positional arguments in their places."""
        named = {**self.fixed, **arguments}
        places = []
        for name in self.form.split(", *")[0].split(", "):
            if name not in named:
                break
            places.append(named.pop(name))
        return self.function(*places, **named)

    def parts(self, arguments: Arguments) -> list[Any]:
        """Call it; the arrays and scalars of its answer."""
        arrays = self.of(self.ask(arguments))
        return list(arrays) if isinstance(arrays, tuple) else [arrays]


# ---------------------------------------------------------------------------------- values


def bases(rng: np.random.Generator, n: int) -> Batch:
    return Batch(random_bases(rng, n, "mixed"))


def polygons(rng: np.random.Generator, n: int) -> Batch:
    return Batch(OUTLINES[rng.integers(0, len(OUTLINES), n)])


def segments(rng: np.random.Generator, n: int) -> Batch:
    """Segments on a grid, some without length."""
    return Batch(Segments(*rng.integers(-6, 7, (4, n)) / 2.0))


def whole(low: int, high: int) -> Maker:
    """Whole numbers, which every type of number can hold."""
    return lambda rng, n: Batch(rng.integers(low, high + 1, n).astype(np.float64))


def positions(rng: np.random.Generator, n: int) -> Batch:
    places = rng.integers(20, 36, (n, len(BOARD), 3)).astype(np.float64)
    places[..., 2] %= 7
    return Batch(places, core=2)


def present(rng: np.random.Generator, n: int) -> Batch:
    return Batch(rng.random((n, len(BOARD))) < 0.85, core=1)


def occupied(rng: np.random.Generator, n: int) -> Batch:
    return Batch(BOARD.occupied & (rng.random((n, BOARD.n_models)) < 0.8), core=1)


def models(rng: np.random.Generator, n: int) -> Batch:
    """Positions of single models, near each other."""
    places = rng.integers(20, 30, (n, len(TABLE), 3)).astype(np.float64)
    places[..., 2] %= 7
    return Batch(places, core=2)


def models_present(rng: np.random.Generator, n: int) -> Batch:
    return Batch(rng.random((n, len(TABLE))) < 0.85, core=1)


def snapshots(rng: np.random.Generator, n: int) -> Batch:
    return Batch(rng.random((n, 3)) < 0.8, core=1)


def aloft(rng: np.random.Generator, n: int) -> Batch:
    return Batch(rng.random((n, len(BOARD))) < 0.3, core=1)


def engaged(rng: np.random.Generator, n: int) -> Batch:
    return Batch(rng.random((n, len(BOARD), len(BOARD))) < 0.5, core=2)


def pentagons(rng: np.random.Generator, n: int) -> Batch:
    outline = np.array([[0, 0], [9, 1], [12, 7], [5, 4], [1, 8]])
    return Batch((outline + rng.integers(0, 50, (n, 1, 2))).astype(np.float64), core=2)


#: The numbers that an argument may hold; the largest and the smallest belong to them.
COORDINATE = (-1e6, 1e6)
SIZE = (0.0, 1e6)
ANGLE = (-sys.float_info.max, sys.float_info.max)
LIMITS = {
    "x": COORDINATE,
    "y": COORDINATE,
    "x0": COORDINATE,
    "y0": COORDINATE,
    "x1": COORDINATE,
    "y1": COORDINATE,
    "heading": ANGLE,
    "width": SIZE,
    "depth": SIZE,
    "diameter": SIZE,
    "radius": (0.0, 1.0),  # half the width that it is asked with
    "distance": (0.0, math.inf),
    "positions": COORDINATE,
    "centres": COORDINATE,
    "outline": COORDINATE,
    "rings": COORDINATE,
}

X, Y, HEADING, SIDE = whole(-50, 50), whole(-50, 50), whole(-3, 3), whole(2, 9)
UNITS = [
    Unit("spears", (20, 20), models=13),
    Unit("guard", (25, 25), models=10, files=5, attached=[Attached("lord", (25, 25), height=3)]),
    Unit("mortar", 60, shape="round", side=1),
    Unit("wyrm", (50, 100), shape="oval", height=4, side=1),
]
HILL = [(24.0, 24.0), (30.0, 24.0), (29.0, 30.0), (26.0, 27.0)]
RUIN = [(18.0, 30.0), (20.0, 30.0), (20.0, 34.0)]
BOARD = Board(UNITS, [Terrain(HILL, kind="hill"), Terrain(RUIN, kind="ruin", opaque=True, height=3)])
#: Of the skirmish questions: single models of some groups, one alone, and terrain of several Sizes.
MODELS = [
    Unit("ada", 32, shape="round", group="scouts"),
    Unit("ben", 32, shape="round", group="scouts"),
    Unit("ogre", (40, 100), shape="oval", side=1, size=3),
    Unit("imp 1", 50, shape="round", side=1, group="imps"),
    Unit("imp 2", (50, 50), side=1, group="imps", flying=True),
]
TABLE = Board(MODELS, [Terrain(HILL, kind="hill"), Terrain(RUIN, kind="ruin", height=3)])
LEADERS = [0, 2, 3]
MARKERS = Bases.round([20.0, 24.0], [20.0, 26.0], diameter=1.26)
BLOCKERS = [
    random_bases(np.random.default_rng(3), 4, "mixed", spread=3.0),
    Polygons([[(1.0, 1.0), (2.0, 1.2), (1.5, 3.0)]]),
]

#: Convex and concave, with a hole, thinner than the tolerance; some alike, some flush.
SHAPES = [
    shapely.Polygon([(0, 0), (2, 0), (3, 2), (0, 1)]),
    shapely.Polygon([(0, 0), (4, 0), (4, 1), (1, 1), (1, 3), (0, 3)]),
    shapely.Polygon([(0, 0), (2, 0), (2, 2), (1, 1), (0, 2)]),
    shapely.Polygon([(0, 0), (5, 0), (5, 5), (0, 5)], [[(1, 1), (4, 1), (4, 4), (1, 4)]]),
    shapely.Polygon([(0, 0), (4, 0), (4, 5e-7), (0, 5e-7)]),
]
OUTLINES = Polygons(
    [
        shapely.affinity.translate(shape, x, y)
        for shape in SHAPES
        for x, y in ((-2, -2), (0, 0), (2, 0), (0.3, -1.4))
    ]
)

PAIR = {"a": bases, "b": bases}
PAIR_FORM = "a, b, *, tol, out, workers"
BASES_FORM = "x, y, heading, *, width, depth"
UNIT_FORM = "board, positions, *, observers, targets, present, occupied, rules, tol, workers"
ASKING_FORM = UNIT_FORM.replace("rules", "pairs, rules")
STATES = {"positions": positions, "present": present, "occupied": occupied}

U, M = len(BOARD), BOARD.n_models
NUMBER, TRUTH, CODE = (((kind, ()),) for kind in (np.float64, np.bool_, np.uint8))
OF_UNITS = {kind: ((kind, (U, U)),) for kind in (np.float64, np.bool_, np.uint8)}


def pair(name: str, answers: Any, form: str = PAIR_FORM, **more: Maker) -> Question:
    """A question about two batches of bases."""
    return Question(name, form, answers, {**PAIR, **more}, is_scalar=answers[0][1] == ())


def with_polygons(name: str, answers: Any, form: str = PAIR_FORM, **more: Maker) -> list[Question]:
    """The same with polygons on either side or on both."""
    return [
        Question(name, form, answers, {"a": a, "b": b, **more}, is_scalar=answers[0][1] == (), note=note)
        for a, b, note in (
            (bases, polygons, "bases and polygons"),
            (polygons, bases, "polygons and bases"),
            (polygons, polygons, "polygons"),
        )
    ]


def crossings(name: str) -> list[Question]:
    """A question about segments and either kind of shapes."""
    form = "segments, shapes, *, tol, out, workers"
    return [
        Question(name, form, TRUTH, {"segments": segments, "shapes": shapes}, is_scalar=True, note=note)
        for shapes, note in ((bases, ""), (polygons, "polygons"))
    ]


def arcs(name: str) -> Question:
    form = "observers, others, *, tol, out, workers"
    return Question(name, form, CODE, {"observers": bases, "others": bases}, is_scalar=True)


def units(name: str, kind: type[np.generic]) -> Question:
    """A question about the units of a board, all pairs of them or some."""
    takes = {**STATES, "pairs": engaged}
    return Question(f"t9a.{name}", ASKING_FORM, OF_UNITS[kind], takes, {"board": BOARD})


def placing(name: str, more: str = "", **takes: Maker) -> Question:
    """A question about each unit of a board."""
    form = UNIT_FORM.replace("targets, ", more)
    return Question(f"t9a.{name}", form, ((np.bool_, (U,)),), {**STATES, **takes}, {"board": BOARD})


def measuring(
    name: str, kind: type[np.generic], more: str = "", *, rules: str = "", **fixed: Any
) -> list[Question]:
    """A question about the models of a table, and about their groups."""
    form = f"board, positions, {more}*, by, observers, targets, present, {rules}tol, workers"
    takes = {"positions": models, "present": models_present}
    return [
        Question(
            f"skirmish.{name}", form, ((kind, (n, n)),), takes, {"board": TABLE, "by": by, **fixed}, note=by
        )
        for by, n in (("model", len(TABLE)), ("group", 3))
    ]


def leading(name: str, form: str, answers: Any, **fixed: Any) -> Question:
    """A question about the groups of a table and their leaders."""
    return Question(
        f"skirmish.{name}",
        f"board, positions, leaders, *, radius, {form}ground, rules, present, tol, workers",
        answers,
        {"positions": models},
        {"board": TABLE, "leaders": LEADERS, "radius": 5.0, **fixed},
        of=lambda answer: answer if isinstance(answer, np.ndarray) else tuple(vars(answer).values()),
    )


def numbers_of(bases: Bases) -> tuple[Any, ...]:
    return bases.x, bases.y, bases.heading, bases.width, bases.depth, bases.radius


def makes_bases(name: str, form: str, axes: Shape = (), **takes: Maker) -> Question:
    """A function that gives bases."""
    return Question(name, form, ((np.float64, axes),) * 6, takes, of=numbers_of)


QUESTIONS = [
    pair("distance", NUMBER),
    pair("gap", NUMBER, "a, b, *, out, workers"),
    pair("farthest_distance", NUMBER, "a, b, *, out, workers"),
    pair("shortest_line", ((np.float64, (4,)),)),
    pair("in_contact", TRUTH),
    pair("interiors_meet", TRUTH),
    pair("relation", CODE),
    pair("within", TRUTH, "a, b, distance, *, tol, out, workers", distance=whole(0, 4)),
    pair("wholly_within", TRUTH, "a, b, distance, *, tol, out, workers", distance=whole(0, 6)),
    *with_polygons("distance", NUMBER),
    *with_polygons("shortest_line", ((np.float64, (4,)),)),
    *with_polygons("in_contact", TRUTH),
    *with_polygons("interiors_meet", TRUTH),
    *with_polygons("relation", CODE),
    *with_polygons("within", TRUTH, "a, b, distance, *, tol, out, workers", distance=whole(0, 4)),
    *with_polygons("wholly_within", TRUTH, "a, b, distance, *, tol, out, workers"),
    *crossings("passes_through"),
    *crossings("intersects"),
    *(
        Question(
            "first_hit",
            "segments, shapes, *, tol, workers",
            ((np.bool_, ()), (np.float64, ()), (np.float64, (2,)), (np.float64, (2,)), (np.int64, ())),
            {"segments": segments, "shapes": shapes},
            of=tuple,
            is_scalar=True,
            note=note,
        )
        for shapes, note in ((bases, ""), (polygons, "polygons"))
    ),
    Question(
        "Segments",
        "x0, y0, x1, y1",
        ((np.float64, ()),) * 4,
        {"x0": X, "y0": Y, "x1": X, "y1": Y},
        of=lambda segments: (segments.x0, segments.y0, segments.x1, segments.y1),
    ),
    arcs("inside_arcs"),
    arcs("located_arc"),
    *(
        Question(
            "pairs_within",
            "a, b, *, distance, group, group_b, tol, workers",
            ((np.int64, (2,)),),
            {"a": a, "b": b},
            {"distance": 1.0},
            leading=(6,),
            note=note,
        )
        for a, b, note in ((bases, bases, ""), (polygons, bases, "polygons and bases"))
    ),
    *(
        Question(
            name,
            "sources, targets, blockers, *, blocks, half_angle, touching, tol, workers",
            kinds,
            {
                "sources": bases,
                "targets": bases,
                "blocks": lambda rng, n: Batch(rng.random((n, 5)) < 0.6, core=1),
            },
            {"blockers": BLOCKERS},
            of=of,
            is_scalar=is_scalar,
        )
        for name, kinds, of, is_scalar in (
            ("line_of_sight", TRUTH, lambda seen: (seen,), True),
            (
                "sight_lines",
                ((np.bool_, ()), (np.float64, (2,)), (np.float64, (2,))),
                lambda sight: tuple(map(np.asarray, (sight.visible, sight.start, sight.end))),
                False,
            ),
        )
    ),
    makes_bases(
        "Bases",
        "x, y, heading, *, width, depth, radius",
        x=X,
        y=Y,
        heading=HEADING,
        width=SIDE,
        depth=SIDE,
        radius=whole(0, 1),
    ),
    makes_bases("Bases.rect", BASES_FORM, x=X, y=Y, heading=HEADING, width=SIDE, depth=SIDE),
    makes_bases("Bases.oval", BASES_FORM, x=X, y=Y, heading=HEADING, width=SIDE, depth=SIDE),
    makes_bases("Bases.from_front", BASES_FORM, x=X, y=Y, heading=HEADING, width=SIDE, depth=SIDE),
    makes_bases("Bases.round", "x, y, *, diameter", x=X, y=Y, diameter=SIDE),
    makes_bases("Bases.point", "x, y", x=X, y=Y),
    Question(
        "Polygons",
        "rings",
        ((np.float64, ()), (np.float64, (4,))),
        {"rings": pentagons},
        of=lambda polygons: (polygons.area, polygons.bounds),
        leading=(3,),
    ),
    Question(
        "Terrain",
        "outline, *, kind, opaque, height",
        ((np.float64, (5, 2)),),
        {"outline": pentagons},
        {"kind": "hill"},
        of=lambda terrain: terrain.outline,
        leading=(),
    ),
    makes_bases("Board.boundaries", "positions, occupied", (U,), positions=positions, occupied=occupied),
    Question(
        "Board.bases",
        "positions, occupied",
        ((np.float64, (M,)),) * 6,
        {"positions": positions, "occupied": occupied},
        of=lambda answer: numbers_of(answer[0]),
    ),
    Question("Board.centres", "positions", ((np.float64, (U, 3)),), {"positions": positions}),
    Question("Board.positions_from_centres", "centres", ((np.float64, (U, 3)),), {"centres": positions}),
    Question("Board.fill_ranks", "occupied", ((np.bool_, (M,)),), {"occupied": occupied}),
    Question(
        "Scene",
        "board, positions, present, occupied",
        ((np.float64, (U, 3)), (np.bool_, (U,)), (np.bool_, (M,))),
        STATES,
        {"board": BOARD},
        of=lambda scene: (scene.positions, scene.present, scene.occupied),
        leading=(),
    ),
    units("distances", np.float64),
    units("units_in_contact", np.bool_),
    Question("t9a.engaged_facings", UNIT_FORM, OF_UNITS[np.uint8], STATES, {"board": BOARD}),
    units("inside_arcs", np.uint8),
    units("located_arcs", np.uint8),
    units("line_of_sight", np.bool_),
    *measuring("distances", np.float64),
    *measuring("within", np.bool_, "distance, ", distance=2.0),
    *measuring("wholly_within", np.bool_, "distance, ", rules="rules, ", distance=4.0),
    *measuring("engaged", np.bool_, rules="rules, "),
    leading("coherency", "", ((np.bool_, (3,)), (np.bool_, (5,)), (np.bool_, (5,)))),
    leading("deployment_legal", "zone, ", ((np.bool_, (3,)),)),
    Question(
        "skirmish.may_control",
        "board, positions, markers, in_coherency, *, distance, sight, present, tol, workers",
        ((np.bool_, (3, 2)),),
        {"positions": models, "in_coherency": snapshots, "present": models_present},
        {"board": TABLE, "markers": MARKERS, "sight": True},
    ),
    Question(
        "skirmish.can_stand",
        "board, positions, models, *, present, ground, rules, tol, workers",
        ((np.bool_, (len(TABLE),)),),
        {"positions": models, "present": models_present},
        {"board": TABLE},
    ),
    placing("on_table"),
    placing("spacing_ok", "moving, engaged, aloft, ", engaged=engaged, aloft=aloft),
    placing("legal", "moving, engaged, aloft, ", engaged=engaged, aloft=aloft),
    Question(
        "t9a.evaluate",
        ASKING_FORM.replace("observers", "questions, observers"),
        tuple((kind, (U, U)) for kind in (np.float64, np.bool_, np.uint8, np.uint8, np.bool_)),
        {**STATES, "pairs": engaged},
        {"board": BOARD},
        of=lambda answers: tuple(answers.arrays().values()),
    ),
]

#: Public names without arrays or batches to check, or whose checks stand elsewhere, and why.
EXEMPT = {
    "TOLERANCE": "a number",
    "__version__": "a text",
    "Arc": "an enumeration",
    "Relation": "an enumeration",
    "Attached": "takes single values: test_board.py",
    "Unit": "takes single values: test_board.py",
    "Board": "takes units and terrain: test_board.py",
    "Hit": "what first_hit gives: test_crossings.py",
    "SceneError": "an exception",
    "read_scene": "takes a path: test_scene.py",
    "write_scene": "takes a path: test_scene.py",
    "armies": "a module: test_armies.py",
    "geo": "a module: test_geo.py",
    "montecarlo": "a module: tests/montecarlo",
    "plot": "a module: tests/plot",
    "samplers": "a module: test_samplers.py",
    "skirmish": "a module, whose names are listed here too",
    "skirmish.Action": "an enumeration",
    "skirmish.Coherency": "what coherency gives: test_coherency.py",
    "skirmish.Ground": "takes single values: test_ground.py",
    "skirmish.RouteMap": "takes one state: test_routes.py",
    "skirmish.Routes": "what routes gives: test_routes.py",
    "skirmish.routes": "takes points of further axes, gives rows: test_routes.py",
    "skirmish.PathCheck": "what paths_clear gives: test_paths.py",
    "skirmish.Move": "what move_group and move_directly give: test_moves.py",
    "skirmish.PlaceStatus": "an enumeration",
    "skirmish.Placement": "what place gives: test_placing.py",
    "skirmish.move_directly": "groups, searched for long: batches in test_moves.py",
    "skirmish.move_group": "groups, searched for long: batches in test_moves.py",
    "skirmish.place": "models one after another, searched for long: batches in test_placing_laws.py",
    "skirmish.Rules": "takes single values: test_ground.py",
    "skirmish.STANDARD": "rules",
    "skirmish.paths_clear": "takes movers and paths too: test_paths.py",
    "skirmish.distances_to": "takes tokens with an axis of their own: test_measuring.py",
    "t9a": "a module, whose names are listed here too",
    "warm_up": "takes nothing: test_imports.py",
    "t9a.Answers": "what evaluate gives: test_evaluate.py",
    "t9a.AttackReason": "an enumeration",
    "t9a.ContactKind": "an enumeration",
    "t9a.contacts": "gives rows: test_contacts.py",
    "t9a.Duels": "columns of one length: test_duels.py",
    "t9a.Rules": "takes single values: test_rules_cases.py",
    "t9a.advance": "takes duels: test_duels.py",
    "t9a.SECOND_EDITION": "rules",
    "t9a.THIRD_EDITION": "rules",
    "Rows": "takes columns: test_rows.py",
    "Sight": "what sight_lines gives: test_sight_lines.py",
    "t9a.Explanation": "what explain_sight gives: test_explain_sight.py",
    "t9a.explain_sight": "explains one state: test_explain_sight.py",
    "t9a.hit_pool": "takes slots and units: test_attacks.py",
    "t9a.may_attack": "takes and gives rows: test_attacks.py",
    "t9a.models_see": "gives rows: test_models_see.py",
    "t9a.overlaps": "gives rows: test_objects.py",
    "t9a.seen_from_points": "takes points too: test_sight_points.py",
    "t9a.sees_points": "takes points too: test_sight_points.py",
    "t9a.visible_area": "gives a region for one state: test_visible_area.py",
    "Bases.concatenate": "takes batches alone, along one axis: test_bases.py",
    "Bases.reshape": "takes a shape: test_bases.py",
    "Bases.corners": "takes nothing: test_bases.py",
    "Bases.to_shapely": "takes nothing: test_bases.py",
    "Segments.concatenate": "takes batches alone, along one axis: test_segments.py",
    "Polygons.concatenate": "takes batches alone, along one axis: test_polygons.py",
    "Segments.reshape": "takes a shape: test_segments.py",
    "Segments.to_shapely": "takes nothing: test_segments.py",
    "Polygons.reshape": "takes a shape: test_polygons.py",
    "Polygons.to_shapely": "takes nothing: test_polygons.py",
    "Board.index": "takes a name: test_board.py",
    "Board.indices": "takes names and indices: test_board.py",
}
