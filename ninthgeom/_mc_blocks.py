"""Blocks of samples: drawn, boiled down to counts and moments, merged, written as bytes.

A block is what one call of `sample` gave. Of shares it keeps whole numbers, of other values mean and sum of
squared deviations, so that blocks merged in one order give one result to the last bit.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar, Final, TypeAlias

import numpy as np
from numpy.random import Generator, SeedSequence
from numpy.typing import ArrayLike, NDArray

from ninthgeom._arrays import FloatArray, IntArray

Seed: TypeAlias = int | Sequence[int]
Sample: TypeAlias = Callable[[Generator, int], ArrayLike | Mapping[str, ArrayLike]]

#: Squares of differences of larger numbers, summed, might have no float64.
_LARGEST: Final = 1e140
# Moments are taken of so many numbers at a time, which stay in the cache.
_SLAB: Final = 2**17
_LENGTH_BYTES: Final = 4
# The answer is the same whatever the caller or a sample has NumPy do about underflow and the like.
_quiet: Final = partial(np.errstate, all="ignore")


class _UnusableError(Exception):
    """A number that is not finite or too large; with its index."""


@dataclass(frozen=True, eq=False)
class Shares:
    """How often truth values were true.

    Attributes
    ----------
    count : int
        Number of samples.
    hits : ndarray of int64
        How many of them were true, in the shape of one value.
    """

    count: int
    hits: IntArray

    kind: ClassVar = "share"
    columns: ClassVar = (("hits", "<i8"),)

    @classmethod
    def of(cls, values: NDArray[np.bool_]) -> Shares:
        """Count along the first axis."""
        return cls(len(values), np.asarray(np.count_nonzero(values, axis=0), np.int64))

    @property
    def shape(self) -> tuple[int, ...]:
        """Axes of one value."""
        return self.hits.shape

    def merged(self, later: Shares) -> Shares:
        """Return the counts of both."""
        return Shares(self.count + later.count, self.hits + later.hits)

    def mean(self) -> FloatArray:
        """Return the shares."""
        return self.hits / self.count

    def standard_error(self) -> FloatArray:
        """Return the standard error of the shares."""
        share = self.mean()
        return np.sqrt(share * (1 - share) / self.count)

    @_quiet()
    def interval(self, z: float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of Wilson's interval.

        The lower end is the smaller root of a quadratic equation, written without a difference of nearly
        equal numbers.
        """
        centre = self.hits + z * z / 2
        spread = z * np.sqrt(self.hits * ((self.count - self.hits) / self.count) + z * z / 4)
        low = np.zeros(self.shape)
        # Where z is so small that its square is 0, nothing would be divided by nothing.
        squares = np.square(self.hits, dtype=np.float64)
        np.divide(squares, self.count * (centre + spread), out=low, where=self.hits > 0)
        high = np.minimum((centre + spread) / (self.count + z * z), 1.0)
        return low, np.where(self.hits == self.count, 1.0, high)

    def half_width(self, z: float) -> FloatArray:
        """Return half the width of Wilson's interval."""
        low, high = self.interval(z)
        return (high - low) / 2


