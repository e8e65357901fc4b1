"""Which models see which targets: sparse answers over many states at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import BoolArray
from ninthgeom._checks import listed
from ninthgeom._constants import TOLERANCE
from ninthgeom._states import Units
from ninthgeom.rows import Rows
from ninthgeom.t9a._observers import facing_bases
from ninthgeom.t9a._seeing import BYTES_PER_SLOT, Question, any_sink, check_tolerance, unit_sinks
from ninthgeom.t9a._setting import Setting, settings
from ninthgeom.t9a._states import Chunk, States, prepare
from ninthgeom.t9a._things import Pieces, Things, with_columns
from ninthgeom.t9a.rules import THIRD_EDITION, Rules

if TYPE_CHECKING:
    from ninthgeom.board import Board

IntArray: TypeAlias = NDArray[np.intp]
Slots: TypeAlias = Sequence[int] | Sequence[str] | Sequence[int | str] | ArrayLike | None

# The answers of places and of models, and who is asked.
_BYTES_PER_PAIR: Final = 8


def models_see(
    board: Board,
    positions: ArrayLike,
    *,
    shooters: Slots = None,
    targets: Units = None,
    target_models: Slots = None,
    present: ArrayLike | None = None,
    occupied: ArrayLike | None = None,
    rules: Rules = THIRD_EDITION,
    tol: float = TOLERANCE,
    workers: int = 1,
) -> Rows:
    """Return which models can draw a sight line to which units, or to which models.

    Lines are those of `line_of_sight`: a model looks from the front edge of its unit's boundary straight
    ahead of its base, whatever rank it stands in, and with its own height; round and oval bases look from
    all of the base in all directions. A model that is looked at has its own height, and its own unit is never
    in the way. Models of one file and height have one answer, which is worked out once.

    Parameters
    ----------
    board, positions, present, occupied, rules, tol, workers
        As in `line_of_sight`.
    shooters : sequence of int or str, optional
        Slots of the board, or names of units for all slots of theirs; all slots by default. Slots without a
        living model see nothing.
    targets : sequence of int or str, optional
        Indices or names of the units looked at; all units by default.
    target_models : sequence of int or str, optional
        Look at these single models instead, given as `shooters` are.

    Returns
    -------
    Rows
        One row for each state, model and target that it sees: ``state``, ``model`` (a slot) and ``target`` (a
        unit, or with `target_models` a slot). Sorted by state, then in the order of `shooters`, then in that
        of the targets, what is named twice counted once. Nothing sees its own unit or models of it. The units
        of the models are ``board.model_unit[rows.model]``.

    Raises
    ------
    TypeError, ValueError
        As in `line_of_sight`, and for slots that are not known or targets given in both ways.

    See Also
    --------
    line_of_sight : whether any model of a unit sees.

    Examples
    --------
    A wall hides the goblin from the archers in the three files to the left:

    >>> import math
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.t9a import models_see
    >>> wall = Terrain([(30, 14), (38.5, 14), (38.5, 14.5), (30, 14.5)], kind="impassable")
    >>> board = Board([Unit("archers", (20, 20), models=10), Unit("goblin", (20, 20))], [wall])
    >>> positions = [[36, 10, math.pi / 2], [40, 18, -math.pi / 2]]
    >>> rows = models_see(board, positions, shooters=["archers"], targets=["goblin"])
    >>> rows.model
    array([3, 4, 8, 9])
    """
    if targets is not None and target_models is not None:
        raise ValueError("targets and target_models cannot both be given")
    states = prepare(board, positions, None, targets, present, occupied, rules, tol, workers)
    check_tolerance(states.tol)
    eyes = _slots(board, shooters, "shooters")
    aims = _without_repeats(states.targets)
    if target_models is not None:
        aims = _slots(board, target_models, "target_models")
    found: list[tuple[IntArray, ...]] = []
    more = len(eyes) * len(aims) * _BYTES_PER_PAIR + board.n_models * BYTES_PER_SLOT
    for chunk in states.chunks(0, more=more):
        seen = _seen(states, chunk, eyes, aims, of_models=target_models is not None)
        state, model, target = np.nonzero(seen)
        found.append((state + chunk.states.start, eyes[model], aims[target]))
    names = ("state", "model", "target")
    columns = [np.concatenate([np.empty(0, np.intp), *parts]) for parts in zip(*found, strict=True)]
    columns = columns or [np.empty(0, np.intp)] * len(names)
    return Rows._of_parts(dict(zip(names, columns, strict=True)), states.leading)


def _seen(states: States, chunk: Chunk, shooters: IntArray, aims: IntArray, *, of_models: bool) -> BoolArray:
    """Return which of the shooters see which targets, shape (S, shooters, targets)."""
    answer = np.empty((len(chunk.positions), len(shooters), len(aims)), np.bool_)
    for part, setting in settings(states, chunk, np.unique(states.board.model_unit[shooters])):
        answer[part] = _seen_in(setting, shooters, aims, of_models=of_models)
    return answer


def _seen_in(setting: Setting, shooters: IntArray, aims: IntArray, *, of_models: bool) -> BoolArray:
    lookouts = _lookouts(setting, shooters)
    if of_models:
        seen = Question.of(setting, lookouts.eyes, _models(setting, aims)).seen()
    else:
        sinks, target = unit_sinks(setting, aims)
        seen = any_sink(Question.of(setting, lookouts.eyes, sinks).seen(), target, len(aims))
    answer = seen[:, lookouts.low]
    if setting.elevated is not None:
        high = setting.elevated[:, shooters, None]
        answer = np.where(high, seen[:, lookouts.high], answer)
    answer &= setting.living[:, shooters, None]
    return answer


@dataclass(frozen=True, eq=False)
class _Lookouts:
    """The places that shooters look from, each once, and for each shooter which it is.

    Attributes
    ----------
    eyes : Things
    low, high : ndarray of int, shape (shooters,)
        Place of each shooter where he is not elevated, and where he is.
    """

    eyes: Things
    low: IntArray
    high: IntArray


def _lookouts(setting: Setting, shooters: IntArray) -> _Lookouts:
    """Find the different stretches of front edges, and heights, of the shooters."""
    units, table = setting.board.model_unit[shooters], setting.table
    numbers: dict[tuple[float, ...], int] = {}
    place = np.empty(len(shooters), np.intp)
    ends = np.empty((len(shooters), 2))
    for i, (slot, u) in enumerate(zip(shooters.tolist(), units.tolist(), strict=True)):
        own = table.units[u]
        k = slot - own.slots.start
        ahead = np.flatnonzero(own.covers[k])
        ends[i] = own.edges[ahead[0]], own.edges[ahead[-1] + 1]
        place[i] = numbers.setdefault((u, *ends[i].tolist(), int(own.ranks[k])), len(numbers))
    _, first = np.unique(place, return_index=True)
    is_there = setting.living[:, shooters]
    high = setting.elevated
    if high is None:
        there = _any_of(is_there, place, len(numbers))
        eyes = _eyes(setting, units[first], ends[first], table.ranks[shooters[first]], there, high=False)
        return _Lookouts(eyes, place, place)
    is_high = high[:, shooters]
    parts = [
        _eyes(
            setting,
            units[first],
            ends[first],
            table.ranks[shooters[first]],
            _any_of(is_there & (is_high if elevated else ~is_high), place, len(numbers)),
            high=elevated,
        )
        for elevated in (False, True)
    ]
    return _Lookouts(Things.joined(parts), place, place + len(numbers))


def _any_of(mask: BoolArray, place: IntArray, n: int) -> BoolArray:
    """Return whether the mask (S, shooters) holds for one of the shooters of each place, shape (S, n)."""
    answer = np.zeros((len(mask), n), np.bool_)
    for i, k in enumerate(place.tolist()):
        answer[:, k] |= mask[:, i]
    return answer


def _eyes(
    setting: Setting,
    unit: IntArray,
    ends: NDArray[np.float64],
    ranks: IntArray,
    there: BoolArray,
    *,
    high: bool,
) -> Things:
    single = np.array([setting.table.units[u].n_slots == 1 for u in unit.tolist()], np.bool_)
    bases = setting.boundaries(unit).bases
    if not single.all():
        left, right = ends[None, ~single].transpose(2, 0, 1)
        bases = with_columns(bases, ~single, facing_bases(setting, unit[~single], left, right))
    elevated = np.full((1, len(unit)), high)
    return Things(bases, unit[None], ranks[None], elevated, there & setting.present[:, unit])


def _models(setting: Setting, slots: IntArray) -> Things:
    """Return the bases of single models with their own heights."""
    board, table = setting.board, setting.table
    units = board.model_unit[slots]

    def of_all(name: str) -> NDArray[np.float64]:
        every = [getattr(unit, name) for unit in table.units]
        return np.concatenate([np.empty(0), *every])[None, slots]

    sizes = of_all("forward"), of_all("left"), of_all("width"), of_all("depth")
    radius = np.array([unit.radius for unit in table.units])[None, units]
    nobody = np.zeros((1, len(slots)), np.bool_)
    ranks = table.ranks[None, slots]
    pieces = Pieces(units, *sizes, radius, ranks, nobody, setting.living[:, slots])
    placed = setting.place([pieces])
    return placed[0] if placed else setting.boundaries(units)


def _slots(board: Board, slots: Slots, argument: str) -> IntArray:
    """Return slots given by number or by the name of their unit, none twice; None means all."""
    if slots is None:
        return np.arange(board.n_models)
    given = listed(slots)
    if given is None:
        raise TypeError(f"{argument} must be a sequence of slots or names of units, got {slots!r}")
    known: list[int] = []
    for i, slot in enumerate(given):
        if isinstance(slot, str):
            try:
                known.extend(range(board.n_models)[board.model_slices[board.index(slot)]])
            except ValueError as error:
                raise ValueError(f"{argument}: {error}") from None
            continue
        if isinstance(slot, bool | np.bool_) or not isinstance(slot, int | np.integer):
            raise TypeError(f"{argument}[{i}] must be a slot or the name of a unit, got {slot!r}")
        if not 0 <= slot < board.n_models:
            raise ValueError(f"{argument}[{i}] must be from 0 to {board.n_models - 1}, got {slot}")
        known.append(int(slot))
    return _without_repeats(np.array(known, np.intp))


def _without_repeats(numbers: IntArray) -> IntArray:
    return np.array(list(dict.fromkeys(numbers.tolist())), np.intp)
