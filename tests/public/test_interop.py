"""What other libraries hand over, and what they get: arrays of any kind, geometries, tables, pickles."""

import copy
import dataclasses
import enum
import inspect
import json
import pickle
from decimal import Decimal
from fractions import Fraction

import dask.array as da
import geopandas
import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import shapely
import xarray as xr

import ninthgeom as ng
from ninthgeom import armies, geo, montecarlo, samplers, skirmish, t9a

VALUES = np.array([0.0, 1.0, 2.5])
SCENE = ng.read_scene("examples/sample.json")
BOARD, POSITIONS = SCENE.board, SCENE.positions

# ---------------------------------------------------------------------------------- arrays of any kind


class Tensor:
    """What tensors of other libraries have in common, when they are on the CPU."""

    def __array__(self, dtype=None, copy=None):
        return np.array(VALUES, dtype)


NUMBERS = {
    "list": [0, 1, 2.5],
    "tuple": (0, 1, 2.5),
    "range": range(3),
    "float32": VALUES.astype(np.float32),
    "float16": VALUES.astype(np.float16),
    "long double": VALUES.astype(np.longdouble),
    "big-endian": VALUES.astype(">f8"),
    "int8": np.array([0, 1, 2], np.int8),
    "uint64": np.array([0, 1, 2], np.uint64),
    "every other": np.arange(6.0)[::2],
    "backwards": VALUES[::-1],
    "read-only": np.frombuffer(VALUES.tobytes()),
    "memoryview": memoryview(VALUES),
    "field of a structure": np.array([(1, 0.0), (2, 1.0)], [("n", int), ("x", float)])["x"],
    "masked without a mask": np.ma.array(VALUES),
    "pandas": pd.Series(VALUES, index=[7, 3, 5]),
    "pandas Float64": pd.Series(VALUES, dtype="Float64"),
    "pandas on Arrow": pd.Series(VALUES, dtype="double[pyarrow]"),
    "pandas Index": pd.Index(VALUES),
    "Arrow": pa.array(VALUES),
    "Arrow in chunks": pa.chunked_array([VALUES[:1], VALUES[1:]]),
    "xarray": xr.DataArray(VALUES, dims="unit"),
    "dask": da.from_array(VALUES, chunks=2),
    "anything with __array__": Tensor(),
}
NO_NUMBERS = {
    "truth values": np.array([True, False]),
    "complex": VALUES + 0j,
    "texts": ["0", "1"],
    "objects": np.array([0.0, 1.0], object),
    "decimals": [Decimal(1)],
    "fractions": [Fraction(1, 2)],
    "a generator": (i for i in range(3)),
    "dates": np.array(["2026-01-01"], "datetime64[D]"),
    "a structure": np.array([(1, 0.0)], [("n", int), ("x", float)]),
}
MISSING = {
    "NaN": [0.0, np.nan],
    "pandas NA": pd.Series([0.0, None], dtype="Float64"),
    "Arrow null": pa.array([0.0, None]),
    "masked": np.ma.array([0.0, 1.0], mask=[False, True]),
}


@pytest.mark.parametrize("kind", NUMBERS)
def test_numbers_of_any_kind(kind):
    expected = np.array(NUMBERS[kind], np.float64)
    bases = ng.Bases.round(NUMBERS[kind], 0.0, diameter=1.0)
    assert bases.x.tolist() == expected.tolist()
    assert bases.x.dtype == np.float64
    assert ng.distance(bases, bases[0]).shape == expected.shape


@pytest.mark.parametrize("kind", NO_NUMBERS)
def test_what_is_no_number_is_refused(kind):
    with pytest.raises(TypeError, match="x must hold real numbers, got dtype"):
        ng.Bases.point(NO_NUMBERS[kind], 0.0)


@pytest.mark.parametrize("kind", MISSING)
def test_what_is_missing_is_refused(kind):
    with pytest.raises(ValueError, match=r"x(\[1\])? must (be finite|not have masked values)"):
        ng.Bases.point(MISSING[kind], 0.0)


