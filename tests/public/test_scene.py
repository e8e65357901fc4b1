"""Scene files: everything comes back bit for bit, and what cannot be read says where."""

import inspect
import json
import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import get_args

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from ninthgeom import Attached, Board, Scene, Terrain, Unit, _scene_json, armies, read_scene, write_scene
from ninthgeom.scene import SCHEMA, SceneError
from ninthgeom.terrain import TerrainKind
from ninthgeom.unit import Formation, Shape

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.json"
EXAMPLES = sorted(SAMPLE.parent.glob("*.json"))


def bits(scene):
    """Everything in a scene, numbers as their bits."""
    masks = [None if mask is None else mask.tobytes() for mask in (scene.present, scene.occupied)]
    outlines = [terrain.outline.tobytes() for terrain in scene.board.terrain]
    return scene.board, scene.positions.tobytes(), masks, outlines


# ------------------------------------------------------------------------------------------ there and back

coordinates = st.floats(-1e6, 1e6)
lengths = st.floats(1e-3, 1e4)
headings = st.floats(allow_nan=False, allow_infinity=False)
names = st.text(st.characters(), min_size=1, max_size=8)


@st.composite
def scenes(draw):
    units = []
    for name in draw(st.lists(names, max_size=4, unique=True)):
        shape = draw(st.sampled_from(["rect", "rect", "round", "oval"]))
        base = (draw(lengths), draw(lengths))
        keywords = {
            "side": draw(st.integers(-(2**31) + 1, 2**31 - 1)),
            "group": draw(st.none() | st.text(st.characters(), max_size=3) | st.integers()),
            "height": draw(st.integers(0, 5)),
            "size": draw(st.integers(0, 2**70)),
            "flying": draw(st.booleans()),
            "tall": draw(st.booleans()),
            "formation": draw(st.sampled_from(["ranked", "skirmish"])),
        }
        if shape == "rect":
            keywords["models"] = draw(st.integers(1, 12))
            keywords["files"] = draw(st.integers(1, 6))
            attached = [
                Attached(name, base, height=draw(st.none() | st.integers(0, 5)), tall=draw(st.booleans())),
                Attached("d", (base[0] * 0.7, base[1]), place=draw(st.sampled_from([None, "left", "right"]))),
                Attached("e", base, place=(1, 0)),
            ]
            keywords["attached"] = attached[: draw(st.integers(0, 3))]
        unit = Unit(name, base[0] if shape == "round" else base, shape=shape, **keywords)
        if shape == "rect" and draw(st.booleans()):
            mask = [True] * unit.models + [False] * (unit.n_slots - len(unit.attached) - unit.models)
            keywords["occupied"] = draw(st.permutations(mask))
            unit = Unit(name, base, **keywords)
        units.append(unit)
    corner = draw(st.tuples(coordinates, coordinates))
    outline = [corner, (corner[0] + draw(lengths), corner[1]), (corner[0], corner[1] + draw(lengths))]
    terrain = [
        Terrain(
            np.clip(outline, -1e6, 1e6),
            kind=kind,
            opaque=draw(st.booleans()),
            height=draw(st.none() | st.just(3)),
        )
        for kind in draw(st.lists(st.sampled_from(get_args(TerrainKind)), max_size=2))
        if max(map(max, outline)) <= 1e6
    ]
    board = Board(units, terrain, (draw(lengths), draw(lengths)))
    positions = [[draw(coordinates), draw(coordinates), draw(headings)] for _ in units]
    masks = [
        draw(st.none() | st.lists(st.booleans(), min_size=n, max_size=n).map(lambda m: np.array(m, bool)))
        for n in (len(board), board.n_models)
    ]
    # Without units there is no place in a file for a mask without values.
    return Scene(board, np.reshape(positions, (-1, 3)), *(masks if units else (None, None)))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("scenes")


@settings(max_examples=200)
@given(scene=scenes())
def test_scene_to_file_to_scene(folder, scene):
    path = folder / "scene.json"
    write_scene(path, scene)
    again = read_scene(path)
    assert bits(again) == bits(scene)
    assert again == scene
    assert again.digest() == scene.digest()
    first = path.read_bytes()
    write_scene(path, again)
    assert path.read_bytes() == first


