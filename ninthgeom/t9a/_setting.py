"""One chunk of states with all that sight needs of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import BoolArray, FloatArray
from ninthgeom.bases import ACROSS, ALONG, COS, RADIUS, ROWS, SIN, Bases, X, Y
from ninthgeom.t9a._elevation import hills_to_stand_on, is_elevated, touches_a_hill
from ninthgeom.t9a._tables import BoardTable, board_table, ranks_of_boundaries
from ninthgeom.t9a._things import Pieces, Things, joined_columns

if TYPE_CHECKING:
    from ninthgeom.t9a._states import Chunk, States

IntArray: TypeAlias = NDArray[np.intp]
Made = TypeVar("Made")


def settings(states: States, chunk: Chunk, lookers: IntArray) -> Iterator[tuple[slice | IntArray, Setting]]:
    """Yield the states of a chunk in one or two parts, each with its place in the chunk.

    Where one of the units that look has an elevated model, masks differ from state to state; all other
    states share theirs, and come first.
    """
    everyone = Setting(states, chunk)
    elevated = _elevated(everyone, lookers)
    if elevated is None:
        yield slice(None), everyone
        return
    slots = np.isin(states.board.model_unit, lookers)
    is_high = (elevated & everyone.living)[:, slots].any(axis=1)
    if not is_high.all():
        level = np.flatnonzero(~is_high)
        yield level, Setting(states, chunk.part(level))
    if is_high.any():
        high = np.flatnonzero(is_high)
        yield high, Setting(states, chunk.part(high), elevated[high])


def _elevated(setting: Setting, lookers: IntArray) -> BoolArray | None:
    """Return which models are elevated, shape (S, M); None where nobody who looks touches a hill."""
    if not len(hills_to_stand_on(setting.board)):
        return None
    touches = touches_a_hill(setting.states, setting.chunk.boundaries) & setting.present
    if not touches[:, lookers].any():
        return None
    elevated = np.zeros((setting.n_states, setting.board.n_models), np.bool_)
    places = [(u, np.flatnonzero(touches[:, u])) for u in np.flatnonzero(touches.any(axis=0)).tolist()]
    slots = [setting.slot_bases(u, states) for u, states in places]
    answers = is_elevated(setting.states, Bases.concatenate(bases.reshape(-1) for bases in slots))
    ends = np.cumsum([bases.size for bases in slots])[:-1]
    for (u, states), bases, answer in zip(places, slots, np.split(answers, ends), strict=True):
        elevated[states, setting.table.units[u].slots] = answer.reshape(bases.shape)
    return elevated


class Setting:
    """Some states with all that sight needs of them, worked out when it is asked for.

    Parameters
    ----------
    states : States
        The question.
    chunk : Chunk
        The states.
    elevated : ndarray of bool, shape (S, M), optional
        Elevated models, whether they live or not; by default nobody is, or it does not matter.
    """

    def __init__(self, states: States, chunk: Chunk, elevated: BoolArray | None = None) -> None:
        self.states = states
        self.elevated = elevated
        self.rules = states.rules
        self.board = states.board
        self.chunk = chunk
        self.table: BoardTable = board_table(states.board, with_tall=states.rules.tall_exempt)
        self._known: dict[str, Any] = {}

    @property
    def n_states(self) -> int:
        """Number of states of the chunk."""
        return len(self.chunk.positions)

    @cached_property
    def living(self) -> BoolArray:
        """Slots that hold a model, shape (S or 1, M)."""
        occupied = self.chunk.occupied
        return self.board.occupied[None] if occupied is None else occupied

    @cached_property
    def present(self) -> BoolArray:
        """Units on the table, shape (S or 1, U)."""
        present = self.chunk.present
        return np.ones((1, len(self.board)), np.bool_) if present is None else present

    @cached_property
    def boundary_rank(self) -> IntArray:
        """Height and tallness of the Unit Boundaries, shape (S or 1, U)."""
        if self.chunk.occupied is None or not self.table.is_mixed.any():
            return self.table.unit_ranks[None]
        return ranks_of_boundaries(self.table.units, self.living, self.table.ranks)

    @cached_property
    def elevated_boundary(self) -> BoolArray:
        """Elevated Unit Boundaries, shape (S or 1, U)."""
        if self.elevated is None:
            return np.zeros((1, len(self.board)), np.bool_)
        return is_elevated(self.states, self.chunk.boundaries)

    def elevated_models(self, u: int) -> BoolArray | None:
        """Return which models of a unit are elevated, shape (S, slots); None if nobody is in any state."""
        if self.elevated is None:
            return None
        elevated = self.elevated[:, self.table.units[u].slots]
        return elevated if elevated.any() else None

    def known(self, key: str, make: Callable[[], Made], u: int) -> Made:
        """Return what is made of the living and the elevated models of a unit, made once.

        Without masks and where nobody of the unit is elevated, once for the board.
        """
        is_static = self.chunk.occupied is None and self.elevated_models(u) is None
        made = self.board._derived if is_static else self._known
        if key not in made:
            made[key] = make()
        known: Made = made[key]
        return known

    def boundaries(self, units: IntArray) -> Things:
        """Return Unit Boundaries with the height of most of their models."""
        everyone = np.array_equal(units, np.arange(len(self.board)))
        return Things(
            self.chunk.boundaries if everyone else self.chunk.boundaries[:, units],
            units[None],
            self.boundary_rank[:, units],
            self.elevated_boundary[:, units],
            self.present[:, units],
        )

    def place(self, pieces: Sequence[Pieces]) -> list[Things]:
        """Put pieces on the table, all at once; a list with one item or none."""
        pieces = [piece for piece in pieces if len(piece.unit)]
        if not pieces:
            return []

        def joined(name: str) -> NDArray[Any]:
            return np.asarray(joined_columns([getattr(piece, name) for piece in pieces]))

        unit = np.concatenate([piece.unit for piece in pieces])
        bases = self.bases_at(
            unit, joined("forward"), joined("left"), joined("width"), joined("depth"), joined("radius")
        )
        there = joined("there") & self.present[:, unit]
        return [Things(bases, unit[None], joined("rank"), joined("elevated"), there)]

    def slot_bases(self, u: int, states: slice | IntArray = slice(None)) -> Bases:
        """Return the bases of all slots of a unit, shape (states, slots)."""
        table = self.table.units[u]
        unit, radius = np.full(table.n_slots, u), np.full(table.n_slots, table.radius)
        return self.bases_at(unit, table.forward, table.left, table.width, table.depth, radius, states=states)

    def bases_at(
        self,
        unit: IntArray,
        forward: FloatArray,
        left: FloatArray,
        width: FloatArray,
        depth: FloatArray,
        radius: FloatArray,
        states: slice | IntArray = slice(None),
    ) -> Bases:
        """Return bases from their centres in the frames of their units, shape (S, n)."""
        positions = self.chunk.positions[states][:, unit]
        directions = self.chunk.boundaries._columns[COS : SIN + 1][:, states][:, :, unit]
        columns = np.empty((ROWS, *positions.shape[:2]))
        cos, sin = columns[COS], columns[SIN]
        cos[...], sin[...] = directions
        columns[X] = positions[..., 0] + (forward * cos - left * sin)
        columns[Y] = positions[..., 1] + (forward * sin + left * cos)
        columns[ALONG] = depth / 2 - radius
        columns[ACROSS] = width / 2 - radius
        columns[RADIUS] = radius
        shape = columns.shape[1:]
        width, depth, radius = (np.broadcast_to(size, shape) for size in (width, depth, radius))
        return Bases._of_parts(columns, positions[..., 2], (width, depth, radius))
