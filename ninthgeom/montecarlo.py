"""Estimates from random samples: millions of states, on any executor, to the same last bit.

A job is cut into blocks of a fixed size. Block i draws from a random stream of its own, made of the seed and
i (`numpy.random.SeedSequence` with i as its spawn key), and only counts and moments of it are kept, which
are merged in the order of i. So the same seed gives the same bits on any executor, with any number of
workers, whichever block ends first, and after any interruption, as long as ``sample`` itself gives the same
on every machine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from contextlib import ExitStack, closing
from dataclasses import dataclass
from functools import partial
from os import PathLike
from time import perf_counter
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ninthgeom import _checks
from ninthgeom._checks import PlacedTypeError, PlacedValueError
from ninthgeom._mc_blocks import Block, Sample, Seed, run_block
from ninthgeom._mc_executors import check_executor, run_blocks
from ninthgeom._mc_tally import Sizes, Tally, Wish
from ninthgeom._progress import progress as progress_bar

if TYPE_CHECKING:
    from ninthgeom._mc_checkpoint import Checkpoint

__all__ = ["Estimate", "estimate"]

# An array in the shape of one value, or a dict of them by name; only the author of a sample knows which.
Values: TypeAlias = Any
#: What an `Estimate` tells of each value.
FIELDS: Final = ("mean", "standard_error", "low", "high")


@dataclass(frozen=True, eq=False, kw_only=True)
class Estimate:
    """What `estimate` found.

    Attributes
    ----------
    mean : ndarray of float64, or dict of str to ndarray
        Mean of each value; of truth values the share that is true. In the shape of one value, by name where
        the sample has names; so the next three.
    standard_error : ndarray of float64, or dict
        Of shares ``sqrt(mean * (1 - mean) / n)``, of numbers their standard deviation (of a sample, divided
        by n - 1) over the root of n; NaN of a single number.
    low, high : ndarray of float64, or dict
        Ends of the interval. Of shares Wilson's score interval (Wilson 1927), which stays in [0, 1] and has
        a width above 0 even if nothing or everything was true; of numbers the normal interval, which is
        -inf to inf after a single one.
    n : int
        Number of samples that it rests on.
    blocks : int
        Number of blocks that they came in.
    seconds : float
        Wall time of the call; what an earlier one left in a checkpoint is not counted.
    confidence : float
        Of the intervals.
    job : str
        Name of the job.
    stopped_early : bool
        Whether it stopped before all samples because the intervals were narrow enough.
    """

    mean: Values
    standard_error: Values
    low: Values
    high: Values
    n: int
    blocks: int
    seconds: float
    confidence: float
    job: str
    stopped_early: bool

    def to_table(self) -> dict[str, NDArray[Any]]:
        """Return columns of equal length, one row for each number that was estimated.

        ``pandas.DataFrame`` and ``pyarrow.table`` take the result as it is.

        Returns
        -------
        dict of str to ndarray, shape (rows,)
            ``name`` ("" without names), ``index`` (place in one value, such as "3, 0", and "" of a single
            number), ``mean``, ``standard_error``, ``low``, ``high``.

        Examples
        --------
        >>> from ninthgeom.montecarlo import estimate
        >>> dice = estimate(lambda rng, n: rng.integers(1, 7, (n, 2)) > 3, 1000, seed=1, job="dice")
        >>> dice.to_table()["index"].tolist()
        ['0', '1']
        """
        by_name = {
            field: values if isinstance(values := getattr(self, field), dict) else {"": values}
            for field in FIELDS
        }
        shapes = {name: np.shape(values) for name, values in by_name["mean"].items()}
        rows = [(name, index) for name, shape in shapes.items() for index in np.ndindex(shape)]
        columns: dict[str, NDArray[Any]] = {
            "name": np.array([name for name, _ in rows], object),
            "index": np.array([", ".join(map(str, index)) for _, index in rows], object),
        }
        for field in FIELDS:
            parts = [np.ravel(values) for values in by_name[field].values()]
            columns[field] = np.concatenate(parts)
        return columns


def estimate(
    sample: Sample,
    n: int,
    *,
    seed: Seed,
    job: str,
    executor: Executor | None = None,
    checkpoint: str | PathLike[str] | None = None,
    progress: bool = True,
    block: int = 10_000,
    half_width: float | Mapping[str, float] | None = None,
    confidence: float = 0.95,
    retries: int = 3,
) -> Estimate:
    """Estimate shares and means from n random samples.

    Parameters
    ----------
    sample : callable
        ``sample(rng, n)`` draws n samples from the numpy Generator ``rng``, all from it alone, and returns an
        array of shape (n,) or (n, k...), or a mapping of names to such arrays. Truth values are estimated as
        shares, finite real numbers of any type as means, in float64. Called once for each block; by threads
        at the same time, by processes as a copy.
    n : int
        Number of samples, at least 1.
    seed : int or sequence of int
        What the samples depend on, together with `block`.
    job : str
        Name of the job. A checkpoint belongs to one job: give another name when `sample` changes.
    executor : concurrent.futures.Executor, optional
        Where blocks are drawn: a pool of threads or processes, or ``client.get_executor()`` of
        `dask.distributed`; by default in this thread. It has some blocks at a time, three for each worker,
        and is not shut down; what it works on when the call ends, early or with an error, may still run to
        its end there.
    checkpoint : path, optional
        File that keeps finished blocks, made if it is missing. The same call continues after an interruption.
    progress : bool
        Whether to show a progress bar on the standard error stream where that is a terminal.
    block : int
        Samples of a block; the last one may be shorter. A block should take a tenth of a second or more.
    half_width : float or mapping of str to float, optional
        Stop as soon as no interval is wider than twice this, by name for those that matter. Decided after
        every block, in their order, on all blocks up to it, whichever end first.
    confidence : float
        Of the intervals, between 0 and 1.
    retries : int
        How often a block is drawn again after its worker died.

    Returns
    -------
    Estimate
        Means and shares with intervals.

    Raises
    ------
    TypeError
        If an argument or what `sample` gives has the wrong type, or `sample` cannot be sent to the processes
        of a pool.
    ValueError
        If an argument or what `sample` gives is not allowed, if blocks do not have the same names, axes and
        kinds, or the checkpoint belongs to another job, n, seed, block or version.
    BrokenExecutor
        If the worker of a block died more than `retries` times; of `dask.distributed` it is a KilledWorker.
    Exception
        What `sample` raises in the first block, by index, in which it does, with notes that name job, seed
        and block; not if the blocks before that one are enough for an early stop. The rest is cancelled
        then, and so by Ctrl-C; finished blocks stay in the checkpoint. From processes an error that cannot
        be pickled comes as RuntimeError.

    Notes
    -----
    Intervals are those of a number of samples that was fixed before: they hold their confidence each on its
    own, not together, that of means only for many samples (a few dozen, more if some values are rare and
    far out). After an early stop they are nominal: a run that stops when it looks precise is right somewhat
    less often. Events given as numbers 0 and 1 have no spread until the first is seen, which an early stop
    takes for precision: give truth values.

    Moments of a block are taken in two passes; blocks are merged by the update of Chan, Golub and LeVeque,
    "Algorithms for computing the sample variance" (1983). Numbers above 1e140 in size are refused.

    A pool of processes whose worker died is broken for good. It is shut down then, and another one of the
    same size, start method and initializer does the rest.

    Examples
    --------
    In which share of its possible places does a unit of spears see the enemy behind a ruin?

    >>> import math
    >>> from ninthgeom import Board, Terrain, Unit
    >>> from ninthgeom.t9a import line_of_sight
    >>> ruin = Terrain([(30, 20), (39, 20), (39, 24), (30, 24)], kind="ruin", opaque=True)
    >>> board = Board([Unit("spears", (20, 20), models=20), Unit("enemy", (20, 20), models=20)], [ruin])
    >>> def sees(rng, n):
    ...     places = [[36, 10, math.pi / 2], [36, 32, -math.pi / 2]] + rng.normal(0, [3, 1, 0.2], (n, 2, 3))
    ...     return line_of_sight(board, places, observers=["spears"], targets=["enemy"])[:, 0, 0]
    >>> answer = estimate(sees, 5000, seed=1, job="spears behind the ruin", block=1000)
    >>> print(f"{answer.low:.2f} < {answer.mean:.2f} < {answer.high:.2f}, {answer.n} samples")
    0.30 < 0.31 < 0.33, 5000 samples

    How far apart do they stand on average, to 0.05 inch? Some threads share the work, and change nothing:

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> from ninthgeom.t9a import distances
    >>> def apart(rng, n):
    ...     places = [[36, 10, math.pi / 2], [36, 32, -math.pi / 2]] + rng.normal(0, [3, 1, 0.2], (n, 2, 3))
    ...     return {"distance": distances(board, places)[:, 0, 1]}
    >>> with ThreadPoolExecutor(2) as threads:
    ...     far = estimate(
    ...         apart, 100_000, seed=1, job="distance", executor=threads, block=1000, half_width=0.05
    ...     )
    >>> print(f"{far.mean['distance']:.2f} inch after {far.n} samples")
    21.70 inch after 4000 samples
    """
    started = perf_counter()
    if not callable(sample):
        raise PlacedTypeError(("sample",), f"must be callable, got {sample!r}")
    n, block = _checks.whole(n, ("n",), 1), _checks.whole(block, ("block",), 1)
    seed, job = _checked_seed(seed), _checks.text(job, ("job",))
    retries = _checks.whole(retries, ("retries",), 0)
    wish = Wish(half_width, _standard_score(confidence))
    progress = _checks.flag(progress, ("progress",))
    sizes = Sizes(n, block)
    task = partial(_draw, sample, seed, sizes)
    check_executor(executor, task)  # before a checkpoint is made
    with ExitStack() as stack:
        store: Checkpoint | None = None
        if checkpoint is not None:
            from ninthgeom._mc_checkpoint import Checkpoint

            store = stack.enter_context(Checkpoint.open(checkpoint, job=job, n=n, seed=seed, block=block))
        tally = Tally(sizes, wish, {} if store is None else store.finished())
        if not tally.is_narrow:
            before = sum(sizes[index] for index in tally.stored)
            advance = stack.enter_context(progress_bar(n, "samples", done=before, wanted=progress))
            missing = (index for index in range(sizes.count) if index not in tally.stored)
            blocks = run_blocks(task, missing, executor, retries, tick=lambda: advance(0, tally.note))
            stack.enter_context(closing(blocks))
            try:
                for index, drawn in blocks:
                    if store is not None:
                        store.save(index, drawn.to_bytes())
                    tally.add(index, drawn)
                    advance(drawn.count, tally.note)
                    if tally.is_narrow:
                        break
            except BaseException as error:
                error.add_note(f"in job {job!r} with seed {seed}")
                if store is not None:
                    error.add_note(f"finished blocks are safe in {checkpoint}")
                raise
    merged = tally.merged
    assert merged is not None  # there is at least one block
    return Estimate(
        **_fields(merged, wish.z),
        n=merged.count,
        blocks=tally.blocks,
        seconds=perf_counter() - started,
        confidence=float(confidence),
        job=job,
        stopped_early=tally.blocks < sizes.count,
    )


def _draw(sample: Sample, seed: Seed, sizes: Sizes, index: int) -> Block:
    return run_block(sample, seed, index, sizes[index])


def _fields(merged: Block, z: float) -> dict[str, Values]:
    """Return what is told of each value, by the names of FIELDS."""
    fields: dict[str, Values] = {field: {} for field in FIELDS}
    for name, moments in merged.values.items():
        answers = moments.mean(), moments.standard_error(), *moments.interval(z)
        for values, answer in zip(fields.values(), answers, strict=True):
            values[name] = answer[()]  # a single number without an array round it
    return fields if merged.is_named else {field: values[""] for field, values in fields.items()}


def _checked_seed(seed: object) -> int | list[int]:
    if isinstance(seed, int | np.integer) and not isinstance(seed, bool):
        return _checks.whole(seed, ("seed",), 0)
    if isinstance(seed, str) or not isinstance(seed, Sequence | np.ndarray):
        raise PlacedTypeError(("seed",), f"must be a whole number or a sequence of them, got {seed!r}")
    if len(seed) == 0:
        raise PlacedValueError(("seed",), "must not be empty")
    return [_checks.whole(part, ("seed", i), 0) for i, part in enumerate(seed)]


def _standard_score(confidence: object) -> float:
    """Return how many standard errors a normal interval of this confidence reaches to either side."""
    from scipy.special import ndtri

    value = _checks.real(confidence, ("confidence",))
    if not 0 < value < 1:
        raise PlacedValueError(("confidence",), f"must lie between 0 and 1, got {value}")
    return -float(ndtri((1 - value) / 2))