@pytest.mark.parametrize("seed", range(4))
def test_generated_battles_come_back(folder, seed):
    scene = armies.generate_battle(seed)
    write_scene(folder / "battle.json", scene)
    assert bits(read_scene(folder / "battle.json")) == bits(scene)


def test_signs_of_zeros_survive(folder):
    for signs in ([0.0, -0.0, 0.0], [-0.0, 0.0, -0.0]):
        scene = Scene(Board([Unit("a", (20, 20))]), [signs])
        write_scene(folder / "scene.json", scene)
        assert bits(read_scene(folder / "scene.json")) == bits(scene)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.name)
def test_examples_are_written_as_they_were_read(folder, path):
    write_scene(folder / "copy.json", read_scene(path))
    assert (folder / "copy.json").read_text(encoding="utf-8") == path.read_text(encoding="utf-8")


def test_the_sample_holds_what_it_says():
    scene = read_scene(str(SAMPLE))
    assert scene.board.names == ("Spears", "Knights", "Catapult", "Orcs", "Trolls", "Wolf Scouts", "Giant")
    assert scene.positions[0].tolist() == [24, 14, math.pi / 2]
    assert scene.board.units[1].attached == (Attached("Lord on Drake", (50, 75), height=3, place="right"),)
    assert scene.board.units[3].occupied[-4:] == (False, True, False, True)
    assert [terrain.kind for terrain in scene.board.terrain] == ["hill", "forest", "wall"]


@given(headings)
@example(-0.0)
@example(5e-324)
@example(math.nextafter(math.pi, 4))
@example(1.7976931348623157e308)
def test_headings_survive_degrees(angle):
    degrees = _scene_json.degrees(angle)
    assert math.copysign(1, degrees) == math.copysign(1, angle)
    assert _scene_json.radians(degrees) == angle
    assert len(degrees.as_tuple().digits) <= 18
    written = json.loads(_scene_json.dumps([degrees]), parse_float=Decimal)[0]
    assert math.copysign(1, Decimal(written)) == math.copysign(1, angle)
    assert _scene_json.radians(Decimal(written)) == angle


@given(st.decimals(-10_000, 10_000, places=3))
def test_degrees_become_the_nearest_radians(degrees):
    # pi to 30 digits, as a fraction, against the neighbours of the answer.
    pi = Fraction("3.14159265358979323846264338328")
    exact = Fraction(degrees) * pi / 180
    angle = _scene_json.radians(degrees)
    error = abs(Fraction(angle) - exact)
    for neighbour in (math.nextafter(angle, math.inf), math.nextafter(angle, -math.inf)):
        assert error <= abs(Fraction(neighbour) - exact)
    assert _scene_json.radians(_scene_json.degrees(angle)) == angle


def test_usual_degrees_are_written_short():
    usual = ["0", "90", "180", "270", "-45", "22.5", "123.4", "0.001"]
    assert [_scene_json.dumps(_scene_json.degrees(_scene_json.radians(Decimal(d)))) for d in usual] == [
        f"{d}\n" for d in usual
    ]


def test_headings_that_share_their_degrees_as_doubles():
    # Two neighbours in radians whose degrees are the same double.
    one = 3.0
    while math.degrees(one) != math.degrees(two := math.nextafter(one, 4)):
        one = two
    assert _scene_json.degrees(one) != _scene_json.degrees(two)


# ------------------------------------------------------------------------------------------ what files say


def file_of(folder, *units, **rest):
    path = folder / "scene.json"
    path.write_text(json.dumps({"units": units, **rest}))
    return path


def unit(**changes):
    return {"name": "a", "base_mm": [20, 20], "x": 1, "y": 2, "heading_deg": 90} | changes


def test_what_is_left_out_has_its_default(folder):
    scene = read_scene(file_of(folder, unit()))
    assert scene == Scene(Board([Unit("a", (20, 20))]), [[1, 2, math.pi / 2]])
    nobody = read_scene(file_of(folder))
    assert nobody == Scene(Board([]), np.empty((0, 3)))


def test_masks_default_unit_by_unit(folder):
    scene = read_scene(
        file_of(
            folder,
            unit(present=False),
            unit(name="b", models=3, files=2),
            unit(name="c", models=2, living=[False, True]),
        )
    )
    assert scene.present.tolist() == [False, True, True]
    assert scene.occupied.tolist() == [True, True, True, True, False, False, True]