@dataclass(frozen=True, eq=False)
class Means:
    """Mean and spread of numbers.

    Attributes
    ----------
    count : int
        Number of samples.
    centre : ndarray of float64
        Their mean, in the shape of one value.
    squares : ndarray of float64
        Sum of the squared deviations from it.
    """

    count: int
    centre: FloatArray
    squares: FloatArray

    kind: ClassVar = "mean"
    columns: ClassVar = (("centre", "<f8"), ("squares", "<f8"))

    @classmethod
    @_quiet()
    def of(cls, values: NDArray[Any]) -> Means:
        """Take the moments along the first axis, in two passes.

        The second pass also corrects the mean. Each column is summed on its own and contiguous, so that the
        result does not depend on how `values` lie in memory.

        Raises
        ------
        _UnusableError
            If a number is not finite or too large; with its index.
        """
        n, shape = len(values), values.shape[1:]
        flat = values.reshape(n, math.prod(shape))
        centre, squares = np.empty(flat.shape[1]), np.empty(flat.shape[1])
        step = max(1, _SLAB // n)
        for start in range(0, flat.shape[1], step):
            part = slice(start, start + step)
            # A copy, which is changed below. What becomes infinite is refused.
            columns = np.array(flat[:, part].T, np.float64, order="C")
            usable = np.abs(columns) <= _LARGEST  # not true of NaN either
            if not usable.all():
                column, row = np.argwhere(~usable)[0].tolist()
                raise _UnusableError((row, *map(int, np.unravel_index(start + column, shape))))
            first = columns.mean(axis=1)
            columns -= first[:, None]
            rest = columns.mean(axis=1)
            centre[part] = first + rest
            squares[part] = np.maximum(np.square(columns).sum(axis=1) - n * np.square(rest), 0.0)
        return cls(n, centre.reshape(shape), squares.reshape(shape))

    @property
    def shape(self) -> tuple[int, ...]:
        """Axes of one value."""
        return self.centre.shape

    @_quiet()
    def merged(self, later: Means) -> Means:
        """Return the moments of both, by the update of Chan, Golub and LeVeque (1983)."""
        count = self.count + later.count
        shift = later.centre - self.centre
        centre = self.centre + shift * (later.count / count)
        squares = self.squares + later.squares + np.square(shift) * (self.count * later.count / count)
        return Means(count, np.asarray(centre), np.asarray(squares))

    def mean(self) -> FloatArray:
        """Return the means."""
        return self.centre

    @_quiet()
    def standard_error(self) -> FloatArray:
        """Return the standard error of the means, NaN of one value."""
        if self.count == 1:
            return np.full(self.shape, math.nan)
        return np.sqrt(self.squares / (self.count - 1) / self.count)

    @_quiet()
    def interval(self, z: float) -> tuple[FloatArray, FloatArray]:
        """Return the ends of the normal interval; one value says nothing of them."""
        if self.count == 1:
            return np.full(self.shape, -math.inf), np.full(self.shape, math.inf)
        reach = self.half_width(z)
        return self.centre - reach, self.centre + reach

    @_quiet()
    def half_width(self, z: float) -> FloatArray:
        """Return half the width of the normal interval.

        Not from its ends, which may be the same number where the mean is large.
        """
        return np.full(self.shape, math.inf) if self.count == 1 else z * self.standard_error()


Moments: TypeAlias = Shares | Means
_KINDS: Final[dict[str, type[Shares] | type[Means]]] = {kind.kind: kind for kind in (Shares, Means)}


@dataclass(frozen=True, eq=False)
class Block:
    """What is kept of some samples.

    Attributes
    ----------
    count : int
        Number of samples.
    values : dict of str to Shares or Means
        By name; of a sample without names under "".
    is_named : bool
        Whether the sample has names.
    """

    count: int
    values: dict[str, Moments]
    is_named: bool

    def merged(self, later: Block, index: int) -> Block:
        """Return both blocks as one; `index` tells what the later one is called in errors."""
        self._check_alike(later, index)
        values: dict[str, Moments] = {}
        for name, own in self.values.items():
            other = later.values[name]
            values[name] = own.merged(other)  # type: ignore[arg-type]  # of one kind, as was checked
        return Block(self.count + later.count, values, self.is_named)

    def to_bytes(self) -> bytes:
        """Write it as bytes that `from_bytes` reads on any machine."""
        header = {
            "count": self.count,
            "named": self.is_named,
            "values": [[name, own.kind, own.shape] for name, own in self.values.items()],
        }
        text = json.dumps(header).encode()
        columns = [
            np.asarray(getattr(own, name), dtype).tobytes()
            for own in self.values.values()
            for name, dtype in own.columns
        ]
        return b"".join([len(text).to_bytes(_LENGTH_BYTES, "little"), text, *columns])

    @classmethod
    def from_bytes(cls, payload: bytes) -> Block:
        """Read what `to_bytes` wrote; that no byte has changed since is for the checkpoint to know."""
        stop = _LENGTH_BYTES + int.from_bytes(payload[:_LENGTH_BYTES], "little")
        header = json.loads(payload[_LENGTH_BYTES:stop])
        values = {}
        for name, kind, shape in header["values"]:
            columns = []
            for _, dtype in _KINDS[kind].columns:
                size = math.prod(shape)
                column = np.frombuffer(payload, dtype, size, stop).reshape(shape)
                columns.append(column.astype(column.dtype.newbyteorder("=")))
                stop += column.nbytes
            values[name] = _KINDS[kind](header["count"], *columns)
        return cls(header["count"], values, header["named"])

    def _check_alike(self, later: Block, index: int) -> None:
        if self.is_named != later.is_named or self.values.keys() != later.values.keys():
            raise ValueError(f"block {index}: sample gave {later._names()}, but {self._names()} before")
        for name, own in self.values.items():
            other = later.values[name]
            for what, before, now in (
                ("axes of one value", own.shape, other.shape),
                ("kind", own.kind, other.kind),
            ):
                if before != now:
                    where = called(name, self.is_named)
                    raise ValueError(
                        f"block {index}: {what} of {where} must be {before} as before, got {now}"
                    )

    def _names(self) -> str:
        return f"the names {', '.join(map(repr, sorted(self.values)))}" if self.is_named else "an array"


def called(name: str, is_named: bool) -> str:
    """Write what an array of a sample is called in errors."""
    return f"sample[{name!r}]" if is_named else "sample"


def run_block(sample: Sample, seed: Seed, index: int, n: int) -> Block:
    """Draw a block and boil it down.

    Parameters
    ----------
    sample : callable
        As for `ninthgeom.montecarlo.estimate`.
    seed : int or sequence of int
        Seed of the whole job.
    index : int
        Number of the block, which together with the seed decides what it draws.
    n : int
        Number of its samples.

    Returns
    -------
    Block
        Its counts and moments.

    Raises
    ------
    TypeError, ValueError
        If the sample is no array or mapping of arrays of truth values or finite real numbers with n values
        each; with the number of the block and the name.
    """
    drawn = sample(np.random.default_rng(SeedSequence(seed, spawn_key=(index,))), n)
    is_named = isinstance(drawn, Mapping)
    values = {name: _moments(array, name, is_named, index, n) for name, array in _arrays(drawn, index)}
    return Block(n, values, is_named)


def _arrays(drawn: Any, index: int) -> Iterator[tuple[str, Any]]:
    if not isinstance(drawn, Mapping):
        yield "", drawn
        return
    if not drawn:
        raise ValueError(f"block {index}: sample gave a mapping without names")
    for name, array in drawn.items():
        if not isinstance(name, str) or not name:
            raise TypeError(
                f"block {index}: names of a sample must be texts that are not empty, got {name!r}"
            )
        yield name, array


def _moments(given: Any, name: str, is_named: bool, index: int, n: int) -> Moments:
    where = f"block {index}: {called(name, is_named)}"
    if isinstance(given, np.ma.MaskedArray):
        raise TypeError(f"{where} must not be masked: leave nothing out, or count it")
    array = np.asarray(given)
    if array.dtype.kind not in "biuf":
        raise TypeError(f"{where} must hold truth values or real numbers, got {array.dtype}")
    if array.ndim == 0 or len(array) != n:
        raise ValueError(f"{where} must have {n} values along its first axis, got shape {array.shape}")
    if array.dtype.kind == "b":
        return Shares.of(array)
    try:
        return Means.of(array)
    except _UnusableError as error:
        place = error.args[0]
        wish = f"finite and at most {_LARGEST:g} in size"
        raise ValueError(f"{where}{list(place)} must be {wish}, got {array[place]}") from None
