"""Questions about every pair of two large batches of which few are close to each other.

Blocks of neighbours find the close pairs, the kernels of the question are asked about those alone, and every
other answer is no. What is left of the time is writing the answers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ninthgeom._arrays import Columns, FloatArray, PairKernels, Shape, answer_pairs
from ninthgeom._blocks import SCRATCH, SLACK, close_pairs
from ninthgeom._parallel import worker_count
from ninthgeom.measure import CONTACT

#: So many pairs take as long as an item of either batch takes to be put into blocks: two batches of 700 are
#: answered about as fast without looking for the close ones.
MANY: Final = 350
#: Of each batch so many are compared to find out whether few pairs are close.
SAMPLE: Final = 128
#: Of so many pairs one may be close: writing a close one out takes that many times as long as answering one.
RARE: Final = 50


def answer_close_pairs(
    kernels: PairKernels,
    a: Columns,
    b: Columns,
    bases: Callable[[], tuple[FloatArray, FloatArray]],
    reach: float,
    *arguments: Any,
    names: tuple[str, str],
    out: NDArray[Any],
    workers: int,
) -> None:
    """Answer a question like `answer_pairs` where the answer is 0 for what is further apart than reach.

    Parameters
    ----------
    kernels, a, b, arguments, names, out, workers
        As in `answer_pairs`.
    bases : callable
        Returns columns (7, ...) of bases in which what a and b stand for lies.
    reach : float
        Distance in inches beyond which no pair has another answer than 0.
    """
    shapes = a.shape[1:], b.shape[1:]
    n, m = math.prod(shapes[0]), math.prod(shapes[1])
    hulls = None
    if out.size == n * m > MANY * (n + m):
        one, other = (columns.reshape(len(columns), -1) for columns in bases())
        hulls = (one, other) if _are_few_close(one, other, reach) else None
    if hulls is None:
        answer_pairs(kernels, a, b, *arguments, names=names, out=out, workers=workers)
        return
    keys = close_pairs(*hulls, reach + SLACK, worker_count(workers))
    flat = a.reshape(len(a), -1), b.reshape(len(b), -1)
    places = [_places(shape, out.shape) for shape in shapes]
    out[...] = 0
    for start in range(0, len(keys), SCRATCH):
        i, j = np.divmod(keys[start : start + SCRATCH], m)
        close = flat[0].take(i, axis=1), flat[1].take(j, axis=1)
        found = answer_pairs(kernels, *close, *arguments, names=names, out=None, workers=workers)
        out.put(places[0].take(i) + places[1].take(j), found)


def _are_few_close(a: FloatArray, b: FloatArray, reach: float) -> bool:
    """Tell from a sample whether few pairs are closer than reach."""
    random = np.random.default_rng(0)  # batches may repeat themselves at any step
    some = [columns.take(random.integers(columns.shape[1], size=SAMPLE), axis=1) for columns in (a, b)]
    close = answer_pairs(CONTACT, some[0][:, :, None], some[1], reach, out=None, workers=1)
    return bool(np.count_nonzero(close) * RARE < close.size)


def _places(shape: Shape, whole: Shape) -> NDArray[np.int64]:
    """Flat indices, in a broadcast with nothing else, of the items of an array of some of its axes."""
    steps = np.cumprod((1, *whole[:0:-1]))[::-1]
    return steps @ np.indices((1,) * (len(whole) - len(shape)) + shape).reshape(len(whole), -1)