def test_whole_numbers_may_have_a_point(folder):
    path = folder / "scene.json"
    attached = {"name": "c", "base_mm": [20.0, 20.0], "place": [0.0, 1.0], "height": 3.0}
    path.write_text(
        json.dumps(
            {
                "version": 1.0,
                "units": [unit(models=3.0, files=2.0, height=2.0, side=1.0, attached=[attached])],
            }
        )
    )
    expected = Unit(
        "a",
        (20, 20),
        models=3,
        files=2,
        height=2,
        side=1,
        attached=[Attached("c", (20, 20), height=3, place=(0, 1))],
    )
    assert read_scene(path).board.units == (expected,)


def test_names_keep_their_letters(folder):
    scene = Scene(Board([Unit("Déesse 龍", (20, 20)), Unit("lone \ud800", (20, 20))]), [[0, 0, 0]] * 2)
    write_scene(folder / "scene.json", scene)
    assert "Déesse 龍" in (folder / "scene.json").read_text(encoding="utf-8")
    assert read_scene(folder / "scene.json").board.names == scene.board.names


def test_a_byte_order_mark_is_no_obstacle(folder):
    (folder / "scene.json").write_bytes(b"\xef\xbb\xbf" + SAMPLE.read_bytes())
    assert read_scene(folder / "scene.json") == read_scene(SAMPLE)


# ------------------------------------------------------------------------------------------ the schema


def test_the_schema_describes_the_arguments_of_units():
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    state = {"x", "y", "heading_deg", "present", "living"}
    for definition, cls, extra in (
        ("unit", Unit, state),
        ("attached", Attached, set()),
        ("terrain", Terrain, set()),
    ):
        parameters = inspect.signature(cls).parameters
        properties = schema["$defs"][definition]["properties"]
        assert properties.keys() == parameters.keys() | extra
        for name, parameter in parameters.items():
            default = properties[name].get("default")
            if parameter.default not in (inspect.Parameter.empty, None, ()):
                assert default == parameter.default
        required = {name for name, p in parameters.items() if p.default is inspect.Parameter.empty}
        assert set(schema["$defs"][definition]["required"]) == required | (extra & {"x", "y", "heading_deg"})
    assert schema["$defs"]["unit"]["properties"]["shape"]["enum"] == list(get_args(Shape))
    assert schema["$defs"]["unit"]["properties"]["formation"]["enum"] == list(get_args(Formation))
    assert schema["$defs"]["terrain"]["properties"]["kind"]["enum"] == list(get_args(TerrainKind))
    assert schema["$id"] == "urn:ninthgeom:scene:1"


def test_files_follow_the_schema(folder):
    validator = Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))
    for path in EXAMPLES:
        validator.validate(json.loads(path.read_text(encoding="utf-8")))
    write_scene(folder / "battle.json", armies.generate_battle(3))
    validator.validate(json.loads((folder / "battle.json").read_text(encoding="utf-8")))