STATES = np.repeat(POSITIONS[None], 4, axis=0)
ON_A_HILL = STATES.copy()
ON_A_HILL[1:, 0, :2] = 34, 24
POSES = {
    "list": STATES.tolist(),
    "Fortran order": np.asfortranarray(STATES),
    "axes swapped": np.ascontiguousarray(STATES.transpose(2, 1, 0)).T,
    "big-endian": STATES.astype(">f8"),
    "xarray": xr.DataArray(STATES, dims=("state", "unit", "pose")),
    "dask": da.from_array(STATES, chunks=2),
    "broadcast": np.broadcast_to(POSITIONS, (4, *POSITIONS.shape)),
}


@pytest.mark.parametrize("kind", POSES)
def test_positions_of_any_kind(kind):
    answer = t9a.line_of_sight(BOARD, POSES[kind])
    assert type(answer) is np.ndarray
    np.testing.assert_array_equal(answer, t9a.line_of_sight(BOARD, STATES))


def test_a_table_of_positions_and_a_memory_map(tmp_path):
    table = pd.DataFrame(POSITIONS, columns=["x", "y", "heading"])
    np.testing.assert_array_equal(t9a.distances(BOARD, table), t9a.distances(BOARD, POSITIONS))
    np.save(tmp_path / "states.npy", STATES)
    mapped = np.load(tmp_path / "states.npy", mmap_mode="r")
    np.testing.assert_array_equal(t9a.distances(BOARD, mapped), t9a.distances(BOARD, STATES))


@pytest.mark.parametrize(
    "mask", [[True] * 7, pd.Series([True] * 7), pd.Series([True] * 7, dtype="boolean"), pa.array([True] * 7)]
)
def test_masks_of_any_kind(mask):
    np.testing.assert_array_equal(
        t9a.line_of_sight(BOARD, POSITIONS, present=mask), t9a.line_of_sight(BOARD, POSITIONS)
    )


COLUMNS = {
    "pandas": lambda values: pd.Series(values, index=range(9, 9 - len(values), -1)),
    "pandas Index": pd.Index,
    "pandas category": lambda values: pd.Series(values).astype("category"),
    "pandas on Arrow": lambda values: pd.Series(pd.arrays.ArrowExtensionArray(pa.array(values))),
    "Arrow": pa.array,
    "Arrow in chunks": lambda values: pa.chunked_array([values[:1], values[1:]]),
    "xarray": lambda values: xr.DataArray(values, dims="unit"),
    "dask": lambda values: da.from_array(np.array(values), chunks=1),
    "NumPy": np.array,
    "NumPy texts": lambda values: np.array(values, "T" if isinstance(values[0], str) else "i8"),
}
SKIRMISH = ng.read_scene("examples/skirmish.json")
LEADERS = np.unique(SKIRMISH.board.group, return_index=True)[1].tolist()


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_units_slots_groups_and_leaders_from_columns_of_any_kind(column):
    """Columns are walked over by position: labels of pandas, here in descending order, do not matter."""
    for units in ["Orcs", "Spears"], [3, 0]:
        assert BOARD.indices(column(units)).tolist() == [3, 0]
    first = BOARD.model_slices[3].start
    seen = t9a.models_see(
        BOARD, POSITIONS, shooters=column(["Spears"]), target_models=column([first, first + 1])
    )
    assert len(seen) > 0
    assert seen == t9a.models_see(BOARD, POSITIONS, shooters=["Spears"], target_models=[first, first + 1])
    scene = SKIRMISH.board, SKIRMISH.positions
    near = skirmish.distances(*scene, observers=column(["Shells", "Rifles"]), by="group")
    np.testing.assert_array_equal(near, skirmish.distances(*scene, by="group")[[5, 0]])
    expected = skirmish.coherency(*scene, LEADERS).in_coherency
    assert set(expected.tolist()) == {True, False}
    for leaders in LEADERS, [SKIRMISH.board.names[i] for i in LEADERS]:
        answer = skirmish.coherency(*scene, column(leaders))
        np.testing.assert_array_equal(answer.in_coherency, expected)


@pytest.mark.parametrize("column", [COLUMNS["pandas"], COLUMNS["Arrow"], COLUMNS["xarray"]])
def test_units_and_boards_of_columns(column):
    spears = ng.Unit("spears", column([25, 50]), models=2, occupied=column([True, True]))
    assert (spears.base_mm, spears.occupied) == ((25.0, 50.0), (True, True))
    assert ng.Board([spears], size=column([36, 48])).size == (36.0, 48.0)
    assert skirmish.Ground(blocking=column([1, 0])).blocking == (0, 1)


