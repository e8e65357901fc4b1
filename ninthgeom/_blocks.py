"""Which pairs of many bases are close: blocks of neighbours, boxes round blocks, all pairs of close blocks.

Blocks are tiles of equally many bases (sort-tile-recursive packing; Leutenegger, Lopez and Edgington, STR: A
Simple and Efficient Algorithm for R-Tree Packing, 1997). Which boxes are close is the same question with
fewer bases, down to so few that the outer kernel answers it at once. For 100,000 bases of a crowded table
this takes half the time of candidates from a k-d tree, and some of the bases may be long.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import FloatArray, IntArray
from ninthgeom._columns import ACROSS, ALONG, COS, RADIUS, ROWS, X, Y
from ninthgeom._parallel import run_chunks
from ninthgeom.measure import CONTACT

#: Bases in a block.
WIDTH: Final = 32
#: So many pairs, or fewer, are asked about at once: 450 bases take as long that way as in blocks.
FEW: Final = 450 * 450
#: Pairs that are asked about in one call. All of them may be close, which takes 60 bytes of scratch each.
SCRATCH: Final = 1 << 19
#: Boxes are this much closer than their coordinates say, in inches: more than these are off by rounding.
SLACK: Final = 1e-7


@dataclass(frozen=True, slots=True)
class Blocks:
    """Bases in blocks of equal width.

    Attributes
    ----------
    members : ndarray of int64, shape (blocks, width)
        Their indices; anything in empty places.
    columns : ndarray of float64, shape (7, blocks, width)
        Their columns; NaN in empty places, so that these are close to nothing.
    """

    members: IntArray
    columns: FloatArray

    @classmethod
    def of(cls, columns: FloatArray, members: IntArray, is_empty: NDArray[np.bool_]) -> Blocks:
        """Put bases where members says."""
        taken = columns.take(members, axis=1)
        taken[X][is_empty] = taken[Y][is_empty] = math.nan
        return cls(members, taken)

    def boxes(self) -> FloatArray:
        """Return columns of upright boxes, one round each block."""
        x, y, cos, sin, along, across, radius = self.columns
        cos, sin = np.abs(cos), np.abs(sin)
        half_x = cos * along + sin * across + radius
        half_y = sin * along + cos * across + radius
        low_x, high_x = np.fmin.reduce(x - half_x, axis=1), np.fmax.reduce(x + half_x, axis=1)
        low_y, high_y = np.fmin.reduce(y - half_y, axis=1), np.fmax.reduce(y + half_y, axis=1)
        return box_columns(low_x, low_y, high_x, high_y)


def box_columns(low_x: FloatArray, low_y: FloatArray, high_x: FloatArray, high_y: FloatArray) -> FloatArray:
    """Columns of upright boxes, right to SLACK."""
    boxes = np.zeros((ROWS, len(low_x)))
    boxes[X], boxes[Y] = 0.5 * (low_x + high_x), 0.5 * (low_y + high_y)
    boxes[COS] = 1.0
    boxes[ALONG], boxes[ACROSS] = 0.5 * (high_x - low_x), 0.5 * (high_y - low_y)
    return boxes


def close_pairs(a: FloatArray, b: FloatArray | None, limit: float, workers: int) -> IntArray:
    """Pairs of columns (7, n) and (7, m) whose gap is at most a limit.

    Returns
    -------
    ndarray of int64
        Keys i m + j, in no particular order; without b those of a with i < j.
    """
    n, m = a.shape[1], (a if b is None else b).shape[1]
    if n * m <= FEW:
        first = second = np.zeros(1, np.int64)
        a_blocks = _at_once(a)
        b_blocks = a_blocks if b is None else _at_once(b)
    else:
        a_blocks = _tiled(a)
        b_blocks = a_blocks if b is None else _tiled(b)
        a_boxes = a_blocks.boxes()
        b_boxes = None if b is None else b_blocks.boxes()
        first, second = np.divmod(
            close_pairs(a_boxes, b_boxes, limit + SLACK, workers), len(b_blocks.members)
        )
        if b is None:
            diagonal = np.arange(len(a_blocks.members))
            first, second = np.concatenate([first, diagonal]), np.concatenate([second, diagonal])
    return close_in_blocks(a_blocks, b_blocks, first, second, m, limit, workers)


def close_in_blocks(
    a: Blocks, b: Blocks, first: IntArray, second: IntArray, m: int, limit: float, workers: int
) -> IntArray:
    """Pairs of members of blocks, `first` of a against `second` of b, whose gap is at most a limit.

    Returns
    -------
    ndarray of int64
        Keys i m + j; where b is a those with i < j, if `first` and `second` hold no pair of blocks twice.
    """
    n_a, n_b = a.members.shape[1], b.members.shape[1]
    step = max(1, SCRATCH // (n_a * n_b))
    later = ~np.tri(n_a, dtype=np.bool_)  # in a pair of a block with itself
    found: list[IntArray] = []

    def task(start: int, stop: int) -> None:
        for begin in range(start, stop, step):
            end = min(begin + step, stop)
            one, two = first[begin:end], second[begin:end]
            answer = np.empty((end - begin, n_a, n_b), np.bool_)
            a_columns, b_columns = a.columns.take(one, axis=1), b.columns.take(two, axis=1)
            CONTACT.outer(a_columns, b_columns, limit, answer, 0, len(one) * n_a, 0, n_b)
            if a is b:
                answer[one == two] &= later
            row, place = np.divmod(np.flatnonzero(answer), n_b)
            i = a.members.take(one, axis=0).take(row)
            j = b.members.take(two, axis=0).take(row // n_a * n_b + place)
            if a is b:
                i, j = np.minimum(i, j), np.maximum(i, j)
            found.append(i * m + j)

    run_chunks(task, len(first), workers=workers, cost_ns=CONTACT.cost_ns * n_a * n_b)
    return np.concatenate(found) if found else np.empty(0, np.int64)


def _at_once(columns: FloatArray) -> Blocks:
    """One block of all bases."""
    n = columns.shape[1]
    return Blocks(np.arange(n)[None, :], np.ascontiguousarray(columns)[:, None, :])


def _tiled(columns: FloatArray) -> Blocks:
    """Blocks of bases that are near each other, those much larger than a block apart from the others.

    One long wall in a block of models would make the box of the block as long, and many boxes close to it.
    """
    x, y = columns[X], columns[Y]
    size = np.maximum(columns[ALONG], columns[ACROSS]) + columns[RADIUS]
    members, is_empty = [], []
    left = np.arange(len(x))
    while True:
        tiles = _tiles(x[left], y[left])
        members.append(left[tiles])
        is_empty.append(np.zeros(tiles.shape, np.bool_))
        is_empty[-1][:, 1:] = tiles[:, 1:] == tiles[:, :-1]
        extent = np.maximum(np.ptp(x[left][tiles], axis=1), np.ptp(y[left][tiles], axis=1))
        is_large = (size[left][tiles] > extent[:, None]) & ~is_empty[-1]
        large = tiles[is_large]
        # Their places stay empty. Where they are many, they are rather the usual size of a dense crowd.
        if len(large) == 0 or 4 * len(large) > len(left):
            return Blocks.of(columns, np.concatenate(members), np.concatenate(is_empty))
        is_empty[-1] |= is_large
        left = left[large]


def _tiles(x: FloatArray, y: FloatArray) -> IntArray:
    """Cut points in tiles of WIDTH: slices by x, each cut by y; the last index repeats to fill its tile."""
    n = len(x)
    count = -(-n // WIDTH)
    order = np.argsort(x)
    # Tiles should be about square where most points are.
    quarters = [n // 4, n - 1 - n // 4]
    left, right = x[order[quarters]].tolist()
    low, high = np.partition(y, quarters)[quarters].tolist()
    slices = max(1.0, math.sqrt(count * (right - left) / (high - low))) if high > low else count
    length = WIDTH * math.ceil(count / min(slices, count))
    for start in range(0, n, length):
        part = order[start : start + length]
        order[start : start + length] = part[np.argsort(y[part])]
    return np.concatenate([order, np.repeat(order[-1:], count * WIDTH - n)]).reshape(count, WIDTH)
