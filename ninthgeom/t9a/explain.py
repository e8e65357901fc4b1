"""Why a unit sees what it looks at, or why not: one question in one state, with names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import as_floats, check_range
from ninthgeom._constants import LARGEST_COORDINATE, TOLERANCE
from ninthgeom._states import unit_indices
from ninthgeom.t9a._names import Blockers, listed, looking_slot, model_name, place
from ninthgeom.t9a._observers import unit_eyes
from ninthgeom.t9a._seeing import Question, points_as_things, unit_sinks
from ninthgeom.t9a._setting import Setting
from ninthgeom.t9a._things import Things
from ninthgeom.t9a._witness import Asker, Point
from ninthgeom.t9a.rules import THIRD_EDITION, Rules
from ninthgeom.t9a.visible_area import one_state, setting_of

if TYPE_CHECKING:
    from ninthgeom.board import Board

Reason: TypeAlias = Literal["seen", "touching", "same unit", "absent", "outside the arc", "hidden"]


@dataclass(frozen=True, kw_only=True)
class Explanation:
    """What decides whether a unit sees a target; ``str`` puts it in a sentence.

    Attributes
    ----------
    observer : str
        Name of the unit that looks.
    target : str
        Name of what it looks at: a unit, a model such as "model 3 of spears", or a point.
    visible : bool
        Whether it is seen.
    reason : {"seen", "touching", "same unit", "absent", "outside the arc", "hidden"}
        Why: "seen" along a line, or "touching" the front edge (of round units: the base); not seen since the
        target belongs to the unit itself, one of the two is not there, no legal line reaches the target, or
        something is in the way of all that do.
    start, end : (float, float) or None
        Ends of a line if the target is seen, in inches: on what looks, and where the line first meets the
        target.
    model : str or None
        Name of a model that sees along this line.
    slot : int or None
        Its slot on the board.
    blockers : tuple of str
        If the target is hidden: all that cut a legal line, units first, then terrain, in the order of the
        board. Units that are in the way with their boundary or several bases have their name; single models
        are "model 3 of spears", counted from 1 in the slots of the unit, or "captain of spears"; terrain is
        "hill 2", counted from 1 in the terrain of its kind.
    blocking_units, blocking_models, blocking_terrain : tuple of int
        The same as numbers: units that are in the way with their boundary or several bases, slots of single
        models, and pieces of `Board.terrain`.

    Examples
    --------
    >>> explained = Explanation(
    ...     observer="archers",
    ...     target="goblin",
    ...     visible=False,
    ...     reason="hidden",
    ...     blockers=("knights", "model 1 of orcs", "hill 2"),
    ... )
    >>> print(explained)
    archers do not see goblin: hidden by knights, model 1 of orcs and hill 2
    """

    observer: str
    target: str
    visible: bool
    reason: Reason
    start: Point | None = None
    end: Point | None = None
    model: str | None = None
    slot: int | None = None
    blockers: tuple[str, ...] = ()
    blocking_units: tuple[int, ...] = ()
    blocking_models: tuple[int, ...] = ()
    blocking_terrain: tuple[int, ...] = ()

    def __str__(self) -> str:
        if self.visible and self.start is not None and self.end is not None:
            what = f"{self.observer} see {self.target}"
            who = "it" if self.model == self.observer else f"{self.model}"
            if self.reason == "touching":
                return f"{what}: {who} touches it at {place(self.start)}"
            return f"{what}: {who} looks from {place(self.start)} to {place(self.end)}"
        why: dict[Reason, str] = {
            "same unit": "it is of the same unit",
            "absent": "not both are there",
            "outside the arc": "it is outside the arc",
            "hidden": f"hidden by {listed(self.blockers)}",
        }
        return f"{self.observer} do not see {self.target}: {why[self.reason]}"


def explain_sight(
    board: Board,
    positions: ArrayLike,
    observer: int | str,
    target: int | str | Sequence[float] | NDArray[Any] | None = None,
    *,
    target_model: int | None = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
) -> Explanation:
    """Tell whether a unit sees a target, along which line, or what hides it, in one state.

    Parameters
    ----------
    board : Board
        Units and terrain.
    positions : array_like, shape (U, 3)
        x, y and heading of every unit in one state.
    observer : int or str
        Index or name of the unit that looks.
    target : int, str or (float, float)
        What it looks at: index or name of a unit, or x and y of a point on the ground.
    target_model : int, optional
        Look at this single model instead, given by its slot.
    present : array_like of bool, shape (U,), optional
        Units on the table; all by default.
    occupied : array_like of bool, shape (M,), optional
        Slots that hold a living model; those of full strength by default.
    rules, tol
        As in `line_of_sight`.

    Returns
    -------
    Explanation
        Its `Explanation.visible` is the answer of `line_of_sight`, `models_see` and `sees_points`.

    Raises
    ------
    TypeError, ValueError
        As in `line_of_sight`, if positions or masks hold more than one state, and if not exactly one target
        is given or it is not known. The message names the argument.

    See Also
    --------
    visible_area : all of the ground that a unit sees.
    ninthgeom.sight_lines : lines and blockers between any bases.

    Notes
    -----
    The line is one of many, within the tolerance of what is in the way and of the arc. A blocker is named if
    it alone cuts one of the legal lines; without all of those named the target would be seen. A hill is named
    where it cuts lines that neither start nor end in it.

    Examples
    --------
    >>> import math
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.t9a import explain_sight
    >>> rock = Terrain([(30, 14), (42, 14), (42, 14.5), (30, 14.5)], kind="impassable")
    >>> archers, goblin = Unit("archers", (20, 20), models=10), Unit("goblin", (20, 20))
    >>> board = Board([archers, goblin, Unit("giant", (50, 75), height=5)], [rock])
    >>> positions = [[36, 10, math.pi / 2], [36, 18, 0.0], [32, 9, 0.0]]
    >>> print(explain_sight(board, positions, "archers", "goblin"))
    archers do not see goblin: hidden by impassable 1
    >>> print(explain_sight(board, positions, "archers", "giant"))
    archers do not see giant: it is outside the arc
    >>> explain_sight(board, positions, "archers", (36, 13)).reason
    'seen'
    """
    states = one_state(board, positions, observer, present, occupied, rules, tol)
    setting = setting_of(states)
    aim = _aim(setting, target, target_model)
    names: dict[str, Any] = {"observer": board.names[states.observers[0]], "target": aim.name}
    if aim.unit == states.observers[0]:
        return Explanation(**names, visible=False, reason="same unit")
    eyes, _ = unit_eyes(setting, states.observers)
    if not (eyes.there.any() and aim.things.there.any()):
        return Explanation(**names, visible=False, reason="absent")
    asker = Asker(Question.of(setting, eyes, aim.things))
    if (line := asker.line()) is not None:
        slot = looking_slot(setting, int(states.observers[0]), eyes, line)
        return Explanation(
            **names,
            visible=True,
            reason="touching" if line.touches else "seen",
            start=line.start,
            end=line.end,
            model=model_name(board, slot),
            slot=slot,
        )
    if not asker.is_in_arc():
        return Explanation(**names, visible=False, reason="outside the arc")
    blockers = Blockers.of(setting, asker.question, asker.cutting())
    return Explanation(
        **names,
        visible=False,
        reason="hidden",
        blockers=blockers.names(board),
        blocking_units=blockers.units,
        blocking_models=blockers.models,
        blocking_terrain=blockers.terrain,
    )


@dataclass(frozen=True, eq=False)
class _Aim:
    """What is looked at: its name, its unit (-1 for a point), and what there is to see of it."""

    name: str
    unit: int
    things: Things


def _aim(setting: Setting, target: Any, target_model: Any) -> _Aim:
    board = setting.board
    if (target is None) == (target_model is None):
        raise ValueError("give one of target and target_model")
    if target_model is not None:
        if isinstance(target_model, bool | np.bool_) or not isinstance(target_model, int | np.integer):
            raise TypeError(f"target_model must be the slot of a model, got {target_model!r}")
        if not 0 <= target_model < board.n_models:
            raise ValueError(f"target_model must be from 0 to {board.n_models - 1}, got {target_model}")
        slot = int(target_model)
        return _Aim(model_name(board, slot), int(board.model_unit[slot]), _model(setting, slot))
    if isinstance(target, bool | np.bool_):
        raise TypeError(f"target must be a unit or a point, got {target!r}")
    if isinstance(target, str | int | np.integer):
        who: list[int | str] = [target if isinstance(target, str) else int(target)]
        unit = unit_indices(board, who, "target")
        return _Aim(board.names[unit[0]], int(unit[0]), unit_sinks(setting, unit)[0])
    at = as_floats("target", target)
    if at.shape != (2,):
        raise ValueError(f"target must be a unit or a point (x, y), got an array of shape {at.shape}")
    check_range("target", at, -LARGEST_COORDINATE, LARGEST_COORDINATE)
    return _Aim(
        f"point {place((float(at[0]), float(at[1])))}",
        -1,
        points_as_things(at.reshape(1, 1, 2), setting.rules.ground_height),
    )


def _model(setting: Setting, slot: int) -> Things:
    """Return the base of a model, with its own height."""
    unit = int(setting.board.model_unit[slot])
    own = slot - setting.table.units[unit].slots.start
    return Things(
        setting.slot_bases(unit)[:, [own]],
        np.array([[unit]]),
        setting.table.ranks[None, [slot]],
        np.zeros((1, 1), np.bool_),
        setting.living[:, [slot]] & setting.present[:, [unit]],
    )