@pytest.mark.parametrize(
    "units",
    [
        np.str_("Orcs"),
        np.array("Orcs"),
        np.int64(3),
        xr.DataArray(3),
        {3},
        ng.Bases.point([0.0], 0.0),
        xr.Dataset({"unit": ("unit", [3])}),
    ],
    ids=["text", "array of no axis", "number", "xarray of no axis", "set", "Bases", "data set"],
)
def test_what_is_no_list_of_units_is_refused(units):
    with pytest.raises(TypeError, match="observers: units must be given as a sequence of names or indices"):
        t9a.distances(BOARD, POSITIONS, observers=units)


@pytest.mark.parametrize(
    ("units", "index"),
    [(pd.Series([3.0, 0.0]), 0), (pd.Series([3, None], dtype="Int64"), "[01]"), (pa.array([True]), 0)],
    ids=["floats", "missing", "a mask"],
)
def test_columns_that_are_no_units(units, index):
    message = rf"units\[{index}\] must be the name or the index of a unit"
    with pytest.raises(TypeError, match=message):
        t9a.distances(BOARD, POSITIONS, targets=units)


def test_numpy_integers_are_flags_and_codes():
    assert ng.Arc(np.uint8(9)) == ng.Arc.FRONT | ng.Arc.RIGHT
    assert ng.Relation(np.uint8(2)) is ng.Relation.LINE
    with pytest.raises(ValueError, match="not a valid Arc"):
        ng.Arc("front")


# ---------------------------------------------------------------------------------- geometries


SQUARES = [shapely.box(0, 0, 1, 1), shapely.box(2, 2, 3, 3)]


