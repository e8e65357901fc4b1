"""What a benchmark hands over for its line of RESULTS.md.

A benchmark measures as it likes, builds one `Row` and records it::

    @pytest.mark.benchmark(group="Pairs of bases")
    def bench_contact(benchmark):
        n = 1_000_000 if benchmark.enabled else 1000
        result = benchmark.pedantic(contact, (n,), rounds=1)  # a benchmarks.ratio.Comparison
        Row(
            question="`in_contact`, rectangles",
            data="a million near pairs: the second centre normal(0, 2.5 inches) from the first",
            rate=n / result.ours,
            against="`shapely.intersects`",
            ratio=result.ratio,
            ratio_least=180,
        ).record(benchmark)

The row travels in pytest-benchmark's JSON, under the key ``row`` of ``extra_info``; `benchmarks.results`
makes the tables of it, one for each ``group``, in the order in which the benchmarks ran. A group's name is
the heading of its table. A benchmark without a row is left out.
"""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Row:
    """One line: what was asked, of what, how fast that was, and how much faster than something else.

    Attributes
    ----------
    question : str
        First cell; names the line, so no two have the same.
    data : str
        What the question was asked of: numbers, sizes, distributions, in words. Stands below the table.
    rate, items, rate_least
        Items a second of one core, what they are, and the aim.
    seconds, seconds_most
        Time of one call or one start, where that is what counts, and the aim.
    curve : tuple of (int, float), optional
        Seconds for each size of a task that grows, instead of a single time.
    growth : float, optional
        Power of the size that the time grows with.
    against : str
        The other side of the ratio.
    ratio, ratio_least, ratio_most
        Time of the other side in times of ours, or, with ``ratio_most``, ours in times of the other; the aim.
    """

    question: str
    data: str
    rate: float | None = None
    items: str = "pairs"
    rate_least: float | None = None
    seconds: float | None = None
    seconds_most: float | None = None
    curve: tuple[tuple[int, float], ...] = ()
    growth: float | None = None
    against: str = ""
    ratio: float | None = None
    ratio_least: float | None = None
    ratio_most: float | None = None

    def record(self, benchmark: Any, *, slack: float = 2.0) -> None:
        """Hand the row over, with the load of the machine, and fail if a ratio is far from its aim.

        Rates and seconds differ from machine to machine and are not checked. Ratios differ too, between
        processors, so an aim may be missed by the factor `slack`.
        """
        benchmark.extra_info["row"] = asdict(self) | {"load": round(os.getloadavg()[0], 1)}
        if benchmark.enabled and self.ratio is not None:
            assert self.ratio * slack >= (self.ratio_least or 0.0)
            assert self.ratio <= slack * (self.ratio_most or float("inf"))
