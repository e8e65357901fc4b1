"""Scenes, a board with one state of it, and the files that keep them."""

from __future__ import annotations

import hashlib
import math
import os
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom import _scene_json
from ninthgeom._arrays import FloatArray, as_booleans
from ninthgeom._atomic import replacing
from ninthgeom._checks import PlacedError, PlacedValueError, place_text, real
from ninthgeom._slots import BoolArray, frozen
from ninthgeom.attached import restore, set_fields
from ninthgeom.board import Attached, Board, Terrain, Unit

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

#: The JSON Schema of scene files.
SCHEMA: Final = Path(__file__).with_name("scene.schema.json")

_LONGEST_MESSAGE: Final = 200
_ALWAYS: Final = object()
# What a file says about a unit, in this order; what has its default is left out.
_UNIT_DEFAULTS: Final = {
    "name": _ALWAYS,
    "base_mm": _ALWAYS,
    "shape": "rect",
    "models": _ALWAYS,
    "files": _ALWAYS,
    "occupied": None,
    "side": _ALWAYS,
    "group": None,
    "height": _ALWAYS,
    "size": 1,
    "flying": False,
    "formation": "ranked",
    "tall": False,
}
_STATE_KEYS: Final = frozenset({"x", "y", "heading_deg", "present", "living"})


class SceneError(ValueError):
    """A scene file that cannot be read; the message names the file and the place in it."""


@dataclass(frozen=True, init=False, eq=False)
class Scene:
    """A board and one state of it.

    Parameters
    ----------
    board : Board
        Units, terrain and table.
    positions : array_like, shape (U, 3)
        x, y and heading of each unit, in inches and radians.
    present : array_like of bool, shape (U,), optional
        Units on the table; all by default.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model; those of full strength by default.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Scene, Unit
    >>> scene = Scene(Board([Unit("giant", (50, 75), height=5)]), [[36, 24, math.pi / 2]])
    >>> scene.positions.shape
    (1, 3)
    """

    board: Board
    positions: FloatArray
    present: BoolArray | None
    occupied: BoolArray | None

    def __init__(
        self,
        board: Board,
        positions: ArrayLike,
        present: ArrayLike | None = None,
        occupied: ArrayLike | None = None,
    ) -> None:
        if not isinstance(board, Board):
            raise TypeError(f"board must be a Board, got {type(board).__name__}")
        state = np.array(board._checked_positions(positions))
        if state.ndim != 2:
            raise ValueError(f"positions must have shape ({len(board)}, 3), got {state.shape}")
        set_fields(
            self,
            board=board,
            positions=frozen(state),
            present=_mask(present, "present", len(board)),
            occupied=_mask(occupied, "occupied", board.n_models),
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        restore(self, state)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Scene):
            return NotImplemented
        return (
            self.board == other.board
            and np.array_equal(self.positions, other.positions)
            and _same(self.present, other.present)
            and _same(self.occupied, other.occupied)
        )

    __hash__ = None  # type: ignore[assignment]  # equality compares arrays

    def digest(self) -> str:
        """Return a text that tells this scene from others, such as for the ``job`` of an estimate.

        It is that of what `write_scene` writes: the same in every process, and whatever the file that the
        scene came from looks like.

        Returns
        -------
        str
            64 hexadecimal digits. Scenes with the same ones are equal.

        Examples
        --------
        >>> from ninthgeom import Board, Scene, Unit
        >>> board = Board([Unit("giant", (50, 75), height=5)])
        >>> Scene(board, [[36, 24, 0]]).digest() == Scene(board, [[36, 24, 0.1]]).digest()
        False
        """
        return hashlib.sha256(_scene_json.dumps(_tree(self)).encode()).hexdigest()


def read_scene(path: str | os.PathLike[str]) -> Scene:
    """Read a scene file.

    Parameters
    ----------
    path : path-like
        A JSON file as the schema describes it that ``ninthgeom schema`` prints.

    Returns
    -------
    Scene
        What the file holds, every number exactly.

    Raises
    ------
    OSError
        If the file cannot be opened.
    SceneError
        If it is no JSON, does not follow the schema or describes what cannot be; the message names the file
        and the place in it: ``scene.json: $.units[3].base_mm[0]: must be greater than 0, got 0``.

    See Also
    --------
    write_scene : the way back.

    Examples
    --------
    >>> import tempfile
    >>> from ninthgeom import read_scene
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder, "scene.json")
    ...     _ = file.write_text('''{"units": [
    ...         {"name": "giant", "base_mm": [50, 75], "height": 5, "x": 36, "y": 24, "heading_deg": 90}
    ...     ]}''')
    ...     scene = read_scene(file)
    >>> scene.board.names, scene.positions[0, 2] == math.pi / 2
    (('giant',), np.True_)
    """
    path = Path(path)
    data = path.read_bytes()
    try:
        tree = _scene_json.loads(data.decode("utf-8-sig"))
        _check_schema(tree)
        return _scene(tree)
    except PlacedError as error:
        raise SceneError(f"{path}: {place_text(('$', *error.place))}: {error.problem}") from None
    except ValueError as error:
        raise SceneError(f"{path}: {error}") from None