@pytest.mark.parametrize(
    "column",
    [geopandas.GeoSeries(SQUARES, index=[9, 4]), geopandas.GeoSeries(SQUARES).values, np.array(SQUARES)],
    ids=["GeoSeries", "GeometryArray", "ndarray"],
)
def test_polygons_of_columns(column):
    polygons = ng.Polygons(column)
    assert [a.equals(b) for a, b in zip(polygons.to_shapely(), SQUARES, strict=True)] == [True, True]


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (geopandas.GeoDataFrame(geometry=SQUARES), r"rings: is a table; give its column .geometry"),
        ([shapely.MultiPolygon(SQUARES)], r"rings\[0\]: is a MultiPolygon; explode\(\)"),
        (
            [SQUARES[0], shapely.LineString([(0, 0), (1, 1)])],
            r"rings\[1\]: must be a polygon or an outline, got LineString",
        ),
        (geopandas.GeoSeries([SQUARES[0], None]), r"rings\[1\]: must hold real numbers, got NoneType"),
        ([shapely.Polygon()], r"rings\[0\]: needs at least 3 distinct vertices, got 0"),
    ],
)
def test_columns_that_are_no_polygons(given, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ng.Polygons(given)


def test_features_hold_what_the_board_holds():
    found = json.loads(json.dumps(geo.features(BOARD, POSITIONS)))
    assert found["type"] == "FeatureCollection"
    shapes = [shapely.geometry.shape(feature["geometry"]) for feature in found["features"]]
    about = [feature["properties"] for feature in found["features"]]
    kinds = [properties["kind"] for properties in about]
    assert kinds.count("table") == 1
    assert kinds.count("terrain") == len(BOARD.terrain)
    assert kinds.count("unit") == len(BOARD)
    assert kinds.count("model") == BOARD.occupied.sum()
    assert all(shape.exterior.is_ccw for shape in shapes)
    boundaries = BOARD.boundaries(POSITIONS).to_shapely()
    for name, boundary in zip(BOARD.names, boundaries, strict=True):
        (k,) = (k for k, properties in enumerate(about) if properties.get("name") == name)
        assert shapes[k].symmetric_difference(boundary).area < 1e-9
        unit = BOARD.units[BOARD.index(name)]
        assert (about[k]["side"], about[k]["group"]) == (unit.side, unit.group)
        assert abs(about[k]["heading_deg"] - np.degrees(POSITIONS[BOARD.index(name), 2])) < 1e-9
    slots = [properties["slot"] for properties in about if properties["kind"] == "model"]
    assert slots == np.flatnonzero(BOARD.occupied).tolist()


def test_features_leave_out_who_is_not_there():
    present = np.ones(len(BOARD), bool)
    present[1] = False
    living = BOARD.occupied.copy()
    living[BOARD.model_slices[3]] = False
    living[0] = False
    found = geo.features(BOARD, POSITIONS, present=present, occupied=living)["features"]
    units = {
        feature["properties"]["name"]: feature["properties"]
        for feature in found
        if feature["properties"]["kind"] == "unit"
    }
    assert set(units) == set(BOARD.names) - {BOARD.names[1], BOARD.names[3]}
    assert units["Spears"]["models"] == BOARD.occupied[BOARD.model_slices[0]].sum() - 1


def test_geopandas_tables_and_back():
    table = geo.to_geopandas(BOARD, POSITIONS)
    assert isinstance(table, geopandas.GeoDataFrame)
    assert table.crs is None
    assert len(table) == len(geo.features(BOARD, POSITIONS)["features"])
    terrain = ng.Polygons(table[table.kind == "terrain"].geometry)
    shapes = [piece.to_shapely() for piece in BOARD.terrain]
    assert all(a.equals(b) for a, b in zip(terrain.to_shapely(), shapes, strict=True))
    with pytest.raises(ValueError, match="positions must have shape"):
        geo.to_geopandas(BOARD, STATES)


def test_whole_numbers_of_tables_stay_whole():
    table = geo.to_geopandas(BOARD, POSITIONS)
    whole = {name: str(kind) for name, kind in table.dtypes.items() if str(kind) in ("Int64", "boolean")}
    assert whole == dict.fromkeys(("height", "side", "models", "slot"), "Int64") | {"opaque": "boolean"}
    assert table.heading_deg.dtype == np.float64
    found = geo.features(BOARD, POSITIONS)["features"]
    for row, feature in zip(table.drop(columns="geometry").to_dict("records"), found, strict=True):
        assert {name: value for name, value in row.items() if not pd.isna(value)} == {
            name: value for name, value in feature["properties"].items() if value is not None
        }
    mixed = ng.Board([ng.Unit("a", (20, 20), group="guard"), ng.Unit("b", (20, 20), group=7)])
    groups = geo.to_geopandas(mixed, [[1, 1, 0], [5, 5, 0]]).group.dropna()
    assert groups.tolist() == ["guard", 7]
    alike = ng.Board([ng.Unit("a", (20, 20), group=7)])
    assert str(geo.to_geopandas(alike, [[1, 1, 0]]).group.dtype) == "Int64"
    assert geo.to_geopandas(ng.Board([]), np.empty((0, 3))).kind.tolist() == ["table"]


def test_columns_of_tables_choose_units_and_models():
    table = geo.to_geopandas(BOARD, POSITIONS)
    enemies = table[(table.kind == "unit") & (table.side == 1)].name
    np.testing.assert_array_equal(
        t9a.distances(BOARD, POSITIONS, targets=enemies),
        t9a.distances(BOARD, POSITIONS)[:, BOARD.side == 1],
    )
    spears = table[table.unit == "Spears"].slot
    by_slots = t9a.models_see(BOARD, POSITIONS, shooters=spears)
    assert by_slots == t9a.models_see(BOARD, POSITIONS, shooters=["Spears"])


def test_terrain_of_polygons():
    triangle = [(0, 0), (4, 0), (0, 4)]
    table = geopandas.GeoSeries([shapely.Polygon(triangle), shapely.Polygon(triangle[::-1])])
    pieces = [ng.Terrain(shape, kind="wall") for shape in table]
    assert pieces[0] == ng.Terrain(triangle, kind="wall")
    assert pieces[1].to_shapely().equals(pieces[0].to_shapely())
    assert ng.Terrain(pieces[0].to_shapely(), kind="wall") == pieces[0]
    assert skirmish.Ground(access=table).access[0].tolist() == [[0, 0], [4, 0], [0, 4]]


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (shapely.box(0, 0, 9, 9) - shapely.box(1, 1, 2, 2), "outline: must have no holes"),
        (shapely.Polygon(), r"outline: needs at least 3 distinct vertices, got 0"),
        (
            shapely.Polygon([(0, 0, 1), (1, 0, 1), (0, 1, 1)]),
            r"outline: must have shape \(n, 2\), got \(4, 3\)",
        ),
        (shapely.Polygon([(0, 0), (2, 2), (2, 0), (0, 2)]), "outline: crosses or touches itself"),
        (shapely.MultiPolygon(SQUARES), "outline: must hold real numbers, got MultiPolygon"),
    ],
)
def test_polygons_that_are_no_terrain(shape, message):
    with pytest.raises((TypeError, ValueError), match=message):
        ng.Terrain(shape, kind="hill")


