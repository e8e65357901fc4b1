"""The longest finished prefix of the blocks of a job, and whether it is enough."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from ninthgeom._checks import Place, PlacedTypeError, PlacedValueError
from ninthgeom._mc_blocks import Block, Moments


@dataclass(frozen=True)
class Sizes:
    """How n samples are cut in blocks."""

    n: int
    block: int

    @property
    def count(self) -> int:
        """Number of blocks."""
        return -(-self.n // self.block)

    def __getitem__(self, index: int) -> int:
        return min(self.block, self.n - index * self.block)


class Wish:
    """How narrow intervals should be.

    Parameters
    ----------
    half_width : float, mapping of str to float, or None
        Their half width at most, of all or by name; None never stops.
    z : float
        How many standard errors they reach to either side.
    """

    def __init__(self, half_width: float | Mapping[str, float] | None, z: float) -> None:
        self.z = z
        self._all: float | None = None
        self._named: dict[str, float] | None = None
        if isinstance(half_width, Mapping):
            if not half_width:
                raise PlacedValueError(("half_width",), "must name something, got an empty mapping")
            for name in half_width:
                if not isinstance(name, str):
                    raise PlacedTypeError(("half_width",), f"must have texts as names, got {name!r}")
            self._named = {name: _positive(value, ("half_width", name)) for name, value in half_width.items()}
        elif half_width is not None:
            self._all = _positive(half_width, ("half_width",))

    def is_met(self, merged: Block) -> bool:
        """Whether all that matter are narrow enough."""
        if self._named is not None:
            for name in self._named:
                if not merged.is_named or name not in merged.values:
                    known = ", ".join(map(repr, merged.values)) if merged.is_named else "no names"
                    raise PlacedValueError(("half_width",), f"names {name!r}, but sample gives {known}")
            return all(self._widest(merged.values[name]) <= most for name, most in self._named.items())
        return self._all is not None and self.widest(merged) <= self._all

    def widest(self, merged: Block) -> float:
        """Return the half width of the widest interval."""
        return max(map(self._widest, merged.values.values()))

    def _widest(self, moments: Moments) -> float:
        return float(np.max(moments.half_width(self.z), initial=0.0))


class Tally:
    """The longest prefix of finished blocks, merged in their order until the wish is met.

    Parameters
    ----------
    sizes : Sizes
        Samples of each block.
    wish : Wish
        How narrow intervals should be.
    stored : mapping of int to bytes
        Blocks finished earlier, read when it is their turn.
    """

    def __init__(self, sizes: Sizes, wish: Wish, stored: Mapping[int, bytes]) -> None:
        self.stored = stored
        self.merged: Block | None = None
        self.blocks = 0
        self.is_narrow = False
        self._sizes = sizes
        self._wish = wish
        self._ahead: dict[int, Block] = {}
        self._advance()

    def add(self, index: int, drawn: Block) -> None:
        """Take a finished block."""
        self._ahead[index] = drawn
        self._advance()

    def note(self) -> str:
        """Write how narrow the intervals are by now."""
        return "" if self.merged is None else f"± {self._wish.widest(self.merged):.2g}"

    def _advance(self) -> None:
        while not self.is_narrow and (block := self._next()) is not None:
            self.merged = block if self.merged is None else self.merged.merged(block, self.blocks)
            self.blocks += 1
            self.is_narrow = self._wish.is_met(self.merged)

    def _next(self) -> Block | None:
        index = self.blocks
        if index in self.stored:
            block = Block.from_bytes(self.stored[index])
            if block.count != self._sizes[index]:
                wish = f"must have {self._sizes[index]} samples, got {block.count}"
                raise ValueError(f"block {index} of the checkpoint {wish}")
            return block
        return self._ahead.pop(index, None)


def _positive(value: object, place: Place) -> float:
    if not isinstance(value, int | float | np.integer | np.floating) or isinstance(value, bool):
        raise PlacedTypeError(place, f"must be a number, got {value!r}")
    if not 0 < value < math.inf:
        raise PlacedValueError(place, f"must be finite and greater than 0, got {value}")
    return float(value)