def write_scene(path: str | os.PathLike[str], scene: Scene) -> None:
    """Write a scene file that `read_scene` turns into an equal scene, bit for bit.

    The file takes the place of an older one only when it is complete.

    Parameters
    ----------
    path : path-like
        Where to write.
    scene : Scene
        What to write.

    Raises
    ------
    OSError
        If the file cannot be written.

    Examples
    --------
    >>> import tempfile
    >>> from ninthgeom import Board, Scene, Unit, read_scene, write_scene
    >>> scene = Scene(Board([Unit("giant", (50, 75), height=5)]), [[36, 24, 0.1]])
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     write_scene(Path(folder, "scene.json"), scene)
    ...     read_scene(Path(folder, "scene.json")) == scene
    True
    """
    text = _scene_json.dumps(_tree(scene))
    with replacing(Path(path)) as stream:
        stream.write(text.encode())


def _mask(values: ArrayLike | None, argument: str, length: int) -> BoolArray | None:
    if values is None:
        return None
    mask = np.array(as_booleans(argument, values))
    if mask.shape != (length,):
        raise PlacedValueError((argument,), f"must have shape ({length},), got {mask.shape}")
    return frozen(mask)


def _same(one: NDArray[Any] | None, other: NDArray[Any] | None) -> bool:
    if one is None or other is None:
        return one is other
    return np.array_equal(one, other)


@cache
def _validator() -> Validator:
    import json

    from jsonschema import Draft202012Validator

    return Draft202012Validator(json.loads(SCHEMA.read_text(encoding="utf-8")))


def _check_schema(tree: Any) -> None:
    from jsonschema.exceptions import best_match

    error = best_match(_validator().iter_errors(tree))
    if error is not None:
        message = error.message
        if len(message) > _LONGEST_MESSAGE:
            message = f"{message[: _LONGEST_MESSAGE // 2]} ... {message[-_LONGEST_MESSAGE // 2 :]}"
        raise PlacedValueError(tuple(error.absolute_path), message)


def _scene(tree: dict[str, Any]) -> Scene:
    entries = tree["units"]
    units = [_unit(entry, i) for i, entry in enumerate(entries)]
    terrain = []
    for i, entry in enumerate(tree.get("terrain", ())):
        try:
            terrain.append(Terrain(**entry))
        except PlacedError as error:
            raise error.below("terrain", i) from None
    board = Board(units, terrain, tree.get("size", (72.0, 48.0)))
    positions = np.array([_position(entry, i) for i, entry in enumerate(entries)]).reshape(len(units), 3)
    present = occupied = None
    if any("present" in entry for entry in entries):
        present = np.array([entry.get("present", True) for entry in entries])
    if any("living" in entry for entry in entries):
        occupied = np.array(board.occupied)
        for i, slots in enumerate(board.model_slices):
            if "living" in entries[i]:
                occupied[slots] = _living(entries[i]["living"], units[i], i)
    return Scene(board, positions, present, occupied)


def _unit(entry: dict[str, Any], i: int) -> Unit:
    arguments = {key: value for key, value in entry.items() if key not in _STATE_KEYS}
    try:
        arguments["attached"] = [
            _attached(attached, k) for k, attached in enumerate(entry.get("attached", ()))
        ]
        return Unit(**arguments)
    except PlacedError as error:
        raise error.below("units", i) from None


def _attached(entry: dict[str, Any], i: int) -> Attached:
    try:
        return Attached(**entry)
    except PlacedError as error:
        raise error.below("attached", i) from None


def _position(entry: dict[str, Any], i: int) -> tuple[float, float, float]:
    heading = entry["heading_deg"]
    angle = _scene_json.radians(Decimal(heading))
    if not math.isfinite(angle):
        raise PlacedValueError(("units", i, "heading_deg"), f"must be finite, got {heading}")
    return real(entry["x"], ("units", i, "x")), real(entry["y"], ("units", i, "y")), angle


def _living(values: list[bool], unit: Unit, i: int) -> list[bool]:
    if len(values) != unit.n_slots:
        problem = f"must have {unit.n_slots} values, one a slot, got {len(values)}"
        raise PlacedValueError(("units", i, "living"), problem)
    return values


def _tree(scene: Scene) -> dict[str, Any]:
    board = scene.board
    units = []
    for i, unit in enumerate(board.units):
        x, y, heading = scene.positions[i].tolist()
        entry = _unit_tree(unit) | {"x": x, "y": y, "heading_deg": _scene_json.degrees(heading)}
        if scene.present is not None:
            entry["present"] = bool(scene.present[i])
        if scene.occupied is not None:
            entry["living"] = scene.occupied[board.model_slices[i]].tolist()
        units.append(entry)
    return {
        "version": 1,
        "size": list(board.size),
        "units": units,
        "terrain": [_terrain_tree(terrain) for terrain in board.terrain],
    }


def _unit_tree(unit: Unit) -> dict[str, Any]:
    entry: dict[str, Any] = {}
    for key, default in _UNIT_DEFAULTS.items():
        value = getattr(unit, key)
        if value != default:
            entry[key] = list(value) if isinstance(value, tuple) else value
    if unit.shape == "round":
        entry["base_mm"] = unit.base_mm[0]
    if unit.attached:
        entry["attached"] = [_attached_tree(attached) for attached in unit.attached]
    return entry


def _attached_tree(attached: Attached) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": attached.name, "base_mm": list(attached.base_mm)}
    if attached.height is not None:
        entry["height"] = attached.height
    if attached.tall:
        entry["tall"] = True
    if attached.place is not None:
        entry["place"] = attached.place if isinstance(attached.place, str) else list(attached.place)
    return entry


def _terrain_tree(terrain: Terrain) -> dict[str, Any]:
    entry: dict[str, Any] = {"kind": terrain.kind, "opaque": terrain.opaque}
    if terrain.height is not None:
        entry["height"] = terrain.height
    return entry | {"outline": terrain.outline.tolist()}