def test_everything_with_a_shape_becomes_shapely():
    """Each public container of geometry has to_shapely; what else there is holds no geometry of its own."""
    have = {
        f"{module.__name__}.{name}"
        for module in (ng, t9a, skirmish)
        for name in module.__all__
        if inspect.isclass(value := getattr(module, name)) and hasattr(value, "to_shapely")
    }
    assert have == {
        *(f"ninthgeom.{name}" for name in ("Bases", "Hit", "Polygons", "Segments", "Sight", "Terrain")),
        "ninthgeom.skirmish.Move",
        "ninthgeom.skirmish.Routes",
    }


def test_lines_hits_and_ways():
    sources, targets = ng.Bases.point([0.0, 0.0], 0.0), ng.Bases.point([5.0, 0.0], [0.0, 5.0])
    wall = ng.Bases.rect(2.5, 0.0, width=2.0, depth=0.5).reshape(1)
    sight = ng.sight_lines(sources, targets, wall)
    lines = sight.to_shapely()
    assert lines[0] is None
    assert abs(lines[1].length - 5) < 1e-6
    assert ng.sight_lines(sources[1], targets[1], wall).to_shapely().equals(lines[1])
    hit = ng.first_hit(ng.Segments(0.0, 0.0, [5.0, 0.0], [0.0, 5.0]), wall)
    assert hit.to_shapely()[0].equals(shapely.Point(2.25, 0))
    assert hit.to_shapely()[1] is None
    scene = ng.read_scene("examples/skirmish.json")
    states = np.stack([scene.positions, scene.positions + np.array([100.0, 0, 0])])
    moves = skirmish.move_directly(scene.board, states, "Rifles", "Shells", 6.0, present=scene.present)
    ways = moves.to_shapely()
    np.testing.assert_allclose(shapely.length(ways), moves.length, rtol=1e-3)
    assert ways[1].is_empty == (not moves.moved[1])
    np.testing.assert_array_equal(moves.line(0)[0], moves.of(0)[0])


# ---------------------------------------------------------------------------------- tables


def test_rows_become_tables():
    rows = t9a.overlaps(BOARD, ON_A_HILL)
    assert len(rows) > 0
    frame, table = rows.to_pandas(), rows.to_arrow()
    assert frame.columns.tolist() == table.column_names == list(rows.columns)
    for name, column in rows.columns.items():
        assert frame[name].dtype == column.dtype
        np.testing.assert_array_equal(frame[name], column)
        np.testing.assert_array_equal(table[name].to_numpy(), column)


def test_dense_answers_become_tables():
    columns = t9a.evaluate(BOARD, STATES).to_table()
    assert pd.DataFrame(columns).shape == pa.table(columns).shape == (4 * 7 * 6, 8)


def share(rng, n):
    return {"a": rng.random((n, 2)) < 0.5, "b": rng.random(n)}


def test_estimates_become_tables():
    columns = montecarlo.estimate(share, 50, seed=1, job="j", progress=False).to_table()
    assert pd.DataFrame(columns)["name"].tolist() == ["a", "a", "b"]
    assert pa.table(columns).num_rows == 3


# ---------------------------------------------------------------------------------- pickles and copies