# ------------------------------------------------------------------------------------------ bad input


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"base_mm": [20, -1]}, "$.units[1].base_mm[1]: -1 is less than or equal to the minimum of 0"),
        ({"base_mm": [20]}, "$.units[1].base_mm: [20] is too short"),
        (
            {"base_mm": 20},
            "$.units[1].base_mm: one number, 20; give width and depth, or shape 'round'",
        ),
        ({"base_mm": [20, 1e999]}, "$.units[1].base_mm[1]: inf is greater than the maximum"),
        ({"base_mm": [20, math.nan]}, "$.units[1].base_mm[1]: must be finite, got nan"),
        ({"height": "Huge"}, "$.units[1].height: 'Huge' does not match"),
        ({"height": 6}, "$.units[1].height: 6 is greater than the maximum of 5"),
        ({"shape": "hexagon"}, "$.units[1].shape: 'hexagon' is not one of ['rect', 'round', 'oval']"),
        ({"shape": "round", "base_mm": [20, 30]}, "$.units[1].base_mm: a round base has one number"),
        ({"shape": "oval", "models": 3}, "$.units[1].models: must be 1 for oval bases, got 3"),
        ({"models": 2.5}, "$.units[1].models: 2.5 is not of type 'integer'"),
        (
            {"models": 12, "occupied": [True] * 10},
            "$.units[1].occupied: 12 models are more than the 10 slots",
        ),
        ({"modles": 2}, "$.units[1]: Additional properties are not allowed ('modles' was unexpected)"),
        ({"name": "z"}, "$.units[1].name: 'z' is the name of units[0] already"),
        ({"x": math.nan}, "$.units[1].x: must be finite, got nan"),
        ({"y": -2e6}, "$.units[1].y: -2000000.0 is less than the minimum of -1000000"),
        ({"heading_deg": math.inf}, "$.units[1].heading_deg: must be finite, got inf"),
        ({"heading_deg": "north"}, "$.units[1].heading_deg: 'north' is not of type 'number'"),
        ({"present": 1}, "$.units[1].present: 1 is not of type 'boolean'"),
        ({"living": [True, True]}, "$.units[1].living: must have 1 values, one a slot, got 2"),
        (
            {"attached": [{"name": "c", "base_mm": [20, 20]}, {"name": "d", "base_mm": [40, 20]}]},
            "$.units[1].attached[1].base_mm: a base 2 files wide cannot join a unit of 1 files",
        ),
        (
            {"attached": [{"name": "c", "base_mm": [20, math.nan]}]},
            "$.units[1].attached[0].base_mm[1]: must be finite, got nan",
        ),
        ({"attached": [{"base_mm": [20, 20]}]}, "$.units[1].attached[0]: 'name' is a required property"),
    ],
)
def test_bad_units_in_files(folder, changes, message):
    path = file_of(folder, unit(name="z"), unit(**changes))
    with pytest.raises(SceneError, match=f"^{re.escape(f'{path}: {message}')}"):
        read_scene(path)


SQUARE = "[[0, 0], [2, 0], [2, 2], [0, 2]]"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "line 1, column 1: Expecting value"),
        ('{"units": [\n  {"name": "a"', "line 2, column 15: Expecting ',' delimiter"),
        ("[]", "$: [] is not of type 'object'"),
        ("{}", "$: 'units' is a required property"),
        ('{"units": [], "version": 2}', "$.version: 1 was expected"),
        ('{"units": [], "units": []}', "the key 'units' stands twice in one object"),
        ('{"units": [], "size": [0, 48]}', "$.size[0]: 0 is less than or equal to the minimum of 0"),
        ('{"units": [], "size": [72, Infinity]}', "$.size[1]: inf is greater than the maximum of 1000000"),
        ('{"units": [], "size": [72, NaN]}', "$.size[1]: must be finite, got nan"),
        ('{"units": [], "size": [1e99999999999999999999, 1]}', "a number has an exponent beyond all limits"),
        ('{"units": [], "size": [72, 1' + "0" * 5000 + "]}", "Exceeds the limit"),
        (
            f'{{"units": [], "terrain": [{{"outline": {SQUARE}, "kind": "bog"}}]}}',
            "$.terrain[0].kind: 'bog' is not one",
        ),
        (
            '{"units": [], "terrain": [{"outline": [[0, 0], [2, 2], [2, 0], [0, 2]], "kind": "hill"}]}',
            "$.terrain[0].outline: crosses or touches itself",
        ),
        (
            '{"units": [], "terrain": [{"outline": [[0, 0], [2, 2], [2, NaN]], "kind": "hill"}]}',
            "$.terrain[0].outline[2][1]: must be finite, got nan",
        ),
        ("[" * 100_000, "nested too deeply"),
        ("[" * 700 + "]" * 700, ""),
    ],
)
def test_bad_files(folder, text, message):
    path = folder / "scene.json"
    path.write_text(text)
    with pytest.raises(SceneError, match=f"^{re.escape(f'{path}: {message}')}"):
        read_scene(path)


def test_a_huge_heading_is_not_finite(folder):
    path = folder / "scene.json"
    path.write_text('{"units": [{"name": "a", "base_mm": [20, 20], "x": 1, "y": 2, "heading_deg": 1e400}]}')
    with pytest.raises(SceneError, match=r"\$\.units\[0\]\.heading_deg: must be finite, got 1E\+400$"):
        read_scene(path)


def test_every_cut_of_a_file_is_an_error(folder):
    whole = SAMPLE.read_bytes().rstrip()
    path = folder / "scene.json"
    for length in range(0, len(whole), 7):
        path.write_bytes(whole[:length])
        with pytest.raises(SceneError, match="line"):
            read_scene(path)


def test_bytes_that_are_no_text(folder):
    (folder / "scene.json").write_bytes(b'{"units": [\xff]}')
    with pytest.raises(SceneError, match="can't decode byte 0xff"):
        read_scene(folder / "scene.json")


def test_missing_files_stay_missing_files(folder):
    with pytest.raises(FileNotFoundError):
        read_scene(folder / "nowhere.json")
    with pytest.raises(IsADirectoryError):
        read_scene(folder)


@pytest.fixture
def giant():
    return Board([Unit("giant", (50, 75), models=2)])


def test_bad_scenes(giant):
    for arguments, error, message in (
        (("board", [[0, 0, 0]]), TypeError, "board must be a Board, got str"),
        ((giant, [[0, 0]]), ValueError, r"positions: must have shape \(..., 1, 3\)"),
        ((giant, [[[0, 0, 0]]]), ValueError, r"positions must have shape \(1, 3\), got \(1, 1, 3\)"),
        ((giant, [[0, math.nan, 0]]), ValueError, r"positions\[0\]\[1\]: y must be finite, got nan"),
        ((giant, [[0, 0, 0]], [True, True]), ValueError, r"present: must have shape \(1,\), got \(2,\)"),
        ((giant, [[0, 0, 0]], [1]), TypeError, "present must hold booleans"),
        ((giant, [[0, 0, 0]], None, [True]), ValueError, r"occupied: must have shape \(2,\), got \(1,\)"),
    ):
        with pytest.raises(error, match=f"^{message}"):
            Scene(*arguments)


def test_scenes_do_not_change(giant):
    positions, living = np.zeros((1, 3)), np.array([True, False])
    scene = Scene(giant, positions, occupied=living)
    positions += 1
    living[:] = False
    assert scene == Scene(giant, np.zeros((1, 3)), None, [True, False])
    with pytest.raises(ValueError, match="read-only"):
        scene.positions[0, 0] = 1
    assert scene != Scene(giant, np.zeros((1, 3)))
    assert scene != Scene(giant, np.ones((1, 3)), None, [True, False])
    assert scene != Scene(giant, np.zeros((1, 3)), [True], [True, False])
    assert scene != "scene"


def test_digests_tell_scenes_apart(giant, tmp_path):
    other = Board(giant.units, [Terrain([(0, 0), (1, 0), (0, 1)], kind="hill")])
    scenes = [
        Scene(giant, [[0, 0, 0]]),
        Scene(giant, [[0, 0, np.nextafter(0, 1)]]),
        Scene(giant, [[0, 1, 0]]),
        Scene(giant, [[0, 0, 0]], [True]),
        Scene(giant, [[0, 0, 0]], [False]),
        Scene(giant, [[0, 0, 0]], None, [True, False]),
        Scene(Board([Unit("Giant", (50, 75), models=2)]), [[0, 0, 0]]),
        Scene(Board(giant.units, size=(48, 48)), [[0, 0, 0]]),
        Scene(other, [[0, 0, 0]]),
    ]
    assert len({scene.digest() for scene in scenes}) == len(scenes)
    # Only what the scene says counts, not how its file looks.
    path = tmp_path / "scene.json"
    write_scene(path, scenes[0])
    path.write_text(json.dumps(json.loads(path.read_text()), indent=7))
    assert read_scene(path).digest() == scenes[0].digest()


# ------------------------------------------------------------------------------------------ whole or nothing


def test_a_write_that_fails_leaves_the_old_file(tmp_path, giant, monkeypatch):
    path = tmp_path / "scene.json"
    write_scene(path, Scene(giant, [[0, 0, 0]]))
    before = path.read_bytes()

    def no_space(self, target):
        raise OSError("no space left")

    monkeypatch.setattr(Path, "replace", no_space)
    with pytest.raises(OSError, match="no space left"):
        write_scene(path, Scene(giant, [[1, 1, 1]]))
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["scene.json"]


def test_writing_where_nothing_can_be_written(tmp_path, giant):
    with pytest.raises(FileNotFoundError):
        write_scene(tmp_path / "nowhere" / "scene.json", Scene(giant, [[0, 0, 0]]))
    with pytest.raises(OSError, match=r"directory|folder"):
        write_scene(tmp_path, Scene(giant, [[0, 0, 0]]))
    assert list(tmp_path.iterdir()) == []