def _instances():
    """One of every public class that can be made, by its name."""
    skirmishers = ng.read_scene("examples/skirmish.json")
    board, positions = skirmishers.board, skirmishers.positions
    leaders = [int(np.flatnonzero(board.group == group)[0]) for group in range(int(board.group.max()) + 1)]
    bases = ng.Bases.round([0.0, 3.0], 0.0, diameter=1.0)
    segments = ng.Segments(0.0, 0.0, [5.0, 0.0], [0.0, 5.0])
    return {
        "Attached": ng.Attached("captain", (20, 20)),
        "Bases": bases,
        "Board": BOARD,
        "Hit": ng.first_hit(segments, bases),
        "Polygons": ng.Polygons(SQUARES),
        "Rows": t9a.overlaps(BOARD, ON_A_HILL),
        "Scene": SCENE,
        "Segments": segments,
        "Sight": ng.sight_lines(bases, bases[::-1], bases),
        "Terrain": BOARD.terrain[0],
        "Unit": BOARD.units[0],
        "SceneError": ng.SceneError("scene.json: $: wrong"),
        "t9a.Answers": t9a.evaluate(BOARD, STATES),
        "t9a.Duels": t9a.Duels([0], [20]),
        "t9a.Explanation": t9a.explain_sight(BOARD, POSITIONS, 0, 3),
        "t9a.Rules": t9a.SECOND_EDITION,
        "skirmish.Coherency": skirmish.coherency(board, positions, leaders),
        "skirmish.Ground": skirmish.Ground(closed=[(0, 0, 1, 1)]),
        "skirmish.Move": skirmish.move_directly(board, positions, "Rifles", "Shells", 1.0),
        "skirmish.PathCheck": skirmish.paths_clear(board, positions, 0, [(12, 12), (12, 14)]),
        "skirmish.Placement": skirmish.place(board, positions, [1], [(12, 9)], leader=0),
        "skirmish.Routes": skirmish.routes(board, positions, (5, 5), (45, 32), gap=1.0),
        "skirmish.RouteMap": skirmish.RouteMap(board, positions, gap=1.0),
        "skirmish.Rules": skirmish.STANDARD,
        "montecarlo.Estimate": montecarlo.estimate(share, 20, seed=1, job="j", progress=False),
    }


INSTANCES = _instances()


def _classes():
    for module in (ng, t9a, skirmish, montecarlo, samplers, armies, geo):
        prefix = module.__name__.removeprefix("ninthgeom").removeprefix(".")
        for name in module.__all__:
            value = getattr(module, name)
            if inspect.isclass(value):
                yield ".".join(filter(None, (prefix, name))), value


def test_there_is_one_of_every_class():
    assert {name for name, value in _classes() if not issubclass(value, enum.Enum)} == set(INSTANCES)


def assert_alike(one, other):
    """The same values all the way down, and no array that was read-only can be written to."""
    assert type(one) is type(other)
    if isinstance(one, np.ndarray):
        assert one.dtype == other.dtype
        assert one.flags.writeable >= other.flags.writeable
        np.testing.assert_array_equal(one, other)
    elif isinstance(one, dict):
        assert list(one) == list(other)
        for key in one:
            assert_alike(one[key], other[key])
    elif isinstance(one, tuple | list):
        assert len(one) == len(other)
        for a, b in zip(one, other, strict=True):
            assert_alike(a, b)
    elif dataclasses.is_dataclass(one) and type(one).__module__.startswith("ninthgeom"):
        for field in dataclasses.fields(one):
            if field.repr and not field.name.startswith("_"):
                assert_alike(getattr(one, field.name), getattr(other, field.name))
    elif isinstance(one, skirmish.RouteMap):
        assert (one.n_nodes, one.n_edges) == (other.n_nodes, other.n_edges)
        assert_alike(one.lengths((5, 5), (45, 32)), other.lengths((5, 5), (45, 32)))
    elif isinstance(one, Exception):
        assert one.args == other.args
    else:
        assert one == other


WAYS = {
    **{
        f"protocol {n}": lambda value, n=n: pickle.loads(pickle.dumps(value, n))
        for n in range(pickle.HIGHEST_PROTOCOL + 1)
    },
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", INSTANCES)
def test_every_public_object_can_be_copied(name, way):
    assert_alike(INSTANCES[name], WAYS[way](INSTANCES[name]))


@pytest.mark.parametrize("way", WAYS)
def test_every_member_of_an_enumeration_can_be_copied(way):
    members = [member for _, value in _classes() if issubclass(value, enum.Enum) for member in value]
    assert len(members) > 20
    assert all(WAYS[way](member) is member for member in members)
